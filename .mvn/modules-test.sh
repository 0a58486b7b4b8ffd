# Tests modules.sh on poms of a small tree. Run by the build; prints only failures.
set -eu

folder=$(cd -- "$(dirname -- "$0")" && pwd)
root=$(mktemp -d)
trap 'rm -rf -- "$root"' EXIT

# module FOLDER ARTIFACT DEPENDENCY[:SCOPE]...; its parent is the one that $parent says.
parent=veilgate
module() {
  mkdir -p "$root/$1"
  {
    echo '<project>'
    echo '  <parent>'
    echo '    <groupId>dev.veilgate</groupId>'
    echo "    <artifactId>$parent</artifactId>"
    echo '  </parent>'
    echo "  <artifactId>$2</artifactId>"
    echo '  <dependencies>'
    shift 2
    for used in "$@"; do
      echo '    <dependency>'
      case $used in
        of-others*) echo '      <groupId>org.example</groupId>' ;;
        *) echo '      <groupId>dev.veilgate</groupId>' ;;
      esac
      echo "      <artifactId>${used%:*}</artifactId>"
      case $used in *:*) echo "      <scope>${used#*:}</scope>" ;; esac
      echo '      <exclusions>'
      echo '        <exclusion>'
      echo '          <groupId>org.example</groupId>'
      echo '          <artifactId>excluded</artifactId>'
      echo '        </exclusion>'
      echo '      </exclusions>'
      echo '    </dependency>'
    done
    echo '  </dependencies>'
    echo '  <build>'
    echo '    <artifactId>some-plugin</artifactId>'
    echo '  </build>'
    echo '</project>'
  } >"$root/$1/pom.xml"
}

cat >"$root/pom.xml" <<'POM'
<project>
  <modules>
    <module>engine</module>
    <module>gateway/server</module>
    <module>gateway/index</module>
    <module>harness</module>
    <module>excluded</module>
    <module>family</module>
    <module>family/child</module>
  </modules>
</project>
POM
module engine an-engine of-others
module gateway/index gateway-index an-engine
module gateway/server gateway-server gateway-index of-others:runtime an-engine:runtime test-harness:test
module harness test-harness an-engine
module excluded excluded
module family a-family an-engine
parent=a-family
module family/child a-child

failures=0
# needs EXPECTED MODULE...
needs() {
  expected=$1
  shift
  got=$(. "$folder/modules.sh" && modules_needed "$@" | tr '\n' ' ')
  if [ "$got" != "$expected " ]; then
    echo "modules: $* needs $expected; got $got" >&2
    failures=$((failures + 1))
  fi
}
needs 'engine gateway/index gateway/server' gateway/server
needs 'engine harness' harness
needs 'engine' engine
needs 'engine family family/child' family/child
needs 'engine harness gateway/index gateway/server' harness gateway/server

[ "$failures" = 0 ]
