"""WebSocket for the servers of script.py (RFC 6455): the handshake, and frames as bytes."""

import base64
import hashlib
import struct

from script import Mismatch, Step

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
# CURLWS_*
WS_TEXT, WS_BINARY, WS_CONT, WS_CLOSE, WS_PING, WS_OFFSET, WS_PONG = 1, 2, 4, 8, 16, 32, 64
RAW_MODE, NOAUTOPONG = 1, 2


def frame(opcode, payload=b"", final=True, reserved=0, mask=None, length=None, width=None):
    """A frame as a server sends it. length: another one than the payload has; width: bytes of it, 0, 2 or 8."""
    n = len(payload) if length is None else length
    width = width if width is not None else 0 if n < 126 else 2 if n < 65536 else 8
    second = n if width == 0 else 126 if width == 2 else 127
    head = bytes([(0x80 if final else 0) | reserved << 4 | opcode, second | (0x80 if mask else 0)])
    head += n.to_bytes(width, "big") if width else b""
    if mask:
        payload = bytes(b ^ mask[i % 4] for i, b in enumerate(payload))
    return head + (mask or b"") + payload


def accept_of(key):
    return base64.b64encode(hashlib.sha1((key + GUID).encode("latin-1")).digest()).decode("ascii")


class Handshake(Step):
    """Reads the client's handshake and accepts it. `with_head`: bytes that leave together with the head."""

    def __init__(self, with_head=b"", accept=None, fields=(), status="101 Switching Protocols", version="HTTP/1.1",
                 lines=("Upgrade: websocket", "Connection: Upgrade")):
        self.with_head, self.accept, self.fields, self.status = with_head, accept, fields, status
        self.version, self.lines = version, lines

    def run(self, peer):
        request = peer.read_head()
        want = {"upgrade": "websocket", "sec-websocket-version": "13"}
        for name, value in want.items():
            if (request.header(name) or "").lower() != value:
                raise Mismatch(f"{name} in {request.head!r}")
        if "upgrade" not in (request.header("Connection") or "").lower():
            raise Mismatch(f"Connection in {request.head!r}")
        if request.header("Content-Length") or request.header("Transfer-Encoding"):
            raise Mismatch(f"a handshake with a body: {request.head!r}")
        key = request.header("Sec-WebSocket-Key")
        accept = accept_of(key) if self.accept is None else self.accept
        lines = [f"{self.version} {self.status}", *self.lines]
        if accept:
            lines.append(f"Sec-WebSocket-Accept: {accept}")
        lines += self.fields
        peer.send("\r\n".join(lines + ["", ""]).encode("latin-1") + self.with_head)


def read_frame(peer):
    """(first byte, payload) of a client's frame, which is masked (section 5.1)."""
    first, second = peer.take(2)
    if not second & 0x80:
        raise Mismatch("a frame without a mask")
    n = second & 0x7f
    if n == 126:
        n, = struct.unpack(">H", peer.take(2))
    elif n == 127:
        n, = struct.unpack(">Q", peer.take(8))
    mask = peer.take(4)
    masked = peer.take(n)
    pad = (mask * (n // 4 + 1))[:n]
    payload = (int.from_bytes(masked, "big") ^ int.from_bytes(pad, "big")).to_bytes(n, "big")
    if hasattr(peer, "masks"):
        peer.masks.append(mask)
    return first, payload


class ReadFrame(Step):
    """A frame of the client: opcode, payload, whether it is final."""

    def __init__(self, opcode, payload=b"", final=True):
        self.want = ((0x80 if final else 0) | opcode, payload)

    def run(self, peer):
        got = read_frame(peer)
        if got != self.want:
            raise Mismatch(f"the frame {got[0]:#x} {got[1][:100]!r} of {len(got[1])}, "
                           f"not {self.want[0]:#x} {self.want[1][:100]!r} of {len(self.want[1])}")


class Echo(Step):
    """Sends the messages of the client back until it sends a close frame, which is answered."""

    def run(self, peer):
        while True:
            first, payload = read_frame(peer)
            peer.send(frame(first & 0xf, payload, final=bool(first & 0x80)))
            if first & 0xf == CLOSE:
                return
