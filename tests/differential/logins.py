"""Random transfers with logins: challenges of servers and proxies, Digest above all. Functions take a random generator."""
import hashlib
import itertools
import re

USERS = ["u", "a b", 'q"\\q', "u@x", ""]     # ASCII: the newest percent-encodes others in the field, and not in the digest
PASSWORDS = ["p", "", "p:q", "a%20b", "\u00e4"]
METHODS = ["GET", "POST", "PUT", "HEAD", "FOO", "CONNECT", "DELETE"]
HASHES = {"md5": "md5", "sha-256": "sha256", "sha-512-256": "sha512_256"}
FIELD = re.compile(r'(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^",\s]*))(?:, *|$)')

# ---- what a client sends ----

DIGEST = re.compile(rb"(?im)^((?:Proxy-)?Authorization: Digest )([^\r\n]*)")


def answered(m):
    """A field of Digest, with what its digest is of in place of the digest, and without the client's random text. The
    uri is in the field; the method, the login and the realm as it was meant are found by trying."""
    text = m[2].decode("utf-8", "surrogateescape")
    p = {x[1]: x[3] if x[2] is None else x[2] for x in FIELD.finditer(text)}
    algorithm = p.get("algorithm", "MD5").lower()
    if "response" not in p or algorithm.removesuffix("-sess") not in HASHES:
        return m[0]
    name = HASHES[algorithm.removesuffix("-sess")]
    said = next((x for x in itertools.product(METHODS, USERS, PASSWORDS, (False, True)) if response(p, name, algorithm, *x) == p["response"]),
                ("nothing",))
    text = re.sub(r'response="\w*"', "response=of " + " ".join(map(repr, said[:3])), text)
    text = re.sub(r'cnonce="[^"]*"', lambda c: f'cnonce={len(c[0])}', text)
    return m[1] + text.encode("utf-8", "surrogateescape")


def response(p, name, algorithm, method, user, password, plain):
    """The digest of RFC 7616 section 3.4.1; plain: without the backslashes of the realm and of the user."""
    def h(*texts):
        return hashlib.new(name, ":".join(texts).encode("utf-8", "surrogateescape")).hexdigest()
    realm = re.sub(r"\\(.)", r"\1", p.get("realm", "")) if plain else p.get("realm", "")
    secret = h(user, realm, password)
    if algorithm.endswith("-sess"):
        secret = h(secret, p.get("nonce", ""), p.get("cnonce", ""))
    rest = [p["nc"], p["cnonce"], p["qop"]] if "qop" in p and "nc" in p and "cnonce" in p else []
    return h(secret, p.get("nonce", ""), *rest, h(method, p.get("uri", "")))


# ---- what servers ask ----

def digest(r, last):
    """The parameters of a challenge. None that offers auth-int alone, which ours refuses (docs/compat.md). One that is not
    fit to be answered only in a case with one transfer: the newest sends half of an answer with the next."""
    some = [("realm", r.choice(['"r"'] * 6 + ['""', '"two words"', '"a\\"b"', "r", '"r,s"']))] * (r.random() < 0.95)
    some += [("nonce", r.choice(['"abc"', '"0123456789abcdef"', '"A=="', "token"]))] * (r.random() < 0.96 or not last)
    some += [("qop", r.choice(['"auth"'] * 5 + ["auth", '"auth,auth-int"', '"auth-int, auth"', '"AUTH"', *['"x"', '""'] * last]))] * (r.random() < 0.8 or not last)
    some += [("algorithm", r.choice(["MD5", "SHA-256", "SHA-512-256", "MD5-sess", "SHA-256-sess", "md5", '"MD5"', '"SHA-256"', *["x"] * last]))] * (r.random() < 0.6)
    some += [("opaque", r.choice(['"o"', '""', '"a=b"', "o"]))] * (r.random() < 0.4)
    some += [("stale", r.choice(["true", "false", "TRUE", '"true"']))] * (r.random() < 0.25)
    some += [("userhash", r.choice(["true", "false"]))] * (r.random() < 0.1)
    some += [r.choice([("domain", '"/"'), ("charset", "UTF-8"), ("x", "y"), ("foo", '"a, b"')])] * (r.random() < 0.2)
    if r.random() < 0.3:
        r.shuffle(some)
    return r.choice([", "] * 8 + [","]).join(f"{name}={value}" for name, value in some)


def offered(r):
    """The schemes that a server asks for each time: no two of Digest, of which ours takes the first that it can."""
    others = [r.choice(['Basic realm="x"', "Basic", "Bearer", "Foo a=b"]) for _ in range(r.choice([0] * 6 + [1, 1, 2]))]
    some = [r.choice(["Digest"] * 9 + ["digest"])] * (r.random() < 0.95 or not others) + others
    r.shuffle(some)
    return some


def refusal(r, status, schemes, last=True):
    """401 or 407, and why."""
    name = "WWW" if status == 401 else "Proxy"
    values = [f"{s} {digest(r, last)}" if s.lower() == "digest" else s for s in schemes]
    if r.random() < 0.1:
        values = [", ".join(values)]
    return [f"HTTP/1.1 {status} No", *[f"{name}-Authenticate: {v}" for v in values]]


def answer(r, status, schemes, alone):
    fields, body = [f"HTTP/1.1 {status} X"], r.choice([b"", b"x", b"hello"])
    if status in (401, 407):
        fields = refusal(r, status, schemes, alone)
    if status in (301, 302, 307):
        fields.append("Location: " + r.choice(["/g1/b", "/g1?c=d", *["http://127.0.0.2/g1", "http://127.0.0.1:8080/g1",
                                                                        "http://a%20b:p@127.0.0.1/g1"] * alone]))
    if r.random() < 0.1 and status == 200:
        fields.append(r.choice(["Authentication-Info: ", "Proxy-Authentication-Info: "]) + 'nextnonce="n"')
    if r.random() < 0.15:
        fields.append("Connection: close")
    return ["answer", "1", "body", "0", "close" if fields[-1] == "Connection: close" else "keep",
            "\r\n".join([*fields, f"Content-Length: {len(body)}"]).encode() + b"\r\n\r\n" + body]


def opened(r, schemes):
    """What a proxy says to CONNECT."""
    if r.random() < 0.5:
        return ["answer", "0", "body", "0", "keep", b"HTTP/1.1 200 OK\r\n\r\n"]
    close = r.random() < 0.3
    fields = [*refusal(r, 407, schemes), "Content-Length: 1", *["Connection: close"] * close]
    return ["answer", "0", "body", "0", "close" if close else "keep", "\r\n".join(fields).encode() + b"\r\n\r\nx"]


SCHEMES = [2] * 6 + [3, 3, ~16, ~16, ~17, 66, 1]     # none with CURLAUTH_ONLY: of it ours begins again elsewhere (docs/compat.md)


def login(r, prefix=""):
    """Options that say who asks."""
    user, password = r.choice(USERS[:1] * 5 + USERS), r.choice(PASSWORDS[:1] * 5 + PASSWORDS)
    password = password if user else "p"     # an empty login is none; the newest shows a scheme that was used nevertheless
    if ":" in user or r.random() < 0.3:
        return [["set", "0", prefix + "USERNAME", "s", user], ["set", "0", prefix + "PASSWORD", "s", password]]
    return [["set", "0", prefix + "USERPWD", "s", f"{user}:{password}"]]


def method(r):
    size = r.choice([0, 1, 5, 30])
    body = ["body", "0", b"0123456789" * 3]
    return r.choice([[]] * 6 + [[["set", "0", "POSTFIELDS", "p", b"a=b" * r.choice([1, 700])]], [["set", "0", "NOBODY", "l", "1"]],
                                [["set", "0", "CUSTOMREQUEST", "s", r.choice(["FOO", "DELETE"])]],
                                [["set", "0", "UPLOAD", "l", "1"], [*body[:2], body[2][:size]], ["cb", "0", "seek"], ["set", "0", "INFILESIZE_LARGE", "l", str(size)]]])


def several(r, lines, transfers, schemes, proxied, token):
    """The answers to some transfers. Each of the first ones asks once, as what a library remembers of a challenge that it
    did not answer is its own (docs/compat.md). So is whether another scheme takes the place of one that cannot be answered."""
    alone = transfers == 1 and not token
    for left in range(transfers - 1, -1, -1):
        lines += [opened(r, schemes) for _ in range(3 * proxied)]
        if r.random() < 0.15:
            lines.append(answer(r, r.choice([301, 302, 307]), schemes, alone))
        for _ in range(r.choice([0, 1, 1, 1, 1, 2]) if not left else 1):
            lines.append(answer(r, r.choice([401] * 4 + [407] * proxied * 4 + [307] * (not left)), schemes, alone))
        lines.append(answer(r, r.choice([200] * 5 + [404, 401]) if not left else 200, schemes, alone))
    return lines


def logins(r):
    """A case: a transfer or two to a server that asks for a login, through a proxy that does, or both."""
    proxied, user = r.random() < 0.3, r.choice([""] * 8 + ["u:p@", "a%20b:p%3aq@"])
    transfers, token = r.choice([1, 1, 1, 2] if not proxied else [1]), r.random() < 0.1
    transfers = 1 if token else transfers
    lines = several(r, [["way", r.choice(["easy"] * 5 + ["poll", "socket"])], ["set", "0", "FOLLOWLOCATION", "l", "1"]],
                    transfers, offered(r), proxied, token)
    if proxied:
        lines += [["set", "0", "PROXY", "s", r.choice(["127.0.0.9:3128", "http://u:p@127.0.0.9:3128"])]]
        lines += login(r, "PROXY")
        lines += [["set", "0", "PROXYAUTH", "l", str(r.choice(SCHEMES))]]
        lines += [["set", "0", "HTTPPROXYTUNNEL", "l", "1"]] * (r.random() < 0.4)
    lines += login(r) * (r.random() < 0.95 or transfers > 1)
    lines += [["set", "0", "HTTPAUTH", "l", str(r.choice([~16, ~17, 66] if token else SCHEMES))]]
    for name, value, share in (("FAILONERROR", "1", .1), ("HTTP_VERSION", "1", .05), ("PATH_AS_IS", "1", .05),
                               ("KEEP_SENDING_ON_ERROR", "1", .05)):
        lines += [["set", "0", name, "l", value]] * (r.random() < share)
    lines += [["set", "0", "XOAUTH2_BEARER", "s", "token"]] * token
    body = method(r) if not proxied else []
    if body and body[0][2] in ("POSTFIELDS", "UPLOAD"):
        # after a server that has taken the request without a body the newest sends it at once to where it is redirected; ours asks
        lines = [x for x in lines if x[0] != "answer" or b"Location" not in x[5]]
    lines += body
    for _ in range(transfers):
        lines.append(["set", "0", "URL", "s", f"http://{user}127.0.0.1/g1" + r.choice(["", "/a", "?q=1", "/a/../b?c", "/%41", "/x;y,z"])])
        lines.append(["perform", "0"])
    return lines
