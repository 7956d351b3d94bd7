"""Servers that do exactly what a test says, in bytes of any protocol, and report whether the client did what was expected.

A scenario is a list of steps per connection: the first connection runs the first list, and so on;
`server.default(...)` is for all further ones. When a list is at its end, the connection is held until the client
closes it, and any byte that still comes is a mismatch. Mismatches are raised by `server.close()`, that is, at the
end of the test. Nothing here waits for a clock except to give up (PATIENCE). What a protocol adds is in a file of its
own: server.py has HTTP.
"""

import select
import socket
import ssl
import struct
import threading
import time

PATIENCE = 40.0  # seconds until a silent client counts as a mismatch
WAIT_STEP = 0.05  # seconds between two looks whether the test is over
DRAIN = 2  # times PATIENCE that a connection is held after its script
JOIN = 5.0  # seconds that close() gives each thread


class Mismatch(AssertionError):
    """What the client sent is not what the scenario expects."""


class Gone(Exception):
    """The client closed the connection."""


class Peer:
    """The server's end of one connection, and the record of it."""

    def __init__(self, server, number, sock, address):
        self.server, self.number, self.sock, self.address = server, number, sock, address
        self.ending = threading.Lock()  # over closing `sock`: who shuts it down from outside must not hit another's
        self.buffer = b""
        self.received = b""
        self.tls_version = self.alpn = self.sni = self.client_cert = self.tls_error = None
        self.tls_reused = False
        self.ended = None  # "client" or "server": who closed first
        self.reset = False

    def begin_tls(self, context):
        self.sock = context.wrap_socket(self.sock, server_side=True, do_handshake_on_connect=False)
        self.sock.do_handshake()
        self.tls_version, self.alpn = self.sock.version(), self.sock.selected_alpn_protocol()
        self.tls_reused = self.sock.session_reused

    def more(self):
        try:
            data = self.sock.recv(65536)
        except (socket.timeout, ssl.SSLWantReadError):
            raise Mismatch(f"connection {self.number}: the client sent nothing more; so far {self.received[-300:]!r}")
        except (ConnectionError, ssl.SSLError, OSError) as error:
            self.ended = self.ended or "client"
            self.reset = isinstance(error, ConnectionResetError)
            raise Gone from None
        if not data:
            self.ended = self.ended or "client"
            raise Gone
        self.buffer += data
        if len(self.received) < (8 << 20):
            self.received += data

    def take(self, n):
        while len(self.buffer) < n:
            self.more()
        data, self.buffer = self.buffer[:n], self.buffer[n:]
        return data

    def until(self, mark):
        start = 0
        while True:
            at = self.buffer.find(mark, start)
            if at >= 0:
                return self.take(at + len(mark))
            start = max(0, len(self.buffer) - len(mark))
            self.more()

    def send(self, data):
        try:
            self.sock.sendall(data)
        except (ConnectionError, ssl.SSLError, OSError) as error:
            if isinstance(error, socket.timeout):
                raise Mismatch("the client does not read") from None
            self.ended = self.ended or "client"
            raise Gone from None

    def drain(self, keep=False):
        try:
            while True:
                if keep:
                    self.buffer = b""
                self.sock.settimeout(PATIENCE * DRAIN)
                self.more()
        except Gone:
            pass

    def finish(self, notify=True):
        if self.sock is None:
            return
        try:
            if isinstance(self.sock, ssl.SSLSocket):
                if notify:
                    try:
                        self.sock.settimeout(0.5)
                        self.sock.unwrap()
                    except (OSError, ValueError):
                        pass
            with self.ending:
                self.sock.close()
        except OSError:
            pass
        self.sock = None

    def cut(self):
        """From another thread: what waits for bytes of this connection gets its end."""
        with self.ending:
            sock = self.sock
            if sock is not None and sock.fileno() >= 0:
                try:
                    socket.socket.shutdown(sock, socket.SHUT_RDWR)
                except OSError:
                    pass


# ---------------------------------------------------------------- steps

class Step:
    """One thing that a server does. `may_be_left`: the client may be gone by then."""

    may_be_left = False

    def run(self, peer):
        raise NotImplementedError


class Read(Step):
    """Reads exact bytes (any protocol), or N bytes."""

    def __init__(self, what):
        self.what = what

    def run(self, peer):
        if isinstance(self.what, int):
            peer.take(self.what)
            return
        got = peer.take(len(self.what))
        if got != self.what:
            raise Mismatch(f"got {got!r}, expected {self.what!r}")


class Send(Step):
    """Sends bytes: whole, byte by byte (cuts="each"), or cut at places."""

    may_be_left = True

    def __init__(self, data, cuts=()):
        self.data = data.encode("latin-1") if isinstance(data, str) else data
        self.cuts = range(1, len(self.data)) if cuts == "each" else cuts

    def run(self, peer):
        last = 0
        for at in list(self.cuts) + [len(self.data)]:
            if at > last:
                peer.send(self.data[last:at])
            last = at


class Stall(Step):
    """Does nothing until the client closes or the test ends."""

    may_be_left = True

    def run(self, peer):
        peer.drain()


class Relay(Step):
    """A proxy's part: passes bytes on to a port of this machine and back, until either side closes."""

    may_be_left = True

    def __init__(self, port):
        self.port = port

    def pass_on(self, data, to, peer):
        to.sendall(data)

    def run(self, peer):
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as far:
            far.sendall(peer.buffer)
            peer.buffer = b""
            pairs = {peer.sock: far, far: peer.sock}
            while True:
                for ready in select.select(list(pairs), [], [], PATIENCE)[0] or [None]:
                    try:
                        data = ready.recv(65536) if ready else b""
                        while isinstance(ready, ssl.SSLSocket) and ready.pending():  # select() does not see it
                            data += ready.recv(65536)
                        if not data:
                            return
                        self.pass_on(data, pairs[ready], peer)
                    except OSError:
                        return


class HalfRecord(Relay):
    """Passes TLS on, to the client in whole records. Of the first one that comes when `begin` is set, the second half
    waits for `end`."""

    def __init__(self, port, begin, end):
        super().__init__(port)
        self.begin, self.end, self.kept = begin, end, b""

    def pass_on(self, data, to, peer):
        if to is not peer.sock:
            to.sendall(data)
            return
        self.kept += data
        while len(self.kept) >= 5 and len(self.kept) >= 5 + int.from_bytes(self.kept[3:5], "big"):
            size = 5 + int.from_bytes(self.kept[3:5], "big")
            record, self.kept = self.kept[:size], self.kept[size:]
            if self.begin.is_set() and not self.end.is_set():
                to.sendall(record[:size // 2])
                Wait(self.end).run(peer)
                record = record[size // 2:]
            to.sendall(record)


class UntilClose(Step):
    """Waits for the client's close; what it still sends goes to the record only."""

    may_be_left = True

    def run(self, peer):
        peer.drain(keep=True)


class Close(Step):
    may_be_left = True
    def run(self, peer):
        peer.ended = peer.ended or "server"
        peer.finish()


class CloseNoNotify(Step):
    """Closes the TCP connection under the TLS one, without close_notify."""

    def run(self, peer):
        peer.ended = peer.ended or "server"
        peer.finish(notify=False)


class Reset(Step):
    may_be_left = True
    def run(self, peer):
        peer.ended = peer.ended or "server"
        peer.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        peer.finish(notify=False)


class HalfClose(Step):
    def run(self, peer):
        peer.sock.shutdown(socket.SHUT_WR)


class Wait(Step):
    """Waits for a threading.Event of the test."""

    may_be_left = True

    def __init__(self, event):
        self.event = event

    def run(self, peer):
        self.waited = 0.0
        while not self.event.wait(WAIT_STEP):
            if peer.server.stopping:
                raise Gone
            self.waited += WAIT_STEP
            if self.waited > PATIENCE:
                raise Mismatch("waited in vain for an event of the test")


class Set(Step):
    def __init__(self, event):
        self.event = event

    def run(self, peer):
        self.event.set()


class Call(Step):
    def __init__(self, fn):
        self.fn = fn

    def run(self, peer):
        self.fn(peer)


# ---------------------------------------------------------------- server

class ScriptServer:
    """Listens on a port of its own until close(). tls: an ssl.SSLContext; unix: the path of a socket."""

    peer_class = Peer


    def __init__(self, tls=None, host="127.0.0.1", unix=None, tls_may_fail=False, backlog=128):
        self.tls, self.host, self.unix, self.tls_may_fail = tls, host, unix, tls_may_fail
        self.scripts, self.fallback = [], None
        self.connections = []
        self.problems = []
        self.stopping = self.closed = False
        self.optional = False  # True: scripted connections need not come
        self.threads = []
        self.lock = threading.Lock()
        if unix is not None:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.bind(unix)
            self.port = None
        else:
            self.socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self.socket.bind((host, 0))
            self.port = self.socket.getsockname()[1]
        self.socket.listen(backlog)
        self.wake_r, self.wake_w = socket.socketpair()
        self.thread = threading.Thread(target=self._accept, daemon=True)
        self.thread.start()

    @property
    def authority(self):
        return f"{self.host}:{self.port}"

    def script(self, *steps):
        self.scripts.append(steps)
        return self

    def default(self, *steps):
        self.fallback = steps
        return self

    def _accept(self):
        while True:
            try:
                select.select([self.socket, self.wake_r], [], [])
                if self.stopping:
                    return
                with self.lock:
                    sock, address = self.socket.accept()
                    peer = self.peer_class(self, len(self.connections), sock, address)
                    self.connections.append(peer)
                    thread = threading.Thread(target=self._serve, args=(peer,), daemon=True)
                    thread.start()
                    self.threads.append(thread)
            except OSError:
                return

    def _handshake(self, peer):
        if not self.tls:
            return True
        try:
            peer.begin_tls(self.tls)
        except (OSError, ssl.SSLError, ValueError) as error:
            peer.tls_error = str(error)
            peer.finish(notify=False)
            if not self.tls_may_fail:
                raise Mismatch(f"TLS handshake: {error}") from None
            return False
        peer.sni = getattr(self.tls, "last_sni", None)
        peer.client_cert = peer.sock.getpeercert(True)
        return True

    def _serve(self, peer):
        try:
            peer.sock.settimeout(PATIENCE)
            if self.unix is None:
                peer.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if peer.number < len(self.scripts):
                steps = self.scripts[peer.number]
            elif self.fallback is not None:
                steps = self.fallback
            else:
                raise Mismatch(f"connection {peer.number} was not expected")
            if not self._handshake(peer):
                return
            for number, step in enumerate(steps):
                try:
                    step.run(peer)
                except Gone:
                    rest = steps[number:]
                    if all(s.may_be_left for s in rest):
                        break
                    raise Mismatch(f"connection {peer.number}: the client left at step {number} "
                                   f"({type(step).__name__})") from None
            if peer.sock is not None:
                peer.drain()
                if peer.buffer and not self.stopping:
                    raise Mismatch(f"connection {peer.number}: not expected: {peer.buffer[:300]!r}")
        except Mismatch as problem:
            if not self.stopping:
                self.problems.append(str(problem))
        except AssertionError as problem:
            self.problems.append(f"check failed: {problem!r}")
        except Exception as problem:  # a broken test must not pass
            if not self.stopping:
                self.problems.append(f"server: {type(problem).__name__}: {problem}")
        finally:
            peer.finish(notify=peer.ended == "client")

    def settle(self):
        """Waits until every connection has come to its end; call it after the driver has ended."""
        while True:
            with self.lock:
                if not select.select([self.socket], [], [], 0)[0]:
                    break
            time.sleep(0.001)  # a connection that is still to be accepted
        for thread in list(self.threads):
            thread.join(PATIENCE)
            if thread.is_alive():
                self.problems.append("a connection of the server did not come to its end")

    def forgive(self):
        """Closes; what was missed does not count."""
        try:
            self.close()
        except Mismatch:
            pass

    def close(self, settle=True):
        if self.closed:
            return
        self.closed = True
        if settle:
            self.settle()
        self.stopping = True
        self.wake_w.send(b"x")
        self.thread.join()  # before its descriptors' numbers may be another's
        for peer in self.connections:
            peer.cut()
        for thread in self.threads:
            thread.join(JOIN)
        for s in (self.socket, self.wake_r, self.wake_w):
            s.close()
        missing = len(self.scripts) - len(self.connections)
        if missing > 0 and not self.optional:
            self.problems.append(f"{missing} scripted connection(s) did not come")
        if self.problems:
            raise Mismatch("\n".join(self.problems))


# ---------------------------------------------------------------- a port that is silent

class FullPort:
    """A listening port whose queue is full: a connect neither succeeds nor fails."""

    def __init__(self):
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.socket.listen(0)
        self.port = self.socket.getsockname()[1]
        self.fillers = []
        for _ in range(4):
            s = socket.socket()
            s.setblocking(False)
            s.connect_ex(("127.0.0.1", self.port))
            self.fillers.append(s)
        select.select([], self.fillers, [], PATIENCE)  # one of them has its place

    def close(self):
        for s in self.fillers:
            s.close()
        self.socket.close()
