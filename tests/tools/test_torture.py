"""tests/torture/judge.py and chosen.py: what must be a finding is one, and what a failed call may lead to is none."""
import os
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "torture"), os.path.join(ROOT, "tests", "e2e")]

import chosen
import judge
import surroundings
import zlib
from zygote import Ran

SCRIPT = ["body\th\t5\t907060870\thello", "count\th\twrite\t1\t5", "result\th\t0\t"]
AFTER = ["after\th\t\t0", f"body\th\t12\t{zlib.crc32(judge.AFTER_BODY)}\thello world\\x0a", "result\th\t0\t",
         "afterwards\t\t\t0"]
END = ["calls\t19\t2\t0", "end\t0\t0"]


def report(call="malloc", live=0, fds=0, more=""):
    return f"calls=3 fired=1 call={call} site=net/conn.c:1 live={live} bytes={live * 10} fds={fds}{more}\n".encode()


def ran(lines=SCRIPT + AFTER + END, status=0, errors=None, hung=False):
    out = Ran(lines, status, report() if errors is None else errors, hung, "easy")
    out.whole = True
    return out


CLEAN = judge.Clean(ran(), ran())


def verdict(mode="at", **kw):
    return judge.judge(ran(**kw), CLEAN, mode)


def ended(code, extra=()):
    return [*extra, "body\th\t0\t0\t", f"result\th\t{code}\t"] + AFTER + END


@pytest.mark.parametrize("lines, call, mode", [
    (SCRIPT + AFTER + END, "malloc", "at"),                                        # survived
    (ended(27), "malloc", "at"),
    (["noeasy\th\t\t0", "nohandle\th\tsetopt\t0"] + END, "malloc", "at"),
    (["setopt\th\tURL\t27", "nohandle\th\tperform\t0"] + AFTER + END, "malloc", "at"),
    (ended(3, ["setopt\th\tURL\t27"]), "malloc", "at"),                            # a consequence
    (["mcode\th\tadd\t3"] + AFTER + END, "malloc", "at"),
    (ended(7), "socket", "at"),
    (ended(56), "recv", "at"),
    (ended(6), "getaddrinfo", "at"),
    (ended(77), "open", "from"),
    (ended(52), "recv", "reset"),
    (["body\th\t1\t7\t1", "result\th\t27\t"] + AFTER + END, "realloc", "oom"),
])
def test_no_finding(lines, call, mode):
    assert verdict(mode, lines=lines, errors=report(call)) == []


@pytest.mark.parametrize("lines, call, mode, said", [
    (ended(3), "malloc", "at", "code 3 instead of 0: result h"),                   # never a malformed URL
    (ended(7), "malloc", "at", "code 7 "),
    (ended(56), "malloc", "oom", "code 56 "),
    (ended(3), "socket", "from", "code 3 "),
    (ended(27), "close", "at", "code 27 "),
    (ended(56), "recv", "eintr", "code 56 "),                                       # these change nothing
    (ended(18), "recv", "cut", "code 18 "),
    (["mcode\th\tadd\t1"] + AFTER + END, "malloc", "at", "code 1 instead of 0: mcode h add"),
    (["body\th\t4\t7\thell", "result\th\t0\t"] + AFTER + END, "malloc", "at", "code 0 and 4 bytes instead of 5"),
    (["body\th\t5\t7\thallo", "result\th\t0\t"] + AFTER + END, "malloc", "at", "code 0 and 5 bytes instead of 5"),
    (SCRIPT + AFTER + ["end\t1\t0"], "malloc", "at", "leak: 1 descriptors"),
    (SCRIPT + ["violation\twrite callback while paused\th\t3"] + AFTER + END, "malloc", "at", "violation: write"),
    (SCRIPT + ["after\th\t\t0", "result\th\t27\t"] + END, "malloc", "at", "not usable afterwards: code 27"),
    (SCRIPT + ["after\th\t\t0", "body\th\t3\t7\tabc", "result\th\t0\t"] + END, "malloc", "at", "not usable afterw"),
    (AFTER + END, "malloc", "at", "a result is missing"),
    (["child\t\t\t256"] + SCRIPT + AFTER + END, "malloc", "at", "violation: the forked child"),
])
def test_finding(lines, call, mode, said):
    found = verdict(mode, lines=lines, errors=report(call))
    assert len(found) == 1 and found[0].startswith(said)


@pytest.mark.parametrize("errors, said", [
    (report(live=2), "leak: 2 blocks, 20 bytes"), (report(fds=1), "leak: 1 descriptors"),
    (report(more=" bad=1"), "freed what was not held"), (b"", "no report"),
])
def test_what_is_left(errors, said):
    assert [x[:len(said)] for x in verdict(errors=errors)] == [said]


@pytest.mark.parametrize("kw, said", [
    ({"status": 11}, "crash: signal 11"), ({"status": 99 << 8}, "exit status 99"),
    ({"hung": True, "status": 6}, "hang"),
])
def test_bad_ends(kw, said):
    assert verdict(**kw)[0].startswith(said)


@pytest.mark.parametrize("left_out, call, said", [
    (["session"], "malloc", []),                        # a cache may stay empty for want of memory
    (["session"], "recv", ["a result is missing, and no call reported an error"]),
    (["session", "ssls"], "malloc", ["a result is missing, and no call reported an error"]),
])
def test_what_a_cache_has(left_out, call, said):
    lines = SCRIPT + ["session\th\t8\t64\t100\t0", "ssls\th\tb\t0"] + AFTER + END
    clean = judge.Clean(ran(lines), ran(lines))
    without = [line for line in lines if line.split("\t")[0] not in left_out]
    assert judge.judge(ran(without, errors=report(call)), clean, "at") == said


@pytest.mark.parametrize("file, code, call, mode, good", [
    ("test_doh.py", 6, "recv", "at", True), ("test_doh.py", 6, "recv", "reset", True), ("test_doh.py", 6, "malloc", "at", False),
    ("test_doh.py", 6, "recv", "oom", False), ("test_doh.py", 5, "recv", "at", False),
    ("test_ftp.py", 56, "getpeername", "at", True), ("test_ftp.py", 56, "connect", "at", False),
])
def test_codes_of_one_scenario_alone(file, code, call, mode, good):
    clean = judge.Clean(ran(), ran(), chosen.also(f"tests/e2e/{file}::test_found[easy]"))
    lines = ended(code)
    assert (judge.judge(ran(lines, errors=report(call)), clean, mode) == []) == good
    assert judge.judge(ran(lines, errors=report(call)), CLEAN, mode) != []


def test_what_differs_between_two_clean_runs_is_not_judged():
    clean = judge.Clean(ran(), ran(lines=ended(7)))
    assert judge.judge(ran(lines=ended(9)), clean, "at") == []


@pytest.mark.parametrize("first, then", [(ended(6), AFTER + END), (AFTER + END, ended(6))])
def test_a_result_that_comes_by_chance(first, then):
    """A name's lookup may be over before the application leaves, or not."""
    kinds = chosen.by_chance("test_active.py::test_left_in_any_state[poll-lookup-cleanup]")
    assert judge.judge(ran(then), judge.Clean(ran(first), ran(first), by_chance=kinds), "at") == []
    assert judge.judge(ran(then), judge.Clean(ran(first), ran(first)), "at") != []
    assert chosen.by_chance("test_active.py::test_left_in_any_state[poll-listening-cleanup]") == set()


@pytest.mark.parametrize("took", [0, 0.9, 3, 20])
def test_a_server_gives_up_before_the_watchdog(took):
    """A client that waits for a script which its requests do not fit is no finding."""
    assert all(surroundings.patience(took, mode) + 2 <= surroundings.deadline(took) for mode in chosen.MODES)


def test_every_call_of_the_log_build_has_its_codes():
    lines = open(os.path.join(ROOT, "src/log/names.c"))
    names = [line.split('"')[1] for line in lines if line.startswith("  [MOTE_LOG_")]
    known = set(judge.CODES) | judge.ALLOCATIONS | judge.NEVER_IN_THE_LIBRARY
    assert len(names) > 40 and [n for n in names if n not in known] == []


def test_numbers():
    assert chosen.numbers(30) == (list(range(1, 31)), 0)
    some, left = chosen.numbers(10_000)
    assert some[:150] == list(range(1, 151)) and some[-1] == 10_000 and left == 10_000 - len(some)
    assert chosen.numbers(10, moved=80_000) == ([5, 6, 7, 8, 9, 10], 4)
    assert len(chosen.numbers(500, few=True)[0]) <= chosen.SLOW_CALLS + 1


def test_the_reduced_set_is_there():
    """Each name of the reduced set names a test."""
    for name in chosen.REDUCED:
        file, test = name.split("[")[0].split("::")
        assert f"def {test}(" in open(os.path.join(ROOT, "tests/e2e", file)).read(), name


def test_modes_of_the_reduced_set():
    """One mode is enough only for what is in the set."""
    assert all(any(name.startswith(once) for name in chosen.REDUCED) for once in chosen.REDUCED_ONCE)
    assert chosen.reduced_modes("test_sftp.py::test_a_known_host[hashed-ecdsa]") == {"at"}
    assert chosen.reduced_modes("test_sftp.py::test_a_known_host[hashed-ecdsa]", every=True) == {"at", "from"}
    assert chosen.reduced_modes("test_sftp.py::test_sizes[32769]") == {"at", "from"}


def test_left_out():
    assert chosen.left_out("test_get.py::test_length[wait]") == chosen.OTHER_WAYS_REASON
    assert chosen.left_out("test_multi.py::test_many[wait]") is None
    assert "itself" in chosen.left_out("test_faults.py::test_allocations[easy-plain]")
    assert chosen.left_out("test_get.py::test_length[socket]") is None
    assert chosen.mode_left_out("test_get.py::test_length[poll]", "cut") == chosen.SHORT_REASON
    assert chosen.mode_left_out("test_get.py::test_length[poll]", "at") is None
    assert "hides" in chosen.mode_left_out("test_reuse.py::test_answer_without_a_request[easy]", "eagain")


@pytest.mark.parametrize("lines, live, good", [(ended(16), 0, True), (ended(0, ("violation\tx",)), 0, False), (ended(16), 1, False),
                                               (ended(35), 0, True), (ended(92), 0, False), (ended(3), 0, False)])
def test_results_of_a_connection_that_a_server_has_no_script_for(lines, live, good):
    """It is closed at once: that may be the result, and nothing else."""
    run = ran(lines, errors=report("socket", live=live))
    assert judge.judge(run, CLEAN, "at") != []
    assert (judge.judge(run, CLEAN, "at", unexpected=True) == []) == good
