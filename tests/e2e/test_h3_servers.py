"""HTTP/3 with three servers: nginx, aioquic and quic-go, each of another library."""

import pytest

import http3_servers
from h3_fixtures import ONLY, add, check, files_of, got
from http2_servers import CRC
from mote_driver import PAUSE_CONT, crc, not_debian, pattern

pytestmark = [pytest.mark.usefixtures("http3"), not_debian("it has no HTTP/3")]


@pytest.fixture(params=http3_servers.SERVERS)
def server(request, http3, http3_started):
    lacking = http3_servers.missing(request.param)
    if lacking:
        pytest.skip(lacking)
    return http3_started(http3_servers.SERVERS[request.param])


@pytest.mark.parametrize("name", CRC)
def test_file(drive, way, server, quic_options, name):
    d = drive(way).easy("h", URL=server.url("/" + name, "quic"), **quic_options).perform().perform().getinfo("h", "NUM_CONNECTS")
    r = d.run()
    for t in r.all("h"):
        got(t, name)
    assert r["h"].info["NUM_CONNECTS"] == 0


def test_upload(drive, way, server, quic_options):
    """nginx keeps it, the others send it back."""
    where = server.upload if not server.answers_upload else "/echo"
    d = drive(way).easy("h", URL=server.url(where, "quic"), UPLOAD=1, INFILESIZE=3_000_000, **quic_options).body("h", 3_000_000).perform()
    if not server.answers_upload:
        d.setopt("h", HTTPGET=1).perform()
    t = d.run()["h"]
    assert (t.code, t.length, t.crc) == (0, 3_000_000, crc(pattern(3_000_000)))


def test_upload_without_a_length(drive, way, server, quic_options):
    where = server.upload if not server.answers_upload else "/echo"
    d = drive(way).easy("h", URL=server.url(where, "quic"), UPLOAD=1, **quic_options).body("h", 300_000).perform()
    if not server.answers_upload:
        d.setopt("h", HTTPGET=1).perform()
    t = d.run()["h"]
    assert (t.code, t.length, t.crc) == (0, 300_000, crc(pattern(300_000)))


def test_head_and_none(drive, way, server, quic_options):
    d = drive(way).easy("h", URL=server.url("/64k.bin", "quic"), NOBODY=1, **quic_options).perform()
    d.getinfo("h", "RESPONSE_CODE").setopt("h", HTTPGET=1, URL=server.url("/none", "quic")).perform()
    head, none = d.getinfo("h", "RESPONSE_CODE").run().all("h")
    assert (head.code, head.length, head.info["RESPONSE_CODE"]) == (0, 0, 200)
    assert (none.code, none.info["RESPONSE_CODE"]) == (0, 404)


def test_many_with_a_paused_one(drive, multi_way, server, quic_options):
    wanted = files_of(100)
    d = drive(multi_way).do("multi", "m").easy("slow", URL=server.url("/1m.bin", "quic"), **quic_options)
    d.on("slow", "write", "call", 1, "pause").do("add", "m", "slow").do("drive", "m", "paused", "slow")
    add(d, wanted, server.at("quic"), **quic_options)
    for name in wanted:
        d.do("drive", "m", "done", name)
    r = d.do("calm", "slow").do("pause", "slow", PAUSE_CONT).do("drive", "m", "all").run()
    check(r, {"slow": "1m.bin", **wanted})


def test_harmed_path(drive, way, server, quic_options, relay):
    r = relay(server.port("quic"), seed=11, lost=0.03, reordered=0.05, duplicated=0.05)
    got(drive.get(way, URL=r.url("/1m.bin"), **quic_options), "1m.bin")


def test_other_port_of_the_client(drive, way, server, quic_options, relay):
    """The server has seen a new address of the client in the middle of a body (RFC 9000 section 9.3)."""
    r = relay(server.port("quic"), hook=lambda r, way, data, n: r.rebind() if way == "there" and n == 40 else None)
    got(drive.get(way, URL=r.url("/1m.bin"), **quic_options), "1m.bin")
    assert len(r.backs) == 2


def test_new_connections(drive, way, server, quic_options):
    d = drive(way).easy("h", URL=server.url("/12.txt", "quic"), FRESH_CONNECT=1, **quic_options)
    for t in d.perform().perform().perform().run().all("h"):
        got(t, "12.txt")


def test_gone(drive, way, server, tmp_path, certs, quic_options):
    """A server that ends between two requests."""
    mortal = type(server)(tmp_path, certs)
    try:
        d = drive(way).easy("h", URL=mortal.url("/12.txt", "quic"), **{**quic_options, "HTTP_VERSION": ONLY}).perform().start()
        d.expect("result")
        mortal.die()
        first, second = d.perform().end().all("h")
    finally:
        mortal.close()
    got(first, "12.txt")
    assert second.code in (7, 55, 56) and second.error
