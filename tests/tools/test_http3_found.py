"""A build of everything has HTTP/3 where the machine has its libraries, and says what is missing where it has not."""
import os
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOUND = {"libngtcp2": "1.22.0", "libngtcp2_crypto_ossl": "1.22.0", "libnghttp3": "1.15.0", "openssl": "3.5.0"}
OFF = "HTTP/3 is off: needs"


def configured(tmp_path, packages, *options):
    """(CMake's text, the parts of the build) on a machine with these packages, which are no more than descriptions."""
    described = tmp_path / "pkgconfig"
    described.mkdir()
    for name, version in packages.items():
        (described / f"{name}.pc").write_text(f"Name: {name}\nDescription: {name}\nVersion: {version}\n")
    p = subprocess.run(["cmake", "-S", ROOT, "-B", str(tmp_path / "b"), "-G", "Ninja", "-DMOTE_LATE=OFF", *options],
                       env={**os.environ, "PKG_CONFIG_PATH": str(described)}, capture_output=True, text=True, timeout=600)
    assert p.returncode == 0, p.stderr
    return p.stdout, (tmp_path / "b" / "parts" / "parts.txt").read_text().split()


def test_libraries_are_there(tmp_path):
    text, parts = configured(tmp_path, FOUND)
    assert "h3" in parts and OFF not in text


@pytest.mark.parametrize("old", [pytest.param({"openssl": "3.0.17"}, id="openssl"),
                                 pytest.param({"libngtcp2": "1.11.0"}, id="ngtcp2", marks=pytest.mark.check_all)])
def test_library_is_too_old(tmp_path, old):
    text, parts = configured(tmp_path, {**FOUND, **old})
    assert "h3" not in parts and OFF in text


@pytest.mark.check_all
@pytest.mark.parametrize("options", [["-DMOTE_WITHOUT=h3"], ["-DMOTE_PROFILE=http"]], ids=["h3", "http"])
def test_not_wanted(tmp_path, options):
    text, parts = configured(tmp_path, FOUND, *options)
    assert "h3" not in parts and OFF not in text
