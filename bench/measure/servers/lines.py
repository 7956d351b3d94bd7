"""Servers for the figures that speak in lines: FTP (passive and active), IMAP, POP3 and SMTP, without TLS. They take any
login, and have one document of so many bytes: small, mb1 or mb11. Each reply leaves in one segment, so that what a client
does is the same in each run."""
import re
import socket

import listener

MB = 1 << 20
SMALL = 4096  # bytes that a socket takes before the client reads
DOCUMENTS = {"small": b"hello world\n", "mb1": MB, "mb11": 11 * MB}
LINE = b"A line of text, as mails have them, which is seventy-eight bytes long, its end ...\r\n"


def document(name):
    """Bytes of a document. Those of a megabyte are lines, none of which begins with a dot."""
    size = DOCUMENTS[name]
    if isinstance(size, bytes):
        return size
    return (LINE * (size // len(LINE) + 1))[:size - 2] + b"\r\n"


class Server(listener.Server):
    """Speaks `protocol`: ftp, imap, pop3 or smtp, the last as it is or pipelined."""

    backlog = 2000

    def __init__(self, protocol, pipelined=False):
        super().__init__()
        self.url = f"{protocol}://127.0.0.1:{self.port}"
        self.session = {"ftp": Ftp, "imap": Imap, "pop3": Pop3, "smtp": Pipelined if pipelined else Smtp}[protocol]

    def serve(self, client):
        self.session(client).run()


class Session:
    """One connection. A command VERB is answered by do_verb(rest), which returns the reply, or else with what `replies`
    says."""

    greeting, unknown = "", "500 what?\r\n"
    replies = {}

    def __init__(self, client):
        self.client, self.lines = client, client.makefile("rb", 65536)

    def say(self, text):
        self.client.sendall(text if isinstance(text, bytes) else text.encode())

    def run(self):
        self.say(self.greeting)
        for line in self.lines:
            word, _, rest = line.decode().rstrip("\r\n").partition(" ")
            reply = self.answer(word, rest)
            if reply:
                self.say(reply)
            if word == "QUIT":
                return

    def answer(self, word, rest):
        do = getattr(self, "do_" + word.lower(), None)
        return do(rest) if do else self.replies.get(word, self.unknown)


class Ftp(Session):
    greeting = "220 ready\r\n"
    replies = {"USER": "331 password\r\n", "PASS": "230 in\r\n", "PWD": '257 "/" is it\r\n', "CWD": "250 there\r\n",
               "TYPE": "200 that\r\n", "QUIT": "221 bye\r\n"}
    listener = None
    peer = None

    def do_size(self, name):
        return f"213 {len(document(name))}\r\n"

    def do_epsv(self, _):
        self.listener = socket.create_server(("127.0.0.1", 0))
        return f"229 here (|||{self.listener.getsockname()[1]}|)\r\n"

    def do_eprt(self, text):
        self.peer = ("127.0.0.1", int(text.split("|")[3]))
        return "200 there\r\n"

    def do_port(self, text):
        high, low = text.split(",")[-2:]
        self.peer = ("127.0.0.1", int(high) * 256 + int(low))
        return "200 there\r\n"

    def data(self):
        if self.peer:
            there, self.peer = self.peer, None
            return socket.create_connection(there)
        with self.listener:
            return self.listener.accept()[0]

    def send(self, content):
        """The data come first, and both replies in one segment, so that the client never finds half of them there."""
        with self.data() as data:
            if len(content) < SMALL:
                data.sendall(content)
                return "150 it comes\r\n226 all of it\r\n"
            self.say("150 it comes\r\n")
            data.sendall(content)
        return "226 all of it\r\n"

    def do_retr(self, name):
        return self.send(document(name))

    def do_list(self, _):
        return self.send(b"-rw-r--r-- 1 me me 12 Jan  1  2026 small\r\n")

    def do_stor(self, _):
        self.say("150 go on\r\n")
        with self.data() as data:
            while data.recv(65536):
                pass
        return "226 all of it\r\n"


class Imap(Session):
    greeting, unknown = "* OK ready\r\n", ""
    replies = {"CAPABILITY": "* CAPABILITY IMAP4rev1\r\n", "LIST": '* LIST () "/" INBOX\r\n',
               "SELECT": "* 1 EXISTS\r\n* OK [UIDVALIDITY 1] valid\r\n", "LOGOUT": "* BYE\r\n"}

    def answer(self, word, rest):
        """The word is the tag."""
        before = super().answer(*rest.partition(" ")[::2])
        return (before if isinstance(before, bytes) else before.encode()) + f"{word} OK done\r\n".encode()

    def do_fetch(self, _):
        content = document("mb1")
        return b"* 1 FETCH (BODY[] {%d}\r\n%s)\r\n" % (len(content), content)

    def do_append(self, rest):
        self.say("+ go on\r\n")
        self.lines.read(int(re.search(r"\{(\d+)\}$", rest).group(1)) + 2)
        return ""


class Pop3(Session):
    greeting, unknown = "+OK ready\r\n", "+OK\r\n"
    replies = {"CAPA": "+OK\r\nUSER\r\n.\r\n", "LIST": f"+OK\r\n1 {MB}\r\n.\r\n"}

    def do_retr(self, _):
        return b"+OK\r\n" + document("mb1") + b".\r\n"


class Smtp(Session):
    greeting, unknown = "220 ready\r\n", "250 good\r\n"
    replies = {"EHLO": "250-here\r\n250 SIZE\r\n", "QUIT": "221 bye\r\n"}

    def do_data(self, _):
        self.say("354 go on\r\n")
        for line in self.lines:
            if line == b".\r\n":
                break
        return "250 taken\r\n"


class Pipelined(Smtp):
    """Answers what came in one segment in one (RFC 2920). Its mails are shorter than a segment."""

    replies = {**Smtp.replies, "EHLO": "250-here\r\n250-PIPELINING\r\n250 SIZE\r\n"}
    inside = False

    def run(self):
        self.say(self.greeting)
        while data := self.client.recv(65536):
            if self.inside:
                self.inside = not data.endswith(b".\r\n")
                self.say("" if self.inside else "250 taken\r\n")
            else:
                self.say("".join(self.answer(*line.partition(" ")[::2]) for line in data.decode().splitlines()))

    def do_data(self, _):
        self.inside = True
        return "354 go on\r\n"
