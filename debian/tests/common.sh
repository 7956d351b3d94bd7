# What the tests begin with: an empty folder below $AUTOPKGTEST_TMP, and a function that serves.
set -eu
SOURCE=$PWD
cd "$(mktemp -d "${AUTOPKGTEST_TMP:?}/XXXXXX")"
mkdir site
servers=""
trap 'test -z "$servers" || kill $servers' EXIT

# serve [CERTIFICATE-AND-KEY]: serves ./site, and sets port.
serve() {
  rm -f port
  mkfifo port
  python3 "$SOURCE/debian/tests/server.py" site "$@" >port &
  servers="$servers $!"
  read -r port <port
}

# same EXPECTED FOUND
same() {
  test "$1" = "$2" || { printf 'expected: %s\nfound: %s\n' "$1" "$2"; exit 1; }
}
