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

A build of your own takes three steps:

1. **Choose a profile**, the smallest that does what you need ([Profiles](#profiles)).
2. **Add or leave out parts** ([What can be left out, or added](#what-can-be-left-out-or-added)).
3. **See what it saves**, by the tables here, or measured for your choice.

```sh
cmake -B build/small -G Ninja -DMOTE_PROFILE=http -DMOTE_WITH=file -DMOTE_WITHOUT="brotli;zstd"
cmake --build build/small
cat build/small/parts/parts.txt         # what it has; below: what it takes
tools/size.py --profile http --with file --without brotli,zstd --target linux
```

- `-DMOTE_WITH` adds parts to the profile, with those that they need.
- `-DMOTE_WITHOUT` takes parts from it, with those that cannot be without them.
- `-DMOTE_TLS=bearssl` takes that TLS library in place of the profile's ([tls.md](tls.md)).
- For images of devices `tools/device.py build` has `--profile`, `--with` and `--without`
  ([device/README.md](../device/README.md)).

What an option returns whose part is left out is in [compat.md](compat.md). The list itself is
[cmake/parts.cmake](../cmake/parts.cmake); [design.md](design.md), section 6, says how it works.
This page is written by `tools/ledger.py`.

## Profiles

Take `full` unless you know better; `http` where no file: URL may be read; `mcu` on a device that
sends and receives, or does several transfers at a time; `tiny` where a GET is all and each kilobyte
counts.

"""
PROFILES = """
Bytes of flash: the library + its side of TLS, for a program that uses all of it (`tiny`: an HTTPS
GET in a static block). The port, the TLS library and the C library are not counted. RAM: data and
bss on the first of these targets. By part: `tools/ledger.py`.

## What can be left out, or added

The columns say what you save: the flash and RAM that the objects of `full` for x86-64, `-Os`, hold
less when the part is left out, and the parts that leave with it. A TLS library that `full` does not
have costs so much when it is added. Below 0, what stands in for the part is larger than the part.
Part `small` stands in for much of the library, and its headers for those of the same name
(`src/small/overlay`): a build of your own takes the include path from `sources.txt`, in its order.

"""
COLUMNS = """| part | what it is | flash | RAM | leaves with it |
| --- | --- | ---: | ---: | --- |
"""
BASES = """
## What much else rests on

A large piece of the library goes with each of these: look for a profile without it first. Parts
that cannot be without each other are one row; any of their names does the same.

| parts | what it is | flash | RAM | parts that leave |
| --- | --- | ---: | ---: | ---: |
"""
ELSEWHERE = """
## What has no size of its own here

Choose these for what they do: they matter only with a TLS library that `full` does not have, or
change the code of others by less than they add.

| part | what it is |
| --- | --- |
"""
BAND = 64  # bytes that a figure may move, or 1 in 100 where that is more
MANY = 8  # a part without which as many others leave is one that they rest on


def of(name, having, without):
    """The row of a part."""
    row = partbuild.cost(having, without)
    return {"all": row["all"], "along": [n for n in row["along"] if n != name]}


def measure(names=None, notify=lambda name: None):
    """{part: its row}"""
    found, full = {}, None
    for name in names or [n for n in partlist.parts() if n not in partlist.ELSEWHERE]:
        full = full or partbuild.Build("full")
        found[name] = of(name, *partbuild.pair(name, full))
        notify(name)
    return found


def text_of(rows):
    out = []
    for name in [n for n in partlist.parts() if n in rows]:
        along = "along = [" + ", ".join(f'"{w}"' for w in rows[name]["along"]) + "]"
        out.append(f"\n[part.{name}]\nall = {list(rows[name]['all'])}\n"
                   + textwrap.fill(along, 110, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False) + "\n")
    return "".join(out)


def has_left(was, now):
    """Whether a figure has moved so far that the ledger has to be written again."""
    return abs(now - was) > max(BAND, abs(was) // 100)


def changes(name, old, new):
    """A line for each figure of a part that has left its band, and for each part that leaves with it or does no more."""
    if not old:
        return [f"part {name}: not in the ledger"]
    lines = [f"part {name}: along: {x} is new" for x in new["along"] if x not in old["along"]]
    lines += [f"part {name}: along: {x} is no more" for x in old["along"] if x not in new["along"]]
    if any(has_left(*pair) for pair in zip(old["all"], new["all"])):
        lines.append(f"part {name}: {list(old['all'])} -> {list(new['all'])} bytes of flash, RAM")
    return lines


def groups(rows):
    """[names] of parts that leave together, whichever of them is named, in the list's order."""
    found = {}
    for name in [n for n in partlist.parts() if n in rows]:
        found.setdefault(frozenset([name, *rows[name]["along"]]), []).append(name)
    return list(found.items())


def page(profiles, rows):
    """profiles: the table of their sizes"""
    titles = {name: " ".join(fields["TITLE"]) for name, fields in partlist.parts().items()}
    leaves, bases, elsewhere = [], [], []
    for gone, names in groups(rows):
        (flash, ram), quoted = rows[names[0]]["all"], ", ".join(f"`{n}`" for n in names)
        title = titles[names[0]]
        others = [n for n in rows[names[0]]["along"] if n not in names]
        if len(gone) > MANY:
            bases.append((flash, f"| {quoted} | {title} | {flash:,} | {ram:,} | {len(gone)} |\n"))
        elif not flash and not ram:
            elsewhere.append(f"| {quoted} | {title} |\n")
        else:
            along = ", ".join(f"`{n}`" for n in others)
            leaves.append(f"| {quoted} | {title} | {flash:,} | {ram:,} | {along} |\n")
    bases = [line for _, line in sorted(bases, key=lambda base: base[0])]
    out = [HEAD, profiles, PROFILES, COLUMNS, *leaves, *([BASES] if bases else []), *bases,
           *([ELSEWHERE] if elsewhere else []), *elsewhere]
    return "".join(out)
