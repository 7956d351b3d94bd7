"""A real dovecot in a folder of its own on free ports, as a user that is not root: IMAP, POP3 and (by its submission
service) SMTP, each plain with STARTTLS and with TLS from the first byte, with every mechanism of SASL that it has. Mail
that is submitted goes to an aiosmtpd of this process. A real postfix too, which takes commands ahead (PIPELINING); it has
to be started by root, and is what tools/unpack_servers has unpacked."""

import base64
import grp
import hashlib
import hmac
import json
import os
import pwd
import shutil
import subprocess
import tempfile
import time

import dovecot_conf
from ftp_servers import UNPACKED
from nginx import free_ports
from real_server import RealServer

PROGRAM = "/usr/sbin/dovecot"
MODULES = "/usr/lib/dovecot"
USER, PASSWORD = "user@mote.test", "secret word"
# What is asked for: one protocol alone in `make check`, where that is enough.
ALL = os.environ.get("MOTE_MAIL_SERVERS") == "all"
MECHANISMS = ("PLAIN", "LOGIN", "CRAM-MD5", "DIGEST-MD5", "SCRAM-SHA-1", "SCRAM-SHA-256", "OAUTHBEARER", "XOAUTH2")
PROTOCOLS = ("imap", "pop3", "smtp")
KEY = b"the key of tokens"


def missing():
    """Says what is not installed, or None."""
    for name in (PROGRAM, f"{MODULES}/imap", f"{MODULES}/pop3", f"{MODULES}/submission"):
        if not os.path.exists(name):
            return f"{name} is not installed"
    try:
        import aiosmtpd  # noqa: F401
    except ImportError:
        return "python3-aiosmtpd is not installed"
    return None


class MailServer(RealServer):
    """A program that is started by _start(), and what it says."""

    logs = ()

    def __init__(self, kind):
        self.folder = tempfile.mkdtemp(prefix=f"mote-{kind}-")  # pytest's are closed to other users

    def _keys(self, certs):
        for name, to in (("good.pem", "server.pem"), ("good.key", "server.key"), ("ca.pem", "ca.pem")):
            shutil.copy(certs.path(name), self._path(to))

    def _start(self, command, env, ports, **more):
        """False: it has ended."""
        with open(self._path("stderr"), "wb") as errors:
            process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=errors, cwd=self.folder, **more)
        self.processes = [process]
        return all(self._listens(process, port) for port in ports)

    def log(self):
        out = ""
        for name in ("stderr", *self.logs):
            if os.path.exists(self._path(name)):
                out += open(self._path(name)).read()
        return out

    def says(self, text, since=0):
        """Waits for a text in what is logged after so many characters: it comes through a process of its own."""
        end = time.monotonic() + 20
        while text not in self.log()[since:]:
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True

    def close(self):
        super().close()
        shutil.rmtree(self.folder, ignore_errors=True)


def b64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Dovecot(MailServer):
    """mechanisms: all that need no more than a password or token, unless others are named. verify: clients need a
    certificate."""

    user, password = USER, PASSWORD
    starttls = True
    logs = ("dovecot.log",)

    def __init__(self, certs, mechanisms=MECHANISMS, realm=None, verify=False, relay=9):
        super().__init__("dovecot")
        self.who = pwd.getpwuid(65534) if os.getuid() == 0 else pwd.getpwuid(os.getuid())
        self.version = dovecot_conf.version(PROGRAM)
        self.mechanisms = mechanisms
        self.realm = realm
        self._keys(certs)
        self._write("users", f"{USER}:{{PLAIN}}{PASSWORD}\na client:::::::nopassword=y\n")
        os.makedirs(self._path("keys/default/HS256"))
        self._write("keys/default/HS256/default", base64.b64encode(KEY).decode())
        if realm:
            shutil.copy(realm._path("keytab"), self._path("keytab"))
            shutil.copy(realm._path("krb5.conf"), self._path("krb5.conf"))
        os.makedirs(self._path("home"))
        for attempt in range(5):
            names = [p + s for p in PROTOCOLS for s in ("", "s")]
            self.ports = dict(zip(names, free_ports(len(names))))
            values = dict(d=self.folder, user=self.who.pw_name, group=grp.getgrgid(self.who.pw_gid).gr_name,
                          uid=self.who.pw_uid, gid=self.who.pw_gid, verify="yes" if verify else "no",
                          mechanisms=" ".join(mechanisms).lower(), relay=relay)
            for name, text in dovecot_conf.files(self.version, self._logins(), **values).items():
                self._write(name, text)
            self._give()
            env = dict(PATH="/usr/sbin:/usr/bin:/bin", LC_ALL="C.UTF-8", KRB5RCACHENAME="none:",
                       KRB5_CONFIG=self._path("krb5.conf"))
            more = dict(user=self.who.pw_uid, group=self.who.pw_gid, extra_groups=[]) if os.getuid() == 0 else {}
            if self._start([PROGRAM, "-F", "-c", self._path("dovecot.conf")], env, self.ports.values(), **more):
                return
            said = self.log()
            super().close()
        raise RuntimeError("dovecot did not start: " + said)

    def _logins(self):
        services = {"imap": "imap", "pop3": "pop3", "submission": "smtp"}
        return [(name, self.ports[p], self.ports[p + "s"]) for name, p in services.items()]

    def _give(self):
        if os.getuid() == 0:
            for where, _, files in os.walk(self.folder):
                for name in ["."] + files:
                    try:
                        os.chown(os.path.join(where, name), self.who.pw_uid, self.who.pw_gid)
                    except FileNotFoundError:  # the server's own: it may be at work for an earlier client
                        pass

    def says_login(self, user, mechanism, since=0):
        """Waits for what is logged of a login."""
        word = dovecot_conf.LOGIN_WORD[self.version >= dovecot_conf.NEW_FORMAT]
        return self.says(f"login: Info: {word}: user=<{user}>, method={mechanism}", since)

    def url(self, protocol, path="", tls=False):
        """tls: from the first byte. Without a user."""
        name = protocol + ("s" if tls else "")
        return f"{name}://localhost:{self.ports[name]}/{path}"

    def token(self, user=USER, key=KEY):
        """A token for the user, a JWT (RFC 7519)."""
        head = b64url(json.dumps(dict(alg="HS256", typ="JWT")).encode())
        body = b64url(json.dumps(dict(sub=user, iat=int(time.time()) - 10, exp=int(time.time()) + 3600)).encode())
        text = f"{head}.{body}"
        return text + "." + b64url(hmac.new(key, text.encode(), hashlib.sha256).digest())

    def deliver(self, *mails, user=USER):
        """Puts mails into the user's inbox."""
        folder = self._path(f"home/{user}/mail")
        for name in ("cur", "new", "tmp"):
            os.makedirs(os.path.join(folder, name), exist_ok=True)
        for i, mail in enumerate(mails):
            with open(os.path.join(folder, "new", f"{time.time_ns()}.{i}.mote"), "wb") as f:
                f.write(mail)
        self._give()

    def empty(self):
        """Removes all mail."""
        shutil.rmtree(self._path("home"), ignore_errors=True)
        os.makedirs(self._path("home"))
        self._give()


class Relay:
    """Takes mail, and keeps it: (sender, recipients, text)."""

    def __init__(self):
        from aiosmtpd.controller import Controller
        self.mails = []
        self.controller = Controller(self, hostname="127.0.0.1", port=free_ports(1)[0])
        self.controller.start()
        self.port = self.controller.port

    async def handle_DATA(self, server, session, envelope):
        self.mails.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        return "250 kept"

    def close(self):
        self.controller.stop()


POSTFIX = UNPACKED + "/usr/sbin/postconf"

MAIN = """
compatibility_level = 3.6
queue_directory = {d}/spool
data_directory = {d}/data
meta_directory = {d}
command_directory = {u}/usr/sbin
daemon_directory = {u}/usr/lib/postfix/sbin
shlib_directory = {u}/usr/lib/postfix
sendmail_path = /bin/false
mailq_path = /bin/false
newaliases_path = /bin/false
mail_owner = {owner}
setgid_group = mail
default_privs = daemon
import_environment = LD_LIBRARY_PATH MAIL_CONFIG
export_environment =
maillog_file = {d}/log
maillog_file_prefixes = {d}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mote.test
mydestination =
alias_maps =
alias_database =
virtual_mailbox_domains = mote.test
virtual_mailbox_base = {d}/mail
virtual_mailbox_maps = regexp:{d}/boxes
virtual_uid_maps = static:1
virtual_gid_maps = static:1
virtual_minimum_uid = 1
smtpd_recipient_restrictions = reject_unauth_destination
smtpd_error_sleep_time = 0
smtpd_tls_security_level = may
smtpd_tls_cert_file = {d}/server.pem
smtpd_tls_key_file = {d}/server.key
message_size_limit = 3000000
"""

MASTER = """
127.0.0.1:{ports[0]} inet n - n - - smtpd
127.0.0.1:{ports[1]} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
127.0.0.1:{ports[2]} inet n - n - - smtpd -o smtpd_discard_ehlo_keywords=pipelining,size
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
virtual unix - n n - - virtual
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
"""


def no_postfix():
    """Says what is missing, or None."""
    if not os.path.exists(POSTFIX):
        return "postfix is not unpacked (tools/unpack_servers)"
    return None if os.getuid() == 0 else "postfix has to be started by root"


class Postfix(MailServer):
    """Takes mail for boxes of mote.test whose names are lower-case words, and keeps it."""

    logs = ("log",)
    FOLDERS = ("active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming", "private", "saved", "trace")

    def __init__(self, certs):
        super().__init__("postfix")
        who, group = pwd.getpwuid(65534), grp.getgrnam("mail").gr_gid
        owner = who.pw_uid
        os.chmod(self.folder, 0o755)
        for name in ("spool", "data", "mail", *("spool/" + f for f in self.FOLDERS), "spool/public", "spool/maildrop", "spool/pid"):
            os.mkdir(self._path(name), 0o755 if name in ("spool", "mail", "spool/pid") else 0o700)
        for name in ("data", *("spool/" + f for f in self.FOLDERS)):
            os.chown(self._path(name), owner, -1)
        for name, mode in (("public", 0o710), ("maildrop", 0o730)):
            os.chown(self._path("spool/" + name), owner, group)
            os.chmod(self._path("spool/" + name), mode)
        os.chown(self._path("mail"), 1, 1)
        self._keys(certs)
        self._write("boxes", "/^([a-z]+)@mote\\.test$/ box/\n")
        env = dict(PATH="/usr/sbin:/usr/bin:/bin", LC_ALL="C", MAIL_CONFIG=self.folder, LD_LIBRARY_PATH=UNPACKED + "/usr/lib/postfix")
        for attempt in range(5):
            self.ports = free_ports(3)
            self._write("main.cf", MAIN.format(d=self.folder, u=UNPACKED, owner=who.pw_name))
            self._write("master.cf", MASTER.format(ports=self.ports))
            if self._start([UNPACKED + "/usr/lib/postfix/sbin/master", "-d", "-c", self.folder], env, self.ports):
                return
            said = self.log()
            super().close()
        raise RuntimeError("postfix did not start: " + said)

    def url(self, kind="ahead", path="client.test"):
        """kind: ahead, tls (from the first byte), or plain: without PIPELINING."""
        return f"smtp{'s' * (kind == 'tls')}://localhost:{self.ports[('ahead', 'tls', 'plain').index(kind)]}/{path}"

    def mails(self, box, count=1):
        """The mails for a recipient, when there are so many: delivery is a matter of processes of its own."""
        folder = self._path("mail/box/new")
        mark = f"Delivered-To: {box}@mote.test\n".encode()
        end = time.monotonic() + 20
        while True:
            mails = [self._read(os.path.join(folder, name)) for name in os.listdir(folder)] if os.path.isdir(folder) else []
            mails = [text for text in mails if mark in text]
            if len(mails) >= count or time.monotonic() > end:
                return mails
            time.sleep(0.02)

    @staticmethod
    def _read(path):
        with open(path, "rb") as f:
            return f.read()

    def empty(self):
        shutil.rmtree(self._path("mail"), ignore_errors=True)
        os.mkdir(self._path("mail"))
        os.chown(self._path("mail"), 1, 1)
