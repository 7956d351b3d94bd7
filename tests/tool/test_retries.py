"""--retry: what is made again, and what becomes of what was written and read before."""
import os
import re
import subprocess
import sys

import pytest
from conftest import MOTE
from server import BIG, TEXT

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from command_server import Command  # noqa: E402
from ftp_server import QUIT, Give, Passive, login  # noqa: E402
from script import ScriptServer  # noqa: E402


AGAIN = ["--retry-delay", "0.1", "--retry-all-errors"]
OLD = bytes(range(65, 91)) * 4


def test_retry_resumes_where_the_transfer_broke(tool):
    r = tool.mote("-s", "--retry", "2", "--retry-delay", "1", "--retry-all-errors", "-o", "f", "{U}/breaks")
    assert r.rc == 0 and r.files["f"] == BIG
    assert len(r.requests) == 2
    again = r.heads[1]
    kept = int(re.search(r"Range: bytes=(\d+)-", again)[1])
    assert 0 < kept < 30000 and 'If-Range: "big"' in again


def test_retry_takes_all_of_a_document_that_changed(tool):
    r = tool.mote("-s", "--retry", "3", "--retry-delay", "1", "--retry-all-errors", "-o", "f", "{U}/changes")
    assert r.rc == 0 and r.files["f"] == TEXT
    assert 'If-Range: "one"' in r.heads[1] and "Range" not in r.heads[-1]


REPLACED = {"tag": OLD.swapcase(), "date": OLD.swapcase(), "total": BIG, "shorter": b"short", "equal": TEXT[:10]}


@pytest.mark.parametrize("how", REPLACED)
def test_a_retry_appends_nothing_of_another_document(tool, how):
    """The end of the new document stood after the beginning of the old one, or nothing did, and it was a success."""
    line = ["-s", *AGAIN, "-o", "f", "{U}/replaced/" + how]
    r = tool.mote("--retry", "2", *line)
    assert r.rc == 0 and r.files["f"] == REPLACED[how] and len(r.requests) == 3
    assert "Range: bytes=10-" in r.heads[1] and "Range" not in r.heads[2]
    r = tool.mote("--retry", "1", *line)
    assert r.rc == 33 and r.files["f"] == OLD[:10] and len(r.requests) == 2


def test_a_retry_that_gets_a_part_of_the_rest_is_not_the_last(tool):
    line = ["-s", *AGAIN, "-o", "f", "{U}/replaced/parts"]
    r = tool.mote("--retry", "2", *line)
    assert r.rc == 0 and r.files["f"] == OLD and "Range: bytes=40-" in r.heads[2]
    r = tool.mote("--retry", "1", *line)
    assert r.rc == 33 and r.files["f"] == OLD[:40]


def test_a_retry_does_not_take_the_framing_of_chunks_for_the_document(tool):
    """The rest was requested after as many bytes of the document as the file had, with the framing among them."""
    line = ["-s", "--retry", "1", *AGAIN, "-o", "f", "{U}/chunks_break"]
    r = tool.mote("--raw", *line)
    assert "Range" not in r.heads[1] and r.rc == 0 and r.files["f"] == b"19000\r\n" + BIG + b"\r\n0\r\n\r\n"
    r = tool.mote(*line)
    assert "Range" in r.heads[1] and r.rc == 0 and r.files["f"] == BIG


def test_retry_to_stdout_does_not_resume(tool):
    r = tool.mote("-s", "--retry", "1", "--retry-delay", "1", "--retry-all-errors", "{U}/breaks")
    assert r.rc == 0 and "Range" not in r.heads[1]


def test_retry_says_what_it_does(tool):
    r = tool.mote("--no-progress-meter", "--retry", "1", "{U}/once/503", "-o", "f", "-w", "%{num_retries}")
    assert b"mote: warning: HTTP error: next try in 1.000 seconds, 0 retries left" in r.err and r.out == b"1"


@pytest.mark.parametrize("path", ["named_once", "moved_once/notes.txt"])
def test_a_name_of_the_first_try_overwrites_no_file(tool, path):
    """The second try, which got no name, took the file for one that the user had named."""
    r = tool.mote("-sOJL", "--retry", "1", "--retry-delay", "1", "--retry-all-errors", "{U}/" + path, files={"notes.txt": b"mine"})
    assert r.files["notes.txt"] == b"mine" and r.rc == 23 and len(r.requests) >= 2


def test_a_pipe_is_not_sent_twice(tool):
    """What was left of it, nothing, was sent as the whole, and was a success."""
    r = tool.mote("--no-progress-meter", "--retry", "3", "--retry-delay", "1", "-T", "-", "{U}/once/503", stdin=b"hello")
    assert [body for _, body in r.requests] == [b"hello"]
    assert b"no retry, since what was read from - cannot be sent" in r.err


def test_a_file_is_sent_twice(tool):
    r = tool.mote("-s", "--retry", "3", "--retry-delay", "1", "-T", "f", "{U}/once/503", files={"f": b"hello"})
    assert [body for _, body in r.requests] == [b"hello"] * 2


def test_a_write_that_was_done_in_part_is_dropped(server, tmp_path):
    """The document stood after the bytes that had fitted, and was a success."""
    line = (f"trap '' XFSZ; ulimit -f 1; \"$0\" -q -sS --retry 1 --retry-delay 1 --retry-all-errors -o f {server.url}/shrinks")
    done = subprocess.run(["/bin/bash", "-c", line, MOTE], cwd=tmp_path, timeout=120, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "f").read_bytes() == TEXT


@pytest.fixture
def ftp():
    server = ScriptServer()
    yield server
    server.close()


@pytest.mark.parametrize("args", [["--fail-with-body", "--remove-on-error"], ["--retry", "1", "--retry-delay", "1"]])
def test_a_reply_to_a_command_is_no_status_of_http(tool, ftp, args):
    """500 to a command that may fail ended a good transfer with 22, removed its file, or made it again."""
    ftp.script(*login(), Passive(), Command("TYPE I", "200 ok"), Command("SIZE f", "213 12"), Command("RETR f", "150 here"),
               Give(TEXT), Command("SITE X", "500 unknown"), QUIT)
    r = tool.mote("-sS", *args, "-Q", "-*SITE X", "-o", "f", f"ftp://{ftp.authority}/f")
    assert r.rc == 0 and r.files == {"f": TEXT}


@pytest.mark.parametrize("how", ["tag", "date", "total", "shorter", "equal", "parts"])
def test_continuing_in_a_retry_appends_nothing_of_another_document(tool, how):
    """-C - went on with whatever the server had by then, and it was a success."""
    r = tool.mote("-s", "-C", "-", "--retry", "2", *AGAIN, "-o", "f", "{U}/replaced/" + how)
    assert r.rc == 0 and r.files["f"] == REPLACED.get(how, OLD) and "Range: bytes=10-" in r.heads[1]
    assert ("If-Range: Wed, 01 Sep 2020" if how == "date" else 'If-Range: "old"') in r.heads[1]
    assert len(r.requests) == 3 and ("Range" in r.heads[2]) == (how == "parts")
    r = tool.mote("-s", "-C", "-", "--retry", "1", *AGAIN, "-o", "f", "{U}/replaced/" + how)
    assert r.rc == 33 and r.files["f"] == OLD[:40 if how == "parts" else 10]
