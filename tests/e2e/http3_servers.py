"""Servers of HTTP/3: a real nginx, and one of aioquic (h3_peer.py) that does what a path asks for. Both serve the files of
http2_servers.FILES. Ports of nginx: `quic` (HTTP/3 and, by TCP, HTTP/2), `short` (a connection of HTTP/3 ends with GOAWAY after
SHORT requests), `usual` (nginx's own number of requests), `many` (2,000 streams at a time), `tcp` (no HTTP/3: who sends datagrams
there hears so at once). Those of aioquic: `quic`, and the kinds that h3_peer.py has."""

import os
import random
import subprocess
import time

import http2_servers
from mote_driver import REPO

SHORT = 150  # nginx ends a connection with all of its streams at twice as many, and 100 are under way
# Kinds of ports whose handshakes are wrong, or odd and allowed (h3_lies.py)
WRONG = ("badtoken", "original", "nooriginal", "source", "nosource", "udpsize", "ackexponent", "ackdelay", "ids", "streams", "short",
         "garbage")
ODD = ("unknown", "nostreams", "nodata", "nouni")
HASTY = 2  # seconds of silence after which `hasty` ends a connection (h3_peer.py)
HERE = os.path.dirname(os.path.abspath(__file__))


class Http3Server(http2_servers.Http2Server):
    def begin(self):
        super().begin()
        self._write("host.key", random.Random(3).randbytes(32))

    def at(self, port):
        """A function from paths to URLs of this port."""
        return lambda path: self.url(path, port)

    def die(self):
        for process in self.processes:
            process.kill()
            process.wait()

    def live_again(self):
        """On the same ports, with nothing known of its connections."""
        self.processes = [subprocess.Popen(command, stdin=subprocess.DEVNULL, env=self.env) for command in self.commands()]
        assert all(self._listens(process, port) for process in self.processes for port in self.awaited())


class Both(Http3Server):
    """A server whose ports are of TCP, and of datagrams but for `tcp`. Those may be bound a moment later."""

    def _listens(self, process, port):  # pylint: disable=arguments-differ
        if not super()._listens(process, port):
            return False
        end, wanted = time.monotonic() + 30, f":{port:04X} "
        while "tcp" not in self.has or port != self.port("tcp"):
            with open("/proc/net/udp") as f:
                if any(line.split()[1].endswith(wanted[:-1]) for line in f):
                    return True
            if time.monotonic() > end or process.poll() is not None:
                return False
            time.sleep(0.02)
        return True


class Nginx(Both):
    name, has, upload, answers_upload = "nginx", ("quic", "short", "usual", "many", "tcp"), "/dav/it", False
    needs = ("/usr/sbin/nginx",)

    CONF = """
daemon off;
master_process off;
pid {d}/nginx.pid;
error_log {d}/error.log warn;
events {{ worker_connections 4096; }}
http {{
  access_log off; log_format took '$request_method $request_time $uri';
  {temporary}
  client_max_body_size 200m; root {d}/www; http2 on;
  ssl_certificate {cert}; ssl_certificate_key {key}; ssl_protocols TLSv1.2 TLSv1.3; quic_host_key {d}/host.key;
  server {{ listen 127.0.0.1:{quic} quic; listen 127.0.0.1:{quic} ssl; keepalive_requests 100000;
    add_header alt-svc 'h3=":{quic}"; ma=86400'; location /dav/ {{ dav_methods PUT; access_log {d}/dav.log took; }}
    location = /to {{ return 302 https://localhost:{short}/12.txt; }} location = /post {{ return 200 "$request_method\\n"; }}
    location = /reused {{ return 200 "$server_protocol$ssl_session_reused"; }} }}
  server {{ listen 127.0.0.1:{short} quic; listen 127.0.0.1:{short} ssl; keepalive_requests {requests}; }}
  server {{ listen 127.0.0.1:{usual} quic; listen 127.0.0.1:{usual} ssl; }}
  server {{ listen 127.0.0.1:{many} quic; listen 127.0.0.1:{many} ssl; keepalive_requests 1000000; http3_max_concurrent_streams 2000; }}
  server {{ listen 127.0.0.1:{tcp} ssl; add_header alt-svc 'h3=":{quic}"; ma=86400'; }}
}}
"""

    def commands(self):
        yield self.command_of_nginx(SHORT)

    def took(self, method, path):
        """How long each request took whose path begins so, in seconds: by nginx's own clock, from the head to the answer's
        last byte. Of those to /dav/."""
        with open(self._path("dav.log")) as f:
            rows = [line.split() for line in f]
        return [float(time_taken) for asked, time_taken, at in rows if asked == method and at.startswith(path)]


class Telling(Http3Server):
    """A server whose sockets for datagrams no table of the kernel shows as listening: it says so by a file."""

    def _listens(self, process, port):  # pylint: disable=arguments-differ
        end = time.monotonic() + 60
        while time.monotonic() < end and process.poll() is None and not os.path.exists(self._path("ready")):
            time.sleep(0.02)
        return process.poll() is None and os.path.exists(self._path("ready"))

    def live_again(self):
        os.unlink(self._path("ready"))
        super().live_again()


class Peer(Telling):
    """aioquic. Each port but the first is of a kind."""

    name, needs = "aioquic", ()
    has = ("quic", "retry", "hasty", "single", "untabled", "tiny", "cramped", "versions", "preferred", *WRONG, *ODD)

    def commands(self):
        ports = [str(port) if kind == "quic" else f"{port}:{kind}" for kind, port in zip(self.has, self.ports)]
        yield ["/usr/bin/python3", os.path.join(HERE, "h3_peer.py"), self.cert, self.key, self._path("ready"), self._path("www"), *ports]



class QuicGo(Telling):
    """quic-go (quic_go/main.go), where it was built: (cd tests/e2e/quic_go && CGO_ENABLED=0 go build -o ../../../build/servers/quic_go)."""

    name, has = "quic-go", ("quic",)
    needs = (os.environ.get("MOTE_QUIC_GO") or os.path.join(REPO, "build", "servers", "quic_go"),)

    def commands(self):
        yield [self.needs[0], str(self.port("quic")), self.cert, self.key, self._path("ready"), self._path("www")]


SERVERS = {c.name: c for c in (Nginx, Peer, QuicGo)}


def missing(name):
    """Says what is not there, or None."""
    lacking = [path for path in SERVERS[name].needs if not os.path.exists(path)]
    return f"{lacking[0]} is not there" if lacking else None


CERTIFICATES = ("good", "wrongname", "expired", "future", "otherca", "cnonly", "ipv4only", "selfsigned", "revoked")


class Certified(Both):
    """nginx with a certificate for each of its ports, by QUIC and by TCP; `client` wants one of the client."""

    name, has, needs = "nginx", (*CERTIFICATES, "client"), Nginx.needs

    CONF = """
daemon off;
master_process off;
pid {d}/nginx.pid;
error_log {d}/error.log warn;
events {{ worker_connections 1024; }}
http {{
  access_log off; root {d}/www; http2 on; {temporary}
  ssl_protocols TLSv1.3;
  {servers}
}}
"""

    def commands(self):
        servers = "".join(f"server {{ listen 127.0.0.1:{self.port(name)} quic; listen 127.0.0.1:{self.port(name)} ssl;"
                          f"ssl_certificate {self.certs.path(name + '.pem')}; ssl_certificate_key {self.certs.path(name + '.key')}; }}\n"
                          for name in CERTIFICATES)
        servers += (f"server {{ listen 127.0.0.1:{self.port('client')} quic; listen 127.0.0.1:{self.port('client')} ssl;"
                    f"ssl_certificate {self.cert}; ssl_certificate_key {self.key}; ssl_verify_client on;"
                    f"ssl_client_certificate {self.certs.path('ca.pem')};"
                    'location = /subject { return 200 "$ssl_client_verify"; } }\n')
        self.CONF = self.CONF.replace("{servers}", servers.replace("{", "{{").replace("}", "}}"))
        yield self.command_of_nginx(0)


class EarlyPeer(Telling):
    """aioquic. It says whether a request came as early data, and refuses that in several ways."""

    name, needs, has, kind = "aioquic", (), ("quic",), ""

    def commands(self):
        yield ["/usr/bin/python3", os.path.join(HERE, "h3_early_peer.py"), self.cert, self.key, self._path("ready"),
               self._path("www"), f"{self.port('quic')}:{self.kind}"]


class EarlyRetryPeer(EarlyPeer):
    kind = "retry"
