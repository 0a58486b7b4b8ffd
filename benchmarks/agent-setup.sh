# What measurements of the installed agent begin with; read by agent-start and agent-load. Leaves $work, $edge, $authority and
# $agent_core, and a bundle and an identity in $work, which is removed at the end, with the processes in $children.
[ -n "${VEILGATE_NO_BUILD-}" ] || ./mvnw -q -B -ntp -pl benchmarks,device-agent/command,device-agent/edge-package -am package -DskipTests

agent_core=() other_core=()
if command -v taskset >/dev/null && [ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ]; then
  agent_core=(taskset -c 1) other_core=(taskset -c 0)
fi
work=$(mktemp -d)
children=()
finish() {
  for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
  wait
  rm -rf "$work"
}
trap finish EXIT

# As it is installed: a copy, so that the archive of classes is the one that a new installation would make.
cp -r device-agent/edge-package/target/veilgate-edge "$work/veilgate-edge"
rm -f "$work"/veilgate-edge/*.jsa
edge=$work/veilgate-edge/veilgate-edge
"$edge" make-archive
veilgate=device-agent/command/target/veilgate/veilgate
export VEILGATE_PASSPHRASE='a passphrase for a benchmark' VEILGATE_KEYS=$work/keys
authority=$("$veilgate" keys init --tenant bench | sed -n 's/^authority //p')
"$edge" identity init "$work/identity" --sender bench-1 >"$work/identity.pub" 2>/dev/null
"$veilgate" keys add-sender "$work/identity.pub" >/dev/null
"$veilgate" keys bundle -o "$work/bundle" >/dev/null
unset VEILGATE_PASSPHRASE

free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 12000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}
# Until $@ succeeds; a minute at most.
await() {
  for _ in $(seq 1200); do
    "$@" && return
    sleep 0.05
  done
  echo "${0##*/}: gave up: $*" >&2
  exit 1
}
# The lines of all logs in $work/all.log.
write_logs() {
  "$JAVA_HOME/bin/java" ${VEILGATE_DATA:+-Dveilgate.data="$VEILGATE_DATA"} -cp benchmarks/target/benchmarks.jar \
    dev.veilgate.benchmarks.EdgeLog "$work/all.log"
}
# A number of the agent's metrics, asked at $monitor.
metric() { curl -s "http://127.0.0.1:$monitor/metrics" | sed -n "s/^veilgate_agent_$1 //p"; }
# A size of the agent's process in kB, such as VmHWM.
memory_of() { sed -n "s/^$1:[^0-9]*\([0-9]*\) kB/\1/p" "/proc/$agent/status"; }
