#!/bin/sh
# The loads of bench/peers by wget2, which reads its URLs from a file and gives each of its threads a connection. It
# fetches no URL twice, so that each has a query of its own. All bodies go into one file, whose size is counted.
# usage: wget2.sh LOAD URL N CONCURRENCY        in a folder of its own; COST is what wget2 is run by
set -eu
seq -f "$2?%.0f" "$3" >list
${COST-} wget2 --no-config --quiet --no-hsts --max-threads="$4" --output-document=got --input-file=list
# wget2 ends with another status than 0 where one of them failed
echo "done=$3 bytes=$(stat -c %s got)"
