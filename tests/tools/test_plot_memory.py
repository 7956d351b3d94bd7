"""tools/plot_memory.py: the picture is XML and shows every measured figure, in proportion."""
import os
import sys
import xml.etree.ElementTree as ElementTree

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import plot_memory  # noqa: E402

NAMES = [name for _, rows in plot_memory.PANELS for name, _ in rows]
SVG = "{http://www.w3.org/2000/svg}"


def bars(svg, kind):
    bar = str(plot_memory.BAR)
    return [float(r.get("width")) for r in ElementTree.fromstring(svg).iter(SVG + "rect")
            if r.get("class") == kind and r.get("height") == bar and r.get("width") != bar]


def test_every_figure_is_there():
    rows = {n: {"debian": 1000 * (i + 1), "ours": 100 * (i + 1)} for i, n in enumerate(NAMES)}
    svg = plot_memory.picture(rows)
    words = [t.text for t in ElementTree.fromstring(svg).iter(SVG + "text")]
    for row in rows.values():
        assert f"{row['debian']:,} bytes" in words and f"{row['ours']:,} bytes" in words
    other, mote = bars(svg, "other"), bars(svg, "mote")
    assert len(other) == len(mote) == len(NAMES)
    assert all(abs(o / m - 10) < 0.1 for o, m in zip(other, mote))


def test_what_is_not_measured_is_left_out():
    rows = {n: {"debian": 1000} for n in NAMES}
    with pytest.raises(SystemExit):
        plot_memory.picture(rows)
    rows[NAMES[0]]["ours"] = 10
    assert len(bars(plot_memory.picture(rows), "mote")) == 1
