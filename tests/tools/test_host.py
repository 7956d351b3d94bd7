"""curl_version_info()->host and mote -V name the machine and the system, as libcurl of that system does (port/host.h)."""
import os
import re
import shutil
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HOST = os.path.join(ROOT, "src", "port", "host.h")
# clang's name of a target: its GNU triplet, with the vendor that libcurl's builds have there
TARGETS = {
    "x86_64-linux-gnu": "x86_64-pc-linux-gnu", "aarch64-linux-gnu": "aarch64-unknown-linux-gnu",
    "arm-linux-gnueabihf": "arm-unknown-linux-gnueabihf", "arm-linux-gnueabi": "arm-unknown-linux-gnueabi",
    "i686-linux-gnu": "i686-pc-linux-gnu", "mips64el-linux-gnuabi64": "mips64el-unknown-linux-gnuabi64",
    "mipsel-linux-gnu": "mipsel-unknown-linux-gnu", "powerpc64le-linux-gnu": "powerpc64le-unknown-linux-gnu",
    "riscv64-linux-gnu": "riscv64-unknown-linux-gnu", "s390x-linux-gnu": "s390x-ibm-linux-gnu",
    "aarch64-apple-darwin": "aarch64-apple-darwin", "x86_64-unknown-freebsd": "x86_64-unknown-freebsd",
    "x86_64-unknown-netbsd": "x86_64-unknown-netbsd", "x86_64-unknown-openbsd": "x86_64-unknown-openbsd",
    "x86_64-unknown-dragonfly": "x86_64-unknown-dragonfly",
}


@pytest.mark.skipif(not shutil.which("clang"), reason="no clang")
@pytest.mark.parametrize("target", TARGETS)
def test_every_machine_has_its_name(target):
    done = subprocess.run(["clang", f"--target={target}", "-nostdinc", "-D__GLIBC__=2", "-E", "-P", "-include", HOST, "-"],
                          input="MOTE_HOST\n", check=True, capture_output=True, text=True)
    assert "".join(re.findall(r'"([^"]*)"', done.stdout)) == TARGETS[target]


def test_as_the_systems_curl():
    first = {program: subprocess.run([program, "-V"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
             for program in (os.environ.get("MOTE", os.path.join(ROOT, "build", "mote")), "/usr/bin/curl")}
    assert len({re.search(r"\(([^)]*)\)", line).group(1) for line in first.values()}) == 1
