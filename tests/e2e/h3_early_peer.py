#!/usr/bin/env python3
"""h3_peer.py, which says whether a request came as early data (RFC 8446 section 2.3), and refuses that in several ways.

usage: h3_early_peer.py CERT KEY READY FOLDER PORT[:retry]

  /how         "early resumed 2": or "late", on a session that was "resumed" or "full", and how many requests have come on
               this connection; then the request's body
  /425         425 (RFC 8470) to a request that came as early data, else as /how
  /always      425 to each request
  /moved       302 to /how
  /mode/NAME   what connections that begin from now on get; forgets what has come so far
  /log         which requests have come since ("early GET /how"), a line each

Modes:

  whole     a session is resumed, with early data
  refused   a session is resumed, without
  unknown   no session is resumed
  fewer     early data is refused together with its session, and the server allows less than it did: one stream, 100 KB
  reset     a request that came as early data is refused (H3_REQUEST_REJECTED)
  cut       nothing goes to the client of a resumed session until a request has come, and nothing is taken from it afterwards.
            Such a transfer takes one round trip, or fails
  silent    nothing goes to the client of a resumed session
  burst     what goes to the client of a resumed session leaves 100 ms after the request's end, all at once, whatever QUIC allows,
            with an acknowledgement of the request, which aioquic sends when the handshake is over
"""
import asyncio
import functools
import sys

import h3_peer
from aioquic import tls
from aioquic.asyncio import serve
from aioquic.buffer import encode_uint_var
from aioquic.h3.connection import H3_ALPN
from aioquic.quic.configuration import QuicConfiguration
from h3_play import Player

state = {"mode": "whole", "log": []}


class Gate:
    """A transport that can hold back what it sends."""

    def __init__(self, transport):
        self.transport, self.shut, self.held = transport, False, []

    def sendto(self, data, addr):
        if self.shut:
            self.held.append((data, addr))
        else:
            self.transport.sendto(data, addr)

    def open(self):
        self.shut = False
        for data, addr in self.held:
            self.transport.sendto(data, addr)
        self.held = []

    def __getattr__(self, name):
        return getattr(self.transport, name)


class EarlyPeer(h3_peer.Peer):
    def __init__(self, *args, **kw):
        super().__init__(*args, **kw)
        self.early, self.count, self.mode = {}, 0, state["mode"]

    def connection_made(self, transport):
        super().connection_made(Gate(transport))
        self._transport.shut = self.mode in ("cut", "silent", "burst")

    def datagram_received(self, data, addr):
        super().datagram_received(data, addr)
        if hasattr(self._quic, "tls") and not self._quic.tls.session_resumed and self._quic.tls.state != tls.State.SERVER_EXPECT_CLIENT_HELLO:
            self._transport.open()

    def begun(self, r):
        self.count += 1
        self.early[r.stream] = "late" if self._quic._handshake_complete else "early"
        if not r.path.startswith("/log"):
            state["log"].append(f"{self.early[r.stream]} {r.fields[b':method'].decode()} {r.path}")
        if self.mode == "reset" and self.early[r.stream] == "early":
            self._quic.reset_stream(r.stream, h3_peer.REJECTED)
            self._quic.stop_stream(r.stream, h3_peer.REJECTED)
            del self.requests[r.stream]
        super().begun(r)

    def ended(self, r):
        if self.mode == "burst" and self._transport.shut:
            self._quic._network_paths[0].is_validated = True
            self._quic._loss._cc.congestion_window = 1 << 20
            asyncio.get_running_loop().call_later(0.1, self._transport.open)
        super().ended(r)
        if self.mode == "burst" and self._transport.shut:
            self.transmit()
            Player(self, r.stream).do_packet(self.acknowledgement().hex())
        if self.mode == "cut" and self._transport.shut:
            self.transmit()
            self._transport.open()
            self.silent = True

    def acknowledgement(self):
        """ACK of all early packets (RFC 9000 section 19.3)."""
        [came] = self._quic._spaces[tls.Epoch.ONE_RTT].ack_queue
        return b"\2" + encode_uint_var(came.stop - 1) + b"\0\0" + encode_uint_var(came.stop - 1 - came.start)

    def do_how(self, r):
        resumed = "resumed" if self._quic.tls.session_resumed else "full"
        self.answer(r, f"{self.early[r.stream]} {resumed} {self.count}\n".encode() + r.body)

    def do_425(self, r):
        if self.early[r.stream] == "early":
            self.answer(r, b"too early\n", b"425")
        else:
            self.do_how(r)

    def do_always(self, r):
        self.answer(r, b"too early\n", b"425")

    def do_moved(self, r):
        self.head(r, 0, b"302", [(b"location", b"/how")])
        self.http.send_data(r.stream, b"", True)

    def do_mode(self, r, name):
        state.update(mode=name, log=[])
        self.answer(r, b"yes\n")

    def do_log(self, r):
        self.answer(r, "".join(x + "\n" for x in state["log"]).encode())


def pull_without_early_data(pull):
    """A server that does not take early data passes over it (RFC 8446 section 4.2.10)."""
    def pull_client_hello(buf):
        hello = pull(buf)
        if state["mode"] == "refused":
            hello.early_data = False
        return hello
    return pull_client_hello


class Configuration(QuicConfiguration):
    """One that changes with the mode."""

    def __getattribute__(self, name):
        if state["mode"] == "fewer" and name in ("max_data", "max_stream_data"):
            return 100_000
        return super().__getattribute__(name)


async def main():
    cert, key, ready, _, at = sys.argv[1:6]
    port, _, kind = at.partition(":")
    config = Configuration(is_client=False, alpn_protocols=H3_ALPN, max_datagram_size=1350)
    config.load_cert_chain(cert, key)
    tickets = {}
    tls.pull_client_hello = pull_without_early_data(tls.pull_client_hello)
    await serve("127.0.0.1", int(port), configuration=config, create_protocol=functools.partial(EarlyPeer, kind), retry=kind == "retry",
                session_ticket_fetcher=lambda t: None if state["mode"] in ("unknown", "fewer") else tickets.pop(t, None),
                session_ticket_handler=lambda t: tickets.update({t.ticket: t}))
    with open(ready, "w", encoding="ascii"):
        pass
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
