"""A proxy for the figures: HTTP (requests in absolute form, CONNECT) and SOCKS5 on one port, without a login. It passes the
bytes on to one server, whatever the client asks for."""
import socket
import threading

import listener


class Proxy(listener.Server):
    def __init__(self, server_port):
        super().__init__()
        self.server = ("127.0.0.1", server_port)

    def serve(self, client):
        with socket.create_connection(self.server) as server:
            server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            first = client.recv(1, socket.MSG_PEEK)
            if first == b"\5":
                self._socks(client)
            elif first == b"C":
                self._connect(client)
            back = threading.Thread(target=pass_on, args=(server, client), daemon=True)
            back.start()
            pass_on(client, server)
            back.join()

    @staticmethod
    def _connect(client):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            more = client.recv(1)
            if not more:
                return
            head += more
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")

    @staticmethod
    def _socks(client):
        client.recv(2 + client.recv(2, socket.MSG_PEEK)[1])
        client.sendall(b"\5\0")
        client.recv(10)  # an IPv4 address
        client.sendall(b"\5\0\0\1" + bytes(6))


def pass_on(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass
