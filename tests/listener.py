"""A TCP listener on the loopback: a thread accepts, and each connection is served in a thread of its own."""
import select
import socket
import threading


class Listener:
    """serve(connection) owns the connection. Listens from the start, accepts from start() on.

    `serving`: connections whose serve() has not returned.
    """

    def __init__(self, serve, backlog=64):
        self.serve = serve
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=backlog)
        self.port = self.socket.getsockname()[1]
        self.lock = threading.Lock()
        self.serving = 0
        self.thread = threading.Thread(target=self._loop, daemon=True)

    def start(self):
        self.thread.start()
        return self

    def _loop(self):
        while True:
            select.select([self.socket], [], [])
            with self.lock:  # a connection is in the queue or counted, never neither
                try:
                    connection, _ = self.socket.accept()
                except OSError:
                    return
                self.serving += 1
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            self.serve(connection)
        finally:
            with self.lock:
                self.serving -= 1

    def under_way(self):
        """Connections that are being served; None while one waits to be accepted."""
        with self.lock:
            return None if select.select([self.socket], [], [], 0)[0] else self.serving

    def close(self):
        """The port is closed when this returns.

        Closing alone is not enough: the thread may be about to call accept() with a descriptor's number that the
        next listener gets, and would take that one's connections; and one that waits in it keeps the port open.
        """
        self.socket.shutdown(socket.SHUT_RDWR)
        if self.thread.ident:
            self.thread.join()
        self.socket.close()


class Server:
    """Listens as long as a `with` lasts. serve(client), which a subclass has, speaks with one connection; one that
    breaks is over."""

    backlog = 64
    patience = None  # seconds a connection may be quiet

    def __init__(self):
        self.listener = Listener(self._guarded, self.backlog)
        self.port = self.listener.port
        self.used = 0  # connections

    def __enter__(self):
        self.listener.start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def _guarded(self, client):
        with self.listener.lock:
            self.used += 1
        with client:
            client.settimeout(self.patience)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                self.serve(client)
            except OSError:
                pass


class Closed:
    """A port that refuses: bound, so that no other process gets it meanwhile, and never listening."""

    def __init__(self):
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]

    def close(self):
        self.socket.close()
