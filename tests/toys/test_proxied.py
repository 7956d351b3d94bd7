"""login by proxies: the data connection goes by the same ones, and never past them (connect/data/data_proxy.c)."""

import threading

import pytest

from login_peer import QUIT, Control, get, hello, put
from mote_driver import pattern
from proxies import Socks5, Tunnel
from script import Close, Read, Relay, Reset, Send, Set, UntilClose, Wait

FILE = pattern(100_000)
OK5 = b"\5\0\0\1\0\0\0\0\0\0"


@pytest.fixture(params=["login", "logintls"])
def secured(request, make_server, certs):
    return Control(make_server, certs, request.param)


def by_name(name, port):
    return b"\5\1\0\3" + bytes([len(name)]) + name.encode() + port.to_bytes(2, "big")


def socks(name, port, to=None):
    """A SOCKS5 proxy that is asked for exactly this."""
    return (Read(3), Send(b"\5\0"), Read(by_name(name, port)), Send(OK5), Relay(to or port), Close())


def connect(name, port, *lines):
    """An HTTP proxy, likewise."""
    head = "\r\n".join([f"CONNECT {name}:{port} HTTP/1.1", f"Host: {name}:{port}", *lines, "Proxy-Connection: Keep-Alive",
                        "", ""])
    return (Read(head.encode()), Send("HTTP/1.1 200 ok\r\n\r\n"), Relay(port), Close())


@pytest.mark.parametrize("kind", ["socks5", "tunnel", "https"])
def test_get(drive, way, secured, make_server, certs, kind):
    c = secured
    proxy = make_server(tls=certs.context() if kind == "https" else None)
    port = c.data(Send(FILE), Close())
    step = Socks5 if kind == "socks5" else Tunnel
    proxy.script(step(c.server.port), Close()).script(step(port), Close())
    c.script(*c.hello(), *get("f", len(FILE), port), *QUIT)
    scheme = {"socks5": "socks5h", "tunnel": "http", "https": "https"}[kind]
    t = drive.get(way, info=("NUM_CONNECTS",), URL=c.url("f"), PROXY=f"{scheme}://127.0.0.1:{proxy.port}", HTTPPROXYTUNNEL=1,
                  PROXY_CAINFO=certs.path("ca.pem"), **c.options)
    assert (t.code, t.body == FILE or t.length, t.info) == (0, len(FILE) if t.length > 65536 else True, {"NUM_CONNECTS": 2})
    assert not c.context or c.last.connections[0].tls_reused


@pytest.mark.parametrize("kind", ["socks5", "tunnel"])
def test_put(drive, way, secured, make_server, kind):
    c, got, proxy = secured, threading.Event(), make_server()
    step = Socks5 if kind == "socks5" else Tunnel
    port = c.data(Read(FILE), UntilClose(), Set(got))
    proxy.script(step(c.server.port), Close()).script(step(port), Close())
    c.script(*c.hello(), *put("f", port, Wait(got)), *QUIT)
    scheme = "socks5" if kind == "socks5" else "http"
    t = drive.get(way, body=FILE, URL=c.url("f"), UPLOAD=1, PROXY=f"{scheme}://127.0.0.1:{proxy.port}", HTTPPROXYTUNNEL=1,
                  **c.options)
    assert (t.code, t.bytes["read"]) == (0, len(FILE))


def test_proxy_knows_the_name(drive, way, plain, make_server):
    """The client never looks it up."""
    c, proxy = plain, make_server()
    port = c.data(Send(b"1"), Close())
    proxy.script(*socks("there.invalid", c.server.port)).script(*socks("there.invalid", port))
    c.script(*hello(), *get("f", 1, port), *QUIT)
    t = drive.get(way, URL=f"login://there.invalid:{c.server.port}/f", PROXY=f"socks5h://127.0.0.1:{proxy.port}",
                  SOCKS5_AUTH=1)
    assert (t.code, t.body) == (0, b"1")


def test_credentials_of_the_tunnel(drive, way, plain, make_server):
    c, proxy = plain, make_server()
    port = c.data(Send(b"1"), Close())
    login = "Proxy-Authorization: Basic dTpw"
    proxy.script(*connect("there.invalid", c.server.port, login)).script(*connect("there.invalid", port, login))
    c.script(*hello(), *get("f", 1, port), *QUIT)
    t = drive.get(way, URL=f"login://there.invalid:{c.server.port}/f", PROXY=f"http://u:p@127.0.0.1:{proxy.port}",
                  HTTPPROXYTUNNEL=1)
    assert (t.code, t.body) == (0, b"1")


def test_two_proxies(drive, way, plain, make_server):
    c, first, second = plain, make_server(), make_server()
    port = c.data(Send(b"1"), Close())
    for to in (c.server.port, port):
        first.script(*socks("second.invalid", 8080, second.port))
        second.script(*connect("there.invalid", to))
    c.script(*hello(), *get("f", 1, port), *QUIT)
    t = drive.get(way, URL=f"login://there.invalid:{c.server.port}/f", PRE_PROXY=f"socks5h://127.0.0.1:{first.port}",
                  PROXY="http://second.invalid:8080", HTTPPROXYTUNNEL=1, SOCKS5_AUTH=1)
    assert (t.code, t.body) == (0, b"1")


def test_second_file(drive, way, plain, make_server):
    """On a kept connection, whose proxy is not looked up again."""
    c, proxy = plain, make_server()
    ports = [c.data(Send(body), Close()) for body in (b"1", b"2")]
    for to in (c.server.port, *ports):
        proxy.script(Socks5(to), Close())
    c.script(*hello(), *get("f", 1, ports[0]), *get("g", 1, ports[1]), *QUIT)
    d = drive(way).easy(URL=c.url("f"), PROXY=f"socks5h://127.0.0.1:{proxy.port}").perform()
    r = d.setopt("h", URL=c.url("g")).perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"1"), (0, b"2")]


@pytest.mark.parametrize("scheme,steps,code", [
    ("socks5h", (Read(4), Send(b"\5\0"), Read(10), Send(b"\5\5\0\1\0\0\0\0\0\0"), UntilClose()), 97),
    ("socks5h", (Read(1), Reset()), 97), ("http", (Send("HTTP/1.1 403 no\r\n\r\n"), UntilClose()), 7)])
def test_proxy_refuses_the_data(drive, way, plain, make_server, scheme, steps, code):
    c, proxy = plain, make_server()
    proxy.script((Socks5 if scheme == "socks5h" else Tunnel)(c.server.port), Close()).script(*steps)
    c.script(*hello(), *get("f", 1, 9, UntilClose(), done=None))
    t = drive.get(way, URL=c.url("f"), PROXY=f"{scheme}://127.0.0.1:{proxy.port}", HTTPPROXYTUNNEL=1)
    assert (t.code, t.length) == (code, 0)


@pytest.mark.parametrize("option", ["TIMEOUT_MS", "CONNECTTIMEOUT_MS"])
def test_proxy_is_silent_about_the_data(drive, way, plain, make_server, option):
    c, proxy = plain, make_server()
    proxy.script(Socks5(c.server.port), Close()).script(UntilClose())
    c.script(*hello(), *get("f", 1, 9, UntilClose(), done=None))
    t = drive.get(way, URL=c.url("f"), PROXY=f"socks5h://127.0.0.1:{proxy.port}", **{option: 1500})
    assert t.code == 28


@pytest.mark.parametrize("how", ["remove", "cleanup", "mcleanup"])
def test_left_in_the_handshake(drive, multi_way, plain, make_server, how):
    c, proxy, seen = plain, make_server(), threading.Event()
    proxy.script(Socks5(c.server.port), Close()).script(Read(3), Set(seen), UntilClose())
    c.script(*hello(), *get("f", 1, 9, UntilClose(), done=None))
    d = drive(multi_way).easy(URL=c.url("f"), PROXY=f"socks5h://127.0.0.1:{proxy.port}").do("add", "m", "h").start()
    d.do("drive", "m", "stdin")
    assert seen.wait(40)
    d.do(*{"remove": ("remove", "m", "h"), "cleanup": ("cleanup", "h"), "mcleanup": ("mcleanup", "m")}[how])
    d.end()
