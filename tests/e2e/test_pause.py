"""Pausing and going on, both directions, from inside and outside callbacks."""

import threading

import pytest

from mote_driver import PAUSE_ALL, PAUSE_CONT, PAUSE_RECV, SYSTEM, by_library, crc, not_debian, pattern
from server import ContinueIfAsked, Body, Expect, Reply, Send, Serve, UntilClose, Wait, chunked, response

DATA = pattern(300_000)


def framed(framing):
    if framing == "chunked":
        return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(DATA, 5000)
    return response(200, DATA)


@pytest.mark.parametrize("framing", ["length", "chunked"])
@pytest.mark.parametrize("at", [1, 50_000])
def test_write_pause(drive, server, multi_way, framing, at):
    """Nothing is delivered while paused; what was refused comes again; the rest follows."""
    server.script(Expect(), Send(framed(framing)), Expect(), Reply(200, b"next"))
    d = drive(multi_way).easy(URL=server.url()).on("h", "write", "bytes", at, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("drive", "m", "for", 60).do("mark", "still")
    d.do("pause", "h", PAUSE_CONT).do("drive", "m", "all").setopt("h", URL=server.url("/2")).do("add", "m", "h")
    r = d.do("drive", "m", "all").run()
    first, second = r.all("h")
    assert (first.code, first.length, first.crc) == (0, len(DATA), crc(DATA))
    assert second.body == b"next"
    assert r.of("paused", "h")[0][1] <= at


def test_write_pause_of_chunks_left_as_they_are(drive, server, multi_way):
    """Of what one read had brought, all after the first 16 KB was lost."""
    data = chunked(DATA, 5000)
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + data))
    d = drive(multi_way).easy(URL=server.url(), HTTP_TRANSFER_DECODING=0, BUFFERSIZE=100_000)
    d.on("h", "write", "call", 2, "pause").do("add", "m", "h").do("drive", "m", "paused", "h")
    t = d.do("pause", "h", PAUSE_CONT).do("drive", "m", "all").run()["h"]
    assert (t.code, t.length, t.crc) == (0, len(data), crc(data))


def test_write_pause_of_too_many_chunks_left_as_they_are(drive, server, multi_way):
    """What went over CURLOPT_MAXFILESIZE was dropped without an error."""
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(b"x" * 100)))
    d = drive(multi_way).easy(URL=server.url(), HTTP_TRANSFER_DECODING=0, MAXFILESIZE=50)
    d.on("h", "write", "call", 1, "pause").do("add", "m", "h").do("drive", "m", "for", 200)
    t = d.do("pause", "h", PAUSE_CONT).do("drive", "m", "all").run()["h"]
    assert t.code == by_library(63, t.code, 63)


def test_pause_costs_no_loops(drive, server, multi_way):
    """While paused with data waiting, a loop sleeps."""
    server.script(Expect(), Send(response(200, DATA)))
    d = drive(multi_way).easy(URL=server.url()).on("h", "write", "call", 1, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("drive", "m", "for", 300).do("pause", "h", 0).do("drive", "m", "all")
    r = d.run()
    assert r["h"].crc == crc(DATA)
    limit = 40 if multi_way in ("poll", "socket") else 400
    assert r.of("loops", "m", "for")[0][0] < limit


def test_write_pause_easy(drive, server):
    """curl_easy_perform: unpaused from the progress callback."""
    server.answer(response(200, DATA))
    d = drive("easy").easy(URL=server.url()).enable("h", "xferinfo").on("h", "write", "call", 2, "pause")
    d.on("h", "xferinfo", "every", 1, "unpause", "h")  # which of them finds it paused is a matter of speed
    t = d.perform().run()["h"]
    assert (t.code, t.length, t.crc) == (0, len(DATA), crc(DATA))


def test_progress_that_unpauses_does_not_spin(drive, server, way, ours_only):
    """Each call of a progress callback that unpauses brought about the next one at once, thousands a second, as in libcurl."""
    ours_only("libcurl calls it thousands of times a second")
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"), UntilClose())
    d = drive(way).easy(URL=server.url(), TIMEOUT_MS=1500, NOPROGRESS=0).enable("h", "xferinfo")
    r = d.on("h", "xferinfo", "every", 1, "unpause", "h").perform().run()
    assert (r["h"].code, r["h"].body) == (28, b"hello")
    assert len(r.of("incb", "h", "unpause")) < 100


def test_pause_from_outside(drive, server, multi_way):
    """curl_easy_pause between steps."""
    go = threading.Event()
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"), Wait(go), Send(b"world"))
    d = drive(multi_way).easy(URL=server.url()).do("add", "m", "h").do("drive", "m", "bytes", "h", "write", 5)
    d.do("pause", "h", PAUSE_RECV).do("mark", "paused").do("drive", "m", "stdin").start()
    d.expect("mark", "paused")
    go.set()
    d.do("mark", "line").do("drive", "m", "for", 60).do("pause", "h", PAUSE_CONT).do("drive", "m", "all")
    r = d.end()
    assert r["h"].body == b"helloworld"


def test_what_is_watched_in_a_pause(drive, server):
    """The application hears within curl_easy_pause what it is to watch, not in its next call: pycurl's tests."""
    go = threading.Event()
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"), Wait(go), Send(b"world"))
    d = drive("socket").easy(URL=server.url()).do("add", "m", "h").do("drive", "m", "bytes", "h", "write", 5)
    for bits in (PAUSE_RECV, PAUSE_ALL, PAUSE_ALL, PAUSE_CONT, PAUSE_CONT, PAUSE_ALL, PAUSE_CONT):
        d.do("pause", "h", bits).do("watched", "m").do("mtimeout", "m")
    d.do("mark", "paused").do("drive", "m", "stdin").start()
    d.expect("mark", "paused")
    go.set()
    r = d.do("mark", "line").do("drive", "m", "all").end()
    assert r["h"].body == b"helloworld"
    assert [x[-1] for x in r.of("watched", "m")] == [0, 0, 0, 1, 1, 0, 1]
    steps = by_library([-1, -1, -1, 0, 0, 0, 0], [0] * 7, [-1, -1, -1, 0, 0, 0, 0])
    assert [x[-1] for x in r.of("mtimeout", "m")] == steps  # nothing is to be done about a pause, 7.88 steps it


def test_what_is_watched_in_a_pause_of_an_upload(drive, server):
    """The answer may come first: a pause of the sending alone leaves it watched."""
    server.script(Expect("PUT", body=False), ContinueIfAsked(), Body(DATA), Reply(200, b"ok"))
    d = drive("socket").easy(URL=server.url(), UPLOAD=1, INFILESIZE=len(DATA)).body("h", len(DATA))
    d.on("h", "read", "call", 2, "pause").do("add", "m", "h").do("drive", "m", "paused", "h").do("drive", "m", "for", 20)
    d.do("watched", "m").do("pause", "h", PAUSE_ALL).do("watched", "m").do("pause", "h", PAUSE_CONT).do("watched", "m")
    r = d.do("drive", "m", "all").run()
    assert r["h"].code == 0
    assert [x[-1] for x in r.of("watched", "m")] == [1, 0, 3]


def test_paused_before_start(drive, server, multi_way, ours_only):
    ours_only("libcurl 7.88 forgets a pause that was set before the transfer began")
    server.answer(response(200, b"x"))
    d = drive(multi_way).easy(URL=server.url()).do("add", "m", "h").do("drive", "m", "for", 0).do("pause", "h", PAUSE_ALL)
    d.do("drive", "m", "for", 50).do("pause", "h", 0).do("drive", "m", "all")
    assert d.run()["h"].body == b"x"


def test_header_pause(drive, server, multi_way):
    """The header callback may pause, too."""
    server.answer(response(200, b"body", ["A: b", "C: d"]))
    d = drive(multi_way).easy(URL=server.url()).on("h", "header", "call", 2, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("drive", "m", "for", 30).do("pause", "h", 0).do("drive", "m", "all")
    t = d.run()["h"]
    assert (t.code, t.body) == (0, b"body")
    lines = [b"HTTP/1.1 200 OK\r\n", b"A: b\r\n", b"C: d\r\n", b"Content-Length: 4\r\n", b"\r\n"]
    if SYSTEM:  # libcurl 7.88 delivers what it held back in one piece
        assert b"".join(t.headers) == b"".join(lines)
    else:
        assert t.headers == lines


def test_trailer_pause(drive, server, multi_way):
    server.answer(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\nA: b\nC: d\n\n")
    d = drive(multi_way).easy(URL=server.url()).on("h", "header", "call", 4, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("drive", "m", "for", 30).do("pause", "h", 0).do("drive", "m", "all")
    t = d.run()["h"]
    assert (t.code, t.body) == (0, b"body")
    assert b"".join(t.headers[3:]) == b"A: b\r\nC: d\r\n"


def test_read_pause(drive, server, multi_way):
    data = pattern(100_000)
    server.script(Expect("PUT", body=False), ContinueIfAsked(), Body(data), Reply(200, b"ok"))
    d = drive(multi_way).easy(URL=server.url(), UPLOAD=1, INFILESIZE=100_000).body("h", 100_000, 8000)
    d.on("h", "read", "call", 3, "pause").do("add", "m", "h").do("drive", "m", "paused", "h").do("drive", "m", "for", 60)
    r = d.do("pause", "h", PAUSE_CONT).do("drive", "m", "all").run()
    assert (r["h"].code, r["h"].body) == (0, b"ok")


def test_read_pause_while_receiving(drive, server, multi_way):
    """An upload that is paused still hears the answer."""
    server.script(Expect("PUT", body=False), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), UntilClose())
    d = drive(multi_way).easy(URL=server.url(), UPLOAD=1, INFILESIZE=1000, HTTPHEADER=["Expect:"]).body("h", 1000, 100)
    d.on("h", "read", "call", 2, "pause").do("add", "m", "h").do("drive", "m", "bytes", "h", "write", 5)
    r = d.do("remove", "m", "h").run()
    assert r.of("mcode", "h", "remove") == [[0]]
    assert r.unfinished == {} or r.unfinished["h"].headers


def test_write_pause_upload_goes_on(drive, server, multi_way):
    """The other direction of a paused transfer."""
    size = 1_000_000
    server.script(Expect("PUT", body=False), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"), Body(pattern(size)),
                  Send(b"world"))
    d = drive(multi_way).easy(URL=server.url(), UPLOAD=1, INFILESIZE=size, HTTPHEADER=["Expect:"]).body("h", size)
    d.on("h", "write", "call", 1, "pause").do("add", "m", "h").do("drive", "m", "paused", "h")
    d.do("drive", "m", "bytes", "h", "read", size)
    t = d.do("pause", "h", 0).do("drive", "m", "all").run()["h"]
    assert (t.code, t.body) == (0, b"helloworld")


def test_removed_while_paused(drive, server, multi_way):
    server.script(Expect(), Send(response(200, DATA)), UntilClose())
    server.answer(response(200, b"again"))
    d = drive(multi_way).easy(URL=server.url()).on("h", "write", "call", 2, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("remove", "m", "h").do("add", "m", "h").do("drive", "m", "all")
    r = d.run()
    assert r["h"].body == b"again"


def test_cleaned_up_while_paused(drive, server, multi_way):
    server.script(Expect(), Send(response(200, DATA)), UntilClose())
    d = drive(multi_way).easy(URL=server.url()).on("h", "write", "call", 2, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("cleanup", "h").do("mcleanup", "m").run()


def test_paused_gzip(drive, server, multi_way):
    import gzip
    server.answer(response(200, gzip.compress(DATA), ["Content-Encoding: gzip"]))
    d = drive(multi_way).easy(URL=server.url(), ACCEPT_ENCODING="gzip").on("h", "write", "call", 3, "pause")
    d.on("h", "write", "call", 6, "pause").do("add", "m", "h")
    for _ in range(2):
        d.do("drive", "m", "paused", "h").do("drive", "m", "for", 20).do("pause", "h", 0)
    t = d.do("drive", "m", "all").run()["h"]
    assert (t.code, t.length, t.crc) == (0, len(DATA), crc(DATA))


def test_paused_tls(drive, make_server, certs, multi_way):
    server = make_server(tls=certs.context())
    server.answer(response(200, DATA))
    d = drive(multi_way).easy(URL=server.url(), CAINFO=certs.path("ca.pem")).do("add", "m", "h")
    for call in (1, 3, 5, 9):
        d.on("h", "write", "call", call, "pause")
    for _ in range(4):
        d.do("drive", "m", "paused", "h").do("drive", "m", "for", 10).do("pause", "h", 0)
    t = d.do("drive", "m", "all").run()["h"]
    assert (t.code, t.length, t.crc) == (0, len(DATA), crc(DATA))


def test_unpause_another_from_a_callback(drive, server, multi_way):
    server.default(Serve(lambda q, p: response(200, DATA if q.target == "/a" else b"x")))
    d = drive(multi_way).easy("a", URL=server.url("/a")).easy("b", URL=server.url("/b"))
    d.on("a", "write", "call", 2, "pause").on("b", "write", "call", 1, "unpause", "a").do("add", "m", "a")
    d.do("drive", "m", "paused", "a").do("add", "m", "b").do("drive", "m", "all")
    r = d.run()
    assert (r["a"].code, r["a"].crc, r["b"].body) == (0, crc(DATA), b"x")
    assert r.code("incb", "b", "unpause") == 0


def test_timeout_while_paused(drive, patiently, multi_way):
    def attempt(server, ms):
        server.script(Expect(), Send(response(200, DATA)), UntilClose())
        d = drive(multi_way).easy(URL=server.url(), TIMEOUT_MS=ms).on("h", "write", "call", 1, "pause").do("add", "m", "h")
        t = d.do("drive", "m", "all").run()["h"]
        assert t.code == 28
        return "write" in t.calls
    patiently(attempt)


@not_debian("no such info")
@pytest.mark.parametrize("then,code,delivered", [(("return", 1), 42, 0), (("unpause", "h"), 0, 5000)])
def test_refused_bytes_are_not_delivered(drive, server, then, code, delivered):
    """What a callback has refused with a pause counts when it is taken."""
    server.script(Expect(), Send(response(200, b"x" * 5000)))
    t = drive.get(URL=server.url(), enable=["xferinfo"], info=("SIZE_DELIVERED",),
                  on=[("write", "call", 1, "pause")] + [("xferinfo", "call", n, *then) for n in range(8, 20)])
    assert (t.code, t.info["SIZE_DELIVERED"]) == (code, delivered)


def test_pause_of_a_finished_transfer(drive, server):
    server.answer(response(200, b"x"))
    r = drive("poll").easy(URL=server.url()).perform().do("pause", "h", PAUSE_ALL).do("pause", "h", 0).run()
    assert all(f[-1] in (0, 43) for f in r.of("pause", "h"))


@not_debian("it fails with such a callback")
def test_verify_callback_that_puts_its_answer_off(drive, make_server, certs, multi_way):
    """That pauses the transfer, whether the application has asked for a pause or not."""
    server = make_server(tls=certs.context())
    server.default(Expect(), Reply(200, b"x"))
    d = drive(multi_way).easy(URL=server.url(), CAINFO=certs.path("ca.pem")).enable("h", "sslctx").do("verifylater", "h", 2)
    d.do("add", "m", "h").do("drive", "m", "calls", "h", "sslctx", 2).do("drive", "m", "for", 30).do("mark", "first")
    d.do("pause", "h", PAUSE_CONT).do("drive", "m", "calls", "h", "sslctx", 3).do("mark", "second")
    d.do("pause", "h", PAUSE_ALL).do("drive", "m", "for", 30).do("mark", "third")
    r = d.do("pause", "h", PAUSE_CONT).do("drive", "m", "all").run()
    assert r["h"].code == 0
    assert [line[0] for line in r.lines if line[0] in ("verify", "mark")] == ["verify", "mark", "verify", "mark", "mark", "verify"]
