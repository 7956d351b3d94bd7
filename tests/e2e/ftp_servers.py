"""Real FTP servers, each in a folder of its own on free ports: vsftpd, proftpd and pure-ftpd, with TLS asked for
(AUTH TLS) and from the first byte. The first two run as any user; pure-ftpd has to be started by root. The packages
of Debian exclude each other: tools/unpack_servers unpacks those of two into build/servers."""

import os
import shutil
import subprocess

from mote_driver import REPO
from real_server import RealServer

UNPACKED = os.path.join(REPO, "build", "servers")
NAMES = ("vsftpd", "proftpd", "pure-ftpd")

# What is asked for: the first server alone in `make check`.
WANTED = NAMES if os.environ.get("MOTE_FTP_SERVERS") == "all" else NAMES[:1]


def program(name):
    for folder in ("/usr/sbin", "/usr/bin", UNPACKED + "/usr/sbin", UNPACKED + "/usr/bin"):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            return path
    return None


class FtpServer(RealServer):
    """root: the folder that a client is in after its login; port, implicit: of FTP and of FTP over TLS."""

    user, password = "user", "secret"
    hosts = ["127.0.0.1"]
    facts = True       # it knows MLSD
    resumption = True  # it refuses a data connection whose TLS session is not the control connection's
    from_the_first = True  # TLS from the first byte: implicit is its port
    how_many = 2
    owner = (os.getuid(), os.getgid())

    def __init__(self, folder, certs):
        self.program = program(self.name)
        self.root = os.path.join(str(folder), "root")
        os.makedirs(self.root)
        super().__init__(folder, certs)

    def begin(self):
        with open(self.certs.path("good.key"), "rb") as key, open(self.certs.path("good.pem"), "rb") as cert:
            self.pem = self._write("server.pem", key.read() + cert.read(), 0o600)

    @property
    def port(self):
        return self.ports[0]

    @property
    def implicit(self):
        return self.ports[1]

    def awaited(self):
        return self.ports[:1 + self.from_the_first]

    # ---- files of the server, by their path from the root
    def put(self, name, data):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data)
        self._give(self.root)
        return path

    def _give(self, path):
        if self.owner != (os.getuid(), os.getgid()):
            for where, folders, files in os.walk(path):
                for name in ["."] + files:
                    os.chown(os.path.join(where, name), *self.owner)

    def read(self, name):
        with open(os.path.join(self.root, name), "rb") as f:
            return f.read()

    def exists(self, name):
        return os.path.exists(os.path.join(self.root, name))

    def empty(self):
        """Removes all files."""
        for name in os.listdir(self.root):
            path = os.path.join(self.root, name)
            if os.path.isdir(path):
                shutil.rmtree(path)
            else:
                os.remove(path)

    def url(self, path, tls=False, host="127.0.0.1", login=True):
        """tls: from the first byte."""
        host = f"[{host}]" if ":" in host else host
        who = f"{self.user}:{self.password}@" if login else ""
        return f"ftp{'s' if tls else ''}://{who}{host}:{self.implicit if tls else self.port}/{path}"


class Vsftpd(FtpServer):
    """Its users would be the system's, so it has the anonymous one alone, who needs one of two passwords."""

    name = "vsftpd"
    user = "anonymous"
    facts = False

    CONF = """
listen=YES
listen_address=127.0.0.1
listen_port={port}
background=NO
run_as_launching_user=YES
anonymous_enable=YES
local_enable=NO
anon_root={d}/root
secure_chroot_dir={d}
secure_email_list_enable=YES
email_password_file={d}/passwords
write_enable=YES
anon_upload_enable=YES
anon_mkdir_write_enable=YES
anon_other_write_enable=YES
anon_world_readable_only=NO
anon_umask=022
connect_from_port_20=NO
port_promiscuous=NO
mdtm_write=NO
ascii_download_enable=YES
ascii_upload_enable=YES
seccomp_sandbox=NO
vsftpd_log_file={d}/log
ssl_enable=YES
implicit_ssl={implicit}
allow_anon_ssl=YES
rsa_cert_file={pem}
rsa_private_key_file={pem}
require_ssl_reuse=YES
ssl_ciphers=HIGH
"""

    def begin(self):
        super().begin()
        self._write("passwords", "secret\nftp@example.com\n")

    def commands(self):
        for port, name, implicit in ((self.port, "explicit", "NO"), (self.implicit, "implicit", "YES")):
            path = self._write(name + ".conf", self.CONF.format(d=self.folder, port=port, implicit=implicit, pem=self.pem))
            yield [self.program, path]


class Proftpd(FtpServer):
    name = "proftpd"
    hosts = ["127.0.0.1", "::1"]

    CONF = """
ServerType standalone
ServerName mote
DefaultAddress 127.0.0.1
Port 0
UseIPv6 on
UseReverseDNS off
MaxInstances 30
PidFile {d}/pid
ScoreboardFile {d}/scoreboard
DelayEngine off
WtmpLog off
SystemLog {d}/log
TransferLog none
ModulePath {modules}
LoadModule mod_tls.c
{identity}
<Global>
  AuthOrder mod_auth_file.c
  AuthUserFile {d}/passwd
  RootLogin on
  UseFtpUsers off
  RequireValidShell off
  Umask 022
  AllowOverwrite on
  AllowStoreRestart on
  AllowRetrieveRestart on
  TLSEngine on
  TLSRSACertificateFile {pem}
  TLSRSACertificateKeyFile {pem}
  TLSLog {d}/tls
  <Limit SITE_CHMOD>
    AllowAll
  </Limit>
</Global>
<VirtualHost 127.0.0.1 ::1>
  Port {port}
</VirtualHost>
<VirtualHost 127.0.0.1>
  Port {implicit}
  TLSOptions UseImplicitSSL
</VirtualHost>
"""

    def begin(self):
        super().begin()
        secret = crypt(self.password)
        self._write("passwd", f"{self.user}:{secret}:{os.getuid()}:{os.getgid()}::{self.root}:/bin/sh\n", 0o600)

    def commands(self):
        import grp
        import pwd
        modules = os.path.join(os.path.dirname(os.path.dirname(self.program)), "lib", "proftpd")
        identity = f"User {pwd.getpwuid(os.getuid()).pw_name}\nGroup {grp.getgrgid(os.getgid()).gr_name}"
        conf = self._write("proftpd.conf", self.CONF.format(d=self.folder, port=self.port, implicit=self.implicit,
                                                            modules=modules, identity=identity, pem=self.pem))
        yield [self.program, "-n", "-q", "-c", conf]


class PureFtpd(FtpServer):
    """Its users are in a chroot that belongs to another user than root."""

    name = "pure-ftpd"
    resumption = from_the_first = False
    owner = (65534, 65534)

    def begin(self):
        super().begin()
        os.chown(self.root, *self.owner)
        line = f"{self.user}:{crypt(self.password)}:{self.owner[0]}:{self.owner[1]}::{self.root}/./" + ":" * 12 + "\n"
        self._write("passwd", line)
        subprocess.run([program("pure-pw"), "mkdb", self._path("users"), "-f", self._path("passwd")], check=True)

    def commands(self):
        yield [self.program, "-S", f"127.0.0.1,{self.port}", "-l", "puredb:" + self._path("users"), "-E", "-H",
               "-Y", "1", "-2", self.pem, "-u", "1", "-g", self._path("pid"), "-f", "none"]


def crypt(password):
    return subprocess.run(["openssl", "passwd", "-6", password], check=True, capture_output=True, text=True).stdout.strip()


def missing(name):
    """Says what is not there, or None."""
    if not program(name):
        return f"{name} is not installed"
    if name == "pure-ftpd" and os.getuid() != 0:
        return "pure-ftpd has to be started by root"
    return None


def start(name, folder, certs):
    return {"vsftpd": Vsftpd, "proftpd": Proftpd, "pure-ftpd": PureFtpd}[name](folder, certs)
