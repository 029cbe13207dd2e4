#!/bin/sh
# align.sh [WORK] - the aligner's tables beside RapidFuzz, edlib, text-matcher and, if blastp is on the PATH, BLAST: all run now,
# on this machine. passim and TextPAIR are in no package index; their figures are those that were measured elsewhere.
# Needs python3 with venv and ../shared beside the checkout (SHARED says where else): its generator, scorer and books.
# WORK is a scratch folder (default: commonplace-align in the temporary folder); what is there is not made again.
set -e
here=$(cd "$(dirname "$0")/.." && pwd)
shared=$(cd "${SHARED:-$here/../shared}" && pwd)
work=${1:-${TMPDIR:-/tmp}/commonplace-align}
mkdir -p "$work"
if [ ! -x "$work/venv/bin/python" ]; then
	"$here/.ci/venv" "$work/venv" "$here/python/build.lock" "$here/bench/align_requirements.lock"
fi
python=$work/venv/bin/python
bench=$shared/bench
[ -d "$work/raw" ] || python3 "$bench/prepare.py" "$work/raw"
generate() { [ -d "$work/$1" ] || python3 "$bench/gen.py" --books "$work/raw/books" --carriers "$work/raw/carriers" --out "$work/$1" --docs "$2" --quotes "$3" --seed "$4" > /dev/null; }
generate small 200 1000 11
generate list 1 10000 33
generate more 1 2000 34
(cd "$here" && go build -o "$work/alignbench" ./bench/alignbench)
run() { "$work/alignbench" "$@"; }
run --data "$work/small" --docs "$work/docs.jsonl" --quotes "$work/quotes.jsonl" 2> "$work/small.log"
run --data "$work/list" --quotes "$work/list.jsonl" 2> "$work/list.log"
run --data "$work/more" --quotes "$work/more.jsonl" 2> "$work/more.log"
for n in 1 2; do run --data "$work/small" --docs "$work/again.jsonl" --repeat 5 --threads $n 2> "$work/threads$n.log"; done
python3 "$bench/score.py" --data "$work/small" --align "$work/docs.jsonl" --json "$work/docs.json" > "$work/docs.txt"
python3 "$bench/score.py" --data "$work/small" --quotes "$work/quotes.jsonl" --json "$work/quotes.json" > "$work/quotes.txt"
cat "$work/more.jsonl" "$work/list.jsonl" "$work/quotes.jsonl" "$work/docs.jsonl" > "$work/rows.jsonl"
"$python" "$here/bench/align_peers.py" similarity "$work/rows.jsonl" 20000 > "$work/similarity.txt"
"$python" "$here/bench/align_peers.py" pairs "$work/small" 10000 "$work/pairs.jsonl"
run --pairs "$work/pairs.jsonl" > "$work/drawn.jsonl"
"$python" "$here/bench/align_peers.py" drawn "$work/drawn.jsonl" >> "$work/similarity.txt"
for peer in rapidfuzz edlib; do "$python" "$here/bench/align_peers.py" lookup "$work/small" 20 $peer > "$work/$peer.json"; done
run --data "$work/small" --docs "$work/again.jsonl" 2> "$work/docs.log"
for peer in text-matcher blastp; do
	[ -s "$work/$peer.json" ] || "$python" "$here/bench/align_peers.py" documents "$work/small" $peer "$work/$peer.jsonl" > "$work/$peer.json"
	[ ! -e "$work/$peer.jsonl" ] || python3 "$bench/score.py" --data "$work/small" --align "$work/$peer.jsonl" --json "$work/$peer.score.json" > "$work/$peer.txt"
done
python3 "$here/bench/align_table.py" "$work"
