"""What the newest command asks of its library, call by call. It sets options in order and stops at the first error: an
option that is refused would take its TLS options with it."""

import os
import subprocess
import sys

import pytest

from mote_driver import LIBRARY, REPO, SANITIZED, SYSTEM
from server import Serve, response

TABLE = os.path.join(REPO, "tests", "interface", "tables", "newest_command.tsv")
LIB = os.path.join(LIBRARY, "libcurl.so.4")
# What asks for a part that is not built in; every other call is accepted, or asks for nothing
REFUSED = {}


def sequences():
    """Command line and its calls; '-' and '+' rows are applied to the first one's."""
    found = []
    with open(TABLE, encoding="utf-8") as f:
        for line in f.read().splitlines():
            if line.startswith("## "):
                found.append((line[3:], list(found[0][1]) if found else []))
            elif line.startswith("-\t") and found:
                row = line[2:].split("\t")
                found[-1][1].remove(row)
            elif not line.startswith("#"):
                row = line.split("\t")
                found[-1][1].append(row[1:] if row[0] == "+" else row)
    return found


COMMANDS = sequences()


@pytest.fixture
def replay(tmp_path, server):
    def run(calls, url=None):
        server.default(Serve(lambda request, peer: response(200, b"x")))
        (tmp_path / "j").write_text("127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\n")
        (tmp_path / ".netrc").write_text("machine 127.0.0.1 login u password p\n")
        env = dict(os.environ, LD_LIBRARY_PATH=LIBRARY, HOME=str(tmp_path))
        if SANITIZED:  # the interpreter is not sanitized, and what it keeps to its end is no leak of ours
            env.update(LD_PRELOAD=SANITIZED, ASAN_OPTIONS="detect_leaks=0")
        script = os.path.join(os.path.dirname(__file__), "replay.py")
        done = subprocess.run([sys.executable, script, LIB if LIBRARY else "libcurl.so.4", url or server.url()],
                              input="".join("\t".join(c[:3]) + "\n" for c in calls), env=env, cwd=tmp_path,
                              capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        rows = [line.split("\t") for line in done.stdout.splitlines()]
        return rows[:-1], int(rows[-1][1]), rows[-1][2]

    return run


@pytest.mark.skipif(SYSTEM and not LIBRARY, reason="Debian's libcurl is older than the command")
@pytest.mark.parametrize("line,calls", COMMANDS, ids=[line for line, _ in COMMANDS])
def test_every_call_is_accepted_or_ends_the_transfer(replay, server, line, calls):
    answers, code, text = replay(calls, None if "http://HOST" in line else "http://127.0.0.1:1/")
    missing = None if SYSTEM else next((option for arg, option in REFUSED.items() if arg in line.split()), None)
    for got, row in zip(answers, calls):
        accepted = got[3] == "0" or (SYSTEM and got[3] == row[3])
        assert accepted or row[1] == missing, got
    if missing:
        assert code == 4 and text and not server.asked()
    elif "http://HOST" in line:
        assert code == 0 and server.asked(), text


def test_the_default_options_are_all_accepted(replay, ours_only):
    """Before, the first one that was refused took those after it with it."""
    ours_only("Debian's libcurl is older than the command")
    answers, code, _ = replay(COMMANDS[0][1])
    assert [a for a in answers if a[3] != "0"] == []
    assert code == 0
