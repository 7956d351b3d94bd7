"""The library in a firmware of others: STM32CubeMX's options of lwIP, and docs/firmware.md."""
import os
import re
import subprocess
import sys

from .base import ROOT
from .build import compile_one
from .image import CC, Image, library_list
from .images import FLAVOUR
from .sources import bearssl

# What lwipopts.h must not say: {port: {option: a wrong value}}
WRONG = {"freertos": {"NO_SYS": 1, "LWIP_IPV4": 0, "LWIP_TCP": 0, "LWIP_DNS": 0, "LWIP_SOCKET": 0, "LWIP_SOCKET_POLL": 0,
                     "LWIP_COMPAT_SOCKETS": 2},
         "lwip": {"NO_SYS": 0, "LWIP_IPV4": 0, "LWIP_TCP": 0, "LWIP_CALLBACK_API": 0, "LWIP_DNS": 0}}
# What must be wrong too before an option is refused.
BESIDE = {"LWIP_SOCKET_POLL": {"LWIP_SOCKET_SELECT": 0}}


def firmware(port):
    """Profile mcu with the options that STM32CubeMX writes (device/cubemx)."""
    image = Image("firmware-" + FLAVOUR[port], [], library_list("firmware-" + FLAVOUR[port], "mcu", port=port),
                  port=port, system=bearssl()[1])
    theirs = ["device/cubemx/" + ("bare" if port == "lwip" else "freertos"), "device/cubemx"]
    image.includes = theirs + [i for i in image.includes if i not in ("device/lwip", "device/freertos")]
    return image


def complaints(image, options):
    """What compiling one file of the port with these options says is wrong with lwipopts.h: {option: line}."""
    source = os.path.join(image.folder, "asks.c")
    os.makedirs(image.folder, exist_ok=True)
    port = "lwip" if image.name.endswith("baremetal") else "freertos"
    with open(source, "w", encoding="utf-8") as f:
        f.write("#include <lwipopts.h>\n" + "".join(f"#undef {o}\n#define {o} {v}\n" for o, v in options.items())
                + f'#include "port/{port}/internal.h"\n')
    done = subprocess.run([CC, *image.flags("port", source), "-fsyntax-only", source], capture_output=True,
                          text=True, cwd=ROOT, check=False)
    return dict(re.findall(r"#error \"lwipopts.h: (\w+) (must be [^\"]*)\"", done.stderr))


def check(port):
    """Each option that must be otherwise is named; with these, all files compile."""
    image = firmware(port)
    found = complaints(image, {})
    wrong = [] if list(found) == ["LWIP_DNS"] else [f"as generated: {found}"]
    for option, value in WRONG[port].items():
        if option not in complaints(image, {"LWIP_DNS": 1, **BESIDE.get(option, {}), option: value}):
            wrong.append(f"{option} {value} is not refused by its name")
    image.defines.add("LWIP_DNS=1")
    sources = [(part, s) for part in ("port", "library", "tls") for s in image.parts[part]]
    for part, source in sources:
        try:
            compile_one(source, image.object(part, source), image.flags(part, source))
        except SystemExit as e:
            wrong.append(str(e))
    print(f"{image.name}: {len(sources)} files")
    return image.name, "\n".join(wrong), not wrong


def check_page():
    """docs/firmware.md, replayed."""
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                           os.path.join(ROOT, "tests", "package", "test_firmware_page.py")], capture_output=True,
                          text=True, check=False)
    return "firmware-page", done.stdout + done.stderr, done.returncode == 0 and "1 passed" in done.stdout
