"""What running unmodified programs on the drop-in libraries found."""
import os
import subprocess
import sys

import pytest

from mote_driver import DROPIN, SANITIZED
from server import Serve, response

CURL = "/usr/bin/curl"

SSLSET = """
import ctypes, sys
lib = ctypes.CDLL(sys.argv[1])
print(lib.curl_global_sslset(int(sys.argv[2]), None, None), lib.curl_global_sslset(-1, sys.argv[3].encode(), None))
"""


@pytest.mark.parametrize("library, number, name, answer", [
    ("libcurl-gnutls.so.4", 2, "gnutls", "0 0"),
    ("libcurl-gnutls.so.4", 1, "openssl", "0 0"),
    ("libcurl.so.4", 1, "openssl", "0 0"),
    ("libcurl.so.4", 2, "gnutls", "1 1"),
])
def test_the_gnutls_library_can_be_asked_for_gnutls(ours_only, library, number, name, answer):
    """pycurl for libcurl-gnutls ends with an ImportError otherwise."""
    ours_only("the system's library has one of the two")
    env = dict(os.environ)
    if SANITIZED:  # the interpreter is not sanitized, and what it keeps to its end is no leak of ours
        env.update(LD_PRELOAD=SANITIZED, ASAN_OPTIONS="detect_leaks=0")
    run = subprocess.run([sys.executable, "-c", SSLSET, os.path.join(DROPIN, library), str(number), name],
                         capture_output=True, text=True, timeout=120, env=env)
    assert run.stdout.strip() == answer, run.stderr


def test_a_refused_scheme_sends_no_password_by_another(ours_only, server, tmp_path):
    """curl --digest ignores that CURLOPT_HTTPAUTH is refused: the password must not go out by Basic."""
    ours_only("Digest is not built in")
    seen = []

    def serve(request, _peer):
        seen.append(request.header("Authorization"))
        return response(200, b"open")

    server.default(Serve(serve))
    run = subprocess.run([CURL, "-q", "-sS", "--digest", "-u", "me:secret", f"http://127.0.0.1:{server.port}/"],
                         env={"LD_LIBRARY_PATH": DROPIN, "HOME": str(tmp_path)}, capture_output=True, timeout=120)
    assert not any(value and value.startswith("Basic") for value in seen), run.stderr
