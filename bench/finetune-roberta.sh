#!/usr/bin/env bash
# Fine-tunes a model of RoBERTa-base's shape as RA-MTR's reader on what an editor quotes of
# Mark Twain, exports it, and lets the program read spans with it:
#
#     bench/finetune-roberta.sh [OUT]
#
# DEVICE=cuda does the same on a GPU; STEPS= (empty) takes three epochs, and BOOKS='*.txt.gz' scores
# the contexts of all books and not of three. The weights are random
# unless CHECKPOINT names others, so the figures say that the parts fit, and nothing about quality.
# Needs bin/commonplace (make build), the data beside the checkout (bench/configs/twain.yaml),
# and python3 (or PYTHON) with models/requirements.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
BOOKS=${BOOKS:-roughing-it-part-[258].txt.gz}
out=${1:-.cache/finetune-roberta} python=${PYTHON:-python3} device=${DEVICE:-cpu} steps=${STEPS-10}
mkdir -p "$out"
checkpoint=${CHECKPOINT:-$out/checkpoint}
if [ ! -f "$checkpoint/config.json" ]; then
	mkdir -p "$out/texts"
	for book in ../shared/data/twain/*.txt.gz; do gzip -dc "$book" >"$out/texts/$(basename "$book" .gz)"; done
	bin/commonplace segment --input "$out/texts" --by paragraphs --out "$out/paragraphs.jsonl"
	"$python" bench/tokenizers/byte_level.py "$out/paragraphs.jsonl" "$out/tokenizer.json"
	"$python" -W ignore bench/scoring/random_roberta.py "$out/tokenizer.json" "$checkpoint"
fi
bin/commonplace build bench/configs/twain.yaml --out "$out/run" --top 0 --yes
bin/commonplace export "$out/run" --to "$out/rows" --tables documents --for span --negatives 0

if [ ! -f "$out/reader/model/model.yaml" ]; then # what is in OUT is not made again
	begin=$(date +%s)
	PYTHONPATH=models "$python" -W ignore -m commonplace_train span --data "$out/rows" --encoder "$checkpoint" --out "$out/reader" --device "$device" \
		--threads "${THREADS:-2}" --max 384 --batch 8 --lr 2e-5 --judged 16 ${steps:+--steps "$steps"} --licence Apache-2.0 --source "$(basename "$0")"
	echo "trained, judged and exported in $(($(date +%s) - begin)) s on $device"
fi

judged=bench/configs/twain.judged.yaml # beside the config, whose paths begin there
trap 'rm -f "$judged"' EXIT
sed "s|\[\(.*/twain/\)\*.txt.gz\]|['\1$BOOKS']|" bench/configs/twain.yaml >"$judged"
echo "recommend: {retrieve: bm25, top: 1, models: [{model: $(realpath "$out/reader/model")}]}" >>"$judged"
echo "evaluate: {baselines: [bm25]}" >>"$judged"
begin=$(date +%s)
bin/commonplace build "$judged" --out "$out/judged" --device "$device" --top 0 --yes
echo "scored in $(($(date +%s) - begin)) s on $device"
bin/commonplace eval --out "$out/judged"
