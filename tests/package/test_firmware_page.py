"""docs/firmware.md leads to an HTTPS GET: its steps, replayed from an empty folder, boot in the emulator and fetch."""
import os
import re
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from devices import sources  # noqa: E402
from ports import free_ports  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STEP = re.compile(r"^\*\*(\d+)\.\*\*(.*?)^```(\w+)\n(.*?)^```", re.M | re.S)

pytestmark = [
    pytest.mark.skipif(not shutil.which("qemu-system-arm") or not shutil.which("arm-none-eabi-gcc"),
                       reason="no emulator or no cross compiler (tools/setup device)"),
    pytest.mark.skipif(sources.no_kernel() is not None, reason=str(sources.no_kernel())),
]


def page():
    with open(os.path.join(ROOT, "docs", "firmware.md"), encoding="utf-8") as f:
        return f.read()


def shell(text, folder, env):
    p = subprocess.run(["bash", "-ec", text], cwd=folder, env=env, capture_output=True, text=True, timeout=900)
    assert p.returncode == 0, f"{text}\n{p.stdout[-3000:]}{p.stderr[-3000:]}"
    return p.stdout + p.stderr


def fetched(folder):
    """The variables of the page's first commands."""
    text = re.search(r"```sh\n(export MOTE=.*?)```", page(), re.S).group(1).replace("$HOME/mote", ROOT)
    lines = shell(text + "env", folder, dict(os.environ)).split("\n")
    return dict(os.environ, **dict(x.split("=", 1) for x in lines if re.match("(MOTE|LWIP|FREERTOS|BEARSSL)=", x)))


def do_edit(what, code, folder):
    """An edit that the page describes: in a file after a mark, or a new file."""
    names = [" ".join(n.split()) for n in re.findall(r"`([^`]+)`", what)]
    path = os.path.join(folder, next(n for n in names if re.match(r"[\w/]+\.(txt|c|h)$", n)))
    if "new\nfile" in what or "new file" in what:
        text = code
    else:
        mark = names[-1]
        with open(path, encoding="utf-8") as f:
            text = f.read()
        assert text.count(mark) == 1
        text = text.replace(mark, f"{mark}\n{code}")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def test_the_steps_of_the_page_fetch_over_https(tmp_path):
    env, folder, port, out = fetched(tmp_path), tmp_path, str(free_ports(1)[0]), ""
    steps = [(number, what, kind, code.replace("8443", port)) for number, what, kind, code in STEP.findall(page())]
    assert [int(s[0]) for s in steps] == list(range(1, len(steps) + 1)) and 5 < len(steps) <= 10
    servers = []
    try:
        for _, what, kind, code in steps:
            if kind != "sh":
                do_edit(what, code, folder)
                continue
            for line in code.strip().split("\n"):
                if line.endswith(" &"):
                    servers.append(subprocess.Popen(line[:-2].split(), cwd=folder, stdin=subprocess.PIPE,
                                                    stdout=subprocess.DEVNULL))
                else:
                    out = shell(line, folder, env)
                if line.endswith("cd firmware"):
                    folder = folder / "firmware"
    finally:
        for server in servers:
            server.kill()
            server.wait()
    assert re.search(r"^No error, \d{3,} bytes$", out, re.M), out
