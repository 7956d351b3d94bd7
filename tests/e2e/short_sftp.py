"""A server of SFTP on stdin and stdout with one file, whose READs bring less than was asked for. Arguments: a file of the
bytes, one to which it writes a line for each READ, and how much it sends: "all", "none", "first" (one byte, once),
"most N", or "to N" (up to a multiple of N)."""

import struct
import sys

INIT, VERSION, OPEN, CLOSE, READ, FSTAT, REALPATH, STAT = 1, 2, 3, 4, 5, 8, 16, 17
STATUS, HANDLE, DATA, NAME, ATTRS = 101, 102, 103, 104, 105
OK, EOF, UNSUPPORTED = 0, 1, 8


def text(data):
    return struct.pack(">I", len(data)) + data


def number(n):
    return struct.pack(">I", n)


class Short:
    def __init__(self, path, log, way, most=0):
        with open(path, "rb") as f:
            self.data = f.read()
        self.log, self.way, self.most, self.reads = log, way, int(most), 0

    def length(self, at):
        self.reads += 1
        with open(self.log, "a") as f:
            f.write(f"{at}\n")
        if self.way == "first" and self.reads == 1:
            return 1
        return {"none": 0, "most": self.most, "to": self.most and self.most - at % self.most}.get(self.way, len(self.data))

    def read(self, request):
        size = struct.unpack(">I", request[:4])[0]
        at, most = struct.unpack(">QI", request[4 + size:])
        if at >= len(self.data):
            return STATUS, number(EOF) + text(b"") + text(b"")
        return DATA, text(self.data[at:at + min(most, self.length(at))])

    def answer(self, kind, request):
        if kind == REALPATH:
            return NAME, number(1) + text(b"/") + text(b"/") + number(0)
        if kind == OPEN:
            return HANDLE, text(b"h")
        if kind in (STAT, FSTAT):
            return ATTRS, struct.pack(">IQ", 1, len(self.data))
        if kind == READ:
            return self.read(request)
        return STATUS, number(OK if kind == CLOSE else UNSUPPORTED) + text(b"") + text(b"")

    def run(self, source, sink):
        while len(head := source.read(5)) == 5:
            length, kind = struct.unpack(">IB", head)
            body = source.read(length - 1)
            kind, body = (VERSION, number(3)) if kind == INIT else (lambda k, b: (k, body[:4] + b))(*self.answer(kind, body[4:]))
            sink.write(struct.pack(">IB", len(body) + 1, kind) + body)
            sink.flush()


if __name__ == "__main__":
    Short(*sys.argv[1:]).run(sys.stdin.buffer, sys.stdout.buffer)
