#!/bin/sh
# Makes a folder that is a small Debian, of the release that this machine has or else of the stable one; as root.
#
#     sh debian-root.sh FOLDER [PACKAGE]...      # with these packages and what they need
#
# DEBIAN_SUITE and DEBIAN_MIRROR say another release, and where it comes from.
set -eu
folder=$1
shift
packages=$(printf '%s,' "$@")

codename=$(. /etc/os-release && [ "${ID-}" = debian ] && echo "${VERSION_CODENAME-}") || codename=
suite=${DEBIAN_SUITE:-${codename:-stable}}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

# Files that are lost with the machine need not be on its disk one by one.
exec mmdebstrap --quiet --variant=minbase --mode=root --format=directory \
  --aptopt='Acquire::Languages "none"' --dpkgopt=force-unsafe-io \
  ${packages:+--include="${packages%,}"} "$suite" "$folder" "$mirror"
