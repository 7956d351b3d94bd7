"""One changed source: compiled, linked into the programs that may notice, and run there until one does.

The build is tools/mutation.py's own (build/mutation): the ordinary objects, without inlining across files. An object that
stands before the archive in a link keeps the archive's own away, so a program takes one link and nothing else.
"""
import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import tomllib

from mutants import places

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build", "mutation")
TESTS = os.path.join(ROOT, "tools", "mutants", "tests.toml")
KILLED, SURVIVED, NO_BUILD, EQUIVALENT = "killed", "survived", "does not compile", "equivalent"
SLOWER = 10      # times a program's ordinary time, after which it does not end
SECONDS = 5      # and so many more
E2E_SECONDS = 900


class Unready(Exception):
    """A test does not pass, or cannot be built, without any change."""


def run(cmd, cwd=BUILD, timeout=None, env=None):
    """(exit status, None at a timeout; output)"""
    try:
        done = subprocess.run(cmd, cwd=cwd, timeout=timeout, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout


class Programs:
    """What is built without a change, and how: commands of the compiler and the linker, symbols, times."""

    def __init__(self, work):
        self.work = work  # a folder of this run
        with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as f:
            entries = [(os.path.relpath(e["file"], ROOT), e["command"]) for e in json.load(f)]
        self.compilers = {path: shlex.split(c) for path, c in entries if "mote_objects.dir" in c}
        with open(TESTS, "rb") as f:
            self.rules = tomllib.load(f)["source"]
        with open(os.path.join(BUILD, "unit-tests.txt"), encoding="utf-8") as f:
            self.units = sorted(f.read().split())
        self.links, self.symbols, self.seconds, self.originals = {}, {}, {}, {}

    def rule(self, path):
        for rule in self.rules:
            if any(fnmatch.fnmatch(path, pattern) for pattern in rule["files"]):
                return rule
        raise Unready(path + ": tools/mutants/tests.toml names no tests of it")

    def object_of(self, path, source, name):
        """Compiles a text as that source; the object's file, or None."""
        command, made = list(self.compilers[path]), os.path.join(self.work, name + ".o")
        at = command.index("-o")
        command[at + 1], command[-1] = made, source
        # what a source includes from its own folder is found from there
        command.insert(at, "-I" + os.path.dirname(os.path.join(ROOT, path)))
        return made if run([*command, "-w"])[0] == 0 else None

    def original(self, path):
        """The bytes of the unchanged source's object."""
        if path not in self.originals:
            made = self.object_of(path, copy_to(self.work, path, read(path)), "original")
            if not made:
                raise Unready(path + " does not compile")
            with open(made, "rb") as f:
                self.originals[path] = f.read()
        return self.originals[path]

    def link(self, target):
        """The command that links a program, as a list; ninja's own."""
        if target not in self.links:
            status, text = run(["ninja", "-t", "commands", target])
            lines = [x for x in text.split("\n") if " -o " in x and not re.search(r" -c ", x)]
            if status or not lines:
                raise Unready(f"{target}: ninja knows no command for it")
            self.links[target] = shlex.split(lines[-1].removeprefix(": && ").removesuffix(" && :"))
        return self.links[target]

    def has(self, unit, path):
        """Whether a unit test's program has something of the source."""
        if path not in self.symbols:
            text = run(["nm", "--defined-only", self.archive_object(path)])[1]
            self.symbols[path] = {x.split()[-1] for x in text.split("\n") if re.search(r" [TRDB] ", x)}
        if unit not in self.symbols:  # all programs at once
            text = run(["nm", "--defined-only", "--print-file-name", *(os.path.join("unit", u) for u in self.units)])[1]
            self.symbols.update({u: set() for u in self.units})
            for line in filter(None, text.split("\n")):
                program, _, symbol = line.partition(":")
                self.symbols[program.removeprefix("unit/")].add(symbol.split()[-1])
        return bool(self.symbols[path] & self.symbols[unit])

    def archive_object(self, path):
        command = self.compilers[path]
        return os.path.join(BUILD, command[command.index("-o") + 1])

    def units_for(self, path):
        """Unit tests that may notice, those of the source's own name first."""
        name = os.path.splitext(os.path.basename(path))[0]
        folders = self.rule(path)["unit"]
        wanted = [u for u in self.units if u.split("/")[0] in folders and self.has(u, path)]
        own = lambda u: u.split("/")[1].removeprefix("test_")  # noqa: E731
        near = lambda u: 0 if own(u) == name else 1 if own(u).startswith(name) or name.startswith(own(u)) else 2  # noqa: E731
        return sorted(wanted, key=lambda u: (folders.index(u.split("/")[0]), near(u), u))

    def time_of(self, unit):
        """How long the unchanged program takes."""
        if unit not in self.seconds:
            begin = os.times()
            status, text = run([os.path.join(BUILD, "unit", unit)])
            if status:
                raise Unready(f"{unit} fails without a change:\n{text[-2000:]}")
            self.seconds[unit] = os.times().elapsed - begin.elapsed
        return self.seconds[unit]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def copy_to(work, path, text):
    source = os.path.join(work, os.path.basename(path))
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    return source


def relinked(programs, command, path, made, to):
    """Links a program with the changed object; whether that works. command: how it is linked without the change."""
    own = f"{path}.o"
    command = [x for x in command if not x.endswith("/" + own)]  # an object of the source that the program itself has
    command[command.index("-o") + 1] = to
    archive = [n for n, x in enumerate(command) if x == "libmote.a"]
    command.insert(archive[0] if archive else len(command), made)
    return run(command)[0] == 0


def of_unit(programs, unit, path, made):
    """What a unit test says: why it noticed, or None."""
    to = os.path.join(programs.work, "test")
    target = "unit_" + unit.replace("/", "_", 1)
    if not relinked(programs, programs.link(target), path, made, to):
        return "does not link"
    status, _ = run([to], cwd=programs.work, timeout=programs.time_of(unit) * SLOWER + SECONDS)
    if status == 0:
        return None
    return unit if status is not None else unit + " (does not end)"


def of_e2e(programs, path, made):
    """What the end-to-end tests say, file by file."""
    folder = os.path.join(programs.work, "drop-in")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    command = programs.link("drop-in/libcurl.so.4")
    if not relinked(programs, command, path, made, os.path.join(folder, "libcurl.so.4")):
        return "does not link"
    env = {**os.environ, "MOTE_DROPIN": folder, "MOTE": os.path.join(BUILD, "mote"), "MOTE_E2E_WAYS": "one"}
    for name in programs.rule(path)["e2e"]:
        status, text = run(["/usr/bin/python3", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider",
                            "--basetemp=" + os.path.join(programs.work, "t"), f"tests/e2e/test_{name}.py"],
                           cwd=ROOT, timeout=E2E_SECONDS, env=env)
        if status not in (0, 5):
            failed = re.search(r"^FAILED (\S+)", text, re.M)
            return failed.group(1) if failed else f"test_{name}.py"
    return None


def judge(programs, mutant, end_to_end):
    """(what became of a mutant, by what it was noticed)"""
    text = read(mutant.path)
    original = programs.original(mutant.path)
    made = programs.object_of(mutant.path, copy_to(programs.work, mutant.path, places.changed(text, mutant)), "mutant")
    if not made:
        return NO_BUILD, ""
    with open(made, "rb") as f:
        if f.read() == original:
            return EQUIVALENT, ""
    for unit in programs.units_for(mutant.path):
        noticed = of_unit(programs, unit, mutant.path, made)
        if noticed:
            return KILLED, noticed
    noticed = of_e2e(programs, mutant.path, made) if end_to_end else None
    return (KILLED, noticed) if noticed else (SURVIVED, "")
