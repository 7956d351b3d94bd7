#!/usr/bin/env python3
"""Proves what proofs/proofs.toml lists, with the bounded model checker CBMC.

usage: run.py [OPTION...] [NAME...]     NAME: proofs, or folders of proofs; without: all

  --planted   plants the stated fault of each proof in a copy of its source; a proof that still succeeds has failed
  --list      prints the proofs, their bounds and what they prove, and ends
  --trace     prints how a failed one comes about
  --jobs N    proofs at a time (2)
  --seconds N of processor time, after which one proof has failed (600)

One line for each with its processor time, then the output of what failed, then "N passed, M failed". Where there is no
cbmc of version 6 it works in a root of Debian 13 (tools/root), which keeps the prover by the name "proofs".
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import debianroot  # noqa: E402
import partlist  # noqa: E402

OUT = os.path.join(ROOT, "build", "proofs")
SUITE, KEPT, INSIDE = "trixie", "proofs", "/w"
PACKAGES = ("cbmc", "gcc", "libc6-dev", "python3")
CHECKS = ("--bounds-check", "--pointer-check", "--pointer-overflow-check", "--pointer-primitive-check",
          "--div-by-zero-check", "--signed-overflow-check", "--undefined-shift-check", "--unwinding-assertions",
          "--malloc-may-fail", "--malloc-fail-null", "--drop-unused-functions", "--slice-formula",
          "--no-standard-checks")
DEFINES = ("-DMOTE_BUILDING", "-D_GNU_SOURCE", "-U__SSE2__")  # the prover knows no vectors: what other processors run


def table():
    with open(os.path.join(ROOT, "proofs", "proofs.toml"), "rb") as f:
        return tomllib.load(f)["proof"]


def chosen(names):
    rows = table()
    out = [r for r in rows if not names or r["name"] in names or r["name"].split("/")[0] in names or
           r["name"].split("/")[1] in names]
    if not out:
        sys.exit("proofs: no such proof: " + " ".join(names))
    return out


def bound_of(row):
    return f"{row['bound']} {row.get('of', 'bytes')}" if "bound" in row else row.get("of", "no bound")


# --- one proof ---

def planted(row):
    """A folder with the faulty copy of a file, to be found before the right one."""
    name, right, wrong = row["fault"]
    folder = os.path.join(OUT, "planted", row["name"])
    with open(os.path.join(ROOT, "src", name), encoding="utf-8") as f:
        text = f.read()
    if text.count(right) < 1:
        raise ValueError(f"{name} has no {right!r}: the table's fault is out of date")
    os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(text.replace(right, wrong, 1))
    return folder, name


def preprocessed(row, fault):
    """The harness, its sources and models as the compiler reads them, which can leave out what the processor has."""
    folder, faulty = fault or (None, None)
    files = [os.path.join(ROOT, "proofs", row["name"] + ".c")]
    files += [os.path.join(folder if s == faulty else os.path.join(ROOT, "src"), s) for s in row["sources"]]
    files += [os.path.join(ROOT, "proofs", "model", m + ".c") for m in row.get("models", ("libc",))]
    places = [*([folder] if fault else []), os.path.join(ROOT, "proofs"), os.path.join(ROOT, "src"),
              os.path.join(ROOT, "include"), os.path.join(OUT, "parts")]
    to = os.path.join(OUT, "planted" if fault else "right", row["name"] + ".i")
    os.makedirs(to, exist_ok=True)
    out = []
    for n, name in enumerate(files):
        out.append(os.path.join(to, f"{n}-{os.path.basename(name)[:-2]}.i"))
        subprocess.run(["gcc", "-std=c11", "-E", *DEFINES, *row.get("defines", ()), f"-DBOUND={row.get('bound', 0)}",
                        *(f"-I{x}" for x in places), name, "-o", out[-1]], check=True, capture_output=True, text=True)
    return out


def command(row, fault=None, trace=False):
    cmd = ["cbmc", *preprocessed(row, fault), *CHECKS, *row.get("checks", ()), "--unwind", str(row["unwind"])]
    if "loops" in row:
        cmd += ["--unwindset", ",".join(row["loops"])]
    if fault:
        cmd.append("--stop-on-fail")
    elif trace:
        cmd.append("--trace")
    return cmd


def findings(text):
    """Lines of properties that do not hold."""
    return [line for line in text.splitlines() if line.endswith(": FAILURE")]


def prover(cmd, most):
    """(exit status, seconds of processor time, output); status None: it has taken `most` seconds."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as out:
        p = subprocess.Popen(["prlimit", f"--cpu={most}", *cmd], stdout=out, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = status
        out.seek(0)
        took = used.ru_utime + used.ru_stime
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGKILL, signal.SIGXCPU)
        return None if killed and took >= most - 1 else os.waitstatus_to_exitcode(status), took, out.read()


def prove(row, plant, trace, most):
    """(problem or None, properties, seconds of processor time, output)"""
    try:
        status, took, text = prover(command(row, planted(row) if plant else None, trace), most)
    except ValueError as e:
        return str(e), 0, 0.0, ""
    except subprocess.CalledProcessError as e:
        return "the compiler does not read it", 0, 0.0, e.stderr
    m = re.search(r"\*\* \d+ of (\d+) failed", text)
    count = int(m.group(1)) if m else 0
    missing = re.findall(r"no body for (?:callee|function) '?(?!nondet_)(\w+)", text)
    if status is None:
        return f"not done after {most} s", count, took, ""
    if status not in (0, 10):
        return f"the prover ended with status {status}", count, took, text
    if missing:
        return "no body for " + ", ".join(sorted(set(missing))), count, took, text
    if plant:
        return (None if status == 10 else "the planted fault was not found"), count, took, text
    return ("\n".join(findings(text)) or "failed") if status else None, count, took, text


def run(rows, a):
    failed, passed = [], 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        pending = {pool.submit(prove, row, a.planted, a.trace, a.seconds): row for row in rows}
        for done in concurrent.futures.as_completed(pending):
            row = pending[done]
            problem, count, took, text = done.result()
            what = "FAILED" if problem else "found" if a.planted else f"{count} properties"
            print(f"{row['name']:<32}{bound_of(row):<36}{what:<18}{took:7.1f} s", flush=True)
            if problem:
                failed.append((row["name"], problem, text))
            else:
                passed += 1
    for name, problem, text in failed:
        print(f"\n--- {name}\n{problem}")
        if a.trace or "status" in problem or "compiler" in problem:
            print(text[-20000:])
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed else 0


# --- where ---

def has_prover():
    return bool(shutil.which("cbmc")) and subprocess.run(["cbmc", "--version"], stdout=subprocess.PIPE, text=True,
                                                         check=False).stdout.startswith("6.")


def in_root(arguments):
    """Runs itself in a root that has the prover, with this tree in its place."""
    why = debianroot.why_not()
    if why:
        print(f"proofs: no cbmc of version 6 here, and {why}", file=sys.stderr)
        return 2
    try:
        kept = debianroot.Kept(SUITE)
        kept.make()
        if not os.path.isdir(kept.named(KEPT)):
            with debianroot.Run(kept, keep=KEPT, tree=False) as root:
                install = "apt-get update && apt-get install -y --no-install-recommends " + " ".join(PACKAGES)
                status, text = root.command(["sh", "-ec", install], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                            text=True)
            if status:
                shutil.rmtree(kept.named(KEPT), ignore_errors=True)
                print(text, file=sys.stderr)
                return 2
        with debianroot.Run(kept, on=[KEPT], tree=False, binds=[(ROOT, INSIDE)]) as root:
            return root.command(["python3", f"{INSIDE}/proofs/run.py", *arguments])[0]
    except debianroot.Refused as e:
        print(f"proofs: {e}", file=sys.stderr)
        return 2


def main():
    ap = argparse.ArgumentParser(prog="proofs/run.py", usage=__doc__.split("\n\n", 1)[1])
    for name in ("--planted", "--list", "--trace"):
        ap.add_argument(name, action="store_true")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--seconds", type=int, default=600)
    ap.add_argument("names", nargs="*")
    a = ap.parse_args()
    rows = chosen(a.names)
    if a.list:
        for row in rows:
            print(f"{row['name']:<32}{bound_of(row):<36}{row['proves']}")
        return 0
    if not os.environ.get(debianroot.INSIDE) and shutil.which("cmake"):
        os.makedirs(OUT, exist_ok=True)
        partlist.generate(os.path.join(OUT, "parts"), "full")
    if not has_prover() and os.environ.get(debianroot.INSIDE):
        print("proofs: this root of Debian has no cbmc of version 6", file=sys.stderr)
        return 2
    if not has_prover():
        return in_root(sys.argv[1:])
    return run(rows, a)


if __name__ == "__main__":
    sys.exit(main())
