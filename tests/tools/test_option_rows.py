"""src/transfer/options/option_rows.inc: a row that lacks an answer, or has a wrong one, does not compile."""
import os
import re
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROWS = os.path.join("src", "transfer", "options", "option_rows.inc")
GENERATE = ["cmake", "-DPROFILE=full", "-P", os.path.join(ROOT, "cmake", "generate.cmake")]
ROW = re.compile(r"^  (HAVE|HARMLESS|LACK|REFUSE)\((.*)\)$", re.M)
COLUMNS = ("name", "type", "rule", "part", "identity", "default")


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    out = str(tmp_path_factory.mktemp("parts"))
    subprocess.run([GENERATE[0], f"-DOUT={out}", *GENERATE[1:]], check=True, capture_output=True, cwd=ROOT)
    return out


def compiles(parts, folder, text):
    """Whether transfer/options/option_rows.c does with this text in the place of the rows."""
    path = folder / "transfer" / "options" / "option_rows.inc"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    p = subprocess.run(["cc", "-std=c11", "-fsyntax-only", f"-I{folder}", f"-I{parts}", "-Isrc", "-Iinclude",
                        "-DMOTE_BUILDING", "src/transfer/options/option_rows.c"], cwd=ROOT, capture_output=True, text=True)
    return p.returncode == 0


def rows():
    with open(os.path.join(ROOT, ROWS), encoding="utf-8") as f:
        return f.read()


MACROS = sorted({m.group(1) for m in ROW.finditer(rows())})


def test_the_rows_as_they_are(parts, tmp_path):
    assert compiles(parts, tmp_path, rows())


@pytest.mark.parametrize("macro", MACROS)
@pytest.mark.parametrize("column", COLUMNS)
def test_a_column_without_an_answer(parts, tmp_path, macro, column):
    text = rows()
    m = next(m for m in ROW.finditer(text) if m.group(1) == macro)
    fields = m.group(2).split(", ")
    assert len(fields) == len(COLUMNS)
    fields[COLUMNS.index(column)] = ""
    assert not compiles(parts, tmp_path, text[:m.start(2)] + ", ".join(fields) + text[m.end(2):])


@pytest.mark.parametrize("old, new", [
    ("HAVE(PORT, LONG, PORT,", "HAVE(PORT, LONG, PROT,"),
    ("HAVE(PORT, LONG,", "HAVE(PORT, NUMBER,"),
    ("HAVE(SHARE, OBJECT, SHARE, SHARE,", "HAVE(SHARE, OBJECT, SHARE, SHARES,"),
    ("HAVE(INTERFACE, STRING, INTERFACE, INTERFACES, ALWAYS,", "HAVE(INTERFACE, STRING, INTERFACE, INTERFACES,"),
    ("INTERFACES, ALWAYS,", "INTERFACES, SOMETIMES,"),
    ("WITH(LOCALPORTRANGE, LOCALPORT)", "WITH(LOCALPORTRANGE, PORTS)"),
])
def test_a_wrong_answer(parts, tmp_path, old, new):
    text = rows()
    assert old in text
    assert not compiles(parts, tmp_path, text.replace(old, new))
