"""Cookies: stored, read from a file, sent."""
import os

from .figure import gives
from .programs import BIN
from .subject import line_of, phases_of
from .watch import instructions_of


def jar(s, cookies, *more, asks=True, **how):
    """Phases of bench/jar, and what it printed."""
    p = s.run([*how.pop("before", ()), os.path.join(BIN, "jar"), s.srv.http + "/small", str(cookies), *map(str, more)], **how)
    r = line_of(p.stdout, "result")
    s.check(p, r.get("rc") == 0 and r.get("lost") == 0 and (not asks or (r.get("code") == 200 and r.get("sent") == 1)))
    return dict(phases_of(p.stdout)), p


def jar_file(s, lines):
    text = "".join(f".host{i % 500:04d}.example.com\tTRUE\t/\tFALSE\t1893456000\tname{i:05d}\tvalue{i:05d}-0123456789abcdef\n"
                   for i in range(lines))
    s.srv.file(f"jar{lines}", data=b"# Netscape HTTP Cookie File\n" + text.encode())
    return s.srv.path(f"jar{lines}")


@gives("cookie_bytes", "cookie_allocs", "cookie_read_allocs")
def cookies(s):
    """Each cookie has 61 bytes of text."""
    phases = jar(s, 1000, 100, 1, counted=True, env={"BENCH_LIST": "1"})[0]
    read = jar(s, 10000, jar_file(s, 10000), counted=True, env={"BENCH_LIST": "1"})[0]
    return {"cookie_bytes": (phases["add"]["live"] - phases["setopt"]["live"]) / 1000,
            "cookie_allocs": phases["add"]["own_calls"] / 1000, "cookie_read_allocs": read["perform"]["own_calls"]}


def jar_instructions(s, *more, asks=True):
    return instructions_of(jar, s, *more, asks=asks)


@gives("instructions_cookie_add", "instructions_cookie_get", "instructions_cookie_get_10000", "instructions_cookie_read")
def instructions_cookie(s):
    def added(domains):
        return sum(n * jar_instructions(s, c, c // 10 if domains else 0, 0, asks=False) for n, c in ((1, 1100), (-1, 100)))

    def gets(cookies, domains):
        return (jar_instructions(s, cookies, domains, 60) - jar_instructions(s, cookies, domains, 10)) / 50
    none = gets(0, 1)
    read = jar_instructions(s, 10000, jar_file(s, 10000)) - jar_instructions(s, 0, jar_file(s, 0))
    return {"instructions_cookie_add": (added(True) - added(False)) / 1000, "instructions_cookie_get": gets(1000, 100) - none,
            "instructions_cookie_get_10000": gets(10000, 500) - none, "instructions_cookie_read": read / 10000}
