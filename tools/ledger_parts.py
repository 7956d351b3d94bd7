"""What each part costs, alone: the rows [part.<name>] of sizes.toml, and docs/parts.md.

Measured on `full` for x86-64 with -Os (tools/partbuild.py), from the objects, before the linker: text, constants and
data of the build with the part, less those of the build without it.
"""
import os
import textwrap

import partbuild
import partlist

ROOT = partlist.ROOT
PAGE = os.path.join(ROOT, "docs", "parts.md")
TARGET = "x86-64 -Os"  # whose compiler this is
HEAD = """# Parts

What a build can contain or leave out ([cmake/parts.cmake](../cmake/parts.cmake); [design.md](design.md),
section 6), and what each part takes: bytes of flash (text, constants, data) in the objects of `full` for
x86-64, `-Os`, that are not there when the part alone is left out, with those that cannot be without it (TLS
libraries that `full` does not have: added to it). "In others" is how much of it lies in objects that both
builds have and that are not the same; which these are: [sizes.toml](../sizes.toml). All other objects are the
same to the bit: `tests/parts` sees to it. 0 is what matters only with a TLS library that `full` does not have;
below 0, what stands in for the part is the larger.

This page is written by `tools/ledger.py`.

| part | what it is | flash | RAM | in others | goes with it |
| --- | --- | ---: | ---: | ---: | --- |
"""


def of(name, having, without):
    """The row of a part."""
    row = partbuild.cost(having, without)
    row["along"].remove(name)
    return row


def measure(names=None, tell=lambda name: None):
    """{part: what partbuild.cost() says}"""
    found, full = {}, None
    for name in names or partlist.parts():
        full = full or partbuild.Build("full")
        found[name] = of(name, *partbuild.pair(name, full))
        tell(name)
    return found


def text_of(rows):
    out = []
    for name in [n for n in partlist.parts() if n in rows]:
        row = rows[name]
        same = [file for file, size in row["differ"].items() if list(size) == [0, 0]]
        out.append(f"\n[part.{name}]\nall = {row['all']}\n{array('along', row['along'])}{array('same_size', same)}"
                   f"[part.{name}.differ]\n")
        out += [f'"{file}" = {list(size)}\n' for file, size in row["differ"].items() if file not in same]
    return "".join(out)


def array(name, words):
    text = f"{name} = [" + ", ".join(f'"{w}"' for w in words) + "]"
    return textwrap.fill(text, 110, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False) + "\n"


def rows_of(ledger):
    """The rows as of() makes them: in the file those that differ, but not in size, are a list."""
    rows = {}
    for name, row in ledger.get("part", {}).items():
        differ = {**row["differ"], **{file: [0, 0] for file in row.get("same_size", [])}}
        rows[name] = {"all": row["all"], "along": row["along"], "differ": dict(sorted(differ.items()))}
    return rows


def changes(name, old, new):
    """A line for each figure of a part that is not the ledger's."""
    if not old:
        return [f"part {name}: not in the ledger"]
    lines = []
    for what in ("along", "differ"):
        lines += [f"part {name}: {what}: {x} is new" for x in new[what] if x not in old[what]]
        lines += [f"part {name}: {what}: {x} is no more" for x in old[what] if x not in new[what]]
    both = [x for x in new["differ"] if x in old["differ"]]
    for what, was, now in [("all", old["all"], new["all"]), *((x, old["differ"][x], new["differ"][x]) for x in both)]:
        if list(was) != list(now):
            lines.append(f"part {name}: {what}: {was} -> {now} bytes of flash, RAM")
    return lines


def page(rows):
    out = [HEAD]
    titles = {name: " ".join(fields["TITLE"]) for name, fields in partlist.parts().items()}
    for name in [n for n in titles if n in rows]:
        row = rows[name]
        others = sum(size[0] for size in row["differ"].values())
        out.append(f"| `{name}` | {titles[name]} | {row['all'][0]:,} | {row['all'][1]:,} | {others:,} | "
                   f"{', '.join(f'`{p}`' for p in row['along'])} |\n")
    return "".join(out)
