"""What a test of the suite needs, read from its file, and which of it the library under test does not have.

Nothing here names a test. A part that is not built is known by an option of its own that docs/compat.md does not call
"works" or "differs", by an authentication method that curl_easy_setopt refuses, or by a protocol or feature that
`curl --version` does not show; a test needs a part when its features, servers, keywords, command or program say so.
"""
import collections
import ctypes
import os
import re

COMPAT_ROW = re.compile(r"^\| (CURLOPT_\w+) \| ([a-z]+) \|", re.M)
WORKING = ("works", "differs")

# A part of libcurl: its name in the ledger, the option or authentication bit that shows whether it is built, and what
# of a test says that it needs it: words of <features>, the beginnings of <server> and <keywords>, a pattern on the
# command's text, a pattern on a test program's source.
Part = collections.namedtuple("Part", "name witness features servers keywords command program disabled",
                              defaults=((), (), (), None, None, None))
PARTS = [
    Part("cookies", "COOKIEJAR", ("cookies",), (), ("cookies", "cookiejar", "cookie "),
         r"(^|\s)(-c|--cookie-jar|-j|--junk-session-cookies)\b|(^|\s)(-b|--cookie) (?![^\s]*=)",
         r"CURLOPT_COOKIE(FILE|JAR|LIST|SESSION)|LOCK_DATA_COOKIE|INFO_COOKIELIST", "cookies"),
    Part("proxies", "HTTPPROXYTUNNEL", ("proxy",), ("http-proxy", "https-proxy", "socks"),
         ("http proxy", "proxy", "proxytunnel", "socks", "https-proxy", "http connect"),
         r"(^|\s)(-x|-p|--proxy\S*|--preproxy|--socks\S+|--noproxy|-U)\b", r"CURLOPT_(HTTP|PRE_)?PROXY|NOPROXY",
         "proxy"),
    Part("forms", "MIMEPOST", ("Mime",), (), ("http formpost", "http mime", "mime", "multipart", "form"),
         r"(^|\s)(-F|--form\S*)\b", r"curl_mime_|curl_form(add|get|free)|CURLOPT_(MIMEPOST|HTTPPOST)", "Mime"),
    Part("netrc", "NETRC", ("netrc",), (), ("netrc",), r"(^|\s)(-n|--netrc\S*)\b", r"CURLOPT_NETRC", "netrc"),
    Part("HSTS", "HSTS", ("HSTS",), (), ("hsts",), r"(^|\s)--hsts\b", r"CURLOPT_HSTS"),
    Part("alt-svc", "ALTSVC", ("alt-svc",), (), ("alt-svc",), r"(^|\s)--alt-svc\b", r"CURLOPT_ALTSVC"),
    Part("DNS over HTTPS", "DOH_URL", ("DoH",), (), ("doh",), r"(^|\s)--doh-url\b", r"CURLOPT_DOH_", "DoH"),
    Part("aws-sigv4", "AWS_SIGV4", (), (), ("curlopt_aws_sigv4",), r"(^|\s)--aws-sigv4\b", r"CURLOPT_AWS_SIGV4"),
    Part("WebSocket", "WS_OPTIONS", ("ws",), ("ws",), ("websockets",), None, r"curl_ws_|CURLOPT_WS_"),
    Part("HAProxy", "HAPROXYPROTOCOL", (), (), ("haproxy",), r"(^|\s)--haproxy-\S+", r"CURLOPT_HAPROXY"),
    Part("digest", 2, (), (), ("http digest auth",), r"(^|\s)(--digest|--anyauth)\b", r"CURLAUTH_DIGEST"),
    Part("NTLM", 8, ("NTLM",), (), ("http ntlm auth", "ntlm"), r"(^|\s)--ntlm\b", r"CURLAUTH_NTLM"),
    Part("Negotiate", 4, ("SPNEGO", "Kerberos", "GSS-API"), (), ("http negotiate auth",), r"(^|\s)--negotiate\b",
         r"CURLAUTH_(GSS)?NEGOTIATE"),
]
# Features that are no part of a library: another system, a build for its own developers, what the suite itself lacks.
OTHER_BUILD = {"debug", "unittest", "TrackMemory", "win32", "MinGW", "Unicode", "hyper"}
PROTOCOLS = set("""dict file ftp ftps gopher gophers http https httptls imap imaps ldap mqtt pop3 pop3s rtsp scp
  sftp smb smbs smtp smtps telnet tftp ws wss""".split())
NAMES = {"httptls": "TLS-SRP", "crypto": "digest", "h2c": "HTTP/2", "http/2": "HTTP/2", "http/3": "HTTP/3",
         "nghttpx": "HTTP/2", "nghttpx-h3": "HTTP/3"}


class Case:
    """One test file: the lists of words of some of its sections."""

    def __init__(self, number, text, program_source=""):
        self.number, self.text, self.program_source = number, text, program_source
        client = self.section("client") or ""
        self.features = self.words("features", client)
        self.servers = self.words("server", client)
        self.keywords = [w.lower() for w in self.words("keywords", self.section("info") or "")]
        self.command = self.section("command", client) or ""
        self.precheck = self.section("precheck", client) or ""
        self.environment = self.section("setenv", client) or ""
        self.tool = (self.section("tool", client) or "").strip()
        kind = re.search(r'<command\b[^>]*\btype="(\w+)"', client)
        self.kind = kind.group(1) if kind else ""

    def section(self, name, text=None):
        found = re.search(rf"<{name}\b[^>]*>(.*?)</{name}>", self.text if text is None else text, re.S)
        return found.group(1) if found else None

    def words(self, name, text):
        """The lines of a section. Conditions of the suite's preprocessor (%if) are not needs."""
        lines = (line.strip() for line in (self.section(name, text) or "").splitlines())
        return [line for line in lines if line and line[0] not in "%#"]


def load(folder):
    """Every test of the suite's tests folder -> {number: Case}."""
    cases = {}
    data = os.path.join(folder, "data")
    for name in os.listdir(data):
        if re.fullmatch(r"test\d+", name):
            number = int(name[4:])
            case = Case(number, read(os.path.join(data, name)))
            source = os.path.join(folder, "libtest", case.tool + ".c")
            if case.tool and os.path.exists(source):
                case.program_source = strip_comments(read(source))
            cases[number] = case
    return cases


def read(path):
    with open(path, encoding="latin-1") as f:
        return f.read()


def strip_comments(source):
    return re.sub(r"/\*.*?\*/", " ", source, flags=re.S)


def disabled(folder):
    """The tests that the suite itself leaves out everywhere (tests/data/DISABLED outside of its conditions)."""
    numbers, depth = set(), 0
    for line in read(os.path.join(folder, "data", "DISABLED")).splitlines():
        depth += line.startswith("%if") - line.startswith("%endif")
        if depth == 0 and re.fullmatch(r"\d+", line.strip()):
            numbers.add(int(line))
    return numbers


class Built:
    """What the library under test has."""

    def __init__(self, version_text, compat_text, refuses_auth):
        """version_text: of `curl --version`; compat_text: docs/compat.md; refuses_auth(bit): of CURLOPT_HTTPAUTH."""
        found = dict(re.findall(r"^(Protocols|Features): (.*)$", version_text, re.M))
        self.protocols = set(found.get("Protocols", "").lower().split())
        self.features = set(found.get("Features", "").split())
        self.options = dict(COMPAT_ROW.findall(compat_text))
        self.missing = [p for p in PARTS if self.lacks_part(p, refuses_auth)]

    def lacks_part(self, part, refuses_auth):
        if isinstance(part.witness, int):
            return refuses_auth(part.witness)
        return self.options["CURLOPT_" + part.witness] not in WORKING

    def suite_disabled(self):
        """The names that the suite's own `disabled` program would print."""
        return [p.disabled for p in self.missing if p.disabled]

    def lacking_protocol(self, server):
        """The protocol of a server's name in <server>, if it is not built; proxies are none."""
        name = re.sub(r"[-+].*", "", server)
        if name in ("http/2", "http/3"):
            return None if name.upper().replace("/", "") in self.features else name.upper()
        if name in self.protocols or name not in PROTOCOLS:
            return None
        return NAMES.get(name, name.upper())

    def lacking(self, case):
        """The part that a test needs and that is not built, or None."""
        for word in [*case.servers, *(f for f in case.features if f in PROTOCOLS)]:
            protocol = self.lacking_protocol(word.split()[0].lower())
            if protocol:
                return protocol
        for part in self.missing:
            if needs(part, case):
                return part.name
        for name in sorted(set(re.findall(r"CURLOPT_\w+", case.program_source))):
            if self.options.get(name, "works") == "refused":
                return name
        return None


def needs(part, case):
    """Does the test need this part?"""
    if set(part.features) & set(case.features):
        return True
    if any(s.startswith(part.servers) for s in case.servers if part.servers):
        return True
    if any(k == w or k.startswith(w + " ") or w.endswith(" ") and k.startswith(w)
           for k in case.keywords for w in part.keywords):
        return True
    if part.name == "proxies" and re.search(r"^\w*_proxy=", case.environment, re.M | re.I):
        return True
    if part.command and not case.tool and re.search(part.command, case.command):
        return True
    return bool(part.program and re.search(part.program, case.program_source))


def not_of_a_library(case, suite_disabled):
    """Why a test says nothing about a swapped library, or None."""
    if case.number in suite_disabled:
        return "disabled in the suite"
    for feature in case.features:
        if feature in OTHER_BUILD:
            return f"needs {feature}"
    if case.tool.startswith("unit") or "unittest" in case.keywords:
        return "needs unittest"
    if case.kind in ("perl", "shell") and "%CURL" not in case.command:
        return "runs no library"
    return None


def lacked_feature(why):
    """The runner's reason for leaving a test out -> the part that is not built, or None when it is another reason."""
    found = re.match(r"curl lacks (\S+)( server)? support", why)
    if not found:
        return None
    return NAMES.get(found.group(1), found.group(1).upper() if found.group(2) else found.group(1))


def auth_refused(library):
    """A function that asks the library whether it refuses an authentication method."""
    handle_type = ctypes.c_void_p
    loaded = ctypes.CDLL(library)
    loaded.curl_easy_init.restype = handle_type
    loaded.curl_easy_setopt.argtypes = [handle_type, ctypes.c_int, ctypes.c_long]
    loaded.curl_easy_cleanup.argtypes = [handle_type]

    def refuses(bit):
        handle = loaded.curl_easy_init()
        code = loaded.curl_easy_setopt(handle, 107, bit)  # CURLOPT_HTTPAUTH
        loaded.curl_easy_cleanup(handle)
        return code != 0
    return refuses
