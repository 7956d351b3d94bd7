#!/usr/bin/env python3
"""The same loads as programs in what people use, and on this library, side by side in one run.

usage: peers.py [--write] [--only NAME ...] [--quick] [--lib DIR] [--newest DIR]
  --write       writes what was measured into bench/peers/peers.tsv, and from that the table of docs/figures.md and
                docs/peers.svg (peers_page.py); nothing where a peer is wrong, or with --only or --quick
  --only NAME   these peers alone, by the names that are printed
  --quick       one run of each with few transfers: whether all of it works
  --lib DIR     this library's libcurl.so.4 (build/drop-in)
  --newest DIR  the newest libcurl's (build/oracle)

A peer is a program that is run as "PROGRAM LOAD URL N CONCURRENCY" and prints "done=N bytes=B". It is written as the
peer's own documentation has it. The client has processor 0, the server (nginx on loopback) processor 1. Each load is
run three times, and the run that took the least processor time counts.

  many   1,000 downloads, all in progress at once: the server sends each of them 200 bytes a second
  small  20,000 GETs of 12 bytes, ten at a time, over connections that are kept
  big    1 GB

What counts is the processor time, user's and system's, and the peak resident memory of the program from its start to
its end. The time on the clock is printed, and in "many" it is the server's. A run whose counts are wrong, by the
program's own line or by the server's count of requests, makes this one fail. A peer whose runtime is not on the machine
is printed with what is missing.
"""
import argparse
import contextlib
import dataclasses
import http.client
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from measure import ROOT  # noqa: E402
from measure.figure import Missing, Void  # noqa: E402
from measure.programs import BIN, compile_programs  # noqa: E402
from measure.subject import values  # noqa: E402
import peers_page  # noqa: E402
import server  # noqa: E402

BUILD = os.path.join(ROOT, "build", "peers")
CLIENT, SERVER = 0, 1  # processors
TIMES = 3
STATUS = "location = /status { stub_status; }"
MEMORY = "/dev/shm"  # where commands write their files: what a disk costs is no figure of theirs


@dataclasses.dataclass
class Load:
    path: str
    n: int
    concurrency: int
    size: int  # of each body

    def quick(self):
        """The same with few transfers, and less of what is slow."""
        return dataclasses.replace(self, n=min(self.n, 100), concurrency=min(self.concurrency, 100),
                                   size=600 if self.path == "trickle" else self.size)


LOADS = {
    "many": Load("trickle", 1000, 1000, 4000),  # 20 s: no peer takes longer to start all of them
    "small": Load("small", 20000, 10, 12),
    "big": Load("gb", 1, 1, 1 << 30),
}


@dataclasses.dataclass
class Built:
    """What a peer's build gives."""
    command: list
    version: str
    env: dict = dataclasses.field(default_factory=dict)
    wraps: bool = False  # it is a script that runs the program that is measured, by $COST


# --- the peers ---

def program(name):
    path = shutil.which(name)
    if not path:
        raise Missing(f"there is no {name} (tools/setup peers)")
    return path


def output(cmd, **how):
    """What the command prints; Missing with the end of its output where it fails."""
    p = subprocess.run(cmd, capture_output=True, text=True, errors="replace", check=False, **how)
    if p.returncode:
        raise Missing(f"{os.path.basename(cmd[0])}: {(p.stdout + p.stderr).strip()[-300:]}")
    return p.stdout


def found(pattern, text):
    m = re.search(pattern, text)
    return m.group(1) if m else "unknown"


def locked(path, pattern):
    """A version that a file of this folder pins."""
    with open(os.path.join(HERE, path), encoding="utf-8") as f:
        return found(pattern, f.read())


def by_go():
    go = shutil.which("go") or program("/usr/local/go/bin/go")
    out = os.path.join(BUILD, "go_http")
    output([go, "build", "-buildvcs=false", "-trimpath", "-o", out, "."], cwd=os.path.join(HERE, "go"),
           env={**os.environ, "CGO_ENABLED": "0", "GOTOOLCHAIN": "local"})
    return Built([out], found(r"go([\d.]+)", output([go, "version"])))


def lock_crates(cargo, folder):
    """Writes Cargo.lock of rust/crates.lock, which has versions and hashes: where each comes from, as cargo itself says."""
    output([cargo, "generate-lockfile", "--quiet"], cwd=folder)
    path = os.path.join(folder, "Cargo.lock")
    with open(path, encoding="utf-8") as f:
        source = re.search(r"^source = .*\n", f.read(), re.M).group(0)
    with open(os.path.join(folder, "crates.lock"), encoding="utf-8") as f:
        pinned = f.read()
    with open(path, "w", encoding="utf-8") as f:
        f.write(re.sub("^checksum", lambda m: source + m.group(0), pinned, flags=re.M))


def by_rust():
    cargo, folder = program("cargo"), os.path.join(BUILD, "rust")
    shutil.copytree(os.path.join(HERE, "rust"), folder, dirs_exist_ok=True)
    lock_crates(cargo, folder)
    output([cargo, "build", "--quiet", "--release", "--locked"], cwd=folder)
    return Built([os.path.join(folder, "target", "release", "get")],
                 locked("rust/crates.lock", r'name = "reqwest"\nversion = "([\d.]+)"'))


def by_python(name):
    """A module of requirements.txt, installed below build/peers by the hashes that are pinned there."""
    venv = os.path.join(BUILD, "python")
    python = os.path.join(venv, "bin", "python")
    wanted = os.path.join(HERE, "python", "requirements.txt")
    output(["/usr/bin/python3", "-m", "venv", "--without-pip", venv])
    output(["/usr/bin/python3", "-m", "pip", "--python", python, "install", "--quiet", "--disable-pip-version-check",
            "--require-hashes", "--only-binary=:all:", "--no-deps", "-r", wanted])
    return Built([python, os.path.join(HERE, "python", f"load_{name}.py")],
                 locked("python/requirements.txt", name + r"==([\d.]+)"))


def by_node():
    """npm installs beside package.json: in a copy."""
    folder = os.path.join(BUILD, "node")
    node, npm = program("node"), program("npm")
    shutil.copytree(os.path.join(HERE, "node"), folder, dirs_exist_ok=True)
    output([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder)
    return Built([node, os.path.join(folder, "get.js")], locked("node/package.json", r'"undici": "([\d.]+)"'))


def by_command(name, script):
    version = found(r"(\d+\.[\d.]*\d)", output([program(name), "--version"]))
    return Built(["sh", os.path.join(HERE, "commands", script)], version, wraps=True)


def by_libcurl(folder, made_by, version=r"version libcurl/([\d.]+)"):
    """bench/rate on a library: an event loop, or curl_easy_perform() for one transfer."""
    if folder and not os.path.exists(os.path.join(folder, "libcurl.so.4")):
        raise Missing(f"there is no libcurl.so.4 in {folder} ({made_by})")
    compile_programs("rate", "get", "cost")
    env = {"LD_LIBRARY_PATH": folder} if folder else {}
    said = subprocess.run([os.path.join(BIN, "get"), "file:///dev/null"], env={**os.environ, **env},
                          capture_output=True, text=True, check=False).stdout
    return Built([os.path.join(BIN, "rate")], found(version, said), env)


def peers(lib, newest):
    """{name: what builds it}, in the order of the table."""
    return {
        "Go net/http": by_go,
        "Rust reqwest": by_rust,
        "Python httpx": lambda: by_python("httpx"),
        "Python aiohttp": lambda: by_python("aiohttp"),
        "Node undici": by_node,
        "wget2": lambda: by_command("wget2", "wget2.sh"),
        "aria2": lambda: by_command("aria2c", "aria2.sh"),
        "system's libcurl": lambda: by_libcurl(None, ""),
        "newest libcurl": lambda: by_libcurl(newest, "make oracle"),
        "Mote": lambda: by_libcurl(lib, "make drop-in", r"Mote/([\d.]+)"),
    }


def words(command, load, url, n, concurrency):
    """A peer's command line. bench/rate takes no load, and a concurrency of 0 for curl_easy_perform()."""
    if os.path.basename(command[-1]) == "rate":
        return [*command, url, str(n), str(0 if load == "big" else concurrency)]
    return [*command, load, url, str(n), str(concurrency)]


# --- measuring ---

def counts(text):
    """(done, bytes) of the last line that has both; (None, None) without one."""
    for line in reversed(text.splitlines()):
        m = re.search(r"\bdone=(\d+)\b.*\bbytes=(\d+)\b", line)
        if m:
            return int(m.group(1)), int(m.group(2))
    return None, None


def check_counts(text, n, size):
    done, got = counts(text)
    if done is None:
        raise Void(f"no line with done= and bytes=: {text.strip()[-300:] or 'nothing was printed'}")
    if (done, got) != (n, n * size):
        raise Void(f"done={done} bytes={got}, wanted done={n} bytes={n * size}")


class Status:
    """What the server has counted, by stub_status, over a connection of its own, which it leaves out."""

    def __init__(self, srv):
        self.connection = http.client.HTTPConnection("127.0.0.1", srv.http_port, timeout=60)
        self.asked, self.most = 0, 0

    def now(self):
        """(connections in use, connections accepted, requests)"""
        self.asked += 1
        self.connection.request("GET", "/status")
        text = self.connection.getresponse().read().decode()
        active, accepted, _, requests = map(int, re.findall(r"\d+", text)[:4])
        return active - 1, accepted - 1, requests - self.asked

    def watch(self, ended):
        """Notes how many connections are in use at once, at most."""
        while not ended.wait(0.25):
            self.most = max(self.most, self.now()[0])

    @contextlib.contextmanager
    def watching(self):
        self.most = 0
        ended = threading.Event()
        thread = threading.Thread(target=self.watch, args=(ended,))
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


def run_once(built, srv, status, name, load):
    """One run: {"cpu", "clock": seconds, "kb", "connections", "at_once"}."""
    with tempfile.TemporaryDirectory(dir=MEMORY if os.path.isdir(MEMORY) else None) as folder:
        cost = [os.path.join(BIN, "cost"), os.path.join(srv.d, "cost")]
        # no proxies, configuration or locale of the machine; files of its own for what writes some
        env = {"PATH": os.environ["PATH"], "HOME": folder, **built.env, "COST": " ".join(cost)}
        cmd = words(built.command, name, f"{srv.http}/{load.path}", load.n, load.concurrency)
        _, accepted, requests = status.now()
        with status.watching() if name == "many" else contextlib.nullcontext():
            p = subprocess.run(["taskset", "-c", str(CLIENT), *([] if built.wraps else cost), *cmd], env=env,
                               cwd=folder, capture_output=True, text=True, errors="replace", timeout=600, check=False)
        _, accepted_then, requests_then = status.now()
    if p.returncode:
        raise Void(f"exit status {p.returncode}: {(p.stdout + p.stderr).strip()[-300:]}")
    check_counts(p.stdout, load.n, load.size)
    if requests_then - requests != load.n:
        raise Void(f"the server had {requests_then - requests} requests, wanted {load.n}")
    with open(cost[1], encoding="ascii") as f:
        v = values(f.readline())
    return {"cpu": round(v["user"] + v["system"], 3), "clock": round(v["clock"], 2), "kb": int(v["resident_kb"]),
            "connections": accepted_then - accepted, "at_once": status.most if name == "many" else 0}


def best_of(runs):
    return min(runs, key=lambda r: r["cpu"])


def measure(built, srv, status, loads, times):
    return {name: best_of([run_once(built, srv, status, name, load) for _ in range(times)])
            for name, load in loads.items()}


def line(load, r):
    more = f"  {r['at_once']} at once" if r["at_once"] else ""
    return (f"  {load:<6} {r['cpu']:>8.3f} s of processor {r['kb'] / 1000:>8.1f} MB {r['clock']:>8.2f} s on the clock "
            f"{r['connections']:>5} connections{more}")


def build_all(chosen):
    """{name: Built}, {name: what is missing}"""
    built, missing = {}, {}
    for name, build in chosen.items():
        try:
            built[name] = build()
        except Missing as e:
            missing[name] = " ".join(str(e).split())
            print(f"{name}: not measured: {missing[name]}", flush=True)
    return built, missing


def measure_all(built, loads, times):
    """[(name, version, {load: figures})], {name: what is wrong}"""
    rows, wrong = [], {}
    with server.Server(locations=STATUS) as srv:
        srv.file("small", data=b"hello world\n")
        srv.file("slow", data=b"x" * loads["many"].size)
        srv.file("gb", loads["big"].size)
        srv.pin(SERVER)
        status = Status(srv)
        for name, one in built.items():
            print(f"{name} {one.version}", flush=True)
            try:
                figures = measure(one, srv, status, loads, times)
            except (Void, subprocess.TimeoutExpired) as e:
                wrong[name] = str(e)
                print(f"  WRONG: {e}", flush=True)
                continue
            rows.append((name, one.version, figures))
            print("\n".join(line(load, r) for load, r in figures.items()), flush=True)
    return rows, wrong


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    ap.add_argument("--write", action="store_true")
    ap.add_argument("--only", nargs="+", metavar="NAME")
    ap.add_argument("--quick", action="store_true")
    ap.add_argument("--lib", default=os.path.join(ROOT, "build", "drop-in"))
    ap.add_argument("--newest", default=os.path.join(ROOT, "build", "oracle"))
    a = ap.parse_args()
    chosen = peers(os.path.abspath(a.lib), os.path.abspath(a.newest))
    unknown = set(a.only or ()) - set(chosen)
    if unknown:
        sys.exit(f"peers: no peer {', '.join(sorted(unknown))}; there are: {', '.join(chosen)}")
    os.makedirs(BUILD, exist_ok=True)
    compile_programs("cost")
    built, missing = build_all({name: build for name, build in chosen.items() if name in (a.only or chosen)})
    if os.cpu_count() > 1:
        os.sched_setaffinity(0, set(range(os.cpu_count())) - {CLIENT})
    loads = {name: load.quick() for name, load in LOADS.items()} if a.quick else LOADS
    rows, wrong = measure_all(built, loads, 1 if a.quick else TIMES)
    if a.write and rows and not (wrong or a.only or a.quick):
        peers_page.keep(rows, missing)
        peers_page.write()
    sys.exit(1 if wrong or not rows else 0)


if __name__ == "__main__":
    main()
