"""The examples of device/examples in the emulator, against nginx, a server that restarts, and a link that dies."""
import contextlib
import hashlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "tools")]
import device  # noqa: E402
import images  # noqa: E402

CONF = """daemon off; master_process off; pid {root}/pid; error_log {root}/error.log;
events {{}}
http {{
  access_log off; client_body_temp_path {root}/b; proxy_temp_path {root}/p; fastcgi_temp_path {root}/f;
  uwsgi_temp_path {root}/u; scgi_temp_path {root}/s;
  log_format line escape=none '$connection $ssl_session_reused $request_method $status $request_body';
  server {{ listen 127.0.0.1:{inner}; location / {{ return 204; }} }}
  server {{
    listen 127.0.0.1:{port} ssl; ssl_certificate {certs}/device.pem; ssl_certificate_key {certs}/device.key;
    ssl_protocols TLSv1.2; {more} ssl_session_cache shared:sessions:1m; ssl_session_tickets off; keepalive_timeout 60s;
    access_log {root}/requests.log line; root {root}/www;
    location /post {{ proxy_pass http://127.0.0.1:{inner}/; }}
  }}
}}
"""


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for s in sockets:
            s.bind(("127.0.0.1", 0))
        return [s.getsockname()[1] for s in sockets]


class Nginx:
    """nginx over TLS 1.2 with the device's certificate; /post takes what is posted, the rest are files of www."""

    def __init__(self, certs=None, more=""):
        self.root = tempfile.mkdtemp(prefix="mote-nginx-")
        self.www = os.path.join(self.root, "www")
        os.mkdir(self.www)
        os.chmod(self.root, 0o755)
        self.port, inner = free_ports(2)
        with open(self.root + "/conf", "w", encoding="utf-8") as f:
            f.write(CONF.format(root=self.root, certs=certs or images.certificates(), port=self.port, inner=inner,
                                more=more))

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.root)

    def start(self):
        self.process = subprocess.Popen(["nginx", "-e", self.root + "/error.log", "-p", self.root, "-c",
                                         self.root + "/conf"])
        until = time.monotonic() + 20
        while time.monotonic() < until:
            with socket.socket() as s:
                if not s.connect_ex(("127.0.0.1", self.port)):
                    return
            time.sleep(0.1)
        sys.exit("device.py: nginx does not start")

    def stop(self):
        self.process.kill()
        self.process.wait()

    def url(self, path):
        return f"https://10.0.2.2:{self.port}/{path}"

    def put(self, name, data):
        with open(os.path.join(self.www, name), "wb") as f:
            f.write(data)

    def requests(self):
        """[connection, "r" or ".", method, status, body] of each request."""
        with open(self.root + "/requests.log", encoding="utf-8") as f:
            return [line.rstrip("\n").split(" ", 4) for line in f]


class Board:
    """An image that runs, its output so far, and its monitor."""

    def __init__(self, name, arguments):
        self.folder = tempfile.mkdtemp(prefix="mote-board-")
        words = device.command(name, arguments)
        at = words.index("-monitor")
        words[at + 1] = f"unix:{self.folder}/monitor,server,nowait"
        words = ["user,model=lan9118,id=net0" if w == "user,model=lan9118" else w for w in words]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.text = ""
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.text += line

    def wait_for(self, pattern, seconds=60):
        until = time.monotonic() + seconds
        while time.monotonic() < until and not re.search(pattern, self.text):
            time.sleep(0.05)

    def monitor(self, command):
        """A command of QEMU's monitor."""
        with socket.socket(socket.AF_UNIX) as s:
            s.settimeout(10)
            s.connect(self.folder + "/monitor")
            text = b""
            while text.count(b"(qemu) ") < 2: # its greeting, and the end of the command
                if text.endswith(b"(qemu) "):
                    s.sendall(command.encode() + b"\n")
                text += s.recv(4096)

    def end(self, seconds=180):
        """(exit status, output); 124: it did not end in time."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            status = 124
        self.reader.join(5)
        shutil.rmtree(self.folder, ignore_errors=True)
        return status, self.text


def roots():
    """roots.c by tools/roots."""
    folder = images.certificates()
    path = os.path.join(folder, "roots_use.c")
    text = device.run([os.path.join(device.ROOT, "tools", "roots"), folder + "/ca.pem"])
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def example(name, profile, more=(), less=(), port="lwip", defines=()):
    label = f"example-{name}-{images.FLAVOUR[port]}"
    library = device.profile(label, profile, [*more], [*less], port)
    sources, folders = images.bearssl()
    return device.Image(label, [f"device/examples/{name}.c", roots()], library, {"bearssl": sources},
                        ["device/examples"], defines, "normal", 8192, port, folders)


EXAMPLES = {"get": ("tiny", [], ["libc_malloc"]), "telemetry": ("tiny", ["uploads"], ["libc_malloc"]),
            "update": ("mcu", ["ranges"], []), "sleep": ("mcu", ["sessions"], [])}


def built(name, port="lwip"):
    image = example(name, *EXAMPLES[name], port)
    device.build(image)
    return image.name


def verdict(name, text, status, wrong):
    return name, text + "".join(f"peer: {w}\n" for w in wrong), status == 0 and not wrong


def check_get():
    name = built("get")
    with Nginx() as web:
        web.put("page", b"a page of nginx\n" * 100)
        status, text = Board(name, [web.url("page")]).end()
    return verdict(name, text, status, [] if "status 200, bytes 1600" in text else ["another page"])


def check_telemetry():
    """The server restarts after the third measurement; the link dies after the seventh, for longer than the timeout."""
    name = built("telemetry")
    with Nginx() as web:
        board = Board(name, [web.url("post"), "10"])
        board.wait_for(r"(0 posted\n){3}")
        web.stop()
        time.sleep(3)
        web.start()
        board.wait_for(r"(?s)(0 posted\n.*){7}")
        board.monitor("set_link net0 off")
        time.sleep(7)
        board.monitor("set_link net0 on")
        status, text = board.end()
        requests = web.requests()
    numbers = [int(re.search(r'"number":(\d+)', row[4]).group(1)) for row in requests]
    wrong = [] if sorted(set(numbers)) == list(range(10)) else [f"posted were {numbers}"]
    if len(numbers) > 13 or len({row[0] for row in requests}) > 4:
        wrong.append(f"{len(numbers)} posts on {len({row[0] for row in requests})} connections")
    if "again" not in text:
        wrong.append("nothing had to be posted again: the faults did not happen")
    return verdict(name, text, status, wrong)


def check_update():
    """A reset after three ranges and a half; then what is there stays."""
    name = built("update")
    image = bytes((i * 7 + (i >> 8)) & 0xff for i in range(100000))
    with Nginx() as web:
        web.put("image", image)
        web.put("image.sha256", hashlib.sha256(image).hexdigest().encode())
        status, text = Board(name, [web.url("image"), "reset"]).end()
        ranges = [row[3] for row in web.requests()].count("206")
        web.put("image.sha256", hashlib.sha256(b"another one").hexdigest().encode())
        other, _ = Board(name, [web.url("image")]).end()
    boots = re.findall(r"boot (\d), (\d+) bytes", text)
    wrong = [] if [b for b, _ in boots] == ["1", "2"] and 49152 < int(boots[1][1]) < 70000 else [f"boots: {boots}"]
    if not 7 <= ranges <= 8:
        wrong.append(f"{ranges} ranges")
    if other != 1:
        wrong.append("an image with another digest is good")
    return verdict(name, text, status, wrong)


def check_sleep():
    name = built("sleep")
    with Nginx() as web:
        web.put("page", b"a page")
        status, text = Board(name, [web.url("page")]).end()
        reused = [row[1] for row in web.requests()]
    return verdict(name, text, status, [] if reused == [".", "r"] else [f"sessions: {reused}"])


def check_faults():
    """device/faults: each fault, and a page after it."""
    library = device.profile("faults-baremetal", "tiny", [], ["libc_malloc"])
    sources, folders = images.bearssl()
    image = device.Image("faults-baremetal", ["device/faults", roots()], library, {"bearssl": sources},
                         ["device/examples"], (), "normal", 16384, "lwip", folders)
    device.build(image)
    with Nginx() as web:
        web.put("page", b"a page of nginx\n" * 100)
        status, text = Board(image.name, [web.url("page"), f"https://nowhere.test:{web.port}/"]).end(600)
    return verdict(image.name, text, status, [])


CHECKS = {"faults": [check_faults], "examples": [check_get, check_telemetry, check_update, check_sleep]}
