#!/usr/bin/env bash
# What Beam costs: the segment stage over MB megabytes of real books (repeated
# under new ids), on the embedded runner and in plain goroutines, in turn.
#
#   bench/overhead.sh [MB=400] [RUNS=3] [BOOKS=../shared/data/books]
#
# Prints CPU seconds, peak memory and wall seconds of each run.
set -euo pipefail
cd "$(dirname "$0")/.."
mb=${1:-400} runs=${2:-3} books=${3:-../shared/data/books}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/books"
python3 - "$books" "$work/books" "$mb" <<'PY'
import glob, gzip, os, sys
books, out, mb = sys.argv[1], sys.argv[2], float(sys.argv[3])
texts = [(os.path.basename(p)[:-len(".txt.gz")], gzip.open(p).read()) for p in sorted(glob.glob(books + "/*.txt.gz"))]
size = n = 0
while size < mb * 1e6:
    name, text = texts[n % len(texts)]
    open(f"{out}/{n:06d}-{name}.txt", "wb").write(text)
    size += len(text)
    n += 1
PY
cat >"$work/config.yaml" <<YAML
out: out
sources: [{name: books, files: [books]}]
YAML
/usr/bin/time -f "crawl               %U+%S CPU s  %M KB  %e s" bin/commonplace crawl "$work/config.yaml" 2>&1 | tail -1
for _ in $(seq "$runs"); do
	for runner in embedded goroutines; do
		printf 'segment %-11s ' "$runner"
		/usr/bin/time -f "%U+%S CPU s  %M KB  %e s" bin/commonplace segment "$work/config.yaml" --force --runner "$runner" 2>&1 | tail -1
	done
done
