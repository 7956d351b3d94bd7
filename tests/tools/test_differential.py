"""tests/differential: what differs is seen, reduced, grouped and looked up; a planted difference fails the run."""
import argparse
import gzip
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import time

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.join(ROOT, "tests", "differential")
OURS = os.path.join(ROOT, "build", "drop-in")
sys.path.insert(0, HERE)
import compare  # noqa: E402
import library  # noqa: E402
import logins  # noqa: E402
import reduce  # noqa: E402
import transfers  # noqa: E402

CASE = [[b"way", b"poll"], [b"answer", b"0", b"body", b"0", b"keep", b"HTTP/1.1 200 OK\r\nA: b\r\nC: d\r\n\r\nbody", b"7"],
        [b"set", b"0", b"URL", b"s", b"http://127.0.0.1/long/path"], [b"set", b"0", b"RANGE", b"s", b"1-3"],
        [b"perform", b"0"]]


GZIP = gzip.compress(b"hello", mtime=0)


class Planted:
    """In place of both libraries: their logs differ as a function of the case says."""

    def __init__(self, differs):
        self.differs = differs

    def run(self, cases):
        same = b"result\t0\t0\t\nend\tdone"
        return [(self.differs(c) or same, same) for c in cases]


def test_a_case_is_reduced_to_what_makes_it_differ():
    def differs(case):
        text = library.text_of(case)
        return b"result\t0\t23\t\nend\tdone" if b"C: d" in text and b"RANGE" in text else None
    small, found = reduce.reduced(Planted(differs), CASE, "result 23|0")
    assert found == ["result 23|0"]
    assert [line[0] for line in small] == [b"answer", b"set"]
    assert b"\r\nC: d\r\n" in small[0][5] and b"A: b" not in small[0][5] and small[1][2] == b"RANGE"
    assert not reduce.wrong(small)          # its answer is as right as it was


def test_a_reduction_does_not_end_at_another_difference():
    def differs(case):
        text = library.text_of(case)
        if b"RANGE" in text:
            return b"result\t0\t23\t\nend\tdone"
        return b"result\t0\t7\t\nend\tdone" if b"URL" in text else None
    small, found = reduce.reduced(Planted(differs), CASE, "result 23|0")
    assert found == ["result 23|0"] and small[0][2] == b"RANGE"


INFOS = b"info\t0\tREFERER\t%d\t%s\ninfo\t0\tREQUEST_SIZE\t0\t%d\ninfo\t0\tSIZE_DOWNLOAD_T\t0\t0\n"


@pytest.mark.parametrize("ours, newest, expected", [
    (INFOS % (0, b"a", 9), INFOS % (0, b"b", 9), ["info REFERER"]),
    (INFOS % (0, b"a", 0), INFOS % (0, b"b", 0), ["info REFERER unasked"]),
    (2 * INFOS % (0, b"a", 9, 0, b"a", 0), 2 * INFOS % (0, b"a", 9, 0, b"b", 0), ["info REFERER unasked"]),
    (INFOS % (0, b"a", 9), INFOS % (27, b"a", 9), ["info REFERER 0|27"]),
    (INFOS % (0, b"a", 9), INFOS % (27, b"b", 9), ["info REFERER", "info REFERER 0|27"]),
])
def test_an_info_differs_in_its_code_its_value_or_of_no_request(ours, newest, expected):
    assert compare.keys(ours, newest) == expected


@pytest.mark.parametrize("ours, newest, expected", [
    (b"body\t0\tx\nend\tdone", b"body\t0\tx\nend\tdone", []),
    (b"end\tcrash -11", b"result\t0\t65\tno text\nend\tdone", ["end crash -11|done", "result none|65"]),
    (b"body\t0\tx\nend\tdone", b"body\t0\ty\nend\tdone", ["body"]),
    (b"end\tdone", b"header\t0\tX\nend\tdone", ["header missing"]),
    (b"result\t0\t0\t\nend\tdone", b"result\t0\t8\t\nend\tdone", ["result 0|8"]),
    (b"end\tcrash -11", b"result\t0\t8\t\nend\tdone", ["end crash -11|done", "result none|8"]),
    (b"info\t0\tFILETIME\t0\t1\nend\tdone", b"info\t0\tFILETIME\t0\t2\nend\tdone", ["info FILETIME"]),
    (b"request\t0\tGET / HTTP/1.1\\r\\nA: b\\r\\n\\r\\n", b"request\t0\tGET / HTTP/1.1\\r\\n\\r\\n", ["request a added"]),
    (b"header\t0\ta\nbody\t0\tb", b"body\t0\tb\nheader\t0\ta", ["order"]),
    (b"header\t0\ta\nbody\t1\tb", b"body\t1\tb\nheader\t0\ta", []),
    (b"trailer\t0\ntrailer\t1", b"trailer\t1\ntrailer\t0", []),
    (b"d-header-out\t0\ta\nd-header-out\t1\tb", b"d-header-out\t1\tb\nd-header-out\t0\ta", []),
])
def test_keys_name_what_differs(ours, newest, expected):
    assert compare.keys(ours, newest) == expected


def digest(response, cnonce="x", method="GET"):
    return (f'request\t0\t{method} /g1 HTTP/1.1\\r\\nAuthorization: Digest username="u", realm="r", nonce="a", uri="/g1", '
            f'cnonce="{cnonce}", nc=00000001, qop=auth, response="{response}"\\r\\n\\r\\n').encode()


def test_a_digest_differs_by_what_it_is_of():
    wrong = "0" * 32
    right, other = (logins.response({"realm": "r", "nonce": "a", "uri": "/g1", "cnonce": c, "nc": "00000001", "qop": "auth"}, "md5", "md5",
                                    "GET", "u", "p", False) for c in "xy")
    assert compare.keys(digest(right), digest(other, "y")) == []
    assert compare.keys(digest(right), digest(other, "yy")) == ["request authorization differs"]
    assert compare.keys(digest(right), digest(wrong)) == ["request authorization differs"]
    assert b"response=of 'GET' 'u' 'p'" in compare.without_random(digest(right))
    assert b"response=of 'nothing'" in compare.without_random(digest(other))


def network(*conns):
    return b"\n".join(b"conn\t%d\t%s\t\nrequest\t%d\t%s" % (i, to, i, b"".join(b"GET %s HTTP/1.1\\r\\n\\r\\n" % p for p in sent))
                     for i, (to, *sent) in enumerate(conns))


@pytest.mark.parametrize("ours, newest, expected", [
    (network((b"a", b"/x"), (b"a", b"/y")), network((b"a", b"/x", b"/y")), ["conn added"]),
    (network((b"a", b"/x", b"/y")), network((b"a", b"/x"), (b"a", b"/y")), ["conn missing"]),
    (network((b"a", b"/x"), (b"a", b"/y")), network((b"a", b"/x", b"/y"), (b"a", b"/y")), ["conn"]),
    (network((b"a", b"/x"), (b"a", rb"/\\y")), network((b"a", b"/x", rb"/\\y"), (b"a", rb"/\\y")), ["conn"]),
    (network((b"a", b"/x"), (b"a", b"/y")) + b"0", network((b"a", b"/x", b"/y"), (b"a", b"/y")) + b"0", ["conn"]),
    (network((b"a", b"/x"), (b"b", b"/y")), network((b"b", b"/y"), (b"a", b"/x")), ["conn"]),
    (network((b"a", b"/x"), (b"b", b"/y")), network((b"a", b"/y"), (b"b", b"/x")), ["request line differs"]),
    (network((b"a", b"/x"), (b"b", b"/x")), network((b"a", b"/x", b"/x")), ["conn added", "request added", "request body differs",
                                                                           "request line differs"]),
])
def test_which_connection_carries_a_request_is_a_difference_of_its_own(ours, newest, expected):
    assert compare.keys(ours, newest) == expected


def test_of_several_transfers_the_first_to_connect_is_no_difference():
    said = b"\nresult\t0\t0\t\nresult\t1\t0\t"
    mine, others = network((b"a", b"/x"), (b"b", b"/y")), network((b"b", b"/y"), (b"a", b"/x"))
    assert compare.keys(mine + said, others + said) == []
    assert compare.keys(mine + said, others.replace(b"/y HTTP/1.1", rb"/y HTTP/1.1\r\nA: b") + said) == ["request a missing"]


def test_the_version_of_a_request_does_not_hide_which_connection_carries_it():
    ours, newest = network((b"a", b"/x"), (b"a", b"/y")), network((b"a", b"/x", b"/y"))
    assert compare.keys(ours, newest.replace(b"/y HTTP/1.1", b"/y HTTP/1.0")) == ["conn added"]
    assert compare.keys(newest, newest.replace(b"/y HTTP/1.1", b"/y HTTP/1.0")) == ["request line differs"]


def test_which_of_the_same_connections_carries_a_request_is_no_difference_in_its_fields():
    ours, newest = network((b"a", b"/x"), (b"a", b"/y", b"/z")), network((b"a", b"/x", b"/z"), (b"a", b"/y"))
    assert compare.keys(ours, newest) == ["conn"]
    assert compare.keys(ours, newest.replace(b"/z HTTP/1.1", b"/z HTTP/1.0")) != ["conn"]


def test_a_request_that_was_cut_counts_on_a_kept_connection_alone():
    ours, whole = network((b"a", b"/x"), (b"a", b"/y")), network((b"a", b"/x", b"/y"), (b"a", b"/y"))
    assert compare.keys(ours, whole.replace(b"/y HTTP/1.1\\r\\n\\r\\n", b"/y HTTP/1.1\\r\\n", 1)) == ["conn"]
    assert compare.keys(ours, ours.replace(b"/x HTTP/1.1\\r\\n\\r\\n", b"/x HTTP/1.1\\r\\n", 1)) == ["request body differs"]


def test_a_request_more_is_no_difference_in_each_field():
    ours, newest = network((b"a", b"/x", b"/y")), network((b"a", b"/x"))
    assert compare.keys(ours, newest) == ["request added"] and compare.keys(newest, ours) == ["request missing"]


def test_a_field_that_differs_does_not_hide_which_connection_carries_a_request():
    ours, newest = network((b"a", b"/x"), (b"a", b"/y")), network((b"a", b"/x", b"/y"))
    assert compare.keys(ours, newest.replace(b"/y HTTP/1.1", b"/y HTTP/1.1\\r\\nA: b")) == ["conn added", "request a missing"]
    assert compare.keys(ours.replace(b"\\r\\n\\r\\n", b"\\r\\nA: c\\r\\n\\r\\n"), newest) == ["conn added", "request a added"]
    assert "request line differs" in compare.keys(ours.replace(b"\ta\t", b"\tb\t"), newest)


def test_which_of_several_transfers_connects_first_is_no_difference():
    results = b"\nresult\t0\t0\t\nresult\t1\t0\t"
    ours, newest = network((b"a", b"/x"), (b"b", b"/y")), network((b"b", b"/y"), (b"a", b"/x"))
    assert not compare.keys(ours + results, newest + results)
    ours, newest = network((b"a", b"/x"), (b"a", b"/x", b"/y")), network((b"a", b"/x"), (b"a", b"/x", b"/y"))
    newest = newest.replace(b"/x HTTP/1.1\\r\\n", b"/x HTTP/1.1\\r\\n~: b\\r\\n")
    found = compare.keys(ours + results, newest.replace(b"~: b\\r\\n", b"", 1).replace(b"~", b"Z") + results)
    assert found == ["request z missing"]    # not the fields of the two that begin alike


@pytest.mark.parametrize("ours, newest, expected", [
    (b"header\t0\ta\nheader\t0\tc", b"header\t0\ta\nheader\t0\tb\nheader\t0\tc", ["header missing"]),
    (b"header\t0\ta\nheader\t0\tb", b"header\t0\tb", ["header added"]),
    (b"header\t0\ta\nheader\t0\tc", b"header\t0\tb\nheader\t0\tc", ["header"]),
    (b"d-header-in\t0\tab\nbody\t0\tx\nd-header-in\t0\tc", b"d-header-in\t0\ta\nbody\t0\tx\nd-header-in\t0\tbc", []),
])
def test_a_header_line_more_does_not_make_all_that_follow_differ(ours, newest, expected):
    assert compare.keys(ours, newest) == expected


def table(tmp_path, text):
    path = tmp_path / "known.tsv"
    path.write_text(text, encoding="utf-8")
    return compare.Known(str(path))


def test_the_table_explains_only_what_it_names(tmp_path):
    known = table(tmp_path, "# a comment\nhttp\tresult 56\\|0\tRANGE\tmeant\nhttp\tbody.*\t.\tmeant\n")
    assert known.find(CASE, ["result 56|0"]) == ["known.tsv:2"]
    assert known.find(CASE, ["body added", "result 56|0"]) == ["known.tsv:2", "known.tsv:3"]
    assert not known.find(CASE, ["result 56|0", "header"])
    assert not known.find(CASE, ["result 56|01"])


def test_what_follows_counts_only_after_what_it_follows(tmp_path):
    known = table(tmp_path, "http\tresult 8\\|0 => header missing|info .*\t.\tmeant\n")
    assert known.find(CASE, ["header missing", "info A", "result 8|0"])
    assert not known.find(CASE, ["header missing", "info A"])
    assert not known.find(CASE, ["header added", "result 8|0"])


def said(data, then=b"keep", when=b"body"):
    return [[b"answer", b"0", when, b"0", then, data], *CASE[2:]]


def jar(*lines, server=b""):
    return [*([b"set", b"0", b"COOKIELIST", b"s", line] for line in lines), *said(b"HTTP/1.1 200 OK\r\n" + server + b"\r\n")]


@pytest.mark.parametrize("name, case, holds", [
    ("malformed", said(b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n"), False),
    ("malformed", said(b"HTTP/1.1 200 OK\r\nA : b\r\n\r\n"), True),
    ("malformed", said(b"HTTP/1.1 200 OK\r\nA: b\r\n"), True),
    ("malformed", said(b"HTTP/1.1 100 X\r\n\r\nHTTP/1.1 200\r\n\r\n"), False),
    ("malformed", said(b"HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n"), False),
    ("malformed", said(b"HTTP/1.1 200 OK\r\n A: b\r\n\r\n"), True),
    ("malformed", said(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a\r\nx\r\n0\r\nT: v\r\n\r\n"), False),
    ("malformed", said(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n0\r\n\r\n"), True),
    ("malformed", said(b"HTTP/1.1 000 OK\r\n\r\n"), True),
    ("malformed", said(b"HTTP/1.1 304 OK\r\nContent-Length::5\r\n\r\n"), True),
    ("wrong-fields", said(b"HTTP/1.1 304 OK\r\nContent-Length: 5\r\n 6\r\n\r\n"), True),
    ("wrong-fields", said(b"HTTP/1.1 100 X\r\n\r\nHTTP/1.1 200\r\nA : b\r\n\r\n"), True),
    ("wrong-fields", said(b"HTTP/1.1 200 OK\r\nA: b\r\nB"), False), ("cut-head", said(b"HTTP/1.1 200 OK\r\nA: b\r\nB"), True),
    ("wrong-fields", said(b"HTTP/1.1 200 OK\r\nA : b\r\nB"), True), ("cut-head", said(b"HTTP/1.1 20"), True),
    ("wrong-line", said(b"HTTP/1.1 20"), False), ("wrong-line", said(b"HTTP/1.1 20\r\n\r\n"), True),
    ("cut-head", said(b"HTTP/1.1 20\r\n\r\n"), False), ("cut-head", said(b"HTTP/1.1 600\n"), True),
    ("wrong-head", said(b"HTTP/1.1 200 OK\r\nA: b\r\n"), True), ("wrong-head", said(b"HTTP/1.1 200 OK\r\n\r\n"), False),
    ("wrong-chunks", said(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n0\r\n\r\n"), True),
    ("wrong-trailers", said(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nT\r\n\r\n"), True),
    ("wrong-body", said(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nT: v\r\n\r\n"), False),
    ("surplus", said(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxy"), True),
    ("surplus", said(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nxy"), False),
    ("surplus", [*said(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"), [b"set", b"0", b"NOBODY", b"l", b"1"]], True),
    ("surplus", [*said(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n"), [b"set", b"0", b"NOBODY", b"l", b"1"]], False),
    ("surplus", said(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"), False),
    ("surplus", said(b"HTTP/1.1 304 OK\r\n\r\nx"), True),
    ("unsure", said(b"HTTP/1.1 204 OK\r\nContent-Length: 3\r\n\r\n"), True),
    ("unsure", said(b"HTTP/1.1 204 OK\r\nContent-Length: 0\r\n\r\n"), False),
    ("unsure", said(b"HTTP/1.1 204 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), True),
    ("unsure", said(b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\n"), False),
    ("unsure", [*said(b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\n"),
                [b"set", b"0", b"IGNORE_CONTENT_LENGTH", b"l", b"1"]], True),
    ("unsure", said(b"HTTP/1.1 304 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), False),
    ("unsure", said(b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), True),
    ("unsure", said(b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\nx"), True),
    ("unsure", said(b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\nx"), False),
    ("unsure", said(b"HTTP/1.1 102 X\r\nContent-Length: 1\r\n\r\n"), True),
    ("unsure", said(b"HTTP/1.1 103 X\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), False),
    ("unsure", said(b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n"), True),
    ("ended", said(b"HTTP/1.1 200 OK\r\n\r\n", b"close"), True), ("ended", said(b"HTTP/1.1 200 OK\r\n\r\n"), False),
    ("ended", said(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", b"close"), False),
    ("damaged", said(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + GZIP), False),
    ("damaged", said(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + GZIP + GZIP), False),
    ("damaged", said(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + GZIP[:-1]), True),
    ("damaged", said(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + GZIP + b"x"), True),
    ("damaged", said(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Encoding: gzip\r\n\r\n" + GZIP), True),
    ("damaged", said(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n%x\r\n" % len(GZIP) + GZIP + b"\r\n0\r\n\r\n"),
     False),
    ("damaged", [[b"set", b"0", b"HTTP_TRANSFER_DECODING", b"l", b"0"]] + said(
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % len(GZIP) + GZIP +
        b"\r\n0\r\n\r\n"), True),
    ("members", said(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + GZIP + GZIP[:3]), True),
    ("members", said(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + GZIP), False),
    ("members", said(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip, identity\r\n\r\n" + GZIP + GZIP), True),
    ("alone", [[*said(b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\nxyz")[0], b"47:9"]], True),
    ("alone", [[*said(b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\nxyz")[0], b"48"]], False),
    ("alone", said(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: deflate, chunked\r\n\r\n01\r\nx\r\n0\r\n\r\n"), True),
    ("alone", said(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: deflate, chunked\r\n\r\n2\r\nxy\r\n0\r\n\r\n"), False),
    ("malformed", said(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;\0\r\nx\r\n0\r\n\r\n"), True),
    ("early", said(b"", when=b"head"), True), ("early", said(b""), False),
    ("uploads", [*CASE, [b"set", b"0", b"UPLOAD", b"l", b"1"]], True), ("uploads", CASE, False),
    ("uploads", [*CASE, [b"set", b"0", b"HTTPHEADER", b"z", b"A: b", b"Transfer-Encoding:chunked"]], True),
    ("short", [[b"body", b"0", b"ab"], [b"set", b"0", b"POSTFIELDSIZE", b"l", b"3"], *CASE], True),
    ("short", [[b"body", b"0", b"abc"], [b"set", b"0", b"POSTFIELDSIZE", b"l", b"3"], *CASE], False),
    ("short", [[b"set", b"0", b"POSTFIELDS", b"p", b"ab"], [b"set", b"0", b"POSTFIELDSIZE", b"l", b"3"], *CASE], False),
    ("again", [*CASE, [b"perform", b"0"]], True), ("again", CASE, False),
    ("parallel", [[b"perform", b"0", b"1"]], True), ("parallel", CASE, False),
    ("pathless", jar(b"Set-Cookie: a=b", server=b"set-cookie:a=c\r\n"), True), ("pathless", jar(b"Set-Cookie: a=b; path=", b"SESS"), True),
    ("pathless", jar(b"Set-Cookie: a=b"), False), ("pathless", jar(b"Set-Cookie: a=b; Path=/", b"SESS"), False),
    ("overlaid", jar(b"set-cookie: a=b;Secure", server=b"Set-Cookie: a=c\r\n"), True),
    ("overlaid", jar(b"Set-Cookie: a=b; secure; path=/; domain=.com", server=b"Set-Cookie: a=c\r\n"), True),
    ("overlaid", jar(b"Set-Cookie: a=b; secure; path=/; domain=a.com", server=b"Set-Cookie: a=c\r\n"), False),
    ("overlaid", jar(b"Set-Cookie: a=b; secure", server=b"Set-Cookie: b=c\r\n"), False),
    ("overlaid", jar(b"#HttpOnly_.com\tTRUE\t/\tTRUE\t0\ta\tb", server=b"Set-Cookie: a=c\r\n"), True),
    ("overlaid", jar(b"com\tTRUE\t/\tFALSE\t0\ta\tb", server=b"Set-Cookie: a=c\r\n"), False),
    ("several", [[b"perform", b"0", b"1"]], True), ("several", [*CASE, [b"perform", b"0"]], True), ("several", CASE, False),
])
def test_conditions_hold_where_they_say(tmp_path, name, case, holds):
    known = table(tmp_path, f"http\tbody\t@{name}\tmeant\n")
    assert bool(known.find(case, ["body"])) == holds
    known = table(tmp_path, f"http\tbody\t@{name} no such text\tmeant\n")
    assert not known.find(case, ["body"])
    assert not known.find(CASE[:3], ["result 56|0"])


def form(*lines):
    return [[b"mime", *line.encode().split(b" ")] for line in lines]


def test_a_form_that_is_reduced_keeps_its_content_and_plain_boundaries():
    """Each library sends such forms in another way: one would be the smallest case of any difference."""
    assert not reduce.wrong(form("0 part", "0 data x", "0 encoder base64", "1 part", "1 data y", "0 part", "0 subparts 1"))
    assert reduce.wrong(form("0 part", "0 name x")) == {"empty_part"}
    assert reduce.wrong(form("0 part", "0 data x", "0 data")) == reduce.wrong(form("0 part", "0 subparts 0")) == {"empty_part"}
    assert reduce.wrong(form("1 part", "1 data x", "0 part", "0 subparts 1", "0 encoder BASE64")) == {"coded_boundary"}
    cases = list(reduce.with_shorter_fields(form("0 part", "0 reader 4 word")))
    assert cases and all(case[1][:3] == [b"mime", b"0", b"reader"] for case in cases)


def test_servers_wait_for_bodies_of_read_callbacks():
    answer, body = ["answer", "0", "head", "0", "keep", b"HTTP/1.1 200 OK\r\n\r\n"], ["body", "0", b"x"]
    size, field = ["set", "0", "POSTFIELDSIZE", "l", "1"], ["set", "0", "HTTPHEADER", "z", "Content-Length: 5", "A: b"]
    assert transfers.whole_requests_first([answer, field]) == [answer, field]
    assert [x[2] for x in transfers.whole_requests_first([answer, body])] == ["body", b"x"]
    assert transfers.whole_requests_first([body, field])[1][4:] == ["A: b"]
    answer[4], answer[5] = "more", b"HTTP/1.1 100 X\r\n\r\n"
    assert transfers.whole_requests_first([answer, body]) == [answer, body]
    assert transfers.whole_requests_first([answer, body, size])[0][2] == "body"


def test_a_connection_that_is_never_answered_has_an_end():
    url = ["set", "1", "URL", "s", "http://127.0.0.1:9/"]
    assert transfers.with_an_end([url]) == [["set", "1", "CONNECTTIMEOUT_MS", "l", "3000"], url]


def test_a_line_of_the_table_needs_a_reason(tmp_path):
    with pytest.raises(ValueError, match="known.tsv:1"):
        table(tmp_path, "http\tbody\t.\t \n")


@pytest.mark.parametrize("differs", [r"result \d+\|\d+", r"conn => result .*|body"])
def test_a_wide_line_names_that_ours_accepts_what_the_newest_refuses(tmp_path, differs):
    with pytest.raises(ValueError, match=r"result 0\\\|8"):
        table(tmp_path, f"http\t{differs}\t@again @surplus\tmeant\n")
    table(tmp_path, f"http\t{differs}\t@again\tmeant\n")
    table(tmp_path, f"http\tresult 0\\|8|{differs}\t@again @surplus\tmeant\n")
    table(tmp_path, "http\tresult [1-9]\\d*\\|\\d+\t@surplus\tmeant\n")


def test_generators_keep_out_what_one_library_alone_shows():
    path, name = ["set", "0", "UNIX_SOCKET_PATH", "s", "/s"], ["set", "0", "ABSTRACT_UNIX_SOCKET", "s", "a"]
    assert transfers.with_one_local_socket([path, name]) == [path] and transfers.with_one_local_socket([name]) == [name]
    limit, total = ["mset", "7", "1"], ["mset", "13", "1"]
    assert transfers.without_limits_of_hosts_elsewhere([limit, total, path]) == [total, path]
    assert transfers.without_limits_of_hosts_elsewhere([limit]) == [limit]
    refusal, once = ["act", "0", "resolve", "1", "return", "1"], ["perform", "0"]
    assert transfers.refused_by_the_resolver_once([refusal, once]) == [refusal, once]
    assert transfers.refused_by_the_resolver_once([refusal, once, once]) == [once, once]
    answer, more = (["answer", "0", "body", "0", "keep", b"HTTP/1.1 304 OK\r\n\r\n" + x] for x in (b"", b"x"))
    assert transfers.one_transfer_out_of_step([answer, once, once]) == [answer, once, once]
    assert transfers.one_transfer_out_of_step([more, once, once]) == [more, once]
    odd = [*answer[:5], b"HTTP/1.1 304 OK\r\nA\r\n\r\n"]
    assert transfers.one_transfer_out_of_step([odd, once, once]) == [odd, once]
    follow = ["set", "0", "FOLLOWLOCATION", "l", "1"]
    assert transfers.one_request_out_of_step([odd, follow]) == [odd, follow]
    assert transfers.one_request_out_of_step([odd, more, follow]) == [odd, more]
    basic, none = ([*answer[:5], b"HTTP/1.1 401 OK\r\n" + x + b"\r\n"] for x in (b"WWW-Authenticate: Basic\r\n", b""))
    assert transfers.one_transfer_out_of_step([basic, none, once, once]) == [basic, none, once]
    assert transfers.one_transfer_out_of_step([basic, basic, once, once]) == [basic, basic, once, once]
    named = [*answer[:5], b"HTTP/1.1 301 OK\r\nLocation: http://u@127.0.0.\xff1/\xe4\r\n\r\n"]
    assert transfers.without_names_of_bytes([named])[0][5] == b"HTTP/1.1 301 OK\r\nLocation: http://u@127.0.0.1/\xe4\r\n\r\n"


def test_generators_keep_out_what_depends_on_moments():
    once, head = ["perform", "0"], b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    hold, keep, close = (["answer", "0", "body", "0", then, head] for then in ("hold", "keep", "close"))
    assert transfers.without_waiting_in_vain([hold, once]) == [hold, once]
    assert transfers.without_waiting_in_vain([hold, once, once]) == [keep, once, once]
    assert transfers.without_waiting_in_vain([[*hold[:5], b"HTTP/1.1 204 OK\r\nContent-Length: 3\r\n\r\n"]])[0][4] == "keep"
    few = ["sends", "1"]
    assert transfers.without_pieces_sent_in_vain([keep, few]) == [keep, few]
    assert transfers.without_pieces_sent_in_vain([close, few]) == [close]
    pause, refusal = ["act", "0", "write", "5", "pause"], ["act", "0", "write", "5", "return", "0"]
    time, other = ["set", "0", "TIMEOUT_MS", "l", "100"], ["set", "1", "TIMEOUT_MS", "l", "100"]
    odd = ["answer", "0", "body", "0", "keep", b"HTTP/1.1 200 OK\r\nA\r\n\r\n"]
    assert transfers.one_fault([refusal, time, pause, pause, other]) == [refusal, other]
    assert transfers.one_fault([odd, time, pause, once]) == [odd, once]
    assert transfers.one_fault([keep, time, once]) == [keep, time, once]
    dated, condition = [*keep[:5], b"HTTP/1.1 302 OK\r\nLast-Modified: x\r\n\r\n", "9"], ["set", "0", "TIMECONDITION", "l", "1"]
    assert transfers.without_conditional_redirects([dated]) == [dated]
    assert transfers.without_conditional_redirects([dated, condition])[0] == [*keep[:5], b"HTTP/1.1 302 OK\r\n\r\n", "9"]
    both = [*keep[:5], b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n", "9"]
    assert transfers.without_close_and_keep_alive([both]) == [[*keep[:5], b"HTTP/1.0 200 OK\r\nConnection: close\r\n\r\n", "9"]]
    both[5] = both[5].replace(b"close", b"keep-alive")
    assert transfers.without_close_and_keep_alive([both]) == [both]
    early = [*keep[:5], b"HTTP/1.1 103 OK\r\nLocation: a\r\n\r\n", "9"]
    assert transfers.without_interim_locations([early]) == [[*keep[:5], b"HTTP/1.1 103 OK\r\n\r\n", "9"]]
    early[5] = early[5].replace(b"103", b"302")
    assert transfers.without_interim_locations([early]) == [early]
    speed, expect = ["set", "0", "LOW_SPEED_TIME", "l", "3"], ["set", "0", "EXPECT_100_TIMEOUT_MS", "l", "2000"]
    assert transfers.one_time_of_waiting([speed, expect]) == [speed] and transfers.one_time_of_waiting([expect]) == [expect]
    header = ["set", "0", "HTTPHEADER", "z", "A: b", "Transfer-Encoding:"]
    assert transfers.with_one_transfer_encoding([[*header, "C: d", "Transfer-Encoding: chunked"]]) == [[*header, "C: d"]]
    assert transfers.with_one_transfer_encoding([[*header, "Transfer-Encoding:"], header[:5]]) == [header, header[:5]]
    scheme = ["set", "0", "HTTPAUTH", "l", "65"]
    assert transfers.with_schemes_of_one_transfer([scheme, once]) == [scheme, once]
    assert transfers.with_schemes_of_one_transfer([scheme, once, once]) == [once, once]
    upload, protocol = ["set", "0", "UPLOAD", "l", "1"], ["set", "0", "DEFAULT_PROTOCOL", "s", "file"]
    assert transfers.without_uploads_to_files([protocol]) == [protocol]
    assert transfers.without_uploads_to_files([protocol, upload]) == [upload]
    refused = ["answer", "0", "head", "0", "keep", b"HTTP/1.1 417 OK\r\n\r\n", "9"]
    whole = [*refused[:5], b"HTTP/1.1 417 OK\r\nContent-Length: 0\r\n\r\n"]
    assert transfers.refused_expectations_at_once([refused, dated]) == [whole, dated]
    refused[5] = b"HTTP/1.1 417 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na"
    assert transfers.refused_expectations_at_once([refused, dated]) == [whole, dated]
    both = ["set", "0", "TRANSFER_ENCODING", "l", "1"], ["set", "0", "HTTP_TRANSFER_DECODING", "l", "0"]
    assert transfers.without_codings_on_and_off([*both]) == [both[0]] and transfers.without_codings_on_and_off([both[1]]) == [both[1]]


def test_fields_come_back_as_they_were():
    case = [[b"body", bytes(range(256)), b"", b"\\x41\\"]]
    assert library.case_of(library.text_of(case)) == case


def test_a_case_that_is_not_mended_yet_may_differ_in_nothing_else(tmp_path):
    path = tmp_path / "open.tsv"
    path.write_text("# comment\n1\t5\tbody; header\n2\t6\tbody\n", encoding="utf-8")
    to_mend = load_run().Open(str(path), "1")
    assert to_mend.has(5, ["body"]) and not to_mend.has(5, ["body", "order"]) and not to_mend.has(6, ["body"])
    to_mend.seen[5] = ["body"]
    to_mend.write()
    assert path.read_text(encoding="utf-8") == "# comment\n2\t6\tbody\n1\t5\tbody\n"


def load_run():
    loader = importlib.machinery.SourceFileLoader("run", os.path.join(HERE, "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
    loader.exec_module(module)
    return module


def run(*arguments):
    return subprocess.run([sys.executable, os.path.join(HERE, "run"), "--newest", OURS, *arguments], cwd=ROOT,
                          capture_output=True, text=True, check=False, timeout=600)


def test_a_library_does_not_differ_from_itself():
    done = run("--cases", "150", "--seed", "itself")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "150 passed, 0 failed"


def test_a_case_without_lines_is_answered_too():
    pair = load_run().libraries(argparse.Namespace(ours=OURS, newest=OURS, preload=""))
    try:
        begin = time.monotonic()
        assert pair.run([[], [[b"date", b"x"]], []]) == [(b"end\tdone",) * 2, (b"date\t-1\t\nend\tdone",) * 2, (b"end\tdone",) * 2]
        assert time.monotonic() - begin < library.HANGS
    finally:
        pair.stop()


def test_servers_are_patient_with_every_transfer():
    """A server left at once when a transfer began after one in which nothing had happened for long."""
    case = library.case_of(b"""answer\t0\tbody\t0\thold\tHTTP/1.0 200 OK\\r\\n\\r\\nx
answer\t0\tbody\t0\tkeep\tHTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\ny
set\t0\tURL\ts\thttp://127.0.0.1
set\t0\tUPLOAD\tl\t1
set\t0\tEXPECT_100_TIMEOUT_MS\tl\t500
perform\t0
perform\t0
""")
    pair = load_run().libraries(argparse.Namespace(ours=OURS, newest=OURS, preload=""))
    try:
        log = pair.run([case])[0][0]
        assert [line for line in log.split(b"\n") if line.startswith((b"result", b"body"))] == \
            [b"body\t0\tx", b"result\t0\t0\t", b"body\t0\ty", b"result\t0\t0\t"]
    finally:
        pair.stop()


def test_no_case_changes_a_file(tmp_path):
    """An upload that a redirect led to file:///etc/hostname overwrote it."""
    file = tmp_path / "kept"
    file.write_bytes(b"as it was")
    case = library.case_of(b"set\t0\tURL\ts\tfile://%s\nset\t0\tUPLOAD\tl\t1\nbody\t0\tother\nperform\t0\n"
                           b"set\t0\tUPLOAD\tl\t0\nperform\t0\n" % bytes(file))
    pair = load_run().libraries(argparse.Namespace(ours=OURS, newest=None, preload=""))
    try:
        for log in pair.run([case])[0]:
            assert b"result\t0\t23" in log and b"body\t0\tas it was" in log
    finally:
        pair.stop()
    assert file.read_bytes() == b"as it was"


PLANTED = """
#include <time.h>
#include <stdlib.h>
time_t curl_getdate(const char *text, const time_t *now) { (void)text; (void)now; return 42; }
char *curl_easy_escape(void *easy, const char *text, int n) { (void)easy; (void)text; (void)n; abort(); }
"""


def test_a_planted_difference_and_a_crash_fail_the_run(tmp_path):
    source, built = tmp_path / "planted.c", tmp_path / "planted.so"
    source.write_text(PLANTED, encoding="utf-8")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", built, source], check=True)
    done = run("--cases", "10", "--kinds", "date,text", "--seed", "planted", "--preload", str(built))
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "0 passed, 10 failed"
    assert "== date: date  [" in done.stdout and "end crash -6|done" in done.stdout
