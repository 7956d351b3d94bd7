#!/usr/bin/env python3
"""Draws docs/memory.svg from the measured columns of budgets.toml: bytes per handle, connection and transfer, Mote
beside the system's libcurl.

usage: plot_memory.py [--check]      --check: fails when the picture is not what it would draw

Each panel has one linear scale that begins at zero. Colours follow the reader's light or dark mode; the picture has
its own background, so that it can be read where that is not known.
"""
import os
import sys
import tomllib
from xml.sax.saxutils import escape

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PICTURE = os.path.join(ROOT, "docs", "memory.svg")
PANELS = [
    ("Plain HTTP", [
        ("active_5000_bytes", "a transfer in progress, one of 5,000"),
        ("handle_kept_bytes", "an easy handle that keeps its connection"),
        ("handle_after_bytes", "an easy handle after a transfer, alone"),
        ("handle_set_bytes", "an easy handle before its first transfer"),
        ("idle_bytes", "a kept idle connection"),
    ]),
    ("HTTPS, memory of the TLS library included", [
        ("active_https_1000_bytes", "a transfer in progress, one of 1,000"),
        ("idle_https_bytes", "a kept idle connection"),
    ]),
]
WIDTH, LEFT, BAR, GAP, ROW = 820, 300, 13, 3, 44
LONGEST = WIDTH - LEFT - 130  # pixels of the longest bar; the rest is for its number
STYLE = """
    .page { fill: #ffffff; stroke: #d0d7de } .text, .head, .number { fill: #1f2328 } .dim { fill: #59636e }
    .other { fill: #a3acb5 } .mote { fill: #0969da } .axis { stroke: #d0d7de }
    text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif }
    .head { font-weight: 600; font-size: 15px } .number { font-size: 12px } .dim { font-size: 12px }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117; stroke: #3d444d } .text, .head, .number { fill: #f0f6fc } .dim { fill: #9198a1 }
      .other { fill: #656c76 } .mote { fill: #4493f8 } .axis { stroke: #3d444d }
    }
"""


def text(x, y, kind, words, anchor="start"):
    return f'  <text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>\n'


def bar(y, kind, value, scale, note=""):
    width = max(1.0, value * scale)
    return (f'  <rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR}" rx="2" class="{kind}"/>\n' +
            text(f"{LEFT + width + 6:.1f}", y + BAR - 2, "number", f"{value:,} bytes{note}"))


def panel(y, title, rows):
    """A heading and a pair of bars per row; (drawing, y below it)."""
    scale = LONGEST / max(max(row["debian"], row["ours"]) for _, row in rows)
    out = text(24, y, "head", title)
    top = y + 14
    for i, (label, row) in enumerate(rows):
        at = top + i * ROW + 8
        out += text(LEFT - 12, at + BAR + GAP, "text", label, "end")
        out += bar(at, "other", round(row["debian"]), scale)
        out += bar(at + BAR + GAP, "mote", round(row["ours"]), scale)
    bottom = top + len(rows) * ROW
    out += f'  <line x1="{LEFT}" y1="{top}" x2="{LEFT}" y2="{bottom}" class="axis"/>\n'
    return out, bottom


def picture(rows):
    body, y = "", 76
    for title, names in PANELS:
        have = [(label, rows[name]) for name, label in names if "debian" in rows[name] and "ours" in rows[name]]
        if have:
            drawn, y = panel(y, title, have)
            body, y = body + drawn, y + 40
    if not body:
        raise SystemExit("plot_memory: nothing is measured yet (bench/budgets.py --write)")
    legend = (f'  <rect x="{LEFT}" y="25" width="{BAR}" height="{BAR}" rx="2" class="other"/>\n' +
              text(LEFT + 20, 36, "text", "libcurl 7.88.1, Debian 12") +
              f'  <rect x="{LEFT + 200}" y="25" width="{BAR}" height="{BAR}" rx="2" class="mote"/>\n' +
              text(LEFT + 220, 36, "text", "Mote"))
    foot = text(24, y - 6, "dim", "Bytes asked of the allocator, x86-64, both libraries by the same programs "
                "(bench/budgets.py --reference, --write).")
    height = y + 12
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
            f'height="{height}" role="img" aria-labelledby="t">\n'
            '  <!-- written by tools/plot_memory.py from budgets.toml -->\n'
            '  <title id="t">Memory per handle, connection and transfer: libcurl and Mote</title>\n'
            f'  <style>{STYLE}  </style>\n'
            f'  <rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="6" class="page"/>\n' +
            text(24, 36, "head", "Memory") + legend + body + foot + "</svg>\n")


def main():
    with open(os.path.join(ROOT, "budgets.toml"), "rb") as f:
        fresh = picture(tomllib.load(f))
    if "--check" in sys.argv[1:]:
        try:
            with open(PICTURE, encoding="utf-8") as f:
                same = f.read() == fresh
        except FileNotFoundError:
            same = False
        if not same:
            sys.exit("docs/memory.svg: not what budgets.toml says; run tools/plot_memory.py")
        return print("docs/memory.svg is up to date")
    with open(PICTURE, "w", encoding="utf-8") as f:
        f.write(fresh)


if __name__ == "__main__":
    main()
