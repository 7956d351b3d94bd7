#!/usr/bin/env python3
"""Writes the README's table from the measured columns of budgets.toml.

usage: readme_table.py [--check]      --check: fails when the README is not what it would write
"""
import os
import sys
import tomllib

import markers

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
README = os.path.join(ROOT, "README.md")
BEGIN = "<!-- table: written by tools/readme_table.py from budgets.toml -->\n"
END = "<!-- end of table -->\n"
ROWS = [
    ("active_5000_bytes", "memory of one of 5,000 downloads in progress, HTTP"),
    ("active_https_1000_bytes", "memory of one of 1,000 downloads in progress, HTTPS"),
    ("idle_https_bytes", "memory of a kept idle HTTPS connection"),
    ("handle_kept_bytes", "memory of an easy handle with its kept connection"),
    ("get_first_allocs", "allocations for a first GET"),
    ("get_again_allocs", "allocations for each further GET"),
    ("https_first_allocs", "allocations for a first HTTPS GET with the system's CA bundle"),
    ("tool_allocs", "allocations of the command for a 512 MB download"),
    ("system_calls_get", "system calls per GET on a kept connection"),
    ("instructions_get", "instructions per GET on a kept connection"),
    ("instructions_mb", "instructions per further megabyte"),
    ("rate_ratio", "GETs per second, as a share of bare epoll"),
]


def number(value, unit):
    if unit == "bytes" and value >= 10000:
        return f"{value / 1000:,.0f} KB"
    if isinstance(value, float):
        return f"{value:.2f}"
    return f"{value:,}" + (" bytes" if unit == "bytes" else "")


def table(rows):
    out = ["| work | Debian's libcurl 7.88 | Mote |\n", "| --- | ---: | ---: |\n"]
    for name, work in ROWS:
        row = rows[name]
        if "debian" in row and "ours" in row:
            out.append(f"| {work} | {number(row['debian'], row['unit'])} | {number(row['ours'], row['unit'])} |\n")
    if len(out) == 2:
        return "\nNothing is measured yet.\n\n"
    return "\n" + "".join(out) + ("\nMeasured by `bench/budgets.py --write`, both libraries in one run on x86-64; "
                                  "HTTPS figures and those of the\ncommand count the whole process.\n\n")


def main():
    with open(os.path.join(ROOT, "budgets.toml"), "rb") as f:
        rows = tomllib.load(f)
    text, fresh = markers.between(README, BEGIN, table(rows), END)
    if "--check" in sys.argv[1:]:
        if fresh != text:
            sys.exit("README.md: the table is not the one of budgets.toml; run tools/readme_table.py")
        print("README.md is up to date")
        return
    with open(README, "w", encoding="utf-8") as f:
        f.write(fresh)


if __name__ == "__main__":
    main()
