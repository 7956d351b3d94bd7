"""Random transfers by SMTP, POP3 and IMAP: options, and what a scripted server replies. Functions take a random generator."""
from ftps import extras, reply

# none with an empty user or password, which ours puts in quotes for IMAP, as RFC 3501 says, and no control characters,
# which ours refuses before it connects
LOGINS = [""] * 4 + ["u:p@", "u:p@", "u:p@", "u%20v:p%3aq@", "u;AUTH=PLAIN:p@", "u;AUTH=LOGIN:p@", "u;AUTH=*:p@"]
MECHANISMS = ["PLAIN", "LOGIN", "CRAM-MD5", "XOAUTH2", "OAUTHBEARER", "EXTERNAL", "FOO"]     # no other has random text
MAILS = [b"", b"x", b"Subject: a\r\n\r\nhello\r\n", b"a\r\n.b\r\n..\r\n", b".\r\n", b"line\nline\n", b"no end", b"a\r\n.", b"y" * 3000 + b"\r\n", b"\r\n.\r\n"]


def some(r, words):
    return [w for w in words if r.random() < 0.35]


# SMTP: command: (what is usual, what is not, what is read next)
SMTP = {
    "^": (["220 hi"] * 3 + ["220-a\r\n220 hi"], ["421 no", "554 no", "hello", ""], "line"),
    "HELO": (["250 ok"], ["500 no"], "line"),
    "STARTTLS": (["454 no"], ["500 no"], "line"),
    "AUTH": (["235 in"], ["535 no", "504 no", "421 bye"], "line"),
    "MAIL": (["250 ok"], ["550 no", "452 full", "421 bye"], "line"),
    "RCPT": (["250 ok"] * 2 + ["251 ok"], ["550 no", "451 later", "421 bye"], "line"),
    "DATA": (["354 go"], ["550 no", "451 x"], "mail"),
    ".": (["250 kept"], ["550 spam", "452 full", "354 odd"], "line"),
    "VRFY": (["250 u@x", "252 maybe"], ["550 no", "502 x"], "line"),
    "EXPN": (["250-a@x\r\n250 b@x"], ["550 no"], "line"),
    "HELP": (["214-a\r\n214 b"], ["502 no"], "line"),
    "NOOP": (["250 ok"], ["500 no"], "line"),
    "RSET": (["250 ok"], ["500 no"], "line"),
    "QUIT": (["221 bye"], ["500 x"], "line"),
    "+": (["235 in"], ["535 no", "500 x"], "line"),
    "*": (["500 what"], ["250 ok"], "line"),
}
POP3 = {
    "^": (["+OK hi"] * 2 + ["+OK <1.2@x> hi"], ["-ERR no", "hello", ""], "line"),
    "STLS": (["-ERR no"], ["-ERR x"], "line"),
    "APOP": (["+OK in"], ["-ERR no"], "line"),
    "USER": (["+OK pw"], ["-ERR no"], "line"),
    "PASS": (["+OK in"], ["-ERR no"], "line"),
    "AUTH": (["+OK in"], ["-ERR no"], "line"),
    "LIST ": (["+OK 2 5"], ["-ERR none"], "line"),
    "LIST": (["+OK\r\n1 100\r\n2 5\r\n."], ["-ERR none"], "line"),
    "RETR": (["+OK\r\nSubject: a\r\n\r\nhello\r\n.", "+OK\r\n..dot\r\nx\r\n."], ["-ERR none", "+OK\r\n.x\r\n.", "+OK\r\na\n.\nb\r\n."], "line"),
    "TOP": (["+OK\r\nSubject: a\r\n\r\n."], ["-ERR none"], "line"),
    "UIDL": (["+OK\r\n1 a\r\n."], ["-ERR none"], "line"),
    "DELE": (["+OK gone"], ["-ERR no"], "line"),
    "NOOP": (["+OK"], ["-ERR no"], "line"),
    "STAT": (["+OK 2 105"], ["-ERR no"], "line"),
    "QUIT": (["+OK bye"], ["-ERR x"], "line"),
    "+": (["+OK in"], ["-ERR no"], "line"),
    "*": (["-ERR what"], ["+OK"], "line"),
}
IMAP = {
    "^": (["* OK hi"] * 3, ["* BYE no", "hello", "* PREAUTH in", ""], "line"),
    "STARTTLS": (["\1 BAD no"], ["\1 NO x"], "line"),
    "LOGIN": (["\1 OK in"], ["\1 NO no", "\1 BAD x", "* BYE x"], "line"),
    "AUTHENTICATE": (["\1 OK in"], ["\1 NO no"], "line"),
    "SELECT": (["* 3 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n\1 OK done", "* 0 EXISTS\r\n\1 OK done"], ["\1 NO none", "\1 BAD x"], "line"),
    "EXAMINE": (["* 3 EXISTS\r\n\1 OK done"], ["\1 NO none"], "line"),
    "FETCH": (["* 1 FETCH (BODY[] {5}\r\nhello)\r\n\1 OK done", "* 1 FETCH (UID 3 BODY[TEXT] {11}\r\nline\r\nline\r)\r\n\1 OK done"],
              ["\1 NO none", "\1 OK none", "* 1 FETCH (BODY[] {0}\r\n)\r\n\1 OK done", "* 1 FETCH (BODY[] \"x\")\r\n\1 OK done", "* 1 FETCH (BODY[] NIL)\r\n\1 OK done",
               "* 1 FETCH (BODY[] {99999999999}\r\nx"], "line"),
    "UID": (["* 1 FETCH (UID 3 BODY[] {5}\r\nhello)\r\n\1 OK done"], ["\1 NO none"], "line"),
    "LIST": (["* LIST (\\Noselect) \"/\" INBOX\r\n\1 OK done"], ["\1 OK none", "\1 NO x"], "line"),
    "SEARCH": (["* SEARCH 1 2\r\n\1 OK done"], ["* SEARCH\r\n\1 OK done", "\1 NO x"], "line"),
    "STATUS": (["* STATUS INBOX (MESSAGES 3)\r\n\1 OK done"], ["\1 NO x"], "line"),
    "APPEND": (["+ go"], ["\1 NO full", "\1 BAD x"], "literal"),
    "NOOP": (["\1 OK ok"], ["\1 NO x"], "line"),
    "STORE": (["* 1 FETCH (FLAGS (\\Seen))\r\n\1 OK done"], ["\1 NO x"], "line"),
    "LOGOUT": (["* BYE bye\r\n\1 OK done"], ["\1 BAD x"], "line"),
    "+": (["\1 OK in"], ["\1 NO no", "\1 BAD x"], "line"),
    "*": (["\1 BAD what"], ["\1 OK odd", "\1 NO x"], "line"),
}


def capabilities(r):
    """Lines: what the server says that it can."""
    logins = some(r, MECHANISMS)
    smtp = ["x.test", *some(r, ["SIZE 1000", "8BITMIME", "SMTPUTF8", "STARTTLS", "HELP", "DSN"]), *["AUTH " + " ".join(logins)] * (r.random() < 0.8)]
    pop3 = [*some(r, ["TOP", "UIDL", "STLS", "RESP-CODES"]), *["USER"] * (r.random() < 0.6), *["SASL " + " ".join(logins)] * (r.random() < 0.7)]
    imap = ["IMAP4rev1", *some(r, ["STARTTLS", "SASL-IR", "LOGINDISABLED", "UIDPLUS"]), *["AUTH=" + x for x in logins]]
    ehlo = "\r\n".join(f"250{' ' if i + 1 == len(smtp) else '-'}{x}" for i, x in enumerate(smtp))
    return {25: ("EHLO", ehlo, "500 no"), 110: ("CAPA", "\r\n".join(["+OK", *pop3, "."]), "-ERR no"),
            143: ("CAPABILITY", "* CAPABILITY " + " ".join(imap) + "\r\n\1 OK done", "\1 BAD no")}


def authentication(r, port):
    """The replies to a login by SASL in several steps. What is no base 64 ends that login; the newest sends the password then."""
    go = {25: "334 ", 110: "+ ", 143: "+ "}[port]
    word = "AUTHENTICATE" if port == 143 else "AUTH"
    text = r.choice(["", "", "VXNlcm5hbWU6", "PDEuMkB4Pg==", "PDEuMkB4Pg==", "eyJzdGF0dXMiOiI0MDAifQ=="])
    return reply(r, port, word, "next", (go + text + "\r\n").encode(), False)


def replies(r, port, rows, transfers):
    odd = r.choice([0.0, 0.03, 0.1]) if transfers == 1 else 0
    alone = transfers == 1
    command, usual, other = capabilities(r)[port]
    lines = [reply(r, port, command, "line", (other if r.random() < 0.1 else usual).encode() + b"\r\n", alone)]
    for _ in range(r.choice([0, 1, 1, 2])):
        lines.append(authentication(r, port))
    for word, (plain, others, how) in rows.items():
        for _ in range(r.choice([1, 1, 1, 2])):
            text = r.choice(others if others and r.random() < odd else plain)
            goes_on = text[:1] in "3+" if how in ("mail", "literal") else True
            lines.append(reply(r, port, word, how if goes_on else "line", text.encode() + b"\r\n" * bool(text), alone))
    return lines


def option(r, names):
    some_options = {
        "CUSTOMREQUEST": lambda words: ["s", r.choice(words)], "NOBODY": lambda _: ["l", "1"], "UPLOAD": lambda _: ["l", "1"],
        "SASL_IR": lambda _: ["l", "1"], "SASL_AUTHZID": lambda _: ["s", "z"], "XOAUTH2_BEARER": lambda _: ["s", "token"],
        "LOGIN_OPTIONS": lambda _: ["s", r.choice(["AUTH=PLAIN", "AUTH=LOGIN", "AUTH=CRAM-MD5", "AUTH=*", "AUTH=XOAUTH2"])],
        "USE_SSL": lambda _: ["l", r.choice(["0", "1", "1", "3"])], "USERPWD": lambda _: ["s", r.choice(["u:p", "a b:c"])],
        "MAIL_FROM": lambda _: ["s", r.choice(["a@x", "<a@x>", "", "a", "a@x SIZE=1", "<>"])], "MAIL_AUTH": lambda _: ["s", r.choice(["b@x", "<b@x>", ""])],
        "MAIL_RCPT": lambda _: ["z", *[r.choice(["c@x", "<c@x>", "c", "d@y"]) for _ in range(r.choice([1, 1, 2, 3]))]],
        "MAIL_RCPT_ALLOWFAILS": lambda _: ["l", "1"], "CRLF": lambda _: ["l", "1"], "DIRLISTONLY": lambda _: ["l", "1"],
        "MAXFILESIZE_LARGE": lambda _: ["l", r.choice(["3", "1000"])], "TIMEOUT": lambda _: ["l", "4"], "SERVER_RESPONSE_TIMEOUT": lambda _: ["l", "3"],
        "FORBID_REUSE": lambda _: ["l", "1"], "FRESH_CONNECT": lambda _: ["l", "1"]}
    name, words = r.choice(sorted(names.items()))
    return ["set", "0", name, *some_options[name](words)]


EVERY = dict.fromkeys(["SASL_IR", "SASL_AUTHZID", "XOAUTH2_BEARER", "LOGIN_OPTIONS", "USE_SSL", "USERPWD", "TIMEOUT", "SERVER_RESPONSE_TIMEOUT", "FORBID_REUSE",
                       "FRESH_CONNECT", "NOBODY"])
OPTIONS = {
    25: {**EVERY, "MAIL_FROM": None, "MAIL_AUTH": None, "MAIL_RCPT": None, "MAIL_RCPT_ALLOWFAILS": None, "CRLF": None,
         "CUSTOMREQUEST": ["VRFY", "EXPN", "HELP", "NOOP", "RSET", "vrfy"]},
    110: {**EVERY, "CUSTOMREQUEST": ["DELE", "TOP 1 0", "STAT", "NOOP"], "DIRLISTONLY": None, "MAXFILESIZE_LARGE": None},
    143: {**{k: v for k, v in EVERY.items() if k != "NOBODY"}, "CUSTOMREQUEST": ["NOOP", "SEARCH ALL", "STORE 1 +FLAGS \\Seen", "STATUS INBOX (MESSAGES)", "FETCH 1 BODY[]", "LIST \"\" *"],
          "MAXFILESIZE_LARGE": None},
}
PATHS = {25: ["", "/", "/me.test", "/a%20b"], 110: ["", "/", "/1", "/2", "/a%20b"],
         143: ["", "/", "/INBOX", "/INBOX/;UID=1", "/INBOX;UIDVALIDITY=7/;UID=1", "/INBOX;UIDVALIDITY=8/;UID=1", "/INBOX/;MAILINDEX=1", "/INBOX/;UID=1/;SECTION=TEXT",
               "/INBOX/;UID=1/;PARTIAL=0.3", "/INBOX?ALL", "/a%20b", "/a%22b", "/INBOX?SUBJECT%20a"]}
SERVERS = {25: ("smtp", SMTP), 110: ("pop3", POP3), 143: ("imap", IMAP)}


def mail_lines(r, port):
    """What is sent, for SMTP mostly."""
    if port == 110 or r.random() > (0.75 if port == 25 else 0.2):
        return []
    data = r.choice(MAILS)
    size = [["set", "0", "INFILESIZE_LARGE", "l", str(r.choice([len(data), len(data), -1]))]] * (port == 143 or r.random() < 0.5)
    lines = [["set", "0", "UPLOAD", "l", "1"], ["body", "0", data, *[r.choice(["1", "10"])] * (len(data) < 100 and r.random() < 0.3)], *size]
    if port == 25:
        lines += [["set", "0", "MAIL_FROM", "s", r.choice(["a@x", "<a@x>"])], ["set", "0", "MAIL_RCPT", "z", *r.choice([["c@x"], ["c@x", "<d@x>"]])]]
    return lines


def for_imap(lines, paths):
    """Ours refuses what has no mailbox for its mail before there is a connection, and the newest loses a message that is
    paused. With a mail ours ignores a command of the application; the newest sends that."""
    lines = [x for x in lines if x[0] != "act" or x[2] != "write"]
    if not any(x[:3] == ["set", "0", "UPLOAD"] for x in lines):
        return lines, paths
    return [x for x in lines if x[0] != "set" or x[2] != "CUSTOMREQUEST"], ["/INBOX", "/a%20b"]


def mail(r):
    """A case: one to three transfers of a handle, on one server."""
    port = r.choice([25, 110, 143])
    scheme, rows = SERVERS[port]
    # after a command that was refused, or for another name in EHLO, the newest makes another connection, ours uses this one
    transfers = r.choice([1, 1, 1, 2, 3]) if port == 110 else 1
    lines = [["way", r.choice(["easy"] * 5 + ["poll", "socket"])], *replies(r, port, rows, transfers)]
    lines += mail_lines(r, port) + [option(r, OPTIONS[port]) for _ in range(r.choice([0, 1, 1, 2]))]
    limited = any(x[0] == "set" and x[2] == "MAXFILESIZE_LARGE" for x in lines)
    lines += [x for x in extras(r) if x[0] != "act" or x[2] != "header" and not limited]     # a line counts before the header callback refuses it
    user, paths = r.choice(LOGINS), PATHS[port]
    if port == 143:
        lines, paths = for_imap(lines, paths)
    if not user:
        lines = [x for x in lines if x[0] != "set" or x[2] not in ("SASL_AUTHZID", "XOAUTH2_BEARER", "LOGIN_OPTIONS")]
    for i in range(transfers):
        if not i or r.random() < 0.5:
            lines.append(["set", "0", "URL", "s", f"{scheme}://{user}127.0.0.1{r.choice(paths)}"])
        lines.append(["perform", "0"])
    return lines
