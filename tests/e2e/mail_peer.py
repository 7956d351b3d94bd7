"""The servers' side of mail protocols: steps for scripts (script.py) in exact bytes."""

import ssl

from script import Gone, Read, Send, Step


class StartTls(Step):
    """Reads the command, answers, and goes on with TLS. `then`: bytes in the same packet as the answer, after which the
    client must not go on."""

    def __init__(self, command, answer, context, then=b""):
        self.command, self.answer, self.context, self.then = command, answer, context, then
        self.may_be_left = bool(then)

    def run(self, peer):
        Read(self.command).run(peer)
        peer.send(self.answer + self.then)
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


def ask(command, answer, **how):
    """A command of the client, without its line end, and the whole answer of the server."""
    return (Read(command.encode() + b"\r\n"), Send(answer, **how))


def dialogue(*lines, **how):
    """Commands and answers by turns."""
    return tuple(step for i in range(0, len(lines), 2) for step in ask(lines[i], lines[i + 1], **how))
