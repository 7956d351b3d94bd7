"""A path of 100 ms for the figures: a relay to one server that holds what it has read for half of that in each direction, and
passes on what the server sends at 100 Mbit/s at most."""
import queue
import socket
import threading
import time

import listener

DELAY = 0.05     # s, in each direction
RATE = 100e6 / 8  # bytes a second towards the client


class Relay(listener.Server):
    def __init__(self, server_port):
        super().__init__()
        self.server = ("127.0.0.1", server_port)

    def serve(self, client):
        with socket.create_connection(self.server) as server:
            for s in (client, server):
                s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            back = threading.Thread(target=carry, args=(server, client, RATE), daemon=True)
            back.start()
            carry(client, server, 0)
            back.join()


def carry(source, target, rate):
    """Until the source ends. What is on the way is bounded by twice what the path holds."""
    on_the_way = queue.Queue(maxsize=max(16, int(4 * DELAY * rate / 16384)))
    out = threading.Thread(target=deliver, args=(on_the_way, target), daemon=True)
    out.start()
    free = 0.0  # when the line has sent all before
    try:
        while data := source.recv(16384):
            now = time.monotonic()
            free = max(free, now) + (len(data) / rate if rate else 0)
            on_the_way.put((free + DELAY, data))
    except OSError:
        pass
    on_the_way.put((0, b""))
    out.join()


def deliver(on_the_way, target):
    try:
        while True:
            due, data = on_the_way.get()
            if not data:
                return target.shutdown(socket.SHUT_WR)
            time.sleep(max(0, due - time.monotonic()))
            target.sendall(data)
    except OSError:
        while on_the_way.get()[1]:
            pass
