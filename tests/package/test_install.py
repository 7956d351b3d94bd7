"""What make install leaves is enough for another project: by CMake, by pkg-config, with either library."""
import os
import re
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build", "release")
PROGRAM = """#include <curl/curl.h>
#include <mote/mote.h>
#include <stdio.h>
int main(void)
{
  CURL *e = curl_easy_init();
  CURLcode rc = e ? mote_easy_limit(e, 100000) : CURLE_FAILED_INIT;
  curl_easy_cleanup(e);
  printf("%d %s %s\\n", (int)rc, mote_version(), curl_version());
  return 0;
}
"""
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES C)
find_package(mote REQUIRED {components})
add_executable(app app.c)
target_link_libraries(app PRIVATE {target})
"""


# the development files of Debian's libcurl
SYSTEM = subprocess.run(["pkg-config", "--exists", "libcurl"], check=False).returncode == 0


def run(*cmd, **how):
    p = subprocess.run(cmd, capture_output=True, text=True, **how)
    assert p.returncode == 0, f"{' '.join(map(str, cmd))}\n{p.stdout}{p.stderr}"
    return p.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    where = tmp_path_factory.mktemp("installed")
    run("cmake", "--install", BUILD, "--prefix", where)
    return where


@pytest.fixture
def app(tmp_path):
    (tmp_path / "app.c").write_text(PROGRAM)
    return tmp_path


def libdir(prefix):
    return next(str(p.parent) for p in prefix.rglob("libmote.so"))


def check_output(text):
    rc, version, long_version = text.strip().split(" ", 2)
    assert rc == "0" and long_version.startswith(f"libcurl/8.23.0 Mote/{version} OpenSSL/")


@pytest.mark.parametrize("components, target, shared", [
    ("", "mote::mote", True),
    ("COMPONENTS static", "mote::static", False),
    ("COMPONENTS curl", "CURL::libcurl", True),
])
def test_cmake(prefix, app, components, target, shared):
    (app / "CMakeLists.txt").write_text(PROJECT.format(components=components, target=target))
    run("cmake", "-S", app, "-B", app / "b", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", app / "b")
    check_output(run(app / "b" / "app"))
    assert ("libmote.so.0" in run("readelf", "-d", app / "b" / "app")) == shared


@pytest.mark.parametrize("asked, found", [("0.8", True), ("0.9", True), ("0.9.0 EXACT", True), ("0.10", False), ("1.0", False)])
def test_the_version_that_a_project_asks_for(prefix, app, asked, found):
    """An older 0.x is compatible (docs/releases.md)."""
    (app / "CMakeLists.txt").write_text(PROJECT.format(components="", target="mote::mote").replace("(mote ", f"(mote {asked} "))
    p = subprocess.run(["cmake", "-S", app, "-B", app / "b", f"-DCMAKE_PREFIX_PATH={prefix}"], capture_output=True, text=True)
    assert (p.returncode == 0) == found, p.stderr


def test_pkg_config(prefix, app):
    env = dict(os.environ, PKG_CONFIG_PATH=os.path.join(libdir(prefix), "pkgconfig"))
    # mote.pc names the prefix of the configuration; --define-variable names another place
    flags = run("pkg-config", f"--define-variable=prefix={prefix}", "--cflags", "--libs", "mote", env=env).split()
    run("cc", app / "app.c", "-o", app / "app", *flags)
    check_output(run(app / "app", env=dict(env, LD_LIBRARY_PATH=libdir(prefix))))


OF_LIBCURL = """#include <curl/curl.h>
#include <stdio.h>
int main(void)
{
  printf("%s %s\\n", LIBCURL_VERSION, curl_version_info(CURLVERSION_NOW)->version);
  return 0;
}
"""


@pytest.mark.skipif(not SYSTEM, reason="no development files of another libcurl")
def test_headers_and_library_of_libcurl_come_from_one_place(prefix, app):
    """A project that looks for libcurl with our prefix in its paths got our headers and the system's library."""
    (app / "app.c").write_text(OF_LIBCURL)
    (app / "CMakeLists.txt").write_text(PROJECT.format(components="", target="CURL::libcurl").replace("(mote ", "(CURL "))
    run("cmake", "-S", app, "-B", app / "b", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", app / "b")
    run("cc", app / "app.c", "-o", app / "plain", f"-I{prefix}/include", f"-L{libdir(prefix)}", "-lcurl")
    for program in app / "b" / "app", app / "plain":
        header, library = run(program).split()
        assert header == library


def test_what_is_there(prefix):
    assert (prefix / "bin/mote").exists() and (prefix / "include/mote-0/curl/curl.h").exists()
    # where no linker looks, for mote exec
    assert {str(x.parent) for x in prefix.rglob("libcurl*")} == {libdir(prefix) + "/mote-0"}
    assert "Mote/" in run(prefix / "bin/mote", "exec", "curl", "--version")
    assert run(prefix / "bin/mote", "--version").startswith("mote ")
    for path in "man/man1/mote.1", "man/man3/mote_need.3", "bash-completion/completions/mote", "zsh/site-functions/_mote", \
            "fish/vendor_completions.d/mote.fish":
        assert (prefix / "share" / path).stat().st_size > 1000
    pages = prefix / "share/doc/mote"
    assert "MIT License" in (pages / "LICENSE").read_text() and "libssl" in (pages / "NOTICES.md").read_text()
    for link in re.findall(r"\]\((\S+\.md)\)", (pages / "docs/README.md").read_text()):
        if not link.startswith(("../tests", "../device", "../CONTRIBUTING")):  # of the repository alone
            assert (pages / "docs" / link).is_file(), link


@pytest.mark.parametrize("folders, libdir, includedir, from_bin", [
    (("lib64", "inc"), "/opt/m/lib64", "/opt/m/inc/mote-0", "../lib64/mote-0"),
    (("/opt/l", "/opt/dev/include"), "/opt/l", "/opt/dev/include/mote-0", "../../l/mote-0"),
])
def test_folders_of_an_installation(tmp_path, folders, libdir, includedir, from_bin):
    """Absolute ones, which Nix gives, were taken for folders below the prefix, also by mote exec."""
    build = tmp_path / "b"
    run("cmake", "-S", ROOT, "-B", build, "-DCMAKE_INSTALL_PREFIX=/opt/m", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
        *(f"-DCMAKE_INSTALL_{name}={folder}" for name, folder in zip(("LIBDIR", "INCLUDEDIR"), folders)))
    env = dict(os.environ, PKG_CONFIG_PATH=str(build))
    asked = [run("pkg-config", f"--variable={name}", "mote", env=env).strip() for name in ("libdir", "includedir")]
    assert asked == [libdir, includedir]
    assert re.findall(r'MOTE_DROPIN_FROM_BIN=[\\"]*([^\\" ]+)', (build / "compile_commands.json").read_text()) == [from_bin]
    # the drop-in library, of which there is a stand-in
    (build / "drop-in").mkdir(exist_ok=True)
    (build / "drop-in/libcurl.so.4").write_text("")
    stage = tmp_path / "stage"
    run("cmake", "--install", build, "--component", "drop-in", env=dict(os.environ, DESTDIR=str(stage)))
    assert (stage / libdir[1:] / "libcurl.so").exists()
    assert (stage / includedir[1:]).with_name("curl").joinpath("curl.h").exists()
    env = dict(os.environ, PKG_CONFIG_PATH=str(stage / libdir[1:] / "pkgconfig"))
    asked = run("pkg-config", "--variable=libdir", "libcurl", env=env).strip()
    assert os.path.normpath(asked) == libdir
