"""Figures of what tests reach, out of small exports (tools/coverage.py, tools/reached)."""
import os
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import coverage  # noqa: E402
from reached import figures, page  # noqa: E402

SOURCE = """int f(int a, int b)
{
  if(a && b)
    return 1;
  while(0)
    return 2;
  return 3;
}
"""
# line, column, executions, whether it counts, whether a region begins, whether it is a gap
SEGMENTS = [[2, 1, 4, True, True, False], [3, 6, 4, True, True, False], [3, 12, 0, True, True, True],
            [4, 5, 0, True, True, False], [4, 14, 4, True, False, False], [8, 2, 0, False, False, False]]


@pytest.fixture
def source(tmp_path, monkeypatch):
    (tmp_path / "src/codec").mkdir(parents=True)
    (tmp_path / "src/codec/a.c").write_text(SOURCE)
    monkeypatch.setattr(figures, "ROOT", str(tmp_path))


def exported(branches=(), decisions=(), name="./src/codec/a.c", segments=SEGMENTS):
    files = [{"filename": name, "segments": segments, "branches": list(branches), "mcdc_records": list(decisions)}]
    return {"data": [{"files": files}]}


def branch(line, column, end, true, false):
    return [line, column, line, end, true, false, 0, 0, 4]


def decision(*decided):
    return [3, 6, 3, 12, 0, 5, list(decided)]


def test_lines():
    assert figures.lines_of(SEGMENTS) == {2: 4, 3: 4, 4: 0, 5: 4, 6: 4, 7: 4, 8: 4}
    assert figures.lines_of([]) == {}


def test_both_sides_count_and_constants_do_not(source):
    files = figures.read(exported([branch(3, 6, 7, 1, 3), branch(3, 11, 12, 0, 1), branch(5, 9, 10, 0, 0)]))
    assert list(files) == ["src/codec/a.c"]
    counts = files["src/codec/a.c"].counts()
    assert (counts["branches"].reached, counts["branches"].all) == (3, 4)
    assert (counts["lines"].reached, counts["lines"].all, counts["lines"].percent) == (6, 7, 85.71)


def test_what_several_objects_have_is_added_up(source):
    once = exported([branch(3, 6, 7, 1, 0), branch(3, 11, 12, 1, 0)], [decision(True, False)])
    once["data"][0]["files"] += exported([branch(3, 6, 7, 0, 2)], [decision(False, False)])["data"][0]["files"]
    file = figures.read(once)["src/codec/a.c"]
    assert file.branches == {(3, 6, 3, 7): [1, 2], (3, 11, 3, 12): [1, 0]}
    assert file.decisions == {(3, 6, 3, 12): [True, False]}


def test_only_our_sources(source):
    assert figures.read(exported(name="./tests/unit/test.h")) == {}
    assert figures.read(exported(name="/usr/include/stdio.h")) == {}
    assert list(figures.read(exported(name="build/src/codec/a.c"))) == ["src/codec/a.c"]


def test_gaps(source):
    files = figures.read(exported([branch(3, 6, 7, 1, 3), branch(3, 11, 12, 0, 1)], [decision(True, False)]))
    assert page.gaps(files["src/codec/a.c"]) == [(3, "condition 2 of 2 not decided: a && b"), (3, "never true: b"),
                                                 (4, "not reached")]
    text = page.make(files, {"codec": ["branches"]}, ["unit"])
    assert "<i>    4      return 1;</i>" in text and "<td class=below>75.00 (-1)</td>" in text
    assert page.as_lines(files, {"base"}) == []
    assert page.as_lines(files, {"codec"})[1] == "src/codec/a.c:3: never true: b | if(a && b)"


def test_what_was_never_run_has_no_sides_to_list(source):
    files = figures.read(exported([branch(3, 6, 7, 0, 0)], segments=[[2, 1, 0, True, True, False], [8, 2, 0, False, False, False]]))
    assert {what for _, what in page.gaps(files["src/codec/a.c"])} == {"not reached"}
    assert files["src/codec/a.c"].counts()["branches"].missing == 2


def test_reasons_excuse_their_line_alone(source, monkeypatch):
    monkeypatch.setattr(figures, "reasons", lambda: [("src/codec/a.c", "if(a && b)", "b true", "why"),
                                                     ("src/codec/a.c", "return 1;", "line", "why")])
    file = figures.read(exported([branch(3, 6, 7, 1, 3), branch(3, 11, 12, 0, 1)], [decision(True, False)]))["src/codec/a.c"]
    assert page.gaps(file) == []
    assert all(not count.missing for count in file.counts().values())


def test_reason_for_one_of_two_lines_that_are_alike(source, tmp_path, monkeypatch):
    (tmp_path / "src/codec/a.c").write_text("int f(int a)\n{\n  if(a)\n    return 1;\n\n\n\n  g();\n    return 1;\n}\n")
    segments = [[2, 1, 4, True, True, False], [3, 8, 0, True, True, True], [4, 5, 0, True, True, False],
                [4, 14, 4, True, False, False], [8, 7, 0, True, True, True], [9, 5, 0, True, True, False],
                [9, 14, 4, True, False, False], [10, 2, 0, False, False, False]]
    monkeypatch.setattr(figures, "reasons", lambda: [("src/codec/a.c", "if(a)", "a true", "why"),
                                                     ("src/codec/a.c", "return 1;", "line", "why")])
    file = figures.read(exported([branch(3, 6, 7, 0, 4)], segments=segments))["src/codec/a.c"]
    assert [line for line, what in page.gaps(file) if what == "not reached"] == [9]


def test_reason_that_excuses_nothing_is_an_error(source, monkeypatch):
    monkeypatch.setattr(figures, "reasons", lambda: [("src/codec/a.c", "return 3;", "line", "why")])
    with pytest.raises(figures.Stale):
        figures.read(exported([branch(3, 6, 7, 1, 3)]))


def test_floors(monkeypatch):
    monkeypatch.setattr(coverage, "floors", lambda: {"codec": {"lines": 90, "mcdc": 95}, "auth": {"lines": 1}})
    counts = {"lines": figures.Count(89, 100), "branches": figures.Count(), "mcdc": figures.Count()}
    unit = ["unit", "fuzz"]
    assert coverage.below_floor({"codec": counts, "auth": {"lines": figures.Count(1, 1)}}, unit) == {"codec": ["lines"]}
    assert coverage.below_floor({"codec": {**counts, "lines": figures.Count(90, 100)}}, unit) == {"auth": ["lines"]}
    assert coverage.below_floor({"codec": counts}, ["fuzz"]) is None


def test_floors_are_of_folders():
    for folder, wanted in coverage.floors().items():
        assert os.path.isdir(os.path.join(ROOT, "src", folder)) and set(wanted) <= set(figures.KINDS)
