"""Real servers of HTTP/2 (http2_servers.py): two of them in each run, all with MOTE_HTTP2_SERVERS=all."""

import os

import pytest

import http2_servers
from commands import OURS, run_tool
from http2_servers import CRC, SHORT
from mote_driver import SANITIZED, SYSTEM, crc, not_debian, pattern

PRIOR_KNOWLEDGE, V2 = 5, 3
ALL = os.environ.get("MOTE_HTTP2_SERVERS") == "all"
WANTED = [n for n in http2_servers.SERVERS if ALL or n in ("nginx", "nghttpd")]
# Handles of a test with many
MANY = 3000 if ALL and not SANITIZED else 300

pytestmark = [pytest.mark.usefixtures("http2"), not_debian("HTTP/2 differs in details")]


@pytest.fixture(scope="module")
def started(tmp_path_factory, certs):
    """A function that starts a server when it is first asked for."""
    running = {}

    def get(name):
        lacking = http2_servers.missing(name)
        if lacking:
            pytest.skip(lacking)
        if name not in running:
            running[name] = http2_servers.SERVERS[name](tmp_path_factory.mktemp(name), certs)
        return running[name]
    yield get
    for server in running.values():
        server.close()


class At:
    """A server and one of its ports, with the options that lead to HTTP/2 there."""

    def __init__(self, server, port, certs):
        self.server, self.port = server, port
        self.options = {"CAINFO": certs.path("ca.pem"), "TIMEOUT": 100}
        if port == "plain":
            self.options["HTTP_VERSION"] = PRIOR_KNOWLEDGE

    def url(self, path):
        return self.server.url(path, self.port)


@pytest.fixture(params=[(n, port) for n in WANTED for port in ("tls", "plain") if port in http2_servers.SERVERS[n].has],
                ids=" ".join)
def at(request, started, certs):
    name, port = request.param
    return At(started(name), port, certs)


def got(t, name):
    assert (t.code, t.error, t.length, t.crc) == (0, "", *CRC[name])


@pytest.mark.parametrize("name", CRC)
def test_file(drive, way, at, name):
    t = drive.get(way, URL=at.url("/" + name), info=["HTTP_VERSION", "RESPONSE_CODE"], **at.options)
    got(t, name)
    assert (t.info["HTTP_VERSION"], t.info["RESPONSE_CODE"]) == (3, 200)


def test_one_after_the_other(drive, way, at):
    """On one connection: a file, the head of another, one that is not there."""
    d = drive(way).easy("h", URL=at.url("/1m.bin"), **at.options).perform()
    d.setopt("h", NOBODY=1, URL=at.url("/64k.bin")).perform().getinfo("h", "NUM_CONNECTS", "CONTENT_LENGTH_DOWNLOAD_T")
    d.setopt("h", HTTPGET=1, URL=at.url("/none")).perform().getinfo("h", "NUM_CONNECTS", "RESPONSE_CODE")
    r = d.setopt("h", URL=at.url("/12.txt")).perform().getinfo("h", "NUM_CONNECTS").run()
    first, head, none, last = r.all("h")
    got(first, "1m.bin")
    got(last, "12.txt")
    assert (head.code, head.body, head.info) == (0, b"", {"NUM_CONNECTS": 0, "CONTENT_LENGTH_DOWNLOAD_T": 65536})
    assert (none.code, none.info) == (0, {"NUM_CONNECTS": 0, "RESPONSE_CODE": 404})
    assert last.info["NUM_CONNECTS"] == 0


@pytest.mark.parametrize("size", [0, 1, 100_000, 3_000_000])
@pytest.mark.parametrize("known", [True, False], ids=["length", "no length"])
def test_upload(drive, at, size, known):
    options = {"INFILESIZE": size} if known else {}
    d = drive("poll").easy("h", URL=at.url(at.server.upload), UPLOAD=1, **options, **at.options).body("h", size)
    d.perform().getinfo("h", "RESPONSE_CODE")
    if not at.server.answers_upload:
        d.setopt("h", HTTPGET=1).perform()
    up, *down = (t for t in d.run().all("h"))
    assert (up.code, up.error, up.info["RESPONSE_CODE"] // 100) == (0, "", 2)
    t = down[0] if down else up
    assert (t.code, t.length, t.crc) == (0, size, crc(pattern(size)))


def test_post(drive, way, at):
    if not at.server.answers_upload:
        pytest.skip("it answers no POST")
    t = drive.get(way, URL=at.url(at.server.upload), POSTFIELDS="a=b", **at.options)
    assert (t.code, t.body) == (0, b"a=b")


def names_and_files(many):
    files = list(CRC)
    return {f"h{i}": files[i % 7 % len(files)] for i in range(many)}


def add(d, wanted, url, **options):
    for name, file in wanted.items():
        d.easy(name, URL=url(name, file), **options)
    for name in wanted:
        d.do("add", "m", name)
    return d


def check(r, wanted):
    wrong = {n: (r[n].code, r[n].error, r[n].length) for n, file in wanted.items()
             if (r[n].code, r[n].length, r[n].crc) != (0, *CRC[file])}
    assert not wrong


def connections(r, wanted):
    return sum(r[n].info["NUM_CONNECTS"] for n in wanted)


def count_connections(d, wanted):
    for name in wanted:
        d.getinfo(name, "NUM_CONNECTS", "HTTP_VERSION")
    return d


def test_many_at_once(drive, multi_way, at):
    """All on one connection, as far as the server takes them."""
    wanted = names_and_files(200)
    d = add(drive(multi_way).do("multi", "m"), wanted, lambda name, file: at.url("/" + file), PIPEWAIT=1, **at.options)
    r = count_connections(d.do("drive", "m", "all"), wanted).run()
    check(r, wanted)
    assert connections(r, wanted) <= 3


def test_paused_neighbour(drive, multi_way, at):
    """One that is paused in its first bytes does not hold the others up, and goes on where it was."""
    wanted = names_and_files(60)
    d = drive(multi_way).do("multi", "m").easy("slow", URL=at.url("/1m.bin"), **at.options)
    d.on("slow", "write", "call", 1, "pause").do("add", "m", "slow").do("drive", "m", "paused", "slow")
    add(d, wanted, lambda name, file: at.url("/" + file), PIPEWAIT=1, **at.options)
    for name in wanted:
        d.do("drive", "m", "done", name)
    d.do("calm", "slow").do("pause", "slow", 0).do("drive", "m", "all")
    r = d.run()
    check(r, {"slow": "1m.bin", **wanted})


def test_left_in_the_middle(drive, multi_way, at):
    """Half of the transfers end in their first bytes; the other half is whole."""
    wanted = names_and_files(80)
    d = add(drive(multi_way).do("multi", "m"), wanted, lambda name, file: at.url("/" + file), PIPEWAIT=1, **at.options)
    for i in range(40):
        d.easy(f"x{i}", URL=at.url("/1m.bin"), PIPEWAIT=1, **at.options)
        d.on(f"x{i}", "write", "call", 2, "return", 0).do("add", "m", f"x{i}")
    r = d.do("drive", "m", "all").run()
    check(r, wanted)
    assert {r[f"x{i}"].code for i in range(40)} == {23}


@pytest.mark.parametrize("name", [n for n in WANTED if "short" in http2_servers.SERVERS[n].has])
def test_goaway_after_some_requests(drive, multi_way, started, certs, name, ours_only):
    """A connection takes SHORT requests; all are answered, on as many connections as that needs."""
    ours_only("libcurl 8.23 gives up after five connections")
    at = At(started(name), "short", certs)
    wanted = names_and_files(200)
    d = add(drive(multi_way).do("multi", "m"), wanted, lambda name, file: at.url("/" + file), PIPEWAIT=1, **at.options)
    r = count_connections(d.do("drive", "m", "all"), wanted).run()
    check(r, wanted)
    assert connections(r, wanted) >= 200 // SHORT - 1


@pytest.mark.parametrize("name", [n for n in WANTED if "old" in http2_servers.SERVERS[n].has])
def test_server_of_http_1(drive, multi_way, started, certs, name):
    """Those that waited for HTTP/2 go each on a connection of its own."""
    at = At(started(name), "old", certs)
    wanted = names_and_files(30)
    d = add(drive(multi_way).do("multi", "m"), wanted, lambda name, file: at.url("/" + file), PIPEWAIT=1, **at.options)
    r = count_connections(d.do("drive", "m", "all"), wanted).run()
    check(r, wanted)
    assert {r[n].info["HTTP_VERSION"] for n in wanted} == {2}


def test_mixed_pool(drive, multi_way, started, certs):
    """Hosts of which some speak HTTP/2 and some do not, by TLS and not, some with few requests to a connection."""
    many = MANY if multi_way in ("poll", "socket") else 200
    places = [At(started(n), port, certs) for n in WANTED if not http2_servers.missing(n)
              for port in http2_servers.SERVERS[n].has if port != "origin"]
    files = [f for f in CRC if f != "1m.bin" or not SANITIZED]
    wanted, d = {}, drive(multi_way, seconds=300).do("multi", "m").do("msetopt", "m", "MAX_HOST_CONNECTIONS", 20)
    for i in range(many):
        place, file = places[i % len(places)], files[i * 7 % 11 % len(files)]
        wanted[f"h{i}"] = file
        d.easy(f"h{i}", URL=place.url("/" + file), **{**place.options, "TIMEOUT": 280, "PIPEWAIT": i // 3 % 2})
    for name in wanted:
        d.do("add", "m", name)
    check(d.do("drive", "m", "all").run(), wanted)


# ---------------------------------------------------------------- commands

@pytest.fixture(params=["curl"] if SYSTEM else OURS)
def command(request, tmp_path, certs):
    """Runs the command with the arguments; gives what it wrote to stdout, as lines."""
    def call(*args):
        done = run_tool(request.param, ["--cacert", certs.path("ca.pem"), "-w", "=%{http_version} %{num_connects}\n", *args],
                        tmp_path)
        assert done.returncode == 0, done.stderr
        return [line[1:] for line in done.stdout.decode().split("\n") if line.startswith("=")]
    return call


@pytest.mark.parametrize("option,port,version", [
    ((), "tls", "2"), (("--http1.1",), "tls", "1.1"), (("--http2",), "tls", "2"),
    (("--http2-prior-knowledge",), "plain", "2"), ((), "old", "1.1"), (("--http2",), "old", "1.1"),
    (("--http2-prior-knowledge",), "tls", "2")])
def test_version_of_a_command(command, started, option, port, version):
    """Two requests on one connection."""
    server = started("nginx")
    lines = command(*option, server.url("/12.txt", port), server.url("/12.txt", port))
    assert [line.split()[0] for line in lines] == [version, version]


def test_parallel_command_multiplexes(command, started):
    server = started("nginx")
    lines = command("--parallel", server.url("/12.txt?[1-40]"))
    assert len(lines) == 40 and {line.split()[0] for line in lines} == {"2"}
    assert sum(int(line.split()[1]) for line in lines) == 1


def test_parallel_command_with_http_1(command, started):
    server = started("nginx")
    lines = command("--parallel", server.url("/12.txt?[1-40]", "old"))
    assert len(lines) == 40 and {line.split()[0] for line in lines} == {"1.1"}
