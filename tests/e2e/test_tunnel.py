"""Tunnels through HTTP proxies: CONNECT, what the proxy answers, TLS inside, and when a tunnel is used again."""

import pytest

from mote_driver import AUTH_ANY, NEWEST, by_library, not_debian
from script import Close, Read, Relay, Reset, Send
from server import Expect, Reply, response

BASIC = "Basic bWU6cHc="  # me:pw
OPENED = b"HTTP/1.1 200 Connection established\r\n\r\n"
REFUSED = by_library(7, 56, 7)


@pytest.fixture(autouse=True)
def leave_out(request):
    if NEWEST and getattr(request.node, "callspec", None) and request.node.callspec.params.get("way") == "socket":
        pytest.skip("the newest libcurl calls the socket callback with a handle that is none")


def head(*fields, target="a.test:81", version="HTTP/1.1", host=None):
    lines = [f"CONNECT {target} {version}", f"Host: {host or target}", *fields, "Proxy-Connection: Keep-Alive"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def get(drive, server, url="http://a.test:81/", way="easy", login="", **options):
    options = {"HTTPPROXYTUNNEL": 1, "TIMEOUT": 30, **options}
    return drive.get(way, URL=url, PROXY=f"http://{login}127.0.0.1:{server.port}", info=["HTTP_CONNECTCODE", "RESPONSE_CODE"],
                     **options)


ANSWERED = [Expect(target="/", has={"Host": "a.test:81"}, lacks=["Proxy-Authorization", "Proxy-Connection"]), Reply(200, b"x")]


# ---------------------------------------------------------------- what is sent

def test_tunnel(drive, make_server, way):
    server = make_server()
    server.script(Read(head("User-Agent: me")), Send(OPENED), *ANSWERED)
    t = get(drive, server, way=way, USERAGENT="me")
    assert (t.code, t.body) == (0, b"x")
    assert (t.info["HTTP_CONNECTCODE"], t.info["RESPONSE_CODE"]) == (200, 200)


@pytest.mark.parametrize("login,options", [("me:pw@", {}), ("m%65:%70w@", {}), ("", {"PROXYUSERPWD": "me:pw"})], ids=str)
def test_login(drive, make_server, login, options):
    """The server never sees it."""
    server = make_server()
    server.script(Read(head("Proxy-Authorization: " + BASIC)), Send(OPENED), *ANSWERED)
    assert get(drive, server, login=login, **options).body == b"x"


@pytest.mark.parametrize("url,target", [("http://[2001:db8::1]:81/", "[2001:db8::1]:81"), ("http://192.0.2.1/", "192.0.2.1:80")])
def test_target(drive, make_server, url, target):
    server = make_server()
    server.script(Read(head(target=target)), Send(OPENED), Expect(target="/"), Reply(200, b"x"))
    assert get(drive, server, url=url).body == b"x"


@pytest.mark.parametrize("scheme", ["", "http://"])
def test_old_proxy(drive, make_server, scheme):
    """A proxy that is written with "http" was taken for one of HTTP/1.1."""
    server = make_server()
    server.script(Read(head(version="HTTP/1.0")), Send(b"HTTP/1.0 200 ok\r\n\r\n"), *ANSWERED)
    t = drive.get(URL="http://a.test:81/", PROXY=f"{scheme}127.0.0.1:{server.port}", PROXYTYPE=1, HTTPPROXYTUNNEL=1)
    assert t.body == b"x"


def test_connect_to(drive, make_server):
    """It needs a tunnel, asked for or not."""
    server = make_server()
    server.script(Read(head(target="b.test:82")), Send(OPENED), *ANSWERED)
    assert get(drive, server, HTTPPROXYTUNNEL=0, CONNECT_TO=["a.test:81:b.test:82"]).body == b"x"


@pytest.mark.parametrize("opt,sent", [(1, "Y: z"), (0, "X: y")])
def test_lines_of_ones_own(drive, make_server, opt, sent):
    server = make_server()
    server.script(Read(head()[:-2] + sent.encode() + b"\r\n\r\n"), Send(OPENED),
                  Expect(target="/", has={"X": "y"}, lacks=["Y"]), Reply(200, b"x"))
    assert get(drive, server, HTTPHEADER=["X: y"], PROXYHEADER=["Y: z"], HEADEROPT=opt).body == b"x"


def test_fields_of_ones_own(drive, make_server, ours_only):
    ours_only("the order is ours")
    server = make_server()
    server.script(Read(b"CONNECT a.test:81 HTTP/1.1\r\nHost: h\r\nProxy-Authorization: own\r\nUser-Agent: \r\n"
                       b"Content-Length: 7\r\n\r\n"), Send(OPENED), *ANSWERED)
    t = get(drive, server, login="me:pw@", USERAGENT="me", PROXYHEADER=[
        "Host: h", "Proxy-Authorization: own", "User-Agent;", "Proxy-Connection:", "Content-Length: 7", "junk"])
    assert t.body == b"x"


@not_debian("it sends the name as it is")
@pytest.mark.parametrize("line, sent", [
    ("X-B;", "X-B: "), ("X-B:", None), ("Cookie: a=b", "Cookie: a=b"), ("Content-Length: 3", "Content-Length: 3"),
    ("Transfer-Encoding: x", "Transfer-Encoding: x"), ("X : y", "X: y"), ("X;y", None), (": y", None), ("Host", None),
    ("Proxy-Connection", None)])
def test_lines_for_the_proxy(drive, make_server, line, sent):
    server = make_server()
    sent = sent + "\r\n" if sent else ""
    server.script(Read(head()[:-2] + sent.encode() + b"\r\n"), Send(OPENED), *ANSWERED)
    assert get(drive, server, PROXYHEADER=[line], HEADEROPT=1).body == b"x"


def test_a_line_for_all_requests_does_not_frame_a_tunnel(drive, make_server, ours_only):
    ours_only("libcurl says that CONNECT has the body of the request inside the tunnel")
    server = make_server()
    server.script(Read(head()), Send(OPENED), Expect(method="PUT", has={"Content-Length": "0"}), Reply(200, b"x"))
    assert get(drive, server, CUSTOMREQUEST="PUT", HTTPHEADER=["Content-Length: 0"], HEADEROPT=0).body == b"x"


def test_https(drive, make_server, certs, way):
    server = make_server()
    tls = make_server(tls=certs.context())
    tls.answer(response(200, b"hi"))
    server.script(Read(head(target=f"localhost:{tls.port}")), Send(OPENED), Relay(tls.port))
    t = get(drive, server, url=tls.url(host="localhost"), way=way, HTTPPROXYTUNNEL=0, CAINFO=certs.path("ca.pem"))
    assert (t.code, t.body) == (0, b"hi")
    assert tls.asked()[0].target == "/"


def test_https_is_verified(drive, make_server, certs):
    """By the server's name, not the proxy's."""
    server = make_server()
    tls = make_server(tls=certs.context(), tls_may_fail=True)
    tls.script()
    server.script(Read(head(target="other.test:443")), Send(OPENED), Relay(tls.port))
    t = get(drive, server, url="https://other.test/", CAINFO=certs.path("ca.pem"))
    assert t.code == 60
    assert not tls.asked()


def test_after_a_socks_proxy(drive, make_server, way):
    server = make_server()
    server.script(Read(b"\5\2\0\1"), Send(b"\5\0"), Read(b"\5\1\0\3\6p.test\0\x50"), Send(b"\5\0\0\1" + b"\0" * 6),
                  Read(head()), Send(OPENED), *ANSWERED)
    t = drive.get(way, URL="http://a.test:81/", PROXY="http://p.test:80", HTTPPROXYTUNNEL=1,
                  PRE_PROXY=f"socks5h://127.0.0.1:{server.port}")
    assert (t.code, t.body) == (0, b"x")


# ---------------------------------------------------------------- what is answered

@pytest.mark.parametrize("answer", [
    b"HTTP/1.0 200 ok\r\n\r\n", b"HTTP/1.1 299\r\n\r\n", b"HTTP/1.1 200 ok\r\nContent-Length: 5\r\n\r\n",
    b"HTTP/1.1 200 ok\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n",
    b"HTTP/1.1 200 ok\r\nSet-Cookie: a=b\r\nLocation: http://other/\r\nConnection: close\r\n\r\n"], ids=str)
def test_opened(drive, make_server, answer):
    """What the fields of such an answer say is not for the transfer."""
    server = make_server()
    server.script(Read(head()), Send(answer, cuts=[1, 9, len(answer) - 1]), *ANSWERED)
    t = get(drive, server, FOLLOWLOCATION=1)
    assert (t.code, t.body) == (0, b"x")


@pytest.mark.parametrize("status", [302, 400, 403, 407, 500])
def test_refused(drive, make_server, way, status):
    """The body of the refusal is not the document."""
    server = make_server()
    server.script(Read(head()), Send(b"HTTP/1.1 %d no\r\nContent-Length: 4\r\nLocation: /x\r\n\r\nbody" % status))
    t = get(drive, server, way=way, FOLLOWLOCATION=1)
    assert (t.code, t.body) == (REFUSED, b"")
    assert (t.info["HTTP_CONNECTCODE"], t.info["RESPONSE_CODE"]) == (status, 0)
    assert str(status) in t.error


@not_debian("it fails as without the option")
@pytest.mark.parametrize("status,code", [(302, 7), (404, 22), (407, 22), (500, 22)])
def test_refused_as_an_error_of_http(drive, make_server, status, code):
    """CURLOPT_FAILONERROR did not count for the answer to CONNECT."""
    server = make_server()
    server.script(Read(head()), Send(b"HTTP/1.1 %d no\r\nContent-Length: 4\r\n\r\nbody" % status))
    t = get(drive, server, FAILONERROR=1)
    assert t.code == code and str(status) in t.error


@pytest.mark.parametrize("answer,step,code", [
    (b"", Close, 56), (b"HTTP/1.1 200", Close, 56), (b"HTTP/1.1 200 ok\r\n", Close, 56), (b"", Reset, 56),
    (b"garbage\r\n\r\n", Close, by_library(8, 56, 8))], ids=str)
def test_no_answer(drive, make_server, way, answer, step, code):
    server = make_server()
    server.script(Read(head()), Send(answer), step())
    assert get(drive, server, way=way).code == code


CHALLENGE = b"HTTP/1.1 407 no\r\nProxy-Authenticate: Other\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: %d\r\n\r\n%s"


@pytest.mark.parametrize("body", [b"", b"no", b"n" * 5000], ids=len)
def test_challenge(drive, make_server, way, body):
    """Out of several schemes, the proxy chooses; the same connection goes on."""
    server = make_server()
    server.script(Read(head()), Send(CHALLENGE % (len(body), body)), Read(head("Proxy-Authorization: " + BASIC)), Send(OPENED),
                  *ANSWERED)
    t = get(drive, server, way=way, login="me:pw@", PROXYAUTH=AUTH_ANY)
    assert (t.code, t.body, t.info["HTTP_CONNECTCODE"]) == (0, b"x", 200)


def test_challenge_again(drive, make_server):
    server = make_server()
    server.script(Read(head()), Send(CHALLENGE % (2, b"no")), Read(head("Proxy-Authorization: " + BASIC)),
                  Send(CHALLENGE % (2, b"no")))
    t = get(drive, server, login="me:pw@", PROXYAUTH=AUTH_ANY)
    assert (t.code, t.info["HTTP_CONNECTCODE"]) == (REFUSED, 407)


def test_bytes_ahead_of_tls(drive, make_server, certs, ours_only):
    """What the proxy sends after its answer came without protection."""
    ours_only("libcurl passes them to TLS")
    server = make_server()
    server.script(Read(head(target="localhost:443")), Send(OPENED + b"more"))
    assert get(drive, server, url="https://localhost/").code == 8


# ---------------------------------------------------------------- header lines

LINES = [b"HTTP/1.1 200 Connection established\r\n", b"Via: p\r\n", b"\r\n"]


@pytest.mark.parametrize("suppress", [0, 1])
def test_header_lines(drive, make_server, way, suppress):
    server = make_server()
    server.script(Read(head()), Send(b"".join(LINES)), *ANSWERED)
    t = get(drive, server, way=way, SUPPRESS_CONNECT_HEADERS=suppress)
    assert t.headers[:3] == LINES if not suppress else t.headers[0].startswith(b"HTTP/1.1 200 OK")


@pytest.mark.parametrize("suppress", [0, 1])
def test_suppressed_lines_are_counted_and_traced(drive, make_server, suppress):
    server = make_server()
    server.script(Read(head()), Send(b"".join(LINES)), *ANSWERED)
    t = drive.get(URL="http://a.test:81/", PROXY=f"127.0.0.1:{server.port}", HTTPPROXYTUNNEL=1, TIMEOUT=30,
                  SUPPRESS_CONNECT_HEADERS=suppress, enable=["debug", "debugprint"], info=["HEADER_SIZE"])
    traced = [text for kind, text in t.debug if kind == 1]
    assert traced[:3] == LINES
    assert t.info["HEADER_SIZE"] == sum(map(len, traced))


def test_ignored_framing_is_named(drive, make_server):
    server = make_server()
    server.script(Read(head()), Send(b"HTTP/1.1 200 ok\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"), *ANSWERED)
    t = drive.get(URL="http://a.test:81/", PROXY=f"127.0.0.1:{server.port}", HTTPPROXYTUNNEL=1, TIMEOUT=30,
                  enable=["debug", "debugprint"])
    said = b"".join(text for kind, text in t.debug if kind == 0)
    for name in (b"Content-Length", b"Transfer-Encoding"):
        assert b"Ignoring " + name + b" in CONNECT 200 response\n" in said
    assert t.body == b"x"


@not_debian("it names the server")
def test_connected_to_the_proxy(drive, make_server):
    server = make_server()
    server.script(Read(head()), Send(OPENED), *ANSWERED)
    t = drive.get(URL="http://a.test:81/", PROXY=f"127.0.0.1:{server.port}", HTTPPROXYTUNNEL=1, TIMEOUT=30,
                  enable=["debug", "debugprint"])
    assert b"Established connection to 127.0.0.1 (" in b"".join(text for kind, text in t.debug if kind == 0)


def test_callback_ends_it(drive, make_server):
    server = make_server()
    server.script(Read(head()), Send(OPENED))
    t = get(drive, server, on=[("header", "call", 1, "return", 0)])
    assert t.code == 23


OTHER_PROXY = [("PROXY", "http://proxy-b.test:8080"), ("PROXYUSERPWD", "bob:secret")]


@pytest.mark.parametrize("options", [OTHER_PROXY, [("PROXY", "")], OTHER_PROXY[1:]], ids=["proxy", "none", "login"])
def test_callback_sets_another_proxy_during_a_challenge(drive, way, make_server, options):
    """The login of that one went to this one, and without one the library read what it had not written."""
    server = make_server()
    server.script(Read(head()), Send(b"HTTP/1.1 407 no\r\nX: y\r\nProxy-Authenticate: Basic realm=r\r\nContent-Length: 0\r\n\r\n"))
    t = get(drive, server, way=way, PROXYUSERPWD="me:pw", PROXYAUTH=AUTH_ANY,
            on=[("header", "call", 2, "setopt", *o) for o in options])
    assert t.code == by_library(43, 7, 7) and len(server.connections) == 1


# ---------------------------------------------------------------- connections

def test_kept(drive, make_server, way):
    server = make_server()
    server.script(Read(head()), Send(OPENED), Expect(target="/1"), Reply(200, b"one"), Expect(target="/2"), Reply(200, b"two"))
    d = drive(way).easy(URL="http://a.test:81/1", PROXY=f"127.0.0.1:{server.port}", HTTPPROXYTUNNEL=1).perform()
    r = d.setopt("h", URL="http://a.test:81/2").perform().getinfo("h", "HTTP_CONNECTCODE").run()
    assert [t.body for t in r.all("h")] == [b"one", b"two"]


CHANGES = [{"URL": "http://b.test:81/"}, {"HTTPPROXYTUNNEL": 0}, {"PROXYUSERPWD": "me:pw"}]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_not_kept(drive, make_server, change):
    """A tunnel leads to one server, for one user; a proxy that passes requests on is another connection."""
    server = make_server()
    server.script(Read(head()), Send(OPENED), Expect(), Reply(200, b"one"))
    if "HTTPPROXYTUNNEL" in change:
        server.script(Expect(target="http://a.test:81/"), Reply(200, b"two"))
    else:
        login = ["Proxy-Authorization: " + BASIC] if "PROXYUSERPWD" in change else []
        server.script(Read(head(*login, target="b.test:81" if "URL" in change else "a.test:81")), Send(OPENED), Expect(),
                      Reply(200, b"two"))
    d = drive().easy(URL="http://a.test:81/", PROXY=f"127.0.0.1:{server.port}", HTTPPROXYTUNNEL=1).perform()
    r = d.setopt("h", **change).perform().run()
    assert [t.body for t in r.all("h")] == [b"one", b"two"]
    assert len(server.connections) == 2


def test_a_tunnel_to_the_proxy_itself(drive, make_server):
    """Its connection begins as the one for requests that the proxy passes on, yet is another."""
    server = make_server()
    server.script(Read(head(target=f"127.0.0.1:{server.port}")), Send(OPENED), Expect(target="/"), Reply(200, b"one"))
    server.script(Expect(target=f"{server.url()}"), Reply(200, b"two"))
    d = drive().easy(URL=server.url(), PROXY=f"127.0.0.1:{server.port}", HTTPPROXYTUNNEL=1).perform()
    r = d.setopt("h", HTTPPROXYTUNNEL=0).perform().run()
    assert [t.body for t in r.all("h")] == [b"one", b"two"]


# ---------------------------------------------------------------- what is refused

@pytest.mark.parametrize("options", [{"PROXYUSERPWD": "me:pw", "PROXYAUTH": 8, "HTTPPROXYTUNNEL": 1}], ids=str)
def test_not_built_in(drive, make_server, ours_only, options):
    ours_only("libcurl has them")
    server = make_server()
    options = {"URL": "http://a.test/", "PROXY": "http://127.0.0.1:{port}", **options}
    options = {k: v.format(port=server.port) if isinstance(v, str) else v for k, v in options.items()}
    t = drive.get(**options)
    assert t.code == 4 and t.error
    assert not server.connections
