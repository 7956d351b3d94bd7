"""What mote does beyond curl 7.88, or in its own way."""
import contextlib
import fcntl
import json
import os
import pty
import re
import select
import shutil
import struct
import socket
import subprocess
import termios
import time

import pytest
from conftest import CURL, CURL_MAJOR, MOTE, ROOT
from server import BIG, TEXT


# options

@pytest.mark.parametrize("args, text", [
    (["--ech", "x"], "option --ech: "),
    (["--proxy-ntlm"], "option --proxy-ntlm: "),
])
def test_known_options_are_refused_by_name(tool, args, text):
    r = tool.mote(*args, "{U}/a")
    assert r.rc == 2 and text in r.err.decode() and not r.requests
    assert r.err.count(b"\n") == 1 and r.err.startswith(b"mote: ")


def test_refused_switch_may_be_turned_off(tool):
    assert tool.mote("-s", "--no-append", "{U}/a").rc == 0


def test_value_after_equals(tool):
    r = tool.mote("-s", "--request=PUT", "--data=x=y", "{U}/echo")
    assert r.out == b"PUT x=y"
    assert tool.mote("--silent=1", "{U}/a").rc == 2


def test_variables(tool):
    r = tool.mote("-s", "--variable", "a=x y", "--variable", "%MOTE_TEST", "--variable", "f@file",
                  "--expand-data", "{{a:url}}-{{MOTE_TEST}}-{{f:trim}}-{{none}}", "{U}/echo",
                  files={"file": b" text\n"}, env={"MOTE_TEST": "env"})
    assert r.out == b"POST x%20y-env-text-"


def test_many_cookies_take_their_length(tool):
    """Each --cookie kept a copy of all before it: 20,000 of them took 1.8 GB."""
    lines = "".join(f"cookie = c{i}=x\n" for i in range(3000))
    r = tool.mote("-s", "--memory", "-K", "many", "{U}/a", files={"many": lines.encode()})
    wanted = "; ".join(f"c{i}=x" for i in range(3000))
    assert r.rc == 0 and f"\r\nCookie: {wanted}\r\n" in r.heads[0] + "\r\n"
    assert int(re.search(rb"^command +\d+ +(\d+)", r.err, re.M)[1]) < 1000000


def test_named_globs(tool):
    r = tool.mote("-s", "{U}/{<kind>a,b}[<n>1-2]", "-o", "#<n>-#<kind>")
    assert sorted(r.files) == ["1-a", "1-b", "2-a", "2-b"]
    assert tool.mote("-s", "{U}/{<k>a}", "-o", "#<x>").rc == 43
    assert tool.mote("-s", "{U}/{<k>a}{<k>b}").rc == 3


def test_default_config(tool):
    rc = {"~/.curlrc": b"user-agent = from-rc\nsilent\n"}
    assert "User-Agent: from-rc" in tool.mote("{U}/a", files=rc).heads[0]
    assert "User-Agent: mote/" in tool.mote("-q", "{U}/a", files=rc).heads[0]
    assert "User-Agent: mote/" in tool.mote("--disable", "{U}/a", files=rc).heads[0]
    assert "from-rc" in tool.mote("-s", "{U}/a", files={"~/.config/curlrc": rc["~/.curlrc"]}).heads[0]
    r = tool.mote("-s", "{U}/a", files={"x/.curlrc": rc["~/.curlrc"]}, env={"CURL_HOME": "x"})
    assert "from-rc" in r.heads[0]


@pytest.mark.parametrize("place, env, code", [
    ("~/.ssh/known_hosts", {}, 7), ("x/.ssh/known_hosts", {"CURL_HOME": "x"}, 7),
    ("x/.ssh/known_hosts", {"XDG_CONFIG_HOME": "x"}, 7), ("~/.ssh/known_hosts", {"CURL_HOME": ""}, 7),
    ("~/.ssh/known_hosts", {"CURL_HOME": "x"}, 7), ("y/.ssh/known_hosts", {"CURL_HOME": "x"}, 2),
])
def test_known_hosts_are_in_a_home(tool, place, env, code):
    """Without them no server of SSH is asked."""
    assert tool.mote("-sS", "sftp://127.0.0.1:1/", files={place: b"x"}, env=env).rc == code


@pytest.mark.parametrize("args", [
    ["sftp:/127.0.0.1:1/"], ["SCP:127.0.0.1:1/"], ["--proto-default", "sftp", "127.0.0.1:1/"],
    ["-L", "--proto-redir", "=all", "http://127.0.0.1:1/"]])
@pytest.mark.parametrize("known", [True, False])
def test_any_server_of_ssh_is_looked_at(tool, args, known):
    """Also where the URL's first characters do not say that it is one."""
    r = tool.mote("-sS", "--libcurl", "code.c", *args, files={"~/.ssh/known_hosts": b"x"} if known else {})
    if not known and args[0][0] in "sS":
        assert r.rc == 2
    else:
        set_here = r.files["code.c"].decode().partition("SSH_KNOWNHOSTS")[2].split(";")[0]
        assert ("known_hosts" in set_here, "/dev/null" in set_here) == (known, not known)


def test_no_server_of_ssh_can_come(tool):
    r = tool.mote("-sS", "--libcurl", "code.c", "http://127.0.0.1:1/", files={"~/.ssh/known_hosts": b"x"})
    assert "KNOWNHOSTS" not in r.files["code.c"].decode()


def test_skip_existing(tool):
    r = tool.mote("-s", "--skip-existing", "-o", "f", "{U}/a", "-o", "g", "{U}/b", files={"f": b"old"})
    assert r.rc == 0 and r.files == {"f": b"old", "g": TEXT} and len(r.requests) == 1


def test_out_null(tool):
    r = tool.mote("-s", "--out-null", "{U}/bin", "{U}/a", "-w", "%{size_download} ")
    assert r.rc == 0 and r.out == b"102400 " + TEXT + b"12 "


def test_write_out_to_files(tool):
    r = tool.mote("-s", "{U}/a", "-w", "1%output{log}2%{stdout}3%output{>>log}4")
    assert r.out == TEXT + b"13" and r.files["log"] == b"24"


@pytest.mark.parametrize("args, code", [(["-T", "missing"], 26), (["-F", "a=@missing"], 26), (["-D", "no/h"], 23)])
@pytest.mark.parametrize("parallel", [[], ["-Z", "--parallel-max", "1"]])
def test_write_out_of_a_transfer_that_did_not_begin(tool, args, code, parallel):
    r = tool.mote("-s", *parallel, "{U}/404", "-o", "f", "-w", "%{exitcode}|", "--next", "-s", *args, "-w",
                  "%{http_code} %{exitcode} %{errormsg}", "{U}/a")
    assert r.rc == code and r.out.startswith(b"0|000 %d " % code)


def test_write_out_all_headers_of_a_name(tool):
    r = tool.mote("-s", "-L", "-o", "f", "-w", "%header{x-hop:all:, }|%header{x-a:all:\\}}",
                  "{U}/redirect/302/redirect/301/multi")
    assert r.out == b"302, 301|one}two"


def test_write_out_json(tool):
    r = tool.mote("-s", "-o", "f", "-w", "%{json}", "{U}/multi")
    said = json.loads(r.out)
    assert said["http_code"] == 200 and said["size_download"] == len(TEXT) and said["content_type"]
    r = tool.mote("-s", "-o", "f", "-w", "%{header_json}", "{U}/multi")
    assert json.loads(r.out)["x-a"] == ["one", "two"] and json.loads(r.out)["x-b"] == ['x"y\\z']


@pytest.mark.parametrize("count, names", [(3000, 3000), (3000, 1), (3000, 700), (7, 3), (33, 17)])
def test_many_headers_as_json(tool, count, names):
    """The time grew with the cube of their number: 3,000 took ten minutes."""
    r = tool.mote("-s", "-o", "f", "-w", "%{header_json}", f"{{U}}/many/{count}/{names}", timeout=60)
    values = [",".join(f'"{i}"' for i in range(name, count, names)) for name in range(names)]
    lines = [f'"x-{name}":[{values[name]}]' for name in range(names)]
    assert r.out.decode() == "{" + ",\n".join([*lines, f'"content-length":["{len(TEXT)}"]']) + "\n}"


def test_secrets_are_wiped_from_the_process_list(tool):
    p = subprocess.Popen([MOTE, "-q", "-s", "-u", "me:topsecret", "--oauth2-bearer", "tokentoken",
                          tool.server.url + "/slow"], stdout=subprocess.DEVNULL)
    end = time.monotonic() + 20
    try:
        while not tool.server.requests and time.monotonic() < end:
            time.sleep(0.01)  # before it asks it has read its arguments
        with open(f"/proc/{p.pid}/cmdline", "rb") as f:
            line = f.read()
    finally:
        p.kill()
        p.wait()
    assert b"/slow" in line and b"topsecret" not in line and b"tokentoken" not in line


def test_mptcp_falls_back(tool):
    assert tool.mote("-s", "--mptcp", "{U}/a").out == TEXT


@pytest.mark.parametrize("argument,rc,text", [
    ("a=@none", 26, b"cannot read none: No such file"), ("=)", 2, b"none is open"),
    ("a=b;encoder=x", 43, b"encoding that is unknown: x"), ("a=(", 0, b""), ("a=b;c=d", 0, b'"c=d" is unknown'),
    ("a=<data;filename=f", 0, b"filename is not allowed"), ("a=b;headers=@none", 0, b"cannot read none")])
def test_form_says_what_is_wrong(tool, argument, rc, text):
    r = tool.mote("-F", argument, "{U}/echo", "-o", "f", "--no-progress-meter", files={"data": b"x"})
    assert r.rc == rc and text in r.err and r.err.count(b"mote: ") == (text != b"") + (rc == 2), r.err


def test_form_of_two_transfers_has_standard_input_in_both(tool):
    r = tool.mote("-s", "-F", "a=<-", "-F", "b=<-", "{U}/echo", "{U}/echo", stdin=b"standard input")
    assert [body.count(b"\r\n\r\nstandard input\r\n") for _, body in r.requests] == [1, 1]


def test_form_of_a_pipe_is_sent_again(tool):
    r = tool.mote("-s", "--retry", "1", "-F", "a=@-;filename=n", "{U}/once/503", stdin=b"standard input")
    assert r.rc == 0 and [body.count(b"standard input") for _, body in r.requests] == [1, 1]


# a netrc file

@pytest.mark.parametrize("args", [["-L", "{U}/redirect/302/auth"], ["--anyauth", "{U}/auth"],
                                  ["-L", "--anyauth", "{U}/redirect/302/auth"]], ids=str)
def test_netrc_of_a_pipe_lasts_for_a_chain(tool, args):
    """It can be read once, as in `--netrc-file <(pass ...)`."""
    r = tool.mote("-s", "--netrc-file", "/dev/stdin", *args, stdin=b"machine 127.0.0.1 login me password secret\n")
    assert r.rc == 0 and r.out.endswith(b"in\n")


# help

def test_help_fits_a_screen(tool):
    lines = tool.mote("--help").out.decode().splitlines()
    assert len(lines) <= 24 and max(map(len, lines)) <= 80


def test_help_of_categories(tool):
    every = tool.mote("-h", "all").out.decode()
    assert every.count("\n") > 270 and "--variable" in every
    listed = re.findall(r"^ (\w+)", tool.mote("--help", "category").out.decode(), re.M)
    assert "http" in listed and "tls" in listed
    for name in listed:
        assert " --" in tool.mote("--help", name).out.decode()
    assert "--insecure" in tool.mote("--help", "-k").out.decode()
    assert "-k" in tool.mote("--help", "--insecure").out.decode()


def test_version_lines(tool):
    lines = tool.mote("-V").out.decode().splitlines()
    assert lines[0].startswith("mote ") and "libcurl/" in lines[0]
    assert lines[1].startswith("Release-Date: ")
    assert lines[2].startswith("Protocols: ") and " http" in lines[2] + " "
    assert lines[3].startswith("Features: ")


@pytest.mark.parametrize("program", ["gen_manual.py", "gen_man3.py"])
def test_manuals_and_completions_are_up_to_date(program):
    p = subprocess.run([os.path.join(ROOT, "tools", program), "--check"], capture_output=True)
    assert p.returncode == 0, p.stderr.decode()


def test_every_function_of_ours_has_a_page():
    with open(os.path.join(ROOT, "exports", "functions.txt")) as f:
        ours = {line.strip() + ".3" for line in f if line.startswith("mote_")}
    assert ours and ours == set(os.listdir(os.path.join(ROOT, "docs", "man3")))


@pytest.mark.parametrize("page, says", [("mote.1", b"--parallel-max"), ("man3/mote_need.3", b"CURLE_TOO_LARGE"),
                                        ("man3/mote_part_info.3", b"size_t peak;")])
def test_manual_is_clean(page, says):
    if not shutil.which("man"):
        pytest.skip("no man")
    p = subprocess.run(["man", "--warnings=w", "-l", "-P", "cat", os.path.join(ROOT, "docs", page)],
                       capture_output=True, env=dict(os.environ, MANWIDTH="80"))
    assert p.returncode == 0 and not p.stderr and says in p.stdout


def test_bash_completes(tool):
    line = (f'. "{ROOT}/docs/completion/mote.bash"; COMP_WORDS=(mote --data-); COMP_CWORD=1; _mote; '
            'echo "${COMPREPLY[@]}"')
    out = subprocess.run(["bash", "-c", line], capture_output=True, text=True).stdout.split()
    assert set(out) == {"--data-ascii", "--data-binary", "--data-raw", "--data-urlencode"}


# URLs and proxies

@pytest.mark.parametrize("args, files", [(["-sO"], ["get"]), (["-s", "-T", "f", "-o", "o"], ["f", "o"])])
def test_a_scheme_in_the_query_is_none(tool, args, files):
    """The URL was cut there: the file got another name, and the query the file's."""
    r = tool.mote(*args, "127.0.0.1:{P}/get" + ("/" if "-T" in args else "") + "?from=http://x/", files={"f": b"sent"} if "-T" in args else {})
    assert r.rc == 0 and sorted(r.files) == files
    assert r.heads[0].split()[1] == ("/get/?from=http://x/" if "-T" in args else "/get?from=http://x/")


def test_an_upload_to_a_folder_whose_url_has_a_fragment(tool):
    """The file's name was left out: the folder itself was put."""
    r = tool.mote("-s", "-T", "f", "{U}/d/#x", "{U}#x", "-T", "f", files={"f": b"sent"})
    assert r.rc == 0 and [h.split()[1] for h in r.heads] == ["/d/f", "/f"]


def test_a_proxy_without_a_scheme_is_one_of_http(tool):
    """It was taken for one of the type that an option before it, in a file perhaps, had named."""
    r = tool.mote("-s", "--socks5", "127.0.0.1:1", "-x", "127.0.0.1:{P}", "http://example.com/a")
    assert r.rc == 0 and r.heads[0].startswith("GET http://example.com/a ")


def test_hosts_of_hsts_and_certificates_of_the_environment(tool, tls):
    r = tool.mote("-s", "--hsts", "hosts", f"http://localhost:{tls.port}/a", files={"hosts": b'localhost "unlimited"\n'},
                  env={"CURL_CA_BUNDLE": tls.ca})
    assert r.rc == 0 and r.out == TEXT


# traces: the same lines as curl's, but for the library's own texts

def trace_lines(data):
    text = data.decode("latin-1")
    text = re.sub(r"^\d\d:\d\d:\d\d\.\d{6} ", "T ", text, flags=re.M)
    text = re.sub(r"^(T )?(== Info:|\*) .*\n", "", text, flags=re.M)
    return re.sub(r"User-Agent: \w+/[\d.]+", "UA", text)


@pytest.mark.parametrize("args", [
    ["-v"], ["-v", "-d", "x"], ["-v", "--trace-time", "-L"], ["--trace-ascii", "-"], ["--trace-ascii", "-", "-d", "a\r\nb"],
    ["-v", "--stderr", "-"],
])
def test_trace_has_curls_form(tool, args):
    if CURL_MAJOR >= 8 and "-L" in args:
        pytest.skip("curl 8 does not trace the body of a redirect")

    def run(which):
        return tool.run(which, ["-s", "-A", "curl/1", "-o", "f"] + args + ["{U}/redirect/302/multi"])
    theirs, ours = run(CURL), run(MOTE)
    assert trace_lines(ours.err) == trace_lines(theirs.err)
    assert trace_lines(ours.out) == trace_lines(theirs.out)


def test_trace_hex(tool):
    def run(which):
        return tool.run(which, ["-s", "-A", "curl/1", "--trace", "t", "-o", "f", "-d", "\x01abc", "{U}/bin"])
    theirs, ours = run(CURL), run(MOTE)
    cut = [[x for x in trace_lines(r.files["t"]).splitlines() if not x.startswith("<= Recv data")] for r in (theirs, ours)]
    assert cut[0][:40] == cut[1][:40]


def test_trace_config_has_words_of_its_own(tool):
    r = tool.mote("-sv", "--trace-config", "http,IDS", "--trace-config", "Time", "{U}/a")
    assert re.search(rb"(?m)^\d\d:\d\d:\d\d\.\d{6} \[0-0\] > GET /a", r.err), r.err
    r = tool.mote("-sv", "--trace-config", "idsx,tim", "{U}/a")
    assert re.search(rb"(?m)^> GET /a", r.err), r.err


# progress

def test_meter_only_when_curl_shows_one(tool):
    for args in (["-o", "f"], [], ["-s"], ["-s", "-S"], ["--no-progress-meter"], ["-I"], ["-s", "-#"]):
        theirs = tool.run(CURL, args + ["{U}/a"])
        ours = tool.run(MOTE, args + ["{U}/a"])
        assert (b"% Total" in ours.err) == (b"% Total" in theirs.err), args
        assert bool(ours.err) == bool(theirs.err), args


def test_meter_has_curls_columns(tool):
    theirs = tool.run(CURL, ["-o", "f", "{U}/bin"]).err.decode()
    ours = tool.run(MOTE, ["-o", "f", "{U}/bin"]).err.decode()
    assert ours.splitlines()[:2] == theirs.splitlines()[:2]
    last = ours.replace("\r", "\n").strip("\n").splitlines()[-1]
    wanted = theirs.replace("\r", "\n").strip("\n").splitlines()[-1]
    assert len(last) == len(wanted) and last[:33] == wanted[:33]


def test_bar(tool):
    ours = tool.run(MOTE, ["-#", "-o", "f", "{U}/bin"], env={"COLUMNS": "60"}).err.decode()
    assert ours.endswith("#" * 53 + " 100.0%\n")


def screen(data):
    """The lines that stand on a terminal wide enough after all carriage returns."""
    lines = []
    for line in data.decode().split("\n"):
        shown = ""
        for piece in line.split("\r"):
            shown = piece + shown[len(piece):]
        lines.append(shown.rstrip())
    return lines


@pytest.mark.parametrize("path", ["chunked", "close", "redirect/302/chunked"])
def test_bar_of_an_unknown_size_leaves_no_signs(tool, path):
    """Those of a size that was known before, as of a redirect, stayed on the right, and "===" on the left."""
    r = tool.run(MOTE, ["-L", "-#", "-o", "f", "{U}/" + path], env={"COLUMNS": "60"})
    assert r.rc == 0 and screen(r.err) == ["", ""]


def all_of_terminal(fd):
    """What was written to a terminal that its programs have closed: a read may return a part of it."""
    shown = b""
    with contextlib.suppress(OSError), open(fd, "rb", buffering=0) as f:
        while data := f.read(65536):
            shown += data
    return shown


@pytest.mark.parametrize("columns", [10, 19, 20, 21, 80, 300])
def test_bar_fits_its_terminal(server, tmp_path, columns):
    """One of 20 columns was taken for one of 79."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    done = subprocess.run([MOTE, "-q", "-#", "-o", "f", server.url + "/bin"], cwd=tmp_path, stderr=theirs, timeout=120,
                          env={k: v for k, v in os.environ.items() if k != "COLUMNS"})
    os.close(theirs)
    shown = all_of_terminal(ours).decode()
    width = max(columns, 20)
    assert done.returncode == 0 and shown.endswith("\r" + "#" * (width - 7) + " 100.0%\r\n")
    assert max(len(line) for line in shown.split("\r")) <= width


@pytest.mark.parametrize("columns", ["20", "34", "35", "36", "39", "40"])
def test_parallel_on_a_narrow_terminal(tool, columns):
    """The room for a name was less than nothing, and bytes of other memory were shown."""
    r = tool.mote("-Z", "-o", "a-name.txt", "{U}/a", env={"COLUMNS": columns})
    assert r.rc == 0 and r.err.decode().splitlines()[0].endswith("  ...txt")


def test_parallel_shows_no_password(tool):
    r = tool.mote("-Z", "http://me:secret@127.0.0.1:{P}/a", env={"COLUMNS": "200"})
    assert r.rc == 0 and b"secret" not in r.err and b"  127.0.0.1:" in r.err


def test_parallel_headers_stay_whole(tool):
    """Those of the first transfer were written over the others'."""
    r = tool.mote("-s", "-Z", "-D", "heads", "-o", "a", "{U}/slow", "-o", "b", "{U}/multi")
    heads = r.files["heads"]
    assert r.rc == 0 and heads.count(b"HTTP/1.1 200 OK\r\n") == 2 and b"X-A: two\r\n" in heads and heads.count(b"\r\n\r\n") == 2


def test_messages_and_headers_in_one_file(tool):
    """The file of --stderr was closed with the first transfer's headers."""
    r = tool.mote("-sv", "--stderr", "log", "-D", "%", "-o", "a", "{U}/a", "-o", "b", "{U}/b", "--next", "-sv", "--stderr", "log",
                  "-D", "%", "-o", "c", "http://localhost:{P}/c")
    log = r.files["log"]
    assert r.rc == 0 and [log.count(b"\nX-Seen: " + x) for x in (b"a", b"b", b"c")] == [1, 1, 1]
    assert log.count(b"< X-Seen: ") == 3


def test_parallel_shows_a_line_each_and_a_total(tool):
    r = tool.mote("-Z", "-o", "a", "{U}/a", "-o", "b", "{U}/bin")
    lines = r.err.decode().splitlines()
    assert sum(line.endswith("  a") or line.endswith("  b") for line in lines) == 2
    assert "total" in lines[-2] and "2 of 2 transfers done" in lines[-1]
    assert r.files == {"a": TEXT, "b": BIG}


@pytest.mark.parametrize("args", [[], ["{U}/[1-"], ["-v", "--skip-existing", "-o", "f", "{U}/a"]])
def test_parallel_shows_nothing_when_nothing_starts(tool, args):
    r = tool.mote("-Z", *args, files={"f": b""})
    assert not r.requests and r.err and b"total" not in r.err


def test_parallel_many(tool):
    r = tool.mote("-s", "-Z", "--parallel-max", "7", "{U}/x[1-60]", "-o", "f#1", "--retry", "1")
    assert r.rc == 0 and len(r.files) == 60 and set(r.files.values()) == {TEXT}


def test_parallel_retries(tool):
    r = tool.mote("-s", "-Z", "--retry", "1", "{U}/once/503", "-o", "a", "{U}/b", "-o", "b")
    assert r.rc == 0 and r.files == {"a": TEXT, "b": TEXT}


def test_rate(tool):
    """Three transfers, two per second: a second at least, and no more if the machine is not too busy for it."""
    took = []
    while len(took) < 4 and (not took or took[-1] > 1.7):
        start = time.monotonic()
        assert tool.mote("-s", "--rate", "2/s", "{U}/[1-3]").rc == 0
        took.append(time.monotonic() - start)
    assert min(took) > 0.9 and took[-1] < 3


def test_upload_from_a_slow_pipe(tool):
    tool.server.reset()
    p = subprocess.Popen([MOTE, "-q", "-s", "-T", ".", tool.server.url + "/echo"], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE)
    for piece in (b"one ", b"two ", b"three"):
        p.stdin.write(piece)
        p.stdin.flush()
        time.sleep(0.3)
    out, _ = p.communicate(timeout=120)
    assert out == b"PUT one two three"


def receive_until(c, data, mark):
    while mark not in data:
        more = c.recv(65536)
        assert more, data
        data += more
    return data


def come_and_go(url, sent, listener, options):
    """Seconds from each piece that is written to stdin until the server has it; the next one is written only then"""
    p = subprocess.Popen([MOTE, "-q", "-s", *options, url], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    c, _ = listener.accept()
    c.settimeout(60)
    took, data = [], b""
    with c:
        if url.startswith("http"):
            data = receive_until(c, data, b"\r\n\r\n")
            c.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        for piece in sent:
            time.sleep(0.2)  # so that the client waits, and its next look is nearly a second away
            start = time.monotonic()
            p.stdin.write(piece)
            p.stdin.flush()
            data = receive_until(c, data, piece)
            took.append(time.monotonic() - start)
        p.stdin.close()
        if url.startswith("http"):
            receive_until(c, data, b"\r\n0\r\n\r\n")
            c.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    assert p.wait(60) == 0
    return took


@pytest.mark.parametrize("scheme, options", [("http", ["-T", "."]), ("http", ["-Z", "-T", "."]), ("telnet", [])])
def test_what_is_typed_is_sent_at_once(scheme, options):
    """It waited for the next call of the progress callback, which comes once a second."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(60)
        url = f"{scheme}://127.0.0.1:{listener.getsockname()[1]}/"
        took = come_and_go(url, [b"piece%d\n" % i for i in range(5)], listener, options)
    assert min(took) < 0.4, took


def test_options_of_telnet_are_a_list():
    """Their text was given to the library in place of the list, and the command crashed."""
    iac, end, begin, will, do = (bytes([b]) for b in (255, 240, 250, 251, 253))
    kind, display = b"\x18", b"\x23"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(60)
        p = subprocess.Popen([MOTE, "-q", "-s", "-t", "TTYPE=vt100", "-t", "XDISPLOC=host:0",
                              f"telnet://127.0.0.1:{listener.getsockname()[1]}/"], stdin=subprocess.PIPE)
        c, _ = listener.accept()
        with c:
            c.settimeout(60)
            data = b""
            for option, value in (kind, b"vt100"), (display, b"host:0"):
                c.sendall(iac + do + option)
                data = receive_until(c, data, iac + will + option)
                c.sendall(iac + begin + option + b"\1" + iac + end)
                data = receive_until(c, data, iac + begin + option + b"\0" + value + iac + end)
        p.communicate(timeout=60)
    assert p.returncode == 0


# a terminal

def on_terminal(args, controlling=False):
    """Run with stdout (and stderr) on a terminal; what it shows, and the exit code. controlling: it is /dev/tty, too"""
    main, other = pty.openpty()

    def control():
        os.setsid()
        fcntl.ioctl(other, termios.TIOCSCTTY, 0)

    p = subprocess.Popen([MOTE, "-q"] + args, stdout=other, stderr=other, stdin=subprocess.DEVNULL,
                         env=dict(os.environ, COLUMNS="79"), preexec_fn=control if controlling else None)
    os.close(other)
    shown = b""
    while True:
        ready, _, _ = select.select([main], [], [], 120)
        if not ready:
            break
        try:
            piece = os.read(main, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(main)
    return shown.replace(b"\r\n", b"\n"), p.wait()


def test_terminal_gets_no_binary(server):
    shown, rc = on_terminal([server.url + "/bin"])
    assert rc == 23 and b"(23) the body is binary" in shown and b"\x00" not in shown
    assert b"callback" not in shown
    shown, rc = on_terminal(["-o", "-", server.url + "/bin"])
    assert rc == 0 and b"\x00\x01" in shown


def test_terminal_gets_no_meter(server):
    shown, rc = on_terminal([server.url + "/a"])
    assert rc == 0 and shown == TEXT


def test_terminal_gets_escaped_headers(server):
    shown, rc = on_terminal(["-I", server.url + "/escape"])
    assert rc == 0 and b"\x1b[1mX-Evil\x1b[22m: a\\x1b[31mb" in shown
    shown, rc = on_terminal(["-I", "--no-styled-output", server.url + "/escape"])
    assert b"\x1b" not in shown
    shown, rc = on_terminal(["-sv", "-o", "/dev/null", server.url + "/escape"])
    assert b"< X-Evil: a\\x1b[31mb" in shown
    shown, rc = on_terminal(["-s", "-o", "/dev/null", "-w", "%header{x-evil}", server.url + "/escape"])
    assert shown == b"a\\x1b[31mb"


@pytest.mark.parametrize("args", [["-D", "-"], ["-D", "%"], ["-D", "/dev/stdout"], ["-D", "/dev/tty"],
                                  ["--etag-save", "-"], ["--etag-save", "%"], ["-i"], ["-v"], ["-OJi"],
                                  ["-i", "-o", "/dev/tty"], ["-v", "--stderr", "/dev/tty"],
                                  ["-w", "%output{/dev/tty}%header{x-evil}"], ["-w", "%{stderr}%{header_json}"]])
def test_a_terminal_gets_headers_escaped_in_every_way(server, tmp_path, args):
    """A server could have moved the cursor, changed the title and more, by its headers' bytes."""
    if "-OJi" in args:
        (tmp_path / "escape").symlink_to("/dev/tty")
        args = ["-OJi", "--clobber", "--output-dir", str(tmp_path)]
    output = [] if args[0] in ("-OJi", "-i") else ["--out-null"]
    shown, rc = on_terminal(["-s", *args, *output, server.url + "/escape"], controlling=True)
    assert rc == 0 and b"a\x1b[31mb" not in shown
    assert b"a\\x1b[31mb" in shown or b"a\\u001b[31mb" in shown


def test_pipe_gets_the_bytes(tool):
    r = tool.mote("-s", "-i", "{U}/escape", "-w", "%header{x-evil}")
    assert b"X-Evil: a\x1b[31mb\r\n" in r.out and r.out.endswith(b"a\x1b[31mb")


# errors of the system

def test_full_disk(tool):
    r = tool.mote("-sS", "-o", "/dev/full", "{U}/bin")
    assert r.rc == 23 and r.err == b"mote: (23) cannot write /dev/full: No space left on device\n"


@pytest.mark.parametrize("args", [["-T", "{D}"], ["-Z", "-T", "{D}"]])
def test_directory_is_not_sent(tool, args):
    r = tool.mote("-sS", *[a.replace("{D}", str(tool.tmp)) for a in args], "{U}/echo")
    assert r.rc == 26 and not r.requests
    assert r.err == b"mote: (26) cannot read " + str(tool.tmp).encode() + b": Is a directory\n"


@pytest.mark.parametrize("args, reason", [
    (["-o", "no/f", "{U}/a"], "(23) cannot write no/f: No such file or directory"),
    (["--create-dirs", "-o", "file/d/f", "{U}/a"], "(23) cannot create the directories of file/d/f: Not a directory"),
    (["-D", "no/h", "{U}/a"], "(23) cannot write no/h: No such file or directory"),
    (["-D", "/dev/full", "{U}/a"], "(23) cannot write /dev/full: No space left on device"),
    (["--etag-save", "no/e", "{U}/etag"], "(26) cannot write no/e: No such file or directory"),
    (["-T", "none", "{U}/echo"], "(26) cannot read none: No such file or directory"),
    (["--no-clobber", "-OJ", "--output-dir", "file", "{U}/a"], "(23) cannot write file/a: Not a directory"),
])
@pytest.mark.parametrize("parallel", [[], ["-Z"]])
def test_a_file_that_fails_is_named_with_the_reason(tool, args, reason, parallel):
    """One line, which said "Failed writing received data to disk/application" and the like."""
    r = tool.mote("-sS", *parallel, *args, files={"file": b""})
    assert r.rc == int(reason[1:3]) and r.err.decode() == f"mote: {reason}\n"


@pytest.mark.parametrize("args, file", [
    (["-K", "none"], "none"), (["--url", "@none"], "none"), (["--variable", "v@none"], "none"),
])
def test_an_option_whose_file_fails_names_it_with_the_reason(tool, args, file):
    r = tool.mote("-s", *args, "{U}/a")
    assert r.rc == 26 and f"cannot read {file}: No such file or directory" in r.err.decode() and not r.requests


def test_stdin_that_cannot_be_read(tool):
    p = subprocess.run(["/bin/sh", "-c", f'"$0" -q -sS {tool.server.url}/echo -T - < /', MOTE], timeout=120,
                       capture_output=True)
    assert p.returncode == 26 and b"Is a directory" in p.stderr


def test_closed_descriptors(tool):
    p = subprocess.run(["/bin/sh", "-c", f'"$0" -q -s {tool.server.url}/a -o "$1" 0<&- 1>&- 2>&-', MOTE,
                        str(tool.tmp / "f")], timeout=120)
    assert p.returncode == 0 and (tool.tmp / "f").read_bytes() == TEXT


def test_closed_pipe(tool):
    p = subprocess.run(["/bin/bash", "-c", f'"$0" -q -s {tool.server.url}/bin | head -c 10 >/dev/null; '
                        'exit ${PIPESTATUS[0]}', MOTE], timeout=120)
    assert p.returncode in (0, 23)


# memory

def test_memory_report(tool):
    r = tool.mote("-s", "--memory", "-o", "f", "{U}/bin", "-w", "%{mem_peak} %{mem_allocs}")
    if not r.err:
        pytest.skip("linked with another library")
    rows = {m[0]: list(map(int, m[1:])) for m in
            re.findall(r"^(\w+) +(\d+) +(\d+) +(\d+) +(\d+)% +(\d+)$", r.err.decode(), re.M)}
    allocs, peak, at_peak, percent, held = rows.pop("all")
    assert peak == at_peak and percent == 100 and held == 0
    assert peak == sum(row[2] for row in rows.values()) and allocs == sum(row[0] for row in rows.values())
    assert all(row[4] == 0 for row in rows.values()) and max(row[1] for row in rows.values()) <= peak
    sum_of_peaks, said = map(int, r.out.split())
    assert sum_of_peaks >= peak > 0 and said == allocs


@pytest.mark.parametrize("option", ["--http3", "--http3-only"])
def test_a_version_of_http_that_is_not_built_in(tool, option):
    """The library takes some of them as a wish; who writes it on a command line wants to know."""
    if b" HTTP3" in tool.mote("-V").out:
        pytest.skip("it is built in")
    r = tool.mote(option, "http://127.0.0.1:1/")
    assert r.rc == 2 and f"option {option}: not built into the library".encode() in r.err
