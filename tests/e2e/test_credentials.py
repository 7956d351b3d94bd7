"""Who gets a secret: what it is and where it came from, against where the next request goes. One table."""

import ssl

import pytest

from command_server import say
from ftp_server import QUIT, download, login
from mote_driver import AUTH_BEARER, by_library
from script import Gone, ScriptServer, Step
from server import Serve, response

DIGEST = 2
HOPS = ["same origin", "other port", "other scheme", "other host"]
CHALLENGE = ['WWW-Authenticate: Digest realm="r", nonce="n"']

# Where a secret comes from: the options, the user in the URL, and the hops that get it besides the first request, with
# CURLOPT_UNRESTRICTED_AUTH those that get it then. Others never get it. Debian's libcurl is more generous with three.
SAME, ALL = {"same origin"}, set(HOPS)
SECRETS = {
    "user of the options": ({"USERPWD": "me:secret"}, "", SAME, ALL),
    "digest": ({"USERPWD": "me:secret", "HTTPAUTH": DIGEST}, "", SAME, ALL),
    "user of the URL": ({}, "me:secret@", SAME, by_library(SAME, ALL)),
    "password beside the URL": ({"PASSWORD": "secret"}, "me@", SAME, ALL),
    "token": ({"XOAUTH2_BEARER": "secret", "HTTPAUTH": AUTH_BEARER}, "", SAME, ALL),
    "line of one's own": ({"HTTPHEADER": ["Authorization: secret"]}, "", SAME, ALL),
    "cookie line": ({"HTTPHEADER": ["Cookie: c=secret"]}, "", SAME, ALL),
    "cookie": ({"COOKIE": "c=secret"}, "", by_library(SAME, ALL), ALL),
    "signature": ({"AWS_SIGV4": "aws:amz:r:s", "USERPWD": "me:secret"}, "", SAME, ALL),
    # by the name of a host, whatever its port
    "cookie of the jar": ({"COOKIELIST": "127.0.0.1\tFALSE\t/\tFALSE\t0\tc\tsecret"}, "", {"same origin", "other port", "other scheme"},
                          {"same origin", "other port", "other scheme"}),
    "netrc": ({"NETRC": 1}, "", {"same origin", "other port", "other scheme"},
              by_library({"same origin", "other port", "other scheme"}, ALL)),
}


def has_secret(request):
    return bool(request.header("Authorization") or request.header("Cookie"))


def judge(request, target, digest):
    """The first request leads to the next; both are answered by a challenge first where the secret is a digest."""
    if digest and not request.header("Authorization"):
        return response(401, b"no", CHALLENGE)
    return response(302, b"", [f"Location: {target}"]) if request.target.endswith("/first") else response(200, b"end")


@pytest.fixture
def hop(make_server, certs):
    """A function that makes the servers of a hop and returns the first."""
    def make(kind, digest, seen):
        first = make_server()
        second = first if kind in ("same origin", "other host") else make_server(
            **({"tls": certs.context()} if kind == "other scheme" else {}))
        target = {"same origin": "/next", "other port": second.url("/next"),
                  "other scheme": second.url("/next", host="127.0.0.1"),
                  "other host": first.url("/next", host="localhost")}[kind]

        def serve(request, peer):
            seen.append(request)
            return judge(request, target, digest)
        for server in {first, second}:
            server.default(Serve(serve))
        return first
    return make


@pytest.mark.parametrize("unrestricted", [0, 1])
@pytest.mark.parametrize("kind", HOPS)
@pytest.mark.parametrize("name", SECRETS)
def test_redirect(drive, hop, certs, tmp_path, name, kind, unrestricted):
    options, user, bound, free = SECRETS[name]
    seen = []
    first = hop(kind, name == "digest", seen)
    if "NETRC" in options:
        (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password secret\n")
        options = {**options, "NETRC_FILE": str(tmp_path / "netrc")}
    t = drive.get(URL=first.url("/first", userinfo=user), FOLLOWLOCATION=1, UNRESTRICTED_AUTH=unrestricted,
                  CAINFO=certs.path("ca.pem"), **options)
    assert t.code == 0
    assert any(has_secret(q) for q in seen if q.target == "/first")
    assert any(has_secret(q) for q in seen if q.target == "/next") == (kind in (free if unrestricted else bound))


# ---------------------------------------------------------------- by a proxy

PROXY_HOPS = {"same origin": "/next", "other port": "http://a.test:81/next", "other host": "http://b.test/next"}


@pytest.mark.parametrize("kind", PROXY_HOPS)
@pytest.mark.parametrize("name", [n for n in SECRETS if n not in ("netrc", "cookie of the jar")])
def test_redirect_by_a_proxy(drive, make_server, name, kind):
    """It makes no difference that both requests go to the same proxy, which gets its own login each time."""
    options, user, bound, free = SECRETS[name]
    proxy, seen = make_server(), []

    def serve(request, peer):
        seen.append(request)
        return judge(request, PROXY_HOPS[kind], name == "digest")
    proxy.default(Serve(serve))
    t = drive.get(URL=f"http://{user}a.test/first", FOLLOWLOCATION=1, PROXY=f"http://127.0.0.1:{proxy.port}", PROXYUSERPWD="p:w",
                  **options)
    assert t.code == 0
    assert {q.header("Proxy-Authorization") for q in seen} == {"Basic cDp3"}
    assert any(has_secret(q) for q in seen if q.target.endswith("/next")) == (kind in bound)


@pytest.mark.parametrize("schemes", [1, DIGEST], ids=["basic", "digest"])
def test_proxys_login_is_not_for_a_server(drive, make_server, schemes):
    """The next request goes past the proxy."""
    proxy, server, seen = make_server(), make_server(), []

    def serve(request, peer):
        seen.append(request)
        if not request.header("Proxy-Authorization"):
            return response(407, b"no", ['Proxy-Authenticate: Digest realm="r", nonce="n"'])
        return response(302, b"", [f"Location: {server.url('/next')}"])
    proxy.default(Serve(serve))
    server.default(Serve(lambda q, p: response(407 if schemes == DIGEST else 200, b"end", [
        'Proxy-Authenticate: Digest realm="r", nonce="n"'])))
    t = drive.get(URL="http://a.test/first", FOLLOWLOCATION=1, PROXY=f"http://127.0.0.1:{proxy.port}", PROXYUSERPWD="p:w",
                  PROXYAUTH=schemes, NOPROXY="127.0.0.1")
    assert (t.code, t.body) == (0, b"end")
    assert any(q.header("Proxy-Authorization") for q in seen)
    assert not any(q.header("Proxy-Authorization") for q in server.asked())


@pytest.mark.parametrize("schemes", [1, DIGEST], ids=["basic", "digest"])
def test_servers_login_is_not_for_a_proxy(drive, make_server, schemes):
    """Neither CONNECT nor a 407 of the proxy gets it."""
    proxy = make_server()
    proxy.default(Serve(lambda q, p: response(407, b"no", ["Proxy-Authenticate: Basic realm=x", *CHALLENGE])))
    t = drive.get(URL="http://a.test/", PROXY=f"http://127.0.0.1:{proxy.port}", HTTPPROXYTUNNEL=1, USERPWD="me:secret",
                  HTTPAUTH=schemes, COOKIE="c=secret")
    assert t.code == by_library(7, 56, 7)
    assert [q.method for q in proxy.asked()] == ["CONNECT"]
    assert not any(has_secret(q) for q in proxy.asked())


def test_another_proxy_is_asked_again(drive, make_server):
    """The nonce of one proxy is not for another one."""
    proxies, seen = [make_server(), make_server()], [[], []]

    def serve(at):
        def fn(request, peer):
            seen[at].append(request.header("Proxy-Authorization"))
            return response(200, b"in") if seen[at][-1] else response(407, b"no", [
                f'Proxy-Authenticate: Digest realm="r", nonce="n{at}"'])
        return fn
    d = drive().easy(URL="http://a.test/", PROXYUSERPWD="p:w", PROXYAUTH=DIGEST)
    for at, proxy in enumerate(proxies):
        proxy.default(Serve(serve(at)))
        d.setopt("h", PROXY=f"http://127.0.0.1:{proxy.port}").perform()
    assert [t.body for t in d.run().all("h")] == [b"in", b"in"]
    assert seen[1][0] is None
    assert 'nonce="n1"' in seen[1][-1]


# ---------------------------------------------------------------- by an alternative service

@pytest.mark.parametrize("kind", ["same origin", "other port"])
@pytest.mark.parametrize("name", [n for n in SECRETS if n not in ("netrc", "cookie of the jar")])
def test_redirect_by_an_alternative(drive, make_server, certs, tmp_path, name, kind):
    """It gets what the origin would get; by its own name it is another origin."""
    options, user, bound, _ = SECRETS[name]
    origin, alternative, seen = make_server(tls=certs.context()), make_server(tls=certs.context()), []
    target = "/next" if kind == "same origin" else alternative.url("/next", host="localhost")

    def serve(request, peer):
        seen.append(request)
        return judge(request, target, name == "digest")
    alternative.default(Serve(serve))
    (tmp_path / "alt-svc").write_text(f'h1 localhost {origin.port} h1 localhost {alternative.port} "20391231 23:59:59" 0 0\n')
    t = drive.get(URL=origin.url("/first", host="localhost", userinfo=user), FOLLOWLOCATION=1, CAINFO=certs.path("ca.pem"),
                  ALTSVC=str(tmp_path / "alt-svc"), ALTSVC_CTRL=8, IPRESOLVE=1, **options)
    assert t.code == 0
    assert any(has_secret(q) for q in seen if q.target == "/first")
    assert any(has_secret(q) for q in seen if q.target == "/next") == (kind in bound)


# ---------------------------------------------------------------- to another protocol

# What CURLOPT_UNRESTRICTED_AUTH lets go there; nothing else but netrc, by the host's name, ever does.
# Mail's own way to log in is none for those who have asked for a digest, or (not the newest libcurl) a signature.
# Debian's libcurl gives the user of the URL and of netrc as well.
OPEN = ("user of the options", "password beside the URL", *by_library((), ("user of the URL", "netrc")))
LOGINS = {"ftp": (*OPEN, "digest", "signature"), "pop3": (*OPEN, *by_library((), (), ("signature",)))}
ANSWERS = {"ftp": ("220 hello\n", {"USER": "331 go on", "PASS": "230 welcome", "PWD": '257 "/"', "QUIT": "221 bye"}, "500 no"),
           "pop3": ("+OK hello\n", {"CAPA": "+OK\nUSER\n.", "USER": "+OK", "PASS": "+OK", "QUIT": "+OK"}, "-ERR no")}


class Login(Step):
    """Takes a login of FTP or POP3, refuses what comes next, and keeps the lines."""

    def __init__(self, scheme, lines):
        self.scheme, self.lines = scheme, lines

    def run(self, peer):
        greeting, answers, refusal = ANSWERS[self.scheme]
        peer.send(greeting.encode().replace(b"\n", b"\r\n"))
        while not self.lines or not self.lines[-1].startswith("QUIT"):
            try:
                self.lines.append(peer.until(b"\n").decode().strip())
            except Gone:
                return
            say(peer, answers.get(self.lines[-1].split(" ")[0], refusal))


@pytest.mark.parametrize("unrestricted", [0, 1])
@pytest.mark.parametrize("kind", ["same host", "other host"])
@pytest.mark.parametrize("scheme", ANSWERS)
@pytest.mark.parametrize("name", SECRETS)
def test_redirect_to_another_protocol(drive, make_server, tmp_path, name, scheme, kind, unrestricted):
    options, user, _, free = SECRETS[name]
    lines, seen = [], []
    other = make_server(cls=ScriptServer)
    other.script(Login(scheme, lines))
    target = f"{scheme}://{'127.0.0.1' if kind == 'same host' else 'localhost'}:{other.port}/1"
    first = make_server()

    def serve(request, peer):
        seen.append(request)
        return judge(request, target, name == "digest")
    first.default(Serve(serve))
    if "NETRC" in options:
        (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password secret\n")
        options = {**options, "NETRC_FILE": str(tmp_path / "netrc")}
    drive.get(URL=first.url("/first", userinfo=user), FOLLOWLOCATION=1, UNRESTRICTED_AUTH=unrestricted, IPRESOLVE=1,
              REDIR_PROTOCOLS_STR=f"http,{scheme}", TIMEOUT=30, **options)
    words = [line.split(" ")[0] for line in lines]
    has = name == "netrc" and kind == "same host" or unrestricted and name in LOGINS[scheme]
    assert bool([line for line in lines if "secret" in line]) == bool(has)
    if has:
        assert "PASS secret" in lines
    elif not (name == "token" and unrestricted):  # libcurl logs in without a user then
        assert "PASS ftp@example.com" in lines if scheme == "ftp" else "PASS" not in words


@pytest.mark.parametrize("schemes", [DIGEST, AUTH_BEARER, DIGEST | AUTH_BEARER])
def test_an_application_that_asks_for_more_than_a_password(drive, make_server, schemes):
    """The server of mail has no such mechanism, and does not get the password."""
    lines = []
    server = make_server(cls=ScriptServer)
    server.script(Login("pop3", lines))
    t = drive.get(URL=f"pop3://127.0.0.1:{server.port}/1", USERPWD="me:secret", HTTPAUTH=schemes, TIMEOUT=30)
    assert (t.code, lines[:1], [line for line in lines if "secret" in line]) == (67, ["CAPA"], [])


# ---- certificates of clients

CLIENTS = {
    "files": lambda c: {"SSLCERT": c.path("client.pem"), "SSLKEY": c.path("clientenc.key"), "KEYPASSWD": "secret"},
    "blobs": lambda c: {"SSLCERT_BLOB": [c.path("client.pem")], "SSLKEY_BLOB": [c.path("client.key")]},
}


@pytest.mark.parametrize("unrestricted", [0, 1])
@pytest.mark.parametrize("kind", [*HOPS, "and back"])
@pytest.mark.parametrize("given", CLIENTS)
def test_a_certificate_is_for_the_first_origin(drive, make_server, certs, way, given, kind, unrestricted):
    """A redirect's other origin does not learn who the client is, whatever CURLOPT_UNRESTRICTED_AUTH says."""
    def context():
        c = certs.context()
        c.load_verify_locations(certs.path("ca.pem"))
        c.verify_mode = ssl.CERT_OPTIONAL
        return c

    first = make_server(tls=None if kind == "other scheme" else context())
    second = first if kind in ("same origin", "other host") else make_server(tls=context())
    to = {"same origin": "/next", "other host": first.url("/next", host="localhost"), "and back": second.url("/between")}
    shown = []

    def answer(request, peer):
        shown.append((request.target, bool(peer.client_cert)))
        to_next = {"/first": to.get(kind, second.url("/next")), "/between": first.url("/next")}.get(request.target)
        return response(302, b"", [f"Location: {to_next}"]) if to_next else response(200, b"end")

    for server in {first, second}:
        server.default(Serve(answer))
    t = drive.get(way, URL=first.url("/first"), CAINFO=certs.path("ca.pem"), FOLLOWLOCATION=1, UNRESTRICTED_AUTH=unrestricted,
                  **CLIENTS[given](certs))
    assert t.code == 0
    expected = {"/first": kind != "other scheme", "/between": False, "/next": kind in ("same origin", "and back")}
    assert shown == [(target, expected[target]) for target, _ in shown] and shown[-1][0] == "/next"


@pytest.mark.parametrize("order", [["login", "redirect"], ["redirect", "login"]])
def test_a_kept_connection_has_the_login_of_its_own_transfers(drive, make_server, order):
    """After a redirect a connection with the user's login was used, and by the user's own transfer one without."""
    ftp, web = make_server(cls=ScriptServer), make_server()
    logins = {"login": login("me", "secret"), "redirect": login()}
    for kind in order:
        ftp.script(*logins[kind], *download("f", b"file"), QUIT)
    target = f"ftp://127.0.0.1:{ftp.port}/f"
    web.default(Serve(lambda request, peer: response(302, b"", [f"Location: {target}"])))
    urls = {"login": target, "redirect": web.url("/first")}
    d = drive().easy(USERPWD="me:secret", FOLLOWLOCATION=1, REDIR_PROTOCOLS_STR="http,ftp", TIMEOUT=30)
    for kind in order:
        d.setopt("h", URL=urls[kind]).perform()
    t = d.run()["h"]
    assert (t.code, t.body) == (0, b"file")
