"""A build without parts that the command needs: there is the library, and no command that would not link."""
import os
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def configure(tmp_path, *options):
    p = subprocess.run(["cmake", "-S", ROOT, "-B", str(tmp_path), "-G", "Ninja", "-DMOTE_WERROR=ON", *options],
                       capture_output=True, text=True, timeout=600)
    assert p.returncode == 0, p.stderr
    all_of_it = subprocess.run(["ninja", "-C", str(tmp_path), "-t", "query", "all"], capture_output=True, text=True,
                               check=True, timeout=240).stdout.split()
    return p.stdout, all_of_it


@pytest.mark.parametrize("profile,named", [("mcu", "share"), ("tiny", "share")])
def test_no_command(tmp_path, profile, named):
    out, built = configure(tmp_path, f"-DMOTE_PROFILE={profile}")
    line = [x for x in out.splitlines() if "The command is not built" in x]
    assert len(line) == 1 and named in line[0]
    assert "mote" not in built and "libmote.a" in built


def test_command_of_a_smaller_build(tmp_path):
    out, built = configure(tmp_path, "-DMOTE_PROFILE=http")
    assert "The command is not built" not in out
    assert "mote" in built
