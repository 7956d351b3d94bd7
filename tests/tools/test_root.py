"""tools/root: a root that stays fresh, what is kept by a name, the tree inside, and that nothing is left of a run.

debootstrap is a program of the test's here, which makes a root of a few programs of the machine's; tools/fresh.py uses
the real one."""
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import debianroot  # noqa: E402
import fresh  # noqa: E402
import platforms  # noqa: E402

needs_root = pytest.mark.skipif(bool(debianroot.why_not()), reason=str(debianroot.why_not()))
PROGRAMS = ("sh", "cat", "ls", "touch", "rm", "sleep", "mkdir", "readlink")
BOOTSTRAP = """#!/bin/sh
for last; do case $last in /*) new=$last ;; esac; done
echo made >>{made}
cp -a {model} "$new"
"""
APT_GET = """#!/bin/sh
case $1 in indextargets) exec cat {targets} ;; esac
exec {real} "$@"
"""
REFUSING_MOUNT = """#!/bin/sh
case "$*" in *overlay*) echo refused >&2; exit 32 ;; esac
exec {mount} "$@"
"""


def program(path, text):
    path.write_text(text)
    path.chmod(0o755)


def copy_with_libraries(name, model):
    real = shutil.which(name)
    libraries = re.findall(r"(/\S+) \(0x", subprocess.run(["ldd", real], capture_output=True, text=True).stdout)
    for source, target in [(real, f"/bin/{name}"), *((x, x) for x in libraries)]:
        os.makedirs(os.path.dirname(f"{model}{target}"), exist_ok=True)
        shutil.copy(source, f"{model}{target}")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """What the test's debootstrap makes."""
    folder = tmp_path_factory.mktemp("model")
    for name in PROGRAMS:
        copy_with_libraries(name, folder)
    for name in ("proc", "sys", "dev", "mnt", "root", "srv", "tmp", "etc/apt/apt.conf.d", "var/cache/apt/archives"):
        (folder / name).mkdir(parents=True)
    (folder / "etc/apt/sources.list").write_text("deb http://default.test/debian bookworm main\n")
    program(folder / "bin/update-ca-certificates", "#!/bin/sh\nls /usr/local/share/ca-certificates >/etc/authorities\n")
    (folder / "etc/first").write_text("first")
    return folder


@pytest.fixture(scope="module")
def targets(tmp_path_factory):
    """What apt says of its mirrors, asked once: it thinks for a second."""
    kept = tmp_path_factory.mktemp("apt") / "targets"
    if shutil.which("apt-get"):
        kept.write_bytes(subprocess.run(["apt-get", "indextargets", "--no-release-info", "--format", debianroot.TARGETS],
                                        stdout=subprocess.PIPE, check=True).stdout)
    return kept


@pytest.fixture
def machine(tmp_path, model, targets):
    """start(*arguments): tools/root with a cache folder and programs of the test's own."""
    made = tmp_path / "made"
    (tmp_path / "bin").mkdir()
    program(tmp_path / "bin" / "debootstrap", BOOTSTRAP.format(made=made, model=model))
    if targets.exists():
        program(tmp_path / "bin" / "apt-get", APT_GET.format(targets=targets, real=shutil.which("apt-get")))
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}

    class Machine:
        environment = env
        roots = tmp_path / "cache" / "mote" / "roots"
        bin = tmp_path / "bin"

        def start(self, *arguments, **more):
            return subprocess.Popen([os.path.join(ROOT, "tools", "root"), *arguments], env=env, text=True,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

        def run(self, *arguments):
            p = self.start(*arguments)
            out, err = p.communicate(timeout=120)
            return p.returncode, out, err

        def sh(self, text, *options):
            status, out, err = self.run(*options, "--no-tree", "bookworm", "sh", "-c", text)
            assert status == 0, err
            return out

        def made(self):
            return len(made.read_text().splitlines()) if made.exists() else 0

        def running(self):
            return os.listdir(self.roots / "runs")
    return Machine()


@needs_root
def test_it_is_made_once_and_stays_fresh(machine):
    assert machine.sh("cat /etc/first; touch /etc/second; rm /etc/first") == "first"
    assert machine.sh("cat /etc/first; ls /etc/second || :") == "first"
    assert machine.made() == 1 and machine.running() == []
    machine.sh(":", "--renew")
    assert machine.made() == 2


@needs_root
def test_the_status_is_the_commands(machine):
    assert machine.run("--no-tree", "bookworm", "sh", "-c", "exit 7")[0] == 7
    assert machine.run("--no-tree", "bookworm", "sh", "-c", "kill -9 $$")[0] == 137
    status, _, err = machine.run("--no-tree", "bookworm", "nonsense")
    assert status == 127 and "nonsense" in err


@needs_root
@pytest.mark.parametrize("overlay", [True, False], ids=["overlay", "copy"])
def test_what_is_kept_by_a_name(machine, overlay):
    if not overlay:
        program(machine.bin / "mount", REFUSING_MOUNT.format(mount=shutil.which("mount")))
    machine.sh("touch /etc/kept", "--keep", "one")
    machine.sh("ls /etc/kept && touch /etc/more && rm /etc/first", "--keep", "one")
    assert machine.sh("ls /etc/kept /etc/more; touch /etc/lost", "--on", "one") == "/etc/kept\n/etc/more\n"
    assert machine.sh("ls /etc", "--on", "one").split() == ["apt", "authorities", "hosts", "kept", "more",
                                                            "resolv.conf"]
    assert "kept" not in machine.sh("ls /etc")
    status, _, err = machine.run("--no-tree", "--on", "two", "bookworm", "sh")
    assert status == 2 and "tools/root --keep two bookworm" in err


@needs_root
def test_a_platforms_root_is_made_again_for_other_packages(machine, monkeypatch):
    """A row that got more packages was built in the root that it had."""
    for name in ("XDG_CACHE_HOME", "PATH"):
        monkeypatch.setenv(name, machine.environment[name])

    class WithoutTree(debianroot.Run):
        def __init__(self, *arguments, **more):
            super().__init__(*arguments, tree=False, **more)
    monkeypatch.setattr(debianroot, "Run", WithoutTree)
    kept = debianroot.Kept("bookworm")
    kept.make()

    def make(command, packages):
        status = platforms.make_root(kept, "row", (), command, packages)
        return status or [x for x in machine.sh("ls /etc", "--on", "row").split() if x.startswith("by")]
    assert make("touch /etc/by-one", "few") == ["by-one"]
    assert make("touch /etc/by-two", "few") == ["by-one"]
    assert make("touch /etc/by-three", "more") == ["by-three"]
    assert make("touch /etc/by-four; exit 7", "most") == 7
    assert make("touch /etc/by-five", "most") == ["by-five"]


@needs_root
def test_devices_names_and_memory_are_there(machine):
    text = machine.sh("for d in null zero full random urandom tty ptmx; do [ -c /dev/$d ] || echo no $d; done; "
                      "cat /etc/hosts; ls /proc/self >/dev/null; touch /dev/shm/x; cat /etc/apt/sources.list; ls /mnt")
    assert "no " not in text and "127.0.0.1 localhost" in text and " bookworm main" in text


@needs_root
def test_the_tree_has_the_files_that_git_knows_as_they_are(machine, tmp_path, monkeypatch):
    tree = tmp_path / "tree"
    (tree / "tools").mkdir(parents=True)
    for name in ("root", "debianroot.py"):
        shutil.copy(os.path.join(ROOT, "tools", name), tree / "tools")
    for name in ("changed", "removed"):
        (tree / name).write_text("old")
    git = ["git", "-C", str(tree), "-c", "user.name=a", "-c", "user.email=a@b"]
    for cmd in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *cmd], check=True)
    (tree / "changed").write_text("new")
    (tree / "removed").unlink()
    (tree / "unknown").touch()
    (tree / "build").mkdir()
    p = subprocess.run([tree / "tools/root", "bookworm", "sh", "-c", "ls -A; cat changed; mkdir build"], text=True,
                       env={**os.environ, "XDG_CACHE_HOME": str(machine.roots.parent.parent),
                            "PATH": f"{machine.bin}:{os.environ['PATH']}"}, capture_output=True, check=True)
    assert p.stdout.split() == [".git", "changed", "tools", "new"]


@needs_root
def test_packages_are_kept_and_an_older_version_goes(machine):
    archives = "/var/cache/apt/archives"
    machine.sh(f"touch {archives}/a_1_all.deb {archives}/b_1_all.deb {archives}/lock")
    assert machine.sh(f"ls {archives}; touch {archives}/a_2_all.deb").split() == ["a_1_all.deb", "b_1_all.deb"]
    assert machine.sh(f"ls {archives}; rm {archives}/b_1_all.deb").split() == ["a_2_all.deb", "b_1_all.deb"]
    assert "b_1_all.deb" in machine.sh(f"ls {archives}")


def ended(pids):
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if not any(os.path.exists(f"/proc/{pid}/root") and marked(pid) for pid in pids):
            return True
        time.sleep(0.05)
    return False


# A number alone stands in other command lines too, such as that of a temporary folder.
STAYS = f"sleep 987.{os.getpid()}"


def marked(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as f:
            return STAYS.split()[1].encode() in f.read()
    except OSError:
        return False


@needs_root
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_of_a_run_that_is_interrupted(machine, how):
    machine.sh(":")
    mounts = open("/proc/self/mounts", encoding="utf-8").read()
    p = machine.start("--no-tree", "bookworm", "sh", "-c", f"{STAYS} & echo up; {STAYS}", start_new_session=True)
    assert p.stdout.readline() == "up\n"
    pids = [pid for pid in os.listdir("/proc") if pid.isdigit() and marked(pid)]
    assert pids
    p.send_signal(how)
    p.communicate(timeout=60)
    assert p.returncode and ended(pids)
    assert open("/proc/self/mounts", encoding="utf-8").read() == mounts
    if how == signal.SIGKILL:
        machine.sh(":")  # the next one removes what that has left
    assert machine.running() == []


@needs_root
def test_processes_that_stay_end_with_the_command(machine):
    machine.sh(f"{STAYS} >/dev/null 2>&1 & :")
    assert ended([pid for pid in os.listdir("/proc") if pid.isdigit() and marked(pid)])


@needs_root
def test_what_is_bound_is_a_folder(machine, tmp_path):
    (tmp_path / "file").touch()
    status, _, err = machine.run("--bind", f"{tmp_path}/file:/file", "--no-tree", "bookworm", "true")
    assert (status, err) == (2, f"root: --bind: not a folder: {tmp_path}/file\n")


def test_what_is_missing_is_said(machine, monkeypatch, tmp_path):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "root" in debianroot.why_not()
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    kept = debianroot.Kept("bookworm", "amd64")
    monkeypatch.setattr(debianroot.shutil, "which", lambda name: None if name == "debootstrap" else name)
    with pytest.raises(debianroot.Refused, match="apt-get install debootstrap"):
        kept.make()
    with pytest.raises(debianroot.Refused, match="suite"):
        debianroot.Kept("../x")


def test_the_mirror_is_the_machines(monkeypatch):
    rows = ["Packages|http://a.test/x/|stable|main", "Packages|http://s.test/|stable-security|main",
            "Packages|http://other.test/|stable|stable", "DEP-11|http://b.test/|stable|main",
            "Packages|file:/c/|stable|main"]
    monkeypatch.setattr(debianroot, "output", lambda *cmd, cwd=None: "\n".join(rows))
    monkeypatch.setattr(debianroot.shutil, "which", lambda name: name)
    assert debianroot.sources("trixie", True) == [
        "deb http://a.test/x trixie main", "deb http://a.test/x trixie-updates main",
        "deb http://s.test trixie-security main", "deb http://a.test/x trixie-backports main"]
    assert debianroot.sources("sid", False) == ["deb http://a.test/x sid main"]
    rows.clear()
    assert debianroot.sources("trixie", False) == ["deb  trixie main"]  # with debootstrap's own


# --- tools/fresh.py ---

def test_the_first_screen_is_what_a_reader_pastes():
    assert fresh.first_screen(fresh.readme()) == [
        ("make", ["build/mote", "build/libmote.so", "build/libmote.a"]), ("make demo", [])]


def test_the_list_of_packages_is_compared_with_the_set():
    text, library = fresh.readme(), fresh.setup("--print", "library")
    assert fresh.list_problem(text, library) == ""
    assert "libssh2-1-dev" in fresh.list_problem(text.replace(" and libssh2", ""), library)
    assert "libfoo" in fresh.list_problem(text.replace("libpsl,", "libpsl, libfoo,"), library)
    assert "libssl-dev" in fresh.list_problem(text, [p for p in library if p != "libssl-dev"])


def test_every_set_has_a_row():
    sets = fresh.setup("--sets")
    assert set(fresh.SUFFICES) == set(sets) and set(fresh.CONTAINS) <= set(sets)


def test_a_newer_suite_is_made_like_the_one_in_the_works(tmp_path, monkeypatch):
    monkeypatch.setattr(debianroot, "SCRIPTS", str(tmp_path))
    assert debianroot.script_of("forky") == []
    for name in ("sid", "trixie"):
        (tmp_path / name).touch()
    assert debianroot.script_of("trixie") == [] and debianroot.script_of("forky") == [str(tmp_path / "sid")]
