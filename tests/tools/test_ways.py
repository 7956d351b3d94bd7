"""Which ways of driving a run of the end-to-end tests takes (tests/e2e/ways.py)."""
import os
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))
import ways  # noqa: E402

ALL = ["easy", "poll", "wait", "fdset", "waitfds", "socket"]


class Item:
    """A test as pytest collects it."""

    def __init__(self, name, way=None, kind="way"):
        self.nodeid = name
        if way:
            self.callspec = self
            self.params = {kind: way, "other": 5}


def items(name, among=ALL, **kw):
    return [Item(name % way, way, **kw) for way in among]


def of(found):
    return [i.params["way"] for i in found]


def test_all_of_them():
    tests = items("a.py::test_a[%s]") + [Item("a.py::test_b")]
    assert ways.left(tests, "all") == tests


def test_one_by_turns():
    taken = [of(ways.left(items(f"a.py::test_{i}[%s-7]"), "one")) for i in range(60)]
    assert {len(t) for t in taken} == {1} and {t[0] for t in taken} == set(ALL)


def test_next_is_another_one():
    for i in range(20):
        one, two = (of(ways.left(items(f"a.py::test_{i}[%s]"), choice)) for choice in ("one", "next"))
        assert len(two) == 1 and one != two


def test_every_way_has_its_turn():
    choose = lambda n: of(ways.left(items("a.py::test[%s]"), str(n)))  # noqa: E731
    assert sorted(way for n in range(len(ALL)) for way in choose(n)) == sorted(ALL)
    assert choose(0) == of(ways.left(items("a.py::test[%s]"), "one")) and choose(1) != choose(0)


def test_same_ones_each_time():
    choose = lambda: of(ways.left(items("a.py::test[%s]"), "one"))  # noqa: E731
    assert choose() == choose()


def test_every_other_parameter_is_taken():
    tests = [i for other in ("x", "y-z", "easy") for i in items(f"a.py::test[%s-{other}1]")]
    assert len(ways.left(tests, "one")) == 3


@pytest.mark.parametrize("among", [["easy"], ["poll", "socket"], ["poll"]])
def test_of_some(among):
    assert of(ways.left(items("a.py::test[%s]", among), "all")) == among
    assert len(ways.left(items("a.py::test[%s]", among), "one")) == 1


def test_some_of_the_cases():
    """A test that has too few has its first."""
    tests = [Item(f"a.py::test_a[{n}]") for n in range(5)] + [Item("a.py::test_b"), Item("b.py::test_a[0]")]
    chosen = lambda choice: [i.nodeid.replace(".py::test_", "") for i in ways.of_cases(tests, choice)]  # noqa: E731
    assert chosen("2") == chosen("2:0") == ["aa[0]", "aa[2]", "aa[4]", "ab", "ba[0]"]
    assert chosen("2:1") == ["aa[1]", "aa[3]", "ab", "ba[0]"]
    assert chosen("first") == ["aa[0]", "ab", "ba[0]"]
    assert ways.of_cases(tests, "1") == tests


def test_a_sample_is_spread():
    tests = [Item(f"a.py::test_{n}") for n in range(10)]
    assert ways.sampled(tests, 5) == tests[::2]
    assert ways.sampled(tests, 3) == [tests[0], tests[3], tests[6]]
    assert ways.sampled(tests, 10) == tests == ways.sampled(tests, 99)


def test_multi_ways():
    assert len(ways.left(items("a.py::test[%s]", ALL[1:], kind="multi_way"), "one")) == 1


def test_those_without_a_way_stay():
    tests = [Item("a.py::test_a"), Item("a.py::test_b[poll]")]
    assert ways.left(tests, "one") == tests


def test_event_loops_alone():
    tests = items("a.py::test_a[%s]") + items("a.py::test_b[%s]", ["easy", "poll"]) + [Item("a.py::test_c")]
    assert ways.left(tests, "socket") == [tests[5], tests[-1]]
