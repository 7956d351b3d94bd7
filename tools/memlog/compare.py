"""Two logs: which call sites are new, and which are called more often or with more bytes."""
import difflib


def by_file(sites):
    out = {}
    for s in sites:
        file, _, number = s["site"].rpartition(":")
        out.setdefault(file, []).append((int(number), s))
    return {file: [s for _, s in sorted(rows, key=lambda r: (r[0], r[1]["call"]))] for file, rows in out.items()}


def kind_of(s):
    """What a site keeps when its line moves: the call, and the size of one block where that is always the same."""
    whole = s["allocations"] and s["bytes"] % s["allocations"] == 0
    return s["call"], s["bytes"] // s["allocations"] if whole else None


def same_lines(now, before):
    """[(site, the same before or None)]"""
    old = {s["site"]: s for s in before}
    return [(s, old.get(s["site"])) for s in now]


def moved_lines(now, before):
    """As same_lines() for two builds of different sources: within a file, sites pair up in their order."""
    pairs, old_files = [], by_file(before)
    for file, sites in by_file(now).items():
        old = old_files.get(file, [])
        match = difflib.SequenceMatcher(None, [kind_of(s) for s in old], [kind_of(s) for s in sites], autojunk=False)
        for what, a, b, c, d in match.get_opcodes():
            paired = what == "equal" or b - a == d - c
            pairs += [(s, old[a + i] if paired else None) for i, s in enumerate(sites[c:d])]
    return pairs


def compare(now, before, moved=False):
    """The figures of two logs. {"totals": {name: [before, now]}, "new": [site], "more": [site with "before"]}"""
    pair = moved_lines if moved else same_lines
    new, more = [], []
    for s, old in pair(now["sites"], before["sites"]):
        if old is None:
            new.append(s)
        elif s["allocations"] > old["allocations"] or s["bytes"] > old["bytes"]:
            more.append(dict(s, before={k: old[k] for k in ("site", "allocations", "bytes", "at_peak")}))
    return {
        "log": before["log"],
        "totals": {k: [before[k], now[k]] for k in ("allocations", "bytes", "peak", "live")},
        "new": sorted(new, key=lambda s: (-s["allocations"], s["site"])),
        "more": sorted(more, key=lambda s: (s["before"]["allocations"] - s["allocations"],
                                            s["before"]["bytes"] - s["bytes"], s["site"])),
    }


def words(c, top=5):
    out = f"\nagainst {c['log']}: " + ", ".join(
        f"{name} {now:,} ({now - before:+,})" for name, (before, now) in c["totals"].items()) + "\n"
    for s in c["new"][:2 * top]:
        out += f"  new   {s['site']} {s['call']} x{s['allocations']:,}, {s['bytes']:,} bytes\n"
    for s in c["more"][:2 * top]:
        was = s["before"]
        out += f"  more  {s['site']} {s['call']} x{s['allocations']:,} (was {was['allocations']:,}), "
        out += f"{s['bytes']:,} bytes (was {was['bytes']:,})\n"
    hidden = len(c["new"][2 * top:]) + len(c["more"][2 * top:])
    out += f"  ... and {hidden:,} more\n" if hidden else ""
    return out + ("  no site is new or does more\n" if not c["new"] and not c["more"] else "")
