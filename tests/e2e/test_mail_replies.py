"""What each reply to each command of SMTP, IMAP and POP3 leads to. What is expected was watched on the newest libcurl."""

import pytest

from mote_driver import not_debian
from script import Close, Gone, ScriptServer, Step

MAIL = b"Subject: x\r\n\r\none\r\n"
SENDS = {"MAIL_FROM": "<a@b>", "MAIL_RCPT": ["<c@d>"], "UPLOAD": 1}
LOGIN = {"USERNAME": "u", "PASSWORD": "p"}
TRY, ALL = {"USE_SSL": 1}, {"USE_SSL": 3}
LISTS = {"LOGIN_OPTIONS": "AUTH=*"}
APPENDS = {"UPLOAD": 1, "INFILESIZE": len(MAIL)}


class Talker(Step):
    """A server that answers everything well but for one command; after what it says there it may close."""

    may_be_left = True

    def __init__(self, at, reply):
        self.at, self.reply = at, reply

    def run(self, peer):
        self.peer, self.tag = peer, ""
        try:
            self.say("banner", self.banner)
            while not self.serve(peer.until(b"\n").decode("latin-1").rstrip("\r\n")):
                pass
        except Gone:
            Close().run(peer)
        peer.buffer = b""

    def say(self, name, good):
        """Says what is good, or what is tried at this place, "%t" being IMAP's tag."""
        text = self.reply if name == self.at else good
        self.peer.send(text.replace("%t", self.tag).encode() + b"\r\n")
        if text.endswith("!") or (name in ("STARTTLS", "STLS") and text.startswith(("220", "%t OK", "+OK"))):
            raise Gone  # instead of TLS
        return text


class Smtp(Talker):
    scheme = "smtp"
    banner = "220 x"
    wait = None

    def serve(self, line):
        word = self.wait or line.split(" ")[0]
        self.wait = None
        good = {"EHLO": "250-x\r\n250-AUTH PLAIN\r\n250-STARTTLS\r\n250 x", "AUTH": "334 ", "data": "235 x", "DATA": "354 x",
                "QUIT": "221 x"}.get(word, "250 x")
        said = self.say(word, good)
        if word == "AUTH" and said[:3] == "334":
            self.wait = "data"
        if word == "DATA" and said[:3] == "354":
            self.peer.until(b"\r\n.\r\n")
            self.say("mail", "250 x")
        return word == "QUIT"


class Pop3(Talker):
    scheme = "pop3"
    banner = "+OK <a@b>"
    wait = None
    capa = "USER"

    def serve(self, line):
        word = self.wait or line.split(" ")[0]
        self.wait = None
        good = {"CAPA": f"+OK\r\nSTLS\r\n{self.capa}\r\n.", "AUTH": "+ ", "RETR": "+OK\r\nx\r\n.", "LIST": "+OK\r\n1 2\r\n."}.get(word, "+OK")
        if word == "AUTH" and self.say(word, good)[:2] == "+ ":
            self.wait = "data"
        elif word != "AUTH":
            self.say(word, good)
        return word == "QUIT"


class Imap(Talker):
    scheme = "imap"
    banner = "* OK x"
    capa = ""
    wait = None

    def serve(self, line):
        if self.wait:
            self.say(self.wait, "%t OK x")
            self.wait = None
            return False
        self.tag, word = (line + " ").split(" ")[:2]
        good = {"CAPABILITY": f"* CAPABILITY STARTTLS {self.capa}\r\n", "UID": "* 1 FETCH (BODY[] {3}\r\nx\r\n)\r\n",
                "LIST": '* LIST () "/" a\r\n'}.get(word, "") + "%t OK x"
        said = self.say(word, "+ " if word in ("AUTHENTICATE", "APPEND") else good)
        if word == "AUTHENTICATE" and said[0] == "+":
            self.wait = "data"
        if word == "APPEND" and said[0] == "+":
            self.peer.take(len(MAIL) + 2)
            self.say("mail", "%t OK x")
        return word == "LOGOUT"


def talker(kind, **how):
    return type(kind.__name__, (kind,), how)


# What is said in the place of a good reply; "!": and then the server closes.
SMTP = ("220 x", "235 x", "250 x", "251 x", "252 x", "334 x", "334 ", "354 x", "421 x", "421 x!", "450 x", "500 x",
        "503 x", "535 x", "550 x", "553 x", "100 x", "999 x", "2!", "x!", "25!", "250-x!")
IMAP = ("%t OK x", "%t NO x", "%t BAD x", "%t BYE x", "%t PREAUTH x", "* BYE x!", "* BAD x!", "x!", "A999 OK x!",
        "%tOK!", "%t!")
BANNERS = ("* OK", "* PREAUTH x", "* NO x", "* BAD x", "* BYE x", "* BYE x!", "x!", "OK!")
POP3 = ("+OK", "+OK x", "-ERR", "-ERR x", "ok!", "x!")
POP3_LISTS = ("-ERR", "-ERR x", "ok!", "x!")

# The server, what it says, at which command, the URL's path, options, and the codes in the order of the replies.
CASES = [
    (Smtp, SMTP, "banner", "h", SENDS,
     "0 0 0 0 0 8 8 8 8 8 8 8 8 8 8 8 8 8 56 56 56 56"),
    (Smtp, SMTP, "EHLO", "h", SENDS,
     "0 0 0 0 0 0 0 0 0 56 0 0 0 0 0 0 0 0 56 56 56 56"),
    (Smtp, SMTP, "EHLO", "h", {**SENDS, **ALL},
     "64 64 64 64 64 9 9 9 9 9 9 9 9 9 9 9 9 9 56 56 56 56"),
    (Smtp, SMTP, "STARTTLS", "h", {**SENDS, **TRY},
     "35 0 0 0 0 0 0 0 0 56 0 0 0 0 0 0 0 0 56 56 56 56"),
    (Smtp, SMTP, "STARTTLS", "h", {**SENDS, **ALL},
     "35 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 56 56 56 56"),
    (Smtp, SMTP, "AUTH", "h", {**SENDS, **LOGIN},
     "67 67 67 67 67 0 0 67 67 67 67 67 67 67 67 67 67 67 56 56 56 56"),
    (Smtp, SMTP, "data", "h", {**SENDS, **LOGIN},
     "67 0 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 56 56 56 56"),
    (Smtp, SMTP, "AUTH", "h", {**SENDS, **LOGIN, "SASL_IR": 1},
     "67 0 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 67 56 56 56 56"),
    (Smtp, SMTP, "MAIL", "h", SENDS,
     "0 0 0 0 0 55 55 55 55 55 55 55 55 55 55 55 55 55 56 56 56 56"),
    (Smtp, SMTP, "RCPT", "h", SENDS,
     "0 0 0 0 0 55 55 55 55 55 55 55 55 55 55 55 55 55 56 56 56 56"),
    (Smtp, SMTP, "RCPT", "h", {**SENDS, "MAIL_RCPT_ALLOWFAILS": 1},
     "0 0 0 0 0 55 55 55 55 55 55 55 55 55 55 55 55 55 56 56 56 56"),
    (Smtp, SMTP, "DATA", "h", SENDS,
     "55 55 55 55 55 55 55 0 55 55 55 55 55 55 55 55 55 55 56 56 56 56"),
    (Smtp, SMTP, "mail", "h", SENDS,
     "8 8 0 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 56 56 56 56"),
    (Smtp, SMTP, "QUIT", "h", SENDS,
     "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"),
    (Smtp, SMTP, "HELP", "h", {},
     "0 0 0 0 0 8 8 8 8 8 8 8 8 8 8 8 8 8 56 56 56 56"),
    (Smtp, SMTP, "VRFY", "h", {"MAIL_RCPT": ["a"]},
     "0 0 0 0 0 8 8 8 8 8 8 8 8 8 8 0 8 8 56 56 56 56"),
    (Smtp, SMTP, "EXPN", "h", {"MAIL_RCPT": ["a"], "CUSTOMREQUEST": "EXPN"},
     "0 0 0 0 0 8 8 8 8 8 8 8 8 8 8 0 8 8 56 56 56 56"),
    (Smtp, SMTP, "NOOP", "h", {"CUSTOMREQUEST": "NOOP"},
     "0 0 0 0 0 8 8 8 8 8 8 8 8 8 8 8 8 8 56 56 56 56"),
    (Imap, IMAP, "CAPABILITY", "a;UID=1", LOGIN,
     "0 0 0 0 0 56 56 56 56 56 56"),
    (Imap, IMAP, "STARTTLS", "a;UID=1", {**LOGIN, **TRY},
     "35 0 0 0 0 56 56 56 56 56 56"),
    (Imap, IMAP, "STARTTLS", "a;UID=1", {**LOGIN, **ALL},
     "35 64 64 64 64 56 56 56 56 56 56"),
    (Imap, IMAP, "LOGIN", "a;UID=1", LOGIN,
     "0 67 67 67 67 56 56 56 56 56 56"),
    (Imap, IMAP, "SELECT", "a;UID=1", LOGIN,
     "0 67 67 67 67 56 56 56 56 56 56"),
    (Imap, IMAP, "UID", "a;UID=1", LOGIN,
     "78 78 78 78 78 56 56 56 56 56 56"),
    (Imap, IMAP, "LOGOUT", "a;UID=1", LOGIN,
     "0 0 0 0 0 0 0 0 0 0 0"),
    (Imap, IMAP, "LIST", "", LOGIN,
     "0 21 21 21 21 56 56 56 56 56 56"),
    (Imap, IMAP, "NOOP", "", {**LOGIN, "CUSTOMREQUEST": "NOOP"},
     "0 21 21 21 21 56 56 56 56 56 56"),
    (Imap, IMAP, "APPEND", "a", {**LOGIN, **APPENDS},
     "25 25 25 25 25 56 56 56 56 56 56"),
    (Imap, IMAP, "mail", "a", {**LOGIN, **APPENDS},
     "0 25 25 25 25 56 56 56 56 56 56"),
    (talker(Imap, capa="AUTH=PLAIN"), IMAP, "AUTHENTICATE", "", LOGIN,
     "67 67 67 67 67 56 56 56 56 56 56"),
    (talker(Imap, capa="AUTH=PLAIN"), IMAP, "data", "", LOGIN,
     "0 67 67 67 67 56 56 56 56 56 56"),
    (Imap, BANNERS, "banner", "", LOGIN,
     "0 0 8 8 8 8 56 56"),
    (Pop3, POP3, "banner", "1", LOGIN,
     "0 0 8 8 56 56"),
    (Pop3, POP3_LISTS, "CAPA", "1", LOGIN,
     "0 0 56 56"),
    (Pop3, POP3, "STLS", "1", {**LOGIN, **TRY},
     "35 35 0 0 56 56"),
    (Pop3, POP3, "STLS", "1", {**LOGIN, **ALL},
     "35 35 64 64 56 56"),
    (Pop3, POP3, "USER", "1", {**LOGIN, **LISTS},
     "0 0 0 0 0 0"),
    (Pop3, POP3, "PASS", "1", {**LOGIN, **LISTS},
     "0 0 0 0 0 0"),
    (Pop3, POP3, "APOP", "1", LOGIN,
     "0 0 67 67 56 56"),
    (Pop3, POP3_LISTS, "RETR", "1", LOGIN,
     "8 8 56 56"),
    (Pop3, POP3, "QUIT", "1", LOGIN,
     "0 0 0 0 0 0"),
    (Pop3, POP3_LISTS, "LIST", "", LOGIN,
     "8 8 56 56"),
    pytest.param(Pop3, POP3, "NOOP", "", {**LOGIN, "CUSTOMREQUEST": "NOOP"},
                 "0 0 8 8 56 56", marks=not_debian("a list is waited for")),
    (Pop3, POP3_LISTS, "UIDL", "", {**LOGIN, "CUSTOMREQUEST": "UIDL"},
     "8 8 56 56"),
    (talker(Pop3, capa="SASL PLAIN"), POP3, "AUTH", "1", LOGIN,
     "67 67 67 67 56 56"),
    (talker(Pop3, capa="SASL PLAIN"), POP3, "data", "1", LOGIN,
     "0 0 67 67 56 56"),
]


@pytest.mark.parametrize("kind, replies, at, path, options, codes", CASES)
def test_each_reply_to_each_command(drive, make_server, certs, kind, replies, at, path, options, codes):
    """Transfers with a connection each, in one run of the driver."""
    server, d = make_server(cls=ScriptServer), drive()
    for i, reply in enumerate(replies):
        server.script(kind(at, reply))
        url = f"{kind.scheme}://{server.authority}/{path}"
        d.easy(f"h{i}", URL=url, TIMEOUT=30, CAINFO=certs.path("ca.pem"), **options)
        if "UPLOAD" in options:
            d.body(f"h{i}", MAIL)
        d.perform(f"h{i}")
    run = d.run()
    assert dict(zip(replies, (run[f"h{i}"].code for i in range(len(replies))))) == dict(zip(replies, map(int, codes.split())))


@not_debian("lets NUL pass")
@pytest.mark.parametrize("kind, path, options, reply, places", [
    (Smtp, "h", {**SENDS, **LOGIN}, "250 x\0", "banner EHLO AUTH data MAIL RCPT DATA mail"),
    (Smtp, "h", {}, "250-x\0y\r\n250 x", "EHLO HELP"),
    (Imap, "a;UID=1", LOGIN, "* OK \0\r\n%t OK x", "banner CAPABILITY LOGIN SELECT UID"), (Imap, "", LOGIN, "%t OK x\0", "LIST"),
    (Imap, "a", {**LOGIN, **APPENDS}, "+ \0", "APPEND mail"),
    (talker(Imap, capa="AUTH=PLAIN"), "", LOGIN, "+ \0", "AUTHENTICATE data"),
    (Pop3, "1", {**LOGIN, **LISTS}, "+OK \0", "banner CAPA APOP RETR"), (talker(Pop3, capa="SASL PLAIN"), "1", LOGIN, "+ \0", "AUTH data"),
])
def test_nul_in_a_reply(drive, make_server, kind, path, options, reply, places):
    """No reply has one; what stands before it was taken for the whole line, and the rest went to the application."""
    server, d = make_server(cls=ScriptServer), drive()
    for place in places.split():
        server.script(kind(place, reply))
        d.easy(place, URL=f"{kind.scheme}://{server.authority}/{path}", TIMEOUT=30, **options)
        if "UPLOAD" in options:
            d.body(place, MAIL)
        d.perform(place)
    run = d.run()
    assert {place: run[place].code for place in places.split()} == dict.fromkeys(places.split(), 8)
