"""The driver loaded once, a child per run, and the Driver of the end-to-end tests on top of it.

Zygote: one process of tests/e2e/driver with the log build's library. A run gets its script, log and errors by
descriptors, its failing call by control words. TortureDriver is what the tests get for Driver while a plan is set:
it never asserts, it keeps what happened in `plan.runs`, and it waits for nothing that cannot come.
"""

import os
import re
import select
import signal
import socket
import subprocess
import threading
import time

import mote_driver

REPORT = re.compile(rb"calls=(\d+) fired=(\d+) call=(\S+) site=(\S+)(.*)")


class Abort(Exception):
    """The rest of the test would only wait for what does not come."""


class Skip(Exception):
    """This scenario cannot run so; the reason."""


class Zygote:
    """environment: what differs per instance, e.g. MOTE_FAULT."""

    def __init__(self, program, environment):
        self.mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        nothing = subprocess.DEVNULL
        self.process = subprocess.Popen([program, "--zygote", str(theirs.fileno())], pass_fds=[theirs.fileno()],
                                        env=environment, stdin=nothing, stdout=nothing, stderr=nothing)
        theirs.close()
        self.ended = {}
        self.lock = threading.Lock()

    def spawn(self, lines, fds):
        with self.lock:
            socket.send_fds(self.mine, ["\n".join(lines).encode("latin-1", "replace")], fds)
            while True:
                kind, pid, status = self._next(30)
                if kind == "pid":
                    return pid
                self.ended[pid] = status

    def _next(self, seconds):
        if not select.select([self.mine], [], [], max(0.0, seconds))[0]:
            return "nothing", 0, 0
        data = self.mine.recv(100)
        if not data:
            raise RuntimeError("the zygote is gone")
        kind, pid, status = data.decode().split()
        return kind, int(pid), int(status)

    def wait(self, pid, seconds):
        """The status of a child, None when it has not ended by then."""
        end = time.monotonic() + seconds
        with self.lock:
            while pid not in self.ended:
                kind, ended, status = self._next(end - time.monotonic())
                if kind == "nothing":
                    return None
                self.ended[ended] = status
            return self.ended.pop(pid)

    def close(self):
        self.mine.close()
        self.process.wait(10)


class Plan:
    """One repetition of a scenario. controls: words for the child's mote_fault_control; index: which driver of
    the scenario they are for; kind: the name of the zygote."""

    def __init__(self, zygote, controls="", index=0, seconds=8, after=None):
        self.zygote, self.controls, self.index, self.seconds, self.after = zygote, controls, index, seconds, after
        self.runs = []
        self.open = []

    def is_clean(self):
        """No call fails."""
        return self.controls == "calls=0"

    def finish(self):
        for driver in list(self.open):
            driver.finish()


class Ran:
    """What one driver process came to."""

    def __init__(self, lines, status, errors, hung, way):
        self.lines, self.status, self.hung, self.way = lines, status, hung, way
        self.index, self.whole = 0, False  # which driver of the scenario; its script was there from the start
        m = None
        for m in REPORT.finditer(errors):
            pass
        self.call, self.site = (m.group(3).decode(), m.group(4).decode()) if m else ("-", "-")
        self.extra = dict(x.split("=", 1) for x in m.group(5).decode().split() if "=" in x) if m else {}
        self.fired = int(m.group(2)) if m else 0
        self.errors = REPORT.sub(b"", errors).decode("latin-1").strip()
        self.reported = m is not None


class _Process:
    """What tests touch of Driver.process."""

    def __init__(self, fd):
        self.stdin = os.fdopen(fd, "wb", buffering=0)

    def poll(self):
        return None


plan = None  # the current one
EVENT = 1    # seconds for what a server reports to the test
GRACE = 0.1  # and for what it reports when the transfer is over


class TortureDriver(mote_driver.Driver):
    def __init__(self, programs, way="easy", seconds=20, fault=False, env=None, leaks=True):
        super().__init__(programs, way, seconds, fault, env, leaks)
        if fault:
            raise Skip("makes calls fail or short itself (tests/preload)")
        self.pid, self.result = 0, None
        self.buffer, self.sent = b"", 0

    # ---- starting
    def _words(self):
        lines = [f"way {self.way}", f"seconds {plan.seconds}"]
        lines += [f"env {k}={v}" for k, v in self.env.items()]
        if plan.after:
            lines.append(f"after {plan.after}")
        self.index = len(plan.runs) + len(plan.open)
        armed = plan.index == self.index
        lines.append(f"control {plan.controls if armed and plan.controls else 'calls=0'}")
        return lines

    def _spawn(self, stdin, stdout):
        self.errors_fd = os.memfd_create("errors")
        self.plan = plan
        self.started = time.monotonic()
        self.pid = plan.zygote.spawn(self._words(), [stdin, stdout, self.errors_fd])
        plan.open.append(self)

    def run(self):
        """The whole script is known: files do, and nothing has to be read meanwhile."""
        script, log = os.memfd_create("script"), os.memfd_create("log")
        os.write(script, ("\n".join(self.script) + "\n").encode("ascii"))
        os.lseek(script, 0, os.SEEK_SET)
        self._spawn(script, log)
        os.close(script)
        self.log_fd = log
        self.finish()
        return self._run()

    def start(self):
        read_script, write_script = os.pipe2(os.O_CLOEXEC)
        self.log_fd, write_log = os.pipe2(os.O_CLOEXEC)
        fcntl_pipe_size(self.log_fd)
        self._spawn(read_script, write_log)
        os.close(read_script)
        os.close(write_log)
        self.process = _Process(write_script)
        script, self.script = self.script, []
        for line in script:
            self._send(line)
        return self

    def _send(self, line):
        self.sent += 1
        try:
            self.process.stdin.write((line + "\n").encode("ascii"))
        except (BrokenPipeError, ValueError):
            pass

    def do(self, *fields):
        line = "\t".join(mote_driver.escape(f) for f in fields)
        if self.process:
            self._send(line)
        else:
            self.script.append(line)
        return self

    # ---- reading
    def _line(self, seconds):
        """The next line of the log; None at its end or after the time."""
        while b"\n" not in self.buffer:
            if not select.select([self.log_fd], [], [], seconds)[0]:
                return None
            data = os.read(self.log_fd, 1 << 16)
            if not data:
                return None
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        text = line.decode("latin-1")
        self.lines.append(text)
        return text

    def drive_until(self, event, multi="m"):
        """The event never comes after the last transfer has failed: that is not waited for."""
        handles = sum(line.startswith("add\t") for line in self.script)
        self.do("drive", multi, "stdin").start()
        end = time.monotonic() + EVENT
        while not event.wait(0.01):
            if select.select([self.log_fd], [], [], 0)[0]:
                self.buffer += os.read(self.log_fd, 1 << 16)
            over = 0 < handles <= (b"\n" + self.buffer).count(b"\nresult\t")
            if time.monotonic() > end or over and not event.wait(GRACE):
                raise Abort("the server was not driven to its event")
        return self

    def expect(self, *start):
        while True:
            line = self._line(self.plan.seconds + 1)
            if line is None or line == f"idle\t{self.sent}":
                raise Abort(f"no {start}")
            fields = [f.decode("latin-1") for f in map(mote_driver.unescape, line.split("\t"))]
            if fields[:len(start)] == [str(s) for s in start]:
                return fields

    # ---- the end
    def end(self):
        self.finish()
        return self._run()

    def _run(self):
        if self.result.hung or self.result.status:
            raise Abort("the driver did not end well")
        return mote_driver.Run(without_after(self.lines), self.result.status)

    def _drain(self, end):
        while time.monotonic() < end and self._line(end - time.monotonic()) is not None:
            pass

    def finish(self):
        """Ends the run, whatever state it is in; once."""
        if not self.pid or self.result:
            return
        end = self.started + self.plan.seconds + 2
        if self.process:
            try:
                self.process.stdin.close()
            except OSError:
                pass
            self._drain(max(end, time.monotonic() + 1))
        status = self.plan.zygote.wait(self.pid, max(end - time.monotonic(), 1))
        hung = status is None
        if hung:
            os.kill(self.pid, signal.SIGKILL)
            status = self.plan.zygote.wait(self.pid, 10)
        if not self.process:
            self.lines = read_all(self.log_fd).decode("latin-1").split("\n")[:-1]
        hung = hung or "watchdog" in self.lines
        self.result = Ran(self.lines, status, read_all(self.errors_fd), hung, self.way)
        os.close(self.log_fd)
        os.close(self.errors_fd)
        self.result.index, self.result.whole = self.index, not self.process
        self.plan.open.remove(self)
        self.plan.runs.append(self.result)
        self.plan.runs.sort(key=lambda r: r.index)

    def kill(self):
        """The test is over; the run ends when the servers are gone (Plan.finish)."""
        if self.process and not self.result:
            try:
                self.process.stdin.close()
            except OSError:
                pass


def without_after(lines):
    """The log without the clean transfers that the script knows nothing of."""
    out, in_it = [], False
    for line in lines:
        in_it = line.startswith("after\t") or (in_it and not line.startswith("afterwards\t"))
        if not in_it:
            out.append(line)
    return out


def read_all(fd):
    return os.pread(fd, os.fstat(fd).st_size, 0)


def fcntl_pipe_size(fd):
    import fcntl
    try:
        fcntl.fcntl(fd, 1031, 1 << 20)  # F_SETPIPE_SZ: the log of a run must not block it
    except OSError:
        pass
