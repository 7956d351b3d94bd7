"""The command loads the libraries below its own when it needs them (src/tool/late/late.c)."""
import os
import re
import subprocess

import pytest
from conftest import MOTE, ROOT
from server import TEXT

SYMBOLS = subprocess.run(["nm", MOTE], capture_output=True, text=True).stdout
pytestmark = pytest.mark.skipif(" mote_late_find\n" not in SYMBOLS, reason="linked with its libraries (MOTE_LATE)")


def loaded(r):
    """The libraries that a run with LD_DEBUG=files has loaded beside the C library, without their versions."""
    names = set(re.findall(rb"calling init: \S*/(lib[a-z0-9]+)[-.]", r.err))
    return {n.decode() for n in names} - {"libc", "libpthread", "libdl", "libm"}


def linked_with(library):
    """All that a library of the system brings along."""
    files = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, env={"PATH": "/usr/sbin:/sbin"}).stdout
    path = re.search(re.escape(library) + r" \(.*x86-64.*\) => (\S+)", files).group(1)
    text = subprocess.run(["ldd", path], capture_output=True, text=True).stdout
    return set(re.findall(r"(lib[a-z0-9]+)[-.]\S* =>", text))


def watched(tool, *args):
    r = tool.mote(*args, env={"LD_DEBUG": "files"})
    assert r.rc == 0
    return r.out, loaded(r)


def test_plain_http_and_files_load_no_library(tool):
    assert watched(tool, "-s", "{U}/a") == (TEXT, set())
    assert watched(tool, "-s", "--compressed", "-L", "{U}/redirect/302/a") == (TEXT, set())
    assert watched(tool, "-s", "file:///dev/null") == (b"", set())


def test_a_decoder_is_loaded_for_what_it_decodes(tool):
    assert watched(tool, "-s", "--compressed", "{U}/gzip") == (TEXT, {"libz"})


def test_tls_is_loaded_for_https(tool, tls):
    """And what they are linked with themselves: libz and libzstd on Debian 13."""
    out, libraries = watched(tool, "-s", "--cacert", tls.ca, tls.url + "/a")
    names = {"libssl", "libcrypto"}
    assert out == TEXT and names <= libraries and libraries - names <= linked_with("libssl.so.3")


def test_an_international_name_loads_its_library(tool):
    ascii_name = "möte.test".encode("idna").decode()
    out, libraries = watched(tool, "-s", "--resolve", ascii_name + ":{P}:127.0.0.1", "http://möte.test:{P}/a")
    assert out == TEXT and libraries == {"libidn2", "libunistring"}


def test_versions_are_those_of_the_libraries(tool):
    text = tool.mote("--version").out.decode()
    assert re.search(r"OpenSSL/3\.\d+\.\d+.* zlib/1\.\S+ .*brotli/\d.* zstd/\d.* libidn2/\d", text)


def test_a_library_that_cannot_be_loaded_is_named(tool, tls, tmp_path):
    (tmp_path / "libssl.so.3").write_bytes(b"")
    env = {"LD_LIBRARY_PATH": str(tmp_path)}
    r = tool.mote("-s", "--cacert", tls.ca, tls.url + "/a", env=env)
    assert r.rc == 2 and r.out == b""
    assert re.fullmatch(rb"mote: a library cannot be loaded: \S*libssl\.so\.3: .*\n", r.err)
    assert tool.mote("-s", "{U}/a", env=env).out == TEXT


def test_a_preloaded_library_comes_first(tool, tls, tmp_path):
    """Programs that write down TLS keys are preloaded, and take the place of OpenSSL's functions."""
    source = tmp_path / "preload.c"
    source.write_text("""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <unistd.h>
        void *SSL_new(void *ctx)
        {
          void *(*real)(void *) = (void *(*)(void *))dlsym(RTLD_NEXT, "SSL_new");
          (void)!write(2, "preloaded\\n", 10);
          return real(ctx);
        }
    """)
    library = tmp_path / "preload.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    r = tool.mote("-s", "--cacert", tls.ca, tls.url + "/a", env={"LD_PRELOAD": str(library)})
    assert (r.rc, r.out, r.err) == (0, TEXT, b"preloaded\n")


def test_the_first_call_keeps_every_argument(tmp_path):
    """Integers, floating point, the stack, and the count of vector registers for variable arguments."""
    parts = {
        "below.c": """
            #include <stdarg.h>
            double below(int n, long a, long b, long c, long d, long e, long on_stack, ...)
            {
              double sum = (double)(a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * on_stack);
              va_list args;
              va_start(args, on_stack);
              while(n--)
                sum = sum * 2 + va_arg(args, double);
              va_end(args);
              return sum;
            }""",
        "main.c": """
            #include <stdio.h>
            double below(int n, long a, long b, long c, long d, long e, long on_stack, ...);
            void mote_cli_help(const char *format, ...) { puts(format); }
            int main(void)
            {
              for(int i = 0; i < 2; i++)
                printf("%.0f\\n", below(9, 1L, 2L, 3L, 4L, 5L, 6L, 1., 0., 1., 1., 0., 1., 0., 0., 1.));
              return 0;
            }""",
        "late_names.inc": 'LATE_LIBRARY("libbelow.so", 1)\nLATE_FUNCTION(below)\n',
    }
    for name, text in parts.items():
        (tmp_path / name).write_text(text)
    late = os.path.join(ROOT, "src", "tool", "late")
    flags = ["-O2", "-std=gnu11", "-fvisibility=hidden", "-I", tmp_path, "-I", ROOT + "/src", "-I", ROOT + "/include"]
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "libbelow.so", tmp_path / "below.c"], check=True)
    subprocess.run(["cc", *flags, "-o", tmp_path / "main", tmp_path / "main.c", late + "/late.c", late + "/stubs.c"],
                   check=True)
    p = subprocess.run([tmp_path / "main"], capture_output=True, text=True, env={"LD_LIBRARY_PATH": str(tmp_path)})
    sum_of_all = 654321 * 2 ** 9 + 0b101101001
    assert p.stdout == f"{sum_of_all}\n" * 2, p.stderr
