"""Ending a transfer from each callback: the code, no leak, and the handle works afterwards."""

import pytest

from mote_driver import by_library, not_debian
from server import ContinueIfAsked, Expect, Reply, Send, Serve, UntilClose, chunked, response

DOWN = [
    ("write", "call", 1, 0, 23),
    ("write", "call", 1, "take 3", 23),
    ("write", "call", 1, 0xffffffff, 23),
    ("write", "bytes", 20000, 0, 23),
    ("header", "call", 1, 0, 23),
    ("header", "call", 3, 0, 23),
    ("header", "call", 1, 1000, 23),
    ("xferinfo", "call", 1, 1, 42),
    ("sockopt", "call", 1, 1, by_library(42, 42, 0)),  # the newest goes on with localhost's other address
    ("prereq", "call", 1, 1, 42),
    ("opensocket", "every", 0, -1, 7),
]


@pytest.mark.parametrize("event,measure,at,value,code", DOWN, ids=lambda v: str(v))
def test_download(drive, server, way, event, measure, at, value, code):
    """Then the same handle works."""
    def serve(q, p):
        return response(200, b"x" * 50000, ["A: b", "C: d"])
    server.default(Serve(serve))
    d = drive(way).easy(URL=server.url(host="localhost"), FORBID_REUSE=1)
    if event not in ("write", "header"):
        d.enable("h", event)
    action = value.split() if isinstance(value, str) else ["return", value]
    d.on("h", event, measure, at, *action).perform().do("calm", "h").perform()
    r = d.run()
    assert [t.code for t in r.all("h")] == [code, 0], r.all("h")[0].error
    assert r.all("h")[0].error or not code
    assert r["h"].length == 50000


@pytest.mark.parametrize("value,code", [(0x10000000, 42), (0x7fffffff, 26)])
def test_upload(drive, server, way, value, code):
    server.default(Serve(lambda q, p: response(200, b"ok")))
    server.script(Expect("PUT", body=False), ContinueIfAsked(), UntilClose())
    d = drive(way).easy(URL=server.url(), UPLOAD=1, INFILESIZE=50000, EXPECT_100_TIMEOUT_MS=10).body("h", 50000, 1000)
    d.on("h", "read", "call", 3, "return", value).perform().do("calm", "h").perform()
    r = d.run()
    assert [t.code for t in r.all("h")] == [code, 0]


def test_write_in_a_redirect_body_is_not_called(drive, server, way):
    server.answer(response(302, b"not delivered", ["Location: /2"]), response(200, b"end"))
    t = drive.get(way, URL=server.url(), FOLLOWLOCATION=1, on=[("write", "every", 0, "getinfo", "RESPONSE_CODE")])
    assert t.body == b"end"
    assert t.run.of("info", "h", "RESPONSE_CODE") == [[0, 200]]


def test_write_error_in_chunked(drive, server, way):
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(b"x" * 1000)), UntilClose())
    t = drive.get(way, URL=server.url(), on=[("write", "bytes", 500, "return", 0)])
    assert t.code == 23


@pytest.mark.parametrize("took", [0, 3])
@pytest.mark.parametrize("framing", ["length", "chunked"])
def test_what_the_callback_refused_does_not_count(drive, server, way, framing, took):
    """SIZE_DOWNLOAD counts what the callback took; in libcurl 7.88 all that was received, but of a chunked body."""
    body = b"0123456789"
    plain = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n" + body
    coded = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(body, 10)
    server.script(Expect(), Send(plain if framing == "length" else coded), UntilClose())
    t = drive.get(way, URL=server.url(), on=[("write", "call", 1, "take", took)], info=("SIZE_DOWNLOAD_T",))
    assert (t.code, t.info["SIZE_DOWNLOAD_T"]) == (23, by_library(0, 10 if framing == "length" else 0))


def test_write_error_in_gzip(drive, server, way):
    import gzip
    server.script(Expect(), Reply(200, gzip.compress(b"x" * 100000), ["Content-Encoding: gzip"]), UntilClose())
    t = drive.get(way, URL=server.url(), ACCEPT_ENCODING="gzip", on=[("write", "call", 2, "return", 0)])
    assert t.code == 23


def test_others_go_on(drive, server, multi_way):
    """One transfer that is aborted leaves those beside it alone."""
    server.default(Serve(lambda q, p: response(200, b"y" * 30000)))
    d = drive(multi_way)
    for n in "abc":
        d.easy(n, URL=server.url())
    r = d.on("b", "write", "call", 1, "return", 0).perform("a", "b", "c").run()
    assert (r["a"].code, r["b"].code, r["c"].code) == (0, 23, 0)
    assert r["a"].length == r["c"].length == 30000


# ---------------------------------------------------------------- calls from inside callbacks

def test_perform_in_a_callback(drive, server, way):
    server.answer(response(200, b"x"))
    r = drive(way).easy(URL=server.url()).on("h", "write", "call", 1, "perform").perform().run()
    assert r["h"].code == 0
    assert r.code("incb", "h", "perform") in (2, 93)


@pytest.mark.parametrize("action", ["remove", "mperform", "mcleanup", "msocket"])
def test_multi_calls_in_a_callback(drive, server, multi_way, action):
    server.answer(response(200, b"x"))
    r = drive(multi_way).easy(URL=server.url()).on("h", "write", "call", 1, action).perform().run()
    assert (r["h"].code, r["h"].body) == (0, b"x")
    assert r.code("incb", "h", action) == 8


def test_add_in_a_callback(drive, server, multi_way):
    """curl_multi_add_handle from inside a callback: allowed since 7.88? It answers either way, without harm."""
    server.default(Serve(lambda q, p: response(200, b"x")))
    d = drive(multi_way).easy("a", URL=server.url()).easy("b", URL=server.url())
    r = d.on("a", "write", "call", 1, "add", "b").do("add", "m", "a").do("drive", "m", "all").run()
    assert r["a"].code == 0
    code = r.code("incb", "a", "add")
    assert code in (0, 8)
    assert len(r.all("b")) == (1 if code == 0 else 0)


def test_setopt_in_a_callback(drive, server, way):
    """Options that are changed while a transfer runs count for the next one; the running one keeps its strings."""
    server.script(Expect(target="/1", has={"User-Agent": "one"}), Reply(302, b"", ["Location: /2"]),
                  Expect(target="/2"), Reply(200, b"x" * 40000), Expect(target="/3", has={"User-Agent": "two"}), Reply(200, b"y"))
    d = drive(way).easy(URL=server.url("/1"), USERAGENT="one", FOLLOWLOCATION=1)
    d.on("h", "header", "call", 1, "setopt", "URL", server.url("/3")).on("h", "header", "call", 1, "setopt", "USERAGENT", "two")
    r = d.perform().do("calm", "h").perform().run()
    assert [t.code for t in r.all("h")] == [0, 0]
    assert [t.length for t in r.all("h")] == [40000, 1]


@pytest.mark.parametrize("pauses", [False, True], ids=["taken", "paused"])
def test_header_callback_taken_away_in_a_callback(drive, server, way, pauses):
    """No header line goes anywhere then, above all not to the standard output."""
    server.script(Expect(), Reply(200, b"x" * 400, ["A: b", "B: c"]))
    d = drive(way).easy(URL=server.url()).on("h", "header", "call", 2, "setopt", "HEADERFUNCTION")
    d.on("h", "header", "call", 2, "setopt", "HEADERDATA")
    if pauses:
        d.enable("h", "xferinfo").setopt("h", NOPROGRESS=0)
        d.on("h", "header", "call", 2, "pause").on("h", "xferinfo", "every", 1, "unpause", "h")
    r = d.perform().run()
    assert not [x for x in r.lines if x[0][:2] in ("A:", "B:")]  # the driver's standard output
    assert (r["h"].code, r["h"].body, len(r["h"].headers)) == (0, b"x" * 400, 2 - pauses)


@not_debian("counts the line")
def test_a_header_line_that_is_refused_is_not_counted(drive, server, way):
    server.answer(response(200, b"body", ["A: b"]))
    t = drive.get(way, URL=server.url(), on=[("header", "call", 2, "return", 0)], info=("HEADER_SIZE",))
    assert (t.code, t.info["HEADER_SIZE"]) == (23, len(b"HTTP/1.1 200 OK\r\n"))
