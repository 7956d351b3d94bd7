"""The figures of HTTP/3: nginx, and the floor, a bare program on ngtcp2, nghttp3 and OpenSSL (bench/raw_h3.c). Both send
datagrams of 1,472 bytes at most, as over Ethernet. Where the library, nginx or the development files lack HTTP/3 nothing is
measured."""
import copy
import os
import subprocess
import time

import server

from .figure import Missing, Void, gives
from .http2 import rate_instructions
from .programs import BIN, compile_programs
from .subject import MB, SIZES, line_of
from .watch import CALLGRIND, again, collected, get_instructions, strace, system_calls

H3 = ("HTTP_VERSION=31", "SSL_VERIFYPEER=0", "SSL_VERIFYHOST=0")
ONE = (*H3, "PIPEWAIT=1")  # all on one connection
UP = 10 * MB  # bytes of an upload beyond the first one's
CONF = """
worker_processes 1; pid {d}/pid3; error_log {d}/error3.log; daemon off; {user}
events {{ worker_connections 4096; }}
http {{
  access_log off; sendfile on; send_timeout 600; keepalive_timeout 3600; keepalive_requests 1000000000;
  client_body_temp_path {d}/tmp; client_max_body_size 0; default_type application/octet-stream;
  server {{
    listen 127.0.0.1:{port} quic reuseport; http3_max_concurrent_streams 2000; quic_gso on;
    server_name localhost; root {d}/files;
    ssl_certificate {d}/server.pem; ssl_certificate_key {d}/server.key; ssl_protocols TLSv1.3;
    location = /trickle {{ alias {d}/files/slow; limit_rate 200; }}
    location = /put {{ dav_methods PUT; root {d}/tmp; }}
  }}
}}
"""


class Nginx:
    """nginx with HTTP/3 on the first processor; it serves the files of another server. None is started where the library
    that is measured has no HTTP/3."""

    def __init__(self, s):
        version = s.run([os.path.join(BIN, "get"), s.srv.http + "/small"]).stdout
        if "nghttp3" not in version:
            raise Missing("the library has no HTTP/3")
        if "--with-http_v3_module" not in subprocess.run([server.NGINX, "-V"], capture_output=True, text=True).stderr:
            raise Missing("nginx has no HTTP/3")
        self.d, self.port = s.srv.d, server.free_ports(1)[0]
        self.url = f"https://127.0.0.1:{self.port}"
        conf = os.path.join(self.d, "conf3")
        with open(conf, "w", encoding="ascii") as f:
            f.write(CONF.format(d=self.d, port=self.port, user=server.AHEAD if os.geteuid() == 0 else ""))
        self.process = subprocess.Popen(["taskset", "-c", "0", server.NGINX, "-p", self.d, "-c", conf,
                                         "-e", os.path.join(self.d, "error3.log")], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)

    def __enter__(self):
        pid = os.path.join(self.d, "pid3")
        for _ in range(200):
            if os.path.exists(pid) and os.path.getsize(pid):
                time.sleep(0.2)  # its worker's socket
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        self.__exit__()
        raise Missing("nginx does not start with HTTP/3")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def bare(s):
    """Without a CA: what trust costs is measured over TCP."""
    s = copy.copy(s)
    s.env = {k: v for k, v in s.env.items() if k != "BENCH_CA"}
    return s


def is_http3(phases_result_program):
    phases, result, _ = phases_result_program
    if result.get("http") != 30:
        raise Void(f"it was not HTTP/3, but {result.get('http')}")
    return phases


def upload(s, url, size, before=()):
    """The result of one upload, and how the program ended."""
    p = s.run([*before, os.path.join(BIN, "get"), url + "/put", "0", "1", *H3, "UPLOAD_BUFFERSIZE=262144", f"zeros={size}"],
              timeout=600)
    result = line_of(p.stdout, "result")
    s.check(p, result.get("rc") == 0 and result.get("code") in (201, 204) and result.get("http") == 30)
    return result, p


def raw(s, srv, path, total, n, up=()):
    """The floor's result line."""
    compile_programs("raw_h3")
    p = s.run([os.path.join(BIN, "raw_h3"), "127.0.0.1", str(srv.port), path, str(total), str(n), *up])
    r = line_of(p.stdout, "result")
    s.check(p, r.get("done") == total and (up or r.get("bytes") == SIZES[path[1:]] * total))
    return r


@gives("h3_first_allocs", "h3_again_allocs")
def h3_first(s):
    """Those of ngtcp2 and nghttp3 are the library's, which lends them memory; those of OpenSSL are not."""
    s = bare(s)
    with Nginx(s) as srv:
        phases = is_http3(s.get(srv.url + "/small", 0, 3, H3, counted=True))
    own = sum(p["own_calls"] for p in (phases["init"][0], phases["setopt"][0], phases["perform"][0]))
    return {"h3_first_allocs": own, "h3_again_allocs": phases["perform"][2]["calls"]}


@gives("h3_multi_allocs")
def h3_multi(s):
    s = bare(s)
    with Nginx(s) as srv:
        def once():
            text = s.rate(srv.url + "/small", 4000, 10, ONE, ("taskset", "-c", str(max(os.sched_getaffinity(0)))), 1, counted=True)[1]
            return line_of(text, "second_half")["calls"]
        return {"h3_multi_allocs": s.undisturbed(once)}


@gives("instructions_h3")
def h3_one_at_a_time(s):
    s = bare(s)
    with Nginx(s) as srv:
        return {"instructions_h3": s.undisturbed(lambda: again(s, H3, srv.url), 500)}


@gives("instructions_h3_100")
def h3_hundred_at_once(s):
    s = bare(s)
    with Nginx(s) as srv:
        def once():
            return (rate_instructions(s, srv.url + "/small", 1200, ONE) - rate_instructions(s, srv.url + "/small", 200, ONE)) / 1000
        return {"instructions_h3_100": s.undisturbed(once, 500)}


@gives("system_calls_h3", "system_calls_h3_100")
def h3_calls(s):
    s = bare(s)
    with Nginx(s) as srv:
        def run(times):
            return system_calls(s, "small", times, None, H3, srv.url)

        def many(total):
            p, found = strace(s, [os.path.join(BIN, "rate"), srv.url + "/small", str(total), "100", *ONE])
            s.check(p, line_of(p.stdout, "result").get("bad") == 0)
            return len(found)
        return {"system_calls_h3": (s.undisturbed(lambda: run(110), 20) - s.undisturbed(lambda: run(10), 2)) / 100,
                "system_calls_h3_100": (s.undisturbed(lambda: many(4000), 200) - s.undisturbed(lambda: many(1000), 100)) / 3000}


@gives("h3_stream_bytes")
def h3_stream(s):
    s = bare(s)
    with Nginx(s) as srv:
        text = s.many(srv.url + "/trickle", 1000, f"first={srv.url}/small", "streams=1100", *ONE, counted=True)
    return {"h3_stream_bytes": round(line_of(text, "active")["bytes"])}


@gives("h3_idle_bytes")
def h3_idle(s):
    s = bare(s)
    with Nginx(s) as srv:
        text = s.many(srv.url + "/small", 50, "kept", f"first={srv.url}/small", *H3, "FRESH_CONNECT=1", counted=True)
    return {"h3_idle_bytes": round(line_of(text, "connection")["bytes"])}


@gives("instructions_h3_mb", "instructions_h3_mb_up")
def h3_megabyte(s):
    s = bare(s)
    with Nginx(s) as srv:
        def down(name):
            return get_instructions(s, name, 1, H3, srv.url)

        def up(size):
            return collected(upload(s, srv.url, size, CALLGRIND)[1])
        return {"instructions_h3_mb": (s.undisturbed(lambda: down("mb11"), 500000) - s.undisturbed(lambda: down("mb1"), 50000)) / 10,
                "instructions_h3_mb_up": (s.undisturbed(lambda: up(MB + UP), 500000) - s.undisturbed(lambda: up(MB), 50000)) / 10}


# --- the clock ---

def least(tries, *runs):
    """The smallest CPU time of each, in turns."""
    turns = [[run()["cpu"] for run in runs] for _ in range(tries)]
    return [min(cpu) for cpu in zip(*turns)]


@gives("h3_rate_cpu")
def h3_rate_cpu(s, total=20000):
    s = bare(s)
    with Nginx(s) as srv:
        def ours():
            r = s.rate(srv.url + "/small", total, 100, ONE, connections=1)[0]
            return {"cpu": (r["user_us"] + r["system_us"]) * total / 1e6}
        mine, floor = least(3, ours, lambda: raw(s, srv, "/small", total, 100))
    return {"h3_rate_cpu": mine / floor}


@gives("h3_gb_cpu", "h3_gb_up_cpu")
def h3_gigabyte(s):
    s = bare(s)
    with Nginx(s) as srv:
        down, floor = least(3, lambda: s.get(srv.url + "/gb", 0, 1, H3)[1], lambda: raw(s, srv, "/gb", 1, 1))
        up, floor_up = least(3, lambda: upload(s, srv.url, SIZES["gb"])[0],
                             lambda: raw(s, srv, "/put", 1, 1, (str(SIZES["gb"]),)))
    return {"h3_gb_cpu": down / floor, "h3_gb_up_cpu": up / floor_up}


COUNTED = [h3_first, h3_multi, h3_one_at_a_time, h3_hundred_at_once, h3_calls, h3_stream, h3_idle, h3_megabyte]
TIMED = [h3_rate_cpu, h3_gigabyte]
