"""WebSocket (RFC 6455) against scripted servers, section by section: by curl_ws_recv and curl_ws_send, and by callbacks."""

import zlib

import pytest

from mote_driver import SANITIZED, by_library, not_debian
from proxies import Socks5
from script import Close, Read, Relay, Reset, Send
from server import Expect, Reply, UntilClose
from ws_peer import (BINARY, CLOSE, CONT, Echo, Handshake, NOAUTOPONG, PING, PONG, RAW_MODE, ReadFrame, TEXT, WS_BINARY,
                     WS_CLOSE, WS_CONT, WS_OFFSET, WS_PING, WS_PONG, WS_TEXT, accept_of, frame)

pytestmark = not_debian("built without WebSocket")

OK, GOT_NOTHING, SEND_ERROR, RECV_ERROR, AGAIN = 0, 52, 55, 56, 81
UNSUPPORTED, WEIRD, REFUSED, WRITE_ERROR, BAD_ARGUMENT, TOO_LARGE = 1, 8, 22, 23, 43, 100


def ws_url(server, path="/chat"):
    return server.url(path).replace("http", "ws", 1)


def connect(drive, server, way="easy", fault=False, **options):
    """A driver whose handle h has an open WebSocket."""
    d = drive(way, fault=fault)
    d.easy("h", URL=ws_url(server), CONNECT_ONLY=2, **options).perform("h")
    return d


def received(run):
    """(code, flags, offset, bytesleft, bytes) of each wsrecv."""
    out = []
    for code, flags, offset, left, n, data in run.of("wsrecv", "h"):
        data = str(data).encode("latin-1")
        assert code or n == len(data)
        out.append((code, flags, offset, left, data) if not code else code)
    return out


def receive(drive, server, *steps, count, size=1000, close=True, **options):
    """What `count` calls of curl_ws_recv give of what the server sends."""
    server.script(Handshake(), *steps, *([Close()] if close else []))
    d = connect(drive, server, **options)
    for _ in range(count):
        d.do("wsrecv", "h", size)
    return received(d.run())


def whole(flags, data):
    return (OK, flags, 0, 0, data)


# ---- section 4: the handshake

def test_the_handshake_has_the_fields_of_section_4_1(drive, server):
    server.script(Handshake(), Close())
    run = connect(drive, server).run()
    assert run["h"].code == OK
    head = server.requests[0]
    assert head.method == "GET" and head.target == "/chat" and head.version == "HTTP/1.1"
    assert head.names == ["host", "accept", "upgrade", "sec-websocket-version", "sec-websocket-key", "connection"]
    assert len(head.header("Sec-WebSocket-Key")) == 24


def test_each_handshake_has_a_key_of_its_own(drive, server):
    server.default(Handshake(), Close())
    d = drive()
    d.easy("h", URL=ws_url(server), CONNECT_ONLY=2).perform("h").perform("h")
    d.run()
    a, b = [r.header("Sec-WebSocket-Key") for r in server.requests]
    assert a != b


def test_a_wrong_accept_fails_the_handshake(drive, server):
    server.script(Handshake(accept=accept_of("another key")), Close())
    run = connect(drive, server).run()
    assert run["h"].code == by_library(WEIRD, WEIRD, OK)     # the newest libcurl does not look at it


def test_a_missing_accept_fails_the_handshake(drive, server):
    server.script(Handshake(accept=""), Close())
    assert connect(drive, server).run()["h"].code == by_library(WEIRD, WEIRD, OK)


def test_two_accepts_of_which_one_is_wrong_fail_the_handshake(drive, server):
    server.script(Handshake(fields=["Sec-WebSocket-Accept: x"]), Close())
    assert connect(drive, server).run()["h"].code == by_library(WEIRD, WEIRD, OK)


@pytest.mark.parametrize("lines", [["Connection: Upgrade"], ["Upgrade: websocket"], ["Upgrade: h2c", "Connection: Upgrade"],
                                   ["Upgrade: websocket", "Connection: close"]])
def test_an_answer_that_does_not_upgrade_fails_the_handshake(drive, server, lines, ours_only):
    ours_only("libcurl looks at the status only")
    server.script(Handshake(lines=lines), UntilClose())
    t = connect(drive, server).run()["h"]
    assert t.code == WEIRD and "upgrade" in t.error


@pytest.mark.parametrize("field", ["Sec-WebSocket-Extensions: permessage-deflate", "Sec-WebSocket-Protocol: chat"])
@pytest.mark.parametrize("asked", [False, True], ids=["unasked", "asked for"])
def test_what_was_not_asked_for_fails_the_handshake(drive, server, field, asked, ours_only):
    ours_only("libcurl leaves that to the application")
    server.script(Handshake(fields=[field]), UntilClose())
    t = connect(drive, server, **({"HTTPHEADER": [field]} if asked else {})).run()["h"]
    assert t.code == (OK if asked else WEIRD) and (asked or "not asked for" in t.error)


def test_an_own_key_is_sent_and_its_accept_expected(drive, server):
    server.script(Handshake(), Close())
    key = "AAAAAAAAAAAAAAAAAAAAAA=="
    run = connect(drive, server, HTTPHEADER=["Sec-WebSocket-Key: " + key]).run()
    assert run["h"].code == OK
    assert server.requests[0].header("Sec-WebSocket-Key") == key


def test_own_fields_join_or_replace(drive, server):
    server.script(Handshake(), Close())
    run = connect(drive, server, HTTPHEADER=["Connection: keep-alive", "Sec-WebSocket-Protocol: chat"]).run()
    assert run["h"].code == OK
    assert server.requests[0].header("Connection") == "keep-alive, Upgrade"
    assert server.requests[0].header("Sec-WebSocket-Protocol") == "chat"


@pytest.mark.parametrize("status", [200, 204, 302, 400, 401, 404, 426, 500])
@pytest.mark.parametrize("only", [0, 2])
def test_any_other_status_refuses_the_upgrade(drive, server, status, only):
    server.script(Expect("GET"), Reply(status, b"", ["Location: /elsewhere"] if status == 302 else []))
    t = drive.get(URL=ws_url(server), CONNECT_ONLY=only, FOLLOWLOCATION=1, info=["RESPONSE_CODE"])
    assert t.code == REFUSED and str(status) in t.error and t.info["RESPONSE_CODE"] == status
    assert t.length == 0


def test_an_interim_head_comes_before_101(drive, server):
    class Early(Handshake):
        def run(self, peer):
            peer.send(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
            super().run(peer)
    server.script(Early(frame(TEXT, b"x")), Close())
    d = connect(drive, server).do("wsrecv", "h", 10)
    assert received(d.run()) == [whole(WS_TEXT, b"x")]


@pytest.mark.parametrize("only", [0, 2])
def test_a_challenge_is_answered(drive, server, only):
    refusal = Expect("GET"), Reply(401, b"", ['WWW-Authenticate: Digest realm="r", nonce="n"'])
    if by_library(True, True, False):
        server.script(*refusal, *([Handshake()] if not only else []), *([Close()] if not only else []))
        if only:
            server.script(Handshake(), Close())
    else:
        server.script(*refusal)    # the newest libcurl takes it for the end
    run = connect(drive, server, USERPWD="u:p", HTTPAUTH=2).run() if only else None
    code = run["h"].code if only else drive.get(URL=ws_url(server), USERPWD="u:p", HTTPAUTH=2).code
    assert code == by_library(OK, OK, REFUSED)
    if not code:
        assert "Digest" in server.requests[-1].header("Authorization")


def test_the_method_is_get_whatever_body_is_set(drive, server):
    server.script(Handshake(), Close())
    assert connect(drive, server, POSTFIELDS="abc").run()["h"].code == OK
    assert server.requests[0].method == "GET"


def test_bytes_after_the_head_are_the_next_ones_received(drive, server):
    server.script(Handshake(frame(TEXT, b"first") + frame(BINARY, b"second")[:3]), Send(frame(BINARY, b"second")[3:]), Close())
    d = connect(drive, server)
    for _ in range(4):
        d.do("wsrecv", "h", 100)
    got = received(d.run())
    assert got[0] == whole(WS_TEXT, b"first")
    assert b"".join(g[4] for g in got[1:-1] if g != GOT_NOTHING) == b"second"


def test_bytes_after_the_head_go_to_the_write_callback(drive, server, way):
    server.script(Handshake(frame(TEXT, b"first") + frame(BINARY, b"second")), Close())
    t = drive.get(way, URL=ws_url(server), enable=["wsmeta"])
    assert t.code == OK and t.body == b"firstsecond"
    assert t.run.of("wsmeta", "h") == [[5, WS_TEXT, 0, 0, 5], [6, WS_BINARY, 0, 0, 6]]


def test_the_connection_ends_before_the_head(drive, server):
    server.script(Expect("GET"), Close())
    assert connect(drive, server).run()["h"].code == by_library(GOT_NOTHING, GOT_NOTHING, OK)


def test_connect_only_1_makes_no_handshake(drive, server):
    server.script(Read(b"mine"), Send(b"yours"), UntilClose())
    d = drive()
    d.easy("h", URL=ws_url(server), CONNECT_ONLY=1).perform("h").do("send", "h", "mine")
    d.do("wsrecv", "h", 10, "now")
    run = d.run()
    assert run["h"].code == OK and received(run) == [BAD_ARGUMENT]


# ---- section 5.2: frames

@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65535, 65536])
@pytest.mark.parametrize("opcode", [TEXT, BINARY])
def test_each_form_of_length_is_received(drive, server, size, opcode):
    payload = bytes(i % (251 if opcode == BINARY else 128) for i in range(size))
    server.script(Handshake(), Send(frame(opcode, payload)), Close())
    d = connect(drive, server)
    for _ in range(40):
        d.do("wsrecv", "h", 100000)
    got = [g for g in received(d.run()) if g != GOT_NOTHING]
    assert b"".join(g[4] for g in got) == payload
    at = 0
    for code, flags, offset, left, data in got:
        assert (code, flags, offset, left) == (OK, opcode, at, size - at - len(data))
        at += len(data)


@pytest.mark.parametrize("size, width", [(0, 2), (5, 2), (125, 2), (5, 8), (65535, 8)])
def test_a_length_in_more_bytes_than_it_needs_fails(drive, server, size, width, ours_only):
    ours_only("libcurl takes it")
    assert receive(drive, server, Send(frame(BINARY, bytes(size), width=width)), count=2) == [RECV_ERROR] * 2


WRONG = {
    "reserved bit 1": frame(TEXT, b"x", reserved=4),
    "reserved bit 2": frame(TEXT, b"x", reserved=2),
    "reserved bit 3": frame(TEXT, b"x", reserved=1),
    "reserved bits of a control frame": frame(PING, b"x", reserved=7),
    "reserved opcode 3": frame(3, b"x"),
    "reserved opcode 7": frame(7),
    "reserved opcode 11": frame(11, b"x"),
    "reserved opcode 15": frame(15),
    "a masked frame": frame(TEXT, b"hello", mask=b"\1\2\3\4"),
    "a masked ping": frame(PING, b"", mask=b"\1\2\3\4"),
    "a length of 2 to the 63rd": frame(BINARY, b"", length=1 << 63),
    "the greatest length of 64 bits": frame(BINARY, b"", length=(1 << 64) - 1),
    "a ping of 126 bytes": frame(PING, b"x" * 126),
    "a pong of 65536 bytes": frame(PONG, b"x" * 65536),
    "a close frame of 126 bytes": frame(CLOSE, b"x" * 126),
    "a fragmented ping": frame(PING, b"x", final=False),
    "a fragmented close frame": frame(CLOSE, b"", final=False),
    "a continuation of nothing": frame(CONT, b"x"),
    "a fragment of nothing": frame(CONT, b"x", final=False),
    "a message in a message": frame(TEXT, b"x", final=False) + frame(TEXT, b"y"),
    "a continuation after the last": frame(TEXT, b"x", final=False) + frame(CONT, b"y") + frame(CONT, b"z"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_frame_fails_curl_ws_recv(drive, server, what):
    server.script(Handshake(WRONG[what]), UntilClose())
    d = connect(drive, server)
    for _ in range(4):
        d.do("wsrecv", "h", 1000, "now")
    got = received(d.run())
    assert RECV_ERROR in got
    if by_library(True, True, False):    # and nothing more is received
        assert set(got[got.index(RECV_ERROR):]) == {RECV_ERROR}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_frame_fails_the_transfer(drive, server, way, what):
    server.script(Handshake(), Send(WRONG[what]), UntilClose())
    t = drive.get(way, URL=ws_url(server))
    assert t.code == RECV_ERROR and t.error


def test_a_frame_of_nearly_2_to_the_63rd_is_delivered_as_it_comes(drive, server):
    server.script(Handshake(frame(BINARY, b"abc", length=(1 << 63) - 1)), Send(b"def"), Close())
    d = connect(drive, server)
    for _ in range(4):
        d.do("wsrecv", "h", 3)
    got = received(d.run())
    assert got[0] == (OK, WS_BINARY, 0, (1 << 63) - 4, b"abc") and got[1] == (OK, WS_BINARY, 3, (1 << 63) - 7, b"def")
    assert got[2] == GOT_NOTHING


# ---- section 5.3: masks

def test_each_frame_has_a_mask_of_its_own(drive, server):
    masks = []

    class Masks(ReadFrame):
        def run(self, peer):
            peer.masks = masks
            super().run(peer)
    server.script(Handshake(), *[Masks(TEXT, b"same")] * 40, Close())
    d = connect(drive, server)
    for _ in range(40):
        d.do("wssend", "h", "same", WS_TEXT)
    d.run()
    assert len(set(masks)) == 40 and b"\0\0\0\0" not in masks


# ---- section 5.4: fragments

def test_fragments_are_frames_with_cont_on_all_but_the_last(drive, server):
    got = receive(drive, server, Send(frame(TEXT, b"a", final=False) + frame(CONT, b"b", final=False) + frame(CONT, b"c")),
                  count=3)
    assert got == [whole(WS_TEXT | WS_CONT, b"a"), whole(WS_TEXT | WS_CONT, b"b"), whole(WS_TEXT, b"c")]


def test_control_frames_come_between_fragments(drive, server):
    server.script(Handshake(), Send(frame(BINARY, b"a", final=False) + frame(PING, b"p") + frame(CONT, b"b", final=False) +
                                    frame(PONG, b"q") + frame(CONT, b"c")), ReadFrame(PONG, b"p"), Close())
    d = connect(drive, server)
    for _ in range(4):
        d.do("wsrecv", "h", 1000)
    assert received(d.run()) == [whole(WS_BINARY | WS_CONT, b"a"), whole(WS_BINARY | WS_CONT, b"b"), whole(WS_PONG, b"q"),
                                 whole(WS_BINARY, b"c")]


def test_empty_fragments_are_delivered(drive, server):
    got = receive(drive, server, Send(frame(TEXT, b"", final=False) + frame(CONT, b"", final=False) + frame(CONT, b"")), count=3)
    assert got == [whole(WS_TEXT | WS_CONT, b"")] * 2 + [whole(WS_TEXT, b"")]


def test_fragments_are_sent(drive, server):
    server.script(Handshake(), ReadFrame(TEXT, b"a", final=False), ReadFrame(CONT, b"b", final=False), ReadFrame(PING, b"p"),
                  ReadFrame(CONT, b"c"), ReadFrame(BINARY, b"d"), Close())
    d = connect(drive, server)
    for data, flags in (("a", WS_TEXT | WS_CONT), ("b", WS_CONT), ("p", WS_PING), ("c", WS_TEXT), ("d", WS_BINARY)):
        d.do("wssend", "h", data, flags)
    assert d.run().of("wssend", "h") == [[OK, 1]] * 5


# ---- section 5.5: control frames

@pytest.mark.parametrize("payload", [b"", b"p", b"x" * 125])
def test_a_ping_is_answered_and_not_delivered(drive, server, ours_only, payload):
    ours_only("the newest libcurl sends a PONG in its next call only")
    server.script(Handshake(), Send(frame(PING, payload)), ReadFrame(PONG, payload), Send(frame(TEXT, b"t")), Close())
    d = connect(drive, server).do("wsrecv", "h", 1000)
    assert received(d.run()) == [whole(WS_TEXT, b"t")]


def test_a_ping_is_answered_by_a_transfer(drive, server, way):
    server.script(Handshake(), Send(frame(PING, b"one")), ReadFrame(PONG, b"one"), Send(frame(PING, b"two")),
                  ReadFrame(PONG, b"two"), Close())
    t = drive.get(way, URL=ws_url(server))
    assert t.code == OK and t.length == 0


def test_a_ping_that_comes_in_pieces_is_answered(drive, server, ours_only):
    ours_only("the newest libcurl sends a PONG in its next call only")
    server.script(Handshake(), *[Send(bytes([b])) for b in frame(PING, b"slow")], ReadFrame(PONG, b"slow"), Close())
    d = connect(drive, server).do("wsrecv", "h", 1000)
    assert received(d.run()) == [GOT_NOTHING]


def test_many_pings_are_answered(drive, server, ours_only):
    ours_only("the newest libcurl sends a PONG in its next call only")
    pings = [b"%d" % i for i in range(50)]
    server.script(Handshake(), Send(b"".join(frame(PING, p) for p in pings)), *[ReadFrame(PONG, p) for p in pings], Close())
    d = connect(drive, server).do("wsrecv", "h", 1000)
    assert received(d.run()) == [GOT_NOTHING]


@pytest.mark.parametrize("options", [NOAUTOPONG, RAW_MODE])
def test_without_auto_pong_a_ping_is_delivered(drive, server, options):
    server.script(Handshake(), Send(frame(PING, b"p")), Close())
    d = connect(drive, server, WS_OPTIONS=options).do("wsrecv", "h", 10).do("wsrecv", "h", 10)
    assert received(d.run()) == [whole(WS_PING, b"p"), GOT_NOTHING]


def test_a_pong_is_delivered(drive, server):
    assert receive(drive, server, Send(frame(PONG, b"unasked")), count=1) == [whole(WS_PONG, b"unasked")]


def test_control_frames_are_sent(drive, server):
    server.script(Handshake(), ReadFrame(PING, b"p"), ReadFrame(PONG, b"q"), ReadFrame(CLOSE, b"\x03\xe8"), Close())
    d = connect(drive, server).do("wssend", "h", "p", WS_PING).do("wssend", "h", "q", WS_PONG)
    d.do("wssend", "h", b"\x03\xe8", WS_CLOSE)
    assert d.run().of("wssend", "h") == [[OK, 1], [OK, 1], [OK, 2]]


@pytest.mark.parametrize("flags", [WS_PING, WS_PONG, WS_CLOSE])
def test_a_control_frame_is_neither_long_nor_fragmented(drive, server, flags):
    server.script(Handshake(), ReadFrame(TEXT, b"t"), Close())
    d = connect(drive, server).do("wssend", "h", "x" * 126, flags).do("wssend", "h", "x", flags | WS_CONT)
    d.do("wssend", "h", "t", WS_TEXT)
    assert d.run().of("wssend", "h") == [[TOO_LARGE, 0], [BAD_ARGUMENT, 0], [OK, 1]]


# ---- section 5.6: data; section 8: UTF-8, which libcurl leaves to the application

NOT_UTF8 = [b"\xff", b"\xc0\x80", b"ab\x80", b"\xe0\x9f\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"12345678\xc3",
            b"\xe2\x82", b"\xe2\x82x", b"\xf0\x8f\xbf\xbf", b"\xc3\xc3"]
UTF8 = "a\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff" + "x" * 20 + "\u20ac"


@pytest.mark.parametrize("text", NOT_UTF8)
@pytest.mark.parametrize("cut", [False, True], ids=["whole", "in fragments"])
def test_text_that_is_not_utf_8_fails(drive, server, text, cut, ours_only):
    ours_only("libcurl leaves that to the application")
    pieces = [text[i:i + 1] for i in range(len(text))] if cut else [text]
    frames = [frame(CONT if i else TEXT, p, final=i == len(pieces) - 1) for i, p in enumerate(pieces)]
    got = receive(drive, server, Send(b"".join(frames)), count=len(pieces) + 1)
    assert RECV_ERROR in got and b"".join(g[4] for g in got if isinstance(g, tuple)) != text


@pytest.mark.parametrize("text", NOT_UTF8)
def test_text_that_is_not_utf_8_fails_the_transfer(drive, server, way, text, ours_only):
    ours_only("libcurl leaves that to the application")
    server.script(Handshake(), Send(frame(TEXT, text)), UntilClose())
    t = drive.get(way, URL=ws_url(server))
    assert t.code == RECV_ERROR and "UTF-8" in t.error


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_text_in_utf_8_is_delivered_however_it_is_cut(drive, server, way, size):
    """By frames, with control frames between them, and by the room of the application."""
    text = UTF8.encode("utf-8", "surrogatepass")
    pieces = [text[i:i + size] for i in range(0, len(text), size)]
    frames = b"".join(frame(CONT if i else TEXT, p, final=i == len(pieces) - 1) + frame(PONG, b"\xff") for i, p in enumerate(pieces))
    server.script(Handshake(), Send(frames), Close())
    server.script(Handshake(), Send(frame(TEXT, text)), Close())
    assert drive.get(way, URL=ws_url(server)).body.replace(b"\xff", b"") == text
    d = connect(drive, server)
    for _ in range(len(text) // size + 1):
        d.do("wsrecv", "h", size)
    assert b"".join(g[4] for g in received(d.run()) if isinstance(g, tuple)) == text


def test_bytes_of_a_binary_message_are_no_text(drive, server):
    assert receive(drive, server, Send(frame(BINARY, b"\xff\xc3")), count=1) == [whole(WS_BINARY, b"\xff\xc3")]


def test_text_cut_within_a_character_is_delivered(drive, server):
    text = "\u20ac".encode()
    got = receive(drive, server, Send(frame(TEXT, text[:1], final=False) + frame(CONT, text[1:])), count=2)
    assert got == [whole(WS_TEXT | WS_CONT, text[:1]), whole(WS_TEXT, text[1:])]


@pytest.mark.parametrize("size", [1, 32, 125, 126, 240, 243, 300, 4095, 4096, 65535, 65536, 300000])
def test_messages_of_all_sizes_are_echoed(drive, server, size):
    server.script(Handshake(), Echo())
    payload = bytes(i * 7 % 251 for i in range(size))
    d = connect(drive, server).do("wssend", "h", payload, WS_BINARY).do("wsdrain", "h", size, 65536)
    d.do("wssend", "h", b"", WS_CLOSE).do("wsrecv", "h", 10)
    run = d.run()
    assert run.of("wssend", "h") == [[OK, size], [OK, 0]]
    assert run.of("wsdrain", "h") == [[OK, size, zlib.crc32(payload)]] and received(run) == [whole(WS_CLOSE, b"")]


def test_an_empty_message_is_echoed(drive, server):
    server.script(Handshake(), Echo())
    d = connect(drive, server).do("wssend", "h", b"", WS_TEXT).do("wsrecv", "h", 10).do("wssend", "h", b"", WS_CLOSE)
    assert received(d.do("wsrecv", "h", 10).run()) == [whole(WS_TEXT, b""), whole(WS_CLOSE, b"")]


# ---- section 7: closing

def test_a_close_frame_is_delivered_and_not_answered(drive, server):
    got = receive(drive, server, Send(frame(CLOSE, b"\x03\xe8bye")), count=2)
    assert got == [whole(WS_CLOSE, b"\x03\xe8bye"), GOT_NOTHING]


@pytest.mark.parametrize("after", [frame(TEXT, b"x"), frame(PING), frame(CLOSE, b"\x03\xe8")])
def test_nothing_comes_after_a_close_frame(drive, make_server, after, ours_only):
    ours_only("libcurl delivers it")
    server = make_server()
    got = receive(drive, server, Send(frame(CLOSE, b"\x03\xe8") + after), count=2)
    assert got == [whole(WS_CLOSE, b"\x03\xe8"), RECV_ERROR]
    server = make_server()
    server.script(Handshake(), Send(frame(CLOSE, b"\x03\xe8") + after), UntilClose())
    assert drive.get(URL=ws_url(server)).code == RECV_ERROR


def test_the_client_closes_first(drive, server):
    server.script(Handshake(), ReadFrame(CLOSE, b"\x03\xe9"), Send(frame(CLOSE, b"\x03\xe9")), Close())
    d = connect(drive, server).do("wssend", "h", b"\x03\xe9", WS_CLOSE).do("wsrecv", "h", 100).do("wsrecv", "h", 100)
    assert received(d.run()) == [whole(WS_CLOSE, b"\x03\xe9"), GOT_NOTHING]


def test_a_transfer_ends_well_with_the_connection(drive, server, way):
    server.script(Handshake(), Send(frame(TEXT, b"t") + frame(CLOSE, b"\x03\xe8")), Close())
    t = drive.get(way, URL=ws_url(server), enable=["wsmeta"])
    assert t.code == OK and t.body == b"t\x03\xe8"
    assert t.run.of("wsmeta", "h") == [[1, WS_TEXT, 0, 0, 1], [2, WS_CLOSE, 0, 0, 2]]


def test_a_connection_that_ends_within_a_frame_fails_the_transfer(drive, server, way):
    server.script(Handshake(), Send(frame(TEXT, b"hel", length=5)), Close())
    t = drive.get(way, URL=ws_url(server))
    assert t.code == RECV_ERROR and t.body == b"hel"


def test_a_connection_that_ends_within_a_head_fails_the_transfer(drive, server, way):
    server.script(Handshake(), Send(frame(BINARY, b"x" * 200)[:3]), Close())
    assert drive.get(way, URL=ws_url(server)).code == RECV_ERROR


def test_a_connection_that_is_reset_fails(drive, server):
    server.script(Handshake(), Reset())
    d = connect(drive, server).do("wsrecv", "h", 100)
    assert received(d.run())[0] in (RECV_ERROR, GOT_NOTHING)


# ---- curl_ws_recv(3)

def test_a_frame_is_received_in_pieces(drive, server):
    server.script(Handshake(frame(TEXT, b"hello") + frame(BINARY, b"bin")), UntilClose())
    d = connect(drive, server)
    for n in (0, 2, 2, 2, 100):
        d.do("wsrecv", "h", n)
    d.do("wsrecv", "h", 100, "now")
    assert received(d.run()) == [(OK, WS_TEXT, 0, 5, b""), (OK, WS_TEXT, 0, 3, b"he"), (OK, WS_TEXT, 2, 1, b"ll"),
                                 (OK, WS_TEXT, 4, 0, b"o"), whole(WS_BINARY, b"bin"), AGAIN]


def test_without_room_an_empty_frame_is_consumed(drive, server):
    server.script(Handshake(frame(TEXT, b"") + frame(BINARY, b"b")), UntilClose())
    d = connect(drive, server).do("wsrecv", "h", 0).do("wsrecv", "h", 0).do("wsrecv", "h", 0).do("wsrecv", "h", 5)
    assert received(d.run()) == [whole(WS_TEXT, b""), (OK, WS_BINARY, 0, 1, b""), (OK, WS_BINARY, 0, 1, b""),
                                 whole(WS_BINARY, b"b")]


def test_one_byte_at_a_time(drive, server):
    payload = bytes(range(200))
    server.script(Handshake(frame(BINARY, payload)), UntilClose())
    d = connect(drive, server)
    for _ in payload:
        d.do("wsrecv", "h", 1)
    got = received(d.run())
    assert [g[4] for g in got] == [bytes([b]) for b in payload] and [g[2] for g in got] == list(range(200))


def test_nothing_has_come_yet(drive, server):
    server.script(Handshake(), UntilClose())
    d = connect(drive, server).do("wsrecv", "h", 10, "now").do("wsrecv", "h", 0, "now")
    assert received(d.run()) == [AGAIN, AGAIN]


def test_a_head_that_comes_byte_by_byte(drive, server):
    server.script(Handshake(), *[Send(bytes([b])) for b in frame(BINARY, b"y" * 70000)[:12]],
                  Send(frame(BINARY, b"y" * 70000)[12:]), Close())
    d = connect(drive, server)
    for _ in range(40):
        d.do("wsrecv", "h", 70000)
    got = [g for g in received(d.run()) if g != GOT_NOTHING]
    assert b"".join(g[4] for g in got) == b"y" * 70000


def test_functions_without_a_websocket(drive, server):
    server.script(Expect("GET"), Reply(200, b"ok"))
    d = drive()
    d.easy("h", URL=server.url("/")).do("wsrecv", "h", 10, "now").do("wssend", "h", "x", WS_TEXT)
    d.perform("h").do("wsrecv", "h", 10, "now").do("wssend", "h", "x", WS_TEXT)
    run = d.run()
    assert received(run) == [UNSUPPORTED] * 2 and [code for code, n in run.of("wssend", "h")] == [SEND_ERROR] * 2


# ---- curl_ws_send(3)

@pytest.mark.parametrize("flags", [0, WS_CONT, WS_OFFSET, WS_TEXT | WS_BINARY, WS_TEXT | WS_PING, 128 | WS_TEXT])
def test_flags_that_are_no_frame_are_refused(drive, server, flags):
    server.script(Handshake(), ReadFrame(TEXT, b"t"), Close())
    d = connect(drive, server).do("wssend", "h", "x", flags, *([1] if flags & WS_OFFSET else [])).do("wssend", "h", "t", WS_TEXT)
    assert d.run().of("wssend", "h") == [[BAD_ARGUMENT, 0], [OK, 1]]


def test_a_frame_is_sent_by_several_calls(drive, server):
    server.script(Handshake(), ReadFrame(BINARY, b"abcdefghij"), ReadFrame(TEXT, b"n"), Close())
    d = connect(drive, server).do("wssend", "h", "abc", WS_BINARY | WS_OFFSET, 10).do("wssend", "h", "defg", WS_BINARY | WS_OFFSET)
    d.do("wssend", "h", "hij", WS_BINARY | WS_OFFSET, 10).do("wssend", "h", "n", WS_TEXT)
    assert d.run().of("wssend", "h") == [[OK, 3], [OK, 4], [OK, 3], [OK, 1]]


def test_more_than_the_frame_has_left_is_refused(drive, server):
    server.script(Handshake(), ReadFrame(BINARY, b"abcd"), Close())
    d = connect(drive, server).do("wssend", "h", "abc", WS_BINARY | WS_OFFSET, 4).do("wssend", "h", "defg", WS_OFFSET | WS_BINARY)
    d.do("wssend", "h", "d", WS_BINARY | WS_OFFSET)
    assert d.run().of("wssend", "h") == [[OK, 3], [BAD_ARGUMENT, 0], [OK, 1]]


def test_a_negative_size_is_refused(drive, server):
    server.script(Handshake(), Close())
    d = connect(drive, server).do("wssend", "h", "abc", WS_BINARY | WS_OFFSET, -1)
    assert d.run().of("wssend", "h") == [[SEND_ERROR, 0]]


def test_a_pong_waits_for_the_end_of_the_frame(drive, server):
    server.script(Handshake(frame(PING, b"p") + frame(TEXT, b"t")), ReadFrame(BINARY, b"abcdef"), ReadFrame(PONG, b"p"), Close())
    d = connect(drive, server).do("wssend", "h", "abc", WS_BINARY | WS_OFFSET, 6).do("wsrecv", "h", 10)
    d.do("wssend", "h", "def", WS_BINARY | WS_OFFSET).do("wsrecv", "h", 10)
    got = received(d.run())
    assert got == [whole(WS_TEXT, b"t"), GOT_NOTHING]


# the runtime of a sanitizer calls send() in the library's place, so that none of its sends is short
short_sends = pytest.mark.skipif(bool(SANITIZED), reason="the library's sends are not seen")

MANY = b"0123456789" * 50  # bytes of a message, in a frame whose head has 8


@short_sends
def test_what_did_not_leave_is_not_reported_as_sent(drive, server, ours_only):
    """An application that got all of its bytes reported waits for the answer, and calls nothing that would send the rest."""
    ours_only("libcurl's pieces are others")
    server.script(Handshake(), ReadFrame(BINARY, MANY), Send(frame(TEXT, b"ok")), ReadFrame(TEXT, b"more"), Close())
    d = connect(drive, server, fault=True).do("fault", "sendmax", 100).do("wsoffer", "h", MANY, WS_BINARY)
    d.do("wsoffer", "h", MANY[92:], WS_BINARY).do("fault", "sendmax", 0).do("wsrecv", "h", 10)
    run = d.do("wssend", "h", "more", WS_TEXT).run()
    assert run.of("wsoffer", "h") == [[OK, 92], [OK, 408]]
    assert received(run) == [whole(WS_TEXT, b"ok")] and run.of("wssend", "h") == [[OK, 4]]


@short_sends
def test_a_send_that_moves_nothing_is_one_to_repeat(drive, server, ours_only):
    ours_only("libcurl's pieces are others")
    server.script(Handshake(), ReadFrame(TEXT, b"text"), Send(frame(TEXT, b"ok")), Close())
    d = connect(drive, server, fault=True).do("fault", "sendmax", 2).do("wsoffer", "h", "text", WS_TEXT)
    d.do("wsoffer", "h", "longer", WS_TEXT).do("wsoffer", "h", "text", WS_TEXT).do("wsrecv", "h", 10)
    run = d.run()
    assert run.of("wsoffer", "h") == [[AGAIN, 0], [BAD_ARGUMENT, 0], [OK, 4]] and received(run) == [whole(WS_TEXT, b"ok")]


@short_sends
def test_a_transfer_sends_what_a_message_has_left(drive, server, multi_way, ours_only):
    """The application has called curl_ws_send() outside of the transfer's callbacks, and does not call again."""
    ours_only("libcurl sends it when it is called again")
    server.script(Handshake(frame(TEXT, b"hello")), ReadFrame(BINARY, MANY), Close())
    d = drive(multi_way, fault=True).do("multi", "default", multi_way).easy("h", URL=ws_url(server)).do("add", "default", "h")
    d.do("drive", "default", "bytes", "h", "write", 5).do("fault", "sendmax", 100).do("wsoffer", "h", MANY, WS_BINARY)
    run = d.do("fault", "sendmax", 0).do("drive", "default", "all").run()
    assert run.of("wsoffer", "h") == [[OK, 92]] and (run["h"].code, run["h"].body) == (OK, b"hello")


# ---- raw mode (CURLOPT_WS_OPTIONS(3))

def test_raw_mode_gives_the_bytes_of_frames_to_the_callback(drive, server, way):
    data = frame(TEXT, b"hello") + frame(PING, b"p") + frame(CLOSE, b"")
    server.script(Handshake(data), Close())
    t = drive.get(way, URL=ws_url(server), WS_OPTIONS=RAW_MODE, enable=["wsmeta"])
    assert t.code == OK and t.body == data
    assert all(m[1] == -1 for m in t.run.of("wsmeta", "h"))


def test_raw_mode_sends_bytes_as_they_are(drive, server):
    server.script(Handshake(), Read(b"\x81\x80abcd"), Close())
    d = connect(drive, server, WS_OPTIONS=RAW_MODE).do("wssend", "h", b"\x81\x80abcd", 0).do("wssend", "h", "x", WS_TEXT)
    assert d.run().of("wssend", "h") == [[OK, 6], [BAD_ARGUMENT, 0]]


# ---- the write callback

def test_a_pause_keeps_the_piece_and_its_meta(drive, server, multi_way):
    server.script(Handshake(frame(TEXT, b"one") + frame(BINARY, b"two")), Close())
    d = drive(multi_way)
    d.easy("h", URL=ws_url(server)).enable("h", "wsmeta").on("h", "write", "call", 2, "pause")
    d.do("multi", "m").do("add", "m", "h").do("drive", "m", "paused", "h").do("pause", "h", 0).do("drive", "m", "all")
    run = d.run()
    assert run["h"].code == OK and run["h"].body == b"onetwo"
    assert run.of("wsmeta", "h") == [[3, WS_TEXT, 0, 0, 3], [3, WS_BINARY, 0, 0, 3], [3, WS_BINARY, 0, 0, 3]]


def test_an_empty_message_may_pause(drive, server, multi_way, ours_only):
    ours_only("the newest libcurl does not deliver it again")
    server.script(Handshake(frame(TEXT, b"") + frame(BINARY, b"two")), Close())
    d = drive(multi_way)
    d.easy("h", URL=ws_url(server)).enable("h", "wsmeta").on("h", "write", "call", 1, "pause")
    d.do("multi", "m").do("add", "m", "h").do("drive", "m", "paused", "h").do("pause", "h", 0).do("drive", "m", "all")
    run = d.run()
    assert run["h"].code == OK and run["h"].body == b"two"
    assert run.of("wsmeta", "h") == [[0, WS_TEXT, 0, 0, 0]] * 2 + [[3, WS_BINARY, 0, 0, 3]]


def test_the_write_callback_ends_the_transfer(drive, server, way):
    server.script(Handshake(frame(TEXT, b"one")), UntilClose())
    t = drive.get(way, URL=ws_url(server), on=[("write", "call", 1, "take", 1)])
    assert t.code == WRITE_ERROR


def test_a_message_is_sent_from_the_write_callback(drive, server, way):
    server.script(Handshake(frame(TEXT, b"question")), ReadFrame(TEXT, b"answer"), Close())
    t = drive.get(way, URL=ws_url(server), on=[("write", "call", 1, "wssend", "answer", WS_TEXT)])
    assert t.code == OK and t.body == b"question" and t.run.of("wssend", "h") == [[OK, 6]]


def test_a_long_frame_comes_in_pieces_that_fit(drive, server, way):
    payload = bytes(i % 251 for i in range(200000))
    server.script(Handshake(), Send(frame(BINARY, payload)), Close())
    t = drive.get(way, URL=ws_url(server), enable=["wsmeta"])
    assert t.code == OK and t.length == 200000
    at = 0
    for n, flags, offset, left, length in t.run.of("wsmeta", "h"):
        assert (flags, offset, left, length) == (WS_BINARY, at, 200000 - at - n, n)
        at += n


def test_a_deadline_ends_a_silent_websocket(drive, server, way):
    server.script(Handshake(frame(TEXT, b"one")), UntilClose())
    t = drive.get(way, URL=ws_url(server), TIMEOUT_MS=400)
    assert t.code == 28 and t.body == b"one"


def test_a_deadline_ends_a_silent_handshake(drive, server, ours_only):
    ours_only("the newest libcurl waits on")
    server.script(Expect("GET"), UntilClose())
    assert connect(drive, server, TIMEOUT_MS=300).run()["h"].code == 28


# ---- the read callback (curl_ws_start_frame(3))

def test_each_read_is_a_binary_frame(drive, server, way):
    server.script(Handshake(), ReadFrame(BINARY, b"abc"), ReadFrame(BINARY, b"def"), ReadFrame(BINARY, b"g"),
                  Send(frame(TEXT, b"thanks")), Close())
    t = drive.get(way, URL=ws_url(server), UPLOAD=1, body=(b"abcdefg", 3))
    assert t.code == OK and t.body == b"thanks"


def test_a_frame_is_started_in_the_read_callback(drive, server, way):
    server.script(Handshake(), ReadFrame(TEXT, b"abcdef"), ReadFrame(BINARY, b"g"), Send(frame(TEXT, b"ok")), Close())
    t = drive.get(way, URL=ws_url(server), UPLOAD=1, body=(b"abcdefg", 3), on=[("read", "call", 1, "wsstart", WS_TEXT, 6)])
    assert t.code == OK and t.run.of("incb", "h", "wsstart") == [[OK]]


def test_a_frame_is_started_with_line_ends(drive, server, way):
    """The end that the callback had given was forgotten in the wrong reader, beyond its memory."""
    server.script(Handshake(), ReadFrame(TEXT, b"abcdef"), ReadFrame(BINARY, b"g"), Send(frame(TEXT, b"ok")), Close())
    t = drive.get(way, URL=ws_url(server), UPLOAD=1, CRLF=1, body=(b"abcdefg", 3),
                  on=[("read", "call", 1, "wsstart", WS_TEXT, 6), ("read", "call", 1, "return", 0)])
    assert t.code == OK


def test_a_frame_is_not_started_within_another(drive, server, way):
    server.script(Handshake(), ReadFrame(TEXT, b"abcdef"), Send(frame(TEXT, b"ok")), Close())
    t = drive.get(way, URL=ws_url(server), UPLOAD=1, body=(b"abcdef", 3), on=[("read", "call", 1, "wsstart", WS_TEXT, 6),
                                                                           ("read", "call", 2, "wsstart", WS_TEXT, 6)])
    assert t.code == OK and t.run.of("incb", "h", "wsstart") == [[OK], [SEND_ERROR]]


def test_the_callback_ends_the_upload_but_not_the_transfer(drive, server, way):
    server.script(Handshake(), ReadFrame(BINARY, b"abc"), Send(frame(TEXT, b"one")), Send(frame(TEXT, b"two")), Close())
    t = drive.get(way, URL=ws_url(server), UPLOAD=1, body=b"abc")
    assert t.code == OK and t.body == b"onetwo"


def test_raw_mode_uploads_bytes_as_they_are(drive, server, way):
    server.script(Handshake(), Read(b"\x81\x80abcd"), Send(frame(TEXT, b"ok")), Close())
    assert drive.get(way, URL=ws_url(server), UPLOAD=1, WS_OPTIONS=RAW_MODE, body=b"\x81\x80abcd").code == OK


# ---- TLS and proxies

def secure(drive, server, certs, **options):
    return connect(drive, server, CAINFO=certs.path("ca.pem"), **options)


def test_over_tls(drive, make_server, certs):
    server = make_server(tls=certs.context())
    server.script(Handshake(frame(TEXT, b"first") + frame(PING, b"p")), ReadFrame(PONG, b"p"), Echo())
    payload = bytes(i % 251 for i in range(70000))
    d = secure(drive, server, certs)
    d.do("wsrecv", "h", 100).do("wsrecv", "h", 100, "now").do("wssend", "h", payload, WS_BINARY)
    d.do("wsdrain", "h", 70000, 4096).do("wssend", "h", b"", WS_CLOSE).do("wsrecv", "h", 10)
    run = d.run()
    assert received(run) == [whole(WS_TEXT, b"first"), AGAIN, whole(WS_CLOSE, b"")]
    assert run.of("wsdrain", "h") == [[OK, 70000, zlib.crc32(payload)]]


def test_a_transfer_over_tls(drive, make_server, certs, way):
    server = make_server(tls=certs.context())
    server.script(Handshake(frame(TEXT, b"first")), Send(frame(PING, b"p")), ReadFrame(PONG, b"p"),
                  Send(frame(BINARY, b"x" * 50000)), Close())
    t = drive.get(way, URL=ws_url(server), CAINFO=certs.path("ca.pem"))
    assert t.code == OK and t.length == 50005


def test_http_2_is_not_offered(drive, make_server, certs):
    server = make_server(tls=certs.context(alpn=["h2", "http/1.1"]))
    server.script(Handshake(frame(TEXT, b"first")), Close())
    run = secure(drive, server, certs).do("wsrecv", "h", 100).run()
    assert run["h"].code == OK and received(run) == [whole(WS_TEXT, b"first")]
    assert server.connections[0].alpn in ("http/1.1", None)


@pytest.mark.parametrize("tls", [False, True])
def test_through_an_http_proxy_by_connect(drive, make_server, certs, tls):
    server = make_server(tls=certs.context() if tls else None)
    proxy = make_server()
    server.script(Handshake(frame(TEXT, b"first")), ReadFrame(TEXT, b"second"), Close())
    proxy.script(Expect("CONNECT"), Send(b"HTTP/1.1 200 OK\r\n\r\n"), Relay(server.port))
    d = secure(drive, server, certs, PROXY=proxy.url(""), NOPROXY="")
    run = d.do("wsrecv", "h", 100).do("wssend", "h", "second", WS_TEXT).run()
    assert run["h"].code == OK and received(run) == [whole(WS_TEXT, b"first")]


@pytest.mark.parametrize("tls", [False, True])
@pytest.mark.parametrize("scheme", ["socks5", "socks5h"])
def test_through_a_socks_proxy(drive, make_server, certs, tls, scheme):
    server = make_server(tls=certs.context() if tls else None)
    proxy = make_server()
    server.script(Handshake(frame(TEXT, b"first")), ReadFrame(TEXT, b"second"), Close())
    proxy.script(Socks5(server.port))
    d = secure(drive, server, certs, PROXY=proxy.url("", scheme=scheme), NOPROXY="")
    run = d.do("wsrecv", "h", 100).do("wssend", "h", "second", WS_TEXT).run()
    assert run["h"].code == OK and received(run) == [whole(WS_TEXT, b"first")]


def test_a_transfer_through_an_https_proxy(drive, make_server, certs, way):
    """TLS to the server inside TLS to the proxy."""
    server, proxy = make_server(tls=certs.context()), make_server(tls=certs.context())
    server.script(Handshake(frame(TEXT, b"first")), Send(frame(BINARY, b"x" * 50000)), Close())
    proxy.script(Expect("CONNECT"), Send(b"HTTP/1.1 200 OK\r\n\r\n"), Relay(server.port))
    t = drive.get(way, URL=ws_url(server), CAINFO=certs.path("ca.pem"), PROXY=proxy.url(""), NOPROXY="",
                  PROXY_CAINFO=certs.path("ca.pem"))
    assert t.code == OK and t.length == 50005


# ---- the rest of the interface

def test_infos(drive, server):
    server.script(Handshake(), Close())
    d = connect(drive, server).getinfo("h", "SCHEME", "EFFECTIVE_URL", "RESPONSE_CODE", "NUM_CONNECTS")
    info = d.run()["h"].info
    assert info["SCHEME"].lower() == "ws" and info["EFFECTIVE_URL"] == ws_url(server)
    assert info["RESPONSE_CODE"] == 101 and info["NUM_CONNECTS"] == 1


def test_the_next_transfer_of_the_handle(drive, server):
    server.default(Handshake(frame(TEXT, b"one")), UntilClose())
    d = connect(drive, server).do("wsrecv", "h", 10).perform("h").do("wsrecv", "h", 10)
    run = d.run()
    assert [t.code for t in run.all("h")] == [OK, OK] and received(run) == [whole(WS_TEXT, b"one")] * 2


def test_a_websocket_is_not_used_for_another_request(drive, server):
    server.default(Handshake(frame(TEXT, b"one")), Close())
    d = drive()
    d.easy("h", URL=ws_url(server)).perform("h").perform("h")
    run = d.run()
    assert [t.code for t in run.all("h")] == [OK, OK] and len(server.connections) == 2


def test_a_protocol_that_is_not_allowed(drive, server):
    assert drive.get(URL=ws_url(server), PROTOCOLS_STR="http,https").code == 1
