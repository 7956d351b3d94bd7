"""Redirects: every status with every method, what is kept, what is dropped, where it leads."""

import pytest

from mote_driver import NEWEST, REDIR_301, REDIR_302, REDIR_303, REDIR_ALL, SYSTEM, by_library, not_debian
from server import Call, Close, Expect, Reply, Send, UntilClose, response

STATUSES = [301, 302, 303, 307, 308]


def to(status, where, body=b"", headers=()):
    return response(status, body, [f"Location: {where}", *headers])


@pytest.mark.parametrize("status", STATUSES)
def test_get(drive, server, way, status):
    server.answer(to(status, "/two", b"ignored"), response(200, b"end"))
    t = drive.get(way, URL=server.url("/one"), FOLLOWLOCATION=1,
                  info=("REDIRECT_COUNT", "EFFECTIVE_URL", "RESPONSE_CODE", "NUM_CONNECTS", "REDIRECT_URL"))
    assert (t.code, t.body) == (0, b"end")
    assert t.info == {"REDIRECT_COUNT": 1, "EFFECTIVE_URL": server.url("/two"), "RESPONSE_CODE": 200,
                      "NUM_CONNECTS": 1, "REDIRECT_URL": "(null)"}
    assert [q.target for q in server.requests] == ["/one", "/two"]


@pytest.mark.parametrize("status", STATUSES)
def test_not_followed(drive, server, status):
    server.answer(to(status, "two?x", b"body"))
    t = drive.get(URL=server.url("/a/one"), info=("REDIRECT_URL", "RESPONSE_CODE", "REDIRECT_COUNT"))
    assert (t.code, t.body) == (0, b"body")
    assert t.info == {"REDIRECT_URL": server.url("/a/two?x"), "RESPONSE_CODE": status, "REDIRECT_COUNT": 0}


@pytest.mark.parametrize("where", ["http://u:p@127.0.0.9/b", "//u:p@127.0.0.9/b"])
def test_no_credentials_are_shown_where_they_are_refused(drive, server, where):
    """With CURLOPT_DISALLOW_USERNAME_IN_URL CURLINFO_REDIRECT_URL had the user and the password of the Location."""
    server.answer(to(302, where))
    t = drive.get(URL=server.url(), DISALLOW_USERNAME_IN_URL=1, info=("REDIRECT_URL",))
    assert (t.code, t.info["REDIRECT_URL"]) == (0, by_library("http://127.0.0.9/b", "http://u:p@127.0.0.9/b"))


@pytest.mark.parametrize("where", ["http://u@127.0.0.9/b", "//u@127.0.0.9/b"])
def test_a_user_in_a_location_is_refused(drive, server, where):
    server.answer(to(302, where))
    assert drive.get(URL=server.url(), DISALLOW_USERNAME_IN_URL=1, FOLLOWLOCATION=1).code == 67


@pytest.mark.parametrize("final, shown", [(200, "(null)"), (302, "/2")])
def test_location_in_an_interim_response_has_no_meaning(drive, server, final, shown):
    """RFC 8297 section 2: what early hints say may be otherwise in the final response."""
    fields = ["Location: /2"] * (final == 302)
    server.answer(b"HTTP/1.1 103 Early Hints\r\nLocation: /1\r\n\r\n" + response(final, b"text", fields))
    t = drive.get(URL=server.url(), info=("REDIRECT_URL",))
    first, shown = server.url("/1"), server.url(shown) if final == 302 else shown
    assert (t.code, t.info["REDIRECT_URL"]) == by_library((0, shown), (0, shown), (8, "(null)") if final == 302 else (0, first))


@pytest.mark.parametrize("head", [b"HTTP/1.1 304 X\r\nLocation: /2\r\n\r\n", b"HTTP/1.1 302 X\r\nLocation: /2\r\nContent-Length: 1\r\n\r\nx",
                                  b"HTTP/1.1 302 X\r\nLocation: /2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"])
def test_bytes_after_a_redirect_are_not_the_next_response(drive, server, way, head):
    """They may be meant for another client: the connection carries no other request."""
    first, second = [Expect(), Send(head + response(200, b"evil"))], [Expect(), Send(response(200, b"good"))]
    if SYSTEM:
        server.script(*first, *second)
    else:
        server.script(*first, UntilClose())
        server.script(*second)
    t = drive.get(way, URL=server.url(), FOLLOWLOCATION=1)
    assert (t.code, t.body) == (0, b"good")


@pytest.mark.parametrize("status", [300, 304, 305, 306, 399])
def test_other_3xx_with_location(drive, server, status):
    """libcurl follows any 3xx that has a Location."""
    answer = b"HTTP/1.1 %d X\r\nLocation: /2\r\nContent-Length: 0\r\n\r\n" % status
    server.answer(answer, response(200, b"two"))
    t = drive.get(URL=server.url(), FOLLOWLOCATION=1, info=("RESPONSE_CODE",))
    assert (t.code, t.body) == (0, b"two")


@pytest.mark.parametrize("status", [200, 201, 404, 503])
def test_location_of_what_is_no_redirect(drive, server, status):
    """It is not followed, but reported."""
    server.answer(response(status, b"here", ["Location: /2"]))
    t = drive.get(URL=server.url(), FOLLOWLOCATION=1, info=("REDIRECT_URL",))
    assert (t.code, t.body, t.info["REDIRECT_URL"]) == (0, b"here", by_library(server.url("/2"), "(null)"))


@not_debian("the first counts")
@pytest.mark.parametrize("follow", [0, 1])
@pytest.mark.parametrize("status", [200, 302])
def test_two_different_locations(drive, server, way, status, follow):
    server.answer(response(status, b"", ["Location: /2", "X: y", "Location: /3"]))
    t = drive.get(way, URL=server.url(), FOLLOWLOCATION=follow, info=("REDIRECT_URL",))
    assert (t.code, t.info["REDIRECT_URL"]) == (8, "(null)")
    assert [h for h in t.headers if b"/" in h and b"HTTP" not in h] == [b"Location: /2\r\n"]


@pytest.mark.parametrize("second", ["Location: /2", "Location:", "location: /2"])
def test_two_locations_that_are_the_same(drive, server, second):
    server.answer(to(302, "/2", headers=[second]), response(200, b"end"))
    assert drive.get(URL=server.url(), FOLLOWLOCATION=1).body == b"end"


def test_empty_location_between_two_that_are_the_same(drive, server):
    """The third was compared with the empty one, and refused."""
    server.answer(to(302, "/2", headers=["Location:", "Location: /2"]), response(200, b"end"))
    assert drive.get(URL=server.url(), FOLLOWLOCATION=1).body == b"end"


@not_debian("the first that is not empty counts")
def test_two_different_locations_and_an_empty_one(drive, server):
    """The empty one does not hide that they differ."""
    server.answer(to(302, "/2", headers=["Location:", "Location: /3"]))
    assert drive.get(URL=server.url(), FOLLOWLOCATION=1).code == 8


def test_head_of_a_redirect_that_is_one_too_many(drive, server, way):
    """All of it is delivered, and nothing of its body."""
    head = [b"HTTP/1.1 302 Found\r\n", b"A: b\r\n", b"Location: /2\r\n", b"C: d\r\n", b"Content-Length: 4\r\n", b"\r\n"]
    server.answer(b"".join(head) + b"body")
    t = drive.get(way, URL=server.url(), FOLLOWLOCATION=1, MAXREDIRS=0, info=("REDIRECT_URL",))
    assert (t.code, t.headers, t.body, t.info["REDIRECT_URL"]) == (47, head, b"", server.url("/2"))


# ---------------------------------------------------------------- HTTP/1.0

def old(*more):
    return response(302, b"", ["Location: /2", "Connection: keep-alive", *more], version="HTTP/1.0")


def test_redirect_answered_in_1_0_is_followed_in_1_0(drive, server, way):
    server.script(Expect(), Send(old()), Expect(version="HTTP/1.0", target="/2"), Reply(200, b"end"), Expect(), Reply(200, b"new"))
    d = drive(way).easy(URL=server.url(), FOLLOWLOCATION=1).perform().perform()
    assert [t.body for t in d.run().all("h")] == [b"end", b"new"]


@not_debian("each answer says it for one request alone")
def test_chain_stays_in_1_0(drive, make_server, way):
    first, second = make_server(), make_server()
    first.script(Expect(), Send(old()), Expect(version="HTTP/1.0", target="/2"), Send(to(302, second.url("/3"))))
    second.script(Expect(version="HTTP/1.0", target="/3"), Reply(200, b"end"), Expect(), Reply(200, b"new"))
    d = drive(way).easy(URL=first.url(), FOLLOWLOCATION=1).perform().setopt("h", URL=second.url()).perform()
    assert [t.body for t in d.run().all("h")] == [b"end", b"new"]


def test_connection_that_answered_in_1_0_is_asked_in_1_0(drive, server, way):
    """The next request follows what the connection's last answer was."""
    server.script(Expect(), Send(response(200, b"a", ["Connection: keep-alive"], version="HTTP/1.0")),
                  Expect(version="HTTP/1.0"), Reply(200, b"b"), Expect(), Reply(200, b"c"))
    d = drive(way).easy(URL=server.url()).perform().perform().perform()
    assert [t.body for t in d.run().all("h")] == [b"a", b"b", b"c"]


@pytest.mark.parametrize("status", [307, 308])
def test_chunked_upload_redirected_in_1_0(drive, server, status):
    """HTTP/1.0 has no chunked bodies."""
    server.script(Expect("PUT", has={"Transfer-Encoding": "chunked"}),
                  Send(response(status, b"", ["Location: /2", "Connection: keep-alive"], version="HTTP/1.0")), UntilClose())
    d = drive().easy(URL=server.url(), UPLOAD=1, FOLLOWLOCATION=1, HTTPHEADER=["Expect:"])
    assert d.enable("h", "seek").body("h", b"data").perform().run()["h"].code == 25


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("postredir", [0, REDIR_301, REDIR_302, REDIR_303, REDIR_ALL])
def test_post(drive, server, status, postredir):
    kept = status in (307, 308) or postredir & {301: REDIR_301, 302: REDIR_302, 303: REDIR_303}.get(status, 0)
    second = (Expect("POST", body=b"f=1", has={"Content-Type": "application/x-www-form-urlencoded"}) if kept else
              Expect("GET", body=b"", lacks=["Content-Length", "Content-Type"]))
    server.script(Expect("POST", body=b"f=1"), Send(to(status, "/2")), second, Reply(200, b"end"))
    t = drive.get(URL=server.url(), POSTFIELDS="f=1", FOLLOWLOCATION=1, POSTREDIR=postredir, info=("EFFECTIVE_METHOD",))
    assert (t.code, t.body) == (0, b"end")
    assert t.info["EFFECTIVE_METHOD"] == ("POST" if kept else "GET")


@pytest.mark.parametrize("status", STATUSES)
def test_head(drive, server, status):
    server.script(Expect("HEAD"), Send(to(status, "/2")), Expect("HEAD"), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"))
    assert drive.get(URL=server.url(), NOBODY=1, FOLLOWLOCATION=1).code == 0


@pytest.mark.parametrize("status", STATUSES)
def test_put(drive, server, status):
    """A PUT stays a PUT, except after 303."""
    method = "GET" if status == 303 else "PUT"
    server.script(Expect("PUT", body=b"data"), Send(to(status, "/2")),
                  Expect(method, body=b"data" if method == "PUT" else b""), Reply(200, b"end"))
    d = drive().easy(URL=server.url(), UPLOAD=1, INFILESIZE=4, FOLLOWLOCATION=1, HTTPHEADER=["Expect:"])
    r = d.enable("h", "seek").body("h", b"data").perform().run()
    assert (r["h"].code, r["h"].body) == (0, b"end")


@pytest.mark.parametrize("status", STATUSES)
def test_custom_request(drive, server, status):
    """CUSTOMREQUEST is used for every request of the chain (FOLLOWLOCATION 1)."""
    server.script(Expect("DELETE"), Send(to(status, "/2")), Expect("DELETE"), Reply(200, b"end"))
    assert drive.get(URL=server.url(), CUSTOMREQUEST="DELETE", FOLLOWLOCATION=1).body == b"end"


# ---------------------------------------------------------------- limits

@pytest.mark.parametrize("most,hops,code", [(0, 1, 47), (1, 1, 0), (2, 3, 47), (5, 5, 0), (-1, 40, 0)])
def test_maxredirs(drive, server, way, most, hops, code):
    answers = [to(302, f"/{i}") for i in range(1, hops + 1)]
    if code:
        answers = answers[:most + 1]
    else:
        answers.append(response(200, b"end"))
    server.answer(*answers)
    t = drive.get(way, URL=server.url("/0"), FOLLOWLOCATION=1, MAXREDIRS=most, info=("REDIRECT_COUNT", "RESPONSE_CODE"))
    assert t.code == code
    assert t.info["REDIRECT_COUNT"] == (most if code else hops)
    assert bool(t.error) == bool(code)


def test_default_limit(drive, nginx, ours_only):
    ours_only("libcurl 8.3 made 30 the default of MAXREDIRS; 7.88 has no limit")
    t = drive.get(URL=nginx.url("/loop"), FOLLOWLOCATION=1, info=("REDIRECT_COUNT",))
    assert (t.code, t.info["REDIRECT_COUNT"]) == (47, 30)


def test_heads_without_end(drive, server):
    """Each redirect has a head of its own, and all of them are kept."""
    def serve(peer):
        while True:
            peer.until(b"\r\n\r\n")
            peer.send(to(302, "/" + "x" * 90_000))
    step = Call(serve)
    step.may_be_left = True
    server.script(step)
    t = drive.get(URL=server.url(), FOLLOWLOCATION=1, MAXREDIRS=-1, info=("REDIRECT_COUNT",))
    assert t.code == by_library(100, 56, 56) and t.info["REDIRECT_COUNT"] == by_library(68, 3, 68)


# ---------------------------------------------------------------- where it leads

@pytest.mark.parametrize("base,location,target", [
    ("/a/b/c?q=1", "d", "/a/b/d"),
    ("/a/b/c?q=1", "./d", "/a/b/d"),
    ("/a/b/c", "../d", "/a/d"),
    ("/a/b/c", "../../../d", "/d"),
    ("/a/b/c", "/d/e", "/d/e"),
    ("/a/b/c", "?x=2", "/a/b/c?x=2"),
    ("/a/b/c?q", "d?x=/../y", "/a/b/d?x=/../y"),
    ("/a/", "b c", "/a/b%20c"),
    ("/a", "/with space?and query", "/with%20space?and+query"),
    ("/a", "//AUTH/path", "/path"),
    ("/a", "http://AUTH", "/"),
    ("/a", "http://AUTH?x", "/?x"),
    ("/a", "HTTP://AUTH/up", "/up"),
    ("/a", "/\u00e9", "/%C3%A9"),
    ("/a", "/x#frag", "/x"),
    ("/a", "   /trimmed  ", "/trimmed"),
])
def test_reference(drive, server, base, location, target):
    location = location.replace("AUTH", server.authority)
    raw = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + location.encode() + b"\r\n\r\n"

    def check(request):  # which case the hex digits have differs between versions
        assert request.target.upper() == target.upper()
    server.script(Expect(target=base), Send(raw), Expect(check=check), Reply(200, b"end"))
    t = drive.get(URL=server.url(base), FOLLOWLOCATION=1)
    assert (t.code, t.body) == (0, b"end")


@not_debian("control characters are refused, digits of escapes are in lower case")
@pytest.mark.parametrize("location,target,url", [
    ("http://AUTH/p?a b#c d e", "/p?a+b", "/p?a+b#c%20d%20e"),
    ("http://AUTH/p\ta\x7f#\tx", "/p%09a%7F", "/p%09a%7F#%09x"),
    ("/p\ta?b\tc#\x7f", "/p%09a?b%09c", "/p%09a?b%09c#%7F"),
    ("/%aF\u00e9 ?%aF\u00e9#%aF", "/%AF%C3%A9%20?%AF%C3%A9", "/%AF%C3%A9%20?%AF%C3%A9#%AF"),
    ("/.%2e/%2E/x/%2e%2e/y", "/y", "/y"),
])
def test_what_may_not_stand_in_a_location_is_encoded(drive, server, location, target, url):
    raw = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + location.replace("AUTH", server.authority).encode()
    server.script(Expect(), Send(raw + b"\r\n\r\n"), Expect(target=target), Reply(200, b"end"))
    t = drive.get(URL=server.url(), FOLLOWLOCATION=1, info=("EFFECTIVE_URL",))
    assert (t.code, t.body, t.info["EFFECTIVE_URL"]) == (0, b"end", server.url(url))


@not_debian("parts are shown as they are")
@pytest.mark.parametrize("location,shown", [
    ("/\t?x#\u00e9", "/%09?x#%C3%A9"), ("HTTP://u:p@AUTH", "http://AUTH/"), ("http://AUTH/a b#\u00e9", "http://AUTH/a b#\u00e9"),
    ("mailto:x", "mailto:x"), ("foo://u@x/../y", "foo://x/y"), ("//AUTH/x", "http://AUTH/x"),
])
def test_redirect_url(drive, server, location, shown):
    """What is not followed: a relative reference becomes a URL, credentials are not shown, and what is no URL is shown as
    it came."""
    raw = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + location.replace("AUTH", server.authority).encode()
    server.answer(raw + b"\r\n\r\n")
    t = drive.get(URL=server.url("/", userinfo="me:secret@"), info=("REDIRECT_URL",))
    shown = shown.replace("AUTH", server.authority).encode().decode("latin-1")
    assert t.info["REDIRECT_URL"] == (server.url(shown) if shown[0] == "/" else shown)


@not_debian("the text of the URL is shown")
@pytest.mark.parametrize("path,follow,url", [("/a?#", 0, "/a?#"), ("/a?", 0, "/a?"), ("/a#", 0, "/a#"), ("/a?q#f", 0, "/a?q#f"),
                                             ("/a?", 1, "/2")])
def test_effective_url(drive, server, path, follow, url):
    """No credentials, and all delimiters."""
    server.answer(*([to(302, "/2")] if follow else []), response(200, b"end"))
    t = drive.get(URL=server.url(path, userinfo="me:secret@"), FOLLOWLOCATION=follow, info=("EFFECTIVE_URL",))
    assert (t.body, t.info["EFFECTIVE_URL"]) == (b"end", server.url(url))


@pytest.mark.parametrize("location,target", [("/x/../y", "/y"), ("../z", "/z"), ("x/../y/./z", "/y/z"), ("ABS/x/../y", "/x/../y")])
@not_debian("PATH_AS_IS holds for references too")
def test_path_as_is_is_for_the_first_request(drive, server, location, target):
    """References are resolved as RFC 3986 says; an absolute URL is taken as it is."""
    server.script(Expect(target="/q/../w"), Send(to(302, location.replace("ABS", server.url("")))), Expect(target=target), Reply(200, b"end"))
    assert drive.get(URL=server.url("/q/../w"), PATH_AS_IS=1, FOLLOWLOCATION=1).body == b"end"


def test_fragment_is_kept_for_us(drive, server):
    server.answer(to(302, "/2"), response(200, b"x"))
    t = drive.get(URL=server.url("/1#part"), FOLLOWLOCATION=1, info=("EFFECTIVE_URL",))
    assert t.code == 0
    assert t.info["EFFECTIVE_URL"].split("#")[0] == server.url("/2")


def test_empty_location(drive, server):
    """An empty Location leads nowhere."""
    server.answer(b"HTTP/1.1 302 Found\r\nLocation:\r\nContent-Length: 4\r\n\r\nbody")
    t = drive.get(URL=server.url(), FOLLOWLOCATION=1)
    assert (t.code, t.body) == (0, b"body")


@pytest.mark.parametrize("location", ["http://[bad/", "http://host:99999/", "http://a b/"])
def test_bad_location(drive, server, way, location):
    server.script(Expect(), Send(to(302, location)), UntilClose())
    t = drive.get(way, URL=server.url(), FOLLOWLOCATION=1)
    assert t.code == 3
    assert t.error


@not_debian("there is one way to follow")
@pytest.mark.parametrize("status", [301, 302])
def test_custom_post_is_no_post(drive, server, status):
    """CURLFOLLOW_OBEYCODE changes the method of a request that was set as POST, not of one that is only named so."""
    server.script(Expect("POST", has={"Content-Length": None}), Send(to(status, "/two")), Expect("POST", target="/two"), Reply())
    assert drive.get(URL=server.url(), FOLLOWLOCATION=2, CUSTOMREQUEST="POST").code == 0


@not_debian("the method has changed")
@not_debian("the request is sent")
@pytest.mark.parametrize("login", [" ", "a b", "a:b c"])
def test_blank_in_the_login_of_a_location(drive, server, login):
    """It was taken into Authorization, where a URL that is set is refused for it."""
    server.answer(to(302, f"http://{login}@{server.authority}/2"))
    assert drive.get(URL=server.url(), FOLLOWLOCATION=1).code == 3


def test_bad_location_leaves_the_method(drive, server):
    server.script(Expect("POST"), Send(to(301, "http://host:99999/")), UntilClose())
    t = drive.get(URL=server.url(), FOLLOWLOCATION=1, POSTFIELDS="x", info=("EFFECTIVE_METHOD", "CONTENT_LENGTH_UPLOAD_T"))
    assert (t.code, t.info) == (3, {"EFFECTIVE_METHOD": "POST", "CONTENT_LENGTH_UPLOAD_T": 1})


@not_debian("the old URL is reported")
def test_user_in_location_not_allowed(drive, server):
    """What is refused is the next request: of it the infos speak."""
    server.script(Expect("POST"), Send(to(301, server.url("/two", userinfo="u:p@"))), UntilClose())
    t = drive.get(URL=server.url(), FOLLOWLOCATION=1, DISALLOW_USERNAME_IN_URL=1, POSTFIELDS="x",
                  info=("EFFECTIVE_METHOD", "EFFECTIVE_URL", "CONTENT_LENGTH_UPLOAD_T", "CONTENT_LENGTH_DOWNLOAD_T"))
    assert (t.code, t.info) == (67, {"EFFECTIVE_METHOD": "GET", "EFFECTIVE_URL": server.url("/two"),
                                     "CONTENT_LENGTH_UPLOAD_T": -1, "CONTENT_LENGTH_DOWNLOAD_T": -1})


def test_scheme_not_allowed(drive, server, way):
    """ftp is among the default protocols of redirects in libcurl, file is not."""
    server.script(Expect(), Send(to(302, "file:///etc/passwd")), UntilClose())
    t = drive.get(way, URL=server.url(), FOLLOWLOCATION=1)
    assert (t.code, t.body) == (1, b"")
    assert t.error


@pytest.mark.parametrize("allowed,code", [("http", 1), ("https", 0), ("http,https", 0), ("all", 0)])
def test_redir_protocols(drive, server, make_server, certs, allowed, code):
    other = make_server(tls=certs.context())
    server.script(Expect(), Send(to(302, other.url("/x"))), UntilClose())
    if not code:
        other.answer(response(200, b"secure"))
    t = drive.get(URL=server.url(), FOLLOWLOCATION=1, REDIR_PROTOCOLS_STR=allowed, CAINFO=certs.path("ca.pem"))
    assert (t.code, t.body) == (code, b"" if code else b"secure")


def test_protocols_str(drive, server):
    assert drive.get(URL=server.url(), PROTOCOLS_STR="https").code == 1


@pytest.mark.parametrize("location,code", [("nonsense://x/", 1), ("mailto:x", 1), ("x:y", 1), ("http:x", 3), ("http://[::1/", 3)])
@not_debian("some of these are relative")
def test_location_that_leads_nowhere(drive, server, way, location, code):
    """It is judged when the response is over, and counts as a redirect."""
    answer = to(302, location, b"body")
    server.script(Expect(), Send(answer), UntilClose())
    t = drive.get(way, URL=server.url("/1"), FOLLOWLOCATION=1, info=("REDIRECT_COUNT", "EFFECTIVE_URL", "REDIRECT_URL"))
    assert (t.code, t.body, b"".join(t.headers)) == (code, b"", answer[:-4])
    assert t.info == {"REDIRECT_COUNT": 1, "EFFECTIVE_URL": server.url("/1"), "REDIRECT_URL": "(null)"}


def test_redirect_url_of_a_response_that_was_cut(drive, server):
    server.script(Expect(), Send(b"HTTP/1.1 302 Found\r\nLocation: /2\r\nContent-Length: 9\r\n\r\nhalf"), Close())
    t = drive.get(URL=server.url(), info=("REDIRECT_URL",))
    assert (t.code, t.info["REDIRECT_URL"]) == (18, by_library("(null)", t.info["REDIRECT_URL"]))


@not_debian("spaces are refused")
def test_curlu_with_spaces_and_a_redirect(drive, server):
    """What is resolved against a path with spaces is encoded."""
    server.script(Expect(target="/%20/a%20b"), Send(to(302, "with%20space/x")), Expect(target="/%20/with%20space/x"), Reply(200, b"end"))
    t = drive.get(CURLU=[f"url={server.url('/ /a b')}"], FOLLOWLOCATION=1, info=("EFFECTIVE_URL",))
    assert (t.body, t.info["EFFECTIVE_URL"]) == (b"end", server.url("/%20/with%20space/x"))


# ---------------------------------------------------------------- another origin

def test_another_host(drive, server, make_server, way):
    other = make_server()
    server.script(Expect(has={"Host": server.authority}), Send(to(302, other.url("/there"))))
    other.script(Expect(target="/there", has={"Host": other.authority}), Reply(200, b"other"))
    t = drive.get(way, URL=server.url(), FOLLOWLOCATION=1, info=("NUM_CONNECTS", "PRIMARY_PORT"))
    assert (t.code, t.body) == (0, b"other")
    assert t.info == {"NUM_CONNECTS": 2, "PRIMARY_PORT": other.port}


@pytest.mark.parametrize("how", ["USERPWD", "URL", "BEARER", "HEADER", "COOKIEHEADER"])
@pytest.mark.parametrize("unrestricted", [0, 1])
@pytest.mark.parametrize("same", [True, False])
def test_credentials(drive, server, make_server, how, unrestricted, same):
    """Credentials, custom Authorization and Cookie headers stay with the origin (scheme, host and port)."""
    other = make_server()
    name = "Cookie" if how == "COOKIEHEADER" else "Authorization"

    def has(request):
        assert request.header(name) is not None

    def has_not(request):
        assert request.header(name) is None
    target = "/2" if same else other.url("/2")
    # What a URL says goes along with relative redirects only.
    second = has if same or (unrestricted and how != by_library("URL", "", "URL")) else has_not
    server.script(Expect(check=has), Send(to(302, target)), *([Expect(check=second), Reply(200, b"end")] if same else []))
    if not same:
        other.script(Expect(check=second), Reply(200, b"end"))
    options = {"USERPWD": {"USERPWD": "user:secret"}, "URL": {}, "BEARER": {"XOAUTH2_BEARER": "tok", "HTTPAUTH": 1 << 6},
               "HEADER": {"HTTPHEADER": ["Authorization: mine"]}, "COOKIEHEADER": {"HTTPHEADER": ["Cookie: a=b"]}}[how]
    url = server.url("/1", userinfo="user:secret@") if how == "URL" else server.url("/1")
    t = drive.get(URL=url, FOLLOWLOCATION=1, UNRESTRICTED_AUTH=unrestricted, **options)
    assert (t.code, t.body) == (0, b"end")


def test_credentials_away_and_back(drive, server, make_server):
    """They are not for the server in between, wherever the chain leads afterwards."""
    other = make_server()
    server.script(Expect(has={"Authorization": "Basic dTpw"}), Send(to(302, other.url("/2"))), Expect(), Reply(200, b"home"))
    other.script(Expect(lacks=["Authorization"]), Send(to(302, server.url("/3"))))
    assert drive.get(URL=server.url(), USERPWD="u:p", FOLLOWLOCATION=1).body == b"home"


def test_credentials_of_the_location(drive, server):
    """user:password in the Location are used."""
    server.script(Expect(lacks=["Authorization"]), Send(to(302, server.url("/2", userinfo="u:p@"))),
                  Expect(has={"Authorization": "Basic dTpw"}), Reply(200, b"end"))
    assert drive.get(URL=server.url(), FOLLOWLOCATION=1).body == b"end"


def test_custom_host_header_not_for_another_host(drive, server, make_server):
    other = make_server()
    server.script(Expect(has={"Host": "fake.test"}), Send(to(302, other.url("/", "other.test"))))
    other.script(Expect(has={"Host": f"other.test:{other.port}"}), Reply(200, b"x"))
    assert drive.get(URL=server.url(), HTTPHEADER=["Host: fake.test"], FOLLOWLOCATION=1,
                     RESOLVE=[f"other.test:{other.port}:127.0.0.1"]).body == b"x"


@pytest.mark.parametrize("auto", [0, 1])
def test_autoreferer(drive, server, auto):
    server.script(Expect(lacks=["Referer"]), Send(to(302, "/2")),
                  Expect(has={"Referer": server.url("/1") if auto else None}), Reply())
    assert drive.get(URL=server.url("/1", userinfo="u:p@") + "#f", FOLLOWLOCATION=1, AUTOREFERER=auto).code == 0


# ---------------------------------------------------------------- connections

def test_body_of_a_redirect_is_ignored(drive, server, way):
    """The body of the redirect is read (same connection) and not delivered."""
    server.answer(to(302, "/2", b"moved " * 2000), response(200, b"end"))
    t = drive.get(way, URL=server.url(), FOLLOWLOCATION=1, info=("NUM_CONNECTS", "SIZE_DOWNLOAD_T"))
    assert (t.code, t.body, t.info["NUM_CONNECTS"], t.info["SIZE_DOWNLOAD_T"]) == (0, b"end", 1, 3)


def test_redirect_with_close(drive, server, way):
    server.script(Expect(), Send(to(302, "/2", b"gone", ["Connection: close"])), Close())
    server.answer(response(200, b"end"))
    assert drive.get(way, URL=server.url(), FOLLOWLOCATION=1).body == b"end"


@not_debian("counts from the redirect")
@pytest.mark.parametrize("where,code,down", [("file:///etc/hostname", 1, 4), ("http://127.0.0.1:1/", 7, 0)])
def test_counts_after_a_redirect_that_fails(drive, server, way, where, code, down):
    """The lengths are those of a request that was not made; what was read counts until a connection is tried."""
    server.answer(to(302, where, b"gone"))
    t = drive.get(way, URL=server.url(), FOLLOWLOCATION=1,
                  info=("SIZE_DOWNLOAD_T", "CONTENT_LENGTH_DOWNLOAD_T", "CONTENT_LENGTH_UPLOAD_T", "REDIRECT_COUNT"))
    assert t.code == code
    assert t.info == {"SIZE_DOWNLOAD_T": down, "CONTENT_LENGTH_DOWNLOAD_T": -1, "CONTENT_LENGTH_UPLOAD_T": -1,
                      "REDIRECT_COUNT": 1}


@not_debian("counts from the redirect")
def test_counts_of_a_body_that_cannot_be_rewound(drive, server):
    """The body is rewound before the client looks at the new scheme: all counts are of the first request."""
    server.answer(to(307, "file:///etc/hostname", b"gone"))
    t = drive.get(URL=server.url(), FOLLOWLOCATION=1, UPLOAD=1, INFILESIZE=3, body=b"abc",
                  info=("SIZE_UPLOAD_T", "SIZE_DOWNLOAD_T", "CONTENT_LENGTH_DOWNLOAD_T", "CONTENT_LENGTH_UPLOAD_T"))
    assert t.code == 65
    assert t.info == {"SIZE_UPLOAD_T": 3, "SIZE_DOWNLOAD_T": 4, "CONTENT_LENGTH_DOWNLOAD_T": 4,
                      "CONTENT_LENGTH_UPLOAD_T": 3}


@not_debian("no such info")
def test_delivered_bytes_are_of_the_last_response(drive, server):
    """With CURLOPT_HEADER the head of the redirect is delivered, too, but not counted."""
    server.answer(to(302, "/2", b"gone"), response(200, b"end"))
    t = drive.get(URL=server.url(), FOLLOWLOCATION=1, HEADER=1, info=("SIZE_DELIVERED",))
    last = t.body[t.body.index(b"HTTP/1.1 200"):]
    assert last.endswith(b"end") and last != t.body
    assert t.info["SIZE_DELIVERED"] == len(last)


def test_progress_of_a_redirect_that_fails(drive, server, way):
    server.answer(to(302, "file:///etc/hostname", b"gone"))
    t = drive.get(way, URL=server.url(), FOLLOWLOCATION=1, enable=["xferinfo"])
    assert (t.code, t.progress) == (1, (4, 4, 0, 0))


@not_debian("reports the redirect")
def test_progress_of_a_redirect_that_leads_nowhere(drive, server, way):
    """The bytes are those of the request that failed, not of the redirect before it."""
    server.script(Expect(), Send(to(302, "/2", b"gone", ["Connection: close"])), Close())
    server.script(Expect(), Close())
    t = drive.get(way, URL=server.url(), FOLLOWLOCATION=1, enable=["xferinfo"])
    assert (t.code, t.progress) == (52, (0, 0, 0, 0))


def test_redirect_until_close(drive, server, way):
    """A redirect whose body has no end is not waited for."""
    server.script(Expect(), Send(b"HTTP/1.1 302 Found\r\nLocation: /2\r\n\r\nsome"), UntilClose())
    server.answer(response(200, b"end"))
    assert drive.get(way, URL=server.url(), FOLLOWLOCATION=1).body == b"end"


CUT = [b"Content-Length: 9\r\n\r\ncut", b"Transfer-Encoding: chunked\r\n\r\n5\r\ncut", b"Transfer-Encoding: chunked\r\n\r\nx"]


@pytest.mark.parametrize("version,close", [("1.1", b"Connection: close\r\n"), ("1.0", b"")])
@pytest.mark.parametrize("body", CUT)
@not_debian("reads the body: 18 and 56")
def test_body_of_a_redirect_that_closes_is_not_read(drive, server, way, version, close, body):
    """So it does not matter that it is cut, and a server that keeps the connection open is not waited for."""
    head = f"HTTP/{version} 302 Found\r\nLocation: /2\r\n".encode()
    server.script(Expect(), Send(head + close + body), UntilClose())
    server.script(Expect(version="HTTP/" + version), Reply(200, b"end"))
    t = drive.get(way, URL=server.url(), FOLLOWLOCATION=1, info=("NUM_CONNECTS", "REDIRECT_COUNT", "SIZE_DOWNLOAD_T"))
    assert (t.code, t.body) == (0, b"end")
    assert t.info == {"NUM_CONNECTS": 2, "REDIRECT_COUNT": 1, "SIZE_DOWNLOAD_T": 3}


@not_debian("follows it")
def test_body_of_a_redirect_that_is_cut(drive, server, way):
    """Where the connection was to be kept its body is read, and must be whole."""
    server.script(Expect(), Send(b"HTTP/1.1 302 Found\r\nLocation: /2\r\n" + CUT[0]), Close())
    assert drive.get(way, URL=server.url(), FOLLOWLOCATION=1).code == 18


@not_debian("judges no redirect")
@pytest.mark.parametrize("close,code", [(["Connection: close"], 63), ([], 0)])
def test_size_of_a_redirect_that_is_over_the_limit(drive, server, close, code):
    """Only the length of one whose body is not read is judged, as in the newest libcurl."""
    server.script(Expect(), Send(to(302, "/2", b"moved " * 10, close)), *([Close()] if close else [Expect(), Reply(200, b"end")]))
    assert drive.get(URL=server.url(), FOLLOWLOCATION=1, MAXFILESIZE_LARGE=10).code == code


@not_debian("reads the body")
def test_body_of_a_401_that_closes_is_not_read(drive, server, way):
    head = b"HTTP/1.1 401 No\r\nWWW-Authenticate: Basic\r\nConnection: close\r\nContent-Length: 9\r\n\r\ncut"
    server.script(Expect(), Send(head), Close())
    server.answer(response(200, b"end"))
    t = drive.get(way, URL=server.url(), HTTPAUTH=0x41, USERPWD="u:p")  # CURLAUTH_BASIC | CURLAUTH_BEARER
    assert (t.code, t.body) == (0, b"end")


def test_redirect_chunked(drive, server, way):
    server.answer(b"HTTP/1.1 302 Found\r\nLocation: /2\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
                  response(200, b"end"))
    t = drive.get(way, URL=server.url(), FOLLOWLOCATION=1, info=("NUM_CONNECTS",))
    assert (t.body, t.info["NUM_CONNECTS"]) == (b"end", 1)


def test_range_and_headers_are_kept(drive, server):
    server.script(Expect(has={"Range": "bytes=1-2", "X-A": "b"}), Send(to(302, "/2")),
                  Expect(has={"Range": "bytes=1-2", "X-A": "b"}), Reply(206, b"xy", ["Content-Range: bytes 1-2/9"]))
    assert drive.get(URL=server.url(), RANGE="1-2", HTTPHEADER=["X-A: b"], FOLLOWLOCATION=1).body == b"xy"


@pytest.mark.parametrize("value,reported", [("17", 17), ("0", 0), ("", 0), ("soon", 0), ("Fri, 31 Dec 1999 23:59:59 GMT", 0),
                                        *([("21600", 21600), ("21601", 21600), ("Fri, 31 Dec 2099 23:59:59 GMT", 21600),
                                           ("20000101", 0), ("20991231", 21600)] if not SYSTEM or NEWEST else [])])
def test_retry_after(drive, server, value, reported):
    server.answer(response(503, b"busy", [f"Retry-After: {value}"]))
    t = drive.get(URL=server.url(), info=("RETRY_AFTER",))
    assert t.code == 0
    if not value.startswith("Fri") or NEWEST:
        assert t.info["RETRY_AFTER"] == reported
    else:  # a date that is past: 7.88 gives what is not a number of seconds
        assert t.info["RETRY_AFTER"] == reported or SYSTEM


def test_redirect_time_and_url_reset(drive, server, way):
    """What a chain changed is gone for the next transfer of the handle."""
    server.answer(to(302, "/2"), response(200, b"a"), to(302, "/2"), response(200, b"b"))
    d = drive(way).easy(URL=server.url("/1"), FOLLOWLOCATION=1)
    r = d.perform().perform().getinfo("h", "REDIRECT_COUNT").run()
    assert [t.body for t in r.all("h")] == [b"a", b"b"]
    assert [q.target for q in server.requests] == ["/1", "/2", "/1", "/2"]
    assert r["h"].info["REDIRECT_COUNT"] == 1


def test_nginx_chain(drive, nginx, certs, way):
    t = drive.get(way, URL=nginx.url("/chain1"), FOLLOWLOCATION=1, info=("REDIRECT_COUNT",))
    assert (t.body, t.info["REDIRECT_COUNT"]) == (b"hello world\n", 2)


def test_nginx_http_to_https(drive, nginx, certs, way):
    t = drive.get(way, URL=nginx.url("/tohttps"), FOLLOWLOCATION=1, CAINFO=certs.path("ca.pem"), info=("SCHEME",))
    assert (t.code, t.body, t.info["SCHEME"].upper()) == (0, b"hello world\n", "HTTPS")


def test_length_of_a_request_that_is_not_made(drive, server):
    """The redirect is refused: of the body that it would have nothing is known, whatever was sent before."""
    server.script(Expect("POST", body=b"x"), Send(response(308, b"", ["Location: /b"])))
    t = drive.get(URL=server.url(), POSTFIELDS="x", FOLLOWLOCATION=1, REDIR_PROTOCOLS_STR="https", info=("CONTENT_LENGTH_UPLOAD_T",))
    assert (t.code, t.info["CONTENT_LENGTH_UPLOAD_T"]) == (1, -1)
