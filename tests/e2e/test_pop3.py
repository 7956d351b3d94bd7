"""POP3 (RFC 1939, 2449, 2595): scripted servers; what is expected was watched on the newest libcurl."""

import threading

import pytest

from command_server import StartTls
from mail_peer import ask, dialogue
from mote_driver import PAUSE_CONT, by_library, crc, not_debian
from script import Close, Read, Send, Set, UntilClose

USE_SSL_TRY, USE_SSL_ALL = 1, 3
CAPA = "+OK\r\nUSER\r\nUIDL\r\n.\r\n"
QUIT = ask("QUIT", "+OK\r\n")
MAIL = "Subject: x\r\n\r\none\r\n..two\r\n.\r\n"
READ = b"Subject: x\r\n\r\none\r\n.two\r\n"


def greet(user="u", password="p", capa=CAPA, banner="+OK ready\r\n"):
    return (Send(banner), *dialogue("CAPA", capa, f"USER {user}", "+OK\r\n", f"PASS {password}", "+OK\r\n"))


def url(server, path="1", user="u:p@", scheme="pop3"):
    return f"{scheme}://{user}127.0.0.1:{server.port}/{path}"


def test_a_mail_comes_through_every_way_of_driving(drive, make_server, way):
    server = make_server()
    server.script(*greet(), *dialogue("RETR 1", "+OK\r\n" + MAIL), *QUIT)
    t = drive.get(way, URL=url(server))
    assert (t.code, t.body) == (0, READ)


def test_replies_may_come_in_any_pieces(drive, make_server):
    server = make_server()
    steps = dialogue("CAPA", CAPA, "USER u", "+OK\r\n", "PASS p", "+OK\r\n", "RETR 1", "+OK\r\n" + MAIL, cuts="each")
    server.script(Send("+OK ready\r\n", cuts="each"), *steps, *QUIT)
    t = drive.get(URL=url(server))
    assert (t.code, t.body) == (0, READ)


@pytest.mark.parametrize("path, options, asked, answer, body", [
    ("", {}, "LIST", "+OK\r\n1 5\r\n2 7\r\n.\r\n", b"1 5\r\n2 7\r\n"),
    ("2", {"DIRLISTONLY": 1}, "LIST 2", "+OK 2 7\r\n", b""),
    ("", {"CUSTOMREQUEST": "TOP 1 0"}, "TOP 1 0", "+OK\r\nx\r\n.\r\n", b"x\r\n"),
    ("", {"CUSTOMREQUEST": "UIDL"}, "UIDL", "+OK\r\n1 a\r\n.\r\n", b"1 a\r\n"),
    *[pytest.param(*case, marks=not_debian("a list is waited for")) for case in (
        ("", {"CUSTOMREQUEST": "uidl 1"}, "uidl 1", "+OK 1 a\r\n", b""),
        ("", {"CUSTOMREQUEST": "STAT"}, "STAT", "+OK 2 12\r\n", b""),
        ("1", {"CUSTOMREQUEST": "DELE"}, "DELE 1", "+OK\r\n", b""))],
    ("1", {"CUSTOMREQUEST": "X%41"}, "XA 1", "+OK\r\ny\r\n.\r\n", b"y\r\n"),
    ("1", {"NOBODY": 1}, "RETR 1", "+OK\r\n.\r\n", by_library(b"", b"", b"\r\n")),
])
def test_commands(drive, make_server, path, options, asked, answer, body):
    server = make_server()
    server.script(*greet(), *dialogue(asked, answer), *QUIT)
    t = drive.get(URL=url(server, path), **options)
    assert (t.code, t.body) == (0, body)


@pytest.mark.parametrize("capa", ["+OK\r\r\nUIDL\r\r\nUSER\r\r\n.\r\n", "+OK\r\n\r\nUSER\r\r\n\r\n.\r\n"])
def test_a_list_of_capabilities_with_odd_line_ends(drive, make_server, capa):
    """libcurl's suite has such a server."""
    server = make_server()
    server.script(*greet(capa=capa), *dialogue("RETR 1", "+OK\r\n" + MAIL), *QUIT)
    assert drive.get(URL=url(server)).code == 0


def test_the_connection_is_kept_for_the_same_user(drive, make_server):
    server = make_server()
    server.script(*greet(), *dialogue("RETR 1", "+OK\r\n" + MAIL, "RETR 2", "+OK\r\n" + MAIL), *QUIT)
    server.script(*greet("other"), *dialogue("RETR 3", "+OK\r\n" + MAIL), *QUIT)
    d = drive().easy(URL=url(server)).perform("h").setopt("h", URL=url(server, "2")).perform("h")
    run = d.setopt("h", URL=url(server, "3", "other:p@")).perform("h").run()
    assert [t.code for t in run.all("h")] == [0, 0, 0]


def test_the_connection_of_a_user_of_a_netrc_file(drive, make_server, tmp_path):
    """It is kept for those whose file names the same user, and for no other one."""
    server, files = make_server(), [tmp_path / "first", tmp_path / "second"]
    for file, user in zip(files, ("u", "other")):
        file.write_text(f"machine 127.0.0.1 login {user} password p\n")
    server.script(*greet(), *dialogue("RETR 1", "+OK\r\n" + MAIL, "RETR 2", "+OK\r\n" + MAIL), *QUIT)
    server.script(*greet("other"), *dialogue("RETR 3", "+OK\r\n" + MAIL), *QUIT)
    d = drive().easy(URL=url(server, user=""), NETRC=1, NETRC_FILE=files[0]).perform("h").setopt("h", URL=url(server, "2", "")).perform("h")
    run = d.setopt("h", URL=url(server, "3", ""), NETRC_FILE=files[1]).perform("h").run()
    assert [t.code for t in run.all("h")] == [0, 0, 0]


@pytest.mark.parametrize("steps, code", [
    ((Send("-ERR go away\r\n"),), 8),
    ((Send("+OK\r\n"), *dialogue("CAPA", "+OK\r\n.\r\n")), 67),
    ((Send("+OK\r\n"), *dialogue("CAPA", "-ERR\r\n", "USER u", "-ERR\r\n")), 67),
    ((Send("+OK\r\n"), *dialogue("CAPA", "-ERR\r\n", "USER u", "+OK\r\n", "PASS p", "-ERR no\r\n")), 67),
    ((Send("+OK\r\n"), *dialogue("CAPA", "-ERR\r\n", "USER u", "+OK\r\n"), Read(b"PASS p\r\n"), Close()), 56),
    ((*greet(), Read(b"RETR 1\r\n"), Close()), 56),
    ((*greet(), *dialogue("RETR 1", "+OK\r\nhalf\r\n"), Close()), by_library(18, 0, 0)),
])
def test_what_a_server_refuses(drive, make_server, steps, code):
    server = make_server()
    server.script(*steps)
    t = drive.get(URL=url(server))
    assert t.code == code


def test_a_refused_command_is_an_error(drive, make_server):
    server = make_server()
    server.script(*greet(), *dialogue("RETR 1", "-ERR no\r\n"), *QUIT)
    assert drive.get(URL=url(server)).code == 8


def test_a_line_without_an_end_is_an_error(drive, make_server, ours_only):
    ours_only("libcurl takes replies of any length")
    server = make_server()
    server.script(Send("+OK " + "x" * 70000), UntilClose())
    assert drive.get(URL=url(server)).code == 8


def test_capabilities_without_an_end_are_an_error(drive, make_server, ours_only):
    ours_only("libcurl takes replies of any length")
    server = make_server()
    server.script(Send("+OK\r\n"), Read(b"CAPA\r\n"), Send("+OK\r\n" + "X\r\n" * 400000), UntilClose())
    assert drive.get(URL=url(server)).code == 8


# ---- ways to log in

def test_apop_sends_a_digest(drive, make_server):
    server = make_server()
    server.script(Send("+OK POP3 <1896.697170952@dbc.mtview.ca.us>\r\n"),
                  *dialogue("CAPA", CAPA, "APOP mrose c4c9334bac560ecc979e58001b3e22fb", "+OK\r\n",
                            "RETR 1", "+OK\r\n" + MAIL), *QUIT)
    assert drive.get(URL=url(server, user="mrose:%74anstaaf@")).body == READ


@pytest.mark.parametrize("capa, options, lines", [
    ("SASL PLAIN", {}, ("AUTH PLAIN", "+ \r\n", "AHUAcA==", "+OK\r\n")),
    ("SASL LOGIN PLAIN", {"SASL_IR": 1}, ("AUTH PLAIN AHUAcA==", "+OK\r\n")),
    ("SASL LOGIN", {}, ("AUTH LOGIN", "+ VXNlcm5hbWU6\r\n", "dQ==", "+ \r\n", "cA==", "+OK\r\n")),
    ("SASL CRAM-MD5 PLAIN", {"LOGIN_OPTIONS": "AUTH=PLAIN"}, ("AUTH PLAIN", "+ \r\n", "AHUAcA==", "+OK\r\n")),
    ("USER", {"LOGIN_OPTIONS": "AUTH=*"}, ("USER u", "+OK\r\n", "PASS p", "+OK\r\n")),
])
def test_sasl(drive, make_server, capa, options, lines):
    server = make_server()
    server.script(Send("+OK\r\n"), *dialogue("CAPA", f"+OK\r\n{capa}\r\n.\r\n", *lines, "RETR 1", "+OK\r\n" + MAIL), *QUIT)
    assert drive.get(URL=url(server), **options).body == READ


@pytest.mark.parametrize("capa, options, lines", [
    ("SASL PLAIN", {}, ("AUTH PLAIN", "-ERR\r\n")),
    ("SASL PLAIN", {}, ("AUTH PLAIN", "+OK in already\r\n")),
    ("SASL PLAIN\r\nUSER", {"LOGIN_OPTIONS": "AUTH=CRAM-MD5"}, ()),
    ("SASL PLAIN\r\nUSER", {"LOGIN_OPTIONS": "AUTH=+APOP"}, ()),
])
def test_a_login_that_is_denied(drive, make_server, capa, options, lines):
    server = make_server()
    server.script(Send("+OK\r\n"), *dialogue("CAPA", f"+OK\r\n{capa}\r\n.\r\n", *lines))
    assert drive.get(URL=url(server), **options).code == 67


def test_login_options_are_checked(drive, make_server, ours_only):
    ours_only("libcurl connects first")
    assert drive.get(URL=url(make_server()), LOGIN_OPTIONS="AUTH=+LOGIN").code == 3


@pytest.mark.parametrize("at", [2, 4])
def test_a_transfer_is_removed_during_its_login(drive, make_server, at):
    server = make_server()
    steps = (Send("+OK\r\n"), *dialogue("CAPA", "+OK\r\nSASL CRAM-MD5\r\n.\r\n"), Read(b"AUTH CRAM-MD5\r\n"),
             Send("+ PDEyMz4=\r\n"), Read(b"dSBl"))
    there = threading.Event()
    server.script(*steps[:at], Set(there), UntilClose())
    d = drive("poll").easy(URL=url(server)).do("add", "m", "h").drive_until(there)
    assert d.do("remove", "m", "h").end().status == 0


def test_without_a_user_there_is_no_login(drive, make_server):
    server = make_server()
    server.script(Send("+OK <1@2>\r\n"), *dialogue("CAPA", CAPA, "LIST", "+OK\r\n.\r\n"), *QUIT)
    assert drive.get(URL=url(server, "", "")).code == 0


@pytest.mark.parametrize("options, code", [
    ({"USERNAME": "u\r\nDELE 1", "PASSWORD": "p"}, 43),
    ({"USERNAME": "u", "PASSWORD": "p\nx"}, 43),
    ({"path": "1%0d%0aDELE%201"}, 3),
    ({"path": "1%00"}, 3),
    ({"path": "1", "CUSTOMREQUEST": "NOOP\r\nDELE 1"}, 3),
    ({"path": "1", "CUSTOMREQUEST": "NOOP%0aDELE 1"}, 3),
])
def test_no_line_end_gets_into_a_command(drive, make_server, ours_only, options, code):
    ours_only("the newest logs in first")
    server = make_server()
    options = dict(options)
    path = options.pop("path", "1")
    assert drive.get(URL=url(server, path, "" if "USERNAME" in options else "u:p@"), **options).code == code


# ---- TLS

STLS = "+OK\r\nSTLS\r\nUSER\r\n.\r\n"


@pytest.mark.parametrize("use_ssl", [USE_SSL_TRY, USE_SSL_ALL])
def test_stls_comes_before_the_login(drive, make_server, certs, use_ssl):
    server = make_server()
    server.script(Send("+OK\r\n"), *dialogue("CAPA", STLS),
                  StartTls(b"STLS\r\n", b"+OK go\r\n", certs.context()),
                  *dialogue("CAPA", CAPA, "USER u", "+OK\r\n", "PASS p", "+OK\r\n", "RETR 1", "+OK\r\n" + MAIL), *QUIT)
    t = drive.get(URL=url(server), USE_SSL=use_ssl, CAINFO=certs.path("ca.pem"))
    assert (t.code, t.body) == (0, READ)


@not_debian("a connection in the clear serves where TLS is asked for")
def test_a_connection_serves_one_level_of_protection(drive, make_server, certs):
    """Options of TLS count where TLS is asked for, and there alone."""
    server = make_server()
    mail = dialogue("RETR 1", "+OK\r\n" + MAIL)
    tls = (Send("+OK\r\n"), *dialogue("CAPA", STLS), StartTls(b"STLS\r\n", b"+OK go\r\n", certs.context()), *greet()[1:])
    server.script(*greet(), *mail, *mail, *QUIT)
    server.script(*tls, *mail, *mail, *QUIT)
    server.script(*tls, *mail, *QUIT)
    d = drive().easy(URL=url(server), CAINFO=certs.path("ca.pem")).perform("h").setopt("h", SSL_VERIFYHOST=0).perform("h")
    d.setopt("h", USE_SSL=USE_SSL_ALL).perform("h").perform("h").setopt("h", SSL_VERIFYHOST=2).perform("h")
    assert [t.code for t in d.run().all("h")] == [0, 0, 0, 0, 0]


def test_pop3s_has_tls_from_the_first_byte(drive, make_server, certs):
    server = make_server(tls=certs.context())
    server.script(*greet(), *dialogue("RETR 1", "+OK\r\n" + MAIL), *QUIT)
    t = drive.get(URL=url(server, scheme="pop3s"), CAINFO=certs.path("ca.pem"))
    assert (t.code, t.body) == (0, READ)


def test_bytes_injected_before_tls_are_refused(drive, make_server, certs):
    server = make_server()
    server.script(Send("+OK\r\n"), *dialogue("CAPA", STLS),
                  StartTls(b"STLS\r\n", b"+OK go\r\n", certs.context(), then=b"+OK\r\n"))
    assert drive.get(URL=url(server), USE_SSL=USE_SSL_ALL, CAINFO=certs.path("ca.pem")).code == 8


@pytest.mark.parametrize("use_ssl, capa, code", [(USE_SSL_TRY, CAPA, 0), (USE_SSL_ALL, CAPA, 64),
                                                 (USE_SSL_TRY, STLS, 0), (USE_SSL_ALL, STLS, 64)])
def test_a_server_without_tls(drive, make_server, use_ssl, capa, code):
    server = make_server()
    refusal = ask("STLS", "-ERR\r\n") if capa is STLS else ()
    rest = dialogue("USER u", "+OK\r\n", "PASS p", "+OK\r\n", "RETR 1", "+OK\r\n" + MAIL) + QUIT
    server.script(Send("+OK\r\n"), *dialogue("CAPA", capa), *refusal, *(() if code else rest))
    assert drive.get(URL=url(server), USE_SSL=use_ssl).code == code


# ---- bodies

BIG = b"".join(b"%06d.\r\n" % i for i in range(40000))


def test_a_paused_mail_goes_on(drive, make_server, multi_way):
    server = make_server()
    server.script(*greet(), Read(b"RETR 1\r\n"), Send(b"+OK\r\n" + BIG + b".\r\n"), *QUIT)
    d = drive(multi_way).easy(URL=url(server)).on("h", "write", "bytes", 100000, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("drive", "m", "for", 60).do("pause", "h", PAUSE_CONT).do("drive", "m", "all")
    t = d.run()["h"]
    assert (t.code, t.length, t.crc) == (0, len(BIG), crc(BIG))


def test_a_pause_on_the_last_bytes_ends(drive, make_server, multi_way):
    """What was kept was not delivered when the application went on, and the transfer never ended."""
    server = make_server()
    server.script(*greet(), Read(b"RETR 1\r\n"), Send(b"+OK\r\nhello\r\n.\r\n"), *QUIT)
    d = drive(multi_way).easy(URL=url(server)).on("h", "write", "call", 1, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("drive", "m", "for", 60).do("pause", "h", PAUSE_CONT)
    t = d.do("drive", "m", "all").run()["h"]
    assert (t.code, t.body) == (0, b"hello\r\n")


@not_debian("what comes is not held against CURLOPT_MAXFILESIZE")
def test_a_pause_on_the_last_bytes_allowed(drive, make_server, multi_way):
    """The bytes that CURLOPT_MAXFILESIZE forbids were lost in the pause, and the mail was taken for complete."""
    server = make_server()
    server.script(*greet(), Read(b"RETR 1\r\n"), Send(b"+OK\r\nhello, world\r\n.\r\n"), UntilClose())
    d = drive(multi_way).easy(URL=url(server), MAXFILESIZE=5).on("h", "write", "call", 1, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("pause", "h", PAUSE_CONT)
    t = d.do("drive", "m", "all").run()["h"]
    assert t.code == 63 and b"hello".startswith(t.body)


def test_a_list_may_be_paused_at_its_first_line(drive, make_server, multi_way):
    server = make_server()
    server.script(*greet(), *dialogue("LIST", "+OK\r\n1 20\r\n2 30\r\n.\r\n"), *QUIT)
    d = drive(multi_way).easy(URL=url(server, "")).on("h", "write", "call", 1, "pause").do("add", "m", "h")
    d.do("drive", "m", "paused", "h").do("drive", "m", "for", 60).do("pause", "h", PAUSE_CONT)
    t = d.do("drive", "m", "all").run()["h"]
    assert (t.code, t.body) == (0, b"1 20\r\n2 30\r\n")


@not_debian("what has come is delivered at once")
@pytest.mark.parametrize("way", ["easy", "socket"])
def test_a_mail_keeps_to_a_speed(drive, make_server, way):
    """After what may come in the first second."""
    server, mail = make_server(), b"line\r\n" * 5000
    server.script(*greet(), *dialogue("RETR 1", "+OK\r\n" + mail.decode() + ".\r\n"), *QUIT)
    d = drive(way).easy(URL=url(server), MAX_RECV_SPEED_LARGE=20000, BUFFERSIZE=1024).perform().getinfo("h", "TOTAL_TIME_T")
    t = d.run()["h"]
    assert (t.code, t.length) == (0, len(mail)) and t.info["TOTAL_TIME_T"] > 300000, t.info


@pytest.mark.parametrize("steps", [(), (Send("+OK x"),), (Send("+OK x\r\n"),), (Send("+OK x\r\n"), *dialogue("CAPA", "+OK\r\nUSER\r\n")),
                                   (Send("+OK x\r\n"), *dialogue("CAPA", CAPA)),
                                   (Send("+OK x\r\n"), *dialogue("CAPA", CAPA, "USER u", "+OK\r\n")),
                                   (Send("+OK x\r\n"), *dialogue("CAPA", CAPA, "USER u", "+OK\r\n", "PASS p", "+OK\r\n")),
                                   (*greet(), *dialogue("RETR 1", "+OK\r\nx"))])
def test_a_transfer_is_removed_at_any_point(drive, make_server, steps):
    there = threading.Event()
    server = make_server()
    server.script(*steps, Set(there), UntilClose())
    d = drive("poll").easy(URL=url(server)).do("add", "m", "h").drive_until(there)
    assert d.do("remove", "m", "h").end().status == 0


def test_a_silent_server_is_left_in_time(drive, make_server):
    server = make_server()
    server.script(*greet(), Read(b"RETR 1\r\n"), UntilClose())
    assert drive.get(URL=url(server), SERVER_RESPONSE_TIMEOUT=1).code == 28


@pytest.mark.parametrize("at", [b"+O", b"+OK\r\n", b"+OK\r\n" + BIG])
def test_a_transfer_is_removed_in_the_middle_of_a_response(drive, make_server, at):
    sent = threading.Event()
    server = make_server()
    server.script(*greet(), Read(b"RETR 1\r\n"), Send(at), Set(sent), UntilClose())
    d = drive("poll").easy(URL=url(server)).do("add", "m", "h").drive_until(sent)
    assert d.do("remove", "m", "h").end().status == 0
