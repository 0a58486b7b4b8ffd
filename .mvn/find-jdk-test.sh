# Tests find-jdk.sh with JDKs that are nothing but a release file and a javac. Run by the build; prints only failures.
set -eu

script=$(cd -- "$(dirname -- "$0")" && pwd)/find-jdk.sh
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
work=$(cd -P -- "$work" && pwd -P)
failures=0

# jdk FOLDER VERSION, e.g. jdk jvm/a 25.0.3
jdk() {
  mkdir -p "$work/$1/bin"
  printf 'IMPLEMENTOR="Somebody"\nJAVA_VERSION="%s"\nOS_NAME="Linux"\n' "$2" >"$work/$1/release"
  printf '#!/bin/sh\n' >"$work/$1/bin/javac"
  chmod +x "$work/$1/bin/javac"
}

# A PATH with what the script may call, and no Java.
mkdir -p "$work/tools" "$work/home" "$work/elsewhere"
ln -s "$(command -v readlink)" "$work/tools/readlink"

# Sources the script as mvnw does (no globbing, errors are fatal) in shell $shell with the variables given.
run() {
  env -i PATH="$work/tools" HOME="$work/home" VEILGATE_JDK_FOLDERS="$work/none/*" "$@" \
    "$shell" -c 'set -euf; . "$0"; "$1" -c "echo \"\$JAVA_HOME\""' "$script" "$shell" 2>"$work/stderr"
}

fail() {
  printf 'find-jdk (%s): %s\n' "$shell" "$1" >&2
  sed 's/^/    /' "$work/stderr" >&2
  failures=$((failures + 1))
}

# finds WHAT-IS-TESTED FOLDER VARIABLE=VALUE...
finds() {
  what=$1 want=$work/$2
  shift 2
  got=$(run "$@") || got="(exit status $?)"
  if [ "$got" != "$want" ]; then
    fail "$what: expected $want, got $got"
  elif [ -s "$work/stderr" ]; then
    fail "$what: should be silent"
  fi
}

# fails WHAT-IS-TESTED TEXT-OF-MESSAGE VARIABLE=VALUE...
fails() {
  what=$1 text=$2
  shift 2
  status=0
  got=$(run "$@") || status=$?
  if [ "$status" != 1 ] || [ -n "$got" ]; then
    fail "$what: expected exit status 1 and no output, got $status and '$got'"
  elif ! grep -q -F -e "$text" "$work/stderr"; then
    fail "$what: the message lacks '$text'"
  fi
}

jdk jvm/jdk24 24.0.2
jdk jvm/jdk25 25.0.3
jdk jvm/jdk26 26
jdk late/jdk27 27.0.1
jdk late/jdk26 26
jdk old/jdk8 1.8.0_402
jdk old/jdk17 17.0.15
jdk 'with space/jdk 25' 25
jdk early/jdk25 25-ea
jdk mac/temurin-25.jdk/Contents/Home 25.0.3
jdk jre/jre25 25.0.3
rm "$work/jre/jre25/bin/javac"
mkdir -p "$work/broken/jdk25/bin"
printf 'JAVA_VERSION="25"' >"$work/broken/unterminated"
jdk unterminated/jdk25 25
mv "$work/broken/unterminated" "$work/unterminated/jdk25/release"
ln -s jdk17 "$work/old/default"
ln -s "$work/jvm/jdk25/bin/javac" "$work/elsewhere/javac-25"
mkdir "$work/linked" "$work/path24"
ln -s ../elsewhere/javac-25 "$work/linked/javac"
ln -s "$work/jvm/jdk24/bin/javac" "$work/path24/javac"

for shell in sh dash bash ksh; do
  shell=$(command -v "$shell") || continue

  finds 'keeps a JAVA_HOME that will do' jvm/jdk25 JAVA_HOME="$work/jvm/jdk25" VEILGATE_JDK_FOLDERS="$work/early/*"
  finds 'keeps a later JAVA_HOME' jvm/jdk26 JAVA_HOME="$work/jvm/jdk26" VEILGATE_JDK_FOLDERS="$work/jvm/*"
  finds 'keeps a JAVA_HOME with a space' 'with space/jdk 25' JAVA_HOME="$work/with space/jdk 25"
  finds 'reads an unterminated line' unterminated/jdk25 JAVA_HOME="$work/unterminated/jdk25"
  finds 'passes over an old JAVA_HOME' jvm/jdk25 JAVA_HOME="$work/jvm/jdk24" VEILGATE_JDK_FOLDERS="$work/jvm/*"
  finds 'passes over a missing JAVA_HOME' jvm/jdk25 JAVA_HOME="$work/nowhere" VEILGATE_JDK_FOLDERS="$work/jvm/*"
  finds 'passes over an empty JAVA_HOME' jvm/jdk25 JAVA_HOME= VEILGATE_JDK_FOLDERS="$work/jvm/*"
  finds 'passes over a JRE' jvm/jdk25 JAVA_HOME="$work/jre/jre25" VEILGATE_JDK_FOLDERS="$work/jre/*:$work/jvm/*"
  finds 'follows links on the PATH' jvm/jdk25 PATH="$work/linked:$work/tools"
  finds 'passes over an old PATH' jvm/jdk25 PATH="$work/path24:$work/tools" VEILGATE_JDK_FOLDERS="$work/jvm/*"
  finds 'prefers 25 to a later PATH' early/jdk25 PATH="$work/late/jdk27/bin:$work/tools" VEILGATE_JDK_FOLDERS="$work/early/*"
  finds 'takes the earliest of later ones' late/jdk26 VEILGATE_JDK_FOLDERS="$work/late/*:$work/old/*"
  finds 'finds an early access 25' early/jdk25 VEILGATE_JDK_FOLDERS="$work/old/*:$work/early/*"
  finds 'finds folders with spaces' 'with space/jdk 25' VEILGATE_JDK_FOLDERS="$work/with space/*"
  finds 'finds Contents/Home' mac/temurin-25.jdk/Contents/Home VEILGATE_JDK_FOLDERS="$work/mac/*"

  fails 'says what to install' 'Eclipse Temurin 25 from https://adoptium.net'
  fails 'names an old JAVA_HOME' "JDK 24: $work/jvm/jdk24 (JAVA_HOME)" JAVA_HOME="$work/jvm/jdk24"
  fails 'names a missing JAVA_HOME' "no JDK: $work/nowhere (JAVA_HOME)" JAVA_HOME="$work/nowhere"
  fails 'names an old PATH' "JDK 24: $work/jvm/jdk24 (PATH)" PATH="$work/path24:$work/tools"
  fails 'names old folders' "JDK 8: $work/old/jdk8" VEILGATE_JDK_FOLDERS="$work/old/*"
  fails 'names a JRE' "without a compiler (no bin/javac): $work/jre/jre25" VEILGATE_JDK_FOLDERS="$work/jre/*"
  fails 'wants a release file' 'none was found' VEILGATE_JDK_FOLDERS="$work/broken/*"
  run VEILGATE_JDK_FOLDERS="$work/old/*" >/dev/null || :
  if [ "$(grep -c "$work/old/" "$work/stderr")" != 2 ]; then
    fail 'lists each JDK once, whatever links to it'
  fi
done

[ "$failures" = 0 ]
