#!/usr/bin/env python3
"""Who includes whom (docs/design.md, section 2).

A file under src/ may include its own folder, the public headers and lower floors; a sibling folder only where
SIBLINGS says so. The command uses nothing but the public headers. A .c file reaches at most 20 of our headers
(the public interface counts as one).

usage: check_floors.py [--root DIR] [--report]
"""
import argparse
import os
import re
import sys

FLOOR = {
    "base": 0, "port": 0, "log": 0,
    "codec": 1, "net": 1, "tls": 1, "auth": 1,
    "stream": 2, "transfer": 2,
    "http": 3, "protocol": 3, "api": 3,
    "tool": 4,
}
# folder: siblings on the same floor that it may include
SIBLINGS = {
    "base": {"port"},               # the lock of the process account
    "port": {"base"},               # a port hands back our error codes and uses our text
    "log": {"base", "port"},        # the log build: notes who calls them
    "tls": {"net"},                 # a TLS layer is a net/stream
    "transfer": {"stream"},         # the engine builds the stack of streams
    "protocol": {"http"},           # hook rows
    "api": {"http", "protocol"},    # what the options and infos name
}
REACH = 20
GENERATED = {"parts.h"}             # by cmake/generate.cmake
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.M)


def sources(root):
    for base, dirs, names in os.walk(os.path.join(root, "src")):
        dirs.sort()
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                yield os.path.relpath(os.path.join(base, name), root)


def folder_of(path):
    return path.split("/")[1]


class Tree:
    def __init__(self, root):
        self.root = root
        self.cache = {}

    def includes(self, path):
        """(our files, public headers, unknown names) that a file includes itself."""
        if path in self.cache:
            return self.cache[path]
        ours, public, unknown = [], [], []
        text = open(os.path.join(self.root, path), encoding="utf-8").read()
        for quote, name in INCLUDE.findall(text):
            if quote == "<":
                if name.startswith(("curl/", "mote/")):
                    public.append(name)
                continue
            if name in GENERATED or name.endswith(".inc"): # rows of a table: no header
                continue
            here = os.path.join(os.path.dirname(path), name)
            for guess in (os.path.join("src", name), here):
                if os.path.exists(os.path.join(self.root, guess)):
                    ours.append(os.path.normpath(guess))
                    break
            else:
                unknown.append(name)
        self.cache[path] = (ours, public, unknown)
        return self.cache[path]

    def reach(self, path):
        seen, todo, public = set(), [path], False
        while todo:
            ours, pub, _ = self.includes(todo.pop())
            public = public or bool(pub)
            for f in ours:
                if f not in seen:
                    seen.add(f)
                    todo.append(f)
        return len(seen) + public


def check(root):
    tree, errors, reach, count = Tree(root), [], {}, 0
    for path in sources(root):
        count += 1
        folder = folder_of(path)
        if folder not in FLOOR:
            errors.append(f"{path}: no floor has a folder '{folder}'")
            continue
        ours, _, unknown = tree.includes(path)
        errors += [f"{path}: \"{n}\" is no header of ours" for n in unknown]
        for inc in ours:
            other = folder_of(inc)
            if other == folder:
                continue
            if folder == "tool":
                errors.append(f"{path}: the command uses only the public interface, not {inc}")
            elif FLOOR.get(other, 9) > FLOOR[folder]:
                errors.append(f"{path} (floor {FLOOR[folder]}) includes {inc} (floor {FLOOR.get(other)})")
            elif FLOOR[other] == FLOOR[folder] and other not in SIBLINGS.get(folder, ()):
                errors.append(f"{path}: {folder}/ may not include its sibling {inc}")
        if path.endswith(".c"):
            reach[path] = tree.reach(path)
            if reach[path] > REACH:
                errors.append(f"{path}: reaches {reach[path]} of our headers (at most {REACH})")
    return count, errors, reach


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", default=os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    ap.add_argument("--report", action="store_true", help="print how many headers each .c file reaches")
    a = ap.parse_args()
    count, errors, reach = check(a.root)
    if a.report:
        for path, n in sorted(reach.items(), key=lambda x: -x[1]):
            print(f"{n:4} {path}")
    for e in errors:
        print(e)
    if not count:
        print("no source files")
    print(f"{count} files, {len(errors)} violations")
    sys.exit(1 if errors or not count else 0)


if __name__ == "__main__":
    main()
