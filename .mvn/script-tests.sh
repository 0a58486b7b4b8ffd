#!/bin/sh
# Runs the tests of scripts, each .mvn/*-test.sh, and leaves target/test-reports/scripts.xml for test-report.sh.
set -eu
cd -- "$(dirname -- "$0")/.."
mkdir -p target/test-reports
failed=0
{
  echo '<testsuites>'
  for test in .mvn/*-test.sh; do
    started=$(date +%s) failures=0
    sh "$test" >&2 || failures=1
    failed=$((failed + failures))
    printf '  <testsuite name="%s" tests="1" failures="%d" errors="0" skipped="0" time="%d"/>\n' \
      "${test##*/}" "$failures" $(($(date +%s) - started))
  done
  echo '</testsuites>'
} >target/test-reports/scripts.xml
[ "$failed" = 0 ]
