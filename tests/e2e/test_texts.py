"""Texts that programs compare (docs/texts.md)."""

import os
import subprocess
import sys

import pytest

from mote_driver import FOREIGN, LIBRARY, REPO, SANITIZED, by_library, not_debian
from server import Expect, Send, UntilClose, response

SEND = """
import ctypes, sys
lib = ctypes.CDLL(sys.argv[1])
lib.curl_easy_init.restype = ctypes.c_void_p
easy, text, n = ctypes.c_void_p(lib.curl_easy_init()), ctypes.create_string_buffer(256), ctypes.c_size_t()
lib.curl_easy_setopt(easy, 10010, text)
code = lib.curl_easy_send(easy, b"x", ctypes.c_size_t(1), ctypes.byref(n))
print(code, text.value.decode())
"""
STRERROR = """
import ctypes, sys
lib = ctypes.CDLL(sys.argv[1])
lib.curl_easy_strerror.restype = ctypes.c_char_p
print(lib.curl_easy_strerror(int(sys.argv[2])).decode())
"""
WRITTEN = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"


def held(text):
    """It stands on the page."""
    with open(os.path.join(REPO, "docs", "texts.md"), encoding="utf-8") as f:
        assert f"`{text}" in f.read()


def test_read_aborted(drive, server, way):
    text = "operation aborted by callback"
    held(text)
    server.script(UntilClose())
    t = drive.get(way, URL=server.url(), UPLOAD=1, INFILESIZE=5, body=b"hello", on=[("read", "call", 1, "return", 0x10000000)])
    assert (t.code, t.error) == (42, text)


def test_prereq_refused(drive, server, way):
    text = "operation aborted by pre-request callback"
    held(text)
    server.script(UntilClose())
    t = drive.get(way, URL=server.url(), enable=["prereq"], on=[("prereq", "call", 1, "return", 1)])
    assert (t.code, t.error) == (42, text)


@pytest.mark.skipif(FOREIGN, reason="Python cannot load the library of another machine")
def test_send_without_connect_only():
    held("CONNECT_ONLY is required")
    env = dict(os.environ, LD_LIBRARY_PATH=LIBRARY)
    if SANITIZED:  # the interpreter is not sanitized, and what it keeps to its end is no leak of ours
        env.update(LD_PRELOAD=SANITIZED, ASAN_OPTIONS="detect_leaks=0")
    library = os.path.join(LIBRARY, "libcurl.so.4") if LIBRARY else "libcurl.so.4"
    run = subprocess.run([sys.executable, "-c", SEND, library], env=env, capture_output=True, text=True, timeout=120)
    assert run.stdout.strip() == by_library("1 CONNECT_ONLY is required", run.stdout.strip()), run.stderr


def test_connected(drive, server):
    held("Established connection to HOST")
    server.answer(response(200, b"x"))
    t = drive.get(URL=server.url(), enable=["debug", "debugprint"])
    said = b"".join(text for _, text in t.debug)
    assert by_library(b"Established connection to 127.0.0.1", b"Connected to 127.0.0.1") in said


def test_no_url(drive):
    held("No URL set")
    assert drive.get().error.startswith("No URL set")


@pytest.mark.parametrize("took", [0, 3])
def test_write_refused(drive, server, way, took):
    held("Failure writing output to destination, passed N returned N")
    server.script(Expect(), Send(WRITTEN), UntilClose())
    t = drive.get(way, URL=server.url(), on=[("write", "call", 1, "take", took)])
    wanted = f"Failure writing output to destination, passed 5 returned {took}"
    assert (t.code, t.error) == (23, by_library(wanted, t.error))


def test_file_too_large(drive, server, way):
    held("Maximum file size exceeded")
    server.script(Expect(), Send(WRITTEN), UntilClose())
    t = drive.get(way, URL=server.url(), MAXFILESIZE=4)
    assert (t.code, t.error) == (63, "Maximum file size exceeded")


def test_progress_aborted(drive, server):
    held("Callback aborted")
    server.default(UntilClose())
    t = drive.get(URL=server.url(), enable=["xferinfo"], on=[("xferinfo", "call", 1, "return", 1)])
    assert (t.code, t.error) == (42, "Callback aborted")


def test_cannot_connect(drive, closed_port):
    held("Failed to connect to HOST port PORT after N ms")
    t = drive.get(URL=f"http://127.0.0.1:{closed_port}/")
    assert t.code == 7
    assert t.error.startswith(f"Failed to connect to 127.0.0.1{by_library(' port ', ' port ', ':')}{closed_port} after ")


@pytest.mark.parametrize("proxy, code, text", [
    ("http://[bad", 5, "Unsupported proxy syntax in 'http://[bad'"), ("http://a b:80", 5, "Unsupported proxy syntax in 'http://a b:80'"),
    ("xx://127.0.0.1:80", 7, "Unsupported proxy scheme for 'xx://127.0.0.1:80'")])
def test_bad_proxy(drive, proxy, code, text):
    held(text.split(" '")[0])
    t = drive.get(URL="http://a.test/", PROXY=proxy)
    assert t.code == code and t.error.startswith(text)


@pytest.mark.skipif(FOREIGN, reason="Python cannot load the library of another machine")
def test_read_failed():
    text = "Failed to open/read local data from file/application"
    held(text)
    env = dict(os.environ, LD_LIBRARY_PATH=LIBRARY)
    if SANITIZED:
        env.update(LD_PRELOAD=SANITIZED, ASAN_OPTIONS="detect_leaks=0")
    library = os.path.join(LIBRARY, "libcurl.so.4") if LIBRARY else "libcurl.so.4"
    run = subprocess.run([sys.executable, "-c", STRERROR, library, "26"], env=env, capture_output=True, text=True, timeout=120)
    assert run.stdout.strip() == text, run.stderr


@pytest.mark.parametrize("option, path", [("UNIX_SOCKET_PATH", "/nowhere/socket"), ("ABSTRACT_UNIX_SOCKET", "no such socket")])
def test_cannot_connect_to_a_unix_socket(drive, option, path):
    """The system's reason, "No such file or directory", stood there with a host and a port alone."""
    t = drive.get(URL="http://127.0.0.1:80/", **{option: path})
    over = by_library(f" over unix://{path}", "", f" over unix://{path}")
    assert t.code == 7 and t.error.startswith(f"Failed to connect to 127.0.0.1{by_library(' port ', ' port ', ':')}80{over} after ")


@pytest.mark.parametrize("option", ["UNIX_SOCKET_PATH", "ABSTRACT_UNIX_SOCKET"])
def test_unix_socket_path_too_long(drive, way, option):
    held("Unix socket path too long: 'PATH'")
    path = "/" + 119 * "a"
    t = drive.get(way, URL="http://h.test/", **{option: path})
    assert (t.code, t.error) == (6, f"Unix socket path too long: '{path}'")


@pytest.mark.parametrize("scheme", ["http", pytest.param("socks5", marks=not_debian("it says so otherwise"))])
def test_cannot_connect_to_a_proxy(drive, way, closed_port, scheme):
    """The text names what was connected to, and not the server that it leads to."""
    t = drive.get(way, URL="http://127.0.0.1:8/", PROXY=f"{scheme}://localhost:{closed_port}")
    at = by_library(f" port {closed_port}", f" port {closed_port}", f":{closed_port if scheme == 'http' else 8} over proxy localhost")
    host = by_library("localhost", "localhost", "localhost" if scheme == "http" else "127.0.0.1")
    assert t.code == 7
    assert t.error.startswith(f"Failed to connect to {host}{at} after ")
