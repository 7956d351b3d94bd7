#!/usr/bin/env python3
"""A server of HTTP/3 by aioquic that does what a path asks for.

usage: h3_peer.py CERT KEY READY FOLDER PORT[:KIND]...

Kinds of ports: `retry` (the client's address is to be proved first), `hasty` (silence of HASTY seconds ends a connection),
`single` (a stream at a time), `untabled` (no table of QPACK for what a client sends), and the lies of h3_lies.py.

  /play/...       exactly these steps (h3_play.py)        /at/...         the same at the head of the request
  /bytes/N        N bytes, 0 to 255 over and over         /echo           the request's body
  /name.bin       a file of FOLDER                        /fields         the request's fields, a line each
  /hang/N         N bytes of a longer body, then silence  /trailers       a body and a trailer
  /interim        two interim responses first             /early          a response before the request's end
  /reset/CODE/N   RESET_STREAM after N bytes (N = -1: before the head)
  /stop/CODE      STOP_SENDING, and no response           /short          less of the body than its length says
  /goaway         answers and sends GOAWAY                /refuse/N       refuses (H3_REQUEST_REJECTED) the first N of them
  /once/NAME      refuses the first one of this name, and answers with the body of the others
  /slow/SECONDS   an answer after that
  /close/CODE     CONNECTION_CLOSE with this error        /drop           forgets the connection: it is silent from then on
  /resumed        whether the connection resumes a TLS session
"""
import asyncio
import functools
import os
import sys

from aioquic.asyncio import QuicConnectionProtocol, serve
from aioquic.buffer import encode_uint_var
from aioquic.h3.connection import H3_ALPN, FrameType, H3Connection, encode_frame
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ProtocolNegotiated, StopSendingReceived, StreamReset

from h3_lies import LIES
from h3_play import Player

HASTY = 2
REJECTED = 0x10b
refused, rejected = 0, set()


def pattern(n):
    return (bytes(range(256)) * (n // 256 + 1))[:n]


class Request:
    def __init__(self, stream, fields):
        self.stream, self.fields, self.body = stream, dict(fields), bytearray()
        self.lines = fields
        self.path = self.fields.get(b":path", b"/").decode()


class UntabledConnection(H3Connection):
    """It lets the client have no table of QPACK, and no stream wait for one."""

    def _init_connection(self):
        self._max_table_capacity = self._blocked_streams = 0
        super()._init_connection()


class Peer(QuicConnectionProtocol):
    def __init__(self, kind, quic, **kw):
        super().__init__(quic, **kw)
        self.http, self.requests, self.folder, self.silent, self.resets = None, {}, sys.argv[4], False, False
        self.kind, self.echoes = kind, set()
        LIES.get(kind, lambda _: None)(quic)

    def datagram_received(self, data, addr):
        if not self.silent:
            super().datagram_received(data, addr)
        elif self.resets:
            self.send_reset()

    def _handle_timer(self):
        if not self.silent:
            super()._handle_timer()

    def send_now(self, datagram):
        self._transport.sendto(datagram, self._quic._network_paths[0].addr)

    def send_reset(self):
        """A stateless reset (RFC 9000 section 10.3) for each connection ID that the client may use."""
        for one in self._quic._host_cids:
            self.send_now(b"\x40" + os.urandom(30) + one.stateless_reset_token)

    def quic_event_received(self, event):
        if isinstance(event, ProtocolNegotiated):
            self.http = (UntabledConnection if self.kind == "untabled" else H3Connection)(self._quic)
        if isinstance(event, (StreamReset, StopSendingReceived)):
            self.requests.pop(event.stream_id, None)
        if not self.http:
            return
        for e in self.http.handle_event(event):
            if isinstance(e, HeadersReceived) and e.stream_id not in self.requests:
                self.requests[e.stream_id] = Request(e.stream_id, e.headers)
                self.begun(self.requests[e.stream_id])
            elif isinstance(e, HeadersReceived):
                self.requests[e.stream_id].lines = self.requests[e.stream_id].lines + e.headers
            elif isinstance(e, DataReceived) and e.stream_id in self.requests:
                self.requests[e.stream_id].body += e.data
            if getattr(e, "stream_ended", False) and e.stream_id in self.requests:
                self.ended(self.requests.pop(e.stream_id))
        if not self.silent:
            self.transmit()

    # ---- what a request gets

    def head(self, r, length=None, status=b"200", more=()):
        fields = [(b":status", status), (b"server", b"aioquic"), *more]
        if length is not None:
            fields.append((b"content-length", str(length).encode()))
        self.http.send_headers(r.stream, fields)

    def answer(self, r, body, status=b"200"):
        self.head(r, len(body), status)
        self.http.send_data(r.stream, bytes(body), True)

    def begun(self, r):
        """At its head."""
        global refused
        what, *rest = r.path.strip("/").split("/")
        if what == "early":
            self.answer(r, b"early\n")
        elif what == "stop":
            self._quic.stop_stream(r.stream, int(rest[0]))
        elif what == "refuse" and refused < int(rest[0]):
            refused += 1
            self._quic.reset_stream(r.stream, REJECTED)
            self._quic.stop_stream(r.stream, REJECTED)
            del self.requests[r.stream]
        elif what == "once" and rest[0] not in rejected:
            rejected.add(rest[0])
            self._quic.reset_stream(r.stream, REJECTED)
            self._quic.stop_stream(r.stream, REJECTED)
            del self.requests[r.stream]
        elif what == "drop":
            self.silent = True
        elif what == "at":
            Player(self, r.stream).play(rest)

    def ended(self, r):
        """At its end."""
        what, *rest = r.path.strip("/").split("/")
        act = getattr(self, "do_" + what, None)
        if what.endswith((".bin", ".txt")):
            with open(os.path.join(self.folder, what), "rb") as f:
                self.answer(r, f.read())
        elif what == "at" and r.stream in self.echoes:
            self.answer(r, r.body)
        elif what == "play":
            Player(self, r.stream).play(rest)
        elif act:
            act(r, *rest)
        elif what not in ("early", "drop", "stop", "at"):
            self.answer(r, b"none\n", b"404")

    def do_bytes(self, r, n):
        self.answer(r, pattern(int(n)))

    def do_refuse(self, r, _):
        self.answer(r, b"taken\n")

    def do_once(self, r, _):
        self.answer(r, r.body or b"taken\n")

    def do_echo(self, r):
        self.answer(r, r.body)

    def do_fields(self, r):
        self.answer(r, b"".join(n + b": " + v + b"\n" for n, v in r.lines))

    def do_hang(self, r, n):
        self.head(r, int(n) + 1000)
        self.http.send_data(r.stream, pattern(int(n)), False)

    def do_short(self, r):
        self.head(r, 100)
        self.http.send_data(r.stream, b"short", True)

    def do_trailers(self, r):
        self.head(r)
        self.http.send_data(r.stream, b"body\n", False)
        self.http.send_headers(r.stream, [(b"x-sum", b"7")], True)

    def do_interim(self, r):
        """aioquic takes a second head for trailers."""
        for link in b"</a>", b"</b>":
            block = self.http._encode_headers(r.stream, [(b":status", b"103"), (b"link", link)])
            self._quic.send_stream_data(r.stream, encode_frame(FrameType.HEADERS, block))
        self.answer(r, b"final\n")

    def do_resumed(self, r):
        self.answer(r, b"resumed" if self._quic.tls.session_resumed else b"full")

    def do_reset(self, r, code, n):
        if int(n) >= 0:
            self.head(r, 100000)
            if int(n):
                self.http.send_data(r.stream, pattern(int(n)), False)
        self.transmit()
        self._quic.reset_stream(r.stream, int(code))

    def do_goaway(self, r):
        self.answer(r, b"last\n")
        frame = encode_frame(FrameType.GOAWAY, encode_uint_var(r.stream + 4))
        self._quic.send_stream_data(self.http._local_control_stream_id, frame)

    def do_slow(self, r, seconds):
        def answer():
            self.answer(r, b"slow\n")
            self.transmit()
        asyncio.get_running_loop().call_later(float(seconds), answer)

    def do_close(self, r, code):
        self._quic.close(error_code=int(code), reason_phrase="as asked")


async def listen(port, cert, key, kind=None):
    more = {"hasty": {"idle_timeout": HASTY}, "versions": {"supported_versions": [0x0a1a2a3a]}}.get(kind, {})
    config = QuicConfiguration(is_client=False, alpn_protocols=H3_ALPN, max_datagram_size=1350, **more)
    config.load_cert_chain(cert, key)
    tickets = {}
    await serve("127.0.0.1", int(port), configuration=config, create_protocol=functools.partial(Peer, kind),
                retry=kind == "retry", session_ticket_fetcher=lambda label: tickets.pop(label, None),
                session_ticket_handler=lambda t: tickets.update({t.ticket: t}))


async def main():
    cert, key, ready, _, *ports = sys.argv[1:]
    for port in ports:
        port, _, kind = port.partition(":")
        await listen(port, cert, key, kind)
    with open(ready, "w", encoding="ascii"):
        pass
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
