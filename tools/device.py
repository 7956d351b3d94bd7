#!/usr/bin/env python3
"""Images for devices: fetches lwIP and FreeRTOS, builds, measures, runs in the emulator.

usage: device.py fetch [PACKAGE]           Debian's source package (default lwip), pristine, in build/device/, or
                                           "freertos", the kernel; prints the folder
       device.py build NAME [options]      build/device/NAME.elf, .map, .json; prints flash and RAM by part
       device.py run NAME [ARGUMENT...]    boots it in QEMU; ends with its exit status
       device.py all                       builds every image of the tables and the library for RISC-V, measures
                                           them in the emulator, writes build/device/sizes.json
       device.py ceilings [--short]        flash of the images that device/ceilings.toml speaks of, against it
       device.py check [NAME...]           builds and boots images against servers of this machine's loopback

Options of build:
  --app FILE...           the image's own sources (part "app")
  --profile PROFILE       the library: parts "library" and "tls"; --with PART..., --without PART...
                          change the profile
  --library FILE          likewise, of a list that is there already (sources.txt of cmake/generate.cmake)
  --part NAME=FILE,...    more sources as a part of their own; a FILE may be a folder of .c files. BearSSL comes along
                          with a profile that has it, unless bearssl=FILE,... says which files
  --include DIR...        more include folders        --define X[=Y]...    --system DIR...  of other projects
  --lwip normal|dhcp|small  lwIP's options (device/lwip)  --stack BYTES
  --freertos              lwIP's sockets under FreeRTOS, whose kernel is in FREERTOS_KERNEL_PATH or, where that
                          is not set, comes with cargo's package freertos-next
MOTE_DEVICE_OUT names another folder than build/device for what is built; what is fetched stays there.
The sizes: see sizes_of() of tools/devices/sizes.py. What each of these does is in tools/devices.
"""
import argparse
import os
import shutil
import subprocess
import sys

from devices import build, checks, emulator, figures, image, sizes, sources


def parse():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = ap.add_subparsers(dest="what", required=True)
    sub.add_parser("fetch").add_argument("package", nargs="?", default="lwip")
    b = sub.add_parser("build")
    b.add_argument("name")
    for option in ("--app", "--part", "--include", "--system", "--define", "--with", "--without"):
        b.add_argument(option, nargs="+", default=[], action="extend")
    b.add_argument("--library")
    b.add_argument("--profile")
    b.add_argument("--lwip", choices=("normal", "dhcp", "small"), default="normal")
    b.add_argument("--stack", type=int, default=16384)
    b.add_argument("--freertos", dest="port", action="store_const", const="freertos", default="lwip")
    r = sub.add_parser("run")
    r.add_argument("name")
    r.add_argument("arguments", nargs="*")
    sub.add_parser("all")
    sub.add_parser("ceilings").add_argument("--short", action="store_true")
    sub.add_parser("check").add_argument("names", nargs="*", metavar="NAME", help="smoke port-test tiny-plain tiny")
    return ap.parse_args()


def has_bearssl(library):
    """Is it one of the parts that the list was made of, with no sources given for it?"""
    chosen = os.path.join(os.path.dirname(library or ""), "parts.txt")
    return os.path.exists(chosen) and "bearssl" in open(chosen, encoding="utf-8").read().split()


def image_of(a):
    library = image.library_list(a.name, a.profile, vars(a)["with"], a.without, a.port) if a.profile else a.library
    parts = {p: files.split(",") for p, files in (text.split("=", 1) for text in a.part)}
    if has_bearssl(library) and "bearssl" not in parts:
        parts["bearssl"], folders = sources.bearssl()
        a.system = [*a.system, *folders]
    return image.Image(a.name, a.app, library, parts, a.include, a.define, a.lwip, a.stack,
                       a.port, a.system)


def main():
    a = parse()
    if not shutil.which(image.CC) or a.what != "ceilings" and not shutil.which(emulator.QEMU[0]):
        sys.exit("device.py: no cross compiler or no emulator: tools/setup --device")
    if a.what == "fetch":
        print(sources.kernel() if a.package == "freertos" else sources.fetch(a.package))
    elif a.what == "build":
        print(sizes.table(build.build(image_of(a))))
    elif a.what == "run":
        sys.exit(subprocess.run(emulator.command(a.name, a.arguments), check=False).returncode)
    elif a.what == "all":
        figures.build_all()
    elif a.what == "ceilings":
        sys.exit(figures.check_ceilings(a.short))
    else:
        sys.exit(checks.check(a.names))


if __name__ == "__main__":
    main()
