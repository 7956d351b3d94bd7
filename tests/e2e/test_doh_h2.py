"""DNS over HTTPS by HTTP/2: both queries at once on one connection, by a scripted resolver and by unbound."""

import os

import pytest

from doh import A, AAAA, LOCAL4, LOCAL6, NXDOMAIN, Query, message, record
from h2_peer import DATA, END_STREAM, H2Server, Serve as H2Serve, frame, head, part, status
from mote_driver import MULTI_WAYS, SYSTEM, WAYS, not_debian
from real_server import RealServer
from server import Close, Serve, response

pytestmark = [pytest.mark.usefixtures("http2"), not_debian("HTTP/2 differs in details")]
TYPE = ("content-type", "application/dns-message")


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
def resolver(make_server, certs):
    return make_server(cls=H2Server, tls=certs.context(alpn=["h2", "http/1.1"]))


@pytest.fixture
def get(drive, make_server, certs):
    """One GET by name from a server of 127.0.0.1, and of ::1 where it is `v6`."""
    site = make_server()
    site.default(Serve(lambda q, p: response(200, b"found")))

    def get(url, way="easy", host="some.test", **options):
        return drive.get(way, URL=site.url(host=host), DOH_URL=url, CAINFO=certs.path("ca.pem"), TIMEOUT=30,
                         info=["PRIMARY_IP"], **options)
    get.site = site
    return get


def question(s):
    class Request:
        body = bytes(s.body)
    return Query(Request)


def answer(s, *records, code=0):
    return message(question(s).question, records, code=code)


def records_of(s):
    return [record(A, LOCAL4)] if question(s).kind == A else []


def both(h2):
    """The two queries, by type; both are there before the first answer."""
    streams = [h2.request(), h2.request()]
    assert {question(s).name for s in streams} == {"some.test"}
    return {question(s).kind: s for s in streams}


@pytest.mark.parametrize("first,then", [(AAAA, A), (A, AAAA)])
def test_both_at_once(get, resolver, way, first, then):
    """The answers may come in either order."""
    def serve(h2):
        s = both(h2)
        h2.respond(s[first], 200, answer(s[first], *records_of(s[first])), TYPE)
        h2.barrier()
        h2.respond(s[then], 200, answer(s[then], *records_of(s[then])), TYPE)
    resolver.script(part(serve))
    t = get(resolver.url("/dns-query"), way)
    assert (t.code, t.body, t.info["PRIMARY_IP"]) == (0, b"found", "127.0.0.1")


def test_answers_in_pieces(get, resolver):
    """Of both in turns."""
    def serve(h2):
        s = both(h2)
        bodies = {k: answer(s[k], *records_of(s[k])) for k in s}
        h2.send(*(head(s[k].id, status(200, TYPE)) for k in s))
        for i in range(max(map(len, bodies.values()))):
            for k in (A, AAAA):
                if i < len(bodies[k]):
                    h2.send(frame(DATA, s[k].id, bodies[k][i:i + 1], END_STREAM if i + 1 == len(bodies[k]) else 0))
    resolver.script(part(serve))
    t = get(resolver.url("/dns-query"))
    assert (t.code, t.body) == (0, b"found")


def test_one_type_is_one_query(get, resolver):
    seen = []

    def reply(s):
        if not s.ended:
            return None
        seen.append(question(s).kind)
        return 200, [TYPE], answer(s, *records_of(s)), True
    resolver.script(H2Serve(answer=reply))
    assert get(resolver.url("/dns-query"), IPRESOLVE=1).code == 0
    assert seen == [A]


@pytest.mark.parametrize("which", [A, AAAA])
def test_one_of_them_fails(get, resolver, which):
    """The other one's address serves."""
    def serve(h2):
        s = both(h2)
        h2.respond(s[which], 500)
        other = s[A + AAAA - which]
        h2.respond(other, 200, answer(other, record(A, LOCAL4) if which == AAAA else record(AAAA, LOCAL6)), TYPE)
    resolver.script(part(serve))
    t = get(resolver.url("/dns-query"))
    assert t.code == (0 if which == AAAA else 7)  # nothing listens on ::1


def test_no_such_name(get, resolver, way):
    resolver.script(H2Serve(answer=lambda s: (200, [TYPE], answer(s, code=NXDOMAIN), True) if s.ended else None))
    assert get(resolver.url("/dns-query"), way).code == 6


def serve_two(name):
    """Answers both queries for the name after both are there."""
    def serve(h2):
        known = len(h2.streams)
        h2.until(lambda: len(h2.streams) == known + 2 and all(s.ended for s in h2.streams.values()))
        streams = list(h2.streams.values())[known:]
        assert {question(s).name for s in streams} == {name}
        for s in streams:
            h2.respond(s, 200, answer(s, *records_of(s)), TYPE)
    return serve


@pytest.mark.parametrize("ends", [False, True], ids=["kept connection", "new connection"])
def test_another_lookup(get, drive, resolver, certs, way, ends, ours_only):
    """Both queries leave at once again, also where the connection was closed meanwhile."""
    if ends:
        ours_only("libcurl 8.23 may end with 6")
    first, then = serve_two("a.test"), serve_two("b.test")
    if ends:
        resolver.play(lambda h2: (first(h2), Close().run(h2.peer)))
        resolver.play(then)
    else:
        resolver.play(lambda h2: (first(h2), then(h2)))
    d = drive(way).easy(URL=get.site.url(host="a.test"), DOH_URL=resolver.url("/dns-query"), CAINFO=certs.path("ca.pem"),
                        TIMEOUT=30)
    d.perform().do("sleep", 50 if ends else 0).setopt("h", URL=get.site.url(host="b.test")).perform()
    assert [t.code for t in d.run().all("h")] == [0, 0]
    assert len(resolver.connections) == 1 + ends


def test_connection_lost(get, resolver):
    """With both under way."""
    resolver.play(lambda h2: (both(h2), Close().run(h2.peer)))
    assert get(resolver.url("/dns-query")).code == 6


def test_removed_in_the_middle(drive, resolver, certs, multi_way):
    """Nothing is left of the two (the driver counts descriptors at its end, and the library its memory)."""
    resolver.script(part(lambda h2: (both(h2), h2.until(lambda: False)), may_leave=True))
    d = drive(multi_way).do("multi", "m").easy("h", URL="http://some.test:1/", DOH_URL=resolver.url("/dns-query"),
                                              CAINFO=certs.path("ca.pem")).do("add", "m", "h")
    d.do("drive", "m", "for", 300).do("remove", "m", "h").do("mcleanup", "m").do("cleanup", "h").run()


# ---------------------------------------------------------------- unbound

class Unbound(RealServer):
    """Knows h1.doh.test .. h9.doh.test, which are 127.0.0.1, and six.doh.test, which is ::1."""

    name = "unbound"

    CONF = """
server:
  interface: 127.0.0.1@{port}
  https-port: {port}
  tls-service-key: "{key}"
  tls-service-pem: "{cert}"
  username: ""
  chroot: ""
  pidfile: ""
  directory: "{d}"
  use-syslog: no
  log-queries: yes
  logfile: "{d}/log"
  do-daemonize: no
  module-config: "iterator"
  local-zone: "doh.test." static
  local-data: "six.doh.test. AAAA ::1"
{data}
remote-control:
  control-enable: no
"""

    def commands(self):
        data = "".join(f'  local-data: "h{i}.doh.test. A 127.0.0.1"\n' for i in range(1, 10))
        conf = self.CONF.format(port=self.ports[0], key=self.certs.path("good.key"), cert=self.certs.path("good.pem"),
                                d=self.folder, data=data)
        yield ["/usr/sbin/unbound", "-c", self._write("unbound.conf", conf)]

    @property
    def url(self):
        return f"https://localhost:{self.ports[0]}/dns-query"

    def queries(self, name):
        with open(self._path("log"), errors="replace") as f:
            return [line.split()[-2] for line in f if f" {name}. " in line]


@pytest.fixture(scope="module")
def unbound(tmp_path_factory, certs):
    if not os.path.exists("/usr/sbin/unbound"):
        pytest.skip("unbound is not installed")
    s = Unbound(tmp_path_factory.mktemp("unbound"), certs)
    yield s
    s.close()


def test_unbound(get, unbound, way):
    t = get(unbound.url, way, host="h1.doh.test")
    assert (t.code, t.body, t.info["PRIMARY_IP"]) == (0, b"found", "127.0.0.1")
    assert set(unbound.queries("h1.doh.test")) >= {"A", "AAAA"}


def test_unbound_knows_no_such_name(get, unbound, way):
    assert get(unbound.url, way, host="none.doh.test").code == 6


def test_unbound_many_names(drive, get, unbound, multi_way, certs):
    """At once, and by few connections."""
    d = drive(multi_way).do("multi", "m")
    names = [f"h{i}" for i in range(1, 10)]
    for name in names:
        d.easy(name, URL=get.site.url(host=name + ".doh.test"), DOH_URL=unbound.url, CAINFO=certs.path("ca.pem")).do("add", "m", name)
    r = d.do("drive", "m", "all").run()
    assert not [r[n] for n in names if (r[n].code, r[n].body) != (0, b"found")]
