# Tests test-tools.sh, find-node.sh and find-chromium.sh with programs that are nothing but scripts. Run by the build; prints only failures.
set -eu

folder=$(cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failures=0

# What the script itself calls, and no more.
mkdir -p "$work/base" "$work/pg/15/bin" "$work/thunderbird"
for tool in sh awk sed dirname tr cat env mktemp rmdir; do
  ln -s "$(command -v "$tool")" "$work/base/$tool"
done

# program FOLDER NAME [BODY]
program() {
  mkdir -p "$work/$1"
  printf '#!/bin/sh\n%s\n' "${3-}" >"$work/$1/$2"
  chmod +x "$work/$1/$2"
}

for tool in mosquitto mosquitto_pub swaks openssl perl cmsutil gpgsm mutt script mmdebstrap cmake make cc curl python3 groff npm chromium; do
  program all "$tool"
done
program base uname 'echo "${KERNEL-Linux}"' # the cases are the same wherever this test runs
program all node 'echo v20.19.0'
: >"$work/thunderbird/libnss3.so"
program pg/15/bin postgres
# mount and umount leave their words in $DISK, unless they may not.
program base mount '[ "${MOUNT-yes}" = yes ] || [ "${MOUNT-}" = "${AS-}" ] || exit 32; echo "mount $*" >>"$DISK"'
program base umount 'echo "umount $*" >>"$DISK"'
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
AS=sudo "$@"'
for system in debian ubuntu fedora arch alpine void; do
  printf 'ID=%s\n' "$system" >"$work/$system"
done
printf 'ID=mint\nID_LIKE="ubuntu debian"\n' >"$work/mint"
printf 'ID="opensuse-leap"\nID_LIKE="suse opensuse"\n' >"$work/leap"
mkdir -p "$work/empty"

# tools "COMMAND [DISK]" SYSTEM FOLDERS-OF-PATH... : sets status; what it said is in $work/said.
tools() {
  command=$1 system=$2
  shift 2
  path=$work/base
  for part in "$@"; do
    path=$path:$work/$part
  done
  status=0
  rm -rf "$work/log" "$work/disk" "$work/installed" "$work/temporary"
  mkdir "$work/installed" "$work/temporary"
  # shellcheck disable=SC2086 # one or two words of the command
  env -i PATH="$path:$work/installed" HOME="$work/empty" LOG="$work/log" INSTALL="$work/installed" PROGRAMS="$work/all" \
    LISTS="$work/lists" VEILGATE_OS_RELEASE="$work/$system" VEILGATE_SERVER_PROGRAMS= VEILGATE_NODE_FOLDERS="${nodes-$work/none/*}" \
    VEILGATE_THUNDERBIRD="${thunderbird-$work/thunderbird}" VEILGATE_POSTGRESQL="${postgres-$work/pg}" \
    CHROMIUM="${chromium-chromium}" VEILGATE_CONTAINERS="${containers-}" KERNEL="${kernel-Linux}" \
    DISK="$work/disk" MOUNT="${mount-yes}" TMPDIR="$work/temporary" \
    sh "$folder/test-tools.sh" $command >"$work/said" 2>&1 </dev/null || status=$?
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

# A container engine, for tests of images.
containers=yes
program engine docker
program client docker 'case $* in compose*) exit 0 ;; esac; exit 1'
program daemon dockerd
tools check debian all root
ends 'names a container engine and Compose' 1 'apt-get install docker.io docker-compose'
tools check debian all root client
ends 'takes no client without a daemon for an engine' 1 'apt-get install docker.io'
tools check debian all root client daemon
ends 'takes a daemon that can be started for an engine' 0
tools check debian all root engine
ends 'takes an engine that answers' 0
unset containers

# A disk for tests of a full one.
tools install debian all root
[ "$(sed 's: /.*::' "$work/disk")" = 'mount -t tmpfs -o size=1m tmpfs
umount' ] || fail 'mounts a disk and takes it away'
[ -z "$(ls "$work/temporary")" ] || fail 'leaves no folder behind'
mount=sudo
tools install debian all user granted
ends 'mounts by sudo' 0
grep -q umount "$work/disk" || fail 'takes away by sudo what was mounted by sudo'
mount=no
tools install debian all root
ends 'says that root of a container may not mount' 1 'Tests of a full disk fail here'
tools install debian all user asks
ends 'says that sudo does not allow it' 1 'as a user whom sudo allows it'
tools 'install wanted' debian all user
ends 'only warns where other tests may be chosen' 0 'Tests of a full disk fail here'
tools 'install unused' debian all user
ends 'does not try where no such test is chosen' 0
tools check debian all user
ends 'only warns where Maven runs' 0 'Tests of a full disk fail here'
tools check debian user
ends 'says it beside programs that are missing' 1 'Tests of a full disk fail here'
unset mount
tools 'install little' debian all
ends 'takes no other words' 2 'needed, wanted or unused'

debian='mosquitto mosquitto-clients swaks openssl libnet-ssleay-perl libnss3-tools gpgsm mutt bsdutils mmdebstrap debian-archive-keyring cmake make gcc libc6-dev curl python3 groff-base'
node='Node 20.19 or later with its npm; found: none'
tools check debian root
ends 'names packages of Debian' 1 "apt-get install $debian chromium"
ends 'says that Node is missing' 1 "$node"
tools check fedora root
ends 'names packages of Fedora' 1 'dnf install mosquitto swaks openssl perl-Net-SSLeay nss-tools gnupg2-smime mutt util-linux-script mmdebstrap debian-keyring cmake make gcc curl python3 groff-base chromium'
tools check leap root
ends 'names packages of openSUSE' 1 'zypper install mosquitto mosquitto-clients swaks openssl perl-Net-SSLeay mozilla-nss-tools'
tools check arch root
ends 'names packages of Arch' 1 'pacman -S mosquitto swaks'
ends 'says what Arch does not have' 1 'mmdebstrap: this system has no package of it'
tools check alpine root
ends 'names packages of Alpine' 1 'apk add mosquitto mosquitto-clients'
tools check void root
ends 'names packages of Debian elsewhere' 1 "Install what Debian calls: $debian"
kernel=Darwin thunderbird=$work/none
tools check debian root
ends 'names packages of Homebrew' 1 'Install: brew install mosquitto swaks openssl nss gnupg mutt'
ends 'says what Homebrew does not have' 1 "Perl's Net::SSLeay: cpan Net::SSLeay"
ends 'names a browser on macOS' 1 'Install Google Chrome'
tools install debian all root apt
ends 'says which tests cannot run on macOS' 1 "util-linux's script: cannot be had on macOS"
ends 'says why' 1 "Thunderbird's own libraries: cannot be had on macOS, the tests load those of a Thunderbird for Linux"
ends 'and what follows' 1 'So not all tests can run on macOS'
[ ! -e "$work/log" ] || fail 'installs nothing on macOS'
unset kernel thunderbird
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
mount=no
tools install debian root apt node
ends 'says that there is no disk before it installs' 1 'Tests of a full disk fail here'
! grep -q -e install "$work/log" || fail 'installs nothing where there is no disk'
unset mount
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

# Ubuntu 24.04: Chromium and Thunderbird are snaps, Node is old.
thunderbird=$work/none chromium=$work/none
candidates nodejs 18.19.1+dfsg-6ubuntu5 chromium-browser 2:1snap1-0ubuntu2 chromium '(none)' thunderbird 2:1snap1-0ubuntu3
for command in check install; do
  tools $command ubuntu root policy apt
  ends "says on Ubuntu which Chromium will do ($command)" 1 'Install Google Chrome (https://www.google.com/chrome)'
  ends "says on Ubuntu which Thunderbird will do ($command)" 1 'snap install thunderbird; or, where there are no snaps'
  ends "says on Ubuntu which Node will do ($command)" 1 "$node"
  ends "names on Ubuntu what it has ($command)" 1 "apt-get install $debian"
done
[ "$(cat "$work/log")" = 'apt-get update -qq' ] || fail 'installs nothing on Ubuntu before what is by hand'
tools install ubuntu user policy
ends 'says the same where nothing can be installed' 1 'Install Google Chrome'
unset thunderbird
chromium=$work/all/chromium
tools install ubuntu root policy apt node
ends 'installs the rest on Ubuntu' 0 'Installing mosquitto'
# Ubuntu 22.04, and distributions made from Ubuntu, have packages with the programs in them.
thunderbird=$work/none chromium=$work/none
candidates nodejs 20.19.2 chromium 2:1snap1-0ubuntu2 thunderbird 1:115.18.0+build1-0ubuntu0.22.04.1
tools check ubuntu root policy
ends 'takes a Thunderbird that is no snap' 1 ' thunderbird'
! grep -q 'snap install' "$work/said" || fail 'needs no snap then'
ends 'takes no Chromium that is a snap' 1 'Install Google Chrome'
candidates nodejs 20.19.2 chromium 130.0.6723.116~linuxmint1+wilma thunderbird 1:128.4.0esr+build1~mint1
tools check mint root policy
ends 'takes the Chromium of a distribution made from Ubuntu' 1 ' thunderbird chromium nodejs npm'
unset chromium
for system in fedora arch alpine leap; do
  tools check $system all
  ends "knows that Thunderbird of $system has no libraries of its own" 1 'set VEILGATE_THUNDERBIRD to its folder'
done
unset thunderbird

# find-chromium.sh
program browsers chromium
program browsers chrome 'exit 0'
program snap chromium-browser 'exec /snap/bin/chromium "$@"'
program rpm chromium-browser 'exec /usr/lib64/chromium-browser/chromium-browser "$@"'
# browser CHROMIUM PLACES: what is found
browser() {
  env -i PATH="$work/base:$work/browsers:$(dirname "$(command -v grep)")" CHROMIUM="$1" VEILGATE_BROWSERS="$2" \
    sh -c '. "$1" && find_chromium' sh "$folder/find-chromium.sh" || echo none
}
# is WHAT-IS-TESTED EXPECTED FOUND
is() {
  [ "$2" = "$3" ] || fail "$1: expected $2, found $3"
}
status=0
is 'takes the browser that is set' "$work/browsers/chrome" "$(browser "$work/browsers/chrome" "$work/browsers/chromium")"
is 'finds it on the PATH' "$work/browsers/chrome" "$(browser chrome "$work/browsers/chromium")"
is 'takes no other than that which is set' none "$(browser "$work/none" "$work/browsers/chromium")"
mkdir "$work/with space"
mv "$work/browsers/chromium" "$work/with space/Google Chrome"
is 'takes the first of the usual places' "$work/with space/Google Chrome" \
  "$(browser '' "$work/none:$work/with space/Google Chrome:$work/browsers/chrome")"
is 'passes over what only starts a snap' "$work/browsers/chrome" \
  "$(browser '' "$work/snap/chromium-browser:$work/browsers/chrome")"
is "takes Fedora's chromium-browser" "$work/rpm/chromium-browser" \
  "$(browser '' "$work/rpm/chromium-browser:$work/browsers/chrome")"
is 'says that there is none' none "$(browser '' "$work/none")"

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
