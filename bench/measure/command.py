"""The command: allocations, instructions and system calls of a download."""
import os

from .figure import Missing, gives
from .subject import SIZES, values
from .watch import callgrind, strace


@gives("tool_allocs", "tool_peak", "tool_own_allocs")
def tool_download(s):
    report = os.path.join(s.srv.d, "count-" + s.name)
    if os.path.exists(report):
        os.remove(report)
    p = s.run([s.tool, "-s", "-o", "/dev/null", "-w", "%{http_code} %{size_download}", s.srv.http + "/big"],
              counted=True, env={"COUNT_OUT": report})
    s.check(p, p.stdout == f"200 {SIZES['big']}")
    with open(report, encoding="ascii") as f:
        v = values(f.readline())
    return {"tool_allocs": v["calls"], "tool_peak": v["peak"], "tool_own_allocs": v["own_calls"]}


def small_download(s, tool):
    out, p = callgrind(s, [tool, "-s", s.srv.http + "/small"])
    s.check(p, p.stdout == "hello world\n")
    return out


@gives("tool_instructions")
def tool_instructions(s):
    return {"tool_instructions": small_download(s, s.tool)}


@gives("tool_static_instructions")
def tool_static_instructions(s):
    if not os.path.exists(s.tool + "-static"):
        raise Missing(s.tool + "-static")
    return {"tool_static_instructions": small_download(s, s.tool + "-static")}


def whole_command_calls(s, base):
    """Without the folder of the library, where the dynamic loader would look for everything else too."""
    p, calls = strace(s, [s.tool, "-s", "--cacert", s.srv.ca, base + "/small"], env={"LD_LIBRARY_PATH": ""})
    s.check(p, p.stdout == "hello world\n")
    return len(calls)


@gives("tool_system_calls", "tool_https_system_calls")
def tool_system_calls(s):
    """The smallest of some: on a busy machine the server is late, and the command waits another time."""
    return {"tool_system_calls": s.undisturbed(lambda: whole_command_calls(s, s.srv.http)),
            "tool_https_system_calls": s.undisturbed(lambda: whole_command_calls(s, s.srv.https))}
