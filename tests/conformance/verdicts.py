"""The ledger of the suite: what each test does in each mode, and what may change.

A line is number, mode, state and a word on why, separated by tabs:

    passes        on the library under test
    fails         and why
    superseded    the newest libcurl fails it: behaviour that has changed since the suite. There is no newest command
                  to run; where its documentation says that it behaves otherwise than the suite's, the line says so by
                  hand ("the newest command: ..."), which holds only as long as our library itself passes the test
    not built     and which part is missing
    not run       and why it says nothing about a swapped library
"""
import collections

BY_HAND = "the newest command: "
WORSE = ("ends by signal", "not over after", "crashes")
STATES = ("passes", "fails", "superseded", "not built", "not run")
HEAD = "# test\tmode\tstate\twhy        (made by tests/conformance/conformance.py --write)\n"

Line = collections.namedtuple("Line", "state why")


def parse(text):
    """The ledger's text -> {(number, mode): Line}."""
    lines = {}
    for raw in text.splitlines():
        if raw and not raw.startswith("#"):
            number, mode, state, why = (raw.split("\t") + [""])[:4]
            if state not in STATES:
                raise ValueError(f"ledger: test {number} {mode}: no such state: {state}")
            lines[int(number), mode] = Line(state, why)
    return lines


def render(lines):
    return HEAD + "".join(f"{number}\t{mode}\t{line.state}\t{line.why}".rstrip("\t") + "\n"
                          for (number, mode), line in sorted(lines.items()))


def judge(ours, newest):
    """State of a test from its results on the library under test and on the newest libcurl: (verdict, why) each. What
    the newest fails excuses other bytes, but no crash and no hang of ours."""
    if newest and newest[0] == "fails" and (not ours[1].startswith(WORSE) or ours[1] == newest[1]):
        return Line("superseded", "the newest: " + newest[1])
    if ours[0] == "passes":
        return Line("passes", "")
    return Line("fails", ours[1])


def documented(old, new):
    """The lines of a run, with what the documentation of the newest command supersedes by hand."""
    known = {**old, **new}
    result = dict(new)
    for (number, mode), line in new.items():
        before = old.get((number, mode))
        if line.state == "fails" and mode == "command" and before and before.why.startswith(BY_HAND) \
                and known[number, "library"].state in ("passes", "superseded"):
            result[number, mode] = before
    return result


def went_back(old, new):
    """The tests that passed and do not any more, unless they are superseded."""
    return sorted(key for key, line in old.items()
                  if line.state == "passes" and key in new and new[key].state not in ("passes", "superseded"))


def changes(old, new):
    """[(key, old state or None, new Line)] of the tests of `new` whose state is another."""
    return [(key, old[key].state if key in old else None, line) for key, line in sorted(new.items())
            if key not in old or old[key].state != line.state]


def merged(old, new):
    """The ledger after a run. A test that passed stays so, whatever the run says. Where the state is the same, a line
    keeps its reason, which a person may have written, unless it says what is not built."""
    back = set(went_back(old, new))
    return {**old, **{key: line for key, line in new.items()
                      if key not in back and (key not in old or old[key].state != line.state
                                              or line.state == "not built")}}


def totals(lines):
    """{mode: Counter of states}."""
    counted = collections.defaultdict(collections.Counter)
    for (_, mode), line in lines.items():
        counted[mode][line.state] += 1
    return counted


def share_failing(counter):
    """How many in 100 fail, of the tests that count."""
    counting = counter["passes"] + counter["fails"]
    return 100.0 * counter["fails"] / counting if counting else 0.0
