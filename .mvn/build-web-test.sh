# Tests when audit-console/build-web builds, with an npm that is nothing but a script. Run by the build; prints only failures.
set -eu

folder=$(cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failures=0

console=$work/audit-console
web=$console/web
mkdir -p "$work/.mvn" "$work/programs" "$console/src/main/resources"
cp "$folder/find-node.sh" "$work/.mvn"
cp "$folder/../audit-console/build-web" "$console"
# program NAME BODY
program() {
  printf '#!/bin/sh\n%s\n' "$2" >"$work/programs/$1"
  chmod +x "$work/programs/$1"
}
program node 'echo v20.19.0'
program npm 'echo "$*" >>"$LOG"
case $* in
  ci*) mkdir -p node_modules ;;
  *build*) mkdir -p dist ;;
esac'

# All that the real pages have.
(cd "$folder/../audit-console/web" && find . \( -name node_modules -o -name dist -o -name shots -o -name schema.ts \) -prune -o -type d -print) \
  | while IFS= read -r made; do
    mkdir -p "$web/$made"
    : >"$web/$made/file.ts"
  done
for file in index.html package.json package-lock.json vite.config.ts tsconfig.json ../src/main/resources/openapi.yaml; do
  : >"$web/$file"
done

# settle: all sources are old, and what is built is newer
settle() {
  find "$console" -exec touch -t 201901010000 {} +
  touch -t 202001010000 "$web/node_modules/.veilgate" "$web/dist/.veilgate"
}

# builds WHAT-CHANGED EXPECTED: what the script calls
builds() {
  : >"$work/log"
  PATH="$work/programs:$PATH" LOG="$work/log" sh "$console/build-web" build
  got=$(tr '\n' ' ' <"$work/log")
  case $got in ci*) got="installs ${got#*=error }" ;; esac
  if [ "$got" != "$2" ]; then
    printf 'build-web: %s: expected "%s", got "%s"\n' "$1" "$2" "$got" >&2
    failures=$((failures + 1))
  fi
  settle
}
run='run --silent build '

builds 'at first' "installs $run"
builds 'nothing' ''
for file in index.html package.json package-lock.json vite.config.ts tsconfig.json ../src/main/resources/openapi.yaml; do
  touch "$web/$file"
  case $file in
    package*) builds "$file" "installs $run" ;;
    *) builds "$file" "$run" ;;
  esac
done
# What vite.config.ts imports is of the pages as much as their sources.
for used in src src/app public scripts dev dev/stub; do
  touch "$web/$used/file.ts"
  builds "$used/file.ts" "$run"
  rm "$web/$used/file.ts"
  builds "$used/file.ts is deleted" "$run"
done
touch "$web/test/file.ts"
builds 'a test' ''
: >"$web/src/shared/api/schema.ts"
settle
touch "$web/src/shared/api/schema.ts"
builds 'the schema that is made anew' ''

[ "$failures" = 0 ]
