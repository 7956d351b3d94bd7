"""Digest, to servers and to proxies that pass requests on."""

import hashlib
import re

import pytest

from mote_driver import AUTH_ANY, AUTH_BASIC, by_library, not_debian
from server import Expect, Reply, Send, Serve, response

DIGEST = 2
HASHES = {"MD5": "md5", "SHA-256": "sha256", "SHA-512-256": "sha512_256"}


def params(field):
    """The parameters of an answer, in their order."""
    assert field.startswith("Digest "), field
    found = re.finditer(r'(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^",\s]+))(?:, |$)', field[7:])
    return {m[1]: m[3] if m[2] is None else m[2] for m in found}


def fits(field, method="GET", user="u", password="p"):
    """Asserts that the answer is right (RFC 7616, section 3.4) and returns its parameters."""
    p = params(field)
    algorithm = p.get("algorithm", "MD5").upper()
    session = algorithm.endswith("-SESS")

    def h(text):
        return hashlib.new(HASHES[algorithm.removesuffix("-SESS")], text.encode("latin-1")).hexdigest()

    user, password = user.encode().decode("latin-1"), password.encode().decode("latin-1")
    realm = re.sub(r"\\(.)", r"\1", p["realm"])
    secret = h(f"{user}:{realm}:{password}")
    if session:
        secret = h(f"{secret}:{p['nonce']}:{p['cnonce']}")
    rest = [p["nonce"], p["nc"], p["cnonce"], p["qop"]] if "qop" in p else [p["nonce"]]
    assert p["response"] == h(":".join([secret, *rest, h(f"{method}:{p['uri']}")]))
    name = re.sub(r"\\(.)", r"\1", p["username"])
    assert name == (h(f"{user}:{p['realm']}") if p.get("userhash") == "true" else user)
    return p


def challenge(*more, nonce="abc", code=401, name="WWW", body=b"no", fields=()):
    value = ", ".join(['Digest realm="r"', f'nonce="{nonce}"', *more])
    return response(code, body, [f"{name}-Authenticate: {value}", *fields])


QOP = 'qop="auth"'
ASKED = [Expect(lacks=["Authorization"]), Send(challenge(QOP))]


class Answer(Expect):
    """A request with a right answer, whose parameters are these."""

    def __init__(self, method="GET", user="u", password="p", field="Authorization", none=(), body=None, **wanted):
        def check(q):
            p = fits(q.header(field), method, user, password)
            assert {n: p.get(n) for n in wanted} == wanted
            assert not set(none) & set(p)
        super().__init__(method, check=check, body=body)


def login(drive, server, way="easy", **options):
    return drive.get(way, URL=server.url(), **{"USERPWD": "u:p", "HTTPAUTH": DIGEST, **options},
                     info=["RESPONSE_CODE", "HTTPAUTH_AVAIL", "NUM_CONNECTS"])


# ---------------------------------------------------------------- the answer

def test_answer(drive, server, way):
    server.script(*ASKED, Answer(nonce="abc", uri="/", nc="00000001", qop="auth", none=["opaque", "algorithm", "userhash"]),
                  Reply(200, b"in"))
    t = login(drive, server, way)
    assert (t.code, t.body) == (0, b"in")
    assert t.info == {"RESPONSE_CODE": 200, "HTTPAUTH_AVAIL": DIGEST, "NUM_CONNECTS": 1}


def test_order_of_the_parameters(drive, server):
    """Old servers are said to depend on it."""
    names = ["username", "realm", "nonce", "uri", "cnonce", "nc", "qop", "response", "opaque", "algorithm", "userhash"]
    server.script(Expect(), Send(challenge(QOP, 'opaque="o"', "algorithm=MD5", "userhash=true")),
                  Expect(check=lambda q: [list(params(q.header("Authorization")))].remove(names)), Reply())
    assert login(drive, server).code == 0


@not_debian("no SHA-512-256")
@pytest.mark.parametrize("userhash", [False, True])
@pytest.mark.parametrize("session", ["", "-sess"])
@pytest.mark.parametrize("algorithm", HASHES)
def test_algorithms(drive, server, algorithm, session, userhash):
    given = algorithm + session
    more = ["userhash=true"] if userhash else []
    server.script(Expect(), Send(challenge(QOP, f"algorithm={given}", 'opaque="o,o"', *more)),
                  Answer(algorithm=given, opaque="o,o", userhash="true" if userhash else None), Reply(200, b"in"))
    assert login(drive, server).body == b"in"


def test_without_qop(drive, server):
    server.script(Expect(), Send(challenge()), Answer(none=["qop", "nc", "cnonce"]), Reply(200, b"in"))
    assert login(drive, server).body == b"in"


@pytest.mark.parametrize("qop", ["AUTH-INT , Auth", "foo,auth"])
def test_one_of_several_qop(drive, server, qop):
    server.script(Expect(), Send(challenge(f'qop="{qop}"')), Answer(qop="auth"), Reply(200, b"in"))
    assert login(drive, server).body == b"in"


def test_login_beyond_ascii(drive, server, ours_only):
    """As it is, since servers compare it with what is in their files."""
    ours_only("the newest libcurl percent-encodes the name in the field, and not in the digest")
    server.script(Expect(), Send(challenge(QOP)), Answer(user="\u00fc", password="\u00e4"), Reply(200, b"in"))
    assert login(drive, server, USERPWD=None, USERNAME="\u00fc", PASSWORD="\u00e4").body == b"in"


@pytest.mark.parametrize("user,password", [("a b", ""), ('a"b\\c', "p"), ("u", "p" * 3000)])
def test_login(drive, server, user, password):
    server.script(Expect(), Send(challenge(QOP)), Answer(user=user, password=password), Reply(200, b"in"))
    assert login(drive, server, USERPWD=None, USERNAME=user, PASSWORD=password).body == b"in"


def test_login_of_the_url(drive, server):
    server.script(Expect(), Send(challenge(QOP)), Answer(user="a b", password="c:d", uri="/x?y=%20z"), Reply(200, b"in"))
    t = drive.get(URL=server.url("/x?y=%20z#f", userinfo="a%20b:c%3ad@"), HTTPAUTH=DIGEST)
    assert t.body == b"in"


@not_debian("the digest has the backslash")
def test_quoted_pairs(drive, server):
    """The digest is one of the text that is meant."""
    server.script(Expect(), Send(response(401, b"", ['WWW-Authenticate: Digest nonce="n", realm="a\\"\\\\b"'])),
                  Answer(nonce="n", realm='a\\"\\\\b'), Reply(200, b"in"))
    assert login(drive, server).body == b"in"


def test_control_character_in_a_user(drive, server, ours_only):
    """It would end the field."""
    ours_only("libcurl sends it")
    server.script(*ASKED)
    assert drive.get(URL=server.url(userinfo="u%0d%0aX:p@"), HTTPAUTH=DIGEST).code != 0


@pytest.mark.parametrize("path", ["/a?b=c", "/%E4", "/a;b"])
def test_target(drive, server, path):
    server.script(Expect(target=path), Send(challenge(QOP)), Answer(uri=path), Reply(200, b"in"))
    assert drive.get(URL=server.url(path), USERPWD="u:p", HTTPAUTH=DIGEST).body == b"in"


def test_long_answer(drive, server):
    """One that the buffer has no room for."""
    path = "/" + "x" * 1500
    server.script(Expect(), Send(challenge(QOP)), Answer(uri=path), Reply(200, b"in"))
    assert drive.get(URL=server.url(path), USERPWD="u:p", HTTPAUTH=DIGEST, BUFFERSIZE=1024).body == b"in"


# ---------------------------------------------------------------- challenges

@pytest.mark.parametrize("value", [
    'Digest realm="r", nonce="n", algorithm=SHA3', 'Digest realm="r", nonce="n", algorithm=MD5-sess', 'Digest realm="r"',
    "Digest", "Basic realm=x", "Other"])
def test_what_cannot_be_answered(drive, server, value):
    server.script(Expect(), Send(response(401, b"no", ["WWW-Authenticate: " + value])))
    t = login(drive, server)
    assert (t.code, t.body, t.info["RESPONSE_CODE"]) == (0, b"no", 401)


def test_auth_int(drive, server, ours_only):
    ours_only("libcurl answers as if the body were empty")
    server.script(Expect(), Send(challenge('qop="auth-int"')))
    assert login(drive, server).body == b"no"


@pytest.mark.parametrize("value", ['Digest realm="r, nonce=n', 'Digest realm=r"s, nonce=n', "Digest realm=r, nonce=n\\"])
def test_broken_quotes(drive, server, ours_only, value):
    """They would end up in our field."""
    ours_only("libcurl answers some")
    server.script(Expect(), Send(response(401, b"no", ["WWW-Authenticate: " + value])))
    assert login(drive, server).body == b"no"


def test_blanks_instead_of_commas(drive, server):
    server.script(Expect(), Send(response(401, b"no", ['WWW-Authenticate: Digest realm="r" nonce="n" algorithm=SHA-256'])),
                  Answer(algorithm="SHA-256", nonce="n", realm="r"), Reply(200, b"in"))
    assert login(drive, server).body == b"in"


def test_first_challenge_counts(drive, server):
    server.script(Expect(), Send(challenge("algorithm=SHA-256", QOP, fields=['WWW-Authenticate: Digest realm="r", nonce="x"'])),
                  Answer(algorithm="SHA-256", nonce="abc"), Reply(200, b"in"))
    assert login(drive, server).body == b"in"


@pytest.mark.parametrize("value", ["Basic realm=x, Digest realm=r, nonce=n", "Digest realm=r, nonce=n, Basic realm=x"])
def test_is_preferred_to_basic(drive, server, value):
    server.script(Expect(lacks=["Authorization"]), Send(response(401, b"no", ["WWW-Authenticate: " + value])), Answer(), Reply(200, b"in"))
    assert login(drive, server, HTTPAUTH=AUTH_ANY).body == b"in"


@not_debian("Digest is preferred")
@pytest.mark.parametrize("fields", [["Digest realm=r, nonce=n", "Bearer"], ["Bearer", "Digest realm=r, nonce=n"]])
def test_a_token_is_preferred_to_it(drive, server, fields):
    """A handle with a token and a login used the login."""
    server.script(Expect(lacks=["Authorization"]), Send(response(401, b"", [f"WWW-Authenticate: {x}" for x in fields])),
                  Expect(has={"Authorization": "Bearer t"}), Reply(200, b"in"))
    assert login(drive, server, HTTPAUTH=AUTH_ANY, XOAUTH2_BEARER="t").body == b"in"


@pytest.mark.parametrize("value", ["Basic realm=x, Digest realm=r, nonce=n, algorithm=x",
                                   "Digest realm=r, nonce=n, algorithm=x, Basic realm=x"])
def test_no_weaker_scheme_takes_its_place(drive, server, value):
    server.script(Expect(), Send(response(401, b"no", ["WWW-Authenticate: " + value])))
    assert login(drive, server, HTTPAUTH=DIGEST | AUTH_BASIC).body == b"no"


def test_refused(drive, server):
    server.script(*ASKED, Answer(), Send(challenge(QOP, nonce="new")))
    t = login(drive, server)
    assert (t.body, t.info["RESPONSE_CODE"]) == (b"no", 401)


def test_stale(drive, server):
    server.script(*ASKED, Answer(), Send(challenge(QOP, "stale=TRUE", nonce="new")), Answer(nonce="new", nc="00000001"), Reply(200, b"in"))
    assert login(drive, server).body == b"in"


def test_connection_closed_with_the_challenge(drive, server, way):
    server.default(Serve(lambda q, p: challenge(QOP, fields=["Connection: close"]) if not q.header("Authorization")
                         else response(200, b"in")))
    t = login(drive, server, way)
    assert (t.body, t.info["NUM_CONNECTS"]) == (b"in", 2)


# ---------------------------------------------------------------- several schemes

def wants(scheme, name="WWW", code=401):
    """The challenge of a server that takes one scheme alone."""
    if scheme == "Digest":
        return challenge(QOP, code=code, name=name)
    return response(code, b"no", [name + '-Authenticate: Basic realm="b"'])


def guarded(name="WWW", field="Authorization", code=401):
    """Each target takes the scheme that it names, and offers no other. A query leads on to another path."""
    def answer(request, peer):
        got = (request.header(field) or "").partition(" ")[0]
        scheme = "Digest" if "digest" in request.target.partition("?")[0] else "Basic"
        to = request.target.partition("?")[2]
        if field == "Proxy-Authorization" and got == "" and peer.number in answer.opened:
            return response(200, b"in")
        if got != scheme:
            return wants(scheme, name, code)
        if scheme == "Digest":
            fits(request.header(field), request.method)
        if request.method == "CONNECT":
            answer.opened.add(peer.number)
            return OPENED
        return response(302, headers=[f"Location: {to}"]) if to else response(200, b"in")
    answer.opened = set()
    return Serve(answer)


@pytest.mark.parametrize("paths", ["basic digest", "digest basic basic", "basic digest basic digest"])
def test_each_path_has_its_scheme(drive, server, paths):
    """A challenge of one scheme does not refuse the credentials of another, which the handle remembers. A libcurl takes
    the nonce of a transfer before for one that is refused."""
    server.default(guarded())
    d = drive().easy(USERPWD="u:p", HTTPAUTH=AUTH_ANY)
    for path in paths.split():
        d.setopt("h", URL=server.url("/" + path)).perform()
    expected = [b"in", b"in", b"in", by_library(b"in", b"no", b"no")]
    assert [t.body for t in d.run().all("h")] == expected[:len(paths.split())]


@pytest.mark.parametrize("path", ["/basic?/digest", "/digest?/basic"])
def test_another_scheme_where_a_redirect_leads(drive, server, path):
    """What was offered before the redirect does not count any more."""
    server.default(guarded())
    t = drive.get(URL=server.url(path), USERPWD="u:p", HTTPAUTH=AUTH_ANY, FOLLOWLOCATION=1, info=["RESPONSE_CODE"])
    assert (t.body, t.info["RESPONSE_CODE"]) == (b"in", 200)


def test_schemes_in_turn_without_end(drive, server):
    """A server that always wants the other scheme is given up as an endless redirect is. A libcurl takes the nonce, which
    is the same each time, for one that is refused."""
    server.default(Serve(lambda q, p: wants("Basic" if (q.header("Authorization") or "").startswith("Digest") else "Digest")))
    assert login(drive, server, HTTPAUTH=AUTH_ANY, MAXREDIRS=5).code == by_library(47, 0, 0)


@pytest.mark.parametrize("paths", ["basic digest", "digest basic"])
@pytest.mark.parametrize("tunnels", [0, 1])
def test_a_proxy_has_another_scheme(drive, make_server, paths, tunnels):
    server = make_server()
    server.default(guarded("Proxy", "Proxy-Authorization", 407))
    d = drive().easy(PROXY=f"http://127.0.0.1:{server.port}", PROXYUSERPWD="u:p", PROXYAUTH=AUTH_ANY, HTTPPROXYTUNNEL=tunnels)
    for path in paths.split():
        d.setopt("h", URL=f"http://{path}.test/{path}").perform()
    assert [t.body for t in d.run().all("h")] == [b"in", b"in"]


# ---------------------------------------------------------------- bodies

PROBE = [Expect("POST", body=b"", has={"Content-Length": "0"}, lacks=["Authorization", "Expect", "Transfer-Encoding"])]


def test_post(drive, server, way):
    """The body is not sent before there is a challenge."""
    server.script(*PROBE, Send(challenge(QOP)), Answer("POST", body=b"a=b"), Reply(200, b"in"))
    assert login(drive, server, way, POSTFIELDS="a=b").body == b"in"


def test_post_without_a_challenge(drive, server, way):
    """Then the body follows, without credentials."""
    server.script(*PROBE, Reply(200, b"x"), Expect("POST", body=b"a=b", lacks=["Authorization"]), Reply(200, b"in"))
    assert login(drive, server, way, POSTFIELDS="a=b").body == b"in"


def test_post_with_a_late_challenge(drive, server):
    server.script(*PROBE, Reply(200, b"x"), Expect("POST", body=b"a=b"), Send(challenge(QOP)))
    assert login(drive, server, POSTFIELDS="a=b").body == b"no"


def test_post_refused_without_a_challenge(drive, server):
    server.script(*PROBE, Reply(404, b"gone"))
    assert login(drive, server, POSTFIELDS="a=b").body == b"gone"


def test_post_with_several_schemes(drive, server):
    """There the body goes at once, since a server may want no credentials at all."""
    server.script(Expect("POST", body=b"a=b", lacks=["Authorization"]), Send(challenge(QOP)), Answer("POST", body=b"a=b"), Reply(200, b"in"))
    assert login(drive, server, POSTFIELDS="a=b", HTTPAUTH=AUTH_ANY).body == b"in"


@pytest.mark.parametrize("size", [10, -1])
def test_upload(drive, server, way, size):
    """What is read by a callback is read once."""
    server.script(Expect("PUT", body=b"", has={"Content-Length": "0"}), Send(challenge(QOP)), Answer("PUT", body=b"0123456789"), Reply(200, b"in"))
    d = drive(way).easy(URL=server.url(), USERPWD="u:p", HTTPAUTH=DIGEST, UPLOAD=1, INFILESIZE_LARGE=size, HTTPHEADER=["Expect:"])
    d.body("h", b"0123456789").perform()
    assert d.run()["h"].body == b"in"


def test_own_length_is_not_the_probes(drive, server):
    server.script(*PROBE, Send(challenge(QOP)), Answer("POST", body=b"a=b"), Reply(200, b"in"))
    assert login(drive, server, POSTFIELDS="a=b", HTTPHEADER=["Content-Length: 3"]).body == b"in"


def test_own_chunked_framing(drive, server):
    server.script(Expect("POST", body=b"", has={"Transfer-Encoding": "chunked"}, lacks=["Content-Length"]), Send(challenge(QOP)),
                  Answer("POST", body=b"a=b"), Reply(200, b"in"))
    assert login(drive, server, POSTFIELDS="a=b", HTTPHEADER=["Transfer-Encoding: chunked"]).body == b"in"


# ---------------------------------------------------------------- what is remembered

def test_counts(drive, server, way):
    """A further request has the next count, and its body at once."""
    server.script(*ASKED, Answer(nc="00000001"), Reply(), Answer(nc="00000002", uri="/b"), Reply(),
                  Answer("POST", nc="00000003", body=b"x=1"), Reply(200, b"in"))
    d = drive(way).easy(URL=server.url(), USERPWD="u:p", HTTPAUTH=DIGEST).perform().setopt("h", URL=server.url("/b")).perform()
    d.setopt("h", POSTFIELDS="x=1").perform()
    assert [t.code for t in d.run().all("h")] == [0, 0, 0]


def test_counts_over_redirects(drive, server):
    server.script(*ASKED, Answer(nc="00000001"), Send(response(302, b"", ["Location: /b"])), Answer(nc="00000002", uri="/b"), Reply(200, b"in"))
    assert login(drive, server, FOLLOWLOCATION=1).body == b"in"


def test_next_nonce_is_that_of_the_last_challenge(drive, server):
    server.script(*ASKED, Answer(), Send(challenge(QOP, nonce="new")), Answer(nonce="new", nc="00000001"), Reply(200, b"in"))
    d = drive().easy(URL=server.url(), USERPWD="u:p", HTTPAUTH=DIGEST).perform().perform()
    assert [t.body for t in d.run().all("h")] == [b"no", b"in"]


def test_is_not_for_another_login(drive, server):
    """Debian's goes on with the nonce."""
    again = by_library([*ASKED, Answer(user="v", nc="00000001")], [Answer(user="v", nc="00000002")])
    server.script(*ASKED, Answer(), Reply(), *again, Reply(200, b"in"))
    d = drive().easy(URL=server.url(), USERPWD="u:p", HTTPAUTH=DIGEST).perform().setopt("h", USERPWD="v:p").perform()
    assert [t.code for t in d.run().all("h")] == [0, 0]


def test_is_not_for_another_server(drive, server, make_server):
    """Debian's answers it with the nonce of the first one."""
    other = make_server()
    server.script(*ASKED, Answer(), Reply())
    other.script(*by_library([*ASKED, Answer()], [Answer()]), Reply(200, b"in"))
    d = drive().easy(URL=server.url(), USERPWD="u:p", HTTPAUTH=DIGEST).perform().setopt("h", URL=other.url()).perform()
    assert [t.code for t in d.run().all("h")] == [0, 0]


@pytest.mark.parametrize("verb", ["reset", "dup"])
def test_is_forgotten(drive, server, verb):
    server.script(*ASKED, Answer(), Reply(), *([*ASKED, Answer(), Reply()] if verb == "reset" else []))
    if verb == "dup":
        server.script(*ASKED, Answer(), Reply())
    d = drive().easy(URL=server.url(), USERPWD="u:p", HTTPAUTH=DIGEST).perform()
    g = "h" if verb == "reset" else "g"
    d.do(*(["reset", "h"] if verb == "reset" else ["dup", "h", "g"])).setopt(g, URL=server.url(), USERPWD="u:p", HTTPAUTH=DIGEST)
    assert [t.code for t in d.perform(g).run().all(g)] == ([0, 0] if verb == "reset" else [0])


@pytest.mark.parametrize("schemes", [16, 2 | 1 << 31, 2 | 8])
def test_other_names_of_it(drive, server, schemes):
    """CURLAUTH_DIGEST_IE is the same. NTLM is dropped."""
    server.script(*ASKED, Answer(), Reply(200, b"in"))
    assert login(drive, server, HTTPAUTH=schemes).body == b"in"


# ---------------------------------------------------------------- proxies

class ProxyAnswer(Answer):
    def __init__(self, method="GET", **wanted):
        super().__init__(method, field="Proxy-Authorization", **wanted)


REFUSED = [Expect(lacks=["Proxy-Authorization"]), Send(challenge(QOP, code=407, name="Proxy"))]


def by_proxy(drive, server, way="easy", **options):
    return drive.get(way, URL="http://a.test/x?y", PROXY=f"http://127.0.0.1:{server.port}", **{
        "PROXYUSERPWD": "u:p", "PROXYAUTH": DIGEST, **options}, info=["PROXYAUTH_AVAIL", "HTTPAUTH_AVAIL", "NUM_CONNECTS"])


def test_proxy(drive, make_server, way):
    """The target of its digest has no host."""
    server = make_server()
    server.script(*REFUSED, ProxyAnswer(uri="/x?y", nc="00000001"), Reply(200, b"in"))
    t = by_proxy(drive, server, way)
    assert (t.body, t.info) == (b"in", {"PROXYAUTH_AVAIL": DIGEST, "HTTPAUTH_AVAIL": 0, "NUM_CONNECTS": 1})


@not_debian("no PROXYAUTH_USED")
def test_proxyauth_used(drive, make_server):
    server = make_server()
    server.script(*REFUSED, ProxyAnswer(), Reply(200, b"in"))
    d = drive().easy(URL="http://a.test/", PROXY=f"http://127.0.0.1:{server.port}", PROXYUSERPWD="u:p", PROXYAUTH=DIGEST)
    t = d.perform().getinfo("h", "PROXYAUTH_USED", "HTTPAUTH_USED").run()["h"]
    assert t.info == {"PROXYAUTH_USED": DIGEST, "HTTPAUTH_USED": 0}


def test_proxy_counts_over_hosts(drive, make_server):
    server = make_server()
    server.script(*REFUSED, ProxyAnswer(nc="00000001"), Reply(), ProxyAnswer("POST", nc="00000002", uri="/b", body=b"x"), Reply(200, b"in"))
    d = drive().easy(URL="http://a.test/", PROXY=f"http://127.0.0.1:{server.port}", PROXYUSERPWD="u:p", PROXYAUTH=DIGEST).perform()
    d.setopt("h", URL="http://b.test/b", POSTFIELDS="x").perform()
    assert [t.code for t in d.run().all("h")] == [0, 0]


@pytest.mark.parametrize("field", ["Connection: close", "Proxy-Connection: close"])
def test_proxy_closes(drive, make_server, way, field):
    server = make_server()
    server.default(Serve(lambda q, p: response(200, b"in") if q.header("Proxy-Authorization")
                         else challenge(QOP, code=407, name="Proxy", fields=[field])))
    t = by_proxy(drive, server, way)
    assert (t.body, t.info["NUM_CONNECTS"]) == (b"in", 2)


def test_proxy_post(drive, make_server):
    server = make_server()
    server.script(Expect("POST", body=b"", has={"Content-Length": "0"}), Send(challenge(QOP, code=407, name="Proxy")),
                  ProxyAnswer("POST", body=b"a=b"), Reply(200, b"in"))
    assert by_proxy(drive, server, POSTFIELDS="a=b").body == b"in"


def test_proxy_and_server(drive, make_server):
    """Each has its own count."""
    server = make_server()

    def both(q):
        assert fits(q.header("Proxy-Authorization"))["nc"] == "00000002"
        assert fits(q.header("Authorization"), user="a", password="b")["nc"] == "00000001"
    server.script(*REFUSED, ProxyAnswer(nc="00000001"), Send(challenge(QOP)), Expect(check=both), Reply(200, b"in"))
    assert by_proxy(drive, server, USERPWD="a:b", HTTPAUTH=DIGEST).body == b"in"


# ---------------------------------------------------------------- tunnels

CONNECT_REFUSED = challenge(QOP, code=407, name="Proxy")
OPENED = b"HTTP/1.1 200 ok\r\n\r\n"


class Connect(Answer):
    """A CONNECT with a right answer for its target."""

    def __init__(self, **wanted):
        super().__init__("CONNECT", field="Proxy-Authorization", **{"uri": "a.test:81", **wanted})


def tunnel(drive, server, way="easy", **options):
    return drive.get(way, URL="http://a.test:81/", PROXY=f"http://127.0.0.1:{server.port}", **{
        "PROXYUSERPWD": "u:p", "PROXYAUTH": DIGEST, "HTTPPROXYTUNNEL": 1, **options},
        info=["PROXYAUTH_AVAIL", "HTTP_CONNECTCODE", "NUM_CONNECTS", "REDIRECT_COUNT"])


def test_tunnel(drive, make_server, way):
    server = make_server()
    server.script(Expect("CONNECT", lacks=["Proxy-Authorization"]), Send(CONNECT_REFUSED), Connect(nc="00000001"), Send(OPENED),
                  Expect(target="/", lacks=["Proxy-Authorization"]), Reply(200, b"in"))
    t = tunnel(drive, server, way)
    assert (t.code, t.body) == (0, b"in")
    assert t.info == {"PROXYAUTH_AVAIL": DIGEST, "HTTP_CONNECTCODE": 200, "NUM_CONNECTS": 1, "REDIRECT_COUNT": 0}
    assert t.error == ""


@pytest.mark.parametrize("answer", [
    challenge(QOP, code=407, name="Proxy", fields=["Connection: close"]),
    challenge(QOP, code=407, name="Proxy", fields=["Proxy-Connection: close"]),
    b'HTTP/1.0 407 no\r\nProxy-Authenticate: Digest realm="r", nonce="abc", qop="auth"\r\nConnection: close\r\n\r\nno'], ids=["close", "proxy", "old"])
def test_tunnel_on_another_connection(drive, make_server, way, answer):
    """The proxy ends the connection with its challenge."""
    server = make_server()
    server.script(Expect("CONNECT", lacks=["Proxy-Authorization"]), Send(answer))
    server.script(Connect(nc="00000001"), Send(OPENED), Expect(target="/"), Reply(200, b"in"))
    t = tunnel(drive, server, way)
    assert (t.code, t.body, t.error, t.info["NUM_CONNECTS"]) == (0, b"in", "", 2)


def test_tunnel_after_a_chunked_challenge(drive, make_server):
    server = make_server()
    head = b'HTTP/1.1 407 no\r\nProxy-Authenticate: Digest realm="r", nonce="abc"\r\nTransfer-Encoding: chunked\r\n\r\n'
    server.script(Expect("CONNECT"), Send(head + b"2\r\nno\r\n0\r\n\r\n"), Connect(), Send(OPENED), Expect(target="/"), Reply(200, b"in"))
    assert tunnel(drive, server).body == b"in"


def test_tunnel_with_a_stale_nonce(drive, make_server):
    server = make_server()
    stale = challenge(QOP, "stale=true", nonce="new", code=407, name="Proxy")
    server.script(Expect("CONNECT"), Send(CONNECT_REFUSED), Connect(), Send(stale), Connect(nonce="new", nc="00000001"), Send(OPENED),
                  Expect(target="/"), Reply(200, b"in"))
    assert tunnel(drive, server).body == b"in"


def test_tunnel_refused(drive, make_server):
    server = make_server()
    server.script(Expect("CONNECT"), Send(CONNECT_REFUSED), Connect(), Send(CONNECT_REFUSED))
    t = tunnel(drive, server)
    assert (t.code, t.info["HTTP_CONNECTCODE"]) == (by_library(7, 56, 7), 407)


def test_further_tunnel(drive, make_server):
    """It has the next count at once."""
    server = make_server()
    server.script(Expect("CONNECT"), Send(CONNECT_REFUSED), Connect(nc="00000001"), Send(OPENED), Expect(target="/"), Reply(200, b"one"))
    server.script(Connect(uri="b.test:80", nc="00000002"), Send(OPENED), Expect(target="/"), Reply(200, b"two"))
    d = drive().easy(URL="http://a.test:81/", PROXY=f"http://127.0.0.1:{server.port}", PROXYUSERPWD="u:p", PROXYAUTH=DIGEST,
                     HTTPPROXYTUNNEL=1).perform().setopt("h", URL="http://b.test/").perform()
    assert [t.body for t in d.run().all("h")] == [b"one", b"two"]


def test_endless_closing(drive, make_server, ours_only):
    """A proxy that always finds the nonce stale and closes is given up."""
    ours_only("libcurl goes on as long as the proxy does")
    server = make_server()
    server.default(Serve(lambda q, p: challenge(QOP, "stale=true", code=407, name="Proxy", fields=["Connection: close"])))
    t = tunnel(drive, server)
    assert t.code == 7 and t.info["NUM_CONNECTS"] == 9


def test_tunnel_and_server(drive, make_server):
    server = make_server()
    server.script(Expect("CONNECT"), Send(CONNECT_REFUSED), Connect(), Send(OPENED), Expect(lacks=["Authorization"]), Send(challenge(QOP)),
                  Answer(user="a", password="b", nc="00000001"), Reply(200, b"in"))
    assert tunnel(drive, server, USERPWD="a:b", HTTPAUTH=DIGEST).body == b"in"
