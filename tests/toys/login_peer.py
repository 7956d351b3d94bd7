"""The server's side of login: steps for the scripts of tests/e2e, in exact bytes (login.h)."""

import socket

import command_server
from script import PATIENCE, Mismatch, Peer, Read, Send, Step


class StartTls(command_server.StartTls):
    """STARTTLS. `refused`: the client does not like what it sees."""

    def __init__(self, context, then=b"", refused=False):
        super().__init__(b"STARTTLS\r\n", b"OK\n", context, then)
        self.may_be_left = refused


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
                self.peer.begin_tls(self.tls)
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


class Control:
    """A server with a control port, and one for data that gives or takes what a test says."""

    def __init__(self, make_server, certs=None, scheme="login"):
        self.scheme = scheme
        self.context = certs.context() if certs and scheme != "login" else None
        self.make = make_server
        self.server = make_server(tls=self.context if scheme == "logins" else None)
        self.upgrade = self.context if scheme == "logintls" else None
        self.options = {"CAINFO": certs.path("ca.pem")} if self.context else {}

    def url(self, name, user=""):
        return f"{self.scheme}://{user}127.0.0.1:{self.server.port}/{name}"

    def data(self, *steps):
        """A server for one data connection; its port."""
        self.last = self.make(tls=self.context)
        self.last.script(*steps)
        return self.last.port

    def hello(self, *who):
        return hello(*who, tls=self.upgrade)

    def script(self, *steps):
        self.server.script(*steps)
        return self


# What follows the last transfer. The client waits for the answer only in the background.
QUIT = (Read(b"QUIT\r\n"), Send("BYE\n"))
