"""TLS: what is trusted and what is not, client certificates, pins, versions, sessions, odd closes."""

import os
import ssl
import subprocess
import sys
import threading

import pytest

from mote_driver import (COMMAND, DROPIN, NEWEST, SANITIZED, SYSTEM, TLS_1_2, TLS_1_3, TLS_MAX_1_2, Driver, by_library,
                         crc, not_debian, pattern)
from script import HalfRecord, Read, Relay
from server import (Body, Call, Close, CloseNoNotify, ContinueIfAsked, Expect, Reply, Reset, Send, Serve, Set, UntilClose,
                    Wait, chunked, response)
from tls_libraries import tls  # noqa: F401 (a fixture: every test here runs with each library)
from ws_peer import TEXT, Handshake, frame


def ok(request, peer):
    return response(200, b"%d" % peer.number)


@pytest.fixture
def good(make_server, certs):
    s = make_server(tls=certs.context(alpn=["http/1.1"]))
    s.default(Serve(ok))
    return s


def wrong(make_server, certs, name="good", **kw):
    s = make_server(tls=certs.context(name, **kw), tls_may_fail=True)
    s.default(Serve(ok))
    return s


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_good(drive, good, certs, way, host, tls):
    t = drive.get(way, URL=good.url(host=host), CAINFO=certs.path("ca.pem"),
                  info=("SSL_VERIFYRESULT", "SCHEME", "HTTP_VERSION"))
    assert (t.code, t.body) == (0, b"0")
    assert (t.info["SSL_VERIFYRESULT"], t.info["SCHEME"].upper()) == (0, "HTTPS")
    assert good.connections[0].tls_version == tls.expects("newest", "TLSv1.3")
    assert good.connections[0].sni == ("localhost" if host == "localhost" else None)


def test_alpn(drive, good, certs):
    drive.get(URL=good.url(), CAINFO=certs.path("ca.pem"), HTTP_VERSION=2)
    assert good.connections[0].alpn == "http/1.1"


def test_alpn_off(drive, good, certs):
    assert drive.get(URL=good.url(), CAINFO=certs.path("ca.pem"), SSL_ENABLE_ALPN=0).code == 0
    assert good.connections[0].alpn is None


def test_chosen_by_the_environment(drive, good, certs, tls, monkeypatch):
    """CURL_SSL_BACKEND, in whatever case, where the program chooses none."""
    monkeypatch.setattr(Driver, "tls", None)
    env = {"CURL_SSL_BACKEND": tls.name.upper()}
    assert drive.get(URL=good.url(), CAINFO=certs.path("ca.pem"), env=env).code == 0
    assert good.connections[0].tls_version == tls.expects("newest", "TLSv1.3")
    printed = subprocess.run([COMMAND, "--version"], env=env, capture_output=True, text=True, check=True).stdout
    assert f" {tls.name}/" in printed.lower()  # those that do not serve stand in parentheses


CASES = [
    # certificate, host, options, code
    ("wrongname", "localhost", {}, 60),
    ("wrongname", "127.0.0.1", {}, 60),
    ("expired", "localhost", {}, 60),
    ("future", "localhost", {}, 60),
    ("otherca", "localhost", {}, 60),
    ("selfsigned", "localhost", {}, 60),
    ("cnonly", "127.0.0.1", {}, 60),
    ("ipv4only", "localhost", {}, 60),
    ("ipv4only", "127.0.0.1", {}, 0),
    ("otherca", "localhost", {"CAINFO": "ca2.pem"}, 0),
    ("otherca", "localhost", {"CAINFO": "mixed.pem"}, 0),
    ("selfsigned", "localhost", {"CAINFO": "selfsigned.pem"}, 0),
    ("good", "localhost", {"CAINFO": "marked.pem"}, 0),
    ("good", "localhost", {"CAINFO": "empty.pem"}, 77),
    ("good", "localhost", {"CAINFO": "garbage.pem"}, 77),
    ("good", "localhost", {"CAINFO": "not-there.pem"}, 77),
    ("good", "localhost", {"CAINFO": None, "CAPATH": "capath"}, 0),
    ("good", "localhost", {"CAINFO": None, "CAPATH": "emptypath"}, 60),
    ("wrongname", "localhost", {"SSL_VERIFYHOST": 0}, 0),
    ("wrongname", "localhost", {"SSL_VERIFYPEER": 0}, 60),
    ("expired", "localhost", {"SSL_VERIFYPEER": 0}, 0),
    ("selfsigned", "localhost", {"SSL_VERIFYPEER": 0, "SSL_VERIFYHOST": 0}, 0),
    ("good", "localhost", {"CRLFILE": "crl.pem"}, 0),
    ("revoked", "localhost", {}, 0),
    ("revoked", "localhost", {"CRLFILE": "crl.pem"}, 60),
    ("good", "localhost", {"CRLFILE": "not-there.pem"}, 82),
    ("good", "localhost", {"ISSUERCERT": "ca.pem"}, 0),
    ("good", "localhost", {"ISSUERCERT": "ca2.pem"}, 83),
]


@pytest.mark.parametrize("cert,host,options,code", CASES,
                         ids=["-".join([c[0], c[1], *map(str, c[2].values()), *c[2], str(c[3])]) for c in CASES])
def test_trust(drive, make_server, certs, tls, cert, host, options, code):
    if cert == "good" or "CRLFILE" in options:
        for option, value in options.items():
            code = code if value == "emptypath" else tls.expects(option, code)
    server = wrong(make_server, certs, cert)
    server.optional = True
    options = {k: certs.path(v) if isinstance(v, str) else v for k, v in {"CAINFO": "ca.pem", **options}.items()}
    if options["CAINFO"] is None and "CAPATH" in options:
        options["CAINFO"] = None
    t = drive.get(URL=server.url(host=host), info=("SSL_VERIFYRESULT",), **options)
    assert t.code == code, t.error
    assert bool(t.error) == bool(code)
    if code == 60:
        assert not server.requests
    if code == 0 and options.get("SSL_VERIFYPEER", 1):
        assert t.info["SSL_VERIFYRESULT"] == 0


@pytest.mark.parametrize("cert", ["wrongname", "expired", "otherca"])
def test_refusals_every_way(drive, make_server, certs, way, cert):
    server = wrong(make_server, certs, cert)
    t = drive.get(way, URL=server.url(host="localhost"), CAINFO=certs.path("ca.pem"))
    assert t.code == 60
    assert t.error
    assert not server.requests


@pytest.mark.parametrize("host,code", [("a.wild.test", 0), ("A.WILD.test", 0), ("wild.test", 60), ("a.b.wild.test", 60),
                                       ("a.wild.test.", 0), (".wild.test", 60), ("..wild.test", 60), ("a_b.wild.test", 0),
                                       ("a.under_score.test", 0), ("a.top", 60), ("a.dot.test", 0)])
def test_wildcard(drive, make_server, certs, host, code):
    server = wrong(make_server, certs, "wildcard")
    t = drive.get(URL=server.url(host=host), CAINFO=certs.path("ca.pem"),
                  RESOLVE=[f"{host}:{server.port}:127.0.0.1", f"{host.rstrip('.')}:{server.port}:127.0.0.1"])
    assert t.code == code, t.error


def test_common_name_alone(drive, make_server, certs):
    """A certificate without SAN: libcurl falls back to the common name, ours and RFC 9110 4.3.4 do not."""
    server = wrong(make_server, certs, "cnonly")
    t = drive.get(URL=server.url(host="localhost"), CAINFO=certs.path("ca.pem"))
    assert t.code == by_library(60, 0, 0)


@pytest.mark.parametrize("copy", [True, False])
def test_ca_blob(drive, good, certs, copy):
    options = {"CAINFO_BLOB": [certs.path("ca.pem")] + ([] if copy else ["nocopy"])}
    assert drive.get(URL=good.url(), CAINFO="/nowhere", **options).code == 0


def test_ca_blob_garbage(drive, make_server, certs):
    server = wrong(make_server, certs)
    server.optional = True
    t = drive.get(URL=server.url(), CAINFO_BLOB=[certs.path("garbage.pem")])
    assert t.code in (77, 60)


def test_default_ca_does_not_know_ours(drive, make_server, certs):
    server = wrong(make_server, certs)
    assert drive.get(URL=server.url()).code == by_library(60, 60, 77)  # the newest's default is a file that is not here


@pytest.mark.parametrize("option,shown", [("CAINFO", b"CAfile:"), ("CAPATH", b"CApath:")])
def test_null_is_not_the_default(drive, make_server, certs, ours_only, option, shown):
    """A program that takes the system's certificates away has fewer, and not the same."""
    ours_only("the lines are ours")

    def sources(**options):
        t = drive.get(URL=wrong(make_server, certs).url(), enable=["debug", "debugprint"], **options)
        assert t.code == 60
        return [line for kind, line in t.debug if kind == 0 and line.lstrip().startswith((b"CAfile:", b"CApath:"))]

    assert sources(**{option: None}) == [line for line in sources() if not line.lstrip().startswith(shown)]


def test_a_ca_that_was_added_is_seen(drive, make_server, certs, tmp_path):
    """By the next handle, whatever CA_CACHE_TIMEOUT says: the bundle's index is the process's."""
    first, second = wrong(make_server, certs), wrong(make_server, certs, "otherca")
    bundle, new = tmp_path / "bundle.pem", tmp_path / "new.pem"
    bundle.write_text(open(certs.path("ca.pem")).read())
    new.write_text(open(certs.path("ca2.pem")).read())
    d = drive().easy("a", URL=first.url(), CAINFO=bundle).perform("a").start()
    d.expect("result", "a")
    os.replace(new, bundle)
    r = d.easy("b", URL=second.url(), CAINFO=bundle).perform("b").end()
    assert (r["a"].code, r["b"].code) == (0, 0)


def test_ca_of_one_handle_is_not_anothers(drive, make_server, certs):
    server = wrong(make_server, certs)
    d = drive("poll").easy("a", URL=server.url(), CAINFO=certs.path("ca.pem")).easy("b", URL=server.url(),
                                                                                   CAINFO=certs.path("ca2.pem"))
    r = d.perform("a").perform("b").perform("a").run()
    assert [r.all("a")[0].code, r["b"].code, r.all("a")[1].code] == [0, 60, 0]


def test_bad_then_good(drive, make_server, certs, way):
    """A refusal leaves nothing in use."""
    server = wrong(make_server, certs)
    d = drive(way).easy(URL=server.url(), CAINFO=certs.path("ca2.pem")).perform()
    r = d.setopt("h", CAINFO=certs.path("ca.pem")).perform().setopt("h", CAINFO=certs.path("ca2.pem")).perform().run()
    assert [t.code for t in r.all("h")] == [60, 0, 60]


# ---------------------------------------------------------------- client certificates

@pytest.mark.parametrize("options", [
    {"SSLCERT": "client.pem", "SSLKEY": "client.key"},
    {"SSLCERT": "client.pem", "SSLKEY": "clientenc.key", "KEYPASSWD": "=secret"},
    {"SSLCERT": "client.p12", "SSLCERTTYPE": "=P12", "KEYPASSWD": "=secret"},
    {"SSLCERT": "client.der", "SSLCERTTYPE": "=DER", "SSLKEY": "clientkey.der", "SSLKEYTYPE": "=DER"},
    {"SSLCERT_BLOB": ["client.pem"], "SSLKEY_BLOB": ["client.key"]},
    {"SSLCERT": "client.pem", "SSLCERTTYPE": "=", "SSLKEY": "client.key", "SSLKEYTYPE": "="},
], ids=["pem", "encrypted", "p12", "der", "blob", "empty types"])
def test_client_certificate(drive, make_server, certs, options, tls):
    refused = tls.expects("P12" if "SSLCERTTYPE" in options and "P12" in options["SSLCERTTYPE"] else
                          "encrypted key" if "KEYPASSWD" in options else "", 0)
    server = make_server(tls=certs.context(client_ca="ca.pem"), tls_may_fail=bool(refused))
    server.default(Serve(ok))
    server.optional = bool(refused)

    def value(v):
        if isinstance(v, list):
            return [certs.path(v[0])]
        return v[1:] if v.startswith("=") else certs.path(v)
    t = drive.get(URL=server.url(), CAINFO=certs.path("ca.pem"), **{k: value(v) for k, v in options.items()})
    if refused:
        assert t.code == refused
        assert t.error
        return
    assert (t.code, t.body) == (0, b"0"), t.error
    assert server.connections[0].client_cert


def test_client_certificate_missing(drive, make_server, certs, way):
    server = make_server(tls=certs.context(client_ca="ca.pem"), tls_may_fail=True)
    server.default(Serve(ok))
    t = drive.get(way, URL=server.url(), CAINFO=certs.path("ca.pem"))
    assert t.code in (35, 56, 55, 98)  # which one depends on when the alert arrives
    assert t.error


@pytest.mark.parametrize("given", [True, False])
def test_client_certificate_asked_for_after_the_request(drive, make_server, certs, way, tls, given):
    """As by servers that want one for some of their pages only. A client that has none says so."""
    if tls.name != "openssl":
        pytest.skip("this library offers no authentication after the handshake")
    shown = []

    def ask(peer):
        peer.sock.verify_client_post_handshake()

    def look(peer):
        shown.append(bool(peer.sock.getpeercert(True)))

    context = certs.context(client_ca="ca.pem", low=V13)
    context.post_handshake_auth = True
    context.verify_mode = ssl.CERT_REQUIRED if given else ssl.CERT_OPTIONAL
    server = make_server(tls=context)
    server.script(Expect(body=False), Call(ask), ContinueIfAsked(), Body(b"body"), Call(look), Reply(200, b"x"))
    options = {"SSLCERT": certs.path("client.pem"), "SSLKEY": certs.path("client.key")} if given else {}
    t = drive.get(way, URL=server.url(), CAINFO=certs.path("ca.pem"), POSTFIELDS="body", HTTPHEADER=["Expect: 100-continue"],
                  EXPECT_100_TIMEOUT_MS=30000, **options)
    assert (t.code, t.body, shown) == (0, b"x", [given]), t.error


@pytest.mark.parametrize("options", [{"SSLCERT": "not-there.pem"}, {"SSLCERT": "garbage.pem", "SSLKEY": "client.key"},
                                     {"SSLCERT": "client.pem", "SSLKEY": "not-there.key"},
                                     {"SSLCERT": "client.pem", "SSLKEY": "good.key"},
                                     {"SSLCERT": "client.pem", "SSLKEY": "clientenc.key", "KEYPASSWD": "=wrong"}])
def test_client_certificate_bad(drive, make_server, certs, options):
    server = make_server(tls=certs.context(client_ca="ca.pem"), tls_may_fail=True)
    server.default(Serve(ok))
    server.optional = True
    options = {k: v[1:] if v.startswith("=") else certs.path(v) for k, v in options.items()}
    t = drive.get(URL=server.url(), CAINFO=certs.path("ca.pem"), **options)
    assert t.code == by_library(58, 58, 43 if "SSLKEY" in options and "garbage" not in options["SSLCERT"] else 58)
    assert t.error


# ---------------------------------------------------------------- pins

def test_pin_right(drive, good, certs):
    assert drive.get(URL=good.url(), CAINFO=certs.path("ca.pem"), PINNEDPUBLICKEY=certs.pin()).code == 0


def test_pin_one_of_several(drive, good, certs):
    pin = certs.pin("otherca") + ";" + certs.pin()
    assert drive.get(URL=good.url(), CAINFO=certs.path("ca.pem"), PINNEDPUBLICKEY=pin).code == 0


@pytest.mark.parametrize("pin", ["", "other", "sha256//", "garbage", "not-there.pem", "noverify"])
def test_pin_wrong(drive, make_server, certs, way, pin):
    server = wrong(make_server, certs)
    options = {"SSL_VERIFYPEER": 0, "SSL_VERIFYHOST": 0} if pin == "noverify" else {}
    value = {"other": certs.pin("otherca"), "noverify": certs.pin("otherca"), "garbage": certs.path("garbage.pem"),
             "not-there.pem": certs.path("not-there.pem")}.get(pin, pin)
    t = drive.get(way, URL=server.url(), CAINFO=certs.path("ca.pem"), PINNEDPUBLICKEY=value, **options)
    assert t.code == 90
    assert t.error
    assert not server.requests


def test_pin_file(drive, good, certs, tmp_path):
    pem = subprocess.run(["openssl", "x509", "-in", certs.path("good.pem"), "-pubkey", "-noout"], capture_output=True,
                         check=True).stdout
    (tmp_path / "key.pem").write_bytes(pem)
    der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "DER"], input=pem, capture_output=True, check=True).stdout
    (tmp_path / "key.der").write_bytes(der)
    for name in ("key.pem", "key.der"):
        assert drive.get(URL=good.url(), CAINFO=certs.path("ca.pem"), PINNEDPUBLICKEY=str(tmp_path / name)).code == 0


# ---------------------------------------------------------------- versions and ciphers

V12, V13 = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3


@pytest.mark.parametrize("low,high,option,code,version", [
    (V12, V12, 0, 0, "TLSv1.2"), (V13, V13, 0, 0, "TLSv1.3"), (V12, V13, 0, 0, "TLSv1.3"),
    (V12, V12, TLS_1_3, 35, None), (V13, V13, TLS_MAX_1_2, 35, None), (V12, V13, TLS_MAX_1_2, 0, "TLSv1.2"),
    (V12, V13, TLS_1_2, 0, "TLSv1.3"), (V12, V13, TLS_1_2 | TLS_MAX_1_2, 0, "TLSv1.2"),
])
def test_versions(drive, make_server, certs, tls, low, high, option, code, version):
    if version == "TLSv1.3":
        code = tls.expects("only 1.3", code) if low == V13 else code
        version = None if code else tls.expects("newest", version)
    server = wrong(make_server, certs, low=low, high=high)
    t = drive.get(URL=server.url(), CAINFO=certs.path("ca.pem"), SSLVERSION=option)
    assert t.code == code, t.error
    assert (server.connections[0].tls_version if server.connections else None) == version
    assert bool(t.error) == bool(code)


def test_bad_cipher_list(drive, make_server, certs):
    server = wrong(make_server, certs)
    t = drive.get(URL=server.url(), CAINFO=certs.path("ca.pem"), SSL_CIPHER_LIST="NOSUCH")
    assert t.code == 59


def test_cipher_chosen(drive, make_server, certs, tls):
    cipher = tls.expects("cipher", "ECDHE-ECDSA-AES256-GCM-SHA384")
    server = make_server(tls=certs.context(high=V12))
    server.script(Expect(), Reply(200, b"x"))
    t = drive.get(URL=server.url(), CAINFO=certs.path("ca.pem"), SSL_CIPHER_LIST=cipher)
    assert t.code == 0


@pytest.mark.parametrize("version", [V12, V13])
@pytest.mark.parametrize("option, value", [("SSL_CIPHER_LIST", "ECDHE-ECDSA-AES128-GCM-SHA256"),
                                           ("TLS13_CIPHERS", "TLS_AES_128_GCM_SHA256")])
def test_ciphers_of_one_version_leave_the_other_its_own(drive, make_server, certs, tls, option, value, version):
    code = tls.expects("only 1.3", 0) if version == V13 else 0
    server = make_server(tls=certs.context(low=version, high=version), tls_may_fail=bool(code))
    server.script(*([] if code else [Expect(), Reply(200, b"x")]))
    assert drive.get(URL=server.url(), CAINFO=certs.path("ca.pem"), **{option: value}).code == code


def test_no_tls_on_the_other_side(drive, make_server, certs, way):
    server = make_server()
    server.script(Send(b"HTTP/1.0 400 Bad Request\r\n\r\n"), Close())
    t = drive.get(way, URL=f"https://127.0.0.1:{server.port}/", CAINFO=certs.path("ca.pem"))
    assert t.code == 35
    assert t.error


def test_closed_in_the_handshake(drive, make_server, certs, way):
    server = make_server()
    server.script(Close())
    t = drive.get(way, URL=f"https://127.0.0.1:{server.port}/", CAINFO=certs.path("ca.pem"))
    assert t.code == 35
    assert t.error


def test_reset_in_the_handshake(drive, make_server, certs, way):
    server = make_server()
    server.script(Reset())
    t = drive.get(way, URL=f"https://127.0.0.1:{server.port}/", CAINFO=certs.path("ca.pem"))
    assert t.code in (7, 35)  # the reset may be seen before the handshake begins


def test_stalled_handshake(drive, make_server, certs, way):
    server = make_server()
    server.script(UntilClose())
    t = drive.get(way, URL=f"https://127.0.0.1:{server.port}/", CAINFO=certs.path("ca.pem"), CONNECTTIMEOUT_MS=200)
    assert t.code == 28


def test_http_to_a_tls_port(drive, make_server, certs, way):
    server = wrong(make_server, certs)
    t = drive.get(way, URL=f"http://127.0.0.1:{server.port}/")
    assert t.code in (52, 56, 1)


# ---------------------------------------------------------------- sessions

@pytest.mark.parametrize("high", [V12, V13])
def test_session_reused(drive, make_server, certs, high):
    server = make_server(tls=certs.context(high=high))
    server.default(Serve(lambda q, p: response(200, b"x", ["Connection: close"])))
    d = drive().easy(URL=server.url(), CAINFO=certs.path("ca.pem")).perform().perform()
    assert [t.code for t in d.run().all("h")] == [0, 0]
    assert [c.tls_reused for c in server.connections] == [False, True]


def test_session_not_reused_when_off(drive, make_server, certs):
    server = make_server(tls=certs.context())
    server.default(Serve(lambda q, p: response(200, b"x", ["Connection: close"])))
    d = drive().easy(URL=server.url(), CAINFO=certs.path("ca.pem"), SSL_SESSIONID_CACHE=0).perform().perform()
    d.run()
    assert [c.tls_reused for c in server.connections] == [False, False]


def test_session_not_for_other_options(drive, make_server, certs):
    """A session made without verification is not used with it."""
    server = make_server(tls=certs.context("otherca"), tls_may_fail=True)
    server.default(Serve(lambda q, p: response(200, b"x", ["Connection: close"])))
    d = drive().easy(URL=server.url(), CAINFO=certs.path("ca.pem"), SSL_VERIFYPEER=0).perform()
    r = d.setopt("h", SSL_VERIFYPEER=1).perform().run()
    assert [t.code for t in r.all("h")] == [0, 60]


@pytest.mark.parametrize("replaced", [True, False])
def test_session_not_after_the_trusted_file_has_changed(drive, make_server, certs, tmp_path, ours_only, replaced):
    """What the file holds now decides, not what it held when the session was made."""
    ours_only("the newest libcurl resumes the session")
    server = make_server(tls=certs.context(), tls_may_fail=True)
    server.default(Serve(lambda q, p: response(200, b"x", ["Connection: close"])))
    ca = tmp_path / "ca"
    ca.write_text(open(certs.path("ca.pem")).read())
    d = drive().easy(URL=server.url(), CAINFO=ca, CA_CACHE_TIMEOUT=0).perform().perform().start()
    d.expect("result", "h")
    d.expect("result", "h")
    if replaced:
        (tmp_path / "new").write_text(open(certs.path("ca2.pem")).read())
        os.replace(tmp_path / "new", ca)
    else:
        ca.write_text(open(certs.path("ca2.pem")).read() + "# another length\n")
    r = d.perform().end()
    assert [t.code for t in r.all("h")] == [0, 0, 60]
    assert [p.tls_reused for p in server.connections[:2]] == [False, True]


def test_session_not_for_another_name(drive, make_server, certs):
    server = make_server(tls=certs.context())
    server.default(Serve(lambda q, p: response(200, b"x", ["Connection: close"])))
    d = drive().easy(URL=server.url(host="127.0.0.1"), CAINFO=certs.path("ca.pem")).perform()
    d.setopt("h", URL=server.url(host="localhost")).perform().run()
    assert [c.tls_reused for c in server.connections] == [False, False]


def test_sessions_exported_and_imported(drive, make_server, certs, ours_only):
    ours_only("curl_easy_ssls_export came with libcurl 8.12")
    server = make_server(tls=certs.context())
    server.default(Serve(lambda q, p: response(200, b"x", ["Connection: close"])))
    d = drive().easy("a", URL=server.url(), CAINFO=certs.path("ca.pem")).easy("b", URL=server.url(), CAINFO=certs.path("ca.pem"))
    r = d.perform("a").do("ssls", "a", "b").perform("b").run()
    assert (r["a"].code, r["b"].code) == (0, 0)
    assert r.code("ssls", "a") == 0
    assert r.of("session", "a")
    assert [c.tls_reused for c in server.connections] == [False, True]


# ---------------------------------------------------------------- closes

def test_close_notify_ends_the_body(drive, make_server, certs, way):
    server = make_server(tls=certs.context())
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\n\r\nuntil the end"), Close())
    t = drive.get(way, URL=server.url(), CAINFO=certs.path("ca.pem"))
    assert (t.code, t.body) == (0, b"until the end")


def test_no_close_notify(drive, make_server, certs, way):
    """A body until close whose connection ends without close_notify may be cut short (RFC 9112 9.8)."""
    server = make_server(tls=certs.context())
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\n\r\nuntil the"), CloseNoNotify())
    t = drive.get(way, URL=server.url(), CAINFO=certs.path("ca.pem"))
    assert (t.code, t.body) == (by_library(56, 0), b"until the")


def test_no_close_notify_after_a_length(drive, make_server, certs, way):
    server = make_server(tls=certs.context())
    server.script(Expect(), Reply(200, b"complete", ["Connection: close"]), CloseNoNotify())
    t = drive.get(way, URL=server.url(), CAINFO=certs.path("ca.pem"))
    assert (t.code, t.body) == (0, b"complete")


def test_no_close_notify_before_the_length(drive, make_server, certs, way):
    """The failure is that of TLS (RFC 9112 9.8), not a body that is too short."""
    server = make_server(tls=certs.context())
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart"), CloseNoNotify())
    t = drive.get(way, URL=server.url(), CAINFO=certs.path("ca.pem"))
    assert (t.code, t.body) == (by_library(56, 18), b"part")


def test_no_close_notify_in_a_chunk(drive, make_server, certs, way):
    server = make_server(tls=certs.context())
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\npart"), CloseNoNotify())
    t = drive.get(way, URL=server.url(), CAINFO=certs.path("ca.pem"))
    assert (t.code, t.body) == (by_library(56, 18), b"part")


def test_no_close_notify_in_the_head(drive, make_server, certs, way):
    server = make_server(tls=certs.context())
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Le"), CloseNoNotify())
    t = drive.get(way, URL=server.url(), CAINFO=certs.path("ca.pem"))
    assert (t.code, t.body) == (by_library(56, 0), b"")


def test_reset_in_the_body(drive, make_server, certs, way):
    server = make_server(tls=certs.context())
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart"), Reset())
    t = drive.get(way, URL=server.url(), CAINFO=certs.path("ca.pem"))
    assert t.code in (18, 56)


# ---------------------------------------------------------------- data

def test_large_both_ways(drive, make_server, certs, way):
    data = pattern(2_000_000)
    server = make_server(tls=certs.context())
    server.script(Expect("POST", body=data), Reply(200, data))
    t = drive.get(way, URL=server.url(), CAINFO=certs.path("ca.pem"), POST=1, POSTFIELDSIZE=len(data), body=len(data),
                  HTTPHEADER=["Expect:"])
    assert (t.code, t.length, t.crc) == (0, len(data), crc(data))


@pytest.mark.parametrize("most", [1, 3, 100])
def test_short_receives(drive, make_server, certs, most):
    server = make_server(tls=certs.context())
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(b"some data" * 20, 13)))
    d = drive(fault=True).do("fault", "recvmax", most).do("fault", "sendmax", most)
    t = d.easy(URL=server.url(), CAINFO=certs.path("ca.pem")).perform().run()["h"]
    assert (t.code, t.body) == (0, b"some data" * 20)


def test_kept_with_data_in_the_record(drive, make_server, certs, way):
    """Two small responses per record, read one after the other."""
    server = make_server(tls=certs.context())
    server.script(Expect(), Send(b"HTTP/1.1 103 Early\r\n\r\n" + response(200, b"a" * 20000)), Expect(), Reply(200, b"b"))
    r = drive(way).easy(URL=server.url(), CAINFO=certs.path("ca.pem"), BUFFERSIZE=1024).perform().perform().run()
    assert [(t.code, t.length) for t in r.all("h")] == [(0, 20000), (0, 1)]


EVIL = b"X" + response(200, b"evil")
EXACT = response(200, b"a" * (2048 - len(response(200, b"a" * 1000)) + 1000))  # two reads of 1,024 bytes


@pytest.mark.parametrize("sends", [[EXACT + EVIL], [EXACT, EVIL], [response(200, b"a") + EVIL], [response(200, b"a"), EVIL]],
                         ids=["rest of a record", "own record", "read along", "own record, read along"])
def test_surplus_is_no_answer(drive, make_server, certs, way, sends, ours_only):
    """Bytes that came along with a response are not the answer to the next request, wherever they lie: in the TLS
    library, in the socket, in a record of their own. Their first byte is no HTTP: looking must not take it away."""
    ours_only("libcurl 7.88 takes them for the next answer, the newest now and then")
    sent = threading.Event()
    server = make_server(tls=certs.context())
    server.script(Expect(), *map(Send, sends), Set(sent), UntilClose())
    server.script(Expect(), Reply(200, b"two"))
    d = drive(way).easy(URL=server.url(), CAINFO=certs.path("ca.pem"), BUFFERSIZE=1024, HTTP09_ALLOWED=1).perform().start()
    d.expect("result", "h")
    assert sent.wait(10)
    r = d.perform().end()
    assert [(t.code, t.body[:1]) for t in r.all("h")] == [(0, b"a"), (0, b"t")]


def test_certinfo(drive, good, certs, tls):
    t = drive.get(URL=good.url(), CAINFO=certs.path("ca.pem"), CERTINFO=1, info=("CERTINFO",))
    assert t.code == 0
    assert t.info["CERTINFO"][0] == tls.expects("certinfo", "1")
    if t.info["CERTINFO"][0] == "0":
        return
    text = "\n".join(t.info["CERTINFO"])
    for wanted in ("0:Subject:CN = good", "0:Issuer:CN = Mote test CA", "0:Serial Number:", "0:Start date:",
                   "0:Expire date:", "0:Cert:-----BEGIN CERTIFICATE-----"):
        assert wanted in text.replace("CN=", "CN = "), text


def test_certinfo_off(drive, good, certs):
    t = drive.get(URL=good.url(), CAINFO=certs.path("ca.pem"), info=("CERTINFO",))
    assert t.info["CERTINFO"][:1] == ["0"]


def test_ssl_ctx_function(drive, good, certs):
    t = drive.get(URL=good.url(), CAINFO=certs.path("ca.pem"), enable=["sslctx"])
    assert (t.code, t.calls["sslctx"]) == (0, 1)


def test_ssl_ctx_function_refuses(drive, make_server, certs):
    server = wrong(make_server, certs)
    t = drive.get(URL=server.url(), CAINFO=certs.path("ca.pem"), enable=["sslctx"], on=[("sslctx", "call", 1, "return", 83)])
    assert t.code == 83


def test_keylog(drive, good, certs, tmp_path, tls):
    t = drive.get(URL=good.url(), CAINFO=certs.path("ca.pem"), env={"SSLKEYLOGFILE": str(tmp_path / "keys")})
    assert t.code == 0
    if not tls.expects("keylog", True):
        assert not (tmp_path / "keys").exists()
        return
    assert "CLIENT_TRAFFIC_SECRET_0" in (tmp_path / "keys").read_text()


def test_issuer_times_in_infos(drive, good, certs):
    t = drive.get(URL=good.url(), CAINFO=certs.path("ca.pem"), info=("APPCONNECT_TIME_T", "CONNECT_TIME_T", "PRETRANSFER_TIME_T"))
    assert 0 < t.info["CONNECT_TIME_T"] <= t.info["APPCONNECT_TIME_T"] <= t.info["PRETRANSFER_TIME_T"]


def test_many_handles_one_context(drive, good, certs, multi_way):
    names = [f"h{i}" for i in range(10)]
    d = drive(multi_way)
    for n in names:
        d.easy(n, URL=good.url(), CAINFO=certs.path("ca.pem"))
    r = d.perform(*names).run()
    assert [r[n].code for n in names] == [0] * 10


def test_client_cert_does_not_go_to_a_connection_without(drive, make_server, certs):
    """A connection made with a certificate is not used by a transfer without one."""
    server = make_server(tls=certs.context(client_ca="ca.pem"), tls_may_fail=True)
    server.default(Serve(ok))
    d = drive("poll").easy("a", URL=server.url(), CAINFO=certs.path("ca.pem"), SSLCERT=certs.path("client.pem"),
                           SSLKEY=certs.path("client.key")).easy("b", URL=server.url(), CAINFO=certs.path("ca.pem"))
    r = d.perform("a").perform("b").run()
    assert r["a"].code == 0
    assert r["b"].code in (35, 55, 56, 98)


def test_verify_result_is_of_one_transfer(drive, make_server, certs):
    """libcurl leaves what an earlier transfer of the handle got; ours is of a transfer without TLS: nothing."""
    refused, plain = wrong(make_server, certs, "otherca"), make_server()
    plain.script(Expect(), Reply(200, b"plain"))
    d = drive().easy(URL=refused.url(), CAINFO=certs.path("ca.pem")).perform().getinfo("h", "SSL_VERIFYRESULT")
    r = d.setopt("h", URL=plain.url()).perform().getinfo("h", "SSL_VERIFYRESULT").run()
    assert [t.code for t in r.all("h")] == [60, 0]
    assert [t.info["SSL_VERIFYRESULT"] for t in r.all("h")] == by_library([20, 0], [20, 20], [20, 20])


def speaks(make_server, certs, kind, begin):
    """A server that says "one", and "two" when the event is set."""
    server = make_server(tls=certs.context())
    if kind == "wss":
        server.script(Handshake(frame(TEXT, b"one")), Wait(begin), Send(frame(TEXT, b"two")), Close())
    else:
        server.script(Expect(target="http://a.test/" if kind == "proxy" else "/"),
                      Send(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none"), Wait(begin), Send(b"two"))
    return server


def leads_to(proxy, port):
    target = f"localhost:{port}"
    request = f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\nProxy-Connection: Keep-Alive\r\n\r\n"
    proxy.script(Read(request.encode()), Send(b"HTTP/1.1 200 ok\r\n\r\n"), Relay(port))


@pytest.mark.parametrize("kind", ["https", pytest.param("wss", marks=not_debian("no WebSocket")), "proxy", "outer",
                                  "inner"])
def test_half_a_record_costs_no_loops(drive, make_server, certs, multi_way, kind):
    """What had been read ahead of it woke the transfer again and again until the rest came: of the server's TLS, of a
    proxy's, and of either where one is inside the other."""
    if NEWEST and multi_way == "socket" and kind in ("proxy", "outer", "inner"):
        pytest.skip("the newest libcurl calls the socket callback with a handle that is none")
    begin, end = threading.Event(), threading.Event()
    events, relay, proxy = make_server(), make_server(), make_server(tls=certs.context())
    server = speaks(make_server, certs, kind, begin)
    events.script(Expect(), Set(begin), Reply(200), Expect(), Set(end), Reply(200))
    relay.script(HalfRecord(proxy.port if kind == "outer" else server.port, begin, end))
    url, by = relay.url(host="localhost", scheme="wss" if kind == "wss" else "https"), None
    if kind == "proxy":
        url, by = "http://a.test/", relay
    elif kind in ("outer", "inner"):
        last, by = (server, relay) if kind == "outer" else (relay, proxy)
        url = last.url(host="localhost", scheme="https")
        leads_to(proxy, last.port)
    d = drive(multi_way).easy("h", URL=url, CAINFO=certs.path("ca.pem"), PROXY_CAINFO=certs.path("ca.pem"),
                              PROXY=by and f"https://127.0.0.1:{by.port}")
    d.easy("event", URL=events.url()).do("add", "m", "h")
    d.do("drive", "m", "bytes", "h", "write", 3).perform("event").do("drive", "m", "for", 100).perform("event")
    r = d.do("drive", "m", "all").run()
    assert (r["h"].code, r["h"].body) == (0, b"onetwo")
    assert r.of("loops", "m", "for")[0][0] < (40 if multi_way in ("poll", "socket") else 400)


NEED = """
import ctypes, sys
lib = ctypes.CDLL(sys.argv[1])
class Need(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("bytes", "largest", "easy", "multi")]
for name in ("curl_easy_init", "curl_multi_init", "curl_multi_info_read"):
    getattr(lib, name).restype = ctypes.c_void_p
class Message(ctypes.Structure):
    _fields_ = [("msg", ctypes.c_int), ("easy", ctypes.c_void_p), ("result", ctypes.c_int)]
@ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p)
def drop(data, size, n, user):
    return size * n
def check(code):
    assert not code, code
curl, multi = ctypes.c_void_p(lib.curl_easy_init()), ctypes.c_void_p(lib.curl_multi_init())
text = ctypes.create_string_buffer(256)
ERRORBUFFER, WRITEFUNCTION, HTTP_VERSION, VERSION_1_1 = 10010, 20011, 84, 2
for number, value in zip(sys.argv[2::2], sys.argv[3::2]):
    check(lib.curl_easy_setopt(curl, int(number), value.encode()))
check(lib.curl_easy_setopt(curl, ERRORBUFFER, text))
check(lib.curl_easy_setopt(curl, WRITEFUNCTION, drop))
check(lib.curl_easy_setopt(curl, HTTP_VERSION, ctypes.c_long(VERSION_1_1)))
need = Need()
code = lib.mote_need(curl, ctypes.byref(need))
if code:
    print(code, text.value.decode())
    sys.exit()
check(lib.mote_easy_limit(curl, ctypes.c_size_t(need.easy)))
check(lib.mote_multi_limit(multi, ctypes.c_size_t(need.multi)))
check(lib.curl_multi_add_handle(multi, curl))
running = ctypes.c_int(1)
while running.value:
    check(lib.curl_multi_perform(multi, ctypes.byref(running)))
    check(lib.curl_multi_poll(multi, None, 0, 100, None))
left = ctypes.c_int()
message = Message.from_address(lib.curl_multi_info_read(multi, ctypes.byref(left)))
class Account(ctypes.Structure):
    _fields_ = [("live", ctypes.c_size_t), ("peak", ctypes.c_size_t), ("limit", ctypes.c_size_t),
                ("calls", ctypes.c_uint), ("refused", ctypes.c_uint)]
account = Account()
check(lib.mote_multi_account(multi, ctypes.byref(account)))
print(message.result, account.refused, account.peak <= need.multi)
"""


@pytest.mark.skipif(bool(SYSTEM), reason="mote_need() is Mote's own")
@pytest.mark.parametrize("client", [False, True], ids=["plain", "client"])
def test_memory_need(make_server, certs, tls, client):
    """Within what mote_need() has said, where the TLS library leaves its memory to us."""
    URL, CAINFO, SSLCERT, SSLKEY = 10002, 10065, 10025, 10087
    options = {CAINFO: "ca.pem", **({SSLCERT: "client.pem", SSLKEY: "client.key"} if client else {})}
    server = make_server(tls=certs.context(client_ca="ca.pem" if client else None), tls_may_fail=True)
    server.default(Serve(lambda request, peer: response(200, b"x" * 100000)))
    env = dict(os.environ, CURL_SSL_BACKEND=tls.name)
    if SANITIZED:
        env.update(LD_PRELOAD=SANITIZED, ASAN_OPTIONS="detect_leaks=0")
    arguments = [str(URL), server.url(), *(x for n, name in options.items() for x in (str(n), certs.path(name)))]
    run = subprocess.run([sys.executable, "-c", NEED, os.path.join(DROPIN, "libcurl.so.4"), *arguments],
                         capture_output=True, text=True, env=env)
    assert not run.returncode, run.stderr
    if tls.name == "bearssl":
        assert run.stdout == "0 0 True\n"
    else:
        assert run.stdout.startswith("100 The memory need of TLS is unknown with ")
