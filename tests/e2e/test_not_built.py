"""What this build has not: what is harmless is accepted, what would change a request is never sent without it."""

import subprocess

import pytest

from mote_driver import LIBRARY, LOCK_HSTS, LOCK_PSL, SANITIZED, SYSTEM, by_library
from server import Serve, response

CURL = "/usr/bin/curl"


def serve(server, headers=()):
    server.default(Serve(lambda request, peer: response(200, b"x", headers)))
NOT_BUILT_IN = 4

REFUSED = [  # option, value, what setopt answers
    ("TLSAUTH_USERNAME", "u", 4), ("TLSAUTH_PASSWORD", "p", 4), ("ECH", "true", 4), ("HTTP_VERSION", 31, 1),
]


@pytest.mark.parametrize("option,value,answer", REFUSED, ids=lambda v: str(v))
def test_a_refused_option_is_not_passed_over(drive, server, way, ours_only, option, value, answer):
    """A program that does not look at what setopt answers gets an error, not a request without what it asked for."""
    ours_only("libcurl has these")
    d = drive(way).easy(URL=server.url())
    d.do("setopt", "h", option, *([] if value is None else [value]))
    r = d.perform().run()
    assert [f[-1] for f in r.of("setopt", "h", option)] == [answer] * bool(answer)
    assert r["h"].code == NOT_BUILT_IN
    assert option in r["h"].error
    assert not server.asked()


@pytest.mark.parametrize("undo", [{"TLSAUTH_USERNAME": None}, "reset"], ids=["nothing", "reset"])
def test_what_is_taken_back_is_not_refused(drive, server, ours_only, undo):
    ours_only("libcurl has these")
    serve(server)
    d = drive().easy(URL=server.url(), TLSAUTH_USERNAME="u").perform()
    if undo == "reset":
        d.do("reset", "h").setopt("h", URL=server.url())
    else:
        d.setopt("h", **undo)
    assert [t.code for t in d.perform().run().all("h")] == [NOT_BUILT_IN, 0]


def test_a_form_that_another_method_replaces(drive, server):
    serve(server)
    r = drive().easy(URL=server.url(), MIMEPOST=None, HTTPGET=1).perform().run()
    assert r["h"].code == 0
    assert server.asked()[0].method == "GET"


def test_an_empty_form_is_a_post(drive, server):
    """CURLOPT_MIMEPOST NULL asks for an empty form: a GET is not what the program wanted."""
    serve(server)
    assert drive.get(URL=server.url(), MIMEPOST=None).code == 0
    assert [r.method for r in server.asked()] == ["POST"]


@pytest.mark.parametrize("credentials", [{"USERPWD": "u:p"}, {"USERNAME": "u"}, "url", {}], ids=str)
def test_authentication_that_is_not_built_in(drive, server, ours_only, credentials):
    """Where there is a password to send, a request without it is not sent; where there is none it is."""
    ours_only("libcurl goes on with the schemes that were set before")
    serve(server)
    url = server.url().replace("//", "//u:p@") if credentials == "url" else server.url()
    t = drive.get(URL=url, HTTPAUTH=8, **(credentials if credentials != "url" else {}))
    assert t.code == (NOT_BUILT_IN if credentials else 0)
    assert len(server.asked()) == (0 if credentials else 1)


def test_authentication_that_is_set_again(drive, server):
    serve(server)
    t = drive.get(URL=server.url(), USERPWD="u:p", HTTPAUTH=1)
    assert t.code == 0
    r = drive().easy(URL=server.url(), USERPWD="u:p", HTTPAUTH=8).setopt("h", HTTPAUTH=1).perform().run()
    assert r["h"].code == 0
    assert all(request.header("Authorization") for request in server.asked())


@pytest.mark.parametrize("version", [3, 4, 30])
def test_a_version_that_a_server_may_turn_down(drive, server, version):
    """2_0, 2TLS and 3 are wishes: they end as HTTP/1.1 where the server has no other."""
    serve(server)
    assert drive.get(URL=server.url(), HTTP_VERSION=version).body == b"x"


@pytest.mark.parametrize("kind", [LOCK_PSL, LOCK_HSTS])
def test_sharing_what_there_is_not(drive, server, kind):
    serve(server)
    d = drive().do("share", "s").do("sharesetopt", "s", "SHARE", kind).easy(URL=server.url())
    r = d.do("setopt", "h", "SHARE", "s").perform().run()
    assert r.code("shcode", "s", "SHARE") == 0
    assert r["h"].code == 0


# ---- files whose contents would be sent ----


@pytest.mark.parametrize("mode,code", [(1, 0), (2, by_library(26, 0))])
@pytest.mark.parametrize("where", ["option", "home"])
def test_a_netrc_file_that_is_not_there(drive, server, tmp_path, mode, code, where):
    """mpd and every R handle ask for it: where there is none, nothing is missed."""
    serve(server)
    named = {"NETRC_FILE": tmp_path / "none"} if where == "option" else {}
    t = drive.get(URL=server.url(), NETRC=mode, env={"HOME": str(tmp_path)}, **named)
    assert t.code == code, t.error


def test_a_local_file_needs_no_password(drive, tmp_path):
    (tmp_path / ".netrc").write_text("machine x login u password p\n")
    t = drive.get(URL=f"file://{tmp_path}/.netrc", NETRC=1, env={"HOME": str(tmp_path)})
    assert t.code == 0


# ---- curl itself ----

@pytest.mark.parametrize("arguments", [["--http2-prior-knowledge"], ["--http2-prior-knowledge", "-k"]], ids=str)
def test_curl_says_what_is_missing(ours_only, drive, server, tmp_path, arguments):
    ours_only("libcurl has these")
    if not drive().easy(HTTP_VERSION=5).run().of("setopt"):
        pytest.skip("HTTP/2 is built")
    env = {"LD_LIBRARY_PATH": LIBRARY, "HOME": str(tmp_path)}
    if SANITIZED:
        env.update(LD_PRELOAD=SANITIZED, ASAN_OPTIONS="detect_leaks=0")
    run = subprocess.run([CURL, "-q", "-sS", *arguments, server.url()], cwd=tmp_path, capture_output=True, text=True,
                         env=env, timeout=120)
    assert run.returncode == NOT_BUILT_IN
    assert "memory" not in run.stderr and run.stderr
    assert not server.asked()
