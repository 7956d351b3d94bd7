"""SOCKS5 with GSS-API (RFC 1961): the messages, what a proxy may answer, with a real KDC."""

import select
import socket
import struct
import subprocess

import pytest

from kerberos import Acceptor
from mote_driver import COMMAND, NEWEST, SYSTEM, by_library, crc, not_debian
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
        return context


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


@pytest.mark.parametrize("level,error", [(3, PROTECTION), (9, PROTECTION), (b"", GSSAPI), (b"\0\0", GSSAPI)], ids=str)
def test_levels(drive, make_server, realm, level, error):
    server = make_server()
    server.script(Read(b"\5\2\0\1"), Send(b"\5\1"), Gss(realm, level=level), *by_library([], [], [Rest()]))
    t = get(drive, server, realm)
    assert (t.code, t.info["PROXY_ERROR"]) == (PROXY_FAILED, error)


# ---------------------------------------------------------------- protection of what follows

class Protected(Gss):
    """Grants a protection, then reads the request for the destination and passes on to a port here. spoil: what is done
    to the frames of answers."""

    may_be_left = True

    def __init__(self, realm, level, port, spoil=None, cut=None, **kw):
        super().__init__(realm, level=level, cut=cut, **kw)
        self.port, self.spoil = port, spoil

    def seal(self, peer, context, data):
        frame = message(3, context.wrap(data, self.level == 2).message)
        frame = self.spoil(frame, context) if self.spoil else frame
        step = self.cut or len(frame)
        for at in range(0, len(frame), step):
            peer.send(frame[at:at + step])

    def run(self, peer):
        context = super().run(peer)
        opened = context.unwrap(self.token(peer, 3))
        if opened.message != BY_NAME or opened.encrypted != (self.level == 2):
            raise Mismatch(f"{opened}")
        self.seal(peer, context, OK5)
        with socket.create_connection(("127.0.0.1", self.port)) as far:
            while True:
                if peer.buffer or peer.sock in select.select([peer.sock, far], [], [], 30)[0]:
                    opened = context.unwrap(self.token(peer, 3))
                    if opened.encrypted != (self.level == 2):
                        raise Mismatch("not encrypted")
                    far.sendall(opened.message)
                elif far in select.select([far], [], [], 0)[0]:
                    data = far.recv(20000)
                    if not data:
                        return
                    self.seal(peer, context, data)


def test_protected(drive, make_server, realm, ours_only, way, level=2):
    ours_only("libcurl has no protection")
    server, proxy = make_server(), make_server()
    server.script(Expect(), Reply(200, bytes(range(256)) * 400), Expect(body=b"x" * 300000), Reply(200, b"in"))
    proxy.script(Read(b"\5\2\0\1"), Send(b"\5\1"), Protected(realm, level, server.port))
    d = drive(way, env=realm.env)
    d.easy(URL="http://a.test:81/", PROXY=f"socks5h://localhost:{proxy.port}", RESOLVE=[f"localhost:{proxy.port}:127.0.0.1"])
    d.perform().setopt("h", POSTFIELDS=b"x" * 300000, POSTFIELDSIZE=300000, HTTPHEADER=["Expect:"]).perform()
    r = d.run().all("h")
    assert [(t.code, t.crc) for t in r] == [(0, crc(bytes(range(256)) * 400)), (0, crc(b"in"))]


def test_signed(drive, make_server, realm, ours_only):
    test_protected(drive, make_server, realm, ours_only, "easy", 1)


def test_protected_byte_by_byte(drive, make_server, realm, ours_only):
    ours_only("libcurl has no protection")
    server, proxy = make_server(), make_server()
    server.script(Expect(), Reply(200, b"by proxy"))
    proxy.script(Read(b"\5\2\0\1"), Send(b"\5\1"), Protected(realm, 2, server.port, cut=1))
    assert get(drive, proxy, realm).body == b"by proxy"


def other_sign(frame, context):
    return frame[:-1] + bytes([frame[-1] ^ 1])


def in_the_clear(frame, context):
    return message(3, context.wrap(OK5, False).message)


def twice(frame, context):
    return frame + frame


SPOILT = [other_sign, in_the_clear, lambda f, c: message(3, b""), lambda f, c: message(3, b"\0" * 65535),
          lambda f, c: OK5, lambda f, c: message(1, f[4:]), lambda f, c: f[:20]]
NOTHING = 1000  # frames that hold nothing


@pytest.mark.parametrize("spoil", SPOILT, ids=range(len(SPOILT)))
def test_spoilt(drive, make_server, realm, ours_only, spoil):
    """A byte that is not the proxy's ends the transfer."""
    ours_only("libcurl has no protection")

    class Once(Protected):
        def run(self, peer):
            context = Gss.run(self, peer)
            self.token(peer, 3)
            self.seal(peer, context, OK5)
    proxy = make_server()
    proxy.script(Read(b"\5\2\0\1"), Send(b"\5\1"), Once(realm, 2, 0, spoil), Close())
    t = get(drive, proxy, realm)
    assert t.code == PROXY_FAILED, t
    assert t.error == "SOCKS5: what has come is not protected as agreed" or t.error.startswith("GSS-API: ")


def test_frames_that_hold_nothing(drive, make_server, realm, ours_only):
    ours_only("libcurl has no protection")
    server, proxy = make_server(), make_server()
    server.script(Expect(), Reply(200, b"by proxy"))
    proxy.script(Read(b"\5\2\0\1"), Send(b"\5\1"), Protected(
        realm, 2, server.port, lambda f, c: f + b"".join(message(3, c.wrap(b"", True).message) for i in range(NOTHING))))
    t = get(drive, proxy, realm)
    assert (t.code, t.body) == (0, b"by proxy")


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
