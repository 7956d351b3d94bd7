"""docs/compat-info.md is what the table of curl_easy_getinfo() makes of it, and the table has every info."""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def test_page_is_up_to_date():
    p = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "gen_info.py"), "--check"],
                       capture_output=True, text=True)
    assert p.returncode == 0, p.stderr
