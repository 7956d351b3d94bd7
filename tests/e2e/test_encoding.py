"""Content codings: decoded, several, broken, unknown, raw."""

import ctypes
import ctypes.util
import gzip
import subprocess
import zlib

import pytest

from mote_driver import NEWEST, SYSTEM, by_library, crc, not_debian
from server import Close, Expect, Reply, Send, UntilClose, chunked, response

TEXT = b"".join(b"a line of text number %d\n" % i for i in range(3000))


def raw_deflate(data):
    c = zlib.compressobj(6, zlib.DEFLATED, -15)
    return c.compress(data) + c.flush()


def brotli(data):
    lib = ctypes.CDLL("libbrotlienc.so.1")
    size = ctypes.c_size_t(len(data) + 1024)
    out = ctypes.create_string_buffer(size.value)
    good = lib.BrotliEncoderCompress(5, 22, 0, ctypes.c_size_t(len(data)), data, ctypes.byref(size), out)
    assert good
    return out.raw[:size.value]


def zstd(data):
    return subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True, check=True).stdout


CODERS = {"gzip": gzip.compress, "x-gzip": gzip.compress, "deflate": zlib.compress, "br": brotli, "zstd": zstd}


def encode(name, data=TEXT):
    if NEWEST and name == "zstd":
        pytest.skip("the newest libcurl's binary is built without it")
    try:
        return CODERS[name](data)
    except (OSError, FileNotFoundError) as error:
        pytest.skip(f"no encoder for {name}: {error}")


@pytest.mark.parametrize("name", list(CODERS))
@pytest.mark.parametrize("framing", ["length", "chunked", "close"])
def test_decoded(drive, server, way, name, framing):
    data = encode(name)
    if framing == "length":
        server.script(Expect(), Reply(200, data, [f"Content-Encoding: {name}"]))
    elif framing == "chunked":
        server.script(Expect(), Send(f"HTTP/1.1 200 OK\r\nContent-Encoding: {name}\r\nTransfer-Encoding: chunked\r\n\r\n"
                                     .encode() + chunked(data, 100)))
    else:
        server.script(Expect(), Send(f"HTTP/1.1 200 OK\r\nContent-Encoding: {name}\r\n\r\n".encode() + data), Close())
    t = drive.get(way, URL=server.url(), ACCEPT_ENCODING=name, info=("SIZE_DOWNLOAD_T",))
    assert (t.code, t.length, t.crc) == (0, len(TEXT), crc(TEXT)), t.error
    assert t.info["SIZE_DOWNLOAD_T"] == len(data)


@pytest.mark.parametrize("name", list(CODERS))
def test_byte_by_byte(drive, server, name):
    small = TEXT[:2000]
    server.script(Expect(), Reply(200, encode(name, small), [f"Content-Encoding: {name}"]))
    d = drive(fault=True).do("fault", "recvmax", 1).easy(URL=server.url(), ACCEPT_ENCODING="").perform()
    assert d.run()["h"].body == small


def test_bare_deflate(drive, server):
    server.answer(response(200, raw_deflate(TEXT), ["Content-Encoding: deflate"]))
    assert drive.get(URL=server.url(), ACCEPT_ENCODING="deflate").crc == crc(TEXT)


@not_debian("any number of bytes is ignored")
@pytest.mark.parametrize("size, code", [(4, 0), (5, 61), (5000, 61)])
@pytest.mark.parametrize("pieces", [False, True])
def test_bytes_after_bare_deflate(drive, server, size, code, pieces):
    """Any number of bytes was ignored, where four can be a checksum that zlib's format would have."""
    server.script(Expect(), Reply(200, raw_deflate(TEXT) + b"x" * size, ["Content-Encoding: deflate"]))
    d = drive(fault=pieces)
    if pieces:
        d.do("fault", "recvmax", 1000)
    t = d.easy(URL=server.url(), ACCEPT_ENCODING="deflate").perform().run()["h"]
    assert (t.code, t.crc) == (by_library(code, 0, code and 23), crc(TEXT))


def test_several(drive, server, way):
    server.answer(response(200, gzip.compress(zlib.compress(TEXT)), ["Content-Encoding: deflate, gzip"]))
    t = drive.get(way, URL=server.url(), ACCEPT_ENCODING="gzip, deflate")
    assert (t.code, t.crc) == (0, crc(TEXT))


def test_identity(drive, server):
    server.answer(response(200, TEXT, ["Content-Encoding: identity"]))
    assert drive.get(URL=server.url(), ACCEPT_ENCODING="gzip").crc == crc(TEXT)


def test_all_that_are_built_in(drive, server):
    built = b"deflate, gzip, br" + (b"" if NEWEST else b", zstd")
    server.script(Expect(pattern=b"\r\nAccept-Encoding: " + built + b"\r\n"), Reply())
    assert drive.get(URL=server.url(), ACCEPT_ENCODING="").code == 0


def test_not_asked_is_not_decoded(drive, server):
    data = gzip.compress(TEXT)
    server.script(Expect(lacks=["Accept-Encoding"]), Reply(200, data, ["Content-Encoding: gzip"]))
    t = drive.get(URL=server.url())
    assert (t.code, t.crc) == (0, crc(data))


def test_decoding_off(drive, server):
    data = gzip.compress(TEXT)
    server.answer(response(200, data, ["Content-Encoding: gzip"]))
    t = drive.get(URL=server.url(), ACCEPT_ENCODING="gzip", HTTP_CONTENT_DECODING=0)
    assert (t.code, t.crc) == (0, crc(data))


def test_empty_body(drive, server):
    server.answer(response(200, b"", ["Content-Encoding: gzip"]), response(200, b"x"))
    r = drive().easy(URL=server.url(), ACCEPT_ENCODING="gzip").perform().perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b""), (0, b"x")]


def test_head(drive, server):
    server.answer(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 100\r\n\r\n")
    assert drive.get(URL=server.url(), ACCEPT_ENCODING="gzip", NOBODY=1).code == 0


@pytest.mark.parametrize("name", list(CODERS))
def test_broken(drive, server, name):
    data = bytearray(encode(name))
    data[0:2] = b"\xff\xfe"
    server.script(Expect(), Reply(200, bytes(data), [f"Content-Encoding: {name}"]), UntilClose())
    t = drive.get(URL=server.url(), ACCEPT_ENCODING=name)
    assert t.code == 61
    assert t.error or SYSTEM  # libcurl 7.88 has no text for brotli and zstd


@pytest.mark.parametrize("name", list(CODERS))
def test_cut_short(drive, server, name):
    """An encoded body that ends too early, though the message is complete."""
    data = encode(name)
    server.script(Expect(), Reply(200, data[:len(data) // 2], [f"Content-Encoding: {name}"]), UntilClose())
    t = drive.get(URL=server.url(), ACCEPT_ENCODING=name)
    assert t.code == by_library(61, 0, newest=0)
    assert TEXT.startswith(t.body) or t.length < len(TEXT)


def test_wrong_checksum(drive, server):
    data = bytearray(gzip.compress(TEXT))
    data[-6] ^= 1
    server.script(Expect(), Reply(200, bytes(data), ["Content-Encoding: gzip"]), UntilClose())
    assert drive.get(URL=server.url(), ACCEPT_ENCODING="gzip").code == 61


@pytest.mark.parametrize("name", ["unheard-of", "compress", "gzip;q=1"])
def test_unknown(drive, server, way, name):
    server.script(Expect(), Reply(200, b"data", [f"Content-Encoding: {name}"]), UntilClose())
    t = drive.get(way, URL=server.url(), ACCEPT_ENCODING="gzip")
    assert t.code == 61
    assert t.error


@pytest.mark.parametrize("framing", [b"Content-Length: 0\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                                     b"Transfer-Encoding: chunked\r\n\r\n0\r\nX-T: v\r\n\r\n", b"Connection: close\r\n\r\n"])
def test_unknown_coding_of_no_bytes(drive, server, way, framing):
    """An empty body is complete, whatever its coding."""
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Encoding: unheard-of\r\n" + framing), Close())
    t = drive.get(way, URL=server.url(), ACCEPT_ENCODING="gzip")
    assert (t.code, t.body) == (0, b"")


def test_too_many(drive, server):
    server.script(Expect(), Reply(200, b"data", ["Content-Encoding: " + ", ".join(["gzip"] * 20)]), UntilClose())
    assert drive.get(URL=server.url(), ACCEPT_ENCODING="gzip").code == 61


def test_bomb_is_delivered_in_pieces(drive, server):
    """A small body that grows to 50 MB: callbacks of at most 16 KB, no growth of memory."""
    data = gzip.compress(bytes(50 << 20))
    server.answer(response(200, data, ["Content-Encoding: gzip"]))
    d = drive(fault=True).easy(URL=server.url(), ACCEPT_ENCODING="gzip").perform().do("fault", "peak")
    r = d.run()
    assert (r["h"].code, r["h"].length) == (0, 50 << 20)
    assert r.code("fault", "peak") < 2 << 20


def test_transfer_encoding_gzip(drive, server):
    """TRANSFER_ENCODING: TE is sent; a body with gzip under chunked is decoded."""
    def check(request):
        assert request.header("TE") == "gzip"
        assert "TE" in request.header("Connection")
    server.script(Expect(check=check), Send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
                                           + chunked(gzip.compress(TEXT), 500)))
    t = drive.get(URL=server.url(), TRANSFER_ENCODING=1)
    assert (t.code, t.crc) == (0, crc(TEXT))


def test_nginx_gzip(drive, nginx, way):
    t = drive.get(way, URL=nginx.url("/gzip/text.txt"), ACCEPT_ENCODING="gzip", info=("SIZE_DOWNLOAD_T",))
    assert (t.code, t.length, t.crc) == (0, *nginx.files["text.txt"])
    assert t.info["SIZE_DOWNLOAD_T"] < t.length


def test_redirect_with_a_coded_body(drive, server, way):
    server.answer(response(302, gzip.compress(b"gone"), ["Location: /2", "Content-Encoding: gzip"]),
                  response(200, gzip.compress(TEXT), ["Content-Encoding: gzip"]))
    t = drive.get(way, URL=server.url(), ACCEPT_ENCODING="gzip", FOLLOWLOCATION=1)
    assert (t.code, t.crc) == (0, crc(TEXT))


# ---------------------------------------------------------------- transfer codings

newer = pytest.mark.skipif(SYSTEM and not NEWEST, reason="libcurl 7.88 does otherwise")
IN_GZIP = {"gzip, chunked": chunked(gzip.compress(b"hello")), "gzip": gzip.compress(b"hello")}


@newer
@pytest.mark.parametrize("coding", list(IN_GZIP) + ["foo", "foo, chunked", "chunked, gzip"])
@pytest.mark.parametrize("own", [False, True])
def test_transfer_coding_not_asked_for(drive, server, way, coding, own):
    """Refused at its line, which no callback sees; a TE header of the application's own does not count."""
    server.script(Expect(), Send(f"HTTP/1.1 200 OK\r\nTransfer-Encoding: {coding}\r\nX: y\r\n\r\n".encode()
                                 + IN_GZIP.get(coding, b"")), UntilClose())
    t = drive.get(way, URL=server.url(), **({"HTTPHEADER": ["TE: gzip"]} if own else {}))
    assert (t.code, t.body, t.headers) == (61, b"", [b"HTTP/1.1 200 OK\r\n"])
    assert t.error


@pytest.mark.parametrize("coding", list(IN_GZIP))
def test_transfer_coding_asked_for(drive, server, way, coding):
    server.script(Expect(has={"TE": "gzip"}), Send(f"HTTP/1.1 200 OK\r\nTransfer-Encoding: {coding}\r\n\r\n".encode()
                                                   + IN_GZIP[coding]), Close())
    t = drive.get(way, URL=server.url(), TRANSFER_ENCODING=1)
    assert (t.code, t.body) == (0, b"hello")


@not_debian("decodes it, or refuses it")
@pytest.mark.parametrize("coding", ["gzip", "foo"])
def test_transfer_coding_left_as_it_is(drive, server, coding):
    server.script(Expect(), Send(f"HTTP/1.1 200 OK\r\nTransfer-Encoding: {coding}\r\n\r\nraw".encode()), Close())
    t = drive.get(URL=server.url(), HTTP_TRANSFER_DECODING=0)
    assert (t.code, t.body) == (0, b"raw")


@pytest.mark.parametrize("coding", ["chunked, gzip", "chunked\r\nTransfer-Encoding: gzip", "chunked, chunked"])
def test_transfer_codings_in_a_wrong_order_left_as_they_are(drive, server, coding):
    """They ended with 61, though no coding was to be undone."""
    body = b"1\r\nx\r\n0\r\n\r\n"
    server.script(Expect(), Send(f"HTTP/1.1 200 OK\r\nTransfer-Encoding: {coding}\r\n\r\n".encode() + body), Close())
    server.script(Expect(), Send(response(200, b"next")))
    r = drive().easy(URL=server.url(), HTTP_TRANSFER_DECODING=0).perform().perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, body), (0, b"next")]


@pytest.mark.parametrize("head", [b"HTTP/1.1 204 X\r\n", b"HTTP/1.1 304 X\r\n", b"HTTP/1.1 103 X\r\n"])
def test_transfer_coding_of_no_body(drive, server, head):
    final = b"" if b"103" not in head else b"HTTP/1.1 200 X\r\nContent-Length: 0\r\n\r\n"
    server.script(Expect(), Send(head + b"Transfer-Encoding: foo\r\n\r\n" + final), Close())
    assert drive.get(URL=server.url()).code == 0


@pytest.mark.parametrize("fields", [b"Transfer-Encoding: identity\r\nContent-Length: 3\r\n",
                                    b"Content-Length: 3\r\nTransfer-Encoding: identity\r\n"])
def test_identity_beside_a_length(drive, server, fields):
    """It waited until the server closed, as libcurl does. Others may read it otherwise, so the connection is not used
    again."""
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\n" + fields + b"\r\nabcdef"), Close())
    server.script(Expect(), Send(response(200, b"x")))
    r = drive().easy(URL=server.url()).perform().perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, by_library(b"abc", b"abcdef", b"abcdef")), (0, b"x")]


@newer
def test_unknown_content_coding_after_the_head(drive, server):
    """The head is delivered to its end."""
    server.script(Expect(), Reply(200, b"abc", ["Content-Encoding: foo"]), UntilClose())
    t = drive.get(URL=server.url(), ACCEPT_ENCODING="gzip")
    assert t.code == 61 and t.headers[-1] == b"\r\n"
