"""The object files of a build, each with the source it was made from. For the checks of this folder."""
import json
import os
import re
import subprocess

TARGETS = ("mote_objects", "mote_tool_objects", "mote")


def current(build):
    """Object files that the build makes now, or None where it has no list of its commands. A build keeps the objects
    of sources that have left it."""
    try:
        with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as f:
            commands = json.load(f)
    except OSError:
        return None
    outputs = (re.search(r" -o (\S+\.o)(?: |$)", c["command"]) for c in commands)
    return {os.path.normpath(os.path.join(build, m.group(1))) for m in outputs if m}


def find(build, root, targets=TARGETS):
    """[(source relative to root, object file)]; objects whose source is gone are left out."""
    out, now = [], current(build)
    for target in targets:
        top = os.path.join(build, "CMakeFiles", target + ".dir")
        for base, _, names in os.walk(top):
            for name in names:
                obj = os.path.join(base, name)
                src = os.path.relpath(obj, top)[:-2]
                if now is not None and os.path.normpath(obj) not in now:
                    continue
                if name.endswith(".c.o") and os.path.exists(os.path.join(root, src)):
                    out.append((src, obj))
    return sorted(out)


def symbols(found, *flags):
    """{source: [(kind, name)]} of the objects' symbols, from find()'s pairs. One process for all: it takes longer to
    start than to read an object."""
    if not found:
        return {}
    text = subprocess.run(["nm", "-P", "-A", *flags, *(obj for _, obj in found)], capture_output=True, text=True,
                          check=True).stdout
    source, out = {obj: src for src, obj in found}, {src: [] for src, _ in found}
    for line in text.splitlines():
        obj, _, rest = line.partition(": ")
        name, kind = rest.split()[:2]
        out[source[obj]].append((kind, name))
    return out


def calls(found):
    """{source: {source: symbols}}: what each source uses that another one defines, from find()'s pairs. What a table
    made by the build refers to is in no pair, so a call through a row does not count."""
    defined, used = {}, {}
    for src, names in symbols(found, "-g").items():
        for kind, name in names:
            if kind in "Uvw":
                used.setdefault(src, set()).add(name)
            else:
                defined[name] = src
    out = {}
    for src, names in used.items():
        for name in names:
            if name in defined and defined[name] != src:
                out.setdefault(src, {}).setdefault(defined[name], set()).add(name)
    return out
