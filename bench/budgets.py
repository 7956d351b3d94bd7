#!/usr/bin/env python3
"""Measures the rows of budgets.toml and holds the ceilings.

usage: budgets.py [--full] [--clock] [--write] [--lib DIR] [--tool FILE] [--rows ID[,ID]]
  (nothing)   what can be counted; make check
  --full      each counted row twice, and the larger figure taken; also the clock rows; make check-all, where
              clock rows are printed but do not fail
  --clock     the clock rows as well, held to their bounds
  --write     measures the system's libcurl too and writes both columns into budgets.toml
"""
import argparse
import os
import re
import sys
import tomllib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import measure  # noqa: E402
from measure import ROOT  # noqa: E402

TABLE = os.path.join(ROOT, "budgets.toml")


def load():
    with open(TABLE, "rb") as f:
        return tomllib.load(f)


def number(x):
    if x is None:
        return ""
    if abs(x) >= 100 or float(x).is_integer():
        return f"{x:,.0f}"
    return f"{x:.2f}"


def within(row, value):
    """A few allocations in thousands of transfers are the connection's, not the transfer's."""
    if "floor" in row:
        return value >= row["floor"]
    return value <= row["ceiling"] + (0.005 if row.get("unit") == "allocations" else 0)


def verdicts(rows, figures, system, enforce_clock):
    """Prints the table; (within, over, not measured)."""
    good = bad = absent = 0
    print(f"{'':<26} {'libcurl':>12} {'system':>12} {'ours':>12} {'bound':>12}")
    for name, row in rows.items():
        value, mark = figures.get(name), ""
        if value is None:
            absent, mark = absent + 1, "not measured"
        elif row.get("clock") and not enforce_clock:
            mark = "" if within(row, value) else "over (clock)"
        elif within(row, value):
            good += 1
        elif within({**row, "ceiling": row.get("so_far", -1)}, value) and "because" in row:
            good, mark = good + 1, f"MISSED, held at {number(row['so_far'])}: {row['because']}"
        else:
            bad, mark = bad + 1, "OVER" if "ceiling" in row else "UNDER"
        print(f"{name:<26} {number(row.get('libcurl')):>12} {number(system.get(name, row.get('debian'))):>12} "
              f"{number(value):>12} {number(row.get('ceiling', row.get('floor'))):>12} {mark}")
    return good, bad, absent


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
    figures, void, missing = measure.measure(subject, functions)
    again, void2, _ = measure.measure(subject, functions)
    return {k: max(v, again.get(k, v)) for k, v in figures.items()}, {**void, **void2}, missing


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--full", action="store_true")
    ap.add_argument("--clock", action="store_true")
    ap.add_argument("--write", action="store_true")
    ap.add_argument("--lib", default=os.path.join(ROOT, "build", "drop-in"))
    ap.add_argument("--tool", default=os.path.join(ROOT, "build", "mote"))
    ap.add_argument("--rows", help="print and judge these rows only")
    a = ap.parse_args()
    rows = load()
    functions = measure.MEASURES["count"] + (measure.MEASURES["clock"] if a.clock or a.full or a.write else [])
    if not (a.clock or a.full or a.write):
        rows = {k: v for k, v in rows.items() if not v.get("clock")}
    if a.rows:
        rows = {k: rows[k] for k in a.rows.split(",")}
    for path in (os.path.join(a.lib, "libcurl.so.4"), a.tool):
        if not os.path.exists(path):
            sys.exit(f"budgets: {path} is not built")
    measure.compile_programs()
    system = {}
    with measure.server.Server() as srv:
        measure.prepare(srv)
        srv.pin(0)
        ours = measure.Subject("mote", srv, os.path.abspath(a.lib), os.path.abspath(a.tool))
        identity = ours.run([os.path.join(measure.BIN, "get"), srv.http + "/small"]).stdout
        if "Mote" not in identity:
            print(f"budgets: {a.lib} is not the library that was meant: {identity[-200:]}")
            print("0 within, 1 over")
            sys.exit(1)
        figures, void, missing = (measure_twice if a.full else measure.measure)(ours, functions)
        if a.write:
            theirs = measure.Subject("system", srv, None, "/usr/bin/curl")
            system, _, _ = measure.measure(theirs, functions)
    good, bad, absent = verdicts(rows, figures, system, a.clock)
    for name, why in missing.items():
        print(f"{name}: not measured: {why}")
    for name, why in void.items():
        print(f"{name}: VOID: {why}")
    if a.write:
        write({"debian": system, "ours": figures})
    print(f"{good} within, {bad + len(void)} over" + (f", {absent} not measured" if absent else ""))
    sys.exit(1 if bad or void or not good else 0)


if __name__ == "__main__":
    main()
