"""Warnings, notes and refusals of the newest command (8.23). Each case was watched on its binary; its own test suite has
some of the texts."""
import os
import shutil

import pytest
from conftest import MOTE

QUIET = "--no-progress-meter"


@pytest.fixture
def curl(tool, tmp_path):
    """Runs the command under curl's name."""
    os.makedirs(tmp_path / "bin")
    shutil.copy2(MOTE, tmp_path / "bin" / "curl")
    return lambda *args, **k: tool.run(str(tmp_path / "bin" / "curl"), list(args), **k)


WIDE = {"COLUMNS": "300"}


@pytest.mark.parametrize("args, text", [
    (["--fail-with-body", "--fail"], "--fail deselects --fail-with-body here"),
    (["--fail", "--fail-with-body"], "--fail-with-body deselects --fail here"),
    (["--location", "--follow"], "--follow overrides --location"),
    (["--location-trusted", "--follow"], "--follow overrides --location"),
    (["--follow", "--location"], "--location overrides --follow"),
    (["-H", "\u201chost:fake\u201d"],
     "The argument '\u201chost:fake\u201d' starts with a Unicode character. Maybe ASCII was intended?"),
    (["-K", "c"], "c:1 Option 'data' uses argument with leading single quote. It is probably a mistake. "
     "Consider double quotes."),
    (["-X", "HEAD"], "Setting custom HTTP method to HEAD with -X/--request may not work the way you want. "
     "Consider using -I/--head instead."),
    (["-o", "f", "-o", "g"], "Got more output options than URLs"),
    (["-T", "c", "-T", "c"], "Got more output options than URLs"),
])
def test_warnings_in_curls_words(curl, args, text):
    files = {"c": b"data = 'arg-with-quote'\n"}
    r = curl(QUIET, *args, "{U}/none", files=files, env=WIDE)
    assert r.rc == 0 and r.err.decode() == f"Warning: {text}\n"
    r = curl("-s", *args, "{U}/none", files=files, env=WIDE)
    assert not r.err


@pytest.mark.parametrize("args", [["--fail", "--fail"], ["--follow", "--follow"], ["-L", "--location"], ["-A", "\u00e9t\u00e9"],
                                  ["-X", "HEAD", "-I"], ["--fail", "--no-fail", "--fail-with-body"], ["-H", "a;"]])
def test_no_warning_without_a_reason(curl, args):
    r = curl(QUIET, *args, "{U}/none", env=WIDE)
    assert r.rc == 0 and not r.err


def test_a_word_with_a_dash_of_typography_is_no_option(tool):
    r = tool.mote(QUIET, "{U}/a", "\u2013-silent", env=WIDE)
    assert r.rc and b"starts with a Unicode character" in r.err


@pytest.mark.parametrize("option", ["-H", "--proxy-header"])
def test_a_text_that_is_no_header(tool, option):
    for text in "no header", "":
        r = tool.mote(QUIET, option, text, "{U}/a", env=WIDE)
        assert r.rc == 0 and b"so that it is no header" in r.err


@pytest.mark.parametrize("args, method", [(["-X", "GET"], b"GET"), (["-X", "POST", "-d", "x"], b"POST"),
                                          (["-X", "put", "-T", "f"], b"PUT"), (["-X", "HEAD", "-I"], b"HEAD"),
                                          (["-X", "POST", "-F", "a=b"], b"POST"), (["-G", "-d", "x", "-X", "GET"], b"GET")])
def test_a_method_that_is_inferred_is_noted_when_verbose(curl, args, method):
    files = {"f": b"1"}
    assert not curl(QUIET, *args, "{U}/a", files=files).err
    r = curl(QUIET, "-v", *args, "{U}/a", files=files)
    assert r.err.startswith(b"Note: Unnecessary use of -X or --request, %s is already inferred.\n" % method)
    assert b"Unnecessary" not in curl(QUIET, "-v", "-X", "PUT", "-d", "x", "{U}/a").err


def test_notes_are_for_those_who_ask(tool):
    for args in ["--skip-existing", "-o", "f", "{U}/a"], ["--remove-on-error", "-o", "g", "{U}/short"]:
        assert b"note" not in tool.mote(QUIET, *args, files={"f": b""}).err
        assert b"mote: note: " in tool.mote(QUIET, "-v", *args, files={"f": b""}).err
        assert b"mote: note: " in tool.mote(QUIET, "--trace", "t", *args, files={"f": b""}).err
        assert b"note" not in tool.mote("-s", "-v", *args, files={"f": b""}).err


def test_each_try_that_failed_has_its_error(tool):
    """The reason for the next try was given, which with --retry-all-errors was "an error"."""
    r = tool.mote("-sS", "--retry", "2", "--retry-delay", "0", "--retry-all-errors", "{U}/short")
    assert r.rc == 18 and r.err.count(b"(18) ") == 3
    r = tool.mote("-s", "--retry", "1", "--retry-delay", "0", "--retry-all-errors", "{U}/short")
    assert not r.err


def test_a_folder_has_a_name(tool):
    assert not tool.mote(QUIET, "-O", "{U}/dir/").err
    assert b'"curl_response" is used' in tool.mote(QUIET, "-O", "{U}/").err


def test_a_variable_without_its_end(tool):
    r = tool.mote(QUIET, "--expand-data", "a{{b", "{U}/echo")
    assert r.out == b"POST a{{b" and b'is not followed by "}}"' in r.err
    assert not tool.mote(QUIET, "--expand-data", "a\\{{b", "{U}/echo").err


@pytest.mark.parametrize("args, text", [(["--ntlm", "-u", "a:b"], b"not built into the library"),
                                        (["--http3"], b"not built into the library"),
                                        (["--ip-tos", "300"], b"the number is too large"),
                                        (["--ip-tos", "much"], b"needs a number")])
def test_silent_does_not_silence_a_refusal(tool, args, text):
    """The exit code alone said that something was wrong with the command line."""
    if args == ["--http3"] and b" HTTP3" in tool.mote("-V").out:
        pytest.skip("it is built in")
    r = tool.mote("-s", *args, "{U}/a")
    assert r.rc == 2 and text in r.err and not r.requests


def test_a_file_that_cannot_be_read_is_named_under_curls_name(curl):
    for args in ["-d", "@none"], ["-w", "@none"], ["-H", "@none"], ["--data-urlencode", "x@none"], ["--variable", "x@none"]:
        r = curl("-s", *args, "{U}/a")
        assert r.rc == 26 and r.err.startswith(b"curl: Failed to open none\ncurl: option ")

