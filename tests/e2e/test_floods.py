"""Servers that send without an end, whatever their protocol lets them send.

No call takes long, each deadline is kept, and another transfer of the same multi goes on. floods.c measures what does
not depend on how busy the machine is: processor time of a call, and rounds of calls.
"""

import base64
import collections
import gzip
import os
import socket
import ssl
import struct
import subprocess
import threading
import zlib

import pytest

import h2_peer
import ws_peer
from mote_driver import LIBRARY, NEWEST, REPO, SANITIZED, SYSTEM
from test_ldap import entry, message, result, tlv
from tls_flood import TLS_1_2, TLS_1_3, TlsFlood, asked_key_update, byte, hello_request, key_update, ticket
from tls_libraries import LIBRARIES

pytestmark = pytest.mark.skipif(SYSTEM, reason="what ours promises")

DEADLINE = 120                             # milliseconds of a flood
RECORDS_DEADLINE = 500                     # of one whose records take time to be made
LONGEST = 200_000 * (8 if SANITIZED else 1)  # microseconds of processor time that a call may take
DEADLINES = {"TIMEOUT_MS": 1, "CONNECTTIMEOUT_MS": 1, "SERVER_RESPONSE_TIMEOUT_MS": 1, "LOW_SPEED_TIME": 1500}
AT_ONCE = 1 << 18                          # bytes that a server sends at once
HTTP = b"HTTP/1.1 200 OK\r\n"


@pytest.fixture(scope="session")
def floods(tmp_path_factory):
    out = str(tmp_path_factory.mktemp("floods") / "floods")
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-I",
                    os.path.join(REPO, "include"), os.path.join(REPO, "tests", "e2e", "floods.c"), "-o", out,
                    os.path.join(LIBRARY, "libcurl.so.4"), "-Wl,--allow-shlib-undefined"], check=True)
    return out


# ---------------------------------------------------------------- the servers

class Gone(Exception):
    """The client has left."""


class Flooder:
    """Says opening(peer) on each connection, then sends the piece as often as it can: whole copies, AT_ONCE bytes at a
    time. reads: what the client says is read and dropped meanwhile."""

    def __init__(self, opening, piece, reads):
        self.opening, self.reads = opening, reads
        self.bytes = piece * max(1, AT_ONCE // len(piece)) if piece else b""
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.threads, self.peers, self.others = [], [], []
        self.failure = None
        self._start(self._accept)

    def _start(self, function, *arguments):
        t = threading.Thread(target=function, args=arguments, daemon=True)
        self.threads.append(t)
        t.start()

    def _accept(self):
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            self.peers.append(peer)
            self._start(self._serve, peer)

    def _serve(self, peer):
        try:
            end = Peer(peer, self)
            self.opening(end)
            if self.reads and end.sock is peer:  # Python's TLS cannot do both at once
                self._start(self._drain, peer)
            while True:
                end.sock.sendall(self.bytes)
        except (OSError, Gone):
            pass
        except Exception as problem:  # noqa: B902
            self.failure = repr(problem)

    @staticmethod
    def _drain(peer):
        try:
            while peer.recv(1 << 16):
                pass
        except OSError:
            pass

    def close(self):
        for s in [self.listener, *self.peers, *self.others]:
            for end in (lambda s=s: s.shutdown(socket.SHUT_RDWR), s.close):
                try:
                    end()
                except OSError:
                    pass
        for t in self.threads:
            t.join(10)
        assert not self.failure, self.failure


class Peer:
    def __init__(self, sock, server):
        self.sock, self.server, self.buffer = sock, server, b""

    def send(self, data):
        self.sock.sendall(data)

    def more(self):
        data = self.sock.recv(1 << 16)
        if not data:
            raise Gone
        self.buffer += data

    def take(self, n):
        while len(self.buffer) < n:
            self.more()
        out, self.buffer = self.buffer[:n], self.buffer[n:]
        return out

    def until(self, end):
        while end not in self.buffer:
            self.more()
        out, _, self.buffer = self.buffer.partition(end)
        return out + end


def says(*turns):
    """The opening of a dialogue of lines: bytes are sent, None is a line of the client, TAG its first word."""
    def opening(peer):
        tag = b""
        for turn in turns:
            if turn is None:
                tag = peer.until(b"\r\n").partition(b" ")[0]
            else:
                peer.send(turn.replace(b"TAG", tag))
    return opening


def secure(certs, opening):
    """The same over TLS."""
    def begin(peer):
        peer.sock = certs.context().wrap_socket(peer.sock, server_side=True)
        peer.server.others.append(peer.sock)
        opening(peer)
    return begin


def after_head(answer=b""):
    def opening(peer):
        peer.until(b"\r\n\r\n")
        peer.send(answer)
    return opening


# ---------------------------------------------------------------- the floods

Case = collections.namedtuple("Case", "url opening piece options")
CASES = {}


def flood(name, url, opening, piece, **options):
    CASES[name] = Case(url, opening, piece, options)


def http(name, answer, piece, **options):
    flood("http " + name, "http://127.0.0.1:{port}/", after_head(answer), piece, **options)


CHUNKED = HTTP + b"Transfer-Encoding: chunked\r\n\r\n"
BODY = b"x" * 4096
http("body", HTTP + b"\r\n", BODY)
http("body in a large buffer", HTTP + b"\r\n", BODY, BUFFERSIZE=10 << 20)
http("short chunks", CHUNKED, b"1\r\nx\r\n")
http("short chunks in a large buffer", CHUNKED, b"1\r\nx\r\n", BUFFERSIZE=10 << 20)
http("chunk extension", CHUNKED + b"1;", BODY)
http("chunk extensions", CHUNKED, b"1;a=b\r\nx\r\n")
http("trailers", CHUNKED + b"0\r\n", b"A: b\r\n")
http("headers", HTTP, b"A: b\r\n")
http("cookies", HTTP, b"Set-Cookie: a=b\r\n", COOKIEFILE="")
http("interim responses", b"", b"HTTP/1.1 100 Continue\r\n\r\n")
http("interim responses to an upload", b"", b"HTTP/1.1 100 Continue\r\n\r\n", UPLOAD=1)
http("body that is ignored", b"HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n", BODY, FOLLOWLOCATION=1)
http("chunks that are ignored", b"HTTP/1.1 302 Found\r\nLocation: /\r\nTransfer-Encoding: chunked\r\n\r\n",
     b"1\r\nx\r\n", FOLLOWLOCATION=1)
http("answer to an upload", HTTP + b"\r\n", BODY, UPLOAD=1)
pack = zlib.compressobj(9, zlib.DEFLATED, -15)
ZEROS = pack.compress(bytes(1 << 22)) + pack.flush(zlib.Z_FULL_FLUSH)  # 4 MB, without an end
http("zeros in gzip", HTTP + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"")[:10],
     ZEROS, ACCEPT_ENCODING="")
http("empty blocks of deflate", HTTP + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"")[:10],
     b"\0\0\0\xff\xff", ACCEPT_ENCODING="")
http("empty members of gzip", HTTP + b"Content-Encoding: gzip\r\n\r\n", gzip.compress(b""), ACCEPT_ENCODING="")
http("low speed", CHUNKED, b"1\r\nx\r\n", LOW_SPEED_TIME=1, LOW_SPEED_LIMIT=(1 << 31) - 1, TIMEOUT_MS=20000)
http("HTTP/0.9", b"", BODY, HTTP09_ALLOWED=1)


# proxies

def proxied(name, answer, piece, **options):
    flood("proxy " + name, "http://127.0.0.1:1/", after_head(answer), piece, PROXY="http://127.0.0.1:{port}",
          HTTPPROXYTUNNEL=1, **options)


proxied("headers", HTTP, b"A: b\r\n")
proxied("interim responses", b"", b"HTTP/1.1 100 Continue\r\n\r\n")
proxied("body of a refusal", b"HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\nContent-Length: 99999999999\r\n\r\n", BODY,
        PROXYUSERPWD="a:b", PROXYAUTH=-17)
proxied("chunks of a refusal", b"HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"1\r\nx\r\n", PROXYUSERPWD="a:b", PROXYAUTH=-17)
proxied("bytes of the tunnel", HTTP + b"\r\n", b"HTTP/1.1 100 Continue\r\n\r\n")


def socks(peer):
    peer.take(3)
    peer.send(b"\5\0")
    peer.take(5)
    peer.send(b"\5\0\0\3\xff")


flood("socks answer", "http://127.0.0.1:1/", socks, b"\0", PROXY="socks5h://127.0.0.1:{port}")
flood("socks4 answer", "http://127.0.0.1:1/", lambda peer: peer.take(8), b"\0\x5a" + bytes(6),
      PROXY="socks4://127.0.0.1:{port}")


# lines: FTP, IMAP, POP3, SMTP

FTP = (b"220 hi\r\n", None, b"331 pw\r\n", None, b"230 in\r\n", None, b"257 \"/\"\r\n")
IMAP = (b"* OK hi\r\n", None, b"* CAPABILITY IMAP4rev1\r\nTAG OK\r\n", None, b"TAG OK\r\n", None)
POP3 = (b"+OK hi\r\n", None, b"+OK\r\nUSER\r\n.\r\n", None, b"+OK\r\n", None, b"+OK\r\n")
SMTP = (b"220 hi\r\n", None)


def lines(scheme, name, turns, piece, path="", **options):
    flood(f"{scheme} {name}", f"{scheme}://u:p@127.0.0.1:{{port}}/{path}", says(*turns), piece, **options)


lines("ftp", "greeting", (b"220-\r\n",), b"220-x\r\n")
lines("ftp", "greeting of empty lines", (b"220-\r\n",), b"\r\n")
lines("ftp", "line", (b"220-",), BODY)
lines("ftp", "greetings", (), b"220 hi\r\n")
lines("ftp", "preliminary replies", FTP[:1], b"120 wait\r\n")
lines("ftp", "password replies", FTP[:1], b"331 pw\r\n")
lines("ftp", "help", FTP, b"214-x\r\n", QUOTE=["HELP"])
lines("ftp", "replies to a quote", FTP, b"200 x\r\n", QUOTE=["NOOP"])
lines("imap", "greeting", (), b"* OK hi\r\n", path="INBOX")
lines("imap", "untagged lines", IMAP[:2], b"* X\r\n", path="INBOX")
lines("imap", "untagged lines of a command", IMAP, b"* 1 EXISTS\r\n", CUSTOMREQUEST="NOOP")
lines("imap", "continuations", IMAP[:2], b"+ \r\n", path="INBOX")
lines("imap", "literal", (*IMAP, b"TAG OK\r\n", None, b"* 1 FETCH (BODY[] {99999999999}\r\n"), BODY,
      path="INBOX;MAILINDEX=1")
lines("imap", "empty literals", (*IMAP, b"* LIST {0}\r\n"), b"* LIST {0}\r\n\r\n")
lines("pop3", "greeting", (), b"+OK hi\r\n", path="1")
lines("pop3", "capabilities", POP3[:2], b"+OK\r\n", path="1")
lines("pop3", "list", (*POP3, None, b"+OK\r\n"), b"1 2\r\n")
lines("pop3", "mail", (*POP3, None, b"+OK\r\n"), b"..\r\n", path="1")
lines("smtp", "greeting", (), b"220-hi\r\n", path="me")
lines("smtp", "greetings", (), b"220 hi\r\n", path="me")
lines("smtp", "capabilities", SMTP, b"250-SIZE\r\n", path="me")
lines("smtp", "help", (*SMTP, b"250 hi\r\n"), b"214-x\r\n", path="me", CUSTOMREQUEST="HELP")
lines("smtp", "challenges", (*SMTP, b"250 AUTH PLAIN LOGIN\r\n"), b"334 \r\n", path="me", MAIL_FROM="a",
      MAIL_RCPT=["b"], UPLOAD=1)


# other deadlines than that of the whole transfer

LONG = 20_000
lines("sftp", "lines until the connection is late", (), b"x\r\n", CONNECTTIMEOUT_MS=DEADLINE, TIMEOUT_MS=LONG)
lines("ftp", "slow greeting", (b"220-\r\n",), b"220-x\r\n", SERVER_RESPONSE_TIMEOUT_MS=DEADLINE, TIMEOUT_MS=LONG)
lines("imap", "untagged lines until the answer is late", IMAP, b"* 1 EXISTS\r\n", SERVER_RESPONSE_TIMEOUT_MS=DEADLINE,
      CUSTOMREQUEST="NOOP", TIMEOUT_MS=LONG)
flood("proxy body of a refusal until the connection is late", "http://127.0.0.1:1/",
      after_head(b"HTTP/1.1 407 No\r\nProxy-Authenticate: Digest realm=a, nonce=b\r\nContent-Length: 99999999999\r\n\r\n"), BODY,
      PROXY="http://127.0.0.1:{port}", HTTPPROXYTUNNEL=1, PROXYUSERPWD="a:b", PROXYAUTH=2, CONNECTTIMEOUT_MS=DEADLINE,
      TIMEOUT_MS=LONG)


def ftp_data(peer, piece):
    """A file or a list, and meanwhile lines on the connection of commands."""
    data = socket.create_server(("127.0.0.1", 0))
    peer.server.others.append(data)
    for turn in (*FTP, None):
        peer.until(b"\r\n") if turn is None else peer.send(turn)
    peer.send(b"229 (|||%d|)\r\n" % data.getsockname()[1])
    other, _ = data.accept()
    peer.server.others.append(other)
    while b"RETR" not in (line := peer.until(b"\r\n")) and b"LIST" not in line:
        peer.send(b"213 9\r\n" if b"SIZE" in line else b"200 ok\r\n")
    peer.send(b"150 go\r\n")

    def send():
        try:
            while piece:
                other.sendall(piece * (AT_ONCE // len(piece)))
        except OSError:
            pass
    peer.server._start(send)


flood("ftp file and lines", "ftp://u:p@127.0.0.1:{port}/f", lambda p: ftp_data(p, BODY), b"150-x\r\n")
flood("ftp lines during a silent file", "ftp://u:p@127.0.0.1:{port}/f", lambda p: ftp_data(p, b""), b"150-x\r\n")
flood("ftp list", "ftp://u:p@127.0.0.1:{port}/", lambda p: ftp_data(p, b"-rw-r--r-- 1 a b 1 Jan 1 1999 f\r\n"), b"150 x\r\n")
flood("ftp list for a pattern", "ftp://u:p@127.0.0.1:{port}/*", lambda p: ftp_data(p, b"-rw-r--r-- 1 a b 1 Jan 1 1999 f\r\n"),
      b"150 x\r\n", WILDCARDMATCH=1)


# TELNET, DICT, Gopher

def telnet(name, piece, opening=b"", **options):
    flood("telnet " + name, "telnet://127.0.0.1:{port}/", says(opening), piece, **options)


IAC = b"\xff"
telnet("requests", IAC + b"\xfdU")
telnet("requests that change", IAC + b"\xfb\1" + IAC + b"\xfc\1")
telnet("requests that need no answer", IAC + b"\xfeU")
telnet("commands", IAC + b"\xf1")
telnet("data", b"x")
telnet("bytes of 255", IAC + IAC)
telnet("line ends", b"\r\0")
telnet("subnegotiation", BODY, opening=IAC + b"\xfa\x18\1")
telnet("subnegotiations", IAC + b"\xfa\x18\1" + IAC + b"\xf0", TELNETOPTIONS=["TTYPE=vt"])
telnet("environment", IAC + b"\xfa\x27\1" + IAC + b"\xf0" + IAC + b"\xfdU", TELNETOPTIONS=["NEW_ENV=A," + "x" * 200] * 1)
telnet("requests in a large buffer", IAC + b"\xfdU" + b"x", BUFFERSIZE=10 << 20)
telnet("requests and what is sent", IAC + b"\xfdU", UPLOAD=1)
flood("dict", "dict://127.0.0.1:{port}/d:x", says(), b"150 x\r\n")
flood("gopher", "gopher://127.0.0.1:{port}/1x", says(None), b"ix\r\n")


# MQTT

def mqtt(name, piece, suback=b"\x90\x03\0\1\0", welcome=b"\x20\x02\0\0"):
    def opening(peer):
        peer.take(26)
        peer.send(welcome)
        peer.take(8)
        peer.send(suback)
    flood("mqtt " + name, "mqtt://127.0.0.1:{port}/t", opening, piece)


mqtt("ping responses", b"\xd0\0")
mqtt("empty messages", b"\x30\x03\0\1t")
mqtt("messages", b"\x30\x04\0\1tx")
mqtt("messages of 256 MB", BODY, suback=b"\x90\x03\0\1\0\x30\xff\xff\xff\x7f\0\1t")
mqtt("welcomes", b"\x20\x02\0\0", suback=b"")
mqtt("grants", b"\x90\x03\0\1\0")
mqtt("messages to be acknowledged", b"\x32\x05\0\1t\0\1")
mqtt("goodbyes", b"\xe0\0")


# RTSP

def rtsp(name, answer, piece, **options):
    flood("rtsp " + name, "rtsp://127.0.0.1:{port}/m", after_head(answer), piece, **options)


RTSP = b"RTSP/1.0 200 OK\r\nCSeq: 1\r\n"
rtsp("empty packets", b"", b"$\0\0\0")
rtsp("packets", b"", b"$\0\0\1x")
rtsp("packets without a request", b"", b"$\0\0\1x", RTSP_REQUEST=11)
rtsp("headers", RTSP, b"A: b\r\n")
rtsp("answers", b"", RTSP + b"\r\n")
rtsp("bytes between packets", b"", b"x")
rtsp("interim responses", b"", b"RTSP/1.0 100 Continue\r\n\r\n")


# LDAP

def ldap(name, piece, path="dc=x??sub"):
    def opening(peer):
        peer.take(2)
    flood("ldap " + name, "ldap://127.0.0.1:{port}/" + path, opening, piece)


ldap("entries", message(1, entry(b"cn=a", [b"b", b"c"])))
ldap("entries without attributes", message(1, entry(b"")))
ldap("attributes", message(1, entry(b"cn=a", *[[b"b"]] * 2000)))
ldap("values", message(1, entry(b"cn=a", [b"b", *[b""] * 9000])))
ldap("references", message(1, tlv(0x73, tlv(4, b"ldap://x/"))))
ldap("intermediate responses", message(1, tlv(0x79, b"")))
ldap("notices", message(0, tlv(0x78, b"")))
ldap("messages of others", message(9, entry(b"cn=a")))
ldap("lengths without an end", b"\x30\x84\x7f\xff\xff\xff" + b"\x02\1\1\x64")
ldap("a large value", message(1, entry(b"cn=a", [b"b", b"x" * 3000000])))


# SSH

def ssh_packet(payload):
    padding = 8 - (5 + len(payload)) % 8
    padding += 8 if padding < 4 else 0
    return struct.pack(">IB", len(payload) + padding + 1, padding) + payload + bytes(padding)


for scheme in ("sftp", "scp"):
    def ssh(name, opening, piece, scheme=scheme):
        flood(f"{scheme} {name}", scheme + "://u:p@127.0.0.1:{port}/f", says(opening), piece, SSH_KNOWNHOSTS="/nonexistent")

    ssh("lines before the version", b"", b"x\r\n")
    ssh("empty lines before the version", b"", b"\n")
    ssh("bytes before the version", b"", BODY)
    ssh("NULs before the version", b"", b"\0")
    ssh("versions", b"", b"SSH-2.0-x\r\n")
    ssh("ignored messages", b"SSH-2.0-x\r\n", ssh_packet(b"\2\0\0\0\0"))
    ssh("debug messages", b"SSH-2.0-x\r\n", ssh_packet(b"\4\0" + bytes(8)))
    ssh("unimplemented", b"SSH-2.0-x\r\n", ssh_packet(b"\3" + bytes(4)))


# WebSocket

def web_socket(name, piece, opening=b"", **options):
    def handshake(peer):
        head = peer.until(b"\r\n\r\n")
        key = head.lower().partition(b"sec-websocket-key: ")[2]
        key = head[len(head) - len(key):].partition(b"\r\n")[0].decode()
        peer.send(b"HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                  + ws_peer.accept_of(key).encode() + b"\r\n\r\n" + opening)
    flood("ws " + name, "ws://127.0.0.1:{port}/", handshake, piece, **options)
    if not options:
        flood("ws messages " + name, "ws://127.0.0.1:{port}/", handshake, piece, CONNECT_ONLY=2)


web_socket("pings", ws_peer.frame(ws_peer.PING))
web_socket("pings of 125 bytes", ws_peer.frame(ws_peer.PING, b"x" * 125))
web_socket("pongs", ws_peer.frame(ws_peer.PONG))
web_socket("empty messages", ws_peer.frame(ws_peer.TEXT))
web_socket("empty fragments", ws_peer.frame(ws_peer.CONT, final=False), opening=ws_peer.frame(ws_peer.TEXT, final=False))
web_socket("short messages", ws_peer.frame(ws_peer.BINARY, b"x"))
web_socket("short messages in a large buffer", ws_peer.frame(ws_peer.BINARY, b"x"), BUFFERSIZE=10 << 20)
web_socket("raw bytes", ws_peer.frame(ws_peer.PING), WS_OPTIONS=1)
web_socket("pings in an upload", ws_peer.frame(ws_peer.PING), UPLOAD=1)


# HTTP/2

def h2(name, piece, opening=b"", **options):
    def begin(peer):
        peer.take(len(h2_peer.PREFACE))
        peer.send(h2_peer.settings() + h2_peer.settings(flags=h2_peer.ACK) + opening)
    flood("h2 " + name, "http://127.0.0.1:{port}/", begin, piece, HTTP_VERSION=5, **options)


ANSWER = h2_peer.head(1, h2_peer.status(200))
h2("pings", h2_peer.frame(h2_peer.PING, 0, bytes(8)))
h2("answers to pings", h2_peer.frame(h2_peer.PING, 0, bytes(8), h2_peer.ACK))
h2("settings", h2_peer.settings())
h2("settings with values", h2_peer.settings({4: 70000}))
h2("acknowledged settings", h2_peer.settings(flags=h2_peer.ACK))
h2("empty data", h2_peer.frame(h2_peer.DATA, 1), opening=ANSWER)
h2("padding", h2_peer.frame(h2_peer.DATA, 1, b"\xff" + bytes(255), h2_peer.PADDED), opening=ANSWER)
h2("data", h2_peer.frame(h2_peer.DATA, 1, b"x"), opening=ANSWER)
h2("data of no stream", h2_peer.frame(h2_peer.DATA, 3, b"x"))
h2("continuations", h2_peer.frame(h2_peer.CONTINUATION, 1, b"\0\1a\1b"), opening=h2_peer.head(1, h2_peer.status(200), flags=0))
h2("empty continuations", h2_peer.frame(h2_peer.CONTINUATION, 1), opening=h2_peer.head(1, h2_peer.status(200), flags=0))
h2("interim responses", h2_peer.head(1, h2_peer.status(103)))
h2("window updates", h2_peer.frame(h2_peer.WINDOW_UPDATE, 1, 1))
h2("window updates of the connection", h2_peer.frame(h2_peer.WINDOW_UPDATE, 0, 1))
h2("unknown frames", h2_peer.frame(99, 1, b"x"))
h2("unknown empty frames", h2_peer.frame(99, 0))
h2("a large unknown frame", BODY, opening=h2_peer.frame(99, 0, b"", length=16384))
h2("priorities", h2_peer.frame(h2_peer.PRIORITY, 1, bytes(5)))
h2("priorities of others", h2_peer.frame(h2_peer.PRIORITY, 5, b"\0\0\0\1\1"))
h2("resets", h2_peer.frame(h2_peer.RST_STREAM, 1, 8))
h2("goaways", h2_peer.goaway(1))
h2("alternative services", h2_peer.frame(10, 0, b"\0\1ah2=\":1\""))
h2("upload", h2_peer.frame(h2_peer.WINDOW_UPDATE, 1, 1), UPLOAD=1)


# names by HTTPS

def doh(name, answer, piece):
    flood("doh " + name, "http://name.example/", after_head(answer), piece, DOH_URL="https://localhost:{port}/",
          DOH_SSL_VERIFYPEER=0)


flood("https body", "https://localhost:{port}/", after_head(HTTP + b"\r\n"), BODY, SSL_VERIFYPEER=0)
flood("https short chunks", "https://localhost:{port}/", after_head(CHUNKED), b"1\r\nx\r\n", SSL_VERIFYPEER=0)
flood("imaps untagged lines", "imaps://u:p@localhost:{port}/INBOX", says(*IMAP[:2]), b"* X\r\n", SSL_VERIFYPEER=0)
doh("body", HTTP + b"Content-Type: application/dns-message\r\n\r\n", BODY)
doh("headers", HTTP, b"A: b\r\n")
doh("interim responses", b"", b"HTTP/1.1 100 Continue\r\n\r\n")


# TLS: RECORDS are made in advance, since nothing is faster than a client

TLS_CASES = {}


def tls(name, version, record, **how):
    TLS_CASES["tls " + name] = (version, record, how)


tls("requests to renegotiate", TLS_1_2, hello_request)
tls("updates of keys", TLS_1_3, key_update)
tls("updates of keys both ways", TLS_1_3, asked_key_update)
tls("tickets", TLS_1_3, ticket)
tls("a byte in each record", TLS_1_3, byte, answer=HTTP + b"\r\n")
tls("a byte in each record of TLS 1.2", TLS_1_2, byte, answer=HTTP + b"\r\n")


# ---------------------------------------------------------------- the test

def measured(floods, way, deadline, options):
    """Runs floods.c and judges what it says."""
    env = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LD_LIBRARY_PATH": LIBRARY}
    if SANITIZED:
        env["LD_PRELOAD"] = SANITIZED
    env.update({name: os.environ[name] for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "CURL_SSL_BACKEND")
                if name in os.environ})
    words = [w if isinstance(w, str) else "=".join(map(str, w)) for w in options]
    done = subprocess.run([floods, way, str(deadline), *words], env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{done.returncode} after {done.stderr[-3000:]}"
    said = dict(zip(("code", "calls", "longest", "late", "stalls", "others"), map(int, done.stdout.split())))
    print(said)
    assert said["longest"] <= LONGEST, f"a call took {said['longest']} microseconds: {said}"
    assert not said["late"], f"the deadline passed: {said}"
    assert not said["stalls"], f"another transfer waited: {said}"


def attack(floods, way, case, reads, deadline=DEADLINE):
    server = Flooder(case.opening, case.piece, reads)
    options = {"URL": case.url, "TIMEOUT_MS": deadline, **case.options}
    deadlines = [options[name] * unit for name, unit in DEADLINES.items() if name in options]
    words = []
    for name, value in options.items():
        words += [(name, v) for v in (value if isinstance(value, list) else [value])]
    words = [(n, v.format(port=server.port) if isinstance(v, str) else v) for n, v in words]
    words += ["endless"] if "UPLOAD" in options else []
    try:
        way = "messages" if options.get("CONNECT_ONLY") else way
        measured(floods, way, min(deadlines), words)
    finally:
        server.close()


def reads_in(way, name):
    """Whether the server of this case reads: in one of the two ways."""
    return (zlib.crc32(name.encode()) & 1) == (way == "perform")


WAYS = pytest.mark.parametrize("way", ["perform", "socket"])


@WAYS
@pytest.mark.parametrize("name", list(CASES))
def test_a_flood(floods, certs, name, way):
    case = CASES[name]
    if any(str(u).startswith(("https:", "imaps:")) for u in (case.url, *case.options.values())):
        case = case._replace(opening=secure(certs, case.opening))
    attack(floods, way, case, reads_in(way, name))


@WAYS
@pytest.mark.parametrize("name", list(TLS_CASES))
def test_a_flood_of_records(floods, certs, name, way):
    version, record, how = TLS_CASES[name]
    case = Case("https://localhost:{port}/", TlsFlood(certs, version, record, **how), b"", {"CAINFO": certs.path("ca.pem")})
    attack(floods, way, case, reads_in(way, name), RECORDS_DEADLINE)


# In place of the server's hello, not encrypted: a call of some libraries goes on as long as these come.
IN_THE_HANDSHAKE = {
    "warnings": bytes.fromhex("150303 0002 015a"),
    "requests to renegotiate": bytes.fromhex("160303 0004 00000000"),
}


@WAYS
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", list(IN_THE_HANDSHAKE))
def test_a_flood_in_the_handshake_of_tls(floods, monkeypatch, name, library, way):
    monkeypatch.setenv("CURL_SSL_BACKEND", library)
    case = Case("https://localhost:{port}/", Peer.more, IN_THE_HANDSHAKE[name], {"SSL_VERIFYPEER": 0})
    attack(floods, way, case, reads_in(way, name))


class Datagrams:
    """A TFTP server that answers a request by packets without an end: those for the same block, or others."""

    def __init__(self, packets):
        self.packets = packets
        self.main, self.own = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        for s in (self.main, self.own):
            s.bind(("127.0.0.1", 0))
            s.settimeout(20)
        self.port = self.main.getsockname()[1]
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self):
        try:
            _, client = self.main.recvfrom(2048)
            while not self.over.is_set():
                for p in self.packets:
                    self.own.sendto(p, client)
        except OSError:
            pass

    def close(self):
        self.over.set()
        self.thread.join(30)
        self.main.close()
        self.own.close()


BLOCK = [struct.pack(">HH", 3, n) + bytes(512) for n in range(3)]


@WAYS
@pytest.mark.parametrize("packets", [BLOCK[1:2], BLOCK[2:], BLOCK[:1], [struct.pack(">HH", 4, 0)], [b"\0\6"], [b""], [b"x" * 2000]],
                         ids=["first block", "a later block", "block 0", "acknowledgements", "options", "empty", "nonsense"])
def test_a_flood_of_datagrams(floods, way, packets):
    server = Datagrams(packets)
    try:
        measured(floods, way, DEADLINE, [("URL", f"tftp://127.0.0.1:{server.port}/f"), ("TIMEOUT_MS", DEADLINE)])
    finally:
        server.close()


def scram(peer, rounds):
    """IMAP's login with a key that takes as many rounds as a client may be asked for."""
    peer.send(b"* OK hi\r\n")
    tag = peer.until(b"\r\n").partition(b" ")[0]
    peer.send(b"* CAPABILITY IMAP4rev1 AUTH=SCRAM-SHA-256 SASL-IR\r\n" + tag + b" OK\r\n")
    first = base64.b64decode(peer.until(b"\r\n").split()[-1])
    nonce = first.partition(b"r=")[2]
    peer.send(b"+ " + base64.b64encode(b"r=" + nonce + b"x,s=" + base64.b64encode(b"salt") + b",i=%d" % rounds) + b"\r\n")
    peer.until(b"\r\n")


@pytest.mark.parametrize("rounds", [4096, 100_000, 100_001, 1 << 31])
def test_a_key_of_many_rounds(floods, rounds):
    case = Case("imap://u:p@127.0.0.1:{port}/", lambda peer: scram(peer, rounds), b"* X\r\n", {})
    attack(floods, "perform", case, True)
