"""What a handle keeps between its transfers to save work (its connection's key, the route, a netrc file's login, hosts of
HSTS, proxies of the environment, TLS configurations and sessions) is still true when it is used.

Each case is random, of a seed. Between two transfers of a handle one thing changes: an option, what its share knows, a
file or a variable of the environment. Then the handle makes its request again, and so does a fresh handle on which the
same options were set: the server must see the same from both, request and connection, and the results must be equal."""

import os
import random

import pytest

from mote_driver import (LOCK_CONNECT, LOCK_COOKIE, LOCK_DNS, LOCK_HSTS, LOCK_SSL_SESSION, SYSTEM, TLS_MAX_1_2, WAYS)
from recorder import Recorder, server_context

pytestmark = pytest.mark.skipif(SYSTEM, reason="compares our library with itself")

HOSTS = ("a.wild.test", "b.wild.test")
GROUPS = 24 if os.environ.get("MOTE_E2E_WAYS", "all") != "all" else 64  # of CASES each
CASES = 8
SEED = os.environ.get("MOTE_E2E_SEED", "1")
FAR = '"20790101 00:00:00"'


@pytest.fixture(scope="module")
def recorder(certs):
    r = Recorder(server_context(certs, "wildcard"))
    yield r
    r.close()


class Case:
    def __init__(self, seed, recorder, certs, folder):
        self.rng = random.Random(seed)
        self.recorder, self.certs, self.folder = recorder, certs, folder
        self.ports = recorder.ports
        self.did = []
        self.env = {}
        self.options = {}
        folder.mkdir()
        for name in ("netrc", ".netrc", "hsts", "cookies"):
            (folder / name).write_text("")
        self.copy("ca", "ca.pem")
        self.copy("client", "client.pem")

    # ---- files: the text is in place at once

    def put(self, name, text):
        (self.folder / (name + ".new")).write_text(text)
        os.replace(self.folder / (name + ".new"), self.folder / name)
        self.did.append(f"{name}: {text[:60]!r}")

    def add(self, name, line):
        with open(self.folder / name, "a") as f:
            f.write(line + "\n")
        self.did.append(f"{name} gets {line!r}")

    def copy(self, name, of):
        self.put(name, open(self.certs.path(of)).read())

    # ---- what a case begins with

    def url(self):
        host = self.rng.choice(HOSTS + HOSTS[:1] * 4)
        user = self.rng.choice(["", "", "", "u@", "v:w@"])
        if self.mail:
            return f"pop3://{user}{host}:{self.ports['mail']}/1"
        path = self.rng.choice(["", "", "x", "auth"])
        scheme = self.rng.choice(["http"] * 3 + ["https"])
        return f"{scheme}://{user}{host}:{self.ports['origin']}/{path}"

    def begin(self):
        r = self.rng
        self.theme = r.randrange(12)
        self.mail = r.random() < .25
        self.recorder.closing = r.random() < .3
        self.options = {
            "URL": self.url(), "CAINFO": self.folder / "ca", "CA_CACHE_TIMEOUT": 0, "TIMEOUT": 30,
            "RESOLVE": [f"{h}:{p}:127.0.0.1" for h in HOSTS for p in (self.ports["origin"], self.ports["mail"], self.ports["other"])],
        }
        if r.random() < (.9 if self.mail else .5):
            self.options.update(NETRC=r.choice([1, 2]), NETRC_FILE=r.choice([self.folder / "netrc", self.folder / "netrc", None]))
        if r.random() < .5:
            self.options["HSTS"] = self.folder / "hsts"
        if r.random() < .4:
            self.options["COOKIEFILE"] = self.folder / "cookies"
        if r.random() < .2:
            self.options.update(SSLCERT=self.folder / "client", SSLKEY=self.certs.path("client.key"))
        self.shared = [n for n in (LOCK_COOKIE, LOCK_HSTS, LOCK_DNS, LOCK_SSL_SESSION, LOCK_CONNECT) if r.random() < .4]
        if LOCK_CONNECT in self.shared and r.random() < .8:
            self.shared.remove(LOCK_CONNECT)

    # ---- changes

    def by_option(self, d):
        r, old = self.rng, self.options
        proxy = f"127.0.0.1:{self.ports['proxy']}"
        name, value = r.choice([
            ("URL", self.url()), ("URL", self.url()), ("URL", old["URL"]), ("USERPWD", r.choice(["o:p", "o:q", None])),
            ("PROXY", r.choice([proxy, "", None])), ("PROXYUSERPWD", r.choice(["p:p", "p:q", None])),
            ("HTTPPROXYTUNNEL", r.choice([0, 1])), ("NOPROXY", r.choice(["a.wild.test", ".wild.test", "*", "b.wild.test", None])),
            ("NETRC", r.choice([0, 1, 2])), ("NETRC_FILE", r.choice([self.folder / "netrc", None])),
            ("HTTPAUTH", r.choice([1, 1, 0xffffffef, 2])), ("COOKIE", r.choice(["own=1", None])),
            ("HTTPHEADER", r.choice([["X-Own: 1"], ["Authorization: own"], None])), ("USERAGENT", r.choice(["me", None])),
            ("SSL_VERIFYPEER", r.choice([0, 1])), ("SSLVERSION", r.choice([0, TLS_MAX_1_2])),
            ("SSLCERT", r.choice([self.folder / "client", None])), ("SSLKEY", self.certs.path("client.key")),
            ("CONNECT_TO", r.choice([[f"::127.0.0.1:{self.ports['mail' if self.mail else 'other']}"], None])), ("FRESH_CONNECT", r.choice([0, 1])),
            ("PORT", r.choice([0, self.ports["mail" if self.mail else "other"]])), ("FORBID_REUSE", r.choice([0, 1])),
            ("PROTOCOLS_STR", r.choice(["http,https,pop3", "https"])),
        ])
        if value is None and name not in old:
            return
        old[name] = value
        d.setopt("h", **{name: value})
        self.did.append(f"{name}={value}")

    def by_share(self, d):
        path = self.rng.choice(["sts", "sts", "cookie" if "HSTS" in self.options else "nosts", "cookie"])  # a fresh one reads the file
        scheme = "https" if "sts" in path else self.rng.choice(["http", "https"])
        url = f"{scheme}://{self.rng.choice(HOSTS)}:{self.ports['origin']}/{path}"
        self.did.append(f"another handle of the share gets {url}")
        self.perform(d, "g", URL=url, SSL_VERIFYPEER=0, SHARE="s", RESOLVE=self.options["RESOLVE"], PROXY="")

    def by_file(self, d):
        r = self.rng
        what = r.choice(["netrc", "netrc", ".netrc", "hsts", "hsts", "cookies"] + ["ca", "client"] * self.recorder.closing)
        if what.endswith("netrc"):
            host, user, password = r.choice(HOSTS[:1] * 3 + HOSTS), r.choice(["n1", "n2"]), r.choice(["p1", "p2"])
            self.put(what, r.choice([""] + [f"machine {host} login {user} password {password}\n"] * 3))
        elif what == "hsts":
            self.add(what, f"{r.choice(HOSTS)} {FAR}")
        elif what == "cookies":
            self.add(what, "\t".join([r.choice(HOSTS), "FALSE", "/", r.choice(["TRUE", "FALSE"]), "0", "c" + r.choice("12"), "v"]))
        elif what == "ca":
            self.copy(what, r.choice(["ca.pem", "ca2.pem"]))
        else:
            self.copy(what, r.choice(["client.pem", "garbage.pem"]))

    def by_environment(self, d):
        r = self.rng
        proxy = f"http://{r.choice(['', 'e:f@'])}127.0.0.1:{self.ports['proxy']}"
        name, value = r.choice([
            ("http_proxy", proxy), ("http_proxy", proxy), ("http_proxy", None), ("https_proxy", proxy), ("https_proxy", None),
            ("all_proxy", proxy), ("all_proxy", None), ("NO_PROXY", r.choice(["a.wild.test", "b.wild.test", "*"])),
            ("NO_PROXY", None), ("HOME", r.choice([self.folder, "/nonexistent"])),
            ("NETRC", r.choice([self.folder / "netrc", None])),
        ])
        d.do("setenv", name, *([] if value is None else [value]))
        self.did.append(f"{name}={value} in the environment")

    def change(self, d):
        ways = [self.by_option, self.by_file, self.by_environment] + [self.by_share] * bool(self.shared)
        self.rng.choice(ways if self.rng.random() < .3 else [ways[self.theme % len(ways)]])(d)

    # ---- transfers

    def perform(self, d, name, **options):
        """A handle with these options, or `h` as it is. What the server saw, and the result."""
        if options:
            d.easy(name, **{k: v for k, v in options.items() if v is not None})
        d.perform(name)
        result = d.expect("result", name)
        if options:
            d.do("cleanup", name)
        return self.recorder.take(), int(result[2])

    def run(self, drive):
        self.begin()
        d = drive(self.rng.choice(["easy"] * 5 + WAYS), seconds=60)
        d.do("share", "s")
        for data in self.shared:
            d.do("sharesetopt", "s", "SHARE", data)
        share = {"SHARE": "s"} if self.shared else {}
        d.easy("h", **{k: v for k, v in {**self.options, **share}.items() if v is not None}).start()
        for turn in range(self.rng.randint(3, 6)):
            for again in range(self.rng.choice([1, 1, 2])):
                mine, code = self.perform(d, "h")
                self.did.append(f"transfer: {code}")
            fresh, expected = self.perform(d, "f", **self.options, **share)
            said = "\n".join([*map(str, self.options.items()), f"closing {self.recorder.closing}, shared {self.shared}", *self.did,
                              f"mine  {code} {mine}", f"fresh {expected} {fresh}"])
            assert code == expected, said
            assert mine[-1:] == fresh[-1:], said
            assert all(q in fresh for q in mine), said
            self.change(d)
        d.do("cleanup", "h")
        d.end()


@pytest.mark.parametrize("group", range(GROUPS))
def test_a_handle_and_a_fresh_one(drive, recorder, certs, tmp_path, group):
    for number in range(CASES):
        seed = f"{SEED}.{group}.{number}"
        Case(seed, recorder, certs, tmp_path / seed).run(drive)
