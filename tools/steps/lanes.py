"""Runs a table of steps, some at a time, and prints a line for each."""
import concurrent.futures
import sys
import time

from steps.base import SPENT, Result

LANES = 3  # steps at a time
WIDE = {"budgets": 2, "http3 budgets": 2}  # lanes of a step whose figures too busy a machine moves; the others have one
TTY = sys.stdout.isatty()


def say(name, r, seconds, when=""):
    count = f"{r.passed} passed" + (f", {r.failed} failed" if r.failed else "")
    count += f", {r.skipped} skipped" if r.skipped else ""
    note = f"  ({r.note})" if r.note else ""
    mark = "FAIL" if r.failed else "ok"
    cost = f", {r.spent:.0f} s of processor" if r.spent else ""
    print(f"{chr(13) + chr(27) + '[K' if TTY else ''}{name:<20} {mark:<5} {count}{note}  {seconds:.1f} s{cost}{when}",
          flush=True)


def show(r):
    for name, text in r.outputs:
        print(f"--- {name}")
        lines = text.rstrip("\n").split("\n")
        if len(lines) > 120:
            lines = lines[:20] + [f"... {len(lines) - 110} lines left out ..."] + lines[-90:]
        print("\n".join(lines))
        print("---", flush=True)


def timed(function):
    started, spent = time.monotonic(), []
    SPENT.set(spent)
    r = function()
    r.spent = sum(spent)
    return r, time.monotonic() - started


def ready(waiting, unfinished, broken, total):
    """The first step that can run; those that cannot any more are failures. None: there is no such step."""
    for step in list(waiting):
        needs = {step[2]} if isinstance(step[2], str) else set(step[2] or ())
        if needs & broken:
            waiting.remove(step)
            print(f"{step[0]:<20} FAIL  not run: {', '.join(needs & broken)} failed", flush=True)
            total.add(Result(failed=1))
        elif not needs & unfinished:
            waiting.remove(step)
            return step
    return None


def width(name):
    return WIDE.get(name, 1)


def in_lanes(table, keep=lambda name, result, seconds: None):
    """Runs the steps, some at a time, each after the one that it cannot do without; their results added up. keep gets
    what each came to."""
    total, waiting, broken, running, step = Result(), list(table), set(), {}, None
    with concurrent.futures.ThreadPoolExecutor(LANES) as pool:
        while waiting or running or step:
            unfinished = {name for name, _, _ in waiting} | set(running.values()) | ({step[0]} if step else set())
            step = step or ready(waiting, unfinished, broken, total)
            if step and sum(map(width, running.values())) + width(step[0]) <= LANES:
                running[pool.submit(timed, step[1])] = step[0]
                step = None
                continue
            if TTY and running:
                print(f"{chr(13)}{', '.join(running.values())} ...{chr(27)}[K", end="", flush=True)
            for done in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                name, (r, seconds) = running.pop(done), done.result()
                say(name, r, seconds)
                show(r)
                keep(name, r, seconds)
                total.add(r)
                if r.failed:
                    broken.add(name)
    return total
