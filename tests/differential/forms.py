"""Random forms: the parts of curl_mime_*() or curl_formadd(), and how they are sent. Functions take a random
generator."""

NAMES = ["a", "b c", "", 'q"x', "l\r\nm", "\u00e4", "a;b", "%22", "n\\m", "x" * 300]
DATA = [b"", b"x", b"hello", b"l\r\nm", bytes(range(256)), b"y" * 3000, b"=3D\n", b"t \t\r\n x", "\u00e4".encode(), b"a" * 76, b"b" * 77, b".\r\n"]
TYPES = ["text/plain", "", "application/json", "x", "text/html; charset=x", "multipart/mixed", "multipart/alternative", "image/png; a=b",
         "multipart/x; boundary=y", "message/rfc822", "text/plain\r\nX: y"]
ENCODERS = ["base64", "quoted-printable", "8bit", "7bit", "binary", "BASE64", "x", ""]
HEADERS = ["X-A: b", "X-B;", "Content-Type: text/x", "Content-Disposition: attachment", "Content-Transfer-Encoding: base64", "X-C:", "nonsense",
           "content-id: <x>", "Content-Disposition:", "X-D: l\r\n m"]
FILES = ["../../LICENSE", "../../tests/differential/open.tsv", "../../CMakePresets.json"]
FILENAMES = ["f.txt", "g.png", "", 'q"f', "h.html", "d/e.gif", "\u00e4.JPG", "x.xml", "l\nm", "n.unknown", "back\\slash"]


def part(r, form, depth):
    """A part, which always has content: one without is sent again by ours alone (docs/compat.md)."""
    lines = [["mime", form, "part"]]
    if r.random() < 0.9:
        lines.append(["mime", form, "name", r.choice(NAMES)])
    kind = r.random()
    if kind < 0.12 and depth < 3:
        child = str(int(form) + 1)
        lines += parts(r, child, depth + 1) + [["mime", form, "subparts", child]]
        # a boundary that is coded, be it in a part further in, is other bytes in each library
        return lines + [["mime", form, "encoder", r.choice(ENCODERS[2:5])]] * (r.random() < 0.2)
    elif kind < 0.22:
        lines.append(["mime", form, "filedata", r.choice(FILES)])
    elif kind < 0.34:
        data = r.choice(DATA[1:])
        lines.append(["mime", form, "reader", str(r.choice([len(data)] * 3 + [-1, -1])), data, str(r.choice([0, 0, 1, 10, 100] if len(data) < 1000 else [0, 1000])),
                      *["seek"] * (r.random() < 0.7)])
    else:
        lines += [["mime", form, "filedata", "/nonexistent/x"]] * (r.random() < 0.03) + [["mime", form, "data", r.choice(DATA)]]
    if r.random() < 0.3:
        lines.append(["mime", form, "type", r.choice(TYPES)])
    if r.random() < 0.3:
        lines.append(["mime", form, "filename", r.choice(FILENAMES)])
    if r.random() < 0.25:
        lines.append(["mime", form, "encoder", r.choice(ENCODERS)])
    if r.random() < 0.2:
        lines.append(["mime", form, "headers", *[r.choice(HEADERS) for _ in range(r.choice([1, 1, 2, 3]))]])
    if r.random() < 0.06:
        lines.append(["mime", form, r.choice(["name", "type", "filename", "encoder", "headers"])])
    return lines


def parts(r, form, depth=0):
    return [line for _ in range(r.choice([1, 1, 2, 3] + [0] * (depth == 0))) for line in part(r, form, depth)]


def answer(r):
    status = r.choice([200] * 6 + [307, 308, 302, 301, 303, 401, 404])
    fields = ["Content-Length: 1"]
    if 300 < status < 309:
        fields.append("Location: " + r.choice(["/b", "http://127.0.0.2/b"]))
    if status == 401:
        fields.append('WWW-Authenticate: Basic realm="x"')
    return "\r\n".join([f"HTTP/1.1 {status} X", *fields]).encode() + b"\r\n\r\nx"


def form_text(value):
    return b"s" + (value if isinstance(value, bytes) else value.encode())


def content(r):
    """The options of curl_formadd() that give a section its content, and what belongs to it."""
    kind, data = r.random(), r.choice(DATA)
    if kind < 0.5:
        sized = [[r.choice(["CONTENTSLENGTH", "CONTENTLEN"]), f"l{r.choice([0, len(data), len(data) // 2])}"]] * (r.random() < 0.5)
        return [[r.choice(["COPYCONTENTS", "PTRCONTENTS"]), form_text(data)], *sized]
    if kind < 0.6:
        return [["FILECONTENT", form_text(r.choice(FILES))]]
    if kind < 0.75:
        out = [["FILE", form_text(r.choice(FILES))] for _ in range(r.choice([1, 1, 2, 3]))]
        return out + [["FILENAME", form_text(r.choice(FILENAMES))]] * (r.random() < 0.4)
    if kind < 0.9:
        return [["BUFFER", form_text(r.choice(FILENAMES))], ["BUFFERPTR", form_text(data)],
                ["BUFFERLENGTH", f"l{r.choice([len(data), len(data), len(data) // 2])}"]]
    return [["STREAM", "h0"], ["CONTENTLEN", f"l{len(STREAMED)}"]] + [["FILENAME", form_text(r.choice(FILENAMES))]] * (r.random() < 0.5)


STREAMED = b"streamed\r\n"
# What is not there: FILENAME or BUFFER with NULL and a second CONTENTTYPE, for which the newest crashes, and content of two
# kinds, of which the manual says nothing.
ODD = [["COPYNAME", "n"], ["PTRCONTENTS", "n"], ["FILE", "n"], ["BUFFERPTR", "n"], ["CONTENTTYPE", "n"], ["CONTENTHEADER", "n"], ["STREAM", "n"],
       ["OBSOLETE", "n"], ["OBSOLETE2", "n"], ["NOTHING", "n"], ["ARRAY", "n"], ["LASTENTRY", "n"], ["FILECONTENT", "n"], ["COPYNAME", b"sother"],
       ["PTRNAME", b"sother"], ["FILENAME", b"sother.txt"], ["CONTENTHEADER", "zX-Other: y"], ["END", "n"]]


def section(r, odd):
    """A call of curl_formadd(): with odd one may be wrong. After a second file comes what is of that file alone."""
    name = r.choice([n for n in NAMES if n]).encode()
    pairs = [[r.choice(["COPYNAME", "COPYNAME", "PTRNAME"]), form_text(name)]]
    if r.random() < 0.2:
        pairs.append(["NAMELENGTH", f"l{r.choice([0, len(name), 1])}"])
    pairs += content(r)
    if r.random() < 0.3:
        pairs.append(["CONTENTTYPE", form_text(r.choice([t for t in TYPES if t]))])
    if r.random() < 0.25:
        pairs.append(["CONTENTHEADER", "z" + r.choice(HEADERS)])
    several = sum(p[0] == "FILE" for p in pairs) > 1
    if r.random() < 0.25 and not several:
        r.shuffle(pairs)
    if odd and not several and r.random() < 0.12:
        # a length is of the text that it was meant for: one that is longer than another text would be read beyond its end
        pairs = [p for p in pairs if not p[1][:1] in ("l", b"l")]
        pairs.insert(r.randrange(len(pairs) + 1), r.choice(ODD))
    if odd and r.random() < 0.06:
        del pairs[r.randrange(len(pairs))]
    return [r.choice(["formadd", "formadd", "formarray"]), "0", *[field for pair in pairs[:10] for field in pair]]


def sections(r):
    """A case: a form of curl_formadd(). One that has nothing right in it is no form."""
    lines = [section(r, n > 0) for n in range(r.choice([1, 1, 2, 3, 4]))]
    streams = [line for line in lines if "h0" in line]
    lines = [line for line in lines if line not in streams[1:]] + [["body", "0", STREAMED], ["set", "0", "HTTPPOST", "f", "0"]]
    lines = sent(r, lines + [["formget", "0"]] * (r.random() < 0.3 and not streams))
    # ours reads a stream again in a further transfer, where the newest cannot rewind what the first one has made of it
    return lines[:lines.index(["perform", "0"]) + 1] if streams else lines


def forms(r):
    """A case: a form of curl_mime_*()."""
    return sent(r, [*parts(r, "0"), ["set", "0", "MIMEPOST", "m", "0"]])


def sent(r, form):
    """A form and what is done with it."""
    lines = [["way", r.choice(["easy"] * 4 + ["poll", "socket"])]]
    lines += [["answer", "0", "body", "0", "keep", answer(r)] for _ in range(8)]
    lines += [*form, ["set", "0", "URL", "s", "http://127.0.0.1/"]]
    pool = [["set", "0", "HTTPHEADER", "z", r.choice(["Content-Type: multipart/mixed", "Content-Type: text/x", "Content-Type: multipart/form-data; x=y",
                                                      "Expect:", "Transfer-Encoding: chunked", "Content-Type:", "Content-Type: multipart/related; a=\"b\""])],
            ["set", "0", "FOLLOWLOCATION", "l", "1"], ["set", "0", "POSTREDIR", "l", r.choice(["0", "1", "2", "7"])],
            ["set", "0", "MIME_OPTIONS", "l", r.choice(["0", "1"])], ["set", "0", "CUSTOMREQUEST", "s", r.choice(["PUT", "GET"])],
            ["set", "0", "HTTP_VERSION", "l", "1"], ["set", "0", "USERPWD", "s", "u:p"], ["set", "0", "HTTPAUTH", "l", r.choice(["1", "64"])],
            ["set", "0", "HTTPGET", "l", "1"], ["set", "0", "UPLOAD", "l", "1"], ["set", "0", "POSTFIELDS", "p", "a=b"], ["set", "0", "NOBODY", "l", "1"],
            ["cb", "0", "progress"], ["sends", r.choice(["1000", "100"])], ["set", "0", "UPLOAD_BUFFERSIZE", "l", "16384"]]
    lines += [r.choice(pool) for _ in range(r.choice([0, 1, 1, 2, 3]))]
    lines.append(["perform", "0"])
    for _ in range(r.choice([0, 0, 1])):
        lines += r.choice([[], [], [["set", "0", "POST", "l", "1"]], [["set", "0", "URL", "s", "http://127.0.0.2/"]]])
        lines.append(["perform", "0"])
    return lines
