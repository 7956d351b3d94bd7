"""Shares: names, TLS sessions, connections; with locks, and between threads."""

import pytest

from mote_driver import LOCK_CONNECT, LOCK_COOKIE, LOCK_DNS, LOCK_HSTS, LOCK_PSL, LOCK_SSL_SESSION, SYSTEM
from script import Read, Send, UntilClose
from server import Serve, response


@pytest.fixture
def echo(make_server):
    s = make_server(backlog=256)
    s.default(Serve(lambda q, p: response(200, b"%d" % p.number)))
    return s


def locks(r):
    (name, locked, unlocked), = r.of("locks")
    assert locked == unlocked
    return locked


@pytest.mark.parametrize("data,code", [(LOCK_COOKIE, 0), (LOCK_DNS, 0), (LOCK_SSL_SESSION, 0), (LOCK_CONNECT, 0), (99, 1)])
def test_kinds(drive, data, code):
    r = drive().do("share", "s").do("sharesetopt", "s", "SHARE", data).do("shcleanup", "s").run()
    assert r.code("shcode", "s", "SHARE") == code
    assert r.code("shcode", "s", "cleanup") == 0


@pytest.mark.parametrize("data", [LOCK_PSL, LOCK_HSTS])
def test_kinds_that_come_later(drive, data):
    """Taken also without them: there is nothing to share, and curl asks for all of them."""
    r = drive().do("share", "s").do("sharesetopt", "s", "SHARE", data).run()
    assert r.code("shcode", "s", "SHARE") == 0


def test_unshare(drive):
    d = drive().do("share", "s").do("sharesetopt", "s", "SHARE", LOCK_DNS).do("sharesetopt", "s", "UNSHARE", LOCK_DNS)
    assert d.run().code("shcode", "s", "UNSHARE") == 0


def test_connections(drive, echo):
    """Easy handles with one share use one connection."""
    d = drive("easy").do("share", "s").do("sharesetopt", "s", "lock").do("sharesetopt", "s", "SHARE", LOCK_CONNECT)
    for n in "abc":
        d.easy(n, URL=echo.url(), SHARE="s").perform(n)
    r = d.run()
    assert [r[n].body for n in "abc"] == [b"0"] * 3
    assert locks(r) > 0


def test_connection_outlives_the_handle(drive, echo):
    d = drive("easy").do("share", "s").do("sharesetopt", "s", "SHARE", LOCK_CONNECT)
    d.easy("a", URL=echo.url(), SHARE="s").perform("a").do("cleanup", "a").easy("b", URL=echo.url(), SHARE="s").perform("b")
    assert d.run()["b"].body == b"0"


def test_names(drive, echo):
    """A RESOLVE entry of one handle serves the other."""
    url = f"http://shared.invalid:{echo.port}/"
    d = drive("easy").do("share", "s").do("sharesetopt", "s", "lock").do("sharesetopt", "s", "SHARE", LOCK_DNS)
    d.easy("a", URL=url, SHARE="s", RESOLVE=[f"shared.invalid:{echo.port}:127.0.0.1"]).perform("a")
    d.easy("b", URL=url, SHARE="s", TIMEOUT=15).perform("b").easy("c", URL=url, TIMEOUT=15).perform("c")
    r = d.run()
    assert [r[n].code for n in "abc"] == [0, 0, 6]
    assert locks(r) > 0


WARNINGS = ["WARNING: HSTS filename points to a directory", "WARNING: cookie filename points to a directory",
            "WARNING: failed to save HSTS hosts in", "WARNING: failed to save cookies in"]


def test_no_warning_under_a_lock(drive, echo, tmp_path, ours_only):
    """The debug callback heard of a folder and of a jar while the application's lock was held, which may be its own."""
    ours_only("the newest libcurl warns under its locks, too, and not of all of it")
    d = drive("easy").do("share", "s").do("sharesetopt", "s", "lock")
    for kind in (LOCK_COOKIE, LOCK_HSTS):
        d.do("sharesetopt", "s", "SHARE", kind)
    d.easy("a", URL=echo.url(), SHARE="s", COOKIEFILE=tmp_path, COOKIEJAR=tmp_path / "none" / "jar", HSTS=tmp_path)
    d.enable("a", "debug", "debugprint").perform("a").setopt("a", COOKIELIST="RELOAD").do("cleanup", "a")
    r = d.run()
    texts = [f[3] for f in r.lines if f[0] == "debug"]
    assert [w for w in WARNINGS if not any(text.startswith(w) for text in texts)] == []
    assert not r.of("locked") and locks(r) > 0


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("option", ["COOKIEFILE", "HSTS"])
def test_a_warning_that_switches_its_cause_off(drive, echo, tmp_path, ours_only, option, shared):
    """The first info line is the warning. What was read on then was freed."""
    ours_only("the newest libcurl crashes")
    d = drive("easy").do("share", "s")
    for kind in (LOCK_COOKIE, LOCK_HSTS) if shared else ():
        d.do("sharesetopt", "s", "SHARE", kind)
    d.easy("a", URL=echo.url(), SHARE="s", COOKIEJAR=tmp_path / "jar", COOKIELIST="Set-Cookie: a=b; domain=a.test", VERBOSE=1)
    d.setopt("a", **{option: tmp_path}).setopt("a", **{option: tmp_path / "other"})
    d.enable("a", "debug", "debugprint").on("a", "debug", "call", 1, "setopt", option)
    if option == "COOKIEFILE":
        d.setopt("a", COOKIELIST="FLUSH")
    r = d.perform("a").do("cleanup", "a").run()
    assert r["a"].code == 0 and r.code("incb", "a", "setopt") == 0
    assert r["a"].debug[0][1].startswith(b"WARNING: ")


def test_sessions(drive, make_server, certs):
    server = make_server(tls=certs.context())
    server.default(Serve(lambda q, p: response(200, b"x", ["Connection: close"])))
    d = drive("easy").do("share", "s").do("sharesetopt", "s", "lock").do("sharesetopt", "s", "SHARE", LOCK_SSL_SESSION)
    for n in "ab":
        d.easy(n, URL=server.url(), SHARE="s", CAINFO=certs.path("ca.pem")).perform(n)
    r = d.run()
    assert [c.tls_reused for c in server.connections] == [False, True]
    assert locks(r) > 0


def test_in_use(drive, echo):
    """A share with a handle attached is not freed (1 = bad option, 2 = in use)."""
    d = drive("easy").do("share", "s").do("sharesetopt", "s", "SHARE", LOCK_DNS).easy("a", URL=echo.url(), SHARE="s")
    d.perform("a").do("shcleanup", "s").do("sharesetopt", "s", "SHARE", LOCK_CONNECT).do("cleanup", "a").do("shcleanup", "s")
    r = d.run()
    assert [f[-1] for f in r.of("shcode", "s", "cleanup")] == [2, 0]
    assert [f[-1] for f in r.of("shcode", "s", "SHARE")] == [0, 2]


def test_detached(drive, echo):
    d = drive("easy").do("share", "s").do("sharesetopt", "s", "SHARE", LOCK_CONNECT).easy("a", URL=echo.url(), SHARE="s")
    d.perform("a").setopt("a", SHARE=None).perform("a").do("shcleanup", "s")
    r = d.run()
    assert [t.code for t in r.all("a")] == [0, 0]


@pytest.mark.skipif(SYSTEM, reason="a libcurl may close the connection with its share")
@pytest.mark.parametrize("tls", [False, True])
def test_an_open_connection_outlives_the_share(drive, make_server, certs, tls):
    """With TLS the tickets, which come with the first bytes, went to a cache that was freed."""
    server = make_server(tls=certs.context() if tls else None)
    server.script(Read(b"ping"), Send(b"pong"), UntilClose())
    d = drive("easy").do("share", "s")
    for kind in (LOCK_CONNECT, LOCK_SSL_SESSION):
        d.do("sharesetopt", "s", "SHARE", kind)
    d.easy("h", URL=server.url(), SHARE="s", CONNECT_ONLY=1, CAINFO=certs.path("ca.pem")).perform("h")
    d.setopt("h", SHARE=None).do("shcleanup", "s").do("send", "h", "ping").do("recv", "h", 4)
    r = d.run()
    assert r["h"].code == 0 and r.code("shcode", "s", "cleanup") == 0
    assert [str(f[1]) for f in r.of("received", "h")] == ["pong"]


@pytest.mark.parametrize("kinds", [[LOCK_DNS], [LOCK_SSL_SESSION], [LOCK_DNS, LOCK_SSL_SESSION],
                                   [LOCK_DNS, LOCK_SSL_SESSION, LOCK_CONNECT]])
def test_threads(drive, make_server, certs, kinds):
    """Eight threads at a time, three rounds, over TLS and by name."""
    if SYSTEM and LOCK_CONNECT in kinds:
        pytest.skip("ours only: libcurl does not share connections between threads safely")
    server = make_server(tls=certs.context(), backlog=256)
    server.default(Serve(lambda q, p: response(200, b"x" * 1000)))
    d = drive("easy").do("share", "s").do("sharesetopt", "s", "lock")
    for k in kinds:
        d.do("sharesetopt", "s", "SHARE", k)
    names = [f"h{i}" for i in range(8)]
    for n in names:
        d.easy(n, URL=server.url(host="localhost"), SHARE="s", CAINFO=certs.path("ca.pem")).enable(n, "quiet")
    for _ in range(3):
        d.do("threads", *names)
    r = d.run()
    assert all(t.code == 0 and t.length == 1000 for n in names for t in r.all(n))
    assert locks(r) > 0


def test_threads_without_a_share(drive, make_server, certs):
    server = make_server(tls=certs.context(), backlog=256)
    server.default(Serve(lambda q, p: response(200, b"y" * 1000)))
    d = drive("easy")
    names = [f"h{i}" for i in range(8)]
    for n in names:
        d.easy(n, URL=server.url(host="localhost"), CAINFO=certs.path("ca.pem")).enable(n, "quiet")
    r = d.do("threads", *names).do("threads", *names).run()
    assert all(t.code == 0 for n in names for t in r.all(n))
