"""What the newest command does otherwise than curl 7.88. There is no such command to compare with: each case says what
its documentation and its own test suite say."""
import os
import shutil
import subprocess

import pytest
from conftest import MOTE
from server import BIG, TEXT, response

OLD = b"0123456789"


# resuming

@pytest.mark.parametrize("status", [200, 403, 404, 500])
@pytest.mark.parametrize("parallel", [[], ["-Z"]])
def test_a_resume_that_the_server_refuses_leaves_the_file_alone(tool, status, parallel):
    """The error page was appended, and the exit code was 0."""
    r = tool.mote("-sS", *parallel, "-C", "10", "-o", "part", "{U}/%d" % status, files={"part": OLD})
    assert r.rc == 33 and r.files == {"part": OLD} and "Range: bytes=10-" in r.heads[0]


@pytest.mark.parametrize("args", [["--no-clobber"], ["--remove-on-error"], ["-d", "x"], ["-OJ"]])
def test_what_contradicts_a_resume_is_refused(tool, args):
    """--remove-on-error had removed what was there before."""
    r = tool.mote("-s", *args, "-C", "3", "-o", "part", "{U}/short", files={"part": OLD})
    assert r.rc == 2 and r.files == {"part": OLD} and not r.requests and b"--continue-at" in r.err


def test_heads_stay_when_a_try_without_a_body_is_repeated(tool):
    """They were cut off with the body, of which there was nothing."""
    for args in ["--retry-delay", "0"], ["--retry-delay", "0", "--fail"]:
        path = "{U}/once/503" if "--fail" in args else "{U}/bodyless/once"
        r = tool.mote("-s", "-i", "-o", "f", "--retry", "1", *args, path)
        assert r.rc == 0 and r.files["f"].count(b"HTTP/1.1 ") == 2 and r.files["f"].endswith(TEXT)
    r = tool.mote("-s", "-i", "-o", "f", "--retry", "1", "--retry-delay", "0", "{U}/once/503")
    assert r.files["f"].startswith(b"HTTP/1.1 200 OK") and r.files["f"].endswith(TEXT)


@pytest.mark.parametrize("code, times", [("522", 2), ("524", 2), ("521", 1), ("523", 1), ("525", 1)])
def test_a_timeout_of_the_origin_server_is_tried_again(tool, code, times):
    """Source: curl(1) since 8.17, --retry."""
    r = tool.mote("-s", "--retry", "1", "--retry-delay", "0.1", "-o", "f", "{U}/once/" + code)
    assert r.rc == 0 and len(r.requests) == times and r.files["f"] == (TEXT if times == 2 else b"error\n")


def test_a_malformed_url_comes_before_a_missing_file(tool):
    for parallel in [], ["-Z"]:
        r = tool.mote("-sS", *parallel, "-T", "none", "http://127.0.0.1/%/with space/")
        assert r.rc == 3 and r.err.startswith(b"mote: (3) ") and r.err.count(b"\n") == 1


def test_converted_lines_are_sent_whole(tool):
    """curl 7.88 announced the length of the file and stopped there."""
    r = tool.mote("-s", "--crlf", "-T", "lines", "{U}/echo", files={"lines": b"a\nb\n"})
    assert r.rc == 0 and r.out == b"PUT a\r\nb\r\n"


# names of output files

@pytest.mark.parametrize("url, name", [
    ("{U}/", "curl_response"), ("{U}", "curl_response"), ("{U}/dir/", "dir"), ("{U}/a/dir//?x=/y#/z", "dir"),
    ("{U}/?q/x", "curl_response"),
])
def test_a_url_without_a_file_name_has_one_all_the_same(tool, url, name):
    r = tool.mote("-s", "-O", url)
    assert r.rc == 0 and r.files == {name: TEXT}


@pytest.mark.parametrize("url, name", [
    ("{U}/cd/dot", "dot"), ("{U}/cd/dots", "dots"), ("{U}/hide/.netrc/0", "0"), ("{U}/hide/..%2f../1", "1"),
])
def test_a_server_names_no_hidden_file(tool, url, name, monkeypatch):
    """A server could have written .bashrc or .curlrc where the command was run in the home folder."""
    monkeypatch.setattr(type(tool.server), "do_hide", lambda self, path, **_: response(
        b"302 Found", ["Location: /" + path.split("/")[2]], b"moved\n"), raising=False)
    r = tool.mote("-L", "--no-progress-meter", "-OJ", url)
    assert r.rc == 0 and list(r.files) == [name] and b"is not used" in r.err


def test_a_redirect_names_the_file(tool):
    r = tool.mote("-s", "-OJL", "{U}/redirect/302/redirect/301/new/name.txt?x=/y#/z")
    assert r.rc == 0 and r.files == {"name.txt": TEXT}
    r = tool.mote("-s", "-OJ", "{U}/redirect/302/new/name.txt")
    assert r.rc == 0 and list(r.files) == ["name.txt"]  # the URL's own
    r = tool.mote("-s", "-OJL", "{U}/redirect/302/cd/plain")
    assert r.files == {"server.txt": TEXT}  # Content-Disposition comes first
    r = tool.mote("-s", "-OL", "{U}/redirect/302/other")
    assert r.files == {"other": TEXT} and tool.mote("-s", "-OL", "{U}/redirect/302/x/y").files == {"y": TEXT}
    r = tool.mote("-s", "-OJL", "{U}/redirect/302/name.txt", files={"name.txt": OLD})
    assert r.rc == 23 and r.files == {"name.txt": OLD}


def test_headers_go_into_the_file_that_one_of_them_names(tool):
    r = tool.mote("-s", "-OJi", "{U}/cd/plain")
    head = b"HTTP/1.1 200 OK\r\nContent-Disposition: attachment; filename=server.txt\r\nContent-Length: 12\r\n\r\n"
    assert r.rc == 0 and r.files == {"server.txt": head + TEXT}
    r = tool.mote("-s", "-OJi", "{U}/cd/none")
    assert list(r.files) == ["none"] and r.files["none"].startswith(b"HTTP/1.1 200 OK\r\n")
    r = tool.mote("-s", "-OJI", "{U}/cd/plain")
    assert r.files == {"server.txt": head}
    r = tool.mote("-s", "-OJiL", "{U}/redirect/302/cd/plain")
    assert r.files["server.txt"].startswith(b"HTTP/1.1 302 Moved\r\n") and r.files["server.txt"].endswith(head + TEXT)
    r = tool.mote("-s", "--retry", "1", "-OJi", "{U}/once/503")
    assert r.files["503"].count(b"HTTP/1.1 200 OK") == 1 and r.files["503"].endswith(TEXT)


def test_headers_that_wait_for_a_name_have_a_ceiling(tool, monkeypatch):
    heads = [f"X-{i}: " + "x" * 60000 for i in range(4)]
    monkeypatch.setattr(type(tool.server), "do_large", lambda self, path, **_: response(
        b"302 Found", [*heads, "Location: " + path + "x"], b"") if len(path) < 20 else response(b"200 OK", heads, TEXT),
        raising=False)
    assert tool.mote("-sS", "-OJi", "-L", "{U}/large/xxxxxxxxxxxxx").rc == 0
    r = tool.mote("-sS", "-OJi", "-L", "{U}/large/")
    assert r.rc == 100 and r.err.count(b"\n") == 1 and not r.files


# ETags

def test_etag_file_that_is_not_there_yet(tool):
    r = tool.mote("-s", "--etag-compare", "e", "--etag-save", "e", "{U}/etag")
    assert r.rc == 0 and 'If-None-Match: ""' in r.heads[0] and r.files == {"e": b'"v1"\n'}
    r = tool.mote("-s", "--etag-compare", "none", "{U}/etag")
    assert r.rc == 0 and 'If-None-Match: ""' in r.heads[0] and not r.files


def test_etag_that_is_saved(tool):
    assert tool.mote("-s", "--etag-save", "e", "{U}/etag_of/302/here").files == {"e": b'"here"\n'}
    assert tool.mote("-s", "-L", "--etag-save", "e", "{U}/etag_of/302/here").files == {"e": b'"end"\n'}
    assert tool.mote("-s", "--etag-save", "e", "{U}/etag_of/404/no").files == {"e": b""}
    for more in [], ["--etag-compare", "e"]:
        r = tool.mote("-s", *more, "--etag-save", "e", "{U}/etag_of/200/", files={"e": b'"old"\n'})
        assert r.rc == 0 and r.files == {"e": b""}
    r = tool.mote("-s", "--create-dirs", "--etag-save", "d/e/f", "{U}/etag")
    assert r.files["d/e/f"] == b'"v1"\n'


@pytest.mark.parametrize("parallel", [[], ["-Z"]])
@pytest.mark.parametrize("path, left", [("a", b""), ("short", b""), ("redirect/302/a", b""), ("404", b'"old"\n'), ("none", b"")])
def test_an_etag_of_an_earlier_document_goes(tool, path, left, parallel):
    """A response without an ETag left it, so that the next command compared the document with another one's."""
    r = tool.mote("-s", "-L", *parallel, "--etag-compare", "e", "--etag-save", "e", "{U}/" + path, files={"e": b'"old"\n'})
    assert 'If-None-Match: "old"' in r.heads[-1] and r.files["e"] == left
    r = tool.mote("-s", *parallel, "--etag-compare", "e", "--etag-save", "e", "{U}/etag", files={"e": b'"v1"\n'})
    assert r.rc == 0 and r.out == b"" and r.files["e"] == b'"v1"\n'


def test_an_etag_goes_to_stdout_with_the_body_after_it(server, tmp_path):
    """Stdout is a file here, which nothing empties afterwards."""
    with open(tmp_path / "out", "wb") as out:
        subprocess.run([MOTE, "-qs", "--etag-save", "-", server.url + "/a"], stdout=out, timeout=120, check=True)
    assert (tmp_path / "out").read_bytes() == TEXT


@pytest.mark.parametrize("parallel", [[], ["-Z"]])
def test_an_etag_file_that_cannot_be_written_stops_its_operation_alone(tool, parallel):
    r = tool.mote("-s", *parallel, "--etag-save", "no/e", "{U}/{etag,b}", "--next", "-s", "{U}/a")
    assert r.rc == (26 if parallel else 0) and r.out == TEXT and len(r.requests) == 1
    r = tool.mote("-s", *parallel, "{U}/a", "--next", "--etag-save", "no/e", "{U}/etag")
    assert r.rc == 26 and len(r.requests) == 1
    r = tool.mote("-s", *parallel, "--fail-early", "--etag-save", "no/e", "{U}/etag", "--next", "{U}/a")
    assert r.rc == 26 and not r.requests


@pytest.mark.parametrize("option", ["--etag-save", "--etag-compare"])
def test_etag_options_take_a_single_url(tool, option):
    r = tool.mote("-s", option, "e", "{U}/a", "{U}/b")
    assert r.rc == 2 and not r.requests
    r = tool.mote("-s", option, "e", "{U}/a", "--next", "{U}/b")
    assert r.rc == 0 and len(r.requests) == 2


# config files

def test_a_config_may_begin_with_next(tool):
    files = {"c": b"--next\nurl = {U}/a\nheader = X-C:1\n"}
    r = tool.mote("-s", "-K", "c", "-K", "c", files=files)
    assert r.rc == 0 and len(r.requests) == 2 and all(h.count("X-C:1") == 1 for h in r.heads)
    r = tool.mote("-s", "-i", "-o", "f", "-K", "c", "-K", "c", files=files)
    assert r.rc == 0 and r.files["f"].startswith(b"HTTP/1.1 200") and r.out == TEXT


@pytest.mark.parametrize("args", [["-O", "-I", "--next", "{U}/a"], ["--next", "{U}/a"],
                                  ["{U}/a", "--next", "--next", "{U}/b"]])
def test_next_needs_a_url_before_it(tool, args):
    r = tool.mote("-s", *args)
    assert r.rc == 2 and not r.requests and b"there is no URL before --next" in r.err


@pytest.mark.parametrize("parallel", [[], ["-Z"]])
def test_a_next_without_a_url_after_it_counts_more_than_an_earlier_failure(tool, parallel):
    assert tool.mote("-s", *parallel, "nope://127.0.0.1/", "--next").rc == 2


@pytest.mark.parametrize("line", [b"-h", b"--help all", b"-V", b"manual"])
def test_a_config_asks_no_questions(tool, line):
    r = tool.mote("-s", "-K", "c", files={"c": line + b"\nurl = {U}/a\n"})
    assert r.rc == 0 and r.out == TEXT


def test_a_config_that_includes_itself(tool):
    r = tool.mote("-s", "-K", "c", "{U}/a", files={"c": b"-K c\n"})
    assert r.rc == 2 and not r.requests and b"include each other" in r.err


def test_a_variable_that_the_environment_lacks(tool):
    for args in ["-K", "c"], ["--variable", "%MISSING"]:
        r = tool.mote("-s", *args, "{U}/a", files={"c": b"variable %MISSING\nexpand-data {{MISSING}}\n"})
        assert r.rc == 2 and not r.requests and b"the environment has no variable MISSING" in r.err


@pytest.mark.parametrize("path, env", [
    ("x/.curlrc", {"CURL_HOME": "x"}), ("x/.config/curlrc", {"CURL_HOME": "x"}), ("x/curlrc", {"XDG_CONFIG_HOME": "x"}),
    ("x/.curlrc", {"XDG_CONFIG_HOME": "x"}), ("~/.curlrc", {}), ("~/.config/curlrc", {}),
])
def test_where_the_config_may_be(tool, path, env):
    r = tool.mote("-s", "{U}/a", files={path: b"user-agent = from-rc\n"}, env=env)
    assert "User-Agent: from-rc" in r.heads[0]


def test_which_config_comes_first(tool):
    places = ["c/.curlrc", "x/curlrc", "x/.curlrc", "~/.curlrc", "c/.config/curlrc", "~/.config/curlrc"]
    while places:
        files = {p: b"user-agent = " + p.encode() + b"\n" for p in places}
        r = tool.mote("-s", "{U}/a", files=files, env={"CURL_HOME": "c", "XDG_CONFIG_HOME": "x"})
        assert f"User-Agent: {places.pop(0)}\r" in r.heads[0] + "\r"


# options

def test_the_last_of_fail_and_fail_with_body_counts(tool):
    r = tool.mote("-s", "--fail", "--fail-with-body", "{U}/404")
    assert r.rc == 22 and r.out == b"status 404\n"
    r = tool.mote("-s", "--fail-with-body", "--fail", "{U}/404")
    assert r.rc == 22 and r.out == b""


def test_ranges_of_variables_to_the_largest_number(tool):
    for span, text in [("0-9223372036854775807", b"abcdef"), ("2-9223372036854775807", b"cdef"), ("2-", b"cdef"),
                       ("9223372036854775807-9223372036854775807", b""), ("2-99999999999999999999", b"cdef"),
                       ("1-3", b"bcd")]:
        assert tool.mote("-s", "--variable", f"v[{span}]=abcdef", "--expand-data", "{{v}}", "{U}/echo").out == b"POST " + text


def test_a_long_unknown_name_stays_as_it_is(tool):
    for length, text in [(127, b""), (128, b"{{" + b"A" * 128 + b"}}"), (300, b"{{" + b"A" * 300 + b"}}")]:
        r = tool.mote("-s", "--expand-data", "1{{" + "A" * length + "}}2{{broken", "{U}/echo")
        assert r.out == b"POST 1" + text + b"2{{broken"


@pytest.mark.parametrize("args", [
    ["-d", "@none"], ["--data-binary", "@none"], ["--data-urlencode", "a@none"], ["--json", "@none"], ["-H", "@none"],
    ["--url-query", "@none"], ["-w", "@none"], ["-G", "-d", "@none"], ["-d", "x", "-d", "@none"], ["-K", "c"],
])
def test_nothing_is_sent_without_a_file_that_cannot_be_read(tool, args):
    """A POST with an empty body went out, after a warning."""
    r = tool.mote("-s", *args, "{U}/echo", files={"c": b"data = @none\n"})
    assert r.rc == 26 and not r.requests and b": cannot read none: No such file or directory\n" in r.err


@pytest.mark.parametrize("args", [["-d", "@dir"], ["--data-binary", "@dir"], ["-H", "@dir"], ["-G", "--data-binary", "@dir"]])
def test_nothing_is_sent_in_the_place_of_a_directory(tool, args):
    r = tool.mote("-s", *args, "{U}/echo", files={"dir/file": b""})
    assert r.rc == 26 and not r.requests and b"cannot read dir: Is a directory\n" in r.err


def test_a_file_that_went_away_before_its_turn(tool):
    r = tool.mote("-sS", "--remove-on-error", "-o", "x", "{U}/short", "--next", "-G", "--data-binary", "@x", "{U}/b",
                  files={"x": b"a=b" * 40000})
    assert r.rc == 26 and r.err.endswith(b"\nmote: (26) cannot read x: No such file or directory\n")
    assert len(r.requests) == 1


# globs

def test_many_globs(tool):
    assert tool.mote("-sS", "{U}/" + "{a}b" * 120).rc == 0
    r = tool.mote("-sS", "{U}/" + "{a}b" * 201)
    assert r.rc == 3 and not r.requests and b"too many globs in position" in r.err


@pytest.mark.parametrize("glob, at", [
    ("[1-2", 14), ("[1-", 13), ("[1", 12), ("[", 11), ("[-5]", 11), ("[1 -5]", 12), ("[1-5x]", 14), ("[1-a]", 13),
    ("[1-99999999999999999999]", 13), ("[x]", 11), ("[a-]", 11), ("[a-c", 11), ("[a-c:2", 16), ("[a-c:2x]", 16),
    ("[ab]", 11), ("[a-1]", 15), ("[c-a]", 15), ("[a-Z]", 15), ("[5-1]", 15), ("[1-5:", 15), ("[1-5:2", 16),
    ("[1-5:2x]", 16), ("[1-5:x]", 15), ("[1-5:99999999999999999999]", 15), ("[1-5:]", 15), ("[1-5:0]", 17),
    ("[1-5:9]", 17), ("[1-5:-1]", 15), ("[a-c:0]", 17), ("[99999999999999999999-1]", 11), ("{a,b", 14), ("a}", 11),
    ("{a,{b}}", 13), ("{}", 11), ("{a]", 12), ("[1-2][3-", 18), ("{<n>a}{<n>b}", 19), ("[1-5:2]]", 17),
    ("[a-c:]", 15), ("[a-c:-1]", 15), ("[a-c:99999999999999999999]", 15), ("{a,b,", 15), ("[1- 5x]", 15),
    ("{a{<n", 12), ("[<n>x]", 14),
])
def test_the_place_of_an_error_in_a_glob(tool, glob, at):
    """As curl 8.23 reports it."""
    r = tool.mote("-sS", "http://a/" + glob)
    lines = r.err.decode().splitlines()
    assert r.rc == 3 and lines[0].endswith(f" in position {at}:") and lines[1] == "http://a/" + glob
    assert lines[2] == " " * (at - 1) + "^"


def test_the_place_of_an_unknown_name_in_an_output_name(tool):
    r = tool.mote("-sS", "{U}/{<test>A,B}{<moo>C,D}", "-o", "somewhere/#<foo>")
    assert r.rc == 43 and b" in position 16:\nsomewhere/#<foo>\n" + b" " * 15 + b"^" in r.err


def test_output_names_from_the_globs_of_an_upload(tool):
    """A name that stood in the pattern of --upload-file was unknown."""
    files = {"one": b"1", "two": b"2"}
    r = tool.mote("-s", "-T", "{<n>one,two}", "{U}/{<m>a,b}/", "-o", "o_#<n>_#<m>_#1", files=files)
    assert r.rc == 0 and [h.split()[1] for h in r.heads] == ["/a/one", "/b/one", "/a/two", "/b/two"]
    assert {"o_one_a_a", "o_one_b_b", "o_two_a_a", "o_two_b_b"} < set(r.files)
    r = tool.mote("-s", "-T", "{one,two}", "{U}/x", "-o", "o_#1", files=files)
    assert "o_#1" in r.files  # a number means a part of the URL
    r = tool.mote("-sS", "-T", "{<n>one,two}", "{U}/x", "-o", "o_#<m>", files=files)
    assert r.rc == 43 and not r.requests


def test_a_range_of_all_numbers(tool):
    r = tool.mote("-s", "--fail-early", "-f", "{U}/404?[0-9223372036854775807]")
    assert r.rc == 22 and len(r.requests) == 1 and "GET /404?0 " in r.heads[0]
    r = tool.mote("-s", "{U}/[9223372036854775806-9223372036854775807]")
    assert [h.split()[1] for h in r.heads] == ["/9223372036854775806", "/9223372036854775807"]


# retries that continue

class Answers:
    """Answers each request by the next of a list, and closes its connection."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def __call__(self, server, **_):
        server.counts["answers"] = server.counts.get("answers", 0) + 1
        return self.answers[server.counts["answers"] - 1], False


def partial(first, text):
    return (b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes %d-25/26\r\nContent-Length: %d\r\n"
            b"Connection: close\r\n\r\n" % (first, 26 - first) + text)


WHOLE = b"HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\nContent-Length: 26\r\nConnection: close\r\n\r\n"
PAGE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\npage\n"
ALPHABET = b"abcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize("parallel", [[], ["-Z"]])
@pytest.mark.parametrize("start, answers, ranges", [
    (b"", [WHOLE + b"abcde", partial(5, b"fghijk"), PAGE, WHOLE + b"X" * 26, partial(11, ALPHABET[11:])],
     [None, 5, 11, 11, 11]),
    (b"abcde", [partial(5, b"fghijk"), partial(11, ALPHABET[11:])], [5, 11]),
    (b"", [WHOLE.replace(b"bytes", b"none") + b"abcde", WHOLE + ALPHABET], [None, None]),
])
def test_a_retry_of_a_resume_goes_on_where_the_file_ends(tool, monkeypatch, parallel, start, answers, ranges):
    """It began again at the start for want of an ETag or a date, which the user had not asked for."""
    answer = Answers(*answers)
    monkeypatch.setattr(type(tool.server), "do_parts", lambda self, **k: answer(self, **k), raising=False)
    r = tool.mote("-s", *parallel, "-C", "-", "--retry", "4", "--retry-delay", "0", "--retry-all-errors", "-o", "f",
                  "{U}/parts", files={"f": start} if start else {})
    assert r.rc == 0 and r.files["f"] == ALPHABET
    asked = [next((line for line in h.split("\r\n") if line.startswith("Range")), None) for h in r.heads]
    assert asked == [n and f"Range: bytes={n}-" for n in ranges]


def test_a_retry_of_a_resume_drops_only_what_the_tries_wrote(tool, monkeypatch):
    """The document changed after the first try: its rest comes after what the user had, which nothing compares."""
    old, new = [lambda first, text, tag=tag: partial(first, text).replace(b"Connection", b'ETag: "%s"\r\nConnection' % tag)
                for tag in (b"old", b"new")]
    answer = Answers(old(5, b"fghijk"), new(11, ALPHABET[11:].upper()), new(5, ALPHABET[5:].upper()))
    monkeypatch.setattr(type(tool.server), "do_parts", lambda self, **k: answer(self, **k), raising=False)
    r = tool.mote("-s", "-C", "-", "--retry", "2", "--retry-delay", "0", "--retry-all-errors", "-o", "f", "{U}/parts",
                  files={"f": ALPHABET[:5]})
    assert r.rc == 0 and r.files["f"] == ALPHABET[:5] + ALPHABET[5:].upper()
    assert ["If-Range" in h for h in r.heads] == [False, True, False]


# the name

@pytest.fixture
def as_curl(tmp_path):
    os.makedirs(tmp_path / "bin")
    shutil.copy2(MOTE, tmp_path / "bin" / "curl")
    return str(tmp_path / "bin" / "curl")


def version_of_library():
    return subprocess.run([MOTE, "-V"], capture_output=True, text=True).stdout.split("libcurl/")[1].split()[0]


@pytest.mark.parametrize("how", ["name", "switch"])
def test_the_command_goes_by_the_name_of_curl(tool, as_curl, how):
    def run(*args):
        return tool.run(as_curl, [*args]) if how == "name" else tool.mote("--as-curl", *args)
    version = version_of_library()
    r = run("-sS", "{U}/a")
    assert f"User-Agent: curl/{version}\r" in r.heads[0] + "\r"
    assert run("-sS", "http://127.0.0.1:1/").err.startswith(b"curl: (7) ")
    r = run("{U}/x", "--max-time")
    assert r.rc == 2 and r.err == (b"curl: option --max-time: needs an argument\n"
                                   b"curl: try 'curl --help' or 'curl --manual' for more information\n")
    assert run("-r", "5", "{U}/a").err.startswith(b"Warning: ")
    assert run("-V").out.startswith(f"curl {version} (".encode())
    assert run("--help").out.startswith(b"Usage: curl ")


def test_curls_words_are_said_under_its_name_alone(tool, as_curl):
    """libcurl's own suite compares these texts; programs may, too."""
    for args, text in [(["-o", "f", "-o", "g", "--no-progress-meter", "{U}/a"],
                        b"Warning: Got more output options than URLs\n"),
                       (["-T", "x", "-d", "y", "{U}/a"],
                        b"Warning: You can only select one HTTP request method! You asked for both PUT \n"
                        b"Warning: (-T, --upload-file) and POST (-d, --data).\n"),
                       (["-K", "none", "{U}/a"],
                        b"curl: cannot read config from 'none'\ncurl: option -K: error encountered when reading a file\n"
                        b"curl: try 'curl --help' or 'curl --manual' for more information\n")]:
        assert tool.run(as_curl, args).err == text
        ours = tool.mote(*args).err
        assert b"Warning" not in ours and all(line.startswith(b"mote: ") for line in ours.splitlines())


def test_by_its_own_name_every_line_begins_with_it(tool):
    r = tool.mote("-r", "5", "-z", "nonsense", "--random-file", "x", "-o", "f", "-o", "g", "--remove-on-error",
                  "--no-progress-meter", "-v", "{U}/short")
    r.err = b"\n".join(line for line in r.err.splitlines() if line.startswith(b"mote: "))
    lines = r.err.decode().splitlines()
    assert r.rc == 18 and len(lines) >= 6 and all(line.startswith("mote: ") for line in lines)
    assert sum(line.startswith("mote: warning: ") for line in lines) >= 4
    assert any(line.startswith("mote: note: ") for line in lines)
