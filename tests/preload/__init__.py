"""The library that tests, the bench and tools preload (preload.h says what it does), and how it is compiled."""
import glob
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
HEADER = os.path.join(HERE, "preload.h")
FLAGS = ["-std=gnu11", "-O2", "-g", "-Wall", "-Wextra", "-fno-builtin", "-fvisibility=hidden", "-shared",
         "-fPIC"]


class Failed(Exception):
    """The compiler's output."""


def compiled(path, sanitized=False):
    """The library at this path, compiled where it is older than a source. sanitized: a sanitizer's runtime is
    loaded before it, and has the allocator."""
    path = str(path)
    sources = glob.glob(os.path.join(HERE, "*.[ch]"))
    if os.path.exists(path) and os.path.getmtime(path) >= max(map(os.path.getmtime, sources)):
        return path
    cmd = [os.environ.get("CC", "cc"), *FLAGS, *(["-DPRELOAD_NO_MEMORY"] if sanitized else []),
           *sorted(s for s in sources if s.endswith(".c")), "-o", path, "-ldl"]
    done = subprocess.run(cmd, capture_output=True, text=True)
    if done.returncode:
        raise Failed(" ".join(cmd) + "\n" + done.stderr)
    return path
