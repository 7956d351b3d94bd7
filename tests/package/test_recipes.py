"""The recipes of packaging/ say what the tree says; packaging/check runs them."""
import importlib.machinery
import importlib.util
import json
import os
import re
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "packaging")
KINDS = sorted(n for n in os.listdir(FOLDER) if os.path.isdir(os.path.join(FOLDER, n)) and n != "__pycache__")
VERSION = {"alpine": ("APKBUILD", r"^pkgver=(.*)$"), "arch": ("PKGBUILD", r"^pkgver=(.*)$"),
           "conan": ("conandata.yml", r'^  "(.*)":$'), "homebrew": ("mote.rb", r"/mote-(.*)\.tar\.xz"),
           "meson": ("mote.wrap", r"^directory = mote-(.*)$"), "openwrt": ("Makefile", r"^PKG_VERSION:=(.*)$"),
           "vcpkg": ("vcpkg.json", r'"version": "(.*)"')}


def read(*parts):
    with open(os.path.join(ROOT, *parts), encoding="utf-8") as f:
        return f.read()


def texts(kind):
    for where, _, names in os.walk(os.path.join(FOLDER, kind)):
        for name in names:
            if not name.endswith(".pyc"):
                yield os.path.join(where, name), read(where, name)


@pytest.mark.parametrize("kind", KINDS)
def test_the_version_is_the_headers(kind):
    header = re.search(r'define MOTE_VERSION "(.*)"', read("include", "mote", "mote.h"))[1]
    name, pattern = VERSION[kind]
    assert re.search(pattern, read("packaging", kind, name), re.M)[1] == header


@pytest.mark.parametrize("kind", KINDS)
def test_the_place_of_the_archive_is_one_to_be_put_in(kind):
    hosts, sums = set(), 0
    for _, text in texts(kind):
        hosts |= set(re.findall(r"https?://([\w.-]+)", text))
        sums += len(re.findall(r"@SHA(?:256|512)@", text))
    assert hosts == {"mote.example.org"} and sums == 1


def test_every_recipe_is_checked_and_the_page_says_how():
    loader = importlib.machinery.SourceFileLoader("recipes_check", os.path.join(FOLDER, "check"))
    sys.dont_write_bytecode = True
    check = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(check)
    assert sorted(check.KINDS) == KINDS
    rows = re.findall(r"^\| `(\w+)` \|.*\|.*\|.*\|$", read("packaging", "README.md"), re.M)
    assert rows == KINDS
    assert check.CONAN.replace("==", " ") in read("packaging", "README.md")


def test_the_vcpkg_port_lists_its_dependencies_in_order():
    names = [d if isinstance(d, str) else d["name"] for d in json.loads(read("packaging", "vcpkg", "vcpkg.json"))["dependencies"]]
    assert names == sorted(names)
