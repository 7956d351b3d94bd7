"""What the files of this package share: where things are, and a command that must succeed."""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KEPT = os.path.join(ROOT, "build", "device")  # what is fetched
OUT = os.path.abspath(os.environ.get("MOTE_DEVICE_OUT") or KEPT)


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"device.py: {' '.join(command[:3])} ... failed:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout
