"""The server's side of login: steps for the scripts of tests/e2e, in exact bytes (login.h)."""

import socket
import ssl

from script import PATIENCE, Gone, Mismatch, Peer, Read, Send, Step


class StartTls(Step):
    """Reads STARTTLS, answers, and goes on with TLS. `then`: bytes in the same packet as the answer. `refused`: the
    client does not like what it sees."""

    def __init__(self, context, then=b"", refused=False):
        self.context, self.then, self.may_be_left = context, then, refused

    def run(self, peer):
        Read(b"STARTTLS\r\n").run(peer)
        peer.send(b"OK\n" + self.then)
        if self.then:
            return
        raw = peer.sock
        peer.sock = self.context.wrap_socket(raw, server_side=True, do_handshake_on_connect=False)
        try:
            peer.sock.do_handshake()
        except (OSError, ssl.SSLError) as error:
            peer.tls_error = str(error)
            peer.ended = "client"
            raise Gone from None
        peer.tls_reused = peer.sock.session_reused


class Called(Step):
    """Reads where the client waits for the data connection, which CallBack begins. `ports`: what it may be."""

    def __init__(self, address="127.0.0.1", ports=range(1, 65536), answer="OK\n"):
        self.address, self.ports, self.answer = address, ports, answer

    def run(self, peer):
        line = peer.until(b"\r\n").decode("latin-1").split()
        if len(line) != 3 or line[:2] != ["CALL", self.address] or int(line[2]) not in self.ports:
            raise Mismatch(f"got {line}")
        peer.call = (self.address, int(line[2]))
        peer.send(self.answer.encode())


class CallBack(Step):
    """Begins the data connection, from this address, and does these steps on it. `to`: in the place of the address that
    the client has named."""

    def __init__(self, *steps, source="127.0.0.1", tls=None, to=None):
        self.steps, self.source, self.tls, self.to, self.peer = steps, source, tls, to, None

    def run(self, peer):
        sock = socket.create_connection((self.to or peer.call[0], peer.call[1]), PATIENCE, (self.source, 0))
        self.peer = Peer(peer.server, peer.number, sock, peer.call)
        try:
            if self.tls:
                self.peer.sock = self.tls.wrap_socket(sock, server_side=True)
                self.peer.tls_reused = self.peer.sock.session_reused
            for step in self.steps:
                step.run(self.peer)
        finally:
            self.peer.finish(notify=True)


def hello(user="anonymous", password="guest", tls=None):
    """The greeting of a client that logs in."""
    upgrade = (StartTls(tls),) if tls else ()
    return (Send("HELLO\n"), *upgrade, Read(f"LOGIN {user} {password}\r\n".encode()), Send("OK\n"))


def get(name, size, port, *before, done="DONE\n"):
    """`before`: steps between the port and the end, which may be missing."""
    return (Read(f"SIZE {name}\r\n".encode()), Send(f"OK {size}\n"), Read(f"GET {name}\r\n".encode()),
            Send(f"PORT {port}\n"), *before, *([Send(done)] if done else []))


def put(name, port, *before, done="DONE\n"):
    return (Read(f"PUT {name}\r\n".encode()), Send(f"PORT {port}\n"), *before, *([Send(done)] if done else []))


def get_active(name, size, *steps, ahead=(), called=None):
    """`ahead`: steps before the client may know that its command is accepted."""
    return (Read(f"SIZE {name}\r\n".encode()), Send(f"OK {size}\n"), called or Called(), Read(f"GET {name}\r\n".encode()),
            *ahead, Send("GO\n"), *steps)


# What follows the last transfer. The client waits for the answer only in the background.
QUIT = (Read(b"QUIT\r\n"), Send("BYE\n"))
