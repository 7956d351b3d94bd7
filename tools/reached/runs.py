"""What tools/coverage.py counts: each suite runs with the counted library, and leaves its profile in a folder."""
import os
import re
import subprocess

from steps.base import Result, in_parallel, one, path, run
from steps.suites import in_batches, made_for_all, pytest_env, pytest_files, unit_test

PRESET = "coverage"
BUILD = path("build", PRESET)
SIM_WORLDS = 4000  # some 40,000 transfers
TARGETS = {"unit": ["unit-tests"], "fuzz": ["fuzzers"], "sim": ["sim"], "e2e": ["all", "drop-in"]}


def build(suites, jobs):
    """The library, by which the profiles are read, and the suites' programs."""
    targets = sorted({t for s in suites for t in TARGETS[s]} | {"drop-in", "mote"})
    r = one(f"configure {PRESET}", ["cmake", "--preset", PRESET])
    return r if r.failed else r.add(one(f"build {PRESET}", ["cmake", "--build", BUILD, "-j", str(jobs), "--target", *targets]))


def listed(name):
    with open(os.path.join(BUILD, name), encoding="utf-8") as f:
        return sorted(f.read().split())


def run_unit(env, jobs):
    return in_parallel([lambda e=os.path.join(BUILD, "unit", name): unit_test(e, env) for name in listed("unit-tests.txt")],
                       jobs)


def run_fuzz(env, jobs):
    """Each fuzz target on its seeds."""
    tasks = []
    for name in listed("fuzzers.txt"):
        folder = path("fuzz", "seeds", name.removeprefix("fuzz_"))
        if os.path.isdir(folder):
            seeds = sorted(os.path.join(folder, seed) for seed in os.listdir(folder))
            tasks.append(lambda c=[os.path.join(BUILD, "fuzz", name), *seeds], n=name: one(n, c, env=env))
    return in_parallel(tasks, jobs)


def run_sim(env, _):
    status, text = run([os.path.join(BUILD, "sim"), "--count", str(SIM_WORLDS)], env=env)
    m = re.search(r"^(\d+) worlds, .*, (\d+) failed$", text, re.M)
    if not m or status:
        return Result.failure("sim", text)
    return Result(passed=int(m.group(1)))


def run_e2e(env, jobs):
    """End-to-end tests in one way of driving, and the command's."""
    r = Result()
    with made_for_all({**pytest_env(PRESET), **env, "MOTE_E2E_WAYS": "one"}) as made:
        files = [f"{folder}/{name}" for folder in ("tests/e2e", "tests/tool") for name in sorted(os.listdir(path(folder)))
                 if re.fullmatch(r"test_\w+\.py", name) and not name.startswith("test_h3")]
        r.add(in_parallel([lambda b=b: pytest_files(b, made) for b in in_batches(files)], jobs))
    return r


RUN = {"unit": run_unit, "fuzz": run_fuzz, "sim": run_sim, "e2e": run_e2e}


def count(suite, jobs):
    """Runs a suite; what it came to. Its profile is build/coverage/reached/SUITE.profdata, in place of one before."""
    raw = os.path.join(BUILD, "reached", suite)
    subprocess.run(["rm", "-rf", raw], check=True)
    os.makedirs(raw)
    r = RUN[suite]({"LLVM_PROFILE_FILE": os.path.join(raw, "%4m.profraw")}, jobs)
    merge(os.path.join(BUILD, "reached", suite + ".profdata"), [os.path.join(raw, n) for n in os.listdir(raw)])
    return r


def merge(to, profiles):
    """One profile of many; those that a killed program has left in pieces are left out."""
    listed_in = to + ".list"
    with open(listed_in, "w", encoding="utf-8") as f:
        f.writelines(p + "\n" for p in profiles)
    subprocess.run(["llvm-profdata", "merge", "-sparse", "-failure-mode=all", "-o", to, "-f", listed_in], check=True)
    return to


def objects():
    """What has all that is counted: the library, the command, and unit tests for what they compile besides, and for
    functions in headers that they alone call."""
    names = [os.path.join(BUILD, "drop-in", "libcurl.so.4"), os.path.join(BUILD, "mote")]
    names += [os.path.join(BUILD, "unit", name) for name in listed("unit-tests.txt")]
    return [n for n in names if os.path.exists(n)]
