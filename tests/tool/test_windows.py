"""What the command does on Windows alone, or in another way than elsewhere. tools/targets/windows.py runs this, with a
command that wine starts (MOTE_SYSTEM=windows); drive Z: is this machine's root folder, where the test's folder is."""
import os
import re
import subprocess

import pytest
from conftest import MOTE
from server import BIG, TEXT

pytestmark = pytest.mark.skipif(os.environ.get("MOTE_SYSTEM") != "windows", reason="make platforms PLATFORM=windows")
ALL = bytes(range(256)) + b"\r\n\n\r\x1a\n"


def test_version(tool):
    r = tool.mote("--version")
    assert r.rc == 0 and re.match(rb"mote \S+ \(x86_64-\S*win32\) libcurl/", r.out), r.out
    assert b"\r" not in r.out


def test_standard_output_is_bytes(tool):
    r = tool.mote("-s", "{U}/bin")
    assert r.rc == 0 and r.out == BIG


def test_a_file_is_bytes(tool):
    assert tool.mote("-s", "-o", "f", "{U}/bin").files == {"f": BIG}
    r = tool.mote("-s", "-o", "a", "-o", "b", "{U}/bin", "{U}/a", "-D", "heads")
    assert r.files["a"] == BIG and r.files["b"] == TEXT and r.files["heads"].count(b"\r\n\r\n") == 2


@pytest.mark.parametrize("args", [["-T", "f"], ["-T", "-"], ["-T", "."], ["--data-binary", "@f"],
                                  ["--data-binary", "@-"]], ids=" ".join)
def test_what_is_sent_is_bytes(tool, args):
    r = tool.mote("-s", *args, "{U}/echo", files={"f": ALL}, stdin=ALL)
    assert r.rc == 0 and r.out == (b"PUT " if args[0] == "-T" else b"POST ") + ALL


def test_input_that_comes_late(tool):
    """Each piece is sent when it is there, although the system cannot wait for a pipe and a socket together."""
    with subprocess.Popen([MOTE, "-q", "-s", "-N", "-T", ".", tool.server.url + "/echo"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as p:
        for piece in (b"one ", b"two "):
            p.stdin.write(piece)
            p.stdin.flush()
            try:
                p.wait(0.5)
            except subprocess.TimeoutExpired:
                pass
        assert p.communicate(b"three", timeout=60)[0] == b"PUT one two three"


def test_a_large_file_is_sent(tool):
    data = os.urandom(3 << 20)
    r = tool.mote("-s", "-T", "f", "{U}/echo", files={"f": data})
    same = r.out == b"PUT " + data
    assert (r.rc, len(r.out), same) == (0, len(data) + 4, True)


# names

HOSTILE = {
    r"..\..\evil.bat": "evil.bat", r"C:\Windows\evil.dll": "evil.dll", "../up.txt": "up.txt",
    "C:evil.txt": "C_evil.txt", "a.txt:stream": "a.txt_stream", "a.txt::$DATA": "a.txt__$DATA",
    "NUL": "_NUL", "con.txt": "_con.txt", "COM1": "_COM1", "lpt9.tar.gz": "_lpt9.tar.gz", "aux .txt": "_aux .txt",
    "CONIN$": "_CONIN$", "end.": "end", "end. . ": "end", "a<b>|c?*": "a_b__c__", "grüße.txt": "grüße.txt",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_that_a_server_chose(tool, name):
    r = tool.mote("-s", "-OJ", "{U}/cd_of/" + name.encode().hex())
    assert r.rc == 0 and r.files == {HOSTILE[name]: TEXT}


def test_a_name_that_is_not_utf8(tool):
    assert tool.mote("-s", "-OJ", "{U}/cd_of/" + b"gr\xfc\xdfe.txt".hex()).files == {"gr__e.txt": TEXT}


def test_a_name_that_a_server_chose_is_no_file_that_is_there(tool):
    """_NUL is the name that was made of NUL."""
    r = tool.mote("-s", "-OJ", "{U}/cd_of/" + b"NUL".hex(), files={"_NUL": b"mine"})
    assert r.rc == 23 and r.files == {"_NUL": b"mine"}


@pytest.mark.parametrize("path, name", [("nul", "_nul"), ("a:b", "a_b"), ("com1.txt", "_com1.txt"), ("a%5Cb", "a%5Cb"),
                                        ("a.", "a"), ("d/x", "x"), ("a\\b", "a_b")])
def test_the_name_in_a_url(tool, path, name):
    r = tool.mote("-s", "-O", "--path-as-is", "{U}/" + path)
    assert r.rc == 0 and r.files == {name: TEXT}


def test_a_name_of_the_user_may_be_a_device(tool):
    r = tool.mote("-s", "-o", "NUL", "{U}/bin", "-w", "%{size_download}")
    assert (r.rc, r.out, r.files) == (0, b"%d" % len(BIG), {})


def test_names_are_utf8(tool):
    r = tool.mote("-s", "-o", "grüße 日本 🌍.txt", "{U}/a?ü", "-H", "X-A: é")
    assert r.files == {"grüße 日本 🌍.txt": TEXT} and "X-A: Ã©" in r.heads[0]
    r = tool.mote("-s", "-T", "grüße.txt", "{U}/", files={"grüße.txt": b"x"})
    assert r.heads[0].startswith("PUT /gr%C3%BC%C3%9Fe.txt ")


def test_the_environment_is_utf8(tool):
    r = tool.mote("-s", "--variable", "%MOTE_TEST", "--expand-data", "{{MOTE_TEST}}", "{U}/echo",
                  env={"MOTE_TEST": "é日"})
    assert r.out == "POST é日".encode()


def test_paths_have_either_slash(tool):
    r = tool.mote("-s", "--create-dirs", "-o", r"one\two/three\f", "{U}/a")
    assert r.files == {"one/": None, "one/two/": None, "one/two/three/": None, "one/two/three/f": TEXT}
    r = tool.mote("-s", "--create-dirs", "--output-dir", r"x\y", "-O", "{U}/a")
    assert r.files["x/y/a"] == TEXT


def test_a_long_path(tool):
    path = "\\".join(["d" * 100] * 5)
    r = tool.mote("-s", "--create-dirs", "-o", path + "\\f", "{U}/a")
    assert r.rc == 0 and r.files[path.replace("\\", "/") + "/f"] == TEXT
    r = tool.mote("-s", "-T", path + "\\f", "{U}/", files={path.replace("\\", "/") + "/f": b"long"})
    assert r.rc == 0 and r.requests[0][1] == b"long" and r.heads[0].startswith("PUT /f ")


@pytest.mark.parametrize("path", [r"d\sub\f.bin", r"Z:{W}\d\sub\f.bin"])
def test_a_form_has_the_name_of_the_file_alone(tool, path):
    """It had the whole path, since the library knew slashes only."""
    where = str(tool.tmp / "run1" / "work").replace("/", "\\")
    r = tool.mote("-s", "-F", "x=@" + path.replace("{W}", where).replace("\\", "\\\\"), "{U}/echo",
                  files={"d/sub/f.bin": ALL})
    assert r.rc == 0 and b'; filename="f.bin"\r\n' in r.out and ALL in r.out


def test_an_upload_has_the_name_of_the_file_alone(tool):
    r = tool.mote("-s", "-T", r"d\f g.bin", "{U}/", files={"d/f g.bin": b"x"})
    assert r.heads[0].startswith("PUT /f%20g.bin ")


# files

def test_a_download_continues(tool):
    r = tool.mote("-s", "-C", "-", "-o", "f", "{U}/bin", files={"f": BIG[:1000]})
    assert r.rc == 0 and r.files == {"f": BIG} and "Range: bytes=1000-" in r.heads[0]


def test_a_retry_drops_what_the_first_try_wrote(tool):
    r = tool.mote("-s", "--retry", "2", "--retry-delay", "1", "--retry-all-errors", "-o", "f", "{U}/changes")
    assert r.rc == 0 and r.files == {"f": TEXT}


def test_a_file_is_removed_on_error(tool):
    """While it is open."""
    r = tool.mote("-s", "--remove-on-error", "-o", "f", "{U}/short")
    assert r.rc == 18 and r.files == {}


def test_no_clobber(tool):
    r = tool.mote("-s", "--no-clobber", "-o", "f", "{U}/a", files={"f": b"mine", "f.1": b"too"})
    assert r.files == {"f": b"mine", "f.1": b"too", "f.2": TEXT}


def test_remote_time(tool):
    r = tool.mote("-s", "-R", "-o", "f", "{U}/etag")
    assert os.stat(os.path.join(r.folder, "f")).st_mtime == 1630498680


def test_time_condition_of_a_file(tool):
    files = {"f": b""}
    assert "If-Modified-Since: " in tool.mote("-s", "-z", "f", "{U}/a", files=files).heads[0]


def test_cookies_are_kept_in_a_file(tool):
    r = tool.mote("-s", "-c", r"d\jar", "{U}/set/a=b", files={"d/x": b""})
    assert b"\ta\tb" in r.files["d/jar"]


@pytest.mark.parametrize("args, code", [
    (["http://127.0.0.1:1/"], 7), (["http://no.such.host.invalid/"], 6), (["nosuch://x/"], 1), (["--nosuch"], 2),
    (["-f", "{U}/404"], 22), (["-T", "none", "{U}/"], 26), (["-o", r"none\f", "{U}/a"], 23), (["-o", ".", "{U}/a"], 23),
    (["-m", "1", "{U}/slow"], 28), (["file:///none"], 37), (["{U}/short"], 18), (["exec", "x"], 125)])
def test_exit_codes(tool, args, code):
    assert tool.mote(*args).rc == code


def test_reasons(tool):
    assert b"(23) cannot write .: Is a directory" in tool.mote("-sS", "-o", ".", "{U}/a").err
    assert b"(26) cannot read none: No such file or directory" in tool.mote("-sS", "-T", "none", "{U}/").err


# configuration

@pytest.mark.parametrize("name", [".curlrc", "_curlrc"])
@pytest.mark.parametrize("variable", ["CURL_HOME", "XDG_CONFIG_HOME"])
def test_configuration_files(tool, name, variable):
    """Wine has the other folders from its own settings, whatever the environment says."""
    r = tool.mote("{U}/a", files={"c/" + name: b"user-agent = me\n"}, env={variable: "c"})
    assert "User-Agent: me" in r.heads[0]


def copied(folder, name):
    """A script that runs a copy of the command, of another name and in another folder."""
    subprocess.run(["cp", MOTE.replace("run-mote", "mote.exe"), folder / (name + ".exe")], check=True)
    with open(MOTE, encoding="utf-8") as f:
        text = re.sub(r"\S*mote\.exe", str(folder / (name + ".exe")), f.read())
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)
    return str(folder / name)


def test_a_command_that_is_called_curl(tool, tmp_path):
    r = tool.run(copied(tmp_path, "CURL"), ["--nosuch"])
    assert r.rc == 2 and r.err.startswith(b"curl: "), r.err


def test_configuration_beside_the_command(tool, tmp_path):
    (tmp_path / "_curlrc").write_bytes(b"user-agent = me\n")
    assert "User-Agent: me" in tool.run(copied(tmp_path, "copy"), ["{U}/a"]).heads[0]


# TLS

def test_https(tool, tls):
    url = tls.url.replace("127.0.0.1", "localhost")
    assert tool.mote("-s", "--cacert", tls.ca, url + "/a").out == TEXT
    assert tool.mote("-s", "--cacert", "Z:" + tls.ca.replace("/", "\\"), url + "/a").out == TEXT
    assert tool.mote("-s", url + "/a").rc == 60
    assert tool.mote("-s", "-k", url + "/a").out == TEXT


@pytest.fixture
def store(tls):
    """Puts the server's authority into a store of the user's, until the test's end: store("Root")"""
    der = os.path.join(os.path.dirname(tls.ca), "ca.der")
    subprocess.run(["openssl", "x509", "-in", tls.ca, "-outform", "DER", "-out", der], check=True)
    put = []

    def add(name):
        subprocess.run([os.environ["MOTE_ROOT"], "add", name, der], check=True, timeout=60)
        put.append(name)
    yield add
    for name in put:
        subprocess.run([os.environ["MOTE_ROOT"], "remove", name, der], check=True, timeout=60)


def test_the_roots_of_the_system(tool, tls, store):
    url = tls.url.replace("127.0.0.1", "localhost") + "/a"
    store("Root")
    r = tool.mote("-v", url)
    assert r.out == TEXT and b"CAfile: <root certificates of Windows>" in r.err, r.err
    assert tool.mote("-s", "--ca-native", url).out == TEXT
    assert tool.mote("-s", "--capath", "none", url).out == TEXT
    store("Disallowed")
    assert tool.mote("-s", url).rc == 60


def test_a_file_takes_the_place_of_the_roots_of_the_system(tool, tls, store, tmp_path):
    url = tls.url.replace("127.0.0.1", "localhost") + "/a"
    store("Root")
    other = tmp_path / "other.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", tmp_path / "key.pem", "-out",
                    other, "-subj", "/CN=Another"], check=True, capture_output=True)
    assert tool.mote("-s", "--cacert", str(other), url).rc == 60
    assert tool.mote("-s", url, env={"SSL_CERT_FILE": str(other)}).rc == 60


def test_no_folder_of_a_drive_is_trusted(tool, tls):
    """C:\\etc\\ssl was, which any user may make. Here drive Z: has one."""
    r = tool.mote("-v", tls.url.replace("127.0.0.1", "localhost") + "/a")
    assert r.rc == 60 and b"/etc/" not in r.err, r.err


# what the system has not

@pytest.mark.parametrize("args, said", [
    (["--xattr", "-o", "f"], b"extended attribute"), (["--ip-tos", "CS1"], b"type of service"),
    (["--vlan-priority", "1"], b"VLAN priority")], ids=["xattr", "tos", "vlan"])
def test_what_the_system_has_not(tool, args, said):
    r = tool.mote(*args, "{U}/a")
    assert r.rc == 0 and said in r.err and b"Function not implemented" in r.err.replace(b"\n", b" ")
