"""Figures of images against device/ceilings.toml, and all of them for the pages: `device.py ceilings`, `device.py all`."""
import json
import os
import re
import tomllib

from . import matrix
from .base import OUT, ROOT, run
from .build import build, compile_one
from .checks import keep_websocket
from .fetches import measure
from .image import CPU, WHOLE_FLAGS, object_name
from .images import TINY, tiny, websocket
from .sizes import table

RISCV = ["riscv64-unknown-elf-gcc", "--specs=picolibc.specs", "-march=rv32imac", "-mabi=ilp32"]
FLASH = {"library_text": ("tiny-baremetal", "library_text"), "https_text": ("tiny-baremetal", "https_text"),
         "https_text_small": ("tiny-small-baremetal", "https_text"), "image_flash": ("tiny-baremetal", "image_flash"),
         "image_flash_dhcp": ("tiny-dhcp-baremetal", "image_flash"),
         "image_flash_small": ("tiny-small-baremetal", "image_flash")}


def against_ceilings(found):
    """(a line for each figure, how many are over their ceilings)"""
    with open(os.path.join(ROOT, "device", "ceilings.toml"), "rb") as f:
        ceilings = tomllib.load(f)
    lines, over = [], 0
    for key, value in found.items():
        ceiling = ceilings.get(key)
        line = f"{key:17} {value:7,}" if value is not None else f"{key:17} not measured"
        line += f" of {ceiling:7,}" if ceiling else ""
        if ceiling and value is not None and value > ceiling:
            line += f": OVER by {value - ceiling:,}"
            over += 1
        lines.append(line)
    return lines, over


def check_ceilings(short):
    """Builds the images whose flash is promised, or the smallest and the usual one; 1 when one is over its ceiling."""
    wanted = {key: of for key, of in FLASH.items() if not short or of[0] in ("tiny-baremetal", "tiny-small-baremetal")}
    sizes = {name: build(tiny(name, **TINY[name])) for name in dict(wanted.values())}
    lines, over = against_ceilings({key: sizes[name][kind] for key, (name, kind) in wanted.items()})
    print("\n".join([*lines, f"{len(lines)} figures, {over} over"]))
    return 1 if over else 0


def riscv():
    """Bytes of the library's and the port's code for RISC-V, compiled and not linked."""
    image = tiny("tiny-riscv")
    total = 0
    for part in ("library", "tls", "port"):
        for source in image.parts[part]:
            flags = [f for f in image.flags(part, source) if f not in [*CPU, *WHOLE_FLAGS, *RISCV]]
            obj = os.path.join(image.folder, "riscv-" + part, object_name(source))
            compile_one(source, obj, flags, RISCV)
            text = run(["riscv64-unknown-elf-size", obj]).splitlines()[1].split()
            total += int(text[0]) + int(text[1])
    return total


def websocket_figures(sizes):
    """(what is promised of device/websocket, why it could not be measured)"""
    image = websocket("lwip")
    sizes[image.name] = build(image)
    ram = sum(sizes[image.name]["ram"].get(p, 0) for p in ("library", "tls", "bearssl"))
    status, text = keep_websocket(image.name)
    seen = {key: int(value) for key, value in re.findall(r"(idle|peak) (\d+)", text)}
    found = {"websocket_flash": sizes[image.name]["image_flash"]}
    for key in ("idle", "peak"):
        found["websocket_" + key] = None if status else seen[key] + ram
    return found, {f"websocket_{key}": text.strip() for key in ("idle", "peak") if status}


def figures(sizes):
    """What the design promises, by name; what could not be measured is null and has a reason."""
    reasons = {}
    found = {key: sizes[name][kind] for key, (name, kind) in FLASH.items()}
    for key, name in (("ram_tls_16k", "tiny-baremetal"), ("ram_tls_512", "tiny-512-baremetal")):
        taken, why = measure(name)
        found[key] = None
        if taken:
            ram = sizes[name]["ram"]
            found[key] = taken[0] + sum(ram.get(p, 0) for p in ("library", "tls", "bearssl"))
            found["stack"] = max(taken[1], found.get("stack", 0))
        else:
            reasons[key] = why
    found.setdefault("stack", None)
    of_websocket, why = websocket_figures(sizes)
    found.update(of_websocket)
    reasons.update(why)
    try:
        found["riscv_text"] = riscv()
    except FileNotFoundError:
        found["riscv_text"], reasons["riscv_text"] = None, "no riscv64-unknown-elf-gcc"
    return {**found, "reasons": reasons, "parts": sizes["tiny-baremetal"]["flash"], "images": sizes}


def build_all():
    sizes = {}
    for name, how in TINY.items():
        sizes[name] = build(tiny(name, **how))
        print(f"{name}:\n{table(sizes[name])}\n", flush=True)
    found = figures(sizes)
    lines, _ = against_ceilings({k: v for k, v in found.items() if k not in ("reasons", "parts", "images")})
    found["matrix"] = {name: matrix.row(name) for name in matrix.ROWS}
    print("\n".join([*lines, *(f"{key} is not measured: {why}" for key, why in found["reasons"].items())]))
    with open(os.path.join(OUT, "sizes.json"), "w", encoding="utf-8") as f:
        json.dump(found, f, indent=2)
        f.write("\n")
