"""HTTP/3 where the way to the server changes: paths that take short datagrams, servers that vanish, addresses that go away.

Networks are of a network namespace of the test's own, which needs root."""

import contextlib
import os
import socket
import subprocess
import threading

import pytest

import http3_servers
from http2_servers import CRC
from mote_driver import PAUSE_CONT, Driver, crc, not_debian, pattern

ONLY = 31
BUFFER = 16384

pytestmark = [pytest.mark.usefixtures("http3"), not_debian("it has no HTTP/3")]


@pytest.fixture(scope="module")
def http3(programs):
    if Driver(programs).easy("h", HTTP_VERSION=ONLY).run().of("setopt"):
        pytest.skip("HTTP/3 is not built")


@pytest.fixture
def options(certs):
    return {"CAINFO": certs.path("ca.pem"), "HTTP_VERSION": ONLY, "TIMEOUT": 60}


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)


@pytest.fixture
def network():
    """Programs that start now see a network with lo alone."""
    before = os.open("/proc/self/ns/net", os.O_RDONLY)
    try:
        os.unshare(os.CLONE_NEWNET)
        ip("link", "set", "lo", "up")
    except (AttributeError, OSError) as e:
        os.close(before)
        pytest.skip(f"no network of its own: {e}")
    yield
    os.setns(before)
    os.close(before)


@pytest.fixture
def nginx(network, tmp_path, certs):
    with contextlib.closing(http3_servers.Nginx(tmp_path, certs)) as server:
        yield server


@pytest.fixture
def peer(network, tmp_path, certs):
    with contextlib.closing(http3_servers.Peer(tmp_path, certs)) as server:
        yield server


def got(t, name):
    assert (t.code, t.error, t.length, t.crc) == (0, "", *CRC[name])


# ---------------------------------------------------------------- short datagrams

@pytest.mark.parametrize("mtu", [1300, 1228])
def test_narrow_path(drive, way, nginx, options, mtu, ours_only):
    """What is too long is for finding out how long a datagram may be: nothing else is lost with it, and nothing waits."""
    ours_only("libcurl 8.23 waits for 200 ms")
    ip("link", "set", "lo", "mtu", str(mtu))
    quick = []
    for _ in range(4):
        t = drive.get(way, URL=nginx.url("/64k.bin", "quic"), info=["TOTAL_TIME_T"], **options)
        got(t, "64k.bin")
        quick.append(t.info["TOTAL_TIME_T"])
    assert min(quick) < 150_000, quick
    d = drive(way).easy("h", URL=nginx.url(nginx.upload, "quic"), UPLOAD=1, INFILESIZE=3_000_000, **options)
    r = d.body("h", 3_000_000).perform().setopt("h", HTTPGET=1).perform().run()
    assert [t.code for t in r.all("h")] == [0, 0] and r["h"].crc == crc(pattern(3_000_000))


def test_path_becomes_narrow(drive, multi_way, peer, options):
    """In the middle of an upload, whose datagrams are as long as the path was."""
    size = 2_000_000
    d = drive(multi_way).do("multi", "m").easy("h", URL=peer.url("/echo", "quic"), UPLOAD=1, INFILESIZE=size, **options)
    d.body("h", size).on("h", "read", "call", size // BUFFER // 2, "pause").do("add", "m", "h").do("drive", "m", "paused", "h").start()
    d.expect("paused", "h", "read")
    ip("link", "set", "lo", "mtu", "1300")
    r = d.do("calm", "h").do("pause", "h", PAUSE_CONT).do("drive", "m", "all").end()
    assert (r["h"].code, r["h"].error, r["h"].crc) == (0, "", crc(pattern(size)))


# ---------------------------------------------------------------- servers that vanish

class Forgetful:
    """A port whose datagrams come to another port, and back, but for those of clients that it is to forget."""

    def __init__(self, port):
        self.udp, self.port, self.clients, self.forgotten = socket.socket(type=socket.SOCK_DGRAM), port, {}, set()
        self.udp.bind(("127.0.0.1", 0))
        threading.Thread(target=self.there, daemon=True).start()

    def there(self):
        while True:
            data, client = self.udp.recvfrom(65536)
            if client in self.forgotten:
                continue
            if client not in self.clients:
                self.clients[client] = socket.socket(type=socket.SOCK_DGRAM)
                self.clients[client].connect(("127.0.0.1", self.port))
                threading.Thread(target=self.back, args=(client,), daemon=True).start()
            self.clients[client].send(data)

    def back(self, client):
        while True:
            data = self.clients[client].recv(65536)
            if client not in self.forgotten:
                self.udp.sendto(data, client)

    def forget(self):
        self.forgotten |= set(self.clients)

    def remember(self):
        self.forgotten.clear()

    def url(self, path):
        return f"https://localhost:{self.udp.getsockname()[1]}{path}"


@pytest.fixture(scope="module")
def real(tmp_path_factory, certs):
    with contextlib.closing(http3_servers.Nginx(tmp_path_factory.mktemp("nginx"), certs)) as server:
        yield server


def test_kept_connection_to_a_server_that_vanished(drive, way, real, options, ours_only):
    """Silence of three seconds is the end of it, not that of the idle timeout; the request is made again on a new one."""
    ours_only("it waits for the end of the idle timeout")
    relay = Forgetful(real.port("quic"))
    d = drive(way).easy("h", URL=relay.url("/12.txt"), **options).perform().start()
    d.expect("result")
    relay.forget()
    r = d.perform().getinfo("h", "NUM_CONNECTS", "TOTAL_TIME_T").end()
    for t in r.all("h"):
        got(t, "12.txt")
    assert r["h"].info["NUM_CONNECTS"] == 1 and 2_500_000 < r["h"].info["TOTAL_TIME_T"] < 15_000_000


def test_upload_to_a_server_that_is_away_for_five_seconds(drive, way, real, options):
    """Its body may not be had a second time: silence of three seconds is not the end."""
    relay = Forgetful(real.port("quic"))
    d = drive(way).easy("h", URL=relay.url("/12.txt"), **options).perform().start()
    d.expect("result")
    relay.forget()
    threading.Timer(5, relay.remember).start()
    d.setopt("h", URL=relay.url(real.upload), UPLOAD=1, INFILESIZE=500_000).body("h", 500_000)
    t = d.perform().getinfo("h", "NUM_CONNECTS").end().all("h")[-1]
    assert (t.code, t.error, t.info["NUM_CONNECTS"]) == (0, "", 0)


def test_kept_connection_to_a_slow_server(drive, way, peer, options):
    """An answer that takes longer comes from a server that acknowledges the request."""
    d = drive(way).easy("h", URL=peer.url("/12.txt", "quic"), **options).perform()
    r = d.setopt("h", URL=peer.url("/slow/4", "quic")).perform().getinfo("h", "NUM_CONNECTS").run()
    assert (r["h"].code, r["h"].body, r["h"].info["NUM_CONNECTS"]) == (0, b"slow\n", 0)


# ---------------------------------------------------------------- addresses that go away

@pytest.fixture
def addresses(network):
    """Two addresses of the client, of which the first one is used, and a function that takes it away."""
    ip("addr", "flush", "dev", "lo")
    for last in (1, 2, 3):
        ip("addr", "add", f"127.0.0.{last}/32", "dev", "lo")

    def use(last):
        ip("route", "replace", "local", "127.0.0.1", "dev", "lo", "src", f"127.0.0.{last}", "table", "local")

    def move():
        ip("route", "add", "127.0.0.2/32", "dev", "lo")  # what the server still sends there is lost, and no error
        use(3)
        ip("addr", "del", "127.0.0.2/32", "dev", "lo")

    use(2)
    yield move


def test_kept_connection_whose_address_went(drive, way, addresses, nginx, options, ours_only):
    ours_only("it does not migrate")
    d = drive(way).easy("h", URL=nginx.url("/64k.bin", "quic"), **options).perform().getinfo("h", "LOCAL_IP").start()
    d.expect("info", "h", "LOCAL_IP")
    addresses()
    r = d.perform().getinfo("h", "NUM_CONNECTS").end()
    for t in r.all("h"):
        got(t, "64k.bin")
    assert (r.all("h")[0].info["LOCAL_IP"], r["h"].info["NUM_CONNECTS"]) == ("127.0.0.2", 0)


@pytest.mark.parametrize("server", ["nginx", "aioquic"])
def test_address_goes_in_the_middle(drive, multi_way, addresses, request, options, server, ours_only):
    ours_only("it does not migrate")
    server = request.getfixturevalue({"nginx": "nginx", "aioquic": "peer"}[server])
    d = drive(multi_way).do("multi", "m").easy("h", URL=server.url("/1m.bin", "quic"), **options)
    d.on("h", "write", "call", 5, "pause").do("add", "m", "h").do("drive", "m", "paused", "h").start()
    d.expect("paused", "h", "write")
    addresses()
    r = d.do("calm", "h").do("pause", "h", PAUSE_CONT).do("drive", "m", "all").getinfo("h", "NUM_CONNECTS").end()
    got(r["h"], "1m.bin")
    assert r["h"].info["NUM_CONNECTS"] == 1


def test_bound_socket_stays(drive, addresses, nginx, options, ours_only):
    """The application wants that address and no other."""
    ours_only("it does not migrate")
    d = drive("easy").easy("h", URL=nginx.url("/12.txt", "quic"), INTERFACE="host!127.0.0.2", **options).perform().start()
    d.expect("result")
    addresses()
    r = d.perform().end()
    assert [t.code == 0 for t in r.all("h")] == [True, False]
