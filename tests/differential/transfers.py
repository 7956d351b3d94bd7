"""Random transfers: options, and what a scripted server answers. Each function takes a random generator."""
import gzip
import re
import zlib

from conditions import closes, damaged, ended, malformed, members, surplus, unsure

NAMES = ["h1.test", "h2.test"]
HOSTS = ["127.0.0.1"] * 8 + ["127.0.0.2"] * 3 + ["[::1]"] + NAMES
PORTS = [""] * 6 + [":80", ":8080", ":81", ":0080"]
PATHS = ["/", "/a", "/a/b", "/a/../b", "/a/./b?q=1", "/?q", "", "/a%20b", "/a?b#c", "/%41", "/a//b/", "/x;y=1?z=%zz",
         "/a?", "/a#", "?q=1", "/..%2fb", "/a/%2e%2e/c", "/\u00e4", "/a b"]
SCHEMES = ["http://"] * 10 + ["", "HTTP://", "http:/", "Http:///"]
BODIES = [b"", b"x", b"hello", b"a=b&c=d", b"0123456789" * 3, b"x" * 1000, bytes(range(256)), b"y" * 5000]
WAYS = ["easy"] * 5 + ["poll", "socket", "socket", "fdset", "waitfds", "wait"]
METHODS = ["GET", "GET", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "get", "FOO", "POST"]
ETC = ["Accept:", "Accept: text/plain", "X-A: b", "X-B;", "X-C:", "X-D:  two  ", "Host: other.test", "Host:",
       "Content-Length: 5", "Content-Length:", "Content-Type: text/x", "Content-Type:", "Transfer-Encoding: chunked",
       "Transfer-Encoding:", "Expect:", "Expect: 100-continue", "Connection: close", "Connection: keep-alive",
       "Connection: X-A", "TE: trailers", "Range: bytes=1-2", "User-Agent: me", "User-Agent:", "Referer: r",
       "Authorization: Basic eDp5", "Authorization:", "Cookie: c=1", "Accept-Encoding: gzip", "If-Modified-Since: x",
       "nonsense", "X-E ;", "X-F : v", ": v", "X-G;v", "X-H; ", "X-I:\t", "X-A: c", "Date: x", "Upgrade: foo"]
DATES = ["Wed, 18 Nov 2026 12:00:00 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "0", "x",
         "Sun Nov  6 08:49:37 1994", "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "20261118", ""]


# options that end a transfer after a time or a size
ENDING = ("TIMEOUT", "TIMEOUT_MS", "LOW_SPEED_TIME", "MAXFILESIZE", "MAXFILESIZE_LARGE")
FRAMING = re.compile(rb"(?i)(content-length|transfer-encoding|content-encoding):")
KEPT = re.compile(rb"(?im)^connection:.*keep-alive.*\n")
NAMED = re.compile(rb"(?im)^location:[ \t]*(https?:[/\\]*|[/\\]{2,})[^/?#\\\r\n]*")
LOCATED = re.compile(rb"(?im)^location:.*\n")
DATED = re.compile(rb"(?im)^last-modified:.*\n")


def number(r):
    return r.choice([0, 1, 2, 3, 5, 10, 29, 30, 31, 100, 1000, 5000, r.randrange(1, 40), r.randrange(1, 6000)])


def url(r):
    if r.random() < 0.02:
        return r.choice(["http://", "", "http://127.0.0.1:99999/", "http://127.0.0.1:1/", "http://127.0.0.1:9/",
                         "http://[::1/", "http://127.1/", "http://0x7f.1/", "http://a b/", "foo://127.0.0.1/",
                         "http://127.0.0.1:/", "http://user@/", "//127.0.0.1/", "127.0.0.1/x", "http://127.0.0.1\\x"])
    user = r.choice([""] * 8 + ["u:p@", "u@", "u:@", ":p@", "u%40v:p%3aq@", "@"])
    group = r.choice(["", "", "/g0"])
    path = r.choice(PATHS)
    return r.choice(SCHEMES) + user + r.choice(HOSTS) + r.choice(PORTS) + (group + path if path[:1] in "/" else path)


def location(r):
    if r.random() < 0.5:
        return r.choice(["/b", "c", "../d", "?q=2", "#f", "", "/", "./e?x", "//127.0.0.2/o", "/b c", "/b\tc", "b#f g",
                         "/%zz", "/a/../../b", "///x", "\\b", "/\u00e4", "?a b", "/b?c=d e", ";p", "http:b", "/b/.", "..",
                         "/é?é", "b:c", ":b", "//", "/x?y?z#q"])
    return r.choice(["http://127.0.0.1/b", "http://127.0.0.2/b", "http://127.0.0.1:8080/b", "HTTP://127.0.0.1/B",
                     "http://127.0.0.1:80/", "http://127.0.0.1?q", "http://127.0.0.1#f", "http://u2:p2@127.0.0.1/b",
                     "http://u2@127.0.0.2/b", "foo://127.0.0.1/b", "file:///etc/hostname", "foo:bar", "http://[::1]/b",
                     "http://127.0.0.1:99999/", "http://", "http:///b", "http:/b", "mailto:a@b", "http://127.0.0.1:1/",
                     "http://h1.test/b", "http://127.0.0.1/a b#c d", "http://127.0.0.1:0/", "http://127.0.0.1:/b",
                     "http:\\\\127.0.0.1\\b", "javascript:x", "http://@127.0.0.1/", "http://:@127.0.0.1/b"])


def auth_field(r):
    return b"WWW-Authenticate: " + r.choice([b'Basic realm="x"', b"Basic", b"Bearer", b'Bearer realm="y"', b"Foo",
                                             b'Foo a=b, Basic realm="z"', b"basic", b"", b"Basic Basic", b"Basicx"])


def odd_fields(r):
    """Fields that mean something to a client, or nothing to anyone."""
    pool = [lambda: b"Content-Type: " + r.choice([b"text/html", b"", b" a ; b=c ", b"x"]),
            lambda: b"Last-Modified: " + r.choice(DATES).encode(),
            lambda: b"Retry-After: " + r.choice([b"5", b"0", b"-1", b"999999999", b"x", b"5 6"] +
                                                [d.encode() for d in DATES]),
            lambda: b"Connection: " + r.choice([b"close", b"keep-alive", b"Close, x", b"x", b"", b"upgrade"]),
            lambda: b"Location: " + location(r).encode(),
            lambda: b"Set-Cookie: a=b", lambda: b"X-Y: z", lambda: b"X-Empty:", lambda: b"x-y:z  ",
            lambda: b"Content-Range: bytes " + r.choice([b"0-4/5", b"1-2/3", b"*/7", b"x", b"5-9/*", b"3-"]),
            lambda: b"Content-Encoding: identity", lambda: b"Accept-Ranges: " + r.choice([b"bytes", b"none"]),
            lambda: b"X-Fold: a\r\n b", lambda: b"Server: s", lambda: b"Date: " + r.choice(DATES).encode(),
            lambda: b"Trailer: X-T", lambda: b"Proxy-Connection: " + r.choice([b"close", b"keep-alive"]),
            lambda: b"Upgrade: h2c", lambda: b"Content-Disposition: attachment; filename=x", lambda: auth_field(r),
            lambda: b"Etag: \"x\"", lambda: b"Alt-Svc: clear", lambda: b"Strict-Transport-Security: max-age=1"]
    return [r.choice(pool)() for _ in range(r.choice([0, 0, 1, 1, 2, 3, 6]))]


def encoded(r, data):
    """(Content-Encoding or Transfer-Encoding's codings, data)"""
    kind = r.choice(["gzip", "deflate", "raw", "two", "x-gzip", "members"])
    if kind == "deflate":
        out = zlib.compress(data)
    elif kind == "raw":
        c = zlib.compressobj(wbits=-15)
        out = c.compress(data) + c.flush()
    elif kind == "two":
        out = zlib.compress(gzip.compress(data, mtime=0))
    elif kind == "members":
        out = gzip.compress(data, mtime=0) + gzip.compress(b"more", mtime=0)
    else:
        out = gzip.compress(data, mtime=0)
    word = {"raw": "deflate", "two": "gzip, deflate", "members": "gzip"}.get(kind, kind)
    if r.random() < 0.15 and out:
        at = r.randrange(len(out))
        out = r.choice([out[:at], out + b"junk", out[:at] + bytes([out[at] ^ 64]) + out[at + 1:]])
    return word.encode(), out


def chunked(r, data):
    out, at = b"", 0
    while at < len(data):
        n = min(r.choice([1, 3, 10, 1000, len(data)]), len(data) - at)
        size = r.choice([b"%x", b"%X", b"0%x", b"000%x"]) % n
        out += size + r.choice([b""] * 6 + [b";a=b", b" ", b";", b' ;x="y"']) + b"\r\n" + data[at:at + n] + b"\r\n"
        at += n
    out += r.choice([b"0\r\n"] * 8 + [b"00\r\n", b"0;x\r\n"])
    out += r.choice([b""] * 6 + [b"X-T: v\r\n", b"X-T: v\r\nX-U:\r\n", b"Content-Length: 3\r\n"])
    return out + b"\r\n"


STATUSES = [200] * 14 + [201, 202, 204, 205, 206, 206, 304, 400, 401, 401, 403, 404, 407, 408, 410, 412, 416, 417, 429,
                         500, 503, 299, 600, 999]
REDIRECTS = [301, 301, 302, 302, 303, 307, 308, 300, 304, 305, 306]


def status_line(r, status):
    version = r.choice([b"HTTP/1.1"] * 4 + [b"HTTP/1.0"])
    reason = r.choice([b" OK"] * 6 + [b"", b" ", b" two words", b" \xff"])
    return version + b" %d" % status + reason


def framed(r, fields, data):
    """The body as it goes over the wire; adds what frames it to the fields. (body, must the server close)"""
    way = r.choice(["length"] * 6 + ["chunked"] * 4 + ["close"] * 2 + ["short", "long", "none", "both"])
    if way in ("length", "short", "long", "both"):
        n = len(data) + {"short": 3, "long": -1}.get(way, 0)
        fields.append(b"Content-Length: %d" % max(0, n))
    if way in ("chunked", "both"):
        fields.append(r.choice([b"Transfer-Encoding: chunked"] * 9 + [b"Transfer-Encoding: Chunked"]))
        data = chunked(r, data)
        if r.random() < 0.05 and data:
            data = data[:r.randrange(len(data))]
            return data, True
    # bytes after the body, and a length beside chunks: ours uses such a connection for nothing else
    return data, way in ("close", "short", "long", "both")


def response(r, status=None):
    """(bytes, whether the server must close after it)"""
    status = status or r.choice(STATUSES)
    if r.random() < 0.01:
        return r.choice([b"", b"hello\n", b"HTTP/0.9 200 OK\r\n\r\n", b"\r\n", b"HTTP/1.1\r\n\r\n", b"HTTP/1.1 20\r\n\r\n",
                         b"HTTP/2 200\r\n\r\n", b"ICY 200 OK\r\n\r\nx", b"<html>", b"HTTP", b"HTTP/1.1 200 OK\r\n"]), True
    data = r.choice(BODIES)
    fields = odd_fields(r)
    if r.random() < 0.12 and data:
        word, data = encoded(r, data)
        fields.append(r.choice([b"Content-Encoding: "] * 5 + [b"Transfer-Encoding: "]) + word)
    if status == 401 and r.random() < 0.9:
        fields.append(auth_field(r))
    if status in REDIRECTS and r.random() < 0.95:
        fields.append(b"Location: " + location(r).encode())
    if status == 206:
        fields.append(b"Content-Range: bytes %d-%d/%d" % (r.choice([0, 1, 10]), len(data), len(data) + 10))
    data, closes = framed(r, fields, data)
    if status in (204, 304) and r.random() < 0.9 or 100 <= status < 200:
        data = b""
    r.shuffle(fields)
    out = b"\r\n".join([status_line(r, status)] + fields) + b"\r\n\r\n" + data
    if r.random() < 0.04:
        at = r.randrange(len(out))
        odd = bytes([r.choice([0, 10, 13, 32, 9, 58, 48, 255, 44, 59])])
        out = r.choice([out[:at] + out[at + 1:], out[:at] + odd + out[at:], out[:at] + odd + out[at + 1:]])
    return out, closes


def answers(r, group, redirects):
    """The lines "answer" of a group: what the server says to each of its requests."""
    lines = []

    def add(data, then, when="body"):
        if then == "close" and b"\r\n\r\n" in data and r.random() < 0.95:
            # without this the newest sends the next request on it, where ours looks first whether it is still open
            data = data.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
        cuts = sorted({r.randrange(1, len(data)) for _ in range(r.choice([0, 0, 1, 2, 5]))}) if len(data) > 1 else []
        if b"Encoding: deflate" in data:
            # bare deflate data: the newest fails where its first byte comes alone
            cuts = [c for c in cuts if c != data.find(b"\r\n\r\n") + 5]
        cuts = [str(c) + r.choice(["", "", "", ":5"]) for c in cuts]
        lines.append(["answer", str(group), when, r.choice(["0"] * 6 + ["3", "1500"]), then, data, *cuts])

    for _ in range(redirects):
        data, closes = response(r, r.choice(REDIRECTS))
        add(data, "close" if closes or r.random() < 0.1 else "keep")
    for _ in range(r.choice([1, 1, 1, 2, 2, 3, 4])):
        if r.random() < 0.06:
            # no 101: what follows it is another protocol's, and none is built yet (test_hostile.py has one)
            status = r.choice([100, 100, 102, 103])
            add(response(r, status)[0] if r.random() < 0.3 else b"HTTP/1.1 %d X\r\nX-I: 1\r\n\r\n" % status, "more", "head")
        data, closes = response(r)
        then = "close" if closes else r.choice(["keep"] * 10 + ["close"] * 3 + ["reset", "hold"])
        if r.random() < 0.06 and data:
            data, then = data[:r.randrange(len(data))], r.choice(["close", "close", "reset", "hold"])
        when = r.choice(["body"] * 12 + ["head", "now"]) if not lines else "body"
        # a reset before the request or its body: whether connecting or sending fails is a matter of time
        add(data, "close" if when != "body" and then == "reset" else then, when)
    return lines


def option_lines(r, h):
    """Some options of a handle. No two of the times end at once, nor with the second that Expect is waited for."""
    def setting(name, kind, *values):
        return ["set", h, name, kind, *map(str, values)] if kind == "l" else ["set", h, name, kind, *values]

    pool = [
        lambda: setting("FOLLOWLOCATION", "l", r.choice([1, 1, 1, 0, 2, 3])),
        lambda: setting("MAXREDIRS", "l", r.choice([-1, 0, 1, 2, 50])),
        lambda: setting("POSTREDIR", "l", r.choice([0, 1, 2, 4, 7])),
        lambda: setting("AUTOREFERER", "l", 1),
        lambda: setting("UNRESTRICTED_AUTH", "l", r.choice([0, 1])),
        lambda: setting("RANGE", "s", r.choice(["1-3", "0-", "-5", "5-2", "x", "", "0-0,2-3", "10"])),
        lambda: setting("RESUME_FROM", "l", r.choice([0, 1, 5, -1, 1000, -2])),
        lambda: setting("RESUME_FROM_LARGE", "l", r.choice([0, 1, 3, 5])),
        lambda: setting("FAILONERROR", "l", 1),
        lambda: setting("HEADER", "l", 1),
        lambda: setting("HTTP_VERSION", "l", r.choice([0, 1, 2])),
        lambda: setting("HTTPHEADER", "z", *[r.choice(ETC) for _ in range(r.choice([1, 1, 2, 3]))]),
        lambda: setting("USERAGENT", "s", r.choice(["ua", "", "two words"])),
        lambda: setting("REFERER", "s", r.choice(["http://r/", ""])),
        lambda: setting("COOKIE", "s", r.choice(["a=b", "", "a=b; c=d"])),
        lambda: setting("ACCEPT_ENCODING", "s", r.choice(["gzip", "deflate", "gzip, deflate", "identity", "x", "br"])),
        lambda: setting("TRANSFER_ENCODING", "l", r.choice([0, 1])),
        lambda: setting("HTTP_CONTENT_DECODING", "l", r.choice([0, 1])),
        lambda: setting("HTTP_TRANSFER_DECODING", "l", 0),
        lambda: setting("IGNORE_CONTENT_LENGTH", "l", 1),
        lambda: setting("USERPWD", "s", r.choice(["u:p", "u", ":p", "", ":", "u:p:q", "a%20b:c"])),
        lambda: setting("USERNAME", "s", r.choice(["u", "", "\u00e4"])),
        lambda: setting("PASSWORD", "s", r.choice(["p", ""])),
        lambda: setting("HTTPAUTH", "l", r.choice([1, 64, 65, 0, 1 | 1 << 31, 64 | 1 << 31])),
        lambda: setting("XOAUTH2_BEARER", "s", r.choice(["token", "", "t o"])),
        lambda: setting("MAXFILESIZE", "l", number(r)),
        lambda: setting("MAXFILESIZE_LARGE", "l", number(r)),
        lambda: setting("TIMECONDITION", "l", r.choice([0, 1, 2, 3])),
        lambda: setting("TIMEVALUE", "l", r.choice([0, 1, 784111777, 1795000000, -1])),
        lambda: setting("FILETIME", "l", 1),
        lambda: setting("CUSTOMREQUEST", "s", r.choice(METHODS)),
        lambda: setting("REQUEST_TARGET", "s", r.choice(["*", "/x y", "http://q/", ""])),
        lambda: setting("PATH_AS_IS", "l", 1),
        lambda: setting("PORT", "l", r.choice([0, 80, 8080, 1])),
        lambda: setting("HTTP09_ALLOWED", "l", r.choice([0, 1])),
        lambda: setting("HTTP200ALIASES", "z", r.choice(["ICY 200 OK", "hello", "HTTP"])),
        lambda: setting("BUFFERSIZE", "l", r.choice([1024, 1500, 65536])),
        lambda: setting("TIMEOUT_MS", "l", r.choice([1300, 100, 5000])),
        lambda: setting("TIMEOUT", "l", r.choice([4, 3, 60])),
        lambda: setting("CONNECTTIMEOUT_MS", "l", r.choice([100, 1000])),
        lambda: setting("LOW_SPEED_TIME", "l", 3),
        lambda: setting("LOW_SPEED_LIMIT", "l", 10),
        lambda: setting("FRESH_CONNECT", "l", 1),
        lambda: setting("FORBID_REUSE", "l", 1),
        lambda: setting("MAXCONNECTS", "l", r.choice([0, 1, 2])),
        lambda: setting("CONNECT_TO", "z", r.choice(["::127.0.0.3:82", "127.0.0.1::127.0.0.2:", "h1.test:80::81", ":::",
                                                     "127.0.0.1:80:127.0.0.1:80", "x:y:z", "::[::1]:"])),
        lambda: setting("PROTOCOLS_STR", "s", r.choice(["http", "https", "http,https", "all"])),
        lambda: setting("REDIR_PROTOCOLS_STR", "s", r.choice(["http", "https", "http,file", "file", "all"])),
        lambda: setting("DEFAULT_PROTOCOL", "s", r.choice(["http", "file", "https", "x"])),
        lambda: setting("DISALLOW_USERNAME_IN_URL", "l", 1),
        lambda: setting("EXPECT_100_TIMEOUT_MS", "l", r.choice([0, 1, 500, 2000])),
        lambda: setting("KEEP_SENDING_ON_ERROR", "l", 1),
        lambda: setting("UPLOAD_BUFFERSIZE", "l", r.choice([16384, 65536])),
        lambda: setting("TCP_KEEPALIVE", "l", 1),
        lambda: setting("UNIX_SOCKET_PATH", "s", "/tmp/s"),
        lambda: setting("ABSTRACT_UNIX_SOCKET", "s", "abs"),
        lambda: setting("IPRESOLVE", "l", r.choice([0, 0, 0])),     # literals of the other family: test_names.py
        lambda: setting("LOCALPORT", "l", 3000),
        lambda: setting("INTERFACE", "s", "127.0.0.1"),
        lambda: setting("MAXAGE_CONN", "l", 1),
        lambda: setting("CONNECT_ONLY", "l", 1),
        lambda: setting("NOPROXY", "s", "*"),
        lambda: setting("COOKIELIST", "n"),
        lambda: setting("SHARE", "h", 0),
        lambda: ["cb", h, "progress"], lambda: ["cb", h, "progress"],
        lambda: ["cb", h, "debug"], lambda: ["cb", h, "prereq"], lambda: ["cb", h, "seek"],
        lambda: ["cb", h, "sockopt"], lambda: ["cb", h, "resolve"], lambda: ["cb", h, "closesocket"],
        lambda: ["act", h, "write", str(number(r)), r.choice(["return", "pause"]), "0"],
        lambda: ["act", h, "write", str(number(r)), "pause"],
        lambda: ["act", h, "header", str(r.choice([1, 2, 3, 4])), "return", "0"],
        lambda: ["act", h, "progress", str(number(r)), "return", "1"],
        lambda: ["act", h, "prereq", "1", "return", "1"],
        lambda: ["act", h, "sockopt", "1", "return", "1"],
        lambda: ["act", h, "resolve", "1", "return", "1"],
        lambda: ["sends", str(r.choice([1, 7, 100]))],
    ]
    return [r.choice(pool)() for _ in range(r.choice([0, 1, 1, 2, 2, 3, 4, 6]))]


def method_lines(r, h):
    """The method and its body."""
    data = r.choice(BODIES)
    size = r.choice([len(data)] * 5 + [-1, -1, 0, 3, len(data) + 2])
    body = ["body", h, data] + ([str(r.choice([1, 10, 1000]))] if len(data) < 100 and r.random() < 0.4 else [])
    way = r.choice(["get"] * 9 + ["head"] * 2 + ["fields"] * 4 + ["post"] * 2 + ["put"] * 3 + ["copy", "trailers"])
    lines = {
        "get": [],
        "head": [["set", h, "NOBODY", "l", "1"]],
        "fields": [["set", h, "POSTFIELDS", "p", data.replace(b"\0", b"0")]],
        "copy": [["set", h, "POSTFIELDSIZE", "l", str(len(data))], ["set", h, "COPYPOSTFIELDS", "p", data]],
        "post": [["set", h, "POST", "l", "1"], body, ["set", h, "POSTFIELDSIZE", "l", str(size)]],
        "put": [["set", h, "UPLOAD", "l", "1"], body, ["set", h, "INFILESIZE_LARGE", "l", str(size)]],
        "trailers": [["set", h, "UPLOAD", "l", "1"], body, ["cb", h, "trailer"],
                     ["set", h, "HTTPHEADER", "z", "Trailer: X-T"], ["trailers", h, r.choice(["X-T: v", "bad", "X:"])]],
    }[way]
    if lines and way in ("post", "put", "trailers"):
        lines += [["act", h, "read", str(number(r)), *r.choice([("return", "268435456"), ("pause",)])]] * (r.random() < .08)
        lines += [["cb", h, "seek"]] * (r.random() < .5)
    if way == "fields" and r.random() < .3:
        lines.append(["set", h, "POSTFIELDSIZE", "l", str(min(size, len(data)))])
    return lines


def parallel(r):
    """Several handles in one multi, each with answers of its own."""
    lines = [["way", r.choice(WAYS[5:])]]
    handles = r.choice([2, 2, 3])
    if r.random() < 0.3:
        option = r.choice([6, 7, 13, 16])
        lines.append(["mset", str(option), str(r.choice([1, 2] if option == 6 else [1, 2, 0]))])
    for h in map(str, range(handles)):
        lines += answers(r, h, 0)
        lines += [["set", h, "URL", "s", f"http://{r.choice(HOSTS[:11])}/g{h}{r.choice(PATHS[:6])}"]]
        # another target in the request would take the answers of another handle, whichever is first, as one of Location
        lines += [x for x in method_lines(r, h) + option_lines(r, h)
                  if "REQUEST_TARGET" not in x and "FOLLOWLOCATION" not in x]
    lines.append(["perform", *map(str, range(handles))])
    return lines


def without_resumed_uploads(lines):
    """The newest refuses to resume a request with a body whatever else is set, also of a handle that has POSTFIELDS and
    does not send them; ours resumes a PUT as the manual says (docs/compat.md, test_upload.py)."""
    if not any(x[0] == "set" and x[2] in ("UPLOAD", "POST", "POSTFIELDS", "COPYPOSTFIELDS") for x in lines):
        return lines
    return [x for x in lines if x[0] != "set" or x[2] not in ("RESUME_FROM", "RESUME_FROM_LARGE")]


def whole_requests_first(lines):
    """A server whose answer comes while the body is still read from the callback: how much of the body is out by then,
    and whether the callback's mistakes come before the answer, is a matter of who sends and receives when. (So is how
    much is out when the progress callback ends the transfer.) So it has to wait for the whole request, but for the
    answers to Expect of a client that waits, where they are responses."""
    if not any(x[0] == "body" for x in lines):
        # the same of a request that does not go out at once, or whose body waits for an answer to Expect
        expects = any(x[0] == "set" and x[2] == "HTTPHEADER" and "Expect: 100-continue" in x[4:] for x in lines)
        if expects:
            lines = [x[:4] + [v for v in x[4:] if not v.startswith(("Content-Length:", "Transfer-Encoding:"))]
                     if x[0] == "set" and x[2] == "HTTPHEADER" else x for x in lines]
        cut = expects or any(x[0] == "sends" for x in lines)
        return [[*x[:2], "body", *x[3:]] if cut and x[0] == "answer" else x for x in lines]
    sizes = [x[4] for x in lines if x[0] == "set" and x[2] in ("POSTFIELDSIZE", "INFILESIZE_LARGE")]
    waits = not malformed(bytes_of(lines)) and not any(x[0] == "sends" for x in lines) and all(s == "-1" for s in sizes) and not any(x[0] == "set" and x[2] == "EXPECT_100_TIMEOUT_MS" for x in lines)
    out = []
    for x in lines:
        if x[0] == "answer" and x[2] != "body" and not (waits and x[2] == "head" and (x[4] == "more" or b" 417" in x[5][:12])):
            x = [*x[:2], "body", *x[3:]]
        if x[0] == "set" and x[2] == "HTTPHEADER":
            # without them the server cannot know where the body ends
            x = x[:4] + [v for v in x[4:] if not v.startswith(("Content-Length:", "Transfer-Encoding:", "Expect:"))]
            if len(x) == 4:
                continue
        if x[0] != "act" or x[2] != "progress":
            out.append(x)
    return out


def without_empty_queries(lines):
    """In a second transfer the newest has forgotten an empty query or fragment, and requests another target."""
    if sum(x[0] == "perform" for x in lines) < 2:
        return lines
    return [[*x[:4], x[4].rstrip("?#")] if x[0] == "set" and x[2] == "URL" else x for x in lines]


def without_ports_of_their_own(lines):
    """The newest sends a request that asks for no local port on a connection that has one; ours does not (docs/compat.md)."""
    if sum(len(x) - 1 for x in lines if x[0] == "perform") < 2:
        return lines
    return [x for x in lines if x[0] != "set" or x[2] != "LOCALPORT"]


def not_in_pieces_too_early(lines):
    """How much of a request is sent in pieces, when an answer comes before it, is a matter of who sends and receives when.
    Without its length the server does not know that a body comes."""
    if not any(x[0] == "sends" for x in lines):
        return lines
    lines = [[*x[:2], "body", *x[3:]] if x[0] == "answer" and x[2] == "now" else x for x in lines]
    return [x for x in lines if x[0] != "set" or x[2] != "HTTPHEADER" or not any(v.startswith("Content-Length:") for v in x[4:])]


def with_one_local_socket(lines):
    """CURLOPT_UNIX_SOCKET_PATH counts where both are set; for the newest the last that was set (docs/compat.md)."""
    if not any(x[0] == "set" and x[2] == "UNIX_SOCKET_PATH" for x in lines):
        return lines
    return [x for x in lines if x[0] != "set" or x[2] != "ABSTRACT_UNIX_SOCKET"]


def refused_by_the_resolver_once(lines):
    """The newest does not ask the resolver callback for a literal address again, and asks it for CURLOPT_INTERFACE
    (docs/compat.md): where the callback refuses, all that follows is other."""
    if sum(len(x) - 1 for x in lines if x[0] == "perform") < 2 and not any(x[0] == "set" and x[2] == "INTERFACE" for x in lines):
        return lines
    return [x for x in lines if x[0] != "act" or x[2] != "resolve"]


def bytes_of(lines):
    """The case as conditions.py takes it."""
    return [[f if isinstance(f, bytes) else str(f).encode() for f in line] for line in lines]


def several_challenges(case):
    """More than one 401, with other schemes or none in the one than in the other."""
    refused = [line[5] for line in case if line[0] == b"answer" and line[5][9:12] == b"401"]
    return len({frozenset(re.findall(rb"(?im)^www-authenticate:(.*)$", data)) for data in refused}) > 1


def one_transfer_out_of_step(lines):
    """After surplus bytes, or a response that one library refuses and the other takes, one of them is an answer
    late in every transfer that follows. So is the newest where it takes the challenge of an earlier transfer for one of this,
    and sends the request again."""
    case = bytes_of(lines)
    if not (surplus(case) or malformed(case) or members(case) or several_challenges(case)):
        return lines
    return lines[:next(i for i, x in enumerate(lines) if x[0] == "perform") + 1]


def one_request_out_of_step(lines):
    """The same within a chain of redirects: the newest reads what is no response on a connection that it uses again as the
    end of that connection, and repeats the request."""
    case = bytes_of(lines)
    if not (malformed(case) and (unsure(case) or surplus(case))):
        return lines
    return [x for x in lines if x[0] != "set" or x[2] != "FOLLOWLOCATION"]


def without_waiting_in_vain(lines):
    """A connection that one library uses again and the other does not: a server that says nothing there any more is the
    time-out of the one, and the other has an answer on another connection."""
    if not unsure(bytes_of(lines)) and sum(len(x) - 1 for x in lines if x[0] == "perform") < 2:
        return lines
    return [[*x[:4], "keep", *x[5:]] if x[0] == "answer" and x[4] == "hold" else x for x in lines]


def without_pieces_sent_in_vain(lines):
    """The newest sends on a kept connection that the server has closed, or whose response does not say where it ends. How
    much, before it sees this, is a matter of who sends and receives when."""
    if not ended(bytes_of(lines)) and not unsure(bytes_of(lines)):
        return lines
    return [x for x in lines if x[0] != "sends"]


def one_fault(lines):
    """Of two things that end, pause or refuse a transfer: which of them comes first, and what was delivered before, is each
    library's own, and so is where the next action of a callback comes. A response that is wrong, or after which a connection
    is not used again, is one, else the first action of a handle's callbacks. Times and sizes that end it are left out then."""
    case = bytes_of(lines)
    hostile = any(f(case) for f in (malformed, surplus, unsure, damaged, members))
    actions, out = {}, []
    for x in lines:
        if x[0] == "act":
            if hostile or actions.setdefault(x[1], x) is not x:
                continue
        out.append(x)
    return [x for x in out if x[0] != "set" or x[2] not in ENDING or not hostile and x[1] not in actions]


def without_conditional_redirects(lines):
    """The newest judges a time condition by the Last-Modified of a redirect too, and then sends a POST again as it was
    (docs/compat.md: a condition is of a success alone)."""
    if not any(x[0] == "set" and x[2] == "TIMECONDITION" for x in lines):
        return lines
    return [[*x[:5], DATED.sub(b"", x[5]), *x[6:]] if x[0] == "answer" and b" 3" in x[5][8:10] else x for x in lines]


def refused_expectations_at_once(lines):
    """Whether the newest sends the request again on the connection of a 417, whose server may wait for the body, depends on
    the pieces in which that comes, and on what it says of its own body. Ours makes another."""
    out = []
    for x in lines:
        if x[0] == "answer" and x[2] == "head" and b" 417" in x[5][:12]:
            head = [f for f in x[5].split(b"\r\n\r\n")[0].split(b"\r\n") if not FRAMING.match(f)]
            x = [*x[:5], b"\r\n".join([*head, b"Content-Length: 0", b"", b""])]
        out.append(x)
    return out


def without_codings_on_and_off(lines):
    """The newest decodes gzip as a transfer coding also where transfer codings are not decoded; ours does not
    (docs/http1-responses.md)."""
    if not any(x[0] == "set" and x[2] == "TRANSFER_ENCODING" for x in lines):
        return lines
    return [x for x in lines if x[0] != "set" or x[2] != "HTTP_TRANSFER_DECODING"]


def without_close_and_keep_alive(lines):
    """In HTTP/1.0 keep-alive wins over close for the newest; for ours close does (docs/http1-responses.md), also where that
    comes first: the body of a redirect is not read then."""
    return [[*x[:5], KEPT.sub(b"", x[5]), *x[6:]] if x[0] == "answer" and x[5].startswith(b"HTTP/1.0") and closes(x[5]) else x
            for x in lines]


def without_interim_locations(lines):
    """In an interim response Location has no meaning (docs/http1-responses.md, test_redirect.py); the newest shows it, refuses
    another in the final one, and does not follow the same."""
    return [[*x[:5], LOCATED.sub(b"", x[5]), *x[6:]] if x[0] == "answer" and b" 1" in x[5][8:10] else x for x in lines]


def without_names_of_bytes(lines):
    """A host with bytes above ASCII in a Location is no URL to ours; the newest's build has no IDN and asks for that name."""
    return [[*x[:5], NAMED.sub(lambda m: re.sub(rb"[\x80-\xff]", b"", m[0]), x[5]), *x[6:]] if x[0] == "answer" else x for x in lines]


def one_time_of_waiting(lines):
    """Whether the time in which an answer to Expect is waited for is one of low speed is each library's own."""
    if not any(x[0] == "set" and x[2] == "LOW_SPEED_TIME" for x in lines):
        return lines
    return [x for x in lines if x[0] != "set" or x[2] != "EXPECT_100_TIMEOUT_MS"]


def with_one_transfer_encoding(lines):
    """Of several lines Transfer-Encoding in CURLOPT_HTTPHEADER the first one counts (docs/compat.md); the newest sends others
    too, and a server may wait for the body that they promise."""
    out = []
    for x in lines:
        if x[0] == "set" and x[2] == "HTTPHEADER":
            first = [v for v in x[4:] if v.startswith("Transfer-Encoding:")][:1]
            x = x[:4] + [v for i, v in enumerate(x[4:]) if not v.startswith("Transfer-Encoding:") or x[4:].index(first[0]) == i]
        out.append(x)
    return out


def with_schemes_of_one_transfer(lines):
    """What an earlier transfer used of several schemes of authentication, the newest goes on with, also for other hosts and
    after CURLOPT_HTTPAUTH was set again; ours asks each server (docs/compat.md, test_auth.py). A single scheme that
    stays is the same for both."""
    ends = [i for i, x in enumerate(lines) if x[0] == "perform"]
    values = {x[4] if i < ends[0] else "" for i, x in enumerate(lines) if x[0] == "set" and x[2] == "HTTPAUTH"}
    if len(ends) < 2 or len(values) == 1 and values <= {"1", "64"}:
        return lines
    return [x for x in lines if x[0] != "set" or x[2] != "HTTPAUTH"]


def without_uploads_to_files(lines):
    """No case changes a file (files.c): how an upload fails then is of no interest (test_file.py has what succeeds)."""
    if not any(x[0] == "set" and x[2] == "UPLOAD" for x in lines):
        return lines
    return [x for x in lines if x[0] != "set" or x[2] not in ("DEFAULT_PROTOCOL", "REDIR_PROTOCOLS_STR") or not ("file" in x[4] or x[4] == "all")]


def without_limits_of_hosts_elsewhere(lines):
    """CURLMOPT_MAX_HOST_CONNECTIONS counts by the host of the URL, for the newest by where a connection leads (docs/compat.md):
    which of the transfers waits, and which of them the next answer is for, is other then."""
    if not any(x[0] == "set" and x[2] in ("UNIX_SOCKET_PATH", "ABSTRACT_UNIX_SOCKET", "CONNECT_TO") for x in lines):
        return lines
    return [x for x in lines if x[:2] != ["mset", "7"]]


def with_an_end(lines):
    """Five minutes for a connection that is never answered are many turns of a loop."""
    deaf = {x[1] for x in lines if x[0] == "set" and x[2] == "URL" and ":9/" in x[4]}
    return [["set", h, "CONNECTTIMEOUT_MS", "l", "3000"] for h in sorted(deaf)] + lines


def transfer(r):
    """A case: one handle and one to three transfers, or several at once."""
    if r.random() < 0.08:
        lines = parallel(r)
    else:
        lines = [["way", r.choice(WAYS)]]
        lines += answers(r, 0, r.choice([0, 0, 0, 1, 1, 2, 4]))
        first = url(r)
        lines += [["set", "0", "URL", "s", first]] + method_lines(r, "0") + option_lines(r, "0")
        if r.random() < 0.6:
            lines.append(["set", "0", "FOLLOWLOCATION", "l", "1"])
        lines.append(["perform", "0"])
        for _ in range(r.choice([0, 0, 0, 1, 1, 2])):
            if r.random() < 0.4:
                lines.append(["set", "0", "URL", "s", url(r)])
            if r.random() < 0.3:
                lines += option_lines(r, "0")
            if r.random() < 0.1:
                lines.append(r.choice([["reset", "0"], ["dup", "0", "1"], ["set", "0", "HTTPGET", "l", "1"]]))
            lines.append(["perform", "0"])
    for make in (without_resumed_uploads, whole_requests_first, without_empty_queries, without_ports_of_their_own,
                 not_in_pieces_too_early, with_one_local_socket, refused_by_the_resolver_once,
                 one_transfer_out_of_step, one_request_out_of_step, without_waiting_in_vain, without_pieces_sent_in_vain, one_fault,
                 without_conditional_redirects, refused_expectations_at_once, without_codings_on_and_off,
                 without_interim_locations, without_names_of_bytes, one_time_of_waiting, with_one_transfer_encoding, without_close_and_keep_alive, with_schemes_of_one_transfer,
                 without_uploads_to_files, without_limits_of_hosts_elsewhere, with_an_end):
        lines = make(lines)
    known = ["h1.test:80:127.0.0.1", "h1.test:81:127.0.0.4", "h1.test:8080:127.0.0.1", "h2.test:80:127.0.0.5",
             "h2.test:8080:127.0.0.5", "h2.test:81:127.0.0.5"]
    return [["set", h, "RESOLVE", "z", *known] for h in ("0", "1", "2") if any(x[1:2] == [h] for x in lines)] + lines
