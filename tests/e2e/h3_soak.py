#!/usr/bin/env python3
"""HTTP/3 for a long time: transfers of every kind against nginx, aioquic and, where it is built, quic-go, also by a
relay that harms datagrams. Memory, descriptors and allocations must stay as they are, and each byte of an upload must
come back as it was (soak.c).

usage: h3_soak.py SECONDS [SEED]       an hour: 3600; the library is the one that mote_driver.py names

Bodies go to servers that keep up on a busy machine: nginx stores an upload and is asked for it again, quic-go sends it
back as it comes. aioquic makes what is odd: resets, ends that come too early, GOAWAY. The last lines are a summary:
transfers of each kind with the slowest, wrong ends by their reason, descriptors and resident memory at the beginning
and at the end, and the slowest uploads by nginx's own clock, direct and by the relay ("harmed"). A transfer may take
60 seconds, an upload by the relay 180.
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


def jobs(nginx, peer, relay, quic_go):
    """Kinds and URLs; what is there twice is drawn twice as often. quic_go may be None."""
    begun = head(("content-length", "9")) + data("he")
    return [*[f"get={nginx.url('/12.txt', 'quic')}"] * 4, f"get={nginx.url('/64k.bin', 'quic')}", f"get={nginx.url('/1m.bin', 'quic')}",
            f"get={nginx.url('/12.txt', 'short')}", f"get={nginx.url('/64k.bin', 'short')}", f"get={relay.url('/64k.bin')}",
            f"pause={nginx.url('/1m.bin', 'quic')}", f"abort={nginx.url('/64k.bin', 'quic')}", f"leave={nginx.url('/1m.bin', 'quic')}",
            f"leave={peer.url('/bytes/100000', 'quic')}", f"put={nginx.url('/dav/direct-', 'quic')}",
            f"put={relay.url('/dav/harmed-')}", *([f"echo={quic_go.url('/echo', 'quic')}"] if quic_go else []),
            f"fail={peer.url(play(begun, ('reset', 0x102)), 'quic')}", f"fail={peer.url(play(begun, 'fin'), 'quic')}",
            f"fail={peer.url('/close/256', 'single')}", f"fail={peer.url('/goaway', 'untabled')}"]


def slowest(nginx):
    """Lines of the summary, by nginx's log."""
    text = ""
    for name in ("direct", "harmed"):
        puts, gets = nginx.took("PUT", f"/dav/{name}-"), nginx.took("GET", f"/dav/{name}-")
        text += (f"nginx, {name}: slowest of {len(puts)} uploads {max(puts, default=0):.1f} s, "
                 f"of {len(gets)} downloads of them {max(gets, default=0):.1f} s\n")
    return text


def run(program, preload, ca, seconds, seed, nginx, peer, quic_go=None):
    """Gives the program's code and what it said."""
    relay = Relay(nginx.port("quic"), seed=seed, lost=0.01, reordered=0.02)
    env = {"PATH": os.environ.get("PATH", ""), "LD_LIBRARY_PATH": LIBRARY, "SOAK_CA": ca,
           "LD_PRELOAD": ":".join(filter(None, [SANITIZED, preload])),
           **{name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}}
    try:
        done = subprocess.run([program, str(seconds), str(seed), str(AT_ONCE), *jobs(nginx, peer, relay, quic_go)], env=env,
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    finally:
        relay.close()
    return done.returncode, done.stdout + slowest(nginx)


def main():
    seconds, seed = float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    servers = []
    with tempfile.TemporaryDirectory() as folder:
        def new(name):
            return tempfile.mkdtemp(prefix=name, dir=folder)
        certs, programs = made.certificates(new), made.programs(new)
        try:
            why = http3_servers.missing("quic-go")
            if why:
                print(f"without quic-go: {why}", flush=True)
            for name in ("nginx", "aioquic", *(() if why else ("quic-go",))):
                servers.append(http3_servers.SERVERS[name](new(name), certs))
            code, text = run(compiled(folder), programs["preload"], certs.path("ca.pem"), seconds, seed, *servers)
        finally:
            for server in servers:
                server.close()
    print(text, end="")
    return code


if __name__ == "__main__":
    sys.exit(main())
