"""file: URLs: local files as documents and as places of uploads."""

import os

import pytest

from mote_driver import PAUSE_CONT, SANITIZED, SYSTEM, by_library, not_debian, pattern
from server import response
from test_faults import check

TEN = b"0123456789"
WHEN = 1580702706  # Mon, 03 Feb 2020 04:05:06 GMT
DATE = b"Last-Modified: Mon, 03 Feb 2020 04:05:06 GMT\r\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "f.txt").write_bytes(TEN)
    os.utime(tmp_path / "f.txt", (WHEN, WHEN))
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "dir").mkdir()
    return tmp_path


def url(folder, name="f.txt"):
    return f"file://{folder}/{name}"


def test_download(drive, folder, way):
    t = drive.get(way, URL=url(folder), info=("RESPONSE_CODE", "CONTENT_LENGTH_DOWNLOAD_T", "SIZE_DOWNLOAD_T",
                                              "FILETIME_T", "NUM_CONNECTS", "PROTOCOL", "SCHEME", "PRIMARY_IP",
                                              "CONDITION_UNMET", "EFFECTIVE_URL", "HTTP_VERSION", "HEADER_SIZE"))
    assert (t.code, t.body, t.error) == (0, TEN, "")
    assert t.info == {"RESPONSE_CODE": 0, "CONTENT_LENGTH_DOWNLOAD_T": 10, "SIZE_DOWNLOAD_T": 10, "FILETIME_T": WHEN,
                      "NUM_CONNECTS": 0, "PROTOCOL": 1024, "SCHEME": by_library("file", "FILE"), "PRIMARY_IP": "",
                      "CONDITION_UNMET": 0, "EFFECTIVE_URL": url(folder), "HTTP_VERSION": 0, "HEADER_SIZE": 0}
    assert b"".join(t.headers) == b"Content-Length: 10\r\nAccept-ranges: bytes\r\n" + DATE + b"\r\n"


def test_large(drive, folder, way):
    (folder / "big").write_bytes(pattern(3_000_000))
    t = drive.get(way, URL=url(folder, "big"), enable=["xferinfo"])
    assert (t.code, t.length) == (0, 3_000_000)
    assert t.progress == (3_000_000, 3_000_000, 0, 0)


def test_many_at_once(drive, folder, multi_way):
    """They take turns: no more descriptors are open than transfers."""
    d = drive(multi_way)
    for i in range(20):
        (folder / f"f{i}").write_bytes(pattern(400_000 + i))
        d.easy(f"h{i}", URL=url(folder, f"f{i}"))
    r = d.perform(*(f"h{i}" for i in range(20))).run()
    for i in range(20):
        assert (r[f"h{i}"].code, r[f"h{i}"].length) == (0, 400_000 + i)


def test_next_to_http(drive, folder, server, multi_way):
    (folder / "big").write_bytes(pattern(5_000_000))
    server.answer(response(200, b"from a server"))
    d = drive(multi_way).easy("a", URL=url(folder, "big")).easy("b", URL=server.url())
    r = d.perform("a", "b").run()
    assert (r["a"].code, r["a"].length, r["b"].body) == (0, 5_000_000, b"from a server")


@pytest.mark.parametrize("name,body", [("%66.txt", TEN), ("f.txt?query", TEN), ("f.txt#part", TEN), ("empty", b""),
                                       ("dir/../f.txt", TEN)])
def test_names(drive, folder, name, body):
    t = drive.get(URL=url(folder, name))
    assert (t.code, t.body) == (0, body)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "LOCALHOST"])
def test_hosts(drive, folder, host):
    assert drive.get(URL=f"file://{host}{folder}/f.txt").body == TEN


def test_failures(drive, folder, way):
    t = drive.get(way, URL=url(folder, "nothere"))
    could_not = by_library("Couldn't", "Couldn't", "Could not")
    assert (t.code, t.error) == (37, f"{could_not} open file {folder}/nothere")
    assert drive.get(way, URL=url(folder, "f.txt/")).code == 37
    assert drive.get(way, URL=url(folder)).code == 0


def test_nul_in_the_path(drive, folder, ours_only):
    ours_only("libcurl 7.88 closes descriptor 0")
    assert drive.get(URL=url(folder, "f%00.txt")).code == 3


NAMES = sorted([f"n{i:03}-" + "x" * (i % 200) for i in range(400)])


def listing(body):
    assert body.endswith(b"\n") or not body
    return sorted(body.decode().splitlines())


def test_directory(drive, folder, way):
    """It was an error; libcurl since 8.10 lists the names, in no order. How long the list is was said to be 0."""
    (folder / ".hidden").write_bytes(b"")
    t = drive.get(way, URL=url(folder, ""), info=("CONTENT_LENGTH_DOWNLOAD_T", "SIZE_DOWNLOAD_T"))
    assert (t.code, listing(t.body)) == (0, by_library(["dir", "empty", "f.txt"], []))
    assert t.info["SIZE_DOWNLOAD_T"] == len(t.body) and t.info["CONTENT_LENGTH_DOWNLOAD_T"] in by_library((-1,), (0, -1))
    assert b"".join(t.headers).startswith(b"Last-Modified: ") and b"".join(t.headers).endswith(b"GMT\r\n\r\n")
    assert drive.get(way, URL=url(folder, "dir")).body == b""
    t = drive.get(way, URL=url(folder, "dir"), NOBODY=1)
    assert t.code == 0 and len(t.headers) == by_library(2, 1) and t.headers[0].startswith(b"Last-Modified: ")


@pytest.mark.parametrize("size", [1024, 4096, 100_000])
def test_large_directory(drive, folder, size):
    for name in NAMES:
        (folder / "dir" / name).touch()
    t = drive.get(URL=url(folder, "dir"), BUFFERSIZE=size)
    assert (t.code, listing(t.body)) == (0, by_library(NAMES, []))


@pytest.mark.parametrize("option,value,code,length", [
    ("RANGE", "0-4", 0, 5), ("RANGE", "-3", 36, 0), ("RANGE", "2-4", 36, 0), ("RESUME_FROM", 1, 36, 0)])
def test_part_of_a_directory(drive, folder, option, value, code, length):
    """Its size is not known, so that nothing can be skipped."""
    t = drive.get(URL=url(folder, ""), **{option: value})
    assert (t.code, t.length) == (code, by_library(length, 0))


def test_directory_that_cannot_be_read(drive, folder):
    assert drive.get(URL=url(folder, "nothere/")).code == 37


def test_no_proxy(drive, folder, closed_port):
    proxy = f"http://127.0.0.1:{closed_port}"
    assert drive.get(URL=url(folder), PROXY=proxy).body == TEN
    assert drive.get(URL=url(folder), env={"all_proxy": proxy}).body == TEN


def test_head(drive, folder, way):
    t = drive.get(way, URL=url(folder), NOBODY=1, RANGE="2-4", info=("CONTENT_LENGTH_DOWNLOAD_T",))
    assert (t.code, t.body, t.info["CONTENT_LENGTH_DOWNLOAD_T"]) == (0, b"", 10)
    assert t.headers == [b"Content-Length: 10\r\n", b"Accept-ranges: bytes\r\n", DATE] + by_library([b"\r\n"], [])


def test_headers_in_the_body(drive, folder):
    """CURLOPT_HEADER had no effect on file: URLs, as in libcurl 7.88."""
    t = drive.get(URL=url(folder), HEADER=1, info=("SIZE_DOWNLOAD_T", "HEADER_SIZE"))
    lines = b"Content-Length: 10\r\nAccept-ranges: bytes\r\n" + DATE + b"\r\n"
    assert t.body == by_library(lines, b"") + TEN and t.calls["header"] >= 3
    assert t.info == {"SIZE_DOWNLOAD_T": 10, "HEADER_SIZE": 0}


@pytest.mark.parametrize("text,body", [
    ("2-4", b"234"), ("0-0", b"0"), ("7-", b"789"), ("-3", b"789"), ("5-50", b"56789"),
    ("10-", b""), ("-10", TEN), ("2-4,6-7", b"234")])
def test_range(drive, folder, text, body):
    t = drive.get(URL=url(folder), RANGE=text, info=("CONTENT_LENGTH_DOWNLOAD_T",))
    assert (t.code, t.body) == (0, body)
    assert t.info["CONTENT_LENGTH_DOWNLOAD_T"] == by_library(len(body), {"5-50": 46, "10-": 10}.get(text, len(body)),
                                                             {"5-50": 46, "10-": 10}.get(text, len(body)))


def test_range_without_an_end_or_a_length(drive, folder):
    """A number alone was taken for FIRST-, and -0 for the whole file."""
    for text, old in (("5", b"56789"), ("-0", TEN)):
        t = drive.get(URL=url(folder), RANGE=text)
        assert (t.code, t.body) == by_library((33, b""), (0, old))


@pytest.mark.parametrize("text,code", [("20-", 36), ("-50", 36), ("4-2", 33)])
def test_range_refused(drive, folder, text, code):
    t = drive.get(URL=url(folder), RANGE=text)
    assert (t.code, t.body) == (code, b"")
    assert t.error or SYSTEM


@pytest.mark.parametrize("text", ["abc", "-", "2-4x", "2--4", "bytes=2-4", "99999999999999999999-"])
def test_range_malformed(drive, folder, text, ours_only):
    ours_only("libcurl 7.88 delivers something else than was asked for")
    assert drive.get(URL=url(folder), RANGE=text).code == 33


def test_a_download_resumed_at_minus_one(drive, folder):
    """-1 was taken for the whole file."""
    assert drive.get(URL=url(folder), RESUME_FROM=-1).body == b"9"
    assert drive.get(URL=f"file://{folder}/", RESUME_FROM=-1).code == 36


@pytest.mark.parametrize("part", [{"RANGE": "1-2"}, {"RESUME_FROM": 8}, {"RANGE": "1-2", "NOBODY": 1}])
def test_a_part_of_a_file_whatever_its_time(drive, folder, part):
    """The condition was held against it."""
    t = drive.get(URL=url(folder), TIMECONDITION=1, TIMEVALUE=2000000000, **part)
    assert (t.code, len(t.body)) == (0, 0 if "NOBODY" in part else 2)


@not_debian("it is the whole file")
def test_an_empty_range(drive, folder):
    """It was taken for the whole file."""
    assert drive.get(URL=url(folder), RANGE="").code == 33


def test_resume(drive, folder, way):
    assert drive.get(way, URL=url(folder), RESUME_FROM=7).body == b"789"
    assert drive.get(way, URL=url(folder), RESUME_FROM=10).code == 0
    assert drive.get(way, URL=url(folder), RESUME_FROM=11).code == 36
    assert drive.get(way, URL=url(folder), RESUME_FROM=1, RANGE="2-4").body == TEN[1:]


@pytest.mark.parametrize("condition,value,met", [
    (1, WHEN - 1, True), (1, WHEN, False), (1, WHEN + 1, False),
    (2, WHEN - 1, False), (2, WHEN, False), (2, WHEN + 1, True), (1, 0, True)])
def test_time_condition(drive, folder, condition, value, met):
    t = drive.get(URL=url(folder), TIMECONDITION=condition, TIMEVALUE=value,
                  info=("CONDITION_UNMET", "CONTENT_LENGTH_DOWNLOAD_T", "FILETIME_T"))
    assert (t.code, t.body) == (0, TEN if met else b"")
    assert t.info == {"CONDITION_UNMET": int(not met), "CONTENT_LENGTH_DOWNLOAD_T": 10 if met else -1,
                      "FILETIME_T": WHEN}
    assert bool(t.headers) == met


def test_max_file_size(drive, folder):
    """libcurl 7.88 does not look at it here; later ones do everywhere."""
    assert drive.get(URL=url(folder), MAXFILESIZE=9).code == by_library(63, 0)
    assert drive.get(URL=url(folder), MAXFILESIZE=10).code == 0


def test_size_that_is_none(drive):
    """Files of /proc are larger than they say, files of /sys smaller."""
    t = drive.get(URL="file:///proc/self/status")
    assert t.code == 0 and t.body.startswith(b"Name:")
    if os.path.exists("/sys/class/net/lo/mtu"):
        t = drive.get(URL="file:///sys/class/net/lo/mtu")
        assert (t.code, t.body) == (0, b"65536\n")
    assert drive.get(URL="file:///proc/self/status", RESUME_FROM=5).code == 36
    assert drive.get(URL="file:///dev/zero", RANGE="0-999").body == b"\0" * 1000


def test_write_error(drive, folder, way):
    assert drive.get(way, URL=url(folder), on=[("write", "call", 1, "take", 3)]).code == 23


def test_aborted_by_progress(drive, folder, way):
    (folder / "big").write_bytes(pattern(3_000_000))
    t = drive.get(way, URL=url(folder, "big"), enable=["xferinfo"], on=[("xferinfo", "call", 2, "return", 1)])
    assert t.code == 42


@pytest.mark.parametrize("event", ["write", "header"])
def test_pause(drive, folder, multi_way, event, ours_only):
    ours_only("libcurl 7.88 cannot pause a file")
    (folder / "big").write_bytes(pattern(300_000))
    d = drive(multi_way).easy(URL=url(folder, "big")).on("h", event, "call", 2, "pause")
    d.do("multi", "m").do("add", "m", "h").do("drive", "m", "paused", "h")
    r = d.do("calm", "h").do("pause", "h", PAUSE_CONT).do("drive", "m", "all").run()
    assert (r["h"].code, r["h"].length) == (0, 300_000)


def test_speed_limit(drive, folder, ours_only):
    ours_only("libcurl 7.88 does not limit files")
    (folder / "big").write_bytes(pattern(60_000))
    t = drive.get(URL=url(folder, "big"), MAX_RECV_SPEED_LARGE=40_000, info=("TOTAL_TIME_T",))
    assert (t.code, t.length) == (0, 60_000)
    assert 800_000 < t.info["TOTAL_TIME_T"] < 20_000_000


def test_upload(drive, folder, way):
    (folder / "new").write_bytes(b"something longer was here")
    t = drive.get(way, URL=url(folder, "new"), UPLOAD=1, INFILESIZE=300_000, body=300_000, enable=["xferinfo"],
                  info=("SIZE_UPLOAD_T", "CONTENT_LENGTH_UPLOAD_T", "RESPONSE_CODE"))
    assert (t.code, t.headers) == (0, [])
    assert t.info == {"SIZE_UPLOAD_T": 300_000, "CONTENT_LENGTH_UPLOAD_T": 300_000, "RESPONSE_CODE": 0}
    assert t.progress == (0, 0, 300_000, 300_000)
    assert (folder / "new").read_bytes() == pattern(300_000)


@not_debian("says 0")
def test_length_of_an_upload_that_is_none(drive, folder):
    (folder / "a").write_bytes(TEN)
    t = drive.get(URL=url(folder, "a"), info=("CONTENT_LENGTH_UPLOAD_T", "SIZE_UPLOAD_T"))
    assert t.info == {"CONTENT_LENGTH_UPLOAD_T": -1, "SIZE_UPLOAD_T": 0}


def test_upload_of_unknown_size(drive, folder):
    t = drive.get(URL=url(folder, "new"), UPLOAD=1, body=TEN)
    assert t.code == 0 and (folder / "new").read_bytes() == TEN


@pytest.mark.parametrize("perms", [0o600, 0o444, 0, None])
def test_upload_permissions(drive, folder, perms):
    """Of a file that is made; one that is there keeps its own (CURLOPT_NEW_FILE_PERMS(3))."""
    old = os.umask(0o022)
    try:
        options = {} if perms is None else {"NEW_FILE_PERMS": perms}
        assert drive.get(URL=url(folder, "new"), UPLOAD=1, body=TEN, **options).code == 0
        assert drive.get(URL=url(folder), UPLOAD=1, body=TEN, **options).code == 0
    finally:
        os.umask(old)
    assert (folder / "new").stat().st_mode & 0o777 == (0o644 if perms is None else perms)
    assert (folder / "f.txt").stat().st_mode & 0o777 == 0o644


def test_upload_of_nothing(drive, folder):
    t = drive.get(URL=url(folder, "new"), UPLOAD=1, INFILESIZE=0, body=b"")
    assert t.code == 0 and (folder / "new").read_bytes() == b""


@pytest.mark.parametrize("chunk", [0, 2])
def test_upload_resumed(drive, folder, chunk):
    """The target is appended to; so many bytes of the source are left out."""
    t = drive.get(URL=url(folder), UPLOAD=1, RESUME_FROM=3, body=(b"abcdefghij", chunk),
                  info=("SIZE_UPLOAD_T",))
    assert t.code == 0 and t.info["SIZE_UPLOAD_T"] == 7
    assert (folder / "f.txt").read_bytes() == TEN + b"defghij"


@pytest.mark.parametrize("name,start", [("f.txt", TEN), ("new", b"")])
def test_upload_continued(drive, folder, name, start):
    """-1: where the target ends."""
    t = drive.get(URL=url(folder, name), UPLOAD=1, RESUME_FROM_LARGE=-1, body=b"abcdefghijkl")
    assert t.code == 0
    assert (folder / name).read_bytes() == start + b"abcdefghijkl"[len(start):]


def test_upload_resumed_after_its_end(drive, folder):
    t = drive.get(URL=url(folder), UPLOAD=1, RESUME_FROM=20, body=b"abc")
    assert t.code == 0 and (folder / "f.txt").read_bytes() == TEN


def test_upload_fails(drive, folder, way):
    t = drive.get(way, URL=url(folder, "nodir/x"), UPLOAD=1, body=b"abc")
    assert (t.code, t.error) == (23, by_library("Can't", "Can't", "cannot") + f" open {folder}/nodir/x for writing")
    assert drive.get(way, URL=url(folder, "dir"), UPLOAD=1, body=b"abc").code == 23
    assert drive.get(way, URL="file:///dev/full", UPLOAD=1, body=b"abc").code == 55
    t = drive.get(way, URL=url(folder, "x"), UPLOAD=1, body=b"abc", on=[("read", "call", 1, "return", 0x10000000)])
    assert t.code == 42


def test_upload_paused(drive, folder, multi_way, ours_only):
    ours_only("libcurl 7.88 cannot pause a file")
    d = drive(multi_way).easy(URL=url(folder, "new"), UPLOAD=1).body("h", 100_000, 10_000)
    d.on("h", "read", "call", 3, "pause").do("multi", "m").do("add", "m", "h").do("drive", "m", "paused", "h")
    r = d.do("calm", "h").do("pause", "h", PAUSE_CONT).do("drive", "m", "all").run()
    assert r["h"].code == 0 and (folder / "new").read_bytes() == pattern(100_000)


def test_post_is_a_download(drive, folder):
    assert drive.get(URL=url(folder), POSTFIELDS="abc").body == TEN


def test_no_redirect_to_a_file(drive, folder, server):
    server.answer(response(302, b"", [f"Location: {url(folder)}"]))
    t = drive.get(URL=server.url(), FOLLOWLOCATION=1)
    assert (t.code, t.body) == (1, b"")


def test_redirect_to_a_file_where_allowed(drive, folder, server, way):
    server.answer(response(302, b"", [f"Location: {url(folder)}"]))
    t = drive.get(way, URL=server.url(), FOLLOWLOCATION=1, REDIR_PROTOCOLS_STR="http,file")
    assert (t.code, t.body) == (0, TEN)


def test_protocols(drive, folder):
    assert drive.get(URL=url(folder), PROTOCOLS_STR="http,https").code == 1
    assert drive.get(URL=url(folder), PROTOCOLS_STR="file").code == 0


def test_connect_only(drive, folder):
    t = drive.get(URL=url(folder), CONNECT_ONLY=1)
    assert (t.code, t.body) == (0, b"")


def test_connect_only_opens_the_file(drive, folder):
    """Nothing was looked at, and a file that is not there was a success."""
    assert drive.get(URL=url(folder, "none"), CONNECT_ONLY=1).code == 37
    assert drive.get(URL=url(folder, "none"), CONNECT_ONLY=1, UPLOAD=1).code == 0
    assert not (folder / "none").exists()


def test_removed_in_the_middle(drive, folder, multi_way):
    """No descriptor stays open (the driver counts them at its end)."""
    (folder / "big").write_bytes(pattern(5_000_000))
    d = drive(multi_way).easy(URL=url(folder, "big")).do("multi", "m").do("add", "m", "h")
    d.do("drive", "m", "calls", "h", "write", 3).do("remove", "m", "h").do("cleanup", "h").run()


@pytest.mark.parametrize("kind,codes", [("alloc", {27}), ("read", {37})])
@pytest.mark.parametrize("upload", [0, 1])
def test_faults(drive, folder, kind, codes, upload, ours_only):
    """The N-th call fails: its code, nothing left over, and the same handle works afterwards."""
    ours_only("the point is ours")
    if SANITIZED and kind == "alloc":
        pytest.skip("a sanitizer's runtime replaces malloc itself")
    options = {"URL": url(folder, "new" if upload else "f.txt"), "UPLOAD": upload}
    d = drive(fault=True).do("tolerant", 1)
    for n in range(12):  # round 0 is the warm-up: nothing fails
        d.do("mark", n)
        if n:
            d.do("fault", "arm", kind, n)
        d.easy("h", **options).do("enable", "h", "quiet").body("h", 1000, 100).perform("h").do("fault", "disarm")
        d.do("again", "h").setopt("h", **options).body("h", 1000, 100).perform("h")
        d.do("cleanup", "h").do("mcleanup", "default").do("freelists").do("fault", "live").do("fds")
    fired, last = check(d.run(), codes)
    assert last < 11
    if not SANITIZED:  # its runtime comes between
        assert (fired > 0) == ((kind, upload) != ("read", 1))
