"""The manifests for Zephyr, ESP-IDF, Arduino and PlatformIO: every file that they name exists, and what they build
compiles with stub headers of those systems (stubs/). None of it has run on hardware."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STUBS = os.path.join(ROOT, "tests", "package", "stubs")
sys.path.insert(0, os.path.join(ROOT, "tools"))
import partlist  # noqa: E402
from devices import image, sources  # noqa: E402

CROSS = """set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_C_FLAGS_INIT "--specs=picolibc.specs -mcpu=cortex-m3 -mthumb -O0 -Wall -Wextra -Werror")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
"""
SETTINGS = {"MOTE_PROFILE": "mcu", "MOTE_WITH": "ranges header_store", "MOTE_WITHOUT": "chacha20"}
TINY = {"MOTE_PROFILE": "tiny", "MOTE_WITH": "", "MOTE_WITHOUT": ""}  # whose headers stand in for others
# What these systems' own CMake code gives a component or a module, as far as ours uses it.
IDF = """function(idf_component_register)
  cmake_parse_arguments(arg "" "" "SRCS;INCLUDE_DIRS;PRIV_INCLUDE_DIRS;REQUIRES;PRIV_REQUIRES" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "idf_component_register: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(COMPONENT_LIB __idf_mote PARENT_SCOPE)
  add_library(__idf_mote STATIC ${arg_SRCS})
  target_include_directories(__idf_mote PUBLIC ${arg_INCLUDE_DIRS} PRIVATE ${arg_PRIV_INCLUDE_DIRS})
  target_link_libraries(__idf_mote PUBLIC system)
endfunction()
"""
ZEPHYR = """function(zephyr_library_named name)
  set(ZEPHYR_CURRENT_LIBRARY ${name} PARENT_SCOPE)
  add_library(${name} STATIC)
  target_link_libraries(${name} PUBLIC system)
endfunction()
function(zephyr_library_sources)
  target_sources(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGN})
endfunction()
function(zephyr_library_compile_definitions)
  target_compile_definitions(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGN})
endfunction()
function(zephyr_library_include_directories)
  target_include_directories(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGN})
endfunction()
function(zephyr_include_directories)
  target_include_directories(system INTERFACE ${ARGN})
endfunction()
"""
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(firmware LANGUAGES C)
add_library(system INTERFACE)
target_include_directories(system SYSTEM INTERFACE {folders})
target_compile_definitions(system INTERFACE MOTE_LWIP_FREERTOS MBEDTLS_CONFIG_FILE="mbedtls_device.h")
{functions}
{settings}
add_subdirectory("{ROOT}/{folder}" mote)
add_library(app OBJECT app.c)
target_link_libraries(app PRIVATE system {target})
"""
APP = "#include <curl/curl.h>\n#include <mote/mote.h>\nCURL *begin(void);\nCURL *begin(void) { return curl_easy_init(); }\n"

freertos = pytest.mark.skipif(bool(sources.no_kernel()), reason=str(sources.no_kernel()))
cross = pytest.mark.skipif(not shutil.which("arm-none-eabi-gcc"), reason="no cross compiler")


def run(*cmd, **how):
    p = subprocess.run([str(c) for c in cmd], capture_output=True, text=True, **how)
    assert p.returncode == 0, f"{' '.join(map(str, cmd))}\n{p.stdout}{p.stderr}"
    return p.stdout


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as f:
        return f.read()


def lwip_folders():
    options = [f"{ROOT}/device/{x}" for x in ("lwip", "freertos", "mps2-an385", "mps2-an385/freertos")]
    return [f"{sources.fetch('lwip')}/src/include", *options,
            *(sources.kernel() + x for x in ("/include", "/portable/GCC/ARM_CM3"))]


def mbedtls_folders():
    include = sources.fetch("mbedtls") + "/include"
    if os.path.exists(include + "/mbedtls/build_info.h"):
        pytest.skip("this Debian has mbedTLS 3, which the library does not know")
    return [ROOT + "/device/mbedtls", include]


def built(folder, where, functions, target, folders, settings):
    """Builds a project that has the manifest's folder and a program; the public symbols of the library."""
    values = "".join(f'set(CONFIG_{k} "{v}")\n' for k, v in {**SETTINGS, **settings}.items())
    (folder / "cross.cmake").write_text(CROSS)
    (folder / "app.c").write_text(APP)
    (folder / "CMakeLists.txt").write_text(PROJECT.format(
        functions=functions, settings=values, folder=where, target=target, ROOT=ROOT,
        folders=" ".join(f'"{f}"' for f in folders)))
    run("cmake", "-S", folder, "-B", folder / "out", "-G", "Ninja", "--toolchain", folder / "cross.cmake")
    run("cmake", "--build", folder / "out", "-j", "2")
    return run("arm-none-eabi-nm", next((folder / "out").rglob(f"lib{target}.a")))


@cross
@freertos
@pytest.mark.parametrize("tls", [pytest.param("MBEDTLS", marks=pytest.mark.check_all), "NONE"])
def test_the_component_of_esp_idf_compiles(tmp_path, tls):
    folders = [*lwip_folders(), *mbedtls_folders(), STUBS + "/esp-idf"]
    names = built(tmp_path, "systems/esp-idf/mote", IDF, "__idf_mote", folders,
                  {f"MOTE_TLS_{tls}": "y", "MOTE_BEARSSL_DIR": sources.fetch("bearssl")})
    assert all(f" T {n}" in names for n in ("curl_easy_perform", "mote_lwip_sockets_wall", "mote_lwip_sockets_random"))
    assert (" R mote_tls_mbedtls" in names) == (tls == "MBEDTLS")


@cross
@freertos
def test_the_component_of_esp_idf_compiles_in_profile_tiny(tmp_path):
    names = built(tmp_path, "systems/esp-idf/mote", IDF, "__idf_mote", [*lwip_folders(), STUBS + "/esp-idf"],
                  {**TINY, "MOTE_TLS_NONE": "y"})
    assert " T mote_waitset_look" in names and " T curl_multi_init" not in names


@cross
def test_the_module_of_zephyr_compiles_in_profile_tiny(tmp_path):
    names = built(tmp_path, "zephyr", ZEPHYR, "mote", [STUBS + "/zephyr"], {**TINY, "MOTE": "y", "MOTE_LOOKUPS": 2})
    assert " T mote_waitset_look" in names and " T curl_multi_init" not in names


@cross
@pytest.mark.check_all
def test_the_module_of_zephyr_compiles(tmp_path):
    names = built(tmp_path, "zephyr", ZEPHYR, "mote", [STUBS + "/zephyr"],
                  {"MOTE": "y", "MOTE_TLS_BEARSSL": "y", "MOTE_LOOKUPS": 2, "MOTE_BEARSSL_DIR": sources.fetch("bearssl")})
    assert " T mote_port_lookup" in names and " U zsock_connect" in names and " U mote_zephyr_wall" in names
    assert " R mote_tls_bearssl" in names and " T br_ssl_engine_recvrec_buf" in names


@cross
def test_the_port_for_lwip_compiles_where_lwip_has_ipv6_too(tmp_path):
    """An address of lwIP's then has a type, which tcp_connect() read from the stack."""
    (tmp_path / "lwipopts.h").write_text(f'#include "{ROOT}/device/lwip/lwipopts.h"\n#undef LWIP_IPV6\n'
                                         "#define LWIP_IPV6 1\n#undef LWIP_TIMERS\n#define LWIP_TIMERS 1\n")
    flags, _, _ = partlist.generate(str(tmp_path / "parts"), "tiny", without=["https"], port="lwip")
    lwip = [f"-isystem{f}" for f in (tmp_path, sources.fetch("lwip") + "/src/include", f"{ROOT}/device/lwip")]
    for source in sorted(glob.glob(f"{ROOT}/src/port/lwip/*.c")):
        run("arm-none-eabi-gcc", "--specs=picolibc.specs", *image.CPU, "-std=c11", "-Wall", "-Wextra", "-Werror",
            "-Isrc/port/lwip/include", *flags, *lwip, "-fsyntax-only", source, cwd=ROOT)


def test_a_lookup_that_another_thread_of_zephyr_displaces_is_asked_for_again(tmp_path):
    flags, _, _ = partlist.generate(str(tmp_path / "parts"), "tiny", without=["https"], port="zephyr")
    run("cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-isystem", STUBS + "/zephyr", "-Isrc/port/zephyr/include", *flags,
        "-o", tmp_path / "lookups", "tests/package/zephyr_lookups.c", cwd=ROOT)
    alone, displaced = map(int, run(tmp_path / "lookups").split())
    assert alone == 60000 and displaced <= 20


def test_without_its_option_the_module_of_zephyr_adds_nothing(tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        f'cmake_minimum_required(VERSION 3.25)\nproject(x LANGUAGES NONE)\nadd_subdirectory("{ROOT}/zephyr" mote)\n')
    run("cmake", "-S", tmp_path, "-B", tmp_path / "out", "-G", "Ninja")


@cross
@freertos
def test_the_library_of_arduino_compiles(tmp_path):
    run(os.path.join(ROOT, "tools", "arduino_library"), tmp_path)
    flags = ["--specs=picolibc.specs", *image.CPU, "-O0", "-Wall", "-Wextra", "-Werror", "-DMOTE_LWIP_FREERTOS",
             '-DMBEDTLS_CONFIG_FILE="mbedtls_device.h"',
             *(f"-isystem{f}" for f in [*lwip_folders(), *mbedtls_folders(), STUBS + "/esp-idf"])]
    for source in sorted((tmp_path / "src").glob("*.c")):
        run("arm-none-eabi-gcc", *flags, "-std=gnu11", "-c", source, "-o", source.with_suffix(".o"))
    example = tmp_path / "examples/Get/Get.ino"
    run("arm-none-eabi-gcc", *flags, "-fno-exceptions", "-x", "c++", "-std=gnu++11", f"-I{tmp_path}/src",
        f"-I{STUBS}/arduino", "-include", "Arduino.h", "-c", example, "-o", tmp_path / "example.o")
    missing = set(re.findall(r"U (mote_lwip\w+)", run("arm-none-eabi-nm", "-u", tmp_path / "src/mote.o")))
    there = set(re.findall(r"T (mote_lwip\w+)", run("arm-none-eabi-nm", tmp_path / "src/mote_board.o")))
    assert missing == there


def test_the_manifests_of_arduino_name_what_is_there(tmp_path):
    run(os.path.join(ROOT, "tools", "arduino_library"), tmp_path, "tiny", "bearssl")
    manifest = json.loads((tmp_path / "library.json").read_text())
    assert {"name", "version", "description", "keywords", "license"} <= set(manifest)
    example = manifest["examples"][0]
    files = [*(f"{manifest['build']['includeDir']}/{h}" for h in manifest["headers"]),
             *(f"{example['base']}/{f}" for f in example["files"])]
    assert all((tmp_path / f).is_file() for f in files)
    properties = dict(line.split("=", 1) for line in (tmp_path / "library.properties").read_text().splitlines())
    assert {"name", "version", "author", "maintainer", "sentence", "paragraph", "category", "url",
            "architectures"} <= set(properties)
    assert properties["version"] == manifest["version"] and re.fullmatch(r"\d+\.\d+\.\d+", manifest["version"])
    assert (tmp_path / "src" / properties["includes"]).is_file()


def test_the_manifests_of_zephyr_and_esp_idf_are_right():
    yaml = pytest.importorskip("yaml")
    module = yaml.safe_load(read("zephyr/module.yml"))
    assert set(module) == {"name", "build"} and module["name"] == "mote"
    assert os.path.isfile(os.path.join(ROOT, module["build"]["cmake"], "CMakeLists.txt"))
    assert os.path.isfile(os.path.join(ROOT, module["build"]["kconfig"]))
    component = yaml.safe_load(read("systems/esp-idf/mote/idf_component.yml"))
    assert set(component) == {"version", "description", "license", "dependencies"}
    assert component["version"] == re.search(r'MOTE_VERSION "([^"]+)"', read("include/mote/mote.h")).group(1)


@pytest.mark.parametrize("path, cmake", [("zephyr/Kconfig", "zephyr/CMakeLists.txt"),
                                         ("systems/esp-idf/mote/Kconfig", "systems/esp-idf/mote/CMakeLists.txt")])
def test_each_option_of_kconfig_is_used_and_each_used_one_is_there(path, cmake):
    offered = set(re.findall(r"^\s*(?:menu)?config (\w+)", read(path), re.M)) - {"MOTE_TLS_NONE"}
    assert offered == set(re.findall(r"CONFIG_(\w+)", read(cmake)))


@pytest.mark.parametrize("path, default", [("zephyr/Kconfig", "MOTE_TLS_NONE"),
                                           ("systems/esp-idf/mote/Kconfig", "MOTE_TLS_MBEDTLS")])
def test_the_files_of_kconfig_are_read(tmp_path, path, default):
    kconfiglib = pytest.importorskip("kconfiglib")
    top = tmp_path / "Kconfig"
    theirs = ("NET_SOCKETS", "NET_TCP", "NET_IPV4", "DNS_RESOLVER", "CSPRNG_ENABLED")
    top.write_text("".join(f"config {x}\n bool\n default y\n" for x in theirs) + f'source "{ROOT}/{path}"\n')
    found = kconfiglib.Kconfig(str(top), warn_to_stderr=False)
    assert not found.warnings
    if "MOTE" in found.syms and path.startswith("zephyr"):
        found.syms["MOTE"].set_value("y")
    assert found.syms[default].str_value == "y" and found.syms["MOTE_PROFILE"].str_value == "mcu"
    found.syms["MOTE_TLS_BEARSSL"].set_value("y")
    found.syms["MOTE_BEARSSL_DIR"].set_value("/bearssl")
    assert found.syms[default].str_value == "n" and found.syms["MOTE_BEARSSL_DIR"].str_value == "/bearssl"
