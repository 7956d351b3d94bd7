"""Steps that a path of h3_peer.py asks for, /play/STEP/STEP at the request's end or /at/STEP/STEP at its head, so that what is
sent is exactly what a test says. HEX may be empty.

  stream:HEX     these bytes on the request's stream      fin            its end
  reset:CODE     RESET_STREAM                             stop:CODE      STOP_SENDING (stopnow: of a request that is complete)
  control:HEX    bytes on the control stream              encoder:HEX    on the stream of QPACK's encoder
  decoder:HEX    on that of its decoder                   uni:HEX        on a new unidirectional stream; unifin: with its end
  goaway:N       GOAWAY with this stream's number + N     close:CODE     CONNECTION_CLOSE of HTTP/3 (quicclose: of QUIC; closehex:CODE:HEX: with a text)
  packet:HEX[:N] N packets of these frames of QUIC, not sent again when lost
  bytes:N        N bytes of a DATA frame                  flush          what was said so far is sent first
  wait:MS        the rest follows after that              die            the server's process ends at once
  silent         the connection is forgotten              forget         likewise, and what comes for it gets a stateless reset
  keys           its next packets have new keys           tls:HEX        bytes of TLS after the handshake
  first:NAME     the steps are for the first request of this name; others get a response, `again`
  echo           (at the head) the request's body is the response's, at its end
  repeat:N:HEX   N copies of bytes on the stream; `repeatcontrol`, `repeatencoder`, `repeatdecoder`, `repeatuni`
                 likewise
"""
import asyncio
import os

from aioquic.buffer import encode_uint_var
from aioquic.h3.connection import FrameType, encode_frame
from aioquic.quic.packet import QuicPacketType
from aioquic.quic.packet_builder import QuicPacketBuilder
from aioquic.tls import Epoch


names = set()  # that do_first() has seen


def number(text):
    return int(text, 0)


class Player:
    """Plays for one request of a connection."""

    def __init__(self, peer, stream):
        self.peer, self.quic, self.http, self.stream, self.steps = peer, peer._quic, peer.http, stream, []

    def play(self, steps):
        self.steps = steps
        while steps:
            word, *values = steps.pop(0).split(":")
            if word == "wait":
                self.peer.transmit()
                asyncio.get_event_loop().call_later(number(values[0]) / 1000, self.go_on, steps)
                return
            getattr(self, "do_" + word)(*values)

    def go_on(self, steps):
        self.play(steps)
        self.peer.transmit()

    def _send(self, stream, data, end=False):
        self.quic.send_stream_data(stream, data, end)

    def do_first(self, name):
        if name in names:
            self.steps.clear()
            self.http.send_headers(self.stream, [(b":status", b"200")])
            self.http.send_data(self.stream, b"again\n", True)
        names.add(name)

    def do_echo(self):
        self.peer.echoes.add(self.stream)

    # ---- streams

    def do_stream(self, data):
        self._send(self.stream, bytes.fromhex(data))

    def do_fin(self):
        self._send(self.stream, b"", True)

    def do_bytes(self, n):
        n = number(n)
        body = (bytes(range(251)) * (n // 251 + 1))[:n]
        self._send(self.stream, encode_frame(FrameType.DATA, body))

    def do_reset(self, code):
        self.peer.transmit()
        self.quic.reset_stream(self.stream, number(code))

    def do_stop(self, code):
        self.quic.stop_stream(self.stream, number(code))

    def do_control(self, data):
        self._send(self.http._local_control_stream_id, bytes.fromhex(data))

    def do_encoder(self, data):
        self._send(self.http._local_encoder_stream_id, bytes.fromhex(data))

    def do_decoder(self, data):
        self._send(self.http._local_decoder_stream_id, bytes.fromhex(data))

    def do_controlfin(self):
        self._send(self.http._local_control_stream_id, b"", True)

    def do_controlreset(self, code):
        self.quic.reset_stream(self.http._local_control_stream_id, number(code))

    def do_uni(self, data, end=False):
        self._send(self.quic.get_next_available_stream_id(is_unidirectional=True), bytes.fromhex(data), end)

    def do_unifin(self, data):
        self.do_uni(data, True)

    def do_bidi(self, data):
        self._send(self.quic.get_next_available_stream_id(), bytes.fromhex(data))

    def do_repeat(self, n, data):
        self._send(self.stream, bytes.fromhex(data) * number(n))

    def do_repeatcontrol(self, n, data):
        self._send(self.http._local_control_stream_id, bytes.fromhex(data) * number(n))

    def do_repeatencoder(self, n, data):
        self._send(self.http._local_encoder_stream_id, bytes.fromhex(data) * number(n))

    def do_repeatdecoder(self, n, data):
        self._send(self.http._local_decoder_stream_id, bytes.fromhex(data) * number(n))

    def do_repeatuni(self, n, data):
        for _ in range(number(n)):
            self.do_uni(data, True)

    def do_goaway(self, n):
        frame = encode_frame(FrameType.GOAWAY, encode_uint_var(self.stream + number(n)))
        self._send(self.http._local_control_stream_id, frame)

    # ---- the connection

    def do_flush(self):
        self.peer.transmit()

    def do_close(self, code, reason="as asked"):
        self.quic.close(error_code=number(code), reason_phrase=reason)

    def do_closehex(self, code, reason):
        self.quic.close(error_code=number(code), reason_phrase=bytes.fromhex(reason).decode())

    def do_quicclose(self, code, reason="as asked"):
        self.quic.close(error_code=number(code), frame_type=0, reason_phrase=reason)

    def do_keys(self):
        self.peer.transmit()
        self.quic.request_key_update()

    def do_tls(self, data):
        self.quic._crypto_streams[Epoch.ONE_RTT].sender.write(bytes.fromhex(data))

    def do_packet(self, frames, n="1"):
        """Frames as they are, beside aioquic's account of what it has sent."""
        self.peer.transmit()
        for _ in range(number(n)):
            builder = QuicPacketBuilder(host_cid=self.quic.host_cid, is_client=False, peer_cid=self.quic._peer_cid.cid,
                                        max_datagram_size=1350, packet_number=self.quic._packet_number, version=self.quic._version)
            builder.start_packet(QuicPacketType.ONE_RTT, self.quic._cryptos[Epoch.ONE_RTT])
            builder._buffer.push_bytes(bytes.fromhex(frames))
            for datagram in builder.flush()[0]:
                self.peer.send_now(datagram)
            self.quic._packet_number = builder.packet_number

    def do_stopnow(self, code):
        """STOP_SENDING of the request's stream, also where aioquic has all of it."""
        self.do_packet((b"\5" + encode_uint_var(self.stream) + encode_uint_var(number(code))).hex())

    def do_numbered(self, kind, n):
        """n frames of a kind whose numbers and bytes grow: NEW_CONNECTION_ID, PATH_CHALLENGE, MAX_STREAMS, CRYPTO, MAX_DATA."""
        for i in range(number(n)):
            frame = {"ids": lambda: b"\x18" + encode_uint_var(9 + i) + encode_uint_var(8 + i) + b"\x08" + os.urandom(24),
                     "challenges": lambda: b"\x1a" + os.urandom(8),
                     "streams": lambda: b"\x12" + encode_uint_var(1000 + i),
                     "data": lambda: b"\x10" + encode_uint_var((1 << 40) + i),
                     "crypto": lambda: b"\x06" + encode_uint_var(5000 + 60 * i) + encode_uint_var(30) + bytes(30),
                     "responses": lambda: b"\x1b" + os.urandom(8)}[kind]()
            self.do_packet(frame.hex())

    def do_die(self):
        self.peer.transmit()
        os._exit(1)

    def do_silent(self):
        self.peer.transmit()
        self.peer.silent = True

    def do_forget(self):
        """A server that was started again has forgotten its connections, and not the key of their tokens."""
        self.peer.transmit()
        self.peer.silent = self.peer.resets = True
        self.peer.send_reset()
