"""IMAP (RFC 3501, RFC 9051): scripted servers; what is expected was watched on the newest libcurl."""

import threading

import pytest

from command_server import StartTls
from mail_peer import ask, dialogue
from mote_driver import PAUSE_CONT, by_library, crc, not_debian
from script import Close, Read, Send, Set, UntilClose

USE_SSL_TRY, USE_SSL_ALL = 1, 3
ULFLAG_DELETED, ULFLAG_SEEN = 1 << 1, 1 << 4


class Talk:
    """Steps of a conversation: the tags are counted."""

    def __init__(self, first="* OK ready\r\n", letter="A", **how):
        self.letter, self.number, self.how = letter, 0, how
        self.steps = [Send(first, **how)]

    def tag(self):
        return f"{self.letter}{self.number:03}"

    def ask(self, command, *untagged, end="OK done"):
        """A command, and its answer: lines with their ends, and the tagged one."""
        self.number += 1
        answer = b"".join(line.encode() if isinstance(line, str) else line for line in untagged)
        answer += f"{self.tag()} {end}\r\n".encode() if end else b""
        self.steps += ask(f"{self.tag()} {command}", answer, **self.how)
        return self

    def greet(self, capability="IMAP4rev1", login="LOGIN u p"):
        self.ask("CAPABILITY", f"* CAPABILITY {capability}\r\n")
        return self.ask(login) if login else self

    def then(self, *steps):
        self.steps += steps
        return self

    def out(self):
        self.number += 1
        return self.then(*ask(f"{self.tag()} LOGOUT", f"* BYE\r\n{self.tag()} OK\r\n")).steps


def url(server, path="", user="u:p@", scheme="imap"):
    return f"{scheme}://{user}127.0.0.1:{server.port}/{path}"


MAIL = b"Subject: x\r\n\r\nA004 OK no end\r\n"
FETCHED = (b"* 1 FETCH (UID 7 BODY[] {%d}\r\n" % len(MAIL) + MAIL + b" FLAGS (\\Seen))\r\n",)
SELECTED = ("* FLAGS (x)\r\n", "* 3 EXISTS\r\n", "* OK [UIDVALIDITY 3] x\r\n")


def test_a_mail_comes_through_every_way_of_driving(drive, make_server, way):
    server = make_server()
    server.script(*Talk().greet().ask("SELECT INBOX", *SELECTED).ask("UID FETCH 7 BODY[]", *FETCHED).out())
    t = drive.get(way, URL=url(server, "INBOX;UID=7"))
    assert (t.code, t.body) == (0, MAIL)


def test_responses_may_come_in_any_pieces(drive, make_server):
    server = make_server()
    server.script(*Talk(cuts="each").greet().ask("SELECT INBOX", *SELECTED).ask("UID FETCH 7 BODY[]", *FETCHED).out())
    t = drive.get(URL=url(server, "INBOX;UID=7"))
    assert (t.code, t.body) == (0, MAIL)


@pytest.mark.parametrize("path, command", [
    ("INBOX;MAILINDEX=1", "FETCH 1 BODY[]"),
    ("INBOX/;UIDVALIDITY=3/;UID=7/;SECTION=1.2/;PARTIAL=0.10", "UID FETCH 7 BODY[1.2]<0.10>"),
    ("INBOX;MAILINDEX=1/;SECTION=TEXT", "FETCH 1 BODY[TEXT]"),
])
def test_fetches(drive, make_server, path, command):
    server = make_server()
    server.script(*Talk().greet().ask("SELECT INBOX", *SELECTED).ask(command, "* 4 EXISTS\r\n", *FETCHED, "* 5 EXISTS\r\n").out())
    t = drive.get(URL=url(server, path))
    assert (t.code, t.body) == (0, MAIL)


LIST = ('* LIST () "/" INBOX\r\n', '* LIST (\\Noselect) "/" x\r\n')


@pytest.mark.parametrize("path, options, command, answer, body", [
    ("", {}, 'LIST "" *', LIST, "".join(LIST)),
    ("a%5cb%22c%20d", {}, 'LIST "a\\\\b\\"c d" *', LIST, "".join(LIST)),
    ("", {"CUSTOMREQUEST": "EXAMINE x"}, "EXAMINE x", ("* 1 EXISTS\r\n",), "* 1 EXISTS\r\n"),
    ("", {"CUSTOMREQUEST": "N%4fOP"}, "NOOP", (), ""),
])
def test_commands_without_a_mailbox(drive, make_server, path, options, command, answer, body):
    server = make_server()
    server.script(*Talk().greet().ask(command, *answer).out())
    t = drive.get(URL=url(server, path), **options)
    assert (t.code, t.body.decode()) == (0, body)


@pytest.mark.parametrize("path, options, command, answer, body", [
    ("INBOX?NEW%20SUBJECT%20x", {}, "SEARCH NEW SUBJECT x", ("* SEARCH 1 2\r\n",), "* SEARCH 1 2\r\n"),
    ("INBOX?ALL", {}, "SEARCH ALL", ("* SEARCH\r\n",), "* SEARCH\r\n"),
    ("INBOX", {"CUSTOMREQUEST": "STORE 1 +FLAGS x"}, "STORE 1 +FLAGS x", ("* 1 FETCH (FLAGS (x))\r\n",), "* 1 FETCH (FLAGS (x))\r\n"),
])
def test_commands_in_a_mailbox(drive, make_server, path, options, command, answer, body):
    server = make_server()
    server.script(*Talk().greet().ask("SELECT INBOX", *SELECTED).ask(command, *answer).out())
    t = drive.get(URL=url(server, path), **options)
    assert (t.code, t.body.decode()) == (0, body)


EVENTS = ("* OK [UNSEEN 8] x", "* NO x", "* 3 EXISTS", "* 1 FETCH (FLAGS ())", "* FETCH x", "* STORE x", "* SORT 2", "*  x", "* ok",
          "* QUOTA x", "*", "*OK", "foo")


@pytest.mark.parametrize("command, wanted", [
    *((name, EVENTS[:-3]) for name in ("EXAMINE x", "search ALL", "EXPUNGE", 'LSUB "" *', "UID FETCH 1 FLAGS", "GETQUOTAROOT x",
                                       "NOOP", "NO%4fP%20x", "SELECT x")),
    ("FETCH 1 FLAGS", EVENTS[3:5]), ("store 1 +FLAGS x", EVENTS[3:6]), ("SORT x", EVENTS[6:7]), ("STATUS x", ()),
    ("GETQUOTA x", ()), ("NOOPS", ()), ("FETC", ()),
])
def test_which_lines_answer_a_command_of_the_application(drive, make_server, command, wanted):
    server = make_server()
    sent = command.replace("%4f", "O").replace("%20", " ")
    server.script(*Talk().greet().ask(sent, *(e + "\r\n" for e in EVENTS)).out())
    t = drive.get(URL=url(server), CUSTOMREQUEST=command)
    assert (t.code, t.body.decode().split("\r\n")[:-1]) == (0, list(wanted))


def test_without_a_body_nothing_is_delivered(drive, make_server):
    server = make_server()
    server.script(*Talk().greet().ask('LIST "" *', *LIST).out())
    t = drive.get(URL=url(server), NOBODY=1)
    assert (t.code, t.body) == by_library((0, b""), (0, "".join(LIST).encode()), (8, b""))


def list_after_starttls(drive, server, certs, capability):
    talk = Talk().greet(capability, login=None)
    talk.then(StartTls(b"A002 STARTTLS\r\n", b"A002 OK go\r\n", certs.context()))
    talk.number = 2
    server.script(*talk.greet().ask('LIST "" *', *LIST).out())
    assert drive.get(URL=url(server), USE_SSL=USE_SSL_ALL, CAINFO=certs.path("ca.pem")).code == 0


def test_what_was_said_without_tls_counts_no_longer(drive, make_server, certs, ours_only):
    ours_only("libcurl remembers LOGINDISABLED")
    server = make_server()
    list_after_starttls(drive, server, certs, "STARTTLS LOGINDISABLED")


@pytest.mark.parametrize("message", ["hello", "", "line\r\nA003 OK\r\n"])
def test_a_message_of_a_command_of_the_application(drive, make_server, message):
    """It was left out of the body."""
    server = make_server()
    first = f"* 1 FETCH (BODY[TEXT] {{{len(message)}}}\r\n"
    server.script(*Talk().greet().ask("SELECT INBOX", *SELECTED).ask("FETCH 1 BODY[TEXT]", first + message + ")\r\n").out())
    t = drive.get(URL=url(server, "INBOX"), CUSTOMREQUEST="FETCH 1 BODY[TEXT]")
    assert (t.code, t.body.decode()) == (0, first + by_library(message, ""))


def test_messages_of_a_command_of_the_application(drive, make_server, ours_only):
    ours_only("libcurl ends after the first literal")
    server = make_server()
    answer = ("* 1 FETCH (BODY[] {5}\r\nhello)\r\n", "* 2 FETCH (BODY[] {3}\r\nabc UID 3)\r\n", "* 3 FETCH (FLAGS ())\r\n")
    server.script(*Talk().greet().ask("SELECT INBOX", *SELECTED).ask("FETCH 1:3 BODY[]", *answer).out())
    t = drive.get(URL=url(server, "INBOX"), CUSTOMREQUEST="FETCH 1:3 BODY[]")
    assert (t.code, t.body.decode()) == (0, "* 1 FETCH (BODY[] {5}\r\nhello* 2 FETCH (BODY[] {3}\r\nabc* 3 FETCH (FLAGS ())\r\n")


@pytest.mark.parametrize("section", ["", " ", "FETCH "])
def test_a_response_with_several_literals_is_whole(drive, make_server, ours_only, section):
    ours_only("libcurl ends after the first literal")
    server = make_server()
    parts = "* 1 FETCH (BODY[HEADER] {5}\r\nhello", f" {section}BODY[TEXT] {{3}}\r\nabc", " BODY[2] {0}\r\n"
    answer = ("".join(parts) + " FLAGS ())\r\n", "* 5 EXISTS\r\n", "* 2 FETCH (BODY[HEADER] {2}\r\nxy)\r\n")
    command = "FETCH 1:2 (BODY[HEADER] BODY[TEXT] BODY[2])"
    server.script(*Talk().greet().ask("SELECT INBOX", *SELECTED).ask(command, *answer).out())
    t = drive.get(URL=url(server, "INBOX"), CUSTOMREQUEST=command)
    assert (t.code, t.body.decode()) == (0, "".join(parts) + "* 2 FETCH (BODY[HEADER] {2}\r\nxy")


def test_a_list_with_literals_is_whole(drive, make_server, ours_only):
    ours_only("libcurl ends after the first literal")
    answer = ('* LIST () "/" {5}\r\nIN"OX\r\n', '* LIST () "/" b\r\n')
    server = make_server()
    server.script(*Talk().greet().ask('LIST "" *', *answer).out())
    assert drive.get(URL=url(server)).body.decode() == "".join(answer)


def test_the_mailbox_stays_selected(drive, make_server):
    server = make_server()
    talk = Talk().greet().ask("SELECT a", *SELECTED).ask("UID FETCH 1 BODY[]", *FETCHED).ask("UID FETCH 2 BODY[]", *FETCHED)
    server.script(*talk.ask("SELECT b", *SELECTED).ask("UID FETCH 3 BODY[]", *FETCHED).out())
    d = drive().easy()
    for path in ("a;UID=1", "a;UIDVALIDITY=3;UID=2", "b;UID=3"):
        d.setopt("h", URL=url(server, path)).perform("h")
    assert [t.code for t in d.run().all("h")] == [0, 0, 0]


# ---- messages are appended

@pytest.mark.parametrize("path, options, command", [
    ("box", {}, "APPEND box (\\Seen) {11}"),
    ("my%20box", {}, 'APPEND "my box" (\\Seen) {11}'),
])
def test_a_message_is_appended(drive, make_server, way, path, options, command):
    server = make_server()
    talk = Talk().greet().ask(command, "+ go\r\n", end="").then(Read(b"hello\r\n.\r\nx\r\n"[:11] + b"\r\n"))
    server.script(*talk.then(Send("A003 OK\r\n")).out())
    t = drive.get(way, URL=url(server, path), UPLOAD=1, INFILESIZE=11, body=b"hello\r\n.\r\nx"[:11], **options)
    assert t.code == 0


@not_debian("it has no such option")
@pytest.mark.parametrize("flags, text", [(ULFLAG_DELETED, "(\\Deleted) "), (ULFLAG_DELETED | ULFLAG_SEEN, "(\\Deleted \\Seen) ")])
def test_flags_of_what_is_appended(drive, make_server, flags, text):
    server = make_server()
    talk = Talk().greet().ask(f"APPEND box {text}{{2}}", "+ go\r\n", end="").then(Read(b"hi\r\n"), Send("A003 OK\r\n"))
    server.script(*talk.out())
    assert drive.get(URL=url(server, "box"), UPLOAD=1, INFILESIZE=2, body=b"hi", UPLOAD_FLAGS=flags).code == 0


@pytest.mark.parametrize("at", ["start", "end"])
def test_a_message_that_is_refused(drive, make_server, at):
    server = make_server()
    talk = Talk().greet()
    if at == "start":
        talk.ask("APPEND box (\\Seen) {2}", end="NO [TRYCREATE]")
    else:
        talk.ask("APPEND box (\\Seen) {2}", "+ go\r\n", end="").then(Read(b"hi\r\n"), Send("A003 NO\r\n"))
    server.script(*talk.out())
    assert drive.get(URL=url(server, "box"), UPLOAD=1, INFILESIZE=2, body=b"hi").code == 25


def test_the_size_of_a_message_must_be_known(drive, make_server):
    server = make_server()
    server.script(*Talk().greet().out())
    assert drive.get(URL=url(server, "box"), UPLOAD=1, body=b"hi").code == 25


# ---- refusals

def cut_off(size, *then):
    return Talk().greet().ask("SELECT a").ask("UID FETCH 1 BODY[]", f"* 1 FETCH (BODY[] {{{size}}}\r\nhel", end="").then(*then)


@pytest.mark.parametrize("talk, code", [
    (Talk("* BYE no\r\n"), 8),
    (Talk("* NO no\r\n"), 8),
    (Talk().ask("CAPABILITY", "* CAPABILITY LOGINDISABLED\r\n"), 67),
    (Talk().greet(login=None).ask("LOGIN u p", end="NO denied"), 67),
    (Talk().greet().ask("SELECT a", end="NO none"), 67),
    (Talk().greet().ask("SELECT a").ask("UID FETCH 1 BODY[]", end="NO none"), 78),
    (Talk().greet().ask("SELECT a").ask("UID FETCH 1 BODY[]"), 78),
    pytest.param(Talk().greet().ask("SELECT a").ask("UID FETCH 1 BODY[]", "* 1 FETCH (BODY[] {9223372036854775808}\r\n", end=""), 8,
                 marks=not_debian("no size is too large")),
    (cut_off(9223372036854775807, Close()), 18),
    (cut_off(5, Close()), 18),
    (Talk().greet().ask("SELECT a").then(Read(b"A004 UID FETCH 1 BODY[]\r\n"), Close()), 56),
])
def test_what_a_server_refuses(drive, make_server, talk, code):
    server = make_server()
    refusal = [s for s in talk.steps]
    if code in (67, 78) and "SELECT" in str([getattr(s, "what", "") for s in refusal]):
        refusal = talk.out()
    elif code == 8 and talk.number > 2:
        refusal.append(UntilClose())
    server.script(*refusal)
    assert drive.get(URL=url(server, "a;UID=1")).code == code


@pytest.mark.parametrize("path, code", [("a;UIDVALIDITY=4;UID=1", 78), ("a;UIDVALIDITY=3;UID=1", 0)])
def test_uidvalidity_is_checked(drive, make_server, path, code):
    server = make_server()
    talk = Talk().greet().ask("SELECT a", *SELECTED)
    server.script(*(talk if code else talk.ask("UID FETCH 1 BODY[]", *FETCHED)).out())
    assert drive.get(URL=url(server, path)).code == code


@pytest.mark.parametrize("path, options", [("a%0d%0ab", {}), ("a;UID=1%0ax", {}), ("a;FOO=1", {}), ("a;UID=1;UID=2", {}), ("a%00", {}),
                                           ("a?x%0ay", {}), ("", {"CUSTOMREQUEST": "NOOP\r\nX"}), ("", {"LOGIN_OPTIONS": "x"})])
def test_urls_and_options_that_are_wrong(drive, make_server, ours_only, path, options):
    ours_only("libcurl connects first")
    assert drive.get(URL=url(make_server(), path), **options).code == 3


# ---- logins and TLS

@pytest.mark.parametrize("capability, options, lines", [
    ("AUTH=PLAIN", {}, ("A002 AUTHENTICATE PLAIN", "+ \r\n", "AHUAcA==", "A002 OK\r\n")),
    ("SASL-IR AUTH=PLAIN LOGINDISABLED", {}, ("A002 AUTHENTICATE PLAIN AHUAcA==", "A002 OK\r\n")),
    pytest.param("AUTH=PLAIN", {"LOGIN_OPTIONS": "AUTH=+LOGIN"}, ("A002 LOGIN u p", "* CAPABILITY x\r\nA002 OK\r\n"),
                 marks=not_debian("+LOGIN is unknown")),
    ("AUTH=FOO", {}, ("A002 LOGIN u p", "A002 OK\r\n")),
])
def test_logins(drive, make_server, capability, options, lines):
    server = make_server()
    talk = Talk().greet(capability, login=None).then(*dialogue(*lines))
    talk.number = 2
    server.script(*talk.ask('LIST "" *', *LIST).out())
    assert drive.get(URL=url(server), **options).body.decode() == "".join(LIST)


def test_user_and_password_are_quoted(drive, make_server):
    server = make_server()
    server.script(*Talk().greet(login='LOGIN "u x" "p\\"\\\\"').ask('LIST "" *', *LIST).out())
    assert drive.get(URL=url(server, user="u%20x:p%22%5c@")).code == 0


def test_a_server_that_knows_the_user(drive, make_server):
    server = make_server()
    server.script(*Talk("* PREAUTH in\r\n").greet(login=None).ask('LIST "" *', *LIST).out())
    assert drive.get(URL=url(server)).code == 0


def test_no_goodbye_is_said_for_the_application(drive, make_server):
    server = make_server()
    server.script(*Talk().greet(login=None).steps, UntilClose())
    assert drive.get(URL=url(server, user=""), CONNECT_ONLY=1).code == 0
    server.settle()
    assert b"LOGOUT" not in server.connections[0].received


def test_starttls_comes_before_the_login(drive, make_server, certs):
    server = make_server()
    list_after_starttls(drive, server, certs, "STARTTLS")


def test_imaps_has_tls_from_the_first_byte(drive, make_server, certs):
    server = make_server(tls=certs.context())
    server.script(*Talk().greet().ask('LIST "" *', *LIST).out())
    assert drive.get(URL=url(server, scheme="imaps"), CAINFO=certs.path("ca.pem")).code == 0


def test_bytes_injected_before_tls_are_refused(drive, make_server, certs):
    server = make_server()
    talk = Talk().greet("STARTTLS", login=None)
    server.script(*talk.then(StartTls(b"A002 STARTTLS\r\n", b"A002 OK\r\n", certs.context(), then=b"* OK\r\n")).steps)
    assert drive.get(URL=url(server), USE_SSL=USE_SSL_TRY, CAINFO=certs.path("ca.pem")).code == 8


@pytest.mark.parametrize("first, capability", [("* OK x\r\n", "x"), ("* PREAUTH x\r\n", "STARTTLS")])
@not_debian("it goes on without TLS after PREAUTH")
def test_a_server_without_tls_is_left(drive, make_server, first, capability):
    server = make_server()
    server.script(*Talk(first).greet(capability, login=None).steps)
    assert drive.get(URL=url(server), USE_SSL=USE_SSL_ALL).code == 64


# ---- bodies

BIG = b"".join(b"%06d )\r\nA004 OK\r\n" % i for i in range(20000))


def test_a_paused_mail_goes_on(drive, make_server, multi_way):
    server = make_server()
    answer = b"* 1 FETCH (BODY[] {%d}\r\n" % len(BIG) + BIG + b")\r\n"
    server.script(*Talk().greet().ask("SELECT a").ask("FETCH 1 BODY[]", answer).out())
    d = drive(multi_way).easy(URL=url(server, "a;MAILINDEX=1")).on("h", "write", "bytes", 100000, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("drive", "m", "for", 60).do("pause", "h", PAUSE_CONT).do("drive", "m", "all")
    t = d.run()["h"]
    assert (t.code, t.length, t.crc) == (0, len(BIG), crc(BIG))


@pytest.mark.parametrize("pause", ["fetch", "search", "append"])
def test_pauses_of_all_kinds(drive, make_server, multi_way, pause, ours_only):
    """On the first piece of a message, on a line of a response, and before the first byte of an upload."""
    if pause == "fetch":
        ours_only("libcurl 8.23 loses the message")
    server, talk = make_server(), Talk().greet()
    if pause == "append":
        server.script(*talk.ask(f"APPEND a (\\Seen) {{{len(MAIL)}}}", "+ go on\r\n", end="").then(
            Read(MAIL + b"\r\n"), Send(f"{talk.tag()} OK done\r\n")).out())
        d = drive(multi_way).easy(URL=url(server, "a"), UPLOAD=1, INFILESIZE_LARGE=len(MAIL)).body("h", MAIL, 5)
        d.on("h", "read", "call", 2, "pause")
    else:
        command, lines = ("FETCH 1 BODY[]", FETCHED) if pause == "fetch" else ("SEARCH ALL", ("* SEARCH 1\r\n", "* SEARCH 2\r\n"))
        server.script(*talk.ask("SELECT a").ask(command, *lines).out())
        d = drive(multi_way).easy(URL=url(server, "a;MAILINDEX=1" if pause == "fetch" else "a?ALL"))
        d.on("h", "write", "call", 1, "pause")
    d.do("add", "m", "h").do("drive", "m", "paused", "h").do("drive", "m", "for", 60).do("pause", "h", PAUSE_CONT)
    t = d.do("drive", "m", "all").run()["h"]
    assert (t.code, t.body) == (0, {"fetch": MAIL, "search": b"* SEARCH 1\r\n* SEARCH 2\r\n", "append": b""}[pause])


@pytest.mark.parametrize("way", ["easy", "socket"])
@pytest.mark.parametrize("up", [pytest.param(False, marks=not_debian("what has come is delivered at once")), True])
def test_a_mail_keeps_to_a_speed(drive, make_server, way, up):
    """After what may go in the first second."""
    server, talk, mail = make_server(), Talk().greet(), b"line\r\n" * 5000
    if up:
        server.script(*talk.ask(f"APPEND a (\\Seen) {{{len(mail)}}}", "+ go on\r\n", end="").then(
            Read(mail + b"\r\n"), Send(f"{talk.tag()} OK done\r\n")).out())
        d = drive(way).easy(URL=url(server, "a"), UPLOAD=1, INFILESIZE_LARGE=len(mail), MAX_SEND_SPEED_LARGE=20000).body("h", mail, 1000)
    else:
        server.script(*talk.ask("SELECT a").ask("FETCH 1 BODY[]", b"* 1 FETCH (BODY[] {%d}\r\n" % len(mail) + mail + b")\r\n").out())
        d = drive(way).easy(URL=url(server, "a;MAILINDEX=1"), MAX_RECV_SPEED_LARGE=20000, BUFFERSIZE=1024)
    t = d.perform().getinfo("h", "TOTAL_TIME_T").run()["h"]
    assert t.code == 0 and t.info["TOTAL_TIME_T"] > 300000, t.info


REMOVED = [Talk(""), Talk(), Talk().ask("CAPABILITY", "* CAPABILITY IM", end=""), Talk().ask("CAPABILITY")]
LOGGED_IN = [Talk().greet(), Talk().greet().ask("SELECT a", *SELECTED[:2], end=""), Talk().greet().ask("SELECT a"),
             Talk().greet().ask("SELECT a").ask("FETCH 1 BODY[]", "* 1 FETCH (BODY[] {50}\r\nx", end="")]


@pytest.mark.parametrize("talk", REMOVED + [
    pytest.param(t, marks=not_debian("the answer to its LOGOUT is waited for")) for t in LOGGED_IN])
def test_a_transfer_is_removed_at_any_point(drive, make_server, talk):
    there = threading.Event()
    server = make_server()
    server.script(*talk.steps, Set(there), UntilClose())
    d = drive("poll").easy(URL=url(server, "a;MAILINDEX=1")).do("add", "m", "h").drive_until(there)
    assert d.do("remove", "m", "h").end().status == 0
