#!/usr/bin/env python3
"""Writes the table of device figures in device/README.md from build/device/sizes.json, which `make device` makes, and the
ceilings of device/ceilings.toml.

usage: device_table.py [--sizes FILE]
"""
import json
import os
import sys
import tomllib

import markers

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "device", "README.md")
BEGIN = "<!-- device: written by tools/device_table.py -->\n"
END = "<!-- end of device -->\n"
ROWS = [
    ("library_text", "flash: the library, easy interface"),
    ("https_text", "flash: with TLS, X.509 and the C library"),
    ("https_text_small", "the same, AES-GCM only"),
    ("image_flash", "flash: the whole image, TCP/IP and DNS included"),
    ("image_flash_dhcp", "the same with DHCP"),
    ("image_flash_small", "the same without DHCP, AES-GCM only, small TCP/IP"),
    ("ram_tls_512", "RAM: library and TLS, records of 512 bytes"),
    ("ram_tls_16k", "RAM: library and TLS, records of 16 KB"),
    ("stack", "stack"),
    ("websocket_flash", "flash: a whole image that keeps a wss: connection open (profile `mcu`, `printf`)"),
    ("websocket_idle", "RAM: library and TLS of it while nothing passes"),
    ("websocket_peak", "RAM: library and TLS of it, at most"),
]


def table(sizes, ceilings):
    out = ["| HTTPS GET on a Cortex-M3 | bytes | ceiling |\n", "| --- | ---: | ---: |\n"]
    for name, work in ROWS:
        seen = "not measured" if sizes.get(name) is None else f"{sizes[name]:,}"
        out.append(f"| {work} | {seen} | {ceilings[name]:,} |\n")
    return "\n" + "".join(out) + "\n"


def main():
    path = sys.argv[2] if sys.argv[1:2] == ["--sizes"] else os.path.join(ROOT, "build", "device", "sizes.json")
    with open(path, encoding="utf-8") as f:
        sizes = json.load(f)
    with open(os.path.join(ROOT, "device", "ceilings.toml"), "rb") as f:
        ceilings = tomllib.load(f)
    if set(ceilings) != {name for name, _ in ROWS}:
        sys.exit("device_table.py: its rows are not those of device/ceilings.toml")
    _, fresh = markers.between(PAGE, BEGIN, table(sizes, ceilings), END)
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(fresh)


if __name__ == "__main__":
    main()
