"""Forms, built and posted."""
import os

from .figure import gives
from .programs import BIN
from .subject import line_of, phases_of
from .watch import instructions_of


def form(s, parts, times, *more, **how):
    """Phases of bench/form, and what it printed."""
    p = s.run([*how.pop("before", ()), os.path.join(BIN, "form"), s.srv.http + "/post", str(parts), str(times), *more], **how)
    r = line_of(p.stdout, "result")
    s.check(p, r.get("code") == 200 and r.get("good") == 1 and r.get("sent", 0) > 100 * parts)
    return phases_of(p.stdout), p


@gives("form_build_allocs", "form_first_allocs", "form_again_allocs")
def forms(s):
    phases = form(s, 10, 3, counted=True)[0]
    build = next(v for name, v in phases if name == "build")
    posts = [v for name, v in phases if name == "perform"]
    return {"form_build_allocs": build["own_calls"], "form_first_allocs": posts[0]["own_calls"],
            "form_again_allocs": posts[2]["own_calls"]}


def form_instructions(s, parts, times, *more):
    return instructions_of(form, s, parts, times, *more)


@gives("instructions_form", "instructions_form_mb")
def instructions_form(s):
    posts = form_instructions(s, 10, 55) - form_instructions(s, 10, 5)
    large, small = (s.undisturbed(lambda n=n: form_instructions(s, 0, 1, s.srv.path(n)), 80, 3) for n in ("mb11", "mb1"))
    return {"instructions_form": posts / 50, "instructions_form_mb": (large - small) / 10}
