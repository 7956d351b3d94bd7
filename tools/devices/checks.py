"""Images of every kind against servers of this machine: `device.py check`."""
import contextlib
import functools
import json
import os
import sys

from . import examples, firmware, handshake, links, matrix, peer
from .base import OUT, ROOT
from .build import build
from .certificates import certificates, tls_context
from .emulator import boot
from .fetches import bad_fetches, fetch_of, good_fetches
from .image import in_one_file
from .images import (FLAVOUR, KINDS, NAMES, TINY, WITH_DHCP, named, plain, port_test, smoke, telemetry, tiny,
                     websocket)

sys.path.append(os.path.join(ROOT, "tests", "e2e"))
import ws_servers  # noqa: E402

BLOCK = 28672  # bytes of device/tiny's block
AMALGAMATED = {"lwip": "tiny-baremetal", "freertos": "tiny-freertos"}  # port: the image that is built both ways


def check_smoke(lwip, port):
    image = smoke(lwip, port)
    build(image)
    with peer.Page(b"a small page from this machine\n") as page:
        status, text = boot(image.name, ["10.0.2.2", str(page.port), "/page"])
    return image.name, text, status == 0 and "a small page" in text


def check_port(lwip, port):
    with peer.Peer() as p:
        image = port_test(lwip, port, p.names.port)
        build(image)
        status, text = boot(image.name, [str(p.port), str(p.refused)], timeout=180)
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
    build(image)
    with peer.Web() as web, peer.Web() as untouched:
        words = [*good_fetches(web), *bad_fetches(web),
                fetch_of(7, b"", f"http://10.0.2.2:{peer.closed_port()}/"),
                fetch_of(6, b"", "http://nowhere.invalid/"),
                "block=1200", fetch_of(27, b"", untouched.url("page"))]
        status, text = boot(image.name, words, timeout=180)
    return outcome(image.name, status, text, [web, untouched])


def check_tiny(name):
    build(tiny(name, **TINY[name]))
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
        status, text = boot(name, words, timeout=300)
    untouched.bytes = untouched.requests
    return outcome(name, status, text, [good, untouched])


def check_amalgamation(port):
    """The image of one file (tools/amalgamate) passes, and is as large as that of the many."""
    usual = AMALGAMATED[port]
    many = build(tiny(usual, **TINY[usual]))
    image = in_one_file(tiny(f"amalgamated-{FLAVOUR[port]}", **TINY[usual]), "tiny", "bearssl", port,
                        less=["libc_malloc"])
    one = build(image)
    wrong = [f"{key}: {one[key]} of one file, {many[key]} of many" for key in ("image_flash", "image_ram", "stack")
             if abs(one[key] - many[key]) > many[key] * 0.02]
    name, text, passed = check_built(image.name)
    return name, text + "\n".join(wrong), passed and not wrong


def check_names(port):
    """By name: found, found again, not there, and a name that is not the certificate's."""
    with peer.Names() as names, peer.Web(tls_context("device")) as web:
        image = named(port, names.port)
        build(image)
        page = web.BODIES["page"]
        words = [fetch_of(0, page, web.url("page", "device.test")), fetch_of(0, page, web.url("redirect", "DEVICE.test")),
                fetch_of(0, page, web.url("page")), fetch_of(0, page, web.url("page", "device.test")),
                fetch_of(6, b"", web.url("page", "nowhere.test")), fetch_of(60, b"", web.url("page", "other.test"))]
        status, text = boot(image.name, words, timeout=120)
        wrong = [] if len(names.asked) == 3 else [f"asked for {sorted(names.asked)}"]
    return image.name, text + "".join(f"peer: {e}\n" for e in wrong), status == 0 and not wrong


def check_telemetry(port, tls="bearssl"):
    """A POST, and three transfers at once, from an ordinary program."""
    image = telemetry(port, tls)
    build(image)
    with peer.Web(tls_context("device")) as web:
        status, text = boot(image.name, [web.url("").rstrip("/")], timeout=300)
    wrong = [] if web.requests == 4 else [f"{web.requests} requests, not 4"]
    return image.name, text + "".join(f"peer: {e}\n" for e in wrong), status == 0 and not wrong


class DeviceCerts:
    """The certificate of the host as images see it, for servers of the end-to-end tests."""

    @staticmethod
    def path(name):
        return os.path.join(certificates(), name.replace("good", "device"))


def keep_websocket(name):
    """(exit status, what it printed) of the image with a real server (Python's websockets)."""
    server = ws_servers.Websockets(OUT, DeviceCerts)
    try:
        return boot(name, [f"wss://10.0.2.2:{server.tls_port}/"], timeout=300)
    finally:
        server.close()


def check_websocket(port):
    """Messages, a PING and an end in good order."""
    image = websocket(port)
    build(image)
    status, text = keep_websocket(image.name)
    return image.name, text, status == 0


CHECKS = {
    "page": [firmware.check_page],
    "firmware": [functools.partial(firmware.check, port) for port in FLAVOUR],
    "link": [functools.partial(links.check, *pair) for pair in links.ALL],
    "smoke": [functools.partial(check_smoke, *kind) for kind in WITH_DHCP],
    "port-test": [functools.partial(check_port, *kind) for kind in [*KINDS, ("dhcp", "lwip"), ("normal", "lwip_sockets")]],
    "tiny-plain": [functools.partial(check_plain, *kind) for kind in KINDS],
    "tiny": [functools.partial(check_tiny, name) for name in TINY],
    "amalgamation": [functools.partial(check_amalgamation, port) for port in FLAVOUR],
    "tiny-names": [functools.partial(check_names, port) for port in FLAVOUR],
    **examples.CHECKS,
    "matrix": [functools.partial(matrix.check, name) for name in matrix.CEILINGS],
    "handshake": [functools.partial(handshake.check, choice) for choice in handshake.CHOICES],
    "telemetry": [*(functools.partial(check_telemetry, port) for port in NAMES),
                  *(functools.partial(check_telemetry, port, "mbedtls") for port in FLAVOUR)],
    "websocket": [functools.partial(check_websocket, port) for port in FLAVOUR],
}


def size_of(name):
    path = os.path.join(OUT, name + ".json")
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
