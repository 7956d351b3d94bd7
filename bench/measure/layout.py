"""Sizes of structs, and of what the library writes to."""
import os
import re
import subprocess

import structs

from .figure import Missing, Void, gives

# the structs that there is one of per handle, transfer, connection, lookup, share: row of budgets.toml: struct
STRUCTS = {
    "struct_easy": "mote_easy", "struct_transfer": "mote_transfer", "struct_run": "mote_run_block",
    "struct_multi": "mote_multi_handle", "struct_conn": "mote_conn", "struct_http": "mote_http",
    "struct_h1": "mote_h1", "struct_file": "mote_file", "struct_tls_stream": "mote_tls_stream",
    "struct_tls_ctx": "mote_tls_ctx", "struct_session": "entry (tls/session.c)", "struct_lookup": "mote_lookup",
    "struct_job": "mote_job", "struct_answer": "mote_answer", "struct_account": "mote_account",
    "struct_share": "share_handle (api/multi/share.c)",
}


@gives("writable_bytes")
def writable(s):
    p = subprocess.run(["readelf", "-SW", s.library], capture_output=True, text=True, check=True)
    sizes = re.findall(r"\s(?:\.data|\.bss)\s+\S+\s+\S+\s+\S+\s+([0-9a-f]+)", p.stdout)
    return {"writable_bytes": sum(int(x, 16) for x in sizes)}


def current(log):
    """Brings a log build up to date: an older one would give yesterday's figures. Missing when there is none."""
    if os.path.exists(os.path.join(log, "build.ninja")):
        p = subprocess.run(["cmake", "--build", log, "--target", "drop-in"], capture_output=True, text=True)
        if p.returncode:
            raise Missing(f"{log} does not build: {p.stdout[-500:]}")
    if not os.path.exists(os.path.join(log, "libcurl.so.4")):
        raise Missing(f"{log} is not built (make log)")


@gives(*STRUCTS)
def struct_sizes(s):
    if not s.log:
        raise Missing("no build with debug information")
    current(s.log)
    try:
        found = structs.sizes(os.path.join(s.log, "libcurl.so.4"))
    except structs.Missing as e:
        raise Missing(str(e)) from None
    gone = set(STRUCTS.values()) - set(found)
    if gone:
        raise Void(f"no struct {', '.join(sorted(gone))} (STRUCTS in bench/measure/layout.py)")
    return {row: found[name] for row, name in STRUCTS.items()}
