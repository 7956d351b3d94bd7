"""What surrounds a scenario whose calls fail: servers that do not wait long for a client that may never come."""

import contextlib
import functools
import gzip
import threading

import chosen
import script
import tftp_peer
import zygote


SERVERS = []  # of this run


def unexpected():
    """Whether a server of HTTP/2, or a proxy before it, got a connection that it has no script for: it closes that, and what
    its scripts answer belongs to one connection. A client that cannot watch an idle connection closes it, and needs another."""
    return (any(type(s).__name__ == "H2Server" for s in SERVERS)
            and any(s.fallback is None and len(s.connections) > len(s.scripts) for s in SERVERS))


def quick_servers():
    """Servers that wait for no client when a test is over."""
    init = script.ScriptServer.__init__

    def noted(self, *args, **kw):
        SERVERS.append(self)
        init(self, *args, **kw)

    script.ScriptServer.__init__ = noted

    def settle(self):
        for thread in list(self.threads):
            thread.join(0.2)

    close = script.ScriptServer.close

    def quick_close(self, settle=True):
        try:
            close(self, settle=False)
        except AssertionError:
            pass

    script.ScriptServer.settle, script.ScriptServer.close = settle, quick_close
    tftp_peer.GRACE, tftp_peer.STEP, tftp_peer.STRICT = 0.1, 0.01, False
    script.WAIT_STEP = 0.005
    script.JOIN = 0.5


def same_bodies():
    """gzip has the time in its head: the bodies of two runs would differ."""
    gzip.compress = functools.partial(gzip.compress, mtime=0)


def quick_events():
    """What the servers do not report to the test soon they never will, after a failed call. A goodbye without an answer takes
    two seconds, which a clean run waits for."""
    wait = threading.Event.wait

    def short_wait(self, timeout=None):
        if threading.current_thread() is threading.main_thread() and not (zygote.plan and zygote.plan.is_clean()):
            timeout = min(timeout or 1.0, 1.0)
        return wait(self, timeout)

    threading.Event.wait = short_wait


def patience(took, mode):
    """Seconds that a server waits for bytes, after a clean run of `took` seconds."""
    return took * 2 + (0.5 if mode in chosen.SHIFTING else 4)


def deadline(took):
    """Seconds until the driver's watchdog rings. The server gives up well before: a client that only waits for a script
    that its requests do not fit any more gets an error then, and does not count as one that hangs."""
    return int(max(8, patience(took, "") + took + 3))


@contextlib.contextmanager
def impatient_servers(seconds):
    """After a failed call a script of answers may fit the requests no more: then both sides would wait."""
    before = script.PATIENCE, script.DRAIN
    script.PATIENCE, script.DRAIN = seconds, 1
    try:
        yield
    finally:
        script.PATIENCE, script.DRAIN = before
