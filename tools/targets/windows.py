"""Windows on x86-64, by Debian's mingw-w64 and under its wine.

The library as an archive and as DLLs, with BearSSL from Debian's sources and without what needs other libraries; the
command is not built there. What is run: the unit tests that need no POSIX, and tests/parts/fetch.c with the archive and
with libcurl-4.dll, against servers on the machine itself.
"""
import os
import shutil
import ssl
import sys
import time

from .base import ROOT, Platform, said_by

sys.path[:0] = [os.path.join(ROOT, "tests", "parts"), os.path.join(ROOT, "tests", "e2e")]
from certs import Certs  # noqa: E402
from command_server import Command  # noqa: E402
from fetching import behaves, fetch  # noqa: E402
from ftp_server import QUIT, download, login  # noqa: E402
from peer import Peer  # noqa: E402
from script import ScriptServer  # noqa: E402

CC = "x86_64-w64-mingw32-gcc"
WINE = "/usr/lib/wine/wine64"
NOT_UNDER_WINE = {"port/test_names": "wine returns the C library's EAI_ADDRFAMILY as it is, which Windows has not"}


class SecurePeer(Peer):
    """The same over TLS, as "localhost"."""

    def __init__(self, certificate, key):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        super().__init__()
        self.url = f"https://localhost:{self.listener.port}"

    def serve(self, s):
        try:
            super().serve(self.context.wrap_socket(s, server_side=True))
        except OSError:
            s.close()


class Windows(Platform):
    suffix, position = ".exe", ()

    def __init__(self):
        super().__init__("windows", f"{CC}, BearSSL; library alone; run by wine")
        self.emulator = [self.path("wine-run")]

    def packages(self):
        return "apt-get update -q && apt-get install -q -y --no-install-recommends gcc-mingw-w64-x86-64 wine64 python3-pytest"

    def configure(self):
        return ["-DCMAKE_SYSTEM_NAME=Windows", "-DCMAKE_SYSTEM_PROCESSOR=x86_64", f"-DCMAKE_C_COMPILER={CC}",
                *self.own_libraries()], {}

    def wine(self):
        """Writes the script that runs a program there, with a folder of its own for what Windows keeps; what is wrong."""
        with open(self.emulator[0], "w", encoding="utf-8") as f:
            f.write(f'#!/bin/sh\nWINEPREFIX={self.path("wine")} WINEDEBUG=-all HOME={self.folder} exec {WINE} "$@"\n')
        os.chmod(self.emulator[0], 0o755)
        status, text = said_by([*self.emulator, "wineboot", "--init"])
        return text if status else ""

    def program(self, name, *words):
        """Compiles tests/parts/fetch.c, and writes a script of that name that runs it; what is wrong, or nothing."""
        folder = self.path(name)
        os.makedirs(folder, exist_ok=True)
        exe, script = os.path.join(folder, "fetch.exe"), os.path.join(folder, "fetch")
        with open(script, "w", encoding="utf-8") as f:
            f.write(f'#!/bin/sh\ncd {folder} && {self.emulator[0]} {exe} "$@" | tr -d "\\r"\n')
        os.chmod(script, 0o755)
        status, text = said_by([CC, "-O1", "-Iinclude", "tests/parts/fetch.c", "-o", exe, *words])
        return text if status else ""

    def check(self, program):
        """HTTP as every build speaks it; over TLS what is trusted, another name, another authority."""
        peer = Peer()
        try:
            behaves(program, peer)
        finally:
            peer.close()
        for name, authority, found in (("good", "ca", "0"), ("wrongname", "ca", "60"), ("good", "ca2", "60")):
            peer = SecurePeer(self.path("certs", name + ".pem"), self.path("certs", name + ".key"))
            os.environ["FETCH_CAINFO"] = self.path("certs", authority + ".pem")
            try:
                assert fetch(program, peer, "/")[0][0] == found, (name, authority)
            finally:
                peer.close()

    def check_ftp(self, program):
        """A file over a second connection, with the end of the conversation."""
        server = ScriptServer()
        server.script(*login(), Command("CWD dir", "250 ok"), *download("file.txt", b"hello"), QUIT)
        found = fetch(program, None, f"ftp://{server.authority}/dir/file.txt")
        server.close()
        assert found[0][:3] == ["0", "226", "5"], found

    def transfers(self, report, name, *words):
        started = time.monotonic()
        problem = self.program(name, *words)
        if not problem:
            try:
                self.check(os.path.join(self.path(name), "fetch"))
                self.check_ftp(os.path.join(self.path(name), "fetch"))
            except AssertionError as e:
                problem = str(e) or "not as every build"
        report.add(f"{self.name} transfers, {name}", problem, started)

    def run(self, report):
        started = time.monotonic()
        os.makedirs(self.folder, exist_ok=True)
        if not report.add(f"{self.name} BearSSL", self.tls_library(CC, "x86_64-w64-mingw32-ar"), started):
            return
        if not self.build(report, "mote_static", "mote_shared", "mote_libcurl", "unit-tests"):
            return
        started = time.monotonic()
        if not report.add(f"{self.name} wine", self.wine(), started):
            return
        self.unit_tests(report, NOT_UNDER_WINE)
        if not os.path.isdir(self.path("certs")):
            os.mkdir(self.path("certs"))
            Certs(self.path("certs"))
        self.transfers(report, "archive", "-DCURL_STATICLIB", self.path("libmote.a"), self.path("libraries/lib/libbearssl.a"),
                       "-lws2_32", "-liphlpapi", "-lbcrypt")
        os.makedirs(self.path("dll"), exist_ok=True)
        shutil.copy(self.path("drop-in", "libcurl-4.dll"), self.path("dll"))  # a program finds those in its own folder
        self.transfers(report, "dll", self.path("dll", "libcurl-4.dll"))


PLATFORMS = (Windows(),)
