#!/usr/bin/env bash
# What a night costs: a library of N books (the given ones repeated, their words
# changed here and there) is built, then MORE books are added and it is built
# again, and at last the grown library is built from nothing with the same counts.
#
#   bench/grow.sh [N=400] [MORE=4] [BOOKS=../shared/data/books] [QUOTES=../shared/data/twain/quotes.jsonl] [MODEL=models/quotability-features]
#
# Prints CPU seconds, peak memory and wall seconds of the three, and whether the
# tables of the second and the third are the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
n=${1:-400} more=${2:-4} books=${3:-../shared/data/books} quotes=${4:-../shared/data/twain/quotes.jsonl} model=${5:-models/quotability-features}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 bench/library.py "$books" "$work/library" --count "$n" >/dev/null
python3 bench/library.py "$books" "$work/later" --first "$n" --count "$more" >/dev/null
du -sb "$work/library" | awk '{printf "%.0f MB in %s\n", $1/1e6, "'"$n books"'"}'
config() {
	cat >"$work/$1.yaml" <<YAML
out: $1
sources: [{name: library, files: [library]}]
quotes: [{name: quotes, path: $(realpath "$quotes")}]
align: {counts: counts}
score: {model: $(realpath "$model")}
YAML
}
measured() { /usr/bin/time -f "$1 %U+%S CPU s  %M KB  %e s" bin/commonplace build "$work/$2.yaml" --top 0 2>&1 | tail -1; }
config nightly
config full
measured "full run     " nightly
mv "$work"/later/* "$work/library/"
measured "$more more books" nightly
shards=$(ls "$work"/nightly/rankings/*.parquet | wc -l) # as many as the nights have, which keep those of the first build
echo "shards: $shards" >>"$work/full.yaml"
measured "grown, anew  " full
measured "nothing new  " nightly
diff -rq "$work/nightly" "$work/full" -x cache -x settings.json -x .lock -x run.json -x .nights -x .current && echo "the tables differ" || echo "the tables are the same bytes"
