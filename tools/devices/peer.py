"""What the images talk to: servers on this machine's loopback, which the emulator's network knows as 10.0.2.2."""
import fcntl
import os
import re
import socket
import struct
import sys
import termios
import threading
import time

from .base import ROOT

sys.path.insert(0, os.path.join(ROOT, "tests"))
import listener  # noqa: E402

MEGABYTE = 1024 * 1024


class Server(listener.Server):
    patience = 30


class Page(Server):
    """One page over HTTP/1.0, whatever is asked for."""

    def __init__(self, body):
        super().__init__()
        self.body = body

    def serve(self, connection):
        head = b""
        while b"\r\n\r\n" not in head:
            head += connection.recv(4096)
        connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n" % len(self.body) + self.body)


def pattern(size):
    return bytes((at * 7 + (at >> 8)) & 0xff for at in range(size))


def line(connection):
    text = b""
    while not text.endswith(b"\n"):
        byte = connection.recv(1)
        if not byte:
            break
        text += byte
    return text.decode().strip()


def rest(connection):
    """All bytes up to the end."""
    data = b""
    while True:
        some = connection.recv(65536)
        if not some:
            return data
        data += some


def waiting(connection):
    """Bytes that have come and were not read."""
    return struct.unpack("i", fcntl.ioctl(connection, termios.FIONREAD, b"\0" * 4))[0]


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


KEPT = []  # ports that refuse, up to the end of this process


def closed_port():
    KEPT.append(listener.Closed())
    return KEPT[-1].port


class Peer(Server):
    """Plays the part that the first line of a connection names (device/port-test); reports what went wrong."""

    PARTS = ("stall", "reset", "end", "send", "sink", "deaf", "collect", "unread")

    def __init__(self):
        super().__init__()
        self.names = Names()
        self.played, self.wrong = set(), []
        self.refused = closed_port()

    def __enter__(self):
        self.names.start()
        return super().__enter__()

    def __exit__(self, *_):
        self.names.stop()
        super().__exit__()

    def errors(self):
        until = time.monotonic() + 10
        while time.monotonic() < until and not self.played.issuperset(self.PARTS):
            time.sleep(0.1)  # a peer may have to read what was sent to the end
        missing = [f"{part} was not played" for part in self.PARTS if part not in self.played]
        return self.wrong + missing

    def serve(self, connection):
        part = line(connection)
        try:
            getattr(self, "play_" + part)(connection)
        except (OSError, AttributeError, AssertionError) as e:
            self.wrong.append(f"{part}: {e!r}")
        self.played.add(part)

    def play_stall(self, connection):
        rest(connection)

    def play_hold(self, connection):
        try:
            rest(connection)
            time.sleep(5)
        except ConnectionResetError:
            pass  # the image has run out of connections and given this one up

    def play_reset(self, connection):
        reset(connection)

    def play_end(self, connection):
        connection.sendall(b"last")
        connection.shutdown(socket.SHUT_WR)
        assert rest(connection) == b"answer"

    def play_send(self, connection):
        connection.sendall(pattern(MEGABYTE))

    def play_sink(self, connection):
        time.sleep(0.5)
        assert rest(connection) == pattern(MEGABYTE // 4), "other bytes"
        connection.sendall(b"ok")

    def play_deaf(self, connection):
        seen = []
        while len(seen) < 4 or seen[-4] != seen[-1]:  # until all room on the way is full
            time.sleep(1)
            seen.append(waiting(connection))
        assert rest(connection).endswith(b"last")
        connection.sendall(b"ok")

    def play_collect(self, connection):
        time.sleep(0.1)
        data = rest(connection)
        assert data and data == (b"0123456789" * len(data))[:len(data)], data

    def play_unread(self, connection):
        connection.sendall(b"never to be read")
        assert rest(connection) == b""


class Names:
    """A name server: the host as device.test and other.test; one.test, never-cached.test (no time to live)."""

    KNOWN = {b"one.test": (60, bytes((192, 0, 2, 1))), b"never-cached.test": (0, bytes((192, 0, 2, 2))),
             b"device.test": (60, bytes((10, 0, 2, 2))), b"other.test": (60, bytes((10, 0, 2, 2)))}

    def __init__(self, port=25353):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self.socket.bind(("127.0.0.1", port))
        except OSError:
            self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.asked = set()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        self.thread = threading.Thread(target=self.loop, daemon=True)
        self.thread.start()

    def stop(self):
        """An empty question ends the thread; only then may the descriptor's number be another's."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.sendto(b"", ("127.0.0.1", self.port))
        self.thread.join()
        self.socket.close()

    def loop(self):
        while True:
            try:
                question, where = self.socket.recvfrom(2048)
                if not question:
                    return
                self.socket.sendto(self.answer(question), where)
            except OSError:
                return

    def answer(self, question):
        at, labels = 12, []
        while question[at]:
            labels.append(question[at + 1:at + 1 + question[at]])
            at += 1 + question[at]
        asked = question[12:at + 5]
        name = b".".join(labels).lower()
        self.asked.add(name)
        known = self.KNOWN.get(name)
        head = question[:2] + struct.pack("!HHHHH", 0x8180 | (0 if known else 3), 1, 1 if known else 0, 0, 0)
        if not known:
            return head + asked
        ttl, address = known
        return head + asked + struct.pack("!HHHIH", 0xc00c, 1, 1, ttl, len(address)) + address


class Web(Server):
    """HTTP/1.1 for device/tiny: a path is a part to play. With a TLS context it is HTTPS."""

    BODIES = {"page": b"a small page from this machine\n", "chunked": pattern(20000), "big": pattern(MEGABYTE)}

    def __init__(self, context=None):
        super().__init__()
        self.context = context
        self.connections = self.requests = self.bytes = 0
        self.rest = threading.local()  # of the connection's thread: bytes after the head, and how many there will be

    def url(self, path, host="10.0.2.2"):
        return f"{'https' if self.context else 'http'}://{host}:{self.port}/{path}"

    def serve(self, connection):
        self.connections += 1
        try:
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            while self.answer(connection):
                pass
            if self.context:
                connection.unwrap()  # says that this is the end
        except OSError:
            pass  # the image has gone, or refuses the certificate

    def answer(self, connection):
        """One request; whether there may be another."""
        request = b""
        while b"\r\n\r\n" not in request:
            some = connection.recv(4096)
            if not some:
                return False
            request += some
            self.bytes += len(some)
        self.requests += 1
        head, self.rest.value = request.split(b"\r\n\r\n", 1)
        self.rest.length = int((re.findall(rb"(?i)\r\ncontent-length: *(\d+)", head) or [0])[0])
        part = head.split()[1].decode().strip("/")
        return getattr(self, "play_" + part)(connection)

    def send(self, connection, head, body=b""):
        connection.sendall(b"HTTP/1.1 " + head + b"\r\n\r\n" + body)
        return True

    def body(self, connection, part):
        body = self.BODIES[part]
        return self.send(connection, b"200 OK\r\nContent-Length: %d" % len(body), body)

    def play_page(self, connection):
        return self.body(connection, "page")

    def play_big(self, connection):
        return self.body(connection, "big")

    def play_post(self, connection):
        """What was posted."""
        body, length = self.rest.value, self.rest.length
        while len(body) < length:
            some = connection.recv(4096)
            if not some:
                return False
            body += some
        return self.send(connection, b"200 OK\r\nContent-Length: %d" % len(body), body)

    def play_redirect(self, connection):
        return self.send(connection, b"302 Found\r\nLocation: ../page\r\nContent-Length: 4", b"gone")

    def play_chunked(self, connection):
        body, at, size = b"", 0, 1
        whole = self.BODIES["chunked"]
        while at < len(whole):
            body += b"%x\r\n%b\r\n" % (len(whole[at:at + size]), whole[at:at + size])
            at, size = at + size, size * 3
        return self.send(connection, b"200 OK\r\nTransfer-Encoding: chunked", body + b"0\r\n\r\n")

    def play_silent(self, connection):
        rest(connection)
        return False

    def play_stall(self, connection):
        self.send(connection, b"200 OK\r\nContent-Length: 100", b"begun")
        return self.play_silent(connection)

    def play_empty(self, connection):
        return False

    def play_cut(self, connection):
        self.send(connection, b"200 OK\r\nContent-Length: 100", b"begun")
        return False

    def play_reset(self, connection):
        self.send(connection, b"200 OK\r\nContent-Length: 100", b"begun")
        time.sleep(0.2)  # the bytes before the reset
        reset(connection)
        raise ConnectionResetError  # no word of TLS about the end
