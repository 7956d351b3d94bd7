#!/bin/bash -eu
# Builds the fuzz targets with the compiler and flags that OSS-Fuzz sets (CC, CFLAGS), and puts them into $OUT with their
# seeds and the shared libraries that they name.
#
# Outside of OSS-Fuzz:
#   SRC=$(mktemp -d) WORK=$(mktemp -d) OUT=$(mktemp -d) && ln -s "$PWD" $SRC/mote && export SRC WORK OUT
#   CC=clang CFLAGS='-O1 -g -fsanitize=address,fuzzer-no-link' fuzz/oss-fuzz/build.sh
# TARGETS="fuzz_url fuzz_http1" builds these alone.

source=$SRC/mote
build=$WORK/mote

# The sanitizers are in CFLAGS; "fuzzer" is what adds the targets (cmake/tests.cmake).
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_C_COMPILER="$CC" -DCMAKE_BUILD_TYPE=None -DMOTE_SANITIZE=fuzzer-no-link \
  -DMOTE_LATE=OFF "-DCMAKE_C_FLAGS=$CFLAGS" \
  '-DCMAKE_BUILD_RPATH=$ORIGIN/lib' -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags
cmake --build "$build" -j "${JOBS:-$(nproc)}" --target ${TARGETS:-fuzzers}

mkdir -p "$OUT/lib"
for target in ${TARGETS:-$(cat "$build/fuzzers.txt")}; do
  cp "$build/fuzz/$target" "$OUT/"
  # what the machine that runs it may lack: all but the C library's own
  ldd "$OUT/$target" | awk '$3 ~ "^/" { print $3 }' | grep -vE '/(libc|libm|libdl|librt|libpthread|libresolv)\.so' |
    xargs -r cp -Lnt "$OUT/lib"
  seeds=$source/fuzz/seeds/${target#fuzz_}
  if [ -d "$seeds" ]; then
    (cd "$seeds" && zip -q "$OUT/${target}_seed_corpus.zip" ./*)
  fi
done
