#!/usr/bin/python3
"""Every end-to-end scenario with its first fallible call failing, then the second, and so on: make torture.

usage: torture.py [--reduced [--every-mode] | --http3] [--modes M,M] [--only EXPR] [--shard I/N] [--resume] [-j N] [--asan] [--budget S]
                  [--tests FOLDER]
       torture.py --summary | --list
       torture.py --repeat ITEM WORDS      e.g. --repeat 'tests/e2e/test_get.py::test_length[easy]' at=17

modes: at      the N-th call fails                 from   it and all later ones
       oom     all allocations from the N-th on    eintr, eagain, reset   the N-th io call, with that errno
       short   at most N bytes per call            cut    EAGAIN after N bytes received
--only is an expression of pytest -k. --resume goes on with build/torture/results.jsonl (same library only).
--repeat runs one scenario with MOTE_FAULT's words at, from, kind, short, cut (and errno=EINTR, EAGAIN, ECONNRESET;
driver=N: which of the scenario's processes) and prints the driver's log, the verdict and the last calls.
The last line is "N passed, M failed"; N counts scenarios times calls.
"""

import argparse
import collections
import hashlib
import json
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
E2E = os.path.join(ROOT, "tests", "e2e")
OUT = os.path.join(ROOT, "build", "torture")
PYTHON = "/usr/bin/python3"

sys.path[:0] = [HERE, E2E]

import chosen

ASAN = {"ASAN_OPTIONS": "detect_leaks=1:exitcode=99:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1"}


def arguments():
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument("--reduced", action="store_true")
    ap.add_argument("--every-mode", action="store_true", help="of the reduced set: chosen.REDUCED_ONCE too")
    ap.add_argument("--http3", action="store_true", help="some scenarios of HTTP/3, in every mode: chosen.HTTP3")
    ap.add_argument("--modes", default=",".join(chosen.MODES))
    ap.add_argument("--only", default="")
    ap.add_argument("--shard", default="1/1")
    ap.add_argument("--resume", action="store_true")
    ap.add_argument("-j", type=int, default=os.cpu_count() or 1, dest="jobs")
    ap.add_argument("--asan", action="store_true")
    ap.add_argument("--budget", type=float, default=20.0)
    ap.add_argument("--library", help="folder with the log build's libcurl.so.4")
    ap.add_argument("--out", default=OUT)
    ap.add_argument("--tests", default=E2E, help="folder with the scenarios (tests/e2e)")
    ap.add_argument("--list", action="store_true", help="print the scenarios")
    ap.add_argument("--summary", action="store_true", help="of the results that are there")
    ap.add_argument("--repeat", metavar="ITEM")
    ap.add_argument("words", nargs="*", help="for --repeat")
    return ap.parse_args()


def folder_of(a):
    return os.path.relpath(os.path.abspath(a.tests), ROOT)


def build_id(library):
    with open(os.path.join(library, "libcurl.so.4"), "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()[:16]


def start_worker(job, library, expression="", env=None, log=None, what=("",), tests=E2E):
    with tempfile.NamedTemporaryFile("w", suffix=".json", dir=os.path.dirname(job["results"]), delete=False) as f:
        json.dump(job, f)
    full = dict(os.environ, MOTE_DROPIN=library, PYTHONPATH=f"{HERE}:{E2E}", PYTHONDONTWRITEBYTECODE="1",
                **(env or {}))
    full.setdefault("MOTE", os.path.join(library, "mote"))  # make log makes that one alone
    cmd = [PYTHON, "-m", "pytest", "-q", "-p", "plugin", "-p", "no:cacheprovider", "--assert=plain", "-p", "no:logging",
           "-p", "no:faulthandler", "-p", "no:threadexception", "-p", "no:unraisableexception", "-s",
           "--torture", f.name, *(os.path.join(os.path.abspath(tests), name) for name in what)]
    if expression:
        cmd += ["-k", expression]
    return subprocess.Popen(cmd, cwd=ROOT, env=full, stdin=subprocess.DEVNULL, stdout=log or subprocess.PIPE,
                            stderr=subprocess.STDOUT)


def build_asan(folder):
    """The log build with AddressSanitizer and UndefinedBehaviorSanitizer; LeakSanitizer finds what no account has."""
    options = ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O1 -g", "-DMOTE_SANITIZE=address,undefined",
               "-DMOTE_LOG=ON"]
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", *options], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--target", "drop-in"], check=True, stdout=subprocess.DEVNULL)


def asan_environment(a, job):
    """The worker's own; the job gets the driver's."""
    if not a.asan:
        return {}
    runtime = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True).stdout.strip()
    job["env"] = dict(ASAN, LD_PRELOAD=runtime)
    return {"MOTE_E2E_PRELOAD": runtime}


def made_for_all(a, library):
    """The driver and certificates, made once for all workers."""
    os.environ["MOTE_DROPIN"] = library
    import made
    folder = os.path.join(a.out, "made")
    shutil.rmtree(folder, ignore_errors=True)
    made.make(folder)
    return folder


def collect(a, library):
    """The node ids of all tests that the expression chooses."""
    with tempfile.NamedTemporaryFile("r", suffix=".json") as out:
        job = {"collect": out.name, "results": os.path.join(a.out, "results.jsonl")}
        p = start_worker(job, library, a.only, tests=a.tests)
        text = p.communicate()[0].decode("utf-8", "replace")
        try:
            return json.load(open(out.name))
        except ValueError:
            sys.exit(text[-3000:])


def choose(a, library):
    """[(nodeid, modes)], and a table of what is left out: reason -> number."""
    omitted = collections.Counter()
    items = []
    shard, shards = map(int, a.shard.split("/"))
    modes = a.modes.split(",")
    listed = chosen.HTTP3 if a.http3 else chosen.reduced() if a.reduced else None
    wanted = collect(a, library) if a.only or not listed else listed
    for nodeid in [i for i in listed if i in wanted] if listed else wanted:
        reason = chosen.left_out(nodeid)
        if reason:
            omitted[reason] += 1
        else:
            items.append((nodeid, [m for m in modes if not a.reduced or m in chosen.reduced_modes(nodeid, a.every_mode)]))
    random.Random(1).shuffle(items)  # findings of every kind come early, and the estimate is a good one
    return items[shard - 1::shards], omitted


class Tally:
    """What the results say so far."""

    def __init__(self, modes=()):
        self.modes = modes  # that the progress is about
        self.passed = self.failed = self.left_out = self.unreached = self.done = 0
        self.scenarios = set()
        self.by_mode = collections.Counter()
        self.skips = collections.Counter()
        self.findings, self.unsteady = [], []

    def add(self, r):
        self.done += len([m for m in r["modes"] if m in self.modes])
        if "skip" in r:
            self.skips[r["skip"]] += 1
            return
        bad = {(f["mode"], f.get("driver"), f.get("n")) for f in r["findings"]}
        self.failed += len(bad)
        self.passed += max(0, r.get("runs", 0) - len(bad))
        self.left_out += r.get("left_out", 0)
        self.unreached += r.get("unreached", 0)
        self.by_mode[",".join(r["modes"])] += r.get("runs", 0)
        self.scenarios.add(r["item"])
        self.findings += [dict(f, item=r["item"]) for f in r["findings"]]
        self.unsteady += [dict(f, item=r["item"]) for f in r.get("unsteady", [])]


def results_of(path, build, at=0):
    """(results of this build from byte `at` on, where the next are to be read)"""
    out = []
    if not os.path.exists(path):
        return out, at
    with open(path, "rb") as f:
        f.seek(at)
        for line in f:
            if not line.endswith(b"\n"):
                break  # is being written, or of a run that was ended
            at += len(line)
            try:
                r = json.loads(line)
            except ValueError:
                continue
            if r["build"] == build:
                out.append(r)
    return out, at


def words_of(f):
    mode, n = f["mode"], f.get("n")
    kind = {"oom": " kind=alloc", "eintr": " kind=io errno=EINTR", "eagain": " kind=io errno=EAGAIN",
            "reset": " kind=io errno=ECONNRESET"}.get(mode, "")
    word = mode if mode in ("from", "short", "cut") else "from" if mode == "oom" else "at"
    return f"{word}={n}{kind}" + (f" driver={f['driver']}" if f.get("driver") else "")


def show_findings(findings, folder):
    groups = collections.OrderedDict()
    for f in findings:
        symptom = f["symptom"] if f["mode"] != "clean" else f["symptom"] + " " + f["text"][:100]
        groups.setdefault((f.get("call"), f.get("site"), symptom), []).append(f)
    for (call, site, symptom), same in sorted(groups.items(), key=lambda g: -len(g[1])):
        f = same[0]
        modes = ", ".join(sorted({x["mode"] for x in same}))
        scenarios = len({x["item"] for x in same})
        print(f"\n{symptom}\n  {call}() at {site}; {len(same)} runs of {scenarios} scenarios ({modes})")
        if f["mode"] != "clean":
            print(f"  tests/torture/torture.py --repeat {shlex.quote(folder + '/' + f['item'])} {words_of(f)}")
        else:
            print(f"  {folder}/{f['item']}: {f['text']}")


def summary(tally, omitted, seconds, folder):
    print("\nnot run:")
    for reason, n in sorted(omitted.items()) + sorted(tally.skips.items()):
        print(f"  {n:5} tests: {reason}")
    if tally.findings:
        print("\nfindings:")
        show_findings(tally.findings, folder)
    if tally.unsteady:
        print("\nseen once, and not again when repeated:")
        show_findings(tally.unsteady, folder)
    print("\nruns by mode: " + ", ".join(f"{m} {n}" for m, n in sorted(tally.by_mode.items())))
    print(f"{len(tally.scenarios)} scenarios, {tally.passed + tally.failed} runs in {seconds:.0f} s; left out by "
          f"sampling: {tally.left_out}; armed, but not reached: {tally.unreached}")
    print(f"{tally.passed} passed, {tally.failed} failed", flush=True)


def summary_only(a, library):
    tally = Tally()
    for r in results_of(os.path.join(a.out, "results.jsonl"), build_id(library))[0]:
        tally.add(r)
    summary(tally, {}, 0, folder_of(a))
    return 1 if tally.failed else 0


def progress(tally, total, begin, started, final=False):
    spent = time.monotonic() - begin
    mine = tally.done - started
    eta = spent / mine * (total - tally.done) if mine else 0
    text = (f"{tally.done}/{total} scenario modes, {tally.passed + tally.failed} runs, {tally.failed} failed, "
            f"{spent:.0f} s, about {eta:.0f} s left")
    if sys.stdout.isatty():
        print(f"\r{text}\x1b[K", end="\n" if final else "", flush=True)
    elif final or int(spent) % 30 == 0:
        print(text, flush=True)


def watch(a, job, workers, build, total):
    """Follows the results until the workers are done."""
    tally, begin = Tally(job["modes"]), time.monotonic()
    at = 0
    old = None
    while True:
        alive = [w for w in workers if w.poll() is None]
        results, at = results_of(job["results"], build, at)
        for r in results:
            tally.add(r)
        old = tally.done if old is None else old
        progress(tally, total, begin, old, not alive)
        if not alive:
            return tally, time.monotonic() - begin
        time.sleep(1)


def repeat(a, library):
    """One scenario with one failing call; the exit status (repeat.py does it, in the worker)."""
    name = a.repeat.removeprefix(folder_of(a) + "/")
    job = {"repeat": name, "words": a.words, "library": library, "results": os.path.join(a.out, "repeat.jsonl"),
           "log": os.path.join(a.out, "calls.log"), "env": ASAN if a.asan else {}, "build": "", "items": [],
           "verdict": os.path.join(a.out, "verdict")}
    if os.path.exists(job["log"]):
        os.unlink(job["log"])
    p = start_worker(job, library, env=asan_environment(a, job), log=sys.stdout, what=(name,), tests=a.tests)
    p.wait()
    return int(open(job["verdict"]).read() or 1) if os.path.exists(job["verdict"]) else 1


def main():
    a = arguments()
    library = os.path.abspath(a.library or os.path.join(ROOT, "build", "log-asan" if a.asan else "log"))
    if a.asan and not a.library:
        build_asan(library)
    if not os.path.exists(os.path.join(library, "libcurl.so.4")):
        sys.exit(f"no libcurl.so.4 in {library}: make log")
    os.makedirs(a.out, exist_ok=True)
    if a.summary:
        sys.exit(summary_only(a, library))
    if a.repeat:
        sys.exit(repeat(a, library))
    items, omitted = choose(a, library)
    if a.list:
        print("\n".join(f"{folder_of(a)}/{nodeid}" for nodeid, _ in items))
        return
    results, build = os.path.join(a.out, "results.jsonl"), build_id(library)
    if not a.resume and os.path.exists(results):
        os.unlink(results)
    modes = [m for m in a.modes.split(",") if not a.reduced or m in chosen.REDUCED_MODES]
    had = {(r["item"], m) for r in results_of(results, build)[0] for m in r["modes"]}
    total = sum(len(modes) for _, modes in items)
    todo = [(i, [m for m in modes if (i, m) not in had]) for i, modes in items]
    todo = [(i, modes) for i, modes in todo if modes]
    job = {"items": todo, "results": results, "next": os.path.join(a.out, "next"), "library": library, "build": build,
           "modes": modes, "budget": a.budget, "env": {}}
    open(job["next"], "w").close()
    env = dict(asan_environment(a, job), MOTE_E2E_MADE=made_for_all(a, library))
    print(f"torture: {len(items)} scenarios, modes {' '.join(modes)}; library {library}, build {build}"
          + (f"; {len(had)} done before" if had else ""), flush=True)
    logs = [open(os.path.join(a.out, f"worker{n}.log"), "wb") for n in range(a.jobs)]
    what = [nodeid for nodeid, _ in todo] if a.reduced or a.http3 else ("",)
    workers = [start_worker(job, library, a.only, env, log, what, a.tests) for log in logs]
    try:
        tally, seconds = watch(a, job, workers, build, total)
    except KeyboardInterrupt:
        for w in workers:
            w.send_signal(signal.SIGTERM)
        sys.exit("\nended; --resume goes on")
    broken = [n for n, w in enumerate(workers) if w.returncode not in (0, 5)]
    summary(tally, omitted, seconds, folder_of(a))
    for n in broken:
        print(f"worker {n} ended with {workers[n].returncode}: see {logs[n].name}")
    sys.exit(1 if tally.failed or broken or tally.done < total or not tally.passed else 0)


if __name__ == "__main__":
    main()
