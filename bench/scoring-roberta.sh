#!/bin/sh
# Makes a model of RoBERTa-base's shape with random weights, in fp32 and int8, and
# measures it on a CPU as bench/scoring.sh does.
#
#   bench/scoring-roberta.sh BYTE-LEVEL-BPE.json TEXTS.jsonl COUNT [FOLDER]
#
# The tokenizer is the byte-level-bpe.json that bench/tokenizers.sh makes. What is
# in FOLDER is not made again. Needs Go, and python3 (or PYTHON) with
# sentence-transformers and models/requirements-export.txt.
set -eu
tokenizer=$1 texts=$2 count=$3 folder=${4:-out/scoring-roberta}
python=${PYTHON:-python3}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$folder"
[ -f "$folder/checkpoint/model.safetensors" ] || "$python" "$here/scoring/random_roberta.py" "$tokenizer" "$folder/checkpoint"
for precision in fp32 int8; do
	[ -f "$folder/$precision/model.yaml" ] || "$python" "$here/../models/export.py" "$folder/checkpoint" "$folder/$precision" \
		--head embed --pooling mean --normalize --precision "$precision" --licence Apache-2.0 --source "random weights of RoBERTa-base's shape"
done
MAX=512 WIDTH=768 exec "$here/scoring.sh" "$folder/checkpoint" "$folder/fp32" "$folder/int8" "$texts" "$count" "$folder"
