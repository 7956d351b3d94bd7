"""The page of tools/coverage.py: a table of folders and files, and each line and side of a branch that nothing reached."""
import html

from reached import figures

STYLE = """body{font:15px/1.4 sans-serif;margin:2em auto;max-width:70em;padding:0 1em}table{border-collapse:collapse}
td,th{padding:.15em .8em;text-align:right;border-bottom:1px solid #ddd}td:first-child,th:first-child{text-align:left}
pre{margin:.2em 0;overflow-x:auto}i{color:#a00;font-style:normal}.below{color:#a00;font-weight:bold}"""
NAMES = {"lines": "lines", "branches": "branches", "mcdc": "MC/DC"}
FIRST = ("base", "codec", "auth")  # folders that read what a peer sends


def in_order(folders):
    return sorted(folders, key=lambda f: (FIRST.index(f) if f in FIRST else len(FIRST), f))


def gaps(file):
    """[(line, what was not reached there)], in the file's order: lines, sides of branches, conditions not decided."""
    texts = figures.text_of(file.path)
    found = [(line, "not reached") for line, n in file.lines.items() if not n]
    for (line, column, last, end), (true, false) in file.branches.items():
        if true == 0 and false == 0:
            continue  # its line was not reached, and is listed
        condition = figures.cut(texts, line, column, last, end)
        found += [(line, f"never {side}: {condition}") for side, n in (("true", true), ("false", false)) if n == 0]
    for (line, column, last, end), decided in file.decisions.items():
        if any(decided) and not all(decided):
            numbers = ", ".join(str(n + 1) for n, d in enumerate(decided) if not d)
            found.append((line, f"condition {numbers} of {len(decided)} not decided: {figures.cut(texts, line, column, last, end)}"))
    return sorted(found)


def as_text(count):
    return f"{count.percent:.2f}" + (f" (-{count.missing})" if count.missing else "")


def table(rows, first):
    """HTML of [(name, {kind: Count}, what it is below of)]."""
    out = [f"<table><tr><th>{first}</th>" + "".join(f"<th>{NAMES[k]}</th>" for k in figures.KINDS) + "</tr>"]
    for name, counts, below in rows:
        cells = "".join(f'<td{" class=below" if k in below else ""}>{as_text(counts[k])}</td>' for k in figures.KINDS)
        out.append(f"<tr><td>{name}</td>{cells}</tr>")
    return "\n".join([*out, "</table>"])


def make(files, below, suites):
    """The page. below: {folder: kinds that are below their floor}"""
    folders = figures.by_folder(files)
    parts = ["<!doctype html><meta charset=utf-8><title>What tests reach</title>", f"<style>{STYLE}</style>",
             "<h1>What tests reach</h1>", f"<p>Counted: {', '.join(suites)}. In parentheses: how many are missing.</p>",
             table([(f'<a href="#{f}">{f}</a>', folders[f], below.get(f, ())) for f in in_order(folders)], "folder")]
    for folder in in_order(folders):
        own = sorted((f for f in files.values() if figures.of_folder(f.path) == folder), key=lambda f: f.path)
        parts.append(f'<h2 id="{folder}">{folder}</h2>')
        parts.append(table([(f'<a href="#{f.path}">{f.path}</a>', f.counts(), ()) for f in own], "file"))
        parts += [of_file(f) for f in own if gaps(f)]
    return "\n".join(parts) + "\n"


def of_file(file):
    texts, out, shown = figures.text_of(file.path), [f'<h3 id="{file.path}">{file.path}</h3><pre>'], 0
    for line, what in gaps(file):
        if line != shown:
            out.append(f"{line:5}  {html.escape(texts[line - 1])}")
            shown = line
        if what != "not reached":
            out.append(f"       <i>{html.escape(what)}</i>")
        else:
            out[-1] = f"<i>{out[-1]}</i>"
    return "\n".join([*out, "</pre>"])


def as_lines(files, folders):
    """The gaps as text: "path:line: what | source line"."""
    out = []
    for file in sorted(files.values(), key=lambda f: f.path):
        if figures.of_folder(file.path) in folders:
            texts = figures.text_of(file.path)
            out += [f"{file.path}:{line}: {what} | {texts[line - 1].strip()}" for line, what in gaps(file)]
    return out
