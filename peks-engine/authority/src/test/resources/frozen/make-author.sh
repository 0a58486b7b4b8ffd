#!/bin/sh
# Makes a frozen set of mail that its author signed opaquely, and of mail whose header outside is bound: make-author.sh VEILGATE SET FOLDER,
# with the veilgate command of the version that is frozen, a set of make.sh whose bundle is not expired, and a folder that is not there yet.
# Needs openssl. Everything in it is worthless: the keys are published. SOURCE.md of a set says what is in it.
set -eu
veilgate=$1
set=$(cd "$2" && pwd)
mkdir -p "$3"
out=$(cd "$3" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

printf 'frozen signer passphrase\n' >signer-passphrase
header="From: Ada <ada@example.com>\r\nTo: rsa@example.org, p256@example.org, p384@example.org, p521@example.org\r\n"
header="${header}Subject: overheated pump\r\nDate: $(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S +0000')\r\nMessage-ID: <frozen@example.com>\r\n"

# mail NAME: sealed as its sender.
mail() {
  "$veilgate" mail send --bundle "$set/bundles/last.vgb" --authority "$(cat "$set/authority")" --state serial --input "$1.eml" \
    --signing-key "$set/mail/senders-signer.p12" --signing-passphrase-file signer-passphrase -o "$out/$1.eml"
}

printf '%b\r\nThe pump is overheated.\r\n' "$header" >bound.eml
mail bound

openssl req -x509 -newkey rsa:2048 -nodes -keyout author.key -out author.crt -days 36500 -subj /CN=ada \
  -addext subjectAltName=email:ada@example.com -addext keyUsage=digitalSignature -addext extendedKeyUsage=emailProtection 2>req.log
printf 'Content-Type: text/plain\r\n\r\nThe pump is overheated.\r\n' >text
openssl cms -sign -nodetach -binary -in text -signer author.crt -inkey author.key -outform DER -out signed.der
{
  printf '%bMIME-Version: 1.0\r\nContent-Type: application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"\r\n' "$header"
  printf 'Content-Transfer-Encoding: base64\r\n\r\n'
  openssl base64 -in signed.der | sed 's/$/\r/'
} >signed-by-author.eml
cp signed-by-author.eml "$out/signed-by-author.plain.eml"
mail signed-by-author
