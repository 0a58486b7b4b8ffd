# Tests when the command in the checkout is built anew, with a build that is nothing but a script. Run by Maven; prints only failures.
set -eu

folder=$(cd -- "$(dirname -- "$0")" && pwd)
root=$(mktemp -d)
trap 'rm -rf -- "$root"' EXIT
failures=0

mkdir -p "$root/.mvn"
cp "$folder/../veilgate" "$root"
cp "$folder/modules.sh" "$root/.mvn"
: >"$root/.mvn/find-jdk.sh"
echo 'echo "builds $*" >>"$LOG"' >"$root/.mvn/build-steps.sh"

# module FOLDER [DEPENDENCY]: its artifact has the name of its folder.
module() {
  mkdir -p "$root/$1/src/main/java" "$root/$1/src/test/java"
  {
    printf '<project>\n  <artifactId>%s</artifactId>\n' "$1"
    if [ $# = 2 ]; then
      printf '  <dependencies>\n    <dependency>\n      <groupId>dev.veilgate</groupId>\n'
      printf '      <artifactId>%s</artifactId>\n    </dependency>\n  </dependencies>\n' "$2"
    fi
    echo '</project>'
  } >"$root/$1/pom.xml"
}
module engine
module audit-console engine
printf '<project>\n    <module>engine</module>\n    <module>audit-console</module>\n</project>\n' >"$root/pom.xml"
console=$root/audit-console/target/veilgate-console
mkdir -p "$console"
echo 'echo "starts $*" >>"$LOG"' >"$console/veilgate-console"
web=$root/audit-console/web
mkdir -p "$web/src/shared/api" "$web/scripts" "$web/dev/stub" "$web/public" "$web/test" "$web/node_modules" "$web/dist" "$web/shots"

# run WHAT-CHANGED EXPECTED: what the script calls; then all is old, and what is built is newer.
run() {
  : >"$root/log"
  LOG="$root/log" sh "$root/veilgate" console --help 2>/dev/null
  got=$(cat "$root/log")
  case $got in
    'builds audit-console
starts --help') got=builds ;;
    'starts --help') got='starts only' ;;
  esac
  if [ "$got" != "$2" ]; then
    printf 'veilgate: %s: expected "%s", got "%s"\n' "$1" "$2" "$got" >&2
    failures=$((failures + 1))
  fi
  find "$root" -exec touch -t 201901010000 {} +
  touch -t 202001010000 "$console/built"
}
run 'at first' builds
run 'nothing' 'starts only'
for file in engine/src/main/java/A.java engine/pom.xml pom.xml audit-console/src/main/java/B.java \
  audit-console/web/src/main.tsx audit-console/web/index.html audit-console/web/vite.config.ts audit-console/web/package-lock.json \
  audit-console/web/public/favicon.svg audit-console/web/scripts/themeCss.ts audit-console/web/dev/stub/plugin.ts; do
  touch "$root/$file"
  run "$file" builds
done
rm "$web/scripts/themeCss.ts"
run 'a script of the pages is deleted' builds
for file in engine/src/test/java/ATest.java audit-console/web/test/a.test.ts audit-console/web/node_modules/.veilgate \
  audit-console/web/dist/index.html audit-console/web/shots/a.png; do
  touch "$root/$file"
  run "$file" 'starts only'
done
: >"$web/src/shared/api/schema.ts"
run 'a folder is newer' builds
touch "$web/src/shared/api/schema.ts"
run 'the schema that is made anew' 'starts only'

[ "$failures" = 0 ]
