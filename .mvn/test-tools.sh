#!/bin/sh
# The programs that tests need from outside: says which are missing, or installs them. Says also if this user may not mount a
# file system in memory, as tests of a full disk do.
#
#     sh .mvn/test-tools.sh check            # ends with status 1 and the list of packages, by their names on this system
#     sh .mvn/test-tools.sh install [DISK]   # installs them by apt-get, as root or by sudo; where it may not, as check
#
# With VEILGATE_CONTAINERS=yes also a container engine, unless one answers.
# DISK is needed, the default: nothing is done without; wanted, as with check: a warning, as the tests that are chosen may not
# be those; unused: not tried. Both take a second where nothing is missing.
set -eu
PATH=$PATH:${VEILGATE_SERVER_PROGRAMS-/usr/local/sbin:/usr/sbin:/sbin:/opt/homebrew/sbin}
root=$(cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/.mvn/find-node.sh"
. "$root/.mvn/find-chromium.sh"

has() {
  command -v "$1" >/dev/null 2>&1
}

# The first file that exists among the patterns given.
has_file() {
  for file in "$@"; do
    [ -e "$file" ] && return 0
  done
  return 1
}

# The system, as far as the names of packages go.
system=other
if [ "$(uname)" = Darwin ]; then
  system=brew
elif [ -r "${VEILGATE_OS_RELEASE:=/etc/os-release}" ]; then
  for id in $(. "$VEILGATE_OS_RELEASE" && echo "${ID-} ${ID_LIKE-}"); do
    case $id in
      debian | ubuntu | fedora | arch | alpine) system=$id ;;
      rhel | centos) system=fedora ;;
      *suse*) system=suse ;;
      *) continue ;;
    esac
    break
  done
fi

missing='' manual='' no_mac='cannot be had on macOS'

# needs WHAT-FOR DEBIAN FEDORA ARCH SUSE ALPINE BREW [HOW]: adds the package of this system; HOW to get it where it has none, "-".
needs() {
  case $system in
    fedora) package=$3 ;;
    arch) package=$4 ;;
    suse) package=$5 ;;
    alpine) package=$6 ;;
    brew) package=$7 ;;
    *) package=$2 ;;
  esac
  if [ "$package" = - ]; then
    manual="$manual  $1: ${8-this system has no package of it}
"
  else
    case " $missing " in
      *" $package "*) ;;
      *) missing="$missing${missing:+ }$package" ;;
    esac
  fi
}

find_tools() {
  has mosquitto || needs 'an MQTT broker' mosquitto mosquitto mosquitto mosquitto mosquitto mosquitto
  has mosquitto_pub || needs 'MQTT clients' mosquitto-clients mosquitto mosquitto mosquitto-clients mosquitto-clients mosquitto
  has swaks || needs 'swaks, an SMTP client' swaks swaks swaks swaks swaks swaks
  has openssl || needs OpenSSL openssl openssl openssl openssl openssl openssl
  # swaks speaks TLS by it.
  perl -MNet::SSLeay -e 1 2>/dev/null \
    || needs "Perl's Net::SSLeay" libnet-ssleay-perl perl-Net-SSLeay perl-net-ssleay perl-Net-SSLeay perl-net-ssleay - 'cpan Net::SSLeay'
  # Programs that read S/MIME.
  has cmsutil || needs "NSS's tools" libnss3-tools nss-tools nss mozilla-nss-tools nss-tools nss
  has gpgsm || needs gpgsm gpgsm gnupg2-smime gnupg gpg2 gpgsm gnupg
  has mutt || needs mutt mutt mutt mutt mutt mutt mutt
  { has script && [ "$system" != brew ]; } || needs "util-linux's script" bsdutils util-linux-script util-linux util-linux util-linux-misc - \
    "$no_mac, whose own script has other options"
  # A small Debian, in which packages are installed.
  has mmdebstrap || needs mmdebstrap 'mmdebstrap debian-archive-keyring' 'mmdebstrap debian-keyring' - - - -
  # What native/install-liboqs builds with.
  has cmake || needs CMake cmake cmake cmake cmake cmake cmake
  has make || needs make make make make make make make
  has cc || needs 'a C compiler' 'gcc libc6-dev' gcc gcc gcc 'gcc musl-dev' gcc
  has curl || needs curl curl curl curl curl curl curl
  # Another reader of mail, to compare with.
  has python3 || needs Python python3 python3 python python3 python3 python
  has groff || needs groff groff-base groff-base groff groff groff groff
  has_thunderbird || needs_thunderbird
  has postgres || has_file ${VEILGATE_POSTGRESQL:-/usr/lib/postgresql}/*/bin/postgres \
    || needs 'a PostgreSQL server' postgresql postgresql-server postgresql postgresql-server postgresql postgresql
  [ -z "${VEILGATE_CONTAINERS-}" ] || find_containers
  find_chromium >/dev/null || needs_chromium
  (use_node) 2>/dev/null || needs_node
}

# Clients alone are not enough: Docker's daemon has to be there, if none answers.
find_containers() {
  docker version --format '{{.Server.Version}}' >/dev/null 2>&1 || has dockerd \
    || needs 'a container engine' docker.io moby-engine docker docker docker - 'install Docker Desktop or Colima'
  docker compose version >/dev/null 2>&1 || has docker-compose \
    || needs Compose docker-compose docker-compose docker-compose docker-compose docker-cli-compose docker-compose
}

# Prints the version of a package that apt-get would install: "(none)" or nothing if it knows none. Its words are looked
# for, so they must not be translated.
candidate() {
  LC_ALL=C apt-cache policy "$1" 2>/dev/null | awk '$1 == "Candidate:" { print $2 }'
}

# The folders are those of dev.veilgate.testing.ThunderbirdFolder.
has_thunderbird() {
  if [ -n "${VEILGATE_THUNDERBIRD-}" ]; then
    [ -e "$VEILGATE_THUNDERBIRD/libnss3.so" ]
  else
    has_file /usr/lib/thunderbird/libnss3.so /snap/thunderbird/current/usr/lib/thunderbird/libnss3.so
  fi
}

# Only Debian's package, and Ubuntu's before it became a snap, has libraries of its own; elsewhere it uses the system's.
needs_thunderbird() {
  package=thunderbird
  how='unpack a download of https://www.thunderbird.net, and set VEILGATE_THUNDERBIRD to its folder'
  if [ "$system" = ubuntu ]; then
    case $(candidate thunderbird) in
      '(none)' | *snap*)
        package=-
        how="snap install thunderbird; or, where there are no snaps, $how"
        ;;
    esac
  elif [ "$system" = brew ]; then
    how="$no_mac, the tests load those of a Thunderbird for Linux"
  fi
  needs "Thunderbird's own libraries" "$package" - - - - - "$how"
}

# Ubuntu's chromium-browser only starts a snap; a distribution made from Ubuntu may have a chromium of its own.
needs_chromium() {
  chrome='Install Google Chrome (https://www.google.com/chrome), or set CHROMIUM to a Chromium that is no snap'
  package='chromium chromium-headless-shell'
  if [ "$system" = ubuntu ]; then
    case $(candidate chromium) in
      '' | '(none)' | *snap*) package=- chrome="Ubuntu has it only as a snap, which the tests do not start. $chrome" ;;
      *) package=chromium ;;
    esac
  fi
  needs Chromium "$package" chromium chromium chromium chromium - "$chrome"
}

# Node is installed where the package manager's own is new enough, and named otherwise.
needs_node() {
  if has apt-cache; then
    version=$(candidate nodejs)
    if [ "$(printf '%s\n' "${version#*:}" | awk -F. '{ print $1 * 1000 + $2 }')" -ge 20019 ]; then
      # NodeSource's has npm in it, and cannot be installed beside the other package.
      case $version in *nodesource*) node=nodejs ;; *) node='nodejs npm' ;; esac
      missing="$missing${missing:+ }$node"
      return 0
    fi
  fi
  manual="$manual$( (use_node) 2>&1 | sed 's/^/  /')
"
}

# Whether the tests may mount: dev.veilgate.application.SmallDisk does it so.
may_mount() (
  folder=$(mktemp -d)
  trap 'rmdir "$folder"' EXIT
  for by in '' 'sudo -n'; do
    if $by mount -t tmpfs -o size=1m tmpfs "$folder" 2>/dev/null; then
      $by umount "$folder"
      return 0
    fi
  done
  return 1
)

no_disk="Tests of a full disk fail here: they mount a small file system in memory (tmpfs), and this user may not mount. Run them as root, \
or as a user whom sudo allows it; in a container, in one that may mount (docker run --privileged)."

say() {
  {
    [ -z "$missing$manual" ] || echo "The tests need programs that are not on this machine."
    if [ -n "$missing" ]; then
      case $system in
        debian | ubuntu) echo "Install, as root: apt-get install $missing" ;;
        fedora) echo "Install, as root: dnf install $missing" ;;
        arch) echo "Install, as root: pacman -S $missing" ;;
        suse) echo "Install, as root: zypper install $missing" ;;
        alpine) echo "Install, as root: apk add $missing" ;;
        brew) echo "Install: brew install $missing" ;;
        *) echo "Install what Debian calls: $missing" ;;
      esac
    fi
    if [ -n "$manual" ]; then
      echo "Install by hand:"
      printf '%s' "$manual"
    fi
    case $manual in *"$no_mac"*) echo "So not all tests can run on macOS; run them on Linux." ;; esac
    [ -z "$disk" ] || echo "$disk"
    [ -z "${1-}" ] || echo "$1"
  } >&2
  exit 1
}

# as_root [VARIABLE=VALUE]... COMMAND...: nothing that it starts asks anything. sudo does not pass variables on, env does;
# needrestart, which asks which services to restart, only lists them.
as_root() {
  $sudo env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=l "$@"
}

# Fetches apt's lists. Another apt-get may be at it, as on a machine that has just started; for this lock, unlike dpkg's,
# apt-get has no patience of its own.
fetch_lists() {
  waited=0
  until said=$(as_root LC_ALL=C apt-get update -qq 2>&1); do
    case $said in
      *'Could not get lock'*) ;;
      *) waited=300 ;;
    esac
    if [ "$waited" -ge 300 ]; then
      printf '%s\n' "$said" >&2
      exit 1
    fi
    [ "$waited" -gt 0 ] || echo "Waiting for another apt-get to end ..." >&2
    sleep 5
    waited=$((waited + 5))
  done
}

# Warns that there is no disk, or ends with it.
weigh_disk() {
  if [ -n "$disk" ]; then
    [ "$need" = wanted ] || say
    echo "$disk" >&2
  fi
}

case "${1-} ${2-}" in
  'check ') need=wanted ;;
  'install ') need=needed ;;
  'install needed' | 'install wanted' | 'install unused') need=$2 ;;
  *)
    echo "test-tools: check, or install and needed, wanted or unused for the disk" >&2
    exit 2
    ;;
esac
find_tools
disk=
[ "$need" = unused ] || may_mount || disk=$no_disk
if [ -z "$missing$manual" ]; then
  weigh_disk
  exit 0
fi
case $1 in
  check)
    say "On Debian and Ubuntu ./verify installs what apt-get has. To build without tests: ./mvnw package -DskipTests"
    ;;
  install)
    case $system in debian | ubuntu) has apt-get || say ;; *) say ;; esac
    sudo=
    if [ "$(id -u)" -ne 0 ]; then
      has sudo || say "Not done from here: this is not root, and there is no sudo."
      # Without a terminal sudo cannot ask for a password.
      sudo -n true 2>/dev/null || [ -t 0 ] || say "Not done from here: this is not root, and sudo asks for a password."
      sudo=sudo
    fi
    # First of all: without lists, as in images of containers, apt-get knows no version of anything.
    fetch_lists
    missing='' manual=''
    find_tools
    # What must be done by hand is said before minutes go into the rest.
    [ -z "$manual" ] || say
    weigh_disk
    echo "Installing $missing ..." >&2
    # shellcheck disable=SC2086 # one word a package
    as_root apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends $missing >/dev/null
    missing='' manual=''
    find_tools
    [ -z "$missing$manual" ] || say "The package manager installed its packages, but these programs are still not found."
    ;;
esac
