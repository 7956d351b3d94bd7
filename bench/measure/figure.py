"""What a figure is: a function that gives rows of budgets.toml, or says why it cannot."""

class Void(Exception):
    """The work was not done, or not done rightly."""


class Missing(Exception):
    """The machine lacks what this figure is measured with."""


def gives(*rows):
    """The rows of budgets.toml that a function measures: for a few rows only their functions are called."""
    def mark(function):
        function.rows = rows
        return function
    return mark


def undisturbed(measure, near=0, times=2, most=24):
    """The smallest of what is measured until that is seen so many times, but for `near`: on a busy machine the
    server is late, reads are shorter, and there are more of them, a different number most times."""
    seen = []
    while len(seen) < most and (len(seen) < times or seen[times - 1] - seen[0] > near):
        seen = sorted([*seen, measure()])
    return seen[0]


def measure(subject, functions, notify=None):
    """({figure: value}, {function: why void}, {function: what is missing}), one after the other."""
    figures, void, missing = {}, {}, {}
    for f in functions:
        name = f.__name__
        if notify:
            notify(name)
        try:
            found = f(subject)
            if set(found) != set(f.rows):
                raise Void(f"gives {', '.join(sorted(found))}, and says {', '.join(f.rows)}")
            figures.update(found)
        except Void as e:
            void[name] = str(e)
        except Missing as e:
            missing[name] = str(e)
        except (KeyError, AttributeError, IndexError) as e:
            void[name] = f"output not understood: {e!r}"
    return figures, void, missing
