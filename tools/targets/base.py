"""What all ways of building for another machine have in common; it runs inside of the platform's root."""
import concurrent.futures
import glob
import os
import re
import subprocess
import time

from devices import sources

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HANGS = 1800  # seconds: more than any command takes on a machine that is ten times too busy
UNIT_HANGS = 600
SAMPLE = "500"  # end-to-end tests
WITHOUT = "h2;ssh;gssapi;psl;zlib;brotli;zstd;idn"  # parts whose libraries a platform without Debian's packages has not
# These load the library into a program of the machine that tests run on: Python, Debian's curl, programs of their own.
NATIVE = (*(f"--ignore=tests/e2e/test_{name}.py" for name in
            ("explored", "ftp_curl", "meter", "git", "crossing", "defaults", "harness", "floods", "newest_command")),
          "-k", "not curl_says_what_is_missing and not memory_need"
                " and not (test_texts and (without_connect_only or read_failed))")

# End-to-end tests that need what builds without Debian's packages have not.
NOT_BUILT = {
    "test_encoding.py": "decoders",
    "test_hostile.py::test_a_bomb": "decoders",
    "test_pause.py::test_paused_gzip": "decoders",
    "test_abort.py::test_write_error_in_gzip": "decoders",
    "test_negotiate.py": "GSS-API",
    "test_socks_gss.py": "the same",
    "test_proxy.py::test_after_a_socks_proxy": "what it offers a SOCKS proxy has GSS-API",
    "test_netrc.py::test_control_characters_are_for_http_alone[sftp": "SFTP",
    "test_pause.py::test_verify_callback_that_puts_its_answer_off": "OpenSSL",
    "test_message_signature.py": "Ed25519 is OpenSSL's",
    "test_http_version.py::test_offer_of_http_1": "without HTTP/2 the offer is http/1.1",
    "test_reuse.py::test_not_shared_tls[SSL_EC_CURVES]": "neither BearSSL nor mbedTLS has it (docs/tls.md)",
    "test_reuse.py::test_not_shared_tls[CRLFILE]": "the same",
    "test_reuse.py::test_not_shared_tls[ISSUERCERT]": "the same",
    "test_tool_dropin.py::test_tls_options[mote-args7": "neither has CRLFILE",
    "test_texts.py::test_send_without_connect_only": "loads the library into Python",
    "test_texts.py::test_read_failed": "the same",
}


def said_by(cmd, timeout=HANGS, **env):
    """(exit status or None at a timeout, output)"""
    try:
        done = subprocess.run(cmd, cwd=ROOT, env={**os.environ, **env}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=timeout, check=False)
    except subprocess.TimeoutExpired as e:
        return None, (e.stdout or b"").decode("utf-8", "replace") + f"\ntimed out after {timeout} s"
    return done.returncode, done.stdout


def problem_of(cmd, **env):
    """The output of a command that fails, else nothing."""
    status, text = said_by(cmd, **env)
    if status == 0:
        return ""
    lines = [line[:200] for line in text.splitlines() if not line.startswith(": && ")]  # a linker's has all objects
    return "\n".join([f"{' '.join(cmd)}: exit status {status}", *lines])


def archives_of(tls):
    """({name: sources} of each archive of a TLS library, folders of its headers), from Debian's sources."""
    if tls == "bearssl":
        found, folders = sources.bearssl()
        return {tls: [s for path in found for s in (glob.glob(path + "*.c") if os.path.isdir(path) else [path])]}, folders
    root = sources.fetch("mbedtls")
    archives = {"mbedtls": [], "mbedx509": [], "mbedcrypto": []}
    for path in sorted(glob.glob(root + "/library/*.c")):
        name = os.path.basename(path)
        kind = "mbedtls" if re.match(r"ssl_|debug|net_", name) else "mbedx509" if re.match(r"x509|certs", name) else "mbedcrypto"
        archives[kind].append(path)
    return archives, [root + "/include", root + "/library"]


class Platform:
    """A row of the table.

    name        as in `make platforms PLATFORM=name`
    built_with  for --list
    suite       Debian's, of the root
    emulator    the words before a program of this platform; empty where it runs as it is, None where it cannot run here
    """

    emulator, suite = (), "bookworm"
    suffix = ""  # of a program's name
    position = ("-fPIC",)  # of the libraries that are compiled here
    tls = "bearssl"  # the library that is compiled here

    def __init__(self, name, built_with):
        self.name, self.built_with = name, built_with
        self.root = "platform-" + name
        self.folder = os.path.join(ROOT, "build", "platforms", name)

    def packages(self):
        """A shell command that installs what this platform needs, once; "" for nothing."""
        return ""

    def configure(self):
        """(options of cmake, environment)"""
        raise NotImplementedError

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def tls_library(self, cc, ar):
        """Compiles the TLS library into the platform's own folder of libraries; what is wrong, or nothing."""
        archives, folders = archives_of(self.tls)
        for folder in ("objects", "lib", "include"):
            os.makedirs(self.path("libraries", folder), exist_ok=True)
        subprocess.run(["cp", "-ru", folders[0] + "/.", self.path("libraries", "include")], check=True)
        problems = [self.archive(cc, ar, name, files, folders) for name, files in archives.items()]
        return "\n".join(filter(None, problems))

    def archive(self, cc, ar, name, files, folders):
        """Compiles an archive where it is not there yet; what is wrong, or nothing."""
        library = self.path("libraries", "lib", f"lib{name}.a")
        if os.path.exists(library):
            return ""
        flags = ["-O2", *self.position, "-w", "-ffunction-sections", "-fdata-sections", *(f"-I{f}" for f in folders)]
        made = [self.path("libraries", "objects", os.path.basename(s)[:-2] + ".o") for s in files]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda pair: said_by([cc, *flags, "-c", pair[0], "-o", pair[1]]), zip(files, made)))
        if not any(status for status, _ in results):
            results = [said_by([ar, "rcs", library, *made])]
        return "\n".join(text for status, text in results if status)

    def own_libraries(self):
        """Options of cmake for a build that has these libraries and none of the machine's."""
        libraries = self.path("libraries")
        find = [f"-DCMAKE_FIND_ROOT_PATH_MODE_{kind}=ONLY" for kind in ("LIBRARY", "INCLUDE", "PACKAGE")]
        return [f"-DMOTE_TLS={self.tls}", f"-DMOTE_WITHOUT={WITHOUT}", f"-DCMAKE_FIND_ROOT_PATH={libraries}", *find,
                f"-DCMAKE_C_FLAGS=-isystem {libraries}/include", f"-DCMAKE_EXE_LINKER_FLAGS=-L{libraries}/lib",
                f"-DCMAKE_SHARED_LINKER_FLAGS=-L{libraries}/lib"]

    def build(self, report, *targets):
        started = time.monotonic()
        options, env = self.configure()
        cmd = ["cmake", "-S", ROOT, "-B", self.folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DMOTE_INLINE=OFF",
               "-DMOTE_WERROR=ON", *options]
        problem = problem_of(cmd, **env) or problem_of(["cmake", "--build", self.folder, "--target", *targets], **env)
        return report.add(f"{self.name} build", problem, started)

    def unit_tests(self, report, without=()):
        """Each program of tests/unit of this build. without: {name: why it cannot run under the emulator}."""
        started = time.monotonic()
        with open(self.path("unit-tests.txt"), encoding="utf-8") as f:
            names = [n for n in sorted(f.read().split()) if n not in without]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(self.unit_test, names))
        passed, problems = sum(n for n, _ in results), [p for _, p in results if p]
        report.add(f"{self.name} unit tests", "\n".join(problems), started)
        print(f"{self.name}: {passed} cases of {len(names)} programs passed", flush=True)
        for name in without:
            print(f"{self.name}: without {name}: {without[name]}", flush=True)

    def unit_test(self, name):
        """(cases that passed, what is wrong or nothing)"""
        status, text = said_by([*self.emulator, self.path("unit", *name.split("/")) + self.suffix], UNIT_HANGS)
        found = re.search(r"(\d+) passed", text)
        bad = status != 0 or found is None
        return int(found.group(1)) if found else 0, f"{name}: exit status {status}\n{text}" if bad else ""

    def command(self, report):
        """The command runs, and says which machine's it is by its libraries' versions."""
        status, text = said_by([*self.emulator, self.path("mote") + self.suffix, "--version"])
        report.add(f"{self.name} command", "" if status == 0 else f"exit status {status}\n{text}")
        if status == 0:
            print(text.splitlines()[0], flush=True)

    def end_to_end(self, report, cc, foreign, archive=(), left_out=()):
        """A sample of tests/e2e: servers are programs of this machine, the library and the command of the other. cc: its
        compiler; foreign: programs of this machine cannot load the library; archive: in place of libcurl.so.4, what the
        driver is linked with; left_out: names of tests, or how they begin."""
        started = time.monotonic()
        command = self.path("run-mote")
        with open(command, "w", encoding="utf-8") as f:
            f.write(f'#!/bin/sh\nexec {" ".join([*self.emulator, self.path("mote") + self.suffix])} "$@"\n')
        os.chmod(command, 0o755)
        env = {"MOTE_DROPIN": self.path("drop-in"), "MOTE": command, "MOTE_E2E_EMULATOR": " ".join(self.emulator), "CC": cc,
               "MOTE_E2E_FOREIGN": "1" if foreign else "", "MOTE_E2E_ARCHIVE": " ".join(archive), "MOTE_E2E_WAYS": "one",
               "MOTE_E2E_SAMPLE": SAMPLE}
        cmd = ["/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", "tests/e2e",
               *(NATIVE if foreign else ()), *(f"--deselect={name}" for name in left_out)]
        status, text = said_by(cmd, **env)
        report.add(f"{self.name} end to end", "" if status == 0 else text, started)
        print(text.rstrip().splitlines()[-1], flush=True)
