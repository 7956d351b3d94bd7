"""The log build (src/log/log.h): the log's form and balance, failures, the report, and that it changes no count.

MOTE_LOG_DIR: where it was built (build/log); MOTE_DROPIN: the usual build's libcurl.so.4 (build/drop-in)."""
import collections
import http.server
import os
import re
import ssl
import subprocess
import sys
import threading

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path += [os.path.join(ROOT, "bench"), os.path.join(ROOT, "tests")]
from measure.servers import lines  # noqa: E402
import preload  # noqa: E402
HERE = os.path.dirname(os.path.abspath(__file__))
LOG = os.path.abspath(os.environ.get("MOTE_LOG_DIR", os.path.join(ROOT, "build", "log")))
DROPIN = os.path.abspath(os.environ.get("MOTE_DROPIN", os.path.join(ROOT, "build", "drop-in")))
BODY = bytes(range(256)) * 60
ADDRESS = r"0x[0-9a-f]+"
ERRNO = r"(?: E[A-Z0-9]+| errno \d+)"
PATH = r'\("[^"\n]*"\)'
FORMS = {
    "MEM": rf"malloc\(\d+\) = {ADDRESS}|calloc\(\d+,\d+\) = {ADDRESS}|realloc\({ADDRESS}, \d+\) = {ADDRESS}|"
           rf"strdup\({ADDRESS}\) \(\d+\) = {ADDRESS}|free\({ADDRESS}\)",
    "FD": rf"(?:(?:socket|accept|eventfd|epoll_create1|pipe)\(\)|open{PATH}) = (?:\d+|-1{ERRNO})|sclose\(\d+\)",
    "FILE": rf'(?:fopen\("[^"]*"|fdopen\(\d+),"[a-z+]+"\) = (?:{ADDRESS}|0x0{ERRNO})|fclose\({ADDRESS}\)',
    "ADDR": rf"getaddrinfo\(\) = {ADDRESS}|getaddrinfo\(\) failed|freeaddrinfo\({ADDRESS}\)",
    "SEND": rf"(?:send|sendfile|sendto|sendmsg|write)\(\d+\) = (?:\d+|-1{ERRNO})",
    "RECV": rf"(?:recv|recvfrom|recvmsg|recvmmsg|read)\(\d+\) = (?:\d+|-1{ERRNO})",
    "CALL": rf"[a-z0-9_]+(?:\(\d+\)|{PATH}) = (?:\d+|-1{ERRNO})",
    "LIMIT": r"[a-z0-9_]+\(\) failed on purpose: call \d+",
}
# of every program: named.test, for a lookup in a thread without a name server, and an independent count
PRELOADED = {"PRELOAD_HOST": "named.test"}
LINE = re.compile(r"(\w+) ([A-Za-z0-9_./]+:\d+) (.*)")
REPORT = re.compile(r"calls=\d+ fired=\d+ call=\S+ site=\S+ live=-?\d+ bytes=-?\d+ fds=-?\d+"
                    r"(?: left=\S+)?(?: bad=[1-9]\d*)?")


class Ran:
    def __init__(self, process, log, report):
        self.code, self.out, self.err = process.returncode, process.stdout, process.stderr
        self.log = log                 # [(kind, site, rest)]
        self.reports = report          # [dict]

    @property
    def report(self):
        assert len(self.reports) == 1, (self.reports, self.err)
        return self.reports[0]


def parsed(text):
    lines = []
    for line in text.splitlines():
        m = LINE.fullmatch(line)
        assert m and m.group(1) in FORMS and re.fullmatch(FORMS[m.group(1)], m.group(3)), line
        lines.append(m.groups())
    assert not text or text.endswith("\n")
    return lines


def reported(text):
    for line in text.splitlines():
        assert REPORT.fullmatch(line), line
    as_number = lambda v: int(v) if re.fullmatch(r"-?\d+", v) else v  # noqa: E731
    return [{k: as_number(v) for k, v in (w.split("=", 1) for w in line.split())} for line in text.splitlines()]


def run(tmp_path, cmd, fault="", log=True, **env):
    """What it came to, its log and its report."""
    files = tmp_path / "memory.log", tmp_path / "report"
    for f in files:
        f.unlink(missing_ok=True)
    full = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
    full.update(env, **PRELOADED, MOTE_FAULT=",".join(w for w in (fault, f"report={files[1]}") if w), HOME=str(tmp_path))
    full.pop("CURL_MEMDEBUG", None)
    if log:
        full["CURL_MEMDEBUG"] = str(files[0])
    p = subprocess.run([str(c) for c in cmd], env=full, cwd=tmp_path, capture_output=True, timeout=240)
    text = [f.read_text() if f.exists() else "" for f in files]
    return Ran(p, parsed(text[0]), reported(text[1]))


class Held:
    """A log, replayed: what is held at its end, and the figures of the way there."""

    def __init__(self, log):
        self.blocks, self.others = {}, collections.Counter()
        self.calls = self.live = self.peak = 0
        for kind, site, rest in log:
            if kind == "MEM":
                self.memory(rest)
            else:
                self.other(kind, rest)

    def memory(self, rest):
        name, given = rest.split("(", 1)[0], re.findall(r"0x[0-9a-f]+", rest)
        if name == "free":
            self.live -= self.blocks.pop(given[0])
            return
        if given[-1] == "0x0":
            return
        if name == "realloc" and given[0] != "0x0":
            self.live -= self.blocks.pop(given[0])
        sizes = [int(n) for n in re.findall(r"(?<!x)\b\d+\b", rest.split(" = ")[0])]
        size = sizes[-2] * sizes[-1] if name == "calloc" else sizes[-1]
        assert given[-1] not in self.blocks, rest
        self.blocks[given[-1]] = size
        self.calls += 1
        self.live += size
        self.peak = max(self.peak, self.live)

    def other(self, kind, rest):
        made = re.search(r" = (\d+|0x[1-9a-f][0-9a-f]*)$", rest)
        back = re.fullmatch(r"(?:sclose|fclose|freeaddrinfo)\((\S+)\)", rest)
        if kind in ("FD", "FILE", "ADDR"):
            if back:
                self.others[kind, back.group(1)] -= 1
            elif made:
                self.others[kind, made.group(1)] += 1

    @property
    def open(self):
        return {k: v for k, v in self.others.items() if v}


def fallible(log):
    """(call, site) of each line that counts."""
    out = []
    for kind, site, rest in log:
        name = re.match(r"\w+", rest).group()
        if name not in ("free", "freeaddrinfo") and kind != "LIMIT":
            out.append(("close" if name == "sclose" else name, site))
    return out


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        # in one piece: how many reads it takes is always the same
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY)

    def log_message(self, *args):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("log")


@pytest.fixture(scope="session", autouse=True)
def preloaded(folder):
    PRELOADED["LD_PRELOAD"] = preload.compiled(folder / "preload.so")


@pytest.fixture(scope="session")
def urls(folder):
    """{"http": URL, "https": URL, "ca": file}"""
    ca, key = folder / "ca.pem", folder / "ca.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", ca, "-days",
                    "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
                   check=True, capture_output=True)
    servers = [Server(("127.0.0.1", 0), Handler) for _ in range(2)]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(ca, key)
    context.num_tickets = 0  # the library keeps them, and their length is random
    servers[1].socket = context.wrap_socket(servers[1].socket, server_side=True, do_handshake_on_connect=False)
    for s in servers:
        threading.Thread(target=s.serve_forever, daemon=True).start()
    yield {"http": f"http://127.0.0.1:{servers[0].server_port}/", "ca": str(ca),
           "https": f"https://127.0.0.1:{servers[1].server_port}/",
           "name": f"http://named.test:{servers[0].server_port}/"}
    for s in servers:
        s.shutdown()


def compiled(folder, name, *args):
    out = folder / os.path.splitext(name)[0]
    subprocess.run(["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-pthread", "-I", f"{ROOT}/include", "-o", out,
                    os.path.join(HERE, name), *args], check=True)
    return out


@pytest.fixture(scope="session")
def get(folder):
    """A program on libcurl.so.4, the usual one or the log build's."""
    exe = compiled(folder, "log_get.c", f"{LOG}/libcurl.so.4")

    def run_get(tmp_path, mode, *args, lib=LOG, **kw):
        return run(tmp_path, [exe, mode, *args], LD_LIBRARY_PATH=lib, **kw)
    assert os.path.exists(f"{DROPIN}/libcurl.so.4"), "needs the usual build, too: make drop-in"
    return run_get


def mote(tmp_path, urls, *args, kind="http", **kw):
    return run(tmp_path, [f"{LOG}/mote", "-q", "-sS", "--cacert", urls["ca"], *args, urls[kind]], **kw)


# --- the log ---

@pytest.mark.parametrize("kind", ["http", "https", "name"])
def test_balance_of_the_command(tmp_path, urls, kind):
    r = mote(tmp_path, urls, kind=kind)
    held = Held(r.log)
    assert r.code == 0 and r.out == BODY
    assert not held.blocks and not held.open
    assert held.calls > 5 and sum(k == "RECV" for k, _, _ in r.log) > 0
    assert r.report == dict(calls=len(fallible(r.log)), fired=0, call="-", site="-", live=0, bytes=0, fds=0)


@pytest.mark.parametrize("kind", ["http", "https", "name"])
def test_balance_of_a_program(tmp_path, urls, get, kind):
    r = get(tmp_path, "get", urls[kind], urls["ca"])
    held = Held(r.log)
    assert r.code == 0 and f"bytes={len(BODY)}".encode() in r.out
    assert not held.blocks and not held.open
    assert r.report["calls"] == len(fallible(r.log)) and r.report["fds"] == r.report["live"] == 0
    kinds = {k for k, _, _ in r.log}
    assert {"MEM", "FD", "SEND", "RECV", "CALL"} <= kinds and ("ADDR" in kinds) == (kind == "name")


def test_an_active_session_of_ftp(tmp_path, get):
    """The commands of libcurl's test 103, for which libcurl 8.22 takes 79 allocations: all of the program's count here,
    those of the handle and of its multi too."""
    heard, ended = [], threading.Event()

    class Heard(lines.Ftp):
        def answer(self, word, rest):
            heard.append(word)
            if word == "QUIT":
                ended.set()
            return super().answer(word, rest)

    server = lines.Server("ftp")
    server.session = Heard
    with server as srv:
        r = get(tmp_path, "port", srv.url + "/a/path/small")
        assert ended.wait(30)  # the program does not wait for the answer
    assert r.code == 0 and heard == "USER PASS PWD CWD CWD PORT TYPE SIZE RETR QUIT".split()
    held = Held(r.log)
    assert not held.blocks and 0 < held.calls <= 16


def test_sites_are_the_callers_of_the_seam(tmp_path, urls, get):
    r = get(tmp_path, "get", urls["name"])
    for _, site, rest in r.log:
        file, line = site.split(":")
        text = open(os.path.join(ROOT, "src", file), encoding="utf-8").read().split("\n")
        near = " ".join(text[max(0, int(line) - 4):int(line)])
        assert not file.startswith(("port/", "base/memory", "base/memory/account")), site
        assert re.search(r"mote_(mem|port|account)_", near), ("made from these sources?", site, rest)
    assert [s for k, s, _ in r.log if k == "ADDR"][0].startswith("net/names/lookup.c:")


def test_every_call_has_its_line(tmp_path, folder):
    exe = compiled(folder, "log_calls.c", "-D_GNU_SOURCE", "-include", f"{ROOT}/src/log/calls.h", "-include",
                   f"{ROOT}/src/log/blocks.h", "-I", f"{ROOT}/src", f"{LOG}/libmote.a",
                   *"-lssl -lcrypto -lz -lbrotlidec -lzstd -lidn2 -lpsl -lgssapi_krb5".split())
    r = run(tmp_path, [exe])
    held = Held(r.log)
    names = set(re.findall(r"^#define (\w+)[( ]", open(f"{ROOT}/src/log/calls.h").read() +
                           open(f"{ROOT}/src/log/blocks.h").read(), re.M))
    names -= {"MOTE_LOG_CALL", "MOTE_LOG_CALLS_H", "MOTE_LOG_BLOCKS_H"}
    logged = {re.match(r"\w+", rest).group() for _, _, rest in r.log}
    assert names - logged == {"close"} and logged - names == {"sclose"}
    assert {s for _, s, _ in r.log} == {"here.c:7"}
    # a FILE is closed with its descriptor
    assert not held.blocks and {k[0] for k in held.open} == {"FD"} and len(held.open) == 1
    assert r.report["live"] == r.report["fds"] == 0 and r.report["calls"] == len(fallible(r.log)) - 1  # pipe: 2 lines
    for n in range(1, r.report["calls"] + 1):
        bad = run(tmp_path, [exe], fault=f"at={n}", log=False)
        assert bad.code == 0, (n, bad.code)
        assert bad.report["fired"] == 1 and bad.report["live"] == 0, (n, bad.report)


def test_threads_do_not_mix(tmp_path, urls, get):
    r = get(tmp_path, "threads", urls["http"])
    held = Held(r.log)
    assert r.code == 0 and not held.blocks and not held.open
    assert r.report["calls"] == len(fallible(r.log))


def test_a_fork_writes_nothing_twice(tmp_path, get):
    r = get(tmp_path, "fork")
    assert [rest.split("(")[0] for _, _, rest in r.log] == ["malloc", "free", "free"]
    assert [x["live"] for x in r.reports] == [0, 0]


def test_the_application_s_allocator_is_not_logged(tmp_path, urls, get):
    r = get(tmp_path, "own", urls["http"])
    assert r.code == 0 and "MEM" not in {k for k, _, _ in r.log} and r.report["live"] == 0


def test_a_block_freed_twice(tmp_path, get):
    r = get(tmp_path, "twice")
    assert r.code == 0 and r.report["bad"] == 1 and r.report["live"] == 0
    assert [rest.split("(")[0] for _, _, rest in r.log] == ["malloc", "free", "free"]


def test_abort_keeps_the_log(tmp_path, get):
    r = get(tmp_path, "abort")
    assert r.code == -6 and len(r.log) == 1 and r.report["live"] == 1
    assert r.report["bytes"] == Held(r.log).live


# --- failures ---

# what the command answers when a call fails once; what is not here: 0
CODES = {"malloc": {27}, "calloc": {27}, "realloc": {27}, "socket": {7}, "connect": {7}, "poll": {99},
         "getsockopt": {7}, "getpeername": {7}, "send": {55}, "recv": {56}, "write": {23}}


def test_each_call_fails(tmp_path, urls):
    clean = mote(tmp_path, urls)
    calls = fallible(clean.log)
    for n, (call, site) in enumerate(calls, 1):
        r = mote(tmp_path, urls, fault=f"at={n}")
        assert r.code in CODES.get(call, {0}), (n, call, site, r.code, r.err)
        assert (r.report["fired"], r.report["call"], r.report["site"]) == (1, call, site), n
        assert r.report["live"] == r.report["bytes"] == 0 and "bad" not in r.report, (n, call)
        assert r.report["fds"] == (call == "fcntl" and site.startswith("tool/system/posix.h")), (n, call)  # fills 0 to 2
        limits = [x for x in r.log if x[0] == "LIMIT"]
        assert limits == [("LIMIT", site, f"{call}() failed on purpose: call {n}")]
        assert r.code or r.out == BODY, n
    assert len(calls) > 25


def test_each_call_and_all_later_ones_fail(tmp_path, urls):
    calls = fallible(mote(tmp_path, urls).log)
    for n, (call, site) in enumerate(calls, 1):
        r = mote(tmp_path, urls, fault=f"from={n}", log=False)
        if call == "fcntl":
            assert r.code == 2 and not r.reports  # the command leaves by _exit()
            continue
        assert r.code >= 0 and r.report["call"] == call and r.report["site"] == site, (n, call)
        assert r.report["fired"] == r.report["calls"] - n + 1
        assert r.report["live"] == 0 and "bad" not in r.report


@pytest.mark.parametrize("kind", ["alloc", "call", "io", "malloc", "recv", "setsockopt", "any"])
def test_kinds(tmp_path, urls, kind):
    groups = {"alloc": {"malloc", "calloc", "realloc", "strdup"},
              "io": {"recv", "send", "read", "write", "connect", "poll", "epoll_wait"}}
    calls = fallible(mote(tmp_path, urls).log)
    wanted = [c for c in calls if kind in ("any", c[0]) or c[0] in groups.get(kind, ()) or
              kind == "call" and c[0] not in groups["alloc"]]
    assert mote(tmp_path, urls, fault=f"kind={kind}").report["calls"] == len(wanted)
    n = len(wanted)
    r = mote(tmp_path, urls, fault=f"kind={kind},at={n}")
    assert (r.report["call"], r.report["site"]) == wanted[n - 1]


@pytest.mark.parametrize("call", ["recv", "send", "connect", "poll"])
def test_an_interrupted_call_is_made_again(tmp_path, urls, call):
    for kind in ("http", "https"):
        for n in (1, 2, 3):
            r = mote(tmp_path, urls, kind=kind, fault=f"kind={call},errno=EINTR,at={n}")
            assert r.code == 0 and r.out == BODY, (kind, n, r.err)
            assert r.report["fired"] == (n <= r.report["calls"])
            assert any(rest.endswith("= -1 EINTR") for _, _, rest in r.log) == bool(r.report["fired"])


def test_errno(tmp_path, urls, get):
    r = mote(tmp_path, urls, fault="kind=connect,at=1,errno=ECONNREFUSED", log=False)
    assert r.code == 7 and b"refused" in r.err.lower()
    for error, code in (("EAI_NONAME", 6), ("EAI_MEMORY", 27)):
        r = get(tmp_path, "get", urls["name"], fault=f"kind=getaddrinfo,at=1,errno={error}")
        assert r.code == code and "ADDR" in {k for k, _, _ in r.log}
    r = mote(tmp_path, urls, fault="errno=ENOTHING")
    assert r.code == 0 and b'what is "errno=ENOTHING"' in r.err


@pytest.mark.parametrize("kind", ["http", "https"])
@pytest.mark.parametrize("fault", ["short=1", "short=7", "cut=0", "cut=1", "cut=100", "short=900,cut=30"])
def test_short_and_cut(tmp_path, urls, kind, fault):
    clean = mote(tmp_path, urls, kind=kind)
    r = mote(tmp_path, urls, kind=kind, fault=fault)
    assert r.code == 0 and r.out == BODY
    moved = [rest.split(" = ")[1] for k, _, rest in r.log if k in ("RECV", "SEND")]
    if "short" in fault:
        limit = int(re.search(r"short=(\d+)", fault).group(1))
        assert max(int(m) for m in moved if m.isdigit()) == limit
    if "cut" in fault:
        assert sum(m == "-1 EAGAIN" for k, _, rest in r.log if k == "RECV" for m in [rest.split(" = ")[1]]) >= 1
    assert len(r.log) >= len(clean.log) and r.report["fired"] == 0


def test_control(tmp_path, urls, get):
    r = get(tmp_path, "control", urls["http"])
    assert r.out.decode().strip() == ("first=27 fired=1 calls=3 second=0 later=0 held=1 unknown=-1 "
                                      "live=0 bytes=0 fds=0")


def test_what_mote_fault_does_not_know(tmp_path, urls):
    r = mote(tmp_path, urls, fault="at,kind=nothing,short=4096")
    assert r.code == 0 and r.err.count(b"what is") == 2


# --- no count changes ---

@pytest.mark.parametrize("kind", ["http", "https", "name"])
def test_counts_are_those_of_the_usual_build(tmp_path, urls, get, kind):
    logged = [get(tmp_path, "get", urls[kind], urls["ca"], lib=lib, log=log).out.decode()
            for lib, log in ((DROPIN, False), (LOG, False), (LOG, True))]
    if kind == "name":  # which of two threads gives its blocks back first is chance
        logged = [re.sub(r"/\d+$", "/1", t.strip()) for t in logged]
    assert logged[0] == logged[1] == logged[2]
    assert re.search(r"code=0 .* account=\d+/[1-9]\d*/[1-9]\d* own=[1-9]\d*/0/[1-9]\d*", logged[0])


@pytest.mark.parametrize("kind", ["http", "https"])
def test_the_log_agrees_with_an_independent_count(tmp_path, urls, get, kind):
    r = get(tmp_path, "get", urls[kind], urls["ca"])
    held = Held(r.log)
    own = re.search(r"own=(\d+)/(\d+)/(\d+)", r.out.decode())
    assert [int(n) for n in own.groups()] == [held.calls, held.live, held.peak]


# --- nothing of it elsewhere, everything of it there ---

def test_the_usual_build_has_nothing_of_it():
    for root, lib in ((DROPIN, False), (LOG, True)):
        names = subprocess.run(["nm", "-D", "--defined-only", f"{root}/libcurl.so.4"], capture_output=True, text=True,
                               check=True).stdout
        assert ("mote_fault_control" in names) == lib
    for base, _, names in os.walk(os.path.join(ROOT, "src")):
        for name in names:
            if os.path.basename(base) != "log" and name.endswith((".c", ".h")):
                text = open(os.path.join(base, name), encoding="utf-8").read()
                assert not re.search(r'mote_log_|MOTE_LOG(_|\b)|"log/', text), os.path.join(base, name)


def declared(*headers):
    found = set()
    for h in headers:
        text = re.sub(r"/\*.*?\*/", "", open(os.path.join(ROOT, "src", h), encoding="utf-8").read(), flags=re.S)
        found |= set(re.findall(r"\b(mote_(?:(?:mem|port)_\w+|account_(?:open|close|limit)))\(", text))
    return found


def test_no_service_of_the_seams_is_left_out():
    ports = ["port/" + n for n in os.listdir(os.path.join(ROOT, "src/port")) if n.endswith(".h")]
    noted = set(re.findall(r"^#define (mote_\w+)\(", open(f"{ROOT}/src/log/sites.h").read(), re.M))
    harmless = re.compile(r"mote_(mem_(set_allocator|process|move|part_get|missing)|port_(now|wall|getenv|env_proxies|env_no_proxy|"
                          r"error_\w+|is_set|lock|unlock|select_\w+|target_\w+|path_\w+|"
                          r"roots|has_roots|is_roots))")  # of Windows, where there is no log
    missing = {n for n in declared("base/memory.h", *ports) - noted if not harmless.fullmatch(n)}
    assert not missing and noted <= declared("base/memory.h", *ports)


def test_no_fallible_call_is_left_out():
    """Of the objects that call the C library, none calls what the log replaces."""
    replaced = set(re.findall(r"mote_log_(\w+)\(", open(f"{ROOT}/src/log/calls.h").read()))
    replaced |= {"malloc", "calloc", "realloc", "free", "strdup"}
    objects = [os.path.join(base, n) for base, _, names in os.walk(os.path.join(LOG, "CMakeFiles")) for n in names
               if n.endswith(".o") and re.search(r"mote(_tool)?_objects\.dir/src/(?!log)", base + "/")]
    text = subprocess.run(["nm", "-A", "-u", *objects], capture_output=True, text=True, check=True).stdout
    used = {(x.split(":")[0], x.split()[-1].removesuffix("64")) for x in text.splitlines()}
    assert len(objects) > 100 and not {(o, n) for o, n in used if n in replaced}
