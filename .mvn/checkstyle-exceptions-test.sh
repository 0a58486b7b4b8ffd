# Tests that each exception of checkstyle-exceptions.xml is still needed, and that they are sorted, so that the list only gets
# shorter. Reads what Checkstyle says of the whole tree without exceptions, which Maven leaves in target. Prints only failures.
set -eu

folder=$(cd -- "$(dirname -- "$0")" && pwd)
root=${folder%/.mvn}
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

# excepted FILE: prints "file rule" for each exception.
excepted() {
  sed -n 's:.*<suppress files="\([^"]*\)" id="\([^"]*\)"/>.*:\1 \2:p' "$1"
}

# broken ROOT RESULT: prints "file rule" for each rule that a file breaks.
broken() {
  awk -v root="$1/" '
    function attribute(name) { return match($0, " " name "=\"[^\"]*") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : "" }
    /<file / { file = attribute("name"); if (index(file, root) == 1) file = substr(file, length(root) + 1) }
    /<error / { rule = attribute("source"); sub(/.*#/, "", rule); print file, rule }' "$2" | sort -u
}

# unneeded EXCEPTIONS ROOT RESULT: prints the exceptions that no file needs.
unneeded() {
  excepted "$1" | sort >"$work/excepted"
  broken "$2" "$3" | sort >"$work/broken"
  comm -23 "$work/excepted" "$work/broken"
}

failures=0
fail() {
  echo "checkstyle-exceptions: $1" >&2
  failures=$((failures + 1))
}

# That it finds what it looks for.
cat >"$work/exceptions.xml" <<'XML'
  <suppress files="a/A.java" id="FirstWord"/>
  <suppress files="a/B.java" id="FirstWord"/>
  <suppress files="a/B.java" id="LineLength"/>
  <suppress files="a/C.java" id="LineLength"/>
XML
cat >"$work/result.xml" <<'XML'
<file name="/root/of/a/A.java">
<error line="3" severity="error" message="of &quot;x&quot;" source="some.check.LineLengthCheck#LineLength"/>
<error line="4" severity="error" message="of &quot;x&quot;" source="some.check.RegexpCheck#FirstWord"/>
</file>
<file name="/root/of/a/B.java">
<error line="1" column="2" severity="error" message="long" source="some.check.LineLengthCheck#LineLength"/>
</file>
<file name="/root/of/a/C.java">
</file>
XML
got=$(unneeded "$work/exceptions.xml" /root/of "$work/result.xml" | tr '\n' ';')
[ "$got" = 'a/B.java FirstWord;a/C.java LineLength;' ] || fail "does not find unneeded exceptions, but $got"

result=$root/target/checkstyle-without-exceptions.xml
list=$folder/checkstyle-exceptions.xml
if [ -s "$result" ]; then
  [ -n "$(broken "$root" "$result")" ] || ! grep -q '<suppress ' "$list" || fail "cannot read $result"
  for unneeded in $(unneeded "$list" "$root" "$result" | tr ' ' ':'); do
    fail "${unneeded%:*} breaks ${unneeded#*:} no more, or is gone: take it out of .mvn/checkstyle-exceptions.xml"
  done
else
  fail "there is no $result; ./mvnw -N verify makes it"
fi
grep '<suppress ' "$list" | LC_ALL=C sort -c 2>/dev/null || fail "the list is not sorted"

[ "$failures" = 0 ]
