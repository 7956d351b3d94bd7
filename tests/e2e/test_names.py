"""Names: RESOLVE, CONNECT_TO, the cache, names that are not there, families."""

import pytest

from mote_driver import NEWEST, SANITIZED, SYSTEM, by_library
from server import Expect, Reply, Serve, response


def test_localhost(drive, server, way):
    server.answer(response(200, b"x"))
    t = drive.get(way, URL=server.url(host="localhost"), info=("PRIMARY_IP",))
    assert (t.code, t.info["PRIMARY_IP"]) == (0, "127.0.0.1")


def test_not_there(drive, way):
    t = drive.get(way, URL="http://no-such-name.invalid/", TIMEOUT=15)
    assert t.code == 6
    assert "no-such-name.invalid" in t.error


def test_resolve(drive, server, way):
    server.script(Expect(has={"Host": f"some.test:{server.port}"}), Reply(200, b"found"))
    t = drive.get(way, URL=f"http://some.test:{server.port}/", RESOLVE=[f"some.test:{server.port}:127.0.0.1"])
    assert (t.code, t.body) == (0, b"found")


@pytest.mark.parametrize("entry", ["SOME.test:PORT:127.0.0.1", "+some.test:PORT:127.0.0.1", "*:PORT:127.0.0.1",
                                   "some.test:PORT:127.0.0.1,127.0.0.2"])
def test_resolve_forms(drive, server, entry):
    server.answer(response(200, b"f"))
    t = drive.get(URL=f"http://some.test:{server.port}/", RESOLVE=[entry.replace("PORT", str(server.port))])
    assert (t.code, t.body) == (0, b"f")


def test_resolve_other_port_does_not_match(drive, server):
    t = drive.get(URL=f"http://some.invalid:{server.port}/", RESOLVE=["some.invalid:1:127.0.0.1"], TIMEOUT=15)
    assert t.code == 6


@pytest.mark.parametrize("entry", ["nonsense", "host:notaport:127.0.0.1", "host:80"])
def test_resolve_bad_entry(drive, server, entry):
    t = drive.get(URL=f"http://127.0.0.1:{server.port}/", RESOLVE=[entry])
    assert t.code == 49
    assert t.error or True


def test_resolve_removed(drive, server):
    """-HOST:PORT takes an entry out of the cache."""
    server.default(Serve(lambda q, p: response(200, b"x", ["Connection: close"])))
    d = drive().easy(URL=f"http://some.invalid:{server.port}/", RESOLVE=[f"some.invalid:{server.port}:127.0.0.1"], TIMEOUT=15)
    d.perform().setopt("h", RESOLVE=[f"-some.invalid:{server.port}"]).perform()
    assert [t.code for t in d.run().all("h")] == [0, 6]


def test_reset_gives_resolve_up(drive, server):
    """As curl_easy_reset(3) says of all options; libcurl still uses a list that no transfer has used."""
    server.default(Serve(lambda q, p: response(200, b"x", ["Connection: close"])))
    url = f"http://some.invalid:{server.port}/"
    d = drive().easy(URL=url, RESOLVE=[f"some.invalid:{server.port}:127.0.0.1"]).do("reset", "h").setopt("h", URL=url, TIMEOUT=15)
    assert d.perform().run()["h"].code == by_library(6, 0, 0)


def test_resolve_stays(drive, server):
    """An entry stays in the cache of its handle."""
    server.default(Serve(lambda q, p: response(200, b"x", ["Connection: close"])))
    d = drive().easy(URL=f"http://some.invalid:{server.port}/", RESOLVE=[f"some.invalid:{server.port}:127.0.0.1"], TIMEOUT=15)
    d.perform().setopt("h", RESOLVE=None, DNS_CACHE_TIMEOUT=0).perform()
    assert [t.code for t in d.run().all("h")] == [0, 0]


def test_second_address_is_tried(drive, server, way):
    """The first address refuses: the next one is taken."""
    server.answer(response(200, b"second"))
    t = drive.get(way, URL=f"http://two.test:{server.port}/", RESOLVE=[f"two.test:{server.port}:127.0.0.9,127.0.0.1"],
                  info=("PRIMARY_IP",))
    assert (t.code, t.body, t.info["PRIMARY_IP"]) == (0, b"second", "127.0.0.1")


def test_both_families(drive, server, way):
    """IPv6 refuses: IPv4 is taken."""
    server.answer(response(200, b"four"))
    t = drive.get(way, URL=f"http://two.test:{server.port}/", RESOLVE=[f"two.test:{server.port}:[::1],127.0.0.1"])
    assert (t.code, t.body) == (0, b"four")


def test_ipv6_literal(drive, make_server, way):
    server = make_server(host="::1")
    server.script(Expect(has={"Host": f"[::1]:{server.port}"}), Reply(200, b"six"))
    t = drive.get(way, URL=server.url(), info=("PRIMARY_IP",))
    assert (t.code, t.body, t.info["PRIMARY_IP"]) == (0, b"six", "::1")


@pytest.mark.parametrize("family,ok", [(1, True), (2, False)])
def test_ipresolve(drive, server, family, ok):
    """IPRESOLVE_V6 with an IPv4 address only: nothing to connect to; libcurl 8.23 takes it nevertheless."""
    if ok or NEWEST:
        server.answer(response(200, b"x"))
    t = drive.get(URL=server.url(), IPRESOLVE=family)
    assert t.code == (0 if ok else by_library(7, 7, 0))


@pytest.mark.parametrize("option", [{"URL": "http://[::1]:1/"}, {"URL": "http://x.test:1/", "CONNECT_TO": ["::[::1]:1"]}])
def test_ipresolve_of_the_other_family(drive, way, option):
    """A literal address needs no lookup: it is not a name that does not exist, there is nothing to connect to."""
    t = drive.get(way, IPRESOLVE=1, **option)
    assert t.code == 7
    assert t.error or SYSTEM


@pytest.mark.parametrize("entry", ["127.0.0.9:PORT:127.0.0.1", "+127.0.0.9:PORT:127.0.0.1", "*:PORT:127.0.0.1"])
def test_resolve_of_a_literal(drive, server, way, entry):
    """A literal address is a HOST of CURLOPT_RESOLVE as a name is."""
    server.script(Expect(has={"Host": f"127.0.0.9:{server.port}"}), Reply(200, b"l"))
    t = drive.get(way, URL=f"http://127.0.0.9:{server.port}/", RESOLVE=[entry.replace("PORT", str(server.port))],
                  info=("PRIMARY_IP",))
    assert (t.code, t.body, t.info["PRIMARY_IP"]) == (0, b"l", "127.0.0.1")


def test_resolve_of_a_literal_that_connect_to_names(drive, server):
    server.answer(response(200, b"l"))
    t = drive.get(URL="http://x.test/", CONNECT_TO=[f"::127.0.0.9:{server.port}"],
                  RESOLVE=[f"127.0.0.9:{server.port}:127.0.0.1"])
    assert (t.code, t.body) == (0, b"l")


def test_resolve_of_a_literal_of_six(drive, server):
    """[::5] in the URL; 7.88 takes no such HOST, but its wildcard."""
    server.answer(response(200, b"l"))
    t = drive.get(URL=f"http://[::5]:{server.port}/", RESOLVE=[f"*:{server.port}:127.0.0.1"])
    assert (t.code, t.body) == (0, b"l")


def test_resolve_of_a_literal_without_a_usable_address(drive, server):
    """What CURLOPT_IPRESOLVE excludes is not used: the literal stands for itself; libcurl 8.23 finds no address."""
    if not NEWEST:
        server.answer(response(200, b"l"))
    t = drive.get(URL=server.url(), IPRESOLVE=1, RESOLVE=[f"127.0.0.1:{server.port}:[::9]"])
    assert (t.code, t.body) == by_library((0, b"l"), (0, b"l"), (6, b""))


def test_resolve_of_a_literal_removed(drive, server):
    server.default(Serve(lambda q, p: response(200, b"x", ["Connection: close"])))
    d = drive().easy(URL=server.url(), RESOLVE=[f"127.0.0.1:{server.port}:127.0.0.9"])
    d.perform().setopt("h", RESOLVE=[f"-127.0.0.1:{server.port}"]).perform()
    assert [t.code for t in d.run().all("h")] == [7, 0]


@pytest.mark.parametrize("form", ["::127.0.0.1:PORT", "name.test:80:127.0.0.1:PORT", "name.test::127.0.0.1:PORT",
                                  ":80:127.0.0.1:PORT", "NAME.test:80:localhost:PORT"])
def test_connect_to(drive, server, form):
    server.script(Expect(has={"Host": "name.test"}), Reply(200, b"there"))
    t = drive.get(URL="http://name.test/", CONNECT_TO=[form.replace("PORT", str(server.port))],
                  RESOLVE=[f"localhost:{server.port}:127.0.0.1"])
    assert (t.code, t.body) == (0, b"there")


def test_connect_to_does_not_match(drive, server):
    server.answer(response(200, b"direct"))
    t = drive.get(URL=server.url(), CONNECT_TO=["other.test:80:127.0.0.1:1"])
    assert (t.code, t.body) == (0, b"direct")


def test_connect_to_first_match(drive, server):
    server.answer(response(200, b"direct"))
    t = drive.get(URL="http://name.test/", CONNECT_TO=["other.test::127.0.0.1:1", f"name.test::127.0.0.1:{server.port}",
                                                      "name.test::127.0.0.1:2"])
    assert t.code == 0


def test_resolver_start_callback(drive, way):
    t = drive.get(way, URL="http://no-such-name.invalid/", TIMEOUT=15, enable=["resolve"])
    assert (t.code, t.calls.get("resolve")) == (6, 1)


def test_resolver_start_abort(drive, way):
    """Refused by the callback: nothing is looked up."""
    d = drive(way, fault=True).do("fault", "arm", "pthread_create", 1000000).easy(URL="http://no-such-name.invalid/")
    d.enable("h", "resolve").on("h", "resolve", "call", 1, "return", 1).perform().do("fault", "seen")
    r = d.run()
    assert r["h"].code == by_library(42, 6)
    assert r.code("fault", "seen") == 0


def test_resolver_start_for_a_literal_address(drive, server, way):
    """It is resolved too, though nothing is looked up; a kept connection asks for nothing."""
    server.answer(response(200, b"x"), response(200, b"y"))
    d = drive(way).easy(URL=server.url()).enable("h", "resolve").perform().perform()
    assert [(t.code, t.calls.get("resolve", 0)) for t in d.run().all("h")] == [(0, 1), (0, 0)]


def test_resolver_start_abort_for_a_literal_address(drive, server, way):
    d = drive(way).easy(URL="http://127.0.0.1:1/").enable("h", "resolve").on("h", "resolve", "call", 1, "return", 1)
    assert d.perform().run()["h"].code == by_library(42, 6)


def test_resolver_start_is_not_called_for_what_is_known(drive, server):
    server.answer(response(200, b"x"))
    t = drive.get(URL=f"http://n.test:{server.port}/", RESOLVE=[f"n.test:{server.port}:127.0.0.1"], enable=["resolve"])
    assert (t.code, t.calls.get("resolve", 0)) == (0, 0)


def test_shuffle(drive, server):
    server.answer(response(200, b"x"))
    t = drive.get(URL=f"http://s.test:{server.port}/", RESOLVE=[f"s.test:{server.port}:127.0.0.1,127.0.0.7,127.0.0.8"],
                  DNS_SHUFFLE_ADDRESSES=1)
    assert t.code == 0


def test_literals_start_no_thread(drive, server, ours_only):
    """A literal address and a RESOLVE entry need no lookup thread."""
    ours_only("counts pthread_create of the library")
    server.default(Serve(lambda q, p: response(200, b"x")))
    d = drive(fault=True).do("fault", "arm", "pthread_create", 1000000)
    d.easy(URL=server.url()).perform().setopt("h", URL=server.url(host="r.test"), RESOLVE=[f"r.test:{server.port}:127.0.0.1"])
    r = d.perform().do("fault", "seen").run()
    assert r.code("fault", "seen") == 0


def test_joined_lookups(drive, multi_way, ours_only):
    """Ten transfers to one name: one lookup."""
    ours_only("libcurl 7.88 starts a thread for each")
    if SANITIZED:
        pytest.skip("a sanitizer's runtime starts the threads itself")
    d = drive(multi_way, fault=True).do("fault", "arm", "pthread_create", 1000000)
    names = [f"h{i}" for i in range(10)]
    for n in names:
        d.easy(n, URL="http://no-such-name.invalid/", TIMEOUT=15)
    r = d.perform(*names).do("fault", "seen").run()
    assert [r[n].code for n in names] == [6] * 10
    assert r.code("fault", "seen") == 1


@pytest.mark.parametrize("url", ["http://{n}.test/", "http://a..b/", "http://-/"])
def test_impossible_names(drive, url):
    t = drive.get(URL=url.format(n="x" * 300), TIMEOUT=15)
    assert t.code in (3, 6)


def test_names_that_must_not_be_asked(drive):
    """.onion is refused (RFC 7686)."""
    t = drive.get(URL="http://example.onion/", TIMEOUT=15)
    assert t.code == 6
