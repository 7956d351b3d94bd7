"""How a user logs in to a server of SSH, and how its key is judged by the application."""

import base64
import os
import select
import socket
import subprocess
import threading
import time

import pytest

import ssh_logins
from mote_driver import SANITIZED, by_library, crc, not_debian
from proxies import Socks5, Tunnel
from ssh_logins import PASSWORD, USER
from test_sftp import Relay, get, key_line, known_hosts, real, sshd, wrong_key  # noqa: F401

PUBLICKEY, PASSWORDS, HOST, KEYBOARD, AGENT = 1, 2, 4, 8, 16  # CURLSSH_AUTH_*
FINE_ADD, FINE, REJECT, DEFER, FINE_REPLACE = range(5)  # CURLKHSTAT_*
MATCH, MISMATCH, MISSING = range(3)  # CURLKHMATCH_*
ECDSA = 4  # CURLKHTYPE_ECDSA
WAYS = ("publickey", "password", "keyboard-interactive")


@pytest.fixture(scope="session")
def all_logins(real, tmp_path_factory):  # noqa: F811
    if not ssh_logins.asyncssh:
        pytest.skip("there is no python3-asyncssh")
    root = tmp_path_factory.mktemp("logins")
    (root / "f").write_bytes(b"a file")
    server = ssh_logins.LoginServer(root, real._path("host_ecdsa"))
    server.keys.append(ssh_logins.asyncssh.read_public_key(real.key + ".pub"))
    server.key = {"SSH_PRIVATE_KEYFILE": real.key, "SSH_PUBLIC_KEYFILE": real.key + ".pub"}
    server.other = {"SSH_PRIVATE_KEYFILE": real._path("other"), "SSH_PUBLIC_KEYFILE": real._path("other.pub")}
    yield server
    server.close()


@pytest.fixture
def logins(all_logins):
    all_logins.reset(*WAYS)
    return all_logins


def log_in(drive, logins, way="easy", user=USER, password=PASSWORD, **options):
    login = {"USERNAME": user, "PASSWORD": password}
    return drive.get(way, URL=f"sftp://127.0.0.1:{logins.port}/f", **login, **options)


# ---- password and keyboard-interactive

def test_a_password(drive, logins, way):
    logins.reset("password")
    t = log_in(drive, logins, way)
    assert (t.code, t.body, logins.tried) == (0, b"a file", ["password"])


def test_a_password_in_the_url(drive, logins):
    logins.reset("password")
    t = drive.get(URL=f"sftp://{USER}:pass%20word@127.0.0.1:{logins.port}/f")
    assert (t.code, t.body) == (0, b"a file")


@pytest.mark.parametrize("user, password", [(USER, "wrong"), (USER, ""), ("other", PASSWORD), (USER, "p" * 1000)],
                         ids=["wrong", "empty", "user", "long"])
@pytest.mark.parametrize("kind", WAYS[1:])
def test_a_wrong_password(drive, logins, kind, user, password):
    logins.reset(kind)
    t = log_in(drive, logins, user=user, password=password)
    assert (t.code, t.body, logins.tried) == (67, b"", [kind])


def test_keyboard_interactive(drive, logins, way):
    logins.reset("keyboard-interactive")
    t = log_in(drive, logins, way)
    assert (t.code, t.body, logins.answers) == (0, b"a file", [[PASSWORD]])


def test_an_interactive_login_without_a_question(drive, logins):
    logins.reset("keyboard-interactive")
    logins.title, logins.prompts = "A title", []
    assert (log_in(drive, logins).code, logins.answers) == (0, [[]])


def test_an_interactive_login_of_many_rounds(drive, logins):
    logins.reset("keyboard-interactive")
    logins.again = 5
    t = log_in(drive, logins)
    assert (t.code, len(logins.answers)) == (0, 6)


def test_questions_that_the_password_does_not_answer(drive, logins):
    logins.reset("keyboard-interactive")
    logins.prompts = [("Name: ", True), ("Number: ", False)]
    assert (log_in(drive, logins).code, logins.answers) == (67, [["", ""]])


# ---- which ways are tried

@pytest.mark.parametrize("types, tried", [
    (PUBLICKEY, ["publickey"]), (PASSWORDS, ["password"]), (KEYBOARD, ["keyboard-interactive"]), (HOST, []), (AGENT, []),
    (PASSWORDS | KEYBOARD, ["password"]), (PUBLICKEY | KEYBOARD, ["publickey"]), (-1, ["publickey"]),
])
def test_types(drive, logins, types, tried):
    t = log_in(drive, logins, SSH_AUTH_TYPES=types, **logins.key)
    assert (t.code, list(dict.fromkeys(logins.tried))) == (0 if tried else 67, tried)


@pytest.mark.parametrize("ways, tried", [(WAYS, ["publickey", "password"]), (WAYS[::2], ["publickey", "keyboard-interactive"]),
                                         (WAYS[1:], ["password"]), (WAYS[:1], ["publickey"])])
def test_one_way_after_the_other(drive, logins, ways, tried):
    logins.reset(*ways)
    t = log_in(drive, logins, **logins.other)
    assert (t.code, list(dict.fromkeys(logins.tried))) == (67 if ways == WAYS[:1] else 0, tried)


def test_a_kept_connection_is_that_of_one_password(drive, logins):
    logins.reset("password")
    d = drive().easy(URL=f"sftp://127.0.0.1:{logins.port}/f", USERNAME=USER, PASSWORD=PASSWORD).perform()
    d.setopt("h", PASSWORD="wrong").perform()
    assert [t.code for t in d.run().all("h")] == [0, 67]


# ---- keys of the user

@pytest.mark.parametrize("kind, form", [("rsa", "PEM"), ("ecdsa", "PEM"), ("ecdsa", "RFC4716"), ("ed25519", "RFC4716")])
@pytest.mark.parametrize("given, code", [("a phrase", 0), ("another", 67), (None, 67)])
def test_an_encrypted_key(drive, sshd, kind, form, given, code):  # noqa: F811
    if SANITIZED and (kind, form) == ("ecdsa", "RFC4716"):
        pytest.skip("libssh2 1.10 loses 56 bytes of such a key")
    path = sshd._path(f"locked_{kind}_{form}")
    try:
        public = open(path + ".pub").read()
    except FileNotFoundError:
        subprocess.run(["ssh-keygen", "-q", "-t", kind, "-m", form, "-N", "a phrase", "-Z", "aes256-ctr", "-a", "1", "-f", path],
                       check=True)
        public = open(path + ".pub").read()
        with open(sshd._path("authorized"), "a") as f:
            f.write(public)
    options = {"KEYPASSWD": given} if given is not None else {}
    t = get(drive, sshd, "12.txt", SSH_PRIVATE_KEYFILE=path, SSH_PUBLIC_KEYFILE=path + ".pub", **options)
    assert t.code == code


def test_a_key_without_its_public_one(drive, sshd):  # noqa: F811
    t = drive.get(URL=sshd.url("12.txt"), SSH_PRIVATE_KEYFILE=sshd.key)
    assert (t.code, t.body) == (0, b"hello world\n")


@pytest.mark.parametrize("data", [None, b"", b"no key\n", b"-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n"])
def test_a_file_that_is_no_key(drive, sshd, tmp_path, data):  # noqa: F811
    path = tmp_path / "key"
    if data is not None:
        path.write_bytes(data)
    assert get(drive, sshd, "12.txt", SSH_PRIVATE_KEYFILE=str(path)).code == 67


# ---- the application judges the server's key

def raw_key(server, kind="ecdsa"):
    return base64.b64decode(server.public(kind)[1]).decode("latin-1")


def test_the_application_is_asked(drive, sshd, way):  # noqa: F811
    d = drive(way).easy(URL=sshd.url("12.txt"), **sshd.login()).enable("h", "hostkey").perform()
    run = d.run()
    assert run["h"].code == 0
    (kind, key), = run.of("hostkey", "h")
    assert (kind, key) in [(n, raw_key(sshd, name)) for n, name in ((2, "rsa"), (4, "ecdsa"), (5, "ed25519"))]


def test_the_application_refuses(drive, sshd):  # noqa: F811
    t = get(drive, sshd, "12.txt", enable=["hostkey"], on=[("hostkey", "call", 1, "return", 1)])
    assert (t.code, t.body) == (60, b"")


def test_a_kept_connection_is_not_for_who_would_refuse_it(drive, sshd):  # noqa: F811
    """What one handle has not looked at, or another's function has accepted."""
    d = drive().easy(URL=sshd.url("12.txt"), **sshd.login()).perform()
    d.enable("h", "hostkey").on("h", "hostkey", "call", 1, "return", 1).perform()
    assert [t.code for t in d.run().all("h")] == [0, 60]


def judged(drive, sshd, path, answer):  # noqa: F811
    """(code, match, what is known) of a transfer whose key function answers so."""
    d = drive().easy(URL=sshd.url("12.txt"), SSH_KNOWNHOSTS=path, **sshd.login()).enable("h", "sshkey")
    d.on("h", "sshkey", "call", 1, "return", answer).perform()
    run = d.run()
    (match, kind, length, _, known), = run.of("sshkey", "h")
    assert kind in (2, 4, 5) and length > 50
    return run["h"].code, match, known


def lines_of(path):
    with open(path) as f:
        return f.read().splitlines()


CODES = {FINE_ADD: 0, FINE: 0, REJECT: 60, DEFER: 60, FINE_REPLACE: 0}
VERDICTS = [FINE_ADD, FINE, REJECT, FINE_REPLACE, pytest.param(DEFER, marks=not_debian("it asks again"))]


@pytest.mark.parametrize("answer", VERDICTS)
def test_the_application_judges_an_unknown_host(drive, sshd, tmp_path, answer):  # noqa: F811
    other = "elsewhere " + " ".join(sshd.public("rsa"))
    path = known_hosts(sshd, tmp_path, other)
    assert judged(drive, sshd, path, answer) == (CODES[answer], MISSING, "NULL")
    lines = lines_of(path)
    assert lines[0] == other and len(lines) == (2 if answer in (FINE_ADD, FINE_REPLACE) else 1)
    if len(lines) == 2:
        assert get(drive, sshd, "12.txt", SSH_KNOWNHOSTS=path).code == 0


@pytest.mark.parametrize("answer", VERDICTS)
def test_the_application_judges_another_key(drive, sshd, tmp_path, answer, ours_only):  # noqa: F811
    if answer in (FINE_ADD, FINE_REPLACE):
        ours_only("libcurl 8.23 writes the file without its comments")
    wrong, other = wrong_key(sshd), "elsewhere " + " ".join(sshd.public("rsa"))
    path = known_hosts(sshd, tmp_path, "# a comment", wrong, other)
    assert judged(drive, sshd, path, answer) == (CODES[answer], MISMATCH, wrong.split()[2])
    lines = lines_of(path)
    if answer == FINE_REPLACE:
        assert lines[:2] == ["# a comment", other] and lines[2].split()[0] == wrong.split()[0] and len(lines) == 3
    else:
        assert lines[:3] == ["# a comment", wrong, other] and len(lines) == (4 if answer == FINE_ADD else 3)
    if answer in (FINE_ADD, FINE_REPLACE):
        assert get(drive, sshd, "12.txt", SSH_KNOWNHOSTS=path).code == 0


@pytest.mark.parametrize("names, left", [("a,{},b", "a,b"), ("{},b", "b"), ("a,{}", "a"), ("{},{}", None),
                                         ("127.0.0.1,{}", "127.0.0.1")])
def test_other_names_of_a_line_keep_its_key(drive, sshd, tmp_path, ours_only, names, left):  # noqa: F811
    ours_only("libcurl 8.23 writes a line for each of the names")
    name, *key = wrong_key(sshd).split()
    rest = " ".join(key) + " a comment"
    path = known_hosts(sshd, tmp_path, f"{names.format(name, name)} {rest}", "elsewhere " + rest)
    assert judged(drive, sshd, path, FINE_REPLACE)[0] == 0
    lines = lines_of(path)
    assert lines[:-1] == ([f"{left} {rest}"] if left else []) + ["elsewhere " + rest]
    assert lines[-1].split()[0] == name and get(drive, sshd, "12.txt", SSH_KNOWNHOSTS=path).code == 0


def test_the_same_host_without_a_port_keeps_its_key(drive, sshd, tmp_path, ours_only):  # noqa: F811
    """Its key is looked at, but it is that of the server at port 22."""
    ours_only("libcurl 8.23 drops that key")
    of_22 = wrong_key(sshd).replace(f"[127.0.0.1]:{sshd.port}", "127.0.0.1")
    path = known_hosts(sshd, tmp_path, of_22)
    assert judged(drive, sshd, path, FINE_REPLACE) == (0, MISMATCH, of_22.split()[2])
    assert lines_of(path)[0] == of_22 and len(lines_of(path)) == 2
    assert get(drive, sshd, "12.txt", SSH_KNOWNHOSTS=path).code == 0


@pytest.mark.parametrize("answer", VERDICTS)
def test_the_application_judges_a_known_host(drive, sshd, tmp_path, answer):  # noqa: F811
    path = known_hosts(sshd, tmp_path, key_line(sshd, "ecdsa"))
    assert judged(drive, sshd, path, answer) == (CODES[answer], MATCH, sshd.public("ecdsa")[1])
    assert lines_of(path) == [key_line(sshd, "ecdsa")]


def test_long_lines_stay_in_a_file_that_is_replaced(drive, sshd, tmp_path, ours_only):  # noqa: F811
    ours_only("libcurl writes the file itself")
    long = "elsewhere ssh-rsa " + "A" * 40000
    path = known_hosts(sshd, tmp_path, long, wrong_key(sshd), "and here ssh-rsa AAAA")
    assert judged(drive, sshd, path, FINE_REPLACE)[0] == 0
    assert lines_of(path)[:2] == [long, "and here ssh-rsa AAAA"] and len(lines_of(path)) == 3


@pytest.mark.parametrize("text, lines", [(None, 1), ("a ssh-rsa AAAA", by_library(2, 1, 1))])  # libssh2 drops that line
@pytest.mark.parametrize("answer", [FINE_ADD, FINE_REPLACE])
def test_a_file_that_is_new_or_has_no_last_line_end(drive, sshd, tmp_path, text, lines, answer):  # noqa: F811
    path = tmp_path / "file"
    if text:
        path.write_text(text)
    assert judged(drive, sshd, str(path), answer)[0] == 0
    assert len(lines_of(path)) == lines and get(drive, sshd, "12.txt", SSH_KNOWNHOSTS=str(path)).code == 0


# ---- on the way

@pytest.mark.parametrize("kind", [Socks5, Tunnel])
@pytest.mark.parametrize("scheme", ["sftp", "scp"])
def test_a_proxy(drive, sshd, make_server, kind, scheme):  # noqa: F811
    proxy = make_server()
    proxy.default(kind(sshd.port))
    prefix = "socks5h" if kind is Socks5 else "http"
    d = drive().easy(URL=sshd.url("12.txt", scheme), PROXY=f"{prefix}://127.0.0.1:{proxy.port}", HTTPPROXYTUNNEL=1, **sshd.login())
    for _ in range(2):
        d.perform().getinfo("h", "NUM_CONNECTS")
    assert [(t.code, t.body, t.info["NUM_CONNECTS"]) for t in d.run().all("h")] == [
        (0, b"hello world\n", 1), (0, b"hello world\n", 0)]


@pytest.mark.parametrize("compression", [0, 1])
def test_compression(drive, sshd, compression):  # noqa: F811
    data = bytes(200000)
    sshd.put("f", data)
    relay = Relay(sshd.port, 1000000)
    t = drive.get(URL=sshd.url("f", port=relay.listener.getsockname()[1]), SSH_COMPRESSION=compression, **sshd.login())
    relay.close()
    assert (t.code, t.length, t.crc) == (0, 200000, crc(data))
    assert (1000000 - relay.most < 50000) == bool(compression)


# ---- the agent

def answers(path):
    """The file is there before the agent listens."""
    with socket.socket(socket.AF_UNIX) as s:
        return s.connect_ex(path) == 0


@pytest.fixture
def agent(sshd, tmp_path):  # noqa: F811
    """The path of an agent's socket, and what adds keys to it."""
    path = str(tmp_path / "agent")
    process = subprocess.Popen(["ssh-agent", "-D", "-a", path], stdout=subprocess.DEVNULL)

    def add(*keys):
        for key in keys:
            subprocess.run(["ssh-add", "-q", key], env={"SSH_AUTH_SOCK": path, "PATH": os.environ["PATH"]}, check=True)
    while not answers(path):
        time.sleep(0.005)
    yield {"SSH_AUTH_SOCK": path}, add
    process.terminate()
    process.wait()


@pytest.mark.parametrize("keys, code", [(["user"], 0), (["other", "user"], 0), (["other"], 67), ([], 67)])
def test_an_agent(drive, sshd, agent, keys, code):  # noqa: F811
    env, add = agent
    add(*map(sshd._path, keys))
    t = drive.get(URL=sshd.url("12.txt"), SSH_AUTH_TYPES=AGENT, env=env)
    assert (t.code, t.body) == (code, b"" if code else b"hello world\n")


def test_an_agent_through_every_way_of_driving(drive, sshd, agent, way):  # noqa: F811
    env, add = agent
    add(sshd.key)
    assert drive.get(way, URL=sshd.url("12.txt"), SSH_AUTH_TYPES=AGENT, env=env).code == 0


def relay(listener, path, size):
    """Passes on what one client and the agent say, in pieces of that size."""
    with listener.accept()[0] as client, socket.socket(socket.AF_UNIX) as real:
        real.connect(path)
        peers = {client: real, real: client}
        while True:
            for peer in select.select(list(peers), [], [])[0]:
                data = peer.recv(size)
                if not data:
                    return
                peers[peer].sendall(data)


def test_an_agent_whose_messages_are_cut(drive, sshd, agent, tmp_path):  # noqa: F811
    env, add = agent
    add(sshd._path("other"), sshd.key)
    path = str(tmp_path / "relay")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    threading.Thread(target=relay, args=(listener, env["SSH_AUTH_SOCK"], 1), daemon=True).start()
    t = drive.get(URL=sshd.url("12.txt"), SSH_AUTH_TYPES=AGENT, env={"SSH_AUTH_SOCK": path})
    listener.close()
    assert (t.code, t.body) == (0, b"hello world\n")


@pytest.mark.parametrize("accepts", [True, False])
def test_an_agent_that_is_silent(drive, logins, tmp_path, way, ours_only, accepts):
    ours_only("libcurl waits without end")
    path = str(tmp_path / "agent")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    peers = []
    if accepts:
        threading.Thread(target=lambda: peers.append(listener.accept()), daemon=True).start()
    t = log_in(drive, logins, way, SSH_AUTH_TYPES=AGENT, env={"SSH_AUTH_SOCK": path}, TIMEOUT_MS=400)
    listener.close()
    assert t.code == 28


@pytest.mark.parametrize("path", ["/nowhere", "x" * 200, ""])
def test_no_agent(drive, logins, path):
    """What comes after it is tried."""
    t = log_in(drive, logins, SSH_AUTH_TYPES=AGENT | KEYBOARD, env={"SSH_AUTH_SOCK": path})
    assert (t.code, logins.tried) == (0, ["keyboard-interactive"])


@pytest.mark.parametrize("answer", [b"", b"\0\0\0\1\5", b"\0\0\0\5\x0c\0\0\0\0", b"\0\0\0\5\x0c\xff\xff\xff\xff",
                                    b"\0\0\0\x09\x0c\0\0\0\1\xff\xff\xff\xff"])
def test_a_broken_agent(drive, logins, tmp_path, answer, ours_only):
    ours_only("libcurl waits without end")
    path = str(tmp_path / "agent")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()

    def run():
        with listener.accept()[0] as peer:
            peer.recv(100)
            peer.sendall(answer)
    threading.Thread(target=run, daemon=True).start()
    t = log_in(drive, logins, SSH_AUTH_TYPES=AGENT | KEYBOARD, env={"SSH_AUTH_SOCK": path})
    listener.close()
    assert (t.code, logins.tried) == (0, ["keyboard-interactive"])
