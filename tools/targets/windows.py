"""Windows on x86-64, by Debian's mingw-w64 and under its wine.

The command, and the library as an archive and as DLLs, with BearSSL from Debian's sources and without what needs other
libraries. What is run: the unit tests that need no POSIX; tests/parts/fetch.c with the archive and with libcurl-4.dll;
the command's tests for Windows (tests/tool/test_windows.py) and some of those that all systems have; a sample of the
end-to-end tests (tests/e2e) with the archive. Servers run on the machine itself.
"""
import contextlib
import os
import shutil
import ssl
import subprocess
import sys
import time

from .base import NOT_BUILT, ROOT, Platform, said_by

sys.path[:0] = [os.path.join(ROOT, "tests", "parts"), os.path.join(ROOT, "tests", "e2e")]
from certs import Certs  # noqa: E402
from command_server import Command  # noqa: E402
from fetching import behaves, fetch  # noqa: E402
from ftp_server import QUIT, download, login  # noqa: E402
from peer import Peer  # noqa: E402
from script import ScriptServer  # noqa: E402

CC = "x86_64-w64-mingw32-gcc"
WINE, WINESERVER = "/usr/lib/wine/wine64", "/usr/lib/wine/wineserver64"
NOT_UNDER_WINE = {"port/test_names": "wine returns the C library's EAI_ADDRFAMILY as it is, which Windows has not"}
# Files of tests/tool, and which of their tests are left out: what Windows has in another way, and what wine has.
COMMAND_TESTS = ("windows", "own", "arguments")
NO_HOME = "wine does not pass HOME on"
NO_TERMINAL = "wine makes a screen of a terminal, with sequences of its own"
NO_DIRECTORY = "Windows does not find a path through a file, where elsewhere that is not a directory"
OTHERWISE = {
    "own": {
        "default_config": NO_HOME, "known_hosts_are_in_a_home": NO_HOME, "any_server_of_ssh_is_looked_at": NO_HOME,
        "bar_fits_its_terminal": NO_TERMINAL, "terminal_gets": NO_TERMINAL, "a_terminal_gets": NO_TERMINAL,
        "secrets_are_wiped_from_the_process_list": "Windows shows no program's arguments in /proc",
        "netrc_of_a_pipe_lasts_for_a_chain": "Windows has no pipes with a name in a folder",
        "rate": "it bounds the time of a command, which wine takes seconds to start on a busy machine",
        "stdin_that_cannot_be_read": "a directory cannot be standard input of a program of Windows",
        **{f"a_file_that_fails_is_named_with_the_reason[parallel{p}-args{a}": NO_DIRECTORY
           for p in (0, 1) for a in (1, 6)},
    },
    "arguments": {
        "a_file_that_is_not_there_ends_the_command_before_any_transfer[knownhosts": "there is no SFTP",
        "a_line_end_of_windows_is_no_part_of_an_open_quote": "no name of a file has a carriage return in it",
        "an_error_in_curlrc": NO_HOME, "a_folder_named_curlrc": NO_HOME, "a_curlrc_that_cannot_be_read": NO_HOME,
    },
}
# End-to-end tests, or how their names begin, that Windows or wine takes otherwise.
NO_UNIX_SOCKETS = "the port has no Unix sockets"
NO_LISTS = "directories are not listed"
NO_RESET = "wine ends a connection that was reset, as if it had been closed"
ZONES = "interfaces have other names"
END_TO_END = {
    "test_connect.py::test_unix_socket": NO_UNIX_SOCKETS,
    "test_connect.py::test_abstract_unix_socket": NO_UNIX_SOCKETS,
    "test_reuse.py::test_unix_socket_and_tcp_differ": NO_UNIX_SOCKETS,
    "test_texts.py::test_cannot_connect_to_a_unix_socket": NO_UNIX_SOCKETS,
    "test_texts.py::test_unix_socket_path_too_long": NO_UNIX_SOCKETS,
    "test_connect.py::test_proxy_that_does_not_apply[env0": "names of variables have no case: HTTP_PROXY is http_proxy",
    "test_file.py::test_directory": NO_LISTS, "test_file.py::test_large_directory": NO_LISTS,
    "test_file.py::test_part_of_a_directory": NO_LISTS,
    "test_file.py::test_upload_permissions": "permissions are one bit",
    "test_multi.py::test_fork": "there is no fork()",
    "test_netrc.py::test_in_the_home_folder": NO_HOME, "test_netrc.py::test_the_variable_names_the_file": NO_HOME,
    "test_origin.py::test_file_as_the_default_protocol[//": "two slashes begin the name of another machine",
    "test_origin.py::test_scope_of_an_option": ZONES, "test_origin.py::test_zone_is_part_of_the": ZONES,
    "test_reuse.py::test_first_connection_is_not_retried": NO_RESET,
    "test_reuse.py::test_queue_moves_on_after_failure": NO_RESET,
}


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
        super().__init__("windows", f"{CC}, BearSSL; run by wine")
        self.emulator = [self.path("wine-run")]

    def packages(self):
        return ("apt-get update -q && apt-get install -q -y --no-install-recommends gcc-mingw-w64-x86-64 wine64 "
                "python3-pytest")

    def configure(self):
        return ["-DCMAKE_SYSTEM_NAME=Windows", "-DCMAKE_SYSTEM_PROCESSOR=x86_64", f"-DCMAKE_C_COMPILER={CC}",
                *self.own_libraries()], {}

    def wine(self):
        """Writes the script that runs a program there, with a folder of its own for what Windows keeps; what is wrong.
        The folder is complete when wine's server has ended: before that, stores of certificates stay empty."""
        self.script("wine-run", "")
        status, text = said_by([*self.emulator, "wineboot", "--init"])
        if not status:
            status, text = said_by([WINESERVER, "-w"], WINEPREFIX=self.path("wine"))
        return text if status else ""

    @contextlib.contextmanager
    def system(self):
        """Keeps a program of wine running. Otherwise the next one starts a whole system first, whose services inherit its
        streams: a test that waits for the end of its output then waits for theirs. So this one has to be there first."""
        kept = subprocess.Popen([*self.emulator, "cmd", "/k", "echo there"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL)
        kept.stdout.readline()
        try:
            yield
        finally:
            kept.stdin.close()
            kept.wait()

    def script(self, name, program):
        """The path of a script of that name that runs a program."""
        path = self.path(name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(f'#!/bin/sh\nexport WINEPREFIX={self.path("wine")} WINEDEBUG=-all LC_ALL=C.UTF-8\n'
                    f'exec {WINE} {program} "$@"\n')
        os.chmod(path, 0o755)
        return path

    def command_tests(self, report):
        """Those of tests/tool: what the command does on Windows, and what it does there as elsewhere."""
        started = time.monotonic()
        exe = self.path("root.exe")
        status, text = said_by([CC, "-O1", "tests/windows/root.c", "-o", exe, "-lcrypt32"])
        env = {"MOTE": self.script("run-mote", self.path("mote.exe")), "MOTE_ROOT": self.script("run-root", exe),
               "MOTE_SYSTEM": "windows"}
        left_out = [(f"tests/tool/test_{file}.py::test_{test}", why) for file in OTHERWISE
                    for test, why in OTHERWISE[file].items()]
        if not status:
            status, text = said_by(["/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short",
                                    *(f"tests/tool/test_{file}.py" for file in COMMAND_TESTS),
                                    *(f"--deselect={name}" for name, _ in left_out)], **env)
        report.add(f"{self.name} command's tests", text if status else "", started)
        print(text.rstrip().splitlines()[-1], flush=True)
        for name, why in left_out:
            print(f"{self.name}: without {name}: {why}", flush=True)

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
        if not self.build(report, "mote", "mote_static", "mote_shared", "mote_libcurl", "unit-tests"):
            return
        started = time.monotonic()
        if not report.add(f"{self.name} wine", self.wine(), started):
            return
        with self.system():
            self.programs(report)

    def programs(self, report):
        self.command(report)
        self.unit_tests(report, NOT_UNDER_WINE)
        if not os.path.isdir(self.path("certs")):
            os.mkdir(self.path("certs"))
            Certs(self.path("certs"))
        archive = ("-DCURL_STATICLIB", self.path("libmote.a"), self.path("libraries/lib/libbearssl.a"), "-lws2_32",
                   "-liphlpapi", "-lbcrypt", "-lcrypt32")
        self.transfers(report, "archive", *archive)
        os.makedirs(self.path("dll"), exist_ok=True)
        shutil.copy(self.path("drop-in", "libcurl-4.dll"), self.path("dll"))  # a program finds those in its own folder
        self.transfers(report, "dll", self.path("dll", "libcurl-4.dll"))
        self.command_tests(report)
        self.end_to_end(report, CC, True, archive, {**NOT_BUILT, **END_TO_END})
        for name, why in END_TO_END.items():
            print(f"{self.name}: without {name}: {why}", flush=True)


PLATFORMS = (Windows(),)
