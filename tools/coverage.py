#!/usr/bin/env python3
"""What the tests reach of src/: lines, branches, and conditions that are decided (MC/DC). make coverage.

usage: coverage.py [--only SUITE,...] [--jobs N] [--gaps FOLDER,...]
       coverage.py --here ...      on this machine: clang and llvm are needed, of version 18 for MC/DC
       coverage.py --page ...      runs nothing: the page and the table of what was counted before

Without --here it runs in a root of Debian 13 (tools/root), whose clang 19 counts decisions; what it needs there is
installed once and stays by the name "coverage". Suites: unit (unit tests), fuzz (the fuzz targets' seeds), sim (worlds
of the simulator), e2e (end-to-end tests in one way of driving, and the command's). What is not run again counts as it
was counted last, if it was.

The page is build/coverage.html, and build/coverage.txt has the same gaps as lines. --gaps prints those of some folders.
Last comes a table by folder, and "N folders as they should be, M below": the floors are in tools/reached/floors.toml.
They are what the unit tests reach, and are not asked for before those have been counted. The exit status is 1 where a
test failed or a folder is below.
"""
import argparse
import os
import shutil
import sys
import tomllib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import debianroot  # noqa: E402
from reached import figures, page, runs  # noqa: E402

FLOORS = os.path.join(ROOT, "tools", "reached", "floors.toml")
OUT = "/srv/out"  # inside: build/ of the machine's tree


def in_root(arguments):
    """The same in the root of Debian 13, with the page on this machine."""
    kept = debianroot.Kept("trixie")
    kept.make()
    out = os.path.join(ROOT, "build")
    os.makedirs(out, exist_ok=True)
    with debianroot.Run(kept, keep="coverage", binds=[(out, OUT)]) as run:
        status, _ = run.command(["tools/setup", "coverage"])
        return status or run.command(["/usr/bin/python3", "tools/coverage.py", "--here", "--out", OUT, *arguments])[0]


def floors():
    with open(FLOORS, "rb") as f:
        return tomllib.load(f)


def below_floor(folders, suites):
    """{folder: kinds that are below}; a folder with a floor and without a file is below in all. None before the unit
    tests were counted."""
    if "unit" not in suites:
        return None
    found = {}
    for folder, wanted in floors().items():
        counts = folders.get(folder)
        kinds = [k for k, floor in wanted.items() if not counts or (counts[k].all and counts[k].percent < floor)]
        if kinds:
            found[folder] = kinds
    return found


def print_table(folders, below):
    judged = below is not None
    below = below or {}
    print(f"{'folder':<10}" + "".join(f"{page.NAMES[k]:>20}" for k in figures.KINDS))
    total = {k: figures.Count() for k in figures.KINDS}
    for folder in page.in_order(folders):
        for kind in figures.KINDS:
            total[kind].add(folders[folder][kind])
        print_row(folder, folders[folder], below.get(folder, ()))
    print_row("all", total, ())
    print(f"{len(floors()) - len(below)} folders as they should be, {len(below)} below" if judged
          else "what folders should be is not asked: the unit tests were not counted")


def print_row(name, counts, below):
    cells = [page.as_text(counts[k]) if counts[k].all else "-" for k in figures.KINDS]
    note = "  below in " + ", ".join(page.NAMES[k] for k in below) if below else ""
    print(f"{name:<10}" + "".join(f"{c:>20}" for c in cells) + note)


def show(suites, out, gaps):
    """The page and the table; whether a folder is below."""
    profiles = [os.path.join(runs.BUILD, "reached", s + ".profdata") for s in suites]
    profile = runs.merge(os.path.join(runs.BUILD, "reached.profdata"), profiles)
    files = figures.read(figures.export(profile, runs.objects()))
    folders = figures.by_folder(files)
    below = below_floor(folders, suites)
    with open(os.path.join(out, "coverage.html"), "w", encoding="utf-8") as f:
        f.write(page.make(files, below or {}, suites))
    with open(os.path.join(out, "coverage.txt"), "w", encoding="utf-8") as f:
        f.writelines(line + "\n" for line in page.as_lines(files, set(folders)))
    print("".join(line + "\n" for line in page.as_lines(files, gaps)), end="")
    print_table(folders, below)
    return bool(below)


def counted_before():
    return [s for s in runs.RUN if os.path.exists(os.path.join(runs.BUILD, "reached", s + ".profdata"))]


def here(a):
    """Builds, counts, shows; the exit status."""
    wanted = a.only.split(",") if a.only else list(runs.RUN)
    unknown = [s for s in wanted if s not in runs.RUN]
    missing = [t for t in ("clang", "llvm-cov", "llvm-profdata") if not shutil.which(t)]
    if unknown or missing:
        print(f"coverage: no suite {unknown[0]}" if unknown else f"coverage: {missing[0]} is missing", file=sys.stderr)
        return 2
    failed = False
    if not a.page:
        failed = said(runs.build(wanted, a.jobs), "build")
        for suite in () if failed else wanted:
            failed = said(runs.count(suite, a.jobs), suite) or failed
    if not counted_before():
        return 1
    try:
        below = show(counted_before(), a.out, set(a.gaps.split(",")) if a.gaps else set())
    except figures.Stale as e:
        print(f"coverage: tools/reached/unreachable.tsv: {e}", file=sys.stderr)
        return 1
    return 1 if below or failed else 0


def said(result, name):
    """Prints what a suite came to; whether something failed."""
    for what, text in result.outputs:
        print(f"--- {what}\n{text.rstrip()[-4000:]}\n---")
    print(f"{name:<10} {result.passed} passed, {result.failed} failed", flush=True)
    return bool(result.failed)


def main():
    ap = argparse.ArgumentParser(usage=__doc__.split("usage: ", 1)[1], add_help=False)
    ap.add_argument("-h", "--help", action="store_true")
    ap.add_argument("--here", action="store_true")
    ap.add_argument("--page", action="store_true")
    ap.add_argument("--only")
    ap.add_argument("--gaps")
    ap.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    ap.add_argument("--out", default=os.path.join(ROOT, "build"))
    a = ap.parse_args()
    if a.help:
        print(__doc__.strip())
        return 0
    os.umask(0o022)
    if a.here:
        return here(a)
    try:
        why = debianroot.why_not()
        if why:
            raise debianroot.Refused(why)
        return in_root(sys.argv[1:])
    except debianroot.Refused as e:
        print(f"coverage: {e}; --here counts on this machine", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
