"""The figures of WebSocket, without TLS: a server of frames that are sent back, or of 64 KB that are sent again and again."""
import base64
import hashlib
import os

import listener

from .figure import gives
from .programs import BIN
from .subject import line_of, values
from .watch import callgrind, strace

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
PIECE = 65536
MUCH = 1024  # messages of 64 KB


def head(size):
    if size < 126:
        return bytes([0x82, size])
    return bytes([0x82, 126]) + size.to_bytes(2, "big") if size < 65536 else bytes([0x82, 127]) + size.to_bytes(8, "big")


class Server(listener.Server):
    """ /echo sends each message back, /pour sends MUCH of them. What is sent leaves in one piece."""

    def __init__(self):
        super().__init__()
        self.url = f"ws://127.0.0.1:{self.port}"

    def serve(self, client):
        stream = client.makefile("rb", 1 << 20)
        lines = [stream.readline()]
        while lines[-1].strip():
            lines.append(stream.readline())
        key = next(line.split(b":")[1].strip() for line in lines if line.lower().startswith(b"sec-websocket-key"))
        accept = base64.b64encode(hashlib.sha1(key + GUID).digest())
        client.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                       b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
        if b"/pour" in lines[0]:
            for _ in range(MUCH):
                client.sendall(head(PIECE) + b"x" * PIECE)
            stream.read(1)
            return
        while self.echo(client, stream):
            pass

    @staticmethod
    def echo(client, stream):
        first = stream.read(2)
        if len(first) < 2:
            return False
        size = first[1] & 127
        if size >= 126:
            size = int.from_bytes(stream.read(2 if size == 126 else 8), "big")
        mask = stream.read(4)
        pad = (mask * (size // 4 + 1))[:size]
        data = int.from_bytes(stream.read(size), "big") ^ int.from_bytes(pad, "big")
        client.sendall(head(size) + data.to_bytes(size, "big"))
        return True


def command(server, what, size, times):
    return [os.path.join(BIN, "ws"), f"{server.url}/{what}", "receive" if what == "pour" else what, str(size), str(times)]


def phases(s, *what):
    """Phases of bench/ws: {name: values}."""
    with Server() as server:
        p = s.run(command(server, *what), counted=True)
    s.check(p, line_of(p.stdout, "result").get("messages") == what[-1])
    return {line.split()[0][len("phase="):]: values(line) for line in p.stdout.splitlines() if line.startswith("phase=")}


@gives("ws_handshake_allocs", "ws_message_bytes", "ws_peak")
def websocket(s):
    small, much = phases(s, "echo", 32, 10), phases(s, "pour", PIECE, MUCH)
    return {"ws_handshake_allocs": small["handshake"]["own_calls"],
            "ws_message_bytes": small["first"]["live"] - small["handshake"]["live"],
            "ws_peak": much["rest"]["peak"] - much["handshake"]["live"]}


def further(s, size, count):
    """What each of 100 further messages costs; the least of some runs, as a reply may be late."""
    def once():
        with Server() as server:
            few, many = (count(s, command(server, "echo", size, n)) for n in (10, 110))
        return (many - few) / 100
    return s.undisturbed(once, 40, 3)


def instructions(s, cmd):
    total, p = callgrind(s, cmd)
    s.check(p, line_of(p.stdout, "result"))
    return total


def calls(s, cmd):
    p, names = strace(s, cmd, "sendto,recvfrom,poll")
    s.check(p, line_of(p.stdout, "result"))
    return len(names)


@gives("instructions_ws", "instructions_ws_long", "system_calls_ws")
def instructions_websocket(s):
    return {"instructions_ws": further(s, 32, instructions), "instructions_ws_long": further(s, 60000, instructions),
            "system_calls_ws": further(s, 32, calls)}


COUNTED = [websocket, instructions_websocket]
