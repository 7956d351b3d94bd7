"""Real proxies and an apache that asks for Digest, each in a folder of its own on free ports: squid with and without a
login, plain and by TLS; tinyproxy; microsocks. They run as any user; squid, started by root, becomes another one."""

import hashlib
import os
import subprocess
import tempfile

from real_server import RealServer

USER, PASSWORD, AREA = "prue", "sword-fish", "here"
LOGIN = f"{USER}:{PASSWORD}"
HELPERS = "/usr/lib/squid"
MODULES = "/usr/lib/apache2/modules"


def digest_line():
    return f"{USER}:{AREA}:{hashlib.md5(f'{USER}:{AREA}:{PASSWORD}'.encode()).hexdigest()}\n"


class Squid(RealServer):
    """Ports without and with a login (Basic and Digest are offered), and the same two by TLS."""

    name = "squid"
    how_many = 4
    needs = ("/usr/sbin/squid", HELPERS + "/digest_file_auth", HELPERS + "/basic_ncsa_auth")

    CONF = """
http_port 127.0.0.1:{open} name=open
http_port 127.0.0.1:{login} name=login
https_port 127.0.0.1:{tls} name=tls tls-cert={d}/cert.pem tls-key={d}/key.pem
https_port 127.0.0.1:{tls_login} name=tls_login tls-cert={d}/cert.pem tls-key={d}/key.pem
auth_param digest program {helpers}/digest_file_auth -c {d}/digest
auth_param digest children 1
auth_param digest realm {area}
auth_param basic program {helpers}/basic_ncsa_auth {d}/basic
auth_param basic children 1
auth_param basic realm {area}
acl open myportname open tls
acl users proxy_auth REQUIRED
http_access allow open
http_access allow users
http_access deny all
visible_hostname proxy.test
cache deny all
cache_mem 0
max_filedescriptors 512
shutdown_lifetime 0 seconds
pinger_enable off
pid_filename none
netdb_filename none
coredump_dir none
access_log none
cache_log {d}/log/cache.log
"""

    def __init__(self, folder, certs):
        """Not in that folder, where another user than root may not go."""
        self.temporary = tempfile.TemporaryDirectory(prefix="squid")
        super().__init__(self.temporary.name, certs)

    def close(self):
        super().close()
        self.temporary.cleanup()

    def begin(self):
        os.chmod(self.folder, 0o755)
        os.mkdir(self._path("log"))
        os.chmod(self._path("log"), 0o777)
        for name in ("pem", "key"):
            with open(self.certs.path("good." + name), "rb") as f:
                self._write("cert.pem" if name == "pem" else "key.pem", f.read())
        secret = subprocess.run(["openssl", "passwd", "-apr1", PASSWORD], check=True, capture_output=True, text=True).stdout
        self._write("basic", f"{USER}:{secret}")
        self._write("digest", digest_line())

    def commands(self):
        self.open, self.login, self.tls, self.tls_login = self.ports
        conf = self.CONF.format(d=self.folder, helpers=HELPERS, area=AREA, open=self.open, login=self.login, tls=self.tls,
                                tls_login=self.tls_login)
        yield [self.needs[0], "-N", "-f", self._write("squid.conf", conf)]


class Tinyproxy(RealServer):
    name = "tinyproxy"
    needs = ("/usr/bin/tinyproxy",)

    def commands(self):
        conf = f'Port {self.ports[0]}\nListen 127.0.0.1\nMaxClients 40\nBasicAuth {USER} {PASSWORD}\n'
        yield [self.needs[0], "-d", "-c", self._write("tinyproxy.conf", conf)]


class Microsocks(RealServer):
    name = "microsocks"
    needs = ("/usr/bin/microsocks",)

    def commands(self):
        yield [self.needs[0], "-i", "127.0.0.1", "-p", str(self.ports[0]), "-u", USER, "-P", PASSWORD]


class DigestApache(RealServer):
    """www/ and the proxy of the second port ask for Digest; what is PUT below www/ is kept, www/short/ has nonces of a
    second."""

    name = "apache"
    how_many = 2
    modules = ("mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_digest", "dav", "dav_fs", "proxy",
               "proxy_http", "proxy_connect")
    needs = ("/usr/sbin/apache2", MODULES + "/mod_auth_digest.so")

    CONF = """
ServerRoot {d}
ServerName localhost
PidFile {d}/apache.pid
ErrorLog {d}/apache.log
StartServers 1
ServerLimit 1
ThreadsPerChild 8
MaxRequestWorkers 8
KeepAlive On
KeepAliveTimeout 60
DavLockDB {d}/www/locks
DocumentRoot {d}/www
Listen 127.0.0.1:{port}
Listen 127.0.0.1:{proxy}
<Directory {d}/www>
  Dav On
  AuthType Digest
  AuthName {area}
  AuthUserFile {d}/digest
  Require valid-user
</Directory>
<Location /short>
  AuthDigestNonceLifetime 1
</Location>
<VirtualHost 127.0.0.1:{proxy}>
  ProxyRequests On
  AllowCONNECT 1-65535
  <Proxy *>
    AuthType Digest
    AuthName {area}
    AuthUserFile {d}/digest
    Require valid-user
  </Proxy>
</VirtualHost>
"""

    def begin(self):
        for name in ("www", "www/short"):
            os.mkdir(self._path(name))
            self._write(name + "/12.txt", b"hello world\n")
        self._write("digest", digest_line())

    def commands(self):
        self.port, self.proxy = self.ports
        loaded = "".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so\n" for name in self.modules)
        conf = loaded + self.CONF.format(d=self.folder, area=AREA, port=self.port, proxy=self.proxy)
        yield [self.needs[0], "-X", "-f", self._write("apache.conf", conf)]

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def read(self, name):
        with open(self._path("www/" + name), "rb") as f:
            return f.read()


SERVERS = {c.name: c for c in (Squid, Tinyproxy, Microsocks, DigestApache)}


def missing(name):
    """Says what is not there, or None."""
    lacking = [path for path in SERVERS[name].needs if not os.path.exists(path)]
    return f"{lacking[0]} is not installed" if lacking else None
