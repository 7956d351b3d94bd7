"""HTTP/3 (RFC 9114), with a real nginx and with a server of aioquic that misbehaves (h3_peer.py)."""

import os
import socket
import subprocess
import threading

import pytest

from h3_fixtures import ONLY, V2, V3, add, both_free, check, files_of, got
from http2_servers import CRC
from http3_servers import SHORT
from mote_driver import COMMAND, MULTI_WAYS, PAUSE_CONT, SYSTEM, by_library, crc, not_debian, pattern

pytestmark = [pytest.mark.usefixtures("http3"), not_debian("it has no HTTP/3")]


@pytest.fixture
def nginx(quic_nginx):
    return quic_nginx


@pytest.fixture
def peer(quic_peer):
    return quic_peer


@pytest.fixture
def options(quic_options):
    return quic_options


@pytest.mark.parametrize("name", CRC)
@pytest.mark.parametrize("version", [ONLY, V3], ids=["only", "3"])
def test_file(drive, way, nginx, options, name, version):
    t = drive.get(way, URL=nginx.url("/" + name, "quic"), info=["HTTP_VERSION", "RESPONSE_CODE", "SCHEME"],
                  **{**options, "HTTP_VERSION": version})
    got(t, name)
    assert (t.info["HTTP_VERSION"], t.info["RESPONSE_CODE"], t.info["SCHEME"].lower()) == (V3, 200, "https")
    assert t.headers[0] == b"HTTP/3 200 \r\n"


@pytest.mark.parametrize("name", CRC)
def test_file_of_a_peer(drive, way, peer, options, name):
    got(drive.get(way, URL=peer.url("/" + name, "quic"), **options), name)


def test_one_after_the_other(drive, way, nginx, options):
    """On one connection: a file, the head of another, one that is not there."""
    d = drive(way).easy("h", URL=nginx.url("/1m.bin", "quic"), **options).perform()
    d.setopt("h", NOBODY=1, URL=nginx.url("/64k.bin", "quic")).perform().getinfo("h", "NUM_CONNECTS", "CONTENT_LENGTH_DOWNLOAD_T")
    d.setopt("h", HTTPGET=1, URL=nginx.url("/none", "quic")).perform().getinfo("h", "NUM_CONNECTS", "RESPONSE_CODE")
    r = d.setopt("h", URL=nginx.url("/12.txt", "quic")).perform().getinfo("h", "NUM_CONNECTS").run()
    first, head, none, last = r.all("h")
    got(first, "1m.bin")
    got(last, "12.txt")
    assert (head.code, head.body, head.info) == (0, b"", {"NUM_CONNECTS": 0, "CONTENT_LENGTH_DOWNLOAD_T": 65536})
    assert (none.code, none.info) == (0, {"NUM_CONNECTS": 0, "RESPONSE_CODE": 404})
    assert last.info["NUM_CONNECTS"] == 0


@pytest.mark.parametrize("size", [0, 1, 100_000, 3_000_000])
@pytest.mark.parametrize("known", [True, False], ids=["length", "no length"])
def test_upload(drive, way, peer, options, size, known):
    more = {"INFILESIZE": size} if known else {}
    r = drive(way).easy("h", URL=peer.url("/echo", "quic"), UPLOAD=1, **more, **options).body("h", size).perform().run()
    assert (r["h"].code, r["h"].error, r["h"].length, r["h"].crc) == (0, "", size, crc(pattern(size)))


def test_upload_to_nginx(drive, way, nginx, options):
    d = drive(way).easy("h", URL=nginx.url(nginx.upload, "quic"), UPLOAD=1, INFILESIZE=3_000_000, **options)
    r = d.body("h", 3_000_000).perform().setopt("h", HTTPGET=1).perform().run()
    assert [(t.code, t.length) for t in r.all("h")][1] == (0, 3_000_000)
    assert r["h"].crc == crc(pattern(3_000_000))


def test_post(drive, way, peer, options):
    t = drive.get(way, URL=peer.url("/echo", "quic"), POSTFIELDS="a=b", **options)
    assert (t.code, t.body) == (0, b"a=b")


def test_fields(drive, peer, options):
    """Names in lower case, none of the connection's (RFC 9114 section 4.2)."""
    t = drive.get(URL=peer.url("/fields", "quic"), HTTPHEADER=["X-One: 1", "Connection: close", "Keep-Alive: 3", "TE: trailers"],
                  USERAGENT="me", COOKIE="a=b", **options)
    lines = t.body.decode().splitlines()
    assert lines[:4] == [":method: GET", ":scheme: https", f":authority: localhost:{peer.port('quic')}", ":path: /fields"]
    assert "x-one: 1" in lines and "te: trailers" in lines and "user-agent: me" in lines and "cookie: a=b" in lines
    assert not [x for x in lines if x.startswith(("connection", "keep-alive", "X-"))]


def test_trailers_and_interim_responses(drive, way, peer, options):
    t = drive.get(way, URL=peer.url("/trailers", "quic"), **options)
    end = by_library([b"\r\n"], None, [])  # as it is with HTTP/2
    assert (t.code, t.body, t.headers[-1 - len(end):]) == (0, b"body\n", [b"x-sum: 7\r\n", *end])
    t = drive.get(way, URL=peer.url("/interim", "quic"), **options)
    assert (t.code, t.body) == (0, b"final\n")
    assert [x for x in t.headers if x.startswith((b"HTTP", b"link"))] == [
        b"HTTP/3 103 \r\n", b"link: </a>\r\n", b"HTTP/3 103 \r\n", b"link: </b>\r\n", b"HTTP/3 200 \r\n"]


def test_response_before_the_end_of_the_request(drive, way, peer, options):
    r = drive(way).easy("h", URL=peer.url("/early", "quic"), UPLOAD=1, INFILESIZE=500_000, **options).body("h", 500_000).perform().run()
    assert (r["h"].code, r["h"].body) == (0, b"early\n")


def test_redirect_to_another_server(drive, way, nginx, options):
    t = drive.get(way, URL=nginx.url("/to", "quic"), FOLLOWLOCATION=1, info=["REDIRECT_COUNT", "HTTP_VERSION"], **options)
    got(t, "12.txt")
    assert t.info == {"REDIRECT_COUNT": 1, "HTTP_VERSION": V3}


# ---------------------------------------------------------------- many

def test_many_at_once(drive, multi_way, nginx, options):
    wanted = files_of(200)
    d = add(drive(multi_way).do("multi", "m"), wanted, nginx.at("quic"), **options).do("drive", "m", "all")
    for name in wanted:
        d.getinfo(name, "NUM_CONNECTS", "HTTP_VERSION")
    r = d.run()
    check(r, wanted)
    assert sum(r[n].info["NUM_CONNECTS"] for n in wanted) <= 3 and {r[n].info["HTTP_VERSION"] for n in wanted} == {V3}


def test_goaway_after_some_requests(drive, multi_way, nginx, options, ours_only):
    ours_only("libcurl 8.23 loses some of them")
    wanted = {f"h{i}": ("12.txt", "64k.bin", "empty.txt")[i % 3] for i in range(600)}
    d = add(drive(multi_way).do("multi", "m"), wanted, nginx.at("short"), **options).do("drive", "m", "all")
    for name in wanted:
        d.getinfo(name, "NUM_CONNECTS")
    r = d.run()
    check(r, wanted)
    assert sum(r[n].info["NUM_CONNECTS"] for n in wanted) >= 600 // SHORT - 1


def test_paused_neighbour(drive, multi_way, nginx, options):
    """One that is paused in its first bytes does not hold the others up, and goes on where it was."""
    wanted = files_of(60)
    d = drive(multi_way).do("multi", "m").easy("slow", URL=nginx.url("/1m.bin", "quic"), **options)
    d.on("slow", "write", "call", 1, "pause").do("add", "m", "slow").do("drive", "m", "paused", "slow")
    add(d, wanted, nginx.at("quic"), **options)
    for name in wanted:
        d.do("drive", "m", "done", name)
    r = d.do("calm", "slow").do("pause", "slow", PAUSE_CONT).do("drive", "m", "all").run()
    check(r, {"slow": "1m.bin", **wanted})


def test_left_in_the_middle(drive, multi_way, nginx, options):
    """Half of the transfers end in their first bytes; the other half is whole."""
    wanted = files_of(80)
    d = add(drive(multi_way).do("multi", "m"), wanted, nginx.at("quic"), **options)
    for i in range(40):
        d.easy(f"x{i}", URL=nginx.url("/1m.bin", "quic"), PIPEWAIT=1, **options)
        d.on(f"x{i}", "write", "call", 2, "return", 0).do("add", "m", f"x{i}")
    r = d.do("drive", "m", "all").run()
    check(r, wanted)
    assert {r[f"x{i}"].code for i in range(40)} == {23}


def test_refused_requests_are_made_again(drive, multi_way, peer, options, ours_only):
    ours_only("libcurl 8.23 fails")
    wanted = [f"h{i}" for i in range(10)]
    d = drive(multi_way).do("multi", "m")
    for name in wanted:
        d.easy(name, URL=peer.url(f"/refuse/{2 * (1 + MULTI_WAYS.index(multi_way))}", "quic"), PIPEWAIT=1, **options)
    for name in wanted:
        d.do("add", "m", name)
    r = d.do("drive", "m", "all").run()
    assert {(r[n].code, r[n].body) for n in wanted} == {(0, b"taken\n")}


# ---------------------------------------------------------------- errors

@pytest.mark.parametrize("path, code", [
    ("/reset/258/-1", 95), ("/reset/258/10", 95), ("/reset/268/10", 95), ("/close/258", 56), ("/short", 18)])
def test_errors_of_a_stream(drive, way, peer, options, path, code, ours_only):
    ours_only("codes")
    t = drive.get(way, URL=peer.url(path, "quic"), **options)
    assert (t.code, bool(t.error)) == (code, True)


def test_error_leaves_the_others_alone(drive, multi_way, peer, options):
    d = drive(multi_way).do("multi", "m").easy("a", URL=peer.url("/bytes/300000", "quic"), PIPEWAIT=1, **options)
    d.easy("b", URL=peer.url("/reset/258/10", "quic"), PIPEWAIT=1, **options)
    r = d.do("add", "m", "a").do("add", "m", "b").do("drive", "m", "all").run()
    assert (r["a"].code, r["a"].length) == (0, 300000)
    assert r["b"].code in by_library([95], None, [18, 95])


def test_timeout(drive, way, peer, options):
    t = drive.get(way, URL=peer.url("/hang/1000", "quic"), **{**options, "TIMEOUT_MS": 700, "TIMEOUT": None})
    assert (t.code, t.length) == (28, 1000)


def test_no_one_listens(drive, way, options, nginx, ours_only):
    """ICMP says so; it is no error of sending."""
    ours_only("libcurl 8.23 says 55")
    t = drive.get(way, URL=nginx.url("/12.txt", "tcp"), **options)
    assert t.code == 7 and "Connection refused" in t.error


def test_certificate_is_checked(drive, way, nginx, options):
    t = drive.get(way, URL=nginx.url("/12.txt", "quic"), **{**options, "CAINFO": None})
    assert t.code == 60 and t.error
    t = drive.get(way, URL=nginx.url("/12.txt", "quic").replace("localhost", "other.test"),
                  RESOLVE=[f"other.test:{nginx.port('quic')}:127.0.0.1"], **options)
    assert t.code == 60 and "other.test" in t.error
    t = drive.get(way, URL=nginx.url("/12.txt", "quic"), PINNEDPUBLICKEY="sha256//" + "A" * 43 + "=", **options)
    assert t.code == 90


@pytest.mark.parametrize("more, code", [({"PROXY": "http://127.0.0.1:9"}, 3), ({"PROXY": "socks5://127.0.0.1:9"}, 3),
                                        ({"UNIX_SOCKET_PATH": "/none"}, 96), ({"SSLVERSION": 6 << 16}, 35)])
def test_what_does_not_go_with_it(drive, way, nginx, options, more, code, ours_only):
    ours_only("libcurl 8.23 lets an HTTP proxy have it by TCP")
    t = drive.get(way, URL=nginx.url("/12.txt", "quic"), **more, **options)
    assert t.code == code and t.error


def test_only_for_https(drive, way, nginx, options):
    t = drive.get(way, URL=nginx.url("/12.txt", "quic").replace("https", "http"), **options)
    assert (t.code, t.error) == (3, "HTTP/3 requested for non-HTTPS URL")


def test_retry_of_the_server(drive, way, peer, options):
    got(drive.get(way, URL=peer.url("/64k.bin", "retry"), **options), "64k.bin")


def test_server_that_dies(drive, way, mortal, options):
    """What says so is ICMP, more than once. The request is made again on a new connection, which is refused."""
    d = drive(way).easy("h", URL=mortal.url("/12.txt", "quic"), **options).perform().start()
    d.expect("result")
    mortal.die()
    r = d.perform().end()
    first, second = r.all("h")
    assert (first.code, second.code) == (0, 7)


# ---------------------------------------------------------------- the race

@pytest.fixture
def swallowed(nginx):
    """A port of nginx's by TCP, at which datagrams are never answered."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind(("127.0.0.1", nginx.port("tcp")))
        yield nginx.url("/12.txt", "tcp")


def test_datagrams_that_no_one_answers(drive, way, swallowed, options):
    """TCP begins after 100 ms."""
    t = drive.get(way, URL=swallowed, info=["HTTP_VERSION", "TOTAL_TIME_T", "NUM_CONNECTS"], **{**options, "HTTP_VERSION": V3})
    got(t, "12.txt")
    assert t.info["HTTP_VERSION"] == V2 and t.info["TOTAL_TIME_T"] >= 100_000 and t.info["NUM_CONNECTS"] == 1


def test_datagrams_that_are_refused(drive, way, nginx, options):
    t = drive.get(way, URL=nginx.url("/12.txt", "tcp"), info=["HTTP_VERSION", "NUM_CONNECTS", "OS_ERRNO"],
                  **{**options, "HTTP_VERSION": V3})
    got(t, "12.txt")
    assert t.info == {"HTTP_VERSION": V2, "NUM_CONNECTS": 1, "OS_ERRNO": 0}


def test_datagrams_that_no_one_answers_and_no_tcp(drive, way, options, ours_only):
    """What fails fast by TCP does not wait for the end of the connection's time."""
    ours_only("it waits for more")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind(("127.0.0.1", 0))
        t = drive.get(way, URL=f"https://localhost:{s.getsockname()[1]}/", info=["TOTAL_TIME_T"], **{**options, "HTTP_VERSION": V3})
    assert t.code == 7 and "Connection refused" in t.error and 2_900_000 < t.info["TOTAL_TIME_T"] < 20_000_000


class Far:
    """A port whose datagrams come to another port, and back, after a while; by TCP it takes connections and says nothing."""

    def __init__(self, port, seconds):
        self.server = socket.socket(type=socket.SOCK_DGRAM)
        self.tcp, self.udp = both_free()
        self.port = self.tcp.getsockname()[1]
        self.tcp.listen(50)
        self.server.connect(("127.0.0.1", port))
        self.client = None
        for pump in (self.there, self.back):
            threading.Thread(target=pump, args=(seconds,), daemon=True).start()

    def there(self, seconds):
        while True:
            data, self.client = self.udp.recvfrom(65536)
            threading.Timer(seconds, self.server.send, (data,)).start()

    def back(self, seconds):
        while True:
            data = self.server.recv(65536)
            threading.Timer(seconds, self.udp.sendto, (data, self.client)).start()


def test_far_server(drive, way, nginx, options):
    """TCP is connected long before, and QUIC has its handshake first. It is one connection."""
    far = Far(nginx.port("quic"), 0.13)
    t = drive.get(way, URL=f"https://localhost:{far.port}/12.txt", info=["HTTP_VERSION", "NUM_CONNECTS", "OS_ERRNO"],
                  **{**options, "HTTP_VERSION": V3})
    got(t, "12.txt")
    assert t.info == {"HTTP_VERSION": V3, "NUM_CONNECTS": 1, "OS_ERRNO": 0}


def test_many_race_on_one_dial(drive, multi_way, swallowed, options):
    d = drive(multi_way).do("multi", "m")
    for i in range(20):
        d.easy(f"h{i}", URL=swallowed, PIPEWAIT=1, **{**options, "HTTP_VERSION": V3})
    for i in range(20):
        d.do("add", "m", f"h{i}")
    d.do("drive", "m", "all")
    for i in range(20):
        d.getinfo(f"h{i}", "NUM_CONNECTS")
    r = d.run()
    assert {r[f"h{i}"].code for i in range(20)} == {0} and sum(r[f"h{i}"].info["NUM_CONNECTS"] for i in range(20)) == 1


def test_another_version_does_not_get_its_connection(drive, nginx, options):
    d = drive("easy").easy("h", URL=nginx.url("/12.txt", "quic"), **options).perform()
    r = d.setopt("h", HTTP_VERSION=V2).perform().getinfo("h", "HTTP_VERSION", "NUM_CONNECTS").run()
    assert r["h"].info == {"HTTP_VERSION": V2, "NUM_CONNECTS": 1}


def test_session_is_resumed_by_its_own_version(drive, way, nginx, options):
    """A new connection resumes the TLS session of the last one by QUIC; one of TCP is neither given to QUIC nor taken from it.
    nginx gives one session at the end of a handshake by QUIC, and none in one that resumes."""
    d = drive(way).easy("h", URL=nginx.url("/reused", "quic"), FRESH_CONNECT=1, **options)
    for version in (V2, ONLY, ONLY, V2):
        d.setopt("h", HTTP_VERSION=version).perform()
    r = d.run()
    assert [t.body for t in r.all("h")] == [b"HTTP/2.0.", b"HTTP/3.0.", b"HTTP/3.0r", b"HTTP/2.0r"]


def test_session_that_comes_with_the_handshake_is_resumed(drive, way, peer, options):
    """aioquic sends it with its last message of the handshake, when the client has not checked the certificate yet."""
    d = drive(way).easy("h", URL=peer.url("/resumed", "quic"), FRESH_CONNECT=1, IPRESOLVE=1, **options).perform().perform().perform()
    d.setopt("h", SSL_VERIFYHOST=0, PINNEDPUBLICKEY="sha256//" + "A" * 43 + "=").perform().perform()
    r = d.run().all("h")
    assert [t.body for t in r[:3]] == [b"full", b"resumed", b"resumed"]
    assert [t.code for t in r[3:]] == [90, 90]


@pytest.mark.skipif(SYSTEM, reason="ours only: our command")
def test_command(nginx, certs):
    """--http3 and --http3-only."""
    for option in ("--http3", "--http3-only"):
        done = subprocess.run([COMMAND, "-sS", option, "--cacert", certs.path("ca.pem"), "-w", "%{http_version}\n", "-o", os.devnull,
                               nginx.url("/12.txt", "quic")], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "3\n"), done.stderr
