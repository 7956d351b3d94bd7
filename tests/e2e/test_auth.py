"""Basic and bearer."""

import base64

import pytest

from mote_driver import AUTH_ANY, AUTH_BASIC, AUTH_BEARER, by_library, not_debian
from server import Expect, Reply, Send, Serve, response


def basic(text):
    return "Basic " + base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize("options,sent", [
    ({"USERPWD": "user:secret"}, "user:secret"),
    ({"USERNAME": "user", "PASSWORD": "secret"}, "user:secret"),
    ({"USERPWD": "user"}, "user:"),
    ({"USERPWD": "user:"}, "user:"),
    ({"USERPWD": ":secret"}, ":secret"),
    ({"USERPWD": "user:se:cr:et"}, "user:se:cr:et"),
    ({"USERNAME": "us:er", "PASSWORD": "x"}, "us:er:x"),
    ({"USERPWD": "us%20er:p%40"}, "us%20er:p%40"),
    ({"USERPWD": "\u00fc:\u00e4"}, "\u00fc:\u00e4"),
    ({"USERPWD": "user:" + "x" * 3000}, "user:" + "x" * 3000),
], ids=lambda v: str(v)[:30])
def test_basic(drive, server, options, sent):
    server.script(Expect(has={"Authorization": basic(sent)}), Reply(200, b"in"))
    assert drive.get(URL=server.url(), **options).body == b"in"


@pytest.mark.parametrize("userinfo,sent", [("user:secret@", "user:secret"), ("us%20er:p%40ss@", "us er:p@ss"),
                                           ("user@", "user:"), (":secret@", ":secret"), ("user:@", "user:")])
def test_basic_of_the_url(drive, server, userinfo, sent):
    server.script(Expect(has={"Authorization": basic(sent), "Host": server.authority}), Reply(200, b"in"))
    t = drive.get(URL=server.url(userinfo=userinfo))
    assert t.body == b"in"


@pytest.mark.parametrize("userinfo", ["u%00x:p@", "u:p%00@"])
@pytest.mark.parametrize("scheme", [1, 2])  # Basic and Digest
def test_a_nul_in_the_login_of_the_url(drive, server, userinfo, scheme):
    """It is refused. Basic sent it, and servers saw another user, or another password."""
    server.default(Serve(lambda q, p: response(401, b"", ['WWW-Authenticate: Digest realm="x", nonce="y", qop="auth"'])))
    assert drive.get(URL=server.url(userinfo=userinfo), HTTPAUTH=scheme).code == 3
    assert not any(q.header("Authorization") for q in server.asked())


def test_options_win_over_the_url(drive, server):
    server.script(Expect(has={"Authorization": basic("opt:pw")}), Reply())
    assert drive.get(URL=server.url(userinfo="url:pw@"), USERPWD="opt:pw").code == 0


@not_debian("an empty user wins over the URL's")
@pytest.mark.parametrize("userinfo,options,sent", [
    ("", {"PASSWORD": "p"}, ":p"), ("u@", {"PASSWORD": "p"}, "u:p"), ("u:x@", {"PASSWORD": "p"}, "u:x"),
    ("u:@", {"PASSWORD": "p"}, "u:"), (":@", {"PASSWORD": "p"}, None),
    ("u:x@", {"USERNAME": "n"}, "n:"), ("u:x@", {"USERPWD": ""}, "u:x"), ("u:x@", {"USERPWD": ":q"}, "u:x"),
    ("u:x@", {"USERPWD": ":"}, "u:x"), ("u:x@", {"USERPWD": "n"}, "n:"), ("u@", {"USERPWD": ":q"}, "u:q"),
    ("", {"USERPWD": ""}, None), ("", {"USERPWD": ":"}, None), ("", {"USERNAME": ""}, None), ("", {"PASSWORD": ""}, None),
    (":@", {}, None), ("@", {}, None), ("u%41@", {"PASSWORD": "%41"}, "uA:%41"),
])
def test_what_the_options_lack_the_url_has(drive, server, userinfo, options, sent):
    """The user of the options, else the URL's; with that goes its password, else that of the options."""
    if sent is None:
        server.script(Expect(lacks=["Authorization"]), Reply(200, b"in"))
    else:
        server.script(Expect(has={"Authorization": basic(sent)}), Reply(200, b"in"))
    t = drive.get(URL=server.url(userinfo=userinfo), info=("HTTPAUTH_USED",), **options)
    assert (t.body, t.info["HTTPAUTH_USED"]) == (b"in", AUTH_BASIC if sent else 0)


# ---------------------------------------------------------------- a server's choice is remembered

CHALLENGE = response(401, b"no", ['WWW-Authenticate: Basic realm="x"'])
IN = {"Authorization": basic("u:p")}


@not_debian("no HTTPAUTH_USED")
def test_choice_is_remembered(drive, server, way):
    """Later transfers to that server are sent once, and their bodies too."""
    server.script(Expect(lacks=["Authorization"]), Send(CHALLENGE), *4 * [Expect(has=IN), Reply(200, b"in")])
    d = drive(way).easy(URL=server.url(), USERPWD="u:p", HTTPAUTH=AUTH_ANY).perform().getinfo("h", "HTTPAUTH_USED")
    d.perform().getinfo("h", "HTTPAUTH_USED").setopt("h", URL=server.url("/2"), HTTPAUTH=AUTH_ANY).perform().getinfo("h", "HTTPAUTH_USED")
    d.setopt("h", POSTFIELDS="x=1").perform().getinfo("h", "HTTPAUTH_USED")
    r = d.run()
    assert [(t.body, t.info["HTTPAUTH_USED"]) for t in r.all("h")] == 4 * [(b"in", AUTH_BASIC)]


def test_choice_is_remembered_with_other_credentials(drive, server):
    server.script(Expect(), Send(CHALLENGE), Expect(has=IN), Reply(), Expect(has={"Authorization": basic("c:d")}), Send(CHALLENGE))
    d = drive().easy(URL=server.url(), USERPWD="u:p", HTTPAUTH=AUTH_ANY).perform().setopt("h", USERPWD="c:d").perform()
    assert [t.body for t in d.run().all("h")] == [b"", b"no"]


@pytest.mark.parametrize("challenged", [True, False])
def test_only_one_scheme_when_asked(drive, server, challenged):
    """CURLAUTH_ONLY: the request goes out without credentials first."""
    if challenged:
        server.script(Expect(lacks=["Authorization"]), Send(CHALLENGE), Expect(has=IN), Reply(200, b"in"))
    else:
        server.script(Expect(lacks=["Authorization"]), Reply(200, b"in"))
    assert drive.get(URL=server.url(), USERPWD="u:p", HTTPAUTH=AUTH_BASIC | 1 << 31).body == b"in"


def test_only_one_scheme_when_asked_after_another_transfer(drive, server):
    """A libcurl goes on with the scheme that the transfer before used unasked."""
    server.script(Expect(has=IN), Reply(), Expect(**by_library({"lacks": ["Authorization"]}, {"has": IN}, {"has": IN})), Reply())
    d = drive().easy(URL=server.url(), USERPWD="u:p").perform().setopt("h", HTTPAUTH=AUTH_BASIC | 1 << 31).perform()
    assert [t.code for t in d.run().all("h")] == [0, 0]


def test_choice_is_forgotten_by_reset(drive, server):
    server.script(*2 * [Expect(lacks=["Authorization"]), Send(CHALLENGE), Expect(has=IN), Reply(200, b"in")])
    d = drive().easy(URL=server.url(), USERPWD="u:p", HTTPAUTH=AUTH_ANY).perform().do("reset", "h")
    d.setopt("h", URL=server.url(), USERPWD="u:p", HTTPAUTH=AUTH_ANY).perform()
    assert [t.code for t in d.run().all("h")] == [0, 0]


def test_choice_is_not_for_a_duplicate(drive, server):
    server.script(Expect(lacks=["Authorization"]), Send(CHALLENGE), Expect(has=IN), Reply(200, b"in"))
    server.script(Expect(lacks=["Authorization"]), Reply(200, b"open"))
    d = drive().easy(URL=server.url(), USERPWD="u:p", HTTPAUTH=AUTH_ANY).perform().do("dup", "h", "g").perform("g")
    assert d.run()["g"].code == 0


def test_choice_is_for_that_server(drive, server, make_server):
    """Another origin starts without; a libcurl sends it what the first one has chosen."""
    other = make_server()
    server.script(Expect(lacks=["Authorization"]), Send(CHALLENGE), *2 * [Expect(has=IN), Reply(200, b"in")])
    other.script(Expect(lacks=by_library(["Authorization"], [], [])), Reply(200, b"open"))
    d = drive().easy(URL=server.url(), USERPWD="u:p", HTTPAUTH=AUTH_ANY).perform().setopt("h", URL=other.url()).perform()
    d.setopt("h", URL=server.url()).perform()
    assert [t.code for t in d.run().all("h")] == [0, 0, 0]


def test_choice_is_not_for_where_a_redirect_leads(drive, server, make_server):
    """Allowed to have the credentials, the other server is asked first, and its own choice counts."""
    other = make_server()
    moved = response(302, b"", [f"Location: {other.url('/2')}"])
    server.script(Expect(lacks=["Authorization"]), Send(CHALLENGE), Expect(has=IN), Send(moved))
    sent = by_library([Expect(lacks=["Authorization"]), Send(CHALLENGE), Expect(has=IN)], [Expect(has=IN)], [Expect(has=IN)])
    other.script(*sent, Reply(200, b"in"))
    t = drive.get(URL=server.url(), USERPWD="u:p", HTTPAUTH=AUTH_ANY, FOLLOWLOCATION=1, UNRESTRICTED_AUTH=1)
    assert (t.code, t.body) == (0, b"in")


@not_debian("no HTTPAUTH_USED")
def test_httpauth_used_after_a_redirect_to_another_host(drive, server, make_server):
    """It is what the last request with credentials had."""
    other = make_server()
    server.script(Expect(has=IN), Send(response(302, b"", [f"Location: {other.url('/2')}"])))
    other.script(Expect(lacks=["Authorization"]), Reply(200, b"open"))
    t = drive.get(URL=server.url(), USERPWD="u:p", FOLLOWLOCATION=1, info=("HTTPAUTH_USED",))
    assert (t.body, t.info["HTTPAUTH_USED"]) == (b"open", AUTH_BASIC)


@not_debian("no HTTPAUTH_USED")
@pytest.mark.parametrize("sent,first,then,options", [
    (basic("u:"), "u@", ":@", {}), (basic("u:"), "u@", "", {"XOAUTH2_BEARER": "t", "UNRESTRICTED_AUTH": 1}),
    ("Bearer t", "", "u:p@", {"XOAUTH2_BEARER": "t", "HTTPAUTH": AUTH_BEARER}),
], ids=["empty", "token", "bearer"])
def test_httpauth_used_after_credentials_without_a_scheme(drive, server, make_server, sent, first, then, options):
    """The second request has credentials, but none that CURLOPT_HTTPAUTH sends."""
    other = make_server()
    server.script(Expect(has={"Authorization": sent}), Send(response(302, b"", [f"Location: {other.url('/2', userinfo=then)}"])))
    other.script(Expect(lacks=["Authorization"]), Reply(200, b"open"))
    t = drive.get(URL=server.url(userinfo=first), FOLLOWLOCATION=1, info=("HTTPAUTH_USED",), **options)
    assert (t.body, t.info["HTTPAUTH_USED"]) == (b"open", 0)


def test_none(drive, server):
    server.script(Expect(lacks=["Authorization"]), Reply())
    assert drive.get(URL=server.url()).code == 0


def test_userinfo_not_allowed(drive, server):
    t = drive.get(URL=server.url(userinfo="u:p@"), DISALLOW_USERNAME_IN_URL=1)
    assert t.code == 67


def test_custom_header_wins(drive, server):
    server.script(Expect(has={"Authorization": "Mine"}), Reply())
    assert drive.get(URL=server.url(), USERPWD="u:p", HTTPHEADER=["Authorization: Mine"]).code == 0


@not_debian("an empty one is sent")
def test_empty_token_is_none(drive, server):
    server.script(Expect(lacks=["Authorization"]), Reply())
    t = drive.get(URL=server.url(), XOAUTH2_BEARER="", HTTPAUTH=AUTH_BEARER, info=("HTTPAUTH_USED",))
    assert (t.code, t.info["HTTPAUTH_USED"]) == (0, 0)


@pytest.mark.parametrize("line", ["Authorization:", "Authorization;", "Authorization: Mine"])
def test_custom_header_replaces_credentials_of_a_redirect(drive, server, make_server, line):
    """The line itself goes to the first origin alone; the other one gets no field of that name at all."""
    other = make_server()
    server.script(Expect(), Send(response(302, b"", [f"Location: {other.url('/2', userinfo='u2@')}"])))
    other.script(Expect(lacks=["Authorization"]), Reply(200, b"open"))
    t = drive.get(URL=server.url(), FOLLOWLOCATION=1, HTTPHEADER=[line])
    assert (t.code, t.body) == (0, b"open")


def test_bearer(drive, server, way):
    server.script(Expect(has={"Authorization": "Bearer token123"}), Reply(200, b"in"))
    assert drive.get(way, URL=server.url(), XOAUTH2_BEARER="token123", HTTPAUTH=AUTH_BEARER).body == b"in"


def test_any_basic(drive, server, way):
    """HTTPAUTH any: first without, then what the server names."""
    server.script(Expect(lacks=["Authorization"]), Reply(401, b"who?", ['WWW-Authenticate: Basic realm="x"']),
                  Expect(has={"Authorization": basic("u:p")}), Reply(200, b"in"))
    t = drive.get(way, URL=server.url(), USERPWD="u:p", HTTPAUTH=AUTH_ANY, info=("RESPONSE_CODE", "HTTPAUTH_AVAIL"))
    assert (t.code, t.body, t.info["RESPONSE_CODE"]) == (0, b"in", 200)


def test_refused(drive, server, way):
    """401 to the credentials: the answer is the result, no second try."""
    server.answer(response(401, b"no", ['WWW-Authenticate: Basic realm="x"']))
    t = drive.get(way, URL=server.url(), USERPWD="u:bad", info=("RESPONSE_CODE", "HTTPAUTH_AVAIL"))
    assert (t.code, t.body) == (0, b"no")
    assert t.info == {"RESPONSE_CODE": 401, "HTTPAUTH_AVAIL": AUTH_BASIC}


def test_refused_after_any(drive, server):
    server.script(Expect(lacks=["Authorization"]), Reply(401, b"who?", ['WWW-Authenticate: Basic realm="x"']),
                  Expect(has={"Authorization": basic("u:bad")}), Reply(401, b"no", ['WWW-Authenticate: Basic realm="x"']))
    t = drive.get(URL=server.url(), USERPWD="u:bad", HTTPAUTH=AUTH_ANY, info=("RESPONSE_CODE",))
    assert (t.code, t.body, t.info["RESPONSE_CODE"]) == (0, b"no", 401)


def test_any_counts_as_a_redirect(drive, server, way):
    """The request that is made again counts, as a redirect after it does."""
    server.script(Expect(lacks=["Authorization"]), Reply(401, b"who?", ['WWW-Authenticate: Basic realm="x"']),
                  Expect(has={"Authorization": basic("u:p")}), Reply(302, b"", ["Location: /next"]),
                  Expect(has={"Authorization": basic("u:p")}), Reply(200, b"in"))
    t = drive.get(way, URL=server.url(), USERPWD="u:p", HTTPAUTH=AUTH_ANY, FOLLOWLOCATION=1,
                  info=("REDIRECT_COUNT", "REDIRECT_TIME_T"))
    assert (t.code, t.body, t.info["REDIRECT_COUNT"]) == (0, b"in", 2) and t.info["REDIRECT_TIME_T"] > 0


@pytest.mark.parametrize("most,code", [(0, 47), (1, 0), (-1, 0)])
def test_any_and_the_limit_of_redirects(drive, server, most, code):
    second = [Expect(has={"Authorization": basic("u:p")}), Reply(200, b"in")]
    server.script(Expect(lacks=["Authorization"]), Reply(401, b"who?", ['WWW-Authenticate: Basic realm="x"']),
                  *(second if not code else []))
    t = drive.get(URL=server.url(), USERPWD="u:p", HTTPAUTH=AUTH_ANY, MAXREDIRS=most,
                  info=("REDIRECT_COUNT", "RESPONSE_CODE"))
    assert (t.code, t.info["REDIRECT_COUNT"]) == (code, 0 if code else 1)
    assert t.info["RESPONSE_CODE"] == (401 if code else 200)


def test_post_with_any(drive, server):
    """A body is sent again after the 401."""
    server.script(Expect("POST"), Reply(401, b"who?", ['WWW-Authenticate: Basic realm="x"']),
                  Expect("POST", body=b"f=1", has={"Authorization": basic("u:p")}), Reply(200, b"in"))
    assert drive.get(URL=server.url(), USERPWD="u:p", HTTPAUTH=AUTH_ANY, POSTFIELDS="f=1").body == b"in"


def test_credentials_off_again(drive, server):
    server.script(Expect(has={"Authorization": basic("u:p")}), Reply(), Expect(lacks=["Authorization"]), Reply())
    r = drive().easy(URL=server.url(), USERPWD="u:p").perform().setopt("h", USERPWD=None).perform().run()
    assert [t.code for t in r.all("h")] == [0, 0]


def test_url_credentials_do_not_stay(drive, server):
    server.script(Expect(has={"Authorization": basic("u:p")}), Reply(), Expect(lacks=["Authorization"]), Reply())
    r = drive().easy(URL=server.url(userinfo="u:p@")).perform().setopt("h", URL=server.url()).perform().run()
    assert [t.code for t in r.all("h")] == [0, 0]


def test_nginx_auth(drive, nginx):
    assert drive.get(URL=nginx.url("/auth/12.txt"), USERPWD="user:secret word").body == b"hello world\n"
    t = drive.get(URL=nginx.url("/auth/12.txt"), USERPWD="user:other", FAILONERROR=1)
    assert t.code == 22


def test_effective_url_shows_no_password_in_errors(drive, closed_port):
    t = drive.get(URL=f"http://user:hunter2@127.0.0.1:{closed_port}/")
    assert t.code == 7
    assert "hunter2" not in t.error
