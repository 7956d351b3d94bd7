"""Which version of HTTP a connection speaks: what is offered, which kept connections serve, and who waits for whom.

Normal life by each version: test_h2.py."""

import pytest

from mote_driver import by_library, not_debian
from script import Call
from server import response

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
