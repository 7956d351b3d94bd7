"""bench/peers: a peer's line is read, a wrong count is a failure, and table and picture say what was measured. No
peer is built or run here but a stand-in."""
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.join(ROOT, "bench", "peers")
sys.path.insert(0, HERE)
import peers  # noqa: E402
import peers_page as page  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"


def figures(kb, cpu, at_once=0, connections=10):
    return {"kb": kb, "cpu": cpu, "at_once": at_once, "connections": connections}


def row(name, kb=10000, cpu=1.0, at_once=1000, connections=10):
    return name, "1.2", {"many": figures(kb, cpu, at_once, 1000), "small": figures(kb, cpu, 0, connections),
                         "big": figures(kb, cpu, 0, 1)}


# --- what a peer prints ---

@pytest.mark.parametrize("text", [
    "done=3 bytes=36\n",
    "a warning\ndone=3 bytes=36\n",
    "result rate=5512.1 done=3 bad=0 bytes=36 connections=1 user_us=0.1\n",  # bench/rate
])
def test_a_line_is_read(text):
    assert peers.counts(text) == (3, 36)
    peers.check_counts(text, 3, 12)


@pytest.mark.parametrize("text", ["done=2 bytes=36\n", "done=3 bytes=35\n", "done=0 bytes=0\n", "", "36 bytes\n"])
def test_a_wrong_count_is_a_failure(text):
    with pytest.raises(peers.Void):
        peers.check_counts(text, 3, 12)


def test_a_peer_that_is_wrong_is_in_no_row(monkeypatch):
    class Server:
        http = ""

        def file(self, *_, **__):
            pass

        def pin(self, _):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

    def once(built, *_):
        peers.check_counts(built.version, 3, 12)
        return {**figures(1, 1), "clock": 1.0}

    monkeypatch.setattr(peers.server, "Server", lambda **_: Server())
    monkeypatch.setattr(peers, "Status", lambda _: None)
    monkeypatch.setattr(peers, "run_once", once)
    built = {"good": peers.Built([], "done=3 bytes=36"), "bad": peers.Built([], "done=3 bytes=24")}
    rows, wrong = peers.measure_all(built, peers.LOADS, 1)
    assert [name for name, *_ in rows] == ["good"]
    assert wrong == {"bad": "done=3 bytes=24, wanted done=3 bytes=36"}


def test_the_least_processor_time_counts():
    assert peers.best_of([figures(3, 0.2), figures(2, 0.1), figures(1, 0.3)]) == figures(2, 0.1)


def test_what_is_not_on_the_machine_is_said(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    built, missing = peers.build_all({"wget2": peers.peers("", "")["wget2"]})
    assert (built, missing) == ({}, {"wget2": "there is no wget2 (tools/setup peers)"})
    assert "wget2: not measured: there is no wget2" in capsys.readouterr().out


def test_the_words_of_a_command_line():
    assert peers.words(["node", "get.js"], "big", "u", 1, 1) == ["node", "get.js", "big", "u", "1", "1"]
    assert peers.words(["/b/rate"], "small", "u", 9, 3) == ["/b/rate", "u", "9", "3"]
    assert peers.words(["/b/rate"], "big", "u", 1, 1) == ["/b/rate", "u", "1", "0"]


# --- what is pinned ---

def read(*path):
    with open(os.path.join(HERE, *path), encoding="utf-8") as f:
        return f.read()


def test_each_python_package_has_a_hash():
    for wanted in read("python", "requirements.txt").replace("\\\n", "").splitlines():
        assert wanted.startswith("#") or ("==" in wanted and "--hash=sha256:" in wanted)


def test_the_lock_of_npm_has_hashes_and_no_addresses():
    text = read("node", "package-lock.json")
    assert '"integrity"' in text and "resolved" not in text and "://" not in text


# --- table and picture ---

def test_page_and_picture_are_up_to_date():
    subprocess.run([sys.executable, os.path.join(HERE, "peers_page.py"), "--check"], check=True)


def test_what_is_kept_is_read_again(monkeypatch, tmp_path):
    monkeypatch.setattr(page, "TABLE", str(tmp_path / "peers.tsv"))
    rows = [row("Mote"), row("wget2", 20000, 2.5)]
    page.keep(rows, {"Rust": "no cargo"})
    assert page.read() == (rows, {"Rust": "no cargo"})


def test_a_table():
    lines = page.table([row("Mote"), row("wget2", 200000, 12.34)], {}).splitlines()
    assert lines[1].startswith("| | 1,000 downloads at a time: memory | 1,000 downloads at a time: CPU | 20,000 small")
    assert lines[3] == "| Mote 1.2 |" + " **10.2 MB** | **1.00 s** |" * 3
    assert lines[4] == "| wget2 1.2 |" + " 205 MB | 12.3 s |" * 3


def test_a_peer_that_wins_is_named():
    text = page.table([row("Mote", cpu=1.0), row("Go", kb=20000, cpu=0.5)], {})
    assert "Least memory of 1,000 downloads at a time, memory of 20,000 small GETs and memory of 1 GB: Mote." in text
    assert "processor time of 1 GB: Go." in text and text.count("**0.50 s**") == 3


def test_peers_that_print_the_same_share_the_place():
    assert page.least([row("a", cpu=1.001), row("b", cpu=1.0), row("c", cpu=1.1)], "big", "cpu") == ["a", "b"]


def test_what_differs_is_said():
    text = page.table([row("a", at_once=700), row("b", connections=1234)], {"c": "no cargo"})
    assert "- a had 700 of the 1,000 downloads in progress at once.\n" in text
    assert "- b made 1,234 connections for the small GETs.\n" in text
    assert "- c was not measured: no cargo.\n" in text


def test_a_picture_has_a_bar_for_each():
    tree = ElementTree.fromstring(page.picture([row("Mote"), row("a & b", 40000, 2.0)]))
    bars = [e for e in tree.iter(SVG + "rect") if e.get("class") in ("mote", "other")]
    assert [e.get("class") for e in bars] == ["mote", "other"] * 3
    assert 4 * float(bars[0].get("width")) == pytest.approx(float(bars[1].get("width")), abs=0.3)
    assert "a & b 1.2" in [t.text for t in tree.iter(SVG + "text")]


def test_nothing_is_measured():
    assert "Nothing is measured yet." in page.table([], {})
    with pytest.raises(SystemExit):
        page.picture([])
