"""Profile tiny without the part libc_malloc: no object refers to malloc; pages come, TLS included, in one block."""
import concurrent.futures
import hashlib
import http.server
import os
import re
import ssl
import subprocess
import sys
import threading

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))
import certs  # noqa: E402

BODY = b"0123456789" * 5000
HAS_BEARSSL = os.path.exists("/usr/include/bearssl.h")


def compiled(source, flags, out):
    made = os.path.join(out, source.replace("/", "_") + ".o")
    flags = ["-std=gnu11", "-Os", "-ffunction-sections", *flags]
    subprocess.run(["cc", *flags, "-c", "-o", made, source], cwd=ROOT, check=True)
    return made


def linked(app, objects, program):
    libraries = ["-lbearssl"] if HAS_BEARSSL else []
    subprocess.run(["cc", "-Wl,--gc-sections", "-o", program, app, *objects, *libraries], check=True)
    return program


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """(objects, the program)"""
    out = str(tmp_path_factory.mktemp("static"))
    without = "libc_malloc" + ("" if HAS_BEARSSL else ";https")
    chosen = ["-DPROFILE=tiny", f"-DWITHOUT={without}", f"-DOUT={out}"]
    subprocess.run(["cmake", *chosen, "-P", "cmake/generate.cmake"], cwd=ROOT, check=True, capture_output=True)
    words = open(os.path.join(out, "sources.txt"), encoding="utf-8").read().split()
    flags, sources = [w for w in words if w[0] == "-"], [w for w in words if w[0] != "-"]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(lambda s: compiled(s, flags, out), sources))
    app = compiled("tests/tools/static_get.c", flags, out)
    return objects, linked(app, objects, os.path.join(out, "static_get"))


class Page(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    requests = 0

    def do_GET(self):
        Page.requests += 1
        if self.path == "/there":
            self.send_response(302)
            self.send_header("Location", "/page")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if self.path == "/cut":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"half of it")
            os.close(self.connection.detach())  # no close_notify
            self.close_connection = True
            return
        body = BODY if self.path == "/page" else BODY[:20]
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module", params=["http", "https"])
def site(request, tmp_path_factory):
    """(where, arguments)"""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    more = []
    if request.param == "https":
        if not HAS_BEARSSL:
            pytest.skip("no BearSSL")
        made = certs.Certs(tmp_path_factory.mktemp("certs"))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(made.path("good.pem"), made.path("good.key"))
        server.socket = context.wrap_socket(server.socket, server_side=True)
        more = [made.path("ca.pem")]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"{request.param}://127.0.0.1:{server.server_port}", more
    server.shutdown()


def get(program, url, size, more):
    p = subprocess.run([program, url, str(size), *more], capture_output=True, text=True, timeout=240, check=False)
    assert p.returncode == 0, p
    m = re.fullmatch(r"code (\d+) bytes (\d+) peak (\d+) used (\d+) missing (\d+)\n", p.stdout)
    return [int(n) for n in m.groups()]


def test_no_object_knows_malloc(built):
    found = subprocess.run(["nm", "-u", *built[0]], capture_output=True, text=True, check=True).stdout
    assert "recv" in found
    assert not re.findall(r"\b(?:malloc|calloc|realloc|free|strdup|reallocarray|aligned_alloc)\b", found)


def test_a_page_without_malloc(built, site):
    where, more = site
    code, count, peak, used, missing = get(built[1], where + "/there", 100000, more)
    assert (code, count, missing) == (0, len(BODY), 0)
    assert peak < (28000 if more else 3000)
    assert used == 0 or more  # the index of trusted roots goes with curl_global_cleanup()


def test_too_small_is_found_before_a_request(built, site):
    """Not so when a record of the answer is larger than the buffer for records is, which is not known before."""
    where, more = site
    size, sent = 64, Page.requests
    for _ in range(60):
        code, count, _, _, missing = get(built[1], where + "/short", size, more)
        if not code:
            break
        assert code == 27 and not count and missing > 0
        assert Page.requests == sent
        size += missing
    assert (code, count) == (0, 20)


def peak_with(program, where, bundle, *more):
    """The least of a few times: how records come in pieces changes what is held."""
    found = [get(program, where + "/short", 100000, [bundle, *more]) for _ in range(4)]
    assert {(code, missing) for code, _, _, _, missing in found} == {(0, 0)}
    return min(peak for _, _, peak, _, _ in found)


def test_a_bundle_is_copied_once_or_not_at_all(built, site, tmp_path):
    """PEM or DER, in the place where it is; its length takes no memory unless it is to be copied."""
    where, more = site
    if not more:
        pytest.skip("no bundle")
    with open(more[0], encoding="utf-8") as f:
        pem = f.read()
    der, long = tmp_path / "ca.der", tmp_path / "long.pem"
    der.write_bytes(ssl.PEM_cert_to_DER_cert(pem[pem.index("-----BEGIN CERTIFICATE"):]))
    long.write_text("0 words\n" * 1000 + pem, encoding="utf-8")
    peak = peak_with(built[1], where, more[0])
    assert peak_with(built[1], where, str(long)) == peak
    assert peak_with(built[1], where, str(der)) <= peak
    copied = peak_with(built[1], where, str(long), "copy") - peak
    assert long.stat().st_size <= copied < long.stat().st_size + 32
    assert peak_with(built[1], where, str(der), "copy") <= peak + der.stat().st_size + 32


@pytest.mark.parametrize("name, asked", [
    ("there.example", True), ("there.onion", False), ("a.b.Onion.", False), ("onion", False), ("union", True),
    ("there.onion.example", True), ("theonion", True)])
def test_onion_names_are_not_looked_up(built, name, asked):
    p = subprocess.run([built[1], f"http://{name}/", "100000"], capture_output=True, text=True, timeout=240, check=True)
    assert p.stdout.startswith("code 6 ")
    assert p.stderr == (name if asked else "")


def test_a_cut_body_is_partial(built, site):
    """Over TLS it is one that ends without close_notify (56): the bytes that are missing may be an attacker's work."""
    where, more = site
    assert get(built[1], where + "/cut", 100000, more)[0] == (56 if more else 18)


def fnv(data, h=0x811c9dc5):
    for byte in data:
        h = (h ^ byte) * 0x01000193 & 0xffffffff
    return h


def same_sum(a, b):
    """Both with a line more, so that a sum of 32 bits (base/containers/hash.h) takes one for the other."""
    longest = max(len(a), len(b))
    a, b = (text + b"\n" * (longest - len(text)) for text in (a, b))
    ends = [hashlib.sha256(b"%d" % i).hexdigest()[:10].encode() + b"\n" for i in range(1 << 18)]
    of_a, of_b = ({fnv(end, sum_before): end for end in ends} for sum_before in (fnv(a), fnv(b)))
    alike = min(of_a.keys() & of_b.keys())
    return a + of_a[alike], b + of_b[alike]


@pytest.mark.skipif(not HAS_BEARSSL, reason="no BearSSL")
@pytest.mark.parametrize("alike", [False, True])
def test_a_connection_is_kept_for_those_who_trust_the_same(built, tmp_path, alike):
    """The same bundle again: the same connection. Another one, even where the first one lay: it is refused."""
    made = certs.Certs(tmp_path)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    accepted = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.path("good.pem"), made.path("good.key"))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    take = server.get_request
    server.get_request = lambda: (accepted.append(1), take())[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    app = compiled("tests/tools/static_trust.c", ["-Iinclude"], str(tmp_path))
    program = linked(app, built[0], str(tmp_path / "static_trust"))
    bundles = [made.path("ca.pem"), made.path("ca2.pem")]
    if alike:
        texts = same_sum(*(open(path, "rb").read() for path in bundles))
        bundles = [str(tmp_path / "alike.pem"), str(tmp_path / "alike2.pem")]
        for path, text in zip(bundles, texts):
            with open(path, "wb") as f:
                f.write(text)
    cmd = [program, f"https://127.0.0.1:{server.server_port}/page", *bundles]
    p = subprocess.run(cmd, capture_output=True, text=True, timeout=240, check=False)
    server.shutdown()
    assert p.stdout.split() == ["0", "0", "60"], p
    assert len(accepted) == 2
