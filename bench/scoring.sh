#!/bin/sh
# Measures a model on a CPU beside sentence-transformers, one thread each and turn
# about, in CPU seconds, and compares the vectors.
#
#   bench/scoring.sh CHECKPOINT FP32-FOLDER INT8-FOLDER TEXTS.jsonl COUNT [OUT]
#
# CHECKPOINT is what the two folders were made of by models/commonplace_train/export.py. Paragraphs
# come from `commonplace segment --input FOLDER --by paragraphs --out TEXTS.jsonl`.
# Needs Go, and python3 (or PYTHON) with sentence-transformers. MAX (tokens, 256),
# WIDTH (384), TURN (seconds, 20) and INT8_COUNT (texts for int8, COUNT; more shows
# that its memory stays) are taken from the environment; logs and vectors go to OUT.
set -eu
checkpoint=$1 fp32=$2 int8=$3 texts=$4 count=$5 out=${6:-out/scoring}
python=${PYTHON:-python3} max=${MAX:-256} width=${WIDTH:-384} turn=${TURN:-20} more=${INT8_COUNT:-$count}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$out"
out=$(cd "$out" && pwd)
(cd "$here/.." && go build -o "$out/scoring" ./bench/scoring)
COMMONPLACE_ONNXRUNTIME=${COMMONPLACE_ONNXRUNTIME:-$here/../lib/onnxruntime}
export COMMONPLACE_ONNXRUNTIME
"$python" "$here/turns.py" "$turn" \
	"'$python' '$here/scoring/peer.py' '$checkpoint' '$texts' $count '$out/peer.f32' $max >'$out/peer.log' 2>&1" \
	"'$out/scoring' '$fp32' '$texts' $count '$out/fp32.f32' >'$out/fp32.log' 2>&1" \
	"'$out/scoring' '$int8' '$texts' $more '$out/int8.f32' >'$out/int8.log' 2>&1"
for log in peer fp32 int8; do
	echo "== $log"
	cat "$out/$log.log"
done
echo "== fp32 against the peer, int8 against fp32"
"$python" "$here/scoring/compare.py" "$out/peer.f32" "$out/fp32.f32" "$width"
"$python" "$here/scoring/compare.py" "$out/fp32.f32" "$out/int8.f32" "$width"
