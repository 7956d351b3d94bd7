"""login with CURLOPT_CUSTOMREQUEST: the server begins the data connection (connect/data/data_listen.c)."""

import socket
import threading

import pytest

from login_peer import QUIT, CallBack, Called, Control, get_active, hello
from mote_driver import pattern
from script import Call, Close, Read, Reset, Send, Set, UntilClose, Wait

FILE = pattern(100_000)
DONE = Send("DONE\n")


# ---- files in both directions

def test_get(drive, way, secured):
    c = secured
    back = CallBack(Send(FILE), Close(), tls=c.context)
    c.script(*c.hello(), *get_active("a/file", len(FILE), back, DONE), *QUIT)
    t = drive.get(way, info=("NUM_CONNECTS",), URL=c.url("a/file"), CUSTOMREQUEST="-", **c.options)
    assert (t.code, t.body == FILE or t.length, t.info) == (0, len(FILE) if t.length > 65536 else True, {"NUM_CONNECTS": 1})
    assert not c.context or back.peer.tls_reused


def test_put(drive, way, secured):
    c = secured
    back = CallBack(Read(FILE), UntilClose(), tls=c.context)
    c.script(*c.hello(), Called(), Read(b"PUT up\r\n"), Send("GO\n"), back, DONE, *QUIT)
    t = drive.get(way, body=FILE, URL=c.url("up"), UPLOAD=1, CUSTOMREQUEST="-", **c.options)
    assert (t.code, t.bytes["read"]) == (0, len(FILE))


def test_server_that_is_early(drive, way, plain):
    """Connection, bytes and its end come ahead of the reply to GET."""
    c = plain
    c.script(*hello(), *get_active("f", 5, DONE, ahead=[CallBack(Send(b"12345"), Close())]), *QUIT)
    t = drive.get(way, URL=c.url("f"), CUSTOMREQUEST="-")
    assert (t.code, t.body) == (0, b"12345")


def test_two_files(drive, way, plain):
    c = plain
    c.script(*hello(), *get_active("f", 1, CallBack(Send(b"1"), Close()), DONE),
             *get_active("g", 1, CallBack(Send(b"2"), Close()), DONE), *QUIT)
    d = drive(way).easy(URL=c.url("f"), CUSTOMREQUEST="-").perform().setopt("h", URL=c.url("g")).perform()
    assert [(t.code, t.body) for t in d.run().all("h")] == [(0, b"1"), (0, b"2")]


# ---- where the client waits

@pytest.mark.parametrize("where", ["-", "", "127.0.0.1", "[127.0.0.1]", "lo", "localhost", "lo:0", ":0", "127.0.0.1:99999",
                                   "127.0.0.1:9-8", "127.0.0.1:x"])
def test_addresses(drive, plain, where):
    c = plain
    c.script(*hello(), *get_active("f", 1, CallBack(Send(b"1"), Close()), DONE), *QUIT)
    t = drive.get(URL=c.url("f"), CUSTOMREQUEST=where)
    assert (t.code, t.body) == (0, b"1")


def test_name_is_looked_up(drive, way, plain):
    c = plain
    c.script(*hello(), *get_active("f", 1, CallBack(Send(b"1"), Close()), DONE, called=Called("127.0.0.2")), *QUIT)
    t = drive.get(way, URL=c.url("f"), CUSTOMREQUEST="here.invalid", RESOLVE=["here.invalid:0:127.0.0.2"])
    assert (t.code, t.body) == (0, b"1")


def test_address_of_a_router(drive, way, plain):
    """It is none of this machine: the server gets it all the same."""
    c = plain
    back = CallBack(Send(b"1"), Close(), to="127.0.0.1")
    c.script(*hello(), *get_active("f", 1, back, DONE, called=Called("192.0.2.77")), *QUIT)
    t = drive.get(way, URL=c.url("f"), CUSTOMREQUEST="192.0.2.77")
    assert (t.code, t.body) == (0, b"1")


class Taken:
    """Neighbouring ports, the first of which another program has."""

    def __init__(self):
        while True:
            self.socket = socket.socket()
            self.socket.bind(("127.0.0.1", 0))
            self.port = self.socket.getsockname()[1]
            self.socket.listen()
            with socket.socket() as s:
                if not s.connect_ex(("127.0.0.1", self.port + 1)) == 0 and self.port < 65000:
                    return


def test_next_port_of_a_range(drive, way, plain):
    c, taken = plain, Taken()
    ports = range(taken.port + 1, taken.port + 11)
    c.script(*hello(), *get_active("f", 1, CallBack(Send(b"1"), Close()), DONE, called=Called(ports=ports)), *QUIT)
    t = drive.get(way, URL=c.url("f"), CUSTOMREQUEST=f"127.0.0.1:{taken.port}-{taken.port + 10}")
    assert (t.code, t.body) == (0, b"1")


def test_no_port_is_free(drive, way, plain):
    """The connection is in order, and serves the next file."""
    c, taken = plain, Taken()
    c.script(*hello(), Read(b"SIZE f\r\n"), Send("OK 1\n"),
             *get_active("f", 1, CallBack(Send(b"1"), Close()), DONE), *QUIT)
    d = drive(way).easy(URL=c.url("f"), CUSTOMREQUEST=f"127.0.0.1:{taken.port}").perform()
    r = d.setopt("h", CUSTOMREQUEST="-").perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(30, b""), (0, b"1")]


@pytest.mark.parametrize("where,code", [("nosuch.invalid", 6), ("[::1]", 30), ("::1", 30)])
def test_address_that_is_none(drive, way, plain, where, code):
    plain.script(*hello(), Read(b"SIZE f\r\n"), Send("OK 1\n"), *QUIT)
    assert drive.get(way, URL=plain.url("f"), CUSTOMREQUEST=where).code == code


# ---- who is let in

def test_stranger(drive, way, plain):
    """It is the first to come, and is shown the door; its bytes are not the server's."""
    c = plain
    stranger = CallBack(UntilClose(), source="127.0.0.2")
    c.script(*hello(), *get_active("f", 5, stranger, CallBack(Send(b"12345"), Close()), DONE), *QUIT)
    t = drive.get(way, URL=c.url("f"), CUSTOMREQUEST="-")
    assert (t.code, t.body) == (0, b"12345")


def test_strangers_alone(drive, way, plain):
    """They hold up neither the deadline nor anything else."""
    c = plain
    strangers = [CallBack(UntilClose(), source="127.0.0.2") for _ in range(20)]
    c.script(*hello(), *get_active("f", 5, *strangers, UntilClose()))
    assert drive.get(way, URL=c.url("f"), CUSTOMREQUEST="-", ACCEPTTIMEOUT_MS=1500).code == 12


# ---- a server that does not come

def test_server_does_not_come(drive, way, plain):
    plain.script(*hello(), *get_active("f", 5, UntilClose()))
    t = drive.get(way, URL=plain.url("f"), CUSTOMREQUEST="-", ACCEPTTIMEOUT_MS=300)
    assert (t.code, t.error) == (12, "The server has not begun the data connection in time")


def test_time_for_the_transfer(drive, way, plain):
    plain.script(*hello(), *get_active("f", 5, UntilClose()))
    assert drive.get(way, URL=plain.url("f"), CUSTOMREQUEST="-", TIMEOUT_MS=300).code == 28


def test_accept_deadline_begins_with_the_wait(drive, way, plain):
    """The time that the server takes for its reply does not count."""
    c, slow = plain, threading.Event()
    threading.Timer(1.2, slow.set).start()
    c.script(*hello(), *get_active("f", 5, CallBack(Send(b"12345"), Close()), DONE, ahead=[Wait(slow)]), *QUIT)
    assert drive.get(way, URL=c.url("f"), CUSTOMREQUEST="-", ACCEPTTIMEOUT_MS=1000).code == 0


def test_refused_while_it_is_waited_for(drive, way, plain):
    c = plain
    c.script(*hello(), *get_active("f", 5, Send("NO way\n")),
             *get_active("g", 1, CallBack(Send(b"1"), Close()), DONE), *QUIT)
    d = drive(way).easy(URL=c.url("f"), CUSTOMREQUEST="-").perform().setopt("h", URL=c.url("g")).perform()
    assert [(t.code, t.body) for t in d.run().all("h")] == [(18, b""), (0, b"1")]


def test_server_does_not_call(drive, way, plain):
    plain.script(*hello(), Read(b"SIZE f\r\n"), Send("OK 5\n"), Called(answer="NO\n"), *QUIT)
    assert drive.get(way, URL=plain.url("f"), CUSTOMREQUEST="-").code == 30


def test_control_dies_while_it_is_waited_for(drive, way, plain):
    plain.script(*hello(), *get_active("f", 5, Reset()))
    assert drive.get(way, URL=plain.url("f"), CUSTOMREQUEST="-").code == 56


def test_data_without_tls(drive, way, make_server, certs):
    """The server's bytes come without TLS: none of them are the file's."""
    c = Control(make_server, certs, "logintls")
    c.script(*c.hello(), *get_active("f", 8, CallBack(Send(b"injected"), UntilClose()), UntilClose()))
    t = drive.get(way, URL=c.url("f"), CUSTOMREQUEST="-", **c.options)
    assert (t.code, t.length) == (35, 0)


# ---- the application

def test_sockets_of_the_application(drive, way, plain):
    """It makes and closes the socket that waits; that of the server's connection is not its own."""
    c = plain
    c.script(*hello(), *get_active("f", 1, CallBack(Send(b"1"), Close()), DONE), *QUIT)
    d = drive(way).easy(URL=c.url("f"), CUSTOMREQUEST="-").enable("h", "opensocket", "closesocket", "sockopt").perform()
    r = d.do("cleanup", "h").run()
    assert (len(r.of("opensocket", "h")), len(r.of("closesocket", "h"))) == (2, 2)
    assert [purpose for _, purpose in r.of("sockopt", "h")] == [0, 1]


@pytest.mark.parametrize("callback,answer,code", [("opensocket", -1, 30), ("sockopt", 1, 42)])
def test_application_refuses(drive, way, plain, callback, answer, code):
    steps = (CallBack(UntilClose()),) if callback == "sockopt" else ()
    whole = get_active("f", 5, *steps, UntilClose())
    plain.script(*hello(), *(whole if steps else (*whole[:2], *QUIT)))
    t = drive.get(way, enable=[callback], on=[(callback, "call", 2, "return", answer)], URL=plain.url("f"), CUSTOMREQUEST="-")
    assert t.code == code


@pytest.mark.parametrize("how", ["remove", "cleanup", "mcleanup"])
@pytest.mark.parametrize("state", ["lookup", "listening", "connected"])
def test_left_in_any_state(drive, multi_way, plain, state, how):
    c, seen = plain, threading.Event()
    steps = {"lookup": (Read(b"SIZE f\r\n"), Send("OK 5\n"), Set(seen)),
             "listening": get_active("f", 5, Set(seen)),
             "connected": get_active("f", 5, CallBack(Send(b"1"), Set(seen), UntilClose()))}[state]
    c.script(*hello(), *steps, UntilClose())
    d = drive(multi_way).easy(URL=c.url("f"), CUSTOMREQUEST="slow.invalid" if state == "lookup" else "-").do("add", "m", "h").start()
    d.do("drive", "m", "stdin")
    assert seen.wait(40)
    d.do("drive", "m", "for", 20)
    d.do(*{"remove": ("remove", "m", "h"), "cleanup": ("cleanup", "h"), "mcleanup": ("mcleanup", "m")}[how])
    d.end()
