"""docs/security.md: what its table names exists, each row says what it says in one of three words, and each advisory
stands in one class."""
import os
import re

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join("docs", "security.md")
FOLDERS = "bench|cmake|docs|examples|exports|fuzz|include|src|tests|tools"
NAMED = re.compile(rf"`((?:{FOLDERS})(?:/[\w.*-]+)*|\w+\.json)(?:::(\w+))?`")
WORDS = re.compile(r"\*\*(impossible|tested|open)\*\*", re.I)
NUMBER = re.compile(r"(?<!\d)(?:19|20)\d\d-\d{4,7}(?!\d)")
OF_A_TEST = {".py": r"^def {}\(", ".c": r"^TEST\({}\)"}


def page(root):
    with open(os.path.join(root, PAGE), encoding="utf-8") as f:
        return f.read()


def chapter(text, name):
    return re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", text, re.M | re.S).group(1)


def rows(text):
    """{class: (number of advisories, what was found here, what stands against it)}"""
    cells = [[c.strip() for c in line.strip("|").split(" | ")] for line in chapter(text, "The classes").split("\n")
             if line.startswith("| ")]
    return {c[0]: (c[1], c[2], c[3]) for c in cells[2:]}


def lists(text):
    """{class: (number that is stated, numbers of the advisories)}"""
    items = re.findall(r"^- \*\*(.*?)\*\* \((\d+)\):(.*?)(?=^- |\Z)", chapter(text, "Which advisories"), re.M | re.S)
    return {name: (int(count), NUMBER.findall(numbers)) for name, count, numbers in items}


def missing(text, root=ROOT):
    """What the page names and what does not exist."""
    out = []
    for path, test in NAMED.findall(text):
        full = os.path.join(root, path)
        if not os.path.exists(full):
            out.append(path)
        elif test:
            with open(full, encoding="utf-8") as f:
                found = re.search(OF_A_TEST[os.path.splitext(path)[1]].format(test), f.read(), re.M)
            if not found:
                out.append(f"{path}::{test}")
    return out


def unfounded(text):
    """Rows that say none of the words, and those that call something tested or impossible and name no file for it."""
    out = []
    for name, (_, _, here) in rows(text).items():
        said = WORDS.split(here)[1:]
        claims = list(zip(said[::2], said[1::2]))
        if not claims or here.split(" ")[0] not in ("**impossible**", "**impossible**:", "**tested**", "**tested**:", "**open**:"):
            out.append(name)
        out += [f"{name}: {word}" for word, claim in claims if word.lower() != "open" and not NAMED.search(claim)]
    return out


def miscounted(text):
    """Classes whose number is not that of their list, and advisories that stand in two."""
    table, found = rows(text), lists(text)
    out = [name for name in table.keys() | found.keys()
           if name not in table or name not in found or not int(table[name][0]) == found[name][0] == len(found[name][1])]
    numbers = [n for _, of in found.values() for n in of]
    return out + sorted({n for n in numbers if numbers.count(n) > 1})


def test_what_is_named_exists():
    assert not missing(page(ROOT))


def test_each_row_says_what_it_says():
    assert not unfounded(page(ROOT))


def test_each_advisory_stands_in_one_class():
    text = page(ROOT)
    assert not miscounted(text)
    stated = int(re.search(r"(\d+)\s+advisories\s+are\s+counted", text).group(1))
    assert stated == sum(len(of) for _, of in lists(text).values())


@pytest.mark.parametrize("old, new, finds", [
    ("`tests/unit/test.h`", "`tests/unit/test.hh`", missing),
    ("test_credentials.py::test_redirect`", "test_credentials.py::test_redirects`", missing),
    ("test_layers.c::injected_bytes_are_refused`", "test_layers.c::injected_bytes`", missing),
    ("| **tested**: the driver", "| the driver", unfounded),
    ("(`tests/e2e/driver/callbacks.c`)", "", unfounded),
    ("2010-0734", "2010-0734, 2010-0735", miscounted),
    ("(1): 2020-8284", "(1): 2010-0734", miscounted),
])
def test_a_page_that_is_wrong_fails(old, new, finds):
    text = page(ROOT)
    assert old in text and finds(text.replace(old, new))
