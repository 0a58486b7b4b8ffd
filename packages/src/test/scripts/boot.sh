#!/bin/sh
# Boots a copy of the Debian in a folder: systemd as its first process, in namespaces of its own, without a network but its loopback; as root.
# All that is changed there is in memory. It ends, and all of it is gone, when standard input does: with the process that holds it.
#
#     sh boot.sh FOLDER [OUTSIDE:INSIDE]...      # folders of this machine that can be read there
#
# What systemd-nspawn does, which itself wants a systemd here.
set -eu

case ${1-} in
  --in-mounts)
    # Mounts are seen by these processes alone.
    base=$2 work=$3
    shift 3
    mount -t tmpfs -o mode=755 tmpfs "$work"
    mkdir "$work/changed" "$work/work" "$work/root" "$work/groups"
    mount -t overlay -o "lowerdir=$base,upperdir=$work/changed,workdir=$work/work" overlay "$work/root"
    for folder; do
      mkdir -p "$work/root${folder#*:}"
      mount --bind "${folder%%:*}" "$work/root${folder#*:}"
      mount -o remount,bind,ro "$work/root${folder#*:}"
    done
    # A cgroup of its own in the unified hierarchy, which is there also where the machine uses the older ones.
    mount -t cgroup2 cgroup2 "$work/groups"
    group=$work/groups/veilgate-packages-$$
    mkdir "$group"
    sh -c 'echo $$ >"$1/cgroup.procs"
      exec unshare --mount --pid --fork --kill-child --uts --ipc --net --cgroup sh "$2" --in-processes "$3"' \
      sh "$group" "$0" "$work/root" </dev/null &
    cat >/dev/null
    kill -KILL $! # and what it started
    wait
    until find "$group" -depth -type d -exec rmdir {} + 2>/dev/null; do
      sleep 0.1
    done
    ;;
  --in-processes)
    root=$2
    mount -t proc proc "$root/proc"
    # What is of the whole kernel is not for this Debian to change.
    mount --bind "$root/proc/sys" "$root/proc/sys"
    mount -o remount,bind,ro "$root/proc/sys"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    for device in null zero full random urandom tty; do
      : >"$root/dev/$device"
      mount --bind "/dev/$device" "$root/dev/$device"
    done
    mkdir "$root/dev/pts" "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    ln -s pts/ptmx "$root/dev/ptmx"
    ln -s /proc/self/fd "$root/dev/fd"
    for folder in dev/shm tmp; do
      mount -t tmpfs -o mode=1777 tmpfs "$root/$folder"
    done
    mount -t tmpfs -o mode=755 tmpfs "$root/run"
    hostname packages
    mkdir "$root/run/former"
    cd "$root"
    pivot_root . run/former
    umount -l /run/former
    rmdir /run/former
    exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --show-status=no
    ;;
  *)
    base=$1
    shift
    work=$(mktemp -d)
    unshare --mount --propagation private sh "$0" --in-mounts "$base" "$work" "$@"
    rmdir "$work"
    ;;
esac
