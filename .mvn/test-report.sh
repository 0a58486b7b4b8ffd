#!/bin/sh
# Prints where the time of the last run of tests went: modules, the twenty slowest classes, which tests failed, and how many
# passed.
#
#     sh .mvn/test-report.sh SECONDS [STATUS]   # how long the whole run took, and with which status Maven ended
#
# Reads target/class-times.tsv (dev.veilgate.testing.ClassTimes) and Surefire's reports of all modules. Of tests that are not
# Java's it reads target/test-reports/NAME.xml, as JUnit writes them, where a file of tests stands for a class.
set -eu
cd -- "$(dirname -- "$0")/.."
mkdir -p target # Maven may have ended before it made one

# reports NAMES: the reports below target folders whose path ends so.
reports() {
  find . -name node_modules -prune -o -path "*/target/$1" -print
}

# The lines of all modules: module, class, wall milliseconds, processor milliseconds or "-".
{
  reports class-times.tsv | while IFS= read -r file; do
    module=${file#./}
    module=${module%/target/class-times.tsv}
    awk -v module="$module" '{ print module "\t" $0 }' "$file"
  done
  reports 'test-reports/*.xml' | while IFS= read -r file; do
    module=${file#.}
    module=${module%/target/*}
    name=${file##*/}
    awk -v module="${module#/}${module:+ }${name%.xml}" '
      function value(name) { return match($0, " " name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : "" }
      /^ *<testsuite / { printf "%s\t%s\t%d\t-\n", module, value("name"), value("time") * 1000 }' "$file"
  done
} >target/class-times.all

echo
echo "Test classes by module, seconds (processor: the test's JVM and the programs it started):"
awk -F '\t' '
  { wall[$1] += $3; classes[$1]++; allWall += $3 }
  $4 != "-" { processor[$1] += $4; allProcessor += $4 }
  function row(name, n, what, w, p) { return sprintf("%-24s %5d %-7s %8.1f wall %8s processor", name, n, what, w / 1000, p) }
  function seconds(millis) { return sprintf("%.1f", millis / 1000) }
  END {
    for (m in wall) {
      if (m in processor) print row(m, classes[m], "classes", wall[m], seconds(processor[m])) | "sort"
      else print row(m, classes[m], "files", wall[m], "-") | "sort"
    }
    close("sort")
    print row("all", NR, "", allWall, seconds(allProcessor))
  }' target/class-times.all

echo
echo "The twenty slowest test classes, seconds:"
sort -t "$(printf '\t')" -k3,3nr target/class-times.all | head -n 20 \
  | awk -F '\t' '{ printf "%8.1f wall %8s processor  %-20s %s\n", $3 / 1000, $4 == "-" ? "-" : sprintf("%.1f", $4 / 1000), $1, $2 }'

# failed FILE MODULE: a line for each failed test of a report, or for a suite that failed and names none.
failed() {
  awk -v module="$2" '
    function value(name) {
      if (!match($0, " " name "=\"[^\"]*\"?")) return ""
      found = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
      sub(/"$/, "", found)
      gsub(/&#10;/, " ", found); gsub(/&apos;/, "\047", found); gsub(/&quot;/, "\"", found)
      gsub(/&lt;/, "<", found); gsub(/&gt;/, ">", found); gsub(/&amp;/, "\\&", found)
      return found
    }
    function suite() { if (bad && !named) printf "%s  %s\n", module, suiteName }
    /^ *<testsuite / { suite(); bad = value("failures") + value("errors"); named = 0; suiteName = value("name") }
    bad && previous && /^ *<(failure|error)[ >]/ { named++; printf "%s  %s: %.200s\n", module, previous, value("message") }
    { previous = /^ *<testcase / ? value("classname") " " value("name") : "" }
    END { suite() }' "$1"
}

failures=$(
  reports 'surefire-reports/TEST-*.xml' | while IFS= read -r report; do
    module=${report#./}
    failed "$report" "${module%/target/*}"
  done
  reports 'test-reports/*.xml' | while IFS= read -r report; do
    module=${report#.}
    module=${module%/target/*}
    name=${report##*/}
    module=${module#/}${module:+ }${name%.xml}
    failed "$report" "$module"
  done
)
[ -z "$failures" ] || printf '\nThe failed tests:\n%s\n' "$failures"

echo
printf 'The whole run took %d min %02d s.\n' $(($1 / 60)) $(($1 % 60))
{
  # What a test prints is in the report too: only the head is Surefire's.
  reports 'surefire-reports/TEST-*.xml' | while IFS= read -r report; do
    sed -n '/<testsuite /{p;q;}' "$report"
  done
  reports 'test-reports/*.xml' | while IFS= read -r report; do
    sed -n '/^ *<testsuite /p' "$report"
  done
} | awk '
  function count(name) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3) + 0 : 0 }
  { tests += count("tests"); failed += count("failures") + count("errors"); skipped += count("skipped") }
  END { printf "%d passed, %d failed, %d skipped\n", tests - failed - skipped, failed, skipped }'
# A build also fails for other reasons than tests, and before them.
[ "${2-0}" = 0 ] || echo "The build failed."
