"""Every profile for every port, all of it kept by the linker: no symbol of it is missing, called or not."""
import os
import re

import partlist

from .base import ROOT
from .build import build
from .image import Image, library_list
from .images import FLAVOUR
from .sources import bearssl

# parts of the larger profiles whose libraries are not built for the board
NOT_HERE = [part for part, fields in partlist.parts().items() if fields.get("PACKAGES") and part != "wolfssl"]
# every profile for every port: what of it the port and the libraries at hand allow
ALL = [(profile, port) for port in FLAVOUR for profile in partlist.profiles()]


def interface():
    """The names of the public functions."""
    with open(os.path.join(ROOT, "exports", "functions.txt"), encoding="utf-8") as f:
        return re.findall(r"^\w+", f.read(), re.M)


def check(profile, port):
    """It compiles, and no symbol of it is missing, called or not."""
    name = f"link-{profile}-{FLAVOUR[port]}"
    library = library_list(name, profile, ["bearssl"], NOT_HERE, port)
    sources, folders = bearssl()
    image = Image(name, ["device/link"], library, {"bearssl": sources}, (), ["MOTE_LWIP_SOCKETS=4"], "normal",
                  16384, port, folders, interface(), "1M")
    build(image)
    return name, "", True
