# Tests verify with a Maven and a sudo that are nothing but scripts. Run by the build; prints only failures.
set -eu

folder=$(cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failures=0

mkdir -p "$work/repository/.mvn" "$work/programs"
cp "$folder/../verify" "$work/repository/verify"
: >"$work/repository/.mvn/find-jdk.sh"
echo 'echo "tools $*" >>"$LOG"' >"$work/repository/.mvn/test-tools.sh"
echo 'echo "report $*" >>"$LOG"' >"$work/repository/.mvn/test-report.sh"
echo 'echo "engine $*" >>"$LOG"; exit "${ENGINE-0}"' >"$work/repository/.mvn/container-engine.sh"

# program NAME BODY
program() {
  printf '#!/bin/sh\n%s\n' "$2" >"$work/programs/$1"
  chmod +x "$work/programs/$1"
}
for tool in sh dirname find rm date cat grep tail; do
  ln -s "$(command -v "$tool")" "$work/programs/$tool"
done
program id 'echo "${USER_ID-1000}"'
program sudo 'echo "sudo $*" >>"$LOG"; exit "${SUDO-0}"'
# Says something, as what keeps sudo awake may not: its streams would be the caller's. Maven waits until it did.
program sleep 'echo leaked; echo leaked >&2; echo slept >>"$LOG"; exit 1'
program ../repository/mvnw '[ -n "${PATIENT-}" ] || tries=3000
until grep -q slept "$LOG" || [ "${tries-0}" = 3000 ]; do tries=$((${tries-0} + 1)); done
echo "maven $*" >>"$LOG"
exit "${MAVEN-0}"'

mkdir -p "$work/repository/native"
program ../repository/native/install-liboqs 'echo liboqs >>"$LOG"; exit 1'

# verify [VARIABLE=VALUE]... [-- OPTION...]: sets status; what it said is in $work/said, what it called in $work/log.
verify() {
  variables=
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    variables="$variables $1"
    shift
  done
  [ $# = 0 ] || shift
  : >"$work/log"
  status=0
  # shellcheck disable=SC2086 # one word a variable
  env -i PATH="$work/programs" LOG="$work/log" $variables \
    sh "$work/repository/verify" "$@" >"$work/said" 2>&1 </dev/null || status=$?
}

fail() {
  printf 'verify: %s; status %s\n' "$1" "$status" >&2
  sed 's/^/    /' "$work/said" "$work/log" >&2
  failures=$((failures + 1))
}

verify PATIENT=yes -- -Dveilgate.seed=7
[ "$status" = 0 ] || fail 'succeeds with Maven'
grep -q -F -x 'maven -B -ntp verify -Pcontainers -Dveilgate.seed=7' "$work/log" || fail 'passes options on'
grep -q -x 'engine start target/container-engine' "$work/log" || fail 'starts a container engine'
grep -q -x liboqs "$work/log" || fail 'builds liboqs, and goes on without it'
tail -n 1 "$work/log" | grep -q -x 'engine stop target/container-engine' || fail 'stops the container engine last'
grep -q slept "$work/log" || fail 'keeps sudo awake'
! grep -q leaked "$work/said" || fail 'holds no stream of the caller open'
# Which modules mount a disk.
mkdir -p "$work/repository/gateway/server/src/test" "$work/repository/engine/src/test"
echo 'new SmallDisk(8)' >"$work/repository/gateway/server/src/test/FullDiskTest.java"
# asks EXPECTED-OF-SUDO EXPECTED-OF-TOOLS OPTION...
asks() {
  sudo=$1 disk=$2
  shift 2
  verify -- "$@"
  grep -q -F -x -e "tools install $disk" "$work/log" || fail "$*: the disk should be $disk"
  if grep -q '^sudo' "$work/log"; then called=yes; else called=no; fi
  [ "$called" = "$sudo" ] || fail "$*: sudo should be called: $sudo"
}
asks yes needed
asks yes needed -Dveilgate.seed=7
asks no unused -pl engine
asks no unused --projects=engine -o
asks yes wanted -pl gateway/server
asks yes wanted -pl engine,gateway/server
asks yes wanted -pl engine -am
asks yes wanted -pl :name-of-an-artifact
verify USER_ID=0
! grep -q '^sudo' "$work/log" || fail 'calls no sudo as root'
verify SUDO=1
grep -q -x 'tools install needed' "$work/log" || fail 'leaves it to the check to say that sudo does not let this user'
! grep -q slept "$work/log" || fail 'keeps no sudo awake that is not there'
echo 'exit 1' >>"$work/repository/.mvn/test-tools.sh"
verify PATIENT=yes
[ "$status" = 1 ] || fail 'ends where tools are missing'
! grep -q '^maven' "$work/log" || fail 'builds nothing where tools are missing'
echo 'echo "tools $*" >>"$LOG"' >"$work/repository/.mvn/test-tools.sh"

verify PATIENT=yes ENGINE=1
[ "$status" = 1 ] || fail 'ends where there is no container engine'
! grep -q '^maven' "$work/log" || fail 'builds nothing where there is no container engine'
for options in -P-containers '-pl engine' '-pl engine -am'; do
  # shellcheck disable=SC2086 # one word an option
  verify PATIENT=yes -- $options
  ! grep -q '^engine' "$work/log" || fail "$options: needs no container engine"
  grep -q -F -x "maven -B -ntp verify $options" "$work/log" || fail "$options: runs no tests of images"
done

verify MAVEN=3
[ "$status" = 3 ] || fail 'fails with Maven'
grep -q '^report [0-9]* 3$' "$work/log" || fail 'reports on a build that failed'

[ "$failures" = 0 ]
