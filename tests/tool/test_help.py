"""--help, the manual page and the completions: what they say is not built in is what the command refuses."""
import functools
import os
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import MOTE, ROOT

sys.path.insert(0, os.path.join(ROOT, "tools"))
import gen_manual  # noqa: E402

ROWS = gen_manual.options()
NETRC = b"machine 127.0.0.1 login me password secret\n"
ARGS = {  # where "1" will not do
    "ftp-method": "nocwd", "upload-flags": "seen", "ftp-ssl-ccc-mode": "active",
    "config": "/dev/null", "connect-to": "a:1:b:2", "continue-at": "0", "cookie": "netrc", "create-file-mode": "0644",
    "delegation": "always", "dump-header": "/dev/null", "form": "a=b", "form-string": "a=b", "httpsig-algo": "ed25519",
    "interface": "127.0.0.1", "ip-tos": "CS1", "libcurl": "/dev/null", "local-port": "20000-60000", "netrc-file": "netrc",
    "hostpubmd5": "0" * 32, "proto": "=http", "proto-default": "http", "proto-redir": "=http", "range": "0-1", "rate": "9/s",
    "resolve": "a:1:127.0.0.1", "stderr": "/dev/null", "tls-max": "1.2", "trace": "/dev/null", "trace-ascii": "/dev/null",
    "upload-file": "netrc", "url": "http://127.0.0.1:1/", "user": "me:secret", "variable": "a=b", "memory-graph": "/dev/null",
}
VERSIONS_OF_HTTP = {"http3": b"HTTP3", "http3-only": b"HTTP3"}  # what some builds have, as a feature
NO_TRANSFER = {"dump-ca-embed", "engine", "help", "manual", "next", "version"}


@functools.lru_cache
def features():
    return next(line.split() for line in subprocess.check_output([MOTE, "-V"]).splitlines() if line.startswith(b"Features:"))


def absent(row):
    needs = VERSIONS_OF_HTTP.get(row["name"])
    return gen_manual.absent(row) or bool(needs and needs not in features())


def refused(row, folder):
    args = ["--" + row["name"]] + ([ARGS.get(row["name"], "1")] if row["arg"] else [])
    if "SECRET" in row["flags"] or "auth" in row["target"].lower():
        args += ["-u", "me:secret"] if row["name"] != "user" else []
    if row["name"].startswith("httpsig"):
        args += ["--httpsig-key", "00", "--httpsig-keyid", "me"]
    done = subprocess.run([MOTE, "-q", "-sS", "-m", "20", *args, "http://127.0.0.1:1/"], cwd=folder, capture_output=True,
                          env=dict(os.environ, HOME=str(folder)), timeout=120)
    return done.returncode, done.stderr.decode()


@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="300 starts of the command")
def test_what_is_not_built_in_is_marked_and_ends_with_one_code_and_one_line(tmp_path):
    """An option that is accepted without effect may be marked too, but none that is refused may not be."""
    for name in ("netrc", ".netrc"):
        (tmp_path / name).write_bytes(NETRC)
    (tmp_path / "1").touch()  # or what an option that reads it says hangs on whether one that writes it came first
    rows = [r for r in ROWS if r["name"] not in NO_TRANSFER]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda r: refused(r, tmp_path), rows))
    for row, (code, text) in zip(rows, results):
        lacks = "not built" in text or "this build has no" in text.lower()
        if lacks:
            assert code == 2 and text.count("\n") == 1 and text.startswith("mote: "), (row["name"], code, text)
            assert absent(row), f"{row['name']} is refused, but not marked"
        else:
            refused_url = 3 if row["name"] == "http3-only" else 7
            assert code in (0, 7, 23, 26, 45, 58, 77, 83, 97, refused_url), (row["name"], code, text)


def test_every_help_marks_what_is_not_built_in(tool):
    wanted = {r["name"] for r in ROWS if absent(r)}
    assert {"proxy-ntlm", "ech"} <= wanted
    out = tool.mote("--help", "all").out.decode()
    marked = {m[1] for m in re.finditer(r"^.{4} --([\w.-]+) .*\(not built in\)$", out, re.M)}
    assert marked == wanted
    assert tool.mote("--help", "proxy").out.decode().count("(not built in)\n") > 4
    assert tool.mote("--help", "--ech").out.endswith(b" (not built in)\n")
    assert not re.search("not built in", tool.mote("--help").out.decode())


def test_manual_page_marks_them():
    page = gen_manual.read("docs/mote.1").replace("\\-", "-")
    options = page[page.index("\n.SH OPTIONS\n"):page.index('\n.SH "OPTIONS THAT ARE NOT BUILT IN"')]
    for row in ROWS:
        entry = re.search(r"^\.TP\n(\\fB-.\\fR, )?\\fB--" + re.escape(row["name"]) + r"\\fR", options, re.M)
        assert bool(entry) == (not gen_manual.absent(row) and row["handler"] != "ignored"), row["name"]


def words(text):
    """Without the signs of roff, and without its line ends."""
    text = re.sub(r"^\.(SH|TP|PP|nf|fi|B|I) ?", "", text, flags=re.M)
    return re.sub(r"\\f[BR]", "", text).replace("\\-", "-").replace("\\e", "\\").replace("\\&", "").split()


def test_manual_is_the_manual_page(tool):
    """But for the options that this build lacks and others have."""
    r = tool.mote("--manual")
    page = gen_manual.read("docs/mote.1").replace('.SH "OPTIONS THAT ARE NOT BUILT IN"', ".SH OPTIONS THAT ARE NOT BUILT IN")
    page = re.sub(r'^\.SH "(.*)"$', r".SH \1", page[page.index(".SH NAME"):], flags=re.M)
    for row in ROWS:
        if absent(row) and not gen_manual.absent(row):
            name = re.escape(row["name"])
            page = re.sub(r"^\.TP\n\\fB--" + name + r"\\fR\n(?:[^.].*\n)*", "", page.replace("\\-", "-"), flags=re.M)
    shown = [w.rstrip(":") for w in r.out.decode().split() if w != "*"]
    assert r.rc == 0 and not r.err and shown == [w.rstrip(":") for w in words(page)]
    examples = re.findall(r"^ {8}mote .*$", r.out.decode(), re.M)
    assert all(len(line) < 80 for line in r.out.decode().splitlines() if line not in examples)


def test_help_of_an_option_is_its_section_of_the_manual(tool):
    manual = tool.mote("--manual").out.decode()
    for row in ROWS[::8] if "MOTE_SANITIZED" in os.environ else ROWS:  # a sanitized start takes 40 ms: a minute for all
        if absent(row) or row["handler"] == "ignored":
            continue
        for name in ["--" + row["name"]] + (["-" + row["letter"]] if row["letter"] else []):
            r = tool.mote("--help", name)
            assert r.rc == 0 and r.out.decode() in manual and f"--{row['name']}" in r.out.decode().splitlines()[0]
    assert b"several are joined" in tool.mote("-h", "-d").out.lower()


@pytest.mark.parametrize("name", ["--nosuch", "-@", "--no-output", "--", "-"])
def test_help_of_an_option_that_is_not_there(tool, name):
    r = tool.mote("-h", name)
    assert r.rc == 0 and not r.out and r.err == b"mote: there is no option of that name, see mote -h\n"
    r = tool.mote("--as-curl", "-h", name)
    assert not r.out and r.err == b"Incorrect option name to show help for, see curl -h\n"


@pytest.mark.parametrize("name", ["mote.bash", "_mote", "mote.fish"])
def test_completions_leave_them_out(name):
    text = gen_manual.read("docs/completion/" + name)
    offered = set(re.findall(r"(?:--|-l ')([a-z][\w.-]+)", text))
    assert {r["name"] for r in gen_manual.useful(ROWS)} <= offered
    assert not offered & {r["name"] for r in ROWS if gen_manual.absent(r)}


@pytest.mark.parametrize("option, names", [("--output", ["a b", "a*", "a,d"]), ("--output-dir", ["a,d"])])
def test_bash_completes_file_names_as_they_are(tmp_path, option, names):
    """One with a blank was offered as two names, and one with a star as all that it matches."""
    (tmp_path / "a,d").mkdir()
    for name in ("a b", "a*"):
        (tmp_path / name).write_text("")
    script = os.path.join(gen_manual.ROOT, "docs/completion/mote.bash")
    tried = f". {script}; COMP_WORDS=(mote {option} a) COMP_CWORD=2; _mote; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    r = subprocess.run(["bash", "-c", tried], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert sorted(r.stdout.splitlines()) == sorted(names) and not r.stderr


# never the command's: of curl_easy_send and of callbacks that the command has not
NEVER = {"CURLE_AGAIN", "CURLE_CHUNK_FAILED", "CURLE_RECURSIVE_API_CALL"}


def test_each_code_that_the_library_returns_is_in_the_manual_page():
    codes = dict(re.findall(r"^  (CURLE_\w+) = (\d+)", gen_manual.read("include/curl/curl.h"), re.M))
    used = set()
    for folder, _, files in os.walk(os.path.join(gen_manual.ROOT, "src")):
        for name in files:
            if name.endswith(".c"):
                used |= set(re.findall(r"\bCURLE_\w+", gen_manual.read(os.path.join(folder, name))))
    page = gen_manual.read("docs/mote.1")
    page = page[page.index('.SH "EXIT CODES"'):page.index('.SH "SEE ALSO"')]
    shown = {n for line in re.findall(r"^\.B ([\d, ]+)$", page, re.M) for n in line.split(", ")}
    assert shown == {codes[c] for c in used & set(codes) - NEVER}


def test_each_protocol_is_in_the_manual_page(tool):
    page = gen_manual.read("docs/mote.1")
    page = page[page.index(".SH PROTOCOLS"):page.index(".SH OUTPUT")]
    named = {n for line in re.findall(r"^\.B ([a-z0-9, ]+)$", page, re.M) for n in line.split(", ")}
    built = re.search(r"^Protocols: (.*)$", tool.mote("--version").out.decode(), re.M)[1].split()
    assert set(built) <= named


def test_examples_of_the_manual_page_are_command_lines():
    page = gen_manual.read("docs/mote.1")
    lines = re.findall(r"^\.B mote (.*)$", page[page.index("\n.SH EXAMPLES\n"):], re.M)
    assert len(lines) > 8
    for line in lines:
        words = shlex.split(line.replace("\\-", "-").replace("\\e", "\\"))
        done = subprocess.run([MOTE, "-q", "-s", *[w for w in words if not w.startswith("http")], "--proto", "=ftp",
                               "http://127.0.0.1:1/"], cwd="/", capture_output=True, timeout=120)
        assert done.returncode in (1, 23, 26), (line, done.stderr)  # understood, and then not allowed


@pytest.mark.skipif(not shutil.which("fish"), reason="no fish")
def test_fish_completes():
    line = (f'source "{ROOT}/docs/completion/mote.fish"; complete -C "mote --data-"; complete -C "mote --help u"; '
            'complete -C "mote -"')
    out = subprocess.run(["fish", "--no-config", "-c", line], capture_output=True, text=True)
    words = {w.split("\t")[0] for w in out.stdout.splitlines()}
    assert not out.stderr and {"--data-ascii", "--data-binary", "--data-raw", "--data-urlencode", "upload", "-o"} <= words
