#!/bin/sh
# The loads of bench/peers by aria2c, which reads its URLs from a file and writes a file for each.
# usage: aria2.sh LOAD URL N CONCURRENCY        in a folder of its own; COST is what aria2c is run by
set -eu
seq -f "$2
  out=%.0f" "$3" >list
${COST-} aria2c --no-conf --quiet --summary-interval=0 --file-allocation=none --max-concurrent-downloads="$4" \
  --dir=got --input-file=list
find got -type f -printf '%s\n' | awk '{ n++; bytes += $1 } END { printf "done=%d bytes=%.0f\n", n, bytes }'
