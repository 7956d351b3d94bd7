"""tools/ports.py: ports that servers take by number."""
import os
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import ports  # noqa: E402


def test_no_client_gets_one():
    """A client of another program had the port between a look at it and the server's bind, mostly by datagrams."""
    assert all(ports.LOWEST <= p < ports.end_of_ours() for p in ports.free_ports(200))
    with socket.socket(type=socket.SOCK_DGRAM) as client:
        client.connect(("127.0.0.1", 9))
        assert client.getsockname()[1] >= ports.end_of_ours()


def test_one_that_is_taken_is_left_out(monkeypatch):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        first, = ports.free_ports(1)
        with socket.socket(type=kind) as taken:
            taken.bind(("127.0.0.1", first))
            monkeypatch.setattr(ports, "_next", first)
            assert ports.free_ports(1)[0] > first


def test_they_differ():
    assert len(set(ports.free_ports(300) + ports.free_ports(300))) == 600
