"""Random calls of functions that need no transfer, and options with odd values."""

# schemes of parts that are not built are left out, as are the flags for IDN (1 << 12 and 13): the newest libcurl's
# binary has none
SCHEMES = ["http", "https", "https", "file", "HTTP", "foo", "h2", "1a", "a+b-c.d", "", "x" * 41, "http:", "h\u00e4"]
HOSTS = ["example.com", "127.0.0.1", "127.1", "0x7f.1", "1.2.3", "1.25.1", "256.1.1.1", "0177.0.0.1", "[::1]", "[fe80::1%25eth0]",
         "[fe80::1%eth0]", "[::1", "::1", "[1::2::3]", "a b", "a%20b", "a%2", "a%41", "EXAMPLE.com", "a..b", ".", "-", "a_b",
         "", "x" * 300, "a,b", "[v1.x]", "[::ffff:1.2.3.4]", "4294967295", "4294967296", "1.2.3.4.", "a%00b", "\u00e4.de", "a%zz"]
PORTS = ["", ":", ":80", ":443", ":0", ":65535", ":65536", ":99999", ":08080", ":x", ":80x", ":-1", ": 80", ":+80"]
USERS = [""] * 6 + ["u@", "u:p@", ":p@", "u:@", ":@", "@", "u@v@", "u:p:q@", "u%40:p%3a@", "u;o@", "u p@", "u%zz@", "u/@"]
PATHS = ["", "/", "/a", "/a/b/../c", "/./a", "/../a", "/a/..", "/a/.", "/.", "/..", "/a%2f", "/a%2e%2e/b", "/.%2e/", "/%2e",
         "/a b", "/a%", "/a%zz", "/\u00e4", "/%e4", "/%c3%a4", "//a", "/a//../b", "/a\\b", "/\x7f", "/\t", "/a;b", "/A%2F%2f",
         "/" + "x" * 200, "a", "../a", "/a/../../b", "/%00", "/a/b/./", "/...", "/.../x", "/a/%2E%2e/"]
QUERIES = [""] * 4 + ["?", "?a", "?a=b", "?a=b&c", "?a b", "?a+b", "?%20", "??", "?a?b", "?\u00e4", "?a=b=c", "?&", "?%zz", "?'"]
FRAGMENTS = [""] * 5 + ["#", "#f", "#f g", "#f#g", "#%41", "#?x", "#\u00e4"]
RELATIVE = ["", "b", "/b", "../b", "../../b", "./b", "?q", "#f", "//h2/b", ".", "..", "b?c#d", "http:b", "http://x/", "/b/../c",
            "//", "///", "?", "#", ";x", "b:c", "\\b", " b", "b ", "/%2e%2e/x", "//h2:99/", "HTTP:/b", "https://y:1/z", "1:2"]
FLAGS = [0] * 6 + [1 << i for i in range(17) if i not in (12, 13)] + [1 << 9 | 1 << 3, 1 << 6 | 1 << 7, 1 << 3 | 1 << 2, 1 << 4 | 1 << 7, 1 << 11 | 1 << 6]


def any_url(r):
    if r.random() < 0.1:
        return r.choice(RELATIVE)
    slashes = r.choice(["://"] * 14 + [":", ":/", ":///", "", ":////", ":\\\\", ":/\\"])
    scheme = r.choice(SCHEMES[:2] * 4 + SCHEMES)
    if not slashes and r.random() < 0.7:
        scheme = ""
    out = scheme + slashes + r.choice(USERS) + r.choice(HOSTS) + r.choice(PORTS) + r.choice(PATHS) + \
        r.choice(QUERIES) + r.choice(FRAGMENTS)
    if r.random() < 0.06 and out:
        at = r.randrange(len(out))
        out = out[:at] + r.choice(" \t\x01\x7f%@:/?#[]\\&;\u00ff") + out[at + r.choice([0, 1]):]
    return out


def urls(r):
    lines = []
    for _ in range(r.choice([1, 1, 1, 2, 3])):
        if r.random() < 0.7:
            lines.append(["uset", "0", "0", str(r.choice(FLAGS)), r.choice([any_url(r), any_url(r), r.choice(RELATIVE)])])
        else:
            part = r.randrange(0, 11)
            value = {1: SCHEMES, 2: USERS, 3: USERS, 4: ["o", "", "o;p"], 5: HOSTS, 6: [p[1:] for p in PORTS] + PORTS,
                     7: PATHS, 8: QUERIES + [q[1:] for q in QUERIES], 9: FRAGMENTS, 10: ["eth0", "", "25", "a b", "%25"]}
            text = r.choice(value.get(part, RELATIVE))
            lines.append(["uset", "0", str(part), str(r.choice(FLAGS))] + ([text.rstrip("@")] if r.random() < 0.9 else []))
    for _ in range(r.choice([1, 2, 3])):
        lines.append(["uget", "0", str(r.choice([0, 0, 0, *range(1, 12)])), str(r.choice(FLAGS))])
    if r.random() < 0.1:
        lines.insert(r.randrange(len(lines)), ["udup", "0"])
    return lines + [["uparts", "0"]]


def conversion(r):
    """(text of one conversion, its arguments): what docs/compat.md says of formats is left out"""
    flags = "".join(r.choice("-+ #0") for _ in range(r.choice([0, 0, 0, 1, 2])))
    arguments = []

    def width(limit):
        if r.random() < 0.15:
            arguments.append("i" + str(r.choice([0, 1, 5, 20, -5, -1])))
            return "*"
        return r.choice(["", "", "", "1", "5", "12", "0", str(limit)])

    wide = width(40)
    precise = "." + (width(20) or "3") if r.random() < 0.25 else ""
    kind = r.choice("dddiuxXocpsssfeEgG%")
    if kind in "diuxXoc":
        size = r.choice(["", "", "", "l", "ll", "h", "hh", "z", "q", "O"])
        value = r.choice([0, 1, -1, 42, 65, 255, 2**31 - 1, -2**31, 2**32 + 5, 2**63 - 1, -2**63, r.randrange(-10**6, 10**6)])
        if kind == "c":
            size, value = "", r.choice([65, 97, 32, 126])
        arguments.append(f"i{value}")
    elif kind == "s":
        size = r.choice(["", "", "", "", "l"])
        arguments.append(r.choice(["shello", "s", "0", "sx" * 3, "s" + "y" * 50, "s%d"]))
    elif kind == "p":
        size = ""
        arguments.append(r.choice(["i0", "i4096", "i0x7fffdeadbeef"]))
    elif kind == "%":
        return "%%", []
    else:
        size = r.choice(["", "", "l"])
        value = r.choice(["0", "1", "-1", "0.5", "1e10", "1e-10", "3.14159265358979", "123456.789", "1e20", "-0.0", "99.9999",
                          "2.5", "0.05", "1e15", "999999.5", repr(r.uniform(-1000, 1000))])
        arguments.append("d" + value)
    return f"%{flags}{wide}{precise}{size}{kind}", arguments


def prints(r):
    odd = ["%", "%5", "%l", "%ll", "%-", "%y", "%5y", "%*", "%#", "%1$", "%zz", "%C", "%k", "%w", "%2$d", "%1$d %d"]
    if r.random() < 0.06:
        return [["printf", str(r.choice([0, 1, 5, 100])), "a" + r.choice(odd) + "b", "i5", "i6"]]
    if r.random() < 0.08:
        a, b = r.choice(["i7", "i-3"]), r.choice(["stext", "s"])
        return [["printf", "100", r.choice(["%2$s %1$d", "%1$d %2$s", "%2$s", "%1$5d|%2$-6s|", "%2$.*1$s",
                                            "%2$*1$s", "%1$c%2$s%1$d", "%2$.2s"]), a, b]]
    text, arguments = "", []
    for _ in range(r.choice([1, 1, 1, 2, 3, 6])):
        part, more = conversion(r)
        text += r.choice(["", "", "a", " | "]) + part
        arguments += more
    return [["printf", str(r.choice([1999] * 8 + [0, 1, 2, 5, 10, 20])), text, *arguments]]




DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Monday", "Sunday", "wednesday", "Xxx"]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "January", "sept", "Foo"]
ZONES = ["GMT", "UTC", "EST", "PDT", "CEST", "Z", "A", "J", "+0200", "-0530", "+1400", "+1401", "-0000", "+2", "+200", "MET", "IDLE",
         "BST", "+9999", "EADT", "+02:00"]


def date_text(r):
    day = r.choice([str(r.randrange(0, 33)), "%02d" % r.randrange(1, 29), "29", "31", "30", "0", "001"])
    year = r.choice([str(r.randrange(1900, 2200)), "94", "70", "69", "00", "1582", "1583", "9999", "10000", "1969", "2038", "99999",
                     "1", "200"])
    clock = r.choice(["08:49:37", "8:49", "23:59:60", "23:59:61", "24:00:00", "00:00:00", "1:2:3", "12:60:00", "12", "08:49:37.5"])
    zone = r.choice(ZONES)
    if r.random() < 0.2:
        numeric = ["20261118", "19941106 08:49:37", "2026-11-18", "1994-11-06T08:49:37", "11/06/1994", "06.11.1994", "941106",
                   "20261318", "99999999", "00000101", "784111777", "20260229", "20240229", "18501231", "1994"]
        return r.choice(numeric) + r.choice(["", "", " " + zone])
    parts = [r.choice(DAYS) + r.choice([",", ""]), day, r.choice(MONTHS), year, clock, zone]
    form = r.random()
    if form < 0.4:
        pass
    elif form < 0.55:
        parts = [parts[0], "-".join(parts[1:4]), *parts[4:]]
    elif form < 0.7:
        parts = [parts[0], parts[2], day, clock, year]
    else:
        r.shuffle(parts)
    while r.random() < 0.3 and len(parts) > 1:
        parts.pop(r.randrange(len(parts)))
    out = r.choice([" ", " ", " ", "  ", ", ", "\t"]).join(parts)
    if r.random() < 0.08 and out:
        at = r.randrange(len(out))
        out = out[:at] + r.choice("0 :-,x+/") + out[at + r.choice([0, 1]):]
    return out


def dates(r):
    return [["date", date_text(r)] for _ in range(4)]


def escapes(r):
    data = bytes(r.choice([r.randrange(256), r.randrange(32, 127), 37, 65]) for _ in range(r.choice([0, 1, 3, 10, 60])))
    escaped = b"".join(r.choice([b"%%%02x" % x, b"%%%02X" % x, bytes([x]), b"%", b"%%%c" % x]) for x in data)
    lengths = [[], [], [str(r.choice([0, 1, 2, -1, len(data)]))]]
    return [["escape", data, *r.choice(lengths)], ["unescape", escaped.replace(b"\0", b"0"), *r.choice(lengths)],
            ["strequal", data[:5].upper(), data[:5].lower(), *r.choice([[], [str(r.choice([0, 1, 3, 5, 9]))]])],
            ["list", *[r.choice(["a", "", "b c"]) for _ in range(r.choice([0, 1, 3]))]],
            ["texts", str(r.choice([-1, *range(0, 120), 1000]))], ["aprintf", "%s%%", "x" * r.choice([0, 1, 100, 5000])]]
