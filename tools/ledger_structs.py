"""The sizes of structs where a pointer has 32 bits and a time 64: the rows [structs."TARGET"] of sizes.toml.

budgets.toml has those of x86-64. The compiler is asked for them alone, with the flags of profile `mcu`: nothing is
linked. ledger.py calls this."""
import os
import re

import size

PROFILE = "mcu"
TARGETS = ("cortex-m3",)
BUILDS = [(PROFILE, target) for target in TARGETS]  # as ledger.py names them
STRUCTS = {  # of which there is one for each handle, transfer, connection or lookup
    "mote_easy": "api/easy/easy_handle.h", "mote_transfer": "transfer/transfer.h", "mote_run_block": "transfer/run.h",
    "mote_multi_handle": "api/multi/multi_handle.h", "mote_conn": "net/conn_struct.h", "mote_http": "http/http.h",
    "mote_h1": "protocol/http1/h1.h", "mote_dial": "connect/dial/dial_phases.h", "mote_answer": "net/names/names.h",
}
WIDTHS = {"pointer": "void *", "time": "time_t"}  # what the rows are for, among them
WORD = 8  # bytes


def source():
    types = {**WIDTHS, **{name: f"struct {name}" for name in STRUCTS}}
    lines = ["#include <time.h>", *(f'#include "{header}"' for header in dict.fromkeys(STRUCTS.values()))]
    return "\n".join(lines + [f"char size_of_{name}[sizeof({of})];" for name, of in types.items()]) + "\n"


def measure(target):
    """{struct: bytes} of a target of ledger.py, as size.py calls it."""
    build = size.Build(target, PROFILE)
    path = os.path.join(build.out, "structs.c")
    with open(path, "w", encoding="utf-8") as f:
        f.write(source())
    made = path[:-2] + ".o"
    size.run([build.target["cc"], *build.flags, "-c", "-o", made, path])
    said = size.run([build.target["cc"].removesuffix("gcc") + "nm", "-S", made])
    found = {name: int(n, 16) for n, name in re.findall(r"^\w+ (\w+) \w size_of_(\w+)$", said, re.M)}
    return {name: found[name] for name in (*WIDTHS, *STRUCTS)}


def differences(target, old, new):
    """A line for each struct that has changed by more than a word of 8 bytes, or 3 in 100, as in budgets.toml."""
    pairs = [(name, old.get(name, 0), new.get(name, 0)) for name in {**old, **new}]
    return [f"structs, {target}: {name}: {before:,} -> {now:,} bytes" for name, before, now in pairs
            if abs(now - before) > max(WORD, before * 3 // 100)]


def text_of(rows):
    """Their part of sizes.toml."""
    return "".join(f'\n[structs."{target}"]\n' + "".join(f"{name} = {n}\n" for name, n in rows[target].items())
                   for target in TARGETS if target in rows)
