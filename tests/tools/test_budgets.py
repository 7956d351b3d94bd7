"""The table of budgets, its judge, the README's table, the allocation counter and the runner of make check."""
import argparse
import os
import shutil
import subprocess
import sys
import tomllib

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, folder) for folder in ("bench", "tools", "tests")]
import budgets  # noqa: E402
import demo  # noqa: E402
import preload  # noqa: E402
import readme_table  # noqa: E402
import server  # noqa: E402
from measure import clock, figure, layout, requests, table  # noqa: E402
from measure.subject import Subject, values  # noqa: E402
from steps import base, suites  # noqa: E402


def test_table_is_whole():
    """Every row says what it is and has one bound; the README names rows that exist."""
    rows = budgets.load()
    assert len(rows) > 30
    for name, row in rows.items():
        assert {"work", "unit", "how"} <= set(row), name
        assert ("ceiling" in row) != ("floor" in row), name
        assert ("so_far" in row) == ("because" in row), name
        assert len({"more", "more_with", "more_because"} & set(row)) in (0, 3), name
    assert set(dict(readme_table.ROWS)) | set(dict(readme_table.FIRST)) <= set(rows)


@pytest.mark.parametrize("bound, value, good", [
    ({"ceiling": 12}, 12, True), ({"ceiling": 12}, 13, False), ({"ceiling": 4500}, 4501, False),
    ({"ceiling": 0, "unit": "allocations"}, 0.003, True), ({"ceiling": 0, "unit": "allocations"}, 0.02, False),
    ({"floor": 0.8}, 0.79, False), ({"floor": 0.8}, 0.8, True),
])
def test_within(bound, value, good):
    assert budgets.within(bound, value) == good


def test_verdicts(capsys):
    rows = {"a": {"ceiling": 5}, "b": {"ceiling": 5}, "c": {"ceiling": 5}, "d": {"ceiling": 5, "clock": True}}
    marks = budgets.verdicts(rows, {"a": 5, "b": 6, "d": 9}, False)
    assert marks == {"a": "", "b": "OVER", "c": "not measured", "d": "over (clock)"}
    assert budgets.failures(marks) == ["b"]
    out = capsys.readouterr().out
    assert "OVER" in out and "not measured" in out and "over (clock)" in out
    assert budgets.failures(budgets.verdicts(rows, {"a": 5, "b": 6, "d": 9}, True)) == ["b", "d"]
    marks = budgets.verdicts({"a": {"floor": 5}}, {"a": 4}, False)
    assert marks == {"a": "UNDER"} and budgets.failures(marks) == ["a"]


def test_works():
    rows = {"a": {"work": "a GET"}, "b": {"work": "the same, most"}, "c": {"work": "the same"}, "d": {"work": "two"}}
    assert budgets.works(rows) == {"a": "a GET", "b": "a GET, most", "c": "a GET", "d": "two"}


def test_missed(capsys):
    """A ceiling that is not reached yet: what was reached holds, with its reason, and is shown each time."""
    rows = {"a": {"ceiling": 5, "so_far": 7, "because": "the reason"}}
    assert not budgets.failures(budgets.verdicts(rows, {"a": 7}, False))
    assert "MISSED, held at 7: the reason" in capsys.readouterr().out
    assert budgets.failures(budgets.verdicts(rows, {"a": 8}, False)) == ["a"]
    assert budgets.failures(budgets.verdicts({"a": {"ceiling": 5, "so_far": 7}}, {"a": 6}, False)) == ["a"]


def test_a_librarys_own_cost(tmp_path, monkeypatch, capsys):
    """A library's newer version takes more by itself: the ceiling is so much higher there, and nowhere else."""
    f = tmp_path / "b.toml"
    f.write_text('[a]\nceiling = 3\nmore = 10\nmore_with = "OpenSSL 3.5"\nmore_because = "a key"\n[b]\nceiling = 3\n')
    monkeypatch.setattr(budgets, "TABLE", str(f))
    for version, ceiling in (((), 3), ((3, 0), 3), ((3, 4), 3), ((3, 5), 13), ((3, 10), 13), ((4, 0), 13)):
        rows = budgets.load({"OpenSSL": version})
        assert (rows["a"]["ceiling"], rows["b"]["ceiling"]) == (ceiling, 3), version
    assert not budgets.failures(budgets.verdicts(rows, {"a": 13, "b": 3}, False))
    assert "a: 10 of the bound are OpenSSL 3.5's: a key" in capsys.readouterr().out
    assert budgets.failures(budgets.verdicts(rows, {"a": 14, "b": 4}, False)) == ["a", "b"]
    capsys.readouterr()
    budgets.verdicts(budgets.load({"OpenSSL": (3, 0)}), {"a": 3, "b": 3}, False)
    assert "OpenSSL" not in capsys.readouterr().out


def test_a_librarys_own_cost_moves_what_is_held_meanwhile_too(tmp_path, monkeypatch):
    f = tmp_path / "b.toml"
    f.write_text('[a]\nceiling = 3\nso_far = 5\nbecause = "x"\nmore = 10\nmore_with = "nghttp2 1.64"\nmore_because = "y"\n')
    monkeypatch.setattr(budgets, "TABLE", str(f))
    for version, held in (((1, 52), 5), ((1, 64), 15)):
        row = budgets.load({"nghttp2": version})["a"]
        assert budgets.good(row, held) and not budgets.good(row, held + 1)


@pytest.mark.parametrize("name, package", [("OpenSSL", "openssl"), ("nghttp2", "libnghttp2")])
def test_the_machines_versions(name, package):
    """What the development files say."""
    said = subprocess.run(["pkg-config", "--modversion", package], capture_output=True, text=True, check=True).stdout
    assert budgets.LIBRARIES[name]() == tuple(int(n) for n in said.split(".")[:2])


def test_structs_have_rows():
    """Each struct that is measured has a row, whose text names it; no row is without a struct."""
    rows = budgets.load()
    assert {n for n in rows if n.startswith("struct_")} == set(layout.STRUCTS)
    for name, struct in layout.STRUCTS.items():
        assert rows[name]["how"] == f"pahole, struct {struct}" and rows[name]["unit"] == "bytes"


def test_write(tmp_path, monkeypatch):
    f = tmp_path / "b.toml"
    f.write_text('# head\n\n[a]\nunit = "bytes"\nceiling = 3\n\n[ab]\ndebian = 1\nfloor = 0.5\n')
    monkeypatch.setattr(budgets, "TABLE", str(f))
    budgets.write({"debian": {"a": 7.0, "ab": 0.123}, "ours": {"a": 1234.6}})
    assert f.read_text().startswith("# head\n\n[a]\n")
    assert tomllib.loads(f.read_text()) == {"a": {"unit": "bytes", "debian": 7, "ours": 1235, "ceiling": 3},
                                            "ab": {"debian": 0.12, "floor": 0.5}}


def test_rows_choose_functions():
    """Each row has one function; a row that is asked for calls its function alone."""
    rows, functions = budgets.load(), table.MEASURES["count"] + table.MEASURES["clock"]
    assert sorted(name for f in functions for name in f.rows) == sorted(rows)
    asked = argparse.Namespace(clock=False, full=False, write=False, reference=False, rows="instructions_mb,tool_clock")
    assert budgets.chosen(asked, rows) == ({name: rows[name] for name in asked.rows.split(",")},
                                           [requests.instructions_mb, clock.tool_clock])
    asked.rows = "gone"
    with pytest.raises(SystemExit):
        budgets.chosen(asked, rows)
    asked.rows = None
    assert all(not row.get("clock") for row in budgets.chosen(asked, rows)[0].values())


def test_a_reference_is_measured_once():
    once, again = (Subject("x", argparse.Namespace(ca=""), None, "x", once=once) for once in (True, False))
    for subject, taken in ((once, 1), (again, 2)):
        left = [5, 5, 5]
        assert subject.undisturbed(lambda: left.pop()) == 5 and len(left) == 3 - taken


def test_readme_table():
    for mark, chosen, note in readme_table.PAGES.values():
        rows = {name: {"unit": "bytes", "debian": 27272, "ours": 1500} for name, _ in chosen}
        rows[chosen[0][0]]["libcurl"] = 6300
        text = readme_table.table(rows, chosen, note)
        assert text.count("| 27 KB |  | 1,500 bytes |") == len(chosen) - 1 and text.endswith("\n" + note)
        assert "| 27 KB | 6,300 bytes | 1,500 bytes |" in text
        nothing = {n: {"unit": "bytes", "debian": 1} for n in rows}
        assert "Nothing is measured" in readme_table.table(nothing, chosen, note)


COUNTED = """#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
int main(void)
{
  char *volatile a = malloc(1000);
  char *volatile b = calloc(10, 50);
  void *volatile c = NULL;
  if(posix_memalign((void **)&c, 256, 7) || (size_t)c % 256)
    return 1;
  memset(a, 'x', 1000);
  a = realloc(a, 3000);
  if(a[999] != 'x')
    return 2;
  a = realloc(a, 100);
  free(b);
  free(c);
  b = strdup("four");
  return strcmp(b, "four") || a[99] != 'x';
}
"""


def test_count(tmp_path):
    """malloc, calloc, posix_memalign, two reallocs, strdup: 6 calls; most at once 3,000 + 500 + 7."""
    (tmp_path / "p.c").write_text(COUNTED)
    subprocess.run(["gcc", "-O0", "-fno-builtin", "-o", tmp_path / "p", tmp_path / "p.c"], check=True)
    env = dict(os.environ, LD_PRELOAD=preload.compiled(tmp_path / "c.so"), COUNT_OUT=str(tmp_path / "out"))
    subprocess.run([tmp_path / "p"], check=True, env=env)
    got = values((tmp_path / "out").read_text())
    assert got == {"calls": 6, "peak": 3507, "live": 105, "own_calls": 6, "own_peak": 3507, "own_live": 105}


@pytest.mark.parametrize("values, near, times, smallest, taken", [
    ([5, 5], 0, 2, 5, 2), ([9, 5, 7, 5], 0, 2, 5, 4), ([5, 9, 4, 9, 4], 0, 2, 4, 5), ([100, 103, 9], 5, 2, 100, 2),
    ([9, 9, 5, 9, 5, 5], 0, 3, 5, 6), (list(range(50, 0, -1)), 0, 2, 27, 24)])
def test_undisturbed(values, near, times, smallest, taken):
    """What is seen again is no accident."""
    left = list(values)
    assert figure.undisturbed(lambda: left.pop(0), near, times) == smallest
    assert len(values) - len(left) == taken


def runner(tmp_path, monkeypatch, files):
    for name, text in files.items():
        f = tmp_path / name
        f.parent.mkdir(parents=True, exist_ok=True)
        f.write_text(text)
        f.chmod(0o755)
    monkeypatch.setattr(base, "ROOT", str(tmp_path))


@pytest.mark.parametrize("output, status, passed, failed", [
    ("12 passed, 0 failed", 0, 12, 0), ("11 passed, 1 failed", 1, 11, 1), ("12 passed, 0 failed", 1, 12, 1),
    ("12 passed, 0 failed", 99, 12, 1), ("0 passed, 0 failed", 0, 0, 1), ("no count", 0, 1, 0), ("no count", 3, 0, 1),
])
def test_unit_results(tmp_path, monkeypatch, output, status, passed, failed):
    runner(tmp_path, monkeypatch, {
        "build/release/unit-tests.txt": "base/test_x\n", "build/release/unit/base/test_x": f"#!/bin/sh\necho {output}\nexit {status}\n"})
    r = suites.unit_tests("release")
    assert (r.passed, r.failed, len(r.outputs)) == (passed, failed, 1 if failed else 0)


@pytest.mark.parametrize("text, passed, failed, skipped", [
    ("def test_a():\n    pass\n", 1, 0, 0),
    ("def test_a():\n    assert 0\ndef test_b():\n    pass\n", 1, 1, 0),
    ("import pytest\n@pytest.mark.skip\ndef test_a():\n    pass\n", 0, 0, 1),
    ("import nowhere\n", 0, 1, 0),
    ("x = 1\n", 0, 1, 0),
])
def test_pytest_results(tmp_path, monkeypatch, text, passed, failed, skipped):
    runner(tmp_path, monkeypatch, {"tests/t/test_x.py": text})
    r = suites.pytest(["tests/t"])
    assert (r.passed, r.failed, r.skipped) == (passed, failed, skipped)


def test_timeout(tmp_path, monkeypatch):
    monkeypatch.setattr(base, "ROOT", str(tmp_path))
    status, text = base.run(["sh", "-c", "echo begun; sleep 60"], timeout=3)
    assert status is None and "begun" in text and "timed out" in text


def test_demo_takes_the_smallest_of_runs_in_turn():
    """It compared what one cold run happened to take."""
    order, took = [], {"mote": iter([9, 3, 5]), "curl": iter([4, 8, 6])}

    def fetch(name, tool):
        order.append(name)
        return {"user": next(took[name]), "system": 1}
    found = demo.in_turn({"mote": "m", "curl": "c"}, fetch)
    assert order == ["mote", "curl"] * 3
    assert [demo.smallest(found[n], "user", "system") for n in ("mote", "curl")] == [4, 5]


def test_demo_without_a_working_command(tmp_path):
    """A command that transfers nothing makes the demonstration fail, and leaves no file."""
    if not shutil.which("openssl") or not server.NGINX:
        pytest.skip("openssl or nginx is missing")
    p = subprocess.run([sys.executable, os.path.join(ROOT, "tools/demo.py"), "--size", "1", "--tool", "/bin/true"],
                       capture_output=True, text=True, env=dict(os.environ, TMPDIR=str(tmp_path)))
    assert p.returncode == 1 and "demo: /bin/true failed" in p.stdout
    assert not list(tmp_path.iterdir())
