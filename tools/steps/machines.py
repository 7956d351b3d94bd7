"""Steps on a fresh machine, a root of tools/root."""
import os

import debianroot

from steps.base import PYTHON, Result, counted, path


def fresh_machine(*arguments):
    """tools/fresh.py, where a root can be made."""
    why = debianroot.why_not()
    if os.environ.get(debianroot.INSIDE) or os.geteuid():
        return Result(skipped=1, note=why or "this is a root of tools/root already")
    return counted("tools/fresh.py " + " ".join(arguments), [PYTHON, path("tools/fresh.py"), *arguments])
