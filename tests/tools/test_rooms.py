"""What a reader meets in a room, counted on small texts (tools/rooms.py)."""
import os
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import check_floors  # noqa: E402
import check_form  # noqa: E402
import rooms  # noqa: E402


def test_shared_names():
    codes = {"a.c": "static int put(int a)\n{\n}\nint mote_get(void)\n{\n}\nstatic int cut(void);\n",
             "b.c": "static void put(void)\n{\n}\nstatic int mote_get(void)\n{\n}\n", "c.c": "static int cut(int (*f)(int))\n{\n}\n"}
    assert rooms.shared_names(codes) == ({"put": ["a.c", "b.c"]}, 4)


@pytest.mark.parametrize("words, count", [
    ("void", 0), ("", 0), ("int a", 1), ("int a,\n  char *b", 2), ("int (*f)(int, int), void *p", 2)])
def test_parameters(words, count):
    assert rooms.parameters(words) == count


def test_long_lists():
    code = "int mote_f(int a, int b, int c)\n{\n  g(a, b, c, 1, 2);\n}\nint mote_g(int a)\n{\n}\n"
    assert rooms.long_lists({"a.c": code}, 2) == ["a.c: mote_f (3)"]


def test_loops():
    code = ("static void f(void)\n{\n  while(1)\n    mote_conn_read(c);\n}\nstatic void g(void)\n{\n  mote_conn_read(c);\n}\n"
            "static void h(void)\n{\n  do\n    mote_conn_send(c);\n  while(1);\n}\n")
    assert rooms.loops({"a.c": code}, check_form.functions) == {"receiving": ["a.c: f"], "sending": ["a.c: h"]}


def test_headers_and_conditions(tmp_path):
    files = {"src/net/a.c": '#include "net/a.h"\n', "src/net/a.h": '#include "base/b.h"\n',
             "src/base/b.h": "#if !MOTE_HAS_SMALL\nint b;\n#endif\n/* MOTE_HAS_SMALL */\nint c = MOTE_HAS_SMALL;\n",
             "src/small/s.c": "#if MOTE_HAS_SMALL\n#endif\n",
             "src/net/names/c.c": "int c;\n"}
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    tree = check_floors.Tree(str(tmp_path))
    assert rooms.headers_reached(tree, ["src/net/a.c", "src/net/names/c.c"]) == {"net": [2], "net/names": [0]}
    assert rooms.asks_for_small(str(tmp_path), tree.files) == {"src/base/b.h": 2}
    assert rooms.circles_of_folders(tree) == []
    (tmp_path / "src/base/b.h").write_text('#include "net/a.h"\n')
    assert rooms.circles_of_folders(check_floors.Tree(str(tmp_path))) == [["base", "net"]]
