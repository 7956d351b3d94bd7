"""What a server of h3_peer.py says wrong in the handshake: a function of each kind of port, which gets aioquic's connection
before it has seen a packet."""
import os

from aioquic.buffer import Buffer, encode_uint_var
from aioquic.quic.connection import QuicConnectionId
from aioquic.quic.packet import QuicPreferredAddress, pull_quic_transport_parameters, push_quic_transport_parameters


def edited(edit):
    """Transport parameters (RFC 9000 section 18) that edit() has changed: their struct, or the bytes that it returns."""
    def lie(quic):
        honest = quic._serialize_transport_parameters

        def serialize():
            params = pull_quic_transport_parameters(Buffer(data=honest()))
            instead = edit(params, quic)
            if instead is not None:
                return instead
            buf = Buffer(capacity=4096)
            push_quic_transport_parameters(buf, params)
            return buf.data
        quic._serialize_transport_parameters = serialize
    return lie


def changed(**values):
    def edit(params, _):
        for name, value in values.items():
            setattr(params, name, value)
    return edited(edit)


def added(number, value):
    """A parameter as bytes beside the others."""
    def lie(quic):
        honest = quic._serialize_transport_parameters
        quic._serialize_transport_parameters = lambda: honest() + encode_uint_var(number) + encode_uint_var(len(value)) + value
    return lie


def single(quic):
    """A stream at a time."""
    quic._local_max_streams_bidi.value = 1


# ---- kinds of ports

WRONG = {  # RFC 9000 sections 7.3, 7.4: each of them ends the connection with TRANSPORT_PARAMETER_ERROR
    "badtoken": added(0x10, b"x"),                                  # retry_source_connection_id without a Retry
    "original": changed(original_destination_connection_id=b"\1" * 8),
    "nooriginal": changed(original_destination_connection_id=None),
    "source": changed(initial_source_connection_id=b"\1" * 8),
    "nosource": changed(initial_source_connection_id=None),
    "udpsize": changed(max_udp_payload_size=1199),
    "ackexponent": changed(ack_delay_exponent=21),
    "ackdelay": changed(max_ack_delay=1 << 14),
    "ids": changed(active_connection_id_limit=1),
    "streams": changed(initial_max_streams_bidi=(1 << 60) + 1),
    "short": edited(lambda params, _: b"\4\2\x40"),
    "garbage": edited(lambda params, _: b"\xff" * 40),
}
ODD = {  # and these do not
    "unknown": added(0x1f * 1000 + 27, b"of no meaning"),
    "nostreams": changed(initial_max_streams_bidi=0),
    "nodata": changed(initial_max_data=0),
    "nouni": changed(initial_max_streams_uni=0),
}


def tiny(quic):
    """A window of a byte for what a client sends, which grows as it is used."""
    quic._local_max_stream_data_bidi_remote = 1


def cramped(quic):
    """64 bytes for each stream of a client's control and QPACK, and no more, whatever comes."""
    quic._local_max_stream_data_uni = 64
    honest = quic._write_stream_limits

    def limits(builder, space, stream):
        if not stream.stream_id & 2:
            honest(builder=builder, space=space, stream=stream)
    quic._write_stream_limits = limits


def preferred(quic):
    """The client is asked to move to another address of the server, where no one is; the ID for it is the second one."""
    own = QuicConnectionId(cid=os.urandom(8), sequence_number=1, stateless_reset_token=os.urandom(16), was_sent=True)
    quic._host_cids.append(own)
    quic._host_cid_seq = 2
    changed(preferred_address=QuicPreferredAddress(ipv4_address=("127.0.0.1", 9), ipv6_address=None, connection_id=own.cid,
                                                   stateless_reset_token=own.stateless_reset_token))(quic)


LIES = {**WRONG, **ODD, "single": single, "tiny": tiny, "cramped": cramped, "preferred": preferred}
