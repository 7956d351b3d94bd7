#!/usr/bin/env python3
"""Builds the Debian packages of debian/ in roots of Debian, and looks whether they are what they should be.

usage: packages.py [SUITE...]   bookworm (Debian 12) and trixie (Debian 13, with HTTP/3 from its backports) by default

The machine is a root of tools/root. What the build needs is installed there and stays by the name "packages"; the rest
is gone at the end, but for the packages, which are in build/packages/SUITE. For each suite:

  build        dpkg-buildpackage: the source package and the binary ones
  lintian      no errors
  TEST         each of debian/tests, in a root that has its Depends and no network but loopback
  removed      the packages are installed and purged: the files are those of before

For bookworm also, since they take as long as the first build:

  build        runs the unit tests
  again        the same from the source package in another folder, by another user's settings: the same bytes

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
import fresh  # noqa: E402

SUITES = ("bookworm", "trixie")
WHOLE = {"bookworm"}  # suites that build with the unit tests, and twice
HTTP3 = {"trixie": "pkg.mote.h3"}  # the profile of debian/rules, where a suite's backports have the libraries
NAME = "packages"
OUT = "/srv/packages"
INSTALL = "DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends"
TOOLS = "build-essential debhelper fakeroot lintian"
# What dpkg-source makes a source package of: the files that git knows, without debian/.
ARCHIVE = """set -e
version=$(dpkg-parsechangelog -S Version)
git ls-files -z | grep -zv '^debian/' | tar --null --files-from=- --transform "s,^,mote-${version%-*}/," --sort=name \
  --owner=0 --group=0 --numeric-owner --mtime="@$(dpkg-parsechangelog -S Timestamp)" -cJf "../mote_${version%-*}.orig.tar.xz"
"""
BUILD = "{env} dpkg-buildpackage -us -uc {options} && mkdir -p {out} && cp ../*.deb {out}"
AGAIN = """set -e
export TZ=Asia/Tokyo LC_ALL=C HOME=/tmp
umask 077
mkdir -p /var/tmp/another-folder
cd /var/tmp/another-folder
dpkg-source -x /srv/mote_*.dsc tree
cd tree
DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -us -uc -b {options}
cd ..
for file in *.deb; do cmp "$file" "{out}/$file"; done
test "$(ls *.deb | wc -l)" = "$(ls {out}/*.deb | wc -l)"
"""
# A list of the suite's own, so that apt finds our packages as it finds the others.
LISTED = """set -e
cd {out}
dpkg-scanpackages . >Packages 2>/dev/null
"""
KNOWN = f"echo 'deb [trusted=yes] file:{OUT} ./' >/etc/apt/sources.list.d/mote.list && apt-get update -q"
# loopback is down in a new namespace; SIOCSIFFLAGS with IFF_UP and IFF_RUNNING
ALONE = """import fcntl, os, socket, struct, sys
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh22x", b"lo", 0x41))
os.execvp(sys.argv[1], sys.argv[1:])
"""
# What apt, dpkg and the C library keep about packages, and what runs have of their own.
NOT_LISTED = ("/proc", "/sys", "/dev", "/run", "/tmp", "/root", "/srv", "/var/tmp", "/var/cache", "/var/log", "/var/lib/apt",
              "/var/lib/dpkg")


def stanzas(text):
    """[{field: value}] of a file such as debian/control; a value is on one line."""
    text = re.sub(r"^#.*\n", "", text, flags=re.M)
    return [{k: " ".join(v.split()) for k, v in re.findall(r"^([\w-]+):(.*(?:\n[ \t].*)*)", part, re.M)}
            for part in re.split(r"\n\s*\n", text) if part.strip()]


def read(*parts):
    with open(os.path.join(ROOT, *parts), encoding="utf-8") as f:
        return f.read()


def names():
    """Of the binary packages."""
    return [s["Package"] for s in stanzas(read("debian", "control")) if "Package" in s]


def backports(run):
    """The packages of HTTP/3, as apt takes them: NAME/SUITE-backports."""
    _, text = fresh.said_by(run, "tools/setup", "--print", "http3")
    return [p for p in text.split() if "/" in p]


def build(report, suite, kept, out):
    """Whether there are packages in `out` afterwards."""
    profile = HTTP3.get(suite)
    options = f"--build-profiles={profile}" if profile else ""
    env = "" if suite in WHOLE else "DEB_BUILD_OPTIONS=nocheck"
    with debianroot.Run(kept, keep=NAME) as run:
        more = " ".join(backports(run)) if profile else ""
        print(f"{suite}: installs in its root: {TOOLS} {more}, and what debian/control names", flush=True)
        problem = fresh.run_in(run, f"apt-get update -q && {INSTALL} {TOOLS} {more} && DEBIAN_FRONTEND=noninteractive "
                               f"apt-get build-dep -q -y --no-install-recommends {'-P ' + profile if profile else ''} ./")
    if problem:
        return report.add(f"{suite} build", problem)
    with debianroot.Run(kept, on=[NAME], binds=[(out, OUT)]) as run:
        started = time.monotonic()
        command = ARCHIVE + BUILD.format(env=env, options=options, out=OUT)
        if not report.add(f"{suite} build", fresh.run_in(run, command), started):
            return False
        started = time.monotonic()
        report.add(f"{suite} lintian", fresh.run_in(run, "lintian --allow-root --fail-on error ../mote_*.changes"), started)
        if suite in WHOLE:
            started = time.monotonic()
            report.add(f"{suite} again", fresh.run_in(run, AGAIN.format(options=options, out=OUT)), started)
        return not fresh.run_in(run, LISTED.format(out=OUT))


def test(report, suite, kept, base, out):
    """Each stanza of debian/tests/control on a machine with its Depends."""
    for stanza in stanzas(read("debian", "tests", "control")):
        depends = stanza["Depends"].replace(",", " ")
        with debianroot.Run(kept, on=base, tree=False, binds=[(out, OUT)]) as run:
            problem = fresh.run_in(run, f"{INSTALL} {depends}")
            for name in stanza["Tests"].split():
                started = time.monotonic()
                problem = problem or fresh.run_in(run, "mkdir -p /tmp/test && AUTOPKGTEST_TMP=/tmp/test unshare --net "
                                                  f"python3 -c '{ALONE}' debian/tests/{name}")
                report.add(f"{suite} {name}", problem, started)
                problem = ""


def files(run):
    """{path: type, mode, owner, target} of all that a package may leave."""
    leave = " -o ".join(f"-path {p}" for p in NOT_LISTED)
    _, text = fresh.said_by(run, "sh", "-c", rf"find / -xdev \( {leave} \) -prune -o -printf '%p\t%y %m %u %g %l\n'")
    return dict(line.split("\t", 1) for line in text.splitlines())


def remove(report, suite, kept, base, out):
    """What our packages need is there before, so that what differs afterwards is of our packages alone."""
    ours, started = names(), time.monotonic()
    with debianroot.Run(kept, on=base, tree=False, binds=[(out, OUT)]) as run:
        _, text = fresh.said_by(run, "sh", "-c", f"{INSTALL} -s {' '.join(ours)}")
        others = [p for p in re.findall(r"^Inst (\S+)", text, re.M) if p not in ours]
        problem = fresh.run_in(run, f"{INSTALL} {' '.join(others)} python3")
        before = files(run)
        problem = problem or fresh.run_in(run, f"{INSTALL} {' '.join(ours)}")
        during = files(run)
        problem = problem or fresh.run_in(run, f"dpkg --purge {' '.join(ours)}")
        after = files(run)
    new = sorted(set(during) - set(before))
    left = sorted(p for p in set(before) | set(after) if before.get(p) != after.get(p))
    if not problem and not any(p.endswith("/libmote.so.0") for p in new):
        problem = "the packages have not been installed"
    if not problem and left:
        problem = "differs afterwards:\n" + "\n".join(f"{p}: {before.get(p)}, then {after.get(p)}" for p in left)
    report.add(f"{suite} removed", problem, started)
    return len(new)


def sizes(suite, out):
    for name in names():
        deb = next(f for f in os.listdir(out) if f.startswith(name + "_"))
        listed = subprocess.run(["dpkg-deb", "-c", os.path.join(out, deb)], capture_output=True, text=True, check=True).stdout
        count = sum(1 for line in listed.splitlines() if not line.startswith("d"))
        print(f"{suite}: {name} installs {count} files; {os.path.getsize(os.path.join(out, deb)):,} bytes", flush=True)


def look(report, suite):
    kept = debianroot.Kept(suite, backports=suite in HTTP3)
    kept.make()
    out = os.path.join(ROOT, "build", "packages", suite)
    os.makedirs(out, exist_ok=True)
    for name in os.listdir(out):
        os.remove(os.path.join(out, name))
    if not build(report, suite, kept, out):
        return
    sizes(suite, out)
    with debianroot.Run(kept, binds=[(out, OUT)]) as base:
        more = " ".join(backports(base)) if suite in HTTP3 else "ca-certificates"
        if report.add(f"{suite} apt knows them", fresh.run_in(base, f"{KNOWN} && {INSTALL} {more}")):
            test(report, suite, kept, base, out)
            remove(report, suite, kept, base, out)


def main():
    suites = sys.argv[1:] or SUITES
    if any(s.startswith("-") for s in suites):
        print(__doc__.strip())
        return 0
    os.umask(0o022)
    why = debianroot.why_not()
    if why:
        print(f"packages: {why}", file=sys.stderr)
        return 2
    report = fresh.Report()
    try:
        for suite in suites:
            look(report, suite)
    except debianroot.Refused as e:
        print(f"packages: {e}", file=sys.stderr)
        return 2
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
