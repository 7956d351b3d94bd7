#!/usr/bin/env python3
"""Images for devices: fetches lwIP and FreeRTOS, builds, measures, runs in the emulator.

usage: device.py fetch [PACKAGE]           Debian's source package (default lwip), pristine, in build/device/, or
                                           "freertos", the kernel; prints the folder
       device.py build NAME [options]      build/device/NAME.elf, .map, .json; prints flash and RAM by part
       device.py run NAME [ARGUMENT...]    boots it in QEMU; ends with its exit status
       device.py all                       builds every image of the tables and the library for RISC-V, measures
                                           them in the emulator, writes build/device/sizes.json (device/images.py)
       device.py ceilings                        flash of the images that device/ceilings.toml speaks of, against it
  device.py check [NAME...]           builds and boots images against servers of this machine's loopback

Options of build:
  --app FILE...           the image's own sources (part "app")
  --profile PROFILE       the library: parts "library" and "tls"; --with PART..., --without PART...
                          change the profile
  --library FILE          likewise, of a list that is there already (sources.txt of cmake/generate.cmake)
  --part NAME=FILE,...    more sources as a part of their own; a FILE may be a folder of .c files. BearSSL comes along
                          with a profile that has it, unless bearssl=FILE,... says which files
  --include DIR...        more include folders        --define X[=Y]...    --system DIR...  of other projects
  --lwip normal|dhcp|small  lwIP's options (device/lwip)  --stack BYTES
  --freertos              lwIP's sockets under FreeRTOS, whose kernel is in FREERTOS_KERNEL_PATH or, where that
                          is not set, comes with cargo's package freertos-next
MOTE_DEVICE_OUT names another folder than build/device for what is built; what is fetched stays there.
The sizes: see sizes_of().
"""
import argparse
import collections
import concurrent.futures
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import partlist

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KEPT = os.path.join(ROOT, "build", "device")  # what is fetched
OUT = os.path.abspath(os.environ.get("MOTE_DEVICE_OUT") or KEPT)
BOARD = "device/mps2-an385"
SHARED = os.path.join(OUT, "shared")
OUR_PARTS = ("app", "board", "port", "library", "tls")
CC = "arm-none-eabi-gcc"
CPU = ["-mcpu=cortex-m3", "-mthumb"]
FLAGS = ["--specs=picolibc.specs", *CPU, "-Os", "-g", "-ffunction-sections", "-fdata-sections", "-fshort-enums",
         "-fno-common", "-ffile-prefix-map=" + ROOT + "/=", "-DNDEBUG"]
# Parts that are optimized as one. The application is not: what it calls stays as it is. Objects have code of
# their own besides (fat), by which sizes_of() finds whose a function is.
WHOLE = ("board", "port", "library", "tls", "mote", "bearssl", "mbedtls", "wolfssl", "lwip")
WHOLE_FLAGS = ["-flto", "-ffat-lto-objects"]
STRICT = ["-std=c11", "-pedantic-errors", "-Wall", "-Wextra", "-Werror"]  # of mote.c (tools/amalgamate)
OURS = ["-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wstrict-prototypes", "-Wvla", "-Werror"]
QEMU = ["qemu-system-arm", "-M", "mps2-an385", "-display", "none", "-monitor", "none", "-serial", "none",
        "-nic", "user,model=lan9118"]
LWIP_FILES = """init def dns inet_chksum ip mem memp netif pbuf sys tcp tcp_in tcp_out timeouts udp
  ipv4/dhcp ipv4/etharp ipv4/icmp ipv4/ip4 ipv4/ip4_addr""".split()
SOCKET_FILES = "api_lib api_msg err netbuf sockets tcpip".split()
KERNEL_VERSION = "0.12.0"
KERNEL_FILES = ["tasks.c", "list.c", "queue.c", "portable/GCC/ARM_CM3/port.c"]
# Of lwIP: where only arguments that a wrong program gives are checked (never bytes that the network gives).
TRUSTED = "tcp tcp_out udp netif memp dhcp etharp".split()
# Of BearSSL: files that are compiled with device/bearssl/less.h.
LESS = "ssl_hs_client rsa_i15_pub".split()


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"device.py: {' '.join(command[:3])} ... failed:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


# ---- Debian's source packages ----

def source_entries(folder="/etc/apt"):
    """The machine's package sources as deb-src, in APT's format; the machine's own files are only read."""
    entries = []
    for path in sorted(glob.glob(folder + "/sources.list.d/*.sources")):
        for stanza in re.split(r"\n\s*\n", open(path, encoding="utf-8").read()):
            if re.search(r"^Types:", stanza, re.M):
                entries.append(re.sub(r"^Types:.*", "Types: deb-src", stanza.strip(), flags=re.M) + "\n")
    entries, lines = list(dict.fromkeys(entries)), []
    for path in [folder + "/sources.list", *sorted(glob.glob(folder + "/sources.list.d/*.list"))]:
        if os.path.exists(path):
            lines += re.findall(r"^deb(?:-src)?(\s.*)$", open(path, encoding="utf-8").read(), re.M)
    return "\n".join(entries), "".join(f"deb-src{line}\n" for line in dict.fromkeys(lines))


def download(package, folder):
    """`apt-get source` with lists and cache of its own: it needs no root and changes nothing of the machine's."""
    stanzas, lines = source_entries()
    for name in ("parts", "lists/partial", "cache/archives/partial"):
        os.makedirs(os.path.join(folder, name))
    for name, text in (("own.sources", stanzas), ("own.list", lines)):
        with open(os.path.join(folder, "parts", name), "w", encoding="utf-8") as f:
            f.write(text)
    apt = ["apt-get", "-q", "-o", "Dir::Etc::SourceList=/dev/null", "-o", f"Dir::Etc::SourceParts={folder}/parts",
           "-o", f"Dir::State::Lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache",
           "-o", "APT::Sandbox::User=root"]
    run([*apt, "update"])
    run([*apt, "source", "--download-only", "--tar-only", package], cwd=folder)
    return glob.glob(os.path.join(folder, "*.orig.tar.*"))


def fetch(package):
    """The upstream sources of a package, without Debian's patches, in build/device/<package>."""
    target = os.path.join(KEPT, package)
    if os.path.isdir(target):
        return target
    os.makedirs(KEPT, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        tars = [t for t in download(package, folder) if not t.endswith(".asc")]
        if len(tars) != 1:
            sys.exit(f"device.py: {package}: {len(tars)} upstream archives")
        unpacked = os.path.join(folder, "unpacked")
        os.mkdir(unpacked)
        run(["tar", "xf", tars[0], "-C", unpacked, "--strip-components=1"])
        try:
            os.rename(unpacked, target)
        except OSError:
            if not os.path.isdir(target):  # another program that runs beside this one was faster
                raise
    return target


def no_kernel():
    """Why the FreeRTOS kernel is not to be had on this machine, or None. `make check` does not install cargo for it."""
    if os.environ.get("FREERTOS_KERNEL_PATH") or os.path.isdir(os.path.join(KEPT, "freertos-next")) or shutil.which("cargo"):
        return None
    return "no FREERTOS_KERNEL_PATH, and no cargo to fetch the kernel with"


def kernel():
    """The folder of the FreeRTOS kernel."""
    given = os.environ.get("FREERTOS_KERNEL_PATH")
    target = os.path.join(KEPT, "freertos-next")
    if no_kernel():
        sys.exit("device.py: " + no_kernel())
    if given or os.path.isdir(target):
        return os.path.abspath(given) if given else os.path.join(target, "FreeRTOS-Kernel")
    os.makedirs(KEPT, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        os.mkdir(os.path.join(folder, "src"))
        with open(os.path.join(folder, "Cargo.toml"), "w", encoding="utf-8") as f:
            f.write('[package]\nname = "kernel"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n'
                    f'[dependencies]\nfreertos-next = "{KERNEL_VERSION}"\n')
        open(os.path.join(folder, "src", "lib.rs"), "w", encoding="utf-8").close()
        run(["cargo", "vendor", "-q", "vendor"], cwd=folder)
        os.rename(os.path.join(folder, "vendor", "freertos-next"), target)
    return os.path.join(target, "FreeRTOS-Kernel")


# ---- building ----

def listed(names):
    """Files; of a folder its .c files."""
    found = []
    for name in names:
        path = os.path.join(ROOT, name)
        found += sorted(glob.glob(path + "/*.c")) if os.path.isdir(path) else [path]
    return found


def port_files(port):
    """A port's sources, with those of another port that it has too (cmake/select.cmake)."""
    with open(os.path.join(ROOT, "cmake", "select.cmake"), encoding="utf-8") as f:
        also = re.search(rf"set\(MOTE_PORT_{port}_ALSO ([^)]*)\)", f.read())
    return listed([f"src/port/{port}", *(f"src/port/{name}.c" for name in (also.group(1).split() if also else []))])


class Image:
    """What an image is made of: parts (name: sources), flags for all, the folder of its objects."""

    def __init__(self, name, app, library=None, parts=None, includes=(), defines=(), lwip="normal", stack=16384,
                 port="lwip", system=(), kept=(), memory="256K"):
        self.name, self.stack, self.kept, self.memory = name, stack, kept, memory
        sockets = port != "lwip"  # in tasks of FreeRTOS
        self.interrupt_stack = 512 if sockets else 0
        self.folder = os.path.join(OUT, name + ".obj")
        lwip_root = fetch("lwip")
        way = f"{BOARD}/{'freertos' if sockets else 'bare'}"
        self.parts = {"app": listed(app), "board": listed([BOARD, way]), "port": port_files(port),
                      "libc": listed(["device/libc"]),
                      "lwip": [f"{lwip_root}/src/core/{f}.c" for f in LWIP_FILES]
                      + [f"{lwip_root}/src/netif/ethernet.c"]}
        self.config = [way, BOARD, "device/lwip"]
        self.includes = [*includes, "src", "include", *self.config, f"src/port/{port}/include"]
        self.system = [*system, f"{lwip_root}/src/include"]
        self.defines = {"MOTE_BUILDING", *defines, *(["MOTE_LWIP_" + lwip.upper()] if lwip != "normal" else [])}
        if sockets:
            self.add_kernel(f"{lwip_root}/src/api")
        if library:
            words = open(library, encoding="utf-8").read().split()
            self.includes += [w[2:] for w in words if w.startswith("-I")]
            self.defines |= {w[2:] for w in words if w.startswith("-D")}
            sources = [w for w in words if w[0] != "-" and not w.startswith("src/port/")]
            self.parts["library"] = listed(w for w in sources if not partlist.of_tls(w))
            self.parts["tls"] = listed(w for w in sources if partlist.of_tls(w))
        for part, files in (parts or {}).items():
            self.parts[part] = listed(files)

    def add_kernel(self, sockets):
        root = kernel()
        self.parts["rtos"] = [os.path.join(root, f) for f in KERNEL_FILES]
        self.parts["board"] += listed(["device/freertos"])
        self.parts["lwip"] += [f"{sockets}/{f}.c" for f in SOCKET_FILES]
        self.includes.append("device/freertos")
        self.config.append("device/freertos")
        self.system += [f"{root}/include", f"{root}/portable/GCC/ARM_CM3"]
        self.defines.add("MOTE_LWIP_FREERTOS")

    def flags(self, part, source):
        # BearSSL knows nothing of lwIP or the board: its objects are the same in all images
        includes = self.includes if part in OUR_PARTS else self.config if part != "bearssl" else []
        flags = FLAGS + [f"-I{os.path.join(ROOT, i)}" for i in includes]
        defines = self.defines - ({"MOTE_BUILDING"} if part in ("app", "mote") else set()) # outside of the library
        if part == "mote":
            return [*FLAGS, *(f"-I{os.path.join(ROOT, i)}" for i in self.config), *STRICT, *WHOLE_FLAGS,
                    *(a for s in self.system for a in ("-isystem", s)), *(f"-D{d}" for d in sorted(defines))]
        if part not in OUR_PARTS:
            needed = ("MOTE_LWIP_", "DNS_", "MBEDTLS_", "WOLFSSL_") if part != "bearssl" else ()
            defines = {d for d in defines if d.startswith(needed)}
        flags += [a for s in self.system for a in ("-isystem", s)] + [f"-D{d}" for d in sorted(defines)]
        if part == "lwip":
            trusted = os.path.basename(source)[:-2] in TRUSTED
            flags += ["-include", os.path.join(ROOT, "device", "lwip", "atoi.h")]
            return flags + ["-w", *WHOLE_FLAGS] + (["-DLWIP_ERROR(text, right, otherwise)="] if trusted else [])
        # BearSSL: time and random bytes are the port's.
        flags += WHOLE_FLAGS if part in WHOLE else []
        if part == "bearssl" and os.path.basename(source)[:-2] in LESS:
            flags += ["-include", os.path.join(ROOT, "device", "bearssl", "less.h")]
        return flags + (OURS if part in OUR_PARTS else ["-w", "-DBR_USE_UNIX_TIME=0", "-DBR_USE_URANDOM=0"])

    def object(self, part, source):
        """Where a source's object goes: what is not ours is shared by all images that compile it alike."""
        if part in OUR_PARTS:
            return os.path.join(self.folder, part, object_name(source))
        alike = hashlib.sha256("\0".join(self.flags(part, source)).encode()).hexdigest()[:16]
        return os.path.join(SHARED, part, alike, object_name(source))

    def path(self, suffix):
        return os.path.join(OUT, self.name + suffix)


def profile(name, chosen, more=(), less=(), port="lwip"):
    """Writes the list of the library's sources in a profile (cmake/generate.cmake); its path."""
    out = os.path.join(OUT, name + ".parts")
    run(["cmake", f"-DPROFILE={chosen}", f"-DPORT={port}", f"-DWITH={';'.join(more)}", f"-DWITHOUT={';'.join(less)}",
         f"-DOUT={out}", "-P", os.path.join(ROOT, "cmake", "generate.cmake")], cwd=ROOT)
    return os.path.join(out, "sources.txt")


def in_one_file(image, chosen, tls, port, more=(), less=()):
    """The image with the library as tools/amalgamate writes it: a part "mote" in place of library, tls and port."""
    folder = image.path(".mote")
    run([os.path.join(ROOT, "tools", "amalgamate"), chosen, port, tls, "--out", folder,
         *(["--with", *more] if more else []), *(["--without", *less] if less else [])])
    for part in ("library", "tls", "port"):
        del image.parts[part]
    image.parts["mote"] = listed([folder])
    return image


def current(obj, stamp):
    """Was the object made by this command, and is it younger than all it was made of?"""
    try:
        depends = open(obj[:-2] + ".d", encoding="utf-8").read()
        if open(obj[:-2] + ".cmd", encoding="utf-8").read() != stamp:
            return False
        made = os.path.getmtime(obj)
        return all(os.path.getmtime(f) <= made for f in depends.replace("\\\n", " ").split(":", 1)[1].split())
    except OSError:
        return False


def compile_one(source, obj, flags, compiler=(CC,)):
    command = [*compiler, *flags, "-MD", "-c", source, "-o", obj]
    stamp = hashlib.sha256("\0".join(command).encode()).hexdigest()
    if not current(obj, stamp):
        os.makedirs(os.path.dirname(obj), exist_ok=True)
        run(command, cwd=ROOT)  # debug information has the paths
        with open(obj[:-2] + ".cmd", "w", encoding="utf-8") as f:
            f.write(stamp)
    return obj


def object_name(source):
    return re.sub(r"\.c$", ".o", os.path.relpath(source, ROOT)).replace("../", "").replace("/", "_")


def build(image):
    jobs = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for part, sources in image.parts.items():
            for source in sources:
                obj = image.object(part, source)
                jobs.append(pool.submit(compile_one, source, obj, image.flags(part, source)))
        objects = [j.result() for j in jobs]
    script = os.path.join(ROOT, BOARD, "link.ld")
    run([CC, "--specs=picolibc.specs", *CPU, "-Os", "-flto", "-flto-partition=one", "-ffunction-sections",
         "-fdata-sections", "-nostartfiles", "-T", script,
         f"-Wl,--defsym=board_flash_size={image.memory}",
         f"-Wl,--defsym=board_stack_size={image.stack}",
         f"-Wl,--defsym=board_interrupt_stack_size={image.interrupt_stack}",
         *(f"-Wl,-u,{symbol}" for symbol in image.kept),
         f"-Wl,-Map={image.path('.map')}", "-Wl,--gc-sections", "-Wl,--no-warn-rwx-segments",
         *objects, "-o", image.path(".elf")])
    sizes = sizes_of(image)
    with open(image.path(".json"), "w", encoding="utf-8") as f:
        json.dump(sizes, f, indent=2)
        f.write("\n")
    return sizes


# ---- measuring ----

Piece = collections.namedtuple("Piece", "section at size obj name")
SECTION = re.compile(r"^(\.\w+)(?:\s+0x[0-9a-f]+\s+0x[0-9a-f]+)?")
PIECE = re.compile(r"^ (\*fill\*|\.\S+|COMMON)?\s+0x([0-9a-f]+)\s+0x([0-9a-f]+)\s*(\S.*)?$")


def pieces(map_text):
    """The Piece objects of the linker's map; padding belongs to what is before it."""
    last = None
    section, owner = None, ("", "")
    text = map_text.split("Linker script and memory map", 1)[1]
    for line in re.sub(r"^( \S+)\n\s+(?=0x)", r"\1 ", text, flags=re.M).splitlines():
        head, piece = SECTION.match(line), PIECE.match(line)
        if last and (head or piece):
            begin = int(piece.group(2), 16) if piece and not head else None
            # Strings that share their ends with others are counted as if they did not.
            over = begin is not None and begin >= last.at
            yield last._replace(size=min(last.size, begin - last.at)) if over else last
            last = None
        if head:
            section, owner = head.group(1), ("", "")
        elif piece and section:
            owner = (piece.group(4), piece.group(1) or "") if piece.group(4) else owner
            last = Piece(section, int(piece.group(2), 16), int(piece.group(3), 16), *owner)
    if last:
        yield last


# ---- whose the bytes are ----

FLASH_SECTIONS = (".text", ".data", ".tdata")
RAM_SECTIONS = (".data", ".tdata", ".tbss", ".bss")

SUFFIX = re.compile(r"\.(?:isra|constprop|part|lto_priv|cold|localalias|str1|\d+)\b.*")


def symbol_of(name):
    """What the compiler made a section for: ".text.unlikely.f.isra.0" and ".rodata.f.str1.1" are f's."""
    return SUFFIX.sub("", re.sub(r"^\.(?:text|rodata|data|bss)\.(?:(?:unlikely|startup|hot)\.)?", "", name))


def owners(image):
    """{symbol: {part: bytes}}, of the objects as they were compiled one by one."""
    found = {}
    for part in [p for p, sources in image.parts.items() if p in WHOLE and sources]:
        objects = [image.object(part, s) for s in image.parts[part]]
        for line in run(["arm-none-eabi-readelf", "-SW", *objects]).splitlines():
            words = line.partition("]")[2].split()
            if len(words) > 4 and words[1] in ("PROGBITS", "NOBITS") and not words[0].startswith((".debug", ".gnu")):
                sizes = found.setdefault(symbol_of(words[0]), {})
                sizes[part] = max(sizes.get(part, 0), int(words[4], 16))
    return found


def files_of(image):
    """{source, or folder that holds sources: part}."""
    found = {}
    for part, sources in image.parts.items():
        for path in map(os.path.realpath, sources):
            found[path] = part
            while path != "/":
                path = os.path.dirname(path)
                found.setdefault(path, part)
    return found


def part_of_file(path, files):
    """A header belongs to the part whose sources are nearest."""
    path = os.path.realpath(os.path.join(ROOT, path))
    while path not in files:
        path = os.path.dirname(path)
    return files[path]


def part_of(obj, folder):
    for root in (folder, SHARED):
        if obj.startswith(root + "/"):
            return os.path.relpath(obj, root).split("/")[0]
    return "libc" if re.search(r"/lib(c|gcc)\.a\(", obj) else "other"


def by_symbol(piece, owned):
    """Of parts that have a symbol of that name, the one whose is nearest in size."""
    parts = owned.get(symbol_of(piece.name), {"other": 0})
    return min(parts, key=lambda part: abs(parts[part] - piece.size))


def by_line(elf, code, files, owned):
    """{part: bytes} of functions: what is inlined is of the part that it was written in."""
    found = {}
    addresses = [(piece, at) for piece in code for at in range(piece.at, piece.at + piece.size, 2)]
    lines = run(["arm-none-eabi-addr2line", "-e", elf], input="".join(f"{at:x}\n" for _, at in addresses))
    for (piece, at), line in zip(addresses, lines.splitlines(), strict=True):
        path = line.rsplit(":", 1)[0]
        part = by_symbol(piece, owned) if path == "??" else part_of_file(path, files)
        found[part] = found.get(part, 0) + min(2, piece.at + piece.size - at)
    return found


def attributed(image):
    """(output section, part, bytes) of all that was linked."""
    owned, code = owners(image), []
    with open(image.path(".map"), encoding="utf-8") as f:
        for piece in pieces(f.read()):
            if ".ltrans" not in piece.obj:
                yield piece.section, part_of(piece.obj, image.folder), piece.size
            elif piece.name.startswith(".text."):
                code.append(piece)
            else:
                yield piece.section, by_symbol(piece, owned), piece.size
    for part, size in by_line(image.path(".elf"), code, files_of(image), owned).items():
        yield ".text", part, size


def sizes_of(image):
    """Bytes by part: {"flash": {part: n}, "ram": {part: n}, "image_flash", "image_ram", "library_text",
    "https_text", "stack"}. Initialised data counts in both; the stack is reserved, not used."""
    flash, ram = {}, {}
    for section, part, size in attributed(image):
        if section in FLASH_SECTIONS:
            flash[part] = flash.get(part, 0) + size
        if section in RAM_SECTIONS:
            ram[part] = ram.get(part, 0) + size
    check_against_elf(image, sum(flash.values()), sum(ram.values()))
    tls = [p for p in flash if p not in ("app", "board", "port", "lwip", "rtos", "library", "libc", "other")]
    library = flash.get("library", 0)
    return {"flash": flash, "ram": ram, "image_flash": sum(flash.values()), "image_ram": sum(ram.values()),
            "library_text": library, "https_text": library + flash.get("libc", 0) + sum(flash[p] for p in tls),
            "stack": image.stack + image.interrupt_stack}


def check_against_elf(image, flash, ram):
    size = {}
    for line in run(["arm-none-eabi-size", "-A", image.path(".elf")]).splitlines():
        words = line.split()
        if len(words) == 3 and words[0].startswith("."):
            size[words[0]] = int(words[1])
    elf = tuple(sum(size.get(s, 0) for s in sections) for sections in (FLASH_SECTIONS, RAM_SECTIONS))
    if elf != (flash, ram):
        sys.exit(f"device.py: {image.name}: the map says {flash}, {ram} bytes, the image has {elf}")


def table(sizes):
    parts = sorted(set(sizes["flash"]) | set(sizes["ram"]))
    rows = [f"{p:10} {sizes['flash'].get(p, 0):8} {sizes['ram'].get(p, 0):8}" for p in parts]
    total = f"{'image':10} {sizes['image_flash']:8} {sizes['image_ram']:8}   and {sizes['stack']} of stack"
    return "\n".join([f"{'bytes':10} {'flash':>8} {'ram':>8}", *rows, total])


# ---- running ----

def command(name, arguments=()):
    """How to boot an image with `arguments`."""
    words = "".join(",arg=" + a.replace(",", ",,") for a in arguments)
    return [*QEMU, "-semihosting-config", "enable=on,target=native" + words,
            "-kernel", os.path.join(OUT, name + ".elf")]


def boot(name, arguments=(), timeout=60):
    """(exit status, what it printed). Status 124: it did not end in time."""
    try:
        done = subprocess.run(command(name, arguments), capture_output=True, timeout=timeout, check=False)
        return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")
    except subprocess.TimeoutExpired as e:
        return 124, ((e.stdout or b"") + (e.stderr or b"")).decode("utf-8", "replace")


def parse():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = ap.add_subparsers(dest="what", required=True)
    sub.add_parser("fetch").add_argument("package", nargs="?", default="lwip")
    b = sub.add_parser("build")
    b.add_argument("name")
    for option in ("--app", "--part", "--include", "--system", "--define", "--with", "--without"):
        b.add_argument(option, nargs="+", default=[], action="extend")
    b.add_argument("--library")
    b.add_argument("--profile")
    b.add_argument("--lwip", choices=("normal", "dhcp", "small"), default="normal")
    b.add_argument("--stack", type=int, default=16384)
    b.add_argument("--freertos", dest="port", action="store_const", const="freertos", default="lwip")
    r = sub.add_parser("run")
    r.add_argument("name")
    r.add_argument("arguments", nargs="*")
    sub.add_parser("all")
    sub.add_parser("ceilings")
    sub.add_parser("check").add_argument("names", nargs="*", metavar="NAME", help="smoke port-test tiny-plain tiny")
    return ap.parse_args()


def has_bearssl(library):
    """Is it one of the parts that the list was made of, with no sources given for it?"""
    chosen = os.path.join(os.path.dirname(library or ""), "parts.txt")
    return os.path.exists(chosen) and "bearssl" in open(chosen, encoding="utf-8").read().split()


def image_of(a, bearssl):
    """bearssl(): its sources and include folders."""
    library = profile(a.name, a.profile, vars(a)["with"], a.without, a.port) if a.profile else a.library
    parts = {p: files.split(",") for p, files in (text.split("=", 1) for text in a.part)}
    if has_bearssl(library) and "bearssl" not in parts:
        parts["bearssl"], folders = bearssl()
        a.system = [*a.system, *folders]
    return Image(a.name, a.app, library, parts, a.include, a.define, a.lwip, a.stack, a.port,
                 a.system)


def main():
    a = parse()
    sys.path.insert(0, os.path.join(ROOT, "device"))
    import images
    if not shutil.which(CC) or a.what != "ceilings" and not shutil.which(QEMU[0]):
        sys.exit("device.py: no cross compiler or no emulator: tools/setup --device")
    if a.what == "fetch":
        print(kernel() if a.package == "freertos" else fetch(a.package))
    elif a.what == "build":
        print(table(build(image_of(a, images.bearssl))))
    elif a.what == "run":
        sys.exit(subprocess.run(command(a.name, a.arguments), check=False).returncode)
    elif a.what == "all":
        images.build_all()
    elif a.what == "ceilings":
        sys.exit(images.check_ceilings())
    else:
        sys.exit(images.check(a.names))


if __name__ == "__main__":
    main()
