#!/usr/bin/env python3
"""Writes the table of peers in docs/figures.md, and docs/peers.svg, from bench/peers/peers.tsv, which peers.py
measures.

usage: peers_page.py [--check]      --check: fails when one of them is not what it would write

A line of the file: peer, version, load, seconds of processor time, peak resident KB, connections that the server
accepted, connections at once (of "many", else 0). Of a peer that was not measured: peer, "not measured", why.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.append(os.path.join(ROOT, "tools"))
import markers  # noqa: E402
from plot_memory import STYLE, text  # noqa: E402

TABLE = os.path.join(HERE, "peers.tsv")
PAGE = os.path.join(ROOT, "docs", "figures.md")
PICTURE = os.path.join(ROOT, "docs", "peers.svg")
BEGIN = "<!-- peers: written by bench/peers/peers_page.py from bench/peers/peers.tsv -->\n"
END = "<!-- end of peers -->\n"
FIGURES = ("cpu", "kb", "connections", "at_once")
OURS = "Mote"
LOADS = {"many": "1,000 downloads at a time", "small": "20,000 small GETs", "big": "1 GB"}
# a column: load, figure, how it is called in a sentence
COLUMNS = [(load, figure, f"{word} of {LOADS[load]}") for load in LOADS for figure, word in
           (("kb", "memory"), ("cpu", "processor time"))]
AT_ONCE, KEPT = 1000, 10  # connections that the loads ask for


# --- the file ---

def keep(rows, missing):
    """rows: [(peer, version, {load: figures})]; missing: {peer: why}"""
    with open(TABLE, "w", encoding="utf-8") as f:
        for peer, version, loads in rows:
            f.writelines("\t".join([peer, version, load, *(str(r[k]) for k in FIGURES)]) + "\n"
                         for load, r in loads.items())
        f.writelines(f"{peer}\tnot measured\t{why}\n" for peer, why in missing.items())


def read():
    rows, missing = {}, {}
    with open(TABLE, encoding="utf-8") as f:
        for line in f:
            peer, version, *rest = line.rstrip("\n").split("\t")
            if version == "not measured":
                missing[peer] = rest[0]
            else:
                load, *numbers = rest
                rows.setdefault((peer, version), {})[load] = dict(zip(FIGURES, map(float, numbers)))
    return [(peer, version, loads) for (peer, version), loads in rows.items()], missing


# --- the table ---

def amount(value, figure):
    if figure == "kb":
        mb = value * 1024 / 1e6
        return f"{mb:,.0f} MB" if mb >= 100 else f"{mb:.1f} MB"
    return f"{value:.1f} s" if value >= 10 else f"{value:.2f} s"


def least(rows, load, figure):
    """The peers whose figure, as it is printed, is the smallest."""
    best = min(loads[load][figure] for _, _, loads in rows)
    return [peer for peer, _, loads in rows if amount(loads[load][figure], figure) == amount(best, figure)]


def listed(names):
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def winners(rows):
    """Sentences: in which columns which peer has the least."""
    by_peers = {}
    for load, figure, words in COLUMNS:
        by_peers.setdefault(listed(least(rows, load, figure)), []).append(words)
    return "".join(f"Least {listed(words)}: {peers}. " for peers, words in by_peers.items()).strip() + "\n"


def remarks(rows, missing):
    """What differs from what a load asks for, and which peer is not in the table."""
    out = []
    for peer, _, loads in rows:
        if loads["many"]["at_once"] < AT_ONCE:
            out.append(f"{peer} had {loads['many']['at_once']:.0f} of the 1,000 downloads in progress at once.")
        if loads["small"]["connections"] > KEPT:
            out.append(f"{peer} made {loads['small']['connections']:,.0f} connections for the small GETs.")
    out += [f"{peer} was not measured: {why}." for peer, why in missing.items()]
    return "".join(f"- {x}\n" for x in out)


def table(rows, missing):
    if not rows:
        return "\nNothing is measured yet.\n\n"
    heads = [f"{LOADS[load]}: {'memory' if figure == 'kb' else 'CPU'}" for load, figure, _ in COLUMNS]
    out = [f"| | {' | '.join(heads)} |\n", "| --- |" + " ---: |" * len(COLUMNS) + "\n"]
    for peer, version, loads in rows:
        cells = []
        for load, figure, _ in COLUMNS:
            cell = amount(loads[load][figure], figure)
            cells.append(f"**{cell}**" if peer in least(rows, load, figure) else cell)
        out.append(f"| {peer} {version} | {' | '.join(cells)} |\n")
    said = remarks(rows, missing)
    return "\n" + "".join(out) + "\n" + winners(rows) + "\n" + (said + "\n" if said else "")


# --- the picture ---

WIDTH, LEFT, BAR, ROW = 820, 220, 13, 19
LONGEST = WIDTH - LEFT - 110
PANELS = [("many", "kb", "1,000 downloads at a time: peak memory of the program"),
          ("small", "cpu", "20,000 GETs of 12 bytes on ten connections: processor time"),
          ("big", "cpu", "1 GB: processor time")]


def panel(y, title, rows, load, figure):
    """A heading and a bar per peer; (drawing, y below it)."""
    scale = LONGEST / max(loads[load][figure] for _, _, loads in rows)
    out, top = text(24, y, "head", title), y + 10
    for i, (peer, version, loads) in enumerate(rows):
        at, value = top + i * ROW + 4, loads[load][figure]
        width = max(1.0, value * scale)
        out += text(LEFT - 12, at + BAR - 2, "text", f"{peer} {version}", "end")
        out += (f'  <rect x="{LEFT}" y="{at}" width="{width:.1f}" height="{BAR}" rx="2" '
                f'class="{"mote" if peer == OURS else "other"}"/>\n')
        out += text(f"{LEFT + width + 6:.1f}", at + BAR - 2, "number", amount(value, figure))
    bottom = top + len(rows) * ROW + 4
    return out + f'  <line x1="{LEFT}" y1="{top}" x2="{LEFT}" y2="{bottom}" class="axis"/>\n', bottom


def picture(rows):
    if not rows:
        raise SystemExit("peers_page: nothing is measured yet (bench/peers/peers.py --write)")
    body, y = "", 36
    for load, figure, title in PANELS:
        drawn, y = panel(y, title, rows, load, figure)
        body, y = body + drawn, y + 34
    height = y + 2
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
            f'height="{height}" role="img" aria-labelledby="t">\n'
            '  <!-- written by bench/peers/peers_page.py from bench/peers/peers.tsv -->\n'
            '  <title id="t">Memory and processor time of the same loads in what people use, and in Mote</title>\n'
            f'  <style>{STYLE}  </style>\n'
            f'  <rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="6" class="page"/>\n' + body +
            text(24, height - 14, "dim", "Plain HTTP from nginx on the same machine, x86-64, client on one processor; "
                 "whole programs, from their start to their end.") + "</svg>\n")


def write(check=False):
    """Writes page and picture; with check the names of those that differ."""
    rows, missing = read()
    old, fresh = markers.between(PAGE, BEGIN, table(rows, missing), END)
    differ = []
    try:
        with open(PICTURE, encoding="utf-8") as f:
            old_picture = f.read()
    except FileNotFoundError:
        old_picture = None
    for path, before, now in ((PAGE, old, fresh), (PICTURE, old_picture, picture(rows))):
        if before != now:
            differ.append(os.path.relpath(path, ROOT))
            if not check:
                with open(path, "w", encoding="utf-8") as f:
                    f.write(now)
    return differ


if __name__ == "__main__":
    changed = write("--check" in sys.argv[1:])
    if "--check" in sys.argv[1:] and changed:
        sys.exit(f"{', '.join(changed)}: not what bench/peers/peers.tsv says; run bench/peers/peers_page.py")
