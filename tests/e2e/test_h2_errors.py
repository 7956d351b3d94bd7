"""HTTP/2 that fails: streams that are reset, servers that go away, connections that are lost, and what is tried again."""

import struct
import threading

import pytest

from h2_peer import (DATA, END_HEADERS, END_STREAM, GOAWAY, H2Server, HEADERS, HTTP_1_1_REQUIRED, INITIAL_WINDOW_SIZE, PADDED,
                     PING, PRIORITY, PROTOCOL_ERROR, REFUSED_STREAM, RST_STREAM, SETTINGS, WINDOW_UPDATE, Serve, block, frame,
                     goaway, head, part, settings, status)
from mote_driver import NEWEST, crc, not_debian, pattern
from script import HalfClose, Reset, UntilClose
from server import Expect, Reply, response

pytestmark = [pytest.mark.usefixtures("http2"), not_debian("HTTP/2 differs in details")]
OK = status(200)
LONG = status(200, ("content-length", "10"))
HTTP2, HTTP2_STREAM, PARTIAL, RECV_ERROR, WEIRD = 16, 92, 18, 56, 8
WHEN = {"before": [], "head": [head(1, LONG)], "body": [head(1, LONG), frame(DATA, 1, b"12345")],
        "end": [head(1, status(200, ("content-length", "5"))), frame(DATA, 1, b"12345", END_STREAM)]}
SECOND = (0, b"next")


def serving(h2):
    while True:
        h2.respond(h2.request(), 200, b"next")


def after_a_request(*data, then=None):
    """Answers the first request with these bytes; the next ones well."""
    def serve(h2):
        h2.request()
        h2.send(*data)
        if then:
            h2.barrier()
            then().run(h2.peer)
            if h2.peer.sock is None:
                return
        serving(h2)
    return part(serve, may_leave=True)


def twice(drive, server, way="poll", pause=0, **options):
    """A request, and a good one after it."""
    d = drive(way).easy(URL=server.url(), **{**server.options, **options}).perform().do("sleep", pause).perform()
    return d.getinfo("h", "NUM_CONNECTS").run().all("h")


# ---------------------------------------------------------------- RST_STREAM

@pytest.mark.parametrize("when", ["before", "head", "body"])
@pytest.mark.parametrize("code", [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 99, 0xffffffff])
def test_reset(drive, h2_server, code, when):
    """The stream's error, and the connection goes on."""
    h2_server.script(after_a_request(*WHEN[when], frame(RST_STREAM, 1, code)))
    first, second = twice(drive, h2_server)
    assert (first.code, first.length) == (HTTP2_STREAM, 5 if when == "body" else 0)
    assert first.error
    assert (second.code, second.body, second.info["NUM_CONNECTS"]) == (*SECOND, 0)


@pytest.mark.parametrize("when", ["before", "head", "body", "end"])
def test_reset_in_every_way(drive, way, h2_server, when):
    h2_server.script(after_a_request(*WHEN[when], frame(RST_STREAM, 1, 2)))
    first, second = twice(drive, h2_server, way)
    assert first.code == (0 if when == "end" else HTTP2_STREAM)
    assert (second.code, second.body, second.info["NUM_CONNECTS"]) == (*SECOND, 0)


@pytest.mark.parametrize("code", [0, 1, 2, 5, 7, 8, 13])
def test_reset_after_the_end(drive, h2_server, code):
    h2_server.script(after_a_request(*WHEN["end"], frame(RST_STREAM, 1, code)))
    first, second = twice(drive, h2_server)
    assert [(t.code, t.body) for t in (first, second)] == [(0, b"12345"), SECOND]


@pytest.mark.parametrize("when,code", [("before", HTTP2_STREAM), ("head", PARTIAL), ("body", PARTIAL)])
def test_reset_without_an_error(drive, way, h2_server, when, code):
    h2_server.script(after_a_request(*WHEN[when], frame(RST_STREAM, 1, 0)))
    first, second = twice(drive, h2_server, way)
    assert first.code == code and (second.code, second.body) == SECOND


@pytest.mark.parametrize("when", ["head", "body"])
def test_refused_too_late(drive, h2_server, when):
    h2_server.script(after_a_request(*WHEN[when], frame(RST_STREAM, 1, REFUSED_STREAM))).default(part(serving, may_leave=True))
    first, second = twice(drive, h2_server)
    assert first.code in (RECV_ERROR, HTTP2_STREAM) and (second.code, second.body) == SECOND


# ---------------------------------------------------------------- requests that were not processed

REFUSALS = {"reset": lambda h2: h2.send(frame(RST_STREAM, 1, REFUSED_STREAM)),
            "goaway": lambda h2: h2.send(goaway(0)),
            "goaway with debug data": lambda h2: h2.send(goaway(0, 0, b"x" * 10_000)),
            "goaway and close": lambda h2: (h2.send(goaway(0)), h2.peer.finish())}


def refusing(kind):
    def serve(h2):
        h2.request(whole=False)
        REFUSALS[kind](h2)
        if h2.peer.sock is not None:
            h2.peer.drain(keep=True)
    return part(serve, may_leave=True)


@pytest.mark.parametrize("body", [None, b"a=b"])
@pytest.mark.parametrize("kind", REFUSALS)
def test_refused_is_tried_again(drive, way, h2_server, kind, body):
    h2_server.script(refusing(kind)).script(Serve())
    t = drive.get(way, URL=h2_server.url("/echo"), POSTFIELDS=body, **({} if body else {"HTTPGET": 1}), **h2_server.options)
    assert (t.code, t.body) == (0, body or b"")


def test_refused_upload_is_read_again(drive, way, h2_server):
    h2_server.script(refusing("reset")).script(Serve())
    t = drive.get(way, URL=h2_server.url("/echo"), UPLOAD=1, INFILESIZE=5000, body=5000, enable=("seek",), **h2_server.options)
    assert (t.code, t.crc) == (0, crc(pattern(5000)))


@pytest.mark.parametrize("kind", ["reset", "goaway"])
def test_refused_upload_that_cannot_be_read_again(drive, h2_server, kind):
    def serve(h2):
        s = h2.request(whole=False)
        h2.until(lambda: s.body)
        REFUSALS[kind](h2)
        h2.peer.drain(keep=True)
    h2_server.script(part(serve, may_leave=True)).default(Serve())
    h2_server.optional = True
    t = drive.get("poll", URL=h2_server.url("/echo"), UPLOAD=1, body=100_000, **h2_server.options)
    assert t.code == 65


@pytest.mark.parametrize("kind", REFUSALS)
def test_refused_for_ever(drive, h2_server, kind):
    """It ends: a server cannot keep a client busy."""
    h2_server.default(refusing(kind))
    t = drive.get("poll", URL=h2_server.url(), **h2_server.options)
    assert t.code in (RECV_ERROR, HTTP2_STREAM, HTTP2)
    h2_server.settle()
    assert 2 <= len(h2_server.connections) <= 7


def test_goaway_before_a_request(drive, way, h2_server):
    def serve(h2):
        h2.send(goaway(0))
        h2.peer.drain(keep=True)
    h2_server.script(part(serve, may_leave=True)).script(part(serving, may_leave=True))
    assert twice(drive, h2_server, way)[0].body == b"next"


@pytest.mark.parametrize("code", [0, 2, 11])
def test_goaway_that_lets_the_request_finish(drive, way, h2_server, code):
    """Streams up to the last one are served; the next request gets another connection."""
    def serve(h2):
        s = h2.request()
        h2.send(goaway(1, code))
        h2.respond(s, 200, b"first")
        h2.peer.drain(keep=True)
    h2_server.script(part(serve, may_leave=True)).script(part(serving, may_leave=True))
    first, second = twice(drive, h2_server, way)
    assert (first.code, first.body) == (0, b"first")
    assert (second.code, second.body, second.info["NUM_CONNECTS"]) == (*SECOND, 1)


def test_graceful_goaway(drive, way, h2_server):
    """First the largest stream number, then the true one (RFC 9113, 6.8)."""
    def serve(h2):
        s = h2.request()
        h2.send(goaway(0x7fffffff), frame(PING, 0, bytes(8)))
        h2.until(lambda: h2.frames[-1].type == PING)
        h2.send(goaway(1))
        h2.respond(s, 200, b"first")
        h2.peer.drain(keep=True)
    h2_server.script(part(serve, may_leave=True)).script(part(serving, may_leave=True))
    first, second = twice(drive, h2_server, way)
    assert [(t.code, t.body) for t in (first, second)] == [(0, b"first"), SECOND]


def test_goaway_with_an_error(drive, h2_server):
    def serve(h2):
        h2.request()
        h2.send(goaway(0, 2))
        h2.peer.finish()
    h2_server.script(part(serve)).default(part(serving, may_leave=True))
    first, second = twice(drive, h2_server)
    assert first.code in (HTTP2_STREAM, HTTP2, 0) and (second.code, second.body) == SECOND


def test_goaway_among_many(drive, multi_way, h2_server):
    """Of six streams the first three are served, the others get another connection; none twice."""
    def serve(h2):
        found = h2.requests(6)
        h2.send(goaway(5))
        for path, s in found.items():
            if s.id <= 5:
                h2.respond(s, 200, path.encode())
        h2.peer.drain(keep=True)
    h2_server.script(part(serve, may_leave=True)).default(Serve(answer=lambda s: (200, [], s.path.encode(), True)))
    d = drive(multi_way)
    for i in range(6):
        d.easy(f"h{i}", URL=h2_server.url(f"/{i}"), PIPEWAIT=1, **h2_server.options).do("add", "m", f"h{i}")
    r = d.do("drive", "m", "all").run()
    assert [(r[f"h{i}"].code, r[f"h{i}"].body) for i in range(6)] == [(0, f"/{i}".encode()) for i in range(6)]
    first, *others = h2_server.streams
    again = [s.path for c in others for s in c]
    assert sorted(again) == sorted(s.path for s in first if s.id > 5)


def test_goaway_while_idle(drive, way, h2_server):
    def serve(h2):
        h2.respond(h2.request(), 200, b"first")
        h2.send(goaway(1))
        h2.peer.drain(keep=True)
    h2_server.script(part(serve, may_leave=True)).script(part(serving, may_leave=True))
    d = drive(way).easy(URL=h2_server.url(), **h2_server.options).perform().do("sleep", 50).perform()
    assert [(t.code, t.body) for t in d.run().all("h")] == [(0, b"first"), SECOND]


# ---------------------------------------------------------------- HTTP_1_1_REQUIRED

@pytest.mark.parametrize("how", ["reset", "goaway", "body"])
def test_http_1_1_required(drive, way, h2_server, how):
    """The request is made again, on another connection, by HTTP/1.1."""
    def serve(h2):
        h2.request()
        if how == "goaway":
            h2.send(goaway(0, HTTP_1_1_REQUIRED))
        else:
            h2.send(*WHEN["body" if how == "body" else "before"], frame(RST_STREAM, 1, HTTP_1_1_REQUIRED))
        h2.peer.drain(keep=True)
    h2_server.script(part(serve, may_leave=True)).script(Expect(), Reply(200, b"eleven"))
    if h2_server.tls:
        h2_server.tls.set_alpn_protocols(["h2", "http/1.1"])
    t = drive.get(way, URL=h2_server.url(), info=("HTTP_VERSION",), SSL_VERIFYPEER=0,
                  **({} if h2_server.tls else h2_server.options))
    assert t.code == 0 and t.body in (b"eleven", b"12345eleven")
    assert t.info["HTTP_VERSION"] == 2
    if h2_server.tls:
        assert [c.alpn for c in h2_server.connections] == ["h2", "http/1.1"]


SAID_OF = {"reset": "The server has not begun with this request: retrying on a new connection",
           "goaway": "The server has not begun with this request: retrying on a new connection",
           "required": "The server wants HTTP/1.1 for this request: retrying with it"}


@pytest.mark.parametrize("kind", SAID_OF)
def test_why_a_request_is_made_again_is_said(drive, h2_server, kind):
    """Nothing is said of a kept connection where there was none."""
    def required(h2):
        h2.request()
        h2.send(frame(RST_STREAM, 1, HTTP_1_1_REQUIRED))
        h2.peer.drain(keep=True)
    options = h2_server.options
    if kind == "required":
        h2_server.script(part(required, may_leave=True)).script(Expect(), Reply(200, b"ok"))
        if h2_server.tls:
            h2_server.tls.set_alpn_protocols(["h2", "http/1.1"])
            options = {"SSL_VERIFYPEER": 0}
    else:
        h2_server.script(refusing(kind)).script(Serve())
    t = drive.get("poll", URL=h2_server.url("/echo"), enable=("debug", "debugprint"), **options)
    said = b"".join(d for k, d in t.debug if k == 0).decode()
    assert t.code == 0 and SAID_OF[kind] in said and "kept connection" not in said


def test_misdirected_request(drive, way, h2_server):
    """421 is a response like another, as for the newest libcurl."""
    h2_server.play(lambda h2: h2.respond(h2.request(), 421, b"not here"))
    t = drive.get(way, URL=h2_server.url(), info=("RESPONSE_CODE",), **h2_server.options)
    assert (t.code, t.body, t.info["RESPONSE_CODE"]) == (0, b"not here", 421)


# ---------------------------------------------------------------- connections that are lost

# the newest libcurl sends another request on a connection that the server has half closed
LEAVES = pytest.param("end", HalfClose, {0}, marks=pytest.mark.skipif(NEWEST, reason="fails with 16"))


@pytest.mark.parametrize("when,end,codes", [
    ("before", HalfClose, {HTTP2, RECV_ERROR, 52}), ("head", HalfClose, {HTTP2, PARTIAL, RECV_ERROR}),
    ("body", HalfClose, {PARTIAL}), ("before", Reset, {RECV_ERROR}), ("head", Reset, {RECV_ERROR}), ("body", Reset, {RECV_ERROR}),
    LEAVES, ("end", Reset, {0})])
def test_lost(drive, multi_way, h2_plain, when, end, codes):
    h2_plain.script(after_a_request(*WHEN[when], then=end)).default(part(serving, may_leave=True))
    first, second = twice(drive, h2_plain, multi_way, pause=50)
    assert first.code in codes and (second.code, second.body) == SECOND
    assert first.length == (5 if when in ("body", "end") and first.code in (0, PARTIAL) else first.length)


def test_tls_without_a_goodbye(drive, way, make_server, certs):
    """A body that was not ended is not whole, whatever the end of the connection is."""
    from script import CloseNoNotify
    s = make_server(cls=H2Server, tls=certs.context(alpn=["h2"]))
    s.script(after_a_request(head(1, OK), frame(DATA, 1, b"12345"), then=CloseNoNotify))
    t = drive.get(way, URL=s.url(), **s.options)
    assert t.code in (PARTIAL, RECV_ERROR, HTTP2, HTTP2_STREAM)


def test_lost_among_many(drive, multi_way, h2_server):
    """Each stream of a lost connection ends with an error of its own; another connection's are whole."""
    ready = threading.Event()

    def serve(h2):
        found = h2.requests(4)
        h2.respond(found["/whole"], 200, b"whole")
        h2.send(head(found["/half"].id, OK), frame(DATA, found["/half"].id, b"half"), head(found["/head"].id, OK))
        h2.barrier()
        ready.set()
        h2.peer.finish(notify=False)
    h2_server.script(part(serve)).default(Serve(answer=lambda s: (200, [], pattern(200_000), True)))
    d = drive(multi_way)
    for name in ("whole", "half", "head", "none"):
        d.easy(name, URL=h2_server.url("/" + name), PIPEWAIT=1, **h2_server.options).do("add", "m", name)
    d.drive_until(ready)
    d.easy("other", URL=h2_server.url("/other"), FRESH_CONNECT=1, **h2_server.options).do("add", "m", "other")
    r = d.do("drive", "m", "all").end()
    assert (r["other"].code, r["other"].crc) == (0, crc(pattern(200_000)))
    assert (r["whole"].code, r["whole"].body) == (0, b"whole")
    lost = (PARTIAL, RECV_ERROR, HTTP2, HTTP2_STREAM, *([55] if NEWEST else []))
    assert r["half"].code in lost and r["half"].body in (b"half", b"")
    assert r["head"].code in lost
    assert r["none"].code in (*lost, 52) or r["none"].length == 200_000     # a GET may be made again


# The second request on a connection. Its options, and whether the server may have acted upon it when it is lost.
SECOND_REQUEST = {"GET": ({}, False), "POST": ({"POSTFIELDS": "abc"}, True), "DELETE": ({"CUSTOMREQUEST": "DELETE"}, True),
                  "GET by name": ({"CUSTOMREQUEST": "GET"}, False)}


@pytest.mark.parametrize("second", SECOND_REQUEST)
def test_kept_connection_is_closed(drive, way, h2_server, second):
    if NEWEST and h2_server.tls:
        h2_server.forgive()
        pytest.skip("the newest libcurl may fail with 55")
    def serve(h2):
        h2.respond(h2.request(), 200, b"first")
        h2.peer.finish()
    h2_server.script(part(serve)).script(part(serving, may_leave=True))
    d = drive(way).easy(URL=h2_server.url(), **h2_server.options).perform().do("sleep", 50)
    d.setopt("h", **SECOND_REQUEST[second][0])
    assert [(t.code, t.body) for t in d.perform().run().all("h")] == [(0, b"first"), SECOND]


@pytest.mark.parametrize("most,fields,body", [(1, (), b"all of it"), (7, [("content-length", "3")], b"abc")])
def test_response_of_a_server_that_closes(drive, way, h2_server, ours_only, most, fields, body):
    """It closes without reading what the client still sends, which fails before the response is read."""
    ours_only("the newest libcurl makes an error of it")
    def serve(h2):
        h2.expect(SETTINGS)
        s = h2.request()
        h2.send(settings(), head(s.id, status(200, *fields)), frame(DATA, s.id, body, END_STREAM))
        h2.peer.finish()
    h2_server.script(part(serve, start=False, quiet=True))
    d = drive(way, fault=True).do("fault", "recvmax", most).do("fault", "sendmax", most)
    t = d.easy(URL=h2_server.url(), **h2_server.options).perform().run()["h"]
    assert (t.code, t.body) == (0, body)


@pytest.mark.parametrize("most", [100, 16384])
def test_response_while_the_body_is_sent(drive, way, h2_server, ours_only, most):
    """The server closes with bytes unread: the rest of the body cannot be sent."""
    ours_only("likewise")
    def serve(h2):
        s = h2.request(whole=False)
        h2.send(head(s.id, status(413, ("content-length", "5"))), frame(DATA, s.id, b"large", END_STREAM))
        h2.peer.finish()
    h2_server.script(part(serve, window=1 << 24, values={INITIAL_WINDOW_SIZE: 1 << 24}, may_leave=True))
    d = drive(way, fault=True).do("fault", "sendmax", most)
    d.easy(URL=h2_server.url(), UPLOAD=1, **h2_server.options).body("h", 1_000_000).perform().getinfo("h", "RESPONSE_CODE")
    t = d.run()["h"]
    assert (t.code, t.body, t.info["RESPONSE_CODE"]) == (0, b"large", 413)


@pytest.mark.parametrize("second", SECOND_REQUEST)
def test_kept_connection_dies_with_the_request(drive, multi_way, h2_plain, second):
    """A GET is made again; another request may have been processed. The newest libcurl decides by which call met the loss."""
    def serve(h2):
        h2.respond(h2.request(), 200, b"first")
        h2.request()
        Reset().run(h2.peer)
    h2_plain.script(part(serve)).default(part(serving, may_leave=True))
    h2_plain.optional = True
    d = drive(multi_way).easy(URL=h2_plain.url(), **h2_plain.options).perform()
    options, acts = SECOND_REQUEST[second]
    d.setopt("h", **options)
    t = d.perform().run()["h"]
    again = (t.code, t.body) == SECOND
    assert again != acts or NEWEST
    assert again or t.code in (55, RECV_ERROR)


# ---------------------------------------------------------------- what is not HTTP/2

def test_server_of_http_1(drive, way, h2_server):
    if NEWEST and h2_server.tls and way == "socket":
        pytest.skip("the newest libcurl waits for ever")

    def serve(h2):
        h2.send(response(200, b"eleven"))
        h2.peer.drain(keep=True)
    h2_server.script(part(serve, start=False, may_leave=True))
    t = drive.get(way, URL=h2_server.url(), **h2_server.options)
    assert t.code == HTTP2 and t.error and not t.body


@pytest.mark.parametrize("data", [frame(PING, 0, bytes(8)), head(1, OK), frame(DATA, 1, b"x"), bytes(9), b"\xff" * 100])
def test_settings_do_not_come_first(drive, h2_plain, data):
    def serve(h2):
        h2.request()
        h2.send(data, settings())
        h2.peer.drain(keep=True)
    h2_plain.script(part(serve, start=False, may_leave=True))
    t = drive.get("poll", URL=h2_plain.url(), **h2_plain.options)
    assert t.code == HTTP2 and t.error


def test_server_that_says_nothing(drive, way, h2_server):
    h2_server.script(UntilClose())
    assert drive.get(way, URL=h2_server.url(), TIMEOUT_MS=300, **h2_server.options).code == 28


BROKEN = {
    "frame too large": [head(1, OK), frame(DATA, 1, bytes(16_385))],
    "largest length": [frame(DATA, 1, b"", length=0xffffff)],
    "DATA on the connection": [frame(DATA, 0, b"x")],
    "DATA on a stream that is not open": [frame(DATA, 3, b"x")],
    "DATA before the head": [frame(DATA, 1, b"x")],
    "HEADERS on the connection": [head(0, OK)],
    "HEADERS on a stream that is not open": [head(3, OK)],
    "HEADERS on a stream of the server": [head(2, OK)],
    "SETTINGS on a stream": [frame(SETTINGS, 1)],
    "SETTINGS cut": [frame(SETTINGS, 0, b"12345")],
    "SETTINGS acknowledged with values": [frame(SETTINGS, 0, bytes(6), 1)],
    "SETTINGS acknowledged too often": [frame(SETTINGS, 0, b"", 1)] * 3,
    "PING of seven bytes": [frame(PING, 0, b"1234567")],
    "PING on a stream": [frame(PING, 1, b"12345678")],
    "WINDOW_UPDATE of nothing": [frame(WINDOW_UPDATE, 0, 0)],
    "WINDOW_UPDATE of nothing on a stream": [frame(WINDOW_UPDATE, 1, 0)],
    "window too large": [frame(WINDOW_UPDATE, 0, 0x7fffffff)],
    "WINDOW_UPDATE on a stream that is not open": [frame(WINDOW_UPDATE, 5, 1)],
    "WINDOW_UPDATE cut": [frame(WINDOW_UPDATE, 0, b"123")],
    "RST_STREAM on a stream that is not open": [frame(RST_STREAM, 5, 1)],
    "RST_STREAM on the connection": [frame(RST_STREAM, 0, 1)],
    "RST_STREAM cut": [frame(RST_STREAM, 1, b"123")],
    "CONTINUATION alone": [frame(9, 1, b"", END_HEADERS)],
    "CONTINUATION of another stream": [frame(HEADERS, 1, block(OK)), frame(9, 3, b"", END_HEADERS)],
    "a frame within a head": [frame(HEADERS, 1, block(OK)), frame(PING, 0, bytes(8))],
    "PRIORITY cut": [frame(PRIORITY, 1, bytes(4))],
    "GOAWAY cut": [frame(GOAWAY, 0, bytes(7))],
    "GOAWAY on a stream": [frame(GOAWAY, 1, bytes(8))],
    "GOAWAY that takes more than before": [goaway(1), goaway(7)],
    "PUSH_PROMISE": [frame(5, 1, struct.pack(">I", 2) + block([(":method", "GET"), (":path", "/")]), END_HEADERS)],
    "HPACK index 0": [head(1, b"\x80")],
    "HPACK index that is not there": [head(1, b"\xff\x50")],
    "HPACK string cut": [head(1, b"\x00\x05ab")],
    "HPACK number too large": [head(1, b"\x7f" + b"\xff" * 10)],
    "HPACK code that is not Huffman's": [head(1, b"\x00\x82\xff\xff\x01a")],
    "HPACK table too large": [head(1, b"\x3f\xe1\xff\x7f" + block(OK))],
    "window of SETTINGS too large": [settings({4: 0x80000000})],
    "frames of SETTINGS too small": [settings({5: 100})],
    "frames of SETTINGS too large": [settings({5: 1 << 24})],
    "SETTINGS that allow pushes": [settings({2: 1})],
    "SETTINGS that half allow pushes": [settings({2: 2})],
    "padding too long": [head(1, OK), frame(DATA, 1, bytes([200]) + b"x", PADDED)],
    "padding of a head too long": [frame(HEADERS, 1, bytes([200]) + b"x", PADDED | END_HEADERS)],
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_connection(drive, h2_plain, name):
    """A fault of the connection ends it, with a GOAWAY that gives the reason; the next request gets another one."""
    h2_plain.script(after_a_request(*BROKEN[name])).default(part(serving, may_leave=True))
    first, second = twice(drive, h2_plain)
    assert first.code in (HTTP2, HTTP2_STREAM) and first.error and not first.body
    assert (second.code, second.body, second.info["NUM_CONNECTS"]) == (*SECOND, 1)
    if name != "largest length":
        assert [struct.unpack(">I", f.payload[4:8])[0] != 0 for f in h2_plain.sent() if f.type == GOAWAY] == [True]


@pytest.mark.parametrize("name", ["DATA on the connection", "HPACK index 0", "window too large"])
def test_broken_connection_in_every_way(drive, way, h2_server, name):
    h2_server.script(after_a_request(*BROKEN[name])).default(part(serving, may_leave=True))
    first, second = twice(drive, h2_server, way)
    assert first.code in (HTTP2, HTTP2_STREAM) and (second.code, second.body) == SECOND


def test_broken_connection_ends_all_its_streams(drive, multi_way, h2_server):
    def serve(h2):
        found = h2.requests(3)
        h2.respond(found["/a"], 200, b"whole")
        h2.send(head(found["/b"].id, OK), frame(DATA, found["/b"].id, b"half"), *BROKEN["HPACK index 0"])
        h2.peer.drain(keep=True)
    h2_server.script(part(serve, may_leave=True)).default(part(serving, may_leave=True))
    d = drive(multi_way)
    for name in "abc":
        d.easy(name, URL=h2_server.url("/" + name), PIPEWAIT=1, **h2_server.options).do("add", "m", name)
    r = d.do("drive", "m", "all").run()
    assert (r["a"].code, r["a"].body) == (0, b"whole")
    assert r["b"].code in (HTTP2, HTTP2_STREAM, PARTIAL, RECV_ERROR)
    assert r["c"].code in (HTTP2, HTTP2_STREAM, RECV_ERROR, 0)


ON_ITSELF = [frame(PRIORITY, 1, struct.pack(">IB", 1, 1))]   # older nghttp2 ends the connection, as RFC 7540 says


@pytest.mark.parametrize("data", [[frame(PING, 0, b"12345678", 1)], ON_ITSELF,
                                  [frame(PRIORITY, 77, struct.pack(">IB", 0, 1))], [frame(WINDOW_UPDATE, 0, 1000)] * 10])
def test_harmless_frames(drive, h2_server, data):
    def serve(h2):
        s = h2.request()
        h2.send(*data)
        h2.respond(s, 200, b"next")
    h2_server.script(part(serve, may_leave=data is ON_ITSELF))
    t = drive.get("poll", URL=h2_server.url(), **h2_server.options)
    assert (t.code, t.body) == SECOND or data is ON_ITSELF and not NEWEST and t.code == HTTP2


@pytest.mark.parametrize("data", [[frame(DATA, 1, b"more")], [head(1, OK)], [frame(WINDOW_UPDATE, 1, 5)],
                                  [frame(DATA, 1, b"more", END_STREAM)] * 3], ids=["DATA", "HEADERS", "WINDOW_UPDATE", "ends"])
def test_frames_after_the_end(drive, way, h2_server, data):
    """The transfer has its whole response; what follows is the server's fault, or was on its way."""
    h2_server.script(after_a_request(*WHEN["end"], *data)).default(part(serving, may_leave=True))
    first, second = twice(drive, h2_server, way)
    assert [(t.code, t.body) for t in (first, second)] == [(0, b"12345"), SECOND]


# ---------------------------------------------------------------- responses that break the rules

def test_stream_errors_leave_the_connection(drive, way, h2_server):
    """A response that breaks the rules of HTTP is the stream's error: the server gets PROTOCOL_ERROR for it."""
    h2_server.script(after_a_request(head(1, [*OK, ("Upper", "x")])))
    first, second = twice(drive, h2_server, way)
    assert first.code == HTTP2_STREAM
    assert (second.code, second.body, second.info["NUM_CONNECTS"]) == (*SECOND, 0)
    assert [(f.stream, f.number) for f in h2_server.sent() if f.type == RST_STREAM] == [(1, PROTOCOL_ERROR)]


@pytest.mark.parametrize("length,body,delivered", [("10", b"12345", b"12345"), ("3", b"12345", b""), ("10", b"", b""),
                                                   ("0", b"12345", b"")])
def test_content_length_lies(drive, way, h2_server, length, body, delivered):
    data = [head(1, status(200, ("content-length", length)), end=not body)]
    h2_server.script(after_a_request(*data, *([frame(DATA, 1, body, END_STREAM)] if body else [])))
    first, second = twice(drive, h2_server, way)
    assert (first.code, first.body) == (HTTP2_STREAM, delivered)
    assert (second.code, second.body) == SECOND


def test_body_of_a_head_request(drive, h2_server):
    h2_server.script(after_a_request(head(1, status(200, ("content-length", "5"))), frame(DATA, 1, b"12345", END_STREAM)))
    first, second = twice(drive, h2_server, NOBODY=1)
    assert (first.code, first.body) == (0, b"") and second.code == 0


@pytest.mark.parametrize("data", [
    [head(1, status(100), end=True)],
    [head(1, status(101))],
    [head(1, OK), frame(DATA, 1, b"x"), head(1, [("x-t", "1")])],
    [head(1, OK), frame(DATA, 1, b"x"), head(1, [(":status", "200")], end=True)],
    [head(1, OK), frame(DATA, 1, b"x"), head(1, OK)],
    [head(1, status(204)), frame(DATA, 1, b"12345", END_STREAM)],
    [head(1, status(103)), frame(DATA, 1, b"12345", END_STREAM)]],
    ids=["100 ends", "101", "trailers do not end", "status in trailers", "two heads", "204 with a body", "only 103"])
def test_bad_sequence(drive, h2_server, data):
    h2_server.script(after_a_request(*data)).default(part(serving, may_leave=True))
    first, second = twice(drive, h2_server)
    assert first.code in (HTTP2_STREAM, WEIRD, HTTP2) and (second.code, second.body) == SECOND


