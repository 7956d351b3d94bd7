"""The server's side of HTTP/2 (RFC 9113), frame by frame: what a test sends is exact bytes, right or wrong.

`H2Server.play(function)` serves one connection with a function of an H2; `Serve()` is a step that answers every stream,
a piece of each in turn, within the client's windows. Paths of Serve: /size/N a body of N bytes, /echo the request's body,
/fields its field lines, /stall nothing, /half a body that does not end, /status/N that status without a body.
Cleartext by prior knowledge, by upgrade (`upgraded`), and TLS with ALPN (`certs.context(alpn=["h2"])`).
"""

import collections
import contextlib
import select
import ssl
import struct

from mote_driver import pattern
from script import Call, Gone, Mismatch, Step
from server import HttpPeer, Server

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
NAMES = ("DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH_PROMISE", "PING", "GOAWAY", "WINDOW_UPDATE",
         "CONTINUATION")
END_STREAM, ACK, END_HEADERS, PADDED, WITH_PRIORITY = 1, 1, 4, 8, 32
HEADER_TABLE_SIZE, ENABLE_PUSH, MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE, MAX_HEADER_LIST_SIZE = range(1, 7)
(NO_ERROR, PROTOCOL_ERROR, INTERNAL_ERROR, FLOW_CONTROL_ERROR, SETTINGS_TIMEOUT, STREAM_CLOSED, FRAME_SIZE_ERROR,
 REFUSED_STREAM, CANCEL, COMPRESSION_ERROR, CONNECT_ERROR, ENHANCE_YOUR_CALM, INADEQUATE_SECURITY, HTTP_1_1_REQUIRED) = range(14)
WINDOW = 65535
PIECE = 16384
KEPT_FRAMES = 200_000
VERSION_2_0, VERSION_2TLS, PRIOR_KNOWLEDGE = 3, 4, 5  # of CURLOPT_HTTP_VERSION


class Frame(collections.namedtuple("Frame", "type flags stream payload")):
    @property
    def name(self):
        return NAMES[self.type] if self.type < len(NAMES) else f"type {self.type}"

    @property
    def number(self):
        """What a frame of one number says: RST_STREAM's error code, WINDOW_UPDATE's increment."""
        return struct.unpack(">I", self.payload[:4])[0]

    def __repr__(self):
        return f"<{self.name} flags {self.flags:#x} stream {self.stream} {self.payload[:60]!r}>"


def frame(kind, stream=0, payload=b"", flags=0, length=None):
    """A frame's bytes; a payload that is a number is four bytes; `length` lies about it."""
    if isinstance(payload, int):
        payload = struct.pack(">I", payload)
    n = len(payload) if length is None else length
    return struct.pack(">BHBBI", n >> 16, n & 0xffff, kind, flags, stream) + payload


def settings(values=(), flags=0):
    """A SETTINGS frame; values: {identifier: value} or pairs."""
    pairs = values.items() if isinstance(values, dict) else values
    return frame(SETTINGS, 0, b"".join(struct.pack(">HI", k, v) for k, v in pairs), flags)


def goaway(last=0, code=NO_ERROR, debug=b""):
    return frame(GOAWAY, 0, struct.pack(">II", last, code) + debug)


def integer(value, bits, first=0):
    """HPACK's integer (RFC 7541, 5.1)."""
    most = (1 << bits) - 1
    if value < most:
        return bytes([first | value])
    out = bytearray([first | most])
    value -= most
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def text(value):
    data = value if isinstance(value, bytes) else value.encode("latin-1")
    return integer(len(data), 7) + data


def field(name, value, first=0):
    """A field as a literal with a literal name; first 0x40: the table keeps it."""
    return bytes([first]) + text(name) + text(value)


def block(fields):
    """A field block of literals, which no table keeps: exactly these bytes, allowed or not."""
    return b"".join(field(name, value) for name, value in fields)


def head(stream, fields, end=False, flags=END_HEADERS, kind=HEADERS, before=b""):
    """A HEADERS frame of a list of fields, or of a block's bytes."""
    payload = fields if isinstance(fields, bytes) else block(fields)
    return frame(kind, stream, before + payload, flags | (END_STREAM if end else 0))


def status(code, *fields):
    return [(":status", str(code)), *fields]


def frames_of(data):
    """The frames in a record of bytes, those after the preface."""
    start = data.find(PREFACE)
    data = data[start + len(PREFACE):] if start >= 0 else b""
    out, at = [], 0
    while len(data) - at >= 9:
        high, low, kind, flags, stream = struct.unpack(">BHBBI", data[at:at + 9])
        n = high << 16 | low
        out.append(Frame(kind, flags, stream, data[at + 9:at + 9 + n]))
        at += 9 + n
    return out


class Stream:
    """A request, and how far its answer is."""

    def __init__(self, number, window):
        self.id, self.window = number, window
        self.fields, self.trailers, self.priority = [], [], None
        self.body, self.ended, self.reset = bytearray(), False, None
        self.answer = None          # Serve: [bytes, sent so far, whether the stream ends after them]

    def all(self, name):
        return [v for n, v in self.fields if n == name]

    def header(self, name):
        values = self.all(name)
        if len(values) > 1:
            raise Mismatch(f"{name} sent {len(values)} times: {values}")
        return values[0] if values else None

    @property
    def method(self):
        return self.header(":method")

    @property
    def path(self):
        return self.header(":path")

    @property
    def names(self):
        return [n for n, v in self.fields]

    def __repr__(self):
        return f"<stream {self.id} {self.fields} + {len(self.body)} bytes>"


class H2:
    """A connection: reads frames, does what each connection needs (acknowledges SETTINGS and PING, counts windows),
    keeps the record. `quiet`: acknowledges nothing and gives no credit by itself."""

    def __init__(self, peer, quiet=False, preface=True, credit=True):
        import hpack  # a package of its own: other tests do without
        self.peer, self.quiet, self.credit = peer, quiet, credit
        self.frames = peer.frames = []
        self.streams = peer.streams = {}
        self.decoder = hpack.Decoder()
        self.decoder.max_header_list_size = 1 << 24
        self.settings = {}
        self.initial, self.window, self.piece = WINDOW, WINDOW, PIECE
        self.partial = None
        if preface:
            got = peer.take(len(PREFACE))
            if got != PREFACE:
                raise Mismatch(f"not the preface: {got!r}")

    def start(self, values=(), window=0):
        """The server's part of the preface, and the client's SETTINGS; window: credit for the whole connection."""
        self.send(settings(values) + (frame(WINDOW_UPDATE, 0, window) if window else b""))
        self.expect(SETTINGS, flags=0)
        return self

    def send(self, *data):
        self.peer.send(b"".join(data))

    # ---- reading
    def read(self):
        high, low, kind, flags, stream = struct.unpack(">BHBBI", self.peer.take(9))
        f = Frame(kind, flags, stream, self.peer.take(high << 16 | low))
        if len(f.payload) > PIECE:
            raise Mismatch(f"a frame of {len(f.payload)} bytes")
        if self.partial and kind != CONTINUATION:
            raise Mismatch(f"got {f} within a head")
        if len(self.frames) < KEPT_FRAMES:
            self.frames.append(f)
        handler = (self._data, self._headers, None, self._reset, self._settings, self._never, self._ping, None, self._update,
                   self._continuation)[kind] if kind < 10 else None
        if handler:
            handler(f)
        return f

    def _never(self, f):
        raise Mismatch(f"got {f}")

    def _data(self, f):
        s = self.streams.get(f.stream)
        if not s or s.ended:
            raise Mismatch(f"got {f}, whose stream is not open")
        s.body += unpadded(f)
        s.ended = bool(f.flags & END_STREAM)
        if self.credit and not self.quiet and f.payload:
            self.send(frame(WINDOW_UPDATE, 0, len(f.payload)),
                      b"" if s.ended else frame(WINDOW_UPDATE, f.stream, len(f.payload)))

    def _headers(self, f):
        payload = unpadded(f)
        priority = None
        if f.flags & WITH_PRIORITY:
            dependency, weight = struct.unpack(">IB", payload[:5])
            priority, payload = (dependency & 0x7fffffff, weight + 1, dependency >> 31), payload[5:]
        self.partial = (f, priority, payload)
        if f.flags & END_HEADERS:
            self._head()

    def _continuation(self, f):
        first, priority, payload = self.partial
        self.partial = (first, priority, payload + f.payload)
        if f.flags & END_HEADERS:
            self._head()

    def _head(self):
        (f, priority, payload), self.partial = self.partial, None
        fields = [(n, v) for n, v in ((as_text(n), as_text(v)) for n, v in self.decoder.decode(payload, raw=True))]
        s = self.streams.get(f.stream)
        if s is None:
            if f.stream % 2 != 1 or any(i > f.stream for i in self.streams if i % 2):
                raise Mismatch(f"opened: {f}")
            s = self.streams[f.stream] = Stream(f.stream, self.initial)
            s.fields, s.priority = fields, priority
        else:
            s.trailers = fields
        s.ended = bool(f.flags & END_STREAM)

    def _reset(self, f):
        if f.stream in self.streams:
            self.streams[f.stream].reset = f.number

    def _settings(self, f):
        if f.flags & ACK:
            return
        for at in range(0, len(f.payload), 6):
            key, value = struct.unpack(">HI", f.payload[at:at + 6])
            self.settings[key] = value
            if key == INITIAL_WINDOW_SIZE:
                for s in self.streams.values():
                    s.window += value - self.initial
                self.initial = value
        if not self.quiet:
            self.send(settings(flags=ACK))

    def _ping(self, f):
        if not f.flags & ACK and not self.quiet:
            self.send(frame(PING, 0, f.payload, ACK))

    def _update(self, f):
        if not f.number:
            raise Mismatch("a WINDOW_UPDATE of nothing")
        if not f.stream:
            self.window += f.number
            if self.window > 0x7fffffff:
                raise Mismatch("the connection's window is too large")
        elif f.stream in self.streams:
            self.streams[f.stream].window += f.number

    def expect(self, kind, stream=None, flags=None, allow=(WINDOW_UPDATE, SETTINGS, PRIORITY, PING)):
        """Reads until such a frame has come; before it only those of `allow` may come."""
        while True:
            f = self.read()
            if f.type == kind and stream in (None, f.stream) and flags in (None, f.flags):
                return f
            if f.type not in allow:
                raise Mismatch(f"got {f}, expected {NAMES[kind]} {stream}")

    def until(self, condition):
        while not condition():
            self.read()

    def request(self, whole=True):
        """The next stream, whose head has come (and with `whole` its body)."""
        known = len(self.streams)
        self.until(lambda: len(self.streams) > known)
        s = list(self.streams.values())[-1]
        if whole:
            self.until(lambda: s.ended or s.reset is not None)
        return s

    def requests(self, count):
        """So many streams more -> {path: Stream}."""
        return {s.path: s for s in (self.request() for _ in range(count))}

    def barrier(self, mark=b"barrier!"):
        """Returns when the client has handled everything that was sent before: it answers a PING."""
        self.send(frame(PING, 0, mark))
        while True:
            f = self.read()     # not the answer to an earlier one of the same mark
            if f.type == PING and f.flags & ACK and f.payload == mark:
                return

    # ---- answering
    def respond(self, s, code=200, body=b"", *fields, end=True):
        """A whole response within the windows."""
        self.send(head(s.id, status(code, *fields), end=end and not body))
        if body:
            self.data(s, body, end)

    def promise(self, s, number, fields, flags=END_HEADERS):
        """Promises a response as stream `number`, which the client may reset: its Stream."""
        pushed = self.streams[number] = Stream(number, self.initial)
        pushed.fields, pushed.ended = fields, True
        self.send(frame(PUSH_PROMISE, s.id, struct.pack(">I", number) + block(fields), flags))
        return pushed

    def data(self, s, body, end=True, piece=PIECE):
        """DATA frames within the client's windows."""
        at = 0
        while at < len(body) and s.reset is None:
            n = min(piece, len(body) - at, s.window, self.window)
            if n <= 0:
                self.read()
                continue
            s.window -= n
            self.window -= n
            self.send(frame(DATA, s.id, body[at:at + n], END_STREAM if end and at + n == len(body) else 0))
            at += n

    def waiting(self):
        """Whether bytes have come that are not read."""
        sock = self.peer.sock
        return bool(self.peer.buffer) or isinstance(sock, ssl.SSLSocket) and sock.pending() > 0 \
            or bool(select.select([sock], [], [], 0)[0])


def unpadded(f):
    if not f.flags & PADDED:
        return f.payload
    return f.payload[1:len(f.payload) - f.payload[0]]


def as_text(value):
    return value.decode("latin-1") if isinstance(value, bytes) else value


def upgraded(peer):
    """Reads a request of HTTP/1.1 that offers h2c, accepts, and gives the H2 whose stream 1 has that request."""
    request = peer.read_head()
    if request.header("Upgrade") != "h2c":
        raise Mismatch(f"no upgrade: {request}")
    peer.read_body(request)
    peer.send(b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
    h2 = H2(peer)
    s = h2.streams[1] = Stream(1, WINDOW)
    s.fields = [(":method", request.method), (":path", request.target), *((n.lower(), v) for n, v in request.headers)]
    s.body, s.ended = bytearray(request.body), True
    return h2


def answer_by_path(s):
    """(status, fields, body, whether it ends) by the request's path; None: nothing yet."""
    kind, _, rest = s.path[1:].partition("/")
    if kind == "size":
        n = int(rest.partition("?")[0])
        return 200, [("content-length", str(n))], pattern(n), True
    if kind == "status":
        return int(rest), [], b"", True
    if kind == "half":
        return 200, [("content-length", "100")], b"half of it", False
    if kind == "fields":
        return 200, [], "".join(f"{n}: {v}\n" for n, v in s.fields).encode("latin-1"), True
    if kind == "echo":
        return (200, [], bytes(s.body), True) if s.ended else None
    if kind == "stall":
        return None
    raise Mismatch(f"asked for {s.path}")


@contextlib.contextmanager
def what_is_left(peer):
    """The client may close while the server sends; the frames that came before that are no mismatch."""
    try:
        yield
    except Gone:
        peer.drain(keep=True)
        peer.buffer = b""
        raise


class Serve(Step):
    """Answers every stream until the client closes. settings, window: see H2.start. answer: a function of a Stream as
    `answer_by_path`; order: called with the streams that have something to send, gives their order; made: how the H2 is
    made from the peer."""

    may_be_left = True

    def __init__(self, values=(), window=0, answer=answer_by_path, order=None, made=H2):
        self.values, self.window, self.answer, self.order, self.made = values, window, answer, order, made

    def run(self, peer):
        with what_is_left(peer):
            self.serve(self.made(peer))

    def serve(self, h2):
        if isinstance(h2, H2) and h2.frames == []:
            h2.send(settings(self.values) + (frame(WINDOW_UPDATE, 0, self.window) if self.window else b""))
        fresh = set(h2.streams)
        sending = {}
        while True:
            while not sending or h2.waiting():
                self.take(h2, sending, fresh)
            if not self.round(h2, sending):
                self.take(h2, sending, fresh)

    def take(self, h2, sending, fresh):
        if not fresh:
            f = h2.read()
            if f.type in (HEADERS, CONTINUATION, DATA):
                fresh.add(f.stream)
            elif f.type == RST_STREAM:
                sending.pop(f.stream, None)
        for i in list(fresh):
            fresh.discard(i)
            s = h2.streams.get(i)
            if s and s.answer is None and s.reset is None:
                found = self.answer(s)
                if found:
                    code, fields, body, ends = found
                    h2.send(head(i, status(code, *fields), end=ends and not body))
                    s.answer = [body, 0, ends]
                    if body:
                        sending[i] = s

    def round(self, h2, sending):
        """Sends a piece of each stream; False: no window has room."""
        done = False
        out = []
        for s in (self.order(list(sending.values())) if self.order else list(sending.values())):
            body, at, ends = s.answer
            n = min(h2.piece, len(body) - at, s.window, h2.window)
            if n <= 0:
                continue
            s.window -= n
            h2.window -= n
            s.answer[1] = at + n
            last = at + n == len(body)
            out.append(frame(DATA, s.id, body[at:at + n], END_STREAM if last and ends else 0))
            if last:
                del sending[s.id]
            done = True
        if out:
            h2.send(*out)
        return done


def part(function, values=(), window=0, start=True, made=H2, may_leave=False, **kw):
    """A step: this function of an H2. may_leave: the client may close while it runs."""
    def serve(peer):
        h2 = made(peer, **kw)
        if start:
            h2.start(values, window)
        with what_is_left(peer):
            function(h2)
        if peer.sock is not None:
            peer.drain(keep=True)
    step = Call(serve)
    step.may_be_left = may_leave
    return step


class H2Server(Server):
    """A web server of HTTP/2. The steps of HTTP/1.1 work on its connections too."""

    peer_class = HttpPeer

    def play(self, function, **kw):
        """One more connection, which this function of an H2 serves; then it is held until the client closes it."""
        return self.script(part(function, **kw))

    @property
    def options(self):
        """What a handle needs to speak HTTP/2 to it."""
        return {"HTTP_VERSION": PRIOR_KNOWLEDGE, **({"SSL_VERIFYPEER": 0} if self.tls else {})}

    @property
    def streams(self):
        """The streams of each connection, after the driver has ended."""
        self.settle()
        return [list(getattr(c, "streams", {}).values()) for c in self.connections]

    def sent(self, number=0):
        """Every frame that the client has sent on a connection, after the driver has ended."""
        self.settle()
        return frames_of(self.connections[number].received)
