# Tests benchmarks/src/test/journeys/run with an npm that is nothing but a script. Run by the build; prints only failures.
set -eu

folder=$(cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failures=0

journeys=$work/benchmarks/src/test/journeys
mkdir -p "$work/.mvn" "$work/programs" "$journeys"
cp "$folder/find-node.sh" "$folder/find-chromium.sh" "$work/.mvn"
cp "$folder/../benchmarks/src/test/journeys/run" "$journeys"
: >"$journeys/package.json"
: >"$journeys/package-lock.json"
mkdir "$journeys/console"
: >"$journeys/console/a.spec.ts"
# program FILE BODY
program() {
  mkdir -p "$(dirname "$1")"
  printf '#!/bin/sh\n%s\n' "$2" >"$1"
  chmod +x "$1"
}
program "$work/programs/node" 'echo v20.19.0'
program "$work/programs/browser" ''
program "$work/programs/npm" 'echo "npm $1" >>"$LOG"
[ "$1" != ci ] || { mkdir -p node_modules/.bin; cp "$PLAYWRIGHT" node_modules/.bin/playwright; }'
program "$work/playwright" 'echo "playwright $* in $CHROMIUM" >>"$LOG"'

# runs WHAT-IS-TESTED EXPECTED ARGUMENT...: what it calls
runs() {
  what=$1 expected=$2
  shift 2
  : >"$work/log"
  status=0
  PATH="$work/programs:$PATH" CHROMIUM="${browser-browser}" LOG="$work/log" PLAYWRIGHT="$work/playwright" \
    sh "$journeys/run" "$@" >"$work/said" 2>&1 || status=$?
  got=$(cat "$work/log")
  if [ "$got" != "$expected" ]; then
    printf 'journeys: %s: expected "%s", got "%s"; status %s\n' "$what" "$expected" "$got" "$status" >&2
    failures=$((failures + 1))
  fi
}
settle() {
  find "$journeys" -exec touch -t 201901010000 {} +
  touch -t 202001010000 "$journeys/node_modules/.veilgate" "$journeys/node_modules/.checked"
}
runs 'sets up and checks' 'npm ci
npm run' set-up
settle
runs 'sets up once' '' set-up
[ "$status" = 0 ] || failures=$((failures + 1))
runs 'runs' "playwright test --project=console in $work/programs/browser" --project=console
settle
touch "$journeys/console/a.spec.ts"
runs 'checks what changed, and runs' "npm run
playwright test in $work/programs/browser"
settle
rm "$journeys/console/a.spec.ts"
runs 'checks after a file was deleted' 'npm run' set-up
settle
touch "$journeys/package-lock.json"
runs 'sets up after a change, and runs' "npm ci
npm run
playwright test in $work/programs/browser"
browser=$work/none
runs 'runs nothing without a browser' ''
grep -q 'there is no Chromium' "$work/said" || failures=$((failures + 1))

[ "$failures" = 0 ]
