"""tools/ledger.py: every figure that leaves its band is named, what cannot be measured is said, docs/parts.md has the
tables."""
import os
import sys
import tomllib

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import ledger  # noqa: E402
import ledger_parts  # noqa: E402
import ledger_structs  # noqa: E402

FILES = {"net: net/conn.c": [500, 0], "reuse: net/pool.c": [120, 8], "https: tls/tls.c": [70, 4]}
PARTS = {"http": {"all": [9000, 8], "along": ["zlib", "zstd"]}, "zstd": {"all": [800, 0], "along": []}}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A ledger and a page of its own; measured is what a build comes to."""
    monkeypatch.setattr(ledger, "LEDGER", str(tmp_path / "sizes.toml"))
    monkeypatch.setattr(ledger_parts, "PAGE", str(tmp_path / "parts.md"))
    monkeypatch.setattr(ledger_parts, "measure", lambda names, notify: {n: PARTS[n] for n in names or PARTS})
    monkeypatch.setattr(ledger, "compiler", lambda target: None if target == "rv32imac" else "12.2.0")
    measured = {name: list(size) for name, size in FILES.items()}
    monkeypatch.setattr(ledger, "measure", lambda profile, target: {n: list(s) for n, s in measured.items()})
    monkeypatch.setattr(ledger, "measure_structs", lambda target: {"pointer": 4, "mote_conn": 184})
    ledger.write()
    return tmp_path, measured


def test_written_is_read_again(place):
    text = (place[0] / "sizes.toml").read_text()
    assert "\n[part.zstd]\nall = [800, 0]\nalong = []\n" in text
    assert tomllib.loads(text)["tiny"]
    found = ledger.read()
    assert found["tiny"]["cortex-m3"] == {"library": 620, "tls": 70, "ram": 12}
    assert "rv32imac" not in found["tiny"] and found["compilers"]["cortex-m3"] == "12.2.0"
    assert found["structs"] == {"cortex-m3": {"pointer": 4, "mote_conn": 184}}
    assert found["part"] == PARTS
    assert ledger.text_of(found) == text


def test_nothing_has_changed(place, capsys):
    assert ledger.check(False) == 0
    assert capsys.readouterr().out == "2 builds compared, 0 changes\n"
    assert ledger.check(True) == 0
    assert "rv32imac: not measured: riscv64-unknown-elf-gcc" in capsys.readouterr().out


@pytest.mark.parametrize("size, out", [
    (192, "2 builds compared, 0 changes\n"),
    (193, "structs, cortex-m3: mote_conn: 184 -> 193 bytes\n"),
])
def test_a_struct_may_have_one_more_word(place, monkeypatch, capsys, size, out):
    monkeypatch.setattr(ledger, "measure_structs", lambda target: {"pointer": 4, "mote_conn": size})
    assert ledger.check(False) == (size > 192)
    assert capsys.readouterr().out.startswith(out)


def test_a_struct_that_is_new_or_gone_is_a_line():
    lines = ledger_structs.differences("cortex-m3", {"mote_conn": 184}, {"mote_easy": 184})
    assert lines == ["structs, cortex-m3: mote_conn: 184 -> 0 bytes", "structs, cortex-m3: mote_easy: 0 -> 184 bytes"]


def test_every_struct_is_asked_for():
    text = ledger_structs.source()
    for name, header in ledger_structs.STRUCTS.items():
        assert f'#include "{header}"' in text and f"char size_of_{name}[sizeof(struct {name})];" in text


@pytest.mark.parametrize("change, line", [
    ({"net: net/conn.c": [565, 0]}, "tiny, cortex-m3: library: 620 -> 685 bytes (+65)"),
    ({"reuse: net/pool.c": [120, 73]}, "mcu, cortex-m3: ram: 12 -> 77 bytes (+65)"),
    ({"net: net/new.c": [1234, 0]}, "tiny, cortex-m3: library: 620 -> 1,854 bytes (+1,234)"),
    ({"https: tls/tls.c": None}, "tiny, cortex-m3: tls: 70 -> 0 bytes (-70)"),
])
def test_a_change_is_a_line(place, capsys, change, line):
    for name, size in change.items():
        place[1].pop(name, None)
        place[1].update({name: size} if size else {})
    assert ledger.check(False) == 1
    out = capsys.readouterr().out
    assert line + "\n" in out and "2 builds compared, 2 changes" in out


def test_a_band_is_64_bytes_or_a_hundredth(place, capsys):
    place[1]["net: net/conn.c"] = [564, 0]
    assert ledger.check(False) == 0
    assert [ledger_parts.has_left(100_000, now) for now in (101_000, 101_001, 99_000, 98_999)] == [False, True] * 2
    capsys.readouterr()


def test_another_compiler_is_not_compared(place, capsys, monkeypatch):
    monkeypatch.setattr(ledger, "compiler", lambda target: "13.1.0")
    place[1]["net: net/conn.c"] = [1, 0]
    assert ledger.check(False) == 0
    out = capsys.readouterr().out
    assert "cortex-m3: not measured: the compiler is 13.1.0, the ledger's 12.2.0" in out
    assert "0 builds compared, 0 changes" in out


def test_page_of_parts(place, capsys):
    page = place[0] / "parts.md"
    text = page.read_text()
    assert "| 620 + 70 | 620 + 70 |" in text and "| `tiny` | HTTP and HTTPS GET" in text
    assert "| 9,000 | 8 | `zlib`, `zstd` |\n" in text
    assert "| `zstd` | zstd | 800 | 0 |  |\n" in text
    page.write_text(text.replace("9,000", "9,001"))
    assert ledger.check(False) == 1
    assert "docs/parts.md: the tables are not the ledger's" in capsys.readouterr().out


def test_parts_that_leave_together_are_one_row():
    """`https`, `sha256` and `tls_files` would be rows of the same 46,643 bytes."""
    together = ["https", "sha256", "tls_files"]
    others = ["tls_keys", "presets", "ipv6", "threads", "sessions", "versions"]
    rows = {n: {"all": [46643, 16], "along": [o for o in together + others if o != n]} for n in together}
    rows["chacha20"] = {"all": [0, 0], "along": []}
    text = ledger_parts.page("", rows)
    assert text.count("46,643") == 1 and "| `https`, `sha256`, `tls_files` |" in text
    assert text.split("## What has no size")[1].count("`chacha20`") == 1


def test_one_part_is_written(place, monkeypatch):
    monkeypatch.setitem(PARTS, "http", {**PARTS["http"], "all": [1, 1]})
    monkeypatch.setitem(PARTS, "zstd", {**PARTS["zstd"], "all": [2, 2]})
    before = ledger.read()
    ledger.write(["zstd"])
    found = ledger.read()
    assert found["part"]["zstd"]["all"] == [2, 2] and found["part"]["http"]["all"] == [9000, 8]
    assert {**found, "part": 0} == {**before, "part": 0}


@pytest.mark.parametrize("row, line", [
    ({"all": [865, 0]}, ["part zstd: [800, 0] -> [865, 0] bytes of flash, RAM"]),
    ({"along": ["zlib"]}, ["part zstd: along: zlib is new"]),
    ({"all": [864, 0]}, []),
])
def test_a_change_of_a_part_is_a_line(place, monkeypatch, row, line):
    monkeypatch.setattr(ledger_parts, "of", lambda name, having, without: {**PARTS[name], **row})
    assert ledger.change_of_part("zstd", None, None) == line
    monkeypatch.setattr(ledger, "compiler", lambda target: "13.1.0")
    assert ledger.change_of_part("zstd", None, None) is None


def test_own_pages_are_up_to_date():
    assert not ledger.is_old(ledger_parts.PAGE, ledger.page(ledger.read()))
