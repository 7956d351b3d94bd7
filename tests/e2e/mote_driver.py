"""Runs the C driver: builds its script, reads its log. See README.md for the script's commands."""

import codecs
import os
import queue
import re
import subprocess
import threading
import zlib

import pytest

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The library under test: ours; with MOTE_E2E_SYSTEM=1 Debian's libcurl, with =newest the one of tools/oracle.
SYSTEM = os.environ.get("MOTE_E2E_SYSTEM", "") not in ("", "0")   # a libcurl, not ours
NEWEST = os.environ.get("MOTE_E2E_SYSTEM", "") == "newest"
ORACLE = os.path.join(REPO, "build", "oracle")
DROPIN = ORACLE if NEWEST else os.path.abspath(os.environ.get("MOTE_DROPIN") or os.path.join(REPO, "build", "drop-in"))
# The folder that the loader takes libcurl.so.4 from; empty: Debian's own
LIBRARY = DROPIN if NEWEST or not SYSTEM else ""
COMMAND = os.path.abspath(os.environ.get("MOTE") or os.path.join(REPO, "build", "mote"))

SANITIZED = os.environ.get("MOTE_E2E_PRELOAD", "")
# What runs the driver where it is compiled for another machine: the words before it.
EMULATOR = os.environ.get("MOTE_E2E_EMULATOR", "").split()
# Where the library is an archive and not libcurl.so.4: that and what it needs. Such a driver has no loader, which could
# preload something.
ARCHIVE = os.environ.get("MOTE_E2E_ARCHIVE", "").split()
# The library is for another machine, or an archive: Python and Debian's curl cannot load it.
FOREIGN = os.environ.get("MOTE_E2E_FOREIGN", "") == "1" or bool(EMULATOR or ARCHIVE)

WAYS = ["easy", "poll", "wait", "fdset"] + (["waitfds"] if LIBRARY else []) + ["socket"]
MULTI_WAYS = WAYS[1:]

# Constants of <curl/curl.h>
HTTP_VERSION_1_0, HTTP_VERSION_1_1, HTTP_VERSION_2 = 1, 2, 3
AUTH_BASIC, AUTH_BEARER, AUTH_ANY = 1, 1 << 6, ~(1 << 4) & 0xffffffff
H_HEADER, H_TRAILER, H_CONNECT, H_1XX, H_PSEUDO = 1, 2, 4, 8, 16
PAUSE_RECV, PAUSE_SEND, PAUSE_ALL, PAUSE_CONT = 1, 4, 5, 0
TLS_1_2, TLS_1_3 = 6, 7
TLS_MAX_1_2, TLS_MAX_1_3 = 6 << 16, 7 << 16
COND_IFMODSINCE, COND_IFUNMODSINCE, COND_LASTMOD = 1, 2, 3
REDIR_301, REDIR_302, REDIR_303, REDIR_ALL = 1, 2, 4, 7
LOCK_COOKIE, LOCK_DNS, LOCK_SSL_SESSION, LOCK_CONNECT, LOCK_PSL, LOCK_HSTS = 2, 3, 4, 5, 6, 7


def by_library(ours, debian, newest=None):
    """What is expected of ours, of Debian's libcurl and of the newest, where they are meant to differ. Where the newest
    is not given it does what ours does if that is right, so a test names it only when ours differs from it on purpose."""
    if NEWEST:
        return ours if newest is None else newest
    return debian if SYSTEM else ours


def not_debian(reason):
    """A mark for tests of what came after 7.88."""
    return pytest.mark.skipif(SYSTEM and not NEWEST, reason="libcurl 7.88: " + reason)


def not_sanitized(reason):
    """A mark for tests that cannot run under the sanitizers."""
    return pytest.mark.skipif(bool(SANITIZED), reason="sanitizers: " + reason)


PLAIN = re.compile(rb"[ -\[\]-~]*")
ESCAPED = [chr(b) if 0x20 <= b < 0x7f and b != 0x5c else "\\\\" if b == 0x5c else "\\x%02x" % b for b in range(256)]


def escape(value):
    """A field for the driver. A quarter of the tests' time went into this one and the next, byte by byte."""
    if isinstance(value, bool):
        value = int(value)
    data = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogateescape")
    return data.decode("ascii") if PLAIN.fullmatch(data) else "".join([ESCAPED[b] for b in data])


def unescape(text):
    """The bytes of a field of the log, whose only escapes are two of Python's: a doubled backslash, \\x and two digits."""
    data = text.encode("latin-1")
    return codecs.escape_decode(data)[0] if b"\\" in data else data


class Transfer:
    """What one transfer gave the application."""

    def __init__(self, name):
        self.name = name
        self.code = None
        self.error = ""
        self.length = 0
        self.crc = 0
        self.body = b""
        self.headers = []   # raw lines, as the header callback got them
        self.calls = {}     # event -> number of calls
        self.bytes = {}     # event -> bytes
        self.progress = None
        self.debug_bytes = {}
        self.debug = []     # (type, bytes), with enable debugprint
        self.info = {}

    def __repr__(self):
        return f"<{self.name}: code {self.code} {self.error!r}, {self.length} bytes {self.body[:80]!r}>"


def number(text):
    try:
        return int(text)
    except ValueError:
        return text


class Run:
    """The driver's log, read."""

    def __init__(self, lines, status):
        self.status = status
        self.lines = [[f.decode("latin-1") for f in map(unescape, line.split("\t"))] for line in lines]
        self.transfers = {}
        self.order = []
        self.infos = {}
        pending = {}
        last = {}
        for f in self.lines:
            kind = f[0]
            if kind in ("body", "count", "progress", "debugbytes", "header", "debug"):
                t = pending.setdefault(f[1], Transfer(f[1]))
                if kind == "body":
                    t.length, t.crc, t.body = int(f[2]), int(f[3]), f[4].encode("latin-1")
                elif kind == "header":
                    t.headers.append(f[2].encode("latin-1"))
                elif kind == "count":
                    t.calls[f[2]], t.bytes[f[2]] = int(f[3]), int(f[4])
                elif kind == "progress":
                    t.progress = tuple(map(int, f[2:6]))
                elif kind == "debug":
                    t.debug.append((int(f[2]), f[3].encode("latin-1")))
                else:
                    t.debug_bytes[int(f[2])] = int(f[3])
            elif kind == "result":
                t = pending.pop(f[1], None) or Transfer(f[1])
                t.code, t.error = int(f[2]), f[3]
                self.transfers.setdefault(f[1], []).append(t)
                self.order.append(f[1])
                last[f[1]] = t
            elif kind == "info":
                if int(f[3]):
                    value = ("error", int(f[3]))
                elif f[2] in ("CERTINFO", "COOKIELIST", "SSL_ENGINES", "TLS_SSL_PTR", "TLS_SESSION"):
                    value = f[4:]
                else:
                    value = f[4] if f[2] in TEXT_INFOS else number(f[4])
                    if isinstance(value, str) and f[2] not in TEXT_INFOS:
                        value = float(value)
                self.infos.setdefault(f[1], {})[f[2]] = value
                if f[1] in last:
                    last[f[1]].info[f[2]] = value
        self.unfinished = pending

    def __getitem__(self, name):
        """The last transfer of a handle."""
        return self.transfers[name][-1]

    def all(self, name):
        return self.transfers.get(name, [])

    def of(self, kind, *start):
        """The fields of every line of a kind, numbers as int, whose first fields are as given."""
        out = []
        for f in self.lines:
            if f[0] == kind and f[1:1 + len(start)] == [str(s) for s in start]:
                out.append([number(x) for x in f[1 + len(start):]])
        return out

    def code(self, kind, *start):
        found = self.of(kind, *start)
        assert len(found) == 1, f"{kind} {start}: {found}"
        return found[0][-1]


TEXT_INFOS = {"RTSP_SESSION_ID", "EFFECTIVE_URL", "CONTENT_TYPE", "REDIRECT_URL", "PRIMARY_IP", "LOCAL_IP", "SCHEME", "EFFECTIVE_METHOD",
              "REFERER", "CAINFO", "CAPATH", "FTP_ENTRY_PATH"}


class Driver:
    """One run of the driver: collect commands, then run(); or start(), say() and expect() step by step."""

    tls = None  # the TLS library to choose by name; None: the first

    def __init__(self, programs, way="easy", seconds=60, fault=False, env=None, leaks=True):
        if ARCHIVE and (fault or "LD_PRELOAD" in (env or {})):
            pytest.skip("nothing can be preloaded into a driver without a loader")
        self.programs, self.way, self.fault = programs, way, fault
        self.seconds = seconds * 3 if SANITIZED or EMULATOR else seconds
        self.env = dict(env or {})
        self.check_end = leaks
        self.script = []
        self.process = None
        self.lines = []
        self.new = queue.Queue()

    # ---- the script
    def do(self, *fields):
        line = "\t".join(escape(f) for f in fields)
        if self.process:
            self.process.stdin.write((line + "\n").encode("ascii"))
            self.process.stdin.flush()
        else:
            self.script.append(line)
        return self

    def setopt(self, name, **options):
        for option, value in options.items():
            if value is None:
                self.do("setopt", name, option)
            elif isinstance(value, (list, tuple)):
                self.do("setopt", name, option, *value)
            else:
                self.do("setopt", name, option, value)
        return self

    def easy(self, name="h", **options):
        self.do("easy", name)
        return self.setopt(name, **options)

    def on(self, name, event, measure, at, action, *args):
        return self.do("on", name, event, measure, at, action, *args)

    def enable(self, name, *kinds):
        return self.do("enable", name, *kinds)

    def body(self, name, data, chunk=0):
        """An upload's source: bytes, or an int for so many bytes of the pattern."""
        kind = "bytes" if isinstance(data, bytes) else "pattern"
        return self.do("body", name, kind, data, chunk)

    def perform(self, *names):
        return self.do("perform", *(names or ("h",)))

    def getinfo(self, name, *infos):
        return self.do("getinfo", name, *infos)

    # ---- running it
    def _environment(self):
        env = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "MALLOC_PERTURB_": "165"}
        if LIBRARY:
            env["LD_LIBRARY_PATH"] = LIBRARY
        preload = [SANITIZED] if SANITIZED else []
        if self.fault:
            preload.append(self.programs["preload"])
        if preload:
            env["LD_PRELOAD"] = ":".join(preload)
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                env[name] = os.environ[name]
        env.update(self.env)
        return env

    def start(self):
        self.process = subprocess.Popen(
            [*EMULATOR, self.programs["driver"], "--way", self.way, "--seconds", str(self.seconds),
             *(["--tls", self.tls] if self.tls else [])], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self._environment())
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.errors = b""
        self.error_reader = threading.Thread(target=self._read_errors, daemon=True)
        self.reader.start()
        self.error_reader.start()
        if self.script:
            try:
                self.process.stdin.write(("\n".join(self.script) + "\n").encode("ascii"))
                self.process.stdin.flush()
            except BrokenPipeError:
                pass
        return self

    def _read(self):
        for line in self.process.stdout:
            text = line.decode("latin-1").rstrip("\n")
            self.lines.append(text)
            self.new.put(text)
        self.new.put(None)

    def _read_errors(self):
        self.errors = self.process.stderr.read()

    def drive_until(self, event, multi="m"):
        """Runs the script and drives the multi until a server's script has set the event; more commands may follow."""
        self.do("drive", multi, "stdin").start()
        assert event.wait(self.seconds), f"the server was not driven to its event: {self.lines[-10:]}"
        return self

    def expect(self, *start):
        """Waits for a log line that begins with these fields; gives its fields."""
        while True:
            try:
                line = self.new.get(timeout=self.seconds + 5)
            except queue.Empty:
                line = None
            assert line is not None, f"the driver ended or stalled before {start}: {self.lines[-10:]}"
            fields = [f.decode("latin-1") for f in map(unescape, line.split("\t"))]
            if fields[:len(start)] == [str(s) for s in start]:
                return fields

    def end(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self.process.wait(self.seconds + 10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join(5)
        self.error_reader.join(5)
        self.process.stdout.close()
        self.process.stderr.close()
        run = Run(self.lines, self.process.returncode)
        log = "\n".join(line[:200] for line in self.lines[-30:])
        errors = self.errors.decode("latin-1")
        assert run.status == 0, f"the driver ended with {run.status}\n{errors}\n{log[-6000:]}"
        assert not run.of("violation"), f"violations: {run.of('violation')}\n{log[-6000:]}"
        if self.check_end:
            ends = run.of("end")
            assert ends and ends[-1] == [0, 0], f"descriptors left, violations: {ends}\n{log[-6000:]}"
        return run

    def run(self):
        self.start()
        return self.end()

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def pattern(length):
    """The driver's pattern body."""
    block = bytes(range(251))
    return (block * (length // 251 + 1))[:length]


def crc(data):
    return zlib.crc32(data)
