#!/usr/bin/env python3
"""Side by side in one run: the system's libcurl and curl, this library and command, and programs on bare sockets.

usage: bench.py [--quick] [--lib DIR] [--tool FILE] [--json FILE]
The same measuring programs run on both libraries (LD_LIBRARY_PATH chooses); every transfer's result and byte count
is checked. Request rates are measured with client and server on one processor. wget and wrk are shown where they
are installed.
"""
import argparse
import json
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import budgets  # noqa: E402
from measure import ROOT  # noqa: E402
from measure.clock import raw_rate  # noqa: E402
from measure.figure import Missing, Void, measure  # noqa: E402
from measure.programs import BIN, compile_programs  # noqa: E402
from measure.subject import MB, SIZES, Subject, line_of, prepare, values  # noqa: E402
from measure.table import MEASURES  # noqa: E402
import server  # noqa: E402

PIN = ("taskset", "-c", "0")


def number(x):
    if x is None:
        return "-"
    return f"{x:,.0f}" if abs(x) >= 100 or float(x).is_integer() else f"{x:.2f}"


def ratio(a, b):
    return f"{a / b:.2f}" if a is not None and b else "-"


class Report:
    """Prints tables; keeps the figures, and what went wrong."""

    def __init__(self):
        self.data, self.void = {}, []

    def guard(self, name, function, *args):
        """The function's value; None, and the reason kept, when there is none."""
        try:
            return function(*args)
        except Void as e:
            self.void.append(f"{name}: {e}")
        except Missing as e:
            print(f"  ({name}: {e})")
        return None

    def title(self, text, *columns):
        print(f"\n{text}\n{'':<30}" + "".join(f"{c:>14}" for c in columns), flush=True)

    def line(self, section, name, columns, ratios=()):
        self.data.setdefault(section, {})[name] = columns
        print(f"{name:<30}" + "".join(f"{number(v):>14}" for v in columns.values()) +
              "".join(f"{r:>14}" for r in ratios), flush=True)


def requests(report, subjects, srv, quick):
    report.title("GETs per second, 12 bytes, client and server on one processor", "bare epoll", "libcurl", "mote",
                 "wrk", "libcurl/bare", "mote/bare")
    for n in (0, 1, 10, 100, 1000):
        total = (4000 if n < 2 else 20000) // (4 if quick else 1)
        name = "curl_easy_perform, 1" if not n else f"event loop, {n}"
        bare = report.guard(f"bare {n}", raw_rate, subjects[0], total, n or 1)
        got = []
        for s in subjects:
            best = [report.guard(f"{s.name} {name}", lambda: s.rate(srv.http + "/small", total, n, before=PIN)[0]["rate"])
                    for _ in range(1 if quick else 3)]
            got.append(max((x for x in best if x), default=None))
        wrk = report.guard("wrk", wrk_rate, subjects[0], srv, n) if n else None
        report.line("requests", name, dict(bare=bare, system=got[0], mote=got[1], wrk=wrk),
                    (ratio(got[0], bare), ratio(got[1], bare)))


def wrk_rate(s, srv, n):
    if not shutil.which("wrk"):
        return None
    p = s.run([*PIN, "wrk", "-t1", f"-c{n}", "-d2s", srv.http + "/small"])
    m = re.search(r"Requests/sec:\s+([\d.]+)", p.stdout)
    if not m or "Socket errors" in p.stdout:
        raise Void(p.stdout[-200:])
    return float(m.group(1))


def cost(s, cmd, size, counted):
    """Megabytes per second of processor time and of the clock, best of three; counted(p): bytes that arrived."""
    best = None
    for _ in range(3):
        out = os.path.join(s.srv.d, "cost")
        p = s.run([os.path.join(BIN, "cost"), out, *cmd])
        s.check(p, counted(p) == size)
        with open(out, encoding="ascii") as f:
            v = values(f.readline())
        v["cpu"] = max(1e-6, v["user"] + v["system"])
        best = v if not best or v["cpu"] < best["cpu"] else best
    return best


def bytes_of(p):
    return line_of(p.stdout, "result").get("bytes")


def bulk(report, subjects, srv):
    size, tools = SIZES["big"], ("/usr/bin/curl", subjects[1].tool)
    for scheme, base in (("HTTP", srv.http), ("HTTPS", srv.https)):
        report.title(f"512 MB over {scheme}", "s", "processor s", "MB/s", "peak KB")
        url, rows = base + "/big", []
        if scheme == "HTTP":
            port = str(srv.http_port)
            rows.append(("bare recv", subjects[0],
                         [os.path.join(BIN, "raw_get"), "127.0.0.1", port, "/big"],
                         lambda p: size if (bytes_of(p) or 0) >= size else 0))
        for s in subjects:
            rows.append((f"{s.name}, library", s, [os.path.join(BIN, "get"), url], bytes_of))
        for s, tool in zip(subjects, tools):
            cmd = [tool, "-q", "-s", "--cacert", srv.ca, "-o", "/dev/null", "-w", "%{size_download}", url]
            rows.append((os.path.basename(tool), s, cmd, lambda p: int(p.stdout or 0)))
        if shutil.which("wget"):
            rows.append(("wget", subjects[0], ["wget", "-q", "--no-config", "--ca-certificate=" + srv.ca, "-O",
                                               os.path.join(srv.d, "wgot"), url],
                         lambda p: os.path.getsize(os.path.join(srv.d, "wgot"))))
        for name, s, cmd, counted in rows:
            v = report.guard(name, cost, s, cmd, size, counted)
            if v:
                report.line("bulk " + scheme, name, {"s": v["clock"], "cpu": v["cpu"],
                                                     "mb_s": size / MB / v["clock"], "kb": v["resident_kb"]})
        gone = os.path.join(srv.d, "wgot")
        if os.path.exists(gone):
            os.remove(gone)


def table(report, subjects, functions):
    figures = []
    for s in subjects:
        print(f"measuring {s.name} ...", flush=True)
        f, void, missing = measure(s, functions)
        figures.append(f)
        report.void += [f"{s.name} {k}: {v}" for k, v in void.items()]
        for k, v in missing.items():
            print(f"  ({k}: {v})")
    report.title("budgets.toml", "libcurl", "mote", "bound", "libcurl/mote")
    for name, row in budgets.load().items():
        a, b = (f.get(name) for f in figures)
        bound = row.get("ceiling", row.get("floor"))
        note = "" if b is None or budgets.within(row, b) else "missed"
        report.line("budgets", name, dict(system=a, mote=b, bound=bound), (ratio(a, b), "  " + note))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--quick", action="store_true", help="fewer repetitions")
    ap.add_argument("--lib", default=os.path.join(ROOT, "build", "drop-in"))
    ap.add_argument("--tool", default=os.path.join(ROOT, "build", "mote"))
    ap.add_argument("--json", help="write the figures there, too")
    a = ap.parse_args()
    compile_programs()
    report = Report()
    with server.Server() as srv:
        prepare(srv)
        srv.pin(0)
        subjects = [Subject("libcurl", srv, None, "/usr/bin/curl"),
                    Subject("mote", srv, os.path.abspath(a.lib), os.path.abspath(a.tool))]
        for s in subjects:
            p = s.run([os.path.join(BIN, "get"), srv.http + "/small"])
            print(f"{s.name}: {re.search('version (.*)', p.stdout + 'version unknown').group(1)[:70]}")
        table(report, subjects, MEASURES["count"] + MEASURES["clock"])
        requests(report, subjects, srv, a.quick)
        bulk(report, subjects, srv)
    for text in report.void:
        print(f"VOID {text}")
    if a.json:
        with open(a.json, "w", encoding="utf-8") as f:
            json.dump(report.data, f, indent=1)
    sys.exit(1 if report.void else 0)


if __name__ == "__main__":
    main()
