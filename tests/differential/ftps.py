"""Random transfers by FTP: options, and what a scripted server replies. Functions take a random generator."""

PATHS = ["", "/", "/a", "/a/b", "/a/b/c", "//abs/x", "/a/", "/d/e/", "/f;type=a", "/f;type=i", "/d/;type=d", "/a%20b", "/a?b", "/a#c",
         "/%41", "/a/../b", "/.", "/a%0ab", "/a//b", "/f;type=x", "/a%22b", "/-a", "/a*", "/;type=a"]
USERS = [""] * 8 + ["u:p@", "u@", "u:@", ":p@", "u%20v:p%3aq@", "u%0d:p@", "@"]
LISTING = (b"drwxr-xr-x 2 u g 4096 Jan  1 2020 d\r\n-rw-r--r-- 1 u g 5 Jan  1 2020 a\r\n-rw-r--r-- 1 u g 7 Jan  1 12:00 ab\r\n"
           b"lrwxrwxrwx 1 u g 1 Jan  1 2020 l -> a\r\n")
DATA = [b"", b"x", b"hello", b"line\nline\r\n", b"0123456789" * 3, b"y" * 5000, LISTING]

# command: (what is usual, what is not)
REPLIES = {
    "^": (["220 hi"] * 3 + ["220-a\r\n b\r\n220 hi"], ["421 no", "500 x", "hello", "120 wait\r\n220 hi", "2200 x", ""]),
    "USER": (["331 pw"] * 4 + ["230 in"], ["332 acct", "530 no", "500 x", "331-a\r\n331 pw", "421 bye"]),
    "PASS": (["230 in"] * 3 + ["230-a\r\n230-b\r\n230 in"], ["202 ok", "332 acct", "530 no", "230-a\r\n  230 b\r\n230 in", "421 bye"]),
    "ACCT": (["230 in"], ["530 no", "202 x"]),
    "AUTH": (["500 no"], ["431 x", "502 x"]),
    "PBSZ": (["200 ok"], ["500 x"]),
    "PWD": (['257 "/home" is it', '257 "/"'], ['257 "/a""b"', "257 none", "550 no", '257 x "/y" z', "500 x"]),
    "SYST": (["215 UNIX"], ["215 OS/400 x", "500 x"]),
    "SITE": (["250 ok"], ["500 x"]),
    "CWD": (["250 ok"], ["550 no", "421 bye", "200 ok"]),
    "MKD": (['257 "x" made'], ["550 no", "521 there"]),
    "EPSV": (["229 ok (|||2001|)"] * 3 + ["500 no"], ["229 (|||70000|)", "229 x", "229 (!!!2002!)", "229 (||2001|)", "425 no", "229 (|||2001)"]),
    "PASV": (["227 ok (127,0,0,1,7,209)"] * 2 + ["227 127,0,0,1,7,210"], ["227 (127,0,0,1,7)", "227 x", "500 no", "425 no",
                                                                      "227 (127,0,0,1,7,209", "227 (127,0,0,2,7,209)", "227 (127,0,0,1,0,9)"]),
    "TYPE": (["200 ok"], ["500 no", "226 ok"]),
    "SIZE": (["213 5"] * 2 + ["550 no", "213 30"], ["213 x", "213 0", "213 99999999999999999999", "213 5000"]),
    "MDTM": (["213 20201118120000", "213 20201118120000.5"], ["550 no", "213 x", "213 99999999999999", "213 2020"]),
    "REST": (["350 ok"], ["500 no", "200 ok"]),
    "PRET": (["200 ok"], ["500 no"]),
    "RETR": (["150 go"] * 2 + ["125 go", "150 opening (5 bytes)"], ["550 no", "450 busy", "150 x (30 bytes)", "150 (x bytes)", "226 all", "150-a\r\n150 go", "421 bye"]),
    "LIST": (["150 go"], ["550 no", "450 none", "226 empty", "125 go"]),
    "NLST": (["150 go"], ["550 no", "450 none"]),
    "STOR": (["150 go", "125 go"], ["550 no", "553 no", "452 full", "226 x"]),
    "APPE": (["150 go"], ["550 no"]),
    "~": (["226 done"] * 3 + ["250 done"], ["426 cut", "451 x", "550 x", "552 full", "226-a\r\n226 done", "200 ok"]),
    "NOOP": (["200 ok"], ["500 no"]),
    "DELE": (["250 ok"], ["550 no"]),
    "RNFR": (["350 ok"], ["550 no"]),
    "QUIT": (["221 bye"], ["500 no"]),
    "*": (["500 what"], ["200 ok"]),
}
MOVES = {"RETR": "data", "LIST": "data", "NLST": "data", "STOR": "take", "APPE": "take"}


def cuts(r, data):
    """Where it comes in pieces."""
    if len(data) < 2 or r.random() > 0.12:
        return []
    return [str(at) + r.choice(["", "", ":5"]) for at in sorted({r.randrange(1, len(data)) for _ in range(r.choice([1, 1, 2, 3]))})]


def reply(r, port, command, how, text, cut=True):
    """A line `reply`. cut: it may be the last, and not whole."""
    data = text if isinstance(text, bytes) else (text + r.choice(["\r\n"] * 30 + ["\n"])).encode() * bool(text)
    then = "keep"
    if cut and r.random() < 0.012 or not data:
        data, then = data[:r.randrange(len(data) + 1)], r.choice(["close", "close", "close", "reset"] if command != "^" else ["close"])
    return ["reply", str(port), command, how, r.choice(["0"] * 20 + ["3", "1500"]), then, data, *cuts(r, data)]


def replies(r, transfers):
    """What the server replies to each command. In a case of several transfers it replies as usual: after one that failed the
    newest changes to the first directory again, and takes the type for set; ours looks where it is."""
    odd = r.choice([0.0, 0.03, 0.1]) if transfers == 1 else 0
    lines = []
    for command, (usual, others) in REPLIES.items():
        for _ in range(r.choice([1, 1, 1, 2])):
            text = r.choice(others if r.random() < odd else usual)
            lines.append(reply(r, 21, command, MOVES.get(command, "line") if text[:1] == "1" else "line", text, transfers == 1))
    return lines


def datas(r, transfers):
    """The lines `data` of some transfers."""
    lines = []
    for _ in range(transfers):
        data = r.choice(DATA)
        lines.append(["data", r.choice(["close"] * 25 + ["reset"]), data, *cuts(r, data)])
    return lines


def option(r):
    name, kind, *values = r.choice([
        lambda: ("DIRLISTONLY", "l", 1), lambda: ("NOBODY", "l", 1), lambda: ("HEADER", "l", 1), lambda: ("RANGE", "s", r.choice(["0-1", "1-3", "2-", "x", "5-2"])),
        lambda: ("RESUME_FROM_LARGE", "l", r.choice([0, 1, 3, 5, 100, -1])), lambda: ("APPEND", "l", 1),
        lambda: ("FTP_CREATE_MISSING_DIRS", "l", r.choice([0, 1, 2])), lambda: ("FTP_FILEMETHOD", "l", r.choice([0, 1, 2, 3])),
        lambda: (r.choice(["QUOTE", "PREQUOTE", "POSTQUOTE"]), "z", *[r.choice(["NOOP", "*NOOP", "DELE a", "*DELE b", "RNFR x", "pwd", "CWD d", "TYPE A", "", "*", "X\ny"] if r.random() < 0.2 else ["NOOP", "*DELE b", "DELE a"])
                                                                      for _ in range(r.choice([1, 1, 2]))]),
        lambda: ("FTP_USE_EPSV", "l", r.choice([0, 1])), lambda: ("FTP_SKIP_PASV_IP", "l", r.choice([0, 1])),
        lambda: ("FTP_ACCOUNT", "s", "acct"), lambda: ("FTP_ALTERNATIVE_TO_USER", "s", "SITE x"), lambda: ("FTP_USE_PRET", "l", 1),
        lambda: ("TRANSFERTEXT", "l", 1), lambda: ("CRLF", "l", 1), lambda: ("FILETIME", "l", 1), lambda: ("TIMECONDITION", "l", r.choice([1, 2])),
        lambda: ("TIMEVALUE", "l", r.choice([1, 1605700800, 1795000000])), lambda: ("MAXFILESIZE_LARGE", "l", r.choice([3, 5, 1000])),
        lambda: ("CUSTOMREQUEST", "s", r.choice(["NLST", "MLSD", "LIST -a", "STAT", "RETR x"])), lambda: ("USE_SSL", "l", r.choice([0, 1, 1, 2, 3])),
        lambda: ("FTPSSLAUTH", "l", r.choice([0, 1, 2])), lambda: ("IGNORE_CONTENT_LENGTH", "l", 1), lambda: ("USERPWD", "s", r.choice(["u:p", "u", ":", "a b:c"])),
        lambda: ("SERVER_RESPONSE_TIMEOUT", "l", r.choice([1, 3])), lambda: ("FRESH_CONNECT", "l", 1), lambda: ("FORBID_REUSE", "l", 1),
        lambda: ("KEEP_SENDING_ON_ERROR", "l", 1), lambda: ("UPLOAD_BUFFERSIZE", "l", 16384), lambda: ("TIMEOUT", "l", 4),
        lambda: ("PATH_AS_IS", "l", 1), lambda: ("DISALLOW_USERNAME_IN_URL", "l", 1), lambda: ("PORT", "l", 21), lambda: ("BUFFERSIZE", "l", 1024)])()
    return ["set", "0", name, kind, *map(str, values)]


def extras(r):
    return [r.choice([["cb", "0", "progress"], ["cb", "0", "debug"], ["cb", "0", "prereq"], ["cb", "0", "sockopt"], ["cb", "0", "closesocket"],
                      ["act", "0", "write", str(r.choice([1, 3, 100])), r.choice(["return", "pause"]), "0"],
                      ["act", "0", "header", str(r.choice([1, 2, 5, 9])), "return", "0"]])] * (r.random() < 0.25)


def upload_lines(r, upload):
    """Between two transfers of a handle: which way the next goes."""
    if not upload:
        return [["set", "0", "UPLOAD", "l", "0"]]
    data = r.choice(DATA)
    size = [["set", "0", "INFILESIZE_LARGE", "l", str(r.choice([len(data), len(data), -1, len(data) + 1]))]] * (r.random() < 0.5)
    return [["set", "0", "UPLOAD", "l", "1"], ["body", "0", data], *size]


def settled(lines):
    """Without what the newest does in another way for reasons of its own. Of text, and of a file whose size is not asked for, it
    asks for no place to begin at, and reads what comes from the beginning. A place before the beginning is one of uploads.
    Another value of FTPSSLAUTH makes another connection, EPSV stays in use, a list has no time, and of names it is PRET or
    PREQUOTE after which it gets the file."""
    text = any(x[0] == "set" and (x[2] in ("TRANSFERTEXT", "IGNORE_CONTENT_LENGTH") or x[2] == "URL" and ";type=a" in x[4]) for x in lines)
    names = any(x[0] == "set" and x[2] == "DIRLISTONLY" for x in lines)
    if any(x[0] == "set" and x[2] in ("RANGE", "MAXFILESIZE_LARGE") for x in lines):
        # of two things that end a body, or end and pause it, which comes first
        lines = [x for x in lines if (x[0] != "act" or x[2] != "write") and (x[0] != "set" or x[2] != "RESUME_FROM_LARGE")]
    facts = any(x[0] == "set" and x[2] == "NOBODY" for x in lines)
    if sum(x[0] == "perform" for x in lines) > 1:
        # the newest uses a connection again on which the header callback or a line of QUOTE was refused
        lines = [x for x in lines if (x[0] != "act" or x[2] != "header") and "X\ny" not in x]
    first = next(i for i, x in enumerate(lines) if x[0] == "perform")
    return [x for i, x in enumerate(lines) if x[0] != "set" or not (
        x[2] == "FTPSSLAUTH" or text and x[2] in ("RANGE", "RESUME_FROM_LARGE") or x[2:] == ["RESUME_FROM_LARGE", "l", "-1"] or
        i > first and x[2] in ("FTP_USE_EPSV", "RANGE", "USERPWD", "USE_SSL", "FTP_ACCOUNT", "FTP_ALTERNATIVE_TO_USER") or names and x[2] in ("FILETIME", "TIMECONDITION", "PREQUOTE", "FTP_USE_PRET") or
        facts and x[2] == "MAXFILESIZE_LARGE")]


def with_a_seek(lines):
    """Without a callback that seeks, the newest sends a resumed upload from its beginning; ours reads up to the place. It
    seeks also to a place beyond the end that was announced, where ours has nothing to send."""
    if not any(x[0] == "body" for x in lines) or not any(x[0] == "set" and x[2] == "RESUME_FROM_LARGE" for x in lines):
        return lines
    return [["cb", "0", "seek"], *[x for x in lines if x[0] != "set" or x[2] != "INFILESIZE_LARGE"]]


def ftp(r):
    """A case: one to three transfers of a handle, on one server."""
    uploads = [r.random() < 0.3 for _ in range(r.choice([1, 1, 1, 2, 3]))]
    lines = [["way", r.choice(["easy"] * 5 + ["poll", "socket"])], *replies(r, len(uploads)), *datas(r, len(uploads))]
    lines += [option(r) for _ in range(r.choice([0, 1, 1, 2, 3]))] + extras(r)
    user, first = r.choice(USERS), True
    if any(x[0] == "set" and x[2] == "RANGE" for x in lines):
        uploads = uploads[:1]             # a part of a file that fails is the end of the newest's connection, not of ours
    for upload in uploads:
        if first or r.random() < 0.7:
            lines.append(["set", "0", "URL", "s", f"ftp://{user}127.0.0.1{r.choice(PATHS)}"])
        if upload or not first:
            lines += upload_lines(r, upload)
        if not first and r.random() < 0.2:
            lines.append(option(r))
        lines.append(["perform", "0"])
        first = False
    return with_a_seek(settled(lines))
