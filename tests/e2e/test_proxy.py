"""HTTP proxies that pass requests on: what they get, with whom they talk, and when their connection is used again."""

import pytest

from mote_driver import AUTH_ANY, NEWEST, by_library, not_debian
from server import Close, Expect, Reply, Serve, UntilClose, response
from script import Read, Send

BASIC = "Basic bWU6cHc="  # me:pw


@pytest.fixture(autouse=True)
def leave_out(request):
    if NEWEST and getattr(request.node, "callspec", None) and request.node.callspec.params.get("way") == "socket":
        pytest.skip("the newest libcurl calls the socket callback with a handle that is none")


def get(drive, server, url="http://a.test/", way="easy", login="", **options):
    return drive.get(way, URL=url, PROXY=f"http://{login}127.0.0.1:{server.port}", **options)


def exact(target="http://a.test/", host="a.test", *fields):
    lines = [f"GET {target} HTTP/1.1", f"Host: {host}", *fields]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


# ---------------------------------------------------------------- what is sent

def test_whole_request(drive, make_server, way):
    server = make_server()
    server.script(Read(exact("http://a.test:81/p?q", "a.test:81", "User-Agent: me", "Accept: */*", "Proxy-Connection: Keep-Alive")),
                  Reply(200, b"x"))
    t = get(drive, server, "http://a.test:81/p?q#frag", way=way, USERAGENT="me")
    assert (t.code, t.body) == (0, b"x")


def test_all_fields(drive, make_server):
    server = make_server()
    server.script(Read(exact("http://a.test/", "a.test", "Proxy-Authorization: " + BASIC, "Authorization: Basic dTpw",
                             "Accept: */*", "Referer: r", "Proxy-Connection: Keep-Alive", "Cookie: a=b", "X: y", "Y: z")),
                  Reply(200, b"x"))
    t = get(drive, server, "http://u:p@a.test/", login="me:pw@", REFERER="r", COOKIE="a=b", HTTPHEADER=["X: y"],
            PROXYHEADER=["Y: z"], PROXYTYPE=0)
    assert (t.code, t.body) == (0, b"x")


@pytest.mark.parametrize("options,target", [({"PORT": 82}, "http://a.test:82/"), ({"REQUEST_TARGET": "/own"}, "/own"),
                                            ({"URL": "http://A.test:80"}, "http://A.test/")], ids=str)
def test_target(drive, make_server, options, target):
    server = make_server()
    server.answer(response(200, b"x"))
    options = {"URL": "http://a.test/", **options}
    t = drive.get(PROXY=f"127.0.0.1:{server.port}", **options)
    assert t.code == 0
    assert server.asked()[0].target == target


@pytest.mark.parametrize("header,proxy,opt,sent", [
    (["X: y"], ["Y: z"], 1, {"X", "Y"}), (["X: y"], ["Y: z"], 0, {"X"}), ([], ["Y: z"], 1, {"Y"}),
    (["Proxy-Connection:"], [], 1, set())])
def test_headers_of_ones_own(drive, make_server, header, proxy, opt, sent):
    server = make_server()
    server.answer(response(200, b"x"))
    assert get(drive, server, HTTPHEADER=header, PROXYHEADER=proxy, HEADEROPT=opt).code == 0
    q = server.asked()[0]
    assert {n for n in ("X", "Y") if q.header(n)} == sent
    assert bool(q.header("Proxy-Connection")) == (header != ["Proxy-Connection:"])


@pytest.mark.parametrize("options, body", [({}, b""), ({"POSTFIELDS": "abc"}, b"abc")], ids=["GET", "POST"])
def test_a_line_for_the_proxy_does_not_frame_the_body(drive, make_server, options, body):
    """The proxy and the server could disagree about where the next request begins."""
    server = make_server()
    sent = []
    server.script(Expect(body=False, check=lambda q: sent.append(q.header("Transfer-Encoding"))), Read(body), Reply(200, b"x"))
    assert get(drive, server, PROXYHEADER=["Transfer-Encoding: chunked"], HEADEROPT=1, **options).code == 0
    assert sent == by_library([None], ["chunked"], ["chunked"])


SEPARATE, UNIFIED = 1, 0


@pytest.mark.parametrize("header,proxy,opt,sent", [
    ([], ["Proxy-Connection: own"], SEPARATE, ["Proxy-Connection: own"]),
    ([], ["Proxy-Connection:"], SEPARATE, []),
    (["Proxy-Connection: own"], ["Y: z"], SEPARATE, ["Proxy-Connection: own"]),
    (["Proxy-Connection: own"], [], UNIFIED, ["Proxy-Connection: own"]),
    ([], ["Proxy-Connection: own"], UNIFIED, ["Proxy-Connection: Keep-Alive"])])
def test_one_proxy_connection_field(drive, make_server, header, proxy, opt, sent):
    server = make_server()
    server.answer(response(200, b"x"))
    assert get(drive, server, HTTPHEADER=header, PROXYHEADER=proxy, HEADEROPT=opt).code == 0
    lines = server.asked()[0].head.decode().split("\r\n")
    assert [line for line in lines if line.startswith("Proxy-Connection")] == sent


@pytest.mark.parametrize("header,proxy,opt,sent", [
    ([], ["Proxy-Authorization: own"], SEPARATE, ["own"]),
    (["Proxy-Authorization: own"], [], SEPARATE, [BASIC, "own"]),
    (["Proxy-Authorization: own"], [], UNIFIED, ["own"])])
def test_only_the_proxys_own_lines_take_its_login_back(drive, make_server, header, proxy, opt, sent):
    server = make_server()
    server.answer(response(200, b"x"))
    assert get(drive, server, login="me:pw@", HTTPHEADER=header, PROXYHEADER=proxy, HEADEROPT=opt).code == 0
    lines = server.asked()[0].head.decode().split("\r\n")
    assert [line.split(": ")[1] for line in lines if line.startswith("Proxy-Authorization")] == sent


@pytest.mark.parametrize("login,options", [("me:pw@", {}), ("m%65:%70w@", {}), ("", {"PROXYUSERPWD": "me:pw"}),
                                           ("", {"PROXYUSERPWD": "m%65:pw"}), ("me:pw@", {"PROXYUSERPWD": "other:pw"}),
                                           ("", {"PROXYUSERNAME": "me", "PROXYPASSWORD": "pw"})], ids=str)
def test_login(drive, make_server, login, options):
    server = make_server()
    server.answer(response(200, b"x"))
    assert get(drive, server, login=login, **options).code == 0
    q = server.asked()[0]
    assert (q.header("Proxy-Authorization"), q.header("Authorization")) == (BASIC, None)


def test_post(drive, make_server, way):
    server = make_server()
    server.answer(response(200, b"x"))
    assert get(drive, server, way=way, POSTFIELDS="a=b").code == 0
    assert server.asked()[0].body == b"a=b"


@pytest.mark.parametrize("name", ["http_proxy", "all_proxy", "ALL_PROXY"])
def test_environment(drive, make_server, name):
    server = make_server()
    server.answer(response(200, b"x"))
    assert drive.get(URL="http://a.test/", env={name: f"127.0.0.1:{server.port}"}).body == b"x"
    assert server.asked()[0].target == "http://a.test/"


def test_after_a_socks_proxy(drive, make_server, way):
    socks, methods = make_server(), b"\5\2\0\1"
    socks.script(Read(methods), Send(b"\5\0"), Read(b"\5\1\0\3\6p.test\0\x50"), Send(b"\5\0\0\1" + b"\0" * 6),
                 Expect(target="http://a.test/", has={"Proxy-Authorization": BASIC}), Reply(200, b"x"))
    t = drive.get(way, URL="http://a.test/", PROXY="http://me:pw@p.test:80", PRE_PROXY=f"socks5h://127.0.0.1:{socks.port}")
    assert (t.code, t.body) == (0, b"x")


@pytest.mark.parametrize("by", ["option", "environment"])
def test_further_requests_go_the_same_way(drive, make_server, way, by):
    """Over the kept connection, also after a redirect to another host and without a login in between."""
    def serve(q, p):
        return response(302, b"", ["Location: http://b.test/end"]) if q.target.endswith("/go") else response(200, b"x")

    server = make_server()
    server.default(Serve(serve))
    text = f"http://127.0.0.1:{server.port}"
    d = drive(way, env={} if by == "option" else {"http_proxy": text})
    d.easy(URL="http://a.test/go", FOLLOWLOCATION=1, **({"PROXY": text} if by == "option" else {}))
    d.perform().perform().setopt("h", URL="http://a.test/").perform().perform()
    d.setopt("h", PROXYUSERPWD="me:pw").perform().perform().setopt("h", PROXYUSERPWD=None).perform()
    assert {(t.code, t.body) for t in d.run().all("h")} == {(0, b"x")}
    q = server.asked()
    assert [x.target for x in q] == ["http://a.test/go", "http://b.test/end"] * 2 + ["http://a.test/"] * 5
    assert [x.header("Proxy-Authorization") for x in q] == [None] * 7 + [BASIC] * 2  # by connection
    assert [x.header("Host") for x in q] == ["a.test", "b.test"] * 2 + ["a.test"] * 5


# Pairs of proxies and options: which are the same proxy with the same login?
SAME = [(("me:pw@", {}), ("m%65:%70w@", {})), (("me:pw@", {}), ("", {"PROXYUSERPWD": "me:pw"})),
        (("", {"PROXYUSERPWD": "me:pw"}), ("me:pw@", {"PROXYUSERPWD": "other:pw"})),
        (("", {"PROXYUSERPWD": "me"}), ("me:@", {})), (("", {"PROXYUSERPWD": "me"}), ("", {"PROXYUSERPWD": "me:"}))]
OTHERS = [(("me:pw@", {}), ("me:pW@", {})), (("me:pw@", {}), ("mep:w@", {})), (("", {}), ("me@", {})),
          (("me@", {}), (":me@", {})), (("", {}), ("@", {})), (("", {"PROXYTYPE": 0}), ("", {"PROXYTYPE": 1}))]


@pytest.mark.parametrize("tunnel", [0, 1])
@pytest.mark.parametrize("pair,connections", [(p, 1) for p in SAME] + [(p, 2) for p in OTHERS], ids=str)
def test_the_connection_of_a_login(drive, make_server, pair, connections, tunnel):
    """What is sent decides, not from where it came or how it was written."""
    server = make_server()
    server.default(Serve(lambda q, p: response(200, b"x") if q.method == "GET" else b"HTTP/1.1 200 x\r\n\r\n"))
    d = drive().easy(URL="http://a.test/", HTTPPROXYTUNNEL=tunnel)
    for login, options in pair:
        d.setopt("h", PROXY=f"{login}127.0.0.1:{server.port}", **options).perform()
    assert [t.body for t in d.run().all("h")] == [b"x", b"x"]
    assert len(server.connections) == connections


# ---------------------------------------------------------------- what is answered

def challenge(q, peer):
    return response(200, b"in") if q.header("Proxy-Authorization") == BASIC else response(
        407, b"no", ["Proxy-Authenticate: Other x=y", "Proxy-Authenticate: Basic realm=x"])


@pytest.mark.parametrize("options", [{}, {"POSTFIELDS": "a=b"}], ids=str)
def test_challenge(drive, make_server, way, options):
    """Out of several schemes, the proxy chooses."""
    server = make_server()
    server.default(Serve(challenge))
    t = get(drive, server, way=way, login="me:pw@", PROXYAUTH=AUTH_ANY, **options)
    assert (t.code, t.body) == (0, b"in")
    assert [bool(q.header("Proxy-Authorization")) for q in server.asked()] == [False, True]


@pytest.mark.parametrize("login", ["me:other@", ""])
def test_refused(drive, make_server, login):
    server = make_server()
    server.default(Serve(challenge))
    t = get(drive, server, login=login, info=["RESPONSE_CODE"])
    assert (t.code, t.body, t.info["RESPONSE_CODE"]) == (0, b"no", 407)
    assert len(server.asked()) == 1


def test_refused_again(drive, make_server):
    server = make_server()
    server.default(Serve(challenge))
    t = get(drive, server, login="me:other@", PROXYAUTH=AUTH_ANY, info=["RESPONSE_CODE"])
    assert (t.code, t.info["RESPONSE_CODE"], len(server.asked())) == (0, 407, 2)


def test_scheme_that_is_not_built_in(drive, make_server, ours_only):
    ours_only("libcurl goes on with the schemes that were set before")
    server = make_server()
    t = get(drive, server, login="me:pw@", PROXYAUTH=8)
    assert t.code == 4 and t.error
    assert not server.asked()


def test_servers_challenge_is_not_the_proxys(drive, make_server):
    """A 401 from the server is for the server's user."""
    server = make_server()
    server.default(Serve(lambda q, p: response(200, b"in") if q.header("Authorization") else response(
        401, b"no", ["WWW-Authenticate: Basic"])))
    t = get(drive, server, login="me:pw@", USERPWD="u:p", HTTPAUTH=AUTH_ANY)
    assert t.body == b"in"
    assert {q.header("Proxy-Authorization") for q in server.asked()} == {BASIC}


# ---------------------------------------------------------------- connections

def test_kept_for_all_hosts(drive, make_server, way):
    server = make_server()
    server.script(Expect(target="http://a.test/"), Reply(200, b"one"), Expect(target="http://b.test:81/"), Reply(200, b"two"))
    d = drive(way).easy(URL="http://a.test/", PROXY=f"127.0.0.1:{server.port}").perform()
    r = d.setopt("h", URL="http://b.test:81/").perform().run()
    assert [t.body for t in r.all("h")] == [b"one", b"two"]


def test_proxy_says_close(drive, make_server):
    server = make_server()
    server.script(Expect(), Reply(200, b"one", ["Proxy-Connection: close"]))
    server.script(Expect(), Reply(200, b"two"))
    d = drive().easy(URL="http://a.test/", PROXY=f"127.0.0.1:{server.port}").perform().perform()
    assert [t.body for t in d.run().all("h")] == [b"one", b"two"]


def test_the_proxy_as_a_server(drive, make_server):
    """Its address in the URL is another connection than its use as a proxy."""
    server = make_server()
    server.script(Expect(target="http://a.test/"), Reply(200, b"proxy"))
    server.script(Expect(target="/"), Reply(200, b"direct"))
    d = drive().easy(URL="http://a.test/", PROXY=f"127.0.0.1:{server.port}").perform()
    r = d.setopt("h", PROXY="", URL=f"http://127.0.0.1:{server.port}/").perform().run()
    assert [t.body for t in r.all("h")] == [b"proxy", b"direct"]


def test_redirect(drive, make_server, way):
    """To where no proxy applies, and back."""
    proxy, server = make_server(), make_server()
    proxy.script(Expect(target="http://a.test/"), Reply(302, b"", [f"Location: {server.url('/2')}"]),
                 Expect(target="http://b.test/3"), Reply(200, b"end"))
    server.script(Expect(target="/2", lacks=["Proxy-Authorization", "Proxy-Connection"]),
                  Reply(302, b"", ["Location: http://b.test/3"]))
    t = get(drive, proxy, way=way, login="me:pw@", NOPROXY="127.0.0.1", FOLLOWLOCATION=1)
    assert (t.code, t.body) == (0, b"end")


def test_dies_under_the_request(drive, make_server, way):
    server = make_server()
    server.script(Expect(), Reply(200, b"one"), Expect(), Close())
    server.script(Expect(target="http://a.test/"), Reply(200, b"two"))
    d = drive(way).easy(URL="http://a.test/", PROXY=f"127.0.0.1:{server.port}").perform().perform()
    assert [t.body for t in d.run().all("h")] == [b"one", b"two"]


# ---------------------------------------------------------------- options that change under way

CHANGES = [("PROXY", "http://other:secret@127.0.0.1:9"), ("PROXY", "socks5h://other:secret@127.0.0.1:9"),
           ("PROXYUSERPWD", "other:secret"), ("PROXY",)]


@pytest.mark.parametrize("tunnel", [0, 1])
@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_nothing_of_a_new_route_goes_to_the_old_proxy(drive, make_server, way, ours_only, change, tunnel):
    """libcurl stays with what it has begun."""
    ours_only("it fails, as its route would be another")
    server = make_server()
    server.script(UntilClose())
    login = "" if change[0] == "PROXYUSERPWD" else "me:pw@"  # one in the text counts before the option
    d = drive(way).easy(URL="http://a.test/", PROXY=f"http://{login}127.0.0.1:{server.port}", HTTPPROXYTUNNEL=tunnel,
                        TIMEOUT=30).enable("h", "sockopt")
    r = d.on("h", "sockopt", "call", 1, "setopt", *change).perform().run()
    assert r["h"].code in (5, 43)
    assert not server.asked()


def test_a_connection_is_not_kept_for_options_that_it_was_not_made_with(drive, make_server, ours_only):
    """The key of a connection is made before it is."""
    ours_only("libcurl keeps the values that a transfer has begun with")
    server = make_server()
    server.script(Expect(), Reply(200, b"one"))
    server.script(Expect(), Reply(200, b"two"))
    d = drive().easy(URL=server.url()).enable("h", "sockopt")
    d.on("h", "sockopt", "call", 1, "setopt", "INTERFACE", "127.0.0.1")
    r = d.perform().do("calm", "h").setopt("h", INTERFACE=None).perform().run()
    assert [t.body for t in r.all("h")] == [b"one", b"two"]


# ---------------------------------------------------------------- CURLOPT_NOPROXY

@not_debian("it takes other lists")
@pytest.mark.parametrize("none, direct", [
    ("x a.test", 0), ("x,a.test", 1), ("x y,a.test", 0), ("a.test x", 1), ("x\t,\ta.test", 1), (" \ta.test", 1), (",,a.test", 1), ("*,", 0),
    ("a.test..", 0), ("a.test/8", 0), ("a.test:80", 0)])
def test_noproxy_lists(drive, make_server, none, direct):
    """Entries are parted by commas; an entry that is none of the list's ends it."""
    proxy, server = make_server(), make_server()
    (server if direct else proxy).script(Expect(), Reply(200, b"x"))
    t = drive.get(URL=f"http://a.test:{server.port}/", PROXY=f"http://127.0.0.1:{proxy.port}", NOPROXY=none,
                  RESOLVE=[f"a.test:{server.port}:127.0.0.1"])
    assert t.body == b"x"


@not_debian("it takes other lists")
@pytest.mark.parametrize("none, direct", [
    ("127.0.0.1/32", 1), ("127.0.0.0/8", 1), ("127.0.0.1/0", 1), ("0.0.0.0/0", 0), ("127.0.0.2/0", 0), ("[127.0.0.1]", 0),
    ("127.0.0.0/33", 0), ("127.0.0.1/", 0), ("127.1", 0)])
def test_noproxy_addresses(drive, make_server, none, direct):
    proxy, server = make_server(), make_server()
    (server if direct else proxy).script(Expect(), Reply(200, b"x"))
    assert drive.get(URL=f"http://127.0.0.1:{server.port}/", PROXY=f"http://127.0.0.1:{proxy.port}", NOPROXY=none).body == b"x"


@pytest.mark.parametrize("text", ["127.0.0.1:", "[::1]:/", "u:p@127.0.0.1:"])
def test_a_proxy_without_a_port_after_its_colon(drive, text):
    assert drive.get(URL="http://a.test/", PROXY=text).code == 5
