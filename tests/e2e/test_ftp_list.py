"""Downloads of all files that match a pattern (CURLOPT_WILDCARDMATCH), against scripted FTP servers."""

import socket

import pytest

from command_server import Command
from ftp_server import OPEN, QUIT, Active, Give, Passive, accept, login
from mote_driver import SANITIZED, by_library, not_debian
from script import ScriptServer, Step, UntilClose
from test_faults import check

PLAIN, DIRECTORY, LINK = 0, 1, 2
PERM, SIZE, LINKS = 1 << 3, 1 << 6, 1 << 7
EVENTS = ("chunkbgn", "chunkend")


@pytest.fixture
def ftp(make_server):
    return make_server(cls=ScriptServer)


def url(server, path="*"):
    return f"ftp://{server.authority}/{path}"


def line(name, size=5, kind="-"):
    return f"{kind}rw-r--r--   1 u        g            {size} Jan  1  2010 {name}\r\n".encode("latin-1")


def listing(data, first=True, command="LIST", last="226 done"):
    return [Passive(), *[Command("TYPE A", "200 text")] * first, Command(command, "150 list"), Give(data, last)]


def file(name, data=b"data!", first=False):
    return [Passive(), *[Command("TYPE I", "200 binary")] * first, Command(f"RETR {name}", "150 file"), Give(data)]


def begun(run):
    """(remaining, name) of each file."""
    return [(f[0], f[1]) for f in run.of("chunkbgn", "h")]


def seen(run):
    """In which order the application got beginnings and ends."""
    return [f[0][5:] for f in run.lines if f[0] in EVENTS]


def test_files_of_a_pattern(drive, ftp, way):
    """One transfer. The application does not get the listing."""
    ftp.script(*login(), Command("CWD dir", "250 ok"),
               *listing(line("a b") + line("no", 7) + line("c.txt", 7) + line("d", kind="d") + line("d.txt")),
               *file("c.txt", b"seven77", True), *file("d.txt"), QUIT)
    d = drive(way).easy(URL=url(ftp, "dir/*.txt"), WILDCARDMATCH=1).enable("h", *EVENTS).perform()
    run = d.run()
    t = run["h"]
    assert (t.code, t.body) == (0, b"seven77data!"), t
    assert begun(run) == [(2, "c.txt"), (1, "d.txt")]
    assert seen(run) == ["bgn", "end"] * 2


@not_debian("what is no link has a target that was never set")
def test_what_is_known(drive, ftp):
    """Nothing but plain files is downloaded."""
    ftp.script(*login(), *listing(b"lrwxrwxrwx 1 user group 3 Mar 4 05:06 link -> to here\r\n"
                                  b"drwxr-x--T 2 0 0 4096 Feb  3 12:34 dir\r\n"), QUIT)
    run = drive().easy(URL=url(ftp), WILDCARDMATCH=1).enable("h", *EVENTS).perform().run()
    assert run["h"].code == 0, run["h"]
    assert run.of("chunkbgn", "h") == [
        [2, "link", LINK, 0o777, 3, 1, PERM | SIZE | LINKS, "Mar 4 05:06", "rwxrwxrwx", "user", "group", "to here"],
        [1, "dir", DIRECTORY, 0o1750, 4096, 2, PERM | SIZE | LINKS, "Feb  3 12:34", "rwxr-x--T", 0, 0, "NULL"]]
    assert seen(run) == ["bgn", "end"] * 2


def test_listing_of_windows(drive, ftp):
    ftp.script(*login(), *listing(b"01-02-10  05:06PM       <DIR>          a dir\r\n"
                                  b"01-02-10  05:06AM                    5 a file\r\n"), *file("a file", first=True),
               QUIT)
    run = drive().easy(URL=url(ftp), WILDCARDMATCH=1).enable("h", *EVENTS).perform().run()
    assert (run["h"].code, run["h"].body) == (0, b"data!"), run["h"]
    assert [f[1:6] for f in run.of("chunkbgn", "h")] == [["a dir", DIRECTORY, 0, 0, 0], ["a file", PLAIN, 0, 5, 0]]


def test_facts(drive, ftp, ours_only):
    ours_only("libcurl reads no MLSD")
    ftp.script(*login(), *listing(b"type=cdir;unique=1; .\r\ntype=file;size=5;UNIX.mode=0600; a b\r\n", command="MLSD"),
               *file("a b", first=True), QUIT)
    run = drive().easy(URL=url(ftp), WILDCARDMATCH=1, CUSTOMREQUEST="MLSD").enable("h", *EVENTS).perform().run()
    assert (run["h"].code, run["h"].body) == (0, b"data!"), run["h"]
    assert [f[1:5] for f in run.of("chunkbgn", "h")] == [[".", DIRECTORY, 0, 0], ["a b", PLAIN, 0o600, 5]]


def test_line_of_blocks(drive, ftp):
    """libcurl 8.23 refuses a listing that begins with it, as ls writes it."""
    read = [*file("a", first=True), QUIT]
    ftp.script(*login(), *listing(b"total 8\r\n" + line("a")), *by_library(read, read, [UntilClose()]))
    t = drive.get(URL=url(ftp), WILDCARDMATCH=1)
    assert t.code == by_library(0, 0, 87), t


def test_skipped(drive, ftp):
    ftp.script(*login(), *listing(line("a") + line("b")), *file("b", first=True), QUIT)
    d = drive().easy(URL=url(ftp), WILDCARDMATCH=1).enable("h", *EVENTS)
    run = d.on("h", "chunkbgn", "call", 1, "return", 2).perform().run()
    assert (run["h"].code, run["h"].body) == (0, b"data!"), run["h"]
    assert seen(run) == ["bgn", "end"] * 2


def test_application_stops(drive, ftp, multi_way):
    """At the beginning of a file. The connection may be used again."""
    ftp.script(*login(), *listing(line("a") + line("b")), *by_library([QUIT], [UntilClose()], [UntilClose()]))
    d = drive(multi_way).easy(URL=url(ftp), WILDCARDMATCH=1).enable("h", *EVENTS)
    run = d.on("h", "chunkbgn", "call", 1, "return", 1).perform().run()
    assert (run["h"].code, run["h"].body) == (88, b""), run["h"]
    assert seen(run) == ["bgn"]


def test_application_stops_after_a_file(drive, ftp):
    """CURLOPT_CHUNK_END_FUNCTION(3) has it so; libcurl does not look at what the callback returns."""
    more = by_library([], file("b"), file("b"))
    ftp.script(*login(), *listing(line("a") + line("b")), *file("a", first=True), *more, QUIT)
    d = drive().easy(URL=url(ftp), WILDCARDMATCH=1).enable("h", *EVENTS)
    run = d.on("h", "chunkend", "call", 1, "return", 1).perform().run()
    assert run["h"].code == by_library(88, 0, 0), run["h"]
    assert seen(run) == by_library(["bgn", "end"], ["bgn", "end"] * 2, ["bgn", "end"] * 2)


def test_pattern_of_the_application(drive, ftp):
    """What it returns besides a match is none. The pattern is as the URL has it."""
    ftp.script(*login(), *listing(line("a") + line("b") + line("c")), *file("b", first=True), QUIT)
    d = drive().easy(URL=url(ftp, "%61[*"), WILDCARDMATCH=1).enable("h", *EVENTS, "fnmatch")
    run = d.on("h", "fnmatch", "call", 1, "return", 1).on("h", "fnmatch", "call", 3, "return", 2).perform().run()
    assert (run["h"].code, run["h"].body) == (0, b"data!"), run["h"]
    assert run.of("fnmatch", "h") == [["%61[*", "a"], ["%61[*", "b"], ["%61[*", "c"]]
    assert begun(run) == [(1, "b")]


@pytest.mark.parametrize("data,path", [(line("a"), "b*"), (b"", "*"), pytest.param(
    line("a/b") + line("../c") + line("/d"), "*", marks=not_debian("it is asked for"))])
def test_no_match(drive, ftp, data, path):
    """A name with a slash is no file of the directory."""
    ftp.script(*login(), *listing(data), QUIT)
    run = drive().easy(URL=url(ftp, path), WILDCARDMATCH=1).enable("h", *EVENTS).perform().run()
    assert (run["h"].code, run["h"].body, begun(run)) == (78, b"", []), run["h"]


@pytest.mark.parametrize("data", [b"what is this\r\n", line("a") + b"\r\n", line("a") + b"01-02-10  05:06PM 5 a\r\n",
                                  line("a\rb"), pytest.param(line("x" * 20000), marks=not_debian("the transfer never ends"))])
def test_bad_listing(drive, ftp, data):
    ftp.script(*login(), *listing(data), UntilClose())
    t = drive.get(URL=url(ftp), WILDCARDMATCH=1)
    assert t.code == (by_library(87, None, 27) if len(data) > 10000 else 87), t


def test_unfinished_line(drive, ftp):
    """A name that may go on is none."""
    ftp.script(*login(), *listing(line("a") + line("abc")[:-3]), *file("a", first=True), QUIT)
    run = drive().easy(URL=url(ftp), WILDCARDMATCH=1).enable("h", *EVENTS).perform().run()
    assert (run["h"].code, run["h"].body, begun(run)) == (0, b"data!", [(1, "a")]), run["h"]


@not_debian("they are decoded")
def test_names_are_literal(drive, ftp):
    """Nothing is decoded in a name of the listing, nor taken for a type."""
    names = ["c%41", ";type=a", "a  b"]
    ftp.script(*login(), *listing(b"".join(map(line, names))), *file(names[0], first=True), *file(names[1]),
               *file(names[2]), QUIT)
    run = drive().easy(URL=url(ftp), WILDCARDMATCH=1).enable("h", *EVENTS).perform().run()
    assert (run["h"].code, run["h"].body) == (0, b"data!" * 3), run["h"]


def test_long_list(drive, ftp, multi_way):
    """More than a buffer holds, in pieces that end within lines."""
    names = [f"file-{number:05}" for number in range(3000)]
    ftp.script(*login(), *listing(b"".join(map(line, names))), *file(names[7], first=True), QUIT)
    d = drive(multi_way).easy(URL=url(ftp, "*0[0]007"), WILDCARDMATCH=1, BUFFERSIZE=1024)
    run = d.enable("h", *EVENTS).perform().run()
    assert (run["h"].code, run["h"].body, begun(run)) == (0, b"data!", [(1, names[7])]), run["h"]


def test_paused_file(drive, ftp, multi_way):
    """Its end is reported when the application has all of it."""
    ftp.script(*login(), *listing(line("a") + line("b")), *file("a", first=True), *file("b"), QUIT)
    d = drive(multi_way).easy(URL=url(ftp), WILDCARDMATCH=1).enable("h", *EVENTS)
    d.on("h", "write", "call", 1, "pause")
    d.do("multi", "m", multi_way).do("add", "m", "h").do("drive", "m", "paused", "h").do("mark", "paused")
    d.do("pause", "h", 0).do("drive", "m", "all").do("remove", "m", "h").do("mcleanup", "m")
    run = d.run()
    assert (run["h"].code, run["h"].body) == (0, b"data!" * 2), run["h"]
    kinds = [f[0] for f in run.lines if f[0] in ("chunkbgn", "chunkend", "mark")]
    assert kinds == ["chunkbgn", "mark", "chunkend", "chunkbgn", "chunkend"]


def test_file_that_fails(drive, ftp):
    """It ends the transfer. Its end is reported, those of the rest are not."""
    ftp.script(*login(), *listing(line("a") + line("b") + line("c")), *file("a", first=True), Passive(),
               Command("RETR b", "550 no"), *by_library([QUIT], [QUIT], [UntilClose()]))
    run = drive().easy(URL=url(ftp), WILDCARDMATCH=1).enable("h", *EVENTS).perform().run()
    assert (run["h"].code, run["h"].body) == (78, b"data!"), run["h"]
    assert seen(run) == ["bgn", "end"] * 2


def test_shorter_than_listed(drive, ftp):
    ftp.script(*login(), *listing(line("a", 9)), *file("a", first=True), UntilClose())
    run = drive().easy(URL=url(ftp), WILDCARDMATCH=1).enable("h", *EVENTS).perform().run()
    assert (run["h"].code, run["h"].body) == (18, b"data!"), run["h"]


@not_debian("CURLOPT_PREQUOTE is not for a list")
def test_resume_and_commands(drive, ftp):
    """They are for each file, commands also for the listing."""
    quote = [Command("NOOP q", "200 ok")], [Command("NOOP pre", "200 ok")], [Command("NOOP post", "200 ok")]
    first, second = listing(line("a")), file("a", b"ta!", True)
    last = by_library([], quote[2], quote[2])  # libcurl: again at the end
    ftp.script(*login(), *quote[0], *first[:2], *quote[1], *first[2:], *quote[2],
               *quote[0], *second[:2], *quote[1], Command("REST 2", "350 ok"), *second[2:], *quote[2], *last, QUIT)
    t = drive.get(URL=url(ftp), WILDCARDMATCH=1, RESUME_FROM=2, QUOTE=["NOOP q"], PREQUOTE=["NOOP pre"],
                  POSTQUOTE=["NOOP post"])
    assert (t.code, t.body) == (0, b"ta!"), t


@pytest.mark.parametrize("active", [False, True])
def test_resume_after_a_file_that_is_whole_already(drive, ftp, active):
    """The data connection of a file that has nothing left must not be left to that of the next one."""
    options = {"FTPPORT": "-"} if active else {}
    begin, unused = ([Active()], [Active()]) if active else ([Passive()], [Passive(), OPEN])
    names = line("a") + line("b") + line("c", 7)
    ftp.script(*login(), *begin, *listing(names)[1:], *unused, Command("TYPE I", "200 binary"), *unused, *begin,
               Command("REST 5", "350 ok"), Command("RETR c", "150 file"), Give(b"77"), QUIT)
    t = drive.get(URL=url(ftp), WILDCARDMATCH=1, RESUME_FROM=5, **options)
    assert (t.code, t.body) == (0, b"77"), t


def test_no_pattern(drive, ftp):
    """A directory is listed for the application."""
    ftp.script(*login(), *listing(line("a")), QUIT)
    run = drive().easy(URL=url(ftp, ""), WILDCARDMATCH=1).enable("h", *EVENTS).perform().run()
    assert (run["h"].code, run["h"].body, begun(run)) == (0, line("a").replace(b"\r", b""), []), run["h"]


def test_kept_connection(drive, ftp):
    """After a pattern comes another one, in another directory, and a file."""
    ftp.script(*login(), Command("CWD x", "250 ok"), *listing(line("a")), *file("a", first=True),
               Command("CWD /", "250 ok"), Command("CWD y", "250 ok"), *listing(line("b")), *file("b", first=True),
               QUIT)
    d = drive().easy(URL=url(ftp, "x/*"), WILDCARDMATCH=1).perform()
    d.setopt("h", URL=url(ftp, "y/?")).setopt("h", URL=url(ftp, "y/[b]")).perform()
    for t in d.run().all("h"):
        assert (t.code, t.body) == (0, b"data!"), t


def test_removed_in_a_file(drive, ftp, multi_way):
    """Nothing is left of the list, and the application hears of the end of the file that it was in."""
    ftp.script(*login(), *listing(line("a") + line("b")), UntilClose())
    d = drive(multi_way).easy(URL=url(ftp), WILDCARDMATCH=1).enable("h", *EVENTS)
    d.do("multi", "m", multi_way).do("add", "m", "h").do("drive", "m", "calls", "h", "chunkbgn", 1)
    d.do("remove", "m", "h").do("mcleanup", "m")
    run = d.run()
    assert begun(run) == [(2, "a")] and seen(run) == ["bgn", "end"]


@pytest.mark.parametrize("options,code", [(dict(UPLOAD=1, INFILESIZE=1), 3), (dict(NOBODY=1), 78)])
def test_what_does_not_fit(drive, ftp, options, code):
    ftp.script(*login(), *by_library([UntilClose()], [QUIT] if code == 78 else [UntilClose()]))
    t = drive.get(URL=url(ftp), WILDCARDMATCH=1, body=b"x", **options)
    assert t.code == code, t


ANSWERS = {"USER": b"331 password\r\n", "PASS": b"230 welcome\r\n", "PWD": b'257 "/"\r\n'}


class ServeFtp(Step):
    """Answers each command, until the client leaves: a listing of two files, and the files."""

    may_be_left = True

    def run(self, peer):
        peer.send(b"220 hello\r\n")
        while True:
            word = peer.until(b"\r\n").split()[0].decode()
            if word == "EPSV":
                peer.listener = socket.socket()
                peer.listener.bind(("127.0.0.1", 0))
                peer.listener.listen(1)
                peer.listener.settimeout(10)
                peer.send(b"229 ok (|||%d|)\r\n" % peer.listener.getsockname()[1])
            elif word in ("LIST", "RETR"):
                peer.send(b"150 here\r\n")
                with accept(peer) as data:
                    try:
                        data.sendall(line("a") + line("b") + line("no") if word == "LIST" else b"data!")
                    except OSError:
                        pass
                peer.send(b"226 done\r\n")
            else:
                peer.send(ANSWERS.get(word, b"200 ok\r\n"))


@pytest.mark.skipif(bool(SANITIZED), reason="a sanitizer's runtime replaces malloc itself")
def test_failing_allocations(drive, ftp, ours_only):
    """Each gives its code, and nothing is left of the list."""
    ours_only("libcurl ends in other ways")
    ftp.default(ServeFtp())
    options = dict(URL=url(ftp, "?"), WILDCARDMATCH=1, TIMEOUT=10)
    d = drive(fault=True, seconds=120).do("tolerant", 1)
    for n in range(41):
        d.do("mark", n)
        if n:
            d.do("fault", "arm", "alloc", n)
        d.easy("h", **options).enable("h", *EVENTS, "quiet").perform("h").do("fault", "disarm")
        d.do("again", "h").setopt("h", **options).perform("h")
        d.do("cleanup", "h").do("freelists").do("fault", "live").do("fds")
    fired, _ = check(d.run(), {27})
    assert fired >= 8
