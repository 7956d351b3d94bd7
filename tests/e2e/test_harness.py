"""The harness itself: what must fail a test does fail it."""

import ast
import glob
import os
import re
import socket

import pytest

from mote_driver import SANITIZED, Run, escape, unescape
from server import Close, Expect, Mismatch, Read, Reply, Send, Server, response


def talk(server, data, half=True):
    """A client that sends these bytes and reads to the end."""
    s = socket.create_connection(("127.0.0.1", server.port), 5)
    s.sendall(data)
    if half:
        s.shutdown(socket.SHUT_WR)
    got = b""
    while True:
        try:
            more = s.recv(65536)
        except ConnectionResetError:
            break
        if not more:
            break
        got += more
    s.close()
    return got


GET = b"GET /x HTTP/1.1\r\nHost: h\r\nA: b\r\n\r\n"

WRONG = {
    "method": (Expect("POST"), GET),
    "target": (Expect(target="/y"), GET),
    "version": (Expect(version="HTTP/1.0"), GET),
    "exact": (Expect(exact=GET[:-4] + b"\r\nC: d\r\n\r\n"), GET),
    "pattern": (Expect(pattern=rb"nothing like it"), GET),
    "has": (Expect(has={"A": "c"}), GET),
    "has not": (Expect(has={"Z": "c"}), GET),
    "lacks": (Expect(lacks=["a"]), GET),
    "twice": (Expect(has={"A": "b"}), GET[:-2] + b"A: b\r\n\r\n"),
    "body": (Expect(body=b"other"), GET[:-2] + b"Content-Length: 4\r\n\r\nbody"),
    "bad chunk": (Expect(), GET[:-2] + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"),
    "two framings": (Expect(), GET[:-2] + b"Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n"),
    "check": (Expect(check=lambda q: (_ for _ in ()).throw(AssertionError("no"))), GET),
    "not a request": (Expect(), b"nonsense\r\n\r\n"),
    "bare LF": (Expect(), b"GET / HTTP/1.1\r\nA: b\nC: d\r\n\r\n"),
    "bytes": (Read(b"other"), GET),
    "more bytes": (Expect(), GET + b"and more"),
    "too few": (Read(1000), GET),
}


@pytest.mark.parametrize("name", list(WRONG))
def test_mismatch(name):
    step, sent = WRONG[name]
    server = Server()
    server.script(step, Close()) if name != "more bytes" else server.script(step)
    talk(server, sent)
    with pytest.raises(Mismatch):
        server.close()


def test_no_mismatch():
    server = Server()
    server.script(Expect("GET", "/x", exact=GET, has={"a": "b"}, lacks=["z"]), Reply(200, b"ok", ["C: d"]))
    assert talk(server, GET) == b"HTTP/1.1 200 OK\r\nC: d\r\nContent-Length: 2\r\n\r\nok"
    server.close()


def test_connection_not_expected():
    server = Server()
    talk(server, b"")
    with pytest.raises(Mismatch):
        server.close()


def test_connection_missing():
    server = Server()
    server.script(Expect())
    with pytest.raises(Mismatch):
        server.close()


def log(*lines):
    return Run(list(lines), 0)


@pytest.mark.parametrize("data", [b"", b"plain text", b"\\x41\\\\", bytes(range(256)), b"\n'\"\\n"])
def test_fields_come_back(data):
    """What is escaped for the driver, and what it escapes in the same way."""
    field = escape(data)
    assert re.fullmatch(r"(?:[ -\[\]-~]|\\\\|\\x[0-9a-f]{2})*", field)
    assert unescape(field) == data
    assert [escape(x) for x in (True, 7, "\xe9", "a\tb")] == ["1", "7", "\\xc3\\xa9", "a\\x09b"]


def test_log_is_read():
    r = log("header\th\tA: b\\x0d\\x0a", "body\th\t3\t7\ta\\\\b", "count\th\twrite\t1\t3", "result\th\t0\t", "info\th\tRESPONSE_CODE\t0\t200")
    assert (r["h"].headers, r["h"].body, r["h"].calls, r["h"].info) == ([b"A: b\r\n"], b"a\\b", {"write": 1},
                                                                        {"RESPONSE_CODE": 200})


@pytest.mark.parametrize("command", [("nosuchcommand",), ("enable", "h", "nosuch"), ("perform", "missing"),
                                     ("on", "h", "write", "every", 0, "nosuch")])
def test_driver_refuses(drive, server, command):
    """A script that is wrong fails, or has no result."""
    server.default(Expect(), Reply(200, b"x"))
    d = drive().easy(URL=server.url()).do(*command).perform()
    if command[0] == "perform":
        d = drive().easy(URL=server.url()).do(*command)
        assert d.run().transfers == {}
        return
    with pytest.raises(AssertionError):
        d.run()


def test_descriptor_left_is_seen(drive, server):
    """A socket that the application's own callback does not close: the count at the end shows it."""
    server.script(Expect(), Send(response(200, b"x", ["Connection: close"])))
    d = drive(seconds=30).easy(URL=server.url()).enable("h", "closesocket").on("h", "closesocket", "every", 0, "keep").perform()
    with pytest.raises(AssertionError, match="descriptors left"):
        d.run()


def test_fault_library_counts(drive, server):
    if SANITIZED:
        pytest.skip("a sanitizer's runtime replaces malloc itself")
    server.answer(response(200, b"x"))
    d = drive(fault=True).do("fault", "live").do("fault", "arm", "recv", 100000).easy(URL=server.url()).do("fault", "live")
    r = d.perform().do("fault", "seen").run()
    first, second = [f[-1] for f in r.of("fault", "live")]
    assert second > first
    assert r.code("fault", "seen") >= 1


def test_patience_ends(patiently, make_server):
    """What never happens before its deadline fails the test; what happens late does not."""
    tried = []
    with pytest.raises(AssertionError, match="before the deadline"):
        patiently(lambda server, ms: tried.append(ms))
    assert len(tried) == 3
    patiently(lambda server, ms: ms == tried[-1])


def test_each_test_of_one_library_says_so():
    """Taking the fixture is not enough: it has to be called with the reason."""
    forgotten = []
    for path in glob.glob(os.path.join(os.path.dirname(__file__), "test_*.py")):
        with open(path, encoding="utf-8") as f:
            functions = [n for n in ast.walk(ast.parse(f.read())) if isinstance(n, ast.FunctionDef)]
        for function in functions:
            used = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
            forgotten += [f"{os.path.basename(path)}: {function.name}" for a in function.args.args
                          if a.arg in ("ours_only", "system_only") and a.arg not in used]
    assert not forgotten
