#!/usr/bin/env bash
# The tests that take minutes, and the random tests with more runs than in `npm test`: about a fiftieth of a soak run by itself, which keeps
# two cores busy for most of an hour. Their seeds are fixed, so that a failure is caused by the change; `npm run test:soak` takes new ones.
export LIFE_SEED=1 HOSTILE_SEED=1 ROLLING_SEED=1
export APPLY_RUNS=10 HOSTILE_RUNS=40 LIFE_RUNS=300 PROPERTY_REQUESTS=2000 FUZZ_RUNS=2000 NUMBERS_RUNS=15 SEARCH_RUNS=200
exec "$(dirname "$0")/test.sh" soak test:soak --project soak --project memory
