#!/usr/bin/env python3
"""libcurl's own test suite on Mote: Debian's curl 7.88.1, its tests run with our library and with our command.

usage: conformance.py [--areas] [--write] [--jobs N] [--mode MODE] [--show] [NUMBER...]

  library   the suite's command and test programs with build/drop-in/libcurl.so.4 in the place of libcurl
  command   build/mote in the command's place
  --write   writes tests/conformance/ledger.tsv; a test that passed there stays a test that must pass
  --show    prints what the suite's runner says about each failing test
  --keep    leaves the folder in /tmp where the tests ran
  --areas   runs nothing: prints what the ledger says about each protocol and part

The newest libcurl (build/oracle) runs the same tests: what it fails is superseded. Which tests are not built follows
from what the tests need (needs.py). Prints what passed, failed and changed against the ledger, and ends with 1 when a
test that passed does not any more. What is said about each failing test is in build/conformance/failures/.
"""
import argparse
import os
import shutil
import subprocess
import sys
import time

import areas
import needs
import runner
import suite
import verdicts

ROOT = suite.ROOT
LEDGER = os.path.join(ROOT, "tests", "conformance", "ledger.tsv")
FAILURES = os.path.join(suite.OUT, "failures")
MODES = ("library", "command")
DROP_IN = os.environ.get("MOTE_DROPIN") or os.path.join(ROOT, "build", "drop-in")
ORACLE = os.path.join(ROOT, "build", "oracle")
MOTE = os.environ.get("MOTE") or os.path.join(ROOT, "build", "mote")


def what_is_built():
    """needs.Built of the library in build/drop-in."""
    curl = os.path.join(suite.OUT, "built", "src", ".libs", "curl")
    version = subprocess.run([curl, "-q", "--version"], env={"LD_LIBRARY_PATH": DROP_IN}, check=True,
                             capture_output=True, text=True).stdout
    return needs.Built(version, needs.read(os.path.join(ROOT, "docs", "compat.md")),
                       needs.auth_refused(os.path.join(DROP_IN, "libcurl.so.4")))


def sort_out(cases, built, suite_disabled):
    """The tests that are not run, as lines of the ledger, and those that are, per mode."""
    lines, run = {}, {mode: [] for mode in MODES}
    for number, case in sorted(cases.items()):
        why = needs.not_of_a_library(case, suite_disabled)
        part = None if why else built.lacking(case)
        for mode in MODES:
            if why:
                lines[number, mode] = verdicts.Line("not run", why)
            elif part:
                lines[number, mode] = verdicts.Line("not built", part)
            elif mode == "command" and case.tool:
                lines[number, mode] = verdicts.Line("not run", "runs no command")
            else:
                run[mode].append(number)
    return lines, run


def left_out(case, ours, newest):
    """A test that the suite's runner left out, as a line of the ledger. Where a test asks the library by a program
    whether it can be run, and the newest says no too, it is superseded."""
    part = needs.lacked_feature(ours[1])
    if part:
        return verdicts.Line("not built", part)
    if "libtest/lib" in case.precheck and newest[:2] == ours[:2]:
        return verdicts.Line("superseded", "the newest: " + newest[1])
    return verdicts.Line("not run", ours[1])


def servers_of(cases):
    return lambda number: sorted(cases[number].servers)


def progress(total, started):
    """A function that writes how far the run is, on a terminal only."""
    def report(done):
        if sys.stderr.isatty():
            print(f"\r{done} of {total} tests, {time.monotonic() - started:.0f} s", end="", file=sys.stderr)
    return report


def run_tests(stage, run, cases, jobs):
    """Results of every kind of run: {(kind, number): result}. What fails gets a second chance, alone."""
    wanted = dict(run)
    wanted["newest"] = sorted(set().union(*run.values()))
    work = [(kind, chunk) for kind, numbers in wanted.items() for chunk in runner.chunks(numbers, servers_of(cases))]
    report = progress(sum(map(len, wanted.values())), time.monotonic())
    results = runner.run_all(stage, work, jobs, report)
    again = {kind: [n for n in numbers if results[kind, n][0] == "fails"] for kind, numbers in wanted.items()}
    work = [(kind, chunk) for kind, numbers in again.items() for chunk in runner.chunks(numbers, servers_of(cases))]
    results.update(runner.run_all(stage, work, 1, report))
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return results


def judge_all(run, results, cases):
    """Lines of the ledger from the results; and what the runner says about the failing tests."""
    lines, said = {}, {}
    for mode, numbers in run.items():
        for number in numbers:
            ours, newest = results[mode, number], results["newest", number]
            if ours[0] == "left out":
                lines[number, mode] = left_out(cases[number], ours, newest)
                continue
            lines[number, mode] = verdicts.judge(ours, newest)
            if lines[number, mode].state == "fails":
                said[number, mode] = ours[2]
    return lines, said


def write_failures(said):
    shutil.rmtree(FAILURES, ignore_errors=True)
    os.makedirs(FAILURES)
    for (number, mode), text in said.items():
        suite.write(os.path.join(FAILURES, f"{number}-{mode}.txt"), text)


def report(old, lines):
    """Prints the outcome; returns the exit status."""
    for key, before, line in verdicts.changes(old, lines):
        if before or line.state == "fails":
            print(f"  test {key[0]} {key[1]}: {before or 'new'} -> {line.state}{': ' if line.why else ''}{line.why}")
    for mode, counter in sorted(verdicts.totals(lines).items()):
        print(f"{mode:8} {counter['passes']} passed, {counter['fails']} failed "
              f"({verdicts.share_failing(counter):.1f} in 100), {counter['superseded']} superseded, "
              f"{counter['not built']} not built, {counter['not run']} not run")
    back = verdicts.went_back(old, lines)
    for number, mode in back:
        print(f"conformance: test {number} {mode} passed and fails now: {lines[number, mode].why}")
    return 1 if back else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--areas", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--mode", choices=MODES)
    parser.add_argument("numbers", nargs="*", type=int, metavar="NUMBER")
    return parser.parse_args()


def main():
    asked = arguments()
    if asked.areas:
        print(areas.render(verdicts.parse(needs.read(LEDGER)), needs.load(suite.build(asked.jobs))), end="")
        return 0
    for path in (os.path.join(DROP_IN, "libcurl.so.4"), os.path.join(ORACLE, "libcurl.so.4"), MOTE):
        if not os.path.exists(path):
            sys.exit(f"conformance: {path} is missing (make, make drop-in, make oracle)")
    tests = suite.build(asked.jobs)
    cases = needs.load(tests)
    built = what_is_built()
    lines, run = sort_out(cases, built, needs.disabled(tests))
    if asked.numbers:
        lines = {key: line for key, line in lines.items() if key[0] in asked.numbers}
        run = {mode: [n for n in numbers if n in asked.numbers] for mode, numbers in run.items()}
    if asked.mode:
        lines = {key: line for key, line in lines.items() if key[1] == asked.mode}
        run = {asked.mode: run[asked.mode]}
    stage = suite.Stage({"library": DROP_IN, "command": DROP_IN, "newest": ORACLE}, {"command": MOTE},
                        built.suite_disabled())
    try:
        judged, said = judge_all(run, run_tests(stage, run, cases, asked.jobs), cases)
    finally:
        if asked.keep:
            print(f"conformance: {stage.root}")
        else:
            stage.remove()
    lines.update(judged)
    write_failures(said)
    if asked.show:
        print("\n".join(said.values()))
    old = verdicts.parse(needs.read(LEDGER)) if os.path.exists(LEDGER) else {}
    lines = verdicts.documented(old, lines)
    status = report(old, lines)
    if asked.write:
        suite.write(LEDGER, verdicts.render(verdicts.merged(old, lines)))
    return status


if __name__ == "__main__":
    sys.exit(main())
