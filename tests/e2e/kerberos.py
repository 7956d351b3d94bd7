"""A Kerberos realm of its own (MIT krb5's KDC, a keytab, a user with a ticket) and an apache that asks for Negotiate,
both unprivileged, in a folder of their own on free ports. Servers in this process accept with Acceptor."""

import os
import shutil
import socket
import subprocess
import sys
import time

from nginx import free_ports

REALM = "MOTE.TEST"
HOSTS = ("localhost", "127.0.0.1", "a.test", "b.test")
SERVICES = ("HTTP", "rcmd", "special", "imap", "pop", "smtp")
PROGRAMS = ("/usr/sbin/krb5kdc", "/usr/sbin/kdb5_util", "/usr/sbin/kadmin.local", "/usr/bin/kinit")
APACHE = "/usr/sbin/apache2"
MODULES = "/usr/lib/apache2/modules"

# Names are neither looked up nor completed, so that a service is found by what the client was given.
KRB5_CONF = """
[libdefaults]
  default_realm = {realm}
  dns_lookup_kdc = false
  dns_lookup_realm = false
  dns_canonicalize_hostname = false
  rdns = false
  qualify_shortname = ""
  forwardable = true
  udp_preference_limit = 1
[realms]
  {realm} = {{
    kdc = 127.0.0.1:{port}
  }}
[domain_realm]
  localhost = {realm}
  .test = {realm}
"""

KDC_CONF = """
[kdcdefaults]
  kdc_listen = ""
  kdc_tcp_listen = 127.0.0.1:{port}
[realms]
  {realm} = {{
    database_name = {d}/principal
    key_stash_file = {d}/stash
    max_life = 10h
    supported_enctypes = aes256-cts-hmac-sha1-96:normal
  }}
[logging]
  kdc = FILE:{d}/kdc.log
"""

APACHE_CONF = """
ServerRoot {d}
ServerName localhost
Listen 127.0.0.1:{port}
PidFile {d}/apache.pid
ErrorLog {d}/apache.log
LoadModule mpm_event_module {m}/mod_mpm_event.so
LoadModule authn_core_module {m}/mod_authn_core.so
LoadModule authz_core_module {m}/mod_authz_core.so
LoadModule authz_user_module {m}/mod_authz_user.so
LoadModule auth_gssapi_module {m}/mod_auth_gssapi.so
LoadModule headers_module {m}/mod_headers.so
LoadModule proxy_module {m}/mod_proxy.so
LoadModule proxy_http_module {m}/mod_proxy_http.so
LoadModule proxy_connect_module {m}/mod_proxy_connect.so
StartServers 1
ServerLimit 1
ThreadsPerChild 8
MaxRequestWorkers 8
KeepAlive On
KeepAliveTimeout 60
DocumentRoot {d}/www
<Directory {d}/www>
  AuthType GSSAPI
  AuthName "here"
  GssapiCredStore keytab:{d}/keytab
  GssapiLocalName Off
  Require valid-user
  Header always set X-User expr=%{{REMOTE_USER}}
</Directory>
<Directory {d}/www/each>
  GssapiConnectionBound Off
</Directory>
<Directory {d}/www/bound>
  GssapiConnectionBound On
</Directory>
<Directory {d}/www/open>
  AuthType None
  Require all granted
</Directory>
Listen 127.0.0.1:{proxy}
<VirtualHost 127.0.0.1:{proxy}>
  ProxyRequests On
  AllowCONNECT 1-65535
  <Proxy *>
    AuthType GSSAPI
    AuthName "proxy"
    GssapiCredStore keytab:{d}/keytab
    Require valid-user
  </Proxy>
</VirtualHost>
"""


def missing():
    """Says what is not installed, or None."""
    for program in PROGRAMS:
        if not os.path.exists(program):
            return f"{program} is not installed"
    try:
        import gssapi  # noqa: F401
    except ImportError:
        return "python3-gssapi is not installed"
    return None


class Realm:
    """env: for a client with the user's ticket. A client without has no KRB5CCNAME in it."""

    user = "user@" + REALM

    def __init__(self, folder):
        self.folder = str(folder)
        self.server_env = dict(KRB5_CONFIG=self._path("krb5.conf"), KRB5_KDC_PROFILE=self._path("kdc.conf"),
                               KRB5_KTNAME=self._path("keytab"), KRB5RCACHENAME="none:")
        self.env = dict(KRB5_CONFIG=self._path("krb5.conf"), KRB5CCNAME="FILE:" + self._path("ccache"))
        self.without = dict(self.env, KRB5CCNAME="FILE:" + self._path("no-ccache"))
        for attempt in range(5):
            self.port, = free_ports(1)
            self._write("krb5.conf", KRB5_CONF.format(realm=REALM, port=self.port))
            self._write("kdc.conf", KDC_CONF.format(realm=REALM, port=self.port, d=self.folder))
            if not attempt:
                self._run("/usr/sbin/kdb5_util", "create", "-s", "-r", REALM, "-P", "master")
                self._principals()
            self.process = subprocess.Popen(["/usr/sbin/krb5kdc", "-n", "-r", REALM], env=self._environment(),
                                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                            stderr=subprocess.DEVNULL)
            if listens(self.process, self.port):
                self.kinit("ccache")
                return
            self.close()
        raise RuntimeError("the KDC did not start: " + open(self._path("kdc.log")).read())

    def _path(self, name):
        return os.path.join(self.folder, name)

    def _write(self, name, text):
        with open(self._path(name), "w") as f:
            f.write(text)

    def _environment(self):
        return dict(self.server_env, PATH="/usr/bin:/bin", LC_ALL="C.UTF-8")

    def _run(self, *command, **more):
        done = subprocess.run(command, env=self._environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
        assert done.returncode == 0, f"{command}: {done.stdout!r}"

    def _principals(self):
        names = [f"{service}/{host}" for service in SERVICES for host in HOSTS]
        lines = ["addprinc -pw secret user", *(f"addprinc -randkey {'' if name.startswith('special') else '+ok_as_delegate'} {name}" for name in names),
                 *(f"ktadd -k {self._path('keytab')} {name}" for name in names)]
        self._run("/usr/sbin/kadmin.local", "-r", REALM, input="\n".join(lines).encode() + b"\n")

    def kinit(self, name):
        """Makes a cache with a fresh ticket for tickets, and gives its path."""
        self._run("/usr/bin/kinit", "-f", "-c", self._path(name), "user", input=b"secret\n")
        return self._path(name)

    def close(self):
        self.process.kill()
        self.process.wait()


def listens(process, port):
    end = time.monotonic() + 30
    while time.monotonic() < end and process.poll() is None:
        with socket.socket() as s:
            if s.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.02)
    return False


class Apache:
    """www/: a ticket per request or per connection, as it likes; www/each: per request; www/bound: per connection;
    www/open: none. The second port is a proxy that asks for one."""

    def __init__(self, folder, realm):
        self.folder = str(folder)
        for name in ("", "each", "bound", "open"):
            os.makedirs(os.path.join(self.folder, "www", name), exist_ok=True)
            with open(os.path.join(self.folder, "www", name, "12.txt"), "wb") as f:
                f.write(b"hello world\n")
        shutil.copy(realm._path("keytab"), os.path.join(self.folder, "keytab"))
        if os.getuid() == 0:
            for where, _, files in os.walk(self.folder):
                os.chmod(where, 0o755)
                for name in files:
                    os.chmod(os.path.join(where, name), 0o644)
        for attempt in range(5):
            self.port, self.proxy = free_ports(2)
            conf = os.path.join(self.folder, "apache.conf")
            with open(conf, "w") as f:
                f.write(APACHE_CONF.format(d=self.folder, m=MODULES, port=self.port, proxy=self.proxy))
            self.process = subprocess.Popen([APACHE, "-X", "-f", conf], env=realm._environment(),
                                            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if listens(self.process, self.port):
                return
            self.close()
        raise RuntimeError("apache did not start: " + open(os.path.join(self.folder, "apache.log")).read())

    def url(self, path, host="localhost"):
        return f"http://{host}:{self.port}{path}"

    def close(self):
        self.process.kill()
        self.process.wait()


class Acceptor:
    """The service's side of one context, in this process; `realm` needs to be the only one here."""

    def __init__(self, realm):
        import gssapi
        os.environ.update(realm.server_env)
        self.context = gssapi.SecurityContext(usage="accept", creds=gssapi.Credentials(
            usage="accept", store={"keytab": realm.server_env["KRB5_KTNAME"]}))

    def step(self, token):
        return self.context.step(token) or b""

    @property
    def user(self):
        return str(self.context.initiator_name)

    @property
    def service(self):
        return str(self.context.target_name).partition("@")[0]


# ---------------------------------------------------------------- SPNEGO by hand

def der(tag, *parts):
    body = b"".join(parts)
    n = len(body)
    length = bytes([n]) if n < 128 else bytes([0x80 | (n.bit_length() + 7) // 8]) + n.to_bytes((n.bit_length() + 7) // 8, "big")
    return bytes([tag]) + length + body


def undo(data):
    """(tag, body, rest) of the first value."""
    n, at = data[1], 2
    if n & 0x80:
        at += n & 0x7f
        n = int.from_bytes(data[2:at], "big")
    return data[0], data[at:at + n], data[at + n:]


KRB5 = bytes.fromhex("06092a864886f712010202")


class SlowAcceptor(Acceptor):
    """Takes two tokens where MIT's takes one: it asks the client to sign the list of mechanisms (RFC 4178 section 5),
    as servers do that would have preferred another one."""

    def __init__(self, realm):
        super().__init__(realm)
        self.list = None

    def step(self, token):
        if self.list is not None:  # NegTokenResp with mechListMIC
            fields = undo(undo(token)[1])[1]
            while fields:
                tag, body, fields = undo(fields)
                if tag == 0xa3:
                    self.context.verify_signature(self.list, undo(body)[1])
                    self.complete = True
            return b""
        inner = undo(token)[1]
        inner = undo(undo(inner)[2])[1]  # after SPNEGO's identifier: [0] NegTokenInit
        fields = undo(inner)[1]
        while fields:
            tag, body, fields = undo(fields)
            if tag == 0xa0:
                self.list = body
            elif tag == 0xa2:
                answer = super().step(undo(body)[1])
        signature = self.context.get_signature(self.list)
        return der(0xa1, der(0x30, der(0xa0, der(0x0a, b"\3")), der(0xa1, KRB5), der(0xa2, der(4, answer)),
                             der(0xa3, der(4, signature))))

    complete = False


# A client of MIT's library 1.21 is in after SlowAcceptor's first answer, and so has nothing to send.
SECOND_TOKEN = """
import os, sys, gssapi, kerberos
class Realm: server_env = dict(os.environ)
client = gssapi.SecurityContext(name=gssapi.Name("HTTP@localhost", gssapi.NameType.hostbased_service),
                                mech=gssapi.OID.from_int_seq("1.3.6.1.5.5.2"), usage="initiate")
sys.exit(not client.step(kerberos.SlowAcceptor(Realm).step(client.step())))
"""


def takes_two_rounds(realm):
    """Whether the machine's GSS-API library answers SlowAcceptor."""
    env = {**os.environ, **realm.server_env, **realm.env, "PYTHONPATH": os.path.dirname(os.path.abspath(__file__))}
    return not subprocess.run([sys.executable, "-c", SECOND_TOKEN], env=env, stderr=subprocess.DEVNULL).returncode
