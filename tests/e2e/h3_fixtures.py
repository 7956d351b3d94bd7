"""What the tests of HTTP/3 share: servers that are started when a test first asks for one, relays of datagrams, and how many
transfers are made and judged. conftest.py has the fixtures."""

import os
import socket

import pytest

import http3_servers
from http2_servers import CRC
from mote_driver import SANITIZED, Driver
from real_server import only_if
from udp_relay import Relay

V2, V3, ONLY = 3, 30, 31
FULL = os.environ.get("MOTE_HTTP3", "") == "all"
thorough = only_if(FULL)  # for runs with everything


def both_free():
    """A socket of TCP and one of datagrams that have the same port, which another socket of either kind may have taken."""
    while True:
        tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
        tcp.bind(("127.0.0.1", 0))
        try:
            udp.bind(tcp.getsockname())
        except OSError:
            tcp.close()
            udp.close()
        else:
            return tcp, udp


@pytest.fixture(scope="session")
def http3(programs):
    """For tests of HTTP/3, left out where it is not built."""
    if Driver(programs).easy("h", HTTP_VERSION=ONLY).run().of("setopt"):
        pytest.skip("HTTP/3 is not built")


@pytest.fixture(scope="session")
def http3_started(tmp_path_factory, certs):
    """A function that starts a server when it is first asked for."""
    running = {}

    def get(cls):
        if cls not in running:
            running[cls] = cls(tmp_path_factory.mktemp(cls.name), certs)
        return running[cls]
    yield get
    for server in running.values():
        server.close()


@pytest.fixture
def quic_nginx(http3, http3_started):
    return http3_started(http3_servers.Nginx)


@pytest.fixture
def quic_peer(http3, http3_started):
    return http3_started(http3_servers.Peer)


@pytest.fixture
def mortal(http3, tmp_path, certs):
    """A server of aioquic of this test's own, which may die."""
    server = http3_servers.Peer(tmp_path, certs)
    yield server
    server.close()


@pytest.fixture
def mortal_nginx(http3, tmp_path, certs):
    server = http3_servers.Nginx(tmp_path, certs)
    yield server
    server.close()


@pytest.fixture
def quic_options(certs):
    return {"CAINFO": certs.path("ca.pem"), "HTTP_VERSION": ONLY, "TIMEOUT": 180 if SANITIZED else 60}


@pytest.fixture
def relay():
    """Makes relays, which end with the test."""
    made = []

    def make(port, **harm):
        made.append(Relay(port, **harm))
        return made[-1]
    yield make
    for one in made:
        one.close()


def got(t, name):
    assert (t.code, t.error, t.length, t.crc) == (0, "", *CRC[name])


def files_of(many):
    return {f"h{i}": list(CRC)[i % 7 % len(CRC)] for i in range(many)}


def add(d, wanted, url, **options):
    """Handles with their files, all at once in multi m; url: of a path."""
    for name, file in wanted.items():
        d.easy(name, URL=url("/" + file), PIPEWAIT=1, **options)
    for name in wanted:
        d.do("add", "m", name)
    return d


def check(r, wanted):
    wrong = {n: (r[n].code, r[n].error, r[n].length) for n, file in wanted.items()
             if (r[n].code, r[n].length, r[n].crc) != (0, *CRC[file])}
    assert not wrong
