"""git push with a password, over a body that git does not keep: git http-backend through nginx."""

import os
import random
import shutil
import socketserver
import subprocess
import threading
from http.server import BaseHTTPRequestHandler

import pytest

from mote_driver import LIBRARY, not_sanitized

BACKEND = "/usr/lib/git-core/git-http-backend"
pytestmark = [pytest.mark.skipif(not os.path.exists(BACKEND), reason="git is not installed"),
              not_sanitized("the system's git has none")]

# The whole of it: 20 pushes of 130 MB
LARGE = int(os.environ.get("MOTE_GIT_BYTES", "0")) or 1 << 20
PUSHES = 20
POST_BUFFER = 1 << 16     # bytes that git keeps, so that it could send them again; it takes no smaller one


class Backend(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """Runs git http-backend as a CGI program, for nginx."""
    daemon_threads = True

    def __init__(self, path, root):
        self.root = root
        self.asked = []
        super().__init__(path, Cgi)
        self.thread = threading.Thread(target=self.serve_forever, daemon=True)
        self.thread.start()

    def stop(self):
        self.shutdown()
        self.server_close()
        self.thread.join()


class Cgi(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def address_string(self):
        return "nginx"

    def log_message(self, *text):
        pass

    def run_backend(self):
        path, _, query = self.path.partition("?")
        length = self.headers.get("Content-Length", "")
        body = self.rfile.read(int(length)) if length else b""
        self.server.asked.append((self.command, path, len(body)))
        env = {"PATH": "/usr/bin:/bin", "GIT_PROJECT_ROOT": self.server.root, "GIT_HTTP_EXPORT_ALL": "1", "REMOTE_USER": "user",
               "PATH_INFO": path[len("/git"):], "QUERY_STRING": query, "REQUEST_METHOD": self.command,
               "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(body)),
               "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", "")}
        out = subprocess.run([BACKEND], input=body, stdout=subprocess.PIPE, env={**env, **({"GIT_CURL_VERBOSE": "1"} if os.environ.get("GITV") else {})}, check=False).stdout
        head, _, body = out.partition(b"\r\n\r\n")
        lines = [line.partition(b": ")[::2] for line in head.split(b"\r\n")]
        status = dict(lines).get(b"Status", b"200").split()[0]
        self.send_response(int(status))
        for name, value in lines:
            if name != b"Status":
                self.send_header(name.decode(), value.decode())
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = run_backend


@pytest.fixture
def backend(nginx, tmp_path):
    path = os.path.join(nginx.folder, "git.sock")
    if os.path.exists(path):
        os.unlink(path)
    b = Backend(path, str(tmp_path))
    os.chmod(path, 0o777)
    yield b
    b.stop()


@pytest.fixture
def environment(tmp_path):
    """git is linked with the library's other name."""
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1",
           "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    if LIBRARY:
        names = tmp_path / "lib"
        names.mkdir()
        for name in ("libcurl.so.4", "libcurl-gnutls.so.4"):
            there = os.path.join(LIBRARY, name)
            os.symlink(there if os.path.exists(there) else os.path.join(LIBRARY, "libcurl.so.4"), names / name)
        env["LD_LIBRARY_PATH"] = f"{names}:{LIBRARY}"
    return env


def test_git_push(nginx, backend, environment, tmp_path):
    """Each push asks once without credentials; then its body goes out once, with them."""
    work, bare = tmp_path / "work", tmp_path / "r.git"

    def git(*args):
        done = subprocess.run(["git", *args], env=environment, check=False, cwd=tmp_path, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        assert done.returncode == 0, done.stdout.decode(errors="replace")
    for i in range(PUSHES):
        git("init", "-q", "--bare", str(bare))
        git("-C", str(bare), "config", "http.receivepack", "true")
        git("init", "-q", "-b", "main", str(work))
        (work / "blob").write_bytes(random.Random(i).randbytes(LARGE))
        git("-C", str(work), "add", "blob")
        git("-C", str(work), "commit", "-q", "-m", "one")
        git("-C", str(work), "-c", f"http.postBuffer={POST_BUFFER}", "-c", "core.compression=0", "push", "-q",
            f"http://user:secret%20word@127.0.0.1:{nginx.http}/git/r.git", "main")
        shutil.rmtree(work)
        shutil.rmtree(bare)
    large = [n for method, _, n in backend.asked if method == "POST" and n > POST_BUFFER]
    assert len(large) == PUSHES and min(large) >= LARGE
