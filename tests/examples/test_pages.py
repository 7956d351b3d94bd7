"""What the pages name is there: files that links lead to, targets of make, ceilings, parts of the memory."""
import fnmatch
import os
import re
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md"] + sorted(
    os.path.join("docs", n) for n in os.listdir(os.path.join(ROOT, "docs")) if n.endswith(".md"))


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as f:
        return f.read()


@pytest.fixture(scope="module")
def source():
    folder = os.path.join(ROOT, "src")
    names = [os.path.join(d, n) for d, _, files in os.walk(folder) for n in files if n.endswith((".c", ".h"))]
    return "".join(read(n) for n in names)


@pytest.mark.parametrize("page", PAGES)
def test_links(page):
    text = re.sub(r"```.*?```", "", read(page), flags=re.S)
    for target in re.findall(r"\]\(([^)#]+)", text):
        if "://" not in target:
            assert os.path.exists(os.path.join(ROOT, os.path.dirname(page), target)), target


@pytest.mark.parametrize("page", PAGES)
def test_paths(page):
    """`src/...`, `tools/...` and the like, in backquotes and without a pattern; not what is to come later."""
    text = "\n".join(line for line in read(page).split("\n") if not line.startswith("*Later"))
    for path in re.findall(r"`((?:src|tools|tests|bench|cmake|include|examples)/[\w./-]+)`", text):
        assert os.path.exists(os.path.join(ROOT, path)), path


def test_files_of_the_picture():
    """What docs/request.svg calls a file, with or without its folder."""
    sources = [os.path.relpath(os.path.join(d, n), os.path.join(ROOT, "src"))
               for d, _, files in os.walk(os.path.join(ROOT, "src")) for n in files if not d.endswith("/small")]
    names = re.findall(r"[\w/*]+\.c\b", read("docs/request.svg"))
    assert len(names) > 30
    assert not [n for n in names if not fnmatch.filter(["/" + s for s in sources], "*/" + n)]


@pytest.mark.parametrize("page", ["docs/design.md", "docs/memory.md"])
def test_columns(page):
    """Text that wraps; tables and blocks of code do not."""
    text = re.sub(r"^ *```.*?```", "", read(page), flags=re.S | re.M)
    assert not [line for line in text.split("\n") if len(line) > 100 and not line.startswith("|")]


def test_targets_of_make():
    p = subprocess.run(["make", "-qp"], cwd=ROOT, capture_output=True, text=True)
    for page in PAGES:
        for target in re.findall(r"(?:`|^)make ([a-z][a-z-]*)", read(page), re.M):
            assert re.search(rf"^{target}:", p.stdout, re.M), target


def test_ceilings(source):
    table = read("docs/memory.md").split("\n### Ceilings\n")[1].split("\n## ")[0]
    names = re.findall(r"`([A-Z][A-Z_]+)`", table)
    missing = [n for n in names if not n.startswith("CURL") and not re.search(rf"#define {n}\b|\b{n} =", source)]
    assert len(names) > 15 and not missing


def test_parts():
    table = read("docs/memory.md").split("\n### Parts\n")[1].split("\n### ")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.M) == re.findall(r'^  \[MOTE_PART_\w+\] = "(\w+)"',
                                                                  read("src/api/library/account.c"), re.M)


def test_every_example_is_in_the_readme():
    for name in os.listdir(os.path.join(ROOT, "examples")):
        if name.endswith(".c"):
            assert f"(examples/{name})" in read("README.md"), name
