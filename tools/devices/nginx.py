"""nginx over TLS 1.2 for images, and what it was asked for."""
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from ports import free_ports

from .certificates import certificates

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


class Nginx:
    """nginx over TLS 1.2 with the device's certificate; /post takes what is posted, the rest are files of www."""

    def __init__(self, certs=None, more=""):
        self.root = tempfile.mkdtemp(prefix="mote-nginx-")
        self.www = os.path.join(self.root, "www")
        os.mkdir(self.www)
        os.chmod(self.root, 0o755)
        self.port, inner = free_ports(2)
        with open(self.root + "/conf", "w", encoding="utf-8") as f:
            f.write(CONF.format(root=self.root, certs=certs or certificates(), port=self.port, inner=inner,
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
