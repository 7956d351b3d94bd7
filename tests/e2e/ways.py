"""Which ways of driving a run takes, and which cases.

MOTE_E2E_WAYS says it: `all` (what is taken where it is not set); `one`: one of them, by turns; `next`: the one whose
turn comes after that; a number: the one that many turns after it; `socket`: that one alone. A test's turn depends on its
name alone, so that the same tests run each time, and each way is taken by as many tests as any other.
MOTE_E2E_CASES=N takes every N-th case of a test that has several, N:M begins with the M-th; first takes the first one alone.
MOTE_E2E_SAMPLE=N takes N of what is left, spread over all files; the same ones each time.
"""
import os
import sys
import zlib

AFTER = {"one": 0, "next": 1}  # turns
CHOICES = ("all", "socket", *AFTER)


def taken(ways, turn, choice):
    """Those of a test's ways that the choice leaves. turn: a number of the test's."""
    if choice == "all":
        return list(ways)
    if choice == "socket":
        return [w for w in ways if w == choice]
    return [ways[(turn + (AFTER[choice] if choice in AFTER else int(choice))) % len(ways)]]


def of_item(item):
    """(what a test is called without its way, the way), or None where it has none."""
    params = item.callspec.params if hasattr(item, "callspec") else {}
    way = params.get("way") or params.get("multi_way")
    if not isinstance(way, str):
        return None
    words = item.nodeid.replace("[", "-[-").replace("]", "-]").split("-")
    return ("-".join(w for w in words if w != way), way) if way in words else None


def left(items, choice):
    """The items that the choice leaves, in their order."""
    found, ways = [of_item(i) for i in items], {}
    for named in filter(None, found):
        ways.setdefault(named[0], []).append(named[1])
    chosen = {name: taken(of, zlib.crc32(name.encode()), choice) for name, of in ways.items()}
    return [i for i, named in zip(items, found) if not named or named[1] in chosen[named[0]]]


def thinned(items, each, begin=0):
    """One of so many cases of each test, beginning with its first or that number; of one that has fewer, the first."""
    cases = {}
    for i in items:
        cases.setdefault(i.nodeid.partition("[")[0], []).append(i)
    taken = {id(i) for of in cases.values() for i in (of[begin::each] or of[:1])}
    return [i for i in items if id(i) in taken]


def of_cases(items, choice):
    if choice == "first":
        return thinned(items, sys.maxsize)
    each, _, begin = choice.partition(":")
    return thinned(items, int(each), int(begin or 0))


def sampled(items, size):
    """So many of the items at equal distances, in their order."""
    return [items[n * len(items) // size] for n in range(size)] if size < len(items) else items


def pytest_collection_modifyitems(config, items):
    choice = os.environ.get("MOTE_E2E_WAYS") or "all"
    if choice not in CHOICES and not choice.isdecimal():
        raise ValueError(f"MOTE_E2E_WAYS={choice}: a number or one of {', '.join(CHOICES)}")
    kept = left(items, choice)
    kept = of_cases(kept, os.environ.get("MOTE_E2E_CASES") or "1")
    kept = sampled(kept, int(os.environ.get("MOTE_E2E_SAMPLE") or len(kept)))
    if len(kept) < len(items):
        config.hook.pytest_deselected(items=list(set(items) - set(kept)))
        items[:] = kept
