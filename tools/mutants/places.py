"""Places in C sources where one operator, constant or condition can be changed, and what it is changed into.

Only bodies of functions are changed; comments, literals and directives are not. What is an operator with two operands
follows from the style of the sources: it has a blank on both sides.
"""
import collections
import os
import re

import check_form

Mutant = collections.namedtuple("Mutant", "path offset old new line kind")

OPERATORS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
             "&&": ("||",), "||": ("&&",), "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("*",),
             "&": ("|",), "|": ("&",), "^": ("&",), "<<": (">>",), ">>": ("<<",),
             "+=": ("-=",), "-=": ("+=",), "|=": ("&=",), "&=": ("|=",), "^=": ("|=",), "<<=": (">>=",), ">>=": ("<<=",)}
BINARY = re.compile(r"(?<= )(<<=|>>=|&&|\|\||<<|>>|<=|>=|==|!=|\+=|-=|\|=|&=|\^=|[<>+\-*/%&|^])(?=[ \n])")
STEP = re.compile(r"\+\+|--")
NUMBER = re.compile(r"(?<![\w.\"'])(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)(?![\w.])")
TRUTH = re.compile(r"\b(true|false)\b")
CONDITION = re.compile(r"\b(?:if|while)\(")
LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.M)
NOT = re.compile(r"!(?=[\w(*])")


def of_text(path, text):
    """Every Mutant of a source, in its order."""
    code, found = code_of(text), []
    for _, first, last, _ in check_form.functions(code):
        start, end = offset_of(code, first), offset_of(code, last + 1)
        start = code.index("{", start)
        found += in_body(path, code, start, end)
    return sorted(set(found), key=lambda m: (m.offset, m.old, m.new))


def code_of(text):
    """The source with blanks for its comments, literals and directives: each place is where it was."""
    code = LITERAL.sub(check_form.blank, text)
    return DIRECTIVE.sub(check_form.blank, code)


def offset_of(text, line):
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
        if not at:
            return len(text)
    return at


def in_body(path, code, start, end):
    def mutant(at, old, new, kind):
        return Mutant(path, at, old, new, code.count("\n", 0, at) + 1, kind)
    for m in BINARY.finditer(code, start, end):
        for new in OPERATORS[m.group(1)]:
            yield mutant(m.start(), m.group(1), new, "operator")
    for m in STEP.finditer(code, start, end):
        yield mutant(m.start(), m.group(), "--" if m.group() == "++" else "++", "operator")
    for m in NUMBER.finditer(code, start, end):
        value = int(m.group(1), 16 if m.group(1)[:2] in ("0x", "0X") else 10)
        yield mutant(m.start(), m.group(), f"{value + 1}{m.group(2)}", "constant")
        if value:
            yield mutant(m.start(), m.group(), f"{value - 1}{m.group(2)}", "constant")
    for m in TRUTH.finditer(code, start, end):
        yield mutant(m.start(), m.group(), "false" if m.group() == "true" else "true", "constant")
    for m in CONDITION.finditer(code, start, end):
        close = closing(code, m.end() - 1)
        inside = code[m.end():close]
        if inside.strip() not in ("0", "1", "true"):
            yield mutant(m.end(), inside, f"!({inside})", "condition")
    for m in NOT.finditer(code, start, end):
        yield mutant(m.start(), "!", "", "condition")


def closing(code, at):
    """Where the bracket at that place ends."""
    depth = 0
    for i in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[i], 0)
        if not depth:
            return i
    raise ValueError("a bracket is not closed")


def changed(text, mutant):
    """The source with the change; what a comment inside says stays where it was."""
    at = mutant.offset
    if mutant.kind == "condition" and mutant.new:
        end = at + len(mutant.old)
        return f"{text[:at]}!({text[at:end]}){text[end:]}"
    return text[:at] + mutant.new + text[at + len(mutant.old):]


def shown(text, mutant):
    """The line before and after the change."""
    before, after = text.split("\n")[mutant.line - 1], changed(text, mutant).split("\n")[mutant.line - 1]
    return before.strip(), after.strip()


def sources(root, prefixes):
    """The .c files below the prefixes: "src/codec/", "src/protocol/http"."""
    found = []
    for folder, _, names in os.walk(os.path.join(root, "src")):
        found += [os.path.relpath(os.path.join(folder, n), root) for n in names if n.endswith(".c")]
    return sorted(p for p in found if p.startswith(tuple(prefixes)))
