"""The server's side of login: steps for the scripts of tests/e2e, in exact bytes (login.h)."""

import ssl

from script import Gone, Read, Send, Step


class StartTls(Step):
    """Reads STARTTLS, answers, and goes on with TLS. `then`: bytes in the same packet as the answer. `refused`: the
    client does not like what it sees."""

    def __init__(self, context, then=b"", refused=False):
        self.context, self.then, self.may_be_left = context, then, refused

    def run(self, peer):
        Read(b"STARTTLS\n").run(peer)
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


def hello(user="anonymous", password="guest", tls=None):
    """The greeting of a client that logs in."""
    upgrade = (StartTls(tls),) if tls else ()
    return (Send("HELLO\n"), *upgrade, Read(f"LOGIN {user} {password}\n".encode()), Send("OK\n"))


def get(name, size, port, *before, done="DONE\n"):
    """`before`: steps between the port and the end, which may be missing."""
    return (Read(f"SIZE {name}\n".encode()), Send(f"OK {size}\n"), Read(f"GET {name}\n".encode()),
            Send(f"PORT {port}\n"), *before, *([Send(done)] if done else []))


def put(name, port, *before, done="DONE\n"):
    return (Read(f"PUT {name}\n".encode()), Send(f"PORT {port}\n"), *before, *([Send(done)] if done else []))


# What follows the last transfer. The client waits for the answer only in the background.
QUIT = (Read(b"QUIT\n"), Send("BYE\n"))
