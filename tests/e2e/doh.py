"""A server of DNS over HTTPS (RFC 8484) for script.py's servers: reads queries, writes any message."""

import struct

from server import Serve, response

A, CNAME, TXT, AAAA = 1, 5, 16, 28
NXDOMAIN, SERVFAIL = 3, 2
LOCAL4, LOCAL6 = bytes([127, 0, 0, 1]), bytes(15) + b"\1"
TYPE = "Content-Type: application/dns-message"


def wire(name):
    """A name's labels."""
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".") if label) + b"\0"


def record(kind, data, owner=b"\xc0\x0c", ttl=60, cls=1):
    return (wire(owner) if isinstance(owner, str) else owner) + struct.pack(">HHIH", kind, cls, ttl, len(data)) + data


def query(name, kind):
    """The query for a name as the client sends it."""
    return bytes.fromhex("000001000001000000000000") + wire(name) + struct.pack(">HH", kind, 1)


def message(question, answers=(), code=0, flags=0x8180, identifier=0):
    return struct.pack(">HHHHHH", identifier, flags | code, 1, len(answers), 0, 0) + question + b"".join(answers)


class Query:
    def __init__(self, request):
        self.request = request
        self.bytes = request.body
        self.question = request.body[12:]
        self.kind = struct.unpack(">H", request.body[-4:-2])[0]
        self.labels, at = [], 12
        while self.bytes[at]:
            self.labels.append(self.bytes[at + 1:at + 1 + self.bytes[at]].decode("latin-1"))
            at += 1 + self.bytes[at]
        self.name = ".".join(self.labels)


class Resolver:
    """Answers every query by answer(query): a list of records, a code of DNS, a whole message, or an HTTP response that
    begins with "HTTP/". `queries` are those that came, `seen` their names and types."""

    def __init__(self, server, answer, headers=(TYPE,)):
        self.server, self.answer, self.headers, self.queries = server, answer, list(headers), []
        server.default(Serve(self.serve))

    def serve(self, request, peer):
        assert request.method == "POST" and request.header("Content-Type") == "application/dns-message", request.head
        q = Query(request)
        self.queries.append(q)
        answer = self.answer(q)
        if isinstance(answer, int):
            answer = message(q.question, code=answer)
        elif not isinstance(answer, bytes):
            answer = message(q.question, answer)
        return answer if answer.startswith(b"HTTP/") else response(200, answer, self.headers)

    @property
    def seen(self):
        return [(q.name, q.kind) for q in self.queries]

    def url(self, host="127.0.0.1"):
        return self.server.url("/dns-query", host=host)


def local(q):
    """Every name is 127.0.0.1, and no name has an IPv6 address."""
    return [record(A, LOCAL4)] if q.kind == A else []
