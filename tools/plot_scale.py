#!/usr/bin/env python3
"""Measures what many transfers cost at once, and draws docs/scale.svg from it.

usage: plot_scale.py [--measure] [--newest DIR] [--check]
  --measure     runs bench/many and bench/event with our library and the system's, and writes bench/scale.tsv; the
                transfers need twice as many descriptors, and the last line of them a gigabyte of memory
  --newest DIR  the same for the libcurl.so.4 of DIR (make oracle)
  --check       fails when the picture is not what it would draw

A line of bench/scale.tsv: library, what was measured, number of transfers, value. What is drawn beyond the last
measured number is the last value again: a transfer has no part whose size grows with the number of all. Of a million
that wait, the resident memory is drawn: what counts allocations is not for so many.
"""
import argparse
import math
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path += [os.path.join(ROOT, "tools"), os.path.join(ROOT, "bench")]
import server  # noqa: E402
from measure.programs import BIN, compile_programs  # noqa: E402
from measure.subject import Subject, file_limit, line_of  # noqa: E402
from plot_memory import STYLE, text  # noqa: E402

TABLE = os.path.join(ROOT, "bench", "scale.tsv")
PICTURE = os.path.join(ROOT, "docs", "scale.svg")
AT_ONCE = [10, 100, 1000, 5000, 9000]  # transfers in progress; the highest is what 20,000 descriptors allow
WAITING = [1000, 10000, 100000, 1000000]  # transfers that wait for one of LIMIT connections
LIMIT = 100
EVENTS = [10, 50, 400]  # transfers that get the events
PIECES = (10, 50)  # of each: the difference counts
LIBRARIES = {"debian": "libcurl 7.88.1, Debian 12", "newest": "libcurl 8.23", "ours": "Mote"}
LEFT, TOP, WIDTH, HEIGHT = 90, 64, 560, 300  # of the graph, in pixels
FIRST, LAST = 100, 1000000  # transfers
LOW, HIGH = 100e3, 100e9  # bytes


# --- measuring ---

def bytes_at_once(s):
    for n in AT_ONCE:
        file_limit(n)
        out = s.many(s.srv.http + "/trickle", n, counted=True)
        yield "active", n, round(line_of(out, "active")["bytes"])
        plain = s.many(s.srv.http + "/trickle", n)
        r = line_of(plain, "result")
        yield "start_us", n, round((r["user"] + r["system"]) * 1e6 / n, 1)
        yield "resident_kb", n, round(line_of(plain, "resident")["kb"])


def bytes_waiting(s):
    for n in WAITING if s.name == "ours" else WAITING[:-1]:
        out = s.run([os.path.join(BIN, "many"), s.srv.http + "/small", str(n), f"limit={LIMIT}"],
                    counted=n <= 100000, timeout=900).stdout
        r = line_of(out, "result")
        if r.get("done") != n or r.get("bytes") != 12 * n:
            raise SystemExit(f"plot_scale: {out}")
        if n <= 100000:
            yield "waiting", n, round(line_of(out, "waiting")["bytes"])
        else:
            yield "waiting_resident_kb", n, round(line_of(out, "resident")["kb"])
            yield "waiting_seconds", n, round(r["clock"], 1)


def instructions(s):
    for n in EVENTS:
        counts = []
        for pieces in PIECES:
            p = s.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", os.path.join(BIN, "event"),
                       str(n), str(pieces)], timeout=900)
            counts.append(int(re.search(r"Collected : (\d+)", p.stderr).group(1)))
        yield "event", n, round((counts[1] - counts[0]) / (n * (PIECES[1] - PIECES[0])))


def measure_all(newest):
    compile_programs()
    folders = {"debian": None, "newest": newest, "ours": os.path.join(ROOT, "build", "drop-in")}
    rows = {(lib, what, n): v for lib, what, n, v in read_table()} if os.path.exists(TABLE) else {}
    with server.Server() as srv:
        srv.file("small", data=b"hello world\n")
        srv.file("slow", data=b"x" * 20000)
        for name, folder in folders.items():
            if name == "newest" and not folder:
                continue
            s = Subject(name, srv, folder, None, once=True)
            for figures in (bytes_at_once, bytes_waiting, instructions):
                for what, n, value in figures(s):
                    rows[(name, what, n)] = value
                    print(name, what, n, value, flush=True)
    with open(TABLE, "w", encoding="utf-8") as f:
        f.writelines(f"{lib}\t{what}\t{n}\t{value}\n" for (lib, what, n), value in rows.items())


def read_table():
    """[(library, what, transfers, value), ...]"""
    with open(TABLE, encoding="utf-8") as f:
        fields = [line.rstrip("\n").split("\t") for line in f]
    return [(lib, what, int(n), float(value)) for lib, what, n, value in fields]


# --- drawing ---

def x_of(n):
    return LEFT + WIDTH * (math.log10(n) - math.log10(FIRST)) / (math.log10(LAST) - math.log10(FIRST))


def y_of(size):
    return TOP + HEIGHT * (math.log10(HIGH) - math.log10(size)) / (math.log10(HIGH) - math.log10(LOW))


def line(kind, points):
    path = " ".join(f"{'L' if i else 'M'}{x_of(n):.1f} {y_of(size):.1f}" for i, (n, size) in enumerate(points))
    return f'  <path d="{path}" class="{kind}"/>\n'


def amount(size):
    for unit, word in ((1e9, "GB"), (1e6, "MB"), (1e3, "KB")):
        if size >= unit:
            return f"{size / unit:.3g} {word}"
    return f"{size:.0f} bytes"


def points_of(rows, library, what):
    """[(transfers, bytes of all), ...] as they were measured."""
    found = [(n, v * n) for lib, w, n, v in rows if (lib, w) == (library, what) and n >= FIRST]
    return found + [(n, v * 1024) for lib, w, n, v in rows if (lib, w) == (library, what + "_resident_kb")]


def curve(points, kind):
    """What was measured, and dashed from there to the last number."""
    n, size = points[-1]
    out = line(kind, points)
    if n < LAST:
        out += line(kind + " guess", [(n, size), (LAST, size / n * LAST)])
    return out + "".join(f'  <circle cx="{x_of(n):.1f}" cy="{y_of(v):.1f}" r="3" class="{kind} dot"/>\n'
                         for n, v in points)


def labels(ends):
    """The words beside the ends of the curves, [(bytes, words), ...], the highest first, none over another."""
    out, above = "", 0
    for size, words in sorted(ends, reverse=True):
        above = max(y_of(size) + 4, above + 16)
        out += text(LEFT + WIDTH + 8, round(above, 1), "number", f"{amount(size)}  {words}")
    return out


def curves(rows):
    out, ends = "", []
    for library, what, kind in (("debian", "active", "debian"), ("newest", "active", "newest"), ("ours", "active", "ours"),
                                ("ours", "waiting", "wait")):
        points = points_of(rows, library, what)
        if points:
            out += curve(points, kind)
            n, size = points[-1]
            ends.append((size / n * LAST, LIBRARIES[library] + ("" if what == "active" else ", waiting")))
    return out + labels(ends)


def grid():
    out = ""
    for power in range(5, 12):
        y = y_of(10 ** power)
        out += f'  <line x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + WIDTH}" y2="{y:.1f}" class="axis"/>\n'
        out += text(LEFT - 8, y + 4, "dim", amount(10 ** power), "end")
    for power in range(2, 7):
        out += text(x_of(10 ** power), TOP + HEIGHT + 18, "dim", f"{10 ** power:,}", "middle")
    return out


def picture(rows):
    drawn = curves(rows)
    if not drawn:
        raise SystemExit("plot_scale: nothing is measured yet (tools/plot_scale.py --measure)")
    width, height = LEFT + WIDTH + 250, TOP + HEIGHT + 62
    style = STYLE + """    path { fill: none; stroke-width: 2 } .guess { stroke-dasharray: 5 4 } .dot { stroke: none }
    .debian { stroke: #a3acb5; fill: #a3acb5 } .newest { stroke: #6e7781; fill: #6e7781 }
    .ours { stroke: #0969da; fill: #0969da } .wait { stroke: #1a7f37; fill: #1a7f37 } path { fill: none }
    path.debian, path.newest, path.ours, path.wait { fill: none }
"""
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" aria-labelledby="t">\n'
            '  <!-- written by tools/plot_scale.py from bench/scale.tsv -->\n'
            '  <title id="t">Memory of many transfers at once: libcurl and Mote</title>\n'
            f'  <style>{style}  </style>\n'
            f'  <rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="6" class="page"/>\n' +
            text(24, 36, "head", "Memory of the library, by the number of transfers") + grid() + drawn +
            text(24, height - 14, "dim", "Plain HTTP, x86-64, bytes asked of the allocator. Points are measured, "
                 "dashes computed. The kernel's sockets are not in it.") + "</svg>\n")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--measure", action="store_true")
    ap.add_argument("--newest")
    ap.add_argument("--check", action="store_true")
    a = ap.parse_args()
    if a.measure:
        measure_all(a.newest)
    fresh = picture(read_table())
    if a.check:
        with open(PICTURE, encoding="utf-8") as f:
            if f.read() != fresh:
                sys.exit("docs/scale.svg: not what bench/scale.tsv says; run tools/plot_scale.py")
        return
    with open(PICTURE, "w", encoding="utf-8") as f:
        f.write(fresh)


if __name__ == "__main__":
    main()
