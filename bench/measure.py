"""The figures: what a libcurl.so.4 and a command cost, by programs that use the public interface only.

A figure whose transfers did not all end well with the right number of bytes is not a figure: its function raises
Void. The names of the figures are those of the rows of budgets.toml. MEASURES has two sets: what can be counted,
and what depends on the machine's speed.
"""
import os
import re
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HERE = os.path.join(ROOT, "bench")
sys.path[:0] = [os.path.join(ROOT, "tools"), os.path.join(ROOT, "tests"), HERE]
import challenge  # noqa: E402
import lines  # noqa: E402
import preload  # noqa: E402
import proxies  # noqa: E402
import server  # noqa: E402
import structs  # noqa: E402

BIN = os.path.join(ROOT, "build", "bench")
MB = 1 << 20
PORTS_AGAIN = 1.2  # s: ports of connections that ended less than a second ago are passed over, which takes time
SIZES = {"small": 12, "mb1": MB, "mb11": 11 * MB, "mb64": 64 * MB, "big": 512 * MB, "gb": 1024 * MB}
BUNDLE = "/etc/ssl/certs/ca-certificates.crt"
SYSTEM_LIBRARY = "/usr/lib/x86_64-linux-gnu/libcurl.so.4"
# the structs that there is one of per handle, transfer, connection, lookup, share: row of budgets.toml: struct
STRUCTS = {
    "struct_easy": "mote_easy", "struct_transfer": "mote_transfer", "struct_run": "mote_run",
    "struct_multi": "mote_multi_handle", "struct_conn": "mote_conn", "struct_http": "mote_http",
    "struct_h1": "mote_h1", "struct_file": "mote_file", "struct_tls_stream": "mote_tls_stream",
    "struct_tls_ctx": "mote_tls_ctx", "struct_session": "entry (tls/session.c)", "struct_lookup": "mote_lookup",
    "struct_job": "mote_job", "struct_answer": "mote_answer", "struct_account": "mote_account",
    "struct_share": "share_handle (api/multi/share.c)",
}


class Void(Exception):
    """The work was not done, or not done rightly."""


class Missing(Exception):
    """The machine lacks what this figure is measured with."""


def gives(*rows):
    """The rows of budgets.toml that a function measures: for a few rows only their functions are called."""
    def mark(function):
        function.rows = rows
        return function
    return mark


# the measuring programs in build/bench, and their libraries
PROGRAMS = {
    **{n: ["-lcurl"] for n in ("event", "form", "get", "jar", "pair", "many", "rate", "sites", "ws")},
    **{n: [] for n in ("raw_get", "raw_rate", "raw_start", "cost")},
    "raw_h2": ["-lnghttp2"],
}
COUNTER = os.path.join(BIN, "preload.so")


def compile_programs(*wanted):
    """These measuring programs, or all of them, and what counts for them; each is compiled when it is older than a
    source. What needs one or two names them: the others need development files that its machine may not have."""
    os.makedirs(BIN, exist_ok=True)
    try:
        preload.compiled(COUNTER)
    except preload.Failed as e:
        raise Missing(str(e)) from None
    sources = [os.path.join(HERE, f) for f in os.listdir(HERE) if f.endswith((".c", ".h"))]
    newest = max(map(os.path.getmtime, [*sources, preload.HEADER]))
    flags = ["-O2", "-g", "-std=gnu11", "-Wall", "-Wextra", "-I", preload.HERE]
    for name in wanted or PROGRAMS:
        path = os.path.join(BIN, name)
        if not os.path.exists(path) or os.path.getmtime(path) < newest:
            cmd = ["gcc", *flags, "-o", path, os.path.join(HERE, name + ".c"), *PROGRAMS[name]]
            p = subprocess.run(cmd, capture_output=True, text=True)
            if p.returncode:
                raise Missing(" ".join(cmd) + "\n" + p.stderr)


def values(line):
    """{'a': 1.0} of 'word a=1 b=2,3' (lists are left as text)."""
    out = {}
    for key, value in re.findall(r"(\w+)=(\S+)", line):
        try:
            out[key] = float(value)
        except ValueError:
            out[key] = value
    return out


class Subject:
    """One library and one command to measure; log: the folder of the log build of the same source; once: nothing is
    measured again to be sure of it, as of a figure without a bound."""

    def __init__(self, name, srv, libdir, tool, log=None, once=False):
        self.name, self.srv, self.libdir, self.tool, self.log, self.once = name, srv, libdir, tool, log, once
        self.library = os.path.join(libdir, "libcurl.so.4") if libdir else SYSTEM_LIBRARY
        self.env = {"BENCH_CA": srv.ca}
        if libdir:
            self.env["LD_LIBRARY_PATH"] = libdir

    def run(self, cmd, counted=False, env=None, timeout=300):
        # the same small environment on every machine: looking for a proxy costs instructions per variable
        full = {k: os.environ[k] for k in ("PATH", "HOME", "TMPDIR") if k in os.environ}
        full.update(self.env)
        full.update(env or {})
        if counted:
            full["LD_PRELOAD"] = COUNTER
        try:
            p = subprocess.run(cmd, env=full, capture_output=True, text=True, errors="replace", timeout=timeout)
        except subprocess.TimeoutExpired:
            raise Void(f"{' '.join(cmd)}: no end after {timeout} s") from None
        return p

    def undisturbed(self, measure, near=0, times=2):
        return measure() if self.once else undisturbed(measure, near, times)

    def check(self, p, good):
        if p.returncode or not good:
            raise Void(f"{' '.join(str(x) for x in p.args)}: exit {p.returncode}: {(p.stdout + p.stderr)[-300:]}")
        return p

    def check_get(self, p, name, times):
        """The result line of a run of bench/get."""
        result = line_of(p.stdout, "result")
        good = result.get("rc") == 0 and result.get("code") == 200
        self.check(p, good and result.get("bytes") == SIZES[name] * times)
        return result

    def get(self, url, buffer=0, times=1, options=(), **how):
        """Phases of bench/get: {name: [values, ...]}."""
        p = self.run([*how.pop("before", ()), os.path.join(BIN, "get"), url, str(buffer), str(times), *options], **how)
        result = self.check_get(p, url.rsplit("/", 1)[1], times)
        phases = {}
        for line in p.stdout.splitlines():
            m = re.match(r"phase=(\w+) ", line)
            if m:
                phases.setdefault(m.group(1), []).append(values(line))
        return phases, result, p

    def many(self, url, n, *more, **how):
        p = self.run([os.path.join(BIN, "many"), url, str(n), *more], **how)
        result = line_of(p.stdout, "result")
        good = result.get("bad") == 0 and (result.get("started") == n)
        if "kept" in more:
            good = good and result.get("done") == n and result.get("bytes") == SIZES[url.rsplit("/", 1)[1]] * n
        self.check(p, good)
        return p.stdout

    def rate(self, url, total, n, options=(), before=(), connections=0, **how):
        p = self.run([*before, os.path.join(BIN, "rate"), url, str(total), str(n), *options], **how)
        r = line_of(p.stdout, "result")
        self.check(p, r.get("bad") == 0 and r.get("bytes") == SIZES[url.rsplit("/", 1)[1]] * total and
                   r.get("connections", 1e9) <= (connections or max(n, 1)))
        return r, p.stdout


def line_of(text, name):
    for line in text.splitlines():
        if line.startswith(name + " "):
            return values(line)
    return {}


def file_limit(n):
    if server.raise_file_limit() < 2 * n + 200:
        raise Missing(f"{n} transfers need {2 * n + 200} descriptors")


# --- allocations ---

@gives("global_allocs", "handle_set_bytes", "get_first_allocs", "get_first_peak", "get_again_allocs", "handle_kept_bytes")
def first_get(s):
    ph, _, _ = s.get(s.srv.http + "/small", 1024, 3, counted=True)
    begin, init, setopt, perform = (ph[k][0] for k in ("global", "init", "setopt", "perform"))
    again, base = ph["perform"][-1], begin["live"]
    return {
        "global_allocs": ph["start"][0]["calls"] + begin["calls"],
        "handle_set_bytes": setopt["live"] - base,
        "get_first_allocs": init["calls"] + setopt["calls"] + perform["calls"],
        "get_first_peak": perform["peak"] - base,
        "get_again_allocs": again["calls"],
        "handle_kept_bytes": again["live"] - base,
    }


@gives("allocs_per_mb")
def further_megabytes(s):
    big = s.get(s.srv.http + "/big", counted=True)[0]["perform"][0]["calls"]
    return {"allocs_per_mb": (big - s.get(s.srv.http + "/mb1", counted=True)[0]["perform"][0]["calls"]) / 511}


@gives("https_first_allocs", "https_first_peak")
def first_https_get(s):
    bundle = os.path.join(s.srv.d, "bundle.pem")
    ph, _, _ = s.get(s.srv.https + "/small", 0, 2, counted=True, env={"BENCH_CA": bundle})
    return {
        "https_first_allocs": sum(ph[k][0]["calls"] for k in ("global", "init", "setopt", "perform")),
        "https_first_peak": ph["perform"][0]["peak"] - ph["start"][0]["live"],
    }


@gives("https_bearssl_first_allocs", "https_bearssl_first_peak")
def first_https_get_bearssl(s):
    """The same by the build whose only TLS library is BearSSL (preset bearssl)."""
    libdir = os.path.join(ROOT, "build", "bearssl", "drop-in")
    if not s.libdir or not os.path.exists(os.path.join(libdir, "libcurl.so.4")):
        raise Missing("build/bearssl/drop-in/libcurl.so.4 (preset bearssl)")
    figures = first_https_get(Subject(s.name, s.srv, libdir, s.tool))
    return {name.replace("https_", "https_bearssl_"): value for name, value in figures.items()}


@gives("multi_init_allocs", "multi_init_bytes", "pair_allocs", "pair_peak")
def pair(s):
    p = s.run([os.path.join(BIN, "pair"), s.srv.http + "/big", s.srv.http + "/mb1"], counted=True)
    r = line_of(p.stdout, "result")
    s.check(p, r.get("bad") == 0 and r.get("bytes") == f"{SIZES['big']},{SIZES['mb1']}")
    ph = {line.split("=")[1].split()[0]: values(line) for line in p.stdout.splitlines() if line.startswith("phase")}
    return {
        "multi_init_allocs": ph["multi"]["calls"],
        "multi_init_bytes": ph["multi"]["live"] - ph["global"]["live"],
        "pair_allocs": ph["multi"]["calls"] + ph["add"]["calls"] + ph["transfers"]["calls"],
        "pair_peak": ph["transfers"]["peak"] - ph["global"]["live"],
    }


def per_transfer(name, v):
    """What the multi holds for all of them is thousandths of one."""
    return {name + "_bytes": round(v["bytes"]), name + "_allocs": round(v["calls"], 1)}


def active(n):
    @gives(f"active_{n}_bytes", f"active_{n}_allocs")
    def measure(s):
        file_limit(n)
        v = line_of(s.many(s.srv.http + "/trickle", n, counted=True), "active")
        return per_transfer(f"active_{n}", v)
    measure.__name__ = f"active({n})"
    return measure


def active_https(n):
    @gives(f"active_https_{n}_bytes", f"active_https_{n}_allocs")
    def measure(s):
        v = line_of(s.many(s.srv.https + "/trickle", n, counted=True), "active")
        return per_transfer(f"active_https_{n}", v)
    measure.__name__ = f"active_https({n})"
    return measure


@gives("handle_after_bytes", "idle_bytes")
def idle(s):
    text = s.many(s.srv.http + "/small", 1000, "kept", counted=True)
    return {"handle_after_bytes": round(line_of(text, "handle")["bytes"]),
            "idle_bytes": round(line_of(text, "connection")["bytes"])}


@gives("idle_https_bytes")
def idle_https(s):
    text = s.many(s.srv.https + "/small", 1000, "kept", counted=True)
    return {"idle_https_bytes": round(line_of(text, "connection")["bytes"])}


@gives("multi_again_allocs")
def multi_again(s):
    """On a processor of its own: on the server's, all ten replies come together, then no transfer is active for a
    moment and the receive buffer is given back (0.07 allocations per GET). The smallest for the same reason."""
    before = ("taskset", "-c", str(max(os.sched_getaffinity(0))))

    def once():
        text = s.rate(s.srv.http + "/small", 4000, 10, before=before, counted=True)[1]
        return line_of(text, "second_half")["calls"]
    return {"multi_again_allocs": s.undisturbed(once)}


# --- the command ---

@gives("tool_allocs", "tool_peak", "tool_own_allocs")
def tool_download(s):
    report = os.path.join(s.srv.d, "count-" + s.name)
    if os.path.exists(report):
        os.remove(report)
    p = s.run([s.tool, "-s", "-o", "/dev/null", "-w", "%{http_code} %{size_download}", s.srv.http + "/big"],
              counted=True, env={"COUNT_OUT": report})
    s.check(p, p.stdout == f"200 {SIZES['big']}")
    with open(report, encoding="ascii") as f:
        v = values(f.readline())
    return {"tool_allocs": v["calls"], "tool_peak": v["peak"], "tool_own_allocs": v["own_calls"]}


def small_download(s, tool):
    out, p = callgrind(s, [tool, "-s", s.srv.http + "/small"])
    s.check(p, p.stdout == "hello world\n")
    return out


@gives("tool_instructions")
def tool_instructions(s):
    return {"tool_instructions": small_download(s, s.tool)}


@gives("tool_static_instructions")
def tool_static_instructions(s):
    if not os.path.exists(s.tool + "-static"):
        raise Missing(s.tool + "-static")
    return {"tool_static_instructions": small_download(s, s.tool + "-static")}


def whole_command_calls(s, base):
    """Without the folder of the library, where the dynamic loader would look for everything else too."""
    p, calls = strace(s, [s.tool, "-s", "--cacert", s.srv.ca, base + "/small"], env={"LD_LIBRARY_PATH": ""})
    s.check(p, p.stdout == "hello world\n")
    return len(calls)


@gives("tool_system_calls", "tool_https_system_calls")
def tool_system_calls(s):
    """The smallest of some: on a busy machine the server is late, and the command waits another time."""
    return {"tool_system_calls": s.undisturbed(lambda: whole_command_calls(s, s.srv.http)),
            "tool_https_system_calls": s.undisturbed(lambda: whole_command_calls(s, s.srv.https))}


# --- instructions and system calls ---

def undisturbed(measure, near=0, times=2, most=24):
    """The smallest of what is measured until that is seen so many times, but for `near`: on a busy machine the
    server is late, reads are shorter, and there are more of them, a different number most times."""
    seen = []
    while len(seen) < most and (len(seen) < times or seen[times - 1] - seen[0] > near):
        seen = sorted([*seen, measure()])
    return seen[0]


def callgrind(s, cmd):
    if not shutil.which("valgrind"):
        raise Missing("valgrind")
    p = s.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *cmd], timeout=600)
    m = re.search(r"Collected : (\d+)", p.stderr)
    if not m:
        s.check(p, False)
    return int(m.group(1)), p


def get_instructions(s, name, times, options=(), base=None):
    before = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    if not shutil.which("valgrind"):
        raise Missing("valgrind")
    _, _, p = s.get(f"{base or s.srv.http}/{name}", 0, times, options, before=before, timeout=600)
    return int(re.search(r"Collected : (\d+)", p.stderr).group(1))


@gives("instructions_get")
def instructions_get(s):
    return {"instructions_get": (get_instructions(s, "small", 210) - get_instructions(s, "small", 10)) / 200}


def again(s, options=(), base=None):
    """Instructions of a further GET."""
    return (get_instructions(s, "small", 60, options, base) - get_instructions(s, "small", 10, options, base)) / 50


def own_calls(s, options=(), base=None):
    """Own allocations of the first and the third GET, and the bytes kept after the first."""
    phases = s.get(f"{base or s.srv.http}/small", 1024, 3, options, counted=True)[0]["perform"]
    return phases[0]["own_calls"], phases[2]["own_calls"], phases[0]["live"]


@gives("connect_first_allocs", "connect_again_allocs", "socks_first_allocs", "socks_again_allocs", "socks_bytes",
       "proxy_again_allocs")
def by_proxies(s):
    """What proxies add to the allocations of GETs on one connection."""
    with proxies.Proxy(int(s.srv.http.rsplit(":", 1)[1])) as proxy:
        first, further, live = own_calls(s)
        tunnel = own_calls(s, (f"PROXY=http://127.0.0.1:{proxy.port}", "HTTPPROXYTUNNEL=1"))
        socks = own_calls(s, (f"PROXY=socks5://127.0.0.1:{proxy.port}",))
        forwarded = own_calls(s, (f"PROXY=http://127.0.0.1:{proxy.port}",))
    if proxy.used != 3:
        raise Void(f"{proxy.used} connections to the proxy instead of 3")
    return {"connect_first_allocs": tunnel[0] - first, "connect_again_allocs": tunnel[1] - further,
            "socks_first_allocs": socks[0] - first, "socks_again_allocs": socks[1] - further,
            "socks_bytes": socks[2] - live, "proxy_again_allocs": forwarded[1]}


@gives("instructions_connect", "instructions_proxy")
def instructions_proxies(s):
    with proxies.Proxy(int(s.srv.http.rsplit(":", 1)[1])) as proxy:
        http = f"PROXY=http://127.0.0.1:{proxy.port}"
        return {"instructions_connect": again(s, (http, "HTTPPROXYTUNNEL=1")) - again(s), "instructions_proxy": again(s, (http,))}


def netrc_file(s, machines):
    """So many machines, of which the last is the server."""
    text = "".join(f"machine host{i:04d}.example.com login user{i} password secret{i}\n" for i in range(machines - 1))
    name = f"netrc{machines}"
    s.srv.file(name, data=(text + "machine 127.0.0.1 login me password secret\n").encode())
    return "NETRC=2", f"NETRC_FILE={s.srv.path(name)}"


@gives("basic_again_allocs", "netrc_again_allocs")
def logins(s):
    """What credentials add to the allocations of a further GET."""
    plain = own_calls(s)[1]
    return {"basic_again_allocs": own_calls(s, ("USERPWD=me:secret",))[1] - plain,
            "netrc_again_allocs": own_calls(s, netrc_file(s, 1))[1] - plain}


@gives("instructions_netrc")
def instructions_netrc(s):
    return {"instructions_netrc": again(s, netrc_file(s, 1001)) - again(s)}


def host_files(s):
    """Options for a file of 1,000 hosts of HSTS, and for one of alternative services; none is asked for."""
    names, end = [f"host{i:04d}.example.com" for i in range(1000)], '"20300101 00:00:00"'
    s.srv.file("hsts", data="".join(f"{name} {end}\n" for name in names).encode())
    s.srv.file("altsvc", data="".join(f"h1 {name} 443 h1 alt.example.com 443 {end} 0 0\n" for name in names).encode())
    return ("HSTS_CTRL=1", f"HSTS={s.srv.path('hsts')}"), ("ALTSVC_CTRL=8", f"ALTSVC={s.srv.path('altsvc')}")


@gives("hsts_bytes", "altsvc_bytes")
def known_hosts(s):
    """The first GET reads the file."""
    plain = own_calls(s)[2]
    hsts, altsvc = ((own_calls(s, options)[2] - plain) / 1000 for options in host_files(s))
    return {"hsts_bytes": hsts, "altsvc_bytes": altsvc}


@gives("instructions_hsts", "instructions_altsvc")
def instructions_hosts(s):
    """HSTS looks for names alone."""
    none, hsts, altsvc = (again(s, options, s.srv.http.replace("127.0.0.1", "localhost")) for options in ((), *host_files(s)))
    return {"instructions_hsts": hsts - none, "instructions_altsvc": altsvc - none}


@gives("digest_again_allocs", "instructions_digest")
def digest(s):
    with challenge.Server() as srv:
        options = ("HTTPAUTH=2", "USERPWD=me:secret")
        return {"digest_again_allocs": own_calls(s, options, srv.url)[1],
                "instructions_digest": again(s, options, srv.url)}


def form(s, parts, times, *more, **how):
    """Phases of bench/form, and what it printed."""
    p = s.run([*how.pop("before", ()), os.path.join(BIN, "form"), s.srv.http + "/post", str(parts), str(times), *more], **how)
    r = line_of(p.stdout, "result")
    s.check(p, r.get("code") == 200 and r.get("good") == 1 and r.get("sent", 0) > 100 * parts)
    return [(m, values(line)) for line in p.stdout.splitlines() for m in re.findall(r"^phase=(\w+) ", line)], p


@gives("form_build_allocs", "form_first_allocs", "form_again_allocs")
def forms(s):
    phases = form(s, 10, 3, counted=True)[0]
    build = next(v for name, v in phases if name == "build")
    posts = [v for name, v in phases if name == "perform"]
    return {"form_build_allocs": build["own_calls"], "form_first_allocs": posts[0]["own_calls"],
            "form_again_allocs": posts[2]["own_calls"]}


def form_instructions(s, parts, times, *more):
    if not shutil.which("valgrind"):
        raise Missing("valgrind")
    before = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    p = form(s, parts, times, *more, before=before, timeout=600)[1]
    return int(re.search(r"Collected : (\d+)", p.stderr).group(1))


@gives("instructions_form", "instructions_form_mb")
def instructions_form(s):
    posts = form_instructions(s, 10, 55) - form_instructions(s, 10, 5)
    large, small = (s.undisturbed(lambda n=n: form_instructions(s, 0, 1, s.srv.path(n)), 80, 3) for n in ("mb11", "mb1"))
    return {"instructions_form": posts / 50, "instructions_form_mb": (large - small) / 10}


def jar(s, cookies, *more, asks=True, **how):
    """Phases of bench/jar, and what it printed."""
    p = s.run([*how.pop("before", ()), os.path.join(BIN, "jar"), s.srv.http + "/small", str(cookies), *map(str, more)], **how)
    r = line_of(p.stdout, "result")
    s.check(p, r.get("rc") == 0 and r.get("lost") == 0 and (not asks or (r.get("code") == 200 and r.get("sent") == 1)))
    return {m: values(line) for line in p.stdout.splitlines() for m in re.findall(r"^phase=(\w+) ", line)}, p


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
    if not shutil.which("valgrind"):
        raise Missing("valgrind")
    before = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    p = jar(s, *more, asks=asks, before=before, timeout=600)[1]
    return int(re.search(r"Collected : (\d+)", p.stderr).group(1))


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


# --- protocols of lines ---

MAIL = ("MAIL_FROM=<a@example.com>", "MAIL_RCPT=<b@example.com>")
LOGIN = ("USERPWD=me:secret",)


def talk(s, url, size, times=1, options=(), **how):
    """Transfers of so many bytes over one connection. Phases of bench/get, and what it printed."""
    before = how.pop("before", ())
    p = s.run([*before, os.path.join(BIN, "get"), url, "0", str(times), *options], **how)
    r = line_of(p.stdout, "result")
    s.check(p, r.get("rc") == 0 and (size is None or r.get("bytes") == size * times))
    return [(m, values(line)) for line in p.stdout.splitlines() for m in re.findall(r"^phase=(\w+) ", line)], p


def talk_instructions(s, url, size, times=1, options=()):
    """Instructions of so many transfers; the smallest of some runs, as for instructions_mb()."""
    if not shutil.which("valgrind"):
        raise Missing("valgrind")
    before = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null")

    def run():
        p = talk(s, url, size, times, options, before=before, timeout=600)[1]
        return int(re.search(r"Collected : (\d+)", p.stderr).group(1))
    return s.undisturbed(run, 200 * times, 3)


def one_more(s, few, many, *what):
    """Instructions of one transfer more on the same connection."""
    url, size, options = what
    return (talk_instructions(s, url, size, many, options) - talk_instructions(s, url, size, few, options)) / (many - few)


def talk_calls(s, url, size, options=()):
    """System calls of one transfer more: the mean of the last twenty of 22. The first two do not count, as a client looks
    for the greeting as soon as it is connected, and finds it there or not."""
    p, calls = strace(s, [os.path.join(BIN, "get"), url, "0", "22", *options], env={"BENCH_MARKS": "1"})
    s.check(p, line_of(p.stdout, "result").get("bytes") == size * 22)
    ends = [at for at, name in enumerate(calls) if name == "getppid"]
    return sum(name != "getppid" for name in calls[ends[1]:ends[21]]) / 20


def performs(phases):
    return [v for name, v in phases if name == "perform"]


def up(s, name):
    return f"upload={s.srv.path(name)}"


def idle_of(s, url):
    """Bytes of a kept idle connection."""
    p = s.run([os.path.join(BIN, "many"), url, "100", "kept"], counted=True)
    s.check(p, line_of(p.stdout, "result").get("bad") == 0)
    return round(line_of(p.stdout, "connection")["bytes"])


@gives("ftp_session_allocs", "ftp_active_again_allocs", "ftp_again_allocs", "ftp_upload_bytes", "ftp_idle_bytes")
def ftp(s):
    """Allocations of our own: a session of ten commands, the third of three files; what an upload leaves."""
    with lines.Server("ftp") as srv:
        active = talk(s, srv.url + "/small", 12, 3, ("FTPPORT=-",), counted=True)[0]
        passive = talk(s, srv.url + "/small", 12, 3, counted=True)[0]
        upload = talk(s, srv.url + "/f", 0, 1, (up(s, "mb1"),), counted=True)[0]
        kept = idle_of(s, srv.url + "/small")
    own = {name: v["own_calls"] for name, v in reversed(active)}
    return {"ftp_session_allocs": own["init"] + own["setopt"] + own["perform"],
            "ftp_active_again_allocs": performs(active)[2]["own_calls"], "ftp_again_allocs": performs(passive)[2]["own_calls"],
            "ftp_upload_bytes": performs(upload)[0]["live"] - dict(reversed(upload))["global"]["live"], "ftp_idle_bytes": kept}


def with_servers(s, protocol, measure, **how):
    """The smallest of what is measured with three servers. Which packets come together, or a moment too late for a read,
    stays the same for most transfers with one of them."""
    seen = []
    for _ in range(1 if s.once else 3):
        with lines.Server(protocol, **how) as srv:
            seen.append(measure(srv))
    return min(seen)


@gives("instructions_ftp", "instructions_ftp_mb", "system_calls_ftp")
def instructions_ftp(s):
    with lines.Server("ftp") as srv:
        large, small = (talk_instructions(s, f"{srv.url}/{n}", SIZES[n]) for n in ("mb11", "mb1"))
    return {"instructions_ftp": with_servers(s, "ftp", lambda srv: one_more(s, 2, 22, srv.url + "/small", 12, ())),
            "instructions_ftp_mb": (large - small) / 10,
            "system_calls_ftp": with_servers(s, "ftp", lambda srv: talk_calls(s, srv.url + "/small", 12))}


@gives("imap_list_allocs", "imap_fetch_allocs", "imap_append_allocs", "pop3_list_allocs", "pop3_fetch_allocs",
       "smtp_send_allocs", "smtp_peak", "imap_idle_bytes", "pop3_idle_bytes", "smtp_idle_bytes")
def mail(s):
    """Allocations of our own for the third of three equal operations; the peak of a mail of 1 MB."""
    figures = {}
    for protocol, name, path, size, options in (
            ("imap", "list", "/", None, LOGIN), ("imap", "fetch", "/INBOX;MAILINDEX=1", MB, LOGIN),
            ("imap", "append", "/INBOX", 0, (*LOGIN, up(s, "mb1"))), ("pop3", "list", "/", None, LOGIN),
            ("pop3", "fetch", "/1", MB, LOGIN), ("smtp", "send", "/client", 0, (*MAIL, up(s, "mb1")))):
        with lines.Server(protocol) as srv:
            phases = talk(s, srv.url + path, size, 3, options, counted=True)[0]
        figures[f"{protocol}_{name}_allocs"] = performs(phases)[2]["own_calls"]
        if protocol == "smtp":
            figures["smtp_peak"] = performs(phases)[0]["peak"] - dict(phases)["global"]["live"]
    for protocol, path in (("imap", "/"), ("pop3", "/"), ("smtp", "/client")):
        with lines.Server(protocol) as srv:
            figures[f"{protocol}_idle_bytes"] = idle_of(s, srv.url.replace("//", "//me:secret@" if protocol != "smtp" else "//") + path)
    return figures


@gives("instructions_imap_list", "instructions_pop3_mb", "instructions_smtp_mb", "system_calls_smtp",
       "system_calls_smtp_pipelining")
def instructions_mail(s):
    def mail_calls(srv):
        return talk_calls(s, srv.url + "/client", 0, (*MAIL, up(s, "mail")))

    with lines.Server("imap") as imap, lines.Server("pop3") as pop3, lines.Server("smtp") as smtp:
        return {"instructions_imap_list": one_more(s, 2, 22, imap.url + "/", None, LOGIN),
                "instructions_pop3_mb": one_more(s, 2, 7, pop3.url + "/1", MB, LOGIN),
                "instructions_smtp_mb": one_more(s, 2, 7, smtp.url + "/client", 0, (*MAIL, up(s, "mb1"))),
                "system_calls_smtp": with_servers(s, "smtp", mail_calls),
                "system_calls_smtp_pipelining": with_servers(s, "smtp", mail_calls, pipelined=True)}


@gives("instructions_mb")
def instructions_mb(s):
    large, small = (s.undisturbed(lambda n=name: get_instructions(s, n, 1), 80, 3) for name in ("mb11", "mb1"))
    return {"instructions_mb": (large - small) / 10}


@gives("instructions_event")
def instructions_event(s):
    """The events are the same on any machine, as the program is the server too."""
    def run(pieces):
        out, p = callgrind(s, [os.path.join(BIN, "event"), "50", str(pieces)])
        s.check(p, line_of(p.stdout, "result").get("good") == 50)
        return out
    return {"instructions_event": (run(45) - run(5)) / 2000}


def strace(s, cmd, only=None, env=None):
    """A command that is watched, and the names of the system calls that it and its threads made."""
    if not shutil.which("strace"):
        raise Missing("strace")
    out = os.path.join(s.srv.d, f"strace-{s.name}")
    p = s.run(["strace", "-f", "-o", out, *(["-e", "trace=" + only] if only else []), *cmd], env=env)
    if p.returncode and "ptrace" in p.stderr.lower():
        raise Missing("strace may not trace here")
    with open(out, encoding="utf-8", errors="replace") as f:
        return p, [m[1] for m in (re.match(r"\d+ +(\w+)\(", line) for line in f) if m]


def system_calls(s, name, times, only=None, options=(), base=None):
    p, calls = strace(s, [os.path.join(BIN, "get"), f"{base or s.srv.http}/{name}", "0", str(times), *options], only)
    s.check_get(p, name, times)
    return len(calls)


@gives("system_calls_get")
def system_calls_get(s):
    return {"system_calls_get": (system_calls(s, "small", 110) - system_calls(s, "small", 10)) / 100}


@gives("receive_calls_mb")
def receive_calls_mb(s):
    kinds = "recvfrom,recvmsg,read"
    large, small = (s.undisturbed(lambda n=name: system_calls(s, n, 1, kinds)) for name in ("mb11", "mb1"))
    return {"receive_calls_mb": (large - small) / 10}


@gives("writable_bytes")
def writable(s):
    p = subprocess.run(["readelf", "-SW", s.library], capture_output=True, text=True, check=True)
    sizes = re.findall(r"\s(?:\.data|\.bss)\s+\S+\s+\S+\s+\S+\s+([0-9a-f]+)", p.stdout)
    return {"writable_bytes": sum(int(x, 16) for x in sizes)}


# --- structs ---

def current(log):
    """Brings a log build up to date: an older one would give yesterday's figures. Missing when there is none."""
    if os.path.exists(os.path.join(log, "build.ninja")):
        p = subprocess.run(["cmake", "--build", log, "--target", "drop-in"], capture_output=True, text=True)
        if p.returncode:
            raise Missing(f"{log} does not build: {p.stdout[-500:]}")
    if not os.path.exists(os.path.join(log, "libcurl.so.4")):
        raise Missing(f"{log} is not built (make log)")


@gives(*STRUCTS)
def struct_sizes(s):
    if not s.log:
        raise Missing("no build with debug information")
    current(s.log)
    try:
        found = structs.sizes(os.path.join(s.log, "libcurl.so.4"))
    except structs.Missing as e:
        raise Missing(str(e)) from None
    gone = set(STRUCTS.values()) - set(found)
    if gone:
        raise Void(f"no struct {', '.join(sorted(gone))} (STRUCTS in bench/measure.py)")
    return {row: found[name] for row, name in STRUCTS.items()}


# --- the clock ---

@gives("start_user_us", "start_ratio", "active_resident")
def start(s):
    """User time to start one of 5,000; user + system against plain epoll; resident bytes of one."""
    file_limit(5000)
    url, tries, floor = s.srv.http + "/trickle", [], []
    few = line_of(s.many(url, 100), "resident")["kb"]
    for _ in range(3):
        time.sleep(PORTS_AGAIN)
        text = s.many(url, 5000)
        r = line_of(text, "result")
        time.sleep(PORTS_AGAIN)
        raw = s.run([os.path.join(BIN, "raw_start"), "127.0.0.1", str(s.srv.http_port), "/trickle", "5000"])
        f = line_of(raw.stdout, "result")
        s.check(raw, f.get("started") == 5000)
        tries.append((r["user"] * 1e6 / 5000, line_of(text, "resident")["kb"], r["user"] + r["system"]))
        floor.append(f["user"] + f["system"])
    user, resident, cpu = (sorted(t[i] for t in tries)[1] for i in range(3))
    return {"start_user_us": user, "start_ratio": cpu / max(0.001, sorted(floor)[1]),
            "active_resident": (resident - few) * 1024 / 4900}


def raw_rate(s, total, n):
    p = s.run(["taskset", "-c", "0", os.path.join(BIN, "raw_rate"), "127.0.0.1", str(s.srv.http_port), "/small",
               str(total), str(n)])
    s.check(p, line_of(p.stdout, "result").get("done") == total)
    return line_of(p.stdout, "result")["rate"]


@gives("rate_ratio")
def rate_ratio(s, n=10, total=30000, tries=3):
    """GETs per second against plain epoll, client and server on one CPU: the best of some tries."""
    best = 0.0
    for _ in range(tries):
        r, _ = s.rate(s.srv.http + "/small", total, n, before=("taskset", "-c", "0"))
        best = max(best, r["rate"] / raw_rate(s, total, n))
    return {"rate_ratio": best}


def seconds_of(cmd, environment):
    """What a run takes from its start to its end; subprocess itself would take as long again."""
    discard = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    begin = time.perf_counter()
    pid = os.posix_spawn(cmd[0], cmd, environment, file_actions=discard)
    status = os.waitpid(pid, 0)[1]
    if status:
        raise Void(f"{' '.join(cmd)}: status {status}")
    return time.perf_counter() - begin


@gives("tool_clock")
def tool_clock(s, tries=200):
    """The command's time for a small GET against that of the system's, in turns; the smallest of each."""
    plain = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME")}
    tools = (s.tool, "/usr/bin/curl")
    turns = [[seconds_of([tool, "-s", s.srv.http + "/small"], plain) for tool in tools] for _ in range(tries)]
    ours, theirs = map(min, zip(*turns))
    return {"tool_clock": ours / theirs}


MEASURES = {
    "count": [first_get, further_megabytes, first_https_get, first_https_get_bearssl, pair, active(1000), active(5000), active_https(1000),
              idle, idle_https, multi_again, tool_download, tool_instructions,
              tool_static_instructions, tool_system_calls, instructions_get, instructions_mb, instructions_event, forms,
              instructions_form, cookies, instructions_cookie, by_proxies, instructions_proxies, logins, instructions_netrc, digest,
              known_hosts, instructions_hosts, ftp, instructions_ftp, mail, instructions_mail, system_calls_get, receive_calls_mb,
              writable, struct_sizes],
    "clock": [start, rate_ratio, tool_clock],
}


def prepare(srv):
    """The files that are downloaded; the CA bundle of the system with the test's CA at its end."""
    srv.file("small", data=b"hello world\n")
    srv.file("mail", data=b"Subject: x\r\n\r\nhello\r\n")
    srv.file("slow", data=b"x" * 20000)
    for name in ("mb1", "mb11", "mb64", "big", "gb"):
        srv.file(name, SIZES[name])
    with open(os.path.join(srv.d, "bundle.pem"), "wb") as out:
        for name in (BUNDLE, srv.ca):
            if os.path.exists(name):
                with open(name, "rb") as f:
                    out.write(f.read())


def measure(subject, functions, notify=None):
    """({figure: value}, {function: why void}, {function: what is missing}), one after the other."""
    figures, void, missing = {}, {}, {}
    for f in functions:
        name = f.__name__
        if notify:
            notify(name)
        try:
            found = f(subject)
            if set(found) != set(f.rows):
                raise Void(f"gives {', '.join(sorted(found))}, and says {', '.join(f.rows)}")
            figures.update(found)
        except Void as e:
            void[name] = str(e)
        except Missing as e:
            missing[name] = str(e)
        except (KeyError, AttributeError, IndexError) as e:
            void[name] = f"output not understood: {e!r}"
    return figures, void, missing
