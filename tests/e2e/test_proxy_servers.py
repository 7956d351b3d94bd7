"""Real proxies, and an apache that asks for Digest, with Debian's curl on the library and with our command: some of it
in each run, everything with MOTE_PROXY_SERVERS=all."""

import os
import re

import pytest

import proxy_servers
from commands import OURS, run_tool
from mote_driver import NEWEST, SYSTEM, by_library, not_sanitized, pattern
from proxy_servers import LOGIN, USER
from real_server import only_if

MB = pattern(1 << 20)
ALL = os.environ.get("MOTE_PROXY_SERVERS") == "all"
LARGE = ("50m.bin", 50 << 20) if ALL else ("1m.bin", 1 << 20)
NO_TUNNEL = by_library(7, 56)
thorough = only_if(ALL)
pytestmark = not_sanitized("the system's curl has none")


@pytest.fixture(params=["curl"] if NEWEST else ["reference"] if SYSTEM else OURS)
def run(request, tmp_path, certs):
    """Runs the command with the arguments; gives its exit code, what it wrote to stdout, and its errors."""
    def call(*args):
        done = run_tool(request.param, ["--cacert", certs.path("ca.pem"), *args], tmp_path)
        return done.returncode, done.stdout, done.stderr
    call.folder = tmp_path
    call.name = request.param
    return call


@pytest.fixture(scope="session")
def started(tmp_path_factory, certs):
    """A function that starts a server when it is first asked for."""
    running = {}

    def get(name):
        lacking = proxy_servers.missing(name)
        if lacking:
            pytest.skip(lacking)
        if name not in running:
            running[name] = proxy_servers.SERVERS[name](tmp_path_factory.mktemp(name), certs)
        return running[name]
    yield get
    for server in running.values():
        server.close()


def http(port):
    return ["-x", f"http://127.0.0.1:{port}"]


def https(port):
    return ["-x", f"https://localhost:{port}", "--proxy-cacert", "{ca}"]


# server, the arguments that lead to it, those of the login
PROXIES = {
    "squid": ("squid", lambda s: http(s.open), []),
    "squid, basic": ("squid", lambda s: http(s.login), []),
    "squid, digest": ("squid", lambda s: http(s.login), ["--proxy-digest"]),
    "squid, any": ("squid", lambda s: http(s.login), ["--proxy-anyauth"]),
    "squid by tls": ("squid", lambda s: https(s.tls), []),
    "squid by tls, basic": ("squid", lambda s: https(s.tls_login), []),
    "squid by tls, digest": ("squid", lambda s: https(s.tls_login), ["--proxy-digest"]),
    "tinyproxy, basic": ("tinyproxy", lambda s: http(s.ports[0]), []),
    "apache, digest": ("apache", lambda s: http(s.proxy), ["--proxy-digest"]),
    "microsocks": ("microsocks", lambda s: ["--socks5", f"127.0.0.1:{s.ports[0]}"], []),
    "microsocks, names": ("microsocks", lambda s: ["--socks5-hostname", f"127.0.0.1:{s.ports[0]}"], []),
}
WITHOUT = ("squid", "squid by tls")  # a login
# A tunnel is kept by all; for plain requests tinyproxy closes each connection, and libcurl uses one to an HTTPS proxy
# only once.
NOT_KEPT = ("tinyproxy, basic", *by_library([], [], [n for n in PROXIES if "by tls" in n]))
WANTED = [n for n in PROXIES if ALL or n in ("squid, digest", "squid by tls, basic", "tinyproxy, basic", "microsocks")]


class Proxy:
    def __init__(self, name, started, certs):
        server, args, scheme = PROXIES[name]
        self.name = name
        self.keeps = name not in NOT_KEPT
        self.refusal = b"401" if server == "tinyproxy" else b"407"  # tinyproxy takes itself for the server
        self.socks = server == "microsocks"
        self.scheme = scheme
        self.where = [a.format(ca=certs.path("ca.pem")) for a in args(started(server))]
        self.args = self.with_login(None if name in WITHOUT else LOGIN)

    def with_login(self, login):
        return [*self.where, *self.scheme, *(["-U", login] if login else [])]


@pytest.fixture(params=WANTED)
def proxy(request, started, certs):
    return Proxy(request.param, started, certs)


@pytest.fixture(params=[n for n in WANTED if n not in WITHOUT])
def closed_proxy(request, started, certs):
    """One that asks for a login."""
    return Proxy(request.param, started, certs)


@pytest.fixture(params=[False, True], ids=["plain", "tls"])
def url(request, nginx):
    return lambda path: nginx.url(path, request.param).replace("localhost", "127.0.0.1")


def is_tls(address):
    return address.startswith("https:")


def test_get(run, proxy, url):
    """Three requests, of which the first alone may need a second one for its login, on one connection."""
    targets = [url(f"/12.txt?{i}") for i in range(3)]
    code, out, err = run(*proxy.args, "-w", " %{http_code} %{num_connects}\n", *targets)
    assert (code, re.sub(rb"(\d{3}) \d", rb"\1", out)) == (0, b"hello world\n 200\n" * 3), err
    if proxy.keeps or is_tls(targets[0]):
        assert sum(int(n) for n in re.findall(rb" 200 (\d)", out)) == 1


def test_large_download(run, proxy, url):
    assert run(*proxy.args, "-o", "out", url("/" + LARGE[0]))[0] == 0
    assert os.path.getsize(run.folder / "out") == LARGE[1]


UPLOADS = {"file": ["-T", "f"], "chunked": ["-T", "f", "-H", "Transfer-Encoding: chunked"], "data": ["-X", "PUT", "--data-binary", "@f"]}


def leave_out(name, how):
    if how == "chunked" and "apache" in name and SYSTEM and not NEWEST:
        pytest.skip("libcurl 7.88 says that a body comes in chunks, and sends none, before it knows the nonce")


@pytest.mark.parametrize("how", UPLOADS)
def test_upload(run, proxy, url, nginx, how):
    name = "dav/" + run.folder.name
    leave_out(proxy.name if not is_tls(url("/")) else "", how)
    # squid does not read a second request on a connection after it has refused most of the first one's body
    data = MB if proxy.name != "squid, any" or is_tls(url("/")) else b"small"
    (run.folder / "f").write_bytes(data)
    code, out, err = run(*proxy.args, *UPLOADS[how], "-w", "%{http_code}", url("/" + name))
    assert (code, out) == (0, b"201"), err
    assert nginx.read("dav/" + name) == data  # nginx has a folder of that name in it


def test_post(run, proxy, url):
    code, out, err = run(*proxy.args, "-d", "a=b", "-w", "%{http_code}", url("/post"))
    assert (code, out) == (0, b"POST\n200"), err


@pytest.mark.parametrize("login", [f"{USER}:wrong", "other:x", ""])
def test_wrong_login(run, closed_proxy, url, login):
    proxy, target = closed_proxy, url("/12.txt")
    code, out, err = run(*proxy.with_login(login), "-o", "out", "-w", "%{http_code} %{http_connect}", target)
    if proxy.socks:
        assert (code, out) == (97, b"000 000"), err
    elif is_tls(target):
        assert (code, out) == (NO_TUNNEL, b"000 " + (proxy.refusal if login else b"407")), err
    else:
        assert (code, out) == (0, (proxy.refusal if login else b"407") + b" 000"), err


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_nothing_listens_there(run, proxy, closed_port, scheme):
    """The proxy cannot reach the server."""
    code, out, err = run(*proxy.args, "-o", "out", "-w", "%{http_code} %{http_connect}", f"{scheme}://127.0.0.1:{closed_port}/")
    if proxy.socks:
        assert (code, out) == (97, b"000 000"), err
    elif scheme == "https":
        assert code == NO_TUNNEL and out in (b"000 503", b"000 500"), err
    else:
        assert code == 0 and out in (b"503 000", b"500 000"), err


def test_no_proxy_listens(run, closed_port, nginx):
    assert run("-x", f"http://127.0.0.1:{closed_port}", nginx.url("/12.txt"))[0] == 7
    assert run("--socks5", f"127.0.0.1:{closed_port}", nginx.url("/12.txt"))[0] == 7


# ---------------------------------------------------------------- a server that asks for Digest

def digest(*more):
    return ["--digest", "-u", LOGIN, *more]


def test_digest(run, started):
    """On one connection; the command has a handle for each URL, which knows no nonce at first."""
    apache = started("apache")
    code, out, err = run(*digest("-i", "-w", "\n%{num_connects}\n"), apache.url("/12.txt"), apache.url("/12.txt?a=b&c"))
    assert (code, re.findall(rb"HTTP/1.1 (\d+)|^(\d)$", out.replace(b"\r", b""), re.M)) == (
        0, [(b"401", b""), (b"200", b""), (b"", b"1"), (b"401", b""), (b"200", b""), (b"", b"0")]), err


@thorough
def test_digest_of_an_old_nonce(run, started):
    """The server says that it is stale, and gives another one."""
    apache = started("apache")
    code, out, err = run(*digest("--rate", "20/m"), *[apache.url("/short/12.txt")] * 2)
    assert (code, out) == (0, b"hello world\n" * 2), err


@pytest.mark.parametrize("how", UPLOADS)
def test_digest_upload(run, started, how):
    apache = started("apache")
    leave_out("apache", how)
    (run.folder / "f").write_bytes(MB)
    code, out, err = run(*digest("-w", "%{http_code}", *UPLOADS[how]), "-o", "out", apache.url("/" + run.folder.name))
    assert (code, out) == (0, b"201"), err
    assert apache.read(run.folder.name) == MB


def test_digest_is_refused(run, started):
    code, out, err = run("--digest", "-u", f"{USER}:wrong", "-o", "out", "-w", "%{http_code}", started("apache").url("/12.txt"))
    assert (code, out) == (0, b"401"), err


@pytest.mark.parametrize("scheme", ["--anyauth", "--digest"])
def test_digest_for_server_and_proxy(run, started, scheme):
    code, out, err = run("-u", LOGIN, scheme, "--proxy-digest", "-U", LOGIN, *http(started("squid").login),
                         started("apache").url("/12.txt"))
    assert (code, out) == (0, b"hello world\n"), err
