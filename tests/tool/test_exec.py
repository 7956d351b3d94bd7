"""mote exec: unmodified programs of the system run on this library."""
import os
import re
import shutil
import signal
import subprocess
import sys

import pytest
from conftest import CURL, MOTE
from server import TEXT

INCLUDE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "include")
DROP_IN = os.environ.get("MOTE_DROPIN", os.path.join(os.path.dirname(MOTE), "drop-in"))
pytestmark = pytest.mark.skipif(not os.path.exists(os.path.join(DROP_IN, "libcurl.so.4")) or "MOTE_E2E_PRELOAD" in os.environ,
                                reason="needs the drop-in library, without sanitizers")


def ran(*arguments, env=None, **more):
    return subprocess.run([MOTE, "exec", *map(str, arguments)], capture_output=True, text=True, timeout=60,
                          env={**os.environ, **(env or {})}, **more)


def script(path, text, mode=0o755):
    path.write_text(text)
    path.chmod(mode)
    return path


def test_program_has_our_library(server):
    assert "Mote/" in ran(CURL, "--version").stdout
    r = ran("curl", "-s", server.url + "/a")
    assert (r.returncode, r.stdout, r.stderr) == (0, TEXT.decode(), "")


def test_programs_that_it_starts_have_it_too(tmp_path):
    r = ran(script(tmp_path / "s", f"#!/bin/sh\n{CURL} --version\nexit 7\n"))
    assert "Mote/" in r.stdout and r.returncode == 7


def test_what_is_in_the_variables_stays(tmp_path):
    r = ran("sh", "-c", "echo $LD_LIBRARY_PATH", env={"LD_LIBRARY_PATH": "/of/mine"})
    assert r.stdout == f"{os.path.realpath(DROP_IN)}:/of/mine\n"


def test_memory(server):
    r = ran("--memory", "sh", "-c", f"{CURL} -s {server.url}/a; exit 3")
    assert (r.returncode, r.stdout) == (3, TEXT.decode())
    rows = dict(re.findall(r"^(\w+) +(\d+) +\d+$", r.stderr, re.M))
    assert r.stderr.startswith("\ncurl\npart ") and int(rows["transfer"]) > 0 and "multi" in rows
    assert int(rows.pop("all")) == sum(map(int, rows.values()))


def test_memory_of_a_module_that_an_interpreter_loads():
    """Its library is not among the program's symbols (RTLD_LOCAL), as pycurl's."""
    code = ("import ctypes; c = ctypes.CDLL('libcurl.so.4'); c.curl_easy_init.restype = ctypes.c_void_p; "
            "c.curl_easy_cleanup(ctypes.c_void_p(c.curl_easy_init()))")
    r = ran("--memory", sys.executable, "-c", code)
    assert r.returncode == 0 and re.search(r"^handle +1 ", r.stderr, re.M), r.stderr


def test_memory_of_a_forked_process_is_what_it_took_itself():
    """It was its parent's as well, so that each allocation was in two tables."""
    code = ("import ctypes, os; c = ctypes.CDLL('libcurl.so.4'); c.curl_easy_init.restype = ctypes.c_void_p\n"
            "def use(): c.curl_easy_cleanup(ctypes.c_void_p(c.curl_easy_init()))\n"
            "use()\n"
            "for uses in (0, 3):\n"
            "    if not os.fork():\n"
            "        for i in range(uses): use()\n"
            "        ctypes.CDLL(None).exit(0)\n"
            "    os.wait()\n"
            "use()\n")
    r = ran("--memory", sys.executable, "-c", code)
    assert re.findall(r"^handle +(\d+) ", r.stderr, re.M) == ["3", "2"], r.stderr


def test_memory_of_a_program_whose_environment_has_gone(tmp_path):
    """As PHP's, which frees it before it ends."""
    (tmp_path / "a.c").write_text("#include <curl/curl.h>\n#include <stdlib.h>\n"
                                  "int main(void) { curl_easy_cleanup(curl_easy_init()); return clearenv(); }\n")
    subprocess.run(["cc", "-D_GNU_SOURCE", f"-I{INCLUDE}", "-o", tmp_path / "a", tmp_path / "a.c",
                    os.path.join(DROP_IN, "libcurl.so.4"), "-Wl,--allow-shlib-undefined"], check=True)
    r = ran("--memory", tmp_path / "a")
    assert r.returncode == 0 and re.search(r"^handle +1 ", r.stderr, re.M), r.stderr


def test_memory_of_a_program_without_the_library(tmp_path):
    r = ran("--memory", "true", env={"TMPDIR": str(tmp_path)})
    assert r.stderr == "mote exec: no process of the program used this library\n" and r.returncode == 0
    assert not list(tmp_path.iterdir())


def test_signal_is_an_exit_status():
    assert ran("--memory", "sh", "-c", "kill -9 $$").returncode == 137


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signal_that_ends_the_command_ends_the_program_too(tmp_path, number):
    """Not that alone: the program went on without its parent, and the file of the report stayed."""
    p = subprocess.Popen([MOTE, "exec", "--memory", "sh", "-c", "echo $$; exec sleep 60"], stdout=subprocess.PIPE, text=True,
                         stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path)})
    program = int(p.stdout.readline())
    p.send_signal(number)
    try:
        p.communicate(timeout=30)  # at its end only, if the program holds stdout
        assert p.returncode == 128 + number and not list(tmp_path.iterdir())
        with pytest.raises(ProcessLookupError):
            os.kill(program, 0)
    finally:
        try:
            os.kill(program, signal.SIGKILL)
        except ProcessLookupError:
            pass


def test_signal_that_was_ignored_stays_ignored():
    r = subprocess.run(["sh", "-c", f"trap '' HUP; {MOTE} exec --memory sh -c 'kill -HUP $PPID $$; sleep 0.1; echo on'"],
                       capture_output=True, text=True, timeout=60)
    assert (r.returncode, r.stdout) == (0, "on\n")


def test_program_gets_no_other_descriptors():
    """The report of --memory was open in the program, and in all that it starts."""
    code = "import os; print(sorted(os.listdir('/proc/self/fd')))"
    assert ran("--memory", sys.executable, "-c", code).stdout == ran(sys.executable, "-c", code).stdout


@pytest.mark.parametrize("mode", [0o4755, 0o2755], ids=["set-uid", "set-gid"])
def test_program_with_more_rights_is_refused(tmp_path, mode):
    program = tmp_path / "curl"
    shutil.copy(CURL, program)
    if os.getuid():
        pytest.skip("only root can give a program to another user")
    os.chown(program, 65534, 65534)
    program.chmod(mode)
    for run in (program, script(tmp_path / "s", f"#!{program}\n")):
        r = ran(run, "--version")
        assert r.returncode == 126 and "more rights than its user" in r.stderr and r.stdout == ""


@pytest.mark.parametrize("mode", [0o4755, 0o2755], ids=["set-uid", "set-gid"])
def test_program_with_the_rights_that_its_user_has_is_run(tmp_path, mode):
    """Root's programs by root, as in a container. The dynamic linker has nothing against them."""
    program = tmp_path / "curl"
    shutil.copy(CURL, program)
    os.chown(program, os.getuid(), os.getgid())
    program.chmod(mode)
    r = ran(program, "--version")
    assert r.returncode == 0 and "Mote/" in r.stdout


def test_static_program_is_refused(tmp_path):
    source = script(tmp_path / "a.c", "int main(void) { return 0; }\n", 0o644)
    subprocess.run(["cc", "-static", "-o", tmp_path / "a", source], check=True)
    r = ran(tmp_path / "a")
    assert r.returncode == 126 and "linked statically" in r.stderr


def test_program_of_another_machine_is_refused(tmp_path):
    program = bytearray(open(MOTE, "rb").read(4096))
    program[4] ^= 3  # 32 bits for 64, and the other way
    (tmp_path / "a").write_bytes(program)
    (tmp_path / "a").chmod(0o755)
    r = ran(tmp_path / "a")
    assert r.returncode == 126 and "another machine" in r.stderr


def test_no_such_program(tmp_path):
    assert ran("no-such-program").returncode == 127
    assert ran(tmp_path / "none").returncode == 127
    assert ran(script(tmp_path / "s", "", 0o644)).returncode == 126


def moved(folder):
    """The command with the drop-in library beside it, as in a build."""
    shutil.copytree(DROP_IN, folder / "drop-in", symlinks=True)
    return shutil.copy(MOTE, folder / "mote")


def test_folder_with_a_blank_in_its_name(tmp_path):
    """LD_PRELOAD is split there: nothing was preloaded, and no process seemed to use the library."""
    mote = moved(tmp_path / "a b")
    r = subprocess.run([mote, "exec", "--memory", CURL, "-s", "file:///dev/null"], capture_output=True, text=True, timeout=60)
    assert r.returncode == 0 and r.stderr.startswith("\ncurl\npart "), r.stderr


def test_folder_that_programs_do_not_find_is_refused(tmp_path):
    """The program ran on the system's libcurl, without a word."""
    mote = moved(tmp_path / "a:b")
    r = subprocess.run([mote, "exec", CURL, "--version"], capture_output=True, text=True, timeout=60)
    assert r.returncode == 125 and "a folder with ':'" in r.stderr and not r.stdout


def test_help_and_wrong_usage():
    r = ran("--help")
    assert r.returncode == 0 and "mote exec [--memory] PROGRAM" in r.stdout and not r.stderr
    for wrong in ([], ["--nothing", "true"]):
        r = ran(*wrong)
        assert r.returncode == 125 and "usage: mote exec" in r.stderr


def test_by_the_name_of_curl_it_is_a_host(tmp_path):
    os.symlink(MOTE, tmp_path / "curl")
    r = subprocess.run([tmp_path / "curl", "exec", "--help"], capture_output=True, text=True, timeout=60)
    assert "mote exec" not in r.stdout + r.stderr
