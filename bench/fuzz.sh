#!/usr/bin/env bash
# Fuzzes the parsers, one target after another, and prints what each one got.
#
#   bench/fuzz.sh [MINUTES [PATTERN]]
#
# MINUTES is the processor time of each target (10). PATTERN is a regular expression on
# "./package target" (all). A target fails if it panics, breaks what its test
# checks, takes more than MEMORY KiB of address space (6000000; Go reserves more
# than it uses), or runs no input for 30 seconds (choose a machine that is not busy).
#
# A failing input is saved in the package's testdata/fuzz: commit it with the mend.
# The corpus stays in Go's cache, so the next round goes on where this one ended.
set -uo pipefail
cd "$(dirname "$0")/.."
export GOFLAGS=${GOFLAGS:-"-trimpath -tags=disable_grpc_modules,grpcnotrace,osusergo"}
minutes=${1:-10} pattern=${2:-.} memory=${MEMORY:-6000000}
corpus=$(go env GOCACHE)/fuzz/$(go list -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 built=

# deadline: the fuzzer ran out of its time, said so as an error, and saved no failing input
# (https://go.dev/issue/75804, mended in Go 1.27).
deadline() {
	grep -A1 -e '^--- FAIL' "$1" | grep -qx '    context deadline exceeded' && ! grep -q 'Failing input written' "$1"
}

while read -r package target; do
	if [ "$package" != "$built" ]; then
		built=$package
		rm -f "$work/fuzz.test"
		go test -c -fuzz . -o "$work/fuzz.test" "$package"
	fi
	if [ ! -e "$work/fuzz.test" ]; then
		failed=1
		continue
	fi
	TIMEFORMAT='%U %S'
	used=0 inputs=0 result=ok
	# On a busy machine a second of the clock is less of the processor: go on with the rest.
	while left=$(awk -v m="$minutes" -v u="$used" 'BEGIN {s = 60 * m - u; if (s < 1) exit 1; printf "%.0fs", s}') && [ $result = ok ]; do
		{ time (
			cd "$package" && ulimit -v "$memory" || exit 1
			"$work/fuzz.test" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$left" \
				-test.fuzzminimizetime 1s -test.parallel 1 -test.fuzzcachedir "$corpus/${package#./}" >"$work/log" 2>&1
		); } 2>"$work/times"
		status=$?
		used=$(awk -v u="$used" '{print u + $1 + $2}' "$work/times")
		execs=$(grep -o 'execs: [0-9]*' "$work/log" | tail -1)
		execs=${execs#execs: }
		inputs=$((inputs + ${execs:-0}))
		idle=$(awk '/execs:/ {if (/\(0\/sec\)/) n++; else n = 0; if (n > most) most = n} END {print most + 0}' "$work/log")
		[ "$idle" -lt 10 ] || result=SLOW
		[ "$status" -eq 0 ] || deadline "$work/log" || result=FAILED
	done
	awk -v name="$package $target" -v used="$used" -v inputs="$inputs" -v result=$result \
		'BEGIN {printf "%s: %.1f CPU minutes, %d inputs, %s\n", name, used / 60, inputs, result}'
	if [ $result != ok ]; then
		cat "$work/log"
		failed=1
	fi
done < <(grep -rH --include=*_test.go --exclude-dir=lib -o '^func Fuzz[A-Za-z]*' . | sed 's|/[^/]*_test.go:func | |' | sort | grep -E -- "$pattern")
exit $failed
