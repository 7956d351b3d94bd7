"""HTTP for the servers of script.py: requests are read and compared, responses made."""

import re

from script import (Call, Close, CloseNoNotify, FullPort, Gone, HalfClose, Mismatch, PATIENCE, Peer, Read,  # noqa: F401
                    Reset, ScriptServer, Send, Set, Stall, Step, UntilClose, Wait, WAIT_STEP)


class Request:
    """One request as it came: exact bytes and their parts."""

    def __init__(self, head):
        self.head = head
        self.body = b""
        self.trailers = b""
        self.chunks = []
        lines = head.decode("latin-1").split("\r\n")
        parts = lines[0].split(" ")
        if len(parts) != 3:
            raise Mismatch(f"not a request line: {lines[0]!r}")
        self.method, self.target, self.version = parts
        self.headers = []
        for line in lines[1:]:
            if not line:
                break
            name, colon, value = line.partition(":")
            if not colon or name != name.strip() or "\n" in line or "\r" in line:
                raise Mismatch(f"not a header line: {line!r}")
            self.headers.append((name, value.strip(" ")))

    def all(self, name):
        return [v for n, v in self.headers if n.lower() == name.lower()]

    def header(self, name):
        """The value of a header, None when it is not there; twice is a mismatch."""
        values = self.all(name)
        if len(values) > 1:
            raise Mismatch(f"{name} sent {len(values)} times: {values}")
        return values[0] if values else None

    @property
    def names(self):
        return [n.lower() for n, v in self.headers]

    def __repr__(self):
        return f"<{self.head!r} + {len(self.body)} bytes>"


class HttpPeer(Peer):
    """A connection, and the requests that came on it."""

    def __init__(self, *args):
        super().__init__(*args)
        self.requests = []

    def read_head(self):
        request = Request(self.until(b"\r\n\r\n"))
        self.requests.append(request)
        return request

    def read_body(self, request):
        if (request.header("Transfer-Encoding") or "").lower() == "chunked":
            if request.header("Content-Length") is not None:
                raise Mismatch("a request with both Content-Length and chunked")
            while True:
                line = self.until(b"\r\n")
                if not re.fullmatch(rb"[0-9a-fA-F]+\r\n", line):
                    raise Mismatch(f"not a chunk size: {line!r}")
                size = int(line, 16)
                if not size:
                    break
                chunk = self.take(size)
                if self.take(2) != b"\r\n":
                    raise Mismatch("a chunk without its end")
                request.chunks.append(chunk)
                request.body += chunk
            while True:
                line = self.until(b"\r\n")
                if line == b"\r\n":
                    break
                request.trailers += line
        else:
            length = request.header("Content-Length")
            if length is not None:
                request.body = self.take(int(length))
        return request.body


# ---------------------------------------------------------------- steps

class Expect(Step):
    """Reads one request and compares what is given. `exact` are the head's bytes, `pattern` a regex over them,
    `check` is called with the request and may assert. `body=False` leaves the body unread (see Body)."""

    def __init__(self, method=None, target=None, version="HTTP/1.1", exact=None, pattern=None, has=None, lacks=(),
                 body=None, check=None):
        self.method, self.target, self.version, self.exact = method, target, version, exact
        self.pattern, self.has, self.lacks, self.body, self.check = pattern, has or {}, lacks, body, check

    def run(self, peer):
        request = peer.read_head()
        if self.body is not False:
            peer.read_body(request)
        where = f"connection {peer.number} request {len(peer.requests)} {request.head!r}"
        for name in ("method", "target", "version"):
            wanted = getattr(self, name)
            if wanted is not None and getattr(request, name) != wanted:
                raise Mismatch(f"{where}: {name} is not {wanted!r}")
        if self.exact is not None and request.head != self.exact:
            raise Mismatch(f"{where}: expected {self.exact!r}")
        if self.pattern is not None and not re.search(self.pattern, request.head):
            raise Mismatch(f"{where}: does not match {self.pattern!r}")
        for name, value in self.has.items():
            if request.header(name) != value:
                raise Mismatch(f"{where}: {name} is not {value!r}")
        for name in self.lacks:
            if request.all(name):
                raise Mismatch(f"{where}: has {name}")
        if self.body not in (None, False) and request.body != self.body:
            raise Mismatch(f"{where}: body {request.body[:200]!r} ({len(request.body)} bytes), "
                           f"expected {self.body[:200]!r} ({len(self.body)})")
        if self.check:
            self.check(request)


class Body(Step):
    """Reads the body of the last request; compares it when given."""

    def __init__(self, body=None):
        self.body = body

    def run(self, peer):
        got = peer.read_body(peer.requests[-1])
        if self.body is not None and got != self.body:
            raise Mismatch(f"body {got[:200]!r} ({len(got)} bytes), expected {self.body[:200]!r} ({len(self.body)})")


class Reply(Send):
    """A response with a length: Reply(200, b"body", ["X: y"])."""

    def __init__(self, status=200, body=b"", headers=(), **kw):
        super().__init__(response(status, body, headers), **kw)


class ContinueIfAsked(Step):
    """100 Continue when the last request has Expect."""

    def run(self, peer):
        if peer.requests[-1].header("Expect"):
            peer.send(b"HTTP/1.1 100 Continue\r\n\r\n")


class Serve(Step):
    """Answers every request until the client closes: fn(request, peer) gives bytes, or None to close."""

    may_be_left = True

    def __init__(self, fn):
        self.fn = fn

    def run(self, peer):
        while True:
            request = peer.read_head()
            if request.header("Expect") == "100-continue":
                peer.send(b"HTTP/1.1 100 Continue\r\n\r\n")
            peer.read_body(request)
            answer = self.fn(request, peer)
            if answer is None:
                Close().run(peer)
                return
            peer.send(answer)


REASONS = {200: "OK", 201: "Created", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently",
           302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
           308: "Permanent Redirect", 401: "Unauthorized", 404: "Not Found", 416: "Range Not Satisfiable",
           417: "Expectation Failed", 500: "Internal Server Error", 503: "Service Unavailable"}


def response(status=200, body=b"", headers=(), version="HTTP/1.1", length=True):
    """A response's bytes, with Content-Length unless the test says otherwise."""
    head = f"{version} {status} {REASONS.get(status, 'Whatever')}\r\n"
    for line in headers:
        head += line + "\r\n"
    if length:
        head += f"Content-Length: {len(body)}\r\n"
    return head.encode("latin-1") + b"\r\n" + body


def chunked(body, size=7, extension="", trailers=()):
    """A body in chunks of `size` bytes."""
    out = b""
    for at in range(0, len(body), size):
        piece = body[at:at + size]
        out += b"%x%s\r\n%s\r\n" % (len(piece), extension.encode(), piece)
    return out + b"0\r\n" + b"".join(t.encode() + b"\r\n" for t in trailers) + b"\r\n"


class Server(ScriptServer):
    """A web server. tls: an ssl.SSLContext; unix: the path of a socket."""

    peer_class = HttpPeer

    def url(self, path="/", host=None, scheme=None, userinfo=""):
        host = host or (f"[{self.host}]" if ":" in self.host else self.host)
        return f"{scheme or ('https' if self.tls else 'http')}://{userinfo}{host}:{self.port}{path}"

    def answer(self, *answers, method=None):
        """One connection that answers each request in turn with the given bytes."""
        steps = []
        for a in answers:
            steps += [Expect(method), Send(a)]
        return self.script(*steps)

    @property
    def requests(self):
        return [r for c in self.connections for r in c.requests]

    def asked(self):
        """The requests, after the driver has ended: none is still being read."""
        self.settle()
        return self.requests
