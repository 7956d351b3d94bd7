"""Sources of others: Debian's source packages, the FreeRTOS kernel, and what of a TLS library is compiled."""
import glob
import os
import re
import shutil
import sys
import tempfile

from .base import KEPT, ROOT, run

KERNEL_VERSION = "0.12.0"


def source_entries(folder="/etc/apt"):
    """The machine's package sources as deb-src, in APT's format; the machine's own files are only read."""
    entries = []
    for path in sorted(glob.glob(folder + "/sources.list.d/*.sources")):
        for stanza in re.split(r"\n\s*\n", open(path, encoding="utf-8").read()):
            if re.search(r"^Types:", stanza, re.M):
                entries.append(re.sub(r"^Types:.*", "Types: deb-src", stanza.strip(), flags=re.M) + "\n")
    entries, lines = list(dict.fromkeys(entries)), []
    for path in [folder + "/sources.list", *sorted(glob.glob(folder + "/sources.list.d/*.list"))]:
        if os.path.exists(path):
            lines += re.findall(r"^deb(?:-src)?(\s.*)$", open(path, encoding="utf-8").read(), re.M)
    return "\n".join(entries), "".join(f"deb-src{line}\n" for line in dict.fromkeys(lines))


def download(package, folder):
    """`apt-get source` with lists and cache of its own: it needs no root and changes nothing of the machine's."""
    stanzas, lines = source_entries()
    for name in ("parts", "lists/partial", "cache/archives/partial"):
        os.makedirs(os.path.join(folder, name))
    for name, text in (("own.sources", stanzas), ("own.list", lines)):
        with open(os.path.join(folder, "parts", name), "w", encoding="utf-8") as f:
            f.write(text)
    apt = ["apt-get", "-q", "-o", "Dir::Etc::SourceList=/dev/null", "-o", f"Dir::Etc::SourceParts={folder}/parts",
           "-o", f"Dir::State::Lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache",
           "-o", "APT::Sandbox::User=root"]
    run([*apt, "update"])
    run([*apt, "source", "--download-only", "--tar-only", package], cwd=folder)
    return glob.glob(os.path.join(folder, "*.orig.tar.*"))


def fetch(package):
    """The upstream sources of a package, without Debian's patches, in build/device/<package>."""
    target = os.path.join(KEPT, package)
    if os.path.isdir(target):
        return target
    os.makedirs(KEPT, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        tars = [t for t in download(package, folder) if not t.endswith(".asc")]
        if len(tars) != 1:
            sys.exit(f"device.py: {package}: {len(tars)} upstream archives")
        unpacked = os.path.join(folder, "unpacked")
        os.mkdir(unpacked)
        run(["tar", "xf", tars[0], "-C", unpacked, "--strip-components=1"])
        try:
            os.rename(unpacked, target)
        except OSError:
            if not os.path.isdir(target):  # another program that runs beside this one was faster
                raise
    return target


def no_kernel():
    """Why the FreeRTOS kernel is not to be had on this machine, or None. `make check` does not install cargo for it."""
    if os.environ.get("FREERTOS_KERNEL_PATH") or os.path.isdir(os.path.join(KEPT, "freertos-next")) or shutil.which("cargo"):
        return None
    return "no FREERTOS_KERNEL_PATH, and no cargo to fetch the kernel with"


def kernel():
    """The folder of the FreeRTOS kernel."""
    given = os.environ.get("FREERTOS_KERNEL_PATH")
    target = os.path.join(KEPT, "freertos-next")
    if no_kernel():
        sys.exit("device.py: " + no_kernel())
    if given or os.path.isdir(target):
        return os.path.abspath(given) if given else os.path.join(target, "FreeRTOS-Kernel")
    os.makedirs(KEPT, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        os.mkdir(os.path.join(folder, "src"))
        with open(os.path.join(folder, "Cargo.toml"), "w", encoding="utf-8") as f:
            f.write('[package]\nname = "kernel"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n'
                    f'[dependencies]\nfreertos-next = "{KERNEL_VERSION}"\n')
        open(os.path.join(folder, "src", "lib.rs"), "w", encoding="utf-8").close()
        run(["cargo", "vendor", "-q", "vendor"], cwd=folder)
        os.rename(os.path.join(folder, "vendor", "freertos-next"), target)
    return os.path.join(target, "FreeRTOS-Kernel")


def bearssl():
    """BearSSL's sources and include folders."""
    root = fetch("bearssl")
    return [root + "/src/settings.c", *sorted(glob.glob(root + "/src/*/"))], [root + "/inc", root + "/src"]


def mbedtls():
    """mbedTLS's, and the options in device/mbedtls."""
    root = fetch("mbedtls")
    return ([root + "/library"], [os.path.join(ROOT, "device", "mbedtls"), root + "/include"],
            ['MBEDTLS_CONFIG_FILE="mbedtls_device.h"'])


def wolfssl():
    """wolfSSL's, and the options in device/wolfssl. What other sources include, or is for programs, is left out."""
    root = fetch("wolfssl")
    apart = ("sniffer", "bio", "conf", "pk", "x509", "x509_str", "evp", "misc", "selftest", "fips", "fips_test")
    sources = [s for s in sorted(glob.glob(root + "/src/*.c") + glob.glob(root + "/wolfcrypt/src/*.c"))
               if os.path.basename(s)[:-2] not in apart]
    return sources, [os.path.join(ROOT, "device", "wolfssl"), root], ["WOLFSSL_USER_SETTINGS"]


TLS = {"bearssl": lambda: (*bearssl(), []), "mbedtls": mbedtls, "wolfssl": wolfssl}
# Of a TLS library: what it asks of a board.
SYSTEM = {"wolfssl": ["device/wolfssl/system.c"]}
