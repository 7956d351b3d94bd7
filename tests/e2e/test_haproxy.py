"""The PROXY protocol: the line that introduces the client, once per connection, ahead of everything of the server's."""

import re

import pytest

from command_server import Say
from ftp_server import END, OPEN, QUIT, download, login, part
from mote_driver import NEWEST, not_debian
from proxies import Tunnel
from script import Call, Read, ScriptServer
from server import Expect, Reply, response
from test_ftp_proxy import Socks5


@pytest.fixture(autouse=True)
def leave_out(request):
    if NEWEST and getattr(request.node, "callspec", None) and request.node.callspec.params.get("way") == "socket":
        pytest.skip("the newest libcurl calls the socket callback with a handle that is none")


def line(lines):
    """Reads the line into the list."""
    return Call(lambda peer: lines.append(peer.until(b"\r\n")))


def test_line(drive, make_server, way):
    server, lines = make_server(), []
    server.script(line(lines), Expect(target="/"), Reply(200, b"one"), Expect(target="/"), Reply(200, b"two"))
    d = drive(way).easy(URL=server.url(), HAPROXYPROTOCOL=1).perform().getinfo("h", "LOCAL_PORT").perform()
    r = d.run()
    assert [t.body for t in r.all("h")] == [b"one", b"two"]
    port = r.all("h")[0].info["LOCAL_PORT"]
    assert lines == [b"PROXY TCP4 127.0.0.1 127.0.0.1 %d %d\r\n" % (port, server.port)]


def test_ahead_of_tls(drive, make_server, certs, way):
    lines, server = [], make_server()
    tls = make_server(tls=certs.context())
    tls.answer(response(200, b"hi"))

    class Strip(Tunnel):
        def run(self, peer):
            lines.append(peer.until(b"\r\n"))
            super(Tunnel, self).run(peer)

    server.script(Strip(tls.port))
    t = drive.get(way, URL=f"https://localhost:{server.port}/", HAPROXYPROTOCOL=1, CAINFO=certs.path("ca.pem"),
                  RESOLVE=[f"localhost:{server.port}:127.0.0.1"])
    assert (t.code, t.body) == (0, b"hi")
    assert re.fullmatch(rb"PROXY TCP4 127.0.0.1 127.0.0.1 \d+ \d+\r\n", lines[0])


def test_unix_socket(drive, make_server, tmp_path):
    server = make_server(unix=str(tmp_path / "s"))
    server.script(Read(b"PROXY UNKNOWN\r\n"), Expect(), Reply(200, b"x"))
    assert drive.get(URL="http://a.test/", UNIX_SOCKET_PATH=tmp_path / "s", HAPROXYPROTOCOL=1).body == b"x"


def test_in_a_tunnel(drive, make_server, way):
    """The server gets it, not the proxy."""
    server, lines = make_server(), []
    server.script(Call(lambda peer: peer.until(b"\r\n\r\n")), Call(lambda peer: peer.send(b"HTTP/1.1 200 ok\r\n\r\n")),
                  line(lines), Expect(target="/"), Reply(200, b"x"))
    t = drive.get(way, URL="http://a.test/", PROXY=f"127.0.0.1:{server.port}", HTTPPROXYTUNNEL=1, HAPROXYPROTOCOL=1)
    assert t.body == b"x"
    assert lines[0].startswith(b"PROXY TCP4 ")


@not_debian("the option is newer")
@pytest.mark.parametrize("address,family", [("192.0.2.7", 4), ("2001:db8::1", 6)])
def test_another_address(drive, make_server, address, family):
    server, lines = make_server(), []
    server.script(line(lines), Expect(), Reply(200, b"x"))
    assert drive.get(URL=server.url(), HAPROXY_CLIENT_IP=address).body == b"x"
    assert re.fullmatch(f"PROXY TCP{family} {address} {address} \\d+ {server.port}\r\n", lines[0].decode())


def test_no_address(drive, make_server, ours_only):
    """What would be lines of one's own."""
    ours_only("libcurl sends them")
    server = make_server()
    server.script()
    assert drive.get(URL=server.url(), HAPROXY_CLIENT_IP="1.2.3.4 1 1\r\nGET /").code == 43


def test_not_kept_for_others(drive, make_server, ours_only):
    ours_only("libcurl uses a connection again that began without the line")
    server, lines = make_server(), []
    server.script(Expect(), Reply(200, b"one"))
    server.script(line(lines), Expect(), Reply(200, b"two"))
    r = drive().easy(URL=server.url()).perform().setopt("h", HAPROXYPROTOCOL=1).perform().run()
    assert [t.body for t in r.all("h")] == [b"one", b"two"]


@not_debian("it is the line of the first connection")
@pytest.mark.parametrize("proxied", [False, True])
def test_data_connection(drive, make_server, way, proxied):
    """It has a line of its own, with its own ports, also where it goes by a proxy."""
    server, lines = make_server(cls=ScriptServer), []
    read_line = Call(lambda peer: lines.append(peer.data.makefile("rb", 0).readline()))
    server.script(line(lines), *login(), *download("f", b"hello")[:-1], OPEN, read_line, part(b"hello"), END, Say("226 done"), QUIT)
    proxy, notes = make_server(), []
    proxy.script(Socks5(notes)).script(Socks5(notes))
    proxy.optional = not proxied
    by = {"PROXY": f"socks5h://{proxy.authority}"} if proxied else {}
    t = drive.get(way, URL=f"ftp://{server.authority}/f", HAPROXYPROTOCOL=1, **by, info=("LOCAL_PORT",))
    assert (t.code, t.body) == (0, b"hello")
    ports = [re.fullmatch(rb"PROXY TCP4 127.0.0.1 127.0.0.1 (\d+) (\d+)\r\n", x).groups() for x in lines]
    assert int(ports[0][0]) == t.info["LOCAL_PORT"] and len(set(sum(ports, ()))) == (3 if proxied else 4)
