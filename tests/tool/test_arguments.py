"""Arguments and config files that the newest command (8.23) refuses or understands otherwise than 7.88. Each case was
watched on its binary."""
import re

import pytest
from server import TEXT

BLANK = ["abstract-unix-socket", "capath", "cert", "ciphers", "cookie-jar", "dump-header", "engine", "etag-compare",
         "etag-save", "ftp-port", "haproxy-clientip", "interface", "key", "mail-from", "oauth2-bearer", "output",
         "output-dir", "pass", "preproxy", "proto-default", "proxy1.0", "range", "request", "request-target", "socks5",
         "unix-socket", "url"]


@pytest.mark.parametrize("option", BLANK)
def test_an_empty_argument_is_refused_where_it_says_nothing(tool, option):
    """--request "" sent a request without a method."""
    r = tool.mote("-s", "--" + option, "", "{U}/a")
    assert r.rc == 2 and not r.requests and b"needs an argument that is not empty" in r.err


def test_an_empty_url_is_refused(tool):
    r = tool.mote("-s", "{U}/a", "")
    assert r.rc == 2 and not r.requests and b"not empty" in r.err


@pytest.mark.parametrize("option", ["user-agent", "referer", "data", "header", "cookie", "user", "proxy", "noproxy",
                                    "write-out", "url-query", "form-string=a="])
def test_an_empty_argument_stays_where_it_says_something(tool, option):
    name, _, value = option.partition("=")
    r = tool.mote("-s", "--" + name, value, "{U}/a")
    assert r.rc == 0 and len(r.requests) == 1


@pytest.mark.parametrize("option", ["cacert", "crlfile", "knownhosts", "netrc-file", "proxy-cacert", "proxy-crlfile"])
def test_a_file_that_is_not_there_ends_the_command_before_any_transfer(tool, option):
    """With --netrc-optional, or over plain HTTP, a name with a slip in it went unnoticed."""
    for args in ["--" + option, "none"], ["-K", "c"]:
        r = tool.mote("-s", "--netrc-optional", *args, "{U}/a", files={"c": option.encode() + b" = none\n"})
        assert r.rc == 2 and not r.requests and b'there is no file "none"' in r.err
    assert tool.mote("-s", "--netrc-optional", "--" + option, "there", "{U}/a", files={"there": b""}).rc == 0


@pytest.mark.parametrize("line, text", [
    (b"nosuch = 1", b"is unknown"), (b"--nosuch", b"is unknown"), (b"-@", b"is unknown"),
    (b"max-time", b"needs an argument"), (b"max-time = x", b"needs a number"), (b"silent = 1", b"takes no argument"),
    (b"no-url = x", b"cannot be turned off"), (b"retry = -1", b"not negative"), (b"url", b"needs an argument"),
    (b"output = \"\"", b"not empty"), (b"data = @none", b"cannot read none"),
])
@pytest.mark.parametrize("silent", [[], ["-s"]])
def test_an_error_in_a_config_file_ends_the_command(tool, line, text, silent):
    """There was a warning, and the request went out without what the line had asked for."""
    r = tool.mote(*silent, "-K", "c", "{U}/a", files={"c": b"# one\n\n" + line + b"\n"})
    assert r.rc == (26 if b"@" in line and b"data" in line else 2) and not r.requests
    assert r.err.startswith(b"mote: c:3: option ") and text in r.err and r.err.count(b"\n") == 2, r.err


def test_a_line_end_of_windows_is_no_part_of_an_open_quote(tool):
    """The carriage return stayed at the end of the value, and of the header it stands in."""
    for text in b'user-agent = "me\r\nurl = "{U}/a\r\n', b'user-agent = "me\nurl = "{U}/a\n':
        r = tool.mote("-s", "-K", "c", files={"c": text})
        assert r.rc == 0 and r.out == TEXT and "\r\nUser-Agent: me\r\n" in r.heads[0]
    r = tool.mote("-s", "-K", "c", "{U}/a", "-w", "[%{filename_effective}]", files={"c": b'output = "a\\rb\r"\r\n'})
    assert sorted(r.files) == ["a\rb\r", "c"]  # within the quotes it is the user's


@pytest.mark.parametrize("line", [b"fail # no pages of errors", b"--fail #", b"-f\t# x", b"-f #x", b"-Ame # x",
                                  b"no-globoff # {}"])
def test_a_comment_may_follow_an_option_that_takes_no_argument(tool, line):
    """It may follow an argument, too; here it was taken for one, and ended the command."""
    r = tool.mote("--no-progress-meter", "-K", "c", files={"c": line + b"\nurl = {U}/a # x y\n"})
    assert r.rc == 0 and r.out == TEXT and not r.err
    r = tool.mote("-s", "-K", "c", "{U}/a", files={"c": b'-f "#"\n'})
    assert r.rc == 2 and b"takes no argument" in r.err


def test_an_error_in_curlrc_ends_the_command(tool):
    r = tool.mote("-s", "{U}/a", files={"~/.curlrc": b"nosuch\n"})
    assert r.rc == 2 and not r.requests and b".curlrc:1: option nosuch: is unknown" in r.err
    assert tool.mote("-q", "-s", "{U}/a", files={"~/.curlrc": b"nosuch\n"}).out == TEXT


@pytest.mark.parametrize("args", [["-K", "c"], ["--url", "@c"], ["-H", "@c"]], ids=" ".join)
def test_a_file_of_lines_with_a_nul_byte_is_refused(tool, args):
    """What came after it had no effect, as of a config that allows HTTPS alone, and the exit code was 0."""
    for text in b'silent\n\0\nproto = "=https"\n', '\ufeffproto = "=https"\n'.encode("utf-16-le"):
        r = tool.mote("-s", *args, "{U}/a", files={"c": text})
        assert r.rc == 26 and not r.requests and b"cannot read c: it has a NUL byte, so it is not text\n" in r.err


def test_a_folder_named_curlrc_is_no_config(tool):
    """It ended each command, as "option (null)"."""
    r = tool.mote("-s", "{U}/a", files={"~/.curlrc/x": b"", "~/.config/curlrc": b"user-agent = me\n"})
    assert r.rc == 0 and r.out == TEXT and "User-Agent: me" in r.heads[0] and not r.err


def test_a_curlrc_that_cannot_be_read_has_a_name(tool):
    r = tool.mote("-s", "{U}/a", files={"~/.curlrc": b"silent\n\0\n"})
    assert r.rc == 26 and not r.requests
    assert re.match(rb"mote: option --config: cannot read /.*/home/\.curlrc: it has a NUL byte", r.err), r.err


@pytest.mark.parametrize("option", ["--max-time", "--connect-timeout", "--retry-max-time", "--retry-delay", "--expect100-timeout"])
def test_times_of_years(tool, option):
    for years in "2147484", "9223372036854775":
        assert tool.mote("-s", "--retry", "1", option, years, "{U}/a").out == TEXT
    r = tool.mote("-s", option, "9223372036854776", "{U}/a")
    assert r.rc == 2 and b"the number is too large" in r.err and not r.requests


def test_an_upload_of_nothing_is_no_method(tool):
    assert tool.mote("-s", "-T", "", "-d", "x", "{U}/echo").out == b"POST x"
    assert tool.mote("-s", "-T", "", "-T", "f", "-d", "x", "{U}/a", "{U}/b", files={"f": b""}).rc == 2


def test_a_line_of_a_config_file_has_a_ceiling(tool):
    for line in b"#", b"user-agent = ":
        r = tool.mote("-s", "-K", "c", "{U}/a", files={"c": line + b"D" * (10 << 20) + b"\n"})
        assert r.rc == 26 and not r.requests and b"cannot read c: File too large" in r.err
    r = tool.mote("-s", "-K", "c", "{U}/a", files={"c": (b"#" + b"D" * (1 << 20) + b"\n") * 11})
    assert r.rc == 0


def test_protocols_that_are_not_there_or_none_at_all(tool):
    """They were left out with a warning, so that a slip allowed or forbade something else."""
    for option in "--proto", "--proto-redir":
        for argument in "=htpp", "=http,nosuch", "-nosuch", "-all", "=http,-http":
            r = tool.mote("-s", option, argument, "{U}/a")
            assert r.rc == 2 and not r.requests, argument
    assert b'does not have the protocol "htpp"' in tool.mote("-s", "--proto", "=htpp", "{U}/a").err
    r = tool.mote("-sS", "--proto", "-http", "{U}/a")
    assert r.rc == 1 and not r.requests


def test_protocols_that_are_not_there_can_be_denied(tool):
    """curl(1): "This allows scripts to safely rely on being able to disable potentially dangerous protocols"."""
    for argument in "-smb", "-SMBS,-rtmpte", "=http,-ldap", "-all,+http,-smb":
        assert tool.mote("-s", "--proto", argument, "{U}/a").out == TEXT, argument
    r = tool.mote("-s", "--proto", "-rtmp,-http", "{U}/a")
    assert r.rc == 1 and not r.requests
    r = tool.mote("-s", "--proto", "=rtmp", "{U}/a")
    assert r.rc != 0 and not r.requests


@pytest.mark.parametrize("args", [["--ftp-method", "x"], ["--delegation", "x"], ["--ftp-ssl-ccc-mode", "x"]])
def test_words_that_have_a_default(tool, args):
    r = tool.mote("--no-progress-meter", *args, "{U}/a")
    assert r.rc == 0 and r.out == TEXT and b'"x" is none of its words' in r.err


@pytest.mark.parametrize("args", [["--tls-max", "1.2", "--tlsv1.3"], ["--tlsv1.3", "--tls-max", "1.2"],
                                  ["--tls-max", "1.0", "--tlsv1.0", "--tlsv1.2"]])
def test_a_highest_tls_version_below_the_lowest(tool, args):
    r = tool.mote("-s", *args, "{U}/a")
    assert r.rc == 2 and not r.requests and b"--tls-max is lower" in r.err
    assert tool.mote("-s", "--tls-max", "default", "--tlsv1.3", "{U}/a").rc == 0


@pytest.mark.parametrize("args", [["-C", "-", "-r", "1-2"], ["-r", "1-2", "-C", "3"]])
def test_continuing_and_a_range_contradict_each_other(tool, args):
    r = tool.mote("-s", *args, "-o", "f", "{U}/bin", files={"f": b"abc"})
    assert r.rc == 2 and not r.requests and r.files == {"f": b"abc"}


def test_parts_of_a_unit(tool):
    assert tool.mote("-s", "--max-filesize", "0.01k", "{U}/a").rc == 63  # 10 bytes
    assert tool.mote("-s", "--max-filesize", "0.012k", "{U}/a").out == TEXT
    for wrong in "1.5", "1.5b", "1.k", ".5k", "1.5.5k":
        assert tool.mote("-s", "--max-filesize", wrong, "{U}/a").rc == 2
    assert tool.mote("-s", "--rate", "100/2s", "{U}/[1-2]").out == TEXT * 2
    assert tool.mote("-s", "--rate", "1/0s", "{U}/a").rc == 2


def test_an_equals_sign_counts_before_an_at_sign(tool):
    assert tool.mote("-s", "--data-urlencode", "a@b=c d", "{U}/echo").out == b"POST a@b=c+d"
    r = tool.mote("-s", "--url-query", "a@b=c", "{U}/a")
    assert r.heads[0].startswith("GET /a?a@b=c HTTP")


def test_encoded_pieces_of_a_query_have_capital_digits(tool):
    r = tool.mote("-s", "--url-query", "+%3d%zz%e4", "--url-query", "=", "{U}/a?%4a")
    assert r.heads[0].startswith("GET /a?%4a&%3D%zz%E4& HTTP")


def test_cookies_of_several_options_are_a_list(tool):
    r = tool.mote("-s", "-b", "a=b", "-b", "c=d", "{U}/a")
    assert "Cookie: a=b; c=d" in r.heads[0]


def test_a_type_of_a_form_is_taken_as_it_is(tool):
    out = tool.mote("-s", "-F", "a=b;type=x;charset=u8", "-F", "c=@f;type=y", "{U}/echo", files={"f": b"1"}).out
    assert b"Content-Type: x;charset=u8\r\n" in out and b"Content-Type: y\r\n" in out


def test_urls_of_a_file_are_saved_by_their_names_and_are_no_patterns(tool):
    """They went to stdout."""
    files = {"l": b"# two\n{U}/one  \n\n{U}/{two}\r\n"}
    r = tool.mote("-s", "--url", "@l", files=files)
    assert r.rc == 0 and r.out == b"" and {k: r.files[k] for k in r.files if k != "l"} == {"one": TEXT, "{two}": TEXT}
    r = tool.mote("-s", "--url", "@l", "-o", "x", "--out-null", files=files)
    assert {k: r.files[k] for k in r.files if k != "l"} == {"x": TEXT}
    r = tool.mote("-s", "--url", "@l", "--skip-existing", files={**files, "one": b"old"})
    assert len(r.requests) == 1 and r.files["one"] == b"old"


def test_no_remote_name_takes_nothing_from_another_option(tool):
    r = tool.mote("--no-progress-meter", "--no-remote-name", "-o", "x", "{U}/a")
    assert r.files == {"x": TEXT} and not r.err
    r = tool.mote("--no-progress-meter", "{U}/a", "-o", "x", "--no-remote-name")
    assert r.files == {"x": TEXT} and not r.err
    r = tool.mote("-s", "--remote-name-all", "--no-remote-name", "{U}/a", "{U}/b")
    assert r.out == TEXT and r.files == {"b": TEXT}


def test_the_last_way_to_fail_counts(tool):
    for args, rc in [(["--fail-with-body", "--no-fail"], 0), (["-f", "--no-fail-with-body"], 0), (["-f", "--no-fail"], 0),
                     (["--no-fail", "--fail-with-body"], 22)]:
        assert tool.mote("-s", *args, "{U}/404").rc == rc, args


def test_a_remote_time_before_1970(tool, monkeypatch):
    monkeypatch.setattr(type(tool.server), "do_old", lambda self, **_: (
        b"HTTP/1.1 200 OK\r\nLast-Modified: Wed, 09 Oct 1940 16:45:49 +0100\r\nContent-Length: 1\r\n\r\nx"), raising=False)
    r = tool.mote("-s", "-R", "-O", "{U}/old")
    assert r.rc == 0
    import os
    assert os.stat(os.path.join(r.folder, "old")).st_mtime == -922349651
