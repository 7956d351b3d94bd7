"""Servers of HTTP/3: a real nginx, and one of aioquic (h3_peer.py) that does what a path asks for. Both serve the files of
http2_servers.FILES. Ports of nginx: `quic` (HTTP/3 and, by TCP, HTTP/2), `short` (a connection of HTTP/3 ends with GOAWAY after
SHORT requests), `tcp` (no HTTP/3: who sends datagrams there hears so at once)."""

import os

import http2_servers

SHORT = 150  # nginx ends a connection with all of its streams at twice as many, and 100 are under way
HERE = os.path.dirname(os.path.abspath(__file__))


class Nginx(http2_servers.Http2Server):
    name, has, upload, answers_upload = "nginx", ("quic", "short", "tcp"), "/dav/it", False
    needs = ("/usr/sbin/nginx",)

    CONF = """
daemon off;
master_process off;
pid {d}/nginx.pid;
error_log {d}/error.log warn;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  client_body_temp_path {d}/t1; proxy_temp_path {d}/t2; fastcgi_temp_path {d}/t3; uwsgi_temp_path {d}/t4;
  scgi_temp_path {d}/t5;
  client_max_body_size 200m; root {d}/www; http2 on;
  ssl_certificate {cert}; ssl_certificate_key {key}; ssl_protocols TLSv1.2 TLSv1.3;
  server {{ listen 127.0.0.1:{quic} quic; listen 127.0.0.1:{quic} ssl; keepalive_requests 100000;
    add_header alt-svc 'h3=":{quic}"; ma=86400'; location /dav/ {{ dav_methods PUT; }}
    location = /to {{ return 302 https://localhost:{short}/12.txt; }} location = /post {{ return 200 "$request_method\\n"; }}
    location = /reused {{ return 200 "$server_protocol$ssl_session_reused"; }} }}
  server {{ listen 127.0.0.1:{short} quic; listen 127.0.0.1:{short} ssl; keepalive_requests {requests}; }}
  server {{ listen 127.0.0.1:{tcp} ssl; add_header alt-svc 'h3=":{quic}"; ma=86400'; }}
}}
"""

    def commands(self):
        conf = self.CONF.format(d=self.folder, cert=self.cert, key=self.key, requests=SHORT, **dict(zip(self.has, self.ports)))
        user = "user root;\n" if os.getuid() == 0 else ""
        yield [self.needs[0], "-c", self._write("nginx.conf", user + conf), "-e", self._path("error.log")]


class Peer(http2_servers.Http2Server):
    """aioquic. What it listens at is a socket for datagrams; it says so by a file."""

    name, has = "aioquic", ("quic",)
    arguments = ()

    def commands(self):
        yield ["/usr/bin/python3", os.path.join(HERE, "h3_peer.py"), str(self.port("quic")), self.cert, self.key,
               self._path("ready"), self._path("www"), *self.arguments]

    def _listens(self, process, port):  # pylint: disable=arguments-differ
        import time
        end = time.monotonic() + 30
        while time.monotonic() < end and process.poll() is None and not os.path.exists(self._path("ready")):
            time.sleep(0.02)
        return os.path.exists(self._path("ready"))


class RetryPeer(Peer):
    """It wants to see the client's address proved first (RFC 9000 section 8.1.2)."""

    arguments = ("retry",)


