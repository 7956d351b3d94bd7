"""The figures of HTTP/2: prior knowledge, without TLS. nginx answers small streams that come one at a time with a delay (Nagle),
and so nghttpd answers where that would count."""
import os
import re
import shutil
import subprocess
import time

import server

from .figure import Missing, Void, gives
from .programs import BIN, PATIENT, compile_programs
from .servers import delay
from .subject import SIZES, line_of
from .watch import again, get_instructions, system_calls

H2 = ("HTTP_VERSION=5",)
ONE = (*H2, "PIPEWAIT=1")  # all on one connection
PINNED = ("taskset", "-c", "0")


class Nghttpd:
    """nghttpd on the first processor; it serves the files of another server."""

    def __init__(self, srv):
        program = shutil.which("nghttpd") or shutil.which("nghttpd", path="/usr/sbin:/usr/local/sbin")
        if not program:
            raise Missing("nghttpd (package nghttp2-server)")
        port = server.free_ports(1)[0]
        self.port, self.url = port, f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(["taskset", "-c", "0", program, "--no-tls", "-m", "1100", "-d", os.path.join(srv.d, "files"),
                                         "-a", "127.0.0.1", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self):
        for _ in range(100):
            if subprocess.run([os.path.join(BIN, "raw_h2"), "127.0.0.1", str(self.port), "/small", "1", "1"],
                              capture_output=True).returncode == 0:
                return self
            time.sleep(0.05)
        self.__exit__()
        raise Missing("nghttpd does not answer")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def raw(s, port, path, total, n, before=()):
    p = s.run([*before, os.path.join(BIN, "raw_h2"), "127.0.0.1", str(port), path, str(total), str(n)])
    r = line_of(p.stdout, "result")
    s.check(p, r.get("bytes") == SIZES[path[1:]] * total)
    return r


def is_http2(phases_result_program):
    phases, result, _ = phases_result_program
    if result.get("http") != 3:
        raise Void(f"it was not HTTP/2, but {result.get('http')}")
    return phases


@gives("h2_first_allocs", "h2_first_nghttp2_allocs", "h2_first_bytes", "h2_again_allocs")
def first(s):
    """Calls that come from nghttp2's own library alone are its own."""
    phases = is_http2(s.get(s.srv.h2 + "/small", 0, 3, H2, counted=True))
    begin = [phases[k][0] for k in ("init", "setopt", "perform")]
    own = sum(p["own_calls"] for p in begin)
    return {"h2_first_allocs": own, "h2_first_nghttp2_allocs": sum(p["calls"] for p in begin) - own,
            "h2_first_bytes": begin[2]["live"] - phases["global"][0]["live"], "h2_again_allocs": phases["perform"][2]["calls"]}


@gives("h2_multi_allocs")
def multi(s):
    with Nghttpd(s.srv) as srv:
        def once():
            text = s.rate(srv.url + "/small", 4000, 10, ONE, ("taskset", "-c", str(max(os.sched_getaffinity(0)))), 1, counted=True)[1]
            return line_of(text, "second_half")["calls"]
        return {"h2_multi_allocs": s.undisturbed(once)}


@gives("instructions_h2")
def one_at_a_time(s):
    return {"instructions_h2": again(s, H2, s.srv.h2)}


def rate_instructions(s, url, total, options=ONE):
    if not shutil.which("valgrind"):
        raise Missing("valgrind")
    before = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    p = s.run([*before, os.path.join(BIN, "rate"), url, str(total), "100", *options], timeout=600)
    r = line_of(p.stdout, "result")
    s.check(p, r.get("bad") == 0 and r.get("done") == total and r.get("connections") == 1)
    return int(re.search(r"Collected : (\d+)", p.stderr).group(1))


@gives("instructions_h2_100")
def hundred_at_once(s):
    url = s.srv.h2 + "/small"
    return {"instructions_h2_100": (rate_instructions(s, url, 1200) - rate_instructions(s, url, 200)) / 1000}


@gives("system_calls_h2")
def calls(s):
    def run(times):
        return system_calls(s, "small", times, None, H2, s.srv.h2)
    return {"system_calls_h2": (s.undisturbed(lambda: run(60)) - s.undisturbed(lambda: run(10))) / 50}


@gives("h2_stream_bytes")
def stream(s):
    text = s.many(s.srv.h2 + "/trickle", 1000, f"first={s.srv.h2}/small", "streams=1100", *ONE, counted=True)
    return {"h2_stream_bytes": round(line_of(text, "active")["bytes"])}


@gives("h2_idle_bytes", "h2_idle_after_bytes")
def idle(s):
    """After 1,000 streams, a hundred at once: what they leave is more than the first stream left."""
    url = s.srv.h2 + "/small"
    one = line_of(s.many(url, 100, "kept", *H2, "FRESH_CONNECT=1", counted=True), "connection")["bytes"]
    more = line_of(s.many(url, 1000, "kept", f"first={url}", "streams=100", *ONE, counted=True), "connection")["bytes"]
    return {"h2_idle_bytes": round(one), "h2_idle_after_bytes": round(one + 1000 * more)}


@gives("instructions_h2_mb")
def megabyte(s):
    compile_programs("patient.so")

    def run(name):
        return get_instructions(s, name, 1, H2, s.srv.h2, env={"LD_PRELOAD": PATIENT})
    return {"instructions_h2_mb": (run("mb11") - run("mb1")) / 10}


# --- the clock ---

@gives("h2_gb_cpu")
def gigabyte(s, tries=3):
    """User and system time of 1 GB against the bare program's, in turns; the smallest of each."""
    ours, floor = [], []
    for _ in range(tries):
        ours.append(s.get(s.srv.h2 + "/gb", 0, 1, H2)[1]["cpu"])
        floor.append(raw(s, s.srv.h2_port, "/gb", 1, 1)["cpu"])
    return {"h2_gb_cpu": min(ours) / min(floor)}


@gives("h2_far_ratio")
def far(s):
    """The rate of 64 MB over a path of 100 ms and 100 Mbit/s against HTTP/1.1's."""
    def seconds(port, options):
        with delay.Relay(port) as relay:
            return s.get(f"http://127.0.0.1:{relay.port}/mb64", 0, 1, options)[1]["clock"]
    old, new = seconds(s.srv.http_port, ()), seconds(s.srv.h2_port, H2)
    return {"h2_far_ratio": old / new}


def best_rates(tries, *runs):
    """The best of some turns of each."""
    turns = [[run() for run in runs] for _ in range(tries)]
    return [max(rates) for rates in zip(*turns)]


@gives("h2_rate_10", "h2_rate_100")
def against_http1(s, total=20000):
    """GETs per second against our own HTTP/1.1 with as many connections; client and server on one processor. nghttpd does not
    speak HTTP/1.1, and nginx takes longer for a stream than for a request on a connection of its own."""
    def pair(url, n):
        new, old = best_rates(3, lambda: s.rate(url, total, n, ONE, PINNED, 1)[0]["rate"],
                              lambda: s.rate(s.srv.http + "/small", total, n, (), PINNED)[0]["rate"])
        return new / old
    with Nghttpd(s.srv) as srv:
        return {f"h2_rate_{n}": pair(srv.url + "/small", n) for n in (10, 100)}


@gives("h2_rate_h2load")
def against_h2load(s, total=20000):
    """GETs per second, 100 at a time, against h2load; client and server on one processor."""
    if not shutil.which("h2load"):
        raise Missing("h2load (package nghttp2-client)")

    def h2load(url):
        p = s.run([*PINNED, "h2load", f"-n{total}", "-c1", "-m100", "-t1", url])
        m = re.search(r"finished in .*?([\d.]+) req/s", p.stdout)
        s.check(p, m and f"{total} succeeded" in p.stdout)
        return float(m.group(1))

    with Nghttpd(s.srv) as srv:
        url = srv.url + "/small"
        ours, peer = best_rates(3, lambda: s.rate(url, total, 100, ONE, PINNED, 1)[0]["rate"], lambda: h2load(url))
    return {"h2_rate_h2load": ours / peer}


COUNTED = [first, multi, one_at_a_time, hundred_at_once, calls, stream, idle, megabyte]
TIMED = [gigabyte, far, against_http1, against_h2load]
