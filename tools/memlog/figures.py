"""The figures of a log: figures(log) is what --json prints, words(figures) what people read."""
import os

from . import reader

CLEAN, LEFT, WRONG, UNREADABLE = 0, 1, 2, 3  # exit statuses
WIDTH = 96
TRAFFIC = ("recv", "recvfrom", "recvmsg", "recvmmsg", "send", "sendto", "sendmsg", "read", "write")  # the first wins


def figures(log, path):
    """All figures of a log, as JSON can hold them."""
    sites = [site_row(log, s) for s in log.sites.values()]
    sites.sort(key=lambda s: (-s["at_peak"], -s["bytes"], s["site"]))
    out = {
        "log": path, "lines": log.lines, "unknown_lines": log.odd,
        "first_unknown": dict(zip(("line", "text"), log.odd_first)) if log.odd_first else None, "cut_off": log.cut,
        "allocations": log.allocations, "frees": log.frees, "bytes": sum(s["bytes"] for s in sites),
        "failed": sum(n for (kind, _), n in log.failed.items() if kind == "MEM"),
        "failed_calls": {" ".join(key): n for key, n in sorted(log.failed.items())},
        "failed_on_purpose": sum(n for (kind, _), n in log.kinds.items() if kind == "LIMIT"),
        "peak": log.peak, "peak_line": log.peak_line, "peak_share": log.peak_line / log.lines if log.lines else 0.0,
        "live": log.total, "live_blocks": len(log.blocks),
        "kinds": kinds(log), "parts": parts(log, sites), "sites": sites,
        "never_freed": [{"site": s["site"], "call": s["call"], "blocks": s["live_blocks"], "bytes": s["live"]}
                        for s in sorted(sites, key=lambda s: -s["live"]) if s["live_blocks"]],
        "not_closed": [{"kind": kind, "what": reader.text(what), "site": o.site, "call": o.call, "line": o.line}
                       for (kind, what), o in log.open.items()],
        "bad_frees": bad_frees(log, path), "bad_free_count": log.bad_count,
        "given_again": log.regiven, "closed_unopened": log.foreign,
        "traffic": {name: {"bytes": t.bytes, "calls": t.calls} for name, t in sorted(log.traffic.items())},
        "growth": growth(log),
    }
    out["status"] = status(out)
    return out


def status(f):
    if not f["kinds"]:
        return UNREADABLE
    if f["bad_free_count"]:
        return WRONG
    return LEFT if f["live_blocks"] or f["not_closed"] else CLEAN


def site_row(log, s):
    return {"site": s.name, "part": log.parts[s.part], "call": s.call, "allocations": s.allocations,
            "bytes": s.bytes, "at_peak": s.at_peak, "live": s.live, "live_blocks": s.live_blocks}


def kinds(log):
    """{"MEM": {"malloc": 3}}: calls, the failed ones included; most first."""
    out = {}
    for (kind, name), count in sorted(log.kinds.items(), key=lambda item: (item[0][0] != "MEM", item[0][0], -item[1])):
        out.setdefault(kind, {})[name] = count
    return out


def parts(log, sites):
    out = {}
    for s in sites:
        row = out.setdefault(s["part"], {"allocations": 0, "bytes": 0, "at_peak": 0, "live": 0})
        for key in row:
            row[key] += s[key]
    return dict(sorted(out.items(), key=lambda item: -item[1]["at_peak"]))


def bad_frees(log, path):
    seen = reader.first_seen(path, log.bad) if log.bad and os.path.isfile(path) else {}  # a pipe is read once
    rows = []
    for b in log.bad:
        allocated, freed = seen.get(b, ("", ""))
        rows.append({"line": b.line, "site": b.site, "call": b.call, "pointer": reader.text(b.pointer),
                     "double": bool(freed), "allocated": allocated, "freed": freed})
    return rows


def growth(log):
    """Of the first kind of traffic that moved two megabytes."""
    for name in TRAFFIC:
        per_mb = log.traffic[name].growth() if name in log.traffic else None
        if per_mb:
            return {"by": name, "megabytes": log.traffic[name].bytes / reader.MB,
                    "allocations_per_mb": per_mb[0], "live_per_mb": per_mb[1]}
    return None


# --- for people ---

def many(count, one, more=None):
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def share(part, whole):
    return "under 1%" if 200 * part < whole else f"{100 * part / whole:.0f}%"


def line(label, words):
    """A label and its words, broken at WIDTH."""
    out, row = [], f"{label:<13}"
    for i, word in enumerate(words.split(" ")):
        if len(row) + len(word) + 1 > WIDTH and i:
            out.append(row.rstrip())
            row = " " * 13
        row += word + " "
    return "\n".join(out + [row.rstrip()]) + "\n"


def calls_of(names):
    return ", ".join(f"{name} {count:,}" for name, count in names.items())


def composition(f):
    """"net 60%, api 30%, others 10%": what the peak is made of."""
    held = [(name, p["at_peak"]) for name, p in f["parts"].items() if p["at_peak"]]
    rest = sum(size for _, size in held[6:])
    return ", ".join(f"{name} {share(size, f['peak'])}" for name, size in held[:6] + [("others", rest)] * bool(rest))


def head(f):
    out = f"{f['log']}: {many(f['lines'], 'line')}\n"
    out += line("allocations", f"{f['allocations']:,} of {f['bytes']:,} bytes, {f['frees']:,} freed" +
                (f"; {f['failed']:,} failed" if f["failed"] else ""))
    out += line("peak", f"{f['peak']:,} bytes at line {f['peak_line']:,}, after {100 * f['peak_share']:.0f}% of the "
                "calls: " + composition(f))
    out += line("at the end", f"{f['live']:,} bytes in {many(f['live_blocks'], 'block')}, " +
                f"{many(len(f['not_closed']), 'descriptor or stream', 'descriptors or streams')} open")
    for kind, names in f["kinds"].items():
        out += line(kind, calls_of(names))
    if f["failed_calls"]:
        out += line("failed", ", ".join(f"{name.split()[1]} {n:,}" for name, n in f["failed_calls"].items()) +
                    (f" ({f['failed_on_purpose']:,} on purpose)" if f["failed_on_purpose"] else ""))
    return out + moved(f)


def moved(f):
    out = ""
    if f["traffic"]:
        out += line("moved", ", ".join(f"{name} {t['bytes']:,} bytes in {many(t['calls'], 'call')}"
                                       for name, t in f["traffic"].items()))
    if f["growth"]:
        g = f["growth"]
        out += line("growth", f"{g['allocations_per_mb']:.2f} allocations and {g['live_per_mb']:+,.0f} live bytes per "
                    f"MB after the first ({g['by']}, {g['megabytes']:.1f} MB)")
    return out


def oddities(f):
    out = ""
    if f["unknown_lines"]:
        out += line("unknown", f"{many(f['unknown_lines'], 'line')} left out, the first is "
                    f"{f['first_unknown']['line']:,}: {f['first_unknown']['text']}")
    if f["cut_off"]:
        out += line("cut off", "the last line has no end; it is left out")
    if f["given_again"]:
        out += line("given again", f"{many(f['given_again'], 'block')} that the log never saw freed")
    if f["closed_unopened"]:
        out += line("closed", f"{many(f['closed_unopened'], 'descriptor or stream', 'descriptors or streams')} that "
                    "the log never saw opened")
    return out


def table(title, sites, key, top):
    rows = sorted((s for s in sites if s[key]), key=lambda s: (-s[key], s["site"]))[:top]
    out = f"\n{title:<52}{'calls':>10}{'bytes':>14}{'at the peak':>14}\n"
    for s in rows:
        out += f"  {s['site'] + ' ' + s['call']:<50}{s['allocations']:>10,}{s['bytes']:>14,}{s['at_peak']:>14,}\n"
    return out if rows else ""


def limited(title, rows, top, form):
    """At most 2 x top of the rows, and how many more there are."""
    if not rows:
        return ""
    out = f"\n{title}\n" + "".join(f"  {form(r)}\n" for r in rows[:2 * top])
    return out + (f"  ... and {len(rows) - 2 * top:,} more\n" if len(rows) > 2 * top else "")


def bad_words(b):
    out = f"line {b['line']:,}: {b['call']}({b['pointer']}) at {b['site']}: "
    if b["double"]:
        return out + f"freed before at {b['freed']}" + (f", allocated at {b['allocated']}" if b["allocated"] else "")
    return out + "no block of this log"


def left_words(r):
    return f"{r['site']} {r['call']}: {many(r['blocks'], 'block')}, {r['bytes']:,} bytes"


def open_words(r):
    return f"{r['kind']} {r['what']}: {r['site']} {r['call']}, line {r['line']:,}"


def problems(f, top):
    """What was left and what was freed wrongly; "" when nothing was."""
    doubles = sum(b["double"] for b in f["bad_frees"])
    title = f"freed wrongly: {doubles:,} twice, {f['bad_free_count'] - doubles:,} not ours"
    return (limited("never freed", f["never_freed"], top, left_words) +
            limited("not closed", f["not_closed"], top, open_words) + limited(title, f["bad_frees"], top, bad_words))


def words(f, top=5):
    if f["status"] == UNREADABLE:
        return oddities(f) + f"{f['log']}: not one line of a memory log\n"
    out = head(f) + oddities(f)
    out += table("most calls", f["sites"], "allocations", top) + table("most bytes", f["sites"], "bytes", top)
    return out + table("most at the peak", f["sites"], "at_peak", top) + problems(f, top)
