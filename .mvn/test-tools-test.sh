# Tests test-tools.sh and find-node.sh with programs that are nothing but scripts. Run by the build; prints only failures.
set -eu

folder=$(cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failures=0

# What the script itself calls, and no more.
mkdir -p "$work/base" "$work/pg/15/bin" "$work/thunderbird"
for tool in sh awk sed uname dirname tr cat env; do
  ln -s "$(command -v "$tool")" "$work/base/$tool"
done

# program FOLDER NAME [BODY]
program() {
  mkdir -p "$work/$1"
  printf '#!/bin/sh\n%s\n' "${3-}" >"$work/$1/$2"
  chmod +x "$work/$1/$2"
}

for tool in mosquitto mosquitto_pub swaks openssl perl cmsutil gpgsm mutt script npm chromium; do
  program all "$tool"
done
program all node 'echo v20.19.0'
: >"$work/thunderbird/libnss3.so"
program pg/15/bin postgres
program root id 'echo 0'
program user id 'echo 1000'
# Where something may be asked, or another apt-get is at it and there is no patience, it fails as the real one.
program apt apt-get '[ "${DEBIAN_FRONTEND-} ${NEEDRESTART_MODE-}" = "noninteractive l" ] || exit 98
echo "apt-get $*" >>"$LOG"
case $* in
  *Lock::Timeout=*install*) cp -p "$PROGRAMS"/* "$INSTALL"/ ;;
  *install*) echo "E: Could not get lock /var/lib/dpkg/lock-frontend." >&2; exit 100 ;;
esac'
program apt cp "exec $(command -v cp) \"\$@\""
program apt-broken apt-get 'echo "E: The repository is not there." >&2; exit 100'
program asks sudo 'case $1 in -n) exit 1 ;; esac; "$@"'
program granted sudo 'case $1 in -n) shift ;; esac
echo sudo >>"$LOG"
unset DEBIAN_FRONTEND NEEDRESTART_MODE # as env_reset does
"$@"'
for system in debian ubuntu fedora arch alpine void; do
  printf 'ID=%s\n' "$system" >"$work/$system"
done
printf 'ID=mint\nID_LIKE="ubuntu debian"\n' >"$work/mint"
printf 'ID="opensuse-leap"\nID_LIKE="suse opensuse"\n' >"$work/leap"
mkdir -p "$work/empty"

# tools COMMAND SYSTEM FOLDERS-OF-PATH... : sets status; what it said is in $work/said.
tools() {
  command=$1 system=$2
  shift 2
  path=$work/base
  for part in "$@"; do
    path=$path:$work/$part
  done
  status=0
  rm -rf "$work/log" "$work/installed"
  mkdir "$work/installed"
  env -i PATH="$path:$work/installed" HOME="$work/empty" LOG="$work/log" INSTALL="$work/installed" PROGRAMS="$work/all" \
    LISTS="$work/lists" VEILGATE_OS_RELEASE="$work/$system" VEILGATE_SERVER_PROGRAMS= VEILGATE_NODE_FOLDERS="${nodes-$work/none/*}" \
    VEILGATE_THUNDERBIRD="$work/thunderbird" VEILGATE_POSTGRESQL="${postgres-$work/pg}" CHROMIUM=chromium \
    sh "$folder/test-tools.sh" "$command" >"$work/said" 2>&1 </dev/null || status=$?
}

fail() {
  printf 'test-tools: %s; status %s\n' "$1" "$status" >&2
  sed 's/^/    /' "$work/said" >&2
  failures=$((failures + 1))
}

# ends WHAT-IS-TESTED STATUS [TEXT]
ends() {
  if [ "$status" != "$2" ]; then
    fail "$1: expected status $2"
  elif [ -z "${3-}" ] && [ -s "$work/said" ]; then
    fail "$1: should be silent"
  elif ! grep -q -F -e "${3-}" "$work/said" && [ -n "${3-}" ]; then
    fail "$1: the message lacks '$3'"
  fi
}

tools check debian all
ends 'is silent where all is there' 0
tools install debian all user
ends 'installs nothing where all is there' 0
[ ! -e "$work/log" ] || fail 'calls no package manager where all is there'

debian='mosquitto mosquitto-clients swaks openssl libnet-ssleay-perl libnss3-tools gpgsm mutt bsdutils'
node='Node 20.19 or later with its npm; found: none'
tools check debian root
ends 'names packages of Debian' 1 "apt-get install $debian chromium"
ends 'says that Node is missing' 1 "$node"
tools check mint root
ends 'knows what is like Ubuntu' 1 'chromium-browser'
tools check fedora root
ends 'names packages of Fedora' 1 'dnf install mosquitto swaks openssl perl-Net-SSLeay nss-tools gnupg2-smime mutt util-linux-script chromium'
tools check leap root
ends 'names packages of openSUSE' 1 'zypper install mosquitto mosquitto-clients swaks openssl perl-Net-SSLeay mozilla-nss-tools'
tools check arch root
ends 'names packages of Arch' 1 'pacman -S mosquitto swaks'
tools check alpine root
ends 'names packages of Alpine' 1 'apk add mosquitto mosquitto-clients'
tools check void root
ends 'names packages of Debian elsewhere' 1 "Install what Debian calls: $debian"
postgres=$work/none
tools check debian all
ends 'asks for PostgreSQL' 1 'apt-get install postgresql'
unset postgres

# Node is there, the rest is not.
mkdir "$work/node"
cp -p "$work/all/node" "$work/all/npm" "$work/node"
tools install debian root apt node
ends 'installs as root' 0 'Installing mosquitto'
grep -q -F -e "install -y -qq --no-install-recommends $debian chromium" "$work/log" || fail 'tells apt-get what to install'
tools install debian user granted apt node
ends 'installs by sudo' 0 'Installing mosquitto'
grep -q sudo "$work/log" || fail 'calls sudo'
tools install debian user asks apt node
ends 'does not wait for a password that nobody can type' 1 'sudo asks for a password'
tools install debian user apt node
ends 'says that there is no sudo' 1 'there is no sudo'
tools install fedora root apt node
ends 'installs on Debian and Ubuntu only' 1 'dnf install'
tools install debian root apt
ends 'names what no package brings before it installs' 1 "$node"
! grep -q -e install "$work/log" || fail 'installs nothing if something must be done by hand'
tools install debian root apt-broken node
ends 'fails with the package manager, and says its words' 1 'The repository is not there'
program idle apt-get
tools install debian root idle node
ends 'looks again afterwards' 1 'still not found'

# The lists' lock is free at the third try.
program busy apt-get 'case $* in
  *update*)
    echo try >>"$LOG"
    [ "$(grep -c try "$LOG")" -gt 2 ] || { echo "E: Could not get lock /var/lib/apt/lists/lock." >&2; exit 100; }
    ;;
esac
exec "${0%/busy/*}/apt/apt-get" "$@"'
program busy grep "exec $(command -v grep) \"\$@\""
program busy sleep 'echo slept >>"$LOG"'
tools install debian user granted busy apt node
ends 'waits for another apt-get' 0 'Waiting for another apt-get'
[ "$(grep -c slept "$work/log")" = 2 ] || fail 'waits until the lists are free, and no longer'
program busy apt-get 'echo "E: Could not get lock /var/lib/apt/lists/lock." >&2; exit 100'
tools install debian root busy node
ends 'does not wait for ever' 1 'Could not get lock'

# candidates PACKAGE VERSION...: what apt-get would install. As the real apt-cache it speaks another language unless told.
candidates() {
  {
    echo 'case ${LC_ALL-} in C) word=Candidate ;; *) word=Installationskandidat ;; esac'
    echo 'case $2 in'
    while [ $# -gt 1 ]; do
      echo "  $1) printf '%s:\n  %s: %s\n' '$1' \"\$word\" '$2' ;;"
      shift 2
    done
    echo 'esac'
  } >"$work/body"
  program policy apt-cache "$(cat "$work/body")"
}

candidates nodejs 20.19.2+dfsg-1
tools check debian root policy
ends 'takes a Node that the package manager has' 1 'nodejs npm'
candidates nodejs 1:22.20.0-1nodesource1
tools check debian root policy
ends 'takes a Node that has its npm in it' 1 ' nodejs'
grep -q npm "$work/said" && fail 'does not ask for an npm beside it'
for version in 18.20.4+dfsg-1 '(none)'; do
  candidates nodejs "$version"
  tools check debian root policy
  ends 'takes no old Node of the package manager' 1 "$node"
done

# The lists of packages are empty until they are fetched.
candidates
cp "$work/policy/apt-cache" "$work/no-lists"
candidates nodejs 20.19.2+dfsg-1
cp "$work/policy/apt-cache" "$work/lists"
program fresh apt-get 'case $* in *update*) cp -p "$LISTS" "${0%/*}/apt-cache" ;; esac
exec "${0%/fresh/*}/apt/apt-get" "$@"'
cp -p "$work/no-lists" "$work/fresh/apt-cache"
tools install debian root fresh apt
ends 'fetches the lists before it looks for Node' 0 'Installing mosquitto'
grep -q 'install .* nodejs npm' "$work/log" || fail 'installs Node from the lists that it fetched'

# find-node.sh
program old node 'echo v18.20.4'
program old npm
program nvm/v22.1.0/bin node 'echo v22.1.0'
program nvm/v22.1.0/bin npm
program nvm/v20.19.3/bin node 'echo v20.19.3'
program nvm/v20.19.3/bin npm
program nvm/v20.9.0/bin node 'echo v20.9.0'
program nvm/v20.9.0/bin npm
nodes="$work/nvm/*/bin"
found=$(env -i PATH="$work/base:$work/old" HOME="$work/empty" VEILGATE_NODE_FOLDERS="$nodes" \
  sh -c '. "$1" && use_node && echo "${PATH%%:*}"' sh "$folder/find-node.sh")
status=0
[ "$found" = "$work/nvm/v20.19.3/bin" ] || fail "takes the earliest Node that will do: $found"
found=$(env -i PATH="$work/base:$work/all" HOME="$work/empty" VEILGATE_NODE_FOLDERS="$nodes" \
  sh -c '. "$1" && use_node && command -v node' sh "$folder/find-node.sh")
[ "$found" = "$work/all/node" ] || fail "keeps a Node that will do: $found"

[ "$failures" = 0 ]
