"""FTP in scripts (command_server.py): the login, the data connection that the server listens for, what goes over it."""

import socket
import ssl
import struct

from command_server import Command, Farewell, Say
from script import PATIENCE, Call, Mismatch, Step


def login(user="anonymous", password="ftp@example.com", entry="/"):
    """The steps until the server waits for what the transfer is about."""
    return [Say("220 hello"), Command(f"USER {user}", "331 password"), Command(f"PASS {password}", "230 welcome"),
            Command("PWD", f'257 "{entry}"')]


class Passive(Step):
    """Reads EPSV or PASV and listens. `host`: the address that 227 names."""

    def __init__(self, command="EPSV", host="127.0.0.1"):
        self.command, self.host = command, host

    def run(self, peer):
        peer.listener = socket.socket()
        peer.listener.settimeout(PATIENCE)
        peer.listener.bind(("127.0.0.1", 0))
        peer.listener.listen(1)
        port = peer.listener.getsockname()[1]
        if self.command == "EPSV":
            answer = f"229 Entering Extended Passive Mode (|||{port}|)"
        else:
            answer = f"227 Entering Passive Mode ({self.host.replace('.', ',')},{port >> 8},{port & 255})."
        Command(self.command, answer).run(peer)


class Active(Step):
    """Reads EPRT or PORT, whose address the data connection goes to."""

    def __init__(self, command="EPRT", answer="200 ok"):
        self.command, self.answer = command, answer

    def run(self, peer):
        line = peer.until(b"\n").decode("latin-1")
        word, _, rest = line.strip().partition(" ")
        if word != self.command:
            raise Mismatch(f"got {line!r}, expected {self.command}")
        if word == "EPRT":
            _, family, host, port, _ = rest.split("|")
            assert family == ("2" if ":" in host else "1")
        else:
            numbers = rest.split(",")
            host, port = ".".join(numbers[:4]), int(numbers[4]) * 256 + int(numbers[5])
        peer.target = (host, int(port))
        Say(self.answer).run(peer)


class Private(Step):
    """Reads what asks for TLS on data connections, which have it from then on."""

    def __init__(self, context):
        self.context = context

    def run(self, peer):
        Command("PBSZ 0", "200 ok").run(peer)
        Command("PROT P", "200 ok").run(peer)
        peer.private = self.context


def accept(peer):
    """The data connection, whichever side begins it, with its TLS."""
    data = open_data(peer)
    if getattr(peer, "private", None):
        data = peer.private.wrap_socket(data, server_side=True)
    return data


def open_data(peer):
    if getattr(peer, "target", None):
        data = socket.create_connection(peer.target, PATIENCE)
        peer.target = None
    else:
        data, _ = peer.listener.accept()
        peer.listener.close()
    data.settimeout(PATIENCE)
    return data


def lose(peer):
    """Takes some bytes of the data connection and resets it."""
    data = accept(peer)
    data.recv(1000)
    data.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    data.close()


def keep_data(peer):
    peer.data = accept(peer)


OPEN = Call(keep_data)  # the data connection, for the two that follow
END = Call(lambda peer: peer.data.close())


def part(data):
    return Call(lambda peer: peer.data.sendall(data))


class Give(Step):
    """Sends bytes on the data connection and closes it; `last` follows on the control connection."""

    def __init__(self, data, last="226 done"):
        self.data, self.last = data, last

    def run(self, peer):
        with accept(peer) as connection:
            try:
                connection.sendall(self.data)
                if isinstance(connection, ssl.SSLSocket):
                    connection.unwrap()
            except OSError:
                pass  # the client wants no more
        if self.last:
            Say(self.last).run(peer)


class Take(Step):
    """Reads what comes on the data connection until its end, which must be these bytes."""

    def __init__(self, data, last="226 done"):
        self.data, self.last = data, last

    def run(self, peer):
        got = b""
        with accept(peer) as connection:
            while more := connection.recv(65536):
                got += more
        if got != self.data:
            raise Mismatch(f"the data connection brought {got[:300]!r}, expected {self.data[:300]!r}")
        if self.last:
            Say(self.last).run(peer)


def download(name, data, size=None, last="226 done"):
    return [Passive(), Command("TYPE I", "200 binary"),
            Command(f"SIZE {name}", f"213 {len(data)}" if size is None else size), Command(f"RETR {name}", "150 here it comes"), Give(data, last)]


def upload(name, data, last="226 done"):
    return [Passive(), Command("TYPE I", "200 binary"), Command(f"STOR {name}", "150 send it"), Take(data, last)]


QUIT = Farewell("QUIT", "221 bye")
