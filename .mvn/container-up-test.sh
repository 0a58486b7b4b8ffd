# Tests that docker/up asks the engine, not Compose, whether programs have become healthy, which it does each second: where Compose is a program in
# Python, that took more of the processor than the programs that it waits for. Run by the build; prints only failures.
set -eu

root=$(cd -- "$(dirname -- "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failures=0
fails() {
  echo "docker/up: $*: $(cat "$work/said")" >&2
  failures=$((failures + 1))
}

mkdir "$work/bin" "$work/docker"
cp "$root/docker/up" "$root/docker/engine.sh" "$root/docker/env.example" "$work/docker"
# An engine whose programs are healthy when they were looked at twice. Beside the gateway's container is one that somebody ran once and left.
cat >"$work/bin/docker" <<'END_OF_DOCKER'
#!/bin/sh
case $1 in
  compose | buildx | volume) exit 1 ;;
  ps) case $* in *project=other-site*) echo gateway once console agent mail ;; esac ;;
  inspect)
    case $3 in *.State.Health.Status*) ;; *) exit 0 ;; esac
    shift 3
    for container; do
      is=starting
      [ ! -e "$WORK/$container.seen" ] || is=healthy
      : >"$WORK/$container.seen"
      if [ "$container" = once ]; then
        echo "gateway True $container 0 exited 2026-11-30T10:00:00Z"
      else
        echo "$container False $container 0 $is 2026-11-30T10:00:00Z"
      fi
    done
    ;;
esac
END_OF_DOCKER
cat >"$work/bin/docker-compose" <<'END_OF_COMPOSE'
#!/bin/sh
echo "$*" >>"$WORK/compose"
[ "$1" != up ] || sleep 2
END_OF_COMPOSE
chmod +x "$work/bin/docker" "$work/bin/docker-compose"

# Compose writes a name in small letters, and leaves out what it does not take.
sed -i.before 's/^COMPOSE_PROJECT_NAME=.*/COMPOSE_PROJECT_NAME=Other-Site./' "$work/docker/env.example"
status=0
WORK=$work VEILGATE_ENGINE=docker VEILGATE_PATIENCE=20 PATH=$work/bin:$PATH sh "$work/docker/up" --small >"$work/said" 2>&1 </dev/null || status=$?
[ "$status" = 0 ] || fails "ended with $status"
for service in gateway console agent mail; do
  grep -q "^  $service *healthy after" "$work/said" || fails "nothing is said of $service"
done
asked=$(grep -c '^ps' "$work/compose" || :)
[ "$asked" -le 1 ] || fails "Compose was asked $asked times"

[ "$failures" = 0 ]
