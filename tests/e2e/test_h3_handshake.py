"""HTTP/3's handshake with servers that speak another version, lie about their parameters or have the wrong certificate."""

import re
import socket
import threading
import time

import pytest

import http3_servers
from h3_fixtures import ONLY, V2, V3, both_free, got
from mote_driver import SYSTEM, by_library, not_debian
from server import response

pytestmark = [pytest.mark.usefixtures("http3"), not_debian("it has no HTTP/3")]

NO_QUIC = 96  # CURLE_QUIC_CONNECT_ERROR


# ---------------------------------------------------------------- versions and addresses

def test_another_version(drive, way, quic_peer, quic_options):
    """The server's version negotiation names none that is known."""
    t = drive.get(way, URL=quic_peer.url("/12.txt", "versions"), **quic_options)
    assert t.code in by_library([NO_QUIC], None, [7, NO_QUIC]) and t.error


def test_another_version_leaves_it_to_tcp(drive, way, quic_peer, quic_options, make_server, certs, relay):
    """In a race it is TCP's turn at once."""
    server = make_server(tls=certs.context())
    server.answer(response(200, b"by tcp\n"))
    relay(quic_peer.port("versions"), at=server.port)
    t = drive.get(way, URL=server.url("/"), **{**quic_options, "HTTP_VERSION": V3})
    assert (t.code, t.body) == (0, b"by tcp\n")


def test_version_negotiation_that_is_made_up(drive, way, quic_nginx, quic_options, relay):
    """One that comes after the server's first packet is ignored (RFC 9000 section 6.2)."""
    def hook(_, direction, data, n):
        if direction == "back" and 2 <= n <= 6 and data[0] & 0x80:
            to, own = data[6:6 + data[5]], data[7 + data[5]:][:data[6 + data[5]]]
            return [data, b"\x80\0\0\0\0" + bytes([len(to)]) + to + bytes([len(own)]) + own + b"\x0a\x1a\x2a\x3a"]
        return None
    r = relay(quic_nginx.port("quic"), hook=hook)
    got(drive.get(way, URL=r.url("/64k.bin"), **quic_options), "64k.bin")


def test_retry(drive, way, quic_peer, quic_options):
    """And a second connection, which may have a token."""
    d = drive(way).easy("h", URL=quic_peer.url("/64k.bin", "retry"), FRESH_CONNECT=1, **quic_options).perform()
    for t in d.perform().run().all("h"):
        got(t, "64k.bin")


def test_retry_that_is_lost(drive, way, quic_peer, quic_options, relay):
    r = relay(quic_peer.port("retry"), hook=lambda _, direction, data, n: [] if direction == "back" and n in (1, 3) else None)
    got(drive.get(way, URL=r.url("/64k.bin"), **quic_options), "64k.bin")


def test_preferred_address(drive, way, quic_peer, quic_options):
    """A server that asks the client to move, to an address where no one is, goes on being spoken to at its own."""
    d = drive(way).easy("h", URL=quic_peer.url("/64k.bin", "preferred"), **quic_options).perform()
    for t in d.perform().perform().run().all("h"):
        got(t, "64k.bin")


# ---------------------------------------------------------------- transport parameters

@pytest.mark.parametrize("kind", http3_servers.WRONG)
def test_wrong_parameters(drive, way, quic_peer, quic_options, kind):
    t = drive.get(way, URL=quic_peer.url("/12.txt", kind), **quic_options)
    assert t.code in by_library([NO_QUIC, 35], None, [7, 28, 35, 55, 56, 95, NO_QUIC]) and t.error


@pytest.mark.parametrize("kind, code", [("unknown", 0), ("nouni", 95), ("nostreams", 28), ("nodata", 28)])
def test_odd_parameters(drive, way, quic_peer, quic_options, kind, code):
    """A peer that lets the client open no stream of its own has no HTTP/3; one without room for a request may still give some."""
    limit = {"TIMEOUT": None, "TIMEOUT_MS": 1500} if code == 28 else {}
    t = drive.get(way, URL=quic_peer.url("/64k.bin", kind), **{**quic_options, **limit})
    assert t.code in by_library([code], None, [code, 7, 95, 55, 56])
    assert "OpenSSL" not in t.error
    if not code:
        got(t, "64k.bin")


# ---------------------------------------------------------------- certificates

def said(t):
    """The code, and the text without what differs: ports. libcurl 8.23 has other texts for QUIC."""
    return t.code, "" if SYSTEM else re.sub(r"\b\d{4,5}\b", "N", t.error)


@pytest.mark.parametrize("name", http3_servers.CERTIFICATES)
def test_certificate_as_over_tcp(drive, way, http3_started, quic_options, name):
    server = http3_started(http3_servers.Certified)
    texts = {}
    for version in (V2, ONLY):
        t = drive.get(way, URL=server.url("/12.txt", name), **{**quic_options, "HTTP_VERSION": version})
        texts[version] = said(t)
    assert texts[V2] == texts[ONLY]
    assert texts[V2][0] == (0 if name in ("good", "revoked") else 60)


def test_no_busy_loop_after_a_certificate_was_refused(drive, http3_started, quic_options, relay, ours_only):
    """The other family's attempt has ended with it: its socket is not watched while TCP connects."""
    ours_only("not tried with libcurl")
    tcp, udp = both_free()
    port = udp.getsockname()[1]
    udp.close()
    with tcp, socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as other:
        other.bind(("::1", port))
        tcp.listen()
        relay(http3_started(http3_servers.Certified).port("expired"), at=port)

        def reply():
            """Something to read, when the certificate was refused long ago."""
            _, client = other.recvfrom(2000)
            time.sleep(0.3)
            other.sendto(b"\0" * 30, client)
        thread = threading.Thread(target=reply, daemon=True)
        thread.start()
        d = drive("poll").easy("h", URL=f"https://localhost:{port}/", RESOLVE=[f"localhost:{port}:127.0.0.1,[::1]"], CONNECTTIMEOUT_MS=1500,
                               HAPPY_EYEBALLS_TIMEOUT_MS=1, **{**quic_options, "HTTP_VERSION": V3}).do("multi", "m").do("add", "m", "h")
        r = d.do("drive", "m", "all").run()
        thread.join(10)
    assert r["h"].code == 28 and r.of("loops", "m", "all")[0][0] < 200


@pytest.mark.parametrize("more", [{"CAINFO": "ca2"}, {"CAINFO": "good"}, {"CRLFILE": "crl"}, {"PINNEDPUBLICKEY": "sha256//" + "A" * 43 + "="},
                                  {"CAINFO": "garbage"}, {"SSLCERT": "garbage"}, {"SSL_CIPHER_LIST": "NONE", "TLS13_CIPHERS": "NONE"}],
                         ids=lambda more: "-".join(more) + "-" + list(more.values())[0][:6])
def test_option_of_tls_as_over_tcp(drive, way, http3_started, quic_options, certs, more):
    server = http3_started(http3_servers.Certified)
    more = {k: certs.path(v + ".pem") if k in ("CAINFO", "CRLFILE", "SSLCERT") else v for k, v in more.items()}
    texts = []
    for version in (V2, ONLY):
        t = drive.get(way, URL=server.url("/12.txt", "good"), **{**quic_options, **more, "HTTP_VERSION": version})
        texts.append(said(t))
    assert texts[0] == texts[1]


def test_certificate_of_the_client(drive, way, http3_started, quic_options, certs):
    """The server wants one, and says what it thinks of it when the client's handshake is over (RFC 8446 section 4.4.2)."""
    server = http3_started(http3_servers.Certified)
    own = {"SSLCERT": certs.path("client.pem"), "SSLKEY": certs.path("client.key")}
    t = drive.get(way, URL=server.url("/subject", "client"), **quic_options, **own)
    assert (t.code, t.body) == (0, b"SUCCESS")
    codes = []
    for version in (V2, ONLY):
        t = drive.get(way, URL=server.url("/subject", "client"), info=["RESPONSE_CODE"], **{**quic_options, "HTTP_VERSION": version})
        codes.append((t.code, t.info["RESPONSE_CODE"]))
    assert codes[0] == codes[1] == (0, 400)


def test_revoked_certificate(drive, way, http3_started, quic_options, certs):
    server = http3_started(http3_servers.Certified)
    texts = []
    for version in (V2, ONLY):
        t = drive.get(way, URL=server.url("/12.txt", "revoked"), CRLFILE=certs.path("crl.pem"), **{**quic_options, "HTTP_VERSION": version})
        texts.append(said(t))
    assert texts[0] == texts[1] and texts[0][0] == 60


def test_unverified_certificate(drive, way, http3_started, quic_options):
    server = http3_started(http3_servers.Certified)
    t = drive.get(way, URL=server.url("/12.txt", "expired"), SSL_VERIFYPEER=0, info=["SSL_VERIFYRESULT"], **quic_options)
    got(t, "12.txt")
