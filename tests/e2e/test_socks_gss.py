"""SOCKS5 with GSS-API (RFC 1961): the messages, what a proxy may answer, with a real KDC."""

import struct
import subprocess

import pytest

from kerberos import Acceptor
from mote_driver import COMMAND, NEWEST, SYSTEM, by_library, not_debian
from script import Gone, Mismatch, Read, Send, Step
from server import Close, Expect, Reply

PROXY_FAILED = 97
OK5 = b"\5\0\0\1\0\0\0\0\0\0"
BY_NAME = b"\5\1\0\3\6a.test\0\x51"
GSSAPI, PERMSG, PROTECTION, UNKNOWN_MODE = 4, 5, 6, 32  # CURLPX_*
AUTH_BASIC, AUTH_GSSAPI = 1, 4
ANSWERED = [Expect(target="/", has={"Host": "a.test:81"}), Reply(200, b"by proxy")]

pytestmark = not_debian("it refuses the answer of a proxy that accepts GSS-API")


def message(kind, token):
    return struct.pack(">BBH", 1, kind, len(token)) + token


class Gss(Step):
    """A proxy's part until the destination is named. level: the protection that it grants; nec: it is not wrapped;
    cuts: bytes of a send."""

    def __init__(self, realm, level=0, nec=False, user="user@MOTE.TEST", service="rcmd/localhost", delegated=False,
                 cut=None):
        self.realm, self.level, self.nec, self.user, self.service = realm, level, nec, user, service
        self.delegated, self.cut = delegated, cut

    def token(self, peer, kind):
        head = peer.take(4)
        if head[:2] != bytes([1, kind]):
            raise Mismatch(f"no message of type {kind}: {head!r}")
        return peer.take(struct.unpack(">H", head[2:])[0])

    def say(self, peer, kind, token):
        data = message(kind, token)
        step = self.cut or len(data)
        for at in range(0, len(data), step):
            peer.send(data[at:at + step])

    def run(self, peer):
        acceptor = Acceptor(self.realm)
        answer = acceptor.step(self.token(peer, 1))
        self.say(peer, 1, answer)
        context = acceptor.context
        if not context.complete or acceptor.user != self.user or acceptor.service != self.service:
            raise Mismatch(f"{context.complete} {acceptor.user} {acceptor.service}")
        if (context.delegated_creds is not None) != self.delegated:
            raise Mismatch("delegation")
        wanted = self.token(peer, 2)
        if not self.nec:
            wanted = context.unwrap(wanted).message
        if wanted != b"\2":
            raise Mismatch(f"level {wanted!r}")
        granted = bytes([self.level]) if isinstance(self.level, int) else self.level
        self.say(peer, 2, granted if self.nec else context.wrap(granted, False).message)


class Rest(Step):
    """The newest library names the destination before it judges the level."""

    may_be_left = True

    def run(self, peer):
        peer.drain(keep=True)
        peer.buffer = b""


class Token(Step):
    def run(self, peer):
        peer.take(struct.unpack(">H", peer.take(4)[2:])[0])


def get(drive, server, realm, way="easy", env=None, host="localhost", **options):
    return drive.get(way, URL="http://a.test:81/", PROXY=f"socks5h://{host}:{server.port}", info=["PROXY_ERROR"],
                     env=env or realm.env, RESOLVE=[f"{host}:{server.port}:127.0.0.1"], **options)


@pytest.fixture(autouse=True)
def leave_out(request):
    if NEWEST and getattr(request.node, "callspec", None) and request.node.callspec.params.get("way") == "socket":
        pytest.skip("the newest libcurl calls the socket callback with a handle that is none")


@pytest.mark.parametrize("options,step", [
    ({}, {}), ({"SOCKS5_AUTH": AUTH_GSSAPI}, {}), ({"SOCKS5_GSSAPI_NEC": 1}, {"nec": True}),
    ({"PROXY_SERVICE_NAME": "special"}, {"service": "special/localhost"}),
    ({"SOCKS5_GSSAPI_SERVICE": "special"}, {"service": "special/localhost"}),
    ({"PROXY_SERVICE_NAME": "special/b.test"}, {"service": "special/b.test"}),
    ({"PROXY_SERVICE_NAME": "HTTP", "SOCKS5_GSSAPI_SERVICE": "special"}, {"service": "special/localhost"}),
    ({"SOCKS5_GSSAPI_SERVICE": "special", "PROXY_SERVICE_NAME": "HTTP"}, {"service": "HTTP/localhost"}),
    ({"GSSAPI_DELEGATION": 2}, {"delegated": True}), ({"GSSAPI_DELEGATION": 1}, {"delegated": True}),
    ({"GSSAPI_DELEGATION": 1, "PROXY_SERVICE_NAME": "special"}, {"service": "special/localhost"}),
    ({"GSSAPI_DELEGATION": 2, "PROXY_SERVICE_NAME": "special"}, {"service": "special/localhost", "delegated": True}),
    ({}, {"cut": 1}),
], ids=str)
def test_login(drive, make_server, realm, options, step):
    """Where a service is named, the newest library offers a password that it does not have."""
    server = make_server()
    offers_more = NEWEST and "service" in step
    server.script(Read(b"\5\3\0\1\2" if offers_more else b"\5\2\0\1"), Send(b"\5\1"), Gss(realm, **step), Read(BY_NAME), Send(OK5), *ANSWERED)
    t = get(drive, server, realm, **options)
    assert (t.code, t.body, t.info["PROXY_ERROR"]) == (0, b"by proxy", 0), t.error


def test_every_way(drive, make_server, realm, way):
    server = make_server()
    server.script(Read(b"\5\2\0\1"), Send(b"\5\1"), Gss(realm, cut=50), Read(BY_NAME), Send(OK5), *ANSWERED)
    assert get(drive, server, realm, way=way).body == b"by proxy"


def test_password_beside_it(drive, make_server, realm):
    server = make_server()
    server.script(Read(b"\5\3\0\1\2"), Send(b"\5\1"), Gss(realm), Read(BY_NAME), Send(OK5), *ANSWERED)
    assert get(drive, server, realm, PROXYUSERPWD="me:pw").body == b"by proxy"


def test_not_wanted(drive, make_server, realm):
    """Without its bit in SOCKS5_AUTH it is not offered, and a proxy that chooses it all the same is left."""
    server = make_server()
    server.script(Read(b"\5\1\0"), Send(b"\5\1"))
    t = get(drive, server, realm, SOCKS5_AUTH=AUTH_BASIC)
    assert (t.code, t.info["PROXY_ERROR"]) == (PROXY_FAILED, by_library(UNKNOWN_MODE, PERMSG, PERMSG))


REFUSALS = [
    (b"\1\xff", "SOCKS5: the proxy rejected the login by GSS-API"),
    (b"\2\1\0\1x", "SOCKS5: the proxy's answer is not of GSS-API"),
    (b"\5\2\0\1x", "SOCKS5: the proxy's answer is not of GSS-API"),
    (b"\1\2\0\1x", "SOCKS5: the proxy's answer is not of GSS-API"),
    (b"\1\1\0\3abc", "GSS-API: Invalid token was supplied"),
    (b"\1\1\0\0", "SOCKS5: the proxy's answer has no token of GSS-API"),
    (b"\1\1\xff\xff" + bytes(65535), "GSS-API: Invalid token was supplied"),
    (b"", "SOCKS5: the proxy closed the connection during the login by GSS-API"),
    (b"\1", "SOCKS5: the proxy closed the connection during the login by GSS-API"),
    (b"\1\1\0\7abc", "SOCKS5: the proxy closed the connection during the login by GSS-API"),
]


@pytest.mark.parametrize("answer,error", REFUSALS, ids=lambda v: repr(v)[:20])
def test_context_refused(drive, make_server, realm, answer, error):
    server = make_server()
    server.script(Read(b"\5\2\0\1"), Send(b"\5\1"), Token(), Send(answer), Close())
    t = get(drive, server, realm)
    assert (t.code, t.info["PROXY_ERROR"]) == (PROXY_FAILED, GSSAPI)
    if not SYSTEM:
        assert t.error == error


@pytest.mark.parametrize("level,error", [(1, PROTECTION), (2, PROTECTION), (3, PROTECTION), (9, PROTECTION), (b"", GSSAPI),
                                         (b"\0\0", GSSAPI)], ids=str)
def test_levels(drive, make_server, realm, level, error):
    """A protection of what follows is not built in."""
    server = make_server()
    server.script(Read(b"\5\2\0\1"), Send(b"\5\1"), Gss(realm, level=level), *by_library([], [], [Rest()]))
    t = get(drive, server, realm)
    assert (t.code, t.info["PROXY_ERROR"]) == (PROXY_FAILED, error)


def test_no_ticket(drive, make_server, realm):
    server = make_server()
    server.script(Read(b"\5\2\0\1"), Send(b"\5\1"))
    t = get(drive, server, realm, env=realm.without)
    assert (t.code, t.info["PROXY_ERROR"]) == (PROXY_FAILED, GSSAPI)
    if not SYSTEM:
        assert t.error == ("GSS-API: No credentials were supplied, or the credentials were unavailable or inaccessible: "
                           f"No Kerberos credentials available (default cache: FILE:{realm.folder}/no-ccache)")


def test_unknown_service(drive, make_server, realm):
    server = make_server()
    server.script(Read(by_library(b"\5\2\0\1", b"", b"\5\3\0\1\2")), Send(b"\5\1"))
    t = get(drive, server, realm, PROXY_SERVICE_NAME="nothing")
    assert (t.code, t.info["PROXY_ERROR"]) == (PROXY_FAILED, GSSAPI)
    assert "not found in Kerberos database" in t.error


# ---------------------------------------------------------------- which connections are used again

def test_reuse(drive, make_server, realm, ours_only):
    """For the same service and the same ways to log in."""
    ours_only("libcurl's connections do not differ in them")
    server = make_server()
    login = [Read(b"\5\2\0\1"), Send(b"\5\1"), Gss(realm), Read(BY_NAME), Send(OK5)]
    special = [Read(b"\5\2\0\1"), Send(b"\5\1"), Gss(realm, service="special/localhost"), Read(BY_NAME), Send(OK5)]
    server.script(*login, *ANSWERED, *ANSWERED)
    server.script(*special, *ANSWERED)
    server.script(Read(b"\5\1\0"), Send(b"\5\0"), Read(BY_NAME), Send(OK5), *ANSWERED)
    d = drive("easy", env=realm.env)
    d.easy(URL="http://a.test:81/", PROXY=f"socks5h://localhost:{server.port}", RESOLVE=[f"localhost:{server.port}:127.0.0.1"])
    d.perform().perform().setopt("h", PROXY_SERVICE_NAME="special").perform()
    d.setopt("h", PROXY_SERVICE_NAME=None, SOCKS5_AUTH=AUTH_BASIC).perform()
    assert [t.body for t in d.run().all("h")] == 4 * [b"by proxy"]


# ---------------------------------------------------------------- the command

@pytest.mark.parametrize("options,step", [
    ([], {}), (["--socks5-gssapi"], {}), (["--socks5-gssapi-nec"], {"nec": True}),
    (["--socks5-gssapi-service", "special"], {"service": "special/localhost"}),
    (["--proxy-service-name", "special"], {"service": "special/localhost"}),
    (["--delegation", "always"], {"delegated": True}), (["--delegation", "none"], {}),
], ids=str)
def test_command(make_server, realm, ours_only, options, step):
    ours_only("the command is ours")
    server = make_server()
    server.script(Read(b"\5\2\0\1"), Send(b"\5\1"), Gss(realm, **step), Read(BY_NAME), Send(OK5), *ANSWERED)
    done = subprocess.run([COMMAND, "-sS", "--resolve", f"localhost:{server.port}:127.0.0.1", "-x",
                           f"socks5h://localhost:{server.port}", *options, "http://a.test:81/"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=dict(realm.env, PATH="/usr/bin:/bin", HOME="/nonexistent"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"by proxy", b"")


def test_command_names_the_feature(ours_only):
    ours_only("the command is ours")
    said = subprocess.run([COMMAND, "--version"], stdout=subprocess.PIPE, check=True).stdout.decode()
    features = said.split("Features: ")[1].split()
    assert "GSS-API" in features and "Kerberos" in features
