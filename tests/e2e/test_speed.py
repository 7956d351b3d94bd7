"""Speed limits both ways: not faster than asked, and complete."""


from mote_driver import NEWEST, crc, pattern
from server import Body, ContinueIfAsked, Expect, Reply, Serve, response


def test_receive(drive, server, way):
    data = pattern(200_000)
    server.answer(response(200, data))
    t = drive.get(way, URL=server.url(), MAX_RECV_SPEED_LARGE=400_000, BUFFERSIZE=1024, info=("TOTAL_TIME_T",))
    assert (t.code, t.crc) == (0, crc(data))
    assert 0.2 < t.info["TOTAL_TIME_T"] / 1e6 < 15


def test_send(drive, server, way):
    size, limit = 120_000, 200_000
    server.script(Expect("PUT", body=False), ContinueIfAsked(), Body(pattern(size)), Reply(200, b"ok"))
    t = drive.get(way, URL=server.url(), UPLOAD=1, INFILESIZE=size, body=(size, 4096), MAX_SEND_SPEED_LARGE=limit,
                  HTTPHEADER=["Expect:"], info=("TOTAL_TIME_T", "SPEED_UPLOAD_T"), UPLOAD_BUFFERSIZE=16384)
    assert (t.code, t.body) == (0, b"ok")
    if not NEWEST:  # which sends the first second's bytes at once
        assert 0.2 < t.info["TOTAL_TIME_T"] / 1e6 < 15


def test_no_busy_loop(drive, server, multi_way):
    data = pattern(40_000)
    server.answer(response(200, data))
    d = drive(multi_way).easy(URL=server.url(), MAX_RECV_SPEED_LARGE=80_000, BUFFERSIZE=4096).do("add", "m", "h")
    r = d.do("drive", "m", "all").run()
    assert r["h"].crc == crc(data)
    assert r.of("loops", "m", "all")[0][0] < 400


def test_one_limited_one_not(drive, server, multi_way):
    data = pattern(200_000)
    server.default(Serve(lambda q, p: response(200, data)))
    d = drive(multi_way).easy("a", URL=server.url(), MAX_RECV_SPEED_LARGE=400_000, BUFFERSIZE=1024).easy("b", URL=server.url())
    r = d.perform("a", "b").run()
    assert r.order == ["b", "a"]
    assert (r["a"].crc, r["b"].crc) == (crc(data), crc(data))


def test_speed_infos(drive, server, way):
    data = pattern(500_000)
    server.answer(response(200, data))
    t = drive.get(way, URL=server.url(), info=("SPEED_DOWNLOAD_T", "SPEED_UPLOAD_T", "TOTAL_TIME_T"))
    assert t.info["SPEED_UPLOAD_T"] == 0
    assert t.info["SPEED_DOWNLOAD_T"] > 0


def test_removed_while_limited(drive, server, multi_way):
    server.default(Serve(lambda q, p: response(200, pattern(500_000))))
    d = drive(multi_way).easy(URL=server.url(), MAX_RECV_SPEED_LARGE=20_000, BUFFERSIZE=4096).do("add", "m", "h")
    r = d.do("drive", "m", "bytes", "h", "write", 1000).do("remove", "m", "h").run()
    assert r.code("mcode", "h", "remove") == 0
