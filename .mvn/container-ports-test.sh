# Tests that a port of docker/.env is a port of the machine alone: programs listen where they always do inside their containers, and addresses in
# a site's settings follow .env. Run by the build; prints only failures.
set -eu

root=$(cd -- "$(dirname -- "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failures=0
fails() {
  echo "container ports: $*" >&2
  failures=$((failures + 1))
}

# Each port that Compose opens: a number inside. Keycloak's address, with its port, is its name in tokens, which others ask it by.
open=$(sed -n '/^    ports:/,/^    [a-z]/p' "$root/docker/compose.yaml" | grep -o '"[^"]*_PORT:-[0-9]*}:[^"]*"')
[ "$(echo "$open" | wc -l)" -ge 8 ] || fails "only $(echo "$open" | wc -l) ports are found in compose.yaml"
for port in $open; do
  inside=${port##*\}:}
  case $port in
    *'_LOGIN_PORT:-8444}:${VEILGATE_LOGIN_PORT:-8444}"') ;;
    *\}:[0-9]*\") case ${inside%\"} in *[!0-9]*) fails "$port: the port inside is no number" ;; esac ;;
    *) fails "$port: the port inside is not always the same" ;;
  esac
done
if grep -v '^ *#' "$root/docker/compose.yaml" | grep -e 'https://console:\$'; then
  fails 'containers ask the console at a port that .env changes'
fi

# A site of before, whose console listened at the port of .env, which was 9443, and is 10443 now.
mkdir -p "$work/console" "$work/gateway" "$work/agent" "$work/mail"
cat >"$work/console/console.yaml" <<'END'
server:
  address: 0.0.0.0
  port: 9443
  ssl.bundle: site
management.server:
  address: 127.0.0.1
  port: 8081
veilgate:
  url: https://console.localhost:9443
  gateway:
    url: https://gateway:8080
    issuer: https://login.localhost:8444/realms/veilgate
  login:
    issuer: https://login.localhost:8444/realms/veilgate
END
printf 'server:\n  port: 8080\nveilgate:\n  oidc:\n    issuer: https://login.other.example:8444/realms/veilgate\n' >"$work/gateway/gateway.yaml"
for edge in agent mail; do
  printf 'bundle: https://console:9443/bundle\nauthority: "00"\n' >"$work/$edge/veilgate.yaml"
done
# site: the script as set-up calls it.
site() {
  (cd "$work" && VEILGATE_KIND=full VEILGATE_CONSOLE_HOST=console.localhost VEILGATE_CONSOLE_PORT=10443 VEILGATE_LOGIN_HOST=login.localhost \
    VEILGATE_LOGIN_PORT=10444 bash "$root/docker/authority/scripts/follow-ports")
}
# has FILE LINE...: the file has these lines.
has() {
  file=$1
  shift
  for line; do
    grep -q -x -F -e "$line" "$work/$file" || fails "$file: no line \"$line\": $(cat "$work/$file")"
  done
}
said=$(site)
has console/console.yaml '  port: 8443' '  port: 8081' '  url: https://console.localhost:10443' '    url: https://gateway:8080' \
  '    issuer: https://login.localhost:10444/realms/veilgate'
[ "$(grep -c ':10444/' "$work/console/console.yaml")" = 2 ] || fails 'an issuer was left as it was'
has gateway/gateway.yaml '  port: 8080' '    issuer: https://login.other.example:8444/realms/veilgate'
has agent/veilgate.yaml 'bundle: https://console:8443/bundle' 'authority: "00"'
has mail/veilgate.yaml 'bundle: https://console:8443/bundle'
[ "$(sort "$work/.renewed" | tr '\n' ' ')" = 'agent console mail ' ] || fails "to be started again: $(cat "$work/.renewed")"
case $said in *"NOTE: Keycloak's client"*) ;; *) fails "nothing is said of Keycloak: $said" ;; esac
rm "$work/.renewed"
said=$(site)
[ -z "$said" ] && [ ! -e "$work/.renewed" ] || fails "a second time: $said"

[ "$failures" = 0 ]
