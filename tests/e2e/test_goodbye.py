"""A goodbye of TLS that finds the socket full: it is given up, and the connection ends as every other one does."""

import os
import socket
import threading
import time

import pytest

from mote_driver import SANITIZED, SYSTEM
from server import PATIENCE, Call, Expect, Reply, Set, Wait
from tls_libraries import tls  # noqa: F401 (a fixture: every test here runs with each library)

LENGTH = 50_000_000


@pytest.fixture(scope="module")
def small_buffers(programs):
    """The environment in which a client's socket takes less than a TLS record."""
    return {"LD_PRELOAD": ":".join(filter(None, [SANITIZED, programs["preload"]])), "PRELOAD_CONTROL": "sndbuf=4608"}


def unsent(peer):
    """Bytes in the client's socket that its system has not sent yet, or that were not acknowledged."""
    ends = tuple(f":{name[1]:04X}" for name in (peer.sock.getpeername(), peer.sock.getsockname()))
    with open("/proc/net/tcp", encoding="ascii") as f:
        for line in f:
            _, *found, _, queues = line.split()[:5]
            if all(map(str.endswith, found, ends)):  # its port alone may also be that of one that is over
                return int(queues.split(":")[0], 16)
    return 0


def until_stuck(peer):
    """The client can send no more: its socket is full."""
    had, since, end = 0, time.monotonic(), time.monotonic() + PATIENCE
    while time.monotonic() - since < 0.15:  # then small windows are probed, and a few bytes go
        assert time.monotonic() < end
        now = unsent(peer)
        if now != had or not now:
            had, since = now, time.monotonic()
        time.sleep(0.01)


class Rest:
    """What the kernel still delivers, past the TLS layer: how much, and how it ends."""

    def __init__(self):
        self.bytes, self.end, self.over = 0, None, threading.Event()

    def __call__(self, peer):
        with socket.socket(fileno=os.dup(peer.sock.fileno())) as raw:
            raw.settimeout(PATIENCE)
            try:
                while got := raw.recv(1 << 20):
                    self.bytes += len(got)
                self.end = "FIN"
            except OSError as error:
                self.end = type(error).__name__
        peer.ended = "client"
        self.over.set()


@pytest.mark.skipif(SYSTEM, reason="ours: what is promised of a goodbye")
def test_full_socket(drive, make_server, certs, small_buffers, way):
    """The server answers in the middle of an upload, and reads no more. The transfer ends, the next one to elsewhere
    is done, and only then the server reads: all that was under way, and a clean end."""
    gone, rest = threading.Event(), Rest()
    server = make_server(tls=certs.context())
    server.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
    server.script(Expect("PUT", body=False), Call(until_stuck), Reply(500, b"enough"), Wait(gone), Call(rest))
    other = make_server()
    other.script(Expect("GET"), Set(gone), Reply(200, b"next"))
    d = drive(way, env=small_buffers)
    d.easy(URL=server.url(), UPLOAD=1, INFILESIZE=LENGTH, HTTPHEADER=["Expect:"], CAINFO=certs.path("ca.pem"))
    d.body("h", LENGTH).perform().setopt("h", HTTPGET=1, URL=other.url()).perform()
    first, second = d.run().all("h")
    assert (first.code, first.body) == (0, b"enough")
    assert 0 < first.bytes["read"] < LENGTH
    assert (second.code, second.body) == (0, b"next")
    assert rest.over.wait(PATIENCE)
    assert rest.end == "FIN" and rest.bytes > 0
