"""What a certificate says of itself is held against it: one table of chains for all TLS libraries."""

import ssl

import pytest

from mote_driver import by_library
from pki import Pki
from server import Serve, response
from tls_libraries import tls  # noqa: F401 (a fixture: every test here runs with each library)

HOUR = 1 / 24
YEAR = 365
SENT = ("leaf", "mid")
TRUSTED = ("root",)
LONG = tuple(f"mid{i}" for i in range(2, 13))
NO_SIGN = ("digital_signature", "key_encipherment")


def case(name, code, sent=SENT, trusted=TRUSTED, host="localhost", differs=None, **chain):
    """differs: codes by library where it is another one, the reason stands in docs/tls.md."""
    return pytest.param(sent, trusted, host, chain, code, differs or {}, id=name)


def constraints(name, code, names, host="localhost", san=("localhost", "127.0.0.1"), subject=None, openssl=None):
    """The same constraints in an intermediate and in the root, critical and not. BearSSL and mbedTLS take critical ones
    for unknown, except in a root, which they do not read."""
    leaf = dict(san=san, name=subject) if subject else dict(san=san)
    differs = {} if openssl is None else dict(openssl=openssl)
    refused = dict(differs, bearssl=60, mbedtls=60)
    return [case(f"{name} in {at}{', critical' if critical else ''}", code, host=host,
                 differs=refused if at == "mid" and critical else differs, **{"leaf": leaf, at: dict(names, constraints_critical=critical)})
            for at in ("mid", "root") for critical in (False, True)]


CASES = [
    case("fine", 0),
    case("fine, one below the root", 0, sent=("leaf",)),
    case("fine, four", 0, sent=("leaf", "mid", "mid2"), mid2={}),
    case("fine, ten", 0, sent=("leaf", "mid", *LONG[:7])),
    case("fourteen", 0, sent=("leaf", "mid", *LONG), differs=dict(mbedtls=60, wolfssl=60)),
    case("fine, root sent along", 0, sent=("leaf", "mid", "root")),
    case("fine, RSA", 0, leaf=dict(key="rsa2048"), mid=dict(key="rsa2048"), root=dict(key="rsa2048")),

    # names
    case("another name", 60, leaf=dict(san=("other.test",))),
    case("another address", 60, host="127.0.0.1", leaf=dict(san=("127.0.0.2", "localhost"))),
    case("address as a name", 60, host="127.0.0.1", leaf=dict(san=("localhost",), name="127.0.0.1")),
    case("no names at all", by_library(60, 0, 0), leaf=dict(san=(), name="localhost")),
    case("critical names", 0, leaf=dict(san_critical=True)),

    # dates
    case("leaf expired", 60, leaf=dict(days=(-20, -HOUR))),
    case("leaf not yet valid", 60, leaf=dict(days=(HOUR, 20))),
    case("intermediate expired", 60, mid=dict(days=(-20, -HOUR))),
    case("intermediate not yet valid", 60, mid=dict(days=(HOUR, 20))),
    case("root expired", 60, root=dict(days=(-20, -HOUR))),
    case("root not yet valid", 60, root=dict(days=(HOUR, 20))),
    case("after 2049", 0, leaf=dict(days=(-1, 40 * YEAR)), mid=dict(days=(-1, 50 * YEAR)),
         root=dict(days=(-30 * YEAR, 400 * YEAR))),

    # the chain
    case("intermediate missing", 60, sent=("leaf",), mid={}),
    case("root not trusted", 60, sent=("leaf", "mid", "root"), trusted=("other",)),
    case("intermediate trusted", 0, trusted=("mid",), root={}),
    case("leaf trusted", 0, sent=("leaf",), trusted=("leaf",), mid={}, root={}),
    case("leaf trusted, expired", 60, sent=("leaf",), trusted=("leaf",), leaf=dict(days=(-20, -HOUR))),
    case("leaf trusted, another name", 60, sent=("leaf",), trusted=("leaf",), leaf=dict(san=("other.test",))),
    case("self-signed leaf trusted", 0, sent=("leaf",), trusted=("leaf",)),
    case("self-signed leaf not trusted", 60, sent=("leaf",), trusted=("root",), leaf=dict(self_signed=True)),
    case("leaf trusted vouches for another", 60, sent=("leaf",), trusted=("mid",),
         mid=dict(ca=False, use=NO_SIGN)),

    # signature hashes; a root's own signature is not looked at
    *(case(f"{who} signed with {h}", 60, **{who: dict(hash=h)}, **({} if h == "sha1" else {up: dict(key="rsa2048")}))
      for h in ("sha1", "md5") for who, up in (("leaf", "mid"), ("mid", "root"))),
    case("leaf signed with RSA and sha1", 60, leaf=dict(hash="sha1"), mid=dict(key="rsa2048")),
    case("root signed with sha1", 0, root=dict(hash="sha1")),
    case("root signed with md5", 0, root=dict(hash="md5", key="rsa2048")),
    *(case(f"all signed with {h}", 0, leaf=dict(hash=h), mid=dict(hash=h), root=dict(hash=h))
      for h in ("sha384", "sha512")),

    case("leaf signed with RSA-PSS", 0, leaf=dict(edit="pss"), mid=dict(key="rsa2048"), differs=dict(bearssl=60)),

    # keys
    *(case(f"{who} with RSA {bits}", 60, **{who: dict(key=f"rsa{bits}")})
      for who in ("leaf", "mid", "root") for bits in (1024, 1536)),
    *(case(f"{who} with RSA {bits}", 0, **{who: dict(key=f"rsa{bits}")})
      for who in ("leaf", "mid", "root") for bits in (3072, 4096)),
    *(case(f"{who} on {curve}", 0, **{who: dict(key=curve)})
      for who in ("leaf", "mid", "root") for curve in ("p384", "p521")),
    *(case(f"{who} on p224", 60, differs=dict(openssl=0), **{who: dict(key="p224")}) for who in ("mid", "root")),
    *(case(f"{who} on p192", 60, **{who: dict(key="p192")}) for who in ("mid", "root")),

    # keyUsage
    case("leaf without keyUsage", 0, leaf=dict(use=())),
    case("leaf may sign and encrypt keys", 0, leaf=dict(key="rsa2048", use=NO_SIGN)),
    case("leaf may encrypt keys only", 60, leaf=dict(key="rsa2048", use=("key_encipherment",)), differs=dict(openssl=0)),
    case("leaf may agree on keys only", 60, leaf=dict(key="rsa2048", use=("key_agreement",)), differs=dict(openssl=0)),
    case("leaf may sign certificates only", 60, leaf=dict(key="rsa2048", use=("key_cert_sign",))),
    case("leaf may encrypt data only", 60, leaf=dict(key="rsa2048", use=("data_encipherment",))),
    case("CA without keyUsage", 0, mid=dict(use=())),
    case("CA may not sign certificates", 60, mid=dict(use=NO_SIGN)),
    case("CA may sign CRLs only", 60, mid=dict(use=("crl_sign",))),
    case("root without keyUsage", 0, root=dict(use=())),
    case("root may not sign certificates", 60, root=dict(use=("crl_sign",))),

    # extendedKeyUsage
    case("leaf without EKU", 0, leaf=dict(eku=())),
    case("leaf for clients", 60, leaf=dict(eku=("client",))),
    case("leaf for clients, critical", 60, leaf=dict(eku=("client",), eku_critical=True)),
    case("leaf for clients and servers", 0, leaf=dict(eku=("client", "server"))),
    case("leaf for servers, critical", 0, leaf=dict(eku_critical=True), differs=dict(bearssl=60)),
    case("leaf for code", 60, leaf=dict(eku=("code", "email"))),
    case("leaf for anything", 60, leaf=dict(eku=("any",))),
    case("CA for servers", 0, mid=dict(eku=("client", "server"))),
    case("CA for clients", 60, mid=dict(eku=("client",))),
    case("CA for anything", 60, mid=dict(eku=("any",))),
    case("root for clients", 60, root=dict(eku=("client",))),
    case("root for servers", 0, root=dict(eku=("server",))),

    # basicConstraints
    case("leaf without basicConstraints", 0, leaf=dict(ca=None)),
    case("leaf that is a CA", 0, leaf=dict(ca=True, use=("digital_signature", "key_cert_sign"))),
    case("CA without basicConstraints", 60, mid=dict(ca=None)),
    case("CA without basicConstraints and keyUsage", 60, mid=dict(ca=None, use=())),
    case("CA:false", 60, mid=dict(ca=False)),
    case("CA:false, not critical", 60, mid=dict(ca=False, ca_critical=False)),
    case("CA:false with the rights of a leaf", 60, mid=dict(ca=False, use=NO_SIGN, eku=("server",), san=("localhost",))),
    case("CA:true, not critical", 0, mid=dict(ca_critical=False)),
    case("version 1", 60, mid=dict(edit="version 1")),
    case("root CA:false", 60, root=dict(ca=False)),
    case("root without basicConstraints", 60, root=dict(ca=None, use=())),
    case("root with keyUsage alone", 60, root=dict(ca=None), differs=dict(openssl=0)),
    case("root of version 1", 60, root=dict(edit="version 1"), differs=dict(openssl=0)),
    case("pathlen 0", 0, mid=dict(ca=0)),
    case("pathlen 0, one more", 60, sent=("leaf", "mid", "mid2"), mid2=dict(ca=0)),
    case("pathlen 1, one more", 0, sent=("leaf", "mid", "mid2"), mid2=dict(ca=1)),
    case("root with pathlen 0", 60, root=dict(ca=0)),
    case("root with pathlen 0, none between", 0, sent=("leaf",), root=dict(ca=0)),
    case("root with pathlen 1", 0, root=dict(ca=1)),
    case("root with pathlen 1, two between", 60, sent=("leaf", "mid", "mid2"), mid2={}, root=dict(ca=1)),

    # nameConstraints
    *constraints("DNS permitted", 0, dict(permitted=("localhost", "127.0.0.0/8"))),
    *constraints("parent permitted", 0, dict(permitted=("test",)), host="a.b.test", san=("a.b.test",)),
    *constraints("leading dot permitted", 0, dict(permitted=(".b.test",)), host="a.b.test", san=("a.b.test",)),
    *constraints("leading dot, the name itself", 60, dict(permitted=(".b.test",)), host="b.test", san=("b.test",)),
    *constraints("another DNS permitted", 60, dict(permitted=("other.test",))),
    *constraints("end of a label permitted", 60, dict(permitted=("host",))),
    *constraints("one of two names permitted", 60, dict(permitted=("localhost",)), san=("localhost", "evil.test")),
    *constraints("wildcard permitted", 0, dict(permitted=("b.test",)), host="a.b.test", san=("*.b.test",)),
    *constraints("wildcard above what is permitted", 60, dict(permitted=("a.b.test",)), host="a.b.test",
                 san=("*.b.test",)),
    *constraints("DNS permitted, addresses not named", 0, dict(permitted=("localhost",)), host="127.0.0.1"),
    *constraints("DNS excluded", 60, dict(excluded=("localhost",))),
    *constraints("parent excluded", 60, dict(excluded=("test",)), host="a.b.test", san=("a.b.test",)),
    *constraints("DNS excluded, a dot at the end", 60, dict(excluded=("test",)), host="a.b.test", san=("a.b.test.",),
                 openssl=0),
    *constraints("wildcard excluded, a dot at the end", 60, dict(excluded=("a.b.test",)), host="a.b.test",
                 san=("*.b.test.",), openssl=0),
    *constraints("DNS permitted, a dot at the end", 0, dict(permitted=("test",)), host="a.b.test", san=("a.b.test.",),
                 openssl=60),
    *constraints("another DNS excluded", 0, dict(excluded=("other.test",))),
    *constraints("case does not matter", 60, dict(excluded=("LOCALhost",))),
    *constraints("excluded beats permitted", 60, dict(permitted=("localhost",), excluded=("localhost",))),
    *constraints("IP permitted", 0, dict(permitted=("127.0.0.0/8",)), host="127.0.0.1", san=("127.0.0.1",)),
    *constraints("another IP permitted", 60, dict(permitted=("10.0.0.0/8",)), host="127.0.0.1", san=("127.0.0.1",)),
    *constraints("IPv6 permitted", 60, dict(permitted=("::/0",)), host="127.0.0.1", san=("127.0.0.1",)),
    *constraints("IP excluded", 60, dict(excluded=("127.0.0.0/8",)), host="127.0.0.1", san=("127.0.0.1",)),
    *constraints("all IP excluded, a name", 0, dict(excluded=("0.0.0.0/0", "::/0")), san=("localhost",)),
    *constraints("another IP excluded", 0, dict(excluded=("10.0.0.0/8",)), host="127.0.0.1", san=("127.0.0.1",)),
    case("names and folders permitted", 0, leaf=dict(name="Org/leaf"), mid=dict(name="Org/mid"),
         root=dict(permitted=("localhost", "127.0.0.1/32", "dir:Org/"))),
    case("intermediate outside of the folder", 60, leaf=dict(name="Org/leaf"), mid=dict(name="Other/mid"),
         root=dict(permitted=("dir:Org/",)), differs=dict(bearssl=0)),
    *constraints("another folder permitted", 60, dict(permitted=("dir:Org/",)), subject="Other/leaf"),
    *constraints("folder excluded", 60, dict(excluded=("dir:Org/",)), subject="Org/leaf"),
    *constraints("another folder excluded", 0, dict(excluded=("dir:Org/",)), subject="Other/leaf"),
    *constraints("mail permitted, none in the leaf", 0, dict(permitted=("mail:test",))),
    *constraints("mail of the leaf not permitted", 60, dict(permitted=("mail:other.test",)),
                 san=("localhost", "mail:a@b.test")),
    case("critical constraints two above", 60, sent=("leaf", "mid", "mid2"), mid2=dict(permitted=("other.test",))),

    # odd extensions
    *(case(f"an extension twice in {who}", by_library(60, 35), **{who: dict(edit="twice")}) for who in ("mid", "root")),
    *(case(f"unknown extension in {who}", 0, **{who: dict(unknown=False)}) for who in ("leaf", "mid", "root")),
    *(case(f"unknown critical extension in {who}", 60, **{who: dict(unknown=True)}) for who in ("leaf", "mid", "root")),
    *(case(f"critical policy in {who}", 0, differs=dict(mbedtls=60), **{who: dict(policy=True)})
      for who in ("leaf", "mid")),
]


@pytest.fixture(scope="session")
def pki(tmp_path_factory):
    return Pki(tmp_path_factory.mktemp("pki"))


def ok(request, peer):
    return response(200, b"fine")


@pytest.mark.parametrize("sent,trusted,host,chain,code,differs", CASES)
def test_certificate(drive, make_server, pki, tls, sent, trusted, host, chain, code, differs):
    code = differs.get(tls.name, code)
    certificate, key, bundle = pki.make(chain, sent, trusted)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.load_cert_chain(certificate, key)
    server = make_server(tls=context, tls_may_fail=bool(code))
    server.default(Serve(ok))
    t = drive.get(URL=f"https://{host}:{server.port}/", CAINFO=bundle, CAPATH=None,
                  RESOLVE=[f"{host}:{server.port}:127.0.0.1"], info=("SSL_VERIFYRESULT",))
    assert t.code == code, t.error
    assert bool(t.error) == bool(code)
    assert bool(t.info["SSL_VERIFYRESULT"]) == bool(code)
    assert bool(server.requests) != bool(code)


TEXTS = [
    # what is said of it: which certificate, why, what to do
    (dict(), ("leaf",), ("other",), ["unable to get local issuer", "server certificate CN=", "depth 0", "CURLOPT_CAINFO"]),
    (dict(leaf=dict(days=(-20, -1), name="its name")), SENT, TRUSTED, ["expired", "server certificate CN=its name", "clock"]),
    (dict(mid=dict(days=(-20, -1), name="Middle")), SENT, TRUSTED, ["expired", "CA certificate CN=Middle", "depth 1"]),
    (dict(root=dict(days=(-20, -1), name="Top")), SENT, TRUSTED, ["expired", "CA certificate CN=Top", "depth 2"]),
    (dict(mid=dict(ca=False, name="Org/")), SENT, TRUSTED, ["CA certificate O=Org", "depth 1", "server needs another"]),
    (dict(leaf=dict(eku=("client",), name="a\x1b[31m\n\u00e4")), SENT, TRUSTED, ["CN=a?[31m???"]),
    (dict(leaf=dict(san=("one.test", "10.0.0.1"))), SENT, TRUSTED, ["'localhost'", "is for one.test, 10.0.0.1"]),
    (dict(leaf=dict(san=())), SENT, TRUSTED, ["'localhost'", "no name at all"]),
]


@pytest.mark.parametrize("chain,sent,trusted,words", TEXTS)
def test_refusal_says_which_and_what_to_do(drive, make_server, pki, tls, ours_only, chain, sent, trusted, words):
    ours_only("its own words")
    if tls.name == "mbedtls" and "O=Org" in words[0]:
        words = ["unable to get local issuer"]  # what is no CA is no issuer to it
    certificate, key, bundle = pki.make({"mid": {}, "root": {}, **chain}, sent, trusted)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = make_server(tls=context, tls_may_fail=True)
    server.default(Serve(ok))
    t = drive.get(URL=server.url(host="localhost"), CAINFO=bundle, CAPATH=None)
    assert t.code == 60
    assert all(w in t.error for w in words), t.error
    assert len(t.error) < 250 and all(" " <= c < "\x7f" for c in t.error)
