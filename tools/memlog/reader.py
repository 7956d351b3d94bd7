"""The log, read once: who holds how much, when it was most, what is left.

    log = reader.read("mote.log")       a Log; OSError when the file cannot be read
    log.sites["net/conn.c:88"]          a Site: allocations, bytes, at_peak, live

Invariants: log.total is the sum of all sites' live bytes and of log.part_live. A realloc is one allocation of its
new size and never holds two blocks; one that fails leaves the old block as it was. Names in the log are bytes, what
the finished Log hands out are str. Memory: the live blocks, the sites, and at most BUCKETS samples.
Fast: no regular expression, one dictionary access per block and per site. tests/tools/test_memanalyze.py"""
import collections
import gc

MB = 1 << 20
BUCKETS = 1024          # samples of the picture; when full, two become one
PARTS = 256             # beyond these, a part is "more"
BADS = 1000             # bad frees kept
LONGEST = 1 << 16       # bytes of a line; what is longer is no log
NIL = frozenset(p + e for p in (b"0x0", b"(nil)", b"0", b"00000000", b"0000000000000000", b"NULL")
                for e in (b"", b" ENOMEM"))
MORE = "more"
RESULT = b") = "

Bad = collections.namedtuple("Bad", "line site pointer call")           # a free of what is not live
Sample = collections.namedtuple("Sample", "line total received parts")  # parts: bytes, in the order of log.parts
Open = collections.namedtuple("Open", "line site call")


class Site:
    __slots__ = ("name", "part", "call", "allocations", "bytes", "live", "at_peak", "epoch", "live_blocks")

    def __init__(self, name, part, call):
        self.name, self.part, self.call = name, part, call
        self.allocations = self.bytes = self.live = self.at_peak = self.epoch = self.live_blocks = 0


class Traffic:
    """What a call moved, and how the memory stood when the first and the last whole megabyte were complete."""

    def __init__(self):
        self.bytes = self.calls = 0
        self.next = MB
        self.first = self.last = None  # (bytes, allocations, live bytes)

    def moved(self, count, now):
        self.bytes += count
        self.calls += 1
        if self.bytes >= self.next:
            self.last = (self.bytes, now[1], now[2])
            self.first = self.first or self.last
            self.next = (self.bytes // MB + 1) * MB

    def growth(self):
        """(allocations, live bytes) per MB after the first, or None below two."""
        if self.last is self.first:
            return None
        size = (self.last[0] - self.first[0]) / MB
        return (self.last[1] - self.first[1]) / size, (self.last[2] - self.first[2]) / size


class Series:
    """At most BUCKETS samples, each the largest of `width` lines."""

    def __init__(self):
        self.width, self.samples = 1, []

    def add(self, sample):
        self.samples.append(sample)
        if len(self.samples) == BUCKETS:
            s = self.samples
            self.samples = [a if a.total >= b.total else b for a, b in zip(s[::2], s[1::2])]
            self.width *= 2


def file_of(where):
    """b"net/conn.c" of b"net/conn.c:88", and of b"../lib/net/conn.c:88"."""
    file = where.rpartition(b":")[0].replace(b"\\", b"/").lstrip(b"./")
    for root in (b"lib/", b"src/"):
        file = file.rpartition(root)[2] if root in file else file
    return file or b"?"


def folder_of(where):
    """b"net" of b"net/conn.c:88"; a file without a folder is a part of its own, by its name."""
    folder, _, name = file_of(where).rpartition(b"/")
    return folder.partition(b"/")[0] or name.removesuffix(b".c")


BY = {"folder": folder_of, "file": file_of}


def parse(call):
    """(old, size, new) of what is neither malloc nor free; ValueError: not an allocation."""
    inner, _, new = call.partition(RESULT)
    if inner.startswith(b"realloc("):
        old, _, size = inner[8:].partition(b",")
        return None if old in NIL else old, int(size), new
    if inner.startswith(b"calloc("):
        count, _, size = inner[7:].partition(b",")
        return None, int(count) * int(size), new
    if inner.partition(b"(")[0].endswith(b"dup"):  # strdup(0x..) (24
        return None, int(inner.partition(b") (")[2]), new
    raise ValueError


class Log:
    def __init__(self, by="folder"):
        self.part_of = BY[by]
        self.lines = self.allocations = self.frees = self.total = 0
        self.peak = self.peak_line = self.epoch = 0
        self.blocks = {}        # pointer: (size, Site)
        self.sites = {}         # "file:line": Site
        self.open = {}          # (kind, descriptor or pointer): Open
        self.parts, self.part_live = [], []
        self.kinds = collections.Counter()      # (kind, name): calls, failed ones included
        self.failed = collections.Counter()     # the same for those that failed
        self.mem_kinds, self.calls = collections.defaultdict(int), collections.defaultdict(int)
        self.bad, self.bad_count = [], 0        # the first BADS, and how many
        self.regiven = 0        # blocks given again that were never seen freed
        self.foreign = 0        # descriptors and FILEs closed that were not opened here
        self.odd, self.odd_first, self.cut = 0, None, False
        self.traffic = collections.defaultdict(Traffic)     # "recv": Traffic
        self.received = 0
        self.series, self.room = Series(), 1
        self.top, self.rising, self.snap = 0, False, Sample(0, 0, 0, [])

    # --- the hot path ---

    def feed(self, lines, first):
        """Lines without their ends; first: the number of the first."""
        blocks, sites, parts, pop = self.blocks, self.sites, self.part_live, self.blocks.pop
        epoch, total, top, rising = self.epoch, self.total, self.top, self.rising
        allocations, frees, mallocs, free_calls, kinds = self.allocations, 0, 0, 0, self.mem_kinds
        for number, line in enumerate(lines, first):
            try:
                kind, where, call = line.split(b" ", 2)
                if kind != b"MEM":
                    self.other(kind, where, call, (number, allocations, total))
                    continue
                if call[:5] == b"free(":
                    free_calls += 1
                    old, new = call[5:-1], None
                elif call[:7] == b"malloc(":
                    inner, _, new = call.partition(RESULT)
                    old, size = None, int(inner[7:])
                    mallocs += 1
                else:
                    old, size, new = parse(call)
                    kinds[call[:call.index(b"(")]] += 1
            except ValueError:
                self.strange(number, line)
                continue
            if new in NIL:
                if old is None or size:
                    self.failed["MEM", name_of(call)] += 1
                    continue
                new = None  # realloc(p, 0) is a free
            if old is not None:
                block = pop(old, None)
                if block is not None:
                    if rising:
                        self.snap = Sample(number - 1, total, self.received, parts[:])
                        rising = False
                    was, site = block
                    if site.epoch != epoch:
                        site.at_peak, site.epoch = site.live, epoch
                    site.live -= was
                    parts[site.part] -= was
                    total -= was
                    frees += new is None
                else:
                    self.not_live(number, where, old, call)
                if new is None:
                    continue
            if new in blocks:
                total -= self.lost(new, epoch)
            site = sites.get(where) or self.site(where, call)
            blocks[new] = (size, site)
            allocations += 1
            site.allocations += 1
            site.bytes += size
            if site.epoch != epoch:
                site.at_peak, site.epoch = site.live, epoch
            site.live += size
            parts[site.part] += size
            total += size
            if total > top:
                top, rising = total, True
                if total > self.peak:
                    self.peak, self.peak_line, epoch = total, number, epoch + 1
        self.epoch, self.total, self.top, self.rising = epoch, total, top, rising
        self.allocations, self.frees = allocations, self.frees + frees
        kinds[b"malloc"] += mallocs
        kinds[b"free"] += free_calls

    def take(self, lines):
        """Lines in slices of a sample's width; feed() never runs over the end of one."""
        at = 0
        while at < len(lines):
            some = lines[at:at + self.room]
            self.feed(some, self.lines + 1)
            self.lines += len(some)
            at += len(some)
            self.room -= len(some)
            if not self.room:
                self.sample()

    def sample(self):
        last = Sample(self.lines, self.total, self.received, self.part_live[:])
        self.series.add(last if self.rising else self.snap)
        self.top, self.rising, self.snap = self.total, False, last
        self.room = self.series.width - self.lines % self.series.width

    def finish(self, rest):
        """rest: what follows the last line's end."""
        self.cut = bool(rest)
        if self.room < self.series.width:
            self.sample()
        for site in self.sites.values():
            if site.epoch != self.epoch:
                site.at_peak = site.live
        for _, site in self.blocks.values():
            site.live_blocks += 1
        self.sites = {s.name: s for s in self.sites.values()}
        self.kinds.update({("MEM", text(name)): n for name, n in self.mem_kinds.items() if n})
        self.kinds.update({(text(kind), text(name.partition(b" ")[0])): n for (kind, name), n in self.calls.items()})
        self.traffic = {text(name): t for name, t in self.traffic.items()}
        return self

    # --- what is rare ---

    def site(self, where, call):
        file, colon, line = where.rpartition(b":")
        if not (file and colon and line.isdigit()):
            where = b"?:0"
        if where not in self.sites:
            self.sites[where] = Site(text(where), self.part(self.part_of(where)), name_of(call))
        return self.sites[where]

    def part(self, name):
        name = text(name)
        if name not in self.parts:
            name = name if len(self.parts) < PARTS else MORE
        if name not in self.parts:
            self.parts.append(name)
            self.part_live.append(0)
        return self.parts.index(name)

    def strange(self, number, line):
        self.odd += 1
        if self.odd_first is None:
            self.odd_first = (number, text(line[:80]))

    def not_live(self, number, where, pointer, call):
        if pointer in NIL or pointer == b"(nil":
            return
        if call.startswith(b"free(") and not call.endswith(b")"):
            return self.strange(number, b"MEM " + where + b" " + call)
        self.bad_free(number, where, pointer, call)

    def bad_free(self, number, where, pointer, call):
        self.bad_count += 1
        if len(self.bad) < BADS:
            self.bad.append(Bad(number, text(where), pointer, name_of(call)))

    def lost(self, pointer, epoch):
        """The allocator gives what we hold for live: it was freed where nothing is logged. Its bytes."""
        size, site = self.blocks.pop(pointer)
        if site.epoch != epoch:
            site.at_peak, site.epoch = site.live, epoch
        site.live -= size
        self.part_live[site.part] -= size
        self.regiven += 1
        return size

    def other(self, kind, where, call, now):
        """Every line but MEM; now: number, allocations, live bytes. ValueError: unknown."""
        name, _, rest = call.partition(b"(")
        if kind not in OTHER or b":" not in where:
            raise ValueError
        self.calls[kind, name] += 1
        result = rest.rpartition(b"= ")[2] if b" = " in rest else b""
        if not result.isdigit():
            result = result.partition(b" ")[0]
            if result == b"-1" or call.endswith(b" failed") or kind in POINTERS and result in NIL:
                self.failed[text(kind), text(name)] += 1
        OTHER[kind](self, where, call, result, now)

    def moved(self, where, call, result, now):
        if result.isdigit() and result != b"0":
            count = int(result)
            self.traffic[call[:call.index(b"(")]].moved(count, now)
            if call.startswith(b"recv"):
                self.received += count

    def descriptor(self, where, call, result, now):
        name = call.partition(b"(")[0]
        if name.endswith((b"close", b"closesocket")):
            self.close("FD", call[len(name) + 1:].partition(b")")[0])
            return
        for number in call.rpartition(b" = ")[2].replace(b",", b" ").split() if result else ():
            if number.isdigit():
                self.open["FD", number] = Open(now[0], text(where), name_of(call))

    def stream(self, where, call, result, now):
        name, _, arguments = call.partition(b"(")
        if name == b"fclose":
            self.close("FILE", arguments.partition(b")")[0])
        elif result and result not in NIL:
            if name == b"fdopen":  # the FILE closes it
                self.open.pop(("FD", arguments.partition(b",")[0]), None)
            self.open["FILE", result] = Open(now[0], text(where), name_of(call))

    def close(self, kind, key):
        if self.open.pop((kind, key), None) is None and key not in NIL:
            self.foreign += 1

    def addresses(self, where, call, result, now):
        name, _, arguments = call.partition(b"(")
        if name.startswith(b"free"):
            key = arguments.partition(b")")[0]
            if self.open.pop(("ADDR", key), None) is None and key not in NIL:
                self.bad_free(now[0], where, key, call)
        elif result and result not in NIL:
            self.open["ADDR", result] = Open(now[0], text(where), name_of(call))

    def counted(self, where, call, result, now):
        pass


OTHER = {b"SEND": Log.moved, b"RECV": Log.moved, b"FD": Log.descriptor, b"FILE": Log.stream,
         b"ADDR": Log.addresses, b"CALL": Log.counted, b"LIMIT": Log.counted}
POINTERS = (b"FILE", b"ADDR")


def text(raw):
    return raw.decode("utf-8", "replace")


def name_of(call):
    """b"malloc(24) = 0x.." : "malloc"."""
    return text(call.partition(b"(")[0].partition(b" ")[0])


def read(path, by="folder"):
    """The log in a file; by: what a part is, the "folder" or the "file" of a site. OSError: it cannot be read."""
    collect = gc.isenabled()
    gc.disable()  # nothing here is a circle, and there are many blocks
    try:
        with open(path, "rb") as f:
            return read_from(f, Log(by))
    finally:
        if collect:
            gc.enable()


def read_from(f, log):
    rest = b""
    while chunk := f.read(MB):
        lines = (rest + chunk).replace(b"\r\n", b"\n").split(b"\n")
        rest = lines.pop()
        log.take(lines)
        if len(rest) > LONGEST:
            log.take([rest])
            rest = b""
    return log.finish(rest)


def first_seen(path, bad):
    """{bad: (who allocated the block, who freed it), each "file:line" or ""} as of just before each bad free: the
    log is read a second time, for these pointers only."""
    wanted = {b.pointer: ["", ""] for b in bad}
    at_line = {b.line: b for b in bad}
    found = {}
    with open(path, "rb") as f:
        for number, line in enumerate(f, 1):
            if number in at_line:
                found[at_line[number]] = tuple(wanted[at_line[number].pointer])
            pieces = line.split()
            if len(pieces) < 3 or pieces[0] not in (b"MEM", b"ADDR"):
                continue
            old = pieces[2].partition(b"(")[2].rstrip(b",)").partition(b",")[0]
            if pieces[-1] in wanted and b"=" in pieces:
                wanted[pieces[-1]] = [text(pieces[1]), ""]
            if old in wanted and b"dup(" not in pieces[2]:
                wanted[old][1] = text(pieces[1])
    return found
