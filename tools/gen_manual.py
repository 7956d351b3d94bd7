#!/usr/bin/env python3
"""Make docs/mote.1, the text of it that --manual shows (src/tool/help/manual_text.c), and the shell completions (bash, zsh, fish) in
docs/completion from the option table.

usage: gen_manual.py [--check]
  --check   write nothing; fail if a file is not what it would be
Reads src/tool/options/options_table.c, src/tool/show/writevars.c and src/tool/help/manual.txt.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def options():
    """The rows of the table: name, letter, argument, help, categories, flags, handler."""
    text = read("src/tool/options/options_table.c")
    text = text[text.index("mote_cli_options[] = {"):]
    row = re.compile(r"^  \{ \"([^\"]+)\", (0|'.'), (NULL|\"[^\"]*\"), \"(.*)\",\n"
                     r"\s+([A-Z_0-9 |]+),\s+([A-Z_0-9 |]+),\s+mote_set_(\w+),\s+([^,]+), .* \},$", re.M)
    rows = [dict(name=m[1], letter="" if m[2] == "0" else m[2][1], arg="" if m[3] == "NULL" else m[3][1:-1],
                 help=m[4], categories=m[5], flags=m[6], handler=m[7], target=m[8]) for m in row.finditer(text)]
    if len(rows) != text.count("\n  { \""):
        sys.exit("gen_manual.py: a row of the option table is not of the usual form")
    return rows


def variables():
    text = read("src/tool/show/writevars.c")
    return re.findall(r"\{ \.name = \"([a-z_]+)\"", text)


def notes():
    """Sections before and after the options, and the options' own texts."""
    before, after, own, now = [], [], {}, None
    for line in read("src/tool/help/manual.txt").splitlines():
        if line.startswith("==> "):
            now = []
            after.append((line[4:], now))
        elif line.startswith("== "):
            now = []
            before.append((line[3:], now))
        elif line.startswith("= "):
            now = own.setdefault(line[2:], [])
        elif now is not None:
            now.append(line)
    return before, after, own


def section(title, lines):
    out = [".SH " + (f'"{title}"' if " " in title else title)]
    while lines and not lines[-1]:
        lines.pop()
    for line in lines:
        if not line:
            out.append(".PP")
        elif line == "@variables":
            out.append(", ".join(variables()).replace("-", "\\-") + ".")
        elif line.startswith("* "):
            head, _, rest = line[2:].partition(": ")
            out += [".TP", f".B {head}", rest]
        else:
            out.append(line)
    return out


def plain(text):
    """Without the signs of roff."""
    return text.replace("\\-", "-").replace("\\e", "\\").replace("\\&", "")


def plain_section(lines):
    """Paragraphs on a line each; "* " begins an item, "$ " a line that is shown as it is."""
    out, shown, joined = [], False, False
    for line in lines:
        word = re.match(r"\.(\w+) ?(.*)", line)
        if line == "@variables":
            line = ", ".join(variables()) + "."
        if word and word[1] in ("nf", "fi"):
            shown = word[1] == "nf"
        elif word and word[1] == "PP" or not line:
            joined = False
        elif word:
            out.append(("$ " if shown else "") + plain(word[2]))
            joined = not shown
        elif joined and out and not line.startswith("* "):
            out[-1] += " " + plain(line)
        else:
            out.append(plain(line))
            joined = not line.startswith("* ")
    return "\n".join(out)


def c_text(text, indent):
    """A text as C literals, on lines of their own."""
    pieces = []
    for paragraph in re.split(r"(?<=\n)", text):
        while paragraph:
            cut = len(paragraph) if len(paragraph) <= 90 else paragraph.rindex(" ", 0, 90) + 1
            pieces.append(paragraph[:cut])
            paragraph = paragraph[cut:]
    return "\n".join(indent + '"' + p.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
                     for p in pieces)


def c_table(name, rows):
    entries = ",\n".join(f'  {{ "{title}",\n{c_text(text, "    ")} }}' for title, text in rows)
    return f"const struct manual_text mote_cli_manual_{name}[] = {{\n{entries},\n  {{ NULL, NULL }}\n}};\n"


def manual_text(rows):
    before, after, own = notes()
    names = [("OPTIONS THAT ARE NOT BUILT IN", NOT_BUILT + "\n" + names_of(r for r in rows if absent(r))),
             ("OPTIONS WITHOUT EFFECT", NO_EFFECT + "\n" + names_of(r for r in rows if r["handler"] == "ignored"))]
    tables = [c_table("before", [(t, plain_section(x)) for t, x in before] + [("OPTIONS", plain(OPTIONS))]),
              c_table("notes", sorted((n, plain_section(x).replace("\n", " ")) for n, x in own.items())),
              c_table("after", names + [(t, plain_section(x)) for t, x in after])]
    return ("/* Made by tools/gen_manual.py from src/tool/help/manual.txt and options_table.c: change those. */\n"
            '#include "tool/help/manual.h"\n\n#include <stddef.h>\n\n' + "\n".join(tables))


def names_of(rows):
    return ", ".join("--" + r["name"] for r in rows) + "."


OPTIONS = ("Short options without argument may stand together (\\-OLv); an argument may stick to a short option "
           "(\\-ofile) or follow a long one after a blank or \"=\". A switch is turned off by \\-\\-no\\-name. A long "
           "option may be abbreviated as long as no other begins the same way. Where an option is given twice, "
           "the last one counts, unless it is one of a list.")
NOT_BUILT = ("Known by name, for what no build has yet (NTLM and others). "
             "One that would change what is sent or checked ends the command with one line and the exit code 2, before a "
             "byte is sent; one that changes nothing in this build is accepted.")
NO_EFFECT = "Accepted for old command lines, with a warning:"


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in ".'" else text


def entry(row, own):
    dashes = "\\fB\\-\\-" + row["name"].replace("-", "\\-") + "\\fR"
    head = f"\\fB\\-{row['letter']}\\fR, {dashes}" if row["letter"] else dashes
    if row["arg"]:
        head += " " + escape(row["arg"])
    text = [".TP", head, escape(row["help"]) + "."]
    for line in own.get(row["name"], []):
        if line:
            text.append(line)
    return text


def manual(rows):
    before, after, own = notes()
    unknown = set(own) - {r["name"] for r in rows}
    if unknown:
        sys.exit(f"gen_manual.py: texts for unknown options: {', '.join(sorted(unknown))}")
    version = re.search(r"#define MOTE_VERSION \"([^\"]+)\"", read("include/mote/mote.h"))[1]
    out = ['.\\" Made by tools/gen_manual.py from src/tool/options/options_table.c and src/tool/help/manual.txt: change those.',
           f'.TH mote 1 "" "mote {version}" "User Commands"']
    for title, lines in before:
        out += section(title, lines)
    out += [".SH OPTIONS", OPTIONS]
    for row in useful(rows):
        out += entry(row, own)
    out += ['.SH "OPTIONS THAT ARE NOT BUILT IN"', NOT_BUILT, ".PP",
            names_of(r for r in rows if absent(r)).replace("-", "\\-"),
            '.SH "OPTIONS WITHOUT EFFECT"', NO_EFFECT,
            names_of(r for r in rows if r["handler"] == "ignored").replace("-", "\\-")]
    for title, lines in after:
        out += section(title, lines)
    return "\n".join(out) + "\n"


def absent(row):
    """No build has it. --help marks these rows, and those that its own build lacks (src/tool/help/help.c)."""
    return row["handler"] == "refused" or "ROW_ABSENT" in row["flags"].split(" | ")


def useful(rows):
    return [r for r in rows if not absent(r) and r["handler"] != "ignored"]


def bash(rows):
    rows = useful(rows)

    def names(flag):
        found = []
        for r in rows:
            if flag in r["flags"].split(" | "):
                found.append("--" + r["name"])
                if r["letter"]:
                    found.append("-" + r["letter"])
        return "|".join(found)

    words = " ".join(["--" + r["name"] for r in rows] + ["-" + r["letter"] for r in rows if r["letter"]])
    plain = "|".join("--" + r["name"] for r in rows
                     if r["arg"] and not {"ROW_FILE", "ROW_DIR", "ROW_MAYBE"} & set(r["flags"].split(" | ")))
    return f"""# bash completion for mote. Made by tools/gen_manual.py.
_mote()
{{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  COMPREPLY=()
  case $before in
  {names("ROW_FILE")})
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    return
    ;;
  {names("ROW_DIR")})
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$word")
    return
    ;;
  -h|--help)
    COMPREPLY=($(compgen -W "all category {' '.join(categories())}" -- "$word"))
    return
    ;;
  {plain})
    return
    ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "{words}" -- "$word"))
  fi
}}
complete -F _mote mote
"""


def categories():
    text = read("src/tool/options/options_table.c")
    text = text[text.index("mote_cli_categories[]"):text.index("mote_cli_options[]")]
    return re.findall(r'\{ "(\w+)",', text)


def zsh(rows):
    lines = ["#compdef mote", "# zsh completion for mote. Made by tools/gen_manual.py.", "", "_arguments -s -S \\"]
    for r in useful(rows):
        text = re.sub(r"([\[\]:\\])", r"\\\1", r["help"]).replace("'", "'\\''")
        flags = r["flags"].split(" | ")
        action = ""
        if r["arg"]:
            what = re.sub(r"([\[\]:\\])", r"\\\1", r["arg"])
            todo = "_files" if "ROW_FILE" in flags else "_files -/" if "ROW_DIR" in flags else ""
            action = ("::" if "ROW_MAYBE" in flags else ":") + what + ":" + todo
        star = "*" if "ROW_MANY" in flags else ""
        if r["letter"]:
            letter = "\\" + r["letter"] if r["letter"] in ":#" else r["letter"]
            lines.append(f"  '{star}-{letter}[{text}]{action}' \\")
        lines.append(f"  '{star}--{r['name']}[{text}]{action}' \\")
    lines.append("  '*:URL:_urls'")
    return "\n".join(lines) + "\n"


def fish(rows):
    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = ["# fish completion for mote. Made by tools/gen_manual.py.", "complete -c mote -f"]
    for r in useful(rows):
        flags = r["flags"].split(" | ")
        line = "complete -c mote"
        if r["letter"]:
            line += f" -s {quoted(r['letter'])}"
        line += f" -l {quoted(r['name'])} -d {quoted(r['help'])}"
        if r["name"] == "help":
            line += f" -x -a {quoted('all category ' + ' '.join(categories()))}"
        elif r["arg"] and "ROW_FILE" in flags:
            line += " -r -F"
        elif r["arg"] and "ROW_DIR" in flags:
            line += " -x -a '(__fish_complete_directories)'"
        elif r["arg"]:
            line += " -x"
        lines.append(line)
    return "\n".join(lines) + "\n"


def main():
    rows = options()
    made = {"docs/mote.1": manual(rows), "src/tool/help/manual_text.c": manual_text(rows), "docs/completion/mote.bash": bash(rows),
            "docs/completion/_mote": zsh(rows), "docs/completion/mote.fish": fish(rows)}
    stale = []
    for path, text in made.items():
        full = os.path.join(ROOT, path)
        old = read(path) if os.path.exists(full) else None
        if old == text:
            continue
        stale.append(path)
        if "--check" not in sys.argv:
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as f:
                f.write(text)
    if stale and "--check" in sys.argv:
        sys.exit("not up to date, run tools/gen_manual.py: " + " ".join(stale))


if __name__ == "__main__":
    main()
