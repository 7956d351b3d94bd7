"""POST and PUT of the small implementation (part uploads), and the same of the large one: what a server gets, and what
options take."""
import os
import re
import socket
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "tools"), os.path.dirname(HERE)]
from listener import Listener  # noqa: E402
from partbuild import Build, run  # noqa: E402

FORM = "application/x-www-form-urlencoded"


class Server:
    """Answers with the method, the body's length and first byte, Content-Type and Accept. /N redirects with that status,
    /over/PORT/... to another port's /over/...; /drop ends the connection after each answer without saying so; /full
    answers before it reads."""

    def __init__(self):
        self.count = 0
        self.heads = []
        self.listener = Listener(self.serve).start()
        self.url = f"http://127.0.0.1:{self.listener.port}"

    def serve(self, s):
        self.count += 1
        with s:
            data = b""
            while True:
                while b"\r\n\r\n" not in data:
                    some = s.recv(65536)
                    if not some:
                        return
                    data += some
                head, data = data.split(b"\r\n\r\n", 1)
                self.heads.append(head.decode().split("\r\n"))
                length = int((re.findall(rb"(?i)content-length: (\d+)", head) or [0])[0])
                while len(data) < length:
                    some = s.recv(65536)
                    if not some:
                        return
                    data += some
                body, data = data[:length], data[length:]
                s.sendall(self.answer(head.decode(), body))
                if "/drop" in head.split("\r\n".encode())[0].decode():
                    s.shutdown(socket.SHUT_WR)
                    return

    def answer(self, head, body):
        method, path = head.split()[:2]
        fields = {line.lower().partition(":")[0]: line.lower().partition(": ")[2] for line in head.split("\r\n")[1:]}
        if path.startswith("/over/"):
            port, *more = path.split("/")[2:]
            place = f"http://127.0.0.1:{port}/" + "/".join(["over", *more] if more else [])
            return b"HTTP/1.1 302 Go\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % place.encode()
        if path[1:].isdigit():
            return b"HTTP/1.1 %s Go\r\nLocation: /there\r\nContent-Length: 2\r\n\r\n.." % path[1:].encode()
        text = " ".join([method, str(len(body)), body[:1].decode() or "-", fields.get("content-type", "-"),
                         fields.get("accept", "-")])
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text.encode())


@pytest.fixture(scope="module", params=["tiny", "mcu"])
def program(request):
    more = {"tiny": ["uploads"], "mcu": []}[request.param]
    build = Build(request.param, with_parts=more, without=["https"])
    for name in ("options", "send"):
        path = os.path.join(build.out, name)
        run(["cc", "-Iinclude", "-o", path, os.path.join(HERE, name + ".c"), build.library()])
    return request.param, path


@pytest.fixture
def server():
    s = Server()
    yield s
    s.listener.close()


def send(program, server, *what):
    words = [w for item in what for w in (item.split()[0], server.url + (item.split() + ["/"])[1])]
    return run([program, *words], timeout=60).decode().splitlines()


def test_bodies_of_memory_and_callbacks(program, server):
    found = send(program[1], server, "post", "copy", "json", "put", "read", "long", "get", "bare")
    assert found == [
        f"0 200 POST 7 a {FORM} */*", f"0 200 POST 7 a {FORM} */*", "0 200 POST 7 a application/json */*",
        "0 200 PUT 100000 u - */*", f"0 200 POST 100000 u {FORM} */*", f"0 200 POST 30000 m {FORM} */*",
        "0 200 GET 0 - - */*", "0 200 POST 7 a - text/plain"]
    assert server.count == 1  # kept


def test_redirects(program, server):
    found = send(program[1], server, "post /302", "post /303", "post /307", "back /303", "back /308", "put /308")
    assert [line.split()[:4] for line in found] == [
        ["0", "200", "GET", "0"], ["0", "200", "GET", "0"], ["0", "200", "POST", "7"], ["0", "200", "GET", "0"],
        ["0", "200", "PUT", "100000"], ["65", "308"]]  # the last one has no way back


def test_a_redirect_carries_no_secrets_to_another_origin(program, server):
    other = Server()
    try:
        found = send(program[1], server, f"secret /over/{other.listener.port}/{server.listener.port}", "secret")
    finally:
        other.listener.close()
    assert [line.split()[:2] for line in found] == [["0", "200"]] * 2
    fields = ["Host: own", "Authorization: mine", "cookie : mine=1", "X: 1"]
    assert [[x for x in head if x in fields] for head in other.heads] == [["X: 1"]]
    assert [sorted(x for x in head if x in fields) for head in server.heads] == [sorted(fields)] * 3


def test_own_fields_replace_those_of_the_library(program, server):
    assert send(program[1], server, "own")[0].startswith("0 200 POST 7 a")
    assert sorted(server.heads[0][1:]) == [
        "Accept: */*", "Content-Length: 7", f"Content-Type: {FORM}", "Host: own", "User-Agent: own", "X-Empty:"]


def test_no_body_goes_under_a_coding_that_it_does_not_have(program, server):
    name, path = program
    assert send(path, server, "unchunked")[0].startswith("0 200 POST 7 a")
    assert not any(line.startswith("Transfer-Encoding") for line in server.heads[0])
    if name == "tiny":
        assert send(path, server, "chunked")[0].split()[0] == "4"


@pytest.mark.parametrize("location, result", [
    ("mailto:x@y", "1"), ("svn+ssh://x/", "1"), ("tel:1", "1"), ("http:x", "1"), ("there:1/x", "1"), ("./a:1", "0"),
    ("?a:1", "0")])
def test_a_redirect_to_another_scheme_is_not_a_path(program, location, result):
    """tiny asked the same server for /mailto:x@y."""
    def serve(s):
        with s:
            path = s.recv(65536).split()[1]
            s.sendall(b"HTTP/1.1 302 Go\r\nLocation: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" %
                      location.encode() if path == b"/" else b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    listener = Listener(serve).start()
    try:
        out = run([program[1], "get", f"http://127.0.0.1:{listener.port}/"], timeout=60).decode()
    finally:
        listener.close()
    assert out.split()[0] == result


def test_a_scheme_without_slashes_is_no_host(program):
    for url in ("http:/127.0.0.1:1/x", "https:/127.0.0.1/"):
        assert run([program[1], "get", url], timeout=60).decode().split()[0] == "1"


def test_a_kept_connection_that_is_dead(program, server):
    assert [line.split()[:4] for line in send(program[1], server, "post /drop", "post /drop", "back /drop")] == [
        ["0", "200", "POST", "7"], ["0", "200", "POST", "7"], ["0", "200", "PUT", "100000"]]


def test_bodies_that_fail(program, server):
    name, path = program
    found = [line.split()[0] for line in send(path, server, "abort", "short", "post")]
    assert found == ["42", "26", "0"]
    if name == "tiny":
        assert send(path, server, "none")[0].split()[0] == "4"


def test_a_server_that_ends_before_the_body_is_sent(program):
    def serve(s):
        with s:
            s.recv(10)
    listener = Listener(serve).start()
    try:
        out = run([program[1], "put", f"http://127.0.0.1:{listener.port}/"], timeout=60).decode()
    finally:
        listener.close()
    assert out.split()[0] in ("52", "55", "56")


def test_by_name(program, server):
    """mcu looks names up without a cache (small/names.c); tiny asks the port."""
    server.url = f"http://localhost:{server.listener.port}"
    assert [line.split()[:4] for line in send(program[1], server, "post", "get", "post /302")] == [
        ["0", "200", "POST", "7"], ["0", "200", "GET", "0"], ["0", "200", "GET", "0"]]
    out = run([program[1], "get", f"http://nowhere.invalid:{server.listener.port}/"], timeout=60).decode()
    assert out.split()[0] == "6"


def test_numbers_that_are_out_of_range(program, server):
    """Sizes and times are clipped, as CURLOPT_BUFFERSIZE(3) says, before a buffer is made of them."""
    found = run([os.path.join(os.path.dirname(program[1]), "options"), server.url], timeout=60).decode().split()
    assert found[:7] == ["43", "0", "0", "43", "43", "43", "0"]


@pytest.mark.parametrize("profile", ["tiny", "mcu"])
def test_a_blob_without_bytes_is_no_default(profile):
    """A device that could not read its pinned root trusted the default bundle instead."""
    build = Build(profile)
    path = os.path.join(build.out, "blobs")
    run(["cc", "-Iinclude", "-o", path, os.path.join(HERE, "blobs.c"), build.library()])
    assert run([path], timeout=60).decode().split() == ["43", "43", "43", "43", "0"]


def test_an_option_that_memory_lacks_for_leaves_no_blocks(program, server):
    found = run([os.path.join(os.path.dirname(program[1]), "options"), server.url], timeout=60).decode().split()
    assert found[7:] == ["0"]


def test_a_copy_of_the_fields_is_not_read_beyond_its_end(program, server):
    """POSTFIELDSIZE after COPYPOSTFIELDS can only shorten the copy."""
    assert [line.split()[:4] for line in send(program[1], server, "grown", "cut")] == [
        ["0", "200", "POST", "7"], ["0", "200", "POST", "3"]]
