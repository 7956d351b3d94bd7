"""SMTP (RFC 5321, 1870, 3207, 6531): scripted servers; what is expected was watched on the newest libcurl."""

import socket
import threading

import pytest

from command_server import StartTls
from mail_peer import ask, dialogue
from mote_driver import by_library, not_debian
from script import Call, Close, Read, Send, Set, Step, UntilClose

USE_SSL_TRY, USE_SSL_ALL = 1, 3
QUIT = ask("QUIT", "221 bye\r\n")
MAIL = b"Subject: x\r\n\r\n.one\r\ntwo\r\n"
SENT = b"Subject: x\r\n\r\n..one\r\ntwo\r\n.\r\n"


class Until(Step):
    def __init__(self, mark):
        self.mark = mark

    def run(self, peer):
        peer.until(self.mark)


def greet(*extensions, host="h"):
    lines = ["me", *extensions]
    return (Send("220 ready\r\n"), Read(f"EHLO {host}\r\n".encode()),
            Send("".join(f"250{' ' if i == len(lines) - 1 else '-'}{line}\r\n" for i, line in enumerate(lines))))


def envelope(sender="<a@b>", recipients=("<c@d>",), size=""):
    rcpt = [line for r in recipients for line in (f"RCPT TO:{r}", "250 ok\r\n")]
    return dialogue(f"MAIL FROM:{sender}{size}", "250 ok\r\n", *rcpt, "DATA", "354 go\r\n")


def delivered(sent=SENT, answer="250 queued\r\n"):
    return (Read(sent), Send(answer))


def url(server, path="h", user="", scheme="smtp"):
    return f"{scheme}://{user}127.0.0.1:{server.port}/{path}"


def send(drive, server, way="easy", mail=MAIL, path="h", **options):
    options = {"MAIL_FROM": "<a@b>", "MAIL_RCPT": ["<c@d>"], "UPLOAD": 1, "URL": url(server, path), **options}
    return drive.get(way, body=mail, **options)


def test_a_mail_goes_through_every_way_of_driving(drive, make_server, way):
    server = make_server()
    server.script(*greet(), *envelope(), *delivered(), *QUIT)
    t = send(drive, server, way, info=("RESPONSE_CODE", "SIZE_UPLOAD_T"))
    assert (t.code, t.info["RESPONSE_CODE"], t.info["SIZE_UPLOAD_T"]) == (0, 250, len(by_library(SENT, SENT[:-3])))


HTML = b"Content-Type: text/html\r\nContent-Transfer-Encoding: 8bit\r\n"


@pytest.mark.parametrize("part, head", [
    (["data=x"], b""), (["data=x", "type=text/html"], HTML), (["data=x", "header=Content-Type: text/html"], HTML),
    (["data=x", "type=text/plain"], HTML.replace(b"html", b"plain")),
    (["data=x", "filename=a.txt"], b'Content-Disposition: attachment; filename="a.txt"\r\n'),
    (["data=x", "filename=a.html"], b'Content-Disposition: attachment; filename="a.html"\r\n' + HTML),
    (["data=x", "type=text/html", "encoder=7bit"], HTML.replace(b"8bit", b"7bit")),
    (["data=x", "type=text/html", "header=Content-Transfer-Encoding: binary"], HTML.replace(b"8bit", b"binary")),
    (["data=x", 'name=a"\\b'], b'Content-Disposition: attachment; name="a\\"\\\\b"\r\n'),
], ids=["none", "type", "header", "plain", "text file", "file", "encoder", "own coding", "quotes"])
def test_the_head_of_a_part(drive, make_server, part, head):
    """Plain text of 7 bits needs no words, and names are quoted as in mail (RFC 2045 section 5.2, 6.1; RFC 5322)."""
    server, came = make_server(), []

    def take(peer):
        came.append(peer.until(b"\r\n.\r\n"))

    server.script(*greet(), *envelope(), Call(take), Send("250 queued\r\n"), *QUIT)
    d = drive().easy(URL=url(server), MAIL_FROM="<a@b>", MAIL_RCPT=["<c@d>"]).do("form", "m", "h").do("part", "m", *part)
    run = d.setopt("h", MIMEPOST="m").perform().do("cleanup", "h").do("freeform", "m").run()
    assert run["h"].code == 0
    border = came[0].split(b"boundary=")[1].split(b"\r\n")[0]
    assert came[0].split(b"\r\n\r\n", 1)[1] == b"--%b\r\n%b\r\nx\r\n--%b--\r\n.\r\n" % (border, head, border)


@pytest.mark.parametrize("lines, head", [
    ([], b"Content-Type: multipart/mixed; boundary=B\r\nMime-Version: 1.0\r\n"),
    (["Subject: x", "X-Long: " + 3000 * "y"],
     b"Content-Type: multipart/mixed; boundary=B\r\nMime-Version: 1.0\r\nSubject: x\r\nX-Long: " + 3000 * b"y" + b"\r\n"),
    (["Content-Type: multipart/digest", "Mime-Version: 2"],
     b"Content-Type: multipart/digest; boundary=B\r\nMime-Version: 2\r\n")], ids=["none", "long", "own"])
@pytest.mark.parametrize("parts", [1, 0])
def test_the_head_of_a_mail(drive, make_server, way, lines, head, parts):
    """It comes once, before the first part, also where the room for what is sent is smaller than a line."""
    server, came = make_server(), []

    def take(peer):
        came.append(peer.until(b"\r\n.\r\n"))

    server.script(*greet(), *envelope(), Call(take), Send("250 queued\r\n"), *QUIT)
    d = drive(way).easy(URL=url(server), MAIL_FROM="<a@b>", MAIL_RCPT=["<c@d>"], UPLOAD_BUFFERSIZE=1024)
    if lines:
        d.setopt("h", HTTPHEADER=lines)
    d.do("form", "m", "h")
    for _ in range(parts):
        d.do("part", "m", "data=x")
    run = d.setopt("h", MIMEPOST="m").perform().do("cleanup", "h").do("freeform", "m").run()
    assert run["h"].code == 0
    border = came[0].split(b"boundary=")[1].split(b"\r\n")[0]
    body = (b"--" + border + b"\r\n\r\nx\r\n") * parts + b"--" + border + b"--\r\n.\r\n"
    assert came[0] == head.replace(b"boundary=B", b"boundary=" + border) + b"\r\n" + body


def test_replies_and_a_mail_may_be_in_any_pieces(drive, make_server):
    server = make_server()
    steps = [s if not isinstance(s, Send) else Send(s.data, cuts="each")
             for s in (*greet("SIZE"), *envelope(), *delivered())]
    server.script(*steps, *QUIT)
    assert send(drive, server, mail=(MAIL, 1)).code == 0


@pytest.mark.parametrize("mail, sent", [
    (b"", b".\r\n"),
    (b".", b"..\r\n.\r\n"),
    (b"no end", b"no end\r\n.\r\n"),
    (b".a\nb\n.c\n\r.d\r\n.\r\nx", b"..a\nb\n.c\n\r.d\r\n..\r\nx\r\n.\r\n"),
    (b"a\r\n.\r\n" * 3000, b"a\r\n..\r\n" * 3000 + b".\r\n"),
])
@pytest.mark.parametrize("chunk", [0, 1000])
def test_dots_are_put_in(drive, make_server, mail, sent, chunk):
    server = make_server()
    server.script(*greet(), *envelope(), *delivered(sent), *QUIT)
    assert send(drive, server, mail=(mail, chunk)).code == 0


@not_debian("a line end in the mail gets a CR more")
def test_line_ends_are_made(drive, make_server):
    server = make_server()
    server.script(*greet("SIZE"), *envelope(size=" SIZE=11"), *delivered(b"..a\r\nb\r\n..c\r\nd\r\n.\r\n"), *QUIT)
    assert send(drive, server, mail=b".a\nb\n.c\r\nd\n", CRLF=1, INFILESIZE=11).code == 0


# ---- addresses

@pytest.mark.parametrize("options, extensions, sender, recipients", [
    ({"MAIL_FROM": "a@b", "MAIL_RCPT": ["c@d", "<e>"]}, (), "<a@b>", ("<c@d>", "<e>")),
    ({"MAIL_FROM": None}, (), "<>", ("<c@d>",)),
    ({"MAIL_FROM": "", "MAIL_RCPT": [""]}, (), "<>", ("<>",)),
    ({"INFILESIZE": 25}, ("SIZE 1000",), "<a@b> SIZE=25", ("<c@d>",)),
    ({}, ("SIZE",), "<a@b>", ("<c@d>",)),
    ({"MAIL_FROM": "ä@b"}, ("SMTPUTF8",), "<ä@b> SMTPUTF8", ("<c@d>",)),
    pytest.param({"MAIL_RCPT": ["ä@d"]}, ("smtputf8", "PIPELINING"), "<a@b> SMTPUTF8", ("<ä@d>",),
                 marks=not_debian("an extension is in capitals")),
    ({"MAIL_FROM": "ä@b"}, (), "<ä@b>", ("<c@d>",)),
    ({"MAIL_AUTH": "x@y"}, ("AUTH CRAM-MD5",), "<a@b>", ("<c@d>",)),
])
def test_envelopes(drive, make_server, options, extensions, sender, recipients):
    server = make_server()
    server.script(*greet(*extensions), *envelope(sender, recipients), *delivered(), *QUIT)
    assert send(drive, server, **options).code == 0


@not_debian("it does not know them")
def test_parameters_after_an_address(drive, make_server):
    server = make_server()
    server.script(*greet(), *envelope("<a@b> RET=HDRS", ("<c@d> NOTIFY=SUCCESS",)), *delivered(), *QUIT)
    assert send(drive, server, MAIL_FROM="<a@b> RET=HDRS", MAIL_RCPT=["<c@d> NOTIFY=SUCCESS"]).code == 0


def test_international_hosts(drive, make_server, ours_only):
    ours_only("the binary of the newest has no such names")
    server = make_server()
    server.script(*greet("SMTPUTF8"), *envelope("<a@xn--bcher-kva.de>", ("<c@xn--bcher-kva.de>",)), *delivered(), *QUIT)
    assert send(drive, server, MAIL_FROM="a@bücher.de", MAIL_RCPT=["<c@bücher.de>"]).code == 0


@pytest.mark.parametrize("options, sent", [
    ({"MAIL_FROM": "a\r\nRSET"}, 0), ({"MAIL_RCPT": ["a\nDATA"]}, 1), ({"MAIL_RCPT": ["<a>\rDATA"]}, 1),
])
@not_debian("it sends them")
def test_no_line_end_gets_into_an_address(drive, make_server, options, sent):
    server = make_server()
    server.script(*greet(), *(dialogue("MAIL FROM:<a@b>", "250 ok\r\n") if sent else QUIT),
                  *by_library((), (), QUIT if sent else ()))
    assert send(drive, server, **options).code == 43


@pytest.mark.parametrize("path, options", [("h%0d%0aX", {}), ("h%00", {}), ("h", {"CUSTOMREQUEST": "a\nb", "UPLOAD": 0}),
                                           ("h", {"CUSTOMREQUEST": "a%0db", "UPLOAD": 0})])
def test_no_line_end_gets_into_a_command(drive, make_server, ours_only, path, options):
    ours_only("libcurl connects first")
    assert send(drive, make_server(), path=path, **options).code == 3


# ---- logins

@pytest.mark.parametrize("extension, options, lines, sender", [
    ("AUTH PLAIN", {}, ("AUTH PLAIN", "334 \r\n", "AHUAcA==", "235 in\r\n"), "<a@b>"),
    ("AUTH LOGIN PLAIN", {"SASL_IR": 1, "MAIL_AUTH": "x@y"}, ("AUTH PLAIN AHUAcA==", "235 in\r\n"), "<a@b> AUTH=<x@y>"),
    ("AUTH PLAIN", {"SASL_IR": 1, "MAIL_AUTH": ""}, ("AUTH PLAIN AHUAcA==", "235 in\r\n"), "<a@b> AUTH=<>"),
    ("AUTH PLAIN", {"SASL_IR": 1, "SASL_AUTHZID": "z"}, ("AUTH PLAIN egB1AHA=", "235 in\r\n"), "<a@b>"),
    ("AUTH XOAUTH2", {"SASL_IR": 1, "XOAUTH2_BEARER": "t"}, ("AUTH XOAUTH2 dXNlcj11AWF1dGg9QmVhcmVyIHQBAQ==", "235 in\r\n"),
     "<a@b>"),
])
def test_a_login(drive, make_server, extension, options, lines, sender):
    server = make_server()
    server.script(*greet(extension), *dialogue(*lines), *envelope(sender), *delivered(), *QUIT)
    assert send(drive, server, USERNAME="u", PASSWORD="p", **options).code == 0


@pytest.mark.parametrize("lines", [("AUTH PLAIN", "535 no\r\n"), ("AUTH PLAIN", "235 in already\r\n"),
                                   ("AUTH PLAIN", "334 \r\n", "AHUAcA==", "535 no\r\n")])
def test_a_login_that_is_denied(drive, make_server, lines):
    server = make_server()
    server.script(*greet("AUTH PLAIN"), *dialogue(*lines))
    assert send(drive, server, USERNAME="u", PASSWORD="p").code == 67


@pytest.mark.parametrize("length, command", [(366, "AUTH PLAIN "), (400, "AUTH PLAIN\r\n")])
def test_a_long_first_message_waits_for_the_server(drive, make_server, length, command):
    server = make_server()
    server.script(*greet("AUTH PLAIN"), Read(command.encode()), Close())
    assert send(drive, server, USERNAME="u", PASSWORD="p" * length, SASL_IR=1).code == 56


# ---- refusals

@pytest.mark.parametrize("steps, code", [
    ((Send("554 no\r\n"),), 8),
    ((Send("220 x\r\n"), *dialogue("EHLO h", "500 n\r\n", "HELO h", "500 n\r\n")), 9),
    ((Send("220 x\r\n"), Read(b"EHLO h\r\n"), Close()), 56),
    ((*greet("AUTH FOO"),), 67),
    ((*greet(), *dialogue("MAIL FROM:<a@b>", "550 no\r\n"), *QUIT), 55),
    ((*greet(), *dialogue("MAIL FROM:<a@b>", "250 x\r\n", "RCPT TO:<c@d>", "550 no\r\n"), *QUIT), 55),
    ((*greet(), *dialogue("MAIL FROM:<a@b>", "250 x\r\n", "RCPT TO:<c@d>", "251 x\r\n", "DATA", "250 n\r\n"), *QUIT), 55),
    ((*greet(), *envelope(), *delivered(answer="554 no\r\n"), *QUIT), 8),
    ((*greet(), *envelope(), Read(SENT), Close()), 56),
])
def test_what_a_server_refuses(drive, make_server, steps, code):
    server = make_server()
    server.script(*steps)
    assert send(drive, server, USERNAME="u", PASSWORD="p").code == code


def test_a_server_that_ends_lines_with_two_crs(drive, make_server):
    """libcurl's suite has such a one."""
    server = make_server()
    server.script(*greet("SMTPUTF8\r", "SIZE\r"), *ask("VRFY ä@b SMTPUTF8", "250-a\r\r\n250 b\r\r\n"), *QUIT)
    t = drive.get(URL=url(server), MAIL_RCPT=["ä@b"])
    assert (t.code, t.body) == (0, b"250-a\r\r\n250 b\r\r\n")


def test_the_client_gives_its_machines_name(drive, make_server):
    """Any is answered, so that torture can let the look at it fail."""
    names = []
    server = make_server()
    name = Call(lambda peer: names.append(peer.until(b"\r\n")))
    server.script(Send("220 ready\r\n"), name, Send("250 me\r\n"), *ask("HELP", "214 x\r\n"), *QUIT)
    assert drive.get(URL=url(server, "")).code == 0
    assert names == [b"EHLO %s\r\n" % socket.gethostname().encode()]


def test_a_server_without_ehlo(drive, make_server):
    server = make_server()
    server.script(Send("220-two\r\n220 lines\r\n"), *dialogue("EHLO h", "502 n\r\n", "HELO h", "250 x\r\n"),
                  *envelope(), *delivered(), *QUIT)
    assert send(drive, server).code == 0


@not_debian("the option has another name")
@pytest.mark.parametrize("answers, code", [(("250", "550"), 0), (("550", "250"), 0), (("550", "551"), 55)])
def test_some_recipients_may_fail(drive, make_server, answers, code):
    server = make_server()
    rcpt = dialogue("RCPT TO:<a>", f"{answers[0]} x\r\n", "RCPT TO:<b>", f"{answers[1]} x\r\n")
    rest = () if code else (*dialogue("DATA", "354 go\r\n"), *delivered())
    server.script(*greet(), *dialogue("MAIL FROM:<a@b>", "250 ok\r\n"), *rcpt, *rest, *QUIT)
    assert send(drive, server, MAIL_RCPT=["<a>", "b"], MAIL_RCPT_ALLOWFAILS=1).code == code


@pytest.mark.parametrize("steps, again, codes", [
    (("MAIL FROM:<a@b>", "250 x\r\n", "RCPT TO:<c@d>", "550 no\r\n"), ("RSET", "250 x\r\n"), [55, 0]),
    (("MAIL FROM:<a@b>", "550 x\r\n"), (), [55, 0]),
    (("MAIL FROM:<a@b>", "250 x\r\n", "RCPT TO:<c@d>", "250 x\r\n", "DATA", "554 x\r\n"), ("RSET", "250 x\r\n"), [55, 0]),
    (("MAIL FROM:<a@b>", "250 x\r\n", "RCPT TO:<c@d>", "550 no\r\n"), ("RSET", "421 x\r\n"), [55, 55]),
])
def test_a_mail_after_a_refused_one_begins_with_rset(drive, make_server, ours_only, steps, again, codes):
    """postfix answers 503 to a MAIL within a mail."""
    ours_only("libcurl closes the connection")
    server = make_server()
    server.script(*greet(), *dialogue(*steps, *again), *(() if codes[1] else (*envelope(), *delivered())), *QUIT)
    d = drive().easy(URL=url(server), MAIL_FROM="<a@b>", MAIL_RCPT=["<c@d>"], UPLOAD=1).body("h", MAIL)
    assert [t.code for t in d.perform("h").perform("h").run().all("h")] == codes


def test_reset_goes_ahead_too(drive, make_server, ours_only):
    ours_only("libcurl closes the connection")
    server = make_server()
    server.script(*greet("PIPELINING"), *group("MAIL FROM:<a@b>", "250 x\r\n", "RCPT TO:<c@d>", "550 x\r\n", "DATA", "503 x\r\n"),
                  *group("RSET", "250 x\r\n", "MAIL FROM:<a@b>", "250 x\r\n", "RCPT TO:<c@d>", "250 x\r\n", "DATA", "354 x\r\n"),
                  *delivered(), *QUIT)
    d = drive().easy(URL=url(server), MAIL_FROM="<a@b>", MAIL_RCPT=["<c@d>"], UPLOAD=1).body("h", MAIL)
    assert [t.code for t in d.perform("h").perform("h").run().all("h")] == [55, 0]


# ---- PIPELINING (RFC 2920): ours sends the same commands in the same order, but waits less

class Quiet(Step):
    """Nothing more has come: what the client has sent ahead would be there, as it goes in one segment."""

    def run(self, peer):
        assert by_library(not peer.buffer, True, True), peer.buffer


def group(*lines, cut=False):
    """Commands and answers by turns. Ours sends all commands before the first answer. cut: which comes in pieces."""
    how = {"cuts": "each"} if cut else {}
    asked = "".join(line + "\r\n" for line in lines[::2]).encode()
    return by_library((Read(asked), Quiet(), Send("".join(lines[1::2]), **how)), dialogue(*lines, **how), dialogue(*lines, **how))


def mail_to(*answers, data="354 go\r\n"):
    """MAIL and an RCPT for each answer, and DATA."""
    rcpt = [word for i, answer in enumerate(answers) for word in (f"RCPT TO:<{i}>", f"{answer} x\r\n")]
    return ("MAIL FROM:<a@b>", "250 ok\r\n", *rcpt, *(("DATA", data) if data else ()))


def pipelined(drive, make_server, steps, recipients, way="easy", **options):
    server = make_server()
    server.script(*greet("PIPELINING"), *steps)
    to = [f"<{i}>" for i in range(recipients)] if isinstance(recipients, int) else recipients
    return send(drive, server, way, MAIL_RCPT=to, info=("RESPONSE_CODE",), **options)


@pytest.mark.parametrize("cut", [False, True])
def test_commands_go_ahead_of_their_replies(drive, make_server, way, cut):
    t = pipelined(drive, make_server, (*group(*mail_to(250), cut=cut), *delivered(), *QUIT), 1, way)
    assert (t.code, t.info["RESPONSE_CODE"]) == (0, 250)


def test_data_waits_where_all_recipients_must_be_accepted(drive, make_server):
    steps = (*group(*mail_to(250, 250, data=None)), *ask("DATA", "354 go\r\n"), *delivered(), *QUIT)
    assert pipelined(drive, make_server, steps, 2).code == 0


def test_recipients_that_a_callback_takes_out_of_the_options(drive, make_server, way):
    """The list is the application's until the mail is sent, and the option was read when DATA was to go ahead."""
    def take(peer):
        said = b""
        while said[:4] != b"DATA":
            said = peer.until(b"\r\n")
            peer.send(b"354 go\r\n" if said[:4] == b"DATA" else b"250 x\r\n")
    server = make_server()
    server.script(*greet("PIPELINING"), Call(take), *delivered(), *QUIT)
    t = send(drive, server, way, MAIL_RCPT=[f"<recipient-{i:020}@host.test>" for i in range(300)], on=[("header", "call", 8, "setopt", "MAIL_RCPT")])
    assert t.code == 0


def test_each_mail_of_a_connection_goes_ahead(drive, make_server):
    server = make_server()
    server.script(*greet("PIPELINING"), *((*group(*mail_to(250)), *delivered()) * 3), *QUIT)
    d = drive().easy(URL=url(server), MAIL_FROM="<a@b>", MAIL_RCPT=["<0>"], UPLOAD=1)
    for _ in range(3):
        d.body("h", MAIL).perform("h")
    assert [t.code for t in d.run().all("h")] == [0, 0, 0]


def test_a_group_is_bounded(drive, make_server):
    """Both sides would wait for each other if the client never read."""
    to, most = ["<%0100d>" % i for i in range(60)], by_library(4096, 120, 120)

    class Groups(Step):
        """Reads what has come, and answers at length."""

        largest = 0

        def run(self, peer):
            left = len(to) + 2
            while left:
                if b"\n" not in peer.buffer:
                    peer.more()
                    continue
                self.largest = max(self.largest, len(peer.buffer))
                lines = peer.take(peer.buffer.rindex(b"\n") + 1).split(b"\r\n")[:-1]
                assert all(line[:4] in (b"MAIL", b"RCPT", b"DATA") for line in lines), lines
                left -= len(lines)
                peer.send(b"".join(b"354 go\r\n" if line == b"DATA" else b"250 ok " + b"." * 490 + b"\r\n" for line in lines))

    groups = Groups()
    t = pipelined(drive, make_server, (groups, *delivered(), *QUIT), to, MAIL_RCPT_ALLOWFAILS=1)
    assert t.code == 0 and most / 2 < groups.largest <= most, (t, groups.largest)


@pytest.mark.parametrize("size, sent", [(1024, 10), (16384, 42)])
def test_a_group_is_no_larger_than_the_buffer(drive, make_server, ours_only, size, sent):
    ours_only("libcurl waits for each reply")
    to = ["<%084d>" % i for i in range(60)]
    first = "MAIL FROM:<a@b>\r\n" + "".join(f"RCPT TO:{who}\r\n" for who in to[:sent])
    steps = (Read(first.encode()), Quiet(), UntilClose())
    assert pipelined(drive, make_server, steps, to, BUFFERSIZE=size, SERVER_RESPONSE_TIMEOUT_MS=300).code == 28


@pytest.mark.parametrize("answers, some, data, steps, codes", [
    ((250, 550), 1, "354 go\r\n", (*delivered(), *QUIT), (0, 250)),
    ((550, 551), 1, "554 no valid recipients\r\n", QUIT, (55, 551)),
    ((550, 551), 1, "354 go\r\n", (UntilClose(),), (55, 551)),
    ((550,), 0, "503 in vain\r\n", QUIT, (55, 550)),
    ((550,), 0, "354 go\r\n", (UntilClose(),), (55, 550)),
    ((550, 250), 0, None, QUIT, (55, 550)),
    ((250, 552), 0, None, QUIT, (55, 552)),
    ((250,), 0, "451 later\r\n", QUIT, (55, 451)),
    ((421,), 0, "421 leaving\r\n", (UntilClose(),), (55, 421)),
])
def test_refusals_of_what_went_ahead(drive, make_server, ours_only, answers, some, data, steps, codes):
    ours_only("libcurl says no more after a refusal")
    t = pipelined(drive, make_server, (*group(*mail_to(*answers, data=data)), *steps), len(answers), MAIL_RCPT_ALLOWFAILS=some)
    assert (t.code, t.info["RESPONSE_CODE"]) == codes


@pytest.mark.parametrize("replies, steps, codes", [
    ("451 m\r\n503 r\r\n503 d\r\n", QUIT, (55, 451)),
    ("421 leaving\r\n", (Close(),), (55, 421)),
    ("421 leaving\r\n421 x\r\n", (UntilClose(),), (55, 421)),
    ("451 m\r\n503-r\r\n503 r\r\n", (Close(),), (55, 451)),  # closed before the last reply
    ("451 m\r\n50", (Close(),), (55, 451)),
    ("250 m\r\n", (Close(),), (56, 250)),
    ("250 m\r\n250 r\r\n250 another\r\n354 d\r\n", (UntilClose(),), (55, 250)),  # a reply too many
    ("250 m\r\n250 r\r\n354 d\r\n250 queued\r\n", (UntilClose(),), (8, 354)),  # and one that would be the mail's
    ("354 d\r\n250 m\r\n250 r\r\n", QUIT, (55, 354)),
    ("what\r\n250 m\r\n250 r\r\n354 d\r\n", (*delivered(), *QUIT), (0, 250)),
])
def test_servers_that_answer_out_of_step(drive, make_server, ours_only, replies, steps, codes):
    ours_only("libcurl waits for each reply")
    commands = b"MAIL FROM:<a@b>\r\nRCPT TO:<0>\r\nDATA\r\n"
    t = pipelined(drive, make_server, (Read(commands), Send(replies), *steps), 1)
    assert (t.code, t.info["RESPONSE_CODE"]) == codes


@pytest.mark.parametrize("replies, code", [("", 28), ("250 m\r\n250 r\r\n", 28), ("550 m\r\n503 r\r\n", 55)])
def test_a_server_that_answers_too_little_is_left_in_time(drive, make_server, ours_only, replies, code):
    ours_only("libcurl waits for each reply")
    steps = (Read(b"MAIL FROM:<a@b>\r\nRCPT TO:<0>\r\nDATA\r\n"), Send(replies), UntilClose())
    assert pipelined(drive, make_server, steps, 1, SERVER_RESPONSE_TIMEOUT_MS=300).code == code


def test_a_wrong_address_does_not_go_ahead(drive, make_server, ours_only):
    ours_only("libcurl sends what comes before, command by command")
    server = make_server()
    server.script(*greet("PIPELINING"), *group("MAIL FROM:<a@b>", "250 x\r\n", "RCPT TO:<c>", "250 x\r\n"), UntilClose())
    assert send(drive, server, MAIL_RCPT=["<c>", "d\nDATA"]).code == 43


# ---- commands

@pytest.mark.parametrize("options, lines, body, code", [
    ({"MAIL_RCPT": ["x@y"]}, ("VRFY x@y", "250-a\r\n250 b\r\n"), b"250-a\r\n250 b\r\n", 0),
    ({"MAIL_RCPT": ["x", "y"]}, ("VRFY x", "252 a\r\n", "VRFY y", "250 b\r\n"), b"252 a\r\n250 b\r\n", 0),
    ({"MAIL_RCPT": ["x"]}, ("VRFY x", "553 ambiguous\r\n"), b"553 ambiguous\r\n", 0),
    ({"MAIL_RCPT": ["x"]}, ("VRFY x", "550 no\r\n"), b"", 8),
    ({"MAIL_RCPT": ["x"], "CUSTOMREQUEST": "EXPN"}, ("EXPN x", "250 a\r\n"), b"250 a\r\n", 0),
    ({}, ("HELP", "214-x\r\n214 y\r\n"), b"214-x\r\n214 y\r\n", 0),
    ({"NOBODY": 1}, ("HELP", "214-x\r\n214 y\r\n"), b"", 0),
    ({"CUSTOMREQUEST": "NO%4fP"}, ("NOOP", "250 y\r\n"), b"250 y\r\n", 0),
])
def test_commands(drive, make_server, options, lines, body, code):
    server = make_server()
    server.script(*greet(), *dialogue(*lines), *QUIT)
    t = drive.get(URL=url(server), **options)
    assert (t.code, t.body) == (code, body)


def test_long_refusals_do_not_add_up(drive, make_server, way):
    """The limit of a reply was one of all replies that a stage refused."""
    refusal = "550-no such name\r\n" * 40_000 + "550 no\r\n"
    server = make_server()
    server.script(*greet(), *ask("VRFY x", refusal) * 3, *QUIT)
    d = drive(way).easy(URL=url(server), MAIL_RCPT=["x"])
    for _ in range(3):
        d.perform("h")
    assert [t.code for t in d.run().all("h")] == [8, 8, 8] and len(server.connections) == 1


@pytest.mark.parametrize("to, options, command", [
    ("a@b", {}, "VRFY a@b"), ("ä@b", {}, "VRFY ä@b SMTPUTF8"), ("ä", {}, "VRFY ä SMTPUTF8"), ("a", {"CUSTOMREQUEST": "EXPN"}, "EXPN a SMTPUTF8"),
    ("ä", {"CUSTOMREQUEST": "EXPN"}, "EXPN ä SMTPUTF8"), ("ä", {"CUSTOMREQUEST": "FOO"}, "FOO ä"), (None, {"CUSTOMREQUEST": "EXPN"}, "EXPN"),
])
def test_commands_of_a_server_with_utf8(drive, make_server, to, options, command):
    server = make_server()
    server.script(*greet("SMTPUTF8"), *ask(command, "250 x\r\n"), *QUIT)
    assert drive.get(URL=url(server), MAIL_RCPT=[to] if to else None, **options).code == 0


def test_a_response_may_be_paused_at_each_line(drive, make_server, multi_way):
    server = make_server()
    server.script(*greet(), *dialogue("HELP", "214-x\r\n214-y\r\n214 z\r\n"), *QUIT)
    d = drive(multi_way).easy(URL=url(server)).on("h", "write", "call", 2, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("drive", "m", "for", 60).do("pause", "h", 0).do("drive", "m", "all")
    t = d.run()["h"]
    assert (t.code, t.body) == (0, b"214-x\r\n214-y\r\n214 z\r\n")


def test_a_paused_mail_goes_on(drive, make_server, multi_way):
    server = make_server()
    server.script(*greet(), *envelope(), *delivered(), *QUIT)
    d = drive(multi_way).easy(URL=url(server), MAIL_FROM="<a@b>", MAIL_RCPT=["<c@d>"], UPLOAD=1).body("h", MAIL, 5)
    d.on("h", "read", "call", 2, "pause").do("add", "m", "h").do("drive", "m", "paused", "h")
    d.do("drive", "m", "for", 60).do("pause", "h", 0).do("drive", "m", "all")
    assert d.run()["h"].code == 0


@pytest.mark.parametrize("way", ["easy", "socket"])
def test_a_mail_keeps_to_a_speed(drive, make_server, way):
    """After what may go in the first second."""
    server = make_server()
    mail = b"line\r\n" * 5000
    server.script(*greet(), *envelope(), *delivered(mail + b".\r\n"), *QUIT)
    t = send(drive, server, way, mail=(mail, 1000), MAX_SEND_SPEED_LARGE=20000, info=("TOTAL_TIME_T",))
    assert t.code == 0 and t.info["TOTAL_TIME_T"] > 300000, t.info


# ---- TLS

def test_starttls_comes_first_and_ehlo_again(drive, make_server, certs, ours_only):
    """What the server offered without TLS counts no longer (RFC 3207 section 4.2)."""
    ours_only("libcurl goes by it")
    server = make_server()
    server.script(*greet("STARTTLS", "SMTPUTF8"), StartTls(b"STARTTLS\r\n", b"220 go\r\n", certs.context()),
                  *greet()[1:], *envelope("<ä@b>"), *delivered(), *QUIT)
    assert send(drive, server, USE_SSL=USE_SSL_ALL, CAINFO=certs.path("ca.pem"), MAIL_FROM="ä@b").code == 0


def test_smtps_has_tls_from_the_first_byte(drive, make_server, certs):
    server = make_server(tls=certs.context())
    server.script(*greet(), *envelope(), *delivered(), *QUIT)
    assert send(drive, server, URL=url(server, scheme="smtps"), CAINFO=certs.path("ca.pem")).code == 0


def test_bytes_injected_before_tls_are_refused(drive, make_server, certs):
    server = make_server()
    server.script(*greet("STARTTLS"), StartTls(b"STARTTLS\r\n", b"220 go\r\n", certs.context(), then=b"250 x\r\n"))
    assert send(drive, server, USE_SSL=USE_SSL_TRY, CAINFO=certs.path("ca.pem")).code == 8


@pytest.mark.parametrize("use_ssl, offered, code", [(USE_SSL_TRY, 0, 0), (USE_SSL_ALL, 0, 64), (USE_SSL_TRY, 1, 0),
                                                    (USE_SSL_ALL, 1, 64)])
def test_a_server_without_tls(drive, make_server, use_ssl, offered, code):
    server = make_server()
    server.script(*greet(*["STARTTLS"] * offered), *(ask("STARTTLS", "454 no\r\n") if offered else ()),
                  *(() if code else (*envelope(), *delivered(), *QUIT)))
    assert send(drive, server, USE_SSL=use_ssl).code == code


# ---- proxies

@pytest.mark.parametrize("name, applies", [("smtp_proxy", True), ("SMTP_PROXY", True), ("all_proxy", True), ("http_proxy", False),
                                           ("https_proxy", False)])
def test_a_proxy_of_the_environment_tunnels(drive, make_server, name, applies):
    server, proxy = make_server(), make_server()
    steps = (*greet(), *envelope(), *delivered(), *QUIT)
    if applies:
        connect = f"CONNECT 127.0.0.1:{server.port} HTTP/1.1\r\n".encode()
        proxy.script(Read(connect), Until(b"\r\n\r\n"), Send("HTTP/1.1 200 OK\r\n\r\n"), *steps)
    else:
        server.script(*steps)
    assert send(drive, server, env={name: f"http://127.0.0.1:{proxy.port}"}).code == 0


# ---- life

def test_a_connection_carries_many_mails(drive, make_server):
    server = make_server()
    server.script(*greet(), *(envelope() + delivered()) * 3, *QUIT)
    d = drive().easy(URL=url(server), MAIL_FROM="<a@b>", MAIL_RCPT=["<c@d>"], UPLOAD=1)
    for _ in range(3):
        d.body("h", MAIL).perform("h")
    assert [t.code for t in d.run().all("h")] == [0, 0, 0]


@pytest.mark.parametrize("before", [(), greet()[:1], greet()[:2], greet(), greet() + envelope()[:1], greet() + envelope()])
def test_a_transfer_is_removed_at_any_point(drive, make_server, before, ours_only):
    ours_only("curl_multi_remove_handle of libcurl waits for the answer to QUIT")
    there = threading.Event()
    server = make_server()
    server.script(*before, Set(there), UntilClose())
    d = drive("poll").easy(URL=url(server), MAIL_FROM="<a@b>", MAIL_RCPT=["<c@d>"], UPLOAD=1)
    d.on("h", "read", "call", 1, "pause").do("add", "m", "h").drive_until(there)
    assert d.do("remove", "m", "h").end().status == 0
