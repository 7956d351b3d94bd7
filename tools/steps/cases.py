"""Steps that try many cases: calls that fail, random ones against the newest libcurl, real servers."""
import time

from steps.base import ASAN_ENV, PYTHON, Result, build, counted, in_parallel, path, run
from steps.suites import pytest, pytest_env, pytest_files, pytest_folder, run_pytest, unit_test
from steps.ways import ALL_WAYS, NEXT_WAY, turn

# Random cases of a new seed in `make check-all`. Of 50,000 cases of a new seed about one differs from the newest libcurl
# without a line in tests/differential/known.tsv: what is found here is to be settled there.
NEW_CALLS = 20000
NEW_TRANSFERS = 2000
TOYS_SHARDS = 12  # of the toys' scenarios: the torture of all takes an hour
SIM_WORLDS = 160000  # a million transfers
CALL_KINDS = "url,printf,date,text,option,handle"
FEATURE_KINDS = ("cookies", "proxy", "login", "form", "formadd", "ftp", "mail")


def torture(options=("--reduced",), out="torture-reduced"):
    """Some scenarios of each kind, with each of their calls failing in turn; make torture runs all."""
    return counted("torture", [PYTHON, path("tests/torture/torture.py"), *options, "--out", path("build", out)])


def hostile_text(everything):
    """Every option that takes a text, with line ends and other controls in it, in every protocol, under the sanitizers. The
    sample of make check is always the same, so that a failure is of a change."""
    r = build("asan", ["hostile-text"])
    if r.failed:
        return r
    options = ["--all"] if everything else ["--seed", "1"]
    codes = path("tests/hostile_text/codes.tsv")
    return r.add(unit_test(path("build/asan/hostile_text"), ASAN_ENV, "--codes", codes, *options))


def http3_torture():
    """Scenarios of HTTP/3, in every mode, on a log build that has it."""
    r = build("h3-log", ["all", "drop-in"])
    library = path("build", "h3-log")
    return r if r.failed else r.add(torture(["--http3", "--library", library], "torture-http3"))


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
        shard = f"{1 + turn(TOYS_SHARDS)}/{TOYS_SHARDS}"
        total.add(torture(["--asan", "--library", path("build/toys"), "--tests", path("tests/toys"), "--shard", shard],
                          "torture-toys"))
    return total


def differential(everything):
    """Random cases on ours and on the newest libcurl: a fixed seed, or (everything) many of a new one too."""
    status, text = run([PYTHON, path("tools/oracle")])
    if status:
        return Result.failure("differential", text + "The newest libcurl, to compare with, could not be fetched.\n")
    cmd = [PYTHON, path("tests/differential/run"), "--open", path("tests/differential/open.tsv"), "--quick"]
    r = counted("differential, 3,000 calls",
                [*cmd, "--seed", "check-calls", "--cases", "3000", "--kinds", CALL_KINDS])
    r.add(counted("differential, transfers", [*cmd, "--seed", "check", "--cases", "400", "--kinds", "transfer"]))
    for kind in FEATURE_KINDS:
        r.add(counted(f"differential, {kind}", [*cmd, "--seed", "check", "--cases", "300", "--kinds", kind]))
    if everything:
        seed = str(int(time.time()))
        for cases, kinds in ((NEW_CALLS, CALL_KINDS), (NEW_TRANSFERS, "transfer"), *((NEW_TRANSFERS, k) for k in FEATURE_KINDS)):
            r.add(counted(f"differential, seed {seed}, {kinds}",
                          [*cmd, "--seed", seed, "--cases", str(cases), "--kinds", kinds]))
    return r


def of_the_kernel(program):
    """Functions of the C library that a simulated program must not have, for it would not be the simulator's."""
    _, text = run(["nm", "-D", "--undefined-only", program])
    names = {line.split()[-1].split("@")[0] for line in text.splitlines() if line.split()}
    return sorted(names & {"socket", "connect", "recv", "send", "poll", "epoll_wait", "getaddrinfo", "pthread_create", "open"})


def simulator(everything):
    """A million transfers in worlds of fixed seeds; with everything as many of new ones, and a tenth under the sanitizers."""
    seed = str(int(time.time())) + "0000000" if everything else "1"
    total = Result()
    for preset, worlds, env in (("release", SIM_WORLDS, None), ("asan", SIM_WORLDS // 10, ASAN_ENV))[:1 + everything]:
        total.add(build(preset, ["sim"]))
        if total.failed:
            break
        program = path("build", preset, "sim")
        strange = of_the_kernel(program)
        status, text = run([program, "--seed", seed, "--count", str(worlds)], env=env)
        if status or strange:
            text += "".join(f"the program asks the C library for {name}\n" for name in strange)
            total.add(Result.failure(f"simulator, {preset}, seed {seed}", text))
        else:
            total.add(Result(1))
    return total


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


def a_million():
    """A hundredth of bench/million: that it works, and that each transfer ends right."""
    status, text = run([PYTHON, path("bench/million/million.py"), "--quick"])
    return Result.failure("million", text) if status else Result(1)
