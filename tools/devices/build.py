"""Compiles and links an image; what is up to date stays."""
import concurrent.futures
import hashlib
import json
import os

from .base import ROOT, run
from .image import BOARD, CC, CPU
from .sizes import sizes_of


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
