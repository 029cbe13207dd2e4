#!/bin/sh
# Puts together what bench/gpu.sh needs, on a machine with a network.
#
#   bench/gpu-prepare.sh FOLDER TEXTS.jsonl MINILM-CHECKPOINT ROBERTA-CHECKPOINT
#
# Needs Go, and python3 (or PYTHON) with models/requirements.txt. The GPU build of ONNX
# Runtime is what models/fetch-onnxruntime-gpu.sh brings: for CUDA 13 and cuDNN 9. With
# PIECES=60M every file that is larger is also cut into pieces of that size in
# FOLDER/pieces, for a machine to which only so much travels at a time. Where even
# that is too much, bench/gpu_pack.py makes of FOLDER a tenth of its size.
set -eu
folder=$1 texts=$2 minilm=$3 roberta=$4
python=${PYTHON:-python3}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$folder/onnxruntime"
folder=$(cd "$folder" && pwd)
(cd "$here/.." && go build -ldflags '-s -w' -o "$folder/scoring" ./bench/scoring)
cp "$here/scoring/torch_peer.py" "$folder/scoring.py"
cp "$here/scoring/compare.py" "$folder/compare.py"
head -n 50000 "$texts" >"$folder/texts.jsonl"
export_model() { # NAME CHECKPOINT MAX LICENCE SOURCE
	[ -f "$folder/$1/model.yaml" ] || PYTHONPATH=$here/../models "$python" -m commonplace_train.export "$2" "$folder/$1" --head embed --pooling mean --normalize --pool-in-graph --precision fp16 --max "$3" --licence "$4" --source "$5"
	cp "$2/config.json" "$folder/$1/config.json"
}
export_model minilm "$minilm" 256 Apache-2.0 sentence-transformers/all-MiniLM-L6-v2
export_model roberta-base "$roberta" 512 MIT "the shape of RoBERTa-base"
PYTHON=$python "$here/../models/fetch-onnxruntime-gpu.sh" "$folder/onnxruntime"
cd "$folder"
rm -rf pieces SHA256SUMS
find . -type f ! -name 'SHA256SUMS*' | sort | xargs sha256sum >SHA256SUMS.tmp
mv SHA256SUMS.tmp SHA256SUMS
if [ -n "${PIECES:-}" ]; then
	mkdir pieces
	find . -path ./pieces -prune -o -type f -size "+$PIECES" -print | while read -r file; do
		split -b "$PIECES" "$file" "pieces/$(echo "${file#./}" | tr / +).piece-"
	done
fi
