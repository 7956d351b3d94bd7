"""Every program of examples/ does what its first lines say: on Mote, and on the system's libcurl where it uses
nothing else.

MOTE_EXAMPLES: folder with the programs (build/release/examples)
"""
import contextlib
import os
import re
import shutil
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
sys.path.append(os.path.join(os.path.dirname(HERE), "e2e"))
from command_server import Command, Say  # noqa: E402
from ftp_server import QUIT, login, upload  # noqa: E402
from script import Call, ScriptServer  # noqa: E402
from listener import Closed  # noqa: E402
from server import CONTENT, CUT_AFTER, Server  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCES = os.path.join(ROOT, "examples")
NAMES = sorted(n[:-2] for n in os.listdir(SOURCES) if n.endswith(".c"))
OURS = os.environ.get("MOTE_EXAMPLES", os.path.join(ROOT, "build", "release", "examples"))
OURS_ONLY = {"memory_ceiling", "memory_need"}
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


@pytest.fixture
def srv():
    with Server() as s:
        yield s


@pytest.fixture(scope="session")
def on_libcurl(tmp_path_factory):
    """The programs, compiled with the system's libcurl."""
    where = tmp_path_factory.mktemp("libcurl")
    for name in NAMES:
        if name not in OURS_ONLY:
            subprocess.run(["cc", *STRICT, "-o", where / name, os.path.join(SOURCES, name + ".c"), "-lcurl", "-pthread"],
                           check=True)
    return str(where)


@pytest.fixture(params=["mote", "libcurl"])
def run(request, tmp_path):
    """run(name, arguments...): the finished program. On libcurl, Mote's own examples are left out."""
    def start(name, *args):
        if request.param == "mote":
            folder = OURS
        elif name in OURS_ONLY:
            pytest.skip("uses <mote/mote.h>")
        elif not os.path.exists("/usr/include/curl/curl.h") and not shutil.which("curl-config"):
            pytest.skip("the system has no libcurl to compile with")
        else:
            folder = request.getfixturevalue("on_libcurl")
        env = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
        return subprocess.run([os.path.join(folder, name), *map(str, args)], env=env, cwd=tmp_path,
                              capture_output=True, timeout=240)
    start.library = request.param
    return start


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", NAMES)
def test_is_c99_without_a_warning(name, compiler):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    p = subprocess.run([compiler, *STRICT, "-fsyntax-only", "-I", os.path.join(ROOT, "include"),
                        os.path.join(SOURCES, name + ".c")], capture_output=True, text=True)
    assert p.returncode == 0, p.stderr


@pytest.mark.parametrize("name", NAMES)
def test_says_how_it_is_used(run, name):
    p = run(name)
    assert p.returncode != 0 and p.stderr.startswith(f"usage: {name} ".encode())


ARGUMENTS = {"upload": ["in", "URL"], "parallel": ["URL", "out"], "resume": ["URL", "out"],
             "ftp_upload": ["in", "URL/", "name"], "send_mail": ["URL", "a@b.c", "d@e.f", "subject", "text"],
             "memory_ceiling": ["0", "URL"], "memory_need": ["9000000", "URL"], "share": ["URL", "URL"]}


@pytest.mark.parametrize("name", NAMES)
def test_no_listener(run, name, tmp_path):
    (tmp_path / "in").write_bytes(b"x")
    with contextlib.closing(Closed()) as refused:
        url = f"http://127.0.0.1:{refused.port}"
        p = run(name, *[a.replace("URL", url) for a in ARGUMENTS.get(name, ["URL"])])
    assert p.returncode == 1 and re.search(b"onnect", p.stdout + p.stderr)


def test_get(run, srv):
    p = run("get", srv.url + "/small")
    assert (p.returncode, p.stdout, p.stderr) == (0, b"hello world\n", b"")
    p = run("get", srv.url + "/gone")
    assert p.returncode == 1 and p.stdout == b"" and p.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_get_to_a_full_disk(srv):
    with open("/dev/full", "wb") as full:
        p = subprocess.run([os.path.join(OURS, "get"), srv.url + "/small"], stdout=full, stderr=subprocess.PIPE)
    assert p.returncode == 1 and p.stderr


def test_upload(run, srv, tmp_path):
    (tmp_path / "in").write_bytes(CONTENT)
    p = run("upload", "in", srv.url + "/put")
    assert p.returncode == 0 and srv.stored == CONTENT
    assert b"\r300000 of 300000 bytes sent" in p.stderr
    assert run("upload", "in", srv.url + "/gone").returncode == 1
    assert run("upload", "none", srv.url + "/put").returncode == 1


def test_upload_that_is_redirected(run, srv, tmp_path):
    (tmp_path / "in").write_bytes(CONTENT)
    assert run("upload", "in", srv.url + "/moved").returncode == 0 and srv.stored == CONTENT
    assert [path for _, path, _ in srv.seen] == ["/moved", "/put"]


@pytest.fixture
def scripted():
    server = ScriptServer()
    yield server
    server.close()


def test_ftp_upload(run, scripted, tmp_path):
    """It is renamed at the end; a name may have any character."""
    (tmp_path / "in").write_bytes(CONTENT)
    hello, *rest = login("me", "secret")
    scripted.script(hello, Command("AUTH SSL", "500 no"), Command("AUTH TLS", "500 no"), *rest, Command("CWD new", "550 no"),
                    Command("MKD new", "257 made"), Command("CWD new", "250 ok"), *upload("a b.part", CONTENT),
                    Command("RNFR a b.part", "350 go on"), Command("RNTO a b", "250 ok"), QUIT)
    p = run("ftp_upload", "in", f"ftp://me:secret@127.0.0.1:{scripted.port}/new/", "a b")
    assert (p.returncode, p.stderr) == (0, b"")


def test_send_mail(run, scripted, tmp_path):
    (tmp_path / "f.bin").write_bytes(b"\0\1\2")
    mail = []
    scripted.script(Say("220 hello"), Command("EHLO client.test", "250 hello"), Command("MAIL FROM:<a@b.c>", "250 ok"),
                    Command("RCPT TO:<d@e.f>", "250 ok"), Command("DATA", "354 go on"),
                    Call(lambda peer: mail.append(peer.until(b"\r\n.\r\n"))), Say("250 ok"), Command("QUIT", "221 bye"))
    p = run("send_mail", f"smtp://127.0.0.1:{scripted.port}/client.test", "a@b.c", "d@e.f", "greetings", "t\u00ebxt", "f.bin")
    assert (p.returncode, p.stderr) == (0, b"")
    head, _, body = mail[0].partition(b"\r\n\r\n")
    assert b"From: a@b.c\r\nTo: d@e.f\r\nSubject: greetings" in head
    assert b"t=C3=ABxt" in body and b'filename="f.bin"' in body and b"AAEC" in body


def test_upload_of_an_empty_file(run, srv, tmp_path):
    (tmp_path / "in").write_bytes(b"")
    assert run("upload", "in", srv.url + "/put").returncode == 0 and srv.stored == b""


def test_parallel(run, srv, tmp_path):
    pairs = []
    for i in range(120):
        pairs += [srv.url + ("/small" if i % 2 else "/large"), f"out{i}"]
    p = run("parallel", *pairs)
    assert p.returncode == 0 and p.stdout.count(b" bytes\n") == 120
    for i in range(120):
        assert (tmp_path / f"out{i}").read_bytes() == (b"hello world\n" if i % 2 else CONTENT)


def test_parallel_with_failures(run, srv, tmp_path):
    p = run("parallel", srv.url + "/gone", "a", srv.url + "/small", "b", srv.url + "/small", "no/such/folder",
            "nosuchscheme://x/", "c")
    assert p.returncode == 1 and p.stdout == f"{srv.url}/small: 12 bytes\n".encode()
    assert len(p.stderr.splitlines()) == 3 and (tmp_path / "b").read_bytes() == b"hello world\n"


def test_epoll(run, srv):
    urls = [srv.url + p for p in ["/small", "/large", "/first"] * 40]
    p = run("epoll", *urls)
    assert p.returncode == 0
    said = sorted(p.stdout.decode().splitlines())
    assert said == sorted(f"{u}: {302 if u.endswith('first') else 200}, No error" for u in urls)


def test_epoll_with_failures(run, srv):
    p = run("epoll", srv.url + "/small", srv.url + "/gone", srv.url + "/cut", "nosuchscheme://x/",
            srv.named_url + "/small")
    said = p.stdout.decode()
    assert p.returncode == 1 and len(said.splitlines()) == 5
    assert said.count("200, No error") == 2 and said.count(": 404, ") == 1


def test_memory_ceiling(run, srv):
    p = run("memory_ceiling", 0, srv.url + "/small")
    assert p.returncode == 0 and b" 0 refused" in p.stdout
    peak = int(re.search(rb"(\d+) at most, \d+ alloc", p.stdout).group(1))
    p = run("memory_ceiling", peak, srv.url + "/small")
    assert p.returncode == 0 and p.stdout.startswith(f"ceiling {peak}: No error\n".encode())
    p = run("memory_ceiling", peak - 1, srv.url + "/small")
    assert p.returncode == 0 and b"Out of memory" in p.stdout and b"\nceiling 0: No error\n" in p.stdout
    assert run("memory_ceiling", "many", srv.url + "/small").returncode == 2


def test_memory_need(run, srv):
    p = run("memory_need", 9000000, srv.url + "/small")
    assert p.returncode == 0
    need = int(re.search(rb"at most (\d+) bytes, no block above \d+\n", p.stdout).group(1))
    took = re.search(rb"took (\d+) of the (\d+) bytes", p.stdout)
    assert 0 < int(took.group(1)) <= int(took.group(2)) < need
    p = run("memory_need", need, srv.url + "/small")
    assert p.returncode == 0
    p = run("memory_need", need - 1, srv.url + "/small")
    assert p.returncode == 1 and b"refused: " in p.stdout and b"took" not in p.stdout
    p = run("memory_need", 9000000, "https" + srv.url.removeprefix("http") + "/small")
    assert p.returncode == 1 and b"need of memory is unknown" in p.stdout


def test_own_allocator(run, srv):
    p = run("own_allocator", srv.named_url + "/large")
    assert p.returncode == 0 and p.stdout.endswith(b"at the end: 0 bytes\n")
    assert int(re.search(rb"(\d+) allocations", p.stdout).group(1)) > 0


def test_resume_begins_and_goes_on(run, srv, tmp_path):
    out = tmp_path / "out"
    assert run("resume", srv.url + "/large", "out").returncode == 0 and out.read_bytes() == CONTENT
    out.write_bytes(CONTENT[:1000])
    assert run("resume", srv.url + "/large", "out").returncode == 0 and out.read_bytes() == CONTENT
    assert [r for _, _, r in srv.seen] == [None, "bytes=1000-"]


def test_resume_of_a_whole_file(run, srv, tmp_path):
    out = tmp_path / "out"
    out.write_bytes(CONTENT)
    assert run("resume", srv.url + "/large", "out").returncode == 0 and out.read_bytes() == CONTENT


def test_resume_of_a_file_that_is_too_long(run, srv, tmp_path):
    out = tmp_path / "out"
    out.write_bytes(CONTENT + b"more")
    assert run("resume", srv.url + "/large", "out").returncode == 0 and out.read_bytes() == CONTENT


def test_resume_after_cuts(run, srv, tmp_path):
    assert run("resume", srv.url + "/cut", "out").returncode == 0
    assert (tmp_path / "out").read_bytes() == CONTENT
    starts = range(CUT_AFTER, len(CONTENT), CUT_AFTER)
    assert [r for _, _, r in srv.seen] == [None] + [f"bytes={n}-" for n in starts]


def test_resume_without_ranges(run, srv, tmp_path):
    out = tmp_path / "out"
    out.write_bytes(b"the beginning of another file")
    assert run("resume", srv.url + "/no-ranges", "out").returncode == 0 and out.read_bytes() == CONTENT
    assert run("resume", srv.url + "/empty", "out").returncode == 0 and out.read_bytes() == b""


@pytest.mark.parametrize("there", [0, 1000])
@pytest.mark.parametrize("path", ["/gone", "/odd"])
def test_resume_leaves_the_file_alone_after_an_error(run, srv, tmp_path, path, there):
    out = tmp_path / "out"
    out.write_bytes(CONTENT[:there])
    assert run("resume", srv.url + path, "out").returncode == 1 and out.read_bytes() == CONTENT[:there]


def test_headers(run, srv):
    p = run("headers", srv.url + "/first")
    said = p.stdout.decode()
    assert p.returncode == 0
    parts = re.split(r"response (\d)\n", said)
    assert parts[1::2] == ["0", "1", "2"]
    assert "  X-Hop: 1  (1 of 2)\n" in parts[2] and "  X-Hop: one  (2 of 2)\n" in parts[2]
    assert "  Location: /small\n" in parts[4] and "  X-Hop: 2\n" in parts[4]
    assert "  Content-Length: 12\n" in parts[6] and said.endswith("the content is text/plain\n")
    assert run("headers", srv.url + "/large").stdout.endswith(b"the server does not say what the content is\n")


def test_share(run, srv):
    p = run("share", srv.named_url + "/small", srv.named_url + "/large")
    assert p.returncode == 0
    assert p.stdout.decode() == (f"{srv.named_url}/small: 12 bytes, No error\n"
                                 f"{srv.named_url}/large: 300000 bytes, No error\n")


def test_the_makefile(tmp_path, srv):
    """examples/Makefile with a pkg-config file that names this build."""
    library = next((d for d in (os.path.dirname(os.path.dirname(OURS)), os.path.dirname(OURS))
                    if os.path.exists(os.path.join(d, "libmote.so"))), None)
    if not library or not shutil.which("pkg-config"):
        pytest.skip("no libmote.so, or no pkg-config")
    for name in os.listdir(SOURCES):
        shutil.copy(os.path.join(SOURCES, name), tmp_path)
    (tmp_path / "mote.pc").write_text(f"Name: mote\nDescription: x\nVersion: 0\nCflags: -I{ROOT}/include\n"
                                      f"Libs: -L{library} -lmote\n")
    p = subprocess.run(["make", "-j2", "CC=cc -Werror"], cwd=tmp_path, capture_output=True, text=True,
                       env=dict(os.environ, PKG_CONFIG_PATH=str(tmp_path)))
    assert p.returncode == 0, p.stdout + p.stderr
    assert all((tmp_path / n).exists() for n in NAMES)
    p = subprocess.run([tmp_path / "get", srv.url + "/small"], capture_output=True,
                       env=dict(os.environ, LD_LIBRARY_PATH=library))
    assert (p.returncode, p.stdout) == (0, b"hello world\n")
