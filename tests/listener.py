"""A TCP listener on the loopback: a thread accepts, and each connection is served in a thread of its own."""
import socket
import threading


class Listener:
    """serve(connection) owns the connection. Listens from the start, accepts from start() on."""

    def __init__(self, serve, backlog=64):
        self.serve = serve
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=backlog)
        self.port = self.socket.getsockname()[1]
        self.thread = threading.Thread(target=self._loop, daemon=True)

    def start(self):
        self.thread.start()
        return self

    def _loop(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def close(self):
        """Nobody accepts any more when this returns.

        Closing alone is not enough: the thread may be about to call accept() with a descriptor's number that the
        next listener gets, and would take that one's connections; and one that waits in it keeps the port open.
        """
        self.socket.shutdown(socket.SHUT_RDWR)
        if self.thread.ident:
            self.thread.join()
        self.socket.close()
