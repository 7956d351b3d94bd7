"""A syntax pass with clang: what it warns of that gcc does not, in every profile, and where pointers have 4 bytes.

Nothing is compiled, so that all files of these builds take a minute. CMake says what they are and their flags
(compile_commands.json), unit tests, examples and threads' tests included.
"""
import json
import os
import platform
import re
import shlex

from steps.base import Result, in_parallel, path, run

FULL = "full, every TLS library"
PLAIN = "without accounts"
# Debian 13 has mbedTLS 3 alone, which the library does not know
MBEDTLS = "" if os.path.exists("/usr/include/mbedtls/build_info.h") else "mbedtls;"
BUILDS = {FULL: [f"-DMOTE_TLS=openssl;bearssl;{MBEDTLS}wolfssl"], "http": ["-DMOTE_PROFILE=http"],
          "mcu": ["-DMOTE_PROFILE=mcu"], "tiny": ["-DMOTE_PROFILE=tiny"], PLAIN: ["-DMOTE_WITHOUT=account"]}
FILES = 12  # that one process takes: all have the same flags but for their folder


def commands(name, options, wanted=lambda file: True):
    """[(flags, [file, ...]), ...] of a profile's build, which is configured for it. Raises RuntimeError."""
    folder = path("build", "syntax", re.sub(r"\W+", "-", name))
    status, text = run(["cmake", "-G", "Ninja", "-S", path(), "-B", folder, "-DCMAKE_C_COMPILER=clang",
                        "-DMOTE_WERROR=ON", "-DMOTE_INLINE=OFF", *options], env={"CMAKE_C_COMPILER_LAUNCHER": ""})
    if status:
        raise RuntimeError(text)
    with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as f:
        entries = json.load(f)
    files = {}
    for entry in entries:
        words = shlex.split(entry["command"])
        at = words.index("-o")
        flags = words[:at] + [w for w in words[at + 2:] if w not in ("-c", entry["file"])]
        if wanted(entry["file"]) and "/src/tool/late/" not in entry["file"]:  # needs a file that the build makes
            files.setdefault(tuple(flags), set()).add(entry["file"])
    return [(flags, sorted(of)) for flags, of in files.items()]


def pass_over(name, flags, files):
    """Some files with the same flags. What clang says of one is shown, and that one counts."""
    status, text = run([*flags, "-fsyntax-only", *files])
    if status == 0:
        return Result(passed=len(files))
    refused = max(1, sum(f"{f}:" in text for f in files))
    r = Result(len(files) - refused, refused)
    r.outputs.append((f"clang, {name}", text))
    return r


def for_32_bits(flags, files):
    """The same for i386; the command's files as cmake/command.cmake compiles them there. Debian's headers for x86-64
    serve, but for one, which says what the C library lacks."""
    lacks = path("build", "syntax", "32", "gnu", "stubs-32.h")
    os.makedirs(os.path.dirname(lacks), exist_ok=True)
    open(lacks, "a", encoding="utf-8").close()
    tool = any("/src/tool/" in f for f in files)
    return [*flags, "-m32", "-isystem", path("build", "syntax", "32"), "-isystem", "/usr/include/x86_64-linux-gnu",
            *(["-D_FILE_OFFSET_BITS=64", "-D_TIME_BITS=64"] if tool else [])]


def syntax(everything):
    """Profile http, what is without accounts, tests, and pointers of 4 bytes (which profiles mcu and tiny of the ledger have),
    only with everything: nearly all files are those of FULL, and the sanitizers' build has the tests."""
    tasks = []
    for name, options in BUILDS.items():
        if name in (PLAIN, "http") and not everything:
            continue
        try:
            groups = commands(name, options, lambda file: everything or "/tests/" not in file)
        except RuntimeError as e:
            return Result.failure(f"configure {name}", str(e))
        for flags, files in groups:
            for i in range(0, len(files), FILES):
                some = files[i:i + FILES]
                tasks.append(lambda n=name, f=flags, s=some: pass_over(n, f, s))
                if everything and name == FULL and platform.machine() == "x86_64":
                    tasks.append(lambda f=flags, s=some: pass_over("32 bits", for_32_bits(f, s), s))
    return in_parallel(tasks)
