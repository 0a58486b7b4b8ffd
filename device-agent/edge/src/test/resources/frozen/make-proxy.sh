#!/bin/sh
# Makes a frozen set of the mail proxy: make-proxy.sh VEILGATE FOLDER, with the veilgate command of the version that is frozen and a folder that is not
# there yet. Needs openssl and python3. Everything in it is worthless: the keys are published with it. SOURCE.md of a set says what is in it.
set -eu
veilgate=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
work=$(mktemp -d)
proxy=
stop() {
  [ -z "$proxy" ] || kill -9 "$proxy" 2>/dev/null || true
  rm -rf "$work"
}
trap stop EXIT
cd "$work"

VEILGATE_KEYS=$work/keys
VEILGATE_PASSPHRASE='frozen sample passphrase'
export VEILGATE_KEYS VEILGATE_PASSPHRASE
printf 'frozen signer passphrase\n' >"$out/signer-passphrase"
"$veilgate" keys init --tenant acme --memory 8 --mail-domain example.com >made
sed -n 's/.*authority //p' made | tr -d '[:space:]' >"$out/authority"
openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.pem
openssl req -x509 -new -key rsa.pem -days 36500 -subj /CN=rsa -addext subjectAltName=email:rsa@example.org -addext keyUsage=keyEncipherment -out rsa.crt
openssl pkcs8 -topk8 -nocrypt -in rsa.pem -outform DER -out "$out/rsa.key"
openssl x509 -in rsa.crt -outform DER -out "$out/rsa.crt"
"$veilgate" keys add-recipient --address rsa@example.org --certificate rsa.crt --scope mail
"$veilgate" keys bundle --valid-for P40D -o "$out/acme.vgb"
"$veilgate" keys mail-signer export --signer-passphrase-file "$out/signer-passphrase" -o "$out/signer.p12"

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
port=$(free_port)
nobody=$(free_port) # listens there: what was sealed waits
"$veilgate" mail proxy --bundle "$out/acme.vgb" --authority "$out/authority" --port "$port" --spool "$out/spool" --smtp-url "smtp://127.0.0.1:$nobody" \
  --signing-key "$out/signer.p12" --signing-passphrase-file "$out/signer-passphrase" --sign-as from >proxy.log 2>&1 &
proxy=$!
for name in one two; do
  printf 'From: Ada <ada@example.com>\r\nTo: rsa@example.org\r\nSubject: overheated %s\r\nDate: %s\r\nMessage-ID: <%s@example.com>\r\n\r\nThe pump %s is overheated.\r\n' \
    $name "$(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S +0000')" $name $name >"$out/$name.eml"
done
python3 - "$port" "$out/one.eml" "$out/two.eml" <<'END'
import smtplib, sys, time
for attempt in range(120):
    try:
        client = smtplib.SMTP("127.0.0.1", int(sys.argv[1]))
        break
    except OSError:
        time.sleep(0.5)
for file in sys.argv[2:]:
    client.sendmail("ada@example.com", ["rsa@example.org"], open(file, "rb").read())
END
kill -9 $proxy
cat proxy.log >&2
rm -f "$out/acme.senders" "$out/spool/lock"
