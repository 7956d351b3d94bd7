"""LDAP: scripted servers, and a real one. What is expected was watched on libcurl 7.88; the newest at hand has no LDAP."""

import glob
import hmac
import shutil
import socket
import subprocess
import time

import pytest

from command_server import StartTls
from mote_driver import NEWEST, PAUSE_CONT
from nginx import free_ports
from script import Close, Read, Send, Step, UntilClose

pytestmark = pytest.mark.skipif(NEWEST, reason="the newest libcurl is built without LDAP")

SLAPD = shutil.which("slapd") or shutil.which("slapd", path="/usr/sbin")


def tlv(tag, inside):
    n = len(inside)
    return bytes([tag]) + (bytes([n]) if n < 128 else b"\x84" + n.to_bytes(4, "big")) + inside


def message(ident, operation):
    return tlv(0x30, tlv(2, bytes([ident])) + operation)


def result(tag, code=0, text=b""):
    return tlv(tag, tlv(10, bytes([code])) + tlv(4, b"") + tlv(4, text))


def entry(name, *attributes):
    return tlv(0x64, tlv(4, name) + tlv(0x30, b"".join(
        tlv(0x30, tlv(4, a) + tlv(0x31, b"".join(tlv(4, v) for v in values))) for a, *values in attributes)))


def read_tlv(data):
    """(tag, inside, rest) of an element with a length of any form; None while bytes are missing."""
    if len(data) < 2:
        return None
    size, at = data[1], 2
    if size > 127:
        at += size & 127
        size = int.from_bytes(data[2:at], "big")
    return (data[0], data[at:at + size], data[at + size:]) if len(data) >= at + size else None


def tree(data):
    """Elements as (tag, bytes or list of elements)."""
    out = []
    while data:
        tag, inside, data = read_tlv(data)
        out.append((tag, tree(inside) if tag & 0x20 else inside))
    return out


class Request(Step):
    """One request of the client. `check` gets its identifier, tag and content."""

    def __init__(self, check):
        self.check = check

    def run(self, peer):
        while read_tlv(peer.buffer) is None:
            peer.more()
        tag, inside, peer.buffer = read_tlv(peer.buffer)
        assert tag == 0x30
        (_, ident), (op, body) = tree(inside)
        self.check(ident[0], op, body)


PRESENT = [(0x87, b"objectclass")]


def search(base=b"dc=x", scope=0, attributes=(), wanted=None, ident=None):
    def check(number, op, body):
        assert ident is None or number == ident
        assert op == 0x63 and [v for _, v in body[:6]] == [base, bytes([scope]), b"\0", b"\0", b"\0", b"\0"]
        assert body[6:7] == (wanted or PRESENT), body[6:7]
        assert [v for _, v in body[7][1]] == list(attributes)
    return Request(check)


def bind(name, password, ident=1):
    def check(number, op, body):
        assert (number, op, body) == (ident, 0x60, [(2, b"\3"), (4, name), (0x80, password)])
    return Request(check)


def unbind(number, op, body):
    assert (op, body) == (0x42, b"")


UNBIND = Request(unbind)
DONE = result(0x65)


def url(server, path="/dc=x", scheme="ldap"):
    return f"{scheme}://127.0.0.1:{server.port}{path}"


def answers(*operations, ident=1):
    return Send(b"".join(message(ident, o) for o in operations))


TEXTS = [
    (entry(b"cn=a", (b"o", b"one", b"two"), (b"x",)), b"DN: cn=a\n\to: one\n\to: two\n\n\tx:\n\n"),
    (entry(b"", (b"o", b"")), b"DN:\n\to:\n\n\n"),
    (entry(b" \xc3\xa9"), b"DN:  \xc3\xa9\n\n"),
    (entry(b"a", (b"o", b" a"), (b"o", b"a "), (b"o", b"\xff"), (b"o", b"a\0")),
     b"DN: a\n\to:: IGE=\n\n\to:: YSA=\n\n\to:: /w==\n\n\to:: YQA=\n\n\n"),
    (entry(b"a", (b"c;binary", b"text"), (b"o", b"a\tb\nc"), (b"o", b":a")), b"DN: a\n\tc;binary:: dGV4dA==\n\n\to: a\tb\nc\n\n\to: :a\n\n\n"),
    (entry(b"a", (b"p", bytes(range(256)) * 80)), None),
    (tlv(0x73, tlv(4, b"ldap://other/x")), b""),
]


@pytest.mark.parametrize("reply, text", TEXTS)
def test_entries_as_text(drive, make_server, ours_only, reply, text):
    ours_only("libcurl binds without a login first")
    server = make_server()
    server.script(search(), answers(reply, DONE), UNBIND, UntilClose())
    t = drive.get(URL=url(server))
    assert t.code == 0 and (text is None or t.body == text)


def test_an_entry_through_every_way_of_driving(drive, make_server, ours_only, way):
    ours_only("libcurl binds without a login first")
    server = make_server()
    reply = message(1, entry(b"cn=a", (b"o", b"x" * 300))) + message(1, DONE)
    server.script(search(), Send(reply, cuts="each"), UNBIND, UntilClose())
    assert drive.get(way, URL=url(server)).body == b"DN: cn=a\n\to: " + b"x" * 300 + b"\n\n\n"


SEARCHES = [
    ("/dc=x?a,b?one", dict(scope=1, attributes=[b"a", b"b"])),
    ("/dc=x?a,?SUB", dict(scope=2, attributes=[b"a"])),
    ("/dc%3dx?c%6e?base", dict(attributes=[b"cn"])),
    ("/", dict(base=b"")), ("", dict(base=b"")), ("/dc=x????bindname=a", {}),
    ("/dc=x???(cn=a*b)", dict(wanted=[(0xa4, [(4, b"cn"), (0x30, [(0x80, b"a"), (0x82, b"b")])])])),
    ("/dc=x???(cn=*a*b*)", dict(wanted=[(0xa4, [(4, b"cn"), (0x30, [(0x81, b"a"), (0x81, b"b")])])])),
    ("/dc=x???cn=a", dict(wanted=[(0xa3, [(4, b"cn"), (4, b"a")])])),
    ("/dc=x???(%7c(a=b)(!(c%3e=d)))", dict(wanted=[(0xa1, [(0xa3, [(4, b"a"), (4, b"b")]), (0xa2, [(0xa5, [(4, b"c"), (4, b"d")])])])])),
    ("/dc=x???(a:dn:2.4:=b)", dict(wanted=[(0xa9, [(0x81, b"2.4"), (0x82, b"a"), (0x83, b"b"), (0x84, b"\xff")])])),
    ("/dc=x???(a=%5c2a%5c00)", dict(wanted=[(0xa3, [(4, b"a"), (4, b"*\0")])])),
    ("/dc=x???(a~=b)", dict(wanted=[(0xa8, [(4, b"a"), (4, b"b")])])),
    ("/dc=x???(a=*)", dict(wanted=[(0x87, b"a")])),
]


@pytest.mark.parametrize("path, what", SEARCHES)
def test_what_a_url_asks_for(drive, make_server, ours_only, path, what):
    ours_only("libcurl binds without a login first")
    server = make_server()
    server.script(search(**what), answers(DONE), UNBIND, UntilClose())
    assert drive.get(URL=url(server, path)).code == 0


@pytest.mark.parametrize("path, code", [("/dc=x??bad", 3), ("/dc=x?????x", 3), ("/dc=x????!ext", 3), ("/dc=x????a,!ext", 3), ("/%00", 3)])
def test_urls_that_are_wrong(drive, make_server, ours_only, path, code):
    ours_only("libcurl ignores extensions that must not be ignored, and cuts names at a NUL")
    t = drive.get(URL=url(make_server(), path))
    assert t.code == code and t.error


@pytest.mark.parametrize("text", ["(cn=a%00b)", "(cn=%00)", "(cn%00=a)", "%00"])
def test_a_nul_in_a_filter(drive, make_server, ours_only, text):
    """It is written as "\\00"; libcurl refuses others, too, and ours sent them."""
    ours_only("libcurl binds first")
    t = drive.get(URL=url(make_server(), "/dc=x???" + text))
    assert t.code == 39 and "NUL" in t.error


def test_without_a_body_nothing_is_delivered(drive, make_server, ours_only):
    ours_only("libcurl binds first, and leaves the search")
    server = make_server()
    server.script(search(), answers(entry(b"cn=a", (b"o", b"x")), DONE), UNBIND, UntilClose())
    t = drive.get(URL=url(server), NOBODY=1)
    assert (t.code, t.body) == (0, b"")


@pytest.mark.parametrize("text", ["(cn=a", "(cn=a))", "(", "()", "(!(a=b)(c=d))", "(=a)", "(a=%5cx)", "(a%20b=c)", "(:=a)", "(%26(a=b)c)",
                                  "(!" * 40 + "(a=b)" + ")" * 40, "a", "(a:b c:=d)"])
def test_filters_that_are_wrong(drive, make_server, ours_only, text):
    ours_only("libcurl binds first")
    server = make_server().default(UntilClose())
    t = drive.get(URL=url(server, "/dc=x???" + text.replace(" ", "%20")))
    assert t.code == 39 and "filter" in t.error


@pytest.mark.parametrize("code, expected", [(0, 0), (49, 67), (50, 9), (1, 38), (53, 38)])
def test_a_login(drive, make_server, code, expected):
    server = make_server()
    rest = [search(ident=2), answers(DONE, ident=2), UNBIND] if not code else []
    server.script(bind(b"cn=me,dc=x", b"p w"), answers(result(0x61, code, b"no")), *rest, UntilClose())
    t = drive.get(URL=url(server), USERNAME="cn=me,dc=x", PASSWORD="p w")
    assert t.code == expected


@pytest.mark.parametrize("code, expected", [(1, 39), (10, 39), (32, 39), (50, 39), (4, 0)])
def test_a_search_that_fails(drive, make_server, ours_only, code, expected):
    ours_only("libcurl binds without a login first")
    server = make_server()
    server.script(search(), answers(entry(b"a"), result(0x65, code, b"because")), UNBIND, UntilClose())
    t = drive.get(URL=url(server))
    assert (t.code, t.body) == (expected, b"DN: a\n\n") and (not expected or "because" in t.error)


def test_the_users_of_netrc_files(drive, make_server, ours_only, tmp_path):
    """Each has a connection of its own."""
    ours_only("libcurl binds without a login first")
    files = [tmp_path / "first", tmp_path / "second"]
    server = make_server()
    for file, user in zip(files, ("u", "other")):
        file.write_text(f"machine 127.0.0.1 login {user} password p\n")
        server.script(bind(user.encode(), b"p"), answers(result(0x61)), search(), answers(entry(b"1"), DONE, ident=2), UNBIND, UntilClose())
    d = drive().easy(URL=url(server), NETRC=1, NETRC_FILE=files[0]).perform("h").setopt("h", NETRC_FILE=files[1]).perform("h")
    assert [t.code for t in d.run().all("h")] == [0, 0]


def test_a_connection_is_kept_for_the_same_user(drive, make_server, ours_only):
    ours_only("libcurl binds without a login first")
    server = make_server()
    server.script(bind(b"u", b"p"), answers(result(0x61)), search(), answers(entry(b"1"), DONE, ident=2), search(),
                  answers(result(0x65, 32), ident=3), search(base=b"dc=y"), answers(entry(b"3"), DONE, ident=4), UNBIND, UntilClose())
    server.script(search(), answers(DONE), UNBIND, UntilClose())
    d = drive().easy(URL=url(server), USERPWD="u:p").perform("h").perform("h").setopt("h", URL=url(server, "/dc=y")).perform("h")
    run = d.setopt("h", URL=url(server), USERPWD=None).perform("h").run()
    assert [t.code for t in run.all("h")] == [0, 39, 0, 0]


BROKEN = [b"\x30\x80\0\0", b"HTTP/1.1 400\r\n", b"\x30\x85\1\1\1\1\1", tlv(0x30, b""), tlv(0x30, tlv(2, b"\1")), message(1, tlv(0x64, b"\4")),
          message(1, tlv(0x64, tlv(4, b"a") + tlv(0x30, b"\4\5"))), message(1, tlv(0x65, b"")), message(1, tlv(0x65, tlv(10, b"\xff"))),
          message(1, tlv(0x64, tlv(4, b"a") + tlv(0x30, tlv(0x30, tlv(4, b"b") + tlv(0x31, b"\4\x7f")))))]


@pytest.mark.parametrize("bytes_", BROKEN)
def test_what_is_not_ldap(drive, make_server, ours_only, bytes_):
    ours_only("libcurl binds without a login first")
    server = make_server()
    server.script(search(), Send(bytes_), UntilClose())
    t = drive.get(URL=url(server))
    assert t.code == 8 and t.error


def test_a_message_without_end(drive, make_server, ours_only):
    ours_only("libcurl has no ceiling")
    server = make_server()
    server.script(search(), Send(b"\x30\x84\x7f\xff\xff\xff\2\1\1"), UntilClose())
    assert drive.get(URL=url(server)).code == 100


def test_a_notice_of_disconnection(drive, make_server, ours_only):
    ours_only("libcurl binds without a login first")
    server = make_server()
    server.script(search(), Send(message(0, result(0x78, 52, b"going down"))), UntilClose())
    t = drive.get(URL=url(server))
    assert t.code == 56 and "going down" in t.error


@pytest.mark.parametrize("cut", range(0, 41, 3))
def test_closed_anywhere(drive, make_server, ours_only, cut):
    ours_only("libcurl binds without a login first")
    server = make_server()
    reply = message(1, entry(b"cn=a", (b"o", b"one"))) + message(1, DONE)
    server.script(search(), Send(reply[:cut]), Close())
    assert drive.get(URL=url(server)).code == 56


def test_closed_during_the_login(drive, make_server, ours_only):
    ours_only("libcurl answers with 38")
    server = make_server()
    server.script(bind(b"u", b"p"), Send(b"\x30\x0c\2"), Close())
    assert drive.get(URL=url(server), USERPWD="u:p").code == 56


def test_many_entries_with_pauses(drive, make_server, ours_only, multi_way):
    ours_only("libcurl binds without a login first")
    server = make_server()
    entries = [entry(b"cn=%d" % i, (b"o", b"x" * 900)) for i in range(300)]
    server.script(search(), answers(*entries, DONE), UNBIND, UntilClose())
    d = drive(multi_way).easy(URL=url(server)).on("h", "write", "bytes", 100000, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("drive", "m", "for", 60).do("pause", "h", PAUSE_CONT).do("drive", "m", "all")
    t = d.run()["h"]
    assert t.code == 0 and t.bytes["write"] == sum(len(b"DN: cn=%d\n\to: \n\n\n" % i) + 900 for i in range(300))


# ---- SASL

def mechanisms(*names, ident=1):
    """The client asks for the server's mechanisms, and gets these."""
    return [search(base=b"", attributes=[b"supportedSASLMechanisms"], ident=ident),
            answers(entry(b"", (b"SUPPORTEDSASLmechanisms", *names)), DONE, ident=ident)]


def sasl_bind(name, credentials, ident):
    def check(number, op, body):
        inside = [(4, name)] + ([] if credentials is None else [(4, credentials)])
        assert (number, op, body) == (ident, 0x60, [(2, b"\3"), (4, b""), (0xa3, inside)])
    return Request(check)


def bound(code=0, creds=None):
    return tlv(0x61, tlv(10, bytes([code])) + tlv(4, b"") + tlv(4, b"because" if code else b"") + (tlv(0x87, creds) if creds is not None else b""))


def found(ident):
    return [search(ident=ident), answers(entry(b"cn=a"), DONE, ident=ident), UNBIND, UntilClose()]


CHALLENGE = b"<1@x>"
CRAM = b"u " + hmac.new(b"p", CHALLENGE, "md5").hexdigest().encode()


def test_sasl_with_a_first_message(drive, make_server, way):
    server = make_server()
    server.script(*mechanisms(b"X", b"PLAIN"), sasl_bind(b"PLAIN", b"\0u\0p", 2), answers(bound(), ident=2), *found(3))
    t = drive.get(way, URL=url(server), USERPWD="u:p", LOGIN_OPTIONS="AUTH=PLAIN")
    assert (t.code, t.body) == (0, b"DN: cn=a\n\n")


def test_sasl_for_another_user(drive, make_server):
    server = make_server()
    server.script(*mechanisms(b"PLAIN"), sasl_bind(b"PLAIN", b"z\0u\0p", 2), answers(bound(), ident=2), *found(3))
    assert drive.get(URL=url(server), USERPWD="u:p", LOGIN_OPTIONS="AUTH=PLAIN", SASL_AUTHZID="z").code == 0


def test_sasl_with_a_challenge(drive, make_server, ours_only):
    ours_only("Debian's has no such mechanism installed")
    server = make_server()
    server.script(*mechanisms(b"CRAM-MD5", b"PLAIN"), sasl_bind(b"CRAM-MD5", None, 2), answers(bound(14, CHALLENGE), ident=2),
                  sasl_bind(b"CRAM-MD5", CRAM, 3), answers(bound(), ident=3), *found(4))
    assert drive.get(URL=url(server), USERPWD="u:p", LOGIN_OPTIONS="AUTH=*").code == 0


def test_what_cannot_be_answered_is_cancelled_by_the_next_mechanism(drive, make_server, ours_only):
    ours_only("libcurl gives up")
    server = make_server()
    server.script(*mechanisms(b"DIGEST-MD5", b"PLAIN"), sasl_bind(b"DIGEST-MD5", None, 2), answers(bound(14, b"?"), ident=2),
                  sasl_bind(b"PLAIN", b"\0u\0p", 3), answers(bound(), ident=3), *found(4))
    assert drive.get(URL=url(server), USERPWD="u:p", LOGIN_OPTIONS="AUTH=*").code == 0


@pytest.mark.parametrize("creds", [None, b"", b"v=AAAA", b"?"])
def test_a_success_without_the_proof_is_none(drive, make_server, ours_only, creds):
    ours_only("Debian's has no such mechanism installed")
    server = make_server()
    server.script(*mechanisms(b"SCRAM-SHA-256", b"PLAIN"), Request(lambda ident, op, body: None), answers(bound(0, creds), ident=2), UntilClose())
    t = drive.get(URL=url(server), USERPWD="u:p", LOGIN_OPTIONS="AUTH=*")
    assert t.code == 67 and t.error


@pytest.mark.parametrize("code, expected", [(49, 67), (50, 9), (7, 38)])
def test_a_bind_by_sasl_that_is_refused(drive, make_server, ours_only, code, expected):
    ours_only("the texts are ours")
    server = make_server()
    server.script(*mechanisms(b"PLAIN"), sasl_bind(b"PLAIN", b"\0u\0p", 2), answers(bound(code), ident=2), UntilClose())
    t = drive.get(URL=url(server), USERPWD="u:p", LOGIN_OPTIONS="AUTH=PLAIN")
    assert t.code == expected and "because" in t.error


@pytest.mark.parametrize("options, names", [("AUTH=SCRAM-SHA-1", [b"PLAIN"]), ("AUTH=*", [b"X"]), ("AUTH=*", [])])
def test_no_mechanism_that_fits(drive, make_server, options, names):
    server = make_server()
    server.script(*mechanisms(*names), UntilClose())
    assert drive.get(URL=url(server), USERPWD="u:p", LOGIN_OPTIONS=options).code == 67


def test_mechanisms_without_end(drive, make_server, ours_only):
    ours_only("libcurl has no ceiling")
    server = make_server()
    server.script(mechanisms(b"X")[0], answers(*[entry(b"", (b"a", b"b"))] * 80), UntilClose())
    assert drive.get(URL=url(server), USERPWD="u:p", LOGIN_OPTIONS="AUTH=*").code == 8


def test_entries_of_mechanisms_that_are_broken(drive, make_server, ours_only):
    ours_only("libcurl passes over them")
    server = make_server()
    server.script(mechanisms(b"X")[0], answers(tlv(0x64, tlv(4, b"") + tlv(0x30, b"\x30\5"))), UntilClose())
    assert drive.get(URL=url(server), USERPWD="u:p", LOGIN_OPTIONS="AUTH=*").code == 8


@pytest.mark.parametrize("options", ["AUTH=none-such", "X=1"])
def test_login_options_that_are_wrong(drive, make_server, options):
    t = drive.get(URL=url(make_server()), USERPWD="u:p", LOGIN_OPTIONS=options)
    assert t.code == 49


def test_silence_runs_into_the_deadline(drive, make_server, ours_only):
    ours_only("libcurl binds without a login first")
    server = make_server()
    server.script(search(), UntilClose())
    assert drive.get(URL=url(server), TIMEOUT_MS=200).code == 28


# ---- TLS

def constructed(tag, inside):
    return bytes([tag, 0x84]) + len(inside).to_bytes(4, "big") + inside


STARTTLS = constructed(0x30, tlv(2, b"\1") + constructed(0x77, tlv(0x80, b"1.3.6.1.4.1.1466.20037")))
GO = message(1, result(0x78))


def test_ldaps_has_tls_from_the_first_byte(drive, make_server, certs, ours_only):
    ours_only("libcurl binds without a login first")
    server = make_server(tls=certs.context())
    server.script(search(), answers(DONE), UNBIND, UntilClose())
    assert drive.get(URL=url(server, scheme="ldaps"), CAINFO=certs.path("ca.pem")).code == 0


def test_starttls(drive, make_server, certs, ours_only):
    ours_only("libcurl's verification differs")
    server = make_server()
    server.script(StartTls(STARTTLS, GO, certs.context()), bind(b"u", b"p", 2), answers(result(0x61), ident=2), search(), answers(DONE, ident=3), UNBIND, UntilClose())
    assert drive.get(URL=url(server), USE_SSL=3, USERPWD="u:p", CAINFO=certs.path("ca.pem")).code == 0


@pytest.mark.parametrize("level, code", [(1, 0), (2, 64), (3, 64)])
def test_a_server_without_starttls(drive, make_server, ours_only, level, code):
    ours_only("libcurl binds without a login first")
    server = make_server()
    rest = [search(), answers(DONE, ident=2), UNBIND] if not code else []
    server.script(Read(STARTTLS), answers(result(0x78, 2, b"no")), *rest, UntilClose())
    assert drive.get(URL=url(server), USE_SSL=level).code == code


def test_bytes_injected_before_tls(drive, make_server, certs, ours_only):
    ours_only("libldap has its own answer")
    server = make_server()
    server.script(StartTls(STARTTLS, GO, None, message(2, DONE)), UntilClose())
    assert drive.get(URL=url(server), USE_SSL=3, CAINFO=certs.path("ca.pem")).code in (8, 35)


# ---- a real server

CONF = """include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile {0}/pid
database mdb
suffix "dc=example,dc=org"
rootdn "cn=admin,dc=example,dc=org"
rootpw secret
directory {0}/db
password-hash {{CLEARTEXT}}
sasl-auxprops slapd
sasl-secprops none
authz-regexp uid=([^,]*),cn=[^,]*,cn=auth "cn=Ann $1,dc=example,dc=org"
"""
LDIF = """dn: dc=example,dc=org
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: cn=Ann Bee,dc=example,dc=org
objectClass: inetOrgPerson
cn: Ann Bee
sn: Bee
mail: ann@example.org
userPassword: pass word
jpegPhoto:: /9j/4AAQSkZJRgABAQAAAQABAAD/
"""


@pytest.fixture
def slapd(tmp_path):
    if not SLAPD:
        pytest.skip("no slapd here")
    (tmp_path / "db").mkdir()
    (tmp_path / "conf").write_text(CONF.format(tmp_path))
    (tmp_path / "ldif").write_text(LDIF)
    subprocess.run([SLAPD, "-T", "add", "-f", tmp_path / "conf", "-l", tmp_path / "ldif"], check=True, capture_output=True)
    port, = free_ports(1)
    process = subprocess.Popen([SLAPD, "-d", "0", "-f", tmp_path / "conf", "-h", f"ldap://127.0.0.1:{port}"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(400):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            time.sleep(0.05)
    yield port
    process.terminate()
    process.wait()


def test_what_slapd_has(drive, slapd):
    base = f"ldap://127.0.0.1:{slapd}/dc=example,dc=org"
    d = drive().easy(URL=base + "?cn,mail?sub?(mail=*)").perform("h").setopt("h", URL=base + "?o").perform("h")
    d.setopt("h", USERPWD="cn=admin,dc=example,dc=org:secret", URL=base + "?sn?one").perform("h")
    run = d.setopt("h", URL=f"ldap://127.0.0.1:{slapd}/cn=none,dc=example,dc=org").perform("h").run()
    assert [(t.code, t.body) for t in run.all("h")] == [
        (0, b"DN: cn=Ann Bee,dc=example,dc=org\n\tcn: Ann Bee\n\n\tmail: ann@example.org\n\n\n"),
        (0, b"DN: dc=example,dc=org\n\to: Example\n\n\n"), (0, b"DN: cn=Ann Bee,dc=example,dc=org\n\tsn: Bee\n\n\n"), (39, b"")]


def test_a_wrong_password_for_slapd(drive, slapd):
    t = drive.get(URL=f"ldap://127.0.0.1:{slapd}/dc=example,dc=org", USERPWD="cn=admin,dc=example,dc=org:no")
    assert t.code == 67


@pytest.mark.parametrize("password, code", [("pass word", 0), ("no", 67)])
@pytest.mark.parametrize("name", ["SCRAM-SHA-256", "SCRAM-SHA-1", "DIGEST-MD5", "CRAM-MD5", "PLAIN", "*"])
@pytest.mark.skipif(not glob.glob("/usr/lib/*/sasl2/libscram.so*"), reason="slapd has no mechanisms here")
def test_a_login_by_sasl_to_slapd(drive, slapd, ours_only, name, password, code):
    ours_only("Debian's has no such mechanisms installed")
    t = drive.get(URL=f"ldap://127.0.0.1:{slapd}/cn=Ann%20Bee,dc=example,dc=org?sn", USERNAME="Bee", PASSWORD=password, LOGIN_OPTIONS="AUTH=" + name)
    assert (t.code, t.body) == (code, b"" if code else b"DN: cn=Ann Bee,dc=example,dc=org\n\tsn: Bee\n\n\n")
