#!/bin/sh
# Makes a frozen set of the archive: make.sh VEILGATE FOLDER, with the veilgate command of the version that is frozen and a folder that is
# not there yet. The documents are made here. Everything in it is worthless: the keys are published with it. SOURCE.md of a set says what is in it.
set -eu
veilgate=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

XDG_CONFIG_HOME=$work/config
XDG_STATE_HOME=$work/state
VEILGATE_PASSPHRASE='frozen sample passphrase'
export XDG_CONFIG_HOME XDG_STATE_HOME VEILGATE_PASSPHRASE

archive() {
  command=$1
  shift
  "$veilgate" archive "$command" "$@"
}

# Names of documents are the same wherever the test runs: below the folder of the process, whichever that is.
documents=/proc/self/cwd/documents
mkdir -p documents/mail

# mail NAME FROM DATE SUBJECT TEXT
mail() {
  printf 'From: %s\nTo: bob@example.org\nDate: %s\nSubject: %s\nMessage-ID: <%s@example.org>\n\n%s\n' "$2" "$3" "$4" "$1" "$5" >"documents/mail/$1.eml"
}
mail owl 'Ada <ada@example.org>' 'Fri, 20 Nov 2026 12:00:00 +0000' 'The owl report' 'Two owls were hooting near the root, an owl and another owl.'
mail lark 'Ben <ben@example.org>' 'Sat, 21 Nov 2026 12:00:00 +0000' 'The lark report' 'No owl this time.'
mail draft 'Ada <ada@example.org>' 'Sun, 22 Nov 2026 12:00:00 +0000' 'draft' 'Owls, to be written.'
printf 'An owl, hooting.\nThe former text has a wryneck.\n' >documents/notes.txt
printf 'name,city,price_eur,seen\nowl,Lima,12.50,2026-11-20\nlark,Oslo,99,2026-11-21\nheron,Lima,100.25,2026-12-01\n' >documents/birds.csv
printf 'time=2026-11-20T10:00:00Z level=info host=press-4 addr=10.0.0.1 status=200 ms=0.4 msg="pump started"
time=2026-11-20T10:01:00Z level=error host=press-4 addr=10.0.0.2 status=503 ms=12.75 msg="pump overheated"
time=2026-11-20T11:00:00Z level=warn host=press-5 addr=10.0.1.1 status=404 ms=3 msg="pump slow"\n' >documents/app.log
printf '{"time":"2026-11-21T09:00:00Z","level":"error","host":"press-5","status":500,"message":"valve overheated"}
{"time":"2026-11-21T09:30:00Z","level":"debug","host":"press-5","status":204,"message":"valve closed"}\n' >documents/app.jsonl

awk 'BEGIN { for (i = 1; i <= 1500; i++) printf "level=info unit=belt-%d seq=%d msg=\"tick %s\"\n", i % 7, i, i % 500 ? "tock" : "cuckoo" }' >documents/belt.log

# Under the first key: a segment for each addition, a document that is replaced, and some that are deleted.
archive create segments
archive add segments $documents/mail
archive add segments $documents/notes.txt $documents/birds.csv
archive add segments $documents/app.log $documents/app.jsonl
archive add segments $documents/belt.log
printf 'A heron, and a kingfisher since.\n' >documents/notes.txt
archive add segments $documents/notes.txt
archive delete segments $documents/mail/draft.eml
rm documents/mail/draft.eml
mkdir -p "$out/backup"
archive key backup --memory 8 segments "$out/backup/former.vgbackup"

# Under the second key: additions, a row that changed, and a row and a document that were deleted.
archive compact --rekey segments
mail heron 'Ada <ada@example.org>' 'Mon, 23 Nov 2026 12:00:00 +0000' 'The heron report' 'Herons near the overheated valve.'
mail gone 'Ben <ben@example.org>' 'Mon, 23 Nov 2026 13:00:00 +0000' 'The stork report' 'Storks that are deleted.'
archive add segments $documents/mail
printf 'time=2026-11-22T10:00:00Z level=fatal host=press-6 addr=10.0.0.77 status=599 ms=250.125 msg="pump overheated again"\n' >>documents/app.log
archive add segments $documents/app.log
printf 'name,city,price_eur,seen\nowl,Lima,12.50,2026-11-20\nlark,Quito,98,2026-11-21\n' >documents/birds.csv
archive add segments $documents/birds.csv
cp -R segments "$out/earlier"
archive delete segments $documents/mail/gone.eml
archive key backup --memory 8 segments "$out/backup/key.vgbackup"
archive key backup --shares 2-of-3 segments "$out/backup/shares"
archive verify segments
archive stats segments >&2
cp -R segments "$out/segments"
mkdir -p "$out/device/keys" "$out/device/states"
cp config/veilgate/archives/*.key "$out/device/keys/"
cp state/veilgate/archives/*.head "$out/device/states/"

# The schemes of the papers: birds SCHEME NAME [--set PARAMETER=VALUE], an archive of four documents, of which one is deleted where the scheme can.
printf 'An owl near the root.\n' >documents/owl.txt
printf 'Two larks and an owl.\n' >documents/larks.txt
printf 'A lark, and 10.0.0.1.\n' >documents/lark.txt
printf 'An owl that is deleted.\n' >documents/gone.txt
birds() {
  birds=$out/schemes/$2
  scheme=$1
  shift 2
  archive create --scheme "$scheme" "$@" "$birds"
  archive add "$birds" $documents/owl.txt $documents/larks.txt
  archive search "$birds" owl >&2
  archive add "$birds" $documents/lark.txt $documents/gone.txt
  archive delete "$birds" $documents/gone.txt || echo "$scheme deletes nothing" >&2
  archive search "$birds" owl >&2
}
mkdir "$out/schemes"
archive schemes --json >schemes.json
for scheme in $(sed 's/^{"name": *"\([a-z0-9]*\)".*/\1/' schemes.json); do
  birds "$scheme" "$scheme"
done
for scheme in suise vasst16; do
  birds $scheme $scheme-prefixes --set prefixes=1
done
