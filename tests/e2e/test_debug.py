"""DEBUGFUNCTION: every kind, whole, in order, and nothing secret made up."""


from server import Expect, Reply, response

TEXT, HEADER_IN, HEADER_OUT, DATA_IN, DATA_OUT, SSL_IN, SSL_OUT = range(7)


def of(t, kind):
    return b"".join(data for k, data in t.debug if k == kind)


def test_get(drive, server, way):
    server.answer(response(200, b"the body", ["A: b"]))
    t = drive.get(way, URL=server.url(), enable=["debug", "debugprint"])
    assert of(t, HEADER_OUT) == server.requests[0].head
    assert of(t, HEADER_IN) == b"HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 8\r\n\r\n"
    assert of(t, DATA_IN) == b"the body"
    assert [d for k, d in t.debug if k == HEADER_IN] == t.headers
    assert of(t, TEXT)


def test_upload(drive, server, way):
    server.script(Expect("POST", body=b"f=1"), Reply(200, b"ok"))
    t = drive.get(way, URL=server.url(), POSTFIELDS="f=1", enable=["debug", "debugprint"])
    assert of(t, HEADER_OUT) + of(t, DATA_OUT) == server.requests[0].head + b"f=1"


def test_off(drive, server):
    server.answer(response(200, b"x"))
    d = drive().easy(URL=server.url()).enable("h", "debug").setopt("h", VERBOSE=0).perform()
    assert "debug" not in d.run()["h"].calls


def test_tls(drive, make_server, certs):
    server = make_server(tls=certs.context())
    server.answer(response(200, b"secret body"))
    t = drive.get(URL=server.url(), CAINFO=certs.path("ca.pem"), enable=["debug", "debugprint"])
    assert of(t, DATA_IN) == b"secret body"
    assert of(t, HEADER_OUT) == server.requests[0].head
    assert b"secret body" not in of(t, SSL_IN) + of(t, SSL_OUT)


def test_redirect(drive, server, way):
    server.answer(response(302, b"moved", ["Location: /2"]), response(200, b"end"))
    t = drive.get(way, URL=server.url(), FOLLOWLOCATION=1, enable=["debug", "debugprint"])
    assert of(t, HEADER_OUT) == server.requests[0].head + server.requests[1].head


def test_text_is_lines(drive, server):
    server.answer(response(200, b"x"))
    t = drive.get(URL=server.url(), enable=["debug", "debugprint"])
    for kind, data in t.debug:
        if kind == TEXT:
            assert data.endswith(b"\n"), data
            assert b"\n" not in data[:-1]


def test_order(drive, server):
    """The request before its answer, headers before the body."""
    server.answer(response(200, b"x"))
    t = drive.get(URL=server.url(), enable=["debug", "debugprint"])
    kinds = [k for k, d in t.debug if k in (HEADER_OUT, HEADER_IN, DATA_IN)]
    assert kinds == sorted(kinds, key=[HEADER_OUT, HEADER_IN, DATA_IN].index)
