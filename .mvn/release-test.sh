# Tests release.sh on programs of a small tree. Run by the build; prints only failures.
set -eu

folder=$(cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failures=0
fail() {
  echo "release: $*" >&2
  failures=$((failures + 1))
}

# tree NAME: a checkout with all programs
tree() {
  mkdir -p "$work/$1/.mvn"
  cp "$folder/release.sh" "$work/$1/.mvn"
  cat >"$work/$1/pom.xml" <<'POM'
<project>
  <version>1.2.3</version>
  <properties>
    <project.build.outputTimestamp>2026-01-02T03:04:05Z</project.build.outputTimestamp>
    <version>other</version>
  </properties>
</project>
POM
  for program in gateway/server/target/veilgate-gateway audit-console/target/veilgate-console \
    device-agent/edge-package/target/veilgate-edge device-agent/mail-package/target/veilgate-edge-mail \
    device-agent/command/target/veilgate; do
    mkdir -p "$work/$1/$program/lib"
    for file in lib/b.jar lib/a.jar LICENSE NOTICE THIRD-PARTY.txt sbom.cdx.json; do
      echo "$program/$file" >"$work/$1/$program/$file"
    done
    printf '#!/bin/sh\n' >"$work/$1/$program/start"
    chmod 755 "$work/$1/$program/start"
  done
  mkdir -p "$work/$1/mail-addon/target"
  echo add-on >"$work/$1/mail-addon/target/veilgate-sealed-header-1.2.3.xpi"
}

tar --version 2>/dev/null | grep -q 'GNU tar' || exit 0
tree one
echo extra >"$work/extra.deb"
sh "$work/one/.mvn/release.sh" "$work/out1" "$work/extra.deb"
(cd "$work/out1" && sha256sum --quiet -c SHA256SUMS) || fail 'checksums do not hold'
[ "$(wc -l <"$work/out1/SHA256SUMS")" = 7 ] || fail 'not all files have a checksum'
tar -tvzf "$work/out1/veilgate-gateway-1.2.3.tar.gz" >"$work/list"
grep -q '^-rwxr-xr-x 0/0 .*2026-01-02 .* veilgate-gateway-1.2.3/start$' "$work/list" || fail 'the launcher is not as expected'
grep -q '^-rw-r--r-- .* veilgate-gateway-1.2.3/lib/a.jar$' "$work/list" || fail 'a jar is not as expected'

# In another folder, by another user's mask, at another time, in another order, after the launcher of a checkout was used.
(umask 077 && tree two)
find "$work/two" -exec touch -t 202002020202 {} +
: >"$work/two/gateway/server/target/veilgate-gateway/built"
(umask 077 && sh "$work/two/.mvn/release.sh" "$work/out2" "$work/extra.deb")
cmp "$work/out1/SHA256SUMS" "$work/out2/SHA256SUMS" || fail 'the same programs make other archives'

# refuses TREE WHY
refuses() {
  if sh "$work/$1/.mvn/release.sh" "$work/refused" 2>"$work/said"; then
    fail "packs $2"
  elif ! grep -q "$2" "$work/said"; then
    fail "does not say $2: $(cat "$work/said")"
  fi
  rm -rf "$work/refused"
}
rm "$work/two/audit-console/target/veilgate-console/sbom.cdx.json"
refuses two 'has no sbom.cdx.json'
: >"$work/one/device-agent/command/target/veilgate/lib/engine-0.1.0-SNAPSHOT.jar"
refuses one 'of an earlier version'
sed -i 's/1.2.3/1.2.3-SNAPSHOT/' "$work/one/pom.xml"
refuses one 'no version of a release'
if sh "$work/two/.mvn/release.sh" "$work/out1" 2>/dev/null; then
  fail 'writes into a folder that is there'
fi

[ "$failures" = 0 ]
