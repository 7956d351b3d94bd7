"""What the gate says: how much over, since which commit, which member of a struct and which call site is new."""
import json
import os
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "bench"), os.path.join(ROOT, "tools")]
import budgets  # noqa: E402
import check  # noqa: E402
import gate  # noqa: E402
import sites  # noqa: E402
import structs  # noqa: E402
from steps import base, figures  # noqa: E402

ROW = {"work": "a GET", "unit": "allocations", "ceiling": 7}
HEADER = """struct mote_tcp {
  int fd; /* a socket; open */
};

struct mote_conn {
  struct mote_tcp tcp;
  char *held;
};
"""


@pytest.fixture(name="repo")
def made(tmp_path, monkeypatch):
    """A repository with one commit; commit(subject) adds one and gives its name."""
    monkeypatch.setattr(gate, "ROOT", str(tmp_path))

    def git(*args):
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        return subprocess.run(["git", "-C", tmp_path, *who, *args], check=True, capture_output=True, text=True).stdout

    def commit(subject, text=None, file="src/net/conn.h"):
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text or HEADER + f"/* {subject} */\n")
        git("add", "-A")
        git("commit", "-q", "-m", subject)
        return git("rev-parse", "HEAD").strip()

    git("init", "-q")
    (tmp_path / ".gitignore").write_text("*.jsonl\n")
    commit.first = commit("first")
    commit.path = tmp_path
    return commit


def line(commit, value, subject="first", **more):
    return {"commit": commit, "subject": subject, "values": {"get": value}, **more}


def said(history, value=9):
    return gate.line_of("get", ROW, value, lambda v: v <= 7, history, {})


def test_nothing_recorded():
    assert said([]) == ("OVER get: a GET: 9 allocations, 2 over the ceiling of 7; since when is not known: no commit "
                        "was measured (make history)")
    assert gate.line_of("r", {"work": "speed", "unit": "times", "floor": 0.8}, 0.7, lambda v: v >= 0.8, [], {}) \
        .startswith("UNDER r: speed: 0.70 times, 0.10 under the floor of 0.80; ")
    held = {**ROW, "so_far": 8, "because": "x"}
    assert "9 allocations, 1 over the ceiling of 8;" in gate.line_of("get", held, 9, lambda v: v <= 8, [], {})


def test_since_a_recorded_commit():
    history = [line("a" * 40, 9, "bad once"), line("b" * 40, 7, "good"), line("c" * 40, None), line("d" * 40, 8, "bad"),
               line("e" * 40, 9, "worse")]
    assert said(history).endswith("; within at bbbbbbb 'good', over since ddddddd 'bad'")
    assert said(history[:1]).endswith("; over since the first that was measured, aaaaaaa 'bad once'")


def test_since_after_the_last_recorded(repo):
    a = repo.first
    within = f"within at {a[:7]} 'first', over since "
    assert said([line(a, 7)]).endswith(within + "no change of the source: the figure jumps")
    (repo.path / "src/net/conn.h").write_text("struct mote_conn {\n};\n")
    assert said([line(a, 7)]).endswith(within + "what is not committed")
    b = repo("second")
    assert said([line(a, 7)]).endswith(f"over since {b[:7]} 'second'")
    repo("words", "text", "docs/x.md")
    assert said([line(a, 7)]).endswith(f"over since {b[:7]} 'second'")
    repo("third")
    assert said([line(a, 7)]).endswith(f"over since after it (2 commits: git log --oneline {a[:7]}..)")
    (repo.path / "src/net/conn.h").write_text("")
    assert said([line(a, 7)]).endswith(f"(2 commits: git log --oneline {a[:7]}..) or what is not committed")


def test_load(repo, tmp_path):
    """Lines of commits that are no ancestors of this one, or measured with changes on top, do not count."""
    f = tmp_path / "h.jsonl"
    lines = [line("f" * 40, 1), line(repo.first, 2, dirty=True), line(repo.first, 3, dirty=False)]
    f.write_text("\n".join(json.dumps(x) for x in lines) + "\n\n")
    assert [x["values"]["get"] for x in gate.load(str(f))] == [3]
    assert gate.load(str(tmp_path / "none.jsonl")) == []


def layout(name, size, *members):
    return {"name": name, "file": "src/net/conn.h", "line": 1, "size": size, "holes": [(4, 4)], "padding": 2,
            "members": [{"text": m} for m in members]}


def test_struct_that_grew(repo):
    """The new member is named, also when it is in a struct inside."""
    both = {"mote_conn": layout("mote_conn", 24, "struct mote_tcp tcp", "char *held"),
            "mote_tcp": layout("mote_tcp", 8)}
    history = [{"commit": repo.first, "subject": "first", "structs": {"mote_conn": 16}}]

    def lines_of():
        return gate.line_of("struct_conn", {"unit": "bytes", "ceiling": 16, "work": "w"}, 24, lambda v: v <= 16,
                            history, both)

    f = repo.path / "src/net/conn.h"
    f.write_text(HEADER.replace("  char *held;", "  char *held; /* ; */\n  unsigned   long more[1];"))
    assert lines_of() == ("OVER struct_conn: struct mote_conn: 24 bytes, 8 over the ceiling of 16; new in src/net/conn.h: "
                      "unsigned long more[1] (not committed); holes 4 (4 at 4); padding 2; "
                      f"within at {repo.first[:7]} 'first', over since what is not committed")
    f.write_text(HEADER.replace("int fd;", "long fd;\n  int more;"))
    assert ("; new in struct mote_tcp, src/net/conn.h: long fd (not committed), int more (not "
            "committed); gone from struct mote_tcp, src/net/conn.h: "
            "int fd; holes") in lines_of()
    history[0]["structs"] = {}
    assert "new in struct mote_tcp" in lines_of() and "since when is not known" in lines_of()


def test_long_subjects_are_cut():
    assert gate.named("1234567890", "x" * 50) == f"1234567 '{'x' * 50}'"
    assert gate.named("1234567890", "x" * 45 + " yyyyyy") == f"1234567 '{'x' * 45} y...'"


def test_author(repo):
    b = repo("second", HEADER + "new\n")
    f = repo.path / "src/net/conn.h"
    f.write_text(HEADER + "new\nnewer\n")
    assert [gate.author("src/net/conn.h", n) for n in (1, 9, 10, 99)] == [
        f"{repo.first[:7]} 'first'", f"{b[:7]} 'second'", "not committed", ""]


def site(text, calls, **by):
    s = sites.Site("net/conn.c", 88, "mote_conn_new", text)
    s.by.update(by or {"8 MB": calls})
    return s


def test_new_call_sites():
    found = {"net/conn.c: a": site("a", 512), "net/conn.c: b": site("b", 3), "net/conn.c: c": site("c", 4)}
    assert sites.new(found, {"net/conn.c: b": 3, "net/conn.c: c": 1}) == [
        "new call site: src/net/conn.c:88 mote_conn_new() x512 (8 MB 512): a",
        "called 3 times more: src/net/conn.c:88 mote_conn_new() x4 (8 MB 4): c"]
    assert not sites.new(found, {k: 512 for k in found})
    assert sites.new({"net/conn.c: a": site("a", 5)}, {}, lambda file, line: f"by {file}:{line}") == [
        "new call site: src/net/conn.c:88 mote_conn_new() x5 (8 MB 5), by src/net/conn.c:88: a"]


def test_which_line_call_sites_are_compared_with():
    lines = [line("a" * 40, 7, sites={"x": 1}), line("b" * 40, 9, sites={"x": 2}), line("c" * 40, 9)]
    good = lambda name, v: v <= 7  # noqa: E731
    assert gate.before(["get"], lines, good)["commit"][0] == "a"
    assert gate.before(["get"], lines[1:], good)["commit"][0] == "b"
    assert gate.before(["other"], lines, good)["commit"][0] == "b"
    assert gate.before(["get"], lines[2:], good) is None


def test_log_is_read(tmp_path):
    """Lines of allocations by place, and the place's text and function."""
    (tmp_path / "net").mkdir()
    (tmp_path / "net/conn.c").write_text(
        "static int other(void)\n{\n}\nCURLcode mote_conn_new(struct mote_conn **out,\n                  int x)\n{\n"
        "  if(x)\n    y =  mote_mem_alloc(1,  2);\n}\n")
    log = tmp_path / "log"
    log.write_text("MEM net/conn.c:8 malloc(24) = 0x5\nMEM net/conn.c:8 calloc(1,24) = 0x5\n"
                   "MEM net/conn.c:9 free(0x5)\nMEM net/conn.c:8 realloc(0x5, 48) = 0x6\n"
                   "RECV net/conn.c:8 recv(16384) = 10\nLIMIT x\nMEM net/c")
    assert sites.read(log) == {("net/conn.c", 8): 3}
    assert sites.place(tmp_path, "net/conn.c", 8) == ("y = mote_mem_alloc(1, 2);", "mote_conn_new")
    assert sites.place(tmp_path, "net/none.c", 8) == ("line 8", "?")


def lines_of(monkeypatch, over, fresh, history):
    monkeypatch.setattr(gate, "load", lambda: history)
    monkeypatch.setattr(budgets, "current", lambda log: None)
    monkeypatch.setattr(structs, "layouts", lambda path: {})
    monkeypatch.setattr(sites, "measure_sites", lambda log: fresh)
    rows = {"get": ROW, "struct_conn": {"work": "w", "unit": "bytes", "ceiling": 8}}
    return budgets.gate_lines(over, rows, {"get": 9, "struct_conn": 9}, "/none", not over)


def test_lines(monkeypatch):
    """The call sites, then a line per row, which the end of a long output shows; call sites only when something else than
    a struct is over."""
    recorded = [line("a" * 40, 7, sites={"net/conn.c: b": 1})]
    lines = lines_of(monkeypatch, ["get", "struct_conn"], {"net/conn.c: a": site("a", 5)}, recorded)
    assert [x.split(":")[0] for x in lines] == ["new call site", "OVER get", "OVER struct_conn"]
    assert len(lines_of(monkeypatch, ["struct_conn"], {"net/conn.c: a": site("a", 5)}, recorded)) == 1
    assert lines_of(monkeypatch, ["get"], {}, recorded)[0] == "call sites: none is new since aaaaaaa 'first'"
    assert "none are recorded" in lines_of(monkeypatch, ["get"], {}, [])[0]
    assert lines_of(monkeypatch, [], {"net/conn.c: a": site("a", 5)}, recorded)[0].startswith("new call site")


def test_many_new_call_sites(monkeypatch):
    """A history that has grown old shows the first of them, and where the others are."""
    recorded = [line("a" * 40, 7, sites={"net/conn.c: b": 1})]
    fresh = {f"net/conn.c: {n}": site("a", 5) for n in range(30)}
    lines = lines_of(monkeypatch, ["get"], fresh, recorded)
    assert len(lines) == budgets.SITES + 2
    assert lines[-2:] == ["call sites: 22 more: bench/budgets.py --sites", lines[-1]] and lines[-1].startswith("OVER get")
    assert len(lines_of(monkeypatch, [], fresh, recorded)) == 30


def test_check_shows_them_last(monkeypatch, capsys, tmp_path):
    """The gate's lines are repeated at the end of make check, where they are seen without scrolling."""
    text = "table\nOVER get: a\nnew call site: b\nVOID pair: c\n7 within, 2 over\n"
    monkeypatch.setattr(base, "ROOT", str(tmp_path))
    monkeypatch.setattr(figures, "run", lambda cmd, **how: (1, text))
    r = figures.budgets(False)
    assert (r.passed, r.failed, r.again) == (7, 2, ["OVER get: a", "new call site: b", "VOID pair: c"])
    monkeypatch.setattr(check, "steps", lambda everything: [("one", lambda: r, None), ("two", base.Result, None)])
    monkeypatch.setattr(sys, "argv", ["check.py"])
    with pytest.raises(SystemExit):
        check.main()
    last = capsys.readouterr().out.splitlines()[-5:]
    assert last[:3] == ["OVER get: a", "new call site: b", "VOID pair: c"]
    assert last[4] == "7 passed, 2 failed"
