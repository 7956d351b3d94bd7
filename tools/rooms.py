"""What a reader meets in a room of src/: shared names, long lists of parameters, headers, loops. For tools/shape.py; the
names are for tools/check_form.py, too."""
import collections
import os
import re

import check_floors

STATIC = re.compile(r"^static\b[^;{}=()]*?\b(\w+)\s*\(((?:[^(){};]|\([^()]*\))*)\)\s*\{", re.M)
FUNCTION = re.compile(r"^\w[^;{}=()#]*?\b(\w+)\s*\(((?:[^(){};]|\([^()]*\))*)\)\s*\{", re.M)
LOOP = re.compile(r"\b(?:while|for|do)\b")
MOVES = {"receiving": re.compile(r"\bmote_conn_(?:receive|read)\("),
         "sending": re.compile(r"\bmote_conn_send(?:_file)?\(")}
SMALL = re.compile(r"/\*.*?\*/|(\bMOTE_HAS_SMALL\b)", re.S)


def shared_names(codes):
    """{name: files} of file-local functions that several files have. codes: {file: its text without comments}"""
    where = collections.defaultdict(list)
    for path, code in sorted(codes.items()):
        for name in sorted({m.group(1) for m in STATIC.finditer(code)}):
            where[name].append(path)
    return {name: files for name, files in where.items() if len(files) > 1}, sum(map(len, where.values()))


def parameters(words):
    """How many a list of parameters has."""
    flat = re.sub(r"\([^()]*\)", "", words).strip()
    return 0 if flat in ("", "void") else flat.count(",") + 1


def long_lists(codes, most):
    """["file: name (number)"] of functions with more parameters than that."""
    return [f"{path}: {m.group(1)} ({parameters(m.group(2))})" for path, code in sorted(codes.items())
            for m in FUNCTION.finditer(code) if parameters(m.group(2)) > most]


def loops(codes, functions):
    """{"receiving": ["file: function"], "sending": ...}: functions with a loop that reads from, or sends on, a
    connection. functions: what check_form.functions() finds in a text."""
    found = {kind: [] for kind in MOVES}
    for path, code in sorted(codes.items()):
        for name, _, _, body in functions(code):
            for kind, call in MOVES.items():
                if LOOP.search(body) and call.search(body):
                    found[kind].append(f"{path}: {name}")
    return found


def headers_reached(tree, paths):
    """{room: the numbers of our headers that its files reach by includes, sorted}"""
    found = collections.defaultdict(list)
    for path in paths:
        found[check_floors.room_of(path)].append(len(tree.reached(path)))
    return {room: sorted(numbers) for room, numbers in sorted(found.items())}


def asks_for_small(root, files):
    """{file: how often it asks for part small} of files outside of its folder, in #if and in expressions."""
    found = {}
    for path in files:
        if not path.startswith("src/small/"):
            with open(os.path.join(root, path), encoding="utf-8") as f:
                count = sum(map(bool, SMALL.findall(f.read())))
            if count:
                found[path] = count
    return found


def circles_of_folders(tree):
    """Folders of src/ that include or call each other in a circle."""
    graph = collections.defaultdict(set)
    for path, others in tree.graph().items():
        mine = check_floors.folder_of(path)
        graph[mine] |= {check_floors.folder_of(o) for o in others} - {mine, "small"}
    return [c for c in check_floors.circles(graph) if "small" not in c]
