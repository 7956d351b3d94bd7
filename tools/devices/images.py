"""The images that are checked and measured: what each is made of."""
from .certificates import certificates
from .image import Image, library_list
from .sources import TLS, bearssl

FLAVOUR = {"lwip": "baremetal", "freertos": "freertos"}
NAMES = {**FLAVOUR, "lwip_sockets": "sockets"}
OPTIONS = {"lwip_sockets": ["MOTE_LWIP_SELECT"]}  # lwIP's sockets as ESP-IDF has them
KINDS = [(lwip, port) for port in FLAVOUR for lwip in ("normal", "small")]
WITH_DHCP = [(lwip, port) for port in FLAVOUR for lwip in ("dhcp", "small")]


def smoke(lwip, port):
    """The port's functions alone."""
    return Image(f"smoke-{lwip}-{FLAVOUR[port]}", ["device/smoke", "device/common"],
                 includes=["device/common"], lwip=lwip, port=port)


def port_test(lwip, port, dns_port=25353):
    return Image(f"port-test-{lwip}-{NAMES[port]}", ["device/port-test", "device/common"], includes=["device/common"],
                 defines=[f"DNS_SERVER_PORT={dns_port}", *OPTIONS.get(port, [])], lwip=lwip, port=port)


def plain(lwip, port):
    """device/tiny over plain HTTP."""
    name = f"tiny-plain-{lwip}-{FLAVOUR[port]}"
    library = library_list(name, "tiny", less=["libc_malloc", "https"], port=port)
    return Image(name, ["device/tiny", "device/tiny/plain"], library, includes=["device/tiny"], lwip=lwip,
                 stack=8192, port=port)


def named(port, dns_port):
    """The same, which asks peer.Names on this machine for names."""
    return tiny("tiny-names-" + FLAVOUR[port], port,
                defines=[f"DNS_SERVER_PORT={dns_port}", "BOARD_NAMES_AT_GATEWAY"])


def tiny(name, port="lwip", lwip="normal", less=(), defines=()):
    """device/tiny with HTTPS by BearSSL."""
    library = library_list(name, "tiny", less=["libc_malloc", *less], port=port)
    sources, folders = bearssl()
    return Image(name, ["device/tiny", "device/tiny/tls", certificates() + "/roots.c"], library,
                 {"bearssl": sources}, ["device/tiny"], defines, lwip, 8192, port, folders)


def telemetry(port, tls="bearssl"):
    """device/telemetry, an ordinary program: profile mcu, the C library's memory."""
    name = "telemetry-" + (tls + "-" if tls != "bearssl" else "") + NAMES[port]
    library = library_list(name, "mcu", [tls], [t for t in TLS if t != tls], port)
    sources, folders, defines = TLS[tls]()
    return Image(name, ["device/telemetry", "device/tiny/tls", certificates() + "/roots.c"], library,
                 {tls: sources}, ["device/tiny"], ["MOTE_LWIP_SOCKETS=4", *defines, *OPTIONS.get(port, [])], "normal",
                 16384, port, folders)


def websocket(port):
    """device/websocket: keeps a connection open by wss. Profile mcu with the part ws."""
    name = "websocket-" + FLAVOUR[port]
    library = library_list(name, "mcu", ["ws"], port=port)
    sources, folders = bearssl()
    return Image(name, ["device/websocket", "device/tiny/tls", certificates() + "/roots.c"], library,
                 {"bearssl": sources}, ["device/tiny"], (), "normal", 16384, port, folders)


TINY = {
    "tiny-baremetal": {},
    "tiny-dhcp-baremetal": {"lwip": "dhcp"},
    "tiny-freertos": {"port": "freertos", "lwip": "dhcp"},
    "tiny-512-baremetal": {"defines": ["MOTE_BEARSSL_FRAGMENT=512", "MOTE_BEARSSL_FIRST=128",
                                       "MOTE_BEARSSL_ANCHORS=1", "MOTE_BEARSSL_SMALL=256", "TINY_BUFFER=512L"]},
    "tiny-small-baremetal": {"lwip": "small", "less": ["chacha20"]},
}
