#!/bin/sh
# Packs what is built for a release, with checksums:
#
#     sh .mvn/release.sh FOLDER [FILE]...
#
# For each program an archive veilgate-NAME-VERSION.tar.gz of its installed folder, of the same bytes for the same files
# wherever and whenever it is made, the add-on for Thunderbird, which Maven packs so, and SHA256SUMS of these and of the FILEs, which are copied. It signs nothing: SHA256SUMS
# is signed twice by who has the keys, with gpg and with veilgate release sign. docs/release.md is the page.
set -eu
[ $# -gt 0 ] || {
  echo 'release: which folder to write to?' >&2
  exit 2
}
root=$(cd -- "$(dirname -- "$0")/.." && pwd)
out=$1
shift

# value ELEMENT: the content of the first such element of the root's pom.xml, which is its own.
value() {
  sed -n "s/^ *<$1>\([^<]*\)<\/$1>\$/\1/p" "$root/pom.xml" | head -n 1
}
version=$(value version)
time=$(value project.build.outputTimestamp)
case $version in
  *-SNAPSHOT) echo "release: $version is no version of a release" >&2 && exit 1 ;;
esac
tar --version 2>/dev/null | grep -q 'GNU tar' || {
  echo 'release: needs GNU tar, whose archives can be the same each time' >&2
  exit 1
}

if [ -e "$out" ]; then
  echo "release: $out is there already" >&2
  exit 1
fi
mkdir -p -- "$out"
for folder in gateway/server/target/veilgate-gateway audit-console/target/veilgate-console \
  device-agent/edge-package/target/veilgate-edge device-agent/mail-package/target/veilgate-edge-mail \
  device-agent/command/target/veilgate; do
  name=${folder##*/}
  for file in lib LICENSE NOTICE THIRD-PARTY.txt sbom.cdx.json; do
    [ -e "$root/$folder/$file" ] || {
      echo "release: $folder has no $file; build with ./mvnw clean package -DskipTests" >&2
      exit 1
    }
  done
  case $(echo "$root/$folder"/lib/*-SNAPSHOT.jar) in
    *'/*-SNAPSHOT.jar') ;;
    *) echo "release: $folder is of an earlier version; build with ./mvnw clean package -DskipTests" >&2 && exit 1 ;;
  esac
  # built is the stamp of the launcher of a checkout.
  tar -C "$root/${folder%/*}" --exclude="$name/built" --transform="s|^$name|$name-$version|" --format=ustar --sort=name \
    --mtime="$time" --owner=0 --group=0 --numeric-owner --mode='u=rwX,go=rX' -cf "$out/$name-$version.tar" "$name"
  gzip -n -9 "$out/$name-$version.tar"
done
addon=$root/mail-addon/target/veilgate-sealed-header-$version.xpi
[ -f "$addon" ] || {
  echo "release: there is no $addon; build with ./mvnw clean package -DskipTests" >&2
  exit 1
}
for file in "$addon" "$@"; do
  cp -- "$file" "$out"
done
cd -- "$out"
LC_ALL=C
export LC_ALL
set -- *
sha256sum -- "$@" >SHA256SUMS
