"""torture.py --repeat: one scenario with one failing call, shown in full."""

import os
import traceback

import chosen
import judge
import surroundings
from zygote import Plan, Zygote


def parse(words):
    """MOTE_FAULT's words: (control words, errno or None, driver, mode to judge by)"""
    given = dict(w.split("=", 1) for w in words)
    kind = given.get("kind", "any")
    error = given.get("errno")
    index = int(given.get("driver", 0))
    moved = [w for w in ("short", "cut") if w in given]
    how = [w for w in ("at", "from") if w in given]
    controls = ([] if moved and not how else [f"{kind}=0"]) + [f"{w}={given[w]}" for w in how + moved]
    mode = (moved or how or ["at"])[0]
    if mode == "from" and kind == "alloc":
        mode = "oom"
    by_errno = {v: k for k, v in chosen.ERRNO.items()}
    return " ".join(controls), error, index, by_errno.get(error, mode)


def last_lines(path, n=40):
    if not os.path.exists(path):
        return ["(none)"]
    return open(path, errors="replace").read().split("\n")[-n:]


def show(ran, name):
    print(f"--- driver's log, {name}")
    for line in ran.lines:
        print("  " + line[:300])
    if ran.errors:
        print("--- its errors\n" + ran.errors)


def report(worker, item, scenario_type, words, log):
    """In the worker; the exit status."""
    controls, error, index, mode = parse(words)
    scenario = scenario_type(item)
    worker.prepare(item)
    first, problem, _ = worker.clean(scenario, "at", "calls=0", 20)
    again, _, clean_took = worker.clean(scenario, "at", "calls=0", 20)
    if problem:
        traceback.print_exception(problem)
    if index >= len(first.runs) or index >= len(again.runs):
        print("no such driver: the scenario has", len(first.runs))
        for ran in first.runs:
            show(ran, "clean")
        return 1
    if problem:
        show(first.runs[index], "clean")
    clean = judge.Clean(first.runs[index], again.runs[index], chosen.also(item.nodeid), chosen.by_chance(item.nodeid))
    env = worker.environment("MOTE_FAULT=report=/dev/stderr" + (f",errno={error}" if error else ""))
    zygote = Zygote(worker.program, dict(env, CURL_MEMDEBUG=log))
    plan = Plan(zygote, controls, index, surroundings.deadline(clean_took), worker.nginx.url("/12.txt"))
    surroundings.SERVERS.clear()
    with surroundings.impatient_servers(surroundings.patience(clean_took, mode)):
        problem, took = scenario.once(plan, plan.seconds + 2)
    ran = plan.runs[index] if index < len(plan.runs) else None
    zygote.close()
    if not ran:
        print("the driver was not reached")
        return 1
    show(ran, f"{controls}, {took:.2f} s")
    print(f"--- the test itself: {type(problem).__name__ + ': ' + str(problem)[:500] if problem else 'passed'}")
    print(f"--- the last calls ({log})")
    print("\n".join("  " + line for line in last_lines(log)))
    print(f"--- failed on purpose: {ran.fired}, first {ran.call}() at {ran.site}; left: {ran.extra}; "
          f"clean run {clean.live} blocks, {clean.fds} descriptors; its calls {judge.calls_of(again.runs[index])}")
    symptoms = judge.judge(ran, clean, mode, mode in chosen.SHIFTING and surroundings.unexpected())
    print("\n".join(["FINDING: " + s for s in symptoms] or ["nothing wrong"]), flush=True)
    return 1 if symptoms else 0
