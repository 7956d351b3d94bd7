"""The tests' servers: a closed one takes no more connections, neither its own nor those of the next one; what waits
for one is named; a port of another process is not taken for one's own."""
import os
import socket
import struct
import sys
import threading

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.dirname(HERE), os.path.join(ROOT, "tools")]
import server  # noqa: E402
from listener import Closed, Listener, Server  # noqa: E402


def answer(connection):
    with connection:
        connection.sendall(b"x")


def ask(listener):
    with socket.create_connection(("127.0.0.1", listener.port), timeout=10) as s:
        return s.recv(1)


def test_a_closed_listener_is_gone():
    """After close() its port refuses and its thread has ended."""
    listener = Listener(answer).start()
    assert ask(listener) == b"x"
    listener.close()
    assert not listener.thread.is_alive()
    with pytest.raises(ConnectionRefusedError):
        ask(listener)


def test_closed_before_the_start():
    listener = Listener(answer)
    listener.close()
    with pytest.raises(ConnectionRefusedError):
        ask(listener)


def test_a_connection_waits_or_is_counted():
    """From the client's connect() to the end of serve(), never neither."""
    go, served = threading.Event(), threading.Event()

    def serve(connection):
        with connection:
            go.wait(20)
        served.set()
    listener = Listener(serve)
    assert listener.under_way() == 0
    with socket.create_connection(("127.0.0.1", listener.port), timeout=10):
        assert listener.under_way() is None
        listener.start()
        while listener.under_way() is None:
            pass
        assert listener.under_way() == 1
        go.set()
    assert served.wait(20)
    while listener.under_way():
        pass
    listener.close()


def test_a_server_outlives_a_client_that_leaves():
    """A connection that breaks is counted, and is no error."""
    class Echo(Server):
        def serve(self, client):
            client.sendall(client.recv(1) * 1000000)
    with Echo() as echo:
        for _ in range(2):
            with socket.create_connection(("127.0.0.1", echo.port), timeout=10) as s:
                s.sendall(b"x")
                assert s.recv(1) == b"x"
                s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        while echo.listener.under_way():
            pass
        assert echo.used == 2
    with pytest.raises(ConnectionRefusedError):
        ask(echo)


def test_a_closed_port_refuses():
    closed = Closed()
    with pytest.raises(ConnectionRefusedError):
        ask(closed)
    with pytest.raises(OSError), socket.socket() as s:
        s.bind(("127.0.0.1", closed.port))
    closed.close()


@pytest.mark.skipif(not server.NGINX, reason="no nginx")
def test_nginx_finds_its_port_taken(monkeypatch):
    """An answer there is not enough; it is started again at other ports."""
    ports = server.free_ports
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        answers = [[ports(1)[0], taken, ports(1)[0]]]
        monkeypatch.setattr(server, "free_ports", lambda n: answers.pop() if answers else ports(n))
        with server.Server() as s:
            assert s.https_port != taken and len(s.workers()) == 1
