"""Early data of HTTP/3 (RFC 8470, RFC 9001 section 4.6): the first request of a connection that resumes a session goes before
the handshake is complete. The server (h3_early_peer.py) says how each request came."""

import os
import socket
import subprocess

import pytest

import http3_servers
from h3_bytes import data, head, play
from h3_fixtures import ONLY, V3
from mote_driver import AUTH_BASIC, COMMAND, PAUSE_CONT, SANITIZED, SYSTEM, Driver, by_library, crc, not_debian, pattern

EARLYDATA = 1 << 6
AUTH_DIGEST = 1 << 1
THREE_MB = crc((bytes(range(256)) * 12_000)[:3_000_000])  # of /bytes/3000000

pytestmark = [pytest.mark.usefixtures("http3"), not_debian("it has no HTTP/3")]


@pytest.fixture(scope="module")
def peer(tmp_path_factory, certs):
    server = http3_servers.EarlyPeer(tmp_path_factory.mktemp("early"), certs)
    yield server
    server.close()


@pytest.fixture
def options(certs):
    """libcurl 8.23 goes to the first address of a name alone once it may send early data."""
    return {"CAINFO": certs.path("ca.pem"), "HTTP_VERSION": ONLY, "TIMEOUT": 20, "SSL_OPTIONS": EARLYDATA,
            **by_library({}, None, {"IPRESOLVE": 1})}


class Requests:
    """One after the other, each on a connection of its own that resumes the session of the one before."""

    def __init__(self, drive, way, peer, options):
        self.peer = peer
        self.d = drive(way).easy("h", URL=peer.url("/mode/whole", "quic"), FRESH_CONNECT=1, **options).perform()

    def get(self, path, **more):
        self.d.setopt("h", URL=self.peer.url(path, "quic"), **more).perform()
        self.d.getinfo("h", "EARLYDATA_SENT_T", "REQUEST_SIZE", "NUM_CONNECTS", "RESPONSE_CODE")
        return self

    def mode(self, name):
        self.d.setopt("h", URL=self.peer.url("/mode/" + name, "quic")).perform()
        return self

    def run(self):
        return self.d.run().all("h")

    def last(self):
        return self.run()[-1]


@pytest.fixture
def requests(drive, way, peer, options):
    return Requests(drive, way, peer, options)


# ---------------------------------------------------------------- it goes early

def test_first_request_of_a_resumed_connection_goes_early(requests):
    first, *others = requests.get("/how").get("/how").get("/how").run()
    assert (first.code, first.body) == (0, b"yes\n")
    for t in others:
        assert (t.code, t.error, t.body) == (0, "", b"early resumed 1\n")
        assert t.info["EARLYDATA_SENT_T"] == t.info["REQUEST_SIZE"] > 50


def test_further_request_of_the_connection_is_not_early(requests):
    early, further = requests.get("/how").get("/how", FRESH_CONNECT=0).run()[1:]
    assert (early.body, further.body[:4], further.info["NUM_CONNECTS"]) == (b"early resumed 1\n", b"late", 0)
    assert further.info["EARLYDATA_SENT_T"] == by_library(0, None, early.info["EARLYDATA_SENT_T"])


def test_takes_one_round_trip(requests, ours_only):
    """The server sends nothing before it has the request, and takes nothing after it has sent the response."""
    ours_only("libcurl 8.23 waits for an acknowledgement of its request")
    t = requests.mode("cut").get("/how").last()
    assert (t.code, t.body) == (0, b"early resumed 1\n")


@pytest.mark.parametrize("version", [ONLY, V3], ids=["only", "3"])
def test_large_response(drive, way, peer, options, version):
    """More than the window that the stream begins with."""
    t = Requests(drive, way, peer, {**options, "HTTP_VERSION": version}).get("/bytes/3000000").last()
    assert (t.code, t.length, t.crc) == (0, 3_000_000, THREE_MB)
    assert t.info["EARLYDATA_SENT_T"] > 0


@pytest.mark.parametrize("how", [{"NOBODY": 1}, {"CUSTOMREQUEST": "OPTIONS"}, {"HTTPAUTH": AUTH_BASIC, "USERPWD": "a:b"},
                                 {"RANGE": "0-3"}, {"COOKIE": "a=b", "ACCEPT_ENCODING": ""}])
def test_safe_requests_go_early(requests, how, ours_only):
    if "NOBODY" in how:
        ours_only("libcurl 8.23 fails (56)")
    t = requests.get("/how", **how).last()
    assert t.code == 0 and t.info["EARLYDATA_SENT_T"] == t.info["REQUEST_SIZE"] > 0
    assert t.body == (b"" if "NOBODY" in how else b"early resumed 1\n")


def test_address_of_a_server_that_wants_it_proved(drive, way, tmp_path_factory, certs, options):
    """Retry (RFC 9000 section 8.1.2): the early data is sent again with the token."""
    server = http3_servers.EarlyRetryPeer(tmp_path_factory.mktemp("retry"), certs)
    try:
        t = Requests(drive, way, server, options).get("/how").last()
    finally:
        server.close()
    assert (t.code, t.body[-10:]) == (0, b"resumed 1\n") and t.info["EARLYDATA_SENT_T"] > 0


def test_share(drive, way, peer, options):
    """Another handle resumes the session."""
    d = drive(way).do("share", "s").do("sharesetopt", "s", "SHARE", 4)
    d.easy("a", URL=peer.url("/mode/whole", "quic"), **options).do("setopt", "a", "SHARE", "s")
    d.easy("b", URL=peer.url("/how", "quic"), FRESH_CONNECT=1, **options).do("setopt", "b", "SHARE", "s")
    r = d.perform("a").perform("b").do("cleanup", "a", "b").do("shcleanup", "s").run()
    assert (r["a"].code, r["b"].code, r["b"].body) == (0, 0, b"early resumed 1\n")


def test_session_is_given_back_where_no_one_listens(drive, way, peer, options, ours_only):
    """The first address of the name refuses datagrams. Early data goes to the second one, with the same ticket."""
    ours_only("libcurl 8.23 fails (55)")
    both = {"RESOLVE": [f"localhost:{peer.port('quic')}:127.0.0.2,127.0.0.1"]}
    t = Requests(drive, way, peer, {**options, **both}).get("/how").get("/how").run()
    assert [(x.code, x.body) for x in t[1:]] == 2 * [(0, b"early resumed 1\n")]


def test_exported_session_has_what_early_data_needs(drive, peer, options, ours_only):
    ours_only("this build of libcurl 8.23 exports none")
    d = drive().easy("a", URL=peer.url("/mode/whole", "quic"), **options).easy("b", URL=peer.url("/how", "quic"), **options)
    r = d.perform("a").do("ssls", "a", "b").perform("b").run()
    assert (r["b"].code, r["b"].body) == (0, b"early resumed 1\n")


@pytest.mark.parametrize("spoilt", [1, 2, 9, 20, 30, 38, 45, 60, 100, 400])
def test_spoilt_session(drive, peer, options, spoilt, ours_only):
    """What was remembered of the server is at the end. Whatever stands there, the request is made, or the server's true limits
    show that it was wrong."""
    ours_only("sessions are the library's own")
    d = drive().easy("a", URL=peer.url("/mode/whole", "quic"), **options).easy("b", URL=peer.url("/how", "quic"), **options)
    r = d.perform("a").do("ssls", "a", "b", spoilt).perform("b").do("cleanup", "b").easy("c", URL=peer.url("/how", "quic"), **options).perform("c").run()
    assert r["b"].code in (0, 96) and (r["b"].code or b"1\n" in r["b"].body)
    assert (r["c"].code, r["c"].body) == (0, b"late full 1\n")


# ---------------------------------------------------------------- what does not

UNSAFE = [{"POSTFIELDS": "a=b"}, {"POSTFIELDS": ""}, {"CUSTOMREQUEST": "DELETE"}, {"CUSTOMREQUEST": "PUT"},
          {"CUSTOMREQUEST": "GET", "POSTFIELDS": "a=b"}, {"CUSTOMREQUEST": "get"}]


@pytest.mark.parametrize("how", UNSAFE)
def test_unsafe_request_waits(requests, how, ours_only):
    ours_only("libcurl 8.23 sends them early")
    t = requests.get("/how", **how).last()
    assert (t.code, t.body) == (0, b"late resumed 1\n" + how.get("POSTFIELDS", "").encode())
    assert t.info["EARLYDATA_SENT_T"] == 0


@pytest.mark.parametrize("how", [{"HTTPAUTH": AUTH_DIGEST, "USERPWD": "a:b"}, {"HTTPAUTH": AUTH_BASIC | AUTH_DIGEST, "USERPWD": "a:b"}])
def test_login_in_rounds_waits(requests, how, ours_only):
    ours_only("libcurl 8.23 sends it early")
    t = requests.get("/how", **how).last()
    assert (t.code, t.body, t.info["EARLYDATA_SENT_T"]) == (0, b"late resumed 1\n", 0)


def test_request_of_a_client_with_a_certificate_waits(drive, way, peer, options, certs, ours_only):
    ours_only("libcurl 8.23 sends it early")
    own = {"SSLCERT": certs.path("client.pem"), "SSLKEY": certs.path("client.key")}
    t = Requests(drive, way, peer, {**options, **own}).get("/how").last()
    assert (t.code, t.body, t.info["EARLYDATA_SENT_T"]) == (0, b"late resumed 1\n", 0)


def test_request_that_a_callback_may_prevent_waits(drive, way, peer, options, ours_only):
    ours_only("libcurl 8.23 sends it early")
    d = drive(way).easy("h", URL=peer.url("/mode/whole", "quic"), FRESH_CONNECT=1, **options).perform()
    t = d.enable("h", "prereq").setopt("h", URL=peer.url("/how", "quic")).perform().run().all("h")[-1]
    assert (t.code, t.body) == (0, b"late resumed 1\n")


def test_not_without_the_option(drive, way, peer, options):
    t = Requests(drive, way, peer, {**options, "SSL_OPTIONS": 0}).get("/how").last()
    assert (t.code, t.body, t.info["EARLYDATA_SENT_T"]) == (0, b"late resumed 1\n", 0)


def test_request_that_follows_a_redirect_is_not_early(requests):
    t = requests.get("/moved", FOLLOWLOCATION=1).last()
    assert (t.code, t.body) == (0, b"late resumed 2\n") and t.info["EARLYDATA_SENT_T"] > 0


def test_request_that_is_made_again_is_not_early(requests, ours_only):
    """The server has not begun with it, so that a new connection makes it again. That has a session, too."""
    ours_only("libcurl 8.23 does not make it again")
    t = requests.mode("reset").get("/how").get("/log").run()
    assert (t[-2].code, t[-2].body) == (0, b"late resumed 1\n")
    assert t[-1].code == 0
    assert t[-1].body.decode().splitlines()[:2] == ["early GET /how", "late GET /how"]


# ---------------------------------------------------------------- the server does not want it

@pytest.mark.parametrize("mode, resumed", [("refused", b"resumed"), ("unknown", b"full"), ("fewer", b"full")])
def test_refused_early_data_is_sent_again(requests, mode, resumed, ours_only):
    """Whole, as the first request of the connection, under the limits that the server has now."""
    if mode == "fewer":
        ours_only("libcurl 8.23 fails (55, ERR_PROTO)")
    t = requests.mode(mode).get("/how").last()
    assert (t.code, t.error, t.body) == (0, "", b"late " + resumed + b" 1\n")
    assert t.info["EARLYDATA_SENT_T"] == t.info["REQUEST_SIZE"] * by_library(-1, None, 1)


@pytest.mark.parametrize("mode", ["refused", "fewer"])
def test_windows_are_right_after_a_refusal(requests, mode, ours_only):
    if mode == "fewer":
        ours_only("libcurl 8.23 fails (55, ERR_PROTO)")
    t = requests.mode(mode).get("/bytes/3000000").last()
    assert (t.code, t.length, t.crc) == (0, 3_000_000, THREE_MB)


@pytest.mark.parametrize("mode", ["refused", "fewer"])
def test_upload_after_a_refusal(requests, mode, ours_only):
    if mode == "fewer":
        ours_only("libcurl 8.23 fails (55, ERR_PROTO)")
    requests.mode(mode).get("/how")
    requests.d.setopt("h", URL=requests.peer.url("/echo", "quic"), FRESH_CONNECT=0, UPLOAD=1, INFILESIZE=500_000)
    t = requests.d.body("h", 500_000).perform().run().all("h")[-1]
    assert (t.code, t.length, t.crc) == (0, 500_000, crc(pattern(500_000)))


def test_too_early(requests, ours_only):
    """The request is made again on that connection, whose handshake is complete."""
    ours_only("libcurl 8.23 gives the application the 425")
    t = requests.get("/425", FAILONERROR=1).last()
    assert (t.code, t.body) == (0, b"late resumed 2\n")
    assert (t.info["RESPONSE_CODE"], t.info["NUM_CONNECTS"]) == (200, 1)
    assert [x for x in t.headers if x.startswith(b"HTTP")] == [b"HTTP/3 425 \r\n", b"HTTP/3 200 \r\n"]


def test_too_early_again(requests):
    """A second time, and what comes then is the response."""
    t = requests.get("/always").get("/log").run()
    assert (t[-2].code, t[-2].body, t[-2].info["RESPONSE_CODE"]) == (0, b"too early\n", 425)
    assert t[-1].body.count(b" GET /always\n") == by_library(2, None, 1)


def test_request_does_not_go_early_to_two_addresses(drive, peer, options, ours_only):
    """The first one is silent, and may have had it. There is a second session for the other one."""
    ours_only("libcurl 8.23 goes to one address alone")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.2", peer.port("quic")))
        d = drive("poll").do("share", "s").do("sharesetopt", "s", "SHARE", 4)
        for name in ("a", "b"):
            d.easy(name, URL=peer.url("/mode/whole", "quic"), FRESH_CONNECT=1, **options).do("setopt", name, "SHARE", "s")
        d.perform("a", "b").easy("c", URL=peer.url("/how", "quic"), FRESH_CONNECT=1, **options).do("setopt", "c", "SHARE", "s")
        r = d.setopt("c", RESOLVE=[f"localhost:{peer.port('quic')}:127.0.0.2,127.0.0.1"]).perform("c").getinfo("c", "EARLYDATA_SENT_T")
        r = r.do("cleanup", "a", "b", "c").do("shcleanup", "s").run()
        early = silent.recv(2000)
    assert (r["c"].code, r["c"].body, r["c"].info["EARLYDATA_SENT_T"]) == (0, b"late resumed 1\n", 0)
    assert early[0] & 0xf0 == 0xc0  # a first packet (RFC 9000 section 17.2.2)


# ---------------------------------------------------------------- the connection

@pytest.mark.parametrize("version", [ONLY, V3], ids=["only", "3"])
def test_server_that_is_silent(drive, way, peer, options, version, ours_only):
    """The request that went early does not get in the way of deadlines."""
    ours_only("libcurl 8.23 fails (55)")
    d = drive(way).easy("h", URL=peer.url("/mode/silent", "quic"), FRESH_CONNECT=1, **{**options, "HTTP_VERSION": version}).perform()
    d.setopt("h", URL=peer.url("/how", "quic"), CONNECTTIMEOUT_MS=600).perform()
    t = d.setopt("h", URL=peer.url("/mode/whole", "quic"), CONNECTTIMEOUT_MS=None, SSL_SESSIONID_CACHE=0).perform().run().all("h")
    assert [x.code for x in t] in ([0, 28, 0], [0, 7, 0])


def test_others_wait_for_the_connection(drive, multi_way, peer, options):
    """One of them goes early. When it leaves in the middle of that, another one has the connection."""
    d = drive(multi_way).easy("h", URL=peer.url("/mode/whole", "quic"), **options).do("multi", "m")
    d.do("share", "s").do("sharesetopt", "s", "SHARE", 4).do("setopt", "h", "SHARE", "s").perform("h")
    names = [f"h{i}" for i in range(5)]
    for name in names:
        d.easy(name, URL=peer.url("/how", "quic"), PIPEWAIT=1, **options).do("setopt", name, "SHARE", "s")
    for name in names:
        d.do("add", "m", name)
    r = d.do("remove", "m", "h0").do("drive", "m", "all").do("cleanup", "h", *names).do("shcleanup", "s").run()
    assert {(r[n].code, r[n].error) for n in names[1:]} == {(0, "")} and all(b"resumed" in r[n].body for n in names[1:])


def test_owner_leaves_while_the_server_is_silent(drive, multi_way, peer, options):
    d = drive(multi_way).easy("h", URL=peer.url("/mode/silent", "quic"), **options).do("multi", "m")
    d.do("share", "s").do("sharesetopt", "s", "SHARE", 4).do("setopt", "h", "SHARE", "s").perform("h")
    for name in ("a", "b"):
        d.easy(name, URL=peer.url("/how", "quic"), PIPEWAIT=1, **{**options, "TIMEOUT": None, "TIMEOUT_MS": 900})
        d.do("setopt", name, "SHARE", "s").do("add", "m", name)
    d.do("drive", "m", "for", 200).do("remove", "m", "a").do("drive", "m", "all")
    r = d.do("cleanup", "h", "a", "b").do("shcleanup", "s").run()
    assert r["b"].code == 28


def held(drive, peer, options, path, prepare):
    """A transfer whose response has come when the client looks: it is held until the connection has a driver."""
    d = drive("poll").easy("h", URL=peer.url("/mode/burst", "quic"), FRESH_CONNECT=1, **options).do("multi", "m")
    d.do("add", "m", "h").do("drive", "m", "all").setopt("h", URL=peer.url(path, "quic"))
    prepare(d)
    return d.do("add", "m", "h").do("drive", "m", "for", 20).do("sleep", 300)


def test_transfer_that_ends_before_its_held_response(drive, peer, options, ours_only):
    """Its progress callback prevents it. The next one on the connection has a response of its own."""
    ours_only("its connection has ended")
    d = held(drive, peer, options, "/bytes/1000", lambda d: d.enable("h", "xferinfo").on("h", "xferinfo", "call", 1, "return", 1))
    d.do("drive", "m", "all").do("calm", "h").setopt("h", URL=peer.url("/how", "quic"), FRESH_CONNECT=0, NOPROGRESS=1)
    t = d.do("add", "m", "h").do("drive", "m", "all").getinfo("h", "NUM_CONNECTS").run().all("h")
    assert [x.code for x in t] == [0, 42, 0]
    assert (t[2].body, t[2].info["NUM_CONNECTS"]) == (b"late resumed 2\n", 0)


def test_pause_in_a_held_response(drive, peer, options):
    """The second frame has more bytes than a callback gets at once."""
    path = play(head(), data("a"), ("bytes", 30_000), "fin")
    d = held(drive, peer, options, path, lambda d: d.on("h", "write", "bytes", 2000, "pause"))
    d.do("drive", "m", "paused", "h").do("calm", "h").do("pause", "h", PAUSE_CONT).do("drive", "m", "all")
    t = d.getinfo("h", "EARLYDATA_SENT_T").run().all("h")[-1]
    assert (t.code, t.length, t.crc) == (0, 30_001, crc(b"a" + (bytes(range(251)) * 120)[:30_000]))
    assert t.info["EARLYDATA_SENT_T"] > 0


# ---------------------------------------------------------------- no memory

@pytest.mark.skipif(SYSTEM or bool(SANITIZED), reason="ours only, and a sanitizer's runtime replaces malloc itself")
@pytest.mark.parametrize("mode", ["whole", "refused", "425"])
@pytest.mark.parametrize("kind", ["alloc", "socket", "connect", "getsockname"])
def test_calls_fail(drive, peer, options, mode, kind):
    """Every allocation and system call of an early request in turn."""
    path = "/425" if mode == "425" else "/how"
    rounds = 120 if kind == "alloc" else 6
    d = drive(fault=True, seconds=200).do("tolerant", 1)
    for n in range(rounds + 1):
        d.do("mark", n).easy("h", URL=peer.url("/mode/" + ("whole" if mode == "425" else mode), "quic"), FRESH_CONNECT=1, **options)
        d.do("enable", "h", "quiet").perform("h").setopt("h", URL=peer.url(path, "quic"), **options)
        if n:
            d.do("fault", "arm", kind, n)
        d.perform("h").do("fault", "disarm").do("again", "h").setopt("h", URL=peer.url(path, "quic"), **options).perform("h")
        d.do("cleanup", "h").do("mcleanup", "default").do("freelists").do("fault", "live").do("fds")
    results, live, fds, hits = [], [], [], []
    for f in d.run().lines:
        if f[0] == "mark":
            results.append([])
        elif f[0] == "result":
            results[-1].append(int(f[2]))
        elif f[0] == "fault" and f[1] in ("live", "disarm"):
            (live if f[1] == "live" else hits).append(int(f[3]))
        elif f[0] == "fds":
            fds.append(int(f[1]))
    assert results[0] == [0, 0, 0] and not [x for x in results if x[-1] != 0]
    assert max(live) <= live[0] and set(fds) == {fds[0]}
    assert hits[1] and (kind != "alloc" or not hits[-1])
    assert {x[1] for x in results if len(x) == 3} <= {0, 27, 7, 28, 55, 56, 96}


# ---------------------------------------------------------------- the command

@pytest.mark.skipif(SYSTEM, reason="ours only: our command")
def test_command(peer, certs, tmp_path):
    """--tls-earlydata, with the sessions of the run before (--ssl-sessions)."""
    sessions = tmp_path / "sessions"

    def run(path):
        return subprocess.run([COMMAND, "-sS", "--http3-only", "--cacert", certs.path("ca.pem"), "--ssl-sessions", sessions,
                               "--tls-earlydata", "-w", "%{tls_earlydata}", peer.url(path, "quic")], capture_output=True,
                              timeout=60, check=True).stdout
    if not os.path.exists(COMMAND):
        pytest.skip("no command")
    assert run("/mode/whole") == b"yes\n0"
    body, sent = run("/how").split(b"\n")
    assert body == b"early resumed 1" and int(sent) > 50
    assert run("/mode/refused").startswith(b"yes\n")
    body, sent = run("/how").split(b"\n")
    assert body == b"late resumed 1" and int(sent) < -50
