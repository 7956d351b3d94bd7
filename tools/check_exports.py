#!/usr/bin/env python3
"""What the shared libraries export: exactly exports/functions.txt, under the right version node and soname; and that
they lack nothing of ours.

usage: check_exports.py --out DIR [--root DIR]     DIR: where libmote.so and drop-in/ are
"""
import argparse
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

LIBRARIES = {
    "libmote.so": (r"libmote\.so\.\d+", "MOTE_0"),
    "drop-in/libcurl.so.4": (r"libcurl\.so\.4", "CURL_OPENSSL_4"),
    "drop-in/libcurl-gnutls.so.4": (r"libcurl-gnutls\.so\.4", "CURL_GNUTLS_3"),
}
FLAG = "NODELETE"


def run(*cmd):
    return subprocess.run(cmd, capture_output=True, text=True, check=True).stdout


def check_library(path, names, soname, node):
    errors = []
    dynamic = run("readelf", "-dW", path)
    m = re.search(r"soname: \[([^]]*)\]", dynamic)
    if not m or not re.fullmatch(soname, m.group(1)):
        errors.append(f"{path}: soname is {m.group(1) if m else 'missing'}")
    if FLAG not in dynamic:
        errors.append(f"{path}: may be unloaded (no -z nodelete)")
    found = {}
    for line in run("nm", "-D", "--defined-only", path).splitlines():
        name, _, version = line.split()[-1].partition("@@")
        if line.split()[-2] != "A":
            found[name] = version
    for line in run("nm", "-D", "--undefined-only", path).splitlines():
        if line.split()[-1].startswith(("mote_", "curl_")):
            errors.append(f"{path}: {line.split()[-1]} is used and nowhere defined")
    for name in sorted(names - set(found)):
        errors.append(f"{path}: does not export {name}")
    for name, version in sorted(found.items()):
        want = node if name.startswith("curl_") else "MOTE_0"
        if name not in names:
            errors.append(f"{path}: exports {name}")
        elif version != want:
            errors.append(f"{path}: {name} has version '{version}', not {want}")
    return len(found), errors


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", default=os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    ap.add_argument("--out", required=True)
    a = ap.parse_args()
    lines = open(os.path.join(a.root, "exports/functions.txt"), encoding="utf-8").read().split("\n")
    names = {x for x in lines if x and not x.startswith("#")}
    count, errors = 0, []
    for library, (soname, node) in LIBRARIES.items():
        n, e = check_library(os.path.join(a.out, library), names, soname, node)
        count, errors = count + n, errors + e
    for e in errors:
        print(e)
    print(f"{len(LIBRARIES)} libraries, {count} exports, {len(errors)} violations")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
