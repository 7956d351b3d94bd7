"""IMAP, POP3 and SMTP with a real dovecot: every mechanism of SASL, with and without an initial response, right and
wrong credentials, TLS asked for and from the first byte. What no real server does is in the tests with scripted ones.
Each test has all of its logins in one run of the driver, and most have one protocol alone unless MOTE_MAIL_SERVERS is
all, so that `make check` can afford them."""

import pytest

import mail_servers
from mail_servers import MECHANISMS, PASSWORD, PROTOCOLS, USER
from mote_driver import SYSTEM, WAYS, Driver, by_library
from test_tool_dropin import SUBJECTS, run_tool

MAIL = b"Subject: a mail\r\n\r\n.with a dot\r\nand an end\r\n"
USESSL_ALL = 3
LOGIN_DENIED, AUTH_ERROR = 67, 94
SCRAM = tuple(m for m in MECHANISMS if m.startswith("SCRAM"))
TOKEN = ("OAUTHBEARER", "XOAUTH2")
VISIT = {"imap": "INBOX;MAILINDEX=1", "pop3": "1", "smtp": "client.test"}


def built(programs, protocol):
    return Driver(programs).easy(URL=f"{protocol}://127.0.0.1:1/").perform().run()["h"].code != 1


@pytest.fixture(scope="session")
def with_mail(programs):
    """Builds without these protocols have nothing to test here, and need no server."""
    if not any(built(programs, protocol) for protocol in PROTOCOLS):
        pytest.skip("the library has no protocol of mail")
    lacking = mail_servers.missing()
    if lacking:
        pytest.skip(lacking)


@pytest.fixture(scope="session")
def relay(with_mail):
    r = mail_servers.Relay()
    yield r
    r.close()


@pytest.fixture(scope="session")
def dovecot(relay, certs):
    d = mail_servers.Dovecot(certs, relay=relay.port)
    yield d
    d.close()


@pytest.fixture(scope="session")
def kerberized(relay, certs, realm):
    d = mail_servers.Dovecot(certs, ("GSSAPI", "PLAIN"), realm=realm, relay=relay.port)
    yield d
    d.close()


@pytest.fixture(params=PROTOCOLS)
def protocol(request, programs):
    if not built(programs, request.param):
        pytest.skip(f"the library has no {request.param}")
    return request.param


@pytest.fixture(params=PROTOCOLS if mail_servers.ALL else PROTOCOLS[:1])
def some_protocol(request, programs):
    if not built(programs, request.param):
        pytest.skip(f"the library has no {request.param}")
    return request.param


@pytest.fixture(params=WAYS if mail_servers.ALL else ["socket"])
def way(request):
    return request.param


class Visits:
    """Transfers with one server, each with a login of its own, in one run of the driver."""

    def __init__(self, drive, server, protocol, way="easy", **more):
        self.server, self.protocol = server, protocol
        self.driver = drive(way, **more)
        self.names = []
        self.text = MAIL
        server.deliver(MAIL, user=USER)

    def __call__(self, name, user=USER, password=PASSWORD, tls=False, **options):
        name = name.replace("-", "").lower()
        self.names.append(name)
        if user is not None:
            options.update(USERNAME=user, PASSWORD=password)
        options = dict(dict(URL=self.server.url(self.protocol, VISIT[self.protocol], tls)), **options)
        self.driver.easy(name, **options)
        if self.protocol == "smtp":
            self.driver.setopt(name, MAIL_FROM="<from@mote.test>", MAIL_RCPT=["<to@mote.test>"], UPLOAD=1)
            self.driver.body(name, MAIL)
        self.driver.perform(name)

    def codes(self):
        run = self.driver.run()
        for name in self.names:
            if self.protocol != "smtp" and not run[name].code:
                assert run[name].body == MAIL, run[name]
        return [run[name].code for name in self.names]


def has(mechanism):
    """Neither Debian's libcurl nor the newest one here has SCRAM; Debian's refuses the empty realm of dovecot's digest."""
    return not SYSTEM or mechanism not in by_library(SCRAM, (*SCRAM, "DIGEST-MD5"))


def test_each_mechanism(drive, dovecot, relay, protocol):
    visits = Visits(drive, dovecot, protocol)
    relay.mails.clear()
    wanted, before = [], len(dovecot.log())
    for mechanism in MECHANISMS:
        for initial in (0, 1):
            options = dict(XOAUTH2_BEARER=dovecot.token()) if mechanism in TOKEN else {}
            visits(f"{mechanism}{initial}", LOGIN_OPTIONS="AUTH=" + mechanism, SASL_IR=initial, **options)
            wanted.append(0 if has(mechanism) else LOGIN_DENIED)
    assert visits.codes() == wanted
    if protocol == "smtp":
        assert [mail[:2] for mail in relay.mails] == [("from@mote.test", ["to@mote.test"])] * wanted.count(0)
        assert all(text.endswith(b"\r\n" + MAIL) for _, _, text in relay.mails), relay.mails
    assert all(dovecot.says(f"method={m}", before) for m in MECHANISMS if has(m))


def test_wrong_credentials(drive, dovecot, some_protocol):
    visits = Visits(drive, dovecot, some_protocol)
    for mechanism in MECHANISMS:
        options = dict(XOAUTH2_BEARER=dovecot.token(key=b"another")) if mechanism in TOKEN else {}
        visits(mechanism, password="wrong", LOGIN_OPTIONS="AUTH=" + mechanism, **options)
        if mail_servers.ALL:  # dovecot takes its time to refuse
            visits(mechanism + "user", user="another", LOGIN_OPTIONS="AUTH=" + mechanism, SASL_IR=1, **options)
    assert visits.codes() == [LOGIN_DENIED] * len(visits.names)


def test_what_asks_for_a_login(drive, dovecot, some_protocol):
    """Whatever was set does, even to nothing; dovecot lets nothing be done without a login."""
    visits = Visits(drive, dovecot, some_protocol)
    only = dict(user=None, LOGIN_OPTIONS="AUTH=PLAIN;AUTH=XOAUTH2")
    visits("password", PASSWORD="x", **only)
    visits("user", USERNAME="", **only)
    visits("both", USERNAME="", PASSWORD="", **only)
    visits("token", XOAUTH2_BEARER="x", **only)
    url = dovecot.url(some_protocol, VISIT[some_protocol])
    for i, who in enumerate(("@", ":x@", ":@")):
        visits(f"url{i}", URL=url.replace("//", "//" + who), **only)
    visits("nothing", **only)
    codes = visits.codes()
    assert codes[:-1] == [LOGIN_DENIED] * 7 and codes[-1] != 0, codes


def test_the_strongest_is_used(drive, dovecot, protocol):
    before = len(dovecot.log())
    visits = Visits(drive, dovecot, protocol)
    visits("h")
    assert visits.codes() == [0]
    strongest = by_library("SCRAM-SHA-256", "CRAM-MD5", "DIGEST-MD5")
    assert dovecot.says_login(USER, strongest, before)


def test_tls(drive, dovecot, protocol, certs):
    """Asked for and from the first byte; the mechanisms are those that the server lists after TLS."""
    visits = Visits(drive, dovecot, protocol)
    visits("starttls", USE_SSL=USESSL_ALL, CAINFO=certs.path("ca.pem"))
    visits("tls", tls=True, CAINFO=certs.path("ca.pem"))
    visits("untrusted", USE_SSL=USESSL_ALL, CAINFO=certs.path("otherca.pem"))
    assert visits.codes() == [0, 0, 60]


def test_a_login_is_kept(drive, dovecot, some_protocol, way):
    """A further request needs no login; one with other credentials gets a connection of its own."""
    visits = Visits(drive, dovecot, some_protocol, way)
    visits("h")
    d = visits.driver
    if some_protocol == "smtp":
        d.body("h", MAIL)
    d.perform("h").getinfo("h", "NUM_CONNECTS").setopt("h", PASSWORD="wrong").perform("h")
    first, second, third = d.run().all("h")
    assert (first.code, second.code, third.code) == (0, 0, LOGIN_DENIED), (first, second, third)
    assert second.info["NUM_CONNECTS"] == 0


def test_gssapi(with_mail, drive, kerberized, realm, some_protocol):
    """Kerberos; without a ticket a user with a password gets in all the same, unless no other way is allowed."""
    kerberized.deliver(MAIL, user=realm.user)
    with_ticket = Visits(drive, kerberized, some_protocol, env=realm.env)
    for initial in (0, 1):
        with_ticket(f"h{initial}", user="", password="", SASL_IR=initial)
    with_ticket("only", user="", password="", LOGIN_OPTIONS="AUTH=GSSAPI")
    # a token is longer than a command of SMTP and POP3, and the newest does not make it again
    again = 0 if some_protocol == "imap" else by_library(0, AUTH_ERROR, AUTH_ERROR)
    assert with_ticket.codes() == [0, again, 0]
    assert kerberized.says("method=GSSAPI")
    without = Visits(drive, kerberized, some_protocol, env=realm.without)
    without("h", user="", password="")
    without("password")
    without("only", LOGIN_OPTIONS="AUTH=GSSAPI")
    assert without.codes() == [AUTH_ERROR, by_library(0, AUTH_ERROR, AUTH_ERROR),
                               by_library(LOGIN_DENIED, AUTH_ERROR, AUTH_ERROR)]


def test_external(drive, certs, relay, some_protocol):
    """The certificate says who the client is."""
    d = mail_servers.Dovecot(certs, ("EXTERNAL",), verify=True, relay=relay.port)
    try:
        visits = Visits(drive, d, some_protocol)
        d.deliver(MAIL, user="a client")
        key = dict(CAINFO=certs.path("ca.pem"), SSLCERT=certs.path("client.pem"), SSLKEY=certs.path("client.key"),
                   LOGIN_OPTIONS="AUTH=EXTERNAL", USE_SSL=USESSL_ALL)
        visits("h", user=None, **key)
        visits("initial", user=None, SASL_IR=1, **key)
        visits("tls", user=None, tls=True, **key)
        assert visits.codes() == [0, 0, 0], d.log()
    finally:
        d.close()


CURL = {
    "imap": [("INBOX;MAILINDEX=1",), ("INBOX;UID=1;SECTION=TEXT",), ("INBOX;MAILINDEX=2;PARTIAL=0.5",), ("INBOX?ALL",),
             ("INBOX;MAILINDEX=9",), ("none;MAILINDEX=1",), ("INBOX", "-X", "STATUS INBOX (MESSAGES)"), ("INBOX", "-X", "FETCH 1:2 FLAGS"),
             ("INBOX", "-T", "mail"), ("INBOX;MAILINDEX=3",)],
    "pop3": [("",), ("1",), ("2",), ("9",), ("", "-X", "STAT", "-I"), ("", "-X", "TOP 1 0"), ("1", "-l"), ("1", "-X", "DELE", "-I")],
}


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("protocol", CURL)
@pytest.mark.parametrize("security", ["plain", "asked", "first"] if mail_servers.ALL else ["asked"])
def test_curl_and_our_command(certs, relay, tmp_path, subject, protocol, security):
    """Debian's curl on our library, and our command, read and append as Debian's curl does."""
    (tmp_path / "mail").write_bytes(MAIL)
    tls = [] if security == "plain" else ["--ssl-reqd", "--cacert", certs.path("ca.pem")]
    ends = []
    for who in ("reference", subject):
        server = mail_servers.Dovecot(certs, ("PLAIN", "LOGIN"), relay=relay.port)
        server.deliver(b"Subject: one\r\n\r\nfirst\r\n", b"Subject: two\r\n\r\n.second\r\n")
        runs = [run_tool(who, [server.url(protocol, path, security == "first"), "-u", f"{USER}:{PASSWORD}", *options, *tls], tmp_path)
                for path, *options in CURL[protocol]]
        server.close()
        ends.append([(r.returncode, r.stdout) for r in runs])
    assert ends[0] == ends[1]
    assert [code for code, _ in ends[0]].count(0) >= len(CURL[protocol]) - 2
