# The front door. CMake does the work (CMakePresets.json has release, debug, asan, tsan, clang).

BUILD := build/release
JOBS ?= $(shell nproc)
# for the first configuration: make CMAKE_OPTIONS=-DMOTE_WITHOUT=ssh (docs/parts.md)
CMAKE_OPTIONS ?=
CONFIGURE = @test -f $(BUILD)/build.ninja || cmake --preset release $(CMAKE_OPTIONS) >/dev/null
PREFIX ?= /usr/local

# Each target is a whole build, with jobs of its own; two at once would write one build folder.
.NOTPARALLEL:

all: setup
	$(CONFIGURE)
	@cmake --build $(BUILD) -j $(JOBS)

drop-in: setup
	$(CONFIGURE)
	@cmake --build $(BUILD) -j $(JOBS) --target drop-in

# configured again: without libunistring's archive there was no such target
static: setup-static
	@cmake --preset release $(CMAKE_OPTIONS) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target mote-static

log: setup
	@cmake --preset log >/dev/null
	@cmake --build build/log -j $(JOBS) --target all drop-in

# every end-to-end scenario with each of its calls failing in turn: TORTURE='--modes at --only test_get'
torture: setup-torture log
	@/usr/bin/python3 tests/torture/torture.py $(TORTURE)

structs: setup-structs log
	@/usr/bin/python3 tools/structs.py

# the newest libcurl as a binary, in build/oracle, to compare with
oracle: setup-oracle
	@/usr/bin/python3 tools/oracle

# libcurl's own test suite with our library and our command (CONTRIBUTING.md): CONFORMANCE=--write
conformance: setup-conformance all drop-in
	@/usr/bin/python3 tools/oracle
	@/usr/bin/python3 tests/conformance/conformance.py $(CONFORMANCE)

# unmodified programs from packages on our library: git, PHP, Perl, R, CMake, OSTree, GDAL, pycurl's own suite
clients: setup-clients drop-in
	@/usr/bin/python3 -m pytest -q -rs tests/clients $(CLIENTS)

# proofs of the codecs with CBMC (docs/proofs.md): PROOFS='--planted', PROOFS='mqtt telnet'
proofs: setup-proofs
	@/usr/bin/python3 proofs/run.py $(PROOFS)

demo: setup-demo all
	@/usr/bin/python3 tools/demo.py

check: setup-check
	@/usr/bin/python3 tools/check.py $(CHECK)

check-all: setup-check-all
	@tools/unpack_servers
	@/usr/bin/python3 tools/check.py --all $(CHECK)

# what the tests reach, in a root of Debian 13 (docs/trust.md): COVERAGE='--only unit --gaps codec'
coverage:
	@/usr/bin/python3 tools/coverage.py $(COVERAGE)

# changes in the sources that the tests have to notice (docs/trust.md): MUTATION='--only src/codec/ --count 40 --unit'
mutation: setup-mutation
	@/usr/bin/python3 tools/mutation.py $(MUTATION)

bench: setup-bench all drop-in
	@/usr/bin/python3 bench/bench.py

# the same loads in what people use (bench/peers, docs/figures.md): PEERS=--write, PEERS='--quick --only wget2'
peers: setup-peers drop-in
	-@/usr/bin/python3 tools/oracle
	@/usr/bin/python3 bench/peers/peers.py $(PEERS)

# a million transfers at once (bench/million, docs/scale.md): 8 GB of memory; MILLION=--quick, MILLION=--write
million: setup-bench all drop-in
	@/usr/bin/python3 bench/million/million.py $(MILLION)

history: setup-history
	@/usr/bin/python3 tools/history.py

dashboard: setup-dashboard
	@/usr/bin/python3 tools/dashboard.py

# images for QEMU's mps2-an385 (device/README.md)
device: setup-device
	@/usr/bin/python3 tools/device.py all

device-check: setup-device
	@/usr/bin/python3 tools/device.py check

# other machines and systems, each in a root of its own (docs/platforms.md): PLATFORM='s390x armhf'
platforms:
	@/usr/bin/python3 tools/platforms.py $(PLATFORM)

install: all drop-in
	@cmake -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(BUILD) >/dev/null
	@cmake --install $(BUILD)

# libcurl's development files, with this library: CMake, pkg-config and curl-config find it as libcurl
install-drop-in: drop-in
	@cmake -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(BUILD) >/dev/null
	@cmake --install $(BUILD) --component drop-in

# the files of a release, in build/dist
dist:
	@/usr/bin/python3 tools/dist.py

# the Debian packages, built and tried out in roots of Debian; says what it installs there
packages:
	@/usr/bin/python3 tools/packages.py

# what a target needs, installed where it is missing: the sets of tools/setup
setup:
	@tools/setup

setup-%:
	@tools/setup $*

clean:
	rm -rf build

help:
	@echo 'make            build/mote, build/libmote.a, build/libmote.so (CMAKE_OPTIONS=-DMOTE_WITHOUT=ssh)'
	@echo 'make demo       download a large file over HTTPS, next to the curl of the system'
	@echo 'make check      build and test everything (a quarter of an hour on 2 cores; CHECK=--resume goes on with what has not passed)'
	@echo 'make check-all  the same and what takes longer (each part off, every TLS library, all sanitizers, clang)'
	@echo 'make drop-in    build/drop-in/libcurl.so.4 and libcurl-gnutls.so.4'
	@echo 'make static     build/mote-static, which needs no shared library'
	@echo 'make log        build/log/mote and libcurl.so.4, which log every fallible call (docs/memory.md)'
	@echo 'make torture    every end-to-end scenario, each fallible call failing in turn (an hour; TORTURE=--resume)'
	@echo 'make structs    the size of every struct, its holes, and where it is'
	@echo 'make oracle     build/oracle/libcurl.so.4: the newest libcurl, to compare with'
	@echo 'make clients    programs from packages (git, PHP, R ...) on our library (CLIENTS=-kgit)'
	@echo 'make conformance  the test suite of libcurl on our library and our command (CONFORMANCE=--write)'
	@echo 'make coverage   build/coverage.html: lines, branches and decisions that the tests reach (COVERAGE=--page)'
	@echo 'make mutation   changes in the sources that the tests have to notice (MUTATION=--unit)'
	@echo 'make proofs     proves what docs/proofs.md lists (PROOFS=--planted: each must find a planted fault)'
	@echo 'make bench      measure against the libcurl of the system'
	@echo 'make peers      the same loads in Go, Rust, Python, Node, wget2, aria2, libcurl and here (PEERS=--write)'
	@echo 'make million    1,000,000 transfers at once over HTTP/2, without a kernel, and with deadlines (8 GB of memory)'
	@echo 'make history    measure this commit: a line more in bench/history.jsonl'
	@echo 'make dashboard  build/dashboard.html: graphs of the history'
	@echo 'make device     images for a Cortex-M3, and what they take of flash and RAM (device/README.md)'
	@echo 'make device-check  boots them in QEMU against servers of this machine'
	@echo 'make platforms  builds for other machines and systems, and runs the tests in emulators (PLATFORM=s390x)'
	@echo 'make install    PREFIX=/usr/local, DESTDIR honoured'
	@echo 'make install-drop-in  PREFIX=...: libcurl.so.4, curl/, libcurl.pc, curl-config, CURLConfig.cmake'
	@echo 'make clean      remove build/'
	@echo 'make dist       the files of a release in build/dist: archive, one-file editions, SPDX, checksums'
	@echo 'make packages   Debian packages in build/packages, tried out in roots of Debian 12 and 13'
	@echo 'tools/setup --print SET  the Debian packages that a target needs, for apt-get install; each installs its own'

.PHONY: all drop-in static log torture structs oracle conformance clients proofs demo check check-all coverage mutation bench peers million history dashboard device device-check platforms install install-drop-in dist packages setup clean help
