#!/usr/bin/env python3
"""The library and the command built for other machines and systems, and run where an emulator can (docs/platforms.md).

usage: platforms.py [NAME...]       these platforms; without a name: all
       platforms.py --list          their names, and what each is built with
       platforms.py --inside NAME   what a run does inside its root: not for users

Each platform has a root of Debian (tools/root) with the packages that it needs, by its name and on top of one with what
all of them need (tools/setup platforms). What was built stays in it, so that the next run compiles what has changed. A
line for each thing that was done, then the output of what failed, then "N passed, M failed"; 2 and a text where no root
can be made.
"""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import debianroot  # noqa: E402
from fresh import Report  # noqa: E402
from targets import debian, windows, zig  # noqa: E402

BASE = "platforms"  # the set of tools/setup, and the name of the root that has it
PLATFORMS = {p.name: p for p in (*debian.PLATFORMS, *zig.PLATFORMS, *windows.PLATFORMS)}


def make_root(kept, name, on, command, made_of):
    """Makes a named root by the command, where there is none that was made of the same text; one of another text goes
    first, and its build with it. The command's exit status."""
    done = os.path.join(kept.named(name), "done")
    if os.path.exists(done):
        with open(done, encoding="utf-8") as f:
            if f.read() == made_of:
                return 0
    kept.forget(name)
    with debianroot.Run(kept, on=on, keep=name) as run:
        status, _ = run.command(["sh", "-c", command])
    if not status:
        with open(done, "w", encoding="utf-8") as f:
            f.write(made_of)
    return status


def prepare(kept, platform):
    """Makes the two roots of a platform where they are not there yet or have other packages; the exit status."""
    # Only the suite itself: security updates are not made for all machines, and packages of two machines are installed
    # together in the same version only.
    base = "sed -i 1q /etc/apt/sources.list && tools/setup " + BASE
    made_of = base + "\n" + debianroot.output(os.path.join(ROOT, "tools", "setup"), "--print", BASE)
    status = make_root(kept, BASE, (), base, made_of)
    own = platform.packages()
    return status or (make_root(kept, platform.root, (BASE,), own, made_of + own) if own else 0)


def outside(platform):
    """The exit status of a run of the platform in its root."""
    kept = debianroot.Kept(platform.suite)
    kept.make()
    status = prepare(kept, platform)
    if status:
        print(f"{platform.name}: the packages cannot be installed", file=sys.stderr)
        return status
    with debianroot.Run(kept, on=(BASE,), keep=platform.root) as run:
        return run.command(["/usr/bin/python3", "tools/platforms.py", "--inside", platform.name])[0]


def inside(platform):
    report = Report()
    platform.run(report)
    return report.end()


def main():
    arguments = sys.argv[1:]
    if any(a in ("-h", "--help") for a in arguments):
        print(__doc__.strip())
        return 0
    if arguments == ["--list"]:
        print("\n".join(f"{p.name:<12} {p.built_with}" for p in PLATFORMS.values()))
        return 0
    within = arguments[:1] == ["--inside"]
    names = arguments[within:] or list(PLATFORMS)
    unknown = [n for n in names if n not in PLATFORMS]
    if unknown:
        print(f"platforms: no platform {unknown[0]}; there are: {' '.join(PLATFORMS)}", file=sys.stderr)
        return 2
    os.umask(0o022)
    try:
        if within:
            return inside(PLATFORMS[names[0]])
        why = debianroot.why_not()
        if why:
            raise debianroot.Refused(why)
        return max(outside(PLATFORMS[n]) for n in names)
    except debianroot.Refused as e:
        print(f"platforms: {e}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
