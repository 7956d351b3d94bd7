"""Tables that programs write into pages, between two lines that say so."""
import sys


def between(path, begin, body, end):
    """The page's text as it is, and as it is with body between the lines begin and end."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    head, found, rest = text.partition(begin)
    if not found:
        sys.exit(f"{path}: no place for the table of {begin.strip()}")
    return text, head + begin + body + end + rest.partition(end)[2]
