"""Steps that compare figures with what is written down: budgets, sizes, images."""
import os
import re
import shutil
import tomllib

from steps.base import PYTHON, Result, path, run


def held(*options):
    """What bench/budgets.py says with these options."""
    cmd = [PYTHON, path("bench/budgets.py"), *options]
    status, text = run(cmd, ahead=True)  # a server that is late sends less at a time, and its client reads more often
    m = re.search(r"(\d+) within, (\d+) over", text)
    if not m:
        return Result.failure("budgets", text)
    r = Result(int(m.group(1)), int(m.group(2)))
    if status:
        r.failed = max(1, r.failed)
        r.outputs.append(("budgets", text))
        again = re.compile(r"OVER |UNDER |VOID |new call site|called \d|call sites:")
        r.again = [x for x in text.splitlines() if again.match(x)]
    return r


def budgets(full):
    return held(*(["--full"] if full else []))


def http3_budgets():
    """Those of HTTP/3 that can be counted, which are measured nowhere else."""
    with open(path("budgets.toml"), "rb") as f:
        rows = [name for name, row in tomllib.load(f).items()
                if re.search(r"(^|_)h3(_|$)", name) and not row.get("clock")]
    return held("--rows", ",".join(rows), "--lib", path("build/h3/drop-in"), "--tool", path("build/h3/mote"))


def sizes(full):
    """The size ledger: profiles tiny and mcu for Cortex-M3; full: every profile and target."""
    status, text = run([PYTHON, path("tools/ledger.py"), "--check"] + (["--all"] if full else []))
    m = re.search(r"(\d+) builds compared, (\d+) changes", text)
    if not m:
        return Result.failure("sizes", text)
    missing = [x for x in text.splitlines() if "not measured" in x]
    r = Result(int(m.group(1)), skipped=len(missing), note="; ".join(missing))
    if status:
        r.failed = max(1, int(m.group(2)))
        r.outputs.append(("sizes", text))
    return r


def images(everything):
    """Flash of the images for devices against device/ceilings.toml, where make device has fetched their sources; without
    everything of two of them. With everything, what devices pay for a fetch over HTTPS is measured in the emulator, too."""
    sources = all(os.path.isdir(path("build", "device", p)) for p in ("lwip", "bearssl"))
    if not sources or not shutil.which("arm-none-eabi-gcc"):
        return Result(skipped=1, note="no sources or no cross compiler: make device")
    status, text = run([PYTHON, path("tools/device.py"), "ceilings", *([] if everything else ["--short"])])
    m = re.search(r"(\d+) figures, (\d+) over", text)
    if not m:
        return Result.failure("images", text)
    r = Result(int(m.group(1)) - int(m.group(2)), int(m.group(2)))
    if status:
        r.outputs.append(("images", text))
        r.again = [x for x in text.splitlines() if "OVER by" in x]
    if everything:
        found = matrix()
        r.add(found).note = found.note
    return r


def matrix():
    """The rows of tools/devices/matrix.py that have ceilings, booted in the emulator."""
    if not shutil.which("qemu-system-arm"):
        return Result(skipped=1, note="no emulator, so without the matrix of devices: tools/setup device")
    status, text = run([PYTHON, path("tools/device.py"), "check", "matrix"])
    m = re.search(r"^(\d+) passed, (\d+) failed$", text, re.M)
    if not m or bool(status) != (m.group(2) != "0"):
        return Result.failure("matrix of devices", text)
    r = Result(int(m.group(1)), int(m.group(2)))
    if status:
        r.outputs.append(("matrix of devices", text))
    return r
