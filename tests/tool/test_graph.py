"""mote --memory-graph: the picture and its figures, and what happens where there can be none."""
import re
import xml.etree.ElementTree as ET

import pytest
from server import BIG, TEXT

SVG = "{http://www.w3.org/2000/svg}"
ROW = re.compile(r"^(\w+) +(\d+) +(\d+) +(\d+) +(\d+)% +(\d+)$", re.M)


class Picture:
    def __init__(self, data):
        self.root = ET.fromstring(data)
        self.words = ["".join(t.itertext()) for t in self.root.iter(SVG + "text")]
        self.layers = [p.get("data-part") for p in self.root.iter(SVG + "path") if p.get("data-part")]
        self.looks = [r[0].text for r in self.root.iter(SVG + "rect") if r.get("class") == "look"]
        self.listed = {}
        for g in self.root.iter(SVG + "g"):
            name, count, _ = ["".join(t.itertext()) for t in g.iter(SVG + "text")]
            self.listed[name] = int(count.replace(",", ""))

    @property
    def peak(self):
        return next(int(w[5:].replace(",", "")) for w in self.words if w.startswith("peak "))

    def says(self, text):
        return any(text in w for w in self.words)


@pytest.fixture(autouse=True)
def own_library(tool):
    if not tool.mote("-s", "--memory", "{U}/a", "-o", "f").err:
        pytest.skip("linked with another library")


def draw(tool, *args, **k):
    r = tool.mote("-sS", "--memory-graph", "m.svg", *args, **k)
    return r, Picture(r.files["m.svg"])


def table(r):
    return {m[0]: list(map(int, m[1:])) for m in ROW.findall(r.err.decode())}


def test_peak_is_the_sum_of_its_parts(tool):
    r, p = draw(tool, "-o", "f", "{U}/bin")
    assert r.rc == 0 and not r.err and r.files["f"] == BIG
    assert p.peak == sum(p.listed.values())
    assert p.listed["buffer"] == 102400 < p.peak < 110000
    assert list(p.listed.values()) == sorted(p.listed.values(), reverse=True)
    assert p.layers == list(p.listed) and "OpenSSL" not in p.layers
    assert p.says(f"{len(BIG):,} bytes of bodies") and not p.says("Without the TLS")


def test_pointer_shows_each_moment(tool):
    _, p = draw(tool, "-o", "f", "{U}/bin")
    assert 1 < len(p.looks) <= 128
    for look in p.looks:
        total = int(re.search(r" ms: ([\d,]+) bytes held", look)[1].replace(",", ""))
        parts = [int(line.split(" ")[1].replace(",", "")) for line in look.splitlines()[1:]]
        assert sum(parts) == total <= p.peak
    assert any(f": {p.peak:,} bytes held" in look for look in p.looks)
    assert f"{len(BIG):,} received" in p.looks[-1]


def test_drawing_stays_inside(tool):
    _, p = draw(tool, "-o", "f", "{U}/bin")
    for path in p.root.iter(SVG + "path"):
        numbers = list(map(float, re.findall(r"[\d.]+", path.get("d"))))
        assert numbers and min(numbers) >= 71 and max(numbers) <= 611
    for e in p.root.iter():
        for name, most in (("x", 900), ("x1", 900), ("x2", 900), ("cx", 900), ("y", 420), ("cy", 420)):
            assert 0 <= float(e.get(name, 0)) <= most


def test_openssl_has_a_layer(tool, tls):
    r, p = draw(tool, "--cacert", tls.ca, "-o", "f", tls.url + "/bin")
    assert r.rc == 0 and r.files["f"] == BIG
    assert p.layers[0] == "OpenSSL" and 100000 < p.listed["OpenSSL"] < p.peak


def test_table_and_picture_agree(tool, tls):
    r, p = draw(tool, "--memory", "--cacert", tls.ca, "-o", "f", tls.url + "/bin")
    rows = table(r)
    allocs, peak, at_peak, percent, held = rows.pop("all")
    assert p.peak == peak == at_peak and percent == 100
    assert {n: row[2] for n, row in rows.items()} == p.listed
    assert allocs == sum(row[0] for row in rows.values())
    assert held == sum(row[4] for row in rows.values())


def test_several_urls_are_one_picture(tool):
    r, p = draw(tool, "{U}/a", "-o", "a", "{U}/bin", "-o", "b", "--next", "-s", "{U}/b", "-o", "c")
    assert r.rc == 0 and len(r.files) == 4
    assert p.says(f"{len(BIG) + 2 * len(TEXT):,} bytes of bodies")


def test_parallel(tool):
    r, p = draw(tool, "-Z", "{U}/x[1-30]", "-o", "f#1")
    assert r.rc == 0 and len(r.files) == 31
    assert p.says(f"{30 * len(TEXT):,} bytes of bodies")
    assert p.listed["command"] > 10000 and p.listed["conn"] > 1000


def test_other_outputs_are_the_same(tool):
    def run(*more):
        return tool.mote("-s", "-i", "{U}/multi", "-w", "%{size_download} %{mem_peak} %{mem_allocs}", *more)
    plain, drawn = run(), run("--memory-graph", "m.svg")
    date = re.compile(rb"Date: .*\r\n")
    assert date.sub(b"", plain.out) == date.sub(b"", drawn.out)


def test_dash_is_stdout(tool):
    r = tool.mote("-s", "--memory-graph", "-", "-o", "f", "{U}/a")
    assert r.rc == 0 and Picture(r.out).peak > 0


def test_no_url_in_the_picture(tool):
    r, _ = draw(tool, "-u", "me:topsecret", "-o", "f", "{U}/a?token")
    assert b"topsecret" not in r.files["m.svg"] and b"token" not in r.files["m.svg"]


@pytest.mark.parametrize("name", ["none/m.svg", ".", "/dev/full"])
def test_file_that_cannot_be_written(tool, name):
    r = tool.mote("-sS", "--memory-graph", name, "-o", "f", "{U}/bin")
    assert r.rc == 23 and r.files["f"] == BIG
    assert f"(23) --memory-graph: cannot write {name}: ".encode() in r.err
    assert not tool.mote("-s", "--memory-graph", name, "-o", "f", "{U}/a").err


@pytest.mark.parametrize("name", ["none/m.svg", "/dev/full", "m.svg"])
def test_exit_code_is_the_transfers(tool, name):
    r = tool.mote("-sS", "--memory-graph", name, "-f", "-o", "f", "{U}/404")
    assert r.rc == 22
    if name == "m.svg":
        assert Picture(r.files["m.svg"]).peak > 0


def test_old_picture_makes_room(tool):
    r = tool.mote("-s", "--memory-graph", "m.svg", "-o", "f", "{U}/a", files={"m.svg": b"x" * 100000})
    assert r.rc == 0 and len(r.files["m.svg"]) < 100000 and Picture(r.files["m.svg"]).peak > 0
    r = tool.mote("-s", "--memory-graph", "m.svg", "--nosuch", "{U}/a", files={"m.svg": b"old"})
    assert r.rc == 2 and r.files["m.svg"] == b"old"


def test_own_table_without_picture_has_openssl(tool, tls):
    rows = table(tool.mote("-s", "--memory", "--cacert", tls.ca, "-o", "f", tls.url + "/a"))
    assert rows["OpenSSL"][2] > 100000 and rows["all"][1] == sum(row[2] for n, row in rows.items() if n != "all")
