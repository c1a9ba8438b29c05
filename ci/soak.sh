#!/usr/bin/env bash
# The tests that take minutes, and the random tests with more runs than in `npm test`: about a fiftieth of a soak run by itself, which keeps
# two cores busy for most of an hour. The walks through the model of an enrolment begin from another seed each time, and print it.
export APPLY_RUNS=10 HOSTILE_RUNS=40 LIFE_RUNS=300 PROPERTY_REQUESTS=2000 FUZZ_RUNS=2000 NUMBERS_RUNS=15 SEARCH_RUNS=200
exec "$(dirname "$0")/test.sh" soak test:soak --project soak --project memory
