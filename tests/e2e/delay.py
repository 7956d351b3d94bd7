"""A relay that holds every byte for half of a round trip in each direction, as a long path does: it limits nothing else."""

import collections
import select
import socket
import threading
import time

READ = 1 << 18
HELD = 64 << 20     # most bytes under way in a direction: more than any window


class Direction:
    """Bytes from one socket to another, each chunk with the time at which it is due."""

    def __init__(self, source, target):
        self.source, self.target = source, target
        self.chunks = collections.deque()
        self.held, self.open = 0, True

    def read(self, now, delay):
        try:
            data = self.source.recv(READ)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self.chunks.append((now + delay, data))
        self.held += len(data)
        self.open = bool(data)

    def write(self, now):
        """Sends what is due; False: the other side is gone, or everything has been sent and closed."""
        while self.chunks and self.chunks[0][0] <= now:
            due, data = self.chunks[0]
            try:
                if not data:
                    self.target.shutdown(socket.SHUT_WR)
                    self.chunks.popleft()
                    return True
                n = self.target.send(data)
            except BlockingIOError:
                return True
            except OSError:
                return False
            self.held -= n
            if n == len(data):
                self.chunks.popleft()
            else:
                self.chunks[0] = (due, data[n:])
        return True

    def full(self):
        return self.held >= HELD

    def blocked(self, now):
        return bool(self.chunks) and self.chunks[0][0] <= now


class Delay:
    """Listens on `port` and relays each connection to another port of this machine."""

    def __init__(self, port, round_trip):
        self.far, self.delay = port, round_trip / 2
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.stopping = False
        self.threads = []
        self.thread = threading.Thread(target=self._accept, daemon=True)
        self.thread.start()

    def _accept(self):
        self.socket.settimeout(0.1)
        while not self.stopping:
            try:
                near = self.socket.accept()[0]
            except TimeoutError:
                continue
            except OSError:
                return
            thread = threading.Thread(target=self._relay, args=(near,), daemon=True)
            thread.start()
            self.threads.append(thread)

    def _relay(self, near):
        with near, socket.create_connection(("127.0.0.1", self.far)) as far:
            for s in (near, far):
                s.setblocking(False)
                s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
            ways = [Direction(near, far), Direction(far, near)]
            while not self.stopping and (any(d.open or d.chunks for d in ways)):
                now = time.monotonic()
                reading = [d.source for d in ways if d.open and not d.full()]
                writing = [d.target for d in ways if d.blocked(now)]
                due = min((d.chunks[0][0] for d in ways if d.chunks and not d.blocked(now)), default=now + 0.1)
                ready = select.select(reading, writing, [], max(0.0, min(0.1, due - now)))
                now = time.monotonic()
                for d in ways:
                    if d.source in ready[0] and d.open:
                        d.read(now, self.delay)
                    if not d.write(now):
                        return

    def close(self):
        self.stopping = True
        self.thread.join()
        self.socket.close()
        for thread in self.threads:
            thread.join()
