"""The servers' side of mail protocols: steps for scripts (script.py) in exact bytes."""

from script import Read, Send


def ask(command, answer, **how):
    """A command of the client, without its line end, and the whole answer of the server."""
    return (Read(command.encode() + b"\r\n"), Send(answer, **how))


def dialogue(*lines, **how):
    """Commands and answers by turns."""
    return tuple(step for i in range(0, len(lines), 2) for step in ask(lines[i], lines[i + 1], **how))
