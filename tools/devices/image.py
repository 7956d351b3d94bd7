"""What an image is made of: its parts' sources, and the flags of each. The compiler of the board."""
import glob
import hashlib
import os
import re

import partlist

from .base import OUT, ROOT, run
from .sources import fetch, kernel

BOARD = "device/mps2-an385"
SHARED = os.path.join(OUT, "shared")
OUR_PARTS = ("app", "board", "port", "library", "tls")
CC = "arm-none-eabi-gcc"
CPU = ["-mcpu=cortex-m3", "-mthumb"]
FLAGS = ["--specs=picolibc.specs", *CPU, "-Os", "-g", "-ffunction-sections", "-fdata-sections", "-fshort-enums",
         "-fno-common", "-ffile-prefix-map=" + ROOT + "/=", "-DNDEBUG"]
# Parts that are optimized as one. The application is not: what it calls stays as it is. Objects have code of
# their own besides (fat), by which sizes_of() finds whose a function is.
WHOLE = ("board", "port", "library", "tls", "mote", "bearssl", "mbedtls", "wolfssl", "lwip")
WHOLE_FLAGS = ["-flto", "-ffat-lto-objects"]
STRICT = ["-std=c11", "-pedantic-errors", "-Wall", "-Wextra", "-Werror"]  # of mote.c (tools/amalgamate)
OURS = ["-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wstrict-prototypes", "-Wvla", "-Werror"]
LWIP_FILES = """init def dns inet_chksum ip mem memp netif pbuf sys tcp tcp_in tcp_out timeouts udp
  ipv4/dhcp ipv4/etharp ipv4/icmp ipv4/ip4 ipv4/ip4_addr""".split()
SOCKET_FILES = "api_lib api_msg err netbuf sockets tcpip".split()
KERNEL_FILES = ["tasks.c", "list.c", "queue.c", "portable/GCC/ARM_CM3/port.c"]
# Of lwIP: where only arguments that a wrong program gives are checked (never bytes that the network gives).
TRUSTED = "tcp tcp_out udp netif memp dhcp etharp".split()
# Of BearSSL: files that are compiled with device/bearssl/less.h.
LESS = "ssl_hs_client rsa_i15_pub".split()


def listed(names):
    """Files; of a folder its .c files."""
    found = []
    for name in names:
        path = os.path.join(ROOT, name)
        found += sorted(glob.glob(path + "/*.c")) if os.path.isdir(path) else [path]
    return found


def port_files(port):
    """A port's sources, with those of another port that it has too (cmake/select.cmake)."""
    with open(os.path.join(ROOT, "cmake", "select.cmake"), encoding="utf-8") as f:
        also = re.search(rf"set\(MOTE_PORT_{port}_ALSO ([^)]*)\)", f.read())
    return listed([f"src/port/{port}", *(f"src/port/{name}.c" for name in (also.group(1).split() if also else []))])


def object_name(source):
    return re.sub(r"\.c$", ".o", os.path.relpath(source, ROOT)).replace("../", "").replace("/", "_")


class Image:
    """What an image is made of: parts (name: sources), flags for all, the folder of its objects."""

    def __init__(self, name, app, library=None, parts=None, includes=(), defines=(), lwip="normal", stack=16384,
                 port="lwip", system=(), kept=(), memory="256K"):
        self.name, self.stack, self.kept, self.memory = name, stack, kept, memory
        sockets = port != "lwip"  # in tasks of FreeRTOS
        self.interrupt_stack = 512 if sockets else 0
        self.folder = os.path.join(OUT, name + ".obj")
        lwip_root = fetch("lwip")
        way = f"{BOARD}/{'freertos' if sockets else 'bare'}"
        self.parts = {"app": listed(app), "board": listed([BOARD, way]), "port": port_files(port),
                      "libc": listed(["device/libc"]),
                      "lwip": [f"{lwip_root}/src/core/{f}.c" for f in LWIP_FILES]
                      + [f"{lwip_root}/src/netif/ethernet.c"]}
        self.config = [way, BOARD, "device/lwip"]
        self.includes = [*includes, "src", "include", *self.config, f"src/port/{port}/include"]
        self.system = [*system, f"{lwip_root}/src/include"]
        self.defines = {"MOTE_BUILDING", *defines, *(["MOTE_LWIP_" + lwip.upper()] if lwip != "normal" else [])}
        if sockets:
            self.add_kernel(f"{lwip_root}/src/api")
        if library:
            words = open(library, encoding="utf-8").read().split()
            at = self.includes.index("src")  # headers of a part come before those that they stand in for
            self.includes[at:at] = [w[2:] for w in words if w.startswith("-I")]
            self.defines |= {w[2:] for w in words if w.startswith("-D")}
            sources = [w for w in words if w[0] != "-" and not w.startswith("src/port/")]
            self.parts["library"] = listed(w for w in sources if not partlist.of_tls(w))
            self.parts["tls"] = listed(w for w in sources if partlist.of_tls(w))
        for part, files in (parts or {}).items():
            self.parts[part] = listed(files)

    def add_kernel(self, sockets):
        root = kernel()
        self.parts["rtos"] = [os.path.join(root, f) for f in KERNEL_FILES]
        self.parts["board"] += listed(["device/freertos"])
        self.parts["lwip"] += [f"{sockets}/{f}.c" for f in SOCKET_FILES]
        self.includes.append("device/freertos")
        self.config.append("device/freertos")
        self.system += [f"{root}/include", f"{root}/portable/GCC/ARM_CM3"]
        self.defines.add("MOTE_LWIP_FREERTOS")

    def flags(self, part, source):
        # BearSSL knows nothing of lwIP or the board: its objects are the same in all images
        includes = self.includes if part in OUR_PARTS else self.config if part != "bearssl" else []
        flags = FLAGS + [f"-I{os.path.join(ROOT, i)}" for i in includes]
        defines = self.defines - ({"MOTE_BUILDING"} if part in ("app", "mote") else set()) # outside of the library
        if part == "mote":
            return [*FLAGS, *(f"-I{os.path.join(ROOT, i)}" for i in self.config), *STRICT, *WHOLE_FLAGS,
                    *(a for s in self.system for a in ("-isystem", s)), *(f"-D{d}" for d in sorted(defines))]
        if part not in OUR_PARTS:
            needed = ("MOTE_LWIP_", "DNS_", "MBEDTLS_", "WOLFSSL_") if part != "bearssl" else ()
            defines = {d for d in defines if d.startswith(needed)}
        flags += [a for s in self.system for a in ("-isystem", s)] + [f"-D{d}" for d in sorted(defines)]
        if part == "lwip":
            trusted = os.path.basename(source)[:-2] in TRUSTED
            flags += ["-include", os.path.join(ROOT, "device", "lwip", "atoi.h")]
            return flags + ["-w", *WHOLE_FLAGS] + (["-DLWIP_ERROR(text, right, otherwise)="] if trusted else [])
        # BearSSL: time and random bytes are the port's.
        flags += WHOLE_FLAGS if part in WHOLE else []
        if part == "bearssl" and os.path.basename(source)[:-2] in LESS:
            flags += ["-include", os.path.join(ROOT, "device", "bearssl", "less.h")]
        return flags + (OURS if part in OUR_PARTS else ["-w", "-DBR_USE_UNIX_TIME=0", "-DBR_USE_URANDOM=0"])

    def object(self, part, source):
        """Where a source's object goes: what is not ours is shared by all images that compile it alike."""
        if part in OUR_PARTS:
            return os.path.join(self.folder, part, object_name(source))
        alike = hashlib.sha256("\0".join(self.flags(part, source)).encode()).hexdigest()[:16]
        return os.path.join(SHARED, part, alike, object_name(source))

    def path(self, suffix):
        return os.path.join(OUT, self.name + suffix)


def library_list(name, chosen, more=(), less=(), port="lwip"):
    """Writes the list of the library's sources in a profile (cmake/generate.cmake); its path."""
    out = os.path.join(OUT, name + ".parts")
    run(["cmake", f"-DPROFILE={chosen}", f"-DPORT={port}", f"-DWITH={';'.join(more)}", f"-DWITHOUT={';'.join(less)}",
         f"-DOUT={out}", "-P", os.path.join(ROOT, "cmake", "generate.cmake")], cwd=ROOT)
    return os.path.join(out, "sources.txt")


def in_one_file(image, chosen, tls, port, more=(), less=()):
    """The image with the library as tools/amalgamate writes it: a part "mote" in place of library, tls and port."""
    folder = image.path(".mote")
    run([os.path.join(ROOT, "tools", "amalgamate"), chosen, port, tls, "--out", folder,
         *(["--with", *more] if more else []), *(["--without", *less] if less else [])])
    for part in ("library", "tls", "port"):
        del image.parts[part]
    image.parts["mote"] = listed([folder])
    return image
