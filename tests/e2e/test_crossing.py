"""Every callback calls every function, on its own handle, another one of the multi and an idle one: an error code, never
freed memory. What a function answers is compared with the newest libcurl, where that is defined."""

import os
import subprocess

import pytest

from mote_driver import LIBRARY, NEWEST, REPO, SANITIZED, SYSTEM
from server import Serve, response

CALLBACKS = ["write", "header", "read", "xferinfo", "debug", "opensocket", "closesocket", "closing", "sockopt", "prereq",
             "resolver_start", "trailer", "sslctx", "lock", "unlock", "notify"]
WATCHERS = ["socket", "timer"]
CASES = [(way, name) for way in ("easy", "perform", "socket") for name in CALLBACKS if way != "easy" or name != "notify"]
CASES += [("socket", name) for name in WATCHERS]

SELF, OTHER, IDLE = range(3)
RECURSIVE_EASY, RECURSIVE_MULTI, NO_ANSWER = 93, 8, -1
IN_USE = 2


@pytest.fixture(scope="session")
def crossing(tmp_path_factory):
    out = str(tmp_path_factory.mktemp("crossing") / "crossing")
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-I",
                    os.path.join(REPO, "include"), os.path.join(REPO, "tests", "e2e", "crossing.c"), "-o", out,
                    os.path.join(LIBRARY, "libcurl.so.4"), "-Wl,--allow-shlib-undefined"], check=True)
    return out


def expected(way, callback, function, who):
    """What is promised of the answer, or None. In curl_easy_perform the multi's own calls are another multi's."""
    mine = (way != "easy" or who == SELF) and callback != "closesocket"  # which comes when the handles are free
    if function in ("easy_perform", "easy_send", "easy_recv") and who != IDLE and mine:
        return RECURSIVE_EASY
    if function == "easy_upkeep" and who != IDLE and mine:
        return 0 if callback == "notify" else RECURSIVE_EASY
    if function == "easy_pause" and callback in WATCHERS and who != IDLE:
        return RECURSIVE_EASY
    if way == "easy":
        return None
    if function in ("multi_cleanup", "multi_perform", "multi_socket_action"):
        return RECURSIVE_MULTI
    if callback == "notify":
        return {"multi_add_handle": 0 if who == IDLE else 7, "multi_remove_handle": 0, "multi_setopt": 0}.get(function)
    if function in ("multi_add_handle", "multi_remove_handle", "multi_wait", "multi_poll", "multi_fdset", "multi_timeout",
                    "multi_setopt"):
        return RECURSIVE_MULTI
    return None


def run(crossing, way, callback, url, function=None):
    env = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LD_LIBRARY_PATH": LIBRARY, "MALLOC_PERTURB_": "165"}
    if SANITIZED:
        env["LD_PRELOAD"] = SANITIZED
    env.update({name: os.environ[name] for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS") if name in os.environ})
    done = subprocess.run([crossing, way, callback, url, *([function] if function else [])], env=env,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{done.returncode} after {done.stderr[-3000:]}"
    rows = [line.split("\t") for line in done.stdout.splitlines() if "\t" in line]
    assert "stalled" not in done.stdout, done.stdout[-2000:]
    return [(name, int(who), int(answer), int(called)) for name, who, answer, called in rows]


@pytest.mark.skipif(SYSTEM and not LIBRARY, reason="Debian's libcurl has no notifications")
@pytest.mark.parametrize("way,callback", CASES)
def test_every_function_from_every_callback(crossing, make_server, certs, way, callback):
    server = make_server(tls=certs.context() if callback == "sslctx" else None, tls_may_fail=True)
    server.default(Serve(lambda request, peer: response(200, b"ok")))
    functions = [None]
    if NEWEST:  # what it does not promise may end in freed memory there
        functions = ["easy_send", "easy_recv", "multi_add_handle", "multi_remove_handle", "multi_setopt", "multi_fdset"]
        if callback == "notify":
            functions = functions[:2]
        if callback in WATCHERS:
            functions.append("easy_pause")
    for function in functions:
        for name, who, answer, called in run(crossing, way, callback, server.url(), function):
            assert called, f"{callback} was never called"
            wanted = expected(way, callback, name, who)
            assert wanted is None or answer == wanted, (name, who, answer)
            if name == "share_cleanup" and "lock" == callback[-4:]:
                assert answer == IN_USE
