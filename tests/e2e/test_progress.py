"""Progress callbacks and what they can do."""

import pytest

from mote_driver import by_library, not_debian, pattern
from server import Body, ContinueIfAsked, Expect, Reply, Send, UntilClose, chunked, response


def test_download(drive, server, way):
    data = pattern(200_000)
    server.answer(response(200, data))
    t = drive.get(way, URL=server.url(), enable=["xferinfo"])
    assert t.code == 0
    assert t.progress == (len(data), len(data), 0, 0)
    assert t.calls["xferinfo"] >= 2


def test_unknown_length(drive, server, way):
    server.answer(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(b"x" * 1000))
    t = drive.get(way, URL=server.url(), enable=["xferinfo"])
    assert t.progress[1] == 1000
    assert t.progress[0] in (0, 1000)


def test_upload(drive, server, way):
    size = 200_000
    server.script(Expect("PUT", body=False), ContinueIfAsked(), Body(), Reply(200, b"ok"))
    t = drive.get(way, URL=server.url(), UPLOAD=1, INFILESIZE=size, body=size, enable=["xferinfo"])
    assert t.progress[2:] == (size, size)


def test_noprogress(drive, server, way):
    server.answer(response(200, b"x"))
    d = drive(way).easy(URL=server.url()).enable("h", "xferinfo").setopt("h", NOPROGRESS=1).perform()
    assert "xferinfo" not in d.run()["h"].calls


@pytest.mark.parametrize("call", [1, 2])
def test_abort(drive, server, way, call):
    server.optional = True
    server.default(UntilClose())
    t = drive.get(way, URL=server.url(), enable=["xferinfo"], on=[("xferinfo", "call", call, "return", 1)], TIMEOUT=15)
    assert t.code == 42
    assert t.error


@not_debian("the first call comes before the connection")
def test_abort_at_once_has_connected(drive, server, way):
    """The first call comes with the connection."""
    server.script(UntilClose())
    t = drive.get(way, URL=server.url(), enable=["xferinfo"], on=[("xferinfo", "call", 1, "return", 1)], TIMEOUT=15,
                  info=("NUM_CONNECTS",))
    assert (t.code, t.info["NUM_CONNECTS"]) == (42, 1)


@pytest.mark.parametrize("way", ["easy", "poll", "socket"])
def test_abort_of_a_stalled_transfer(drive, server, way):
    """The callback is called also when nothing moves (about once a second)."""
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"), UntilClose())
    t = drive.get(way, URL=server.url(), enable=["xferinfo"], TIMEOUT=15, on=[("xferinfo", "call", 6, "return", 1)])
    assert t.code == 42


def test_continue_value(drive, server):
    """CURL_PROGRESSFUNC_CONTINUE (0x10000001) is no abort."""
    server.answer(response(200, b"x"))
    t = drive.get(URL=server.url(), enable=["xferinfo"], on=[("xferinfo", "every", 0, "return", 0x10000001)])
    assert t.code == 0


def test_connection_after_an_abort(drive, server, way):
    """An aborted transfer's connection is not used again."""
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + b"x" * 5000), UntilClose())
    server.answer(response(200, b"new"))
    d = drive(way).easy(URL=server.url()).on("h", "write", "call", 1, "return", 0).perform().do("calm", "h").perform()
    r = d.run()
    assert [t.code for t in r.all("h")] == [23, 0]
