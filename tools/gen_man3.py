#!/usr/bin/env python3
"""Make docs/man3, the manual pages of the functions that Mote adds to libcurl's, from include/mote/mote.h.

usage: gen_man3.py [--check]
  --check   write nothing; fail if a page is not what it would be
The comment before a function is its page; functions that share a comment share a page, under the name of each. A
line that begins with the name of an error begins an item of ERRORS. A struct that a prototype names is shown with it.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(ROOT, "docs", "man3")
SUMMARY = {  # of the first function of a page
    "mote_version": "the version of the library that runs",
    "mote_easy_account": "what an easy handle has taken from the allocator",
    "mote_multi_account": "what a multi handle has taken from the allocator",
    "mote_easy_limit": "a ceiling for the memory of a handle",
    "mote_part_info": "what a part of the library has taken from the allocator",
    "mote_account_detail": "count the parts of each handle",
    "mote_easy_account_part": "what a part of the library has taken for a handle",
    "mote_need": "what a transfer will take at most",
    "mote_init_static": "run the library from one block of memory",
    "mote_static_info": "how the block of memory is used",
}
ERROR = re.compile(r"((?:CURL[EM]_[A-Z_]+, )*CURL[EM]_[A-Z_]+): *(.*)")


def header():
    with open(os.path.join(ROOT, "include", "mote", "mote.h"), encoding="utf-8") as f:
        return f.read()


def plain(comment):
    """The lines of a comment without its frame."""
    lines = comment.strip()[2:-2].split("\n")
    return [re.sub(r"^ ?\* ?| +$", "", line) if i else line.strip() for i, line in enumerate(lines)]


def structs(text):
    return {m[1]: m[0] for m in re.finditer(r"struct (mote_\w+) \{.*?^\};", text, re.M | re.S)}


def functions(text):
    """[([prototypes], [lines of the comment])]"""
    form = re.compile(r"(/\*(?:(?!\*/).)*\*/)\n((?:CURL_EXTERN [^;]*;\n)+)", re.S)
    return [([" ".join(p.split()) + ";" for p in m[2].replace("CURL_EXTERN ", "").split(";\n") if p], plain(m[1]))
            for m in form.finditer(text)]


def name_of(prototype):
    return re.search(r"(mote_\w+)\(", prototype)[1]


def escaped(line):
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + line if line[:1] in (".", "'") else line


def marked(line):
    """Names of functions and options in bold, as libcurl's own pages have them."""
    return re.sub(r"\b((?:mote|curl)_\w+\(\)|CURLOPT_\w+|curl_\w+)", r"\\fB\1\\fP", escaped(line))


def split(lines):
    """(lines of the description, [(names, text)] of the errors)"""
    text, errors = [], []
    for line in lines:
        m = ERROR.match(line)
        if m:
            errors.append([m[1], m[2]])
        elif errors and line.startswith("  "):
            errors[-1][1] += " " + line.strip()
        elif line or not errors:
            more = re.search(r"\bCURL[EM]_[A-Z_]+: ", line)
            if more and more.start():  # a second error on the same line
                errors.append([more[0][:-2], line[more.end():]])
                line = line[:more.start()].strip()
            text.append(line)
        elif text and text[-1]:
            text.append(line)
    return text, errors


def paragraphs(lines):
    out, code = [], False
    for line in lines:
        if line.startswith("  ") and not code:
            out.append(".PP\n.nf")
        elif code and line and not line.startswith("  "):
            out.append(".fi\n.PP")
        elif not line and out and not code:
            out.append(".PP")
        code = line.startswith("  ") or code and not line
        if line:
            out.append(escaped(line) if code else marked(line))
    if code:
        out.append(".fi")
    while out and out[-1] == ".PP":
        out.pop()
    return out


def page(prototypes, lines, types):
    names = [name_of(p) for p in prototypes]
    text, errors = split(lines)
    used = [types[n] for n in dict.fromkeys(re.findall(r"struct (mote_\w+)", " ".join(prototypes))) if n in types]
    version = re.search(r'MOTE_VERSION "(.*)"', header())[1]
    out = [".\\\" Made by tools/gen_man3.py from include/mote/mote.h: change that.",
           f'.TH {names[0]} 3 "" "mote {version}" "Mote"', ".SH NAME",
           f"{escaped(', '.join(names))} \\- {SUMMARY[names[0]]}", ".SH SYNOPSIS", ".nf", ".B #include <mote/mote.h>", ""]
    out += [f".B {escaped(p)}" for p in prototypes]
    for struct in used:
        out += ["", *map(escaped, struct.split("\n"))]
    out += [".fi", ".SH DESCRIPTION", *paragraphs(text)]
    if errors:
        out.append(".SH ERRORS")
        for codes, meaning in errors:
            out += [".TP", f".B {escaped(codes)}", marked(meaning)]
    out += [".SH SEE ALSO", ".BR mote (1),", ", ".join(
        f"\\fB{n}\\fP(3)" for n in sorted(SUMMARY) if n != names[0])]
    return names, "\n".join(out) + "\n"


def pages():
    """{file name: text}"""
    text, files = header(), {}
    types = structs(text)
    for prototypes, lines in functions(text):
        names, made = page(prototypes, lines, types)
        files[f"{names[0]}.3"] = made
        for other in names[1:]:
            files[f"{other}.3"] = f".so man3/{names[0]}.3\n"
    return files


def main():
    made = pages()
    if "--check" in sys.argv[1:]:
        there = {n: open(os.path.join(FOLDER, n), encoding="utf-8").read() for n in os.listdir(FOLDER)}
        wrong = [n for n in sorted(set(made) | set(there)) if made.get(n) != there.get(n)]
        sys.exit(f"gen_man3.py: not up to date: {', '.join(wrong)}" if wrong else 0)
    os.makedirs(FOLDER, exist_ok=True)
    for name in set(os.listdir(FOLDER)) - set(made):
        os.remove(os.path.join(FOLDER, name))
    for name, text in made.items():
        with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as f:
            f.write(text)


if __name__ == "__main__":
    main()
