"""Responses in all their framings, through every way of driving."""

import pytest

from mote_driver import HTTP_VERSION_1_0, NEWEST, SYSTEM, by_library, crc, not_debian, pattern
from server import Close, Expect, HalfClose, Reply, Send, UntilClose, chunked, response

BODY = b"".join(b"%d," % i for i in range(500))


def test_exact_request(drive, server, way):
    server.script(Expect(exact=b"GET /a%%20b?c=d HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: */*\r\n\r\n" % server.port),
                  Reply(200, b"hello"))
    t = drive.get(way, URL=server.url("/a%20b?c=d#fragment"), info=("RESPONSE_CODE", "HTTP_VERSION", "SCHEME"))
    assert (t.code, t.body, t.error) == (0, b"hello", "")
    assert t.info["RESPONSE_CODE"] == 200
    assert t.info["HTTP_VERSION"] == 2
    assert t.info["SCHEME"].upper() == "HTTP"


def test_user_agent_and_accept_order(drive, server):
    server.script(Expect(exact=b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUser-Agent: a/1\r\nAccept: */*\r\n"
                               b"Accept-Encoding: identity\r\nReferer: http://r/\r\n\r\n" % server.port), Reply())
    t = drive.get(URL=server.url(""), USERAGENT="a/1", REFERER="http://r/", ACCEPT_ENCODING="identity")
    assert t.code == 0


def test_length(drive, server, way):
    server.answer(response(200, BODY, ["Content-Type: text/x; charset=y"]))
    t = drive.get(way, URL=server.url(), info=("CONTENT_TYPE", "CONTENT_LENGTH_DOWNLOAD_T", "SIZE_DOWNLOAD_T",
                                                "HEADER_SIZE", "REQUEST_SIZE", "NUM_CONNECTS"))
    assert (t.code, t.body) == (0, BODY)
    assert t.info["CONTENT_TYPE"] == "text/x; charset=y"
    assert t.info["CONTENT_LENGTH_DOWNLOAD_T"] == t.info["SIZE_DOWNLOAD_T"] == len(BODY)
    assert t.info["HEADER_SIZE"] == sum(map(len, t.headers))
    assert t.info["REQUEST_SIZE"] == len(server.requests[0].head)
    assert t.info["NUM_CONNECTS"] == 1


def test_length_zero(drive, server, way):
    server.answer(response(200, b""))
    t = drive.get(way, URL=server.url(), info=("CONTENT_LENGTH_DOWNLOAD_T", "CONTENT_TYPE"))
    assert (t.code, t.body) == (0, b"")
    assert t.info["CONTENT_LENGTH_DOWNLOAD_T"] == 0
    assert t.info["CONTENT_TYPE"] == "(null)"
    assert "write" not in t.calls


@pytest.mark.parametrize("size", [1, 7, 1000, 100000])
def test_chunked(drive, server, way, size):
    server.answer(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(BODY, size))
    t = drive.get(way, URL=server.url(), info=("CONTENT_LENGTH_DOWNLOAD_T",))
    assert (t.code, t.body) == (0, BODY)
    assert t.info["CONTENT_LENGTH_DOWNLOAD_T"] == -1


@pytest.mark.parametrize("option", [{}, {"MAXFILESIZE": 9}])
def test_chunks_have_no_length_whatever_content_length_says(drive, server, way, option):
    server.answer(b"HTTP/1.1 200 OK\r\nContent-Length: 30\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(b"hello", 9))
    t = drive.get(way, URL=server.url(), info=("CONTENT_LENGTH_DOWNLOAD_T",), **option)
    assert (t.code, t.body) == (0, b"hello")
    assert t.info["CONTENT_LENGTH_DOWNLOAD_T"] == -1


def test_length_of_what_is_refused(drive, server, way):
    server.script(Expect("GET"), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n"), UntilClose())
    t = drive.get(way, URL=server.url(), info=("CONTENT_LENGTH_DOWNLOAD_T",), MAXFILESIZE=9)
    assert (t.code, t.body) == (63, b"")
    assert t.info["CONTENT_LENGTH_DOWNLOAD_T"] == -1


def test_chunked_byte_by_byte(drive, server, way):
    data = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(BODY[:60], 9, ";a=b")
    server.script(Expect("GET"), Send(data, cuts="each"))
    t = drive.get(way, URL=server.url())
    assert (t.code, t.body) == (0, BODY[:60])


def test_chunked_trailers(drive, server, way):
    server.answer(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: head\r\n\r\n"
                  + chunked(BODY, 100, trailers=["X-T: one", "X-U: two"]))
    d = drive(way).easy(URL=server.url()).perform()
    d.do("headers", "h", 2, -1).do("headers", "h", 1, -1)
    r = d.run()
    assert (r["h"].code, r["h"].body) == (0, BODY)
    names = [(f[0], f[1]) for f in r.of("nextheader", "h") if f[4] == 2]
    assert names == [("X-T", "one"), ("X-U", "two")]
    assert b"X-T: one\r\n" in r["h"].headers and b"X-U: two\r\n" in r["h"].headers


@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
@pytest.mark.parametrize("cuts", [(), "each"])
def test_chunked_trailers_end_in_crlf_however_they_came(drive, server, way, cuts, end):
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    trailers = b"X-T: one" + end + b"X-U: two " + end + end
    server.script(Expect("GET"), Send(head + b"5\r\nhello\r\n0\r\n" + trailers, cuts=cuts), UntilClose())
    t = drive.get(way, URL=server.url(), info=("HEADER_SIZE",))
    assert (t.code, t.body) == (0, b"hello")
    assert t.headers[3:] == [b"X-T: one\r\n", b"X-U: two \r\n"]
    assert t.info["HEADER_SIZE"] == by_library(sum(map(len, t.headers)), len(head))


def test_chunked_then_reused(drive, server, way):
    server.answer(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(BODY), response(200, b"second"))
    d = drive(way).easy(URL=server.url("/1")).perform().setopt("h", URL=server.url("/2")).perform()
    r = d.run()
    assert [t.body for t in r.all("h")] == [BODY, b"second"]
    assert [x.target for x in server.requests] == ["/1", "/2"]


def test_until_close(drive, server, way):
    server.script(Expect("GET"), Send(b"HTTP/1.1 200 OK\r\n\r\n" + BODY), Close())
    t = drive.get(way, URL=server.url(), info=("CONTENT_LENGTH_DOWNLOAD_T",))
    assert (t.code, t.body) == (0, BODY)
    assert t.info["CONTENT_LENGTH_DOWNLOAD_T"] == -1


def test_until_half_close(drive, server, way):
    server.script(Expect("GET"), Send(b"HTTP/1.1 200 OK\r\n\r\n" + BODY), HalfClose())
    t = drive.get(way, URL=server.url())
    assert (t.code, t.body) == (0, BODY)


def test_length_short_of_close(drive, server, way):
    server.script(Expect("GET"), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + BODY), Close())
    t = drive.get(way, URL=server.url())
    assert (t.code, t.body) == (18, BODY)
    assert t.error


def test_more_than_length(drive, server, way):
    """What comes after the body is not the body, and such a connection is not used again."""
    server.script(Expect("GET"), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\n\r\nevil"))
    server.script(Expect("GET"), Reply(200, b"right"))
    d = drive(way).easy(URL=server.url()).perform().perform()
    r = d.run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"hello"), (0, b"right")]


@pytest.mark.parametrize("headers", [b"Content-Length: 500\r\n", b"Transfer-Encoding: chunked\r\n", b""])
def test_head(drive, server, way, headers):
    server.answer(b"HTTP/1.1 200 OK\r\n" + headers + b"\r\n", response(200, b"body"))
    d = drive(way).easy(URL=server.url(), NOBODY=1).perform().getinfo("h", "CONTENT_LENGTH_DOWNLOAD_T")
    d.setopt("h", HTTPGET=1).perform()
    r = d.run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b""), (0, b"body")]
    assert [x.method for x in server.requests] == ["HEAD", "GET"]
    assert r.all("h")[0].info["CONTENT_LENGTH_DOWNLOAD_T"] == (500 if b"500" in headers else -1)


@pytest.mark.parametrize("status", [204, 304])
def test_no_body_statuses(drive, server, way, status):
    length = b"" if status == 204 else b"Content-Length: 10\r\n"  # a 204 with a length: see test_hostile.py
    server.answer(b"HTTP/1.1 %d X\r\n%s\r\n" % (status, length), response(200, b"next"))
    r = drive(way).easy(URL=server.url()).perform().getinfo("h", "RESPONSE_CODE").perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b""), (0, b"next")]
    assert r.all("h")[0].info["RESPONSE_CODE"] == status


@pytest.mark.parametrize("count", [1, 3])
def test_interim_responses(drive, server, way, count):
    server.answer(b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n" * count + response(200, b"final", ["X: y"]))
    d = drive(way).easy(URL=server.url()).perform().getinfo("h", "RESPONSE_CODE")
    r = d.do("headers", "h", 8, -1).do("headers", "h", 1, -1).run()
    assert (r["h"].code, r["h"].body) == (0, b"final")
    assert r["h"].info["RESPONSE_CODE"] == 200
    of_1xx = [f for f in r.of("nextheader", "h") if f[4] == 8]
    assert [f[0] for f in of_1xx] == ["Link"] * count
    assert r["h"].headers.count(b"HTTP/1.1 103 Early Hints\r\n") == count


@pytest.mark.parametrize("cut", [False, True])
def test_what_follows_a_101_that_was_asked_for(drive, server, way, cut):
    """Programs speak Docker's protocol so. One that did not ask for it gets no body."""
    said = b"HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\nContent-Length: 3\r\n\r\nbytes of another protocol"
    fields = ["Connection: Upgrade", "Upgrade: tcp"]
    server.script(Expect(has={"Upgrade": "tcp"}), Send(said, cuts="each" if cut else ()), Close())
    server.script(Expect(lacks=["Upgrade"]), Send(said), Close())
    d = drive(way).easy(URL=server.url(), HTTPHEADER=fields).perform().setopt("h", HTTPHEADER=None).perform()
    asked, not_asked = d.run().all("h")
    assert (asked.code, asked.body) == (0, b"bytes of another protocol")
    assert (not_asked.code, not_asked.body) == (0, b"") or NEWEST or SYSTEM


def test_interim_without_headers(drive, server, way):
    server.answer(b"HTTP/1.1 100 Continue\r\n\r\n" + response(200, b"x"))
    assert drive.get(way, URL=server.url()).body == b"x"


def test_http_1_0_response(drive, server, way):
    """An HTTP/1.0 connection ends with its response, unless it says otherwise."""
    server.script(Expect("GET"), Send(response(200, b"one", version="HTTP/1.0")))
    server.answer(response(200, b"two"))
    r = drive(way).easy(URL=server.url()).perform().getinfo("h", "HTTP_VERSION").perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"one"), (0, b"two")]
    assert r.all("h")[0].info["HTTP_VERSION"] == 1


def test_http_1_0_keep_alive(drive, server, way):
    server.script(Expect("GET"), Send(response(200, b"one", ["Connection: keep-alive"], version="HTTP/1.0")),
                  Expect("GET", version=None), Reply(200, b"two"))
    r = drive(way).easy(URL=server.url()).perform().perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"one"), (0, b"two")]


def test_http_1_0_request(drive, server, way):
    server.script(Expect("GET", version="HTTP/1.0"), Reply(200, b"x"))
    t = drive.get(way, URL=server.url(), HTTP_VERSION=HTTP_VERSION_1_0)
    assert (t.code, t.body) == (0, b"x")


def test_http_0_9_refused(drive, server, way):
    server.script(Expect("GET"), Send(b"<html>old</html>"), Close())
    t = drive.get(way, URL=server.url())
    assert (t.code, t.body) == (1, b"")
    assert t.error


def test_http_0_9_allowed(drive, server, way):
    server.script(Expect("GET"), Send(b"<html>old</html>"), Close())
    t = drive.get(way, URL=server.url(), HTTP09_ALLOWED=1)
    assert (t.code, t.body, t.headers) == (0, b"<html>old</html>", [])


def test_connection_close_header(drive, server, way):
    server.script(Expect("GET"), Send(response(200, b"one", ["Connection: close"])))
    server.answer(response(200, b"two"))
    r = drive(way).easy(URL=server.url()).perform().perform().run()
    assert [t.body for t in r.all("h")] == [b"one", b"two"]


def test_aliases(drive, server):
    server.script(Expect("GET"), Send(b"ICY 200 OK\r\nX: y\r\n\r\nmusic"), Close())
    t = drive.get(URL=server.url(), HTTP200ALIASES=["ICY 200 OK"], info=("RESPONSE_CODE",))
    assert (t.code, t.body) == (0, b"music")
    assert t.info["RESPONSE_CODE"] == 200


def test_fail_on_error(drive, server, way):
    server.answer(response(404, b"no"))
    r = drive(way).easy(URL=server.url(), FAILONERROR=1).perform().getinfo("h", "RESPONSE_CODE").run()
    assert (r["h"].code, r["h"].body) == (22, b"")
    assert "404" in r["h"].error
    assert r["h"].info["RESPONSE_CODE"] == 404


@pytest.mark.parametrize("status", [400, 401, 403, 404, 500, 599])
def test_error_statuses_are_transfers(drive, server, status):
    server.answer(response(status, b"text"))
    t = drive.get(URL=server.url(), info=("RESPONSE_CODE",))
    assert (t.code, t.body, t.info["RESPONSE_CODE"]) == (0, b"text", status)


def test_reason_less_status_line(drive, server):
    server.answer(b"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok")
    assert drive.get(URL=server.url()).body == b"ok"


def test_large_body(drive, server, way):
    data = pattern(3_000_000)
    server.answer(response(200, data))
    t = drive.get(way, URL=server.url())
    assert (t.code, t.length, t.crc) == (0, len(data), crc(data))


@pytest.mark.parametrize("size", [1024, 16384, 100000, 524288])
def test_buffer_sizes(drive, server, way, size):
    data = pattern(700_000)
    server.answer(response(200, data))
    t = drive.get(way, URL=server.url(), BUFFERSIZE=size)
    assert (t.code, t.length, t.crc) == (0, len(data), crc(data))


@pytest.mark.parametrize("most", [1, 2, 3, 5, 17, 1000])
def test_short_receives(drive, server, way, most):
    """Whatever a receive brings, the result is the same."""
    server.answer(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n"
                  + chunked(BODY[:200], 11, trailers=["T: u"]), response(200, BODY[:300]))
    d = drive(way, fault=True).do("fault", "recvmax", most).easy(URL=server.url()).perform().perform()
    r = d.run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, BODY[:200]), (0, BODY[:300])]
    assert r.all("h")[0].headers == [b"HTTP/1.1 100 Continue\r\n", b"\r\n", b"HTTP/1.1 200 OK\r\n",
                                     b"Transfer-Encoding: chunked\r\n", b"A: b\r\n", b"\r\n", b"T: u\r\n"]


def test_short_sends(drive, server, way):
    server.answer(response(200, b"x"), response(200, b"y"))
    d = drive(way, fault=True).do("fault", "sendmax", 1)
    d.easy(URL=server.url("/path?query"), HTTPHEADER=["X-Long: " + "v" * 100]).perform()
    d.setopt("h", POSTFIELDS="some fields").perform()
    r = d.run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"x"), (0, b"y")]
    assert server.requests[0].header("X-Long") == "v" * 100
    assert server.requests[1].body == b"some fields"


def test_no_data_at_all(drive, server, way):
    server.script(Expect("GET"), Close())
    t = drive.get(way, URL=server.url())
    assert t.code == 52
    assert t.error


def test_nginx_small(drive, nginx, way):
    t = drive.get(way, URL=nginx.url("/12.txt"), info=("RESPONSE_CODE", "CONTENT_TYPE"))
    assert (t.code, t.body) == (0, b"hello world\n")
    assert t.info == {"RESPONSE_CODE": 200, "CONTENT_TYPE": "text/plain"}


@pytest.mark.parametrize("name", ["empty.txt", "1m.bin", "50m.bin"])
@pytest.mark.parametrize("tls", [False, True])
def test_nginx_files(drive, nginx, certs, way, name, tls):
    if name == "50m.bin" and way in ("wait", "fdset", "waitfds"):
        name = "1m.bin"
    t = drive.get(way, URL=nginx.url("/" + name, tls), CAINFO=certs.path("ca.pem"))
    assert (t.code, t.length, t.crc) == (0, *nginx.files[name])


def test_nginx_keepalive(drive, nginx, way):
    d = drive(way).easy(URL=nginx.url("/12.txt"))
    for _ in range(10):
        d.perform().getinfo("h", "NUM_CONNECTS")
    r = d.run()
    assert [t.body for t in r.all("h")] == [b"hello world\n"] * 10
    assert [t.info["NUM_CONNECTS"] for t in r.all("h")] == [1] + [0] * 9


def test_stall_then_rest(drive, server, way):
    """The rest comes after the client has seen the beginning."""
    import threading
    go = threading.Event()
    from server import Wait
    server.script(Expect("GET"), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"), Wait(go), Send(b"world"))
    d = drive(way).easy(URL=server.url()).on("h", "write", "bytes", 5, "getinfo", "RESPONSE_CODE").perform()
    d.start()
    d.expect("info", "h", "RESPONSE_CODE", 0, 200)
    go.set()
    assert d.end()["h"].body == b"helloworld"


@not_debian("it knows neither")
def test_time_in_the_queue(drive, server, multi_way):
    """For a connection, of all requests of a chain together."""
    server.script(*[Expect(), Reply(302, b"", ["Location: /2"]), Expect(), Reply(200, b"x")] * 2)
    d = drive(multi_way).do("msetopt", "m", "MAX_TOTAL_CONNECTIONS", 1)
    for name in "ab":
        d.easy(name, URL=server.url(), FOLLOWLOCATION=1).do("add", "m", name)
    d.do("drive", "m", "all")
    for name in "ab":
        d.getinfo(name, "QUEUE_TIME_T", "PRETRANSFER_TIME_T", "POSTTRANSFER_TIME_T", "TOTAL_TIME_T")
    r = d.run()
    first, second = [[r[n].info[k] for k in ("QUEUE_TIME_T", "TOTAL_TIME_T")] for n in "ab"]
    assert 0 < first[0] < first[1] and first[0] < second[0]
    assert all(r[n].info["POSTTRANSFER_TIME_T"] > 0 for n in "ab")


@not_debian("it knows no such time")
def test_time_when_all_was_sent_to_a_file(drive, tmp_path):
    (tmp_path / "f").write_bytes(b"x")
    t = drive.get(URL=f"file://{tmp_path}/f", info=("QUEUE_TIME_T", "POSTTRANSFER_TIME_T", "STARTTRANSFER_TIME_T"))
    assert t.code == 0 and 0 < t.info["POSTTRANSFER_TIME_T"] and 0 < t.info["QUEUE_TIME_T"]


@pytest.mark.parametrize("url", [None, "http://localhost:1/new"])
def test_effective_url_of_a_copy(drive, server, url):
    """That of the last transfer of its model, until it has another URL; so does the model."""
    server.script(Expect(), Reply(302, b"", ["Location: /2"]), Expect(), Reply(200, b"x"))
    d = drive().easy(URL=server.url("/1"), FOLLOWLOCATION=1).perform().do("dup", "h", "g").do("dup", "g", "k")
    for name in "hgk":
        if url:
            d.setopt(name, URL=url)
        d.getinfo(name, "EFFECTIVE_URL")
    r = d.do("cleanup", "g", "k").run()
    assert [r.of("info", n, "EFFECTIVE_URL") for n in "hgk"] == [[[0, url or server.url("/2")]]] * 3


@pytest.mark.parametrize("shape", ["get", "memory", "callback", "answered early", "redirect"])
def test_when_all_was_sent(drive, server, way, shape, ours_only):
    """POSTTRANSFER lies between PRETRANSFER and STARTTRANSFER, whatever comes first."""
    ours_only("libcurl 7.88 has no such time, and the newest counts what is sent after the answer")
    ok = Reply(200, b"ok")
    options, steps = {"get": ({}, [Expect(), ok]), "memory": ({"POSTFIELDS": "x" * 10}, [Expect(), ok]),
                      "callback": ({"UPLOAD": 1, "INFILESIZE": 100}, [Expect(), ok]),
                      "answered early": ({"UPLOAD": 1}, [Expect(body=False), ok, UntilClose()]),
                      "redirect": ({"FOLLOWLOCATION": 1}, [Expect(), Reply(302, b"", ["Location: /2"]), Expect(), ok])}[shape]
    server.script(*steps)
    names = ("PRETRANSFER_TIME_T", "POSTTRANSFER_TIME_T", "STARTTRANSFER_TIME_T", "TOTAL_TIME_T")
    t = drive.get(way, URL=server.url(), body=100, info=names, **options)
    times = [t.info[n] for n in names]
    assert t.code == 0 and 0 < times[0] and times == sorted(times)
