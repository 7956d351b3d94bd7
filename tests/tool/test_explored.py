"""What use of the command as an impatient user found."""
import os
import resource
import subprocess

import pytest
from conftest import MOTE
from server import TEXT


def shell(server, tmp_path, line, **k):
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C", "M": MOTE, "U": server.url}
    for keep in ("LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
        if keep in os.environ:
            env[keep] = os.environ[keep]
    return subprocess.run(["/bin/sh", "-c", line], cwd=tmp_path, env=env, capture_output=True, timeout=30, **k)


def test_a_closed_stdout_is_a_write_error(server, tmp_path):
    r = shell(server, tmp_path, '"$M" -sS "$U/a" >&-')
    assert r.returncode == 23, r.stderr
    assert shell(server, tmp_path, '"$M" -sS -o f "$U/a" >&- 2>&-').returncode == 0
    assert (tmp_path / "f").read_bytes() == TEXT


def test_a_closed_stdin_is_not_an_empty_upload(server, tmp_path):
    r = shell(server, tmp_path, '"$M" -sS -T - "$U/echo" <&-')
    assert r.returncode != 0, r.stdout
    assert shell(server, tmp_path, '"$M" -sS "$U/a" <&-').stdout == TEXT


@pytest.mark.xfail(reason="no descriptor for the wake-up: curl_multi_poll answers CURLM_OUT_OF_MEMORY")
def test_few_descriptors_stop_only_what_finds_none(server, tmp_path):
    r = shell(server, tmp_path, '"$M" -sS -Z --parallel-max 100 "$U/[1-60]" -o "o#1" -w "%{http_code}\\n"',
              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24)))
    codes = r.stdout.split()
    assert len(codes) == 60 and codes.count(b"200") >= 4, (r.stdout, r.stderr[-300:])
    assert r.returncode == 7 and b"memory" not in r.stderr
