"""The commands that tests run: Debian's curl (on its own library: "reference", on the one under test: "curl"), and ours."""

import os
import re
import subprocess

from mote_driver import COMMAND, DROPIN, FOREIGN, SANITIZED, SYSTEM

CURL = "/usr/bin/curl"
# Debian's curl cannot load a library for another machine, or an archive.
OURS = ([] if FOREIGN else ["curl"]) + (["mote"] if os.path.exists(COMMAND) else [])


def curl_version():
    """(7, 88, 1) of Debian's curl."""
    said = subprocess.run([CURL, "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(int(n) for n in re.match(r"curl (\d+)\.(\d+)\.(\d+)", said).groups())


def lacks(feature):
    """Whether our library is built without what `mote --version` calls so. The command has the same parts."""
    if SYSTEM or not os.path.exists(COMMAND):
        return False
    said = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True).stdout
    return feature not in re.search(r"^Features: (.*)$", said, re.M).group(1).split()


def run_tool(who, args, cwd, stdin=b"", env=None):
    full = {"PATH": "/usr/bin:/bin", "HOME": str(cwd), "LC_ALL": "C.UTF-8", **(env or {})}
    if who == "curl":
        full["LD_LIBRARY_PATH"] = DROPIN
        if SANITIZED:
            full["LD_PRELOAD"] = SANITIZED
            full["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "")
    program = COMMAND if who == "mote" else CURL
    return subprocess.run([program, "-q", "-sS", "--max-time", "100", *args], cwd=cwd, input=stdin, capture_output=True,
                          env=full, timeout=120)
