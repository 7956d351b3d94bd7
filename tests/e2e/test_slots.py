"""Limits on connections: who waits for one goes on as soon as it could."""

import pytest

from mote_driver import LOCK_CONNECT
from server import Serve, UntilClose, response


@pytest.fixture
def two(make_server):
    """Two hosts: /away redirects from the first to the second, which never answers."""
    far = make_server(backlog=64)

    def silent(q, p):
        UntilClose().run(p)

    far.default(Serve(silent))
    near = make_server(backlog=64)
    near.default(Serve(lambda q, p: response(302, b"", [f"Location: {far.url('/never')}"]) if q.target == "/away"
                       else response(200, b"here")))
    return near


@pytest.mark.parametrize("headers", [[], ["Connection: close"]])
def test_redirect_leaves_the_host(drive, two, multi_way, headers):
    """The first transfer is redirected to another host and stays there: the one that waits for its first host's
    only connection goes on."""
    d = drive(multi_way).do("multi", "m").do("msetopt", "m", "MAX_HOST_CONNECTIONS", 1)
    d.easy("a", URL=two.url("/away"), FOLLOWLOCATION=1, HTTPHEADER=headers, TIMEOUT_MS=250000)
    d.easy("b", URL=two.url("/"), TIMEOUT_MS=25000)
    r = d.do("add", "m", "a", "b").do("drive", "m", "done", "b").do("remove", "m", "a").run()
    assert (r["b"].code, r["b"].body) == (0, b"here")


# ---------------------------------------------------------------- many that wait for their host

@pytest.fixture
def hosts(make_server):
    """Two hosts that answer each request with its target."""
    def servers():
        s = make_server(backlog=64)
        s.default(Serve(lambda q, p: response(200, q.target.encode())))
        return s
    return servers(), servers()


def urls(hosts, count):
    return {f"h{i}": hosts[i % 2].url(f"/{i}") for i in range(count)}


@pytest.mark.parametrize("limits", [{"MAX_HOST_CONNECTIONS": 1}, {"MAX_HOST_CONNECTIONS": 2},
                                    {"MAX_HOST_CONNECTIONS": 1, "MAX_TOTAL_CONNECTIONS": 1},
                                    {"MAX_HOST_CONNECTIONS": 2, "MAX_TOTAL_CONNECTIONS": 3}])
@pytest.mark.parametrize("headers", [[], ["Connection: close"]])
def test_each_has_its_turn(drive, hosts, multi_way, limits, headers):
    d = drive(multi_way).do("multi", "m")
    for name, value in limits.items():
        d.do("msetopt", "m", name, value)
    wanted = urls(hosts, 40)
    for name, url in wanted.items():
        d.easy(name, URL=url, HTTPHEADER=headers, TIMEOUT_MS=60000)
    r = d.do("add", "m", *wanted).do("drive", "m", "all").run()
    assert [(r[n].code, r[n].body) for n in wanted] == [(0, f"/{i}".encode()) for i in range(40)]
    if not headers:
        assert max(len(s.connections) for s in hosts) <= 40
        if "MAX_TOTAL_CONNECTIONS" not in limits:
            assert [len(s.connections) for s in hosts] == [limits["MAX_HOST_CONNECTIONS"]] * 2


def test_host_order(drive, hosts, multi_way):
    """Who has waited longest is next."""
    d = drive(multi_way).do("multi", "m").do("msetopt", "m", "MAX_HOST_CONNECTIONS", 1)
    for i in range(12):
        d.easy(f"h{i}", URL=hosts[0].url(f"/{i}"), TIMEOUT_MS=60000)
    r = d.do("add", "m", *[f"h{i}" for i in range(12)]).do("drive", "m", "all").run()
    assert r.order == [f"h{i}" for i in range(12)]


def test_limit_is_raised_while_others_wait(drive, make_server, hosts, multi_way):
    silent = make_server(backlog=64)
    silent.default(Serve(lambda q, p: UntilClose().run(p)))
    d = drive(multi_way).do("multi", "m").do("msetopt", "m", "MAX_HOST_CONNECTIONS", 1)
    for i in range(4):
        d.easy(f"b{i}", URL=silent.url("/"), TIMEOUT_MS=250000)
    d.do("add", "m", *[f"b{i}" for i in range(4)]).do("drive", "m", "for", 100)
    d.do("msetopt", "m", "MAX_HOST_CONNECTIONS", 9)
    d.easy("c", URL=hosts[0].url("/"), TIMEOUT_MS=25000).do("add", "m", "c").do("drive", "m", "done", "c")
    d.do("drive", "m", "for", 300)
    d.run()
    assert len(silent.connections) == 4


def test_waiting_ones_are_removed(drive, hosts, multi_way):
    d = drive(multi_way).do("multi", "m").do("msetopt", "m", "MAX_HOST_CONNECTIONS", 1)
    wanted = urls(hosts, 12)
    for name, url in wanted.items():
        d.easy(name, URL=url, TIMEOUT_MS=60000)
    d.do("add", "m", *wanted).do("drive", "m", "for", 0)
    gone = ["h2", "h3", "h6", "h10"]
    d.do("remove", "m", *gone)
    rest = [n for n in wanted if n not in gone]
    for name in rest:
        d.do("drive", "m", "done", name)
    r = d.run()
    assert [r[n].code for n in rest] == [0] * len(rest)


def test_one_of_them_times_out(drive, two, multi_way):
    """It leaves its place in the line to the next."""
    d = drive(multi_way).do("multi", "m").do("msetopt", "m", "MAX_HOST_CONNECTIONS", 1)
    far = {"FOLLOWLOCATION": 1}
    d.easy("a", URL=two.url("/away"), TIMEOUT_MS=1500, **far).easy("b", URL=two.url("/away"), TIMEOUT_MS=500, **far)
    d.easy("c", URL=two.url("/away"), TIMEOUT_MS=3000, **far)
    r = d.do("add", "m", "a", "b", "c").do("drive", "m", "all").run()
    assert [r[n].code for n in "abc"] == [28, 28, 28]


def test_cleanup_while_many_wait(drive, hosts, multi_way):
    d = drive(multi_way).do("multi", "m").do("msetopt", "m", "MAX_HOST_CONNECTIONS", 1)
    wanted = urls(hosts, 8)
    for name, url in wanted.items():
        d.easy(name, URL=url)
    d.do("add", "m", *wanted).do("drive", "m", "for", 0).do("mcleanup", "m")
    for name in wanted:
        d.do("perform", name)
    r = d.run()
    assert [r[n].code for n in wanted] == [0] * 8


# ---------------------------------------------------------------- connections of a share

SHARED = [["s"], ["s", None], ["s", "s2", None]]  # the shares of the handles, in turn


def shared_connections(d, *names):
    for s in names:
        d.do("share", s).do("sharesetopt", s, "lock").do("sharesetopt", s, "SHARE", LOCK_CONNECT)
    return d


@pytest.mark.parametrize("limits", [{"MAX_HOST_CONNECTIONS": 1}, {"MAX_HOST_CONNECTIONS": 2}, {"MAX_TOTAL_CONNECTIONS": 1},
                                    {"MAX_HOST_CONNECTIONS": 1, "MAX_TOTAL_CONNECTIONS": 1},
                                    {"MAX_HOST_CONNECTIONS": 2, "MAX_TOTAL_CONNECTIONS": 3}])
@pytest.mark.parametrize("shares", SHARED)
@pytest.mark.parametrize("headers", [[], ["Connection: close"]])
def test_each_has_its_turn_in_a_share(drive, hosts, multi_way, limits, shares, headers):
    d = shared_connections(drive(multi_way).do("multi", "m"), "s", "s2")
    for name, value in limits.items():
        d.do("msetopt", "m", name, value)
    wanted = urls(hosts, 40)
    for i, (name, url) in enumerate(wanted.items()):
        d.easy(name, URL=url, HTTPHEADER=headers, SHARE=shares[i % len(shares)], TIMEOUT_MS=60000)
    r = d.do("add", "m", *wanted).do("drive", "m", "all").run()
    assert [(r[n].code, r[n].body) for n in wanted] == [(0, f"/{i}".encode()) for i in range(40)]
    if not headers and len(shares) == 1 and "MAX_TOTAL_CONNECTIONS" not in limits:
        assert [len(s.connections) for s in hosts] == [limits["MAX_HOST_CONNECTIONS"]] * 2


def test_order_in_a_share(drive, hosts, multi_way):
    d = shared_connections(drive(multi_way).do("multi", "m"), "s").do("msetopt", "m", "MAX_HOST_CONNECTIONS", 1)
    for i in range(12):
        d.easy(f"h{i}", URL=hosts[0].url(f"/{i}"), SHARE="s", TIMEOUT_MS=60000)
    r = d.do("add", "m", *[f"h{i}" for i in range(12)]).do("drive", "m", "all").run()
    assert r.order == [f"h{i}" for i in range(12)]


@pytest.mark.parametrize("limit", ["MAX_HOST_CONNECTIONS", "MAX_TOTAL_CONNECTIONS"])
@pytest.mark.parametrize("shares", [["s"], ["s", None]])
def test_a_free_slot_does_not_wake_all_that_wait(drive, hosts, multi_way, limit, shares):
    """Each one that looks for a connection locks the share: with all of them at each end it was the square."""
    d = shared_connections(drive(multi_way).do("multi", "m"), "s").do("msetopt", "m", limit, 2)
    wanted = urls(hosts, 100)
    for i, (name, url) in enumerate(wanted.items()):
        d.easy(name, URL=url, SHARE=shares[i % len(shares)], TIMEOUT_MS=60000)
    r = d.do("add", "m", *wanted).do("drive", "m", "all").run()
    assert [r[n].code for n in wanted] == [0] * 100
    (_, locked, unlocked), = r.of("locks")
    assert locked == unlocked < 10 * 100


# ---------------------------------------------------------------- order

def removed_one_by_one(d, names):
    for name in names:
        d.do("drive", "m", "done", name).do("remove", "m", name)
    return d


@pytest.mark.parametrize("share", [None, "s"])
@pytest.mark.parametrize("limit", ["MAX_HOST_CONNECTIONS", "MAX_TOTAL_CONNECTIONS"])
def test_order_when_finished_ones_are_removed(drive, hosts, multi_way, limit, share):
    """Each removal woke one for which there was no connection, which then had to wait as the last."""
    d = shared_connections(drive(multi_way).do("multi", "m").do("msetopt", "m", limit, 1), "s")
    names = [f"h{i}" for i in range(8)]
    for i, name in enumerate(names):
        d.easy(name, URL=hosts[0].url(f"/{i}"), SHARE=share, TIMEOUT_MS=60000)
    r = removed_one_by_one(d.do("add", "m", *names), names).run()
    assert r.order == names
