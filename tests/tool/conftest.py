import os
import re
import ssl
import subprocess
import sys

import pytest
from server import Server

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(ROOT, "tests", "e2e"))  # last: it has a server.py, too
from ways import pytest_collection_modifyitems  # noqa: E402,F401
MOTE = os.path.abspath(os.environ.get("MOTE", os.path.join(ROOT, "build", "mote")))
CURL = os.environ.get("CURL", "/usr/bin/curl")
VERSION = subprocess.run([CURL, "--version"], capture_output=True, text=True).stdout
CURL_MAJOR = int(re.search(r"^curl (\d+)", VERSION).group(1))


@pytest.fixture(scope="session")
def server():
    s = Server()
    yield s
    s.close()


@pytest.fixture(scope="session")
def tls(tmp_path_factory):
    """An HTTPS server for localhost; .ca is the file with its CA certificate."""
    d = tmp_path_factory.mktemp("tls")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", d / "key.pem", "-out",
                    d / "ca.pem", "-days", "2", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(d / "ca.pem", d / "key.pem")
    s = Server(context)
    s.ca = str(d / "ca.pem")
    yield s
    s.close()


@pytest.fixture(autouse=True)
def fresh(server):
    server.reset()


def tree(folder):
    """{relative path: bytes} of all files below."""
    found = {}
    for base, dirs, files in os.walk(folder):
        for d in dirs:
            found[os.path.relpath(os.path.join(base, d), folder) + "/"] = None
        for f in files:
            path = os.path.join(base, f)
            with open(path, "rb") as h:
                found[os.path.relpath(path, folder)] = h.read()
    return found


class Result:
    def __init__(self, done, folder, requests):
        self.rc, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.files = tree(folder)
        self.folder = folder
        self.requests = requests

    @property
    def heads(self):
        return [h.decode("latin-1") for h, _ in self.requests]


class Runner:
    def __init__(self, server, tmp):
        self.server, self.tmp, self.count = server, tmp, 0

    def run(self, tool, args, files=None, stdin=b"", env=None, timeout=120, also=None):
        """also: a second server whose requests count, too"""
        self.count += 1
        folder = str(self.tmp / f"run{self.count}")
        os.makedirs(os.path.join(folder, "work"))
        home = os.path.join(folder, "home")
        os.makedirs(home)
        for name, data in (files or {}).items():
            path = os.path.join(home if name.startswith("~/") else os.path.join(folder, "work"),
                                name.removeprefix("~/"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as f:
                f.write(data.replace(b"{U}", self.server.url.encode()))
        self.server.reset()
        if also:
            also.reset()
        e = {"PATH": os.environ["PATH"], "HOME": home, "LANG": "C"}
        for keep in ("LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
            if keep in os.environ and tool == MOTE:
                e[keep] = os.environ[keep]
        e.update(env or {})
        args = [a.replace("{U}", self.server.url).replace("{P}", str(self.server.port)) for a in args]
        done = subprocess.run([tool] + args, cwd=os.path.join(folder, "work"), env=e, input=stdin,
                              capture_output=True, timeout=timeout)
        for one in [self.server, also] if also else [self.server]:
            one.settle()
        requests = list(self.server.requests) + (list(also.requests) if also else [])
        return Result(done, os.path.join(folder, "work"), requests)

    def mote(self, *args, **k):
        return self.run(MOTE, list(args), **k)

    def both(self, *args, sort=False, **k):
        """Run curl and mote on the same command line; everything but stderr must be the same."""
        theirs = self.run(CURL, list(args), **k)
        ours = self.run(MOTE, list(args), **k)
        said = f"\ncurl says: {theirs.err.decode()}\nmote says: {ours.err.decode()}"
        assert ours.rc == theirs.rc, said
        assert ours.out == theirs.out, said
        assert ours.files == theirs.files, said
        assert normal(ours.requests, sort) == normal(theirs.requests, sort), said
        return ours


def normal(requests, sort):
    """Requests without what is the tool's own: its name and the length and text of MIME boundaries. Without what is the
    library's and changed since 7.88 too (tests/e2e/test_requests.py): when it sends Expect, and where Connection stands."""
    out = []
    for head, body in requests:
        lines = [line for line in head.split(b"\r\n") if line != b"Expect: 100-continue"]
        lines.sort(key=lambda line: line.startswith(b"Connection:"))
        for i, line in enumerate(lines):
            if line.startswith(b"User-Agent: curl/") or line.startswith(b"User-Agent: mote/"):
                lines[i] = b"User-Agent: tool"
            if b"boundary=" in line:
                mark = line.split(b"boundary=")[1]
                body = body.replace(mark, b"MARK")
                lines[i] = line.replace(mark, b"MARK")
        for i, mark in enumerate(dict.fromkeys(re.findall(rb"boundary=(-{24}\w+)", body))):
            body = body.replace(mark, b"MARK%d" % i)
        if b"boundary=MARK" in b"".join(lines):
            lines = [b"Content-Length: %d" % len(body) if line.startswith(b"Content-Length:") else line for line in lines]
        out.append((b"\r\n".join(lines), body))
    return sorted(out) if sort else out


@pytest.fixture
def tool(server, tmp_path):
    return Runner(server, tmp_path)
