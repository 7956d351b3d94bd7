"""Debian's /usr/bin/curl on our library, and our own command, against Debian's curl on its own library.

Every case runs with the reference first: its exit code and output must be what the case says; then with the
subject, which must give the same exit code, the same bytes and the same requests. On the system's library
(MOTE_E2E_SYSTEM=1) only the reference runs.
"""

import os
import re
import subprocess

import pytest

from commands import OURS, curl_version, run_tool
from mote_driver import SYSTEM, not_sanitized, pattern
from server import Serve, UntilClose, chunked, response

SUBJECTS = ["reference"] if SYSTEM else OURS
pytestmark = not_sanitized("the system's curl has none")


@pytest.fixture(params=SUBJECTS)
def subject(request):
    return request.param


# requests are compared without what may differ: ports, the name of the program, and Expect (which libcurl
# has sent by other rules since 8.x)
def shown(request, port):
    lines = request.head.decode("latin-1").split("\r\n")
    keep = [re.sub(r"curl/\S+|mote/\S+", "TOOL", line) for line in lines if not line.lower().startswith("expect:")]
    return [line.replace(str(port), "PORT") for line in keep] + [request.body]


def serve(q, p):
    target = q.target.split("?")[0]
    n = re.match(r"/size/(\d+)$", target)
    if n:
        data = pattern(int(n.group(1)))
        wanted = q.header("Range")
        m = re.match(r"bytes=(\d*)-(\d*)$", wanted or "")
        if m and q.method == "GET":
            first = int(m.group(1)) if m.group(1) else len(data) - int(m.group(2))
            last = min(int(m.group(2) or len(data)) if m.group(1) else len(data), len(data) - 1)
            if first >= len(data):
                return response(416, b"no such range", [f"Content-Range: bytes */{len(data)}"])
            return response(206, data[first:last + 1], [f"Content-Range: bytes {first}-{last}/{len(data)}"])
        if q.method == "HEAD":
            return f"HTTP/1.1 200 OK\r\nContent-Length: {len(data)}\r\nX-A: b\r\n\r\n".encode()
        return response(200, data, ["Content-Type: text/plain", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"])
    n = re.match(r"/status/(\d+)$", target)
    if n:
        return response(int(n.group(1)), b"status body\n")
    n = re.match(r"/redirect/(\d+)/(\d+)$", target)
    if n:
        hops = int(n.group(2))
        where = "/size/10" if hops == 1 else f"/redirect/{n.group(1)}/{hops - 1}"
        return response(int(n.group(1)), b"moved\n", [f"Location: {where}"])
    if target == "/echo":
        return response(200, q.method.encode() + b"\n" + q.body)
    if target == "/headers":
        return response(200, "\n".join(f"{k}: {v}" for k, v in sorted(q.headers) if k not in ("Host", "User-Agent"))
                        .encode())
    if target == "/chunked":
        return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(pattern(5000), 99, trailers=["X-T: u"])
    if target == "/close":
        p.send(b"HTTP/1.1 200 OK\r\n\r\nuntil close")
        return None
    if target == "/short":
        p.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
        return None
    if target == "/empty":
        return None
    if target == "/gzip":
        import gzip
        return response(200, gzip.compress(b"packed text\n" * 100, mtime=0), ["Content-Encoding: gzip"])
    if target == "/badgzip":
        return response(200, b"this is not gzip", ["Content-Encoding: gzip"])
    if target == "/oldhttp":
        p.send(b"no header at all")
        return None
    if target == "/badlength":
        p.send(b"HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\nxx")
        return None
    if target == "/stall":
        p.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nstalled")
        UntilClose().run(p)
        return None
    if target == "/retryafter":
        return response(503, b"busy\n", ["Retry-After: 0"])
    return response(200, b"hello\n")


SAVED = b"0123456789"

# name: (arguments, exit code, standard output or None, files that are made: name -> bytes)
CASES = {
    "get": (["{u}/"], 0, b"hello\n", {}),
    "two urls": (["{u}/size/5", "{u}/size/6"], 0, pattern(5) + pattern(6), {}),
    "output file": (["-o", "out", "{u}/size/100000"], 0, b"", {"out": pattern(100000)}),
    "remote name": (["-O", "{u}/size/77"], 0, b"", {"77": pattern(77)}),
    "remote name query": (["-O", "{u}/size/77?x=y"], 0, b"", {"77": pattern(77)}),
    "output dir": (["--create-dirs", "--output-dir", "new/dir", "-o", "f", "{u}/size/3"], 0, b"", {"new/dir/f": pattern(3)}),
    "include headers": (["-i", "{u}/"], 0, b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello\n", {}),
    "head": (["-I", "{u}/size/500"], 0, b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\nX-A: b\r\n\r\n", {}),
    "dump headers": (["-D", "h", "{u}/"], 0, b"hello\n", {"h": b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"}),
    "write out": (["-w", "%{{http_code}} %{{size_download}} %{{num_connects}} %{{content_type}} %{{num_redirects}} %{{method}}",
                   "-o", "x", "{u}/size/5"], 0, b"200 5 1 text/plain 0 GET", None),
    "write out headers": (["-w", "%header{{content-type}}", "-o", "x", "{u}/size/5"], 0, b"text/plain", None),
    "post": (["-d", "a=b", "-d", "c=d", "{u}/echo"], 0, b"POST\na=b&c=d", {}),
    "post file": (["--data-binary", "@in", "{u}/echo"], 0, b"POST\n" + SAVED, {}),
    "post stdin": (["--data-binary", "@-", "{u}/echo"], 0, b"POST\nstdin text", {}),
    "post urlencode": (["--data-urlencode", "a=x y&z", "{u}/echo"], 0, b"POST\na=x+y%26z", {}),
    "json": (["--json", '{{"a":1}}', "{u}/echo"], 0, b'POST\n{"a":1}', {}),
    "get with data": (["-G", "-d", "a=b", "{u}/headers"], 0, None, {}),
    "put": (["-T", "in", "{u}/echo"], 0, b"PUT\n" + SAVED, {}),
    "put to folder": (["-T", "in", "{u}/"], 0, b"hello\n", {}),
    "put stdin chunked": (["-T", "-", "{u}/echo"], 0, b"PUT\nstdin text", {}),
    "put large": (["-T", "big", "-o", "got", "{u}/echo"], 0, b"", {"got": b"PUT\n" + pattern(2_000_000)}),
    "request": (["-X", "DELETE", "{u}/echo"], 0, b"DELETE\n", {}),
    "own headers": (["-H", "X-A: b", "-H", "Accept:", "-H", "X-E;", "-A", "agent", "-e", "http://ref/", "{u}/headers"], 0, None, {}),
    "user": (["-u", "name:pass word", "{u}/headers"], 0, None, {}),
    "url user": (["http://us%40er:pw@127.0.0.1:{p}/headers"], 0, None, {}),
    "bearer": (["--oauth2-bearer", "tok", "{u}/headers"], 0, None, {}),
    "cookie": (["-b", "a=b; c=d", "{u}/headers"], 0, None, {}),
    "compressed": (["--compressed", "{u}/gzip"], 0, b"packed text\n" * 100, {}),
    "bad gzip": (["--compressed", "{u}/badgzip"], 61, None, {}),
    "chunked": (["{u}/chunked"], 0, pattern(5000), {}),
    "chunked raw": (["--raw", "{u}/chunked"], 0, chunked(pattern(5000), 99, trailers=["X-T: u"]), {}),
    "until close": (["{u}/close"], 0, b"until close", {}),
    "follow 301": (["-L", "{u}/redirect/301/3"], 0, pattern(10), {}),
    "follow post 302": (["-L", "-d", "x=y", "{u}/redirect/302/2"], 0, pattern(10), {}),
    "follow post 307": (["-L", "-d", "x=y", "-w", "%{{num_redirects}} %{{url_effective}}", "-o", "x", "{u}/redirect/307/2"], 0,
                        None, None),
    "follow put 308": (["-L", "-T", "in", "{u}/redirect/308/1"], 0, pattern(10), {}),
    "not followed": (["-w", "%{{redirect_url}}", "{u}/redirect/302/1"], 0, None, {}),
    "too many redirects": (["-L", "--max-redirs", "2", "{u}/redirect/302/5"], 47, b"", {}),
    "range": (["-r", "5-9", "{u}/size/100"], 0, pattern(100)[5:10], {}),
    "range suffix": (["-r", "-3", "{u}/size/100"], 0, pattern(100)[-3:], {}),
    "resume": (["-C", "-", "-o", "part", "{u}/size/100"], 0, b"", {"part": pattern(100)}),
    "resume at": (["-C", "90", "{u}/size/100"], 0, pattern(100)[90:], {}),
    "resume complete": (["-C", "-", "-o", "whole", "{u}/size/100"], 0, b"", {"whole": pattern(100)}),
    "resume refused": (["-C", "5", "{u}/"], 33, b"", {}),
    "time condition": (["-z", "Sun, 06 Nov 1995 08:49:37 GMT", "{u}/size/5"], 0, b"", {}),
    "max filesize": (["--max-filesize", "50", "{u}/size/100"], 63, b"", {}),
    "fail": (["-f", "{u}/status/404"], 22, b"", {}),
    "fail with body": (["--fail-with-body", "{u}/status/500"], 22, b"status body\n", {}),
    "no fail": (["{u}/status/404"], 0, b"status body\n", {}),
    "fail early": (["--fail-early", "-f", "{u}/status/404", "{u}/"], 22, b"", {}),
    "last exit code": (["-f", "{u}/status/404", "{u}/"], 0, b"hello\n", {}),
    "short body": (["{u}/short"], 18, b"short", {}),
    "empty reply": (["{u}/empty"], 52, b"", {}),
    "HTTP/0.9 refused": (["{u}/oldhttp"], 1, b"", {}),
    "HTTP/0.9": (["--http0.9", "{u}/oldhttp"], 0, b"no header at all", {}),
    "bad length": (["{u}/badlength"], 8, b"", {}),
    "timeout": (["-m", "1", "{u}/stall"], 28, b"stalled", {}),
    "speed limit": (["--limit-rate", "400k", "-o", "x", "{u}/size/200000"], 0, b"", {"x": pattern(200000)}),
    "refused": (["http://127.0.0.1:{closed}/"], 7, b"", {}),
    "no such name": (["http://no-such-name.invalid/"], 6, b"", {}),
    "bad url": (["http://[bad/"], 3, b"", {}),
    "unknown scheme": (["nonsense://x/"], 1, b"", {}),
    "resolve": (["--resolve", "name.test:{p}:127.0.0.1", "http://name.test:{p}/"], 0, b"hello\n", {}),
    "connect to": (["--connect-to", "::127.0.0.1:{p}", "http://name.test/"], 0, b"hello\n", {}),
    "globs": (["{u}/size/[1-3]", "{u}/size/{{4,5}}"], 0, b"".join(map(pattern, range(1, 6))), {}),
    "glob names": (["-o", "f#1", "{u}/size/[1-3]"], 0, b"", {"f1": pattern(1), "f2": pattern(2), "f3": pattern(3)}),
    "next": (["{u}/size/1", "--next", "-d", "x", "{u}/echo"], 0, pattern(1) + b"POST\nx", {}),
    "config": (["-K", "conf"], 0, b"hello\n", {}),
    "HTTP/1.0": (["-0", "{u}/size/4"], 0, pattern(4), {}),
    "path as is": (["--path-as-is", "{u}/a/../b"], 0, b"hello\n", {}),
    "request target": (["--request-target", "*", "-X", "OPTIONS", "{u}/"], 0, b"hello\n", {}),
    "retry": (["--retry", "1", "--retry-delay", "0", "-o", "x", "-w", "%{{http_code}}", "{u}/retryafter"], 0, b"503", None),
    "file": (["file://{d}/in"], 0, SAVED, {}),
    "file missing": (["file://{d}/nothere"], 37, b"", {}),
    "write error": (["-o", "no/such/dir/x", "{u}/"], 23, b"", {}),
    "upload missing": (["-T", "nothere", "{u}/"], 26, b"", {}),
    "interface bad": (["--interface", "192.0.2.77", "{u}/"], 45, b"", {}),
    "trailing headers": (["-i", "{u}/chunked"], 0, None, {}),
    "keepalive": (["-w", "%{{num_connects}}\n", "-o", "/dev/null", "{u}/", "-o", "/dev/null", "{u}/"], 0, b"1\n0\n", {}),
    "remote time": (["-R", "-o", "x", "{u}/size/5"], 0, b"", {"x": pattern(5)}),
}


def prepare(folder):
    (folder / "in").write_bytes(SAVED)
    (folder / "big").write_bytes(pattern(2_000_000))
    (folder / "part").write_bytes(pattern(100)[:40])
    (folder / "whole").write_bytes(pattern(100))


def one(who, case, make_server, closed_port, folder):
    args, code, out, files = case
    server = make_server()
    server.default(Serve(serve))
    folder.mkdir()
    prepare(folder)
    (folder / "conf").write_text(f'url = "{server.url("/")}"\nuser-agent = "from config"\n')
    base = server.url("")
    args = [a.format(u=base, p=server.port, closed=closed_port, d=folder) for a in args]
    run = run_tool(who, args, folder, b"stdin text")
    made = {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*"))
            if p.is_file() and p.name not in ("in", "big", "conf")}
    server.settle()
    text = re.sub(rb"127\.0\.0\.1:\d+", b"HOST", run.stdout)
    requests = [shown(q, server.port) for q in server.requests]
    return run, text, made, requests


@pytest.mark.parametrize("name", list(CASES))
def test_case(subject, name, make_server, closed_port, tmp_path):
    case = CASES[name]
    args, code, out, files = case
    run, text, made, requests = one("reference", case, make_server, closed_port, tmp_path / "ref")
    assert run.returncode == code, run.stderr
    if out is not None:
        assert run.stdout == out
    if files:
        for f, data in files.items():
            assert made[f] == data
    if subject == "reference":
        return
    run2, text2, made2, requests2 = one(subject, case, make_server, closed_port, tmp_path / "sub")
    assert run2.returncode == code, run2.stderr
    assert text2 == text
    assert made2 == made
    assert requests2 == requests
    if code:
        assert re.search(rb"^(curl|mote): \(%d\) " % code, run2.stderr, re.M), run2.stderr


# ---------------------------------------------------------------- nginx, TLS, many at once

@pytest.mark.parametrize("tls", [False, True])
@pytest.mark.parametrize("name", ["12.txt", "empty.txt", "1m.bin", "50m.bin"])
def test_download(subject, nginx, certs, tmp_path, tls, name):
    run = run_tool(subject, ["--cacert", certs.path("ca.pem"), "-o", "out", nginx.url("/" + name, tls)], tmp_path)
    assert run.returncode == 0, run.stderr
    data = (tmp_path / "out").read_bytes() if name != "empty.txt" or (tmp_path / "out").exists() else b""
    import zlib
    assert (len(data), zlib.crc32(data)) == nginx.files[name]


@pytest.mark.parametrize("tls", [False, True])
def test_upload(subject, nginx, certs, tmp_path, tls):
    (tmp_path / "f").write_bytes(pattern(3_000_000))
    name = f"{subject}-{tls}-{tmp_path.name}"
    run = run_tool(subject, ["--cacert", certs.path("ca.pem"), "-T", "f", "-w", "%{http_code}",
                             nginx.url("/dav/" + name, tls)], tmp_path)
    assert (run.returncode, run.stdout) == (0, b"201"), run.stderr
    assert nginx.read(f"dav/dav/{name}") == pattern(3_000_000)


def test_resume_of_a_large_file(subject, nginx, tmp_path):
    whole = open(os.path.join(nginx.folder, "www", "1m.bin"), "rb").read()
    (tmp_path / "f").write_bytes(whole[:700_000])
    assert run_tool(subject, ["-C", "-", "-o", "f", nginx.url("/1m.bin")], tmp_path).returncode == 0
    assert (tmp_path / "f").read_bytes() == whole


@pytest.mark.parametrize("tls", [False, True])
def test_parallel(subject, nginx, certs, tmp_path, tls):
    """-Z: many files at once."""
    args = ["--cacert", certs.path("ca.pem"), "-Z", "--parallel-max", "10"]
    for i in range(30):
        args += ["-o", f"f{i}", nginx.url("/1m.bin" if i % 3 == 0 else "/text.txt", tls)]
    run = run_tool(subject, args, tmp_path)
    assert run.returncode == 0, run.stderr
    import zlib
    for i in range(30):
        data = (tmp_path / f"f{i}").read_bytes()
        assert (len(data), zlib.crc32(data)) == nginx.files["1m.bin" if i % 3 == 0 else "text.txt"]


def test_parallel_with_failures(subject, nginx, closed_port, tmp_path):
    args = ["-Z"]
    for i in range(10):
        args += ["-o", f"f{i}", nginx.url("/12.txt") if i != 5 else f"http://127.0.0.1:{closed_port}/"]
    run = run_tool(subject, args, tmp_path)
    # curl 7.88 ends with the code of a transfer that failed, 8.14 with that of the one that ended last
    assert run.returncode == (7 if subject == "mote" or curl_version() < (8,) else 0)
    assert b"(7) " in run.stderr
    assert sum((tmp_path / f"f{i}").exists() for i in range(10)) == 9


@pytest.mark.parametrize("cert,code", [("wrongname", 60), ("expired", 60), ("otherca", 60), ("selfsigned", 60), ("good", 0)])
def test_certificates(subject, make_server, certs, tmp_path, cert, code):
    server = make_server(tls=certs.context(cert), tls_may_fail=True)
    server.default(Serve(serve))
    run = run_tool(subject, ["--cacert", certs.path("ca.pem"), server.url()], tmp_path)
    assert run.returncode == code, run.stderr
    assert run.stdout == (b"" if code else b"hello\n")


@pytest.mark.parametrize("args,code", [(["-k"], 0), (["--cacert", "NOTHERE"], 77), (["--cacert", "CA", "--pinnedpubkey", "PIN"], 0),
                                       (["--cacert", "CA", "--pinnedpubkey", "BADPIN"], 90), (["--capath", "CAPATH"], 0),
                                       (["--cacert", "CA", "--tls-max", "1.2"], 0), (["--cacert", "CA", "--tlsv1.3"], 0),
                                       (["--cacert", "CA", "--crlfile", "CRL"], 0)])
def test_tls_options(subject, make_server, certs, tmp_path, args, code):
    server = make_server(tls=certs.context(), tls_may_fail=True)
    server.default(Serve(serve))
    server.optional = True
    names = {"CA": certs.path("ca.pem"), "NOTHERE": "/nothere.pem", "PIN": certs.pin(), "BADPIN": certs.pin("otherca"),
             "CAPATH": certs.path("capath"), "CRL": certs.path("crl.pem")}
    run = run_tool(subject, [names.get(a, a) for a in args] + [server.url()], tmp_path)
    if subject == "mote" and code == 77:
        code = 2  # as the newest command, which looks for the file before it begins
    assert run.returncode == code, run.stderr


def test_environment_ca(subject, make_server, certs, tmp_path):
    """CURL_CA_BUNDLE and SSL_CERT_FILE."""
    for name in ("CURL_CA_BUNDLE", "SSL_CERT_FILE"):
        server = make_server(tls=certs.context())
        server.default(Serve(serve))
        run = run_tool(subject, [server.url()], tmp_path, env={name: certs.path("ca.pem")})
        assert run.returncode == 0, run.stderr


def test_client_certificate(subject, make_server, certs, tmp_path):
    server = make_server(tls=certs.context(client_ca="ca.pem"))
    server.default(Serve(serve))
    run = run_tool(subject, ["--cacert", certs.path("ca.pem"), "--cert", certs.path("client.pem"), "--key",
                             certs.path("client.key"), server.url()], tmp_path)
    assert run.returncode == 0, run.stderr


def test_unix_socket(subject, make_server, tmp_path):
    server = make_server(unix=str(tmp_path / "s"))
    server.default(Serve(serve))
    assert run_tool(subject, ["--unix-socket", str(tmp_path / "s"), "http://h/"], tmp_path).stdout == b"hello\n"


def test_version(subject, tmp_path):
    run = run_tool(subject, ["-V"], tmp_path)
    assert run.returncode == 0
    first = run.stdout.split(b"\n")[0]
    if subject == "reference":
        assert b"libcurl/7.88.1" in first
    else:
        assert b"libcurl/8.23.0 Mote/" in first and b"OpenSSL/" in first


def test_verbose_has_the_request(subject, make_server, tmp_path):
    server = make_server()
    server.default(Serve(serve))
    run = run_tool(subject, ["-v", server.url("/size/3")], tmp_path)
    assert b"> GET /size/3 HTTP/1.1\r\n" in run.stderr or b"> GET /size/3 HTTP/1.1\n" in run.stderr
    assert b"< HTTP/1.1 200 OK" in run.stderr


def test_proxy_is_not_skipped(subject, make_server, closed_port, tmp_path):
    server = make_server()
    run = run_tool(subject, ["-x", f"http://127.0.0.1:{closed_port}", server.url()], tmp_path)
    assert run.returncode != 0
    assert not server.connections
