"""What steps came to on a tree of files, so that a run that was interrupted goes on (check.py --resume).

A record is a file below build/check, one for each step and kind of run. It counts as long as every file that git has or
would add is what it was: what the machine has besides (packages, build/oracle, build/servers) is not compared.
"""
import hashlib
import json
import os
import re
import subprocess

from steps import base
from steps.base import Result, path


def tree():
    """A name for the content of all files that git tracks, and of the new ones that it does not ignore; None where there
    is no repository."""
    try:
        names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=base.ROOT,
                               check=True, capture_output=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    found = hashlib.sha256()
    for name in sorted(set(names.split(b"\0")) - {b""}):
        file = os.path.join(os.fsencode(base.ROOT), name)
        found.update(name + b"\0" + content(file) + b"\n")
    return found.hexdigest()


def content(file):
    """A file's kind and the sum of its bytes; that of a file which git tracks and which was deleted says so."""
    if os.path.islink(file):
        return b"link " + os.readlink(file)
    try:
        with open(file, "rb") as f:
            kind = b"program " if os.stat(file).st_mode & 0o100 else b"file "
            return kind + hashlib.sha256(f.read()).digest()
    except (FileNotFoundError, IsADirectoryError):
        return b"none"


class Records:
    """Those of one kind of run ("check" or "check-all")."""

    def __init__(self, kind):
        self.kind, self.tree = kind, tree()
        self.changed = False  # files were changed while steps ran: what passed since is not recorded

    def file(self, name):
        return path("build", "check", self.kind + "-" + re.sub(r"\W+", "-", name).strip("-") + ".json")

    def passed_before(self, name):
        """The step's result when it has passed on this very tree, or None."""
        try:
            with open(self.file(name), encoding="utf-8") as f:
                record = json.load(f)
            if not self.tree or record["tree"] != self.tree:
                return None
            return Result(record["passed"], 0, record["skipped"], record["note"]), record["seconds"]
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, name, result, seconds):
        """A step has run: what passed is recorded, the record of what failed goes away."""
        self.changed = self.changed or tree() != self.tree
        if result.failed:
            if os.path.exists(self.file(name)):
                os.unlink(self.file(name))
        elif self.tree and not self.changed:
            os.makedirs(path("build", "check"), exist_ok=True)
            part = self.file(name) + ".part"
            with open(part, "w", encoding="utf-8") as f:
                json.dump({"tree": self.tree, "passed": result.passed, "skipped": result.skipped, "note": result.note,
                           "seconds": round(seconds, 1)}, f)
            os.replace(part, self.file(name))


def still_to_run(table, records):
    """(the steps that have to run, {name: (result, seconds)} of those that need not). A step that builds what another
    runs is run again with it: its files may be those of another tree by now."""
    before = {name: records.passed_before(name) for name, _, _ in table}
    left = {name for name in before if not before[name]}
    needs = {name: {n} if isinstance(n, str) else set(n or ()) for name, _, n in table}
    while True:
        more = {n for name in left for n in needs[name] if n in before} - left
        if not more:
            break
        left |= more
    return [step for step in table if step[0] in left], {n: before[n] for n in before if n not in left}
