"""HTTPS proxies that speak HTTP/2 (CURLPROXY_HTTPS2): tunnels as streams, by scripted proxies and by nghttpx."""

import os
import random

import pytest

import http2_servers
from h2_peer import DATA, END_STREAM, GOAWAY, PING, RST_STREAM, H2Server, frame, head, part, status
from mote_driver import SANITIZED, crc, not_debian, pattern
from proxy_servers import LOGIN, Tinyproxy
from real_server import RealServer
from server import Expect, Reply, response
from test_faults import check

pytestmark = [pytest.mark.usefixtures("http2"), not_debian("it has none")]
HTTPS2 = 3
BIG = random.Random(3).randbytes(700_000)


@pytest.fixture
def proxy(make_server, certs):
    return make_server(cls=H2Server, tls=certs.context(alpn=["h2", "http/1.1"]))


@pytest.fixture
def by(proxy, certs):
    """The options that lead through the proxy."""
    return {"PROXY": f"127.0.0.1:{proxy.port}", "PROXYTYPE": HTTPS2, "HTTPPROXYTUNNEL": 1, "TIMEOUT": 10,
            "PROXY_CAINFO": certs.path("ca.pem")}


def connect(h2, target="a.test:81", **has):
    s = h2.request(whole=False)
    assert (s.method, s.header(":authority"), s.header(":path"), s.header(":scheme")) == ("CONNECT", target, None, None)
    for name, value in has.items():
        assert s.header(name) == value
    return s


def opened(h2, **kw):
    s = connect(h2, **kw)
    h2.send(head(s.id, status(200, ("via", "p"))))
    return s


def asked(h2, s, what=b"\r\n\r\n"):
    h2.until(lambda: what in bytes(s.body))
    return bytes(s.body)


def one_request(h2, body=b"hi", seen=None, **kw):
    """`seen` has the CONNECT before the client can have the answer."""
    s = opened(h2, **kw)
    if seen is not None:
        seen.append(s)
    assert asked(h2, s).startswith(b"GET /x HTTP/1.1\r\nHost: a.test:81\r\n")
    h2.data(s, response(200, body), end=False)
    return s


def requests(h2):
    """As many as come."""
    s, answered = opened(h2), 0
    while True:
        h2.until(lambda: bytes(s.body).count(b"\r\n\r\n") > answered)
        answered += 1
        h2.data(s, response(200, b"hi"), end=False)


def held(function):
    """The proxy's part, until the client leaves."""
    return part(lambda h2: (function(h2), h2.until(lambda: False)), may_leave=True)


def get(drive, by, way="easy", **options):
    return drive.get(way, URL="http://a.test:81/x", info=["HTTP_VERSION", "NUM_CONNECTS"], **{**by, **options})


def test_tunnel(drive, way, proxy, by):
    proxy.script(held(one_request))
    t = get(drive, by, way)
    assert (t.code, t.body, t.info["HTTP_VERSION"]) == (0, b"hi", 2)


def test_type_goes_with_the_scheme(drive, proxy, by):
    """Of two answers to what an HTTPS proxy is the type says more."""
    proxy.script(held(one_request))
    t = get(drive, {**by, "PROXY": "https://" + by["PROXY"]})
    assert (t.code, t.body) == (0, b"hi")


def test_fields(drive, proxy, by):
    """Those for the proxy, none of a connection."""
    seen = []
    proxy.script(held(lambda h2: one_request(h2, seen=seen)))
    assert get(drive, by, USERAGENT="me", PROXYUSERPWD="a:b", PROXYHEADER=["X-One: 1", "Connection: x", "Empty;"],
               HEADEROPT=1).code == 0
    fields = dict(seen[0].fields)
    fields.pop("empty", None)
    assert fields == {":method": "CONNECT", ":authority": "a.test:81", "proxy-authorization": "Basic YTpi", "user-agent": "me",
                      "x-one": "1"}


def test_as_many_fields_as_the_application_has(drive, proxy, by):
    """They ended silently at 256."""
    seen = []
    proxy.script(held(lambda h2: one_request(h2, seen=seen)))
    assert get(drive, by, PROXYHEADER=[f"X-{i}: {i}" for i in range(600)], HEADEROPT=1).code == 0
    fields = [f for f in seen[0].fields if f[0].startswith("x-")]
    assert fields == [(f"x-{i}", str(i)) for i in range(600)]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\r\n\r\n"], ids=repr)
@pytest.mark.parametrize("option", ["USERAGENT", "PROXYHEADER", "HTTPHEADER"])
def test_line_ends_of_options_become_no_field(drive, way, proxy, by, ours_only, option, end):
    """The head was cut at them, beyond its end where a line had only half of one. An end of the head among them would
    have been sent into the tunnel."""
    ours_only("libcurl 8.23 sends them within a value, and the first two were fields of ours")
    proxy.default(held(one_request))
    d = drive(way).easy("h", **{**by, "URL": "http://a.test:81/x", "HEADEROPT": option == "PROXYHEADER"})
    for place in (f"a{end}x-no: b", f"a{end}", f"{end}a"):
        d.setopt("h", **{option: place if option == "USERAGENT" else [f"X-Yes: {place}", "X-Too: c"]}).perform()
        if option != "USERAGENT":
            d.setopt("h", **{option: [f"X-Yes{end}: b"]}).perform()
    d.setopt("h", **{option: None if option == "USERAGENT" else []}).perform()
    codes = [t.code for t in d.run().all("h")]
    assert codes[:-1] == [43] * len(codes[:-1]) and codes[-1] == 0


def test_header_lines_of_the_proxy(drive, proxy, by, ours_only):
    ours_only("libcurl 8.23 does not give them to the callback")
    proxy.script(held(one_request))
    t = get(drive, by)
    assert t.headers[:3] == [b"HTTP/1.1 200 \r\n", b"via: p\r\n", b"\r\n"]


def test_kept(drive, way, proxy, by):
    """Two requests in one tunnel; what the proxy says in between is taken."""
    def serve(h2):
        s = one_request(h2)
        h2.send(frame(PING, 0, b"12345678"))
        asked(h2, s, b"GET /y ")
        h2.data(s, response(200, b"again"), end=False)
    proxy.script(held(serve))
    d = drive(way).easy("h", URL="http://a.test:81/x", **by).perform().setopt("h", URL="http://a.test:81/y")
    r = d.perform().getinfo("h", "NUM_CONNECTS").run()
    assert [t.body for t in r.all("h")] == [b"hi", b"again"]
    assert r["h"].info["NUM_CONNECTS"] == 0


@pytest.mark.parametrize("cut", [1, 1000, 16384])
def test_large_download(drive, way, proxy, by, cut):
    """In DATA frames of that size."""
    body = BIG[:3000] if cut == 1 else BIG

    def serve(h2):
        s = opened(h2)
        asked(h2, s)
        h2.data(s, response(200, body), end=False, piece=cut)
    proxy.script(held(serve))
    t = get(drive, by, way)
    assert (t.code, t.length, t.crc) == (0, len(body), crc(body))


def test_large_upload(drive, way, proxy, by):
    """Within the proxy's window, which opens again and again."""
    def serve(h2):
        s = opened(h2)
        h2.until(lambda: len(s.body) >= 500_000 and bytes(s.body).endswith(pattern(500_000)[-1000:]))
        h2.data(s, response(200, b"got"), end=False)
    proxy.script(held(serve))
    d = drive(way).easy("h", URL="http://a.test:81/x", UPLOAD=1, INFILESIZE=500_000, **by).body("h", 500_000).perform()
    t = d.run()["h"]
    assert (t.code, t.body) == (0, b"got")


def test_challenge(drive, way, proxy, by, ours_only):
    """Another stream has the answer."""
    ours_only("libcurl 8.23 does not answer it")
    def serve(h2):
        s = connect(h2)
        body = b"login"
        h2.send(head(s.id, status(407, ("proxy-authenticate", 'Digest realm="r", nonce="n"'), ("content-length", "5"))),
                frame(DATA, s.id, body, END_STREAM))
        s = one_request(h2)
        assert s.header("proxy-authorization").startswith("Digest ")
    proxy.script(held(serve))
    t = get(drive, by, way, PROXYUSERPWD="p:w", PROXYAUTH=2)
    assert (t.code, t.body) == (0, b"hi")


def test_refused(drive, way, proxy, by):
    proxy.script(held(lambda h2: h2.respond(connect(h2), 503, b"no")))
    assert get(drive, by, way).code == 7


@pytest.mark.parametrize("say", [
    lambda h2, s: h2.send(frame(RST_STREAM, s.id, b"\0\0\0\2")), lambda h2, s: h2.send(frame(GOAWAY, 0, bytes(4) + b"\0\0\0\2")),
    lambda h2, s: h2.send(frame(DATA, s.id, b"x")), lambda h2, s: h2.send(frame(PING, 0, b"short")),
    lambda h2, s: h2.send(head(s.id, [(":status", "20")])), lambda h2, s: h2.send(head(s.id, [("x", "y")], end=True)),
    lambda h2, s: h2.send(head(s.id, status(200, *((f"x{i}", "y" * 60_000) for i in range(40))))),
], ids=["reset", "goaway", "no head", "bad frame", "bad status", "no status", "huge head"])
def test_proxy_that_breaks_the_protocol(drive, proxy, by, say, ours_only):
    """An error, at once."""
    ours_only("libcurl 8.23 gives no reason, or waits")
    proxy.script(held(lambda h2: say(h2, connect(h2)))).default(held(lambda h2: say(h2, connect(h2))))
    t = get(drive, by)
    proxy.forgive()
    assert t.code not in (0, 28) and t.error and "connect to" not in t.error


def test_lost_in_the_body(drive, way, proxy, by, ours_only):
    ours_only("libcurl 8.23 waits for more")

    def serve(h2):
        s = opened(h2)
        asked(h2, s)
        h2.data(s, response(200, b"x" * 100)[:-50], end=True)
    proxy.script(held(serve))
    assert get(drive, by, way).code == 18


def test_proxy_of_http_1(drive, way, make_server, certs):
    """It is asked as any other."""
    server = make_server(tls=certs.context(alpn=["http/1.1"]))
    server.script(Expect("CONNECT"), Reply(200), Expect(target="/x"), Reply(200, b"old"))
    t = drive.get(way, URL="http://a.test:81/x", PROXY=f"127.0.0.1:{server.port}", PROXYTYPE=HTTPS2, HTTPPROXYTUNNEL=1,
                  PROXY_CAINFO=certs.path("ca.pem"))
    assert (t.code, t.body) == (0, b"old")


@pytest.mark.parametrize("way", ["easy", "socket"])
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_short_sends_and_receives(drive, way, proxy, by, size):
    """Frames and records come cut everywhere."""
    body = BIG[:20_000 if size > 1 else 300]
    proxy.script(held(lambda h2: one_request(h2, body)))
    d = drive(way, fault=True).do("fault", "recvmax", size).do("fault", "sendmax", size)
    t = d.easy("h", URL="http://a.test:81/x", **by).perform().run()["h"]
    assert (t.code, t.length, t.crc) == (0, len(body), crc(body))


@pytest.mark.parametrize("way", ["easy", "poll", "socket"])
def test_allocations(drive, way, proxy, by, ours_only):
    """Each of them fails once: CURLE_OUT_OF_MEMORY or none, nothing is left, and the next transfer is fine."""
    ours_only("the contract of memory is ours")
    if SANITIZED:
        pytest.skip("a sanitizer's runtime replaces malloc itself")
    proxy.default(part(requests, may_leave=True))
    d, rounds = drive(way, fault=True, seconds=100).do("tolerant", 1), 150
    for n in range(rounds + 1):
        d.do("mark", n)
        if n:
            d.do("fault", "arm", "alloc", n)
        d.easy("h", URL="http://a.test:81/x", **by).do("enable", "h", "quiet").perform("h").do("fault", "disarm")
        d.do("again", "h").setopt("h", URL="http://a.test:81/x", **by).perform("h")
        d.do("cleanup", "h").do("mcleanup", "default").do("freelists").do("fault", "live").do("fds")
    r = d.run()
    proxy.forgive()
    fired, last = check(r, {27})
    assert fired > 10 and last < rounds


# ---------------------------------------------------------------- nghttpx

class Nghttpx(RealServer):
    """A proxy of HTTP/2 in front of tinyproxy, which is a port of it."""

    name, how_many = "nghttpx", 2

    def commands(self):
        conf = f"Port {self.ports[1]}\nListen 127.0.0.1\nMaxClients 100\nBasicAuth {LOGIN.replace(':', ' ')}\n"
        yield [http2_servers.Nghttpx.needs[0], "-s", f"-f127.0.0.1,{self.ports[0]}", f"-b127.0.0.1,{self.ports[1]}",
               "--conf=/dev/null", "--errorlog-file=" + self._path("log"), self.certs.path("good.key"),
               self.certs.path("good.pem")]
        yield [*Tinyproxy.needs, "-d", "-c", self._write("tinyproxy.conf", conf)]


@pytest.fixture(scope="module")
def nghttpx(tmp_path_factory, certs):
    for path in http2_servers.Nghttpx.needs[:1] + Tinyproxy.needs:
        if not os.path.exists(path):
            pytest.skip(f"{path} is not installed")
    s = Nghttpx(tmp_path_factory.mktemp("nghttpx"), certs)
    yield s
    s.close()


@pytest.fixture(params=[False, True], ids=["plain", "tls"])
def url(request, nginx):
    return lambda path: nginx.url(path, request.param).replace("localhost", "127.0.0.1")


@pytest.fixture
def real(nghttpx, certs):
    return {"PROXY": f"https://localhost:{nghttpx.ports[0]}", "PROXYTYPE": HTTPS2, "HTTPPROXYTUNNEL": 1, "TIMEOUT": 60,
            "PROXYUSERPWD": LOGIN, "PROXY_CAINFO": certs.path("ca.pem"), "CAINFO": certs.path("ca.pem")}


@pytest.mark.parametrize("name", ["12.txt", "1m.bin"])
def test_nghttpx(drive, way, nginx, real, url, name):
    d = drive(way).easy("h", URL=url("/" + name), **real).perform().perform().getinfo("h", "NUM_CONNECTS")
    r = d.run()
    assert [(t.code, t.length, t.crc) for t in r.all("h")] == [(0, *nginx.files[name])] * 2
    assert r["h"].info["NUM_CONNECTS"] == 0


def test_nghttpx_upload(drive, way, nginx, real, url):
    d = drive(way).easy("h", URL=url(f"/dav/h2-{way}"), UPLOAD=1, INFILESIZE=1_000_000, **real).body("h", 1_000_000)
    assert d.perform().run()["h"].code == 0
    assert nginx.read(f"dav/dav/h2-{way}") == pattern(1_000_000)


# ---------------------------------------------------------------- requests that the proxy passes on

@pytest.fixture
def kept(ours_only):
    ours_only("the newest makes a connection for each request that such a proxy passes on")


def passed_on(h2, path, method="GET"):
    s = h2.request()
    assert (s.method, s.header(":scheme"), s.header(":authority"), s.header(":path")) == (method, "http", "a.test:81", path)
    assert s.header("proxy-connection") is None
    return s


@pytest.mark.parametrize("version", [0, 2, 3, 5])
def test_requests_that_are_passed_on(drive, way, kept, proxy, by, version):
    """As streams of one connection, whatever version is asked for (as seen with libcurl 8.22)."""
    def serve(h2):
        h2.respond(passed_on(h2, "/x?y=/z"), 200, b"one")
        s = passed_on(h2, "/", "POST")
        assert bytes(s.body) == b"abc"
        h2.respond(s, 200, b"two")
    proxy.play(serve)
    options = {**by, "HTTPPROXYTUNNEL": 0, "HTTP_VERSION": version}
    d = drive(way).easy(URL="http://a.test:81/x?y=/z", **options).perform().getinfo("h", "HTTP_VERSION", "USED_PROXY")
    r = d.setopt("h", URL="http://a.test:81", POSTFIELDS="abc").perform().getinfo("h", "NUM_CONNECTS").run()
    one, two = r.all("h")
    assert (one.code, one.body, one.info) == (0, b"one", {"HTTP_VERSION": 3, "USED_PROXY": 1})
    assert (two.code, two.body, two.info) == (0, b"two", {"NUM_CONNECTS": 0})


def test_challenge_to_a_request_that_is_passed_on(drive, way, kept, proxy, by):
    def serve(h2):
        h2.respond(passed_on(h2, "/x"), 407, b"who?", ("proxy-authenticate", 'Basic realm="p"'))
        s = passed_on(h2, "/x")
        assert s.header("proxy-authorization") == "Basic dTpw"
        h2.respond(s, 200, b"hi")
    proxy.play(serve)
    t = drive.get(way, URL="http://a.test:81/x", PROXYUSERPWD="u:p", PROXYAUTH=-17, **{**by, "HTTPPROXYTUNNEL": 0})
    assert (t.code, t.body) == (0, b"hi")


def test_proxy_that_passes_requests_on_by_http_1(drive, way, kept, make_server, certs, by):
    proxy = make_server(tls=certs.context(alpn=["http/1.1"]))
    proxy.script(*[step for body in (b"one", b"two") for step in (Expect("GET", "http://a.test:81/x"), Reply(200, body))])
    options = {**by, "PROXY": f"127.0.0.1:{proxy.port}", "HTTPPROXYTUNNEL": 0}
    r = drive(way).easy(URL="http://a.test:81/x", **options).perform().perform().getinfo("h", "NUM_CONNECTS").run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"one"), (0, b"two")]
    assert r.all("h")[1].info == {"NUM_CONNECTS": 0}
