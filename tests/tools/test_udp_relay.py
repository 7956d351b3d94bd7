"""The relay that harms datagrams (tests/e2e/udp_relay.py)."""
import os
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
import udp_relay  # noqa: E402


def datagrams():
    s = socket.socket(type=socket.SOCK_DGRAM)
    s.settimeout(10)
    return s


def test_more_clients_than_it_keeps():
    """An hour of connections, each with a port of its own, takes no more descriptors than a minute of them."""
    with datagrams() as server:
        server.bind(("127.0.0.1", 0))
        relay = udp_relay.Relay(server.getsockname()[1])
        for n in range(2 * udp_relay.KEPT + 100):
            with datagrams() as client:
                client.sendto(b"%d" % n, ("127.0.0.1", relay.port))
                data, way = server.recvfrom(100)
                server.sendto(data, way)
                assert client.recv(100) == b"%d" % n
        assert len(relay.backs) == len(relay.clients) == udp_relay.KEPT
        relay.close()
