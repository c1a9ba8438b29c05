#!/usr/bin/env bash
# The tests that take minutes, and the random tests with more runs than in `npm test`: about a twentieth of a soak run by itself, which keeps
# two cores busy for most of an hour. The walks through the model of an enrolment begin from another seed each time, and print it.
export APPLY_RUNS=15 LIFE_RUNS=500 PROPERTY_REQUESTS=5000 FUZZ_RUNS=5000 NUMBERS_RUNS=50 SEARCH_RUNS=500
exec "$(dirname "$0")/test.sh" soak test:soak --project '!chaos'
