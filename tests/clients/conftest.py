"""Programs from Debian's packages, unmodified, on Debian's libcurl and on Mote (make clients)."""
import os
import shutil
import socket
import subprocess
import sys
import time

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "tests", "e2e")]

from nginx import free_ports  # noqa: E402
from site_pages import Site  # noqa: E402

OURS = os.environ.get("MOTE_DROPIN", os.path.join(ROOT, "build", "drop-in"))
LIMIT = 120  # seconds for one program


class Runner:
    """Runs a program on both libraries, each time in a folder of its own that `prepare` has filled."""

    def __init__(self, tmp_path):
        self.base = tmp_path

    def one(self, name, library, command, prepare, env):
        folder = self.base / name
        home = folder / "home"
        home.mkdir(parents=True)
        if prepare:
            prepare(folder)
        every = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
        every.update(HOME=str(home), LC_ALL="C.UTF-8", GIT_TERMINAL_PROMPT="0", GIT_CONFIG_NOSYSTEM="1", **(env or {}))
        if library:
            loaded = folder / "loaded"
            every.update(LD_LIBRARY_PATH=library, LD_DEBUG="libs", LD_DEBUG_OUTPUT=str(loaded), R_LD_LIBRARY_PATH=library)
        p = subprocess.run(command, cwd=folder, env=every, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           errors="replace", timeout=LIMIT, check=False)
        if library:
            logs = "".join(f.read_text(errors="replace") for f in folder.glob("loaded.*"))
            assert f"calling init: {library}/libcurl" in logs, "the program did not load Mote"
            for f in folder.glob("loaded.*"):
                f.unlink()
        return p

    def ours(self, command, prepare=None):
        """What the program printed on Mote, where it would not be the same on Debian's library."""
        p = self.one("mote", OURS, command, prepare, None)
        assert p.returncode == 0, p.stdout + p.stderr
        return p.stdout

    def __call__(self, command, prepare=None, env=None, code=0):
        """What the program printed on Mote, which is what it prints on Debian's library."""
        theirs = self.one("debian", None, command, prepare, env)
        assert theirs.returncode == code, f"on Debian's library: {theirs.stdout}{theirs.stderr}"
        ours = self.one("mote", OURS, command, prepare, env)
        assert (ours.returncode, ours.stdout) == (code, theirs.stdout), ours.stderr
        return ours.stdout


@pytest.fixture
def both(tmp_path):
    return Runner(tmp_path)


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    server = Site(folder)
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def proxy(tmp_path):
    """tinyproxy with a login; its URL, with `paths()`: what it was asked for."""
    port, = free_ports(1)
    log, conf = tmp_path / "tinyproxy.log", tmp_path / "tinyproxy.conf"
    conf.write_text(f"Port {port}\nListen 127.0.0.1\nLogFile \"{log}\"\nLogLevel Connect\nMaxClients 20\n"
                    "BasicAuth prue swordfish\n")
    p = subprocess.Popen(["tinyproxy", "-d", "-c", str(conf)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while socket.socket().connect_ex(("127.0.0.1", port)):
        assert time.monotonic() < deadline and p.poll() is None, "tinyproxy does not start"
        time.sleep(0.05)
    yield type("Proxy", (), {"url": f"http://prue:swordfish@127.0.0.1:{port}", "address": f"127.0.0.1:{port}",
                             "log": staticmethod(log.read_text)})
    p.terminate()
    p.wait()


def needs(program):
    return pytest.mark.skipif(not shutil.which(program), reason=f"{program} is not installed")
