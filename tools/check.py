#!/usr/bin/env python3
"""Builds and tests everything: make check, make check-all.

usage: check.py [--all | --http3 | --http3-short] [--list] [--only STEP[,STEP]] [--resume]

Three steps run at a time: what one waits for, a server or a compiler of one thread, the others use. One line per step
with its count, its time and that of the processor; output is shown only of what failed. A step without any test yet says
so; one whose files exist but that runs nothing fails. With --resume a step that has passed on exactly these files is not
run again: its counts are added as "passed before" (tools/steps/records.py). --http3 is for a machine that has the
libraries of HTTP/3 (tools/fresh.py). The table of steps is here; what a step does is in tools/steps.
"""
import argparse
import sys
import time

from steps.base import ASAN_ENV, Result, build
from steps.builds import (build_release, checkers, fuzzers, http3, http3_short, interface, log_build, one_file, parts, plain,
                          profiles, sanitized, threads, tls, with_clang)
from steps.cases import (a_million, differential, git_push, hostile_text, http3_torture, many_streams, real_servers,
                         simulator, torture, toys)
from steps.figures import budgets, http3_budgets, images, sizes
from steps.lanes import in_lanes, say
from steps.machines import fresh_machine, packages, proofs
from steps.records import Records, still_to_run
from steps.suites import checks_own_tests, end_to_end, pytest, unit_tests
from steps.syntax import syntax
from steps.ways import ALL_WAYS, NEXT_WAY, a_way, turn


def steps(everything):
    """(name, function, the step or steps that it cannot do without): what takes longest is not last, so that the lanes
    end together; toys, which has the sanitizers' objects, comes after them. Without everything the sanitizers' step alone
    has the unit tests."""
    long = {"MOTE_CHECK_ALL": "1"} if everything else None
    out = [
        ("build", lambda: build_release(everything), None),
        ("interface", interface, None),
        ("checks", checkers, "build"),
        ("log build", log_build, None),
        ("checks' own tests", lambda: checks_own_tests(everything), ("build", "log build")),
        ("end to end", lambda: end_to_end(everything), "build"),
        ("command", lambda: pytest(["tests/tool"]), "build"),
        ("examples", lambda: pytest(["tests/examples"]), "build"),
        ("install", lambda: pytest(["tests/package"], more=long), "build"),
        ("asan + ubsan", lambda: sanitized("asan", everything), "build"),
        ("fresh machine", lambda: fresh_machine(*([] if everything else ["--short"]), "bookworm"), None),
        ("HTTP/3", lambda: fresh_machine("--http3" if everything else "--http3-short"), None),
        ("parts", lambda: parts(everything), None),
        ("syntax", lambda: syntax(everything), None),
        ("differential", lambda: differential(everything), "build"),
        ("simulator", lambda: simulator(everything), "build"),
        ("bearssl", lambda: tls("bearssl", a_way()) if everything else
         tls("bearssl", {**NEXT_WAY, "MOTE_E2E_CASES": f"2:{turn(2)}"}, ("tls", "small", "connect")), None),
        ("budgets", lambda: budgets(everything), "build"),
        ("sizes", lambda: sizes(everything), None),
        ("images", lambda: images(everything), None),
        ("torture", lambda: torture(["--reduced", *(["--every-mode"] if everything else [])]), "log build"),
        ("toys", lambda: toys(everything), None),
        ("threads", lambda: threads(200 if everything else 20), None),
        ("hostile text", lambda: hostile_text(everything), "asan + ubsan"),
    ]
    if everything:
        out += [
            ("unit tests", lambda: unit_tests("release"), "build"),
            ("fresh Debian 13", lambda: fresh_machine("trixie"), None),
            ("packages for Debian 12", lambda: packages("bookworm"), None),
            ("packages for Debian 13", lambda: packages("trixie"), None),
            ("check on Debian 13", lambda: fresh_machine("--check", "trixie"), None),
            ("mbedtls", lambda: tls("mbedtls", a_way()), None),
            ("wolfssl", lambda: tls("wolfssl", a_way()), None),
            ("every TLS library", lambda: tls("tls", ALL_WAYS), None),
            ("clang", with_clang, None),
            ("profiles", profiles, None),
            ("one file", one_file, None),
            ("without accounts", plain, None),
            ("proofs", proofs, None),
            ("proofs find faults", lambda: proofs("--planted"), "proofs"),
            ("fuzz", fuzzers, None),
            ("git push", git_push, "build"),
            ("ftp servers", lambda: real_servers("ftp", "ftp_servers", "ftp_curl"), "build"),
            ("mail servers", lambda: real_servers("mail", "mail_servers", "smtp_servers"), "build"),
            ("proxy servers", lambda: real_servers("proxy", "proxy_servers"), "build"),
            ("http2 servers", lambda: real_servers("http2", "http2_servers"), "build"),
            ("many streams", many_streams, None),
            ("a million", a_million, "build"),
            ("websocket servers", lambda: real_servers("ws", "ws_servers"), "build"),
            ("tsan", lambda: build("tsan", ["all", "unit-tests"]).add(unit_tests("tsan", ASAN_ENV)), None),
        ]
    return out


# make check takes one of the two by turns (steps/ways.py), make check-all both
HALVES = (("bearssl", "threads", "images", "HTTP/3"), ("toys", "torture", "syntax", "fresh machine"))
HTTP3_SHORT = [("http3 short", http3_short, None)]
HTTP3 = [
    ("http3", lambda: http3("h3"), None),
    ("http3 budgets", http3_budgets, "http3"),
    ("http3 asan + ubsan", lambda: http3("h3-asan", ASAN_ENV), None),
    ("http3 torture", http3_torture, None),
    ("http3 fuzz", lambda: fuzzers("h3-fuzz", ["fuzz_h3"]), None),
]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--all", action="store_true", help="also what takes longer: TLS libraries, clang, tsan, all sanitized")
    ap.add_argument("--http3", action="store_true", help="the build with HTTP/3, which needs libraries of its own")
    ap.add_argument("--http3-short", action="store_true", help="the same in few minutes")
    ap.add_argument("--only", help="these steps only, separated by commas")
    ap.add_argument("--resume", action="store_true", help="leave out what has passed on exactly these files")
    ap.add_argument("--list", action="store_true", help="print the steps' names")
    a = ap.parse_args()
    table = HTTP3 if a.http3 else HTTP3_SHORT if a.http3_short else steps(a.all)
    if a.list:
        print("\n".join(name for name, _, _ in table))
        return
    later = () if a.all or a.only or a.http3 or a.http3_short else HALVES[turn(2)]
    wanted = a.only.split(",") if a.only else [name for name, _, _ in table if name not in later]
    unknown = set(wanted) - {name for name, _, _ in table}
    if unknown:
        sys.exit(f"no such step: {', '.join(sorted(unknown))}")
    begin, total, records = time.monotonic(), Result(), Records("http3" if a.http3 or a.http3_short else "check-all" if a.all else "check")
    table = [step for step in table if step[0] in wanted]
    if a.resume:
        table, before = still_to_run(table, records)
        for name, (r, seconds) in before.items():
            say(name, r, seconds, ": passed before")
            total.add(r)
    total.add(in_lanes(table, records.keep))
    if later:
        print(f"After the next change, or by --only: {', '.join(later)}")
    if records.changed:
        print("Files were changed meanwhile: what passed since is not recorded for --resume.")
    print("".join(f"{x}\n" for x in total.again), end="")
    skipped = f", {total.skipped} tests skipped" if total.skipped else ""
    print(f"{time.monotonic() - begin:.0f} seconds, {total.spent:.0f} of processor{skipped}")
    print(f"{total.passed} passed, {total.failed} failed")
    sys.exit(1 if total.failed or not total.passed else 0)


if __name__ == "__main__":
    main()
