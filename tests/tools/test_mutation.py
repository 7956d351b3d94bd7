"""Places that can be changed in small texts, and what becomes of a change (tools/mutation.py, tools/mutants)."""
import fnmatch
import os
import sys
import tomllib

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import mutation  # noqa: E402
from mutants import places, trial  # noqa: E402


def changes(body):
    text = "static int f(int a, const char *p)\n{\n" + body + "\n}\n"
    return {places.shown(text, m)[1] for m in places.of_text("src/a.c", text)}


@pytest.mark.parametrize("body, wanted", [
    ("return a < b;", {"return a <= b;", "return a >= b;"}),
    ("a = b + c;", {"a = b - c;"}),
    ("a++;", {"a--;"}),
    ("a |= b;", {"a &= b;"}),
    ("return 10u;", {"return 11u;", "return 9u;"}),
    ("return 0x0f;", {"return 16;", "return 14;"}),
    ("return true;", {"return false;"}),
    ("if(a && p)", {"if(a || p)", "if(!(a && p))"}),
    ("if(!p)", {"if(p)", "if(!(!p))"}),
    ("while(f(a))", {"while(!(f(a)))"}),
    ("char *q = &c; *q = -a;", set()),
    ("f(\"1 + 1\", '1'); /* 1 + 1 */", set()),
    ("#if 1 + 1\n#endif", set()),
    ("a1 = x2;", set())])
def test_places(body, wanted):
    assert changes(body) == wanted


def test_bodies_of_functions_alone():
    text = "enum { A = 1 };\nstruct s {\n  int a[2];\n};\nstatic const int t[] = { 1, 2 };\nint f(void)\n{\n  return 1;\n}\n"
    assert {m.line for m in places.of_text("src/a.c", text)} == {8}


def test_condition_on_two_lines():
    text = "int f(int a, int b)\n{\n  if(a /* one */ &&\n     b)\n    return a;\n}\n"
    mutant = next(m for m in places.of_text("src/a.c", text) if m.kind == "condition")
    assert "if(!(a /* one */ &&\n     b))" in places.changed(text, mutant)


def test_every_source_has_tests():
    with open(trial.TESTS, "rb") as f:
        rules = tomllib.load(f)["source"]
    for prefix in mutation.FOLDERS.values():
        for path in places.sources(ROOT, [prefix]):
            assert any(fnmatch.fnmatch(path, pattern) for rule in rules for pattern in rule["files"]), path
    for rule in rules:
        assert all(os.path.isdir(os.path.join(ROOT, "tests", "unit", folder)) for folder in rule["unit"])
        assert all(os.path.exists(os.path.join(ROOT, "tests", "e2e", f"test_{name}.py")) for name in rule["e2e"])
        assert any(fnmatch.fnmatch(path, pattern) for path in places.sources(ROOT, ["src/"]) for pattern in rule["files"])


def test_table():
    m = places.Mutant("src/codec/a.c", 0, "<", "<=", 3, "operator")
    done = [("codec", m, trial.KILLED, "", "")] * 8 + [("codec", m, trial.SURVIVED, "a < b", "a <= b"),
                                                       ("codec", m, trial.EQUIVALENT, "", "")]
    lines, enough = mutation.table(done)
    assert not enough and lines[-2].split() == ["all", "8", "1", "1", "0", "88.9"]
    assert lines[-1] == "survived: src/codec/a.c:3: a < b\n" + " " * 27 + "a <= b"
    assert mutation.table(done + done[:2])[1]


def test_object_of_the_source_is_replaced(monkeypatch):
    ran = []
    monkeypatch.setattr(trial, "run", lambda cmd: (ran.append(cmd), (0, ""))[1])
    command = ["gcc", "unit.dir/src/codec/a.c.o", "unit.dir/tests/test_a.c.o", "-o", "unit/a", "libmote.a", "-lz"]
    assert trial.relinked(None, command, "src/codec/a.c", "m.o", "to")
    assert ran == [["gcc", "unit.dir/tests/test_a.c.o", "-o", "to", "m.o", "libmote.a", "-lz"]]
