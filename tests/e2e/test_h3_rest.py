"""A connection by QUIC that has rested has no TLS any more: its packets have keys of their own (RFC 9001 section 6). What is asked
of it later has the answers of before, and what TLS would have been sent is dropped. libcurl keeps it."""

import pytest

from h3_bytes import play, response
from mote_driver import by_library, not_debian

KEPT = 1                       # CURLINFO_TLS_SSL_PTR has an SSL
GIVEN_UP = by_library(0, None, 1)
SESSION = "04000012" "00001c20" "00000000" "0100" "0004" "61626364" "0000"  # NewSessionTicket (RFC 8446 section 4.6.1)
RESPONSE = [response(b"ab"), "fin"]
FILE = b"hello world\n"

pytestmark = [pytest.mark.usefixtures("http3"), not_debian("it has no HTTP/3")]


@pytest.fixture
def peer(quic_peer):
    return quic_peer


@pytest.fixture
def options(quic_options):
    return quic_options


def in_a_row(d, peer, *paths, **options):
    """Transfers on one connection. Returns them, and whether each could get at an SSL when its response came."""
    d.easy("h", **options)
    for path in paths:
        d.setopt("h", URL=peer.url(path, "quic")).on("h", "write", "call", 1, "getinfo", "TLS_SSL_PTR").perform()
        d.getinfo("h", "NUM_CONNECTS", "SSL_VERIFYRESULT", "HTTP_VERSION")
    r = d.run()
    transfers = r.all("h")
    assert [t.code for t in transfers] == [0] * len(paths), transfers
    assert [t.info["NUM_CONNECTS"] for t in transfers] == [1] + [0] * (len(paths) - 1)
    return transfers, [line[-1] for line in r.of("info", "h", "TLS_SSL_PTR")]


def test_tls_is_given_up(drive, way, options, peer):
    transfers, tls = in_a_row(drive(way), peer, "/12.txt", "/12.txt", "/12.txt", **options)
    assert tls == [KEPT, GIVEN_UP, GIVEN_UP]
    assert [(t.info["SSL_VERIFYRESULT"], t.info["HTTP_VERSION"]) for t in transfers] == [(0, 30)] * 3


def test_keys_that_the_server_renews_later(drive, way, options, peer):
    transfers, _ = in_a_row(drive(way), peer, "/12.txt", *[play("keys", *RESPONSE)] * 3, "/12.txt", **options)
    assert [t.body for t in transfers] == [FILE, b"ab", b"ab", b"ab", FILE]


def test_session_that_comes_later(drive, way, options, peer):
    transfers, tls = in_a_row(drive(way), peer, "/12.txt", play("tls:" + SESSION, *RESPONSE), "/12.txt", **options)
    assert [t.body for t in transfers] == [FILE, b"ab", FILE] and tls[2] == GIVEN_UP


def test_sessions_that_no_one_waits_for(drive, way, options, peer):
    """Without CURLOPT_SSL_SESSIONID_CACHE there is no session to wait for."""
    assert in_a_row(drive(way), peer, "/12.txt", "/12.txt", SSL_SESSIONID_CACHE=0, **options)[1] == [KEPT, GIVEN_UP]


def test_session_of_the_connection_is_resumed(drive, way, options, peer):
    d = drive(way).easy("h", URL=peer.url("/12.txt", "quic"), **options).perform().perform()
    r = d.setopt("h", URL=peer.url("/resumed", "quic"), FRESH_CONNECT=1).perform().run()
    assert [t.code for t in r.all("h")] == [0, 0, 0] and r["h"].body == b"resumed"


def test_certificates_are_kept_where_they_may_be_asked_for(drive, way, options, peer):
    d = drive(way).easy("h", URL=peer.url("/12.txt", "quic"), CERTINFO=1, **options).perform().perform()
    r = d.getinfo("h", "CERTINFO", "NUM_CONNECTS").run()
    assert [t.code for t in r.all("h")] == [0, 0] and r["h"].info["NUM_CONNECTS"] == 0
    assert r["h"].info["CERTINFO"][0] == "1" and "0:Subject:" in r["h"].info["CERTINFO"][1]


def test_tls_of_an_application_with_a_context_function(drive, way, options, peer):
    d = drive(way)
    d.easy("h", URL=peer.url("/12.txt", "quic"), **options).enable("h", "sslctx").perform()
    r = d.on("h", "write", "call", 1, "getinfo", "TLS_SSL_PTR").perform().run()
    assert [t.code for t in r.all("h")] == [0, 0] and r.of("info", "h", "TLS_SSL_PTR")[0][-1] == KEPT
