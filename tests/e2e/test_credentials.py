"""Who gets a secret: what it is and where it came from, against where the next request goes. One table."""

import pytest

from mote_driver import AUTH_BEARER, by_library
from server import Serve, response

DIGEST = 2
HOPS = ["same origin", "other port", "other scheme", "other host"]
CHALLENGE = ['WWW-Authenticate: Digest realm="r", nonce="n"']

# Where a secret comes from: the options, the user in the URL, and the hops that get it besides the first request, with
# CURLOPT_UNRESTRICTED_AUTH those that get it then. Others never get it.
SAME, ALL = {"same origin"}, set(HOPS)
SECRETS = {
    "user of the options": ({"USERPWD": "me:secret"}, "", SAME, ALL),
    "digest": ({"USERPWD": "me:secret", "HTTPAUTH": DIGEST}, "", SAME, ALL),
    "user of the URL": ({}, "me:secret@", SAME, SAME),
    "password beside the URL": ({"PASSWORD": "secret"}, "me@", SAME, ALL),
    "token": ({"XOAUTH2_BEARER": "secret", "HTTPAUTH": AUTH_BEARER}, "", SAME, ALL),
    "line of one's own": ({"HTTPHEADER": ["Authorization: secret"]}, "", SAME, ALL),
    "cookie line": ({"HTTPHEADER": ["Cookie: c=secret"]}, "", SAME, ALL),
    "cookie": ({"COOKIE": "c=secret"}, "", SAME, ALL),
    # by the name of a host, whatever its port
    "netrc": ({"NETRC": 1}, "", {"same origin", "other port", "other scheme"}, {"same origin", "other port", "other scheme"}),
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
@pytest.mark.parametrize("name", [n for n in SECRETS if n != "netrc"])
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
