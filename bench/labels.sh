#!/usr/bin/env bash
# What labels and exports cost, and how it grows: counts and datasets are made of
# a run's tables once and ten times over (see bench/labels), then exported.
#
#   bench/labels.sh RUN CONFIG [COPIES=10]
#
# RUN is a built run of CONFIG, such as
#
#   bin/commonplace build configs/quoter-gutenberg.yaml
#   bench/labels.sh out/quoter-gutenberg configs/quoter-gutenberg.yaml
#
# Prints CPU seconds, peak memory and wall seconds of the program alone.
set -euo pipefail
cd "$(dirname "$0")/.."
run=$1 config=$2 copies=${3:-10}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
measured() { /usr/bin/time -f "$1 %U+%S CPU s  %M KB  %e s" "${@:2}" 2>&1 | tail -1; }
go build -o "$work/copy" ./bench/labels
for n in 1 "$copies"; do
	"$work/copy" "$run" "$work/$n" "$n"
	measured "$n x count " bin/commonplace count "$config" --out "$work/$n"
	measured "$n x label " bin/commonplace label "$config" --out "$work/$n"
	measured "$n x export" bin/commonplace export "$work/$n" --to "$work/export"
done
