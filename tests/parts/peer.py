"""An HTTP server of a few answers, chosen by the path."""
import os
import socket
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from listener import Listener  # noqa: E402

OK = b"HTTP/1.1 200 OK\r\n"


def chunked(*parts):
    return b"".join(b"%x\r\n%s\r\n" % (len(p), p) for p in parts) + b"0\r\n\r\n"


def plain(body, more=b""):
    return OK + more + b"Content-Length: %d\r\n\r\n" % len(body) + body


ANSWERS = {
    "/": plain(b"hello"),
    "/chunked": OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunked(b"abc", b"d" * 3000, b"e"),
    "/trailers": OK + b"Transfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nX: 1\r\n\r\n",
    "/away": b"HTTP/1.1 302 Found\r\nLocation: /a/../chunked?x=1#y\r\nContent-Length: 3\r\n\r\nxyz",
    "/loop": b"HTTP/1.1 302 Found\r\nLocation: loop\r\nContent-Length: 0\r\n\r\n",
    "/100": b"HTTP/1.1 100 Continue\r\n\r\n" + plain(b"hello"),
    "/204": b"HTTP/1.1 204 None\r\n\r\n",
    "/404": b"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone",
    "/head": OK + b"".join(b"X-%d: %s\r\n" % (i, b"y" * 1000) for i in range(400)) + b"\r\n",
    "/line": OK + b"X: " + b"y" * 200000 + b"\r\n\r\n",
    "/close": OK + b"\r\nuntil the end",
    "/short": OK + b"Content-Length: 50\r\n\r\nhello",
    "/lengths": OK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "/chunk": OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    "/nul": OK + b"X: a\0b\r\nContent-Length: 5\r\n\r\nhello",
    "/big": plain(b"z" * 2000000),
}
LAST = ("/close", "/short", "/chunk")
SLOWLY = ("/100", "/trailers", "/lengths")      # byte by byte


class Peer:
    """Listens from the start; `asked` has (path, number of the connection)."""

    def __init__(self):
        self.asked = []
        self.count = 0
        self.lock = threading.Lock()
        self.listener = Listener(self.serve).start()
        self.url = "http://127.0.0.1:%d" % self.listener.port

    def serve(self, s):
        with self.lock:
            self.count = number = self.count + 1
        with s:
            s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                while self.answer(s, number):
                    pass
            except OSError:
                pass

    def answer(self, s, number):
        head = b""
        while b"\r\n\r\n" not in head:
            some = s.recv(4096)
            if not some:
                return False
            head += some
        path = head.split()[1].decode().partition("?")[0]
        self.asked.append((path, number))
        if path == "/stall":
            time.sleep(5)
            return False
        answer = ANSWERS.get(path, ANSWERS["/404"])
        if path in SLOWLY:
            for byte in answer:
                s.sendall(bytes([byte]))
        else:
            s.sendall(answer)
        return path not in LAST

    def close(self):
        self.listener.close()
