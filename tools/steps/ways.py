"""Which of the end-to-end tests a run takes."""
import functools

from steps import records

# The way of driving that an end-to-end test takes in make check (tests/e2e/ways.py), and the one with which it runs again:
# with another TLS library in every second case, under the sanitizers in each test's first, by turns. make check-all takes
# all of them in the ordinary build, and in the others the one that the files' turn chooses.
ONE_WAY, NEXT_WAY, ALL_WAYS = ({"MOTE_E2E_WAYS": ways} for ways in ("one", "next", "all"))


@functools.cache
def state():
    """A number for the state of the files."""
    return int((records.tree() or "0")[:8], 16)


def turn(of):
    """A number below `of` that another state of the files gives another value: what of a long list this run takes, so that
    all of it is run in time, and the same again by --resume."""
    return state() % of


def a_way():
    return {"MOTE_E2E_WAYS": str(2 + turn(60))}
