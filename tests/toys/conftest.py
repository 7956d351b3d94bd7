"""The fixtures of tests/e2e, for a library with the protocols of this folder."""

import os
import sys

import pytest

os.environ.setdefault("MOTE_DROPIN", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/toys"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../e2e"))

from fixtures import *  # noqa: E402,F401,F403
from login_peer import Control  # noqa: E402


@pytest.fixture(params=["login", "logintls", "logins"])
def secured(request, make_server, certs):
    return Control(make_server, certs, request.param)


@pytest.fixture
def plain(make_server):
    return Control(make_server)
