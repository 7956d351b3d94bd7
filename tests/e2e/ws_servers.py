"""Real WebSocket servers, each with a plain port and one by TLS: Python's websockets and wsproto, and node's ws. All do the
same: "send N SIZE" sends N binary messages of SIZE bytes, "ping TEXT" a PING, whose PONG's payload comes back as "pong
TEXT"; "bye" closes; any other message is echoed.

As a program it is the server of one of the two in Python: ws_servers.py websockets|wsproto PORT TLSPORT CERTIFICATE KEY
"""

import importlib.util
import os
import shutil
import socket
import ssl
import sys
import threading

from real_server import RealServer

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
NODE_WS = "/usr/share/nodejs/ws"
MOST = 64 << 20


class WsServer(RealServer):
    how_many = 2

    def commands(self):
        self.port, self.tls_port = self.ports
        return [[*self.program, *map(str, self.ports), self.certs.path("good.pem"), self.certs.path("good.key")]]

    def url(self, tls, path="/"):
        return f"{'wss' if tls else 'ws'}://localhost:{self.tls_port if tls else self.port}{path}"


class Websockets(WsServer):
    name = "websockets"
    program = [PYTHON, os.path.join(HERE, "ws_servers.py"), "websockets"]

    @staticmethod
    def missing():
        return None if importlib.util.find_spec("websockets") else "no python3-websockets here"


class Wsproto(WsServer):
    name = "wsproto"
    program = [PYTHON, os.path.join(HERE, "ws_servers.py"), "wsproto"]

    @staticmethod
    def missing():
        return None if importlib.util.find_spec("wsproto") else "no python3-wsproto here"


class NodeWs(WsServer):
    name = "node-ws"
    program = [shutil.which("node") or "node", os.path.join(HERE, "ws_server.js")]

    @staticmethod
    def missing():
        return None if shutil.which("node") and os.path.isdir(NODE_WS) else "no node-ws here"


SERVERS = {s.name: s for s in (Websockets, Wsproto, NodeWs)}


# ---- the program

def tls_context(cert, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return context


def serve_websockets(port, tls_port, cert, key):
    import asyncio
    import websockets

    async def answer(peer, path=None):
        async for message in peer:
            words = message.split(" ") if isinstance(message, str) else [""]
            if words[0] == "send":
                for i in range(int(words[1])):
                    await peer.send(bytes([i % 256]) * int(words[2]))
            elif words[0] == "ping":
                await (await peer.ping(words[1]))
                await peer.send("pong " + words[1])
            elif words[0] == "bye":
                await peer.close(1000, "bye")
            else:
                await peer.send(message)

    async def run():
        async with websockets.serve(answer, "127.0.0.1", int(port), max_size=MOST), \
                websockets.serve(answer, "127.0.0.1", int(tls_port), max_size=MOST, ssl=tls_context(cert, key)):
            await asyncio.Future()
    asyncio.run(run())


class Peer:
    """One connection of the server by wsproto, which does no input and output itself."""

    def __init__(self, connection):
        import wsproto
        self.connection, self.ws = connection, wsproto.WSConnection(wsproto.ConnectionType.SERVER)
        self.parts = []

    def serve(self):
        try:
            while True:
                data = self.connection.recv(65536)
                self.ws.receive_data(data or None)
                for event in self.ws.events():
                    for answer in self.answers(event):
                        self.connection.sendall(self.ws.send(answer))
                if not data or self.ws.state.name == "CLOSED":
                    break
            if isinstance(self.connection, ssl.SSLSocket):
                self.connection.unwrap()  # says that this is the end
        except (OSError, ValueError):
            pass
        self.connection.close()

    def answers(self, event):
        from wsproto import events
        if isinstance(event, events.Request):
            return [events.AcceptConnection()]
        if isinstance(event, (events.Ping, events.CloseConnection)):
            return [event.response()] if self.ws.state.name != "CLOSED" else []
        if isinstance(event, events.Pong):
            return [events.TextMessage("pong " + bytes(event.payload).decode())]
        if isinstance(event, events.Message):
            return self.message(event, events)
        return []

    def message(self, event, events):
        self.parts.append(event.data)
        if not event.message_finished:
            return []
        whole, self.parts = (b"" if isinstance(event.data, (bytes, bytearray)) else "").join(self.parts), []
        words = whole.split(" ") if isinstance(whole, str) else [""]
        if words[0] == "send":
            return (events.BytesMessage(bytes([i % 256]) * int(words[2])) for i in range(int(words[1])))
        if words[0] == "ping":
            return [events.Ping(words[1].encode())]
        if words[0] == "bye":
            return [events.CloseConnection(1000, "bye")]
        return [events.TextMessage(whole) if isinstance(whole, str) else events.BytesMessage(whole)]


def serve_wsproto(port, tls_port, cert, key):
    def accept(listener, context):
        while True:
            connection = listener.accept()[0]
            threading.Thread(target=begin, args=(connection, context), daemon=True).start()

    def begin(connection, context):
        try:
            Peer(context.wrap_socket(connection, server_side=True) if context else connection).serve()
        except OSError:
            pass
    listeners = [(socket.create_server(("127.0.0.1", int(p))), c) for p, c in ((port, None), (tls_port, tls_context(cert, key)))]
    threads = [threading.Thread(target=accept, args=pair) for pair in listeners]
    for thread in threads:
        thread.start()


if __name__ == "__main__":
    {"websockets": serve_websockets, "wsproto": serve_wsproto}[sys.argv[1]](*sys.argv[2:])
