"""Roots of Debian to run commands in: made with debootstrap, kept, and never changed by what runs in them.

What is kept lies below the user's cache folder, ${XDG_CACHE_HOME:-~/.cache}/mote/roots, because a machine that tests
every commit does so in a new clone. All of it may be removed at any time:

  SUITE-ARCH-KEY/root         a root with PACKAGES and no more; KEY is made from all that decides what is in it
  SUITE-ARCH-KEY/names/NAME   a named root: what the commands of all its runs have changed, build/ of the tree included
  archives/SUITE-ARCH         the packages that any of them has fetched, the newest version of each
  runs/                       what runs now; the next run removes what a killed one has left

A run sees layers: the kept root, named roots, and on top a folder of its own, as one overlay. Where the kernel refuses
an overlay, the top is a copy of what lies below. It has namespaces of its own for mounts and processes: they end with
the command, and so does everything that it started or mounted, however the run ends. The network is the machine's, and
so are apt's mirror, proxies, name servers and certificate authorities. The working tree is a clone with the files as
they are now, those that git knows, in TREE.

Failure: Refused with a text for the user. Tests: tests/tools/test_root.py.
"""
import ctypes
import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VARIANT = "minbase"
PACKAGES = ("ca-certificates", "git", "make")
TREE = "/srv/mote"  # of the working tree, inside; short: sockets below it have names of at most 107 bytes
INSIDE = "MOTE_ROOT"  # environment variable of what runs inside: the suite
SCRIPTS = "/usr/share/debootstrap/scripts"
NO_UPDATES = {"sid", "unstable"}  # suites without -updates and -security
AUTHORITIES = "/usr/local/share/ca-certificates"
TARGETS = "$(CREATED_BY)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)"  # apt-get indextargets --format
PROXIES = ("http_proxy", "https_proxy", "ftp_proxy", "no_proxy")
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
LINKS = {"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2",
         "ptmx": "pts/ptmx"}
MNT_DETACH, PR_SET_PDEATHSIG = 2, 1
LIBC = ctypes.CDLL(None, use_errno=True)


class Refused(Exception):
    """The machine, or the user's rights, do not allow it."""


def folder():
    """Where the roots are kept."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(os.path.abspath(cache), "mote", "roots")


def output(*cmd, cwd=None):
    return subprocess.run(cmd, cwd=cwd, stdout=subprocess.PIPE, text=True, check=True).stdout


def why_not():
    """Why no root can be made or used on this machine, or None."""
    if os.geteuid() != 0:
        return "a root is made and mounted by root only (sudo tools/root ...)"
    if not shutil.which("unshare"):
        return "unshare is missing: package util-linux"
    done = subprocess.run(in_namespaces(["true"]), capture_output=True, text=True, check=False)
    if done.returncode:
        return "this machine allows no namespaces for mounts and processes: " + done.stderr.strip()
    return None


# --- apt's sources, as on the machine ---

def mirrors():
    """(Debian's mirror, that of its security updates) in the machine's apt configuration; None for what it lacks."""
    if not shutil.which("apt-get"):
        return None, None
    lines, found = output("apt-get", "indextargets", "--no-release-info", "--format", TARGETS).splitlines(), {}
    for kind, uri, release, component in (line.split("|") for line in lines):
        if kind != "Packages" or component != "main" or not re.match(r"https?://", uri):
            continue
        m = re.fullmatch(codenames() + r"(-security|/updates)?", release)
        if m:
            found.setdefault(bool(m.group(1)), uri.rstrip("/"))
    return found.get(False), found.get(True)


def codenames():
    """A pattern of the names that the machine's own suite may have in a line of apt's."""
    with open("/etc/os-release", encoding="utf-8") as f:
        own = re.search(r"^VERSION_CODENAME=(\w+)", f.read(), re.M)
    return "(?:" + "|".join(["stable", "oldstable", "testing", *([own.group(1)] if own else [])]) + ")"


def sources(suite, backports):
    """Lines of sources.list: Debian's mirror, or what debootstrap takes without one, is first; "" stands for that."""
    mirror, security = mirrors()
    lines = [f"deb {mirror or ''} {suite} main"]
    if mirror and suite not in NO_UPDATES:
        lines.append(f"deb {mirror} {suite}-updates main")
    if security and suite not in NO_UPDATES:
        lines.append(f"deb {security} {suite}-security main")
    if backports:
        lines.append(f"deb {mirror or ''} {suite}-backports main")
    return lines


def script_of(suite):
    """debootstrap's arguments for a suite that it has not heard of: it is newer, and made like the one in the works."""
    known = os.path.isfile(os.path.join(SCRIPTS, suite)) or not os.path.isfile(os.path.join(SCRIPTS, "sid"))
    return [] if known else [os.path.join(SCRIPTS, "sid")]


def apt_settings():
    """What the machine's apt needs to reach its mirror: proxies, and whether the mirror may be an old one."""
    if not shutil.which("apt-config"):
        return ""
    wanted = r"Acquire::(?:https?::.*Proxy.*|Check-Valid-Until|Check-Date|Retries) \"[^\"]+\";"
    return "".join(f"{x}\n" for x in output("apt-config", "dump").splitlines() if re.fullmatch(wanted, x))


def authorities():
    """{name: bytes} of the certificate authorities that the machine's owner has added: its network may need them."""
    found = {}
    for name in sorted(os.listdir(AUTHORITIES)) if os.path.isdir(AUTHORITIES) else ():
        if name.endswith(".crt"):
            with open(os.path.join(AUTHORITIES, name), "rb") as f:
                found[name] = f.read()
    return found


# --- what is kept ---

class Kept:
    """The kept root of a suite; made when it is not there. Read only."""

    def __init__(self, suite, arch=None, backports=False):
        if not re.fullmatch(r"[a-z]+", suite):
            raise Refused(f"not the name of a suite of Debian: {suite}")
        self.suite = suite
        self.arch = arch or output("dpkg", "--print-architecture").strip() if shutil.which("dpkg") else arch
        self.sources = sources(suite, backports)
        key = json.dumps([VARIANT, PACKAGES, self.sources, apt_settings(), [str(x) for x in authorities().items()]])
        name = f"{suite}-{self.arch or 'own'}"
        self.folder = os.path.join(folder(), f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:10]}")
        self.archives = os.path.join(folder(), "archives", name)
        self.root, self.lock = os.path.join(self.folder, "root"), os.path.join(self.folder, "lock")

    def make(self, renew=False):
        """Makes it where it is not there; two at a time wait for each other."""
        os.makedirs(self.folder, exist_ok=True)
        if os.path.isdir(self.root) and not renew:
            return
        with locked(self.lock):
            if renew:
                shutil.rmtree(self.root, ignore_errors=True)
                shutil.rmtree(os.path.join(self.folder, "names"), ignore_errors=True)
            if not os.path.isdir(self.root):
                self.bootstrap()

    def bootstrap(self):
        if not shutil.which("debootstrap"):
            raise Refused("debootstrap is missing: apt-get install debootstrap")
        new = os.path.join(self.folder, "new")
        shutil.rmtree(new, ignore_errors=True)
        os.makedirs(self.archives, exist_ok=True)
        print(f"root: making a root of Debian {self.suite} in {self.folder}", file=sys.stderr)
        log = os.path.join(self.folder, "debootstrap.log")
        mirror = self.sources[0].split()[1:-2]
        cmd = ["debootstrap", "--variant=" + VARIANT, "--include=" + ",".join(PACKAGES), "--cache-dir=" + self.archives,
               *(["--arch=" + self.arch] if self.arch else []), self.suite, new, *mirror,
               *(script_of(self.suite) if mirror else [])]
        with open(log, "w", encoding="utf-8") as f:
            done = subprocess.run(in_namespaces(cmd), stdin=subprocess.DEVNULL, stdout=f, stderr=f, check=False)
        if done.returncode:
            with open(log, encoding="utf-8", errors="replace") as f:
                raise Refused(f"debootstrap failed ({log}):\n" + "".join(f.readlines()[-15:]))
        self.finish(new)
        os.rename(new, self.root)

    def finish(self, new):
        """The machine's sources; names of the machine itself, which every installed Debian has; no packages."""
        made = os.path.join(new, "etc/apt/sources.list")
        with open(made, encoding="utf-8") as f:
            default = re.search(r"^deb (\S+)", f.read(), re.M).group(1)
        with open(made, "w", encoding="utf-8") as f:
            f.writelines(re.sub(r"^deb  ", f"deb {default} ", line) + "\n" for line in self.sources)
        with open(os.path.join(new, "etc/apt/apt.conf.d/90machine"), "w", encoding="utf-8") as f:
            f.write(apt_settings())
        with open(os.path.join(new, "etc/hosts"), "w", encoding="utf-8") as f:
            f.write("127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n")
        os.makedirs(new + AUTHORITIES, exist_ok=True)
        for name, data in authorities().items():
            with open(os.path.join(new + AUTHORITIES, name), "wb") as f:
                f.write(data)
        subprocess.run(["chroot", new, "update-ca-certificates"], check=True, capture_output=True)
        archives = os.path.join(new, "var/cache/apt/archives")
        for name in os.listdir(archives):
            if name.endswith(".deb"):
                os.remove(os.path.join(archives, name))

    def named(self, name):
        if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
            raise Refused(f"not a name for a root: {name}")
        return os.path.join(self.folder, "names", name)

    def forget(self, name):
        """Removes what is kept by that name, as soon as no run uses it."""
        where = self.named(name)
        os.makedirs(where, exist_ok=True)
        with locked(os.path.join(where, "lock")):
            for entry in set(os.listdir(where)) - {"lock"}:
                path = os.path.join(where, entry)
                shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)


class locked:
    """A lock of a file while the block runs: of this process alone, or shared with others that share it."""

    def __init__(self, path, how=fcntl.LOCK_EX):
        self.how, self.file = how, open(path, "a", encoding="utf-8")  # noqa: SIM115

    def __enter__(self):
        fcntl.flock(self.file, self.how)
        return self

    def __exit__(self, *_):
        self.file.close()


# --- a run ---

def in_namespaces(cmd):
    """The command with mounts and processes of its own; with it ends everything that it started."""
    return ["unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child=SIGKILL",
            "--mount-proc", *cmd]


def dies_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def overlay_is_allowed(where):
    """Whether the folder's file system carries the changes of an overlay."""
    with tempfile.TemporaryDirectory(dir=where) as d:
        for name in ("below", "diff", "work", "all"):
            os.mkdir(os.path.join(d, name))
        cmd = ["sh", "-c", "mount -t overlay overlay -o lowerdir=below,upperdir=diff,workdir=work all && : >all/file"]
        return not subprocess.run(in_namespaces(cmd), cwd=d, capture_output=True, check=False).returncode


class Run:
    """A root to run commands in; what they change is there for the next command of the same run, and gone after it.

    kept    what lies at the bottom
    on      named roots, from the bottom up, or another run: what has changed there lies below, and must not change now
    keep    the name under which what the commands change stays
    tree    the working tree is to be put into TREE
    binds   (folder of the machine, folder inside)
    """

    def __init__(self, kept, on=(), keep=None, tree=True, binds=()):
        self.kept, self.tree, self.binds, self.locks = kept, tree, list(binds), []
        self.cwd = TREE if tree or isinstance(on, Run) and on.cwd == TREE else "/"
        runs = os.path.join(folder(), "runs")
        os.makedirs(runs, exist_ok=True)
        with locked(os.path.join(folder(), "lock")):
            remove_left_over(runs)
            self.folder = tempfile.mkdtemp(dir=runs)
            self.lock(os.path.join(self.folder, "lock"), fcntl.LOCK_EX)
        self.lock(kept.lock, fcntl.LOCK_SH)
        self.overlay = overlay_is_allowed(self.folder)
        self.layers = list(on.layers) if isinstance(on, Run) else [kept.root, *(self.below(name) for name in on)]
        self.layers.append(self.top(keep))
        self.env = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root",
                    "USER": "root", "LANG": "C.UTF-8", "TERM": os.environ.get("TERM", "dumb"), INSIDE: kept.suite}
        self.env.update({k: v for k, v in os.environ.items() if k.lower() in PROXIES})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if not os.path.exists(os.path.join(self.folder, "root")):
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        for lock in self.locks:
            lock.close()

    def lock(self, path, how):
        f = open(path, "a", encoding="utf-8")  # noqa: SIM115: closed with the run
        self.locks.append(f)
        fcntl.flock(f, how)

    def below(self, name):
        where = self.kept.named(name)
        if not os.path.isdir(os.path.join(where, self.kind())):
            raise Refused(f"no root is kept by the name {name}: tools/root --keep {name} {self.kept.suite} COMMAND")
        self.lock(os.path.join(where, "lock"), fcntl.LOCK_SH)
        return os.path.join(where, self.kind())

    def kind(self):
        return "diff" if self.overlay else "copy"

    def top(self, keep):
        """The folder that takes what the commands change."""
        for name in ("root", "archives"):
            os.mkdir(os.path.join(self.folder, name))
        where = self.folder
        if keep:
            where = self.kept.named(keep)
            os.makedirs(where, exist_ok=True)
            self.lock(os.path.join(where, "lock"), fcntl.LOCK_EX)
        top = os.path.join(where, self.kind())
        if self.overlay:
            os.makedirs(top, exist_ok=True)
        elif not os.path.isdir(top):
            subprocess.run(["cp", "-a", "--reflink=auto", self.layers[-1], top], check=True)
        self.work = os.path.join(where, "work")
        return top

    def start(self, cmd, cwd=None, **popen):
        """A process that runs the command inside; cwd: TREE where there is one. Its status is the command's."""
        spec = {"layers": self.layers, "overlay": self.overlay, "work": self.work, "folder": self.folder,
                "tree": self.tree, "binds": self.binds, "env": self.env, "cmd": list(cmd),
                "passing": self.layers[-1].startswith(self.folder), "cwd": cwd or self.cwd}
        self.link_archives()
        if self.overlay:  # one that was mounted as volatile is refused the second time
            shutil.rmtree(self.work, ignore_errors=True)
            os.makedirs(self.work)
        return subprocess.Popen(in_namespaces([sys.executable, os.path.abspath(__file__), json.dumps(spec)]),
                                preexec_fn=dies_with_parent, **popen)

    def command(self, cmd, cwd=None, **popen):
        """(exit status, output where stdout=PIPE) of a command; nothing of it is left when this is interrupted."""
        p = self.start(cmd, cwd, **popen)
        try:
            text = p.communicate()[0]
        except BaseException:
            p.kill()
            p.wait()
            raise
        finally:
            self.keep_archives()
        self.tree = False
        return p.returncode, text

    def link_archives(self):
        """apt locks its folder of packages: each run has one of its own, of links to what is there already."""
        os.makedirs(self.kept.archives, exist_ok=True)
        own = os.path.join(self.folder, "archives")
        for name in os.listdir(self.kept.archives):
            if name.endswith(".deb") and not os.path.exists(os.path.join(own, name)):
                try:
                    os.link(os.path.join(self.kept.archives, name), os.path.join(own, name))
                except OSError:  # another run has replaced it by a newer version
                    pass

    def keep_archives(self):
        """Puts what has been fetched with the rest; an older version of the same package goes."""
        own, there = os.path.join(self.folder, "archives"), set(os.listdir(self.kept.archives))
        for name in set(os.listdir(own)) - there:
            if not name.endswith(".deb"):
                continue
            for old in there:
                if old.split("_")[0] == name.split("_")[0]:
                    remove_if_there(os.path.join(self.kept.archives, old))
            try:
                os.link(os.path.join(own, name), os.path.join(self.kept.archives, name))
            except FileExistsError:
                pass


def remove_if_there(path):
    try:
        os.remove(path)
    except FileNotFoundError:
        pass


def remove_left_over(runs):
    """What a run has left that was killed: its lock is free."""
    for name in os.listdir(runs):
        path = os.path.join(runs, name, "lock")
        try:
            with open(path, encoding="utf-8") as f:
                fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(os.path.join(runs, name), ignore_errors=True)
        except OSError:  # in use
            pass


# --- inside the namespaces ---

def mount(*arguments):
    subprocess.run(["mount", *arguments], check=True)


def mount_layers(spec, at):
    """The layers as one, at that folder. What passes with the run need not reach the disk."""
    *below, top = spec["layers"]
    if not spec["overlay"]:
        mount("--bind", top, at)
        return
    options = f"lowerdir={':'.join(reversed(below))},upperdir={top},workdir={spec['work']}"
    quick = options + ",volatile"
    if not spec["passing"] or subprocess.run(["mount", "-t", "overlay", "overlay", "-o", quick, at], check=False,
                                             capture_output=True).returncode:
        mount("-t", "overlay", "overlay", "-o", options, at)


def mount_system(at):
    """/proc, /sys and a /dev with what a program may expect there."""
    mount("-t", "proc", "proc", at + "/proc")
    subprocess.run(["mount", "-t", "sysfs", "-o", "ro", "sysfs", at + "/sys"], check=False, capture_output=True)
    mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", at + "/dev")
    for name in DEVICES:
        with open(f"{at}/dev/{name}", "w", encoding="utf-8"):
            pass
        mount("--bind", "/dev/" + name, f"{at}/dev/{name}")
    for name, target in LINKS.items():
        os.symlink(target, f"{at}/dev/{name}")
    for name in ("pts", "shm"):
        os.mkdir(f"{at}/dev/{name}")
    mount("-t", "devpts", "-o", "newinstance,ptmxmode=0666,mode=620", "devpts", at + "/dev/pts")
    mount("-t", "tmpfs", "-o", "mode=1777", "tmpfs", at + "/dev/shm")


def mount_binds(spec, at):
    for outside, inside in [*spec["binds"], (spec["folder"] + "/archives", "/var/cache/apt/archives")]:
        os.makedirs(at + inside, exist_ok=True)
        mount("--bind", outside, at + inside)


def use_names_of_machine(at):
    """The name servers of this moment."""
    with open("/etc/resolv.conf", "rb") as f:
        names = f.read()
    remove_if_there(at + "/etc/resolv.conf")
    with open(at + "/etc/resolv.conf", "wb") as f:
        f.write(names)


def put_tree(at):
    """The working tree, without build/ of the machine; build/ of a run before this one stays."""
    os.makedirs(at, exist_ok=True)
    for name in set(os.listdir(at)) - {"build"}:
        path = os.path.join(at, name)
        shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.remove(path)
    if not os.path.exists(os.path.join(ROOT, ".git")):
        shutil.copytree(ROOT, at, symlinks=True, dirs_exist_ok=True,
                        ignore=lambda where, _: {"build"} if where == ROOT else set())
        return
    with tempfile.TemporaryDirectory(dir=os.path.dirname(at)) as d:
        output("git", "clone", "-q", "--no-checkout", ROOT, d + "/clone")
        os.rename(d + "/clone/.git", at + "/.git")
    for name in output("git", "ls-files", "-z", cwd=ROOT).split("\0"):
        source, target = os.path.join(ROOT, name), os.path.join(at, name)
        if name and os.path.lexists(source):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    output("git", "add", "-A", cwd=at)


def enter(at):
    """The machine's files are gone after this."""
    os.chdir(at)
    subprocess.run(["pivot_root", ".", "mnt"], check=True)
    os.chroot(".")
    if LIBC.umount2(b"/mnt", MNT_DETACH):
        raise OSError(ctypes.get_errno(), "umount2")


def run_inside(spec):
    """Process 1: it waits for the command, and for what loses its parent meanwhile; returns the command's status."""
    at = spec["folder"] + "/root"
    mount_layers(spec, at)
    if spec["tree"]:
        put_tree(at + TREE)
    use_names_of_machine(at)
    mount_system(at)
    mount_binds(spec, at)
    enter(at)
    sys.stdout.flush()
    child = os.fork()
    if not child:
        try:
            os.chdir(spec["cwd"])
            os.execvpe(spec["cmd"][0], spec["cmd"], spec["env"])
        except OSError as e:
            os.write(2, f"root: {spec['cmd'][0]}: {e.strerror}\n".encode())
            os._exit(127)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        pid, status = os.wait()
        if pid == child:
            status = os.waitstatus_to_exitcode(status)
            return status if status >= 0 else 128 - status


if __name__ == "__main__":
    os.umask(0o022)
    os._exit(run_inside(json.loads(sys.argv[1])))
