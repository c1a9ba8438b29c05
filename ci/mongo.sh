#!/usr/bin/env bash
# Starts a server that speaks MongoDB's protocol, with libraries from Maven Central, and leaves its address in mongo.url and its process
# id in mongo.pid. If that fails, the tests of jobs run only on PostgreSQL.
set -uo pipefail
cd "$(dirname "$0")/mongo" || exit
give_up() { echo "no MongoDB: $1"; rm -f "$CI_RESULTS/mongo.url"; exit; }

command -v mvn >/dev/null || give_up 'Maven is not installed'
timeout 240 mvn -q -B dependency:copy-dependencies -DoutputDirectory="$CI_RESULTS/mongo" >"$CI_RESULTS/mvn.log" 2>&1 ||
  give_up "$(tail -n 3 "$CI_RESULTS/mvn.log")"
java -cp "$CI_RESULTS/mongo/*" MongoServer.java >"$CI_RESULTS/mongo.url" 2>"$CI_RESULTS/mongo.log" &
echo $! >"$CI_RESULTS/mongo.pid"
for _ in $(seq 60); do
  grep '^mongodb://' "$CI_RESULTS/mongo.url" && exit
  sleep 0.5
done
give_up "$(tail -n 3 "$CI_RESULTS/mongo.log")"
