"""SOCKS proxies: the bytes of each version, what a proxy may answer, and when its connection is used again."""

import struct

import pytest

from commands import lacks
from mote_driver import NEWEST, by_library, not_debian
from server import Close, Expect, Reply, Reset, Send
from script import Read, Relay, UntilClose

SOCKS4A, SOCKS5H = 6, 7  # CURLPROXY_*
PROXY_FAILED = 97
AUTH_ONLY = 1 << 31
OK4 = b"\0\x5a\0\0\0\0\0\0"
OK5 = b"\5\0\0\1\0\0\0\0\0\0"
USED = by_library(["USED_PROXY"], [], ["USED_PROXY"])
PORT81 = struct.pack(">H", 81)

# GSS-API is offered by default where it is built; test_socks_gss.py has what follows from it
METHODS, METHODS_LOGIN = (b"\5\1\0", b"\5\2\0\2") if lacks("GSS-API") else (b"\5\2\0\1", b"\5\3\0\1\2")


def by_name(name, port=PORT81):
    return b"\5\1\0\3" + bytes([len(name)]) + name + port


def granted5(name=b"a.test"):
    return [Read(METHODS), Send(b"\5\0"), Read(by_name(name)), Send(OK5)]


def proxy(server, scheme, login=""):
    return f"{scheme}://{login}127.0.0.1:{server.port}"


@pytest.fixture(autouse=True)
def leave_out(request):
    if NEWEST and getattr(request.node, "callspec", None) and request.node.callspec.params.get("way") == "socket":
        pytest.skip("the newest libcurl calls the socket callback with a handle that is none")


def get(drive, server, scheme, url="http://a.test:81/", way="easy", login="", **options):
    return drive.get(way, URL=url, PROXY=proxy(server, scheme, login), info=["PROXY_ERROR", *USED], **options)


ANSWERED = [Expect(target="/", has={"Host": "a.test:81"}), Reply(200, b"by proxy")]


# ---------------------------------------------------------------- what is sent

@pytest.mark.parametrize("scheme,login,request4", [
    ("socks4a", "", b"\4\1\0\x51\0\0\0\1\0a.test\0"),
    ("socks4a", "me@", b"\4\1\0\x51\0\0\0\1me\0a.test\0"),
    ("socks4a", "m%20e:pw@", b"\4\1\0\x51\0\0\0\1m e\0a.test\0"),
])
def test_socks4a(drive, make_server, way, scheme, login, request4):
    server = make_server()
    server.script(Read(request4), Send(OK4), *ANSWERED)
    t = get(drive, server, scheme, way=way, login=login)
    assert (t.code, t.body) == (0, b"by proxy")
    assert [t.info["PROXY_ERROR"], *[t.info[name] for name in USED]] == by_library([0, 1], [0], [0, 1])


@pytest.mark.parametrize("scheme", ["socks4", "socks"])
def test_socks4(drive, make_server, way, scheme):
    """The address is looked up here, and only those of IPv4 count."""
    server = make_server()
    server.script(Read(b"\4\1\0\x51\xc0\0\2\1\0"), Send(OK4), *ANSWERED)
    t = get(drive, server, scheme, way=way, RESOLVE=["a.test:81:[2001:db8::1],192.0.2.1"])
    assert (t.code, t.body) == (0, b"by proxy")


def test_socks4_without_ipv6(drive, make_server):
    server = make_server()
    server.script()
    t = get(drive, server, "socks4", url="http://[2001:db8::1]:81/")
    assert t.code == PROXY_FAILED


def test_socks5h(drive, make_server, way):
    server = make_server()
    server.script(*granted5(), *ANSWERED)
    t = get(drive, server, "socks5h", way=way)
    assert (t.code, t.body) == (0, b"by proxy")


@pytest.mark.parametrize("scheme", ["socks5", "socks5h"])
@pytest.mark.parametrize("host,address", [("192.0.2.1", b"\1\xc0\0\2\1"),
                                          ("[2001:db8::7]", b"\4\x20\x01\x0d\xb8" + b"\0" * 11 + b"\7")])
def test_socks5_address(drive, make_server, scheme, host, address):
    server = make_server()
    server.script(Read(METHODS), Send(b"\5\0"), Read(b"\5\1\0" + address + PORT81), Send(OK5), Expect(), Reply(200, b"x"))
    assert get(drive, server, scheme, url=f"http://{host}:81/").body == b"x"


def test_socks5_name(drive, make_server, way):
    """SOCKS5 without h: the name is looked up here."""
    server = make_server()
    server.script(Read(METHODS), Send(b"\5\0"), Read(b"\5\1\0\1\xc0\0\2\1" + PORT81), Send(OK5), *ANSWERED)
    t = get(drive, server, "socks5", way=way, RESOLVE=["a.test:81:192.0.2.1"])
    assert (t.code, t.body) == (0, b"by proxy")


LOGINS = [  # in the proxy's text, as options, what is sent
    ("me:pw@", {}, b"\1\2me\2pw"), ("m%20e:p%40w@", {}, b"\1\3m e\3p@w"), ("me@", {}, b"\1\2me\0"),
    ("", {"PROXYUSERPWD": "me:pw"}, b"\1\2me\2pw"), ("", {"PROXYUSERPWD": "m%3Ae:p%40w"}, b"\1\3m:e\3p@w"),
    ("", {"PROXYUSERNAME": "m%20e", "PROXYPASSWORD": "pw"}, by_library(b"\1\5m%20e\2pw", b"\1\3m e\2pw", b"\1\5m%20e\2pw")),
    ("", {"PROXYUSERNAME": "me"}, b"\1\2me\0"), ("me:pw@", {"PROXYUSERPWD": "other:secret"}, b"\1\2me\2pw"),
    ("me@", {"PROXYUSERPWD": "other:secret"}, b"\1\2me\0"),
]


@pytest.mark.parametrize("login,options,sent", LOGINS, ids=str)
def test_socks5_login(drive, make_server, login, options, sent):
    server = make_server()
    server.script(Read(METHODS_LOGIN), Send(b"\5\2"), Read(sent), Send(b"\1\0"), Read(by_name(b"a.test")), Send(OK5),
                  *ANSWERED)
    t = get(drive, server, "socks5h", login=login, **options)
    assert (t.code, t.body) == (0, b"by proxy")


def test_socks5_login_is_not_used(drive, make_server):
    server = make_server()
    server.script(Read(METHODS_LOGIN), Send(b"\5\0"), Read(by_name(b"a.test")), Send(OK5), *ANSWERED)
    assert get(drive, server, "socks5h", PROXYUSERPWD="me:pw").body == b"by proxy"


def test_socks5_login_is_not_allowed(drive, make_server):
    """CURLOPT_SOCKS5_AUTH without Basic: user and password stay here."""
    server = make_server()
    server.script(Read(METHODS), Send(b"\5\0"), Read(by_name(b"a.test")), Send(OK5), *ANSWERED)
    assert get(drive, server, "socks5h", PROXYUSERPWD="me:pw", SOCKS5_AUTH=4).body == b"by proxy"


@not_debian("no CURLAUTH_ONLY for SOCKS5")
@pytest.mark.parametrize("mask, login, offered, chosen, code", [
    (AUTH_ONLY | 1, "me:pw", b"\5\1\2", b"\5\2", 0), (AUTH_ONLY | 1, "me:pw", b"\5\1\2", b"\5\0", PROXY_FAILED),
    (AUTH_ONLY | 5, "me:pw", b"\5\2\1\2", b"\5\2", 0), (AUTH_ONLY | 4, "me:pw", b"\5\1\1", b"\5\0", PROXY_FAILED),
    (AUTH_ONLY | 1, None, None, None, PROXY_FAILED)])
def test_socks5_must_ask_for_a_login(drive, make_server, mask, login, offered, chosen, code):
    if mask & 4 and lacks("GSS-API"):
        pytest.skip("GSS-API is not built")
    server = make_server()
    asked = [Read(offered), Send(chosen)] if offered else [UntilClose()]
    server.script(*asked, *([Read(b"\1\2me\2pw"), Send(b"\1\0"), Read(by_name(b"a.test")), Send(OK5), *ANSWERED] if not code else []))
    t = get(drive, server, "socks5h", PROXYUSERPWD=login, SOCKS5_AUTH=mask)
    assert (t.code, t.info["PROXY_ERROR"]) == (code, 12 if code else 0)


@not_debian("no CURLAUTH_ONLY for SOCKS5")
def test_a_connection_without_the_login_that_must_be(drive, make_server):
    """CURLAUTH_ONLY: one that was made without is not used for it."""
    server = make_server()
    server.script(*granted5(), *ANSWERED)
    server.script(Read(b"\5\1\2"), Send(b"\5\0"))
    d = drive().easy(URL="http://a.test:81/", PROXY=proxy(server, "socks5h"), SOCKS5_AUTH=5).perform()
    r = d.setopt("h", PROXYUSERPWD="me:pw", SOCKS5_AUTH=AUTH_ONLY | 1).perform().run()
    assert [t.code for t in r.all("h")] == [0, PROXY_FAILED]


def test_a_login_that_was_not_offered(drive, make_server):
    """Ours ends there; libcurl sends an empty one."""
    server = make_server()
    server.script(Read(METHODS), Send(b"\5\2"), *by_library([], *[[Read(b"\1\0\0"), Send(b"\1\1")]] * 2))
    t = get(drive, server, "socks5h")
    assert (t.code, t.info["PROXY_ERROR"]) == (PROXY_FAILED, by_library(32, 33, 33))


@pytest.mark.parametrize("type_,request_", [(SOCKS4A, b"\4\1\0\x51\0\0\0\1\0a.test\0"), (SOCKS5H, METHODS)])
def test_proxytype(drive, make_server, type_, request_):
    """For a text without a type; CURLOPT_PROXYPORT is for one without a port."""
    server = make_server()
    server.script(Read(request_), Close())
    t = drive.get(URL="http://a.test:81/", PROXY="127.0.0.1", PROXYPORT=server.port, PROXYTYPE=type_)
    assert t.code == PROXY_FAILED


def test_connect_to(drive, make_server):
    """The proxy goes where CURLOPT_CONNECT_TO says."""
    server = make_server()
    server.script(Read(METHODS), Send(b"\5\0"), Read(by_name(b"b.test", b"\0\x52")), Send(OK5), *ANSWERED)
    assert get(drive, server, "socks5h", CONNECT_TO=["a.test:81:b.test:82"]).body == b"by proxy"


def test_https(drive, make_server, certs, way):
    server = make_server()
    tls = make_server(tls=certs.context())
    tls.answer(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
    server.script(Read(METHODS), Send(b"\5\0"), Read(by_name(b"localhost", struct.pack(">H", tls.port))), Send(OK5),
                  Relay(tls.port))
    t = get(drive, server, "socks5h", url=tls.url(host="localhost"), way=way, CAINFO=certs.path("ca.pem"))
    assert (t.code, t.body) == (0, b"hi")


def test_unix_socket(drive, make_server, tmp_path):
    path = tmp_path / "a b.sock"
    server = make_server(unix=str(path))
    server.script(*granted5(), *ANSWERED)
    t = drive.get(URL="http://a.test:81/", PROXY="socks5h://localhost" + str(path).replace(" ", "%20"))
    assert (t.code, t.body) == (0, b"by proxy")


@not_debian("it is an HTTP proxy then")
def test_pre_proxy_alone(drive, make_server):
    """It has SOCKS4 as its default, and user and password in its text alone."""
    server = make_server()
    server.script(Read(b"\4\1\0\x51\xc0\0\2\1\0"), Send(OK4), Expect(), Reply(200, b"x"))
    t = drive.get(URL="http://192.0.2.1:81/", PRE_PROXY=f"127.0.0.1:{server.port}",
                  **by_library({"PROXYUSERPWD": "me:pw"}, {}))
    assert t.body == b"x"


@pytest.mark.parametrize("name", ["http_proxy", "all_proxy", "ALL_PROXY"])
def test_environment(drive, make_server, name):
    server = make_server()
    server.script(*granted5(), *ANSWERED)
    assert drive.get(URL="http://a.test:81/", env={name: proxy(server, "socks5h")}).body == b"by proxy"


def test_exceptions(drive, make_server, server):
    server.answer(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ndirect")
    none = make_server()
    t = drive.get(URL=server.url(), PROXY=proxy(none, "socks5h"), NOPROXY="127.0.0.0/8", info=USED)
    assert (t.body, [t.info[name] for name in USED]) == (b"direct", [0] * len(USED))
    assert not none.connections


# ---------------------------------------------------------------- what is answered

ANSWERS4 = [(91, 26), (92, 7), (93, 8), (94, 31), (0, 31)]


@pytest.mark.parametrize("answer,error", ANSWERS4)
def test_socks4_refusal(drive, make_server, answer, error):
    server = make_server()
    server.script(Read(b"\4\1\0\x51\0\0\0\1\0a.test\0"), Send(bytes([0, answer]) + b"\0" * 6))
    t = get(drive, server, "socks4a")
    assert (t.code, t.info["PROXY_ERROR"]) == (PROXY_FAILED, error)
    assert t.error


ANSWERS5 = [(1, 20), (2, 23), (3, 22), (4, 21), (5, 19), (6, 24), (7, 18), (8, 17), (9, 25)]


@pytest.mark.parametrize("answer,error", ANSWERS5)
def test_socks5_refusal(drive, make_server, answer, error):
    server = make_server()
    server.script(Read(METHODS), Send(b"\5\0"), Read(by_name(b"a.test")), Send(bytes([5, answer, 0, 1]) + b"\0" * 6))
    t = get(drive, server, "socks5h")
    assert (t.code, t.info["PROXY_ERROR"]) == (PROXY_FAILED, error)
    assert t.error


CLOSED = by_library(15, 3, 15)  # CURLPX_RECV_CONNECT
BAD = [  # what the proxy sends, in the order of messages; the error
    ([b"\4\0"], 2), ([b"\5\xff"], 12), ([b"\5\0", b"\4\0\0\1" + b"\0" * 6], 2),
    ([b"\5\0", b"\5\0\0\7" + b"\0" * 6], 1), ([b"\5\0", b"HTTP/1.1 400 Bad Request\r\n\r\n"], 2), ([None], CLOSED),
    ([b"\5"], CLOSED), ([b"\5\0", None], CLOSED), ([b"\5\0", b"\5\0\0\1\0\0\0"], CLOSED),
]


@pytest.mark.parametrize("answers,error", BAD, ids=str)
def test_socks5_bad_answer(drive, make_server, way, answers, error):
    steps = []
    for question, answer in zip([METHODS, by_name(b"a.test")], answers):
        steps += [Read(question)] + ([Send(answer)] if answer else [])
    server = make_server()
    server.script(*steps, Close())
    t = get(drive, server, "socks5h", way=way)
    assert t.code == PROXY_FAILED
    assert t.info["PROXY_ERROR"] == error


def test_login_is_judged_before_the_server_is_looked_up(drive, make_server, ours_only):
    ours_only("libcurl judges the login when the proxy has asked for it")
    server = make_server()
    server.script()
    t = get(drive, server, "socks5", url="http://a.invalid/", login="u" * 256 + ":pw@")
    assert (t.code, t.info["PROXY_ERROR"]) == (PROXY_FAILED, 11)


def test_socks5_bad_login(drive, make_server):
    server = make_server()
    server.script(Read(METHODS_LOGIN), Send(b"\5\2"), Read(b"\1\2me\2pw"), Send(b"\1\1"))
    t = get(drive, server, "socks5h", login="me:pw@")
    assert (t.code, t.info["PROXY_ERROR"]) == (PROXY_FAILED, 33)


@pytest.mark.parametrize("address", [b"\1\0\0\0\0\0\1", b"\3\5hello\0\1", b"\3\xff" + b"x" * 255 + b"\0\1",
                                     b"\4" + b"\0" * 18], ids=lambda a: str(a[:2]))
def test_socks5_bound_address(drive, make_server, address):
    """Its length is the proxy's matter; the server's bytes follow it at once."""
    server = make_server()
    server.script(Read(METHODS), Send(b"\5\0"), Read(by_name(b"a.test")),
                  Send(b"\5\0\0" + address, cuts=[1, 4, 5, 6]), *ANSWERED)
    t = get(drive, server, "socks5h")
    assert (t.code, t.body, t.error) == (0, b"by proxy", "")


@pytest.mark.parametrize("login,host,error", [("u" * 256 + ":p@", "a.test", 11), ("u:" + "p" * 256 + "@", "a.test", 10),
                                              ("", ("a" * 63 + ".") * 4 + "a.test", 9)], ids=["user", "password", "host"])
def test_too_long(drive, make_server, ours_only, login, host, error):
    """Nothing is sent that would be cut."""
    ours_only("libcurl notices when it has sent the methods")
    server = make_server()
    server.script()
    t = get(drive, server, "socks5h", url=f"http://{host}:81/", login=login)
    assert (t.code, t.info["PROXY_ERROR"]) == (PROXY_FAILED, error)


# ---------------------------------------------------------------- texts that name no proxy

TEXTS = [("ftp://127.0.0.1:1", 7), ("socks5h://127.0.0.1:99999", 5), ("http://a b:1", 5), ("socks5://", 5), ("[::1", 5)]


@pytest.mark.parametrize("text,code", TEXTS)
def test_no_proxy(drive, server, text, code):
    t = drive.get(URL=server.url(), PROXY=text)
    assert t.code == code
    assert not server.connections


@not_debian("it tries them")
@pytest.mark.parametrize("pre,text", [("http://127.0.0.1:1", "http://127.0.0.1:1"), ("http://127.0.0.1:1", None),
                                      ("socks4://127.0.0.1:1", "socks5://127.0.0.1:1")])
def test_no_pre_proxy(drive, server, pre, text):
    t = drive.get(URL=server.url(), PRE_PROXY=pre, **({"PROXY": text} if text else {}))
    assert t.code == 5
    assert not server.connections


def test_unknown_names(drive, make_server):
    """That of the proxy, and that of the server with SOCKS5, which looks it up here. (Debian's waits for the proxy then.)"""
    assert drive.get(URL="http://a.test/", PROXY="socks5h://nosuch.invalid:1").code == by_library(5, 6, 5)
    server = make_server()
    server.script(*by_library([], [Read(METHODS)], [Read(METHODS)]))
    assert get(drive, server, "socks5", url="http://nosuch.invalid/", TIMEOUT_MS=by_library(0, 300, 0)).code == by_library(6, 28, 6)


# ---------------------------------------------------------------- connections

def test_kept(drive, make_server, way):
    """The handshake is for the connection, not for the request."""
    server = make_server()
    server.script(*granted5(), Expect(), Reply(200, b"one"), Expect(), Reply(200, b"two"))
    d = drive(way).easy(URL="http://a.test:81/", PROXY=proxy(server, "socks5h")).perform().perform()
    assert [t.body for t in d.run().all("h")] == [b"one", b"two"]


def test_kept_whether_a_tunnel_is_asked_for_or_not(drive, make_server):
    """CURLOPT_HTTPPROXYTUNNEL is about HTTP proxies."""
    server = make_server()
    server.script(*granted5(), Expect(), Reply(200, b"one"), Expect(), Reply(200, b"two"))
    d = drive().easy(URL="http://a.test:81/", PROXY=proxy(server, "socks5h"), HTTPPROXYTUNNEL=1).perform()
    r = d.setopt("h", HTTPPROXYTUNNEL=0).perform().run()
    assert [t.body for t in r.all("h")] == [b"one", b"two"]


@pytest.mark.parametrize("login", ["other:pw@", "me:other@", ""])
def test_not_kept_for_others(drive, make_server, login):
    """A connection that was made for one user is not another's."""
    server = make_server()
    for sent in (b"\1\2me\2pw", None):
        server.script(Read(METHODS_LOGIN if sent or login else METHODS), Send(b"\5\0"), Read(by_name(b"a.test")), Send(OK5),
                      Expect(), Reply(200, b"x"))
    d = drive().easy(URL="http://a.test:81/", PROXY=proxy(server, "socks5h", "me:pw@")).perform()
    r = d.setopt("h", PROXY=proxy(server, "socks5h", login)).perform().run()
    assert [t.body for t in r.all("h")] == [b"x", b"x"]
    assert len(server.connections) == 2


def test_not_kept_without_the_proxy(drive, make_server, server):
    """Neither by a later request without it, nor the other way."""
    socks = make_server()
    socks.script(Read(METHODS), Send(b"\5\0"), Read(b"\5\1\0\1\x7f\0\0\1" + struct.pack(">H", server.port)), Send(OK5),
                 Expect(), Reply(200, b"proxy"), Expect(), Reply(200, b"again"))
    server.script(Expect(), Reply(200, b"direct"))
    d = drive().easy(URL=server.url(), PROXY=proxy(socks, "socks5h")).perform()
    d.setopt("h", PROXY="").perform().setopt("h", PROXY=proxy(socks, "socks5h")).perform()
    assert [t.body for t in d.run().all("h")] == [b"proxy", b"direct", b"again"]


def test_reset_in_the_handshake(drive, make_server, way):
    server = make_server()
    server.script(Read(METHODS), Reset())
    t = get(drive, server, "socks5h", way=way)
    assert t.code in (PROXY_FAILED, 56)
