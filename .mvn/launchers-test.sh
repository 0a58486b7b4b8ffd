# Tests which Java the launchers of the programs start, with Javas that are nothing but a release file and a script. Run by the build; prints only failures.
set -eu

root=$(cd -- "$(dirname -- "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
work=$(cd -P -- "$work" && pwd -P)
failures=0

# java FOLDER VERSION: says where it is, and no more.
java() {
  mkdir -p "$work/$1/bin"
  [ -z "$2" ] || printf 'IMPLEMENTOR="Somebody"\nJAVA_VERSION="%s"\n' "$2" >"$work/$1/release"
  printf '#!/bin/sh\necho "$0"\n[ -z "${SAID-}" ] || echo "$@" >"$SAID"\n' >"$work/$1/bin/java"
  chmod +x "$work/$1/bin/java"
}
java jvm/java-17-openjdk-amd64 17.0.15
java jvm/java-25-openjdk-amd64 25.0.3
java jvm/zulu-26 26
java late/a-27 27.0.1
java old/java-8 1.8.0_402
java old/java-17 17.0.15
java silent/java-25 '' # says no version
mkdir -p "$work/jvm/java-25-empty" "$work/none" "$work/alternatives"
ln -s "$work/old/java-17/bin/java" "$work/alternatives/java"

# What the launchers call.
mkdir "$work/tools"
for tool in sh sed readlink find rm mv nice cat; do
  ln -s "$(command -v "$tool")" "$work/tools/$tool"
done

# starts WHAT-IS-TESTED JAVA VARIABLE=VALUE...: JAVA is a folder, or none.
starts() {
  what=$1 want=$work/$2/bin/java
  [ "$2" != none ] || want='(exit status 78)'
  shift 2
  got=$(env -i PATH="$work/tools" VEILGATE_JDK_FOLDERS="$work/none/*" "$@" sh "$work/installed/program" run 2>"$work/said") \
    || got="(exit status $?)"
  if [ "$got" != "$want" ]; then
    printf 'launchers (%s): %s: expected %s, got %s\n' "$launcher" "$what" "$want" "$got" >&2
    sed 's/^/    /' "$work/said" >&2
    failures=$((failures + 1))
  fi
}

for launcher in gateway/server/src/main/launcher/veilgate-gateway device-agent/edge/src/main/launcher/veilgate-edge; do
  rm -rf "$work/installed"
  mkdir -p "$work/installed/lib"
  cp "$root/$launcher" "$work/installed/program"

  starts 'takes JAVA_HOME' jvm/java-25-openjdk-amd64 JAVA_HOME="$work/jvm/java-25-openjdk-amd64" PATH="$work/jvm/zulu-26/bin:$work/tools"
  starts 'takes no other than JAVA_HOME' none JAVA_HOME="$work/old/java-17" PATH="$work/jvm/zulu-26/bin:$work/tools"
  starts 'takes the Java of the PATH' jvm/zulu-26 PATH="$work/jvm/zulu-26/bin:$work/tools" VEILGATE_JDK_FOLDERS="$work/late/*"
  starts 'believes one of the PATH that does not say its version' silent/java-25 PATH="$work/silent/java-25/bin:$work/tools"
  starts 'passes over an old one of the PATH' late/a-27 PATH="$work/alternatives:$work/tools" VEILGATE_JDK_FOLDERS="$work/late/*"
  starts 'finds one where none is on the PATH' jvm/java-25-openjdk-amd64 VEILGATE_JDK_FOLDERS="$work/jvm/*"
  starts 'takes the first folder that has one' late/a-27 VEILGATE_JDK_FOLDERS="$work/old/*:$work/late/*:$work/jvm/*"
  starts 'passes over folders that do not say their version' none VEILGATE_JDK_FOLDERS="$work/silent/*"
  starts 'says that there is none' none VEILGATE_JDK_FOLDERS="$work/old/*"
  if ! grep -q -F -e 'program needs Java 25 or later: install it, or set JAVA_HOME to its folder' "$work/said"; then
    printf 'launchers (%s): the message says what to do\n' "$launcher" >&2
    failures=$((failures + 1))
  fi
done

# Its connections end before the gateway, at the other end of the console's, closes them after 20 s of silence.
cp "$root/gateway/server/src/main/launcher/veilgate-gateway" "$work/installed/program"
launcher=veilgate-gateway
starts 'starts' jvm/java-25-openjdk-amd64 JAVA_HOME="$work/jvm/java-25-openjdk-amd64" SAID="$work/arguments"
grep -q -e '-Djdk.httpclient.keepalive.timeout=10 ' "$work/arguments" || {
  echo "launchers: idle connections are kept for longer than the gateway keeps them" >&2
  failures=$((failures + 1))
}

# What runs beside what it watches has little memory; the authority's commands, those for users of mail among them, have enough for Argon2id.
cp "$root/device-agent/edge/src/main/launcher/veilgate-edge" "$work/installed/program"
# memory MOST COMMAND...
memory() {
  want=-Xmx$1
  shift
  env -i PATH="$work/tools" JAVA_HOME="$work/jvm/zulu-26" SAID="$work/arguments" sh "$work/installed/program" "$@" >/dev/null
  grep -q -w -e "$want" "$work/arguments" || {
    printf 'launchers: %s: expected %s, got %s\n' "$*" "$want" "$(cat "$work/arguments")" >&2
    failures=$((failures + 1))
  }
}
memory 72m agent run --config file
for command in proxy send check password; do
  memory 72m mail "$command"
done
for command in enrol enrolled withdraw; do
  memory 1g mail "$command" ada@acme.example
done
memory 1g keys init
memory 1g search

# Archives of classes: none is written by what runs, which has to end at once; one is used if it is not older than the jars. What
# makes one leaves the former if it fails.
cat >"$work/jvm/zulu-26/bin/java" <<'END'
#!/bin/sh
echo "$@" >>"$SAID"
for option; do
  case $option in -XX:ArchiveClassesAtExit=*) [ -n "${FAILS-}" ] || echo new >"${option#*=}" ;; esac
done
exit "${FAILS:-0}"
END
# launched VARIABLE=VALUE... COMMAND...: sets arguments and status.
launched() {
  : >"$work/arguments"
  status=0
  env -i PATH="$work/tools" JAVA_HOME="$work/jvm/zulu-26" SAID="$work/arguments" "$@" >/dev/null 2>"$work/said" || status=$?
  arguments=$(cat "$work/arguments")
}
# expects WHAT-IS-TESTED COMMAND...: the command succeeds.
expects() {
  what=$1
  shift
  "$@" || {
    printf 'launchers (%s): %s: %s (status %s)\n' "$launcher" "$what" "$arguments" "$status" >&2
    failures=$((failures + 1))
  }
}
says() { case $arguments in *"$1"*) return 0 ;; *) return 1 ;; esac }
says_no() { ! says "$1"; }
for launcher in gateway/server/src/main/launcher/veilgate-gateway device-agent/edge/src/main/launcher/veilgate-edge; do
  cp "$root/$launcher" "$work/installed/program"
  program=$work/installed/program
  case $launcher in
    *gateway) command=run archive=$program.jsa ;;
    *) command='agent run' archive=$program-agent.jsa ;;
  esac
  rm -f "$work/installed"/*.jsa
  : >"$work/installed/lib/part.jar"
  # shellcheck disable=SC2086 # a command of one or two words
  launched "$program" $command
  expects 'writes no archive as it runs' says_no Archive
  launched "$program" make-archive
  expects 'makes an archive' says "-XX:ArchiveClassesAtExit=$archive"
  expects 'says that it made one' test "$status" = 0
  expects 'puts it where it belongs' test -s "$archive"
  # shellcheck disable=SC2086
  launched "$program" $command
  expects 'uses it' says "-XX:SharedArchiveFile=$archive"
  expects 'writes none beside it' says_no AtExit
  echo former >"$archive"
  launched FAILS=3 "$program" make-archive
  expects 'says that it made none' test "$status" != 0
  expects 'says what that means' grep -q 'starts take longer without it' "$work/said"
  expects 'leaves the former' test "$(cat "$archive")" = former
  expects 'leaves nothing else' test -z "$(find "$work/installed" -name '*.jsa.*')"
  touch -d '2020-01-01' "$archive"
  # shellcheck disable=SC2086
  launched "$program" $command
  expects 'leaves out one that is older than the jars' says_no Archive
done

[ "$failures" = 0 ]
