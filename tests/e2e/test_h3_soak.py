"""A few seconds of h3_soak.py; an hour of it is run by hand."""

import pytest

import h3_soak
from h3_fixtures import FULL
from mote_driver import SYSTEM

pytestmark = [pytest.mark.usefixtures("http3"), pytest.mark.skipif(SYSTEM, reason="ours only: figures")]


@pytest.mark.parametrize("seed", range(1, 4) if FULL else [1])
def test_soak(tmp_path, programs, quic_nginx, quic_peer, certs, seed):
    code, text = h3_soak.run(h3_soak.compiled(str(tmp_path)), programs["preload"], certs.path("ca.pem"), 60 if FULL else 6, seed,
                             quic_nginx, quic_peer)
    assert code == 0, text[-4000:]
