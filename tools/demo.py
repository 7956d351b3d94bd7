#!/usr/bin/env python3
"""Downloads a large file over HTTPS from a server of its own, with this command and with the system's curl, and
prints what each needed.

usage: demo.py [--size MB] [--tool FILE]

No figure depends on one run: both commands first fetch the file once uncounted, then they take turns, and the smallest
of three counts. Time and resident memory are those of the process (bench/cost.c). How often memory is asked for comes
from runs of their own under tests/preload, over plain HTTP: it is the README's row, measured in the same way.
"""
import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "tools"), os.path.join(ROOT, "bench")]
import server  # noqa: E402
from measure.programs import BIN, COUNTER, compile_programs  # noqa: E402
from measure.subject import values  # noqa: E402

MB = 1 << 20
TTY = sys.stdout.isatty()


def fill(path, size):
    """A sparse file with something to get wrong: a random megabyte in every 32."""
    with open(path, "wb") as f:
        f.truncate(size)
        for at in range(0, size, 32 * MB):
            f.seek(at)
            f.write(os.urandom(min(MB, size - at)))


def sha256(path):
    h = hashlib.sha256()
    with open(path, "rb") as f:
        while block := f.read(4 * MB):
            h.update(block)
    return h.hexdigest()


def show(name, path, size):
    if TTY:
        have = os.path.getsize(path) if os.path.exists(path) else 0
        bar = "#" * int(30 * have / size)
        print(f"\r  {name:<6} [{bar:<30}] {100 * have // size:3} %", end="", flush=True)


def environment(**more):
    return {**{k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}, **more}


def run(tool, name, srv, url, out, size):
    """Runs the command to its end, showing how far it is; (exit status, what it said)."""
    env = environment()
    cmd = [os.path.join(BIN, "cost"), out + ".cost", tool, "-q", "-sS", "--cacert", srv.ca, "-o", out, url]
    with open(out + ".err", "wb") as err:
        p = subprocess.Popen(cmd, env=env, stdin=subprocess.DEVNULL, stdout=err, stderr=err)
        while TTY and p.poll() is None:
            show(name, out, size)
            time.sleep(0.02)
        status = p.wait()
    show(name, out, size)
    with open(out + ".err", encoding="utf-8", errors="replace") as err:
        return status, err.read().strip()


def download(name, tool, srv, url, size, digest):
    """{what: figure} of one download; ends the program when the file is not right."""
    out = os.path.join(srv.d, "got-" + name)
    status, said = run(tool, name, srv, url, out, size)
    if status or not os.path.exists(out) or os.path.getsize(out) != size or sha256(out) != digest:
        print(f"\ndemo: {tool} failed: exit status {status} {said}")
        if not status:
            print("demo: the file that came is not the file that was served")
        sys.exit(1)
    os.remove(out)
    with open(out + ".cost", encoding="ascii") as f:
        v = values(f.readline())
    os.remove(out + ".cost")
    return v


def count(name, tool, srv, url, size):
    """{what: figure} of the allocator for one download that is thrown away."""
    out = os.path.join(srv.d, "count-" + name)
    env = environment(LD_PRELOAD=COUNTER, COUNT_OUT=out)
    p = subprocess.run([tool, "-q", "-s", "-o", os.devnull, "-w", "%{http_code} %{size_download}", url], env=env,
                       capture_output=True, text=True, check=False)
    if p.stdout != f"200 {size}":
        sys.exit(f"demo: {tool} failed: exit status {p.returncode} {p.stdout} {p.stderr}")
    with open(out, encoding="ascii") as f:
        v = values(f.readline())
    os.remove(out)
    return v


ROUNDS = 3


def in_turn(tools, fetch):
    """{name: [figures of each round]}: one after the other in each round, so that what disturbs disturbs both."""
    found = {name: [] for name in tools}
    for _ in range(ROUNDS):
        for name, tool in tools.items():
            found[name].append(fetch(name, tool))
    return found


def smallest(runs, *keys):
    """Of the sums of these figures: what disturbs a run only ever adds to it."""
    return min(sum(r[k] for k in keys) for r in runs)


def table(ours, theirs, size):
    lines = [("time", "s", 2, 1), ("processor time", "s", 2, 1), ("resident memory, peak", "MB", 1, 1024),
             ("allocations, plain HTTP", "", 0, 1)]
    print(f"\n  {size // MB} MB over HTTPS{'':<14}{'mote':>12}{'curl':>12}{'curl / mote':>14}")
    for (name, unit, digits, scale), a, b in zip(lines, ours, theirs):
        left, right = (f"{x / scale:,.{digits}f} {unit}".strip() for x in (a, b))
        ratio = f"{b / a:.1f}" if a else "-"
        print(f"  {name:<30}{left:>12}{right:>12}{ratio:>14}")


NOTES = """
  Each figure is the smallest of three runs in turn, after one that does not count. Time is the server's and the
  disk's as much as the command's. "Allocations" is the README's row "how often memory is asked for while the
  command downloads 512 MB" on this machine; over HTTPS nearly all would be OpenSSL's. The README's other rows,
  memory per transfer in a program with many of them, are measured by make bench."""


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--size", type=int, default=512, help="megabytes (512)")
    ap.add_argument("--tool", default=os.path.join(ROOT, "build", "mote"))
    a = ap.parse_args()
    curl = shutil.which("curl") or "/usr/bin/curl"
    if not os.path.exists(a.tool):
        sys.exit("demo: this build has no command yet, so it transfers nothing")
    if subprocess.run([a.tool, "--version"], capture_output=True).returncode:
        sys.exit(f"demo: {a.tool} --version fails")
    size = a.size * MB
    compile_programs("cost")
    print("Starting an HTTPS server on this machine (its own CA and certificate, nothing leaves the machine) ...")
    with server.Server() as srv:
        if shutil.disk_usage(srv.d).free < 2 * size:
            sys.exit(f"demo: {srv.d} lacks room for two files of {a.size} MB")
        fill(srv.path("large"), size)
        digest, url = sha256(srv.path("large")), srv.https + "/large"
        print(f"Downloading {url} ...")
        for line in subprocess.run([a.tool, "--version"], capture_output=True, text=True).stdout.splitlines()[:1]:
            print(f"  with {line}")
        tools = {"mote": a.tool, "curl": curl}

        def fetch(name, tool):
            return download(name, tool, srv, url, size, digest)

        for name, tool in tools.items():
            fetch(name, tool)
            print(f"{chr(13) if TTY else ''}  {name:<6} {size:,} bytes, SHA-256 as served{'':<20}", flush=True)
        timed = in_turn(tools, fetch)
        counted = in_turn(tools, lambda name, tool: count(name, tool, srv, srv.http + "/large", size))
        rows = {n: [smallest(timed[n], "clock"), smallest(timed[n], "user", "system"), smallest(timed[n], "resident_kb"),
                    smallest(counted[n], "calls")] for n in tools}
        print("\r" + " " * 60 if TTY else "", end="")
        table(rows["mote"], rows["curl"], size)
        print(NOTES)


if __name__ == "__main__":
    main()
