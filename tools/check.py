#!/usr/bin/env python3
"""Builds and tests everything: make check, make check-all.

usage: check.py [--all] [--list] [--only STEP[,STEP]] [--keep-going]

Two steps run at a time: what one waits for, a server or a compiler of one thread, the other uses. One line per step
with its count and time; output is shown only of what failed. A step without any test yet says so; one whose files exist
but that runs nothing fails.
"""
import argparse
import concurrent.futures
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
JOBS = os.cpu_count() or 1
WAITING_JOBS = 2 * JOBS  # files of tests, half of whose time is spent on waiting
LANES = 2                # steps at a time
BATCH = 30000            # bytes of tests that one process of pytest takes, or one file
TTY = sys.stdout.isatty()
# the way of driving that an end-to-end test takes in make check (tests/e2e/ways.py), and the one with which it runs
# again under the sanitizers or with another TLS library, under the sanitizers in every second case; make check-all takes
# all of them
ONE_WAY, NEXT_WAY, ALL_WAYS = ({"MOTE_E2E_WAYS": ways} for ways in ("one", "next", "all"))
# The library's ordinary objects that are the same in two builds are made once. What one build alone has takes a third
# longer with the cache.
SHARING = {"release", "bearssl", "asan", "toys"}
CACHE = {"CCACHE_DIR": os.path.join(ROOT, "build", "ccache"), "CCACHE_BASEDIR": ROOT, "CCACHE_NOHASHDIR": "1",
         "CCACHE_NODIRECT": "1"}
# Python's code, assertions rewritten by pytest included, is kept for the steps that run the same tests again
KEPT_CODE = {"PYTHONPYCACHEPREFIX": os.path.join(ROOT, "build", "pycache"), "PYTHONDONTWRITEBYTECODE": ""}
DRIVEN = {"tests/e2e", "tests/toys"}  # folders of tests that use the driver of tests/e2e
# end-to-end tests that cannot run under the sanitizers: the system's curl and git are not sanitized, and the sanitizer takes malloc before fault.c does
NOT_SANITIZED = {"test_tool_dropin.py": None, "test_proxy_servers.py": None, "test_git.py": None,
                 "test_faults.py": "not test_allocations"}
ASAN_ENV = {
    "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0:exitcode=99:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "TSAN_OPTIONS": "exitcode=99:second_deadlock_stack=1",
    "MOTE_SANITIZED": "1",
}
FUZZ_SECONDS = 30
# seconds after which a command hangs. Tests end what hangs much sooner; this is more than the slowest one takes on a
# machine that is twenty times too busy
HANGS = 3600
# what has to be loaded first in a program that is not itself sanitized
SANITIZED_RUNTIME = {"asan": "libasan.so", "tsan": "libtsan.so", "toys": "libasan.so", "toys-tsan": "libtsan.so"}


class Result:
    """What a step or a part of it came to."""

    def __init__(self, passed=0, failed=0, skipped=0, note=""):
        self.passed, self.failed, self.skipped = passed, failed, skipped
        self.note = note       # shown after the count
        self.outputs = []      # (name, text) of what failed
        self.again = []        # lines of it that are shown again at the very end

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.outputs += other.outputs
        self.again += other.again
        return self

    @staticmethod
    def failure(name, text):
        r = Result(failed=1)
        r.outputs.append((name, text))
        return r


def path(*parts):
    return os.path.join(ROOT, *parts)


def run(cmd, timeout=HANGS, env=None):
    """(exit status or None at a timeout, output). Ends the whole process group at a timeout."""
    full = dict(os.environ, **(env or {}))
    with tempfile.TemporaryFile() as out:
        p = subprocess.Popen(cmd, cwd=ROOT, env=full, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                             start_new_session=True)
        try:
            status = p.wait(timeout)
        except subprocess.TimeoutExpired:
            status = None
        except BaseException:
            os.killpg(p.pid, signal.SIGKILL)
            raise
        if status is None:
            os.killpg(p.pid, signal.SIGKILL)
            p.wait()
        out.seek(0)
        text = out.read().decode("utf-8", "replace")
    return status, text + (f"\ntimed out after {timeout} s\n" if status is None else "")


def in_parallel(tasks, jobs=JOBS):
    """Runs the callables two (or as many as there are processors) at a time; their results added up."""
    total = Result()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for r in pool.map(lambda t: t(), tasks):
            total.add(r)
    return total


def one(name, cmd, timeout=HANGS, env=None):
    """A command that passes or fails as a whole."""
    status, text = run(cmd, timeout, env)
    return Result(passed=1) if status == 0 else Result.failure(name, text)


def build(preset, targets, options=()):
    cached = preset in SHARING and shutil.which("ccache") and "CMAKE_C_COMPILER_LAUNCHER" not in os.environ
    env = CACHE if cached else None
    status, text = run(["cmake", "--preset", preset, *options, "-DMOTE_OBJECTS_LAUNCHER=" + ("ccache" if cached else "")],
                       env=env)
    if status:
        return Result.failure(f"configure {preset}", text)
    cmd = ["cmake", "--build", path("build", preset), "-j", str(JOBS), "--target", *targets]
    r = one(f"build {preset}", cmd, env=env)
    r.outputs = [(n, last_errors(t)) for n, t in r.outputs]
    return r


def last_errors(text):
    lines = [x for x in text.split("\n") if not x.startswith("[") and not re.match(r"/usr/bin/\S+ -D", x)]
    return "\n".join(lines[-60:])


def outputs_of(preset):
    return path("build") if preset == "release" else path("build", preset)


# --- unit tests ---

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


# --- pytest ---

def run_pytest(folder, tests, env):
    """run() of pytest, and the report that it leaves; its tests' files lie in the folder: pytest clears away those of
    other runs at the same time where all share one."""
    report = os.path.join(folder, "report.xml")
    status, text = run([PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short",
                        "--basetemp=" + os.path.join(folder, "t"), f"--junitxml={report}", *tests], env=env)
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


def pytest(folders, preset="release", more=None):
    """The tests of folders with a build; more: what their environment has besides."""
    files = [os.path.join(f, n) for f in folders if os.path.isdir(path(f))
             for n in sorted(os.listdir(path(f))) if re.fullmatch(r"test_\w+\.py", n)]
    left_out = NOT_SANITIZED if preset in SANITIZED_RUNTIME else {}
    of = {f: os.path.basename(f) for f in files}
    narrowed = [f for f in files if left_out.get(of[f])]
    with made_for_all({**pytest_env(preset), **(more or {})}, folders) as env:
        tests = [lambda b=b: pytest_files(b, env) for b in in_batches([f for f in files if of[f] not in left_out])]
        tests += [lambda f=f: pytest_files([f], env, left_out[of[f]]) for f in narrowed]
        total = in_parallel(tests, WAITING_JOBS)
    total.note = f"{len(files)} files" if files else "none yet"
    if files and not total.passed + total.failed + total.skipped:
        return Result.failure(" ".join(folders), "the files exist, but no test ran")
    return total


# --- the steps ---

def build_release():
    return build("release", ["all", "drop-in", "mote-static", "unit-tests", "examples"],
                 ["-DMOTE_WERROR=ON"])


def log_build():
    return build("log", ["all", "drop-in"])


def checkers():
    tool = lambda name, *args: (lambda: one(name, [PYTHON, path("tools", name), *args]))  # noqa: E731
    out, obj = path("build"), path("build/release")
    return in_parallel([
        tool("check_floors.py", "--build", obj),
        tool("check_form.py", "--build", obj, "--library", os.path.join(out, "drop-in/libcurl.so.4")),
        tool("check_seam.py", "--build", obj),
        tool("check_exports.py", "--out", out)])


def interface():
    cmd = [PYTHON, path("tests/interface/check.py"), "--cc", "gcc", "--include", "include"]
    status, text = run(cmd)
    m = re.search(r"(\d+) checks, (\d+) failed", text)
    if not m or status and m.group(2) == "0":
        return Result.failure("interface", text)
    r = Result(int(m.group(1)) - int(m.group(2)), int(m.group(2)))
    if status:
        r.outputs.append(("interface", text))
    return r


def sanitized(preset, everything):
    r = build(preset, ["all", "drop-in", "unit-tests"])
    if r.failed:
        return r
    r.add(unit_tests(preset, ASAN_ENV))
    more = ALL_WAYS if everything else {**NEXT_WAY, "MOTE_E2E_CASES": "half"}
    return r.add(pytest(["tests/e2e", "tests/tool"], preset, more))


def plain():
    """Without accounts: it builds, and what does not count passes."""
    r = build("plain", ["all", "drop-in", "unit-tests"])
    return r if r.failed else r.add(unit_tests("plain"))


def torture(options=("--reduced",), out="torture-reduced"):
    """Some scenarios of each kind, with each of their calls failing in turn; make torture runs all."""
    cmd = [PYTHON, path("tests/torture/torture.py"), *options, "--out", path("build", out)]
    status, text = run(cmd)
    m = re.search(r"^(\d+) passed, (\d+) failed$", text, re.M)
    if not m:
        return Result.failure("torture", text)
    r = Result(int(m.group(1)), int(m.group(2)))
    if status:
        r.failed = max(1, r.failed)
        r.outputs.append(("torture", text))
    return r


def toys(everything):
    """The protocols of tests/toys. With everything the build has the log, for the torture: MOTE_DROPIN is the folder
    itself then. Without it most objects are those of the sanitizers' step."""
    total = Result()
    for preset in ("toys", "toys-tsan") if everything else ("toys",):
        logs = everything and preset == "toys"
        total.add(build(preset, ["drop-in"], ["-DMOTE_LOG=" + ("ON" if logs else "OFF")]))
        if not total.failed:
            ways = ALL_WAYS if everything else NEXT_WAY
            total.add(pytest(["tests/toys"], preset, {**ways, "MOTE_DROPIN": path("build", preset, *["drop-in"][logs:])}))
    if everything and not total.failed:
        total.add(torture(["--asan", "--library", path("build/toys"), "--tests", path("tests/toys")], "torture-toys"))
    return total


# Random cases of a new seed in `make check-all`. Of 50,000 cases of a new seed about one differs from the newest libcurl
# without a line in tests/differential/known.tsv: what is found here is to be settled there.
NEW_CALLS = 20000
NEW_TRANSFERS = 2000
CALL_KINDS = "url,printf,date,text,option,handle"
FEATURE_KINDS = ("cookies", "proxy", "login", "form", "formadd", "ftp", "mail")


def differential(everything):
    """Random cases on ours and on the newest libcurl: a fixed seed, or (everything) many of a new one too."""
    status, text = run([PYTHON, path("tools/oracle")])
    if status:
        return Result.failure("differential", text + "The newest libcurl, to compare with, could not be fetched.\n")
    cmd = [PYTHON, path("tests/differential/run"), "--open", path("tests/differential/open.tsv"), "--quick"]
    r = random_cases("differential, 3,000 calls",
                     [*cmd, "--seed", "check-calls", "--cases", "3000", "--kinds", CALL_KINDS])
    r.add(random_cases("differential, transfers", [*cmd, "--seed", "check", "--cases", "400", "--kinds", "transfer"]))
    for kind in FEATURE_KINDS:
        r.add(random_cases(f"differential, {kind}", [*cmd, "--seed", "check", "--cases", "300", "--kinds", kind]))
    if everything:
        seed = str(int(time.time()))
        for cases, kinds in ((NEW_CALLS, CALL_KINDS), (NEW_TRANSFERS, "transfer"), *((NEW_TRANSFERS, k) for k in FEATURE_KINDS)):
            r.add(random_cases(f"differential, seed {seed}, {kinds}",
                               [*cmd, "--seed", seed, "--cases", str(cases), "--kinds", kinds]))
    return r


def random_cases(name, cmd):
    status, text = run(cmd)
    m = re.search(r"^(\d+) passed, (\d+) failed$", text, re.M)
    if not m:
        return Result.failure(name, text)
    r = Result(int(m.group(1)), int(m.group(2)))
    if status:
        r.failed = max(1, r.failed)
        r.outputs.append((name, text))
    return r


def threads(rounds):
    """tests/threads under ThreadSanitizer: each thread does that many rounds."""
    r = build("tsan", ["thread-tests"])
    if r.failed:
        return r
    names = sorted(n[:-2] for n in os.listdir(path("tests/threads")) if re.fullmatch(r"test_\w+\.c", n))
    tests = [lambda n=n: unit_test(path("build/tsan/threads", n), ASAN_ENV, str(rounds)) for n in names]
    return r.add(in_parallel(tests))


def tls(preset, ways):
    """A build with other TLS libraries: its unit tests, and the suite that every TLS library passes, with each."""
    r = build(preset, ["all", "drop-in", "unit-tests"])
    if r.failed:
        return r
    r.add(unit_tests(preset))
    names = ("tls_certificates", "tls", "tls_chain", "https_proxy", "ftp_servers", "http_version")
    files = [f"tests/e2e/test_{name}.py" for name in names]
    with made_for_all({**pytest_env(preset), **ways}) as env:
        return r.add(in_parallel([lambda f=f: pytest_files([f], env) for f in files], WAITING_JOBS))


def fuzzer(name):
    """One fuzz target for a while, from the seeds in fuzz/seeds/<name>."""
    seeds = path("fuzz/seeds", name.removeprefix("fuzz_"))
    with tempfile.TemporaryDirectory() as found:
        cmd = [path("build/fuzz/fuzz", name), f"-max_total_time={FUZZ_SECONDS}", "-timeout=60", "-rss_limit_mb=2000",
               f"-artifact_prefix={path('build/fuzz')}/{name}-", found] + ([seeds] if os.path.isdir(seeds) else [])
        return one(name, cmd, env=ASAN_ENV)


def fuzzers():
    if not os.path.isdir(path("fuzz")):
        return Result(note="none yet")
    r = build("fuzz", ["fuzzers"])
    if r.failed:
        return r
    names = sorted(n[:-2] for n in os.listdir(path("fuzz")) if re.fullmatch(r"fuzz_\w+\.c", n))
    return r.add(in_parallel([lambda n=n: fuzzer(n) for n in names]))


def budgets(full):
    cmd = [PYTHON, path("bench/budgets.py")] + (["--full"] if full else [])
    status, text = run(cmd)
    m = re.search(r"(\d+) within, (\d+) over", text)
    if not m:
        return Result.failure("budgets", text)
    r = Result(int(m.group(1)), int(m.group(2)))
    if status:
        r.failed = max(1, r.failed)
        r.outputs.append(("budgets", text))
        again = re.compile(r"OVER |UNDER |VOID |new call site|called \d|call sites:")
        r.again = [x for x in text.splitlines() if again.match(x)]
    return r


def sizes(full):
    """The size ledger: profiles tiny and mcu for Cortex-M3; full: every profile and target."""
    status, text = run([PYTHON, path("tools/ledger.py"), "--check"] + (["--all"] if full else []))
    m = re.search(r"(\d+) builds compared, (\d+) changes", text)
    if not m:
        return Result.failure("sizes", text)
    missing = [x for x in text.splitlines() if "not measured" in x]
    r = Result(int(m.group(1)), skipped=len(missing), note="; ".join(missing))
    if status:
        r.failed = max(1, int(m.group(2)))
        r.outputs.append(("sizes", text))
    return r


def images():
    """Flash of the images for devices against device/ceilings.toml, where make device has fetched their sources."""
    sources = all(os.path.isdir(path("build", "device", p)) for p in ("lwip", "bearssl"))
    if not sources or not shutil.which("arm-none-eabi-gcc"):
        return Result(skipped=1, note="no sources or no cross compiler: make device")
    status, text = run([PYTHON, path("tools/device.py"), "ceilings"])
    m = re.search(r"(\d+) figures, (\d+) over", text)
    if not m:
        return Result.failure("images", text)
    r = Result(int(m.group(1)) - int(m.group(2)), int(m.group(2)))
    if status:
        r.outputs.append(("images", text))
        r.again = [x for x in text.splitlines() if "OVER by" in x]
    return r


def parts(everything):
    """Builds without a part, and the profiles; full: without each part, and random sets."""
    with pytest_folder() as folder:
        status, text, _ = run_pytest(folder, ["tests/parts"], {"MOTE_PARTS": "all" if everything else "",
                                                               "PYTHONDONTWRITEBYTECODE": "1"})
    m = re.search(r"(?:(\d+) failed, )?(\d+) passed", text)
    if not m or (status and not m.group(1)):
        return Result.failure("parts", text)
    r = Result(int(m.group(2)), int(m.group(1) or 0))
    if status:
        r.outputs.append(("parts", text))
    return r


def git_push():
    """Twenty pushes of 130 MB; the end-to-end tests push a megabyte."""
    with pytest_folder() as folder:
        status, text, _ = run_pytest(folder, ["tests/e2e/test_git.py"],
                                     {**pytest_env("release"), "MOTE_GIT_BYTES": str(130 << 20)})
    return Result.failure("git push", text) if status else Result(1)


def real_servers(kind, *files):
    """Every server and way; the end-to-end tests have some of it."""
    env = {**pytest_env("release"), f"MOTE_{kind.upper()}_SERVERS": "all"}
    return in_parallel([lambda f=f: pytest_files([f"tests/e2e/test_{f}.py"], env) for f in files])


def many_streams():
    """10,000 streams of HTTP/2 under ASan; the end-to-end tests have 1,000 without it."""
    r = build("asan", ["drop-in"])
    if r.failed:
        return r
    env = {**pytest_env("asan"), "MOTE_HTTP2_SERVERS": "all"}
    return r.add(pytest_files(["tests/e2e/test_h2_many.py"], env, "ten_thousand"))


def steps(everything):
    """(name, function, the step or steps that it cannot do without): what takes longest is not last, so that the lanes
    end together; toys, which has the sanitizers' objects, comes after them."""
    out = [
        ("build", build_release, None),
        ("interface", interface, None),
        ("checks", checkers, "build"),
        ("log build", log_build, None),
        ("checks' own tests", lambda: pytest(["tests/tools"]), ("build", "log build")),
        ("unit tests", lambda: unit_tests("release"), "build"),
        ("end to end", lambda: pytest(["tests/e2e"], more=ALL_WAYS if everything else ONE_WAY), "build"),
        ("command", lambda: pytest(["tests/tool"]), "build"),
        ("examples", lambda: pytest(["tests/examples"]), "build"),
        ("install", lambda: pytest(["tests/package"]), "build"),
        ("parts", lambda: parts(everything), None),
        ("differential", lambda: differential(everything), "build"),
        ("asan + ubsan", lambda: sanitized("asan", everything), None),
        ("bearssl", lambda: tls("bearssl", ALL_WAYS if everything else NEXT_WAY), None),
        ("budgets", lambda: budgets(everything), "build"),
        ("sizes", lambda: sizes(everything), None),
        ("images", images, None),
        ("torture", lambda: torture(("--reduced", "--every-mode") if everything else ("--reduced",)), "log build"),
        ("toys", lambda: toys(everything), None),
        ("threads", lambda: threads(200 if everything else 20), None),
    ]
    if everything:
        out += [
            ("mbedtls", lambda: tls("mbedtls", ALL_WAYS), None),
            ("wolfssl", lambda: tls("wolfssl", ALL_WAYS), None),
            ("every TLS library", lambda: tls("tls", ALL_WAYS), None),
            ("clang", lambda: build("clang", ["all", "drop-in", "unit-tests"]), None),
            ("without accounts", plain, None),
            ("fuzz", fuzzers, None),
            ("git push", git_push, "build"),
            ("ftp servers", lambda: real_servers("ftp", "ftp_servers", "ftp_curl"), "build"),
            ("mail servers", lambda: real_servers("mail", "mail_servers", "smtp_servers"), "build"),
            ("proxy servers", lambda: real_servers("proxy", "proxy_servers"), "build"),
            ("http2 servers", lambda: real_servers("http2", "http2_servers"), "build"),
            ("10,000 streams", many_streams, None),
            ("websocket servers", lambda: real_servers("ws", "ws_servers"), "build"),
            ("tsan", lambda: build("tsan", ["all", "unit-tests"]).add(unit_tests("tsan", ASAN_ENV)), None),
        ]
    return out


def say(name, r, seconds):
    count = f"{r.passed} passed" + (f", {r.failed} failed" if r.failed else "")
    count += f", {r.skipped} skipped" if r.skipped else ""
    note = f"  ({r.note})" if r.note else ""
    mark = "FAIL" if r.failed else "ok"
    print(f"{chr(13) + chr(27) + '[K' if TTY else ''}{name:<20} {mark:<5} {count}{note}  {seconds:.1f} s", flush=True)


def show(r):
    for name, text in r.outputs:
        print(f"--- {name}")
        lines = text.rstrip("\n").split("\n")
        if len(lines) > 120:
            lines = lines[:20] + [f"... {len(lines) - 110} lines left out ..."] + lines[-90:]
        print("\n".join(lines))
        print("---", flush=True)


def timed(function):
    started = time.monotonic()
    r = function()
    return r, time.monotonic() - started


def ready(waiting, unfinished, broken, total):
    """The first step that can run; those that cannot any more are failures. None: there is no such step."""
    for step in list(waiting):
        needs = {step[2]} if isinstance(step[2], str) else set(step[2] or ())
        if needs & broken:
            waiting.remove(step)
            print(f"{step[0]:<20} FAIL  not run: {', '.join(needs & broken)} failed", flush=True)
            total.add(Result(failed=1))
        elif not needs & unfinished:
            waiting.remove(step)
            return step
    return None


def in_lanes(table):
    """Runs the steps, some at a time, each after the one that it cannot do without; their results added up."""
    total, waiting, broken, running = Result(), list(table), set(), {}
    with concurrent.futures.ThreadPoolExecutor(LANES) as pool:
        while waiting or running:
            unfinished = {name for name, _, _ in waiting} | set(running.values())
            step = ready(waiting, unfinished, broken, total) if len(running) < LANES else None
            if step:
                running[pool.submit(timed, step[1])] = step[0]
                continue
            if TTY and running:
                print(f"{chr(13)}{', '.join(running.values())} ...{chr(27)}[K", end="", flush=True)
            for done in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                name, (r, seconds) = running.pop(done), done.result()
                say(name, r, seconds)
                show(r)
                total.add(r)
                if r.failed:
                    broken.add(name)
    return total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--all", action="store_true", help="also what takes longer: TLS libraries, clang, tsan, all sanitized")
    ap.add_argument("--only", help="these steps only, separated by commas")
    ap.add_argument("--list", action="store_true", help="print the steps' names")
    a = ap.parse_args()
    table = steps(a.all)
    if a.list:
        print("\n".join(name for name, _, _ in table))
        return
    wanted = a.only.split(",") if a.only else [name for name, _, _ in table]
    unknown = set(wanted) - {name for name, _, _ in table}
    if unknown:
        sys.exit(f"no such step: {', '.join(sorted(unknown))}")
    begin = time.monotonic()
    total = in_lanes([step for step in table if step[0] in wanted])
    print("".join(f"{x}\n" for x in total.again), end="")
    print(f"{time.monotonic() - begin:.0f} seconds" + (f", {total.skipped} tests skipped" if total.skipped else ""))
    print(f"{total.passed} passed, {total.failed} failed")
    sys.exit(1 if total.failed or not total.passed else 0)


if __name__ == "__main__":
    main()
