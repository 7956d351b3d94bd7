#!/usr/bin/env python3
"""Makes build/dashboard.html from bench/history.jsonl and budgets.toml: one page without anything outside it.

usage: dashboard.py [--history FILE] [--budgets FILE] [--out FILE]

All numbers of the page come from one JSON in it (page_data), which tools/dashboard/page.js draws:
  commits   [{sha, date, subject, dirty, apart, absent, with}], oldest first. apart: commits since the line before
            (1: none between), 0 where that is not known
  figures   {id: {title, unit, group, values, kind, refs, bound, marks}}. values: one per commit, null where absent;
            kind: work, struct, code or total; refs [[name, figure]]; bound [ceiling or floor, figure] or null;
            marks [[commit, before, after]]: the changes that are no noise
  groups    [{title, note, charts: [id]}]; parts: {folder: [bytes of text per commit]} of the library
"""
import argparse
import json
import os
import subprocess
import sys
import tomllib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "tools"), os.path.join(ROOT, "bench")]
import history  # noqa: E402
from measure.layout import STRUCTS  # noqa: E402

PAGE = os.path.join(ROOT, "tools", "dashboard")
OUT = os.path.join(ROOT, "build", "dashboard.html")
TABLE = os.path.join(ROOT, "budgets.toml")
REFS = (("libcurl", "libcurl 8.22"), ("debian", "libcurl 7.88"))
# drawn even when their size never changed: one each per handle, multi, transfer or connection
KEY_STRUCTS = ("mote_easy", "mote_multi_handle", "mote_transfer", "mote_run", "mote_conn", "mote_tls_stream")
GROUPS = [
    ("Allocations", "Calls of malloc, calloc and realloc."),
    ("Bytes", "What is asked of the allocator."),
    ("HTTPS", "The whole process: the TLS library's own memory is in these figures."),
    ("Instructions and system calls", "Instructions are counted by callgrind, calls by strace."),
    ("Structs", "Those of which each handle, transfer or connection has one, and those whose size has changed."),
    ("Code", "Text and constants of the objects, x86-64, -O2."),
]
TOTALS = {"text": "the shared library's code and constants", "data": "the shared library's initialised data",
          "bss": "the shared library's zeroed data"}


def group_of(name, unit):
    """The group of a row of budgets.toml."""
    if "https" in name:
        return "HTTPS"
    if name.startswith("writable"):
        return "Code"
    if unit in ("instructions", "system calls"):
        return "Instructions and system calls"
    return "Allocations" if unit == "allocations" else "Bytes"


def noise_of(figure, row):
    """(share, amount): what a figure may move from run to run without any change in the code."""
    if row == "instructions_mb":  # a busy machine reads in smaller pieces
        return 0.02, 0
    if figure["unit"] == "instructions" or figure["group"] == "HTTPS":
        return 0.002, 0
    return 0, 0.1 if figure["unit"] == "allocations" else 0


def marks_of(values, noise):
    """[[commit, before, after]]: against the last mark, not the commit before: what creeps is seen too."""
    share, amount = noise
    marks, level = [], None
    for i, value in enumerate(values):
        if value is None:
            continue
        if level is not None and abs(value - level) > max(share * abs(level), amount):
            marks.append([i, level, value])
            level = value
        level = value if level is None else level
    return marks


def full_works(rows):
    """{row: its work in words}: "the same, ..." is written out."""
    out, before = {}, ""
    for name, row in rows.items():
        work = row["work"]
        if work.startswith("the same"):
            work = before + work[len("the same"):]
        else:
            before = work
        out[name] = work
    return out


def figure(title, unit, group, kind, values, row=None, name=None):
    row = row or {}
    f = {"title": title, "unit": unit, "group": group, "kind": kind, "values": values,
         "refs": [[words, row[key]] for key, words in REFS if key in row], "bound": None}
    for key in ("ceiling", "floor"):
        if key in row:
            f["bound"] = [key, row[key]]
    f["marks"] = marks_of(values, noise_of(f, name))
    return f


def series(lines, *keys):
    """One value per line, None where the line has none."""
    out = []
    for line in lines:
        for key in keys:
            line = line.get(key) if isinstance(line, dict) else None
        out.append(line)
    return out


def names_in(lines, key):
    return list(dict.fromkeys(name for line in lines for name in line.get(key, {})))


def work_figures(lines, rows):
    works = full_works(rows)
    measured = names_in(lines, "values")
    return {name: figure(works[name], row["unit"], group_of(name, row["unit"]), "work",
                         series(lines, "values", name), row, name)
            for name, row in rows.items() if name in measured}


def struct_figures(lines, rows):
    bounds = {struct: rows.get(row) for row, struct in STRUCTS.items()}
    return {"struct " + name: figure("struct " + name, "bytes", "Structs", "struct", series(lines, "structs", name),
                                     bounds.get(name))
            for name in names_in(lines, "structs")}


def code_figures(lines):
    out = {"total " + key: figure(words, "bytes", "Code", "total", series(lines, "profiles", "full", key))
           for key, words in TOTALS.items() if any(x is not None for x in series(lines, "profiles", "full", key))}
    for name in names_in(lines, "code"):
        out["code " + name] = figure("src/" + name, "bytes", "Code", "code", series(lines, "code", name))
    return out


def parts_of(lines):
    """{folder: [bytes]} of the library, the largest first at the last commit; without the command."""
    folders = list(dict.fromkeys(name.split("/")[0] for name in names_in(lines, "code")))
    out = {}
    for folder in folders:
        if folder != "tool":
            out[folder] = [sum(v for k, v in line["code"].items() if k.startswith(folder + "/"))
                           if line.get("code") else None for line in lines]
    return dict(sorted(out.items(), key=lambda kv: -max((v for v in kv[1] if v is not None), default=0)))


def charted(f, name):
    """Whether a figure has a graph; what has none is in the table."""
    if f["kind"] == "struct":
        return bool(f["marks"] or f["bound"] or name.removeprefix("struct ") in KEY_STRUCTS)
    return f["kind"] != "code"


def groups_of(figures):
    out = []
    for title, note in GROUPS:
        charts = [k for k, f in figures.items() if f["group"] == title and charted(f, k)]
        if charts:
            out.append({"title": title, "note": note, "charts": charts})
    return out


def apart(lines):
    """Commits from each line to the one before it; 0: not known."""
    out = [0]
    for a, b in zip(lines, lines[1:]):
        p = subprocess.run(["git", "-C", ROOT, "rev-list", "--count", f"{a['commit']}..{b['commit']}"],
                           capture_output=True, text=True)
        out.append(int(p.stdout) if p.returncode == 0 else 0)
    return out


def page_data(lines, rows):
    figures = {**work_figures(lines, rows), **struct_figures(lines, rows), **code_figures(lines)}
    commits = [{"sha": x["commit"], "date": x["date"], "subject": x["subject"], "dirty": x.get("dirty", False),
                "apart": n, "absent": x.get("absent", {}), "with": x.get("with", {})}
               for x, n in zip(lines, apart(lines))]
    return {"commits": commits, "figures": figures, "groups": groups_of(figures), "parts": parts_of(lines)}


def asset(name):
    with open(os.path.join(PAGE, name), encoding="utf-8") as f:
        return f.read()


def page(data):
    """The whole page. The JSON cannot end its element: "<" is written as an escape."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    out = asset("page.html")
    for mark, part in (("/*STYLE*/", asset("page.css")), ("/*SCRIPT*/", asset("page.js")), ("/*DATA*/", text)):
        assert out.count(mark) == 1, mark
        before, after = out.split(mark)
        out = before + part + after
    return out


def main():
    ap = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    ap.add_argument("--history", default=history.FILE)
    ap.add_argument("--budgets", default=TABLE)
    ap.add_argument("--out", default=OUT)
    a = ap.parse_args()
    lines = history.read(a.history)
    if not lines:
        sys.exit(f"dashboard: {a.history} has no line yet (make history)")
    with open(a.budgets, "rb") as f:
        rows = tomllib.load(f)
    text = page(page_data(lines, rows))
    os.makedirs(os.path.dirname(os.path.abspath(a.out)), exist_ok=True)
    with open(a.out, "w", encoding="utf-8") as f:
        f.write(text)
    print(f"{os.path.relpath(a.out)}: {len(lines)} commits, {len(text):,} bytes")


if __name__ == "__main__":
    main()
