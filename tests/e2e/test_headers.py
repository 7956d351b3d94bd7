"""Headers sent and received: custom ones, removal and emptiness, curl_easy_header, whole lines, limits."""

import threading

import pytest

from mote_driver import H_1XX, H_HEADER, H_PSEUDO, H_TRAILER, NEWEST, SYSTEM, by_library, not_debian
from server import Body, Close, Expect, Reply, Send, Wait, chunked, response


@pytest.mark.parametrize("line,has,lacks", [
    ("X-Mine: value", {"X-Mine": "value"}, []),
    ("X-Mine:value", {"X-Mine": "value"}, []),
    ("Accept: text/html", {"Accept": "text/html"}, []),
    ("Accept:", {}, ["Accept"]),
    ("accept:", {}, ["Accept"]),
    ("Host:", {}, ["Host"]),
    ("Host: other.test", {"Host": "other.test"}, []),
    ("X-Empty;", {"X-Empty": ""}, []),
    ("X-Nothing:", {}, ["X-Nothing"]),
    ("X-Nothing:   ", {}, ["X-Nothing"]),
    ("User-Agent:", {}, ["User-Agent"]),
    ("User-Agent: mine", {"User-Agent": "mine"}, []),
    ("X-Spaces:   a  b", {"X-Spaces": "a  b"}, []),
    ("no colon at all", {}, ["no colon at all", "no"]),
    ("Connection: close", {"Connection": "close"}, []),
    ("X-Utf: h\u00e9", {"X-Utf": "h\u00e9".encode().decode("latin-1")}, []),
])
def test_custom_header(drive, server, line, has, lacks):
    server.script(Expect(has=has, lacks=lacks), Reply(200, b"x"))
    t = drive.get(URL=server.url(), USERAGENT="agent/1", HTTPHEADER=[line])
    assert (t.code, t.body) == (0, b"x")


@not_debian("the line takes the field away")
@pytest.mark.parametrize("name,options", [("Accept", {}), ("User-Agent", {"USERAGENT": "u"}), ("Range", {"RANGE": "1-2"})],
                         ids=["accept", "agent", "range"])
def test_line_without_a_colon_takes_no_field_away(drive, server, name, options):
    server.script(Expect(pattern=rb"\r\n" + name.encode() + rb": [^\r]"), Reply())
    assert drive.get(URL=server.url(), HTTPHEADER=[name], **options).code == 0


def test_custom_headers_keep_their_order(drive, server):
    server.script(Expect(pattern=rb"\r\nZ: 1\r\nA: 2\r\nM: 3\r\n"), Reply())
    assert drive.get(URL=server.url(), HTTPHEADER=["Z: 1", "A: 2", "M: 3"]).code == 0


@not_debian("it stands before the cookie")
def test_own_transfer_encoding_keeps_its_place(drive, server):
    server.script(Expect(pattern=rb"\r\nCookie: c\r\nZ: 1\r\nTransfer-Encoding:x\r\nM: 3\r\n\r\n"), Reply())
    assert drive.get(URL=server.url(), COOKIE="c", HTTPHEADER=["Z: 1", "Transfer-Encoding:x", "M: 3"]).code == 0


@not_debian("no end of a body is sent")
def test_own_chunked_coding_of_no_body(drive, server):
    server.script(Expect(body=False, pattern=rb"\r\nTransfer-Encoding: chunked\r\n\r\n$"), Body(b""), Reply())
    t = drive.get(URL=server.url(), HTTPHEADER=["Transfer-Encoding: chunked"],
                  info=("SIZE_UPLOAD_T", "CONTENT_LENGTH_UPLOAD_T"))
    assert (t.code, t.info) == (0, {"SIZE_UPLOAD_T": 5, "CONTENT_LENGTH_UPLOAD_T": -1})


@not_debian("the length is reported")
def test_own_chunked_coding_announces_no_length(drive, server):
    server.script(Expect("POST", body=False, lacks=["Content-Length"]), Body(b"abc"), Reply())
    t = drive.get(URL=server.url(), POSTFIELDS="abc", HTTPHEADER=["Transfer-Encoding: chunked"],
                  info=("CONTENT_LENGTH_UPLOAD_T",))
    assert (t.code, t.info["CONTENT_LENGTH_UPLOAD_T"]) == (0, -1)


def test_repeated_custom_header(drive, server):
    server.script(Expect(pattern=rb"\r\nX: 1\r\nX: 2\r\n"), Reply())
    assert drive.get(URL=server.url(), HTTPHEADER=["X: 1", "X: 2"]).code == 0


@pytest.mark.parametrize("line", ["Content-Type: text/plain", "Content-Type:", "content-type: a/b"])
def test_content_type_of_a_post(drive, server, line):
    value = line.partition(":")[2].strip()
    server.script(Expect("POST", has={"Content-Type": value or None}), Reply())
    assert drive.get(URL=server.url(), POSTFIELDS="x", HTTPHEADER=[line]).code == 0


def test_header_list_null_and_again(drive, server, way):
    server.script(Expect(has={"X-A": "1"}), Reply(), Expect(lacks=["X-A"]), Reply(), Expect(has={"X-B": "2"}), Reply())
    d = drive(way).easy(URL=server.url(), HTTPHEADER=["X-A: 1"]).perform().setopt("h", HTTPHEADER=None).perform()
    r = d.setopt("h", HTTPHEADER=["X-B: 2"]).perform().run()
    assert [t.code for t in r.all("h")] == [0, 0, 0]


def test_options_that_write_headers(drive, server):
    server.script(Expect(has={"User-Agent": "u", "Referer": "http://r/", "Cookie": "a=b; c=d", "Accept-Encoding": "x"}),
                  Reply())
    assert drive.get(URL=server.url(), USERAGENT="u", REFERER="http://r/", COOKIE="a=b; c=d", ACCEPT_ENCODING="x").code == 0


def test_header_injection_is_not_ours_to_make(drive, server):
    """A custom header goes as it is given; a URL can never bring a line of its own."""
    assert drive.get(URL=server.url("/a\r\nX-Evil: 1")).code == 3


# ---------------------------------------------------------------- what comes

def test_whole_lines(drive, server, way):
    """The callback gets each line whole, its end included, cut as the network may have been."""
    lines = [b"HTTP/1.1 200 Fine\r\n", b"A: 1\r\n", b"B:2\r\n", b"C:\r\n", b"Dd-Ee:   spaces   \r\n",
             b"Long: " + b"x" * 5000 + b"\r\n", b"Content-Length: 4\r\n", b"\r\n"]
    server.script(Expect(), Send(b"".join(lines) + b"body", cuts=[1, 17, 18, 19, 20, 21, 30, 45, 1000, 5063, 5064, 5085]))
    t = drive.get(way, URL=server.url())
    assert (t.code, t.body) == (0, b"body")
    assert t.headers == lines


def test_bare_lf_lines(drive, server, way):
    """Lines that end with LF only are taken, as RFC 9112 2.2 allows."""
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\nA: 1\nContent-Length: 4\n\nbody"))
    t = drive.get(way, URL=server.url())
    assert (t.code, t.body) == (0, b"body")
    assert t.headers == [b"HTTP/1.1 200 OK\n", b"A: 1\n", b"Content-Length: 4\n", b"\n"]


def test_callback_may_scribble(drive, server, way):
    server.answer(response(200, b"one", ["Location: /2", "X-A: b"]).replace(b"200 OK", b"302 Found"),
                  b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: c\r\n\r\n" + chunked(b"two", 1))
    d = drive(way).easy(URL=server.url(), FOLLOWLOCATION=1).on("h", "header", "every", 0, "scribble").perform()
    r = d.do("getheader", "h", "x-a", 0, H_HEADER, 0).do("getheader", "h", "x-a", 0, H_HEADER, 1).run()
    assert (r["h"].code, r["h"].body) == (0, b"two")
    assert [f[1:] for f in r.of("getheader", "h")] == [[0, "b", 1, 0], [0, "c", 1, 0]]


def test_header_in_body(drive, server):
    """HEADER: the header lines go to the write callback, too."""
    server.answer(response(200, b"body", ["A: b"]))
    t = drive.get(URL=server.url(), HEADER=1)
    assert t.body == b"HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 4\r\n\r\nbody"


def test_fold(drive, server, way):
    """obs-fold: one value for curl_easy_header."""
    server.answer(b"HTTP/1.1 200 OK\r\nX-F: one\r\n two\r\n\tthree\r\nContent-Length: 1\r\n\r\nx")
    d = drive(way).easy(URL=server.url()).perform().do("getheader", "h", "x-f", 0, H_HEADER, -1)
    r = d.run()
    assert (r["h"].code, r["h"].body) == (0, b"x")
    assert r.of("getheader", "h", "x-f")[0][1].split() == ["one", "two", "three"]


# ---------------------------------------------------------------- curl_easy_header

def chain(server):
    server.answer(b"HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
                  b"HTTP/1.1 302 Found\r\nLocation: /2\r\nX-Multi: 1\r\nX-Multi: 2\r\nContent-Length: 0\r\n\r\n",
                  b"HTTP/1.1 200 OK\r\nX-Multi: 3\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(b"body", 2,
                                                                                            trailers=["X-T: end"]))


def test_easy_header(drive, server, way):
    chain(server)
    d = drive(way).easy(URL=server.url(), FOLLOWLOCATION=1).perform()
    asked = [("x-multi", 0, H_HEADER, 0), ("X-MULTI", 1, H_HEADER, 0), ("x-multi", 2, H_HEADER, 0),
             ("x-multi", 0, H_HEADER, -1), ("x-multi", 0, H_HEADER, 1), ("nothing", 0, H_HEADER, -1),
             ("x-t", 0, H_TRAILER, -1), ("x-t", 0, H_HEADER, -1), ("x-t", 0, H_HEADER | H_TRAILER, 1),
             ("link", 0, H_1XX, 0), ("x-multi", 0, H_HEADER, 7), ("x-multi", 0, 0, 0),
             ("x-multi", 0, 999, 0)]
    for q in asked:
        d.do("getheader", "h", *q)
    r = d.run()
    assert (r["h"].code, r["h"].body) == (0, b"body")
    got = [tuple(f[1:]) for f in r.of("getheader", "h")]
    assert got == [(0, 1, 2, 0), (0, 2, 2, 1), (1,), (0, 3, 1, 0), (0, 3, 1, 0), (2,),
                   (0, "end", 1, 0), (2,), (0, "end", 1, 0), (0, "a", 1, 0), (4,), (6,), (6,)]


def test_next_header(drive, server, way):
    chain(server)
    d = drive(way).easy(URL=server.url(), FOLLOWLOCATION=1).perform()
    r = d.do("headers", "h", H_HEADER | H_TRAILER | H_1XX, 0).do("mark").do("headers", "h", 31 & ~H_PSEUDO, -1).run()
    listed = [(f[0], str(f[1]), f[2], f[3], f[4]) for f in r.of("nextheader", "h")]
    assert listed == [("Link", "a", 1, 0, H_1XX), ("Location", "/2", 1, 0, H_HEADER), ("X-Multi", "1", 2, 0, H_HEADER),
                      ("X-Multi", "2", 2, 1, H_HEADER), ("Content-Length", "0", 1, 0, H_HEADER),
                      ("X-Multi", "3", 1, 0, H_HEADER), ("Transfer-Encoding", "chunked", 1, 0, H_HEADER),
                      ("X-T", "end", 1, 0, H_TRAILER)]


def test_headers_are_gone_with_the_next_transfer(drive, server, way):
    server.answer(response(200, b"1", ["X-First: a"]), response(200, b"2", ["X-Second: b"]))
    d = drive(way).easy(URL=server.url())
    d.do("getheader", "h", "x-first", 0, H_HEADER, -1).perform().perform()
    d.do("getheader", "h", "x-first", 0, H_HEADER, -1).do("getheader", "h", "x-second", 0, H_HEADER, -1)
    r = d.run()
    assert [f[1] for f in r.of("getheader", "h")] == [3, 2, 0]


def test_headers_of_a_failed_transfer(drive, server):
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nX-A: kept\r\nContent-Length: 100\r\n\r\nshort"), Close())
    r = drive().easy(URL=server.url()).perform().do("getheader", "h", "x-a", 0, H_HEADER, -1).run()
    assert r["h"].code == 18
    assert r.of("getheader", "h", "x-a") == [[0, "kept", 1, 0]]


def test_many_headers(drive, server, way):
    lines = [f"X-{i}: {i}" for i in range(400)]
    server.answer(response(200, b"x", lines))
    d = drive(way).easy(URL=server.url()).enable("h", "quiet").perform().do("headers", "h", H_HEADER, -1)
    r = d.run()
    assert r["h"].code == 0
    assert [f[0] for f in r.of("nextheader", "h")] == [f"X-{i}" for i in range(400)] + ["Content-Length"]


def test_value_is_trimmed(drive, server):
    server.answer(b"HTTP/1.1 200 OK\r\nX-S:  \t padded \t \r\nX-E:\r\nContent-Length: 0\r\n\r\n")
    r = drive().easy(URL=server.url()).perform().do("headers", "h", H_HEADER, -1).run()
    assert [f[:2] for f in r.of("nextheader", "h")][:2] == [["X-S", "padded"],
                                                                   ["X-E", by_library("", "\r")]]


# ---------------------------------------------------------------- limits

def test_line_of_99_kb(drive, server, way):
    server.answer(response(200, b"x", ["Long: " + "y" * 99_000]))
    d = drive(way).easy(URL=server.url()).enable("h", "quiet").perform()
    assert d.run()["h"].body == b"x"


def test_line_too_long(drive, server, way):
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nLong: " + b"y" * 110_000 + b"\r\n\r\n"))
    r = drive(way).easy(URL=server.url()).enable("h", "quiet").perform().run()
    assert r["h"].code == by_library(100, 27)
    assert r["h"].body == b""


def test_head_too_long(drive, server, way):
    """More than 300 KB of header lines: refused."""
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: %s\r\n" % (i, b"z" * 9000) for i in range(50))
                                 + b"Content-Length: 0\r\n\r\n"))
    r = drive(way).easy(URL=server.url()).enable("h", "quiet").perform().run()
    assert r["h"].code == 56
    assert r["h"].error


@pytest.mark.skipif(SYSTEM and not NEWEST, reason="libcurl 7.88 does otherwise")
def test_size_counts_trailers(drive, server, way):
    raw = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n"
    server.script(Expect(), Send(raw))
    t = drive.get(way, URL=server.url(), info=("HEADER_SIZE",))
    assert t.info["HEADER_SIZE"] == sum(map(len, t.headers)) == 55


@pytest.mark.parametrize("types,reported", [(["a/b", "c/d"], "c/d"), (["a/b", ""], "a/b"), (["", "c/d"], "c/d"), ([""], "(null)")])
def test_content_type_of_several(drive, server, types, reported):
    server.answer(response(200, b"x", [f"Content-Type: {t}" for t in types]))
    assert drive.get(URL=server.url(), info=("CONTENT_TYPE",)).info["CONTENT_TYPE"] == reported


def test_a_header_line_is_a_text(drive, server, multi_way):
    """Nothing ended it: GStreamer's curlhttpsrc took the rest of the head for the reason phrase, and what came after a
    field for its value. The driver looks at the byte after each line."""
    go = threading.Event()
    server.script(Expect(), Send(b"HTTP/1.1 200 Fine\r\n"), Wait(go),
                  Send(b"Fold: a\r\n b\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nA: b\nC: d\r\n\r\n"))
    d = drive(multi_way).easy(URL=server.url()).do("add", "m", "h").do("drive", "m", "calls", "h", "header", 1)
    d.do("mark", "status").do("drive", "m", "stdin").start()
    d.expect("mark", "status")
    go.set()
    t = d.do("mark", "line").do("drive", "m", "all").end()["h"]
    assert (t.code, t.body, t.headers[0], t.headers[-1]) == (0, b"x", b"HTTP/1.1 200 Fine\r\n", b"C: d\r\n")
