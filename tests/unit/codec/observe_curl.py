#!/usr/bin/env python3
"""What the system's curl does with the responses of data/http1.txt, http1_response.txt and chunked.txt.

Each case is served twice to one curl process with two URLs. One line per case: table, name, what this library
does (exit code, connection reused or closed), what curl does, and "differs" where the two are not the same.
    observe_curl.py            prints the lines
    observe_curl.py --check    compares them with data/observed-curl.tsv (made with curl 7.88.1)
Cases that a head alone does not decide (codings) are left out.
"""
import os
import re
import socket
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", ".."))
import listener  # noqa: E402

DATA = os.path.join(HERE, "data")
CURL = os.environ.get("CURL", "/usr/bin/curl")
ESCAPES = {"r": b"\r", "n": b"\n", "t": b"\t", "0": b"\0", "\\": b"\\"}


def cases(table):
    with open(os.path.join(DATA, table + ".txt"), encoding="ascii") as f:
        blocks = re.split(r"\n\s*\n", f.read())
    for block in blocks:
        case = {"out": []}
        for line in block.splitlines():
            if line.startswith("#") or not line.strip():
                continue
            key, _, text = line.partition(":")
            text = text[1:] if text.startswith(" ") else text
            if key == "out":
                case["out"].append(text)
            else:
                case[key] = text
        if "name" in case:
            yield case


def unescape(text):
    out = b""
    pattern = re.compile(r"\\\*(\d+)\((.)\)|\\x([0-9a-f]{2})|\\([rnt0\\])|(.)", re.S)
    for times, byte, code, short, plain in pattern.findall(text):
        if times:
            out += byte.encode() * int(times)
        elif code:
            out += bytes([int(code, 16)])
        elif short:
            out += ESCAPES[short]
        else:
            out += plain.encode()
    return out


class Server(listener.Server):
    """Answers each request on each connection with the same bytes; closes if `close` is set."""

    patience = 3

    def __init__(self, response, close):
        super().__init__()
        self.response = response
        self.close = close

    def serve(self, client):
        data = b""
        while True:
            while b"\r\n\r\n" not in data:
                piece = client.recv(65536)
                if not piece:
                    return
                data += piece
            data = data.split(b"\r\n\r\n", 1)[1]
            client.sendall(self.response)
            if self.close:
                client.shutdown(socket.SHUT_WR)


def ask(response, close, options):
    with Server(response, close) as server:
        urls = ["http://127.0.0.1:%d/%d" % (server.port, i) for i in (1, 2)]
        run = subprocess.run([CURL, "-s", "-m", "1", "-o", "/dev/null", "-o", "/dev/null", *options, *urls],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return run.returncode, "reuse" if server.used == 1 else "close"


def first_number(text):
    return int(re.search(r"\d+", text).group())


def head_case(case):
    """Response, must the server close, options, our code, our reuse."""
    last = case["out"][-1]
    code = 1 if last == "NOT_HTTP" else 0 if last.startswith("END") else first_number(last)
    return unescape(case.get("in", "")), True, [], code, "close"


def framing_case(case):
    last = case["out"][-1]
    response = unescape(case["in"])
    if "=" in last or "content=" in last or "CONNECT" in case.get("request", ""):
        return None
    options = []
    if "HEAD" in case.get("request", ""):
        options.append("-I")
    if "IGNORE_LENGTH" in case.get("request", ""):
        options.append("--ignore-content-length")
    if last.startswith("error"):
        body = b"x" * 6 if "Content-Length" in case["in"] else b""
        if "chunked" in case["in"].lower():
            body = b"5\r\nhello\r\n0\r\n\r\n"
        return response + body, False, options, first_number(last), "close"
    kind = last.split()[1]
    if kind == "CHUNKED":
        response += b"5\r\nhello\r\n0\r\n\r\n"
    elif kind == "LENGTH":
        length = first_number(last.split("LENGTH")[1])
        if length > 100:
            return None
        response += b"x" * length
    elif kind == "UNTIL_CLOSE":
        response += b"hello"
    return response, kind == "UNTIL_CLOSE", options, 0, "reuse" if " reuse" in last else "close"


def chunked_case(case):
    last = case["out"][-1]
    response = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + unescape(case.get("in", ""))
    if last.startswith("DONE"):
        clean = last == "DONE rest 0"
        return response, False, [], 0, "reuse" if clean else "close"
    return response, last.startswith("closed"), [], first_number(last), "close"


def main():
    lines = []
    for table, make in (("http1", head_case), ("http1_response", framing_case), ("chunked", chunked_case)):
        for case in cases(table):
            made = make(case) if "alias" not in case else None
            if not made:
                continue
            response, close, options, code, reuse = made
            theirs = ask(response, close, options)
            same = theirs[0] == code and (theirs[1] == reuse or code != 0)
            lines.append("%s\t%s\t%d %s\t%d %s\t%s\n" % (table, case["name"], code, reuse, *theirs,
                                                       "" if same else "differs"))
    if "--check" not in sys.argv:
        sys.stdout.writelines(lines)
        return 0
    with open(os.path.join(DATA, "observed-curl.tsv"), encoding="ascii") as f:
        known = [line for line in f if not line.startswith("#")]
    for line in set(lines) ^ set(known):
        print(("+" if line in lines else "-") + line, end="")
    return 0 if set(lines) == set(known) else 1


if __name__ == "__main__":
    sys.exit(main())
