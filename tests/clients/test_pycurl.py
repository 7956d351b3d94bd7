"""pycurl's own test suite with Debian's pycurl, on Debian's library and on Mote: what passes there passes here."""
import glob
import os
import re
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as xml

import pytest
from conftest import OURS, ROOT

FOLDER = os.path.join(ROOT, "build", "clients")
LOCK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pycurl.lock")
LIMIT = 1200  # seconds for the suite, some of whose tests wait for a network that is not there
# tests of pycurl's own set-up program
LEFT_OUT = ["setup_test.py"]
# what passes on Debian's library alone, and why
EXPLAINED = {
    "debug_test::test_perform_get_with_debug_function": "wants a text of libcurl before 8.13: \"Connected to\"",
    "option_constants_test::test_krb4level": "Kerberos for FTP, which libcurl 8.17 has removed",
    "option_constants_test::test_krblevel": "the same",
    "option_constants_test::test_tlsauth": "TLS-SRP, of which OpenSSL says that it is obsolete",
}


def suite():
    """pycurl's sources, as pip downloads them; their version is that of Debian's package."""
    with open(LOCK, encoding="ascii") as f:
        name = re.sub("==", "-", f.read().split()[0])
    folder = os.path.join(FOLDER, name)
    if not os.path.isdir(folder):
        os.makedirs(FOLDER, exist_ok=True)
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                        "--no-build-isolation", "--require-hashes", "--no-binary=:all:", "--dest", FOLDER, "-r", LOCK],
                       check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        archive = glob.glob(os.path.join(FOLDER, name + "*.tar.gz"))
        if not archive:
            pytest.skip("pip cannot download pycurl's sources")
        with tarfile.open(archive[0]) as t:
            t.extractall(FOLDER)
        os.chown(os.path.join(folder, "tests", "vsftpd.conf"), os.getuid(), os.getgid())  # vsftpd reads no other user's
    return folder


def passes(folder, name, library):
    """The tests of the suite that pass, as FILE::NAME."""
    out = os.path.join(FOLDER, f"pycurl-on-{name}.xml")
    env = {**os.environ, "PYCURL_VSFTPD_PATH": "/usr/sbin/vsftpd", **({"LD_LIBRARY_PATH": library} if library else {})}
    what = ["tests", *(f"--ignore=tests/{name}" for name in LEFT_OUT)]
    subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={out}", *what], cwd=folder, env=env,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, timeout=LIMIT, check=False)
    return {f"{c.get('classname').split('.')[-2]}::{c.get('name')}" for c in xml.parse(out).iter("testcase")
            if c.find("failure") is None and c.find("error") is None and c.find("skipped") is None}


def test_pycurls_own_suite():
    pytest.importorskip("pycurl", reason="python3-pycurl is not installed")
    pytest.importorskip("bottle", reason="python3-bottle is not installed")
    pytest.importorskip("flaky", reason="python3-flaky is not installed")
    folder = suite()
    debian, mote = passes(folder, "debian", None), passes(folder, "mote", OURS)
    print(f"pycurl's suite: {len(debian)} pass on Debian's library, {len(mote)} on Mote")
    assert len(debian) > 350
    assert sorted(debian - mote) == sorted(EXPLAINED)
