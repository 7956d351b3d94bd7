"""A test's server that is closed takes no more connections: neither its own nor those of the next one."""
import os
import socket
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from listener import Listener  # noqa: E402


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
