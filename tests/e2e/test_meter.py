"""The built-in progress meter: what CURLOPT_NOPROGRESS 0 draws where no callback is set."""

import os
import re
import subprocess
import time

import pytest

from mote_driver import LIBRARY, NEWEST, SANITIZED, SYSTEM
from server import Body, Call, Close, Expect, Reply, Send, UntilClose, response

pytestmark = [pytest.mark.skipif(bool(SANITIZED), reason="the system's curl is not sanitized"),
              pytest.mark.skipif(NEWEST, reason="its meter has other columns; docs/compat.md")]

HEAD = ("  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n"
        "                                 Dload  Upload   Total   Spent    Left  Speed\n")
START = "  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0"

NUMBER = r"(?: *\d+| *\d+[kMGTP]|[ \d]\d\.\d+[kMGTP])"
TIME = r"(?:--:--:--|[ \d]\d:\d\d:\d\d|[ \d]{3}d \d\dh|[ \d]{7}d)"
LINE = re.compile(rf"^([ \d]{{3}}) ({NUMBER})  ([ \d]{{3}}) ({NUMBER})  ([ \d]{{3}}) ({NUMBER})  ({NUMBER})  "
                  rf"({NUMBER}) ({TIME}) ({TIME}) ({TIME}) ({NUMBER})$")


def run(folder, *args, data=None):
    """/usr/bin/curl on the library under test; what it wrote to stderr: the meter's lines, and the rest."""
    env = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}
    if LIBRARY:
        env["LD_LIBRARY_PATH"] = LIBRARY
    p = subprocess.run(["/usr/bin/curl", *map(str, args)], cwd=folder, env=env, capture_output=True, timeout=120,
                       input=data)
    return p.returncode, p.stderr.decode()


def split(text):
    """Heading, lines of each request (a request's lines end with a line end), what comes after them."""
    assert text.startswith(HEAD), text
    text = text[len(HEAD):]
    requests = []
    while text.startswith("\r"):
        drawn, _, text = text.partition("\n")
        requests.append([columns(line) for line in drawn[1:].split("\r")])
    return requests, text


def columns(line):
    m = LINE.match(line)
    assert m, repr(line)
    assert len(line) == 79 - 1, repr(line)
    return [c.strip() for c in m.groups()]


def test_download(server, tmp_path):
    server.answer(response(200, b"x" * 100_000))
    code, text = run(tmp_path, "-o", "out", server.url())
    requests, rest = split(text)
    assert (code, rest, len(requests)) == (0, "", 1)
    assert text[len(HEAD):].startswith("\r" + START)
    last = requests[0][-1]
    assert last[:6] == ["100", "97k", "100", "97k", "0", "0"] and last[7] == "0"
    assert last[6] != "0" and last[11] != "0"


def test_unknown_length(server, tmp_path):
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + b"x" * 5000), Close())
    code, text = run(tmp_path, "-o", "out", server.url())
    requests, rest = split(text)
    assert requests[0][-1][:6] == ["100", "5000", "0", "5000", "0", "0"]


def test_upload(server, tmp_path):
    (tmp_path / "in").write_bytes(b"y" * 2000)
    server.script(Expect("PUT", body=False), Body(b"y" * 2000), Reply(200, b""))
    code, text = run(tmp_path, "-T", "in", "-o", "out", server.url("/in"))
    requests, rest = split(text)
    assert (code, rest) == (0, "")
    assert requests[0][-1][:6] == ["100", "2000", "0", "0", "100", "2000"]


def test_once_a_second(server, tmp_path):
    server.script(Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 4000000\r\n\r\n" + b"x" * 20000), UntilClose())
    code, text = run(tmp_path, "-o", "out", "-m", "2.5", server.url())
    requests, rest = split(text)
    assert code == 28 and rest.startswith("curl: (28)")
    lines = requests[0]
    assert 4 <= len(lines) <= 5
    assert lines[-1][:6] == ["0", "3906k", "0", "20000", "0", "0"]
    assert lines[-1][9] == "0:00:02"
    assert re.fullmatch(r"0:0[5-9]:\d\d", lines[-1][8]) and re.fullmatch(r"0:0[5-9]:\d\d", lines[-1][10])


def test_redirect(server, tmp_path):
    """Each request has a line of its own."""
    server.answer(response(302, b"hello", ["Location: /next"]), response(200, b"x" * 100))
    code, text = run(tmp_path, "-L", "-o", "out", server.url())
    requests, rest = split(text)
    assert (code, rest, len(requests)) == (0, "", 2)
    assert requests[0][-1][1] == "5"
    assert requests[1][-1][:4] == ["100", "100", "100", "100"]


def test_resume(server, tmp_path):
    (tmp_path / "out").write_bytes(b"abc")
    server.answer(b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 3-5/6\r\nContent-Length: 3\r\n\r\ndef")
    code, text = run(tmp_path, "-C", "-", "-o", "out", server.url())
    first, _, text = text.partition("\n")
    assert first == "** Resuming transfer from byte position 3"
    assert split(text)[0][0][-1][:4] == ["100", "3", "100", "3"]


def test_failure(tmp_path, closed_port):
    """Without a connection nothing is drawn, as by the newest."""
    code, text = run(tmp_path, "-o", "out", f"http://127.0.0.1:{closed_port}/")
    assert code == 7
    if SYSTEM:
        requests, text = split(text)
        assert len(requests) == 1
    assert text.startswith("curl: (7) ")


def test_nothing_before_it_starts(tmp_path):
    code, text = run(tmp_path, "-o", "out", f"file://{tmp_path}/nothere")
    assert (code, text.startswith("curl: (37)")) == (37, True)


def test_file(tmp_path):
    (tmp_path / "in").write_bytes(b"z" * 123_456)
    code, text = run(tmp_path, "-o", "out", f"file://{tmp_path}/in")
    requests, rest = split(text)
    assert (code, rest, len(requests)) == (0, "", 1)
    assert requests[0][-1][:6] == ["100", "120k", "100", "120k", "0", "0"]


def test_silent(server, tmp_path):
    server.answer(response(200, b"x"))
    assert run(tmp_path, "-s", "-o", "out", server.url()) == (0, "")


PROGRAM = r"""
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
static CURL *h;
static const char *mode;
static long got;
static size_t on_write(char *p, size_t a, size_t n, void *u)
{
  (void)p; (void)a; (void)u;
  got += (long)n;
  if(got > 10 && !strcmp(mode, "off"))
    curl_easy_setopt(h, CURLOPT_NOPROGRESS, 1L);
  if(got > 10 && !strcmp(mode, "on"))
    curl_easy_setopt(h, CURLOPT_NOPROGRESS, 0L);
  return n;
}
static int on_info(void *u, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
  (void)u; (void)a; (void)b; (void)c; (void)d;
  return strcmp(mode, "continue") ? 0 : CURL_PROGRESSFUNC_CONTINUE;
}
static int on_progress(void *u, double a, double b, double c, double d)
{
  (void)u; (void)a; (void)b; (void)c; (void)d;
  return CURL_PROGRESSFUNC_CONTINUE;
}
int main(int argc, char **argv)
{
  FILE *to = fopen(argv[3], "w");
  CURLcode rc;
  (void)argc;
  mode = argv[2];
  h = curl_easy_init();
  curl_easy_setopt(h, CURLOPT_URL, argv[1]);
  curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, on_write);
  curl_easy_setopt(h, CURLOPT_NOPROGRESS, (long)!strcmp(mode, "on"));
  curl_easy_setopt(h, CURLOPT_STDERR, to);
  if(!strcmp(mode, "callback") || !strcmp(mode, "continue"))
    curl_easy_setopt(h, CURLOPT_XFERINFOFUNCTION, on_info);
  if(!strcmp(mode, "old"))
    curl_easy_setopt(h, CURLOPT_PROGRESSFUNCTION, on_progress);
  rc = curl_easy_perform(h);
  if(!strcmp(mode, "twice"))
    rc = curl_easy_perform(h);
  curl_easy_cleanup(h);
  fclose(to);
  return (int)rc;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("meter")
    (folder / "p.c").write_text(PROGRAM)
    link = os.path.join(LIBRARY, "libcurl.so.4") if LIBRARY else "-lcurl"
    subprocess.run(["cc", "-Wno-deprecated-declarations", "-o", folder / "p", folder / "p.c", link,
                    "-Wl,--allow-shlib-undefined"], check=True)
    return folder / "p"


def run_program(program, url, mode, folder):
    env = {"LD_LIBRARY_PATH": LIBRARY} if LIBRARY else {}
    p = subprocess.run([program, url, mode, folder / "log"], env=env, capture_output=True, timeout=120)
    assert (p.returncode, p.stderr) == (0, b"")
    with open(folder / "log", newline="") as f:
        return f.read()


def test_stream(program, server, tmp_path):
    """It goes to CURLOPT_STDERR, and only there."""
    server.answer(response(200, b"x" * 50))
    requests, rest = split(run_program(program, server.url(), "plain", tmp_path))
    assert rest == "" and requests[0][-1][:4] == ["100", "50", "100", "50"]


def test_callback_instead(program, server, tmp_path):
    server.answer(response(200, b"x" * 50))
    assert run_program(program, server.url(), "callback", tmp_path) == ""


@pytest.mark.parametrize("mode", ["continue", "old"])
def test_callback_and_meter(program, server, tmp_path, mode):
    """CURL_PROGRESSFUNC_CONTINUE asks for both; the line has no end then."""
    server.answer(response(200, b"x" * 50))
    text = run_program(program, server.url(), mode, tmp_path)
    assert text.startswith(HEAD) and not text.endswith("\n")
    assert columns(text.rsplit("\r", 1)[1])[:4] == ["100", "50", "100", "50"]


def test_each_transfer(program, server, tmp_path):
    """The headings come once."""
    server.answer(response(200, b"x" * 50), response(200, b"x" * 50))
    text = run_program(program, server.url(), "twice", tmp_path)
    assert text.count("100    50  100    50") >= 2 and text.count("\n") == 4


def slowly():
    return [Expect(), Send(b"HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n" + b"x" * 20),
            Call(lambda peer: time.sleep(1.2)), Send(b"x" * 10)]


def test_switched_off(program, server, tmp_path):
    """CURLOPT_NOPROGRESS set in the middle of a transfer."""
    server.script(*slowly())
    text = run_program(program, server.url(), "off", tmp_path)
    assert text == HEAD + "\r" + START


def test_switched_on(program, server, tmp_path):
    server.script(*slowly())
    requests, rest = split(run_program(program, server.url(), "on", tmp_path))
    assert rest == "" and requests[0][-1][:4] == ["100", "30", "100", "30"]
