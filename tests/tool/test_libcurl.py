"""--libcurl: the C program compiles against our headers and makes the same transfers."""
import os
import re
import stat
import subprocess

import pytest
from conftest import MOTE, ROOT, normal
from server import TEXT

BINARY = bytes(range(256)) + b'"?\\%s??/'
FILES = {"jar": b"127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\n", "in": BINARY, "small": b"x=1\n", "part": bytes(range(256)) * 100}

CASES = {
    "get": "{U}/a",
    "files": "-o f {U}/a -o g {U}/b",
    "globs": "-O {U}/{a,b}[1-2]",
    "null": "--out-null {U}/a {U}/b",
    "include": "-i {U}/a",
    "head": "-I {U}/a",
    "dump": "-D h {U}/a {U}/b",
    "dump_dash": "-D - -o f {U}/a",
    "headers": ["-H", 'X-A: "b" \\ ??/ 12', "-H", "Accept:", "-H", "X-E;", "-A", "me\u00e4", "-e", "http://r/", "-b", "a=b",
                "{U}/a"],
    "user": ["-u", "me:sec ret", "{U}/auth"],
    "post": ["-d", "a=b", "-d", "c=\t\"d\"", "{U}/echo"],
    "post_long": ["-d", "0123456789" * 700, "{U}/echo", "-o", "f"],
    "post_binary": ["--data-binary", "@in", "--data-binary", "@small", "{U}/echo", "-o", "f"],
    "post_file": "--data-binary @in {U}/echo -o f",
    "json": ["--json", '{"a": 1}', "{U}/echo"],
    "get_data": "-G -d a=b {U}/a",
    "put": "-T in {U}/echo -o f",
    "put_stdin": "-T - {U}/echo",
    "put_globs": "-T {in,small} {U}/echo/ -o f#1",
    "method": "-X DELETE {U}/echo",
    "redirect": "-L -d x --post302 {U}/redirect/302/echo",
    "redirect_limit": "-L --max-redirs 2 {U}/loop",
    "fail": "-f {U}/404",
    "range": "-r 5-9 {U}/bin",
    "resume": "-C - -o part {U}/bin",
    "compressed": "--compressed {U}/gzip",
    "resolve": "--resolve example.test:{P}:127.0.0.1 --connect-to a.test:1:127.0.0.1:{P} http://example.test:{P}/a http://a.test:1/b",
    "proto": "--proto =ftp {U}/a",
    "next": "-H X-A:1 {U}/a --next -d x -o f {U}/echo",
    "refused": "http://127.0.0.1:1/",
    "many": ["-m", "20", "--limit-rate", "1M", "-Y", "1", "-4", "--http1.1", "--no-keepalive", "{U}/a"],
    "form": ["-F", "a=b", "-F", "c= d;type=text/x;filename=\"f;1\"", "--form-string", "@e=<f", "{U}/echo", "-o", "f"],
    "form_file": "-F a=@in;type=a/b;filename=x -F b=<small;encoder=base64 -F c=@in,small;type=c/d {U}/echo -o f",
    "form_multipart": ["-F", "=(;type=multipart/mixed;headers=X-A: 1;headers=\"X-B: 2\"", "-F", "=one", "-F", "=(", "-F", "in=two", "-F", "=)",
                       "-F", "=)", "-F", "last=3", "{U}/echo", "-o", "f"],
    "form_stdin": "-F a=@- -F b=c {U}/echo -o f",
    "form_escape": ["--form-escape", "-F", "a\"b=c", "{U}/echo", "-o", "f"],
    "form_next": "-F a=b {U}/echo -o f --next -F c=d -F e=f {U}/echo -o g",
    "cookies": "-b jar -c new {U}/a {U}/b",
    "proxy": "-x {U} -U me:secret --proxy-header X-P:1 --noproxy none.test http://a.test/a",
    "telnet": "-t TTYPE=vt100 -t XDISPLOC=host:0 telnet://127.0.0.1:1/",
    "write_out": "-w %{http_code} -o f {U}/a",
}


def build(tmp_path, source):
    program = str(tmp_path / "program")
    done = subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", os.path.join(ROOT, "include"), "-o",
                           program, source, os.path.join(ROOT, "build", "libmote.so"),
                           "-Wl,-rpath," + os.path.join(ROOT, "build")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return program


def one_boundary(files):
    """The boundaries of forms are random."""
    return {name: re.sub(rb"-{24}[A-Za-z0-9]{22}", b"BOUNDARY", content) for name, content in files.items()}


@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="the library is built without the sanitizer")
@pytest.mark.parametrize("name", CASES)
def test_the_program_makes_the_same_transfers(tool, tmp_path, name):
    args = CASES[name]
    args = args.split(" ") if isinstance(args, str) else args
    ours = tool.mote("-s", "--libcurl", "program.c", *args, files=FILES, stdin=b"from stdin")
    source = os.path.join(ours.folder, "program.c")
    assert ours.files.pop("program.c")
    program = tool.run(build(tmp_path, source), [], files=FILES, stdin=b"from stdin")
    assert program.rc == ours.rc, program.err
    assert one_boundary(program.files) == one_boundary(ours.files)
    assert normal(program.requests, False) == normal(ours.requests, False)
    if name != "write_out":
        assert program.out == ours.out
    else:
        with open(source) as f:
            assert "/* Not done here: --write-out */" in f.read()


def test_a_further_try_is_no_further_transfer(tool):
    r = tool.mote("-s", "--retry", "1", "--libcurl", "p.c", "{U}/once/503")
    assert r.out.endswith(TEXT) and r.files["p.c"].count(b"curl_easy_perform") == 1


def test_parallel_transfers_are_in_the_program_one_after_the_other(tool, tmp_path):
    r = tool.mote("-s", "-Z", "--libcurl", "p.c", "{U}/x[1-5]", "-o", "f#1")
    source = os.path.join(r.folder, "p.c")
    assert r.files.pop("p.c").count(b"curl_easy_perform") == 5
    assert tool.run(build(tmp_path, source), []).files == r.files


def test_the_program_on_stdout_stands_before_the_body(tool):
    r = tool.mote("-s", "--libcurl", "-", "{U}/a")
    assert r.out.startswith(b"/* ") and r.out.index(b"curl_easy_perform") < r.out.index(TEXT) and r.out.endswith(b"}\n")


def test_others_do_not_read_the_passwords_in_the_program(tool):
    r = tool.mote("-s", "--libcurl", "p.c", "-u", "me:secret", "{U}/auth")
    assert b"me:secret" in r.files["p.c"]
    assert stat.S_IMODE(os.stat(os.path.join(r.folder, "p.c")).st_mode) == 0o600


def test_a_program_that_cannot_be_written(tool):
    r = tool.mote("-sS", "--libcurl", "no/p.c", "{U}/a")
    assert r.rc == 23 and not r.requests
    assert r.err == b"mote: (23) cannot write no/p.c: No such file or directory\n"
    r = tool.mote("-sS", "--libcurl", "/dev/full", "{U}/a")
    assert r.rc == 23 and r.out == TEXT and r.err == b"mote: (23) cannot write /dev/full: No space left on device\n"


def test_it_can_be_linked_with_any_libcurl(tool):
    """Nothing of ours is in it."""
    assert MOTE and b"mote/mote.h" not in tool.mote("-s", "--libcurl", "p.c", "{U}/a").files["p.c"]
