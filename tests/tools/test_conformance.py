"""tests/conformance: what it reads of the suite, and how it judges. Needs no suite and no build."""
import os
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "conformance"))
import areas  # noqa: E402
import conformance  # noqa: E402
import needs  # noqa: E402
import runner  # noqa: E402
import suite  # noqa: E402
import verdicts  # noqa: E402
from verdicts import Line  # noqa: E402

TEST = """<testcase>
<info>
<keywords>
HTTP
HTTP GET
{keywords}
</keywords>
</info>
<reply>
<data>
<server>
ftp
</server>
</data>
</reply>
<client>
<server>
{servers}
</server>
<features>
{features}
</features>
<name>
A test
</name>
<command {attributes}>
{command}
</command>
{more}
</client>
</testcase>
"""

VERSION = """curl 7.88.1 (x86_64-pc-linux-gnu) libcurl/8.22.0 Mote/0.1.0
Protocols: file http https
Features: AsynchDNS libz SSL
"""
COMPAT = """# Options
| CURLOPT_COOKIEJAR | refused |  | CURLE_UNKNOWN_OPTION |
| CURLOPT_HTTPPROXYTUNNEL | accepted |  | nothing is sent to a proxy |
| CURLOPT_MIMEPOST | works |  |  |
| CURLOPT_NETRC | judged |  | |
| CURLOPT_HSTS | differs |  | but slower |
| CURLOPT_ALTSVC | accepted |  | |
| CURLOPT_DOH_URL | refused |  | |
| CURLOPT_AWS_SIGV4 | refused |  | |
| CURLOPT_WS_OPTIONS | refused |  | |
| CURLOPT_HAPROXYPROTOCOL | refused |  | |
| CURLOPT_FTPPORT | refused |  | |
"""

OUTPUT = """********* System characteristics ********
test 0001...[HTTP GET]
--pd---e--- OK (1   out of 6, remaining: 00:02, took 0.010s, duration: 00:00)
test 0002 SKIPPED: curl lacks proxy support
test 0003...[HTTP POST]

 3: protocol FAILED:
--- log/check-expected	2026-01-01 00:00:00 +0000
+++ log/check-generated	2026-01-01 00:00:00 +0000
@@ -1,2 +1,2 @@
 POST /3 HTTP/1.1[CR][LF]
-Host: one[CR][LF]
+Host:\ttwo[CR][LF]

== Contents of files in the log/ dir after test 3
=== Start of file stdout3
 OK (1 out of 1
=== End of file stdout3
test 0004...[HTTP HEAD]

curl returned 52, when expecting 0
 exit FAILED
test 0005...[slow]

lib505 returned 124, when expecting 0
 exit FAILED
test 0006...[dies]

curl returned 2011, when expecting 0
 exit FAILED
TESTDONE: 6 tests were considered during 2 seconds.
"""


def case(number=1, program="", **given):
    """A test's Case, of TEST with some sections filled."""
    fields = {"keywords": "", "servers": "http", "features": "", "attributes": "", "command": "http://%HOSTIP/1",
              "more": ""}
    return needs.Case(number, TEST.format(**{**fields, **given}), program)


@pytest.fixture(name="built")
def built_fixture():
    return needs.Built(VERSION, COMPAT, lambda bit: True)


# ---- what a test needs ----

def test_a_plain_get_lacks_nothing(built):
    assert built.lacking(case()) is None


def test_sections_of_the_reply_are_not_the_clients(built):
    assert case().servers == ["http"]
    assert built.lacking(case(servers="ftp")) == "FTP"


@pytest.mark.parametrize("given, part", [
    ({"servers": "http\nsmtp"}, "SMTP"), ({"servers": "http/2"}, "HTTP/2"), ({"servers": "http-ipv6"}, None),
    ({"servers": "http-unix"}, None), ({"servers": "none"}, None), ({"servers": "httptls+srp"}, "TLS-SRP"),
    ({"servers": "pop3"}, "POP3"), ({"servers": "http\nsocks5"}, "proxies"),
    ({"servers": "http\nhttp-proxy"}, "proxies"),
    ({"features": "cookies"}, "cookies"), ({"features": "proxy"}, "proxies"), ({"features": "ftp"}, "FTP"),
    ({"features": "%if x\nSSL"}, None), ({"features": "libz"}, None),
    ({"keywords": "HTTP proxy"}, "proxies"), ({"keywords": "netrc"}, "netrc"), ({"keywords": "--cookie"}, None),
    ({"command": "http://%HOSTIP/1 -c jar"}, "cookies"), ({"command": "http://%HOSTIP/1 -b name=value"}, None),
    ({"command": "http://%HOSTIP/1 -b file"}, "cookies"), ({"command": "--compressed http://%HOSTIP/-c"}, None),
    ({"command": "-x %HOSTIP:%PROXYPORT http://a/"}, "proxies"), ({"command": "--digest http://a/"}, "digest"),
    ({"more": "<setenv>\nhttp_proxy=http://%HOSTIP\n</setenv>"}, "proxies"),
    ({"program": "curl_easy_setopt(c, CURLOPT_COOKIEJAR, x);"}, "cookies"),
    ({"program": "curl_easy_setopt(c, CURLOPT_COOKIE, x);"}, None),
    ({"program": "curl_easy_setopt(c, CURLOPT_FTPPORT, x);"}, "CURLOPT_FTPPORT"),
    ({"program": "curl_easy_setopt(c, CURLOPT_HTTPAUTH, CURLAUTH_DIGEST);"}, "digest"),
    # forms and HSTS are built, by the table
    ({"command": "-F a=b http://a/"}, None), ({"features": "Mime"}, None), ({"keywords": "HSTS"}, None),
])
def test_what_a_test_needs_and_is_not_built(built, given, part):
    assert built.lacking(case(**given)) == part


def test_a_part_that_gets_built_is_not_lacked_any_more():
    text = COMPAT.replace("| CURLOPT_COOKIEJAR | refused", "| CURLOPT_COOKIEJAR | works")
    assert needs.Built(VERSION, text, lambda bit: True).lacking(case(features="cookies")) is None
    assert needs.Built(VERSION, text, lambda bit: bit != 2).lacking(case(command="--digest x")) is None
    assert needs.Built(VERSION.replace("file", "file ftp"), COMPAT, lambda bit: True).lacking(
        case(servers="ftp")) is None


def test_an_option_without_a_row_in_the_table_is_an_error():
    with pytest.raises(KeyError):
        needs.Built(VERSION, COMPAT.replace("COOKIEJAR", "JAR"), lambda bit: True)


def test_what_the_suites_own_list_of_disabled_parts_says(built):
    assert built.suite_disabled() == ["cookies", "proxy", "netrc", "DoH"]


def test_comments_of_a_program_need_nothing():
    assert "COOKIEJAR" not in needs.strip_comments("/* CURLOPT_COOKIEJAR\n */ int main(void) {}")


@pytest.mark.parametrize("given, why", [
    ({"features": "debug"}, "needs debug"), ({"keywords": "unittest"}, "needs unittest"),
    ({"number": 7}, "disabled in the suite"), ({}, None),
    ({"attributes": 'type="perl"', "command": "%SRCDIR/scan.pl"}, "runs no library"),
    ({"attributes": 'type="perl"', "command": "%SRCDIR/x.pl %CURL"}, None)])
def test_what_says_nothing_about_a_library(given, why):
    assert needs.not_of_a_library(case(**given), {7}) == why


@pytest.mark.parametrize("why, part", [("curl lacks http/2 server support", "HTTP/2"),
                                       ("curl lacks ftp server support", "FTP"),
                                       ("curl lacks crypto support", "digest"), ("curl lacks PSL support", "PSL"),
                                       ("precheck command error", None)])
def test_reasons_of_the_suites_runner(why, part):
    assert needs.lacked_feature(why) == part


def test_the_suites_list_of_disabled_tests(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "DISABLED").write_text("# 1\n2\n%if hyper\n3\n%endif\n44\n")
    assert needs.disabled(str(tmp_path)) == {2, 44}


# ---- what the suite's runner prints ----

def test_results_of_a_run():
    results = runner.read_output(OUTPUT)
    assert {n: r[:2] for n, r in results.items()} == {
        1: ("passes", ""), 2: ("left out", "curl lacks proxy support"),
        3: ("fails", "protocol: lacks 'Host: one', has 'Host:?two'"), 4: ("fails", "returns 52, not 0"),
        5: ("fails", f"not over after {suite.LIMIT} seconds"), 6: ("fails", "ends by signal 11")}
    assert "POST /3" in results[3][2] and "test 0004" not in results[3][2]


@pytest.mark.parametrize("status,why", [(139, "ends by signal 11"), (124, f"not over after {suite.LIMIT} seconds"), (7, "protocol: empty")])
def test_a_crash_before_the_first_request(status, why):
    about = f" 654: protocol FAILED!\n There was no content at all in the file log/server.input.\n Server glitch? Total curl failure? Returned: {status}\n"
    assert runner.reason(about) == why


def test_an_ok_in_the_logs_of_a_failed_test_is_no_pass():
    assert runner.read_output(OUTPUT)[3][0] == "fails"


def test_a_run_that_ends_in_the_middle_of_a_test_fails_that_test():
    cut = OUTPUT[:OUTPUT.index("--pd---e---")]
    assert runner.read_output(cut) == {1: ("fails", "fails", "test 0001...[HTTP GET]\n")}


def test_chunks_keep_servers_together():
    groups = runner.chunks(range(1, 101), lambda n: ["https"] if n % 2 else ["http"])
    assert sorted(n for group in groups for n in group) == list(range(1, 101))
    assert [len(group) for group in groups] == [runner.CHUNK] * 4
    assert all(n % 2 == 0 for group in groups[:2] for n in group)


class FakeRunner:
    """Shows only the first test of what it is given, and never test 9."""

    def __init__(self, *_):
        pass

    def run(self, numbers):
        return {n: ("passes", "", "") for n in numbers[:1] if n != 9}


def test_tests_after_one_that_hangs_are_run_again(monkeypatch):
    monkeypatch.setattr(runner, "Runner", FakeRunner)
    seen = runner.run_all(None, [("library", [1, 2, 3]), ("newest", [9])], 2, lambda done: None)
    assert [seen["library", n][0] for n in (1, 2, 3)] == ["passes"] * 3
    assert seen["newest", 9][:2] == ("fails", "the suite's runner does not run it")


# ---- judging, and the ledger ----

PASSED, FAILED, OUT = ("passes", "", ""), ("fails", "why", "text"), ("left out", "x", "")


@pytest.mark.parametrize("ours, newest, line", [
    (PASSED, PASSED, Line("passes", "")), (FAILED, PASSED, Line("fails", "why")),
    (FAILED, FAILED, Line("superseded", "the newest: why")), (PASSED, FAILED, Line("superseded", "the newest: why")),
    (("fails", "ends by signal 11", ""), FAILED, Line("fails", "ends by signal 11")),
    (("fails", "not over after 40 seconds", ""), FAILED, Line("fails", "not over after 40 seconds")),
    (FAILED, OUT, Line("fails", "why")), (PASSED, OUT, Line("passes", ""))])
def test_the_newest_decides_what_is_superseded(ours, newest, line):
    assert verdicts.judge(ours, newest) == line


def test_judge_all_leaves_out_what_the_runner_left_out():
    results = {("library", 1): ("left out", "curl lacks brotli support", ""), ("newest", 1): PASSED,
               ("library", 2): FAILED, ("newest", 2): PASSED, ("library", 3): OUT, ("newest", 3): PASSED}
    results["library", 4] = results["newest", 4] = OUT
    cases = {1: case(), 2: case(), 3: case(), 4: case(more="<precheck>\n./libtest/lib678 check\n</precheck>")}
    lines, said = conformance.judge_all({"library": [1, 2, 3, 4]}, results, cases)
    assert lines.pop((4, "library")) == Line("superseded", "the newest: x")
    assert lines == {(1, "library"): Line("not built", "brotli"), (2, "library"): Line("fails", "why"),
                     (3, "library"): Line("not run", "x")}
    assert said == {(2, "library"): "text"}


def test_sort_out_counts_a_program_in_the_library_mode_only(built):
    cases = {1: case(), 2: case(number=2, more="<tool>\nlib500\n</tool>"), 3: case(number=3, features="cookies")}
    lines, run = conformance.sort_out(cases, built, set())
    assert run == {"library": [1, 2], "command": [1]}
    assert lines[2, "command"] == Line("not run", "runs no command")
    assert lines[3, "library"] == lines[3, "command"] == Line("not built", "cookies")


def test_the_ledger_is_read_as_it_is_written():
    lines = {(2, "library"): Line("passes", ""), (1, "command"): Line("fails", "returns 8, not 0"),
             (10, "library"): Line("not built", "FTP")}
    text = verdicts.render(lines)
    assert verdicts.parse(text) == lines
    assert text.splitlines()[1:] == ["1\tcommand\tfails\treturns 8, not 0", "2\tlibrary\tpasses",
                                     "10\tlibrary\tnot built\tFTP"]
    with pytest.raises(ValueError):
        verdicts.parse("1\tlibrary\tpassed\n")


@pytest.mark.parametrize("state", ["fails", "not built", "not run"])
def test_passing_never_goes_back(state, capsys):
    old, new = {(1, "library"): Line("passes", "")}, {(1, "library"): Line(state, "why")}
    assert verdicts.went_back(old, new) == [(1, "library")]
    assert verdicts.merged(old, new) == old
    assert conformance.report(old, new) == 1
    assert "test 1 library passed" in capsys.readouterr().out


def test_passing_may_become_superseded(capsys):
    old, new = {(1, "library"): Line("passes", "")}, {(1, "library"): Line("superseded", "")}
    assert not verdicts.went_back(old, new) and verdicts.merged(old, new) == new
    assert conformance.report(old, new) == 0
    assert "passes -> superseded" in capsys.readouterr().out


@pytest.mark.parametrize("library, state", [("passes", "superseded"), ("superseded", "superseded"),
                                            ("fails", "fails")])
def test_what_the_newest_command_does_otherwise_is_superseded_where_our_library_passes(library, state):
    by_hand = Line("superseded", verdicts.BY_HAND + "-O invents a name")
    fails, passes = Line("fails", "why"), Line("passes", "")
    old = {(1, "command"): by_hand, (1, "library"): passes, (2, "command"): Line("superseded", "the newest: x")}
    new = {(1, "command"): fails, (1, "library"): Line(library, ""), (2, "command"): fails, (2, "library"): passes}
    assert verdicts.documented(old, new)[1, "command"].state == state
    assert verdicts.documented(old, new)[2, "command"] == Line("fails", "why")
    assert verdicts.documented(old, {(1, "command"): Line("passes", "")})[1, "command"].state == "passes"


def test_a_run_of_some_tests_keeps_the_others_lines():
    old = {(1, "library"): Line("passes", ""), (2, "library"): Line("fails", "a reason by hand")}
    new = {(2, "library"): Line("fails", "returns 8, not 0"), (3, "library"): Line("passes", "")}
    assert not verdicts.went_back(old, new)
    assert verdicts.merged(old, new) == {**old, **{(3, "library"): Line("passes", "")}}


def test_what_a_test_lacks_may_change():
    old, new = {(1, "library"): Line("not built", "proxies")}, {(1, "library"): Line("not built", "NTLM")}
    assert verdicts.merged(old, new) == new


def test_the_share_that_fails_counts_what_is_built_only():
    lines = {(n, "library"): Line(s, "") for n, s in enumerate(["passes"] * 49 + ["fails"] + ["not built"] * 50)}
    assert verdicts.share_failing(verdicts.totals(lines)["library"]) == 2.0
    assert verdicts.share_failing(verdicts.totals({})["library"]) == 0.0


@pytest.mark.parametrize("servers, more, found", [
    ("ftps-ipv6\nhttp-proxy", {}, {"FTP", "proxies"}), ("http\nhttp/2", {}, {"HTTP", "HTTP/2"}), ("dict", {}, {"DICT"}),
    ("https", {"keywords": "cookies"}, {"HTTP", "cookies"}), ("none", {}, {"no server"}), ("httptls+srp", {}, {"TLS-SRP"}),
    ("socks5", {"command": "http://x"}, {"proxies"}), ("gophers", {}, {"GOPHER"}), ("sftp", {}, {"SFTP"}),
])
def test_the_areas_of_a_test(servers, more, found):
    assert areas.areas_of(case(servers=servers, **more)) == found


def test_the_ledger_by_area():
    cases = {1: case(1, servers="ftp"), 2: case(2, servers="ftp"), 3: case(3, servers="imap")}
    lines = {(1, "library"): Line("passes", ""), (2, "library"): Line("fails", "why"), (2, "command"): Line("not run", ""),
             (3, "command"): Line("superseded", ""), (3, "library"): Line("passes", "")}
    assert areas.render(lines, cases) == (
        "FTP              library     1 passed,  1 failed (50.0 in 100), 0 superseded\n"
        "IMAP             library     1 passed,  0 failed (0.0 in 100), 0 superseded\n")


# ---- the stage ----

def test_the_tests_ask_for_a_locale_that_is_there(tmp_path):
    text = b"\xff\nLC_ALL=en_US.UTF-8\nLC_CTYPE=en_US.UTF-8\n"
    (tmp_path / "test1").write_bytes(text)
    (tmp_path / "other").write_bytes(text)
    suite.change_locale(str(tmp_path))
    assert (tmp_path / "test1").read_bytes() == b"\xff\nLC_ALL=C.UTF-8\nLC_CTYPE=C.UTF-8\n"
    assert (tmp_path / "other").read_bytes() == text


# ---- the wrapper of a program ----

def test_the_wrapper_gives_the_program_its_library_and_its_name(tmp_path):
    programs = tmp_path / "programs"
    programs.mkdir()
    suite.write(str(programs / "curl"), '#!/bin/sh\necho "$LD_LIBRARY_PATH $1"\nexit 7\n', True)
    suite.write(str(tmp_path / "curl"), suite.WRAPPER.format(limit=40, library="/the/library", folder=programs), True)
    done = subprocess.run([str(tmp_path / "curl"), "a b"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (7, "/the/library a b\n")


def test_the_wrapper_ends_a_program_that_takes_too_long(tmp_path):
    suite.write(str(tmp_path / "hangs"), "#!/bin/sh\nexec sleep 600\n", True)
    suite.write(str(tmp_path / "w"), suite.WRAPPER.format(limit=0.2, library="", folder=tmp_path).replace(
        '"${0##*/}"', "hangs"), True)
    assert subprocess.run([str(tmp_path / "w")], check=False).returncode == 124
    assert runner.reason("curl returned 124, when expecting 0\n").startswith("not over")


def test_the_ledger_of_the_repository_is_in_order():
    text = needs.read(conformance.LEDGER)
    lines = verdicts.parse(text)
    assert verdicts.render(lines) == text
    assert all(line.why for line in lines.values() if line.state in ("fails", "not built", "not run"))
    for mode, counter in verdicts.totals(lines).items():
        assert mode in conformance.MODES and counter["passes"] > 300
