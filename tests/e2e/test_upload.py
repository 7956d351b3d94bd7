"""Request bodies: from memory, from the read callback, known length and chunked, 100-continue, rewinding."""

import pytest

from mote_driver import NEWEST, SYSTEM, by_library, not_debian, pattern
from server import (Body, Call, Close, ContinueIfAsked, Expect, Gone, Read, Reply, Reset, Send, UntilClose,
                    response)

CONTINUE = ContinueIfAsked()


@pytest.mark.parametrize("size", [0, 1, 1000, 65536, 300000])
def test_put_known_length(drive, server, way, size):
    data = pattern(size)
    server.script(Expect("PUT", body=False, has={"Content-Length": str(size)}, lacks=["Transfer-Encoding"]), CONTINUE,
                  Body(data), Reply(201, b"made"))
    t = drive.get(way, URL=server.url(), UPLOAD=1, INFILESIZE_LARGE=size, body=size,
                  info=("SIZE_UPLOAD_T", "CONTENT_LENGTH_UPLOAD_T", "RESPONSE_CODE"))
    assert (t.code, t.body) == (0, b"made")
    assert t.info == {"SIZE_UPLOAD_T": size, "CONTENT_LENGTH_UPLOAD_T": size, "RESPONSE_CODE": 201}


@pytest.mark.parametrize("size,chunk", [(0, 0), (1, 0), (100, 7), (100000, 0), (100000, 999)])
def test_put_chunked(drive, server, way, size, chunk):
    data = pattern(size)
    server.script(Expect("PUT", body=False, has={"Transfer-Encoding": "chunked"}, lacks=["Content-Length"]), CONTINUE,
                  Body(data), Reply(200, b"ok"))
    t = drive.get(way, URL=server.url(), UPLOAD=1, body=(size, chunk))
    assert (t.code, t.body) == (0, b"ok")
    assert t.bytes.get("read", 0) == size


@pytest.mark.parametrize("size", [10, 1000, 2_000_000])
def test_post_callback_known_length(drive, server, way, size):
    data = pattern(size)
    server.script(Expect("POST", body=False, has={"Content-Length": str(size)}), CONTINUE, Body(data), Reply(200, b"k"))
    t = drive.get(way, URL=server.url(), POST=1, POSTFIELDSIZE_LARGE=size, body=size)
    assert (t.code, t.body) == (0, b"k")


def test_post_callback_chunked(drive, server, way):
    server.script(Expect("POST", body=False, has={"Transfer-Encoding": "chunked"}), CONTINUE, Body(pattern(5000)),
                  Reply(200, b"k"))
    t = drive.get(way, URL=server.url(), POST=1, HTTPHEADER=["Transfer-Encoding: chunked"], body=(5000, 1024))
    assert (t.code, t.body) == (0, b"k")


@pytest.mark.parametrize("size", [100, 3_000_000])
def test_post_memory(drive, server, way, size):
    """Large bodies from memory, to a server that reads them slowly at first."""
    data = b"0123456789" * (size // 10)
    server.script(Expect("POST", body=False), CONTINUE, Body(data), Reply(200, b"k"))
    t = drive.get(way, URL=server.url(), POSTFIELDS=data, HTTPHEADER=["Expect:"] if size < 1000 else [])
    assert (t.code, t.body) == (0, b"k")
    assert "read" not in t.calls


def test_trailers(drive, server, way):
    server.script(Expect("PUT", body=False, has={"Trailer": "X-T"}), Body(b"some body"), Reply())
    d = drive(way).easy(URL=server.url(), UPLOAD=1, HTTPHEADER=["Expect:", "Trailer: X-T", "Transfer-Encoding: chunked"])
    d.enable("h", "trailer").do("trailers", "h", "X-T: one", "X-U: two").body("h", b"some body").perform()
    assert d.run()["h"].code == 0
    assert server.requests[0].trailers == b"X-T: one\r\nX-U: two\r\n"


def test_trailers_that_are_no_fields_are_left_out(drive, server, way):
    """The manual asks for a colon and a space between name and value."""
    server.script(Expect("PUT", body=False), Body(b"x"), Reply())
    d = drive(way).easy(URL=server.url(), UPLOAD=1, HTTPHEADER=["Expect:", "Transfer-Encoding: chunked"])
    d.enable("h", "trailer").do("trailers", "h", "X-T:one", "X-U:", "X-V: two", "X-W").body("h", b"x").perform()
    assert d.run()["h"].code == 0
    assert server.requests[0].trailers == b"X-V: two\r\n"


def test_trailers_abort(drive, server, way):
    server.script(Expect("PUT", body=False), UntilClose())
    d = drive(way).easy(URL=server.url(), UPLOAD=1, HTTPHEADER=["Expect:", "Transfer-Encoding: chunked"])
    d.enable("h", "trailer").on("h", "trailer", "call", 1, "return", 1).body("h", b"x").perform()
    assert d.run()["h"].code == 42


# ---------------------------------------------------------------- Expect: 100-continue

def test_expect_answered(drive, server, way):
    """The body does not start before the answer (the timer is long)."""
    server.script(Expect("PUT", body=False, has={"Expect": "100-continue"}), CONTINUE, Body(b"the body"), Reply(200, b"y"))
    t = drive.get(way, URL=server.url(), UPLOAD=1, INFILESIZE=8, body=b"the body", EXPECT_100_TIMEOUT_MS=15000,
                  HTTPHEADER=["Expect: 100-continue"])
    assert (t.code, t.body) == (0, b"y")


def test_expect_sent_by_itself(drive, server, way):
    """Over 1 MB libcurl asks first."""
    def check(request):
        assert request.header("Expect") == "100-continue"
    server.script(Expect("PUT", body=False, check=check), CONTINUE, Body(pattern(1_100_000)), Reply(200, b"y"))
    t = drive.get(way, URL=server.url(), UPLOAD=1, INFILESIZE=1_100_000, body=1_100_000, EXPECT_100_TIMEOUT_MS=15000)
    assert (t.code, t.body) == (0, b"y")


def test_expect_not_for_little(drive, server):
    server.script(Expect("POST", body=b"little", lacks=["Expect"]), Reply(200, b"y"))
    assert drive.get(URL=server.url(), POSTFIELDS="little").code == 0


def test_expect_not_answered(drive, server, way):
    """Without an answer the body goes after the timer."""
    server.script(Expect("PUT", body=b"the body"), Reply(200, b"y"))
    t = drive.get(way, URL=server.url(), UPLOAD=1, INFILESIZE=8, body=b"the body", EXPECT_100_TIMEOUT_MS=50,
                  HTTPHEADER=["Expect: 100-continue"])
    assert (t.code, t.body) == (0, b"y")


def test_expect_removed(drive, server):
    server.script(Expect("PUT", body=pattern(1_100_000), lacks=["Expect"]), Reply(200, b"y"))
    t = drive.get(URL=server.url(), UPLOAD=1, INFILESIZE=1_100_000, body=1_100_000, HTTPHEADER=["Expect:"])
    assert (t.code, t.body) == (0, b"y")


def serve_417(seen, drain_after=99):
    def serve(peer):
        try:
            while True:
                q = peer.read_head()
                seen.append(q)
                if q.header("Expect"):
                    peer.send(response(417, b"no"))
                    if len(seen) == drain_after:
                        UntilClose().run(peer)
                        return
                    continue
                peer.read_body(q)
                peer.send(response(200, b"taken"))
        except Gone:
            pass
    return Call(serve)


def test_expect_of_the_application_refused(drive, server, way):
    """A custom Expect header stays in every request: the 417 is the result."""
    if NEWEST:
        pytest.skip("the newest sends the second request on the connection whose server may still wait for the body")
    seen = []
    server.default(serve_417(seen, drain_after=2))
    d = drive(way).easy(URL=server.url(), UPLOAD=1, INFILESIZE=8, EXPECT_100_TIMEOUT_MS=15000,
                        HTTPHEADER=["Expect: 100-continue"]).enable("h", "seek").body("h", b"the body").perform()
    r = d.getinfo("h", "RESPONSE_CODE").run()
    assert (r["h"].code, r["h"].body, r["h"].info["RESPONSE_CODE"]) == (0, b"no", 417)
    assert len(seen) <= 2


def test_expect_refused(drive, server, way):
    """417 to the library's own Expect: again, without it."""
    seen = []
    server.default(serve_417(seen))
    d = drive(way).easy(URL=server.url(), UPLOAD=1, INFILESIZE=1_100_000, EXPECT_100_TIMEOUT_MS=15000)
    d.enable("h", "seek").body("h", 1_100_000).perform().getinfo("h", "RESPONSE_CODE")
    r = d.run()
    assert (r["h"].code, r["h"].info["RESPONSE_CODE"], r["h"].body) == (0, 200, b"taken")
    assert [bool(q.header("Expect")) for q in seen] == [True, False]
    assert seen[1].body == pattern(1_100_000)


def test_expect_refused_is_an_error_where_errors_are(drive, server, way):
    """With CURLOPT_FAILONERROR a 417 was followed by the same request again."""
    seen = []
    server.default(serve_417(seen, drain_after=1))
    t = drive.get(way, URL=server.url(), UPLOAD=1, INFILESIZE=1_100_000, body=1_100_000, EXPECT_100_TIMEOUT_MS=15000,
                  FAILONERROR=1)
    assert (t.code, len(seen)) == (22, 1)


def test_final_answer_instead_of_continue(drive, server, way):
    server.script(Expect("PUT", body=False), Reply(404, b"not here"), UntilClose())
    t = drive.get(way, URL=server.url(), UPLOAD=1, INFILESIZE=8, body=b"the body", EXPECT_100_TIMEOUT_MS=15000,
                  HTTPHEADER=["Expect: 100-continue"], info=("RESPONSE_CODE",))
    assert (t.code, t.body, t.info["RESPONSE_CODE"]) == (0, b"not here", 404)
    assert "read" not in t.calls


@pytest.mark.parametrize("status", [200, 204, 304])
@pytest.mark.parametrize("size", [8, -1])
def test_success_instead_of_continue(drive, server, way, status, size):
    """It started the upload: the whole body was sent in vain, or the transfer hung where the server did not read it."""
    if NEWEST and status != 304:
        pytest.skip("the newest sends the body as well, when the timer is due")
    text = b"hi" if status == 200 else b""
    head = b"HTTP/1.1 %d OK\r\n" % status + b"Content-Length: 2\r\n" * bool(text)
    server.script(Expect("PUT", body=False), Send(head + b"\r\n" + text), UntilClose())
    server.script(Expect("GET"), Reply(200, b"next"))
    d = drive(way).easy(URL=server.url(), UPLOAD=1, INFILESIZE=size, EXPECT_100_TIMEOUT_MS=40_000,
                        HTTPHEADER=["Expect: 100-continue"]).body("h", b"the body").perform()
    d.setopt("h", HTTPGET=1, **({"FRESH_CONNECT": 1} if SYSTEM else {})).perform()
    first, second = d.run().all("h")
    assert (first.code, first.body) == (0, text) and "read" not in first.calls
    assert second.body == b"next"


def test_success_in_parts_instead_of_continue(drive, server, way):
    """The server may not know of Expect, and need the body for the rest of its response."""
    server.script(Expect("PUT", body=False), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nh"), Body(b"the body"), Send(b"i"),
                  Expect("GET"), Reply(200, b"same connection"))
    d = drive(way).easy(URL=server.url(), UPLOAD=1, INFILESIZE=8, EXPECT_100_TIMEOUT_MS=50,
                        HTTPHEADER=["Expect: 100-continue"]).body("h", b"the body").perform()
    r = d.setopt("h", HTTPGET=1).perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"hi"), (0, b"same connection")]


# ---------------------------------------------------------------- an answer in the middle

def test_error_in_the_middle_stops_sending(drive, server, way):
    """An error status before the body is through: sending stops, the connection is not used again."""
    server.script(Expect("PUT", body=False), Read(1000), Reply(500, b"enough"), UntilClose())
    server.script(Expect("GET"), Reply(200, b"next"))
    d = drive(way).easy(URL=server.url(), UPLOAD=1, INFILESIZE=50_000_000, HTTPHEADER=["Expect:"]).body("h", 50_000_000)
    d.perform().getinfo("h", "RESPONSE_CODE").setopt("h", HTTPGET=1).perform()
    r = d.run()
    first, second = r.all("h")
    assert (first.code, first.body, first.info["RESPONSE_CODE"]) == (0, b"enough", 500)
    assert first.bytes["read"] < 50_000_000
    assert second.body == b"next"


def test_keep_sending_on_error(drive, server, way):
    size = 3_000_000
    server.script(Expect("PUT", body=False), Read(1000), Reply(500, b"go on"), Read(size - 1000),
                  Expect("GET"), Reply(200, b"same connection"))
    d = drive(way).easy(URL=server.url(), UPLOAD=1, INFILESIZE=size, HTTPHEADER=["Expect:"], KEEP_SENDING_ON_ERROR=1)
    d.body("h", size).perform().setopt("h", HTTPGET=1).perform()
    r = d.run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"go on"), (0, b"same connection")]
    assert r.all("h")[0].bytes["read"] == size


def test_success_before_the_end(drive, server, way):
    """A 200 while the body still goes: both directions are served."""
    size = 2_000_000
    server.script(Expect("PUT", body=False), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"), Read(size),
                  Send(b"world"))
    t = drive.get(way, URL=server.url(), UPLOAD=1, INFILESIZE=size, HTTPHEADER=["Expect:"], body=size)
    assert (t.code, t.body) == (0, b"helloworld")
    assert t.bytes["read"] == size


def test_connection_closed_in_the_middle(drive, server, way):
    server.script(Expect("PUT", body=False), Read(1000), Reset())
    t = drive.get(way, URL=server.url(), UPLOAD=1, INFILESIZE=50_000_000, HTTPHEADER=["Expect:"], body=50_000_000)
    assert t.code in (55, 56)
    assert t.error


# ---------------------------------------------------------------- the read callback

def test_source_shorter_than_said(drive, server, way):
    server.script(Expect("PUT", body=False), UntilClose())
    t = drive.get(way, URL=server.url(), UPLOAD=1, INFILESIZE=100, HTTPHEADER=["Expect:"], body=b"only this",
                  TIMEOUT_MS=by_library(10000, 400))
    # libcurl 7.88 waits for the server; later ones see that the source ended early
    assert t.code == by_library(26, 28)


def test_source_longer_than_said(drive, server, way):
    steps = [Expect("PUT", body=b"0123456789"), Reply(200, b"ok")]
    if SYSTEM:
        steps.append(UntilClose())  # libcurl 7.88 sends the rest, too; no request may contain it
    server.script(*steps)
    t = drive.get(way, URL=server.url(), UPLOAD=1, INFILESIZE=10, HTTPHEADER=["Expect:"], body=b"0123456789 and more")
    assert (t.code, t.body) == (0, b"ok")


@pytest.mark.parametrize("call", [1, 2])
def test_read_abort(drive, server, way, call):
    server.optional = True
    server.script(UntilClose() if NEWEST and call == 1 else Expect("PUT", body=False), UntilClose())
    t = drive.get(way, URL=server.url(), UPLOAD=1, INFILESIZE=1000000, HTTPHEADER=["Expect:"], body=(1000000, 1000),
                  on=[("read", "call", call, "return", 0x10000000)])
    assert t.code == 42
    assert t.error


def test_read_returns_too_much(drive, server, way):
    server.script(UntilClose() if NEWEST else Expect("PUT", body=False), UntilClose())
    t = drive.get(way, URL=server.url(), UPLOAD=1, INFILESIZE=1000000, HTTPHEADER=["Expect:"], body=1000000,
                  on=[("read", "call", 1, "return", 0x7fffffff)])
    assert t.code == 26


# ---------------------------------------------------------------- rewinding

@pytest.mark.parametrize("status", [307, 308])
def test_rewind_on_redirect(drive, server, way, status):
    server.script(Expect("PUT", "/", body=b"the body"), Reply(status, b"moved", ["Location: /there"]),
                  Expect("PUT", "/there", body=b"the body"), Reply(200, b"stored"))
    d = drive(way).easy(URL=server.url(), UPLOAD=1, INFILESIZE=8, FOLLOWLOCATION=1, HTTPHEADER=["Expect:"])
    d.enable("h", "seek").body("h", b"the body").perform()
    r = d.run()
    assert (r["h"].code, r["h"].body) == (0, b"stored")
    assert r.of("seek", "h") == [[0, 0]]


@not_debian("does not seek")
@pytest.mark.parametrize("answer", [0, 1])
def test_redirect_to_get_seeks_too(drive, server, way, answer):
    """Although no body is sent again; what the callback answers does not matter then."""
    server.script(Expect("PUT", "/", body=b"the body"), Reply(303, b"moved", ["Location: /there"]),
                  Expect("GET", "/there"), Reply(200, b"there"))
    d = drive(way).easy(URL=server.url(), UPLOAD=1, INFILESIZE=8, FOLLOWLOCATION=1, HTTPHEADER=["Expect:"])
    d.enable("h", "seek").on("h", "seek", "every", 0, "return", answer).body("h", b"the body").perform()
    r = d.run()
    assert (r["h"].code, r["h"].body) == (0, b"there")
    assert r.of("seek", "h") == [[0, 0]]


@not_debian("has none of them")
def test_body_that_cannot_be_rewound_leaves_infos(drive, server):
    """They are of the request before: the next one was not made."""
    server.script(Expect("PUT", "/", body=b"the body"), Reply(307, b"moved", ["Location: /there"]))
    t = drive.get(URL=server.url(), UPLOAD=1, INFILESIZE=8, FOLLOWLOCATION=1, HTTPHEADER=["Expect:"], body=b"the body",
                  info=("CONTENT_LENGTH_DOWNLOAD_T", "SIZE_UPLOAD_T"))
    assert t.code == 65
    assert (t.info["CONTENT_LENGTH_DOWNLOAD_T"], t.info["SIZE_UPLOAD_T"]) == (5, 8)


@pytest.mark.parametrize("answer", [None, 1, 2])
def test_rewind_impossible(drive, server, way, answer):
    """No SEEKFUNCTION, or one that fails or cannot: 65."""
    server.script(Expect("PUT", "/", body=b"the body"), Reply(307, b"moved", ["Location: /there"]), UntilClose())
    d = drive(way).easy(URL=server.url(), UPLOAD=1, INFILESIZE=8, FOLLOWLOCATION=1, HTTPHEADER=["Expect:"])
    if answer is not None:
        d.enable("h", "seek").on("h", "seek", "every", 0, "return", answer)
    r = d.body("h", b"the body").perform().run()
    assert r["h"].code == 65
    assert r["h"].error


@pytest.mark.parametrize("reader", [[], ["fread"]])
@pytest.mark.parametrize("reply", [Reply(307, b"moved", ["Location: /there"]),
                                   Reply(401, b"who?", ['WWW-Authenticate: Digest realm="r", nonce="n", qop="auth"'])],
                         ids=["redirect", "challenge"])
def test_a_file_is_rewound(drive, server, way, tmp_path, reader, reply):
    """Where the read callback was set to fread() itself, the transfer ended with CURLE_SEND_FAIL_REWIND."""
    (tmp_path / "in").write_bytes(b"the body")
    server.script(Expect("PUT", body=None), reply, Expect("PUT", body=b"the body"), Reply(200, b"stored"))
    d = drive(way).easy(URL=server.url(), UPLOAD=1, INFILESIZE=8, FOLLOWLOCATION=1, HTTPAUTH=(1 << 32) - 1 - 16, USERPWD="u:p")
    r = d.do("infile", "h", tmp_path / "in", 0, *reader).perform().do("infile").run()
    assert (r["h"].code, r["h"].body) == (0, b"stored")


def test_fields_need_no_rewind(drive, server, way):
    server.script(Expect("POST", "/", body=b"f=1"), Reply(307, b"", ["Location: /2"]),
                  Expect("POST", "/2", body=b"f=1"), Reply(200, b"done"))
    t = drive.get(way, URL=server.url(), POSTFIELDS="f=1", FOLLOWLOCATION=1)
    assert (t.code, t.body) == (0, b"done")


def test_rewind_for_dead_connection(drive, server, way):
    """The kept connection dies while the body is on its way: with SEEKFUNCTION the request goes again."""
    server.script(Expect("GET"), Reply(200, b"one"), Expect("PUT", body=False), Close())
    server.script(Expect("PUT", body=b"the body"), Reply(200, b"two"))
    d = drive(way).easy(URL=server.url(), HTTPHEADER=["Expect:"]).enable("h", "seek").body("h", b"the body").perform()
    r = d.setopt("h", UPLOAD=1, INFILESIZE=8).perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"one"), (0, b"two")]


@not_debian("a new connection is made")
def test_connection_outlives_an_upload_that_was_not_begun(drive, server, way):
    """HTTP/1.0 without a length: nothing was sent."""
    server.script(Expect("PUT", version="HTTP/1.0", body=b""), Reply(200, b"stored"))
    d = drive(way).easy(URL=server.url(), UPLOAD=1, HTTP_VERSION=1).perform()
    r = d.setopt("h", INFILESIZE=0).perform().getinfo("h", "NUM_CONNECTS").run()
    assert [t.code for t in r.all("h")] == [25, 0]
    assert r["h"].info["NUM_CONNECTS"] == 0


@not_debian("a new connection is made")
def test_server_of_http10_after_an_upload_that_was_not_begun(drive, server, way):
    """The connection outlives such an upload, but its version was forgotten: the next one was sent in chunks."""
    server.script(Expect("PUT"), Send(b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n"), UntilClose())
    d = drive(way).easy(URL=server.url(), UPLOAD=1).perform().perform().perform()
    assert [t.code for t in d.run().all("h")] == [0, 25, 25]


# ---------------------------------------------------------------- resumed upload

def test_resume_upload(drive, server):
    """PUT from an offset: the source is moved, Content-Range says so."""
    if NEWEST:
        pytest.skip("the newest resumes no upload (43); docs/compat.md")
    server.script(Expect("PUT", body=pattern(100)[40:], has={"Content-Range": "bytes 40-99/100"}), Reply(200, b"r"))
    d = drive().easy(URL=server.url(), UPLOAD=1, INFILESIZE=100, RESUME_FROM_LARGE=40, HTTPHEADER=["Expect:"])
    r = d.enable("h", "seek").body("h", 100).perform().run()
    assert (r["h"].code, r["h"].body) == (0, b"r")
    assert r.of("seek", "h") == [[0, 40]]


def test_resume_upload_without_seek(drive, server):
    """Without SEEKFUNCTION the bytes are read and dropped."""
    if NEWEST:
        pytest.skip("the newest resumes no upload (43); docs/compat.md")
    server.script(Expect("PUT", body=pattern(100)[40:]), Reply(200, b"r"))
    t = drive.get(URL=server.url(), UPLOAD=1, INFILESIZE=100, RESUME_FROM_LARGE=40, HTTPHEADER=["Expect:"], body=100)
    assert (t.code, t.body) == (0, b"r")


@pytest.mark.parametrize("how", ["redirected", "the connection was dead"])
def test_resumed_upload_goes_again_from_its_offset(drive, server, way, how, ours_only):
    """Not from the first byte of the source."""
    ours_only("libcurl 7.88 sends the wrong bytes, the newest resumes no upload (43); docs/compat.md")
    put = Expect("PUT", body=b"body", has={"Content-Range": "bytes 4-7/8"})
    server.script(Expect("GET"), Reply(200, b"one"), put,
                  *([Reply(307, b"", ["Location: /2"]), put, Reply(200, b"two")] if how == "redirected" else [Close()]))
    if how != "redirected":
        server.script(put, Reply(200, b"two"))
    d = drive(way).easy(URL=server.url(), HTTPHEADER=["Expect:"]).enable("h", "seek").body("h", b"the body").perform()
    r = d.setopt("h", UPLOAD=1, INFILESIZE=8, RESUME_FROM_LARGE=4, FOLLOWLOCATION=1).perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"one"), (0, b"two")]
    assert r.of("seek", "h") == [[0, 4], [0, 4]]


# ---------------------------------------------------------------- nginx

@pytest.mark.parametrize("chunked", [False, True])
def test_nginx_put(drive, nginx, way, chunked, tmp_path):
    name = f"up-{way}-{chunked}-{tmp_path.name}.bin"
    size = 5_000_000
    options = {} if chunked else {"INFILESIZE": size}
    t = drive.get(way, URL=nginx.url(f"/dav/{name}"), UPLOAD=1, body=size, info=("RESPONSE_CODE",), **options)
    assert (t.code, t.info["RESPONSE_CODE"]) == (0, 201)
    assert nginx.read(f"dav/dav/{name}") == pattern(size)


def test_nginx_tls_put(drive, nginx, certs, way, tmp_path):
    name = f"tls-{way}-{tmp_path.name}.bin"
    t = drive.get(way, URL=nginx.url(f"/dav/{name}", True), UPLOAD=1, INFILESIZE=1_500_000, body=1_500_000,
                  CAINFO=certs.path("ca.pem"), info=("RESPONSE_CODE",))
    assert (t.code, t.info["RESPONSE_CODE"]) == (0, 201)
    assert nginx.read(f"dav/dav/{name}") == pattern(1_500_000)


def test_upload_buffer_size(drive, server):
    """The read callback is offered no more than UPLOAD_BUFFERSIZE (or the library's own, smaller, limit)."""
    server.script(Expect("PUT", body=pattern(200_000)), Reply())
    t = drive.get(URL=server.url(), UPLOAD=1, INFILESIZE=200_000, HTTPHEADER=["Expect:"], body=200_000,
                  UPLOAD_BUFFERSIZE=16384)
    assert t.code == 0
    assert t.calls["read"] >= 200_000 // 16384


@not_debian("reports it once a second")
def test_progress_of_an_upload_without_an_answer(drive, server, way):
    server.script(Expect(body=b"abc"), Close())
    t = drive.get(way, URL=server.url(), POSTFIELDS="abc", enable=["xferinfo"])
    assert (t.code, t.progress[3]) == (52, 3)


# ---------------------------------------------------------------- CRLF

LINES = b"a\nb\r\n\nc\r\r\n\r"
CONVERTED = b"a\r\nb\r\n\r\nc\r\r\n\r"


@not_debian("it does not begin a line with LF again after CR LF LF")
@pytest.mark.parametrize("options", [{"UPLOAD": 1}, {"UPLOAD": 1, "INFILESIZE": len(LINES)}, {"POST": 1}], ids=str)
@pytest.mark.parametrize("chunk", [1, 2, 100])
def test_line_ends_are_converted(drive, server, way, options, chunk):
    server.script(Expect(has={"Transfer-Encoding": "chunked"}, lacks=["Content-Length"], body=CONVERTED), Reply(200, b"in"))
    d = drive(way).easy(URL=server.url(), CRLF=1, HTTPHEADER=["Expect:"], **options).do("body", "h", "bytes", LINES, chunk)
    assert d.perform().run()["h"].body == b"in"


@not_debian("it does not convert a body in memory")
@pytest.mark.parametrize("body", ["a\nb\r\n", "a\n" * 40000, ""], ids=len)
def test_line_ends_in_memory_are_converted(drive, server, body):
    sent = body.replace("\r\n", "\n").replace("\n", "\r\n").encode()
    server.script(Expect(body=sent), Reply(200, b"in"))
    assert drive.get(URL=server.url(), CRLF=1, POSTFIELDS=body, HTTPHEADER=["Expect:"]).body == b"in"


@not_debian("it does not convert a body in memory")
def test_converted_lines_are_sent_again(drive, server):
    server.script(Expect(body=b"a\r\nb"), Reply(307, headers=["Location: /2"]), Expect(body=b"a\r\nb"), Reply(200, b"in"))
    assert drive.get(URL=server.url(), CRLF=1, POSTFIELDS="a\nb", FOLLOWLOCATION=1, HTTPHEADER=["Expect:"]).body == b"in"


@not_debian("another Expect")
def test_converted_lines_expect_as_they_were(drive, server):
    server.script(Expect(lacks=["Expect"], body=b"a\r\nb"), Reply(200, b"in"))
    assert drive.get(URL=server.url(), CRLF=1, POSTFIELDS="a\nb").body == b"in"


@pytest.mark.parametrize("status", [413, 200])
@pytest.mark.parametrize("tls", [False, True])
def test_response_of_a_server_that_closes(drive, way, make_server, certs, ours_only, tls, status):
    """It closes with bytes unread: the rest of the body cannot be sent. After 200 that was an error."""
    ours_only("libcurl gives 55 in most runs")
    server = make_server(tls=certs.context() if tls else None)
    server.script(Expect("PUT", body=False), Send(response(status, b"large")), Close())
    d = drive(way).easy(URL=server.url(), UPLOAD=1, INFILESIZE=3_000_000, HTTPHEADER=["Expect:"], SSL_VERIFYPEER=0)
    d.body("h", 3_000_000).perform()
    t = d.getinfo("h", "RESPONSE_CODE").run()["h"]
    assert (t.code, t.body, t.info["RESPONSE_CODE"]) == (0, b"large", status)
