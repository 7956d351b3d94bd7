"""The ledger by area: of the tests that count, how many pass for each protocol, and for each part of HTTP.

A test is in the area of each protocol that it has a server of, and in that of each part that it needs (needs.PARTS).
"""
import collections
import re

import needs
import verdicts

NAMES = {**needs.NAMES, "file": "file:", "ws": "WebSocket"}


def protocol_of(server):
    """The protocol of a line of <server>, or None: it is a proxy's, or no protocol."""
    name = server.split()[0].lower()
    if re.match("https?-proxy|socks", name):
        return None
    name = re.sub(r"[-+].*", "", name)
    if name.endswith("s") and name[:-1] in needs.PROTOCOLS:
        name = name[:-1]
    return NAMES.get(name, name.upper()) if name in needs.PROTOCOLS or name in NAMES else None


def areas_of(case):
    """The names of a test's areas."""
    found = {protocol_of(server) for server in case.servers} - {None}
    found |= {part.name for part in needs.PARTS if needs.needs(part, case)}
    return found or {"no server"}


def table(lines, cases):
    """{area: {mode: Counter of states}} of a ledger."""
    counted = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    for (number, mode), line in lines.items():
        for area in areas_of(cases[number]):
            counted[area][mode][line.state] += 1
    return counted


def render(lines, cases):
    """The table as text: a line per area and mode."""
    text = ""
    for area, modes in sorted(table(lines, cases).items(), key=lambda row: row[0].lower()):
        for mode, counter in sorted(modes.items(), reverse=True):
            if counter["passes"] + counter["fails"]:
                text += (f"{area:16} {mode:8} {counter['passes']:4} passed, {counter['fails']:2} failed "
                         f"({verdicts.share_failing(counter):.1f} in 100), {counter['superseded']} superseded\n")
    return text
