"""Real servers of HTTP/2, each in a folder of its own on free ports. All serve the files of FILES; what is sent to
`upload` comes back, in the answer or by GET. Ports, as far as a server has them: `tls` (ALPN), `plain` (HTTP/2 by prior
knowledge), `short` (TLS, and a connection ends with GOAWAY after SHORT requests), `old` (TLS, HTTP/1.1 alone)."""

import os
import random
import shutil
import subprocess
import tempfile
import zlib

import real_server

HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = "/usr/lib/apache2/modules"
SHORT = 20
FILES = {"12.txt": b"hello world\n", "empty.txt": b"", "64k.bin": random.Random(2).randbytes(1 << 16),
         "1m.bin": random.Random(1).randbytes(1 << 20)}
CRC = {name: (len(data), zlib.crc32(data)) for name, data in FILES.items()}


class Http2Server(real_server.RealServer):
    upload = "/echo"
    answers_upload = True  # in the response; otherwise a GET returns it

    def begin(self):
        os.chmod(self.folder, 0o755)
        for name in ("www", "www/dav"):
            os.mkdir(self._path(name))
            os.chmod(self._path(name), 0o777)
        for name, data in FILES.items():
            self._write("www/" + name, data)
        self.cert, self.key = self.certs.path("good.pem"), self.certs.path("good.key")

    def url(self, path, port="tls"):
        return f"{'http' if port == 'plain' else 'https'}://localhost:{self.port(port)}{path}"

    def port(self, name):
        return self.ports[self.has.index(name)]

    def command_of_nginx(self, requests):
        """Starts nginx with self.CONF; requests: after how many a connection of its `short` ends."""
        temporary = "".join(f"{what}_temp_path {self.folder}/temporary-{what}; " for what in
                            ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        conf = self.CONF.format(d=self.folder, cert=self.cert, key=self.key, requests=requests, temporary=temporary,
                                **dict(zip(self.has, self.ports)))
        user = "user root;\n" if os.getuid() == 0 else ""
        return [self.needs[0], "-c", self._write("nginx.conf", user + conf), "-e", self._path("error.log")]

    @property
    def how_many(self):
        return len(self.has)


class Nginx(Http2Server):
    name, has, upload, answers_upload = "nginx", ("tls", "plain", "short", "old"), "/dav/it", False
    needs = ("/usr/sbin/nginx",)

    CONF = """
daemon off;
master_process off;
pid {d}/nginx.pid;
error_log {d}/error.log warn;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  {temporary}
  keepalive_requests 100000; client_max_body_size 200m; root {d}/www;
  ssl_certificate {cert}; ssl_certificate_key {key};
  server {{ listen 127.0.0.1:{tls} ssl http2; listen 127.0.0.1:{plain} http2; location /dav/ {{ dav_methods PUT; }} }}
  server {{ listen 127.0.0.1:{short} ssl http2; keepalive_requests {requests}; }}
  server {{ listen 127.0.0.1:{old} ssl; }}
}}
"""

    def commands(self):
        yield self.command_of_nginx(SHORT)


def program(name):
    """Where Debian has it."""
    return shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/go/bin") or "/usr/bin/" + name


class Nghttpd(Http2Server):
    name, has = "nghttpd", ("tls", "plain")
    needs = (program("nghttpd"),)

    def commands(self):
        common = [self.needs[0], "-d", self._path("www"), "-a", "127.0.0.1", "--echo-upload"]
        yield [*common, str(self.port("tls")), self.key, self.cert]
        yield [*common, "--no-tls", str(self.port("plain"))]


class Nghttpx(Http2Server):
    """A proxy of an nghttpd, whose port is the last one."""

    name, has = "nghttpx", ("tls", "plain", "origin")
    needs = (program("nghttpx"), *Nghttpd.needs)

    def commands(self):
        yield [self.needs[0], f"-f127.0.0.1,{self.port('tls')}", f"-f127.0.0.1,{self.port('plain')};no-tls",
               f"-b127.0.0.1,{self.port('origin')};;proto=h2", "--conf=/dev/null", "--errorlog-file=" + self._path("log"),
               self.key, self.cert]
        yield [self.needs[1], "-d", self._path("www"), "-a", "127.0.0.1", "--echo-upload", "--no-tls",
               str(self.port("origin"))]

    def awaited(self):
        return [self.port("tls"), self.port("origin")]


class Apache(Http2Server):
    name, has, upload, answers_upload = "apache", ("tls", "plain", "old"), "/dav/it", False
    needs = ("/usr/sbin/apache2", MODULES + "/mod_http2.so")
    modules = ("mpm_event", "authz_core", "dav", "dav_fs", "ssl", "http2")

    CONF = """
ServerRoot {d}
ServerName localhost
PidFile {d}/apache.pid
ErrorLog {d}/apache.log
StartServers 1
ServerLimit 1
ThreadsPerChild 32
MaxRequestWorkers 32
KeepAlive On
KeepAliveTimeout 60
MaxKeepAliveRequests 0
DavLockDB {d}/locks
DocumentRoot {d}/www
Listen 127.0.0.1:{tls}
Listen 127.0.0.1:{plain}
Listen 127.0.0.1:{old}
SSLCertificateFile {cert}
SSLCertificateKeyFile {key}
Protocols h2 h2c http/1.1
<Directory {d}/www/dav>
  Dav On
</Directory>
<VirtualHost 127.0.0.1:{tls}>
  SSLEngine On
</VirtualHost>
<VirtualHost 127.0.0.1:{old}>
  SSLEngine On
  Protocols http/1.1
</VirtualHost>
"""

    def commands(self):
        loaded = "".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so\n" for name in self.modules)
        conf = loaded + self.CONF.format(d=self.folder, cert=self.cert, key=self.key, **dict(zip(self.has, self.ports)))
        yield [self.needs[0], "-X", "-f", self._write("apache.conf", conf)]


class Hypercorn(Http2Server):
    """Python's h2."""

    name, has = "hypercorn", ("tls", "plain")
    needs = ("/usr/bin/python3", "/usr/lib/python3/dist-packages/hypercorn")

    APP = """
import os

async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    body = b""
    while True:
        event = await receive()
        body += event.get("body", b"")
        if not event.get("more_body"):
            break
    path, status = {www!r} + scope["path"], 200
    if scope["path"] != "/echo":
        status, body = (200, open(path, "rb").read()) if os.path.isfile(path) else (404, b"none")
    await send({{"type": "http.response.start", "status": status,
                "headers": [(b"content-length", str(len(body)).encode())]}})
    await send({{"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body}})
"""

    def commands(self):
        self._write("served.py", self.APP.format(www=self._path("www")))
        self.env = {**self.env, "PYTHONPATH": self.folder, "PYTHONDONTWRITEBYTECODE": "1"}
        yield [self.needs[0], "-m", "hypercorn", "-b", f"127.0.0.1:{self.port('tls')}", "--insecure-bind",
               f"127.0.0.1:{self.port('plain')}", "--certfile", self.cert, "--keyfile", self.key, "served:app"]


class Node(Http2Server):
    name, has = "node", ("tls", "plain")
    needs = (program("node"),)

    APP = """
const fs = require('fs'), h2 = require('http2');
function serve(q, r) {
  if(q.url === '/echo')
    return q.pipe(r);
  fs.readFile(WWW + q.url, (error, data) => {
    r.writeHead(error ? 404 : 200, {'content-length': error ? 4 : data.length});
    r.end(q.method === 'HEAD' ? undefined : error ? 'none' : data);
  });
}
const roomy = {maxSessionMemory: 1000};  // above 10 MB that wait it resets streams with ENHANCE_YOUR_CALM
h2.createSecureServer({...roomy, key: fs.readFileSync(KEY), cert: fs.readFileSync(CERT), allowHTTP1: true}, serve)
  .listen(TLS, '127.0.0.1');
h2.createServer(roomy, serve).listen(PLAIN, '127.0.0.1');
"""

    def commands(self):
        values = {"WWW": self._path("www"), "KEY": self.key, "CERT": self.cert}
        head = "".join(f"const {name} = {value!r};\n" for name, value in values.items())
        head += f"const TLS = {self.port('tls')}, PLAIN = {self.port('plain')};\n"
        yield [self.needs[0], self._write("served.js", head + self.APP)]


class Go(Http2Server):
    """net/http, compiled when it is first started."""

    name, has = "go", ("tls",)
    needs = (program("go"),)

    APP = """package main

import (
	"io"
	"net/http"
	"os"
)

func main() {
	files := http.FileServer(http.Dir(os.Args[1]))
	http.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })
	http.Handle("/", files)
	panic(http.ListenAndServeTLS(os.Args[4], os.Args[2], os.Args[3], nil))
}
"""

    def begin(self):
        super().begin()
        self._write("served.go", self.APP)
        env = {"PATH": self.env["PATH"] + ":" + os.path.dirname(self.needs[0]), "HOME": self.folder, "GOFLAGS": "-mod=mod",
               "GOCACHE": os.path.join(tempfile.gettempdir(), "mote-go-cache"), "GOPROXY": "off", "GO111MODULE": "off"}
        subprocess.run([self.needs[0], "build", "-o", self._path("served"), self._path("served.go")], env=env, check=True)

    def commands(self):
        yield [self._path("served"), self._path("www"), self.cert, self.key, f"127.0.0.1:{self.port('tls')}"]


SERVERS = {c.name: c for c in (Nginx, Nghttpd, Nghttpx, Apache, Hypercorn, Node, Go)}


def missing(name):
    """Says what is not there, or None."""
    lacking = [path for path in SERVERS[name].needs if not os.path.exists(path)]
    return f"{lacking[0]} is not installed" if lacking else None
