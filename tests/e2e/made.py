"""What all runs of the tests may share, made once: the driver and the preloaded library (programs/) and certificates
(certs/). Who starts several runs names the folder in MOTE_E2E_MADE.

usage: made.py FOLDER      into a folder that exists; the library is the one that mote_driver.py names
"""
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

from certs import Certs  # noqa: E402
from programs import compile_programs, compiled  # noqa: E402

FOLDER = os.environ.get("MOTE_E2E_MADE")


def make(folder):
    for name in ("programs", "certs"):
        os.makedirs(os.path.join(folder, name))
    compile_programs(os.path.join(folder, "programs"))
    Certs(os.path.join(folder, "certs"))


def programs(folder):
    """Those of a run: where they are. folder: a function that gives a new one."""
    return compiled(os.path.join(FOLDER, "programs")) if FOLDER else compile_programs(folder("programs"))


def certificates(folder):
    """Those of a run, in a folder of its own."""
    own = str(folder("certs"))
    if not FOLDER:
        return Certs(own)
    shutil.copytree(os.path.join(FOLDER, "certs"), own, symlinks=True, dirs_exist_ok=True)
    return Certs(own, made=True)


if __name__ == "__main__":
    make(sys.argv[1])
