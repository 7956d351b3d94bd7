"""What a handshake costs: code, instructions and the longest call, for each choice of BearSSL's routines and each kind
of server. `handshake.py` writes the table of docs/tls.md to stdout; images.py checks a row of each choice."""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "tools")]
import device  # noqa: E402
import images  # noqa: E402
import field  # noqa: E402

# name: (parts to add, parts to leave out)
CHOICES = {"least code": ([], []), "curves of their own": (["bearssl_curves"], []), "fast": ([], ["bearssl_small"])}
KINDS = {"P-256, ECDSA": ("prime256v1", ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]),
         "X25519, ECDSA": ("X25519", ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]),
         "P-256, RSA 2048": ("prime256v1", ["-newkey", "rsa:2048"])}


def certificates(folder, key):
    """A root, and a certificate under it for the host as images see it; the root's path."""
    root, path = os.path.join(folder, "root"), os.path.join(folder, "device")
    make = ["openssl", "req", "-x509", *key, "-nodes", "-days", "9"]
    device.run([*make, "-keyout", root + ".key", "-out", root + ".pem", "-subj", "/CN=root"])
    device.run([*make, "-keyout", path + ".key", "-out", path + ".pem", "-subj", "/CN=trial", "-CA", root + ".pem",
                "-CAkey", root + ".key", "-addext", "subjectAltName=IP:10.0.2.2", "-addext",
                "basicConstraints=critical,CA:FALSE"])
    return root + ".pem"


def image(choice, root):
    label = "handshake-" + re.sub(r"\W", "-", choice)
    more, less = CHOICES[choice]
    library = device.profile(label, "mcu", ["bearssl", *more], ["mbedtls", "texts", *less])
    sources, folders = images.bearssl()
    return device.Image(label, ["device/handshake", root], library, {"bearssl": sources}, ["device/examples"], (),
                        "normal", 16384, "lwip", folders)


def measure(choice, kind):
    """(flash of TLS and its library, instructions in millions, of the longest call, stack), or the output."""
    curve, key = KINDS[kind]
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        pem = certificates(folder, key)
        root = os.path.join(folder, "roots.c")
        with open(root, "w", encoding="utf-8") as f:
            f.write(device.run([os.path.join(device.ROOT, "tools", "roots"), pem]))
        built = image(choice, root)
        sizes = device.build(built)
        with field.Nginx(folder, f"ssl_ecdh_curve {curve};") as web:
            web.put("page", b"a page")
            words = device.command(built.name, [web.url("page")])
            words[1:1] = ["-icount", "shift=0"]
            done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    text = done.stdout + done.stderr
    found = re.search(r"code 0, 6 bytes, busy (\d+), longest (\d+), calls \d+, stack (\d+)", text)
    if not found:
        return None, text
    return (sizes["flash"]["tls"] + sizes["flash"]["bearssl"], *map(int, found.groups())), text


# millions of instructions with P-256 and ECDSA, a quarter more than was measured
CEILINGS = {"least code": 200, "curves of their own": 90, "fast": 45}


def check(choice):
    found, text = measure(choice, "P-256, ECDSA")
    wrong = "" if not found or found[1] <= CEILINGS[choice] else f"{found[1]} million instructions\n"
    return f"handshake, {choice}", text + wrong, bool(found) and not wrong


def main():
    print("| build | server | TLS code | stack | instructions, millions | longest call | ms at 25, 80, 168 MHz |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for choice in CHOICES:
        for kind in KINDS:
            if choice == "least code" and kind.startswith("X25519"):
                continue  # not in that build
            found, text = measure(choice, kind)
            if not found:
                sys.exit(f"{choice}, {kind}: {text}")
            code, busy, longest, stack = found
            speed = ", ".join(f"{busy * 1000 / mhz:,.0f}" for mhz in (25, 80, 168))
            print(f"| {choice} | {kind} | {code:,} | {stack:,} | {busy} | {longest} | {speed} |", flush=True)


if __name__ == "__main__":
    main()
