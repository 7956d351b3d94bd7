#!/usr/bin/env python3
"""The size and layout of every struct of ours, from a build's debug information (make structs).

usage: structs.py [NAME ...] [--file FILE ...] [--holes] [--json]
  (nothing)     all of them, largest first: bytes, cache lines, holes and padding, where it is declared
  NAME          the layout of one: conn and mote_conn are the same
  --holes       only those with holes
  --file FILE   objects, libraries or programs built with -g; otherwise those of build/log (make log)
  --json        the same for programs

A struct whose name does not begin with mote_ or curl is called by its file too: "entry (tls/x509/trust.c)". Of
several with one name and one layout, only one is listed. Structs without a name and unions are not. Needs pahole.
"""
import argparse
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOG = os.path.join(ROOT, "build", "log")
LINE = 64  # bytes of a cache line
# pahole 1.24 does not know DW_TAG_atomic_type and gives such members no size
ATOMIC = {"bool": 1, "char": 1, "schar": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8,
          "ulong": 8, "llong": 8, "ullong": 8, "size_t": 8, "ptrdiff_t": 8, "intptr_t": 8, "uintptr_t": 8}
MEMBER = re.compile(r"\t(?!\t)(.+?);\s*/\*\s+(\d+)(?::\s*(\d+))?\s+(\d+) \*/")
DECLARED = re.compile(r"/\* <[0-9a-f]+> (.+):(\d+) \*/")


class Missing(Exception):
    """No pahole, or nothing in the file to read."""


def default_files():
    return [os.path.join(LOG, "libcurl.so.4"), os.path.join(LOG, "mote")]


def ours(path):
    """'src/net/conn.h' of an absolute path; None: not one of our files, or what only the log build has."""
    m = re.search(r"(?:^|/)(include/(?:curl|mote)/.+)$", path) or re.search(r"(?:^|/)(src/.+)$", path)
    if not m or path.startswith(("/usr/include/", "/usr/lib/")) or m.group(1).startswith("src/log/"):
        return None
    return m.group(1)


def member(text, offset, bit, size):
    """A line of a layout. bits: the width of a bit field, or None."""
    text = re.sub(r"\s+", " ", text).strip().replace("* ", "*").removeprefix("} ")
    bare = re.sub(r"__attribute__\(\(.*\)\)", "", text).strip()
    width = re.search(r":(\d+)$", bare)
    name = re.search(r"\(\*(\w+)\)", bare) or re.search(r"(\w+)(?:\[\w*\])*(?::\d+)?$", bare)
    m = {"text": text, "name": name.group(1) if name else "", "offset": int(offset), "size": int(size)}
    if width:
        m["bits"] = int(width.group(1))
        m["size"] = (int(bit or 0) + m["bits"] + 7) // 8
    elif not m["size"] and text.startswith("atomic_"):
        m["size"] = ATOMIC.get(text.split()[0].removeprefix("atomic_"), 0)
    return m


def measured(layout):
    """Adds what follows from the members: holes [(offset, bytes)], padding at the end, cache lines."""
    end, holes = 0, []
    for m in sorted(layout["members"], key=lambda m: m["offset"]):
        if m["offset"] > end:
            holes.append((end, m["offset"] - end))
        end = max(end, m["offset"] + m["size"])
    layout.update(holes=holes, padding=layout["size"] - end)
    layout["lines"] = -(-layout["size"] // LINE)
    return layout


def parse(text):
    """The layouts in pahole's output, ours only."""
    out, now, place = [], None, None
    for line in text.splitlines():
        m = DECLARED.match(line)
        if m:
            place = (ours(m.group(1)), int(m.group(2)))
        elif line.startswith("struct "):
            now = {"name": line.split()[1], "file": place[0], "line": place[1], "members": []}
        elif now is None:
            continue  # a union
        elif line.startswith("}"):
            if now["file"]:
                out.append(measured(now))
            now = None
        elif m := re.match(r"\t/\* size: (\d+),", line):
            now["size"] = int(m.group(1))
        elif m := MEMBER.match(line):
            now["members"].append(member(*m.groups()))
    return out


def pahole(path):
    if not os.path.exists(path):
        raise Missing(f"{path} is not there (make log)")
    try:
        p = subprocess.run(["pahole", "-I", path], capture_output=True, text=True, errors="replace")
    except FileNotFoundError:
        raise Missing("pahole is not installed (tools/setup)") from None
    found = parse(p.stdout)
    if not found:
        raise Missing(f"{path} has no debug information: {p.stderr[-200:]}")
    return found


def key(layout):
    name = layout["name"]
    return name if name.lower().startswith(("mote_", "curl")) else f"{name} ({layout['file'].removeprefix('src/')})"


def layouts(paths=None):
    """{key: layout} of one file or several."""
    paths = [paths] if isinstance(paths, (str, os.PathLike)) else paths or default_files()
    return {key(x): x for path in paths for x in pahole(path)}


def sizes(paths=None):
    """{key: bytes}"""
    return {k: x["size"] for k, x in layouts(paths).items()}


def plural(n, word):
    return f"{n:,} {word}" + ("" if n == 1 else "s")


def holes(layout):
    """'5 (4 at 220, 1 at 255)'; empty when there are none."""
    if not layout["holes"]:
        return ""
    return f"{sum(n for _, n in layout['holes'])} (" + ", ".join(f"{n} at {at}" for at, n in layout["holes"]) + ")"


def table(found):
    lines = [f"{'bytes':>7} {'lines':>5} {'padding':>7}  {'struct':<34} {'where':<32} holes"]
    for k, x in sorted(found.items(), key=lambda kx: (-kx[1]["size"], kx[0])):
        where = f"{x['file']}:{x['line']}"
        line = f"{x['size']:>7,} {x['lines']:>5} {x['padding'] or '':>7}  {k:<34} {where:<32} {holes(x)}"
        lines.append(line.rstrip())
    return "\n".join(lines)


def picture(layout):
    """One layout, a line per member; what is free, and where a cache line begins."""
    size = f"{plural(layout['size'], 'byte')}, {plural(layout['lines'], 'cache line')}"
    lines = [f"struct {layout['name']}: {size}, {layout['file']}:{layout['line']}"]
    lines.append(f"{'at':>7} {'bytes':>7}")
    free, boundary = dict(layout["holes"]), LINE
    for m in layout["members"]:
        for at in [at for at in free if at < m["offset"]]:
            lines.append(f"{at:>7} {free.pop(at):>7}  (free)")
        if boundary <= m["offset"] < layout["size"]:
            lines.append(f"{'':15}  --- cache line {m['offset'] // LINE + 1}")
            boundary = (m["offset"] // LINE + 1) * LINE
        size = f"{m['bits']} bit" if "bits" in m else m["size"]
        lines.append(f"{m['offset']:>7} {size:>7}  {m['text']}")
    if layout["padding"]:
        lines.append(f"{layout['size'] - layout['padding']:>7} {layout['padding']:>7}  (free)")
    return "\n".join(lines)


def chosen(found, names):
    """Those called NAME, mote_NAME or NAME (file)."""
    out = {}
    for name in names:
        some = {k: x for k, x in found.items() if name in (k, x["name"]) or x["name"] == "mote_" + name}
        if not some:
            raise Missing(f"no struct {name}")
        out.update(some)
    return out


def main():
    ap = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    ap.add_argument("names", nargs="*")
    ap.add_argument("--file", nargs="+")
    ap.add_argument("--holes", action="store_true")
    ap.add_argument("--json", action="store_true")
    a = ap.parse_args()
    try:
        found = layouts(a.file)
        found = chosen(found, a.names) if a.names else found
    except Missing as e:
        sys.exit(f"structs: {e}")
    if a.holes:
        found = {k: x for k, x in found.items() if x["holes"]}
    if a.json:
        json.dump(found, sys.stdout, indent=1)
        print()
    elif a.names:
        print("\n\n".join(picture(x) for x in found.values()))
    else:
        print(table(found))
        print(f"{len(found)} structs, {sum(1 for x in found.values() if x['holes'])} with holes")


if __name__ == "__main__":
    main()
