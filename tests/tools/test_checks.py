"""Each checker passes a small clean tree, and fails once a violation is planted in it."""
import json
import os
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import check_floors  # noqa: E402

CLEAN = {
    "src/base/memory.h": "int mote_mem(void);\n",
    "src/base/memory/memory_libc.c": '#include "base/memory.h"\n#include <stdlib.h>\n'
                         "int mote_mem(void)\n{\n  free(malloc(3));\n  return 0;\n}\n",
    "src/net/conn.h": '#include "base/memory.h"\nint mote_conn(int a);\n',
    "src/net/conn.c": '#include "net/conn.h"\nint mote_conn(int a)\n{\n  if(a && "{")\n    return mote_mem();\n'
                      "  return 1;\n}\n",
    "src/api/easy/easy.c": '#include "net/conn.h"\nint curl_easy_init(void);\nint curl_easy_init(void)\n{\n'
                      "  return mote_conn(1);\n}\n",
    "src/tool/main.c": "int main(void);\nint main(void)\n{\n  return 0;\n}\n",
}
OBJECTS = "build/CMakeFiles/mote_objects.dir/"


def plant(tmp_path, extra=None):
    for path, text in {**CLEAN, **(extra or {})}.items():
        f = tmp_path / path
        f.parent.mkdir(parents=True, exist_ok=True)
        f.write_text(text)
    return tmp_path


def compile_tree(tree):
    for base, _, names in os.walk(tree / "src"):
        for name in names:
            if name.endswith(".c"):
                src = os.path.relpath(os.path.join(base, name), tree)
                obj = tree / OBJECTS / (src + ".o")
                obj.parent.mkdir(parents=True, exist_ok=True)
                subprocess.run(["gcc", "-w", "-O0", "-I", tree / "src", "-c", tree / src, "-o", obj], check=True)


def run(tool, tree, *args):
    p = subprocess.run([sys.executable, os.path.join(ROOT, "tools", tool), "--root", str(tree), *args],
                       capture_output=True, text=True)
    assert "Traceback" not in p.stderr, p.stderr
    return p.returncode, p.stdout


def test_floors_clean(tmp_path):
    rc, out = run("check_floors.py", plant(tmp_path))
    assert rc == 0 and out.startswith("6 files, 0 objects, 0 known breaches, 0 violations; no objects")
    compile_tree(tmp_path)
    rc, out = run("check_floors.py", tmp_path, "--build", str(tmp_path / "build"))
    assert (rc, out) == (0, "6 files, 4 objects, 0 known breaches, 0 violations\n")


@pytest.mark.parametrize("path, include, told", [
    ("src/base/text.c", "net/conn.h", "floor 1"),
    ("src/net/names/names.c", "transfer/multi/multi.h", "floor 2"),
    ("src/codec/url/url.c", "net/conn.h", "sibling"),
    ("src/stream/socks.c", "transfer/multi/multi.h", "floor 2"),
    ("src/transfer/run.c", "small/one.h", "no folder includes small/"),
    ("src/transfer/run.c", "connect/dial/dial.h", "floor 3"),
    ("src/protocol/ftp/ftp.c", "protocol/mail/mail.h", "a room of its own"),
    ("src/tool/main.c", "base/memory.h", "public interface"),
    ("src/net/names/names.c", "net/nowhere.h", "no header of ours"),
    ("src/lost/names.c", "net/conn.h", "no floor"),
])
def test_floors_planted(tmp_path, path, include, told):
    extra = {path: f'#include "{include}"\n', "src/transfer/multi/multi.h": "extern int mote_multi;\n",
             **{f"src/{h}": "extern int mote_one;\n" for h in
                ("small/one.h", "connect/dial/dial.h", "protocol/mail/mail.h")}}
    rc, out = run("check_floors.py", plant(tmp_path, extra))
    assert rc == 1 and told in out and "1 violations" in out


@pytest.mark.parametrize("path, include", [
    ("src/connect/dial/dial.c", "transfer/multi/multi.h"),
    ("src/engine/start.c", "connect/dial/dial.h"),
    ("src/protocol/http2/h2.c", "protocol/http1/h1.h"),
    ("src/protocol/ftp/ftp.c", "protocol/body.h"),
    ("src/protocol/http1/h1.c", "http/fields.h"),
    ("src/small/one.c", "transfer/multi/multi.h"),
    ("src/small/one.c", "api/easy/easy.h"),
    ("src/auth/basic.c", "base/memory.h"),
])
def test_floors_allowed(tmp_path, path, include):
    extra = {f"src/{h}": "extern int mote_h;\n" for h in
             ("transfer/multi/multi.h", "connect/dial/dial.h", "http/fields.h", "api/easy/easy.h", "protocol/http1/h1.h",
              "protocol/body.h")}
    rc, out = run("check_floors.py", plant(tmp_path, {**extra, path: f'#include "{include}"\n'}))
    assert rc == 0, out


def floors(tree, extra, known=None):
    """The check on a tree with objects, and with lines of known breaches."""
    if known is not None:
        extra = {**extra, "tools/floors_open.tsv": "# known\n" + "".join("\t".join(x) + "\n" for x in known)}
    plant(tree, extra)
    compile_tree(tree)
    return run("check_floors.py", tree, "--build", str(tree / "build"))


def calls(own, *others):
    """A file that defines one function, which calls those of other files."""
    return ("".join(f"int {x}(void);\n" for x in others)
            + f"int {own}(void);\nint {own}(void)\n{{\n  return 0{''.join(f' + {x}()' for x in others)};\n}}\n")


UP = ("src/transfer/run.c", "up", "src/api/easy/easy.c", "planted")
SIDE = ("src/codec/url/url.c", "up", "src/net/conn.c", "planted")


@pytest.mark.parametrize("extra, line, told", [
    ({"src/transfer/run.c": calls("mote_run", "curl_easy_init")}, UP, "curl_easy_init), which is not below it"),
    ({"src/codec/url/url.c": calls("mote_url", "mote_conn")}, SIDE, "src/codec/url/url.c: calls src/net/conn.c (mote_conn)"),
    ({"src/tool/main.c": calls("main", "mote_conn")}, ("src/tool/main.c", "up", "src/net/conn.c", "planted"),
     "src/tool/main.c: calls src/net/conn.c"),
])
def test_floors_call_upwards(tmp_path, extra, line, told):
    rc, out = floors(tmp_path, extra)
    assert rc == 1 and told in out and "1 violations" in out
    rc, out = floors(tmp_path, extra, [line])
    assert rc == 0, out
    rc, out = floors(tmp_path, {path: calls("mote_none") if path != "src/tool/main.c" else CLEAN[path]
                                for path in extra})
    assert rc == 1 and f"{line[0]} up {line[2]}: no longer so" in out


def test_floors_calls_allowed(tmp_path):
    rc, out = floors(tmp_path, {
        "src/tool/main.c": calls("main", "curl_easy_init"),
        "src/engine/states.c": calls("mote_run", "mote_dial", "mote_small"),
        "src/connect/dial/dial.c": calls("mote_dial", "mote_mem"),
        "src/small/one.c": calls("mote_small", "mote_conn")})
    assert rc == 0, out


CIRCLE = {"src/net/a.c": calls("mote_a", "mote_b"), "src/net/b.c": calls("mote_b", "mote_c"),
          "src/net/c.c": calls("mote_c", "mote_a")}


def test_floors_circle(tmp_path):
    known = [("src/net/c.c", "circle", "src/net/a.c", "planted")]
    rc, out = floors(tmp_path, CIRCLE)
    told = "a circle of files: src/net/b.c -> src/net/c.c (mote_c) -> src/net/a.c (mote_a) -> src/net/b.c (mote_b)"
    assert rc == 1 and told in out and "1 violations" in out
    rc, out = floors(tmp_path, {}, known)
    assert rc == 0, out
    # a second circle through the same files needs a line of its own
    more = {"src/net/b.c": calls("mote_b", "mote_c", "mote_a")}
    rc, out = floors(tmp_path, more)
    assert rc == 1 and "src/net/b.c -> src/net/a.c (mote_a) -> src/net/b.c (mote_b)" in out
    # and a line that closes no circle is one too many
    rc, out = floors(tmp_path, {**CIRCLE, "src/net/b.c": calls("mote_b")})
    assert rc == 1 and "src/net/c.c circle src/net/a.c: no longer so" in out and "1 violations" in out
    rc, out = floors(tmp_path, CIRCLE, [*known, ("src/net/a.c", "circle", "src/net/b.c", "planted")])
    assert rc == 1 and "no longer so" in out


def test_floors_circle_of_headers(tmp_path):
    extra = {"src/net/a.h": '#include "net/b.h"\n', "src/net/b.h": '#include "net/a.h"\n'}
    rc, out = run("check_floors.py", plant(tmp_path, extra))
    assert rc == 1 and "a circle of files: src/net/b.h -> src/net/a.h" in out


OVERLAY = "src/small/overlay/"
GUARDED = "#ifndef MOTE_NET_POOL_H\n#define MOTE_NET_POOL_H\nextern int mote_pool;\n#endif\n"


def guarded(*names):
    return "".join(f'#include "{n}"\n' for n in names) + GUARDED


@pytest.mark.parametrize("extra, told", [
    ({OVERLAY + "net/pool.h": guarded("base/memory.h")}, None),
    ({OVERLAY + "net/gone.h": GUARDED}, "there is no header src/net/gone.h"),
    ({OVERLAY + "net/pool.h": GUARDED.replace("POOL", "POOLS")}, "its guard is not that of src/net/pool.h"),
    ({OVERLAY + "net/pool.h": guarded("transfer/run.h"), "src/transfer/run.h": "extern int mote_r;\n"}, "floor 2"),
    ({OVERLAY + "net/pool.h": guarded("net/a.h"), "src/net/a.h": '#include "net/pool.h"\n'}, "a circle of headers"),
])
def test_floors_overlays(tmp_path, extra, told):
    """A header of part small has the place of the one that it stands in for."""
    rc, out = run("check_floors.py", plant(tmp_path, {"src/net/pool.h": GUARDED, **extra}))
    assert rc == 0 if not told else rc == 1 and told in out and "1 violations" in out, out


def test_floors_row_is_no_call(tmp_path):
    """The table that the build writes names files of all floors. A file that reads the table calls none of them."""
    plant(tmp_path, {"src/net/rows.c": calls("mote_rows", "mote_table")})
    table = tmp_path / OBJECTS / "parts/tables.c.o"
    table.parent.mkdir(parents=True)
    (tmp_path / "tables.c").write_text(calls("mote_table", "curl_easy_init"))
    subprocess.run(["gcc", "-w", "-c", tmp_path / "tables.c", "-o", table], check=True)
    rc, out = floors(tmp_path, {})
    assert rc == 0, out


def test_floors_object_that_is_no_longer_built(tmp_path):
    """An object that an older build has left counts no more than its source, which the build has not."""
    floors(tmp_path, {"src/transfer/run.c": calls("mote_run", "curl_easy_init")})
    commands = [{"command": f"cc -o {OBJECTS.removeprefix('build/')}{p}.o -c {p}"} for p in CLEAN if p.endswith(".c")]
    (tmp_path / "build/compile_commands.json").write_text(json.dumps(commands))
    rc, out = run("check_floors.py", tmp_path, "--build", str(tmp_path / "build"))
    assert rc == 0 and "4 objects" in out, out


def test_floors_includes(tmp_path):
    extra = {f"src/base/h{i}.h": "extern int mote_h;\n" for i in range(13)}
    lines = [f'#include "base/h{i}.h"\n' for i in range(13)]
    extra.update({"src/net/far.c": "".join(lines), "src/net/near.c": "#include <stdio.h>\n" + "".join(lines[:12])})
    known = ("src/net/far.c", "includes", "13", "planted")
    rc, out = floors(tmp_path, extra)
    assert rc == 1 and "src/net/far.c: includes 13 of our headers" in out and "near.c" not in out
    assert floors(tmp_path, {}, [known])[0] == 0
    rc, out = floors(tmp_path, {"src/net/far.c": "".join(lines[:12])})
    assert rc == 1 and "src/net/far.c includes 13: no longer so" in out


def test_floors_reaches(tmp_path):
    """A header that brings others does not make a file know less."""
    most = check_floors.REACHES
    extra = {f"src/base/h{i}.h": f'#include "base/h{i + 1}.h"\n' for i in range(most)}
    extra.update({f"src/base/h{most}.h": "extern int mote_h;\n", "src/net/far.c": '#include "base/h0.h"\n',
                  "src/net/near.c": '#include "base/h1.h"\n'})
    known = ("src/net/far.c", "reaches", str(most + 1), "planted")
    rc, out = floors(tmp_path, extra)
    assert rc == 1 and f"src/net/far.c: reaches {most + 1} of our headers" in out and "near.c" not in out
    assert floors(tmp_path, {}, [known])[0] == 0
    rc, out = floors(tmp_path, {"src/net/far.c": '#include "base/h1.h"\n'})
    assert rc == 1 and f"src/net/far.c reaches {most + 1}: no longer so" in out


@pytest.mark.parametrize("line", ["src/net/far.c\tincludes\t9", "src/net/far.c\tmany\t9\tplanted",
                                  "src/net/far.c\tincludes\t9\t"])
def test_floors_known_without_reason(tmp_path, line):
    rc, out = run("check_floors.py", plant(tmp_path, {"tools/floors_open.tsv": line + "\n"}))
    assert rc == 1 and "tools/floors_open.tsv:1: a line is path, kind" in out


def test_floors_no_objects(tmp_path):
    rc, out = run("check_floors.py", plant(tmp_path), "--build", str(tmp_path / "build"))
    assert rc == 1 and "no object files" in out


def test_floors_nothing(tmp_path):
    assert run("check_floors.py", tmp_path)[0] == 1


def body(lines):
    return "int mote_f(int a);\nint mote_f(int a)\n{\n" + "".join(lines) + "  return a;\n}\n"


@pytest.mark.parametrize("text, told", [
    (body(["  a++;\n"] * 97), "mote_f() has 101 lines"),
    (body(["  if(a && a > 1 || a < 3)\n    a++;\n"] * 9), "complexity 28"),
    (body(["#ifdef FEATURE\n", "  a++;\n", "#endif\n"]), "#if inside mote_f()"),
    ("\n#if defined(X) && \\\n  MOTE_HAS_FILE\nint x;\n#endif\n", "planted.c:2: #if about a part"),
    ("int mote_a = MOTE_HAS_SMALL;\n", "planted.c: asks for part small"),
    (body(["  a++;\n"] * 5) + "/* x */\n" * 700, "at most 700"),
    (body(["\ta++;\n"]), "tab"),
    (body(["  a = " + "1 + " * 30 + "1;\n"]), "columns"),
])
def test_form_planted(tmp_path, text, told):
    rc, out = run("check_form.py", plant(tmp_path, {"src/net/planted.c": text}))
    assert rc == 1 and told in out and ", 1 violations" in out


def test_form_local_names(tmp_path):
    text = "static int put(int a)\n{\n  return a;\n}\n"
    rc, out = run("check_form.py", plant(tmp_path, {"src/net/planted.c": text}))
    assert rc == 0, out
    rc, out = run("check_form.py", plant(tmp_path, {"src/codec/planted.c": text}))
    assert rc == 1 and "src/codec/planted.c: put() is local to src/net/planted.c, too" in out


@pytest.mark.parametrize("line", ["r->got_bytes = a;", "t->run->response.got_bytes |= 1;", "r->size_up++;", "t->run->lease.phase = 1;"])
def test_form_writers(tmp_path, line):
    rc, out = run("check_form.py", plant(tmp_path, {"src/net/planted.c": body([f"  {line}\n"])}))
    assert rc == 1 and " is written in src/transfer/" in out


@pytest.mark.parametrize("line", ["a = r->got_bytes == a;", "struct s s = {.size_up = r->size_up};"])
def test_form_writers_read(tmp_path, line):
    rc, out = run("check_form.py", plant(tmp_path, {"src/net/planted.c": body([f"  {line}\n"])}))
    assert rc == 0, out


@pytest.mark.parametrize("text", [
    body(["  a++;\n"] * 96),
    body(["  a = '{' + '\"'; /* if { */\n", '  a += "if(a) {" [0]; // for(;;) {\n'] * 20),
    "#ifdef X\nint mote_g(void)\n{\n  return 1;\n}\n#else\nint mote_g(void)\n{\n  return 2;\n}\n#endif\n",
    "#ifdef X\nint mote_a = MOTE_HAS_FILE; /* MOTE_HAS_SMALL */\n#endif\n",
    "static const struct s { int a; } table[] = {\n" + "  { 1 },\n" * 200 + "};\n",
])
def test_form_clean(tmp_path, text):
    rc, out = run("check_form.py", plant(tmp_path, {"src/net/planted.c": text}))
    assert rc == 0, out


@pytest.mark.parametrize("path, text, word", [
    ("src/net/planted.c", "/* Nobody reads this. */\n", "nobody"),
    ("src/net/planted.c", "/* The peer asks once\n * more. */\n", "once more"),
    ("src/net/planted.c", 'static const char *x = "it is of no "\n  "use";\n', "of no use"),
    ("src/net/planted.c", "static int tell_failed;\n", "tell"),
    ("docs/page.md", "What the library told the server.\n", "told"),
    ("tools/new.py", "# what stands behind it\n", "behind"),
    ("include/mote/mote.h", "/* The server tells its name. */\n", "tells"),
])
def test_form_words(tmp_path, path, text, word):
    rc, out = run("check_form.py", plant(tmp_path, {path: text}))
    assert rc == 1 and f"{path}:1: '{word}' is refused" in out and ", 1 violations" in out
    known = f"# known\n{os.path.dirname(path)}\t{word}\n"
    rc, out = run("check_form.py", plant(tmp_path, {"tools/words_open.tsv": known}))
    assert rc == 0, out
    rc, out = run("check_form.py", plant(tmp_path, {path: "\n"}))
    assert rc == 1 and f"{os.path.dirname(path)} has '{word}' no longer" in out


@pytest.mark.parametrize("named, missing", [
    ("tests/unit/net/test_planted.c, test_gone.c", "tests/unit/net/test_gone.c"),
    ("tests/e2e/test_planted.py, tests/unit/gone", "tests/unit/gone"),
    ("tests/unit/net/test_planted.c,\n *          tests/unit/net/test_gone.c", "tests/unit/net/test_gone.c"),
    ("tests/unit/net/test_g*.c, which fail", "tests/unit/net/test_g*.c"),
    ("tests/unit/net/test_*.c, tests/e2e (end to end)\n * Errors:  what test_gone.c sees", None),
    ("none, since they would need a terminal", None),
])
def test_form_tests_that_heads_name(tmp_path, named, missing):
    head = f"/* net/planted.h: planted.\n *\n * Tests:   {named} */\n"
    rc, out = run("check_form.py", plant(tmp_path, {"src/net/planted.h": head, "tests/unit/net/test_planted.c": "\n",
                                                    "tests/e2e/test_planted.py": "\n"}))
    if missing:
        assert rc == 1 and f"src/net/planted.h:3: there is no {missing}," in out and ", 1 violations" in out
    else:
        assert rc == 0, out


def test_form_sources_that_comments_name(tmp_path):
    text = "/* net/conn.c calls src/base/memory.h and net/*.c, parts.h and\n * net/gone.c */\n#include \"net/other.c\"\n"
    rc, out = run("check_form.py", plant(tmp_path, {"src/net/planted.c": text}))
    assert rc == 1 and "src/net/planted.c:2: there is no net/gone.c," in out and ", 1 violations" in out
    rc, out = run("check_form.py", plant(tmp_path, {"src/net/gone.c": "\n"}))
    assert rc == 0, out


def test_form_words_of_a_folder(tmp_path):
    """A line for one file holds for that file alone, and takes it out of the line for its folder."""
    plant(tmp_path, {"docs/page.md": "told\n", "docs/design.md": "nobody\n", "src/net/a.c": "/* Retold by tellers. */\n"})
    plant(tmp_path, {"tools/words_open.tsv": "docs\ttold\ndocs/design.md\tnobody\n"})
    rc, out = run("check_form.py", tmp_path)
    assert rc == 0, out
    rc, out = run("check_form.py", plant(tmp_path, {"docs/page.md": "told, nobody\n"}))
    assert rc == 1 and "docs/page.md:1: 'nobody'" in out and ", 1 violations" in out


@pytest.mark.parametrize("path, text, told", [
    ("src/net/planted.c", "int helper(void)\n{\n  return 1;\n}\n", "symbol helper"),
    ("src/net/planted.c", "int curl_helper(void)\n{\n  return 1;\n}\n", "symbol curl_helper"),
    ("src/net/planted.c", "int main(void)\n{\n  return 1;\n}\n", "symbol main"),
])
def test_form_symbols(tmp_path, path, text, told):
    tree = plant(tmp_path)
    compile_tree(tree)
    assert run("check_form.py", tree, "--build", str(tree / "build"))[0] == 0
    plant(tmp_path, {path: text})
    compile_tree(tree)
    rc, out = run("check_form.py", tree, "--build", str(tree / "build"))
    assert rc == 1 and told in out


@pytest.mark.parametrize("size, rc", [(1000, 0), (3000, 1)])
def test_form_writable(tmp_path, size, rc):
    tree = plant(tmp_path)
    lib = tmp_path / "l.so"
    (tmp_path / "l.c").write_text(f"char data[{size}];\n")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", lib, tmp_path / "l.c"], check=True)
    got, out = run("check_form.py", tree, "--library", str(lib))
    assert got == rc and ("bytes of writable data" in out) == bool(rc)


@pytest.mark.parametrize("path, call, told", [
    ("src/net/planted.c", "malloc(3)", "uses malloc()"),
    ("src/net/planted.c", 'strdup("a")', "uses strdup()"),
    ("src/net/planted.c", "qsort(0, 0, 0, 0)", "uses qsort()"),
    ("src/net/planted.c", 'fopen("a", "r")', "uses fopen()"),
    ("src/base/memory/memory_libc.c", 'strdup("a")', "uses strdup()"),
    ("src/port/posix/file.c", "free(stdin)", "uses free()"),
    ("src/port/posix/file.c", 'fopen("a", "r")', None),
    ("src/tool/args.c", "calloc(1, 2)", "uses calloc()"),
    ("src/tool/memory.c", "calloc(1, 2)", None),
])
def test_seam_planted(tmp_path, path, call, told):
    text = f"#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\nvoid mote_x(void)\n{{\n  {call};\n}}\n"
    tree = plant(tmp_path, {path: text})
    compile_tree(tree)
    rc, out = run("check_seam.py", tree, "--build", str(tree / "build"))
    assert (rc == 1 and told in out) if told else rc == 0, out


def test_seam_nothing(tmp_path):
    assert run("check_seam.py", plant(tmp_path), "--build", str(tmp_path / "build"))[0] == 1


NODES = {"libmote.so": ("libmote.so.0", "MOTE_0"), "drop-in/libcurl.so.4": ("libcurl.so.4", "CURL_OPENSSL_4"),
         "drop-in/libcurl-gnutls.so.4": ("libcurl-gnutls.so.4", "CURL_GNUTLS_3")}


def link_libraries(tree, functions, nodes=None, nodelete=True, body="return 1;"):
    (tree / "exports").mkdir(exist_ok=True)
    (tree / "exports/functions.txt").write_text("# all\ncurl_a\nmote_b\n")
    (tree / "l.c").write_text("".join(f"int {f}(void)\n{{\n{body}\n}}\n" for f in functions))
    for path, (soname, node) in (nodes or NODES).items():
        out = tree / path
        out.parent.mkdir(exist_ok=True)
        (tree / "map").write_text(f"{node} {{ global: curl_*; local: bar; }};\nMOTE_0 {{ global: mote_*; }};\n"
                                  if node != "MOTE_0" else "MOTE_0 { global: curl_*; mote_*; };\n")
        subprocess.run(["gcc", "-shared", "-fPIC", f"-Wl,-soname,{soname}", f"-Wl,--version-script={tree}/map",
                        *(["-Wl,-z,nodelete"] if nodelete else []), "-o", out, tree / "l.c"], check=True)


def test_exports_undefined(tmp_path):
    link_libraries(tmp_path, ["curl_a", "mote_b"], body="extern int mote_gone(void);\nreturn mote_gone();")
    rc, out = run("check_exports.py", tmp_path, "--out", str(tmp_path))
    assert rc == 1 and "mote_gone is used and nowhere defined" in out


def test_exports_clean(tmp_path):
    link_libraries(tmp_path, ["curl_a", "mote_b"])
    rc, out = run("check_exports.py", tmp_path, "--out", str(tmp_path))
    assert rc == 0, out


@pytest.mark.parametrize("functions, nodes, nodelete, told", [
    (["curl_a"], None, True, "does not export mote_b"),
    (["curl_a", "mote_b", "mote_secret"], None, True, "exports mote_secret"),
    (["curl_a", "mote_b"], {**NODES, "drop-in/libcurl.so.4": ("libcurl.so.5", "CURL_OPENSSL_4")}, True, "soname"),
    (["curl_a", "mote_b"], {**NODES, "drop-in/libcurl.so.4": ("libcurl.so.4", "CURL_4")}, True, "has version 'CURL_4'"),
    (["curl_a", "mote_b"], None, False, "may be unloaded"),
])
def test_exports_planted(tmp_path, functions, nodes, nodelete, told):
    link_libraries(tmp_path, functions, nodes, nodelete)
    rc, out = run("check_exports.py", tmp_path, "--out", str(tmp_path))
    assert rc == 1 and told in out
