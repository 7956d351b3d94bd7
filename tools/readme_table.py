#!/usr/bin/env python3
"""Writes the tables of README.md and docs/figures.md from the measured columns of budgets.toml.

usage: readme_table.py [--check]      --check: fails when a page is not what it would write
"""
import os
import sys
import tomllib

import markers

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIRST = [
    ("active_5000_bytes", "memory for each of 5,000 downloads at a time"),
    ("active_https_1000_bytes", "the same over HTTPS, 1,000 at a time"),
    ("tool_allocs", "how often memory is asked for while the command downloads 512 MB"),
]
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
    ("ftp_again_allocs", "allocations for a further file by FTP, on a kept connection"),
    ("instructions_ftp", "instructions for it"),
    ("smtp_send_allocs", "allocations for a further mail by SMTP"),
    ("imap_list_allocs", "allocations for a further list by IMAP"),
    ("rate_ratio", "GETs per second, as a share of bare epoll"),
]


def number(value, unit):
    if unit == "bytes" and value >= 10000:
        return f"{value / 1000:,.0f} KB"
    if isinstance(value, float):
        return f"{value:.2f}"
    return f"{value:,}" + (" bytes" if unit == "bytes" else "")


NOTE = ("Debian's and Mote's are measured by `bench/budgets.py --reference` and `--write` on x86-64, libcurl 8.22 was "
        "measured once;\nfigures of HTTPS and of the command count the whole process.\n\n")
FIRST_NOTE = "Measured on x86-64; [more rows, and how](docs/figures.md).\n\n"
# page: (what marks its table, the rows, what stands below them)
PAGES = {"README.md": ("first table", FIRST, FIRST_NOTE), "docs/figures.md": ("table", ROWS, NOTE)}


def cell(row, column):
    return number(row[column], row["unit"]) if column in row else ""


def table(rows, chosen, note):
    out = ["| | libcurl 7.88 (Debian 12) | libcurl 8.22 | Mote |\n", "| --- | ---: | ---: | ---: |\n"]
    for name, work in chosen:
        row = rows[name]
        if "debian" in row and "ours" in row:
            out.append(f"| {work} | {cell(row, 'debian')} | {cell(row, 'libcurl')} | {cell(row, 'ours')} |\n")
    if len(out) == 2:
        return "\nNothing is measured yet.\n\n"
    return "\n" + "".join(out) + "\n" + note


def main():
    with open(os.path.join(ROOT, "budgets.toml"), "rb") as f:
        rows = tomllib.load(f)
    for page, (mark, chosen, note) in PAGES.items():
        path = os.path.join(ROOT, page)
        text, fresh = markers.between(path, f"<!-- {mark}: written by tools/readme_table.py from budgets.toml -->\n",
                                      table(rows, chosen, note), f"<!-- end of {mark} -->\n")
        if "--check" not in sys.argv[1:]:
            with open(path, "w", encoding="utf-8") as f:
                f.write(fresh)
        elif fresh != text:
            sys.exit(f"{page}: the table is not the one of budgets.toml; run tools/readme_table.py")
        else:
            print(f"{page} is up to date")


if __name__ == "__main__":
    main()
