"""What make install-drop-in leaves is libcurl's development files: CMake, pkg-config, curl-config and Meson build on it.

docs/drop-in.md names the programs of others that were built on it."""
import os
import shutil
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build", "release")
PROGRAM = """#include <curl/curl.h>
#include <stdio.h>
int main(void)
{
  const curl_version_info_data *v = curl_version_info(CURLVERSION_NOW);
  const char *const *p;
  printf("%s\\n", curl_version());
  for(p = v->protocols; *p; p++)
    printf("protocol %s\\n", *p);
  for(p = v->feature_names; *p; p++)
    printf("feature %s\\n", *p);
  return 0;
}
"""


def run(*cmd, code=0, **how):
    p = subprocess.run(cmd, capture_output=True, text=True, **how)
    assert p.returncode == code, f"{' '.join(map(str, cmd))}\n{p.stdout}{p.stderr}"
    return p.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    where = tmp_path_factory.mktemp("drop-in")
    run("cmake", "--install", BUILD, "--prefix", where, "--component", "drop-in")
    return where


@pytest.fixture
def app(tmp_path):
    (tmp_path / "app.c").write_text(PROGRAM)
    return tmp_path


def libdir(prefix):
    return next(str(p.parent) for p in prefix.rglob("libcurl.so"))


def config(prefix, *options, code=0):
    return run(prefix / "bin/curl-config", *options, code=code)


def check_program(prefix, app, **env):
    """It runs on Mote as libcurl.so.4, whose features are those that curl-config lists."""
    out = run(app, env=dict(os.environ, **env)).splitlines()
    assert out[0].startswith("libcurl/8.23.0 Mote/")
    assert "Shared library: [libcurl.so.4]" in run("readelf", "-d", app)
    assert [x.split()[1].upper() for x in out if x.startswith("protocol ")] == config(prefix, "--protocols").split()
    assert [x.split()[1] for x in out if x.startswith("feature ")] == config(prefix, "--features").split()


def test_cmake(prefix, app):
    (app / "CMakeLists.txt").write_text("""cmake_minimum_required(VERSION 3.18)
project(app LANGUAGES C)
find_package(CURL 7.80 REQUIRED COMPONENTS HTTPS SSL)
message(STATUS "version ${CURL_VERSION_STRING}")
add_executable(app app.c)
target_link_libraries(app PRIVATE CURL::libcurl)
add_executable(older app.c)
target_include_directories(older PRIVATE ${CURL_INCLUDE_DIRS})
target_link_libraries(older PRIVATE ${CURL_LIBRARIES})
""")
    out = run("cmake", "-S", app, "-B", app / "b", f"-DCMAKE_PREFIX_PATH={prefix}")
    assert "version 8.23.0" in out
    run("cmake", "--build", app / "b")
    check_program(prefix, app / "b/app")
    check_program(prefix, app / "b/older")


@pytest.mark.parametrize("asked", ["99.0 REQUIRED", "REQUIRED COMPONENTS RTMP"])
def test_cmake_is_not_given_what_is_not_there(prefix, app, asked):
    (app / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.18)\nproject(app LANGUAGES C)\n"
                                        f"find_package(CURL {asked} CONFIG)\n")
    run("cmake", "-S", app, "-B", app / "b", f"-DCMAKE_PREFIX_PATH={prefix}", code=1)


def test_pkg_config(prefix, app):
    env = dict(os.environ, PKG_CONFIG_PATH=os.path.join(libdir(prefix), "pkgconfig"))
    flags = run("pkg-config", "--cflags", "--libs", "libcurl >= 7.80", env=env).split()
    assert run("pkg-config", "--variable=supported_protocols", "libcurl", env=env).split() == \
        config(prefix, "--protocols").split()
    run("cc", app / "app.c", "-o", app / "app", *flags)
    check_program(prefix, app / "app", LD_LIBRARY_PATH=libdir(prefix))


def test_curl_config(prefix, app):
    """As an autotools project asks it."""
    assert config(prefix, "--version") == "libcurl 8.23.0\n" and config(prefix, "--vernum") == "081700\n"
    assert config(prefix, "--prefix") == f"{prefix}\n" and config(prefix, "--built-shared") == "yes\n"
    assert config(prefix, "--checkfor", "8.23.0") == "" and config(prefix, "--checkfor", "7.9.12") == ""
    assert "newer than existing 8.23.0" in config(prefix, "--checkfor", "8.100.0", code=1)
    config(prefix, "--static-libs", code=1)
    config(prefix, "--nonsense", code=1)
    config(prefix, code=1)
    flags = config(prefix, "--cflags", "--libs").split()
    run("cc", app / "app.c", "-o", app / "app", *flags)
    check_program(prefix, app / "app", LD_LIBRARY_PATH=libdir(prefix))


@pytest.mark.skipif(not shutil.which("meson"), reason="no meson; it asks pkg-config")
def test_meson(prefix, app):
    (app / "meson.build").write_text("project('app', 'c')\nexecutable('app', 'app.c', dependencies: dependency('libcurl'))\n")
    env = dict(os.environ, PKG_CONFIG_PATH=os.path.join(libdir(prefix), "pkgconfig"))
    run("meson", "setup", app / "b", app, env=env)
    run("meson", "compile", "-C", app / "b", env=env)
    check_program(prefix, app / "b/app", LD_LIBRARY_PATH=libdir(prefix))


def test_staged_elsewhere(tmp_path):
    """As packages are made: the files name the prefix, not where they lie meanwhile."""
    run("cmake", "--install", BUILD, "--prefix", "/opt/of-mote", "--component", "drop-in",
        env=dict(os.environ, DESTDIR=str(tmp_path)))
    there = tmp_path / "opt/of-mote"
    assert config(there, "--prefix") == "/opt/of-mote\n"
    for name in ("libcurl.pc", "CURLConfig.cmake"):
        text = next(there.rglob(name)).read_text()
        assert "/opt/of-mote" in text and str(tmp_path) not in text


def test_the_links(prefix):
    folder = libdir(prefix)
    assert os.readlink(f"{folder}/libcurl.so") == "libcurl.so.4"
    assert os.readlink(f"{folder}/libcurl.so.4") == "libcurl.so.4.8.0"
    assert (prefix / "include/curl/curl.h").exists() and not (prefix / "bin/mote").exists()


def test_options_that_are_gone_are_options_to_cpp(prefix, app):
    """cURLpp names CURLOPT_CLOSEPOLICY as an argument of a template: it was an int, and that did not compile."""
    (app / "app.cc").write_text("#include <curl/curl.h>\ntemplate<CURLoption o> struct option {};\n"
                                "option<CURLOPT_CLOSEPOLICY> a; option<CURLOPT_WRITEINFO> b;\n")
    run("g++", "-fsyntax-only", *config(prefix, "--cflags").split(), app / "app.cc")


def test_the_ends_of_lists_that_are_longs_now(prefix, app):
    """pycurl puts CURL_HTTP_VERSION_LAST and CURL_RTSPREQ_LAST into its module; they were missing."""
    (app / "app.c").write_text("#include <curl/curl.h>\nlong last[] = { CURL_HTTP_VERSION_LAST, CURL_RTSPREQ_LAST,\n"
                               "  CURL_SSLVERSION_LAST, CURL_SSLVERSION_MAX_LAST };\n"
                               "_Static_assert(CURL_HTTP_VERSION_LAST == CURL_HTTP_VERSION_3ONLY + 1, \"differs\");\n"
                               "_Static_assert(CURL_RTSPREQ_LAST == CURL_RTSPREQ_RECEIVE + 1, \"differs\");\n"
                               "_Static_assert(CURL_SSLVERSION_LAST == CURL_SSLVERSION_TLSv1_3 + 1, \"differs\");\n"
                               "_Static_assert(CURL_SSLVERSION_MAX_LAST == CURL_SSLVERSION_LAST << 16, \"differs\");\n")
    run("gcc", "-fsyntax-only", *config(prefix, "--cflags").split(), app / "app.c")
