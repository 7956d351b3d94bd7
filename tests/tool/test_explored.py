"""What use of the command as an impatient user found."""
import base64
import contextlib
import fcntl
import os
import pty
import re
import resource
import signal
import subprocess
import sys
import termios
import time

import pytest
from conftest import MOTE
from server import TEXT, response

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import preload  # noqa: E402


def shell(server, tmp_path, line, **k):
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C", "M": MOTE, "U": server.url}
    for keep in ("LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
        if keep in os.environ:
            env[keep] = os.environ[keep]
    return subprocess.run(["/bin/sh", "-c", line], cwd=tmp_path, env=env, capture_output=True, timeout=120, **k)


def test_a_closed_stdout_is_a_write_error(server, tmp_path):
    r = shell(server, tmp_path, '"$M" -sS "$U/a" >&-')
    assert r.returncode == 23, r.stderr
    assert shell(server, tmp_path, '"$M" -sS -o f "$U/a" >&- 2>&-').returncode == 0
    assert (tmp_path / "f").read_bytes() == TEXT


def test_a_closed_stdin_is_not_an_empty_upload(server, tmp_path):
    r = shell(server, tmp_path, '"$M" -sS -T - "$U/echo" <&-')
    assert r.returncode != 0, r.stdout
    assert shell(server, tmp_path, '"$M" -sS "$U/a" <&-').stdout == TEXT


def test_few_descriptors_stop_only_what_finds_none(server, tmp_path):
    r = shell(server, tmp_path, '"$M" -sS -Z --parallel-max 100 "$U/[1-60]" -o "o#1" -w "%{http_code}\\n"',
              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24)))
    codes = r.stdout.split()
    assert len(codes) == 60 and codes.count(b"200") >= 4, (r.stdout, r.stderr[-300:])
    assert r.returncode in (7, 23) and b"memory" not in r.stderr  # no socket, or no output file


def test_json_of_headers_has_no_control_bytes_on_a_terminal(server, tmp_path, monkeypatch):
    """0x9b alone begins an escape sequence on an 8-bit terminal, as 0xc2 0x9b does on a UTF-8 one."""
    monkeypatch.setattr(type(server), "do_c1", lambda self, **_: response(
        b"200 OK", [b"X-C1: a\x9b31mb\x7f", "X-C2: \u009b31m\u00e4"]), raising=False)
    ours, theirs = pty.openpty()
    line = ["-s", "-o", "f", "-w", "%{header_json}", server.url + "/c1"]
    assert subprocess.run([MOTE, *line], cwd=tmp_path, stdout=theirs, timeout=120).returncode == 0
    os.close(theirs)
    shown = os.read(ours, 4096)
    os.close(ours)
    assert b"31mb" in shown and b"\x9b" not in shown and b"\x7f" not in shown and "\u00e4".encode() in shown
    piped = subprocess.run([MOTE, *line], cwd=tmp_path, capture_output=True, timeout=120).stdout
    assert b"a\x9b31mb\x7f" in piped


@pytest.mark.parametrize("args", [["-T", "-"], ["-d", "@-"], ["-F", "a=<-"], ["-K", "-"]], ids=" ".join)
def test_standard_input_that_does_not_block_is_waited_for(server, args):
    """Another program had set that, and the command ended with 26, "Resource temporarily unavailable"."""
    there, here = os.pipe()
    os.set_blocking(there, False)
    p = subprocess.Popen([MOTE, "-q", "-sS", *args, server.url + "/echo"], stdin=there, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    os.close(there)
    for piece in b"-e one", b"two\n":
        time.sleep(0.3)
        os.write(here, piece)
    os.close(here)
    _, err = p.communicate(timeout=120)
    assert p.returncode == 0 and not err
    head, body = server.requests[-1]
    assert b"onetwo" in (head if "-K" in args else body)


def state(pid):
    """R: it runs or would, S: it sleeps, ..."""
    with open(f"/proc/{pid}/stat", encoding="latin-1") as f:
        return f.read().rpartition(")")[2].split()[0]


@contextlib.contextmanager
def prompt(server, env=None):
    """(process that asks for a password, our side of its terminal, whether that echoes)"""
    ours, theirs = pty.openpty()

    def own_terminal():
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # tests that run in the background have it ignored
        os.setsid()
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

    p = subprocess.Popen([MOTE, "-s", "-u", "me", server.url], stdin=theirs, stdout=theirs, stderr=theirs,
                         preexec_fn=own_terminal, env=env)
    try:
        yield p, ours, lambda: bool(termios.tcgetattr(theirs)[3] & termios.ECHO)
    finally:
        p.kill()
        p.wait()
        os.close(ours)
        os.close(theirs)


def test_a_signal_at_the_password_prompt_leaves_a_terminal_that_echoes(server):
    with prompt(server) as (p, ours, echoes):
        end = time.monotonic() + 20
        text = b""
        while b":" not in text and time.monotonic() < end:
            text += os.read(ours, 100)
        assert not echoes()
        while state(p.pid) != "S" and time.monotonic() < end:
            time.sleep(0.01)  # until it waits
        os.write(ours, b"\x03")
        assert p.wait(timeout=120) == -signal.SIGINT
        assert echoes()


@pytest.mark.parametrize("size", [255, 256, 4000])
def test_a_long_password_is_taken_whole(server, size):
    """255 characters of it were sent. Tokens are longer, and a line that is typed has up to 4095."""
    with prompt(server) as (p, ours, _):
        text = b""
        while b":" not in text:
            text += os.read(ours, 100)
        os.write(ours, b"p" * size + b"\n")
        assert p.wait(timeout=120) == 0
    sent = re.search(rb"Authorization: Basic (\S+)", server.requests[-1][0])[1]
    assert base64.b64decode(sent) == b"me:" + b"p" * size


@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="a sanitizer must be the first library")
def test_a_signal_right_before_the_password_prompt_waits_is_not_lost(server, tmp_path):
    """It had been noticed at the next key."""
    loaded = {"LD_PRELOAD": preload.compiled(tmp_path / "preload.so"), "PRELOAD_CONTROL": "interrupt=1"}
    with prompt(server, {**os.environ, **loaded}) as (p, _, echoes):
        assert p.wait(timeout=120) == -signal.SIGINT
        assert echoes()


@pytest.mark.parametrize("name", ["/proc/version", "/sys/devices/system/cpu/online"])
def test_a_body_from_a_file_whose_size_is_not_its_length(tool, name):
    """The body of a file of /proc was empty, and one of /sys ended too early."""
    with open(name, "rb") as f:
        content = f.read()
    r = tool.mote("-sS", "--data-binary", "@" + name, "{U}/echo")
    assert r.rc == 0 and r.out == b"POST " + content


def test_an_upload_of_a_file_that_has_no_size(tool, tmp_path):
    """Nothing was sent, and the exit code was 0."""
    with open("/proc/version", "rb") as f:
        content = f.read()
    r = tool.mote("-sS", "-T", "/proc/version", "{U}/echo")
    assert r.rc == 0 and r.requests[0][1] == content and "Transfer-Encoding: chunked" in r.heads[0]
    r = tool.mote("-sS", "-T", "/proc/version", f"file://{tmp_path}/copy")
    assert r.rc == 0 and (tmp_path / "copy").read_bytes() == content
    r = tool.mote("-sS", "-T", "empty", "{U}/echo", files={"empty": b""})
    assert r.rc == 0 and r.requests[0][1] == b"" and "Content-Length: 0" in r.heads[0]


@pytest.mark.parametrize("size", [20, 100000])
@pytest.mark.parametrize("args", [["-o", "f"], ["-O"], ["-D", "f"], ["--etag-save", "f"], ["--output-dir", ".", "-o", "f"]], ids=" ".join)
def test_a_body_whose_file_is_written_too(tool, size, args):
    """The first byte of the response emptied the file, so that a second try sent nothing of it."""
    body = bytes(range(65, 85)) * (size // 20)
    r = tool.mote("-sS", "--retry", "1", "--retry-delay", "0.1", "--data-binary", "@f", *args, "{U}/once/503/f", files={"f": body})
    assert r.rc == 0 and [sent for _, sent in r.requests] == [body, body]
