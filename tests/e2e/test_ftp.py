"""FTP against scripted servers: logins, directories, files in both directions, listings, what the server refuses."""

import threading
import time

import pytest

from command_server import Command, Say
from ftp_server import END, OPEN, QUIT, Active, Give, Passive, Take, download, login, lose, part, upload
from mote_driver import COND_IFMODSINCE, SYSTEM, by_library, crc, not_debian, pattern
from proxies import Socks5, Tunnel
from script import Call, Close, Read, ScriptServer, Send, UntilClose
from server import Expect, Reply

TEXT = b"hello world\n"


@pytest.fixture
def ftp(make_server):
    return make_server(cls=ScriptServer)


def url(server, path="", login=""):
    return f"ftp://{login}{server.authority}/{path}"


# ---------------------------------------------------------------- what works

def test_download(drive, ftp, way):
    ftp.script(*login(), Command("CWD dir", "250 ok"), *download("file.txt", TEXT), QUIT)
    r = drive(way).easy(URL=url(ftp, "dir/file.txt")).perform().getinfo(
        "h", "RESPONSE_CODE", "FTP_ENTRY_PATH", "SIZE_DOWNLOAD_T", "NUM_CONNECTS", "HEADER_SIZE").run()
    t = r["h"]
    assert (t.code, t.body) == (0, TEXT)
    assert t.info == {"RESPONSE_CODE": 226, "FTP_ENTRY_PATH": "/", "SIZE_DOWNLOAD_T": len(TEXT), "NUM_CONNECTS": 2,
                      "HEADER_SIZE": by_library(0, t.info["HEADER_SIZE"])}


def test_large_download(drive, ftp, way):
    data = bytes(pattern(3_000_000))
    ftp.script(*login(), *download("big", data), QUIT)
    t = drive.get(way, URL=url(ftp, "big"))
    assert (t.code, t.length, t.crc) == (0, len(data), crc(data))


@pytest.mark.parametrize("cuts", ["each", "whole"])
def test_replies_in_pieces(drive, ftp, cuts):
    banner = b"220-many\r\n220-lines\r\n 220 not the end\r\ntext\r\n220 here\r\n"
    ftp.script(Send(banner, cuts="each" if cuts == "each" else ()), Command("USER anonymous", "331-x\n331 y"),
               *login()[2:], *download("f", TEXT), QUIT)
    assert drive.get(URL=url(ftp, "f")).body == TEXT


def test_upload(drive, ftp, way):
    data = bytes(pattern(200_000))
    ftp.script(*login(), *upload("new", data), QUIT)
    d = drive(way).easy(URL=url(ftp, "new"), UPLOAD=1, INFILESIZE=len(data))
    r = d.body("h", len(data)).perform().getinfo("h", "SIZE_UPLOAD_T").run()
    assert (r["h"].code, r["h"].info["SIZE_UPLOAD_T"]) == (0, len(data))


@pytest.mark.parametrize("options, command", [({}, "LIST"), ({"DIRLISTONLY": 1}, "NLST"),
                                              ({"CUSTOMREQUEST": "LIST -a"}, "LIST -a")])
def test_listing(drive, ftp, options, command):
    ftp.script(*login(), Command("CWD a", "250 ok"), Passive(), Command("TYPE A", "200 ok"),
               Command(command, "150 ok"), Give(b"one\r\ntwo\r\n"), QUIT)
    assert drive.get(URL=url(ftp, "a/"), **options).body == b"one\ntwo\n"


def test_names_in_place_of_a_file(drive, ftp):
    """CURLOPT_DIRLISTONLY: the file was sent."""
    ftp.script(*login(), Command("CWD a", "250 ok"), Passive(), Command("TYPE A", "200 ok"), Command("NLST", "150 ok"), Give(b"f\r\n"), QUIT)
    assert drive.get(URL=url(ftp, "a/f"), DIRLISTONLY=1).body == b"f\n"


def test_quotes_after_an_empty_list(drive, ftp):
    """450 says that no file is there, which is no failure."""
    ftp.script(*login(), Passive(), Command("TYPE A", "200 ok"), Command("LIST", "450 none"), Command("NOOP", "200 ok"), QUIT)
    t = drive.get(URL=url(ftp, ""), POSTQUOTE=["NOOP"])
    assert (t.code, t.body) == (0, b"")


@pytest.mark.parametrize("path, command", [("a/f", "NLST a"), ("a/f;type=d", "NLST a"), ("a/b/", "NLST a/b"), ("f", "NLST")])
def test_names_without_cwd(drive, ftp, path, command):
    """Of the directory, not of the file: the file's name was sent."""
    ftp.script(*login(), Passive(), Command("TYPE A", "200 ok"), Command(command, "150 ok"), Give(b"f\r\n"), QUIT)
    assert drive.get(URL=url(ftp, path), DIRLISTONLY=1, FTP_FILEMETHOD=2).body == b"f\n"


@pytest.mark.parametrize("path, steps", [("f", [Command("TYPE I", "200 ok"), Command("SIZE f", "213 3"), Command("REST 0", "350 ok")]), ("", [])])
def test_commands_around_facts_alone(drive, ftp, path, steps):
    """CURLOPT_PREQUOTE came before SIZE, and was left out for a directory."""
    ftp.script(*login(), *steps, Command("NOOP", "200 ok"), Command("DELE x", "250 ok"), QUIT)
    assert drive.get(URL=url(ftp, path), NOBODY=1, PREQUOTE=["NOOP"], POSTQUOTE=["DELE x"]).code == 0


def test_facts_in_place_of_names(drive, ftp):
    ftp.script(*login(), Command("TYPE I", "200 ok"), Command("SIZE f", "213 3"), Command("REST 0", "350 ok"), QUIT)
    assert drive.get(URL=url(ftp, "f"), NOBODY=1, DIRLISTONLY=1).body == b"Content-Length: 3\r\nAccept-ranges: bytes\r\n"


@not_debian("no CURLINFO_SIZE_DELIVERED")
def test_size_of_text(drive, ftp):
    """The bytes that came are counted, not those that are left of them."""
    ftp.script(*login(), Passive(), Command("TYPE A", "200 ok"), Command("LIST", "150 ok"), Give(b"one\r\ntwo\r\n"), QUIT)
    t = drive.get(URL=url(ftp), info=("SIZE_DOWNLOAD_T", "SIZE_DELIVERED"))
    assert (t.body, t.info) == (b"one\ntwo\n", {"SIZE_DOWNLOAD_T": 10, "SIZE_DELIVERED": 8})


@pytest.mark.parametrize("sent, body", [
    (b"a\rb\r\r\nc\r\n\n\r", b"a\nb\n\nc\n\n\n"), (b"\r\n" * 2000, b"\n" * 2000), (b"\r", b"\n"),
    (b"x" * 1023 + b"\r\n" + b"y" * 1023 + b"\rz", b"x" * 1023 + b"\n" + b"y" * 1023 + b"\nz")],
    ids=["alone", "many", "one", "pieces"])
def test_line_ends_of_text(drive, ftp, sent, body):
    """A CR alone ends a line, too, and so does one at the end of a piece or of the text."""
    ftp.script(*login(), Passive(), Command("TYPE A", "200 ok"), Command("LIST", "150 ok"), Give(sent), QUIT)
    assert drive.get(URL=url(ftp), BUFFERSIZE=1024).body == body


@not_debian("takes any path")
@pytest.mark.parametrize("reply", ['257 "Only one', '257 "/a""', '257 "/\x03"', '257 "/\r"', '257 "/a\tb" x', '257 "/\x7f"'])
def test_entry_path_that_is_broken(drive, ftp, reply):
    """It was taken with control characters, and left out without its last quote."""
    ftp.script(*login()[:3], Command("PWD", reply), UntilClose())
    assert drive.get(URL=url(ftp, "f")).code == 8


@pytest.mark.parametrize("reply, path", [("257 /x", "(null)"), ('257 \x03"/x" \x03', "/x"), ('250 "/x', "(null)"), ('257 "/\xe4 " x', "/\xe4 ")])
def test_entry_path_that_is_not_broken(drive, ftp, reply, path):
    ftp.script(*login()[:3], Command("PWD", reply), *download("f", TEXT), QUIT)
    t = drive.get(URL=url(ftp, "f"), info=("FTP_ENTRY_PATH",))
    assert (t.code, t.body, t.info["FTP_ENTRY_PATH"]) == (0, TEXT, path)


@not_debian("lets NUL pass")
@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("text", ["{0} lo\0gged in", "{0}-\0\r\n{0} x", "\0\r\n{0} x"])
def test_nul_in_a_reply(drive, ftp, place, text):
    steps = [Say("220 hello"), Command("USER anonymous", "331 x"), Command("PASS ftp@example.com", "230 x"), Command("PWD", '257 "/"')]
    code = ("220", "331", "230", "257")[place]
    bad = Say(text.format(code)) if not place else Command(("USER anonymous", "PASS ftp@example.com", "PWD")[place - 1], text.format(code))
    ftp.script(*steps[:place], bad, UntilClose())
    assert drive.get(URL=url(ftp, "f")).code == 8


def test_type_that_is_none(drive, ftp):
    """It turned CURLOPT_TRANSFERTEXT not off, as ";type=i" does."""
    ftp.script(*login(), *download("f", TEXT), QUIT)
    assert drive.get(URL=url(ftp, "f;type=x"), TRANSFERTEXT=1).body == TEXT


def test_facts_alone(drive, ftp):
    """CURLOPT_NOBODY: no data connection; the facts are lines like those of HTTP."""
    ftp.script(*login(), Command("MDTM f", "213 20261123040000"), Command("TYPE I", "200 ok"), Command("SIZE f", "213 12"),
               Command("REST 0", "350 ok"), QUIT)
    t = drive.get(URL=url(ftp, "f"), NOBODY=1, FILETIME=1, info=("FILETIME_T", "CONTENT_LENGTH_DOWNLOAD_T"))
    assert t.body == (b"Last-Modified: Mon, 23 Nov 2026 04:00:00 GMT\r\nContent-Length: 12\r\n"
                      b"Accept-ranges: bytes\r\n")
    assert t.info == {"FILETIME_T": 1795406400, "CONTENT_LENGTH_DOWNLOAD_T": 12}


def test_kept_connection(drive, ftp, way):
    """The next file of the same directory costs no CWD and no TYPE; another directory is reached from the entry path."""
    ftp.script(*login(entry="/home"), Command("CWD a", "250 ok"), *download("1", b"one"),
               Passive(), Command("SIZE 2", "213 3"), Command("RETR 2", "150 ok"), Give(b"two"),
               Command("CWD /home", "250 ok"), Command("CWD b", "250 ok"), Passive(), Command("SIZE 3", "213 5"),
               Command("RETR 3", "150 ok"), Give(b"three"), QUIT)
    d = drive(way).easy(URL=url(ftp, "a/1")).perform().setopt("h", URL=url(ftp, "a/2")).perform()
    r = d.setopt("h", URL=url(ftp, "b/3")).perform().run()
    assert [t.body for t in r.all("h")] == [b"one", b"two", b"three"]


def more(name, data):
    """A further file on a connection."""
    return [Passive(), Command(f"SIZE {name}", f"213 {len(data)}"), Command(f"RETR {name}", "150 ok"), Give(data)]


@pytest.mark.parametrize("first, cwd, then", [("a/1", "a", "b/2"), ("a/1", "a", "2"), ("a/1", "a", "a/2")])
def test_no_kept_connection_without_an_entry_path(drive, ftp, ours_only, first, cwd, then):
    """Nothing leads back from the directory, so that the next path would begin in it."""
    ours_only("libcurl keeps it, and reads another file where the directories differ")
    no_entry = [*login()[:3], Command("PWD", "502 what")]
    ftp.script(*no_entry, Command(f"CWD {cwd}", "250 ok"), *download("1", b"one"), QUIT)
    ftp.script(*no_entry, *[Command(f"CWD {dir}", "250 ok") for dir in then.split("/")[:-1]], *download("2", b"two"), QUIT)
    r = drive().easy(URL=url(ftp, first)).perform().setopt("h", URL=url(ftp, then)).perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"one"), (0, b"two")]


def test_a_kept_connection_at_an_unknown_entry_path(drive, ftp):
    """Without a change of the directory it is there still."""
    ftp.script(*login()[:3], Command("PWD", "502 what"), *download("1", b"one"), *more("2", b"two"), QUIT)
    r = drive().easy(URL=url(ftp, "1")).perform().setopt("h", URL=url(ftp, "2")).perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, b"one"), (0, b"two")]


@pytest.mark.parametrize("command", ["CWD q", "*cwd q", "CDUP", "XCWD q", "XCUP"])
@pytest.mark.parametrize("option", ["QUOTE", "PREQUOTE", "POSTQUOTE"])
def test_a_directory_that_a_command_has_changed(drive, ftp, ours_only, option, command):
    """The next transfer begins at the entry path, as on a connection of its own."""
    ours_only("libcurl reads another file")
    steps, change = download("1", b"one"), Command(command.lstrip("*"), "250 ok")
    at = {"QUOTE": 0, "PREQUOTE": 2, "POSTQUOTE": len(steps)}[option]
    ftp.script(*login(entry="/home"), *steps[:at], change, *steps[at:], Command("CWD /home", "250 ok"), *more("2", b"two"), QUIT)
    d = drive().easy(URL=url(ftp, "1"), **{option: [command]}).perform().setopt("h", URL=url(ftp, "2"), **{option: None})
    assert [(t.code, t.body) for t in d.perform().run().all("h")] == [(0, b"one"), (0, b"two")]


def test_a_command_leads_away_from_the_directory_of_a_url(drive, ftp, ours_only):
    ours_only("libcurl reads another file")
    ftp.script(*login(entry="/home"), Command("CWD a", "250 ok"), *download("1", b"one"), Command("CWD /q", "250 ok"),
               Command("CWD /home", "250 ok"), Command("CWD a", "250 ok"), *more("2", b"two"), QUIT)
    d = drive().easy(URL=url(ftp, "a/1")).perform().setopt("h", URL=url(ftp, "a/2"), QUOTE=["CWD /q"])
    assert [(t.code, t.body) for t in d.perform().run().all("h")] == [(0, b"one"), (0, b"two")]


def test_a_command_that_may_not_change_the_directory(drive, ftp):
    ftp.script(*login(), Command("CWD q", "550 no"), *download("1", b"one"), *more("2", b"two"), QUIT)
    d = drive().easy(URL=url(ftp, "1"), QUOTE=["*CWD q"]).perform().setopt("h", URL=url(ftp, "2"), QUOTE=None)
    assert [(t.code, t.body) for t in d.perform().run().all("h")] == [(0, b"one"), (0, b"two")]


@pytest.mark.parametrize("method, steps", [
    (1, [Command("CWD /", "250 ok"), Command("CWD a", "250 ok"), Command("CWD b c", "250 ok"), *download("f", TEXT)]),
    (2, download("/a/b c/f", TEXT)),
    (3, [Command("CWD /a/b c", "250 ok"), *download("f", TEXT)])])
def test_file_methods(drive, ftp, method, steps):
    ftp.script(*login(), *steps, QUIT)
    assert drive.get(URL=url(ftp, "%2Fa/b%20c/f"), FTP_FILEMETHOD=method).body == TEXT


def test_missing_directories(drive, ftp):
    ftp.script(*login(), Command("CWD a", "550 no"), Command("MKD a", "257 made"), Command("CWD a", "250 ok"),
               *upload("f", TEXT), QUIT)
    d = drive().easy(URL=url(ftp, "a/f"), UPLOAD=1, FTP_CREATE_MISSING_DIRS=1).body("h", TEXT)
    assert d.perform().run()["h"].code == 0


@pytest.mark.parametrize("options, steps, body", [
    ({"RESUME_FROM": 6}, [Command("REST 6", "350 ok"), Command("RETR f", "150 ok"), Give(TEXT[6:])], TEXT[6:]),
    ({"RANGE": "6-"}, [Command("REST 6", "350 ok"), Command("RETR f", "150 ok"), Give(TEXT[6:])], TEXT[6:]),
    ({"RANGE": "0-4"}, [Command("RETR f", "150 ok"), Give(TEXT), Command("ABOR", "226 ok")], TEXT[:5]),
    ({"RANGE": "-4"}, [Command("REST 8", "350 ok"), Command("RETR f", "150 ok"), Give(TEXT[8:]),
                       Command("ABOR", "226 ok")], TEXT[8:]),
    ({"RESUME_FROM": len(TEXT)}, [], b"")])
def test_parts_of_a_file(drive, ftp, options, steps, body):
    ftp.script(*login(), Passive(), Command("TYPE I", "200 ok"), Command("SIZE f", f"213 {len(TEXT)}"), *steps, QUIT)
    t = drive.get(URL=url(ftp, "f"), **options)
    assert (t.code, t.body) == (0, body)


@pytest.mark.parametrize("options, before, command", [
    ({"APPEND": 1}, [], "APPE f"), ({"RESUME_FROM": 6}, [], "APPE f"),
    ({"RESUME_FROM": -1}, [Command("SIZE f", "213 6")], "APPE f"),
    ({"RESUME_FROM": -1}, [Command("SIZE f", "550 none")], "STOR f")])
def test_uploads_that_go_on(drive, ftp, options, before, command):
    rest = TEXT[6:] if "RESUME_FROM" in options and command == "APPE f" else TEXT
    ftp.script(*login(), Passive(), Command("TYPE I", "200 ok"), *before, Command(command, "150 ok"), Take(rest), QUIT)
    d = drive().easy(URL=url(ftp, "f"), UPLOAD=1, INFILESIZE=len(TEXT), **options).body("h", TEXT).enable("h", "seek")
    assert d.perform().run()["h"].code == 0


def test_commands_of_the_application(drive, ftp):
    ftp.script(*login(), Command("SITE X", "500 no"), Command("NOOP", "200 ok"), Passive(), Command("TYPE I", "200 ok"),
               Command("PRE 1", "200 ok"), Command("SIZE f", "213 12"), Command("RETR f", "150 ok"), Give(TEXT),
               Command("DELE f", "250 ok"), QUIT)
    t = drive.get(URL=url(ftp, "f"), QUOTE=["*SITE X", "NOOP"], PREQUOTE=["PRE 1"], POSTQUOTE=["DELE f"])
    assert (t.code, t.body) == (0, TEXT)


def test_login_from_the_url(drive, ftp):
    ftp.script(*login("a b", "c@d"), *download("f", TEXT), QUIT)
    assert drive.get(URL=url(ftp, "f", "a%20b:c%40d@")).body == TEXT


@pytest.mark.parametrize("of_url, options, user, password", [
    ("u:p@", {"USERPWD": ""}, "u", "p"), ("", {"USERPWD": ":"}, "", ""), ("@", {}, "", ""), ("u@", {"PASSWORD": "q"}, "u", "q"), *[
        pytest.param(*case, marks=not_debian("other halves of the two logins are taken")) for case in (
            ("u:p@", {"USERPWD": ":q"}, "u", "p"), ("u:p@", {"PASSWORD": "q"}, "u", "p"), ("u:p@", {"USERNAME": "v"}, "v", ""),
            ("", {"PASSWORD": "q"}, "", "q"))]])
def test_login_of_both(drive, ftp, of_url, options, user, password):
    """An empty user of the options replaced the URL's, and a password without a user was not sent."""
    ftp.script(*login(user=user, password=password), *download("f", TEXT), QUIT)
    assert drive.get(URL=url(ftp, "f", of_url), **options).body == TEXT


@not_debian("the URL is refused")
def test_login_of_the_url_that_is_not_used(drive, ftp):
    ftp.script(*login(user="v", password=""), *download("f", TEXT), QUIT)
    assert drive.get(URL=url(ftp, "f", "u%0dx:p@"), USERNAME="v").body == TEXT


@pytest.mark.parametrize("of_url", ["u%0dx:p@", "u:%01@"])
def test_control_character_in_a_login_of_the_url(drive, ftp, of_url):
    """A connection was made first; of a control character that ends no line, the login was sent."""
    t = drive.get(URL=url(ftp, "f", of_url), info=("NUM_CONNECTS",))
    assert (t.code, t.info["NUM_CONNECTS"]) == (3, 0)


def test_account_and_substitute(drive, ftp):
    ftp.script(Say("220 hello"), Command("USER anonymous", "530 no"), Command("SITE U", "331 password"),
               Command("PASS ftp@example.com", "332 account"), Command("ACCT me", "230 in"),
               Command("PWD", "500 no"), *download("f", TEXT), QUIT)
    t = drive.get(URL=url(ftp, "f"), FTP_ACCOUNT="me", FTP_ALTERNATIVE_TO_USER="SITE U")
    assert (t.code, t.body) == (0, TEXT)


@pytest.mark.parametrize("replies, code", [(["530 no", "230 in"], 0), (["530 no", "530 no"], 67), (["530 no", "331 again", "530 no"], 67)])
def test_substitute_of_a_refused_password(drive, ftp, replies, code):
    """It was sent only in place of a user that is refused."""
    commands = ["PASS ftp@example.com", "SITE U", "PASS ftp@example.com"]
    steps = [Command(c, r) for c, r in zip(commands, replies)]
    ftp.script(Say("220 hello"), Command("USER anonymous", "331 password"), *steps,
               *([Command("PWD", "500 no"), *download("f", TEXT), QUIT] if not code else []))
    assert drive.get(URL=url(ftp, "f"), FTP_ALTERNATIVE_TO_USER="SITE U").code == code


def test_server_without_epsv_names_another_address(drive, ftp):
    """The address of 227 is not believed."""
    ftp.script(*login(), Command("EPSV", "500 no"), Passive("PASV", "192.0.2.1"), *download("f", TEXT)[1:], QUIT)
    assert drive.get(URL=url(ftp, "f")).body == TEXT


@pytest.mark.parametrize("first", [[Active()], [Active("EPRT", "500 no"), Active("PORT")]], ids=["eprt", "port"])
def test_active_mode(drive, ftp, way, first):
    rest = download("f", TEXT)[1:]
    ftp.script(*login(), *first, *rest, first[-1], *upload("g", TEXT)[2:], QUIT)
    d = drive(way).easy(URL=url(ftp, "f"), FTPPORT="-").perform().setopt("h", URL=url(ftp, "g"), UPLOAD=1)
    r = d.body("h", TEXT).perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, TEXT), (0, b"")]


def test_active_mode_refused(drive, ftp):
    ftp.script(*login(), Active("EPRT", "500 no"), Active("PORT", "500 no"), QUIT)
    assert drive.get(URL=url(ftp, "f"), FTPPORT="-").code == 30


def test_server_that_does_not_connect(drive, ftp):
    ftp.script(*login(), Active(), *download("f", TEXT)[1:3], Command("RETR f", "150 ok\n425 cannot"), QUIT)
    assert drive.get(URL=url(ftp, "f"), FTPPORT="-").code == 10


@pytest.mark.parametrize("order, names", [(0, ["SSL", "TLS"]), (2, ["TLS", "SSL"])])
def test_server_without_tls(drive, ftp, make_server, order, names):
    """With CURLUSESSL_TRY the login goes on in the clear, and with more it does not."""
    auth = [Command(f"AUTH {name}", "500 no") for name in names]
    ftp.script(login()[0], *auth, *login()[1:], *download("f", TEXT), QUIT)
    assert drive.get(URL=url(ftp, "f"), USE_SSL=1, FTPSSLAUTH=order).body == TEXT
    other = make_server(cls=ScriptServer).script(login()[0], *auth)
    assert drive.get(URL=url(other, "f"), USE_SSL=2, FTPSSLAUTH=order).code == 64


def test_commands_before_tls(drive, ftp):
    """What the server sends with its agreement to TLS came without its protection."""
    ftp.script(Say("220 hi"), Command("AUTH SSL", "234 ok\n331 injected"))
    assert drive.get(URL=url(ftp, "f"), USE_SSL=3).code in (8, 35)


def test_http_proxy(drive, server, way):
    server.script(Expect("GET", "ftp://host.invalid/a/b"), Reply(200, TEXT))
    t = drive.get(way, URL="ftp://host.invalid/a/b", PROXY=server.url(), info=("SCHEME",))
    assert (t.code, t.body, t.info["SCHEME"].lower()) == (0, TEXT, "http")


@pytest.mark.parametrize("kind", [Socks5, Tunnel])
def test_both_connections_by_a_proxy(drive, ftp, make_server, way, kind):
    class ToData(kind):
        def run(self, peer):
            self.port = ftp.connections[0].listener.getsockname()[1]
            super().run(peer)

    proxy = make_server(cls=ScriptServer).script(kind(ftp.port), Close()).script(ToData(0), Close())
    ftp.script(*login(), *download("f", TEXT), QUIT)
    scheme = "socks5h" if kind is Socks5 else "http"
    t = drive.get(way, URL=url(ftp, "f"), PROXY=f"{scheme}://{proxy.authority}", HTTPPROXYTUNNEL=1)
    assert (t.code, t.body) == (0, TEXT)


@pytest.mark.parametrize("line, expected", [("machine 127.0.0.1 login me password secret", ("me", "secret")),
                                            ("machine other login me password secret", ("anonymous", "ftp@example.com"))])
def test_netrc(drive, ftp, tmp_path, line, expected):
    (tmp_path / "netrc").write_text(line)
    ftp.script(*login(*expected), *download("f", TEXT), QUIT)
    assert drive.get(URL=url(ftp, "f"), NETRC=1, NETRC_FILE=str(tmp_path / "netrc")).body == TEXT


def test_time_condition(drive, ftp):
    ftp.script(*login(), Command("MDTM f", "213 20200101000000"), QUIT)
    t = drive.get(URL=url(ftp, "f"), TIMECONDITION=COND_IFMODSINCE, TIMEVALUE=1795406400, info=("CONDITION_UNMET",))
    assert (t.code, t.body, t.info["CONDITION_UNMET"]) == (0, b"", 1)


@pytest.mark.parametrize("wanted, sent, code, body", [
    ("5-2", None, 0, b""), ("36893488147419103232-", None, 0, b""), ("5-x", ["REST 5", "RETR f"], 0, TEXT[5:]), *[
        pytest.param(*case, marks=not_debian("it is read otherwise")) for case in (
            ("-0", None, 0, b""), ("x", None, 0, b""), ("5", None, 0, b""), ("-", ["RETR f"], 0, TEXT),
            ("-9223372036854775808", ["RETR f"], 0, TEXT))],
    ("05-06", ["REST 5", "RETR f", "ABOR"], 0, TEXT[5:7]), ("0-4,8", ["RETR f", "ABOR"], 0, TEXT[:5]),
    ("12-", [], 0, b""), ("13-", [], 36, b""), ("9223372036854775807-", [], 36, b"")])
def test_ranges_that_are_none(drive, ftp, wanted, sent, code, body):
    """What is no range asks for nothing; an end that is no number is none."""
    answers = {"REST 5": [Command("REST 5", "350 ok")], "ABOR": [Command("ABOR", "226 ok")],
               "RETR f": [Command("RETR f", "150 ok"), Give(TEXT[5:] if sent and "REST 5" in sent else TEXT)]}
    facts = [] if sent is None else [Command("TYPE I", "200 ok"), Command("SIZE f", "213 12")]
    ftp.script(*login(), Passive(), *facts, *sum(map(answers.get, sent or []), []), QUIT)
    t = drive.get(URL=url(ftp, "f"), RANGE=wanted)
    assert (t.code, t.body) == (code, body)


@pytest.mark.parametrize("wanted", ["2-4", "-3"])
def test_range_of_a_list(drive, ftp, wanted):
    """Its length counts alone: a server can begin a list nowhere else."""
    ftp.script(*login(), Command("CWD d", "250 ok"), Passive(), Command("TYPE A", "200 ok"), Command("LIST", "150 ok"),
               Give(TEXT), Command("ABOR", "226 ok"), QUIT)
    assert drive.get(URL=url(ftp, "d/"), RANGE=wanted).body == TEXT[:3]


def test_commands_after_a_range_that_is_none(drive, ftp):
    """CURLOPT_POSTQUOTE was left out."""
    ftp.script(*login(), Passive(), Command("DELE x", "250 ok"), QUIT)
    assert drive.get(URL=url(ftp, "f"), RANGE="5-2", POSTQUOTE=["DELE x"]).code == 0


@pytest.mark.parametrize("options", [{"RESUME_FROM": len(TEXT)}, {"UPLOAD": 1, "RESUME_FROM": -1},
                                     {"TIMECONDITION": 1, "TIMEVALUE": 2000000000}])
def test_commands_after_a_file_that_is_whole_already(drive, ftp, options):
    """Nothing is left of it, or it is not newer: CURLOPT_POSTQUOTE was left out."""
    moment = [Command("MDTM f", "213 20010101000000")] if "TIMEVALUE" in options else []
    size = [] if moment else [Passive(), Command("TYPE I", "200 ok"), Command("SIZE f", f"213 {len(TEXT)}")]
    ftp.script(*login(), *moment, *size, Command("DELE x", "250 ok"), QUIT)
    d = drive().easy(URL=url(ftp, "f"), POSTQUOTE=["DELE x"], INFILESIZE=len(TEXT), **options).body("h", TEXT)
    t = d.perform().run()["h"]
    assert (t.code, t.body) == (0, b"")


def test_resumed_list(drive, ftp):
    """A place in a file is none in a list: REST was sent."""
    ftp.script(*login(), Passive(), Command("TYPE A", "200 ok"), Command("LIST", "150 ok"), Give(b"one\r\n"), QUIT)
    assert drive.get(URL=url(ftp), RESUME_FROM=2).body == b"one\n"


def test_file_that_has_more_than_its_size(drive, ftp):
    """The server says 0 of what it makes while it is read; nothing was delivered."""
    ftp.script(*login(), Passive(), Command("TYPE I", "200 ok"), Command("SIZE f", "213 0"), Command("RETR f", "150 ok"), Give(TEXT), QUIT)
    assert drive.get(URL=url(ftp, "f")).body == TEXT


def test_condition_on_facts_alone(drive, ftp):
    """It is no wish for the time (CURLOPT_FILETIME)."""
    ftp.script(*login(), Command("MDTM f", "213 20261123040000"), Command("TYPE I", "200 ok"), Command("SIZE f", "213 12"),
               Command("REST 0", "350 ok"), QUIT)
    t = drive.get(URL=url(ftp, "f"), NOBODY=1, TIMECONDITION=1, TIMEVALUE=1)
    assert t.body == b"Content-Length: 12\r\nAccept-ranges: bytes\r\n"


def test_length_of_an_upload(drive, ftp):
    ftp.script(*login(), *upload("new", bytes(pattern(10))), QUIT)
    d = drive().easy(URL=url(ftp, "new"), UPLOAD=1, INFILESIZE=10).body("h", 10).perform().getinfo("h", "CONTENT_LENGTH_UPLOAD_T")
    assert d.run()["h"].info["CONTENT_LENGTH_UPLOAD_T"] == 10


def test_absolute_path_in_one_piece(drive, ftp):
    """No directory has to be left for it."""
    more = [Passive(), Command("RETR /a/f", "150 ok"), Give(TEXT)]
    ftp.script(*login(), Passive(), Command("TYPE I", "200 ok"), *more[1:], Command("CWD /b", "250 ok"), Passive(),
               Command("RETR f", "150 ok"), Give(TEXT), *more, QUIT)
    d = drive().easy(IGNORE_CONTENT_LENGTH=1)
    for path, method in ("/a/f", 2), ("/b/f", 3), ("/a/f", 2):
        d.setopt("h", URL=url(ftp, path), FTP_FILEMETHOD=method).perform()
    assert [(t.code, t.body) for t in d.run().all("h")] == [(0, TEXT)] * 3


# ---------------------------------------------------------------- by an HTTP proxy that passes requests on

@pytest.mark.parametrize("options, target", [
    ({"USERPWD": "me:p@/ss"}, by_library("me:p%40%2Fss@host.invalid/a", "me:p%40%2fss@host.invalid/a")),
    ({"USERPWD": "me:"}, "me@host.invalid/a"), ({"USERPWD": ":secret"}, by_library("host.invalid/a", ":secret@host.invalid/a")), ({"USERPWD": "a:b", "URL": "ftp://c:d@host.invalid/a"}, "a:b@host.invalid/a"),
    ({"URL": "ftp://c%40:d%2f@host.invalid/a"}, "c%40:d%2f@host.invalid/a")])
def test_login_for_a_proxy(drive, server, options, target):
    """The target has the login that the options, or the URL, have."""
    server.script(Expect("GET", f"ftp://{target}"), Reply(200, TEXT))
    t = drive.get(**{"URL": "ftp://host.invalid/a", "PROXY": server.url(), **options})
    assert (t.code, t.body) == (0, TEXT)


def test_login_of_a_netrc_file_for_a_proxy(drive, server, tmp_path):
    (tmp_path / "netrc").write_text("machine host.invalid login me password s@cret")
    server.script(Expect("GET", "ftp://me:s%40cret@host.invalid/a"), Reply(200, TEXT))
    t = drive.get(URL="ftp://host.invalid/a", PROXY=server.url(), NETRC=1, NETRC_FILE=str(tmp_path / "netrc"))
    assert (t.code, t.body) == (0, TEXT)


@pytest.mark.parametrize("options, path, target", [
    ({}, "/a", "/a;type=i"), ({"TRANSFERTEXT": 1}, "/a", "/a;type=a"), ({}, "/a;type=D", "/a;type=D"),
    ({}, "/a;type=x", "/a;type=x;type=i"), ({}, "/a?b", "/a?b;type=i"), ({}, "/a;type=a?b", "/a;type=a?b"), ({}, "/", "/;type=i")])
def test_type_for_a_proxy(drive, server, options, path, target):
    server.script(Expect("GET", "ftp://host.invalid" + target), Reply(200, TEXT))
    t = drive.get(URL="ftp://host.invalid" + path, PROXY=server.url(), PROXY_TRANSFER_MODE=1, **options)
    assert (t.code, t.body) == (0, TEXT)


@pytest.mark.parametrize("name", ["ftp_proxy", "FTP_PROXY", "all_proxy"])
def test_proxy_of_the_environment(drive, server, name):
    """The request was sent to the origin: it had become one of HTTP, for which http_proxy named another proxy."""
    server.script(Expect("GET", "ftp://127.0.0.1:1/f"), Reply(200, TEXT))
    t = drive.get(URL="ftp://127.0.0.1:1/f", env={name: server.url(), "http_proxy": "http://127.0.0.1:1"})
    assert (t.code, t.body) == (0, TEXT)


def test_no_goodbye_is_said_for_the_application(drive, ftp):
    ftp.script(*login(), UntilClose())
    assert drive.get(URL=url(ftp), CONNECT_ONLY=1).code == 0
    ftp.settle()
    assert b"QUIT" not in ftp.connections[0].received


# ---------------------------------------------------------------- what the server refuses, and what is hostile

def test_goodbye_after_a_line_too_many(drive, ftp):
    """An empty line follows a reply. The connection is not used again, but the server hears so."""
    ftp.script(*login(), Passive(), Command("TYPE I", "200 ok"), Command("SIZE f", "213 12\n"), QUIT)
    assert drive.get(URL=url(ftp, "f"), MAXFILESIZE=3).code == 63


@pytest.mark.parametrize("how", ["NETWORK_CHANGED", "upkeep"])
def test_goodbye_goes_on_when_nothing_else_happens(drive, ftp, make_server, multi_way, how):
    """The server does not answer QUIT. An event loop of the application's had no timer then, and the connection
    stayed open until something was done with the multi."""
    over = threading.Event()
    ftp.script(*login(), Command("QUIT"), UntilClose(), Call(lambda p: over.set()))
    silent = make_server()
    silent.script(Expect(), UntilClose())
    d = drive(multi_way).do("multi", "m").easy("a", URL=url(ftp), NOBODY=1).easy("b", URL=silent.url(), MAXAGE_CONN=1)
    d.do("add", "m", "b", "a").do("drive", "m", "done", "a").do("drive", "m", "for", 50)
    if how == "upkeep":
        d.do("sleep", 2100).do("upkeep", "b")
    else:
        d.do("msetopt", "m", "NETWORK_CHANGED", 2)
    d.do("drive", "m", "for", 3000).do("mark", "driven").start()
    d.expect("mark", "driven")
    assert over.is_set()
    d.end()


def test_goodbye_to_a_server_that_never_connects(drive, ftp, way):
    ftp.script(*login(), Active(), Command("TYPE I", "200 ok"), Command("STOR f", "150 wait"), QUIT)
    d = drive(way).easy(URL=url(ftp, "f"), FTPPORT="-", UPLOAD=1, ACCEPTTIMEOUT_MS=300).body("h", TEXT)
    assert d.perform().run()["h"].code == 12


@pytest.mark.parametrize("steps, code", [
    ([Say("500 no")], 8), ([Say("220 hi"), Command("USER anonymous", "530 no")], 67),
    ([Say("220 hi"), Command("USER anonymous", "332 account")], 67),
    ([*login(), Command("EPSV", "500 no"), Command("PASV", "500 no"), QUIT], 13),
    ([*login(), Command("EPSV", "229 what"), QUIT], 13),
    ([*login(), Command("EPSV", "229 (|||65536|)"), QUIT], 13),
    ([*login(), Command("EPSV", "229 (|||0|)"), Command("PASV", "500 no"), QUIT], 13),
    ([*login(), Command("EPSV", "500 no"), Command("PASV", "227 1,2,3")], 14),
    ([*login(), Passive(), Command("TYPE I", "500 no"), QUIT], 17),
    ([*login(), Passive(), Command("TYPE I", "200 ok"), Command("SIZE f", "550 none"), QUIT], 78),
    ([*login(), *download("f", TEXT)[:3], Command("RETR f", "550 none"), QUIT], 78),
    ([*login(), *download("f", TEXT)[:3], Command("RETR f", "450 no"), QUIT], 19),
    ([*login(), *download("f", TEXT, last="426 broken"), QUIT], 18),
    ([*login(), *download("f", TEXT, size="213 50")], 18),
    ([*login()[:3], Close()], 56), ([*login(), *download("f", TEXT)[:2], Close()], 56)])
def test_refusals_of_a_download(drive, ftp, steps, code):
    ftp.script(*steps)
    assert drive.get(URL=url(ftp, "f")).code == code


@pytest.mark.parametrize("steps, text", [
    (["USER anonymous", "530 no more\x1b[2J of you"], b"USER: the server answered 530 no more\n"),
    (["USER anonymous", "421 closing"], b"USER: the server answered 421 closing\n")])
def test_text_of_a_refusal(drive, ftp, ours_only, steps, text):
    """It has the server's words, but nothing that moves a terminal's cursor."""
    ours_only("libcurl has texts of its own")
    ftp.script(Say("220 hi"), Command(*steps), UntilClose())
    t = drive.get(URL=url(ftp, "f"), enable=["debug", "debugprint"])
    assert text in [data for kind, data in t.debug if kind == 0]


@pytest.mark.parametrize("last, code", [("552 full", 70), ("452 no room", 18)])
def test_upload_that_the_server_does_not_keep(drive, ftp, last, code):
    ftp.script(*login(), *upload("f", TEXT, last), QUIT)
    assert drive().easy(URL=url(ftp, "f"), UPLOAD=1).body("h", TEXT).perform().run()["h"].code == code


@pytest.mark.parametrize("last, code", [("226 done", 55), ("426 broken", 55), ("552 full", by_library(70, 55, 55))])
def test_upload_that_is_cut_is_no_success(drive, ftp, way, last, code):
    """A server that loses the data connection takes that for the end of the file, and confirms it."""
    ftp.script(*login(), *upload("f", TEXT)[:2], Command("STOR f", "150 send it"), Call(lose), Say(last), UntilClose())
    t = drive(way).easy(URL=url(ftp, "f"), UPLOAD=1, INFILESIZE=20_000_000).body("h", 20_000_000).perform().run()["h"]
    assert t.code == code, t


@pytest.mark.parametrize("path", ["a%0d%0aDELE%20x", "a%00b/c"])
def test_line_ends_in_a_url(drive, ftp, path):
    ftp.script(*login())
    assert drive.get(URL=url(ftp, path)).code == 3


def test_line_ends_in_commands_of_options(drive, ftp, ours_only):
    """No option gives the server a second command. libcurl sends it as it is."""
    ours_only("libcurl sends line ends of options")
    ftp.default(*login(), QUIT)
    assert drive.get(URL=url(ftp, "f"), QUOTE=["NOOP\r\nDELE f"]).code == 3


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=repr)
@pytest.mark.parametrize("option", ["FTP_ACCOUNT", "FTP_ALTERNATIVE_TO_USER"])
def test_line_ends_in_what_logs_in(drive, ftp, ours_only, way, option, end):
    """There is no connection for it (libcurl's tests 2115 and 2116, which libcurl 8.23 fails)."""
    ours_only("libcurl 8.23 sends line ends of options")
    t = drive.get(way, URL=url(ftp, "f"), info=["NUM_CONNECTS"], **{option: f"a{end}DELE f"})
    assert (t.code, t.info["NUM_CONNECTS"]) == (43, 0)


def test_reply_without_end(drive, ftp, ours_only):
    """A line of more than 64 KB."""
    ours_only("libcurl waits for the end")
    ftp.script(Send(b"220" + b"x" * 70000))
    assert drive.get(URL=url(ftp, "f")).code == 8


def test_pause_on_the_last_bytes(drive, ftp, multi_way):
    """The server's last reply, which comes meanwhile, must not make the client deliver them."""
    ftp.script(*login(), *download("f", TEXT), QUIT)
    d = drive(multi_way).easy(URL=url(ftp, "f")).on("h", "write", "call", 1, "pause")
    d.do("multi", "m", multi_way).do("add", "m", "h").do("drive", "m", "paused", "h").do("drive", "m", "for", 100)
    d.do("pause", "h", 0).do("drive", "m", "all").do("remove", "m", "h").do("mcleanup", "m")
    t = d.run()["h"]
    assert (t.code, t.body) == (0, TEXT)


@pytest.mark.parametrize("answered", [0, 1, 2])
def test_login_that_is_not_answered(drive, ftp, way, answered):
    """The steps of a login have deadlines of their own, while the connection is still being made."""
    ftp.script(*login()[:1 + answered], *[Read(1)] * (answered < 3), UntilClose())
    t = drive.get(way, URL=url(ftp, "f"), SERVER_RESPONSE_TIMEOUT_MS=300, TIMEOUT_MS=15000)
    assert t.code == 28 and ("300" in t.error or SYSTEM), t.error


def test_last_reply_that_is_missing_after_a_pause(drive, ftp, multi_way):
    """The pause lasts longer than the server has for its reply, which still has a deadline afterwards."""
    ftp.script(*login(), *download("f", TEXT, last=None), UntilClose())
    d = drive(multi_way).easy(URL=url(ftp, "f"), SERVER_RESPONSE_TIMEOUT_MS=300, TIMEOUT_MS=15000)
    d.on("h", "write", "call", 1, "pause").do("multi", "m", multi_way).do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("drive", "m", "for", 1000).do("pause", "h", 0).do("drive", "m", "all")
    t = d.do("remove", "m", "h").do("mcleanup", "m").run()["h"]
    assert (t.code, t.body) == (28, TEXT)
    assert "300" in t.error or SYSTEM, t.error


@not_debian("what comes is not held against CURLOPT_MAXFILESIZE")
@pytest.mark.parametrize("options", [{}, {"VERBOSE": 1}])
def test_pause_on_the_last_bytes_allowed(drive, ftp, multi_way, options):
    """The size is unknown, and the piece at which the application pauses goes over CURLOPT_MAXFILESIZE."""
    ftp.script(*login(), *download("f", TEXT, "500 no SIZE here"), UntilClose())
    d = drive(multi_way).easy(URL=url(ftp, "f"), MAXFILESIZE=5, **options).on("h", "write", "call", 1, "pause")
    d.do("multi", "m", multi_way).do("add", "m", "h").do("drive", "m", "paused", "h").do("pause", "h", 0)
    t = d.do("drive", "m", "all").run()["h"]
    assert t.code == 63 and TEXT[:5].startswith(t.body)


@pytest.mark.parametrize("banner", ["220 hello", "230 come in"])
def test_tls_before_anything_else(drive, ftp, banner):
    """Neither a server without TLS nor one that needs no login gets a command in the clear."""
    ftp.script(Say(banner), Command("AUTH SSL", "500 no"), Command("AUTH TLS", "500 no"), UntilClose())
    t = drive.get(URL=url(ftp, "f"), USE_SSL=3)
    assert (t.code, t.body) == (64, b"")
    assert [line[:3] for line in t.headers] == [banner[:3].encode(), b"500", b"500"]


def test_replies_that_come_with_the_refusal_of_tls(drive, ftp):
    """They were not asked for: an attacker may have sent them."""
    ftp.script(Say("220 hello"), Command("AUTH SSL", "500 no\n500 no\n331 password\n230 welcome"), UntilClose())
    assert drive.get(URL=url(ftp, "f"), USE_SSL=1).code == 8


def test_size_and_time_that_are_not_wanted(drive, ftp):
    d = [Passive(), Command("TYPE I", "200 ok"), Command("RETR f", "150 f (5 bytes)"), Give(TEXT)]
    ftp.script(*login(), *d, Command("SIZE f", "213 12"), Command("REST 0", "350 ok"), QUIT)
    d = drive().easy(URL=url(ftp, "f"), IGNORE_CONTENT_LENGTH=1).perform().setopt("h", NOBODY=1).perform()
    assert [(t.code, t.length) for t in d.run().all("h")] == [(0, len(TEXT)), (0, 42)]  # lines about the file


def test_upload_to_a_directory(drive, ftp):
    ftp.script(*login(), UntilClose())
    assert drive.get(URL=url(ftp, "dir/"), UPLOAD=1, INFILESIZE=1, body=b"x").code == 3


# ---------------------------------------------------------------- while data move

SEEN = Call(lambda peer: time.sleep(0.05))  # what was said is likely to be known when more data come
HALF = [*download("f", TEXT)[:-1], OPEN, part(TEXT[:5])]


@pytest.mark.parametrize("steps, code, kept", [
    ([Say("226 done"), part(TEXT[5:]), END], 0, True),
    ([Say("226-a\n b\n226-c"), part(TEXT[5:]), END, Say("226 d")], 0, True),
    pytest.param([part(TEXT[5:]), Say("226 done")], 0, True, marks=not_debian("the end is waited for")),  # the server never closes it
    pytest.param([Say("150 again"), part(TEXT[5:]), END], 18, True, marks=not_debian("the next transfer never ends")),
    ([Say("426 broken"), part(TEXT[5:]), END], 18, True),
    ([Say("421 leaving"), SEEN, part(TEXT[5:]), END], 28, False),
    ([part(TEXT[5:]), END, Say("421 leaving")], 28, False),
    ([Say("226 done"), Close(), SEEN, part(TEXT[5:]), END], 0, False),
    ([Say("421 leaving"), Close(), SEEN, part(TEXT[5:]), END], 28, False),
    ([Close(), SEEN, part(TEXT[5:]), END], 56, False)])
def test_replies_in_the_middle_of_data(drive, ftp, way, steps, code, kept):
    """All that the data connection brings is delivered, whatever the control connection says before its end."""
    again = [Passive(), *[Command("TYPE I", "200 ok")] * (not kept), Command("SIZE f", "213 12"), Command("RETR f", "150 ok"),
             Give(TEXT), QUIT]
    ends = any(isinstance(step, Close) for step in steps)
    times = by_library(2, 1, 1) if ends else 2  # libcurl sends the next command to a server that has left
    if kept:
        ftp.script(*login(), *HALF, *steps, *again)
    else:
        ftp.script(*login(), *HALF, *steps, *[UntilClose()] * (not ends))
    if not kept and times > 1:
        ftp.script(*login(), *again)
    d = drive(way).easy(URL=url(ftp, "f"))
    for _ in range(times):
        d.perform()
    assert [(t.code, t.body) for t in d.run().all("h")] == [(code, TEXT), (0, TEXT)][:times]


@pytest.mark.parametrize("said, code", [("226 done\n421 leaving", 0), ("226 done\n150 x", 0), ("450 no\n226 done", 18)])
def test_more_replies_than_one(drive, ftp, way, said, code):
    """The first one counts. What the others answer is unknown, so that the connection is not used again."""
    ftp.script(*login(), *HALF, Say(said), SEEN, part(TEXT[5:]), END, UntilClose())
    d = drive(way).easy(URL=url(ftp, "f")).perform()
    if not SYSTEM:
        ftp.script(*login(), *download("f", TEXT), QUIT)
        d.perform()
    assert [(t.code, t.body) for t in d.run().all("h")] == [(code, TEXT), (0, TEXT)][:1 if SYSTEM else 2]


def test_data_without_end(drive, ftp):
    """The server gives no size, says that it is done, and never closes the data connection."""
    steps = [*download("f", TEXT, size="500 what")[:-1], OPEN, part(TEXT), Say("226 done")]
    ftp.script(*login(), *steps, UntilClose())
    t = drive.get(URL=url(ftp, "f"), TIMEOUT_MS=700)
    assert (t.code, t.body) == (28, TEXT)


@pytest.mark.parametrize("length", [5, 5_000_000])
@pytest.mark.parametrize("end", [END, None])
def test_upload_refused_on_its_way(drive, ftp, way, ours_only, length, end):
    """The reason counts, not how the data connection ended."""
    if end or length > 5:
        ours_only("libcurl reports a connection that was closed, and sends on to one that is not")
    ftp.script(*login(), *upload("f", b"")[:-1], OPEN, Say("552 full"), *filter(None, [end]), QUIT)
    d = drive(way).easy(URL=url(ftp, "f"), UPLOAD=1).body("h", length)
    assert d.perform().run()["h"].code == 70


@pytest.mark.parametrize("act", [("return", 0), ("remove", "h")])
def test_application_that_leaves_in_the_middle(drive, ftp, multi_way, act):
    """Neither ABOR nor QUIT: the server would answer after the end of the data only."""
    ftp.script(*login(), *HALF, UntilClose())
    d = drive(multi_way).easy(URL=url(ftp, "f"))
    if act[0] == "return":
        t = d.on("h", "write", "call", 1, *act).perform().run()["h"]
        assert t.code == 23
    else:
        d.do("multi", "m", multi_way).do("add", "m", "h").do("drive", "m", "bytes", "h", "write", 5)
        d.do("remove", "m", "h").do("mcleanup", "m").run()
    assert ftp.connections[0].received.split(b"\r\n")[-2:] == [b"RETR f", b""]
