"""tools/history.py: lines keep the order of the commits, nothing is made up; bench/history.jsonl is what it says."""
import json
import os
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tools"), os.path.join(ROOT, "bench")]
import budgets  # noqa: E402
import history  # noqa: E402
from measure import figure, table  # noqa: E402

LINES = history.read()


def line(commit, dirty=False, **more):
    return {"commit": commit, "dirty": dirty, **more}


def commits(lines):
    return [x["commit"] + ("+" if x["dirty"] else "") for x in lines]


@pytest.mark.parametrize("have, fresh, expected", [
    ([], "b", "b"), (["a", "c"], "b", "a b c"), (["b"], "a", "a b"), (["a", "b"], "b", "a b"),
    (["a", "b+"], "b", "a b"), (["a", "b"], "b+", "a b b+"), (["b+"], "b+", "b+"),
    (["a", "x", "c"], "b", "a x b c"), (["x", "c"], "a", "x a c"), (["a", "c"], "x", "a c x"),
])
def test_order(have, fresh, expected):
    """Order of the commits a, b, c; x is of another branch and stays after what it followed."""
    lines = [line(n.rstrip("+"), "+" in n) for n in have]
    got = history.merged(lines, line(fresh.rstrip("+"), "+" in fresh, fresh=1), ["a", "b", "c"])
    assert commits(got) == expected.split()
    assert sum("fresh" in x for x in got) == 1


def test_store(tmp_path, monkeypatch):
    monkeypatch.setattr(history, "ASIDE", str(tmp_path / "aside"))
    path = str(tmp_path / "h.jsonl")
    for name in "cab":
        history.store(line(name, subject="ü → <" + name), ["a", "b", "c"], path)
    assert [x["subject"][-1] for x in history.read(path)] == ["a", "b", "c"]
    assert history.read(path)[0]["subject"] == "ü → <a"
    with open(path, encoding="utf-8") as f:
        assert f.read().count("\n") == 3
    assert history.read(str(tmp_path / "none")) == []


# --- a repository of three commits: one that does not configure, one that does not build, one without the product ---

def git(where, *args):
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    p = subprocess.run(["git", "-C", where, *args], capture_output=True, text=True, check=True,
                       env={**os.environ, **who})
    return p.stdout.strip()


@pytest.fixture(name="repository")
def fixture_repository(tmp_path, monkeypatch):
    top = tmp_path / "r"
    top.mkdir()
    monkeypatch.setattr(history, "ROOT", str(top))
    monkeypatch.setattr(history, "ASIDE", str(top / "build" / "history"))
    git(top, "init", "-q")
    cmake = "cmake_minimum_required(VERSION 3.20)\nproject(x C)\n"
    for message, name, text in (
            ("does not configure", "CMakeLists.txt", cmake + 'message(FATAL_ERROR "the reason")\n'),
            ("does not build", "CMakeLists.txt", cmake + "add_library(mote x.c)\nadd_custom_target(drop-in)\n"),
            ("a page", "README", "text\n")):
        (top / name).write_text(text)
        (top / "x.c").write_text("int x(void) { return y; }\n")
        git(top, "add", ".")
        git(top, "commit", "-q", "-m", message)
    return top


def test_commit_that_does_not_build(repository):
    """Recorded with the reason and without a figure; what was unpacked is gone."""
    first, second = git(repository, "rev-list", "--reverse", "HEAD").split()[:2]
    got = history.measure_earlier(None, second)
    assert (got["commit"], got["subject"], got["dirty"], got["values"]) == (second, "does not build", False, {})
    assert got["absent"]["build"].startswith("does not build: x.c:1:") and "undeclared" in got["absent"]["build"]
    assert "reason" in history.measure_earlier(None, first)["absent"]["build"]
    assert os.listdir(repository / "build" / "history") == []


def test_chosen(repository):
    """--range takes what touches the product; --every keeps the last; nothing twice."""
    a, b, c = git(repository, "rev-list", "--reverse", "HEAD").split()

    class Args:
        commit, range, every = None, "HEAD~1", 1
    assert history.chosen(Args) == [a, b]
    Args.every = 5
    assert history.chosen(Args) == [a, b]
    Args.commit = ["HEAD", "HEAD"]
    assert history.chosen(Args) == [c, a, b]
    with pytest.raises(history.Failed):
        history.git("show", "nothing")


def test_dirty(repository):
    """Only what the figures depend on."""
    (repository / "notes").write_text("n")
    assert not history.dirty()
    (repository / "src").mkdir()
    (repository / "src" / "new.c").write_text("int n;")
    assert history.dirty()


# --- figures ---

def numbered(*answers):
    """A measuring function that gives one answer after the other."""
    todo = list(answers)

    def some_row(_):
        answer = todo.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return {"some_row": answer}
    some_row.rows = ("some_row",)
    return some_row


def test_values(monkeypatch):
    """What cannot be measured is absent with its reason; of several tries the smallest counts."""
    void, missing = numbered(figure.Void("it\nfailed")), numbered(figure.Missing("no tool"))
    void.__name__, missing.__name__ = "void", "missing"
    monkeypatch.setattr(table, "OF_EVERY_COMMIT", [numbered(7.126, 5.5, 6), void, missing])
    monkeypatch.setattr(history, "TRIES", {"some_row": 3})
    assert history.values_of(None) == ({"some_row": 5.5}, {"void": "it failed", "missing": "no tool"})
    assert (history.tidy(3.0), history.tidy(3.128)) == (3, 3.13)


def test_functions_are_there():
    """The names of the tables are those of bench/measure/table.py."""
    names = {f.__name__ for f in table.OF_EVERY_COMMIT}
    assert set(history.ELSEWHERE) | set(history.TRIES) <= names


def test_changes():
    assert history.changes({"values": {"a": 1, "b": 2000, "c": 3}}, {"values": {"b": 2100, "c": 3, "d": 4}}) == \
        ["b 2,000 -> 2,100"]


def test_sections(tmp_path):
    """Text of the objects; constants are part of it."""
    (tmp_path / "a.c").write_text("const char x[1000] = {1}; int big[500];")
    subprocess.run(["gcc", "-c", "-o", tmp_path / "a.o", tmp_path / "a.c"], check=True)
    (text, data, bss), = history.sections(str(tmp_path / "a.o"))
    assert 1000 <= text < 1200 and data == 0 and bss >= 2000


# --- the file that is kept ---

def test_file_is_whole():
    rows = budgets.load()
    assert len(LINES) >= 20
    assert len({(x["commit"], x["dirty"]) for x in LINES}) == len(LINES)
    for x in LINES:
        assert {"commit", "date", "subject", "dirty", "values", "absent"} <= set(x), x["commit"]
        assert len(x["commit"]) == 40
        assert set(x["values"]) <= set(rows), x["commit"]
        if x["values"]:
            assert x["structs"] and x["code"] and x["profiles"]["full"]["text"] > 0, x["commit"]
        else:
            assert "build" in x["absent"], x["commit"]
        for key in ("values", "structs", "code"):
            assert all(isinstance(v, (int, float)) and v >= 0 for v in x.get(key, {}).values()), x["commit"]


def test_file_is_in_order():
    """Where the commits are there (not in a checkout without its history)."""
    known = subprocess.run(["git", "-C", ROOT, "rev-list", "--topo-order", "--reverse", "HEAD"], capture_output=True,
                           text=True).stdout.split()
    here = [known.index(x["commit"]) for x in LINES if x["commit"] in known]
    if len(here) < 2:
        pytest.skip("the commits are not here")
    assert here == sorted(here)


def test_lines_are_compact():
    """A line is written as store() writes it, so that measuring one commit changes one line."""
    with open(history.FILE, encoding="utf-8") as f:
        for text in f:
            assert history.text_of(json.loads(text)) == text
