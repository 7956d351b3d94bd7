"""MQTT 3.1.1: scripted brokers, and a real one. What is expected was watched on the newest libcurl."""

import re
import shutil
import socket
import subprocess
import sys
import time

import pytest

from mote_driver import PAUSE_CONT, by_library, crc, not_debian
from nginx import free_ports
from script import Call, Close, Read, Send, Step, UntilClose

MOSQUITTO = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
WELCOME = Send(b"\x20\x02\x00\x00")
DISCONNECT = Read(b"\xe0\x00")


class Connect(Step):
    """CONNECT of a client whose identifier is "curl" and eight letters or digits."""

    def __init__(self, user=None, password=None):
        self.flags, self.rest = 2, b""
        for bit, word in ((128, user), (64, password)):
            if word is not None:
                self.flags |= bit
                self.rest += len(word).to_bytes(2, "big") + word

    def run(self, peer):
        length = 24 + len(self.rest)
        while len(peer.buffer) < 2 + length:
            peer.more()
        packet, peer.buffer = peer.buffer[:2 + length], peer.buffer[2 + length:]
        head = bytes([0x10, length]) + b"\x00\x04MQTT\x04" + bytes([self.flags]) + b"\x00\x3c\x00\x0ccurl"
        assert packet.startswith(head) and packet.endswith(self.rest), packet
        assert re.fullmatch(rb"[0-9a-zA-Z]{8}", packet[len(head):len(head) + 8])


def packet(head, payload):
    n, length = len(payload), b""
    while True:
        length += bytes([(n & 127) | (128 if n > 127 else 0)])
        n >>= 7
        if not n:
            return bytes([head]) + length + payload


def text(words):
    return len(words).to_bytes(2, "big") + words


def segments(peer):
    """How many segments with data have come on the connection (tcpi_data_segs_in of linux/tcp.h)."""
    return int.from_bytes(peer.sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 192)[152:156], sys.byteorder)


def published(topic, message, head=0x30, ident=b""):
    return packet(head, text(topic) + ident + message)


def subscribe(topic=b"t", code=0):
    return Read(packet(0x82, b"\x00\x01" + text(topic) + b"\x00")), Send(packet(0x90, b"\x00\x01" + bytes([code])))


def url(server, path="/t", scheme="mqtt"):
    return f"{scheme}://127.0.0.1:{server.port}{path}"


END = (Send(b"\xe0\x00"), Close())


def test_a_message_through_every_way_of_driving(drive, make_server, way):
    server = make_server()
    server.script(Connect(), WELCOME, *subscribe(), Send(published(b"t", b"hello")), *END)
    t = drive.get(way, URL=url(server))
    assert (t.code, t.body) == (0, b"\x00\x01thello")


def test_a_message_is_published(drive, make_server, way):
    server = make_server()
    server.script(Connect(), WELCOME, Read(published(b"t", b"hello")), DISCONNECT, UntilClose())
    assert drive.get(way, URL=url(server), POSTFIELDS="hello").code == 0


def test_packets_may_come_in_any_pieces(drive, make_server, ours_only):
    ours_only("libcurl loses packets that come in pieces")
    server = make_server()
    answer = packet(0x90, b"\x00\x01\x00") + published(b"t", b"one") + b"\xd0\x00" + published(b"t", b"two" * 60)
    server.script(Connect(), Send(b"\x20\x02\x00\x00", cuts="each"), subscribe()[0], Send(answer + b"\xe0\x00", cuts="each"), Close())
    assert drive.get(URL=url(server)).body == b"\x00\x01tone\x00\x01t" + b"two" * 60


@pytest.mark.parametrize("size", [5, 8000])
def test_a_small_message_leaves_with_its_head(drive, make_server, size):
    """A broker may take what one read gives for all of a PUBLISH."""
    server, came, message = make_server(), [], b"m" * size
    server.script(Connect(), Call(lambda peer: came.append(segments(peer))), WELCOME, Read(published(b"t", message)), DISCONNECT,
                  Call(lambda peer: came.append(segments(peer))), UntilClose())
    t = drive.get(URL=url(server), POSTFIELDS=message.decode(), info=["SIZE_UPLOAD_T"])
    server.settle()
    assert (t.code, came[1] - came[0]) == (0, 2)
    assert t.info["SIZE_UPLOAD_T"] == by_library(size, 0, 0)


@pytest.mark.parametrize("path, topic", [("/a/b", b"a/b"), ("/a%20b", b"a b"), ("/%2fa", b"/a"), ("//a", b"/a"), ("/a%23", b"a#"),
                                         ("/t?x", b"t")])
def test_topics(drive, make_server, path, topic):
    server = make_server()
    server.script(Connect(), WELCOME, *subscribe(topic), *END)
    assert drive.get(URL=url(server, path)).code == 0


@pytest.mark.parametrize("path", ["", "/"])
def test_a_topic_is_needed(drive, make_server, path):
    server = make_server()
    server.script(Connect(), WELCOME, UntilClose())
    assert drive.get(URL=url(server, path)).code == 3


@pytest.mark.parametrize("login, code", [({"USERNAME": "u" * 65536}, 8), ({"USERPWD": "u:" + "p" * 65536}, 8),
                                         ({"USERPWD": "u" * 60000 + ":" + "p" * 65535}, 0)])
def test_a_login_has_its_most(drive, make_server, login, code):
    server = make_server().default(UntilClose())  # libcurl connects first
    if not code:
        server.script(Call(lambda peer: peer.until(b"p" * 65535)), WELCOME, *subscribe(), *END)
    assert drive.get(URL=url(server), **login).code == code


@not_debian("it goes into the topic")
@pytest.mark.parametrize("path", ["/a%00", "/a%0d%0a", "/%01"])
def test_no_control_character_gets_into_a_topic(drive, make_server, path):
    server = make_server().default(Connect(), WELCOME, UntilClose())
    assert drive.get(URL=url(server, path)).code == 3


def test_a_login_of_a_netrc_file(drive, make_server, tmp_path):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password pw\n")
    server = make_server()
    server.script(Connect(b"me", b"pw"), WELCOME, *subscribe(), *END)
    assert drive.get(URL=url(server), NETRC=1, NETRC_FILE=tmp_path / "netrc").code == 0


class Page(Step):
    def run(self, peer):
        assert b"Authorization: Basic" in peer.until(b"\r\n\r\n")
        peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


def test_a_netrc_files_login_for_another_host(drive, make_server, tmp_path):
    """What the file has said to the request before is not for this one."""
    (tmp_path / "netrc").write_text("machine localhost login me password pw\n")
    pages, server = make_server(), make_server()
    pages.script(Page(), UntilClose())
    server.script(Connect(), WELCOME, *subscribe(), *END)
    d = drive().easy(URL=f"http://localhost:{pages.port}/", NETRC=1, NETRC_FILE=tmp_path / "netrc", IPRESOLVE=1).perform("h")
    run = d.setopt("h", URL=url(server)).perform("h").run()
    assert [t.code for t in run.all("h")] == [0, 0]


@pytest.mark.parametrize("user, password", [(b"me", b"pw"), (b"me", None)])
def test_a_login(drive, make_server, user, password):
    server = make_server()
    server.script(Connect(user, password), WELCOME, *subscribe(), *END)
    options = {"USERNAME": user.decode()} if password is None else {"USERPWD": f"{user.decode()}:{password.decode()}"}
    assert drive.get(URL=url(server), **options).code == 0


@pytest.mark.parametrize("answer, code", [
    (b"\x20\x02\x00\x05", 8), (b"\x20\x03\x00\x00\x00", by_library(8, 56)), (b"HTTP/1.1 400\r\n", 8), (b"\x30\x03\x00\x01t", 8), (b"", 56),
])
def test_a_broker_that_does_not_greet(drive, make_server, answer, code):
    server = make_server()
    server.script(Connect(), Send(answer), Close())
    assert drive.get(URL=url(server)).code == code


@pytest.mark.parametrize("answer, code", [
    (packet(0x90, b"\x00\x01\x80"), 8), (packet(0x90, b"\x00\x02\x00"), 8), (packet(0x90, b"\x00\x01"), 8),
    (b"\x00\x00", 8), (b"\x30\xff\xff\xff\xff\x01", 8), (b"", 56),
])
def test_a_broker_that_refuses_the_subscription(drive, make_server, ours_only, answer, code):
    ours_only("the newest does not check every packet")
    server = make_server()
    server.script(Connect(), WELCOME, subscribe()[0], Send(answer), Close())
    assert drive.get(URL=url(server)).code == code


def test_a_message_with_qos_1_is_acknowledged(drive, make_server, ours_only):
    ours_only("the newest does not answer")
    server = make_server()
    server.script(Connect(), WELCOME, *subscribe(), Send(published(b"t", b"x", 0x32, b"\x12\x34")), Read(b"\x40\x02\x12\x34"),
                  Send(published(b"t", b"y", 0x32, b"\x00\x07") + published(b"t", b"z", 0x32, b"\x00\x08")),
                  Read(b"\x40\x02\x00\x07\x40\x02\x00\x08"), *END)
    assert drive.get(URL=url(server)).body == b"\x00\x01t\x12\x34x\x00\x01t\x00\x07y\x00\x01t\x00\x08z"


def test_a_connection_publishes_again(drive, make_server, ours_only):
    ours_only("libcurl connects for each message")
    server = make_server()
    server.script(Connect(b"u", b"p"), WELCOME, Read(published(b"t", b"1")), Read(published(b"u", b"2")), DISCONNECT, UntilClose())
    server.script(Connect(b"other", b"p"), WELCOME, Read(published(b"t", b"3")), DISCONNECT, UntilClose())
    d = drive().easy(URL=url(server), POSTFIELDS="1", USERPWD="u:p").perform("h")
    d.setopt("h", URL=url(server, "/u"), POSTFIELDS="2").perform("h")
    run = d.setopt("h", URL=url(server), POSTFIELDS="3", USERPWD="other:p").perform("h").run()
    assert [t.code for t in run.all("h")] == [0, 0, 0]


def test_a_subscription_ends_with_its_connection(drive, make_server):
    server = make_server()
    for _ in range(2):
        server.script(Connect(), WELCOME, *subscribe(), Send(b"\xe0\x00"), UntilClose())
    run = drive().easy(URL=url(server)).perform("h").perform("h").run()
    assert [t.code for t in run.all("h")] == [0, 0]


@pytest.mark.parametrize("options, message", [({"POSTFIELDS": ""}, b""), ({"POSTFIELDS": "x" * 200}, b"x" * 200),
                                              ({"POSTFIELDS": "y" * 70000}, b"y" * 70000)])
def test_messages_of_any_size(drive, make_server, options, message):
    server = make_server()
    server.script(Connect(), WELCOME, Read(published(b"t", message)), DISCONNECT, UntilClose())
    assert drive.get(URL=url(server), **options).code == 0


def test_a_long_message_with_a_pause(drive, make_server, multi_way):
    server = make_server()
    body = bytes(range(256)) * 4000
    server.script(Connect(), WELCOME, *subscribe(), Send(published(b"t", body)), *END)
    d = drive(multi_way).easy(URL=url(server)).on("h", "write", "bytes", 100000, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("drive", "m", "for", 60).do("pause", "h", PAUSE_CONT).do("drive", "m", "all")
    t = d.run()["h"]
    assert (t.code, t.crc) == (0, crc(b"\x00\x01t" + body))


def test_the_connection_ends(drive, make_server):
    server = make_server()
    server.script(Connect(), WELCOME, *subscribe(), Send(published(b"t", b"x")), Close())
    t = drive.get(URL=url(server))
    assert (t.code, t.body) == (56, b"\x00\x01tx")


@pytest.mark.parametrize("came, body", [(9, b"\x00\x01thell"), (3, b"\x00"), (2, b"")])
def test_the_connection_ends_within_a_message(drive, make_server, came, body):
    server = make_server()
    server.script(Connect(), WELCOME, *subscribe(), Send(published(b"t", b"hello")[:came]), Close())
    t = drive.get(URL=url(server))
    assert (t.code, t.body) == (18, body)


def test_a_message_of_unknown_size_is_not_published(drive, make_server):
    server = make_server().default(Connect(), WELCOME, UntilClose())
    assert drive.get(URL=url(server), POST=1).code == 43


def test_a_silent_broker_runs_into_the_deadline(drive, make_server):
    server = make_server()
    server.script(Connect(), UntilClose())
    assert drive.get(URL=url(server), TIMEOUT_MS=200).code == 28


@not_debian("no mqtts")
def test_mqtts_has_tls_from_the_first_byte(drive, make_server, certs):
    server = make_server(tls=certs.context())
    server.script(Connect(), WELCOME, Read(published(b"t", b"x")), DISCONNECT, UntilClose())
    assert drive.get(URL=url(server, scheme="mqtts"), POSTFIELDS="x", CAINFO=certs.path("ca.pem")).code == 0


# ---- a real broker

@pytest.fixture
def mosquitto(tmp_path):
    if not MOSQUITTO:
        pytest.skip("no mosquitto here")
    port, = free_ports(1)
    (tmp_path / "conf").write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
    broker = subprocess.Popen([MOSQUITTO, "-c", str(tmp_path / "conf")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(400):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            time.sleep(0.05)
    yield port
    broker.terminate()
    broker.wait()


def test_what_mosquitto_keeps_and_sends(drive, mosquitto):
    """A subscriber gets what another transfer of the same multi publishes, and stops by its own write callback."""
    base = f"mqtt://127.0.0.1:{mosquitto}/a/b"
    body = b"\x00\x03a/bhello"
    d = drive("poll").easy("sub", URL=base).on("sub", "write", "bytes", len(body), "return", 0).do("add", "m", "sub")
    d.do("drive", "m", "for", 300).easy("pub", URL=base, POSTFIELDS="hello").do("add", "m", "pub").do("drive", "m", "all")
    run = d.run()
    assert (run["pub"].code, run["sub"].code) == (0, 23)
