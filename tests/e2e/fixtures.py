"""Fixtures of the end-to-end tests, and of tests/toys: the programs, the servers, the ways of driving."""

import os
import shutil
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

from h2_peer import H2Server
from listener import Closed
import made
import mote_driver
from mote_driver import ARCHIVE, LIBRARY, MULTI_WAYS, NEWEST, SANITIZED, SYSTEM, WAYS, Driver
from nginx import Nginx
from server import FullPort, Server
from ways import pytest_collection_modifyitems  # noqa: F401


def pytest_report_header(config):
    library = LIBRARY or "the system's"
    lines = [f"mote e2e: library {library}; ways {', '.join(WAYS)}"]
    if SANITIZED:
        lines.append(f"mote e2e: with {SANITIZED}: failing allocations are left out, its runtime replaces malloc itself")
    if not LIBRARY:
        lines.append("mote e2e: waitfds is left out: libcurl 7.88 has no curl_multi_waitfds")
    return lines


def pytest_sessionstart(session):
    if LIBRARY and not ARCHIVE and not os.path.exists(os.path.join(LIBRARY, "libcurl.so.4")):
        pytest.exit(f"no libcurl.so.4 in {LIBRARY}: " + ("make oracle" if NEWEST else
                    "build it, set MOTE_DROPIN, or set MOTE_E2E_SYSTEM=1"), 4)


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """The driver and the preloaded library, compiled once for this run."""
    return made.programs(tmp_path_factory.mktemp)


@pytest.fixture(scope="session")
def certs(tmp_path_factory):
    return made.certificates(tmp_path_factory.mktemp)


@pytest.fixture(scope="session")
def nginx(tmp_path_factory, certs):
    n = Nginx(tmp_path_factory.mktemp("nginx"), certs)
    yield n
    n.close()


@pytest.fixture(params=WAYS)
def way(request):
    return request.param


@pytest.fixture(params=MULTI_WAYS)
def multi_way(request):
    return request.param


class Drive:
    """Makes drivers; what is still running at the end of the test is ended."""

    def __init__(self, programs):
        self.programs = programs
        self.drivers = []
        self.skipped = False  # there can be no such driver: what servers wait for will not come

    def __call__(self, way="easy", **kw):
        try:
            d = Driver(self.programs, way, **kw)
        except pytest.skip.Exception:
            self.skipped = True
            raise
        self.drivers.append(d)
        return d

    def get(self, way="easy", info=(), enable=(), on=(), body=None, fault=None, env=None, **options):
        """One handle, one transfer; gives the Transfer with the infos asked for."""
        d = self(way, env=env, fault=bool(fault))
        for command in fault or ():
            d.do("fault", *command)
        d.easy("h", **options)
        if enable:
            d.enable("h", *enable)
        for trigger in on:
            d.on("h", *trigger)
        if body is not None:
            d.body("h", *(body if isinstance(body, tuple) else (body,)))
        d.perform("h")
        if info:
            d.getinfo("h", *info)
        run = d.run()
        transfer = run["h"]
        transfer.run = run
        return transfer


@pytest.fixture
def drive(programs):
    d = Drive(programs)
    yield d
    for one in d.drivers:
        one.kill()


@pytest.fixture
def make_server(drive):
    """A factory of scripted servers, of HTTP unless `cls` is another; each is closed, and its mismatches raised, at the
    end of the test."""
    servers = []

    def make(cls=Server, **kw):
        s = cls(**kw)
        servers.append(s)
        return s

    yield make
    for d in drive.drivers:
        d.kill()
    problems = []
    for s in servers:
        try:
            s.close()
        except AssertionError as problem:
            problems += [] if drive.skipped else [str(problem)]
    assert not problems, "\n".join(problems)


@pytest.fixture
def server(make_server):
    return make_server()


@pytest.fixture
def patiently(make_server):
    """patiently(attempt): for what must happen before a short deadline, and on a busy machine may not. attempt(server,
    ms) says whether it did; while it says no it is made again, with a new server and more time; at last it must."""
    def run(attempt):
        for ms in (120, 600):
            server = make_server()
            if attempt(server, ms):
                return
            server.forgive()
        assert attempt(make_server(), 3000), "what must happen before the deadline did not"
    return run


@pytest.fixture
def closed_port():
    p = Closed()
    yield p.port
    p.close()


@pytest.fixture
def full_port():
    p = FullPort()
    yield p.port
    p.close()


@pytest.fixture
def ours_only():
    """Call with a reason: the test is skipped, with that reason shown, on the system's library."""
    def check(reason):
        if SYSTEM:
            pytest.skip(f"ours only: {reason}")
    return check


@pytest.fixture
def system_only():
    def check(reason):
        if not SYSTEM:
            pytest.skip(f"system's library only: {reason}")
    return check


@pytest.fixture(scope="session", autouse=True)
def needed_tools():
    for tool in ("openssl", "cc"):
        assert shutil.which(tool), f"{tool} is needed by these tests"


@pytest.fixture(scope="session")
def http2(programs):
    """For tests of HTTP/2, left out where it is not built."""
    # the driver itself, also where tests/torture runs the scenarios with another
    if mote_driver.Driver(programs).easy("h", HTTP_VERSION=5).run().of("setopt"):
        pytest.skip("HTTP/2 is not built")


@pytest.fixture
def h2_server(request, http2, make_server, certs):
    """A server of HTTP/2, without a script: by TLS for some ways of driving, by prior knowledge for the others."""
    ways = [request.getfixturevalue(name) for name in ("way", "multi_way") if name in request.fixturenames]
    tls = ways[:1] in ([], ["poll"], ["fdset"], ["socket"])
    return make_server(cls=H2Server, tls=certs.context(alpn=["h2"]) if tls else None)


@pytest.fixture
def h2_plain(http2, make_server):
    return make_server(cls=H2Server)


@pytest.fixture(scope="session")
def realm(tmp_path_factory):
    """A Kerberos realm; what is in it needs packages of its own (tools/setup)."""
    import kerberos
    lacking = kerberos.missing()
    if lacking:
        pytest.skip(lacking)
    r = kerberos.Realm(tmp_path_factory.mktemp("realm"))
    yield r
    r.close()


@pytest.fixture(scope="session")
def slow_acceptor(realm):
    """kerberos.SlowAcceptor, where the GSS-API library logs in by several rounds."""
    import kerberos
    if not kerberos.takes_two_rounds(realm):
        pytest.skip("the GSS-API library logs in by one round")
    return kerberos.SlowAcceptor


@pytest.fixture(scope="session")
def apache(tmp_path_factory, realm):
    import kerberos
    if not os.path.exists(kerberos.APACHE) or not os.path.exists(kerberos.MODULES + "/mod_auth_gssapi.so"):
        pytest.skip("apache with mod_auth_gssapi is not installed")
    a = kerberos.Apache(tmp_path_factory.mktemp("apache"), realm)
    yield a
    a.close()
