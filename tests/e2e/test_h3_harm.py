"""HTTP/3 on paths that lose, reorder, repeat, change or shorten what passes (udp_relay.py), or that end. A transfer is whole all the
same, and the relay says that it did harm."""

import pytest

from h3_fixtures import FULL, add, check, files_of, got, thorough
from mote_driver import crc, not_debian, pattern

pytestmark = [pytest.mark.usefixtures("http3"), not_debian("it has no HTTP/3")]

HARMS = {
    "lost 2": {"lost": 0.02}, "lost 20": {"lost": 0.2}, "duplicated": {"duplicated": 0.3}, "reordered": {"reordered": 0.3},
    "corrupted": {"corrupted": 0.05}, "all": {"lost": 0.02, "duplicated": 0.1, "reordered": 0.1, "corrupted": 0.02}}
SEEDS = range(1, 9) if FULL else (1,)


def file_for(harm):
    """One in five packets lost makes a megabyte a matter of a minute."""
    return "64k.bin" if harm == "lost 20" else "1m.bin"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("harm", HARMS)
def test_download(drive, way, quic_nginx, quic_options, relay, harm, seed):
    r = relay(quic_nginx.port("quic"), seed=seed, **HARMS[harm])
    got(drive.get(way, URL=r.url("/" + file_for(harm)), **quic_options), file_for(harm))
    assert all(r.counts[what] for what in r.shares if r.shares[what]), r.counts


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("harm", HARMS)
def test_upload(drive, way, quic_peer, quic_options, relay, harm, seed):
    size = 60_000 if harm == "lost 20" else 400_000
    r = relay(quic_peer.port("quic"), seed=seed, **HARMS[harm])
    d = drive(way).easy("h", URL=r.url("/echo"), UPLOAD=1, INFILESIZE=size, **quic_options).body("h", size)
    t = d.perform().run()["h"]
    assert (t.code, t.error, t.length, t.crc) == (0, "", size, crc(pattern(size)))
    assert all(r.counts[what] for what in r.shares if r.shares[what]), r.counts


@pytest.mark.parametrize("harm", ["lost 2", "all"])
def test_many_at_once(drive, multi_way, quic_nginx, quic_options, relay, harm):
    wanted = files_of(60)
    r = relay(quic_nginx.port("quic"), seed=3, **HARMS[harm])
    check(add(drive(multi_way).do("multi", "m"), wanted, r.url, **quic_options).do("drive", "m", "all").run(), wanted)


@pytest.mark.parametrize("only", ["there", "back"])
def test_short_path(drive, way, quic_nginx, quic_options, relay, only):
    """Longer datagrams than 1,300 bytes vanish. Those that look for the longest that passes are among them."""
    r = relay(quic_nginx.port("quic"), size=1300, only=only)
    d = drive(way).easy("h", URL=r.url("/1m.bin"), **quic_options).perform()
    d.setopt("h", URL=r.url(quic_nginx.upload), UPLOAD=1, INFILESIZE=1_000_000).body("h", 1_000_000).perform()
    run = d.setopt("h", HTTPGET=1).perform().getinfo("h", "NUM_CONNECTS").run()
    first, _, last = run.all("h")
    got(first, "1m.bin")
    assert (last.code, last.length, last.crc) == (0, 1_000_000, crc(pattern(1_000_000)))
    assert last.info["NUM_CONNECTS"] == 0


def rebound(relay, port, **more):
    """A relay whose server sees another port of the client's from the 200th datagram of a direction on."""
    def hook(r, direction, data, n):
        if direction == "there" and n == 40:
            r.rebind()
    return relay(port, hook=hook, **more)


def test_other_port_of_the_client(drive, way, quic_nginx, quic_options, relay):
    """A translator of addresses forgets: the server answers to the new one when it has seen it proved (RFC 9000 section 9)."""
    r = rebound(relay, quic_nginx.port("quic"))
    d = drive(way).easy("h", URL=r.url("/1m.bin"), **quic_options).perform().perform().getinfo("h", "NUM_CONNECTS")
    run = d.run()
    for t in run.all("h"):
        got(t, "1m.bin")
    assert run["h"].info["NUM_CONNECTS"] == 0 and len(r.backs) == 2, r.counts


def test_other_port_of_the_client_in_an_upload(drive, way, quic_nginx, quic_options, relay):
    r = rebound(relay, quic_nginx.port("quic"))
    d = drive(way).easy("h", URL=r.url(quic_nginx.upload), UPLOAD=1, INFILESIZE=1_000_000, **quic_options).body("h", 1_000_000)
    t = d.perform().setopt("h", HTTPGET=1).perform().run()["h"]
    assert (t.code, t.length, t.crc) == (0, 1_000_000, crc(pattern(1_000_000)))
    assert len(r.backs) == 2, r.counts


def test_other_port_of_the_client_while_idle(drive, way, quic_nginx, quic_options, relay):
    r = relay(quic_nginx.port("quic"))
    d = drive(way).easy("h", URL=r.url("/64k.bin"), **quic_options).perform().start()
    d.expect("result")
    r.rebind()
    run = d.perform().getinfo("h", "NUM_CONNECTS").end()
    for t in run.all("h"):
        got(t, "64k.bin")
    assert run["h"].info["NUM_CONNECTS"] == 0 and len(r.backs) == 2


def test_silence_for_a_while(drive, multi_way, quic_nginx, quic_options, relay):
    """Everything is lost in the middle of a body, and then nothing more."""
    r = relay(quic_nginx.port("quic"))
    d = drive(multi_way).do("multi", "m").easy("h", URL=r.url("/1m.bin"), **quic_options).on("h", "write", "call", 3, "pause")
    d.do("add", "m", "h").do("drive", "m", "paused", "h").start()
    d.expect("paused")
    r.swallow()
    d.do("calm", "h").do("pause", "h", 0).do("drive", "m", "for", 300).do("mark", "silent")
    d.expect("mark")
    r.pass_on()
    got(d.do("drive", "m", "all").end()["h"], "1m.bin")


def test_injected_datagrams(drive, way, quic_nginx, quic_options, relay):
    """Others' datagrams between the server's: noise, packets with a wrong key, half of one, a version negotiation that names the
    version that is spoken, a Retry without the right tag, what looks like a stateless reset. None is heeded (RFC 9000 sections
    5.2, 6.2, 10.3)."""
    ids = {}

    def hook(_, direction, data, n):
        if direction == "there":
            if n == 1:
                to, own = data[6:6 + data[5]], data[7 + data[5]:][:data[6 + data[5]]]
                ids["pair"] = bytes([len(own)]) + own + bytes([len(to)]) + to
            return None
        noise = [b"", b"\0", b"\x40" * 21, b"\xff" * 1200, data[:len(data) // 2], b"\x40" + bytes(60), data[:20] + bytes(40),
                 b"\x80\0\0\0\0" + ids["pair"] + b"\0\0\0\1", b"\xf0\0\0\0\1" + ids["pair"] + b"token" + bytes(16)]
        return [*noise, data, data] if n < 30 else None
    r = relay(quic_nginx.port("quic"), hook=hook)
    got(drive.get(way, URL=r.url("/64k.bin"), **quic_options), "64k.bin")
    assert r.counts["back"] > 10


@thorough
def test_much_at_a_loss(drive, multi_way, quic_nginx, quic_options, relay):
    wanted = files_of(300)
    r = relay(quic_nginx.port("quic"), seed=5, lost=0.05)
    d = drive(multi_way, seconds=300).do("multi", "m")
    check(add(d, wanted, r.url, **{**quic_options, "TIMEOUT": 300}).do("drive", "m", "all").run(), wanted)
