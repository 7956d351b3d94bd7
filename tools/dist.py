#!/usr/bin/env python3
"""Make what a release consists of, in build/dist: the same bytes on every machine, for every user, from one commit.

usage: dist.py [--out FOLDER]

  mote-VERSION.tar.xz               the sources of the commit, in a folder of that name
  mote-VERSION-tiny.tar.gz, -mcu    the library as one file for lwIP with BearSSL (tools/amalgamate)
  mote-VERSION-http.tar.gz          the same for Linux with OpenSSL
  mote-VERSION.spdx.json            what is in the sources, and what a build of all of it links (SPDX 2.3)
  SHA256SUMS                        of these files

Without a tag v... on the commit, VERSION ends in "+git" and the commit. Changed files are refused: they are of no
commit. Names of functions that the system's headers take are asked of this machine for -http (tools/amalgamate), so
that one may differ where another C library is installed.
"""
import argparse
import gzip
import hashlib
import io
import json
import lzma
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ONE_FILE = {"tiny": ("lwip", "bearssl"), "mcu": ("lwip", "bearssl"), "http": ("linux", "openssl")}
LICENCES = {  # of what a build may link, by the names of cmake/parts.cmake
    "libssl": "Apache-2.0", "libcrypto": "Apache-2.0", "bearssl": "MIT", "mbedtls": "Apache-2.0 OR GPL-2.0-or-later",
    "wolfssl": "GPL-2.0-or-later", "zlib": "Zlib", "libbrotlidec": "MIT", "libzstd": "BSD-3-Clause",
    "libidn2": "LGPL-3.0-or-later OR GPL-2.0-or-later", "libpsl": "MIT", "krb5-gssapi": "MIT", "libnghttp2": "MIT",
    "libngtcp2": "MIT", "libngtcp2_crypto_ossl": "MIT", "libnghttp3": "MIT", "libssh2": "BSD-3-Clause",
    "mbedcrypto": "Apache-2.0 OR GPL-2.0-or-later", "mbedx509": "Apache-2.0 OR GPL-2.0-or-later"}


def git(*arguments, **how):
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True, **how).stdout


def version():
    with open(os.path.join(ROOT, "include", "mote", "mote.h"), encoding="utf-8") as f:
        number = re.search(r'MOTE_VERSION "(.*)"', f.read())[1]
    if f"v{number}" in git("tag", "--points-at", "HEAD", text=True).split():
        return number
    return f"{number}+git{git('rev-parse', '--short=8', 'HEAD', text=True).strip()}"


def packed(folder, name, moment):
    """A folder's files as a .tar in a fixed order, without what differs between users."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for file in sorted(os.listdir(folder)):
            info = tarfile.TarInfo(f"{name}/{file}")
            with open(os.path.join(folder, file), "rb") as f:
                data = f.read()
            info.size, info.mtime, info.mode = len(data), moment, 0o644
            tar.addfile(info, io.BytesIO(data))
    return gzip.compress(out.getvalue(), 9, mtime=0)


def one_file(profile, name, moment):
    port, tls = ONE_FILE[profile]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.path.join(ROOT, "tools", "amalgamate"), profile, port, tls, "--out", folder], check=True,
                       stdout=subprocess.DEVNULL)
        return packed(folder, f"{name}-{profile}", moment)


def links():
    """The names of libraries that parts may need."""
    with open(os.path.join(ROOT, "cmake", "parts.cmake"), encoding="utf-8") as f:
        text = re.sub(r"#.*", "", f.read())
    found = {n for m in re.finditer(r"\b(?:PACKAGES|LIBRARIES) ((?:[a-z][\w-]* ?)+)", text) for n in m[1].split()}
    unknown = found - set(LICENCES)
    if unknown:
        sys.exit(f"dist.py: no licence is known of {', '.join(sorted(unknown))}")
    return sorted(found)


def spdx(name, number, source, moment):
    """SPDX 2.3: the sources with their files, and the libraries, which are not in them."""
    files = []
    with tarfile.open(fileobj=io.BytesIO(source)) as tar:
        for i, member in enumerate(m for m in tar.getmembers() if m.isfile()):
            data = tar.extractfile(member).read()
            files.append({"SPDXID": f"SPDXRef-File-{i}", "fileName": "./" + member.name.split("/", 1)[1],
                          "checksums": [{"algorithm": a, "checksumValue": hashlib.new(a, data).hexdigest()}
                                        for a in ("SHA1", "SHA256")]})
    codes = sorted(f["checksums"][0]["checksumValue"] for f in files)
    own = {"name": "mote", "SPDXID": "SPDXRef-mote", "versionInfo": number, "downloadLocation": "NOASSERTION",
           "filesAnalyzed": True, "licenseConcluded": "MIT", "licenseDeclared": "MIT",
           "copyrightText": "Copyright (c) the Mote authors",
           "packageVerificationCode": {"packageVerificationCodeValue": hashlib.sha1("".join(codes).encode()).hexdigest()}}
    others = [{"name": n, "SPDXID": f"SPDXRef-{n.replace('_', '-')}", "downloadLocation": "NOASSERTION",
               "filesAnalyzed": False, "licenseConcluded": LICENCES[n], "licenseDeclared": LICENCES[n],
               "copyrightText": "NOASSERTION"} for n in links()]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-mote")]
    relations += [("SPDXRef-mote", "CONTAINS", f["SPDXID"]) for f in files]
    relations += [(o["SPDXID"], "OPTIONAL_DEPENDENCY_OF", "SPDXRef-mote") for o in others]
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{hashlib.sha256(source).hexdigest()}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment)),
                         "creators": ["Tool: mote tools/dist.py"]},
        "packages": [own, *others], "files": files,
        "relationships": [{"spdxElementId": a, "relationshipType": t, "relatedSpdxElement": b} for a, t, b in relations],
    }, indent=1).encode() + b"\n"


def made():
    """{name: bytes} of all but the sums."""
    number, moment = version(), int(git("log", "-1", "--format=%ct"))
    name = f"mote-{number}"
    source = git("-c", "tar.umask=0022", "archive", "--format=tar", f"--prefix={name}/", "HEAD")
    files = {f"{name}.tar.xz": lzma.compress(source, preset=9)}
    for profile in ONE_FILE:
        files[f"{name}-{profile}.tar.gz"] = one_file(profile, name, moment)
    files[f"{name}.spdx.json"] = spdx(name, number, source, moment)
    return files


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--out", default=os.path.join(ROOT, "build", "dist"))
    out = ap.parse_args().out
    changed = git("status", "--porcelain", "--untracked-files=no", text=True)
    if changed:
        sys.exit(f"dist.py: these changes are of no commit:\n{changed}")
    files = made()
    files["SHA256SUMS"] = "".join(f"{hashlib.sha256(files[n]).hexdigest()}  {n}\n" for n in sorted(files)).encode()
    os.makedirs(out, exist_ok=True)
    for name, data in files.items():
        with open(os.path.join(out, name), "wb") as f:
            f.write(data)
        print(f"{len(data):10,} {os.path.join(out, name)}")


if __name__ == "__main__":
    main()
