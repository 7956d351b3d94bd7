"""Kept connections of SSH that end during the next transfer, whose request may be made again only while nothing has
answered it."""

import pytest

from mote_driver import by_library
from ssh_logins import PASSWORD, USER, Account, LoginServer, asyncssh
from test_sftp import ForcedSshd, real  # noqa: F401

MUCH = 5 << 20  # bytes, more than the server's window lets through before it reads
LOGIN = {"USERNAME": USER, "PASSWORD": PASSWORD}


class Files(asyncssh.SFTPServer if asyncssh else object):
    """Notes what is asked for, and ends the connection at what the server says."""

    def __init__(self, server, channel):
        self.server = server
        super().__init__(channel, chroot=server.root.encode())

    def note(self, what):
        self.server.seen.append(what)
        if what == self.server.leaves:
            self.server.leaves = None
            self.connection.abort()
            raise asyncssh.SFTPFailure("it is not done")

    def mkdir(self, path, attrs):
        self.note("mkdir")
        return super().mkdir(path, attrs)

    def rmdir(self, path):
        self.note("rmdir")
        return super().rmdir(path)

    def open(self, path, pflags, attrs):
        self.note("open")
        return super().open(path, pflags, attrs)

    def write(self, file_obj, offset, data):
        self.note("write")
        return super().write(file_obj, offset, data)


class LeavingServer(LoginServer):
    """leaves: at which request it ends the connection, once; seen: requests."""

    async def listen(self, host_key):
        return await asyncssh.create_server(lambda: Account(self), "127.0.0.1", 0, server_host_keys=[host_key], allow_scp=True,
                                            sftp_factory=lambda channel: Files(self, channel))

    def url(self, scheme="sftp"):
        return f"{scheme}://127.0.0.1:{self.port}/f"


@pytest.fixture
def leaving(real, tmp_path):  # noqa: F811
    if not asyncssh:
        pytest.skip("there is no python3-asyncssh")
    (tmp_path / "f").write_bytes(b"a file")
    server = LeavingServer(tmp_path, real._path("host_ecdsa"))
    server.reset("password")
    server.leaves, server.seen = None, []
    yield server
    server.close()


def after_a_file(drive, server, scheme, leaves, **options):
    """A transfer on the connection that has brought a file. Returns its code, and what the server has seen of it."""
    d = drive().easy(URL=server.url(scheme), **LOGIN).enable("h", "seek").perform("h")
    server.leaves = leaves
    t, last = d.setopt("h", **options).body("h", MUCH).perform("h").run().all("h")
    assert t.code == 0
    return last.code, server.seen[1:]


@pytest.mark.parametrize("leaves", ["mkdir", None])
def test_a_connection_that_ends_before_an_answer(drive, leaving, ours_only, leaves):
    """It may have been dead before."""
    ours_only("libcurl reports the end")
    commands = {"QUOTE": ["mkdir /made"]}
    asked = 2 if leaves else 1
    code, seen = after_a_file(drive, leaving, "sftp", leaves, **commands)
    assert (code, seen.count("mkdir"), seen.count("open")) == (0, asked, 1)


def test_a_command_that_was_answered_is_not_repeated(drive, leaving):
    code, seen = after_a_file(drive, leaving, "sftp", "rmdir", QUOTE=["mkdir /made", "rmdir /made"])
    assert (code, seen) == (by_library(56, 21), ["mkdir", "rmdir"])


def test_an_upload_that_was_answered_is_not_repeated(drive, leaving):
    code, seen = after_a_file(drive, leaving, "sftp", "write", UPLOAD=1, INFILESIZE=MUCH)
    assert code in (55, 56, 79)
    assert seen.count("open") == 1


LEAVES = """#!/bin/sh
echo >> {d}/runs
test $(wc -l < {d}/runs) = 2 || eval "exec $SSH_ORIGINAL_COMMAND"
printf '\\0\\0'
head -c 100 > /dev/null
kill -9 $PPID
"""


def test_an_upload_by_scp_that_was_answered_is_not_repeated(drive, real, certs, tmp_path):  # noqa: F811
    """The server's second program lets the client send, and ends the connection."""
    (tmp_path / "leaves").write_text(LEAVES.format(d=tmp_path))
    (tmp_path / "leaves").chmod(0o755)
    server = ForcedSshd(tmp_path, certs, real, tmp_path / "leaves")
    server.put("f", b"a file")
    d = drive().easy(URL=server.url("f", "scp"), **real.login()).enable("h", "seek").perform("h")
    first, t = d.setopt("h", UPLOAD=1, INFILESIZE=MUCH).body("h", MUCH).perform("h").getinfo("h", "NUM_CONNECTS").run().all("h")
    server.close()
    assert (first.code, first.body) == (0, b"a file")
    assert t.code in (55, 56, 79)
    assert (t.info["NUM_CONNECTS"], len((tmp_path / "runs").read_text())) == (0, 2)
