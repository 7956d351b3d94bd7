#!/usr/bin/env python3
"""Many transfers in progress at the same time, in one process, one thread and one multi (docs/scale.md).

usage: million.py [--quick] [--newest DIR] [--only CASE,...] [--write]
  --quick       a hundredth of everything, to see that it works
  --newest DIR  the same with the libcurl.so.4 of DIR (make oracle), of as many as NEWEST says
  --only        cases: h2, h1, unreal, timers
  --write       writes bench/million/million.tsv: library, case, what, value

  h2      1,000,000 downloads over 10,000 connections of HTTP/2, to four servers on bare nghttp2
  h1      19,000 downloads over as many connections of HTTP/1.1, and what the kernel takes for a socket
  unreal  1,000,000 downloads over as many connections of HTTP/1.1, without a kernel (unreal.c)
  timers  1,000,000 transfers that wait for one connection, each with a deadline of its own

The servers hold each response open after its first chunk until all transfers have one, then send the other chunks in
turn (million.h). A transfer is right when each byte is its own. Bytes that the library allocates are counted in a run
of a tenth, since counting slows it down; the world without a kernel counts them as it goes.
"""
import argparse
import os
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path += [os.path.join(ROOT, "tools"), os.path.join(ROOT, "tests", "preload"), os.path.join(ROOT, "bench")]
from measure.programs import COUNTER, compile_programs  # noqa: E402
from measure.subject import values  # noqa: E402
import preload  # noqa: E402
import server  # noqa: E402

BIN = os.path.join(ROOT, "build", "bench", "million")
TABLE = os.path.join(HERE, "million.tsv")
PORT = 18000
CHUNKS = 5
LIBRARIES = {"ours": os.path.join(ROOT, "build", "drop-in")}
NEWEST = 100000  # transfers of the newest libcurl: it takes four times the memory
PROGRAMS = {"client": ["-lcurl"], "timers": ["-lcurl"], "server_h1": [], "server_h2": ["-lnghttp2"]}
STREAMS = 100  # of a connection: what the library takes, and the server allows
H2 = ("HTTP_VERSION=5",)  # CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE


def build():
    compile_programs("cost")  # and with it what counts allocations
    os.makedirs(BIN, exist_ok=True)
    for name, libraries in PROGRAMS.items():
        subprocess.run(["gcc", "-O2", "-g", "-std=gnu11", "-Wall", "-Wextra", "-I", preload.HERE, "-o",
                        os.path.join(BIN, name), os.path.join(HERE, name + ".c"), *libraries], check=True)


class Servers:
    """So many processes of a server, from PORT on."""

    def __init__(self, kind, count, chunks=CHUNKS):
        self.kind, self.count, self.chunks = kind, count, chunks

    def __enter__(self):
        self.all = [subprocess.Popen([os.path.join(BIN, "server_" + self.kind), str(PORT + i), str(self.chunks)],
                                     stdout=subprocess.PIPE, text=True) for i in range(self.count)]
        if any(p.stdout.readline() != "ready\n" for p in self.all):
            raise SystemExit("million.py: a server does not start")
        return self

    def __exit__(self, *_):
        for p in self.all:
            p.kill()
            p.wait()

    def go_on(self):
        for p in self.all:
            p.send_signal(signal.SIGUSR1)


def kernel_kb():
    """Memory of the kernel's own: slabs, and the pages of sockets' buffers."""
    with open("/proc/meminfo", encoding="ascii") as f:
        slab = next(int(line.split()[1]) for line in f if line.startswith("Slab:"))
    with open("/proc/net/sockstat", encoding="ascii") as f:
        pages = next(int(line.split()[-1]) for line in f if line.startswith("TCP:"))
    return slab + pages * os.sysconf("SC_PAGE_SIZE") // 1024


def environment(library, counted):
    env = {k: os.environ[k] for k in ("PATH", "HOME") if k in os.environ}
    env["LD_LIBRARY_PATH"] = library
    if counted:
        env["LD_PRELOAD"] = COUNTER
    return env


def downloads(library, kind, transfers, connections, servers, options=(), counted=False):
    """{what: value} of a run of client.c."""
    found = {}
    before = kernel_kb()
    with Servers(kind, servers) as s:
        p = subprocess.Popen([os.path.join(BIN, "client"), str(PORT), str(servers), str(transfers), str(connections),
                              str(CHUNKS), *options], env=environment(library, counted), text=True,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for line in p.stdout:
            name, _, rest = line.strip().partition(" ")
            found.update({f"{name}_{key}": v for key, v in values(rest).items()})
            if name == "started":
                found["kernel_kb"] = kernel_kb() - before
                s.go_on()
                p.stdin.write("go\n")
                p.stdin.flush()
        if p.wait() or found.get("result_done") != transfers or found["result_bad"] or found["result_wrong"]:
            raise SystemExit(f"million.py: {kind}: exit {p.returncode}: {found}")
    return found


def rows_of(found, counted, transfers, sockets=0):
    def of(name):
        return found[name + "_user"] + found[name + "_system"]

    rows = {
        "transfers": transfers,
        "bytes_each": round(counted["memory_bytes"]),
        "resident_each": round(found["memory_resident_kb"] * 1024 / transfers),
        "start_us_each": round(of("start") / transfers * 1e6, 2),
        "event_us": round(of("run") / found["run_events"] * 1e6, 2),
        "longest_action_ms": round(found["longest_action_ms"], 1),
        "longest_add_ms": round(found["longest_add_ms"], 1),
        "longest_remove_ms": round(found["longest_remove_ms"], 1),
    }
    if sockets:
        rows["kernel_bytes_socket"] = round(found["kernel_kb"] * 1024 / sockets)
    return rows


def h2(library, transfers):
    def run(n, counted):
        return downloads(library, "h2", n, 4 * -(-n // (4 * STREAMS)), 4, H2, counted)

    return rows_of(run(transfers, False), run(transfers // 10, True), transfers)


def h1(library, transfers):
    def run(n, counted):
        return downloads(library, "h1", n, 2 * -(-n // 2), 2, (), counted)

    return rows_of(run(transfers, False), run(transfers // 10, True), transfers, 2 * transfers)  # both ends are here


def unreal(library, transfers):
    if library != LIBRARIES["ours"]:
        return {}  # no other library runs there
    build = os.path.join(ROOT, "build", "release")
    subprocess.run(["cmake", "--build", build, "--target", "million_unreal"], check=True, stdout=subprocess.DEVNULL)
    p = subprocess.run([os.path.join(build, "million_unreal"), str(transfers), str(CHUNKS)], text=True,
                       capture_output=True, check=False)
    found = {f"{line.split()[0]}_{key}": v for line in p.stdout.splitlines() for key, v in values(line).items()}
    if p.returncode or found.get("result_done") != transfers or found["result_left_open"] or found["result_held"]:
        raise SystemExit(f"million.py: unreal: exit {p.returncode}: {p.stdout}{p.stderr}")
    return {"transfers": transfers, "bytes_each": round(found["memory_bytes"]),
            "longest_action_ms": round(found["result_longest_ms"], 1)}


def timers(library, transfers):
    seconds = max(transfers // 50000, 3)
    with Servers("h1", 1):
        p = subprocess.run([os.path.join(BIN, "timers"), f"http://127.0.0.1:{PORT}/0", str(transfers), str(seconds)],
                           env=environment(library, False), text=True, capture_output=True, check=False)
    r = values(p.stdout.partition(" ")[2])
    if p.returncode or r.get("done") != transfers:
        raise SystemExit(f"million.py: timers: exit {p.returncode}: {p.stdout}{p.stderr}")
    return {"transfers": transfers, "deadline_us_each": round(r["processor"] / transfers * 1e6, 2),
            "longest_turn_ms": round(r["longest_ms"], 1), "late_ms": round(r["late_ms"], 1),
            "latest_ms": round(r["latest_ms"], 1)}


CASES = {"h2": (h2, 1000000), "h1": (h1, 19000), "unreal": (unreal, 1000000), "timers": (timers, 1000000)}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--quick", action="store_true", help="a hundredth of everything")
    ap.add_argument("--newest", help="folder of the newest libcurl.so.4")
    ap.add_argument("--only", default=",".join(CASES), help="cases")
    ap.add_argument("--write", action="store_true", help="write bench/million/million.tsv")
    a = ap.parse_args()
    if server.raise_file_limit() < 19500:
        raise SystemExit("million.py: 19,500 descriptors are needed (ulimit -n)")
    build()
    libraries = {**LIBRARIES, **({"newest": a.newest} if a.newest else {})}
    lines = []
    for case in a.only.split(","):
        measure, transfers = CASES[case]
        for name, folder in libraries.items():
            n = transfers if name == "ours" else min(transfers, NEWEST)
            for what, value in measure(folder, n // 100 if a.quick else n).items():
                lines.append(f"{name}\t{case}\t{what}\t{value}\n")
                print(lines[-1], end="", flush=True)
    if a.write:
        with open(TABLE, "w", encoding="utf-8") as f:
            f.writelines(lines)


if __name__ == "__main__":
    main()
