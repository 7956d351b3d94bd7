"""TLS in depth, with each library that is built in: chains of certificates, handshakes in pieces, cut or stalled, and
records of every size."""

import ssl
import subprocess

import pytest

from mote_driver import TLS_1_3, TLS_MAX_1_2, crc, pattern
from server import Close, Expect, Reply, Reset, Send, Serve, Step, UntilClose, response
from tls_libraries import tls  # noqa: F401 (a fixture: every test here runs with each library)

NAMES = "DNS:localhost,IP:127.0.0.1"
CA = "basicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign,cRLSign\n"
LEAF = f"basicConstraints=CA:false\nsubjectAltName={NAMES}\n"
EC256 = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256")
EC384 = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384")


class Chains:
    """Chains of their own: NAME.pem is what a server sends, NAME.key its key."""

    def __init__(self, folder):
        self.folder = folder
        self._signed("rsa-root", "rsa:2048", CA)
        self._signed("ec-root", EC384, CA, digest="sha384")
        self._signed("twin-root", EC256, CA, subject="/O=twin/CN=ec-root")
        self._signed("rsa-mid", "rsa:2048", CA, by="rsa-root")
        self._signed("ec-mid", EC384, CA, by="ec-root", digest="sha384")
        self._signed("far-mid", EC256, CA, by="ec-mid", digest="sha384")
        self._signed("no-ca", EC256, "basicConstraints=critical,CA:false\n", by="rsa-root")
        self._signed("short", EC256, "basicConstraints=critical,CA:true,pathlen:0\n", by="rsa-root")
        self._signed("under-short", EC256, CA, by="short")
        for name, key, by, digest in (
                ("rsa", "rsa:2048", "rsa-root", "sha256"), ("rsa3072", "rsa:3072", "rsa-mid", "sha512"),
                ("rsa1024", "rsa:1024", "rsa-root", "sha256"), ("ec", EC256, "ec-mid", "sha384"),
                ("ec384", EC384, "rsa-mid", "sha256"), ("far", EC256, "far-mid", "sha256"),
                ("by-no-ca", EC256, "no-ca", "sha256"), ("by-short", EC256, "short", "sha256"),
                ("too-deep", EC256, "under-short", "sha256")):
            self._signed(name, key, LEAF, by=by, digest=digest)

    def path(self, name):
        return str(self.folder / name)

    def _openssl(self, *args):
        run = subprocess.run(["openssl", *args], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert run.returncode == 0, (args, run.stderr)

    def _signed(self, name, key, extensions, by=None, digest="sha256", subject=None):
        key = key if isinstance(key, tuple) else ("-newkey", key)
        (self.folder / "ext").write_text(extensions)
        self._openssl("req", *key, "-nodes", "-keyout", self.path(f"{name}.key"), "-out", self.path("csr"), "-subj",
                      subject or f"/CN={name}")
        signer = ["-CA", self.path(f"{by}.crt"), "-CAkey", self.path(f"{by}.key"), "-CAcreateserial"] if by else \
            ["-signkey", self.path(f"{name}.key")]
        self._openssl("x509", "-req", "-in", self.path("csr"), "-out", self.path(f"{name}.crt"), "-days", "20",
                      f"-{digest}", "-extfile", self.path("ext"), *signer)

    def bundle(self, name, *parts):
        text = "".join((self.folder / f"{p}.crt").read_text() for p in parts)
        (self.folder / name).write_text(text)
        return self.path(name)

    def context(self, leaf, *above):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.load_cert_chain(self.bundle(f"{leaf}.chain", leaf, *above), self.path(f"{leaf}.key"))
        return context


@pytest.fixture(scope="session")
def chains(tmp_path_factory):
    return Chains(tmp_path_factory.mktemp("chains"))


def ok(request, peer):
    return response(200, b"fine")


ROOTS = ("rsa-root", "ec-root")
CHAINS = [
    # what the server sends, what is trusted, code
    (("rsa",), ROOTS, 0),
    (("rsa3072", "rsa-mid"), ROOTS, 0),
    (("rsa3072", "rsa-mid", "rsa-root"), ROOTS, 0),
    (("ec", "ec-mid"), ROOTS, 0),
    (("ec384", "rsa-mid"), ROOTS, 0),
    (("far", "far-mid", "ec-mid"), ROOTS, 0),
    (("by-short", "short"), ROOTS, 0),
    (("ec", "ec-mid"), ("twin-root", "ec-root"), 0),
    (("rsa3072", "rsa-mid"), ("rsa-mid",), 0),
    (("rsa",), ("rsa",), 0),
    (("rsa3072",), ROOTS, 60),
    (("far", "far-mid"), ROOTS, 60),
    (("ec", "rsa-mid"), ROOTS, 60),
    (("ec", "ec-mid"), ("rsa-root",), 60),
    (("by-no-ca", "no-ca"), ROOTS, 60),
    (("too-deep", "under-short", "short"), ROOTS, 60),
    (("rsa1024",), ROOTS, "RSA 1024"),
    (("far", "ec-mid", "far-mid"), ROOTS, "chain out of order"),
]


@pytest.mark.parametrize("sent,trusted,code", CHAINS, ids=["+".join(c[0]) + "-by-" + "+".join(c[1]) for c in CHAINS])
def test_chain(drive, make_server, chains, tls, sent, trusted, code):
    if isinstance(code, str):
        code = tls.expects(code, {"RSA 1024": 60}.get(code, 0))
    server = make_server(tls=chains.context(*sent), tls_may_fail=bool(code))
    server.default(Serve(ok))
    t = drive.get(URL=server.url(host="localhost"), CAINFO=chains.bundle("trusted.pem", *trusted),
                  info=("SSL_VERIFYRESULT",))
    assert t.code == code, t.error
    assert bool(t.error) == bool(code)
    assert bool(t.info["SSL_VERIFYRESULT"]) == bool(code)
    assert bool(server.requests) != bool(code)


@pytest.mark.parametrize("host,code", [("127.0.0.1", 0), ("localhost", 0), ("127.0.0.2", 60), ("other.test", 60)])
def test_pins_do_not_replace_names(drive, make_server, certs, host, code):
    server = make_server(tls=certs.context(), tls_may_fail=True)
    server.default(Serve(ok))
    t = drive.get(URL=f"https://{host}:{server.port}/", CAINFO=certs.path("ca.pem"), PINNEDPUBLICKEY=certs.pin(),
                  CONNECT_TO=[f"::127.0.0.1:{server.port}"])
    assert t.code == code, t.error


# ---------------------------------------------------------------- handshakes

class Piecemeal(Step):
    """A TLS server over a plain connection: what it sends goes in pieces of `size`, and after `most` bytes `then`
    is done."""

    def __init__(self, context, size=1 << 20, most=None, then=None, answer=b""):
        self.context, self.size, self.most, self.then, self.answer = context, size, most, then, answer

    def run(self, peer):
        self.sent, self.peer = 0, peer
        self.came, self.goes = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = self.context.wrap_bio(self.came, self.goes, server_side=True)
        if not self._work(self.tls.do_handshake):
            return self.then.run(peer) if self.then else None
        request = b""
        while b"\r\n\r\n" not in request:
            request += self._work(lambda: self.tls.read(4096))
        self.tls.write(self.answer)
        self._flush()
        return Close().run(peer)

    def _work(self, what):
        while True:
            try:
                result = what()
                self._flush()
                return result or True
            except ssl.SSLWantReadError:
                if not self._flush():
                    return False
            data = self.peer.sock.recv(65536)
            if not data:
                return False
            self.came.write(data)

    def _flush(self):
        """False: that was all that may go."""
        data = self.goes.read()
        if self.most is not None and self.sent + len(data) >= self.most:
            data = data[:self.most - self.sent]
            self.most = 0
        for i in range(0, len(data), self.size):
            self.peer.sock.sendall(data[i:i + self.size])
        self.sent += len(data)
        return self.most != 0


@pytest.mark.parametrize("size", [1, 3, 7, 100])
@pytest.mark.parametrize("high", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_handshake_in_pieces(drive, make_server, certs, size, high):
    server = make_server()
    server.script(Piecemeal(certs.context(high=high), size, answer=response(200, b"in pieces")))
    t = drive.get(URL=f"https://localhost:{server.port}/", CAINFO=certs.path("ca.pem"))
    assert (t.code, t.body) == (0, b"in pieces"), t.error


@pytest.mark.parametrize("most", [1, 5, 6, 60, 200, 500])
def test_stalled_in_the_middle(drive, make_server, certs, way, most):
    server = make_server()
    server.script(Piecemeal(certs.context(), most=most, then=UntilClose()))
    t = drive.get(way, URL=f"https://localhost:{server.port}/", CAINFO=certs.path("ca.pem"), CONNECTTIMEOUT_MS=300)
    assert t.code == 28
    assert t.error


@pytest.mark.parametrize("most", [1, 5, 6, 60, 200, 500])
@pytest.mark.parametrize("then", [Close, Reset])
def test_cut_in_the_middle(drive, make_server, certs, then, most):
    server = make_server()
    server.script(Piecemeal(certs.context(), most=most, then=then()))
    t = drive.get(URL=f"https://localhost:{server.port}/", CAINFO=certs.path("ca.pem"))
    assert t.code == 35
    assert t.error


@pytest.mark.parametrize("bytes_", [b"\x16\x03\x03\xff\xff", b"\x15\x03\x03\x00\x02\x02\x28", b"\x80" * 100, b"\0" * 100,
                                    b"\x16\x03\x03\x00\x00" * 10, b"\x17\x03\x03\x00\x10" + b"x" * 16,
                                    b"\x16\x03\x03\x00\x04\x02\xff\xff\xff" + b"\x16\x03\x03\x40\x00" + b"z" * 16384])
def test_nonsense(drive, make_server, certs, bytes_):
    server = make_server()
    server.script(Send(bytes_), Close())
    t = drive.get(URL=f"https://127.0.0.1:{server.port}/", CAINFO=certs.path("ca.pem"))
    assert t.code == 35
    assert t.error


def test_only_tls_1_3(drive, make_server, certs, tls):
    server = make_server(tls=certs.context(low=ssl.TLSVersion.TLSv1_3), tls_may_fail=True)
    server.default(Serve(ok))
    t = drive.get(URL=server.url(), CAINFO=certs.path("ca.pem"))
    assert t.code == tls.expects("only 1.3", 0)
    if t.code:
        assert "TLS 1.2 only" in t.error


def test_wish_for_1_3_that_cannot_be(drive, make_server, certs, tls):
    server = make_server(tls=certs.context(high=ssl.TLSVersion.TLSv1_2), tls_may_fail=True)
    server.default(Serve(ok))
    server.optional = True
    t = drive.get(URL=server.url(), CAINFO=certs.path("ca.pem"), SSLVERSION=TLS_1_3)
    assert t.code == 35
    assert t.error


def test_no_suite_in_common(drive, make_server, certs):
    context = certs.context(high=ssl.TLSVersion.TLSv1_2, ciphers="ECDHE-ECDSA-AES256-CCM8:@SECLEVEL=0")
    server = make_server(tls=context, tls_may_fail=True)
    server.default(Serve(ok))
    t = drive.get(URL=server.url(), CAINFO=certs.path("ca.pem"), SSLVERSION=TLS_MAX_1_2,
                  SSL_CIPHER_LIST="ECDHE-ECDSA-AES128-GCM-SHA256")
    assert t.code == 35
    assert t.error


def test_no_encryption_is_refused(drive, make_server, certs):
    """A suite that only authenticates is offered by no default."""
    context = certs.context(high=ssl.TLSVersion.TLSv1_2, ciphers="ECDHE-ECDSA-NULL-SHA:@SECLEVEL=0")
    server = make_server(tls=context, tls_may_fail=True)
    server.default(Serve(ok))
    t = drive.get(URL=server.url(), CAINFO=certs.path("ca.pem"))
    assert t.code == 35
    assert t.error


# ---------------------------------------------------------------- records

SIZES = [*range(1, 40), 100, 255, 256, 511, 512, 513, 1000, 1460, 2030, *range(2040, 2052), 4000, *range(4090, 4100), 8192,
         *range(16370, 16385)]


@pytest.mark.parametrize("cipher", ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"])
@pytest.mark.parametrize("order", ["up", "down", "mixed"])
def test_records_of_every_size(drive, make_server, certs, cipher, order):
    sizes = {"up": SIZES, "down": SIZES[::-1], "mixed": [s for pair in zip(SIZES, SIZES[::-1]) for s in pair]}[order]
    data = pattern(sum(sizes))
    server = make_server(tls=certs.context(high=ssl.TLSVersion.TLSv1_2))
    pieces, at = [], 0
    for size in sizes:
        pieces.append(Send(data[at:at + size]))
        at += size
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(data)), *pieces)
    t = drive.get(URL=server.url(), CAINFO=certs.path("ca.pem"), SSL_CIPHER_LIST=cipher)
    assert (t.code, t.length, t.crc) == (0, len(data), crc(data)), t.error


@pytest.mark.parametrize("size", [1, 100, 511, 512, 513, 4095, 4096, 4097, 16383, 16384, 16385, 100000])
def test_uploads_of_every_size(drive, make_server, certs, size):
    data = pattern(size)
    server = make_server(tls=certs.context())
    server.script(Expect("POST", body=data), Reply(200, b"ok"), Expect("POST", body=data), Reply(200, b"ok"))
    d = drive().easy(URL=server.url(), CAINFO=certs.path("ca.pem"), POST=1, POSTFIELDSIZE=size, HTTPHEADER=["Expect:"])
    r = d.body("h", size).perform().body("h", size).perform().run()
    assert [t.code for t in r.all("h")] == [0, 0], r.all("h")[0].error


@pytest.mark.parametrize("recvmax", [1, 2, 4, 5, 6, 333])
@pytest.mark.parametrize("buffer", [1024, 16384])
def test_short_reads_of_large_records(drive, make_server, certs, recvmax, buffer):
    size = 3000 if recvmax < 10 else 60000
    data = pattern(size)
    server = make_server(tls=certs.context())
    server.script(Expect(), Reply(200, data), Expect(), Reply(200, b"again"))
    d = drive(fault=True).do("fault", "recvmax", recvmax)
    d.easy(URL=server.url(), CAINFO=certs.path("ca.pem"), BUFFERSIZE=buffer)
    r = d.perform().perform().run()
    assert [(t.code, t.length) for t in r.all("h")] == [(0, size), (0, 5)]
    assert r.all("h")[0].crc == crc(data)


def test_many_small_records_at_once(drive, make_server, certs, way):
    data = pattern(30000)
    server = make_server(tls=certs.context())
    pieces = [Send(data[i:i + 10]) for i in range(0, len(data), 10)]
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 30000\r\n\r\n"), *pieces)
    t = drive.get(way, URL=server.url(), CAINFO=certs.path("ca.pem"))
    assert (t.code, t.crc) == (0, crc(data)), t.error


def test_slow_reader_with_records_waiting(drive, make_server, certs, multi_way):
    """Nothing is lost when the reader stops again and again with whole records after the one that is read."""
    data = pattern(200000)
    server = make_server(tls=certs.context())
    server.script(Expect(), Reply(200, data))
    t = drive.get(multi_way, URL=server.url(), CAINFO=certs.path("ca.pem"), MAX_RECV_SPEED_LARGE=2000000)
    assert (t.code, t.length, t.crc) == (0, len(data), crc(data)), t.error
