"""The list of parts (cmake/parts.cmake), as the tools and tests see it."""
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROW = re.compile(r"mote_part\((\w+)((?:[^()\"]|\"[^\"]*\")*)\)")
WORD = re.compile(r"\"[^\"]*\"|\S+")
ELSEWHERE = {"h3"}  # parts whose libraries Debian 12 has not: tools/fresh.py --http3 builds with them


def parts(root=ROOT):
    """{name: {field: [word, ...]}}, in the list's order; the title is the only word of TITLE."""
    with open(os.path.join(root, "cmake", "parts.cmake"), encoding="utf-8") as f:
        text = re.sub(r"#.*", "", f.read())
    found = {}
    for name, body in ROW.findall(text):
        fields, field = {"TITLE": []}, "TITLE"
        for word in WORD.findall(body):
            if re.fullmatch(r"[A-Z]+", word):
                field = word
                fields[field] = []
            else:
                fields[field].append(word.strip('"'))
        found[name] = fields
    return found


def eithers(root=ROOT):
    """{name of mote_either(): [part, ...]}, those that must be absent, too."""
    with open(os.path.join(root, "cmake", "parts.cmake"), encoding="utf-8") as f:
        rows = re.findall(r"^mote_either\((\w+) ([\w! ]+)\)", f.read(), re.M)
    return {name: words.replace("!", "").split() for name, words in rows}


def profiles(root=ROOT):
    """{name: what it is for}, in the list's order"""
    with open(os.path.join(root, "cmake", "profiles.cmake"), encoding="utf-8") as f:
        return dict(re.findall(r'^mote_profile\((\w+) "([^"]*)"', f.read(), re.M))


def of_tls(source):
    """Whether a source is of our side of TLS, which sizes have apart from the library."""
    return source.startswith(("src/tls/", "src/small/bearssl"))


def pattern(word):
    """A FILES word as an expression for a source's path."""
    return re.compile("src/" + re.escape(word).replace(r"\*\*", ".*").replace(r"\*", "[^/]*") + r"\.c")


def generate(out, profile, with_parts=(), without=(), port="linux", root=ROOT):
    """Writes a build's files into `out`; returns (flags, sources, parts) of it."""
    subprocess.run(["cmake", f"-DPROFILE={profile}", f"-DWITH={';'.join(with_parts)}",
                    f"-DWITHOUT={';'.join(without)}", f"-DPORT={port}", f"-DOUT={out}", "-P",
                    "cmake/generate.cmake"], cwd=root, check=True, capture_output=True, text=True)
    words = open(os.path.join(out, "sources.txt"), encoding="utf-8").read().split()
    chosen = open(os.path.join(out, "parts.txt"), encoding="utf-8").read().split()
    return [w for w in words if w.startswith("-")], [w for w in words if not w.startswith("-")], chosen


def folders(flags):
    """Where the library's headers are, in the order of the include path, from a build's flags."""
    return tuple(f[2:] for f in flags if re.match(r"-Isrc(/|$)", f))


def libraries(chosen):
    """Linker words for what these parts need."""
    rows = parts()
    packages = [p for name in chosen for p in rows[name].get("PACKAGES", [])]
    words = ["-l" + lib for name in chosen for lib in rows[name].get("LIBRARIES", [])]
    if packages:
        words += subprocess.run(["pkg-config", "--libs", *packages], check=True, capture_output=True,
                                text=True).stdout.split()
    return words + ["-lpthread"]
