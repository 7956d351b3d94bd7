"""A web site for the clients: cookies, forms, logins, ranges, files, and git repositories by git's own CGI program.

Whatever a client sends that the tests look at comes back in the page, so that what a program prints can be compared.
"""
import base64
import email
import email.policy
import http.cookies
import http.server
import os
import subprocess
import threading
import urllib.parse

USER, PASSWORD = "joe", "secret"
BASIC = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
GIT = "/usr/lib/git-core/git-http-backend"


class Page(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            out = b""
            while True:
                n = int(self.rfile.readline().split(b";")[0], 16)
                out += self.rfile.read(n)
                self.rfile.readline()
                if not n:
                    return out
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def answer(self, status, data=b"", fields=()):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def handle_any(self):
        path, _, query = self.path.partition("?")
        if path.startswith("/private/"):
            if self.headers.get("Authorization") != BASIC:
                self.body()
                return self.answer(401, b"who are you?", [("WWW-Authenticate", 'Basic realm="private"')])
            path = path[len("/private"):]
        first = path.split("/")[1]
        page = getattr(self, "page_" + first, None)
        if not page:
            self.body()
            return self.answer(404, b"no such page")
        return page(path, query)

    do_GET = do_HEAD = do_POST = do_PUT = handle_any

    def page_set(self, path, query):
        """/set?a=1&b=2 sets cookies."""
        self.answer(200, b"set", [("Set-Cookie", f"{k}={v}; Max-Age=3600") for k, v in urllib.parse.parse_qsl(query)])

    def page_show(self, path, query):
        """The cookies that came, one a line."""
        jar = http.cookies.SimpleCookie(self.headers.get("Cookie", ""))
        self.answer(200, "".join(sorted(f"{k}={m.value}\n" for k, m in jar.items())).encode())

    def page_form(self, path, query):
        """The parts of a form, with all that was sent of them."""
        kind, data = self.headers.get("Content-Type", ""), self.body()
        if not kind.startswith("multipart/"):
            return self.answer(200, b"%s: %s\n" % (kind.encode(), data))
        message = email.message_from_bytes(b"Content-Type: %s\r\n\r\n" % kind.encode() + data, policy=email.policy.HTTP)
        out = b""
        for part in message.iter_parts():
            name = part.get_param("name", header="content-disposition")
            out += f"{name} {part.get_filename()} {part.get('Content-Type')}: ".encode() + part.get_payload(decode=True) + b"\n"
        return self.answer(200, out)

    def page_file(self, path, query):
        """A file of the site's folder, or a range of it."""
        self.body()
        try:
            with open(os.path.join(self.server.folder, *path.split("/")[2:]), "rb") as f:
                data = f.read()
        except OSError:
            return self.answer(404, b"no such file")
        wanted = self.headers.get("Range")
        fields = [("Accept-Ranges", "bytes"), ("Content-Type", "application/octet-stream"),
                  ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")]
        if not wanted or not data:
            return self.answer(200, data, fields)
        first, _, last = wanted.split("=")[1].partition("-")
        start = int(first) if first else max(0, len(data) - int(last))
        end = min(int(last), len(data) - 1) if first and last else len(data) - 1
        if start >= len(data):
            return self.answer(416, b"", [("Content-Range", f"bytes */{len(data)}")])
        return self.answer(206, data[start:end + 1], [*fields, ("Content-Range", f"bytes {start}-{end}/{len(data)}")])

    def page_git(self, path, query):
        body = self.body()
        env = {**os.environ, "GIT_PROJECT_ROOT": self.server.folder, "GIT_HTTP_EXPORT_ALL": "1",
               "PATH_INFO": path[len("/git"):], "QUERY_STRING": query, "REQUEST_METHOD": self.command,
               "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(body)),
               "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""), "REMOTE_USER": USER,
               "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""), "REMOTE_ADDR": "127.0.0.1", "HOME": self.server.folder}
        env.pop("LD_LIBRARY_PATH", None)
        out = subprocess.run([GIT], input=body, env=env, stdout=subprocess.PIPE, check=False).stdout
        head, _, data = out.partition(b"\r\n\r\n")
        fields = [tuple(line.decode().split(": ", 1)) for line in head.split(b"\r\n") if b": " in line]
        status = next((int(v.split()[0]) for k, v in fields if k == "Status"), 200)
        return self.answer(status, data, [(k, v) for k, v in fields if k != "Status"])


class Site(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Page)
        self.folder = str(folder)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, path, login=""):
        return f"http://{login}127.0.0.1:{self.server_port}{path}"
