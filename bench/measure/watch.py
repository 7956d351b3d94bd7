"""Transfers under valgrind and strace: instructions and system calls."""
import os
import re
import shutil

from .figure import Missing
from .programs import BIN


CALLGRIND = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null")


def callgrind(s, cmd):
    """(instructions of a command, how it ended)"""
    if not shutil.which("valgrind"):
        raise Missing("valgrind")
    p = s.run([*CALLGRIND, *cmd], timeout=600)
    m = re.search(r"Collected : (\d+)", p.stderr)
    if not m:
        s.check(p, False)
    return int(m.group(1)), p


def collected(p):
    """Instructions of a program that has run under CALLGRIND."""
    return int(re.search(r"Collected : (\d+)", p.stderr).group(1))


def instructions_of(transfer, *what, **how):
    """Instructions of a function's program, which has passed the function's own check: what it returns ends with how the
    program ended."""
    if not shutil.which("valgrind"):
        raise Missing("valgrind")
    return collected(transfer(*what, before=CALLGRIND, timeout=600, **how)[-1])


def get_instructions(s, name, times, options=(), base=None, **how):
    return instructions_of(s.get, f"{base or s.srv.http}/{name}", 0, times, options, **how)


def again(s, options=(), base=None):
    """Instructions of a further GET."""
    return (get_instructions(s, "small", 60, options, base) - get_instructions(s, "small", 10, options, base)) / 50


def strace(s, cmd, only=None, env=None):
    """A command that is watched, and the names of the system calls that it and its threads made."""
    if not shutil.which("strace"):
        raise Missing("strace")
    out = os.path.join(s.srv.d, f"strace-{s.name}")
    p = s.run(["strace", "-f", "-o", out, *(["-e", "trace=" + only] if only else []), *cmd], env=env)
    if p.returncode and "ptrace" in p.stderr.lower():
        raise Missing("strace may not trace here")
    with open(out, encoding="utf-8", errors="replace") as f:
        return p, [m[1] for m in (re.match(r"\d+ +(\w+)\(", line) for line in f) if m]


def system_calls(s, name, times, only=None, options=(), base=None):
    p, calls = strace(s, [os.path.join(BIN, "get"), f"{base or s.srv.http}/{name}", "0", str(times), *options], only)
    s.check_get(p, name, times)
    return len(calls)
