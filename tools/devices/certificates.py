"""The certificates of servers that images talk to, made for 20 days, and the roots that images trust."""
import os
import shutil
import ssl
import sys
import time

from .base import OUT, ROOT, run

sys.path.append(os.path.join(ROOT, "tests", "e2e"))
import certs  # noqa: E402


def certificates():
    """The folder of certificates, made for 20 days: those of certs.py, and of the host as images see it."""
    folder = os.path.join(OUT, "certs")
    marker = os.path.join(folder, "made")
    if os.path.exists(marker) and time.time() - os.path.getmtime(marker) < 19 * 86400:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    made = certs.Certs(folder)
    made._leaf("device", "IP:10.0.2.2,DNS:device.test")
    made._leaf("expired-device", "IP:10.0.2.2", start="20200101000000Z", end="20200201000000Z")
    write_roots(folder, [made.path("ca.pem"), made.path("ca2.pem")])
    open(marker, "w", encoding="utf-8").close()
    return folder


def write_roots(folder, paths):
    """DER: a third smaller than PEM, and a lookup takes no memory."""
    ders = []
    for path in paths:
        with open(path, encoding="utf-8") as f:
            text = f.read()
        ders.append(ssl.PEM_cert_to_DER_cert(text[text.index("-----BEGIN CERTIFICATE"):]))
    with open(os.path.join(folder, "roots.c"), "w", encoding="utf-8") as f:
        f.write("/* roots.c: written by tools/devices/certificates.py. */\n")
        for i, der in enumerate(ders):
            f.write(f"static const unsigned char root_{i}[] = {{" + ", ".join(map(str, der)) + "};\n")
        f.write("const unsigned char *const roots[2] = {root_0, root_1};\n")
        f.write("const unsigned root_sizes[2] = {" + ", ".join(str(len(d)) for d in ders) + "};\n")


def tls_context(name):
    folder = certificates()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/{name}.pem", f"{folder}/{name}.key")
    return context


def roots():
    """roots.c by tools/roots."""
    folder = certificates()
    path = os.path.join(folder, "roots_use.c")
    text = run([os.path.join(ROOT, "tools", "roots"), folder + "/ca.pem"])
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path
