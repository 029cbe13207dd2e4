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

mkdir "$work/library" "$work/later"
python3 - "$books" "$work" "$n" "$more" <<'PY'
import glob, gzip, os, random, sys
books, work, n, more = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
texts = [(os.path.basename(p)[:-len(".txt.gz")], gzip.open(p).read().decode("utf-8", "replace")) for p in sorted(glob.glob(books + "/*.txt.gz"))]
for i in range(n + more):
    name, text = texts[i % len(texts)]
    r = random.Random(i)
    lines = text.split("\n")
    for k in range(0, len(lines), 50):  # one line in fifty loses a word
        words = lines[k].split(" ")
        if len(words) > 6:
            del words[r.randrange(1, len(words))]
            lines[k] = " ".join(words)
    folder = "library" if i < n else "later"
    with open(f"{work}/{folder}/{i:06d}-{name}.txt", "w", encoding="utf-8") as f:
        f.write("\n".join(lines))
PY
du -sb "$work/library" | awk '{printf "%.0f MB in %s\n", $1/1e6, "'"$n books"'"}'
config() {
	cat >"$work/$1.yaml" <<YAML
out: $1
shards: $n
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
measured "grown, anew  " full
measured "nothing new  " nightly
diff -rq "$work/nightly" "$work/full" -x index -x previous -x settings.json -x .lock | grep -v "^Only in $work/nightly/rankings: " && echo "the tables differ" || echo "the tables are the same bytes"
