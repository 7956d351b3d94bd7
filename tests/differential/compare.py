"""What differs between two logs, in which group it is, and whether the table of known differences has it."""
import os
import re

from conditions import condition
from library import escaped, text_of, unescaped
from logins import DIGEST, answered

HANDLES = [b"0", b"1", b"2", b"3"]
KNOWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "known.tsv")
# lines of which a log has at most one per handle and transfer, found by word and name
# a ClientHello: random bytes, and what each TLS library was built with
# the cookies of a jar, whose order has no meaning, and a form's boundary, which is random
JAR = re.compile(rb"(?m)^(info\t\d+\tCOOKIELIST\t\d+\t)(.+)$")
BOUNDARY = re.compile(rb"-{24}[A-Za-z0-9]{22}")
REQUEST = re.compile(rb"(?m)^(request\t\d+\t)(.*)$")
SENT = re.compile(rb"(?m)^((?:request|d-header-out)\t\d+\t)(.*)$")
CHUNKS = re.compile(rb"(Transfer-Encoding: chunked\r\n(?:[^\r\n]+\r\n)*\r\n)([0-9a-fA-F]+\r\n.*?\r\n0\r\n\r\n|.*)", re.S)
HELLO = re.compile(rb"^(request\t\d+\t)\\x16\\x03.*$", re.M)
# words of lines whose second column is a handle or a connection: those of one are compared with those of the same
OF_ONE = {b"info", b"result", b"progress", b"header", b"body", b"request", b"conn", b"uget", b"part", b"trailer", b"refused",
          b"resolve", b"unpause", b"prereq", b"seek", b"sockopt", b"d-header-in", b"d-header-out"}
# lines that come one after another: one more or less in the middle does not make all that follow differ
ROWS = (b"header", b"d-header-in", b"d-header-out")
# a command of FTP or of a mail protocol, after the tag of IMAP
COMMAND = re.compile(rb"(?:[A-Z]\d+ )?(USER|PASS|ACCT|AUTH|PBSZ|PROT|PWD|SYST|SITE|CWD|MKD|EPSV|PASV|TYPE|SIZE|MDTM|REST|PRET|RETR|LIST|NLST|STOR|APPE|"
                     rb"NOOP|DELE|RNFR|QUIT|ABOR|EHLO|HELO|STARTTLS|MAIL|RCPT|DATA|VRFY|EXPN|HELP|RSET|CAPA|STLS|APOP|TOP|UIDL|STAT|CAPABILITY|"
                     rb"LOGIN|AUTHENTICATE|SELECT|EXAMINE|FETCH|UID|SEARCH|STATUS|APPEND|STORE|LOGOUT)(?= |$)")
# where a request begins in what a connection was sent
BEGIN = re.compile(rb"(?=(?:GET|HEAD|POST|PUT|CONNECT|DELETE|OPTIONS|PATCH|FOO|get) (?:(?!\\r\\n).)*? HTTP/1\.[01]\\r\\n)")

# what a library has left of an earlier transfer, or not yet of this one, where it ends before its request: the key says so
WIDE = {"@malformed", "@surplus", "@unsure", "@cut-head", "@wrong-head", "@wrong-line", "@wrong-fields", "@wrong-body", "@wrong-chunks",
        "@wrong-trailers"}
LEFT_OVER = {"EFFECTIVE_METHOD", "REFERER", "REDIRECT_COUNT", "SIZE_DELIVERED"}


def unchunked(log):
    """The log with the bodies of forms as they are without chunks: in how many of them a form goes is not behaviour."""
    if b"; boundary=" not in log or b"\\r\\nTransfer-Encoding: chunked\\r\\n" not in log:
        return log
    return REQUEST.sub(lambda m: m[1] + escaped(CHUNKS.sub(without_chunks, unescaped(m[2]))), log)


def without_chunks(m):
    left, out = m[2], b""
    while left:
        size, _, left = left.partition(b"\r\n")
        if not re.fullmatch(rb"[0-9a-fA-F]+", size):
            return m[0]
        n = int(size, 16)
        out, left = out + left[:n], left[n + 2:]
        if not n:
            break
    return m[1] + out + (b"END" + left if left else b"END")


def without_random(log):
    """The log with fields of Digest as logins.py shows them."""
    if b"Authorization: Digest " not in log:
        return log
    return SENT.sub(lambda m: m[1] + escaped(DIGEST.sub(answered, unescaped(m[2]))), log)


def in_any_order(jar):
    return jar[1] + b"\t".join(sorted(jar[2].split(b"\t")))


def entries(log):
    """{key: value} of a log: each line has a key that stays the same when others come or go."""
    out, seen = {}, {}
    for line in log.split(b"\n"):
        f = line.split(b"\t")
        key = f[0]
        if key in OF_ONE:
            key += b" " + f[1]
        if f[0] in (b"info", b"set", b"multi", b"share"):
            key += b" " + f[2]
        n = seen[key] = seen.get(key, 0) + 1
        out[key, n] = f[1:]
    return out


def fields_of(request):
    """{name: [lines]} of what a connection was sent, as far as it looks like heads of requests."""
    out = {}
    for line in request.split(b"\\r\\n"):
        command = COMMAND.match(line)
        name = line.split(b":")[0].lower() if re.match(rb"[-\w]+:", line) else \
            b"line" if b" HTTP/1." in line else command[1].lower() if command else b"body"
        out.setdefault(name, []).append(line)
    return out


def pieces_joined(log):
    """Of several handles: in which pieces the body of one comes depends on whose turn it is, and where another line is logged
    between them, on that. When a connection that nothing uses is closed is such a line too."""
    lines = [line.split(b"\t") for line in log.split(b"\n")]
    if len({f[1] for f in lines if f[0] == b"result"}) < 2 and b"\nclosesocket" not in log:
        return log
    out, last = [], {}
    for f in lines:
        handle = f[1] if len(f) > 1 and f[0] != b"closesocket" else b""
        if f[0] == b"body" and handle in last:
            last[handle][2] += f[2]
            continue
        last[handle] = f
        if f[0] != b"body":
            del last[handle]
        out.append(f)
    return b"\n".join(b"\t".join(f) for f in out)


def by_handle(log, handle):
    """The lines of one handle, in their order. When a connection that nothing uses is closed is not among them."""
    return [line for line in log.split(b"\n") if line.split(b"\t")[1:2] == [handle] and not line.startswith(b"closesocket")]


def connections(log):
    """[(address, local end, what it was sent)] of each connection, and the log without them."""
    conns, rest = [], []
    for line in log.split(b"\n"):
        f = line.split(b"\t")
        if f[0] == b"conn":
            conns.append((f[2], f[3]))
        elif f[0] == b"request":
            conns[-1] += (f[2],)
        else:
            rest.append(line)
    return conns, b"\n".join(rest)


def without_versions(conns):
    return sorted((address, local, sent.replace(b" HTTP/1.0\\r", b" HTTP/1.1\\r")) for address, local, sent in conns)


def asked(conns):
    """{(address, local end, request)}, and how many requests there were. After an answer of HTTP/1.0 the next request of
    a connection has that version, so it is of no interest here, nor is what was sent again of a request that was cut on
    a kept connection."""
    every = [(address, local, r) for address, local, sent in without_versions(conns) for r in BEGIN.split(sent) if r]
    later = {(address, local, r) for address, local, sent in without_versions(conns) for r in BEGIN.split(sent)[2:]}
    return set(every) - {x for x in later if any(x != y and x[:2] == y[:2] and y[2].startswith(x[2]) for y in every)}, len(every)


def lines_of(requests):
    """{(address, local end, first line): [requests]} of such as asked() finds."""
    out = {}
    for address, local, request in sorted(requests):
        out.setdefault((address, local, request.split(b"\\r\\n")[0]), []).append(request)
    return out


def in_order(log):
    """The log with its connections by where they go and what they are first asked: of several transfers, which of them
    connects first is not behaviour."""
    conns, rest = connections(log)
    conns = sorted(conns, key=lambda c: (c[0], c[1], c[2].split(b"\\r\\n")[0], len(BEGIN.findall(c[2])), c[2]))
    return b"\n".join([rest, *(b"\t".join([word, b"%d" % i, *what]) for i, (address, local, sent) in enumerate(conns)
                              for word, what in ((b"conn", (address, local)), (b"request", (sent,))))])


def shape(conn):
    """Where a connection goes, and how many requests it carries."""
    address, local, sent = conn
    return address, local, len(BEGIN.findall(sent))


def each(conns):
    """The requests as they were sent, and where to, in whatever order and over however many connections."""
    return sorted((address, local, r) for address, local, sent in conns for r in BEGIN.split(sent) if r)


def between(sent, there):
    """What differs in the requests that have the same first line and go to the same place."""
    out = set()
    for key in set(sent) & set(there):
        mine, others = ([x for x in some if x not in more] for some, more in ((sent[key], there[key]), (there[key], sent[key])))
        for i in range(max(len(mine), len(others))):
            pair = [(some or more)[min(i, len(some or more) - 1)] for some, more in ((mine, sent[key]), (others, there[key]))]
            out.update(request_keys(*pair))
    return sorted(out)


def without_connections(ours, newest):
    """Both logs without connections, where all that differs is which of them carried a request and how many there are,
    and the keys that say so: "conn added" (ours made more), "conn missing", "conn" (as many, or a request was sent there
    in vain), "request added" (ours sent one more, or several), "request missing"."""
    try:
        (a, mine), (b, others) = connections(ours), connections(newest)
        (sent, n), (there, m) = asked(a), asked(b)
    except (IndexError, ValueError):
        return ours, newest, []       # a log that is cut
    handles = {line.split(b"\t")[1] for line in ours.split(b"\n") if line.startswith(b"result\t")}
    if len(handles) > 1 and sorted(map(shape, a)) == sorted(map(shape, b)):
        ours, newest = in_order(ours), in_order(newest)
    fields = []
    if not (sent == there or sent < there and n < m or sent > there and n > m):
        sent, there = lines_of(sent), lines_of(there)
        if sorted(map(shape, a)) == sorted(map(shape, b)) or \
                not (set(sent) == set(there) or set(sent) < set(there) and n < m or set(sent) > set(there) and n > m):
            return ours, newest, []
        fields = between(sent, there)
        sent, there = set(sent), set(there)
    elif each(a) != each(b) and (without_versions(a) == without_versions(b) or sorted(map(shape, a)) == sorted(map(shape, b))):
        return ours, newest, []       # the same connections: what differs is in their requests
    if a == b or sorted(a) == sorted(b) and len(handles) > 1:
        return mine, others, []
    out = ["conn" + (" added" if len(a) > len(b) else " missing")] if len(a) != len(b) else \
        ["conn"] if sent == there else []
    return mine, others, fields + out + ["request" + (" added" if sent > there else " missing")] * (sent != there)


def is_within(some, more):
    """Whether the lines `some` are in `more`, in their order."""
    left = iter(more)
    return all(line in left for line in some)


def joined(lines):
    """What the debug callback was shown, in however many calls."""
    return b"".join(line.split(b"\t")[2] for line in lines) if lines and lines[0].startswith(b"d-") else lines


def of_rows(ours, newest):
    """Both logs without the header lines that one library reported and the other did not, and the keys that say so."""
    logs, rows = [log.split(b"\n") for log in (ours, newest)], {}
    for at, log in enumerate(logs):
        for line in log:
            f = line.split(b"\t")
            if f[0] in ROWS:
                rows.setdefault((f[0], f[1]), ([], []))[at].append(line)
    found = {}
    for row, (a, b) in rows.items():
        if a != b and (joined(a) == joined(b) or is_within(a, b) or is_within(b, a)):
            found[row] = "" if joined(a) == joined(b) else " missing" if is_within(a, b) else " added"
    kept = [b"\n".join(line for line in log if tuple(line.split(b"\t")[:2]) not in found) for log in logs]
    return *kept, [row[0].decode() + how for row, how in found.items() if how]


def is_unasked(seen, key):
    """Whether the transfer of an info ended before anything was sent or received."""
    word, count = key
    handle = b" ".join(word.split(b" ")[:2])
    return all(seen.get((handle + b" " + name, count), [b""])[-1] == b"0" for name in (b"REQUEST_SIZE", b"SIZE_DOWNLOAD_T"))


def info_keys(key, a, b):
    """Of an info that differs: what the calls returned, where they did not return the same, and that its value differs."""
    name, va, vb = "info " + key[0].decode("latin-1").split()[2], a.get(key), b.get(key)
    if not va or not vb:
        return [name + (" missing" if vb else " added")]
    codes = [f"{name} {va[2].decode()}|{vb[2].decode()}"] if va[2] != vb[2] else []
    if va[3:] == vb[3:]:
        return codes
    if name == "info RESPONSE_CODE" and vb[3:] == [b"0"]:
        return [*codes, name + " lost"]
    left_over = name.split()[1] in LEFT_OVER and is_unasked(a, key) and is_unasked(b, key)
    return [*codes, name + " unasked" * left_over]


def request_keys(ours, newest):
    a, b = fields_of(ours), fields_of(newest)
    for name in sorted(set(a) | set(b)):
        if a.get(name) != b.get(name):
            how = "added" if name not in b else "missing" if name not in a else "differs"
            yield f"request {name.decode('latin-1')} {how}"


def bodies(log):
    """{handle: [the body of each transfer]}, whatever pieces it came in."""
    out = {}
    for line in log.split(b"\n"):
        f = line.split(b"\t")
        if f[0] == b"body":
            out.setdefault(f[1], [b""])[-1] += f[2]
        elif f[0] == b"result":
            out.setdefault(f[1], [b""]).append(b"")
    return out


def is_in_pieces(*logs):
    """Whether bodies that commands of FTP or mail have brought differ in their pieces alone."""
    return not any(b" HTTP/1." in log for log in logs) and bodies(logs[0]) == bodies(logs[1])


def keys(ours, newest):
    """What differs, as short texts; empty: nothing."""
    ours, newest = (pieces_joined(HELLO.sub(rb"\1TLS", log)) for log in (ours, newest))
    ours, newest = (JAR.sub(in_any_order, BOUNDARY.sub(b"BOUNDARY", unchunked(without_random(log)))) for log in (ours, newest))
    if ours == newest:
        return []
    pieces = is_in_pieces(ours, newest)
    ours, newest, out = without_connections(ours, newest)
    ours, newest, rows = of_rows(ours, newest)
    out += rows
    a, b = entries(ours), entries(newest)
    for key in {**a, **b}:
        va, vb = a.get(key), b.get(key)
        if va == vb:
            continue
        word = key[0].decode("latin-1").split()
        if word[0] == "request" and va and vb:
            out += request_keys(va[1], vb[1])
        elif word[0] in ("result", "set", "uset", "multi", "share", "infonull", "end", "uget", "part"):
            at = 1 if word[0] in ("result", "uget", "part") else 0
            name = word[0] + (" " + word[1] if word[0] in ("uget", "part") else "")
            name += " " + (va or vb)[1].decode("latin-1") if word[0] in ("set", "multi") else ""
            values = [v[at].decode("latin-1") if v else "none" for v in (va, vb)]
            how = " text"
            if word[0] == "result" and b"no text" in (va or vb)[2:] + (vb or va)[2:]:
                how = " text missing" if b"no text" in (va or ()) else " text added"
            out.append(f"{name} {values[0]}|{values[1]}" if values[0] != values[1] else name + how)
        elif word[0] == "printf" and va and vb:
            out.append("printf refused" if b"-1" in (va[0], vb[0]) else "printf length" if va[0] != vb[0] else "printf text")
        elif word[0] == "info":
            out += info_keys(key, a, b)
        else:
            out.append(word[0] + ("" if va and vb else " missing" if vb else " added"))
    if pieces:
        out = ["body pieces" if key.startswith("body") else key for key in out]
    if not out and [by_handle(ours, n) for n in HANDLES] == [by_handle(newest, n) for n in HANDLES]:
        return []                     # of several transfers at once: which of them comes first is not behaviour
    return sorted(set(out)) or ["order"]


def features(case):
    """What is in a case, in few words: the options that it sets, the answers' status and fields."""
    out = []
    for line in case:
        verb = line[0].decode("latin-1")
        rest = [f.decode("latin-1") for f in line[1:]]
        if verb == "set" and len(rest) > 1:
            out.append(rest[1])
        elif verb == "answer" and len(rest) > 4:
            head = rest[4].split("\r\n\r\n")[0].split("\r\n")
            names = [x.split(":")[0].lower() for x in head[1:]]
            out.append("answer(" + ",".join([head[0][:14], *names]) + f",{rest[3]})")
        elif verb in ("cb", "act"):
            out.append(verb + "(" + ",".join(rest[1:]) + ")")
        elif verb in ("way", "mset", "shset", "uset", "uget", "info", "infonull"):
            out.append(verb + "(" + ",".join(rest)[:40] + ")")
        elif verb not in ("perform",):
            out.append(verb)
    return " ".join(out)


def accepts_unnamed(differs, where):
    """Whether a line with one of the widest conditions covers, without naming it, that ours takes a response for right
    which the newest does not."""
    return any(word in WIDE for word in where.split()) and "0\\|8" not in differs and \
        any(part and re.compile(part).fullmatch("result 0|8") for part in differs.partition(" => ")[::2])


# what a line of the table says of a response or a request that one library had and the other did not
ALL_OF = {"<response>": r"info (RESPONSE_CODE( lost)?|HTTP_VERSION|HEADER_SIZE|CONTENT_TYPE|RETRY_AFTER|CONDITION_UNMET|FILETIME(_T)?|"
                        r"HTTPAUTH_AVAIL|CONTENT_LENGTH_DOWNLOAD(_T)?|REDIRECT_URL|SIZE_(DELIVERED|DOWNLOAD(_T)?))",
          "<request>": r"info (REQUEST_SIZE|NUM_CONNECTS|(SIZE|CONTENT_LENGTH)_UPLOAD(_T)?|EFFECTIVE_(METHOD|URL)|REFERER|"
                       r"REDIRECT_COUNT|HTTPAUTH_USED|LOCAL_IP|PRIMARY_(IP|PORT)|OS_ERRNO|PROTOCOL|SCHEME)"}


class Known:
    """The table of known differences. Columns: area, what differs (a pattern that each key must match as a whole, or two
    with " => " between them: the second counts where a key matches the first), the case (conditions of conditions.py,
    then a pattern that its text contains), the reason."""

    def __init__(self, *paths):
        self.rows, self.used = [], {}
        for path in paths or [KNOWN]:
            self.read(path)

    def read(self, path):
        with open(path, encoding="utf-8") as table:
            for number, line in enumerate(table, 1):
                if line.startswith("#") or not line.strip():
                    continue
                columns = line.rstrip("\n").split("\t")
                if len(columns) != 4 or not columns[3].strip():
                    raise ValueError(f"{path}:{number}: four columns with TABs between them, the last one the reason")
                if accepts_unnamed(columns[1], columns[2]):
                    raise ValueError(f"{path}:{number}: what ours accepts and the newest refuses has to be named: result 0\\|8")
                first, _, then = columns[1].partition(" => ")
                for word, infos in ALL_OF.items():
                    first, then = first.replace(word, infos), then.replace(word, infos)
                self.rows.append((f"{os.path.basename(path)}:{number}", re.compile(first), then and re.compile(then),
                                  condition(columns[2])))

    def find(self, case, differs):
        """The numbers of the lines that together explain all that differs in this case; empty: something is left."""
        text, left, found = text_of(case).decode("latin-1"), set(differs), []
        for number, first, then, where in self.rows:
            here = {d for d in left if first.fullmatch(d)}
            if then and any(first.fullmatch(d) for d in differs):
                here |= {d for d in left if then.fullmatch(d)}
            if here and where(case, text):
                left -= here
                found.append(number)
        if left:
            return []
        for number in found:
            self.used[number] = self.used.get(number, 0) + 1
        return found
