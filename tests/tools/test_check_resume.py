"""make check CHECK=--resume: what has passed on exactly these files is not run again."""
import os
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import check  # noqa: E402
from steps import base, records  # noqa: E402


@pytest.fixture(name="steps")
def made(tmp_path, monkeypatch):
    """A repository with a table of steps: results[name] is what one comes to, ran has those that ran."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text("/build/\n")
    (tmp_path / "a.c").write_text("1\n")
    subprocess.run(["git", "-C", str(tmp_path), "add", "."], check=True)
    monkeypatch.setattr(base, "ROOT", str(tmp_path))
    made.root, made.ran = tmp_path, []
    made.results = {"build": (1, 0), "units": (20, 0), "form": (7, 0)}
    made.during = lambda name: None

    def one(name):
        made.ran.append(name)
        made.during(name)
        return base.Result(*made.results[name], 2 if name == "form" else 0, "note")

    monkeypatch.setattr(check, "steps", lambda everything: [
        (name, lambda name=name: one(name), needs) for name, needs in (("build", None), ("units", "build"), ("form", None))])
    return made


def run(capsys, monkeypatch, *arguments):
    """(names of steps that ran, lines of the output)"""
    made.ran.clear()
    monkeypatch.setattr(sys, "argv", ["check.py", *arguments])
    with pytest.raises(SystemExit):
        check.main()
    return sorted(made.ran), capsys.readouterr().out.splitlines()


def test_what_has_passed_is_not_run_again(steps, capsys, monkeypatch):
    steps.results["units"] = (19, 1)
    ran, lines = run(capsys, monkeypatch, "--resume")
    assert ran == ["build", "form", "units"] and lines[-1] == "27 passed, 1 failed"
    steps.results["units"] = (20, 0)
    ran, lines = run(capsys, monkeypatch, "--resume")
    assert ran == ["build", "units"]  # what was built may be another tree's by now
    assert "passed before" in lines[0] and "2 skipped" in lines[0]
    assert lines[-2].endswith("2 tests skipped") and lines[-1] == "28 passed, 0 failed"
    ran, lines = run(capsys, monkeypatch, "--resume")
    assert ran == [] and lines[-1] == "28 passed, 0 failed"


def test_without_the_option_all_is_run(steps, capsys, monkeypatch):
    run(capsys, monkeypatch)
    assert run(capsys, monkeypatch)[0] == ["build", "form", "units"]
    assert run(capsys, monkeypatch, "--resume")[0] == []
    assert run(capsys, monkeypatch, "--resume", "--all")[0] == ["build", "form", "units"]  # its steps do more


def test_a_failure_ends_the_record(steps, capsys, monkeypatch):
    run(capsys, monkeypatch)
    steps.results["form"] = (6, 1)
    run(capsys, monkeypatch)
    assert run(capsys, monkeypatch, "--resume")[0] == ["form"]


@pytest.mark.parametrize("change", [
    lambda root: (root / "a.c").write_text("2\n"),
    lambda root: (root / "new.c").write_text(""),
    lambda root: (root / "a.c").chmod(0o755),
    lambda root: (root / "a.c").unlink(),
])
def test_another_tree(steps, capsys, monkeypatch, change):
    run(capsys, monkeypatch)
    (steps.root / "build" / "x").write_text("ignored")
    assert run(capsys, monkeypatch, "--resume")[0] == []
    change(steps.root)
    assert run(capsys, monkeypatch, "--resume")[0] == ["build", "form", "units"]


def test_a_file_that_changes_meanwhile(steps, capsys, monkeypatch):
    steps.during = lambda name: (steps.root / "a.c").write_text(name)
    lines = run(capsys, monkeypatch)[1]
    assert any("not recorded" in line for line in lines)
    steps.during = lambda name: None
    (steps.root / "a.c").write_text("1\n")
    assert run(capsys, monkeypatch, "--resume")[0] == ["build", "form", "units"]


def test_a_damaged_record_is_none(steps, capsys, monkeypatch):
    run(capsys, monkeypatch)
    (steps.root / "build/check/check-form.json").write_text("{")
    assert run(capsys, monkeypatch, "--resume")[0] == ["form"]
    assert records.Records("check").passed_before("units")


def test_without_a_repository(steps, capsys, monkeypatch):
    subprocess.run(["rm", "-r", str(steps.root / ".git")], check=True)
    run(capsys, monkeypatch)
    assert run(capsys, monkeypatch, "--resume")[0] == ["build", "form", "units"]
