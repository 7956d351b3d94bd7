"""The measuring programs of bench/, in build/bench: compiled where they are older than a source."""
import os
import subprocess

import preload

from . import ROOT
from .figure import Missing

HERE = os.path.join(ROOT, "bench")

BIN = os.path.join(ROOT, "build", "bench")
# the measuring programs in build/bench, and their libraries
PROGRAMS = {
    **{n: ["-lcurl"] for n in ("event", "form", "get", "jar", "pair", "many", "rate", "sites", "ws")},
    **{n: [] for n in ("raw_get", "raw_rate", "raw_start", "cost")},
    "raw_h2": ["-lnghttp2"],
}
# what needs development files that most machines lack: named where it is used
OTHERS = {"patient.so": ["-shared", "-fPIC"],
          "raw_h3": ["-lngtcp2_crypto_ossl", "-lngtcp2", "-lnghttp3", "-lssl", "-lcrypto"]}
COUNTER = os.path.join(BIN, "preload.so")
PATIENT = os.path.join(BIN, "patient.so")


def compile_programs(*wanted):
    """These measuring programs, or all of them, and what counts for them; each is compiled when it is older than a
    source. What needs one or two names them: the others need development files that its machine may not have."""
    os.makedirs(BIN, exist_ok=True)
    try:
        preload.compiled(COUNTER)
    except preload.Failed as e:
        raise Missing(str(e)) from None
    sources = [os.path.join(HERE, f) for f in os.listdir(HERE) if f.endswith((".c", ".h"))]
    newest = max(map(os.path.getmtime, [*sources, preload.HEADER]))
    flags = ["-O2", "-g", "-std=gnu11", "-Wall", "-Wextra", "-I", preload.HERE]
    for name in wanted or PROGRAMS:
        path = os.path.join(BIN, name)
        if not os.path.exists(path) or os.path.getmtime(path) < newest:
            source = os.path.join(HERE, name.removesuffix(".so") + ".c")
            cmd = ["gcc", *flags, "-o", path, source, *(PROGRAMS.get(name) or OTHERS.get(name, []))]
            p = subprocess.run(cmd, capture_output=True, text=True)
            if p.returncode:
                raise Missing(" ".join(cmd) + "\n" + p.stderr)
