"""The figures of the library's form: what is counted on small texts, what is run on the library itself."""
import os
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import shape  # noqa: E402


@pytest.mark.parametrize("text, lines", [
    ("int a;\n", 0),
    ("#if MOTE_HAS_A\nint a;\n#endif\n", 0),
    ("#if MOTE_HAS_A\nint a;\n#else\nint b;\nint c;\n#endif\n", 3),
    ("#if !MOTE_HAS_A\nint a;\n#endif\nint b;\n", 2),
    ("#if !MOTE_HAS_A\nint a;\n#else\nint b;\n#endif\n", 2),
    ("#ifdef __linux__\nint a;\n#else\nint b;\n#endif\n", 0),
    ("#if MOTE_HAS_A\n#ifdef X\nint a;\n#else\nint b;\n#endif\n#else\nint c;\n#endif\n", 2),
    ("#if MOTE_HAS_A || MOTE_HAS_B\nint a;\n#else\nint b;\n#endif\n", 2),
])
def test_stub_lines(text, lines):
    assert shape.stub_lines(text) == lines


def test_percentile():
    assert [shape.percentile([3, 1, 2, 10], p) for p in (0, 50, 90, 99)] == [1, 3, 10, 10]


@pytest.mark.check_all  # it compiles the library for itself
def test_table():
    """Each way begins and ends where it should, and passes the files that it must pass."""
    p = subprocess.run([sys.executable, os.path.join(ROOT, "tools/shape.py"), "--list"], capture_output=True, text=True)
    assert p.returncode == 0, p.stderr
    table, *lists = p.stdout.split("\n\n")
    assert ".c files of the library, and their lines" in table and "calls upwards" in table
    ways = {name: text for name, _, text in (x.partition("\n") for x in lists)}
    url, body = ways["the way of a URL"], ways["the way of a body byte, Content-Length"]
    assert "curl_easy_setopt" in url and "src/port/posix/socket.c" in url
    assert "mote_port_recv" in body and "mote_port_send" not in body
    assert "mote_chunked_feed" in ways["the way of a body byte, chunked"] and "chunked" not in body
