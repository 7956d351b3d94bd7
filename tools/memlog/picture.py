"""The picture of a log: live bytes over time, stacked by part of the library, the peak marked, and beside it what
the peak is made of. model() is the data, for page.py too; svg() draws it.

Colours: Okabe and Ito's, which colour-blind people can distinguish; a part has the same one in every picture."""
import os
from xml.sax.saxutils import escape, quoteattr

from . import reader

SHOWN = 8  # parts with a colour of their own; the rest is one
REST = "the rest"
GREY = "#8b949e"
COLOURS = {"transfer": "#0072b2", "net": "#e69f00", "protocol": "#009e73", "tls": "#cc79a7", "api": "#56b4e9",
           "tool": "#d55e00", "codec": "#f0e442", "base": "#9a6b3f", REST: GREY}
COLUMNS = 480
FEW = 150  # columns that are wide enough for a line between the areas
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM, SIDE = 960, 440, 92, 640, 92, 384, 676
STYLE = """
    .page { fill: #ffffff; stroke: #d0d7de } .text, .head, .number { fill: #1f2328 } .dim { fill: #59636e }
    .grid { stroke: #d8dee4 } .axis, .mark { stroke: #59636e; fill: none } .dot { fill: #1f2328; stroke: #ffffff }
    .few { stroke: #ffffff; stroke-width: 0.5 }
    .hover { fill: #1f2328; opacity: 0 } .hover:hover { opacity: 0.18 }
    .halo { stroke: #ffffff; stroke-width: 4; paint-order: stroke; stroke-linejoin: round }
    text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif }
    .head { font-weight: 600; font-size: 16px } .number { font-variant-numeric: tabular-nums }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117; stroke: #3d444d } .text, .head, .number { fill: #f0f6fc } .dim { fill: #9198a1 }
      .grid { stroke: #2a313a } .axis, .mark { stroke: #9198a1 } .dot { fill: #f0f6fc; stroke: #0d1117 }
      .few { stroke: #0d1117 } .hover { fill: #f0f6fc } .halo { stroke: #0d1117 }
    }
"""


# --- the data ---

def colours(names):
    free = [c for name, c in COLOURS.items() if name not in names and name != REST]
    return [COLOURS[name] if name in COLOURS else free.pop(0) if free else GREY for name in names]


def shown(log):
    """(names of the parts drawn, largest first; {index of a part of the log: its place})"""
    most = [0] * len(log.parts)
    for s in log.series.samples:
        for i, size in enumerate(s.parts):
            most[i] = max(most[i], size)
    order = [i for i in sorted(range(len(most)), key=lambda i: (log.parts[i] == reader.MORE, -most[i])) if most[i]]
    names = [log.parts[i] for i in order[:SHOWN]]
    places = {i: min(place, SHOWN) for place, i in enumerate(order)}
    return names + [REST] * (len(order) > SHOWN), places


def gathered(parts, places, count):
    out = [0] * count
    for i, size in enumerate(parts):
        if size:
            out[places[i]] += size
    return out


def spans(log, x):
    """(from, to, sample): what each sample stands for on the x axis."""
    samples, width = log.series.samples, log.series.width
    if x == "calls":
        return [(i * width, min((i + 1) * width, log.lines), s) for i, s in enumerate(samples)]
    ends = [s.received for s in samples[1:]] + [log.received]
    return [(s.received, end, s) for s, end in zip(samples, ends)]


def columns(log, x, extent):
    """At most about COLUMNS spans; the largest sample of those that share a column stands for all of them."""
    step, out = extent / COLUMNS, []
    for start, end, s in spans(log, x):
        if out and out[-1][0] + step > start and (x == "received" or out[-1][1] - out[-1][0] < step):
            first, _, kept = out[-1]
            out[-1] = (first, max(end, out[-1][1]), s if s.total > kept.total else kept)
        else:
            out.append((start, end, s))
    return out


def model(log, x):
    """What a picture shows, ready for JSON."""
    x = "received" if x == "received" and log.received else "calls"
    extent = log.received if x == "received" else log.lines
    names, places = shown(log)
    rows, peak = [], None
    for start, end, s in columns(log, x, extent):
        rows.append([start, max(end, start), s.line, s.received, s.total, gathered(s.parts, places, len(names))])
        if s.total == log.peak and peak is None:
            peak = len(rows) - 1
    at_peak = [0] * len(log.parts)
    for site in log.sites.values():
        at_peak[site.part] += site.at_peak
    return {"x": x, "extent": extent, "names": names, "colours": colours(names), "rows": rows, "peak_row": peak,
            "peak": log.peak, "peak_line": log.peak_line, "composition": gathered(at_peak, places, len(names))}


def ticks(most, count=5):
    """Round numbers from 0 to at least `most`, about `count` of them."""
    step = next(d * 10 ** e for e in range(20) for d in (1, 2, 5) if d * 10 ** e * count >= most)
    return [i * step for i in range(int(-(-max(most, 1) // step)) + 1)]


def number(n, most):
    """A value of an axis that ends at `most`."""
    return f"{n:,}" if most < 10_000_000 or not n else f"{n / 1e6:,.10g} million"


def summary(f):
    out = (f"{f['allocations']:,} allocations of {f['bytes']:,} bytes; peak {f['peak']:,} bytes at line "
           f"{f['peak_line']:,} of {f['lines']:,}; ")
    return out + ("nothing left at the end" if not f["live_blocks"] else f"{f['live']:,} bytes never freed")


def title_of(f, title):
    return title or "Memory over time: " + os.path.basename(f["log"])


# --- the drawing ---

def text(x, y, kind, words, anchor="start"):
    return f'  <text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>\n'


class Scale:
    def __init__(self, m):
        self.ys = ticks(m["peak"] * 1.08)
        self.xs = ticks(m["extent"], 6)
        self.extent = max(m["extent"], 1)

    def x(self, value):
        return LEFT + (RIGHT - LEFT) * value / self.extent

    def y(self, value):
        return BOTTOM - (BOTTOM - TOP) * value / self.ys[-1]


def axes(m, scale):
    out = ""
    for v in scale.ys:
        out += f'  <line x1="{LEFT}" y1="{scale.y(v):.1f}" x2="{RIGHT}" y2="{scale.y(v):.1f}" class="grid"/>\n'
        out += text(LEFT - 8, scale.y(v) + 4, "dim number", number(v, scale.ys[-1]), "end")
    for v in scale.xs:
        if v <= m["extent"]:
            x = f"{scale.x(v):.1f}"
            out += f'  <line x1="{x}" y1="{BOTTOM}" x2="{x}" y2="{BOTTOM + 5}" class="axis"/>\n'
            out += text(scale.x(v), BOTTOM + 20, "dim number", number(v, scale.xs[-1]), "middle")
    out += f'  <line x1="{LEFT}" y1="{BOTTOM}" x2="{RIGHT}" y2="{BOTTOM}" class="axis"/>\n'
    out += text(LEFT - 8, TOP - 14, "dim", "live bytes", "end")
    words = "bytes received" if m["x"] == "received" else "calls, in their order (lines of the log)"
    return out + text((LEFT + RIGHT) / 2, BOTTOM + 42, "dim", words, "middle")


def areas(m, scale):
    """A filled step path per part, each on top of those before it."""
    below, out = [0] * len(m["rows"]), ""
    kind = "area few" if len(m["rows"]) < FEW else "area"
    for i, colour in enumerate(m["colours"]):
        above = [b + row[5][i] for b, row in zip(below, m["rows"])]
        there = [f"{scale.x(row[0]):.1f},{scale.y(v):.1f} {scale.x(row[1]):.1f},{scale.y(v):.1f}"
                 for row, v in zip(m["rows"], above)]
        back = [f"{scale.x(row[1]):.1f},{scale.y(v):.1f} {scale.x(row[0]):.1f},{scale.y(v):.1f}"
                for row, v in zip(reversed(m["rows"]), reversed(below))]
        out += f'  <polygon points="{" ".join(there + back)}" fill="{colour}" class="{kind}"/>\n'
        below = above
    return out


def hovers(m, scale):
    out = ""
    for start, end, at, received, total, parts in m["rows"]:
        most = sorted((p for p in zip(parts, m["names"]) if p[0]), reverse=True)
        words = f"line {at:,}: {total:,} bytes" + (f", {received:,} received" if received else "")
        words += "".join(f"\n{name} {size:,}" for size, name in most)
        out += (f'  <rect x="{scale.x(start):.1f}" y="{TOP}" width="{max(scale.x(end) - scale.x(start), 1):.1f}" '
                f'height="{BOTTOM - TOP}" class="hover"><title>{escape(words)}</title></rect>\n')
    return out


def peak_mark(m, scale):
    if m["peak_row"] is None:
        return ""
    row = m["rows"][m["peak_row"]]
    x, y = scale.x((row[0] + row[1]) / 2), scale.y(m["peak"])
    right = x < (LEFT + RIGHT) / 2
    return (f'  <line x1="{x:.1f}" y1="{y:.1f}" x2="{x:.1f}" y2="{BOTTOM}" stroke-dasharray="3 3" class="mark"/>\n'
            f'  <circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" class="dot"/>\n' +
            text(x + (9 if right else -9), y - 8, "text halo", f"peak {m['peak']:,} bytes, line {m['peak_line']:,}",
                 "start" if right else "end"))


def composition(m):
    out = text(SIDE, TOP - 14, "text", "At the peak") + text(WIDTH - 74, TOP - 14, "dim", "bytes", "end")
    y = TOP + 12
    order = sorted(range(len(m["names"])), key=lambda i: -m["composition"][i])
    for i in order:
        size = m["composition"][i]
        out += f'  <rect x="{SIDE}" y="{y - 11}" width="13" height="13" rx="2" fill="{m["colours"][i]}"/>\n'
        out += text(SIDE + 22, y, "text", m["names"][i]) + text(WIDTH - 74, y, "number", f"{size:,}", "end")
        out += text(WIDTH - 24, y, "dim number", f"{100 * size / m['peak'] if m['peak'] else 0:.1f}%", "end")
        y += 25
    out += f'  <line x1="{SIDE}" y1="{y - 14}" x2="{WIDTH - 24}" y2="{y - 14}" class="axis"/>\n'
    return out + text(SIDE + 22, y + 6, "text", "together") + text(WIDTH - 74, y + 6, "number", f"{m['peak']:,}", "end")


def svg(log, f, x="calls", title=None):
    m = model(log, x)
    scale = Scale(m)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
            f'height="{HEIGHT}" role="img" aria-label={quoteattr(title_of(f, title) + ": " + summary(f))}>\n'
            f'  <style>{STYLE}  </style>\n'
            f'  <rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="6" class="page"/>\n' +
            text(24, 34, "head", title_of(f, title)) + text(24, 54, "dim", summary(f)) + axes(m, scale) +
            areas(m, scale) + hovers(m, scale) + peak_mark(m, scale) + composition(m) + "</svg>\n")
