#!/usr/bin/env python3
"""How large the pieces of the library are, and how many of them a reader meets (docs/design.md, sections 2 and 9).

Counted in the sources of a build, profile full: files, their lines, lengths of functions, and the lines of our
headers that stand for a part that is left out (a branch `#if !MOTE_HAS_X`, or the `#else` of `#if MOTE_HAS_X`, with
its first line). Read from the objects: circles of files and calls upwards, known ones too (tools/check_floors.py).
Of the rooms (tools/rooms.py): files of the largest, file-local functions whose name another file has, functions with
many parameters, functions that loop over receiving or sending, headers that a file reaches, conditions on part small.

Measured by running bench/way.c, one plain GET from http://localhost by curl_easy_perform(), on a build without
inlining in which each function reports its beginning and its end (-finstrument-functions; an inline function of a
header belongs to the header):
  the way of a URL          .c files with a function that runs between the call curl_easy_setopt(CURLOPT_URL) and the
                            return of the send() that sends the request's last byte. Lookup threads do not count.
  the way of a body byte    .c files with a function that has begun when recv() returns with bytes of the body, or
                            that runs between this return and the write callback; head and body are read apart. A
                            body with Content-Length and a chunked one go different ways.

usage: shape.py [--build DIR] [--quick] [--list]
       --build   a build of profile full with its objects, default build/release
       --quick   without what is measured by running
       --list    also the files of each way with their functions, circles, calls upwards, and short files
"""
import argparse
import collections
import os
import re
import socket
import subprocess
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_floors  # noqa: E402
import check_form  # noqa: E402
import rooms  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INSTRUMENTED = os.path.join("build", "shape")
SHORT = 40          # lines; a file with fewer needs a reason
MANY = 5            # parameters; a function with more is counted
BODY = b"x" * 200000
HEAD = b"HTTP/1.1 200 OK\r\nConnection: close\r\n"
ANSWERS = {
    "length": HEAD + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY,
    "chunked": HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(BODY) + BODY + b"\r\n0\r\n\r\n",
}
DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b(.*)")


def stub_lines(text):
    """Lines of a header that stand for a part that is left out, with the directive before them."""
    count, stack = 0, []
    for line in text.split("\n"):
        m = DIRECTIVE.match(line)
        if not m:
            count += "stub" in stack
            continue
        word, condition = m.groups()
        if word.startswith("if"):
            of_part = word == "if" and "MOTE_HAS_" in condition
            left_out = condition.lstrip().startswith("!")
            stack.append(("stub" if left_out else "part") if of_part else None)
            count += "stub" in stack
        elif stack and word == "endif":
            stack.pop()
        elif stack:
            stack[-1] = {"stub": "part", "part": "stub"}.get(stack[-1])
            count += "stub" in stack
    return count


def percentile(values, percent):
    values = sorted(values)
    return values[min(len(values) - 1, len(values) * percent // 100)]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def sources_of(build):
    with open(os.path.join(build, "parts", "sources.txt"), encoding="utf-8") as f:
        return sorted(x for x in f.read().split() if re.fullmatch(r"src/.*\.c", x))


def of_rooms(tree, texts):
    """(rows, {heading: lines})"""
    codes = {p: check_form.strip(t)[0] for p, t in texts.items()}
    shared, local = rooms.shared_names(codes)
    many = rooms.long_lists(codes, MANY)
    loops = rooms.loops(codes, check_form.functions)
    reached = rooms.headers_reached(tree, texts)
    small = rooms.asks_for_small(ROOT, tree.files)
    round_folders = [c for c in rooms.circles_of_folders(tree) if c != ["base", "port"]]  # each serves the other
    sizes = collections.Counter(check_floors.room_of(f) for f in tree.files if "/port/" not in f)
    (room, most), worst = sizes.most_common(1)[0], max(reached, key=lambda r: percentile(reached[r], 50))
    sharing = sum(map(len, shared.values()))
    return [
        ("files of the largest room", f"{most} ({room})", "15"),
        ("local names that several files have", f"{sharing} of {local}, {100 * sharing / local:.1f} %", "8 %"),
        (f"functions with more than {MANY} parameters", f"{len(many)}", "20"),
        ("functions that loop over receiving, sending", ", ".join(str(len(v)) for v in loops.values()), "1, 1"),
        ("headers that a file reaches, median: most, of", f"{percentile(reached[worst], 50)} ({worst})", "20"),
        ("conditions on part small outside of it", f"{sum(small.values())} in {len(small)}", "0"),
        ("circles of folders", f"{len(round_folders)}", "0"),
    ], {
        "files of a room": [f"{n:3} {r}" for r, n in sizes.most_common(12)],
        "local names that several files have": [f"{n}: {' '.join(f)}" for n, f in shared.items()],
        f"functions with more than {MANY} parameters": many,
        **{f"functions that loop over {kind}": lines for kind, lines in loops.items()},
        "headers that a file reaches, median": [f"{percentile(n, 50):3} {r}" for r, n in reached.items()],
        "conditions on part small": [f"{n:3} {f}" for f, n in sorted(small.items())],
        "circles of folders": [" ".join(c) for c in round_folders],
    }


# --- what is measured by running ---

def run(*cmd):
    p = subprocess.run(cmd, cwd=ROOT, capture_output=True, text=True)
    if p.returncode:
        sys.exit(f"shape.py: {' '.join(cmd[:4])} ...: status {p.returncode}\n{(p.stdout + p.stderr)[-3000:]}")
    return p.stdout


def build_way():
    run("cmake", "-S", ".", "-B", INSTRUMENTED, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Way", "-DMOTE_PROFILE=full",
        "-DCMAKE_C_FLAGS=-O0 -g1 -w -finstrument-functions")
    run("cmake", "--build", INSTRUMENTED, "--target", "mote_shared")
    run("cc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Iinclude", "-o", f"{INSTRUMENTED}/way", "bench/way.c",
        f"-L{INSTRUMENTED}", "-lmote", f"-Wl,-rpath,{os.path.join(ROOT, INSTRUMENTED)}", "-rdynamic")


def serve(listener, answer):
    peer, _ = listener.accept()
    with peer:
        head = b""
        while b"\r\n\r\n" not in head:
            head += peer.recv(4096) or b"\r\n\r\n"
        peer.sendall(answer)


def files_of(addresses):
    """{file: its functions}"""
    lines = run("addr2line", "-f", "-e", f"{INSTRUMENTED}/libmote.so", *addresses).split("\n")
    out = {}
    for function, place in zip(lines[::2], lines[1::2]):
        out.setdefault(os.path.relpath(place.rpartition(":")[0], ROOT), []).append(function)
    return out


def follow(answer):
    """({file: functions} of the URL's way, the same of a body byte's)"""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)
        threading.Thread(target=serve, args=(listener, answer), daemon=True).start()
        text = run(f"{INSTRUMENTED}/way", f"http://localhost:{listener.getsockname()[1]}/file?name=value")
    lines = [x.split() for x in text.split("\n") if x]
    return tuple(files_of([a for w, a in lines if w == name]) for name in ("url", "body"))


# --- the table ---

def table(rows):
    width = [max(len(r[i]) for r in rows) for i in range(3)]
    for name, now, aim in rows:
        print(f"{name:<{width[0]}}  {now:>{width[1]}}  {aim:>{width[2]}}".rstrip())


def counted(build):
    """(rows, {heading: lines})"""
    paths = sources_of(build)
    texts = {p: read(p) for p in paths}
    lines = {p: t.count("\n") for p, t in texts.items()}
    lengths = [last - first + 1 for t in texts.values()
               for _, first, last, _ in check_form.functions(check_form.strip(t)[0])]
    headers = [p for p in check_floors.sources(ROOT) if p.endswith(".h")] + ["include/mote/mote.h"]
    stubs, all_lines = (sum(f(read(h)) for h in headers) for f in (stub_lines, lambda t: t.count("\n")))
    tree = check_floors.Tree(ROOT, build)
    round_files, up = check_floors.circles(tree.graph()), sorted(tree.upwards())
    short = sorted((n, p) for p, n in lines.items() if n < SHORT)
    rows = [
        (".c files of the library, and their lines", f"{len(paths)}, {sum(lines.values())}", "-, 56000"),
        ("lines of a file, median, p90, longest",
         f"{percentile(lines.values(), 50)}, {percentile(lines.values(), 90)}, {max(lines.values())}", "100, -, 700"),
        (f"files under {SHORT} lines", f"{len(short)}", ""),
        ("lines of a function, p50, p90, p99, longest",
         ", ".join(str(percentile(lengths, x)) for x in (50, 90, 99)) + f", {max(lengths)}", "-, -, 32, 60"),
        ("lines of headers for parts left out", f"{stubs} of {all_lines}, {100 * stubs / all_lines:.1f} %", "5 %"),
        ("circles of files, and files in them", f"{len(round_files)}, {sum(map(len, round_files))}", "0, 0"),
        ("calls upwards, caller and callee", f"{len(up)}", "0"),
    ]
    more, lists = of_rooms(tree, texts)
    return rows + more, {
        **lists,
        "circles": [" ".join(c) for c in round_files],
        "calls upwards": [f"{a} -> {tree.name(a, b)}" for a, b in up],
        f"files under {SHORT} lines": [f"{n:4} {p}" for n, p in short],
    }


def only_c(files):
    return {p: names for p, names in files.items() if p.endswith(".c")}


def measured():
    build_way()
    url, by_length = follow(ANSWERS["length"])
    _, chunked = follow(ANSWERS["chunked"])
    ways = {"the way of a URL": url, "the way of a body byte, Content-Length": by_length,
            "the way of a body byte, chunked": chunked}
    aims = ["45", "14", "14"]
    return ([(name, str(len(only_c(files))), aim) for (name, files), aim in zip(ways.items(), aims)],
            {name: [f"{p:<36} {', '.join(sorted(f))}" for p, f in sorted(files.items())]
             for name, files in ways.items()})


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    ap.add_argument("--quick", action="store_true", help="without what is measured by running")
    ap.add_argument("--list", action="store_true", help="also which files these are")
    a = ap.parse_args()
    if not os.path.exists(os.path.join(a.build, "parts", "sources.txt")):
        sys.exit(f"shape.py: {a.build} is no build: run make")
    rows, lists = counted(a.build)
    if not a.quick:
        more, ways = measured()
        rows += more
        lists.update(ways)
    table([("", "now", "aim"), *rows])
    if a.list:
        for heading, lines in lists.items():
            print(f"\n{heading}")
            print("\n".join("  " + x for x in lines))


if __name__ == "__main__":
    main()
