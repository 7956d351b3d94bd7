"""The images: what each is made of, what it has to fetch, and the table of their sizes (tools/device.py runs this)."""
import contextlib
import functools
import glob
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import time
import tomllib
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "tools")]
import device  # noqa: E402
import field  # noqa: E402
import handshake  # noqa: E402
import matrix  # noqa: E402
import partlist  # noqa: E402
import peer  # noqa: E402

RISCV = ["riscv64-unknown-elf-gcc", "--specs=picolibc.specs", "-march=rv32imac", "-mabi=ilp32"]
BLOCK = 28672  # bytes of device/tiny's block
# parts of the larger profiles whose libraries are not built for the board
NOT_HERE = [part for part, fields in partlist.parts().items() if fields.get("PACKAGES") and part != "wolfssl"]
FLAVOUR = {"lwip": "baremetal", "freertos": "freertos"}
NAMES = {**FLAVOUR, "lwip_sockets": "sockets"}
OPTIONS = {"lwip_sockets": ["MOTE_LWIP_SELECT"]}  # lwIP's sockets as ESP-IDF has them


# ---- what images are made of ----

def smoke(lwip, port):
    """The port's functions alone."""
    return device.Image(f"smoke-{lwip}-{FLAVOUR[port]}", ["device/smoke", "device/common"],
                        includes=["device/common"], lwip=lwip, port=port)


def port_test(lwip, port, dns_port=25353):
    return device.Image(f"port-test-{lwip}-{NAMES[port]}", ["device/port-test", "device/common"], includes=["device/common"],
                        defines=[f"DNS_SERVER_PORT={dns_port}", *OPTIONS.get(port, [])], lwip=lwip, port=port)


def plain(lwip, port):
    """device/tiny over plain HTTP."""
    name = f"tiny-plain-{lwip}-{FLAVOUR[port]}"
    library = device.profile(name, "tiny", less=["libc_malloc", "https"], port=port)
    return device.Image(name, ["device/tiny", "device/tiny/plain"], library, includes=["device/tiny"], lwip=lwip,
                        stack=8192, port=port)


def named(port, dns_port):
    """The same, which asks peer.Names on this machine for names."""
    return tiny("tiny-names-" + FLAVOUR[port], port,
                defines=[f"DNS_SERVER_PORT={dns_port}", "BOARD_NAMES_AT_GATEWAY"])


def tiny(name, port="lwip", lwip="normal", less=(), defines=()):
    """device/tiny with HTTPS by BearSSL."""
    library = device.profile(name, "tiny", less=["libc_malloc", *less], port=port)
    sources, folders = bearssl()
    return device.Image(name, ["device/tiny", "device/tiny/tls", certificates() + "/roots.c"], library,
                        {"bearssl": sources}, ["device/tiny"], defines, lwip, 8192, port, folders)


def telemetry(port, tls="bearssl"):
    """device/telemetry, an ordinary program: profile mcu, the C library's memory."""
    name = "telemetry-" + (tls + "-" if tls != "bearssl" else "") + NAMES[port]
    library = device.profile(name, "mcu", [tls], [t for t in TLS if t != tls], port)
    sources, folders, defines = TLS[tls]()
    return device.Image(name, ["device/telemetry", "device/tiny/tls", certificates() + "/roots.c"], library,
                        {tls: sources}, ["device/tiny"], ["MOTE_LWIP_SOCKETS=4", *defines, *OPTIONS.get(port, [])], "normal",
                        16384, port, folders)


def websocket(port):
    """device/websocket: keeps a connection open by wss. Profile mcu with the part ws."""
    name = "websocket-" + FLAVOUR[port]
    library = device.profile(name, "mcu", ["ws"], port=port)
    sources, folders = bearssl()
    return device.Image(name, ["device/websocket", "device/tiny/tls", certificates() + "/roots.c"], library,
                        {"bearssl": sources}, ["device/tiny"], (), "normal", 16384, port, folders)


TINY = {
    "tiny-baremetal": {},
    "tiny-dhcp-baremetal": {"lwip": "dhcp"},
    "tiny-freertos": {"port": "freertos", "lwip": "dhcp"},
    "tiny-512-baremetal": {"defines": ["MOTE_BEARSSL_FRAGMENT=512", "MOTE_BEARSSL_FIRST=128",
                                       "MOTE_BEARSSL_ANCHORS=1", "MOTE_BEARSSL_SMALL=256", "TINY_BUFFER=512L"]},
    "tiny-small-baremetal": {"lwip": "small", "less": ["chacha20"]},
}
AMALGAMATED = {"lwip": "tiny-baremetal", "freertos": "tiny-freertos"}  # port: the image that is built both ways
KINDS = [(lwip, port) for port in FLAVOUR for lwip in ("normal", "small")]
WITH_DHCP = [(lwip, port) for port in FLAVOUR for lwip in ("dhcp", "small")]


def bearssl():
    """BearSSL's sources and include folders."""
    root = device.fetch("bearssl")
    return [root + "/src/settings.c", *sorted(glob.glob(root + "/src/*/"))], [root + "/inc", root + "/src"]


def mbedtls():
    """mbedTLS's, and the options in device/mbedtls."""
    root = device.fetch("mbedtls")
    return ([root + "/library"], [os.path.join(HERE, "mbedtls"), root + "/include"],
            ['MBEDTLS_CONFIG_FILE="mbedtls_device.h"'])


def wolfssl():
    """wolfSSL's, and the options in device/wolfssl. What other sources include, or is for programs, is left out."""
    root = device.fetch("wolfssl")
    apart = ("sniffer", "bio", "conf", "pk", "x509", "x509_str", "evp", "misc", "selftest", "fips", "fips_test")
    sources = [s for s in sorted(glob.glob(root + "/src/*.c") + glob.glob(root + "/wolfcrypt/src/*.c"))
               if os.path.basename(s)[:-2] not in apart]
    return sources, [os.path.join(HERE, "wolfssl"), root], ["WOLFSSL_USER_SETTINGS"]


TLS = {"bearssl": lambda: (*bearssl(), []), "mbedtls": mbedtls, "wolfssl": wolfssl}
# Of a TLS library: what it asks of a board.
SYSTEM = {"wolfssl": ["device/wolfssl/system.c"]}


def certificates():
    """The folder of certificates, made for 20 days: those of certs.py, and of the host as images see it."""
    folder = os.path.join(device.OUT, "certs")
    marker = os.path.join(folder, "made")
    if os.path.exists(marker) and time.time() - os.path.getmtime(marker) < 19 * 86400:
        return folder
    sys.path.insert(0, os.path.join(device.ROOT, "tests", "e2e"))
    import certs
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
        f.write("/* roots.c: written by device/images.py. */\n")
        for i, der in enumerate(ders):
            f.write(f"static const unsigned char root_{i}[] = {{" + ", ".join(map(str, der)) + "};\n")
        f.write("const unsigned char *const roots[2] = {root_0, root_1};\n")
        f.write("const unsigned root_sizes[2] = {" + ", ".join(str(len(d)) for d in ders) + "};\n")


# ---- what they fetch ----

def fetch_of(code, body, url):
    """An argument of device/tiny: what must come of a URL."""
    return f"get={code},{len(body)},{zlib.adler32(body)},{url}"


def good_fetches(web):
    pages = [("page", "page"), ("chunked", "chunked"), ("redirect", "page"), ("big", "big")]
    return [fetch_of(0, web.BODIES[body], web.url(path)) for path, body in pages]


def bad_fetches(web):
    return [fetch_of(18, b"begun", web.url("cut")), fetch_of(56, b"begun", web.url("reset")),
            fetch_of(52, b"", web.url("empty")),
            "timeout=3000", fetch_of(28, b"", web.url("silent")), fetch_of(28, b"begun", web.url("stall")),
            "timeout=20000"]


def check_smoke(lwip, port):
    image = smoke(lwip, port)
    device.build(image)
    with peer.Page(b"a small page from this machine\n") as page:
        status, text = device.boot(image.name, ["10.0.2.2", str(page.port), "/page"])
    return image.name, text, status == 0 and "a small page" in text


def check_port(lwip, port):
    with peer.Peer() as p:
        image = port_test(lwip, port, p.names.port)
        device.build(image)
        status, text = device.boot(image.name, [str(p.port), str(p.refused)], timeout=180)
        wrong = p.errors()
    return image.name, text + "".join(f"peer: {e}\n" for e in wrong), status == 0 and not wrong


def outcome(name, status, text, webs):
    """The server that must not be reached got no byte; connections were kept."""
    wrong = [f"{w.bytes} bytes were sent without memory for the request" for w in webs[1:] if w.bytes]
    if webs[0].connections != 5:
        wrong.append(f"{webs[0].connections} connections, not 5: kept ones are not used")
    return name, text + "".join(f"peer: {e}\n" for e in wrong), status == 0 and not wrong


def check_plain(lwip, port):
    image = plain(lwip, port)
    device.build(image)
    with peer.Web() as web, peer.Web() as untouched:
        words = [*good_fetches(web), *bad_fetches(web),
                fetch_of(7, b"", f"http://10.0.2.2:{peer.closed_port()}/"),
                fetch_of(6, b"", "http://nowhere.invalid/"),
                "block=1200", fetch_of(27, b"", untouched.url("page"))]
        status, text = device.boot(image.name, words, timeout=180)
    return outcome(image.name, status, text, [web, untouched])


def tls_context(name):
    folder = certificates()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/{name}.pem", f"{folder}/{name}.key")
    return context


def check_tiny(name):
    device.build(tiny(name, **TINY[name]))
    return check_built(name)


def check_built(name):
    with contextlib.ExitStack() as stack:
        good, untouched, wrong, expired, own = [
            stack.enter_context(peer.Web(tls_context(c)))
            for c in ("device", "device", "wrongname", "expired-device", "selfsigned")]
        words = [*good_fetches(good), *bad_fetches(good),
                *(fetch_of(60, b"", web.url("page")) for web in (wrong, expired, own)),
                "ca=1", f"block={BLOCK}", fetch_of(60, b"", untouched.url("page")),
                "ca=0", "block=4000", fetch_of(27, b"", untouched.url("page"))]
        status, text = device.boot(name, words, timeout=300)
    untouched.bytes = untouched.requests
    return outcome(name, status, text, [good, untouched])


def check_amalgamation(port):
    """The image of one file (tools/amalgamate) passes, and is as large as that of the many."""
    usual = AMALGAMATED[port]
    many = device.build(tiny(usual, **TINY[usual]))
    image = device.in_one_file(tiny(f"amalgamated-{FLAVOUR[port]}", **TINY[usual]), "tiny", "bearssl", port,
                               less=["libc_malloc"])
    one = device.build(image)
    wrong = [f"{key}: {one[key]} of one file, {many[key]} of many" for key in ("image_flash", "image_ram", "stack")
             if abs(one[key] - many[key]) > many[key] * 0.02]
    name, text, passed = check_built(image.name)
    return name, text + "\n".join(wrong), passed and not wrong


def check_names(port):
    """By name: found, found again, not there, and a name that is not the certificate's."""
    with peer.Names() as names, peer.Web(tls_context("device")) as web:
        image = named(port, names.port)
        device.build(image)
        page = web.BODIES["page"]
        words = [fetch_of(0, page, web.url("page", "device.test")), fetch_of(0, page, web.url("redirect", "DEVICE.test")),
                fetch_of(0, page, web.url("page")), fetch_of(0, page, web.url("page", "device.test")),
                fetch_of(6, b"", web.url("page", "nowhere.test")), fetch_of(60, b"", web.url("page", "other.test"))]
        status, text = device.boot(image.name, words, timeout=120)
        wrong = [] if len(names.asked) == 3 else [f"asked for {sorted(names.asked)}"]
    return image.name, text + "".join(f"peer: {e}\n" for e in wrong), status == 0 and not wrong


def check_telemetry(port, tls="bearssl"):
    """A POST, and three transfers at once, from an ordinary program."""
    image = telemetry(port, tls)
    device.build(image)
    with peer.Web(tls_context("device")) as web:
        status, text = device.boot(image.name, [web.url("").rstrip("/")], timeout=300)
    wrong = [] if web.requests == 4 else [f"{web.requests} requests, not 4"]
    return image.name, text + "".join(f"peer: {e}\n" for e in wrong), status == 0 and not wrong


class DeviceCerts:
    """The certificate of the host as images see it, for servers of the end-to-end tests."""

    @staticmethod
    def path(name):
        return os.path.join(certificates(), name.replace("good", "device"))


def keep_websocket(name):
    """(exit status, what it printed) of the image with a real server (Python's websockets)."""
    sys.path.insert(0, os.path.join(device.ROOT, "tests", "e2e"))
    import ws_servers
    server = ws_servers.Websockets(device.OUT, DeviceCerts)
    try:
        return device.boot(name, [f"wss://10.0.2.2:{server.tls_port}/"], timeout=300)
    finally:
        server.close()


def check_websocket(port):
    """Messages, a PING and an end in good order."""
    image = websocket(port)
    device.build(image)
    status, text = keep_websocket(image.name)
    return image.name, text, status == 0


def interface():
    """The names of the public functions."""
    with open(os.path.join(device.ROOT, "exports", "functions.txt"), encoding="utf-8") as f:
        return re.findall(r"^\w+", f.read(), re.M)


def links():
    """Every profile for every port: what of it the port and the libraries at hand allow, all of it kept by the linker."""
    return [(profile, port) for port in FLAVOUR for profile in partlist.profiles()]


def check_link(profile, port):
    """It compiles, and no symbol of it is missing, called or not."""
    name = f"link-{profile}-{FLAVOUR[port]}"
    library = device.profile(name, profile, ["bearssl"], NOT_HERE, port)
    sources, folders = bearssl()
    image = device.Image(name, ["device/link"], library, {"bearssl": sources}, (), ["MOTE_LWIP_SOCKETS=4"], "normal",
                         16384, port, folders, interface(), "1M")
    device.build(image)
    return name, "", True


# What lwipopts.h must not say: {port: {option: a wrong value}}
WRONG = {"freertos": {"NO_SYS": 1, "LWIP_IPV4": 0, "LWIP_TCP": 0, "LWIP_DNS": 0, "LWIP_SOCKET": 0, "LWIP_SOCKET_POLL": 0,
                     "LWIP_COMPAT_SOCKETS": 2},
         "lwip": {"NO_SYS": 0, "LWIP_IPV4": 0, "LWIP_TCP": 0, "LWIP_CALLBACK_API": 0, "LWIP_DNS": 0}}

# What must be wrong too before an option is refused.
BESIDE = {"LWIP_SOCKET_POLL": {"LWIP_SOCKET_SELECT": 0}}


def firmware(port):
    """Profile mcu with the options that STM32CubeMX writes (device/cubemx)."""
    image = device.Image("firmware-" + FLAVOUR[port], [], device.profile("firmware-" + FLAVOUR[port], "mcu", port=port),
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
    done = subprocess.run([device.CC, *image.flags("port", source), "-fsyntax-only", source], capture_output=True,
                          text=True, cwd=device.ROOT, check=False)
    return dict(re.findall(r"#error \"lwipopts.h: (\w+) (must be [^\"]*)\"", done.stderr))


def check_firmware(port):
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
            device.compile_one(source, image.object(part, source), image.flags(part, source))
        except SystemExit as e:
            wrong.append(str(e))
    print(f"{image.name}: {len(sources)} files")
    return image.name, "\n".join(wrong), not wrong


def check_page():
    """docs/firmware.md, replayed."""
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                           os.path.join(device.ROOT, "tests", "package", "test_firmware_page.py")], capture_output=True,
                          text=True, check=False)
    return "firmware-page", done.stdout + done.stderr, done.returncode == 0 and "1 passed" in done.stdout


CHECKS = {
    "page": [check_page],
    "firmware": [functools.partial(check_firmware, port) for port in FLAVOUR],
    "link": [functools.partial(check_link, *pair) for pair in links()],
    "smoke": [functools.partial(check_smoke, *kind) for kind in WITH_DHCP],
    "port-test": [functools.partial(check_port, *kind) for kind in [*KINDS, ("normal", "lwip_sockets")]],
    "tiny-plain": [functools.partial(check_plain, *kind) for kind in KINDS],
    "tiny": [functools.partial(check_tiny, name) for name in TINY],
    "amalgamation": [functools.partial(check_amalgamation, port) for port in FLAVOUR],
    "tiny-names": [functools.partial(check_names, port) for port in FLAVOUR],
    **field.CHECKS,
    "matrix": [functools.partial(matrix.check, name) for name in matrix.CEILINGS],
    "handshake": [functools.partial(handshake.check, choice) for choice in handshake.CHOICES],
    "telemetry": [*(functools.partial(check_telemetry, port) for port in NAMES),
                  *(functools.partial(check_telemetry, port, "mbedtls") for port in FLAVOUR)],
    "websocket": [functools.partial(check_websocket, port) for port in FLAVOUR],
}


def size_of(name):
    path = os.path.join(device.OUT, name + ".json")
    if not os.path.exists(path):
        return ""  # nothing was linked
    with open(path, encoding="utf-8") as f:
        sizes = json.load(f)
    return f", flash {sizes['image_flash']}, static RAM {sizes['image_ram']}"


def check(names):
    """Builds and boots what is named, or all, against servers of this machine; what it took."""
    failed = passed = 0
    for one in [c for name in names or CHECKS for c in CHECKS[name]]:
        name, text, good = one()
        last = [line for line in text.splitlines() if line.startswith("passed, ")] or [""]
        print(f"{name}: " + (last[0] if good and name.startswith(("tiny", "amalg", "websocket")) else "passed" if good else "FAILED")
              + size_of(name) + "\n" + ("" if good else text), end="", flush=True)
        failed += not good
        passed += good
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


# ---- the table ----

FLASH = {"library_text": ("tiny-baremetal", "library_text"), "https_text": ("tiny-baremetal", "https_text"),
         "https_text_small": ("tiny-small-baremetal", "https_text"), "image_flash": ("tiny-baremetal", "image_flash"),
         "image_flash_dhcp": ("tiny-dhcp-baremetal", "image_flash"),
         "image_flash_small": ("tiny-small-baremetal", "image_flash")}


def against_ceilings(found):
    """(a line for each figure, how many are over their ceilings)"""
    with open(os.path.join(HERE, "ceilings.toml"), "rb") as f:
        ceilings = tomllib.load(f)
    lines, over = [], 0
    for key, value in found.items():
        ceiling = ceilings.get(key)
        line = f"{key:17} {value:7,}" if value is not None else f"{key:17} not measured"
        line += f" of {ceiling:7,}" if ceiling else ""
        if ceiling and value is not None and value > ceiling:
            line += f": OVER by {value - ceiling:,}"
            over += 1
        lines.append(line)
    return lines, over


def check_ceilings():
    """Builds the images whose flash is promised; 1 when one is over its ceiling."""
    sizes = {name: device.build(tiny(name, **TINY[name])) for name in dict(FLASH.values())}
    lines, over = against_ceilings({key: sizes[name][kind] for key, (name, kind) in FLASH.items()})
    print("\n".join([*lines, f"{len(lines)} figures, {over} over"]))
    return 1 if over else 0


def measure(name, path="big"):
    """(peak of the block, stack) of one transfer over TLS; or why not."""
    with peer.Web(tls_context("device")) as web:
        status, text = device.boot(name, [fetch_of(0, web.BODIES[path], web.url(path))], timeout=120)
    words = text.split()
    if status or "block" not in words:
        return None, "the transfer failed: " + text.strip()
    return (int(words[words.index("block") + 1].strip(",")), int(words[words.index("stack") + 1])), None


def riscv():
    """Bytes of the library's and the port's code for RISC-V, compiled and not linked."""
    image = tiny("tiny-riscv")
    total = 0
    for part in ("library", "tls", "port"):
        for source in image.parts[part]:
            flags = [f for f in image.flags(part, source) if f not in [*device.CPU, *device.WHOLE_FLAGS, *RISCV]]
            obj = os.path.join(image.folder, "riscv-" + part, device.object_name(source))
            device.compile_one(source, obj, flags, RISCV)
            text = device.run(["riscv64-unknown-elf-size", obj]).splitlines()[1].split()
            total += int(text[0]) + int(text[1])
    return total


def websocket_figures(sizes):
    """(what is promised of device/websocket, why it could not be measured)"""
    image = websocket("lwip")
    sizes[image.name] = device.build(image)
    ram = sum(sizes[image.name]["ram"].get(p, 0) for p in ("library", "tls", "bearssl"))
    status, text = keep_websocket(image.name)
    seen = {key: int(value) for key, value in re.findall(r"(idle|peak) (\d+)", text)}
    found = {"websocket_flash": sizes[image.name]["image_flash"]}
    for key in ("idle", "peak"):
        found["websocket_" + key] = None if status else seen[key] + ram
    return found, {f"websocket_{key}": text.strip() for key in ("idle", "peak") if status}


def figures(sizes):
    """What the design promises, by name; what could not be measured is null and has a reason."""
    reasons = {}
    found = {key: sizes[name][kind] for key, (name, kind) in FLASH.items()}
    for key, name in (("ram_tls_16k", "tiny-baremetal"), ("ram_tls_512", "tiny-512-baremetal")):
        taken, why = measure(name)
        found[key] = None
        if taken:
            ram = sizes[name]["ram"]
            found[key] = taken[0] + sum(ram.get(p, 0) for p in ("library", "tls", "bearssl"))
            found["stack"] = max(taken[1], found.get("stack", 0))
        else:
            reasons[key] = why
    found.setdefault("stack", None)
    of_websocket, why = websocket_figures(sizes)
    found.update(of_websocket)
    reasons.update(why)
    try:
        found["riscv_text"] = riscv()
    except FileNotFoundError:
        found["riscv_text"], reasons["riscv_text"] = None, "no riscv64-unknown-elf-gcc"
    return {**found, "reasons": reasons, "parts": sizes["tiny-baremetal"]["flash"], "images": sizes}


def build_all():
    sizes = {}
    for name, how in TINY.items():
        sizes[name] = device.build(tiny(name, **how))
        print(f"{name}:\n{device.table(sizes[name])}\n", flush=True)
    found = figures(sizes)
    lines, _ = against_ceilings({k: v for k, v in found.items() if k not in ("reasons", "parts", "images")})
    found["matrix"] = {name: matrix.row(name) for name in matrix.ROWS}
    print("\n".join([*lines, *(f"{key} is not measured: {why}" for key, why in found["reasons"].items())]))
    with open(os.path.join(device.OUT, "sizes.json"), "w", encoding="utf-8") as f:
        json.dump(found, f, indent=2)
        f.write("\n")
