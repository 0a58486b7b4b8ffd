#!/bin/sh
# The container engine that tests of images use: one that answers already, or Docker's daemon started for them.
#
#     sh .mvn/container-engine.sh start FOLDER    # as root where it has to be started; FOLDER for its log and process number
#     sh .mvn/container-engine.sh stop FOLDER     # ends one that was started so
#
# Started so, it publishes ports on this machine alone and changes no firewall. Status 1 and how to get one where there is none.
set -eu
PATH=$PATH:${VEILGATE_SERVER_PROGRAMS-/usr/local/sbin:/usr/sbin:/sbin}
command=${1-} folder=${2-}
case "$command" in
  start | stop) [ -n "$folder" ] ;;
  *) false ;;
esac || {
  echo "container-engine: start FOLDER, or stop FOLDER" >&2
  exit 2
}

answers() {
  docker version --format '{{.Server.Version}}' >/dev/null 2>&1
}

if [ "$command" = stop ]; then
  if [ -s "$folder/dockerd.pid" ]; then
    kill "$(cat "$folder/dockerd.pid")" 2>/dev/null || :
    rm -f "$folder/dockerd.pid"
  fi
  exit 0
fi

answers && exit 0
why="The tests of images need a container engine (docker version has to answer). Install Docker (Debian, Ubuntu: apt-get install docker.io docker-compose), start it (systemctl start docker), and run this as root or as a member of the group docker. Without them: ./verify -P-containers"
if [ "$(id -u)" -ne 0 ] || ! command -v dockerd >/dev/null; then
  echo "$why" >&2
  exit 1
fi
mkdir -p "$folder"
if [ -d /run/systemd/system ] && systemctl start docker 2>/dev/null && answers; then
  exit 0
fi
# No unit: as in a container or a virtual machine without systemd.
dockerd --iptables=false --ip6tables=false --ip-masq=false --ip-forward=false --ip=127.0.0.1 --pidfile="$folder/dockerd.pid" \
  >"$folder/dockerd.log" 2>&1 </dev/null &
started=$!
waited=0
until answers; do
  if ! kill -0 "$started" 2>/dev/null || [ "$waited" -ge 300 ]; then
    {
      echo "Docker's daemon did not start:"
      tail -n 15 "$folder/dockerd.log"
      echo "$why"
    } >&2
    exit 1
  fi
  sleep 0.2
  waited=$((waited + 1))
done
