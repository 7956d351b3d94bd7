"""A real sshd of OpenSSH in a folder of its own on a free port, as the user who runs the tests, who logs in by a key."""

import base64
import hashlib
import os
import pwd
import re
import shutil
import subprocess

from real_server import RealServer

PROGRAM = shutil.which("sshd") or shutil.which("sshd", path="/usr/sbin")
KINDS = ("ecdsa", "ed25519", "rsa")

CONF = """
Port {port}
ListenAddress 127.0.0.1
{host_keys}
PidFile none
AuthorizedKeysFile "{d}/authorized"
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
Subsystem sftp internal-sftp
MaxStartups 100
HostKeyAlgorithms +ssh-rsa
PubkeyAcceptedAlgorithms +ssh-rsa
UseDNS no
"""


def version():
    """(9, 2): of OpenSSH."""
    text = subprocess.run(["ssh", "-V"], capture_output=True, text=True, check=False).stderr
    return tuple(map(int, re.match(r"OpenSSH_(\d+)\.(\d+)", text).groups()))


def penalties():
    """From 9.8 on, a server turns an address away for a while after logins that failed, and all tests have the same."""
    return "PerSourcePenalties no\n" if version() >= (9, 8) else ""


class Sshd(RealServer):
    """root: a folder of files; key: the user's; user: who runs the tests."""

    name = "sshd"
    kinds = KINDS
    more = ""

    def begin(self):
        if os.getuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        self.root = os.path.join(self.folder, "root")
        os.makedirs(self.root, exist_ok=True)
        self.user = pwd.getpwuid(os.getuid()).pw_name
        self.home = pwd.getpwuid(os.getuid()).pw_dir
        for kind in KINDS:
            self.make_key(f"host_{kind}", kind)
        self.key = self.make_key("user", "ecdsa")
        self.make_key("other", "ecdsa")
        shutil.copy(self.key + ".pub", self._path("authorized"))

    def make_key(self, name, kind, *options):
        path = self._path(name)
        subprocess.run(["ssh-keygen", "-q", "-t", kind, "-m", "PEM", *(options or ("-N", "")), "-f", path], check=True)
        return path

    def commands(self):
        host_keys = "\n".join(f'HostKey "{self._path("host_" + kind)}"' for kind in self.kinds)
        conf = CONF.format(port=self.ports[0], d=self.folder, host_keys=host_keys) + penalties() + self.more
        yield [PROGRAM, "-D", "-e", "-f", self._write("sshd.conf", conf)]

    @property
    def port(self):
        return self.ports[0]

    def url(self, path, scheme="sftp", port=None):
        """path: from the root of the files, or absolute."""
        where = path if path.startswith("/") else f"{self.root}/{path}"
        return f"{scheme}://{self.user}@127.0.0.1:{port or self.port}{where}"

    def login(self):
        return {"SSH_PRIVATE_KEYFILE": self.key, "SSH_PUBLIC_KEYFILE": self.key + ".pub"}

    # ---- keys of the host
    def public(self, kind):
        """Type and key in base 64."""
        with open(self._path(f"host_{kind}.pub")) as f:
            return f.read().split()[:2]

    def md5(self, kind):
        return hashlib.md5(base64.b64decode(self.public(kind)[1])).hexdigest()

    def sha256(self, kind):
        return base64.b64encode(hashlib.sha256(base64.b64decode(self.public(kind)[1])).digest()).decode()

    # ---- files
    def put(self, name, data, mode=0o644):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data)
        os.chmod(path, mode)
        return path

    def path(self, name):
        return os.path.join(self.root, name)

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def empty(self):
        shutil.rmtree(self.root)
        os.makedirs(self.root)
