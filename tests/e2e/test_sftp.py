"""SFTP with a real sshd. What is expected was watched on the newest libcurl."""

import pytest

import ssh_server
from mote_driver import Driver, crc, pattern

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
