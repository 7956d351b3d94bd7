"""Ports for servers that take one by its number."""
import random
import socket

LOWEST = 10000
HIGHEST = 32768  # of the system's range, where none is said
_next = None


def end_of_ours():
    """Where the ports begin that the system gives to sockets which ask for any (ip(7))."""
    try:
        with open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii") as f:
            end = int(f.read().split()[0])
    except OSError:
        end = HIGHEST
    return end if end >= LOWEST + 5000 else HIGHEST


def is_free(port):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        with socket.socket(type=kind) as s:
            try:
                s.bind(("127.0.0.1", port))
            except OSError:
                return False
    return True


def free_ports(count):
    """Ports that are free for connections and for datagrams, and that no client gets before the server has them. Each
    process begins somewhere else, so that two seldom look at the same ones at the same time."""
    global _next  # pylint: disable=global-statement
    end, found = end_of_ours(), []
    if _next is None:
        _next = random.SystemRandom().randrange(LOWEST, end)
    for _ in range(end - LOWEST):
        port, _next = _next, _next + 1 if _next + 1 < end else LOWEST
        if is_free(port):
            found.append(port)
        if len(found) == count:
            return found
    raise OSError("no port is free")
