"""Request methods: which option gives which, and that the last one set wins."""

import pytest

from mote_driver import not_debian
from server import Expect, Reply, response

CASES = [
    ("plain", [], "GET", b""),
    ("get", [("HTTPGET", 1)], "GET", b""),
    ("head", [("NOBODY", 1)], "HEAD", b""),
    ("post", [("POSTFIELDS", "a=b")], "POST", b"a=b"),
    ("post empty", [("POSTFIELDS", "")], "POST", b""),
    ("post flag", [("POST", 1), ("POSTFIELDS", "x")], "POST", b"x"),
    ("copy", [("COPYPOSTFIELDS", "copied")], "POST", b"copied"),
    ("sized", [("POSTFIELDSIZE", 3), ("COPYPOSTFIELDS", b"a\0b")], "POST", b"a\0b"),
    ("sized before only", [("POSTFIELDSIZE", 3), ("COPYPOSTFIELDS", b"a\0b"), ("POSTFIELDSIZE", -1)], "POST", b"a"),
    ("sized large", [("POSTFIELDSIZE_LARGE", 2), ("POSTFIELDS", "abcdef")], "POST", b"ab"),
    ("custom", [("CUSTOMREQUEST", "PURGE")], "PURGE", b""),
    ("custom post", [("CUSTOMREQUEST", "PATCH"), ("POSTFIELDS", "p")], "PATCH", b"p"),
    ("custom back", [("CUSTOMREQUEST", "PATCH"), ("CUSTOMREQUEST", None)], "GET", b""),
    ("get after post", [("POSTFIELDS", "a"), ("HTTPGET", 1)], "GET", b""),
    ("post after get", [("HTTPGET", 1), ("POST", 1), ("POSTFIELDS", "a")], "POST", b"a"),
    ("post after head", [("NOBODY", 1), ("POST", 1), ("POSTFIELDS", "a")], "POST", b"a"),
    ("get after head", [("NOBODY", 1), ("HTTPGET", 1)], "GET", b""),
    ("head off", [("NOBODY", 1), ("NOBODY", 0)], "GET", b""),
    ("head, upload off", [("NOBODY", 1), ("UPLOAD", 0)], "HEAD", b""),
    ("head, post off", [("NOBODY", 1), ("POST", 0)], "HEAD", b""),
    ("upload off, head", [("UPLOAD", 0), ("NOBODY", 1)], "HEAD", b""),
    ("put, head", [("UPLOAD", 1), ("NOBODY", 1)], "HEAD", b""),
    ("put", [("UPLOAD", 1), ("INFILESIZE", 0)], "PUT", b""),
    ("put off", [("UPLOAD", 1), ("UPLOAD", 0)], "GET", b""),
    ("get after put", [("UPLOAD", 1), ("HTTPGET", 1)], "GET", b""),
    ("post off", [("POST", 1), ("POST", 0)], "GET", b""),
    ("fields null", [("POSTFIELDS", "a"), ("POSTFIELDS", None), ("HTTPGET", 1)], "GET", b""),
]


@pytest.mark.parametrize("options,method,body", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_method(drive, server, options, method, body):
    server.script(Expect(method, body=body), Reply(200, b"" if method == "HEAD" else b"ok"))
    d = drive().easy("h", URL=server.url())
    for name, value in options:
        d.setopt("h", **{name: value})
    r = d.perform().getinfo("h", "EFFECTIVE_METHOD").run()
    assert r["h"].code == 0
    assert r["h"].info["EFFECTIVE_METHOD"] == method
    request = server.requests[0]
    if method == "POST":
        assert request.header("Content-Length") == str(len(body))
        assert request.header("Content-Type") == "application/x-www-form-urlencoded"
    if method in ("GET", "HEAD"):
        assert request.header("Content-Length") is None
        assert request.header("Content-Type") is None


def test_copy_without_nul(drive, server, ours_only):
    """Without a size the copy ends at its NUL, and where it has none, at its end."""
    ours_only("libcurl reads on after the copy, which has no NUL")
    server.script(Expect("POST", body=b"ab"), Reply())
    d = drive().easy(URL=server.url(), POSTFIELDSIZE=2).setopt("h", COPYPOSTFIELDS=b"abc").setopt("h", POSTFIELDSIZE=-1)
    assert d.perform().run()["h"].code == 0


def test_all_on_one_connection(drive, server, way):
    server.answer(response(200, b"1"), b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n", response(200, b"3"),
                  response(200, b"4"), response(200, b"5"))
    d = drive(way).easy(URL=server.url(), HTTPHEADER=["Expect:"]).perform()
    d.setopt("h", NOBODY=1).perform()
    d.setopt("h", POST=1, POSTFIELDS="field=value").perform()
    d.setopt("h", UPLOAD=1, INFILESIZE=6).body("h", b"upload").perform()
    d.setopt("h", HTTPGET=1, CUSTOMREQUEST="DELETE").perform()
    r = d.run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"1"), (0, b""), (0, b"3"), (0, b"4"), (0, b"5")]
    assert [q.method for q in server.requests] == ["GET", "HEAD", "POST", "PUT", "DELETE"]
    assert [q.body for q in server.requests] == [b"", b"", b"field=value", b"upload", b""]


@pytest.mark.parametrize("target,options", [
    ("*", {"CUSTOMREQUEST": "OPTIONS", "REQUEST_TARGET": "*"}),
    ("/a/../b", {"PATH_AS_IS": 1, "URL": "/a/../b"}),
    ("/b", {"URL": "/a/../b"}),
    ("/?q", {"URL": "?q"}),
    ("/a?x=1&y=%20", {"URL": "/a?x=1&y=%20"}),
    ("/%C3%A9", {"URL": "/%C3%A9"}),
    ("/", {"URL": "#only"}),
])
def test_target(drive, server, target, options):
    server.script(Expect(target=target), Reply(200, b"x"))
    options = dict(options)
    options["URL"] = server.url(options.get("URL", "/"))
    assert drive.get(**options).code == 0


@pytest.mark.parametrize("port", [True, False])
def test_host_header(drive, server, port):
    """The port is left out only when it is the scheme's own."""
    server.script(Expect(has={"Host": "name.test" if not port else f"name.test:{server.port}"}), Reply())
    url = f"http://name.test:{server.port}/" if port else "http://name.test/"
    t = drive.get(URL=url, CONNECT_TO=[f"::127.0.0.1:{server.port}"])
    assert t.code == 0


def test_port_option(drive, server):
    server.script(Expect(has={"Host": server.authority}), Reply(200, b"p"))
    assert drive.get(URL="http://127.0.0.1:1/", PORT=server.port).body == b"p"


@pytest.mark.parametrize("url", ["HTTP://127.0.0.1:{port}/", "127.0.0.1:{port}/", "127.0.0.1:{port}",
                                 "http:/127.0.0.1:{port}/", "http://127.0.0.1:0{port}/", " "])
def test_url_leniency(drive, server, url):
    if url == " ":
        assert drive.get(URL=url).code == 3
        return
    server.script(Expect(target="/"), Reply(200, b"u"))
    assert drive.get(URL=url.format(port=server.port)).body == b"u"


def test_default_protocol(drive, server):
    assert drive.get(URL=f"127.0.0.1:{server.port}/", DEFAULT_PROTOCOL="nonsense").code == 1
    server.script(Expect(), Reply(200, b"d"))
    assert drive.get(URL=f"127.0.0.1:{server.port}/", DEFAULT_PROTOCOL="http").body == b"d"


@not_debian("-1")
def test_head_with_both_kinds_of_framing_has_the_length(drive, server):
    server.answer(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n")
    t = drive.get(URL=server.url(), NOBODY=1, info=("CONTENT_LENGTH_DOWNLOAD_T",))
    assert (t.code, t.info["CONTENT_LENGTH_DOWNLOAD_T"]) == (0, 9)
