"""A small web server for the examples: files with ranges, uploads, redirects, a connection that is cut."""
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CONTENT = bytes(i * 7 % 251 for i in range(300_000))
CUT_AFTER = 70_000  # bytes of a body that /cut sends before it hangs up


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", headers=(), send=None):
        """One response; send: only so many bytes of the body, then the connection is closed."""
        self.server.seen.append((self.command, self.path, self.headers.get("Range")))
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:send])
        if send is not None and send < len(body):
            self.close_connection = True

    def ranged(self, send=None):
        m = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if not m:
            return self.answer(200, CONTENT, send=send)
        start = int(m.group(1))
        if start >= len(CONTENT):
            return self.answer(416, b"no such range", [("Content-Range", f"bytes */{len(CONTENT)}")])
        return self.answer(206, CONTENT[start:],
                           [("Content-Range", f"bytes {start}-{len(CONTENT) - 1}/{len(CONTENT)}")], send)

    def do_GET(self):
        if self.path == "/small":
            self.answer(200, b"hello world\n", [("Content-Type", "text/plain")])
        elif self.path == "/large":
            self.ranged()
        elif self.path == "/cut":
            self.ranged(CUT_AFTER)
        elif self.path == "/no-ranges":
            self.answer(200, CONTENT)
        elif self.path == "/first":
            self.answer(302, b"go on", [("Location", "/second"), ("X-Hop", "1"), ("X-Hop", "one")])
        elif self.path == "/second":
            self.answer(301, b"go on", [("Location", "/small"), ("X-Hop", "2")])
        elif self.path == "/empty":
            self.answer(200)
        elif self.path == "/odd":
            self.answer(203, b"not what was asked for\n")
        else:
            self.answer(404, b"there is nothing here\n")

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/moved":
            self.answer(307, headers=[("Location", "/put")])
        elif self.path == "/put":
            self.server.stored = body
            self.answer(201)
        else:
            self.answer(404)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 200

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.named_url = f"http://localhost:{self.server_port}"
        self.seen = []      # (method, path, Range) of each request
        self.stored = None  # the last body that was put

    def handle_error(self, *_):
        """A client that hangs up is no news."""

    def __enter__(self):
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *args):
        self.shutdown()
        super().__exit__(*args)
