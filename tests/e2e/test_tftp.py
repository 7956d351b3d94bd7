"""TFTP (RFC 1350, 2347 to 2349): scripted servers, servers whose packets are lost, doubled and late, and real ones. What is
expected was watched on the newest libcurl; where it is not followed, a test says so."""

import os
import signal
import socket
import struct
import subprocess
import time

import pytest

from mote_driver import PAUSE_CONT, REPO, SYSTEM, crc, not_debian, pattern
from nginx import free_ports
from tftp_peer import BLOCK, OCTET, Bad, Server, ack, asked, data, error, oack

@pytest.fixture
def tftp():
    server = Server()
    yield server
    server.close()


# ---- one file


def test_a_file_through_every_way_of_driving(drive, tftp, way):
    def script(s):
        s.request(asked(1))
        s.sends(data(1, BLOCK), ack(1), data(2, b"end"), ack(2))
    tftp.does(script)
    t = drive.get(way, URL=tftp.url())
    assert (t.code, t.body) == (0, BLOCK + b"end")


def test_an_upload_through_every_way_of_driving(drive, tftp, way):
    def script(s):
        s.request(asked(2, size=b"1030"))
        s.sends(ack(0), data(1, pattern(1030)[:512]), ack(1), data(2, pattern(1030)[512:1024]), ack(2), data(3, pattern(1030)[1024:]))
        s.send(ack(3))
    tftp.does(script)
    r = drive(way).easy(URL=tftp.url(), UPLOAD=1, INFILESIZE=1030).body("h", 1030).perform().getinfo("h", "SIZE_UPLOAD_T").run()
    assert (r["h"].code, r["h"].info["SIZE_UPLOAD_T"]) == (0, 1030)


@pytest.mark.parametrize("size", [0, 511, 512, 513, 1024])
def test_files_of_any_size(drive, tftp, size):
    body = pattern(size)

    def script(s):
        s.request()
        for number, at in enumerate(range(0, size + 1, 512)):
            s.sends(data(number + 1, body[at:at + 512]), ack(number + 1))
    tftp.does(script)
    r = drive().easy(URL=tftp.url()).perform().getinfo("h", "SIZE_DOWNLOAD_T", "RESPONSE_CODE", "SCHEME").run()
    assert (r["h"].code, r["h"].body) == (0, body)
    assert [r["h"].info[name] for name in ("SIZE_DOWNLOAD_T", "RESPONSE_CODE")] == [size, 0]
    assert r["h"].info["SCHEME"].lower() == "tftp"


@pytest.mark.parametrize("size", [0, 511, 512, 513, 1024])
def test_uploads_of_any_size(drive, tftp, size):
    body = pattern(size)

    def script(s):
        s.request()
        for number, at in enumerate(range(0, size + 1, 512)):
            s.sends(ack(number), data(number + 1, body[at:at + 512]))
        s.send(ack(number + 1))
    tftp.does(script)
    assert drive().easy(URL=tftp.url(), UPLOAD=1).body("h", body).perform().run()["h"].code == 0


def test_block_numbers_roll_over(drive, tftp):
    count = 65540

    def script(s):
        s.request()
        s.sends(oack(b"blksize", b"8"), ack(0))
        for i in range(1, count):
            s.sends(data(i & 65535, struct.pack(">Q", i)), ack(i & 65535))
        s.sends(data(count & 65535, b""), ack(count & 65535))
    tftp.does(script)
    t = drive.get(URL=tftp.url(), TFTP_BLKSIZE=8)
    assert (t.code, t.crc) == (0, crc(b"".join(struct.pack(">Q", i) for i in range(1, count))))


def test_numbers_of_an_upload_roll_over(drive, tftp):
    count = 65540

    def script(s):
        s.request()
        s.sends(oack(b"blksize", b"8"), data(1, pattern(8 * count)[:8]))
        for i in range(1, count):
            s.sends(ack(i & 65535), data((i + 1) & 65535, pattern(8 * count)[8 * i:8 * i + 8]))
        s.sends(ack(count & 65535), data((count + 1) & 65535, b""))
        s.send(ack((count + 1) & 65535))
    tftp.does(script)
    assert drive().easy(URL=tftp.url(), UPLOAD=1, TFTP_BLKSIZE=8).body("h", 8 * count).perform().run()["h"].code == 0


# ---- what is asked for


@pytest.mark.parametrize("path, name", [("/a/b%20c", b"a/b c"), ("//a", b"/a"), ("/a?b", b"a"), ("/a;mode=octet", b"a"),
                                        pytest.param("/a;mode=Octet", b"a;mode=Octet", marks=not_debian("a mode may be in capitals")),
                                        ("/a%01", b"a\x01")])
def test_names(drive, tftp, path, name):
    def script(s):
        s.request(asked(1, name))
        s.sends(data(1, b""), ack(1))
    tftp.does(script)
    assert drive.get(URL=tftp.url(path)).code == 0


EMPTY = [pytest.param(path, 71, marks=not_debian("an empty name is asked for")) for path in ("/", "")]


@pytest.mark.parametrize("path, code", [*EMPTY, ("/a%00b", 3), ("/" + "n" * 480, 71), ("/" + "n" * 4000, 71), ("/" + "%41" * 600, 71)])
def test_names_that_do_not_fit(drive, tftp, path, code):
    assert drive.get(URL=tftp.url(path)).code == code


def test_the_longest_name(drive, tftp):
    room = 512 - 2 - len(OCTET % (b"0", 512, 6))

    def script(s):
        assert len(s.request(asked(1, b"n" * room))) == 512
        s.sends(data(1, b""), ack(1))
    tftp.does(script)
    assert drive.get(URL=tftp.url("/" + "%6e" * room)).code == 0


NETASCII = pytest.mark.parametrize("path, options", [("/f", {"TRANSFERTEXT": 1}), ("/f;mode=netascii", {})])


@NETASCII
def test_netascii_comes_as_it_is(drive, tftp, path, options):
    def script(s):
        s.request(b"\0\1f\0netascii\0")
        s.sends(data(1, b"a\r\nb\r\0c"), ack(1))
    tftp.does(script)
    r = drive.get(URL=tftp.url(path), TFTP_NO_OPTIONS=1, **options)
    assert (r.code, r.body) == (0, b"a\r\nb\r\0c")


@not_debian("nothing gets the line ends of a network")
@NETASCII
def test_netascii_is_sent_with_the_line_ends_of_a_network(drive, tftp, path, options):
    def script(s):
        s.request(b"\0\2f\0netascii\0")
        s.sends(ack(0), data(1, b"a\r\nb\r\nc\rd"))
        s.send(ack(1))
    tftp.does(script)
    assert drive.get(URL=tftp.url(path), TFTP_NO_OPTIONS=1, UPLOAD=1, body=b"a\nb\r\nc\rd", **options).code == 0


@pytest.mark.parametrize("wish, asks", [(512, 512), (8, 8), (1428, 1428), (65464, 65464), *[
    pytest.param(*sizes, marks=not_debian("other sizes are refused, or 512")) for sizes in ((0, 8), (7, 8), (65465, 65464))]])
def test_block_sizes(drive, tftp, wish, asks):
    body = pattern(asks + 1)

    def script(s):
        s.request(asked(1, block=asks))
        s.sends(oack(b"blksize", b"%d" % asks, b"tsize", b"%d" % len(body)), ack(0), data(1, body[:asks]), ack(1),
                data(2, body[asks:]), ack(2))
    tftp.does(script)
    r = drive().easy(URL=tftp.url(), TFTP_BLKSIZE=wish).perform().getinfo("h", "CONTENT_LENGTH_DOWNLOAD_T").run()["h"]
    assert (r.code, r.body, r.info["CONTENT_LENGTH_DOWNLOAD_T"]) == (0, body, len(body))


@pytest.mark.parametrize("options, timeout", [({}, 6), ({"TIMEOUT": 9}, 3), ({"TIMEOUT": 100}, 5), ({"CONNECTTIMEOUT": 6}, 2),
                                              ({"CONNECTTIMEOUT": 1000}, 20), ({"CONNECTTIMEOUT": 10, "TIMEOUT": 100}, 3)])
def test_times(drive, tftp, options, timeout):
    def script(s):
        s.request(asked(1, timeout=timeout))
        s.sends(data(1, b""), ack(1))
    tftp.does(script)
    assert drive.get(URL=tftp.url(), **options).code == 0


# ---- options that a server agrees to, or does not


def test_a_server_may_want_smaller_blocks(drive, tftp):
    def script(s):
        s.request(asked(1, block=1000))
        s.sends(oack(b"BlkSize", b"600", b"unknown", b""), ack(0), data(1, b"y" * 600), ack(1), data(2, b"z" * 599), ack(2))
    tftp.does(script)
    t = drive.get(URL=tftp.url(), TFTP_BLKSIZE=1000)
    assert (t.code, t.body) == (0, b"y" * 600 + b"z" * 599)


@pytest.mark.parametrize("wish", [8, 1000])
def test_a_server_may_know_no_options(drive, tftp, wish):
    def script(s):
        s.request(asked(1, block=wish))
        s.sends(data(1, BLOCK), ack(1), data(2, b"e"), ack(2))
    tftp.does(script)
    t = drive.get(URL=tftp.url(), TFTP_BLKSIZE=wish)
    assert (t.code, t.body) == (0, BLOCK + b"e")


@not_debian("it goes on")
@pytest.mark.parametrize("answer", [oack(b"blksize", b"1024"), oack(b"blksize", b"0"), oack(b"blksize", b"7"),
                                    oack(b"blksize", b"zz"), oack(b"blksize", b"-8"), b"\0\6blksize\x00512", b"\0\6x\0"])
def test_options_that_are_not_right(drive, tftp, answer):
    def script(s):
        s.request()
        s.send(answer)
    tftp.does(script)
    assert drive.get(URL=tftp.url()).code == 71


def test_an_empty_file_has_a_size(drive, tftp, ours_only):
    ours_only("the newest refuses the size 0, which tftpd-hpa gives for an empty file")

    def script(s):
        s.request()
        s.sends(oack(b"tsize", b"0"), ack(0), data(1, b""), ack(1))
    tftp.does(script)
    assert drive.get(URL=tftp.url()).code == 0


def test_a_file_that_is_too_large(drive, tftp, ours_only):
    ours_only("the newest delivers up to the limit, whatever the size is")

    def script(s):
        s.request()
        s.send(oack(b"tsize", b"101"))
        assert s.get()[:4] == b"\0\5\0\0"
    tftp.does(script)
    t = drive.get(URL=tftp.url(), MAXFILESIZE=100)
    assert (t.code, t.body) == (63, b"")


# ---- errors


@pytest.mark.parametrize("code, result", [(0, 71), (1, 68), (2, 69), (3, 70), (4, 71), (5, 72), (6, 73), (7, 74)])
def test_errors_of_the_server(drive, tftp, code, result):
    def script(s):
        s.request()
        s.send(error(code, b"some \x1b text"))
        s.quiet()
    tftp.does(script)
    t = drive.get(URL=tftp.url())
    assert t.code == result
    assert SYSTEM or "some ? text" in t.error


@pytest.mark.parametrize("code", [8, 9, 65535])
def test_errors_that_have_no_code(drive, tftp, code, ours_only):
    ours_only("the newest says that an application's callback has ended the transfer")

    def script(s):
        s.request()
        s.send(error(code))
    tftp.does(script)
    assert drive.get(URL=tftp.url()).code == 71


def test_an_error_in_between(drive, tftp):
    def script(s):
        s.request()
        s.sends(data(1, BLOCK), ack(1))
        s.send(error(2))
        s.request()
        s.sends(ack(0), data(1, b"hello"))
        s.send(struct.pack(">HH", 5, 3) + b"not ended")
    tftp.does(script)
    r = drive().easy(URL=tftp.url()).perform().setopt("h", UPLOAD=1).body("h", b"hello").perform().run()
    assert [t.code for t in r.all("h")] == [69, 70]


@not_debian("they are passed over")
@pytest.mark.parametrize("upload, packet", [(False, ack(0)), (True, data(1, b"x"))])
def test_packets_of_the_other_direction(drive, tftp, upload, packet):
    def script(s):
        s.request()
        s.send(packet)
    tftp.does(script)
    d = drive().easy(URL=tftp.url())
    if upload:
        d.setopt("h", UPLOAD=1).body("h", b"x")
    assert d.perform().run()["h"].code == 71


def test_a_block_that_is_too_long(drive, tftp, ours_only):
    ours_only("the newest cuts it")

    def script(s):
        s.request()
        s.send(data(1, b"y" * 513))
        assert s.get()[:4] == b"\0\5\0\0"
    tftp.does(script)
    t = drive.get(URL=tftp.url())
    assert (t.code, t.body) == (71, b"")


@not_debian("what the callback returns does not count")
def test_a_callback_ends_it(drive, tftp):
    """The server hears of it, from ours."""
    def script(s):
        s.request()
        s.send(data(1, BLOCK))
        assert SYSTEM or s.get()[:3] == b"\0\5\0"
    tftp.does(script)
    assert drive().easy(URL=tftp.url()).on("h", "write", "call", 1, "return", 0).perform().run()["h"].code == 23


@pytest.mark.parametrize("options, code", [({"PROXY": "socks5://127.0.0.1:1"}, 97), ({"UNIX_SOCKET_PATH": "/nowhere"}, 7)])
def test_no_datagram_goes_through_these(drive, tftp, options, code):
    assert drive.get(URL=tftp.url(), **options).code == code


# ---- lost, doubled, late and foreign packets


@pytest.mark.parametrize("junk", [b"", b"\0", b"\0\3\0", b"\0\0\0\0", b"\0\x07\0\1", b"\0\1f\0octet\0", b"\1\3\0\1x"])
def test_what_is_no_packet_is_ignored(drive, tftp, junk, ours_only):
    ours_only("the newest gives up, of some at once")

    def script(s):
        s.request()
        s.send(junk)
        s.send(data(1, BLOCK))
        s.expect(ack(1))
        s.send(junk)
        s.sends(data(2, b"e"), ack(2))
    tftp.does(script)
    t = drive.get(URL=tftp.url())
    assert (t.code, t.body) == (0, BLOCK + b"e")


@pytest.mark.parametrize("packet", [data(2, b"evil"), error(1), oack(b"blksize", b"8"), ack(7)])
def test_others_cannot_disturb(drive, tftp, packet, ours_only):
    ours_only("any datagram ends a transfer of the newest")

    def script(s):
        s.request()
        s.sends(data(1, BLOCK), ack(1))
        with s._socket() as other:
            other.sendto(packet, s.client)
        s.sends(data(2, b"e"), ack(2))
    tftp.does(script)
    t = drive.get(URL=tftp.url())
    assert (t.code, t.body) == (0, BLOCK + b"e")


def test_other_hosts_cannot_answer(drive, tftp, ours_only):
    ours_only("the newest takes the first answer, from any host")

    def script(s):
        s.request()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(("127.0.0.2", 0))
            other.sendto(data(1, b"evil"), s.client)
        time.sleep(0.05)
        s.sends(data(1, b"good"), ack(1))
    tftp.does(script)
    assert drive.get(URL=tftp.url(), INTERFACE="host!127.0.0.1").body == b"good"


def test_doubled_acknowledgements_double_nothing(drive, tftp, ours_only):
    """RFC 1123 section 4.2.3.1: the sorcerer's apprentice."""
    ours_only("the newest sends the block again")

    def script(s):
        s.request()
        s.sends(ack(0), data(1, BLOCK))
        s.send(ack(0))
        s.send(ack(1))
        s.send(ack(1))
        s.expect(data(2, b"e"))
        s.quiet()
        s.send(ack(2))
    tftp.does(script)
    assert drive().easy(URL=tftp.url(), UPLOAD=1).body("h", BLOCK + b"e").perform().run()["h"].code == 0


FAULTS = [(kind, direction, number) for kind in ("lost", "doubled", "late") for direction in ("down", "up") for number in range(4)]


@pytest.mark.parametrize("kind, direction, number", FAULTS)
def test_a_download_on_a_bad_way(drive, kind, direction, number):
    server, body = Bad(kind, direction, number), pattern(1100)

    def script(s):
        s.request()
        s.turn(oack(b"blksize", b"512"), ack(0))
        for i in range(3):
            s.turn(data(i + 1, body[512 * i:512 * i + 512]), ack(i + 1))
            if i == 2:
                break

    def last_may_be_lost(s):
        """The client has all of it and is gone when its last acknowledgement is lost or late."""
        try:
            script(s)
        except OSError:
            pass
    server.does(last_may_be_lost)
    t = drive.get(URL=server.url(), TIMEOUT=15)
    assert (t.code, t.crc) == (0, crc(body))
    server.close()


@pytest.mark.parametrize("kind, direction, number", FAULTS)
def test_an_upload_on_a_bad_way(drive, kind, direction, number, ours_only):
    if (kind, direction, number) in (("lost", "up", 1), ("doubled", "down", 0)):
        ours_only("libcurl gives up")
    server, body = Bad(kind, direction, number), pattern(1100)

    def script(s):
        s.request()
        s.turn(oack(b"blksize", b"512"), data(1, body[:512]))
        s.turn(ack(1), data(2, body[512:1024]))
        s.turn(ack(2), data(3, body[1024:]))
        s.send(ack(3))
        if (s.kind, s.direction, s.number) == ("lost", "down", 3):
            s.expect(data(3, body[1024:]))
            s.send(ack(3))
    server.number = number
    server.does(script)
    assert drive().easy(URL=server.url(), UPLOAD=1, TIMEOUT=9).body("h", body).perform().run()["h"].code == 0
    server.close()


@not_debian("it is not left in time")
def test_a_server_that_does_not_answer(drive, tftp, way):
    def script(s):
        s.request(asked(1, timeout=1))
        s.request()
        s.request()
    tftp.does(script)
    begun = time.monotonic()
    assert drive.get(way, URL=tftp.url(), CONNECTTIMEOUT=3).code == 7
    assert 2.5 < time.monotonic() - begun < 30


@pytest.mark.parametrize("upload", [False, True])
def test_a_server_that_falls_silent(drive, tftp, upload, ours_only):
    ours_only("libcurl repeats its packets less often")

    def script(s):
        s.request()
        s.send(ack(0) if upload else data(1, BLOCK))
        for _ in range(3):
            s.expect(data(1, b"hi") if upload else ack(1))
    tftp.does(script)
    d = drive().easy(URL=tftp.url(), TIMEOUT=4)
    if upload:
        d.setopt("h", UPLOAD=1).body("h", b"hi")
    assert d.perform().run()["h"].code == 28


@pytest.mark.parametrize("upload", [False, True])
def test_a_server_that_thinks_for_long(drive, tftp, upload, ours_only):
    """Without a time limit it was given up after 15 seconds."""
    ours_only("libcurl repeats its packets less often, and the newest gives up, too")

    def script(s):
        s.request()
        s.send(ack(0) if upload else data(1, BLOCK))
        for _ in range(4):
            s.expect(data(1, b"hi") if upload else ack(1))
        s.send(ack(1) if upload else data(2, b""))
        if not upload:
            s.expect(ack(2))
    tftp.does(script)
    d = drive(seconds=90).easy(URL=tftp.url())
    if upload:
        d.setopt("h", UPLOAD=1).body("h", b"hi")
    assert d.perform().run()["h"].code == 0


def test_removed_in_between(drive, tftp, multi_way):
    def script(s):
        s.request()
        s.sends(data(1, BLOCK), ack(1))
    tftp.does(script)
    d = drive(multi_way).easy(URL=tftp.url()).do("add", "m", "h").do("drive", "m", "bytes", "h", "write", 512)
    d.do("remove", "m", "h").run()


def test_large_blocks_with_a_pause(drive, tftp, multi_way, ours_only):
    """The pause falls into a block of more than one chunk; the server hears nothing until it is over."""
    ours_only("the newest delivers other bytes after the pause")
    body = pattern(150000)

    def script(s):
        s.request()
        s.sends(oack(b"blksize", b"60000"), ack(0))
        for i in range(3):
            s.sends(data(i + 1, body[60000 * i:60000 * i + 60000]), ack(i + 1))
    tftp.does(script)
    d = drive(multi_way).easy(URL=tftp.url(), TFTP_BLKSIZE=60000).on("h", "write", "bytes", 70000, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("drive", "m", "for", 60).do("pause", "h", PAUSE_CONT).do("drive", "m", "all")
    t = d.run()["h"]
    assert (t.code, t.crc) == (0, crc(body))


def test_an_upload_with_a_pause(drive, tftp, multi_way, ours_only):
    ours_only("the newest sends an empty block in a pause")
    body = pattern(2000)

    def script(s):
        s.request()
        for i in range(4):
            s.sends(ack(i), data(i + 1, body[512 * i:512 * i + 512]))
        s.send(ack(4))
    tftp.does(script)
    d = drive(multi_way).easy(URL=tftp.url(), UPLOAD=1).body("h", body, 300).on("h", "read", "call", 3, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("drive", "m", "for", 60).do("pause", "h", PAUSE_CONT).do("drive", "m", "all")
    assert d.run()["h"].code == 0


def test_the_block_size_is_asked_for_once(drive, tftp, multi_way, ours_only):
    """The option was read again when the server answered, and the block had the room of the one before."""
    ours_only("what libcurl does with an option that is changed meanwhile is not known")

    def script(s):
        s.request()
        time.sleep(0.3)
        s.send(oack(b"blksize", b"60000"))
    tftp.does(script)
    d = drive(multi_way).easy(URL=tftp.url(), TFTP_BLKSIZE=1000).do("add", "m", "h").do("drive", "m", "for", 60)
    d.setopt("h", TFTP_BLKSIZE=60000).do("drive", "m", "all")
    t = d.run()["h"]
    assert t.code == 71 and "larger than asked for" in t.error


# ---- real servers


def program(name):
    for folder in ("/usr/sbin", "/usr/bin", os.path.join(REPO, "build", "servers", "usr/sbin")):
        if os.path.exists(os.path.join(folder, name)):
            return os.path.join(folder, name)
    return None


class Hpa:
    name, program = "tftpd-hpa", program("in.tftpd")

    def command(self, port, root):
        return [self.program, "-L", "-c", "-s", "-u", "root", "-p", "-a", f"127.0.0.1:{port}", root]


class Atftpd:
    name, program = "atftpd", program("atftpd")

    def command(self, port, root):
        return [self.program, "--daemon", "--no-fork", "--user", "root", "--group", "root", "--logfile", "/dev/null", "--port",
                str(port), "--bind-address", "127.0.0.1", root]


@pytest.fixture(params=[Hpa, Atftpd], ids=lambda kind: kind.name)
def real(request, tmp_path):
    kind = request.param()
    if not kind.program or os.getuid():
        pytest.skip(f"no {kind.name} here, or not root, which changes its root")
    root = tmp_path / "root"
    root.mkdir()
    root.chmod(0o777)
    port = free_ports(1)[0]
    process = subprocess.Popen(kind.command(port, str(root)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    end = time.monotonic() + 20
    while time.monotonic() < end and process.poll() is None:
        with open("/proc/net/udp") as f:
            if f":{port:04X} " in f.read():
                break
        time.sleep(0.02)
    kind.root, kind.url = root, lambda name: f"tftp://127.0.0.1:{port}/{name}"
    yield kind
    os.killpg(process.pid, signal.SIGTERM)
    process.wait(10)


@pytest.mark.parametrize("block", [64, 512, 1428, 65464])
def test_both_ways_with_a_real_server(drive, real, block):
    body = pattern(70000 if block == 64 else 700000)
    (real.root / "there").write_bytes(body)
    d = drive().easy(URL=real.url("there"), TFTP_BLKSIZE=block).perform()
    r = d.setopt("h", URL=real.url("new"), UPLOAD=1, INFILESIZE=len(body)).body("h", body).perform().run()
    assert [t.code for t in r.all("h")] == [0, 0]
    assert r.all("h")[0].crc == crc(body)
    assert (real.root / "new").read_bytes() == body


def test_errors_and_no_options_of_a_real_server(drive, real):
    (real.root / "there").write_bytes(b"y" * 1024)
    d = drive().easy(URL=real.url("missing")).perform().setopt("h", URL=real.url("there"), TFTP_NO_OPTIONS=1).perform()
    r = d.run()
    assert [t.code for t in r.all("h")] == [68, 0]
    assert r.all("h")[1].body == b"y" * 1024


def test_an_empty_file_of_a_real_server(drive, real, ours_only):
    ours_only("the newest refuses the size 0")
    (real.root / "empty").write_bytes(b"")
    assert drive.get(URL=real.url("empty")).code == 0
