"""Random transfers through proxies: HTTP, tunnels, SOCKS. Functions take a random generator."""

KNOWN = ["h1.test:80:127.0.0.1", "h2.test:80:127.0.0.5", "h1.test:8080:127.0.0.1", "h2.test:8080:127.0.0.5", "p.test:3128:127.0.0.9",
         "p.test:1080:127.0.0.9"]
HOSTS = ["127.0.0.1"] * 4 + ["127.0.0.2", "h1.test", "h2.test", "[::1]", "127.0.0.1:8080", "h1.test:8080"]
PATHS = ["/g1", "/g1/a?q", "/g1/a b", "/g1#f", "/g1/../g1/x", "/g1/%41"]   # of an empty query the newest asks a proxy without "?"
HTTP = ["127.0.0.9:3128"] * 3 + ["http://127.0.0.9:3128", "http://127.0.0.9:3128/", "http://u:p@127.0.0.9:3128", "p.test:3128", "HTTP://p.test:3128",
        "http://127.0.0.9:3128/path?q", "u@127.0.0.9:3128", ":p@127.0.0.9:3128", "http://u%40v:p%3aq@127.0.0.9:3128", "[::1]:3128", "127.0.0.9",
        "http://127.0.0.9", "http://p.test:3128#f"]
ODD = ["", "http://", "foo://127.0.0.9:3128", "127.0.0.9:99999", "127.0.0.9:x", "http://[::1", " 127.0.0.9:3128", "127.0.0.9:3128 ",
       "http://127.0.0.9:0", ":3128", "http:///x", "a b:3128", "http://u:p@", "127.0.0.9:1", "http:/127.0.0.9:3128", "//127.0.0.9:3128",
       "127.0.0.9:3128:4", "127.0.0.9:", "http://127.0.0.9:", "[::1]:/", "-", "\u00e4:3128", "127.0.0.9\\x:3128", "http://127.0.0.9:3128\n"]
SOCKS = [f"{s}://{u}{h}{p}" for s in ("socks4", "socks4a", "socks5", "socks5h", "socks", "SOCKS5") for u in ("", "u:p@", "u@")
         for h in ("127.0.0.9", "p.test") for p in ("", ":1080")]
NO_PROXY = ["*", "127.0.0.1", "h1.test", ".test", "test", "127.0.0.0/8", "127.0.0.0/31", "h2.test, h1.test", "h1.test:80", "", ",", "::1",
            "H1.TEST", "h1.test.", "1.test", " h1.test ", "127.0.0.1/33", "127.0.0.1/",
            "h2.test h1.test", "h1.test x", "x\t,\th1.test", "127.0.0.2/0", "0.0.0.0/0", "[127.0.0.1]", "[::1]", "::/0", "h1.test..", "*,"]
# fields of CURLOPT_PROXYHEADER that say who asks whom: the newest leaves them out after a redirect
LINES = ["X-A: b", "User-Agent: me", "User-Agent:", "Proxy-Connection: close", "Proxy-Connection:",
         "Proxy-Authorization: x", "Accept:", "nonsense", "X-B;", "Content-Length: 0"]


def connect_answer(r):
    """(what a proxy says to CONNECT, whether it closes then)"""
    status = r.choice([200] * 14 + [201, 204, 299, 301, 401, 403, 404, 407, 407, 407, 500, 502, 503])
    fields = [r.choice(["Via: x", "X-Y: z", "Proxy-Agent: p", "Connection: keep-alive", "Set-Cookie: a=b", "Date: x", "X-E:"])
              for _ in range(r.choice([0, 0, 1, 2]))]
    body, closes = b"", False
    if status == 407 and r.random() < 0.9:
        fields.append("Proxy-Authenticate: " + r.choice(['Basic realm="x"', "Basic", "Foo", "Bearer", 'Foo a=b, Basic realm="z"', ""]))
    if not 200 <= status < 300:
        way = r.choice(["length"] * 4 + ["chunked", "close", "none"])
        body = b"denied"
        if way == "length":
            fields.append("Content-Length: 6")
        elif way == "chunked":
            fields.append("Transfer-Encoding: chunked")
            body = b"6\r\ndenied\r\n0\r\n\r\n"
        else:
            closes = True
        if r.random() < 0.25:
            fields.append(r.choice(["Connection: close", "Proxy-Connection: close"]))
            closes = True
    elif r.random() < 0.08:
        fields.append(r.choice(["Content-Length: 0", "Content-Length: 5", "Transfer-Encoding: chunked"]))
    head = r.choice(["HTTP/1.1"] * 5 + ["HTTP/1.0"]) + f" {status}" + r.choice([" OK", " Connection established", ""])
    out = "\r\n".join([head, *fields]).encode() + b"\r\n\r\n" + body
    if r.random() < 0.03:
        out, closes = r.choice([b"", b"HTTP/1.1 200 OK\r\n", b"hello\r\n\r\n", b"HTTP/2 200\r\n\r\n", b"HTTP/1.1 20\r\n\r\n", b"HTTP/1.1 200 OK\n\n"]), True
    return out, closes


def origin_answer(r):
    status = r.choice([200] * 8 + [404, 204, 301, 302, 407, 401])
    fields, body = [], b"" if status == 204 else r.choice([b"", b"x", b"hello", b"y" * 3000])
    if status in (301, 302):
        fields.append("Location: " + r.choice(["/g1/b", "http://127.0.0.2/g1/b", "http://h2.test/g1", "http://127.0.0.1:8080/g1", "http://u:p@127.0.0.1/g1"]))
    if status == 407:
        fields.append('Proxy-Authenticate: Basic realm="x"')
    if status != 204:
        fields.append(f"Content-Length: {len(body)}")
    fields += [r.choice(["X-Y: z", "Via: x"]) for _ in range(r.choice([0, 0, 1]))]
    return "\r\n".join([f"HTTP/1.1 {status} OK", *fields]).encode() + b"\r\n\r\n" + body


def socks5(r):
    """The lines of a SOCKS5 proxy on port 1080."""
    choice = r.choice([0] * 6 + [2] * 4 + [255, 1, 3])
    lines = [["says", "1080", "3", bytes([5 if r.random() < 0.95 else r.choice([4, 0]), choice])]]
    if choice == 2:
        lines.append(["says", "1080", "3", bytes([1 if r.random() < 0.95 else 0, 0 if r.random() < 0.85 else 1])])
    kind = r.choice([1] * 8 + [3, 4, 3, 4, 9])
    where = {1: b"\x7f\0\0\1", 3: b"\4host", 4: bytes(16), 9: b""}[kind] + b"\0\x50"
    reply = bytes([5 if r.random() < 0.96 else 4, 0 if r.random() < 0.75 else r.choice([1, 2, 3, 4, 5, 6, 7, 8, 9, 255]), 0, kind]) + where
    return lines + [["says", "1080", "7", reply]]


def socks4(r):
    reply = bytes([0 if r.random() < 0.95 else r.choice([4, 5]), 0x5a if r.random() < 0.7 else r.choice([0x5b, 0x5c, 0x5d, 0, 1, 0x59])])
    return [["says", "1080", "9", reply + bytes(6)]]


def cut(r, lines):
    """One of a proxy's sayings is too short and the proxy leaves, seldom."""
    if r.random() > 0.08:
        return lines
    at = r.randrange(len(lines))
    data = lines[at][3]
    return lines[:at] + [[*lines[at][:3], data[:r.randrange(len(data))], "close"]]


def option(r, h="0"):
    pool = [lambda: ["PROXYUSERPWD", "s", r.choice(["u:p", "u", ":p", "u:p:q", "u%40v:p"])],
            lambda: ["PROXYUSERNAME", "s", r.choice(["u", "\u00e4"])],
            lambda: ["PROXYAUTH", "l", r.choice([1, 1, 0])],
            lambda: ["PROXYHEADER", "z", *[r.choice(LINES) for _ in range(r.choice([1, 2, 3]))]],
            lambda: ["HTTPHEADER", "z", *[r.choice(LINES) for _ in range(r.choice([1, 2, 3]))]],
            lambda: ["HEADEROPT", "l", r.choice([0, 1, 1])], lambda: ["SUPPRESS_CONNECT_HEADERS", "l", r.choice([1, 1, 0])],
            lambda: ["NOPROXY", "s", r.choice(NO_PROXY)], lambda: ["HTTPPROXYTUNNEL", "l", r.choice([1, 1, 0])],
            lambda: ["HEADER", "l", "1"], lambda: ["USERPWD", "s", "s:t"], lambda: ["PROXYPORT", "l", r.choice([3128, 0, 8080])],
            lambda: ["PROXYTYPE", "l", r.choice([0, 1, 4, 5, 6, 7])], lambda: ["FAILONERROR", "l", 1], lambda: ["NOBODY", "l", 1],
            lambda: ["HAPROXYPROTOCOL", "l", 1], lambda: ["HAPROXY_CLIENT_IP", "s", r.choice(["1.2.3.4", "::5"])],
            lambda: ["CONNECT_TO", "z", r.choice(["::127.0.0.3:82", "h1.test:80:127.0.0.4:"])],
            lambda: ["USERAGENT", "s", "ua"], lambda: ["POSTFIELDS", "p", "a=b"], lambda: ["FRESH_CONNECT", "l", 1], lambda: ["FORBID_REUSE", "l", 1],
            lambda: ["REQUEST_TARGET", "s", r.choice(["*", "/g1/t"])], lambda: ["COOKIEFILE", "s", ""], lambda: ["CUSTOMREQUEST", "s", "FOO"],
            lambda: ["HTTP_VERSION", "l", r.choice([1, 2])]]
    if r.random() < 0.08:
        return ["cb", h, r.choice(["debug", "prereq", "sockopt", "closesocket"])]
    name, kind, *values = r.choice(pool)()
    return ["set", h, name, kind, *map(str, values)]


def proxy_line(r):
    kind = r.random()
    if kind < 0.06:
        return ["set", "0", "PROXY", "s", r.choice(ODD)]
    return ["set", "0", "PROXY", "s", r.choice(SOCKS if kind < 0.4 else HTTP)]


def target(r):
    return ["set", "0", "URL", "s", "http://" + r.choice([""] * 6 + ["s:t@"]) + r.choice(HOSTS) + r.choice(PATHS)]


def proxies(r):
    """A case: a proxy and one to three transfers. With the PROXY line there is one: the newest also uses a
    connection for it that was made without, and for others."""
    first = proxy_line(r)
    lines = [["way", r.choice(["easy"] * 5 + ["poll", "socket"])], ["set", "0", "RESOLVE", "z", *KNOWN], ["set", "0", "CONNECTTIMEOUT", "l", "60"]]
    lines += cut(r, socks4(r) if "ocks4" in first[4] else socks5(r))
    for _ in range(5):
        data, closes = connect_answer(r)
        lines.append(["answer", "0", "body", "0", "close" if closes else "keep", data])
    lines += [["answer", "1", "body", "0", "keep", origin_answer(r)] for _ in range(8)]
    if r.random() < 0.1:
        name = r.choice(["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"])
        # port 80 is stated in one of the texts: with a PROXYTYPE of SOCKS the newest takes it for none
        lines.append(["env", name, r.choice([x for x in HTTP + NO_PROXY if ":80" not in x or name.lower() == "no_proxy"])])
    if r.random() < 0.95:
        lines.append(first)
    if r.random() < 0.08 and first[4] not in ODD:
        lines.append(["set", "0", "PRE_PROXY", "s", r.choice([s for s in SOCKS if "@" in s])])
    if r.random() < 0.5:
        lines.append(["set", "0", "HTTPPROXYTUNNEL", "l", "1"])
    if r.random() < 0.4:
        lines.append(["set", "0", "FOLLOWLOCATION", "l", "1"])
    if any(x[0] == "says" and x[3] == b"\5\2" for x in lines):
        # a proxy that asks for a login which was not offered is refused by ours; the newest sends an empty one
        lines.append(["set", "0", "PROXYUSERPWD", "s", r.choice(["u:p", "u", "u:"])])
    lines += [option(r) for _ in range(r.choice([0, 1, 1, 2, 3, 5]))]
    lines += [target(r), ["perform", "0"]]
    for _ in range(r.choice([0, 0, 1, 1, 2])):
        if r.random() < 0.5:
            lines.append(target(r))
        if r.random() < 0.3:
            lines.append(next(x for x in iter(lambda: option(r), None) if "HAPROXY" not in x[2] and x[2] != "PROXYAUTH"))
        if r.random() < 0.15:
            lines.append(proxy_line(r))
        lines.append(["perform", "0"])
    if any(x[0] == "env" or x[0] == "set" and x[2] in ("PROXY", "PRE_PROXY") and x[4] in SOCKS for x in lines):
        # a port that the text states is used; where that is the usual one the newest uses CURLOPT_PROXYPORT
        lines = [x for x in lines if x[0] != "set" or x[2] != "PROXYPORT"]
    if sum(x[0] == "perform" for x in lines) > 1:
        lines = [x for x in lines if x[0] != "set" or "HAPROXY" not in x[2]]
    return lines
