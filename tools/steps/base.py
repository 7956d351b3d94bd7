"""What every step of tools/check.py is made of: a command that runs, what it came to, a build."""
import concurrent.futures
import contextvars
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
JOBS = os.cpu_count() or 1
# seconds after which a command hangs. Tests end what hangs much sooner; this is more than the slowest one takes on a
# machine that is twenty times too busy
HANGS = 3600
# The library's ordinary objects that are the same in two builds are made once. What one build alone has takes a third
# longer with the cache.
SHARING = {"release", "bearssl", "asan", "toys", "plain", "http"}
CACHE = {"CCACHE_DIR": os.path.join(ROOT, "build", "ccache"), "CCACHE_BASEDIR": ROOT, "CCACHE_NOHASHDIR": "1",
         "CCACHE_NODIRECT": "1"}
# the list that takes the processor's seconds of each command of a step
SPENT = contextvars.ContextVar("SPENT", default=None)
ASAN_ENV = {
    "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0:exitcode=99:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "TSAN_OPTIONS": "exitcode=99:second_deadlock_stack=1",
    "MOTE_SANITIZED": "1",
}


class Result:
    """What a step or a part of it came to."""

    def __init__(self, passed=0, failed=0, skipped=0, note=""):
        self.passed, self.failed, self.skipped = passed, failed, skipped
        self.note = note       # shown after the count
        self.spent = 0.0       # seconds of processor, of all its commands
        self.outputs = []      # (name, text) of what failed
        self.again = []        # lines of it that are shown again at the very end

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.spent += other.spent
        self.outputs += other.outputs
        self.again += other.again
        return self

    @staticmethod
    def failure(name, text):
        r = Result(failed=1)
        r.outputs.append((name, text))
        return r


def path(*parts):
    return os.path.join(ROOT, *parts)


def put_ahead(process):
    """Gives a process's session more of the processors than others have, where that can be said (Linux shares them by
    sessions, so that a priority counts within one only)."""
    try:
        with open(f"/proc/{process.pid}/autogroup", "w", encoding="ascii") as f:
            f.write("-10")
    except OSError:
        pass  # without rights to it, or another kernel: as the others


def ended(process, timeout):
    """Its exit status, None when it still runs after that many seconds; what it and what it waited for cost is noted."""
    waiter = os.pidfd_open(process.pid)
    try:
        if not select.select([waiter], [], [], timeout)[0]:
            return None
    finally:
        os.close(waiter)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if SPENT.get() is not None:
        SPENT.get().append(usage.ru_utime + usage.ru_stime)
    return process.returncode


def run(cmd, timeout=HANGS, env=None, ahead=False):
    """(exit status or None at a timeout, output). Ends the whole process group at a timeout. ahead: of other steps."""
    full = dict(os.environ, **(env or {}))
    with tempfile.TemporaryFile() as out:
        p = subprocess.Popen(cmd, cwd=ROOT, env=full, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                             start_new_session=True)
        if ahead:
            put_ahead(p)
        try:
            status = ended(p, timeout)
        except BaseException:
            os.killpg(p.pid, signal.SIGKILL)
            raise
        if status is None:
            os.killpg(p.pid, signal.SIGKILL)
            ended(p, None)
        out.seek(0)
        text = out.read().decode("utf-8", "replace")
    return status, text + (f"\ntimed out after {timeout} s\n" if status is None else "")


def in_parallel(tasks, jobs=JOBS):
    """Runs the callables two (or as many as there are processors) at a time; their results added up."""
    total, tasks = Result(), list(tasks)
    contexts = [contextvars.copy_context() for _ in tasks]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for r in pool.map(lambda c, t: c.run(t), contexts, tasks):
            total.add(r)
    return total


def one(name, cmd, timeout=HANGS, env=None):
    """A command that passes or fails as a whole."""
    status, text = run(cmd, timeout, env)
    return Result(passed=1) if status == 0 else Result.failure(name, text)


def counted(name, cmd):
    """A command whose last line of the kind says how many passed."""
    status, text = run(cmd)
    counts = re.findall(r"^(\d+) passed, (\d+) failed$", text, re.M)
    if not counts:
        return Result.failure(name, text)
    r = Result(*map(int, counts[-1]))
    if status:
        r.failed = max(1, r.failed)
        r.outputs.append((name, text))
    return r


def build(preset, targets, options=()):
    cached = preset in SHARING and shutil.which("ccache") and "CMAKE_C_COMPILER_LAUNCHER" not in os.environ
    env = CACHE if cached else None
    status, text = run(["cmake", "--preset", preset, *options, "-DMOTE_OBJECTS_LAUNCHER=" + ("ccache" if cached else "")],
                       env=env)
    if status:
        return Result.failure(f"configure {preset}", text)
    cmd = ["cmake", "--build", path("build", preset), "-j", str(JOBS), "--target", *targets]
    r = one(f"build {preset}", cmd, env=env)
    r.outputs = [(n, last_errors(t)) for n, t in r.outputs]
    return r


def last_errors(text):
    lines = [x for x in text.split("\n") if not x.startswith("[") and not re.match(r"/usr/bin/\S+ -D", x)]
    return "\n".join(lines[-60:])


def outputs_of(preset):
    return path("build") if preset == "release" else path("build", preset)
