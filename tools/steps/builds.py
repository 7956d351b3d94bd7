"""Steps that build: what ships, and builds with another compiler, sanitizer, TLS library or without accounts."""
import os
import re
import tempfile
import zlib

from steps.base import ASAN_ENV, HANGS, PYTHON, Result, build, in_parallel, one, path, run
from steps.suites import (WAITING_JOBS, made_for_all, pytest, pytest_env, pytest_files, pytest_folder, run_pytest,
                          unit_test, unit_tests)
from steps.ways import NEXT_WAY, a_way, turn

FUZZ_SECONDS = 30


def build_release(everything):
    tests = ["unit-tests"] if everything else []
    return build("release", ["all", "drop-in", "mote-static", "examples", *tests], ["-DMOTE_WERROR=ON"])


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
    if everything:
        return r.add(pytest(["tests/e2e", "tests/tool"], preset, a_way()))
    now = lambda file: zlib.crc32(file.encode()) % 3 == turn(3)  # noqa: E731: the others after the next change
    r.add(pytest(["tests/e2e"], preset, {**NEXT_WAY, "MOTE_E2E_CASES": "first"}, now))
    return r.add(pytest(["tests/tool"], preset, {"MOTE_E2E_CASES": f"4:{turn(4)}"}))


def http3_files():
    return sorted(f"tests/e2e/{name}" for name in os.listdir(path("tests/e2e")) if re.fullmatch(r"test_h3\w*\.py", name))


def http3_tests(made):
    return in_parallel([lambda f=f: pytest_files([f], made) for f in http3_files()], WAITING_JOBS)


def http3(preset, env=None):
    """What HTTP/3 has of its own, in a build with it: in all ways of driving, with what takes long."""
    r = build(preset, ["all", "drop-in", "unit-tests"])
    if r.failed:
        return r
    r.add(unit_tests(preset, env))
    with made_for_all({**pytest_env(preset), "MOTE_E2E_WAYS": "all"}) as made:
        return r.add(http3_tests({**made, "MOTE_HTTP3": "all"}))


def http3_short():
    """The same in few minutes: that it builds, the port's bursts, and every third case of the end-to-end tests in one way of
    driving. Each file is compiled once: it is not linked as one, which the step of all does."""
    r = build("h3", ["all", "drop-in", "unit_port_test_burst"],
              ["-DMOTE_INLINE=OFF", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O0"])
    if r.failed:
        return r
    r.add(unit_test(path("build/h3/unit/port/test_burst"), None))
    with made_for_all({**pytest_env("h3"), "MOTE_E2E_WAYS": "one", "MOTE_E2E_CASES": f"3:{turn(3)}"}) as made:
        return r.add(http3_tests(made))


def plain():
    """Without accounts: it builds, and what does not count passes."""
    r = build("plain", ["all", "drop-in", "unit-tests"])
    return r if r.failed else r.add(unit_tests("plain"))


def profiles():
    """The unit tests of what each profile has; that it transfers is the step of parts."""
    total = Result()
    for preset in ("http", "mcu", "tiny"):
        r = build(preset, ["unit-tests"])
        total.add(r if r.failed else r.add(unit_tests(preset)))
    return total


def parts(everything):
    """The profiles but full; with everything that, too, builds without each part, and random sets."""
    with pytest_folder() as folder:
        env = {"MOTE_PARTS": "all" if everything else "", "PYTHONDONTWRITEBYTECODE": "1"}
        status, text, _ = run_pytest(folder, ["tests/parts"], env, 3 * HANGS)
    m = re.search(r"(?:(\d+) failed, )?(\d+) passed", text)
    if not m or (status and not m.group(1)):
        return Result.failure("parts", text)
    r = Result(int(m.group(2)), int(m.group(1) or 0))
    if status:
        r.outputs.append(("parts", text))
    return r


def one_file():
    """tools/amalgamate: each profile, port of a host and TLS library compiles and links as one file; and a release, whose
    builds are the same in any folder."""
    everything = {"MOTE_AMALGAMATE": "all"}
    r = pytest_files(["tests/tools/test_amalgamate.py"], everything, "builds or on_a_device")
    return r.add(pytest_files(["tests/package/test_dist.py", "tests/package/test_reproducible.py"], everything))


def with_clang():
    """Everything links, and what clang's optimizer makes of it passes the unit tests."""
    r = build("clang", ["all", "drop-in", "unit-tests"])
    return r if r.failed else r.add(unit_tests("clang"))


def threads(rounds):
    """tests/threads under ThreadSanitizer: each thread does that many rounds."""
    r = build("tsan", ["thread-tests"])
    if r.failed:
        return r
    names = sorted(n[:-2] for n in os.listdir(path("tests/threads")) if re.fullmatch(r"test_\w+\.c", n))
    tests = [lambda n=n: unit_test(path("build/tsan/threads", n), ASAN_ENV, str(rounds)) for n in names]
    return r.add(in_parallel(tests))


def tls(preset, ways, folders=()):
    """A build with other TLS libraries: its unit tests (all, or those of folders), and the suite that every TLS library
    passes, with each."""
    r = build(preset, ["all", "drop-in", *([f"unit-tests-{f}" for f in folders] or ["unit-tests"])])
    if r.failed:
        return r
    r.add(unit_tests(preset, only=folders))
    names = ("tls_certificates", "tls", "tls_chain", "https_proxy", "ftp_servers", "http_version")
    files = [f"tests/e2e/test_{name}.py" for name in names]
    with made_for_all({**pytest_env(preset), **ways}) as env:
        return r.add(in_parallel([lambda f=f: pytest_files([f], env) for f in files], WAITING_JOBS))


def fuzzer(preset, name):
    """One fuzz target for a while, from the seeds in fuzz/seeds/<name>."""
    seeds = path("fuzz/seeds", name.removeprefix("fuzz_"))
    with tempfile.TemporaryDirectory() as found:
        cmd = [path("build", preset, "fuzz", name), f"-max_total_time={FUZZ_SECONDS}", "-timeout=60", "-rss_limit_mb=2000",
               f"-artifact_prefix={path('build', preset)}/{name}-", found] + ([seeds] if os.path.isdir(seeds) else [])
        return one(name, cmd, env=ASAN_ENV)


def fuzzers(preset="fuzz", only=()):
    """Every fuzz target of the build, or these."""
    r = build(preset, only or ["fuzzers"])
    if r.failed:
        return r
    with open(path("build", preset, "fuzzers.txt"), encoding="ascii") as f:
        names = [n for n in f.read().split() if not only or n in only]
    return r.add(in_parallel([lambda n=n: fuzzer(preset, n) for n in names]))
