"""FTP by proxies: the data connection goes by the same one, which is asked for the host that the control connection
goes to, or for the address of a reply that is to be believed."""

import pytest

from command_server import Command
from ftp_server import QUIT, Give, Passive, Take, login
from mote_driver import pattern
from script import Close, Relay

FILE = pattern(50_000)


class Asked(Relay):
    """Notes what it is asked for, and passes bytes on to that port of this machine."""

    def __init__(self, notes):
        self.notes = notes

    def connect(self, peer, host, port):
        self.notes.append((host, port))
        self.port = port

    def run(self, peer):
        super().run(peer)
        Close().run(peer)


class Socks5(Asked):
    def run(self, peer):
        _, methods = peer.take(2)
        peer.take(methods)
        peer.send(b"\5\0")
        kind = peer.take(4)[3]
        host = peer.take({1: 4, 3: peer.take(1)[0] if kind == 3 else 0}[kind])
        self.connect(peer, host.decode() if kind == 3 else ".".join(map(str, host)), int.from_bytes(peer.take(2), "big"))
        peer.send(b"\5\0\0\1\0\0\0\0\0\0")
        super().run(peer)


class Tunnel(Asked):
    def run(self, peer):
        host, port = peer.until(b"\r\n\r\n").split()[1].decode().rsplit(":", 1)
        self.connect(peer, host, int(port))
        peer.send(b"HTTP/1.1 200 ok\r\n\r\n")
        super().run(peer)


KINDS = {"socks5h": Socks5, "http": Tunnel}


@pytest.fixture(params=KINDS)
def proxied(request, make_server):
    """A server, a proxy, what that was asked for, and the options that lead by it."""
    server, proxy, notes = make_server(), make_server(), []
    proxy.script(KINDS[request.param](notes)).script(KINDS[request.param](notes))
    return server, notes, {"PROXY": f"{request.param}://127.0.0.1:{proxy.port}", "HTTPPROXYTUNNEL": 1}


def passive(notes, *steps, **how):
    """The connection for the data is asked for by this host."""
    return (Passive(**how), Command("TYPE I", "200 binary"), *steps)


def test_download(drive, way, proxied):
    server, notes, options = proxied
    server.script(*login(), *passive(notes, Command("SIZE f", "213 50000"), Command("RETR f", "150 here it comes"), Give(FILE)),
                  QUIT)
    t = drive.get(way, info=("NUM_CONNECTS",), URL=f"ftp://there.invalid:{server.port}/f", **options)
    assert (t.code, t.length, t.info["NUM_CONNECTS"]) == (0, len(FILE), 2)
    assert [host for host, _ in notes] == ["there.invalid"] * 2 and notes[0][1] == server.port


def test_upload(drive, way, proxied):
    server, notes, options = proxied
    server.script(*login(), *passive(notes, Command("STOR f", "150 send it"), Take(FILE)), QUIT)
    t = drive.get(way, body=FILE, URL=f"ftp://there.invalid:{server.port}/f", UPLOAD=1, **options)
    assert t.code == 0 and [host for host, _ in notes] == ["there.invalid"] * 2


@pytest.mark.parametrize("skip,host", [(1, "there.invalid"), (0, "127.0.0.9")])
def test_address_of_a_reply(drive, proxied, skip, host):
    server, notes, options = proxied
    server.script(*login(), *passive(notes, Command("SIZE f", "213 50000"), Command("RETR f", "150 here it comes"), Give(FILE),
                                     command="PASV", host="127.0.0.9"), QUIT)
    t = drive.get(URL=f"ftp://there.invalid:{server.port}/f", FTP_USE_EPSV=0, FTP_SKIP_PASV_IP=skip, **options)
    assert (t.code, t.length) == (0, len(FILE)) and [h for h, _ in notes] == ["there.invalid", host]
