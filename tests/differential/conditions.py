"""What a known difference can ask of a case that a pattern over its text cannot say. A line of known.tsv names them in
its third column, with "@" before each. A function takes the case's lines and returns whether it holds."""
import re
import zlib

# a line may end with LF alone (RFC 9112 section 2.2)
HEAD = re.compile(rb"HTTP/1\.[01] [1-9]\d\d( [^\r\n\0]*)?\r?\n"
                  rb"((?:[!#$%&'*+\-.^_`|~\w]+:[^\r\n\0]*\r?\n(?:[ \t][^\r\n\0]*\r?\n)*)*)\r?\n")
LENGTH = re.compile(rb"(?im)^content-length:[ \t]*(\d+)[ \t]*\r?$")
NO_LENGTH = re.compile(rb"(?im)^content-length:(?![ \t]*\d+[ \t]*\r?$)")
CHUNKED = re.compile(rb"(?im)^transfer-encoding:[ \t]*chunked[ \t]*\r?$")
CHUNK = re.compile(rb"([0-9a-fA-F]+)[ \t]*(;[^\r\n\0]*)?\r\n")
TRAILERS = re.compile(rb"((?:[!#$%&'*+\-.^_`|~\w]+:[^\r\n\0]*\r\n)*)\r\n")
# what a head begins with, its first line and its fields
BEGINNING = re.compile(rb"H(T(T(P(/(1(\.([01]( ([1-9](\d(\d( [^\r\n\0]*\r?)?)?)?)?)?)?)?)?)?)?)?)?")
LINE = re.compile(rb"HTTP/1\.[01] [1-9]\d\d( [^\r\n\0]*)?\r\n")
FIELDS = re.compile(rb"(?:[!#$%&'*+\-.^_`|~\w]+:[^\r\n\0]*\r\n(?:[ \t][^\r\n\0]*\r\n)*)*")
FOLD = re.compile(rb"\r\n[ \t]+")

ANY_HEAD = re.compile(rb"HTTP/1\.([01]) +(\d{3})[^\n]*\n((?:[^\r\n][^\n]*\n)*)\r?\n")
SET_COOKIE = re.compile(rb"(?im)^set-cookie:([^\r\n]*)")
CODINGS = re.compile(rb"(?im)^transfer-encoding:(.*)$")


def answers(case):
    """(when, what then, bytes) of each answer."""
    return [(line[2], line[4], line[5] if len(line) > 5 else b"") for line in case if line[0] == b"answer"]


def of_interim(status):
    return status < 200 and status != 101


def split(data):
    """(bytes after the first final response, None where it has no end of its own); ValueError: not as RFC 9112 says."""
    head = HEAD.match(data)
    if not head or NO_LENGTH.search(head.group(2)):
        raise ValueError("head")
    status, fields, rest = int(data[9:12]), head.group(2), data[head.end():]
    if of_interim(status):
        return split(rest) if rest else b""
    if status in (101, 204, 304):
        return rest
    if CHUNKED.search(fields):
        return after_chunks(rest)
    length = LENGTH.search(fields)
    if not length:
        return None
    return rest[int(length.group(1)):]


def after_chunks(rest):
    while True:
        size = CHUNK.match(rest)
        if not size:
            raise ValueError("chunks")
        n = int(size.group(1), 16)
        rest = rest[size.end():]
        if not n:
            end = TRAILERS.match(rest)
            if not end:
                raise ValueError("trailers")
            return rest[end.end():]
        if rest[n:n + 2] != b"\r\n":
            raise ValueError("chunks")
        rest = rest[n + 2:]


def faults_of(data):
    """Where an answer is no response by RFC 9112: in its first "line", its "fields", "chunks" or "trailers", or it is "cut"
    within its head. What follows a fault in the head is not looked at."""
    line = LINE.match(data)
    if not line:
        begins, ends = BEGINNING.fullmatch(data), re.search(rb"\n\r?\n", data)
        return {"cut"} if begins else {"line"} if ends else {"line", "cut"}
    at = data.find(b"\r\n\r\n", line.end() - 2)
    fields = data[line.end():max(at + 2, line.end())] if at >= 0 else data[line.end():]
    lines = fields[:fields.rfind(b"\n") + 1]
    found = {"cut"} if at < 0 else set()
    if not FIELDS.fullmatch(lines) or NO_LENGTH.search(FOLD.sub(b" ", fields)):
        found.add("fields")
    if found:
        return found
    try:
        split(data)
    except ValueError as why:
        return faults_of(data[at + 4:]) if of_interim(int(data[9:12])) else {str(why)}
    return set()


def has_fault(*where):
    """The condition that an answer has one of these faults."""
    return lambda case: any(faults_of(data) & set(where) for _, _, data in answers(case))


def malformed(case):
    """A server says what is no response by RFC 9112: in its head, its chunks or its trailers, or cut off in them."""
    return any(faults_of(data) for _, _, data in answers(case))


def surplus(case):
    """A server sends bytes after the end of a response, and does not say that the connection ends with it."""
    head_only = any(line[0] == b"set" and line[2] == b"NOBODY" for line in case)
    for _, _, data in answers(case):
        try:
            if not closes(data) and (head_only and split_head(data) or split(data)):
                return True
        except ValueError:
            continue
    return False


def heads(data):
    """(minor version, status, fields) of each head that an answer begins with, whatever else is wrong with them."""
    head = ANY_HEAD.match(data)
    while head:
        yield int(head[1]), int(head[2]), head[3]
        head = ANY_HEAD.match(data, head.end()) if of_interim(int(head[2])) else None


def closes(data):
    return any(re.search(rb"(?im)^connection:.*\bclose\b", fields) for _, _, fields in heads(data))


def split_head(data):
    """Bytes after the head of the first final response: all are surplus in an answer to HEAD."""
    head = HEAD.match(data)
    while head and of_interim(int(data[head.start() + 9:head.start() + 12])):
        head = HEAD.match(data, head.end())
    if not head:
        raise ValueError("head")
    return data[head.end():]


def unsure(case):
    """A response after which ours does not use the connection again, since its end may be taken for elsewhere
    (docs/http1-responses.md): two framings or one where there is no body, HTTP/1.0 with a transfer coding or with keep-alive
    and no framing, or none that counts."""
    ignored = any(line[0] == b"set" and line[2] == b"IGNORE_CONTENT_LENGTH" for line in case)
    for _, _, data in answers(case):
        for minor, status, fields in heads(data):
            coded, length = CODINGS.search(fields), LENGTH.search(fields)
            if of_interim(status) and (coded or length) or coded and (length or not minor) or \
                    status == 204 and (coded or length and int(length[1])) or \
                    not (minor or coded or length and not ignored) and re.search(rb"(?im)^connection:.*keep-alive", fields):
                return True
    return False


def ended(case):
    """A server ends the connection after a response that did not announce it."""
    return any(then in (b"close", b"reset") and not closes(data) for _, then, data in answers(case))


def payload(data):
    """(codings, coded body) of an answer's last head, with what is left of chunks that are cut or wrong."""
    fields = b""
    for head in ANY_HEAD.finditer(data):
        fields, data = head[3], head.string[head.end():]
        if not of_interim(int(head[2])):
            break
    codings = [w.strip().lower() for m in re.finditer(rb"(?im)^(?:content|transfer)-encoding:(.*)$", fields)
               for w in m[1].split(b",")]
    if b"chunked" in codings:
        body, size = b"", CHUNK.match(data)
        while size and int(size[1], 16):
            n = int(size[1], 16)
            body += data[size.end():size.end() + n]
            data = data[size.end() + n + 2:]
            size = CHUNK.match(data)
        return [c for c in codings if c != b"chunked"], body
    length = LENGTH.search(fields)
    return codings, data[:int(length[1])] if length else data


def whole(data, wbits):
    """What a coded text says, all of its gzip members; ValueError or zlib.error: damaged, cut, or bytes after it."""
    out = b""
    while data:
        coded = zlib.decompressobj(wbits)
        out += coded.decompress(data)
        if not coded.eof or coded.unused_data and wbits != 31:
            raise ValueError("coded")
        data = coded.unused_data
    return out


def damaged(case):
    """A body with a content or transfer coding is not what its coding says, to its end and no further. So are chunks that are
    left as they are."""
    chunks_stay = any(line[0] == b"set" and line[2] == b"HTTP_TRANSFER_DECODING" for line in case)
    for _, _, data in answers(case):
        codings, body = payload(data)
        if chunks_stay and CHUNKED.search(data) and re.search(rb"(?im)^content-encoding:[^\r\n]*(gzip|deflate)", data):
            return True
        try:
            for coding in reversed(codings):
                if coding in (b"gzip", b"x-gzip", b"deflate"):
                    body = whole(body, 31 if b"gzip" in coding else 15 if body[:1] == b"\x78" else -15)
        except (ValueError, zlib.error):
            return True
    return False


def alone(case):
    """The first byte of a body with the coding deflate comes alone: its chunk has no other, or the server stops there."""
    for line in case:
        head = None
        for head in ANY_HEAD.finditer(line[5] if line[0] == b"answer" and len(line) > 5 else b""):
            if not of_interim(int(head[2])):
                break
        if not head or not re.search(rb"(?im)^(?:content|transfer)-encoding:[^\r\n]*deflate", head[3]):
            continue
        size = CHUNK.match(head.string, head.end()) if re.search(rb"(?im)^transfer-encoding:[^\r\n]*chunked", head[3]) else None
        begin = size.end() if size else head.end()
        if size and int(size[1], 16) == 1 or any(int(cut.split(b":")[0]) == begin + 1 for cut in line[6:]):
            return True
    return False


def members(case):
    """A gzip body of more than one member, whatever is wrong with the second."""
    for _, _, data in answers(case):
        codings, body = payload(data)
        codings = [c for c in codings if c != b"identity"]
        coded = zlib.decompressobj(31)
        try:
            if codings and b"gzip" in codings[-1] and coded.decompress(body) and coded.unused_data[:1] == b"\x1f":
                return True
        except zlib.error:
            continue
    return False


def early(case):
    """A server answers before it has the whole request."""
    return any(when != b"body" for when, _, _ in answers(case))


def uploads(case):
    """A request has a body, be it the end of chunks alone where the application asks for them."""
    return any(line[0] == b"body" or line[0] == b"set" and
               (line[2] in (b"UPLOAD", b"POST", b"POSTFIELDS", b"COPYPOSTFIELDS") or
                line[2] == b"HTTPHEADER" and any(CHUNKED.match(x) for x in line[4:])) for line in case)


def short(case):
    """A read callback gives less than was announced."""
    given = {line[1]: len(line[2]) for line in case if line[0] == b"body"}
    held = {line[1] for line in case if line[0] == b"set" and line[2] in (b"POSTFIELDS", b"COPYPOSTFIELDS")}
    return any(line[0] == b"set" and line[2] in (b"POSTFIELDSIZE", b"INFILESIZE_LARGE") and line[1] not in held and
               int(line[4]) > given.get(line[1], 0) for line in case)


# ---- cookies ----

def cookie_parts(text):
    """(name, {attribute: value}) of what follows "Set-Cookie:"."""
    pair, *rest = text.split(b";")
    attributes = {}
    for item in rest:
        word, _, value = item.partition(b"=")
        attributes[word.strip().lower()] = value.strip()
    return pair.partition(b"=")[0].strip(), attributes


def set_by_application(case):
    """(name, attributes) of each cookie in a line "Set-Cookie:" of the application's."""
    for line in case:
        if line[0] == b"set" and line[2] == b"COOKIELIST" and line[3] == b"s" and line[4][:11].lower() == b"set-cookie:":
            yield cookie_parts(line[4][11:])


def set_by_servers(case):
    for _, _, data in answers(case):
        for m in SET_COOKIE.finditer(data):
            yield cookie_parts(m[1])


def pathless(case):
    """The application sets a cookie without a path, and there is another cookie."""
    own = list(set_by_application(case))
    more = sum(line[0] == b"set" and line[2] == b"COOKIELIST" and line[3] == b"s" for line in case) + len(list(set_by_servers(case)))
    return more > 1 and any(not attributes.get(b"path") for _, attributes in own)


def overlaid(case):
    """A server sets a cookie with the name of a secure one that the application has set, without a path or for a domain of
    one label."""
    names = {name for name, _ in set_by_servers(case)}
    for name, attributes in set_by_application(case):
        if name in names and b"secure" in attributes and \
                (not attributes.get(b"path") or b"." not in attributes.get(b"domain", b"").strip(b".")):
            return True
    rows = [line[4].split(b"\t") for line in case if line[0] == b"set" and line[2] == b"COOKIELIST" and line[3] == b"s"]
    return any(b"true" in map(bytes.lower, f[2:]) and b"." not in f[0].lower().removeprefix(b"#httponly_").strip(b".") and
               names.intersection(f[4:]) for f in rows)


# ---- forms ----

def form_parts(case):
    """What each part of each form was given last."""
    forms = {}
    for line in case:
        if line[0] == b"mime" and line[2] == b"part":
            forms.setdefault(line[1], []).append({})
        elif line[0] == b"mime" and forms.get(line[1]) and line[2:] != [b"subparts", line[1]]:
            forms[line[1]][-1][line[2]] = line[3:]
    return [part for parts in forms.values() for part in parts]


def empty_part(case):
    """A part of a form has no content."""
    return any(not any(part.get(word) for word in (b"data", b"filedata", b"reader", b"subparts")) for part in form_parts(case))


def coded_boundary(case):
    """Parts within a part are coded, and so is their boundary."""
    return any(part.get(b"subparts") and part.get(b"encoder", [b""])[:1] not in ([b"7bit"], [b"8bit"], [b"binary"], [b""], [])
               for part in form_parts(case))


def again(case):
    """More than one transfer of a handle."""
    return sum(line[0] == b"perform" for line in case) > 1


def parallel(case):
    """Several handles in one multi."""
    return any(line[0] == b"perform" and len(line) > 2 for line in case)


def several(case):
    """More than one transfer, one after another or at once."""
    return again(case) or parallel(case)


BY_NAME = {"@" + f.__name__: f for f in (malformed, surplus, unsure, ended, damaged, members, early, uploads, short, again, parallel,
                                  several, pathless, overlaid, alone)}
BY_NAME.update({"@wrong-" + where: has_fault(where) for where in ("line", "fields", "chunks", "trailers")})
BY_NAME.update({"@cut-head": has_fault("cut"), "@wrong-head": has_fault("line", "fields", "cut"),
                "@wrong-body": has_fault("chunks", "trailers")})


def condition(text):
    """The function of a third column: names from above, then a pattern that the case's text contains; either may be
    left out. It takes the case and its text."""
    words = text.split(" ")
    named = []
    while words and words[0].startswith("@"):
        word = words.pop(0)
        if word not in BY_NAME:
            raise ValueError(f"no condition {word}")
        named.append(BY_NAME[word])
    pattern = re.compile(" ".join(words), re.S)
    return lambda case, said: all(f(case) for f in named) and pattern.search(said)
