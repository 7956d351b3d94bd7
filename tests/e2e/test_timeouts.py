"""Deadlines. Waits are short; margins are generous: only "not before" and "long before giving up" are checked."""

import pytest

from mote_driver import by_library
from server import Expect, Reply, Send, Serve, UntilClose, response


BEGUN = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"


def took(t):
    return t.info["TOTAL_TIME_T"] / 1e6


@pytest.mark.parametrize("sent", [b"", b"HTTP/1.1 200", b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
                                  b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel"],
                         ids=["silent", "status", "body", "chunk"])
def test_total(drive, patiently, way, sent):
    body = next(b for b in (b"hello", b"hel", b"") if b in sent)

    def attempt(server, ms):
        server.script(Expect(), Send(sent), UntilClose())
        t = drive.get(way, URL=server.url(), TIMEOUT_MS=ms, info=("TOTAL_TIME_T",))
        assert t.code == 28
        assert "timed out" in t.error.lower()
        assert ms / 1200 < took(t) < 10
        assert body.startswith(t.body)
        return t.body == body and server.asked()
    patiently(attempt)


def test_total_in_seconds(drive, server):
    server.script(Expect(), UntilClose())
    t = drive.get(URL=server.url(), TIMEOUT=1, info=("TOTAL_TIME_T",))
    assert t.code == 28
    assert 0.9 < took(t) < 10


def test_milliseconds_and_seconds_are_one_option(drive, patiently):
    def attempt(server, ms):
        server.script(Expect(), UntilClose())
        d = drive().easy(URL=server.url()).setopt("h", TIMEOUT=100).setopt("h", TIMEOUT_MS=ms).perform()
        assert d.run()["h"].code == 28
        return server.asked()
    patiently(attempt)


def test_not_over(drive, server, way):
    server.answer(response(200, b"x"))
    assert drive.get(way, URL=server.url(), TIMEOUT_MS=15000, CONNECTTIMEOUT_MS=15000).code == 0


def test_over_redirects(drive, patiently, way):
    """The deadline is for the whole chain."""
    def attempt(server, ms):
        server.script(Expect(), Reply(302, b"", ["Location: /2"]), Expect(), UntilClose())
        t = drive.get(way, URL=server.url(), FOLLOWLOCATION=1, TIMEOUT_MS=ms)
        assert t.code == 28
        return len(server.asked()) == 2
    patiently(attempt)


def test_connect_phase_only(drive, patiently, way):
    """CONNECTTIMEOUT does not bound the exchange."""
    def attempt(server, ms):
        server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n"), UntilClose())
        t = drive.get(way, URL=server.url(), CONNECTTIMEOUT_MS=ms * 2 // 3, TIMEOUT_MS=ms * 3,
                      info=("TOTAL_TIME_T", "CONNECT_TIME_T"))
        assert t.code == 28
        if not t.info["CONNECT_TIME_T"]:
            return False
        assert took(t) > ms * 2.5 / 1000
        return server.asked()
    patiently(attempt)


def test_low_speed(drive, server, way):
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc"), UntilClose())
    t = drive.get(way, URL=server.url(), LOW_SPEED_LIMIT=100, LOW_SPEED_TIME=1, info=("TOTAL_TIME_T",))
    assert t.code == 28
    assert 0.9 < took(t) < 12
    assert t.error


def test_low_speed_leaves_the_handshake_to_its_own_limit(drive, server, way):
    """A server that does not answer a TLS handshake was too slow, although nothing could be transferred yet."""
    server.script(UntilClose())
    t = drive.get(way, URL=server.url().replace("http:", "https:"), LOW_SPEED_LIMIT=100, LOW_SPEED_TIME=1,
                  CONNECTTIMEOUT_MS=3500, SSL_VERIFYPEER=0, info=("TOTAL_TIME_T",))
    assert t.code == 28
    assert took(t) > 3.4 and "slow" not in t.error


def test_low_speed_off(drive, server):
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc"), UntilClose())
    t = drive.get(URL=server.url(), LOW_SPEED_LIMIT=100, LOW_SPEED_TIME=0, TIMEOUT_MS=1200, info=("TOTAL_TIME_T",))
    assert (t.code, t.body) == (28, b"abc")
    assert took(t) > 1.1


def test_only_the_slow_one(drive, server, multi_way):
    """A deadline of one transfer leaves the others alone."""
    def serve(q, p):
        if q.target == "/slow":
            UntilClose().run(p)
            return None
        return response(200, b"quick")
    server.default(Serve(serve))
    d = drive(multi_way).easy("a", URL=server.url("/slow"), TIMEOUT_MS=150).easy("b", URL=server.url("/quick"))
    d.easy("c", URL=server.url("/quick"), TIMEOUT_MS=15000)
    r = d.perform("a", "b", "c").run()
    assert (r["a"].code, r["b"].code, r["c"].code) == (28, 0, 0)


def test_connection_is_not_kept(drive, patiently, way):
    def attempt(server, ms):
        server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"), UntilClose())
        server.answer(response(200, b"new"))
        r = drive(way).easy(URL=server.url(), TIMEOUT_MS=ms).perform().setopt("h", TIMEOUT_MS=15000).perform().run()
        assert r.all("h")[0].code == 28
        if len(server.asked()) < 2:
            return False
        assert [(t.code, t.body) for t in r.all("h")] == [(28, b""), (0, b"new")]
        return True
    patiently(attempt)


def test_a_stall_costs_no_loops(drive, patiently, multi_way):
    """Waiting for a silent server, a loop sleeps until the deadline."""
    def attempt(server, ms):
        server.script(Expect(), UntilClose())
        d = drive(multi_way).easy(URL=server.url(), TIMEOUT_MS=ms * 3).do("add", "m", "h").do("drive", "m", "all")
        r = d.run()
        assert r["h"].code == 28
        limit = 40 if multi_way in ("poll", "socket") else 400
        assert r.of("loops", "m", "all")[0][0] < limit * ms // 120
        return server.asked()
    patiently(attempt)


def test_infos_of_a_timeout(drive, full_port):
    t = drive.get(URL=f"http://127.0.0.1:{full_port}/", TIMEOUT_MS=100,
                  info=("CONNECT_TIME_T", "NAMELOOKUP_TIME_T", "RESPONSE_CODE", "STARTTRANSFER_TIME_T"))
    assert t.code == 28
    assert (t.info["CONNECT_TIME_T"], t.info["RESPONSE_CODE"]) == (0, 0)
    assert (t.info["STARTTRANSFER_TIME_T"] == 0) == by_library(True, True, False)


@pytest.mark.parametrize("option", ["TIMEOUT_MS", "CONNECTTIMEOUT_MS", "TIMEOUT", "CONNECTTIMEOUT", "LOW_SPEED_TIME",
                                    "SERVER_RESPONSE_TIMEOUT", "EXPECT_100_TIMEOUT_MS", "HAPPY_EYEBALLS_TIMEOUT_MS"])
def test_negative(drive, option):
    """Negative times are refused by setopt, or mean the default."""
    r = drive().easy(**{option: -1}).run()
    codes = [f[-1] for f in r.of("setopt", "h", option)]
    assert codes in ([43], [])


def test_mtimeout(drive, server, multi_way):
    """curl_multi_timeout returns the deadline, and -1 when there is nothing to wait for."""
    server.script(Expect(), Send(BEGUN), UntilClose())
    d = drive(multi_way).do("multi", "m").do("mtimeout", "m").easy(URL=server.url(), TIMEOUT_MS=10000).do("add", "m", "h")
    d.do("mtimeout", "m").do("drive", "m", "bytes", "h", "write", 5).do("mtimeout", "m")
    d.do("remove", "m", "h").do("mtimeout", "m")
    returned = [f[-1] for f in d.run().of("mtimeout", "m")]
    assert returned[0] == -1
    assert returned[1] == 0
    assert -1 <= returned[2] <= 10000
    assert returned[3] == -1
