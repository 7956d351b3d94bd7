"""Systems that zig's C compiler has the headers and libraries of: musl, macOS, FreeBSD, NetBSD; and the twins on Linux.

The compiler is PyPI's package ziglang, of the version and hash that tools/zig.lock pins. TLS is BearSSL or mbedTLS,
compiled from Debian's sources; the other libraries below ours are left out, and so are the parts that need them.
"""
import glob
import os
import subprocess
import sys
import time
import zipfile

from .base import NOT_BUILT, ROOT, Platform, archives_of

# qemu-user 7.2 for MIPS; a program of ten lines that has nothing of ours shows each.
ERRORS = "qemu's getsockopt(SO_ERROR) gives 111, the machine's number, where ECONNREFUSED is 146"
LINKS = "qemu leaves an attribute that netlink sends in the machine's byte order, and musl's getifaddrs() does not end"
UNDER_MIPS = {"port/test_alone": LINKS, "connect/test_race": LINKS, "port/test_socket": ERRORS, "port/test_socket_plain": ERRORS,
              "port/test_wait": ERRORS, "port/test_wait_kqueue": ERRORS}

LOCK = os.path.join(ROOT, "tools", "zig.lock")
FOLDER = os.path.join(ROOT, "build", "platforms", "zig")


def compiler():
    """The path of zig, unpacked where it is not there yet."""
    version = open(LOCK, encoding="utf-8").read().split()[0]
    folder = os.path.join(FOLDER, version)
    program = os.path.join(folder, "ziglang", "zig")
    if not os.path.exists(program):
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                        "--require-hashes", "--only-binary=:all:", "--platform", "manylinux_2_12_x86_64", "--dest", FOLDER,
                        "-r", LOCK], check=True)
        with zipfile.ZipFile(glob.glob(os.path.join(FOLDER, "*.whl"))[0]) as wheel:
            wheel.extractall(folder)
        os.chmod(program, 0o755)
    return program


class Zig(Platform):
    """system, machine: CMake's names. shared: the shared libraries are built, too. without: unit tests that the emulator
    cannot run, {name: why}."""

    def __init__(self, name, target, system, machine, emulator=None, shared=True, tls="bearssl", without=None):
        super().__init__(name, f"zig cc -target {target}, {tls}; "
                         + (f"run by {emulator or 'the machine itself'}" if emulator is not None else "not run"))
        self.root = "platform-zig"  # the compiler and what it has compiled of C libraries serve all of them
        self.target, self.system, self.machine, self.shared = target, system, machine, shared
        self.tls, self.without = tls, without or {}
        self.runs = emulator is not None
        self.emulator = [emulator] if emulator else []

    def script(self, name, words):
        path = self.path(name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(f'#!/bin/sh\nexport ZIG_GLOBAL_CACHE_DIR={FOLDER}/cache ZIG_LOCAL_CACHE_DIR={FOLDER}/cache\n'
                    f'exec {words} "$@"\n')
        os.chmod(path, 0o755)
        return path

    def tools(self):
        """(compiler, ar, ranlib)"""
        os.makedirs(self.folder, exist_ok=True)
        zig = compiler()
        # without symbols in all of it: with and without, zig compiles the C library twice
        return (self.script("cc", f"{zig} cc -target {self.target} -fno-sanitize=undefined -s"), self.script("ar", f"{zig} ar"),
                self.script("ranlib", f"{zig} ranlib"))

    def configure(self):
        cc, ar, ranlib = self.tools()
        return [f"-DCMAKE_SYSTEM_NAME={self.system}", f"-DCMAKE_SYSTEM_PROCESSOR={self.machine}", f"-DCMAKE_C_COMPILER={cc}",
                f"-DCMAKE_AR={ar}", f"-DCMAKE_RANLIB={ranlib}", *self.own_libraries(), "-DMOTE_WERROR=OFF"], {}

    def run(self, report):
        started = time.monotonic()
        cc, ar, _ = self.tools()
        if not report.add(f"{self.name} {self.tls}", self.tls_library(cc, ar), started):
            return
        targets = ["mote", *(["mote_shared", "mote_libcurl"] if self.shared else []),
                   *(["mote_static", "unit-tests"] if self.runs else [])]
        if not self.build(report, *targets):
            return
        self.size()
        if self.runs:
            self.unit_tests(report, self.without)
            self.command(report)
            libraries = (self.path("libraries", "lib", f"lib{name}.a") for name in archives_of(self.tls)[0])
            self.end_to_end(report, cc, True, (self.path("libmote.a"), *libraries), NOT_BUILT)

    def size(self):
        """Bytes of the command, which the linker has left no symbols in."""
        print(f"{self.name}: the command has {os.path.getsize(self.path('mote'))} bytes", flush=True)


class Twins(Platform):
    """The machine itself, with what other systems have in place of what only Linux has."""

    without = {name: "port/posix has no way to the names in a directory that takes no memory" for name in
               ("test_file.py::test_directory", "test_file.py::test_large_directory", "test_file.py::test_part_of_a_directory")}

    def __init__(self):
        super().__init__("twins", "gcc and Debian's libraries; poll() and pipes in place of epoll, eventfd, sendfile")

    def packages(self):
        return "apt-get update -q && tools/setup library"

    def configure(self):
        return ["-DMOTE_TWINS=ON"], {}

    def run(self, report):
        if self.build(report, "mote", "drop-in", "unit-tests"):
            self.unit_tests(report)
            self.command(report)
            self.end_to_end(report, "cc", False, left_out=self.without)


PLATFORMS = (
    Zig("musl", "x86_64-linux-musl", "Linux", "x86_64", "", shared=False),
    Zig("musl-mbedtls", "x86_64-linux-musl", "Linux", "x86_64", "", shared=False, tls="mbedtls"),
    Zig("musl-arm", "arm-linux-musleabihf", "Linux", "armv7l", "qemu-arm-static", shared=False),
    Zig("musl-mips", "mips-linux-musleabi", "Linux", "mips", "qemu-mips-static", shared=False, without=UNDER_MIPS),
    Zig("macos-arm64", "aarch64-macos", "Darwin", "arm64"),
    Zig("macos-x86", "x86_64-macos", "Darwin", "x86_64"),
    Zig("freebsd", "x86_64-freebsd", "FreeBSD", "amd64"),
    Zig("netbsd", "x86_64-netbsd.11.0", "NetBSD", "x86_64"),  # of which zig's headers are: kevent() is another one before
    Twins(),
)
