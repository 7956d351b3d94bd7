"""HTTP/3 streams that end early, in every place and with every code; frames, heads and fields that break RFC 9114 and 9204."""

import pytest

from h3_bytes import (CANCEL_PUSH, DATA, GOAWAY, HEADERS, MAX_PUSH_ID, NO_ERROR, PUSH_PROMISE, PUSH_STREAM,
                      QPACK_DECODER, QPACK_ENCODER, REQUEST_REJECTED, SETTINGS, data, field, frame, head, play, prefixed, response,
                      section, varint)
from h3_fixtures import got
from mote_driver import PAUSE_CONT, by_library, crc, not_debian, pattern

pytestmark = [pytest.mark.usefixtures("http3"), not_debian("it has no HTTP/3")]

RESPONSE = response()
LENGTH = len(RESPONSE)
HEAD = LENGTH - 8  # where DATA begins
PLACES = range(LENGTH + 1)
CODES = range(0x100, 0x111)


def transfers(drive, way, peer, options, paths, **more):
    """One after the other; gives them."""
    d = drive(way).easy("h", **options)
    for path in paths:
        d.setopt("h", URL=peer.url(path, "quic"), **more).perform().getinfo("h", "NUM_CONNECTS")
    return d.run().all("h")


# ---------------------------------------------------------------- RESET_STREAM and STOP_SENDING

@pytest.mark.parametrize("flushed", ["at once", "after bytes"])
def test_reset_at_every_byte(drive, way, quic_peer, quic_options, flushed):
    """What a response lacks is an error, and none of the connection's: they are all made on one."""
    paths = [play(RESPONSE[:n], *(["flush"] if flushed == "after bytes" else []), ("reset", 0x102)) for n in PLACES]
    all_of_them = transfers(drive, way, quic_peer, quic_options, [*paths, "/12.txt"])
    for n, t in zip(PLACES, all_of_them):
        assert t.code in by_library([95], None, [95, 18, 56, 0] if n == LENGTH else [95, 18, 56]), n
        assert b"hello\n".startswith(t.body), n
    got(all_of_them[-1], "12.txt")
    assert sum(t.info["NUM_CONNECTS"] for t in all_of_them) == 1


@pytest.mark.parametrize("code", [NO_ERROR, 0x10c])
def test_stop_at_every_byte(drive, way, quic_peer, quic_options, code):
    """The request was complete: that it is not wanted any more is nothing to its response."""
    paths = [play(RESPONSE[:n], ("stopnow", code), RESPONSE[n:], "fin") for n in PLACES]
    for n, t in zip(PLACES, transfers(drive, way, quic_peer, quic_options, paths)):
        assert (t.code, t.body) == (0, b"hello\n"), n


@pytest.mark.parametrize("end", ["reset", "fin"])
def test_end_at_every_byte(drive, way, quic_peer, quic_options, end, ours_only):
    """Without an end a response is not whole. The end of the stream in a frame ends the connection (RFC 9114 section 7.1); between frames it is what the response lacks."""
    ours_only("codes")
    last = ("reset", NO_ERROR) if end == "reset" else "fin"
    for n, t in zip(PLACES, transfers(drive, way, quic_peer, quic_options, [play(RESPONSE[:n], "flush", last) for n in PLACES])):
        if n == LENGTH and end == "fin":
            assert (t.code, t.body) == (0, b"hello\n"), n
        else:
            assert t.code in (95, 18) and t.error, n
            assert t.code == 95 or n >= HEAD, n


@pytest.mark.parametrize("at", [0, HEAD, HEAD + 4])
def test_reset_with_every_code(drive, way, quic_peer, quic_options, at, ours_only):
    """H3_VERSION_FALLBACK asks for HTTP/2 or 1.1, by TCP, where no one listens."""
    ours_only("codes")
    codes = [c for c in CODES if (c, at) != (REQUEST_REJECTED, 0)] + [0, 0x1f * 9 + 0x21, 0x200, (1 << 62) - 1]
    for code, t in zip(codes, transfers(drive, way, quic_peer, quic_options, [play(RESPONSE[:at], "flush", ("reset", c)) for c in codes])):
        expected = 18 if code == NO_ERROR and at else 7 if code == 0x110 else 95
        assert (t.code, bool(t.error)) == (expected, True), (hex(code), t.error)


def test_rejected_request_is_made_again(drive, way, quic_peer, quic_options, ours_only):
    """One that the server has not begun with; one of whose response a byte has come is not."""
    ours_only("libcurl 8.23 fails")
    again = transfers(drive, way, quic_peer, quic_options, [f"/once/reject-{way}"])[0]
    assert (again.code, again.body) == (0, b"taken\n")
    t = transfers(drive, way, quic_peer, quic_options, [play(RESPONSE[:HEAD], "flush", ("reset", REQUEST_REJECTED))])[0]
    assert t.code == 95


def test_rejected_upload_is_made_again(drive, way, quic_peer, quic_options, ours_only):
    """Its body is rewound."""
    ours_only("libcurl 8.23 fails")
    d = drive(way).easy("h", URL=quic_peer.url(f"/once/upload-{way}", "quic"), UPLOAD=1, INFILESIZE=200_000, **quic_options)
    t = d.enable("h", "seek").body("h", 200_000).perform().run()["h"]
    assert (t.code, t.length, t.crc) == (0, 200_000, crc(pattern(200_000)))


def test_reset_after_the_end(drive, way, quic_peer, quic_options):
    """A response that has come whole stays so (RFC 9000 section 3.2), also in an upload."""
    reset = ("packet", b"\4\0" + varint(NO_ERROR) + varint(LENGTH))
    d = drive(way).easy("h", URL=quic_peer.url(play(RESPONSE, "fin", reset, ("stop", NO_ERROR), at_head=True), "quic"), UPLOAD=1,
                        INFILESIZE=5_000_000, **quic_options).body("h", 5_000_000)
    t = d.perform().run()["h"]
    assert (t.code, t.body) == (0, b"hello\n")


@pytest.mark.parametrize("code", [NO_ERROR, 0x10c, 0x102])
def test_upload_that_is_not_wanted(drive, way, quic_peer, quic_options, code):
    """STOP_SENDING with a whole response: the rest is not sent, and the response counts (RFC 9114 section 4.1)."""
    d = drive(way).easy("h", URL=quic_peer.url(play(("stop", code), RESPONSE, "fin", at_head=True), "quic"), UPLOAD=1,
                        INFILESIZE=5_000_000, **quic_options).body("h", 5_000_000).perform()
    run = d.setopt("h", HTTPGET=1, URL=quic_peer.url("/12.txt", "quic")).perform().getinfo("h", "NUM_CONNECTS").run()
    first, second = run.all("h")
    assert (first.code, first.body) == (0, b"hello\n")
    got(second, "12.txt")
    assert second.info["NUM_CONNECTS"] == 0


def test_upload_that_is_reset_both_ways(drive, way, quic_peer, quic_options):
    d = drive(way).easy("h", URL=quic_peer.url(play(("stop", 0x10c), ("reset", 0x10c), at_head=True), "quic"), UPLOAD=1,
                        INFILESIZE=5_000_000, **quic_options).body("h", 5_000_000).perform()
    first, second = d.setopt("h", HTTPGET=1, URL=quic_peer.url("/12.txt", "quic")).perform().run().all("h")
    assert first.code in by_library([95], None, [95, 56, 55, 18]) and first.error
    got(second, "12.txt")


def test_upload_whose_response_is_reset(drive, way, quic_peer, quic_options, ours_only):
    """The server goes on reading. The transfer ends, although its upload does not go on."""
    ours_only("not tried with libcurl")
    limit = {"TIMEOUT": None, "TIMEOUT_MS": 6000}
    d = drive(way).easy("h", URL=quic_peer.url(play(("reset", 0x102), at_head=True), "quic"), UPLOAD=1, INFILESIZE=500_000,
                        **{**quic_options, **limit}).body("h", 500_000).on("h", "read", "call", 2, "pause").perform().do("calm", "h")
    first, second = d.setopt("h", HTTPGET=1, URL=quic_peer.url("/12.txt", "quic")).perform().run().all("h")
    assert first.code == 95 and "H3_INTERNAL_ERROR" in first.error
    got(second, "12.txt")


def test_upload_that_is_refused_on_one_side(drive, quic_peer, quic_options, ours_only):
    """The server has not begun with it: it is made again before all of it was sent."""
    ours_only("not tried with libcurl")
    path = play(("first", "oneside"), ("reset", 0x10b), at_head=True)
    d = drive("poll").easy("h", URL=quic_peer.url(path, "quic"), UPLOAD=1, INFILESIZE=500_000, VERBOSE=1, **quic_options).enable("up", "debug", "debugprint")
    d.enable("h", "seek").body("h", 500_000).on("h", "read", "call", 2, "pause").do("multi", "m").do("add", "m", "h")
    r = d.do("drive", "m", "paused", "h").do("drive", "m", "for", 200).do("pause", "h", PAUSE_CONT).do("drive", "m", "all").run()
    assert (r["h"].code, r["h"].body) == (0, b"again\n")
    assert [int(f[4]) for f in r.lines if f[:3] == ["count", "h", "read"]][0] < 700_000


def test_window_of_a_byte(drive, way, quic_peer, quic_options):
    """For the request, and its body."""
    d = drive(way).easy("h", URL=quic_peer.url("/echo", "tiny"), UPLOAD=1, INFILESIZE=300_000, **quic_options).body("h", 300_000)
    t = d.perform().run()["h"]
    assert (t.code, t.length, t.crc) == (0, 300_000, crc(pattern(300_000)))


# ---------------------------------------------------------------- frames

LAWFUL = {
    "unknown frames": frame(0x21, b"grease") + head() + frame(0x1f * 7 + 0x21) + data("a") + frame(0x40, b"x" * 500) + data("b"),
    "empty DATA": head() + data("") * 50 + data("ab"),
    "long integers": varint(HEADERS, 8) + varint(len(section((":status", "200"))), 8) + section((":status", "200"))
    + varint(DATA, 4) + varint(2, 8) + b"ab",
    "a byte a frame": head() + data("a") + data("b"),
    "trailer": head() + data("ab") + frame(HEADERS, section(("x-sum", "7"))),
    "interim": head(status=103) + head(("link", "</a>"), status=103) + head() + data("ab"),
    "interim with a length": head(("content-length", "9"), status=103) + head() + data("ab"),
    "upper value": head(("x-a", "\x80\xff\tB")) + data("ab"),
}


@pytest.mark.parametrize("name", LAWFUL)
def test_odd_and_lawful(drive, way, quic_peer, quic_options, name):
    t = transfers(drive, way, quic_peer, quic_options, [play(LAWFUL[name], "fin")])[0]
    assert (t.code, t.error, t.body) == (0, "", b"ab")


OK = (":status", "200")
UNLAWFUL = {
    # frames (section 7.2)
    "DATA first": data("ab") + head(),
    "HEADERS after trailers": head() + data("a") + frame(HEADERS, section(("x", "y"))) * 2,
    "DATA after trailers": head() + data("a") + frame(HEADERS, section(("x", "y"))) + data("b"),
    "SETTINGS here": head() + frame(SETTINGS) + data("ab"),
    "GOAWAY here": head() + frame(GOAWAY, b"\0") + data("ab"),
    "MAX_PUSH_ID here": head() + frame(MAX_PUSH_ID, b"\0") + data("ab"),
    "CANCEL_PUSH here": head() + frame(CANCEL_PUSH, b"\0") + data("ab"),
    "PUSH_PROMISE": head() + frame(PUSH_PROMISE, b"\0" + section((":method", "GET"))) + data("ab"),
    "HTTP/2's PRIORITY": head() + frame(2, b"x") + data("ab"),
    "HTTP/2's PING": head() + frame(6, bytes(8)) + data("ab"),
    "HTTP/2's WINDOW_UPDATE": head() + frame(8, bytes(4)) + data("ab"),
    "HTTP/2's CONTINUATION": head() + frame(9, b"") + data("ab"),
    "frame beyond the end": head() + frame(DATA, b"ab", length=100),
    "no HEADERS": b"",
    "empty HEADERS": frame(HEADERS, b"") + data("ab"),
    # heads (sections 4.1 to 4.3)
    "no :status": head(("a", "b"), status=None) + data("ab"),
    ":status twice": head(OK) + data("ab"),
    ":status after a field": frame(HEADERS, section(("a", "b"), OK)) + data("ab"),
    ":status of two digits": head(status=20) + data("ab"),
    ":status of four digits": head(status=2000) + data("ab"),
    ":status of letters": frame(HEADERS, section((":status", "abc"))) + data("ab"),
    ":status empty": frame(HEADERS, section((":status", ""))) + data("ab"),
    ":method": head((":method", "GET")) + data("ab"),
    ":path": head((":path", "/")) + data("ab"),
    "unknown pseudo-header": head((":other", "x")) + data("ab"),
    "upper case": head(("X-A", "b")) + data("ab"),
    "connection": head(("connection", "close")) + data("ab"),
    "transfer-encoding": head(("transfer-encoding", "chunked")) + data("ab"),
    "keep-alive": head(("keep-alive", "3")) + data("ab"),
    "upgrade": head(("upgrade", "h2c")) + data("ab"),
    "101": head(status=101) + data("ab"),
    "length too long": head(("content-length", "3")) + data("ab"),
    "length too short": head(("content-length", "1")) + data("ab"),
    "length twice": head(("content-length", "2"), ("content-length", "3")) + data("ab"),
    "length of letters": head(("content-length", "two")) + data("ab"),
    "length negative": head(("content-length", "-2")) + data("ab"),
    "length huge": head(("content-length", "99999999999999999999")) + data("ab"),
    "body of 204": head(status=204) + data("ab"),
    "pseudo-header in trailers": head() + data("ab") + frame(HEADERS, section(OK)),
    "upper case in trailers": head() + data("ab") + frame(HEADERS, section(("X", "y"))),
    "interim alone": head(status=103),
    "interim with a body": head(status=103) + data("ab"),
    # QPACK (RFC 9204)
    "field cut": frame(HEADERS, section(OK) + field("abc", "defgh")[:-3]) + data("ab"),
    "no prefix": frame(HEADERS, b"\0") + data("ab"),
    "integer without end": frame(HEADERS, b"\0\0\x27" + b"\xff" * 12) + data("ab"),
    "static entry 99": frame(HEADERS, b"\0\0" + prefixed(99, 6, 0xc0)) + data("ab"),
    "dynamic entry of an empty table": frame(HEADERS, b"\0\0\x80") + data("ab"),
    "required count without a table": frame(HEADERS, b"\xff\xff\xff\xff\0\x80") + data("ab"),
    "bad Huffman": frame(HEADERS, b"\0\0" + prefixed(3, 3, 0x28) + b"\xff\xff\xff\x01x") + data("ab"),
}


@pytest.mark.parametrize("end", [(data("he"), "fin"), (data("he"), "flush", ("wait", 20), "fin"), ("fin",)], ids=["at once", "later", "no body"])
def test_short_response_leaves_the_others_alone(drive, multi_way, quic_peer, quic_options, end, ours_only):
    """Fewer bytes than the length announces are an error of the stream (section 4.1.2), as are those of a server that has died."""
    ours_only("libcurl 8.23 ends the connection")
    d = drive(multi_way).do("multi", "m").easy("n", URL=quic_peer.url("/1m.bin", "quic"), PIPEWAIT=1, **quic_options)
    d.on("n", "write", "call", 2, "pause").do("add", "m", "n").do("drive", "m", "paused", "n")
    d.easy("h", URL=quic_peer.url(play(head(("content-length", "9")), *end), "quic"), PIPEWAIT=1, **quic_options).do("add", "m", "h")
    r = d.do("drive", "m", "done", "h").do("calm", "n").do("pause", "n", 0).do("drive", "m", "all").run()
    assert (r["h"].code, bool(r["h"].error)) == (18, True)
    got(r["n"], "1m.bin")


@pytest.mark.parametrize("path", [play(head(("content-length", "9"), status=304), "fin"), play(head(("content-length", "9")), "fin")],
                         ids=["304", "HEAD"])
def test_length_without_a_body(drive, way, quic_peer, quic_options, path):
    """Of 304, and of HEAD."""
    first, second = transfers(drive, way, quic_peer, quic_options, [path, path], NOBODY=0 if "333034" in path else 1)
    assert (first.code, first.body, second.code, second.body) == (0, b"", 0, b"")
    assert second.info["NUM_CONNECTS"] == 0


# Fields that no one may believe: nghttp3 drops them, and HTTP/1 never has them
DROPPED = {
    "empty name": head(("", "b")) + data("ab"),
    "space in a name": head(("a b", "c")) + data("ab"),
    "colon in a name": head(("a:b", "c")) + data("ab"),
    "CR in a name": head(("a\rb", "c")) + data("ab"),
    "NUL in a value": head(("a", "b\0c")) + data("ab"),
    "CR in a value": head(("a", "b\rc")) + data("ab"),
    "LF in a value": head(("a", "b\nc: d")) + data("ab"),
}


@pytest.mark.parametrize("name", DROPPED)
def test_dropped_field(drive, way, quic_peer, quic_options, name):
    t = transfers(drive, way, quic_peer, quic_options, [play(DROPPED[name], "fin")])[0]
    assert t.code in by_library([0], None, [0, 95, 56])
    assert not t.code or t.error
    assert [h for h in t.headers if not h.startswith(b"HTTP/3")] in ([], [b"\r\n"])


@pytest.mark.parametrize("name", UNLAWFUL)
def test_unlawful(drive, way, quic_peer, quic_options, name, ours_only):
    """An error of the stream or of the connection, with a text; a request after it is served."""
    ours_only("codes")
    first, second = transfers(drive, way, quic_peer, quic_options, [play(UNLAWFUL[name], "fin"), "/12.txt"])
    assert first.code in (95, 18, 8) and first.error, first
    got(second, "12.txt")


# ---------------------------------------------------------------- streams of the connection

CONTROL = {
    "SETTINGS twice": ("control", frame(SETTINGS)),
    "DATA on the control stream": ("control", data("a")),
    "HEADERS on the control stream": ("control", head()),
    "PUSH_PROMISE on the control stream": ("control", frame(PUSH_PROMISE, b"\0")),
    "GOAWAY with a byte too many": ("control", frame(GOAWAY, b"\0\0")),
    "GOAWAY cut": ("control", frame(GOAWAY, b"\x40")),
    "GOAWAY of no request": ("control", frame(GOAWAY, b"\1")),
    "GOAWAY that grows": ("control", frame(GOAWAY, b"\x30") + frame(GOAWAY, b"\x38")),
    "MAX_PUSH_ID of the server": ("control", frame(MAX_PUSH_ID, b"\1")),
    "CANCEL_PUSH of none": ("control", frame(CANCEL_PUSH, b"\1")),
    "HTTP/2's frame on the control stream": ("control", frame(6, bytes(8))),
    "a second control stream": ("uni", b"\0" + frame(SETTINGS)),
    "a second encoder": ("uni", varint(QPACK_ENCODER)),
    "a second decoder": ("uni", varint(QPACK_DECODER)),
    "push stream": ("uni", varint(PUSH_STREAM) + b"\0" + head()),
    "end of the control stream": ("controlfin",),
    "reset of the control stream": ("controlreset", 0x100),
    "encoder: capacity beyond what is allowed": ("encoder", prefixed(1 << 20, 5, 0x20)),
    "encoder: entry of the static table's end": ("encoder", prefixed(64, 5, 0x20) + prefixed(99, 6, 0xc0) + b"\0"),
    "encoder: duplicate of none": ("encoder", prefixed(64, 5, 0x20) + prefixed(5, 5)),
    "encoder: entry larger than the table": ("encoder", prefixed(64, 5, 0x20) + prefixed(40, 5, 0x40) + b"n" * 40 + b"\x28" + b"v" * 40),
    "decoder: acknowledges nothing": ("decoder", prefixed(4000, 7, 0x80)),
    "decoder: increment of 0": ("decoder", b"\0"),
}


@pytest.mark.parametrize("name", CONTROL)
def test_unlawful_on_the_connection(drive, way, quic_peer, quic_options, name, ours_only):
    """The connection ends, its transfer with it, and the next one has another."""
    ours_only("codes")
    paths = [play(head(("content-length", "5")) + data("he"), "flush", CONTROL[name], "flush", ("wait", 2000), data("llo"), "fin"), "/12.txt"]
    first, second = transfers(drive, way, quic_peer, quic_options, paths)
    assert first.code == 95 and first.error, first
    got(second, "12.txt")
    assert second.info["NUM_CONNECTS"] == 1


def test_unknown_streams(drive, way, quic_peer, quic_options):
    """Those of types that no one knows are ignored, many of them, one after the other (section 6.2.3)."""
    paths = [play(("repeatuni", 8, varint(0x21) + b"ignored"), "flush", RESPONSE, "fin")] * 8
    for t in transfers(drive, way, quic_peer, quic_options, paths):
        assert (t.code, t.body) == (0, b"hello\n")


def test_unknown_settings_and_frames_of_control(drive, way, quic_peer, quic_options):
    frames = frame(0x21, b"x") * 20 + frame(0x1f * 4 + 0x21) * 20
    t = transfers(drive, way, quic_peer, quic_options, [play(("control", frames), RESPONSE, "fin")])[0]
    assert (t.code, t.body) == (0, b"hello\n")


# ---------------------------------------------------------------- QPACK's table

INSERT = prefixed(64, 5, 0x20) + prefixed(3, 5, 0x40) + b"x-t" + b"\x02ab"  # capacity 64, then x-t: ab
WAITS = frame(HEADERS, section((":status", "200"), b"\x80", ("content-length", "2"), prefix=b"\x02\0")) + data("ab")  # needs it


def test_head_that_waits_for_the_table(drive, multi_way, quic_peer, quic_options, ours_only):
    """The stream waits; others do not. When the entry comes it goes on."""
    ours_only("libcurl 8.23 lets no stream wait")
    d = drive(multi_way).do("multi", "m")
    d.easy("late", URL=quic_peer.url(play(WAITS, "fin", "flush", ("wait", 300), ("encoder", INSERT)), "quic"), PIPEWAIT=1, **quic_options)
    d.easy("other", URL=quic_peer.url("/64k.bin", "quic"), PIPEWAIT=1, **quic_options)
    r = d.do("add", "m", "late", "other").do("drive", "m", "all").run()
    got(r["other"], "64k.bin")
    assert (r["late"].code, r["late"].body) == (0, b"ab") and b"x-t: ab\r\n" in r["late"].headers
    assert r.order == ["other", "late"]


def test_head_that_waits_for_ever(drive, multi_way, quic_peer, quic_options, ours_only):
    ours_only("libcurl 8.23 lets no stream wait")
    d = drive(multi_way).do("multi", "m")
    d.easy("never", URL=quic_peer.url(play(WAITS, "fin"), "quic"), PIPEWAIT=1, **{**quic_options, "TIMEOUT": None, "TIMEOUT_MS": 1500})
    d.do("add", "m", "never").do("drive", "m", "for", 50)
    d.easy("other", URL=quic_peer.url("/64k.bin", "quic"), PIPEWAIT=1, **quic_options).do("add", "m", "other").do("drive", "m", "all")
    r = d.do("remove", "m", "never", "other").easy("last", URL=quic_peer.url("/12.txt", "quic"), **quic_options)
    r = d.do("add", "m", "last").do("drive", "m", "all").run()
    got(r["other"], "64k.bin")
    got(r["last"], "12.txt")
    assert r["never"].code == 28


def test_upload_that_goes_on_when_its_stream_is_gone(drive, multi_way, quic_peer, quic_options, ours_only):
    """The server wants no more of it, and its response waits: QUIC has closed the stream by then."""
    ours_only("libcurl 8.23 lets no stream wait")
    path = play(("stop", NO_ERROR), WAITS, "fin", "flush", ("wait", 1000), ("encoder", INSERT), at_head=True)
    d = drive(multi_way).do("multi", "m").easy("up", URL=quic_peer.url(path, "quic"), UPLOAD=1, INFILESIZE=500_000, **quic_options)
    d.body("up", 500_000).on("up", "read", "call", 2, "pause").do("add", "m", "up").do("drive", "m", "paused", "up")
    t = d.do("drive", "m", "for", 300).do("calm", "up").do("pause", "up", PAUSE_CONT).do("drive", "m", "all").run()["up"]
    assert (t.code, t.body) == (0, b"ab")


def test_head_that_waits_and_is_reset(drive, way, quic_peer, quic_options):
    first, second = transfers(drive, way, quic_peer, quic_options, [play(WAITS, "flush", ("reset", 0x102)), "/12.txt"])
    assert first.code in by_library([95], None, [95, 56]) and first.error
    got(second, "12.txt")


def test_too_many_heads_that_wait(drive, multi_way, quic_peer, quic_options, ours_only):
    """A hundred may."""
    ours_only("its number")
    d = drive(multi_way).do("multi", "m").do("msetopt", "m", "MAX_CONCURRENT_STREAMS", 200)
    names = [f"h{i}" for i in range(110)]
    for name in names:
        d.easy(name, URL=quic_peer.url(play(WAITS, "fin"), "quic"), PIPEWAIT=1, **quic_options)
    r = d.do("add", "m", *names).do("drive", "m", "all").run()
    assert {r[n].code for n in names} == {95}


def test_table_of_nothing(drive, way, quic_peer, quic_options):
    """The server has no table: requests say all in full, the second as the first."""
    d = drive(way).easy("h", URL=quic_peer.url("/fields", "untabled"), HTTPHEADER=["x-a: " + "v" * 500], **quic_options)
    run = d.perform().perform().perform().getinfo("h", "NUM_CONNECTS").run()
    bodies = {t.body for t in run.all("h")}
    assert len(bodies) == 1 and b"x-a: " + b"v" * 500 in bodies.pop() and run["h"].info["NUM_CONNECTS"] == 0


def test_encoder_without_room(drive, way, quic_peer, quic_options):
    """The server lets the client fill no table: what it cannot say there it says in full, and waits for nothing (RFC 9204 section
    2.1.3)."""
    d = drive(way).easy("h", URL=quic_peer.url("/fields", "cramped"), **quic_options)
    for i in range(6):
        d.setopt("h", HTTPHEADER=[f"x-{n}: {'v' * 300}{i}" for n in "abc"]).perform()
    for i, t in enumerate(d.run().all("h")):
        assert t.code == 0 and f"x-b: {'v' * 300}{i}\n".encode() in t.body, i


def test_one_stream_at_a_time(drive, multi_way, quic_peer, quic_options):
    """The others wait for the server's MAX_STREAMS."""
    d = drive(multi_way).do("multi", "m")
    for i in range(20):
        d.easy(f"h{i}", URL=quic_peer.url("/64k.bin", "single"), PIPEWAIT=1, **quic_options)
    r = d.do("add", "m", *[f"h{i}" for i in range(20)]).do("drive", "m", "all").run()
    for i in range(20):
        got(r[f"h{i}"], "64k.bin")
