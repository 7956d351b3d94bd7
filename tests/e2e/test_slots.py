"""Limits on connections: who waits for one goes on as soon as it could."""

import pytest

from server import Serve, UntilClose, response


@pytest.fixture
def two(make_server):
    """Two hosts: /away redirects from the first to the second, which never answers."""
    far = make_server(backlog=64)

    def silent(q, p):
        UntilClose().run(p)

    far.default(Serve(silent))
    near = make_server(backlog=64)
    near.default(Serve(lambda q, p: response(302, b"", [f"Location: {far.url('/never')}"]) if q.target == "/away"
                       else response(200, b"here")))
    return near


@pytest.mark.parametrize("headers", [[], ["Connection: close"]])
def test_redirect_leaves_the_host(drive, two, multi_way, headers):
    """The first transfer is redirected to another host and stays there: the one that waits for its first host's
    only connection goes on."""
    d = drive(multi_way).do("multi", "m").do("msetopt", "m", "MAX_HOST_CONNECTIONS", 1)
    d.easy("a", URL=two.url("/away"), FOLLOWLOCATION=1, HTTPHEADER=headers, TIMEOUT_MS=250000)
    d.easy("b", URL=two.url("/"), TIMEOUT_MS=25000)
    r = d.do("add", "m", "a", "b").do("drive", "m", "done", "b").do("remove", "m", "a").run()
    assert (r["b"].code, r["b"].body) == (0, b"here")
