"""Compiles the driver and what is preloaded to count and to make calls fail (tests/preload)."""

import functools
import glob
import os
import subprocess
import sys

from mote_driver import ARCHIVE, LIBRARY, REPO, SANITIZED

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))
import preload  # noqa: E402


@functools.cache
def system():
    """The folder of driver/ for the system that the compiler compiles for."""
    machine = subprocess.run([os.environ.get("CC", "cc"), "-dumpmachine"], capture_output=True, text=True, check=False).stdout
    return "windows" if "mingw" in machine else "posix"


def compiled(folder):
    """Where they are."""
    name = "driver.exe" if system() == "windows" else "driver"
    return {"driver": os.path.join(folder, name), "preload": os.path.join(folder, "preload.so")}


def compile_programs(folder):
    out = compiled(str(folder))
    cc = os.environ.get("CC", "cc")
    include = os.path.join(REPO, "include")
    flags = ["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra"]
    if os.path.exists(os.path.join(include, "curl", "multi.h")) and LIBRARY:
        flags += ["-I", include]
    # linked against any libcurl.so.4: the one of this run is found by LD_LIBRARY_PATH
    link = [os.path.join(LIBRARY, "libcurl.so.4"), "-Wl,--allow-shlib-undefined"] if LIBRARY else ["-lcurl"]
    if ARCHIVE:
        link = ["-DDRIVER_ARCHIVE", *ARCHIVE]
    folders = [os.path.join(HERE, "driver"), os.path.join(HERE, "driver", system())]
    flags += ["-I" + folder for folder in folders]
    link += ["-lpthread", "-static" if system() == "windows" else "-ldl"]
    sources = sorted(path for folder in folders for path in glob.glob(os.path.join(folder, "*.c")))
    subprocess.run([cc, *flags, *sources, "-o", out["driver"], *link], check=True)
    if not ARCHIVE:
        preload.compiled(out["preload"], sanitized=bool(SANITIZED))
    return out
