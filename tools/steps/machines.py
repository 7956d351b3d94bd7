"""Steps on a fresh machine, a root of tools/root."""
import os

import debianroot

from steps.base import PYTHON, Result, counted, path


def in_roots(program, *arguments):
    """A program that counts what passed in roots, where a root can be made."""
    why = debianroot.why_not()
    if os.environ.get(debianroot.INSIDE) or os.geteuid():
        return Result(skipped=1, note=why or "this is a root of tools/root already")
    return counted(" ".join([program, *arguments]), [PYTHON, path(program), *arguments])


def fresh_machine(*arguments):
    return in_roots("tools/fresh.py", *arguments)


def packages(suite):
    return in_roots("tools/packages.py", suite)


def proofs(*arguments):
    return in_roots("proofs/run.py", *arguments)
