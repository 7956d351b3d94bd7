"""Kept connections: when one is used again, when not, and the limits of the pool."""

import threading

import pytest

from mote_driver import AUTH_ANY, TLS_1_2, TLS_MAX_1_2, by_library, not_debian
from server import Close, Expect, Reply, Reset, Send, Serve, Set, UntilClose, Wait, response


def echo(request, peer):
    return response(200, b"%d" % peer.number)


def test_kept(drive, server, way):
    server.answer(*[response(200, b"%d" % i) for i in range(5)])
    d = drive(way).easy(URL=server.url())
    for _ in range(5):
        d.perform().getinfo("h", "NUM_CONNECTS", "LOCAL_PORT")
    r = d.run()
    assert [t.body for t in r.all("h")] == [b"0", b"1", b"2", b"3", b"4"]
    assert [t.info["NUM_CONNECTS"] for t in r.all("h")] == [1, 0, 0, 0, 0]
    assert len({t.info["LOCAL_PORT"] for t in r.all("h")}) == 1


def test_dead_connection(drive, server, way):
    """Closed by the server after the first answer: a new connection, no error."""
    closed = threading.Event()
    server.script(Expect(), Reply(200, b"one"), Close(), Set(closed))
    server.answer(response(200, b"two"))
    d = drive(way).easy(URL=server.url()).perform()
    d.start()
    d.expect("result", "h")
    assert closed.wait(10)
    r = d.perform().end()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"one"), (0, b"two")]


@pytest.mark.parametrize("how", [Close, Reset])
def test_dies_under_the_request(drive, server, way, how):
    """The connection ends only when the second request has arrived: the request goes again."""
    server.script(Expect(), Reply(200, b"one"), Expect(target="/2"), how())
    server.script(Expect(target="/2"), Reply(200, b"two"))
    r = drive(way).easy(URL=server.url("/1")).perform().setopt("h", URL=server.url("/2")).perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"one"), (0, b"two")]


@not_debian("one byte is an answer")
@pytest.mark.parametrize("how", [Close, Reset])
@pytest.mark.parametrize("part", [b"H", b"HTTP/1.1 20"])
def test_dies_within_the_status_line(drive, server, way, how, part):
    """That is no answer yet: the request goes again."""
    server.script(Expect(), Reply(200, b"one"), Expect(), Send(part), how())
    server.script(Expect(), Reply(200, b"two"))
    r = drive(way).easy(URL=server.url()).perform().perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"one"), (0, b"two")]


def test_dies_after_a_byte(drive, server, way):
    """Once part of the answer has come, there is no second try."""
    server.script(Expect(), Reply(200, b"one"), Expect(), Send(b"HTTP/1.1 200 OK\r\nA: b\r\n"), Close())
    r = drive(way).easy(URL=server.url("/1")).perform().perform().run()
    assert r.all("h")[0].code == 0
    assert r["h"].code == by_library(56, 0, 0)
    assert r["h"].body == b""


def test_first_connection_is_not_retried(drive, server, way):
    server.script(Expect(), Reset())
    assert drive.get(way, URL=server.url()).code == 56


def test_answer_without_a_request(drive, server, way, ours_only):
    """Bytes that come on an idle connection make it useless."""
    ours_only("libcurl 7.88 takes them for the next answer now and then")
    sent = threading.Event()
    server.script(Expect(), Reply(200, b"one"), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"), Set(sent),
                  UntilClose())
    server.script(Expect(), Reply(200, b"two"))
    d = drive(way).easy(URL=server.url()).perform()
    d.start()
    d.expect("result", "h")
    assert sent.wait(10)
    r = d.perform().end()
    assert [t.body for t in r.all("h")] == [b"one", b"two"]


def test_fresh_connect(drive, server, way):
    server.default(Serve(echo))
    d = drive(way).easy(URL=server.url()).perform().setopt("h", FRESH_CONNECT=1).perform().perform()
    r = d.setopt("h", FRESH_CONNECT=0).perform().run()
    assert [t.body for t in r.all("h")][:3] == [b"0", b"1", b"2"]
    assert r["h"].body in (b"0", b"1", b"2")


@pytest.mark.parametrize("answer", [
    response(302, b"", ["Location: /2"]), response(401, b"no", ['WWW-Authenticate: Basic realm="x"']),
], ids=["redirected", "challenged"])
def test_fresh_connect_is_for_the_first_request(drive, server, way, answer):
    """What follows goes over the connection that was made for it."""
    server.script(Expect(), Send(answer), Expect(), Reply(200, b"end"))
    t = drive.get(way, URL=server.url(), FRESH_CONNECT=1, FOLLOWLOCATION=1, USERPWD="u:p", HTTPAUTH=AUTH_ANY,
                  info=("NUM_CONNECTS",))
    assert (t.code, t.body, t.info["NUM_CONNECTS"]) == (0, b"end", 1)


def test_proxy_connection_says_nothing_without_a_proxy(drive, server, way):
    server.script(Expect(), Reply(200, b"one", ["Proxy-Connection: close"]), Expect(), Reply(200, b"two"))
    d = drive(way).easy(URL=server.url()).perform().perform()
    assert [(t.code, t.body) for t in d.run().all("h")] == [(0, b"one"), (0, b"two")]


def test_forbid_reuse(drive, server, way):
    server.default(Serve(echo))
    r = drive(way).easy(URL=server.url(), FORBID_REUSE=1).perform().perform().setopt("h", FORBID_REUSE=0).perform().perform().run()
    assert [t.body for t in r.all("h")] == [b"0", b"1", b"2", b"2"]


def test_forbid_reuse_closes_at_once(drive, server, way):
    server.script(Expect(), Reply(200, b"x"))
    d = drive(way).easy(URL=server.url(), FORBID_REUSE=1).perform().start()
    d.expect("result", "h")
    for thread in server.threads:
        thread.join(10)
        assert not thread.is_alive()
    d.end()


@not_debian("no such option")
def test_network_changed(drive, server, multi_way):
    """Idle connections are closed, and busy ones serve their transfer to its end."""
    changed = threading.Event()
    server.script(Expect(), Reply(200, b"idle"), UntilClose())
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n1"), Wait(changed), Send(b"2"), UntilClose())
    server.answer(response(200, b"new"))
    d = drive(multi_way).easy("b", URL=server.url()).easy("i", URL=server.url(), FRESH_CONNECT=1)
    d.do("add", "m", "i").do("drive", "m", "done", "i").setopt("b", FRESH_CONNECT=1).do("add", "m", "b")
    d.do("drive", "m", "bytes", "b", "write", 1).do("msetopt", "m", "NETWORK_CHANGED", 2).do("mark", "changed").start()
    d.expect("mark", "changed")
    changed.set()
    d.easy("n", URL=server.url()).do("drive", "m", "all").do("add", "m", "n").do("drive", "m", "all")
    r = d.end()
    assert [r[name].body for name in "ibn"] == [b"idle", b"12", b"new"]


def test_request_asks_for_close(drive, server, way):
    """Connection: close in the request: not used again (RFC 9112 9.6)."""
    server.default(Serve(echo))
    r = drive(way).easy(URL=server.url(), HTTPHEADER=["Connection: close"]).perform().perform().run()
    assert [t.body for t in r.all("h")] == by_library([b"0", b"1"], [b"0", b"0"], [b"0", b"0"])


# ---------------------------------------------------------------- identity

DIFFERENT = [
    ({}, {"INTERFACE": "127.0.0.1"}),
    ({}, {"LOCALPORT": 40000, "LOCALPORTRANGE": 9000}),
    ({}, {"CONNECT_TO": ["::localhost:{port}"], "RESOLVE": ["localhost:{port}:127.0.0.1"]}),
    ({}, {"URL": "http://localhost:{port}/", "RESOLVE": ["localhost:{port}:127.0.0.1"]}),
]
SAME = [
    ({}, {"USERPWD": "u:p"}),
    ({"USERPWD": "a:b"}, {"USERPWD": "c:d"}),
    ({"XOAUTH2_BEARER": "a", "HTTPAUTH": 64}, {"XOAUTH2_BEARER": "b", "HTTPAUTH": 64}),
    ({}, {"USERAGENT": "other"}),
    ({}, {"TIMEOUT": 10}),
    ({}, {"HTTPHEADER": ["A: b"]}),
    ({}, {"SSL_VERIFYPEER": 0}),
    ({}, {"CAINFO": "/nowhere"}),
    ({}, {"BUFFERSIZE": 2048}),
    ({}, {"URL": "http://127.0.0.1:{port}/other?x"}),
    ({}, {"URL": "HTTP://127.0.0.1:{port}/"}),
    ({}, {"URL": "http://u:p@127.0.0.1:{port}/"}),
]


def filled(options, port):
    out = {}
    for name, value in options.items():
        if isinstance(value, list):
            out[name] = [v.replace("{port}", str(port)) for v in value]
        else:
            out[name] = value.replace("{port}", str(port)) if isinstance(value, str) else value
    return out


@pytest.mark.parametrize("first,second", DIFFERENT, ids=lambda o: "+".join(o) or "plain")
def test_not_shared(drive, server, first, second):
    server.default(Serve(echo))
    base = {"URL": server.url()}
    d = drive("poll").easy("a", **{**base, **filled(first, server.port)}).easy("b", **{**base, **filled(second, server.port)})
    r = d.perform("a").perform("b").perform("b").perform("a").run()
    assert [r.all("a")[0].body, r.all("b")[0].body, r.all("b")[1].body, r.all("a")[1].body] == [b"0", b"1", b"1", b"0"]


@pytest.mark.parametrize("first,second", SAME, ids=lambda o: "+".join(o) or "plain")
def test_shared(drive, server, first, second):
    server.default(Serve(echo))
    base = {"URL": server.url()}
    d = drive("poll").easy("a", **{**base, **filled(first, server.port)}).easy("b", **{**base, **filled(second, server.port)})
    r = d.perform("a").perform("b").run()
    assert [r["a"].body, r["b"].body] == [b"0", b"0"]


TLS_DIFFERENT = [
    {"SSL_VERIFYPEER": 0}, {"SSL_VERIFYHOST": 0}, {"CAINFO": "mixed.pem"}, {"CAPATH": "capath"},
    {"SSLCERT": "client.pem", "SSLKEY": "client.key"}, {"SSL_CIPHER_LIST": "ECDHE-ECDSA-AES128-GCM-SHA256"},
    {"TLS13_CIPHERS": "TLS_AES_128_GCM_SHA256"}, {"SSLVERSION": TLS_1_2}, {"SSLVERSION": TLS_1_2 | TLS_MAX_1_2},
    {"PINNEDPUBLICKEY": "PIN"}, {"SSL_EC_CURVES": "P-256"}, {"CRLFILE": "crl.pem"}, {"ISSUERCERT": "ca.pem"},
]


@pytest.mark.parametrize("second", TLS_DIFFERENT, ids=lambda o: "+".join(o))
def test_not_shared_tls(drive, make_server, certs, second):
    """An option of TLS that differs: another connection, also when it is the laxer one that came first."""
    server = make_server(tls=certs.context())
    server.default(Serve(echo))
    names = {k: certs.pin() if v == "PIN" else certs.path(v) if isinstance(v, str) and (v.endswith((".pem", ".key"))
             or v == "capath") else v for k, v in second.items()}
    base = {"URL": server.url(), "CAINFO": certs.path("ca.pem")}
    d = drive("poll").easy("a", **base).easy("b", **{**base, **names})
    r = d.perform("a").perform("b").perform("b").perform("a").run()
    assert [t.code for t in r.all("a") + r.all("b")] == [0] * 4, r["b"].error
    assert [t.body for t in r.all("a")] == [b"0", b"0"]
    same = second == {"SSLVERSION": TLS_1_2}  # which is the default of libcurl 8.23
    assert [t.body for t in r.all("b")] == by_library([b"1", b"1"], [b"1", b"1"], [b"0", b"0"] if same else [b"1", b"1"])


def test_http_and_https_on_one_port_differ(drive, make_server, certs):
    server = make_server(tls=certs.context(), tls_may_fail=True)
    server.default(Serve(echo))
    d = drive("poll").easy("a", URL=server.url(), CAINFO=certs.path("ca.pem"))
    d.easy("b", URL=f"http://127.0.0.1:{server.port}/")
    r = d.perform("a").perform("b").run()
    assert r["a"].code == 0
    assert r["b"].code != 0


def test_unix_socket_and_tcp_differ(drive, make_server, tmp_path):
    tcp, unix = make_server(), make_server(unix=str(tmp_path / "s"))
    tcp.default(Serve(lambda q, p: response(200, b"tcp")))
    unix.default(Serve(lambda q, p: response(200, b"unix")))
    d = drive("poll").easy("a", URL=tcp.url()).easy("b", URL=tcp.url(), UNIX_SOCKET_PATH=str(tmp_path / "s"))
    r = d.perform("a").perform("b").perform("a").run()
    assert [t.body for t in r.all("a")] + [r["b"].body] == [b"tcp", b"tcp", b"unix"]


# ---------------------------------------------------------------- limits

def test_maxconnects_of_easy(drive, make_server):
    """MAXCONNECTS 1: only one idle connection is kept."""
    a, b = make_server(), make_server()
    a.default(Serve(echo))
    b.default(Serve(echo))
    d = drive("easy").easy(URL=a.url(), MAXCONNECTS=1).perform().do("sleep", 3).setopt("h", URL=b.url()).perform()
    r = d.do("sleep", 3).setopt("h", URL=a.url()).perform().run()
    assert [t.body for t in r.all("h")] == [b"0", b"0", b"1"]


def test_maxconnects_of_multi(drive, make_server, multi_way):
    servers = [make_server() for _ in range(4)]
    d = drive(multi_way).do("multi", "default").do("msetopt", "default", "MAXCONNECTS", 2)
    for i, s in enumerate(servers):
        s.default(Serve(echo))
        d.easy(f"h{i}", URL=s.url()).perform(f"h{i}").do("sleep", 3)  # the oldest goes first
    r = d.perform("h3").perform("h2").perform("h0").run()
    assert [r.all("h3")[1].body, r.all("h2")[1].body, r.all("h0")[1].body] == [b"0", b"0", b"1"]


@pytest.mark.parametrize("option", ["MAX_HOST_CONNECTIONS", "MAX_TOTAL_CONNECTIONS"])
def test_limit_with_queue(drive, server, multi_way, option):
    """Six transfers on two connections: those that wait get one as it becomes free."""
    server.default(Serve(echo))
    d = drive(multi_way).do("multi", "default").do("msetopt", "default", option, 2)
    names = [f"h{i}" for i in range(6)]
    for n in names:
        d.easy(n, URL=server.url())
    r = d.perform(*names).run()
    assert {r[n].body for n in names} <= {b"0", b"1"}
    assert all(r[n].code == 0 for n in names)
    assert len(server.connections) == 2


def test_queue_moves_on_after_failure(drive, server, multi_way):
    """A transfer that fails frees its place."""
    server.script(Expect(), Reset())
    server.default(Serve(echo))
    d = drive(multi_way).do("multi", "default").do("msetopt", "default", "MAX_TOTAL_CONNECTIONS", 1)
    r = d.easy("a", URL=server.url()).easy("b", URL=server.url()).perform("a", "b").run()
    assert r["a"].code == 56
    assert (r["b"].code, r["b"].body) == (0, b"1")


def test_queue_is_left_by_removal(drive, server, multi_way):
    """The one in front is removed while it runs; the next goes on."""
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), UntilClose())
    server.default(Serve(echo))
    d = drive(multi_way).do("multi", "m").do("msetopt", "m", "MAX_TOTAL_CONNECTIONS", 1)
    d.easy("a", URL=server.url()).easy("b", URL=server.url()).do("add", "m", "a").do("drive", "m", "bytes", "a", "write", 1)
    d.do("add", "m", "b").do("drive", "m", "for", 30).do("remove", "m", "a").do("drive", "m", "all")
    r = d.run()
    assert not r.all("a")
    assert (r["b"].code, r["b"].body) == (0, b"1")


def test_total_limit_closes_an_idle_one(drive, make_server, multi_way):
    """An idle connection to elsewhere makes room."""
    a, b = make_server(), make_server()
    a.default(Serve(echo))
    b.default(Serve(echo))
    d = drive(multi_way).do("multi", "default").do("msetopt", "default", "MAX_TOTAL_CONNECTIONS", 1)
    r = d.easy("a", URL=a.url()).easy("b", URL=b.url()).perform("a").perform("b").perform("a").run()
    assert [t.body for t in r.all("a")] == [b"0", b"1"]
    assert r["b"].body == b"0"


def test_twenty_at_once_then_kept(drive, server, multi_way):
    server.default(Serve(echo))
    names = [f"h{i}" for i in range(20)]
    d = drive(multi_way).do("multi", "default").do("msetopt", "default", "MAXCONNECTS", 50)
    for n in names:
        d.easy(n, URL=server.url())
    r = d.perform(*names).perform(*names).run()
    assert all(t.code == 0 for n in names for t in r.all(n))
    assert len(server.connections) == 20


@pytest.mark.parametrize("option,value", [("MAXAGE_CONN", 0), ("MAXLIFETIME_CONN", 0)])
def test_age_zero_means_default(drive, server, option, value):
    server.default(Serve(echo))
    r = drive().easy(URL=server.url(), **{option: value}).perform().perform().run()
    assert r["h"].code == 0


@pytest.mark.parametrize("option", ["MAXAGE_CONN", "MAXLIFETIME_CONN"])
def test_too_old(drive, server, option):
    server.default(Serve(echo))
    d = drive().easy(URL=server.url(), **{option: 1}).perform().do("sleep", 2100).perform()
    assert [t.body for t in d.run().all("h")] == [b"0", b"1"]


def test_upkeep(drive, server):
    server.default(Serve(echo))
    r = drive().easy(URL=server.url()).perform().do("upkeep", "h").perform().run()
    assert [t.body for t in r.all("h")] == [b"0", b"0"]
    assert r.code("upkeep", "h") == 0


def test_reset_keeps_connections(drive, server):
    """curl_easy_reset keeps live connections."""
    server.default(Serve(echo))
    r = drive().easy(URL=server.url()).perform().do("reset", "h").setopt("h", URL=server.url()).perform().run()
    assert [t.body for t in r.all("h")] == [b"0", b"0"]


def test_dup_has_its_own(drive, server):
    """curl_easy_duphandle copies options, not connections."""
    server.default(Serve(echo))
    d = drive().easy(URL=server.url(), USERAGENT="dup/1").perform().do("dup", "h", "g").perform("g")
    r = d.run()
    assert (r["h"].body, r["g"].body) == (b"0", b"1")
    assert server.requests[1].header("User-Agent") == "dup/1"


def test_connection_is_closed_with_its_owner(drive, server, way):
    server.default(Serve(echo))
    d = drive(way).easy(URL=server.url()).perform().do("cleanup", "h").do("mcleanup", "default").do("fds").start()
    fields = d.expect("fds")
    assert int(fields[1]) <= 5 + 2  # nothing of the library's is left (the log's own, and room for its preload)
    d.end()
