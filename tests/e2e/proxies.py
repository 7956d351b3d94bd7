"""Proxies as a step, SOCKS5 and CONNECT. They accept everything and pass bytes on to a port of this machine."""

from script import Relay


class Socks5(Relay):
    def run(self, peer):
        _, methods = peer.take(2)
        peer.take(methods)
        peer.send(b"\5\0")
        kind = peer.take(4)[3]
        peer.take({1: 4, 3: peer.take(1)[0] if kind == 3 else 0, 4: 16}[kind] + 2)
        peer.send(b"\5\0\0\1\0\0\0\0\0\0")
        super().run(peer)


class Tunnel(Relay):
    def run(self, peer):
        peer.until(b"\r\n\r\n")
        peer.send(b"HTTP/1.1 200 ok\r\nVia: p\r\n\r\n")
        super().run(peer)
