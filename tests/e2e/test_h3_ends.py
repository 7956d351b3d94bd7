"""HTTP/3 connections that end: GOAWAY and CONNECTION_CLOSE in every state, servers that fall silent, die or forget. What the server
has not begun with is made again on a new connection, and a kept connection that is gone costs no request."""

import pytest

from h3_bytes import NO_ERROR, REQUEST_CANCELLED, data, head, play, response
from h3_fixtures import got
from http3_servers import HASTY
from mote_driver import PAUSE_CONT, SANITIZED, by_library, crc, not_debian, pattern

pytestmark = [pytest.mark.usefixtures("http3"), not_debian("it has no HTTP/3")]

LOST = by_library((18, 56, 95), None, (18, 55, 56, 95))
BEGUN = head(("content-length", "5")) + data("he")
REST = data("llo")
SERVED, AGAIN = b"hello\n", b"again\n"


@pytest.fixture
def first(request):
    """A step: what follows is for the first request of this test."""
    return ("first", "".join(c for c in request.node.name if c.isalnum()))


def transfers(drive, way, url, options, paths):
    d = drive(way).easy("h", **options)
    for path in paths:
        d.setopt("h", URL=url(path)).perform().getinfo("h", "NUM_CONNECTS")
    return d.run().all("h")


# ---------------------------------------------------------------- GOAWAY

def test_goaway_before_the_response(drive, way, quic_peer, quic_options, first, ours_only):
    ours_only("libcurl 8.23 fails")
    t = transfers(drive, way, quic_peer.at("quic"), quic_options, [play(first, ("goaway", 0))])[0]
    assert (t.code, t.body) == (0, AGAIN)


def test_goaway_before_the_response_on_a_kept_connection(drive, way, quic_peer, quic_options, first, ours_only):
    ours_only("libcurl 8.23 fails")
    t = transfers(drive, way, quic_peer.at("quic"), quic_options, ["/12.txt", play(first, ("goaway", 0))])[1]
    assert (t.code, t.body) == (0, AGAIN)


def test_goaway_in_a_body(drive, way, quic_peer, quic_options):
    """Of a stream that is served: it goes on, and the next one has a new connection."""
    paths = [play(BEGUN, "flush", ("goaway", 4), "flush", ("wait", 50), REST, "fin"), "/12.txt"]
    one, two = transfers(drive, way, quic_peer.at("quic"), quic_options, paths)
    assert (one.code, one.body) == (0, b"hello")
    got(two, "12.txt")
    assert two.info["NUM_CONNECTS"] == 1


def test_goaway_that_takes_back_a_response(drive, way, quic_peer, quic_options, ours_only):
    """The bytes that have come must not come twice."""
    ours_only("libcurl 8.23 goes on")
    t = transfers(drive, way, quic_peer.at("quic"), quic_options, [play(BEGUN, "flush", ("goaway", 0), "flush", ("wait", 50), REST, "fin")])[0]
    assert (t.code, t.body) == (95, b"he") and "H3_REQUEST_REJECTED" in t.error


def test_goaway_in_an_upload(drive, way, quic_peer, quic_options):
    d = drive(way).easy("h", URL=quic_peer.url(play(("goaway", 4), "echo", at_head=True), "quic"), UPLOAD=1, INFILESIZE=1_000_000,
                        **quic_options).body("h", 1_000_000)
    r = d.perform().setopt("h", HTTPGET=1, URL=quic_peer.url("/12.txt", "quic")).perform().getinfo("h", "NUM_CONNECTS").run()
    one, two = r.all("h")
    assert (one.code, one.length, one.crc) == (0, 1_000_000, crc(pattern(1_000_000)))
    got(two, "12.txt")
    assert two.info["NUM_CONNECTS"] == 1


@pytest.mark.parametrize("seek", [True, False], ids=["seek", "no seek"])
def test_goaway_before_an_upload_is_served(drive, way, quic_peer, quic_options, first, seek, ours_only):
    """It is made again from its first byte, or fails where that cannot be had."""
    ours_only("libcurl 8.23 fails")
    d = drive(way).easy("h", URL=quic_peer.url(play(first, ("goaway", 0), at_head=True), "quic"), UPLOAD=1, INFILESIZE=5_000_000,
                        **quic_options).body("h", 5_000_000)
    if seek:
        d.enable("h", "seek")
    t = d.perform().run()["h"]
    assert (t.code, t.body) == ((0, AGAIN) if seek else (65, b""))


def test_goaway_with_streams_on_both_sides_of_it(drive, multi_way, quic_peer, quic_options, first, ours_only):
    """The first one is served; those after it are made again. The last one brings it about, so that all are under way."""
    ours_only("libcurl 8.23 fails")
    d = drive(multi_way).do("multi", "m")
    paths = [play(("wait", 300), response(), "fin", at_head=True), *[play((first[0], first[1] + str(i)), at_head=True) for i in range(3)],
             play((first[0], first[1] + "last"), ("goaway", -12), at_head=True)]
    names = [f"h{i}" for i in range(5)]
    for name, path in zip(names, paths):
        d.easy(name, URL=quic_peer.url(path, "quic"), PIPEWAIT=1, **quic_options)
    r = d.do("add", "m", *names).do("drive", "m", "all").run()
    assert [(r[n].code, r[n].body) for n in names] == [(0, SERVED), *[(0, AGAIN)] * 4]


def test_goaway_in_two_steps(drive, multi_way, quic_peer, quic_options, first, ours_only):
    """Of all first, then of some, as a server does that ends gracefully (RFC 9114 section 5.2)."""
    ours_only("libcurl 8.23 fails")
    d = drive(multi_way).do("multi", "m")
    d.easy("a", URL=quic_peer.url(play(("wait", 300), response(), "fin", at_head=True), "quic"), PIPEWAIT=1, **quic_options)
    d.easy("b", URL=quic_peer.url(play(first, ("goaway", (1 << 62) - 8), "flush", ("wait", 30), ("goaway", 0), at_head=True), "quic"),
           PIPEWAIT=1, **quic_options)
    r = d.do("add", "m", "a", "b").do("drive", "m", "all").run()
    assert [(r[n].code, r[n].body) for n in "ab"] == [(0, SERVED), (0, AGAIN)]


@pytest.mark.parametrize("step", [("goaway", 0), ("reset", 0x10b), ("close", NO_ERROR)], ids=["goaway", "rejected", "closed"])
def test_server_that_never_serves(drive, way, quic_peer, quic_options, step):
    """A request is not made again for ever."""
    t = transfers(drive, way, quic_peer.at("quic"), quic_options, [play(step)])[0]
    assert t.code in LOST and t.error


def test_goaway_while_idle(drive, way, quic_peer, quic_options):
    one, two = transfers(drive, way, quic_peer.at("quic"), quic_options, ["/goaway", "/12.txt"])
    assert (one.code, one.body) == (0, b"last\n")
    got(two, "12.txt")
    assert two.info["NUM_CONNECTS"] == 1


def test_goaway_and_close_at_once(drive, way, quic_peer, quic_options, first, ours_only):
    ours_only("libcurl 8.23 fails")
    t = transfers(drive, way, quic_peer.at("quic"), quic_options, [play(first, ("goaway", 0), "flush", ("close", NO_ERROR))])[0]
    assert (t.code, t.body) == (0, AGAIN)


def test_thousands_of_requests_with_few_to_a_connection(drive, multi_way, quic_nginx, quic_options, ours_only):
    """nginx ends a connection after 1,000 requests, with those that are under way, a hundred at a time. None fails."""
    ours_only("libcurl 8.23 loses some of them")
    many = 1000 if SANITIZED else 5000
    d = drive(multi_way, seconds=120).do("multi", "m").do("msetopt", "m", "MAX_TOTAL_CONNECTIONS", 1)
    names = [f"h{i}" for i in range(many)]
    for name in names:
        d.easy(name, URL=quic_nginx.url("/12.txt", "usual"), PIPEWAIT=1, **{**quic_options, "TIMEOUT": None}).do("add", "m", name)
    r = d.do("drive", "m", "all").run()
    assert [n for n in names if (r[n].code, r[n].length) != (0, 12)] == []


# ---------------------------------------------------------------- CONNECTION_CLOSE

@pytest.mark.parametrize("code", [NO_ERROR, REQUEST_CANCELLED, 0x102])
def test_close_in_a_body(drive, way, quic_peer, quic_options, code):
    one, two = transfers(drive, way, quic_peer.at("quic"), quic_options, [play(BEGUN, "flush", ("close", code)), "/12.txt"])
    assert one.code in LOST and one.error and one.body == b"he"
    got(two, "12.txt")


def test_close_of_a_kept_connection(drive, way, quic_peer, quic_options, first):
    """Before a byte of the response, as with TCP."""
    t = transfers(drive, way, quic_peer.at("quic"), quic_options, ["/12.txt", play(first, ("close", NO_ERROR))])[1]
    assert (t.code, t.body) == (0, AGAIN)


def test_post_on_a_kept_connection_that_was_closed(drive, way, quic_peer, quic_options, ours_only):
    """The end is looked for before the request, which may not be made twice. Another connection's response comes after the
    close, however late the server is."""
    ours_only("not tried with libcurl")
    d = drive(way).easy("h", URL=quic_peer.url(play(response(), "fin", "flush", ("wait", 30), ("close", NO_ERROR)), "quic"), **quic_options)
    d.perform().easy("later", URL=quic_peer.url(play(("wait", 60), response(), "fin"), "quic"), FRESH_CONNECT=1, FORBID_REUSE=1,
                     **quic_options)
    d.perform("later").setopt("h", URL=quic_peer.url("/echo", "quic"), POSTFIELDS="abc").perform("h").getinfo("h", "NUM_CONNECTS")
    t = d.run().all("h")
    assert [(x.code, x.body) for x in t] == [(0, SERVED), (0, b"abc")] and t[1].info["NUM_CONNECTS"] == 1


@pytest.mark.parametrize("reason", ["as asked", "\x1b[2J", "", "x" * 900], ids=["text", "control", "none", "long"])
def test_text_of_the_close(drive, way, quic_peer, quic_options, reason, ours_only):
    """What the peer says comes into the error's text if it is fit for a terminal."""
    ours_only("texts")
    t = transfers(drive, way, quic_peer.at("quic"), quic_options, [play(BEGUN, "flush", ("closehex", 0x102, reason.encode()))])[0]
    assert t.code in LOST and "\x1b" not in t.error
    assert ("as asked" in t.error) == (reason == "as asked")


def test_close_of_quic(drive, way, quic_peer, quic_options):
    t = transfers(drive, way, quic_peer.at("quic"), quic_options, [play(BEGUN, "flush", ("quicclose", 1))])[0]
    assert t.code in LOST and t.error


# ---------------------------------------------------------------- silence

def test_idle_timeout_while_idle(drive, multi_way, quic_peer, quic_options):
    """Nothing keeps an idle connection alive. The next request has a new one."""
    d = drive(multi_way).easy("h", URL=quic_peer.url("/12.txt", "hasty"), **quic_options).perform().do("sleep", HASTY * 1000 + 500)
    r = d.perform().getinfo("h", "NUM_CONNECTS").run()
    for t in r.all("h"):
        got(t, "12.txt")
    assert r["h"].info["NUM_CONNECTS"] == 1


def test_nothing_for_longer_than_the_idle_timeout(drive, multi_way, quic_peer, quic_options, ours_only):
    """The server is slow, the application has paused what it takes, or what it gives: each connection goes on, and each transfer is
    whole. A server that is silent ends one."""
    ours_only("libcurl 8.23 never ends a transfer that was paused")
    d = drive(multi_way).do("multi", "m")
    more = {"FRESH_CONNECT": 1, **quic_options}
    d.easy("slow", URL=quic_peer.url(play(("wait", HASTY * 1500), response(), "fin"), "hasty"), **more)
    d.easy("down", URL=quic_peer.url("/1m.bin", "hasty"), **more).on("down", "write", "call", 2, "pause")
    d.easy("up", URL=quic_peer.url("/echo", "hasty"), UPLOAD=1, INFILESIZE=300_000, **more).body("up", 300_000, 10_000)
    d.on("up", "read", "call", 3, "pause")
    d.easy("silent", URL=quic_peer.url(play(BEGUN, "silent"), "hasty"), **more)
    d.do("add", "m", "slow", "down", "up", "silent").do("drive", "m", "paused", "down").do("drive", "m", "paused", "up")
    d.do("drive", "m", "for", HASTY * 1500).do("calm", "down").do("calm", "up")
    r = d.do("pause", "down", PAUSE_CONT).do("pause", "up", PAUSE_CONT).do("drive", "m", "all").run()
    assert (r["slow"].code, r["slow"].body) == (0, SERVED)
    got(r["down"], "1m.bin")
    assert (r["up"].code, r["up"].length, r["up"].crc) == (0, 300_000, crc(pattern(300_000)))
    assert (r["silent"].code, r["silent"].body) == (18, b"he") and "silent" in r["silent"].error


def test_server_that_is_slow(drive, quic_peer, quic_options):
    t = drive.get("easy", URL=quic_peer.url(play(("wait", HASTY * 1500), response(), "fin"), "hasty"), **quic_options)
    assert (t.code, t.body) == (0, SERVED)


# ---------------------------------------------------------------- death

def test_server_that_dies_in_a_body(drive, way, mortal, quic_options):
    """A sign of life that is not answered finds out."""
    one, two = transfers(drive, way, mortal.at("hasty"), quic_options, [play(BEGUN, "die"), "/12.txt"])
    assert one.code in LOST and one.error and one.body == b"he"
    assert two.code in by_library([7], None, [7, 55])


def test_server_that_dies_in_an_upload(drive, way, mortal, quic_options):
    d = drive(way).easy("h", URL=mortal.url(play("die", at_head=True), "hasty"), UPLOAD=1, INFILESIZE=5_000_000, **quic_options)
    t = d.body("h", 5_000_000).perform().run()["h"]
    assert t.code in by_library([55, 56], None, [7, 55, 56]) and t.error


def test_server_that_has_forgotten(drive, way, quic_peer, quic_options, first):
    """A stateless reset (RFC 9000 section 10.3) in a body, before a response, and while idle."""
    paths = [play(BEGUN, "flush", "forget"), "/12.txt", play(first, "forget"), play(response(), "fin", "flush", ("wait", 30), "forget"),
             "/12.txt"]
    body, served, again, last, next_one = transfers(drive, way, quic_peer.at("quic"), quic_options, paths)
    assert body.code in LOST and body.error and body.body == b"he"
    got(served, "12.txt")
    assert (again.code, again.body) == (0, AGAIN)
    assert (last.code, last.body) == (0, SERVED)
    got(next_one, "12.txt")


def test_server_that_was_started_again(drive, way, mortal_nginx, quic_options):
    """nginx keeps its key: it answers to a connection of before with a stateless reset."""
    d = drive(way).easy("h", URL=mortal_nginx.url("/64k.bin", "quic"), **quic_options).perform().start()
    d.expect("result")
    mortal_nginx.die()
    mortal_nginx.live_again()
    r = d.perform().getinfo("h", "NUM_CONNECTS").end()
    for t in r.all("h"):
        got(t, "64k.bin")
    assert r["h"].info["NUM_CONNECTS"] == 1


def test_server_that_was_started_again_without_a_key(drive, way, mortal, quic_options, ours_only):
    """It says nothing to a connection of before, which ends when it has been silent for as long as that server wanted."""
    ours_only("libcurl 8.23 fails")
    d = drive(way).easy("h", URL=mortal.url("/64k.bin", "hasty"), **quic_options).perform().start()
    d.expect("result")
    mortal.die()
    mortal.live_again()
    for t in d.perform().end().all("h"):
        got(t, "64k.bin")
