"""SASL (RFC 4422) as a scripted server of SMTP sees it: which mechanism is used, each message in exact bytes, challenges
that cannot be answered, servers that lie. What is expected was watched on the newest libcurl, which has no SCRAM here.
The real server is in test_mail_servers.py."""

import base64
import hashlib
import hmac

import pytest

from mail_peer import ask, dialogue
from mote_driver import SYSTEM, by_library, not_debian
from script import Call, Read, Send, UntilClose
from test_smtp import QUIT, greet, url

DENIED = 67
DIGEST, BEARER = 1 << 1, 1 << 6  # CURLAUTH_*
IN = (*ask("HELP", "214 x\r\n"), *QUIT)
TOKEN = "tok"


def b64(data):
    return base64.b64encode(data.encode("latin-1") if isinstance(data, str) else data).decode()


def get(drive, server, offers, *lines, login=IN, user="user", password="secret", **options):
    """lines: what the client says and is answered; the last answer lets it in if `login` is given."""
    server.script(*greet("AUTH " + offers), *dialogue(*lines), *(login or (UntilClose(),)))
    if user is not None:
        options.update(USERNAME=user, PASSWORD=password)
    return drive.get(URL=url(server), **options)


# ---- the choice

@pytest.mark.parametrize("offers, options, mechanism", [
    ("LOGIN PLAIN CRAM-MD5 DIGEST-MD5 NTLM", {}, "DIGEST-MD5"),
    ("LOGIN PLAIN CRAM-MD5", {}, "CRAM-MD5"),
    ("XOAUTH2 OAUTHBEARER LOGIN PLAIN", {}, "PLAIN"),
    ("EXTERNAL LOGIN", {}, "LOGIN"),
    ("XOAUTH2 OAUTHBEARER PLAIN", {"XOAUTH2_BEARER": TOKEN}, "OAUTHBEARER"),
    ("XOAUTH2 PLAIN", {"XOAUTH2_BEARER": TOKEN}, "XOAUTH2"),
    ("XOAUTH2 DIGEST-MD5", {"XOAUTH2_BEARER": TOKEN}, "DIGEST-MD5"),
    ("XOAUTH2 DIGEST-MD5", {"XOAUTH2_BEARER": TOKEN, "PASSWORD": None}, "DIGEST-MD5"),
    ("SCRAM-SHA-256 SCRAM-SHA-1 XOAUTH2", {"XOAUTH2_BEARER": TOKEN, "PASSWORD": None}, "XOAUTH2"),
    ("XOAUTH2 DIGEST-MD5", {"XOAUTH2_BEARER": TOKEN, "HTTPAUTH": BEARER}, "XOAUTH2"),
    ("DIGEST-MD5 PLAIN", {"HTTPAUTH": DIGEST}, "DIGEST-MD5"),
    ("CRAM-MD5 PLAIN", {"HTTPAUTH": DIGEST | 1}, "PLAIN"),
    ("PLAIN LOGIN CRAM-MD5", {"LOGIN_OPTIONS": "AUTH=LOGIN"}, "LOGIN"),
    ("PLAIN LOGIN CRAM-MD5", {"LOGIN_OPTIONS": "AUTH=LOGIN;AUTH=PLAIN"}, "PLAIN"),
    ("PLAIN LOGIN CRAM-MD5", {"LOGIN_OPTIONS": "AUTH=*"}, "CRAM-MD5"),
    ("PLAIN EXTERNAL", {"LOGIN_OPTIONS": "AUTH=EXTERNAL;AUTH=PLAIN", "PASSWORD": ""}, "EXTERNAL"),
    ("PLAIN EXTERNAL", {"LOGIN_OPTIONS": "AUTH=*", "PASSWORD": ""}, "PLAIN"),
    ("SCRAM-SHA-1 DIGEST-MD5 SCRAM-SHA-256", {}, by_library("SCRAM-SHA-256", "DIGEST-MD5", "DIGEST-MD5")),
])
def test_the_choice(drive, make_server, offers, options, mechanism):
    options = dict({"USERNAME": "user", "PASSWORD": "secret"}, **options)
    t = get(drive, make_server(), offers, f"AUTH {mechanism}", "535 no\r\n", login=None, user=None, **options)
    assert t.code == DENIED


@pytest.mark.parametrize("offers, options", [
    pytest.param("EXTERNAL NTLM", {}, marks=not_debian("NTLM is built in")), ("XOAUTH2 OAUTHBEARER", {}), ("PLAIN LOGIN CRAM-MD5", {"HTTPAUTH": BEARER}),
    ("CRAM-MD5 PLAIN", {"HTTPAUTH": DIGEST}), ("PLAIN", {"LOGIN_OPTIONS": "AUTH=LOGIN"}), ("EXTERNAL", {"LOGIN_OPTIONS": "AUTH=EXTERNAL"}),
])
def test_nothing_fits(drive, make_server, offers, options):
    assert get(drive, make_server(), offers, login=None, **options).code == DENIED


# ---- messages

OAUTH = "n,a=user,\x01host=127.0.0.1\x01port={port}\x01auth=Bearer tok\x01\x01"
XOAUTH2 = b64("user=user\x01auth=Bearer tok\x01\x01")
PLAIN = b64("\0user\0secret")


@pytest.mark.parametrize("offers, options, lines", [
    ("PLAIN", {}, ("AUTH PLAIN", "334 go on\r\n", PLAIN, "235 in\r\n")),
    ("PLAIN", {"SASL_IR": 1}, (f"AUTH PLAIN {PLAIN}", "235 in\r\n")),
    ("PLAIN", {"SASL_AUTHZID": "z"}, ("AUTH PLAIN", "334 \r\n", b64("z\0user\0secret"), "235 in\r\n")),
    pytest.param("CRAM-MD5 PLAIN LOGIN", {"SASL_AUTHZID": "z"}, ("AUTH PLAIN", "334 \r\n", b64("z\0user\0secret"), "235 in\r\n"),
                 marks=pytest.mark.skipif(bool(SYSTEM), reason="libcurl chooses CRAM-MD5, which does not carry the identity")),
    ("LOGIN", {}, ("AUTH LOGIN", "334 VXNlcm5hbWU6\r\n", b64("user"), "334 ?\r\n", b64("secret"), "235 in\r\n")),
    ("LOGIN", {"SASL_IR": 1, "USERNAME": ""}, ("AUTH LOGIN =", "334 \r\n", b64("secret"), "235 in\r\n")),
    ("CRAM-MD5", {"SASL_IR": 1}, ("AUTH CRAM-MD5", f"334 {b64('<x>')}\r\n",
                                  "dXNlciBkYWRlYmZlODFiZDljMTU2Yzk3OWY5NTkyOTNjNWVlYg==", "235 in\r\n")),
    ("EXTERNAL", {"LOGIN_OPTIONS": "AUTH=EXTERNAL", "PASSWORD": ""},
     ("AUTH EXTERNAL", "334 \r\n", b64("user"), "235 in\r\n")),
    ("EXTERNAL", {"LOGIN_OPTIONS": "AUTH=EXTERNAL", "USERNAME": "", "PASSWORD": "", "SASL_IR": 1},
     ("AUTH EXTERNAL =", "235 in\r\n")),
    ("XOAUTH2", {"XOAUTH2_BEARER": TOKEN}, ("AUTH XOAUTH2", "334 \r\n", XOAUTH2, "235 in\r\n")),
    ("XOAUTH2", {"XOAUTH2_BEARER": TOKEN, "SASL_IR": 1}, (f"AUTH XOAUTH2 {XOAUTH2}", "235 in\r\n")),
])
def test_messages(drive, make_server, offers, options, lines):
    options = dict({"USERNAME": "user", "PASSWORD": "secret"}, **options)
    assert get(drive, make_server(), offers, *lines, user=None, **options).code == 0


@pytest.mark.parametrize("refused", [False, True])
def test_oauthbearer(drive, make_server, refused):
    """RFC 7628 section 3.2.3: the server gives its reasons, and the client an answer, before it is refused."""
    server = make_server()
    first = b64(OAUTH.format(port=server.port))
    if refused:
        t = get(drive, server, "OAUTHBEARER", f"AUTH OAUTHBEARER {first}", f"334 {b64('{}')}\r\n", "AQ==",
                "535 no\r\n", login=None, XOAUTH2_BEARER=TOKEN, SASL_IR=1)
    else:
        t = get(drive, server, "OAUTHBEARER", "AUTH OAUTHBEARER", "334 \r\n", first, "235 in\r\n",
                XOAUTH2_BEARER=TOKEN)
    assert t.code == (DENIED if refused else 0)


# ---- challenges that cannot be answered, replies out of turn

@pytest.mark.parametrize("challenge", ["!", "QQ", "QQ=", "====", "QUJD\tx", b64('nonce="n",algorithm=md5-sess'),
                                       b64('nonce="n",qop="auth"'), b64('nonce="n",qop="auth-int",algorithm=md5-sess')])
@pytest.mark.parametrize("answer", ["501 cancelled", "235 in", "334 "])
def test_the_next_mechanism_follows_a_wrong_challenge(drive, make_server, challenge, answer):
    t = get(drive, make_server(), "DIGEST-MD5 PLAIN", "AUTH DIGEST-MD5", f"334 {challenge}\r\n", "*", answer + "\r\n",
            "AUTH PLAIN", "334 \r\n", PLAIN, "235 in\r\n")
    assert t.code == 0


def test_no_mechanism_is_left(drive, make_server):
    t = get(drive, make_server(), "CRAM-MD5", "AUTH CRAM-MD5", "334 !\r\n", "*", "501 cancelled\r\n", login=None)
    assert t.code == DENIED


@pytest.mark.parametrize("offers, lines", [
    ("PLAIN LOGIN", ("AUTH PLAIN", "235 in\r\n")),
    ("PLAIN LOGIN", ("AUTH PLAIN", "504 unknown\r\n")),
    ("PLAIN LOGIN", ("AUTH PLAIN", "334 \r\n", PLAIN, "334 \r\n")),
    ("LOGIN", ("AUTH LOGIN", "334 \r\n", b64("user"), "235 in\r\n")),
    ("LOGIN", ("AUTH LOGIN", "334 \r\n", b64("user"), "334 \r\n", b64("secret"), "334 \r\n")),
    ("CRAM-MD5 PLAIN", ("AUTH CRAM-MD5", "235 in\r\n")),
])
def test_replies_out_of_turn(drive, make_server, offers, lines):
    assert get(drive, make_server(), offers, *lines, login=None).code == DENIED


# ---- servers that do not know the password

class Impostor:
    """SCRAM's and DIGEST-MD5's server, which is wrong in one thing."""

    def __init__(self, wrong=None):
        self.wrong = wrong

    def _line(self, peer):
        while b"\r\n" not in peer.buffer:
            peer.more()
        line, peer.buffer = peer.buffer.split(b"\r\n", 1)
        return line.decode()

    def scram(self, peer):
        digest = hashlib.sha256
        first = base64.b64decode(self._line(peer)).decode()
        nonce = first.split("r=")[1] + "server"
        if self.wrong == "nonce":
            nonce = "x" + nonce
        rounds = {"rounds": 2 ** 31, "zero": 0}.get(self.wrong, 4096)
        challenge = f"r={nonce},s={b64('salt')},i={rounds}"
        peer.send(f"334 {b64(challenge)}\r\n".encode())
        if self.wrong in ("nonce", "rounds"):
            return
        last = base64.b64decode(self._line(peer)).decode()
        if self.wrong == "early":
            peer.send(b"235 in\r\n")
            return
        final, proof = last.split(",p=")
        salted = hashlib.pbkdf2_hmac("sha256", b"secret", b"salt", rounds)
        message = ",".join((first[3:], challenge, final)).encode()
        key = hmac.digest(salted, b"Client Key", digest)
        signed = hmac.digest(digest(key).digest(), message, digest)
        assert proof == b64(bytes(a ^ b for a, b in zip(key, signed)))
        signature = hmac.digest(hmac.digest(salted, b"Server Key", digest), message, digest)
        if self.wrong == "signature":
            signature = signature[:-1] + bytes([signature[-1] ^ 1])
        text = "e=other-error" if self.wrong == "error" else f"v={b64(signature)}"
        peer.send(f"334 {b64(text)}\r\n".encode())

    def digest(self, peer):
        peer.send(f"334 {b64('nonce=n,qop=auth,algorithm=md5-sess')}\r\n".encode())
        self._line(peer)
        peer.send(f"334 {b64('rspauth=' + '0' * 32)}\r\n".encode())


@pytest.mark.skipif(SYSTEM, reason="libcurl has SCRAM with GNU SASL alone")
@pytest.mark.parametrize("wrong", [None, "nonce", "signature", "error", "early"])
def test_scram(drive, make_server, wrong):
    server = make_server()
    peer = Impostor(wrong)
    after = (UntilClose(),) if wrong else (Read(b"\r\n"), Send("235 in\r\n"), *IN)
    server.script(*greet("AUTH SCRAM-SHA-256 PLAIN"), *ask("AUTH SCRAM-SHA-256", "334 \r\n"), Call(peer.scram), *after)
    t = drive.get(URL=url(server), USERNAME="user", PASSWORD="secret")
    assert t.code == (DENIED if wrong else 0), t


@pytest.mark.skipif(SYSTEM, reason="libcurl has SCRAM with GNU SASL alone")
def test_scram_with_too_many_rounds(drive, make_server):
    """The user gets in by the next mechanism."""
    server = make_server()
    server.script(*greet("AUTH SCRAM-SHA-256 PLAIN"), *ask("AUTH SCRAM-SHA-256", "334 \r\n"), Call(Impostor("rounds").scram),
                  *ask("*", "501 cancelled\r\n"), *ask("AUTH PLAIN", "334 \r\n"), *ask(b64("\0user\0secret"), "235 in\r\n"), *IN)
    assert drive.get(URL=url(server), USERNAME="user", PASSWORD="secret").code == 0


@not_debian("the challenge is refused")
def test_a_server_of_digest_md5_without_proof(drive, make_server):
    """The newest believes it."""
    server = make_server()
    believed = (Read(b"\r\n"), Send("235 in\r\n"), *IN)
    after = by_library((UntilClose(),), None, believed)
    server.script(*greet("AUTH DIGEST-MD5 PLAIN"), Read(b"AUTH DIGEST-MD5\r\n"), Call(Impostor().digest), *after)
    assert drive.get(URL=url(server), USERNAME="user", PASSWORD="secret").code == by_library(DENIED, None, 0)


def test_answers_after_a_refusal_of_tls_are_not_believed(drive, make_server):
    """They would be taken for those of the commands that follow without TLS."""
    server = make_server()
    server.script(*greet("STARTTLS", "AUTH PLAIN"), Read(b"STARTTLS\r\n"), Send("454 no\r\n235 in\r\n"), UntilClose())
    assert drive.get(URL=url(server), USERNAME="user", PASSWORD="secret", USE_SSL=1).code == 8
