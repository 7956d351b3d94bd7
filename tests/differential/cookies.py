"""Random transfers with cookies: by servers, by the application, and which of them requests have. Functions take a random
generator."""

# ---- cookies ----

SITES = ["a.example.com", "b.a.example.com", "example.com", "other.test", "localhost", "site.co.uk", "127.0.0.1", "127.0.0.2"]
NAMED = ["h", "a.example.com", "b.a.example.com", "example.com", "other.test", "localhost", "site.co.uk"]
PLACES = ["/", "/p", "/p/", "/p/q", "/pq", "/p/q/r?x=1", "/%70/", "/P", "", "?q", "//p", "/p;v=1"]
COOKIE_NAMES = ["a", "b", "A", "sid", "__Secure-x", "__Host-x", "__secure-x", "__HOST-y", "a b", "", "a[0]", "$v", "\u00e4", "domain"]
VALUES = ["1", "2", "", "v w", '"q"', '"q;r"', "x=y", "a,b", " lead", "trail ", "\u00e4", "1;", "%00", "0" * 300, "a\tb", '"', "''"]
DOMAINS = ["example.com", ".example.com", "a.example.com", "EXAMPLE.com", "com", ".com", "co.uk", "site.co.uk", "other.test", "test",
           "localhost", "127.0.0.1", ".0.0.1", "0.0.1", "", ".", "..example.com", "example.com.", "xample.com", "b.a.example.com",
           '"example.com"', " example.com ", "example.com:80", "[::1]", ".a.example.com"]
COOKIE_PATHS = ["/", "/p", "/p/", "/p/q", "p", "", '"/p"', "/p/q/", "/P", "//", "/%70", "/p ", "/pq", "/ä", "/p?x", '""']
EXPIRY = ["Wed, 18 Nov 2026 12:00:00 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 2027",
          "Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 01-Jan-2027 10:00:00 GMT", "01 Jan 27 10:00", "x", "",
          '"Thu, 01 Jan 2027 10:00:00 GMT"', "2027-01-01", "20270101", "Thu, 01 Jan 2027 10:00:00 +0200", "0", "1", "1830000000",
          "Mon, 29 Feb 2027 00:00:00 GMT", "Thu, 32 Jan 2027 00:00:00 GMT", "Thu, 01 Jan 2027", "Tue, 01-Jan-1601 00:00:00 GMT"]
AGES = ["0", "1", "3600", "-1", "-5", '"3600"', "x", "", "99999999999999999999", "9223372036854775807", "3600x", " 60", "+60", "1e3", "00",
        "'60'", "2147483648", "60 ", '"60', "34560000", "34560001"]
FLAGS = ["Secure", "secure", "HttpOnly", "httponly", "SameSite=Lax", "Version=1", "Secure=1", "Secure=", "HttpOnly=x", "Partitioned",
         "Comment=a b", "discard", "max-age", "domain", "path", "expires", "", "=", "=x", "x=", "Priority=High"]


def attribute(r):
    word, equals = r.random(), r.choice(["="] * 8 + [" = ", "= ", " ="])
    if word < 0.22:
        return r.choice(["Domain"] * 3 + ["domain", "DOMAIN"]) + equals + r.choice(DOMAINS)
    if word < 0.44:
        return r.choice(["Path"] * 3 + ["path", "PATH"]) + equals + r.choice(COOKIE_PATHS)
    if word < 0.58:
        return r.choice(["Expires", "expires"]) + equals + r.choice(EXPIRY)
    if word < 0.72:
        return r.choice(["Max-Age", "max-age"]) + equals + r.choice(AGES)
    return r.choice(FLAGS)


def set_cookie(r):
    """The value of a Set-Cookie field."""
    equals = r.choice(["="] * 12 + [" = ", " =", "= ", "", "\t="])
    name = r.choice(COOKIE_NAMES[:4] * 3 + COOKIE_NAMES)
    if name.lower().startswith("__host-") and r.random() < 0.6:
        pair = [name + equals + r.choice(VALUES), "Secure", "Path=/"]
    else:
        pair = [name + equals + r.choice(VALUES[:3] * 2 + VALUES)]
    pair += [attribute(r) for _ in range(r.choice([0, 0, 1, 1, 2, 2, 3, 5]))]
    out = r.choice(["; "] * 6 + [";", " ; ", ";;", ";\t"]).join(pair)
    if r.random() < 0.04:
        size = r.choice([1023, 1024, 4093, 4094, 4095, 4096, 4097, 4998, 5001, 1025])
        out = r.choice(["n=" + "v" * (size - 2), "n" * (size - 2) + "=v", "n=v; path=/" + "p" * size, "n=v; domain=" + "d" * size,
                        "n=v; x=" + "y" * size, "n=" + "v" * (size - 2) + "; path=/p"])
    out = out.encode("utf-8")
    if r.random() < 0.05:
        at = r.randrange(len(out) + 1)
        out = out[:at] + bytes([r.choice([1, 9, 0x1f, 0x7f, 0xff, 34, 59, 61, 44, 32])]) + out[at:]
    return r.choice([b""] * 6 + [b" "]) + out + r.choice([b""] * 6 + [b" ", b";", b"; "])


def netscape(r):
    """A line of a file of cookies."""
    fields = [r.choice(DOMAINS).replace("..", "."), r.choice(["TRUE", "FALSE", "TRUE", "true", "x", "false"]), r.choice(COOKIE_PATHS),
              r.choice(["TRUE", "FALSE", "FALSE", "true", "x"]),
              r.choice(["0", "1830000000", "1", "9999999999", "-1", "x", "", "1795000001", "99999999999999999999", " 1830000000"]),
              r.choice(COOKIE_NAMES), r.choice(VALUES).replace("\t", "")]
    if r.random() < 0.15:
        fields = r.choice([fields[:6], fields[:5], [*fields, "more"], fields[:2] + fields[3:], [f"{fields[0]} {fields[1]}", *fields[2:]]])
    return r.choice([""] * 8 + ["#HttpOnly_", "#HttpOnly_", "#", " ", "#httponly_"]) + "\t".join(fields) + r.choice([""] * 8 + ["\n", "\r\n", " "])


def list_line(r):
    """A value of CURLOPT_COOKIELIST."""
    word = r.random()
    if word < 0.12:
        return r.choice(["ALL", "SESS", "RELOAD", "FLUSH", "all", "sess", "ALL "])
    if word < 0.5:
        return netscape(r).encode("utf-8")
    return r.choice([b"Set-Cookie: "] * 5 + [b"set-cookie:", b"Set-Cookie:"]) + set_cookie(r)


def cookie_answer(r, location):
    fields = [r.choice([b"Set-Cookie: "] * 5 + [b"set-cookie:", b"Set-Cookie:"]) + set_cookie(r) for _ in range(r.choice([0, 1, 1, 2, 2, 4]))]
    status = b"302 F" if location else r.choice([b"200 OK"] * 8 + [b"404 N", b"204 N", b"500 E"])
    if location:
        fields.append(b"Location: " + location.encode())
    body = b"" if status[:3] == b"204" else b"x"
    if body:
        fields.append(b"Content-Length: 1")
    return b"HTTP/1.1 " + b"\r\n".join([status, *fields]) + b"\r\n\r\n" + body


def site_url(r):
    return "http://" + r.choice([""] * 12 + ["u:p@"]) + r.choice(SITES + SITES[:3]) + r.choice([""] * 8 + [":8080"]) + r.choice(PLACES)


def cookies(r):
    """A case: an engine, cookies by the application and by servers, several transfers. With a share the engine is always
    on: the newest does not use what CURLOPT_COOKIELIST puts into a share before (docs/compat.md)."""
    sites = NAMED[1:]
    lines = [["way", r.choice(["easy"] * 5 + ["poll", "socket"])], ["set", "0", "MAXCONNECTS", "l", "30"], ["mset", "6", "30"],
             ["set", "0", "RESOLVE", "z", *[f"{s}:{p}:127.0.0.{1 + i}" for i, s in enumerate(sites) for p in (80, 8080)]]]
    handles = ["0"]
    shares = r.random() < 0.12
    if shares:
        lines += [["shset", "0", "1", "2"], ["set", "0", "SHARE", "h", "0"]]
    if shares or r.random() < 0.85:
        lines.append(["set", "0", "COOKIEFILE", "s", ""])
    if r.random() < 0.1:
        lines.append(["set", "0", "COOKIESESSION", "l", "1"])
    if r.random() < 0.15:
        lines.append(["set", "0", "COOKIE", "s", r.choice(["own=1", "a=9; b=8", "", "a"])])
    if r.random() < 0.1:
        lines.append(["set", "0", "HTTPHEADER", "z", r.choice(["Host: example.com", "Cookie: h=1", "Host: other.test:81", "Cookie:"])])
    lines.append(["set", "0", "FOLLOWLOCATION", "l", "1"])
    for _ in range(r.choice([1, 1, 2, 2, 3, 5])):
        for _ in range(r.choice([0, 0, 1, 1, 2, 4])):
            lines.append(["set", handles[-1], "COOKIELIST", "s", list_line(r)])
        if r.random() < 0.08:
            lines.append(r.choice([["set", handles[-1], "COOKIELIST", "n"], *[["set", handles[-1], "COOKIEFILE", "n"]] * (not shares),
                                   ["set", handles[-1], "COOKIE", "n"], ["set", handles[-1], "COOKIESESSION", "l", "1"]]))
        if r.random() < 0.2:
            lines.append(["info", handles[-1], "4194332"])
        if r.random() < 0.05 and handles[-1] == "0":
            lines.append(["dup", "0", "1"])
            handles.append("1")
        target = None
        for _ in range(r.choice([0, 0, 0, 1, 2])):
            target = site_url(r) if r.random() < 0.6 else r.choice(["/p/q", "q", "../", "/"])
            lines.append(["answer", "0", "body", "0", "keep", cookie_answer(r, target)])
        lines.append(["answer", "0", "body", "0", "keep", cookie_answer(r, None)])
        lines.append(["set", handles[-1], "URL", "s", site_url(r)])
        lines.append(["perform", handles[-1]])
    return lines
