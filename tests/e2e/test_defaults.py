"""What callbacks get where the application has not said it."""

import os
import subprocess

import pytest

from mote_driver import LIBRARY, REPO, SANITIZED
from server import Expect, Reply


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    out = str(tmp_path_factory.mktemp("defaults") / "defaults")
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-g", "-Wall", "-Wextra", "-I",
                    os.path.join(REPO, "include"), os.path.join(REPO, "tests", "e2e", "defaults.c"), "-o", out,
                    *([os.path.join(LIBRARY, "libcurl.so.4"), "-Wl,--allow-shlib-undefined"] if LIBRARY else ["-lcurl"])],
                   check=True)
    return out


def test_callbacks_without_data_get_the_standard_streams(program, server):
    server.script(*[step for _ in range(3) for step in (Expect(method="PUT"), Reply(200, b"hi"))])
    env = {"PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": LIBRARY or ""}
    if SANITIZED:
        env["LD_PRELOAD"] = SANITIZED
    done = subprocess.run([program, server.url()], env=env, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.splitlines() == ["0 stdin stdout", "0 NULL NULL", "0 stdin stdout"]
