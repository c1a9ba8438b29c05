#!/usr/bin/env bash
# Installs the Debian packages that tests use, if there is apt-get and this runs as root, and prints those that are missing afterwards.
set -uo pipefail

need() { "${@:2}" >/dev/null 2>&1 || echo "$1"; }
missing() {
  need dovecot-imapd test -x /usr/sbin/dovecot -a -x /usr/lib/dovecot/imap
  need chromium test -x /usr/bin/chromium
  need tmux command -v tmux
  need postgresql ls /usr/lib/postgresql/*/bin/initdb
  need pgbouncer test -x /usr/sbin/pgbouncer
  need nginx test -x /usr/sbin/nginx
  need caddy test -x /usr/bin/caddy
  need prometheus command -v promtool
  need groff-base command -v groff
  [ -z "${TEST_MONGODB_URL:-}" ] || return
  need maven command -v mvn
  need default-jdk-headless bash -o pipefail -c 'java --list-modules | grep ^jdk.compiler'
}

export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
get() { timeout 300 apt-get install -y -qq --no-install-recommends "$@" >>"$log" 2>&1; }

mapfile -t packages < <(missing)
if [ "${#packages[@]}" -gt 0 ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  timeout 120 apt-get update -qq >"$log" 2>&1
  # A package that can't be installed must not prevent the others.
  get "${packages[@]}" || for package in "${packages[@]}"; do get "$package" || tail -n 3 "$log"; done
fi
rm "$log"
missing | sed 's/^/not installed: /'
