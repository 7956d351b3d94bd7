"""Bytes of HTTP/3 (RFC 9114), QPACK (RFC 9204) and QUIC (RFC 9000) as tests write them, right or wrong, and what h3_play.py
makes of them: play(steps) is a path that has a server of h3_peer.py send exactly these."""

(DATA, HEADERS, CANCEL_PUSH, SETTINGS, PUSH_PROMISE, GOAWAY, MAX_PUSH_ID) = 0, 1, 3, 4, 5, 7, 13
(NO_ERROR, GENERAL_PROTOCOL_ERROR, INTERNAL_ERROR, STREAM_CREATION_ERROR, CLOSED_CRITICAL_STREAM, FRAME_UNEXPECTED, FRAME_ERROR,
 EXCESSIVE_LOAD, ID_ERROR, SETTINGS_ERROR, MISSING_SETTINGS, REQUEST_REJECTED, REQUEST_CANCELLED, REQUEST_INCOMPLETE,
 MESSAGE_ERROR, CONNECT_ERROR, VERSION_FALLBACK) = range(0x100, 0x111)
LAST_ERROR = VERSION_FALLBACK
QPACK_ENCODER, QPACK_DECODER, PUSH_STREAM = 2, 3, 1  # types of unidirectional streams


def varint(n, size=None):
    """RFC 9000 section 16; size: more bytes than are needed."""
    for power, bits in enumerate((6, 14, 30, 62)):
        length = 1 << power
        if n < 1 << bits and length >= (size or 1):
            return (n | power << (8 * length - 2)).to_bytes(length, "big")
    raise ValueError(n)


def frame(kind, payload=b"", length=None):
    """A frame of HTTP/3; `length` lies about it."""
    return varint(kind) + varint(len(payload) if length is None else length) + payload


def prefixed(value, bits, first=0):
    """An integer with a prefix (RFC 7541 section 5.1)."""
    most = (1 << bits) - 1
    if value < most:
        return bytes([first | value])
    out, value = bytearray([first | most]), value - most
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def _bytes(text):
    return text if isinstance(text, bytes) else text.encode("latin-1")


def field(name, value):
    """A field as a literal with a literal name."""
    name, value = _bytes(name), _bytes(value)
    return prefixed(len(name), 3, 0x20) + name + prefixed(len(value), 7) + value


def section(*fields, prefix=b"\0\0"):
    """A field section that needs no table: exactly these fields, allowed or not. Bytes are taken as they are."""
    return prefix + b"".join(f if isinstance(f, bytes) else field(*f) for f in fields)


def head(*fields, status=200):
    """A HEADERS frame; status None: without :status."""
    first = () if status is None else ((":status", str(status)),)
    return frame(HEADERS, section(*first, *fields))


def data(payload):
    return frame(DATA, _bytes(payload))


def response(body=b"hello\n"):
    """A small response, whole."""
    return head(("content-length", str(len(body)))) + data(body)


def play(*steps, at_head=False):
    """A path. Steps: pairs of h3_play.py's words and their values; a bare word; bytes go to the request's stream."""
    words = []
    for step in steps:
        if isinstance(step, bytes):
            step = ("stream", step)
        elif isinstance(step, str):
            step = (step,)
        words.append(":".join([step[0], *(x.hex() if isinstance(x, bytes) else str(x) for x in step[1:])]))
    return "/".join(["/at" if at_head else "/play", *words])
