"""The multi interface: handles removed in any state, moved, cleaned up attached, wake-ups, fork, messages."""

import pytest

from mote_driver import crc, not_debian, pattern
from server import Expect, Reply, Serve, UntilClose, chunked, response


def serve(q, p):
    """/size/N: N bytes; /stall…: nothing; /part: half of a body."""
    if q.target.startswith("/stall"):
        UntilClose().run(p)
        return None
    if q.target.startswith("/part"):
        p.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf of it")
        UntilClose().run(p)
        return None
    if q.target.startswith("/size/"):
        return response(200, pattern(int(q.target[6:])))
    return response(200, b"x")


@pytest.fixture
def busy(make_server):
    s = make_server(backlog=1024)
    s.default(Serve(serve))
    return s


def test_many(drive, busy, multi_way):
    sizes = [0, 1, 100, 16384, 100_000] * 12
    d = drive(multi_way)
    for i, n in enumerate(sizes):
        d.easy(f"h{i}", URL=busy.url(f"/size/{n}"))
    names = [f"h{i}" for i in range(len(sizes))]
    r = d.perform(*names).run()
    assert [(r[n].code, r[n].length, r[n].crc) for n in names] == [(0, n, crc(pattern(n))) for n in sizes]


def test_two_hundred(drive, busy, multi_way):
    d = drive(multi_way)
    names = [f"h{i}" for i in range(200)]
    for i, n in enumerate(names):
        d.easy(n, URL=busy.url(f"/size/{i * 7}")).enable(n, "quiet")
    for i in range(0, 200, 50):
        d.do("add", "m", *names[i:i + 50])
    r = d.do("drive", "m", "all").run()
    assert all(r[n].code == 0 and r[n].length == i * 7 for i, n in enumerate(names))


def test_added_while_others_run(drive, busy, multi_way):
    d = drive(multi_way).easy("a", URL=busy.url("/part"), TIMEOUT_MS=15000).do("add", "m", "a")
    d.do("drive", "m", "bytes", "a", "write", 5)
    for i in range(5):
        d.easy(f"b{i}", URL=busy.url("/size/1000")).do("add", "m", f"b{i}").do("drive", "m", "done", f"b{i}")
    r = d.do("remove", "m", "a").run()
    assert r.order == ["b0", "b1", "b2", "b3", "b4"]
    assert all(r[n].code == 0 for n in r.order)


# ---------------------------------------------------------------- removed in any state

STATES = {
    "fresh": [],
    "one step": [("drive", "m", "for", 0)],
    "head": [("drive", "m", "calls", "h", "header", 1)],
    "body": [("drive", "m", "bytes", "h", "write", 5)],
}


@pytest.mark.parametrize("state", list(STATES))
@pytest.mark.parametrize("then", ["add", "cleanup", "easy"])
def test_removed(drive, busy, multi_way, state, then):
    """No message comes for it, no descriptor stays; the handle works afterwards."""
    d = drive(multi_way).easy(URL=busy.url("/part")).do("add", "m", "h")
    for step in STATES[state]:
        d.do(*step)
    d.do("remove", "m", "h").do("drive", "m", "for", 20)
    if then == "add":
        d.setopt("h", URL=busy.url("/size/5")).do("add", "m", "h").do("drive", "m", "all")
    elif then == "easy":
        d.setopt("h", URL=busy.url("/size/5")).perform()
    else:
        d.do("cleanup", "h")
    r = d.run()
    assert r.code("mcode", "h", "remove") == 0
    if then == "cleanup":
        assert not r.all("h")
    else:
        assert len(r.all("h")) == 1 and (r["h"].code, r["h"].length) == (0, 5)


@pytest.mark.parametrize("state", [*STATES, "done"])
def test_reset_while_attached(drive, busy, multi_way, state):
    """What was set before, credentials above all, is not for the next request."""
    d = drive(multi_way).easy(URL=busy.url("/size/5" if state == "done" else "/part"), POSTFIELDS="x", USERPWD="u:p")
    for step in [("add", "m", "h"), *STATES.get(state, [("drive", "m", "all")]), ("reset", "h")]:
        d.do(*step)
    d.setopt("h", URL=busy.url("/size/6")).do("remove", "m", "h").do("add", "m", "h").do("drive", "m", "all")
    r = d.run()
    assert (r["h"].code, r["h"].length) == (0, 6)
    assert busy.requests[-1].method == "GET" and not busy.requests[-1].header("Authorization")


@not_debian("it calls in any state")
@pytest.mark.parametrize("how", ["remove", "mcleanup", "cleanup"])
@pytest.mark.parametrize("asked", [False, True])
def test_progress_of_what_is_taken_away(drive, busy, multi_way, how, asked):
    """A request that was sent has a last report."""
    d = drive(multi_way).easy(URL=busy.url("/part"), NOPROGRESS=0).enable("h", "xferinfo")
    d.on("h", "xferinfo", "every", 1, "getinfo", "RESPONSE_CODE").do("add", "m", "h")
    if asked:
        d.do("drive", "m", "bytes", "h", "write", 1)
    d.do("mark", "now").do(how, *{"remove": "mh", "mcleanup": "m", "cleanup": "h"}[how])
    r = d.do("mark", "then").run()
    kinds = [line[0] if line[0] != "mark" else line[1] for line in r.lines]
    assert kinds[kinds.index("now"):kinds.index("then")].count("info") == asked


def test_removed_while_connecting(drive, full_port, multi_way):
    d = drive(multi_way).easy(URL=f"http://127.0.0.1:{full_port}/").do("add", "m", "h").do("drive", "m", "for", 30)
    r = d.do("remove", "m", "h").do("cleanup", "h").do("mcleanup", "m").run()
    assert r.code("mcode", "h", "remove") == 0


def test_removed_while_looking_up(drive, multi_way):
    """The name is looked up by a thread that no transfer waits for."""
    d = drive(multi_way).easy(URL="http://no-such-host.invalid/").do("add", "m", "h").do("drive", "m", "for", 0)
    r = d.do("remove", "m", "h").do("cleanup", "h").do("mcleanup", "m").run()
    assert r.code("mcode", "h", "remove") == 0


def test_unix_socket_chosen_while_looking_up(drive, multi_way, tmp_path):
    """The lookup goes on without addresses where the route, read again, needs none."""
    d = drive(multi_way).easy(URL="http://no-such-host.invalid/").do("add", "m", "h").do("drive", "m", "for", 0)
    r = d.setopt("h", UNIX_SOCKET_PATH=str(tmp_path / "none")).do("drive", "m", "all").run()
    assert r["h"].code in (6, 7)  # 7: it had not begun yet


def test_removed_in_the_handshake(drive, make_server, multi_way):
    server = make_server()
    server.script(UntilClose())
    d = drive(multi_way).easy(URL=f"https://127.0.0.1:{server.port}/").do("add", "m", "h").do("drive", "m", "for", 30)
    d.do("remove", "m", "h").do("cleanup", "h").do("mcleanup", "m").run()


def test_removed_while_uploading(drive, make_server, multi_way):
    server = make_server()
    server.script(Expect("PUT", body=False), UntilClose())
    d = drive(multi_way).easy(URL=server.url(), UPLOAD=1, INFILESIZE=50_000_000, HTTPHEADER=["Expect:"]).body("h", 50_000_000)
    d.do("add", "m", "h").do("drive", "m", "bytes", "h", "read", 1_000_000).do("remove", "m", "h").run()


def test_removed_twice_and_unknown(drive, busy, multi_way):
    d = drive(multi_way).easy(URL=busy.url("/stall")).do("multi", "m").do("remove", "m", "h").do("add", "m", "h")
    r = d.do("drive", "m", "for", 20).do("remove", "m", "h").do("remove", "m", "h").run()
    assert [f[-1] for f in r.of("mcode", "h", "remove")] == [0, 0, 0]


def test_connection_of_a_removed_one_is_not_used(drive, busy, multi_way):
    d = drive(multi_way).easy("a", URL=busy.url("/part")).easy("b", URL=busy.url("/size/3")).do("add", "m", "a")
    d.do("drive", "m", "bytes", "a", "write", 5).do("remove", "m", "a").do("add", "m", "b").do("drive", "m", "all")
    r = d.run()
    assert (r["b"].code, r["b"].body) == (0, pattern(3))
    assert len(busy.connections) == 2


# ---------------------------------------------------------------- cleaned up, moved, copied, reset

def test_easy_cleanup_while_attached(drive, busy, multi_way):
    d = drive(multi_way).easy("a", URL=busy.url("/part")).easy("b", URL=busy.url("/size/7")).do("add", "m", "a", "b")
    r = d.do("drive", "m", "bytes", "a", "write", 5).do("cleanup", "a").do("drive", "m", "done", "b").run()
    assert r["b"].code == 0


def test_multi_cleanup_under_way(drive, busy, multi_way):
    """curl_multi_cleanup with transfers under way: the handles live on and can be used."""
    d = drive(multi_way).easy("a", URL=busy.url("/part")).easy("b", URL=busy.url("/stall")).do("add", "m", "a", "b")
    d.do("drive", "m", "bytes", "a", "write", 5).do("mcleanup", "m").setopt("a", URL=busy.url("/size/9")).perform("a")
    r = d.do("cleanup", "b").run()
    assert (r["a"].code, r["a"].length) == (0, 9)


def test_moved(drive, busy, multi_way):
    """From one multi to another in the middle: it starts again there."""
    d = drive(multi_way).easy(URL=busy.url("/part")).do("multi", "m1").do("multi", "m2").do("add", "m1", "h")
    d.do("drive", "m1", "bytes", "h", "write", 5).do("remove", "m1", "h").setopt("h", URL=busy.url("/size/11"))
    d.do("add", "m2", "h").do("mcleanup", "m1").do("drive", "m2", "all")
    r = d.run()
    assert (r["h"].code, r["h"].length) == (0, 11)


def test_easy_then_multi_then_easy(drive, busy, multi_way):
    d = drive(multi_way).easy(URL=busy.url("/size/1")).do("threads", "h").do("add", "m", "h").do("drive", "m", "all")
    r = d.do("threads", "h").run()
    assert [t.code for t in r.all("h")] == [0, 0, 0]


def test_dup_of_a_running_one(drive, busy, multi_way):
    d = drive(multi_way).easy("a", URL=busy.url("/part"), USERAGENT="agent/9").do("add", "m", "a")
    d.do("drive", "m", "bytes", "a", "write", 5).do("dup", "a", "b").setopt("b", URL=busy.url("/size/4"))
    r = d.do("add", "m", "b").do("drive", "m", "done", "b").do("remove", "m", "a").run()
    assert r["b"].code == 0
    assert busy.requests[1].header("User-Agent") == "agent/9"


def test_dup_copies_strings_and_fields(drive, make_server):
    server = make_server()
    server.script(Expect("POST", body=b"copied\0data", has={"X-A": "b", "Authorization": "Basic dTpw"}), Reply(200, b"ok"))
    d = drive().easy("a", URL=server.url(), USERPWD="u:p", HTTPHEADER=["X-A: b"], POSTFIELDSIZE=11)
    d.setopt("a", COPYPOSTFIELDS=b"copied\0data").do("dup", "a", "b").do("cleanup", "a").perform("b")
    assert d.run()["b"].body == b"ok"


def test_reset(drive, make_server):
    server = make_server()
    server.script(Expect("POST", has={"X-A": "b"}), Reply(), Expect("GET", lacks=["X-A", "User-Agent"]), Reply())
    d = drive().easy(URL=server.url(), POSTFIELDS="x", HTTPHEADER=["X-A: b"], USERAGENT="u").perform().do("reset", "h")
    assert [t.code for t in d.setopt("h", URL=server.url()).perform().run().all("h")] == [0, 0]


# ---------------------------------------------------------------- waiting

def test_wakeup_before_the_wait(drive):
    r = drive("poll").do("multi", "m").do("wakeup", "m", "BEFORE").run()
    first, second = [f[-1] for f in r.of("woken", "m")]
    assert first < 4000
    assert second >= 40


def test_wakeup_from_a_thread(drive, busy):
    d = drive("poll").easy(URL=busy.url("/stall")).do("add", "m", "h").do("drive", "m", "for", 20).do("wakeup", "m", "THREAD")
    first, second = [f[-1] for f in d.run().of("woken", "m")]
    assert first < 4000


def test_extra_descriptor(drive, busy, multi_way):
    """A descriptor of the application ends the wait (stdin of the driver)."""
    d = drive(multi_way).easy(URL=busy.url("/stall")).do("add", "m", "h").do("drive", "m", "for", 20).do("mark", "go")
    d.do("drive", "m", "stdin").start()
    d.expect("mark", "go")
    d.do("mark", "came")
    d.expect("loops", "m", "stdin")
    d.do("remove", "m", "h")
    d.end()


def test_nothing_left_watched(drive, busy, multi_way):
    """After a transfer the event loop is notified to forget its socket, or the connection's idle one is closed."""
    d = drive(multi_way).easy(URL=busy.url("/size/10")).do("add", "m", "h").do("drive", "m", "all").do("mcleanup", "m")
    r = d.run()
    assert r.of("stillwatched", "m") == []


def test_always_something_to_wait_for(drive, busy):
    """socket_action: a running transfer always has a timer or a watched descriptor."""
    d = drive("socket").easy("a", URL=busy.url("/stall"), TIMEOUT_MS=300).easy("b", URL=busy.url(host="localhost", path="/part"),
                                                                             TIMEOUT_MS=300)
    r = d.perform("a", "b").run()
    assert (r["a"].code, r["b"].code) == (28, 28)
    assert r.of("nothingtowaitfor") == []


# ---------------------------------------------------------------- fork

@pytest.mark.parametrize("when", ["before", "idle", "running"])
def test_fork(drive, busy, multi_way, when):
    """The child makes its own transfers; the parent's go on."""
    d = drive(multi_way).easy("a", URL=busy.url("/size/100000"))
    if when == "idle":
        d.do("add", "m", "a").do("drive", "m", "all")
    elif when == "running":
        d.do("add", "m", "a").do("drive", "m", "for", 0)
    d.do("fork").easy("c", URL=busy.url("/size/5")).do("multi", "n").do("add", "n", "c").do("drive", "n", "all")
    d.do("endfork")
    if when == "running":
        d.do("drive", "m", "all")
    d.easy("b", URL=busy.url("/size/6")).do("add", "m", "b").do("drive", "m", "all")
    r = d.run()
    if when != "before":
        assert (r["a"].code, r["a"].length) == (0, 100000)
    assert (r["b"].code, r["b"].length) == (0, 6)
    assert (r["c"].code, r["c"].length) == (0, 5)
    assert r.code("child") == 0


# ---------------------------------------------------------------- both

def test_mixed_kinds(drive, make_server, certs, closed_port, multi_way):
    """Downloads, uploads, TLS, redirects and failures side by side."""
    plain, secure = make_server(), make_server(tls=certs.context())

    def both(q, p):
        if q.target == "/r":
            return response(302, b"", ["Location: /size/20"])
        if q.target == "/c":
            return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(pattern(5000), 77)
        if q.method == "PUT":
            return response(200, q.body[:10])
        return serve(q, p)
    plain.default(Serve(both))
    secure.default(Serve(both))
    d = drive(multi_way)
    ca = certs.path("ca.pem")
    d.easy("get", URL=plain.url("/size/50000")).easy("tls", URL=secure.url("/size/50000"), CAINFO=ca)
    d.easy("redir", URL=plain.url("/r"), FOLLOWLOCATION=1).easy("chunk", URL=secure.url("/c"), CAINFO=ca)
    d.easy("put", URL=plain.url("/p"), UPLOAD=1, INFILESIZE=30000, HTTPHEADER=["Expect:"]).body("put", 30000)
    d.easy("refused", URL=f"http://127.0.0.1:{closed_port}/").easy("badca", URL=secure.url("/"), CAINFO=certs.path("ca2.pem"))
    d.easy("late", URL=plain.url("/stall"), TIMEOUT_MS=250)
    secure.tls_may_fail = True
    r = d.perform("get", "tls", "redir", "chunk", "put", "refused", "badca", "late").run()
    assert {n: r[n].code for n in r.transfers} == {"get": 0, "tls": 0, "redir": 0, "chunk": 0, "put": 0, "refused": 7,
                                                   "badca": 60, "late": 28}
    assert r["get"].crc == r["tls"].crc == crc(pattern(50000))
    assert r["chunk"].body == pattern(5000)
    assert r["put"].body == pattern(10)


def test_messages_count(drive, busy, multi_way):
    """Each transfer gives one message (the driver counts a second one as a violation)."""
    d = drive(multi_way)
    names = [f"h{i}" for i in range(30)]
    for n in names:
        d.easy(n, URL=busy.url("/size/10"))
    d.perform(*names).perform(*names)
    r = d.run()
    assert len(r.order) == 60


@pytest.mark.parametrize("reads", [False, True])
def test_each_end_is_notified(drive, busy, multi_way, reads, ours_only):
    """CURLMNOTIFY_EASY_DONE comes for each transfer, before INFO_READ, whose callback may remove its handle."""
    ours_only("CURLMOPT_NOTIFYFUNCTION came with libcurl 8.17")
    names = ["a", "b", "c"]
    d = drive(multi_way).do("multi", "m", multi_way).do("notify", "m", *(["read"] if reads else []))
    for n in names:
        d.easy(n, URL=busy.url("/size/10"))
    for _ in range(2):
        d.do("add", "m", *names)
        for n in names:
            d.do("drive", "m", "done", n)
        if reads:
            d.do("remove", "m", *names)
    r = d.run()
    assert len(r.order) == 6
    notified = [(f[0], f[1]) for f in r.of("notify")]
    assert sorted(n for what, n in notified if what == "done") == sorted(2 * names)
    assert ("read", "") not in notified and 2 <= sum(what == "read" for what, _ in notified) <= 6
    assert notified[0][0] == "done"
