"""TFTP servers of which a test says each packet, and servers on a way that loses, doubles or delays one of them."""

import socket
import struct
import threading
import time

import pytest

PATIENCE = 20  # seconds until a silent client counts as a mismatch
GRACE = 0.5    # seconds that a server goes on after the end of the test
STEP = 0.05    # seconds between two looks at that
STRICT = True  # a mismatch fails the test
BLOCK = b"x" * 512
OCTET = b"\0octet\0tsize\0%s\0blksize\0%d\0timeout\0%d\0"


def data(number, payload):
    return struct.pack(">HH", 3, number) + payload


def ack(number):
    return struct.pack(">HH", 4, number)


def oack(*options):
    return b"\0\6" + b"".join(o + b"\0" for o in options)


def error(code, text=b"no"):
    return struct.pack(">HH", 5, code) + text + b"\0"


def asked(code, name=b"f", block=512, timeout=6, size=b"0"):
    return bytes([0, code]) + name + OCTET % (size, block, timeout)


class Server:
    """Runs a function with the server in a thread; what it raises is raised at the end of the test."""

    def __init__(self):
        self.main = self._socket()
        self.port = self.main.getsockname()[1]
        self.own = self.client = self.failure = self.thread = None
        self.over = threading.Event()
        self.ended = None  # when the test has come to its end

    @staticmethod
    def _socket():
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.bind(("127.0.0.1", 0))
        return s

    def _receive(self, s, seconds=PATIENCE):
        """The next packet, unless the client is at its end for a while."""
        end = time.monotonic() + seconds
        while True:
            s.settimeout(max(0.001, min(STEP, end - time.monotonic())))
            try:
                return s.recvfrom(70000)
            except socket.timeout:
                if time.monotonic() >= end or (self.ended and time.monotonic() > self.ended + GRACE):
                    raise

    def url(self, name="/f"):
        return f"tftp://127.0.0.1:{self.port}{name}"

    def does(self, script):
        def run():
            try:
                script(self)
            except Exception as failure:  # the test's own thread raises it
                self.failure = failure
            self.over.set()
        self.thread = threading.Thread(target=run)
        self.thread.start()
        return self

    def request(self, want=None):
        """The request of the next transfer, which this one answers from a port of its own."""
        got, self.client = self._receive(self.main)
        if self.own:
            self.own.close()
        self.own = self._socket()
        assert want is None or got == want, got
        return got

    def send(self, packet):
        self.own.sendto(packet, self.client)

    def get(self, seconds=PATIENCE):
        return self._receive(self.own, seconds)[0]

    def expect(self, want):
        got = self.get()
        assert got == want, got

    def sends(self, *packets):
        """Sends each packet and expects what comes after it."""
        for packet, want in zip(packets[::2], packets[1::2]):
            self.send(packet)
            self.expect(want)

    def quiet(self, seconds=0.2):
        with pytest.raises(socket.timeout):
            raise AssertionError(self.get(seconds))

    def close(self):
        self.ended = time.monotonic()
        if self.thread:
            self.thread.join(2 * PATIENCE)
        for s in (self.main, self.own):
            if s:
                s.close()
        if self.failure and STRICT:
            raise self.failure


class Bad(Server):
    """A server that is right, on a way where the n-th packet of a direction is lost, doubled, or late by a while."""

    wait, late = 0.25, 0.4  # seconds

    def __init__(self, kind, direction, number):
        super().__init__()
        self.kind, self.direction, self.left = kind, direction, number
        self.timers = []

    def _happens(self, direction):
        if direction != self.direction:
            return None
        self.left -= 1
        return self.kind if self.left == -1 else None

    def send(self, packet):
        what = self._happens("down")
        if what == "late":
            own, client = self.own, self.client
            self.timers.append(threading.Timer(self.late, lambda: own.sendto(packet, client)))
            self.timers[-1].start()
        for _ in range({"lost": 0, "late": 0, "doubled": 2}.get(what, 1)):
            super().send(packet)

    def get(self, seconds=PATIENCE):
        while True:
            got = super().get(seconds)
            what = self._happens("up")
            if what == "late":
                time.sleep(self.late)
            if what != "lost":
                return got

    def request(self, want=None):
        got = super().request(want)
        if self._happens("up") == "lost":
            got = super().request(want)
        return got

    def turn(self, packet, want):
        """Sends the packet again until what is wanted has come."""
        self.send(packet)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if self.get(self.wait) == want:
                    break
            except socket.timeout:
                if self.ended:
                    raise
                self.send(packet)

    def close(self):
        for timer in self.timers:
            timer.join()
        super().close()
