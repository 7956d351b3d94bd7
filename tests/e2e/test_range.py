"""Ranges, resuming, time conditions, size limits, file times."""

import gzip

import pytest

from mote_driver import COND_IFMODSINCE, COND_IFUNMODSINCE, COND_LASTMOD, NEWEST, SYSTEM, by_library, pattern
from server import Close, Expect, Reply, Send, UntilClose, chunked, response

STAMP = 784111777  # Sun, 06 Nov 1994 08:49:37 GMT
DATE = "Sun, 06 Nov 1994 08:49:37 GMT"


@pytest.mark.parametrize("spec", ["0-0", "2-5", "5-", "-4", "0-1,3-4"])
def test_range_header(drive, server, spec):
    server.script(Expect(has={"Range": "bytes=" + spec}), Reply(206, b"part", ["Content-Range: bytes 0-3/10"]))
    t = drive.get(URL=server.url(), RANGE=spec, info=("RESPONSE_CODE",))
    assert (t.code, t.body, t.info["RESPONSE_CODE"]) == (0, b"part", 206)


def test_range_ignored_by_the_server(drive, server):
    server.answer(response(200, b"the whole"))
    assert drive.get(URL=server.url(), RANGE="2-3").body == b"the whole"


def test_range_off_again(drive, server):
    server.script(Expect(has={"Range": "bytes=1-2"}), Reply(206, b"ab", ["Content-Range: bytes 1-2/9"]),
                  Expect(lacks=["Range"]), Reply(200, b"all"))
    r = drive().easy(URL=server.url(), RANGE="1-2").perform().setopt("h", RANGE=None).perform().run()
    assert [t.body for t in r.all("h")] == [b"ab", b"all"]


def test_custom_range_header_wins(drive, server):
    server.script(Expect(has={"Range": "bytes=7-8"}), Reply(206, b"xy", ["Content-Range: bytes 7-8/9"]))
    assert drive.get(URL=server.url(), RANGE="1-2", HTTPHEADER=["Range: bytes=7-8"]).code == 0


def test_nginx_range(drive, nginx, way):
    t = drive.get(way, URL=nginx.url("/12.txt"), RANGE="6-10", info=("RESPONSE_CODE", "CONTENT_LENGTH_DOWNLOAD_T"))
    assert (t.code, t.body) == (0, b"world")
    assert t.info == {"RESPONSE_CODE": 206, "CONTENT_LENGTH_DOWNLOAD_T": 5}


# ---------------------------------------------------------------- resume

def test_resume(drive, server, way):
    server.script(Expect(has={"Range": "bytes=4-"}), Reply(206, b"rest", ["Content-Range: bytes 4-7/8"]))
    t = drive.get(way, URL=server.url(), RESUME_FROM=4, info=("RESPONSE_CODE", "SIZE_DOWNLOAD_T"))
    assert (t.code, t.body, t.info["SIZE_DOWNLOAD_T"]) == (0, b"rest", 4)


def test_resume_large(drive, server):
    server.script(Expect(has={"Range": "bytes=5000000000-"}), Reply(206, b"r", ["Content-Range: bytes 5000000000-5000000000/5000000001"]))
    assert drive.get(URL=server.url(), RESUME_FROM_LARGE=5000000000).body == b"r"


def test_resume_refused(drive, server, way):
    """A server that sends the whole file: 33, and no byte is delivered."""
    server.script(Expect(), Reply(200, b"the whole file"), UntilClose())
    t = drive.get(way, URL=server.url(), RESUME_FROM=4)
    assert (t.code, t.body) == (33, b"")
    assert t.error


@pytest.mark.parametrize("status", [204, 304])
def test_a_range_without_a_body_is_no_rest(drive, server, status):
    """It was 0: a response that never has a body brings no rest, whatever range it names."""
    server.answer(b"HTTP/1.1 %d X\r\nContent-Range: bytes 4-7/8\r\n\r\n" % status)
    assert drive.get(URL=server.url(), RESUME_FROM=4).code == by_library(33, 0)


def test_resume_wrong_place(drive, server):
    server.script(Expect(), Reply(206, b"other", ["Content-Range: bytes 2-6/8"]), UntilClose())
    t = drive.get(URL=server.url(), RESUME_FROM=4)
    assert (t.code, t.body) == (33, b"")


@pytest.mark.parametrize("fail,code", [(0, 0), (1, by_library(0, 22))])
def test_resume_nothing_left(drive, server, way, fail, code):
    """416: the file is complete already."""
    server.script(Expect(has={"Range": "bytes=8-"}), Reply(416, b"no more", ["Content-Range: bytes */8"]), UntilClose())
    t = drive.get(way, URL=server.url(), RESUME_FROM=8, FAILONERROR=fail, info=("RESPONSE_CODE",))
    assert (t.code, t.info["RESPONSE_CODE"]) == (code, 416)
    assert t.body == b""


@pytest.mark.parametrize("status", [200, 206, 500])
def test_resume_of_what_is_whole_already(drive, server, way, status):
    """It was 33. A server that ignores the range and announces as many bytes as are there has no more to give."""
    server.script(Expect(has={"Range": "bytes=8-"}), Reply(status, b"12345678"), UntilClose())
    t = drive.get(way, URL=server.url(), RESUME_FROM=8, info=("RESPONSE_CODE",))
    assert (t.code, t.body, t.info["RESPONSE_CODE"]) == (0, b"", status)


@pytest.mark.parametrize("options", [{"RESUME_FROM": 8}, {"TIMECONDITION": COND_IFMODSINCE, "TIMEVALUE": STAMP}])
@pytest.mark.parametrize("then", [UntilClose, Close])
def test_what_is_there_already_is_not_read(drive, server, way, options, then):
    """It was read to its end, which a server that stops within it made an error of: 18 or 28."""
    head = f"HTTP/1.1 200 OK\r\nLast-Modified: {DATE}\r\nContent-Length: 8\r\n\r\n".encode()
    server.script(Expect(), Send(head + b"123"), then())
    t = drive.get(way, URL=server.url(), TIMEOUT=40, info=("SIZE_DOWNLOAD_T",), **options)
    assert (t.code, t.body, t.info["SIZE_DOWNLOAD_T"]) == (0, b"", 0)


newer = pytest.mark.skipif(SYSTEM and not NEWEST, reason="libcurl 7.88 does otherwise")


@newer
@pytest.mark.parametrize("status", [200, 204, 302, 304, 401, 403, 404, 500])
@pytest.mark.parametrize("offset", [10, -1])
def test_resume_answered_otherwise(drive, server, way, status, offset):
    """What is no rest of the file is not appended to its beginning; the head is delivered to its end."""
    body = b"" if status in (204, 304) else b"why not"
    raw = b"HTTP/1.1 %d X\r\n" % status + (b"Content-Length: 7\r\n" if body else b"") + b"Location: /x\r\n\r\n" + body
    server.script(Expect(has={"Range": f"bytes={offset}-"}), Send(raw), UntilClose())
    t = drive.get(way, URL=server.url(), RESUME_FROM=offset, info=("RESPONSE_CODE",))
    assert (t.code, t.body, t.info["RESPONSE_CODE"]) == (33, b"", status)
    assert t.headers[-1] == b"\r\n" and t.error


@newer
def test_resume_after_a_redirect(drive, server, way):
    server.script(Expect(), Reply(302, b"moved", ["Location: /there"]),
                  Expect(target="/there", has={"Range": "bytes=10-"}), Reply(206, b"abc", ["Content-Range: bytes 10-12/13"]))
    t = drive.get(way, URL=server.url(), RESUME_FROM=10, FOLLOWLOCATION=1)
    assert (t.code, t.body) == (0, b"abc")


@newer
@pytest.mark.parametrize("value,code", [("bytes 10-12/13", 0), ("bytes=10-12/13", 0), ("bytes:10-", 0), ("10-12/13", 0),
                                        ("bytes 9-11/13", 33), ("bytes */13", by_library(33, 33, newest=0))])
def test_where_the_range_begins(drive, server, value, code):
    server.script(Expect(), Reply(206, b"abc", [f"Content-Range: {value}"]), UntilClose())
    t = drive.get(URL=server.url(), RESUME_FROM=10)
    assert (t.code, t.body) == (code, b"" if code else b"abc")


@newer
def test_416_of_a_range_is_an_error(drive, server):
    """Only what resumes may find that nothing is left."""
    server.script(Expect(), Reply(416, b"no"), UntilClose())
    assert drive.get(URL=server.url(), RANGE="10-", FAILONERROR=1).code == 22


@newer
@pytest.mark.parametrize("raw,given", [
    (b"Transfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n", b"01234"),
    (b"Transfer-Encoding: chunked\r\n\r\n3\r\n012\r\n7\r\n3456789\r\n0\r\n\r\n", b"01234"),
    (b"\r\n0123456789", b"01234"),
    (b"Content-Length: 10\r\n\r\n0123456789", b""),
])
def test_more_than_the_largest_size(drive, server, way, raw, given):
    """What fits is delivered; a length that does not fit is refused with the head, all of which is delivered."""
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\n" + raw), UntilClose() if b"\r\n\r\n" in raw else Close())
    t = drive.get(way, URL=server.url(), MAXFILESIZE=5, info=("SIZE_DOWNLOAD_T",))
    assert (t.code, t.body, t.info["SIZE_DOWNLOAD_T"]) == (63, given, len(given))
    assert t.headers[-1] == b"\r\n"


def test_resume_zero(drive, server):
    server.script(Expect(lacks=["Range"]), Reply(200, b"all"))
    assert drive.get(URL=server.url(), RESUME_FROM=0).body == b"all"


def test_nginx_resume(drive, nginx, way):
    t = drive.get(way, URL=nginx.url("/1m.bin"), RESUME_FROM=1 << 19)
    assert (t.code, t.length) == (0, 1 << 19)


# ---------------------------------------------------------------- time conditions

@pytest.mark.parametrize("condition,name", [(COND_IFMODSINCE, "If-Modified-Since"),
                                            (COND_IFUNMODSINCE, "If-Unmodified-Since"), (COND_LASTMOD, "Last-Modified")])
def test_condition_header(drive, server, condition, name):
    server.script(Expect(has={name: DATE}), Reply(200, b"x"))
    assert drive.get(URL=server.url(), TIMECONDITION=condition, TIMEVALUE=STAMP).code == 0


def test_condition_without_time(drive, server):
    server.script(Expect(lacks=["If-Modified-Since"]), Reply(200, b"x"))
    assert drive.get(URL=server.url(), TIMECONDITION=0, TIMEVALUE=STAMP).code == 0


def test_304(drive, server, way):
    server.answer(b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n", response(200, b"next"))
    d = drive(way).easy(URL=server.url(), TIMECONDITION=COND_IFMODSINCE, TIMEVALUE_LARGE=STAMP).perform()
    d.getinfo("h", "CONDITION_UNMET", "RESPONSE_CODE").setopt("h", TIMECONDITION=0).perform().getinfo("h", "CONDITION_UNMET")
    r = d.run()
    assert [(t.code, t.body, t.info["CONDITION_UNMET"]) for t in r.all("h")] == [(0, b"", 1), (0, b"next", 0)]


@pytest.mark.parametrize("condition", [COND_IFMODSINCE, COND_IFUNMODSINCE])
def test_412_is_no_304(drive, server, condition):
    """It was taken for CURLINFO_CONDITION_UNMET: its body is the server's text, and is delivered."""
    server.answer(response(412, b"why"))
    t = drive.get(URL=server.url(), TIMECONDITION=condition, TIMEVALUE=STAMP, info=("CONDITION_UNMET",))
    assert (t.code, t.body, t.info["CONDITION_UNMET"]) == (0, b"why", 0)


def test_server_ignores_the_condition(drive, server, way):
    """A 200 with an old Last-Modified: the body is not delivered."""
    server.script(Expect(), Reply(200, b"old text", [f"Last-Modified: {DATE}"]), UntilClose())
    t = drive.get(way, URL=server.url(), TIMECONDITION=COND_IFMODSINCE, TIMEVALUE=STAMP + 1000, info=("CONDITION_UNMET",))
    assert (t.code, t.body, t.info["CONDITION_UNMET"]) == (0, b"", 1)


def test_newer_is_delivered(drive, server):
    server.answer(response(200, b"new", [f"Last-Modified: {DATE}"]))
    t = drive.get(URL=server.url(), TIMECONDITION=COND_IFMODSINCE, TIMEVALUE=STAMP - 1000, info=("CONDITION_UNMET",))
    assert (t.code, t.body, t.info["CONDITION_UNMET"]) == (0, b"new", 0)


def test_condition_before_1970(drive, server):
    """A time before 1970 was taken for none, so that a server which ignores the condition met it."""
    server.answer(response(200, b"new", [f"Last-Modified: {DATE}"]))
    t = drive.get(URL=server.url(), TIMECONDITION=COND_IFUNMODSINCE, TIMEVALUE=-1, info=("CONDITION_UNMET",))
    assert (t.code, t.body, t.info["CONDITION_UNMET"]) == (0, b"", 1)


def test_unmodified_since_that_very_second(drive, server):
    """RFC 9110 section 13.1.4: a date that is equal is no later one."""
    server.answer(response(200, b"old", [f"Last-Modified: {DATE}"]))
    t = drive.get(URL=server.url(), TIMECONDITION=COND_IFUNMODSINCE, TIMEVALUE=STAMP, info=("CONDITION_UNMET",))
    assert (t.body, t.info["CONDITION_UNMET"]) == by_library((b"old", 0), (b"", 1), (b"", 1))


def test_condition_and_a_document_without_a_time(drive, server):
    """What servers say that know no time was taken for one, and the document kept from the application."""
    server.answer(response(200, b"new", ["Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT"]))
    t = drive.get(URL=server.url(), TIMECONDITION=COND_IFMODSINCE, TIMEVALUE=STAMP, info=("CONDITION_UNMET",))
    assert (t.code, t.body, t.info["CONDITION_UNMET"]) == (0, b"new", 0)


@pytest.mark.parametrize("date,reported", [(DATE, STAMP), ("nonsense", by_library(0, -1)), ("1994", by_library(0, -1)),
                                       ("Sunday, 06-Nov-94 08:49:37 GMT", STAMP),
                                       ("Sun Nov  6 08:49:37 1994", STAMP), (None, -1)])
def test_filetime(drive, server, date, reported):
    server.answer(response(200, b"x", [f"Last-Modified: {date}"] if date else []))
    t = drive.get(URL=server.url(), FILETIME=1, info=("FILETIME", "FILETIME_T"))
    assert t.info == {"FILETIME": reported, "FILETIME_T": reported}


def test_filetime_not_asked(drive, server):
    server.answer(response(200, b"x", [f"Last-Modified: {DATE}"]))
    assert drive.get(URL=server.url(), info=("FILETIME_T",)).info["FILETIME_T"] == -1


# ---------------------------------------------------------------- limits on size

@pytest.mark.parametrize("option", ["MAXFILESIZE", "MAXFILESIZE_LARGE"])
def test_maxfilesize(drive, server, way, option):
    server.script(Expect(), Reply(200, pattern(1001)), UntilClose())
    t = drive.get(way, URL=server.url(), **{option: 1000})
    assert (t.code, t.body) == (63, b"")
    assert t.error


@newer
@pytest.mark.parametrize("status,options,code", [
    (200, {"RESUME_FROM": 1001}, 63), (400, {"RESUME_FROM": 1001}, 63), (416, {"RESUME_FROM": 1001}, 0),
    (200, {"TIMECONDITION": 1, "TIMEVALUE": 1795000000}, 63),
])
def test_maxfilesize_of_a_body_that_is_not_delivered(drive, server, status, options, code):
    """Ours read all of it, however large, to use the connection again."""
    server.script(Expect(), Reply(status, pattern(1001), [f"Last-Modified: {DATE}"]), UntilClose())
    t = drive.get(URL=server.url(), MAXFILESIZE=1000, info=("CONTENT_LENGTH_DOWNLOAD_T",), **options)
    assert (t.code, t.body, t.info["CONTENT_LENGTH_DOWNLOAD_T"]) == (code, b"", -1 if code else 1001)


@pytest.mark.parametrize("length", ["9223372036854775808", "36893488147419103232"])
def test_maxfilesize_of_a_length_that_no_integer_holds(drive, server, way, length):
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n".encode()
    server.script(Expect(), Send(head), UntilClose())
    t = drive.get(way, URL=server.url(), MAXFILESIZE=1000)
    assert (t.code, t.body) == (63, b"")
    assert t.error == "Maximum file size exceeded"


@newer
@pytest.mark.parametrize("framing", ["length", "chunked"])
def test_maxfilesize_lowered_below_what_is_delivered(drive, server, way, framing):
    """The write callback got as many bytes as a negative number stands for."""
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    plain = framing == "length"
    answer = response(200, pattern(200000)) if plain else head + chunked(pattern(200000), size=50000)
    server.script(Expect(), Send(answer), UntilClose())
    d = drive(way).easy(URL=server.url(), MAXFILESIZE=300000).on("h", "write", "bytes", 20000, "setopt", "MAXFILESIZE", 10)
    t = d.perform().run()["h"]
    assert (t.code, t.length < 200000) == (63, True)


def test_maxfilesize_just_enough(drive, server):
    server.answer(response(200, pattern(1000)))
    assert drive.get(URL=server.url(), MAXFILESIZE=1000).length == 1000


def test_maxfilesize_unknown_length(drive, server, way, ours_only):
    ours_only("since libcurl 8.4 the limit also holds for bodies of unknown length")
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\n\r\n" + pattern(5000)), UntilClose())
    t = drive.get(way, URL=server.url(), MAXFILESIZE=1000)
    assert t.code == 63
    assert t.length <= 1000


def test_maxfilesize_of_coded_bytes(drive, server, way):
    """The limit held for what a body is decoded to alone, where no Content-Length had the size of its coded bytes."""
    if SYSTEM and not NEWEST:
        pytest.skip("since libcurl 8.4 the limit also holds for bodies of unknown length")
    coded = gzip.compress(b"x", mtime=0)
    server.default(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + coded), Close())
    t = drive.get(way, URL=server.url(), ACCEPT_ENCODING="gzip", MAXFILESIZE=10)
    assert (t.code, t.body) == (63, b"")
    assert t.error
    t = drive.get(way, URL=server.url(), ACCEPT_ENCODING="gzip", MAXFILESIZE=len(coded))
    assert (t.code, t.body) == (0, b"x")


@pytest.mark.parametrize("value", ["99999999999999999999", "-1", "12a", "0x10", ""])
def test_bad_length_in_a_resumed_answer(drive, server, value):
    server.script(Expect(), Reply(206, b"rest", [f"Content-Range: bytes {value}-"]), UntilClose())
    t = drive.get(URL=server.url(), RESUME_FROM=4)
    assert t.code in (0, 33)
    assert t.body in (b"", b"rest") if t.code == 0 else t.body == b""


def test_ignore_content_length(drive, server, way):
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlonger than that"), Close())
    t = drive.get(way, URL=server.url(), IGNORE_CONTENT_LENGTH=1)
    assert (t.code, t.body) == (0, b"longer than that")
