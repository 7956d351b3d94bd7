"""What the images talk to: servers on this machine's loopback, which the emulator's network knows as 10.0.2.2."""
import socket
import struct
import threading
import time


class Server:
    """Accepts on a loopback port in a thread of its own; each connection is handled by `serve`, one by one."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self.loop, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def loop(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.guarded, args=(connection,), daemon=True).start()

    def guarded(self, connection):
        with connection:
            connection.settimeout(30)
            self.serve(connection)


class Page(Server):
    """One page over HTTP/1.0, whatever is asked for."""

    def __init__(self, body):
        super().__init__()
        self.body = body

    def serve(self, connection):
        head = b""
        while b"\r\n\r\n" not in head:
            head += connection.recv(4096)
        connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n" % len(self.body) + self.body)
