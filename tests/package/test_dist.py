"""tools/dist.py: the files of a release are the same bytes for everyone."""
import json
import os
import re
import subprocess
import sys
import tarfile

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import dist  # noqa: E402

WHOLE = pytest.mark.skipif(os.environ.get("MOTE_AMALGAMATE") != "all", reason="MOTE_AMALGAMATE=all: make check-all")


def clone(path):
    subprocess.run(["git", "clone", "-q", ROOT, path], check=True)
    return path


def released(tree, out, mask, home):
    subprocess.run([sys.executable, os.path.join(tree, "tools", "dist.py"), "--out", out], check=True, umask=mask,
                   env={**os.environ, "HOME": str(home), "LC_ALL": "C", "TZ": "Asia/Tokyo" if mask else "UTC"},
                   stdout=subprocess.DEVNULL)
    return {n: (out / n).read_bytes() for n in os.listdir(out)}


@WHOLE
def test_same_bytes_from_two_folders(tmp_path):
    one = released(clone(tmp_path / "one"), tmp_path / "a", 0o022, tmp_path)
    two = released(clone(tmp_path / "some" / "other folder"), tmp_path / "b", 0o077, tmp_path / "some")
    assert one == two and len(one) == 6
    subprocess.run(["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd=tmp_path / "a", check=True)


@WHOLE
def test_a_build_of_the_archive(tmp_path):
    """It configures and compiles; no file that the build needs is missing."""
    released(clone(tmp_path / "one"), tmp_path / "a", 0o022, tmp_path)
    archive = next((tmp_path / "a").glob("*.tar.xz"))
    with tarfile.open(archive) as tar:
        tar.extractall(tmp_path / "t")
    tree = next((tmp_path / "t").iterdir())
    assert archive.name == tree.name + ".tar.xz"
    subprocess.run(["cmake", "-S", tree, "-B", tmp_path / "b", "-G", "Ninja", "-DMOTE_PROFILE=tiny", "-DMOTE_TLS=openssl"],
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", tmp_path / "b"], check=True, stdout=subprocess.DEVNULL)


def test_changed_files_are_refused(tmp_path):
    tree = clone(tmp_path / "one")
    with open(tree / "README.md", "a") as f:
        f.write("more\n")
    p = subprocess.run([sys.executable, tree / "tools" / "dist.py", "--out", tmp_path / "a"], capture_output=True, text=True)
    assert p.returncode == 1 and "README.md" in p.stderr and not (tmp_path / "a").exists()


def test_bill_of_materials():
    source = subprocess.run(["git", "-C", ROOT, "archive", "--prefix=m/", "HEAD", "LICENSE", "include"],
                            check=True, capture_output=True).stdout
    d = json.loads(dist.spdx("mote-1", "1", source, 0))
    assert d["spdxVersion"] == "SPDX-2.3" and "./LICENSE" in [f["fileName"] for f in d["files"]]
    assert {"libssl", "bearssl", "libnghttp2", "libngtcp2"} <= {p["name"] for p in d["packages"]}
    ids = [x["SPDXID"] for x in [d, *d["packages"], *d["files"]]]
    assert len(ids) == len(set(ids))
    assert {r[k] for r in d["relationships"] for k in ("spdxElementId", "relatedSpdxElement")} <= set(ids)


def test_the_notices_name_each_library_that_a_build_may_link():
    with open(os.path.join(ROOT, "NOTICES.md"), encoding="utf-8") as f:
        rows = re.findall(r"^\| (.*?) \| .*? \| (.*?) \|$", f.read(), re.M)
    named = {n: licence for names, licence in rows for n in re.findall(r"[\w-]+", re.sub(r"\(.*\)", "", names))}
    for library in dist.links():
        assert named[library].split(":")[0] == dist.LICENCES[library]


def test_the_change_log_begins_with_the_version_of_the_header():
    with open(os.path.join(ROOT, "CHANGELOG.md"), encoding="utf-8") as f:
        first = re.search(r"^## (\S+) \((unreleased|\d{4}-\d\d-\d\d)\)$", f.read(), re.M)
    with open(os.path.join(ROOT, "include", "mote", "mote.h"), encoding="utf-8") as f:
        header = f.read()
    assert first and first[1] == re.search(r'MOTE_VERSION "(.*)"', header)[1]
    assert first[1].split(".") == re.findall(r"MOTE_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)
