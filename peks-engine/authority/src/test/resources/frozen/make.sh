#!/bin/sh
# Makes a frozen set of the engine: make.sh VEILGATE FOLDER, with the veilgate command of the version that is frozen
# (device-agent/command/target/veilgate/veilgate of a build of that commit) and a folder that is not there yet. Needs openssl.
# Everything in it is worthless: the keys are published with it. SOURCE.md of a set says what is in it.
set -eu
veilgate=$1
out=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out/envelopes" "$out/bundles" "$out/mail" "$out/readers"
out=$(cd "$out" && pwd)
cd "$work"

printf 'frozen reader passphrase\n' >reader-passphrase
printf 'frozen signer passphrase\n' >signer-passphrase
VEILGATE_KEYS=$work/keys
VEILGATE_PASSPHRASE='frozen sample passphrase'
export VEILGATE_KEYS VEILGATE_PASSPHRASE
epoch=$(date -u +%Y-%m)
next=$(date -u -d "$epoch-01 +1 month" +%Y-%m)

keys() {
  "$veilgate" keys "$@"
}

# seal NAME OPTION...: an envelope of three lines, the second of which has the word overheated.
seal() {
  name=$1
  shift
  printf '%s\n' "level=info unit=pump msg=\"started $name\"" "level=error unit=pump msg=\"overheated $name\"" \
    "level=info unit=pump msg=\"stopped $name\"" >lines.log
  "$veilgate" seal --identity press-4.identity --scope plant-7 --bundle "$bundle" --authority "$(cat authority)" \
    -o "$out/envelopes/$name.vge" "$@" lines.log
}

# bundle NAME: a bundle of the set; passing NAME: one that is used here alone, for they are large.
bundle() {
  bundle=$out/bundles/$1.vgb
  keys bundle --valid-for P40D -o "$bundle"
}
passing() {
  bundle=$work/$1.vgb
  keys bundle --valid-for P40D -o "$bundle"
}

# mail NAME OPTION...: the mail sealed; signed with the key that was exported last, if it is signed.
mail() {
  name=$1
  shift
  "$veilgate" mail send --bundle "$bundle" --authority "$(cat authority)" --state serial --input mail.eml -o "$out/mail/$name.eml" "$@"
}

# export_signer NAME: the key that mail is signed with.
export_signer() {
  keys mail-signer export --signer-passphrase-file signer-passphrase -o "$out/mail/$1.p12"
  signing="--signing-key $out/mail/$1.p12 --signing-passphrase-file signer-passphrase"
}

# A tenant as keys init makes it, without anything added.
keys init --tenant acme --memory 8 >made
sed -n 's/.*authority //p' made | tr -d '[:space:]' >authority
bundle first

# Senders, a scope, mail recipients; a bundle before anything is rotated.
"$veilgate" identity init press-4.identity --sender press-4 >press-4.pub
"$veilgate" identity init press-5.identity --sender press-5 >press-5.pub
keys add-sender press-4.pub press-5.pub
keys add-scope plant-7
for recipient in rsa p256 p384 p521; do
  case $recipient in
    rsa) openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$recipient.pem" ;;
    p*) openssl genpkey -quiet -algorithm EC -pkeyopt "ec_paramgen_curve:P-${recipient#p}" -out "$recipient.pem" ;;
  esac
  openssl req -x509 -new -key "$recipient.pem" -days 36500 -subj "/CN=$recipient" \
    -addext "subjectAltName=email:$recipient@example.org" -addext "keyUsage=keyEncipherment,keyAgreement" -out "$recipient.crt"
  keys add-recipient --address "$recipient@example.org" --certificate "$recipient.crt" --scope mail
  openssl pkcs8 -topk8 -nocrypt -in "$recipient.pem" -outform DER -out "$out/mail/$recipient.key"
done
keys profile --ip-prefixes 8,16,24
bundle before-rotation
seal former
keys issue ada --attributes 'role:auditor, site:plant-7' --epoch "$epoch,$next" --memory 8 \
  --reader-passphrase-file reader-passphrase -o "$out/readers/ada-former.vgr"
seal former-cp-fabeo22 --epoch "$epoch" --readers 'role:auditor AND site:plant-7'
"$veilgate" trapdoor overheated --scope plant-7 --epoch "$epoch" -o "$out/overheated-former.vgs"

# A backup of before the rotation.
keys backup --shares 2-of-3 -o "$out/backup"

# Everything rotated once. Then a wrap of each scheme for policies; what seals is chosen by a bundle.
keys rotate
keys mail-signer new
for scheme in cp-bsw07 kp-fabeo22 kp-gpsw06; do
  keys rotate --policy --policy-scheme $scheme
done
for scheme in cp-bsw07 kp-fabeo22 kp-gpsw06 cp-fabeo22; do
  keys seal-with $scheme
  case $scheme in
    cp-bsw07 | kp-gpsw06) bundle $scheme ;;
    *) passing $scheme ;;
  esac
  case $scheme in
    cp-*) seal $scheme --epoch "$epoch" --readers 'role:auditor AND site:plant-7' ;;
    kp-*) seal $scheme --epoch "$epoch" --attributes 'site:plant-7, kind:log' ;;
  esac
done

# Mail of each form to recipients of every kind of key: signed as the tenant, authenticated, signed as its sender.
printf 'From: Ada <ada@example.com>\r\nTo: %s\r\nSubject: overheated pump\r\nDate: %s\r\nMessage-ID: <frozen@example.com>\r\n\r\nThe pump is overheated.\r\n' \
  'rsa@example.org, p256@example.org, p384@example.org, p521@example.org' "$(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S +0000')" >mail.eml
cp mail.eml "$out/mail/plain.eml"
export_signer mail-signer
# shellcheck disable=SC2086 # several words
mail enveloped-data $signing
mail auth-enveloped-data --authenticated '*'
keys mail-signer new --domain example.com
passing senders
export_signer senders-signer
# shellcheck disable=SC2086
mail enveloped-data-as-sender $signing
# shellcheck disable=SC2086
mail without-index $signing --no-index

# An index of each scheme beside the first one. The log begins here, for each of its heads has the authority's signatures, which are long.
keys log --begin
for scheme in bdop04-peks zi07-peks; do
  keys rotate --index --index-scheme $scheme
done
keys rotate --index --index-scheme cp-zxa14 --index-policy 'role:auditor OR role:dpo'
bundle last
seal tenant-key --epoch "$epoch"
seal tenant-key-next-epoch --epoch "$next"
"$veilgate" trapdoor overheated --scope plant-7 --epoch "$epoch,$next" --grant-to ada --grant-days 30 -o "$out/overheated.vgs"
keys issue ada --attributes 'role:auditor, site:plant-7' --search --epoch "$epoch,$next" --memory 8 \
  --reader-passphrase-file reader-passphrase -o "$out/readers/ada.vgr"
keys issue ben --policy 'site:plant-7 AND kind:log' --epoch "$epoch,$next" --memory 8 \
  --reader-passphrase-file reader-passphrase -o "$out/readers/ben.vgr"

keys backup --shares 2-of-2 -o last-backup

# A head of the log, proofs from it, and the folder. What was before the last change is in it, too.
keys log --signed-head -o "$out/log-head.vgh"
keys remove-sender press-5
keys log --entry 3 -o "$out/log-entry.vgp"
keys log --since "$out/log-head.vgh" -o "$out/log-since-head.vgp"
keys check
cp -R keys "$out/keys"
rm -f "$out/keys/lock"
cp authority press-4.pub "$out/"
for crt in *.crt; do
  openssl x509 -in "$crt" -outform DER -out "$out/mail/${crt%.crt}.crt"
done
