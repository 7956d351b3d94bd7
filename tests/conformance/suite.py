"""libcurl's own test suite, as Debian's source package carries it: fetched, built, and laid out for running.

The package's upstream archive is used without Debian's patches, so that the ledger does not move with a security
update. configure and make build the suite's servers, its test programs and its command; no program of ours opens the
library's or the command's sources.
"""
import glob
import itertools
import os
import pwd
import shutil
import stat
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
from devices import base, sources  # noqa: E402

OUT = os.path.join(ROOT, "build", "conformance")
VERSION = "7.88.1"
# What the suite's own library has does not matter, it is swapped; its test programs are the same in every build.
CONFIGURE = """--quiet --enable-shared --disable-static --disable-ldap --disable-manual --with-openssl --with-zlib
  --without-libpsl --without-brotli --without-zstd --without-nghttp2 --without-ngtcp2 --without-libssh2
  --without-libidn2 --without-librtmp --without-gssapi --without-zsh-functions-dir""".split()
# The locale that the suite's tests name, which a machine need not have, and one that every Debian has.
LOCALES = ("en_US.UTF-8", "C.UTF-8")
# Seconds that one command or test program may take. The suite's longest tests of HTTP sleep for five.
LIMIT = 40
# The suite's runner shows only three tests of those that it leaves out for one reason.
FEW_SKIPS = "if($skipped{$why} <= 3)"

# A test's program: the library of this kind of run, and a time limit. Only the program sees the swapped library, not
# the suite's servers and scripts.
WRAPPER = """#!/bin/sh
exec timeout --foreground -k 2 {limit} env LD_LIBRARY_PATH='{library}' '{folder}'/"${{0##*/}}" "$@"
"""


# An sshd that an ordinary user starts serves this user alone, whom it refuses as locked or without a shell if the
# system says so. libnss-wrapper gives it a list of users in which they have one.
NSS_WRAPPER = "/usr/lib/*/libnss_wrapper.so"
SSHD = """#!/bin/sh
exec env LD_PRELOAD={wrapper} NSS_WRAPPER_PASSWD={passwd} NSS_WRAPPER_GROUP=/etc/group /usr/sbin/sshd "$@"
"""


def fetch():
    """The suite's sources, unpacked into build/conformance/source."""
    target = os.path.join(OUT, "source")
    if os.path.isdir(target):
        return target
    print(f"conformance: fetching the source package of curl {VERSION}")
    os.makedirs(OUT, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=OUT) as folder:
        tars = [t for t in sources.download("curl", folder) if not t.endswith(".asc")]
        if len(tars) != 1 or VERSION not in tars[0]:
            sys.exit(f"conformance: the package sources have {[os.path.basename(t) for t in tars]}, "
                     f"not curl {VERSION} (Debian 12)")
        unpacked = os.path.join(folder, "unpacked")
        os.mkdir(unpacked)
        base.run(["tar", "xf", tars[0], "-C", unpacked, "--strip-components=1"])
        os.rename(unpacked, target)
    return target


def build(jobs):
    """The suite built in build/conformance/built; its tests folder."""
    target, stamp = os.path.join(OUT, "built"), os.path.join(OUT, "built.stamp")
    wanted = " ".join([VERSION, *CONFIGURE])
    if os.path.exists(stamp) and open(stamp, encoding="utf-8").read() == wanted:
        return os.path.join(target, "tests")
    source = fetch()
    print("conformance: building the suite's servers and test programs")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, symlinks=True)
    base.run(["./configure", *CONFIGURE], cwd=target)
    base.run(["make", f"-j{jobs}"], cwd=target)
    for folder in ("server", "libtest"):
        base.run(["make", f"-j{jobs}", "-C", f"tests/{folder}", "check", "TESTS="], cwd=target)
    with open(stamp, "w", encoding="utf-8") as f:
        f.write(wanted)
    return os.path.join(target, "tests")


def write(path, text, executable=False):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    if executable:
        os.chmod(path, 0o755)


def readable(folder):
    """Everything in it may be read by everyone, whatever umask it was made with."""
    for path, folders, files in os.walk(folder):
        for name in [".", *folders, *files]:
            full = os.path.join(path, name)
            if not os.path.islink(full):
                mode = os.stat(full).st_mode
                os.chmod(full, mode | 0o444 | (0o111 if mode & 0o111 or stat.S_ISDIR(mode) else 0))


def change_locale(folder):
    """The tests ask for a locale of UTF-8 that is there."""
    for path in glob.glob(os.path.join(folder, "test*")):
        with open(path, "rb") as f:
            text = f.read()
        if LOCALES[0].encode() in text:
            with open(path, "wb") as f:
                f.write(text.replace(*(name.encode() for name in LOCALES)))


class Stage:
    """What all runs share, in a short path outside the tree that an ordinary user may read.

    libraries: kind of run -> folder with its libcurl.so.4; commands: kind of run -> the command's file."""

    def __init__(self, libraries, commands, lacking):
        self.root = tempfile.mkdtemp(prefix="conformance-", dir="/tmp")
        self.copies = itertools.count(1)
        built = os.path.join(OUT, "built")
        tests = os.path.join(self.root, "tests")
        shutil.copytree(os.path.join(built, "tests"), tests, symlinks=True,
                        ignore=shutil.ignore_patterns("*.o", "*.c", "*.h", "unit", "libtest", "Makefile*", "log"))
        shutil.copy(os.path.join(built, "tests", "data", "Makefile.inc"), os.path.join(tests, "data"))
        shutil.copytree(os.path.join(built, "tests", "libtest", ".libs"), os.path.join(self.root, "programs"))
        shutil.copy(os.path.join(built, "src", ".libs", "curl"), os.path.join(self.root, "programs", "curl"))
        self.patch(os.path.join(tests, "runtests.pl"))
        change_locale(os.path.join(tests, "data"))
        names = "".join(f"echo {name}\n" for name in lacking)
        write(os.path.join(tests, "server", "disabled"), "#!/bin/sh\n" + names, True)
        for kind, library in libraries.items():
            self.add_kind(kind, library, commands.get(kind))
        self.add_sshd()
        write(os.path.join(self.root, "verify"), "#!/bin/sh\nexec /usr/bin/curl -q \"$@\"\n", True)
        shutil.copy(os.path.join(built, "curl-config"), self.root)
        os.mkdir(os.path.join(self.root, "lib"))
        write(os.path.join(self.root, "lib", "curl_config.h"), "#define HAVE_GETRLIMIT 1\n")
        readable(self.root)

    def add_sshd(self):
        """A folder for PATH, in which the suite's scripts find sshd."""
        folder = os.path.join(self.root, "bin")
        os.mkdir(folder)
        found = glob.glob(NSS_WRAPPER)
        if not found:
            return
        users = [f"{u.pw_name}:x:{u.pw_uid}:{u.pw_gid}::/tmp:/bin/sh\n" for u in pwd.getpwall()]
        write(os.path.join(folder, "passwd"), "".join(users))
        write(os.path.join(folder, "sshd"), SSHD.format(wrapper=found[0], passwd=f"{folder}/passwd"), True)

    @staticmethod
    def patch(path):
        """The suite's runner shows every test that it leaves out."""
        with open(path, encoding="latin-1") as f:
            text = f.read()
        if FEW_SKIPS not in text:
            sys.exit("conformance: the suite's runner is not the one that is known")
        text = text.replace(FEW_SKIPS, "if(1)")
        write(path, text)
        os.chmod(path, 0o755)

    def add_kind(self, kind, library, command):
        """The wrappers of one kind of run: its command and every test program."""
        programs = os.path.join(self.root, "programs")
        folder = os.path.join(self.root, kind)
        os.makedirs(os.path.join(folder, "libtest"))
        place = os.path.join(folder, "library")
        os.mkdir(place)
        for path in glob.glob(os.path.join(library, "*.so*")):
            shutil.copy(path, place)  # of a link what it means
        if command:
            programs = os.path.join(folder, "programs")
            os.mkdir(programs)
            shutil.copy(command, os.path.join(programs, "curl"))
        write(os.path.join(folder, "curl"), WRAPPER.format(limit=LIMIT, library=place, folder=programs), True)
        programs = os.path.join(self.root, "programs")
        wrapper = os.path.join(folder, "libtest", ".wrapper")
        write(wrapper, WRAPPER.format(limit=LIMIT, library=place, folder=programs), True)
        for name in os.listdir(programs):
            if name.startswith("lib") and "." not in name:
                os.symlink(".wrapper", os.path.join(folder, "libtest", name))
        for name in ("chkhostname", "chkdecimalpoint"):
            shutil.copy(os.path.join(OUT, "built", "tests", "libtest", name), os.path.join(folder, "libtest"))
        os.symlink(programs, os.path.join(folder, "libtest", ".libs"))
        for path in glob.glob(os.path.join(OUT, "built", "tests", "libtest", "*.pl")):
            shutil.copy(path, os.path.join(folder, "libtest"))

    def copy(self, kind, user):
        """A folder in which the suite's runner works for itself, with logs and servers of its own; and
        the copy's number."""
        number = next(self.copies)
        base = os.path.join(self.root, f"copy{number}")
        place = os.path.join(base, "tests")
        os.makedirs(os.path.join(place, "log"))
        for name in os.listdir(os.path.join(self.root, "tests")):
            if name != "libtest":
                os.symlink(os.path.join(self.root, "tests", name), os.path.join(place, name))
        os.symlink(os.path.join(self.root, kind, "libtest"), os.path.join(place, "libtest"))
        for name in ("curl-config", "lib"):
            os.symlink(os.path.join(self.root, name), os.path.join(base, name))
        if user:
            for folder in (base, place, os.path.join(place, "log")):
                os.chown(folder, *user)
        return place, number

    def remove(self):
        shutil.rmtree(self.root, ignore_errors=True)
