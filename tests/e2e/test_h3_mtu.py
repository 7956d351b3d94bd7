"""HTTP/3 where the machine itself refuses datagrams that are too long: what test_h3_servers.py asks of the servers, in a network whose
loopback is short."""

import os
import subprocess
import sys

import pytest

from h3_fixtures import FULL
from mote_driver import not_debian

pytestmark = [pytest.mark.usefixtures("http3"), not_debian("it has no HTTP/3")]
HERE = os.path.dirname(os.path.abspath(__file__))


def short(size, *command):
    return subprocess.run([sys.executable, os.path.join(HERE, "short_loopback.py"), str(size), *command], cwd=HERE, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


@pytest.mark.parametrize("size", [1240, 1300, 1400] if FULL else [1300])
def test_short_interface(size):
    if not hasattr(os, "unshare") or short(size, "true").returncode:
        pytest.skip("a network of its own is for root on Linux")
    done = short(size, "env", "MOTE_E2E_WAYS=one", sys.executable, "-m", "pytest", "-q", "--tb=short", "test_h3_servers.py",
                 "-k", "file or upload or many")
    assert done.returncode == 0, done.stdout[-4000:]
