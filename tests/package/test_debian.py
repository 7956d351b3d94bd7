"""debian/ says what the tree says: version, exported names, what a build needs. tools/packages.py builds the packages."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import packages  # noqa: E402

ESSENTIAL = {"gcc", "libc6-dev", "make", "binutils"}  # of every build of a Debian package


def read(*parts):
    with open(os.path.join(ROOT, *parts), encoding="utf-8") as f:
        return f.read()


def test_the_version_is_the_headers():
    header = re.search(r'define MOTE_VERSION "(.*)"', read("include", "mote", "mote.h"))[1]
    assert re.match(r"mote \((.*)-\d+\)", read("debian", "changelog"))[1] == header


def test_the_symbols_are_those_that_are_exported():
    exported = [line for line in read("exports", "functions.txt").splitlines() if line and not line.startswith("#")]
    listed = re.findall(r"^ (\w+)@MOTE_0 \d", read("debian", "libmote0.symbols"), re.M)
    assert listed == ["MOTE_0", *sorted(exported)]


def test_a_build_needs_what_make_needs():
    needs = packages.stanzas(read("debian", "control"))[0]["Build-Depends"]
    needs = {re.match(r"[\w.+-]+", n.strip())[0] for n in needs.split(",") if n.strip() and "<pkg.mote.h3>" not in n}
    library = subprocess.run([os.path.join(ROOT, "tools", "setup"), "--print", "library"], capture_output=True, text=True,
                             check=True).stdout.split()
    assert needs - {"debhelper-compat"} == set(library) - ESSENTIAL


def test_the_licence_is_ours():
    licence = " ".join(read("LICENSE").split())
    copyright_ = " ".join(line.strip() if line != " ." else "" for line in read("debian", "copyright").splitlines())
    assert licence[licence.index("Permission"):] in " ".join(copyright_.split())


def test_every_test_is_listed():
    listed = {t for s in packages.stanzas(read("debian", "tests", "control")) for t in s["Tests"].split()}
    folder = os.path.join(ROOT, "debian", "tests")
    assert listed == {n for n in os.listdir(folder) if os.access(os.path.join(folder, n), os.X_OK)}
