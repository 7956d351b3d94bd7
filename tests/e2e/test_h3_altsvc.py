"""Alternative services by HTTP/3 (RFC 7838, CURLOPT_ALTSVC(3)): which transfers go to them, beside what, and what becomes of
one that fails. The origin is a server by TCP, and another one answers by QUIC."""

import pytest

from h3_fixtures import ONLY, V2, V3, both_free, got
from mote_driver import SANITIZED, SYSTEM, by_library, not_debian
from nginx import free_ports
from server import Serve, response
from test_faults import check

pytestmark = [pytest.mark.usefixtures("http3"), not_debian("it has no HTTP/3")]

FAR = '"20790101 00:00:00"'
V11, ANY = 2, 0


@pytest.fixture
def nginx(quic_nginx):
    return quic_nginx


@pytest.fixture
def peer(quic_peer):
    return quic_peer


class Hole:
    """A port that takes datagrams and never answers; how many have come. It is no one else's by TCP."""

    def __init__(self):
        self.tcp, self.socket = both_free()
        self.socket.setblocking(False)
        self.port = self.socket.getsockname()[1]

    def heard(self):
        count = 0
        try:
            while self.socket.recv(2048):
                count += 1
        except BlockingIOError:
            return count


@pytest.fixture
def hole():
    made = Hole()
    yield made
    made.socket.close()
    made.tcp.close()


class Origin:
    """localhost at nginx's port without QUIC, and a file that says where it is besides."""

    def __init__(self, server, drive, folder, ca):
        self.server, self.drive, self.ca, self.file = server, drive, ca, folder / "alt-svc"
        self.port = server.port("tcp")

    def put(self, *places, host="localhost", source="h1", port=None):
        lines = [f"{source} {host} {port or self.port} {protocol} {to} {at} {FAR} 0 0\n" for protocol, to, at in places]
        self.file.write_text("".join(lines))

    def easy(self, way="easy", path="/12.txt", **options):
        options.setdefault("URL", self.server.url(path, "tcp"))
        options.setdefault("ALTSVC", self.file)
        resolve = options.pop("RESOLVE", []) + ["b.test:%d:127.0.0.1" % self.server.port("quic")]
        return self.drive(way).easy("h", CAINFO=self.ca, RESOLVE=resolve, TIMEOUT=60, **options)

    def get(self, way="easy", **options):
        d = self.easy(way, **options).perform().getinfo("h", "HTTP_VERSION", "PRIMARY_PORT", "NUM_CONNECTS")
        return d.run()["h"]


@pytest.fixture
def origin(nginx, drive, tmp_path, certs):
    return Origin(nginx, drive, tmp_path, certs.path("ca.pem"))


@pytest.mark.parametrize("to", ["b.test", "localhost", "127.0.0.1"])
def test_a_transfer_goes_to_the_alternative(origin, way, nginx, to):
    origin.put(("h3", to, nginx.port("quic")))
    t = origin.get(way)
    got(t, "12.txt")
    assert t.info == {"HTTP_VERSION": V3, "PRIMARY_PORT": nginx.port("quic"), "NUM_CONNECTS": 1}
    assert t.headers[0] == b"HTTP/3 200 \r\n"


def test_what_the_alternative_gets(origin, peer):
    """The origin's authority and credentials, and which place it is."""
    origin.put(("h3", "localhost", peer.port("quic")))
    t = origin.get(path="/fields", USERPWD="u:p", COOKIE="a=b")
    lines = t.body.decode().splitlines()
    assert f":authority: localhost:{origin.port}" in lines and f"alt-used: localhost:{peer.port('quic')}" in lines
    assert "authorization: Basic dTpw" in lines and "cookie: a=b" in lines


def test_the_origins_own_place_is_not_named(origin, peer):
    port = peer.port("quic")
    origin.put(("h3", "localhost", port), port=port)
    t = origin.get(URL=peer.url("/fields", "quic"))
    assert t.info["HTTP_VERSION"] == V3 and b"alt-used" not in t.body


def test_credentials_do_not_follow_to_another_origin(origin, make_server, certs, peer):
    first = make_server(tls=certs.context())
    first.default(Serve(lambda q, p: response(302, b"", [f"Location: {origin.server.url('/fields', 'tcp')}"])))
    origin.put(("h3", "localhost", peer.port("quic")))
    t = origin.get(URL=first.url("/").replace("127.0.0.1", "localhost"), USERPWD="u:p", FOLLOWLOCATION=1)
    assert t.info["HTTP_VERSION"] == V3 and b"alt-used" in t.body and b"authorization" not in t.body


@pytest.mark.parametrize("version, gets", [(None, V3), (ANY, V3), (V11, V11), (3, V2), (4, V2), (V3, V3), (ONLY, V3)])
def test_versions(origin, nginx, version, gets):
    """Only a transfer whose version is left open, or that asks for HTTP/3. libcurl wants an entry that was learnt by HTTP/3 for
    one that takes nothing else."""
    origin.put(("h3", "b.test", nginx.port("quic")), source="h3" if version == ONLY else "h1")
    t = origin.get(**({} if version is None else {"HTTP_VERSION": version}))
    got(t, "12.txt")
    assert t.info["HTTP_VERSION"] == gets


@pytest.mark.parametrize("bits, gets", [(None, V3), (8, V2), (16, V2), (32, V3), (32 | 4, V3), (4, V2), (8 | 16 | 32, V3)])
def test_control(origin, nginx, bits, gets):
    origin.put(("h3", "b.test", nginx.port("quic")))
    t = origin.get(**({} if bits is None else {"ALTSVC_CTRL": bits}))
    got(t, "12.txt")
    assert t.info["HTTP_VERSION"] == gets


@pytest.mark.parametrize("more, gets", [({"SSL_ENABLE_ALPN": 0}, by_library(V11, None, V3)), ({"CONNECT_TO": ["localhost::127.0.0.1:"]}, V2),
                                        ({"SSLVERSION": 6 << 16}, V2)])
def test_what_goes_by_tcp(origin, nginx, more, gets):
    """QUIC needs ALPN and TLS 1.3, and CURLOPT_CONNECT_TO says where to go."""
    origin.put(("h3", "b.test", nginx.port("quic")))
    t = origin.get(**more)
    if "SSLVERSION" in more and by_library(False, False, True):
        assert t.code == 35
    else:
        got(t, "12.txt")
        assert t.info["HTTP_VERSION"] == gets


def test_the_certificate_is_the_origins(origin, way, nginx):
    """That of both servers is for localhost, which is what the alternative is called."""
    origin.put(("h3", "localhost", nginx.port("quic")), host="other.test")
    t = origin.get(way, URL=origin.server.url("/12.txt", "tcp").replace("localhost", "other.test"),
                   RESOLVE=[f"other.test:{origin.port}:127.0.0.1"])
    assert t.code == 60 and "other.test" in t.error


def test_nothing_goes_there_with_a_proxy_or_without_tls(origin, hole):
    origin.put(("h3", "127.0.0.1", hole.port))
    assert origin.get(PROXY="http://127.0.0.1:9").code == 7
    assert origin.get(URL=origin.server.url("/12.txt", "tcp").replace("https", "http")).code == 0
    assert not hole.heard()


# ---- where it fails

def test_an_alternative_that_refuses(origin, way, ours_only):
    ours_only("libcurl ends the transfer")
    origin.put(("h3", "127.0.0.1", free_ports(1)[0]))
    t = origin.get(way)
    got(t, "12.txt")
    assert t.info == {"HTTP_VERSION": V2, "PRIMARY_PORT": origin.port, "NUM_CONNECTS": 1}


@pytest.mark.parametrize("name", ["127.0.0.1", "c.test"])
def test_an_alternative_that_is_silent_rests(origin, way, hole, name, ours_only):
    """The next transfer does not ask it again, whatever the server says of it meanwhile."""
    ours_only("libcurl waits until the transfer's time is over")
    origin.put(("h3", name, hole.port))
    d = origin.easy(way, RESOLVE=[f"c.test:{hole.port}:127.0.0.1"], FRESH_CONNECT=1).perform().getinfo("h", "HTTP_VERSION").start()
    d.expect("result")
    assert hole.heard()
    r = d.perform().getinfo("h", "HTTP_VERSION").end()
    assert not hole.heard()
    assert [(t.code, t.info["HTTP_VERSION"]) for t in r.all("h")] in ([(0, V2), (0, V2)], [(0, V2), (0, V3)])
    assert f" h3 {name} " not in origin.file.read_text()  # nginx has offered another one


def test_a_name_that_does_not_exist(origin, way, ours_only):
    ours_only("libcurl ends the transfer")
    origin.put(("h3", "none.invalid", 443))
    t = origin.get(way)
    got(t, "12.txt")
    assert t.info["HTTP_VERSION"] == V2


def test_of_many_that_fail_a_transfer_tries_one(origin, hole, ours_only):
    ours_only("libcurl ends the transfer")
    origin.put(*[("h3", "127.0.0.1", 1 + i) for i in range(400)], ("h3", "127.0.0.1", hole.port))
    d = origin.easy(FRESH_CONNECT=1, ALTSVC_CTRL=32 | 4, NOBODY=1, URL=origin.server.url("/12.txt", "tcp"))
    for _ in range(3):
        d.perform().getinfo("h", "HTTP_VERSION", "TOTAL_TIME_T")
    r = d.run()
    assert {t.code for t in r.all("h")} == {0} and not hole.heard()


def test_only_quic_goes_to_the_origin_after_it(origin, way, nginx, hole, ours_only):
    ours_only("libcurl ends the transfer")
    origin.put(("h3", "127.0.0.1", free_ports(1)[0]), port=nginx.port("quic"))
    t = origin.get(way, URL=nginx.url("/12.txt", "quic"), HTTP_VERSION=ONLY)
    got(t, "12.txt")
    assert t.info["PRIMARY_PORT"] == nginx.port("quic")


def test_time_is_over_meanwhile(origin, way, hole):
    origin.put(("h3", "127.0.0.1", hole.port), port=hole.port)
    hole.tcp.listen(5)
    t = origin.get(way, URL=f"https://localhost:{hole.port}/", TIMEOUT_MS=250)
    assert t.code == 28 and hole.heard()


# ---- what a server says

def test_an_offer_counts_for_the_next_connection(origin, way, nginx):
    """A connection that is kept serves as long as it is there. With libcurl that is so where the alternative is at the origin's own
    place."""
    d = origin.easy(way, ALTSVC="").perform().getinfo("h", "HTTP_VERSION")
    d.perform().getinfo("h", "HTTP_VERSION", "NUM_CONNECTS").setopt("h", FRESH_CONNECT=1)
    r = d.perform().getinfo("h", "HTTP_VERSION", "PRIMARY_PORT").run()
    first, second, third = r.all("h")
    for t in first, second, third:
        got(t, "12.txt")
    kept = by_library({"HTTP_VERSION": V2, "NUM_CONNECTS": 0}, None, {"HTTP_VERSION": V3, "NUM_CONNECTS": 1})
    assert first.info == {"HTTP_VERSION": V2} and second.info == kept
    assert third.info == {"HTTP_VERSION": V3, "PRIMARY_PORT": nginx.port("quic")}


@pytest.mark.parametrize("says", ["clear", 'h3=":{port}"; ma=0', 'h3-29=":{port}"', 'h3=":{port}"; ma=0, h3="x:1"; ma=0'])
def test_an_offer_that_is_none(origin, make_server, certs, hole, says, ours_only):
    if "ma=0" in says:
        ours_only("libcurl takes it for one second")
    first = make_server(tls=certs.context())
    first.default(Serve(lambda q, p: response(200, b"x", ["Alt-Svc: " + says.format(port=hole.port), "Connection: close"])))
    d = origin.easy(ALTSVC="", URL=first.url("/").replace("127.0.0.1", "localhost")).perform().perform()
    assert {t.code for t in d.run().all("h")} == {0} and not hole.heard()


def test_many_on_one_connection(origin, drive, multi_way, nginx, ours_only):
    ours_only("libcurl 8.23 fails with 55 in some of them")
    origin.put(("h3", "b.test", nginx.port("quic")))
    d = drive(multi_way).do("multi", "m")
    for i in range(20):
        d.easy(f"h{i}", URL=origin.server.url("/12.txt", "tcp"), PIPEWAIT=1, ALTSVC=origin.file, ALTSVC_CTRL=32 | 4, CAINFO=origin.ca,
               RESOLVE=[f"b.test:{nginx.port('quic')}:127.0.0.1"])
    for i in range(20):
        d.do("add", "m", f"h{i}")
    d.do("drive", "m", "all")
    for i in range(20):
        d.getinfo(f"h{i}", "NUM_CONNECTS", "HTTP_VERSION")
    r = d.run()
    assert {(r[f"h{i}"].code, r[f"h{i}"].info["HTTP_VERSION"]) for i in range(20)} == {(0, V3)}
    assert sum(r[f"h{i}"].info["NUM_CONNECTS"] for i in range(20)) == 1


def test_its_connection_is_for_no_one_else(origin, drive, multi_way, nginx):
    """A transfer that does not know the alternative goes to the origin, by whatever version."""
    origin.put(("h3", "localhost", nginx.port("quic")))
    options = {"URL": origin.server.url("/12.txt", "tcp"), "CAINFO": origin.ca,
               "RESOLVE": [f"b.test:{nginx.port('quic')}:127.0.0.1"]}
    d = drive(multi_way).do("multi", "m").easy("a", ALTSVC=origin.file, **options)
    d.easy("b", HTTP_VERSION=V3, **options).easy("c", **options)
    for name in "abca":
        d.do("add", "m", name).do("drive", "m", "all").getinfo(name, "PRIMARY_PORT", "NUM_CONNECTS").do("remove", "m", name)
    r = d.run()
    assert [t.info["PRIMARY_PORT"] for t in (r["a"], r["b"], r["c"])] == [nginx.port("quic"), origin.port, origin.port]
    assert {r[name].code for name in "abc"} == {0}


@pytest.mark.parametrize("kind", ["alloc", "socket", "connect", "setsockopt"])
@pytest.mark.parametrize("fault_way", ["easy", "socket"])
@pytest.mark.skipif(bool(SANITIZED or SYSTEM), reason="a sanitizer's runtime replaces malloc itself; it is about ours")
def test_what_may_fail(origin, nginx, drive, fault_way, kind):
    """Each allocation, and each call to the system."""
    rounds = 400 if kind == "alloc" else 20
    d = drive(fault_way, fault=True, seconds=240).do("tolerant", 1)
    options = {"URL": origin.server.url("/12.txt", "tcp"), "CAINFO": origin.ca, "TIMEOUT": 10, "ALTSVC": origin.file,
               "RESOLVE": [f"b.test:{nginx.port('quic')}:127.0.0.1"]}
    origin.put(("h3", "b.test", nginx.port("quic")))
    d.easy("w", HTTP_VERSION=3, **options).perform("w").do("cleanup", "w").do("mcleanup", "default")  # what TLS over TCP keeps is there from now on
    for n in range(rounds + 1):
        d.do("mark", n)
        if n:
            d.do("fault", "arm", kind, n)
        d.easy("h", ALTSVC_CTRL=32 | 4, **options).do("enable", "h", "quiet").perform("h").do("fault", "disarm")
        d.do("again", "h").setopt("h", ALTSVC_CTRL=32 | 4, **options).perform("h")
        d.do("cleanup", "h").do("mcleanup", "default").do("freelists").do("fault", "live").do("fds")
    fired, last = check(d.run(), {27, 6, 7})
    assert fired > 0 and last < rounds
