"""tools/dashboard.py in a browser: every graph is drawn, with the numbers of the data file, and it fits a phone."""
import html
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import dashboard  # noqa: E402
import history  # noqa: E402

pytestmark = pytest.mark.check_all
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ROWS = {
    "get_first_allocs": {"work": "first <GET>", "unit": "allocations", "libcurl": 69, "debian": 70, "ceiling": 12},
    "get_first_peak": {"work": "the same, most at once", "unit": "bytes", "debian": 18152, "ceiling": 4500},
    "allocs_per_mb": {"work": "a further megabyte", "unit": "allocations", "libcurl": 0, "ceiling": 0},
    "https_first_allocs": {"work": "first HTTPS GET", "unit": "allocations", "libcurl": 239000, "ceiling": 16000},
    "instructions_get": {"work": "a further GET", "unit": "instructions", "libcurl": 59300, "ceiling": 10000},
    "struct_easy": {"work": "struct mote_easy", "unit": "bytes", "ceiling": 264},
}


def made_up():
    """Four lines: one that does not build, the last over a ceiling and dirty."""
    def line(n, subject, **more):
        return {"commit": f"{n:040x}", "date": f"2026-01-{n:02}T10:00:00+00:00", "subject": subject, "dirty": False,
                "absent": {}, **more}
    values = {"get_first_allocs": 9, "get_first_peak": 3000.5, "allocs_per_mb": 0, "https_first_allocs": 12000,
              "instructions_get": 9000.25}
    rest = {"structs": {"mote_easy": 264, "other (net/conn.c)": 8},
            "profiles": {"full": {"text": 9, "data": 5, "bss": 0}},
            "code": {"net/conn.c": 700, "api/easy/easy.c": 300, "tool/main.c": 50}}
    return [
        line(1, "first </script><b>bold", values=values, **rest),
        line(2, "does not build", values={}, absent={"build": "does not build: x.c:1: error"}),
        line(3, "smaller", values={**values, "get_first_allocs": 7}, **{**rest, "code": {"net/conn.c": 650}}),
        line(4, "worse", **{**rest, "values": {**values, "get_first_allocs": 13, "https_first_allocs": 12001},
                            "structs": {"mote_easy": 272}, "dirty": True}),
    ]


SHOWN = ("text", "td", "b", "span", "p", "button")  # what has numbers in it
REAL = history.read()
DATA = {"made up": (made_up(), ROWS), "one commit": (made_up()[:1], ROWS)}
with open(dashboard.TABLE, "rb") as table:
    DATA["real"] = (REAL, tomllib.load(table))


# --- the browser ---

class Page(html.parser.HTMLParser):
    """The elements of a page: [(tag, attributes, texts inside)]."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), []))
        if tag not in ("meta", "input"):
            self.open.append(self.elements[-1])

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        for _, _, texts in self.open:
            texts.append(data)

    def all(self, tag, kind=None):
        return [(a, "".join(t)) for name, a, t in self.elements
                if name == tag and (kind is None or kind in (a.get("class") or "").split())]

    def graph(self, key, name):
        """The elements of one svg."""
        out, inside = [], False
        for element in self.elements:
            if element[0] == "svg":
                inside = element[1].get(key) == name
            elif element[0] in ("h3", "table"):
                inside = False
            if inside:
                out.append(element)
        sub = Page("")
        sub.elements = out
        return sub


def browser(path, width=1280):
    if not CHROMIUM:
        pytest.fail("no chromium (tools/setup)")
    cmd = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},900",
           "--virtual-time-budget=5000", "--dump-dom", "file://" + str(path)]
    p = subprocess.run(cmd, capture_output=True, text=True, timeout=900)
    assert p.stdout, p.stderr[-500:]
    return p.stdout


def write(tmp_path, name, action=""):
    """The page's file, made by the program itself; action: a script at its end."""
    lines, rows = DATA[name]
    text = dashboard.page(dashboard.page_data(lines, rows))
    path = tmp_path / "page.html"
    path.write_text(text.replace("</body>", f"<script>{action}</script></body>"), encoding="utf-8")
    return path


@pytest.fixture(name="drawn", scope="module", params=list(DATA))
def fixture_drawn(request, tmp_path_factory):
    """(lines, rows, the page as drawn, with every commit in the table)"""
    path = write(tmp_path_factory.mktemp("dashboard"), request.param)
    return (*DATA[request.param], Page(browser(f"{path}#all")))


# --- what the data file says ---

def figure_of(line, name):
    """A figure of the page, read from a line in its own way."""
    if name.startswith("struct "):
        return line.get("structs", {}).get(name[len("struct "):])
    if name.startswith("code "):
        return line.get("code", {}).get(name[len("code "):])
    if name.startswith("total "):
        return line.get("profiles", {}).get("full", {}).get(name[len("total "):])
    return line["values"].get(name)


def expected(lines, name):
    return [(x["commit"], float(figure_of(x, name))) for x in lines if figure_of(x, name) is not None]


def names(lines):
    out = {n for x in lines for n in x["values"]}
    out |= {"struct " + n for x in lines for n in x.get("structs", {})}
    out |= {"code " + n for x in lines for n in x.get("code", {})}
    return out | {"total " + n for x in lines for n in x.get("profiles", {}).get("full", {})}


# --- tests ---

def test_no_error(drawn):
    """No script error; nothing was computed from what is not there."""
    _, _, page = drawn
    root = page.all("html")[0][0]
    assert root["data-errors"] == "0", root.get("data-error")
    assert int(root["data-drawn"]) == len(page.all("svg")) > 5
    for tag, attributes, text in page.elements:
        if tag not in ("script", "style"):
            words = " ".join([str(v) for k, v in attributes.items() if k != "title"] + (text if tag in SHOWN else []))
            assert not re.search(r"NaN|undefined|Infinity|\[object", words), (tag, attributes, text)


def test_every_graph(drawn):
    """One point per value of the data file, and a line through them; each row of the budgets has a graph."""
    lines, rows, page = drawn
    graphs = [a["data-figure"] for a, _ in page.all("svg") if "data-figure" in a]
    assert len(set(graphs)) == len(graphs)
    assert {n for x in lines for n in x["values"]} | {"total text"} <= set(graphs)
    for name in graphs:
        graph = page.graph("data-figure", name)
        points = [(a["data-sha"], float(a["data-value"])) for a, _ in graph.all("circle", "pt")]
        assert points == expected(lines, name) != [], name
        (line, _), = graph.all("path", "line")
        assert line["d"].count("M") >= 1 and len(re.findall("[MHV]", line["d"])) >= len(points), name
        for attributes, _ in graph.all("circle", "pt"):
            assert 0 <= float(attributes["cx"]) <= 1500 and 0 <= float(attributes["cy"]) <= 170, name
    if "struct_easy" in rows:
        assert "struct mote_easy" in graphs


def test_heights_follow_values(drawn):
    """The larger value is drawn higher."""
    _, _, page = drawn
    for attributes, _ in page.all("svg"):
        if "data-figure" in attributes:
            points = sorted((float(a["data-value"]), -float(a["cy"]))
                            for a, _ in page.graph("data-figure", attributes["data-figure"]).all("circle", "pt"))
            heights = [h for _, h in points]
            assert heights == sorted(heights), attributes["data-figure"]


def test_reference_lines(drawn):
    """Each bound and each figure of libcurl's is drawn, or named above the graph that has no room for it."""
    _, rows, page = drawn
    for attributes, _ in page.all("svg"):
        row = rows.get(attributes.get("data-figure"))
        if row:
            graph = page.graph("data-figure", attributes["data-figure"])
            ruled = [float(a["data-rule"]) for a, _ in graph.all("line") if "data-rule" in a]
            above = " ".join(t for _, t in graph.all("text", "above"))
            for key, word in (("ceiling", "ceiling"), ("libcurl", "8.22"), ("debian", "7.88")):
                if key in row:
                    assert row[key] in ruled or word in above, (attributes["data-figure"], key)


def test_stack(drawn):
    """An area per folder of the library with the sums of its files."""
    lines, _, page = drawn
    areas = page.graph("data-stack", "parts").all("path", "area")
    folders = {n.split("/")[0] for x in lines for n in x.get("code", {})} - {"tool"}
    assert {a["data-part"] for a, _ in areas} == folders and len(areas) == len(folders) > 1
    for attributes, _ in areas:
        part = attributes["data-part"] + "/"
        sums = [sum(v for k, v in x["code"].items() if k.startswith(part)) if "code" in x else None for x in lines]
        assert json.loads(attributes["data-values"]) == sums
        assert re.fullmatch(r"M[-\d. ]+([HV][-\d.]+)+z", attributes["d"])


def test_table(drawn):
    """A cell for each figure and commit, with the number of the data file in it."""
    lines, _, page = drawn
    cells = {(a["data-figure"], a["data-sha"]): (a, t) for a, t in page.all("td") if "data-figure" in a}
    assert len(cells) == len(names(lines)) * len({x["commit"] for x in lines})
    for name in names(lines):
        for line in lines:
            attributes, text = cells[name, line["commit"]]
            value = figure_of(line, name)
            shown = text.strip("▲▼ \n").replace(",", "")
            if value is None:
                assert shown == "–" and "data-value" not in attributes
            else:
                assert float(attributes["data-value"]) == value
                assert abs(float(shown) - value) <= (0.5 if value >= 1000 else 0.005)


def test_what_could_not_be_measured(drawn):
    lines, _, page = drawn
    (_, text), = page.all("main")
    for line in lines:
        for name, why in line["absent"].items():
            assert f"{name}: {why}" in text


@pytest.mark.parametrize("name, width", [("real", 390), ("real", 320), ("real", 1280), ("made up", 390)])
def test_fits(tmp_path, name, width):
    """Nothing is wider than the screen. In a frame, since a window is not made narrower than 500 pixels."""
    page = write(tmp_path, name).read_text(encoding="utf-8")
    frame = tmp_path / "frame.html"
    frame.write_text(f"""<!doctype html><iframe style="width:{width}px;height:800px;border:0"
      srcdoc="{html.escape(page)}"></iframe><p></p><script>
      document.querySelector("iframe").onload = e => {{
        const inner = e.target.contentDocument, root = inner.documentElement;
        const wide = [...inner.querySelectorAll("body *")].filter(x => !x.closest(".wide") &&
          x.getBoundingClientRect().right > {width} + 0.5).map(x => x.tagName + "." + x.getAttribute("class"));
        document.querySelector("p").textContent = JSON.stringify({{ wide, room: inner.defaultView.innerWidth,
          needed: root.scrollWidth, errors: root.dataset.errors, drawn: root.dataset.drawn }});
        document.querySelector("iframe").remove();
      }};</script>""", encoding="utf-8")
    text = Page(browser(frame)).all("p")[0][1]
    got = json.loads(text)
    assert got["wide"] == [] and 0 < got["needed"] <= got["room"] == width
    assert got["errors"] == "0" and int(got["drawn"]) > 5


def test_head_and_changes(tmp_path):
    """The made-up last commit: two figures over their ceilings, one better commit before it, noise left out."""
    page = Page(browser(write(tmp_path, "made up")))
    assert [t for _, t in page.all("b")][:4] == ["4", "2", "1", "0"]
    changes = "".join(t for _, t in page.all("button", "change"))
    assert "first <GET>: 7 → 13 allocations" in changes and "first <GET>: 9 → 7 allocations" in changes
    assert "struct mote_easy: 264 → 272 bytes" in changes and "HTTPS" not in changes
    assert [t for a, t in page.all("span", "over")] == ["beyond its ceiling 12", "beyond its ceiling 264"]


def test_pointing(tmp_path):
    """Pointing at a graph shows value, difference, commit and date; a finger does the same."""
    action = """
      const graph = document.querySelector("svg[data-figure=get_first_allocs]");
      const at = graph.querySelector(`circle[data-value="7"]`).getBoundingClientRect();
      graph.dispatchEvent(new PointerEvent("pointerdown", { clientX: at.left + 1, clientY: at.top }));
      document.body.dataset.tip = document.getElementById("tip").innerText;"""
    root = Page(browser(write(tmp_path, "made up", action))).all("body")[0][0]
    tip = root["data-tip"]
    assert "7 allocations" in tip and "9 before: −2 (−22 %)" in tip and "smaller" in tip and "3 Jan 2026" in tip


def test_controls(tmp_path):
    """The logarithmic scale has a line for each of libcurl's figures; the filter and the sorting do what they say."""
    action = """
      document.querySelectorAll("#scale button")[2].click();
      const input = document.querySelector("#choose input");
      input.value = "get_FIRST"; input.dispatchEvent(new Event("input"));
      document.querySelectorAll("#table th button")[1].click();"""
    page = Page(browser(write(tmp_path, "made up", action)))
    assert page.all("html")[0][0]["data-errors"] == "0"
    for name, row in ROWS.items():
        if not name.startswith("struct"):
            graph = page.graph("data-figure", name)
            ruled = [float(a["data-rule"]) for a, _ in graph.all("line") if "data-rule" in a]
            assert sorted(ruled) == sorted(row[k] for k in ("libcurl", "debian", "ceiling") if k in row)
            assert not graph.all("text", "above")
    shown = [a["data-figure"] for a, _ in page.all("td") if "data-figure" in a]
    assert list(dict.fromkeys(shown)) == ["get_first_peak", "get_first_allocs"]


def test_nothing_from_elsewhere():
    """One file: no address in it is loaded, and its policy forbids that."""
    text = dashboard.page(dashboard.page_data(*DATA["made up"]))
    assert "default-src 'none'" in text
    assert not re.search(r"""(?:src|href)\s*=|url\(|@import|fetch\(|XMLHttp""", text)
    assert text.count("</script>") == 3  # the made-up subject does not end the data


def test_marks():
    """Noise is left out; what creeps is seen when it has come far enough."""
    assert dashboard.marks_of([None, 100, 100.1, None, 100.3, 100.1], (0.002, 0)) == [[4, 100, 100.3]]
    assert dashboard.marks_of([7, 7, 8, 7], (0, 0)) == [[2, 7, 8], [3, 8, 7]]
    assert dashboard.marks_of([0, 0.07, 1], (0, 0.1)) == [[2, 0, 1]]


def test_noise():
    """A fifth of a percent of instructions, more of a megabyte's; a byte is a byte."""
    rows = {n: {"work": n, "unit": u} for n, u in (("instructions_mb", "instructions"), ("instructions_get",
            "instructions"), ("idle_bytes", "bytes"))}
    lines = [{"values": dict.fromkeys(rows, 10000 + n)} for n in (0, 1, 150)]
    marks = {n: len(f["marks"]) for n, f in dashboard.work_figures(lines, rows).items()}
    assert marks == {"instructions_mb": 0, "instructions_get": 1, "idle_bytes": 2}


def test_works_are_written_out():
    assert dashboard.full_works(ROWS)["get_first_peak"] == "first <GET>, most at once"


def test_without_history(tmp_path):
    p = subprocess.run([sys.executable, os.path.join(ROOT, "tools/dashboard.py"), "--history", tmp_path / "none"],
                       capture_output=True, text=True)
    assert p.returncode == 1 and "make history" in p.stderr
