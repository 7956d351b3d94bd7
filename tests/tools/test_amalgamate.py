"""tools/amalgamate: the library as one file. Images of it are compared by `tools/device.py check amalgamation`."""
import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "tools", "amalgamate")
sys.path.insert(0, os.path.join(ROOT, "tools"))
loader = importlib.machinery.SourceFileLoader("amalgamate", TOOL)
amalgamate = importlib.util.module_from_spec(importlib.util.spec_from_loader("amalgamate", loader))
loader.exec_module(amalgamate)
from devices import image, sources  # noqa: E402
import partlist  # noqa: E402

STRICT = ["-std=c11", "-pedantic-errors", "-Wall", "-Wextra", "-Werror"]
PROGRAM = """#include "mote.h"
#include <stdio.h>
#include <string.h>
int main(int n, char **args)
{
  CURL *curl = curl_easy_init();
  CURLcode rc = curl ? curl_easy_setopt(curl, CURLOPT_URL, args[n - 1]) : CURLE_FAILED_INIT;
  rc = rc ? rc : curl_easy_perform(curl);
  printf("%d %s\\n", (int)rc, mote_version());
  curl_easy_cleanup(curl);
  return 0;
}
"""


def run(*cmd, code=0, **how):
    p = subprocess.run(cmd, capture_output=True, text=True, **how)
    assert p.returncode == code, f"{' '.join(map(str, cmd))}\n{p.stdout}{p.stderr}"
    return p.stdout + p.stderr


def test_own_names_of_a_source_are_seen():
    text = '''enum { FIRST = 1, SECOND };
static const char accept[] = "Accept: */*";
struct piece { int put; };
static int put(struct piece *p) { return p->put; }
typedef int kind;
int mote_put(struct piece *p, struct other *o);
'''
    names, tags = amalgamate.own_names(text)
    assert names == {"FIRST", "SECOND", "accept", "put", "kind"} and tags == {"piece"}


def test_renaming_leaves_members_and_texts():
    text = 'struct piece { int put; };\nstatic int put(struct piece *p) { p->put = piece.put; return put("put"); }\n' \
           "static const struct row row = {.put = put}; /* put */\n"
    assert amalgamate.renamed(text, {"put"}, {"piece"}, "_of_x") == (
        'struct piece_of_x { int put; };\n'
        'static int put_of_x(struct piece_of_x *p) { p->put = piece.put; return put_of_x("put"); }\n'
        "static const struct row row = {.put = put_of_x}; /* put */\n")


def test_branches_of_absent_parts_go(tmp_path):
    source = tmp_path / "x.c"
    source.write_text("#if MOTE_HAS_A && !MOTE_HAS_B\nint a;\n#ifdef X\nint x;\n#endif\n#else\nint b;\n#ifdef Y\n#endif\n#endif\n")
    book = amalgamate.Book([], {"MOTE_HAS_A": 1, "MOTE_HAS_B": 0})
    assert [x for x in book.file(source) if x] == ["int a;", "#ifdef X", "int x;", "#endif"]
    book = amalgamate.Book([], {"MOTE_HAS_A": 1, "MOTE_HAS_B": 1})
    assert [x for x in book.file(source) if x] == ["int b;", "#ifdef Y", "#endif"]


def test_names_that_a_macro_or_a_type_with_words_declares():
    text = '''static _Atomic(const struct backend *) chosen;
static int (*const stages[])(struct scp *s) = {one, two};
static LIBSSH2_SEND_FUNC(transmit) { return 0; }
'''
    assert amalgamate.own_names(text)[0] == {"chosen", "stages", "transmit"}


def test_names_that_system_headers_have_are_renamed(tmp_path):
    run(TOOL, "http", "posix", "none", "--out", tmp_path)
    assert "start_of_base_digest_sha" in (tmp_path / "mote.c").read_text()  # a parameter there


ALL = os.environ.get("MOTE_AMALGAMATE") == "all"  # make check-all
SOME = [("tiny", "linux", "openssl")]  # full takes twenty times as long
TLS = ("none", "openssl", "bearssl", "mbedtls", "wolfssl")
EVERY = [(profile, port, tls) for profile in partlist.profiles() for port in ("posix", "linux") for tls in TLS]


@pytest.mark.parametrize("profile, port, tls", EVERY if ALL else SOME)
def test_it_builds(tmp_path, profile, port, tls):
    """Every profile, port of a host and TLS library: it compiles as strict C11, links with nothing else and runs."""
    run(TOOL, profile, port, tls, "--out", tmp_path)
    backends = [t for t in TLS if t != tls and t != "none"]
    _, _, chosen = partlist.generate(str(tmp_path / "parts"), profile, [tls] if tls != "none" else [], backends, port)
    (tmp_path / "main.c").write_text(PROGRAM)
    folders = run("pkg-config", "--cflags-only-I", "krb5-gssapi").replace("-I", "-isystem").split()
    run("gcc", *STRICT, "-O0", *folders, "main.c", "mote.c", "-o", "main", *partlist.libraries(chosen), cwd=tmp_path)
    assert re.match(r"7 \d+\.\d+", run(tmp_path / "main", "http://127.0.0.1:1/"))


@pytest.mark.parametrize("cc", ["gcc", pytest.param("clang", marks=pytest.mark.check_all)])
def test_on_a_host_it_compiles_in_one_command_and_runs(tmp_path, cc):
    if not shutil.which(cc):
        pytest.skip(f"no {cc}")
    run(TOOL, "mcu", "linux", "none", "--out", tmp_path)
    (tmp_path / "main.c").write_text(PROGRAM)
    run(cc, *STRICT, "-O0", "main.c", "mote.c", "-o", "main", "-lpthread", cwd=tmp_path)
    assert re.match(r"7 \d+\.\d+", run(tmp_path / "main", "http://127.0.0.1:1/"))


def test_every_ceiling_is_in_the_configuration(tmp_path):
    run(TOOL, "tiny", "lwip", "bearssl", "--out", tmp_path)
    text = (tmp_path / "mote.c").read_text()
    conf = (tmp_path / "mote_conf.h").read_text()
    for name in re.findall(r"#ifndef (MOTE_[A-Z0-9_]+)\n#define \1 [^\n]*[0-9]", text):
        assert re.search(rf" \*/\n#ifndef {name}\n#define {name} \S", conf), name
    assert "#define MOTE_URL_MAX_INPUT 1024\n" in conf  # the profile's


@pytest.mark.skipif(not shutil.which("arm-none-eabi-gcc"), reason="no cross compiler")
@pytest.mark.parametrize("profile, port", [("tiny", "lwip"), ("mcu", "lwip")][:1 + ALL])
def test_on_a_device_it_compiles_as_strict_c11(tmp_path, profile, port):
    run(TOOL, profile, port, "bearssl", "--out", tmp_path)
    folders = [f"-isystem{sources.fetch('lwip')}/src/include", f"-isystem{sources.fetch('bearssl')}/inc",
               f"-I{ROOT}/device/lwip", f"-I{ROOT}/device/mps2-an385"]
    # and a build for debugging, of other ceilings: nothing rests on what an optimizer leaves out
    for options in (["-Os"], ["-O0", "-DMOTE_URL_MAX_INPUT=512", "-DMOTE_LWIP_SOCKETS=5"]):
        run("arm-none-eabi-gcc", "--specs=picolibc.specs", *image.CPU, *STRICT, *folders, *options, "-c", "mote.c",
            cwd=tmp_path)
    names = re.findall(r"U (mote_\w+)", run("arm-none-eabi-nm", "-u", tmp_path / "mote.o"))
    assert sorted(names) == ["mote_lwip_ms", "mote_lwip_random", "mote_lwip_wait", "mote_lwip_wall"]


@pytest.mark.skipif(not shutil.which("arm-none-eabi-gcc"), reason="no cross compiler")
@pytest.mark.skipif(bool(sources.no_kernel()), reason=str(sources.no_kernel()))
@pytest.mark.parametrize("port, options", [("freertos", []), ("lwip_sockets", ["-DMOTE_LWIP_SELECT"])])
def test_on_sockets_it_has_a_second_file(tmp_path, port, options):
    run(TOOL, "tiny", port, "bearssl", "--out", tmp_path)
    kernel = sources.kernel()
    folders = [f"-isystem{x}" for x in (f"{sources.fetch('lwip')}/src/include", f"{sources.fetch('bearssl')}/inc",
                                        f"{kernel}/include", f"{kernel}/portable/GCC/ARM_CM3")]
    folders += [f"-I{ROOT}/device/{x}" for x in ("lwip", "mps2-an385", "mps2-an385/freertos", "freertos")]
    for name in ("mote.c", "mote_errno.c"):
        run("arm-none-eabi-gcc", "--specs=picolibc.specs", *image.CPU, "-O0", *STRICT, *folders, "-DMOTE_LWIP_FREERTOS",
            *options, "-c", name, cwd=tmp_path)
    names = re.findall(r"U (mote_\w+)", run("arm-none-eabi-nm", "-u", tmp_path / "mote.o"))
    assert sorted(n for n in names if "errno" not in n and n != "mote_freertos_lwip_errors") == [
        f"mote_{port}_random", f"mote_{port}_wall"]


@pytest.mark.parametrize("words, text", [
    (["tiny", "lwip", "sunssl"], "no such TLS library: sunssl"),
    (["huge", "lwip", "none"], "no such profile: huge"),
    (["tiny", "moon", "none"], "no such port: moon"),
    (["tiny", "embedded", "none"], "no such port: embedded"),
    (["http", "lwip", "none"], "few devices have: psl zlib brotli zstd idn."),
    (["full", "zephyr", "bearssl"], "few devices have: "),
])
def test_a_word_that_is_wrong_is_named(tmp_path, words, text):
    assert text in run(TOOL, *words, "--out", tmp_path, code=1)
