"""A scripted HTTP/1.1 server for the tests of the command: it answers by path and keeps every request's bytes."""
import gzip
import os
import re
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from listener import Listener  # noqa: E402

TEXT = b"hello world\n"
BIG = bytes(range(256)) * 400  # 102,400 bytes


def response(status, headers=(), body=b"", length=True):
    head = [b"HTTP/1.1 " + status]
    head += [h if isinstance(h, bytes) else h.encode() for h in headers]
    if length:
        head.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join(head) + b"\r\n\r\n" + body


class Server:
    def __init__(self, context=None):
        """context: an ssl.SSLContext, for HTTPS"""
        self.context = context
        self.listener = Listener(self.serve)
        self.port = self.listener.port
        self.url = f"http{'s' if context else ''}://127.0.0.1:{self.port}"
        self.lock = threading.Lock()
        self.answering = 0  # connections whose request is noted, and which are not read meanwhile
        self.reset()
        self.listener.start()

    def reset(self):
        with self.lock:
            self.requests, self.counts = [], {}

    def close(self):
        self.listener.close()

    def settle(self):
        """When the client has ended: all that it had asked for is noted. It may have left before that was read."""
        end = time.monotonic() + 30
        while self.listener.under_way() != self.answering:
            assert time.monotonic() < end, "a connection is not at its end, although the client is"
            time.sleep(0.001)

    def serve(self, c):
        rest = b""
        try:
            if self.context:
                c = self.context.wrap_socket(c, server_side=True)
            while rest is not None:
                rest = self.exchange(c, rest)
        except OSError:
            pass
        finally:
            c.close()

    @staticmethod
    def more(c, data):
        piece = c.recv(65536)
        if not piece:
            raise OSError("closed")
        return data + piece

    def exchange(self, c, data):
        while b"\r\n\r\n" not in data:
            data = self.more(c, data)
        head, data = data.split(b"\r\n\r\n", 1)
        lines = head.split(b"\r\n")
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(b":")
            headers[name.strip().lower()] = value.strip()
        if headers.get(b"expect", b"").lower() == b"100-continue":
            c.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        body, data = self.body(c, headers, data)
        method, target = (lines[0].split(b" ") + [b""])[:2]
        path = target.decode("latin-1")
        with self.lock:
            self.requests.append((head, body))
            n = self.counts[path] = self.counts.get(path, 0) + 1
            self.answering += 1
        try:
            reply, stay = self.reply(method, path, headers, body, n)
            for piece in reply if isinstance(reply, list) else [reply]:
                if isinstance(piece, (int, float)):
                    time.sleep(piece)
                else:
                    c.sendall(piece)
        finally:
            with self.lock:
                self.answering -= 1
        return data if stay else None

    def body(self, c, headers, data):
        if b"content-length" in headers:
            n = int(headers[b"content-length"])
            while len(data) < n:
                data = self.more(c, data)
            return data[:n], data[n:]
        if headers.get(b"transfer-encoding", b"").lower() != b"chunked":
            return b"", data
        body = b""
        while True:
            while b"\r\n" not in data:
                data = self.more(c, data)
            size, data = data.split(b"\r\n", 1)
            n = int(size, 16)
            while len(data) < n + 2:
                data = self.more(c, data)
            if not n:
                return body, data[2:]
            body, data = body + data[:n], data[n + 2:]

    def reply(self, method, path, headers, body, n):
        """(bytes or a list of bytes and pauses, whether the connection stays open)"""
        name = path.partition("?")[0].strip("/").split("/")[0]
        handler = getattr(self, "do_" + re.sub(r"\W", "_", name), None)
        stay = True
        if handler:
            reply = handler(method=method, path=path, headers=headers, body=body, n=n)
            if isinstance(reply, tuple):
                reply, stay = reply
        elif re.fullmatch(r"\d\d\d", name):
            reply = response(name.encode() + b" Chosen", ["X-Kind: status"], b"status " + name.encode() + b"\n")
        else:
            reply = response(b"200 OK", ["Content-Type: text/plain", "X-Seen: " + name], TEXT)
        if method == b"HEAD" and isinstance(reply, bytes):
            reply = reply.split(b"\r\n\r\n", 1)[0] + b"\r\n\r\n"
        return reply, stay

    def do_echo(self, body, method, **_):
        return response(b"200 OK", (), method + b" " + body)

    def do_set(self, path, **_):
        """/set/a=b/c=d: the cookies of the path."""
        return response(b"200 OK", [f"Set-Cookie: {c}; path=/" for c in path.split("/")[2:]], TEXT)

    def do_empty(self, **_):
        return response(b"200 OK")

    def do_none(self, **_):
        return response(b"204 No Content", length=False)

    def do_bin(self, headers, **_):
        head = ["Accept-Ranges: bytes", 'ETag: "big"', "Last-Modified: Wed, 01 Sep 2021 12:18:00 GMT"]
        m = re.fullmatch(rb"bytes=(\d*)-(\d*)", headers.get(b"range", b""))
        if not m or b"if-range" in headers and headers[b"if-range"] != b'"big"':
            return response(b"200 OK", head, BIG)
        start = int(m[1]) if m[1] else max(0, len(BIG) - int(m[2]))
        end = min(int(m[2]) if m[1] and m[2] else len(BIG) - 1, len(BIG) - 1)
        if start >= len(BIG):
            return response(b"416 Range Not Satisfiable", [f"Content-Range: bytes */{len(BIG)}"], b"no\n")
        return response(b"206 Partial Content", head + [f"Content-Range: bytes {start}-{end}/{len(BIG)}"],
                        BIG[start:end + 1])

    def do_breaks(self, n, **k):
        """As /bin, but the first answer ends early."""
        whole = self.do_bin(n=n, **k)
        return (whole[:30000], False) if n == 1 else whole

    def do_changes(self, n, headers, **_):
        """The first answer ends early, and then the document is another one."""
        if n == 1:
            return response(b"200 OK", ["Accept-Ranges: bytes", 'ETag: "one"'], BIG)[:20000], False
        return response(b"200 OK", ["Accept-Ranges: bytes", 'ETag: "two"'], TEXT)

    def do_replaced(self, path, headers, n, **_):
        """/replaced/<how>: The first answer ends after 10 bytes, and then the document is another one. This server knows
        Range and not If-Range, but for /replaced/equal."""
        how, tag = path.split("/")[2], "old"
        document = old = bytes(range(65, 91)) * 4
        if n > 1:
            tag = "old" if how in ("total", "parts") else "new"
            document = {"total": BIG, "shorter": b"short", "equal": TEXT[:10], "parts": old}.get(how, old.swapcase())
        date = "Last-Modified: Wed, 01 Sep 202%d 12:18:00 GMT" % (tag == "new")
        head = ["Accept-Ranges: bytes", date if how == "date" else f'ETag: "{tag}"']
        m = re.fullmatch(rb"bytes=(\d+)-", headers.get(b"range", b""))
        if not m or how == "equal":
            whole = response(b"200 OK", head, document)
            return (whole[:10 - len(document)] if n == 1 else whole), False
        start = int(m[1])
        end = start + 30 if how == "parts" and n == 2 else len(document)
        if start >= len(document):
            return response(b"416 No", head + [f"Content-Range: bytes */{len(document)}"], b"no\n"), False
        return response(b"206 Part", head + [f"Content-Range: bytes {start}-{end - 1}/{len(document)}"],
                        document[start:end]), False

    def do_chunks_break(self, headers, n, **_):
        """Ranges of a document in chunks; the first answer ends early."""
        head = b'\r\nAccept-Ranges: bytes\r\nETag: "x"\r\nTransfer-Encoding: chunked\r\n'
        m = re.fullmatch(rb"bytes=(\d+)-", headers.get(b"range", b""))
        rest = BIG[int(m[1]) if m else 0:]
        if m:
            head += b"Content-Range: bytes %d-%d/%d\r\n" % (len(BIG) - len(rest), len(BIG) - 1, len(BIG))
        whole = b"HTTP/1.1 20%d Well%s\r\n%x\r\n%s\r\n0\r\n\r\n" % (6 if m else 0, head, len(rest), rest)
        return (whole[:20000] if n == 1 else whole), n > 1

    def do_short(self, **_):
        return response(b"200 OK", (), TEXT)[:-5], False

    def do_nothing(self, **_):
        return b"", False

    def do_chunked(self, **_):
        return (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Last\r\n\r\n"
                b"6\r\nhello \r\n6\r\nworld\n\r\n0\r\nX-Last: yes\r\n\r\n")

    def do_close(self, **_):
        return b"HTTP/1.0 200 OK\r\nX-Old: 1\r\n\r\n" + TEXT, False

    def do_gzip(self, headers, **_):
        if b"gzip" not in headers.get(b"accept-encoding", b""):
            return response(b"200 OK", (), TEXT)
        return response(b"200 OK", ["Content-Encoding: gzip"], gzip.compress(TEXT, mtime=0))

    def do_cd(self, path, **_):
        kinds = {
            "plain": "attachment; filename=server.txt",
            "quoted": 'attachment; filename="with blank.txt"',
            "path": 'attachment; filename="../../etc/evil.txt"',
            "none": "inline",
            "first": 'attachment; size=12; filename="second.txt"; x=y',
            "dot": "attachment; filename=.bashrc",
            "dots": 'attachment; filename="../../.ssh/..config"',
        }
        head = ["Content-Disposition: " + kinds.get(path.split("/")[2], "attachment")]
        return response(b"200 OK", head, TEXT)

    def do_cd_of(self, path, **_):
        """/cd_of/<hexadecimal>: a Content-Disposition with the name of these bytes"""
        name = bytes.fromhex(path.split("/")[2])
        return response(b"200 OK", [b'Content-Disposition: attachment; filename="' + name + b'"'], TEXT)

    def do_etag(self, headers, **_):
        if headers.get(b"if-none-match") == b'"v1"':
            return response(b"304 Not Modified", ['ETag: "v1"'], length=False)
        return response(b"200 OK", ['ETag: "v1"', "Last-Modified: Wed, 01 Sep 2021 12:18:00 GMT"], TEXT)

    def do_etag_of(self, path, **_):
        """/etag_of/<code>/<value>"""
        _, _, code, value = path.split("/", 3)
        location = ["Location: /etag_of/200/end"] if code[0] == "3" else []
        return response(code.encode() + b" Chosen", [f'ETag: "{value}"' if value else "ETag:", *location], b"x\n")

    def do_weak(self, **_):
        return response(b"200 OK", ['ETag: W/"v1"'], TEXT)

    def do_multi(self, **_):
        return response(b"200 OK", ["X-A: one", "X-B: x\"y\\z", "X-A: two", "Content-Type: text/html; charset=utf-8"],
                        TEXT)

    def do_many(self, path, **_):
        """/many/<count>/<names>: so many headers of so many names, whose case changes"""
        count, names = map(int, path.split("/")[2:])
        return response(b"200 OK", [f"{'xX'[i // names % 2]}-{i % names}: {i}" for i in range(count)], TEXT)

    def do_redirect(self, path, **_):
        """/redirect/<code>/<target>"""
        _, _, code, target = path.split("/", 3)
        return response(code.encode() + b" Moved", ["Location: /" + target, "X-Hop: " + code], b"moved\n")

    def do_loop(self, **_):
        return response(b"302 Found", ["Location: /loop"], b"")

    def do_once(self, path, n, **_):
        """/once/<code>: an error first, then well"""
        code = path.split("/")[2]
        if n == 1:
            return response(code.encode() + b" Chosen", (), b"error\n")
        return response(b"200 OK", (), TEXT)

    def do_named_once(self, n, **_):
        """A name, and an end that comes too early; then well and without a name"""
        if n == 1:
            return response(b"200 OK", ["Content-Disposition: attachment; filename=notes.txt"], TEXT)[:-len(TEXT)], False
        return response(b"200 OK", (), TEXT)

    def do_moved_once(self, path, n, **_):
        """/moved_once/<name>: moved to a place of that name, which is busy; then well"""
        if n == 1:
            return response(b"302 Found", ["Location: /busy/" + path.split("/")[2]])
        return response(b"200 OK", (), TEXT)

    def do_busy(self, **_):
        return response(b"503 Busy")

    def do_shrinks(self, n, **_):
        return response(b"200 OK", (), BIG if n == 1 else TEXT)

    def do_bodyless(self, n, **_):
        """An error without a body first, then well"""
        return response(b"503 Busy") if n == 1 else response(b"200 OK", (), TEXT)

    def do_retryafter(self, n, **_):
        if n == 1:
            return response(b"503 Busy", ["Retry-After: 1"], b"busy\n")
        return response(b"200 OK", (), TEXT)

    def do_slow(self, **_):
        return [response(b"200 OK", (), TEXT)[:-6], 3, TEXT[-6:]]

    def do_auth(self, headers, **_):
        if headers.get(b"authorization") == b"Basic bWU6c2VjcmV0":
            return response(b"200 OK", (), b"in\n")
        return response(b"401 Unauthorized", ['WWW-Authenticate: Basic realm="x"'], b"out\n")

    def do_escape(self, **_):
        return response(b"200 OK", ["X-Evil: a\x1b[31mb", 'ETag: "a\x1b[31mb"'], b"body \x1b[31m\n")
