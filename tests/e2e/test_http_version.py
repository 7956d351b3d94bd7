"""Which version of HTTP a connection speaks: what is offered, which kept connections serve, and who waits for whom.

Normal life by each version: test_h2.py."""

import socket
import threading

import pytest

from h2_peer import H2Server, Serve as H2Serve, goaway, part, upgraded
from mote_driver import LOCK_CONNECT, SYSTEM, by_library, not_debian
from script import Call
from server import PATIENCE, Expect, Reply, UntilClose, response
from tls_libraries import tls  # noqa: F401 (a fixture: every test here runs with each library)

V1_0, V1_1, V2, V2TLS, PRIOR_KNOWLEDGE = 1, 2, 3, 4, 5
OFFERS = b"ALPN: " + by_library(b"offers ", b"offers ", b"curl offers ")

pytestmark = not_debian("HTTP/2 differs in details")


@pytest.fixture
def secure_server(make_server, certs):
    return make_server(tls=certs.context())


def respond_once(peer):
    peer.read_head()
    peer.send(response(200, b"x"))


def offers(t):
    """What the transfer's connections offered by ALPN."""
    lines = b"".join(data for kind, data in t.debug if kind == 0).splitlines()
    return [line[len(OFFERS):].decode() for line in lines if line.startswith(OFFERS)]


def offered(drive, server, **options):
    server.default(Call(respond_once))
    d = drive().easy(URL=server.url(), SSL_VERIFYPEER=0, VERBOSE=1, **options).enable("h", "debug", "debugprint")
    t = d.perform().run()["h"]
    assert t.code == 0
    return offers(t)


@pytest.mark.parametrize("version,offer", [(V1_0, "http/1.0,http/1.1"), (V1_1, "http/1.1")])
def test_offer_of_http_1(drive, secure_server, version, offer):
    assert offered(drive, secure_server, HTTP_VERSION=version) == [offer]


@pytest.mark.usefixtures("http2")
@pytest.mark.parametrize("version", [None, 0, V2, V2TLS])
def test_offer_of_both(drive, secure_server, version):
    assert offered(drive, secure_server, HTTP_VERSION=version) == ["h2,http/1.1"]


def first_record(listener, got):
    """What a client sends first; the connection is closed then."""
    peer, _ = listener.accept()
    with peer:
        data = peer.recv(65536)
        while len(data) < 5 or len(data) < 5 + int.from_bytes(data[3:5], "big"):
            data += peer.recv(65536)
    got.append(data)


@pytest.mark.parametrize("scheme", ["ftps", "imaps", "pop3s", "smtps", "gophers", "wss", "https"])
def test_no_version_of_http_is_offered_by_another_protocol(drive, scheme):
    """FTP to vsftpd 3.0.5 failed: it refuses a client that offers "http/1.1"."""
    got = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=first_record, args=(listener, got))
        thread.start()
        t = drive.get(URL=f"{scheme}://127.0.0.1:{listener.getsockname()[1]}/", SSL_VERIFYPEER=0)
        thread.join()
    assert t.code == 35 and (b"http/1.1" in got[0]) == (scheme == "https")


# ---------------------------------------------------------------- shared connections

def share_connections(d):
    return d.do("share", "s").do("sharesetopt", "s", "SHARE", LOCK_CONNECT)


@pytest.mark.usefixtures("http2")
@pytest.mark.parametrize("version", [0, V2, V2TLS])
def test_connection_of_http_2_is_shared(drive, way, make_server, certs, version):
    """An idle one moves to the multi that takes it: handles that share connections spoke HTTP/1.1 alone."""
    server = make_server(cls=H2Server, tls=certs.context(alpn=["h2", "http/1.1"]))
    server.script(H2Serve(answer=lambda s: (200, [], b"x", True)))
    r = requests_of_two_handles(share_connections(drive(way)), server, HTTP_VERSION=version)
    assert [(r[n].code, r[n].body, r[n].info["NUM_CONNECTS"]) for n in "ab"] == [(0, b"x", 1), (0, b"x", 0)]
    assert [r[n].info["HTTP_VERSION"] for n in "ab"] == [3, 3]
    assert r["a"].info["CONN_ID"] == r["b"].info["CONN_ID"]


def test_shared_connection_of_http_2_by_turns(drive, multi_way, h2_server):
    """Two multis take it from each other, with several streams, one of which is given up."""
    h2_server.default(H2Serve(answer=lambda s: (200, [], b"new", True)))
    d = share_connections(drive(multi_way)).do("multi", "m").do("multi", "n")
    for i, multi in enumerate("mnmn"):
        for name in (f"a{i}", f"b{i}", f"c{i}"):
            d.easy(name, URL=h2_server.url(), PIPEWAIT=1, **h2_server.options)
            d.do("setopt", name, "SHARE", "s").do("add", multi, name)
        d.do("drive", multi, "for", 0).do("remove", multi, f"c{i}").do("drive", multi, "all")
        for name in (f"a{i}", f"b{i}"):
            d.getinfo(name, "NUM_CONNECTS").do("remove", multi, name)
    d.do("mcleanup", "m").do("mcleanup", "n")
    for i in range(4):
        d.do("cleanup", f"a{i}", f"b{i}", f"c{i}")
    r = d.do("shcleanup", "s").run()
    assert {(r[f"{n}{i}"].code, r[f"{n}{i}"].body) for n in "ab" for i in range(4)} == {(0, b"new")}
    assert [r[f"{n}{i}"].info["NUM_CONNECTS"] for n in "ab" for i in (1, 2, 3)] == [0] * 6


@pytest.mark.parametrize("kind", ["GOAWAY", "end"])
def test_shared_connection_of_http_2_that_the_server_left(drive, way, h2_server, kind):
    """While no multi has it: the next handle makes a new one."""
    if SYSTEM and kind == "end":
        pytest.skip("libcurl 8.23 asks for the response on it in a multi handle, and ends the transfer")
    left = threading.Event()

    def leave(h2):
        h2.respond(h2.request(), 200, b"x")
        if kind == "GOAWAY":
            h2.send(goaway(1))
        else:
            h2.peer.finish()
        left.set()
    h2_server.play(leave)
    h2_server.play(lambda h2: h2.respond(h2.request(), 200, b"y"))
    d = share_connections(drive(way))
    for name in ("a", "b"):
        d.easy(name, URL=h2_server.url(), **h2_server.options).do("setopt", name, "SHARE", "s")
    d.perform("a").do("mark", "idle").start()
    d.expect("mark", "idle")
    assert left.wait(PATIENCE)
    r = d.perform("b").do("cleanup", "a", "b").do("shcleanup", "s").end()
    assert [r[n].body for n in "ab"] == [b"x", b"y"]


def requests_of_two_handles(d, server, **options):
    """One after the other, each in a multi of its own."""
    for name in ("a", "b"):
        d.easy(name, URL=server.url(), SSL_VERIFYPEER=0, **options).do("setopt", name, "SHARE", "s")
    for name in ("a", "b"):
        d.perform(name).getinfo(name, "NUM_CONNECTS", "CONN_ID", "HTTP_VERSION")
    return d.do("cleanup", "a", "b").do("shcleanup", "s").run()


@pytest.mark.usefixtures("http2")
@pytest.mark.parametrize("version", [0, V1_1, V2, V2TLS])
def test_connection_of_http_1_is_shared(drive, secure_server, version):
    """curl(1) asks for 2TLS, and each of its transfers made a connection of its own."""
    secure_server.script(*[Expect(), Reply(200, b"x")] * 2)
    r = requests_of_two_handles(share_connections(drive()), secure_server, HTTP_VERSION=version)
    assert [(r[n].code, r[n].body, r[n].info["NUM_CONNECTS"]) for n in "ab"] == [(0, b"x", 1), (0, b"x", 0)]
    assert r["a"].info["CONN_ID"] == r["b"].info["CONN_ID"]


def test_upgrade_with_shared_connections(drive, h2_plain):
    """Such a connection stays the multi's: it was the share's, where nothing upgrades it."""
    h2_plain.script(part(lambda h2: h2.respond(h2.streams[1], 200, b"up"), made=upgraded))
    d = share_connections(drive()).easy("h", URL=h2_plain.url(), HTTP_VERSION=V2).do("setopt", "h", "SHARE", "s")
    r = d.perform().getinfo("h", "HTTP_VERSION").do("cleanup", "h").do("shcleanup", "s").run()
    assert (r["h"].code, r["h"].body, r["h"].info["HTTP_VERSION"]) == (0, b"up", 3)


@pytest.mark.usefixtures("http2")
def test_limit_counts_connections_of_both_versions(drive, make_server, certs, h2_server):
    """Of a share's connections and of the multi's: one gives way to another."""
    old = make_server(tls=certs.context())
    old.script(Expect(), Reply(200, b"old"), UntilClose())
    old.script(Expect(), Reply(200, b"old"), UntilClose())
    h2_server.default(H2Serve(answer=lambda s: (200, [], b"new", True)))
    d = share_connections(drive("poll")).do("multi", "m").do("msetopt", "m", "MAX_TOTAL_CONNECTIONS", 1)
    for name, server in (("a", old), ("b", h2_server), ("c", old)):
        d.easy(name, URL=server.url(), SSL_VERIFYPEER=0, HTTP_VERSION=V2TLS, SSL_VERIFYHOST=0)
        d.do("setopt", name, "SHARE", "s").do("add", "m", name)
    d.do("drive", "m", "all")
    for name in "abc":
        d.getinfo(name, "NUM_CONNECTS").do("remove", "m", name)
    r = d.do("mcleanup", "m").do("cleanup", "a", "b", "c").do("shcleanup", "s").run()
    assert [(r[n].code, r[n].body, r[n].info["NUM_CONNECTS"]) for n in "abc"] == [(0, b"old", 1), (0, b"new", 1), (0, b"old", 1)]


# ---------------------------------------------------------------- by every TLS library

@pytest.mark.usefixtures("http2")
@pytest.mark.parametrize("alpn,version", [(["h2", "http/1.1"], 3), (["h2"], 3), (["http/1.1"], 2), (None, 2)])
def test_what_the_server_chooses(drive, way, make_server, certs, alpn, version):
    """By ALPN, and HTTP/1.1 where it chooses nothing. Two requests go on one connection either way."""
    server = make_server(cls=H2Server, tls=certs.context(alpn=alpn))
    if version == 3:
        server.script(H2Serve(answer=lambda s: (200, [], b"x", True)))
    else:
        server.script(Expect(), Reply(200, b"x"), Expect(), Reply(200, b"x"))
    d = drive(way).easy("h", URL=server.url(host="localhost"), CAINFO=certs.path("ca.pem")).perform().perform()
    r = d.getinfo("h", "HTTP_VERSION", "NUM_CONNECTS").run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"x")] * 2
    assert r["h"].info == {"HTTP_VERSION": version, "NUM_CONNECTS": 0}
