#!/bin/sh
# Makes a model of RoBERTa-base's shape with random weights, in fp32 and int8, and
# measures it on a CPU as bench/scoring.sh does.
#
#   bench/scoring-roberta.sh BYTE-LEVEL-BPE.json TEXTS.jsonl COUNT [FOLDER]
#
# The tokenizer is the byte-level-bpe.json that bench/tokenizers.sh makes. What is
# in FOLDER is not made again. Needs Go, python3 (or PYTHON) with
# sentence-transformers, and python3 (or EXPORT_PYTHON) with
# models/requirements.txt, whose transformers is too old to have scaled
# dot-product attention for RoBERTa: let PYTHON have a newer one.
set -eu
tokenizer=$1 texts=$2 count=$3 folder=${4:-out/scoring-roberta}
export_python=${EXPORT_PYTHON:-${PYTHON:-python3}}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$folder"
[ -f "$folder/checkpoint/model.safetensors" ] || "$export_python" "$here/scoring/random_roberta.py" "$tokenizer" "$folder/checkpoint"
for precision in fp32 int8; do
	[ -f "$folder/$precision/model.yaml" ] || PYTHONPATH=$here/../models "$export_python" -m commonplace_train.export "$folder/checkpoint" "$folder/$precision" \
		--head embed --pooling mean --normalize --precision "$precision" --licence Apache-2.0 --source "random weights of RoBERTa-base's shape"
done
MAX=512 WIDTH=768 exec "$here/scoring.sh" "$folder/checkpoint" "$folder/fp32" "$folder/int8" "$texts" "$count" "$folder"
