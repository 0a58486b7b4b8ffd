#!/bin/sh
# Makes a frozen set of the wraps with FrodoKEM: make-wraps.sh VEILGATE FOLDER, with the veilgate command of the version that is frozen and a
# folder that is not there yet. Everything in it is worthless: the keys are published with it. SOURCE.md of a set says what is in it.
set -eu
veilgate=$1
out=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out/envelopes" "$out/bundles" "$out/readers"
out=$(cd "$out" && pwd)
cd "$work"

printf 'frozen reader passphrase\n' >reader-passphrase
VEILGATE_KEYS=$work/keys
VEILGATE_PASSPHRASE='frozen sample passphrase'
export VEILGATE_KEYS VEILGATE_PASSPHRASE
epoch=$(date -u +%Y-%m)

keys() {
  "$veilgate" keys "$@"
}

# seal NAME OPTION...: an envelope of three lines, the second of which has the word overheated.
seal() {
  name=$1
  shift
  printf '%s\n' "level=info unit=pump msg=\"started $name\"" "level=error unit=pump msg=\"overheated $name\"" \
    "level=info unit=pump msg=\"stopped $name\"" >lines.log
  "$veilgate" seal --identity press-4.identity --scope plant-7 --epoch "$epoch" --bundle "$bundle" --authority "$(cat authority)" -o "$out/envelopes/$name.vge" "$@" lines.log
}

keys init --tenant acme --memory 8 --wrap-algorithm x25519+frodokem-976 >made
sed -n 's/.*authority //p' made | tr -d '[:space:]' >authority
"$veilgate" identity init press-4.identity --sender press-4 >press-4.pub
keys add-sender press-4.pub
bundle=$out/bundles/first.vgb
keys bundle --valid-for P40D -o "$bundle"
seal tenant-key
seal cp-fabeo22 --readers 'role:auditor AND site:plant-7'
keys issue ada --attributes 'role:auditor, site:plant-7' --epoch "$epoch" --memory 8 --reader-passphrase-file reader-passphrase -o "$out/readers/ada.vgr"
keys backup --shares 2-of-3 -o "$out/backup"
keys log --begin # behind the backup, which has it too otherwise: the signatures in it are long
keys rotate
bundle=$out/bundles/last.vgb
keys bundle --valid-for P40D -o "$bundle"
seal rotated
keys log -o "$out/log.vgl"
cp -R keys "$out/keys"
rm -f "$out/keys/lock" "$out/keys/keys.vgk.previous" "$out"/bundles/*.senders
cp authority "$out/"
