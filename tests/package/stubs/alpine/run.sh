# What abuild does with a recipe, in order: run.sh APKBUILD SOURCES PACKAGES. Without its checks of files and dependencies.
set -eu
recipe=$1 srcdir=$2 packages=$3
pkgdir="$packages/own"
. "$recipe"
for name in pkgname pkgver pkgrel pkgdesc url arch license source sha512sums; do
  eval "test -n \"\${$name}\"" || { echo "APKBUILD has no $name" >&2; exit 1; }
done
test "${#pkgdesc}" -lt 128
(cd "$srcdir" && echo "$sha512sums" | sed '/^$/d' | sha512sum -c -)
tar -xf "$srcdir/$pkgname-$pkgver.tar.xz" -C "$srcdir"

amove() {
  for path; do
    mkdir -p "$subpkgdir/${path%/*}"
    mv "$pkgdir/$path" "$subpkgdir/$path"
  done
}

inside() {
  (cd "$srcdir/$pkgname-$pkgver" && "$@")
}

inside build
inside package
for sub in $subpackages; do
  case $sub in
  *:*) subpkgdir="$packages/${sub%%:*}" && inside "${sub#*:}" ;;
  esac
done
