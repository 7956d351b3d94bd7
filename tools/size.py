#!/usr/bin/env python3
"""What the library costs in a build: bytes by part and by file, of one program that fetches a page.

usage: size.py [--profile NAME] [--with P,...] [--without P,...] [--target NAME] [--by part|file|symbol]
               [--json FILE] [--app FILE.c] [--keep]

Compiles the profile's sources with -Os for the target, links them with a small program (--app: another), leaves
out what nothing refers to, and reads the linker's map. Targets: cortex-m3 (picolibc; the port's and the TLS
library's functions stay open), linux (this machine, --gc-sections). Text and constants count as flash; data as
flash and RAM. The port (src/port) and TLS (src/tls) are counted apart; "library" is everything else of src/.
A file belongs to the part of cmake/parts.cmake that names it, else to its folder.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys

import partlist

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMMON = ["-std=c11", "-Os", "-ffunction-sections", "-fdata-sections", "-fno-common", "-DNDEBUG"]
TARGETS = {
    "cortex-m3": {
        "cc": "arm-none-eabi-gcc",
        "flags": ["--specs=picolibc.specs", "-mcpu=cortex-m3", "-mthumb", "-fshort-enums", "-DFD_SETSIZE=64",
                  "-Isrc/port/lwip/include"],
        "skip": r"^src/port/|^src/(tls/(openssl|bearssl|mbedtls|wolfssl)|small/bearssl)|^src/codec/(decode_[bz]|idn)",
        "link": ["-nostartfiles", "-nostdlib", "-Wl,-e,main", "-Wl,--unresolved-symbols=ignore-all",
                 "-Wl,--defsym=__flash_size=0x1000000", "-Wl,--defsym=__ram_size=0x100000"],
    },
    "linux": {"cc": "cc", "flags": ["-D_GNU_SOURCE", "-fPIC"], "skip": r"^$",
              "link": ["-no-pie", "-nostdlib", "-Wl,-e,main", "-Wl,--unresolved-symbols=ignore-all"]},
}
APP = """#include <curl/curl.h>
static size_t got(char *p, size_t a, size_t b, void *d) { (void)p; (void)d; return a * b; }
int main(void)
{
  CURL *c = curl_easy_init();
  long code = 0;
  int rc;
  curl_easy_setopt(c, CURLOPT_URL, "http://10.0.2.2/");
  curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, got);
  curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 1L);
  rc = curl_easy_perform(c);
  curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &code);
  curl_easy_cleanup(c);
  return rc + (int)code;
}
"""


def run(command, **more):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"size.py: {' '.join(command[:2])} ... {command[-1]}: failed\n{done.stderr[-4000:]}")
    return done.stdout


def parts_of_files():
    """(pattern of a source, its part) of the whole list."""
    rows = []
    for name, fields in partlist.parts().items():
        rows += [(partlist.pattern(w), name) for w in fields.get("FILES", [])]
        rows += [(partlist.pattern(w), "without " + name) for w in fields.get("INSTEAD", [])]
    return rows


def part_of(source, rows):
    for pattern, name in rows:
        if pattern.fullmatch(source):
            return name
    return source.split("/")[1] if source.startswith("src/") else "tables"


class Build:
    """One profile for one target, in a folder of its own; objects that are newer than their sources are kept."""

    def __init__(self, target, profile, with_parts=(), without=(), app=None):
        self.target = TARGETS[target]
        label = hashlib.sha256(repr((profile, sorted(with_parts), sorted(without))).encode()).hexdigest()[:8]
        self.out = os.path.join(ROOT, "build", "size", f"{target}-{profile}-{label}")
        os.makedirs(self.out, exist_ok=True)
        flags, sources, _ = partlist.generate(self.out, profile, with_parts, without,
                                              "linux" if target == "linux" else "posix")
        self.flags = [*COMMON, *self.target["flags"], *flags]
        self.sources = [s for s in sources if not re.search(self.target["skip"], s)]
        self.app = app or os.path.join(self.out, "app.c")
        if not app:
            with open(self.app, "w", encoding="utf-8") as f:
                f.write(APP)

    def object_of(self, source):
        return os.path.join(self.out, source.replace("/", "_").removesuffix(".c") + ".o")

    def is_fresh(self, source):
        """Is the object newer than all that it was made of?"""
        made = self.object_of(source)
        if not os.path.exists(made) or not os.path.exists(made + ".d"):
            return False
        needs = open(made + ".d", encoding="utf-8").read().replace("\\\n", " ").split(":", 1)[1].split()
        paths = [os.path.join(ROOT, n) for n in needs]
        return all(os.path.exists(p) and os.path.getmtime(p) < os.path.getmtime(made) for p in paths)

    def compile(self, source):
        made = self.object_of(source)
        if not self.is_fresh(source):
            run([self.target["cc"], *self.flags, "-MD", "-MF", made + ".d", "-c", "-o", made, source])

    def link(self):
        sources = [*self.sources, self.app]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(self.compile, sources))
        elf = os.path.join(self.out, "app.elf")
        flags = [f for f in self.target["flags"] if f.startswith(("-m", "--specs"))]
        run([self.target["cc"], *flags, *self.target["link"], "-Wl,--gc-sections", f"-Wl,-Map={elf}.map", "-o", elf,
             *[self.object_of(s) for s in sources]])
        return elf + ".map"


def sections(map_file):
    """(kind, symbol, object, bytes) of every input section that was kept."""
    text = open(map_file, encoding="utf-8").read().split("Linker script and memory map")[1]
    row = re.compile(r"^ \.(text|rodata|data|bss)([^\s]*)\s+0x[0-9a-f]+\s+0x([0-9a-f]+)\s+(\S+\.o)$", re.M)
    for kind, symbol, size, name in row.findall(text):
        if int(size, 16):
            yield kind, symbol.lstrip("."), name, int(size, 16)


def measure(target="cortex-m3", profile="tiny", with_parts=(), without=(), app=None):
    """{"flash", "ram", "library", "by_part", "by_file", "by_symbol", ...}, in bytes."""
    build = Build(target, profile, with_parts, without, app)
    rows = parts_of_files()
    source_of = {os.path.basename(build.object_of(s)): s for s in build.sources}
    counts = {key: collections.Counter() for key in ("part", "file", "symbol")}
    ram = flash = library = 0
    for kind, symbol, name, size in sections(build.link()):
        source = source_of.get(os.path.basename(name))
        if not source:
            continue
        ram += size if kind in ("data", "bss") else 0
        if kind == "bss":
            continue
        flash += size
        library += 0 if re.match(r"src/(port|tls)/", source) else size
        counts["part"][part_of(source, rows)] += size
        counts["file"][source.removeprefix("src/")] += size
        counts["symbol"][source.removeprefix("src/") + ":" + symbol] += size
    return {"target": target, "profile": profile, "with": list(with_parts), "without": list(without),
            "flash": flash, "ram": ram, "library": library,
            **{"by_" + key: dict(c.most_common()) for key, c in counts.items()}}


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words = lambda text: [w for w in re.split("[,;]", text) if w]
    p.add_argument("--profile", default="tiny")
    p.add_argument("--with", dest="with_parts", type=words, default=[])
    p.add_argument("--without", type=words, default=[])
    p.add_argument("--target", choices=sorted(TARGETS), default="cortex-m3")
    p.add_argument("--by", choices=["part", "file", "symbol"], default="part")
    p.add_argument("--json", metavar="FILE")
    p.add_argument("--app", metavar="FILE.c")
    return p.parse_args()


def main():
    a = arguments()
    found = measure(a.target, a.profile, a.with_parts, a.without, a.app and os.path.abspath(a.app))
    for name, size in found["by_" + a.by].items():
        print(f"{size:7,} {name}")
    print(f"{found['library']:7,} library ({a.profile}, {a.target}); with port and TLS {found['flash']:,}, "
          f"RAM {found['ram']:,}")
    if a.json:
        with open(a.json, "w", encoding="utf-8") as f:
            json.dump(found, f, indent=1)
            f.write("\n")


if __name__ == "__main__":
    main()
