"""DNS over HTTPS: queries, responses, what is trusted, deadlines, removal, the names cache."""

import subprocess
import threading

import pytest

from doh import (A, AAAA, CNAME, LOCAL4, LOCAL6, NXDOMAIN, SERVFAIL, TXT, TYPE, Resolver, local, message, query, record,
                 wire)
from mote_driver import COMMAND, DROPIN, LOCK_CONNECT, LOCK_DNS, MULTI_WAYS, SYSTEM, WAYS, by_library, not_debian
from server import Close, Expect, Reply, Serve, UntilClose, response

V4, V6 = 1, 2


@pytest.fixture(params=["easy"] if SYSTEM else WAYS)
def way(request):
    """libcurl counts the transfers of its lookups as running, which the driver calls a violation."""
    return request.param


@pytest.fixture(params=MULTI_WAYS)
def multi_way(request):
    if SYSTEM:
        pytest.skip("libcurl counts the transfers of its lookups as running")
    return request.param


@pytest.fixture
def make_resolver(make_server, certs):
    def make(answer=local, headers=(TYPE,), cert="good", **kw):
        return Resolver(make_server(tls=certs.context(cert, alpn=["http/1.1"]), **kw), answer, headers)
    return make


@pytest.fixture
def resolver(make_resolver):
    return make_resolver()


@pytest.fixture
def site(make_server):
    """The server that names lead to."""
    s = make_server()
    s.default(Serve(lambda q, p: response(200, b"found")))
    return s


@pytest.fixture
def get(drive, site, certs):
    def get(resolver, way="easy", host="some.test", **options):
        options = {"CAINFO": certs.path("ca.pem"), "DOH_URL": resolver.url(), **options}
        return drive.get(way, URL=site.url(host=host), **options)
    return get


def test_found(get, resolver, way):
    """IPv6 is asked for first, then IPv4, on one connection; Debian's asks on two at once."""
    t = get(resolver, way)
    assert (t.code, t.body) == (0, b"found")
    seen = by_library(list, sorted)(resolver.seen)
    assert seen == [("some.test", kind) for kind in by_library((AAAA, A), (A, AAAA))]
    assert len(resolver.server.connections) == by_library(1, 2)


def test_request(get, resolver):
    """The exact bytes; nothing of the application's request, its credentials above all, goes to the resolver."""
    t = get(resolver, HTTPHEADER=["X-Mine: 1"], USERAGENT="me", USERPWD="a:b", COOKIE="c=d", POSTFIELDS="body")
    assert t.code == 0
    host = f"127.0.0.1:{resolver.server.port}".encode()
    assert len(resolver.queries) == 2
    for q in resolver.queries:
        assert q.bytes == query("some.test", q.kind)
        assert q.request.head == (b"POST /dns-query HTTP/1.1\r\nHost: " + host + b"\r\nAccept: */*\r\n"
                                  b"Content-Type: application/dns-message\r\nContent-Length: 27\r\n\r\n")


@pytest.mark.parametrize("family,kinds", [(V4, [A]), pytest.param(V6, [AAAA], marks=not_debian("it asks for IPv4, too"))])
def test_ipresolve(get, resolver, family, kinds):
    t = get(resolver, IPRESOLVE=family)
    assert t.code == (0 if family == V4 else 6)
    assert [kind for name, kind in resolver.seen] == kinds


def test_ipv6_address(drive, make_server, make_resolver, certs):
    server = make_server(host="::1")
    server.answer(response(200, b"six"))
    resolver = make_resolver(lambda q: [record(AAAA, LOCAL6)] if q.kind == AAAA else [])
    t = drive.get(URL=f"http://some.test:{server.port}/", DOH_URL=resolver.url(), CAINFO=certs.path("ca.pem"))
    assert (t.code, t.body) == (0, b"six")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_not_asked_for(get, resolver, host):
    assert get(resolver, host=host).code == 0
    assert resolver.seen == []


def test_resolve_goes_before(get, resolver, site):
    t = get(resolver, RESOLVE=[f"some.test:{site.port}:127.0.0.1"])
    assert t.code == 0 and resolver.seen == []


@not_debian("the resolver is asked")
def test_onion(get, resolver):
    assert get(resolver, host="x.onion").code == 6
    assert resolver.seen == []


@pytest.mark.parametrize("host", ["a" * 64 + ".test", "x." * 130 + "test", "a..test"])
def test_no_name_of_dns(get, resolver, host, way):
    """The newest libcurl returns 27 for what cannot be encoded."""
    assert get(resolver, way, host=host).code == by_library(6, 6, 27)
    assert resolver.seen == []


# ---------------------------------------------------------------- responses

def chain(*names):
    """The aliases from the question's name to the last one, and its address."""
    records, owner = [], b"\xc0\x0c"
    for name in names:
        records.append(record(CNAME, wire(name), owner))
        owner = wire(name)
    return records + [record(A, LOCAL4, owner)]


GOOD = {
    "address": [record(A, LOCAL4)],
    "alias": chain("other.test"),
    "three aliases": chain("b.test", "c.test", "d.test"),
    "owner in other case": [record(A, LOCAL4, "SOME.Test")],
    "owner written out": [record(A, LOCAL4, "some.test")],
}


@pytest.mark.parametrize("records", GOOD.values(), ids=GOOD)
def test_good(get, make_resolver, records):
    resolver = make_resolver(lambda q: records if q.kind == A else [])
    assert get(resolver).body == b"found"


def test_other_types_are_passed_over(get, make_resolver):
    """libcurl refuses a response with a type that it was not asked for, such as TXT."""
    resolver = make_resolver(lambda q: [record(TXT, b"\1x"), record(A, LOCAL4)] if q.kind == A else [])
    assert get(resolver).code == by_library(0, 6, 6)


BAD = {
    "no such name": lambda q: NXDOMAIN,
    "server failure": lambda q: SERVFAIL,
    "no address": lambda q: [],
    "not found": lambda q: response(404, message(q.question, [record(A, LOCAL4)]), [TYPE]),
    "redirect": lambda q: response(302, b"", ["Location: /elsewhere"]),
    "other identifier": lambda q: message(q.question, [record(A, LOCAL4)], identifier=7),
    "no message": lambda q: b"xxxx",
    "nothing": lambda q: b"",
    "bytes after it": lambda q: message(q.question, [record(A, LOCAL4)]) + b"x",
    "cut": lambda q: message(q.question, [record(A, LOCAL4)])[:-1],
    "too short an address": lambda q: [record(A, LOCAL4[:3])],
    "too large": lambda q: [record(A, LOCAL4)] * 300,
}


@pytest.mark.parametrize("name", BAD)
def test_bad(get, make_resolver, name):
    """Debian's takes two of them, and has no text for the others."""
    resolver = make_resolver(lambda q: BAD[name](q) if q.kind == A else [])
    t = get(resolver)
    assert t.code == by_library(6, 0 if name in ("not found", "bytes after it") else 6)
    assert t.error == by_library("Could not resolve host: some.test", "")


UNASKED = {
    "a pointer to itself": lambda q: message(q.question, [record(A, LOCAL4, b"\xc0" + bytes([12 + len(q.question)]))]),
    "other owner": lambda q: [record(A, LOCAL4, "evil.test")],
    "other question": lambda q: message(wire("evil.test") + q.question[-4:], [record(A, LOCAL4)]),
    "a query": lambda q: message(q.question, [record(A, LOCAL4)], flags=0x0100),
    "other class": lambda q: [record(A, LOCAL4, cls=3)],
    "endless aliases": lambda q: [record(CNAME, q.question[:-4]), record(A, LOCAL4)],
}


@pytest.mark.parametrize("name", UNASKED)
def test_not_what_was_asked_for(get, make_resolver, name):
    """libcurl takes the addresses of any response, but for another class."""
    resolver = make_resolver(lambda q: UNASKED[name](q) if q.kind == A else [])
    assert get(resolver).code == (6 if name == "other class" else by_library(6, 0, 0))


def test_in_pieces(get, make_resolver, way):
    """A response that comes byte by byte."""
    def answer(q):
        body = message(q.question, [record(A, LOCAL4)] if q.kind == A else [])
        return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"".join(
            b"1\r\n%c\r\n" % b for b in body) + b"0\r\n\r\n"
    assert get(make_resolver(answer), way).body == b"found"


def test_one_of_two_fails(get, make_resolver):
    """A server that fails for IPv6 is no reason not to use IPv4."""
    resolver = make_resolver(lambda q: SERVFAIL if q.kind == AAAA else [record(A, LOCAL4)])
    assert get(resolver).body == b"found"


# ---------------------------------------------------------------- the server and its TLS

def test_server_by_name(get, resolver, way):
    """The DoH server's own name is not asked of itself."""
    t = get(resolver, way, DOH_URL=resolver.url("localhost"))
    assert t.code == 0
    assert {name for name, kind in resolver.seen} == {"some.test"}


def test_server_by_resolve(drive, site, make_resolver, certs, way):
    resolver = make_resolver(cert="wildcard")
    t = drive.get(way, URL=site.url(host="some.test"), DOH_URL=resolver.url("dns.wild.test"), CAINFO=certs.path("ca.pem"),
                  RESOLVE=[f"dns.wild.test:{resolver.server.port}:127.0.0.1"])
    assert (t.code, t.body) == (0, b"found")


def test_server_is_not_there(get, resolver, way):
    assert get(resolver, way, DOH_URL="https://no-such-server.invalid/dns-query", TIMEOUT=30).code == 6


def test_server_refuses(get, resolver, closed_port, way):
    assert get(resolver, way, DOH_URL=f"https://127.0.0.1:{closed_port}/").code == 6


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/dns-query", "ftp://127.0.0.1:1/", "https://%%/", "nonsense://x/"])
def test_url(get, resolver, url):
    """Only https, as CURLOPT_DOH_URL(3) says."""
    assert get(resolver, DOH_URL=url).code == 6


def test_off_again(get, resolver):
    """NULL: the system is asked."""
    assert get(resolver, host="no-such-name.invalid", DOH_URL=None, TIMEOUT=30).code == 6
    assert resolver.seen == []


@pytest.mark.parametrize("options,code", [
    ({"CAINFO": None}, 6), ({"CAINFO": None, "SSL_VERIFYPEER": 0}, 6), ({"CAINFO": None, "DOH_SSL_VERIFYPEER": 0}, 0),
    ({"SSL_VERIFYPEER": 0, "DOH_SSL_VERIFYPEER": 1}, 0)], ids=str)
def test_verify_peer(get, make_resolver, options, code):
    assert get(make_resolver(tls_may_fail=True), **options).code == code


@pytest.mark.parametrize("options,code", [({}, 6), ({"SSL_VERIFYHOST": 0}, 6), ({"DOH_SSL_VERIFYHOST": 0}, 0)], ids=str)
def test_verify_host(get, make_resolver, options, code):
    assert get(make_resolver(cert="wrongname", tls_may_fail=True), **options).code == code


def test_verify_status(get, make_resolver):
    """The server staples nothing."""
    assert get(make_resolver(tls_may_fail=True), DOH_SSL_VERIFYSTATUS=1).code == 6


def test_callbacks(drive, site, resolver, certs, way):
    """Of the application's callbacks only that for TLS sees the resolver's connection."""
    d = drive(way).easy(URL=site.url(host="some.test"), DOH_URL=resolver.url(), CAINFO=certs.path("ca.pem"), IPRESOLVE=V4)
    d.enable("h", "sslctx", "opensocket", "sockopt", "closesocket", "prereq", "resolve", "debug")
    t = d.setopt("h", FORBID_REUSE=1).perform().run()["h"]
    assert t.code == 0
    assert {n: t.calls.get(n) for n in ("sslctx", "opensocket", "sockopt", "closesocket", "prereq", "resolve")} == {
        "sslctx": 1, "opensocket": 1, "sockopt": 1, "closesocket": 1, "prereq": 1, "resolve": 1}


# ---------------------------------------------------------------- connections

def test_kept_connection_is_not_the_resolvers(drive, site, resolver, certs, way):
    """The next transfer of a handle does not take the connection that the lookup made last. (Debian's made two.)"""
    site.default(Serve(lambda q, p: response(200, b"found", ["Connection: close"])))
    d = drive(way).easy(URL=site.url(host="some.test"), DOH_URL=resolver.url(), CAINFO=certs.path("ca.pem"))
    d.perform().perform().perform()
    assert [(t.code, t.body) for t in d.run().all("h")] == [(0, b"found")] * 3
    assert len(resolver.server.connections) == by_library(1, 2)


def test_connection_is_kept(drive, site, resolver, certs, way):
    """libcurl asks a known server of HTTP/1.1 on two connections at once."""
    d = drive(way).easy(URL=site.url(host="a.test"), DOH_URL=resolver.url(), CAINFO=certs.path("ca.pem"))
    d.perform().setopt("h", URL=site.url(host="b.test")).perform()
    assert [t.code for t in d.run().all("h")] == [0, 0]
    assert sorted(resolver.seen) == [("a.test", A), ("a.test", AAAA), ("b.test", A), ("b.test", AAAA)]
    assert len(resolver.server.connections) == by_library(1, 2, 2)


def test_kept_connection_is_dead(drive, site, make_server, certs):
    """The resolver has closed it meanwhile: the lookup is made on a new one."""
    server = make_server(tls=certs.context(alpn=["http/1.1"]))
    for name in ("a.test", "b.test"):
        asked = query(name, A)
        server.script(Expect("POST", body=asked), Reply(200, message(asked[12:], [record(A, LOCAL4)]), [TYPE]), Close())
    url = f"https://127.0.0.1:{server.port}/dns-query"
    d = drive().easy(URL=site.url(host="a.test"), DOH_URL=url, CAINFO=certs.path("ca.pem"), IPRESOLVE=V4)
    d.perform().do("sleep", 100).setopt("h", URL=site.url(host="b.test")).perform()
    assert [t.code for t in d.run().all("h")] == [0, 0]


# The library keeps the transfers of a lookup for the next one with the same options.

def test_longer_and_shorter_names(drive, site, resolver, certs):
    names = ["a.test", "n" * 60 + ".test", "b.test", ".".join(["l" * 40] * 4), "c.test"]
    d = drive().easy(DOH_URL=resolver.url(), CAINFO=certs.path("ca.pem"))
    for name in names:
        d.setopt("h", URL=site.url(host=name)).perform()
    assert [t.code for t in d.run().all("h")] == [0] * len(names)
    assert sorted(resolver.seen) == sorted((name, kind) for name in names for kind in (A, AAAA))


def test_another_server(drive, site, make_resolver, certs, way):
    first, second = make_resolver(), make_resolver()
    d = drive(way).easy(URL=site.url(host="a.test"), DOH_URL=first.url(), CAINFO=certs.path("ca.pem"))
    d.perform().setopt("h", URL=site.url(host="b.test"), DOH_URL=second.url()).perform()
    assert [t.code for t in d.run().all("h")] == [0, 0]
    assert {name for name, kind in first.seen} == {"a.test"} and {name for name, kind in second.seen} == {"b.test"}


def test_other_trust(drive, site, make_resolver, way):
    """A lookup that verifies must not go by the connection of one that does not."""
    resolver = make_resolver(tls_may_fail=True)
    d = drive(way).easy(URL=site.url(host="a.test"), DOH_URL=resolver.url(), DOH_SSL_VERIFYPEER=0)
    d.perform().setopt("h", URL=site.url(host="b.test"), DOH_SSL_VERIFYPEER=1).perform()
    d.setopt("h", URL=site.url(host="c.test"), DOH_SSL_VERIFYPEER=0).perform()
    assert [t.code for t in d.run().all("h")] == [0, 6, 0]
    assert {name for name, kind in resolver.seen} == {"a.test", "c.test"}


def test_other_family(drive, site, resolver, certs):
    d = drive().easy(URL=site.url(host="a.test"), DOH_URL=resolver.url(), CAINFO=certs.path("ca.pem"))
    d.perform().setopt("h", URL=site.url(host="b.test"), IPRESOLVE=V4).perform()
    d.setopt("h", URL=site.url(host="c.test"), IPRESOLVE=0).perform()
    assert [t.code for t in d.run().all("h")] == [0, 0, 0]
    assert sorted(resolver.seen) == [("a.test", A), ("a.test", AAAA), ("b.test", A), ("c.test", A), ("c.test", AAAA)]


@pytest.mark.parametrize("limit", ["MAX_TOTAL_CONNECTIONS", "MAX_HOST_CONNECTIONS"])
def test_limits(drive, site, resolver, certs, multi_way, limit):
    """A limit of one connection does not lock the lookup out, which a transfer with a connection waits for."""
    d = drive(multi_way).do("multi", "default", multi_way).do("msetopt", "default", limit, 1)
    d.easy(URL=site.url(host="some.test"), DOH_URL=resolver.url(), CAINFO=certs.path("ca.pem"))
    assert d.perform().run()["h"].body == b"found"


# ---------------------------------------------------------------- deadlines, removal, several that wait

def hold(server, *before):
    """A server that reads a query and answers none."""
    return server.script(*before, Expect("POST"), UntilClose())


def test_deadline(patiently_resolver, drive, site, certs, way):
    def attempt(server, ms):
        hold(server)
        t = drive.get(way, URL=site.url(host="some.test"), DOH_URL=server.url(), CAINFO=certs.path("ca.pem"),
                      CONNECTTIMEOUT_MS=ms, IPRESOLVE=by_library(0, V4))  # Debian's asks on two connections
        assert t.code == 28 and t.error.startswith("Resolving timed out after ")
        server.settle()
        return bool(server.requests)
    patiently_resolver(attempt)


@pytest.fixture
def patiently_resolver(make_server, certs):
    """patiently(), for servers with TLS."""
    def run(attempt):
        for ms in (200, 1000):
            server = make_server(tls=certs.context(), tls_may_fail=True)
            if attempt(server, ms):
                return
            server.forgive()
        assert attempt(make_server(tls=certs.context()), 4000)
    return run


def test_removed(drive, site, make_server, certs, multi_way):
    """A handle is removed while it waits: the query ends, its connection is closed, and the handle works again."""
    server = make_server(tls=certs.context(alpn=["http/1.1"]))
    hold(server)
    server.default(Serve(Resolver(server, local).serve))
    d = drive(multi_way).do("multi", "m", multi_way)
    d.easy(URL=site.url(host="some.test"), DOH_URL=server.url("/dns-query"), CAINFO=certs.path("ca.pem"))
    d.do("add", "m", "h").start()
    d.do("drive", "m", "for", 300).do("remove", "m", "h").do("mark", "removed")
    d.do("add", "m", "h").do("drive", "m", "all")
    assert d.end()["h"].body == b"found"


def test_several_wait_for_one_name(drive, site, resolver, certs, multi_way):
    """One lookup serves them all; libcurl makes one each."""
    d = drive(multi_way)
    names = [f"h{i}" for i in range(5)]
    for name in names:
        d.easy(name, URL=site.url(f"/{name}", host="some.test"), DOH_URL=resolver.url(), CAINFO=certs.path("ca.pem"))
    r = d.perform(*names).run()
    assert [r[name].body for name in names] == [b"found"] * 5
    assert len(resolver.queries) == 2 or SYSTEM


def test_several_that_trust_differently(drive, site, make_resolver, certs, multi_way):
    """A transfer that verifies the resolver does not take the answer of one that does not."""
    resolver = make_resolver(cert="otherca", tls_may_fail=True)
    d = drive(multi_way)
    for name, peer in (("no", 0), ("yes", 1)):
        d.easy(name, URL=site.url(host=f"some.test"), DOH_URL=resolver.url(), CAINFO=certs.path("ca.pem"), DOH_SSL_VERIFYPEER=peer)
    r = d.perform("no", "yes").run()
    assert (r["no"].code, r["yes"].code) == (0, 6)


def test_the_first_of_several_leaves(drive, site, make_server, certs, multi_way):
    """The lookup goes on for the others, though the handle that began it is gone."""
    server = make_server(tls=certs.context(alpn=["http/1.1"]))
    resolver = Resolver(server, local)
    d = drive(multi_way).do("multi", "m", multi_way)
    gate = threading.Event()
    resolver.answer = lambda q: gate.wait(30) and local(q)
    for name in ("h", "g", "f"):
        d.easy(name, URL=site.url(host="some.test"), DOH_URL=resolver.url(), CAINFO=certs.path("ca.pem"))
    d.do("add", "m", "h", "g", "f").start()
    d.do("drive", "m", "for", 400).do("remove", "m", "h").do("cleanup", "h").do("mark", "gone")
    d.expect("mark", "gone")
    gate.set()
    r = d.do("drive", "m", "all").end()
    assert (r["g"].body, r["f"].body) == (b"found", b"found")
    assert len(resolver.queries) == 2 or SYSTEM


# ---------------------------------------------------------------- the cache

def lookups(drive, site, resolver, certs, sleep, share=False, **options):
    site.default(Serve(lambda q, p: response(200, b"x", ["Connection: close"])))
    d = drive().do("share", "s").do("sharesetopt", "s", "SHARE", LOCK_DNS)
    if share:
        options["SHARE"] = "s"
    d.easy(URL=site.url(host="some.test"), DOH_URL=resolver.url(), CAINFO=certs.path("ca.pem"), IPRESOLVE=V4, **options)
    d.perform().do("sleep", sleep).perform()
    assert [t.code for t in d.run().all("h")] == [0, 0]
    return len(resolver.queries)


def ttl(seconds):
    return lambda q: [record(A, LOCAL4, ttl=seconds)]


def test_cached(drive, site, make_resolver, certs):
    assert lookups(drive, site, make_resolver(ttl(60)), certs, 0) == 1


def test_ttl_is_over(drive, site, make_resolver, certs):
    """libcurl keeps every answer for CURLOPT_DNS_CACHE_TIMEOUT."""
    assert lookups(drive, site, make_resolver(ttl(1)), certs, 1100) == by_library(2, 1, 1)


@pytest.mark.parametrize("share", [False, True])
def test_ttl_of_zero(drive, site, make_resolver, certs, share):
    """A share took it for an answer without a TTL."""
    assert lookups(drive, site, make_resolver(ttl(0)), certs, 0, share) == by_library(2, 1, 1)


def test_ttl_less_age(drive, site, make_resolver, certs):
    """What a cache on the way has used up of it counts (RFC 8484 section 5.1)."""
    resolver = make_resolver(ttl(60), headers=[TYPE, "Age: 60"])
    assert lookups(drive, site, resolver, certs, 0) == by_library(2, 1, 1)


def test_timeout_is_shorter_than_ttl(drive, site, make_resolver, certs):
    assert lookups(drive, site, make_resolver(ttl(60)), certs, 0, DNS_CACHE_TIMEOUT=0) == 2


def test_shared_names(drive, site, resolver, certs):
    """What one handle has asked another one finds in the share."""
    site.default(Serve(lambda q, p: response(200, b"x", ["Connection: close"])))
    d = drive().do("share", "s").do("sharesetopt", "s", "SHARE", LOCK_DNS)
    for name in ("h", "g"):
        d.easy(name, URL=site.url(host="some.test"), DOH_URL=resolver.url(), CAINFO=certs.path("ca.pem"), SHARE="s")
    r = d.perform("h").perform("g").do("cleanup", "h", "g").do("shcleanup", "s").run()
    assert (r["h"].code, r["g"].code) == (0, 0)
    assert len(resolver.queries) == 2


def of_a_share(drive, site, resolver, certs, **options):
    """Two handles with a share of names."""
    site.default(Serve(lambda q, p: response(200, b"x", ["Connection: close"])))
    d = drive().do("share", "s").do("sharesetopt", "s", "SHARE", LOCK_DNS)
    for name in ("h", "g"):
        d.easy(name, URL=site.url(host="some.test"), DOH_URL=resolver.url(), CAINFO=certs.path("ca.pem"), IPRESOLVE=V4, SHARE="s",
               **options)
    return d


def test_a_share_gets_nothing_from_a_handle_without_a_cache(drive, site, resolver, certs):
    """CURLOPT_DNS_CACHE_TIMEOUT(3): 0 disables caching."""
    r = of_a_share(drive, site, resolver, certs).setopt("h", DNS_CACHE_TIMEOUT=0).perform("h").perform("g").perform("g").run()
    assert [t.code for t in (r["h"], *r.all("g"))] == [0, 0, 0]
    assert len(resolver.queries) == 2


def test_a_line_removes_an_answer_of_a_share(drive, site, resolver, certs):
    """The handle's own cache had the answer still."""
    d = of_a_share(drive, site, resolver, certs).perform("h").perform("h")
    r = d.setopt("h", RESOLVE=[f"-some.test:{site.port}"]).perform("h").run()
    assert [t.code for t in r.all("h")] == [0, 0, 0]
    assert len(resolver.queries) == 2


def test_a_line_of_a_handle_that_gets_a_share(drive, site, resolver, certs):
    """It is in the handle's own cache, which is not asked any more."""
    d = of_a_share(drive, site, resolver, certs).setopt("h", SHARE=None, RESOLVE=[f"some.test:{site.port}:127.0.0.1"])
    r = d.perform("h").setopt("h", SHARE="s", RESOLVE=None).perform("h").run()
    assert [t.code for t in r.all("h")] == [0, 0]
    assert len(resolver.queries) == 1


@not_debian("it returns another code, and asks again")
def test_a_name_that_does_not_exist_in_a_share(drive, site, make_resolver, certs):
    resolver = make_resolver(lambda q: NXDOMAIN)
    r = of_a_share(drive, site, resolver, certs).perform("h").perform("h").perform("g").run()
    assert [t.code for t in (*r.all("h"), r["g"])] == [6, 6, 6]
    assert len(resolver.queries) == 1


def test_shared_connections(drive, site, resolver, certs):
    """The resolver's connection is one of the share's."""
    d = drive().do("share", "s").do("sharesetopt", "s", "SHARE", LOCK_CONNECT)
    for name in ("h", "g"):
        d.easy(name, URL=site.url(host=f"{name}.test"), DOH_URL=resolver.url(), CAINFO=certs.path("ca.pem"), SHARE="s")
    r = d.perform("h").perform("g").do("cleanup", "h", "g").do("shcleanup", "s").run()
    assert (r["h"].code, r["g"].code) == (0, 0)
    assert len(resolver.server.connections) == by_library(1, 2, 2)


@pytest.mark.parametrize("kinds", [[LOCK_DNS], [LOCK_DNS, LOCK_CONNECT]], ids=["names", "names and connections"])
def test_share_of_threads(drive, site, resolver, certs, kinds, ours_only):
    """Threads that look the same names up at the same time, each in its own multi."""
    ours_only("libcurl 8.23 does not always come to an end")
    d = drive().do("share", "s").do("sharesetopt", "s", "lock", 1)
    for kind in kinds:
        d.do("sharesetopt", "s", "SHARE", kind)
    names = [f"h{i}" for i in range(6)]
    for i, name in enumerate(names):
        d.easy(name, URL=site.url(host=f"n{i % 2}.test"), DOH_URL=resolver.url(), CAINFO=certs.path("ca.pem"), SHARE="s")
    r = d.do("threads", *names).do("cleanup", *names).do("shcleanup", "s").run()
    assert [r[name].body for name in names] == [b"found"] * 6


def test_redirect_to_another_name(drive, make_server, resolver, certs, way):
    server = make_server()
    server.default(Serve(lambda q, p: response(200, b"there") if q.target == "/b" else
                         response(302, b"", [f"Location: http://b.test:{server.port}/b"])))
    t = drive.get(way, URL=f"http://a.test:{server.port}/a", DOH_URL=resolver.url(), CAINFO=certs.path("ca.pem"), FOLLOWLOCATION=1)
    assert (t.code, t.body) == (0, b"there")
    assert {name for name, kind in resolver.seen} == {"a.test", "b.test"}


def test_proxy_by_name(drive, site, make_resolver, certs):
    """A proxy's name is asked for too; that of the server is the proxy's business."""
    resolver = make_resolver(lambda q: local(q) if q.name == "proxy.test" else NXDOMAIN)
    options = {"DOH_URL": resolver.url(), "CAINFO": certs.path("ca.pem")}
    t = drive.get(URL="http://some.test/", PROXY=f"http://proxy.test:{site.port}", **options)
    assert (t.code, t.body) == (0, b"found")
    assert {name for name, kind in resolver.seen} == {"proxy.test"}
    assert drive.get(URL="http://some.test/", PROXY="http://other.test:1", **options).code == by_library(5, 6)


# ---------------------------------------------------------------- the command

def command(*arguments):
    env = {"LD_LIBRARY_PATH": DROPIN}
    program = "/usr/bin/curl" if SYSTEM else COMMAND
    return subprocess.run([program, "-sS", *arguments], capture_output=True, text=True, env=env, timeout=60, check=False)


def test_command(site, resolver, certs):
    done = command("--doh-url", resolver.url(), "--cacert", certs.path("ca.pem"), site.url(host="some.test"))
    assert (done.returncode, done.stdout) == (0, "found")


@pytest.mark.parametrize("options,code", [(["--doh-insecure"], 0), (["-k"], 6), (["--doh-insecure", "--doh-cert-status"], 6)],
                         ids=str)
def test_command_trust(site, make_resolver, options, code):
    resolver = make_resolver(tls_may_fail=True)
    done = command("--doh-url", resolver.url(), *options, site.url(host="some.test"))
    assert done.returncode == code
    if code:
        assert "Could not resolve host: some.test" in done.stderr
