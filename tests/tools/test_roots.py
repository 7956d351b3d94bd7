"""tools/roots: certificates as a C source."""
import os
import re
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "tools", "roots")


def run(*cmd, code=0):
    p = subprocess.run(cmd, capture_output=True, check=False)
    assert p.returncode == code, p.stderr
    return (p.stdout + p.stderr).decode()


@pytest.fixture(scope="module")
def pems(tmp_path_factory):
    folder = tmp_path_factory.mktemp("roots")
    for name in ("a", "b"):
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
            folder / "key", "-out", folder / f"{name}.pem", "-subj", f"/CN={name}")
    return folder


def der(pem):
    return subprocess.run(["openssl", "x509", "-in", pem, "-outform", "DER"], capture_output=True, check=True).stdout


def test_each_certificate_is_there_once(pems, tmp_path):
    both = tmp_path / "both.pem"
    both.write_text((pems / "a.pem").read_text() + "text between\n" + (pems / "b.pem").read_text())
    text = run(TOOL, both, pems / "a.pem")
    numbers = re.search(r"roots\[\] = \{(.*?)\}", text, re.S).group(1)
    assert bytes(int(n) for n in numbers.split(",") if n.strip()) == der(pems / "a.pem") + der(pems / "b.pem")
    (tmp_path / "roots.c").write_text(text)
    run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I" + os.path.join(ROOT, "include"), "-c", tmp_path / "roots.c", "-o",
        tmp_path / "roots.o")


def test_what_is_no_certificate_is_refused(pems, tmp_path):
    assert "no certificate in" in run(TOOL, pems / "key", code=1)
    (tmp_path / "x.pem").write_text("-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n")
    assert "not a certificate" in run(TOOL, tmp_path / "x.pem", code=1)
    assert "usage" in run(TOOL, code=1)
