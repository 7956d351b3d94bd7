"""What device/tiny is to fetch, and what a transfer takes of its memory."""
import zlib

from . import emulator, peer
from .certificates import tls_context


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


def measure(name, path="big"):
    """(peak of the block, stack) of one transfer over TLS; or why not."""
    with peer.Web(tls_context("device")) as web:
        status, text = emulator.boot(name, [fetch_of(0, web.BODIES[path], web.url(path))], timeout=120)
    words = text.split()
    if status or "block" not in words:
        return None, "the transfer failed: " + text.strip()
    return (int(words[words.index("block") + 1].strip(",")), int(words[words.index("stack") + 1])), None
