"""HTTP message signatures (RFC 9421, CURLOPT_HTTPSIG_*). The server has the key and verifies the signature of the text
that it makes of the request. No libcurl that the tests have can do it, so that the manual pages and the tests of libcurl
8.22 say what is expected."""

import base64
import hashlib
import hmac
import re

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from mote_driver import AUTH_BASIC
from server import Expect, Reply, UntilClose

ED25519, HMAC = 1, 2
AUTH_HTTPSIG = 1 << 8
SEED = "9f8362f87a484a954e6e740c5b4c0e84229139a20aa8ab56ff66586f6a7d29c5"
SECRET = "00112233445566778899aabbccddeeff"
INPUT = re.compile(r'sig1=(\(([^()]*)\);created=(\d+);keyid="((?:[^"\\]|\\.)*)";alg="(ed25519|hmac-sha256)")')


@pytest.fixture(autouse=True)
def skip_others(ours_only):
    ours_only("the newest libcurl at hand is built without it")


def signed(names, key=SEED, keyid="k", changed=None):
    """A check of a request: that it is signed so."""
    def check(request):
        text = request.head.decode("latin-1")
        got = INPUT.fullmatch(request.header("Signature-Input"))
        assert got and got[2] == " ".join(f'"{n}"' for n in names), text
        assert re.sub(r"\\(.)", r"\1", got[4]) == keyid, text
        path, mark, query = request.target.partition("?")
        values = {"@method": request.method, "@authority": (request.header("Host") or "").lower(), "@path": path, "@query": "?" + query,
                  **(changed or {})}
        lines = [f'"{n}": ' + (values[n] if n in values else ", ".join(v.strip() for v in request.all(n))) for n in names]
        covered = "\n".join(lines + ['"@signature-params": ' + got[1]]).encode("latin-1")
        signature = base64.b64decode(re.fullmatch(r"sig1=:([A-Za-z0-9+/=]+):", request.header("Signature"))[1], validate=True)
        if got[5] == "ed25519":
            Ed25519PrivateKey.from_private_bytes(bytes.fromhex(key)).public_key().verify(signature, covered)
        else:
            assert signature == hmac.new(bytes.fromhex(key), covered, hashlib.sha256).digest(), covered
    return check


PLAIN = ["@method", "@authority", "@path"]
USUAL = {"HTTPSIG_ALGORITHM": ED25519, "HTTPSIG_KEY": SEED, "HTTPSIG_KEYID": "k"}
UNSIGNED = ["Signature", "Signature-Input"]


def test_the_keys_are_what_they_should_be():
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(SEED)).public_key()
    raw = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    assert base64.b64encode(raw) == b"JrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs="  # of RFC 9421 appendix B.1.4


def test_ed25519(drive, server, way):
    server.script(Expect(pattern=rb'^GET /x HTTP/1.1\r\nHost: [^\r]*\r\nSignature-Input: sig1=\("@method" "@authority" "@path"\);created=\d+;'
                         rb'keyid="k";alg="ed25519"\r\nSignature: sig1=:[^\r]{88}:\r\nAccept: \*/\*\r\n\r\n$', check=signed(PLAIN)), Reply(200, b"in"))
    assert drive(way).easy(URL=server.url("/x"), **USUAL).perform().run()["h"].body == b"in"


@pytest.mark.parametrize("key", [SECRET, SECRET.upper(), "ff", "a5" * 200])
def test_hmac(drive, server, key):
    server.script(Expect(check=signed(PLAIN, key=key)), Reply(200, b"in"))
    assert drive.get(URL=server.url("/x"), HTTPSIG_ALGORITHM=HMAC, HTTPSIG_KEY=key, HTTPSIG_KEYID="k").body == b"in"


@pytest.mark.parametrize("target", ["/x?a=b%25c&noval", "/x?", "/?q"])
def test_query_is_signed_where_there_is_one(drive, server, target):
    server.script(Expect(target=target, check=signed([*PLAIN, "@query"])), Reply(200, b"in"))
    assert drive.get(URL=server.url(target), **USUAL).body == b"in"


def test_query_that_is_not_there(drive, server):
    server.script(Expect(check=signed(["@query", "@method"])), Reply(200, b"in"))
    assert drive.get(URL=server.url("/x"), **USUAL, HTTPSIG_HEADERS="query method").body == b"in"


@pytest.mark.parametrize("text,names,lines", [
    ("method", ["@method"], []), ("  path \t method ", ["@path", "@method"], []),
    ("content-type: method", ["content-type", "@method"], ["Content-Type:  a/b "]), ("X-A:", ["x-a"], ["x-a: 1", "y: 2", "X-A:  3"]),
    ("x-empty:", ["x-empty"], ["X-Empty;"]), ("method: method", ["method", "@method"], ["Method: m"]),
    ("user-agent: accept:", ["user-agent", "accept"], ["User-Agent: me", "Accept: a"]),
    (" ".join(f"x{i}:" for i in range(16)), [f"x{i}" for i in range(16)], [f"X{i}: {i}" for i in range(20)]),
])
def test_components(drive, server, text, names, lines):
    server.script(Expect(check=signed(names)), Reply(200, b"in"))
    assert drive.get(URL=server.url("/x"), **USUAL, HTTPSIG_HEADERS=text, HTTPHEADER=lines).body == b"in"


@pytest.mark.parametrize("text", ["", " ", "@method", "Method", "method method", "x: X:", "host", "x:y", ":", "x:,", "query-param",
                                  " ".join(f"x{i}:" for i in range(17))])
def test_wrong_components(drive, server, text):
    server.script(UntilClose())
    lines = ["X: 1"] + [f"X{i}: {i}" for i in range(20)]
    assert drive.get(URL=server.url("/x"), **USUAL, HTTPSIG_HEADERS=text, HTTPHEADER=lines).code == 43


@pytest.mark.parametrize("name,lines", [("user-agent", []), ("x", ["X:"]), ("x", ["Y: 1"])])
def test_fields_that_are_not_there(drive, server, name, lines):
    server.script(UntilClose())
    assert drive.get(URL=server.url("/x"), **USUAL, HTTPSIG_HEADERS=name + ":", HTTPHEADER=lines).code == 43


@pytest.mark.parametrize("options", [{"HTTPSIG_KEY": None}, {"HTTPSIG_KEYID": None}, {"HTTPSIG_KEY": SEED[:-2]}, {"HTTPSIG_KEY": SEED + "00"},
                                     {"HTTPSIG_KEY": SEED[:-1]}, {"HTTPSIG_KEY": SEED[:-1] + "g"}, {"HTTPSIG_KEY": ""},
                                     {"HTTPSIG_KEYID": "a\r\nb"}, {"HTTPSIG_KEYID": "\u00e4"}], ids=str)
def test_wrong_keys(drive, server, options):
    server.script(UntilClose())
    assert drive.get(URL=server.url("/x"), **{**USUAL, **options}).code == 43


@pytest.mark.parametrize("keyid", ['a"b', "a\\b", "a;b=c d", ""])
def test_names_of_keys(drive, server, keyid):
    server.script(Expect(check=signed(PLAIN, keyid=keyid)), Reply(200, b"in"))
    assert drive.get(URL=server.url("/x"), **{**USUAL, "HTTPSIG_KEYID": keyid}).body == b"in"


@pytest.mark.parametrize("host,authority", [("Example.COM", "example.com"), ("example.com:80", "example.com:80")])
def test_host_of_the_application(drive, server, host, authority):
    server.script(Expect(check=signed(PLAIN, changed={"@authority": authority})), Reply(200, b"in"))
    assert drive.get(URL=server.url("/x"), **USUAL, HTTPHEADER=["Host: " + host]).body == b"in"


def test_host_in_capitals(drive, server):
    server.script(Expect(check=signed(PLAIN)), Reply(200, b"in"))
    url = f"http://EXAMPLE.com:{server.port}/x"
    assert drive.get(URL=url, CONNECT_TO=[f"::127.0.0.1:{server.port}"], **USUAL).body == b"in"


@pytest.mark.parametrize("options", [{"POSTFIELDS": "abc"}, {"NOBODY": 1}, {"CUSTOMREQUEST": "delete"}, {"UPLOAD": 1, "INFILESIZE": 3}], ids=str)
def test_methods(drive, server, options):
    server.script(Expect(check=signed(PLAIN)), Reply(200))
    d = drive().easy(URL=server.url("/x"), **USUAL, **options).do("body", "h", "bytes", "abc")
    assert d.perform().run()["h"].code == 0


@pytest.mark.parametrize("options,kind", [
    ([("HTTPSIG_ALGORITHM", 0)], None), ([("HTTPAUTH", AUTH_BASIC)], None), ([("HTTPAUTH", AUTH_BASIC), ("USERPWD", "u:p")], "Basic"),
    ([("USERPWD", "u:p")], "signed"), ([("HTTPAUTH", AUTH_BASIC), ("HTTPAUTH", AUTH_HTTPSIG)], "signed"),
    ([("HTTPSIG_ALGORITHM", 0), ("USERPWD", "u:p")], None), ([("AWS_SIGV4", "aws:amz:r:s")], None),
    ([("HTTPHEADER", ["Signature: own", "Signature-Input: own"])], "own"), ([("HTTPHEADER", ["Authorization: own"])], "signed"),
], ids=str)
def test_which_authentication(drive, server, options, kind):
    expected = {"signed": {"check": signed(PLAIN)}, "own": {"has": {"Signature": "own", "Signature-Input": "own"}},
                "Basic": {"lacks": UNSIGNED, "has": {"Authorization": "Basic dTpw"}}, None: {"lacks": [*UNSIGNED, "Authorization"]}}
    server.script(Expect(**expected[kind]), Reply(200, b"in"))
    d = drive().easy(URL=server.url("/x"), **USUAL)
    for name, value in options:
        d.setopt("h", **{name: value})
    assert d.perform().run()["h"].body == b"in"


@pytest.mark.parametrize("algorithm", [-1, 3])
def test_unknown_algorithm(drive, algorithm):
    r = drive().easy(URL="http://127.0.0.1:1/").setopt("h", HTTPSIG_ALGORITHM=algorithm).run()
    assert [line[3] for line in r.lines if line[0] == "setopt"] == ["43"]


@pytest.mark.parametrize("unrestricted", [0, 1])
def test_redirect_to_another_server(drive, server, make_server, unrestricted):
    other = make_server()
    server.script(Expect(check=signed(PLAIN)), Reply(302, headers=["Location: " + other.url("/y?a")]))
    other.script(Expect(check=signed([*PLAIN, "@query"])) if unrestricted else Expect(lacks=UNSIGNED), Reply(200, b"there"))
    assert drive.get(URL=server.url(), **USUAL, FOLLOWLOCATION=1, UNRESTRICTED_AUTH=unrestricted).body == b"there"


def test_redirect_to_the_same_server(drive, server):
    server.script(Expect(check=signed(PLAIN)), Reply(302, headers=["Location: /y?a"]), Expect(check=signed([*PLAIN, "@query"])), Reply(200, b"there"))
    assert drive.get(URL=server.url(), **USUAL, FOLLOWLOCATION=1).body == b"there"


def test_by_a_proxy(drive, server):
    server.script(Expect(target="http://Name.example/x?q", check=signed([*PLAIN, "@query"], changed={"@path": "/x", "@query": "?q"})), Reply(200, b"in"))
    assert drive.get(URL="http://Name.example/x?q", PROXY=server.url(), **USUAL).body == b"in"


def test_small_buffer(drive, server):
    server.script(Expect(check=signed(PLAIN + ["@query", "x"], keyid="k" * 900)), Reply(200, b"in"))
    t = drive.get(URL=server.url("/" + "p" * 800 + "?" + "q" * 800), **{**USUAL, "HTTPSIG_KEYID": "k" * 900}, HTTPHEADER=["X: " + "v" * 900],
                  HTTPSIG_HEADERS="method authority path query x:", BUFFERSIZE=1024)
    assert t.body == b"in"
