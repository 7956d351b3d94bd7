"""RTSP 1.0 (RFC 2326) against scripted servers, with exact bytes. What is expected was watched on the newest libcurl."""

import time

import pytest

from mote_driver import SYSTEM, by_library, not_debian
from script import Call, Close, Read, Reset, Send, UntilClose

(OPTIONS, DESCRIBE, ANNOUNCE, SETUP, PLAY, PAUSE, TEARDOWN, GET_PARAMETER, SET_PARAMETER, RECORD, RECEIVE) = range(1, 12)
NAMES = [None, "OPTIONS", "DESCRIBE", "ANNOUNCE", "SETUP", "PLAY", "PAUSE", "TEARDOWN", "GET_PARAMETER", "SET_PARAMETER", "RECORD"]
OK, WEIRD, PARTIAL, REFUSED, WRITE_ERROR, TIMEOUT = 0, 8, 18, 22, 23, 28
BAD_ARGUMENT, GOT_NOTHING, RECV_ERROR, CSEQ_ERROR, SESSION_ERROR = 43, 52, 56, 85, 86
OVER_TCP = "RTP/AVP/TCP;interleaved=0-1"
INFOS = ("RTSP_CLIENT_CSEQ", "RTSP_SERVER_CSEQ", "RTSP_CSEQ_RECV", "RTSP_SESSION_ID")


def url(server, path="/media"):
    return f"rtsp://127.0.0.1:{server.port}{path}"


def asks(method, cseq, *lines, uri="*", body=b""):
    """The whole request of the client."""
    head = [f"{method} {uri} RTSP/1.0", f"CSeq: {cseq}", *lines, "", ""]
    return Read("\r\n".join(head).encode() + body)


def answer(cseq, *lines, body=b"", status="200 OK"):
    length = [f"Content-Length: {len(body)}"] if body else []
    return "\r\n".join([f"RTSP/1.0 {status}", f"CSeq: {cseq}", *lines, *length, "", ""]).encode() + body


def packet(channel, data):
    return b"$" + bytes([channel]) + len(data).to_bytes(2, "big") + data


def packets(run, name="h"):
    return [str(line[0]).encode("latin-1") for line in run.of("packet", name)]


SET_UP = [asks("SETUP", 1, "Transport: " + OVER_TCP),
          Send(answer(1, "Session: abc;timeout=60", "Transport: RTP/AVP/TCP;unicast;interleaved=0-1"))]


def set_up(d, server, **options):
    """A handle whose connection has the channels 0 and 1."""
    d.easy("h", URL=url(server), RTSP_REQUEST=SETUP, RTSP_TRANSPORT=OVER_TCP, **options).do("packets", "h")
    return d.perform("h")


def one(drive, server, way="easy", **options):
    return drive.get(way, URL=url(server), info=INFOS, **options)


# ---- requests

def test_a_session_through_every_way_of_driving(drive, server, way):
    uri = "rtsp://127.0.0.1/media/audio"
    server.script(asks("OPTIONS", 1), Send(answer(1, "Public: PLAY")),
                  asks("DESCRIBE", 2, "Accept: application/sdp", uri=uri), Send(answer(2, body=b"v=0\r\n")),
                  asks("SETUP", 3, "Transport: " + OVER_TCP, uri=uri), Send(answer(3, "Session: abc;timeout=60")),
                  asks("PLAY", 4, "Session: abc", "Range: npt=0-", uri=uri), Send(answer(4, "Session: abc")),
                  asks("PAUSE", 5, "Session: abc", "Range: npt=0-", uri=uri), Send(answer(5)),
                  asks("RECORD", 6, "Session: abc", "Range: npt=0-", uri=uri), Send(answer(6)),
                  asks("TEARDOWN", 7, "Session: abc", *by_library([], ["Range: npt=0-"], []), uri=uri), Send(answer(7)))
    d = drive(way).easy("h", URL=url(server), RTSP_REQUEST=OPTIONS).perform("h")
    d.setopt("h", RTSP_REQUEST=DESCRIBE, RTSP_STREAM_URI=uri).perform("h")
    d.setopt("h", RTSP_REQUEST=SETUP, RTSP_TRANSPORT=OVER_TCP).perform("h").setopt("h", RANGE="npt=0-")
    for request in (PLAY, PAUSE, RECORD, TEARDOWN):
        d.setopt("h", RTSP_REQUEST=request).perform("h")
    run = d.getinfo("h", *INFOS, "NUM_CONNECTS", "RESPONSE_CODE", "SCHEME").run()
    assert [t.code for t in run.all("h")] == [OK] * 7
    assert run.all("h")[1].body == b"v=0\r\n"
    assert b"Public: PLAY\r\n" in run.all("h")[0].headers
    info = run["h"].info
    assert [info[i] for i in INFOS] == [8, 1, 7, "abc"]
    assert info["RESPONSE_CODE"] == 200 and info["NUM_CONNECTS"] == 0 and info["SCHEME"].lower() == "rtsp"


@pytest.mark.parametrize("request_, kind", [(ANNOUNCE, "application/sdp"), (SET_PARAMETER, "text/parameters"),
                                            pytest.param(GET_PARAMETER, "text/parameters", marks=not_debian("an upload is not sent"))])
def test_a_body_is_sent(drive, server, way, request_, kind):
    fields = ["Session: s1", "Content-Length: 5", "Content-Type: " + kind]
    server.script(asks(NAMES[request_], 1, *fields, body=b"a: bc"), Send(answer(1)),
                  asks(NAMES[request_], 2, *fields, body=b"d: ef"), Send(answer(2)))
    d = drive(way).easy("h", URL=url(server), RTSP_REQUEST=request_, RTSP_SESSION_ID="s1", POSTFIELDS="a: bc").perform("h")
    d.setopt("h", UPLOAD=1, INFILESIZE=5).body("h", b"d: ef", 2).perform("h")
    assert [t.code for t in d.run().all("h")] == [OK, OK]


def test_an_empty_get_parameter_is_a_heartbeat(drive, server):
    server.script(asks("GET_PARAMETER", 1, "Session: s"), Send(answer(1)))
    assert one(drive, server, RTSP_REQUEST=GET_PARAMETER, RTSP_SESSION_ID="s", POSTFIELDS="").code == OK


def test_only_requests_that_have_a_body_send_it(drive, server):
    server.script(asks("OPTIONS", 1), Send(answer(1)))
    assert one(drive, server, POSTFIELDS="a: b").code == OK


def test_the_fields_of_options(drive, server):
    server.script(asks("DESCRIBE", 1, "Accept-Encoding: gzip", "Referer: refer", "User-Agent: UA", "Authorization: Basic bWU6cHc=",
                       "If-Modified-Since: Sun, 09 Sep 2001 01:46:40 GMT", "X-A: b", "Accept: x"), Send(answer(1)))
    t = one(drive, server, RTSP_REQUEST=DESCRIBE, ACCEPT_ENCODING="gzip", REFERER="refer", USERAGENT="UA", USERPWD="me:pw",
            TIMECONDITION=1, TIMEVALUE=1000000000, HTTPHEADER=["X-A: b", "Accept: x"])
    assert t.code == OK


def test_numbers_begin_where_the_application_says(drive, server):
    server.script(asks("OPTIONS", 5), Send(answer(5)), asks("OPTIONS", 6), Send(answer(6)))
    d = drive().easy("h", URL=url(server), RTSP_CLIENT_CSEQ=5, RTSP_SERVER_CSEQ=9).perform("h").perform("h")
    info = d.getinfo("h", *INFOS[:3]).run()["h"].info
    assert [info[i] for i in INFOS[:3]] == [7, 9, 6]


def test_a_copy_numbers_its_own_requests(drive, server):
    """It continued with the numbers of the original."""
    server.script(asks("OPTIONS", 1), Send(answer(1)), asks("OPTIONS", 2), Send(answer(2)))
    server.script(asks("OPTIONS", 1), Send(answer(1)))
    d = drive().easy("h", URL=url(server)).perform("h").perform("h").do("dup", "h", "g").perform("g")
    assert d.run()["g"].code == OK


@pytest.mark.parametrize("options, code", [
    ({"RTSP_REQUEST": SETUP}, BAD_ARGUMENT), ({"HTTPHEADER": ["CSeq: 3"]}, CSEQ_ERROR), ({"HTTPHEADER": ["Session: 3"]}, BAD_ARGUMENT),
])
def test_what_is_refused_before_it_is_sent(drive, server, options, code, way):
    """libcurl connects first."""
    if SYSTEM:
        server.script(UntilClose())
    assert one(drive, server, way, **options).code == code


@pytest.mark.parametrize("options", [
    {"RTSP_STREAM_URI": "x\r\nA: b"}, {"RTSP_STREAM_URI": "x RTSP/1.0"}, {"RTSP_SESSION_ID": "x\r\nA: b"},
    {"RTSP_REQUEST": SETUP, "RTSP_TRANSPORT": "x\nA: b"}, {"RTSP_REQUEST": PLAY, "RANGE": "npt=1\r\n\r\nTEARDOWN"},
    {"USERAGENT": "x\r\nA: b"}, {"HTTPHEADER": ["X: y", "X: x\nA: b"]}, {"REFERER": "x\r\n"}, {"ACCEPT_ENCODING": "\rA: b"},
    {"HTTPAUTH": 64, "XOAUTH2_BEARER": "x\n\nA: b"},
])
def test_no_option_adds_a_line(drive, server, options, ours_only):
    ours_only("libcurl sends the lines")
    assert one(drive, server, **options).code == BAD_ARGUMENT


def test_a_body_of_unknown_size_is_refused(drive, server, ours_only):
    ours_only("libcurl sends the request without a body")
    assert one(drive, server, RTSP_REQUEST=ANNOUNCE, UPLOAD=1, body=b"abc").code == BAD_ARGUMENT


# ---- responses

@pytest.mark.parametrize("reply, code", [
    (answer(7), CSEQ_ERROR), (b"RTSP/1.0 200 OK\r\n\r\n", CSEQ_ERROR), (b"RTSP/1.0 200 OK\r\nCSeq: x\r\n\r\n", CSEQ_ERROR),
    (answer(1, "Session: other"), SESSION_ERROR), (b"RTSP/1.0 abc OK\r\n\r\n", WEIRD),
    pytest.param(b"RTSP/2.0 200 OK\r\nCSeq: 1\r\n\r\n", WEIRD, marks=not_debian("any version is taken")),
])
def test_a_wrong_response(drive, server, way, reply, code):
    server.script(asks("OPTIONS", 1, "Session: mine"), Send(reply), UntilClose())
    assert one(drive, server, way, RTSP_SESSION_ID="mine").code == code


@pytest.mark.parametrize("reply", [
    b"RTSP/1.0 200 OK\r\nCSeq: 1\0\r\n\r\n", b"RTSP/1.0 200 OK\r\nCSeq: 99999999999\r\n\r\n", b"RTSP/1.0 200 OK\r\nno colon\r\n\r\n",
    b"RTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-Length: 99999999999999999999\r\n\r\n", b"RTSP/1.0 200 " + b"x" * 110000 + b"\r\n\r\n",
    b"RTSP/1.0 200 OK\r\n" + b"A: " + b"x" * 1000 + b"\r\n" * 3,
])
def test_a_hostile_response(drive, server, reply, ours_only):
    ours_only("libcurl takes a length that is no number")
    server.script(asks("OPTIONS", 1), Send(reply), UntilClose())
    assert one(drive, server).code != OK


@pytest.mark.parametrize("at", range(len(answer(1, body=b"ab"))))
def test_a_response_that_is_cut(drive, server, at, ours_only):
    ours_only("libcurl misses the CSeq, and does not miss the body")
    reply = answer(1, body=b"ab")
    server.script(asks("OPTIONS", 1), Send(reply[:at]), Close())
    head = len(reply) - 2
    assert one(drive, server).code == (GOT_NOTHING if at < 5 else RECV_ERROR if at < head else PARTIAL)


@not_debian("a response to OPTIONS has no body")
def test_a_response_that_comes_byte_by_byte(drive, server, way):
    server.script(asks("OPTIONS", 1), *[Send(bytes([b])) for b in answer(1, "A: b", body=b"body")])
    t = one(drive, server, way)
    assert (t.code, t.body) == (OK, b"body") and t.headers[-3:] == [b"A: b\r\n", b"Content-Length: 4\r\n", b"\r\n"]


def test_a_reset(drive, server):
    server.script(asks("OPTIONS", 1), Reset())
    assert one(drive, server).code == RECV_ERROR


def test_an_error_is_a_response(drive, server):
    server.script(asks("DESCRIBE", 1, "Accept: application/sdp"), Send(answer(1, status="404 Not", body=b"no")),
                  asks("DESCRIBE", 2, "Accept: application/sdp"), Send(answer(2, status="454 Not")))
    d = drive().easy("h", URL=url(server), RTSP_REQUEST=DESCRIBE).perform("h").setopt("h", FAILONERROR=1).perform("h")
    run = d.run()
    assert [t.code for t in run.all("h")] == [OK, REFUSED] and run.all("h")[0].body == b"no"


def test_a_challenge_is_answered(drive, server, way):
    challenge = 'WWW-Authenticate: Digest realm="r", nonce="n"'
    response = "522759cfb5391da17e82a21ebfe4c029"  # of the target "*", by the newest libcurl
    server.script(asks("DESCRIBE", 1, "Accept: application/sdp"), Send(answer(1, challenge, status="401 No")),
                  asks("DESCRIBE", 2, "Accept: application/sdp", 'Authorization: Digest username="me", realm="r", nonce="n", '
                       f'uri="*", response="{response}"'), Send(answer(2, body=b"v=0")))
    t = one(drive, server, way, RTSP_REQUEST=DESCRIBE, USERPWD="me:pw", HTTPAUTH=3)
    assert (t.code, t.body) == (OK, b"v=0")


@not_debian("a response to OPTIONS has no body")
def test_an_interim_response_comes_first(drive, server):
    server.script(asks("OPTIONS", 1), Send(answer(1, status="100 Continue") + answer(1, body=b"x")))
    t = one(drive, server)
    assert (t.code, t.body) == (OK, b"x")


def test_connection_close(drive, server, make_server):
    server.script(asks("OPTIONS", 1), Send(answer(1, "Connection: close")), UntilClose())
    server.script(asks("OPTIONS", 2), Send(answer(2)))
    assert [t.code for t in drive().easy("h", URL=url(server)).perform("h").perform("h").run().all("h")] == [OK, OK]


def test_a_silent_server(drive, server, way):
    server.script(asks("OPTIONS", 1), UntilClose())
    assert one(drive, server, way, TIMEOUT_MS=300).code == TIMEOUT


# ---- interleaved data

def test_packets_come_before_and_after_a_response(drive, server):
    server.script(*SET_UP, asks("PLAY", 2, "Session: abc"),
                  Send(packet(0, b"abc") + answer(2, "Session: abc") + packet(1, b"defg") + packet(1, b"hi")[:2]),
                  asks("PAUSE", 3, "Session: abc"),
                  Send(packet(1, b"hi")[2:] + packet(0, b"k") + answer(3) + packet(1, b"")))
    d = set_up(drive(), server).setopt("h", RTSP_REQUEST=PLAY).perform("h").setopt("h", RTSP_REQUEST=PAUSE).perform("h")
    run = d.run()
    assert [t.code for t in run.all("h")] == [OK] * 3
    assert packets(run) == [packet(0, b"abc"), packet(1, b"defg"), packet(1, b"hi"), packet(0, b"k"), packet(1, b"")][:by_library(5, 4)]


def test_receive_waits_for_whole_packets(drive, server, way):
    whole = packet(0, b"x" * 65535) + packet(1, b"y")
    server.script(*SET_UP, Send(whole[:3]), Send(whole[3:40000]), Send(whole[40000:]))
    d = set_up(drive(way), server).setopt("h", RTSP_REQUEST=RECEIVE, TIMEOUT_MS=2000).perform("h")
    run = d.run()
    assert run["h"].code == OK and packets(run)[0] == packet(0, b"x" * 65535)
    assert b"".join(packets(run)) in (whole, packet(0, b"x" * 65535))


@not_debian("it is taken for a response")
def test_a_packet_of_an_unknown_channel_is_passed_over(drive, server):
    server.script(*SET_UP, asks("PLAY", 2, "Session: abc"), Send(b"junk\r\n" + packet(5, b"abc") + answer(2)))
    run = set_up(drive(), server).setopt("h", RTSP_REQUEST=PLAY).perform("h").run()
    assert run["h"].code == OK and packets(run) == []


def test_without_a_callback_packets_are_the_body(drive, server, way):
    server.script(*SET_UP, asks("PLAY", 2, "Session: abc"), Send(packet(0, b"abc") + answer(2)))
    d = drive(way).easy("h", URL=url(server), RTSP_REQUEST=SETUP, RTSP_TRANSPORT=OVER_TCP).perform("h")
    run = d.setopt("h", RTSP_REQUEST=PLAY).perform("h").run()
    assert run["h"].code == OK and run["h"].body == packet(0, b"abc")


def test_the_callback_fails(drive, server):
    server.script(asks("SETUP", 1, "Transport: x"), Send(answer(1, "Transport: interleaved=255") + packet(255, b"abc")), UntilClose())
    d = drive().easy("h", URL=url(server), RTSP_REQUEST=SETUP, RTSP_TRANSPORT="x").do("packets", "h").perform("h")
    assert d.run()["h"].code == WRITE_ERROR


@not_debian("the end is not noticed")
def test_the_server_closes_while_packets_are_waited_for(drive, server):
    server.script(*SET_UP, Send(packet(0, b"ab")[:5]), Call(lambda peer: time.sleep(1)), Close())
    server.default(Close())
    run = set_up(drive(), server).setopt("h", RTSP_REQUEST=RECEIVE).perform("h").run()
    assert run["h"].code == RECV_ERROR and packets(run) == []


def test_a_response_without_a_request(drive, server, ours_only):
    ours_only("libcurl ends with 56 or 0, as the packet comes with the response or after it")
    server.script(*SET_UP, Send(answer(9) + packet(0, b"ab")))
    run = set_up(drive(), server).setopt("h", RTSP_REQUEST=RECEIVE).perform("h").run()
    assert run["h"].code == OK and run["h"].headers == [] and packets(run) == [packet(0, b"ab")]
