"""Which server a request really goes to, and what it may see: the port that was asked for, the parts of a CURLU, zones of
IPv6, the schemes that are allowed, headers that are written oddly."""

import socket

import pytest

from mote_driver import AUTH_ANY, NEWEST, SYSTEM, by_library, not_debian
from server import Expect, Read, Reply, Send, Serve, UntilClose, response
from test_auth import basic
from test_redirect import to
from test_reuse import echo


def head(server, target, *fields):
    """A request as it is sent, with these fields more."""
    lines = [f"GET {target} HTTP/1.1", f"Host: {server.authority}", "Accept: */*", *fields, "", ""]
    return "\r\n".join(lines).encode()


# ---------------------------------------------------------------- schemes

@not_debian("they do not")
@pytest.mark.parametrize("both", ["PROTOCOLS_STR", "PROTOCOLS"])
def test_protocols_hold_for_redirects_too(drive, make_server, certs, way, both):
    """What allows HTTPS alone follows nowhere else, whatever REDIR_PROTOCOLS says."""
    first, other = make_server(tls=certs.context()), make_server()
    first.script(Expect(), Send(to(302, other.url("/x"))), UntilClose())
    t = drive.get(way, URL=first.url(), FOLLOWLOCATION=1, CAINFO=certs.path("ca.pem"), REDIR_PROTOCOLS_STR="all",
                  **{both: "https" if both.endswith("STR") else 2})
    assert (t.code, other.asked()) == (1, [])


@not_debian("the second counts alone")
def test_a_redirect_needs_both_masks(drive, server):
    server.script(Expect(), Send(to(302, "/2")), UntilClose())
    assert drive.get(URL=server.url(), FOLLOWLOCATION=1, PROTOCOLS_STR="http", REDIR_PROTOCOLS_STR="https").code == 1


@not_debian("NULL is refused")
@pytest.mark.parametrize("option", ["PROTOCOLS_STR", "REDIR_PROTOCOLS_STR"])
def test_protocols_str_null_brings_back_the_default(drive, server, option):
    server.answer(to(302, "/2"), response(200, b"end"))
    d = drive().easy(URL=server.url(), FOLLOWLOCATION=1, **{option: "https"}).setopt("h", **{option: None})
    r = d.perform().run()
    assert (r["h"].code, r["h"].body, r.of("setopt")) == (0, b"end", [])


# ---------------------------------------------------------------- CURLOPT_CURLU

@not_debian("its text is parsed again")
def test_curlu_whose_user_looks_like_a_host(drive, server, closed_port, way):
    """The parts are used: the text is http://127.0.0.1:PORT/:a@b:/c@HOST/p, which is another host's."""
    server.script(Expect(target="/p", has={"Host": server.authority,
                                           "Authorization": basic(f"127.0.0.1:{closed_port}/:a@b:/c")}), Reply(200, b"in"))
    t = drive.get(way, CURLU=[f"url={server.url('/p')}", f"user=127.0.0.1:{closed_port}/", "password=a@b:/c"])
    assert (t.code, t.body) == (0, b"in")


def test_curlu_whose_user_looks_like_a_host_and_a_redirect(drive, server, closed_port, ours_only):
    ours_only("libcurl 8.23 resolves the reference against the text, and goes to the other host")
    user = {"Authorization": basic(f"127.0.0.1:{closed_port}/:p")}
    server.script(Expect(target="/p/1", has=user), Send(to(302, "2")), Expect(target="/p/2", has=user), Reply(200, b"in"))
    t = drive.get(CURLU=[f"url={server.url('/p/1')}", f"user=127.0.0.1:{closed_port}/", "password=p"], FOLLOWLOCATION=1,
                  info=("EFFECTIVE_URL",))
    assert (t.code, t.body, t.info["EFFECTIVE_URL"]) == (0, b"in", server.url("/p/2"))


@not_debian("its text is parsed again")
@pytest.mark.parametrize("parts,target", [
    (["path=/a b", "query=c d"], "/a%20b?c d"),
    (["path=/a?b#c"], "/a?b#c"),
    (["query=a#b"], "/p?a#b"),
    (["path=/a/../b"], "/a/../b"),
    (["path=/%af%2e%zz"], "/%AF%2E%zz"),
    (["fragment=a b"], "/p"),
    (["path=/a\r\nX: y"], "/a%0D%0AX:%20y"),
])
def test_curlu_parts(drive, server, parts, target):
    server.script(Read(head(server, target)), Reply(200, b"in"))
    assert drive.get(CURLU=[f"url={server.url('/p')}", *parts]).body == b"in"


def test_curlu_whose_options_look_like_a_host_and_a_redirect(drive, server, closed_port, way):
    """They are part of no URL of HTTP, and were read again as the host that gets the login."""
    user = {"Authorization": basic("u:p")}
    server.script(Expect(target="/p/1", has=user), Send(to(302, "2")), Expect(target="/p/2", has=user), Reply(200, b"in"))
    t = drive.get(way, CURLU=[f"url={server.url('/p/1')}", "user=u", "password=p", f"options=@127.0.0.1:{closed_port}/"], FOLLOWLOCATION=1)
    assert (t.code, t.body) == (0, b"in")


def test_referer_of_a_curlu_with_lines_in_its_path(drive, server):
    """The newest libcurl makes no second request."""
    server.script(Expect(target="/a%0D%0AX:%20y"), Send(to(302, "/2")),
                  Expect(target="/2", has={"Referer": server.url("/a%0D%0AX:%20y")}, lacks=["X"]), Reply(200, b"in"))
    t = drive.get(CURLU=[f"url={server.url('/p')}", "path=/a\r\nX: y"], FOLLOWLOCATION=1, AUTOREFERER=1)
    if NEWEST:
        server.forgive()
    assert t.code == by_library(0, t.code, 27)


def test_curlu_with_lines_in_its_query(drive, server, ours_only):
    ours_only("libcurl 8.23 sends the query as it is: a header that its author has chosen")
    assert drive.get(CURLU=[f"url={server.url('/p')}", "query=a\r\nX: y"]).code == 3


# ---------------------------------------------------------------- CURLOPT_PORT

@not_debian("the redirect goes to the URL's port")
def test_port_and_a_relative_redirect(drive, server, closed_port):
    """The server that answered is the one that is asked again, with what it was sent before."""
    mine = {"Authorization": "mine", "Cookie": "c=d", "Host": "own"}
    server.script(Expect(target="/1", has=mine), Send(to(302, "/2")), Expect(target="/2", has=mine), Reply(200, b"end"))
    t = drive.get(URL=f"http://127.0.0.1:{closed_port}/1", PORT=server.port, FOLLOWLOCATION=1, COOKIE="c=d",
                  HTTPHEADER=["Authorization: mine", "Host: own"], info=("EFFECTIVE_URL",))
    assert (t.code, t.body, t.info["EFFECTIVE_URL"]) == (0, b"end", server.url("/2"))


@not_debian("the redirect goes to the URL's port")
@pytest.mark.parametrize("first", [302, 401])
def test_port_and_a_reference_to_another_host(drive, server, closed_port, first):
    """It applies to "//host" after a relative redirect too, and after a request that was made again."""
    before = [Expect(target="/1"), Send(to(302, "/2")) if first == 302 else Send(response(401, b"", ["WWW-Authenticate: Basic"]))]
    server.script(*before, Expect(target="/2" if first == 302 else "/1"), Send(to(302, "//localhost/3")), UntilClose())
    server.script(Expect(target="/3", has={"Host": f"localhost:{server.port}"}), Reply(200, b"end"))
    t = drive.get(URL=f"http://127.0.0.1:{closed_port}/1", PORT=server.port, FOLLOWLOCATION=1, USERPWD="a:b",
                  HTTPAUTH=AUTH_ANY, IPRESOLVE=1)
    assert (t.code, t.body) == (0, b"end")


@pytest.mark.parametrize("absolute", [True, False])
def test_port_after_an_absolute_redirect(drive, server, make_server, absolute):
    """Its port is the one of every later reference."""
    other = make_server()
    server.script(Expect(target="/1"), Send(to(302, other.url("/2"))), UntilClose())
    other.script(Expect(target="/2"), Send(to(302, f"//{other.authority}/3" if absolute else "/3")),
                 Expect(target="/3", has={"Host": other.authority}), Reply(200, b"end"))
    t = drive.get(URL="http://127.0.0.1/1", PORT=server.port, FOLLOWLOCATION=1)
    assert (t.code, t.body) == (0, b"end")


@not_debian("the URL's port decides")
def test_port_and_a_redirect_to_the_port_of_the_url(drive, server, make_server, way):
    """What the URL says is not where the request went: to the URL's own port it is another origin."""
    other = make_server()
    server.script(Expect(has={"Authorization": "mine", "Cookie": "c=d", "Host": "own"}), Send(to(302, other.url("/2"))))
    other.script(Expect(has={"Host": other.authority}, lacks=["Authorization", "Cookie"]), Reply(200, b"end"))
    t = drive.get(way, URL=other.url("/1"), PORT=server.port, FOLLOWLOCATION=1, COOKIE="c=d",
                  HTTPHEADER=["Authorization: mine", "Host: own"])
    assert (t.code, t.body) == (0, b"end")


def test_port_and_a_redirect_to_that_port(drive, server):
    server.script(Expect(has={"Authorization": basic("a:b")}), Send(to(302, server.url("/2"))),
                  Expect(has={"Authorization": basic("a:b")} if not SYSTEM or NEWEST else {}), Reply(200, b"end"))
    t = drive.get(URL="http://127.0.0.1/1", PORT=server.port, FOLLOWLOCATION=1, USERPWD="a:b")
    assert (t.code, t.body) == (0, b"end")


# ---------------------------------------------------------------- zones

def link_local():
    """An address fe80:: of this machine and its interface, or skip."""
    try:
        with open("/proc/net/if_inet6", encoding="ascii") as f:
            for line in f:
                digits, _, _, scope, _, name = line.split()
                if scope == "20":
                    return socket.inet_ntop(socket.AF_INET6, bytes.fromhex(digits)), name
    except OSError:
        pass
    return pytest.skip("no interface has a link-local address")


@pytest.mark.parametrize("escaped", ["%25", "%"])
def test_zone_is_part_of_the_address(drive, make_server, way, escaped):
    address, name = link_local()
    server = make_server(host="::")
    server.script(Expect(has={"Host": f"[{address}]:{server.port}"}), Reply(200, b"here"))
    t = drive.get(way, URL=f"http://[{address}{escaped}{name}]:{server.port}/", info=("PRIMARY_IP",))
    assert (t.code, t.body, t.info["PRIMARY_IP"]) == (0, b"here", address)


def test_zone_that_is_not_there(drive, make_server, ours_only):
    ours_only("libcurl connects without the zone, where another machine may be")
    server = make_server(host="::")
    assert drive.get(URL=f"http://[::1%25nosuchzone]:{server.port}/").code == 6


def test_scope_of_an_option(drive, make_server, way):
    """CURLOPT_ADDRESS_SCOPE gives a link-local address its interface, and replaces the zone of the URL."""
    address, name = link_local()
    server = make_server(host="::")
    server.default(Serve(echo))
    d = drive(way).easy(ADDRESS_SCOPE=socket.if_nametoindex(name))
    for zone in ("", "%25lo"):
        d.setopt("h", URL=f"http://[{address}{zone}]:{server.port}/").perform()
    assert [t.code for t in d.run().all("h")] == [0, 0]


def test_scope_that_no_interface_has(drive, make_server):
    """What needs no scope is reached all the same; that of a link-local address must be there."""
    address, _ = link_local()
    server = make_server(host="::")
    server.default(Serve(echo))
    d = drive().easy(ADDRESS_SCOPE=4000000000)
    for host in ("127.0.0.1", f"[{address}]"):
        d.setopt("h", URL=f"http://{host}:{server.port}/").perform()
    assert [t.code for t in d.run().all("h")] == [0, 7]


@pytest.mark.parametrize("scope", [-1, 1 << 32])
def test_scope_out_of_range(drive, scope):
    r = drive().easy().do("setopt", "h", "ADDRESS_SCOPE", scope).run()
    assert r.of("setopt", "h", "ADDRESS_SCOPE")[0][-1] == 43


def test_scope_is_part_of_the_key(drive, make_server):
    server = make_server(host="::1")
    server.default(Serve(echo))
    d = drive().easy(URL=f"http://[::1]:{server.port}/")
    for scope in (1, 0, 1):
        d.setopt("h", ADDRESS_SCOPE=scope).perform()
    assert [t.body for t in d.run().all("h")] == [b"0", b"1", b"0"]


def test_zone_is_part_of_the_key(drive, make_server):
    """Connections of two zones lead to two machines."""
    server = make_server(host="::1")
    server.default(Serve(echo))
    d = drive().easy()
    for zone in ("%25lo", "", "%25lo"):
        d.setopt("h", URL=f"http://[::1{zone}]:{server.port}/").perform()
    r = d.run()
    assert [t.body for t in r.all("h")] == [b"0", b"1", b"0"]


# ---------------------------------------------------------------- headers of one's own

@not_debian("a blank hides the name")
@pytest.mark.parametrize("line", ["Authorization : x", "Authorization\t: x", " Authorization: x", "COOKIE : x", "Authorization ;"])
def test_blank_in_a_header_name_does_not_hide_it_from_a_redirect(drive, server, make_server, line):
    other = make_server()
    server.script(Read(head(server, "/1", line.replace(" ;", ":"))), Send(to(302, other.url("/2"))))
    other.script(Read(head(other, "/2")), Reply(200, b"end"))
    t = drive.get(URL=server.url("/1"), FOLLOWLOCATION=1, HTTPHEADER=[line])
    assert (t.code, t.body) == (0, b"end")


@not_debian("a blank hides the name")
@pytest.mark.parametrize("line,sent", [
    ("X : y", "X : y"), ("X ;", "X:"), ("Host : h", None), ("Connection : close", None),
    ("Content-Length : 5", by_library(None, None, "Content-Length : 5")),
    ("Transfer-Encoding : chunked", by_library(None, None, "Transfer-Encoding : chunked")),
    (" : x", by_library(None, None, " : x")),
])
def test_blank_in_a_header_name(drive, server, line, sent):
    """Ours leaves out what a lenient server would take for a second framing."""
    server.script(Read(head(server, "/1", *([sent] if sent else []))), Reply(200, b"end"))
    assert drive.get(URL=server.url("/1"), HTTPHEADER=[line]).body == b"end"


# ---------------------------------------------------------------- other URLs

@pytest.mark.parametrize("url,code", [("{}", 0), ("localhost{}", 0), ("LocalHost{}", 0), ("127.0.0.1{}", 0), ("//{}", 0), ("x{}", 3)])
def test_file_as_the_default_protocol(drive, tmp_path, url, code):
    path = tmp_path / "body"
    path.write_bytes(b"here")
    t = drive.get(URL=url.format(path), DEFAULT_PROTOCOL="file", info=("EFFECTIVE_URL",))
    assert (t.code, t.body) == (code, b"" if code else b"here")
    if url == "{}":
        assert t.info["EFFECTIVE_URL"] == f"file://{path}"


@pytest.mark.parametrize("length,code", [(256, 6), (65535, 6), (65536, 3)])
@not_debian("no limit of its own")
def test_long_host(drive, length, code):
    assert drive.get(URL=f"http://{'h' * length}/").code == code


@pytest.mark.parametrize("line", ["::127.0.0.1:{port}", "::127.0.0.1:", ":::{port}", "127.0.0.1::127.0.0.1:{port}"])
def test_connect_to_the_own_host_does_not_prevent_reuse(drive, server, line, way):
    server.answer(response(200, b"a"), response(200, b"b"), response(200, b"c"))
    d = drive(way).easy(URL=server.url(), CONNECT_TO=[line.format(port=server.port)]).perform().getinfo("h", "NUM_CONNECTS")
    d.setopt("h", CONNECT_TO=None).perform().getinfo("h", "NUM_CONNECTS")
    d.setopt("h", CONNECT_TO=[line.format(port=server.port)]).perform().getinfo("h", "NUM_CONNECTS")
    r = d.run()
    assert [(t.body, t.info["NUM_CONNECTS"]) for t in r.all("h")] == [(b"a", 1), (b"b", 0), (b"c", 0)]


@not_debian("escapes stay as they are, and so do their dots")
@pytest.mark.parametrize("path,as_is,target", [
    ("/%af%zz?%af#%af", 0, "/%AF%zz?%af"), ("/.%2e/a/%2E/x", 0, "/a/x"), ("/.%2e/a/%2E/x", 1, "/.%2E/a/%2E/x"),
    ("/\u00e9?\u00e9", 0, "/%C3%A9?\u00e9"),
])
def test_escapes_in_a_path(drive, server, path, as_is, target):
    server.script(Expect(exact=head(server, target)), Reply(200, b"end"))
    assert drive.get(URL=server.url(path), PATH_AS_IS=as_is).body == b"end"
