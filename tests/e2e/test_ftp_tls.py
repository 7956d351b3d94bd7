"""FTP with TLS against scripted servers: on both connections, in both modes, asked for or from the first byte."""

import pytest

from command_server import Command, Say, StartTls
from ftp_server import QUIT, Active, Give, Passive, Private, Take, download, login, upload
from mote_driver import not_debian
from script import ScriptServer

TEXT = b"hello world\n"
USE_SSL_TRY, USE_SSL_CONTROL, USE_SSL_ALL = 1, 2, 3


def auth(certs, then=b""):
    return StartTls(b"AUTH SSL\r\n", b"234 go\r\n", certs.context(), then)


def secured(certs):
    """The login, with TLS asked for before it."""
    banner, user, password, pwd = login()
    return [banner, auth(certs), user, password, Private(certs.context()), pwd]


def ask(drive, server, certs, way="easy", scheme="ftp", **options):
    url = f"{scheme}://{server.authority}/file"
    return drive(way).easy(URL=url, USE_SSL=USE_SSL_ALL, CAINFO=certs.path("ca.pem"), **options)


@pytest.fixture
def ftp(make_server):
    return make_server(cls=ScriptServer)


def test_both_connections(drive, ftp, certs, way):
    """A download, and an upload on the same control connection."""
    again = upload("file", TEXT)
    ftp.script(*secured(certs), *download("file", TEXT), again[0], *again[2:], QUIT)
    d = ask(drive, ftp, certs, way).perform().setopt("h", UPLOAD=1, INFILESIZE=len(TEXT))
    r = d.body("h", TEXT).perform().run()
    assert [(t.code, t.body) for t in r.all("h")] == [(0, TEXT), (0, b"")]


@not_debian("the data connection gets no TLS")
def test_server_that_connects(drive, ftp, certs, way):
    ftp.script(*secured(certs), Active(), Command("TYPE I", "200 ok"), Command("SIZE file", "500 no"),
               Command("RETR file", "150 here"), Give(TEXT), QUIT)
    t = ask(drive, ftp, certs, way, FTPPORT="-").perform().run()["h"]
    assert (t.code, t.body) == (0, TEXT)


def test_from_the_first_byte(drive, make_server, certs):
    server = make_server(cls=ScriptServer, tls=certs.context())
    steps = login()
    server.script(*steps[:3], Private(certs.context()), steps[3], *download("file", TEXT), QUIT)
    t = ask(drive, server, certs, scheme="ftps").perform().run()["h"]
    assert (t.code, t.body) == (0, TEXT)


def test_replies_injected_before_tls(drive, ftp, certs):
    ftp.script(Say("220 hello"), auth(certs, b"331 password\r\n"))
    assert ask(drive, ftp, certs).perform().run()["h"].code == 8


def test_data_connection_without_tls(drive, ftp, certs, ours_only):
    """The server has agreed to TLS, and a peer that has none gives the file."""
    ours_only("libcurl asks for another connection by PASV, and reports that")
    steps = [s for s in secured(certs) if not isinstance(s, Private)]
    steps[-1:-1] = [Command("PBSZ 0", "200 ok"), Command("PROT P", "200 ok")]
    ftp.script(*steps, *download("file", TEXT, last=None))
    t = ask(drive, ftp, certs).perform().run()["h"]
    assert (t.code, t.body) == (35, b"")


@pytest.mark.parametrize("level, code", [pytest.param(0, 64, marks=not_debian("the file goes in clear")), (USE_SSL_TRY, 0),
                                         (USE_SSL_CONTROL, 0), (USE_SSL_ALL, 64)])
@pytest.mark.parametrize("pbsz", ["200 ok", "500 no"])
def test_ftps_to_a_server_that_refuses_tls_for_data(drive, make_server, certs, pbsz, level, code):
    """No byte of the file goes in clear unless the application has allowed that."""
    server = make_server(cls=ScriptServer, tls=certs.context())
    *steps, pwd = login()
    steps += [Command("PBSZ 0", pbsz), Command("PROT C" if level == USE_SSL_CONTROL else "PROT P", "534 no")]
    server.script(*steps, *([] if code else [pwd, *upload("file", TEXT), QUIT]))
    d = ask(drive, server, certs, scheme="ftps").setopt("h", UPLOAD=1, USE_SSL=level).body("h", TEXT)
    assert d.perform().run()["h"].code == code


@pytest.mark.parametrize("mode", [1, 2])
def test_commands_stay_secret_if_ccc_is_refused(drive, ftp, certs, mode):
    *before, pwd = secured(certs)
    ftp.script(*before, Command("CCC", "534 no"), pwd, *download("file", TEXT), QUIT)
    t = ask(drive, ftp, certs, FTP_SSL_CCC=mode).perform().run()["h"]
    assert (t.code, t.body) == (0, TEXT)
