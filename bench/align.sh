#!/bin/sh
# align.sh SHARED WORK [PYTHON] - the aligner's table: our figures by the generator's own scorer, and the peers' in the same minute.
# SHARED holds bench/ (prepare.py, gen.py, score.py) and data/; WORK is a scratch folder outside the checkout;
# PYTHON is an interpreter with rapidfuzz, edlib and text-matcher, for the peers' rows.
set -e
shared=$1 work=$2 python=${3:-python3}
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$work"
[ -d "$work/raw" ] || python3 "$shared/bench/prepare.py" "$work/raw"
[ -d "$work/small" ] || python3 "$shared/bench/gen.py" --books "$work/raw/books" --carriers "$work/raw/carriers" --out "$work/small" --docs 200 --quotes 1000 --seed 11
[ -d "$work/list" ] || python3 "$shared/bench/gen.py" --books "$work/raw/books" --carriers "$work/raw/carriers" --out "$work/list" --docs 1 --quotes 10000 --seed 33
(cd "$here" && go build -o "$work/alignbench" ./bench/alignbench)
echo "== ours: documents and 1,000 quotes"
"$work/alignbench" --data "$work/small" --docs "$work/docs.jsonl" --quotes "$work/quotes.jsonl"
python3 "$shared/bench/score.py" --data "$work/small" --align "$work/docs.jsonl"
python3 "$shared/bench/score.py" --data "$work/small" --quotes "$work/quotes.jsonl"
echo "== ours: 10,000 quotes"
"$work/alignbench" --data "$work/list" --quotes "$work/list.jsonl"
echo "== ours: one thread, two threads"
for n in 1 2; do "$work/alignbench" --data "$work/small" --docs "$work/again.jsonl" --repeat 5 --threads $n 2>&1 | grep -E 'fold|match'; done
echo "== RapidFuzz on our similarity"
cat "$work/list.jsonl" "$work/quotes.jsonl" "$work/docs.jsonl" > "$work/rows.jsonl"
"$python" "$here/bench/align_peers.py" similarity "$work/rows.jsonl" 10000 || echo "differs, or RapidFuzz is missing"
echo "== peers"
for peer in rapidfuzz edlib; do "$python" "$here/bench/align_peers.py" lookup "$work/small" 40 $peer || echo "$peer is missing"; done
"$python" "$here/bench/align_peers.py" documents "$work/small" 1 || echo "text-matcher or its data is missing"
