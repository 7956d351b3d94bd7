#!/usr/bin/env python3
"""Who includes and who calls whom (docs/design.md, section 2).

Includes: a file under src/ may include its own folder, the public headers and lower floors; a sibling folder only
          where SIBLINGS says so. A room (src/FOLDER/ROOM/) of codec, protocol and tls does without the others of its
          folder, but for what ROOMS says. The command uses nothing but the public headers. A .c file includes at most
          INCLUDES of our headers, and reaches at most REACHES of them, by itself or through one another (the public
          interface does not count, nor does the generated parts.h). What it reaches is what a reader has to know; an
          include of its own for each thing that it uses is better than one header that brings them all.
Symbols:  the same holds for what a file calls, read from the objects of a build. A call through a public header is a
          call too; what is reached through a row of a table is none.
Circles:  files that call each other in a circle, or headers that include each other in one.
Overlays: a header below OVERLAY stands in for the one with the same path below src/, in a build whose include path has
          it in front: there is one, both have the same guard, and the overlay includes what that one's folder may.

Breaches that are known stand in tools/floors_open.tsv with their reason: `up` (a call upwards), `circle` (a call that
closes a circle), `includes` and `reaches`. Every other breach is an error, and so is a line that nothing breaks any more: the
list only gets shorter. A call of the kind `circle` is left out of the graph, which must then be free of circles.

usage: check_floors.py [--root DIR] [--build DIR] [--report]
       --build    objects to read, default build/release; where there are none, an error only with --build
       --report   print the known breaches too, and each circle with all of its files
"""
import argparse
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import objects  # noqa: E402

FLOOR = {
    "base": 0, "port": 0, "log": 0,
    "codec": 1, "net": 1, "tls": 1, "auth": 1,
    "stream": 1, "transfer": 2, "connect": 3, "engine": 4,
    "http": 5, "protocol": 5, "api": 5,
    "small": 5,                     # for tiny, and a few for mcu: no other folder includes it
    "tool": 6,
}
# folder: siblings on the same floor that it may include and call
SIBLINGS = {
    "base": {"port"},               # the lock of the process account
    "port": {"base"},               # a port hands back our error codes and uses our text
    "log": {"base", "port"},        # the log build: notes who calls them
    "auth": {"codec"},              # users and passwords as URLs have them
    "tls": {"net"},                 # a TLS layer is a net/stream
    "stream": {"net", "codec", "auth"},     # layers of proxies: a net/stream whose bytes are a codec's
    "protocol": {"http"},           # hook rows
    "api": {"http", "protocol"},    # what the options and infos name
    "small": {"http", "protocol", "api"},   # keeps their contracts
}
# room: others of its folder that it may include and call
ROOMS = {
    "codec/http": {"codec/coding"},         # codings of a body
    "protocol/http2": {"protocol/http1", "protocol/mux"},   # HTTP/1.1 may become HTTP/2
    "protocol/http3": {"protocol/mux"},
    "protocol/mux": {"protocol/http1"},     # trailers of an upload
    "protocol/sftp": {"protocol/ssh"},
    "protocol/ws": {"protocol/http1"},      # the handshake is a request of HTTP/1.1
    "tls/bearssl": {"tls/x509", "tls/common"}, "tls/mbedtls": {"tls/x509", "tls/common"},
    "tls/openssl": {"tls/x509"}, "tls/wolfssl": {"tls/x509", "tls/common"},
    "tls/common": {"tls/x509"},             # what the libraries without files and stores of their own share
}
ROOMED = {"codec", "protocol", "tls"}
INCLUDES = 12
REACHES = 50
OPEN = "tools/floors_open.tsv"
KINDS = ("up", "circle", "includes", "reaches")
GENERATED = {"parts.h"}             # by cmake/generate.cmake
OVERLAY = "src/small/overlay/"      # HEADERS of a part (cmake/parts.cmake)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.M)


def sources(root):
    for base, dirs, names in os.walk(os.path.join(root, "src")):
        dirs.sort()
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                yield os.path.relpath(os.path.join(base, name), root)


def place_of(path):
    """The path of the header for which an overlay stands in; of another file its own."""
    return "src/" + path.removeprefix(OVERLAY) if path.startswith(OVERLAY) else path


def folder_of(path):
    return path.split("/")[1]


def room_of(path):
    """codec/url of src/codec/url/url.c; codec of src/codec/dns.c."""
    return "/".join(path.split("/")[1:-1])


def is_other_room(path, other):
    """True for two rooms of a folder, the first of which does not need the second."""
    mine, its = room_of(path), room_of(other)
    return folder_of(path) in ROOMED and "/" in mine and "/" in its and mine != its and its not in ROOMS.get(mine, set())


def includes(root, path, overlaid=False):
    """(our files, names that are no file of ours) that a file includes itself; overlaid: in a build with overlays."""
    ours, unknown = set(), []
    with open(os.path.join(root, path), encoding="utf-8") as f:
        text = f.read()
    for quote, name in INCLUDE.findall(text):
        if quote == "<" or name in GENERATED or name.endswith(".inc"):  # .inc: rows of a table, no header
            continue
        first = [os.path.join(OVERLAY, name)] if overlaid else []
        for guess in (*first, os.path.join("src", name), os.path.join(os.path.dirname(path), name)):
            if os.path.exists(os.path.join(root, guess)):
                ours.add(os.path.normpath(guess))
                break
        else:
            unknown.append(name)
    return ours, unknown


def why_not_include(path, other):
    """What is wrong with an include of ours, or None."""
    place = place_of(path)
    mine, its = folder_of(place), folder_of(other)
    if its == mine:
        return f"{path}: a room of its own, without {other}" if is_other_room(place, other) else None
    if mine == "tool":
        return f"{path}: the command uses only the public interface, not {other}"
    if its == "small":
        return f"{path}: no folder includes small/ ({other})"
    if FLOOR.get(its, 9) > FLOOR[mine]:
        return f"{path} (floor {FLOOR[mine]}) includes {other} (floor {FLOOR.get(its)})"
    if FLOOR[its] == FLOOR[mine] and its not in SIBLINGS.get(mine, set()):
        return f"{path}: {mine}/ may not include its sibling {other}"
    return None


def is_upwards(path, other):
    """True for a call that the floors do not allow."""
    mine, its = folder_of(path), folder_of(other)
    if its == mine:
        return is_other_room(path, other)
    if its == "small":              # stands in for a file of the caller's floor or a lower one
        return False
    if mine == "tool":
        return its != "api"
    return FLOOR[its] > FLOOR[mine] or FLOOR[its] == FLOOR[mine] and its not in SIBLINGS.get(mine, set())


def circles(graph):
    """Strongly connected components of more than one file, each sorted; Tarjan's algorithm without recursion."""
    number, low, stack, on, out = {}, {}, [], set(), []
    for start in sorted(graph):
        if start in number:
            continue
        todo = [(start, iter(sorted(graph.get(start, ()))))]
        number[start] = low[start] = len(number)
        stack.append(start)
        on.add(start)
        while todo:
            node, rest = todo[-1]
            for other in rest:
                if other not in number:
                    number[other] = low[other] = len(number)
                    stack.append(other)
                    on.add(other)
                    todo.append((other, iter(sorted(graph.get(other, ())))))
                    break
                if other in on:
                    low[node] = min(low[node], number[other])
            else:
                todo.pop()
                if todo:
                    low[todo[-1][0]] = min(low[todo[-1][0]], low[node])
                if low[node] == number[node]:
                    cut = stack.index(node)
                    part, stack[cut:] = stack[cut:], []
                    on.difference_update(part)
                    if len(part) > 1:
                        out.append(sorted(part))
    return sorted(out)


def way(graph, start, goal):
    """A shortest list of files from start to goal, both included, or None."""
    came, todo = {start: None}, [start]
    for node in todo:
        for other in sorted(graph.get(node, ())):
            if other not in came:
                came[other] = node
                todo.append(other)
    if goal not in came:
        return None
    out = [goal]
    while out[-1] != start:
        out.append(came[out[-1]])
    return out[::-1]


def shortest_circle(graph, part):
    inside = {a: {b for b in graph.get(a, ()) if b in part} for a in part}
    ways = (way(inside, b, a) for a in part for b in sorted(inside[a]))
    return min((w for w in ways if w), key=len)


def check_overlays(root, files):
    """What is wrong with headers that stand in for others, circles of theirs among it."""
    errors = []
    for path in files:
        place = place_of(path)
        if place == path:
            continue
        if place not in files or not path.endswith(".h"):
            errors.append(f"{path}: there is no header {place} for which it could stand in")
        elif guard_of(root, path) != guard_of(root, place):
            errors.append(f"{path}: its guard is not that of {place}")
    if any(f.startswith(OVERLAY) for f in files):
        graph = {f: includes(root, f, overlaid=True)[0] for f in files if f.endswith(".h")}
        errors += [f"a circle of headers, with overlays: {' '.join(c)}" for c in circles(graph)]
    return errors


def guard_of(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as f:
        m = re.search(r"^#ifndef (\w+)\n#define \1$", f.read(), re.M)
    return m and m.group(1)


def known_breaches(root):
    """({(path, kind, what)}, errors)"""
    known, errors = set(), []
    try:
        with open(os.path.join(root, OPEN), encoding="utf-8") as f:
            lines = f.read().split("\n")
    except OSError:
        return known, errors
    for n, line in enumerate(lines, 1):
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 4 or cells[1] not in KINDS or not cells[3]:
            errors.append(f"{OPEN}:{n}: a line is path, kind ({', '.join(KINDS)}), what, reason, between tabs")
        elif tuple(cells[:3]) in known:
            errors.append(f"{OPEN}:{n}: a second line for {cells[0]} {cells[1]} {cells[2]}")
        else:
            known.add(tuple(cells[:3]))
    return known, errors


class Tree:
    """What the sources and the objects say."""

    def __init__(self, root, build=None):
        self.errors = []
        self.files = []
        self.includes = {}
        for path in sources(root):
            if folder_of(path) not in FLOOR:
                self.errors.append(f"{path}: no floor has a folder '{folder_of(path)}'")
            self.files.append(path)
            self.includes[path], unknown = includes(root, path)
            self.errors += [f"{path}: \"{n}\" is no header of ours" for n in unknown]
        self.objects = [(s, o) for s, o in objects.find(build, root) if s in self.includes] if build else []
        self.calls = objects.calls(self.objects)

    def upwards(self):
        """{(caller, callee): symbols}"""
        return {(a, b): names for a, their in self.calls.items() for b, names in their.items()
                if folder_of(a) in FLOOR and folder_of(b) in FLOOR and is_upwards(a, b)}

    def graph(self):
        """{file: files that it includes or calls}; without the calls upwards, which are refused for themselves."""
        up = self.upwards()
        return {f: self.includes[f] | {b for b in self.calls.get(f, ()) if (f, b) not in up} for f in self.files}

    def reached(self, path):
        """Our headers that a file includes, and those that they include."""
        seen, todo = set(), [path]
        while todo:
            for other in self.includes.get(todo.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return seen

    def too_many_headers(self):
        """[(file, kind, number, ceiling)]"""
        found = []
        for path in (f for f in self.files if f.endswith(".c")):
            found += [(path, kind, len(headers), most) for kind, headers, most in
                      (("includes", self.includes[path], INCLUDES), ("reaches", self.reached(path), REACHES))
                      if len(headers) > most]
        return found

    def name(self, a, b):
        """How a call or an include between two files is shown."""
        names = sorted(self.calls.get(a, {}).get(b, ()))
        return f"{b} ({names[0]}{', ...' if len(names) > 1 else ''})" if names else b


def judge_circles(tree, known):
    """(circles that are left without the known calls, known calls that close none)"""
    cut = {(a, b) for a, kind, b in known if kind == "circle"}
    graph = tree.graph()
    rest = {a: {b for b in their if (a, b) not in cut} for a, their in graph.items()}
    idle = {(a, "circle", b) for a, b in cut if b not in graph.get(a, ()) or not way(rest, b, a)}
    errors = []
    for part in circles(rest):
        files = shortest_circle(rest, part)
        shown = files[0] + "".join(" -> " + tree.name(a, b) for a, b in zip(files, files[1:] + files[:1]))
        errors.append(f"a circle of files: {shown}" + (f"; {len(part)} files go round" if len(part) > len(files) else ""))
    return errors, idle


def check(root, build):
    tree = Tree(root, build)
    known, errors = known_breaches(root)
    errors = tree.errors + errors + check_overlays(root, tree.files)
    broken = set()
    for path in tree.files:
        if folder_of(path) in FLOOR:
            errors += filter(None, (why_not_include(path, o) for o in sorted(tree.includes[path])))
    for path, kind, n, most in tree.too_many_headers():
        broken.add((path, kind, str(n)))
        if (path, kind, str(n)) not in known:
            errors.append(f"{path}: {kind} {n} of our headers (at most {most})")
    for (a, b), names in sorted(tree.upwards().items()):
        broken.add((a, "up", b))
        if (a, "up", b) not in known:
            errors.append(f"{a}: calls {b} ({', '.join(sorted(names))}), which is not below it")
    found, idle = judge_circles(tree, known)
    errors += found
    for line in sorted(known):
        if line in idle if line[1] == "circle" else line not in broken:
            if tree.objects or line[1] in ("includes", "reaches"):
                errors.append(f"{OPEN}: {' '.join(line)}: no longer so, take the line out")
    return tree, known, errors


def report(tree, known):
    for line in sorted(known):
        print("known:", " ".join(line))
    for part in circles(tree.graph()):
        print(f"circle of {len(part)}: {' '.join(part)}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", default=os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    ap.add_argument("--build")
    ap.add_argument("--report", action="store_true", help="print also what is known, and each circle whole")
    a = ap.parse_args()
    tree, known, errors = check(a.root, a.build or os.path.join(a.root, "build/release"))
    if a.report:
        report(tree, known)
    if a.build and not tree.objects:
        errors.append(f"{a.build}: no object files")
    for e in errors:
        print(e)
    if not tree.files:
        print("no source files")
    print(f"{len(tree.files)} files, {len(tree.objects)} objects, {len(known)} known breaches, {len(errors)} violations"
          + ("" if tree.objects else "; no objects, so calls and their circles are not looked at"))
    sys.exit(1 if errors or not tree.files else 0)


if __name__ == "__main__":
    main()
