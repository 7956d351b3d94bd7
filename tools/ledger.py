#!/usr/bin/env python3
"""The size ledger: what the library costs in flash and RAM, by profile and target, and what each part costs (sizes.toml).

usage: ledger.py [--all]             measures and prints tables by part
       ledger.py --check [--all]     fails with one line per figure that has left its band
       ledger.py --write             measures everything, writes sizes.toml and docs/parts.md
       ledger.py --write --parts P,  only what these parts cost, each alone; "all": every part

A figure may move by 1 in 100, or by 64 bytes, without being written again: what must not grow has a ceiling in
budgets.toml, and the ledger says what a reader of docs/parts.md chooses by. Without --all: the builds of CHECKED. A
target whose compiler is not here, or is another version than the ledger's, is not compared. What a part costs alone
(ledger_parts.py) is compared by tests/parts, which has the builds.

Flash is text, constants and initial data of what a program reaches that uses all public functions of the
profile (tiny: an HTTPS GET in a static block); RAM is data and bss. The port (src/port), the C library and the
TLS library itself are not in it; src/tls, our side of TLS, is a row of its own. Structs where a pointer has 32 bits and
a time 64 are in the ledger too (ledger_structs.py); one may move by 8 bytes, or 3 in 100.
"""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tomllib

import ledger_parts
import ledger_structs
import partlist
import size

ROOT = size.ROOT
LEDGER = os.path.join(ROOT, "sizes.toml")
CROSS = ["-nostartfiles", "-nostdlib", "-Wl,-e,main", "-Wl,--unresolved-symbols=ignore-all",
         "-Wl,--defsym=__flash_size=0x1000000", "-Wl,--defsym=__ram_size=0x1000000"]
DEVICE = {"flags": ["--specs=picolibc.specs", "-fshort-enums", "-DFD_SETSIZE=64", "-Isrc/port/lwip/include",
                    "-isystembuild/size/include"],
          "skip": r"^src/port/|^src/tls/(openssl|mbedtls|wolfssl)|^src/codec/(decode_[bz]|idn)", "link": CROSS}
LINUX = {"cc": "cc", "skip": r"^src/port/",
         "link": ["-no-pie", "-nostdlib", "-Wl,-e,main", "-Wl,--unresolved-symbols=ignore-all"]}


def arm(cpu):
    return {**DEVICE, "cc": "arm-none-eabi-gcc", "flags": [*DEVICE["flags"], f"-mcpu={cpu}", "-mthumb"]}


def riscv(arch):
    return {**DEVICE, "cc": "riscv64-unknown-elf-gcc", "flags": [*DEVICE["flags"], f"-march={arch}", "-mabi=ilp32"]}


TARGETS = {
    "cortex-m3": arm("cortex-m3"), "cortex-m0plus": arm("cortex-m0plus"), "cortex-m4": arm("cortex-m4"),
    "rv32imac": riscv("rv32imac"), "rv32imc": riscv("rv32imc"),
    "x86-64 -Os": {**LINUX, "flags": ["-D_GNU_SOURCE", "-fPIC"]},
    "x86-64 -O2": {**LINUX, "flags": ["-D_GNU_SOURCE", "-fPIC", "-O2"]},
}
CHECKED = [("tiny", "cortex-m3"), ("mcu", "cortex-m3")]
CORES = ("cortex-m0plus", "cortex-m4", "rv32imac", "rv32imc")
BUILDS = [*CHECKED, *((profile, core) for core in CORES for profile in ("tiny", "mcu")), ("tiny", "x86-64 -Os"), ("mcu", "x86-64 -Os"),
          ("http", "x86-64 -Os"), ("full", "x86-64 -Os"), ("http", "x86-64 -O2"), ("full", "x86-64 -O2")]
KINDS = ("library", "tls", "ram")
TINY = """#include <mote/mote.h>
static char block[20000];
static size_t got(char *p, size_t a, size_t b, void *d) { (void)p; (void)d; return a * b; }
int main(void)
{
  struct mote_static_info info;
  long code = 0;
  int rc = mote_init_static(block, sizeof block);
  CURL *c = curl_easy_init();
  curl_easy_setopt(c, CURLOPT_URL, "https://10.0.2.2/");
  curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, got);
  curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 1L);
  rc += curl_easy_perform(c);
  curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &code);
  curl_easy_cleanup(c);
  return rc + (int)code + mote_static_info(&info);
}
"""


# ---- measuring ----

def target_of(name):
    """As size.py wants it: its name there is a folder's."""
    key = "ledger-" + name.replace(" -", "-")
    size.TARGETS[key] = TARGETS[name]
    return key


def vendor_headers():
    """BearSSL's headers, which are the same for every machine, without the rest of /usr/include."""
    folder = os.path.join(ROOT, "build", "size", "include")
    os.makedirs(folder, exist_ok=True)
    for name in ("bearssl.h", "bearssl"):
        found = os.path.join("/usr/include", name)
        if os.path.exists(found) and not os.path.islink(os.path.join(folder, name)):
            os.symlink(found, os.path.join(folder, name))


def program(profile):
    """A program that uses what the profile is for."""
    path = os.path.join(ROOT, "build", "size", f"ledger-{profile}.c")
    text = TINY
    if profile != "tiny":
        with open(os.path.join(ROOT, "exports", "functions.txt"), encoding="utf-8") as f:
            names = re.findall(r"^(?:curl|mote)_\w+$", f.read(), re.M)
        text = "".join(f"void {n}(void);\n" for n in names)
        text += "void (*const volatile all[])(void) = {" + ", ".join(names) + "};\n"
        text += f"int main(void)\n{{\n  int i;\n  for(i = 0; i < {len(names)}; i++)\n    all[i]();\n  return 0;\n}}\n"
    if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    return path


def measure(profile, target):
    """{"part: file": [flash, ram]} of one build."""
    vendor_headers()
    build = size.Build(target_of(target), profile, app=program(profile))
    rows = size.parts_of_files()
    source_of = {os.path.basename(build.object_of(s)): s for s in build.sources}
    found = collections.defaultdict(lambda: [0, 0])
    for kind, symbol, name, n in size.sections(build.link()):
        source = source_of.get(os.path.basename(name))
        if source:
            file = "tables.c" if source.endswith("/tables.c") else source.removeprefix("src/")
            entry = found[f"{size.part_of(source, rows)}: {file}"]
            entry[0] += n if kind != "bss" else 0
            entry[1] += n if kind in ("data", "bss") and not symbol.startswith("rel.ro") else 0
    return dict(sorted(found.items()))


def by_part(files):
    out = collections.defaultdict(lambda: [0, 0])
    for name, (flash, ram) in files.items():
        entry = out[name.split(":")[0]]
        entry[0] += flash
        entry[1] += ram
    return dict(sorted(out.items()))


def totals(files):
    """{"library", "tls", "ram"}"""
    tls = sum(f for name, (f, _) in files.items() if partlist.of_tls("src/" + name.split(": ")[1]))
    return {"library": sum(f for f, _ in files.values()) - tls, "tls": tls, "ram": sum(r for _, r in files.values())}


def compiler(target):
    """The version, or None: it or its C library is not here."""
    cc = TARGETS[target]["cc"]
    if not shutil.which(cc):
        return None
    specs = [f for f in TARGETS[target]["flags"] if f.startswith("--specs")]
    tried = subprocess.run([cc, *specs, "-E", "-"], input="#include <string.h>\n", text=True, capture_output=True,
                           check=False)
    if tried.returncode:
        return None
    return subprocess.run([cc, "-dumpfullversion"], capture_output=True, text=True, check=True).stdout.strip()


# ---- the ledger ----

def read():
    try:
        with open(LEDGER, "rb") as f:
            return tomllib.load(f)
    except FileNotFoundError:
        return {}


def text_of(ledger):
    out = ["# The size ledger, written by tools/ledger.py --write, which says what is counted and how far a figure may\n"
           "# move before it is written again. Bytes; of parts [flash, RAM].\n\n[compilers]\n"]
    out += [f'"{target}" = "{version}"\n' for target, version in ledger["compilers"].items()]
    for profile, target in BUILDS:
        entry = ledger.get(profile, {}).get(target)
        if entry:
            out.append(f'\n[{profile}."{target}"]\n' + "".join(f"{k} = {entry[k]}\n" for k in KINDS))
    out.append(ledger_structs.text_of(ledger.get("structs", {})))
    return "".join(out) + ledger_parts.text_of(ledger.get("part", {}))


def differences(name, old, new):
    """A line for each figure that has left its band."""
    return [f"{name}: {kind}: {old.get(kind, 0):,} -> {new[kind]:,} bytes ({new[kind] - old.get(kind, 0):+,})"
            for kind in KINDS if ledger_parts.has_left(old.get(kind, 0), new[kind])]


# ---- tables ----

def table_by_part(name, files):
    entry = totals(files)
    rows = [f"{flash:8,} {ram:7,} {part}" for part, (flash, ram) in sorted(by_part(files).items(), key=lambda x: -x[1][0])]
    total = f"{entry['library']:8,} {entry['ram']:7,} without tls, which is {entry['tls']:,}"
    return "\n".join([f"{name}", f"{'flash':>8} {'RAM':>7}", *rows, total, ""])


def profile_table(ledger):
    targets = [t for t in TARGETS if any(t in ledger.get(p, {}) for p, _ in BUILDS)]
    if not targets:
        return "Nothing is measured yet.\n"
    out = ["| profile | what for | " + " | ".join(targets) + " | RAM |\n",
           "| --- | --- |" + " ---: |" * (len(targets) + 1) + "\n"]
    titles = ledger_parts.partlist.profiles()
    for profile in dict.fromkeys(p for p, _ in BUILDS):
        have = ledger.get(profile, {})
        cells = [f"{have[t]['library']:,} + {have[t]['tls']:,}" if t in have else "" for t in targets]
        first = next((have[t] for t in targets if t in have), None)
        if first:
            out.append(f"| `{profile}` | {titles[profile]} | " + " | ".join(cells) + f" | {first['ram']:,} |\n")
    return "".join(out)


def page(ledger):
    """docs/parts.md"""
    return ledger_parts.page(profile_table(ledger), ledger.get("part", {}))


def is_old(path, text):
    """Is the file something else than this?"""
    if not os.path.exists(path):
        return True
    with open(path, encoding="utf-8") as f:
        return f.read() != text


def change_of_part(name, having, without):
    """Lines of what has left its band; None: another compiler's figures."""
    ledger = read()
    if ledger.get("compilers", {}).get(ledger_parts.TARGET) != compiler(ledger_parts.TARGET):
        return None
    found = ledger_parts.of(name, having, without)
    return ledger_parts.changes(name, ledger.get("part", {}).get(name), found)


# ---- what is asked for ----

def wanted(everything, ledger=None):
    """(the builds that can be measured, and compared with the ledger; why others cannot)"""
    builds, why = [], {}
    for profile, target in BUILDS if everything else CHECKED:
        version = compiler(target)
        if not version:
            why[target] = f"{TARGETS[target]['cc']} or its C library is not installed"
        elif ledger and ledger["compilers"].get(target) != version:
            why[target] = f"the compiler is {version}, the ledger's {ledger['compilers'].get(target)}"
        else:
            builds.append((profile, target))
    return builds, [f"{target}: not measured: {reason}" for target, reason in why.items()]


def measure_structs(target):
    vendor_headers()
    return ledger_structs.measure(target_of(target))


def check(everything):
    ledger = read()
    if not ledger:
        sys.exit("ledger.py: there is no ledger: tools/ledger.py --write")
    builds, notes = wanted(everything, ledger)
    lines = []
    for profile, target in builds:
        old, new = ledger.get(profile, {}).get(target, {}), totals(measure(profile, target))
        lines += differences(f"{profile}, {target}", old, new)
        if (profile, target) in ledger_structs.BUILDS:
            old = ledger.get("structs", {}).get(target, {})
            lines += ledger_structs.differences(target, old, measure_structs(target))
    if is_old(ledger_parts.PAGE, page(ledger)):
        lines.append("docs/parts.md: the tables are not the ledger's")
    print("".join(f"{x}\n" for x in [*notes, *lines]), end="")
    if lines:
        print("what is right is written by tools/ledger.py --write")
    print(f"{len(builds)} builds compared, {len(lines)} changes")
    return 1 if lines else 0


def write_files(ledger):
    with open(LEDGER, "w", encoding="utf-8") as f:
        f.write(text_of(ledger))
    with open(ledger_parts.PAGE, "w", encoding="utf-8") as f:
        f.write(page(ledger))


def write_parts(ledger, names):
    """Rows of parts that are no more go."""
    known = ledger_parts.partlist.parts()
    rows = {n: row for n, row in ledger.get("part", {}).items() if n in known}
    rows.update(ledger_parts.measure(names, lambda name: print(f"part {name}", flush=True)))
    ledger["part"] = rows
    ledger.setdefault("compilers", {})[ledger_parts.TARGET] = compiler(ledger_parts.TARGET)


def write(parts=None):
    """Everything; parts: only what these cost."""
    ledger = read()
    if not parts:
        builds, notes = wanted(True)
        print("".join(f"{x}\n" for x in notes), end="")
        ledger["compilers"] = {**ledger.get("compilers", {}), **{t: compiler(t) for _, t in builds}}
        for profile, target in builds:
            files = measure(profile, target)
            ledger.setdefault(profile, {})[target] = totals(files)
            if (profile, target) in ledger_structs.BUILDS:
                ledger.setdefault("structs", {})[target] = measure_structs(target)
            print(table_by_part(f"{profile}, {target}", files))
    write_parts(ledger, None if parts in (None, ["all"]) else parts)
    write_files(ledger)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--all", action="store_true")
    ap.add_argument("--check", action="store_true")
    ap.add_argument("--write", action="store_true")
    ap.add_argument("--parts", type=lambda text: [w for w in text.split(",") if w])
    a = ap.parse_args()
    if a.write:
        write(a.parts)
    elif a.check:
        sys.exit(check(a.all))
    else:
        builds, notes = wanted(a.all)
        print("\n".join([*notes, *(table_by_part(f"{p}, {t}", measure(p, t)) for p, t in builds)]))


if __name__ == "__main__":
    main()
