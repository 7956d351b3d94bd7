"""A server that notes each request together with the connection that it came on: what a client may share between
requests and what it must not. One port speaks HTTP and TLS, as the first byte says, and is a proxy for both."""

import socket
import ssl
import threading

HEADERS = ("Host", "Authorization", "Proxy-Authorization", "Cookie", "User-Agent", "Referer", "X-Own", "Alt-Used")


class Recorder:
    """`seen` is what came since the last take(). Paths of requests: /sts and /nosts have a field for HSTS, /cookie sets
    cookies, /auth wants Basic; with `closing` set each response is its connection's last."""

    def __init__(self, context):
        self.context = context
        self.lock = threading.Lock()
        self.seen, self.socks, self.threads = [], [], []
        self.closing = self.ended = False
        self.ports = {name: self._listen(serve) for name, serve in (
            ("origin", self._web), ("other", self._web), ("proxy", self._web), ("mail", self._mail))}

    def take(self):
        with self.lock:
            seen, self.seen = self.seen, []
        return seen

    def close(self):
        self.ended = True
        for s in self.socks:
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        for t in self.threads:
            t.join(5)
        for s in self.socks:
            s.close()

    def _listen(self, serve):
        s = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.socks.append(s)
        self._thread(self._accept, s, serve)
        return s.getsockname()[1]

    def _thread(self, *call):
        t = threading.Thread(target=call[0], args=call[1:], daemon=True)
        self.threads.append(t)
        t.start()

    def _accept(self, listener, serve):
        while not self.ended:
            try:
                s, _ = listener.accept()
            except OSError:
                return
            s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.socks.append(s)
            self._thread(self._run, s, serve, {"port": listener.getsockname()[1]})

    def _run(self, s, serve, about):
        try:
            serve(s, about)
        except (OSError, ValueError, ssl.SSLError):
            pass
        finally:
            try:
                s.close()
            except OSError:
                pass

    def _note(self, about, **more):
        with self.lock:
            self.seen.append({**about, **more})

    # ---- HTTP

    def _web(self, s, about):
        while True:
            if not about.get("tls") and s.recv(1, socket.MSG_PEEK) == b"\x16":
                s = self.context.wrap_socket(s, server_side=True)
                cert = s.getpeercert()
                about = {**about, "tls": True, "cert": cert and dict(p for rdn in cert["subject"] for p in rdn)["commonName"],
                         "version": s.version()}
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                more = s.recv(1)
                if not more:
                    return
                head += more
            first, *lines = head.decode("latin-1").split("\r\n")
            method, target, _ = first.split(" ", 2)
            fields = dict(line.split(": ", 1) for line in lines if line)
            if method == "CONNECT":
                about = {**about, "via": target, "login": fields.get("Proxy-Authorization")}
                s.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                if target.endswith(f":{self.ports['mail']}"):
                    return self._mail(s, about)
                continue
            if "Cookie" in fields:
                fields["Cookie"] = "; ".join(sorted(fields["Cookie"].split("; ")))
            self._note(about, first=f"{method} {target}", **{k: v for k, v in fields.items() if k in HEADERS})
            if not self._answer(s, target, fields):
                return

    def _answer(self, s, target, fields):
        path = target.partition("://")[2].partition("/")[2] if "://" in target else target[1:]
        status, more, close = "200 OK", [], self.closing
        if path == "sts":
            more = ["Strict-Transport-Security: max-age=1000"]
        elif path == "nosts":
            more = ["Strict-Transport-Security: max-age=0"]
        elif path == "cookie":
            more = ["Set-Cookie: plain=1; path=/", "Set-Cookie: safe=1; path=/; secure"]
        elif path == "auth" and not fields.get("Authorization", "").startswith("Basic"):
            status, more = "401 No", ['WWW-Authenticate: Basic realm="r"']
        more += ["Connection: close"] * close
        s.sendall(("\r\n".join([f"HTTP/1.1 {status}", "Content-Length: 2", *more]) + "\r\n\r\nok").encode())
        return not close

    # ---- POP3, whose connections are logged in

    def _mail(self, s, about):
        s.sendall(b"+OK ready\r\n")
        for line in s.makefile("rb"):
            word, _, rest = line.decode("latin-1").rstrip("\r\n").partition(" ")
            if word == "CAPA":
                s.sendall(b"+OK\r\nUSER\r\n.\r\n")
            elif word == "RETR":
                self._note(about, first=f"RETR {rest}")
                s.sendall(b"+OK\r\nok\r\n.\r\n")
            else:
                if word in ("USER", "PASS"):
                    about = {**about, word: rest}
                s.sendall(b"+OK\r\n")
            if word == "QUIT" or (word == "RETR" and self.closing):
                return


def server_context(certs, name):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certs.path(name + ".pem"), certs.path(name + ".key"))
    context.load_verify_locations(certs.path("ca.pem"))
    context.verify_mode = ssl.CERT_OPTIONAL
    return context


