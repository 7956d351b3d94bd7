"""What depends on the machine's speed."""
import os
import time

from .figure import Void, gives
from .programs import BIN
from .subject import file_limit, line_of

PORTS_AGAIN = 1.2  # s: ports of connections that ended less than a second ago are passed over, which takes time


@gives("start_user_us", "start_ratio", "active_resident")
def start(s):
    """User time to start one of 5,000; user + system against plain epoll; resident bytes of one."""
    file_limit(5000)
    url, tries, floor = s.srv.http + "/trickle", [], []
    few = line_of(s.many(url, 100), "resident")["kb"]
    for _ in range(3):
        time.sleep(PORTS_AGAIN)
        text = s.many(url, 5000)
        r = line_of(text, "result")
        time.sleep(PORTS_AGAIN)
        raw = s.run([os.path.join(BIN, "raw_start"), "127.0.0.1", str(s.srv.http_port), "/trickle", "5000"])
        f = line_of(raw.stdout, "result")
        s.check(raw, f.get("started") == 5000)
        tries.append((r["user"] * 1e6 / 5000, line_of(text, "resident")["kb"], r["user"] + r["system"]))
        floor.append(f["user"] + f["system"])
    user, resident, cpu = (sorted(t[i] for t in tries)[1] for i in range(3))
    return {"start_user_us": user, "start_ratio": cpu / max(0.001, sorted(floor)[1]),
            "active_resident": (resident - few) * 1024 / 4900}


def raw_rate(s, total, n):
    p = s.run(["taskset", "-c", "0", os.path.join(BIN, "raw_rate"), "127.0.0.1", str(s.srv.http_port), "/small",
               str(total), str(n)])
    s.check(p, line_of(p.stdout, "result").get("done") == total)
    return line_of(p.stdout, "result")["rate"]


@gives("rate_ratio")
def rate_ratio(s, n=10, total=30000, tries=3):
    """GETs per second against plain epoll, client and server on one CPU: the best of some tries."""
    best = 0.0
    for _ in range(tries):
        r, _ = s.rate(s.srv.http + "/small", total, n, before=("taskset", "-c", "0"))
        best = max(best, r["rate"] / raw_rate(s, total, n))
    return {"rate_ratio": best}


def seconds_of(cmd, environment):
    """What a run takes from its start to its end; subprocess itself would take as long again."""
    discard = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    begin = time.perf_counter()
    pid = os.posix_spawn(cmd[0], cmd, environment, file_actions=discard)
    status = os.waitpid(pid, 0)[1]
    if status:
        raise Void(f"{' '.join(cmd)}: status {status}")
    return time.perf_counter() - begin


@gives("tool_clock")
def tool_clock(s, tries=200):
    """The command's time for a small GET against that of the system's, in turns; the smallest of each."""
    plain = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME")}
    tools = (s.tool, "/usr/bin/curl")
    turns = [[seconds_of([tool, "-s", s.srv.http + "/small"], plain) for tool in tools] for _ in range(tries)]
    ours, theirs = map(min, zip(*turns))
    return {"tool_clock": ours / theirs}
