#!/usr/bin/env python3
"""Compare the public headers with the tables of the interface.

    python3 tests/interface/check.py --cc gcc --include include

Every check is one line of a generated C source, and the compiler decides: a line with an error is a failed
check. Nothing is linked or run, so that a cross compiler will do. Exit status 0 when all checks hold.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = os.path.join(HERE, "tables")
HEADERS = ["curl", "curlver", "easy", "header", "mprintf", "multi", "options", "stdcheaders", "system",
           "typecheck-gcc", "urlapi", "websockets"]
STRING_CONSTANTS = {"LIBCURL_COPYRIGHT", "LIBCURL_TIMESTAMP", "LIBCURL_VERSION"}
DEPRECATED = {"curl_formadd", "curl_formget", "curl_formfree", "curl_multi_socket", "curl_multi_socket_all"}
# Members that structs.tsv lists flat: (struct, offset) -> where they really are.
NESTED = {
    ("curl_fileinfo", "56"): "strings.time",
    ("curl_fileinfo", "64"): "strings.perm",
    ("curl_fileinfo", "72"): "strings.user",
    ("curl_fileinfo", "80"): "strings.group",
    ("curl_fileinfo", "88"): "strings.target",
    ("curl_sockaddr", "16"): "addr.sa_family",
    ("curl_sockaddr", "18"): "addr.sa_data",
}


def table(name):
    with open(os.path.join(TABLES, name + ".tsv"), encoding="utf-8") as f:
        return [line.rstrip("\n").split("\t") for line in f][1:]


class Checker:
    def __init__(self, cc, include):
        self.cc = cc
        self.include = include
        self.checks = 0
        self.failed = 0
        self.tmp = tempfile.mkdtemp(prefix="interface-")
        self.no_limit = "-fmax-errors=0" if self.accepts("-fmax-errors=0") else "-ferror-limit=0"

    def accepts(self, flag):
        code, _ = self.run(self.cc, [flag], "int x;\n", "probe.c")
        return code == 0

    def run(self, compiler, flags, text, name):
        path = os.path.join(self.tmp, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        cmd = [compiler, "-fsyntax-only", "-I" + self.include] + flags + [path]
        p = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return p.returncode, p.stdout

    def fail(self, what, why=""):
        self.failed += 1
        print("FAILED: " + what + (": " + why if why else ""))

    def whole(self, what, text, flags, compiler=None, name="whole.c", expect_error=False):
        """One check: the whole text compiles (or does not)."""
        self.checks += 1
        code, out = self.run(compiler or self.cc, flags, text, name)
        if (code != 0) != expect_error:
            self.fail(what, out.strip()[:1500] or "compiles, and should not")

    def lines(self, group, checks, head="#include <curl/curl.h>\n", flags=(), expect_error=False):
        """One check per (what, line of C)."""
        head += "#include <stddef.h>\n"
        first = head.count("\n") + 1
        text = head + "".join(line + "\n" for _, line in checks)
        name = group + ".c"
        std = ["-std=gnu11", "-Wno-unused", self.no_limit] + list(flags)
        _, out = self.run(self.cc, std, text, name)
        bad = {}
        for m in re.finditer(r"(?m)^(.*?)([^/\n]*\.[ch]):(\d+):\d+: (?:fatal )?error: (.*)$", out):
            number = int(m[3]) - first
            if m[2] == name and 0 <= number < len(checks):
                bad.setdefault(number, m[4])
            elif not expect_error:
                bad.setdefault(-1, m[0])
        self.checks += len(checks)
        for i, (what, _) in enumerate(checks):
            if (i in bad) != expect_error:
                self.fail(group + ": " + what, bad.get(i, "compiles, and should not"))
        if -1 in bad:
            self.fail(group, bad[-1])


def static_assert(condition):
    return '_Static_assert(%s, "differs");' % condition


def constants():
    for name, value, *_ in table("symbols"):
        if name in STRING_CONSTANTS:
            yield name, "static const char text_%s[] = %s;" % (name, name)
        else:
            yield name + " == " + value, static_assert("(long long)(%s) == %sLL" % (name, value))


def enum_members():
    for name, declaration, *_ in table("callbacks"):
        for m in re.finditer(r"(\w+) = (-?\d+)", declaration if "enum" in declaration else ""):
            yield name + ": " + m[0], static_assert("(long long)(%s) == %s" % (m[1], m[2]))


def option_classes():
    base = {"CURLOPT": "CURLOPTTYPE_", "CURLMOPT": "CURLOPTTYPE_", "CURLINFO": "CURLINFO_"}
    for source in ("easy_options", "multi_options", "getinfo"):
        for name, kind, number, *_ in table(source):
            start = base[name.split("_")[0]] + kind.upper()
            yield name, static_assert("%s == %s + %s" % (name, start, number))


def constant_types():
    """Types of constants, where newer_than_7.88.tsv has them."""
    symbols = [row[0] for row in table("symbols")]
    want = {}
    for kind, name, _, kind_of_change, text in table("newer_than_7.88"):
        if kind == "changed" and kind_of_change == "type" and text.startswith("Constants of type long"):
            for pattern in name.split(", "):
                rule = re.compile(pattern.replace("*", ".*") + "$")
                want.update({s: "long" for s in symbols if rule.match(s) and not s.startswith("CURLPX_")})
        elif kind == "constant":
            m = re.match(r"((?:unsigned )?(?:int|long)) \d+$", kind_of_change)
            if m:
                want[name] = m[1]
    for name, c_type in sorted(want.items()):
        yield name + " is " + c_type, static_assert("_Generic((%s), %s: 1, default: 0)" % (name, c_type))


def struct_layouts():
    for struct, offset, size, field in table("structs"):
        tag = "struct " + struct
        if field == "(total)":
            yield tag, static_assert("sizeof(%s) == %s" % (tag, size))
            continue
        union = re.match(r"union member: (.*)$", field)
        declaration = union[1] if union else field
        if ":" in declaration:
            continue  # a bit-field has no offset; its name is used below
        m = re.match(r"(.*?)(\w+)(\[\d+\])?$", declaration)
        c_type, member, dimension = m[1].strip(), m[2], m[3] or ""
        member = "data." + member if union else NESTED.get((struct, offset), member)
        where = "(((%s *)0)->%s)" % (tag, member)
        label = tag + "." + member
        if offset:
            yield label + " offset", static_assert("offsetof(%s, %s) == %s" % (tag, member, offset))
        elif union:
            yield label + " offset", static_assert("offsetof(%s, %s) == 16" % (tag, member))
        yield label + " size", static_assert("sizeof%s == %s" % (where, size))
        yield label + " type", static_assert(
            "__builtin_types_compatible_p(__typeof__%s, __typeof__(%s%s))" % (where, c_type, dimension))
    yield "curl_hstsentry.includeSubDomains", "static struct curl_hstsentry hsts = { .includeSubDomains = 1 };"


def types_exist():
    for name, declaration, kind, _ in table("callbacks"):
        if kind.startswith("struct tag") or kind.startswith("opaque struct"):
            yield name, "struct %s;" % name
        elif kind == "enum tag":
            yield name, static_assert("sizeof(enum %s) == 4" % name)
        elif kind == "callback function type (not a pointer)":
            yield name, "typedef %s *exists_%s;" % (name, name)
        elif kind == "enum typedef":
            yield name, static_assert("sizeof(%s) == 4" % name)
        else:
            yield name, "typedef %s *exists_%s;" % (name, name)


def type_redeclarations():
    """C11: a typedef may be repeated when it names the same type."""
    for name, declaration, kind, _ in table("callbacks"):
        if declaration.startswith("typedef") and "{" not in declaration:
            yield name, declaration


def functions_exist():
    for name, *_ in table("functions"):
        yield name, "enum { exists_%s = sizeof(&(%s)) };" % (name, name)


def function_redeclarations():
    for name, _, prototype, _ in table("functions"):
        yield name, re.sub(r"\b%s\(" % name, "(%s)(" % name, prototype, count=1)


def uses(names):
    for name in names:
        yield name, "void use_%s(void) { __typeof__(%s) *p = (%s); (void)p; }" % (name, name, name)


def wrong_formats():
    for call in ('curl_mprintf("%s", 1)', 'curl_mfprintf(stdout, "%s", 1)', 'curl_msprintf(b, "%s", 1)',
                 'curl_msnprintf(b, 1, "%s", 1)', 'curl_maprintf("%s", 1)'):
        yield call, "void f%d(char *b) { (void)b; (void)%s; }" % (abs(hash(call)) % 10**9, call)


def in_their_headers(c):
    for name, _, _, header in table("functions"):
        c.checks += 1
        with open(os.path.join(c.include, "curl", header), encoding="utf-8") as f:
            text = re.sub(r"(?s)/\*.*?\*/", "", f.read())
        if not re.search(r"(?m)^(?!#)[^;]*\b%s\(" % name, text):
            c.fail("headers: %s is not declared in %s" % (name, header))


C_PROGRAM = r"""
#include <curl/curl.h>
#include <string.h>
static size_t take(char *p, size_t size, size_t n, void *to) { (void)p; (void)to; return size * n; }
int main(void)
{
  CURLcode rc;
  long status = 0;
  char text[40];
  struct curl_slist *list = NULL;
  struct curl_blob blob;
  CURL *curl = curl_easy_init();
  CURLM *multi = curl_multi_init();
  CURLMsg *msg;
  int left, running;
  fd_set in;
  if(!curl || !multi)
    return 1;
  list = curl_slist_append(list, "A: b");
  blob.data = text;
  blob.len = sizeof(text);
  blob.flags = CURL_BLOB_COPY;
  curl_easy_setopt(curl, CURLOPT_URL, "http://localhost/");
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, (void *)text);
  curl_easy_setopt(curl, CURLOPT_FILE, stdout);
  curl_easy_setopt(curl, CURLOPT_SSLCERT_BLOB, &blob);
  curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)CURL_OFF_T_C(5));
  curl_easy_setopt(curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_ANY);
  curl_easy_setopt(curl, CURLOPT_PROXYTYPE, CURLPROXY_SOCKS5_HOSTNAME);
  rc = curl_easy_perform(curl);
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  curl_msnprintf(text, sizeof(text), "%" CURL_FORMAT_CURL_OFF_T, (curl_off_t)1);
  FD_ZERO(&in);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 5L);
  curl_multi_fdset(multi, &in, NULL, NULL, &left);
  curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
  msg = curl_multi_info_read(multi, &left);
  if(msg && msg->msg == CURLMSG_DONE)
    rc = msg->data.result;
  switch(rc) {
  case CURLE_OK:
  case CURLE_SSL_CACERT:
    break;
  default:
    fputs(curl_easy_strerror(rc), stderr);
  }
#if !CURL_AT_LEAST_VERSION(7, 88, 0) || LIBCURL_VERSION_NUM < 0x075800
#error version
#endif
  curl_slist_free_all(list);
  curl_multi_cleanup(multi);
  curl_easy_cleanup(curl);
  return (int)strlen(curl_version()) + (int)curl_version_info(CURLVERSION_NOW)->age;
}
"""


def whole_programs(c, cxx):
    strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    for std in ("c89", "c99", "c11", "gnu11"):
        c.whole("a program as " + std, C_PROGRAM, ["-std=" + std] + strict)
        for macro in ("CURL_STATICLIB", "CURL_NO_OLDIES", "BUILDING_LIBCURL", "CURL_DISABLE_TYPECHECK"):
            c.whole("headers as %s with %s" % (std, macro), "#include <curl/curl.h>\nextern int x;\n",
                    ["-std=" + std, "-D" + macro] + strict)
    for h in ["curl/" + h for h in HEADERS] + ["mote/mote"]:
        c.whole("<%s.h> alone" % h, "#include <%s.h>\nextern int x;\n" % h, ["-std=c99"] + strict)
        if cxx:
            c.whole("<%s.h> alone, C++" % h, "#include <%s.h>\nextern int x;\n" % h, ["-std=c++98"] + strict,
                    cxx, "alone.cpp")
    for std in ("c++98", "c++11", "c++17") if cxx else ():
        c.whole("a program as " + std, C_PROGRAM, ["-std=" + std] + strict, cxx, "program.cpp")
    c.whole("four arguments", "#include <curl/curl.h>\nint f(CURL *c) { return curl_easy_setopt(c, "
            "CURLOPT_PORT, 1L, 2L); }\n", [], expect_error=True)
    old = "#include <curl/curl.h>\n#%s curl_multi_socket\n#error\n#endif\nextern int x;\n"
    c.whole("curl_multi_socket is a macro", old % "ifndef", [])
    c.whole("CURL_ALLOW_OLD_MULTI_SOCKET", old % "ifdef", ["-DCURL_ALLOW_OLD_MULTI_SOCKET"])


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--cc", default="cc")
    ap.add_argument("--cxx", default=None, help="default: g++ or clang++, whichever fits --cc; '' for none")
    ap.add_argument("--include", default="include", help="the folder that has curl/ and mote/")
    args = ap.parse_args()
    cxx = args.cxx
    if cxx is None:
        cxx = shutil.which("clang++" if "clang" in args.cc else "g++") or shutil.which("c++") or ""
        if not cxx:
            print("no C++ compiler: C++ is not checked")
    c = Checker(args.cc, os.path.abspath(args.include))
    try:
        lp64, _ = c.run(c.cc, [], static_assert("sizeof(long) == 8 && sizeof(void *) == 8") + "\n", "lp64.c")
        c.lines("constants", list(constants()))
        c.lines("enums", list(enum_members()))
        c.lines("classes", list(option_classes()))
        c.lines("constant-types", list(constant_types()))
        c.lines("types", list(types_exist()))
        c.lines("functions", list(functions_exist()))
        c.lines("prototypes", list(function_redeclarations()), flags=["-Wno-deprecated-declarations"])
        in_their_headers(c)
        if lp64 == 0:
            c.lines("typedefs", list(type_redeclarations()))
            c.lines("layouts", list(struct_layouts()))
        names = [row[0] for row in table("functions")]
        error = ["-Werror=deprecated-declarations"]
        old_api = ["-DCURL_ALLOW_OLD_MULTI_SOCKET"]
        c.lines("deprecated", list(uses(DEPRECATED)), flags=error + old_api, expect_error=True)
        c.lines("undeprecated", list(uses(DEPRECATED)), flags=error + old_api + ["-DCURL_DISABLE_DEPRECATION"])
        c.lines("current", list(uses(n for n in names if n not in DEPRECATED)), flags=error)
        c.lines("formats", list(wrong_formats()), flags=["-Werror=format"], expect_error=True)
        whole_programs(c, cxx)
    finally:
        shutil.rmtree(c.tmp)
    print("%d checks, %d failed" % (c.checks, c.failed))
    return 1 if c.failed else 0


if __name__ == "__main__":
    sys.exit(main())
