"""What was reached, by file: lines, branches and conditions of decisions, out of what llvm-cov exports as JSON.

A line is reached when one of its regions was executed. A branch is one side of a condition: of "if(a && b)" there are four.
A condition is decided (MC/DC) when two runs showed that it alone changed its decision's outcome. What a file's functions
came to in several objects (functions in headers, objects that more than one program has) is added up. A condition that
the compiler knows beforehand is none; neither is what tools/reached/unreachable.tsv gives a reason for.
"""
import collections
import csv
import json
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
UNREACHABLE = os.path.join(ROOT, "tools", "reached", "unreachable.tsv")
SOURCE = re.compile(r"(?:^|/)(src/[\w/]+\.[ch])$")
KINDS = ("lines", "branches", "mcdc")


class Stale(Exception):
    """A line of unreachable.tsv that excuses nothing: what it names was reached, or is not there."""


class Count:
    """So many of so many."""

    def __init__(self, reached=0, all_of_them=0):
        self.reached, self.all = reached, all_of_them

    def add(self, other):
        self.reached += other.reached
        self.all += other.all

    @property
    def missing(self):
        return self.all - self.reached

    @property
    def percent(self):
        """Rounded down to hundredths: 100 means all."""
        return self.reached * 10000 // self.all / 100 if self.all else 100.0


class File:
    """path       from the repository's root
    lines      {line: executions}
    branches   {(line, column, line, column at the end): [times true, times false]}
    decisions  {the same of a decision: [each condition's being decided]}"""

    def __init__(self, path):
        self.path, self.lines, self.branches, self.decisions = path, {}, {}, {}

    def counts(self):
        sides = [n for both in self.branches.values() for n in both if n is not None]
        decided = [c for conditions in self.decisions.values() for c in conditions]
        return {"lines": Count(sum(map(bool, self.lines.values())), len(self.lines)),
                "branches": Count(sum(map(bool, sides)), len(sides)),
                "mcdc": Count(sum(decided), len(decided))}


def lines_of(segments):
    """{line: executions} as llvm-cov counts them: the most of what begins on a line or goes on from lines before it."""
    by_line = collections.defaultdict(list)
    for line, _, count, has_count, is_entry, is_gap in segments:
        by_line[line].append((count, has_count, is_entry, is_gap))
    found, wrapped = {}, None
    for line in range(min(by_line, default=1), max(by_line, default=0) + 1):
        here = by_line.get(line, [])
        begins = [count for count, has_count, is_entry, is_gap in here if has_count and is_entry and not is_gap]
        skipped = here and not here[0][1] and here[0][2]
        goes_on = wrapped is not None and wrapped[1]
        mapped = (not skipped and (goes_on or begins)) or any(is_entry and has_count for _, has_count, is_entry, _ in here)
        if mapped:
            found[line] = max([wrapped[0] if goes_on else 0, *begins])
        if here:
            wrapped = here[-1]
    return found


def is_constant(texts, place):
    """Whether the compiler knows the condition beforehand: llvm-cov's export does not say so."""
    line, column, last, end = place
    if last != line or line > len(texts):
        return False
    text = texts[line - 1][column - 1:end - 1].strip("() ")
    return text.isdigit() or text.startswith("sizeof") or text in ("true", "false")


def read(exported):
    """{path: File} of the sources below src/. exported: llvm-cov's JSON, whose names may begin with another folder."""
    files = {}
    for entry in exported["data"][0]["files"]:
        own = SOURCE.search(os.path.normpath(entry["filename"]))
        if not own:
            continue
        path = own.group(1)
        file = files.setdefault(path, File(path))
        for line, count in lines_of(entry["segments"]).items():
            file.lines[line] = max(count, file.lines.get(line, 0))
        for *place, true, false, _, _, _ in entry["branches"]:
            both = file.branches.setdefault(tuple(place), [0, 0])
            both[0] += true
            both[1] += false
        for record in entry.get("mcdc_records", ()):
            place, decided = tuple(record[:4]), record[-1]
            before = file.decisions.get(place, [False] * len(decided))
            file.decisions[place] = [a or b for a, b in zip(before, decided)]
    for file in files.values():
        drop_constants(file)
        excuse(file, [row[1:] for row in reasons() if row[0] == file.path])
    return files


def drop_constants(file):
    texts = text_of(file.path)
    file.branches = {place: both for place, both in file.branches.items() if any(both) or not is_constant(texts, place)}


def excuse(file, rows):
    """Takes away what there is a reason for. rows: (text of a line, "line" or "CONDITION true", reason)"""
    texts, conditions = text_of(file.path), []
    for text, what, _ in rows:
        lines = [n for n, t in enumerate(texts, 1) if t.strip() == text]
        if what != "line":
            conditions += lines
            used = [excuse_side(file, texts, n, what) for n in lines]
        else:  # one that others are alike is meant after the condition of a row before
            used = [excuse_line(file, n) for n in lines if len(lines) == 1 or any(0 < n - c <= 4 for c in conditions)]
        if not any(used):
            raise Stale(f"{file.path}: {text}: {what}: nothing there is unreached")


def excuse_line(file, line):
    """Takes away a line that was not reached, and what begins there; whether there was one."""
    if file.lines.get(line) != 0:
        return False
    del file.lines[line]
    file.branches = {place: both for place, both in file.branches.items() if place[0] != line}
    file.decisions = {place: decided for place, decided in file.decisions.items() if place[0] != line}
    return True


def excuse_side(file, texts, line, what):
    """Takes away a side of a condition that was not reached, and its being decided; whether there was one."""
    condition, _, side = what.rpartition(" ")
    for place, both in file.branches.items():
        number = ("true", "false").index(side)
        if place[0] == line and both[number] == 0 and cut(texts, *place) == condition:
            both[number] = None
            undecide(file, place)
            return True
    return False


def cut(texts, line, column, last, end):
    """What stands there, with blanks for line ends."""
    if last == line:
        return texts[line - 1][column - 1:end - 1]
    return " ".join([texts[line - 1][column - 1:], *(t.strip() for t in texts[line:last - 1]), texts[last - 1][:end - 1].strip()])


def undecide(file, condition):
    """The decision in which the condition stands does without it."""
    begins, ends = condition[:2], condition[2:]
    for place, decided in file.decisions.items():
        inside = sorted(p for p in file.branches if place[:2] <= p[:2] and p[2:] <= place[2:])
        if place[:2] <= begins and ends <= place[2:] and len(inside) == len(decided):
            file.decisions[place] = [d for p, d in zip(inside, decided) if p != condition]
            return


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read().split("\n")


def export(profile, objects):
    """llvm-cov's JSON of the objects, with a merged profile."""
    command = ["llvm-cov", "export", "-format=text", "-instr-profile=" + profile, objects[0],
               *(x for o in objects[1:] for x in ("-object", o))]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def reasons():
    """[(path, text of the line, what: line, true or false, reason)]"""
    if not os.path.exists(UNREACHABLE):
        return []
    with open(UNREACHABLE, encoding="utf-8") as f:
        return [tuple(row) for row in csv.reader(f, delimiter="\t", quoting=csv.QUOTE_NONE) if row and row[0][0] != "#"]


def of_folder(path):
    """src/codec/url/url.c: codec"""
    return path.split("/")[1]


def by_folder(files):
    """{folder: {kind: Count}}"""
    found = {}
    for file in files.values():
        counts = found.setdefault(of_folder(file.path), {kind: Count() for kind in KINDS})
        for kind, count in file.counts().items():
            counts[kind].add(count)
    return found
