"""The page of a log: the picture with hover values, what the peak is made of, the table of all call sites, and what
was left or freed wrongly. One file, no network; page.html is its frame."""
import html as markup
import json
import os

from . import figures, picture

FRAME = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page.html")
ROWS = 2000  # call sites in the table, the largest at the peak first


def data(log, f, x):
    models = {kind: picture.model(log, kind) for kind in ("calls", "received") if kind == "calls" or log.received}
    sites = [[s["site"], s["call"], s["part"], s["allocations"], s["bytes"], s["at_peak"], s["live"]]
             for s in f["sites"][:ROWS]]
    return {"models": models, "x": x if x in models else "calls", "sites": sites}


def problems(f):
    out = figures.problems(f, 50)
    return f"<pre>{markup.escape(out.strip())}</pre>" if out else "<p>Everything was freed and closed.</p>"


def html(log, f, x="calls", title=None):
    with open(FRAME, encoding="utf-8") as frame:
        text = frame.read()
    raw = json.dumps(data(log, f, x), separators=(",", ":")).replace("<", "\\u003c")
    pieces = {"TITLE": markup.escape(picture.title_of(f, title)), "SUMMARY": markup.escape(picture.summary(f)),
              "REPORT": markup.escape(figures.head(f) + figures.oddities(f)), "PROBLEMS": problems(f), "DATA": raw}
    head, *rest = text.split("@@")
    return head + "".join(pieces[p] if i % 2 == 0 else p for i, p in enumerate(rest))
