"""The README's first screen is true: its program compiles and fetches, its build with chosen parts is configured."""
import os
import re
import shutil
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from server import Server  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(HERE))
with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
    README = f.read()
FIRST = README.split("\n## ")[0]


def test_the_program(tmp_path):
    program = re.search(r"```c\n(.*?)```", FIRST, re.S).group(1)
    assert len([line for line in program.splitlines() if line]) <= 10
    with Server() as srv:
        url = re.search(r'"(https://[^"]*)"', program).group(1)
        (tmp_path / "page.c").write_text(program.replace(url, srv.url + "/small"))
        build = os.path.join(ROOT, "build")
        subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-I", os.path.join(ROOT, "include"), "-o",
                        tmp_path / "page", tmp_path / "page.c", "-L", build, "-lmote", "-Wl,-rpath," + build],
                       check=True)
        p = subprocess.run([tmp_path / "page"], capture_output=True, check=False)
        assert (p.returncode, p.stdout) == (0, b"hello world\n")
        p = subprocess.run([os.path.join(build, "mote"), "-s", srv.url + "/small"], capture_output=True, check=False)
        assert (p.returncode, p.stdout) == (0, b"hello world\n")


@pytest.mark.parametrize("page", ["README.md", "docs/parts.md"])
def test_the_chosen_build(tmp_path, page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as text:
        line = re.search(r"^cmake -B build/small (.*)$", text.read(), re.M).group(1)
    if not shutil.which("ninja"):
        pytest.skip("no ninja")
    subprocess.run(f"cmake -S {ROOT} -B {tmp_path} {line}", shell=True, check=True, capture_output=True)
    chosen = (tmp_path / "parts" / "parts.txt").read_text().split()
    assert "file" in chosen and "brotli" not in chosen and "zlib" in chosen


def test_the_first_screen_says_what_it_is():
    """What it is, a command, a program, two commands to try, a table of three rows, what it speaks."""
    assert FIRST.count("\n") <= 66
    table = re.search(r"<!-- first table.*?-->(.*?)<!-- end", FIRST, re.S).group(1)
    assert len(re.findall(r"^\| [a-z]", table, re.M)) == 3 and "libcurl 8" in table
    assert "Not there yet" not in FIRST and "(docs/http3.md)" in FIRST and "(#what-is-left-out)" in FIRST
    assert "\n## What is left out\n" in README and "as far as they use" in FIRST
    for option in ("MOTE_PROFILE", "MOTE_WITH", "MOTE_WITHOUT"):
        assert f"-D{option}" in README
