#!/usr/bin/env python3
"""Changes one operator, constant or condition at a time, and looks whether a test notices. make mutation.

usage: mutation.py [--count N] [--seed N] [--only PREFIX,...] [--unit] [--jobs N]
       mutation.py --list [--only PREFIX,...]   how many places there are, by folder
       mutation.py --one FILE:LINE [--unit]     every change of a line

A change is compiled into one object, which is linked into the unit tests that have its source, and then (without --unit)
into the drop-in library for the end-to-end tests that tools/mutants/tests.toml names. What notices first ends it. A
change is killed (a test failed, or did not end), survived, does not compile, or is equivalent: the compiler makes the
same object of it. --count is how many of each folder, chosen by the seed; a folder is one of codec, net, connect,
protocol/http1 and protocol/http2. The build is build/mutation.

A line for each change, then a table by folder and the survivors, also in build/mutation.txt. What a survivor changes for
no caller is named in tools/mutants/accepted.tsv with the reason, and counts as equivalent. The exit status is 1 where
fewer than 90 in 100 of those that count are killed.
"""
import argparse
import collections
import concurrent.futures
import csv
import os
import random
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
from mutants import places, trial  # noqa: E402

FOLDERS = {"codec": "src/codec/", "net": "src/net/", "connect": "src/connect/", "http1": "src/protocol/http1/",
           "http2": "src/protocol/http2/"}
ACCEPTED = os.path.join(ROOT, "tools", "mutants", "accepted.tsv")
COUNT = 500
FLOOR = 90
OUTCOMES = (trial.KILLED, trial.SURVIVED, trial.EQUIVALENT, trial.NO_BUILD)


def build(end_to_end, jobs):
    for cmd in (["cmake", "--preset", "mutation"],
                ["cmake", "--build", trial.BUILD, "-j", str(jobs), "--target", "unit-tests", "mote_objects",
                 *(["drop-in", "mote"] if end_to_end else [])]):
        status, text = trial.run(cmd, cwd=ROOT)
        if status:
            raise trial.Unready(" ".join(cmd) + "\n" + text[-4000:])


def candidates(prefix, built=None):
    """Every change of the sources that the build has; built: their paths, or None for all."""
    found = []
    for path in places.sources(ROOT, [prefix]):
        if built is None or path in built:
            found += places.of_text(path, trial.read(path))
    return found


def accepted():
    """{(path, line before, line after)}"""
    if not os.path.exists(ACCEPTED):
        return set()
    with open(ACCEPTED, encoding="utf-8") as f:
        rows = csv.reader(f, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {tuple(row[:3]) for row in rows if row and not row[0].startswith("#")}


class Run:
    """The changes that were tried, and what became of them."""

    def __init__(self, end_to_end):
        self.end_to_end, self.accepted, self.done = end_to_end, accepted(), []
        self.local, self.lock = threading.local(), threading.Lock()
        self.folder = tempfile.TemporaryDirectory(prefix="mote-mutation-")

    def programs(self):
        if not hasattr(self.local, "programs"):
            self.local.programs = trial.Programs(tempfile.mkdtemp(dir=self.folder.name))
        return self.local.programs

    def one(self, folder, mutant):
        begin = time.monotonic()
        before, after = places.shown(trial.read(mutant.path), mutant)
        outcome, noticed = trial.judge(self.programs(), mutant, self.end_to_end)
        if outcome == trial.SURVIVED and (mutant.path, before, after) in self.accepted:
            outcome = trial.EQUIVALENT
        with self.lock:
            self.done.append((folder, mutant, outcome, before, after))
            print(f"{outcome:<16} {time.monotonic() - begin:5.1f} s  {mutant.path}:{mutant.line}: {mutant.old.strip()[:40]} -> "
                  f"{mutant.new.strip()[:44] or 'nothing'}  {noticed}", flush=True)


def table(done):
    """Lines of the table and the survivors, and whether the floor is reached."""
    counts = collections.defaultdict(collections.Counter)
    for folder, _, outcome, _, _ in done:
        counts[folder][outcome] += 1
        counts["all"][outcome] += 1
    lines = [f"{'folder':<10}" + "".join(f"{o:>18}" for o in OUTCOMES) + f"{'killed of 100':>16}"]
    for folder, c in counts.items():
        if folder != "all":
            lines.append(row(folder, c))
    lines.append(row("all", counts["all"]))
    lines += [f"survived: {m.path}:{m.line}: {before}\n          {' ' * len(f'{m.path}:{m.line}')}  {after}"
              for _, m, outcome, before, after in done if outcome == trial.SURVIVED]
    return lines, rate(counts["all"]) >= FLOOR


def row(folder, c):
    return f"{folder:<10}" + "".join(f"{c[o]:>18}" for o in OUTCOMES) + f"{rate(c):>16.1f}"


def rate(c):
    counted = c[trial.KILLED] + c[trial.SURVIVED]
    return 100 * c[trial.KILLED] / counted if counted else 100.0


def chosen(a, built):
    """[(folder, mutant)]"""
    if a.one:
        path, _, line = a.one.partition(":")
        return [(path.split("/")[1], m) for m in candidates(path) if not line or m.line == int(line)]
    wanted = {p.removeprefix("src/").split("/")[0]: p for p in a.only.split(",")} if a.only else FOLDERS
    found = []
    for folder, prefix in wanted.items():
        everything = candidates(prefix, built)
        found += [(folder, m) for m in random.Random(a.seed).sample(everything, min(a.count, len(everything)))]
    return found


def main():
    ap = argparse.ArgumentParser(usage=__doc__.split("usage: ", 1)[1], add_help=False)
    ap.add_argument("-h", "--help", action="store_true")
    ap.add_argument("--count", type=int, default=COUNT)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--only", default="")
    ap.add_argument("--one")
    ap.add_argument("--unit", action="store_true")
    ap.add_argument("--list", action="store_true")
    ap.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    a = ap.parse_args()
    if a.help:
        print(__doc__.strip())
        return 0
    if a.list:
        for folder, prefix in ({p: p for p in a.only.split(",")} if a.only else FOLDERS).items():
            print(f"{folder:<10} {len(candidates(prefix))}")
        return 0
    try:
        build(not a.unit, a.jobs)
        return report(a)
    except trial.Unready as e:
        print(f"mutation: {e}", file=sys.stderr)
        return 2


def report(a):
    """Tries the changes; the exit status."""
    run = Run(not a.unit)
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for tried in [pool.submit(run.one, folder, mutant) for folder, mutant in chosen(a, run.programs().compilers)]:
            tried.result()
    lines, enough = table(run.done)
    with open(os.path.join(ROOT, "build", "mutation.txt"), "w", encoding="utf-8") as f:
        f.writelines(line + "\n" for line in lines)
    print("\n".join(lines))
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
