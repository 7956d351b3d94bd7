"""MOTE_HARDEN (cmake/flags.cmake): each kind reaches the compiler and the linker, and what it is not is refused."""
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(flags C)
include({ROOT}/cmake/flags.cmake)
add_library(it SHARED it.c)
target_link_libraries(it PRIVATE mote_flags)
"""
KINDS = {"stack": "-fstack-protector-strong", "fortify": "-D_FORTIFY_SOURCE=3", "init": "-ftrivial-auto-var-init=zero",
         "branch": "-fcf-protection=full", "bind": "-Wl,-z,relro,-z,now"}


def configure(folder, *options):
    folder.joinpath("CMakeLists.txt").write_text(PROJECT)
    folder.joinpath("it.c").write_text("int it(void);\nint it(void) { return 0; }\n")
    return subprocess.run(["cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build", "-DCMAKE_BUILD_TYPE=Release", *options],
                          capture_output=True, text=True)


def rules(folder):
    return (folder / "build" / "build.ninja").read_text()


def test_none_is_the_default(tmp_path):
    assert configure(tmp_path).returncode == 0
    assert not [flag for flag in KINDS.values() if flag in rules(tmp_path)]


def test_some_kinds(tmp_path):
    assert configure(tmp_path, "-DMOTE_HARDEN=fortify;bind").returncode == 0
    assert [kind for kind, flag in KINDS.items() if flag in rules(tmp_path)] == ["fortify", "bind"]


def test_all_kinds_that_a_debug_build_can_have(tmp_path):
    p = configure(tmp_path, "-DMOTE_HARDEN=all", "-DCMAKE_BUILD_TYPE=Debug")
    assert p.returncode == 0, p.stderr
    assert [kind for kind, flag in KINDS.items() if flag in rules(tmp_path)] == ["stack", "init", "branch", "bind"]


def test_an_unknown_kind_is_refused(tmp_path):
    p = configure(tmp_path, "-DMOTE_HARDEN=stack;heap")
    assert p.returncode != 0
    assert "MOTE_HARDEN knows no kind heap" in p.stderr
