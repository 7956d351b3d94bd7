"""FTP with real servers: some of it with vsftpd in each run, and with MOTE_FTP_SERVERS=all everything with vsftpd,
proftpd and pure-ftpd. What no real server answers is in the tests with scripted servers."""

import os

import pytest

import ftp_servers
from mote_driver import MULTI_WAYS, NEWEST, SYSTEM, WAYS, Driver, crc, pattern
from real_server import only_if
from test_tool_dropin import SUBJECTS, run_tool
from tls_libraries import tls  # noqa: F401 (a fixture: every test here runs with each library)

MB = pattern(1 << 20)
USESSL_ALL = 3
ALL = len(ftp_servers.WANTED) > 1
thorough = only_if(ALL)  # for runs with all servers
MULTICWD, NOCWD, SINGLECWD = 1, 2, 3


@pytest.fixture(scope="session")
def with_ftp(programs):
    """Builds without FTP have nothing to test here."""
    d = Driver(programs).easy(URL="ftp://127.0.0.1:1/").perform()
    if d.run()["h"].code == 1:
        pytest.skip("the library has no FTP")


@pytest.fixture(scope="session", params=ftp_servers.WANTED)
def real(request, tmp_path_factory, certs, with_ftp):
    lacking = ftp_servers.missing(request.param)
    if lacking:
        pytest.skip(lacking)
    server = ftp_servers.start(request.param, tmp_path_factory.mktemp(request.param), certs)
    yield server
    server.close()


@pytest.fixture
def ftpd(real):
    real.empty()
    real.put("12.txt", b"hello world\n")
    return real


@pytest.fixture(params=WAYS if ALL else ["easy", "socket"])
def way(request):
    return request.param


@pytest.fixture(params=MULTI_WAYS if ALL else ["poll"])
def multi_way(request):
    return request.param


# TLS: none, asked for, from the first byte.
@pytest.fixture(params=["plain", "auth", "implicit"] if ALL else ["plain", "auth"])
def security(request, certs, real):
    if request.param == "implicit" and not real.from_the_first:
        pytest.skip(f"{real.name} has no TLS from the first byte")
    if request.param == "plain":
        return False, {}
    if SYSTEM and not NEWEST:
        pytest.skip("libcurl 7.88: a data connection with TLS stalls or is cut now and then")
    return request.param == "implicit", dict(USE_SSL=USESSL_ALL, CAINFO=certs.path("ca.pem"))


def is_safe(t, tls, options):
    """Commands and data of the first transfer went over TLS where it was asked for: the server has said so."""
    said = b"".join(t.headers).lower()
    return not options or (b"private" in said and (tls or b"\n234 " in said))


def test_download(drive, ftpd, security, way):
    ftpd.put("1m.bin", MB)
    tls, options = security
    d = drive(way).easy(URL=ftpd.url("1m.bin", tls), **options).perform()
    d.getinfo("h", "RESPONSE_CODE", "SIZE_DOWNLOAD_T", "CONTENT_LENGTH_DOWNLOAD_T", "FTP_ENTRY_PATH", "NUM_CONNECTS")
    d.setopt("h", URL=ftpd.url("12.txt", tls)).perform().getinfo("h", "NUM_CONNECTS")
    first, second = d.run().all("h")
    assert (first.code, first.length, first.crc) == (0, len(MB), crc(MB)), first
    assert (second.code, second.body) == (0, b"hello world\n"), second
    assert is_safe(first, tls, options), first.headers
    assert (first.info["RESPONSE_CODE"], first.info["SIZE_DOWNLOAD_T"]) == (226, len(MB))
    assert first.info["CONTENT_LENGTH_DOWNLOAD_T"] == len(MB)
    # the second one has a data connection only
    assert (first.info["NUM_CONNECTS"], second.info["NUM_CONNECTS"]) == (2, 1)


def test_upload(drive, ftpd, security, way):
    tls, options = security
    d = drive(way).easy(URL=ftpd.url("new.bin", tls), UPLOAD=1, INFILESIZE_LARGE=len(MB), **options)
    d.body("h", len(MB)).perform().getinfo("h", "SIZE_UPLOAD_T", "RESPONSE_CODE")
    # of unknown length, on the kept connection
    d.setopt("h", URL=ftpd.url("other.bin", tls), INFILESIZE_LARGE=-1).body("h", 100000, 999).perform()
    first, second = d.run().all("h")
    assert (first.code, second.code) == (0, 0), (first, second)
    assert is_safe(first, tls, options), first.headers
    assert first.info == {"SIZE_UPLOAD_T": len(MB), "RESPONSE_CODE": 226}
    assert ftpd.read("new.bin") == MB
    assert ftpd.read("other.bin") == pattern(100000)


@thorough
@pytest.mark.parametrize("epsv", [0, 1])
def test_passive(drive, ftpd, epsv):
    t = drive.get(URL=ftpd.url("12.txt"), FTP_USE_EPSV=epsv)
    assert (t.code, t.body) == (0, b"hello world\n"), t


def test_active(drive, ftpd, security, way):
    """The server connects, for EPRT and for PORT, for a download and for an upload."""
    tls, options = security
    d = drive(way).easy(URL=ftpd.url("12.txt", tls), FTPPORT="-", **options).perform()
    d.setopt("h", URL=ftpd.url("up.bin", tls), FTP_USE_EPRT=0, UPLOAD=1, INFILESIZE_LARGE=300000)
    d.body("h", 300000).perform()
    first, second = d.run().all("h")
    assert (first.code, first.body, second.code) == (0, b"hello world\n", 0), (first, second)
    assert is_safe(first, tls, options), first.headers
    assert not any(line.startswith((b"227", b"229")) for line in first.headers + second.headers)
    assert ftpd.read("up.bin") == pattern(300000)


@thorough
def test_ipv6(drive, ftpd):
    if "::1" not in ftpd.hosts:
        pytest.skip(f"{ftpd.name} listens on IPv4 here")
    d = drive().easy(URL=ftpd.url("12.txt", host="::1")).perform()
    d.setopt("h", FTPPORT="-").perform()
    passive, active = d.run().all("h")
    assert (passive.code, passive.body) == (0, b"hello world\n"), passive
    assert (active.code, active.body) == (0, b"hello world\n"), active


@thorough
def test_append(drive, ftpd):
    d = drive().easy(URL=ftpd.url("12.txt"), UPLOAD=1, APPEND=1, INFILESIZE_LARGE=6).body("h", b"again\n").perform()
    d.setopt("h", URL=ftpd.url("new.txt")).body("h", b"again\n").perform()
    first, second = d.run().all("h")
    assert (first.code, second.code) == (0, 0), (first, second)
    assert ftpd.read("12.txt") == b"hello world\nagain\n"
    assert ftpd.read("new.txt") == b"again\n"


def test_resume(drive, ftpd):
    """A download continues at an offset, an upload there or where the file of the server ends."""
    ftpd.put("part.bin", pattern(500)[:200])
    d = drive().easy(URL=ftpd.url("12.txt"), RESUME_FROM_LARGE=6).perform()
    d.setopt("h", RESUME_FROM_LARGE=12).perform()
    d.setopt("h", RESUME_FROM_LARGE=13).perform()
    d.easy("u", URL=ftpd.url("part.bin"), UPLOAD=1, INFILESIZE_LARGE=500, RESUME_FROM_LARGE=-1)
    d.enable("u", "seek").body("u", 500).perform("u")
    run = d.run()
    inside, end, beyond = run.all("h")
    assert (inside.code, inside.body) == (0, b"world\n"), inside
    assert (end.code, end.body) == (0, b""), end
    assert beyond.code == 36, beyond
    assert run["u"].code == 0, run["u"]
    assert ftpd.read("part.bin") == pattern(500)


@thorough
@pytest.mark.parametrize("wanted,body", [("0-4", b"hello"), ("6-", b"world\n"), ("6-9", b"worl"), ("-3", b"ld\n"),
                                         ("11-11", b"\n")])
def test_range(drive, ftpd, wanted, body):
    """What was left unread must not be in the way of the next file."""
    d = drive().easy(URL=ftpd.url("12.txt"), RANGE=wanted).perform()
    d.setopt("h", RANGE=None).perform()
    part, whole = d.run().all("h")
    assert (part.code, part.body) == (0, body), part
    assert (whole.code, whole.body) == (0, b"hello world\n"), whole


@thorough
def test_range_of_a_large_file(drive, ftpd):
    """The rest of the file stays with the server, which says so."""
    ftpd.put("4m.bin", MB * 4)
    d = drive().easy(URL=ftpd.url("4m.bin"), RANGE="10-20").perform()
    d.setopt("h", URL=ftpd.url("12.txt"), RANGE=None).perform()
    part, whole = d.run().all("h")
    assert (part.code, part.body) == (0, MB[10:21]), part
    assert (whole.code, whole.body) == (0, b"hello world\n"), whole


def listed(body):
    """The names of an NLST; one server has a path before each, one the folder and its parent."""
    assert b"\r" not in body
    return sorted(name for name in (line.split(b"/")[-1] for line in body.split(b"\n")) if name.strip(b"."))


def test_listings(drive, ftpd, security):
    ftpd.put("dir/a b", b"x")
    tls, options = security
    d = drive().easy(URL=ftpd.url("", tls), **options).perform()
    d.setopt("h", DIRLISTONLY=1).perform()
    d.setopt("h", URL=ftpd.url("dir/", tls)).perform()
    d.setopt("h", DIRLISTONLY=0, URL=ftpd.url("", tls), CUSTOMREQUEST="MLSD").perform()
    whole, names, inside, facts = d.run().all("h")
    assert whole.code == 0, whole
    lines = sorted(line for line in whole.body.split(b"\n") if line)  # as local text: CR LF has become LF
    assert [(line[:1], line.split()[-1]) for line in lines] == [(b"-", b"12.txt"), (b"d", b"dir")]
    assert (names.code, listed(names.body)) == (0, [b"12.txt", b"dir"])
    assert (inside.code, listed(inside.body)) == (0, [b"a b"])
    if ftpd.facts:
        assert facts.code == 0 and b"type=dir;" in facts.body.lower(), facts


def test_quote(drive, ftpd):
    """Commands before the login's end, before the transfer, after it; one that fails, and one that may."""
    d = drive().easy(URL=ftpd.url("12.txt"), QUOTE=["MKD q", "*RMD none"], PREQUOTE=["MKD p"],
                     POSTQUOTE=["RNFR q", "RNTO r"]).perform()
    d.setopt("h", QUOTE=["RMD none"], PREQUOTE=None, POSTQUOTE=None).perform()
    d.setopt("h", QUOTE=None, POSTQUOTE=["RMD none"]).perform()
    good, before, after = d.run().all("h")
    assert (good.code, good.body) == (0, b"hello world\n"), good
    assert (before.code, after.code) == (21, 21), (before, after)
    assert ftpd.exists("p") and ftpd.exists("r") and not ftpd.exists("q")


@thorough
def test_pattern(drive, ftpd, security):
    """Their listings are understood (CURLOPT_WILDCARDMATCH)."""
    for name in ("a 1.txt", "b.txt", "c.bin", "d.txt/x"):
        ftpd.put("dir/" + name, b"it is " + name.encode() + b"\n")
    tls, options = security
    d = drive().easy(URL=ftpd.url("dir/*.txt", tls), WILDCARDMATCH=1, **options).enable("h", "chunkbgn").perform()
    d.setopt("h", URL=ftpd.url("12.txt", tls)).perform()
    run = d.run()
    every, one = run.all("h")
    assert every.code == 0 and sorted(every.body.splitlines()) == [b"it is a 1.txt", b"it is b.txt"], every
    assert sorted(f[1] for f in run.of("chunkbgn", "h"))[-3:] == ["a 1.txt", "b.txt", "d.txt"]
    assert (one.code, one.body) == (0, b"hello world\n"), one


@thorough
def test_delete(drive, ftpd):
    d = drive().easy(URL=ftpd.url(""), NOBODY=1, QUOTE=["DELE 12.txt"]).perform()
    assert d.run()["h"].code == 0
    assert not ftpd.exists("12.txt")


@thorough
@pytest.mark.parametrize("method", [MULTICWD, NOCWD, SINGLECWD])
def test_file_methods(drive, ftpd, method, security):
    """A kept connection is in another folder each time."""
    ftpd.put("a/b/c.txt", b"deep\n")
    tls, options = security
    d = drive().easy(URL=ftpd.url("a/b/c.txt", tls), FTP_FILEMETHOD=method, **options).perform()
    d.setopt("h", URL=ftpd.url("12.txt", tls)).perform()
    d.setopt("h", URL=ftpd.url("a/b/", tls), DIRLISTONLY=1).perform()
    run = d.run()
    deep, top, names = run.all("h")
    assert (deep.code, deep.body) == (0, b"deep\n"), deep
    assert (top.code, top.body) == (0, b"hello world\n"), top
    assert (names.code, listed(names.body)) == (0, [b"c.txt"]), names


@thorough
@pytest.mark.parametrize("method,code", [(MULTICWD, 0), (SINGLECWD, 9)])
def test_missing_folders(drive, ftpd, method, code, security):
    """Each is made where each is entered."""
    tls, options = security
    d = drive().easy(URL=ftpd.url("n/o/new.txt", tls), FTP_FILEMETHOD=method, UPLOAD=1, INFILESIZE_LARGE=3, **options)
    d.body("h", b"new").perform()
    d.setopt("h", FTP_CREATE_MISSING_DIRS=1).body("h", b"new").perform()
    d.setopt("h", URL=ftpd.url("one/new.txt", tls)).body("h", b"new").perform()
    refused, two, one = d.run().all("h")
    assert (refused.code, two.code, one.code) == (9, code, 0), (refused, two, one)
    assert ftpd.read("one/new.txt") == b"new"
    assert code or ftpd.read("n/o/new.txt") == b"new"


@thorough
def test_absolute_path(drive, ftpd):
    """%2F at the beginning of a path: the server's root."""
    ftpd.put("a/c.txt", b"deep\n")
    top = ftpd.root if ftpd.name != "pure-ftpd" else ""
    d = drive().easy(URL=ftpd.url("%2F" + f"{top}/a/c.txt"[1:])).perform().getinfo("h", "FTP_ENTRY_PATH")
    t = d.run()["h"]
    assert (t.code, t.body) == (0, b"deep\n"), t
    assert str(t.info["FTP_ENTRY_PATH"]) == (top or "/")


@thorough
def test_names(drive, ftpd):
    """What a URL must escape, and what a reply quotes."""
    ftpd.put('a "b"/c #?%41;.txt', b"odd\n")
    d = drive().easy(URL=ftpd.url('a%20%22b%22/c%20%23%3F%2541%3B.txt')).perform()
    d.setopt("h", URL=ftpd.url("12.txt")).perform()
    odd, top = d.run().all("h")
    assert (odd.code, odd.body) == (0, b"odd\n"), odd
    assert (top.code, top.body) == (0, b"hello world\n"), top


@thorough
def test_no_body(drive, ftpd):
    """SIZE and MDTM, as lines of the body and as infos."""
    os.utime(os.path.join(ftpd.root, "12.txt"), (1234567890, 1234567890))
    d = drive().easy(URL=ftpd.url("12.txt"), NOBODY=1, FILETIME=1).perform()
    d.getinfo("h", "CONTENT_LENGTH_DOWNLOAD_T", "FILETIME_T")
    t = d.run()["h"]
    lines = b"Last-Modified: Fri, 13 Feb 2009 23:31:30 GMT\r\nContent-Length: 12\r\nAccept-ranges: bytes\r\n"
    assert (t.code, t.body) == (0, lines), t
    assert t.info == {"CONTENT_LENGTH_DOWNLOAD_T": 12, "FILETIME_T": 1234567890}


@thorough
@pytest.mark.parametrize("condition,value,comes", [(1, 1234567889, True), (1, 1234567891, False),
                                                   (2, 1234567889, False), (2, 1234567891, True)])
def test_time_condition(drive, ftpd, condition, value, comes):
    os.utime(os.path.join(ftpd.root, "12.txt"), (1234567890, 1234567890))
    t = drive.get(URL=ftpd.url("12.txt"), TIMECONDITION=condition, TIMEVALUE_LARGE=value, info=("CONDITION_UNMET",))
    assert (t.code, t.body, t.info["CONDITION_UNMET"]) == (0, b"hello world\n" if comes else b"", not comes), t


@thorough
def test_text(drive, ftpd):
    """Type A: line ends on the wire are CR LF, and LF where the text arrives."""
    d = drive().easy(URL=ftpd.url("12.txt"), TRANSFERTEXT=1).perform()
    d.setopt("h", URL=ftpd.url("up.txt"), UPLOAD=1, INFILESIZE_LARGE=-1).body("h", b"one\r\ntwo\r\n").perform()
    d.setopt("h", CRLF=1, URL=ftpd.url("crlf.txt")).body("h", b"one\ntwo\n").perform()
    down, up, crlf = d.run().all("h")
    assert (down.code, down.body) == (0, b"hello world\n"), down
    assert (up.code, crlf.code) == (0, 0), (up, crlf)
    assert ftpd.read("up.txt") == ftpd.read("crlf.txt") == b"one\ntwo\n"


@thorough
def test_failures(drive, ftpd, security):
    """Each leaves a handle and a connection that work."""
    tls, options = security
    d = drive().easy(URL=ftpd.url("none.txt", tls), **options).perform().getinfo("h", "RESPONSE_CODE")
    d.setopt("h", URL=ftpd.url("none/12.txt", tls)).perform().getinfo("h", "RESPONSE_CODE")
    d.setopt("h", URL=ftpd.url("12.txt/", tls)).perform()
    d.setopt("h", URL=ftpd.url("12.txt", tls)).perform().getinfo("h", "NUM_CONNECTS")
    d.easy("p", URL=ftpd.url("12.txt", tls).replace(":secret@", ":wrong@"), **options).perform("p")
    d.getinfo("p", "RESPONSE_CODE")
    run = d.run()
    no_file, no_folder, no_list, good = run.all("h")
    assert (no_file.code, no_file.info["RESPONSE_CODE"]) == (78, 550), no_file
    assert (no_folder.code, no_folder.info["RESPONSE_CODE"]) == (9, 550), no_folder
    assert no_list.code == 9, no_list
    assert (good.code, good.body) == (0, b"hello world\n"), good
    assert (run["p"].code, run["p"].info["RESPONSE_CODE"]) == (67, 530), run["p"]


@thorough
def test_tls_is_checked(drive, ftpd, certs):
    """A CA that is not the server's: nothing of the login is sent."""
    for tls in (False, True)[:1 + ftpd.from_the_first]:
        t = drive.get(URL=ftpd.url("12.txt", tls), USE_SSL=USESSL_ALL, CAINFO=certs.path("ca2.pem"))
        assert (t.code, t.body) == (60, b""), t


def test_certificates_are_asked_for(drive, ftpd, certs):
    """curl's -w does. A server may want the control connection's session all the same."""
    d = drive().easy(URL=ftpd.url("12.txt"), USE_SSL=USESSL_ALL, CAINFO=certs.path("ca.pem"), CERTINFO=1).perform().perform()
    assert [(t.code, t.body) for t in d.run().all("h")] == [(0, b"hello world\n")] * 2


def test_data_connections_have_the_session_of_their_own_control_connection(drive, ftpd, certs):
    """vsftpd and proftpd refuse any other, and among transfers that begin at once there are others."""
    names = [f"h{number}" for number in range(4)]
    d = drive("poll")
    for name in names:
        d.easy(name, URL=ftpd.url("12.txt"), USE_SSL=USESSL_ALL, CAINFO=certs.path("ca.pem"))
    run = d.perform(*names).perform(*names).run()
    assert [(t.code, t.body) for name in names for t in run.all(name)] == [(0, b"hello world\n")] * 8


@thorough
def test_clear_data_connection(drive, ftpd, certs):
    """CURLUSESSL_CONTROL protects the commands alone; then CCC takes TLS off them."""
    options = dict(USE_SSL=2, CAINFO=certs.path("ca.pem"))
    for more in ({}, dict(FTP_SSL_CCC=1), dict(FTP_SSL_CCC=2)):
        if not more or ftpd.name != "pure-ftpd":  # that one ends TLS in silence
            t = drive.get(URL=ftpd.url("12.txt"), **options, **more)
            assert (t.code, t.body) == (0, b"hello world\n"), (more, t)


@thorough
def test_several_at_once(drive, ftpd, security, multi_way):
    """Transfers of one multi have a connection each, and keep it."""
    tls, options = security
    for number in range(4):
        ftpd.put(f"{number}.bin", pattern(200000 + number))
    d = drive(multi_way)
    names = [f"h{number}" for number in range(4)]
    for number, name in enumerate(names):
        d.easy(name, URL=ftpd.url(f"{number}.bin", tls), **options)
    d.perform(*names).perform(*names)
    run = d.run()
    for number, name in enumerate(names):
        for t in run.all(name):
            assert (t.code, t.length, t.crc) == (0, 200000 + number, crc(pattern(200000 + number))), t


@thorough
def test_paused(drive, ftpd, security, multi_way):
    ftpd.put("1m.bin", MB)
    tls, options = security
    d = drive(multi_way).easy(URL=ftpd.url("1m.bin", tls), **options)
    d.on("h", "write", "call", 3, "pause")
    d.do("multi", "m", multi_way).do("add", "m", "h").do("drive", "m", "paused", "h").do("pause", "h", 0)
    d.do("drive", "m", "all").do("remove", "m", "h").do("mcleanup", "m")
    t = d.run()["h"]
    assert (t.code, t.length, t.crc) == (0, len(MB), crc(MB)), t


@thorough
def test_removed_in_the_middle(drive, ftpd, security, multi_way):
    """Both connections end with the transfer; the handle works on."""
    ftpd.put("4m.bin", MB * 4)
    tls, options = security
    d = drive(multi_way).easy(URL=ftpd.url("4m.bin", tls), **options)
    d.do("multi", "m", multi_way).do("add", "m", "h").do("drive", "m", "bytes", "h", "write", 1000)
    d.do("remove", "m", "h").setopt("h", URL=ftpd.url("12.txt", tls)).do("add", "m", "h").do("drive", "m", "all")
    d.do("remove", "m", "h").do("mcleanup", "m")
    t = d.run()["h"]
    assert t.code == 0 and t.body.endswith(b"hello world\n"), t


CURL = [("12.txt",), ("12.txt", "-r", "2-5"), ("12.txt", "-r", "-4"), ("12.txt", "-C", "6"), ("12.txt", "-I"), ("none.txt",),
        ("none/", "-l"), ("", "-l"), ("12.txt", "-P", "-"), ("12.txt", "--disable-epsv"), ("12.txt", "-z", "20400101"),
        ("a/b/new.txt", "-T", "file", "--ftp-create-dirs"), ("a/b/new.txt", "-T", "file", "-a"),
        ("a/b/new.txt", "-T", "file", "-C", "3"),
        ("a/b/new.txt", "--ftp-method", "nocwd"), ("a/[b-c]/new.txt",), ("-.txt", "-T", "-", "--crlf"),
        ("", "-l", "-Q", "RNFR 12.txt", "-Q", "RNTO 13.txt", "-Q", "-DELE 13.txt"), ("", "-l", "-Q", "DELE 13.txt"),
        ("", "-l", "-Q", "*DELE 13.txt"), ("-.txt", "-B")]


@thorough
@pytest.mark.parametrize("subject", SUBJECTS)
def test_curl_and_our_command(ftpd, security, certs, tmp_path, subject):
    """Debian's curl on our library, and our command, read, write and command as Debian's curl does, which waits for ever
    with active mode over TLS and vsftpd."""
    asked = [words for words in CURL if not security[1] or "-P" not in words]
    (tmp_path / "file").write_bytes(b"one\ntwo\n")
    common = ["-w", " %{size_download} %{size_upload}\n"]
    common += ["--ssl-reqd", "--cacert", certs.path("ca.pem")] if security[1] else []
    ends = []
    for who in ("reference", subject):
        ftpd.empty()
        ftpd.put("12.txt", b"hello world\n")
        os.utime(os.path.join(ftpd.root, "12.txt"), (1700000000, 1700000000))
        runs = [run_tool(who, [ftpd.url(path, security[0]), *options, *common], tmp_path, stdin=b"a\nb\n")
                for path, *options in asked]
        ends.append([(r.returncode, r.stdout) for r in runs] + [ftpd.read(name) for name in ("a/b/new.txt", "-.txt")])
    assert ends[0] == ends[1]
    assert [code for code, _ in ends[0][:len(asked)]].count(0) >= len(asked) - 6
