"""Debian's curl with real FTP servers, on ours and on the newest libcurl: the same output, codes and files on both."""

import os
import subprocess

import pytest

from mote_driver import DROPIN, REPO, SANITIZED
from test_ftp_servers import ftpd, real, thorough, with_ftp  # noqa: F401 (fixtures)

NEWEST = os.path.join(REPO, "build", "oracle")
FACTS = "%{stderr}%{http_code} %{size_download} %{size_upload} %{num_connects} %{filename_effective} %{url_effective}\n"
ONE, TWO, WRONG = "{u}12.txt", "{u}a/b/c.txt", "ftp://anonymous:wrong@127.0.0.1:{port}/12.txt"

CASES = {
    "download": f"{ONE} {TWO}",
    "to_files": "-O {u}12.txt -o two {u}a/b/c.txt",
    "upload": "-T f {u}new.txt {u}a/new.txt",
    "upload_nowhere": "-T f {u}no/new.txt",
    "upload_name": "-T f {u}a/",
    "append": "-a -T f {u}12.txt",
    "resume": "-C - -o part {u}12.txt",
    "resume_nothing": "-C - -o all {u}12.txt",
    "resume_too_far": "-C 50 {u}12.txt",
    "resume_upload": "-C - -T f {u}half.txt",
    "quote": "-Q CWD\\ a -Q -DELE\\ b/c.txt -Q +NOOP {u}12.txt",
    "quote_fails": "-Q DELE\\ none {u}12.txt",
    "quote_may_fail": "-Q *DELE\\ none {u}12.txt",
    "names": "-l {u} {u}a/",
    "list": "{u} {u}a/b/",
    "list_nothing": "{u}none/",
    "glob": "-o #1_#2 {u}{{x,y}}[1-3].txt",
    "create_dirs": "--ftp-create-dirs -T f {u}p/q/new.txt",
    **{m: f"--ftp-method {m} {TWO} {ONE} {{u}}a/ -T f {{u}}a/b/n.txt" for m in ("multicwd", "nocwd", "singlecwd")},
    "active": f"-P - {ONE} {TWO} -T f {{u}}new.txt",
    "active_port": f"-P - --disable-eprt {ONE}",
    "pasv": f"--disable-epsv {ONE}",
    "tls": f"--ssl-reqd --cacert ca {ONE} {TWO} -T f {{u}}new.txt",
    "tls_list": "--ssl-reqd --cacert ca -l {u}",
    "tls_active": f"--ssl-reqd --cacert ca -P - {ONE}",
    "newer": f"-z 1999-01-01 {ONE}",
    "not_newer": f"-z 2020-01-01 {ONE}",
    "older": f"-z -2020-01-01 {ONE}",
    "head": f"-I {ONE} {{u}}a/ {{u}}none",
    "crlf": "--crlf -T lines {u}lines.txt",
    "text": "-B {u}a/b/c.txt",
    "type": "{u}12.txt;type=a {u}a;type=d",
    "range": f"-r 6- {ONE} {TWO}",
    "remote_time": "-R -O {u}12.txt",
    "missing": f"{{u}}none.txt {ONE}",
    "wrong_password": WRONG,
}


def run(folder, library, command):
    """Output, code and the files in the folder afterwards."""
    env = {"HOME": str(folder), "LC_ALL": "C", "LD_LIBRARY_PATH": library}
    p = subprocess.run(["curl", "-sS", "--max-time", "60", "-w", FACTS, *command], cwd=folder, env=env, capture_output=True)
    errors = [x for x in p.stderr.decode().splitlines() if not x.startswith(("curl: build/", "curl: /"))]
    errors = [x.split(")")[0] if x.startswith("curl: (") else x for x in errors]  # texts are our own
    files = {f.name: (f.read_bytes(), f.stat().st_mtime if "remote" in str(command) else 0) for f in folder.iterdir()}
    return p.returncode, p.stdout, errors, files


@thorough
@pytest.mark.skipif(bool(SANITIZED), reason="curl does not load the sanitizer's runtime")
@pytest.mark.parametrize("case", CASES)
def test_same_as_the_newest(ftpd, certs, tmp_path, case):  # noqa: F811
    if not os.path.exists(os.path.join(NEWEST, "libcurl.so.4")):
        pytest.skip("the newest libcurl is not there (make oracle)")
    seen = {}
    for library in DROPIN, NEWEST:
        ftpd.empty()
        data = {"12.txt": b"hello world\n", "a/b/c.txt": b"one\ntwo\n", "half.txt": b"some",
                **{f"{x}{n}.txt": b"%d" % n for x in "xy" for n in (1, 2, 3)}}
        for name, content in data.items():
            os.utime(ftpd.put(name, content), (1234567890, 1234567890))
        folder = tmp_path / os.path.basename(library)
        folder.mkdir()
        for name, content in {"f": b"something\n", "part": b"hello ", "lines": b"a\nb\n"}.items():
            (folder / name).write_bytes(content)
        with open(certs.path("ca.pem"), "rb") as ca:
            (folder / "ca").write_bytes(ca.read())
        words = [w.replace("\0", " ") for w in CASES[case].replace("\\ ", "\0").split()]
        result = run(folder, library, [w.format(u=ftpd.url(""), port=ftpd.port) for w in words])
        uploads = {os.path.join(at, n): open(os.path.join(at, n), "rb").read() for at, _, names in os.walk(ftpd.root) for n in names}
        seen[library] = (*result, uploads)
    assert seen[DROPIN] == seen[NEWEST]
