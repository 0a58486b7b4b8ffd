# Tests test-report.sh on reports of a small tree. Run by the build; prints only failures.
set -eu

folder=$(cd -- "$(dirname -- "$0")" && pwd)
root=$(mktemp -d)
trap 'rm -rf -- "$root"' EXIT
failures=0
mkdir "$root/.mvn"
cp "$folder/test-report.sh" "$root/.mvn"

# report FILE: its content is standard input
report() {
  mkdir -p "$(dirname "$root/$1")"
  cat >"$root/$1"
}

# prints SECONDS STATUS LINE: the report has this line, blanks aside
prints() {
  said=$(sh "$root/.mvn/test-report.sh" "$1" "$2" | tr -s ' ' | sed 's/^ //')
  if ! printf '%s\n' "$said" | grep -q -F -x -e "$3"; then
    printf 'test-report: lacks %s\n%s\n' "$3" "$said" >&2
    failures=$((failures + 1))
  fi
}

prints 0 1 '0 passed, 0 failed, 0 skipped'
if sh "$root/.mvn/test-report.sh" 0 1 | grep 'failed tests'; then
  echo 'test-report: lists failed tests where none is' >&2
  failures=$((failures + 1))
fi

printf 'dev.A\t2000\t1500\ndev.B\t500\t400\n' | report server/target/class-times.tsv
report server/target/surefire-reports/TEST-dev.A.xml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="3.0.2" name="dev.A" time="2" tests="8" errors="1" skipped="2" failures="1" flakes="0">
  <system-out><![CDATA[
  <testsuite tests="1000" errors="1000">
]]></system-out>
  <testcase name="holds" classname="dev.A" time="0.1"/>
  <testcase name="breaks" classname="dev.A" time="0.1">
    <failure message="expected &lt;1&gt;&#10;but &quot;2&quot; &amp; more" type="java.lang.AssertionError"><![CDATA[java.lang.AssertionError:
    <failure message="not this" type="none">
]]></failure>
  </testcase>
  <testcase name="" classname="dev.A" time="0">
    <error message="no &apos;database&apos;" type="java.io.IOException"/>
  </testcase>
</testsuite>
XML
report console/target/test-reports/pages.xml <<'XML'
<?xml version="1.0" encoding="UTF-8" ?>
<testsuites name="vitest tests" tests="7" failures="1" errors="0" time="3.5">
    <testsuite name="src/a.test.ts" timestamp="2026-11-25T23:22:57.113Z" hostname="vm" tests="3" failures="1" errors="0" skipped="1" time="3.4">
        <testcase classname="src/a.test.ts" name="&lt;testsuite tests" time="0.015">
            <failure message="no page" type="AssertionError">
AssertionError: no page
            </failure>
        </testcase>
    </testsuite>
    <testsuite name="src/b.test.tsx" timestamp="2026-11-25T23:22:57.113Z" hostname="vm" tests="4" failures="0" errors="0" skipped="0" time="0.1">
    </testsuite>
</testsuites>
XML
report console/web/node_modules/of-others/target/test-reports/theirs.xml <"$root/console/target/test-reports/pages.xml"
report target/test-reports/scripts.xml <<'XML'
<testsuites>
  <testsuite name="a-test.sh" tests="1" failures="0" errors="0" skipped="0" time="4"/>
  <testsuite name="b-test.sh" tests="1" failures="1" errors="0" skipped="0" time="0"/>
</testsuites>
XML
prints 61 0 'The whole run took 1 min 01 s.'
prints 61 0 '10 passed, 4 failed, 3 skipped'
prints 61 0 'server 2 classes 2.5 wall 1.9 processor'
prints 61 0 'console pages 2 files 3.5 wall - processor'
prints 61 0 'scripts 2 files 4.0 wall - processor'
prints 61 0 'all 6 10.0 wall 1.9 processor'
prints 61 0 '3.4 wall - processor console pages src/a.test.ts'
prints 61 0 '2.0 wall 1.5 processor server dev.A'
prints 61 0 'The failed tests:'
prints 61 0 'server dev.A breaks: expected <1> but "2" & more'
prints 61 0 "server dev.A : no 'database'"
prints 61 0 'console pages src/a.test.ts <testsuite tests: no page'
prints 61 0 'scripts b-test.sh'
if sh "$root/.mvn/test-report.sh" 1 0 | grep -e 'not this' -e 'a-test.sh$' | grep -v wall; then
  echo 'test-report: names a test that did not fail' >&2
  failures=$((failures + 1))
fi

# last STATUS LINE
last() {
  said=$(sh "$root/.mvn/test-report.sh" 1 "$1" | tail -n 1)
  if [ "$said" != "$2" ]; then
    printf 'test-report: the last line should be %s, and is %s\n' "$2" "$said" >&2
    failures=$((failures + 1))
  fi
}
last 0 '10 passed, 4 failed, 3 skipped'
last 1 'The build failed.'

[ "$failures" = 0 ]
