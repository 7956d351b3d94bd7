"""A build of any choice of parts, object by object: for tests/parts, and for what a part costs (tools/ledger.py).

An object is kept by its preprocessed text (build/parts/objects): builds share what is the same for the compiler,
so that their objects are bit-identical, and a build without one part compiles little. A source that names no macro
that is another in parts.h is not even preprocessed again. MOTE_PARTS_OUT: another folder than build/parts.
"""
import concurrent.futures
import functools
import hashlib
import os
import re
import subprocess

import partlist

ROOT = partlist.ROOT
OUT = os.environ.get("MOTE_PARTS_OUT") or os.path.join(ROOT, "build", "parts")
# The two definitions are those of cmake/flags.cmake, where the reason is.
CFLAGS = ["-Os", "-fPIC", "-Wall", "-Wextra", "-Werror", "-ffunction-sections", "-fdata-sections",
          "-DOPENSSL_API_COMPAT=30000", "-DLIBSSH2_DISABLE_DEPRECATION"]


def run(command, **more):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, **more)
    assert not done.returncode, " ".join(command)[-300:] + "\n" + done.stderr.decode(errors="replace")[-4000:]
    return done.stdout


INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
MACRO = re.compile(r"^#define (MOTE_\w+)\b.*", re.M)


@functools.cache
def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


@functools.cache
def reached(source, folders=("src",)):
    """The paths of a source and of all headers of ours that it may include; parts.h is none of them. folders: those of
    headers, in the order of the include path."""
    seen, todo = set(), [source]
    while todo:
        path = todo.pop()
        seen.add(path)
        for name in INCLUDE.findall(text_of(path)):
            near = (os.path.join(d, name) for d in (os.path.dirname(path), *folders))
            todo += [p for p in near if os.path.exists(os.path.join(ROOT, p))][:1]
        todo = [p for p in todo if p not in seen]
    return sorted(seen)


@functools.cache
def words_of(path):
    return frozenset(re.findall(r"MOTE_\w+", text_of(path)))


def seen_of(parts_h, paths):
    """What a source that reaches these files may see of parts.h: all of it where names are pasted together."""
    if any("MOTE_HAS_##" in text_of(p) for p in paths):
        return parts_h
    return "\n".join(m.group() for m in MACRO.finditer(parts_h) if any(m.group(1) in words_of(p) for p in paths))


class Build:
    """The objects of one choice of parts: {source: object}."""

    made = {}  # (source, the files that it reaches, what it sees of parts.h): object

    def __init__(self, profile, with_parts=(), without=()):
        label = "-".join([profile, *("with_" + p for p in with_parts), *("no_" + p for p in without)])
        self.out = os.path.join(OUT, hashlib.sha256(label.encode()).hexdigest()[:12])
        os.makedirs(os.path.join(OUT, "objects"), exist_ok=True)
        self.flags, self.sources, self.parts = partlist.generate(self.out, profile, with_parts, without)
        self.folders = partlist.folders(self.flags)
        with open(os.path.join(self.out, "parts.h"), encoding="utf-8") as f:
            self.parts_h = f.read()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            self.objects = dict(zip(self.sources, pool.map(self.compile, self.sources)))

    def compile(self, source):
        if source.endswith("/tables.c"):
            return self.compile_always(source)
        paths = reached(source, self.folders)
        key = source, tuple(paths), seen_of(self.parts_h, paths)
        if key not in Build.made:
            Build.made[key] = self.compile_always(source)
        return Build.made[key]

    def compile_always(self, source):
        text = run(["cc", *CFLAGS, *self.flags, "-E", "-P", source])
        made = os.path.join(OUT, "objects", hashlib.sha256(repr(CFLAGS).encode() + text).hexdigest() + ".o")
        if not os.path.exists(made):
            part = f"{made}.{os.getpid()}.{abs(hash(source))}"
            run(["cc", *CFLAGS, *self.flags, "-c", "-o", part, source])
            os.rename(part, made)
        return made

    def library(self):
        """A shared library of all objects: nothing may be missing."""
        path = os.path.join(self.out, "libmote.so")
        run(["cc", "-shared", "-Wl,-z,defs", "-o", path, *sorted(set(self.objects.values())),
             *partlist.libraries(self.parts)])
        return path


def symbols(objects):
    """Names that these objects define for others."""
    lines = run(["nm", "-g", "--defined-only", *objects]).decode().splitlines()
    return {line.split()[-1] for line in lines if re.match(r"^[0-9a-f]+ \w ", line)}


def of_part(name, sources):
    """Those that the part names as its files."""
    patterns = [partlist.pattern(w) for w in partlist.parts()[name].get("FILES", [])]
    return [s for s in sources if any(p.fullmatch(s) for p in patterns)]


SECTION = re.compile(r"^\.(text|rodata|data|bss)(\S*) +(\d+) ", re.M)


@functools.cache
def bytes_of(made):
    """(flash, RAM) of an object: text, constants and initial data; data and what begins as zero."""
    flash = ram = 0
    for kind, name, size in SECTION.findall(run(["size", "-A", "-d", made]).decode()):
        flash += int(size) if kind != "bss" else 0
        ram += int(size) if kind in ("data", "bss") and not name.startswith(".rel.ro") else 0
    return flash, ram


def difference(new, old):
    """[flash, RAM] by which new has more than old; an object that is not there has none."""
    (a, b), (c, d) = (bytes_of(made) if made else (0, 0) for made in (new, old))
    return [a - c, b - d]


def name_of(source):
    return "tables.c" if source.endswith("/tables.c") else source.removeprefix("src/")


def by_name(build):
    return {name_of(s): made for s, made in build.objects.items()}


def pair(name, whole=None):
    """(a build with the part, one without it): of `full` (which may be given), with the part where full has it not."""
    needs = {n: fields.get("NEEDS", []) for n, fields in partlist.parts().items()}
    apart = [n for n in needs if any("!" + n in others for others in needs.values())]
    if name in apart:
        return Build("tiny"), Build("tiny", without=[name]) # others cannot be together with it
    if any(n in apart for n in needs[name]):
        return Build("tiny", with_parts=[name]), Build("tiny")
    whole = whole or Build("full")
    if name in whole.parts:
        return whole, Build("full", without=[name])
    return Build("full", with_parts=[name]), Build("full", with_parts=[name], without=[name])


def cost(having, without):
    """What a part takes: {"all": [flash, RAM] of the library's objects; "along": the parts that go with it}."""
    new, old = by_name(having), by_name(without)
    every = [difference(new.get(n), old.get(n)) for n in {*old, *new}]
    return {"all": [sum(d[0] for d in every), sum(d[1] for d in every)],
            "along": [p for p in having.parts if p not in without.parts]}
