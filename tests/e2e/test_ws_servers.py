"""WebSocket with real servers: Python's websockets and wsproto, node's ws. One of them in each run; all of them, and every
way, with MOTE_WS_SERVERS=all."""

import os
import zlib

import pytest

import ws_servers
from mote_driver import WAYS, not_debian, pattern
from ws_peer import WS_BINARY, WS_CLOSE, WS_CONT, WS_PING, WS_PONG, WS_TEXT

pytestmark = not_debian("built without WebSocket")

ALL = os.environ.get("MOTE_WS_SERVERS") == "all"
CLOSED = b"\x03\xe8bye"  # 1000, and the reason


@pytest.fixture(scope="module", params=list(ws_servers.SERVERS) if ALL else ["websockets"])
def server(request, tmp_path_factory, certs):
    kind = ws_servers.SERVERS[request.param]
    if kind.missing():
        pytest.skip(kind.missing())
    running = kind(tmp_path_factory.mktemp(kind.name), certs)
    yield running
    running.close()


@pytest.fixture(params=[False, True], ids=["ws", "wss"])
def tls(request):
    return request.param


@pytest.fixture(params=WAYS if ALL else ["easy", "poll"])
def each_way(request):
    return request.param


def connect(drive, server, certs, tls, **options):
    d = drive()
    d.easy("h", URL=server.url(tls), CAINFO=certs.path("ca.pem"), CONNECT_ONLY=2, **options)
    return d.perform("h")


def received(run):
    return [(flags, str(data).encode("latin-1")) if not code else code
            for code, flags, _, _, _, data in run.of("wsrecv", "h")]


def test_messages_are_echoed(drive, server, certs, tls):
    d = connect(drive, server, certs, tls)
    for text in (b"hello", "grüße".encode(), b"x" * 125, b"y" * 126):
        d.do("wssend", "h", text, WS_TEXT).do("wsrecv", "h", 1000)
    d.do("wssend", "h", b"", WS_BINARY).do("wsrecv", "h", 10)
    expected = [(WS_TEXT, t) for t in (b"hello", "grüße".encode(), b"x" * 125, b"y" * 126)] + [(WS_BINARY, b"")]
    assert received(d.run()) == expected


@pytest.mark.parametrize("size", [65535, 65536, 1 << 20])
def test_a_large_message_is_echoed(drive, server, certs, tls, size):
    payload = pattern(size)
    d = connect(drive, server, certs, tls).do("wssend", "h", payload, WS_BINARY).do("wsdrain", "h", size, 10000)
    assert d.run().of("wsdrain", "h") == [[0, size, zlib.crc32(payload)]]


def test_a_message_in_fragments_arrives_whole(drive, server, certs, tls):
    d = connect(drive, server, certs, tls)
    d.do("wssend", "h", "one ", WS_TEXT | WS_CONT).do("wssend", "h", "ping", WS_PING).do("wssend", "h", "two", WS_TEXT)
    d.do("wsrecv", "h", 100).do("wsrecv", "h", 100)
    assert sorted(received(d.run())) == [(WS_TEXT, b"one two"), (WS_PONG, b"ping")]


def test_a_ping_is_answered(drive, server, certs, tls, ours_only):
    ours_only("curl_ws_recv of libcurl 8.23 has nothing where a PING came")
    d = connect(drive, server, certs, tls).do("wssend", "h", "ping again", WS_TEXT).do("wsrecv", "h", 100)
    assert received(d.run()) == [(WS_TEXT, b"pong again")]


def test_the_server_closes(drive, server, certs, tls):
    d = connect(drive, server, certs, tls).do("wssend", "h", "bye", WS_TEXT).do("wsrecv", "h", 100)
    d.do("wssend", "h", b"\x03\xe8", WS_CLOSE).do("wsrecv", "h", 100)
    run = d.run()
    assert received(run) == [(WS_CLOSE, CLOSED), 52]


def test_many_messages_go_to_the_write_callback(drive, server, certs, tls, each_way):
    d = drive(each_way).easy("h", URL=server.url(tls), CAINFO=certs.path("ca.pem"), UPLOAD=1)
    d.body("h", b"send 2000 1000").on("h", "read", "call", 1, "wsstart", WS_TEXT, 14)
    d.on("h", "write", "bytes", 2000000, "wssend", "bye", WS_TEXT)
    d.on("h", "write", "bytes", 2000005, "wssend", b"\x03\xe8", WS_CLOSE).perform("h")
    t = d.run()["h"]
    expected = b"".join(bytes([i % 256]) * 1000 for i in range(2000)) + CLOSED
    assert (t.code, t.length, t.crc) == (0, len(expected), zlib.crc32(expected))


def test_an_upload_of_many_frames(drive, server, certs, tls):
    """Each read is a binary message, which comes back."""
    payload = pattern(100000)
    d = drive("poll").easy("h", URL=server.url(tls), CAINFO=certs.path("ca.pem"), UPLOAD=1).body("h", payload, 7000)
    d.on("h", "write", "bytes", len(payload), "wssend", "bye", WS_TEXT)
    d.on("h", "write", "bytes", len(payload) + 5, "wssend", b"\x03\xe8", WS_CLOSE).perform("h")
    t = d.run()["h"]
    assert (t.code, t.crc) == (0, zlib.crc32(payload + CLOSED))
