"""tools/steps/lanes.py: how many steps run at a time, and which of them beside which."""
import os
import sys
import threading

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
from steps import base, lanes  # noqa: E402
from steps.base import Result  # noqa: E402


class Steps:
    """Steps that note which others run beside them; each ends when so many others have begun, or after its patience."""

    def __init__(self):
        self.changed, self.running, self.seen, self.together = threading.Condition(), set(), set(), []

    def one(self, name, beside=0, patience=10):
        def run():
            with self.changed:
                self.running.add(name)
                self.seen.add(name)
                self.together.append(set(self.running))
                self.changed.notify_all()
                self.changed.wait_for(lambda: len(self.seen) > beside, patience)
                self.running.discard(name)
            return Result(1)
        return run


def test_a_wide_step_has_one_other_beside_it():
    s = Steps()
    table = [("a", s.one("a", 2), None), ("b", s.one("b", 2, 0.3), None), ("budgets", s.one("budgets"), None),
             ("c", s.one("c"), None), ("d", s.one("d"), "budgets")]
    total = lanes.in_lanes(table)
    assert (total.passed, total.failed) == (5, 0)
    assert max(len(t) for t in s.together if "budgets" in t) == 2 and {"a", "b"} in s.together


def test_as_many_as_there_are_lanes():
    s = Steps()
    lanes.in_lanes([(n, s.one(n, lanes.LANES - 1), None) for n in "abcdef"])
    assert max(map(len, s.together)) == lanes.LANES


def test_what_it_needs_has_failed(capsys):
    total = lanes.in_lanes([("a", lambda: Result(failed=1), None), ("b", lambda: Result(1), "a")])
    assert (total.passed, total.failed) == (0, 2) and "not run: a failed" in capsys.readouterr().out


@pytest.mark.skipif(not os.path.exists("/proc/self/autogroup") or os.geteuid() != 0, reason="sessions have no priority here")
def test_a_step_may_be_ahead_of_the_others():
    def priority(**how):
        return base.run(["sh", "-c", "sleep 0.3; cat /proc/self/autogroup"], **how)[1].split()[-1]
    assert priority() == "0"
    assert priority(ahead=True) == "-10"


def test_what_a_step_cost_its_commands_together():
    """What a command waited for is its own; what one step costs is not the other's."""
    burn = ["sh", "-c", f"{sys.executable} -c 'import time\nwhile time.process_time() < 0.4: pass'; true"]
    table = [("busy", lambda: base.in_parallel([lambda: base.one("a", burn), lambda: base.one("b", burn)]), None),
             ("idle", lambda: base.one("c", ["sleep", "0.3"]), None)]
    found = {}
    total = lanes.in_lanes(table, lambda name, r, seconds: found.update({name: r.spent}))
    assert total.passed == 3
    assert 0.8 <= found["busy"] < 4 and found["idle"] < 0.2 and total.spent == sum(found.values())


def test_a_command_that_hangs_is_ended_and_counted():
    status, text = base.run([sys.executable, "-c", "import time; time.sleep(60)"], timeout=0.2)
    assert status is None and "timed out after 0.2 s" in text
