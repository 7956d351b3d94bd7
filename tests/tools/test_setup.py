"""tools/setup: each target's own packages, what is missing of them, and what it asks for without rights to install."""
import os
import re
import shutil
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SETUP = os.path.join(ROOT, "tools", "setup")
FOR_TESTS = {"valgrind", "chromium", "gcc-arm-none-eabi", "libwolfssl-dev", "nginx-light", "python3-pytest", "strace"}


def packages(name):
    return subprocess.run([SETUP, "--print", name], capture_output=True, text=True, check=True).stdout.split()


def sets():
    return subprocess.run([SETUP, "--sets"], capture_output=True, text=True, check=True).stdout.split()


@pytest.fixture
def machine(tmp_path):
    """run(installed, user, *arguments): setup on a machine with these packages and no program of its own but these."""
    (tmp_path / "bin").mkdir()

    def program(name, text):
        path = tmp_path / "bin" / name
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)

    def run(installed, user, *arguments, sudo=False):
        for name in ("sh", "sed", "tr", "sort", "awk", "grep", "cat", "mktemp", "rm", "tail", "tee", "chmod", "true"):
            if not (tmp_path / "bin" / name).exists():
                (tmp_path / "bin" / name).symlink_to(shutil.which(name))
        program("dpkg-query", "".join(f"echo 'ii  {p} '\n" for p in installed))
        program("id", f"echo {user}\n")
        program("apt-get", f"echo \"$@\" >>{tmp_path}/apt\n")
        if sudo:
            program("sudo", "[ \"$1\" != -n ] || shift\nexec \"$@\"\n")
        env = {"PATH": str(tmp_path / "bin"), "MOTE_POLICY_RC": str(tmp_path / "policy-rc.d")}
        done = subprocess.run(["sh", SETUP, *arguments], env=env, capture_output=True,
                              stdin=subprocess.DEVNULL, text=True, check=False)
        log = tmp_path / "apt"
        return done, log.read_text() if log.exists() else ""
    return run


def test_make_needs_only_what_the_library_needs():
    """It wanted valgrind, a browser, an ARM toolchain and wolfSSL."""
    assert not FOR_TESTS & set(packages("library"))
    assert set(packages("library")) <= set(packages("check")) and FOR_TESTS <= set(packages("check"))


def test_a_user_who_may_not_install_needs_nothing_where_all_is_there(machine):
    done, apt = machine(packages("library"), 1000)
    assert (done.returncode, done.stdout, done.stderr, apt) == (0, "", "", "")


def test_what_is_missing_can_be_pasted(machine):
    done, apt = machine([p for p in packages("library") if p not in ("cmake", "libzstd-dev")], 1000)
    assert (done.returncode, apt) == (1, "")
    assert done.stderr.splitlines()[-1] == "apt-get install --no-install-recommends cmake libzstd-dev"


def test_root_installs_what_is_missing_and_no_more(machine):
    done, apt = machine([p for p in packages("library") if p != "cmake"], 0)
    assert done.returncode == 0, done.stderr
    assert apt.splitlines()[-1].split()[-2:] == ["--no-install-recommends", "cmake"]


def test_sudo_that_asks_for_nothing_is_used(machine):
    done, apt = machine([p for p in packages("library") if p != "cmake"], 1000, sudo=True)
    assert done.returncode == 0 and "cmake" in apt


def test_a_set_that_is_none(machine):
    done, _ = machine([], 0, "nonsense")
    assert done.returncode == 2 and "nonsense" in done.stderr


def test_every_target_has_its_set():
    with open(os.path.join(ROOT, "Makefile"), encoding="utf-8") as f:
        text = f.read()
    used = set(re.findall(r"\bsetup-([a-z-]+)", text)) - {"%"}
    assert used <= set(sets())
    for name in sets():
        assert packages(name)


def test_the_differential_step_has_what_its_oracle_needs():
    assert set(packages("oracle")) <= set(packages("check"))
