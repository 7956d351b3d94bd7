"""The table of device figures in device/README.md: what was measured, beside its ceiling."""
import json
import os
import shutil
import subprocess
import sys
import tomllib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def write(tmp_path, sizes):
    for name in ("device/README.md", "tools/device_table.py", "tools/markers.py", "device/ceilings.toml"):
        os.makedirs(os.path.dirname(tmp_path / name), exist_ok=True)
        shutil.copy(os.path.join(ROOT, name), tmp_path / name)
    (tmp_path / "sizes.json").write_text(json.dumps(sizes))
    subprocess.run([sys.executable, tmp_path / "tools/device_table.py", "--sizes", tmp_path / "sizes.json"], check=True)
    return (tmp_path / "device/README.md").read_text()


def test_what_was_measured_and_what_was_not(tmp_path):
    with open(os.path.join(ROOT, "device", "ceilings.toml"), "rb") as f:
        ceilings = tomllib.load(f)
    text = write(tmp_path, {name: 1111 + i for i, name in enumerate(ceilings) if name != "stack"} | {"stack": None})
    assert f"| stack | not measured | {ceilings['stack']:,} |" in text
    for i, name in enumerate(ceilings):
        assert name == "stack" or f"| {1111 + i:,} | {ceilings[name]:,} |" in text
    with open(os.path.join(ROOT, "device", "README.md"), encoding="utf-8") as f:
        old = f.read()
    assert text.partition("<!-- device:")[0] == old.partition("<!-- device:")[0]
    assert text.partition("<!-- end of device")[2] == old.partition("<!-- end of device")[2]
