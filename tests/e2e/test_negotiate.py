"""Negotiate (RFC 4559) to servers and to proxies that pass requests on, with a real KDC, a real apache, and scripts."""

import base64
import subprocess

import pytest

from kerberos import Acceptor
from mote_driver import AUTH_ANY, COMMAND, SYSTEM, by_library, not_debian
from server import Expect, Reply, Serve, response

pytestmark = not_debian("connections that are bound to a user are given to others; no HTTPAUTH_USED")

AUTH_BASIC, AUTH_NEGOTIATE = 1, 4
PLAIN = "WWW-Authenticate: Negotiate"
USED, RESPONSE = "HTTPAUTH_USED", "RESPONSE_CODE"


def at(server, path="/", host="localhost"):
    return f"http://{host}:{server.port}{path}"


def token_of(request, field="Authorization"):
    scheme, _, text = (request.header(field) or "").partition(" ")
    assert scheme == "Negotiate", request
    return base64.b64decode(text, validate=True)


class Accepts:
    """A server's answers: a request with the token of `user` gets 200 and the acceptor's token, another one a 401."""

    def __init__(self, realm, service="HTTP/localhost", acceptor=Acceptor, field="Authorization", status=401):
        self.realm, self.service, self.make, self.field, self.status = realm, service, acceptor, field, status
        self.name = "Proxy-Authenticate" if status == 407 else "WWW-Authenticate"
        self.contexts = {}  # by connection
        self.delegated = []

    def __call__(self, request, peer):
        if request.header(self.field) is None:
            return response(self.status, b"no", [f"{self.name}: Negotiate"])
        acceptor = self.contexts.get(peer.number)
        if acceptor is None or acceptor.make_new:
            acceptor = self.contexts[peer.number] = self.make(self.realm)
            acceptor.make_new = False
        answer = acceptor.step(token_of(request, self.field))
        assert acceptor.context.complete and acceptor.user == self.realm.user and acceptor.service == self.service
        text = base64.b64encode(answer).decode()
        if not getattr(acceptor, "complete", True):
            return response(self.status, b"more", [f"{self.name}: Negotiate {text}"])
        acceptor.make_new = True
        self.delegated.append(acceptor.context.delegated_creds is not None)
        return response(200, b"in", [f"{self.name}: Negotiate {text}"] if text else [])


Acceptor.make_new = False


def get(drive, server, realm, way="easy", env=None, **options):
    return drive.get(way, **{"URL": at(server), "HTTPAUTH": AUTH_NEGOTIATE, "USERPWD": ":", "env": env or realm.env,
                             "info": [USED, RESPONSE, "HTTPAUTH_AVAIL", "NUM_CONNECTS"], **options})


# ---------------------------------------------------------------- one round

@pytest.mark.parametrize("options,service", [
    ({}, "HTTP/localhost"), ({"USERPWD": None}, "HTTP/localhost"), ({"USERPWD": "some:body"}, "HTTP/localhost"),
    ({"USERNAME": "", "USERPWD": None}, "HTTP/localhost"),
    ({"SERVICE_NAME": "special"}, "special/localhost"),
], ids=str)
def test_at_once(drive, server, realm, options, service):
    """The only scheme that is allowed is used without asking, and a user is not needed."""
    server.script(Serve(Accepts(realm, service)))
    t = get(drive, server, realm, **options)
    assert (t.body, t.info[USED]) == (b"in", AUTH_NEGOTIATE)
    assert len(server.connections[0].requests) == 1


def test_every_way(drive, server, realm, way):
    """Out of several schemes a challenge chooses it. The connection of the challenge is not made into the user's, where
    the newest library does that."""
    server.default(Serve(Accepts(realm)))
    t = get(drive, server, realm, way, HTTPAUTH=AUTH_ANY)
    assert (t.body, t.info[USED], t.info["HTTPAUTH_AVAIL"]) == (b"in", AUTH_NEGOTIATE, AUTH_NEGOTIATE)
    server.settle()
    assert [[r.header("Authorization") is None for r in c.requests] for c in server.connections] == by_library(
        [[True], [False]], None, [[True, False]])


@pytest.mark.parametrize("delegation,service,expected", [
    (0, "HTTP", False), (1, "HTTP", True), (2, "HTTP", True), (1, "special", False), (2, "special", True)])
def test_delegation(drive, server, realm, delegation, service, expected):
    accepts = Accepts(realm, service + "/localhost")
    server.script(Serve(accepts))
    assert get(drive, server, realm, GSSAPI_DELEGATION=delegation, SERVICE_NAME=service).body == b"in"
    assert accepts.delegated == [expected]


@pytest.mark.parametrize("other", ['Basic realm="x"', 'Digest realm="x", nonce="n"'])
def test_is_preferred(drive, server, realm, other):
    server.script(Expect(lacks=["Authorization"]), Reply(401, b"no", ["WWW-Authenticate: " + other, PLAIN]),
                  *by_library([], [], [Serve(Accepts(realm))]))
    server.default(Serve(Accepts(realm)))
    assert get(drive, server, realm, HTTPAUTH=AUTH_ANY, USERPWD="u:p").body == b"in"


def test_any_without_a_user(drive, server, realm):
    """Among several schemes it has to be asked for, by a user that may be empty."""
    server.script(Serve(Accepts(realm)))
    t = get(drive, server, realm, HTTPAUTH=AUTH_ANY, USERPWD=None)
    assert (t.body, t.info[RESPONSE], t.info[USED]) == (b"no", 401, 0)


@pytest.mark.parametrize("options,body", [
    ({"POSTFIELDS": "hello"}, b"hello"), ({"UPLOAD": 1, "INFILESIZE": 5}, b"hello")], ids=str)
def test_body(drive, server, realm, options, body):
    server.script(Serve(Accepts(realm)))
    assert get(drive, server, realm, body=b"hello", **options).body == b"in"
    assert [r.body for r in server.connections[0].requests] == [body]


# ---------------------------------------------------------------- refusals

@pytest.mark.parametrize("challenge", [PLAIN, PLAIN + " YWJj", PLAIN + " !!", PLAIN + " " + "A" * 40000, "WWW-Authenticate: Basic"],
                         ids=lambda c: c[:32])
def test_refused(drive, server, realm, challenge):
    """A token that is refused, or whose answer is none, is the end: no second request."""
    server.script(Expect(), Reply(401, b"no", [challenge]))
    t = get(drive, server, realm)
    assert (t.code, t.body, t.info[RESPONSE]) == (0, b"no", 401)


@pytest.mark.parametrize("auth", [AUTH_NEGOTIATE, AUTH_ANY])
def test_no_ticket(drive, server, realm, auth):
    """The request goes without credentials; why is said to the debug callback."""
    steps = [Expect(lacks=["Authorization"]), Reply(401, b"no", [PLAIN])]
    server.default(*steps, *by_library([], [], steps if auth == AUTH_ANY else []))
    t = get(drive, server, realm, env=realm.without, HTTPAUTH=auth, VERBOSE=1, enable=["debug", "debugprint"])
    assert (t.code, t.body, t.info[RESPONSE]) == (0, b"no", 401)
    said = b"".join(text for kind, text in t.debug if kind == 0)
    assert b"No Kerberos credentials available (default cache: FILE:" in said
    assert t.error == ""


def test_no_ticket_and_then_basic(drive, server, realm):
    """A handle that has chosen Negotiate in vain answers a server's challenge for Basic alone."""
    def answer(request, peer):
        if (request.header("Authorization") or "").startswith("Basic "):
            return response(200, b"in")
        return response(401, b"no", ['WWW-Authenticate: Basic realm="x"', *([PLAIN] if request.target == "/both" else [])])
    server.default(Serve(answer))
    d = drive("easy", env=realm.without)
    d.easy(URL=at(server, "/both"), HTTPAUTH=AUTH_ANY, USERPWD="u:p").perform()
    d.setopt("h", URL=at(server, "/basic")).perform().perform()
    assert [t.body for t in d.run().all("h")] == [b"no", b"in", b"in"]


def test_junk_with_success(drive, server, realm):
    server.script(Expect(), Reply(200, b"in", [PLAIN + " YWJj"]))
    assert get(drive, server, realm).body == b"in"


def test_unknown_service(drive, server, realm):
    server.script(Expect(lacks=["Authorization"]), Reply(401, b"no", [PLAIN]))
    assert get(drive, server, realm, SERVICE_NAME="nothing").info[RESPONSE] == 401


# ---------------------------------------------------------------- several rounds

def test_rounds(drive, server, realm, slow_acceptor, way):
    """On one connection, each with the token that answers the one before."""
    server.script(Serve(Accepts(realm, acceptor=slow_acceptor)))
    t = get(drive, server, realm, way)
    assert (t.code, t.body) == (0, b"in")
    assert len(server.connections[0].requests) == 2


def test_rounds_begin_again_on_another_connection(drive, server, realm, slow_acceptor):
    """The first connection is closed between the rounds: the context that began there is of no worth elsewhere."""
    first = slow_acceptor(realm)

    def half(request, peer):
        text = base64.b64encode(first.step(token_of(request))).decode()
        return response(401, b"more", [f"WWW-Authenticate: Negotiate {text}", "Connection: close"])
    server.script(Serve(half))
    server.script(Serve(Accepts(realm)))
    t = get(drive, server, realm)
    assert t.body == b"in"


def test_rounds_with_a_body(drive, server, realm, slow_acceptor):
    server.script(Serve(Accepts(realm, acceptor=slow_acceptor)))
    t = get(drive, server, realm, POSTFIELDS="hello")
    assert (t.code, t.body) == (0, b"in")
    assert server.connections[0].requests[-1].body == b"hello"


def test_rounds_of_two_transfers(drive, server, realm, slow_acceptor, multi_way):
    """Each on a connection of its own."""
    accepts = Accepts(realm, acceptor=slow_acceptor)
    server.default(Serve(accepts))
    d = drive(multi_way, env=realm.env)
    for name in "abc":
        d.easy(name, URL=at(server, "/" + name), HTTPAUTH=AUTH_NEGOTIATE, USERPWD=":")
    r = d.perform("a", "b", "c").run()
    assert [r[name].body for name in "abc"] == 3 * [b"in"]


# ---------------------------------------------------------------- whose connection it is

OTHERS = [({"HTTPAUTH": AUTH_BASIC, "USERPWD": None}, False), ({"HTTPAUTH": AUTH_BASIC, "USERPWD": "a:b"}, False),
          ({"USERPWD": "other:user"}, False), ({"SERVICE_NAME": "special"}, False), ({"POSTFIELDS": "x"}, True)]


@pytest.mark.parametrize("others,same", OTHERS, ids=str)
def test_the_connection_is_bound(drive, make_server, realm, others, same):
    server = make_server()
    server.default(Serve(lambda request, peer: response(200, b"in")))
    d = drive("easy", env=realm.env)
    d.easy(URL=at(server), HTTPAUTH=AUTH_NEGOTIATE, USERPWD="a:b").perform().setopt("h", **others).perform()
    assert [t.body for t in d.run().all("h")] == [b"in", b"in"]
    server.settle()
    assert len(server.connections) == 2 - same


def test_no_connection_of_others(drive, make_server, realm):
    """One without credentials is not made into one with them, where the newest library does that."""
    server = make_server()
    server.default(Serve(lambda request, peer: response(200, b"in")))
    d = drive("easy", env=realm.env)
    d.easy(URL=at(server)).perform().setopt("h", HTTPAUTH=AUTH_NEGOTIATE, USERPWD=":").perform()
    assert [t.body for t in d.run().all("h")] == [b"in", b"in"]
    server.settle()
    assert len(server.connections) == by_library(2, 1, 1)


@pytest.mark.parametrize("options,sent", [({}, False), ({"UNRESTRICTED_AUTH": 1}, True)], ids=str)
@pytest.mark.parametrize("userpwd", [":", None, "u:p"])
@pytest.mark.parametrize("userinfo", ["", "x@", "x:y@"])
def test_redirect_to_another_host(drive, make_server, realm, options, sent, userpwd, userinfo):
    """A ticket is no more for other hosts than a password is, whatever user the URL names there."""
    assert redirected(drive, make_server, realm, userinfo, USERPWD=userpwd, **options) == (b"in" if sent else b"no")


def redirected(drive, make_server, realm, userinfo="", **options):
    """Gives the body of another host, to which the first one sends the client."""
    if SYSTEM and "UNRESTRICTED_AUTH" not in options:
        pytest.skip("libcurl sends that request again and again")
    first, other = make_server(), make_server()
    first.script(Expect(), Reply(302, headers=[f"Location: http://{userinfo}a.test:{other.port}/"]))
    other.script(Serve(Accepts(realm, "HTTP/a.test")))
    return get(drive, first, realm, FOLLOWLOCATION=1, RESOLVE=[f"a.test:{other.port}:127.0.0.1"], **options).body


@pytest.mark.parametrize("userinfo", ["", "x@"])
def test_redirect_to_another_host_after_a_challenge(drive, make_server, realm, userinfo):
    assert redirected(drive, make_server, realm, userinfo, HTTPAUTH=AUTH_ANY, USERPWD="u:p") == b"no"


@pytest.mark.parametrize("entry", ["default", "machine a.test"])
@pytest.mark.parametrize("auth", [AUTH_NEGOTIATE, AUTH_ANY])
def test_redirect_to_another_host_of_a_netrc_file(drive, make_server, realm, tmp_path, entry, auth):
    """The file's user may go there, but the ticket is not that user's."""
    (tmp_path / "netrc").write_text(f"{entry} login x password y\n")
    assert redirected(drive, make_server, realm, HTTPAUTH=auth, NETRC=1, NETRC_FILE=str(tmp_path / "netrc")) == b"no"


@pytest.mark.parametrize("auth", [AUTH_NEGOTIATE, AUTH_ANY])
def test_user_of_a_netrc_file(drive, server, realm, tmp_path, auth):
    """Out of several schemes, that user lets Negotiate be chosen as one of the options does."""
    (tmp_path / "netrc").write_text("default login x password y\n")
    server.default(Serve(Accepts(realm)))
    assert get(drive, server, realm, HTTPAUTH=auth, USERPWD=None, NETRC=1, NETRC_FILE=str(tmp_path / "netrc")).body == b"in"


def test_each_request_has_a_token_of_its_own(drive, server, realm):
    server.script(Serve(Accepts(realm)))
    d = drive("easy", env=realm.env)
    d.easy(URL=at(server), HTTPAUTH=AUTH_NEGOTIATE, USERPWD=":").perform().perform().perform()
    assert [t.body for t in d.run().all("h")] == 3 * [b"in"]
    assert len({r.header("Authorization") for r in server.connections[0].requests}) == 3


# ---------------------------------------------------------------- proxies that pass requests on

@pytest.mark.parametrize("options,service", [
    ({"PROXYAUTH": AUTH_NEGOTIATE}, "HTTP/localhost"), ({"PROXYAUTH": AUTH_ANY}, "HTTP/localhost"),
    ({"PROXYAUTH": AUTH_NEGOTIATE, "PROXY_SERVICE_NAME": "special"}, "special/localhost"),
    ({"PROXYAUTH": AUTH_NEGOTIATE, "SERVICE_NAME": "special"}, "HTTP/localhost")], ids=str)
def test_proxy(drive, server, realm, options, service):
    server.script(Serve(Accepts(realm, service, field="Proxy-Authorization", status=407)))
    t = drive.get(URL="http://a.test/", PROXY=at(server, ""), PROXYUSERPWD=":", env=realm.env, **options)
    assert (t.code, t.body) == (0, b"in"), t.error


def test_proxy_rounds(drive, server, realm, slow_acceptor):
    server.script(Serve(Accepts(realm, acceptor=slow_acceptor, field="Proxy-Authorization", status=407)))
    t = drive.get(URL="http://a.test/", PROXY=at(server, ""), PROXYUSERPWD=":", PROXYAUTH=AUTH_NEGOTIATE, env=realm.env)
    assert (t.code, t.body) == (0, b"in"), t.error


# ---------------------------------------------------------------- tunnels

def tunnels(accepts):
    """A proxy that opens a tunnel to itself."""
    def answer(request, peer):
        if request.method != "CONNECT":
            return response(200, b"in")
        got = accepts(request, peer)
        return b"HTTP/1.1 200 opened\r\n\r\n" if got.startswith(b"HTTP/1.1 200") else got
    return Serve(answer)


def through(drive, server, env, way="easy", **options):
    return drive.get(way, **{"URL": "http://a.test/", "PROXY": at(server, ""), "HTTPPROXYTUNNEL": 1, "PROXYUSERPWD": ":",
                             "PROXYAUTH": AUTH_NEGOTIATE, "env": env, "info": ["HTTP_CONNECTCODE", "PROXYAUTH_USED"], **options})


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("auth", [AUTH_NEGOTIATE, AUTH_ANY])
def test_tunnel(drive, server, realm, request, rounds, auth):
    acceptor = Acceptor if rounds == 1 else request.getfixturevalue("slow_acceptor")
    server.script(tunnels(Accepts(realm, acceptor=acceptor, field="Proxy-Authorization", status=407)))
    t = through(drive, server, realm.env, PROXYAUTH=auth)
    assert (t.code, t.body, t.info["HTTP_CONNECTCODE"]) == (0, b"in", 200), t.error


def test_tunnel_every_way(drive, server, realm, slow_acceptor, way):
    server.script(tunnels(Accepts(realm, "special/localhost", slow_acceptor, "Proxy-Authorization", 407)))
    assert through(drive, server, realm.env, way, PROXY_SERVICE_NAME="special").body == b"in"


def test_tunnel_without_a_user(drive, server, realm):
    server.script(tunnels(Accepts(realm, field="Proxy-Authorization", status=407)))
    assert through(drive, server, realm.env, PROXYUSERPWD=None).body == b"in"


def test_tunnel_without_a_ticket(drive, server, realm):
    server.script(Expect("CONNECT", lacks=["Proxy-Authorization"]), Reply(407, b"no", ["Proxy-Authenticate: Negotiate"]))
    t = through(drive, server, realm.without)
    assert (t.body, t.info["HTTP_CONNECTCODE"]) == (b"", 407) and t.code in (7, 56)


# ---------------------------------------------------------------- apache

@pytest.mark.parametrize("path", ["/12.txt", "/each/12.txt", "/bound/12.txt"])
@pytest.mark.parametrize("auth", [AUTH_NEGOTIATE, AUTH_ANY])
def test_apache(drive, apache, realm, path, auth):
    d = drive("easy", env=realm.env)
    d.easy(URL=apache.url(path), HTTPAUTH=auth, USERPWD=":").perform().perform().setopt("h", HTTPAUTH=AUTH_BASIC, USERPWD=None)
    d.perform().getinfo("h", RESPONSE)
    r = d.run().all("h")
    assert [t.body for t in r[:2]] == 2 * [b"hello world\n"]
    assert b"X-User: user@MOTE.TEST\r\n" in r[0].headers
    assert r[2].info[RESPONSE] == 401


def test_apache_as_a_proxy(drive, apache, realm):
    url = apache.url("/open/12.txt").replace("localhost", "127.0.0.1")
    t = drive.get(URL=url, PROXY=f"http://localhost:{apache.proxy}", PROXYUSERPWD=":", PROXYAUTH=AUTH_NEGOTIATE, env=realm.env)
    assert (t.code, t.body) == (0, b"hello world\n")


# ---------------------------------------------------------------- the command

@pytest.mark.parametrize("options,service,delegated", [
    (["--negotiate", "-u:"], "HTTP/localhost", False), (["--negotiate"], "HTTP/localhost", False),
    (["--anyauth", "-u:"], "HTTP/localhost", False),
    (["--negotiate", "-u:", "--service-name", "special"], "special/localhost", False),
    (["--negotiate", "-u:", "--delegation", "always"], "HTTP/localhost", True)], ids=str)
def test_command(server, realm, ours_only, options, service, delegated):
    ours_only("the command is ours")
    accepts = Accepts(realm, service)
    server.default(Serve(accepts))
    done = subprocess.run([COMMAND, "-sS", *options, at(server)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=dict(realm.env, PATH="/usr/bin:/bin", HOME="/nonexistent"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"in", b"") and accepts.delegated == [delegated]


def test_command_to_a_proxy(server, realm, ours_only):
    ours_only("the command is ours")
    server.script(Serve(Accepts(realm, "special/localhost", field="Proxy-Authorization", status=407)))
    done = subprocess.run([COMMAND, "-sS", "-x", at(server, ""), "--proxy-negotiate", "-U:", "--proxy-service-name", "special",
                           "http://a.test/"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=dict(realm.env, PATH="/usr/bin:/bin", HOME="/nonexistent"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"in", b"")
