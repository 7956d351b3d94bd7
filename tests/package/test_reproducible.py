"""What is built does not depend on the folder: the same bytes in any, and no path of this machine in them."""
import os
import shutil
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILT = ("libmote.a", "libmote.so.0", "mote", "drop-in/libcurl.so.4")
# the least that has OpenSSL, whose macros have __FILE__, and the object that is inlined across files
OPTIONS = ["-DMOTE_PROFILE=tiny", "-DMOTE_TLS=openssl", "-DCMAKE_BUILD_TYPE=Release"]


def run(*cmd, **how):
    p = subprocess.run(cmd, capture_output=True, text=True, **how)
    assert p.returncode == 0, f"{' '.join(map(str, cmd))}\n{p.stdout[-4000:]}{p.stderr}"


def built_in(folder):
    """{file: its bytes} of a build of a copy of the sources in the folder."""
    for name in ("cmake", "exports", "include", "src"):
        shutil.copytree(os.path.join(ROOT, name), folder / name)
    shutil.copy(os.path.join(ROOT, "CMakeLists.txt"), folder)
    env = dict(os.environ, CMAKE_C_COMPILER_LAUNCHER="", CCACHE_DISABLE="1")
    run("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "out", *OPTIONS, env=env)
    run("cmake", "--build", folder / "out", "-j", "2", "--target", "mote_static", "mote_shared", env=env)
    return {name: (folder / "out" / name).read_bytes() for name in ("libmote.a", "libmote.so.0")}


@pytest.mark.skipif(os.environ.get("MOTE_AMALGAMATE") != "all", reason="MOTE_AMALGAMATE=all: make check-all")
def test_two_builds_in_two_folders_are_the_same(tmp_path):
    a, b = built_in(tmp_path / "a"), built_in(tmp_path / "another" / "folder")
    assert [name for name in a if a[name] != b[name]] == []


@pytest.mark.parametrize("name", BUILT)
def test_no_path_of_this_machine_is_in_it(name):
    path = os.path.join(ROOT, "build", name)
    if not os.path.exists(path):
        pytest.skip("not built")
    with open(path, "rb") as f:
        assert ROOT.encode() not in f.read()
