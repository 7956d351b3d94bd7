"""Every part can be left out, and every profile works.

A build is compiled by plain cc from what cmake/generate.cmake writes. An object is kept by its preprocessed text
(build/parts/objects): builds share what is the same for the compiler, so that their objects are bit-identical. Of
each part: the build without it links (no symbol is missing), has nothing of the part's files, and fetches.
build/parts/differ.json says which objects differ from full's.

make check takes one part of each kind; MOTE_PARTS=all takes all, and random sets.
"""
import concurrent.futures
import hashlib
import json
import os
import random
import re
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "tools")]
import partlist  # noqa: E402
from peer import Peer  # noqa: E402

OUT = os.path.join(ROOT, "build", "parts")
ALL = os.environ.get("MOTE_PARTS") == "all"
# a file alone, a file in its place, options, scheme, decoder, a smaller implementation of much, a stub
CHOSEN = ("later_api", "texts", "ranges", "file", "zstd", "http_all", "pause")
RANDOM_SETS = 6
REDIRECTS = {"tiny": 5}  # most that a profile follows, where not libcurl's 30
CFLAGS = ["-Os", "-fPIC", "-Wall", "-Wextra", "-Werror", "-ffunction-sections", "-fdata-sections"]
PARTS = partlist.parts()
OF_OPTIONS = set(re.findall(r"^mote_options\((\w+)", open(os.path.join(ROOT, "cmake", "options.cmake"),
                                                         encoding="utf-8").read(), re.M))
PROFILES = re.findall(r"^mote_profile\((\w+)", open(os.path.join(ROOT, "cmake", "profiles.cmake"),
                                                    encoding="utf-8").read(), re.M)


def run(command, **more):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, **more)
    assert not done.returncode, " ".join(command)[-300:] + "\n" + done.stderr.decode(errors="replace")[-4000:]
    return done.stdout


class Build:
    """The objects of one choice of parts."""

    def __init__(self, profile, with_parts=(), without=()):
        label = "-".join([profile, *("with_" + p for p in with_parts), *("no_" + p for p in without)])
        self.out = os.path.join(OUT, hashlib.sha256(label.encode()).hexdigest()[:12])
        os.makedirs(os.path.join(OUT, "objects"), exist_ok=True)
        self.flags, self.sources, self.parts = partlist.generate(self.out, profile, with_parts, without)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            self.objects = dict(zip(self.sources, pool.map(self.compile, self.sources)))

    def compile(self, source):
        text = run(["cc", *CFLAGS, *self.flags, "-E", "-P", source])
        made = os.path.join(OUT, "objects", hashlib.sha256(repr(CFLAGS).encode() + text).hexdigest() + ".o")
        if not os.path.exists(made):
            part = f"{made}.{os.getpid()}.{abs(hash(source))}"
            run(["cc", *CFLAGS, *self.flags, "-c", "-o", part, source])
            os.rename(part, made)
        return made

    def library(self):
        """A shared library of all objects: nothing may be missing."""
        path = os.path.join(self.out, "libmote.so")
        run(["cc", "-shared", "-Wl,-z,defs", "-o", path, *sorted(set(self.objects.values())),
             *partlist.libraries(self.parts)])
        return path

    def program(self):
        path = os.path.join(self.out, "fetch")
        library = self.library()
        run(["cc", "-Iinclude", "-o", path, os.path.join(HERE, "fetch.c"), library])
        return path


def symbols(objects):
    """Names that these objects define for others."""
    lines = run(["nm", "-g", "--defined-only", *objects]).decode().splitlines()
    return {line.split()[-1] for line in lines if re.match(r"^[0-9a-f]+ \w ", line)}


def of_part(name, sources):
    patterns = [partlist.pattern(w) for w in PARTS[name].get("FILES", [])]
    return [s for s in sources if any(p.fullmatch(s) for p in patterns)]


@pytest.fixture(scope="module")
def full():
    return Build("full")


@pytest.fixture
def peer():
    p = Peer()
    yield p
    p.close()


def fetch(program, peer, *paths, timeout=20000):
    """[result, status, bytes, sum, URL] of each."""
    out = run([program, str(timeout), *(p if "://" in p else peer.url + p for p in paths)], timeout=60)
    return [line.split() for line in out.decode().splitlines()]


INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def reached(source):
    """Texts of a source and of all headers of ours that it includes."""
    seen, todo = {}, [source]
    while todo:
        path = todo.pop()
        with open(os.path.join(ROOT, path), encoding="utf-8") as f:
            seen[path] = f.read()
        near = [os.path.join(d, n) for n in INCLUDE.findall(seen[path]) for d in ("src", os.path.dirname(path))]
        todo += [p for p in near if p not in seen and os.path.exists(os.path.join(ROOT, p))]
    return seen


def may_differ(source, gone):
    """It is generated, or asks for one of the parts that are gone: by name, or for an option (a row of options)."""
    if source.endswith("/tables.c"):
        return True
    texts = reached(source)
    names = "|".join(p.upper() for p in gone)
    asked = re.compile(rf"\bMOTE_HAS_({names})\b")
    options = "src/transfer/option_rows.inc" in texts and OF_OPTIONS & set(gone)
    return bool(options) or any(map(asked.search, texts.values()))


def note(name, value):
    path = os.path.join(OUT, "differ.json")
    known = json.load(open(path, encoding="utf-8")) if os.path.exists(path) else {}
    known[name] = value
    with open(path, "w", encoding="utf-8") as f:
        json.dump(known, f, indent=1, sort_keys=True)
        f.write("\n")


def speaks_http(build):
    return "http" in build.parts


def check_fetches(build, peer):
    """What every build with HTTP can do."""
    found = fetch(build.program(), peer, "/", "/chunked", "/away", "/404")
    assert [f[:3] for f in found[:2]] == [["0", "200", "5"], ["0", "200", "3004"]]
    if "redirects" in build.parts:
        assert found[2][:3] == ["0", "200", "3004"]
        assert found[2][4].startswith(peer.url + "/chunked?x=1")
    else:
        assert found[2][:3] == ["0", "302", "3"]
    assert found[3][:3] == ["0", "404", "4"]
    assert (peer.count == 1) == ("reuse" in build.parts)


@pytest.mark.parametrize("name", [p for p in PARTS if ALL or p in CHOSEN])
def test_without_a_part(name, full, peer):
    """The build is whole, nothing of the part is in it, what both have is the same."""
    build = Build("full", without=[name])
    assert name not in build.parts
    gone = set(full.parts) - set(build.parts)
    files = {s for p in gone for s in of_part(p, full.sources)}
    assert not files & set(build.sources)
    library = build.library()
    absent = symbols([full.objects[s] for s in files]) if files else set()
    absent -= symbols(list(build.objects.values()))
    assert not absent & symbols([library])
    shared = set(full.sources) & set(build.sources)
    differ = sorted(s for s in shared if full.objects[s] != build.objects[s])
    note(name, {"gone": sorted(gone), "differ": differ})
    assert not [s for s in differ if not may_differ(s, gone)]
    if speaks_http(build):
        check_fetches(build, peer)


@pytest.mark.parametrize("profile", PROFILES)
def test_profile(profile, peer):
    """It builds; then what servers do."""
    behaves(Build(profile).program(), peer, REDIRECTS.get(profile, 30))


@pytest.mark.parametrize("profile", PROFILES if ALL else ["tiny"])
def test_profile_by_plain_cc(profile, peer, tmp_path):
    """cc $(cat sources.txt) and nothing else, as the readme says."""
    out = os.path.join(OUT, profile)
    _, _, chosen = partlist.generate(out, profile)
    program = str(tmp_path / "fetch")
    run(["sh", "-c", f"cc -Os -Wall -Wextra -Werror $(cat {out}/sources.txt) {HERE}/fetch.c -o {program} "
         + " ".join(partlist.libraries(chosen))])
    behaves(program, peer, REDIRECTS.get(profile, 30))


def behaves(program, peer, redirects=30):
    """One suite for every build with redirects and reuse."""
    found = fetch(program, peer, "/", "/chunked", "/trailers", "/away", "/100", "/204", "/404", "/", "/big")
    assert [f[:3] for f in found] == [
        ["0", "200", "5"], ["0", "200", "3004"], ["0", "200", "3"], ["0", "200", "3004"], ["0", "200", "5"],
        ["0", "204", "0"], ["0", "404", "4"], ["0", "200", "5"], ["0", "200", "2000000"]]
    assert found[8][3] == str(ord("z") * 2000000)
    assert peer.count == 1 and len(peer.asked) == 10
    asked = len(peer.asked)
    assert fetch(program, peer, "/loop")[0][:2] == ["47", "302"]
    assert len(peer.asked) - asked == redirects + 1
    bad = fetch(program, peer, "/close", "/short", "/loop", "/head", "/line", "/lengths", "/chunk", "/nul")
    assert [f[:2] for f in bad] == [
        ["0", "200"], ["18", "200"], ["47", "302"], ["56", "200"], ["100", "200"], ["8", "200"], ["56", "200"],
        ["8", "200"]]
    stalled = fetch(program, peer, "/stall", timeout=300)
    assert stalled[0][0] == "28"
    names = fetch(program, peer, "nothing://x/", "http://", "http://127.0.0.1:1/",
                  peer.url.replace("127.0.0.1", "localhost") + "/")
    assert [f[0] for f in names] == ["1", "3", "7", "0"]


@pytest.mark.parametrize("seed", range(RANDOM_SETS if ALL else 1))
def test_random_set(seed, peer):
    """Parts at random: what they need comes along."""
    libraries = {"bearssl", "bearssl_small", "chacha20", "mbedtls", "wolfssl", "tls_common"}
    some = random.Random(seed).sample(sorted(set(PARTS) - libraries), 12)
    build = Build("tiny", with_parts=sorted({*some, "openssl", "http"}), without=["bearssl"])
    check_fetches(build, peer)
