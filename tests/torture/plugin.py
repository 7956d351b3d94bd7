"""pytest plugin: repeats each test of tests/e2e with one call after the other failing. Started by torture.py.

The test's own assertions are ignored then, and so is what its servers missed: judge.py alone decides. Items are
taken one by one from a list that the workers share; one line of JSON per item and mode goes to the results.
"""

import fcntl
import gc
import json
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import chosen
import judge
import nginx
import repeat
import surroundings
import zygote
from zygote import Abort, Plan, Skip, TortureDriver, Zygote


PATIENT = 25  # seconds that a run gets that is repeated: a hang is one that takes longer
SURROUNDINGS = 120  # seconds for what a session makes once: keys on a busy machine; pytest does not try it again
TRIES = 2  # and a finding is one that is seen again so many times


def pytest_addoption(parser):
    parser.addoption("--torture", help="the job: a JSON file written by torture.py")


@pytest.fixture
def tmp_path():
    """pytest's own counts the folders that are there, which takes longer each time."""
    folder = tempfile.mkdtemp(prefix="mote-torture-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    yield pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)


def pytest_runtestloop(session):
    job = json.load(open(session.config.getoption("--torture")))
    if job.get("collect"):
        with open(job["collect"], "w") as out:
            json.dump([item.nodeid for item in session.items], out)
        return True
    worker = Worker(session, job)
    try:
        if job.get("repeat"):
            verdict = repeat.report(worker, worker.items[job["repeat"]], Scenario, job["words"], job["log"])
            with open(job["verdict"], "w") as out:
                out.write(str(verdict))
        else:
            worker.work()
    finally:
        worker.close()
    return True


class Scenario:
    """One test, run again and again."""

    def __init__(self, item):
        self.item = item
        self.state = item.session._setupstate

    def once(self, plan, seconds):
        """Runs the test with this plan; (what it raised or None, seconds)."""
        zygote.plan = plan
        begin = time.monotonic()
        problem = None
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            self.state.teardown_exact(self.item)
            self.item._initrequest()
            self.state.setup(self.item)
            self.item.runtest()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # pytest.skip is one
            problem = error.with_traceback(None)
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.teardown()
        plan.finish()
        return problem, time.monotonic() - begin


    def teardown(self):
        try:
            self.state.teardown_exact(self.item.parent)
        except KeyboardInterrupt:
            raise
        except BaseException:
            pass  # what the servers missed


def on_timer(_number, _frame):
    raise Abort("the test waits")


# ---------------------------------------------------------------- the work

class Worker:
    def __init__(self, session, job):
        self.session, self.job = session, job
        self.items = {item.nodeid: item for item in session.items}
        self.zygotes = {}
        self.nginx = self.program = None
        self.folder = tempfile.TemporaryDirectory(prefix="mote-torture-")
        self.wanted = {}
        surroundings.quick_servers()
        surroundings.quick_events()
        surroundings.same_bodies()
        signal.signal(signal.SIGALRM, on_timer)
        sys.modules["fixtures"].Driver = TortureDriver

    def work(self):
        while True:
            todo = self.take()
            if not todo:
                break
            nodeid, modes = todo
            if nodeid in self.items:
                self.item(self.items[nodeid], modes)
            else:
                missing = {"symptom": "no such test", "mode": "clean", "text": ""}
                self.report(item=nodeid, modes=modes, runs=1, findings=[missing])
            gc.collect()

    def close(self):
        for z in self.zygotes.values():
            z.close()
        if self.nginx:
            self.nginx.close()

    def take(self):
        """The next (item, modes) that no worker has; None when all are done."""
        with open(self.job["next"], "r+") as f:
            fcntl.flock(f, fcntl.LOCK_EX)
            n = int(f.read() or 0)
            f.seek(0)
            f.write(str(n + 1))
        return self.job["items"][n] if n < len(self.job["items"]) else None

    def report(self, **result):
        data = (json.dumps(dict(result, build=self.job["build"])) + "\n").encode()
        fd = os.open(self.job["results"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.write(fd, data)
        os.close(fd)

    def fixture(self, item, name):
        """The value of a session fixture; the item must have been set up once."""
        self.session._setupstate.teardown_exact(item)
        item._initrequest()
        self.session._setupstate.setup(item)
        try:
            return item._request.getfixturevalue(name)
        finally:
            self.session._setupstate.teardown_exact(item.parent)

    def zygote(self, mode):
        kind = mode if mode in chosen.ERRNO else "plain"
        if kind not in self.zygotes:
            error = ",errno=" + chosen.ERRNO[kind] if kind != "plain" else ""
            self.zygotes[kind] = Zygote(self.program, self.environment("MOTE_FAULT=report=/dev/stderr" + error))
        return self.zygotes[kind]

    def environment(self, fault):
        env = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "MALLOC_PERTURB_": "165",
               "LD_LIBRARY_PATH": self.job["library"]}
        env.update([fault.split("=", 1)])
        env.update(self.job.get("env", {}))
        return env

    def prepare(self, item):
        if not self.program:
            self.program = self.fixture(item, "programs")["driver"]
            # not the fixture nginx, which some files have of their own
            self.nginx = nginx.Nginx(self.folder.name, self.fixture(item, "certs"))

    def plan(self, mode, controls, index, seconds):
        return Plan(self.zygote(mode), controls, index, seconds, self.nginx.url("/12.txt"))

    # ---- one item
    def item(self, item, modes):
        begin = time.monotonic()
        self.prepare(item)
        scenario = Scenario(item)
        for _ in range(3):  # tests of timeouts may fail on a busy machine
            first, problem, took = self.clean(scenario, "at", "calls=0", 20)
            if not problem or isinstance(problem, (Skip, pytest.skip.Exception)):
                break
        if isinstance(problem, (Skip, pytest.skip.Exception)):
            return self.report(item=item.nodeid, modes=modes, skip=str(problem))
        if not first.runs and not problem:
            return self.report(item=item.nodeid, modes=modes, skip="does not use the driver")
        if problem:
            text = f"{type(problem).__name__}: {problem}"[:600]
            failed = {"symptom": "the clean run fails", "mode": "clean", "text": text}
            return self.report(item=item.nodeid, modes=modes, findings=[failed], runs=1)
        again, _, second = self.clean(scenario, "at", "calls=0", 20)
        took = min(took, second)
        also, by_chance = chosen.also(item.nodeid), chosen.by_chance(item.nodeid)
        cleans = [judge.Clean(a, b, also, by_chance) for a, b in zip(first.runs, again.runs)]
        for mode in modes:
            self.mode(scenario, mode, cleans, again, took, begin)

    def clean(self, scenario, mode, controls, seconds, index=0):
        plan = self.plan(mode, controls, index, seconds)
        problem, took = scenario.once(plan, max(seconds, SURROUNDINGS))
        return plan, problem, took

    def mode(self, scenario, mode, cleans, again, took, begin):
        nodeid = scenario.item.nodeid
        reason = chosen.mode_left_out(nodeid, mode)
        if reason:
            return self.report(item=nodeid, modes=[mode], skip=reason)
        started = time.monotonic()
        todo, left = self.todo(scenario, mode, again, took)
        seconds = surroundings.deadline(took)
        out = {"runs": 0, "unreached": 0, "left_out": left, "findings": [], "unsteady": []}
        for at, (index, n, words) in enumerate(todo):
            if time.monotonic() - started > self.job["budget"] and at % 8:
                out["left_out"] += 1
                continue
            self.one(scenario, mode, cleans, took, (index, n, words), seconds, out)
        self.report(item=nodeid, modes=[mode], seconds=round(time.monotonic() - started, 2), clean=round(took, 3), **out)

    def one(self, scenario, mode, cleans, took, what, seconds, out, tries=TRIES):
        index, n, words = what
        plan = self.plan(mode, words, index, seconds)
        surroundings.SERVERS.clear()
        with surroundings.impatient_servers(surroundings.patience(took, mode)):
            scenario.once(plan, seconds + 2)
        if index >= len(plan.runs) or index >= len(cleans):
            out["unreached"] += 1
            return
        ran = plan.runs[index]
        symptoms = judge.judge(ran, cleans[index], mode, mode in chosen.SHIFTING and surroundings.unexpected())
        if symptoms and tries:  # or only slow, on a busy machine
            before = len(out["findings"])
            self.one(scenario, mode, cleans, took, what, PATIENT, out, tries - 1)
            if tries == TRIES and len(out["findings"]) == before:
                out["unsteady"].append({"symptom": symptoms[0], "mode": mode, "n": n, "driver": index, "call": ran.call,
                                        "site": ran.site})
            return
        if not symptoms and mode not in ("short", "cut") and ran.fired == 0:
            out["unreached"] += 1
            return
        out["runs"] += 1
        for symptom in symptoms:
            out["findings"].append({"symptom": symptom, "mode": mode, "n": n, "driver": index, "call": ran.call,
                                    "site": ran.site})

    def todo(self, scenario, mode, again, took):
        """([(driver, number, control words)], how many are left out)"""
        out, left = [], 0
        slow = took > chosen.SLOW
        kind = {"at": "any", "from": "any", "oom": "alloc"}.get(mode, "io")
        for index, ran in enumerate(again.runs):
            if mode in ("short", "cut"):
                last = chosen.SHORT_TO if mode == "short" else chosen.CUT_TO
                word = mode
            else:
                if kind != "any":
                    counted, _, _ = self.clean(scenario, mode, f"{kind}=0", 20, index)
                    ran = counted.runs[index] if index < len(counted.runs) else ran
                last = sum(judge.calls_of(ran))
                word = "from" if mode in ("from", "oom") else "at"
            few = slow or (mode in ("short", "cut") and chosen.way_of(scenario.item.nodeid) == "socket")
            numbers, omitted = chosen.numbers(last, few, judge.moved(ran) if mode == "short" else 0)
            left += omitted
            before = "" if mode in ("short", "cut") else f"{kind}=0 "
            out += [(index, n, f"{before}{word}={n}") for n in numbers]
        return out, left
