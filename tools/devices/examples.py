"""The examples of device/examples in the emulator, against nginx, a server that restarts, and a link that dies."""
import hashlib
import re
import time

from .build import build
from .certificates import roots
from .emulator import Board
from .image import Image, library_list
from .images import FLAVOUR
from .nginx import Nginx
from .sources import bearssl


def example(name, profile, more=(), less=(), port="lwip", defines=()):
    label = f"example-{name}-{FLAVOUR[port]}"
    library = library_list(label, profile, [*more], [*less], port)
    sources, folders = bearssl()
    return Image(label, [f"device/examples/{name}.c", roots()], library, {"bearssl": sources},
                 ["device/examples"], defines, "normal", 8192, port, folders)


EXAMPLES = {"get": ("tiny", [], ["libc_malloc"]), "telemetry": ("tiny", ["uploads"], ["libc_malloc"]),
            "update": ("mcu", ["ranges"], []), "sleep": ("mcu", ["sessions"], [])}


def built(name, port="lwip"):
    image = example(name, *EXAMPLES[name], port)
    build(image)
    return image.name


def verdict(name, text, status, wrong):
    return name, text + "".join(f"peer: {w}\n" for w in wrong), status == 0 and not wrong


def check_get():
    name = built("get")
    with Nginx() as web:
        web.put("page", b"a page of nginx\n" * 100)
        status, text = Board(name, [web.url("page")]).end()
    return verdict(name, text, status, [] if "status 200, bytes 1600" in text else ["another page"])


def check_telemetry():
    """The server restarts after the third measurement; the link dies after the seventh, for longer than the timeout."""
    name = built("telemetry")
    with Nginx() as web:
        board = Board(name, [web.url("post"), "10"])
        board.wait_for(r"(0 posted\n){3}")
        web.stop()
        time.sleep(3)
        web.start()
        board.wait_for(r"(?s)(0 posted\n.*){7}")
        board.monitor("set_link net0 off")
        time.sleep(7)
        board.monitor("set_link net0 on")
        status, text = board.end()
        requests = web.requests()
    numbers = [int(re.search(r'"number":(\d+)', row[4]).group(1)) for row in requests]
    wrong = [] if sorted(set(numbers)) == list(range(10)) else [f"posted were {numbers}"]
    if len(numbers) > 13 or len({row[0] for row in requests}) > 4:
        wrong.append(f"{len(numbers)} posts on {len({row[0] for row in requests})} connections")
    if "again" not in text:
        wrong.append("nothing had to be posted again: the faults did not happen")
    return verdict(name, text, status, wrong)


def check_update():
    """A reset after three ranges and a half; then what is there stays."""
    name = built("update")
    image = bytes((i * 7 + (i >> 8)) & 0xff for i in range(100000))
    with Nginx() as web:
        web.put("image", image)
        web.put("image.sha256", hashlib.sha256(image).hexdigest().encode())
        status, text = Board(name, [web.url("image"), "reset"]).end()
        ranges = [row[3] for row in web.requests()].count("206")
        web.put("image.sha256", hashlib.sha256(b"another one").hexdigest().encode())
        other, _ = Board(name, [web.url("image")]).end()
    boots = re.findall(r"boot (\d), (\d+) bytes", text)
    wrong = [] if [b for b, _ in boots] == ["1", "2"] and 49152 < int(boots[1][1]) < 70000 else [f"boots: {boots}"]
    if not 7 <= ranges <= 8:
        wrong.append(f"{ranges} ranges")
    if other != 1:
        wrong.append("an image with another digest is good")
    return verdict(name, text, status, wrong)


def check_sleep():
    name = built("sleep")
    with Nginx() as web:
        web.put("page", b"a page")
        status, text = Board(name, [web.url("page")]).end()
        reused = [row[1] for row in web.requests()]
    return verdict(name, text, status, [] if reused == [".", "r"] else [f"sessions: {reused}"])


def check_faults():
    """device/faults: each fault, and a page after it."""
    library = library_list("faults-baremetal", "tiny", [], ["libc_malloc"])
    sources, folders = bearssl()
    image = Image("faults-baremetal", ["device/faults", roots()], library, {"bearssl": sources},
                  ["device/examples"], (), "normal", 16384, "lwip", folders)
    build(image)
    with Nginx() as web:
        web.put("page", b"a page of nginx\n" * 100)
        status, text = Board(image.name, [web.url("page"), f"https://nowhere.test:{web.port}/"]).end(600)
    return verdict(image.name, text, status, [])


CHECKS = {"faults": [check_faults], "examples": [check_get, check_telemetry, check_update, check_sleep]}
