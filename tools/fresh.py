#!/usr/bin/env python3
"""Does on a fresh machine what the README says, and looks whether each target's packages are what it needs.

usage: fresh.py [SUITE]         bookworm (Debian 12) or trixie (Debian 13): the README's first screen and every set
       fresh.py --short [SUITE] the same of the sets of make check and check-all, but for whether they suffice, compiled without an
                                optimizer (a quarter of the build)
       fresh.py --http3         on Debian 13 with its backports: the build with HTTP/3, and its tests (tools/check.py
                                --http3); what that installs stays by the names "http3" and "http3-check"
       fresh.py --http3-short   the same in few minutes: that it builds, and its tests in one way of driving
                                (either may be followed by forky, Debian's next release, which needs no backports)
       fresh.py --check SUITE [ARGUMENT...]   tools/check.py there, with what "make check" installs and no more; that
                                stays by the name "check" (tools/root), so that it is installed once

A developer's machine has everything, so it cannot show what a target forgot to ask for. Here the machine is a root of
tools/root, with git, make and ca-certificates:

  first screen  the commands of README.md before its first heading, as they stand there
  a user        without rights to install reads what is missing
  README        its list of development packages is the set "library" of tools/setup
  SET resolves  the suite has every package of the set
  SET contains  the sets of the targets that its target does the work of
  SET suffices  with the set and no more, what its target compiles or imports is there (SUFFICES)

One line for each, then the output of what failed, then "N passed, M failed".
"""
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import debianroot  # noqa: E402

# what the README calls a package of the set "library"; the compiler brings along three more
NEEDS = {"CMake": "cmake", "Ninja": "ninja-build", "C11 compiler": "gcc", "pkg-config": "pkg-config",
         "OpenSSL": "libssl-dev", "zlib": "zlib1g-dev", "brotli": "libbrotli-dev", "zstd": "libzstd-dev",
         "libidn2": "libidn2-dev", "libpsl": "libpsl-dev", "MIT krb5": "libkrb5-dev", "nghttp2": "libnghttp2-dev",
         "libssh2": "libssh2-1-dev"}
IMPLIED = {"libc6-dev", "binutils", "make"}
# what a set's target does of other targets' work
CONTAINS = {"static": ("library",), "demo": ("library",), "bench": ("library",), "history": ("bench",),
            "peers": ("library", "oracle"),
            "structs": ("library",), "torture": ("library",), "clients": ("library",),
            "coverage": ("library",), "mutation": ("library",),
            "conformance": ("library", "oracle"),
            "http3": ("library",),
            "http3-check": ("http3",),
            "check": ("static", "demo", "bench", "history", "dashboard", "structs", "torture", "oracle"),
            "check-all": ("check",)}
BACKPORTS = {"http3", "http3-check"}  # sets that need them; --http3 installs them
PYTHON = "/usr/bin/python3"
UNOPTIMIZED = "'-DMOTE_INLINE=OFF -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0'"
# What shows that a set is enough for all that its target compiles and imports before it runs for long: the work itself
# where that is short. None: the packages are large or the network is needed, and CONTAINS and "resolves" have to do;
# for check it is make check in a fresh root (--check). A new set needs a row.
SUFFICES = {
    "library": None,  # the first screen
    "demo": None,
    "static": "make static && build/mote-static --version",
    "bench": f"tools/setup bench && cd bench && {PYTHON} -c 'import bench; bench.compile_programs()'",
    "peers": None,  # its peers come from the network
    "history": f"tools/setup history && cd tools && {PYTHON} -c 'import history; history.programs.compile_programs()'",
    "dashboard": "make dashboard && test -s build/dashboard.html",
    "structs": "tools/setup structs && cmake --preset log && pahole --version",
    "torture": "tools/setup torture && make drop-in && cmake --preset log && mkdir /tmp/made && "
               f"{PYTHON} tests/e2e/made.py /tmp/made && {PYTHON} tests/torture/torture.py --help",
    "coverage": "tools/setup coverage && tools/coverage.py --here --only fuzz",
    "mutation": "tools/setup mutation && tools/mutation.py --only src/codec/tftp.c --count 2 --unit",
    "conformance": None,
    "proofs": (f"tools/setup proofs && {PYTHON} proofs/run.py --list && cmake --version && "
               "{ command -v cbmc || debootstrap --version; }"),  # the prover, or what makes a root that has it
    "http3": None,  # --http3
    "http3-check": None,  # likewise
    "clients": None,
    "oracle": None,
    "device": None,
    "platforms": None,  # make platforms makes roots with it
    "check": None,
    "check-all": None,
}


class Report:
    def __init__(self):
        self.passed, self.failed, self.outputs = 0, 0, []

    def add(self, name, problem, started=None):
        """problem: a text, or nothing where it is as it should be."""
        took = f"  {time.monotonic() - started:.1f} s" if started else ""
        print(f"{name:<28} {'FAIL' if problem else 'ok'}{took}", flush=True)
        if problem:
            self.failed += 1
            self.outputs.append((name, problem))
        else:
            self.passed += 1
        return not problem

    def end(self):
        for name, text in self.outputs:
            print(f"--- {name}\n{last_lines(text)}\n---")
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0


def last_lines(text):
    """Without what a build says of each file."""
    lines = [x for x in text.rstrip().split("\n") if not re.match(r"\[\d+/\d+\]", x)]
    return "\n".join(lines[-60:])


def readme():
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
        return f.read()


def first_screen(text):
    """[(command, files that its comment promises)] of the shell blocks before the first heading that have no prompt: a
    reader pastes them. A block with a prompt shows what is printed, too."""
    blocks = re.findall(r"^```sh\n(.*?)^```", text.split("\n## ")[0], re.M | re.S)
    lines = [line for block in blocks if "$ " not in block for line in block.splitlines() if line]
    return [(line.split("#")[0].strip(), promised(line.partition("#")[2])) for line in lines]


def promised(comment):
    """build/a and build/b.so, .a: three files."""
    files = []
    for name in re.findall(r"build/[\w./-]+\w|\.\w+\b", comment.split(";")[0]):
        files.append(name if name.startswith("build/") else os.path.splitext(files[-1])[0] + name)
    return files


def named_packages(text):
    """What the README says that make needs: names of NEEDS, and words that are none."""
    sentence = re.search(r"`make` needs (.*?)\.\s", re.sub(r"\s+", " ", text)).group(1)
    sentence = re.sub(r"\([^)]*\)|\bthe development files of\b|\ba (?=C11)", "", sentence)
    words = [re.sub(r" [\d.]+$", "", w.strip()) for w in re.split(r", | and ", sentence)]
    return [w for w in words if w]


def list_problem(text, library):
    words = named_packages(text)
    unknown = [w for w in words if w not in NEEDS]
    missing = sorted(set(library) - IMPLIED - {NEEDS.get(w) for w in words})
    more = sorted({NEEDS[w] for w in words if w in NEEDS} - set(library))
    found = [f"no package is known for: {', '.join(unknown)}"] * bool(unknown)
    found += [f"README.md does not name: {', '.join(missing)}"] * bool(missing)
    found += [f"the set library lacks: {', '.join(more)}"] * bool(more)
    return "\n".join(found)


def setup(*arguments):
    return subprocess.run([os.path.join(ROOT, "tools", "setup"), *arguments], capture_output=True, text=True,
                          check=True).stdout.split()


def said_by(run, *cmd):
    """(exit status, output) of a command in the root."""
    return run.command(cmd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                       errors="replace")


def run_in(run, command):
    """What is wrong with it: its output where it fails, else nothing."""
    status, text = said_by(run, "sh", "-c", command)
    return f"{command}: exit status {status}\n{text}" if status else ""


def look_at_first_screen(report, run, options=""):
    """options: what `make` configures with besides."""
    commands = first_screen(readme())
    if [c for c, _ in commands][:2] != ["make", "make demo"]:
        report.add("first screen", f"README.md's first screen has other commands: {commands}")
    for command, files in commands:
        started = time.monotonic()
        words = [f"export CMAKE_OPTIONS={options}", command, *(f"test -s {f}" for f in files)]
        problem = run_in(run, " && ".join(words))
        if not report.add(command, problem, started):
            return False
    return True


def look_at_user(report, kept):
    """An ordinary user's make, where nothing is installed: its last line can be pasted."""
    started = time.monotonic()
    with debianroot.Run(kept) as run:
        status, text = said_by(run, "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "make")
    packages = [p for p in setup("--print", "library") if p not in debianroot.PACKAGES]
    wanted = "apt-get install --no-install-recommends " + " ".join(packages)
    says = status and wanted in text.splitlines()
    report.add("a user", "" if says else f"exit status {status}, wanted a line\n{wanted}\n{text}", started)


def look_at_sets(report, run, sets):
    """What can be said of all sets without installing them. One that another set contains resolves with that."""
    report.add("README's packages", list_problem(readme(), setup("--print", "library")))
    contained = {part for parts in CONTAINS.values() for part in parts}
    for name in sets:
        started = time.monotonic()
        names = setup("--print", name)
        if name not in BACKPORTS and name not in contained:
            simulated = f"names=$(tools/setup --print {name}) && apt-get install -s --no-install-recommends $names"
            report.add(f"{name} resolves", run_in(run, simulated), started)
        for part in CONTAINS.get(name, ()):
            missing = sorted(set(setup("--print", part)) - set(names))
            report.add(f"{name} contains {part}", missing and "without " + " ".join(missing))


def look_whether_they_suffice(report, kept, run, sets):
    for name in sets:
        if name not in SUFFICES:
            report.add(f"{name} suffices", "the set has no row in SUFFICES of tools/fresh.py")
        elif SUFFICES[name]:
            started = time.monotonic()
            with debianroot.Run(kept, on=run, tree=False) as own:
                report.add(f"{name} suffices", run_in(own, SUFFICES[name]), started)


def look(suite, short):
    report = Report()
    sets = setup("--sets")
    kept = debianroot.Kept(suite)
    kept.make()
    look_at_user(report, kept)
    with debianroot.Run(kept) as run:
        if look_at_first_screen(report, run, UNOPTIMIZED if short else ""):
            look_at_sets(report, run, ["check", "check-all"] if short else sets)
            if not short:
                look_whether_they_suffice(report, kept, run, sets)
    return report.end()


def on_packages_of(kept, names, *arguments):
    """tools/check.py with sets of packages, each of which stays installed by its name, on those before it."""
    kept.make()
    for n, name in enumerate(names):
        with debianroot.Run(kept, on=names[:n], keep=name) as run:
            status, _ = run.command(["tools/setup", name])
        if status:
            return status
    with debianroot.Run(kept, on=names) as run:
        return run.command([PYTHON, "tools/check.py", *arguments])[0]


def http3(short, suite="trixie"):
    """The libraries of HTTP/3 are Debian 13's backports."""
    kept = debianroot.Kept(suite, backports=suite == "trixie")
    return on_packages_of(kept, ("http3",), "--http3-short") if short else on_packages_of(kept, ("http3", "http3-check"), "--http3")


def check(suite, *arguments):
    """What make check does, on its packages, which stay installed. On Debian 13 nothing is left out: other compilers,
    TLS, HTTP/2 and SSH libraries, curl, Python and servers find what Debian 12's do not. Sizes (of one compiler), images
    (without their sources) and "fresh machine" skip themselves there."""
    return on_packages_of(debianroot.Kept(suite), ("check",), *arguments)


def main():
    arguments = sys.argv[1:]
    if any(a in ("-h", "--help") for a in arguments):
        print(__doc__.strip())
        return 0
    os.umask(0o022)
    try:
        why = debianroot.why_not()
        if why:
            raise debianroot.Refused(why)
        if arguments[:1] in (["--http3"], ["--http3-short"]):
            return http3(arguments[0] != "--http3", *arguments[1:])
        if arguments[:1] == ["--check"]:
            return check(*(arguments[1:] or ["bookworm"]))
        short = arguments[:1] == ["--short"]
        return look(*(arguments[short:] or ["bookworm"]), short)
    except debianroot.Refused as e:
        print(f"fresh: {e}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
