"""Uploads of files and forms with files: the bytes are the same whether the library reads the file or the system
sends from it (sendfile(2)), and so is everything that an application learns of them."""

import os

import pytest

from mote_driver import SYSTEM, by_library, not_debian, pattern
from server import Body, Call, Close, ContinueIfAsked, Expect, Read, Reply, UntilClose

MB = 1 << 20
SIZE = 3 * MB + 12345
CONTINUE = ContinueIfAsked()
OK = Reply(200, b"ok")
PAUSE_SEND = 4
HEAD = b'--%s\r\nContent-Disposition: form-data; name="f"; filename="big"\r\nContent-Type: application/octet-stream\r\n\r\n'


@pytest.fixture
def big(tmp_path):
    path = tmp_path / "big"
    path.write_bytes(pattern(SIZE))
    return path


def take(server, *answers):
    """One connection, on which each request has a body."""
    steps = [step for a in answers for step in (Expect(body=False), CONTINUE, Body(), a)]
    server.script(*steps)


def form(d, path, *more, name="m"):
    d.do("form", name, "h").do("part", name, "name=f", f"file={path}", *more)
    return d.setopt("h", MIMEPOST=name)


def put(d, path, size=SIZE, at=0, reader=None, **options):
    return d.setopt("h", UPLOAD=1, INFILESIZE_LARGE=size, **options).do("infile", "h", path, at, *[reader] * bool(reader))


def send(d, what, path, size=SIZE):
    """A form with the file, or the file, and what is to be given back after it."""
    d = form(d, path) if what == "form" else put(d, path, size)
    d.perform().getinfo("h", "SIZE_UPLOAD_T")
    return (d.do("freeform", "m") if what == "form" else d.do("infile")).run()


def is_form(q, content):
    boundary = q.header("Content-Type").partition("boundary=")[2].encode()
    return q.body == HEAD % boundary + content + b"\r\n--%s--\r\n" % boundary


def arm(d, kind="sendfile", n=1 << 40):
    return d.do("fault", "arm", kind, n)


def sent_from_file(r):
    """Whether the library has sent from the file; others may do as they like."""
    return r.code("fault", "seen") > 0


# ---------------------------------------------------------------- what is sent

def test_a_form_with_a_file(drive, server, way, big):
    take(server, OK)
    d = form(arm(drive(way, fault=True).easy(URL=server.url())), big).perform().getinfo("h", "SIZE_UPLOAD_T")
    r = d.do("fault", "seen").do("freeform", "m").run()
    assert r["h"].code == 0 and is_form(server.requests[0], pattern(SIZE))
    assert r["h"].info["SIZE_UPLOAD_T"] == len(server.requests[0].body)
    assert SYSTEM or sent_from_file(r)


@pytest.mark.parametrize("reader", [None, "fread"])
def test_a_file_without_a_callback(drive, server, way, big, reader):
    """Also where fread() itself is set as the callback."""
    take(server, OK)
    d = put(arm(drive(way, fault=True).easy(URL=server.url())), big, reader=reader).perform().getinfo("h", "SIZE_UPLOAD_T")
    r = d.do("fault", "seen").do("infile").run()
    assert r["h"].code == 0 and server.requests[0].body == pattern(SIZE)
    assert r["h"].info["SIZE_UPLOAD_T"] == SIZE
    assert r.code("infile", "at") == SIZE
    assert SYSTEM or sent_from_file(r)


@pytest.mark.parametrize("way", ["easy", "poll", "socket"])
@pytest.mark.parametrize("method", ["put", "post"])
def test_from_the_middle_of_a_file(drive, server, way, big, method):
    """From where the FILE is, and as much as was promised; the FILE is then right after that."""
    take(server, OK)
    d = put(drive(way).easy(URL=server.url()), big, 2 * MB, 1001)
    if method == "post":
        d.setopt("h", POST=1, POSTFIELDSIZE_LARGE=2 * MB)
    r = d.perform().do("infile").run()
    assert r["h"].code == 0 and server.requests[0].body == pattern(SIZE)[1001:1001 + 2 * MB]
    assert r.code("infile", "at") == 1001 + 2 * MB


def test_files_in_forms_in_forms(drive, server, way, big, tmp_path):
    (tmp_path / "small").write_bytes(b"small")
    take(server, OK)
    d = drive(way).easy(URL=server.url())
    d.do("form", "in", "h").do("part", "in", "name=a", f"file={big}").do("part", "in", f"file={tmp_path}/small")
    d.do("part", "in", f"file={big}", "encoder=binary").do("part", "in", f"file={big}")
    d.do("form", "m", "h").do("part", "m", "name=x", "data=1").do("part", "m", "name=files", "sub=in")
    r = d.do("part", "m", "name=f", f"file={big}").setopt("h", MIMEPOST="m").perform().do("freeform", "m").run()
    body = server.requests[0].body
    assert r["h"].code == 0 and len(body) == int(server.requests[0].header("Content-Length"))
    assert body.count(pattern(SIZE) + b"\r\n--") == 4 and body.count(b"small\r\n--") == 1


@pytest.mark.parametrize("way", ["easy", "poll", "socket"])
def test_an_encoded_file_is_read(drive, server, way, big):
    take(server, OK)
    d = form(arm(drive(way, fault=True).easy(URL=server.url())), big, "encoder=base64").perform()
    r = d.do("fault", "seen").do("freeform", "m").run()
    assert r["h"].code == 0 and len(server.requests[0].body) > SIZE * 4 // 3
    assert not sent_from_file(r)


# ---------------------------------------------------------------- what needs the bytes

@pytest.mark.parametrize("way", ["easy", "poll", "socket"])
@pytest.mark.parametrize("what", ["chunked", "verbose", "callback"])
def test_bytes_that_are_needed_are_read(drive, server, way, big, what):
    take(server, OK)
    d = put(arm(drive(way, fault=True).easy(URL=server.url())), big)
    if what == "chunked":
        d.setopt("h", HTTPHEADER=["Transfer-Encoding: chunked"])
    elif what == "verbose":
        d.enable("h", "debug")
    else:
        d.easy("h2", URL=server.url(), UPLOAD=1, INFILESIZE_LARGE=SIZE).body("h2", SIZE)
    r = d.perform("h2" if what == "callback" else "h").do("fault", "seen").do("infile").run()
    assert r["h2" if what == "callback" else "h"].code == 0 and server.requests[0].body == pattern(SIZE)
    assert not sent_from_file(r)


@pytest.mark.parametrize("way", ["easy", "poll", "socket"])
def test_over_tls_they_are_read(drive, make_server, certs, way, big):
    server = make_server(tls=certs.context())
    take(server, OK)
    d = form(arm(drive(way, fault=True).easy(URL=server.url(), CAINFO=certs.path("ca.pem"))), big).perform()
    r = d.do("fault", "seen").do("freeform", "m").run()
    assert r["h"].code == 0 and is_form(server.requests[0], pattern(SIZE))
    assert not sent_from_file(r)


# ---------------------------------------------------------------- what comes between

@pytest.mark.parametrize("way", ["easy", "poll", "socket"])
@pytest.mark.parametrize("most", [1000, 65537])
def test_short_sends(drive, server, way, big, most):
    take(server, OK, OK)
    d = drive(way, fault=True).do("fault", "sendmax", most)
    d = put(d.easy(URL=server.url()), big).perform().do("infile").setopt("h", UPLOAD=0)
    r = form(d, big).perform().do("freeform", "m").run()
    assert [t.code for t in r.all("h")] == [0, 0]
    assert server.requests[0].body == pattern(SIZE) and is_form(server.requests[1], pattern(SIZE))


@pytest.mark.parametrize("way", ["easy", "poll", "socket"])
@pytest.mark.parametrize("what", ["form", "put"])
def test_a_file_that_cannot_be_sent_so_is_read(drive, server, way, big, what):
    take(server, OK)
    d = arm(drive(way, fault=True).easy(URL=server.url()), "nosendfile", -1)
    r = send(d, what, big)
    body = server.requests[0].body
    assert r["h"].code == 0 and (body == pattern(SIZE) if what == "put" else is_form(server.requests[0], pattern(SIZE)))


@pytest.mark.parametrize("way", ["easy", "poll", "socket"])
@pytest.mark.parametrize("n", [1, 2])
def test_a_send_that_fails(drive, server, way, big, n, ours_only):
    ours_only("how many calls there are is ours")
    server.default(Expect("POST", body=False), UntilClose())
    d = arm(drive(way, fault=True).easy(URL=server.url(), HTTPHEADER=["Expect:"]), "sendfile", n)
    assert form(d, big).perform().do("freeform", "m").run()["h"].code == 55


def test_a_server_that_leaves(drive, server, way, tmp_path):
    """The broken pipe is an error, not a signal."""
    path = tmp_path / "long"
    with open(path, "wb") as f:
        f.truncate(200 * MB)
    server.default(Expect("POST", body=False), Read(1000), Close())
    d = drive(way).easy(URL=server.url(), HTTPHEADER=["Expect:"])
    assert form(d, path).perform().do("freeform", "m").run()["h"].code in (52, 55, 56)


def test_paused_in_between(drive, server, way, big):
    take(server, OK)
    d = drive(way).easy(URL=server.url(), HTTPHEADER=["Expect:"])
    d.enable("h", "xferinfo").on("h", "xferinfo", "call", 3, "call_pause", PAUSE_SEND)
    r = form(d, big).do("multi", "m1").do("add", "m1", "h").do("drive", "m1", "calls", "h", "xferinfo", 5)
    r = d.do("pause", "h", 0).do("drive", "m1", "all").do("freeform", "m").run()
    assert r["h"].code == 0 and is_form(server.requests[0], pattern(SIZE))


@pytest.mark.parametrize("way", ["easy", "poll", "socket"])
def test_within_a_speed_limit(drive, server, way, big):
    take(server, OK)
    d = drive(way).easy(URL=server.url(), HTTPHEADER=["Expect:"], MAX_SEND_SPEED_LARGE=4 * MB).enable("h", "xferinfo")
    r = form(d, big).perform().getinfo("h", "TOTAL_TIME_T", "SIZE_UPLOAD_T").do("freeform", "m").run()
    assert r["h"].code == 0 and is_form(server.requests[0], pattern(SIZE))
    assert SYSTEM or r["h"].info["TOTAL_TIME_T"] > 400_000  # a burst of a second's bytes is libcurl's to send
    assert r["h"].progress[3] == r["h"].info["SIZE_UPLOAD_T"] == len(server.requests[0].body)


@pytest.mark.parametrize("way", ["easy", "poll", "socket"])
@pytest.mark.parametrize("what", ["form", "put"])
def test_sent_again_after_a_redirect(drive, server, way, big, what):
    take(server, Reply(307, b"", ["Location: /again"]), Reply(200, b"ok"))
    d = drive(way).easy(URL=server.url(), FOLLOWLOCATION=1)
    r = send(d, what, big)
    assert r["h"].code == 0 and len(server.requests) == 2
    for q in server.requests:
            assert q.body == pattern(SIZE) if what == "put" else is_form(q, pattern(SIZE))


# ---------------------------------------------------------------- files that change meanwhile

LONG = 96 * MB  # more than all buffers between client and server


@not_debian("what is missing is waited for")
@pytest.mark.parametrize("way", ["easy", "poll", "socket"])
@pytest.mark.parametrize("what", ["form", "put"])
def test_a_file_that_shrinks(drive, server, way, tmp_path, what):
    path = tmp_path / "long"
    with open(path, "wb") as f:
        f.truncate(LONG)
    server.default(Expect(body=False), Read(1000), Call(lambda p: os.truncate(path, 50 * MB)), UntilClose())
    d = drive(way).easy(URL=server.url(), HTTPHEADER=["Expect:"])
    t = send(d, what, path, LONG)["h"]
    assert t.code == 26
    assert 50 * MB <= t.info["SIZE_UPLOAD_T"] < 51 * MB


@not_debian("the new bytes are sent after those announced")
@pytest.mark.parametrize("way", ["easy", "poll", "socket"])
@pytest.mark.parametrize("what", ["form", "put"])
def test_a_file_that_grows(drive, server, way, big, what):
    server.script(Expect(body=False), Call(lambda p: os.truncate(big, 9 * MB)), CONTINUE, Body(), Reply(200, b"ok"))
    d = drive(way).easy(URL=server.url())
    t = send(d, what, big)["h"]
    assert t.code == 0
    q = server.requests[0]
    if what == "put":
        assert q.body == pattern(SIZE)
    else:  # libcurl sends the new bytes in place of the closing line
        assert is_form(q, pattern(SIZE)) == by_library(True, False, False)
