"""HTTP/2 in normal life: requests, responses, versions, connections that are kept."""

import base64
import gzip
import struct
import threading

import hpack
import pytest

from h2_peer import (DATA, END_HEADERS, END_STREAM, GOAWAY, H2, H2Server, HEADERS, PADDED, PING, PRIOR_KNOWLEDGE, PRIORITY,
                     RST_STREAM, SETTINGS, VERSION_2_0, VERSION_2TLS, WINDOW_UPDATE, WITH_PRIORITY, Serve, block, frame,
                     frames_of, head, part, settings, status, upgraded)
from mote_driver import (H_1XX, H_HEADER, H_PSEUDO, H_TRAILER, LOCK_CONNECT, PAUSE_CONT, SYSTEM, by_library, crc,
                         not_debian, pattern)
from proxies import Socks5, Tunnel
from script import Call, Send, UntilClose
from server import Expect, Reply, response

pytestmark = [pytest.mark.usefixtures("http2"), not_debian("HTTP/2 differs in details")]
SIZES = [0, 1, 16_384, 16_385, 65_535, 65_536, 200_000, 3_000_000]
HTTP2 = 3  # CURLINFO_HTTP_VERSION


def answer(body=b"", *fields, code=200):
    """A part that answers one request after the other in this way."""
    def serve(h2):
        while True:
            h2.respond(h2.request(), code, body, *fields)
    return part(serve, may_leave=True)


def one(drive, server, way="easy", path="/", **kw):
    return drive.get(way, **{"URL": server.url(path), **server.options, **kw})


# ---------------------------------------------------------------- requests and responses

@pytest.mark.parametrize("size", SIZES)
def test_size(drive, way, h2_server, size):
    h2_server.script(Serve())
    t = one(drive, h2_server, way, f"/size/{size}", info=("HTTP_VERSION", "NUM_CONNECTS", "SIZE_DOWNLOAD_T", "RESPONSE_CODE"))
    assert (t.code, t.length, t.crc) == (0, size, crc(pattern(size)))
    assert t.info == {"HTTP_VERSION": HTTP2, "NUM_CONNECTS": 1, "SIZE_DOWNLOAD_T": size, "RESPONSE_CODE": 200}


@pytest.mark.parametrize("size", SIZES)
def test_upload(drive, way, h2_server, size):
    h2_server.script(Serve())
    t = one(drive, h2_server, way, "/echo", UPLOAD=1, INFILESIZE=size, body=size, info=("SIZE_UPLOAD_T",))
    assert (t.code, t.length, t.crc, t.info["SIZE_UPLOAD_T"]) == (0, size, crc(pattern(size)), size)
    [[s]] = h2_server.streams
    assert s.header("content-length") == str(size)


def test_kept(drive, way, h2_server):
    h2_server.default(Serve())
    d = drive(way).easy(**h2_server.options)
    for n in (5, 70_000, 1):
        d.setopt("h", URL=h2_server.url(f"/size/{n}")).perform().getinfo("h", "NUM_CONNECTS")
    r = d.run()
    assert [(t.code, t.length, t.info["NUM_CONNECTS"]) for t in r.all("h")] == [(0, 5, 1), (0, 70_000, 0), (0, 1, 0)]
    assert [[s.id for s in c] for c in h2_server.streams] == [[1, 3, 5]]


def test_fields_of_get(drive, way, h2_server):
    h2_server.script(answer(b"x"))
    t = one(drive, h2_server, way, "/p?q=1")
    [[s]] = h2_server.streams
    scheme = "https" if h2_server.tls else "http"
    assert s.fields == [(":method", "GET"), (":scheme", scheme), (":authority", h2_server.authority), (":path", "/p?q=1"),
                        ("accept", "*/*")]
    assert s.ended and not s.body and t.code == 0


def test_fields_of_post(drive, way, h2_server):
    h2_server.script(answer(b"x"))
    one(drive, h2_server, way, POSTFIELDS="a=b", REFERER="http://r/", USERAGENT="me", ACCEPT_ENCODING="gzip", COOKIE="c=d; e=f",
        USERPWD="u:p", HTTPHEADER=["X-Upper: Kept As It Is", "X-Empty;", "Accept: text/*"])
    [[s]] = h2_server.streams
    assert sorted(s.fields[4:]) == [
        ("accept", "text/*"), ("accept-encoding", "gzip"), ("authorization", "Basic dTpw"), ("content-length", "3"),
        ("content-type", "application/x-www-form-urlencoded"), ("cookie", "c=d; e=f"), ("referer", "http://r/"),
        ("user-agent", "me"), ("x-empty", ""), ("x-upper", "Kept As It Is")]
    assert s.body == b"a=b" and s.method == "POST"


def test_fields_of_a_connection_are_not_sent(drive, way, h2_server):
    h2_server.script(answer(b"x"))
    one(drive, h2_server, way, HTTPHEADER=["Connection: close, x-a", "Upgrade: foo", "Keep-Alive: 1", "Proxy-Connection: x",
                                           "Transfer-Encoding: chunked", "TE: gzip", "X-A: 1", "Host: other.test:1"])
    [[s]] = h2_server.streams
    assert s.fields == [(":method", "GET"), s.fields[1], (":authority", "other.test:1"), (":path", "/"), ("accept", "*/*"),
                        ("x-a", "1")]


def test_te_trailers_is_sent(drive, h2_server):
    h2_server.script(answer(b"x"))
    one(drive, h2_server, HTTPHEADER=["TE: trailers"])
    [[s]] = h2_server.streams
    assert s.header("te") == "trailers"


LINE_ENDS = ["\n", "\n\n", "\r\n", "\r\n\r\n", "\r"]


@pytest.mark.parametrize("end", LINE_ENDS, ids=repr)
@pytest.mark.parametrize("option", ["CUSTOMREQUEST", "REQUEST_TARGET", "USERAGENT", "REFERER", "COOKIE", "ACCEPT_ENCODING", "RANGE",
                                    "XOAUTH2_BEARER", "HTTPHEADER"])
def test_line_ends_of_options_become_no_field(drive, way, h2_server, ours_only, option, end):
    """They ended in a crash where an empty line was among them. libcurl cuts the head there, into fields that the
    application never named, or leaves the rest of it out. The connection is usable afterwards."""
    ours_only("libcurl makes fields of them")
    h2_server.script(answer(b"x"))
    d = drive(way).easy(URL=h2_server.url("/p"), **h2_server.options).perform()
    for place in (f"a{end}X-No: b", f"a{end}", f"{end}a"):
        value = [f"X-Yes: {place}"] if option == "HTTPHEADER" else place
        d.setopt("h", **{option: value}, HTTPAUTH=1 << 6 if option == "XOAUTH2_BEARER" else 1).perform()
    d.setopt("h", **{option: [] if option == "HTTPHEADER" else None}).perform().getinfo("h", "NUM_CONNECTS")
    r = d.run().all("h")
    assert [t.code for t in r] == [0, *[3 if option in ("CUSTOMREQUEST", "REQUEST_TARGET") else 43] * 3, 0]
    assert "has a line end in it" in r[1].error and r[4].info["NUM_CONNECTS"] == 0
    assert [s.names for s in h2_server.streams[0]] == [[":method", ":scheme", ":authority", ":path", "accept"]] * 2


def test_other_control_characters_are_sent(drive, h2_server):
    h2_server.script(answer(b"x"))
    assert one(drive, h2_server, HTTPHEADER=["X: a\x01\x0b\x7fb", "Y:\t c"], REQUEST_TARGET="/\x01").code == 0
    [[s]] = h2_server.streams
    assert (s.header("x"), s.header("y"), s.path) == ("a\x01\x0b\x7fb", "c", "/\x01")


def test_target_that_is_a_url(drive, h2_server):
    """Its host is the authority, as that of such a request line is (RFC 9112, 3.2.2)."""
    h2_server.script(answer(b"x"))
    assert one(drive, h2_server, REQUEST_TARGET="http://u:p@x:1/y?z").code == 0
    [[s]] = h2_server.streams
    assert (s.header(":authority"), s.path, s.header("host")) == ("x:1", "/y?z", None)


def test_upload_of_unknown_length(drive, way, h2_server):
    h2_server.script(Serve())
    t = one(drive, h2_server, way, "/echo", UPLOAD=1, body=(b"some data", 2))
    [[s]] = h2_server.streams
    assert t.body == b"some data" and s.method == "PUT"
    assert not set(s.names) & {"content-length", "transfer-encoding", "expect"}


@pytest.mark.parametrize("body", [b"", b"some body", 100_000], ids=str)
def test_trailers_of_an_upload(drive, way, h2_server, ours_only, body):
    """Where HTTP/1.1 would send chunks. Names become lower case; fields of a connection are left out."""
    ours_only("libcurl does not ask for trailers")
    h2_server.script(Serve())
    d = drive(way).easy(URL=h2_server.url("/echo"), UPLOAD=1, **h2_server.options).enable("h", "trailer")
    t = d.do("trailers", "h", "X-T: one", "X-U: two", "Connection: x", "no field").body("h", body).perform().run()["h"]
    assert (t.code, t.crc) == (0, crc(body if isinstance(body, bytes) else pattern(body)))
    [[s]] = h2_server.streams
    assert s.trailers == [("x-t", "one"), ("x-u", "two")] and s.ended


@pytest.mark.parametrize("trailers", [[], ["no field"]])
def test_no_trailers(drive, way, h2_server, trailers):
    h2_server.script(Serve())
    d = drive(way).easy(URL=h2_server.url("/echo"), UPLOAD=1, **h2_server.options).enable("h", "trailer")
    t = d.do("trailers", "h", *trailers).body("h", b"abc").perform().run()["h"]
    [[s]] = h2_server.streams
    assert (t.code, t.body, s.trailers, s.ended) == (0, b"abc", [], True)


def test_trailers_abort(drive, multi_way, h2_server, ours_only):
    """The stream is given up; the connection serves the next one."""
    ours_only("libcurl does not ask for trailers")
    h2_server.script(Serve())
    d = drive(multi_way).easy(URL=h2_server.url("/echo"), UPLOAD=1, **h2_server.options).enable("h", "trailer")
    d.on("h", "trailer", "call", 1, "return", 1).body("h", b"x").do("add", "m", "h").do("drive", "m", "all")
    d.easy("g", URL=h2_server.url("/size/5"), **h2_server.options).do("add", "m", "g")
    r = d.do("drive", "m", "all").run()
    assert (r["h"].code, r["g"].length) == (42, 5)


def test_no_expect(drive, h2_server):
    """RFC 9113 has no need of it; the newest libcurl sends it only on request."""
    h2_server.script(Serve())
    t = one(drive, h2_server, path="/echo", POST=1, POSTFIELDSIZE=2_000_000, body=2_000_000)
    [[s]] = h2_server.streams
    assert t.length == 2_000_000 and s.header("expect") is None


def test_expect_that_is_asked_for(drive, way, h2_server):
    def serve(h2):
        s = h2.request(whole=False)
        h2.barrier()
        assert not s.body
        h2.send(head(1, status(100)))
        h2.until(lambda: s.ended)
        h2.respond(s, 200, bytes(s.body))
    h2_server.play(serve)
    t = one(drive, h2_server, way, POSTFIELDS="abc", HTTPHEADER=["Expect: 100-continue"], EXPECT_100_TIMEOUT_MS=40_000)
    assert (t.code, t.body) == (0, b"abc")


def test_success_instead_of_continue(drive, way, h2_server):
    """It started the upload. The connection stays, as only the stream is given up."""
    def serve(h2):
        s = h2.request(whole=False)
        h2.respond(s, 200, b"hi")
        h2.until(lambda: s.ended or s.reset is not None)
        assert not s.body
        h2.respond(h2.request(), 200, b"next")
    h2_server.play(serve)
    d = drive(way).easy(URL=h2_server.url(), POSTFIELDS="abc", HTTPHEADER=["Expect: 100-continue"], EXPECT_100_TIMEOUT_MS=40_000,
                        **h2_server.options)
    r = d.perform().setopt("h", HTTPGET=1).perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"hi"), (0, b"next")]


def test_lines_of_the_head(drive, way, h2_server):
    h2_server.script(answer(b"hello", ("content-type", "text/plain"), ("x-a", ""), ("x-a", "2"), ("x-b", "\xe4"), code=201))
    t = one(drive, h2_server, way, info=("CONTENT_TYPE", "RESPONSE_CODE", "HEADER_SIZE"))
    assert t.headers == [b"HTTP/2 201 \r\n", b"content-type: text/plain\r\n", b"x-a: \r\n", b"x-a: 2\r\n", b"x-b: \xe4\r\n",
                         b"\r\n"]
    assert t.info == {"CONTENT_TYPE": "text/plain", "RESPONSE_CODE": 201, "HEADER_SIZE": sum(map(len, t.headers))}


def test_head_with_body(drive, way, h2_server):
    """CURLOPT_HEADER puts the lines before the body."""
    h2_server.script(answer(b"hello", ("x-a", "1")))
    assert one(drive, h2_server, way, HEADER=1).body == b"HTTP/2 200 \r\nx-a: 1\r\n\r\nhello"


def test_interim_responses_and_trailers(drive, way, h2_server):
    def serve(h2):
        s = h2.request()
        h2.send(head(1, status(103, ("link", "<a>"))), head(1, status(100)), head(1, status(200, ("x", "1"))),
                frame(DATA, s.id, b"hello"), head(1, [("x-t", "end"), ("grpc-status", "0")], end=True))
    h2_server.play(serve)
    d = drive(way).easy(URL=h2_server.url(), **h2_server.options).perform()
    d.do("headers", "h", H_HEADER | H_TRAILER | H_1XX | H_PSEUDO, -1)
    r = d.run()
    t = r["h"]
    assert (t.code, t.body) == (0, b"hello")
    assert t.headers[:6] == [b"HTTP/2 103 \r\n", b"link: <a>\r\n", b"\r\n", b"HTTP/2 100 \r\n", b"\r\n", b"HTTP/2 200 \r\n"]
    assert t.headers[6:10] == [b"x: 1\r\n", b"\r\n", b"x-t: end\r\n", b"grpc-status: 0\r\n"]
    assert [[f[0], f[1], f[4]] for f in r.of("nextheader", "h")] == [
        [":status", 103, H_PSEUDO], ["link", "<a>", H_1XX], [":status", 100, H_PSEUDO], [":status", 200, H_PSEUDO],
        ["x", 1, H_HEADER], ["x-t", "end", H_TRAILER], ["grpc-status", 0, H_TRAILER]]


def test_header_out(drive, way, h2_plain):
    h2_plain.script(answer(b"x"))
    d = drive(way).easy(URL=h2_plain.url("/p"), VERBOSE=1, HTTPHEADER=["X-A: b"], **h2_plain.options)
    t = d.enable("h", "debug", "debugprint").perform().getinfo("h", "REQUEST_SIZE").run()["h"]
    text_ = f"GET /p HTTP/2\r\nHost: {h2_plain.authority}\r\nAccept: */*\r\nX-A: b\r\n\r\n".encode()
    assert [b for kind, b in t.debug if kind == 2] == [text_]
    assert b"".join(b for kind, b in t.debug if kind == 1) == b"HTTP/2 200 \r\n\r\n"


@pytest.mark.parametrize("code,fields,body", [(204, [], b""), (304, [("content-length", "5")], b""), (200, [], b"")])
def test_no_body(drive, way, h2_server, code, fields, body):
    h2_server.script(answer(body, *fields, code=code))
    d = drive(way).easy(URL=h2_server.url(), **h2_server.options).perform().perform()
    assert [(t.code, t.body) for t in d.run().all("h")] == [(0, b"")] * 2


def test_head_request(drive, way, h2_server):
    def serve(h2):
        for _ in range(2):
            s = h2.request()
            assert s.method == "HEAD"
            h2.send(head(s.id, status(200, ("content-length", "5")), end=True))
    h2_server.play(serve)
    d = drive(way).easy(URL=h2_server.url(), NOBODY=1, **h2_server.options).perform().perform()
    r = d.getinfo("h", "CONTENT_LENGTH_DOWNLOAD_T").run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"")] * 2 and r["h"].info["CONTENT_LENGTH_DOWNLOAD_T"] == 5


def test_redirect(drive, way, h2_server):
    def serve(h2):
        h2.respond(h2.request(), 302, b"gone", ("location", "/two"))
        s = h2.request()
        assert (s.id, s.path) == (3, "/two")
        h2.respond(s, 200, b"two")
    h2_server.play(serve)
    t = one(drive, h2_server, way, FOLLOWLOCATION=1, info=("REDIRECT_COUNT", "NUM_CONNECTS", "EFFECTIVE_URL"))
    assert (t.code, t.body) == (0, b"two")
    assert t.info == {"REDIRECT_COUNT": 1, "NUM_CONNECTS": 1, "EFFECTIVE_URL": h2_server.url("/two")}


@pytest.mark.parametrize("body", [None, "abc"])
def test_digest(drive, way, h2_server, body):
    def serve(h2):
        s = h2.request()
        assert s.header("content-length") == ("0" if body else None)
        h2.respond(s, 401, b"no", ("www-authenticate", 'Digest realm="r", nonce="n", qop="auth"'))
        s = h2.request()
        assert s.header("authorization").startswith('Digest username="u"') and bytes(s.body) == (body or "").encode()
        h2.respond(s, 200, b"yes")
    h2_server.play(serve)
    t = one(drive, h2_server, way, USERPWD="u:p", HTTPAUTH=2, POSTFIELDS=body, **({} if body else {"HTTPGET": 1}))
    assert (t.code, t.body) == (0, b"yes")


def test_cookies(drive, h2_server):
    def serve(h2):
        h2.respond(h2.request(), 200, b"", ("set-cookie", "a=b"), ("set-cookie", "c=d"))
        s = h2.request()
        assert sorted(s.header("cookie").split("; ")) == ["a=b", "c=d"]
        h2.respond(s, 200)
    h2_server.play(serve)
    d = drive().easy(URL=h2_server.url(), COOKIEFILE="", **h2_server.options).perform().perform()
    assert [t.code for t in d.run().all("h")] == [0, 0]


def test_content_encoding(drive, way, h2_server):
    h2_server.script(answer(gzip.compress(pattern(100_000)), ("content-encoding", "gzip")))
    t = one(drive, h2_server, way, ACCEPT_ENCODING="gzip")
    assert (t.code, t.crc) == (0, crc(pattern(100_000)))


@pytest.mark.parametrize("code,ok", [(404, 22), (200, 0)])
def test_failonerror(drive, way, h2_server, code, ok):
    h2_server.script(answer(b"body", code=code))
    d = drive(way).easy(URL=h2_server.url(), FAILONERROR=1, **h2_server.options).perform().setopt("h", FAILONERROR=0).perform()
    assert [t.code for t in d.run().all("h")] == [ok, 0]
    assert len(h2_server.streams) == 1


def test_answer_before_the_body_is_sent(drive, way, h2_server):
    """A server may answer early and ask with NO_ERROR that the rest is kept (RFC 9113, 8.1)."""
    def serve(h2):
        h2.respond(h2.request(whole=False), 200, b"early")
        h2.send(frame(RST_STREAM, 1, 0))
        h2.respond(h2.request(), 200, b"next")
    h2_server.play(serve, credit=False)
    d = drive(way).easy(URL=h2_server.url(), UPLOAD=1, INFILESIZE=1_000_000, **h2_server.options).body("h", 1_000_000).perform()
    d.setopt("h", UPLOAD=0, HTTPGET=1).perform()
    assert [(t.code, t.body) for t in d.run().all("h")] == [(0, b"early"), (0, b"next")]


@pytest.mark.parametrize("code", [403, 413])
def test_error_before_the_body_is_sent(drive, way, h2_server, code):
    """The rest is not sent, and the stream is given up."""
    def serve(h2):
        s = h2.request(whole=False)
        h2.respond(s, code, b"early")
        h2.until(lambda: s.reset is not None)
        assert len(s.body) < 70_000
        h2.respond(h2.request(), 200, b"next")
    h2_server.play(serve, credit=False)
    d = drive(way).easy(URL=h2_server.url(), UPLOAD=1, INFILESIZE=1_000_000, **h2_server.options).body("h", 1_000_000).perform()
    d.setopt("h", UPLOAD=0, HTTPGET=1).perform()
    assert [(t.code, t.body) for t in d.run().all("h")] == [(0, b"early"), (0, b"next")]


# ---------------------------------------------------------------- frames that any server may send

def test_frames_cut_anywhere(drive, multi_way, h2_plain):
    """Each byte comes alone."""
    whole = (head(1, status(103, ("link", "<a>"))) + head(1, status(200, ("content-length", "20"), ("x", "y")))
             + frame(DATA, 1, pattern(10)) + frame(PING, 0, b"12345678") + frame(DATA, 1, pattern(20)[10:])
             + head(1, [("t", "u")], end=True))

    def serve(h2):
        h2.request()
        Send(whole, "each").run(h2.peer)
    h2_plain.play(serve)
    t = one(drive, h2_plain, multi_way)
    assert (t.code, t.body) == (0, pattern(20))
    assert b"t: u\r\n" in t.headers


def test_settings_and_pings_are_answered(drive, way, h2_server):
    def serve(h2):
        s = h2.request()
        h2.send(settings({1: 4096, 3: 50, 5: 20_000, 99: 1}), frame(PING, 0, b"12345678"))
        h2.until(lambda: [f.payload for f in h2.frames if f.type == PING and f.flags == 1] == [b"12345678"]
                 and sum(f.type == SETTINGS and f.flags == 1 for f in h2.frames) == 2)
        h2.respond(s, 200, b"x")
    h2_server.play(serve)
    assert one(drive, h2_server, way).body == b"x"


def test_padding_priorities_and_unknown_frames(drive, way, h2_server):
    def serve(h2):
        h2.request()
        h2.send(frame(0xbe, 0, b"grease" * 100), frame(0xbe, 1, b""), frame(PRIORITY, 1, struct.pack(">IB", 3, 5)),
                frame(HEADERS, 1, bytes([3]) + struct.pack(">IB", 0, 7) + block(status(200, ("x", "y"))) + bytes(3),
                      END_HEADERS | PADDED | WITH_PRIORITY),
                frame(DATA, 1, bytes([255]) + b"hello" + bytes(255), PADDED), frame(DATA, 1, b"", 0),
                frame(DATA, 1, bytes([2]) + bytes(2), PADDED), frame(0xfa, 1, b"x"),
                frame(DATA, 1, b" world", END_STREAM))
    h2_server.play(serve)
    assert one(drive, h2_server, way).body == b"hello world"


def test_head_in_continuations(drive, way, h2_server):
    fields = block(status(200, *((f"x-{i}", "v" * i) for i in range(100))))
    def serve(h2):
        h2.request()
        cut = [fields[at:at + 1000] for at in range(0, len(fields), 1000)]
        h2.send(frame(HEADERS, 1, cut[0]), *(frame(9, 1, c) for c in cut[1:-1]), frame(9, 1, cut[-1], END_HEADERS),
                frame(DATA, 1, b"x", END_STREAM))
    h2_server.play(serve)
    t = one(drive, h2_server, way)
    assert (t.code, len(t.headers)) == (0, 102) and t.headers[100] == b"x-99: " + b"v" * 99 + b"\r\n"


def test_compressed_heads(drive, way, h2_server):
    """The server's table is filled, changes its size, and is used."""
    def serve(h2):
        encoder = hpack.Encoder()
        for i in range(6):
            s = h2.request()
            if i == 3:
                encoder.header_table_size = 256
            fields = status(200, ("server", "one and the same"), ("x-many", "words " * 10), ("x-number", str(i)))
            h2.send(head(s.id, encoder.encode(fields, huffman=i % 2 == 0)), frame(DATA, s.id, b"x", END_STREAM))
    h2_server.play(serve)
    d = drive(way).easy(URL=h2_server.url(), **h2_server.options)
    for _ in range(6):
        d.perform()
    ts = d.run().all("h")
    assert [t.code for t in ts] == [0] * 6
    assert [t.headers for t in ts] == [[b"HTTP/2 200 \r\n", b"server: one and the same\r\n", b"x-many: " + b"words " * 10 + b"\r\n",
                                        b"x-number: %d\r\n" % i, b"\r\n"] for i in range(6)]


def test_goodbye(drive, way, h2_server):
    """The last frame is a GOAWAY without an error."""
    h2_server.script(Serve())
    assert one(drive, h2_server, way, "/size/10").code == 0
    last = h2_server.sent()[-1]
    assert last.type == GOAWAY and last.payload[:8] == bytes(8)


def test_what_a_client_says_first(drive, h2_server):
    """SETTINGS follow the preface; nothing is pushed; a connection's window is larger than a stream's."""
    h2_server.script(Serve())
    one(drive, h2_server, path="/size/10")
    c = h2_server.connections[0]
    frames = frames_of(c.received)
    assert frames[0].type == SETTINGS and not frames[0].flags
    values = dict(struct.unpack(">HI", frames[0].payload[i:i + 6]) for i in range(0, len(frames[0].payload), 6))
    assert values[2] == 0 and 65_535 <= values[4] <= 1 << 20
    assert any(f.type == WINDOW_UPDATE and not f.stream and f.number >= 1 << 20 for f in frames[:4])


# ---------------------------------------------------------------- which version

def either(peer):
    if peer.alpn == "h2":
        h2 = H2(peer).start()
        while True:
            h2.respond(h2.request(), 200, b"two")
    while True:
        peer.read_head()
        peer.send(response(200, b"one"))


def either_server(make_server, certs, alpn):
    s = make_server(cls=H2Server, tls=certs.context(alpn=alpn))
    step = Call(either)
    step.may_be_left = True
    return s.default(step)


@pytest.mark.parametrize("version,expected", [(None, b"two"), (0, b"two"), (1, b"one"), (2, b"one"), (VERSION_2_0, b"two"),
                                              (VERSION_2TLS, b"two"), (PRIOR_KNOWLEDGE, b"two")])
def test_version_by_alpn(drive, make_server, certs, version, expected):
    s = either_server(make_server, certs, ["h2", "http/1.1"])
    t = drive.get(URL=s.url(), SSL_VERIFYPEER=0, HTTP_VERSION=version, info=("HTTP_VERSION",))
    assert (t.code, t.body, t.info["HTTP_VERSION"]) == (0, expected, HTTP2 if expected == b"two" else 2)


@pytest.mark.parametrize("alpn", [["http/1.1", "h2"], ["http/1.1"], None])
@pytest.mark.parametrize("version", [None, VERSION_2_0, VERSION_2TLS])
def test_server_prefers_http_1(drive, way, make_server, certs, alpn, version):
    s = either_server(make_server, certs, alpn)
    t = drive.get(way, URL=s.url(), SSL_VERIFYPEER=0, HTTP_VERSION=version, info=("HTTP_VERSION",))
    assert (t.code, t.body, t.info["HTTP_VERSION"]) == (0, b"one", 2)


def test_prior_knowledge_offers_nothing_else(drive, make_server, certs):
    s = either_server(make_server, certs, ["http/1.1", "h2"])
    t = drive.get(URL=s.url(), SSL_VERIFYPEER=0, HTTP_VERSION=PRIOR_KNOWLEDGE)
    assert (t.code, t.body) == (0, b"two")


def test_no_alpn(drive, make_server, certs):
    s = either_server(make_server, certs, ["h2", "http/1.1"])
    t = drive.get(URL=s.url(), SSL_VERIFYPEER=0, SSL_ENABLE_ALPN=0)
    assert (t.code, t.body) == (0, b"one")


@pytest.mark.parametrize("version", [None, 0, 2, VERSION_2TLS])
def test_plain_stays_http_1(drive, server, version):
    server.answer(response(200, b"one"))
    t = drive.get(URL=server.url(), HTTP_VERSION=version)
    assert t.body == b"one"
    assert server.asked()[0].header("Upgrade") is None


def test_kept_connections_by_version(drive, make_server, certs):
    """A request that wants HTTP/1.1 does not go by a connection of HTTP/2."""
    s = either_server(make_server, certs, ["h2", "http/1.1"])
    d = drive().easy(URL=s.url(), SSL_VERIFYPEER=0)
    for version in (0, 2, 0, 2, VERSION_2TLS):
        d.setopt("h", HTTP_VERSION=version).perform().getinfo("h", "NUM_CONNECTS")
    r = d.run()
    assert [(t.body, t.info["NUM_CONNECTS"]) for t in r.all("h")] == [
        (b"two", 1), (b"one", 1), (b"two", 0), (b"one", 0), (b"two", 0)]


# ---------------------------------------------------------------- upgrade

def upgrade_part(more):
    return part(more, made=upgraded)


@pytest.mark.parametrize("upload", [None, "post", "put"])
def test_upgrade(drive, way, h2_plain, upload):
    def serve(h2):
        s = h2.streams[1]
        assert s.header("connection") == "Upgrade, HTTP2-Settings" and s.header("http2-settings")
        h2.respond(s, 200, b"up" + bytes(s.body))
        s = h2.request()
        assert (s.id, s.path) == (3, "/two")
        h2.respond(s, 200, b"two")
    h2_plain.script(upgrade_part(serve))
    d = drive(way).easy(URL=h2_plain.url("/one"), HTTP_VERSION=VERSION_2_0)
    if upload == "post":
        d.setopt("h", POSTFIELDS="abc")
    elif upload == "put":
        d.setopt("h", UPLOAD=1).body("h", b"abc")
    d.perform().getinfo("h", "HTTP_VERSION").setopt("h", URL=h2_plain.url("/two"), UPLOAD=0, HTTPGET=1).perform()
    first, second = d.run().all("h")
    assert (first.code, first.body, first.info["HTTP_VERSION"]) == (0, b"up" + (b"abc" if upload else b""), HTTP2)
    assert first.headers[0] == b"HTTP/1.1 101 Switching Protocols\r\n" and b"HTTP/2 200 \r\n" in first.headers
    assert (second.code, second.body) == (0, b"two")


def test_upgrade_is_not_accepted(drive, way, h2_plain):
    """The connection is one of HTTP/1.1, where each request asks again."""
    h2_plain.script(Expect(), Reply(200, b"one"), Expect(), Reply(200, b"two"))
    d = drive(way).easy(URL=h2_plain.url(), HTTP_VERSION=VERSION_2_0).perform().perform()
    assert [(t.code, t.body) for t in d.run().all("h")] == [(0, b"one"), (0, b"two")]
    assert [q.header("Upgrade") for q in h2_plain.asked()] == ["h2c", "h2c"]


def test_fields_of_an_upgrade(drive, h2_plain):
    """HTTP2-Settings is what SETTINGS says, and Connection names both, with what else it has."""
    def serve(h2):
        s = h2.streams[1]
        h2.respond(s, 200)
        h2.until(lambda: h2.settings)
        said = b"".join(struct.pack(">HI", k, v) for k, v in h2.settings.items())
        assert base64.urlsafe_b64encode(said) == s.header("http2-settings").encode()
        assert s.header("connection") == "mine, TE, Upgrade, HTTP2-Settings"
    h2_plain.script(upgrade_part(serve))
    t = drive.get(URL=h2_plain.url(), HTTP_VERSION=VERSION_2_0, TRANSFER_ENCODING=1, HTTPHEADER=["Connection: mine"])
    assert t.code == 0


def test_upgrade_of_the_application(drive, h2_plain):
    h2_plain.script(Expect(), Reply(200))
    assert drive.get(URL=h2_plain.url(), HTTP_VERSION=VERSION_2_0, HTTPHEADER=["Upgrade: other"]).code == 0
    [request] = h2_plain.asked()
    assert "other" in request.all("Upgrade")
    assert request.header("HTTP2-Settings") is None or not by_library(True, True, False)


def test_fields_of_the_101(drive, h2_plain):
    """They are those of an interim response."""
    h2_plain.script(upgrade_part(lambda h2: h2.respond(h2.streams[1], 200, b"", ("x", "y"))))
    d = drive().easy(URL=h2_plain.url(), HTTP_VERSION=VERSION_2_0).perform()
    r = d.do("headers", "h", H_HEADER | H_1XX, -1).run()
    assert [[f[0], f[1], f[4]] for f in r.of("nextheader", "h")] == [
        ["Connection", "Upgrade", H_1XX], ["Upgrade", "h2c", H_1XX], ["x", "y", H_HEADER]]


def test_head_request_by_upgrade(drive, way, h2_plain):
    def serve(h2):
        h2.send(head(1, status(200, ("content-length", "1000")), end=True))
        h2.respond(h2.request(), 200, b"next")
    h2_plain.script(upgrade_part(serve))
    d = drive(way).easy(URL=h2_plain.url(), HTTP_VERSION=VERSION_2_0, NOBODY=1).perform()
    first, second = d.setopt("h", NOBODY=0, HTTPGET=1).perform().run().all("h")
    assert (first.code, first.body, second.code, second.body) == (0, b"", 0, b"next")


def test_redirect_after_an_upgrade(drive, way, h2_plain):
    def serve(h2):
        s = h2.streams[1]
        if s.path == "/here":
            h2.respond(s, 302, b"there", ("location", "/there"))
            s = h2.request()
        h2.respond(s, 200, s.path.encode())
    h2_plain.default(upgrade_part(serve))
    t = drive.get(way, URL=h2_plain.url("/here"), HTTP_VERSION=VERSION_2_0, FOLLOWLOCATION=1)
    assert (t.code, t.body) == (0, b"/there")


def test_upgraded_connection_carries_many(drive, multi_way, h2_plain):
    def serve(h2):
        h2.respond(h2.streams[1], 200, b"first")
        for s in h2.requests(20).values():
            h2.respond(s, 200, s.path.encode())
    h2_plain.script(upgrade_part(serve))
    d = drive(multi_way).easy(URL=h2_plain.url(), HTTP_VERSION=VERSION_2_0).do("add", "m", "h").do("drive", "m", "all")
    for i in range(20):
        d.easy(f"h{i}", URL=h2_plain.url(f"/{i}"), HTTP_VERSION=VERSION_2_0)
    for i in range(20):
        d.do("add", "m", f"h{i}")
    r = d.do("drive", "m", "all").run()
    assert [r[f"h{i}"].body for i in range(20)] == [f"/{i}".encode() for i in range(20)]


@pytest.mark.parametrize("how", ["remove", "close", "reset"])
def test_upgraded_stream_ends_early(drive, multi_way, h2_plain, how):
    asked = threading.Event()

    def serve(h2):
        h2.send(head(1, status(200)), frame(DATA, 1, b"some"))
        h2.until(lambda: h2.settings)
        asked.set()
        if how == "remove":
            h2.until(lambda: any(f.type == RST_STREAM for f in h2.frames))
        elif how == "reset":
            h2.send(frame(RST_STREAM, 1, 2))
            h2.peer.drain(keep=True)
        else:
            h2.peer.finish()
    h2_plain.script(part(serve, made=upgraded, may_leave=True)).default(Serve())
    h2_plain.optional = True
    d = drive(multi_way).easy(URL=h2_plain.url(), HTTP_VERSION=VERSION_2_0).do("add", "m", "h").drive_until(asked)
    if how == "remove":
        d.do("remove", "m", "h").do("drive", "m", "for", 50)
    r = d.do("drive", "m", "all").end()
    if how != "remove":
        assert r["h"].code in {"close": (18, 56), "reset": (92,)}[how]


def test_upgrade_with_frames_in_the_same_packet(drive, way, h2_plain):
    """The server's frames follow the 101 at once."""
    def serve(peer):
        peer.read_head()
        peer.send(b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n" + settings()
                  + head(1, status(200)) + frame(DATA, 1, pattern(9000), END_STREAM))
        h2 = H2(peer, quiet=True)
        h2.expect(SETTINGS, flags=0)
        peer.drain(keep=True)
    h2_plain.script(Call(serve))
    t = drive.get(way, URL=h2_plain.url(), HTTP_VERSION=VERSION_2_0)
    assert (t.code, t.crc) == (0, crc(pattern(9000)))


def test_upgrade_to_something_else(drive, h2_plain):
    h2_plain.script(Expect(), Send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n"
                                   "What follows is not HTTP/2"), UntilClose())
    assert drive.get(URL=h2_plain.url(), HTTP_VERSION=VERSION_2_0).code != 0


# ---------------------------------------------------------------- ways to a server

@pytest.mark.parametrize("proxy", ["tunnel", "socks"])
def test_through_a_proxy(drive, way, make_server, h2_server, proxy):
    h2_server.script(Serve())
    p = make_server().script((Tunnel if proxy == "tunnel" else Socks5)(h2_server.port))
    d = drive(way).easy(PROXY=f"{'http' if proxy == 'tunnel' else 'socks5h'}://{p.authority}", HTTPPROXYTUNNEL=1,
                        **h2_server.options)
    for path in ("/size/100000", "/size/7"):
        d.setopt("h", URL=h2_server.url(path)).perform()
    assert [(t.code, t.length) for t in d.run().all("h")] == [(0, 100_000), (0, 7)]
    assert [s.id for s in h2_server.streams[0]] == [1, 3]


def test_upkeep(drive, h2_server):
    """A PING on the idle connection when the interval has passed."""
    def serve(h2):
        h2.respond(h2.request(), 200, b"x")
        h2.until(lambda: h2.frames[-1].type == PING)
        h2.respond(h2.request(), 200, b"y")
    h2_server.play(serve)
    d = drive().easy(URL=h2_server.url(), UPKEEP_INTERVAL_MS=1, **h2_server.options).perform()
    r = d.do("sleep", 20).do("upkeep", "h").perform().run()
    assert [t.body for t in r.all("h")] == [b"x", b"y"]


def test_upkeep_before_the_interval(drive, h2_server):
    def serve(h2):
        for _ in range(2):
            h2.respond(h2.request(), 200, b"x")
    h2_server.play(serve)
    d = drive().easy(URL=h2_server.url(), UPKEEP_INTERVAL_MS=600_000, **h2_server.options).perform()
    d.do("upkeep", "h").perform().run()
    assert not [f for f in h2_server.sent() if f.type == PING]


def test_share_of_connections(drive, h2_server):
    """A shared pool never breaks a connection that carries many."""
    h2_server.default(Call(either) if h2_server.tls else Serve())
    h2_server.optional = True
    if h2_server.tls:
        h2_server.fallback[0].may_be_left = True
    d = drive("poll").do("share", "s").do("sharesetopt", "s", "SHARE", LOCK_CONNECT)
    for name in "ab":
        d.easy(name, URL=h2_server.url("/size/3"), SHARE="s", HTTP_VERSION=PRIOR_KNOWLEDGE, SSL_VERIFYPEER=0)
    r = d.perform("a").perform("b").perform("a", "b").do("cleanup", "a", "b").do("shcleanup", "s").run()
    assert [t.code for n in "ab" for t in r.all(n)] == [0] * 4


def test_options_of_priorities(drive, h2_server):
    """They are taken, and send nothing, as those of the newest libcurl."""
    h2_server.script(Serve())
    d = drive("poll").easy("a", URL=h2_server.url("/size/3"), **h2_server.options)
    d.easy("b", URL=h2_server.url("/size/4"), STREAM_WEIGHT=256, STREAM_DEPENDS="a", **h2_server.options)
    d.easy("c", URL=h2_server.url("/size/5"), STREAM_DEPENDS_E="a", **h2_server.options)
    for name in "abc":
        d.do("add", "m", name).do("drive", "m", "all")
    r = d.run()
    assert [r[n].length for n in "abc"] == [3, 4, 5] and not r.of("setopt")
    assert not [f for f in h2_server.sent() if f.type == PRIORITY or f.type == HEADERS and f.flags & WITH_PRIORITY]


def test_connect_only_is_for_bytes(drive, make_server, certs):
    """The application's raw bytes: nothing but HTTP/1.1 is offered."""
    s = either_server(make_server, certs, ["h2", "http/1.1"])
    s.optional = True
    assert drive.get("easy", URL=s.url(), SSL_VERIFYPEER=0, CONNECT_ONLY=1).code == 0
    s.settle()
    assert [c.alpn for c in s.connections] == [by_library("http/1.1", "h2", "h2")]
    if SYSTEM:
        s.forgive()  # bytes of HTTP/2


# ---------------------------------------------------------------- transfers that end early

@pytest.mark.parametrize("how", ["write", "header", "remove", "abort", "timeout", "maxfilesize"])
def test_a_stream_is_given_up(drive, multi_way, h2_server, how):
    """It is reset; the connection serves the next request."""
    seen = threading.Event()
    def serve(h2):
        s = h2.request()
        h2.send(head(1, status(200, ("content-length", "1000000"))), frame(DATA, 1, b"x" * 1000))
        h2.until(lambda: s.reset is not None)
        seen.set()
        h2.respond(h2.request(), 200, b"next")
    h2_server.play(serve)
    d = drive(multi_way).easy(URL=h2_server.url(), **h2_server.options).do("add", "m", "h")
    if how in ("write", "header"):
        d.on("h", how, "call", 1, "return", 0 if how == "write" else 1)
        d.do("drive", "m", "all")
    elif how == "remove":
        d.do("drive", "m", "bytes", "h", "write", 1000).do("remove", "m", "h")
    elif how == "abort":
        d.enable("h", "xferinfo").setopt("h", NOPROGRESS=0).on("h", "write", "call", 1, "return", 0).do("drive", "m", "all")
    elif how == "timeout":
        d.setopt("h", TIMEOUT_MS=700).do("drive", "m", "all").setopt("h", TIMEOUT_MS=0)
    else:
        d.setopt("h", MAXFILESIZE=10_000).do("drive", "m", "all").setopt("h", MAXFILESIZE=0)
    d.do("calm", "h").do("easy", "g").setopt("g", URL=h2_server.url("/g"), **h2_server.options).do("add", "m", "g")
    r = d.do("drive", "m", "all").run()
    assert r["g"].body == b"next"
    if how != "remove":
        assert r["h"].code == {"write": 23, "header": 23, "abort": 23, "timeout": 28, "maxfilesize": 63}[how]
    assert len(h2_server.streams) == 1
    resets = [f for f in h2_server.sent() if f.type == RST_STREAM]
    assert [f.stream for f in resets] == [1] and resets[0].number == by_library(8, 8, resets[0].number)


def test_reset_before_the_head(drive, multi_way, h2_server):
    """A transfer is removed before anything has come."""
    asked = threading.Event()
    def serve(h2):
        s = h2.request()
        asked.set()
        h2.until(lambda: s.reset is not None)
        h2.respond(h2.request(), 200, b"next")
    h2_server.play(serve)
    d = drive(multi_way).easy(URL=h2_server.url(), **h2_server.options).do("add", "m", "h").drive_until(asked)
    d.do("remove", "m", "h").do("easy", "g").setopt("g", URL=h2_server.url(), **h2_server.options).do("add", "m", "g")
    assert d.do("drive", "m", "all").end()["g"].body == b"next"


# ---------------------------------------------------------------- pauses of sending

def test_upload_pauses(drive, multi_way, h2_server):
    h2_server.script(Serve())
    d = drive(multi_way).easy(URL=h2_server.url("/echo"), UPLOAD=1, INFILESIZE=100_000, **h2_server.options)
    d.body("h", 100_000, 5000).on("h", "read", "call", 5, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("drive", "m", "for", 30).do("calm", "h").do("pause", "h", PAUSE_CONT)
    t = d.do("drive", "m", "all").run()["h"]
    assert (t.code, t.length, t.crc) == (0, 100_000, crc(pattern(100_000)))


@pytest.mark.parametrize("call", [1, 3])
def test_upload_is_aborted(drive, multi_way, h2_server, call):
    """By its read callback: the stream is given up, and the connection serves the next one."""
    h2_server.script(Serve())
    d = drive(multi_way).easy(URL=h2_server.url("/echo"), UPLOAD=1, INFILESIZE=100_000, **h2_server.options)
    d.body("h", 100_000, 5000).on("h", "read", "call", call, "return", 0x10000000).do("add", "m", "h").do("drive", "m", "all")
    d.easy("g", URL=h2_server.url("/size/5"), **h2_server.options).do("add", "m", "g")
    r = d.do("drive", "m", "all").run()
    assert (r["h"].code, r["g"].length) == (42, 5)


def test_window_of_an_upload(drive, way, h2_server):
    """A server that gives credit in small pieces gets no more than it gave."""
    def serve(h2):
        h2.respond(h2.request(), 200)     # the client knows the window when the answer has come
        s, given = h2.request(whole=False), 5000
        while not s.ended:
            h2.until(lambda: len(s.body) >= given or s.ended)
            assert len(s.body) <= given
            h2.send(frame(WINDOW_UPDATE, 0, 1000), frame(WINDOW_UPDATE, s.id, 1000))
            given += 1000
        h2.respond(s, 200, bytes(s.body))
    h2_server.play(serve, values={4: 5000}, credit=False)
    d = drive(way).easy(URL=h2_server.url(), **h2_server.options).perform()
    t = d.setopt("h", UPLOAD=1, INFILESIZE=20_000).body("h", 20_000).perform().run()["h"]
    assert (t.code, t.crc) == (0, crc(pattern(20_000)))
