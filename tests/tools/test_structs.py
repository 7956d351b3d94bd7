"""Struct sizes and layouts from debug information, against the compiler's own sizeof; and the log build's structs
against the product's."""
import json
import os
import shlex
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tools"), os.path.join(ROOT, "bench")]
import structs  # noqa: E402
from measure import layout  # noqa: E402

LOG = os.environ.get("MOTE_LOG_DIR", os.path.join(ROOT, "build", "log"))
PRODUCT = os.environ.get("MOTE_BUILD", os.path.join(ROOT, "build", "release"))

SAID = """/* Used at: /x/src/net/a.c */
/* <c4> /usr/include/x86_64-linux-gnu/sys/epoll.h:84 */
struct epoll_event {
\tuint32_t                   events;               /*     0     4 */

\t/* size: 12, cachelines: 1, members: 2 */
};
/* Used at: /x/src/net/a.c */
/* <d6> /x/src/net/a.h:7 */
struct mote_a {
\tint                        (*fn)(void *, int);   /*     0     8 */
\tatomic_bool                done;                 /*     8     0 */

\t/* XXX 4 bytes hole, try to pack */

\tunion {
\t\tchar *             text;                 /*    12     8 */
\t};                                               /*    12     4 */
\t_Bool                      one:1;                /*    16: 0  1 */
\t_Bool                      two:1;                /*    16: 1  1 */
\tconst struct mote_b  *     b[2];                 /*    24    16 */
\tchar                       tail[] __attribute__((__aligned__(8))); /*    40     0 */

\t/* size: 48, cachelines: 1, members: 7 */
\t/* padding: 8 */
};
/* <e0> /x/src/net/a.c:3 */
union c {
\tlong int                   l;                  /*     0     8 */
};
/* <e8> /x/src/net/a.c:9 */
struct b {
\tlong int                   l;                  /*     0     8 */

\t/* size: 8, cachelines: 1, members: 1 */
};
"""


def test_parse():
    """Holes follow from the members: an atomic's size is known, bit fields share a byte. No unions."""
    a, b = structs.parse(SAID)
    assert (a["name"], a["file"], a["line"], a["size"], a["lines"]) == ("mote_a", "src/net/a.h", 7, 48, 1)
    assert [(m["name"], m["offset"], m["size"]) for m in a["members"]] == [
        ("fn", 0, 8), ("done", 8, 1), ("", 12, 4), ("one", 16, 1), ("two", 16, 1), ("b", 24, 16), ("tail", 40, 0)]
    assert (a["holes"], a["padding"]) == ([(9, 3), (17, 7)], 8)
    assert structs.holes(a) == "10 (3 at 9, 7 at 17)"
    assert (b["size"], b["holes"], structs.key(b)) == (8, [], "b (net/a.c)")
    assert a["members"][5]["text"] == "const struct mote_b *b[2]"


@pytest.mark.parametrize("path, is_ours", [
    ("/work/src/net/conn.h", "src/net/conn.h"), ("/usr/include/stdio.h", None), ("/usr/include/curl/curl.h", None),
    ("/usr/src/mote/include/curl/curl.h", "include/curl/curl.h"), ("/b/<built-in>", None),
    ("/work/src/log/held.c", None),
    ("/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h", None), ("/b/include/mote/mote.h", "include/mote/mote.h")])
def test_ours(path, is_ours):
    assert structs.ours(path) == is_ours


PROGRAM = """#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
struct mote_inner { long a; char b; };
struct mote_outer { char a; struct mote_inner in; int b; bool c : 1; bool d : 1; atomic_int e; char tail[]; };
struct plain { int x; };
struct mote_outer outer;
struct plain plain;
int main(void)
{
  return printf("%zu %zu %zu", sizeof outer, sizeof outer.in, sizeof plain) < 0;
}
"""


@pytest.fixture(name="program")
def made(tmp_path):
    """A program with debug information whose source lies in a folder src."""
    (tmp_path / "src/x").mkdir(parents=True)
    (tmp_path / "src/x/p.c").write_text(PROGRAM)
    subprocess.run(["gcc", "-g", "-o", tmp_path / "p", tmp_path / "src/x/p.c"], check=True)
    return str(tmp_path / "p")


def test_sizes_are_the_compilers(program):
    said = [int(x) for x in subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()]
    assert structs.sizes([program]) == dict(zip(["mote_outer", "mote_inner", "plain (x/p.c)"], said))
    assert structs.layouts(program)["mote_outer"]["holes"] == [(1, 7), (29, 3)]


def command(*args):
    return subprocess.run([sys.executable, os.path.join(ROOT, "tools/structs.py"), *args], capture_output=True,
                          text=True)


def test_command(program):
    p = command("--file", program)
    assert p.returncode == 0 and p.stdout.splitlines()[1].split()[:3] == ["40", "1", "4"], p.stdout + p.stderr
    assert p.stdout.splitlines()[-1] == "3 structs, 1 with holes"
    p = command("outer", "--file", program)
    assert "     29       3  (free)\n     32       4  atomic_int e" in p.stdout
    assert "mote_outer: 40 bytes, 1 cache line, src/x/p.c:6" in p.stdout
    assert json.loads(command("--json", "--file", program).stdout)["mote_inner"]["padding"] == 7
    p = command("nothing", "--file", program)
    assert p.returncode == 1 and p.stderr == "structs: no struct nothing\n"


def test_nothing_to_read(tmp_path):
    for path in ("/bin/true", str(tmp_path / "none")):
        with pytest.raises(structs.Missing):
            structs.sizes(path)


def product_object(source, out):
    """The object of a source, compiled as in the product but with debug information."""
    with open(os.path.join(PRODUCT, "compile_commands.json"), encoding="utf-8") as f:
        entry = next(x for x in json.load(f) if x["file"] == os.path.join(ROOT, source))
    cmd = shlex.split(entry["command"])
    cmd[cmd.index("-o") + 1] = str(out)
    subprocess.run([*cmd, "-g"], cwd=entry["directory"], check=True)
    return str(out)


def test_log_build_has_the_products_structs(tmp_path):
    """Nothing that the log build adds may change a struct: it would measure something else."""
    sources = ["src/api/easy/easy.c", "src/api/multi/multi.c", "src/api/multi/share.c", "src/net/conn.c", "src/net/names/names.c",
               "src/net/names/lookup.c", "src/protocol/http1/h1_parse.c", "src/protocol/plain/file.c",
               "src/tls/openssl/openssl_stream.c", "src/tls/session.c", "src/engine/start.c", "src/transfer/download/sink.c",
               "src/transfer/run.c"]
    product = structs.sizes([product_object(s, tmp_path / f"{n}.o") for n, s in enumerate(sources)])
    logged = structs.sizes(os.path.join(LOG, "libcurl.so.4"))
    assert len(product) > 60 and set(layout.STRUCTS.values()) <= set(product)
    assert {k: logged.get(k) for k in product} == product
