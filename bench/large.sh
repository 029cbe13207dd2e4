#!/usr/bin/env bash
# Whether the cost of a gigabyte stays the same, and memory small, while a library
# grows: libraries of each size (the given books repeated, with changes) are built
# end to end on this machine.
#
#   bench/large.sh [SIZES="200 600 2000"] [BOOKS=../shared/data/books] [QUOTES=../shared/data/twain/quotes.jsonl] [MODEL=models/quotability-features]
#
# SIZES are megabytes of text. Prints for each the CPU seconds, those of a
# gigabyte, and the peak of resident memory. Needs three times the largest size in
# TMPDIR. PROGRAM names another program than bin/commonplace.
set -euo pipefail
cd "$(dirname "$0")/.."
sizes=${1:-200 600 2000} books=${2:-../shared/data/books} quotes=${3:-../shared/data/twain/quotes.jsonl} model=${4:-models/quotability-features}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for size in $sizes; do
	written=$(python3 bench/library.py "$books" "$work/library" --megabytes "$size")
	cat >"$work/large.yaml" <<YAML
out: tables
shards: 64
sources: [{name: library, files: [library]}]
quotes: [{name: quotes, path: $(realpath "$quotes")}]
score: {model: $(realpath "$model")}
YAML
	/usr/bin/time -f "%U %S %M %e" -o "$work/cost" "${PROGRAM:-bin/commonplace}" build "$work/large.yaml" --top 0 2>"$work/said"
	cat "$work/said" >&2
	read -r user system peak wall < <(tail -1 "$work/cost")
	awk -v mb="${written% MB}" -v cpu="$user" -v sys="$system" -v peak="$peak" -v wall="$wall" \
		'BEGIN { printf "%5d MB  %7.1f CPU s  %6.1f CPU s a GB  %5d MB resident at most  %.0f s\n", mb, cpu + sys, (cpu + sys) / mb * 1000, peak / 1024, wall }'
	rm -rf "$work/library" "$work/tables"
done
