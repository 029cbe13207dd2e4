#!/bin/sh
# Puts ONNX Runtime with CUDA's provider into a folder (default: lib/onnxruntime-gpu of the
# checkout), from the wheel onnxruntime-gpu, and libcurand, which it asks for and PyTorch's
# wheels do not bring any more. Does nothing when they are there. Needs Python 3 with pip;
# nothing is installed.
#
#   models/fetch-onnxruntime-gpu.sh [FOLDER]
#
# For Linux on x86-64, CUDA 13 and cuDNN 9. Both wheels are pinned by their SHA-256, and pip
# refuses another. TensorRT's provider is left out: the device tensorrt was never run on a GPU.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
folder=${1:-$here/../lib/onnxruntime-gpu}
python=${PYTHON:-python3}
if [ -f "$folder/libonnxruntime_providers_cuda.so" ]; then
	exit 0
fi
mkdir -p "$folder"
work=$(mktemp -d "$folder/.fetch.XXXXXX") # beside the target, so that the last step is a rename
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cat >"$work/wheels.txt" <<'TXT'
onnxruntime-gpu==1.31.1 --hash=sha256:e26c475fe361b2015f45b4b824bd13f0bb20204e59b62814e6f0acd5f3d491a6
nvidia-curand==10.4.5.25 --hash=sha256:22bb226a857e5888fe6b54ae465fc4371296bcff13a35f79e19691bcf454f529
TXT
echo "fetch-onnxruntime-gpu: $(cut -d' ' -f1 "$work/wheels.txt" | paste -sd' ')" >&2
"$python" -m pip --disable-pip-version-check download --quiet --no-deps --only-binary :all: --implementation cp --python-version 3.11 --abi cp311 \
	--platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 --dest "$work" --require-hashes --requirement "$work/wheels.txt" >&2
"$python" - "$work" <<'PY'
import glob, os, shutil, sys, zipfile
os.mkdir(sys.argv[1] + "/files")
for wheel in glob.glob(sys.argv[1] + "/*.whl"):
    with zipfile.ZipFile(wheel) as z:
        for member in z.namelist():
            name = os.path.basename(member)
            if name.startswith(("libonnxruntime", "libcurand.so")) and "tensorrt" not in name:
                name = "libonnxruntime.so" if name.startswith("libonnxruntime.so") else name
                with z.open(member) as src, open(os.path.join(sys.argv[1], "files", name), "wb") as dst:
                    shutil.copyfileobj(src, dst)
PY
chmod 755 "$work"/files/*
for file in "$work"/files/*; do
	case $file in *_cuda.so) ;; *) mv -f "$file" "$folder/" ;; esac
done
mv -f "$work/files/libonnxruntime_providers_cuda.so" "$folder/" # the last one, by which the folder is whole
