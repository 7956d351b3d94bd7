"""Makes a case that differs as small as it can be while the same thing still differs."""
import itertools
import re

from compare import keys
from conditions import coded_boundary, damaged, empty_part, ended, malformed, members, surplus, unsure

TRIALS = 1500    # cases run for one reduction, at most
AT_ONCE = 12
PLAIN = [b"http://127.0.0.1/", b"http://127.0.0.1/a"]
URL = re.compile(rb"(?i)https?://(127\.0\.0\.\d|\[::1\]|h\d\.test)([:/?#]|$)") # it stays one that leads to a server


def without_lines(case):
    """Cases with some lines dropped: large pieces first."""
    n = len(case)
    size = n // 2
    while size >= 1:
        for at in range(0, n, size):
            yield case[:at] + case[at + size:]
        size //= 2


def shorter(field):
    """Shorter bytes, plainer numbers."""
    if b"\r\n" in field:
        parts = field.split(b"\r\n")
        for i in range(len(parts)):
            if parts[i]:
                yield b"\r\n".join(parts[:i] + parts[i + 1:])
        if len(parts[-1]) > 1:
            yield field[:len(field) - len(parts[-1]) + len(parts[-1]) // 2]
            yield field[:len(field) - len(parts[-1])]
        return
    if field.lstrip(b"-").isdigit():
        for plain in (b"0", b"1"):
            if len(field) > len(plain) or field > plain:
                yield plain
        return
    n = len(field)
    size = n // 2
    while size >= 1 and n > 1:
        for at in range(0, n, size):
            yield field[:at] + field[at + size:]
        if size < 4 and n > 60:
            return
        size //= 2


def with_shorter_fields(case):
    for i, line in enumerate(case):
        if line[0] in (b"printf", b"formadd", b"formarray"):
            continue                      # each argument is of the type that the format or the option names
        fixed = {b"set": 4, b"cb": 3, b"act": 3, b"way": 2, b"perform": 2, b"answer": 6, b"mime": 3, b"body": 3}.get(line[0], 2)
        for k in range(len(line) - 1, fixed - 1, -1):
            yield case[:i] + [line[:k] + line[k + 1:]] + case[i + 1:]
        if line[0] == b"way":
            if line[1:] != [b"easy"]:
                yield case[:i] + [[b"way", b"easy"]] + case[i + 1:]
            continue
        if line[0] == b"set" and line[2] == b"URL" and len(line) > 4:
            for plain in PLAIN:
                if len(plain) < len(line[4]):
                    yield case[:i] + [line[:4] + [plain]] + case[i + 1:]
        for k in range(1, len(line)):
            if line[0] == b"set" and line[2] == b"RESOLVE":
                break                     # names that are not known, and lines that are none, are other cases
            if line[0] in (b"set", b"act", b"cb") and k < 4 or \
                    line[0] == b"answer" and k in (1, 2, 4) or line[0] == b"mime" and k < 3:
                continue
            for field in shorter(line[k]):
                if URL.match(line[k]) and not URL.match(field):
                    continue
                yield case[:i] + [line[:k] + [field] + line[k + 1:]] + case[i + 1:]


def in_batches(cases):
    """The cases of a generator, a few at a time: asking both libraries for many at once takes less time."""
    while True:
        batch = list(itertools.islice(cases, AT_ONCE))
        if not batch:
            return
        yield batch


def smaller(pair, cases, key, most, spent):
    """(the first case in which key and no more than most differs, what differs in it); None: there is none."""
    for batch in in_batches(cases):
        if spent[0] >= TRIALS:
            return None
        spent[0] += len(batch)
        for case, logs in zip(batch, pair.run(batch)):
            found = keys(*logs)
            if key in found and len(found) <= most:
                return case, found
    return None


def wrong(case):
    """What is wrong with a case's answers and forms: one that is reduced must not get more of it, as it would differ for
    that."""
    return {f.__name__ for f in (damaged, ended, malformed, members, surplus, unsure, empty_part, coded_boundary) if f(case)}


def reduced(pair, case, key):
    """(the smallest case found in which key still differs, all that differs in it)"""
    spent, had = [0], wrong(case)
    differs = keys(*pair.run([case])[0])
    for shapes in (without_lines, with_shorter_fields, without_lines):
        while True:
            found = smaller(pair, (c for c in shapes(case) if wrong(c) <= had), key, len(differs), spent)
            if not found:
                break
            case, differs = found
    return case, differs
