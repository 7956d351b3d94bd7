"""A server for the figures that wants Digest (RFC 7616, MD5, qop=auth) from user "me", password "secret", and checks it."""
import hashlib
import re

import listener

BODY = b"hello world\n"
CHALLENGE = b'WWW-Authenticate: Digest realm="figures", nonce="5ca1ab1e", qop="auth", algorithm=MD5\r\n'


def md5(*words):
    return hashlib.md5(":".join(words).encode()).hexdigest()


def good(head):
    """Whether a request's head has the right response."""
    field = re.search(r"^Authorization: Digest (.*)\r$", head, re.M)
    p = {k: a or b for k, a, b in re.findall(r'(\w+)=(?:"([^"]*)"|([^",\s]+))', field.group(1))} if field else {}
    method, target = head.split(" ")[:2]
    return p.get("uri") == target and p.get("response") == md5(
        md5("me", "figures", "secret"), "5ca1ab1e", p.get("nc", ""), p.get("cnonce", ""), "auth", md5(method, target))


class Server(listener.Server):
    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def serve(self, client):
        with client.makefile("rb") as lines:
            for first in lines:
                head = first.decode("latin-1") + "".join(line.decode("latin-1") for line in iter(lines.readline, b"\r\n"))
                passes = good(head)
                client.sendall(b"HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n%s" % (
                    b"200 OK" if passes else b"401 Unauthorized", b"" if passes else CHALLENGE, len(BODY), BODY))
