#!/usr/bin/env bash
# Prepares the servers and programs of the machine that tests use. Without them the tests use what npm installed, or are skipped.
cd "$(dirname "$0")" || exit
./debian-packages.sh
[ -n "${TEST_MONGODB_URL:-}" ] || ./mongo.sh
[ -x /usr/bin/patroni ] || echo 'not installed: patroni; its test is skipped'
