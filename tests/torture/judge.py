"""What a run with a failing call may come to, and what is a finding.

A driver's log is read as events: (key, code), key = what was called on what for the how-manieth time. The first event
whose code is not the clean run's must suit the call that failed; what follows are consequences.
"""

import zlib

AFTER_BODY = b"hello world\n"  # what Plan.after serves

# CURLcode that a failing system call may lead to; a call that is survived always may
SOCKET = {7, 27}
WAIT = {2, 27, 7, 55, 56, 99}
FILES = {77, 58, 82, 83, 90, 37, 27}  # trust store, client certificate, revocation list, issuer, pinned key, file: URL
CODES = {
    "socket": SOCKET | {30}, "connect": SOCKET, "getsockopt": SOCKET, "getpeername": SOCKET,
    "getsockname": SOCKET | {45, 30}, "bind": SOCKET | {45, 30}, "listen": {30}, "accept": {10}, "getifaddrs": {45, 27}, "if_nametoindex": SOCKET | {45, 6},
    "gethostname": set(), "setsockopt": {7, 45}, "fcntl": SOCKET | {2, 10, 30} | FILES, "ioctl": SOCKET | {2},
    "send": {55, 56, 35, 52, 65, 97}, "sendfile": {55, 56, 35, 52, 65}, "recv": {56, 55, 35, 52, 65, 97},
    "sendto": {55, 7}, "recvfrom": {56},
    # datagrams: an error of the first ones is one of connecting, later it looks like loss
    "sendmsg": {7}, "recvmsg": {7}, "recvmmsg": {7},
    "poll": WAIT, "epoll_wait": WAIT, "epoll_ctl": WAIT, "epoll_create1": WAIT,
    "eventfd": {27, 2, 6, 7}, "pipe": {27, 2, 6, 7},
    "pthread_create": {6, 27}, "pthread_attr_init": {6, 27}, "pthread_atfork": {27, 2, 6}, "getaddrinfo": {6, 27},
    "open": FILES | {23, 25, 2}, "stat": FILES | {23, 25}, "fstat": FILES | {23, 25}, "access": FILES,
    "lseek": {37, 33, 36, 26, 77}, "read": FILES | {26, 2}, "write": {23, 37, 25, 55},
    "ftruncate": {37, 23, 25}, "getentropy": {2, 27, 35},
    "close": {23, 37, 55}, "fclose": {23, 37, 55}, "shutdown": {55}, "nanosleep": set(), "futimens": set(),
    "fsetxattr": set(), "unlink": set(), "rename": set(),
}
# in the command only (src/tool), or nowhere yet
NEVER_IN_THE_LIBRARY = {"fopen", "fdopen", "mkdir", "tcgetattr", "tcsetattr", "getpwuid"}
ALLOCATIONS = {"malloc", "calloc", "realloc", "strdup"}
RESET = {7, 35, 52, 55, 56, 65, 97}  # 65: the request had to be made again, its body could not be rewound; 97: to a SOCKS proxy
# A server that closes a connection without a word: in a TLS handshake, of HTTP/2, of HTTP/1.1 (an upgrade, a proxy's CONNECT)
# before or while the request is sent, to a SOCKS proxy.
CLOSED = {35, 16, 52, 55, 56, 97}
EVERY = set().union(*CODES.values()) | {28}  # 28: when nothing can be reported any more

# CURLMcode, CURLSHcode, CURLHcode
MULTI = {"poll": {3, 4, 12}, "epoll_wait": {3, 4, 12}, "eventfd": {3, 4, 10}, "pipe": {3, 4, 10}, "write": {10}}
NO_MEMORY = {"E": 27, "M": 3, "S": 4, "H": 5}

MULTI_ACTIONS = {"remove", "mperform", "msocket", "mcleanup", "add"}


def _incb(f):
    return "M" if f[2] in MULTI_ACTIONS else "E"


# kind of line: (domain, fields of the key, where the code is)
LINES = {
    "result": ("E", (1,), 2), "setopt": ("E", (1, 2), 3), "mcode": ("M", (1, 2), 3), "merror": ("M", (1, 2), 3),
    "shcode": ("S", (1, 2), 3), "incb": (_incb, (1, 2), 3), "pause": ("E", (1, 2), 3), "received": ("E", (1,), 2),
    "upkeep": ("E", (1,), 3), "ssls": ("E", (1, 2), 3), "session": ("E", (1,), 5), "info": ("E", (1, 2), 3),
    "getheader": ("H", (1, 2), 3), "wrong": ("E", (1,), 3),
    "twice": (lambda f: "E" if f[1] == "perform" else "M", (1,), 3),
    "sent": ("E", (1,), 3), "notrailers": ("E", (1,), 3),
}
# lines that depend on what a cache holds: it may hold less for want of memory, and no call reports that. A TLS session is
# kept for the next connection's speed alone: the one that it came with is good without, and curl_easy_ssls_export(3)
# gives out the sessions that there are.
FROM_A_CACHE = {"session"}
# what callbacks do: there are as many as the bytes come in pieces, and a second may bring one
BY_PIECES = {"incb"}
# the call answered NULL
NULLS = {"noeasy", "nomulti", "noshare", "noglobal"}


class Event:
    def __init__(self, domain, key, code, body, index):
        self.domain, self.key, self.code, self.body, self.index = domain, key, code, body, index


def _code(kind, text):
    try:
        n = int(text)
    except ValueError:
        return 0
    if kind == "sent":
        return -n if n < 0 else 0
    return n


def read(lines):
    """(events of the script, events of the clean transfers after it, violations, end line)"""
    events, later, violations, end = [], [], [], None
    into, seen, bodies = events, {}, {}
    for index, line in enumerate(lines):
        f = line.split("\t")
        kind = f[0]
        if kind == "after":
            into = later
        elif kind == "afterwards":
            into = events
        elif kind == "body":
            bodies[f[1]] = (int(f[2]), int(f[3]))
        elif kind == "violation":
            violations.append(" ".join(f[1:]))
        elif kind == "end":
            end = (int(f[1]), int(f[2]))
        elif kind in NULLS:
            into.append(Event("NULL", (kind, f[1]), 1, None, index))
        elif kind == "child" and f[3] != "0":
            violations.append(f"the forked child ended with {f[3]}")
        elif kind in LINES:
            domain, key, at = LINES[kind]
            domain = domain if isinstance(domain, str) else domain(f)
            key = (kind, *(f[i] for i in key))
            seen[key] = seen.get(key, -1) + 1
            body = bodies.pop(f[1], (0, 0)) if kind == "result" else None
            into.append(Event(domain, (*key, seen[key]), _code(kind, f[at]), body, index))
    return events, later, violations, end


class Clean:
    """The clean run of one driver of a scenario: what the others are measured by. `again`: a second clean run;
    what differs between the two is not judged. `also`: {system call: codes that it may lead to in this scenario alone},
    call "": any. `by_chance`: kinds of lines that this scenario may have or not."""

    def __init__(self, ran, again, also=None, by_chance=()):
        self.also, self.by_chance = also or {}, by_chance
        events, later, self.violations, self.end = read(ran.lines)
        second, _, _, _ = read(again.lines)
        events, second = self.certain(events), self.certain(second)
        other = {e.key: (e.code, e.body) for e in second}
        self.codes = {e.key: e.code for e in events if other.get(e.key, (e.code,))[0] == e.code}
        self.bodies = {e.key: e.body for e in events if other.get(e.key, (0, e.body))[1] == e.body}
        self.unstable = {e.key for e in events} - set(self.codes)
        self.live = max(int(r.extra.get("live", 0)) for r in (ran, again))
        self.fds = max(int(r.extra.get("fds", 0)) for r in (ran, again))
        self.after = len(later)

    def certain(self, events):
        """Those that do not come by chance."""
        return [e for e in events if e.key[0] not in self.by_chance]


def moved(ran):
    """Bytes of all bodies, both ways."""
    fields = [line.split("\t") for line in ran.lines if line.startswith("count\t")]
    return sum(int(f[4]) for f in fields if f[2] in ("write", "read"))


def calls_of(ran):
    """(calls of the script, calls of the clean-up) as the driver counted them."""
    for line in reversed(ran.lines):
        if line.startswith("calls\t"):
            return tuple(map(int, line.split("\t")[1:3]))
    return 0, 0


def allowed(domain, call, mode):
    """The codes that a first difference may have."""
    if mode in ("eintr", "eagain", "short", "cut"):
        # a file that answers EAGAIN is broken
        files = CODES[call] if call in ("read", "write") and mode == "eagain" else set()
        return {7} if call == "connect" and domain == "E" else files
    if domain == "NULL":
        return {1}
    memory = {NO_MEMORY[domain]}
    if mode in ("oom",) or (mode == "at" and call in ALLOCATIONS):
        return memory
    if domain == "M":
        return MULTI.get(call, set()) | memory | ({4, 10, 12} if mode == "from" else set())
    if domain != "E":
        return memory
    if mode == "from":
        return EVERY
    return CODES.get(call, set()) | (RESET if mode == "reset" else set())


def _another(body, usual):
    """Bodies of up to three bytes say how many connections the server saw: another one is no fault."""
    return body != usual and max(body[0], usual[0]) > 3


def _a_matter_of_time(e, usual):
    """Unpausing a transfer that is over answers 43; of two errors of a bad peer either may come first."""
    if e.key[0] in ("pause", "incb") and {e.code, usual} == {0, 43}:
        return True
    return usual and e.code in RESET | {98}


def _suits(e, clean, call, mode, closed):
    if e.code in allowed(e.domain, call, mode) or e.domain == "E" and e.code in closed:
        return True
    memory = mode == "oom" or call in ALLOCATIONS
    return e.domain == "E" and not memory and any(e.code in clean.also.get(c, ()) for c in ("", call))


def _difference(events, clean, call, mode, closed=()):
    """The first event that is not the clean run's, judged. closed: codes that are no finding in this run."""
    for e in events:
        if e.key in clean.unstable:
            continue
        if e.code != clean.codes.get(e.key, 0):
            if _a_matter_of_time(e, clean.codes.get(e.key, 0)) or _suits(e, clean, call, mode, closed):
                return True, None
            what = " ".join(map(str, e.key[:-1]))
            return True, f"code {e.code} instead of {clean.codes.get(e.key, 0)}: {what}"
        if e.body and e.code == 0 and _another(e.body, clean.bodies.get(e.key, e.body)):
            return True, f"code 0 and {e.body[0]} bytes instead of {clean.bodies[e.key][0]}: {' '.join(e.key[:-1])}"
    return False, None


def _ending(ran):
    if ran.hung:
        return "hang: the watchdog rang"
    if ran.status:
        signal = ran.status & 127
        return f"crash: signal {signal}" if signal else f"exit status {ran.status >> 8}"
    return None


def _left(ran, clean, end):
    out = []
    if not ran.reported:
        return ["no report of what was left"]
    live, fds = int(ran.extra.get("live", 0)), int(ran.extra.get("fds", 0))
    if live > clean.live:
        out.append(f"leak: {live - clean.live} blocks, {ran.extra.get('bytes')} bytes, "
                   f"allocated at {ran.extra.get('left', '?')}")
    if fds > clean.fds:
        out.append(f"leak: {fds - clean.fds} descriptors (log)")
    if ran.extra.get("bad", "0") != "0":
        out.append("freed what was not held")
    if end and end[0]:
        out.append(f"leak: {end[0]} descriptors")
    return out


def _afterwards(later):
    crc = zlib.crc32(AFTER_BODY)
    for e in later:
        if e.code:
            return f"not usable afterwards: code {e.code}: {' '.join(map(str, e.key[:-1]))}"
        if e.key[0] == "result" and e.body != (len(AFTER_BODY), crc):
            return f"not usable afterwards: {e.body[0]} bytes"
    return None


def _counted(keys):
    return sum(key[0] not in BY_PIECES for key in keys)


def _may_be_missing(key):
    """For want of memory, without a call that reports it: a push is refused then, too."""
    return key[0] in FROM_A_CACHE or any(str(word).startswith("pushed") for word in key[1:2])


def _expected(clean, call):
    """How many events there are at least when none reports an error."""
    if call not in ALLOCATIONS:
        return _counted(clean.codes)
    return _counted(key for key in clean.codes if not _may_be_missing(key))


def judge(ran, clean, mode, unexpected=False):
    """Symptoms of a run, [] when it is as it should be. unexpected: a server got a connection that it had no script for, and
    closed it."""
    ended = _ending(ran)
    if ended:
        text = f"; {ran.errors.splitlines()[0][:200]}" if ran.errors else ""
        return [ended + text]
    events, later, violations, end = read(ran.lines)
    events = clean.certain(events)
    out = [f"violation: {v}" for v in violations if v not in clean.violations]
    differs, finding = _difference(events, clean, ran.call, mode, CLOSED if unexpected else ())
    if finding and (ran.fired or mode in ("short", "cut")):
        out.append(finding)
    if not differs and _counted(e.key for e in events) < _expected(clean, ran.call) and ran.whole:
        out.append("a result is missing, and no call reported an error")
    wrong = _afterwards(later)
    return out + ([wrong] if wrong else []) + _left(ran, clean, end)
