"""Each checker passes a small clean tree, and fails once a violation is planted in it."""
import os
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLEAN = {
    "src/base/memory.h": "int mote_mem(void);\n",
    "src/base/memory_libc.c": '#include "base/memory.h"\n#include <stdlib.h>\n'
                         "int mote_mem(void)\n{\n  free(malloc(3));\n  return 0;\n}\n",
    "src/net/conn.h": '#include "base/memory.h"\nint mote_conn(int a);\n',
    "src/net/conn.c": '#include "net/conn.h"\nint mote_conn(int a)\n{\n  if(a && "{")\n    return mote_mem();\n'
                      "  return 1;\n}\n",
    "src/api/easy.c": '#include "net/conn.h"\nint curl_easy_init(void);\nint curl_easy_init(void)\n{\n'
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
    assert (rc, out) == (0, "6 files, 0 violations\n")


@pytest.mark.parametrize("path, include, told", [
    ("src/base/text.c", "net/conn.h", "floor 1"),
    ("src/net/names.c", "transfer/multi.h", "floor 2"),
    ("src/codec/url.c", "net/conn.h", "sibling"),
    ("src/tool/main.c", "base/memory.h", "public interface"),
    ("src/net/names.c", "net/nowhere.h", "no header of ours"),
    ("src/lost/names.c", "net/conn.h", "no floor"),
])
def test_floors_planted(tmp_path, path, include, told):
    extra = {path: f'#include "{include}"\n', "src/transfer/multi.h": "extern int mote_multi;\n"}
    rc, out = run("check_floors.py", plant(tmp_path, extra))
    assert rc == 1 and told in out and "1 violations" in out


def test_floors_reach(tmp_path):
    extra = {f"src/base/h{i}.h": f'#include "base/h{i + 1}.h"\n' for i in range(21)}
    extra.update({"src/base/h21.h": "\n", "src/net/far.c": '#include "base/h0.h"\n',
                  "src/net/near.c": '#include "base/h2.h"\n'})
    rc, out = run("check_floors.py", plant(tmp_path, extra))
    assert rc == 1 and "src/net/far.c: reaches 22" in out and "near.c" not in out


def test_floors_nothing(tmp_path):
    assert run("check_floors.py", tmp_path)[0] == 1


def body(lines):
    return "int mote_f(int a);\nint mote_f(int a)\n{\n" + "".join(lines) + "  return a;\n}\n"


@pytest.mark.parametrize("text, told", [
    (body(["  a++;\n"] * 97), "mote_f() has 101 lines"),
    (body(["  if(a && a > 1 || a < 3)\n    a++;\n"] * 9), "complexity 28"),
    (body(["#ifdef FEATURE\n", "  a++;\n", "#endif\n"]), "#if inside mote_f()"),
    (body(["  a++;\n"] * 5) + "/* x */\n" * 700, "at most 700"),
    (body(["\ta++;\n"]), "tab"),
    (body(["  a = " + "1 + " * 30 + "1;\n"]), "columns"),
])
def test_form_planted(tmp_path, text, told):
    rc, out = run("check_form.py", plant(tmp_path, {"src/net/planted.c": text}))
    assert rc == 1 and told in out and ", 1 violations" in out


@pytest.mark.parametrize("text", [
    body(["  a++;\n"] * 96),
    body(["  a = '{' + '\"'; /* if { */\n", '  a += "if(a) {" [0]; // for(;;) {\n'] * 20),
    "#ifdef X\nint mote_g(void)\n{\n  return 1;\n}\n#else\nint mote_g(void)\n{\n  return 2;\n}\n#endif\n",
    "static const struct s { int a; } table[] = {\n" + "  { 1 },\n" * 200 + "};\n",
])
def test_form_clean(tmp_path, text):
    rc, out = run("check_form.py", plant(tmp_path, {"src/net/planted.c": text}))
    assert rc == 0, out


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
    ("src/base/memory_libc.c", 'strdup("a")', "uses strdup()"),
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
