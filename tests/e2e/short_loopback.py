#!/usr/bin/env python3
"""Runs a command in a network of its own, whose loopback takes packets of so many bytes: a longer datagram is refused where it is sent
(EMSGSIZE). By root on Linux.

usage: short_loopback.py BYTES COMMAND [ARGUMENT...]
"""
import fcntl
import os
import socket
import struct
import sys

SIOCGIFFLAGS, SIOCSIFFLAGS, SIOCSIFMTU, IFF_UP = 0x8913, 0x8914, 0x8922, 1


def enter(size):
    """OSError: this may not be done here."""
    os.unshare(os.CLONE_NEWNET)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, SIOCSIFMTU, struct.pack("16si", b"lo", size))
        flags = struct.unpack("16sh", fcntl.ioctl(s, SIOCGIFFLAGS, struct.pack("16sh", b"lo", 0)))[1]
        fcntl.ioctl(s, SIOCSIFFLAGS, struct.pack("16sh", b"lo", flags | IFF_UP))


if __name__ == "__main__":
    enter(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])
