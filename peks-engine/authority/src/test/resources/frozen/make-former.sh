#!/bin/sh
# Goes on with the key folder of an earlier set: make-former.sh VEILGATE SET FOLDER, with the veilgate command of the version that is frozen,
# the set 906ce34, whose authority has two lasting signatures, and a folder that is not there yet. The set is copied, and stays as it is.
# Everything in it is worthless: the keys are published with it. SOURCE.md of a set says what is in it.
set -eu
veilgate=$1
former=$(cd "$2" && pwd)
out=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out/envelopes" "$out/bundles" "$out/readers"
out=$(cd "$out" && pwd)
cd "$work"

printf 'frozen reader passphrase\n' >reader-passphrase
VEILGATE_KEYS=$work/keys
VEILGATE_PASSPHRASE='frozen sample passphrase'
export VEILGATE_KEYS VEILGATE_PASSPHRASE
cp -R "$former/keys" keys
epoch=$(date -u +%Y-%m)

"$veilgate" keys check
"$veilgate" keys rotate
"$veilgate" identity init press-6.identity --sender press-6 >press-6.pub
"$veilgate" keys add-sender press-6.pub
"$veilgate" keys bundle --valid-for P40D -o "$out/bundles/last.vgb"
printf '%s\n' 'level=info unit=pump msg="started continued"' 'level=error unit=pump msg="overheated continued"' 'level=info unit=pump msg="stopped continued"' >lines.log
"$veilgate" seal --identity press-6.identity --scope plant-7 --bundle "$out/bundles/last.vgb" --authority "$(cat "$former/authority")" --epoch "$epoch" \
  -o "$out/envelopes/continued.vge" lines.log
"$veilgate" trapdoor overheated --scope plant-7 --epoch "$epoch" -o "$out/overheated.vgs"
"$veilgate" keys issue cleo --attributes 'role:auditor, site:plant-7' --epoch "$epoch" --memory 8 --reader-passphrase-file reader-passphrase -o "$out/readers/cleo.vgr"
"$veilgate" keys log --signed-head -o "$out/log-head.vgh"
"$veilgate" keys check
cp -R keys "$out/keys"
rm -f "$out/keys/lock" "$out/keys/keys.vgk.previous"
cp "$former/authority" "$out/"
