#!/bin/sh
# Makes a frozen set of the agent: make.sh VEILGATE FOLDER, with the veilgate command of the version that is frozen
# (device-agent/command/target/veilgate/veilgate of a build of that commit) and a folder that is not there yet. Needs mosquitto, mosquitto_sub, python3.
# Everything in it is worthless: the keys are published with it. SOURCE.md of a set says what is in it.
set -eu
veilgate=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
work=$(mktemp -d)
started=
stop() {
  for process in $started; do
    kill "$process" 2>/dev/null || true
  done
  rm -rf "$work"
}
trap stop EXIT
cd "$work"

VEILGATE_KEYS=$work/keys
VEILGATE_PASSPHRASE='frozen sample passphrase'
export VEILGATE_KEYS VEILGATE_PASSPHRASE
"$veilgate" keys init --tenant acme --memory 8 >made
sed -n 's/.*authority //p' made | tr -d '[:space:]' >authority
"$veilgate" identity init press-4.identity --sender press-4 >press-4.pub
"$veilgate" keys add-sender press-4.pub
mkdir web
"$veilgate" keys bundle --valid-for P40D -o web/acme.vgb

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
web=$(free_port)
python3 -m http.server --bind 127.0.0.1 --directory web "$web" >web.log 2>&1 &
started="$started $!"
broker=$(free_port)
printf 'listener %s 127.0.0.1\nallow_anonymous true\n' "$broker" >mosquitto.conf
mosquitto -c mosquitto.conf >mosquitto.log 2>&1 &
mosquitto=$!
started="$started $mosquitto"
sleep 2
mosquitto_sub -p "$broker" -t 'veilgate/#' >received 2>&1 & # a gateway, as far as the agent sees
started="$started $!"
sleep 1

# The path of the log is the same wherever the test runs: below the folder in which the process was started.
log=target/veilgate-sample/app.log
mkdir -p target/veilgate-sample

# run SECONDS: the agent, to the end of the log, and no longer than so.
run() {
  timeout -s TERM "$1" "$veilgate" agent run --once --bundle "http://127.0.0.1:$web/acme.vgb" --authority "$(cat authority)" \
    --identity press-4.identity --state state --scope plant-7 --mqtt-url "mqtt://127.0.0.1:$broker" --shutdown 1s \
    --file "/proc/self/cwd/$log" 2>>agent.log || true
}

# Lines that are published; then, without a broker, lines that stay in the spool.
for line in 1 2 3; do
  echo "level=info unit=pump msg=\"published $line\"" >>$log
done
run 120
kill "$mosquitto"
wait "$mosquitto" || true
for line in 4 5; do
  echo "level=error unit=pump msg=\"overheated $line\"" >>$log
done
run 40
echo 'level=error unit=pump msg="overheated 6"' >>$log
run 40
cat agent.log >&2

cp -R state keys authority press-4.identity "$out/"
rm -f "$out/keys/lock" "$out/state/lock" "$out"/state/*.lock
cp $log "$out/app.log"
