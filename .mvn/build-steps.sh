#!/bin/sh
# Builds modules without their tests, and says one line a step with its time; where a step fails, all that Maven says.
#
#     sh .mvn/build-steps.sh MODULE...
#
# The lines go to standard error, as they are no output of the command that is built.
set -eu
root=$(cd -- "$(dirname -- "$0")/.." && pwd)
log=$(mktemp)
trap 'rm -f -- "$log"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
modules=$(printf '%s,' "$@")

# Prints the step that is over with the seconds it took.
end_step() {
  [ -z "$step" ] || printf '%5d s\n' $(($(date +%s) - began)) >&2
  step=
}

# Lists of components, which take Maven twenty seconds, are for whoever installs a program. What Maven says goes to the log whole. A step begins where it says that it builds a module.
step='' status=1
{ "$root/mvnw" -B -ntp -T 1 -f "$root/pom.xml" -pl "${modules%,}" -am package -DskipTests -Dcyclonedx.skip 2>&1 || :; } | {
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    case $line in
      "[INFO] Building jar: "* | "[INFO] Building war: "*) ;;
      "[INFO] Building "*"["*/*"]")
        end_step
        step=${line#\[INFO\] Building }
        began=$(date +%s)
        printf '  %-50s' "${step%% [0-9]*}" >&2
        ;;
      "[INFO] Reactor Summary"*) end_step ;;
      "[INFO] BUILD SUCCESS") status=0 ;;
    esac
  done
  end_step
  exit "$status"
} || {
  echo >&2
  cat -- "$log" >&2
  exit 1
}
