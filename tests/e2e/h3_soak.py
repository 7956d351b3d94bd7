#!/usr/bin/env python3
"""HTTP/3 for a long time: transfers of every kind against nginx and aioquic, also by a relay that harms datagrams. Memory,
descriptors and allocations must stay as they are (soak.c).

usage: h3_soak.py SECONDS [SEED]       an hour: 3600; the library is the one that mote_driver.py names
"""
import os
import subprocess
import sys
import tempfile

import http3_servers
import made
from h3_bytes import data, head, play
from mote_driver import LIBRARY, REPO, SANITIZED
from udp_relay import Relay

AT_ONCE = 40


def compiled(folder):
    out = os.path.join(folder, "soak")
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-I", os.path.join(REPO, "include"),
                    os.path.join(REPO, "tests", "e2e", "soak.c"), "-o", out, os.path.join(LIBRARY, "libcurl.so.4"),
                    "-Wl,--allow-shlib-undefined", "-ldl"], check=True)
    return out


def jobs(nginx, peer, relay):
    """Kinds and URLs; what is there twice is drawn twice as often."""
    begun = head(("content-length", "9")) + data("he")
    return [*[f"get={nginx.url('/12.txt', 'quic')}"] * 4, f"get={nginx.url('/64k.bin', 'quic')}", f"get={nginx.url('/1m.bin', 'quic')}",
            f"get={nginx.url('/12.txt', 'short')}", f"get={nginx.url('/64k.bin', 'short')}", f"get={relay.url('/64k.bin')}",
            f"pause={nginx.url('/1m.bin', 'quic')}", f"abort={nginx.url('/64k.bin', 'quic')}", f"leave={nginx.url('/1m.bin', 'quic')}",
            f"leave={peer.url('/bytes/100000', 'quic')}", f"put={peer.url('/echo', 'quic')}",
            f"fail={peer.url(play(begun, ('reset', 0x102)), 'quic')}", f"fail={peer.url(play(begun, 'fin'), 'quic')}",
            f"fail={peer.url('/close/256', 'single')}", f"fail={peer.url('/goaway', 'untabled')}"]


def run(program, preload, nginx, peer, ca, seconds, seed):
    """Gives the program's code and what it said."""
    relay = Relay(nginx.port("quic"), seed=seed, lost=0.01, reordered=0.02)
    env = {"PATH": os.environ.get("PATH", ""), "LD_LIBRARY_PATH": LIBRARY, "SOAK_CA": ca,
           "LD_PRELOAD": ":".join(filter(None, [SANITIZED, preload])),
           **{name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}}
    try:
        done = subprocess.run([program, str(seconds), str(seed), str(AT_ONCE), *jobs(nginx, peer, relay)], env=env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    finally:
        relay.close()
    return done.returncode, done.stdout


def main():
    seconds, seed = float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.TemporaryDirectory() as folder:
        def new(name):
            return tempfile.mkdtemp(prefix=name, dir=folder)
        certs, programs = made.certificates(new), made.programs(new)
        nginx, peer = http3_servers.Nginx(new("nginx"), certs), http3_servers.Peer(new("peer"), certs)
        try:
            code, text = run(compiled(folder), programs["preload"], nginx, peer, certs.path("ca.pem"), seconds, seed)
        finally:
            nginx.close()
            peer.close()
    print(text, end="")
    return code


if __name__ == "__main__":
    sys.exit(main())
