"""Instructions and system calls of GETs on a kept connection, and of events."""
import os

from .figure import gives
from .programs import BIN
from .subject import line_of
from .watch import callgrind, get_instructions, system_calls


@gives("instructions_get")
def instructions_get(s):
    return {"instructions_get": (get_instructions(s, "small", 210) - get_instructions(s, "small", 10)) / 200}


@gives("instructions_mb")
def instructions_mb(s):
    large, small = (s.undisturbed(lambda n=name: get_instructions(s, n, 1), 80, 3) for name in ("mb11", "mb1"))
    return {"instructions_mb": (large - small) / 10}


@gives("instructions_event")
def instructions_event(s):
    """The events are the same on any machine, as the program is the server too."""
    def run(pieces):
        out, p = callgrind(s, [os.path.join(BIN, "event"), "50", str(pieces)])
        s.check(p, line_of(p.stdout, "result").get("good") == 50)
        return out
    return {"instructions_event": (run(45) - run(5)) / 2000}


@gives("system_calls_get")
def system_calls_get(s):
    return {"system_calls_get": (system_calls(s, "small", 110) - system_calls(s, "small", 10)) / 100}


@gives("receive_calls_mb")
def receive_calls_mb(s):
    kinds = "recvfrom,recvmsg,read"
    large, small = (s.undisturbed(lambda n=name: system_calls(s, n, 1, kinds)) for name in ("mb11", "mb1"))
    return {"receive_calls_mb": (large - small) / 10}
