"""What devices pay for what they do: the table of README.md, and its ceilings. `device/matrix.py [ROW...]` measures all rows, or
some, and writes it.

Each row is device/tiny, which fetches a megabyte over HTTPS out of one static block, on other parts: flash of the
library, of TLS, of the whole image with TCP/IP; RAM of one connection with records of 512 bytes (mbedTLS: 2,048;
wolfSSL: 16 KB, since it asks for no less); stack."""
import os
import sys

import markers

from .base import ROOT
from .build import build
from .certificates import certificates
from .fetches import measure
from .image import Image, listed, library_list
from .sources import SYSTEM, TLS

BEGIN = "<!-- devices: written by device/matrix.py -->\n"
END = "<!-- end of devices -->\n"
# name: (what it does, profile, parts to add, parts to leave out, TLS)
ROWS = {
    "get": ("GET", "tiny", [], [], "bearssl"),
    "post": ("GET, POST, PUT", "tiny", ["uploads"], [], "bearssl"),
    "mcu": ("that, several at once, chunked, Basic, Bearer", "mcu", [], [], "bearssl"),
    "mcu-resume": ("the same, and ranges", "mcu", ["ranges"], [], "bearssl"),
    "mcu-sessions": ("the third row, and TLS sessions kept", "mcu", ["sessions"], [], "bearssl"),
    "mcu-fast": ("the third row, handshakes five times as fast", "mcu", [], ["bearssl_small"], "bearssl"),
    "mcu-mbedtls": ("the third row", "mcu", [], [], "mbedtls"),
    "mcu-wolfssl": ("the third row, sessions, client certificates, TLS 1.3", "mcu", [], [], "wolfssl"),
}
# bytes of flash: (library, image); the README says what is reached
CEILINGS = {"get": (12000, 68000), "post": (17000, 74000), "mcu": (50000, 110000)}
STACK = 5600 # bytes that a fetch may take, in the rows that have ceilings
# mbedTLS puts no handshake message together from several records: the server's chain must fit into one.
RECORDS = {"bearssl": ["MOTE_BEARSSL_FRAGMENT=512", "MOTE_BEARSSL_FIRST=128", "MOTE_BEARSSL_ANCHORS=1",
                       "MOTE_BEARSSL_SMALL=256", "TINY_BUFFER=1024L"],
           "mbedtls": ["MOTE_MBEDTLS_FRAGMENT=2048", "MBEDTLS_SSL_IN_CONTENT_LEN=2048",
                       "MBEDTLS_SSL_OUT_CONTENT_LEN=2048", "TINY_BUFFER=1024L"],
           "wolfssl": ["TINY_BUFFER=1024L"]}
BLOCK = {"wolfssl": 98304} # bytes of the static block; otherwise 28672


def image(name, defines=()):
    _, profile, more, less, tls = ROWS[name]
    label = f"matrix-{name}" + ("-512" if defines else "")
    others = [t for t in TLS if t != tls]
    kept = ["static_memory"] + ([tls] if profile == "mcu" else [])
    library = library_list(label, profile, [*more, *kept], ["libc_malloc", *others, *less], "lwip")
    sources, folders, own = TLS[tls]()
    made = Image(label, ["device/tiny", "device/tiny/tls", certificates() + "/roots.c"], library,
                 {tls: sources}, ["device/tiny"], [*defines, *own, f"TINY_BLOCK={BLOCK.get(tls, 28672)}"],
                 "normal", 16384, "lwip", folders, memory="512K" if tls == "wolfssl" else "256K")
    made.parts["board"] += listed(SYSTEM.get(tls, []))
    return made


def row(name):
    """{flash figures, "ram", "stack"}; ram and stack are None with a reason when the transfer failed."""
    sizes = build(image(name))
    small = image(name, RECORDS[ROWS[name][4]])
    static = build(small)["ram"]
    taken, why = measure(small.name)
    flash = sizes["flash"]
    found = {"library": flash["library"], "tls": flash["tls"] + flash[ROWS[name][4]], "image": sizes["image_flash"],
             "ram": None, "stack": None, "why": why}
    if taken:
        found["ram"] = taken[0] + sum(static.get(p, 0) for p in ("library", "tls", ROWS[name][4]))
        found["stack"] = taken[1]
    return found


def check(name):
    found = row(name)
    wrong = [f"{what}: {found[what]:,} of {most:,}" for what, most in zip(("library", "image"), CEILINGS[name])
             if found[what] > most]
    if found["stack"] is not None and found["stack"] > STACK:
        wrong.append(f"stack: {found['stack']:,} of {STACK:,}")
    text = "\n".join([str(found), *wrong, found["why"] or ""]) + "\n"
    return f"matrix-{name}", text, not wrong and found["ram"] is not None


def table(names, before):
    """The table, with the lines of rows that are not measured as they are in `before`, the table that there is."""
    out = ["| over HTTPS | build | library | TLS | image | RAM | stack |\n",
           "| --- | --- | ---: | ---: | ---: | ---: | ---: |\n"]
    for name, (what, profile, more, less, tls) in ROWS.items():
        library = {"bearssl": "BearSSL", "mbedtls": "mbedTLS", "wolfssl": "wolfSSL"}[tls]
        made_of = " ".join([f"`{profile}`", *(f"+ `{m}`" for m in more), *(f"- `{m}`" for m in less), library])
        if name not in names:
            out += [line for line in before.splitlines(True) if line.startswith(f"| {what} | {made_of} |")]
            continue
        found = row(name)
        print(name, found, flush=True)
        kinds = ("library", "tls", "image", "ram", "stack")
        figures = [f"{found[k]:,}" if found[k] is not None else "-" for k in kinds]
        out.append("| " + " | ".join([what, made_of, *figures]) + " |\n")
    return "\n" + "".join(out) + "\n"


def main():
    path = os.path.join(ROOT, "README.md")
    with open(path, encoding="utf-8") as f:
        before = f.read()
    _, fresh = markers.between(path, BEGIN, table(sys.argv[1:] or list(ROWS), before), END)
    with open(path, "w", encoding="utf-8") as f:
        f.write(fresh)
