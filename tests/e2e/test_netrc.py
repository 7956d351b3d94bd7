"""Credentials from a netrc file (CURLOPT_NETRC(3)): what is read, who gets it, and when the file is read again."""

import base64
import os

import pytest

from mote_driver import NEWEST, SANITIZED, SYSTEM, by_library
from server import Serve, response
from test_faults import check, leave_out

ONE = "machine 127.0.0.1 login u password p\n"
TWO = "machine 127.0.0.1 login a password 1\nmachine 127.0.0.1 login b password 2\n"
DEFAULT = "default login d password q\n"
not_debian = pytest.mark.skipif(SYSTEM and not NEWEST, reason="Debian's reads it otherwise")


def sent(requests):
    """What each request says that it is, decoded."""
    found = []
    for q in requests:
        field = q.header("Authorization")
        found.append(base64.b64decode(field.split()[1]) if field and field.startswith("Basic ") else field)
    return found


@pytest.fixture
def ask(drive, server, tmp_path):
    """ask(way, content, userinfo, …) gets a page with a netrc of that content; the Transfer, with .sent."""
    def get(way, content, userinfo="", mode=2, to=None, **options):
        def answer(q, peer):
            return response(302, b"", ["Location: " + to]) if to and q.target == "/" else response(200, b"ok")
        server.default(Serve(answer))
        if content is not None:
            (tmp_path / "netrc").write_bytes(content if isinstance(content, bytes) else content.encode("latin-1"))
        t = drive.get(way, URL=server.url("/", userinfo=userinfo), NETRC=mode, NETRC_FILE=tmp_path / "netrc", **options)
        t.sent = sent(server.asked())
        return t

    return get


FILES = [  # content, what is sent
    (ONE, b"u:p"), ("", None), ("machine x login u password p\n", None), (DEFAULT, b"d:q"), (DEFAULT + ONE, b"d:q"),
    (ONE + DEFAULT, b"u:p"), ("machine 127.0.0.1 login u\n", b"u:"), ("machine 127.0.0.1 password p\n", b":p"),
    ("machine 127.0.0.1\n" + DEFAULT, b"d:q"), (TWO, b"a:1"),
    ("machine 127.0.0.1 password p login u", b"u:p"), ("machine\n127.0.0.1\nlogin\nu\npassword\np", b"u:p"),
    ("machine\t127.0.0.1\tlogin\tu\tpassword\tp\r\n", b"u:p"), ("MACHINE 127.0.0.1 Login u PASSWORD p", b"u:p"),
    ("# machine 127.0.0.1 login x password y\n" + ONE, b"u:p"), ("machine 127.0.0.1 login u #c\npassword p", b"u:p"),
    ("machine 127.0.0.1 login u password p#q\n", b"u:p#q"), ("macdef a\nmachine 127.0.0.1 login x\n\n" + ONE, b"u:p"),
    ("macdef a\n foo\n", None),
    ('machine "127.0.0.1" login "u v" password "p\\"\\n\\r\\t\\\\\\x"', b'u v:p"\n\r\t\\x'),
    ('machine 127.0.0.1 login u"x password p"y', b'u"x:p"y'), ('machine 127.0.0.1 login u password ""', b"u:"),
    ("machine 127.0.0.1 login machine password login", b"machine:login"), ("machine 127.0.0.1 login u password", b"u:"),
    ("machine", None), ("machine 127.0.0.10 login x password y machine 127.0.0 login x password z", None),
    (b"machine 127.0.0.1 login \xff password p\xe9", b"\xff:p\xe9"), ("machine 127.0.0.1 login u password " + "p" * 3000, b"u:" + b"p" * 3000),
]
NEWER = [  # what Debian's reads otherwise
    ("machine 127.0.0.1 login u\n" + DEFAULT, b"u:"), ("machine 127.0.0.1 account login login u password p", b"u:p"),
    ("machine 127.0.0.1 login a\nmachine 127.0.0.1 login b password 2\n", b"a:"), ("machine 127.0.0.1 login u password #p", b"u:#p"),
    ("machine 127.0.0.1 password 1\nmachine 127.0.0.1 login b password 2\n", b":1"),
    ("machine 127.0.0.1 login a password 1 login b password 2\n", b"b:2"), ('machine 127.0.0.1 login "" password ""', None),
    ("machine 127.0.0.1 login u\nmacdef a\ncd x\npassword z\n\npassword p\n", b"u:"), ('machine 127.0.0.1 "login" u password p', b":p"),
    ('machine 127.0.0.1 login u password "p\nq"', b"u:p\nq"), (b"machine 127.0.0.1 login u\0 password p", b"u:"),
]


@pytest.mark.parametrize("content,expected", FILES, ids=lambda v: repr(v)[-28:])
@pytest.mark.parametrize("mode", [1, 2])
def test_files(ask, content, expected, mode):
    assert ask("easy", content, mode=mode).sent == [expected]


@not_debian
@pytest.mark.parametrize("content,expected", NEWER, ids=lambda v: repr(v)[-28:])
def test_files_that_newer_ones_read(ask, content, expected):
    assert ask("easy", content).sent == [expected]


@pytest.mark.parametrize("content", ['machine 127.0.0.1 login u password "p', 'machine x login "u\n' + ONE])
@pytest.mark.parametrize("mode", [pytest.param(1, marks=not_debian), 2])
def test_a_quote_without_end(ask, way, content, mode):
    t = ask(way, content, mode=mode)
    assert (t.code, t.sent) == ((26, []) if mode == 2 else (0, [None]))


@not_debian
@pytest.mark.parametrize("content", [None, b"", "directory"], ids=str)
@pytest.mark.parametrize("mode", [1, 2])
def test_a_file_that_is_not_there(ask, tmp_path, content, mode, way):
    if content == "directory":
        (tmp_path / "netrc").mkdir()
        content = None
    t = ask(way, content, mode=mode)
    assert (t.code, t.sent) == ((26, []) if mode == 2 and content is None else (0, [None]))


LOGINS = [  # content, user of the URL, options, what is sent: optional, required
    (TWO, "b@", {}, b"b:2", b"b:2"), (TWO, "c@", {}, b"c:", b"c:"), (TWO + DEFAULT, "c@", {}, b"c:", b"c:"),
    ("machine 127.0.0.1 password p", "c@", {}, b"c:p", b"c:p"), (TWO, "c:x@", {}, b"c:x", b"c:x"), (TWO, "b:x@", {}, b"b:x", b"b:2"),
    (TWO, "b:@", {}, b"b:2", b"b:2"), (TWO, "%62@", {}, b"b:2", b"b:2"), (TWO, "", {"USERPWD": "b:y"}, b"b:y", b"b:y"),
    (TWO, "", {"USERPWD": "c:"}, b"c:", b"c:"), (TWO, "", {"USERNAME": "b"}, b"b:", b"b:"),
    (ONE, "", {"HTTPHEADER": ["Authorization: x"]}, "x", "x"),
    ("machine 127.0.0.1 password 1 login a\nmachine 127.0.0.1 password 2 login b", "b@", {}, b"b:2", b"b:2"),
]


@not_debian
@pytest.mark.parametrize("content,userinfo,options,optional,required", LOGINS, ids=str)
@pytest.mark.parametrize("mode", [1, 2])
def test_who_is_asked_for(ask, content, userinfo, options, optional, required, mode):
    assert ask("easy", content, userinfo, mode=mode, **options).sent == [required if mode == 2 else optional]


@not_debian
@pytest.mark.parametrize("userinfo,options", [(":x@", {}), ("", {"USERPWD": ":"})], ids=str)
def test_an_empty_user_is_none(ask, userinfo, options):
    assert ask("easy", TWO, userinfo, **options).sent == [b"a:1"]


def test_ignored(ask):
    assert ask("easy", ONE, mode=0).sent == [None]


OTHER = "machine localhost login l password q\n"
REDIRECTS = [  # content, user of the URL, of the target, options, what is sent
    (ONE + OTHER, "", "localhost", {}, [b"u:p", b"l:q"]), (ONE, "", "localhost", {}, [b"u:p", None]),
    (OTHER, "", "localhost", {}, [None, b"l:q"]), (ONE, "", "127.0.0.1", {}, [b"u:p", b"u:p"]),
    (DEFAULT, "", "localhost", {}, [b"d:q", b"d:q"]),
    pytest.param(OTHER, "x:y@", "localhost", {}, [b"x:y", b"l:q"], marks=not_debian),
    (OTHER, "", "l@localhost", {}, [None, b"l:q"]),
]


@pytest.mark.parametrize("content,userinfo,target,options,expected", REDIRECTS, ids=str)
def test_redirects(ask, server, way, content, userinfo, target, options, expected):
    to = f"http://{target}:{server.port}/two"
    assert ask(way, content, userinfo, to=to, FOLLOWLOCATION=1, **options).sent == expected


@not_debian
def test_credentials_of_a_file_stay_with_their_host(ask, server):
    to = f"http://localhost:{server.port}/two"
    assert ask("easy", ONE, to=to, FOLLOWLOCATION=1, UNRESTRICTED_AUTH=1).sent == [b"u:p", None]


def test_in_the_home_folder(drive, server, tmp_path):
    server.default(Serve(lambda q, p: response(200, b"ok")))
    (tmp_path / ".netrc").write_text(ONE)
    t = drive.get(URL=server.url(), NETRC=1, env={"HOME": str(tmp_path)})
    assert t.code == 0 and sent(server.asked()) == [b"u:p"]


@not_debian
@pytest.mark.parametrize("named,expected", [(None, b"n:p"), ("", None), ("own", b"o:p")], ids=str)
def test_the_variable_names_the_file(drive, server, tmp_path, named, expected):
    """$NETRC counts before the home folder and after the option. An empty one is none."""
    server.default(Serve(lambda q, p: response(200, b"ok")))
    for name, user in (("n", "n"), ("own", "o"), (".netrc", "h")):
        (tmp_path / name).write_text(f"machine 127.0.0.1 login {user} password p\n")
    options = {} if named is None else {"NETRC_FILE": named and tmp_path / named}
    d = drive(env={"HOME": str(tmp_path), "NETRC": str(tmp_path / "n")}).easy(URL=server.url(), NETRC=1, **options).perform()
    d.do("setenv", "NETRC", "").perform().do("setenv", "NETRC", tmp_path / "none").perform().run()
    assert sent(server.asked()) == [expected] + ([b"h:p", None] if named is None else [expected] * 2)


def test_a_file_that_changes_is_read_again(drive, server, tmp_path, way):
    server.default(Serve(lambda q, p: response(200, b"ok")))
    d = drive(way).easy(URL=server.url(), NETRC=1, NETRC_FILE=tmp_path / "netrc")
    for i, content in enumerate((ONE, ONE, "machine 127.0.0.1 login u2 password p2\n", None, DEFAULT)):
        if content is None:
            os.unlink(tmp_path / "netrc")
        else:
            (tmp_path / "netrc").write_text(content)
        if not i:
            d.start()
        d.perform().do("mark", i)
        d.expect("mark", str(i))
    d.end()
    assert sent(server.asked()) == [b"u:p", b"u:p", b"u2:p2", None, b"d:q"]


def test_options_that_change_between_transfers(drive, server, tmp_path):
    server.default(Serve(lambda q, p: response(200, b"ok")))
    (tmp_path / "netrc").write_text(TWO)
    d = drive().easy(URL=server.url(), NETRC=2, NETRC_FILE=tmp_path / "netrc").perform()
    d.setopt("h", NETRC=0).perform().setopt("h", NETRC=1).perform().setopt("h", USERPWD="x:y").perform()
    d.setopt("h", USERPWD=None, URL=server.url(userinfo="b@")).perform().setopt("h", NETRC_FILE=tmp_path / "none").perform()
    d.do("reset", "h").setopt("h", URL=server.url()).perform().run()
    assert sent(server.asked()) == [b"a:1", None, b"a:1", b"x:y", b"b:2", b"b:", None]


BEARER = "a token"
REPEATS = [  # options between two pairs of requests, what each of the second pair sends, the options that take them back
    ({"HTTPHEADER": ["Authorization: own"]}, "own", {"HTTPHEADER": None}), ({"HTTPAUTH": 2}, None, {"HTTPAUTH": 1}),
    ({"HTTPAUTH": 64, "XOAUTH2_BEARER": BEARER}, "Bearer " + BEARER, {"HTTPAUTH": 1}), ({"NETRC": 0}, None, {"NETRC": 1}),
    ({"USERPWD": "x:y"}, b"x:y", {"USERPWD": None}),
]


@pytest.mark.parametrize("options,expected,back", REPEATS, ids=str)
def test_a_further_request_repeats_only_what_is_still_true(drive, server, tmp_path, way, options, expected, back):
    server.default(Serve(lambda q, p: response(200, b"ok")))
    (tmp_path / "netrc").write_text(TWO)
    d = drive(way).easy(URL=server.url(), NETRC=1, NETRC_FILE=tmp_path / "netrc").perform().perform().perform()
    d.setopt("h", **options).perform().perform().setopt("h", **back).perform().perform().run()
    assert sent(server.asked()) == [b"a:1"] * 3 + [expected] * 2 + [b"a:1"] * 2


@pytest.mark.parametrize("keeps", [True, False])
def test_a_chain_repeats_nothing_for_another_host(drive, server, tmp_path, way, keeps):
    """The field is the first host's, whether it comes before or after the other one."""
    to, asked = f"http://localhost:{server.port}/two", []

    def answer(q, peer):
        asked.append(q)
        return response(302, b"", ["Location: " + to]) if q.target == "/" else response(200, b"ok")
    server.default(Serve(answer))
    (tmp_path / "netrc").write_text(ONE)
    d = drive(way).easy(URL=server.url("/"), NETRC=1, NETRC_FILE=tmp_path / "netrc", FOLLOWLOCATION=1).perform().perform()
    d.setopt("h", URL=server.url("/three") if keeps else to).perform().perform().run()
    assert sent(asked) == [b"u:p", None] * 2 + [b"u:p" if keeps else None] * 2


def test_a_copied_handle_looks_itself(drive, server, tmp_path):
    server.default(Serve(lambda q, p: response(200, b"ok")))
    (tmp_path / "netrc").write_text(ONE)
    d = drive().easy(URL=server.url(), NETRC=2, NETRC_FILE=tmp_path / "netrc").perform().do("dup", "h", "g")
    d.do("cleanup", "h").perform("g").run()
    assert sent(server.asked()) == [b"u:p", b"u:p"]


@not_debian
@pytest.mark.parametrize("content", ['login u password "p\\r\\nDELE x"', 'login "u\\nx" password p', 'login u password "p\\tq"'])
@pytest.mark.parametrize("scheme", ["ftp", "imap", "pop3", "smtp", "rtsp", "mqtt", "telnet", "ldap", "sftp"])
def test_control_characters_are_for_http_alone(drive, server, tmp_path, scheme, content):
    """No command has them, so that there is no connection (libcurl's test 480)."""
    (tmp_path / "netrc").write_text("machine 127.0.0.1 " + content)
    t = drive.get(URL=f"{scheme}://{server.authority}/x", NETRC=2, NETRC_FILE=tmp_path / "netrc", info=["NUM_CONNECTS"])
    assert (t.code, t.info["NUM_CONNECTS"]) == (26, 0)


@not_debian
def test_control_characters_of_basic_are_coded(ask):
    assert ask("easy", 'machine 127.0.0.1 login u password "p\\r\\nq"').sent == [b"u:p\r\nq"]


def test_a_word_has_a_ceiling(ask, ours_only):
    ours_only("a limit of ours")
    assert ask("easy", ONE.replace("p\n", "p" * 5000)).code == 26


@pytest.mark.parametrize("way", ["easy", "poll", "socket"])
@pytest.mark.parametrize("kind", ["alloc", "call"])
def test_every_failure(drive, server, tmp_path, way, kind):
    if SANITIZED or SYSTEM:
        pytest.skip("of our library, without a sanitizer")
    leave_out(way)
    server.default(Serve(lambda q, p: response(307, b"", [f"Location: http://b@127.0.0.1:{server.port}/two"]) if q.target == "/"
                         else response(200, b"ok")))
    (tmp_path / "netrc").write_text("# " + "x" * 600 + "\n" + TWO)
    d = drive(way, fault=True, seconds=240).do("tolerant", 1)
    options = {"URL": server.url("/"), "TIMEOUT": 10, "FOLLOWLOCATION": 1, "NETRC": 2, "NETRC_FILE": tmp_path / "netrc"}
    for n in range(70):
        d.do("mark", n)
        if n:
            d.do("fault", "arm", kind, n)
        d.easy("h", **options).do("enable", "h", "quiet").perform("h").do("fault", "disarm")
        d.do("again", "h").setopt("h", **options).perform("h")
        d.do("cleanup", "h").do("mcleanup", "default").do("freelists").do("fault", "live").do("fds")
    check(d.run(), {0, 27, 26, 6, 7, 55, 56, 52, 2})
