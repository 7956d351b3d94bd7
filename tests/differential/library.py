"""The program that runs cases on one library: building it, keeping it running, asking it.

A case is a list of lines, a line a list of fields (bytes); what it gives is a list of such lines (see README.md)."""
import concurrent.futures
import os
import re
import select
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "build", "differential")
SOURCES = os.path.join(ROOT, "tests", "differential", "runner")
INFOS = os.path.join(ROOT, "tests", "interface", "tables", "getinfo.tsv")
HANGS = 60      # real seconds without an answer; the program itself gives up after ten
BATCH = 40      # cases written before their answers are read
PIPE = 60000    # bytes of cases written before that: fewer than a pipe holds, so that writing never waits
ESCAPED = re.compile(rb"\\(x[0-9a-f]{2}|.)", re.S)
NAMED = {b"t": b"\t", b"n": b"\n", b"r": b"\r", b"\\": b"\\"}
ODD = re.compile(rb"[^ -\[\]-~]|\\")


def escaped(field):
    return ODD.sub(lambda m: {b"\t": b"\\t", b"\n": b"\\n", b"\r": b"\\r", b"\\": b"\\\\"}.get(m[0]) or
                   b"\\x%02x" % m[0][0], field)


def unescaped(field):
    return ESCAPED.sub(lambda m: NAMED.get(m[1]) or (bytes([int(m[1][1:], 16)]) if m[1][:1] == b"x" else m[1]), field)


def text_of(case):
    """The case as the program reads it, and as people do."""
    return b"".join(b"\t".join(escaped(f) for f in line) + b"\n" for line in case)


def case_of(text):
    return [[unescaped(f) for f in line.split(b"\t")] for line in text.split(b"\n") if line]


def write_infos():
    """info_rows.inc: every info of curl_easy_getinfo(), by number, as the header may have its name deprecated."""
    with open(INFOS, encoding="utf-8") as f:
        rows = [line.split("\t") for line in f.read().splitlines()[1:]]
    path = os.path.join(FOLDER, "info_rows.inc")
    with open(path + ".part", "w", encoding="utf-8") as f:
        f.writelines(f'  {{"{name.removeprefix("CURLINFO_")}", CURLINFO_{kind.upper()} + {number}}},\n'
                     for name, kind, number, *_ in rows)
    os.replace(path + ".part", path)


def build(library):
    """Compiles the program, when it is older than a source of its own. The path."""
    out = os.path.join(FOLDER, "runner")
    sources = sorted(os.path.join(SOURCES, n) for n in os.listdir(SOURCES))
    if os.path.exists(out) and os.path.getmtime(out) > max(map(os.path.getmtime, [*sources, INFOS])):
        return out
    os.makedirs(FOLDER, exist_ok=True)
    write_infos()
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-rdynamic",
                    "-I" + os.path.join(ROOT, "include"), "-I" + FOLDER, "-DCURL_DISABLE_DEPRECATION", "-DCURL_DISABLE_TYPECHECK",
                    *[s for s in sources if s.endswith(".c")], "-o", out, library], check=True)
    return out


class Library:
    """A libcurl.so.4 in a folder, and the program that runs on it."""

    def __init__(self, name, folder, program, preload=""):
        self.name, self.folder, self.program, self.preload = name, folder, program, preload
        self.process, self.left = None, b""

    def start(self):
        env = {"LD_LIBRARY_PATH": self.folder, "PATH": "/nonexistent", "LC_ALL": "C", "TZ": "UTC"}
        if self.preload:
            env["LD_PRELOAD"] = self.preload
        self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, env=env, cwd=FOLDER)
        self.left = b""

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
        self.process = None

    def _answer(self):
        """The next log, or None when the program has ended or hangs."""
        deadline = time.monotonic() + HANGS
        while b"\n\n" not in self.left:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))
            data = os.read(self.process.stdout.fileno(), 1 << 20) if ready else b""
            if not data:
                return None
            self.left += data
        log, self.left = self.left.split(b"\n\n", 1)
        return log

    def _end(self):
        """What the program's end says of the case that it was running."""
        self.process.stdout.close()
        try:
            status = self.process.wait(1)
        except subprocess.TimeoutExpired:
            status = None
        verdict = {96: b"hang", None: b"hang"}.get(status, b"crash %d" % status if status is not None else b"")
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process = None
        return b"end\t" + verdict

    def _write(self, cases):
        """Writes as many of the cases as fit; how many."""
        texts, size = [], 0
        for case in cases[:BATCH]:
            text = text_of(case) + b"\n"
            size += len(text)
            if texts and size > PIPE:
                break
            texts.append(text)
        try:
            self.process.stdin.write(b"".join(texts))
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        return len(texts)

    def run(self, cases):
        """The log of each case, as bytes. The program is started again after what ended it."""
        logs = []
        while len(logs) < len(cases):
            if not self.process:
                self.start()
            for _ in range(self._write(cases[len(logs):len(logs) + BATCH])):
                log = self._answer()
                if log is None:
                    logs.append(self._end())
                    break
                logs.append(log)
                if not log.endswith(b"\tdone"):
                    self.stop()
                    break
        return logs


class Pair:
    """Both libraries, asked at the same time."""

    def __init__(self, ours, newest):
        self.ours, self.newest = ours, newest
        self.pool = concurrent.futures.ThreadPoolExecutor(1)

    def run(self, cases):
        """(log of ours, log of the newest) of each case"""
        other = self.pool.submit(self.newest.run, cases)
        ours = self.ours.run(cases)
        return list(zip(ours, other.result()))

    def stop(self):
        self.ours.stop()
        self.newest.stop()
