"""Chains of certificates with anything in them that a client has to look at, right or wrong.

A chain is leaf, mid, mid2, mid3 and so on (if asked for) and root, each described by a dict that is laid over LEAF or
CA; `other` is a root that has nothing to do with them. Pki.make() signs them and writes what the server sends, its key,
and the bundle that is trusted."""

import datetime
import hashlib
import ipaddress
import os
import subprocess

import pytest
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed25519, padding, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

NOW = datetime.datetime.utcnow().replace(microsecond=0)
HASHES = {"sha1": hashes.SHA1, "md5": hashes.MD5, "sha224": hashes.SHA224, "sha256": hashes.SHA256,
          "sha384": hashes.SHA384, "sha512": hashes.SHA512}
CURVES = {"p192": ec.SECP192R1, "p224": ec.SECP224R1, "p256": ec.SECP256R1, "p384": ec.SECP384R1, "p521": ec.SECP521R1,
          "k256": ec.SECP256K1, "bp256": ec.BrainpoolP256R1}
USES = {"server": ExtendedKeyUsageOID.SERVER_AUTH, "client": ExtendedKeyUsageOID.CLIENT_AUTH,
        "any": ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE, "code": ExtendedKeyUsageOID.CODE_SIGNING,
        "email": ExtendedKeyUsageOID.EMAIL_PROTECTION}
KEY_USAGES = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
              "key_cert_sign", "crl_sign", "encipher_only", "decipher_only")
PSS_SHA256 = bytes.fromhex("304106092a864886f70d01010a3034a00f300d06096086480165030402010500a11c301a06092a864886f70d0101"
                           "08300d06096086480165030402010500a203020120")
UNKNOWN = x509.ObjectIdentifier("1.3.6.1.4.1.99999.1")

CA = dict(ca=True, key="p256", use=("key_cert_sign", "crl_sign"), days=(-10, 100))
LEAF = dict(ca=False, key="p256", use=("digital_signature",), eku=("server",), days=(-1, 20),
            san=("localhost", "127.0.0.1"))


def general_name(text):
    """A DNS name, an address or a network; dir:CN, mail:a@b, uri:x as they say."""
    kind, _, rest = text.partition(":")
    if kind == "dir":
        return x509.DirectoryName(name_of(rest))
    if kind == "mail":
        return x509.RFC822Name(rest)
    if kind == "uri":
        return x509.UniformResourceIdentifier(rest)
    try:
        return x509.IPAddress(ipaddress.ip_network(text) if "/" in text else ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def name_of(text):
    """CN, or O/CN."""
    org, slash, cn = text.rpartition("/")
    parts = [x509.NameAttribute(NameOID.ORGANIZATION_NAME, org)] if slash else []
    return x509.Name(parts + ([x509.NameAttribute(NameOID.COMMON_NAME, cn)] if cn else []))


class Pki:
    def __init__(self, folder):
        self.folder, self.keys, self.made = str(folder), {}, {}

    def key(self, kind, who):
        """A key of this kind for who: leaves, intermediates and roots have different ones, but each one for all."""
        at = (kind, who)
        if at not in self.keys:
            if kind.startswith("rsa"):
                self.keys[at] = rsa.generate_private_key(65537, int(kind[3:]))
            elif kind == "ed25519":
                self.keys[at] = ed25519.Ed25519PrivateKey.generate()
            elif kind == "dsa":
                self.keys[at] = dsa.generate_private_key(2048)
            else:
                self.keys[at] = ec.generate_private_key(CURVES[kind]())
        return self.keys[at]

    def _extensions(self, spec, key, issuer_key):
        """(extension, critical) in their order."""
        ca = spec["ca"]
        if ca is not None:
            length = None if isinstance(ca, bool) else ca
            yield x509.BasicConstraints(ca is not False, length), spec.get("ca_critical", True)
        if spec.get("use"):
            yield x509.KeyUsage(**{u: u in spec["use"] for u in KEY_USAGES}), True
        if spec.get("eku"):
            yield x509.ExtendedKeyUsage([USES[u] for u in spec["eku"]]), spec.get("eku_critical", False)
        if spec.get("san"):
            yield x509.SubjectAlternativeName([general_name(n) for n in spec["san"]]), spec.get("san_critical", False)
        if "permitted" in spec or "excluded" in spec:
            lists = [[general_name(n) for n in spec[k]] if k in spec else None for k in ("permitted", "excluded")]
            yield x509.NameConstraints(*lists), spec.get("constraints_critical", True)
        yield x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False
        yield x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), False
        if spec.get("policy"):
            yield x509.CertificatePolicies([x509.PolicyInformation(UNKNOWN, None)]), True
        if "unknown" in spec:
            yield x509.UnrecognizedExtension(UNKNOWN, b"\x05\x00"), spec["unknown"]
        for oid, value in spec.get("raw", ()):
            yield x509.UnrecognizedExtension(x509.ObjectIdentifier(oid), value), False

    def _sign(self, who, spec, issuer_name, issuer_key, below):
        key = self.key(spec["key"], spec.get("key_of", who))
        issuer_key = issuer_key or key
        subject = name_of(spec.get("name", f"{below}{who}"))
        builder = (x509.CertificateBuilder().subject_name(subject).issuer_name(issuer_name or subject)
                   .public_key(key.public_key()).serial_number(x509.random_serial_number())
                   .not_valid_before(NOW + datetime.timedelta(spec["days"][0]))
                   .not_valid_after(NOW + datetime.timedelta(spec["days"][1])))
        if spec.get("edit") != "version 1":
            for extension, critical in self._extensions(spec, key, issuer_key):
                builder = builder.add_extension(extension, critical)
        digest = None if isinstance(issuer_key, ed25519.Ed25519PrivateKey) else HASHES[spec.get("hash", "sha256")]()
        try:
            cert = builder.sign(issuer_key, digest)
        except UnsupportedAlgorithm as e:  # those that are worth nothing any more: SHA-1 and MD5, from version 43 on
            pytest.skip(str(e))
        der = cert.public_bytes(serialization.Encoding.DER)
        if spec.get("edit"):
            der = edited(der, issuer_key, digest, spec["edit"])
        return der, subject, key

    def make(self, chain, sent, trusted):
        """chain: what differs from LEAF and CA, by place. Returns files: chain, key, bundle."""
        name = hashlib.sha256(repr((sorted((k, repr(v)) for k, v in chain.items()), sent, trusted)).encode()).hexdigest()
        if name in self.made:
            return self.made[name]
        places = {*chain, *sent, *trusted}
        mids = sorted((w for w in places if w.startswith("mid")), key=lambda w: -int(w[3:] or 1))
        order = [w for w in ("other", "root", *mids, "leaf") if w in places]
        certs, issuer_name, issuer_key = {}, None, None
        for who in order:
            spec = {**(LEAF if who == "leaf" else CA), **chain.get(who, {})}
            if spec.get("self_signed") or who in ("root", "other"):
                issuer_name = issuer_key = None
            certs[who], issuer_name, issuer_key = self._sign(who, spec, issuer_name, issuer_key, name[:6])
            if who == "leaf":
                key = issuer_key
        self.made[name] = tuple(self._write(name, what, data) for what, data in (
            ("chain", b"".join(map(pem, (certs[w] for w in sent)))),
            ("key", key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                      serialization.NoEncryption())),
            ("bundle", b"".join(map(pem, (certs[w] for w in trusted))))))
        return self.made[name]

    def _write(self, name, what, data):
        path = os.path.join(self.folder, f"{name}.{what}")
        with open(path, "wb") as f:
            f.write(data)
        return path


def edited(der, issuer_key, digest, how):
    """A certificate as no tool makes it, signed again: without a version, its first extension twice, or with RSA-PSS."""
    tbs, algorithm, _ = elements(inner(der))
    parts = elements(inner(tbs))
    if how == "version 1":
        parts = parts[1:]
    elif how == "twice":
        extensions = elements(inner(inner(parts[-1])))
        parts[-1] = wrap(0xa3, wrap(0x30, b"".join([*extensions, extensions[0]])))
    elif how == "pss":
        parts[2] = algorithm = PSS_SHA256
    tbs = wrap(0x30, b"".join(parts))
    if how == "pss":
        signed = issuer_key.sign(tbs, padding.PSS(padding.MGF1(digest), 32), digest)
    else:
        signed = issuer_key.sign(tbs, ec.ECDSA(digest))
    return wrap(0x30, tbs + algorithm + wrap(0x03, b"\0" + signed))


def header(der):
    """The octets of identifier and length, and how long the content is."""
    if der[1] < 0x80:
        return 2, der[1]
    size = der[1] - 0x80
    return 2 + size, int.from_bytes(der[2:2 + size], "big")


def inner(der):
    return der[header(der)[0]:]


def elements(content):
    out = []
    while content:
        head, size = header(content)
        out.append(content[:head + size])
        content = content[head + size:]
    return out


def wrap(tag, content):
    size = len(content)
    head = bytes([size]) if size < 0x80 else \
        bytes([0x80 + (size.bit_length() + 7) // 8]) + size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag]) + head + content


def pem(der):
    import base64
    text = base64.b64encode(der)
    return b"-----BEGIN CERTIFICATE-----\n" + b"\n".join(text[i:i + 64] for i in range(0, len(text), 64)) + \
        b"\n-----END CERTIFICATE-----\n"
