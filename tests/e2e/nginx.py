"""A real nginx, HTTP and HTTPS, unprivileged, in a folder of its own on free ports."""

import os
import random
import subprocess
import sys
import time
import zlib

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from ports import free_ports  # noqa: E402

CONF = """
daemon off;
master_process off;
pid {d}/nginx.pid;
error_log {d}/error.log warn;
worker_processes 1;
events {{ worker_connections 1024; }}
http {{
  access_log {d}/access.log;
  client_body_temp_path {d}/t1; proxy_temp_path {d}/t2; fastcgi_temp_path {d}/t3; uwsgi_temp_path {d}/t4;
  scgi_temp_path {d}/t5;
  types {{ text/plain txt; application/octet-stream bin; }}
  keepalive_timeout 60; keepalive_requests 100000; sendfile on; tcp_nodelay on;
  client_max_body_size 200m; client_body_buffer_size 64k;
  gzip_types text/plain; gzip_min_length 10;
  server {{
    listen 127.0.0.1:{http}; listen 127.0.0.1:{https} ssl; server_name localhost;
    ssl_certificate {cert}; ssl_certificate_key {key}; ssl_session_tickets on;
    root {d}/www;
    location /to/ {{ rewrite ^/to/(.*)$ /$1 redirect; }}
    location = /loop {{ return 302 /loop; }}
    location = /chain1 {{ return 301 /chain2; }}
    location = /chain2 {{ return 307 /12.txt; }}
    location = /tohttps {{ return 302 https://localhost:{https}/12.txt; }}
    location /gzip/ {{ alias {d}/www/; gzip on; }}
    location /slow/ {{ alias {d}/www/; limit_rate 200k; }}
    location /close/ {{ alias {d}/www/; keepalive_timeout 0; }}
    location = /nothing {{ return 204; }}
    location = /fail {{ return 500 "broken\\n"; }}
    location /auth/ {{ alias {d}/www/; auth_basic "here"; auth_basic_user_file {d}/users; }}
    location /dav/ {{ root {d}/dav; dav_methods PUT DELETE MKCOL; create_full_put_path on; }}
    location /git/ {{
      auth_basic "here"; auth_basic_user_file {d}/users; client_max_body_size 0;
      proxy_http_version 1.1; proxy_pass http://unix:{d}/git.sock:;
    }}
    location = /post {{ return 200 "$request_method\\n"; }}
  }}
}}
"""


class Nginx:
    """files: name -> (length, crc32) of what it serves."""

    def __init__(self, folder, certs, program="/usr/sbin/nginx"):
        self.folder = str(folder)
        www = os.path.join(self.folder, "www")
        os.makedirs(www)
        os.makedirs(os.path.join(self.folder, "dav"))
        self.files = {}
        self._file("12.txt", b"hello world\n")
        self._file("empty.txt", b"")
        self._file("text.txt", b"".join(b"line %d of a text that packs well\n" % i for i in range(2000)))
        self._file("1m.bin", random.Random(1).randbytes(1 << 20))
        with open(os.path.join(www, "50m.bin"), "wb") as f:
            f.truncate(50 << 20)
        self.files["50m.bin"] = (50 << 20, zlib.crc32(bytes(50 << 20)))
        with open(os.path.join(self.folder, "users"), "w") as f:
            f.write("user:{PLAIN}secret word\n")
        if os.getuid() == 0:
            os.chmod(self.folder, 0o755)
        for attempt in range(5):
            self.http, self.https = free_ports(2)
            conf = os.path.join(self.folder, "nginx.conf")
            with open(conf, "w") as f:
                f.write(("user root;\n" if os.getuid() == 0 else "")
                        + CONF.format(d=self.folder, http=self.http, https=self.https, cert=certs.path("good.pem"),
                                      key=certs.path("good.key")))
            self.process = subprocess.Popen([program, "-c", conf, "-e", os.path.join(self.folder, "error.log")],
                                            stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if self._ready():
                return
            self.process.kill()
            self.process.wait()
        raise RuntimeError("nginx did not start: " + open(os.path.join(self.folder, "error.log")).read())

    def _file(self, name, data):
        with open(os.path.join(self.folder, "www", name), "wb") as f:
            f.write(data)
        self.files[name] = (len(data), zlib.crc32(data))

    def _ready(self):
        """It writes its pid when its sockets listen; an answer at its ports might be another server's."""
        pid = os.path.join(self.folder, "nginx.pid")
        end = time.monotonic() + 30
        while time.monotonic() < end and self.process.poll() is None:
            if os.path.exists(pid) and os.path.getsize(pid):
                return True
            time.sleep(0.02)
        return False

    def read(self, name):
        return open(os.path.join(self.folder, name), "rb").read()

    def url(self, path, tls=False):
        return f"https://localhost:{self.https}{path}" if tls else f"http://127.0.0.1:{self.http}{path}"

    def close(self):
        self.process.kill()
        self.process.wait()
