"""Whose the bytes of an image are: by the linker's map, the objects of each part, and debug information."""
import collections
import os
import re
import sys

from .base import ROOT, run
from .image import SHARED, WHOLE

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
