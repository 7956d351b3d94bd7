#!/usr/bin/env python3
"""Bounds on form (docs/design.md, section 9).

Sources:  function at most 100 lines (look again at 60), cyclomatic complexity at most 25 (15), file at most 700
          lines (500), line at most 110 columns, no tabs, no #if inside a function, none about a part in a .c file (a part is files, and stubs
          in its own header). No file outside of src/small asks for part small: its headers stand in for others.
Names:    a function that is local to a .c file of src/ shares its name with no other file's.
Writers:  a field of WRITERS is assigned in the one file that its line there names.
Words:    none of those that CONTRIBUTING.md's style refuses, in comments, texts and names; tools/words_open.tsv lists
          those that a folder still has. A word that is gone from its folder leaves the list with it.
Heads:    every file and folder that a comment names after 'Tests:' exists, and so does every source that a comment
          under src/ names with its folder.
Objects:  non-static symbols start with mote_ (curl_ too in src/api); needs --build.
Library:  .data + .bss of the drop-in library at most 2,000 bytes; needs --library.

usage: check_form.py [--root DIR] [--build DIR] [--library FILE] [--report]
"""
import argparse
import glob
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import objects  # noqa: E402
import rooms  # noqa: E402

HARD = dict(lines=100, complexity=25, file=700, columns=110)
SOFT = dict(lines=60, complexity=15, file=500)
WRITABLE = 2000
FOLDERS = ("src", "bench", "tests", "examples")
WORDS = ("nobody", "whoever", "somebody", "anybody", "anew", "once more", "of no use", "tell", "tells", "told", "behind")
WORD = re.compile(r"(?<![A-Za-z])(" + "|".join(WORDS).replace(" ", r"(?:[\s*#/]|\"\s*\")+") + r")(?![A-Za-z])", re.I)
WORD_FOLDERS = ("src", "include", "device", "tests", "bench", "tools", "docs", "examples", "fuzz", "cmake")
WORD_FILES = (".c", ".h", ".inc", ".py", ".md", ".cmake", ".sh", ".ld", ".S")
# what names the words, and what is in other hands: libcurl's own headers
WORDLESS = ("tools/check_form.py", "tests/tools/test_checks.py", "include/curl/")
WORDS_OPEN = "tools/words_open.tsv"     # folder or file, and the words that it still has; elsewhere there are none
# What many files read, and the file whose functions write it.
WRITERS = {
    "lease.kind": "src/transfer/channel.h",
    "lease.phase": "src/transfer/channel.h",
    "lease.retry": "src/transfer/channel.h",
    "got_bytes": "src/transfer/exchange.h",
    "size_down": "src/transfer/exchange.h",
    "size_up": "src/transfer/exchange.h",
}
TESTS = re.compile(r"\bTests:((?:(?!\*/|\n \* *(?:\n|[A-Z][a-z]+:)).)*)", re.S)
TEST_NAME = re.compile(r"[\w./*-]*/[\w./*-]*\w|[\w*-]+\.(?:c|h|py)\b")
PART_IF = re.compile(r"^[ \t]*#[ \t]*(?:el)?if(?:\\\n|.)*\bMOTE_HAS_", re.M)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
SOURCE_NAME = re.compile(r"(?<![\w./])(?:src/)?([a-z]\w*)((?:/\w+)+\.(?:c|h|inc))\b")
BRANCH = re.compile(r"\b(?:if|for|while|case)\b|&&|\|\||\?")
IDENT = re.compile(r"([A-Za-z_]\w*)\s*\(")


def blank(match):
    """What a comment or literal leaves: its line ends, and nothing else."""
    return re.sub(r"[^\n]", " ", match.group(0))


def strip(text):
    """(code without comments, literals and directives; line numbers of #if kinds)"""
    text = text.replace("\\\n", " \n")
    text = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)
    ifs = {text.count("\n", 0, m.start()) + 1 for m in re.finditer(r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef)\b", text, re.M)}
    out, skip = [], [(True, True)]
    for line in text.split("\n"):
        m = re.match(r"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)?", line)
        if not m:
            out.append(line if skip[-1][0] else "")
            continue
        # only the first branch of a conditional is counted, so that braces match
        word = m.group(1) or ""
        if word.startswith("if"):
            skip.append((skip[-1][0], True))
        elif word in ("elif", "else") and len(skip) > 1:
            skip[-1] = (False, False)
        elif word == "endif" and len(skip) > 1:
            skip.pop()
        out.append("")
    return "\n".join(out), ifs


def functions(code):
    """(name, first line, last line, body) of each function."""
    depth, start, head, line, last = 0, None, 0, 1, 0
    for i, ch in enumerate(code):
        if ch == "\n":
            line += 1
        elif ch == "{":
            if depth == 0:
                before = code[head:i]
                names = IDENT.findall(before)
                is_function = bool(names) and before.rstrip().endswith(")") and "=" not in before
                name = [n for n in names if not n.startswith("__")][:1] or ["?"]
                first = line - before[len(before) - len(before.lstrip()):].count("\n")
                start = (name[0], first, i) if is_function else None
            depth += 1
        elif ch == "}":
            depth = max(0, depth - 1)
            if depth == 0:
                if start:
                    yield start[0], start[1], line, code[start[2]:i]
                head, start = i + 1, None
        elif ch == ";" and depth == 0:
            head = i + 1


def check_file(path, text, report):
    errors, lines = [], text.split("\n")
    size = len(lines) - (lines[-1] == "")
    if size > HARD["file"]:
        errors.append(f"{path}: {size} lines (at most {HARD['file']})")
    elif size > SOFT["file"]:
        report.append((path, f"{size} lines"))
    for n, line in enumerate(lines, 1):
        if "\t" in line:
            errors.append(f"{path}:{n}: tab")
        if len(line) > HARD["columns"]:
            errors.append(f"{path}:{n}: {len(line)} columns (at most {HARD['columns']})")
    code, ifs = strip(text)
    count = 0
    for name, first, last, body in functions(code):
        count += 1
        length, cc = last - first + 1, 1 + len(BRANCH.findall(body))
        if length > HARD["lines"]:
            errors.append(f"{path}:{first}: {name}() has {length} lines (at most {HARD['lines']})")
        elif length > SOFT["lines"]:
            report.append((f"{path}:{first}", f"{name}() {length} lines"))
        if cc > HARD["complexity"]:
            errors.append(f"{path}:{first}: {name}() has complexity {cc} (at most {HARD['complexity']})")
        elif cc > SOFT["complexity"]:
            report.append((f"{path}:{first}", f"{name}() complexity {cc}"))
        if path.startswith("src/"):
            errors += [f"{path}:{n}: #if inside {name}()" for n in sorted(ifs) if first < n < last]
    if path.startswith("src/") and path.endswith(".c"):
        errors += [f"{path}:{text.count(chr(10), 0, m.start()) + 1}: #if about a part" for m in PART_IF.finditer(text)]
    return count, errors


def check_small(root):
    paths = [os.path.relpath(os.path.join(base, name), root) for base, _, names in os.walk(os.path.join(root, "src"))
             for name in names if name.endswith((".c", ".h", ".inc"))]
    return [f"{path}: asks for part small, whose headers stand in for others (docs/design.md, section 6)"
            for path in sorted(rooms.asks_for_small(root, paths))]


def check_sources(root, report):
    files = count = 0
    errors = check_small(root)
    for folder in FOLDERS:
        for base, dirs, names in os.walk(os.path.join(root, folder)):
            dirs.sort()
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    path = os.path.relpath(os.path.join(base, name), root)
                    n, e = check_file(path, open(os.path.join(root, path), encoding="utf-8").read(), report)
                    files, count, errors = files + 1, count + n, errors + e
    return files, count, errors


def word_files(root):
    for folder in WORD_FOLDERS:
        for base, dirs, names in os.walk(os.path.join(root, folder)):
            dirs.sort()
            for name in sorted(names):
                path = os.path.relpath(os.path.join(base, name), root)
                if name.endswith(WORD_FILES) and not path.startswith(WORDLESS):
                    yield path


def known_words(root):
    """{folder: words that it still has}"""
    try:
        with open(os.path.join(root, WORDS_OPEN), encoding="utf-8") as f:
            lines = [x.split("\t") for x in f.read().split("\n") if x and not x.startswith("#")]
    except OSError:
        return {}
    return {folder: words.split(", ") for folder, words in lines}


def codes_of(root, ends):
    """{file: its text without comments} below src/."""
    codes = {}
    for base, _, names in os.walk(os.path.join(root, "src")):
        for name in names:
            if name.endswith(ends):
                path = os.path.join(base, name)
                with open(path, encoding="utf-8") as f:
                    codes[os.path.relpath(path, root)] = strip(f.read())[0]
    return codes


def check_local_names(root):
    """A name that several files have says nothing in a backtrace, a profile or a search."""
    return [f"{files[0]}: {name}() is local to {', '.join(files[1:])}, too"
            for name, files in rooms.shared_names(codes_of(root, ".c"))[0].items()]


def check_writers(root):
    """What many files read has one file that writes it."""
    written = re.compile(r"(?:->|\.)(" + "|".join(WRITERS) + r")\s*(?:[|&+-]?=(?!=)|\+\+|--)")
    return [f"{path}:{code.count(chr(10), 0, m.start()) + 1}: {m.group(1)} is written in {WRITERS[m.group(1)]} alone"
            for path, code in sorted(codes_of(root, (".c", ".h")).items()) for m in written.finditer(code)
            if path != WRITERS[m.group(1)] and not re.match(r"[\s{,]", code[m.start() - 1])]


def check_words(root):
    """Refused words that the folder of a file is not known to have, and known ones that it has no longer."""
    errors, known = [], known_words(root)
    seen = {folder: set() for folder in known}
    for path in word_files(root):
        with open(os.path.join(root, path), encoding="utf-8") as f:
            text = f.read()
        folder = max((f for f in known if path == f or path.startswith(f + "/")), key=len, default=None)
        for m in WORD.finditer(text):
            if m.group(1) == "NOBODY":      # CURLOPT_NOBODY
                continue
            word = " ".join(re.findall("[a-z]+", m.group(1).lower()))
            if folder and word in known[folder]:
                seen[folder].add(word)
            else:
                errors.append(f"{path}:{text.count(chr(10), 0, m.start()) + 1}: '{word}' is refused (CONTRIBUTING.md)")
    errors += [f"{WORDS_OPEN}: {folder} has '{w}' no longer, take it out of the line"
               for folder, words in known.items() for w in words if w not in seen[folder]]
    return errors


def check_tests(root):
    """A name without a folder lies in the folder of the name in front of it."""
    errors = []
    for path in word_files(root):
        if not path.endswith((".c", ".h", ".inc")):
            continue
        with open(os.path.join(root, path), encoding="utf-8") as f:
            text = f.read()
        for m in TESTS.finditer(text):
            folder, line = "", text.count("\n", 0, m.start()) + 1
            for name in TEST_NAME.findall(m.group(1)):
                folder, name = (os.path.dirname(name), name) if "/" in name else (folder, os.path.join(folder, name))
                if not glob.glob(os.path.join(root, name)):
                    errors.append(f"{path}:{line}: there is no {name}, which the comment names as a test")
    return errors


def check_names(root):
    """A path that begins with a folder of src/ is one of its sources."""
    errors = []
    for path in word_files(root):
        if not path.startswith("src/") or not path.endswith((".c", ".h", ".inc")):
            continue
        with open(os.path.join(root, path), encoding="utf-8") as f:
            text = f.read()
        for comment in COMMENT.finditer(text):
            for m in SOURCE_NAME.finditer(comment.group(0)):
                folder = os.path.join(root, "src", m.group(1))
                if os.path.isdir(folder) and not os.path.exists(folder + m.group(2)):
                    line = text.count("\n", 0, comment.start() + m.start()) + 1
                    errors.append(f"{path}:{line}: there is no {m.group(0)}, which the comment names")
    return errors


def check_symbols(build, root):
    errors, found = [], objects.find(build, root)
    for src, names in objects.symbols(found, "-g", "--defined-only").items():
        for _, name in names:
            if name.startswith(("mote_", "__asan_", "__odr_asan")) or (src.startswith("src/tool/") and name == "main"):
                continue
            if name.startswith("curl_") and src.startswith("src/api/"):
                continue
            errors.append(f"{src}: non-static symbol {name} lacks the prefix")
    if not found:
        errors.append(f"{build}: no object files")
    return len(found), errors


def writable(library):
    text = subprocess.run(["readelf", "-SW", library], capture_output=True, text=True, check=True).stdout
    return sum(int(m.group(2), 16) for m in re.finditer(r"\s(\.data|\.bss)\s+\S+\s+\S+\s+\S+\s+([0-9a-f]+)", text))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", default=os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    ap.add_argument("--build")
    ap.add_argument("--library")
    ap.add_argument("--report", action="store_true", help="print also what is worth a second look")
    a = ap.parse_args()
    report = []
    files, count, errors = check_sources(a.root, report)
    if not files:
        errors.append("no source files")
    errors += check_words(a.root) + check_tests(a.root) + check_names(a.root) + check_local_names(a.root)
    errors += check_writers(a.root)
    said = f"{files} files, {count} functions"
    if a.build:
        n, e = check_symbols(a.build, a.root)
        errors += e
        said += f", {n} objects"
    if a.library:
        n = writable(a.library)
        said += f", {n} writable bytes"
        if n > WRITABLE:
            errors.append(f"{a.library}: {n} bytes of writable data (at most {WRITABLE})")
    if a.report:
        for where, what in report:
            print(f"look again: {where}: {what}")
    for e in errors:
        print(e)
    print(f"{said}, {len(errors)} violations, {len(report)} to look at again")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
