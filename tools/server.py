"""A web server on loopback for the demonstration and the measurements: nginx in a folder of its own, on free
ports, with a CA and a certificate made for the run."""
import os
import resource
import shutil
import subprocess
import tempfile
import time

from ports import free_ports

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
# What is measured never waits for the server, also on a busy machine: where it does it reads more often, and less at once
AHEAD = "user root; worker_priority -10;"
CONF = """
worker_processes 1; pid {d}/pid; error_log {d}/error.log; daemon off; {user}
worker_rlimit_nofile {files};
events {{ worker_connections {connections}; }}
http {{
  access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; send_timeout 600;
  keepalive_timeout 3600; keepalive_requests 1000000000;
  client_body_temp_path {d}/tmp; proxy_temp_path {d}/tmp; fastcgi_temp_path {d}/tmp;
  uwsgi_temp_path {d}/tmp; scgi_temp_path {d}/tmp;
  default_type application/octet-stream;
  server {{
    listen 127.0.0.1:{http} backlog=8192; listen 127.0.0.1:{https} ssl backlog=8192;
    server_name localhost; root {d}/files;
    ssl_certificate {d}/server.pem; ssl_certificate_key {d}/server.key; ssl_protocols TLSv1.2 TLSv1.3;
    location = /trickle {{ alias {d}/files/slow; limit_rate 200; }}
    location = /post {{ client_max_body_size 0; proxy_pass http://127.0.0.1:{http}/posted; }}
    location = /posted {{ client_max_body_size 0; return 200 "hello world\\n"; }}
    {locations}
  }}
  server {{ # HTTP/2 with prior knowledge
    listen 127.0.0.1:{h2} http2 backlog=8192; http2_max_concurrent_streams 1100; tcp_nopush off;
    server_name localhost; root {d}/files;
    location = /trickle {{ alias {d}/files/slow; limit_rate 200; }}
  }}
}}
"""


def openssl(d, *args):
    p = subprocess.run(["openssl", *args], cwd=d, capture_output=True, text=True)
    if p.returncode:
        raise RuntimeError(f"openssl {args[0]}: {p.stderr}")


def certificates(d):
    """ca.pem, server.pem and server.key in folder d; the server is localhost and 127.0.0.1."""
    key = ["-newkey", "rsa:2048", "-nodes"]
    openssl(d, "req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=testca",
            "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    openssl(d, "req", *key, "-keyout", "server.key", "-out", "server.csr",
            "-subj", "/CN=localhost")
    with open(os.path.join(d, "ext"), "w", encoding="ascii") as f:
        f.write("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    openssl(d, "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
            "-days", "2", "-extfile", "ext", "-out", "server.pem")


def raise_file_limit():
    """The soft limit on descriptors raised as far as it goes; the limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    hard = 65536 if hard == resource.RLIM_INFINITY else min(hard, 65536)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    return hard


class Server:
    """with Server() as s: s.file(name, size); s.http, s.https are the URLs' beginnings, s.ca the CA file. locations:
    more of them, in nginx's words."""

    def __init__(self, where=None, locations=""):
        self.locations = locations
        self.d = tempfile.mkdtemp(prefix="mote-", dir=where)
        self.process = None
        self.ca = os.path.join(self.d, "ca.pem")
        os.chmod(self.d, 0o755)
        os.mkdir(os.path.join(self.d, "files"))
        os.mkdir(os.path.join(self.d, "tmp"))

    def path(self, name):
        return os.path.join(self.d, "files", name)

    def file(self, name, size=None, data=None):
        """A file to serve: these bytes, or a sparse one of that size."""
        with open(self.path(name), "wb") as f:
            if data is not None:
                f.write(data)
            else:
                f.truncate(size)

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self):
        if not NGINX:
            raise RuntimeError("nginx is not installed (tools/setup installs it)")
        certificates(self.d)
        files = raise_file_limit()
        for _ in range(5):
            http, https, h2 = free_ports(3)
            with open(os.path.join(self.d, "conf"), "w", encoding="ascii") as f:
                f.write(CONF.format(d=self.d, http=http, https=https, h2=h2, files=files, connections=min(files - 100, 16000),
                                    locations=self.locations, user=AHEAD if os.geteuid() == 0 else ""))
            with open(os.path.join(self.d, "output"), "w", encoding="utf-8") as out:
                self.process = subprocess.Popen([NGINX, "-p", self.d, "-c", os.path.join(self.d, "conf"),
                                                 "-e", os.path.join(self.d, "error.log")], stdout=out, stderr=out)
            if self.wait_until_up():
                self.http, self.https = f"http://127.0.0.1:{http}", f"https://localhost:{https}"
                self.http_port, self.https_port, self.h2_port = http, https, h2
                self.h2 = f"http://127.0.0.1:{h2}"
                return
        with open(os.path.join(self.d, "output"), encoding="utf-8") as out:
            raise RuntimeError("nginx does not start: " + out.read())

    def wait_until_up(self):
        """It writes its pid when its sockets listen (an answer at its ports might be another server's), and then
        starts what serves them."""
        pid = os.path.join(self.d, "pid")
        for _ in range(600):
            if self.process.poll() is not None:
                return False
            if os.path.exists(pid) and os.path.getsize(pid) and self.workers():
                return True
            time.sleep(0.05)
        return False

    def workers(self):
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children", encoding="ascii") as f:
            return [int(x) for x in f.read().split()]

    def pin(self, cpu):
        for pid in self.workers():
            os.sched_setaffinity(pid, {cpu})

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.d, ignore_errors=True)
