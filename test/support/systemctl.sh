#!/bin/bash
# systemctl for a machine on which systemd does not run: starts a unit's ExecStart as its user, with its environment and umask, on a
# file system that is read-only but for its directories, as ProtectSystem=strict and PrivateTmp= have it. Every call is logged.
set -euo pipefail
echo "$*" >>/run/systemctl.log

file_of() {
  local folder
  for folder in /etc/systemd/system /usr/lib/systemd/system; do
    if [ -e "$folder/$1" ]; then echo "$folder/$1" && return; fi
  done
  echo "Failed: unit $1 not found." >&2
  exit 5
}

values() { sed -n "s/^$2=//p" "$(file_of "$1")"; }

is_active() { [ -e "/run/$1.pid" ] && kill -0 "$(cat "/run/$1.pid")" 2>/dev/null; }

start() {
  local unit=$1 user environment writable file cache
  if is_active "$unit"; then return; fi
  user=$(values "$unit" User)
  environment=(PATH=/usr/local/bin:/usr/bin:/bin "HOME=$(getent passwd "$user" | cut -d: -f6)")
  for file in $(values "$unit" EnvironmentFile); do
    if [ -e "${file#-}" ]; then readarray -t -O "${#environment[@]}" environment < <(grep -v '^#' "${file#-}"); fi
  done
  readarray -t -O "${#environment[@]}" environment < <(values "$unit" Environment)
  writable=$(values "$unit" ReadWritePaths)
  for cache in $(values "$unit" CacheDirectory); do
    install -d -o "$user" -g "$user" "/var/cache/$cache"
    writable="$writable /var/cache/$cache"
  done
  # shellcheck disable=SC2016,SC2046 # the inner shell expands; words of ExecStart= are separated by spaces
  setsid unshare --mount bash -ec '
    for path in $1; do mount --bind "$path" "$path"; done
    mount -t tmpfs -o mode=1777 tmpfs /tmp
    mount -o remount,bind,ro /
    umask "$2"
    shift 2
    exec "$@"' - "$writable" "$(values "$unit" UMask)" \
    setpriv --reuid "$user" --regid "$user" --init-groups --no-new-privs --bounding-set=-all --inh-caps=-all \
    env -i "${environment[@]}" $(values "$unit" ExecStart) </dev/null >>"/var/log/$unit.log" 2>&1 &
  echo $! >"/run/$unit.pid"
}

stop() {
  if ! is_active "$1"; then return; fi
  kill -TERM "$(cat "/run/$1.pid")"
  for _ in $(seq 1000); do
    if ! is_active "$1"; then rm "/run/$1.pid" && return; fi
    sleep 0.1
  done
  exit 1
}

now=
if [ "${2:-}" = --now ]; then now=yes && set -- "$1" "${@:3}"; fi
unit=${2:-}
unit=${unit%.service}.service
case "$1" in
  daemon-reload) ;;
  start) start "$unit" ;;
  stop) stop "$unit" ;;
  restart) stop "$unit" && start "$unit" ;;
  is-active) if is_active "$unit"; then echo active; else echo inactive && exit 3; fi ;;
  enable)
    mkdir -p /etc/systemd/system/multi-user.target.wants
    ln -sf "$(file_of "$unit")" /etc/systemd/system/multi-user.target.wants/
    if [ -n "$now" ]; then start "$unit"; fi
    ;;
  disable)
    rm -f "/etc/systemd/system/multi-user.target.wants/$unit"
    if [ -n "$now" ]; then stop "$unit"; fi
    ;;
  *) echo "$0 $1: not known here" >&2 && exit 1 ;;
esac
