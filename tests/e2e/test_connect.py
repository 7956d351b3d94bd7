"""Connecting: refusals, unix sockets, local ends, the socket callbacks, CONNECT_ONLY."""

import os
import random
import socket

import pytest

from mote_driver import not_debian
from server import Expect, Read, Reply, Send, UntilClose, response

BAD_SOCKET = -1


def test_refused(drive, closed_port, way):
    t = drive.get(way, URL=f"http://127.0.0.1:{closed_port}/", info=("OS_ERRNO", "NUM_CONNECTS", "RESPONSE_CODE"))
    assert t.code == 7
    assert "127.0.0.1" in t.error and str(closed_port) in t.error
    assert t.info["RESPONSE_CODE"] == 0


def test_refused_then_fine(drive, closed_port, server, way):
    server.answer(response(200, b"x"))
    d = drive(way).easy(URL=f"http://127.0.0.1:{closed_port}/").perform().setopt("h", URL=server.url()).perform()
    assert [t.code for t in d.run().all("h")] == [7, 0]


def test_connect_timeout(drive, full_port, way):
    t = drive.get(way, URL=f"http://127.0.0.1:{full_port}/", CONNECTTIMEOUT_MS=150)
    assert t.code == 28
    assert t.error


def test_total_timeout_while_connecting(drive, full_port, way):
    assert drive.get(way, URL=f"http://127.0.0.1:{full_port}/", TIMEOUT_MS=150).code == 28


@pytest.mark.parametrize("address", ["[::1]", "127.0.0.2"], ids=["two families", "one"])
def test_no_busy_loop_in_a_handshake_after_a_race(drive, multi_way, address):
    """The name has two addresses. When the second one's turn comes, the first has connected, and its handshake waits."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        d = drive(multi_way).easy("h", URL=f"https://localhost:{port}/", RESOLVE=[f"localhost:{port}:127.0.0.1,{address}"],
                                  HAPPY_EYEBALLS_TIMEOUT_MS=100, CONNECTTIMEOUT_MS=600).do("add", "m", "h")
        r = d.do("drive", "m", "all").run()
    assert r["h"].code == 28 and r.of("loops", "m", "all")[0][0] < 100


def test_infos(drive, server, way):
    server.answer(response(200, b"x"))
    t = drive.get(way, URL=server.url(), info=("PRIMARY_IP", "PRIMARY_PORT", "LOCAL_IP", "LOCAL_PORT"))
    assert t.info["PRIMARY_IP"] == t.info["LOCAL_IP"] == "127.0.0.1"
    assert t.info["PRIMARY_PORT"] == server.port
    assert t.info["LOCAL_PORT"] == server.connections[0].address[1]


# ---------------------------------------------------------------- unix sockets

def test_unix_socket(drive, make_server, tmp_path, way):
    server = make_server(unix=str(tmp_path / "sock"))
    server.script(Expect(has={"Host": "some.host"}), Reply(200, b"unix"), Expect(), Reply(200, b"again"))
    d = drive(way).easy(URL="http://some.host/", UNIX_SOCKET_PATH=str(tmp_path / "sock")).perform().perform()
    assert [t.body for t in d.run().all("h")] == [b"unix", b"again"]


def test_abstract_unix_socket(drive, make_server, way):
    name = f"mote-e2e-{os.getpid()}-{way}"
    server = make_server(unix="\0" + name)
    server.answer(response(200, b"abstract"))
    t = drive.get(way, URL="http://some.host/", ABSTRACT_UNIX_SOCKET=name)
    assert (t.code, t.body) == (0, b"abstract")


def test_unix_socket_not_there(drive, tmp_path, way):
    t = drive.get(way, URL="http://h/", UNIX_SOCKET_PATH=str(tmp_path / "nothing"))
    assert t.code == 7
    assert t.error


def test_unix_socket_path_too_long(drive, tmp_path, way):
    t = drive.get(way, URL="http://h/", UNIX_SOCKET_PATH="/" + "x" * 200)
    assert t.code in (6, 7)
    assert t.error


def test_unix_socket_tls(drive, make_server, certs, tmp_path, way):
    server = make_server(unix=str(tmp_path / "tls"), tls=certs.context())
    server.answer(response(200, b"both"))
    t = drive.get(way, URL="https://localhost/", UNIX_SOCKET_PATH=str(tmp_path / "tls"), CAINFO=certs.path("ca.pem"))
    assert (t.code, t.body) == (0, b"both")


# ---------------------------------------------------------------- the local end

@pytest.mark.parametrize("interface", ["127.0.0.1", "host!127.0.0.1", "lo", "if!lo"])
def test_interface(drive, server, interface):
    server.answer(response(200, b"x"))
    t = drive.get(URL=server.url(), INTERFACE=interface)
    if "lo" in interface and t.code == 45:
        pytest.skip("binding to a device is not allowed here")
    assert (t.code, t.body) == (0, b"x")


def test_interface_other_address(drive, server):
    server.answer(response(200, b"x"))
    t = drive.get(URL=server.url(), INTERFACE="127.0.0.5", info=("LOCAL_IP",))
    assert (t.code, t.info["LOCAL_IP"]) == (0, "127.0.0.5")
    assert server.connections[0].address[0] == "127.0.0.5"


@pytest.mark.parametrize("interface", ["if!nothere0", "192.0.2.77"])
def test_interface_bad(drive, server, interface):
    t = drive.get(URL=server.url(), INTERFACE=interface, TIMEOUT=15)
    assert t.code == 45
    assert t.error


def test_localport_range(drive, server):
    server.answer(response(200, b"x"))
    t = drive.get(URL=server.url(), LOCALPORT=42000, LOCALPORTRANGE=2000, info=("LOCAL_PORT",))
    assert t.code == 0
    assert 42000 <= t.info["LOCAL_PORT"] < 44000


def test_localport_taken(drive, server):
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    taken.listen()
    t = drive.get(URL=server.url(), LOCALPORT=taken.getsockname()[1], INTERFACE="127.0.0.1")
    taken.close()
    assert t.code == 45
    assert t.error


def test_localport_range_steps_over_a_taken_one(drive, server):
    """Anywhere: a port that was used waits for a minute, and torture repeats this many times."""
    server.answer(response(200, b"x"))
    for base in random.sample(range(44000, 48000, 50), 80):
        taken = socket.socket()
        try:
            taken.bind(("127.0.0.1", base))
            taken.listen()
            break
        except OSError:
            taken.close()
    t = drive.get(URL=server.url(), LOCALPORT=base, LOCALPORTRANGE=40, INTERFACE="127.0.0.1", info=("LOCAL_PORT",))
    taken.close()
    assert t.code == 0
    assert base < t.info["LOCAL_PORT"] < base + 40


@pytest.mark.parametrize("options", [{"TCP_NODELAY": 0}, {"TCP_KEEPALIVE": 1, "TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5},
                                     {"TCP_FASTOPEN": 0}])
def test_socket_options(drive, server, options):
    server.answer(response(200, b"x"))
    assert drive.get(URL=server.url(), **options).code == 0


# ---------------------------------------------------------------- callbacks

def test_socket_callbacks(drive, server, way):
    """opensocket, sockopt, prereq once each; closesocket for the socket that was opened."""
    server.answer(response(200, b"x"), response(200, b"y"))
    d = drive(way).easy(URL=server.url()).enable("h", "opensocket", "closesocket", "sockopt", "prereq").perform().perform()
    d.do("cleanup", "h").do("mcleanup", "default")
    r = d.run()
    assert [t.code for t in r.all("h")] == [0, 0]
    assert r.of("opensocket", "h") == [[0, int(socket.AF_INET), 1, "127.0.0.1"]]
    assert r.of("sockopt", "h") == [["", 0]]
    ips = r.of("prereq", "h")
    assert len(ips) == 2 and ips[0] == ips[1]
    assert ips[0][:3] == ["127.0.0.1", "127.0.0.1", server.port]
    assert ips[0][3] == server.connections[0].address[1]


def test_closesocket_called(drive, server, way):
    server.script(Expect(), Send(response(200, b"x", ["Connection: close"])))
    d = drive(way).easy(URL=server.url()).enable("h", "closesocket").perform()
    assert d.run().of("closesocket", "h") == [["", 0]]


def test_opensocket_refuses(drive, server, way):
    t = drive.get(way, URL=server.url(), enable=["opensocket"], on=[("opensocket", "every", 0, "return", BAD_SOCKET)])
    assert t.code == 7


def test_sockopt_aborts(drive, server, way):
    server.optional = True
    server.default(UntilClose())
    t = drive.get(way, URL=server.url(), enable=["sockopt"], on=[("sockopt", "every", 0, "return", 1)])
    assert t.code == 42


def test_prereq_aborts(drive, server, way):
    server.script(UntilClose())
    t = drive.get(way, URL=server.url(), enable=["prereq"], on=[("prereq", "call", 1, "return", 1)])
    assert t.code == 42
    server.settle()
    assert server.connections and not server.requests


# ---------------------------------------------------------------- CONNECT_ONLY

def test_connect_only_asks_prereq(drive, server, way):
    """There is no request, and still the connection can be refused."""
    server.script(UntilClose())
    t = drive.get(way, URL=server.url(), CONNECT_ONLY=1, enable=["prereq"], on=[("prereq", "call", 1, "return", 1)])
    assert t.code == 42


@not_debian("the length of the body is reported")
def test_connect_only_announces_no_body(drive, server):
    server.script(UntilClose())
    t = drive.get(URL=server.url(), CONNECT_ONLY=1, POSTFIELDS="abc", enable=["xferinfo"])
    assert (t.code, t.progress) == (0, (0, 0, 0, 0))


@pytest.mark.parametrize("tls", [False, True])
def test_connect_only(drive, make_server, certs, tls):
    server = make_server(tls=certs.context() if tls else None)
    server.script(Read(b"ping"), Send(b"pong" * 1000), Read(b"bye"), Send(b"!"))
    d = drive().easy(URL=server.url(), CONNECT_ONLY=1, CAINFO=certs.path("ca.pem")).perform().getinfo("h", "ACTIVESOCKET")
    d.do("recv", "h", 0).do("send", "h", "ping").do("recv", "h", 4000).do("send", "h", "bye").do("recv", "h", 1)
    r = d.run()
    assert r["h"].code == 0
    assert r.infos["h"]["ACTIVESOCKET"] > 2
    assert [f[0] for f in r.of("received", "h")] == [81, 0, 0]
    assert [str(f[1]) for f in r.of("received", "h")] == ["", "pong" * 1000, "!"]
    assert [f[-1] for f in r.of("sent", "h")] == [4, 3]


def test_connect_only_in_a_multi(drive, server, multi_way):
    """It is done when it is connected; nothing is sent."""
    server.script(UntilClose())
    d = drive(multi_way).easy(URL=server.url(), CONNECT_ONLY=1).do("add", "m", "h").do("drive", "m", "done", "h")
    assert d.run()["h"].code == 0
    server.settle()
    assert server.connections[0].received == b""


def test_connect_only_peer_closes(drive, server):
    from server import Close
    server.script(Read(b"x"), Close())
    d = drive().easy(URL=server.url(), CONNECT_ONLY=1).perform().do("send", "h", "x").do("recv", "h", 10)
    r = d.run()
    assert r.of("received", "h") == [[0, ""]]


def test_send_without_connect_only(drive, server):
    server.answer(response(200, b"x"))
    r = drive().easy(URL=server.url()).perform().do("send", "h", "x").do("recv", "h", 0).run()
    assert r.code("sent", "h") == -1
    assert r.of("received", "h")[0][0] == 1


def test_connect_only_is_not_shared(drive, server):
    """A CONNECT_ONLY connection belongs to its handle alone."""
    server.script(UntilClose())
    server.answer(response(200, b"own"))
    d = drive().easy(URL=server.url(), CONNECT_ONLY=1).perform().setopt("h", CONNECT_ONLY=0).perform()
    assert [(t.code, t.body) for t in d.run().all("h")] == [(0, b""), (0, b"own")]


# ---------------------------------------------------------------- proxies

@pytest.mark.parametrize("options", [{"PROXY": "http://127.0.0.1:{port}"}, {"PROXY": "socks5://127.0.0.1:{port}"},
                                     {"PRE_PROXY": "socks5://127.0.0.1:{port}"}])
def test_proxy_is_never_skipped(drive, server, closed_port, options):
    """A proxy that applies and cannot be reached, or is not built in, is not passed by."""
    options = {k: v.format(port=closed_port) for k, v in options.items()}
    t = drive.get(URL=server.url(), **options)
    assert t.code != 0
    assert not server.connections
    assert t.error


@pytest.mark.parametrize("name", ["http_proxy", "all_proxy", "ALL_PROXY"])
def test_environment_proxy_is_never_skipped(drive, server, closed_port, name):
    t = drive.get(URL=server.url(), env={name: f"http://127.0.0.1:{closed_port}"})
    assert t.code != 0
    assert not server.connections


@pytest.mark.parametrize("env,options", [({"HTTP_PROXY": "X"}, {}), ({"https_proxy": "X"}, {}),
                                         ({"http_proxy": "X", "no_proxy": "127.0.0.1"}, {}),
                                         ({"http_proxy": "X", "NO_PROXY": "*"}, {}),
                                         ({"http_proxy": "X"}, {"PROXY": ""}), ({"http_proxy": "X"}, {"NOPROXY": "*"})])
def test_proxy_that_does_not_apply(drive, server, closed_port, env, options):
    server.answer(response(200, b"direct"))
    env = {k: v.replace("X", f"http://127.0.0.1:{closed_port}") for k, v in env.items()}
    t = drive.get(URL=server.url(), env=env, **options)
    assert (t.code, t.body) == (0, b"direct")
