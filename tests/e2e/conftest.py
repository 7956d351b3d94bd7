"""The fixtures are in fixtures.py, since tests/toys has the same, and in h3_fixtures.py."""

import os
import sys

import pytest

pytest.register_assert_rewrite("h3_fixtures")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from fixtures import *  # noqa: E402,F401,F403
from h3_fixtures import *  # noqa: E402,F401,F403
