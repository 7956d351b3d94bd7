"""SMTP with a real postfix, which takes commands ahead (PIPELINING) and says so on one of its ports only. Logins are in
test_mail_servers.py, which has dovecot. Run with MOTE_MAIL_SERVERS=all alone: it takes no more than seconds, but a server
that has to be unpacked first."""

import pytest

import mail_servers
from mote_driver import WAYS, Driver, by_library
from test_tool_dropin import SUBJECTS, run_tool

USESSL_ALL = 3
MAIL = b"Subject: a mail\r\n\r\n.with a dot\r\n..two\r\n" + b"x" * 900 + b"\r\nand an end\r\n"
REFUSED = 55


@pytest.fixture(scope="session")
def running(programs, certs):
    if Driver(programs).easy(URL="smtp://127.0.0.1:1/").perform().run()["h"].code == 1:
        pytest.skip("the library has no SMTP")
    lacking = "MOTE_MAIL_SERVERS is not all" if not mail_servers.ALL else mail_servers.no_postfix()
    if lacking:
        pytest.skip(lacking)
    p = mail_servers.Postfix(certs)
    yield p
    p.close()


@pytest.fixture
def postfix(running):
    running.empty()
    yield running
    assert "improper command pipelining" not in running.log()


@pytest.fixture(params=["ahead", "plain"])
def kind(request):
    return request.param


def mail(d, name, server, kind, to=("<to@mote.test>",), text=MAIL, **options):
    options = {"MAIL_FROM": "<from@mote.test>", **options}
    d.easy(name, URL=server.url(kind), MAIL_RCPT=list(to), UPLOAD=1, **options).body(name, text)
    return d.perform(name).getinfo(name, "RESPONSE_CODE")


@pytest.mark.parametrize("way", WAYS)
def test_mails_arrive(drive, postfix, kind, way):
    d = mail(drive(way), "h", postfix, kind)
    d.body("h", MAIL).perform("h").setopt("h", MAIL_RCPT=["<to@mote.test>", "other@mote.test"]).body("h", MAIL, 7)
    assert [t.code for t in d.perform("h").run().all("h")] == [0, 0, 0]
    assert [m.endswith(b"\n\n" + MAIL.split(b"\r\n\r\n", 1)[1].replace(b"\r\n", b"\n")) for m in postfix.mails("to", 3)] == [True] * 3
    assert len(postfix.mails("other")) == 1


@pytest.mark.parametrize("to, some, options, code, status, boxes", [
    (("<to@mote.test>", "<NO1@mote.test>"), 0, {}, REFUSED, 550, 0),
    (("<no1@mote.test>", "<to@mote.test>"), 0, {}, REFUSED, 550, 0),
    (("<no1@mote.test>", "<to@mote.test>", "<no2@mote.test>"), 1, {}, 0, 250, 1),
    (("<no1@mote.test>", "<no2@mote.test>"), 1, {}, REFUSED, 550, 0),
    (("<to@elsewhere.test>",), 0, {}, REFUSED, 554, 0),
    (("<no1@mote.test>",), 0, {}, REFUSED, 550, 0),
    (("<to@mote.test> NOTIFY=NEVER",), 0, {"MAIL_FROM": "<from@mote.test> RET=HDRS"}, 0, 250, 1),
    (("<to@mote.test> FOO=BAR",), 0, {}, REFUSED, 555, 0),
    (("<to@mote.test>",), 0, {"MAIL_FROM": "<ä@mote.test>"}, 0, 250, 1),
    (("<to@mote.test>",), 0, {"MAIL_FROM": ""}, 0, 250, 1),
])
def test_refusals_and_parameters(drive, postfix, kind, to, some, options, code, status, boxes):
    """The connection serves the next mail all the same."""
    d = mail(drive(), "h", postfix, kind, to, MAIL_RCPT_ALLOWFAILS=some, **options)
    d.setopt("h", MAIL_FROM="from@mote.test", MAIL_RCPT=["to@mote.test"]).body("h", MAIL).perform("h").getinfo("h", "NUM_CONNECTS")
    first, second = d.run().all("h")
    assert (first.code, first.info["RESPONSE_CODE"]) == (code, status), postfix.log()[-2000:]
    assert (second.code, second.info["NUM_CONNECTS"]) == (0, by_library(0, 1, 1) if code else 0)
    assert len(postfix.mails("to", boxes + 1)) == boxes + 1


@pytest.mark.parametrize("size, announced", [(1 << 20, True), (1 << 20, False), (4 << 20, True), (4 << 20, False)])
def test_large_mails(drive, postfix, kind, size, announced):
    """postfix takes 3 MB. With SIZE it says so at once."""
    text = b"Subject: x\r\n\r\n" + (b"." * 70 + b"\r\n") * (size // 72)
    options = {"INFILESIZE_LARGE": len(text)} if announced else {}
    t = mail(drive(), "h", postfix, kind, text=text, **options).run()["h"]
    if size > 3 << 20:
        assert (t.code, t.info["RESPONSE_CODE"]) == ((REFUSED if announced and kind == "ahead" else 8), 552)
    else:
        assert t.code == 0 and postfix.mails("to")[0].endswith(text.split(b"\r\n\r\n", 1)[1].replace(b"\r\n", b"\n"))


def test_many_recipients(drive, postfix, kind):
    """More than a group of commands takes."""
    to = [f"<{a}{b}{'x' * 60}@mote.test>" for a in "abcdef" for b in "abcdefghij"]
    t = mail(drive(), "h", postfix, kind, to).run()["h"]
    assert t.code == 0, t
    assert all(len(postfix.mails(name[1:name.index("@")])) == 1 for name in to)


def test_tls(drive, postfix, kind, certs):
    """Asked for and from the first byte."""
    ca = certs.path("ca.pem")
    d = mail(drive(), "asked", postfix, kind, USE_SSL=USESSL_ALL, CAINFO=ca)
    d = mail(d, "first", postfix, "tls", CAINFO=ca)
    run = mail(d, "untrusted", postfix, kind, USE_SSL=USESSL_ALL, CAINFO=certs.path("otherca.pem")).run()
    assert [run[name].code for name in ("asked", "first", "untrusted")] == [0, 0, 60]
    assert len(postfix.mails("to", 2)) == 2


def test_commands(drive, postfix):
    d = drive().easy("vrfy", URL=postfix.url(), MAIL_RCPT=["to@mote.test"]).perform("vrfy")
    d.easy("none", URL=postfix.url(), MAIL_RCPT=["no1@mote.test"]).perform("none")
    d.easy("expn", URL=postfix.url(), MAIL_RCPT=["to"], CUSTOMREQUEST="EXPN").perform("expn")
    run = d.easy("noop", URL=postfix.url(), CUSTOMREQUEST="NOOP").perform("noop").run()
    assert [run[name].code for name in ("vrfy", "none", "expn", "noop")] == [0, 8, 8, 0]
    assert run["vrfy"].body == b"252 2.0.0 to@mote.test\r\n" and run["noop"].body == b"250 2.0.0 Ok\r\n"


@pytest.mark.parametrize("subject", SUBJECTS)
def test_curl_and_our_command(postfix, certs, tmp_path, subject):
    """Debian's curl on our library, and our command, do what Debian's curl does."""
    (tmp_path / "mail").write_bytes(MAIL)
    ends = []
    for who in ("reference", subject):
        postfix.empty()
        common = ["--mail-from", "from@mote.test", "--ssl-reqd", "--cacert", certs.path("ca.pem"), "-w", "%{http_code}\n"]
        runs = [run_tool(who, [postfix.url(kind), "--mail-rcpt", to, "--mail-rcpt", "other@mote.test", *more, *common], tmp_path,
                         stdin=MAIL)
                for kind in ("ahead", "plain", "tls") for to in ("to@mote.test", "no1@mote.test")
                for more in (["-T", "mail"], ["-T", "-", "--mail-rcpt-allowfails"], ["-F", "=text", "-F", "file=@mail"])]
        ends.append([(r.returncode, r.stdout) for r in runs] + [len(postfix.mails("to", 9)), len(postfix.mails("other", 12))])
    assert ends[0] == ends[1]
    assert ends[0][-2:] == [9, 12]
