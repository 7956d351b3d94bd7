"""The library inside of a firmware's own CMake project (cmake/embed.cmake): by add_subdirectory() or FetchContent, on a
cross toolchain, without a look at what the host has."""
import os
import re
import shutil
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
from devices import sources  # noqa: E402

CROSS = """set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_C_FLAGS_INIT "--specs=picolibc.specs -mcpu=cortex-m3 -mthumb -fshort-enums")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
"""
# lwip is made after the library: MOTE_LINK may name it all the same
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(firmware LANGUAGES C)
{settings}
{add}
add_library(lwip INTERFACE)
target_include_directories(lwip INTERFACE {lwip}/src/include {root}/device/lwip {root}/device/mps2-an385)
add_library(app OBJECT app.c)
target_link_libraries(app PRIVATE mote::mote)
"""
APP = """#include <curl/curl.h>
#include <mote/board.h>
#include <mote/mote.h>
int64_t mote_lwip_wall(void) { return 0; }
CURL *begin(void) { return curl_easy_init(); }
"""
ADD = {"subdirectory": 'add_subdirectory("{root}" mote)',
       "fetch": 'include(FetchContent)\nFetchContent_Declare(mote SOURCE_DIR "{root}")\nFetchContent_MakeAvailable(mote)'}


def run(*cmd, code=0, **how):
    p = subprocess.run(cmd, capture_output=True, text=True, **how)
    assert (p.returncode == 0) == (code == 0), f"{' '.join(map(str, cmd))}\n{p.stdout}{p.stderr}"
    return p.stdout + p.stderr


def configure(folder, add="subdirectory", code=0, **settings):
    """Only the cross compiler, CMake and Ninja are to be found: no pkg-config, no other compiler."""
    lines = "".join(f'set({k} "{v}" CACHE STRING "")\n' for k, v in settings.items())
    (folder / "cross.cmake").write_text(CROSS)
    (folder / "app.c").write_text(APP)
    (folder / "CMakeLists.txt").write_text(PROJECT.format(
        settings=lines, add=ADD[add].format(root=ROOT), root=ROOT, lwip=sources.fetch("lwip")))
    return run("cmake", "-S", folder, "-B", folder / "out", "-G", "Ninja", "--toolchain", folder / "cross.cmake",
               "-DFETCHCONTENT_FULLY_DISCONNECTED=ON", code=code, env=only_cross_tools(folder))


def only_cross_tools(folder):
    tools = folder / "bin"
    tools.mkdir()
    for name in ("cmake", "ninja", *(f"arm-none-eabi-{t}" for t in ("gcc", "ar", "ranlib", "ld", "nm", "as"))):
        (tools / name).symlink_to(shutil.which(name))
    return {**os.environ, "PATH": str(tools), "CMAKE_C_COMPILER_LAUNCHER": ""}


pytestmark = pytest.mark.skipif(not shutil.which("arm-none-eabi-gcc"), reason="no cross compiler")


@pytest.mark.parametrize("add", ["subdirectory", pytest.param("fetch", marks=pytest.mark.check_all)])
def test_a_firmware_links_the_library_by_one_line(tmp_path, add):
    configure(tmp_path, add, MOTE_PROFILE="tiny", MOTE_PORT="lwip", MOTE_TLS="bearssl", MOTE_LINK="lwip",
              MOTE_BEARSSL_DIR=sources.fetch("bearssl"), MOTE_CEILINGS="MOTE_LWIP_SOCKETS=3")
    cache = (tmp_path / "out/CMakeCache.txt").read_text()
    assert not re.search("OPENSSL|ZLIB|PKG_CONFIG|Threads|NOTFOUND", re.sub("//.*|CMAKE_.*", "", cache))
    # BearSSL's 275 files are the same either way
    targets = ["--target", "mote_library", "app"] if add == "fetch" else []
    run("cmake", "--build", tmp_path / "out", "-j", "2", *targets, env=only_cross_tools(tmp_path / "out"))
    names = run("arm-none-eabi-nm", *(tmp_path / "out").rglob("libmote.a"))
    assert " T curl_easy_perform" in names and " T mote_port_poll" in names and "mote_tls_openssl" not in names


def test_what_the_library_is_made_of_is_in_the_cache(tmp_path):
    configure(tmp_path, MOTE_PROFILE="mcu", MOTE_PORT="lwip", MOTE_TLS="none", MOTE_WITH="ranges")
    parts = next((tmp_path / "out").rglob("parts.txt")).read_text().split()
    assert "ranges" in parts and "http" in parts and "https" not in parts and "bearssl" not in parts


@pytest.mark.parametrize("settings, text", [
    ({}, "MOTE_PORT is not set"),
    ({"MOTE_PORT": "sun"}, "no such port: sun"),
    ({"MOTE_PORT": "lwip", "MOTE_WITH": "unix_sockets"}, "needs port/unix.h"),
    ({"MOTE_PORT": "lwip", "MOTE_PROFILE": "huge"}, "no such profile: huge"),
    ({"MOTE_PORT": "lwip", "MOTE_BEARSSL_DIR": "/nowhere"}, "no sources of BearSSL"),
])
def test_an_error_names_the_variable(tmp_path, settings, text):
    assert text in " ".join(configure(tmp_path, code=1, **settings).split())


def test_a_hosted_project_links_it_the_same_way(tmp_path):
    (tmp_path / "app.c").write_text("#include <curl/curl.h>\nint main(void) { return !curl_version(); }\n")
    (tmp_path / "CMakeLists.txt").write_text(f"""cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES C)
set(MOTE_PROFILE tiny CACHE STRING "")
set(MOTE_WITHOUT https CACHE STRING "")
add_subdirectory("{ROOT}" mote)
add_executable(app app.c)
target_link_libraries(app PRIVATE mote::static)
add_custom_target(examples) # names of its own
""")
    run("cmake", "-S", tmp_path, "-B", tmp_path / "out", "-G", "Ninja")
    run("cmake", "--build", tmp_path / "out", "-j", "2", "--target", "app")
    run(tmp_path / "out/app")
