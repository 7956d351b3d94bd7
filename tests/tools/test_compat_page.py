"""docs/compat.md is what the table of options makes of it; what is wrong in the table does not become a page."""
import os
import shutil
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
READS = ("tools/gen_compat.py", "docs/compat.md", "src/transfer/options/option_rows.inc",
         "tests/interface/tables/easy_options.tsv")


def generate(root, *args):
    return subprocess.run([sys.executable, os.path.join(root, "tools", "gen_compat.py"), *args],
                          capture_output=True, text=True)


def test_page_is_up_to_date():
    p = generate(ROOT, "--check")
    assert p.returncode == 0, p.stderr


@pytest.fixture
def copy(tmp_path):
    for name in READS:
        os.makedirs(os.path.dirname(tmp_path / name), exist_ok=True)
        shutil.copy(os.path.join(ROOT, name), tmp_path / name)
    for folder in ("api", "connect", "engine", "http", "protocol", "transfer"):
        if os.path.isdir(os.path.join(ROOT, "src", folder)):
            shutil.copytree(os.path.join(ROOT, "src", folder), tmp_path / "src" / folder, dirs_exist_ok=True)
    return tmp_path


@pytest.mark.parametrize("old, new, complaint", [
    ("  HAVE(PORT, LONG, PORT, NOT_SMALL, ROUTE, 0)\n", "", "no row for PORT"),
    ("  HAVE(PORT,", "   HAVE(PORT,", "no row for PORT"),
    ("  /* the library uses no signals */\n", "", "why is it accepted"),
    ("  REFUSE(ECH,", "  HAVE(ECH,", "ECH is said to work"),
    ("  REFUSE(ECH,", "  /* why */\n  HARMLESS(ECH,", "not up to date"),
    ("  HAVE(MAXREDIRS, LONG, REDIRS, EVERY, NEVER, MOTE_MAX_REDIRECTS)", "  HAVE(MAXREDIRS, LONG, REDIRS, EVERY, NEVER, 31)", "not up to date"),
])
def test_a_wrong_table_is_refused(copy, old, new, complaint):
    path = copy / "src/transfer/options/option_rows.inc"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    p = generate(copy, "--check")
    assert p.returncode != 0 and complaint in p.stderr
