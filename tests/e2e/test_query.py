"""gopher: (RFC 1436, RFC 4266) and dict: (RFC 2229) URLs: one request, and an answer that ends with the connection. What
is expected was watched on the newest libcurl."""

import re

import pytest

from mote_driver import PAUSE_CONT, crc, not_debian
from script import Close, Read, Reset, Send, UntilClose

ANSWER = b"1first\tline\r\n.\r\n"


class Client(Read):
    """A line "CLIENT libcurl VERSION" and these lines."""

    def __init__(self, *lines):
        super().__init__(b"")
        self.rest = "".join(line + "\r\n" for line in lines).encode()

    def run(self, peer):
        while b"\r\n" not in peer.buffer:
            peer.more()
        first, _, peer.buffer = peer.buffer.partition(b"\r\n")
        assert re.fullmatch(rb"CLIENT libcurl [0-9.]+", first)
        Read(self.rest).run(peer)


def url(server, path, scheme="gopher"):
    return f"{scheme}://127.0.0.1:{server.port}{path}"


def answered(make_server, request, **kw):
    server = make_server(**kw)
    server.script(request if isinstance(request, Read) else Read(request), Send(ANSWER), Close())
    return server


def test_a_selector_through_every_way_of_driving(drive, make_server, way):
    server = answered(make_server, b"/menu\r\n")
    t = drive.get(way, URL=url(server, "/1/menu"))
    assert (t.code, t.body) == (0, ANSWER)


@pytest.mark.parametrize("path, selector", [
    ("", b""), ("/", b""), ("/1", b""), ("/0/a%20b", b"/a b"), ("/7/find%09two%20words", b"/find\ttwo words"),
    ("/1?x", b"?x"), ("/1/a?", b"/a?"), ("/1?", b"?"), ("/?ab", b"ab"), ("/%30a", b"30a"), ("/0a%01b", b"a\x01b"), ("/0a#frag", b"a"),
])
def test_selectors(drive, make_server, path, selector):
    assert drive.get(URL=url(answered(make_server, selector + b"\r\n"), path)).body == ANSWER


@pytest.mark.parametrize("path, lines", [
    ("/d:bread", "DEFINE ! bread"), ("/define:bread:foldoc:3", "DEFINE foldoc bread"), ("/LookUp:a:b", "DEFINE b a"),
    ("/m:bread", "MATCH ! . bread"), ("/match:w:db:prefix", "MATCH db prefix w"), ("/find:w::soundex", "MATCH ! soundex w"),
    ("/d:", "DEFINE ! default"), ("/d::db", "DEFINE db default"), ("/d", "d"), ("/show:db", "show db"), ("", ""),
    ("/d:a%20b%22%27%5c", 'DEFINE ! a\\ b\\"\\\'\\\\'), ("/a:b:c:d:e", "a b c d e"), ("/d:a%3Ab", "DEFINE b a"),
    ("/dd:w", "dd w"), ("/d:a?b", "DEFINE ! a"),
])
def test_words(drive, make_server, path, lines):
    t = drive.get(URL=url(answered(make_server, Client(lines, "QUIT")), path, "dict"))
    assert (t.code, t.body) == (0, ANSWER)


@pytest.mark.parametrize("scheme, path", [
    *[pytest.param("gopher", path, marks=not_debian("it is sent")) for path in ("/0a%0d%0ab", "/0a%0ab", "/0?%0d")],
    ("gopher", "/0a%00"), ("dict", "/d:a%0aQUIT"), ("dict", "/d:a%01"), ("dict", "/show:%00"), ("dict", "/d:a%09b"),
])
def test_no_line_end_gets_into_a_request(drive, make_server, scheme, path):
    server = make_server()
    server.script(UntilClose())
    t = drive.get(URL=url(server, path, scheme))
    server.settle()
    assert (t.code, [c.received for c in server.connections]) == (3, [b""])


def test_a_request_has_a_limit(drive, make_server, ours_only):
    ours_only("libcurl sends requests of any length")
    server = make_server()
    server.script(UntilClose())
    assert drive.get(URL=url(server, "/0" + "x" * 66000)).code == 100
    server.script(UntilClose())
    assert drive.get(URL=url(server, "/d:" + "%20" * 33000, "dict")).code == 100


def test_the_body_may_come_in_any_pieces(drive, make_server):
    server = make_server()
    server.script(Read(b"x\r\n"), Send(ANSWER, cuts="each"), Close())
    assert drive.get(URL=url(server, "/0x")).body == ANSWER


def test_nothing_is_an_answer(drive, make_server):
    server = make_server()
    server.script(Read(b"x\r\n"), Close())
    assert (drive.get(URL=url(server, "/0x")).code, len(server.connections)) == (0, 1)


def test_a_reset_is_an_error(drive, make_server):
    server = make_server()
    server.script(Read(b"x\r\n"), Send(b"12"), Reset())
    assert drive.get(URL=url(server, "/0x")).code == 56


@pytest.mark.parametrize("options", [{"UPLOAD": 1}, {"POSTFIELDS": "x"}, {"RANGE": "1-2"}])
def test_other_methods_are_the_same_request(drive, make_server, options):
    assert drive.get(URL=url(answered(make_server, b"x\r\n"), "/0x"), **options).body == ANSWER


def test_without_a_body_the_answer_is_not_waited_for(drive, make_server):
    server = make_server()
    server.script(Read(b"x\r\n"), UntilClose())
    t = drive.get(URL=url(server, "/0x"), NOBODY=1)
    assert (t.code, t.body) == (0, b"")


def test_each_request_has_a_connection(drive, make_server):
    server = make_server()
    for _ in range(2):
        server.script(Read(b"x\r\n"), Send(ANSWER), Close())
    run = drive().easy(URL=url(server, "/0x")).perform("h").perform("h").run()
    assert [t.body for t in run.all("h")] == [ANSWER, ANSWER]


@not_debian("what comes is not held against CURLOPT_MAXFILESIZE")
def test_the_size_has_a_limit(drive, make_server):
    t = drive.get(URL=url(answered(make_server, b"x\r\n"), "/0x"), MAXFILESIZE=3)
    assert (t.code, t.body) == (63, ANSWER[:3])


def test_a_long_answer_with_a_pause(drive, make_server, multi_way):
    server = make_server()
    body = bytes(range(256)) * 4000
    server.script(Read(b"x\r\n"), Send(body), Close())
    d = drive(multi_way).easy(URL=url(server, "/0x")).on("h", "write", "bytes", 100000, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("drive", "m", "for", 60).do("pause", "h", PAUSE_CONT).do("drive", "m", "all")
    t = d.run().all("h")[0]
    assert (t.code, t.crc) == (0, crc(body))


def test_a_silent_server_runs_into_the_deadline(drive, make_server):
    server = make_server()
    server.script(Read(b"x\r\n"), UntilClose())
    assert drive.get(URL=url(server, "/0x"), TIMEOUT_MS=200).code == 28


def test_gophers_has_tls_from_the_first_byte(drive, make_server, certs):
    server = answered(make_server, b"x\r\n", tls=certs.context())
    assert drive.get(URL=url(server, "/0x", "gophers"), CAINFO=certs.path("ca.pem")).body == ANSWER


@pytest.mark.parametrize("scheme, path, request_line", [("gopher", "/0x", Read(b"x\r\n")), ("dict", "/d:x", Client("DEFINE ! x", "QUIT"))])
def test_an_http_proxy_is_asked_for_a_tunnel(drive, make_server, scheme, path, request_line):
    proxy = make_server()
    proxy.script(Read(b"CONNECT h.test:99 HTTP/1.1\r\nHost: h.test:99\r\nProxy-Connection: Keep-Alive\r\n\r\n"),
                 Send(b"HTTP/1.1 200 OK\r\n\r\n"), request_line, Send(ANSWER), Close())
    t = drive.get(URL=f"{scheme}://h.test:99{path}", PROXY=f"http://127.0.0.1:{proxy.port}")
    assert (t.code, t.body) == (0, ANSWER)


def test_schemes_may_be_forbidden(drive, make_server):
    server = make_server()
    assert drive.get(URL=url(server, "/0x"), PROTOCOLS_STR="http,dict").code == 1
