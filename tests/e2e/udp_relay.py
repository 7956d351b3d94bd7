"""A relay of datagrams between clients and a server on 127.0.0.1 that harms them. What happens to the N-th datagram
of a direction follows from the seed and N alone, whatever the clock says.

Relay(port, seed=1, lost=0.02, duplicated=…, reordered=…, corrupted=…, size=1300, only="there"): shares of the datagrams; reordered: one
is held until three more have passed, or none comes; size: longer ones are dropped. `hook(relay, direction, data, n)` may return other datagrams
in the place of this one, a list; at: the port that it listens at. Methods, in the middle of a transfer: `rebind()`: from now on the server sees another port;
`swallow()`: nothing passes any more; `pass_on()`: it does again.
`counts` says what was done: there, back, lost, duplicated, reordered, corrupted, too_long, swallowed.
"""

import collections
import random
import selectors
import socket
import threading

THERE, BACK = "there", "back"
HELD = 3  # datagrams that pass before one that is held
KEPT = 500  # clients with a way to the server; beyond that the oldest is given up, whose connection has ended long ago


class Direction:
    def __init__(self, name, seed):
        self.name, self.random, self.n, self.held = name, random.Random(f"{name} {seed}"), 0, []


class Relay:
    def __init__(self, port, seed=1, hook=None, only=None, size=None, at=0, **shares):
        self.to, self.hook, self.only, self.size = ("127.0.0.1", port), hook, only, size
        self.shares = {what: shares.pop(what, 0) for what in ("lost", "duplicated", "reordered", "corrupted")}
        assert not shares, shares
        self.counts = collections.Counter()
        self.changed = threading.Condition()
        self.swallows = self.rebinds = self.over = False
        self.front = socket.socket(type=socket.SOCK_DGRAM)
        self.front.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        self.front.bind(("127.0.0.1", at))
        self.front.setblocking(False)
        self.port = self.front.getsockname()[1]
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.front, selectors.EVENT_READ)
        self.clients, self.backs = {}, {}  # sockets towards the server by the clients' addresses; and these by the sockets
        self.directions = {name: Direction(name, seed) for name in (THERE, BACK)}
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def url(self, path):
        return f"https://localhost:{self.port}{path}"

    # ---- for tests

    def rebind(self):
        self.rebinds = True

    def swallow(self):
        self.swallows = True

    def pass_on(self):
        self.swallows = False

    def wait_for(self, what, n, seconds=60):
        """Until so many datagrams were counted."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.counts[what] >= n, seconds), self.counts

    def close(self):
        self.over = True
        self.thread.join()
        self.selector.close()
        for s in (self.front, *self.backs):
            s.close()

    # ---- one datagram

    def harmed(self, d, data):
        """The datagrams that go on in the place of this one. The same numbers are drawn for each datagram."""
        draws = {what: d.random.random() < share for what, share in self.shares.items()}
        place = d.random.random()
        if self.only and d.name != self.only:
            return [data]
        if self.size and len(data) > self.size:
            self.counts["too_long"] += 1
            return []
        if self.swallows:
            self.counts["swallowed"] += 1
            return []
        if draws["lost"]:
            self.counts["lost"] += 1
            return []
        if draws["corrupted"]:
            self.counts["corrupted"] += 1
            at = int(place * len(data))
            data = data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1:]
        if draws["duplicated"]:
            self.counts["duplicated"] += 1
            return [data, data]
        return [data]

    def order(self, d, out, way):
        """Datagrams with their ways: (socket, address). Some wait until others have passed."""
        now = []
        for data in out:
            if d.random.random() < self.shares["reordered"] and (not self.only or d.name == self.only):
                self.counts["reordered"] += 1
                d.held.append([HELD, data, way])
                continue
            now.append((data, way))
            for waiting in d.held:
                waiting[0] -= 1
            now += [(data, way) for left, data, way in d.held if left <= 0]
            d.held = [waiting for waiting in d.held if waiting[0] > 0]
        return now

    def let_go(self):
        """Those that are held, when nothing comes: what they wait for may wait for them."""
        for d in self.directions.values():
            for _, data, way in d.held:
                self.send(data, way)
            d.held = []

    def take(self, direction, data, way):
        d = self.directions[direction]
        d.n += 1
        with self.changed:
            self.counts[direction] += 1
            self.changed.notify_all()
        out = self.hook(self, direction, data, d.n) if self.hook else None
        for one, its_way in self.order(d, self.harmed(d, data) if out is None else out, way):
            self.send(one, its_way)

    # ---- the loop

    def towards_server(self, client):
        s = self.clients.get(client)
        if s and not self.rebinds:
            return s
        self.rebinds = False
        s = socket.socket(type=socket.SOCK_DGRAM)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        s.bind(("127.0.0.1", 0))
        s.setblocking(False)
        self.clients[client] = s  # the one before passes on what comes for it no more
        self.backs[s] = client
        self.selector.register(s, selectors.EVENT_READ)
        if len(self.backs) > KEPT:
            self.give_up(next(iter(self.backs)))
        return s

    def give_up(self, s):
        client = self.backs.pop(s)
        if self.clients[client] is s:
            del self.clients[client]
        self.selector.unregister(s)
        s.close()

    def received(self, s):
        try:
            data, sender = s.recvfrom(65536)
        except OSError:
            return False
        if s is self.front:
            self.take(THERE, data, (self.towards_server(sender), self.to))
        elif self.clients.get(self.backs.get(s)) is s:
            self.take(BACK, data, (self.front, self.backs[s]))
        return True

    @staticmethod
    def send(data, way):
        try:
            way[0].sendto(data, way[1])
        except OSError:
            pass

    def serve(self):
        while not self.over:
            ready = [key.fileobj for key, _ in self.selector.select(0.02)]
            if not ready:
                self.let_go()
            for s in ready:
                for _ in range(64):
                    if not self.received(s):
                        break
