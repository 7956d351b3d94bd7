"""Servers of HTTP/3 that attack: none costs memory or time without a bound, and another server's transfer in the same multi handle
notices nothing. The attacked transfer ends well, by an error, or by its timeout; after it the handle is served. What the library
holds at most is counted (tests/preload)."""

import pytest

from h3_bytes import (CANCEL_PUSH, DATA, GOAWAY, HEADERS, SETTINGS, data, field, frame, head, play, prefixed, response, section, varint)
from h3_fixtures import add, check, got
from mote_driver import PAUSE_CONT, SANITIZED, by_library, not_debian

pytestmark = [pytest.mark.usefixtures("http3"), not_debian("it has no HTTP/3")]

MOST = by_library(1 << 20, None, 64 << 20)  # bytes that the library may hold of both connections
END = ("flush", response(), "fin")


def packets(frames, n):
    """n packets of as many of these frames as fit."""
    return ("packet", frames * (1150 // len(frames)), n)


def stream_frame(stream, offset, payload, fin=False):
    return bytes([0x0e | fin]) + varint(stream) + varint(offset) + varint(len(payload)) + payload


QUIC = {
    "PADDING": packets(b"\0", 3000),
    "PING": packets(b"\1", 3000),
    "ACK of nothing new": packets(b"\2\0\0\0\0", 2000),
    "ACK of what was not sent": packets(b"\2" + varint(1 << 30) + b"\0\0\0", 1),
    "RESET_STREAM again": packets(b"\4" + varint(3) + b"\0\0", 1),
    "STOP_SENDING again": packets(b"\5" + varint(0) + varint(0x100), 2000),
    "CRYPTO": ("numbered", "crypto", 3000),
    "CRYPTO from the start": packets(b"\6\0\4\1\0\0\0", 2000),
    "NEW_TOKEN": packets(b"\7" + varint(200) + b"t" * 200, 3000),
    "empty STREAM": packets(stream_frame(0, 0, b""), 3000),
    "STREAM in pieces with holes": ("packet", b"".join(stream_frame(0, 2 * i, b"\0") for i in range(200)), 2000),
    "STREAM beyond the window": packets(stream_frame(0, 1 << 40, b"x"), 1),
    "STREAM of the server's beyond what it may open": packets(stream_frame(1, 0, b"x"), 1),
    "STREAM of the client's that is not open": packets(stream_frame(400, 0, b"x"), 1),
    "MAX_DATA": ("numbered", "data", 3000),
    "MAX_STREAM_DATA": packets(b"\x11\0" + varint(1 << 20), 2000),
    "MAX_STREAM_DATA of a stream to come": packets(b"\x11" + varint(400) + varint(1), 1),
    "MAX_STREAMS": ("numbered", "streams", 3000),
    "MAX_STREAMS beyond all": packets(b"\x12" + varint((1 << 60) + 1), 1),
    "DATA_BLOCKED": packets(b"\x14" + varint(7), 3000),
    "STREAM_DATA_BLOCKED": packets(b"\x15\0" + varint(7), 3000),
    "STREAMS_BLOCKED": packets(b"\x16" + varint(7), 3000),
    "NEW_CONNECTION_ID": ("numbered", "ids", 2000),
    "NEW_CONNECTION_ID the same": packets(b"\x18\x08\0\x08" + b"i" * 24, 2000),
    "RETIRE_CONNECTION_ID": packets(b"\x19\0", 2000),
    "RETIRE_CONNECTION_ID of none": packets(b"\x19\x20", 1),
    "PATH_CHALLENGE": ("numbered", "challenges", 3000),
    "PATH_CHALLENGE the same": packets(b"\x1a" + b"c" * 8, 50),
    "PATH_RESPONSE": ("numbered", "responses", 3000),
    "HANDSHAKE_DONE": packets(b"\x1e", 2000),
    "DATAGRAM": packets(b"\x30abc", 1),
    "unknown frame": packets(b"\x21", 1),
    "no frame": ("packet", b"", 1),
}

LONG = 1 << 25  # the length of a frame that never comes to its end
X_A = field("x-a", "v" * 4000)

HTTP = {  # steps after a head, or instead of one
    "DATA empty": [head(), ("repeat", 200_000, frame(DATA))],
    "DATA of a byte": [head(), ("repeat", 200_000, data("x"))],
    "unknown frames": [("repeat", 100_000, frame(0x21, b"x"))],
    "unknown frames empty": [("repeat", 200_000, frame(0x21))],
    "unknown frame without end": [frame(0x21, length=LONG), ("repeat", 30_000, b"y" * 200)],
    "interim responses": [("repeat", 50_000, head(status=103))],
    "interim responses with fields": [("repeat", 20_000, head(("link", "</" + "a" * 400 + ">"), status=103))],
    "head of a megabyte": [frame(HEADERS, section((":status", "200")), length=LONG), ("repeat", 260, X_A)],
    "head of 50,000 fields": [frame(HEADERS, section((":status", "200")), length=LONG), ("repeat", 50_000, field("a", ""))],
    "field without end": [frame(HEADERS, section((":status", "200")) + prefixed(1 << 24, 3, 0x20), length=LONG), ("repeat", 20_000, b"n" * 200)],
    "trailers": [head(), data("a"), frame(HEADERS, section(), length=LONG), ("repeat", 300, X_A)],
    "control: unknown frames": [head(), ("repeatcontrol", 100_000, frame(0x21, b"x"))],
    "control: GOAWAY": [head(), ("repeatcontrol", 50_000, frame(GOAWAY, varint(1 << 40)))],
    "control: CANCEL_PUSH": [head(), ("repeatcontrol", 50_000, frame(CANCEL_PUSH, b"\0"))],
    "control: a frame without end": [head(), ("control", frame(0x21, length=1 << 30)), ("repeatcontrol", 20_000, b"z" * 200)],
    "control: SETTINGS": [head(), ("repeatcontrol", 5000, frame(SETTINGS))],
    "encoder: capacities": [head(), ("repeatencoder", 200_000, prefixed(4096, 5, 0x20) + prefixed(0, 5, 0x20))],
    "encoder: entries": [head(), ("encoder", prefixed(4096, 5, 0x20)), (
        "repeatencoder", 20_000, prefixed(20, 5, 0x40) + b"n" * 20 + prefixed(100, 7) + b"v" * 100)],
    "encoder: duplicates": [head(), ("encoder", prefixed(4096, 5, 0x20) + prefixed(1, 5, 0x40) + b"n\1v"), ("repeatencoder", 200_000, b"\0")],
    "encoder: a name without end": [head(), ("encoder", prefixed(4096, 5, 0x20) + prefixed(1 << 20, 5, 0x40)), (
        "repeatencoder", 20_000, b"n" * 200)],
    "QPACK bomb": [("encoder", prefixed(4096, 5, 0x20) + prefixed(1, 5, 0x40) + b"n" + prefixed(3900, 7) + b"v" * 3900), "flush", (
        "wait", 50), frame(HEADERS, section((":status", "200"), prefix=b"\2\0"), length=LONG), ("repeat", 50_000, b"\x80")],
    "decoder: cancellations": [head(), ("repeatdecoder", 200_000, b"\x40")],
    "streams of unknown types": [head(), ("repeatuni", 2000, varint(0x21) + b"x" * 20)],
    "streams without a type": [head(), ("repeatuni", 500, b"")],
    "PUSH_PROMISE": [("repeat", 1000, frame(5, b"\0" + section((":method", "GET"))))],
}


def attacked(drive, way, quic_peer, quic_nginx, options, path):
    d = drive(way, fault=not SANITIZED).do("multi", "m").easy("n", URL=quic_nginx.url("/1m.bin", "quic"), **options)
    d.easy("h", URL=quic_peer.url(path, "quic"), **{**options, "TIMEOUT": None, "TIMEOUT_MS": 8000})
    d.do("add", "m", "h", "n").do("drive", "m", "all")
    d.setopt("h", URL=quic_peer.url("/12.txt", "quic"), TIMEOUT_MS=0, FRESH_CONNECT=1).do("remove", "m", "h").do("add", "m", "h").do("drive", "m", "all")
    if not SANITIZED:
        d.do("fault", "peak")
    r = d.run()
    first, second = r.all("h")
    got(r["n"], "1m.bin")
    got(second, "12.txt")
    if not SANITIZED:
        assert r.code("fault", "peak") < MOST
    assert first.code == 0 or first.error, first
    return first


@pytest.mark.parametrize("name", QUIC)
def test_flood_of_quic(drive, multi_way, quic_peer, quic_nginx, quic_options, name):
    t = attacked(drive, multi_way, quic_peer, quic_nginx, quic_options, play(QUIC[name], *END))
    assert t.code in by_library([0, 56, 95, 28], None, [0, 28, 55, 56, 95]), t


@pytest.mark.parametrize("name", HTTP)
def test_flood_of_http(drive, multi_way, quic_peer, quic_nginx, quic_options, name):
    rest = [data("ok"), "fin"] if HTTP[name][0] == head() else END
    t = attacked(drive, multi_way, quic_peer, quic_nginx, quic_options, play(*HTTP[name], "flush", *rest))
    assert t.code in by_library([0, 56, 95, 28, 100], None, [0, 18, 28, 55, 56, 95, 100]), t


def test_paused_one_of_a_thousand(drive, multi_way, quic_nginx, quic_options):
    """One that is paused in its first bytes holds up none of a thousand others of its connection."""
    d = drive(multi_way).do("multi", "m").do("msetopt", "m", "MAX_CONCURRENT_STREAMS", 2000)
    d.easy("slow", URL=quic_nginx.url("/1m.bin", "many"), **quic_options).on("slow", "write", "call", 1, "pause")
    d.do("add", "m", "slow").do("drive", "m", "paused", "slow")
    wanted = {f"h{i}": "64k.bin" if i % 10 == 0 else "12.txt" for i in range(200 if SANITIZED else 1000)}
    add(d, wanted, quic_nginx.at("many"), **quic_options)
    for name in wanted:
        d.do("drive", "m", "done", name)
    d.do("mark", "others").do("calm", "slow").do("pause", "slow", PAUSE_CONT).do("drive", "m", "all")
    for name in wanted:
        d.getinfo(name, "NUM_CONNECTS")
    r = d.run()
    check(r, {"slow": "1m.bin", **wanted})
    assert sum(r[n].info["NUM_CONNECTS"] for n in wanted) == 0 and r.order[-1] == "slow"
