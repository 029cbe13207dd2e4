#!/bin/sh
# Measures scoring on a GPU: end to end and in the graph alone, the share of the
# fp16 peak, and a soak with memory. Builds nothing: it needs only the files it
# is given, so that it runs on a machine without a network.
#
#   bench/gpu.sh FOLDER [DEVICE]
#
# FOLDER holds what a machine with a network prepared:
#   scoring                 go build -o FOLDER/scoring ./bench/scoring
#   texts.jsonl             rows {"text": ...}, paragraphs of the length that is wanted
#   minilm/ roberta-base/   models/export.py CHECKPOINT FOLDER/NAME --head embed --precision fp16 ...
#   onnxruntime/            libonnxruntime.so and the CUDA providers of the same version
#                           (the wheel onnxruntime-gpu; the CPU's library does for DEVICE cpu)
#
# DEVICE is cuda by default. With cpu the script can be tried anywhere.
# COUNT (texts, 20000), MINUTES (soak, 5), WORKERS (2) and PEAK (operations a
# second, 989e12: an H200 in fp16) are taken from the environment.
set -eu
folder=${1:?usage: bench/gpu.sh FOLDER [DEVICE]}
device=${2:-cuda}
count=${COUNT:-20000} minutes=${MINUTES:-5} workers=${WORKERS:-2} peak=${PEAK:-989e12}
COMMONPLACE_ONNXRUNTIME=$folder/onnxruntime
export COMMONPLACE_ONNXRUNTIME
if [ "$device" != cpu ]; then
	nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader
fi
for model in "minilm 6 384" "roberta-base 12 768"; do
	set -- $model
	if [ ! -d "$folder/$1" ]; then
		echo "bench/gpu.sh: $folder has no $1, left out" >&2
		continue
	fi
	echo "== $1"
	"$folder/scoring" -device "$device" -workers "$workers" -minutes "$minutes" -peak "$peak" -layers "$2" -hidden "$3" "$folder/$1" "$folder/texts.jsonl" "$count"
done
