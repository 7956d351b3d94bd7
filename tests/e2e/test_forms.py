"""Multipart forms: curl_mime_*(3), curl_formadd(3), to the byte, through every way of driving."""

import base64
import os
import quopri
import re

import pytest

from mote_driver import EMULATOR, NEWEST, SANITIZED, SYSTEM, by_library, not_debian
from server import Expect, Serve, UntilClose, response
from test_faults import check, leave_out

PAUSE, ABORT = 0x10000001, 0x10000000
TYPES = {"txt": "text/plain", "html": "text/html", "HTM": "text/html", "png": "image/png", "gif": "image/gif",
         "jpg": "image/jpeg", "jpeg": "image/jpeg", "svg": "image/svg+xml", "xml": "application/xml",
         "pdf": "application/pdf"}


@pytest.fixture
def form(drive, server):
    """form(way, parts, …): posts it; gives the Transfer, with .bodies (boundaries as <0>, <1> …) and .requests."""
    def post(way, *parts, before=(), after=(), times=1, answers=None, forms=(), run=None, cut=False, **options):
        queue = list(answers or ())
        if cut:
            server.default(Expect("POST", body=False), UntilClose())
            options["EXPECT_100_TIMEOUT_MS"] = 20
        else:
            server.default(Serve(lambda q, p: queue.pop(0) if queue else response(200, b"ok")))
        d = drive(way).easy(URL=server.url(), **options)
        for name, inner in forms:
            d.do("form", name, "h")
            for part in inner:
                d.do("part", name, *part)
        d.do("form", "m", "h")
        for part in parts:
            d.do("part", "m", *part)
        for line in before:
            d.do(*line)
        d.setopt("h", MIMEPOST="m")
        for line in after:
            d.do(*line)
        for _ in range(times):
            if run:
                run(d)
            else:
                d.perform()
        d.do("cleanup", "h").do("freeform", "m")
        r = d.run()
        t = r.all("h")[-1]
        t.run = r
        t.requests = server.asked() if not t.code else []
        t.bodies = [plain(q) for q in t.requests]
        return t

    return post


def plain(request, boundary=None):
    """The body, with its boundaries named in the order in which they come."""
    text = request.body
    found = re.findall(rb"boundary=(-{24}\w+)", (request.header("Content-Type") or "").encode() + text)
    for i, b in enumerate(dict.fromkeys(found)):
        assert len(b) == by_library(46, 40, 46)
        text = text.replace(b, b"<%d>" % i)
    return text


def fields(*parts, end=b"--<0>--\r\n"):
    return b"".join(b"--<0>\r\n" + p + b"\r\n" for p in parts) + end


def field(name, value, more=b""):
    return b'Content-Disposition: form-data; name="%s"%s\r\n\r\n%s' % (name, more, value)


# ---------------------------------------------------------------- parts

def test_two_fields(form, way):
    t = form(way, ["name=a", "data=1"], ["name=b", "data="])
    assert t.bodies == [fields(field(b"a", b"1"), field(b"b", b""))]
    q = t.requests[0]
    assert q.method == "POST" and q.header("Content-Length") == str(len(q.body)) and not q.header("Expect")
    assert q.header("Content-Type").startswith("multipart/form-data; boundary=------------------------")


def test_no_part(form, way):
    assert form(way).bodies == [b"--<0>--\r\n"]


def test_null_is_an_empty_post(drive, server, way):
    server.default(Serve(lambda q, p: response(200, b"ok")))
    assert drive.get(way, URL=server.url(), MIMEPOST=None).code == 0
    q = server.asked()[0]
    assert (q.method, q.body, q.header("Content-Length"), q.header("Content-Type")) == ("POST", b"", "0", None)


def test_names(form):
    t = form("easy", ["data=no name"], ["name=", "data=empty"], ["name=f", "filename=d/x", "data=1"])
    assert t.bodies == [fields(b"Content-Disposition: form-data\r\n\r\nno name", field(b"", b"empty"),
                               field(b"f", b"1", b'; filename="d/x"'))]


def test_attributes_are_taken_back(form):
    t = form("easy", ["name=a", "filename=b", "type=c/d", "encoder=base64", "data=x", "name", "filename", "type", "encoder"],
             ["name=a", "data=x", "data"], ["name=a", "name=b", "data=x", "data=y"])
    assert t.bodies == [fields(b"Content-Disposition: form-data\r\n\r\nx", field(b"a", b""), field(b"b", b"y"))]


@pytest.mark.parametrize("escape", [0, 1])
def test_escapes(form, escape):
    t = form("easy", [r'name=a"b\c', rb'filename=x"y\z;' + b"\xff", "data=1"], MIME_OPTIONS=escape)
    expected = ((rb'a%22b\c', b'; filename="x%22y\\z;\xff"'), (rb'a\"b\\c', b'; filename="x\\"y\\\\z;\xff"'))[escape]
    assert t.bodies == [fields(field(expected[0], b"1", expected[1]))]


def test_line_breaks_in_a_name(form):
    t = form("easy", ["name=a\r\nb", "data=1"])
    assert t.bodies == [fields(field(b"a%0D%0Ab", b"1"))]


@pytest.mark.skipif(SYSTEM and not NEWEST, reason="Debian's lets a name inject fields")
def test_line_breaks_without_an_escape_are_refused(form, server):
    assert form("easy", ["name=a\r\nb", "data=1"], MIME_OPTIONS=1).code == 43
    assert not server.asked()


@pytest.mark.parametrize("ending", TYPES)
def test_types_by_name(form, ending):
    t = form("easy", ["name=f", f"filename=a.{ending}", "data=1"], ["name=f", f"filename=a.{ending}", "type=x/y", "data=1"])
    more = f'; filename="a.{ending}"\r\nContent-Type: '.encode()
    assert t.bodies == [fields(field(b"f", b"1", more + TYPES[ending].encode()), field(b"f", b"1", more + b"x/y"))]


def test_own_lines(form):
    t = form("easy", ["name=a", "data=1", "header=X-A: b", "header=X-C:", "header=X-E:v  "],
             ["name=a", "data=1", "header=X: y", "header=Content-Type: a/b", "header=content-disposition: inline"],
             ["name=a", "data=1", "type=c/d", "header=Content-Type: a/b"],
             ["name=a", "data=1", "encoder=base64", "header=Content-Transfer-Encoding: zz"])
    assert t.bodies == [fields(
        field(b"a", b"1", b"\r\nX-A: b\r\nX-C:\r\nX-E:v  "),
        b"Content-Type: a/b\r\nX: y\r\ncontent-disposition: inline\r\n\r\n1",
        field(b"a", b"1", b"\r\nContent-Type: c/d"),
        field(b"a", b"MQ==", b"\r\nContent-Transfer-Encoding: zz"))]


def test_own_type_of_the_request(form):
    t = form("easy", ["name=a", "data=1"], ["data=2"], HTTPHEADER=["Content-Type: multipart/mixed", "X: y"])
    assert t.requests[0].header("Content-Type").startswith("multipart/mixed; boundary=")
    assert t.bodies == [fields(b'Content-Disposition: attachment; name="a"\r\n\r\n1', b"\r\n2")]
    assert t.requests[0].head.count(b"Content-Type") == 1


def test_chunked_if_asked(form, way):
    t = form(way, ["name=a", "data=1"], HTTPHEADER=["Transfer-Encoding: chunked"])
    assert t.requests[0].header("Transfer-Encoding") == "chunked" and not t.requests[0].header("Content-Length")
    assert t.bodies == [fields(field(b"a", b"1"))]


# ---------------------------------------------------------------- nested

def test_nested(form, way):
    t = form(way, ["name=out", "sub=in"], ["name=alt", "sub=two", "type=multipart/alternative"],
             forms=[("in", [["name=a", "data=1", "filename=f.txt"], ["data=2"]]), ("two", [["name=b", "data=3"]])])
    inner = (b'--<1>\r\nContent-Disposition: attachment; name="a"; filename="f.txt"\r\nContent-Type: text/plain\r\n\r\n1\r\n'
             b"--<1>\r\n\r\n2\r\n--<1>--\r\n")
    two = b'--<2>\r\nContent-Disposition: attachment; name="b"\r\n\r\n3\r\n--<2>--\r\n'
    assert t.bodies == [fields(field(b"out", inner, b"\r\nContent-Type: multipart/mixed; boundary=<1>"),
                               field(b"alt", two, b"\r\nContent-Type: multipart/alternative; boundary=<2>"))]


def test_nested_form_data_and_encoded(form):
    t = form("easy", ["name=fd", "sub=in", "type=multipart/form-data"], ["name=e", "sub=two", "encoder=base64"],
             forms=[("in", [["name=a", "data=1"]]), ("two", [["data=x"]])])
    body = t.requests[0].body
    assert b'Content-Disposition: form-data; name="a"\r\n\r\n1' in body
    coded = body.split(b"Content-Transfer-Encoding: base64\r\n\r\n")[1].split(b"\r\n--")[0]
    assert re.fullmatch(rb"(-{26}\w+)\r\n\r\nx\r\n\1--\r\n", base64.b64decode(coded))
    assert all(len(line) <= 76 for line in coded.split(b"\r\n"))


def test_what_may_not_be_nested(drive):
    d = drive().easy()
    for name in "abc":
        d.do("form", name, "h")
    d.do("part", "a", "sub=a").do("part", "a", "sub=b").do("part", "a", "sub=b").do("part", "b", "sub=a")
    r = d.do("freeform", "a").run()
    assert [f[-1] for f in r.of("form")] == [43, 43, 43]


def test_subparts_are_freed_with_their_parent(drive):
    d = drive().easy().do("form", "a", "h").do("form", "b", "h")
    d.do("part", "b", "tag=one", "callback=x").do("part", "a", "sub=b", "data=dropped").do("mark", "replaced")
    d.do("form", "c", "h").do("part", "c", "tag=two", "callback=x").do("part", "a", "sub=c").do("freeform", "a")
    r = d.run()
    assert [f[1] for f in r.lines if f[0] in ("formcall", "mark")] == ["one", "replaced", "two"]


# ---------------------------------------------------------------- encoders

@pytest.mark.parametrize("size", [0, 1, 2, 3, 56, 57, 58, 114, 115, 20000])
def test_base64(form, size):
    data = bytes(i % 251 for i in range(size))
    t = form("easy", ["name=e", "encoder=base64", b"data=" + data])
    coded = base64.encodebytes(data).replace(b"\n", b"\r\n")[:-2] if data else b""
    assert t.bodies == [fields(field(b"e", coded, b"\r\nContent-Transfer-Encoding: base64"))]
    assert t.requests[0].header("Content-Length")


QUOTED = {b"a b ": b"a b=20", b"a \r\nb\t\r\n": b"a=20\r\nb=09\r\n", b"x" * 200: b"x" * 75 + b"=\r\n" + b"x" * 75 + b"=\r\n"
          + b"x" * 50, b"a\nb\rc": b"a=0Ab=0Dc", b"=" * 40: b"=3D" * 25 + b"=\r\n" + b"=3D" * 15, b"a \n": b"a =0A",
          b"x" * 75 + b"\r\n" + b"y" * 76 + b"\r\n" + b"z" * 77: b"x" * 75 + b"\r\n" + b"y" * 76 + b"\r\n" + b"z" * 75 + b"=\r\nzz",
          b"x" * 75 + b"=": b"x" * 75 + b"=\r\n=3D", b"x" * 74 + b"=": b"x" * 74 + b"=\r\n=3D", b"x" * 73 + b"=": b"x" * 73 + b"=3D",
          b"x" * 74 + b" \r\n": b"x" * 74 + b"=\r\n=20\r\n", b"\0\x7f\x1f~!$@": b"=00=7F=1F~!$@", b"a\r\r\nb": b"a=0D\r\nb"}


@pytest.mark.parametrize("data", QUOTED, ids=lambda d: repr(d[-8:]))
def test_quoted_printable(form, data):
    t = form("easy", ["name=e", "encoder=quoted-printable", b"data=" + data])
    assert t.bodies == [fields(field(b"e", QUOTED[data], b"\r\nContent-Transfer-Encoding: quoted-printable"))]
    assert t.requests[0].header("Transfer-Encoding") == "chunked"


@pytest.mark.parametrize("encoder", ["base64", "quoted-printable"])
def test_the_size_of_nothing_is_known(form, encoder):
    """A form with an empty part that quoted-printable codes had no length."""
    t = form("easy", ["name=e", f"encoder={encoder}", "data="])
    assert t.requests[0].header("Content-Length") and not t.requests[0].header("Transfer-Encoding")


@pytest.mark.parametrize("encoder", ["base64", "quoted-printable"])
@pytest.mark.parametrize("chunk", [1, 2, 7, 1000])
def test_encoders_and_callbacks_that_give_little(form, way, encoder, chunk):
    data = (b"some text, \xff\x00 and \r\nline ends \t\r\n" + b"=" * 60) * 20
    t = form(way, ["name=e", f"encoder={encoder}", f"size={len(data)}", f"chunk={chunk}", b"callback=" + data])
    coded = t.requests[0].body.split(b"\r\n\r\n", 1)[1].rsplit(b"\r\n--", 1)[0]
    decode = base64.b64decode if encoder == "base64" else lambda c: quopri.decodestring(c.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
    assert decode(coded) == data


def test_encoders_that_change_nothing(form):
    t = form("easy", ["encoder=binary", b"data=\xff"], ["encoder=8bit", b"data=\xff"], ["encoder=7bit", "data=a"], ["encoder=BINARY", "data=b"])
    head = b"Content-Disposition: form-data\r\nContent-Transfer-Encoding: %s\r\n\r\n%s"
    assert t.bodies == [fields(head % (b"binary", b"\xff"), head % (b"8bit", b"\xff"), head % (b"7bit", b"a"), head % (b"binary", b"b"))]


def test_7bit_refuses(form, way):
    assert form(way, ["name=e", "encoder=7bit", b"data=abc\xffdef"], cut=True).code == 26


def test_unknown_encoder(form):
    t = form("easy", ["name=a", "data=1", "encoder=base64", "encoder=x"])
    assert [f[-1] for f in t.run.of("form")] == [43] and t.bodies == [fields(field(b"a", b"1"))]


# ---------------------------------------------------------------- files

def test_files(form, way, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"text")
    (tmp_path / "big").write_bytes(b"z" * 300_000)
    (tmp_path / "none.html").write_bytes(b"")
    t = form(way, ["name=a", f"file={tmp_path}/a.txt"], ["name=b", f"file={tmp_path}/big"], ["name=c", f"file={tmp_path}/none.html"],
             ["name=d", f"file={tmp_path}/a.txt", "filename=other"], ["name=e", f"file={tmp_path}/a.txt", "filename"])
    assert t.bodies == [fields(
        field(b"a", b"text", b'; filename="a.txt"\r\nContent-Type: text/plain'),
        field(b"b", b"z" * 300_000, b'; filename="big"\r\nContent-Type: application/octet-stream'),
        field(b"c", b"", b'; filename="none.html"\r\nContent-Type: text/html'),
        field(b"d", b"text", b'; filename="other"\r\nContent-Type: text/plain'),
        field(b"e", b"text"))]
    assert t.requests[0].header("Content-Length")


def test_a_large_file_asks_first(form, way, tmp_path):
    (tmp_path / "big").write_bytes(bytes(2_000_000))
    t = form(way, ["name=b", f"file={tmp_path}/big", "encoder=base64"], EXPECT_100_TIMEOUT_MS=20)
    assert t.requests[0].header("Expect") == "100-continue" and len(t.requests[0].body) > 2_700_000


def test_a_file_that_is_not_there(form, tmp_path):
    t = form("easy", ["name=a", f"file={tmp_path}/none"], ["name=b", "data=1"])
    assert [f[-1] for f in t.run.of("form")] == [26]
    assert t.code == by_library(0, 26, 0)
    if not t.code:
        assert t.bodies == [fields(field(b"a", b""), field(b"b", b"1"))]


def test_a_file_that_has_gone(drive, server, tmp_path, way):
    (tmp_path / "a").write_bytes(b"x")
    server.default(Expect("POST", body=False), UntilClose())
    d = drive(way).easy(URL=server.url()).do("form", "m", "h").do("part", "m", "name=a", f"file={tmp_path}/a")
    d.setopt("h", MIMEPOST="m").do("mark", "made").start()
    d.expect("mark", "made")
    os.unlink(tmp_path / "a")
    assert d.perform().end()["h"].code == 26


def test_a_pipe(form, tmp_path):
    os.mkfifo(tmp_path / "p")
    pid = os.fork()
    if not pid:
        with open(tmp_path / "p", "wb") as f:
            f.write(b"through the pipe")
        os._exit(0)
    t = form("easy", ["name=a", f"file={tmp_path}/p"])
    os.waitpid(pid, 0)
    assert t.requests[0].header("Transfer-Encoding") == "chunked"
    assert t.bodies == [fields(field(b"a", b"through the pipe", b'; filename="p"\r\nContent-Type: application/octet-stream'))]


# ---------------------------------------------------------------- callbacks

def calls(t, tag):
    return [(f[2], int(f[3])) for f in t.run.lines if f[0] == "formcall" and f[1] == tag]


@pytest.mark.parametrize("size", [-1, 5])
def test_callback(form, way, size):
    t = form(way, ["name=a", f"size={size}", "chunk=3", "tag=c", "callback=hello"], ["name=b", "data=1"])
    assert t.bodies == [fields(field(b"a", b"hello"), field(b"b", b"1"))]
    assert (t.requests[0].header("Content-Length") is None) == (size < 0)
    assert (t.requests[0].header("Expect") is None) == (size >= 0)


@pytest.mark.skipif(SYSTEM, reason="libcurl sends all of it, after its length")
def test_callback_too_long(form, way):
    """The size that was announced stands."""
    assert form(way, ["name=a", "size=4", "callback=hello"]).bodies == [fields(field(b"a", b"hell"))]


def test_callback_too_short(form, ours_only):
    ours_only("libcurl leaves the server waiting")
    assert form("easy", ["name=a", "size=7", "callback=hello"], cut=True).code == 26


def test_callback_aborts(form, way):
    assert form(way, ["name=a", "chunk=3", f"turn=2:{ABORT}", "callback=hello"], cut=True).code == 42


def test_callback_returns_too_much(form, way):
    assert form(way, ["name=a", "chunk=3", "turn=2:99999999", "callback=hello"], cut=True).code == 26


@pytest.mark.parametrize("encoder", [[], ["encoder=base64"]], ids=str)
def test_callback_pauses(form, multi_way, encoder):
    until = 3000 if EMULATOR else 60  # milliseconds; a pause that comes later is never ended

    def run(d):
        d.do("add", "default", "h").do("drive", "default", "for", until).do("pause", "h", 0).do("drive", "default", "all")
    t = form(multi_way, ["name=a", "data=before"], ["name=b", *encoder, "tag=c", "chunk=3", f"turn=2:{PAUSE}", "callback=hello"],
             run=run)
    coded = base64.b64encode(b"hello") if encoder else b"hello"
    more = b"\r\nContent-Transfer-Encoding: base64" if encoder else b""
    assert t.bodies == [fields(field(b"a", b"before"), field(b"b", coded, more))]


# ---------------------------------------------------------------- again

def test_posts_again(form, way, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"text")
    t = form(way, ["name=a", "size=5", "tag=c", "callback=hello"], ["name=b", f"file={tmp_path}/a.txt", "encoder=base64"],
             ["name=c", "data=1"], times=3)
    assert len(t.bodies) == 3 and len(set(t.bodies)) == 1
    assert [c for c in calls(t, "c") if c[0] == "seek"] == [("seek", 0)] * 2


def test_a_part_without_content_is_sent_again(form):
    assert form("easy", ["name=a"], times=2).code == by_library(0, 65, 65)


@pytest.mark.parametrize("status", [301, 303, 307, 308])
def test_redirects(form, way, status, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"text")
    t = form(way, ["name=a", "size=5", "tag=c", "callback=hello"], ["name=b", f"file={tmp_path}/a.txt"], FOLLOWLOCATION=1,
             answers=[response(status, b"", ["Location: /two"]), response(200, b"ok")])
    assert [q.method for q in t.requests] == (["POST", "POST"] if status >= 307 else ["POST", "GET"])
    if status >= 307:
        assert t.bodies[0] == t.bodies[1]
        assert ("seek", 0) in calls(t, "c")


def test_cannot_rewind(form, way):
    t = form(way, ["name=a", "size=5", "noseek=1", "callback=hello"], FOLLOWLOCATION=1,
             answers=[response(307, b"", ["Location: /two"])])
    assert t.code == 65


def test_417_sends_it_again(form, way):
    t = form(way, ["name=a", "chunk=3", "callback=hello"], EXPECT_100_TIMEOUT_MS=20,
             answers=[response(417, b"")])
    assert t.bodies[-1] == fields(field(b"a", b"hello"))


def test_a_changed_form(form):
    t = form("easy", ["name=a", "data=1"], after=[("perform", "h"), ("part", "m", "name=b", "data=2")])
    assert t.bodies == [fields(field(b"a", b"1")), fields(field(b"a", b"1"), field(b"b", b"2"))]


def test_freed_subparts_leave_an_empty_part(drive, server):
    server.default(Serve(lambda q, p: response(200, b"ok")))
    d = drive().easy(URL=server.url()).do("form", "in", "h").do("part", "in", "data=1").do("form", "m", "h")
    d.do("part", "m", "name=out", "sub=in").do("freeinner", "in").setopt("h", MIMEPOST="m").perform()
    assert d.run()["h"].code == 0
    assert plain(server.asked()[0]) == fields(field(b"out", b""))


# ---------------------------------------------------------------- handles and options

def test_a_form_that_is_freed_leaves_its_handle(drive, server, way):
    server.default(Serve(lambda q, p: response(200, b"ok")))
    d = drive(way).easy(URL=server.url()).do("form", "m", "h").do("part", "m", "name=a", "data=b").setopt("h", MIMEPOST="m")
    r = d.do("dup", "h", "g").do("freeform", "m").perform("h").do("cleanup", "h").perform("g").do("cleanup", "g").run()
    assert (r["h"].code, r["g"].code) == (0, 0)
    first, second = server.asked()
    assert b"name=" not in first.body
    assert b'name="a"' in second.body


def test_a_form_has_one_place(drive, server):
    server.default(Serve(lambda q, p: response(200, b"ok")))
    d = drive().easy(URL=server.url()).easy("g").do("form", "m", "h").do("form", "o", "h").do("part", "m", "name=a", "data=b")
    d.setopt("h", MIMEPOST="m").setopt("h", MIMEPOST="m").setopt("g", MIMEPOST="m").do("part", "o", "sub=m")
    d.setopt("h", MIMEPOST=None).setopt("g", MIMEPOST="m").setopt("g", MIMEPOST=None).do("part", "o", "sub=m")
    r = d.setopt("g", MIMEPOST="m").do("cleanup", "h", "g").do("freeform", "o").run()
    assert [f[-1] for f in r.of("setopt", "g")] == [43, 43]
    assert [f[-1] for f in r.of("form")] == [43]


def test_a_copied_handle_has_its_own_form(drive, server, way, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"text")
    server.default(Serve(lambda q, p: response(200, b"ok")))
    d = drive(way).easy(URL=server.url()).do("form", "in", "h").do("part", "in", "name=i", "data=inner")
    d.do("form", "m", "h").do("part", "m", "name=a", f"file={tmp_path}/a.txt", "encoder=base64", "header=X: y")
    d.do("part", "m", "name=b", "sub=in").do("part", "m", "name=c", "tag=c", "callback=hello")
    d.setopt("h", MIMEPOST="m").do("dup", "h", "g").perform("h").do("cleanup", "h").do("freeform", "m")
    r = d.perform("g").do("cleanup", "g").run()
    assert r["g"].code == 0
    first, second = [plain(q) for q in server.asked()]
    assert second.endswith(b"hello\r\n--<0>--\r\n") or second.endswith(b"\r\n\r\n\r\n--<0>--\r\n")
    assert first.split(b'name="c"')[0] == second.split(b'name="c"')[0]
    assert len([f for f in r.lines if f[0] == "formcall" and f[2] == "free"]) == 2


@pytest.mark.parametrize("options,method,is_form", [
    ({"NOBODY": 1}, "HEAD", False), ({"HTTPGET": 1}, "GET", False), ({"POST": 0}, "GET", False),
    ({"POSTFIELDS": "x=y"}, "POST", False), ({"CUSTOMREQUEST": "PATCH"}, "PATCH", True)], ids=str)
def test_the_last_method_wins(form, options, method, is_form):
    after = [("setopt", "h", k, v) for k, v in options.items()]
    q = form("easy", ["name=a", "data=1"], after=after).requests[0]
    assert q.method == method and ((q.header("Content-Type") or "").startswith("multipart/") == is_form)


def test_a_form_makes_a_head_request_a_post(form):
    assert form("easy", ["name=a", "data=1"], NOBODY=1).requests[0].method == "POST"


def test_http_10_cannot_be_chunked(form):
    assert form("easy", ["name=a", "encoder=quoted-printable", "data=1"], HTTP_VERSION=1).code == 25


def test_a_form_is_not_resumed(form):
    assert form("easy", ["name=a", "data=1"], RESUME_FROM=5).code == by_library(43, 0, 43)


def test_infos(drive, server):
    server.default(Serve(lambda q, p: response(200, b"ok")))
    d = drive().easy(URL=server.url()).do("form", "m", "h").do("part", "m", "name=a", "data=1").setopt("h", MIMEPOST="m")
    r = d.perform().getinfo("h", "SIZE_UPLOAD_T", "CONTENT_LENGTH_UPLOAD_T", "EFFECTIVE_METHOD").run()
    n = len(server.asked()[0].body)
    assert [f[-1] for f in r.of("info")] == [n, n, "POST"]


# ---------------------------------------------------------------- curl_formadd(3)

def old(drive, server, *posts, way="easy", **options):
    server.default(Serve(lambda q, p: response(200, b"ok")))
    d = drive(way).easy(URL=server.url(), **options)
    for post in posts:
        d.do("post", "p", *post)
    d.setopt("h", HTTPPOST="p").perform().do("formget", "p").do("cleanup", "h").do("freepost", "p")
    r = d.run()
    return r, [plain(q) for q in server.asked()]


def test_formadd(drive, server, way, tmp_path):
    for name in ("a.txt", "b.png", "none"):
        (tmp_path / name).write_bytes(b"file")
    r, bodies = old(drive, server, ["name=a", "contents=1"], ["ptrname=bxx", "namelength=1", "ptrcontents=2yyy", "length=1"],
                    ["name=c", f"file={tmp_path}/a.txt"], ["name=d", f"filecontent={tmp_path}/a.txt"],
                    ["name=e", "buffer=x.html", "bufferptr=abcdef", "bufferlength=3"],
                    ["name=f", "contents=x", "type=q/r", "header=X-Y: z"], ["name=g", f"file={tmp_path}/none", "filename=n.gif"],
                    ["name=h", "contents=longer", "length=4"], way=way)
    octets = b"\r\nContent-Type: application/octet-stream"
    assert bodies == [fields(
        field(b"a", b"1"), field(b"b", b"2"), field(b"c", b"file", b'; filename="a.txt"\r\nContent-Type: text/plain'),
        field(b"d", b"file"), field(b"e", b"abc", b'; filename="x.html"\r\nContent-Type: text/html'),
        field(b"f", b"x", b"\r\nContent-Type: q/r\r\nX-Y: z"), field(b"g", b"file", b'; filename="n.gif"' + octets),
        field(b"h", b"long"))]
    rc, text = r.of("formget")[-1][-2:]
    assert rc == 0


def test_formadd_several_files(drive, server, tmp_path):
    for name in ("a.txt", "b.png"):
        (tmp_path / name).write_bytes(b"file")
    _, bodies = old(drive, server, ["name=d", f"file={tmp_path}/a.txt", f"file={tmp_path}/b.png", "type=x/y"])
    inner = (b'--<1>\r\nContent-Disposition: attachment; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nfile\r\n'
             b'--<1>\r\nContent-Disposition: attachment; filename="b.png"\r\nContent-Type: x/y\r\n\r\nfile\r\n--<1>--\r\n')
    assert bodies == [fields(field(b"d", inner, b"\r\nContent-Type: multipart/mixed; boundary=<1>"))]


@pytest.mark.parametrize("files, types", [
    (["none", "none", "type=x/y", "none"], ["application/octet-stream", "x/y", "x/y"]),
    (["none", "type=x/y", "a.txt", "none"], ["x/y", "text/plain", "text/plain"]), (["a.html", "none"], ["text/html", "text/html"]),
    (["none", "type=x/y", "none", "type=z/w", "none"], ["x/y", "z/w", "z/w"]), (["none", "a.txt"], ["application/octet-stream", "text/plain"])])
def test_formadd_types_of_several_files(drive, server, tmp_path, files, types):
    """A file whose name says nothing of its type has that of the file before it. It had application/octet-stream."""
    for name in ("a.txt", "a.html", "none"):
        (tmp_path / name).write_bytes(b"")
    _, bodies = old(drive, server, ["name=d", *(f if "=" in f else f"file={tmp_path}/{f}" for f in files)], ["name=e", f"file={tmp_path}/none"])
    found = [line[14:].decode() for line in bodies[0].split(b"\r\n") if line.startswith(b"Content-Type: ") and b"mixed" not in line]
    assert found == [*types, "application/octet-stream"]


@not_debian("reads it on from its end")
@pytest.mark.parametrize("offset, sent", [(0, b"0123456789"), (4, b"456789")])
def test_formadd_from_stdin_again(drive, server, tmp_path, offset, sent):
    """After a redirect it is rewound, as it can be; the transfer ended with CURLE_SEND_FAIL_REWIND."""
    (tmp_path / "in").write_bytes(b"0123456789")
    server.default(Serve(lambda q, p: response(307, b"", ["Location: /two"]) if q.target == "/" else response(200, b"ok")))
    d = drive().easy(URL=server.url(), FOLLOWLOCATION=1).do("post", "p", "name=a", "file=-").do("stdin", tmp_path / "in", offset)
    r = d.setopt("h", HTTPPOST="p").perform().do("stdin").do("cleanup", "h").do("freepost", "p").run()
    assert r["h"].code == 0
    assert [plain(q) for q in server.asked()] == [fields(field(b"a", text, b"\r\nContent-Type: application/octet-stream"))
                                                for text in (sent, b"0123456789")]


FORMADD_ERRORS = [
    (5, []), (5, ["name=a"]), (2, ["name=a", "name=b"]), (5, ["contents=1"]), (3, ["name"]), (3, ["name=a", "contents"]),
    (2, ["name=a", "contents=x", "contents=y"]), (3, ["name=a", "file"]), (4, ["what=x"]), (5, ["name=a", "buffer=x"]),
    (5, ["name=a", "type=x/y"]), (2, ["name=a", "contents=x", "file=/dev/null"]), (2, ["name=a", "file=/dev/null", "contents=x"]),
    (2, ["name=a", "contents=x", "filename=1", "filename=2"]), (2, ["name=a", "contents=x", "type=1", "type=2"]),
    (2, ["name=a", "namelength=1", "namelength=1", "contents=x"]), (3, ["name=a", "stream"]), (2, ["name=a", "ptrname=b"]),
    (2, ["name=a", "header=a: b", "header=a: b", "contents=x"]), (2, ["name=a", "filecontent=/dev/null", "filecontent=/dev/null"]),
    *((2, ["name=a", first, then]) for first in ("stream=h", "bufferptr=x") for then in ("contents=y", "ptrcontents=y", "file=/dev/null")),
    (5, ["name=a", "file=/dev/null", "length=1"]), (5, ["name=a", "length=1", "file=/dev/null"]),
]


@pytest.mark.parametrize("code,options", FORMADD_ERRORS, ids=str)
def test_formadd_errors(drive, code, options):
    r = drive().easy().do("post", "p", *options).run()
    assert [f[-1] for f in r.of("post")] == [code]


def test_formadd_buffer_without_bytes(drive, server, tmp_path):
    """Its name is that of a file or of a stream. Without either such a part was refused."""
    (tmp_path / "f.txt").write_bytes(b"file")
    r, bodies = old(drive, server, ["name=a", "contents=1", "buffer=x"], ["name=b", "buffer=x", "ptrcontents=2"],
                    ["name=c", f"file={tmp_path}/f.txt", "buffer=x"], ["name=d", "buffer=x", f"filecontent={tmp_path}/f.txt"])
    assert r["h"].code == 0 and not r.of("post")
    assert bodies == [fields(field(b"a", b"1"), field(b"b", b"2"), field(b"c", b"file", b'; filename="x"\r\nContent-Type: text/plain'),
                             field(b"d", b"file"))]


def test_formadd_file_content_after_a_stream(drive, server, tmp_path):
    """Its path was not freed with the form."""
    (tmp_path / "f").write_bytes(b"file")
    if SANITIZED or SYSTEM:
        pytest.skip("counts the blocks of our library")
    server.default(Serve(lambda q, p: response(200, b"ok")))
    d = drive(fault=True).easy(URL=server.url()).do("post", "p", "name=a", "stream=h", f"filecontent={tmp_path}/f")
    d.setopt("h", HTTPPOST="p").perform().do("cleanup", "h").do("freepost", "p").do("mcleanup", "default").do("freelists")
    r = d.do("fault", "live").run()
    assert r["h"].code == 0 and [plain(q) for q in server.asked()] == [fields(field(b"a", b"file"))]
    assert r.code("fault", "live") == 0


def test_formadd_stream_after_file_content(drive, server, tmp_path):
    """The stream takes the place of the file. The transfer crashed, as it does with the newest libcurl."""
    (tmp_path / "f").write_bytes(b"file")
    if SYSTEM:
        pytest.skip("libcurl crashes")
    server.default(Serve(lambda q, p: response(200, b"ok")))
    d = drive().easy(URL=server.url()).body("h", b"of the stream")
    d.do("post", "p", "name=a", f"filecontent={tmp_path}/f", "stream=h")
    r = d.setopt("h", HTTPPOST="p").perform().do("cleanup", "h").do("freepost", "p").run()
    assert r["h"].code == 0 and [plain(q) for q in server.asked()] == [fields(field(b"a", b"of the stream"))]


def test_formadd_null_is_an_empty_post(drive, server):
    server.default(Serve(lambda q, p: response(200, b"ok")))
    assert drive.get(URL=server.url(), HTTPPOST=None).code == 0
    assert server.asked()[0].method == "POST"


# ---------------------------------------------------------------- calls that fail

@pytest.mark.parametrize("way", ["easy", "poll", "socket"])
@pytest.mark.parametrize("kind", ["alloc", "call"])
def test_every_failure(drive, server, tmp_path, way, kind):
    if SANITIZED or SYSTEM:
        pytest.skip("of our library, without a sanitizer")
    leave_out(way)
    server.default(Serve(lambda q, p: response(307, b"", ["Location: /two"]) if q.target == "/" else response(200, b"ok")))
    (tmp_path / "a.txt").write_bytes(b"text" * 9000)
    d = drive(way, fault=True, seconds=240).do("tolerant", 1)
    options = {"URL": server.url("/"), "TIMEOUT": 10, "FOLLOWLOCATION": 1}
    for n in range(70):
        d.do("mark", n)
        if n:
            d.do("fault", "arm", kind, n)
        d.easy("h", **options).do("enable", "h", "quiet").do("form", "in", "h").do("part", "in", "name=i", "data=" + "x" * 200)
        d.do("form", "m", "h").do("part", "m", "name=a", f"file={tmp_path}/a.txt", "encoder=base64")
        d.do("part", "m", "name=b", "sub=in").do("part", "m", "name=c", "type=a/b", "header=X: y", "size=5", "callback=hello")
        d.setopt("h", MIMEPOST="m").do("dup", "h", "g").perform("h").do("fault", "disarm")
        d.do("again", "h").setopt("h", **options).setopt("h", MIMEPOST="m").perform("h")
        d.do("cleanup", "h", "g").do("freeform", "m").do("freeform", "in").do("mcleanup", "default").do("freelists").do("fault", "live").do("fds")
    check(d.run(), {0, 27, 26, 65, 6, 7, 55, 56, 52, 2})
