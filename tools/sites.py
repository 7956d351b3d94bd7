#!/usr/bin/env python3
"""The places that allocate, and how often, in a fixed set of transfers with the log build.

usage: sites.py [--log DIR] [--json] [--history FILE]
  (nothing)       calls by place, most first
  --history FILE  only what is new against the last line of FILE that has call sites (bench/history.jsonl)

A place is called "net/conn.c: <the text of its line>": line numbers shift with every change, the text does not.
Realloc counts as an allocation. What the libraries below allocate for themselves is not in the log.
"""
import argparse
import collections
import gzip
import json
import os
import re
import socketserver
import ssl
import subprocess
import sys
import tempfile
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "bench"), os.path.join(ROOT, "tools")]
import server  # noqa: E402
from measure.figure import Missing, Void  # noqa: E402
from measure.programs import BIN, compile_programs  # noqa: E402
from measure.subject import line_of  # noqa: E402

LOG = os.path.join(ROOT, "build", "log")
SOURCE = os.path.join(ROOT, "src")
ALLOCATES = re.compile(rb"MEM (\S+):(\d+) (?:malloc|calloc|realloc|strdup|strndup|aligned_alloc)\(")
BODY = 8 << 20
# name: (kind of bench/sites.c, paths below the server, https, bytes that must arrive)
TRANSFERS = {
    "first GET": ("get", ["/small"], False, 12),
    "11 GETs": ("again", ["/small"], False, 132),
    "8 MB": ("get", ["/large"], False, BODY),
    "chunked": ("get", ["/chunked"], False, 100000),
    "gzip": ("coded", ["/gzip"], False, 100000),
    "redirect": ("follow", ["/moved"], False, 12),
    "POST": ("post", ["/small"], False, 12),
    "pair": ("pair", ["/large", "/small"], False, BODY + 12),
    "HTTPS GET": ("get", ["/small"], True, 12),
}


class Site:
    """One place: where it is now, the function around it, calls by transfer."""

    def __init__(self, file, line, function, text):
        self.file, self.line, self.function, self.text = file, line, function, text
        self.by = collections.Counter()

    @property
    def calls(self):
        return sum(self.by.values())


# --- the server ---

def response(path):
    if path == "/large":
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % BODY + bytes(BODY)
    if path == "/chunked":
        chunks = b"3e8\r\n%s\r\n" % bytes(1000) * 100 + b"0\r\n\r\n"
        return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks
    if path == "/gzip":
        body = gzip.compress(bytes(range(250)) * 400, mtime=0)
        return b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    if path == "/moved":
        return b"HTTP/1.1 302 Found\r\nLocation: /small\r\nContent-Length: 0\r\n\r\n"
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 12\r\n\r\nhello world\n"


class Handler(socketserver.StreamRequestHandler):
    """Answers requests on one connection; reads a body by its length."""

    def handle(self):
        try:
            while line := self.rfile.readline():
                length = 0
                while (field := self.rfile.readline().strip().lower()):
                    if field.startswith(b"content-length:"):
                        length = int(field.split(b":")[1])
                    if field.startswith(b"expect:"):
                        self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                self.rfile.read(length)
                self.wfile.write(response(line.split()[1].decode()))
        except OSError:
            pass


class Server(socketserver.ThreadingTCPServer):
    """On a free port of loopback, with TLS when certificates are given."""
    daemon_threads = True

    def __init__(self, certificates=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.tls = None
        if certificates:
            self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.tls.load_cert_chain(os.path.join(certificates, "server.pem"), os.path.join(certificates, "server.key"))
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def finish_request(self, request, client_address):
        if self.tls:
            request = self.tls.wrap_socket(request, server_side=True)
        Handler(request, client_address, self)

    def handle_error(self, request, client_address):
        pass


# --- the log ---

def read(path):
    """{(file, line): allocations} of a log."""
    calls = collections.Counter()
    with open(path, "rb") as f:
        for line in f:
            m = ALLOCATES.match(line)
            if m:
                calls[m.group(1).decode(), int(m.group(2))] += 1
    return calls


def place(source, file, line):
    """(the line's text, the function around it) of a place in source."""
    try:
        with open(os.path.join(source, file), encoding="utf-8") as f:
            lines = f.read().splitlines()
        text = " ".join(lines[line - 1].split())
    except (OSError, IndexError):
        return f"line {line}", "?"
    for n in range(line - 1, -1, -1):
        m = re.match(r"[A-Za-z_][^;={}]*?(\w+)\(", lines[n])
        if m:
            return text, m.group(1)
    return text, "?"


def run(kind, urls, log, trace, ca):
    """One transfer of bench/sites.c; Void when it went wrong."""
    env = {k: os.environ[k] for k in ("PATH", "HOME", "TMPDIR") if k in os.environ}
    env.update(LD_LIBRARY_PATH=log, CURL_MEMDEBUG=trace, BENCH_CA=ca)
    cmd = [os.path.join(BIN, "sites"), kind, *urls]
    p = subprocess.run(cmd, env=env, capture_output=True, text=True, errors="replace", timeout=600)
    return p.returncode, line_of(p.stdout, "result"), p


def transfers(log, d):
    """(name, log file) of each transfer."""
    plain, secure = Server(), Server(d)
    try:
        for n, (name, (kind, paths, https, size)) in enumerate(TRANSFERS.items()):
            base = f"https://localhost:{secure.server_address[1]}" if https else \
                f"http://127.0.0.1:{plain.server_address[1]}"
            trace = os.path.join(d, f"log{n}")
            status, result, p = run(kind, [base + x for x in paths], log, trace, os.path.join(d, "ca.pem"))
            if status or result.get("bytes") != size:
                raise Void(f"{name}: exit {status}: {(p.stdout + p.stderr)[-300:]}")
            if not os.path.exists(trace):
                raise Missing(f"{log} is not a log build")
            yield name, trace
    finally:
        for s in (plain, secure):
            s.shutdown()
            s.server_close()


def measure_sites(log=LOG, source=SOURCE):
    """{key: Site}"""
    if not os.path.exists(os.path.join(log, "libcurl.so.4")):
        raise Missing(f"{log} is not built (make log)")
    compile_programs()
    found = {}
    with tempfile.TemporaryDirectory(prefix="mote-sites-") as d:
        server.certificates(d)
        for name, trace in transfers(log, d):
            for (file, line), calls in read(trace).items():
                text, function = place(source, file, line)
                site = found.setdefault(f"{file}: {text}", Site(file, line, function, text))
                site.by[name] += calls
    return found


def measure(log=LOG, source=SOURCE):
    """{key: calls}: what the history keeps."""
    return {k: s.calls for k, s in sorted(measure_sites(log, source).items())}


def new(found, before, author=lambda file, line: ""):
    """Lines for the places that are not in {key: calls} of before, or that are called more often now. author: says
    which commit a line is from."""
    out = []
    for key, site in sorted(found.items(), key=lambda ks: -ks[1].calls):
        had = before.get(key, 0)
        if site.calls > had:
            what = "new call site" if key not in before else f"called {site.calls - had} times more"
            by = ", ".join(f"{name} {n}" for name, n in site.by.most_common(3))
            who = author("src/" + site.file, site.line)
            out.append(f"{what}: src/{site.file}:{site.line} {site.function}() x{site.calls} ({by})"
                       f"{', ' + who if who else ''}: {site.text}")
    return out


def last_sites(path):
    """(commit, {key: calls}) of the last line of a history that has call sites."""
    with open(path, encoding="utf-8") as f:
        lines = [json.loads(line) for line in f if line.strip()]
    return next(((x["commit"], x["sites"]) for x in reversed(lines) if x.get("sites")), (None, {}))


def main():
    ap = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    ap.add_argument("--log", default=LOG)
    ap.add_argument("--json", action="store_true")
    ap.add_argument("--history")
    a = ap.parse_args()
    try:
        found = measure_sites(os.path.abspath(a.log))
    except (Missing, Void) as e:
        sys.exit(f"sites: {e}")
    if a.json:
        print(json.dumps({k: s.calls for k, s in sorted(found.items())}, indent=1))
    elif a.history:
        commit, before = last_sites(a.history)
        if not commit:
            sys.exit(f"sites: {a.history} has no call sites")
        print("\n".join(new(found, before)) or f"nothing new since {commit[:7]}")
    else:
        for key, site in sorted(found.items(), key=lambda ks: (-ks[1].calls, ks[0])):
            print(f"{site.calls:>6}  src/{site.file}:{site.line} {site.function}(): {site.text}")


if __name__ == "__main__":
    main()
