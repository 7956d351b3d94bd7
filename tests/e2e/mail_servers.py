"""A real dovecot in a folder of its own on free ports, as a user that is not root: IMAP, POP3 and (by its submission
service) SMTP, each plain with STARTTLS and with TLS from the first byte, with every mechanism of SASL that it has. Mail
that is submitted goes to an aiosmtpd of this process."""

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

from nginx import free_ports

PROGRAM = "/usr/sbin/dovecot"
MODULES = "/usr/lib/dovecot"
USER, PASSWORD = "user@mote.test", "secret word"
# What is asked for: one protocol alone in `make check`, where that is enough.
ALL = os.environ.get("MOTE_MAIL_SERVERS") == "all"
MECHANISMS = ("PLAIN", "LOGIN", "CRAM-MD5", "DIGEST-MD5", "SCRAM-SHA-1", "SCRAM-SHA-256", "OAUTHBEARER", "XOAUTH2")
PROTOCOLS = ("imap", "pop3", "smtp")
KEY = b"the key of tokens"

CONF = """
base_dir = {d}/run
state_dir = {d}/state
log_path = {d}/dovecot.log
protocols = imap pop3{submission}
listen = 127.0.0.1
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
first_valid_gid = 1
ssl = yes
ssl_cert = <{d}/server.pem
ssl_key = <{d}/server.key
ssl_ca = <{d}/ca.pem
ssl_dh =
ssl_verify_client_cert = {verify}
auth_ssl_username_from_cert = {verify}
auth_ssl_require_client_cert = {verify}
disable_plaintext_auth = no
auth_mechanisms = {mechanisms}
auth_failure_delay = 0
auth_username_chars =
ssl_require_crl = no
auth_gssapi_hostname = "$ALL"
auth_krb5_keytab = {d}/keytab
mail_location = maildir:~/mail
mail_log_prefix = ""
mail_max_userip_connections = 100
import_environment = KRB5_CONFIG KRB5RCACHENAME
login_trusted_networks =
submission_host = 127.0.0.1
submission_relay_host = 127.0.0.1
submission_relay_port = {relay}
submission_relay_trusted = yes
hostname = mote.test
passdb {{
  driver = oauth2
  mechanisms = oauthbearer xoauth2
  args = {d}/oauth2.conf
}}
passdb {{
  driver = passwd-file
  args = {d}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={d}/home/%u allow_all_users=yes
}}
service auth {{
  chroot =
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
service imap-login {{
  chroot =
  service_count = 0
  inet_listener imap {{
    port = {ports[imap]}
  }}
  inet_listener imaps {{
    port = {ports[imaps]}
    ssl = yes
  }}
}}
service pop3-login {{
  chroot =
  service_count = 0
  inet_listener pop3 {{
    port = {ports[pop3]}
  }}
  inet_listener pop3s {{
    port = {ports[pop3s]}
    ssl = yes
  }}
}}
"""

SUBMISSION = """
service submission-login {{
  chroot =
  service_count = 0
  inet_listener submission {{
    port = {ports[smtp]}
  }}
  inet_listener submissions {{
    port = {ports[smtps]}
    ssl = yes
  }}
}}
"""

OAUTH2 = """
introspection_mode = local
local_validation_key_dict = fs:posix:prefix={d}/keys/
username_attribute = sub
"""


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


def b64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Dovecot:
    """mechanisms: all that need no more than a password or token, unless others are named. verify: clients need a
    certificate."""

    user, password = USER, PASSWORD
    starttls = True

    def __init__(self, certs, mechanisms=MECHANISMS, realm=None, verify=False, relay=9):
        self.folder = tempfile.mkdtemp(prefix="mote-dovecot-")  # pytest's are closed to other users
        self.who = pwd.getpwuid(65534) if os.getuid() == 0 else pwd.getpwuid(os.getuid())
        self.mechanisms = mechanisms
        self.realm = realm
        for name in ("good.pem", "good.key", "ca.pem"):
            shutil.copy(certs.path(name), self._path({"good.pem": "server.pem", "good.key": "server.key"}.get(name, name)))
        self._write("users", f"{USER}:{{PLAIN}}{PASSWORD}\na client:::::::nopassword=y\n")
        self._write("oauth2.conf", OAUTH2.format(d=self.folder))
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
                          uid=self.who.pw_uid, gid=self.who.pw_gid, ports=self.ports, verify="yes" if verify else "no",
                          mechanisms=" ".join(mechanisms).lower(), relay=relay, submission=" submission")
            self._write("dovecot.conf", (CONF + SUBMISSION).format(**values))
            self._give()
            env = dict(PATH="/usr/sbin:/usr/bin:/bin", LC_ALL="C.UTF-8", KRB5RCACHENAME="none:",
                       KRB5_CONFIG=self._path("krb5.conf"))
            more = dict(user=self.who.pw_uid, group=self.who.pw_gid, extra_groups=[]) if os.getuid() == 0 else {}
            self.process = subprocess.Popen([PROGRAM, "-F", "-c", self._path("dovecot.conf")], env=env,
                                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                            stderr=open(self._path("stderr"), "wb"), cwd=self.folder, **more)
            if all(self._listens(port) for port in self.ports.values()):
                return
            said = self.log()
            self._stop()
        raise RuntimeError("dovecot did not start: " + said)

    def _path(self, name):
        return os.path.join(self.folder, name)

    def _write(self, name, text):
        with open(self._path(name), "w") as f:
            f.write(text)

    def _give(self):
        if os.getuid() == 0:
            for where, _, files in os.walk(self.folder):
                for name in ["."] + files:
                    try:
                        os.chown(os.path.join(where, name), self.who.pw_uid, self.who.pw_gid)
                    except FileNotFoundError:  # the server's own: it may be at work for an earlier client
                        pass

    def _listens(self, port):
        """Looks into the kernel's table: a connection would be a client of the server's."""
        wanted = f":{port:04X}"
        end = time.monotonic() + 30
        while time.monotonic() < end and self.process.poll() is None:
            with open("/proc/net/tcp") as f:
                if any(words[1].endswith(wanted) and words[3] == "0A" for words in map(str.split, f)):
                    return True
            time.sleep(0.02)
        return False

    def log(self):
        out = ""
        for name in ("stderr", "dovecot.log"):
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

    def _stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def close(self):
        self._stop()
        shutil.rmtree(self.folder, ignore_errors=True)


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
