"""tools/device.py: where sources come from, and sizes by part out of a linker's map. Needs no cross compiler."""
import os
import re
import subprocess
import sys
import zlib

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import device  # noqa: E402
import partlist  # noqa: E402
from devices import emulator, figures, fetches, firmware, image, peer, sizes, sources  # noqa: E402
from steps import base  # noqa: E402
from steps import figures as step  # noqa: E402

MAP = """Memory Configuration

.text not this one

Linker script and memory map

.text           0x00000000      0x128
 *(.vectors)
 .vectors       0x00000000       0x78 /out/x.obj/board/start.o
 .text.long_name_of_a_function
                0x00000078       0x22 /out/x.obj/library/net_conn.o
 *fill*         0x0000009a        0x2 
 .text          0x0000009c       0x1c /usr/lib/picolibc/lib/libc.a(memcpy.o)
 .text          0x000000b8       0x30 /tmp/ccX.ltrans0.ltrans.o
 .rodata.str1.1
                0x000000e8       0x10 /out/x.obj/port/names.o
                                 0x18 (size before relaxing)
 .text          0x000000f8       0x30 /out/x.obj/app/main.o
                0x000000f8                main

.data           0x20004000        0x8 load address 0x00000128
 .data.x        0x20004000        0x8 /out/x.obj/library/net_conn.o

.bss            0x20004008       0x10 load address 0x00000130
 COMMON         0x20004008       0x10 /out/x.obj/port/names.o

.debug_info     0x00000000      0x999
 .debug_info    0x00000000      0x999 /out/x.obj/library/net_conn.o
"""


def by_part(section):
    sums = {}
    for piece in sizes.pieces(MAP):
        if piece.section == section:
            part = sizes.part_of(piece.obj, "/out/x.obj")
            sums[part] = sums.get(part, 0) + piece.size
    return sums


def test_text_by_part_with_padding_and_long_names():
    assert by_part(".text") == {"board": 0x78, "library": 0x24, "libc": 0x1c, "other": 0x30, "port": 0x10,
                                "app": 0x30}
    assert sum(by_part(".text").values()) == 0x128


def test_data_and_bss():
    assert by_part(".data") == {"library": 8}
    assert by_part(".bss") == {"port": 16}


@pytest.fixture
def etc(tmp_path):
    (tmp_path / "sources.list.d").mkdir()
    return tmp_path


def test_source_entries_of_stanzas(etc):
    (etc / "sources.list.d" / "debian.sources").write_text(
        "Types: deb\nURIs: http://a/debian\nSuites: bookworm\nComponents: main\n\n"
        "Types: deb deb-src\nURIs: http://b/debian\nSuites: bookworm\nComponents: main\n\n"
        "Types: deb-src\nURIs: http://a/debian\nSuites: bookworm\nComponents: main\n")
    stanzas, lines = sources.source_entries(str(etc))
    assert stanzas.count("Types: deb-src\n") == 2 and "//a/" in stanzas and "//b/" in stanzas
    assert "Types: deb\n" not in stanzas and lines == ""


def test_source_entries_of_lines(etc):
    (etc / "sources.list").write_text("# deb http://no/ x main\ndeb http://a/debian bookworm main\n"
                                      "deb-src http://a/debian bookworm main\n")
    (etc / "sources.list.d" / "more.list").write_text("deb [signed-by=/k] http://b/debian bookworm main\n")
    (etc / "sources.list.d" / "off.list.disabled").write_text("deb http://c/debian bookworm main\n")
    assert sources.source_entries(str(etc)) == ("", "deb-src http://a/debian bookworm main\n"
                                               "deb-src [signed-by=/k] http://b/debian bookworm main\n")
    assert not (etc / "parts").exists()


def test_commas_of_arguments_are_doubled():
    assert ",arg=a,,b,arg=c" in " ".join(emulator.command("x", ["a,b", "c"]))


SHARED_STRINGS = """Linker script and memory map

.text           0x00000000       0x10
 .rodata.a.str1.1
                0x00000000        0x9 /out/x.obj/app/a.o
 .rodata.b.str1.1
                0x00000007        0x2 /out/x.obj/app/b.o
 *fill*         0x00000007        0x1 
 .rodata        0x00000008        0x8 /out/x.obj/app/b.o

.data           0x20000000        0x0 load address 0x00000010
"""


def test_strings_that_share_their_ends_are_counted_once():
    assert sum(piece.size for piece in sizes.pieces(SHARED_STRINGS) if piece.section == ".text") == 0x10


def test_pieces_have_names():
    names = [piece.name for piece in sizes.pieces(MAP)]
    assert names[:4] == [".vectors", ".text.long_name_of_a_function", ".text.long_name_of_a_function", ".text"]


@pytest.mark.parametrize("name, symbol", [
    (".text.f", "f"), (".text.unlikely.f.isra.0", "f"), (".text.startup.main", "main"),
    (".rodata.table.0.lto_priv.0", "table"), (".rodata.f.str1.1", "f"), (".bss.block", "block"),
    (".rodata.CSWTCH.12", "CSWTCH"), (".vectors", ".vectors"), (".text.mote_part_of", "mote_part_of"),
])
def test_symbol_of_a_piece(name, symbol):
    assert sizes.symbol_of(name) == symbol


def test_data_of_parts_that_are_optimized_as_one():
    owned = {"table": {"tls": 64, "lwip": 12}, "one": {"board": 4}}
    piece = sizes.Piece(".text", 0, 16, "/tmp/ccX.ltrans0.ltrans.o", ".rodata.table.lto_priv.0")
    assert sizes.by_symbol(piece, owned) == "lwip"
    assert sizes.by_symbol(piece._replace(size=60), owned) == "tls"
    assert sizes.by_symbol(piece._replace(name=".data.one"), owned) == "board"
    assert sizes.by_symbol(piece._replace(name=".data.unknown"), owned) == "other"


class Made:
    """As much of an Image as files_of() needs."""
    parts = {"app": [ROOT + "/device/tiny/main.c"], "board": [ROOT + "/device/mps2-an385/start.c"],
             "port": [ROOT + "/src/port/lwip/socket.c"], "library": [ROOT + "/src/base/buf.c"],
             "tls": [ROOT + "/src/tls/tls.c"], "lwip": ["/of/others/lwip/src/core/tcp.c"]}


@pytest.mark.parametrize("path, part", [
    ("src/port/lwip/socket.c", "port"), ("src/port/port.h", "port"), ("src/base/text.h", "library"),
    ("src/tls/backend.h", "tls"), ("/of/others/lwip/src/include/lwip/def.h", "lwip"),
    ("device/mps2-an385/board.h", "board"),
])
def test_whose_a_source_is(path, part):
    assert sizes.part_of_file(path, sizes.files_of(Made)) == part


def test_objects_of_others_are_a_part_too():
    assert sizes.part_of(image.SHARED + "/bearssl/0123/ssl_engine.o", "/out/x.obj") == "bearssl"
    assert sizes.part_of("/out/x.objects/app/main.o", "/out/x.obj") == "other"


def test_the_given_kernel_is_taken(monkeypatch):
    monkeypatch.setenv("FREERTOS_KERNEL_PATH", "/some/kernel")
    assert sources.kernel() == "/some/kernel"


def test_what_an_image_must_fetch():
    assert fetches.fetch_of(18, b"begun", "http://h/") == f"get=18,5,{zlib.adler32(b'begun')},http://h/"


def test_figures_against_their_ceilings():
    lines, over = figures.against_ceilings({"library_text": 11999, "image_flash": 68001, "riscv_text": 5, "stack": None})
    assert over == 1
    assert lines[0].split() == ["library_text", "11,999", "of", "12,000"]
    assert lines[1].endswith("of  68,000: OVER by 1")
    assert lines[2].split() == ["riscv_text", "5"] and lines[3].split()[:3] == ["stack", "not", "measured"]


def test_the_step_of_make_check(monkeypatch, tmp_path):
    monkeypatch.setattr(base, "ROOT", str(tmp_path))
    assert (step.images(True).passed, step.images(True).skipped) == (0, 1)
    for package in ("lwip", "bearssl"):
        (tmp_path / "build" / "device" / package).mkdir(parents=True)
    monkeypatch.setattr(step.shutil, "which", lambda name: name)
    monkeypatch.setattr(step, "run", lambda *_: (1, "image_flash 9 of 8: OVER by 1\n6 figures, 1 over\n"))
    r = step.images(False)
    assert (r.passed, r.failed, r.again) == (5, 1, ["image_flash 9 of 8: OVER by 1"])
    monkeypatch.setattr(step, "run", lambda *_: (1, "it does not compile"))
    assert step.images(True).failed == 1


def says(outcomes):
    """A run() that answers by the subcommand of tools/device.py."""
    return lambda command: outcomes[command[2]]


def test_the_step_of_make_check_all_boots_the_matrix(monkeypatch, tmp_path):
    monkeypatch.setattr(base, "ROOT", str(tmp_path))
    for package in ("lwip", "bearssl"):
        (tmp_path / "build" / "device" / package).mkdir(parents=True)
    outcomes = {"ceilings": (0, "6 figures, 0 over\n"), "check": (0, "matrix-get: passed\n3 passed, 0 failed\n")}
    monkeypatch.setattr(step, "run", says(outcomes))
    monkeypatch.setattr(step.shutil, "which", lambda name: None if name.startswith("qemu") else name)
    r = step.images(True)
    assert (r.passed, r.failed, r.skipped) == (6, 0, 1) and "no emulator" in r.note
    monkeypatch.setattr(step.shutil, "which", lambda name: name)
    r = step.images(True)
    assert (r.passed, r.failed, r.skipped, r.note) == (9, 0, 0, "")
    assert step.images(False).passed == 6
    outcomes["check"] = (1, "matrix-mcu: FAILED\nlibrary: 51,000 of 50,000\n2 passed, 1 failed\n")
    r = step.images(True)
    assert (r.passed, r.failed, r.outputs) == (8, 1, [("matrix of devices", outcomes["check"][1])])
    outcomes["check"] = (1, "it does not link")
    assert step.images(True).failed == 1


def fetched(web, path):
    done = subprocess.run(["curl", "-s", "-L", "-m", "10", f"http://127.0.0.1:{web.port}/{path}"],
                          capture_output=True, check=False)
    return done.returncode, done.stdout


def test_the_peer_plays_its_parts():
    with peer.Web() as web:
        assert fetched(web, "page") == (0, web.BODIES["page"])
        assert fetched(web, "redirect") == (0, web.BODIES["page"])
        assert fetched(web, "chunked") == (0, web.BODIES["chunked"])
        assert fetched(web, "big") == (0, web.BODIES["big"])
        assert fetched(web, "cut") == (18, b"begun")
        assert fetched(web, "empty") == (52, b"")
        assert fetched(web, "reset") == (56, b"begun")
        assert web.requests == 8


# ---- what a port has ----

PORTS = ("lwip", "freertos")
DEVICE_PROFILES = list(partlist.profiles())


@pytest.mark.parametrize("port", PORTS)
@pytest.mark.parametrize("profile", DEVICE_PROFILES)
def test_a_profile_has_nothing_that_its_port_lacks(tmp_path, profile, port):
    """`mcu` on lwIP listed files that call mote_port_set_open and mote_port_wake_*: it did not link."""
    _, sources, chosen = partlist.generate(str(tmp_path), profile, ["bearssl"], ["openssl"], port)
    folder = os.path.join(ROOT, "src", "port", port)
    has = "".join(open(os.path.join(folder, f), encoding="utf-8").read()
                  for f in os.listdir(folder) if f.endswith(".c"))
    needed = {h for name in chosen for h in partlist.parts()[name].get("PORT", [])}
    assert not [h for h in needed if f'"port/{h}.h"' not in has]
    assert "src/net/names/lookup.c" not in sources
    assert ("src/engine/multi.c" in sources) == (profile != "tiny")


def test_a_part_that_a_port_cannot_have_is_refused_by_name(tmp_path):
    with pytest.raises(subprocess.CalledProcessError) as e:
        partlist.generate(str(tmp_path), "mcu", ["file"], [], "lwip")
    assert "part file needs port/file.h, which port lwip does not have" in " ".join(e.value.stderr.split())


@pytest.mark.parametrize("profile, source", [("mcu", "src/transfer/options/option_rows.c"), ("tiny", "src/small/setopt.c")])
def test_options_whose_names_are_macros_of_the_platform(tmp_path, profile, source):
    """lwIP defines TCP_NODELAY, and CURLOPT_##TCP_NODELAY became CURLOPT_0x01."""
    flags, _, _ = partlist.generate(str(tmp_path), profile)
    macros = ["-DTCP_NODELAY=0x01", "-DTCP_KEEPALIVE=0x02", "-DTCP_KEEPIDLE=0x03", "-DTCP_KEEPINTVL=0x04",
              "-DTCP_KEEPCNT=0x05"]
    subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", *macros, *flags, "-fsyntax-only", source],
                   cwd=ROOT, check=True)


def test_an_image_with_bearssl_needs_no_list_of_its_files(tmp_path):
    partlist.generate(str(tmp_path), "mcu", port="lwip")
    assert device.has_bearssl(str(tmp_path / "sources.txt"))
    partlist.generate(str(tmp_path), "tiny", (), ["https"], "lwip")
    assert not device.has_bearssl(str(tmp_path / "sources.txt"))
    assert not device.has_bearssl(None)


def test_every_option_that_a_port_refuses_is_in_the_porting_page():
    with open(os.path.join(ROOT, "docs", "porting.md"), encoding="utf-8") as f:
        page = f.read()
    for port, header, heading in (("lwip", "internal.h", "## A board under lwIP"),
                                  ("freertos", "lwip.h", "## A board under FreeRTOS")):
        with open(os.path.join(ROOT, "src", "port", port, header), encoding="utf-8") as f:
            refused = set(re.findall(r'#error "lwipopts.h: (\w+) must be', f.read()))
        section = page.split(heading + "\n", 1)[1].split("\n## ", 1)[0]
        assert refused == set(firmware.WRONG[port])
        assert not [o for o in refused if f"`{o}`" not in section]
