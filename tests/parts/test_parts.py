"""Every part can be left out, and every profile works.

A build is compiled by plain cc from what cmake/generate.cmake writes. An object is kept by its preprocessed text
(build/parts/objects): builds share what is the same for the compiler, so that their objects are bit-identical. Of
each part: the build without it links (no symbol is missing), has nothing of the part's files, and fetches.
The part's row in sizes.toml says what it costs and which objects differ; a row that is not true any more is written
by tools/ledger.py --write --parts NAME.

make check takes the profiles but full; MOTE_PARTS=all takes all of them, the parts, and random sets.
"""
import os
import random
import re
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "tools")]
import ledger  # noqa: E402
import partlist  # noqa: E402
from fetching import behaves, fetch  # noqa: E402
from partbuild import OUT, Build, of_part, pair, reached, run, symbols, text_of  # noqa: E402
from peer import Peer  # noqa: E402

ALL = os.environ.get("MOTE_PARTS") == "all"
RANDOM_SETS = 6
REDIRECTS = {"tiny": 5}  # most that a profile follows, where not libcurl's 30
PARTS = {name: fields for name, fields in partlist.parts().items() if name not in partlist.ELSEWHERE}
OF_OPTIONS = {p.lower() for p in re.findall(r"^  HAVE\(\w+, \w+, \w+, (\w+),", text_of("src/transfer/options/option_rows.inc"), re.M)}
OF_OPTIONS |= {part for name, among in partlist.eithers().items() if name in OF_OPTIONS for part in among}
PROFILES = re.findall(r"^mote_profile\((\w+)", open(os.path.join(ROOT, "cmake", "profiles.cmake"),
                                                    encoding="utf-8").read(), re.M)


def program(build):
    path = os.path.join(build.out, "fetch")
    memory = [] if "libc_malloc" in build.parts else ["-DIN_A_BLOCK"]
    run(["cc", *memory, "-Iinclude", "-o", path, os.path.join(HERE, "fetch.c"), build.library()])
    return path


@pytest.fixture(scope="module")
def full():
    return Build("full")


@pytest.fixture
def peer():
    p = Peer()
    yield p
    p.close()


def may_differ(source, gone, folders):
    """It is generated, has a header of one of the parts that are gone, or asks for one: by name, for an option (a row of
    options), or for the names of all."""
    if source.endswith("/tables.c"):
        return True
    paths = reached(source, folders)
    if any(p.startswith(f"src/{h}/") for p in paths for name in gone for h in PARTS[name].get("HEADERS", ())):
        return True
    names = "|".join(p.upper() for p in gone)
    asked = re.compile(rf"\b(MOTE_HAS_({names})|MOTE_SCHEME_NAMES|MOTE_FEATURES|MOTE_FEATURE_NAMES)\b")
    options = "src/transfer/options/option_rows.inc" in paths and OF_OPTIONS & set(gone)
    return bool(options) or any(asked.search(text_of(p)) for p in paths)


def speaks_http(build):
    return "http" in build.parts


def check_fetches(build, peer):
    """What every build with HTTP can do."""
    found = fetch(program(build), peer, "/", "/chunked", "/away", "/404")
    assert [f[:3] for f in found[:2]] == [["0", "200", "5"], ["0", "200", "3004"]]
    assert found[2][:3] == ["0", "200", "3004"]
    assert found[2][4].startswith(peer.url + "/chunked?x=1")
    assert found[3][:3] == ["0", "404", "4"]
    assert peer.count == 1


@pytest.mark.parametrize("name", PARTS if ALL else [])
def test_without_a_part(name, full, peer):
    """The build is whole, nothing of the part is in it, what both have is the same."""
    having, build = pair(name, full)
    assert name in having.parts and name not in build.parts
    gone = set(having.parts) - set(build.parts)
    files = {s for p in gone for s in of_part(p, having.sources)}
    assert not files & set(build.sources)
    library = build.library()
    absent = symbols([having.objects[s] for s in files]) if files else set()
    absent -= symbols(list(build.objects.values()))
    assert not absent & symbols([library])
    shared = set(having.sources) & set(build.sources)
    differ = sorted(s for s in shared if having.objects[s] != build.objects[s])
    assert not [s for s in differ if not may_differ(s, gone, having.folders)]
    if speaks_http(build):
        check_fetches(build, peer)
    assert not ledger.change_of_part(name, having, build)


@pytest.mark.skipif(not ALL, reason="MOTE_PARTS=all")
def test_what_is_not_seen_changes_nothing(full):
    """An object that is taken from another build is what this one would have made."""
    build = Build("full", without=["file"])  # whose objects are there by now
    for source in ("src/transfer/download/sink.c", "src/transfer/options/options.c", "src/net/conn.c", "src/protocol/http1/h1_send.c"):
        assert build.objects[source] == build.compile_always(source)
    assert full.objects["src/transfer/download/sink.c"] != build.objects["src/transfer/download/sink.c"]


@pytest.mark.parametrize("profile", PROFILES if ALL else [p for p in PROFILES if p != "full"])
def test_profile(profile, peer):
    """It builds; then what servers do."""
    behaves(program(Build(profile)), peer, REDIRECTS.get(profile, 30))


@pytest.mark.skipif(not ALL, reason="MOTE_PARTS=all")
def test_public_functions_are_there():
    """Without TLS, too, a program of a system links, and hears of what is missing when it asks."""
    names = re.findall(r"^(?:curl|mote)_\w+$", text_of("exports/functions.txt"), re.M)
    assert not set(names) - symbols([Build("http", without=["https"]).library()])


@pytest.mark.parametrize("test", ["absent", "mime_none"])
def test_what_is_absent_reports_so(test, tmp_path):
    """What the build writes for the parts that it lacks (ABSENT of cmake/parts.cmake)."""
    build = Build("mcu")
    program = str(tmp_path / test)
    run(["cc", *build.flags, "-Itests/unit", "-o", program, f"tests/unit/api/test_{test}.c", build.library()])
    run([program])


@pytest.mark.parametrize("profile", PROFILES if ALL else ["tiny"])
def test_profile_by_plain_cc(profile, peer, tmp_path):
    """cc $(cat sources.txt) and nothing else, as the readme says."""
    out = os.path.join(OUT, profile)
    _, _, chosen = partlist.generate(out, profile)
    program = str(tmp_path / "fetch")
    run(["sh", "-c", f"cc -Os -Wall -Wextra -Werror $(cat {out}/sources.txt) {HERE}/fetch.c -o {program} "
         + " ".join(partlist.libraries(chosen))])
    behaves(program, peer, REDIRECTS.get(profile, 30))


@pytest.mark.parametrize("seed", range(RANDOM_SETS if ALL else 0))
def test_random_set(seed, peer):
    """Parts at random: what they need comes along."""
    libraries = {"bearssl", "bearssl_small", "bearssl_curves", "chacha20", "mbedtls", "wolfssl", "tls_common", "small",
                 "uploads", "plain_urls"}
    some = random.Random(seed).sample(sorted(set(PARTS) - libraries), 12)
    build = Build("tiny", with_parts=sorted({*some, "openssl", "http"}), without=["bearssl"])
    check_fetches(build, peer)
