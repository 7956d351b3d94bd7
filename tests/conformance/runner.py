"""Runs tests of libcurl's suite in parallel copies, and reads what its runner says about each."""
import concurrent.futures
import os
import pwd
import re
import select
import signal
import subprocess
import time

from suite import LIMIT

CHUNK = 25       # tests that one start of the suite's runner works through; its servers live as long
SILENCE = 150    # seconds without a line after which a runner hangs: longer than LIMIT and a server's start
USER = "nobody"

BEGIN = re.compile(r"^test (\d{4,})\.\.\.", re.M)
SKIPPED = re.compile(r"^test (\d{4,}) SKIPPED: (.*)$", re.M)
PASSED = re.compile(r" OK \(\d+ *out of ")
COMPARED = re.compile(r"^ \d+: (.*?) FAILED[:!]", re.M)
RETURNED = re.compile(r"^(\S+) returned (\d+), when expecting (.*)$", re.M)
NOTHING = re.compile(r"Total curl failure\? Returned: (\d+)")  # where a server has seen no request
MARGIN = "== Contents of files"   # where the runner begins to print its logs


def read_output(text):
    """What a runner printed -> {number: ("passes" | "fails" | "left out", reason, the text about it)}."""
    results = {int(number): ("left out", why.strip(), "") for number, why in SKIPPED.findall(text)}
    begins = list(BEGIN.finditer(text))
    for begin, end in zip(begins, [b.start() for b in begins[1:]] + [len(text)]):
        about = text[begin.start():end]
        number = int(begin.group(1))
        if PASSED.search(about.split(MARGIN)[0]):
            results[number] = ("passes", "", "")
        elif number not in results:
            results[number] = ("fails", reason(about), about)
    return results


def reason(about):
    """One line of why a test failed, out of what the runner printed about it."""
    head = about.split(MARGIN)[0]
    returned, nothing = RETURNED.search(head), NOTHING.search(head)
    if returned or nothing:
        code = int((returned.group(2) if returned else nothing.group(1)))
        if code in (124, 137):
            return f"not over after {LIMIT} seconds"
        if code > 2000 or nothing and code > 128:
            return f"ends by signal {code - (2000 if code > 2000 else 128)}"
        if returned:
            return f"returns {code}, not {returned.group(3)}"
    compared = COMPARED.search(head)
    if compared:
        lines = head[compared.end():].split("\n")
        changed = [line for line in lines if line.startswith(("+", "-")) and not line.startswith(("+++", "---"))]
        missing = next((line[1:] for line in changed if line[0] == "-"), None)
        extra = next((line[1:] for line in changed if line[0] == "+"), None)
        return f"{compared.group(1)}: " + ", ".join(
            [f"{word} {clean(line)}" for word, line in (("lacks", missing), ("has", extra)) if line is not None]
            or ["empty"])
    for text, why in (("postcheck FAILED", "its postcheck fails"), ("core dumped", "crashes")):
        if text in head:
            return why
    return "fails"


def clean(line):
    """A line for the ledger: printable, short, on one line."""
    shown = line.replace("[CR]", "").replace("[LF]", "").strip()
    return "'" + "".join(c if c.isprintable() else "?" for c in shown)[:70] + "'"


def identity():
    """User and group that tests run as: not root, who may do what other users may not."""
    if os.getuid():
        return None
    entry = pwd.getpwnam(USER)
    return entry.pw_uid, entry.pw_gid


class Runner:
    """One start of the suite's runner, in a copy of its own."""

    def __init__(self, stage, kind, user):
        self.place, number = stage.copy(kind, user)
        # By the seed the runner chooses the ports that it cannot get from the system.
        self.command = ["perl", "runtests.pl", "-a", "-n", "-p", f"--seed={number}",
                        "-c", f"{stage.root}/{kind}/curl", "-vc", f"{stage.root}/verify"]
        if user:
            self.command = ["setpriv", f"--reuid={user[0]}", f"--regid={user[1]}", "--clear-groups", *self.command]
        self.environment = {"PATH": f"{stage.root}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": self.place,
                            "LC_ALL": "C.UTF-8", "USER": USER, "srcdir": "."}

    def run(self, numbers):
        """Returns the results of read_output(). A runner that hangs is ended; the tests after the one that it hung in
        are not in the results."""
        process = subprocess.Popen([*self.command, *map(str, numbers)], cwd=self.place, env=self.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        text, hung = self.read(process)
        results = read_output(text)
        if hung:
            last = max((m for m in BEGIN.finditer(text)), key=lambda m: m.start(), default=None)
            if last:
                results[int(last.group(1))] = ("fails", "the suite's runner hangs", text[last.start():])
        return results

    def read(self, process):
        """All that the runner prints, and whether it had to be ended."""
        pieces, hung, last = [], False, time.monotonic()
        while True:
            ready, _, _ = select.select([process.stdout], [], [], 5)
            if ready:
                piece = os.read(process.stdout.fileno(), 65536)
                if not piece:
                    break
                pieces.append(piece)
                last = time.monotonic()
            elif process.poll() is not None:
                break   # a server that it has left running holds the pipe
            elif time.monotonic() - last > SILENCE:
                hung = True
                self.end(process)
                break
        process.stdout.close()
        self.wait(process)
        return b"".join(pieces).decode("latin-1"), hung

    @staticmethod
    def wait(process):
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    @staticmethod
    def end(process):
        """The runner ends its servers when it is asked to end."""
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


def chunks(numbers, servers):
    """The tests in groups; tests that need the same servers are together, because starting one takes a while."""
    ordered = sorted(numbers, key=lambda n: (servers(n), n))
    return [ordered[i:i + CHUNK] for i in range(0, len(ordered), CHUNK)]


def run_chunk(stage, kind, numbers):
    """Results of one group. Tests that a hanging runner did not come to are run again; one that the runner never
    shows counts as failed."""
    results, left = {}, list(numbers)
    while left:
        got = Runner(stage, kind, identity()).run(left)
        results.update((n, r) for n, r in got.items() if n in left)
        rest = [n for n in left if n not in results]
        if len(rest) == len(left):
            results.update((n, ("fails", "the suite's runner does not run it", "")) for n in rest)
            break
        left = rest
    return results


def run_all(stage, work, jobs, report):
    """work: [(kind, numbers)]. Runs the groups, `jobs` of them at a time; returns {(kind, number): result}."""
    results = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(run_chunk, stage, kind, numbers): kind for kind, numbers in work}
        for future in concurrent.futures.as_completed(futures):
            results.update({(futures[future], n): r for n, r in future.result().items()})
            report(len(results))
    return results
