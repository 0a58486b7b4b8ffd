# The container engine of this machine, and the site of this folder. POSIX sh, to be sourced; $folder is docker/.

# use_engine: sets $engine to docker or podman, whichever answers; or says what is missing and ends.
use_engine() {
  engine=${VEILGATE_ENGINE:-} said=
  for candidate in ${engine:-docker podman}; do
    if command -v "$candidate" >/dev/null 2>&1; then
      engine=$candidate
      if said=$("$candidate" version --format '{{.Server.Version}}' 2>&1); then
        # Engines from before BuildKit, and Debian's without its buildx, have the builder of before.
        if [ "$engine" = docker ] && ! docker buildx version >/dev/null 2>&1; then
          DOCKER_BUILDKIT=0
          export DOCKER_BUILDKIT
        fi
        return 0
      fi
    fi
  done
  {
    if [ -z "$said" ] && [ -n "$engine" ]; then
      echo "There is no container engine of the name $engine (VEILGATE_ENGINE)"
    elif [ -z "$engine" ]; then
      echo "There is no container engine on this machine. On Debian and Ubuntu, as root: apt-get install docker.io docker-compose; elsewhere see https://docs.docker.com/engine/install/"
    else
      echo "The container engine does not answer: $said"
      echo "Start it (systemctl start docker), and run this as root or as a member of the group docker."
    fi
  } >&2
  exit 4
}

# use_compose: sets $compose to the command of Compose that this engine has.
use_compose() {
  if "$engine" compose version >/dev/null 2>&1; then
    compose="$engine compose"
  elif command -v "$engine-compose" >/dev/null 2>&1; then
    compose=$engine-compose
  else
    echo "$engine has no Compose. On Debian and Ubuntu, as root: apt-get install docker-compose; elsewhere see https://docs.docker.com/compose/install/" >&2
    exit 4
  fi
}

has_image() {
  "$engine" image inspect "$1" >/dev/null 2>&1
}

# use_site: reads .env, and sets $site to the folder of the site. What .env of a former version does not say, env.example says.
use_site() {
  if grep -q "$(printf '\r')" .env; then
    echo "docker/.env has line ends of Windows, which would become part of its values: save it with those of Unix" >&2
    exit 2
  fi
  set -a
  . ./env.example
  unset COMPOSE_PROFILES
  . ./.env
  : "${COMPOSE_PROFILES=$VEILGATE_KIND}"
  # As Compose itself changes it, so that containers are found by its label.
  COMPOSE_PROJECT_NAME=$(printf %s "$COMPOSE_PROJECT_NAME" | tr '[:upper:]' '[:lower:]' | tr -cd 'a-z0-9_-')
  set +a
  case $VEILGATE_KIND in full | small) ;; *) echo "docker/.env: VEILGATE_KIND is full or small, not $VEILGATE_KIND" >&2; exit 2 ;; esac
  case $VEILGATE_SITE in
    *:*) echo "docker/.env: no engine takes a folder with a colon: $VEILGATE_SITE" >&2; exit 2 ;;
    /*) site=$VEILGATE_SITE ;;
    ./* | ../*) site=$folder/${VEILGATE_SITE#./} ;;
    *) echo "docker/.env: VEILGATE_SITE begins with / or ./ and not so: $VEILGATE_SITE" >&2; exit 2 ;;
  esac
  # Two sites of one name would stop and delete each other's containers and volumes.
  for container in $("$engine" ps -aq --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME" --filter label=com.docker.compose.service=gateway); do
    other=$("$engine" inspect -f '{{range .Mounts}}{{if eq .Destination "/etc/veilgate"}}{{.Source}}{{end}}{{end}}' "$container" 2>/dev/null) || continue
    other=${other%/gateway}
    if [ -d "$other" ] && ! [ "$other" -ef "$site" ]; then
      echo "The containers of the name $COMPOSE_PROJECT_NAME are of the site in $other, and this one is $site: give it another COMPOSE_PROJECT_NAME and other ports in docker/.env" >&2
      exit 2
    fi
  done
}

# is_site: set-up has begun to make a site in $site.
is_site() {
  [ -e "$site/.veilgate" ] || [ -s "$site/authority.fingerprint" ]
}
