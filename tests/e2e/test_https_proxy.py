"""HTTPS proxies: TLS to the proxy by options of its own, requests that it passes on, and TLS in TLS."""

import pytest

from mote_driver import NEWEST, by_library, not_debian
from script import Read, Relay, Send
from server import Close, Expect, Reply, UntilClose, response
from tls_libraries import tls

OPENED = b"HTTP/1.1 200 ok\r\n\r\n"


@pytest.fixture(autouse=True)
def leave_out(request):
    if NEWEST and getattr(request.node, "callspec", None) and request.node.callspec.params.get("way") == "socket":
        pytest.skip("the newest libcurl calls the socket callback with a handle that is none")


@pytest.fixture
def proxy(make_server, certs):
    return make_server(tls=certs.context())


@pytest.fixture
def trusted(certs):
    return {"PROXY_CAINFO": certs.path("ca.pem")}


def get(drive, proxy, url="http://a.test/", way="easy", host="127.0.0.1", **options):
    options = {"TIMEOUT": 30, **options}
    return drive.get(way, URL=url, PROXY=f"https://{host}:{proxy.port}", info=["PROXY_SSL_VERIFYRESULT", "SSL_VERIFYRESULT"],
                     **options)


def test_passes_on(drive, proxy, trusted, way, ours_only):
    ours_only("libcurl uses a connection to an HTTPS proxy for one host")
    proxy.script(Expect(target="http://a.test/", has={"Proxy-Authorization": "Basic bWU6cHc="}), Reply(200, b"x"),
                 Expect(target="http://b.test/"), Reply(200, b"y"))
    d = drive(way).easy(URL="http://a.test/", PROXY=f"https://me:pw@127.0.0.1:{proxy.port}", **trusted).perform()
    r = d.setopt("h", URL="http://b.test/").perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"x"), (0, b"y")]
    assert proxy.connections[0].alpn in (None, "http/1.1")


def test_passes_on_once(drive, proxy, trusted, way):
    proxy.script(Expect(target="http://a.test/"), Reply(200, b"x"))
    assert get(drive, proxy, way=way, **trusted).body == b"x"


@pytest.mark.parametrize("tunnel", [0, 1])
def test_a_connection_without_tls_is_none_to_an_https_proxy(drive, make_server, trusted, tunnel):
    """Of two proxies that differ in the scheme of their text alone, the second one's login would go unencrypted."""
    server = make_server()
    if tunnel:
        server.script(Read(connect("a.test:80")), Send(OPENED), Expect(target="/"), Reply(200, b"x"), UntilClose())
    else:
        server.script(Expect(target="http://a.test/"), Reply(200, b"x"), UntilClose())
    server.script(Read(b"\x16"), Close())
    d = drive().easy(URL="http://a.test/", PROXY=f"http://127.0.0.1:{server.port}", HTTPPROXYTUNNEL=tunnel, TIMEOUT=30, **trusted)
    r = d.perform().setopt("h", PROXY=f"https://127.0.0.1:{server.port}").perform().run()
    assert [t.code for t in r.all("h")] == [0, 35]


def test_proxytype(drive, proxy, trusted):
    proxy.script(Expect(target="http://a.test/"), Reply(200, b"x"))
    assert drive.get(URL="http://a.test/", PROXY=f"127.0.0.1:{proxy.port}", PROXYTYPE=2, **trusted).body == b"x"


def connect(target):
    return f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\nProxy-Connection: Keep-Alive\r\n\r\n".encode()


def test_tunnel(drive, proxy, trusted, way):
    proxy.script(Read(connect("a.test:80")), Send(OPENED), Expect(target="/"), Reply(200, b"x"))
    t = get(drive, proxy, way=way, HTTPPROXYTUNNEL=1, **trusted)
    assert (t.code, t.body) == (0, b"x")


def test_head_of_the_answer(drive, proxy, trusted, way):
    """It comes when TLS has been ready for a while."""
    proxy.script(Read(connect("a.test:80")), Send(b"HTTP/1.1 200 ok\r\nVia: p\r\n\r\n"), Expect(target="/"), Reply(200, b"x"))
    t = get(drive, proxy, way=way, HTTPPROXYTUNNEL=1, **trusted)
    assert (t.code, t.headers[:3]) == (0, [b"HTTP/1.1 200 ok\r\n", b"Via: p\r\n", b"\r\n"])


def test_challenge(drive, proxy, trusted, way):
    """A digest for CONNECT, by the same connection."""
    proxy.script(Expect("CONNECT", lacks=["Proxy-Authorization"]),
                 Send(response(407, b"no", ['Proxy-Authenticate: Digest realm="r", nonce="n"'])),
                 Expect("CONNECT", check=lambda q: q.header("Proxy-Authorization").startswith("Digest ")), Send(OPENED),
                 Expect(target="/"), Reply(200, b"x"))
    t = get(drive, proxy, way=way, HTTPPROXYTUNNEL=1, PROXYUSERPWD="p:w", PROXYAUTH=2, **trusted)
    assert (t.code, t.body) == (0, b"x")


def test_refused(drive, proxy, trusted, way):
    proxy.script(Read(connect("a.test:80")), Send(response(503, b"no")), UntilClose())
    t = drive.get(way, URL="http://a.test/", PROXY=f"https://127.0.0.1:{proxy.port}", HTTPPROXYTUNNEL=1,
                  info=["HTTP_CONNECTCODE"], **trusted)
    assert (t.code, t.info["HTTP_CONNECTCODE"]) == (by_library(7, 56, 7), 503)


@pytest.mark.parametrize("size", [2, 300_000])
def test_tls_in_tls(drive, make_server, proxy, certs, trusted, way, size):
    tls = make_server(tls=certs.context())
    tls.answer(response(200, b"b" * size))
    proxy.script(Read(connect(f"localhost:{tls.port}")), Send(OPENED), Relay(tls.port))
    t = get(drive, proxy, url=tls.url(host="localhost"), way=way, CAINFO=certs.path("ca.pem"), **trusted)
    assert (t.code, len(t.body or b"") or t.length) == (0, size)


def hello(version, suite):
    """A server's hello of TLS up to 1.2."""
    body = version + bytes(32) + b"\0" + suite + b"\0"
    return b"\x16" + version + (len(body) + 4).to_bytes(2, "big") + b"\x02" + len(body).to_bytes(3, "big") + body


@pytest.mark.parametrize("answer,text", [(hello(b"\3\2", b"\xc0\x13"), "unsupported protocol"),
                                         (hello(b"\3\3", b"\0\1"), "wrong cipher returned")], ids=["version", "suite"])
def test_what_is_wrong_in_the_inner_tls_is_reported(drive, make_server, proxy, certs, trusted, tls, answer, text):
    """The alert about it goes through the outer one, which uses the same error queue of OpenSSL."""
    server = make_server()
    server.script(Read(b"\x16"), Send(answer), UntilClose())
    proxy.script(Read(connect(f"localhost:{server.port}")), Send(OPENED), Relay(server.port))
    t = get(drive, proxy, url=f"https://localhost:{server.port}/", CAINFO=certs.path("ca.pem"), **trusted)
    assert t.code == 35
    assert tls.name != "openssl" or by_library(text, "", "") in t.error


# ---------------------------------------------------------------- whom it trusts

def test_servers_trust_is_not_the_proxys(drive, make_server, certs):
    proxy = make_server(tls=certs.context(), tls_may_fail=True)
    proxy.script()
    t = get(drive, proxy, CAINFO=certs.path("ca.pem"), PROXY_CAINFO=certs.path("ca2.pem"), SSL_VERIFYPEER=0,
            SSL_VERIFYHOST=0)
    assert t.code == 60
    assert t.info["SSL_VERIFYRESULT"] == 0
    assert t.info["PROXY_SSL_VERIFYRESULT"] != 0


def test_proxys_trust_is_not_the_servers(drive, make_server, proxy, certs, trusted):
    tls = make_server(tls=certs.context(), tls_may_fail=True)
    tls.script()
    proxy.script(Read(connect(f"localhost:{tls.port}")), Send(OPENED), Relay(tls.port))
    t = get(drive, proxy, url=tls.url(host="localhost"), CAINFO=certs.path("ca2.pem"), **trusted)
    assert t.code == by_library(60, 35, 60)
    assert not tls.asked()


def test_another_name(drive, make_server, certs, trusted):
    proxy = make_server(tls=certs.context(), tls_may_fail=True)
    proxy.script()
    options = {**trusted, "RESOLVE": [f"other.test:{proxy.port}:127.0.0.1"]}
    assert get(drive, proxy, host="other.test", **options).code == 60


def test_not_verified(drive, proxy):
    proxy.script(Expect(), Reply(200, b"x"))
    assert get(drive, proxy, PROXY_SSL_VERIFYPEER=0, PROXY_SSL_VERIFYHOST=0).body == b"x"


def test_trust_in_a_blob(drive, proxy, certs):
    proxy.script(Expect(), Reply(200, b"x"))
    assert get(drive, proxy, PROXY_CAINFO_BLOB=[certs.path("ca.pem")]).body == b"x"


@pytest.mark.parametrize("pin", ["right", "sha256//" + "A" * 43 + "=", ""])
def test_pinned_key(drive, make_server, certs, trusted, pin):
    right = pin == "right"
    proxy = make_server(tls=certs.context(), tls_may_fail=not right)
    if right:
        pin = certs.pin()
        proxy.script(Expect(), Reply(200, b"x"))
    else:
        proxy.script()
    assert get(drive, proxy, PROXY_PINNEDPUBLICKEY=pin, **trusted).code == (0 if right else 90)


def test_no_tls(drive, make_server, trusted):
    server = make_server()
    server.script(Read(5), Send(b"HTTP/1.1 400 no\r\n\r\n"), UntilClose())
    assert get(drive, server, **trusted).code == 35


# ---------------------------------------------------------------- certificates of both sides

PEM = {"PROXY_SSLCERT": "client.pem", "PROXY_SSLKEY": "client.key"}


@pytest.mark.parametrize("tunnel", [0, 1])
@pytest.mark.parametrize("given", ["files", "blobs", "password", "none", "the server's"])
def test_client_certificate(drive, make_server, certs, trusted, given, tunnel, tls):
    """A proxy that demands a certificate gets the proxy's and never the server's."""
    wrong = given in ("none", "the server's")
    unread = tls.expects("encrypted key", 0) if given == "password" else 0
    proxy = make_server(tls=certs.context(client_ca="ca.pem"), tls_may_fail=bool(wrong or unread))
    if wrong or unread:
        proxy.script()
    elif tunnel:
        proxy.script(Read(connect("a.test:80")), Send(OPENED), Expect(target="/"), Reply(200, b"x"))
    else:
        proxy.script(Expect(target="http://a.test/"), Reply(200, b"x"))
    options = {"files": {k: certs.path(v) for k, v in PEM.items()},
               "blobs": {k + "_BLOB": [certs.path(v)] for k, v in PEM.items()},
               "password": {"PROXY_SSLCERT": certs.path("client.pem"), "PROXY_SSLKEY": certs.path("clientenc.key"),
                            "PROXY_KEYPASSWD": "secret"},
               "none": {},
               "the server's": {"SSLCERT": certs.path("client.pem"), "SSLKEY": certs.path("client.key")}}[given]
    t = get(drive, proxy, HTTPPROXYTUNNEL=tunnel, **trusted, **options)
    if unread:
        assert t.code == unread
    elif wrong:  # with TLS 1.3 the proxy refuses after the client's handshake, while that sends its request
        assert t.code in tls.expects("no certificate", (55, 56, 98)) and t.body == b""
    else:
        assert (t.code, t.body) == (0, b"x")


@pytest.mark.parametrize("name, option, file, code", [
    ("good", "PROXY_CRLFILE", "crl.pem", 0), ("revoked", "PROXY_CRLFILE", "crl.pem", 60), ("revoked", "CRLFILE", "crl.pem", 0),
    ("good", "PROXY_ISSUERCERT", "ca.pem", 0), ("good", "PROXY_ISSUERCERT", "ca2.pem", 83), ("good", "ISSUERCERT", "ca2.pem", 0),
    ("good", "PROXY_ISSUERCERT_BLOB", ["ca2.pem"], 83)], ids=str)
def test_revoked_and_issuer(drive, make_server, certs, trusted, name, option, file, code, tls):
    if option.startswith("PROXY"):
        code = tls.expects(option.removeprefix("PROXY_").removesuffix("_BLOB"), code)
    proxy = make_server(tls=certs.context(name), tls_may_fail=bool(code))
    if code:
        proxy.script()
    else:
        proxy.script(Expect(), Reply(200, b"x"))
    value = [certs.path(file[0])] if isinstance(file, list) else certs.path(file)
    t = get(drive, proxy, **{option: value}, **trusted)
    assert t.code == code
    if code == 4:
        assert f"CURLOPT_{option.removesuffix('_BLOB')} is not supported" in t.error


def test_the_context_function_is_called_for_each_context(drive, make_server, proxy, certs, trusted):
    server = make_server(tls=certs.context())
    server.script(Expect(), Reply(200, b"x"))
    proxy.script(Read(connect(f"localhost:{server.port}")), Send(OPENED), Relay(server.port))
    d = drive().easy(URL=server.url(host="localhost"), PROXY=f"https://127.0.0.1:{proxy.port}", CAINFO=certs.path("ca.pem"),
                     TIMEOUT=30, **trusted)
    d.enable("h", "sslctx")
    t = d.perform().run().all("h")[0]
    assert (t.code, t.body, t.calls["sslctx"]) == (0, b"x", 2)


def test_a_context_function_that_fails(drive, make_server, certs, trusted):
    """A program that adds its own checks in it must see the proxy's, too."""
    proxy = make_server(tls=certs.context(), tls_may_fail=True)
    proxy.script()
    d = drive().easy(URL="http://a.test/", PROXY=f"https://127.0.0.1:{proxy.port}", TIMEOUT=30, **trusted)
    d.enable("h", "sslctx")
    d.on("h", "sslctx", "call", 1, "return", 77)
    assert d.perform().run().all("h")[0].code == 77


@pytest.mark.parametrize("kept", [1, 0])
def test_a_session_is_resumed(drive, proxy, trusted, kept):
    for _ in range(2):
        proxy.script(Expect(), Reply(200, b"x"), UntilClose())
    d = drive().easy(URL="http://a.test/", PROXY=f"https://127.0.0.1:{proxy.port}", FRESH_CONNECT=1, SSL_SESSIONID_CACHE=kept,
                     TIMEOUT=30, **trusted).perform().perform()
    assert [t.code for t in d.run().all("h")] == [0, 0]
    assert [c.tls_reused for c in proxy.connections] == [False, bool(kept)]


# ---------------------------------------------------------------- connections

@not_debian("it uses the connection again")
@pytest.mark.parametrize("change", [{"PROXY_SSL_VERIFYPEER": 0}, {"PROXY_SSLVERSION": 6},
                                    {"PROXY_SSL_CIPHER_LIST": "ECDHE-ECDSA-AES128-GCM-SHA256"}], ids=str)
def test_not_kept_for_others(drive, proxy, trusted, change):
    proxy.script(Expect(), Reply(200, b"one"))
    proxy.script(Expect(), Reply(200, b"two"))
    d = drive().easy(URL="http://a.test/", PROXY=f"https://127.0.0.1:{proxy.port}", **trusted).perform()
    r = d.setopt("h", **change).perform().run()
    assert [t.body for t in r.all("h")] == [b"one", b"two"]


@not_debian("it uses the connection again")
def test_not_kept_for_another_context_function(drive, proxy, trusted):
    proxy.script(Expect(), Reply(200, b"one"))
    proxy.script(Expect(), Reply(200, b"two"))
    d = drive().easy(URL="http://a.test/", PROXY=f"https://127.0.0.1:{proxy.port}", **trusted).perform()
    r = d.enable("h", "sslctx").perform().run()
    assert [t.body for t in r.all("h")] == [b"one", b"two"]
