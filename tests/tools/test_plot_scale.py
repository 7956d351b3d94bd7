"""tools/plot_scale.py: the picture is XML, up to date, and shows each curve where its figures are."""
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "tools", "plot_scale.py")
sys.path.insert(0, os.path.dirname(TOOL))
import plot_scale  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"


def drawn(rows, what):
    return [e for e in ElementTree.fromstring(plot_scale.picture(rows)).iter(SVG + what)]


def words(rows):
    return [t.text for t in drawn(rows, "text")]


def test_the_picture_is_up_to_date():
    subprocess.run([sys.executable, TOOL, "--check"], check=True)


def test_a_curve_goes_on_to_a_million():
    rows = [("ours", "active", 100, 1500.0), ("ours", "active", 1000, 1300.0)]
    assert "1.3 GB  Mote" in words(rows)
    assert len(drawn(rows, "circle")) == 2
    assert [p.get("class") for p in drawn(rows, "path")] == ["ours", "ours guess"]


def test_what_is_measured_to_the_end_is_not_computed():
    rows = [("ours", "waiting", 1000, 900.0), ("ours", "waiting_resident_kb", 1000000, 953984.0)]
    assert [p.get("class") for p in drawn(rows, "path")] == ["wait"]
    assert "977 MB  Mote, waiting" in words(rows)


def test_words_do_not_lie_over_each_other():
    rows = [("ours", "active", 1000, 1300.0), ("ours", "waiting", 1000, 1299.0), ("debian", "active", 1000, 1298.0)]
    at = sorted(float(t.get("y")) for t in drawn(rows, "text") if "GB  " in t.text)
    assert len(at) == 3 and at[1] - at[0] >= 14 and at[2] - at[1] >= 14


def test_nothing_is_measured():
    with pytest.raises(SystemExit):
        plot_scale.picture([])
