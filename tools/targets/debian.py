"""Debian's other machines: its cross compilers and its libraries for them, run by qemu-user."""
from .base import Platform

# what the set "library" of tools/setup has for the machine itself
LIBRARIES = ("libssl-dev zlib1g-dev libbrotli-dev libzstd-dev libidn2-dev libpsl-dev libkrb5-dev libnghttp2-dev"
             " libssh2-1-dev").split()


class Debian(Platform):
    def __init__(self, name, machine, triplet, emulator, suite="bookworm", options=(), without=None, more_tls=()):
        """machine: what uname says there. without: unit tests that the emulator cannot run, {name: why}. more_tls: the
        TLS libraries that it has besides OpenSSL, which serves."""
        super().__init__(name, f"{triplet}-gcc, Debian's libraries for {name}; run by {emulator or 'the machine itself'}")
        self.machine, self.triplet, self.suite = machine, triplet, suite
        self.options, self.without, self.tls_libraries = options, without or {}, ("openssl", *more_tls)
        self.emulator = [emulator] if emulator else []

    def packages(self):
        libraries = [*LIBRARIES, *(f"lib{t}-dev" for t in self.tls_libraries[1:])]
        names = [f"gcc-{self.triplet.replace('_', '-')}", f"libc6-dev-{self.name}-cross", *(f"{p}:{self.name}" for p in libraries)]
        return (f"dpkg --add-architecture {self.name} && apt-get update -q &&"
                f" apt-get install -q -y --no-install-recommends {' '.join(names)}")

    def configure(self):
        options = ["-DCMAKE_SYSTEM_NAME=Linux", f"-DCMAKE_SYSTEM_PROCESSOR={self.machine}",
                   f"-DCMAKE_C_COMPILER={self.triplet}-gcc", f"-DMOTE_TLS={';'.join(self.tls_libraries)}", *self.options]
        return options, {"PKG_CONFIG_LIBDIR": f"/usr/lib/{self.libraries()}/pkgconfig:/usr/share/pkgconfig"}

    def libraries(self):
        """The folder of the machine's libraries below /usr/lib."""
        return self.triplet.replace("i686", "i386")

    def run(self, report):
        if not self.build(report, "mote", "drop-in", "unit-tests"):
            return
        self.unit_tests(report, self.without)
        self.command(report)
        self.end_to_end(report, f"{self.triplet}-gcc", True)


PLATFORMS = (
    # Without wolfSSL: its unit test has thousands of allocations fail one by one, for longer than UNIT_HANGS.
    Debian("s390x", "s390x", "s390x-linux-gnu", "qemu-s390x-static", more_tls=("bearssl", "mbedtls")),
    Debian("armhf", "armv7l", "arm-linux-gnueabihf", "qemu-arm-static"),
    Debian("arm64", "aarch64", "aarch64-linux-gnu", "qemu-aarch64-static"),
    Debian("i386", "i686", "i686-linux-gnu", ""),
    Debian("riscv64", "riscv64", "riscv64-linux-gnu", "qemu-riscv64-static", "trixie"),
    Debian("ppc64el", "ppc64le", "powerpc64le-linux-gnu", "qemu-ppc64le-static"),
)
