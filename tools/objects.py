"""The object files of a build, each with the source it was made from. For the checks of this folder."""
import os
import subprocess


def find(build, root, targets=("mote_objects", "mote_tool_objects", "mote")):
    """[(source relative to root, object file)]; objects whose source is gone are left out."""
    out = []
    for target in targets:
        top = os.path.join(build, "CMakeFiles", target + ".dir")
        for base, _, names in os.walk(top):
            for name in names:
                obj = os.path.join(base, name)
                src = os.path.relpath(obj, top)[:-2]
                if name.endswith(".c.o") and os.path.exists(os.path.join(root, src)):
                    out.append((src, obj))
    return sorted(out)


def nm(obj, *flags):
    """[(kind, name)] of an object's or library's symbols."""
    text = subprocess.run(["nm", "-P", *flags, obj], capture_output=True, text=True, check=True).stdout
    return [(line.split()[1], line.split()[0]) for line in text.splitlines() if len(line.split()) > 1]
