"""The TLS libraries that the library under test has built in: one suite for all of them.

A test module says `from tls_libraries import tls` and runs once for each. What differs stands in DIFFERENCES, with
docs/tls.md as the place for users."""

import os
import subprocess
import sys

import pytest

from mote_driver import COMMAND, DROPIN, FOREIGN, SANITIZED, SYSTEM, Driver

ASK = """
import ctypes, sys
class Backend(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int), ("name", ctypes.c_char_p)]
found = ctypes.POINTER(ctypes.POINTER(Backend))()
ctypes.CDLL(sys.argv[1]).curl_global_sslset(0, None, ctypes.byref(found))
i = 0
while found[i]:
    print(found[i].contents.name.decode())
    i += 1
"""


def built_in():
    path = os.path.join(DROPIN, "libcurl.so.4")
    if FOREIGN:  # the command names what is in it
        said = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True).stdout.lower()
        return [name for name in ("openssl", "bearssl", "mbedtls", "wolfssl") if name + "/" in said]
    if SYSTEM or not os.path.exists(path):
        return ["openssl"]
    env = dict(os.environ, LD_PRELOAD=SANITIZED, ASAN_OPTIONS="detect_leaks=0") if SANITIZED else None
    run = subprocess.run([sys.executable, "-c", ASK, path], capture_output=True, text=True, check=True, env=env)
    return run.stdout.split()


LIBRARIES = built_in()

# What is expected, by library where not of OpenSSL.
DIFFERENCES = {
    "bearssl": {
        "newest": "TLSv1.2",     # speaks nothing above it
        "only 1.3": 35,          # so such a server cannot be used
        "CAPATH": 60,            # passed over
        "CRLFILE": 4,            # CURLE_NOT_BUILT_IN: what would be less safe to pass over
        "ISSUERCERT": 4,
        "no certificate": (35,), # TLS 1.2: refused within the handshake
        "encrypted key": 58,
        "P12": 58,
        "cipher": "ECDHE-ECDSA-CHACHA20-POLY1305",
        "certinfo": "0",         # has none
        "keylog": False,
        "RSA 1024": 60,          # too small, whatever openssl.cnf says
        "chain out of order": 60,
    },
    "mbedtls": {
        "newest": "TLSv1.2",     # 2.28 speaks nothing above it
        "only 1.3": 35,
        "CAPATH": 60,            # passed over
        "CRLFILE": 4,            # it passes over CRLs that are not there
        "ISSUERCERT": 4,
        "no certificate": (35,),
        "encrypted key": 58,     # PKCS #8 by AES; what "openssl rsa -traditional" writes it can read
        "P12": 58,
        "certinfo": "0",
        "keylog": False,
        "RSA 1024": 60,
        "chain out of order": 60,
    },
    "wolfssl": {
        "CAPATH": 60,            # passed over
        "CRLFILE": 4,            # CURLE_NOT_BUILT_IN
        "ISSUERCERT": 4,
        "P12": 58,
        "certinfo": "0",
        "keylog": False,
        "RSA 1024": 60,
    },
}


class Library:
    def __init__(self, name):
        self.name = name

    def expects(self, what, otherwise):
        """The value for this library: what DIFFERENCES has of it, or else what is true of the others."""
        return DIFFERENCES.get(self.name, {}).get(what, otherwise)


@pytest.fixture(autouse=True, params=LIBRARIES if len(LIBRARIES) > 1 else None)
def tls(request, monkeypatch):
    """The library that serves in this test; with one alone, names of tests are not changed."""
    several = len(LIBRARIES) > 1
    if several:
        monkeypatch.setattr(Driver, "tls", request.param)
    return Library(request.param if several else LIBRARIES[0])
