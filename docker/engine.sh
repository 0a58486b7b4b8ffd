# The container engine of this machine. POSIX sh, to be sourced; $folder is docker/.

# use_engine: sets $engine to docker or podman, whichever answers; or says what is missing and ends.
use_engine() {
  engine=${VEILGATE_ENGINE:-}
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
    if [ -z "$engine" ]; then
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
