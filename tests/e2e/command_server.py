"""Steps of servers that are given commands in lines and answer in lines: FTP and the protocols of mail (script.py)."""

import ssl

from script import Gone, Mismatch, Read, Step


class Command(Step):
    """Reads a line, which must be this one, and answers with lines; `answer` None: with nothing."""

    def __init__(self, line, answer=None):
        self.line, self.answer = line, answer

    def run(self, peer):
        got = peer.until(b"\n")
        wanted = self.line.encode("latin-1") + b"\r\n"
        if got != wanted:
            raise Mismatch(f"connection {peer.number}: got {got!r}, expected {wanted!r}")
        say(peer, self.answer)


class Farewell(Command):
    """The client's last line. It may be gone before the answer."""

    def run(self, peer):
        Command(self.line).run(peer)
        try:
            say(peer, self.answer)
        except Gone:
            pass


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
        try:
            peer.begin_tls(self.context)
        except (OSError, ssl.SSLError) as error:
            peer.tls_error = str(error)
            peer.ended = "client"
            raise Gone from None


class Say(Step):
    """Says lines without being asked."""

    may_be_left = True

    def __init__(self, *lines):
        self.lines = lines

    def run(self, peer):
        for line in self.lines:
            say(peer, line)


def say(peer, text):
    if text is not None:
        peer.send(text.replace("\n", "\r\n").encode("latin-1") + b"\r\n")
