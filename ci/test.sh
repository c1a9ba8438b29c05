#!/usr/bin/env bash
# ci/test.sh NAME SCRIPT [OPTION...]: runs tests by a script of package.json, with more options for vitest, and leaves the report NAME.json.
# It is stopped after 25 minutes. `timeout` forwards signals to all of its children.
report=$CI_RESULTS/$1.json
# Empty until vitest has written it, so that a run without a report is noticed.
: >"$report"
exec timeout --kill-after=30 1500 npm run --silent "$2" -- --reporter=default --reporter=json --outputFile.json="$report" "${@:3}"
