"""Steps that run tests: the unit tests of a build, and pytest's files."""
import contextlib
import os
import re
import tempfile
import xml.etree.ElementTree as ElementTree

from steps.base import ASAN_ENV, HANGS, JOBS, PYTHON, Result, in_parallel, outputs_of, path, run
from steps.ways import ALL_WAYS, ONE_WAY, turn

WAITING_JOBS = 2 * JOBS  # files of tests, half of whose time is spent on waiting
BATCH = 30000            # bytes of tests that one process of pytest takes, or one file
# Python's code, assertions rewritten by pytest included, is kept for the steps that run the same tests again
KEPT_CODE = {"PYTHONPYCACHEPREFIX": path("build", "pycache"), "PYTHONDONTWRITEBYTECODE": ""}
DRIVEN = {"tests/e2e", "tests/toys"}  # folders of tests that use the driver of tests/e2e
# what has to be loaded first in a program that is not itself sanitized
SANITIZED_RUNTIME = {"asan": "libasan.so", "tsan": "libtsan.so", "toys": "libasan.so", "toys-tsan": "libtsan.so",
                     "h3-asan": "libasan.so"}


def unit_test(exe, env, *arguments):
    name = os.path.relpath(exe, path("build"))
    status, text = run([exe, *arguments], env=env)
    m = re.search(r"(\d+) passed(?:, (\d+) failed)?", text)
    passed, failed = (int(m.group(1)), int(m.group(2) or 0)) if m else (1 if status == 0 else 0, 0)
    if status == 0 and not failed:
        if m and not passed:
            return Result.failure(name, "ran no tests\n" + text)
        return Result(passed=passed)
    r = Result(passed=passed, failed=max(1, failed))
    r.outputs.append((name, f"exit status {status}\n" + text))
    return r


def unit_tests(preset, env=None, only=None):
    """Those that the build has (cmake/tests.cmake leaves out what needs an absent part)."""
    with open(path("build", preset, "unit-tests.txt"), encoding="utf-8") as f:
        wanted = [tuple(line.split("/")) for line in sorted(f.read().split())]
    if only:
        wanted = [(f, n) for f, n in wanted if f in only]
    total = in_parallel([lambda e=path("build", preset, "unit", f, n): unit_test(e, env) for f, n in wanted])
    total.note = f"{len(wanted)} programs"
    return total


def run_pytest(folder, tests, env, timeout=HANGS):
    """run() of pytest, and the report that it leaves; its tests' files lie in the folder: pytest clears away those of
    other runs at the same time where all share one."""
    report = os.path.join(folder, "report.xml")
    status, text = run([PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short",
                        "--basetemp=" + os.path.join(folder, "t"), f"--junitxml={report}", *tests], timeout, env)
    return status, text, report


def pytest_folder():
    return tempfile.TemporaryDirectory(prefix="mote-check-", ignore_cleanup_errors=True)


def pytest_files(names, env, chosen=None):
    """Some files of tests in one process; chosen: a pytest -k expression, or None."""
    with pytest_folder() as folder:
        status, text, report = run_pytest(folder, [*names, *(["-k", chosen] if chosen else [])], env)
        try:
            suites = list(ElementTree.parse(report).getroot().iter("testsuite"))
            n = {k: sum(int(s.get(k)) for s in suites) for k in ("tests", "failures", "errors", "skipped")}
        except (ElementTree.ParseError, OSError, TypeError):
            return Result.failure(" ".join(names), text)
    failed = n["failures"] + n["errors"]
    r = Result(n["tests"] - failed - n["skipped"], failed, n["skipped"])
    if status not in (0, 5):
        r.failed = max(1, failed)
        r.outputs.append((" ".join(names), text))
    return r


def in_batches(files):
    """The files, small ones of a folder together: a process takes a second before its first test. Large ones first."""
    sizes = {f: os.path.getsize(path(f)) for f in files}
    batches, open_ones = [], {}
    for f in sorted(files, key=lambda f: -sizes[f]):
        folder = os.path.dirname(f)
        batch, room = open_ones.get(folder, (None, 0))
        if sizes[f] > room:
            batch, room = [], BATCH
            batches.append(batch)
        batch.append(f)
        open_ones[folder] = batch, room - sizes[f]
    return batches


def pytest_env(preset):
    out = outputs_of(preset)
    log = os.path.exists(os.path.join(out, "libcurl.so.4"))  # a build with the log has no folder for it
    env = {"MOTE": os.path.join(out, "mote"), "MOTE_DROPIN": out if log else os.path.join(out, "drop-in"),
           **KEPT_CODE}
    if preset in SANITIZED_RUNTIME:
        runtime = run(["gcc", "-print-file-name=" + SANITIZED_RUNTIME[preset]])[1].strip()
        env.update(ASAN_ENV, MOTE_E2E_PRELOAD=runtime)
    return env


@contextlib.contextmanager
def made_for_all(env, folders=DRIVEN):
    """The environment with the driver and the certificates, made once for all files of end-to-end tests."""
    if not DRIVEN.intersection(folders):
        yield env
        return
    with tempfile.TemporaryDirectory(prefix="mote-made-") as folder:
        status, text = run([PYTHON, path("tests/e2e/made.py"), folder], env=env)
        if status:
            raise SystemExit("tests/e2e/made.py: " + text)
        yield {**env, "MOTE_E2E_MADE": folder}


def pytest(folders, preset="release", more=None, wanted=lambda file: True):
    """The tests of folders with a build; more: what their environment has besides; wanted: whether a file is."""
    files = [os.path.join(f, n) for f in folders if os.path.isdir(path(f))
             for n in sorted(os.listdir(path(f))) if re.fullmatch(r"test_\w+\.py", n)]
    files = [f for f in files if wanted(f)]
    with made_for_all({**pytest_env(preset), **(more or {})}, folders) as env:
        total = in_parallel([lambda b=b: pytest_files(b, env) for b in in_batches(files)], WAITING_JOBS)
    total.note = f"{len(files)} files" if files else "none yet"
    if files and not total.passed + total.failed + total.skipped:
        return Result.failure(" ".join(folders), "the files exist, but no test ran")
    return total


def end_to_end(everything):
    """make check takes every fourth case of a test in one way of driving, the others after the next changes."""
    return pytest(["tests/e2e"], more=ALL_WAYS if everything else {**ONE_WAY, "MOTE_E2E_CASES": f"4:{turn(4)}"})


# The longest of tests/tools, nine tenths of a minute of processor each half: make check takes one half by turns.
TOOLS_HALVES = (("amalgamate", "memanalyze", "differential"), ("checks", "root", "static"))


def checks_own_tests(everything):
    """What tests/tools says of the programs that check."""
    later = () if everything else TOOLS_HALVES[turn(2)]
    r = pytest(["tests/tools"], more={"MOTE_CHECK_ALL": "1"} if everything else None,
               wanted=lambda file: os.path.basename(file)[len("test_"):-len(".py")] not in later)
    if later:
        r.note += f", after the next change {' '.join(later)}"
    return r
