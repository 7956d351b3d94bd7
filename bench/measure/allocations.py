"""Allocations and bytes of GETs by the library, one at a time and many at once."""
import os

from . import ROOT
from .figure import Missing, gives
from .programs import BIN
from .subject import SIZES, Subject, file_limit, line_of, values


@gives("global_allocs", "handle_set_bytes", "get_first_allocs", "get_first_peak", "get_again_allocs", "handle_kept_bytes")
def first_get(s):
    ph, _, _ = s.get(s.srv.http + "/small", 1024, 3, counted=True)
    begin, init, setopt, perform = (ph[k][0] for k in ("global", "init", "setopt", "perform"))
    again, base = ph["perform"][-1], begin["live"]
    return {
        "global_allocs": ph["start"][0]["calls"] + begin["calls"],
        "handle_set_bytes": setopt["live"] - base,
        "get_first_allocs": init["calls"] + setopt["calls"] + perform["calls"],
        "get_first_peak": perform["peak"] - base,
        "get_again_allocs": again["calls"],
        "handle_kept_bytes": again["live"] - base,
    }


@gives("allocs_per_mb")
def further_megabytes(s):
    big = s.get(s.srv.http + "/big", counted=True)[0]["perform"][0]["calls"]
    return {"allocs_per_mb": (big - s.get(s.srv.http + "/mb1", counted=True)[0]["perform"][0]["calls"]) / 511}


@gives("https_first_allocs", "https_first_peak")
def first_https_get(s):
    bundle = os.path.join(s.srv.d, "bundle.pem")
    ph, _, _ = s.get(s.srv.https + "/small", 0, 2, counted=True, env={"BENCH_CA": bundle})
    return {
        "https_first_allocs": sum(ph[k][0]["calls"] for k in ("global", "init", "setopt", "perform")),
        "https_first_peak": ph["perform"][0]["peak"] - ph["start"][0]["live"],
    }


@gives("https_bearssl_first_allocs", "https_bearssl_first_peak")
def first_https_get_bearssl(s):
    """The same by the build whose only TLS library is BearSSL (preset bearssl)."""
    libdir = os.path.join(ROOT, "build", "bearssl", "drop-in")
    if not s.libdir or not os.path.exists(os.path.join(libdir, "libcurl.so.4")):
        raise Missing("build/bearssl/drop-in/libcurl.so.4 (preset bearssl)")
    figures = first_https_get(Subject(s.name, s.srv, libdir, s.tool))
    return {name.replace("https_", "https_bearssl_"): value for name, value in figures.items()}


@gives("multi_init_allocs", "multi_init_bytes", "pair_allocs", "pair_peak")
def pair(s):
    p = s.run([os.path.join(BIN, "pair"), s.srv.http + "/big", s.srv.http + "/mb1"], counted=True)
    r = line_of(p.stdout, "result")
    s.check(p, r.get("bad") == 0 and r.get("bytes") == f"{SIZES['big']},{SIZES['mb1']}")
    ph = {line.split("=")[1].split()[0]: values(line) for line in p.stdout.splitlines() if line.startswith("phase")}
    return {
        "multi_init_allocs": ph["multi"]["calls"],
        "multi_init_bytes": ph["multi"]["live"] - ph["global"]["live"],
        "pair_allocs": ph["multi"]["calls"] + ph["add"]["calls"] + ph["transfers"]["calls"],
        "pair_peak": ph["transfers"]["peak"] - ph["global"]["live"],
    }


def per_transfer(name, v):
    """What the multi holds for all of them is thousandths of one."""
    return {name + "_bytes": round(v["bytes"]), name + "_allocs": round(v["calls"], 1)}


def active(n):
    @gives(f"active_{n}_bytes", f"active_{n}_allocs")
    def measure(s):
        file_limit(n)
        v = line_of(s.many(s.srv.http + "/trickle", n, counted=True), "active")
        return per_transfer(f"active_{n}", v)
    measure.__name__ = f"active({n})"
    return measure


def active_https(n):
    @gives(f"active_https_{n}_bytes", f"active_https_{n}_allocs")
    def measure(s):
        v = line_of(s.many(s.srv.https + "/trickle", n, counted=True), "active")
        return per_transfer(f"active_https_{n}", v)
    measure.__name__ = f"active_https({n})"
    return measure


@gives("handle_after_bytes", "idle_bytes")
def idle(s):
    text = s.many(s.srv.http + "/small", 1000, "kept", counted=True)
    return {"handle_after_bytes": round(line_of(text, "handle")["bytes"]),
            "idle_bytes": round(line_of(text, "connection")["bytes"])}


@gives("idle_https_bytes")
def idle_https(s):
    text = s.many(s.srv.https + "/small", 1000, "kept", counted=True)
    return {"idle_https_bytes": round(line_of(text, "connection")["bytes"])}


@gives("multi_again_allocs")
def multi_again(s):
    """On a processor of its own: on the server's, all ten replies come together, then no transfer is active for a
    moment and the receive buffer is given back (0.07 allocations per GET). The smallest for the same reason."""
    before = ("taskset", "-c", str(max(os.sched_getaffinity(0))))

    def once():
        text = s.rate(s.srv.http + "/small", 4000, 10, before=before, counted=True)[1]
        return line_of(text, "second_half")["calls"]
    return {"multi_again_allocs": s.undisturbed(once)}
