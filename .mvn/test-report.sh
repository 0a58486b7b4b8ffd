#!/bin/sh
# Prints where the time of the last run of tests went: modules, the twenty slowest classes, and how many tests passed.
#
#     sh .mvn/test-report.sh SECONDS     # how long the whole run took
#
# Reads target/class-times.tsv (dev.veilgate.testing.ClassTimes) and Surefire's reports of all modules.
set -eu
cd -- "$(dirname -- "$0")/.."
mkdir -p target # Maven may have ended before it made one

find . -name node_modules -prune -o -path '*/target/class-times.tsv' -print | while IFS= read -r file; do
  module=${file#./}
  module=${module%/target/class-times.tsv}
  awk -v module="$module" '{ print module "\t" $0 }' "$file"
done >target/class-times.all

echo
echo "Test classes by module, seconds (processor: the test's JVM and the programs it started):"
awk -F '\t' '
  { wall[$1] += $3; processor[$1] += $4; classes[$1]++; allWall += $3; allProcessor += $4 }
  function row(name, n, w, p) { return sprintf("%-24s %5d classes %8.1f wall %8.1f processor", name, n, w / 1000, p / 1000) }
  END {
    for (m in wall) print row(m, classes[m], wall[m], processor[m]) | "sort"
    close("sort")
    print row("all", NR, allWall, allProcessor)
  }' target/class-times.all

echo
echo "The twenty slowest test classes, seconds:"
sort -t "$(printf '\t')" -k3,3nr target/class-times.all | head -n 20 \
  | awk -F '\t' '{ printf "%8.1f wall %8.1f processor  %-18s %s\n", $3 / 1000, $4 / 1000, $1, $2 }'

echo
printf 'The whole run took %d min %02d s.\n' $(($1 / 60)) $(($1 % 60))
find . -name node_modules -prune -o -path '*/target/surefire-reports/TEST-*.xml' -print | while IFS= read -r report; do
  sed -n '/<testsuite /{p;q;}' "$report"
done | awk '
  function count(name) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3) + 0 : 0 }
  { tests += count("tests"); failed += count("failures") + count("errors"); skipped += count("skipped") }
  END { printf "%d passed, %d failed, %d skipped\n", tests - failed - skipped, failed, skipped }'
