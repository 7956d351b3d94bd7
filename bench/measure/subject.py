"""What is measured: a library and a command that transfer the files of a server."""
import os
import re
import subprocess

import server

from .figure import Missing, Void, undisturbed
from .programs import BIN, COUNTER

MB = 1 << 20
SIZES = {"small": 12, "mb1": MB, "mb11": 11 * MB, "mb64": 64 * MB, "big": 512 * MB, "gb": 1024 * MB}
BUNDLE = "/etc/ssl/certs/ca-certificates.crt"
SYSTEM_LIBRARY = "/usr/lib/x86_64-linux-gnu/libcurl.so.4"


def values(line):
    """{'a': 1.0} of 'word a=1 b=2,3' (lists are left as text)."""
    out = {}
    for key, value in re.findall(r"(\w+)=(\S+)", line):
        try:
            out[key] = float(value)
        except ValueError:
            out[key] = value
    return out


def line_of(text, name):
    for line in text.splitlines():
        if line.startswith(name + " "):
            return values(line)
    return {}


def phases_of(text):
    """[(name, values)] of the lines of bench_phase() (bench/common.h)."""
    return [(m, values(line)) for line in text.splitlines() for m in re.findall(r"^phase=(\w+) ", line)]


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
        for phase, found in phases_of(p.stdout):
            phases.setdefault(phase, []).append(found)
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


def file_limit(n):
    if server.raise_file_limit() < 2 * n + 200:
        raise Missing(f"{n} transfers need {2 * n + 200} descriptors")
