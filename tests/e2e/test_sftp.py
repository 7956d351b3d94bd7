"""SFTP with a real sshd. What is expected was watched on the newest libcurl."""

import base64
import hmac
import os
import select
import shutil
import socket
import threading

import pytest

import ssh_server
from mote_driver import Driver, by_library, crc, not_debian, pattern
from script import Close, Send

MB = pattern(1 << 20)


@pytest.fixture(scope="session")
def real(tmp_path_factory, certs, programs):
    if not ssh_server.PROGRAM:
        pytest.skip("there is no sshd")
    if Driver(programs).easy(URL="sftp://127.0.0.1:1/").perform().run()["h"].code == 1:
        pytest.skip("the library has no SFTP")
    server = ssh_server.Sshd(tmp_path_factory.mktemp("sshd"), certs)
    yield server
    server.close()


class ForcedSshd(ssh_server.Sshd):
    """Lets in those of another server, and answers each request with one command."""

    def __init__(self, folder, certs, other, command):
        self.more = f"ForceCommand {command}\n"
        super().__init__(folder, certs)
        shutil.copy(other.key + ".pub", self._path("authorized"))


@pytest.fixture
def sshd(real):
    real.empty()
    real.put("12.txt", b"hello world\n")
    return real


def get(drive, sshd, path, way="easy", **options):
    return drive.get(way, URL=sshd.url(path), **{**sshd.login(), **options})


def test_a_file_through_every_way_of_driving(drive, sshd, way):
    t = get(drive, sshd, "12.txt", way)
    assert (t.code, t.body) == (0, b"hello world\n")


@pytest.mark.parametrize("size", [0, 1, 32767, 32768, 32769, 524288, 524289, 3000001])
def test_sizes(drive, sshd, size):
    data = pattern(size)
    sshd.put("f", data)
    t = get(drive, sshd, "f")
    assert (t.code, t.length, t.crc) == (0, size, crc(data))


def test_a_connection_is_kept(drive, sshd):
    d = drive().easy(URL=sshd.url("12.txt"), **sshd.login())
    for _ in range(2):
        d.perform().getinfo("h", "NUM_CONNECTS", "FTP_ENTRY_PATH")
    first, second = d.run().all("h")
    assert (first.body, first.info["NUM_CONNECTS"], first.info["FTP_ENTRY_PATH"]) == (b"hello world\n", 1, sshd.home)
    assert (second.body, second.info["NUM_CONNECTS"], second.info["FTP_ENTRY_PATH"]) == (b"hello world\n", 0, sshd.home)


def test_there_is_no_such_file(drive, sshd):
    assert get(drive, sshd, "none").code == 78


def test_a_wrong_key(drive, sshd):
    other = sshd._path("other")
    assert get(drive, sshd, "12.txt", SSH_PRIVATE_KEYFILE=other, SSH_PUBLIC_KEYFILE=other + ".pub").code == 67


# ---- keys of the host

@pytest.mark.parametrize("change, code", [(str, 0), (str.upper, 0), (lambda text: "0" * 32, 60), (lambda text: text[:-1], 60)])
def test_the_md5_of_the_hosts_key(drive, sshd, change, code):
    assert get(drive, sshd, "12.txt", SSH_HOST_PUBLIC_KEY_MD5=change(sshd.md5("ecdsa"))).code == code


@pytest.mark.parametrize("change, code", [(str, 0), (lambda text: text.rstrip("="), 0), (lambda text: "A" + text[1:], 60),
                                          (lambda text: text[:10], 60)])
def test_the_sha256_of_the_hosts_key(drive, sshd, change, code):
    wanted = change(sshd.sha256("ecdsa"))
    assert get(drive, sshd, "12.txt", SSH_HOST_PUBLIC_KEY_SHA256=wanted).code == (code if wanted != sshd.sha256("ecdsa") else 0)


# ---- a part of a file

@pytest.mark.parametrize("options, code, body", [
    ({"RANGE": "2-4"}, 0, b"llo"), ({"RANGE": "6-"}, 0, b"world\n"), ({"RANGE": "-6"}, 0, b"world\n"),
    ({"RANGE": "6-100"}, 0, b"world\n"), ({"RANGE": "0-0"}, 0, b"h"), ({"RANGE": "-100"}, 0, by_library(b"hello world\n", b"ello world\n")),
    ({"RANGE": "13-14"}, by_library(33, 36), b""), ({"RESUME_FROM": 6}, 0, b"world\n"), ({"RESUME_FROM": 12}, by_library(33, 0), b""),
    ({"RESUME_FROM": 13}, by_library(33, 36), b""),
])
def test_a_part(drive, sshd, options, code, body):
    t = get(drive, sshd, "12.txt", **options)
    assert (t.code, t.body) == (code, body)


# ---- uploads

def put(drive, sshd, path, data, way="easy", scheme="sftp", **options):
    d = drive(way).easy(**{"URL": sshd.url(path, scheme), "UPLOAD": 1, **sshd.login(), **options})
    d.body("h", data).perform()
    return d.run()["h"]


def test_an_upload_through_every_way_of_driving(drive, sshd, way):
    assert put(drive, sshd, "up", b"some bytes", way, INFILESIZE=10).code == 0
    assert sshd.read("up") == b"some bytes"


@pytest.mark.parametrize("size", [0, 1, 31999, 32000, 32001, 600000, 3000001])
def test_sizes_of_uploads(drive, sshd, size):
    assert put(drive, sshd, "up", size, INFILESIZE=size).code == 0
    assert sshd.read("up") == pattern(size)


def test_an_upload_of_unknown_size(drive, sshd):
    assert put(drive, sshd, "up", 100000).code == 0
    assert sshd.read("up") == pattern(100000)


def test_a_shorter_upload_replaces_all(drive, sshd):
    sshd.put("up", b"x" * 100)
    assert put(drive, sshd, "up", b"abc").code == 0
    assert sshd.read("up") == b"abc"


@pytest.mark.parametrize("option", [{"APPEND": 1}, {"RESUME_FROM": -1}, {"RESUME_FROM": 3}])
def test_an_upload_goes_on(drive, sshd, option, ours_only):
    if "RESUME_FROM" in option:
        ours_only("libcurl 8.23 sends all of the source")
    sshd.put("up", b"abc")
    t = put(drive, sshd, "up", b"abcdef", **option)
    assert (t.code, sshd.read("up")) == (0, b"abcabcdef" if "APPEND" in option else b"abcdef")


def test_permissions(drive, sshd):
    assert put(drive, sshd, "up", b"abc", NEW_FILE_PERMS=0o600).code == 0
    assert os.stat(sshd.path("up")).st_mode & 0o777 == 0o600


def test_more_than_256_missing_directories(drive, sshd):
    """Their number was counted in a byte, so that they were made again and again."""
    name = "d//" + "e/" * 300
    assert put(drive, sshd, name + "up", b"abc", FTP_CREATE_MISSING_DIRS=1).code == 0
    assert sshd.read(name + "up") == b"abc"


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_missing_directories(drive, sshd, missing):
    t = put(drive, sshd, "a/b/up", b"abc", FTP_CREATE_MISSING_DIRS=missing, NEW_DIRECTORY_PERMS=0o700)
    assert t.code == (0 if missing else 78)
    if missing:
        assert sshd.read("a/b/up") == b"abc" and os.stat(sshd.path("a/b")).st_mode & 0o777 == 0o700


# ---- answers that are short

@pytest.fixture
def short(real, certs, tmp_path):
    servers = []

    def make(data, *way):
        (tmp_path / "data").write_bytes(data)
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "short_sftp.py")
        command = ["/usr/bin/python3", script, tmp_path / "data", tmp_path / "reads", *way]
        servers.append(ForcedSshd(tmp_path, certs, real, " ".join(map(str, command))))
        return servers[-1]

    make.reads = lambda: (tmp_path / "reads").read_text().count("\n")
    yield make
    for server in servers:
        server.close()


def test_reads_that_bring_nothing(drive, sshd, short):
    """They were asked for again without end."""
    t = drive.get(URL=short(b"data", "none").url("/f"), TIMEOUT=20, **sshd.login())
    assert (t.code, t.body) == (79, b"") and short.reads() <= 16


@pytest.mark.parametrize("way, begin, most", [(["all"], 0, 16), (["first"], 0, 60), (["to", 4096], 4095, 120), (["to", 32768], 100, 60),
                                              (["to", 32768], 27768, 120), (["most", 20000], 0, 60), (["most", 4096], 0, 120),
                                              (["most", 1000], 0, 340)], ids=str)
def test_reads_that_bring_less(drive, sshd, short, ours_only, way, begin, most):
    """One short answer does not make all that follow short."""
    ours_only("libcurl asks for other parts")
    data = pattern(300000)
    t = drive.get(URL=short(data, *way).url("/f"), RESUME_FROM=begin, TIMEOUT=40, **sshd.login())
    assert (t.code, t.length, t.crc) == (0, len(data) - begin, crc(data[begin:]))
    assert short.reads() <= most


# ---- directories

def test_a_directory(drive, sshd):
    sshd.put("b", b"")
    os.symlink("12.txt", sshd.path("link"))
    os.symlink("nowhere", sshd.path("dangling"))
    os.mkdir(sshd.path("dir"))
    t = get(drive, sshd, "")
    assert t.code == 0
    lines = t.body.decode().splitlines()
    assert sorted(line.split()[8] for line in lines) == sorted([".", "..", "12.txt", "b", "link", "dangling", "dir"])
    assert [line.split(" -> ")[1] for line in sorted(lines, key=lambda x: x.split()[8]) if " -> " in line] == ["nowhere", "12.txt"]


def test_names_alone(drive, sshd):
    for i in range(300):
        sshd.put(f"file{i}", b"")
    os.symlink("12.txt", sshd.path("link"))
    t = get(drive, sshd, "", DIRLISTONLY=1)
    assert sorted(t.body.decode().split()) == sorted([".", "..", "12.txt", "link"] + [f"file{i}" for i in range(300)])


def test_no_such_directory(drive, sshd):
    assert get(drive, sshd, "none/").code == 78


def test_the_home(drive, sshd):
    t = drive.get(URL=f"sftp://{sshd.user}@127.0.0.1:{sshd.port}/~/", DIRLISTONLY=1, **sshd.login())
    assert (t.code, sorted(t.body.decode().split("\n")[:-1])) == (0, sorted(os.listdir(sshd.home) + [".", ".."]))


# ---- commands

def quote(drive, sshd, *commands, option="QUOTE", **more):
    return get(drive, sshd, "12.txt", **{option: list(commands)}, **more)


@not_debian("libssh2 misreads the answer to a link")
def test_commands(drive, sshd):
    p = sshd.path
    t = quote(drive, sshd, "pwd", f"mkdir {p('d')}", f"rename {p('12.txt')} \"{p('with space')}\"", f"ln {p('d')} {p('l')}",
              f"chmod 751 {p('d')}", f"rename \"{p('with space')}\" {p('12.txt')}", f"mtime 19990101 {p('12.txt')}",
              f"atime \"1 Jan 1998\" {p('12.txt')}", f"*rm {p('none')}", f"*rmdir {p('none')}")
    assert (t.code, t.body, t.headers) == (0, b"hello world\n", [f'257 "{p("12.txt")}" is current directory.\n'.encode()])
    assert os.readlink(p("l")) == p("d") and os.stat(p("d")).st_mode & 0o777 == 0o751
    facts = os.stat(p("12.txt"))
    assert (int(facts.st_mtime), int(facts.st_atime)) == (915148800, 883612800) or facts.st_mtime == 915148800


@pytest.mark.parametrize("given, made", [("'{}/sq'", "sq"), ('"{}/dq"', "dq"), ("'{}/a\\'b'", "a'b"), ("'{}/x\"y'", 'x"y'),
                                         ("\"{}/x'y\"", "x'y"), ('"{}/c\\\\d"', "c\\d"), ("{}/a'b", "a'b"), ("'{}/a b' ", "a b")])
def test_a_name_in_quotes(drive, sshd, given, made):
    assert quote(drive, sshd, "mkdir " + given.format(sshd.root)).code == 0
    assert sorted(os.listdir(sshd.root)) == sorted(["12.txt", made])


@pytest.mark.parametrize("between", [" ", ""])
def test_two_names_in_quotes(drive, sshd, between):
    assert quote(drive, sshd, f"rename '{sshd.path('12.txt')}'{between}'{sshd.path('b c')}'", option="POSTQUOTE").code == 0
    assert os.listdir(sshd.root) == ["b c"]


@pytest.mark.parametrize("value", ["'751'", '"751"', "'0751'"])
def test_a_value_in_quotes(drive, sshd, value):
    t = quote(drive, sshd, f"chmod {value} '{sshd.path('12.txt')}'", f"mtime '1 Jan 1998' {sshd.path('12.txt')}")
    facts = os.stat(sshd.path("12.txt"))
    assert (t.code, facts.st_mode & 0o777, int(facts.st_mtime)) == (0, 0o751, 883612800)


@pytest.mark.parametrize("given", ["'{}/a", "'{}/a\\'", "'{}/a\\b'", '"{}/a\\b"', "'{}/a\\", "'{}/a\"",
                                   pytest.param("'{}/a'b", marks=not_debian("it is taken"))])
def test_quotes_that_are_wrong(drive, sshd, given):
    assert quote(drive, sshd, "mkdir " + given.format(sshd.root)).code == 21
    assert os.listdir(sshd.root) == ["12.txt"]


def test_commands_that_take_away(drive, sshd):
    os.mkdir(sshd.path("d"))
    t = quote(drive, sshd, f"rmdir {sshd.path('d')}", f"rm {sshd.path('12.txt')}", option="POSTQUOTE")
    assert (t.code, t.body, os.listdir(sshd.root)) == (0, b"hello world\n", [])


@pytest.mark.parametrize("command", ["nothing", "rm", "rename a", "rm /tmp/none/none", pytest.param("chmod 9 {}", marks=not_debian("the 9 is taken")), "chown x {}", "atime never {}",
                                     "rmdir /tmp/none", "mkdir /proc/a", "ln", "rm \"{}", "chmod 644 /tmp/none/none"])
def test_commands_that_fail(drive, sshd, command):
    t = quote(drive, sshd, command.format(sshd.path("12.txt")))
    assert (t.code, t.body) == (21, b"")


def test_statvfs(drive, sshd):
    t = quote(drive, sshd, f"statvfs {sshd.root}")
    lines = b"".join(t.headers).decode().splitlines()
    assert t.code == 0 and lines[0] == "statvfs:" and lines[11].startswith("f_namemax: ")


# ---- facts

def test_no_body(drive, sshd):
    t = get(drive, sshd, "12.txt", NOBODY=1, FILETIME=1, info=["FILETIME"])
    assert (t.code, t.body, t.info["FILETIME"]) == (0, b"", int(os.stat(sshd.path("12.txt")).st_mtime))


def test_the_time_of_a_file(drive, sshd):
    t = get(drive, sshd, "12.txt", FILETIME=1, info=["FILETIME", "CONTENT_LENGTH_DOWNLOAD_T", "SIZE_DOWNLOAD_T"])
    assert (t.code, t.info["FILETIME"], t.info["CONTENT_LENGTH_DOWNLOAD_T"], t.info["SIZE_DOWNLOAD_T"]) == (
        0, int(os.stat(sshd.path("12.txt")).st_mtime), 12, 12)


@not_debian("the size is not held against CURLOPT_MAXFILESIZE")
def test_a_larger_file_than_allowed(drive, sshd):
    assert get(drive, sshd, "12.txt", MAXFILESIZE=5).code == 63


# ---- SCP

def test_scp_through_every_way_of_driving(drive, sshd, way):
    t = drive.get(way, URL=sshd.url("12.txt", "scp"), **sshd.login())
    assert (t.code, t.body) == (0, b"hello world\n")


@pytest.mark.parametrize("size", [0, 1, 32768, 3000001])
def test_sizes_by_scp(drive, sshd, size):
    assert put(drive, sshd, "up", size, scheme="scp", INFILESIZE=size).code == 0
    assert sshd.read("up") == pattern(size)
    t = drive.get(URL=sshd.url("up", "scp"), **sshd.login())
    assert (t.code, t.length, t.crc) == (0, size, crc(pattern(size)))


def test_scp_to_a_full_disk(drive, sshd, way, ours_only):
    """The server says what became of a file when it has all of it."""
    ours_only("libcurl does not ask")
    t = put(drive, sshd, "/dev/full", 100000, way, scheme="scp", INFILESIZE=100000)
    assert (t.code, t.error) == (25, "The server ends the upload: scp: /dev/full: No space left on device")


TAKES = """#!/bin/sh
printf '\\0'
read -r line
printf '\\0'
head -c 5 > /dev/null
test "$(head -c 1 | tr '\\0' .)" = . || exit 1
printf '%b' "$(cat {d}/answer)"
"""


@pytest.mark.parametrize("answer,code,text", [
    ("\\0000", 0, ""), ("\\0000\\0000", 0, ""), ("\\0001", 25, "The server ends the upload: "), ("", 25, "The server has not confirmed the file"),
    ("\\0002bad", 25, "The server ends the upload: bad"), ("\\0001a\\n\\0000", 25, "The server ends the upload: a")])
def test_what_a_server_says_of_a_file_by_scp(drive, sshd, tmp_path, certs, ours_only, answer, code, text):
    ours_only("libcurl does not ask")
    (tmp_path / "answer").write_text(answer)
    (tmp_path / "takes").write_text(TAKES.format(d=tmp_path) + ("cat > /dev/null\n" if answer else ""))
    (tmp_path / "takes").chmod(0o755)
    server = ForcedSshd(tmp_path, certs, sshd, tmp_path / "takes")
    t = put(drive, sshd, "f", b"abcde", scheme="scp", INFILESIZE=5, URL=server.url("f", "scp"))
    server.close()
    assert (t.code, t.error) == (code, text)


def test_scp_needs_a_size(drive, sshd):
    assert put(drive, sshd, "up", 100, scheme="scp").code == 25


def test_scp_of_no_file(drive, sshd):
    assert drive.get(URL=sshd.url("none", "scp"), **sshd.login()).code == 78


def test_scp_keeps_its_connection(drive, sshd):
    d = drive().easy(URL=sshd.url("12.txt", "scp"), **sshd.login())
    for _ in range(3):
        d.perform().getinfo("h", "NUM_CONNECTS")
    assert [(t.code, t.body, t.info["NUM_CONNECTS"]) for t in d.run().all("h")] == [(0, b"hello world\n", 1)] + [(0, b"hello world\n", 0)] * 2


@pytest.mark.parametrize("size", [-1, -5, -(1 << 63)])
def test_scp_of_a_size_below_zero(drive, sshd, tmp_path, certs, ours_only, size):
    """More than the buffer holds comes after it."""
    ours_only("libcurl takes what comes")
    (tmp_path / "said").write_bytes(b"T1000000000 0 1000000000 0\nC0644 %d f\n" % size + bytes(100000))
    server = ForcedSshd(tmp_path, certs, sshd, f"cat {tmp_path}/said; cat")
    t = drive.get(URL=server.url("f", "scp"), **sshd.login(), info=["SIZE_DOWNLOAD_T"])
    server.close()
    assert (t.code, t.length, t.info["SIZE_DOWNLOAD_T"]) == (79, 0, 0)
    assert "size" in t.error


@pytest.mark.parametrize("scheme", ["sftp", "scp"])
def test_controls_and_signs_in_a_name(drive, sshd, scheme, ours_only):
    """They are bytes of the name: none ends the command, or the line in which SCP says the name. What followed a line
    end there was written to the file, as its content."""
    if scheme == "scp":
        ours_only("libcurl 8.23 writes the rest of the name to the file")
    names = [b"a" + bytes([byte]) + b";touch x" for byte in (*range(1, 33), 127, 128, 255, *b"!\"#$%&'()*;<>?[\\]`{|}~")]
    refused = [n for n in names if scheme == "scp" and b"\n" in n]
    d = drive().easy("h", UPLOAD=1, INFILESIZE=3, **sshd.login())
    for name in names:
        d.setopt("h", URL=sshd.url("".join(f"%{byte:02x}" for byte in name), scheme)).body("h", 3).perform()
    assert [t.code for t in d.run().all("h")] == [3 if name in refused else 0 for name in names]
    assert sorted(os.listdir(os.fsencode(sshd.path("")))) == sorted([b"12.txt"] + [n for n in names if n not in refused])


# ---- known hosts

def known_hosts(sshd, tmp_path, *lines):
    path = tmp_path / "known_hosts"
    path.write_text("".join(line + "\n" for line in lines))
    return str(path)


def key_line(sshd, kind, name=None, of=None):
    public = " ".join((of or sshd).public(kind))
    return f"{name or f'[127.0.0.1]:{sshd.port}'} {public}"


def hashed(sshd, kind):
    salt = b"12345678901234567890"
    name = hmac.new(salt, f"[127.0.0.1]:{sshd.port}".encode(), "sha1").digest()
    return f"|1|{base64.b64encode(salt).decode()}|{base64.b64encode(name).decode()} " + " ".join(sshd.public(kind))


@pytest.mark.parametrize("kind", ssh_server.KINDS)
@pytest.mark.parametrize("form", ["plain", "several", "hashed", "comment"])
def test_a_known_host(drive, sshd, tmp_path, kind, form):
    line = {"plain": key_line(sshd, kind), "several": key_line(sshd, kind, f"other,[127.0.0.1]:{sshd.port},more"),
            "hashed": hashed(sshd, kind), "comment": key_line(sshd, kind) + " a comment"}[form]
    path = known_hosts(sshd, tmp_path, "# a comment", "", "elsewhere " + " ".join(sshd.public("rsa")), line,
                       "elsewhere2 " + " ".join(sshd.public("rsa")))
    assert get(drive, sshd, "12.txt", SSH_KNOWNHOSTS=path).code == 0


def test_lines_that_are_no_hosts(drive, sshd, tmp_path, ours_only):
    ours_only("libcurl reads nothing of such a file")
    path = known_hosts(sshd, tmp_path, "broken", "x" * 40000, "|1|a|b", "a " + "b" * 16384, key_line(sshd, "ecdsa"), "x" * 40000)
    assert get(drive, sshd, "12.txt", SSH_KNOWNHOSTS=path).code == 0


def wrong_key(sshd):
    """A line for the server with the user's key."""
    with open(sshd.key + ".pub") as f:
        return f"[127.0.0.1]:{sshd.port} " + " ".join(f.read().split()[:2])


def test_an_unknown_host(drive, sshd, tmp_path):
    path = known_hosts(sshd, tmp_path, "elsewhere " + " ".join(sshd.public("ecdsa")))
    assert get(drive, sshd, "12.txt", SSH_KNOWNHOSTS=path).code == 60
    assert get(drive, sshd, "12.txt", SSH_KNOWNHOSTS=str(tmp_path / "none")).code == 60


def test_a_host_with_another_key(drive, sshd, tmp_path):
    assert get(drive, sshd, "12.txt", SSH_KNOWNHOSTS=known_hosts(sshd, tmp_path, wrong_key(sshd))).code == 60


def test_a_host_with_several_keys(drive, sshd, tmp_path):
    path = known_hosts(sshd, tmp_path, wrong_key(sshd), key_line(sshd, "ecdsa"))
    assert get(drive, sshd, "12.txt", SSH_KNOWNHOSTS=path).code == 0


class OneKeySshd(ssh_server.Sshd):
    """Shows a key of one type. It has others, which are known to be its own, but does not show them."""

    kinds = ("ecdsa",)


@pytest.fixture(scope="session")
def one_key(real, tmp_path_factory, certs):
    server = OneKeySshd(tmp_path_factory.mktemp("one_key"), certs)
    server.put("12.txt", b"hello world\n")
    server.make_key("host_384", "ecdsa", "-b", "384", "-N", "")
    yield server
    server.close()


SECURITY_KEY = ("sk-ssh-ed25519@openssh.com "
                "AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIJGXX0DTvHSY6yTDLlAqWiYrDlJPfSrDjjQnxVVLOSqQAAAABHNzaDo=")


def known_by_others(server, form):
    """Lines with keys of the server of other types than the one that it shows."""
    return {"rsa": [key_line(server, "rsa")], "ed25519": [key_line(server, "ed25519")], "curve": [key_line(server, "384")],
            "hashed": [hashed(server, "rsa")], "unknown": [f"[127.0.0.1]:{server.port} {SECURITY_KEY}"],
            "several": ["# a comment", key_line(server, "rsa", f"a,[127.0.0.1]:{server.port}"), key_line(server, "ed25519")]}[form]


FORMS = ("rsa", "ed25519", "curve", "hashed", "unknown", "several")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scheme", ["sftp", "scp"])
def test_a_known_host_with_a_key_of_another_type(drive, one_key, tmp_path, form, scheme):
    """It is not unknown, so that no function adds the key: another server may show a key of any type."""
    lines = known_by_others(one_key, form)
    path = known_hosts(one_key, tmp_path, *lines)
    d = drive().easy(URL=one_key.url("12.txt", scheme), SSH_KNOWNHOSTS=path, **one_key.login()).enable("h", "sshkey")
    run = d.on("h", "sshkey", "call", 1, "return", 0).perform().run()  # CURLKHSTAT_FINE_ADD_TO_FILE
    assert (run["h"].code, run["h"].body, run.of("sshkey", "h")) == (79 if form == "unknown" else 2, b"", [])
    assert open(path).read().splitlines() == lines


@not_debian("the file is consulted")
@pytest.mark.parametrize("form", FORMS)
def test_a_fingerprint_of_a_key_of_another_type(drive, one_key, tmp_path, form):
    path = known_hosts(one_key, tmp_path, *known_by_others(one_key, form))
    for print_of in ({"SSH_HOST_PUBLIC_KEY_SHA256": one_key.sha256("ecdsa")}, {"SSH_HOST_PUBLIC_KEY_MD5": one_key.md5("ecdsa")}):
        assert get(drive, one_key, "12.txt", SSH_KNOWNHOSTS=path, **print_of).code == 0


@pytest.mark.parametrize("first", ["rsa", "ecdsa"])
def test_a_known_type_among_others(drive, one_key, tmp_path, ours_only, first):
    ours_only("libcurl takes the type of the first line")
    lines = [key_line(one_key, first), key_line(one_key, "rsa"), f"[127.0.0.1]:{one_key.port} {SECURITY_KEY}", key_line(one_key, "ecdsa")]
    assert get(drive, one_key, "12.txt", SSH_KNOWNHOSTS=known_hosts(one_key, tmp_path, *lines)).code == 0


def test_a_known_key_makes_no_connection_of_others(drive, sshd, tmp_path, ours_only):
    """A kept connection whose server was not looked at is none for a transfer that wants that."""
    ours_only("libcurl uses the kept connection")
    d = drive().easy(URL=sshd.url("12.txt"), **sshd.login()).perform()
    d.setopt("h", SSH_KNOWNHOSTS=known_hosts(sshd, tmp_path, wrong_key(sshd))).perform()
    assert [t.code for t in d.run().all("h")] == [0, 60]


# ---- what the server or the path breaks

class Relay:
    """Passes bytes on to sshd, and closes when so many have come from it."""

    def __init__(self, port, most):
        self.port, self.most = port, most
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        client, server = self.listener.accept()[0], socket.create_connection(("127.0.0.1", self.port))
        with client, server:
            while self.most:
                for ready in select.select([client, server], [], [])[0]:
                    data = ready.recv(self.most if ready is server else 65536)
                    if not data:
                        return
                    (client if ready is server else server).sendall(data)
                    self.most -= len(data) if ready is server else 0

    def close(self):
        self.listener.close()


@pytest.mark.parametrize("scheme", ["sftp", "scp"])
@pytest.mark.parametrize("most", [1, 20, 41, 60, 500, 1100, 1300, 1600, 1700, 1900, 2100, 2300, 2500, 2700, 2900, 3100, 3300, 4000,
                                  5000, 70000])
def test_a_connection_that_breaks(drive, sshd, scheme, most):
    sshd.put("f", pattern(100000))
    relay = Relay(sshd.port, most)
    t = drive.get(URL=sshd.url("f", scheme, relay.listener.getsockname()[1]), **sshd.login())
    relay.close()
    assert t.code in (2, 18, 55, 56, 67, 79) and t.length < 100000


@pytest.mark.parametrize("said", [b"HTTP/1.1 400 Bad\r\n\r\n", b"SSH-1.5-old\r\n", b"", b"x" * 300000])
def test_a_server_that_speaks_no_ssh(drive, make_server, said):
    server = make_server()
    server.script(Send(said), Close())
    assert drive.get(URL=f"sftp://user:pw@127.0.0.1:{server.port}/f").code in (2, 55, 56, 79)


# ---- pauses and limits

def test_a_pause(drive, sshd, multi_way):
    data = pattern(1000000)
    sshd.put("f", data)
    d = drive(multi_way).easy(URL=sshd.url("f"), NOPROGRESS=0, **sshd.login()).enable("h", "xferinfo")
    d.on("h", "write", "bytes", 200000, "pause").on("h", "xferinfo", "every", 1, "unpause", "h")
    d.perform()
    t = d.run()["h"]
    assert (t.code, t.length, t.crc) == (0, 1000000, crc(data))


def test_a_speed_limit(drive, sshd):
    data = pattern(60000)
    sshd.put("f", data)
    t = get(drive, sshd, "f", MAX_RECV_SPEED_LARGE=100000)
    assert (t.code, t.length, t.crc) == (0, 60000, crc(data))
