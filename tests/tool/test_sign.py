"""--aws-sigv4 and --httpsig-*: what is signed is tested with the library (tests/e2e), here that the command asks for it."""
import hashlib
import hmac
import re

import pytest

KEY = "9f8362f87a484a954e6e740c5b4c0e84229139a20aa8ab56ff66586f6a7d29c5"
SIGNED = 'Signature-Input: sig1=("@method" "@authority" "@path");created='


def test_aws(tool):
    r = tool.mote("-s", "--aws-sigv4", "aws:amz:r:es", "-u", "AK:SK", "{U}/a")
    assert r.rc == 0 and "\r\nAuthorization: AWS4-HMAC-SHA256 Credential=AK/" in r.heads[0] and "/r/es/aws4_request, " in r.heads[0]


def signature(head, body):
    """Of a POST to /echo, as the documentation of AWS Signature Version 4 makes it."""
    lines = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
    names = re.search("SignedHeaders=([^,]*),", head)[1]
    day, stamp = lines["x-amz-date"].upper()[:8], lines["x-amz-date"].upper()
    signed = "".join(f"{n}:{stamp if n == 'x-amz-date' else lines[n]}\n" for n in names.split(";"))
    request = f"POST\n/echo\n\n{signed}\n{names}\n{hashlib.sha256(body).hexdigest()}"
    key = b"AWS4SK"
    for part in day, "r", "es", "aws4_request":
        key = hmac.digest(key, part.encode(), "sha256")
    text = f"AWS4-HMAC-SHA256\n{stamp}\n{day}/r/es/aws4_request\n{hashlib.sha256(request.encode()).hexdigest()}"
    return hmac.digest(key, text.encode(), "sha256").hex()


@pytest.mark.parametrize("size", [20, 100000])
def test_aws_signs_a_body_from_a_file(tool, size):
    """The signature was that of an empty body."""
    body = b"x" * size
    r = tool.mote("-s", "--aws-sigv4", "aws:amz:r:es", "-u", "AK:SK", "-H", "Content-Type:", "--data-binary", "@f", "{U}/echo", files={"f": body})
    head, sent = r.requests[0]
    assert r.rc == 0 and sent == body and f"Signature={signature(head.decode(), body)}\r\n" in head.decode() + "\r\n"


@pytest.mark.parametrize("key,files", [(KEY, {}), ("@key", {"key": KEY.encode() + b"\n"})])
@pytest.mark.parametrize("algorithm,sent", [([], "ed25519"), (["--httpsig-algo", "ed25519"], "ed25519"),
                                            (["--httpsig-algo", "hmac-sha256"], "hmac-sha256")])
def test_message_signature(tool, key, files, algorithm, sent):
    r = tool.mote("-s", *algorithm, "--httpsig-key", key, "--httpsig-keyid", "me", "{U}/a", files=files)
    assert r.rc == 0 and SIGNED in r.heads[0] and f';keyid="me";alg="{sent}"\r\nSignature: sig1=:' in r.heads[0]


def test_components(tool):
    r = tool.mote("-s", "--httpsig-key", KEY, "--httpsig-keyid", "me", "--httpsig-headers", "path x-a:", "-H", "X-A: 1", "{U}/a")
    assert r.rc == 0 and 'Signature-Input: sig1=("@path" "x-a");created=' in r.heads[0]


@pytest.mark.parametrize("args,code", [
    (["--httpsig-key", KEY], 2), (["--httpsig-keyid", "me"], 2), (["--httpsig-algo", "ed25519"], 2), (["--httpsig-headers", "path"], 2),
    (["--httpsig-algo", "rsa", "--httpsig-key", KEY, "--httpsig-keyid", "me"], 2), (["--httpsig-key", "@none", "--httpsig-keyid", "me"], 26),
    (["--httpsig-key", "xy", "--httpsig-keyid", "me"], 43), (["--httpsig-key", KEY, "--httpsig-keyid", "me", "--httpsig-headers", "@path"], 43),
], ids=lambda v: str(v)[:40])
def test_errors(tool, args, code):
    r = tool.mote("-sS", *args, "{U}/a")
    assert r.rc == code and r.err and not r.requests
