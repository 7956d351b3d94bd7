"""The figures of DNS over HTTPS: what a further lookup (A and AAAA) adds to a GET on a connection of its own. unbound alone
knows the host, by HTTP/2."""
import os
import shutil
import socket
import subprocess
import time

import server

from .figure import Missing, Void, gives
from .watch import get_instructions

HOST = "h1.doh.test"
CONF = """
server:
  interface: 127.0.0.1@{port}
  https-port: {port}
  tls-service-key: "{d}/server.key"
  tls-service-pem: "{d}/server.pem"
  username: ""
  chroot: ""
  pidfile: ""
  directory: "{d}"
  use-syslog: no
  logfile: "{log}"
  log-queries: yes
  do-daemonize: no
  module-config: "iterator"
  local-zone: "doh.test." static
  local-data: "{host}. A 127.0.0.1"
remote-control:
  control-enable: no
"""


class Unbound:
    """with Unbound(server) as u: u.options are those of a GET by it, u.queries() counts what it was asked."""

    def __init__(self, srv):
        program = shutil.which("unbound") or shutil.which("unbound", path="/usr/sbin:/usr/local/sbin")
        if not program:
            raise Missing("unbound")
        self.port = server.free_ports(1)[0]
        self.log, conf = (os.path.join(srv.d, f"unbound.{self.port}.{end}") for end in ("log", "conf"))
        self.options = (f"DOH_URL=https://localhost:{self.port}/dns-query", "DOH_SSL_VERIFYPEER=0", "DOH_SSL_VERIFYHOST=0",
                        "DNS_CACHE_TIMEOUT=0", "FRESH_CONNECT=1")
        with open(conf, "w", encoding="ascii") as f:
            f.write(CONF.format(port=self.port, d=srv.d, log=self.log, host=HOST))
        self.process = subprocess.Popen([program, "-c", conf], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def queries(self):
        with open(self.log, encoding="utf-8", errors="replace") as f:
            return f.read().count(HOST + ". A IN")

    def __enter__(self):
        for _ in range(100):
            with socket.socket() as s:
                if not s.connect_ex(("127.0.0.1", self.port)):
                    return self
            time.sleep(0.05)
        self.__exit__()
        raise Missing("unbound does not answer")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def url_of(s):
    return s.srv.http.replace("127.0.0.1", HOST)


def third(s, url, options):
    """Own allocations of the third GET, and what its peak is above what was there before it."""
    before, phase = s.get(url + "/small", 0, 3, options, counted=True)[0]["perform"][1:]
    return phase["own_calls"], phase["peak"] - before["live"]


@gives("doh_again_allocs", "doh_again_peak")
def memory(s):
    with Unbound(s.srv) as u:
        doh = third(s, url_of(s), u.options)
        if u.queries() != 3:
            raise Void(f"{u.queries()} queries for 3 transfers")
    plain = third(s, s.srv.http, ("FRESH_CONNECT=1",))
    return {"doh_again_allocs": doh[0] - plain[0], "doh_again_peak": doh[1] - plain[1]}


@gives("instructions_doh")
def instructions(s):
    """The least of some runs, as an answer of the resolver may be late, which takes another wait."""
    def each(options, base):
        return (get_instructions(s, "small", 12, options, base) - get_instructions(s, "small", 2, options, base)) / 10
    with Unbound(s.srv) as u:
        asked = s.undisturbed(lambda: each(u.options, url_of(s)), 300)
        return {"instructions_doh": asked - each(("FRESH_CONNECT=1",), s.srv.http)}


COUNTED = [memory, instructions]
