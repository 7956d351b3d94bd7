"""tools/memanalyze and tools/memlog: the figures of logs written by hand, odd logs, the pictures; and that the figures
of a real log are those of an independent count (tests/preload) of the same run.

MOTE_LOG_DIR: the log build's folder (default: build/log)."""
import contextlib
import http.server
import json
import os
import random
import re
import shutil
import ssl
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tools"), os.path.join(ROOT, "tests")]
import preload  # noqa: E402
import server  # noqa: E402
from memlog import compare, figures, picture, reader  # noqa: E402

TOOL = os.path.join(ROOT, "tools", "memanalyze")
LOG_DIR = os.path.abspath(os.environ.get("MOTE_LOG_DIR", os.path.join(ROOT, "build", "log")))
CLEAN = """\
MEM api/easy/easy.c:18 malloc(100) = 0x10
MEM net/conn.c:80 calloc(2,30) = 0x20
MEM transfer/options/options.c:9 strdup(0x99) (5) = 0x30
FD net/conn.c:90 socket() = 5
CALL net/conn.c:91 connect(5) = -1 EINPROGRESS
MEM net/conn.c:80 realloc(0x20, 200) = 0x40
SEND net/conn.c:95 send(80) = 80
RECV net/conn.c:96 recv(1000) = 700
RECV net/conn.c:96 recv(1000) = -1 EAGAIN
MEM transfer/options/options.c:10 free(0x30)
MEM net/conn.c:99 free(0x40)
FD net/conn.c:98 sclose(5)
MEM api/easy/easy.c:20 free(0x10)
"""


def run(tmp_path, text, *options):
    log = tmp_path / "a.log"
    log.write_bytes(text if isinstance(text, bytes) else text.encode())
    return subprocess.run([sys.executable, TOOL, str(log), *options], capture_output=True, text=True, timeout=900)


def figures_of(tmp_path, text, *options):
    p = run(tmp_path, text, "--json", *options)
    assert not p.stderr, p.stderr
    f = json.loads(p.stdout)
    assert f["status"] == p.returncode
    assert sum(s["live"] for s in f["sites"]) == f["live"] and sum(s["at_peak"] for s in f["sites"]) == f["peak"]
    return f


# --- figures ---

def test_a_clean_log(tmp_path):
    f = figures_of(tmp_path, CLEAN)
    assert f["status"] == 0
    assert (f["allocations"], f["frees"], f["bytes"]) == (4, 3, 365)
    assert (f["peak"], f["peak_line"], f["live"]) == (305, 6, 0) and f["peak_share"] == 6 / 13
    assert f["kinds"]["MEM"] == {"free": 3, "malloc": 1, "calloc": 1, "realloc": 1, "strdup": 1}
    assert f["kinds"]["FD"] == {"socket": 1, "sclose": 1} and f["failed_calls"] == {"CALL connect": 1, "RECV recv": 1}
    sites = {s["site"]: s for s in f["sites"]}
    assert sites["net/conn.c:80"] == {"site": "net/conn.c:80", "part": "net", "call": "calloc", "allocations": 2,
                                      "bytes": 260, "at_peak": 200, "live": 0, "live_blocks": 0}
    assert f["parts"]["net"]["at_peak"] == 200 and f["parts"]["api"]["at_peak"] == 100
    assert f["traffic"] == {"recv": {"bytes": 700, "calls": 1}, "send": {"bytes": 80, "calls": 1}}
    assert f["growth"] is None and not f["unknown_lines"] and not f["cut_off"]


def test_what_is_never_freed(tmp_path):
    f = figures_of(tmp_path, CLEAN + "MEM tls/a.c:7 malloc(11) = 0x50\nMEM tls/a.c:7 malloc(12) = 0x60\n")
    assert f["status"] == 1 and f["live"] == 23
    assert f["never_freed"] == [{"site": "tls/a.c:7", "call": "malloc", "blocks": 2, "bytes": 23}]
    text = run(tmp_path, CLEAN + "MEM tls/a.c:7 malloc(11) = 0x50\n")
    assert text.returncode == 1 and "tls/a.c:7 malloc: 1 block, 11 bytes" in text.stdout


@pytest.mark.parametrize("opened, closed", [
    ("FD net/a.c:5 socket() = 7", "FD net/a.c:6 sclose(7)"),
    ("FD net/a.c:5 accept() = 7", "FD net/a.c:6 sclose(7) = -1 EIO"),
    ('FD net/a.c:5 open("a) = b") = 7', "FD net/a.c:6 close(7)"),
    ('FILE tool/a.c:5 fopen("x y","w") = 0x77', "FILE tool/a.c:6 fclose(0x77)"),
    ("ADDR net/a.c:5 getaddrinfo() = 0x77", "ADDR net/a.c:6 freeaddrinfo(0x77)"),
])
def test_what_is_not_closed(tmp_path, opened, closed):
    assert figures_of(tmp_path, f"{opened}\n{closed}\n")["status"] == 0
    f = figures_of(tmp_path, CLEAN + opened + "\n")
    assert f["status"] == 1
    kind, site, call = opened.split(" ", 2)
    assert f["not_closed"] == [{"kind": kind, "what": opened.rpartition(" ")[2], "site": site,
                                "call": call.partition("(")[0], "line": 14}]
    assert figures_of(tmp_path, closed + "\n")["closed_unopened"] == (kind != "ADDR")


@pytest.mark.parametrize("failed", [
    "FD net/a.c:5 socket() = -1 EMFILE", 'FILE tool/a.c:5 fopen("x","w") = 0x0 EACCES',
    'FILE tool/a.c:5 fopen("x","w") = (nil)', "ADDR net/a.c:5 getaddrinfo() failed",
    "MEM net/a.c:5 malloc(3) = 0x0", "MEM net/a.c:5 calloc(3,4) = (nil)", "MEM net/a.c:5 strdup(0x9) (3) = 0x0",
])
def test_a_call_that_fails_opens_nothing(tmp_path, failed):
    f = figures_of(tmp_path, failed + "\n")
    assert f["status"] == 0 and sum(f["failed_calls"].values()) == 1 and not f["allocations"]


def test_a_file_of_a_descriptor_closes_it(tmp_path):
    log = ('FD tool/a.c:5 open("x") = 7\nFILE tool/a.c:6 fdopen(7,"w") = 0x77\nFD net/a.c:8 socketpair() = 8 9\n'
           "FILE tool/a.c:7 fclose(0x77)\nFD net/a.c:9 sclose(8)\n")
    f = figures_of(tmp_path, log)
    assert [o["what"] for o in f["not_closed"]] == ["9"]


def test_double_and_unknown_frees(tmp_path):
    log = CLEAN + "MEM net/conn.c:101 free(0x40)\nMEM net/conn.c:102 free(0xdead)\nMEM net/conn.c:103 free(0x0)\n" \
        "MEM net/conn.c:103 free((nil))\nADDR net/names/names.c:9 freeaddrinfo(0xbeef)\n"
    f = figures_of(tmp_path, log)
    assert f["status"] == 2 and f["bad_free_count"] == 3 and f["frees"] == 3
    double, unknown, address = f["bad_frees"]
    assert (double["double"], double["line"], double["site"]) == (True, 14, "net/conn.c:101")
    assert (double["allocated"], double["freed"]) == ("net/conn.c:80", "net/conn.c:99")
    assert not unknown["double"] and unknown["pointer"] == "0xdead" and address["call"] == "freeaddrinfo"
    text = run(tmp_path, log + "MEM net/a.c:5 malloc(3) = 0x90\n")
    assert text.returncode == 2 and "freed wrongly: 1 twice, 2 not ours" in text.stdout
    assert "line 14: free(0x40) at net/conn.c:101: freed before at net/conn.c:99, allocated at net/conn.c:80" \
        in text.stdout and "never freed" in text.stdout


def test_realloc(tmp_path):
    f = figures_of(tmp_path, "MEM a/a.c:1 realloc(0x0, 10) = 0x10\nMEM a/a.c:2 realloc((nil),5) = 0x20\n"
                   "MEM a/a.c:3 realloc(0x10, 50) = 0x0\nMEM a/a.c:4 realloc(0x10, 4) = 0x10\n"
                   "MEM a/a.c:5 realloc(0x10, 6) = 0x30\nMEM a/a.c:6 realloc(0x20, 0) = 0x0\n")
    assert (f["allocations"], f["frees"], f["failed"], f["peak"], f["live"]) == (4, 1, 1, 15, 6)
    assert f["peak_line"] == 2 and f["status"] == 1
    f = figures_of(tmp_path, "MEM a/a.c:1 realloc(0x10, 10) = 0x20\nMEM a/a.c:2 free(0x20)\n")
    assert f["status"] == 2 and f["live"] == 0 and f["allocations"] == 1


def test_a_block_that_is_given_again(tmp_path):
    f = figures_of(tmp_path, "MEM a/a.c:1 malloc(10) = 0x20\nMEM b/a.c:2 malloc(7) = 0x20\nMEM b/a.c:2 free(0x20)\n")
    assert f["given_again"] == 1 and f["live"] == 0 and f["peak"] == 10 and f["status"] == 0


def test_growth_per_megabyte(tmp_path):
    once = "MEM a/a.c:1 malloc(10) = 0x%x\nRECV net/a.c:2 recv(9) = 524288\n"
    f = figures_of(tmp_path, "".join(once % (i * 16 + 16) for i in range(20)) + "MEM a/a.c:5 malloc(1) = 0x4\n" * 9)
    assert f["growth"] == {"by": "recv", "megabytes": 10.0, "allocations_per_mb": 2.0, "live_per_mb": 20.0}
    assert figures_of(tmp_path, once % 16)["growth"] is None
    assert figures_of(tmp_path, "SEND net/a.c:2 send(9) = 4194304\n" * 2)["growth"]["by"] == "send"


def test_libcurls_own_form(tmp_path):
    log = """\
MEM url.c:294 strdup(0x55d0) (24) = 0x55e0
MEM lib/easy.c:299 malloc(44) = 0x55f0
MEM ../lib/vtls/vtls.c:7 calloc(1,8) = 0x5600
MEM multi.c:5 realloc(0x55f0, 60) = 0x5610
MEM x.c:5 wcsdup(0x1) (6) = 0x5620
FD cf-socket.c:12 socket() = 5
ADDR hostip.c:7 getaddrinfo() = 0x77
SEND sendf.c:1 send(12) = 12
RECV sendf.c:1 recv(100) = 50
LIMIT url.c:8 malloc reached memlimit
FD cf-socket.c:13 sclose(5)
ADDR hostip.c:8 freeaddrinfo(0x77)
"""
    f = figures_of(tmp_path, log)
    assert not f["unknown_lines"] and f["peak"] == 98 and f["failed_on_purpose"] == 1 and f["status"] == 1
    assert {(s["site"], s["part"]) for s in f["sites"]} == {
        ("url.c:294", "url"), ("lib/easy.c:299", "easy"), ("../lib/vtls/vtls.c:7", "vtls"), ("multi.c:5", "multi"),
        ("x.c:5", "x")}
    assert figures_of(tmp_path, log.replace("\n", "\r\n")) == f
    by_file = figures_of(tmp_path, log, "--by", "file")
    assert by_file["parts"]["vtls/vtls.c"]["at_peak"] == 8


def test_unknown_and_cut_lines(tmp_path):
    log = "hello\n" + CLEAN + "MEM net\n\nMEM a/a.c:1 mallo(5) = 0x1\nMEM a/a.c:1 malloc(x) = 0x1\n" \
        "MEM a/a.c:1 free(0x1\nBT 1 2 3\nRECV here recv(1) = 1\nMEM a/a.c:1 malloc(24) = 0x5"
    f = figures_of(tmp_path, log)
    assert f["unknown_lines"] == 8 and f["first_unknown"] == {"line": 1, "text": "hello"} and f["cut_off"]
    assert f["status"] == 0 and f["allocations"] == 4
    text = run(tmp_path, log).stdout
    assert "8 lines left out, the first is 1: hello" in text and "the last line has no end" in text


@pytest.mark.parametrize("text", [b"", b"no log\nat all\n", bytes(range(256)) * 4000, b"x" * 3_000_000],
                         ids=["empty", "words", "bytes", "one line"])
def test_what_is_no_log(tmp_path, text):
    for options in ([], ["--json"], ["--svg", str(tmp_path / "s")], ["--html", str(tmp_path / "h")]):
        p = run(tmp_path, text, *options)
        assert p.returncode == 3 and not p.stderr


def test_a_missing_log_and_wrong_options(tmp_path):
    for arguments in (["/nowhere/x.log"], ["--sideways"], [str(tmp_path)], [], [TOOL, "--top", "0"]):
        p = subprocess.run([sys.executable, TOOL, *arguments], capture_output=True, text=True)
        assert p.returncode == 3 and "memanalyze" in p.stderr and "Traceback" not in p.stderr
    p = run(tmp_path, CLEAN, "--svg", "/nowhere/x.svg")
    assert p.returncode == 3 and "/nowhere/x.svg" in p.stderr


def test_help_lists_the_exit_statuses():
    out = subprocess.run([sys.executable, TOOL, "--help"], capture_output=True, text=True, check=True).stdout
    assert all(re.search(rf"^ *(exit status: )?{n}  ", out, re.M) for n in range(4))


def test_the_text_fits_a_screen(tmp_path):
    lines = run(tmp_path, CLEAN).stdout.splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 96
    many = "".join(f"MEM net/conn.c:{i} malloc({i}) = 0x{i * 16:x}\n" for i in range(1, 400))
    lines = run(tmp_path, many).stdout.splitlines()
    assert len(lines) <= 50 and max(map(len, lines)) <= 96 and lines[-1] == "  ... and 389 more"
    assert len(run(tmp_path, many, "--top", "2").stdout.splitlines()) < len(lines)


# --- against a slow and plain count ---

def random_log(seed, count):
    r = random.Random(seed)
    live, lines, at = [], [], 0x1000
    for _ in range(count):
        what = r.random()
        site = f"{r.choice(['net', 'tls', 'api'])}/{r.choice('abc')}.c:{r.randrange(9)}"
        if what < 0.45 or not live:
            at += 16
            live.append(at)
            lines.append(f"MEM {site} malloc({r.randrange(999)}) = {at:#x}")
        elif what < 0.6:
            at += 16
            old, live[-1] = live[-1], at
            lines.append(f"MEM {site} realloc({old:#x}, {r.randrange(1, 999)}) = {at:#x}")
        else:
            lines.append(f"MEM {site} free({live.pop(r.randrange(len(live))):#x})")
    return lines


def plain_count(lines):
    """(peak, its line, {site: bytes} at the peak, live bytes after each line)"""
    held, peak, peak_line, then, totals = {}, 0, 0, {}, []
    for number, line in enumerate(lines, 1):
        site, call = line.split(" ", 2)[1:]
        if not call.startswith("malloc"):
            held.pop(re.search(r"\((0x\w+)", call).group(1))
        if "=" in call:
            held[call.rpartition(" ")[2]] = (int(re.search(r"(\d+)\) =", call).group(1)), site)
        totals.append(sum(size for size, _ in held.values()))
        if totals[-1] > peak:
            peak, peak_line, then = totals[-1], number, {}
            for size, owner in held.values():
                then[owner] = then.get(owner, 0) + size
    return peak, peak_line, then, totals


@pytest.mark.parametrize("seed", range(6))
def test_a_plain_count_says_the_same(tmp_path, seed):
    lines = random_log(seed, 3000)
    peak, peak_line, then, totals = plain_count(lines)
    log = tmp_path / "r.log"
    log.write_text("\n".join(lines) + "\n")
    got = reader.read(log)
    assert (got.peak, got.peak_line, got.total) == (peak, peak_line, totals[-1])
    assert {s.name: s.at_peak for s in got.sites.values() if s.at_peak} == {k: v for k, v in then.items() if v}
    width, samples = got.series.width, got.series.samples
    assert width > 1 and len(samples) <= reader.BUCKETS
    for i, s in enumerate(samples):  # a sample holds its lines' most; what the line before left over counts, too
        begin, end = max(i * width - 1, 0), (i + 1) * width
        assert s.total == max(totals[begin:end]) == sum(s.parts) == totals[s.line - 1]


def test_millions_of_lines(tmp_path):
    lines = ("\n".join(random_log(7, 20000)) + "\n").encode()
    log = tmp_path / "m.log"
    with open(log, "wb") as f:
        for i in range(15):
            f.write(lines.replace(b"0x", b"0x%x" % (i + 1)))
    begin = time.process_time()
    got = reader.read(log)
    rate = got.lines / (time.process_time() - begin)
    assert got.lines == 300_000 and len(got.series.samples) <= reader.BUCKETS
    assert rate > 100_000, f"{rate:,.0f} lines a second"  # 500,000 on a machine of 2023; far from it is a mistake


# --- comparing ---

def test_compare(tmp_path):
    old = tmp_path / "old.log"
    old.write_text(CLEAN)
    log = CLEAN + "MEM net/new.c:3 malloc(9) = 0x70\nMEM api/easy/easy.c:18 malloc(100) = 0x80\n"
    f = figures_of(tmp_path, log, "--compare", str(old))
    assert [s["site"] for s in f["compared"]["new"]] == ["net/new.c:3"]
    assert [(s["site"], s["before"]["allocations"]) for s in f["compared"]["more"]] == [("api/easy/easy.c:18", 1)]
    assert f["compared"]["totals"]["allocations"] == [4, 6]
    text = run(tmp_path, log, "--compare", str(old)).stdout
    assert "new   net/new.c:3 malloc x1, 9 bytes" in text and "api/easy/easy.c:18 malloc x2 (was 1)" in text
    assert "no site is new or does more" in run(tmp_path, CLEAN, "--compare", str(old)).stdout
    p = run(tmp_path, CLEAN, "--compare", TOOL)
    assert p.returncode == 3 and "not one line of a memory log" in p.stdout


def test_compare_moved_lines(tmp_path):
    def sites(*rows):
        return {"log": "x", "allocations": 0, "bytes": 0, "peak": 0, "live": 0, "sites": [
            {"site": f"a/b.c:{line}", "call": call, "allocations": n, "bytes": n * size, "at_peak": 0}
            for line, call, n, size in rows]}
    old = sites((10, "malloc", 1, 24), (20, "malloc", 1, 100), (30, "realloc", 1, 8))
    now = sites((12, "malloc", 1, 24), (15, "malloc", 1, 7), (25, "malloc", 2, 100), (35, "realloc", 1, 8))
    c = compare.compare(now, old, moved=True)
    assert [s["site"] for s in c["new"]] == ["a/b.c:15"]
    assert [(s["site"], s["before"]["site"]) for s in c["more"]] == [("a/b.c:25", "a/b.c:20")]
    assert len(compare.compare(now, old)["new"]) == 4
    grown = sites((10, "malloc", 1, 24), (22, "malloc", 1, 104), (32, "realloc", 1, 8))  # a struct, and two lines
    c = compare.compare(grown, old, moved=True)
    assert not c["new"] and [(s["site"], s["before"]["bytes"]) for s in c["more"]] == [("a/b.c:22", 100)]


# --- pictures ---

SVG = "{http://www.w3.org/2000/svg}"


def test_the_svg(tmp_path):
    assert run(tmp_path, CLEAN, "--svg", str(tmp_path / "a.svg"), "--title", "A < B").returncode == 0
    svg = ElementTree.parse(tmp_path / "a.svg").getroot()
    words = [t.text for t in svg.iter(SVG + "text")]
    assert {"A < B", "net", "api", "transfer", "305", "65.6%", "peak 305 bytes, line 6"} <= set(words)
    assert len(list(svg.iter(SVG + "polygon"))) == 3
    titles = [t.text for t in svg.iter(SVG + "title")]
    assert len(titles) == 13 and titles[5] == "line 6: 305 bytes\nnet 200\napi 100\ntransfer 5"
    net = [p for p in svg.iter(SVG + "polygon") if p.get("fill") == picture.COLOURS["net"]][0].get("points")
    assert max(float(p.split(",")[1]) for p in net.split()) == picture.BOTTOM
    tops = [min(float(p.split(",")[1]) for p in area.get("points").split()) for area in svg.iter(SVG + "polygon")]
    assert tops == sorted(tops, reverse=True) and len(set(tops)) == 3  # stacked


def test_the_picture_by_bytes_received(tmp_path):
    log = tmp_path / "a.log"
    log.write_text("".join(f"MEM n/a.c:1 malloc(10) = {i * 16:#x}\nRECV n/a.c:2 recv(9) = 100\n"
                           for i in range(1, 3000)))
    got = reader.read(log)
    m = picture.model(got, "received")
    assert m["x"] == "received" and m["extent"] == 299_900 and len(m["rows"]) <= 2 * picture.COLUMNS
    assert m["rows"][-1][4] == 29_990 == m["peak"] and m["rows"][m["peak_row"]][4] == m["peak"]
    assert all(a[1] <= b[0] + 1e-9 for a, b in zip(m["rows"], m["rows"][1:]))
    log.write_text("".join(line for line in CLEAN.splitlines(True) if not line.startswith("RECV")))
    assert picture.model(reader.read(log), "received")["x"] == "calls"


def test_many_parts_share_a_colour(tmp_path):
    log = tmp_path / "a.log"
    log.write_text("".join(f"MEM part{i}/a.c:1 malloc({1000 - i}) = {i * 16:#x}\n" for i in range(1, 400)))
    m = picture.model(reader.read(log), "calls")
    assert m["names"] == [f"part{i}" for i in range(1, 9)] + ["the rest"] and len(set(m["colours"])) == 9
    assert sum(m["composition"]) == m["peak"]


def test_large_numbers_on_an_axis(tmp_path):
    log = "".join(f"MEM a/a.c:{i} malloc(5000000) = 0x{i}0\nRECV a/a.c:9 recv(1) = 4000000\n" for i in range(1, 5))
    run(tmp_path, log, "--svg", str(tmp_path / "a.svg"), "--x", "received")
    words = [t.text for t in ElementTree.parse(tmp_path / "a.svg").getroot().iter(SVG + "text")]
    assert {"0", "5 million", "10 million", "15 million", "20,000,000", "bytes received"} <= set(words)
    assert "5,000,000" not in words


def test_the_peak_of_many_parts_is_shown_in_few_words(tmp_path):
    log = "".join(f"MEM p{i}/a.c:{i} malloc(100) = 0x{i}0\n" for i in range(10))
    assert "p5 10%, others 40%" in run(tmp_path, log).stdout


@pytest.mark.parametrize("most", [0, 1, 3, 99, 100, 101, 41234, 8_388_608, 10 ** 12])
def test_ticks(most):
    t = picture.ticks(most)
    assert t[0] == 0 and max(most, 1) <= t[-1] and len(t) <= 7 and len(set(b - a for a, b in zip(t, t[1:]))) == 1


FRAME = """<iframe id="f" style="width:%dpx;height:800px" srcdoc="%s"></iframe><pre id="shown">nothing</pre><script>
const f = document.getElementById("f");
f.onload = () => {
  const d = f.contentDocument, all = q => [...d.querySelectorAll(q)];
  const chart = d.getElementById("chart"), box = chart.getBoundingClientRect();
  d.querySelector("#sites thead th:nth-child(3) button").click();
  chart.dispatchEvent(new f.contentWindow.PointerEvent("pointermove", { clientX: box.left + box.width * 0.6 }));
  document.getElementById("shown").textContent = JSON.stringify({
    width: d.scrollingElement.scrollWidth, tops: all("#chart polygon").map(p => p.getBBox().y),
    points: all("#chart polygon").map(p => p.getAttribute("points")).join(" "),
    composition: all("#composition tbody tr").map(r => r.innerText),
    sites: all("#sites tbody tr").map(r => r.innerText),
    tip: d.getElementById("tip").innerText, peak: d.querySelector("#chart .peak").textContent });
};
</script>"""


@pytest.mark.check_all
@pytest.mark.parametrize("width", [390, 1100])
def test_the_page_in_a_browser(tmp_path, width):
    assert run(tmp_path, CLEAN, "--html", str(tmp_path / "a.html"), "--title", "</script>&\"<b>").returncode == 0
    page = (tmp_path / "a.html").read_text()
    assert not re.search(r"https?://(?!www\.w3\.org)", page)
    (tmp_path / "f.html").write_text(FRAME % (width, page.replace("&", "&amp;").replace('"', "&quot;")))
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert browser, "chromium is needed (tools/setup)"
    dom = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/user",
                          "--virtual-time-budget=5000", "--dump-dom", f"file://{tmp_path}/f.html"],
                         capture_output=True, text=True, timeout=900).stdout
    shown = json.loads(re.search(r'<pre id="shown">(.*?)</pre>', dom, re.S).group(1).replace("&amp;", "&"))
    assert shown["width"] <= width and "NaN" not in shown["points"]
    assert len(shown["tops"]) == 3 and shown["tops"] == sorted(shown["tops"], reverse=True)  # stacked
    assert [r.split() for r in shown["composition"]] == [
        ["net", "200", "65.6%"], ["api", "100", "32.8%"], ["transfer", "5", "1.6%"], ["together", "305", "100.0%"]]
    assert shown["sites"][0].split() == ["net/conn.c:80", "calloc", "2", "260", "200", "0"]
    assert shown["tip"].startswith("line ") and "net 200" in shown["tip"] and shown["peak"] == "peak 305"


# --- an independent count ---

class Pages(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    body = bytes(3 << 20)

    def do_GET(self):
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/big")
            self.send_header("Content-Length", "0")
            return self.end_headers()
        body = self.body if self.path == "/big" else b"small\n"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_PUT(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def urls(tmp_path_factory):
    """{"http": ..., "https": ...}: a server of each."""
    folder = tmp_path_factory.mktemp("tls")
    server.certificates(str(folder))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem", folder / "server.key")
    with contextlib.ExitStack() as stack:
        out = {}
        for scheme in ("http", "https"):
            s = stack.enter_context(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages))
            if scheme == "https":
                s.socket = context.wrap_socket(s.socket, server_side=True)
            threading.Thread(target=s.serve_forever, daemon=True).start()
            stack.callback(s.shutdown)
            out[scheme] = f"{scheme}://localhost:{s.server_port}"
        yield out


@pytest.fixture(scope="module")
def counter(tmp_path_factory):
    return preload.compiled(tmp_path_factory.mktemp("count") / "preload.so")


@pytest.mark.parametrize("what", [
    "{http}/small", "{http}/big", "-L {http}/moved", "{http}/small {http}/big {http}/small",
    "-Z {http}/big {http}/small", "-T {file} {http}/put", "-k {https}/small", "-k {https}/big",
    "http://localhost:1/refused", "--compressed -v {http}/small",
])
def test_the_same_as_an_independent_count(tmp_path, urls, counter, what):
    """Allocations, peak and what is left: exactly what a counter between program and C library counts."""
    mote = os.path.join(LOG_DIR, "mote")
    assert os.path.exists(mote), f"{mote}: the log build is needed (make log)"
    (tmp_path / "up").write_bytes(bytes(1 << 20))
    command = [mote, "-q", "-s", *what.format(**urls, file=tmp_path / "up").split()]
    env = dict(os.environ, CURL_MEMDEBUG=str(tmp_path / "a.log"), COUNT_OUT=str(tmp_path / "c"),
               LD_PRELOAD=counter)
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=240)
    count = dict(p.split("=") for p in (tmp_path / "c").read_text().split())
    log = reader.read(tmp_path / "a.log")
    f = figures.figures(log, str(tmp_path / "a.log"))
    assert not f["unknown_lines"] and not f["cut_off"] and f["allocations"] > 5
    assert [f["allocations"], f["peak"], f["live"]] == [int(count[k]) for k in ("own_calls", "own_peak", "own_live")]
    assert f["status"] == 0, figures.words(f)
