#!/usr/bin/env python3
"""Measures commits and keeps the figures in bench/history.jsonl: one JSON line per commit, in commit order.

usage: history.py [--again] [--list] [--commit REV...] [--range A..B [--every N]]
  (nothing)   the checkout as it is; make history. A line of a checkout with changes in the product says "dirty"
              and goes when the same commit is measured clean
  --commit    earlier commits, each built aside (build/history/<commit>, removed afterwards)
  --range     those of A..B that touch the product (src, include, cmake, CMakeLists.txt); --every N: each N-th
              of them and the last
  --again     also what has a line already
  --list      prints what is there

Always with the measuring programs and the server of this checkout. A line:
  commit, date, subject, dirty
  values      {row of budgets.toml: figure}: the rows of OF_EVERY_COMMIT (bench/measure/table.py) but those of
              ELSEWHERE, 15 seconds per commit
  structs     {struct of ours: bytes}, by tools/structs.py, of the library
  code        {folder/file.c: bytes of text}, by size, of each object of the library and the command
  profiles    {"full": {text, data, bss}}: the shared library
  sites       {call site: allocations}, by tools/sites.py, of a commit that has the log build
  absent      {figure or part: why it is not there}; nothing is made up
  with        compiler and TLS library: a figure that moves may be theirs
"""
import argparse
import contextlib
import fcntl
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "bench"), os.path.join(ROOT, "tools")]
import objects  # noqa: E402
import sites  # noqa: E402
import structs  # noqa: E402
from measure import figure, programs, table  # noqa: E402
from measure.subject import Subject, prepare  # noqa: E402
import server  # noqa: E402

FILE = os.path.join(ROOT, "bench", "history.jsonl")
ASIDE = os.path.join(ROOT, "build", "history")
PRODUCT = ("src", "include", "cmake", "CMakeLists.txt")
# Letters of a folder's name, for earlier commits and for "present": longer paths cost instructions
LETTERS = 7
# counted rows that have no place in a line, with the reason
ELSEWHERE = {"tool_static_instructions": "the static command is not built", "struct_sizes": "in structs"}
# what a busy machine raises (shorter reads, so more of them): the smallest of so many tries
TRIES = {"instructions_mb": 4, "multi_again": 2}


class Failed(Exception):
    """The commit cannot be measured at all."""


def git(*args):
    p = subprocess.run(["git", "-C", ROOT, *args], capture_output=True, text=True)
    if p.returncode:
        raise Failed(f"git {' '.join(args)}: {p.stderr.strip()}")
    return p.stdout


# --- the file ---

def read(path=FILE):
    """The lines; [] when there is no file yet."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f if line.strip()]


def merged(lines, fresh, order):
    """lines with fresh in its place. order: commits, oldest first. What order does not know stays where it is,
    after the line that it followed. A clean line takes the place of all of its commit, a dirty one of the dirty one."""
    gone = [x for x in lines if x["commit"] == fresh["commit"] and (x.get("dirty") or not fresh.get("dirty"))]
    rank = {commit: i for i, commit in enumerate(order)}
    keyed, last = [], -1
    for line in [x for x in lines if x not in gone] + [fresh]:
        last = rank.get(line["commit"], last)
        keyed.append((last, line))
    return [line for _, line in sorted(keyed, key=lambda x: x[0])]


def text_of(line):
    return json.dumps(line, ensure_ascii=False, sort_keys=False, separators=(",", ":")) + "\n"


@contextlib.contextmanager
def locked():
    """Two that measure at once do not lose each other's lines."""
    os.makedirs(ASIDE, exist_ok=True)
    with open(os.path.join(ASIDE, "lock"), "w", encoding="ascii") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        yield


def store(fresh, order, path=FILE):
    with locked():
        lines = merged(read(path), fresh, order)
        with open(path + ".new", "w", encoding="utf-8") as f:
            f.writelines(text_of(x) for x in lines)
        os.replace(path + ".new", path)


# --- building ---

def first_error(output):
    """The first error in what a build printed; CMake prints the reason one line below."""
    lines = [x.strip() for x in output.splitlines() if x.strip()]
    for i, text in enumerate(lines):
        if re.search(r"\berror\b|undefined reference", text, re.I) and not text.startswith("["):
            return " ".join(lines[i:i + (2 if text.endswith(":") else 1)])
    return " ".join(lines[-3:])


def run(cmd, why, timeout=900):
    p = subprocess.run(cmd, capture_output=True, text=True, errors="replace", timeout=timeout)
    if p.returncode:
        raise Failed(f"{why}: {first_error(p.stdout + p.stderr)[:300]}")


def build(source, tree, *options):
    """The library and the command of a source tree, with debug information."""
    run(["cmake", "-S", source, "-B", tree, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
         "-DCMAKE_C_FLAGS=-g", *options], "does not configure")
    run(["cmake", "--build", tree, "-j2", "--target", "drop-in", "mote"], "does not build")


def find(tree, name):
    for base, _, names in os.walk(tree):
        if name in names:
            return os.path.join(base, name)
    raise Failed(f"the build has no {name}")


def place(commit):
    return os.path.join(ASIDE, commit[:LETTERS])


@contextlib.contextmanager
def aside(commit):
    """(source, tree) of an earlier commit, unpacked; nothing of it stays."""
    top = place(commit)
    shutil.rmtree(top, ignore_errors=True)
    packed = subprocess.run(["git", "-C", ROOT, "archive", commit], capture_output=True, check=True).stdout
    source = os.path.join(top, "source")
    try:
        with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
            tar.extractall(source)
        yield source, os.path.join(top, "tree")
    finally:
        shutil.rmtree(top, ignore_errors=True)


# --- measuring ---

def sections(*files):
    """[(text, data, bss)] by size."""
    p = subprocess.run(["size", *files], capture_output=True, text=True, check=True)
    return [tuple(int(x) for x in line.split()[:3]) for line in p.stdout.splitlines()[1:]]


def code_of(tree, source):
    """{folder/file.c: bytes of text, constants included}."""
    pairs = [(name, obj) for name, obj in objects.find(tree, source) if name.startswith("src/")]
    sizes = sections(*(obj for _, obj in pairs))
    return {name[len("src/"):]: text for (name, _), (text, _, _) in zip(pairs, sizes)}


def sites_of(source, tree):
    """Call sites by tools/sites.py, from a log build of the source beside the tree."""
    with open(os.path.join(source, "CMakeLists.txt"), encoding="utf-8") as f:
        if "MOTE_LOG" not in f.read():
            raise Failed("the commit has no log build")
    build(source, tree + "-log", "-DMOTE_LOG=ON")
    return sites.measure(os.path.dirname(find(tree + "-log", "libcurl.so.4")), os.path.join(source, "src"))


def smallest(subject, function, tries):
    """figure.measure() of one function; the smallest figures of some tries."""
    figures, void, missing = figure.measure(subject, [function])
    for _ in range(tries - 1):
        again = figure.measure(subject, [function])[0]
        figures = {k: min(v, again.get(k, v)) for k, v in figures.items()}
    return figures, void, missing


def tidy(value):
    """A whole number, or two digits after the point."""
    value = round(float(value), 2)
    return int(value) if value.is_integer() else value


def shortened(why):
    return " ".join(str(why).replace(ROOT + "/", "").split())[:200]


def values_of(subject):
    """({row: figure}, {function: why there is none})."""
    figures, absent = {}, {}
    for function in table.OF_EVERY_COMMIT:
        name = function.__name__
        if name in ELSEWHERE:
            continue
        got, void, missing = smallest(subject, function, TRIES.get(name, 1))
        figures.update(got)
        absent.update({k: shortened(v) for k, v in {**void, **missing}.items()})
    return {k: tidy(v) for k, v in figures.items()}, absent


def versions():
    out = {}
    for key, cmd in (("cc", ["cc", "-dumpfullversion"]), ("openssl", ["openssl", "version"])):
        with contextlib.suppress(OSError):
            p = subprocess.run(cmd, capture_output=True, text=True)
            out[key] = p.stdout.strip() if key == "cc" else " ".join(p.stdout.split()[:2])
    return out


def figures_of(srv, source, tree):
    """What a line has besides its commit."""
    build(source, tree)
    library, tool = find(tree, "libcurl.so.4"), os.path.join(tree, "mote")
    subject = Subject("mote", srv, os.path.dirname(library), tool)
    values, absent = values_of(subject)
    line = {"values": values}
    parts = {"structs": lambda: structs.sizes([library]), "code": lambda: code_of(tree, source),
             "profiles": lambda: {"full": dict(zip(("text", "data", "bss"), sections(library)[0]))},
             "sites": lambda: sites_of(source, tree)}
    for key, part in parts.items():
        try:
            line[key] = part()
        except (Failed, structs.Missing, figure.Missing, figure.Void, OSError, subprocess.SubprocessError) as e:
            absent[key] = shortened(e)
    return {**line, "absent": absent, "with": versions()}


def describe(commit):
    sha, date, subject = git("show", "-s", "--format=%H%n%cI%n%s", commit).rstrip("\n").split("\n")
    return {"commit": sha, "date": date, "subject": subject}


def dirty():
    return bool(git("status", "--porcelain", "--", *PRODUCT).strip())


def measure_earlier(srv, commit):
    line = {**describe(commit), "dirty": False}
    try:
        with aside(line["commit"]) as (source, tree):
            return {**line, **figures_of(srv, source, tree)}
    except Failed as e:
        return {**line, "values": {}, "absent": {"build": str(e).replace(place(line["commit"]) + "/source/", "")},
                "with": versions()}


def measure_present(srv):
    line = {**describe("HEAD"), "dirty": dirty()}
    return {**line, **figures_of(srv, ROOT, os.path.join(ASIDE, "present", "tree"))}


# --- choosing, telling ---

def chosen(args):
    """The commits of --commit and --range, oldest first of each."""
    out = [describe(rev)["commit"] for rev in args.commit or ()]
    if args.range:
        found = git("rev-list", "--reverse", args.range, "--", *PRODUCT).split()
        out += [c for i, c in enumerate(found) if i % args.every == 0 or i == len(found) - 1]
    return list(dict.fromkeys(out))


def changes(before, after):
    """["row 9,411 -> 9,500", ...] of the rows that both have."""
    old, new = before.get("values", {}), after.get("values", {})
    return [f"{k} {old[k]:,} -> {v:,}" for k, v in new.items() if k in old and old[k] != v]


def report(line, lines, seconds):
    mark = " (dirty)" if line.get("dirty") else ""
    print(f"{line['commit'][:7]}{mark} {len(line['values'])} figures, {len(line.get('structs', {}))} structs, "
          f"{seconds:.0f} s: {line['subject']}", flush=True)
    for name, why in line["absent"].items():
        print(f"  absent: {name}: {why}")
    i = lines.index(line)
    if i:
        for change in changes(lines[i - 1], line):
            print("  " + change)


def measured(line, lines):
    return any(x["commit"] == line["commit"] and x.get("dirty", False) == line["dirty"] for x in lines)


def record(srv, order, measure_one):
    began = time.monotonic()
    line = measure_one(srv)
    store(line, order)
    report(line, read(), time.monotonic() - began)


def main():
    ap = argparse.ArgumentParser(usage=__doc__.split("\n\n", 1)[1].split("\nAlways")[0].replace("usage: ", ""))
    ap.add_argument("--again", action="store_true")
    ap.add_argument("--list", action="store_true")
    ap.add_argument("--commit", nargs="+")
    ap.add_argument("--range")
    ap.add_argument("--every", type=int, default=1)
    a = ap.parse_args()
    if a.list:
        for line in read():
            print(line["commit"][:7], line["date"][:10], f"{len(line['values']):3} figures", line["subject"])
        return
    order, earlier = git("rev-list", "--topo-order", "--reverse", "HEAD").split(), bool(a.commit or a.range)
    todo = [lambda srv, c=c: measure_earlier(srv, c) for c in (chosen(a) if earlier else ())
            if a.again or not measured({"commit": c, "dirty": False}, read())]
    if not earlier and (a.again or dirty() or not measured({**describe("HEAD"), "dirty": False}, read())):
        todo = [measure_present]
    if not todo:
        return print("history: measured already (--again measures again)")
    programs.compile_programs()
    with server.Server() as srv:
        prepare(srv)
        srv.pin(0)
        for one in todo:
            record(srv, order, one)


if __name__ == "__main__":
    try:
        main()
    except Failed as e:
        sys.exit(f"history: {e}")
