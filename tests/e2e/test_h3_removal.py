"""HTTP/3 transfers that are taken out, reset or freed in every state: nothing is left of them, the others of their connection are whole,
and the handle is served again."""

import pytest

from h3_bytes import data, head, play
from h3_fixtures import ONLY, V3, add, check, files_of, got, thorough
from mote_driver import SANITIZED, by_library, not_debian

pytestmark = [pytest.mark.usefixtures("http3"), not_debian("it has no HTTP/3")]

FOR_EVER = head(("content-length", "50")) + data("he")
PLACES = {  # where a transfer is when it goes: its path, and how it is known to be there
    "before a byte": ("/12.txt", None), "in the handshake": ("/12.txt", ("for", 2)),
    "waiting for the head": ("/play", ("for", 60)), "in the head": (play(head(status=103)), ("calls", "header", 1)),
    "in the body": (play(FOR_EVER), ("bytes", "write", 1)), "paused": ("/1m.bin", ("paused",)),
    "uploading": (play(at_head=True), ("bytes", "read", 100_000)), "upload paused": ("/echo", ("paused",)),
    "reset": (play(FOR_EVER, ("reset", 0x102)), ("done",)), "done": ("/12.txt", ("done",))}
WAYS_OUT = ("remove", "cleanup", "reset")


def put_there(d, name, place, url, options):
    path, known = PLACES[place]
    d.easy(name, URL=url(path), PIPEWAIT=1, **options)
    if "upload" in place:
        d.setopt(name, UPLOAD=1, INFILESIZE=50_000_000).body(name, 50_000_000)
    if "paused" in place:
        d.on(name, "read" if "upload" in place else "write", "call", 2, "pause")
    d.do("add", "m", name)
    if known and known[0] == "for":
        d.do("drive", "m", *known)
    elif known:
        d.do("drive", "m", known[0], name, *known[1:])
    return d


def taken_out(d, name, out):
    if out != "cleanup":
        d.do("remove", "m", name)
    if out == "reset":
        d.do("reset", name)
    if out == "cleanup":
        d.do("remove", "m", name).do("cleanup", name)


@pytest.mark.parametrize("out", WAYS_OUT)
@pytest.mark.parametrize("place", PLACES)
def test_transfer_that_goes(drive, multi_way, quic_peer, quic_options, place, out):
    """With a neighbour that is in the middle of its body, and one that comes after it."""
    d = drive(multi_way).do("multi", "m").easy("n", URL=quic_peer.url("/1m.bin", "quic"), PIPEWAIT=1, **quic_options)
    d.on("n", "write", "call", 2, "pause").do("add", "m", "n").do("drive", "m", "paused", "n")
    taken_out(put_there(d, "h", place, quic_peer.at("quic"), quic_options), "h", out)
    d.easy("after", URL=quic_peer.url("/64k.bin", "quic"), PIPEWAIT=1, **quic_options).do("add", "m", "after")
    r = d.do("calm", "n").do("pause", "n", 0).do("drive", "m", "all").getinfo("after", "NUM_CONNECTS").run()
    got(r["n"], "1m.bin")
    got(r["after"], "64k.bin")
    assert r["after"].info["NUM_CONNECTS"] == 0


@pytest.mark.parametrize("out", WAYS_OUT)
@pytest.mark.parametrize("place", PLACES)
def test_only_transfer_goes(drive, multi_way, quic_peer, quic_options, place, out):
    """Of its connection, and with the multi after it, in every order."""
    d = put_there(drive(multi_way).do("multi", "m"), "h", place, quic_peer.at("quic"), quic_options)
    taken_out(d, "h", out)
    if out == "remove":
        d.do("calm", "h").setopt("h", URL=quic_peer.url("/64k.bin", "quic"), HTTPGET=1).do("add", "m", "h").do("drive", "m", "all")
        got(d.run()["h"], "64k.bin")
    elif out == "reset":
        d.do("mcleanup", "m").run()
    else:
        d.run()


@pytest.mark.parametrize("version", [ONLY, V3], ids=["only", "3"])
def test_transfer_goes_while_no_one_answers(drive, multi_way, quic_nginx, quic_options, relay, version):
    """In the race, with one that waits for the connection: that one's dial goes on."""
    r = relay(quic_nginx.port("quic"))
    r.swallow()
    d = drive(multi_way).do("multi", "m")
    for name in ("a", "b"):
        d.easy(name, URL=r.url("/64k.bin"), PIPEWAIT=1, **{**quic_options, "HTTP_VERSION": version})
        d.do("add", "m", name)
    d.do("drive", "m", "for", 50).do("remove", "m", "a").do("cleanup", "a").do("mark", "gone").start()
    d.expect("mark")
    r.pass_on()
    got(d.do("drive", "m", "all").end()["b"], "64k.bin")


def test_multi_goes_first(drive, multi_way, quic_peer, quic_options):
    d = drive(multi_way).do("multi", "m")
    for i, place in enumerate(PLACES):
        put_there(d, f"h{i}", place, quic_peer.at("quic"), quic_options)
    d.do("mcleanup", "m")
    for i in range(len(PLACES)):
        d.do("cleanup", f"h{i}")
    d.run()


def test_removed_inside_its_callback(drive, multi_way, quic_peer, quic_options):
    """That is refused; ending there by an error is not."""
    d = drive(multi_way).do("multi", "m").easy("h", URL=quic_peer.url("/1m.bin", "quic"), **quic_options)
    d.on("h", "write", "call", 2, "remove").on("h", "write", "call", 5, "return", 0).do("add", "m", "h").do("drive", "m", "all")
    assert d.run()["h"].code == 23


@pytest.mark.parametrize("seed", range(3))
def test_many_that_go_at_random(drive, multi_way, quic_nginx, quic_options, seed):
    """A third of them, in the order of their numbers times a prime."""
    wanted = files_of(90)
    d = add(drive(multi_way).do("multi", "m"), wanted, quic_nginx.at("quic"), **quic_options)
    gone = [n for i, n in enumerate(wanted) if i * (7 + 6 * seed) % 3 == seed % 3] if seed else list(wanted)[::3]
    for name in gone:
        d.do("drive", "m", "for", 1).do("remove", "m", name).do("cleanup", name)
    r = d.do("drive", "m", "all").run()
    check(r, {n: f for n, f in wanted.items() if n not in gone})


@thorough
def test_ten_thousand_streams_of_a_hundred_connections(drive, multi_way, quic_nginx, quic_options):
    """A name for each connection; one in a hundred of the streams is paused at first, and one goes."""
    many = 1000 if SANITIZED else 10_000
    port = quic_nginx.port("many")
    d = drive(multi_way, seconds=300).do("multi", "m")
    names = [f"h{i}" for i in range(many)]
    more = {**quic_options, "TIMEOUT": None, "SSL_VERIFYHOST": 0, "PIPEWAIT": 1}
    for i, name in enumerate(names):
        host = f"c{i % 100}.test:{port}"
        d.easy(name, URL=f"https://{host}/{'64k.bin' if i % 50 == 0 else '12.txt'}", RESOLVE=[host + ":127.0.0.1"], **more)
        d.do("add", "m", name)
    d.on("h0", "write", "call", 1, "pause").do("drive", "m", "paused", "h0").do("remove", "m", "h50").do("cleanup", "h50")
    d.do("calm", "h0").do("pause", "h0", 0).do("drive", "m", "all")
    for name in names[:1] + names[1:50] + names[51:]:
        d.getinfo(name, "NUM_CONNECTS")
    r = d.run()
    left = [n for n in names if n != "h50"]
    assert [n for n in left if r[n].code] == []
    assert sum(r[n].info["NUM_CONNECTS"] for n in left) in by_library(range(95, 101), None, range(95, 400))
