"""What a handshake costs: code, instructions and the longest call, for each choice of routines and each kind of server,
without and with MOTE_HANDSHAKE_MS. `device/handshake.py [CHOICE...]` writes the table of docs/tls.md to stdout; checks.py takes
a row of each choice."""
import contextlib
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading

from .base import ROOT, run
from .build import build
from .emulator import command
from .image import Image, library_list
from .nginx import Nginx
from .sources import TLS

# name: (TLS, parts to add, parts to leave out)
CHOICES = {"least code": ("bearssl", [], []), "curves of their own": ("bearssl", ["bearssl_curves"], []),
           "fast": ("bearssl", [], ["bearssl_small"]), "mbedtls": ("mbedtls", [], [])}
# What a build with MOTE_HANDSHAKE_MS is made of besides.
SLICES = {"bearssl": [], "mbedtls": ["MBEDTLS_ECP_RESTARTABLE"]}
KINDS = {"P-256, ECDSA": ("prime256v1", ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]),
         "X25519, ECDSA": ("X25519", ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]),
         "P-256, RSA 2048": ("prime256v1", ["-newkey", "rsa:2048"])}
# Millions of instructions with P-256 and ECDSA, a quarter more than was measured: (the handshake, the longest call with
# MOTE_HANDSHAKE_MS=1 and all messages in one record)
CEILINGS = {"least code": (200, 69), "curves of their own": (90, 30), "fast": (45, 15), "mbedtls": (160, 2)}


def certificates(folder, key):
    """A root, and a certificate under it for the host as images see it; the root's path."""
    root, path = os.path.join(folder, "root"), os.path.join(folder, "device")
    make = ["openssl", "req", "-x509", *key, "-nodes", "-days", "9"]
    run([*make, "-keyout", root + ".key", "-out", root + ".pem", "-subj", "/CN=root"])
    run([*make, "-keyout", path + ".key", "-out", path + ".pem", "-subj", "/CN=trial", "-CA", root + ".pem",
         "-CAkey", root + ".key", "-addext", "subjectAltName=IP:10.0.2.2", "-addext",
         "basicConstraints=critical,CA:FALSE"])
    return root + ".pem"


class OneRecord:
    """Passes one connection on to a server, whose messages up to ServerHelloDone it puts into one record. A server may
    send them so (RFC 5246 section 6.2.1), and the device must return between its computations all the same."""

    def __init__(self, server):
        self.server = server
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        device_side, _ = self.listener.accept()
        server_side = socket.create_connection(("127.0.0.1", self.server))
        threading.Thread(target=self.copy, args=(device_side, server_side), daemon=True).start()
        messages, source = b"", server_side.makefile("rb")
        while not messages.endswith(b"\x0e\0\0\0"):
            head = source.read(5)
            if len(head) < 5 or head[0] != 22:
                break  # an alert
            messages += source.read(int.from_bytes(head[3:], "big"))
        device_side.sendall(b"\x16\x03\x03" + len(messages).to_bytes(2, "big") + messages)
        while piece := source.read1():
            device_side.sendall(piece)
        device_side.close()
        server_side.close()

    @staticmethod
    def copy(source, to):
        with contextlib.suppress(OSError):  # serve() has closed both
            while piece := source.recv(4096):
                to.sendall(piece)


def image(choice, root, ms=0):
    label = "handshake-" + re.sub(r"\W", "-", choice) + ("-slices" if ms else "")
    tls, more, less = CHOICES[choice]
    others = [t for t in TLS if t != tls]
    library = library_list(label, "mcu", [tls, *more], [*others, "texts", *less])
    sources, folders, defines = TLS[tls]()
    slices = [f"MOTE_HANDSHAKE_MS={ms}", *SLICES[tls]] if ms else []
    return Image(label, ["device/handshake", root], library, {tls: sources}, ["device/examples"],
                 [*defines, *slices], "normal", 16384, "lwip", folders)


def measure(choice, kind, ms=0):
    """((flash of TLS and its library, instructions in millions, of the longest call, stack), the output); None: it
    failed. With ms the server's part of the handshake is one record."""
    curve, key = KINDS[kind]
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        pem = certificates(folder, key)
        root = os.path.join(folder, "roots.c")
        with open(root, "w", encoding="utf-8") as f:
            f.write(run([os.path.join(ROOT, "tools", "roots"), pem]))
        built = image(choice, root, ms)
        sizes = build(built)
        with Nginx(folder, f"ssl_ecdh_curve {curve};") as web:
            web.put("page", b"a page")
            one = OneRecord(web.port) if ms else web
            words = command(built.name, [f"https://10.0.2.2:{one.port}/page"])
            words[1:1] = ["-icount", "shift=0"]
            done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    text = done.stdout + done.stderr
    found = re.search(r"code 0, 6 bytes, busy (\d+), longest (\d+), calls \d+, stack (\d+)", text)
    if not found:
        return None, text
    return (sizes["flash"]["tls"] + sizes["flash"][CHOICES[choice][0]], *map(int, found.groups())), text


def check(choice):
    whole, text = measure(choice, "P-256, ECDSA")
    slices, more = measure(choice, "P-256, ECDSA", 1)
    text += more
    passed = bool(whole and slices) and whole[1] <= CEILINGS[choice][0] and slices[2] <= CEILINGS[choice][1]
    return f"handshake, {choice}", text, passed


def main():
    print("| build | server | TLS code | stack | instructions, millions | longest call | in slices "
          "| ms at 25, 80, 168 MHz |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for choice in sys.argv[1:] or CHOICES:
        for kind in KINDS:
            if choice == "least code" and kind.startswith("X25519"):
                continue  # not in that build
            found, text = measure(choice, kind)
            cut, more = measure(choice, kind, 1)
            if not found:
                sys.exit(f"{choice}, {kind}: {text}")
            code, busy, longest, stack = found
            most = cut[2] if cut else "-"  # what cannot be cut is not offered
            speed = ", ".join(f"{busy * 1000 / mhz:,.0f}" for mhz in (25, 80, 168))
            print(f"| {choice} | {kind} | {code:,} | {stack:,} | {busy} | {longest} | {most} | {speed} |", flush=True)
