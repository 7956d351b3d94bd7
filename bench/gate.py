"""What the gate says of a row over its ceiling: how much, since which commit, and what is new since then.

The history (bench/history.jsonl) has a JSON line per measured commit, in commit order: commit, date, subject, dirty,
values {row: figure}, structs {struct: bytes}, sites {place: calls}. Lines measured with changes that are in no
commit, and commits that are no ancestors of the present one, do not count.
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "bench"), os.path.join(ROOT, "tools")]
import structs  # noqa: E402
from measure.layout import STRUCTS  # noqa: E402

HISTORY = os.path.join(ROOT, "bench", "history.jsonl")
SUBJECT = 50  # characters of a commit's subject that are shown
# what a figure depends on; a change elsewhere is no reason
SOURCES = ("src", "include", "cmake", "CMakeLists.txt")


def number(x):
    if x is None:
        return ""
    if abs(x) >= 100 or float(x).is_integer():
        return f"{x:,.0f}"
    return f"{x:.2f}"


def git(*args):
    """What git prints, without the line end; None when it fails (no git, no repository, no such thing)."""
    try:
        p = subprocess.run(["git", "-C", ROOT, *args], capture_output=True, text=True, errors="replace")
    except FileNotFoundError:
        return None
    return p.stdout.strip() if p.returncode == 0 else None


def load(path=HISTORY):
    """The lines of a history that count, oldest first."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as f:
        lines = [json.loads(line) for line in f if line.strip()]
    ancestors = set((git("rev-list", "HEAD") or "").split())
    return [x for x in lines if not x.get("dirty") and (not ancestors or x["commit"] in ancestors)]


def figure(line, name):
    value = line.get("values", {}).get(name)
    return line.get("structs", {}).get(STRUCTS.get(name)) if value is None else value


# --- since when ---

def named(commit, subject):
    """1a2b3c4 'the beginning of the subject'"""
    return f"{commit[:7]} '{subject if len(subject) <= SUBJECT else subject[:SUBJECT - 3].rstrip() + '...'}'"


def called(line):
    return named(line["commit"], line["subject"])


def beyond(line):
    """What came after the last measured commit."""
    sha = line["commit"][:7]
    commits = (git("log", "--format=%H %s", f"{line['commit']}..HEAD", "--", *SOURCES) or "").splitlines()
    loose = "what is not committed" if git("status", "--porcelain", "--", *SOURCES) else ""
    if len(commits) > 1:
        loose = f"after it ({len(commits)} commits: git log --oneline {sha}..)" + (f" or {loose}" if loose else "")
    elif commits:
        loose = named(*commits[0].split(" ", 1)) + (f" or {loose}" if loose else "")
    return loose or "no change of the source: the figure jumps"


def last_within(name, good, history):
    """(the last line within, the line after it that is over): either may be None. good: says it of a figure."""
    within = over = None
    for line in history:
        value = figure(line, name)
        if value is None:
            continue
        if good(value):
            within, over = line, None
        elif over is None:
            over = line
    return within, over


def since(name, good, history):
    within, over = last_within(name, good, history)
    if within and over:
        return f"within at {called(within)}, over since {called(over)}"
    if within:
        return f"within at {called(within)}, over since {beyond(within)}"
    if over:
        return f"over since the first that was measured, {called(over)}"
    return "since when is not known: no commit was measured (make history)"


def author(file, line):
    """The commit that a line of a source is from: "8f91ae5 'subject'", "not committed"; "" where git knows none."""
    said = git("blame", "--porcelain", "-L", f"{line},{line}", "--", file) or ""
    if not said:
        return ""
    if re.match("0+ ", said):
        return "not committed"
    return named(said, re.search(r"^summary (.*)$", said, re.M).group(1))


# --- structs ---

def declaration(text, name):
    """The members of a struct in a source text, one text each, comments left out."""
    text = re.sub(r"/\*.*?\*/", " ", text or "", flags=re.S)
    m = re.search(rf"^struct {name} \{{(.*?)^\}}", text, re.M | re.S)
    return [" ".join(x.split()) for x in m.group(1).split(";") if x.strip()] if m else []


def described(member, layout):
    """A member that is new, and its author."""
    name = (re.findall(r"\w+", re.sub(r"\[.*|:.*", "", member)) or [member])[-1]
    for n, line in enumerate(read(layout["file"]).splitlines()[layout["line"]:], layout["line"] + 1):
        if re.search(rf"\b{name}\b", line):
            who = author(layout["file"], n)
            return f"{member} ({who})" if who else member
    return member


def read(path):
    try:
        with open(os.path.join(ROOT, path), encoding="utf-8") as f:
            return f.read()
    except OSError:
        return ""


def changed(layout, layouts, commit, depth=0):
    """["new in src/net/conn.h: uint64_t extra", ...]: a struct's members against a commit, those of structs that
    lie inside it too."""
    then = declaration(git("show", f"{commit}:{layout['file']}"), layout["name"])
    now = declaration(read(layout["file"]), layout["name"])
    if not then or not now:
        return []
    where = layout["file"] if not depth else f"struct {layout['name']}, {layout['file']}"
    fresh, gone = [x for x in now if x not in then], [x for x in then if x not in now]
    out = [f"new in {where}: {', '.join(described(x, layout) for x in fresh)}"] if fresh else []
    out += [f"gone from {where}: {', '.join(gone)}"] if gone else []
    for m in layout["members"] if depth < 4 else []:
        inner = re.match(r"struct (\w+) \w+", m["text"])
        if inner and inner.group(1) in layouts:
            out += [x for x in changed(layouts[inner.group(1)], layouts, commit, depth + 1) if x not in out]
    return out


def of_struct(name, history, good, layouts):
    """What there is to say of a struct that has grown: its new members, its holes."""
    layout = layouts.get(STRUCTS[name])
    if not layout:
        return ""
    within, _ = last_within(name, good, history)
    free = [f"holes {structs.holes(layout)}" if layout["holes"] else "no holes"]
    free += [f"padding {layout['padding']}"] if layout["padding"] else []
    return "".join(f"; {x}" for x in changed(layout, layouts, within["commit"] if within else "HEAD") + free)


# --- lines ---

def line_of(name, row, value, good, history, layouts):
    """One line of a row that misses its bound. good: says of a figure whether it is within; layouts: of the build."""
    floor = "floor" in row
    limit = row["floor"] if floor else row["so_far"] if "because" in row else row["ceiling"]
    word, over, bound = ("UNDER", "under", "floor") if floor else ("OVER", "over", "ceiling")
    what = f"struct {STRUCTS[name]}" if name in STRUCTS else row["work"]
    more = of_struct(name, history, good, layouts) if name in STRUCTS else ""
    return (f"{word} {name}: {what}: {number(value)} {row['unit']}, {number(abs(value - limit))} {over} the {bound} of "
            f"{number(limit)}{more}; {since(name, good, history)}")


def before(rows_over, history, good):
    """The line whose call sites are compared with: the last that has some and all rows within, else the last."""
    with_sites = [x for x in history if x.get("sites")]
    clean = [x for x in with_sites
             if all(figure(x, n) is None or good(n, figure(x, n)) for n in rows_over)]
    return (clean or with_sites or [None])[-1]
