"""Random options with odd values: easy, multi and share handles, and getinfo's ids."""
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LONGS = [0, 1, 2, -1, -2, 3, 4, 5, 6, 7, 8, 10, 16, 99, 100, 400, 511, 512, 1023, 1024, 2000, 2147483, 2147484, 16384, 65535, 65536,
         300000, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**63 - 1, -2**31, -2**63, 2**62, 10**9, 86400, 10 * 2**20, 2**20 * 512]
TEXTS = ["", "x", "http", "all", "-all", "http,https", "HTTP", "http,foo", "foo", ",", "1", "gzip", "a:b", "::", "127.0.0.1", "eth0",
         "host!x", "if!eth0", "ifhost!a!b", "ifhost!a", "/nonexistent/x", "P12", "PEM", "tls", "DEFAULT", "*", "a\nb", "\u00e4"]


def options():
    """{name: (number, type)} of every option, as the public header has them."""
    with open(os.path.join(ROOT, "include", "curl", "curl.h"), encoding="utf-8") as header:
        text = header.read()
    found = re.findall(r"^\s*(CURLOPT_\w+) = (CURLOPTTYPE_\w+) \+ (\d+)", text, re.M)
    return {name[8:]: (int(n), kind[12:]) for name, kind, n in found}


def lacking():
    """The options of what is not built: ours refuses them, and this is no difference to look for."""
    with open(os.path.join(ROOT, "src", "transfer", "options", "option_rows.inc"), encoding="utf-8") as rows:
        return set(re.findall(r"^\s*(?:LACK|REFUSE)\((\w+)", rows.read(), re.M))


TABLE = options()
# what a value would be followed by at once, or is a pointer that is used
LEFT_OUT = {"ERRORBUFFER", "STDERR", "SHARE", "CURLU", "HTTPPOST", "MIMEPOST", "STREAM_DEPENDS", "STREAM_DEPENDS_E", "WRITEDATA",
            "READDATA", "HEADERDATA", "WRITEFUNCTION", "READFUNCTION", "HEADERFUNCTION", "PRIVATE", "VERBOSE"} | lacking()


def set_line(r, h="0"):
    name = r.choice(sorted(set(TABLE) - LEFT_OUT))
    _, kind = TABLE[name]
    line = ["set", h, name]
    if kind in ("LONG", "VALUES", "OFF_T"):
        return line + ["l", str(r.choice(LONGS) if r.random() < 0.9 else r.randrange(-300, 70000))]
    if kind in ("FUNCTIONPOINT", "CBPOINT"):
        return line + ["n"]
    if kind == "SLISTPOINT":
        return line + r.choice([["n"], ["z"], ["z", r.choice(TEXTS)], ["z", "a: b", r.choice(TEXTS)]])
    if kind == "BLOB":
        return line + r.choice([["n"], ["b", "0"], ["b", "5"], ["b", "5", "hello"], ["b", "0", "x"]])
    if r.random() < 0.08:
        return line + ["r", str(r.choice([8000000, 8000001, 65535, 65536, 7999999]))]
    if r.random() < 0.15:
        return line + ["n"]
    return line + ["s", r.choice(TEXTS)]


def settings(r):
    lines = [set_line(r) for _ in range(r.choice([1, 3, 6]))]
    if r.random() < 0.2:
        lines.append(["set", "0", str(r.choice([0, 9, 40000, 10999, 20500, 339, 30200, 50000, -1])), "l", "1"])
    if r.random() < 0.2:
        lines.append(["option", r.choice([r.choice(sorted(TABLE)), r.choice(sorted(TABLE)).lower(), "nonsense", "",
                                          str(r.randrange(0, 400)), str(10000 + r.randrange(400))])])
    return lines


def handles(r):
    lines = []
    for _ in range(r.choice([1, 2, 4])):
        kind = r.random()
        if kind < 0.4:
            base = r.choice([0, 0, 10000, 20000, 30000])
            if base in (10000, 20000):
                lines.append(["mset", str(base + r.choice([0, 90])), "0"])
            else:
                lines.append(["mset", str(base + r.choice([3, 6, 7, 8, 13, 16, 17, 18, 19, 0, 99, 9, 10])), str(r.choice(LONGS))])
        elif kind < 0.65:
            lines.append(["shset", "0", str(r.choice([0, 1, 2, 1, 2, 5, 6, 99])), str(r.choice([*range(0, 10), 99, -1]))])
        else:
            number = r.choice([*range(0, 75), 99, 999])
            kind = r.choice([0x100000, 0x200000, 0x300000, 0x600000])
            if (kind, number) in ((0x100000, 61), (0x100000, 62)):
                continue              # the paths of the CA certificates are the build's
            lines.append([r.choice(["info", "infonull"]), "0", str(kind + number)])
    return lines
