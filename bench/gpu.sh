#!/bin/sh
# Measures scoring on a GPU: end to end and in the graph alone, the share of the
# fp16 peak, beside PyTorch where it is there, and a soak with the process's memory
# each minute and the GPU's every five seconds. Builds and
# fetches nothing: it needs only the files it is given and runs without a network.
#
#   bench/gpu.sh FOLDER [DEVICE]
#
# FOLDER is what bench/gpu-prepare.sh made on a machine with a network:
#   scoring                 the program, bench/scoring
#   texts.jsonl             rows {"text": ...}
#   minilm/ roberta-base/   model folders in fp16 that pool in the graph, with the
#                           checkpoint's config.json for PyTorch
#   onnxruntime/            libonnxruntime.so and the CUDA providers
#   pieces/                 or any of these files cut in pieces, NAME.piece-aa ...
#                           (/ in NAME written +), which are put together first
#   scoring.py              PyTorch's side, bench/scoring/torch_peer.py
#   compare.py              bench/scoring/compare.py; with it, and a checkpoint's
#                           weights beside a model, both sides' vectors are compared
#
# DEVICE is cuda by default; cpu tries the script anywhere. COUNT (texts, 20000),
# MINUTES (soak, 5), SOAK (texts that MiniLM reads at the end, with the memory after
# each block: none), LIMIT (seconds that a part may take: as long as it takes), WORKERS (0: what suits the device), PEAK (operations a second,
# 989e12: an H200 in fp16) and PYTHON are taken from the environment. The CUDA and
# cuDNN libraries are those of PyTorch's wheels, behind what LD_LIBRARY_PATH names.
set -eu
folder=${1:?usage: bench/gpu.sh FOLDER [DEVICE]}
device=${2:-cuda}
count=${COUNT:-20000} minutes=${MINUTES:-5} workers=${WORKERS:-0} peak=${PEAK:-989e12} python=${PYTHON:-python3}
soak=${SOAK:-0} limit=${LIMIT:-}

if [ -d "$folder/pieces" ]; then
	for first in "$folder"/pieces/*.piece-aa; do
		name=$(basename "$first" .piece-aa)
		target=$folder/$(echo "$name" | tr + /)
		[ -f "$target" ] && continue
		mkdir -p "$(dirname "$target")"
		cat "$folder/pieces/$name".piece-* >"$target.tmp"
		mv "$target.tmp" "$target"
	done
	chmod +x "$folder/scoring"
fi
[ ! -f "$folder/SHA256SUMS" ] || (cd "$folder" && sha256sum --quiet -c SHA256SUMS)

COMMONPLACE_ONNXRUNTIME=$folder/onnxruntime
export COMMONPLACE_ONNXRUNTIME
if [ "$device" != cpu ]; then
	nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader
	LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder/onnxruntime
	if [ -n "$(command -v "$python")" ]; then
		LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$("$python" -c 'import glob, site; print(":".join(p for s in site.getsitepackages() for p in glob.glob(s + "/nvidia/*/lib")))')
	fi
	export LD_LIBRARY_PATH
	provider=$folder/onnxruntime/libonnxruntime_providers_cuda.so
	if [ -f "$provider" ]; then
		echo "libraries that the CUDA provider does not find:" $(ldd "$provider" | awk '/not found/ { print $1 }')
	fi
fi
vectors=$(mktemp -d)
trap 'rm -rf "$vectors"' EXIT
# limited COMMAND...: runs it for LIMIT seconds at most.
limited() {
	if [ -n "$limit" ]; then
		timeout "$limit" "$@"
	else
		"$@"
	fi
}
# watched COMMAND...: runs it and then says what memory the GPU had in use meanwhile.
watched() {
	if [ "$device" = cpu ]; then
		limited "$@"
		return
	fi
	samples=$(mktemp)
	nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits --loop=5 >"$samples" &
	sampler=$!
	ended=0
	limited "$@" || ended=$?
	kill "$sampler" 2>/dev/null || true
	wait "$sampler" 2>/dev/null || true
	echo "GPU memory in use, MiB, every 5 s:" $(cat "$samples")
	sort -n "$samples" | awk 'NR == 1 { least = $1 } { most = $1 } END { if (NR) print "GPU memory:", NR, "samples,", least, "to", most, "MiB"; else print "GPU memory: no samples" }'
	rm -f "$samples"
	return $ended
}

status=0
for model in "minilm 6 384 256" "roberta-base 12 768 512"; do
	set -- $model
	if [ ! -d "$folder/$1" ]; then
		echo "bench/gpu.sh: $folder has no $1, left out" >&2
		continue
	fi
	echo "== $1"
	# One run at a time says what the graph can do alone; several, what comes out at the end.
	limited "$folder/scoring" -device "$device" -workers 1 -block 32768 -peak "$peak" -layers "$2" -hidden "$3" "$folder/$1" "$folder/texts.jsonl" "$count" "$vectors/ours" || status=1
	watched "$folder/scoring" -device "$device" -workers "$workers" -block 32768 -minutes "$minutes" -peak "$peak" -layers "$2" -hidden "$3" "$folder/$1" "$folder/texts.jsonl" "$count" || status=1
	if "$python" -c 'import torch, transformers, tokenizers' 2>/dev/null; then
		limited "$python" "$folder/scoring.py" "$folder/$1" "$folder/texts.jsonl" "$count" "$device" "$4" "$vectors/peer" || status=1
		if [ -f "$folder/compare.py" ] && [ -f "$folder/$1/model.safetensors" ]; then
			limited "$python" "$folder/compare.py" "$vectors/ours" "$vectors/peer" "$3" || status=1
		fi
	else
		echo "bench/gpu.sh: no PyTorch here, its side is left out" >&2
	fi
	rm -f "$vectors/ours" "$vectors/peer"
done
if [ "$soak" -gt 0 ] && [ -d "$folder/minilm" ]; then
	echo "== minilm, $soak texts"
	watched "$folder/scoring" -device "$device" -workers "$workers" -block 32768 "$folder/minilm" "$folder/texts.jsonl" "$soak" || status=1
fi
exit $status
