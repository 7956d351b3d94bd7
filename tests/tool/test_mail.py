"""The options of mail: what they make the command say to a server."""
import os
import sys

import pytest

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench"))
from measure.servers import lines  # noqa: E402

MAIL = "Subject: x\r\n\r\n.hello\r\n"


@pytest.fixture
def heard(monkeypatch):
    """The commands that a server has got."""
    said = []
    for kind in (lines.Smtp, lines.Imap):
        def answer(self, word, rest, old=kind.answer):
            if rest and "LOGOUT" not in rest:  # no goodbye: it may be that of the test before
                said.append(f"{word} {rest}".strip())
            return old(self, word, rest)
        monkeypatch.setattr(kind, "answer", answer)
    return said


def test_each_recipient_is_named(tool, tmp_path, heard):
    (tmp_path / "mail").write_text(MAIL)
    with lines.Server("smtp") as server:
        r = tool.mote("--mail-from", "a@x", "--mail-rcpt", "b@x", "--mail-rcpt", "c@x", "--mail-auth", "d@x", "-T", str(tmp_path / "mail"),
                      server.url + "/me")
    assert r.rc == 0
    assert heard[heard.index("EHLO me"):][:4] == ["EHLO me", f"MAIL FROM:<a@x> SIZE={len(MAIL)}", "RCPT TO:<b@x>", "RCPT TO:<c@x>"]


@pytest.mark.parametrize("flags, said", [
    ([], "(\\Seen)"), (["--upload-flags", "answered,draft"], "(\\Answered \\Draft \\Seen)"),
    (["--upload-flags", "flagged,-seen"], "(\\Flagged)"), (["--upload-flags", "-seen"], None),
])
def test_flags_of_an_upload(tool, tmp_path, heard, flags, said):
    (tmp_path / "mail").write_text(MAIL)
    with lines.Server("imap") as server:
        r = tool.mote("-u", "me:secret", *flags, "-T", str(tmp_path / "mail"), server.url + "/INBOX")
    assert r.rc == 0
    assert f"A003 APPEND INBOX {said + ' ' if said else ''}{{{len(MAIL)}}}" in heard


@pytest.mark.parametrize("flags", ["", "Seen", "seen,", "seen,new", "--seen"])
def test_flags_that_do_not_exist(tool, flags):
    assert tool.mote("--upload-flags", flags, "imap://127.0.0.1:1/").rc == 2


def test_replies_are_no_head(tool, heard):
    with lines.Server("imap") as server:
        r = tool.mote("-i", "-u", "me:secret", server.url + "/")
    assert (r.rc, r.out) == (0, b'* LIST () "/" INBOX\r\n')
