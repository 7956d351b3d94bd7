"""HTTP/3 by HTTPS records of DNS over HTTPS (RFC 9460, RFC 8484): which transfers ask for them, what a record leads to, and that
none of them holds a transfer up or fails it."""

import socket
import struct

import pytest

from doh import A, AAAA, CNAME, LOCAL4, NXDOMAIN, SERVFAIL, TYPE, Query, message, record, wire
from h2_peer import H2Server, Serve as H2Serve
from h3_fixtures import V2, V3, got
from mote_driver import SANITIZED, SYSTEM
from server import Serve, response
from test_faults import check

pytestmark = [pytest.mark.usefixtures("http3"), pytest.mark.skipif(SYSTEM, reason="ours only: the oracle is built without it")]

HTTPS = 65
MANDATORY, ALPN, NO_DEFAULT, PORT, HINT4, HINT6 = 0, 1, 2, 3, 4, 6
H3 = (ALPN, b"\2h3")
FIELD = tuple(TYPE.lower().split(": "))


@pytest.fixture
def nginx(quic_nginx):
    return quic_nginx


@pytest.fixture
def peer(quic_peer):
    return quic_peer


def service(*params, priority=1, target="", owner=b"\xc0\x0c", ttl=60):
    data = struct.pack(">H", priority) + wire(target)
    for key, value in params:
        data += struct.pack(">HH", key, len(value)) + value
    return record(HTTPS, data, owner, ttl)


def port_of(n):
    return PORT, struct.pack(">H", n)


class Resolver:
    """Answers by HTTP/2. names: what addresses there are. records: the answer to a query for HTTPS: records, a code of DNS, a
    body, a status of HTTP (negative), or None: there never is one. late: a name whose addresses never come. seen: names and
    types asked for."""

    def __init__(self, server):
        self.server, self.seen, self.records, self.late = server, [], [], None
        self.names = {"some.test": LOCAL4, "other.test": LOCAL4}
        server.default(H2Serve(answer=self.answer))

    def answer(self, s):
        if not s.ended:
            return None

        class Request:
            body = bytes(s.body)
        q = Query(Request)
        if s.answer is None and (s.id, q.name, q.kind) not in self.seen:
            self.seen.append((s.id, q.name, q.kind))
        return self.reply(q)

    def reply(self, q):
        if q.kind != HTTPS and q.name == self.late:
            return None
        if q.kind != HTTPS:
            has = q.kind == A and q.name in self.names
            return 200, [FIELD], message(q.question, [record(A, self.names[q.name])] if has else []), True
        r = self.records
        if r is None:
            return None
        if isinstance(r, bytes):
            return 200, [FIELD], r, True
        if isinstance(r, int) and r < 0:
            return -r, [], b"", True
        return 200, [FIELD], message(q.question, code=r) if isinstance(r, int) else message(q.question, r), True

    def asked(self, kind):
        return [name for _, name, k in self.seen if k == kind]


@pytest.fixture
def resolver(make_server, certs):
    return Resolver(make_server(cls=H2Server, tls=certs.context(alpn=["h2", "http/1.1"])))


class Site:
    def __init__(self, server, resolver, drive, ca):
        self.server, self.resolver, self.drive, self.ca = server, resolver, drive, ca

    def easy(self, way="easy", port="quic", path="/12.txt", **options):
        options.setdefault("DOH_URL", self.resolver.server.url("/dns-query"))
        options.setdefault("URL", self.server.url(path, port).replace("localhost", "some.test"))
        return self.drive(way).easy("h", CAINFO=self.ca, SSL_VERIFYHOST=options.pop("SSL_VERIFYHOST", 0), TIMEOUT=30, **options)

    def get(self, way="easy", **options):
        d = self.easy(way, **options).perform()
        return d.getinfo("h", "HTTP_VERSION", "PRIMARY_PORT", "TOTAL_TIME_T").run()["h"]

    def by_quic(self, way="easy", **options):
        """A transfer that must go by HTTP/3. TCP begins after 100 ms and may win on a busy machine; then it is made again."""
        for _ in range(3):
            self.resolver.seen.clear()
            t = self.get(way, **options)
            if t.info["HTTP_VERSION"] == V3 or t.info["TOTAL_TIME_T"] < 100_000:
                break
        by(t, V3)
        return t


@pytest.fixture
def site(nginx, resolver, drive, certs):
    return Site(nginx, resolver, drive, certs.path("ca.pem"))


def by(t, version):
    got(t, "12.txt")
    assert t.info["HTTP_VERSION"] == version


def test_a_record_leads_to_it(site, resolver, way):
    resolver.records = [service(H3)]
    site.by_quic(way)
    assert resolver.asked(HTTPS) == [f"_{site.server.port('quic')}._https.some.test"]
    assert sorted(resolver.asked(A) + resolver.asked(AAAA)) == ["some.test"] * 2


@pytest.mark.parametrize("resolve", [1, 2])
def test_one_family(site, resolver, resolve):
    """Only IPv4 has an address. Its answer may come before the record, which then counts for nothing."""
    resolver.records = [service(H3, (HINT4, LOCAL4))]
    t = site.get(IPRESOLVE=resolve)
    if resolve == 1:
        by(t, t.info["HTTP_VERSION"])
    else:
        assert t.code == 6
    assert len(resolver.asked(HTTPS)) == 1


def test_another_port(site, resolver, way):
    resolver.records = [service(H3, port_of(site.server.port("quic")))]
    t = site.by_quic(way, port="tcp")
    assert t.info["PRIMARY_PORT"] == site.server.port("quic")


def test_what_the_server_gets(site, resolver, peer):
    """The record says where the origin is: that is no alternative service."""
    resolver.records = [service(H3, port_of(peer.port("quic")), target="other.test")]
    t = site.get(port="tcp", path="/fields", COOKIE="a=b")
    assert f":authority: some.test:{site.server.port('tcp')}".encode() in t.body and b"alt-used" not in t.body


@pytest.mark.parametrize("hint", [b"", LOCAL4, b"\xc0\0\2\1"])
def test_another_target(site, resolver, way, hint):
    """Its addresses count, and not the hints of the record."""
    resolver.records = [service(H3, port_of(site.server.port("quic")), *([(HINT4, hint)] if hint else []), target="other.test")]
    t = site.by_quic(way, port="tcp")
    assert resolver.asked(A) == ["some.test", "other.test"] and len(resolver.asked(HTTPS)) == 1


def test_hints_of_a_target_without_addresses(site, resolver, way):
    resolver.records = [service(H3, port_of(site.server.port("quic")), (HINT4, LOCAL4), target="none.test")]
    site.by_quic(way, port="tcp")


@pytest.mark.parametrize("port, version", [("quic", V3), ("tcp", V2)])
def test_hints_of_a_name_without_addresses(site, resolver, way, port, version):
    resolver.names = {}
    resolver.records = [service(H3, (HINT4, LOCAL4))]
    by(site.get(way, port=port), version)


def test_the_first_that_is_understood(site, resolver, nginx):
    dead = port_of(nginx.port("tcp"))
    resolver.records = [service(H3, priority=3), service((ALPN, b"\2h2"), dead), service((MANDATORY, b"\0\7"), H3, dead, (7, b"")),
                        service(H3, port_of(nginx.port("quic")), priority=2)]
    site.by_quic(port="tcp")


def test_alias(site, resolver):
    """The response has what it leads to."""
    resolver.records = [service(priority=0, target="other.test"), service(H3, port_of(site.server.port("quic")), owner="other.test")]
    site.by_quic(port="tcp")
    assert resolver.asked(A) == ["some.test", "other.test"]


def test_canonical_name(site, resolver):
    resolver.records = [record(CNAME, wire("c.test")), service(H3, port_of(site.server.port("quic")), owner="c.test")]
    resolver.names["c.test"] = LOCAL4
    site.by_quic(port="tcp")


def test_the_certificate_is_the_origins(site, resolver, way):
    resolver.records = [service(H3, port_of(site.server.port("quic")), target="other.test")]
    t = site.get(way, port="tcp", SSL_VERIFYHOST=2)
    assert t.code == 60 and "some.test" in t.error


# ---- where there is none

NONE = {"no record": [], "another protocol": [service((ALPN, b"\2h2"))], "no protocol": [service()],
        "unknown and mandatory": [service((MANDATORY, b"\xff\0"), H3, (0xff00, b""))], "failure": SERVFAIL, "no name": NXDOMAIN,
        "an error of HTTP": -500, "no message": b"x", "malformed": [service(H3), service(H3, (PORT, b"\1"))],
        "too long": bytes(5000), "no service": [service(priority=0)], "an alias alone": [service(priority=0, target="other.test")]}


@pytest.mark.parametrize("case", NONE)
def test_no_use(site, resolver, case):
    resolver.records = NONE[case]
    by(site.get(), V2)
    assert len(resolver.asked(HTTPS)) == 1


def test_a_record_that_is_late(site, resolver, way):
    """The transfer has its addresses, and does not wait. The connection to the resolver serves the next lookup."""
    resolver.records = None
    d = site.easy(way, DNS_CACHE_TIMEOUT=0, FRESH_CONNECT=1).perform().perform()
    r = d.getinfo("h", "HTTP_VERSION", "TOTAL_TIME_T").run()
    by(r["h"], V2)
    assert r["h"].info["TOTAL_TIME_T"] < 5_000_000 and {t.code for t in r.all("h")} == {0}


def test_time_is_over_while_only_a_record_is_missing(site, resolver, way):
    """There is no address, so that it waits."""
    resolver.names, resolver.records = {}, None
    assert site.get(way, TIMEOUT_MS=400).code == 28


def test_a_service_that_refuses(site, resolver, way):
    resolver.records = [service(H3)]
    t = site.get(way, port="tcp")
    by(t, V2)


def test_a_service_that_is_silent(site, resolver, way, nginx):
    resolver.records = [service(H3)]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as hole:
        hole.bind(("127.0.0.1", nginx.port("tcp")))
        t = site.get(way, port="tcp")
    by(t, V2)
    assert t.info["TOTAL_TIME_T"] >= 100_000


def test_a_target_that_does_not_exist(site, resolver, way):
    resolver.records = [service(H3, target="none.test")]
    by(site.get(way), V2)


# ---- who asks

@pytest.mark.parametrize("more", [{"HTTP_VERSION": 2}, {"HTTP_VERSION": 3}, {"HTTP_VERSION": 4}, {"SSL_ENABLE_ALPN": 0},
                                  {"CONNECT_TO": ["some.test::some.test:{quic}"]}], ids=str)
def test_transfers_that_do_not_ask(site, resolver, more, nginx):
    resolver.records = [service(H3)]
    more = {k: [x.replace("{quic}", str(nginx.port("quic"))) for x in v] if isinstance(v, list) else v for k, v in more.items()}
    t = site.get(port="tcp" if "CONNECT_TO" in more else "quic", **more)
    got(t, "12.txt")
    assert t.info["HTTP_VERSION"] != V3 and not resolver.asked(HTTPS)


def test_a_plain_url_does_not_ask(site, resolver, make_server):
    plain = make_server()
    plain.default(Serve(lambda q, p: response(200, b"x")))
    t = site.get(URL=plain.url("/").replace("127.0.0.1", "some.test"))
    assert t.code == 0 and not resolver.asked(HTTPS)


def test_a_resolver_of_http_1_is_not_asked(site, make_server, certs):
    seen = []
    server = make_server(tls=certs.context())

    def serve(request, _):
        q = Query(request)
        seen.append(q.kind)
        return response(200, message(q.question, [record(A, LOCAL4)] if q.kind == A else []), [TYPE])
    server.default(Serve(serve))
    by(site.get(DOH_URL=server.url("/dns-query")), V2)
    assert sorted(seen) == [A, AAAA]


# ---- what is kept

def test_the_answer_is_cached_with_its_record(site, resolver, way):
    """A kept connection serves first; a new one is made by the record."""
    resolver.records = [service(H3)]
    d = site.easy(way).perform().getinfo("h", "HTTP_VERSION", "NUM_CONNECTS").perform().getinfo("h", "HTTP_VERSION", "NUM_CONNECTS")
    d.setopt("h", FRESH_CONNECT=1).perform().getinfo("h", "HTTP_VERSION", "NUM_CONNECTS")
    r = d.run()
    assert [(t.code, t.info["HTTP_VERSION"], t.info["NUM_CONNECTS"]) for t in r.all("h")] == [(0, V3, 1), (0, V3, 0), (0, V3, 1)]
    assert len(resolver.seen) == 3


@pytest.mark.parametrize("ttl, lookups", [(60, 1), (0, 2)])
def test_no_longer_than_its_record(site, resolver, ttl, lookups):
    resolver.records = [service(H3, ttl=ttl)]
    d = site.easy(FRESH_CONNECT=1).perform().perform()
    assert {t.code for t in d.run().all("h")} == {0} and len(resolver.asked(HTTPS)) == lookups


def test_another_transfer_does_not_get_its_connection(site, resolver):
    """One that has no such resolver, and one that wants another version."""
    resolver.records = [service(H3)]
    line = [f"some.test:{site.server.port('quic')}:127.0.0.1"]
    d = site.easy().perform().getinfo("h", "HTTP_VERSION").setopt("h", DOH_URL=None, RESOLVE=line)
    d.perform().getinfo("h", "HTTP_VERSION", "NUM_CONNECTS").setopt("h", HTTP_VERSION=2)
    r = d.perform().getinfo("h", "HTTP_VERSION", "NUM_CONNECTS").run()
    assert [t.info["HTTP_VERSION"] for t in r.all("h")] == [V3, V2, 2]


def test_many_lookups_one_after_the_other(site, resolver, way):
    """The block of a lookup serves the next one, with records or without."""
    resolver.records = [service(H3)]
    d = site.easy(way, DNS_CACHE_TIMEOUT=0, FRESH_CONNECT=1)
    for version in (0, 0, 2, 0, 2, 2, 0):
        d.setopt("h", HTTP_VERSION=version).perform().getinfo("h", "HTTP_VERSION")
    r = d.run()
    assert [(t.code, t.info["HTTP_VERSION"]) for t in r.all("h")] == [(0, {0: V3, 2: 2}[v]) for v in (0, 0, 2, 0, 2, 2, 0)]


def test_many_at_once(site, resolver, drive, multi_way):
    resolver.records = [service(H3)]
    d = drive(multi_way).do("multi", "m")
    names = [f"h{i}" for i in range(20)]
    for name in names:
        d.easy(name, URL=site.server.url("/12.txt", "quic").replace("localhost", "some.test"), PIPEWAIT=1, CAINFO=site.ca,
               SSL_VERIFYHOST=0, DOH_URL=resolver.server.url("/dns-query"))
    for name in names:
        d.do("add", "m", name)
    d.do("drive", "m", "all")
    for name in names:
        d.getinfo(name, "NUM_CONNECTS", "HTTP_VERSION")
    r = d.run()
    assert {(r[name].code, r[name].info["HTTP_VERSION"]) for name in names} == {(0, V3)}
    assert sum(r[name].info["NUM_CONNECTS"] for name in names) == 1 and len(resolver.asked(HTTPS)) == 1


# ---- what is left in the middle, and what fails

def test_a_target_that_is_late(site, resolver, way):
    """TCP is ready while the name of the service is still looked up."""
    resolver.records = [service(H3, port_of(site.server.port("quic")), target="late.test")]
    resolver.late = "late.test"
    d = site.easy(way, port="tcp", FRESH_CONNECT=1).perform().getinfo("h", "HTTP_VERSION").perform()
    r = d.getinfo("h", "HTTP_VERSION").run()
    for t in r.all("h"):
        by(t, V2)


def test_removed_while_a_target_is_looked_up(site, resolver, multi_way, drive):
    """By TCP no one answers."""
    with socket.socket() as tcp:
        tcp.bind(("127.0.0.1", 0))
        tcp.listen(5)
        resolver.records = [service(H3, port_of(site.server.port("quic")), target="late.test")]
        resolver.late = "late.test"
        d = drive(multi_way).do("multi", "m").easy("h", URL=f"https://some.test:{tcp.getsockname()[1]}/", CAINFO=site.ca,
                                                   SSL_VERIFYHOST=0, DOH_URL=resolver.server.url("/dns-query"), TIMEOUT_MS=400)
        d.easy("g", URL=site.server.url("/12.txt", "quic"), CAINFO=site.ca)
        r = d.do("add", "m", "h").do("drive", "m", "all").do("remove", "m", "h").do("add", "m", "g").do("drive", "m", "all").run()
    assert (r["h"].code, r["g"].code) == (28, 0) and "late.test" in resolver.asked(A)


@pytest.mark.parametrize("target", ["", "other.test"])
@pytest.mark.parametrize("fault_way", ["easy", "socket"])
@pytest.mark.skipif(bool(SANITIZED), reason="a sanitizer's runtime replaces malloc itself")
def test_allocations(site, resolver, drive, fault_way, target):
    """Each of them fails once. The transfer has come by TCP then, or has failed for want of memory."""
    resolver.records = [service(H3, port_of(site.server.port("quic")), target=target)]
    resolver.server.tls_may_fail, rounds = True, 400
    d = drive(fault_way, fault=True, seconds=240).do("tolerant", 1)
    options = {"URL": site.server.url("/12.txt", "tcp").replace("localhost", "some.test"), "CAINFO": site.ca, "SSL_VERIFYHOST": 0,
               "DOH_URL": resolver.server.url("/dns-query"), "TIMEOUT": 10}
    for n in range(rounds + 1):
        d.do("mark", n)
        if n:
            d.do("fault", "arm", "alloc", n)
        d.easy("h", **options).do("enable", "h", "quiet").perform("h").do("fault", "disarm")
        d.do("again", "h").setopt("h", **options).perform("h")
        d.do("cleanup", "h").do("mcleanup", "default").do("freelists").do("fault", "live").do("fds")
    fired, last = check(d.run(), {27, 6, 7})
    assert fired > 50 and last < rounds
