"""login: a greeting, TLS in place, a second connection for the data, a goodbye in the background (README.md)."""

import socket
import threading
import time

import pytest

from login_peer import QUIT, Control, StartTls, get, hello, put
from mote_driver import LOCK_CONNECT, pattern
from script import Call, Close, Read, Reset, Send, Set, UntilClose, Wait

FILE = pattern(100_000)


def drive_until(d, event):
    """Drives the multi m of a driver that has started. A server that misses the event says so at the end."""
    d.do("drive", "m", "stdin")
    event.wait(40)


# ---- files in both directions

def test_get(drive, way, secured):
    c = secured
    c.script(*c.hello(), *get("a/file", len(FILE), c.data(Send(FILE), Close())), *QUIT)
    t = drive.get(way, info=("NUM_CONNECTS", "CONTENT_LENGTH_DOWNLOAD_T"), URL=c.url("a/file"), **c.options)
    assert (t.code, t.body == FILE or t.length) == (0, len(FILE) if t.length > 65536 else True)
    assert t.info == {"NUM_CONNECTS": 2, "CONTENT_LENGTH_DOWNLOAD_T": len(FILE)}


def test_put(drive, way, secured):
    c, got = secured, threading.Event()
    c.script(*c.hello(), *put("up", c.data(Read(FILE), UntilClose(), Set(got)), Wait(got)), *QUIT)
    t = drive.get(way, body=FILE[:50_000] + FILE[50_000:], URL=c.url("up"), UPLOAD=1, **c.options)
    assert (t.code, t.bytes["read"]) == (0, len(FILE))
    assert c.last.connections[0].ended == "client"


def test_empty(drive, way, plain):
    c, got = plain, threading.Event()
    c.script(*c.hello(), *get("e", 0, c.data(Close())), *put("e", c.data(UntilClose(), Set(got)), Wait(got)), *QUIT)
    d = drive(way).easy(URL=c.url("e")).perform()
    r = d.setopt("h", UPLOAD=1).body("h", b"").perform().run()
    assert [(t.code, t.length) for t in r.all("h")] == [(0, 0), (0, 0)]


def test_size_alone(drive, way, plain):
    plain.script(*hello(), Read(b"SIZE f\r\n"), Send("OK 5\n"), *QUIT)
    t = drive.get(way, info=("CONTENT_LENGTH_DOWNLOAD_T", "NUM_CONNECTS"), URL=plain.url("f"), NOBODY=1)
    assert (t.code, t.length, t.info) == (0, 0, {"CONTENT_LENGTH_DOWNLOAD_T": 5, "NUM_CONNECTS": 1})


def test_every_cut(drive, plain):
    """Replies come byte by byte; the last one ahead of the file."""
    c, ahead = plain, threading.Event()
    port = c.data(Wait(ahead), Send(b"12345"), Close())
    c.script(Send("HELLO\n", "each"), Read(b"LOGIN anonymous guest\r\n"), Send("OK\n", "each"), Read(b"SIZE f\r\n"),
             Send("OK 5\n", "each"), Read(b"GET f\r\n"), Send(f"PORT {port}\nDONE\n", "each"), Set(ahead), *QUIT)
    t = drive.get(URL=c.url("f"))
    assert (t.code, t.body) == (0, b"12345")


def test_replies_in_one_packet(drive, way, plain):
    c = plain
    port = c.data(Send(b"12345"), Close())
    c.script(Send("HELLO\nOK\nOK 5\n"), Read(b"LOGIN anonymous guest\r\n"), Read(b"SIZE f\r\n"), Read(b"GET f\r\n"),
             Send(f"PORT {port}\nDONE\n"), *QUIT)
    t = drive.get(way, URL=c.url("f"))
    assert (t.code, t.body) == (0, b"12345")


# ---- the connection is kept, and is its user's

def test_second_file_without_a_login(drive, way, secured):
    c, got = secured, threading.Event()
    c.script(*c.hello("u", "p"), *get("one", 3, c.data(Send(b"one"), Close())),
             *put("two", c.data(Read(b"two"), UntilClose(), Set(got)), Wait(got)),
             *get("three", 5, c.data(Send(b"three"), Close())), *QUIT)
    d = drive(way).easy(URL=c.url("one"), USERNAME="u", PASSWORD="p", **c.options).perform()
    d.setopt("h", URL=c.url("two"), UPLOAD=1).body("h", b"two").perform()
    d.setopt("h", URL=c.url("three"), UPLOAD=0, HTTPGET=1).perform()
    r = d.run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"one"), (0, b""), (0, b"three")]


@pytest.mark.parametrize("second", [("u", "q"), ("v", "p")])
def test_two_users_never_share(drive, way, plain, second):
    c = plain
    c.script(*hello("u", "p"), *get("f", 1, c.data(Send(b"1"), Close())),
             *get("f", 1, c.data(Send(b"3"), Close())), *QUIT)
    c.script(*hello(*second), *get("f", 1, c.data(Send(b"2"), Close())), *QUIT)
    d = drive(way).easy(URL=c.url("f"), USERNAME="u", PASSWORD="p").perform()
    d.setopt("h", USERNAME=second[0], PASSWORD=second[1]).perform().setopt("h", USERNAME="u", PASSWORD="p").perform()
    assert [(t.code, t.body) for t in d.run().all("h")] == [(0, b"1"), (0, b"2"), (0, b"3")]


def test_two_users_in_a_share(drive, way, plain):
    c = plain
    c.script(*hello("u", "p"), *get("f", 1, c.data(Send(b"1"), Close())),
             *get("f", 1, c.data(Send(b"3"), Close())), *QUIT)
    c.script(*hello("v", "p%"), *get("f", 1, c.data(Send(b"2"), Close())), *QUIT)
    d = drive(way).do("share", "s").do("sharesetopt", "s", "SHARE", LOCK_CONNECT)
    for name, user in (("a", "u:p@"), ("b", "v:p%25@"), ("c", "u:p@")):
        d.easy(name, URL=c.url("f", user)).setopt(name, SHARE="s").perform(name)
    d.do("cleanup", "a", "b", "c").do("shcleanup", "s")
    r = d.run()
    assert [(r[n].code, r[n].body) for n in "abc"] == [(0, b"1"), (0, b"2"), (0, b"3")]


def test_kept_connection_that_is_dead(drive, way, plain):
    """It ends while the first command of the next transfer is under way: that is made again, on a new one."""
    c = plain
    c.script(*hello(), *get("f", 1, c.data(Send(b"1"), Close())), Read(b"SIZE f\r\n"), Close())
    c.script(*hello(), *get("f", 1, c.data(Send(b"2"), Close())), *QUIT)
    r = drive(way).easy(URL=c.url("f")).perform().perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"1"), (0, b"2")]


# ---- what the server refuses

def test_login_refused(drive, way, secured):
    greeting = secured.hello("u", "wrong")
    secured.script(*greeting[:-1], Send("NO such user\n"), UntilClose())
    t = drive.get(way, URL=secured.url("f", "u:wrong@"), **secured.options)
    assert (t.code, t.error) == (67, "The server has refused: NO such user")


def test_file_missing(drive, way, secured):
    """The connection stays in order, and the next file is asked for on it."""
    c = secured
    c.script(*c.hello(), Read(b"SIZE gone\r\n"), Send("NO\n"), Read(b"SIZE went\r\n"), Send("OK 4\n"),
             Read(b"GET went\r\n"), Send("NO\n"), Read(b"PUT there\r\n"), Send("NO right\n"),
             *get("here", 4, c.data(Send(b"here"), Close())), *QUIT)
    d = drive(way).easy(URL=c.url("gone"), **c.options).perform().setopt("h", URL=c.url("went")).perform()
    d.body("h", b"x").setopt("h", URL=c.url("there"), UPLOAD=1).perform()
    r = d.setopt("h", URL=c.url("here"), UPLOAD=0, HTTPGET=1).perform().run()
    assert [t.code for t in r.all("h")] == [78, 78, 25, 0]
    assert r["h"].body == b"here"


@pytest.mark.parametrize("banner", ["BONJOUR\n", "x" * 200, "HELLO you\n"])
def test_no_banner(drive, way, plain, banner):
    plain.script(Send(banner), UntilClose())
    assert drive.get(way, URL=plain.url("f")).code == 8


@pytest.mark.parametrize("steps", [(), (Send("HEL"),), (Send("HELLO\n"), Read(b"LOGIN anonymous guest\r\n"))])
def test_greeting_that_ends(drive, way, plain, steps):
    plain.script(*steps, Close())
    assert drive.get(way, URL=plain.url("f")).code == 56


def test_no_port(drive, way, plain):
    plain.script(*hello(), Read(b"SIZE f\r\n"), Send("OK 5\n"), Read(b"GET f\r\n"), Send("PORT 65536\n"), UntilClose())
    assert drive.get(way, URL=plain.url("f")).code == 8


# ---- TLS in place

@pytest.mark.parametrize("then", [b"OK\n", b"\x16"])
def test_bytes_after_the_answer(drive, way, make_server, certs, then):
    """What came ahead of TLS, in the packet of the answer, is not read as if TLS had protected it (CVE-2011-0411)."""
    c = Control(make_server, certs, "logintls")
    c.script(Send("HELLO\n"), StartTls(c.context, then=then), UntilClose())
    assert drive.get(way, URL=c.url("f"), **c.options).code == 8
    assert b"LOGIN" not in c.server.connections[0].received


def test_upgrade_refused(drive, way, make_server, certs):
    c = Control(make_server, certs, "logintls")
    c.script(Send("HELLO\n"), Read(b"STARTTLS\r\n"), Send("NO\n"), UntilClose())
    assert drive.get(way, URL=c.url("f"), **c.options).code == 64


def test_certificate_refused(drive, way, make_server, certs):
    """Neither password nor file goes to a server that is not the one."""
    c = Control(make_server, certs, "logintls")
    c.script(Send("HELLO\n"), StartTls(c.context, refused=True))
    assert drive.get(way, URL=c.url("f", "u:p@"), CAINFO=certs.path("ca2.pem")).code == 60


def test_data_resumes_the_session(drive, make_server, certs):
    c = Control(make_server, certs, "logintls")
    c.script(*c.hello(), *get("f", 1, c.data(Send(b"1"), Close())), *QUIT)
    assert drive.get(URL=c.url("f"), **c.options).code == 0
    assert c.last.connections[0].tls_reused


def test_uploads_resume_the_session(drive, make_server, certs):
    """A ticket of TLS 1.3 serves once, so that each data connection must leave one, although nothing is read from it."""
    c, steps, servers = Control(make_server, certs, "logintls"), [], []
    for i in range(4):
        got = threading.Event()
        steps += put(f"f{i}", c.data(Read(b"12345"), UntilClose(), Set(got)), Wait(got))
        servers.append(c.last)
    c.script(*c.hello(), *steps, *QUIT)
    d = drive().easy(UPLOAD=1, **c.options)
    for i in range(4):
        d.setopt("h", URL=c.url(f"f{i}")).body("h", b"12345").perform()
    assert [t.code for t in d.run().all("h")] == [0] * 4
    assert [s.connections[0].tls_reused for s in servers] == [True] * 4


def test_data_resumes_without_a_ticket(drive, make_server, certs):
    """A ticket serves once, and other transfers may have taken those that there were: the session of the control
    connection is resumed again, as some servers take no data connection without."""
    c = Control(make_server, certs, "logintls")
    c.context.num_tickets = 1

    def no_more(peer):
        c.context.num_tickets = 0

    steps, servers = [], []
    for name in ("f", "g", "h"):
        steps += get(name, 1, c.data(Send(b"1"), Close()))
        servers.append(c.last)
    c.script(*c.hello(), Call(no_more), *steps, *QUIT)
    d = drive().easy(**c.options)
    for name in ("f", "g", "h"):
        d.setopt("h", URL=c.url(name)).perform()
    assert [t.code for t in d.run().all("h")] == [0] * 3
    assert [s.connections[0].tls_reused for s in servers] == [True] * 3


def test_data_without_tls(drive, way, make_server, certs):
    c = Control(make_server, certs, "logintls")
    bare = make_server()
    bare.script(Send(b"injected"), UntilClose())
    c.script(*c.hello(), *get("f", 8, bare.port, UntilClose(), done=None))
    t = drive.get(way, URL=c.url("f"), **c.options)
    assert (t.code, t.length) == (35, 0)


# ---- the data connection

def test_data_refused(drive, way, plain, closed_port):
    plain.script(*hello(), *get("f", 5, closed_port, UntilClose(), done=None))
    t = drive.get(way, URL=plain.url("f"))
    assert (t.code, t.error) == (7, f"The data connection to port {closed_port} failed")


@pytest.mark.parametrize("option", ["TIMEOUT_MS", "CONNECTTIMEOUT_MS"])
def test_data_never_accepted(drive, way, plain, full_port, option):
    plain.script(*hello(), *get("f", 5, full_port, UntilClose(), done=None))
    assert drive.get(way, URL=plain.url("f"), **{option: 1500}).code == 28


@pytest.mark.parametrize("scheme", ["login", "logintls"])
@pytest.mark.parametrize("sent", [b"123", b"123456"])
def test_other_size(drive, way, make_server, certs, scheme, sent):
    c = Control(make_server, certs, scheme)
    c.script(*c.hello(), *get("f", 5, c.data(Send(sent), Close()), UntilClose(), done=None))
    assert drive.get(way, URL=c.url("f"), **c.options).code == 18


def test_refused_after_the_data(drive, way, plain):
    """The server says that it could not keep what it got; it waits for the next command."""
    c, got = plain, threading.Event()
    c.script(*hello(), *put("f", c.data(Read(b"12345"), UntilClose(), Set(got)), Wait(got), done="NO disk\n"),
             *get("f", 1, c.data(Send(b"1"), Close())), *QUIT)
    d = drive(way).easy(URL=c.url("f"), UPLOAD=1).body("h", b"12345").perform()
    r = d.setopt("h", UPLOAD=0, HTTPGET=1).perform().run()
    assert [t.code for t in r.all("h")] == [25, 0]


@pytest.mark.parametrize("end", [Close(), Reset()])
@pytest.mark.parametrize("scheme", ["login", "logintls"])
def test_control_dies_in_the_middle(drive, way, make_server, certs, scheme, end):
    """The data connection, which says nothing, is closed with it."""
    c, begun = Control(make_server, certs, scheme), threading.Event()
    c.script(*c.hello(), *get("f", 5, c.data(Send(b"12"), Set(begun), UntilClose()), Wait(begun), end, done=None))
    assert drive.get(way, URL=c.url("f"), **c.options).code == 56


def test_control_dies_during_an_upload(drive, way, plain):
    c, begun = plain, threading.Event()
    c.script(*hello(), *put("f", c.data(Read(1000), Set(begun), UntilClose()), Wait(begun), Reset(), done=None))
    t = drive.get(way, body=50_000_000, URL=c.url("f"), UPLOAD=1)
    assert t.code == 56 and t.bytes["read"] < 50_000_000


BAD_SOCKET = -1


@pytest.mark.parametrize("callback,answer,code", [("opensocket", BAD_SOCKET, 7), ("sockopt", 1, 42)])
def test_application_refuses_the_data_socket(drive, way, plain, callback, answer, code):
    plain.script(*hello(), *get("f", 5, plain.data(UntilClose()), UntilClose(), done=None))
    plain.last.optional = True
    t = drive.get(way, enable=[callback], on=[(callback, "call", 2, "return", answer)], URL=plain.url("f"))
    assert t.code == code


def test_sockets_of_the_application(drive, way, secured):
    """Both are opened and closed by its callbacks."""
    c = secured
    c.script(*c.hello(), *get("f", 1, c.data(Send(b"1"), Close())), *QUIT)
    d = drive(way).easy(URL=c.url("f"), **c.options).enable("h", "opensocket", "closesocket").perform().do("cleanup", "h")
    r = d.run()
    assert (len(r.of("opensocket", "h")), len(r.of("closesocket", "h"))) == (2, 2)


def test_refused_while_the_data_connection_is_made(drive, way, plain, full_port):
    """The server waits for the next command then."""
    c = plain
    c.script(*hello(), *get("f", 5, full_port, done="NO more\n"), *get("g", 1, c.data(Send(b"1"), Close())), *QUIT)
    d = drive(way).easy(URL=c.url("f")).perform().setopt("h", URL=c.url("g")).perform()
    assert [(t.code, t.body) for t in d.run().all("h")] == [(18, b""), (0, b"1")]


@pytest.mark.parametrize("scheme", ["login", "logintls"])
def test_upload_to_a_server_that_speaks(drive, multi_way, make_server, certs, scheme):
    """What the server has sent unasked (bytes, or the tickets of TLS 1.3) makes no system throw away the end of the
    file, which it still sends when the client is done."""
    c = Control(make_server, certs, scheme)
    spoken, done, got = threading.Event(), threading.Event(), threading.Event()
    speech = (Send(b"unasked"),) if scheme == "login" else ()
    port = c.data(Read(FILE[:5000]), *speech, Set(spoken), Wait(done), Read(FILE[5000:]), UntilClose(), Set(got))
    c.last.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
    c.script(*c.hello(), *put("f", port, Wait(got)), *QUIT)
    d = drive(multi_way).easy(URL=c.url("f"), UPLOAD=1, **c.options).body("h", FILE, 5000).on("h", "read", "call", 2, "pause")
    d.do("add", "m", "h").do("drive", "m", "paused", "h").do("drive", "m", "stdin").start()
    assert spoken.wait(40)
    d.do("pause", "h", 0).do("drive", "m", "for", 300).do("mark", "sent").expect("mark", "sent")
    done.set()
    assert d.do("drive", "m", "all").end()["h"].code == 0
    assert not c.last.connections[0].reset


def test_data_dies_during_an_upload(drive, way, plain):
    c = plain
    c.script(*hello(), *put("f", c.data(Read(1000), Reset()), UntilClose(), done=None))
    assert drive.get(way, body=50_000_000, URL=c.url("f"), UPLOAD=1).code == 55


@pytest.mark.parametrize("scheme", ["login", "logintls"])
def test_end_of_an_upload_cannot_be_sent(drive, multi_way, make_server, certs, scheme):
    """Without the close_notify of the data connection the server may take the file for cut off."""
    c, gone = Control(make_server, certs, scheme), threading.Event()
    c.script(*c.hello(), *put("f", c.data(Read(b"12345"), Reset(), Set(gone)), UntilClose(), done=None))
    d = drive(multi_way).easy(URL=c.url("f"), UPLOAD=1, **c.options).body("h", b"12345").on("h", "read", "call", 2, "pause")
    d.do("add", "m", "h").do("drive", "m", "paused", "h").do("drive", "m", "stdin").start()
    assert gone.wait(40)
    assert d.do("pause", "h", 0).do("drive", "m", "all").end()["h"].code == 55


def test_control_dies_during_a_pause(drive, multi_way, plain):
    """No time is spent on a transfer that is over, although nothing of it moves."""
    c, paused = plain, threading.Event()
    c.script(*hello(), *get("f", 5, c.data(Send(b"12"), UntilClose()), Wait(paused), Reset(), done=None))
    d = drive(multi_way).easy(URL=c.url("f")).on("h", "write", "call", 1, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("mark", "paused").start().expect("mark", "paused")
    paused.set()
    assert d.do("drive", "m", "all").end()["h"].code == 56


def test_idle_connection_with_bytes(drive, way, plain):
    """The server has said something that was not asked for: the connection is not used again."""
    c, said = plain, threading.Event()
    c.script(*hello(), *get("f", 1, c.data(Send(b"1"), Close())), Send("BYE\n"), Set(said), UntilClose())
    c.script(*hello(), *get("f", 1, c.data(Send(b"2"), Close())), *QUIT)
    d = drive(way).easy(URL=c.url("f")).perform().do("mark", "first").start()
    d.expect("mark", "first")
    assert said.wait(40)
    assert [t.body for t in d.perform().end().all("h")] == [b"1", b"2"]


def test_connect_only(drive, way, plain):
    """The connection is greeted. Nothing follows, since the application may have said anything."""
    plain.script(*hello(), UntilClose())
    d = drive(way).easy(URL=plain.url("f"), CONNECT_ONLY=1).perform().do("cleanup", "h")
    assert d.run()["h"].code == 0


@pytest.mark.parametrize("option", ["TIMEOUT_MS", "CONNECTTIMEOUT_MS"])
def test_no_greeting(drive, way, plain, option):
    """It belongs to the time to connect."""
    plain.script(UntilClose())
    assert drive.get(way, URL=plain.url("f"), **{option: 300}).code == 28

# ---- what the application does meanwhile

def test_pause(drive, way, secured):
    c = secured
    c.script(*c.hello(), *get("f", len(FILE), c.data(Send(FILE), Close())), *QUIT)
    t = drive.get(way, enable=("xferinfo",), URL=c.url("f"), NOPROGRESS=0, **c.options,
                  on=[("write", "call", 2, "pause"), ("xferinfo", "every", 1, "unpause", "h")])
    assert (t.code, t.length) == (0, len(FILE))


def test_pause_of_an_upload(drive, way, secured):
    c, got = secured, threading.Event()
    c.script(*c.hello(), *put("f", c.data(Read(FILE), UntilClose(), Set(got)), Wait(got)), *QUIT)
    t = drive.get(way, enable=("xferinfo",), body=FILE, URL=c.url("f"), UPLOAD=1, NOPROGRESS=0, **c.options,
                  on=[("read", "call", 2, "pause"), ("xferinfo", "every", 1, "unpause", "h")])
    assert t.code == 0


def test_write_refused(drive, way, secured):
    c = secured
    c.script(*c.hello(), *get("f", len(FILE), c.data(Send(FILE), UntilClose()), UntilClose(), done=None))
    t = drive.get(way, on=[("write", "call", 2, "return", 0)], URL=c.url("f"), **c.options)
    assert t.code == 23


def test_stalled(drive, way, plain):
    c = plain
    c.script(*hello(), *get("f", 5, c.data(Send(b"12"), UntilClose()), UntilClose(), done=None))
    assert drive.get(way, URL=c.url("f"), TIMEOUT_MS=1500).code == 28


STATES = {"banner": 0, "handshake": 1, "login": 3, "command": 4, "data": 8}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("how", ["remove", "cleanup", "mcleanup"])
def test_left_in_any_state(drive, multi_way, make_server, certs, state, how):
    """Both connections are closed, without a goodbye."""
    c, seen = Control(make_server, certs, "logintls"), threading.Event()
    data = c.data(Send(b"12"), Set(seen), UntilClose())
    steps = (*c.hello(), *get("f", 5, data, done=None))[:STATES[state]]
    if state == "handshake":
        steps = (Send("HELLO\n"), Read(b"STARTTLS\r\n"), Send("OK\n"))
    if state != "data":
        steps = (*steps, Set(seen))
        c.last.optional = True
    c.script(*steps, UntilClose())
    d = drive(multi_way).easy(URL=c.url("f"), **c.options).do("add", "m", "h").start()
    drive_until(d, seen)
    d.do("drive", "m", "for", 20)
    d.do(*{"remove": ("remove", "m", "h"), "cleanup": ("cleanup", "h"), "mcleanup": ("mcleanup", "m")}[how])
    d.end()
    c.server.settle()
    assert b"QUIT" not in c.server.connections[0].received


# ---- the goodbye

def test_goodbye_in_the_background(drive, way, secured):
    """It does not hold up the next transfer, which is done before the server answers."""
    c, over, seen = secured, threading.Event(), threading.Event()
    c.script(*c.hello(), *get("f", 1, c.data(Send(b"1"), Close())), Read(b"QUIT\r\n"), Wait(over), Send("BYE\n"), Close(),
             Set(seen))
    c.script(*c.hello(), *get("f", 1, c.data(Send(b"2"), Close())), Set(over), Wait(seen), *QUIT)
    d = drive(way).easy(URL=c.url("f"), FORBID_REUSE=1, **c.options).perform().setopt("h", FORBID_REUSE=0).perform()
    assert [(t.code, t.body) for t in d.run().all("h")] == [(0, b"1"), (0, b"2")]


class Closed:
    """How long after since() the client has closed the connection. That is called before the client sends its last
    bytes: a server that gets no processor for a while reads them late."""

    def __init__(self):
        self.seconds, self.seen = None, threading.Event()

    def since(self, peer):
        self.begun = time.monotonic()

    def __call__(self, peer):
        peer.drain()
        self.seconds = time.monotonic() - self.begun
        self.seen.set()


def leave(d, gone):
    if gone:
        d.do("remove", "m", "h")
    if gone == "cleanup":
        d.do("cleanup", "h")
    return d


@pytest.mark.parametrize("scheme,gone", [("login", ""), ("login", "remove"), ("logintls", "cleanup")])
def test_goodbye_without_an_answer(drive, multi_way, make_server, certs, scheme, gone):
    """Two seconds, while nothing else is under way and even the handle may be gone."""
    c, closed = Control(make_server, certs, scheme), Closed()
    data = c.data(Send(b"1"), Call(closed.since), Close())
    c.script(*c.hello(), *get("f", 1, data), Read(b"QUIT\r\n"), Call(closed))
    d = drive(multi_way).easy(URL=c.url("f"), FORBID_REUSE=1, **c.options).do("add", "m", "h").do("drive", "m", "all")
    drive_until(leave(d, gone).start(), closed.seen)
    assert d.end()["h"].code == 0
    assert closed.seconds > 1


@pytest.mark.parametrize("gone", ["", "remove", "cleanup"])
def test_goodbye_cut_short(drive, multi_way, secured, gone):
    """curl_multi_cleanup() waits for nothing."""
    c = secured
    c.script(*c.hello(), *get("f", 1, c.data(Send(b"1"), Close())), Read(b"QUIT\r\n"), UntilClose())
    d = drive(multi_way).easy(URL=c.url("f"), FORBID_REUSE=1, **c.options).do("add", "m", "h").do("drive", "m", "all")
    assert leave(d, gone).do("mcleanup", "m").run()["h"].code == 0


def test_goodbye_of_the_oldest(drive, multi_way, make_server):
    """A kept connection that gives way to another one says goodbye too, and ends when it is answered."""
    a, b = Control(make_server), Control(make_server)
    gone = threading.Event()
    a.script(*hello(), *get("f", 1, a.data(Send(b"1"), Close())), *QUIT, UntilClose(), Set(gone))
    b.script(*hello(), *get("f", 1, b.data(Send(b"2"), Close())), Wait(gone), *QUIT)
    d = drive(multi_way).do("multi", "m").do("msetopt", "m", "MAXCONNECTS", 1).easy("a", URL=a.url("f"))
    d.easy("b", URL=b.url("f")).do("add", "m", "a").do("drive", "m", "all").do("remove", "m", "a").do("cleanup", "a")
    d.do("add", "m", "b").do("drive", "m", "all").start()
    drive_until(d, gone)
    r = d.end()
    assert (r["a"].body, r["b"].body) == (b"1", b"2")
