"""Request heads and their framing, byte by byte, as the newest libcurl sends them: what the application's own headers
and odd combinations of options make of them."""

import pytest

from mote_driver import HTTP_VERSION_1_0, NEWEST, SYSTEM, by_library
from server import Body, ContinueIfAsked, Expect, Read, Reply, Send, UntilClose, response

pytestmark = pytest.mark.skipif(SYSTEM and not NEWEST, reason="libcurl 7.88 does otherwise")

CHUNKED = b"5\r\nhello\r\n0\r\n\r\n"


def exact(server, *lines, method="GET", version="1.1", host=True):
    head = [f"{method} / HTTP/{version}"] + ([f"Host: 127.0.0.1:{server.port}"] if host else []) + list(lines)
    return Read("\r\n".join(head + ["", ""]).encode())


@pytest.mark.parametrize("own,sent", [
    (["Connection: foo", "X: y"], ["X: y", "Connection: foo"]),
    (["Connection: foo", "X: y", "connection: bar"], ["X: y", "Connection: foo", "connection: bar"]),
    (["Connection:foo"], by_library(["Connection: foo"], ["Connection:foo"], ["Connection: foo"])),
    (["Connection;"], []),
    (["Connection:"], []),
])
def test_connection_is_the_last_header(drive, server, own, sent):
    server.script(exact(server, "Accept: */*", *sent), Reply())
    assert drive.get(URL=server.url(), HTTPHEADER=own).code == 0


def test_connection_comes_after_the_fields_of_the_body(drive, server):
    server.script(exact(server, "Accept: */*", "Content-Length: 1", "Content-Type: application/x-www-form-urlencoded",
                        "Connection: foo", method="POST"), Read(b"x"), Reply())
    assert drive.get(URL=server.url(), POSTFIELDS="x", HTTPHEADER=["Connection: foo"]).code == 0


@pytest.mark.parametrize("own,sent", [
    ([], ["TE: gzip", "Connection: TE"]),
    (["Connection: foo"], ["TE: gzip", "Connection: foo, TE"]),
    (["Connection: foo", "Connection: bar"], ["TE: gzip", "Connection: foo, TE", "Connection: bar"]),
    (["Connection:"], ["TE: gzip", "Connection: TE"]),
    (["Connection;"], ["TE: gzip", "Connection: TE"]),
    (["TE: x"], ["TE: x"]),
    (["TE:"], []),
])
def test_te_is_named_in_connection(drive, server, own, sent):
    """Whatever the application says in Connection of its own: else the server must not send what TE asks for."""
    server.script(exact(server, "Accept: */*", *sent), Reply())
    assert drive.get(URL=server.url(), TRANSFER_ENCODING=1, HTTPHEADER=own).code == 0


@pytest.mark.parametrize("own,sent", [
    ("Host;", "Host:"), ("Host; ", "Host: "), ("Host: ", "Host: "), ("Host:x", "Host:x"), ("Host:  x", "Host:  x"),
])
def test_own_host_as_written(drive, server, own, sent):
    server.script(exact(server, sent, "Accept: */*", host=False), Reply())
    assert drive.get(URL=server.url(), HTTPHEADER=[own]).code == 0


def test_own_transfer_encoding_as_written(drive, server):
    server.script(exact(server, "Accept: */*", "transfer-encoding:  chunked",
                        "Content-Type: application/x-www-form-urlencoded", method="POST"), Read(CHUNKED), Reply())
    assert drive.get(URL=server.url(), POSTFIELDS="hello", HTTPHEADER=["transfer-encoding:  chunked"]).code == 0


def test_get_that_announces_chunks_ends_them(drive, server):
    """A server would wait for them for ever."""
    server.script(exact(server, "Accept: */*", "Transfer-Encoding: chunked"), Read(b"0\r\n\r\n"), Reply())
    assert drive.get(URL=server.url(), HTTPHEADER=["Transfer-Encoding: chunked"]).code == 0


@pytest.mark.parametrize("own", ["X; ", "X;  ", "X;y"])
def test_nothing_but_a_semicolon_makes_an_empty_header(drive, server, own):
    server.script(exact(server, "Accept: */*"), Reply())
    assert drive.get(URL=server.url(), HTTPHEADER=[own]).code == 0


@pytest.mark.parametrize("option,sent", [("REFERER", ["Referer: "]), ("COOKIE", ["Cookie: "]), ("USERAGENT", [])])
def test_empty_option(drive, server, option, sent):
    server.script(exact(server, "Accept: */*", *sent), Reply())
    assert drive.get(URL=server.url(), **{option: ""}).code == 0


def test_cookie_follows_transfer_encoding(drive, server):
    server.script(exact(server, "Accept: */*", "Transfer-Encoding: chunked", "Cookie: a=b", "Expect: 100-continue", method="PUT"),
                  Send(b"HTTP/1.1 100 Continue\r\n\r\n"), Read(CHUNKED), Reply())
    assert drive.get(URL=server.url(), UPLOAD=1, body=b"hello", COOKIE="a=b").code == 0


# ---------------------------------------------------------------- framing of bodies

def test_unknown_size_with_an_own_length_is_chunked(drive, server, way):
    """What the length says may be wrong; beside chunked it would be read in two ways (RFC 9112 6.2)."""
    server.script(Expect("PUT", body=False, has={"Transfer-Encoding": "chunked",
                                                 "Content-Length": by_library(None, None, newest="3")}),
                  ContinueIfAsked(), Read(CHUNKED), Reply())
    assert drive.get(way, URL=server.url(), UPLOAD=1, body=b"hello", HTTPHEADER=["Content-Length: 3"]).code == 0


def test_unknown_size_without_a_length_is_chunked(drive, server):
    server.script(Expect("PUT", body=False, lacks=["Content-Length"]), ContinueIfAsked(), Read(CHUNKED), Reply())
    assert drive.get(URL=server.url(), UPLOAD=1, body=b"hello", HTTPHEADER=["Content-Length:"]).code == 0


@pytest.mark.parametrize("size", [3, 9])
def test_chunked_post_by_callback_forgets_its_size(drive, server, way, size):
    server.script(Expect("POST", body=False, has={"Transfer-Encoding": "chunked", "Expect": "100-continue"}),
                  ContinueIfAsked(), Read(CHUNKED), Reply())
    t = drive.get(way, URL=server.url(), POST=1, POSTFIELDSIZE=size, body=b"hello",
                  HTTPHEADER=["Transfer-Encoding: chunked"])
    assert t.code == 0


def test_chunked_put_keeps_its_size(drive, server):
    server.script(Expect("PUT", body=b"hel", lacks=["Expect"]), Reply())
    t = drive.get(URL=server.url(), UPLOAD=1, INFILESIZE=3, body=b"hello", HTTPHEADER=["Transfer-Encoding: chunked"])
    assert t.code == 0


@pytest.mark.parametrize("upload", [{"POSTFIELDS": "hello"}, {"UPLOAD": 1}], ids=["post", "put"])
def test_own_chunked_with_http_1_0(drive, server, upload):
    """What the application says of itself is its own affair."""
    server.script(Expect(version="HTTP/1.0", body=False, has={"Transfer-Encoding": "chunked"}, lacks=["Expect"]),
                  Read(CHUNKED), Reply())
    t = drive.get(URL=server.url(), HTTP_VERSION=HTTP_VERSION_1_0, HTTPHEADER=["Transfer-Encoding: chunked"], body=b"hello",
                  **upload)
    assert t.code == 0


@pytest.mark.parametrize("method,size", [("PUT", "INFILESIZE"), ("POST", "POSTFIELDSIZE")])
@pytest.mark.parametrize("n,asks", [(1, False), (1 << 20, False), ((1 << 20) + 1, True)])
def test_expect_above_a_megabyte(drive, server, method, size, n, asks):
    server.script(Expect(method, body=False, check=lambda q: (q.header("Expect") == "100-continue") == asks or 1 / 0),
                  ContinueIfAsked(), Body(), Reply())
    t = drive.get(URL=server.url(), body=n, **{"UPLOAD" if method == "PUT" else "POST": 1, size: n})
    assert t.code == 0


@pytest.mark.parametrize("way_of", ["chunked", "sized", "memory", "get"])
def test_sizes_count_what_was_sent(drive, server, way, way_of):
    """SIZE_UPLOAD with the framing, REQUEST_SIZE heads and bodies."""
    server.script(Expect(), ContinueIfAsked(), Reply())
    options, up = {"chunked": ({"UPLOAD": 1}, 15), "sized": ({"UPLOAD": 1, "INFILESIZE": 5}, 5),
                   "memory": ({"POSTFIELDS": "hello"}, 5), "get": ({}, 0)}[way_of]
    t = drive.get(way, URL=server.url(), body=b"hello", info=("SIZE_UPLOAD_T", "REQUEST_SIZE"), **options)
    assert t.code == 0 and t.info["SIZE_UPLOAD_T"] == up
    assert t.info["REQUEST_SIZE"] == len(server.connections[0].received)


# ---------------------------------------------------------------- ranges of bodies

@pytest.mark.parametrize("options,value", [
    ({"POSTFIELDS": "hello"}, "bytes 1-2/5"),
    ({"POSTFIELDS": ""}, "bytes 1-2/0"),
    ({"CUSTOMREQUEST": "PATCH", "POSTFIELDS": "x"}, "bytes 1-2/1"),
    ({"UPLOAD": 1, "INFILESIZE": 5}, "bytes 1-2/5"),
    ({"UPLOAD": 1}, by_library("bytes 1-2/*", None, newest="bytes 1-2/-1")),  # RFC 9110 14.4: "*" where it is unknown
])
def test_content_range(drive, server, options, value):
    server.script(Expect(body=False, has={"Content-Range": value}, lacks=["Range"]), ContinueIfAsked(), Body(), Reply())
    assert drive.get(URL=server.url(), RANGE="1-2", body=b"hello", **options).code == 0


@pytest.mark.parametrize("options", [{"POSTFIELDS": "hello"}, {"POST": 1, "POSTFIELDSIZE": 5}, {"POST": 1}])
@pytest.mark.parametrize("offset", [2, -1])
def test_post_cannot_be_resumed(drive, server, options, offset):
    server.optional = True
    server.default(UntilClose())
    t = drive.get(URL=server.url(), RESUME_FROM=offset, body=b"hello", enable=["seek"], info=("NUM_CONNECTS",), **options)
    assert t.code == 43 and t.error
    assert t.info["NUM_CONNECTS"] == by_library("POSTFIELDS" not in options, False)


def test_whole_upload_says_its_range(drive, server, ours_only):
    """curl -T file -C -"""
    ours_only("the newest resumes no upload (43)")
    server.script(Expect("PUT", body=b"hello", has={"Content-Range": "bytes 0-4/5"}), Reply())
    assert drive.get(URL=server.url(), UPLOAD=1, INFILESIZE=5, RESUME_FROM=-1, body=b"hello").code == 0


# ---------------------------------------------------------------- limits

@pytest.mark.parametrize("size,code", [(1_048_000, 0), (1 << 20, 100)])
def test_head_of_a_megabyte(drive, server, way, size, code):
    lines = ["X: " + "a" * 99_000] * (size // 99_003)
    lines.append("Y: " + "b" * (size - sum(len(line) + 2 for line in lines) - 5))
    server.script(*([UntilClose()] if code else [Expect(), Send(response(200, b"ok"))]))
    t = drive.get(way, URL=server.url(), HTTPHEADER=lines)
    assert t.code == code
    assert t.error or not code
