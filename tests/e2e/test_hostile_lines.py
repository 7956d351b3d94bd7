"""What hostile servers of FTP, IMAP, POP3 and SMTP lead to: replies, lists and bodies without end, addresses and sizes that
are none, data connections from elsewhere, an end or silence at every byte of a session."""

import socket

import pytest

import test_imap
import test_pop3
import test_smtp
from command_server import Command
from ftp_server import QUIT, Active, Give, Passive, accept, download, login, upload
from mail_peer import dialogue
from mote_driver import EMULATOR, SYSTEM, by_library, not_debian
from script import PATIENCE, Call, Close, Gone, Mismatch, Read, Reset, ScriptServer, Send, Step, UntilClose

TEXT = b"hello world\r\n"


@pytest.fixture
def hostile(make_server):
    return make_server(cls=ScriptServer)


def ask(scheme, server, path="", **options):
    """The options of a transfer from that server."""
    return {"URL": f"{scheme}://{server.authority}/{path}", "TIMEOUT": 30, **options}


# ---------------------------------------------------------------- without end

class Endless(Step):
    """Sends a piece again and again, on the data connection or on this one, until the client has enough."""

    may_be_left = True

    def __init__(self, piece, on_data=False, most=1 << 27):
        self.piece, self.on_data, self.times = piece, on_data, most // len(piece)

    def run(self, peer):
        to = accept(peer) if self.on_data else peer.sock
        try:
            for _ in range(self.times):
                to.sendall(self.piece)
        except OSError:
            if self.on_data:
                to.close()
            return
        raise Mismatch("the client took everything")


LONG = b"x" * 4096
NAME = {"USERNAME": "user", "PASSWORD": "secret"}
CAPABLE = dialogue("A001 CAPABILITY", "* CAPABILITY AUTH=CRAM-MD5\r\nA001 OK\r\n")
LISTED = [*login(), Passive(), Command("TYPE A", "200 x"), Command("LIST", "150 x")]


def short(value):
    return value if isinstance(value, str) else value[:8].decode() if isinstance(value, bytes) else None


def peak_of(drive, server, steps, **options):
    """The transfer, and the bytes that the library has held at most."""
    server.script(*steps, UntilClose())
    r = drive(fault=True).easy(**options).enable("h", "quiet").perform().do("fault", "peak").run()
    assert r["h"].error
    return r["h"], r.code("fault", "peak")


@pytest.mark.parametrize("scheme, steps, piece, options", [
    ("ftp", [Send("220 ")], LONG, {}),
    ("ftp", [Send("220-many\r\n")], b"220-line\r\n", {}),
    ("ftp", [], b"no code\r\n", {}),
    ("ftp", [*login()[:2], Command("PASS ftp@example.com", "230-x")], b"421 not the last one\n", {}),
    ("ftp", [*login()[:3], Read(b"PWD\r\n"), Send('257 "')], LONG, {}),
    ("imap", [Send("* OK ")], LONG, {}),
    ("imap", [Send("* OK\r\n")], b"* CAPABILITY X\r\n", {}),
    ("imap", [Send("* OK\r\n"), *CAPABLE, Read(b"A002 AUTHENTICATE CRAM-MD5\r\n"), Send("+ ")], LONG, NAME),
    ("pop3", [Send("+OK ")], LONG, {}),
    ("pop3", [], b"no reply\r\n", {}),
    ("pop3", [Send("+OK\r\n"), *dialogue("CAPA", "+OK\r\n")], b"SASL X\r\n", {}),
    ("pop3", [Send("+OK\r\n"), *dialogue("CAPA", "+OK\r\nSASL CRAM-MD5\r\n.\r\n", "AUTH CRAM-MD5", "+ ")], LONG, NAME),
    ("smtp", [Send("220 ")], LONG, {}),
    ("smtp", [Send("220 hi\r\n")], b"250-AUTH PLAIN\r\n", {}),
    ("smtp", [*test_smtp.greet("AUTH CRAM-MD5"), *dialogue("AUTH CRAM-MD5", "334 ")], LONG, NAME),
], ids=short)
def test_replies_without_end(drive, hostile, ours_only, scheme, steps, piece, options):
    """Lines and replies have ceilings."""
    ours_only("libcurl takes replies of many lines, and long ones with other codes")
    t, peak = peak_of(drive, hostile, [*steps, Endless(piece)], **ask(scheme, hostile, "h", **options))
    assert t.code == 8 and peak < 2_000_000


@pytest.mark.parametrize("path, options, piece, code, most", [
    pytest.param("", {"MAXFILESIZE": 1 << 20}, LONG, 63, 2_000_000, marks=not_debian("all of it is taken")),
    ("*", {"WILDCARDMATCH": 1}, LONG, 87, 2_000_000),
    ("*", {"WILDCARDMATCH": 1}, b"-rw-r--r-- 1 u g 5 Jan  1  2010 a\r\n", 100, 17_000_000),
], ids=short)
def test_lists_without_end(drive, hostile, ours_only, path, options, piece, code, most):
    if path:
        ours_only("libcurl keeps all of it")
    t, peak = peak_of(drive, hostile, [*LISTED, Endless(piece, on_data=True)], **ask("ftp", hostile, path, **options))
    assert t.code == code and peak < most


@not_debian("all of it is taken")
@pytest.mark.parametrize("scheme, steps, path", [
    ("pop3", [*test_pop3.greet(), *dialogue("RETR 1", "+OK\r\n")], "1"),
    ("imap", [*test_imap.Talk().greet().steps, Read(b'A003 LIST "" *\r\n'), Send("* LIST () {9223372036854775807}\r\n")], ""),
], ids=short)
def test_bodies_without_end(drive, hostile, scheme, steps, path):
    options = ask(scheme, hostile, path, MAXFILESIZE=1 << 20, USERNAME="u", PASSWORD="p")
    t, peak = peak_of(drive, hostile, [*steps, Endless(LONG)], **options)
    assert t.code == 63 and peak < 2_000_000


def test_goodbye_without_end(drive, hostile, way):
    """The answer to QUIT needs no end: the client leaves when it has read some of it."""
    hostile.script(*login(), *download("f", TEXT), Read(b"QUIT\r\n"), Endless(LONG * 16), UntilClose())
    assert drive.get(way, **ask("ftp", hostile, "f")).code == 0


def test_list_without_end_has_a_deadline(drive, make_server, certs, way):
    """TLS has more bytes whenever some were read, so that a step must have a bound of its own."""
    hostile = make_server(cls=ScriptServer, tls=certs.context())
    talk = test_imap.Talk().greet().steps
    hostile.script(*talk, Read(b'A003 LIST "" *\r\n'), Endless(b"* LIST () NIL x\r\n" * 4096, most=1 << 31), UntilClose())
    deadline = 5000 if EMULATOR else 500  # under an emulator the handshake alone may take half a second
    options = {"TIMEOUT_MS": deadline, "USERNAME": "u", "PASSWORD": "p", "CAINFO": certs.path("ca.pem")}
    t = drive.get(way, **{**ask("imaps", hostile), **options}, enable=["quiet"])
    assert t.code in by_library((28,), (28, 56))  # Debian's stops at 300 KB of such lines


# ---------------------------------------------------------------- what is no address, and no size

@pytest.mark.parametrize("answer", [
    "(|||65536|)", "(||||)", "(|||-5|)", pytest.param("(|||+5|)", marks=not_debian("the sign is skipped")), "(|||5)", "(|||99999999999999999999999|)", "(|", "|||5|", "()",
    "(|1|10.0.0.1|5|)", "(1111511)"])
def test_what_is_no_port(drive, hostile, answer):
    hostile.script(*login(), Command("EPSV", f"229 {answer}"), QUIT)
    assert drive.get(**ask("ftp", hostile, "f")).code == 13


@pytest.mark.parametrize("answer", [
    "127,0,0,1,0,0", "256,0,0,1,1,1", "127,0,0,1,256,1", "127,0,0,1,1", "127,0,0,1,1,", "127,0,0,1,-1,1", "1,2,3,4,5,x",
    "99999999999999999999,0,0,1,1,1", ",".join(["1"] * 5) + "," + "9" * 60000, "127.0.0.1.1.1", ""])
def test_what_is_no_address(drive, hostile, ours_only, answer):
    if answer in ("127,0,0,1,0,0", "256,0,0,1,1,1") or answer[:3] == "999":
        ours_only("libcurl connects to port 0, and checks no address that it does not use")
    hostile.script(*login(), Command("PASV", f"227 ({answer})"), UntilClose())
    assert drive.get(**ask("ftp", hostile, "f", FTP_USE_EPSV=0)).code == 14


@not_debian("the connection is not closed, and its goodbye is waited for")
@pytest.mark.parametrize("literal", ["{-5}", "{9223372036854775808}", "{99999999999999999999999}", "{x}", "{}", "{5"])
@pytest.mark.parametrize("what", ["BODY[]", "X"])
def test_what_is_no_literal(drive, hostile, literal, what):
    """`X`: of an answer that is not the message."""
    talk = test_imap.Talk().greet().ask("SELECT a").ask("FETCH 1 BODY[]", f"* 1 FETCH ({what} {literal}\r\n", end=None)
    hostile.script(*talk.steps, Send("hello)\r\nA004 OK\r\n"), UntilClose())
    t = drive.get(**ask("imap", hostile, "a;MAILINDEX=1", USERNAME="u", PASSWORD="p"))
    assert t.code in (8, 78) and t.body == b""


# ---------------------------------------------------------------- another peer

class Elsewhere:
    """A peer that is not the server connects before it does, and finds its connection closed."""

    def connect(self, peer):
        self.data = socket.create_connection(peer.target, PATIENCE, source_address=("127.0.0.2", 0))
        self.data.sendall(b"not the server's")

    def is_closed(self, _peer):
        with self.data:
            try:
                assert not self.data.recv(1)
            except ConnectionError:
                pass


def test_data_connection_from_elsewhere(drive, hostile, way, ours_only):
    """The server alone is let in."""
    ours_only("libcurl takes the first connection")
    other = Elsewhere()
    hostile.script(*login(), Active(), Call(other.connect), Command("TYPE I", "200 x"), Command("SIZE f", "213 13"),
                   Command("RETR f", "150 x"), Call(other.is_closed), Give(TEXT), QUIT)
    t = drive.get(way, **ask("ftp", hostile, "f", FTPPORT="-"))
    assert (t.code, t.body) == (0, TEXT)


# ---------------------------------------------------------------- an end at every byte

class Cut(Step):
    """Steps until so many bytes have been sent on the control connection; then `how` follows."""

    may_be_left = True

    def __init__(self, steps, most, how):
        self.steps, self.most, self.how = steps, most, how
        self.whole = False

    def run(self, peer):
        send, left = peer.send, self.most

        def some(data):
            nonlocal left
            part, left = data[:left], left - len(data)
            send(part)
            if left < 0:
                raise Gone

        peer.send = some
        try:
            for step in self.steps:
                step.run(peer)
            self.whole = True
        except Gone:
            pass
        self.how().run(peer)


SESSIONS = {
    "ftp": ([*login(), Command("CWD d", "250 x"), *download("f", TEXT)], "d/f", {}, TEXT),
    "ftp upload": ([*login(), *upload("f", TEXT)], "f", {"UPLOAD": 1, "INFILESIZE": len(TEXT)}, b""),
    "imap": (test_imap.Talk().greet().ask("SELECT a").ask("FETCH 1 BODY[]", b"* 1 FETCH (BODY[] {13}\r\n" + TEXT + b")\r\n").steps,
             "a;MAILINDEX=1", {"USERNAME": "u", "PASSWORD": "p"}, TEXT),
    "pop3": ([*test_pop3.greet(), *dialogue("RETR 1", "+OK\r\nhello\r\n..\r\n.\r\n")], "1", {"USERNAME": "u", "PASSWORD": "p"},
             b"hello\r\n.\r\n"),
    "smtp": ([*test_smtp.greet(), *test_smtp.envelope(), *test_smtp.delivered(TEXT + b".\r\n")], "h",
             {"MAIL_FROM": "<a@b>", "MAIL_RCPT": ["<c@d>"], "UPLOAD": 1}, b""),
}


@pytest.mark.parametrize("how", [Close, Reset])
@pytest.mark.parametrize("session", list(SESSIONS))
def test_ends_at_every_byte(drive, hostile, session, how):
    """One transfer for each: an error with a text, or all of it. A mail of POP3 that ends early is whole to libcurl."""
    steps, path, options, body = SESSIONS[session]
    cuts = [Cut(steps, n, how) for n in range(1, 200)]
    d = drive()
    for n, cut in enumerate(cuts):
        hostile.script(cut)
        d.easy(f"h{n}", **ask(session.split()[0], hostile, path, FORBID_REUSE=1, **options)).body(f"h{n}", TEXT)
        d.perform(f"h{n}").do("cleanup", f"h{n}")
    r = d.run()
    assert cuts[-1].whole and not cuts[0].whole
    for n, cut in enumerate(cuts):
        t = r[f"h{n}"]
        assert body.startswith(t.body), (n, t)
        if cut.whole and how is Close:
            assert (t.code, t.body) == (0, body), (n, t)
        elif not cut.whole and not (SYSTEM and session == "pop3" and t.code == 0):
            assert t.code in ((8, 18, 55, 56) if how is Close else (7, 8, 18, 55, 56)) and t.error, (n, t)
