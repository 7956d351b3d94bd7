"""The mark `check_all`: a test that takes long for what it is likely to find. It runs where MOTE_CHECK_ALL is set, by
make check-all."""
import os

import pytest


def pytest_configure(config):
    config.addinivalue_line("markers", "check_all: takes long, and runs in make check-all alone")


def pytest_runtest_setup(item):
    if item.get_closest_marker("check_all") and not os.environ.get("MOTE_CHECK_ALL"):
        pytest.skip("make check-all (MOTE_CHECK_ALL=1)")
