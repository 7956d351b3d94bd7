#!/usr/bin/env python3
"""One way to memory: the undefined symbols of the objects (docs/design.md, section 5).

The library asks for memory in src/base/memory/memory_libc.c only; what hides an allocation of the C library is left to
src/port, where the platform gives no other way. The command has its own seam, src/tool/memory.c.

usage: check_seam.py --build DIR [--root DIR]
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import objects  # noqa: E402

DIRECT = set("""malloc calloc realloc free reallocarray aligned_alloc posix_memalign memalign valloc pvalloc
  malloc_usable_size mmap mmap64 munmap mremap sbrk brk""".split())
COPIES = set("""strdup strndup wcsdup asprintf vasprintf __asprintf_chk __vasprintf_chk getline getdelim
  __getdelim open_memstream open_wmemstream""".split())
HIDDEN = set("""qsort qsort_r fopen fopen64 fdopen freopen freopen64 fmemopen fopencookie popen tmpfile tmpfile64
  opendir fdopendir scandir scandir64 glob glob64 ftw nftw fts_open regcomp
  getaddrinfo freeaddrinfo gethostbyname gethostbyname2 gethostbyaddr getservbyname getpwnam getpwuid getifaddrs
  if_nameindex
  setenv putenv unsetenv setlocale realpath canonicalize_file_name get_current_dir_name
  localtime localtime_r mktime tzset strftime
  hcreate tsearch dlopen atexit pthread_create pthread_key_create""".split())
# the C library's formatting and scanning, which may allocate for wide or long fields
STDIO = set("""printf fprintf vfprintf vprintf sprintf vsprintf __printf_chk __fprintf_chk __sprintf_chk
  __vfprintf_chk sscanf __isoc99_sscanf perror""".split())
ALLOWED = {
    "src/base/memory/memory_libc.c": {"malloc", "realloc", "free"},
}


def forbidden(src):
    if src.startswith("src/tool/"):
        return set() if src == "src/tool/memory.c" else DIRECT | COPIES
    if src.startswith("src/port/"):
        return DIRECT | COPIES
    return (DIRECT | COPIES | HIDDEN | STDIO) - ALLOWED.get(src, set())


def check(build, root):
    found, errors = objects.find(build, root), []
    for src, names in objects.symbols(found, "-u").items():
        used = {name.split("@")[0] for _, name in names}
        errors += [f"{src}: uses {name}()" for name in sorted(used & forbidden(src))]
    if not found:
        errors.append(f"{build}: no object files")
    return len(found), errors


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", default=os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    ap.add_argument("--build", required=True)
    a = ap.parse_args()
    count, errors = check(a.build, a.root)
    for e in errors:
        print(e)
    print(f"{count} objects, {len(errors)} violations")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
