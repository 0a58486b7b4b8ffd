#!/bin/sh
# Makes the frozen sets of a version: data of every kind that it writes, which later versions read for ever.
#
#     sh .mvn/freeze.sh COMMIT   # its first eight digits name the sets
#
# What is built and run is this checkout, whose product must be that of COMMIT: makers and tests may be newer. Needs what tests need, and openssl,
# mosquitto, mosquitto_sub and python3. Takes ten minutes. Sets that are there stay as they are; a set that was begun and not ended is to be removed by hand.
# Then: write a SOURCE.md in each, beside it the set in the tests of the module, and look at what changed between the SOURCE.md of the last one and now.
set -eu
cd -- "$(dirname -- "$0")/.."
commit=$(git rev-parse --short=8 "${1:?sh .mvn/freeze.sh COMMIT}")
changed=$(git diff --name-only "$commit" -- ':(glob)**/src/main/**' audit-console/web/src ':!testing'; git ls-files --others --exclude-standard -- ':(glob)**/src/main/**')
[ -z "$changed" ] || {
  printf 'the product here is not that of %s:\n%s\n' "$commit" "$changed" >&2
  exit 1
}

# set_of MODULE: where its set is to be; not there yet, or nothing is made.
set_of() {
  echo "$PWD/$1/src/test/resources/frozen/$commit"
}
is_missing() {
  [ ! -e "$(set_of "$1")" ] || {
    echo "$1 has a set of $commit: it stays" >&2
    return 1
  }
}

# maker MODULE TESTS OPTION...: runs what makes a set and is written as a test.
maker() {
  module=$1
  tests=$2
  shift 2
  ./mvnw -B -ntp -q verify -pl "$module" -am "-Dtest=$tests" -Dsurefire.failIfNoSpecifiedTests=false "$@"
}

./mvnw -B -ntp -q package -DskipTests -pl device-agent/command -am
veilgate=$PWD/device-agent/command/target/veilgate/veilgate
engine=peks-engine/authority/src/test/resources/frozen
if is_missing peks-engine/authority; then
  out=$(set_of peks-engine/authority)
  sh $engine/make.sh "$veilgate" "$out"
  sh $engine/make-wraps.sh "$veilgate" "$out/wraps"
  sh $engine/make-former.sh "$veilgate" $engine/906ce34 "$out/former"
fi
if is_missing archive; then
  sh archive/src/test/resources/frozen/make.sh "$veilgate" "$(set_of archive)"
fi
if is_missing device-agent/edge; then
  edge=device-agent/edge/src/test/resources/frozen
  sh $edge/make.sh "$veilgate" "$(set_of device-agent/edge)"
  sh $edge/make-proxy.sh "$veilgate" "$(set_of device-agent/edge)/proxy"
fi
if is_missing gateway/server; then
  maker gateway/server FrozenGatewayDataMaker "-Dveilgate.frozen.make=$(set_of gateway/server)"
fi
if is_missing audit-console; then
  maker audit-console FrozenConsoleDataMaker "-Dveilgate.frozen.make=$(set_of audit-console)"
  find "$(set_of audit-console)" \( -name lock -o -name '*.trace.db' \) -delete
fi
if is_missing device-agent/command; then
  maker audit-console FrozenExportMaker "-Dveilgate.frozen.exports=$(set_of device-agent/command)"
fi
