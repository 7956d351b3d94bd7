"""mux: many transfers on one connection (README.md)."""

from script import ScriptServer


def test_reaches_the_protocol(drive, way, make_server):
    server = make_server()
    server.script()
    assert drive.get(way, URL=f"mux://127.0.0.1:{server.port}/x").code == 0
