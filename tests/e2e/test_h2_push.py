"""What an HTTP/2 server pushes (CURLMOPT_PUSHFUNCTION): taken, refused, broken."""

import ctypes

import pytest

from h2_peer import (CANCEL, CONTINUATION, DATA, ENABLE_PUSH, END_HEADERS, END_STREAM, H2Server, NO_ERROR,
                     PROTOCOL_ERROR, REFUSED_STREAM, RST_STREAM, VERSION_2_0, block, frame, goaway, head, part, status, upgraded)
from mote_driver import NEWEST, PAUSE_CONT, by_library, crc, not_debian, pattern
from script import UntilClose

pytestmark = [pytest.mark.usefixtures("http2"), not_debian("HTTP/2 differs in details")]
not_newest = pytest.mark.skipif(NEWEST, reason="the newest libcurl does otherwise, see docs/http2.md")
INFO = ("EFFECTIVE_URL", "EFFECTIVE_METHOD", "RESPONSE_CODE", "NUM_CONNECTS", "REQUEST_SIZE", "CONN_ID", "HTTP_VERSION")


def promised(server, path="/pushed", *fields, method="GET", scheme=None, authority=None):
    return [(":method", method), (":scheme", scheme or ("https" if server.tls else "http")),
            (":authority", authority or server.authority), (":path", path), *fields]


def pushes(server, *of, body=b"pushed", early=False):
    """A part that answers a request, and before that promises `of` (lists of fields), which it answers too."""
    def serve(h2):
        s = h2.request()
        all_of = [h2.promise(s, 2 + 2 * n, fields) for n, fields in enumerate(of)]
        if early:
            h2.barrier()
        for p in all_of:
            h2.respond(p, 200, body, ("x-stream", str(p.id)))
        h2.respond(s, 200, b"asked")
    return part(serve, may_leave=True)


def offered(drive, way, server, answer="ok", *more, path="/", **options):
    """A transfer in multi m, which answers pushes in this way; more: options of the handles that it takes."""
    d = drive(way).do("multi", "m").do("push", "m", answer, *more)
    return d.easy("h", URL=server.url(path), **{**server.options, **options}).do("add", "m", "h")


def resets(server, number):
    """The codes with which the client has reset a stream."""
    return [f.number for f in server.sent() if f.type == RST_STREAM and f.stream == number]


# ---------------------------------------------------------------- taken

@pytest.mark.parametrize("early", [False, True], ids=["with the response", "before it"])
def test_taken(drive, multi_way, h2_server, early):
    h2_server.script(pushes(h2_server, promised(h2_server, "/pushed?a=1", ("x-a", "1"), ("x-a", "2")), early=early))
    d = offered(drive, multi_way, h2_server).do("drive", "m", "all")
    run = d.getinfo("pushed1", *INFO).getinfo("h", "CONN_ID").run()
    assert (run["h"].code, run["h"].body) == (0, b"asked")
    t = run["pushed1"]
    assert (t.code, t.body) == (0, b"pushed") and b"x-stream: 2\r\n" in t.headers
    assert t.info == {"EFFECTIVE_URL": h2_server.url("/pushed?a=1"), "EFFECTIVE_METHOD": "GET", "RESPONSE_CODE": 200,
                      "NUM_CONNECTS": 0, "REQUEST_SIZE": 0, "CONN_ID": run["h"].info["CONN_ID"], "HTTP_VERSION": 3}
    fields = [f"{n}:{v}" for n, v in promised(h2_server, "/pushed?a=1", ("x-a", "1"), ("x-a", "2"))]
    assert run.of("push") == [["pushed1", "/pushed?a=1", *fields]]
    assert not resets(h2_server, 2)


def test_settings_ask_for_it(drive, h2_server):
    """ENABLE_PUSH says whether there is a callback when the connection begins."""
    seen = []

    def serve(h2):
        s = h2.request()
        seen.append(h2.settings[ENABLE_PUSH])
        h2.respond(s, 200, b"x")
    h2_server.script(part(serve, may_leave=True))
    h2_server.script(part(serve, may_leave=True))
    d = offered(drive, "poll", h2_server).do("drive", "m", "all").do("multi", "n")
    d.easy("i", URL=h2_server.url("/"), **h2_server.options).do("add", "n", "i").do("drive", "n", "all")
    assert d.run()["i"].code == 0 and seen == [1, 0]


@not_newest
def test_upgrade_asks_for_it(drive, server):
    """The settings in the request of HTTP/1.1 are those that follow."""
    import base64
    seen = []

    class Upgraded(UntilClose):
        def run(self, peer):
            h2 = upgraded(peer)
            seen.append(base64.urlsafe_b64decode(h2.streams[1].header("http2-settings")))
            h2.start()
            pushed = h2.promise(h2.streams[1], 2, [(":method", "GET"), (":scheme", "http"), (":path", "/p"),
                                                  (":authority", h2.streams[1].header("host"))])
            h2.respond(pushed, 200, b"pushed")
            h2.respond(h2.streams[1], 200, b"asked")
            super().run(peer)
    server.script(Upgraded())
    d = drive("poll").do("multi", "m").do("push", "m", "ok").easy("h", URL=server.url("/"), HTTP_VERSION=VERSION_2_0)
    run = d.do("add", "m", "h").do("drive", "m", "all").run()
    assert seen and seen[0].endswith(b"\0\2\0\0\0\1")
    assert {n: (run[n].code, run[n].body) for n in ("h", "pushed1")} == {"h": (0, b"asked"), "pushed1": (0, b"pushed")}


def test_several_and_large(drive, multi_way, h2_server):
    """Each has its own bytes, within its own window."""
    body = pattern(200_000)
    h2_server.script(pushes(h2_server, *(promised(h2_server, f"/p{n}") for n in range(5)), body=body))
    run = offered(drive, multi_way, h2_server).do("drive", "m", "all").run()
    assert run["h"].code == 0
    for n in range(1, 6):
        t = run[f"pushed{n}"]
        assert (t.code, t.length, t.crc) == (0, len(body), crc(body))


@not_newest
def test_paused(drive, multi_way, h2_server):
    """A pushed response waits within its window while its transfer is paused; the one that was asked for goes on."""
    body = pattern(100_000)
    h2_server.script(pushes(h2_server, promised(h2_server), body=body, early=True))
    d = offered(drive, multi_way, h2_server).do("drive", "m", "calls", "h", "header", 1)
    d.do("pause", "pushed1", 1).do("drive", "m", "for", 50).do("pause", "pushed1", PAUSE_CONT).do("drive", "m", "all")
    run = d.run()
    assert (run["h"].code, run["pushed1"].code, run["pushed1"].crc) == (0, 0, crc(body))


@not_newest
def test_head(drive, multi_way, h2_server):
    def serve(h2):
        s = h2.request()
        p = h2.promise(s, 2, promised(h2_server, method="HEAD"))
        h2.send(head(2, status(200, ("content-length", "1000")), end=True))
        h2.respond(s, 200, b"asked")
        assert p.method == "HEAD"
    h2_server.script(part(serve, may_leave=True))
    run = offered(drive, multi_way, h2_server).do("drive", "m", "all").getinfo("pushed1", "EFFECTIVE_METHOD").run()
    assert (run["pushed1"].code, run["pushed1"].length) == (0, 0) and run["pushed1"].info == {"EFFECTIVE_METHOD": "HEAD"}


def test_nothing_of_the_parents_request(drive, h2_server):
    """The new handle has its parent's options, but asks for nothing that its parent asked for."""
    h2_server.script(pushes(h2_server, promised(h2_server)))
    d = offered(drive, "poll", h2_server, POSTFIELDS="a=b", CUSTOMREQUEST="PUT", RANGE="1-2").do("drive", "m", "all")
    run = d.getinfo("pushed1", "EFFECTIVE_METHOD").run()
    assert (run["pushed1"].code, run["pushed1"].body) == (0, b"pushed") and run["pushed1"].info == {"EFFECTIVE_METHOD": "GET"}


@not_newest
def test_redirect_is_followed(drive, multi_way, h2_server):
    """A pushed redirect leads to a request like any other."""
    def serve(h2):
        s = h2.request()
        p = h2.promise(s, 2, promised(h2_server))
        h2.respond(s, 200, b"asked")
        h2.respond(p, 302, b"", ("location", "/elsewhere"))
        follow = h2.request()
        h2.respond(follow, 200, follow.path.encode())
    h2_server.script(part(serve, may_leave=True))
    run = offered(drive, multi_way, h2_server, FOLLOWLOCATION=1).do("drive", "m", "all").run()
    assert (run["pushed1"].code, run["pushed1"].body) == (0, b"/elsewhere")


@not_newest
def test_used_again(drive, h2_server):
    """The handle is the application's, for further requests too."""
    def serve(h2):
        s = h2.request()
        p = h2.promise(s, 2, promised(h2_server, "/again"))
        h2.respond(p, 200, b"pushed")
        h2.respond(s, 200, b"asked")
        h2.respond(h2.request(), 200, b"requested")
    h2_server.script(part(serve, may_leave=True))
    d = offered(drive, "poll", h2_server).do("drive", "m", "all").do("add", "m", "pushed1").do("drive", "m", "all")
    assert [(t.code, t.body) for t in d.run().all("pushed1")] == [(0, b"pushed"), (0, b"requested")]
    [streams] = h2_server.streams
    assert [(s.id, s.path) for s in streams if s.id % 2] == [(1, "/"), (3, "/again")]


@not_newest
def test_another_url(drive, h2_server):
    """The application has given the handle another URL: it makes a request of its own."""
    def serve(h2):
        s = h2.request()
        h2.promise(s, 2, promised(h2_server))
        h2.barrier()
        h2.respond(s, 200, b"asked")
    other = serve_other(h2_server)
    h2_server.script(part(serve, may_leave=True))
    h2_server.script(other)
    run = offered(drive, "poll", h2_server, "ok", "URL", f"{h2_server.url('/')}".replace("127.0.0.1", "localhost")) \
        .do("drive", "m", "all").run()
    assert (run["h"].code, run["pushed1"].code, run["pushed1"].body) == (0, 0, b"other") and resets(h2_server, 2) == [CANCEL]


def serve_other(server):
    return part(lambda h2: h2.respond(h2.request(), 200, b"other"), may_leave=True)


def test_nothing_else_in_the_callback(drive, h2_server):
    """The new handle cannot be added, performed or ended there."""
    h2_server.script(pushes(h2_server, promised(h2_server)))
    run = offered(drive, "poll", h2_server, by_library("abuse", "ok", "ok")).do("drive", "m", "all").run()
    assert (run["h"].code, run["pushed1"].code, run["pushed1"].body) == (0, 0, b"pushed")


# ---------------------------------------------------------------- refused

@pytest.mark.parametrize("answer", ["deny", "7"])
def test_denied(drive, multi_way, h2_server, answer):
    h2_server.script(pushes(h2_server, promised(h2_server), promised(h2_server, "/two"), early=True))
    run = offered(drive, multi_way, h2_server, answer).do("drive", "m", "all").run()
    assert (run["h"].code, run["h"].body) == (0, b"asked") and [f[0] for f in run.of("push")] == ["pushed1", "pushed2"]
    assert (resets(h2_server, 2), resets(h2_server, 4)) == ([CANCEL], [CANCEL])


@not_newest
def test_error_out(drive, multi_way, h2_server):
    """The request ends with an error (CURLMOPT_PUSHFUNCTION), and is not made again; the connection goes on."""
    def serve(h2):
        h2.respond(h2.request(), 200, b"first")
        s = h2.request()
        h2.promise(s, 2, promised(h2_server))
        h2.respond(h2.request(), 200, b"third")
    h2_server.script(part(serve, may_leave=True))
    d = drive(multi_way).do("multi", "m").do("push", "m", "errorout").easy("h", URL=h2_server.url("/"), **h2_server.options)
    for _ in range(3):
        d.do("add", "m", "h").do("drive", "m", "all")
    run = d.run()
    assert [(t.code, t.body) for t in run.all("h")] == [(0, b"first"), (92, b""), (0, b"third")]
    assert resets(h2_server, 2) == [CANCEL]


def nghttp2_number():
    """The version of the library that ours loads, 0x014000 for 1.64.0 (nghttp2_version(3): age, number, ...)."""
    version = ctypes.CDLL("libnghttp2.so.14").nghttp2_version
    version.restype = ctypes.POINTER(ctypes.c_int * 2)
    return version(0).contents[1]


@not_newest
@pytest.mark.parametrize("wrong", ["host", "port", "userinfo"])
def test_another_host(drive, multi_way, h2_server, wrong):
    """A server speaks for its own origin only (RFC 9113, 8.4). nghttp2 resets a promise with a user since 1.64."""
    authority = {"host": f"other:{h2_server.port}", "port": "127.0.0.1:1", "userinfo": f"u:p@{h2_server.authority}"}[wrong]
    h2_server.script(pushes(h2_server, promised(h2_server, authority=authority), early=True))
    run = offered(drive, multi_way, h2_server).do("drive", "m", "all").run()
    by_nghttp2 = wrong == "userinfo" and nghttp2_number() >= 0x014000
    ended = (0, "") if by_nghttp2 else (56, "The server has pushed a response for another host")
    assert (run["h"].code, run["h"].error) == ended
    assert not run.of("push")
    assert resets(h2_server, 2) == [PROTOCOL_ERROR]


@not_newest
@pytest.mark.parametrize("wrong", ["scheme", "method", "no path", "no authority", "relative path", "upper case", "nothing"])
def test_no_proper_request(drive, multi_way, h2_server, wrong):
    """Such a stream is reset, and the request that it came with goes on."""
    fields = promised(h2_server)
    fields = {"scheme": promised(h2_server, scheme="http" if h2_server.tls else "https"), "nothing": [],
              "method": promised(h2_server, method="POST"), "no path": fields[:3], "no authority": fields[:2] + fields[3:],
              "relative path": promised(h2_server, "pushed"), "upper case": [*fields, ("Upper", "x")]}[wrong]
    h2_server.script(pushes(h2_server, fields, early=True))
    run = offered(drive, multi_way, h2_server).do("drive", "m", "all").run()
    assert (run["h"].code, run["h"].body) == (0, b"asked") and not run.of("push")
    assert resets(h2_server, 2) == [CANCEL if wrong == "scheme" else PROTOCOL_ERROR]


@not_newest
def test_body_after_a_promise_that_is_reset(drive, multi_way, h2_server):
    """nghttp2 resets a promise in the middle of its fields. What follows on the stream that it came on is that stream's."""
    def serve(h2):
        s = h2.request()
        h2.send(head(s.id, status(200)))
        h2.promise(s, 2, [*promised(h2_server), ("Upper", "x")])
        h2.send(frame(DATA, s.id, b"asked"), head(s.id, [("x-t", "1")], end=True))
    h2_server.script(part(serve, may_leave=True))
    run = offered(drive, multi_way, h2_server).do("drive", "m", "all").run()
    assert (run["h"].code, run["h"].body) == (0, b"asked") and b"x-t: 1\r\n" in run["h"].headers and not run.of("push")
    assert resets(h2_server, 2) == [PROTOCOL_ERROR]


def redirected(drive, way, server, other, **options):
    """A transfer that is redirected to another origin, which promises a response, and redirects that to a request."""
    def serve(h2):
        s = h2.request()
        p = h2.promise(s, 2, promised(other, "/p"))
        h2.barrier()
        h2.respond(s, 200, b"asked")
        if p.reset is None:
            h2.respond(p, 302, b"", ("location", "/q"))
            h2.respond(h2.request(), 200, b"followed")
    server.script(part(lambda h2: h2.respond(h2.request(), 302, b"", ("location", other.url("/"))), may_leave=True))
    other.script(part(serve, may_leave=True))
    d = offered(drive, way, server, FOLLOWLOCATION=1, **options).do("drive", "m", "all")
    run = d.run()
    assert (run["h"].code, run["h"].body) == (0, b"asked")
    [streams] = other.streams
    return run, {s.path: {"authorization", "cookie"} & set(s.names) for s in streams if s.id % 2}


@not_newest
@pytest.mark.parametrize("given", [{"USERPWD": "user:secret"}, {"COOKIE": "a=b"}, {"HTTPHEADER": ["authorization: own"]},
                                   {"HTTPHEADER": ["Cookie: own"]}, {"XOAUTH2_BEARER": "token", "HTTPAUTH": 1 << 6}])
def test_credentials_of_the_first_origin(drive, multi_way, h2_server, make_server, given):
    """The new handle would have them for the origin that the parent was redirected to."""
    other = make_server(cls=H2Server, tls=h2_server.tls)
    run, sent = redirected(drive, multi_way, h2_server, other, **given)
    assert sent == {"/": set()} and not run.of("push") and resets(other, 2) == [CANCEL]


@not_newest
@pytest.mark.parametrize("given, sent", [({}, set()), ({"USERPWD": "user:secret", "UNRESTRICTED_AUTH": 1}, {"authorization"})],
                         ids=["none", "for all"])
def test_push_of_another_origin(drive, multi_way, h2_server, make_server, given, sent):
    """It is taken where no credentials are kept from that origin."""
    other = make_server(cls=H2Server, tls=h2_server.tls)
    run, found = redirected(drive, multi_way, h2_server, other, **given)
    assert (run["pushed1"].code, run["pushed1"].body) == (0, b"followed") and found == {"/": sent, "/q": sent}


@not_newest
def test_fields_without_end(drive, h2_server):
    """More than 300 KB of fields: refused without a question."""
    def serve(h2):
        s = h2.request()
        many = block(promised(h2_server) + [(f"x-{n}", "v" * 1000) for n in range(400)])
        h2.send(frame(5, s.id, b"\0\0\0\2" + many[:16000]))
        pieces = [many[at:at + 16000] for at in range(16000, len(many), 16000)]
        for n, piece in enumerate(pieces):
            h2.send(frame(CONTINUATION, s.id, piece, END_HEADERS if n == len(pieces) - 1 else 0))
        h2.barrier()
        h2.respond(s, 200, b"asked")
    h2_server.script(part(serve, may_leave=True))
    run = offered(drive, "poll", h2_server).do("drive", "m", "all").run()
    assert not run.of("push") and run["h"].code == 56


@not_newest
def test_flood(drive, h2_server):
    """Promises without end, all denied: the connection ends, as with other frames that bring nothing."""
    def serve(h2):
        s = h2.request()
        for n in range(12_000):
            h2.promise(s, 2 + 2 * n, promised(h2_server))
        h2.barrier()
    h2_server.script(part(serve, may_leave=True))
    run = offered(drive, "poll", h2_server, "deny").do("drive", "m", "all").run()
    assert run["h"].code in (16, 92)


# ---------------------------------------------------------------- broken

@not_newest
@pytest.mark.parametrize("code, result", [(REFUSED_STREAM, 56), (PROTOCOL_ERROR, 92), (NO_ERROR, 92)])
def test_reset_by_the_server(drive, multi_way, h2_server, code, result):
    """A promise that is not kept is no request to be made again."""
    def serve(h2):
        s = h2.request()
        h2.promise(s, 2, promised(h2_server))
        h2.send(frame(RST_STREAM, 2, code))
        h2.respond(s, 200, b"asked")
    h2_server.script(part(serve, may_leave=True))
    run = offered(drive, multi_way, h2_server).do("drive", "m", "all").run()
    assert (run["h"].code, run["pushed1"].code) == (0, result)
    [streams] = h2_server.streams
    assert [s.id for s in streams if s.id % 2] == [1]


@not_newest
def test_connection_ends(drive, multi_way, h2_server):
    def serve(h2):
        s = h2.request()
        p = h2.promise(s, 2, promised(h2_server))
        h2.respond(s, 200, b"asked")
        h2.send(head(p.id, status(200)), frame(DATA, 2, b"some"), goaway(1, NO_ERROR))
        h2.barrier()
        h2.peer.finish()
    h2_server.script(part(serve, may_leave=True))
    run = offered(drive, multi_way, h2_server).do("drive", "m", "all").run()
    assert run["h"].code == 0 and run["pushed1"].code == 18 and run["pushed1"].body == b"some"


@not_newest
def test_removed(drive, multi_way, h2_server):
    """A pushed transfer is removed under way: its stream is reset, the other goes on."""
    def serve(h2):
        s = h2.request()
        h2.promise(s, 2, promised(h2_server))
        h2.send(head(2, status(200)), frame(DATA, 2, b"some"))
        h2.send(head(1, status(200)))
        h2.until(lambda: h2.streams[2].reset is not None)
        h2.send(frame(DATA, 1, b"asked", END_STREAM))
    h2_server.script(part(serve, may_leave=True))
    d = offered(drive, multi_way, h2_server).do("drive", "m", "calls", "h", "header", 1)
    run = d.do("remove", "m", "pushed1").do("drive", "m", "all").run()
    assert (run["h"].code, run["h"].body) == (0, b"asked") and resets(h2_server, 2) == [CANCEL]


@not_newest
def test_parent_removed(drive, multi_way, h2_server):
    """The pushed transfer goes on without the one it came with."""
    def serve(h2):
        s = h2.request()
        p = h2.promise(s, 2, promised(h2_server))
        h2.send(head(1, status(200)))
        h2.until(lambda: h2.streams[1].reset is not None)
        h2.respond(p, 200, b"pushed")
    h2_server.script(part(serve, may_leave=True))
    d = offered(drive, multi_way, h2_server).do("drive", "m", "calls", "h", "header", 1)
    run = d.do("remove", "m", "h").do("drive", "m", "all").run()
    assert (run["pushed1"].code, run["pushed1"].body) == (0, b"pushed")
