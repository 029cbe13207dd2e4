#!/bin/sh
# Puts together what bench/gpu.sh needs, on a machine with a network.
#
#   bench/gpu-prepare.sh FOLDER TEXTS.jsonl MINILM-CHECKPOINT ROBERTA-CHECKPOINT
#
# Needs Go, and python3 (or PYTHON) with models/requirements.txt. The GPU
# build of ONNX Runtime comes from the wheel onnxruntime-gpu, for CUDA 13 and cuDNN
# 9; libcurand, which it asks for and PyTorch's wheels do not bring any more, from
# nvidia-curand; both wheels are pinned by their SHA-256, and pip refuses another.
# TensorRT's provider is left out: the device tensorrt was never run on a GPU. With
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
if [ ! -f "$folder/onnxruntime/libonnxruntime_providers_cuda.so" ]; then
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	cat >"$work/wheels.txt" <<'TXT'
onnxruntime-gpu==1.31.1 --hash=sha256:e26c475fe361b2015f45b4b824bd13f0bb20204e59b62814e6f0acd5f3d491a6
nvidia-curand==10.4.5.25 --hash=sha256:22bb226a857e5888fe6b54ae465fc4371296bcff13a35f79e19691bcf454f529
TXT
	"$python" -m pip --disable-pip-version-check download --quiet --no-deps --only-binary :all: --implementation cp --python-version 3.11 --abi cp311 \
		--platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 --dest "$work" --require-hashes --requirement "$work/wheels.txt"
	"$python" - "$work" "$folder/onnxruntime" <<'PY'
import glob, os, shutil, sys, zipfile
for wheel in glob.glob(sys.argv[1] + "/*.whl"):
    with zipfile.ZipFile(wheel) as z:
        for member in z.namelist():
            name = os.path.basename(member)
            if name.startswith(("libonnxruntime", "libcurand.so")) and "tensorrt" not in name:
                name = "libonnxruntime.so" if name.startswith("libonnxruntime.so") else name
                with z.open(member) as src, open(os.path.join(sys.argv[2], name), "wb") as dst:
                    shutil.copyfileobj(src, dst)
PY
fi
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
