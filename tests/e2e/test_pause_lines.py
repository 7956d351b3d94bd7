"""Pauses within lines that cannot be read again: long ones, and those that the write and the header callback get."""

import pytest

import ftp_server
import test_rtsp as rtsp
import ws_peer
from command_server import Command
from ftp_server import login
from h2_peer import CONTINUATION, DATA, END_HEADERS, END_STREAM, block, frame, head, part, status
from mail_peer import dialogue
from mote_driver import PAUSE_RECV, SANITIZED, crc, not_debian
from script import ScriptServer, Send, UntilClose
from server import Expect, Serve, response
from test_imap import Talk, url as imap_url
from test_smtp import QUIT, greet, url as smtp_url

pytestmark = not_debian("it fails at such a pause")
LONG = b"X: " + b"".join(b"%06d " % i for i in range(6500)) + b"\r\n"  # 45 KB, three pieces of the write callback
LINES = [b"HTTP/1.1 200 OK\r\n", LONG, b"Content-Length: 5\r\n", b"\r\n"]
HEAD = b"".join(LINES)
CURLM_RECURSIVE = 8
NO_HEADERS = {"HEADERFUNCTION": None, "HEADERDATA": None}
FOUND = b"* SEARCH" + b"".join(b" %05d" % i for i in range(10_000)) + b"\r\n"  # 60 KB; libcurl takes 64 KB
LISTED = [b'* LIST () "/" %s\r\n' % name for name in (b"a", b"b", b"c")]


def going_on(drive, way, pauses, **options):
    """A transfer that continues after each pause of its callbacks."""
    d = drive(way).easy(**options).enable("h", "xferinfo").on("h", "xferinfo", "every", 1, "unpause", "h")
    for event, call, *action in pauses:
        d.on("h", event, "call", call, *(action or ("pause",)))
    return d


def refuses(event, calls):
    """The callback refuses each piece when it gets it for the first time."""
    return [(event, 2 * n + 1) for n in range(calls)]


@pytest.mark.parametrize("headers", [True, False])
@pytest.mark.parametrize("call", [2, 3, 4])
def test_long_header_line_that_is_paused(drive, server, way, call, headers):
    """What followed the refused piece of the line was lost, without an error."""
    server.answer(HEAD + b"hello")
    d = going_on(drive, way, [("write", call)], URL=server.url(), HEADER=1, **({} if headers else NO_HEADERS))
    t = d.perform().run()["h"]
    assert (t.code, t.length, t.body) == (0, len(HEAD) + 5, HEAD + b"hello")
    assert b"".join(t.headers) == (HEAD if headers else b"")


@pytest.mark.parametrize("call", [2, 3, 4])
def test_long_header_line_in_which_the_transfer_is_paused(drive, server, way, call):
    """The callback takes the piece and calls curl_easy_pause."""
    server.answer(HEAD + b"hello")
    d = going_on(drive, way, [("write", call, "call_pause", PAUSE_RECV)], URL=server.url(), HEADER=1)
    t = d.perform().run()["h"]
    assert (t.code, t.body, b"".join(t.headers)) == (0, HEAD + b"hello", HEAD)


@pytest.mark.parametrize("call", [2, 3, 4])
def test_long_header_line_of_http2_that_is_paused(drive, h2_server, way, call, ours_only):
    ours_only("libcurl 8.23 takes no such line of HTTP/2")
    def serve(h2):
        s, line = h2.request(), block([("x", LONG[3:-2])])
        pieces = [line[at:at + 16_000] for at in range(0, len(line), 16_000)]
        h2.send(head(s.id, status(200), flags=0), *[frame(CONTINUATION, s.id, piece) for piece in pieces],
                frame(CONTINUATION, s.id, b"", END_HEADERS), frame(DATA, s.id, b"hello", END_STREAM))
    h2_server.script(part(serve))
    d = going_on(drive, way, [("write", call)], URL=h2_server.url("/"), HEADER=1, **h2_server.options)
    t = d.perform().run()["h"]
    assert (t.code, t.body) == (0, b"".join(t.headers) + b"hello")
    assert b"x" + LONG[1:] in t.headers


def test_both_callbacks_pause_at_each_line(drive, server, way, ours_only):
    """The second pause failed the transfer."""
    if way == "socket":
        ours_only("libcurl 8.23 takes the socket back and announces it again within a call")
    server.answer(HEAD + b"hello")
    d = going_on(drive, way, refuses("write", 7) + refuses("header", 4), URL=server.url(), HEADER=1)
    t = d.perform().run()["h"]
    assert (t.code, t.body) == (0, HEAD + b"hello")
    assert b"".join(t.headers) == HEAD
    assert t.calls["header"] == 8


def test_both_callbacks_pause_at_each_line_of_a_list(drive, make_server, way, ours_only):
    if way == "socket":
        ours_only("libcurl 8.23 takes the socket back and announces it again within a call")
    server = make_server()
    talk = Talk().greet().ask('LIST "" *', *LISTED)
    shown = 3 + len(talk.steps)  # lines of the greeting are among them
    server.script(*talk.out())
    d = going_on(drive, way, refuses("write", 3) + refuses("header", shown), URL=imap_url(server))
    t = d.perform().run()["h"]
    assert (t.code, t.body) == (0, b"".join(LISTED))
    assert [line for line in t.headers if line in LISTED] == LISTED


def test_both_callbacks_pause_at_each_line_of_an_answer(drive, make_server, way):
    server, lines = make_server(), [b"250-a one\r\n", b"250-b two\r\n", b"250 c three\r\n"]
    server.script(*greet(), *dialogue("VRFY u", b"".join(lines)), *QUIT)
    d = going_on(drive, way, refuses("write", 3) + refuses("header", 6), URL=smtp_url(server), MAIL_RCPT=["u"])
    t = d.perform().run()["h"]
    assert (t.code, t.body) == (0, b"".join(lines))
    assert [line for line in t.headers if line in lines] == lines


def test_both_callbacks_pause_at_each_line_about_a_file(drive, make_server, way, ours_only):
    ours_only("libcurl 8.23 loses the second line")
    ftp, lines = make_server(cls=ScriptServer), [b"Content-Length: 3\r\n", b"Accept-ranges: bytes\r\n"]
    ftp.script(*login(), Command("TYPE I", "200 ok"), Command("SIZE f", "213 3"), Command("REST 0", "350 ok"),
               ftp_server.QUIT)
    d = going_on(drive, way, refuses("write", 2) + refuses("header", 10), URL=f"ftp://{ftp.authority}/f", NOBODY=1)
    t = d.perform().run()["h"]
    assert (t.code, t.body) == (0, b"".join(lines))
    assert [line for line in t.headers if line in lines] == lines


def test_both_callbacks_pause_at_each_line_of_a_local_file(drive, tmp_path, way, ours_only):
    ours_only("libcurl refuses a pause of a file: transfer")
    (tmp_path / "f").write_bytes(b"hello")
    d = going_on(drive, way, refuses("write", 5) + refuses("header", 4), URL=f"file://{tmp_path}/f", HEADER=1)
    t = d.perform().run()["h"]
    assert (t.code, t.body) == (0, b"".join(t.headers) + b"hello")
    assert len(t.headers) == 4


@pytest.mark.parametrize("headers", [True, False])
@pytest.mark.parametrize("call", [1, 2, 3, 4])
def test_long_line_of_a_search_that_is_paused(drive, make_server, way, call, headers):
    """The pause failed the transfer."""
    server = make_server()
    server.script(*Talk().greet().ask("SELECT a").ask("SEARCH ALL", FOUND).out())
    d = going_on(drive, way, [("write", call)], URL=imap_url(server, "a?ALL"), **({} if headers else NO_HEADERS))
    t = d.perform().run()["h"]
    assert (t.code, t.length, t.crc) == (0, len(FOUND), crc(FOUND))
    assert (FOUND in t.headers) == headers


def test_long_packet_that_is_paused(drive, make_server, way, ours_only):
    """The pause failed the transfer."""
    ours_only("libcurl does not pause packets")
    server, long = make_server(), rtsp.packet(0, (2 * FOUND)[:65535])
    server.script(*rtsp.SET_UP, rtsp.asks("PLAY", 2, "Session: abc"), Send(long + rtsp.answer(2)))
    d = going_on(drive, way, [], URL=rtsp.url(server), RTSP_REQUEST=rtsp.SETUP, RTSP_TRANSPORT=rtsp.OVER_TCP).perform()
    for call in (1, 3, 5):
        d.on("h", "write", "call", call, "pause")
    t = d.setopt("h", RTSP_REQUEST=rtsp.PLAY).perform().run()["h"]
    assert (t.code, t.length, t.crc) == (0, len(long), crc(long))


# ---------------------------------------------------------------- what a callback does when it gets the rest

@pytest.mark.parametrize("event, call", [("write", 4), ("write", 5), ("header", 3)])
def test_error_after_a_pause(drive, server, way, event, call):
    """The callback that continues with the line refuses it."""
    server.script(Expect(), Send(HEAD + b"hello"), UntilClose())
    d = going_on(drive, way, [("write", 3), (event, call, "return", 1)], URL=server.url(), HEADER=1)
    if event == "header":
        d.on("h", "header", "call", 2, "pause")
    assert d.perform().run()["h"].code == 23


@pytest.mark.parametrize("action", [("call_pause", PAUSE_RECV), ("pause",)])
@pytest.mark.parametrize("call", [3, 4, 5])
def test_pause_after_a_pause(drive, server, way, action, call):
    """The rest of the line is paused, too, by both means."""
    server.answer(HEAD + b"hello")
    pauses = [("write", 2), ("write", call, *action), ("header", 2, *action)]
    d = going_on(drive, way, pauses, URL=server.url(), HEADER=1)
    t = d.perform().run()["h"]
    assert (t.code, t.body, b"".join(t.headers)) == (0, HEAD + b"hello", HEAD)


def test_no_memory_for_the_rest_of_a_line(drive, make_server, ours_only):
    """It is out of memory then, never a line with a hole."""
    ours_only("the point is ours")
    if SANITIZED:
        pytest.skip("a sanitizer's runtime replaces malloc itself")
    server = make_server(backlog=512)
    server.default(Serve(lambda q, p: HEAD + b"hello"))
    d = drive("poll", fault=True).do("tolerant", 1)
    for n in range(1, 21):
        d.easy("h", URL=server.url(), HEADER=1).on("h", "write", "call", 3, "pause").do("multi", "m")
        d.do("fault", "arm", "alloc", n).do("add", "m", "h").do("drive", "m", "paused", "h").do("fault", "disarm")
        d.do("pause", "h", 0).do("drive", "m", "all").do("cleanup", "h").do("mcleanup", "m")
    results = [(t.code, t.body) for t in d.run().all("h")]
    assert {code for code, _ in results} == {0, 27}
    assert {body for code, body in results if not code} == {HEAD + b"hello"}


@pytest.mark.parametrize("event", ["write", "header"])
def test_removal_after_a_pause(drive, server, multi_way, event):
    """It is refused within a callback, and possible while the rest of a line is kept."""
    server.script(Expect(), Send(HEAD + b"hello"), UntilClose())
    server.answer(response(200, b"again"))
    d = drive(multi_way).easy(URL=server.url(), HEADER=1).on("h", "write", "call", 3, "pause").do("add", "m", "h")
    d.on("h", event, "call", {"write": 4, "header": 2}[event], "remove").on("h", "write", "call", 6, "pause")
    d.do("drive", "m", "paused", "h").do("pause", "h", 0).do("drive", "m", "paused", "h")
    r = d.do("remove", "m", "h").do("add", "m", "h").do("drive", "m", "all").run()
    assert r.code("incb", "h", "remove") == CURLM_RECURSIVE
    assert r["h"].code == 0 and r["h"].body.endswith(b"again")


def test_long_line_beyond_the_size_that_is_paused(drive, make_server, way, ours_only):
    """What is allowed of it is delivered first."""
    ours_only("libcurl delivers nothing of such a piece")
    server = make_server()
    server.script(*Talk().greet().ask("SELECT a").ask("SEARCH ALL", FOUND).steps, UntilClose())
    d = going_on(drive, way, [("write", 1), ("write", 4)], URL=imap_url(server, "a?ALL"), MAXFILESIZE=40_000)
    t = d.perform().run()["h"]
    assert (t.code, t.length) == (63, 40_000)


@pytest.mark.parametrize("action", [("pause",), ("call_pause", PAUSE_RECV)])
@pytest.mark.parametrize("raw", [0, 1])
def test_message_beyond_the_size_that_is_paused(drive, server, way, raw, action, ours_only):
    """What went over CURLOPT_MAXFILESIZE was dropped without an error."""
    ours_only("libcurl holds no message against it")
    server.script(ws_peer.Handshake(ws_peer.frame(ws_peer.BINARY, b"one")), UntilClose())
    d = going_on(drive, way, [("write", 1, *action)], URL=server.url().replace("http", "ws"), WS_OPTIONS=raw,
                 MAXFILESIZE=2, TIMEOUT_MS=20_000)
    t = d.perform().run()["h"]
    assert (t.code, t.length) == (63, 2)


def test_list_of_a_folder_beyond_the_size_that_is_paused(drive, tmp_path, way, ours_only):
    """Likewise."""
    ours_only("libcurl refuses a pause of a file: transfer")
    (tmp_path / "name").touch()
    d = going_on(drive, way, [("write", 1)], URL=f"file://{tmp_path}/", MAXFILESIZE=2)
    t = d.perform().run()["h"]
    assert (t.code, t.body) == (63, b"na")
