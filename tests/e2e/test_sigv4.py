"""AWS signatures, version 4 (CURLOPT_AWS_SIGV4). The server has the secret and makes the signature again, of the
request as it came and of the fields that are said to be signed."""

import hashlib
import hmac
import re

import pytest

from mote_driver import AUTH_BASIC, by_library, not_debian
from server import Expect, Reply, UntilClose

pytestmark = not_debian("7.88 signs other fields and another path")

AUTH_SIGV4 = 1 << 7
NO_BYTES = hashlib.sha256(b"").hexdigest()
ES, S3 = "aws:amz:r:es", "aws:amz:r:s3"
DATE = "X-Amz-Date: 20200101T000000Z"
PLAIN = set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
PATH_AS_SENT = ("s3", "s3express", "s3-outposts", "s3-object-lambda")
FIELD = re.compile(r"(?P<algorithm>\S+4-HMAC-SHA256) Credential=(?P<user>[^/]*)/(?P<day>\d{8})/(?P<region>[^/]+)/(?P<service>[^/]+)/"
                   r"(?P<request>[^,]+), SignedHeaders=(?P<signed>[^,]*), Signature=(?P<signature>[0-9a-f]{64})$")


def encode(raw, keep=b""):
    return "".join(chr(b) if b in PLAIN or b in keep else f"%{b:02X}" for b in raw)


def decode(text):
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]), text.encode("latin-1").replace(b"+", b" "))


def mac(key, text):
    return hmac.new(key, text.encode("latin-1"), hashlib.sha256).digest()


def signature(method, target, fields, signed, payload, scope, date, secret, provider):
    path, _, query = target.partition("?")
    if scope.split("/")[2] not in PATH_AS_SENT:
        path = encode(path.encode("latin-1"), b"/")
    params = sorted(tuple(encode(decode(part)) for part in p.partition("=")[::2]) for p in query.split("&") if p)
    lines = [name + ":" + ",".join(re.sub("[ \t]+", " ", v.strip(" \t")) for n, v in fields if n.lower() == name)
             for name in signed.split(";")]
    canonical = "\n".join([method, path, "&".join(f"{n}={v}" for n, v in params), *lines, "", signed, payload])
    text = "\n".join([f"{provider.upper()}4-HMAC-SHA256", date, scope, hashlib.sha256(canonical.encode("latin-1")).hexdigest()])
    key = f"{provider.upper()}4{secret}".encode("latin-1")
    for word in scope.split("/"):
        key = mac(key, word)
    return mac(key, text).hex()


def signed_by(payload=NO_BYTES, secret="SK", user="AK", provider="aws", date_field="x-amz-date", signed=None, target=None):
    """A check of a request: that the field's signature is the one that follows from the secret."""
    def check(request):
        text = request.head.decode("latin-1")
        fields = [tuple(line.split(":", 1)) for line in text.split("\r\n")[1:] if line]
        got = FIELD.match(request.header("Authorization"))
        assert got, text
        date = request.header(date_field)
        assert got["day"] == date[:8] and re.fullmatch(r"\d{8}T\d{6}Z", date), text
        assert (got["user"], got["request"]) == (user, provider.lower() + "4_request"), text
        assert got["algorithm"] == provider.upper() + "4-HMAC-SHA256", text
        assert signed is None or got["signed"] == signed, text
        scope = "/".join(got.group("day", "region", "service", "request"))
        wanted = signature(request.method, target or request.target, fields, got["signed"], payload, scope, date, secret, provider)
        assert got["signature"] == wanted, text
    return check


def digest(body):
    return hashlib.sha256(body).hexdigest()


def test_exact_bytes(drive, server, way):
    server.script(Expect(exact=b"GET /b?y=2&x=1 HTTP/1.1\r\nHost: s3.r.example\r\nAuthorization: AWS4-HMAC-SHA256 Credential=AK/20200101/"
                         b"r/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature="
                         b"ef91dc41a187148b503a08146194fb9af860399d19095ef1838535369e8c2cd5\r\nx-amz-content-sha256: " + NO_BYTES.encode() +
                         b"\r\nAccept: */*\r\n" + DATE.encode() + b"\r\n\r\n"), Reply(200, b"in"))
    d = drive(way).easy(URL=server.url("/b?y=2&x=1"), AWS_SIGV4=S3, USERPWD="AK:SK", HTTPHEADER=["Host: s3.r.example", DATE])
    assert d.perform().run()["h"].body == b"in"


def test_date_of_now(drive, server):
    server.script(Expect(pattern=rb"^GET / HTTP/1.1\r\nHost: [^\r]*\r\nAuthorization: AWS4-HMAC-SHA256 [^\r]*\r\n"
                         rb"X-Amz-Date: 20\d{6}T\d{6}Z\r\nAccept: \*/\*\r\n\r\n$", check=signed_by(signed="host;x-amz-date")), Reply(200, b"in"))
    t = drive.get(URL=server.url(), AWS_SIGV4=ES, USERPWD="AK:SK", info=("HTTPAUTH_USED",))
    assert (t.body, t.info["HTTPAUTH_USED"]) == (b"in", AUTH_SIGV4)


@pytest.mark.parametrize("words", [ES, S3, "aws:amz:r:s3express", "aws:amz:r:s3-outposts", "aws:amz:r:s3-object-lambda", "aws:amz:r:s3x"])
@pytest.mark.parametrize("path", ["/", "/a%20b/c%2fd", "/a/../b/./c", "/a//b/", "/%7euser/~x", "/a+b=c,d;e:f@g!$&'()*", "/%e1%88%b4", "/%"])
def test_paths(drive, server, words, path):
    server.script(Expect(check=signed_by()), Reply(200, b"in"))
    assert drive.get(URL=server.url(path), AWS_SIGV4=words, USERPWD="AK:SK").body == b"in"


@pytest.mark.parametrize("query", ["?", "?a", "?a=", "?b=1&a=2&a=1&A=3", "?a+b=c+d", "?a=%2f%7E", "?x=a/b:c;d,e!'()*$@", "?a&&b", "?a=b=c",
                                   "?a=1&ab=2&a-=3&a%20=1", "?%61=1&A=2", "?x=%zz", "?a=1&a", "?&", "?{=1&_=2", "?a%7B=1&a_=2",
                                   "?a=%2B%26%3D", "?a=%00", "?a=%00b&c", "?a=12&a=1&a=", "?a%=1", "?a=%4"])
def test_queries(drive, server, query):
    server.script(Expect(check=signed_by()), Reply(200, b"in"))
    assert drive.get(URL=server.url("/x" + query), AWS_SIGV4=ES, USERPWD="AK:SK").body == b"in"


def test_many_parameters(drive, server):
    """A libcurl has room for fewer."""
    query = "?" + "&".join(f"p{i * 7919 % 1009}" for i in range(1024))
    refused = by_library(False, True, True)
    server.script(*([UntilClose()] if refused else [Expect(check=signed_by()), Reply(200, b"in")]))
    t = drive.get(URL=server.url(query), AWS_SIGV4=ES, USERPWD="AK:SK")
    assert t.code == (100 if refused else 0)
    server.script(UntilClose())
    assert drive.get(URL=server.url(query + "&q"), AWS_SIGV4=ES, USERPWD="AK:SK").code == 100


@pytest.mark.parametrize("lines,signed", [
    (["B:  a   b  "], "b;host"), (["A;"], "a;host"), (["A:"], "host"), (["A: 1", "a: 2"], "a;host"), (["a: 2", "A: 1"], "a;host"),
    (["A: b\t c"], "a;host"), (['A: "x   y"'], "a;host"), (["Abc: 1", "Ab: 2", "Ab-c: 3", "aB_: 4"], "ab;ab-c;ab_;abc;host"),
    (["Host: Other.example:80"], "host"), (["Host;"], "host"), (["Cookie: a=b"], "cookie;host"), (["User-Agent: x"], "host;user-agent"),
    (["Accept: z"], "accept;host"), (["Accept:"], "host"), (["Transfer-Encoding: gzip"], "host;transfer-encoding"),
    (["nocolon"], "host"), (["A: 10", "A: 9", "a: 1"], "a;host"), (["content-length: 0"], "content-length;host"), (["A:b"], "a;host"),
    (["X-Amz-Security-Token: T/+="], "host;x-amz-security-token"),
], ids=lambda v: str(v)[:30])
@pytest.mark.parametrize("words", [ES, S3])
def test_fields(drive, server, words, lines, signed):
    added = (["x-amz-content-sha256"] if words is S3 else []) + ["x-amz-date"]
    server.script(Expect(check=signed_by(signed=";".join(sorted(signed.split(";") + added)))), Reply(200, b"in"))
    assert drive.get(URL=server.url("/x"), AWS_SIGV4=words, USERPWD="AK:SK", HTTPHEADER=lines).body == b"in"


def test_removed_host(drive, server):
    server.script(Expect(lacks=["Host"], check=signed_by(signed="x-amz-date")), Reply(200, b"in"))
    assert drive.get(URL=server.url("/x"), AWS_SIGV4=ES, USERPWD="AK:SK", HTTPHEADER=["Host:"]).body == b"in"


def test_fields_of_the_connection_are_not_signed(drive, server):
    """Connection may be changed on the way. A libcurl signs it all the same."""
    signed = by_library("host;x-amz-date", None, "connection;host;x-amz-date")
    server.script(Expect(has={"Connection": "close"}, check=signed_by(signed=signed)), Reply(200, b"in"))
    assert drive.get(URL=server.url("/x"), AWS_SIGV4=ES, USERPWD="AK:SK", HTTPHEADER=["Connection: close"]).body == b"in"


def test_many_fields(drive, server):
    server.script(Expect(check=signed_by()), Reply(200, b"in"))
    lines = [f"X-{i * 7919 % 211}: {i}" for i in range(300)]
    assert drive.get(URL=server.url("/x"), AWS_SIGV4=ES, USERPWD="AK:SK", HTTPHEADER=lines).body == b"in"


@pytest.mark.parametrize("lines,day,signed", [
    (["X-Amz-Date: 20200101T000000Z"], "20200101", "host;x-amz-date"), (["X-Amz-Date:20200101T000000Z"], "20200101", "host;x-amz-date"),
    (["x-amz-date:   20200101T000000Z  "], "20200101", "host;x-amz-date"), (["Date: 20200101T000000Z"], "20200101", "date;host"),
    (["Date: 20200101T000000Z", "X-Amz-Date: 20210101T000000Z"], "20210101", "date;host;x-amz-date"),
    (["X-Amz-Date: 20200101T000000Z", "X-Amz-Date: 20210101T000000Z"], "20200101", "host;x-amz-date"),
    (["X-Amz-Date: Wed, 01 Jan 2020 00:00:00 GMT"], "", "host;x-amz-date"), (["X-Amz-Date: short"], "", "host;x-amz-date"),
    (["X-Amz-Date:"], "", "host"), (["Date:"], "", "host"),
], ids=str)
def test_date_of_the_application(drive, server, lines, day, signed):
    server.script(Expect(pattern=f"Credential=AK/{day}/r/es/aws4_request, SignedHeaders={signed}, ".encode()), Reply(200, b"in"))
    assert drive.get(URL=server.url("/x"), AWS_SIGV4=ES, USERPWD="AK:SK", HTTPHEADER=lines).body == b"in"


# ---------------------------------------------------------------- the body

HELLO = digest(b"hello")


@pytest.mark.parametrize("options,payload", [
    ({"POSTFIELDS": "hello"}, HELLO), ({"COPYPOSTFIELDS": "hello"}, HELLO), ({"POSTFIELDS": ""}, NO_BYTES),
    ({"POSTFIELDS": "hello", "POSTFIELDSIZE": 3}, digest(b"hel")),
    ({"POSTFIELDSIZE_LARGE": 7, "COPYPOSTFIELDS": b"hello\0!", "POSTFIELDSIZE": -1}, HELLO), ({"POSTFIELDS": "hello", "CUSTOMREQUEST": "PUT"}, HELLO),
    ({"POSTFIELDS": "hello", "CUSTOMREQUEST": "GET"}, HELLO), ({"NOBODY": 1}, NO_BYTES), ({"NOBODY": 1, "CUSTOMREQUEST": "delete"}, NO_BYTES),
    ({"UPLOAD": 1, "INFILESIZE": 0}, NO_BYTES),
    ({"POSTFIELDS": "hello", "HTTPHEADER": ["Content-Length: 5", "Content-Type: a/b"]}, HELLO),
    ({"POSTFIELDS": "hello", "HTTPHEADER": ["X-Amz-Content-SHA256: own"]}, "own"),
    ({"UPLOAD": 1, "INFILESIZE": 5, "HTTPHEADER": ["x-amz-content-sha256:  " + HELLO + " "]}, HELLO),
], ids=lambda v: str(v)[:40])
@pytest.mark.parametrize("words", [ES, S3])
def test_bodies(drive, server, words, options, payload):
    own = any(line.lower().startswith("x-amz-content") for line in options.get("HTTPHEADER", []))
    server.script(Expect(check=signed_by(payload), **({} if own or words is ES else {"has": {"x-amz-content-sha256": payload}})), Reply(200, b""))
    d = drive().easy(URL=server.url("/x"), AWS_SIGV4=words, USERPWD="AK:SK", **options).do("body", "h", "bytes", "hello")
    assert d.perform().run()["h"].code == 0


@pytest.mark.parametrize("options", [{"POST": 1, "POSTFIELDSIZE": 5}, {"POST": 1}, {"UPLOAD": 1, "INFILESIZE": 5}, {"UPLOAD": 1}], ids=str)
@pytest.mark.parametrize("words,payload", [(ES, NO_BYTES), (S3, "UNSIGNED-PAYLOAD")])
def test_bodies_that_come_later(drive, server, words, payload, options):
    server.script(Expect(check=signed_by(payload), body=b"hello"), Reply(200, b""))
    d = drive().easy(URL=server.url("/x"), AWS_SIGV4=words, USERPWD="AK:SK", HTTPHEADER=["Expect:"], **options)
    assert d.do("body", "h", "bytes", "hello").perform().run()["h"].code == 0


# ---------------------------------------------------------------- the words

LONG = "w" * 65


@pytest.mark.parametrize("words,provider,field,scope", [
    ("aws", "aws", "X-Aws-Date", "0/127"), ("aws:amz", "aws", "X-Amz-Date", "0/127"), ("", "aws", "X-Amz-Date", "0/127"),
    ("aws:amz:r", "aws", "X-Amz-Date", "r/127"), ("aws:amz::s3", "aws", "X-Amz-Date", "0/127"), ("aws:amz:r:", "aws", "X-Amz-Date", "r/127"),
    ("aws::r:s", "aws", "X-Aws-Date", "0/127"), ("a:" + LONG + ":r:s", "a", "X-A-Date", "0/127"), ("a:b:" + LONG + ":s", "a", "X-B-Date", "0/127"),
    ("a:b:r:" + LONG, "a", "X-B-Date", "r/127"), ("aws:amz:r:s:t", "aws", "X-Amz-Date", "r/s"), ("Test:tRY:r:s", "test", "X-Try-Date", "r/s"),
], ids=lambda v: v[:20])
def test_words(drive, server, words, provider, field, scope):
    server.script(Expect(pattern=b"Credential=AK/........" + f"/{scope}/{provider}4_request, SignedHeaders=host;{field.lower()},".encode() +
                         b".*\r\n" + field.encode() + b": ", check=signed_by(provider=provider, date_field=field)), Reply(200, b"in"))
    assert drive.get(URL=server.url("/x"), AWS_SIGV4=words, USERPWD="AK:SK").body == b"in"


@pytest.mark.parametrize("words,name", [("AWS:aMZ:R:s3", b"x-aMZ-content-sha256"), ("aws:x:R:S3", b"x-x-content-sha256"), ("one:two:R:s3", None)])
def test_digest_of_the_payload_is_for_s3(drive, server, words, name):
    pattern = b"\r\nX-[A-Z][a-z]*-Date: [^\r]*\r\n" + (name + b": " + NO_BYTES.encode() + b"\r\n" if name else b"") + b"Accept"
    server.script(Expect(pattern=pattern), Reply(200, b"in"))
    assert drive.get(URL=server.url("/x"), AWS_SIGV4=words, USERPWD="AK:SK").body == b"in"


@pytest.mark.parametrize("words,host,code", [
    (":amz", "127.0.0.1", 43), (LONG + ":amz", "127.0.0.1", 43), ("aws", "localhost", 3), ("aws:amz:r", "localhost", 3), ("aws", "a.b", 3),
    ("aws", LONG + ".r.com", 3), ("aws", "s." + LONG + ".com", 3),
], ids=lambda v: str(v)[:12])
def test_words_are_missing(drive, server, words, host, code):
    server.script(UntilClose())
    t = drive.get(URL=f"http://{host}:{server.port}/", CONNECT_TO=[f"::127.0.0.1:{server.port}"], AWS_SIGV4=words, USERPWD="AK:SK")
    assert t.code == code


@pytest.mark.parametrize("host,scope", [("s3.us-east-1.amazonaws.com", "us-east-1/s3"), ("SERVICE.Region.x", "Region/SERVICE"),
                                        ("bucket.s3.eu.amazonaws.com", "s3/bucket")])
def test_words_of_the_host(drive, server, host, scope):
    server.script(Expect(pattern=f"Credential=AK/......../{scope}/aws4_request".encode(), check=signed_by()), Reply(200, b"in"))
    url = f"http://{host}:{server.port}/"
    assert drive.get(URL=url, CONNECT_TO=[f"::127.0.0.1:{server.port}"], AWS_SIGV4="aws:amz", USERPWD="AK:SK").body == b"in"


def test_path_as_it_is(drive, server):
    server.script(UntilClose())
    assert drive.get(URL=server.url(), AWS_SIGV4=ES, USERPWD="AK:SK", PATH_AS_IS=1).code == 43


def test_target_of_the_application_is_not_signed(drive, server):
    server.script(Expect(target="/o?z&a", check=signed_by(target="/x?q=1")), Reply(200, b"in"))
    assert drive.get(URL=server.url("/x?q=1"), AWS_SIGV4=ES, USERPWD="AK:SK", REQUEST_TARGET="/o?z&a").body == b"in"


def test_by_a_proxy(drive, server):
    server.script(Expect(target="http://s.r.example/x?b&a", check=signed_by(target="/x?b&a")), Reply(200, b"in"))
    assert drive.get(URL="http://s.r.example/x?b&a", AWS_SIGV4=ES, USERPWD="AK:SK", PROXY=server.url()).body == b"in"


# ---------------------------------------------------------------- credentials

@pytest.mark.parametrize("userinfo,options,user,secret", [
    ("", {"USERPWD": "AK:"}, "AK", ""), ("", {"USERPWD": ":SK"}, "", "SK"), ("", {"USERNAME": "AK"}, "AK", ""), ("AK:SK@", {}, "AK", "SK"),
    ("A%2fK:S%20K@", {}, "A%2FK", "S K"), ("", {"USERPWD": "A/K B+%:x"}, "A%2FK%20B%2B%25", "x"),
    ("", {"USERPWD": "A\"K,=:x"}, "A%22K%2C%3D", "x"), ("", {"USERPWD": "u" * 300 + ":" + "p" * 300}, "u" * 300, "p" * 300),
    ("", {"USERPWD": "AK:" + "p" * 60}, "AK", "p" * 60), ("", {"USERPWD": "AK:" + "p" * 61}, "AK", "p" * 61),
], ids=lambda v: str(v)[:30])
def test_credentials(drive, server, userinfo, options, user, secret):
    server.script(Expect(check=signed_by(user=user, secret=secret)), Reply(200, b"in"))
    assert drive.get(URL=server.url(userinfo=userinfo), AWS_SIGV4=ES, **options).body == b"in"


@pytest.mark.parametrize("options,kind", [
    ([("AWS_SIGV4", ES)], None), ([("USERPWD", "AK:SK"), ("HTTPAUTH", AUTH_SIGV4)], "AWS4-HMAC-SHA256"),
    ([("AWS_SIGV4", ES), ("USERPWD", "AK:SK"), ("HTTPAUTH", AUTH_BASIC)], "Basic"),
    ([("HTTPAUTH", AUTH_BASIC), ("AWS_SIGV4", ES), ("USERPWD", "AK:SK")], "AWS4-HMAC-SHA256"),
    ([("AWS_SIGV4", ES), ("USERPWD", "AK:SK"), ("AWS_SIGV4", None)], None),
    ([("AWS_SIGV4", ES), ("USERPWD", "AK:SK"), ("HTTPAUTH", AUTH_BASIC | AUTH_SIGV4)], None),
    ([("AWS_SIGV4", None), ("USERPWD", "AK:SK")], "Basic"), ([("HTTPAUTH", AUTH_BASIC), ("USERPWD", "AK:SK"), ("AWS_SIGV4", None)], "Basic"),
    ([("AWS_SIGV4", ES), ("HTTPAUTH", AUTH_BASIC), ("USERPWD", "AK:SK"), ("AWS_SIGV4", None)], "Basic"),
    ([("AWS_SIGV4", ES), ("AWS_SIGV4", None), ("HTTPAUTH", AUTH_SIGV4), ("USERPWD", "AK:SK")], "AWS4-HMAC-SHA256"),
    ([("AWS_SIGV4", ES), ("HTTPAUTH", 0), ("USERPWD", "AK:SK")], None),
    ([("AWS_SIGV4", ES), ("USERPWD", "AK:SK"), ("HTTPHEADER", ["Authorization: own"])], "own"),
    ([("AWS_SIGV4", ES), ("USERPWD", "AK:SK"), ("HTTPHEADER", ["Authorization:"])], None),
], ids=str)
def test_which_authentication(drive, server, options, kind):
    server.script(Expect(check=lambda r: (r.header("Authorization") or "").split(" ")[0] == (kind or "") or pytest.fail(str(r.head))), Reply(200, b"in"))
    d = drive().easy(URL=server.url())
    for name, value in options:
        d.setopt("h", **{name: value})
    assert d.perform().run()["h"].body == b"in"


@pytest.mark.parametrize("unrestricted", [0, 1])
def test_redirect_to_another_server(drive, server, make_server, unrestricted):
    """The secret signs nothing there, unless the application allows it."""
    other = make_server()
    server.script(Expect(check=signed_by()), Reply(302, headers=["Location: " + other.url("/y?b&a")]))
    there = Expect(check=signed_by()) if unrestricted else Expect(lacks=["Authorization", "X-Amz-Date", "x-amz-content-sha256"])
    other.script(there, Reply(200, b"there"))
    t = drive.get(URL=server.url(), AWS_SIGV4=S3, USERPWD="AK:SK", FOLLOWLOCATION=1, UNRESTRICTED_AUTH=unrestricted)
    assert t.body == b"there"


def test_redirect_with_credentials_of_its_own(drive, server, make_server):
    """It is signed with these. A cookie that is not sent is not signed (a libcurl does)."""
    other = make_server()
    server.script(Expect(check=signed_by(signed="cookie;host;x-amz-date")), Reply(302, headers=["Location: " + other.url("/", userinfo="u:p@")]))
    check = by_library(signed_by(user="u", secret="p", signed="host;x-amz-date"), None, lambda r: None)
    other.script(Expect(lacks=["Cookie"], check=check), Reply(200, b"there"))
    t = drive.get(URL=server.url(), AWS_SIGV4=ES, USERPWD="AK:SK", FOLLOWLOCATION=1, HTTPHEADER=["Cookie: c=d"])
    assert t.body == b"there"


def test_redirect_of_a_post(drive, server):
    """The GET has no body. A libcurl still signs that of the POST."""
    after = signed_by(by_library(NO_BYTES, None, digest(b"abc")))
    server.script(Expect(method="POST", check=signed_by(digest(b"abc"))), Reply(302, headers=["Location: /y"]),
                  Expect(method="GET", check=after), Reply(307, headers=["Location: /z"]), Expect(method="GET", check=after), Reply(200, b"in"))
    assert drive.get(URL=server.url(), AWS_SIGV4=S3, USERPWD="AK:SK", FOLLOWLOCATION=1, POSTFIELDS="abc").body == b"in"


def test_redirect_that_keeps_the_body(drive, server):
    server.script(Expect(check=signed_by(digest(b"abc"))), Reply(307, headers=["Location: /y"]),
                  Expect(method="POST", check=signed_by(digest(b"abc")), body=b"abc"), Reply(200, b"in"))
    assert drive.get(URL=server.url(), AWS_SIGV4=S3, USERPWD="AK:SK", FOLLOWLOCATION=1, POSTFIELDS="abc").body == b"in"


def test_refused(drive, server):
    server.script(Expect(check=signed_by()), Reply(401, b"no", headers=["WWW-Authenticate: Basic realm=x"]))
    assert drive.get(URL=server.url(), AWS_SIGV4=ES, USERPWD="AK:SK").body == b"no"


def test_kept_connection(drive, server):
    server.script(*3 * [Expect(check=signed_by()), Reply(200, b"in")])
    d = drive().easy(URL=server.url(), AWS_SIGV4=ES, USERPWD="AK:SK").perform().perform().setopt("h", URL=server.url("/2?x")).perform()
    assert [t.body for t in d.run().all("h")] == 3 * [b"in"]


def test_small_buffer(drive, server):
    """The head does not fit: it moves while it is signed."""
    server.script(Expect(check=signed_by(user="u" * 2000, secret="p" * 3000)), Reply(200, b"in"))
    t = drive.get(URL=server.url("/" + "x" * 900 + "?" + "b" * 400 + "&a"), AWS_SIGV4=ES, USERPWD="u" * 2000 + ":" + "p" * 3000, BUFFERSIZE=1024)
    assert t.body == b"in"


def test_key_follows_from_the_options(drive, server):
    """The key is kept from request to request, but not when anything that it follows from is another."""
    changes = [{}, {"USERPWD": "AK:S2"}, {"AWS_SIGV4": "aws:amz:r2:es"}, {"AWS_SIGV4": "aws:amz:r2:s3"}, {"AWS_SIGV4": "one:amz:r2:s3"},
               {"HTTPHEADER": [DATE]}, {"HTTPHEADER": ["X-Amz-Date: 20200102T000000Z"]}, {"USERPWD": "AK:S3"}, {"USERPWD": "A2:S3"}]
    d = drive().easy(URL=server.url(), AWS_SIGV4=ES, USERPWD="AK:SK")
    steps, user, secret, provider = [], "AK", "SK", "aws"
    for options in changes:
        d.setopt("h", **options).perform()
        user, secret = options.get("USERPWD", f"{user}:{secret}").split(":")
        provider = options.get("AWS_SIGV4", provider).split(":")[0]
        steps += [Expect(check=signed_by(user=user, secret=secret, provider=provider)), Reply(200, b"in")]
    server.script(*steps)
    assert [t.body for t in d.run().all("h")] == len(changes) * [b"in"]


def test_duplicate_and_reset(drive, server):
    server.script(Expect(check=signed_by()), Reply(200, b"in"), Expect(lacks=["Authorization"]), Reply(200, b"in"))
    server.script(Expect(check=signed_by()), Reply(200, b"in"))
    d = drive().easy(URL=server.url(), AWS_SIGV4=ES, USERPWD="AK:SK").perform().do("dup", "h", "g").do("reset", "h")
    d.setopt("h", URL=server.url()).perform("h").perform("g")
    assert d.run()["g"].code == 0
