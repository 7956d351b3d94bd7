"""mux: many transfers on one connection (README.md)."""

import threading

import pytest

from mote_driver import PAUSE_CONT, crc, pattern
from mux_peer import MuxServer, Serve, frame
from script import Close, Reset, UntilClose

SIZES = [0, 1, 16384, 16385, 100_000]


@pytest.fixture(params=["plain", "tls"])
def mux(request, make_server, certs):
    """A server that answers every stream of any connection; with TLS too."""
    s = make_mux(make_server, certs.context() if request.param == "tls" else None)
    s.default(Serve())
    return s


def make_mux(make_server, tls=None):
    return make_server(cls=MuxServer, tls=tls)


@pytest.fixture
def plain(make_server):
    return make_mux(make_server)


def options(server):
    return {"PIPEWAIT": 1, **({"SSL_VERIFYPEER": 0} if server.tls else {})}


def begin(d, server, **paths):
    """Handles by name, added to the multi m."""
    for name, path in paths.items():
        d.easy(name, URL=server.url(path), **options(server))
    return d.do("add", "m", *paths)


def served(server):
    """The frames of each connection, after the driver has ended."""
    server.settle()
    return [c.frames for c in server.connections]


@pytest.mark.parametrize("size", SIZES)
def test_size(drive, way, mux, size):
    t = drive.get(way, URL=mux.url(f"/size/{size}"), info=("NUM_CONNECTS", "SIZE_DOWNLOAD_T"), **options(mux))
    assert (t.code, t.length, t.crc) == (0, size, crc(pattern(size)))
    assert t.info == {"NUM_CONNECTS": 1, "SIZE_DOWNLOAD_T": size}


def test_kept(drive, way, mux):
    d = drive(way).easy(URL=mux.url("/size/5"), **options(mux))
    for n in (5, 70_000, 1):
        d.setopt("h", URL=mux.url(f"/size/{n}")).perform()
    r = d.run()
    assert [(t.code, t.length) for t in r.all("h")] == [(0, 5), (0, 70_000), (0, 1)]
    assert [[f.stream for f in frames if f.type == "O"] for frames in served(mux)] == [[1, 3, 5]]


def test_many_on_one_connection(drive, multi_way, mux):
    """Those that wait for the dial of the first one get its connection."""
    names = {f"h{i}": f"/size/{n}" for i, n in enumerate([*SIZES, 7000, 30_000])}
    r = begin(drive(multi_way), mux, **names).do("drive", "m", "all").run()
    for name, path in names.items():
        n = int(path[6:])
        assert (r[name].code, r[name].length, r[name].crc) == (0, n, crc(pattern(n)))
    assert len(served(mux)) == 1


def test_more_than_have_room(drive, multi_way, plain):
    plain.default(Serve())
    names = {f"h{i}": f"/size/{i * 1000}" for i in range(40)}
    r = begin(drive(multi_way), plain, **names).do("drive", "m", "all").run()
    assert all(r[f"h{i}"].code == 0 and r[f"h{i}"].length == i * 1000 for i in range(40))
    assert sum(f.type == "O" for frames in served(plain) for f in frames) == 40
    assert len(plain.connections) <= 40


@pytest.mark.parametrize("size", SIZES)
def test_upload(drive, way, mux, size):
    t = drive.get(way, URL=mux.url("/echo"), UPLOAD=1, body=size, **options(mux))
    assert (t.code, t.length, t.crc) == (0, size, crc(pattern(size)))


def test_post_from_memory(drive, way, mux):
    t = drive.get(way, URL=mux.url("/echo"), POSTFIELDS="a=b", **options(mux))
    assert (t.code, t.body) == (0, b"a=b")


def test_status(drive, way, mux):
    t = drive.get(way, URL=mux.url("/status/7"), **options(mux))
    assert (t.code, t.error) == (78, "The server answers with status 7")


def test_path_that_is_too_long(drive, way):
    assert drive.get(way, URL="mux://127.0.0.1:1/" + 1024 * "x").code == 3


# ---------------------------------------------------------------- pauses

def test_paused_one_does_not_hold_the_others(drive, multi_way, mux):
    """The server may fill the paused stream's window, and no more."""
    d = drive(multi_way).easy("p", URL=mux.url("/size/100000"), **options(mux)).on("p", "write", "call", 1, "pause")
    d.do("add", "m", "p")
    begin(d, mux, a="/size/100000", b="/size/60000").do("drive", "m", "done", "a").do("drive", "m", "done", "b")
    d.do("mark", "others").do("pause", "p", PAUSE_CONT).do("drive", "m", "all")
    r = d.run()
    assert r.order[-1] == "p"
    for name, n in (("p", 100_000), ("a", 100_000), ("b", 60_000)):
        assert (r[name].code, r[name].length, r[name].crc) == (0, n, crc(pattern(n)))
    assert len(served(mux)) == 1


def test_no_credit_while_paused(drive, multi_way, plain):
    full = threading.Event()

    def serve(mux):
        ids = mux.opened(1)
        mux.send("B", ids["/p"], pattern(10_000))
        mux.send("B", ids["/p"], pattern(6384))
        mux.send("P", 0, b"12345678")
        mux.expect("Q", 0, b"12345678")
        assert not any(f.type == "W" for f in mux.frames)
        full.set()
        mux.expect("W", ids["/p"], (16384).to_bytes(4, "big"))
        mux.send("B", ids["/p"], b"end")
        mux.send("E", ids["/p"], 0)

    plain.play(serve)
    d = drive(multi_way).easy("p", URL=plain.url("/p")).on("p", "write", "call", 1, "pause").do("add", "m", "p")
    d.do("drive", "m", "stdin").start()
    assert full.wait(40)
    r = d.do("pause", "p", PAUSE_CONT).do("drive", "m", "all").end()
    assert (r["p"].code, r["p"].body) == (0, pattern(10_000) + pattern(6384) + b"end")


def test_paused_from_outside(drive, multi_way, mux):
    d = drive(multi_way)
    begin(d, mux, h="/size/100000").do("drive", "m", "bytes", "h", "write", 1).do("pause", "h", 1)
    begin(d, mux, a="/size/50000").do("drive", "m", "done", "a").do("pause", "h", 0)
    r = d.do("drive", "m", "all").run()
    assert (r["h"].code, r["h"].crc, r["a"].crc) == (0, crc(pattern(100_000)), crc(pattern(50_000)))


def test_unpaused_by_another_ones_callback(drive, multi_way, mux):
    d = drive(multi_way).easy("p", URL=mux.url("/size/40000"), **options(mux)).on("p", "write", "call", 1, "pause")
    d.easy("a", URL=mux.url("/size/100000"), **options(mux)).on("a", "write", "every", 1, "unpause", "p")
    r = d.do("add", "m", "p", "a").do("drive", "m", "all").run()
    assert (r["p"].code, r["p"].crc, r["a"].crc) == (0, crc(pattern(40_000)), crc(pattern(100_000)))


# ---------------------------------------------------------------- one ends, the others go on

def test_removed_in_the_middle(drive, multi_way, mux):
    d = drive(multi_way)
    begin(d, mux, x="/half", a="/half").do("drive", "m", "bytes", "x", "write", 9)
    d.do("drive", "m", "bytes", "a", "write", 9).do("remove", "m", "x").do("cleanup", "x")
    begin(d, mux, b="/size/50000").do("drive", "m", "done", "b").do("remove", "m", "a")
    r = d.run()
    assert (r["b"].code, r["b"].crc) == (0, crc(pattern(50_000)))
    frames, = served(mux)
    assert [f.stream for f in frames if f.type == "R"][:1] == [1]


def test_the_first_one_leaves_the_dial(drive, multi_way, mux):
    """Which it owns: a waiter takes it over."""
    d = drive(multi_way)
    begin(d, mux, x="/size/1", a="/size/50000", b="/size/5").do("drive", "m", "for", 0).do("remove", "m", "x")
    r = d.do("cleanup", "x").do("drive", "m", "all").run()
    assert (r["a"].code, r["a"].length, r["b"].code, r["b"].length) == (0, 50_000, 0, 5)


def test_write_error_of_one(drive, multi_way, mux):
    d = drive(multi_way)
    d.easy("x", URL=mux.url("/size/100000"), **options(mux)).on("x", "write", "call", 2, "return", 0)
    d.do("add", "m", "x")
    r = begin(d, mux, a="/size/100000", b="/size/30000").do("drive", "m", "all").run()
    assert r["x"].code == 23
    assert (r["a"].code, r["a"].crc, r["b"].code, r["b"].crc) == (0, crc(pattern(100_000)), 0, crc(pattern(30_000)))
    frames, = served(mux)
    assert [f.stream for f in frames if f.type == "R"] == [1]


def test_timeout_of_one(drive, multi_way, mux):
    d = drive(multi_way)
    d.easy("x", URL=mux.url("/stall"), TIMEOUT_MS=300, **options(mux)).do("add", "m", "x")
    begin(d, mux, a="/size/100000").do("drive", "m", "all")
    r = begin(d, mux, b="/size/5").do("drive", "m", "all").run()
    assert (r["x"].code, r["a"].code, r["a"].length, r["b"].code) == (28, 0, 100_000, 0)
    assert len(served(mux)) == 1


def test_reset_by_the_server(drive, multi_way, plain):
    def serve(mux):
        ids = mux.opened(2)
        mux.send("B", ids["/x"], b"some")
        mux.send("R", ids["/x"], 5)
        mux.send("B", ids["/a"], b"all")
        mux.send("E", ids["/a"], 0)

    plain.play(serve)
    r = begin(drive(multi_way), plain, x="/x", a="/a").do("drive", "m", "all").run()
    assert (r["x"].code, r["x"].error, r["x"].body) == (9, "The server has given the stream up: error 5", b"some")
    assert (r["a"].code, r["a"].body) == (0, b"all")


# ---------------------------------------------------------------- the connection ends

def dying(end):
    """One stream is complete, one has begun, one has nothing."""
    def serve(mux):
        ids = mux.opened(3)
        mux.send("B", ids["/whole"], b"whole")
        mux.send("E", ids["/whole"], 0)
        mux.send("B", ids["/part"], b"part")
        if end is Reset:
            mux.peer.server.ready.wait(40)
        end().run(mux.peer)
    return serve


@pytest.mark.parametrize("end", [Close, Reset])
def test_peer_dies_in_the_middle(drive, multi_way, plain, end):
    """Every transfer ends with its own code; the one that is complete and paused loses nothing."""
    plain.ready = threading.Event()
    plain.play(dying(end))
    plain.default(Serve())
    d = drive(multi_way).easy("w", URL=plain.url("/whole"), PIPEWAIT=1).on("w", "write", "call", 1, "pause")
    d.do("add", "m", "w")
    begin(d, plain, p="/part", n="/none").do("drive", "m", "bytes", "p", "write", 4).do("drive", "m", "paused", "w")
    d.do("mark", "both").do("drive", "m", "stdin").start()
    d.expect("mark", "both")
    plain.ready.set()
    d.do("drive", "m", "done", "p").do("pause", "w", PAUSE_CONT).do("drive", "m", "done", "w")
    r = d.do("remove", "m", "n").end()
    assert (r["w"].code, r["w"].body) == (0, b"whole")
    assert (r["p"].code, r["p"].body) == (56 if end is Reset else 18, b"part")
    plain.settle()
    assert len(plain.connections) == 2  # n is retried, since it came to a connection of another one


def test_peer_dies_without_an_answer(drive, way, plain):
    plain.play(lambda mux: (mux.opened(1), Close().run(mux.peer)))
    assert drive.get(way, URL=plain.url("/x")).code == 52


def test_kept_connection_was_dead(drive, way, plain):
    def serve(mux):
        mux.send("E", mux.opened(1)["/1"], 0)
        mux.opened(1)
        Close().run(mux.peer)

    plain.play(serve)
    plain.default(Serve())
    d = drive(way).easy(URL=plain.url("/1")).perform().setopt("h", URL=plain.url("/size/9")).perform()
    r = d.run()
    assert [(t.code, t.length) for t in r.all("h")] == [(0, 0), (0, 9)]
    assert len(plain.connections) == 2


def test_goaway(drive, multi_way, plain):
    """What the server has begun with comes to its end; the others move to another connection."""
    def serve(mux):
        ids = mux.opened(3)
        assert sorted(ids.values()) == [1, 3, 5]
        mux.send("G", 0, 1)
        by = {i: path for path, i in ids.items()}
        mux.send("B", 1, by[1].encode())
        mux.send("E", 1, 0)

    plain.play(serve)
    plain.default(Serve())
    d = begin(drive(multi_way), plain, a="/size/1", b="/size/2", c="/size/3").do("drive", "m", "all")
    r = begin(d, plain, later="/size/4").do("drive", "m", "all").run()
    assert [r[n].code for n in ("a", "b", "c", "later")] == [0, 0, 0, 0]
    assert [r[n].length for n in ("a", "b", "c", "later")] == [7, 2, 3, 4]
    assert not [f for f in served(plain)[0] if f.type == "R"]


def test_refused_twice(drive, way, plain):
    """A request is made again once."""
    for _ in range(2):
        plain.play(lambda mux: (mux.opened(1), mux.send("G", 0, 0)))
    assert drive.get(way, URL=plain.url("/x")).code == 56


# ---------------------------------------------------------------- without a transfer

def test_ping_with_no_transfer(drive, multi_way, mux):
    """The driver answers, and the connection is used again. An application's own loop has no watch of an idle
    connection: there it answers when it is used."""
    said = threading.Event()

    def after(m):
        if any(f.type == "O" for f in m.frames) and not m.peer.__dict__.get("pinged"):
            m.peer.pinged = True
            go.wait(40)
            m.send("P", 0, b"are you?")
            if multi_way != "socket":
                m.expect("Q", 0, b"are you?")
            said.set()

    go = threading.Event()
    mux.default(Serve(after))
    d = begin(drive(multi_way), mux, h="/size/5").do("drive", "m", "done", "h").do("mark", "idle")
    d.do("drive", "m", "stdin").start()
    d.expect("mark", "idle")
    go.set()
    assert said.wait(40)
    r = begin(d, mux, again="/size/6").do("drive", "m", "all").end()
    assert (r["h"].length, r["again"].length) == (5, 6)
    frames, = served(mux)
    assert [f.payload for f in frames if f.type == "Q"] == [b"are you?"]


def test_idle_connection_that_ends(drive, multi_way, plain):
    gone = threading.Event()

    def serve(mux):
        mux.send("E", mux.opened(1)["/x"], 0)
        gone.wait(40)
        Close().run(mux.peer)

    plain.play(serve)
    plain.default(Serve())
    d = begin(drive(multi_way), plain, x="/x").do("drive", "m", "done", "x").do("mark", "idle")
    d.do("drive", "m", "for", 50).do("drive", "m", "stdin").start()
    d.expect("mark", "idle")
    gone.set()
    r = begin(d.do("drive", "m", "for", 50), plain, y="/size/1").do("drive", "m", "all").end()
    assert (r["x"].code, r["y"].code) == (0, 0)


# ---------------------------------------------------------------- hostile peers

HOSTILE = {
    "too long": frame("B", 1, length=16385),
    "much too long": frame("B", 1, length=0xffffffff),
    "no such type": frame("X", 1),
    "the client's type": frame("O", 1, b"/push"),
    "stream 0": frame("B", 0, b"x"),
    "even stream": frame("B", 2, b"x"),
    "a stream that was not opened": frame("B", 99, b"x"),
    "an end without status": frame("E", 1),
    "a long end": frame("E", 1, b"12345678"),
    "credit without a number": frame("W", 1, b""),
    "a ping of a stream": frame("P", 1, b"12345678"),
    "a short ping": frame("P", 0, b"1234"),
    "a long goodbye": frame("G", 0, b"12345678"),
}


@pytest.mark.parametrize("what", list(HOSTILE))
def test_broken_framing(drive, multi_way, plain, what):
    """It ends every transfer: what comes next cannot be trusted."""
    plain.play(lambda mux: (mux.opened(2), mux.peer.send(HOSTILE[what])))
    r = begin(drive(multi_way), plain, a="/a", b="/b").do("drive", "m", "all").run()
    assert (r["a"].code, r["b"].code) == (8, 8)


OVER = {
    "window": frame("B", 1, bytes(10_000)) + frame("B", 1, bytes(6385)),
    "credit": frame("W", 1, 0x7fffffff),
    "after the end": frame("E", 1, 0) + frame("B", 1, b"x"),
}


@pytest.mark.parametrize("what", list(OVER))
def test_broken_window(drive, multi_way, plain, what):
    """It ends that stream alone."""
    def serve(mux):
        ids = mux.opened(2)
        x = next(p for p, i in ids.items() if i == 1)
        a = next(i for p, i in ids.items() if p != x)
        mux.peer.send(OVER[what])
        mux.send("B", a, b"fine")
        mux.send("E", a, 0)

    plain.play(serve)
    d = drive(multi_way).easy("x", URL=plain.url("/x"), PIPEWAIT=1).on("x", "write", "call", 1, "pause")
    d.do("add", "m", "x")
    r = begin(d, plain, a="/a").do("drive", "m", "done", "a").do("pause", "x", 0).do("drive", "m", "all").run()
    assert (r["a"].code, r["a"].body) == (0, b"fine")
    assert r["x"].code == 8


def test_every_cut(drive, way, plain):
    def serve(mux):
        i = mux.opened(1)["/x"]
        answer = frame("B", i, b"abc") + frame("P", 0, b"12345678") + frame("B", i, b"") + frame("E", i, 0)
        for at in range(len(answer)):
            mux.peer.send(answer[at:at + 1])
        mux.expect("Q", 0, b"12345678")

    plain.play(serve)
    t = drive.get(way, URL=plain.url("/x"))
    assert (t.code, t.body) == (0, b"abc")


def test_frames_of_a_removed_transfer(drive, multi_way, plain):
    """They were on their way."""
    def serve(mux):
        mux.opened(2)
        mux.expect("R", 1)
        mux.send("B", 1, b"late")
        mux.send("E", 1, 0)
        mux.send("B", 3, b"fine")
        mux.send("E", 3, 0)

    plain.play(serve)
    d = begin(drive(multi_way), plain, x="/x", a="/a").do("drive", "m", "for", 100).do("remove", "m", "x")
    r = d.do("drive", "m", "all").run()
    assert (r["a"].code, r["a"].body) == (0, b"fine")


# ---------------------------------------------------------------- limits on connections

def together(mux, count):
    """Answers none before all have come."""
    for f in [mux.expect("O") for _ in range(count)]:
        mux.send("E", f.stream, 0)


@pytest.mark.parametrize("wait", [0, 1])
@pytest.mark.parametrize("limit", ["MAX_TOTAL_CONNECTIONS", "MAX_HOST_CONNECTIONS"])
def test_one_connection_is_allowed(drive, multi_way, plain, limit, wait):
    """Those in the queue get it as soon as it has room for them."""
    plain.play(lambda mux: (together(mux, 16), together(mux, 4)))
    plain.default(Serve())
    d = drive(multi_way).do("multi", "m").do("msetopt", "m", limit, 1)
    names = [f"h{i}" for i in range(20)]
    for name in names:
        d.easy(name, URL=plain.url("/size/0"), PIPEWAIT=wait)
    r = d.do("add", "m", *names).do("drive", "m", "all").run()
    assert [r[name].code for name in names] == [0] * 20
    assert len(plain.connections) == 1


def test_dies_while_others_wait_for_room(drive, multi_way, plain):
    plain.play(lambda mux: (mux.opened(16), Close().run(mux.peer)))
    plain.default(Serve())
    d = drive(multi_way).do("multi", "m").do("msetopt", "m", "MAX_TOTAL_CONNECTIONS", 1)
    names = {f"h{i}": f"/size/{i}" for i in range(20)}
    r = begin(d, plain, **names).do("drive", "m", "all").run()
    assert sorted(r[name].code for name in names) == [0] * 19 + [52]  # the one that made the connection
    assert [r[name].length for name in names if not r[name].code] == [i for i in range(20) if not r[f"h{i}"].code]


def test_forbidden_to_others(drive, multi_way, plain):
    """FORBID_REUSE of one: the others stay to their end, and no more come."""
    plain.play(lambda mux: mux.send("E", mux.opened(2)["/x"], 0))
    plain.default(Serve())
    d = drive(multi_way).easy("x", URL=plain.url("/x"), PIPEWAIT=1, FORBID_REUSE=1).do("add", "m", "x")
    begin(d, plain, a="/a").do("drive", "m", "done", "x")
    begin(d, plain, b="/size/5").do("drive", "m", "done", "b").do("remove", "m", "a")
    r = d.run()
    assert (r["x"].code, r["b"].code, r["b"].length) == (0, 0, 5)
    plain.settle()
    assert len(plain.connections) == 2


# ---------------------------------------------------------------- a dial with others that wait

def test_dial_fails(drive, multi_way, closed_port):
    d = drive(multi_way)
    names = [f"h{i}" for i in range(6)]
    for name in names:
        d.easy(name, URL=f"mux://127.0.0.1:{closed_port}/", PIPEWAIT=1)
    r = d.do("add", "m", *names).do("drive", "m", "all").run()
    assert [r[name].code for name in names] == [7] * 6


@pytest.mark.parametrize("option", ["TIMEOUT_MS", "CONNECTTIMEOUT_MS"])
def test_deadlines_during_a_dial(drive, multi_way, full_port, option):
    """A transfer that waits has its own, and so has one that takes the dial over."""
    d = drive(multi_way)
    for name, ms in (("own", 600), ("short", 200), ("long", 1500)):
        d.easy(name, URL=f"mux://127.0.0.1:{full_port}/", PIPEWAIT=1, **{option: ms})
    r = d.do("add", "m", "own", "short", "long").do("drive", "m", "all").run()
    assert [r[name].code for name in ("own", "short", "long")] == [28] * 3
    assert r.order == ["short", "own", "long"]


def test_owner_leaves_during_the_lookup(drive, multi_way, mux):
    host = mux.url("/size/5").replace("127.0.0.1", "localhost")
    d = drive(multi_way)
    for name in "xab":
        d.easy(name, URL=host, IPRESOLVE=1, **options(mux))
    r = d.do("add", "m", *"xab").do("drive", "m", "for", 0).do("remove", "m", "x").do("cleanup", "x").do("drive", "m", "all").run()
    assert (r["a"].length, r["b"].length) == (5, 5)


def test_other_callbacks_end_the_dial(drive, multi_way, mux):
    """The dial has opened its sockets with those of the owner."""
    d = drive(multi_way).easy("x", URL=mux.url("/size/1"), **options(mux)).enable("x", "opensocket", "closesocket")
    d.do("add", "m", "x")
    d = begin(d, mux, a="/size/5", b="/size/6").do("drive", "m", "for", 0).do("remove", "m", "x").do("cleanup", "x")
    r = d.do("drive", "m", "all").run()
    assert (r["a"].length, r["b"].length) == (5, 6)
    mux.forgive()  # the handshake of the connection that was given up


# ---------------------------------------------------------------- the end of everything

@pytest.mark.parametrize("how", ["remove", "cleanup", "mcleanup"])
@pytest.mark.parametrize("state", ["dial", "open", "paused", "sending"])
def test_left_in_any_state(drive, multi_way, mux, state, how):
    d = drive(multi_way)
    for name in "abc":
        d.easy(name, URL=mux.url("/stall" if state == "sending" else "/size/90000"), **options(mux))
        if state == "sending":
            d.setopt(name, UPLOAD=1).body(name, 100_000)
        if state == "paused":
            d.on(name, "write", "call", 1, "pause")
    d.do("add", "m", *"abc")
    for name in "abc":
        d.do(*{"dial": ("drive", "m", "for", 0), "open": ("drive", "m", "bytes", name, "write", 1),
               "paused": ("drive", "m", "paused", name), "sending": ("drive", "m", "bytes", name, "read", 16384)}[state])
    if how == "mcleanup":
        d.do("mcleanup", "m")
    for name in "abc":
        d.do(*(("remove", "m", name) if how == "remove" else ("cleanup", name)))
    d.run()
    mux.forgive()  # what it was about to read


def test_connect_only_beside(drive, multi_way, plain):
    """Its connection is its own."""
    plain.script(UntilClose())
    plain.default(Serve())
    d = drive(multi_way).easy("o", URL=plain.url("/"), CONNECT_ONLY=1).do("add", "m", "o").do("drive", "m", "done", "o")
    r = begin(d, plain, a="/size/5", b="/size/6").do("drive", "m", "all").run()
    assert (r["o"].code, r["a"].length, r["b"].length) == (0, 5, 6)


def test_active_socket_of_a_share(drive, plain, make_server):
    """The connection is not in the share's pool, where another one may have its number."""
    web = make_server()
    web.answer(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1")
    plain.default(Serve())
    d = drive().do("share", "s").do("sharesetopt", "s", "SHARE", 5)
    d.easy("w", URL=web.url()).setopt("w", SHARE="s").perform("w").getinfo("w", "ACTIVESOCKET")
    d.easy("x", URL=plain.url("/size/5")).setopt("x", SHARE="s").perform("x").getinfo("x", "ACTIVESOCKET")
    r = d.do("cleanup", "w", "x").do("shcleanup", "s").run()
    assert r.infos["w"]["ACTIVESOCKET"] > 2 and r.infos["x"]["ACTIVESOCKET"] > 2
    assert r.infos["w"]["ACTIVESOCKET"] != r.infos["x"]["ACTIVESOCKET"]


# ---------------------------------------------------------------- TLS

def test_session_is_resumed(drive, way, make_server, certs):
    """Tickets come after the handshake, when the connection is no transfer's own."""
    server = make_mux(make_server, certs.context())
    server.default(Serve())
    d = drive(way).easy(URL=server.url("/size/5"), **options(server)).perform()
    d.setopt("h", FRESH_CONNECT=1).perform()
    r = d.run()
    assert [t.code for t in r.all("h")] == [0, 0]
    server.settle()
    assert [c.tls_reused for c in server.connections] == [False, True]

