"""What curl_easy_getinfo() says of a connection by QUIC, of its handshake and its certificates; pins and the key log. The same
as over TCP (test_tls.py), and as libcurl 8.23 has it."""

import base64
import hashlib
import subprocess

import pytest

import http3_servers
from h3_fixtures import ONLY, V3
from mote_driver import Driver, by_library, not_debian

OPENSSL = "1"
TIMES = ("NAMELOOKUP_TIME_T", "CONNECT_TIME_T", "APPCONNECT_TIME_T", "PRETRANSFER_TIME_T", "POSTTRANSFER_TIME_T",
         "STARTTRANSFER_TIME_T", "TOTAL_TIME_T")

pytestmark = [pytest.mark.usefixtures("http3"), not_debian("it has no HTTP/3")]


@pytest.fixture(scope="module")
def peer(tmp_path_factory, certs):
    server = http3_servers.Peer(tmp_path_factory.mktemp("peer"), certs)
    yield server
    server.close()


@pytest.fixture
def options(certs, peer):
    """One address: no one listens at the other one of localhost."""
    return {"URL": peer.url("/12.txt", "quic"), "CAINFO": certs.path("ca.pem"), "HTTP_VERSION": ONLY, "TIMEOUT": 30, "IPRESOLVE": 1}


@pytest.mark.parametrize("version", [ONLY, V3], ids=["only", "3"])
def test_times_are_in_order(drive, way, options, version):
    t = drive.get(way, info=TIMES, **{**options, "HTTP_VERSION": version})
    times = [t.info[x] for x in TIMES]
    assert t.code == 0 and times[0] >= 0 and times[1] > 0 and times == sorted(times)


def test_times_of_a_kept_connection(drive, way, options):
    r = drive(way).easy("h", **options).perform().perform().getinfo("h", *TIMES, "NUM_CONNECTS").run()
    info = r.all("h")[1].info
    assert (info["NUM_CONNECTS"], info["CONNECT_TIME_T"], info["APPCONNECT_TIME_T"]) == (0, 0, 0)
    assert 0 < info["PRETRANSFER_TIME_T"] <= info["STARTTRANSFER_TIME_T"] <= info["TOTAL_TIME_T"]


def test_addresses(drive, way, options, peer):
    info = drive.get(way, info=["PRIMARY_IP", "PRIMARY_PORT", "LOCAL_IP", "LOCAL_PORT", "SCHEME", "NUM_CONNECTS", "CONN_ID"], **options).info
    assert (info["PRIMARY_IP"], info["PRIMARY_PORT"], info["LOCAL_IP"]) == ("127.0.0.1", peer.port("quic"), "127.0.0.1")
    assert info["LOCAL_PORT"] > 0 and info["NUM_CONNECTS"] == 1 and info["CONN_ID"] >= 0


def test_certinfo(drive, way, options):
    t = drive.get(way, CERTINFO=1, info=("CERTINFO",), **options)
    text = "\n".join(t.info["CERTINFO"]).replace("CN=", "CN = ")
    assert (t.code, t.info["CERTINFO"][0]) == (0, "1")
    for wanted in ("0:Subject:CN = good", "0:Issuer:CN = Mote test CA", "0:Serial Number:", "0:Start date:", "0:Expire date:",
                   "0:Cert:-----BEGIN CERTIFICATE-----"):
        assert wanted in text


def test_certinfo_of_a_new_connection(drive, way, options):
    """It sees the certificates, so that it resumes no session."""
    r = drive(way).easy("h", CERTINFO=1, FRESH_CONNECT=1, **options).perform().perform().getinfo("h", "CERTINFO").run()
    assert r.all("h")[1].code == 0 and r.all("h")[1].info["CERTINFO"][0] == by_library("1", None, "0")


def test_certinfo_that_is_not_asked_for(drive, way, options):
    assert drive.get(way, info=("CERTINFO",), **options).info["CERTINFO"] == ["0"]


def test_verify_result(drive, way, options):
    d = drive(way).easy("h", **options).perform().getinfo("h", "SSL_VERIFYRESULT")
    d.setopt("h", CAINFO=None).perform().getinfo("h", "SSL_VERIFYRESULT")
    d.setopt("h", SSL_VERIFYPEER=0).perform().getinfo("h", "SSL_VERIFYRESULT")
    good, refused, unchecked = d.run().all("h")
    assert (good.code, good.info["SSL_VERIFYRESULT"]) == (0, 0)
    assert (refused.code, refused.info["SSL_VERIFYRESULT"]) == (60, 20)
    assert (unchecked.code, unchecked.info["SSL_VERIFYRESULT"]) == (0, 20)


@pytest.mark.parametrize("name", ["TLS_SSL_PTR", "TLS_SESSION"])
def test_tls_pointer_while_the_response_comes(drive, way, options, name):
    r = drive(way).easy("h", **options).on("h", "write", "call", 1, "getinfo", name).perform().run()
    assert r["h"].code == 0 and r.infos["h"][name] == [OPENSSL, "1"]


def pin_of(path):
    der = subprocess.run(["openssl", "x509", "-in", path, "-noout", "-pubkey"], capture_output=True, check=True).stdout
    der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "der"], input=der, capture_output=True, check=True).stdout
    return "sha256//" + base64.b64encode(hashlib.sha256(der).digest()).decode()


@pytest.mark.parametrize("verify", [1, 0])
def test_pin(drive, way, options, certs, verify):
    good, other = pin_of(certs.path("good.pem")), pin_of(certs.path("otherca.pem"))
    for pin, code in ((good, 0), (other, 90), (other + ";" + good, 0)):
        t = drive.get(way, SSL_VERIFYPEER=verify, PINNEDPUBLICKEY=pin, **options)
        assert (t.code, bool(t.error)) == (code, code != 0)


def test_pin_of_a_file_is_checked_each_time(drive, way, options, certs, tmp_path):
    pem = subprocess.run(["openssl", "x509", "-in", certs.path("good.pem"), "-noout", "-pubkey"], capture_output=True, check=True).stdout
    (tmp_path / "pin.pem").write_bytes(pem)
    r = drive(way).easy("h", PINNEDPUBLICKEY=str(tmp_path / "pin.pem"), FRESH_CONNECT=1, **options).perform().perform().run()
    assert [t.code for t in r.all("h")] == [0, 0]


def test_key_log(drive, options, tmp_path):
    path = tmp_path / "keys"
    d = drive(env={"SSLKEYLOGFILE": str(path)}).easy("h", FRESH_CONNECT=1, **options).perform().perform()
    assert [t.code for t in d.run().all("h")] == [0, 0]
    names = [line.split()[0] for line in path.read_text().splitlines() if line[:1] not in ("", "#")]
    for name in ("CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET", "CLIENT_TRAFFIC_SECRET_0", "SERVER_TRAFFIC_SECRET_0"):
        assert names.count(name) == 2


def test_context_function(drive, way, options):
    t = drive.get(way, enable=["sslctx"], **options)
    assert (t.code, t.calls["sslctx"]) == (0, 1)
    t = drive.get(way, enable=["sslctx"], on=[("sslctx", "call", 1, "return", 83)], **options)
    assert t.code == 83
