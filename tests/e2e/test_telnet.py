"""TELNET (RFC 854) against scripted servers, with exact bytes. What is expected was watched on the newest libcurl."""

import subprocess

import pytest

from mote_driver import COMMAND, NEWEST, SYSTEM, not_debian, pattern
from script import Close, Read, Reset, Send, Step, UntilClose

IAC, SE, SB, WILL, WONT, DO, DONT = (bytes([b]) for b in (255, 240, 250, 251, 252, 253, 254))
BINARY, ECHO, SGA, TTYPE, NAWS, XDISPLOC, NEW_ENV = (bytes([b]) for b in (0, 1, 3, 24, 31, 35, 39))
ASKS = IAC + WILL + BINARY + IAC + DO + BINARY + IAC + WILL + SGA + IAC + DO + SGA
OK, MALFORMAT, TIMEOUT, BAD_ARGUMENT, UNKNOWN, SYNTAX, SEND_ERROR, RECV_ERROR = 0, 3, 28, 43, 48, 49, 55, 56


def url(server):
    return f"telnet://127.0.0.1:{server.port}"


def one(drive, server, way="easy", **options):
    return drive.get(way, URL=url(server), **options)


def asks_for(option):
    return Send(IAC + SB + option + b"\1" + IAC + SE)


def says(option, value):
    return Read(IAC + SB + option + value + IAC + SE)


def test_both_directions_through_every_way_of_driving(drive, server, way):
    server.script(Send(b"login: "), Read(b"me\r\n"), Send(b"hello\r\n"), Close())
    t = one(drive, server, way, UPLOAD=1, body=b"me\r\n")
    assert (t.code, t.body) == (OK, b"login: hello\r\n")


def test_bytes_of_255_are_doubled(drive, server, way):
    server.script(Read(b"x\xff\xffy"), Send(b"a\xff\xffb\r\0c\xff\xf1d"), Close())
    t = one(drive, server, way, UPLOAD=1, body=b"x\xffy")
    assert (t.code, t.body) == (OK, b"a\xffb\rcd")


def test_the_end_of_what_is_sent_is_not_the_end(drive, server, way):
    server.script(Read(b"abc"), Send(b"one"), Send(b"two"), Close())
    assert one(drive, server, way, UPLOAD=1, body=b"abc").body == b"onetwo"


# ---- options

@pytest.mark.parametrize("requests, answers", [
    (IAC + DO + TTYPE, IAC + WONT + TTYPE + ASKS),
    (IAC + WONT + ECHO + IAC + DONT + SGA + IAC + DONT + BINARY, ASKS),
    (IAC + WILL + ECHO + IAC + WILL + SGA + IAC + DO + SGA + IAC + DO + ECHO + IAC + WILL + BINARY + IAC + DO + BINARY + IAC + WILL + b"U"
     + IAC + DO + b"U", IAC + DO + ECHO + IAC + DO + SGA + IAC + WILL + SGA + IAC + WONT + ECHO + IAC + DO + BINARY + IAC + WILL + BINARY
     + IAC + DONT + b"U" + IAC + WONT + b"U"),
])
def test_requests_are_answered_and_then_made(drive, server, way, requests, answers):
    server.script(Send(requests), Read(answers), Send(b"x"), Close())
    t = one(drive, server, way)
    assert (t.code, t.body) == (OK, b"x")


def test_options_end_and_begin_again(drive, server):
    server.script(Send(IAC + WILL + ECHO + IAC + DO + SGA), Read(IAC + DO + ECHO + IAC + WILL + SGA + IAC + WILL + BINARY + IAC + DO + BINARY
                                                                 + IAC + DO + SGA),
                  Send(IAC + WONT + ECHO + IAC + DONT + SGA), Read(IAC + DONT + ECHO + IAC + WONT + SGA),
                  Send(IAC + WILL + ECHO + IAC + DO + SGA), Read(IAC + DO + ECHO + IAC + WILL + SGA), Close())
    assert one(drive, server).code == OK


def test_values_of_options(drive, server, way):
    server.script(Send(IAC + DO + TTYPE + IAC + DO + XDISPLOC + IAC + DO + NEW_ENV + IAC + DO + NAWS),
                  Read(IAC + WILL + TTYPE + IAC + WILL + XDISPLOC + IAC + WILL + NEW_ENV + IAC + WILL + NAWS + IAC + SB + NAWS
                       + b"\0\x50\0\x18" + IAC + SE + ASKS),
                  asks_for(TTYPE), says(TTYPE, b"\0vt100"), asks_for(XDISPLOC), says(XDISPLOC, b"\0host:0"),
                  asks_for(NEW_ENV), says(NEW_ENV, b"\0\0USER\1me\0B\1x"), Close())
    t = one(drive, server, way, TELNETOPTIONS=["TTYPE=vt100", "XDISPLOC=host:0", "NEW_ENV=USER,me", "NEW_ENV=B,x", "WS=80x24"])
    assert t.code == OK


def test_a_window_of_255_is_doubled(drive, server):
    server.script(Send(IAC + DO + NAWS), Read(IAC + WILL + NAWS + IAC + SB + NAWS + b"\0\xff\xff\1\0" + IAC + SE + ASKS), Close())
    assert one(drive, server, TELNETOPTIONS=["WS=255x256"]).code == OK


@pytest.mark.parametrize("by", ["option", "netrc", "URL", "URL in codes"])
def test_the_user_is_in_the_environment(drive, server, tmp_path, by):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login m%65@a password pw\n")
    options = {"option": {"USERPWD": "m%65@a:pw"}, "netrc": {"NETRC": 1, "NETRC_FILE": tmp_path / "netrc"}}.get(by, {})
    place = url(server).replace("//", {"URL": "//me@", "URL in codes": "//m%2565%40a@"}.get(by, "//"))
    server.script(Send(IAC + DO + NEW_ENV), Read(IAC + WILL + NEW_ENV + ASKS), asks_for(NEW_ENV),
                  says(NEW_ENV, b"\0\0USER\1" + (b"me" if by == "URL" else b"m%65@a")), Close())
    assert drive.get("easy", URL=place, **options).code == OK


@not_debian("it is sent, or another code")
@pytest.mark.parametrize("user, options, code", [("a%01b@", {}, MALFORMAT), ("a%ffb@", {}, BAD_ARGUMENT),
                                                 ("", {"USERNAME": b"a\x01b"}, BAD_ARGUMENT), ("", {"USERNAME": b"a\xffb"}, BAD_ARGUMENT)])
def test_a_user_that_is_no_text(drive, server, user, options, code):
    """Before there is a connection; libcurl may connect first."""
    if SYSTEM:
        server.default(UntilClose())
    assert drive.get("easy", URL=url(server).replace("//", "//" + user), **options).code == code


def test_a_user_that_is_too_long(drive, server, ours_only):
    ours_only("libcurl sends some of it")
    assert drive.get("easy", URL=url(server).replace("//", "//" + "n" * 241 + "@")).code == BAD_ARGUMENT


def test_without_binary(drive, server):
    server.script(Send(IAC + WILL + ECHO), Read(IAC + DO + ECHO + IAC + WILL + SGA + IAC + DO + SGA), Close())
    assert one(drive, server, TELNETOPTIONS=["BINARY=0"]).code == OK


@pytest.mark.parametrize("option, code", [("FOO=1", UNKNOWN), ("TTYPE", SYNTAX), ("WS=ab", SYNTAX), ("WS=80", SYNTAX)])
def test_a_wrong_option(drive, server, option, code):
    """Before there is a connection; libcurl connects first."""
    if SYSTEM:
        server.default(UntilClose())
    assert one(drive, server, TELNETOPTIONS=[option]).code == code


@pytest.mark.parametrize("option", ["TTYPE=a\xff\xf0b".encode("latin-1"), b"TTYPE=a\nb", b"XDISPLOC=" + b"x" * 500])
def test_no_option_adds_a_command(drive, server, option, ours_only):
    ours_only("libcurl sends what is in it")
    t = drive()
    t.easy("h", URL=url(server)).do("setopt", "h", "TELNETOPTIONS", option).perform("h")
    assert t.run()["h"].code == BAD_ARGUMENT


# ---- hostile servers

class ReadAny(Step):
    """One of these."""

    def __init__(self, *choices):
        self.choices = choices

    def run(self, peer):
        got = peer.take(len(self.choices[0]))
        assert got in self.choices, got


class ReadAnswers(Step):
    """Many answers, and what the client asks for among them."""

    def __init__(self, answer, n):
        self.answer, self.n = answer, n

    def run(self, peer):
        got = peer.take(len(self.answer) * self.n + len(ASKS))
        assert got.replace(ASKS, b"", 1) == self.answer * self.n


class ReadVariables(Step):
    """As many of these as there is room for, fewer than there are, and the end of the subnegotiation."""

    def __init__(self, variable, most):
        self.variable, self.most = variable, most

    def run(self, peer):
        got = b""
        while not got.endswith(IAC + SE):
            got += peer.take(1)
        n = (len(got) - 2) // len(self.variable)
        assert got == self.variable * n + IAC + SE and n < self.most, got


class ReadMany(Step):
    """These, in their order or some after others."""

    def __init__(self, *parts):
        self.parts = parts

    def run(self, peer):
        got = peer.take(sum(map(len, self.parts)))
        assert all(p in got for p in self.parts), got


def test_a_flood_of_requests(drive, server):
    """Each is answered once; the answers take no memory that grows."""
    n = 20000
    server.script(Send((IAC + DO + b"U") * n + b"end"), ReadAnswers(IAC + WONT + b"U", n), Close())
    t = one(drive, server)
    assert t.code == OK and t.body == b"end"


@pytest.mark.parametrize("length", range(233, 238))
def test_answers_that_fill_their_room(drive, server, ours_only, length):
    """A request after an environment of any length: what the client asks for comes after both."""
    ours_only("libcurl's room is another one")
    large = [b"\0N%d\1" % i + b"x" * length for i in range(6)]
    environment = [f"NEW_ENV=N{i}," + "x" * length for i in range(6)] + ["NEW_ENV=AB"] * 48
    server.script(Send(IAC + SB + NEW_ENV + b"\1" + IAC + SE + IAC + DO + b"U"), Read(IAC + SB + NEW_ENV + b"\0"),
                  Read(b"".join(large)), ReadVariables(b"\0AB", 48),
                  ReadMany(IAC + WONT + b"U", ASKS, IAC + WILL + TTYPE, IAC + WILL + NAWS, IAC + WILL + XDISPLOC,
                           IAC + WILL + NEW_ENV), Close())
    t = one(drive, server, TELNETOPTIONS=[*environment, "TTYPE=vt", "XDISPLOC=h:0", "WS=1x1"])
    assert t.code == OK


def test_an_endless_subnegotiation(drive, server, ours_only):
    ours_only("libcurl ends with 43 where TTYPE is not set")
    server.script(Send(IAC + SB + TTYPE + b"\1" + b"x" * 300000 + IAC + SE + b"end"), Close())
    t = one(drive, server)
    assert t.code in (OK, RECV_ERROR) and (t.code or t.body == b"end")


STREAM = b"a" + IAC + DO + TTYPE + b"b" + IAC + IAC + IAC + SB + TTYPE + b"\1" + IAC + SE + b"\r\0c"


@pytest.mark.parametrize("at", range(len(STREAM) + 1))
def test_cut_and_closed_at_each_byte(drive, server, at, ours_only):
    ours_only("libcurl ends with 43 where TTYPE is not set")
    server.script(Send(STREAM[:at]), Close())
    t = one(drive, server)  # the answers may meet a connection that is reset
    assert t.code in (OK, SEND_ERROR, RECV_ERROR) and t.body in (b"", b"a", b"ab", b"ab\xff", b"ab\xff\r", b"ab\xff\rc")


def test_byte_by_byte(drive, server, way):
    begin, value = IAC + WILL + TTYPE, IAC + SB + TTYPE + b"\0vt" + IAC + SE
    server.script(*[Send(bytes([b])) for b in STREAM], ReadAny(begin + ASKS + value, begin + value + ASKS), Close())
    assert one(drive, server, way, TELNETOPTIONS=["TTYPE=vt"]).body == b"ab\xff\rc"


def test_a_reset(drive, server):
    server.script(Send(b"a"), Read(b"x"), Reset())
    assert one(drive, server, UPLOAD=1, body=b"x").code == RECV_ERROR


def test_a_silent_server(drive, server, way):
    server.script(UntilClose())
    assert one(drive, server, way, TIMEOUT_MS=300).code == TIMEOUT


def test_much_in_both_directions(drive, server, multi_way):
    """The server sends all before it reads: neither waits for the other."""
    data = pattern(3 << 20)
    coded = data.replace(b"\xff", b"\xff\xff")
    server.script(Send(coded), Read(coded), Close())
    t = one(drive, server, multi_way, UPLOAD=1, body=data)
    assert t.code == OK and t.length == len(data)


def test_nothing_now_is_not_the_end(drive, server, way):
    """The read callback is asked again after 0, until it has something, and after that."""
    server.script(Send(b"login: "), Read(b"me\n"), Send(b"ok"), Close())
    t = drive(way).easy("h", URL=url(server), UPLOAD=1, TIMEOUT=30).body("h", b"me\n")
    for call in (1, 2):
        t.do("on", "h", "read", "call", call, "return", 0)
    run = t.perform().run()
    assert (run["h"].code, run["h"].body) == (OK, b"login: ok")


@pytest.mark.parametrize("size", [0, 2, 1000])
def test_an_upload_has_no_size(drive, server, size, ours_only):
    """Whatever INFILESIZE is: more or less may be sent; only 0 means that there is nothing to send."""
    ours_only("libcurl sends what there is, also with 0")
    server.script(Send(b"login: "), *([Read(b"me\n")] if size else []), Send(b"ok"), Close())
    d = drive().easy("h", URL=url(server), UPLOAD=1).body("h", b"me\n").setopt("h", INFILESIZE_LARGE=size)
    run = d.perform().run()
    assert (run["h"].code, run["h"].body) == (OK, b"login: ok")


# ---- the command

@pytest.mark.skipif(SYSTEM or NEWEST, reason="our command")
def test_the_command_reads_stdin(server, programs):
    command = COMMAND
    if not command:
        pytest.skip("no command")
    server.script(Send(b"login: "), Read(b"me\n"), Send(b"ok\n"), Read(b"more\n"), Send(b"bye\n"), Close())
    p = subprocess.Popen([command, "-s", "-N", url(server)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert p.stdout.read(7) == b"login: "
    p.stdin.write(b"me\n")
    p.stdin.flush()
    assert p.stdout.read(3) == b"ok\n"
    p.stdin.write(b"more\n")
    p.stdin.flush()
    assert p.stdout.read(4) == b"bye\n" and p.wait(20) == 0
