"""The server's side of mux (mux.h): frames, and a server that answers many streams at once.

Serve() is a step for the servers of tests/e2e/script.py. Paths: /size/N a body of N bytes, /half its first 9 bytes
and no end, /stall nothing, /status/N the end with that status, /echo the client's body. What a test wants
otherwise it writes as a function of a Mux.
"""

import collections
import struct

from mote_driver import pattern
from script import Call, Mismatch, ScriptServer, Step

WINDOW = 16384
PIECE = 5000
HAS_BODY = 1

Frame = collections.namedtuple("Frame", "type stream payload flags")


def frame(kind, stream=0, payload=b"", flags=0, length=None):
    """A frame's bytes; a number is a payload of four bytes."""
    if isinstance(payload, int):
        payload = struct.pack(">I", payload)
    return struct.pack(">cBHI", kind.encode(), flags, stream, len(payload) if length is None else length) + payload


class Mux:
    """The frames of a connection, and the record of them."""

    def __init__(self, peer):
        self.peer = peer
        self.frames = peer.frames = getattr(peer, "frames", [])

    def read(self):
        kind, flags, stream, length = struct.unpack(">cBHI", self.peer.take(8))
        if length > 1024:
            raise Mismatch(f"a frame of {length} bytes")
        f = Frame(kind.decode("latin-1"), stream, self.peer.take(length), flags)
        self.frames.append(f)
        return f

    def expect(self, kind, stream=None, payload=None):
        """Reads until such a frame has come; credit may come before it."""
        while True:
            f = self.read()
            if f.type == kind:
                break
            if f.type != "W":
                raise Mismatch(f"got {f}, expected {kind}")
        if (stream is not None and f.stream != stream) or (payload is not None and f.payload != payload):
            raise Mismatch(f"got {f}, expected {kind} {stream} {payload!r}")
        return f

    def opened(self, count):
        """{path: stream} of so many streams."""
        return {f.payload.decode(): f.stream for f in (self.expect("O") for _ in range(count))}

    def send(self, kind, stream=0, payload=b"", flags=0, length=None):
        self.peer.send(frame(kind, stream, payload, flags, length))


class Stream:
    def __init__(self, path):
        self.path = path
        self.data, self.status, self.ends = b"", 0, True
        self.window, self.taken, self.body = WINDOW, 0, b""
        kind, _, rest = path[1:].partition("/")
        self.echo = kind == "echo"
        if kind == "size":
            self.data = pattern(int(rest))
        elif kind == "half":
            self.data, self.ends = b"half of it"[:9], False
        elif kind == "status":
            self.status = int(rest)
        else:
            self.ends = False


class Serve(Step):
    """Answers every stream, a piece of each in turn, until the client closes. after: called with the Mux whenever nothing
    is left to send."""

    may_be_left = True

    def __init__(self, after=None):
        self.after = after

    def run(self, peer):
        mux, streams = Mux(peer), {}
        while True:
            if not any([self.advance(mux, streams, i) for i in list(streams)]):
                if self.after:
                    self.after(mux)
                self.take(mux, streams, mux.read())

    def advance(self, mux, streams, i):
        """Sends a piece of the stream; False: nothing can be sent."""
        s = streams[i]
        n = min(PIECE, s.window, len(s.data))
        if n:
            mux.send("B", i, s.data[:n])
            s.data, s.window = s.data[n:], s.window - n
        if s.data or not s.ends:
            return n > 0
        mux.send("E", i, s.status)
        del streams[i]
        return True

    def take(self, mux, streams, f):
        if f.type == "O":
            if f.stream in streams or f.stream % 2 != 1:
                raise Mismatch(f"opened: {f}")
            streams[f.stream] = Stream(f.payload.decode())
        s = streams.get(f.stream)
        if f.type not in "OBEWRPQ":
            raise Mismatch(f"got {f}")
        if f.type == "P":
            mux.send("Q", 0, f.payload)
        if not s:
            return
        if f.type == "W":
            s.window += struct.unpack(">I", f.payload)[0]
            if s.window > WINDOW:
                raise Mismatch(f"the window is larger than it was: {s.window}")
        elif f.type == "R":
            del streams[f.stream]
        elif f.type == "B":
            self.take_body(mux, s, f)
        elif f.type == "E" and s.echo:
            s.data, s.ends = s.body, True

    def take_body(self, mux, s, f):
        s.body += f.payload
        s.taken += len(f.payload)
        if s.taken > WINDOW:
            raise Mismatch("more than the window")
        if s.taken > WINDOW // 2:
            mux.send("W", f.stream, s.taken)
            s.taken = 0


class MuxServer(ScriptServer):
    def url(self, path="/"):
        return f"mux{'s' if self.tls else ''}://127.0.0.1:{self.port}{path}"

    def play(self, function):
        """One more connection, which this function of a Mux serves; unless it has closed it, it is held until the client
        does."""
        def serve(peer):
            function(Mux(peer))
            if peer.sock is not None:
                peer.drain(keep=True)
        return self.script(Call(serve))

