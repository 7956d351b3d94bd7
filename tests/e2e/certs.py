"""Certificates made for one run of the tests, with the openssl command."""

import os
import ssl
import subprocess

CONF = """
[ca]
default_ca = one
[one]
dir = {d}
database = {d}/index.txt
new_certs_dir = {d}
serial = {d}/serial
default_md = sha256
policy = any
unique_subject = no
crlnumber = {d}/crlnumber
default_crl_days = 30
[any]
commonName = optional
[req]
distinguished_name = dn
[dn]
"""


class Certs:
    """Paths of PEM files: ca, ca2 (another CA), and NAME.pem / NAME.key for good, wrongname, expired, future,
    selfsigned, client, otherca, cnonly, ipv4only, wildcard."""

    def __init__(self, folder, made=False):
        """made: they are in the folder already."""
        self.folder = str(folder)
        if not made:
            self._make()

    def _make(self):
        self._write("ca.cnf", CONF.format(d=self.folder))
        for name in ("index.txt", "index.txt.attr"):
            self._write(name, "")
        self._write("serial", "1000\n")
        self._write("crlnumber", "01\n")
        self._ca("ca", "Mote test CA")
        self._ca("ca2", "Other test CA")
        both = "DNS:localhost,IP:127.0.0.1,IP:::1"
        self._leaf("good", both)
        self._leaf("wrongname", "DNS:other.example,IP:192.0.2.1")
        self._leaf("expired", both, start="20200101000000Z", end="20200201000000Z")
        self._leaf("future", both, start="20480101000000Z", end="20490101000000Z")
        self._leaf("otherca", both, ca="ca2")
        self._leaf("cnonly", None, cn="localhost")
        self._leaf("ipv4only", "IP:127.0.0.1")
        self._leaf("wildcard", "DNS:*.wild.test,DNS:*.under_score.test,DNS:*.top,DNS:*.dot.test.")
        self._leaf("revoked", both)
        self._leaf("client", None, cn="a client", usage="clientAuth")
        self._self_signed("selfsigned", both)
        self._openssl("ca", "-config", self.path("ca.cnf"), "-cert", self.path("ca.pem"), "-keyfile",
                      self.path("ca.key"), "-revoke", self.path("revoked.pem"))
        self._openssl("ca", "-config", self.path("ca.cnf"), "-cert", self.path("ca.pem"), "-keyfile",
                      self.path("ca.key"), "-gencrl", "-out", self.path("crl.pem"))
        self._openssl("pkcs12", "-export", "-in", self.path("client.pem"), "-inkey", self.path("client.key"),
                      "-out", self.path("client.p12"), "-passout", "pass:secret")
        self._openssl("x509", "-in", self.path("client.pem"), "-outform", "DER", "-out", self.path("client.der"))
        self._openssl("pkey", "-in", self.path("client.key"), "-outform", "DER", "-out", self.path("clientkey.der"))
        self._openssl("pkey", "-in", self.path("client.key"), "-aes128", "-passout", "pass:secret", "-out",
                      self.path("clientenc.key"))
        os.mkdir(self.path("capath"))
        os.symlink("../ca.pem", self.path("capath/ca.pem"))
        self._openssl("rehash", self.path("capath"))
        os.mkdir(self.path("emptypath"))
        self._write("garbage.pem", "this is not a certificate\n")
        self._write("empty.pem", "")
        good = open(self.path("ca.pem")).read()
        with open(self.path("marked.pem"), "w", encoding="utf-8-sig") as f:
            f.write(good)
        self._write("mixed.pem", "# comment\n" + open(self.path("ca2.pem")).read() + "\ntext between\n" + good)

    def path(self, name):
        return os.path.join(self.folder, name)

    def _write(self, name, text):
        with open(self.path(name), "w") as f:
            f.write(text)

    def _openssl(self, *args):
        run = subprocess.run(["openssl", *args], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if run.returncode:
            raise RuntimeError(f"openssl {args}: {run.stderr}")

    def _ca(self, name, cn):
        self._write(f"{name}.req.cnf", f"[req]\ndistinguished_name=dn\nx509_extensions=x\nprompt=no\n[dn]\nCN={cn}\n"
                    "[x]\nbasicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign,cRLSign\n"
                    "subjectKeyIdentifier=hash\n")
        self._openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                      self.path(f"{name}.key"), "-out", self.path(f"{name}.pem"), "-days", "30", "-config",
                      self.path(f"{name}.req.cnf"))

    def _leaf(self, name, san, ca="ca", cn=None, start=None, end=None, usage="serverAuth"):
        self._openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                      self.path(f"{name}.key"), "-out", self.path(f"{name}.csr"), "-subj", f"/CN={cn or name}",
                      "-config", self.path("ca.cnf"))
        self._write(f"{name}.ext", f"extendedKeyUsage={usage}\nbasicConstraints=CA:false\n"
                    + (f"subjectAltName={san}\n" if san else ""))
        dates = ["-startdate", start, "-enddate", end] if start else ["-days", "20"]
        self._openssl("ca", "-batch", "-notext", "-config", self.path("ca.cnf"), "-cert", self.path(f"{ca}.pem"),
                      "-keyfile", self.path(f"{ca}.key"), "-in", self.path(f"{name}.csr"), "-out",
                      self.path(f"{name}.pem"), "-extfile", self.path(f"{name}.ext"), *dates)

    def _self_signed(self, name, san):
        self._openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                      self.path(f"{name}.key"), "-out", self.path(f"{name}.pem"), "-days", "30", "-subj",
                      f"/CN={name}", "-addext", f"subjectAltName={san}", "-config", self.path("ca.cnf"))

    def context(self, name="good", low=None, high=None, client_ca=None, alpn=None, ciphers=None):
        """A server's TLS context; `last_sni` is set on it by each handshake."""
        ctx = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        ctx.load_cert_chain(self.path(f"{name}.pem"), self.path(f"{name}.key"))
        if low:
            ctx.minimum_version = low
        if high:
            ctx.maximum_version = high
        if ciphers:
            ctx.set_ciphers(ciphers)
        if client_ca:
            ctx.verify_mode = ssl.CERT_REQUIRED
            ctx.load_verify_locations(self.path(client_ca))
        if alpn:
            ctx.set_alpn_protocols(alpn)
        ctx.last_sni = None

        def on_sni(sock, name, context):
            ctx.last_sni = name
        ctx.sni_callback = on_sni
        return ctx

    def pin(self, name="good"):
        """sha256//… of a certificate's public key, as CURLOPT_PINNEDPUBLICKEY wants it."""
        key = subprocess.run(["openssl", "x509", "-in", self.path(f"{name}.pem"), "-pubkey", "-noout"],
                             capture_output=True, check=True).stdout
        der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "DER"], input=key, capture_output=True,
                             check=True).stdout
        import base64
        import hashlib
        return "sha256//" + base64.b64encode(hashlib.sha256(der).digest()).decode()
