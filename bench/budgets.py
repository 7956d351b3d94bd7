#!/usr/bin/env python3
"""Measures the rows of budgets.toml and holds the ceilings.

usage: budgets.py [--full] [--clock] [--write] [--reference] [--sites] [--lib DIR] [--tool FILE] [--log DIR] [--rows ID[,ID]]
  (nothing)   what can be counted; make check
  --full      each counted row twice, and the larger figure taken; also the clock rows; make check-all, where
              clock rows are printed but do not fail
  --clock     the clock rows as well, held to their bounds
  --write     measures the clock rows as well, and writes the column "ours" into budgets.toml
  --reference measures the system's libcurl instead, each figure once, and writes its column, "debian"
  --rows      these rows only, of whatever kind
  --sites     the call sites that are new since the last measured commit, even when no row is over

One line at the end names each row over its ceiling, by how much, and since which commit (bench/history.jsonl), after
some of the call sites that are new. Structs and call sites come from the log build, DIR of --log (build/log).
"""
import argparse
import ctypes
import os
import re
import sys
import tomllib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gate  # noqa: E402
from gate import number  # noqa: E402
from measure import ROOT  # noqa: E402
from measure.figure import Missing, Void, measure  # noqa: E402
from measure.layout import STRUCTS, current  # noqa: E402
from measure.programs import BIN, compile_programs  # noqa: E402
from measure.subject import Subject, prepare  # noqa: E402
from measure.table import MEASURES  # noqa: E402
import server  # noqa: E402
import sites  # noqa: E402
import structs  # noqa: E402

TABLE = os.path.join(ROOT, "budgets.toml")
SITES = 8  # lines of new call sites that are shown with a row over its ceiling


def openssl():
    """(3, 5) of the library that ours loads; nothing without one."""
    try:
        number = ctypes.CDLL("libcrypto.so.3").OpenSSL_version_num()
    except OSError:
        return ()
    return number >> 28 & 0xf, number >> 20 & 0xff


def nghttp2():
    """(1, 64) likewise."""
    try:
        version = ctypes.CDLL("libnghttp2.so.14").nghttp2_version
    except OSError:
        return ()
    version.restype = ctypes.POINTER(ctypes.c_int * 2)
    number = version(0).contents[1]
    return number >> 16 & 0xff, number >> 8 & 0xff


LIBRARIES = {"OpenSSL": openssl, "nghttp2": nghttp2}  # whose versions a row may name


def named_version(text):
    """("OpenSSL", (3, 5)) of "OpenSSL 3.5"."""
    name, version = text.split(" ")
    return name, tuple(int(n) for n in version.split("."))


def load(found=None):
    """The rows, each with its bound on this machine, or where it has these versions of libraries, {name: (3, 5)}."""
    with open(TABLE, "rb") as f:
        rows = tomllib.load(f)
    found = found or {name: version() for name, version in LIBRARIES.items()}
    for row in rows.values():
        if "more" not in row:
            continue
        name, least = named_version(row["more_with"])
        row["here"] = row["more"] if found[name] >= least else 0
        for bound in {"ceiling", "so_far"} & set(row):
            row[bound] += row["here"]
    return rows


def works(rows):
    """{row: what was done}, "the same" written out, since one line has to name what is over."""
    out, before = {}, ""
    for name, row in rows.items():
        work = row["work"]
        if work.startswith("the same"):
            work = before + work.removeprefix("the same")
        else:
            before = work
        out[name] = work
    return out


def within(row, value):
    """A few allocations in thousands of transfers are the connection's, not the transfer's."""
    if "floor" in row:
        return value >= row["floor"]
    return value <= row["ceiling"] + (0.005 if row.get("unit") == "allocations" else 0)


def good(row, value):
    """Within its bound, or within what is held meanwhile."""
    return within(row, value) or ("because" in row and within({**row, "ceiling": row["so_far"]}, value))


def mark(row, value, enforce_clock):
    """The remark at the end of a row; OVER and UNDER are failures."""
    if value is None:
        return "not measured"
    if within(row, value):
        return ""
    if row.get("clock") and not enforce_clock:
        return "over (clock)"
    if good(row, value):
        return f"MISSED, held at {number(row['so_far'])}: {row['because']}"
    return "OVER" if "ceiling" in row else "UNDER"


def verdicts(rows, figures, enforce_clock):
    """Prints the table; {row: mark}."""
    marks = {name: mark(row, figures.get(name), enforce_clock) for name, row in rows.items()}
    print(f"{'':<26} {'libcurl':>12} {'system':>12} {'ours':>12} {'bound':>12}")
    for name, row in rows.items():
        line = (f"{name:<26} {number(row.get('libcurl')):>12} {number(row.get('debian')):>12} "
                f"{number(figures.get(name)):>12} {number(row.get('ceiling', row.get('floor'))):>12} {marks[name]}")
        print(line.rstrip())
    for name, row in rows.items():
        if row.get("here"):
            print(f"{name}: {number(row['here'])} of the bound are {row['more_with']}'s: {row['more_because']}")
    return marks


def failures(marks):
    return [name for name, m in marks.items() if m in ("OVER", "UNDER")]


def gate_lines(over, rows, figures, log, sites_too):
    """The gate's lines: the call sites that are new, SITES of them, then one per row that fails, which is what the reader
    of an output's end is to see."""
    history = gate.load()
    try:
        layouts = structs.layouts(os.path.join(log, "libcurl.so.4")) if set(over) & set(STRUCTS) else {}
    except structs.Missing:
        layouts = {}
    lines = [gate.line_of(n, rows[n], figures[n], lambda v, n=n: good(rows[n], v), history, layouts) for n in over]
    if not sites_too and not set(over) - set(STRUCTS):
        return lines
    fresh = site_lines(gate.before(over, history, lambda n, v: good(rows[n], v)), log)
    if len(fresh) > SITES and not sites_too:
        fresh[SITES:] = [f"call sites: {len(fresh) - SITES} more: bench/budgets.py --sites"]
    return fresh + lines


def site_lines(last, log):
    """A line for each call site that is new since a line of the history, or the one line that there is instead."""
    if not last:
        return ["call sites: none are recorded to compare with (make history)"]
    try:
        current(log)
        fresh = sites.new(sites.measure_sites(log), last["sites"], gate.author)
    except (Missing, Void) as e:
        return [f"call sites: not measured: {e}"]
    return fresh or [f"call sites: none is new since {gate.called(last)}"]


def rounded(value):
    return round(value) if float(value).is_integer() or abs(value) >= 100 else round(value, 2)


def write(columns):
    """columns: {key: {row: value}}; replaces or adds the keys in the file's own layout."""
    with open(TABLE, encoding="utf-8") as f:
        text = f.read()
    for key, figures in columns.items():
        for name, value in figures.items():
            m = re.search(rf"^\[{name}\]\n(?:(?!\[).*\n)*", text, re.M)
            if not m:
                continue
            block, line = m.group(0), f"{key} = {rounded(value)}\n"
            if re.search(rf"^{key} = .*\n", block, re.M):
                fresh = re.sub(rf"^{key} = .*\n", line, block, flags=re.M)
            else:
                fresh = re.sub(r"^((?:ceiling|floor) = )", line + r"\1", block, count=1, flags=re.M)
            text = text[:m.start()] + fresh + text[m.end():]
    with open(TABLE, "w", encoding="utf-8") as f:
        f.write(text)


def measure_twice(subject, functions):
    """The larger of two runs; a figure that jumps is not a budget."""
    figures, void, missing = measure(subject, functions)
    again, void2, _ = measure(subject, functions)
    return {k: max(v, again.get(k, v)) for k, v in figures.items()}, {**void, **void2}, missing


def chosen(a, table):
    """The rows and the functions that were asked for."""
    kinds = ["count", "clock"] if a.clock or a.full or a.write or a.reference or a.rows else ["count"]
    functions = [f for kind in kinds for f in MEASURES[kind]]
    if a.rows:
        wanted = a.rows.split(",")
        unknown = [name for name in wanted if name not in table]
        if unknown:
            sys.exit(f"budgets: no such row: {', '.join(unknown)}")
        functions = [f for f in functions if set(f.rows) & set(wanted)]
        return {name: table[name] for name in wanted}, functions
    return {name: row for name, row in table.items() if len(kinds) > 1 or not row.get("clock")}, functions


def reference(rows, functions):
    """Measures the system's libcurl, writes its column and prints it."""
    with server.Server() as srv:
        prepare(srv)
        srv.pin(0)
        figures, void, _ = measure(Subject("system", srv, None, "/usr/bin/curl", once=True), functions)
    write({"debian": {name: value for name, value in figures.items() if name in rows}})
    for name, row in rows.items():
        print(f"{name:<26} {number(row.get('debian')):>12} {number(figures.get(name)):>12}".rstrip())
    for name, why in void.items():
        print(f"VOID {name}: {' '.join(why.split())}")
    sys.exit(1 if void else 0)


def everything(a, functions):
    """(figures, void, missing)"""
    with server.Server() as srv:
        prepare(srv)
        srv.pin(0)
        ours = Subject("mote", srv, os.path.abspath(a.lib), os.path.abspath(a.tool), os.path.abspath(a.log))
        identity = ours.run([os.path.join(BIN, "get"), srv.http + "/small"]).stdout
        if "Mote" not in identity:
            print(f"budgets: {a.lib} is not the library that was meant: {identity[-200:]}")
            print("0 within, 1 over")
            sys.exit(1)
        return (measure_twice if a.full else measure)(ours, functions)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--full", action="store_true")
    ap.add_argument("--clock", action="store_true")
    ap.add_argument("--write", action="store_true")
    ap.add_argument("--reference", action="store_true")
    ap.add_argument("--lib", default=os.path.join(ROOT, "build", "drop-in"))
    ap.add_argument("--tool", default=os.path.join(ROOT, "build", "mote"))
    ap.add_argument("--log", default=os.path.join(ROOT, "build", "log"))
    ap.add_argument("--sites", action="store_true")
    ap.add_argument("--rows")
    a = ap.parse_args()
    table = load()
    table = {name: {**row, "work": work} for (name, row), work in zip(table.items(), works(table).values())}
    rows, functions = chosen(a, table)
    if a.reference:
        compile_programs()
        reference(rows, functions)
    for path in (os.path.join(a.lib, "libcurl.so.4"), a.tool):
        if not os.path.exists(path):
            sys.exit(f"budgets: {path} is not built")
    compile_programs()
    figures, void, missing = everything(a, functions)
    marks = verdicts(rows, figures, a.clock)
    for name, why in missing.items():
        print(f"{name}: not measured: {why}")
    if a.write:
        write({"ours": {name: value for name, value in figures.items() if name in rows}})
    over = failures(marks)
    lines = [f"VOID {name}: {' '.join(why.split())}" for name, why in void.items()]
    if over or a.sites:
        lines += gate_lines(over, rows, figures, os.path.abspath(a.log), a.sites)
    print("".join(f"{line}\n" for line in lines), end="")
    absent = list(marks.values()).count("not measured")
    held = sum(1 for n, m in marks.items() if m[:6] in ("", "MISSED") and (a.clock or not rows[n].get("clock")))
    print(f"{held} within, {len(over) + len(void)} over" + (f", {absent} not measured" if absent else ""))
    sys.exit(1 if over or void or not held else 0)


if __name__ == "__main__":
    main()
