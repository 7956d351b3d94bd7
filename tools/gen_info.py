#!/usr/bin/env python3
"""Make docs/compat-info.md from the table of curl_easy_getinfo().

usage: gen_info.py [--check]
  --check   write nothing; fail if the page is not what it would be
Reads src/api/easy/getinfo.c and tests/interface/tables/getinfo.tsv. Also fails when an info of libcurl has
no row, a row answers in other types than the info has, or a constant answer is not explained.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = "docs/compat-info.md"
ROW = re.compile(r"^(?:  /\* (constant|differs): ([^\n]*?) \*/\n)?"
                 r"  AT\((CURLINFO_\w+)\) = \{(\w+)\((\w+)(?:, [\w.]+)?\)([^\n]*)\},$", re.M)
TYPES = {"string": "STRING", "long": "LONG", "double": "DOUBLE", "off_t": "OFF", "socket": "SOCKET",
         "slist": "LIST", "ptr": "LIST"}

HEAD = """# What curl_easy_getinfo answers

Made by `tools/gen_info.py` from `src/api/easy/getinfo.c`: change that, not this page.

*works*: as in libcurl. *constant*: the feature is left out of this build; the answer is what libcurl gives
where it is not used. *differs*: works, but for what the last column says, compared with libcurl 7.88.1 on the
same transfers.

| info | state | remark |
| --- | --- | --- |
"""


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def infos():
    """(name, number, type) of every info there is."""
    lines = [line.split("\t") for line in read("tests/interface/tables/getinfo.tsv").splitlines()[1:]]
    return [(line[0], int(line[2]), line[1]) for line in lines if len(line) > 2]


def rows():
    """By the name that stands in the table: state, remark, types."""
    text = read("src/api/easy/getinfo.c")
    found = {}
    for m in ROW.finditer(text):
        state, remark, name, kind, fn, rest = m.groups()
        rest = rest.replace("UNKNOWN_SIZE", "DOUBLE | OFF")
        types = set(re.findall(r"\b(LONG|DOUBLE|OFF|SOCKET)\b", rest))
        types |= {"STRING"} if kind == "TEXT" else {"LIST"} if kind == "POINTER" else set()
        if (kind == "CONSTANT" or re.search(r"(^|_)no_", fn) is not None) != (state == "constant"):
            sys.exit(f"gen_info.py: {name}: constant answers, and only those, have a comment that says why")
        found[name] = (state or "works", remark or "", types)
    if len(found) != text.count("\n  AT("):
        sys.exit("gen_info.py: a row of the table is not of the usual form")
    return found


def page():
    have = rows()
    number = {name: n for name, n, _ in infos()}
    by_number = {number[name]: row for name, row in have.items()}
    out = HEAD
    for name, n, kind in infos():
        if n not in by_number:
            sys.exit(f"gen_info.py: {name} has no row")
        state, remark, types = by_number[n]
        if TYPES[kind] not in types:
            sys.exit(f"gen_info.py: {name} is not answered as {kind}")
        out += f"| {name} | {state} | {remark} |\n"
    return out


def main():
    text = page()
    path = os.path.join(ROOT, PAGE)
    if sys.argv[1:] == ["--check"]:
        if not os.path.exists(path) or read(PAGE) != text:
            sys.exit(f"gen_info.py: {PAGE} is not up to date: run tools/gen_info.py")
    elif sys.argv[1:]:
        sys.exit(__doc__.strip())
    else:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)


main()
