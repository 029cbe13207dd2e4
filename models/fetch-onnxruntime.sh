#!/bin/sh
# Puts ONNX Runtime's shared library into a folder (default: lib/onnxruntime of
# the checkout), from the wheel on the Python package index, and says nothing
# when it is already there. Needs Python 3 with pip; the Python that runs this
# need not be the one that the wheel is for, nothing is installed.
#
#   models/fetch-onnxruntime.sh [FOLDER [PLATFORM]]
#
# PLATFORM is what uname -s and -m say elsewhere, such as Linux-aarch64.
# Every platform's library is pinned by its SHA-256. A platform without a pin is
# refused: get a build of the same version and name it in COMMONPLACE_ONNXRUNTIME.
set -eu

version=1.31.1
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
folder=${1:-$here/../lib/onnxruntime}

case "${2:-$(uname -s)-$(uname -m)}" in
Linux-x86_64)
	tag=manylinux_2_28_x86_64 file=libonnxruntime.so.$version name=libonnxruntime.so
	sum=fc44112fbe06d7d689c57e11d3862031f64711007e4ee020f8eed5185fd2c1d3 ;;
Linux-aarch64 | Linux-arm64)
	tag=manylinux_2_28_aarch64 file=libonnxruntime.so.$version name=libonnxruntime.so
	sum=8aa3b76b28c778a2b1dd660d34161adb1d508c9ccd04ff9dc80e26eca5df8467 ;;
Darwin-arm64)
	tag=macosx_14_0_arm64 file=libonnxruntime.$version.dylib name=libonnxruntime.dylib
	sum=f8b06155feece624e55e49124340eea279da812529ae6fbc46a9f2be9c9cad2e ;;
*)
	echo "fetch-onnxruntime: no pinned ONNX Runtime for ${2:-$(uname -s) $(uname -m)}; set COMMONPLACE_ONNXRUNTIME to a libonnxruntime $version of your own" >&2
	exit 1 ;;
esac

sha256() { python3 -c 'import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())' "$1"; }

if [ -f "$folder/$name" ] && [ "$(sha256 "$folder/$name")" = "$sum" ]; then
	exit 0
fi

mkdir -p "$folder"
work=$(mktemp -d "$folder/.fetch.XXXXXX") # beside the target, so that the last step is a rename
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# again COMMAND...: up to four times, for downloads break off.
again() {
	for pause in 2 10 30; do
		"$@" && return
		sleep "$pause"
	done
	"$@"
}

echo "fetch-onnxruntime: ONNX Runtime $version for $tag" >&2
again python3 -m pip --disable-pip-version-check download --quiet --no-deps --only-binary :all: \
	--implementation cp --python-version 3.11 --abi cp311 --platform "$tag" \
	--dest "$work" "onnxruntime==$version" >&2
python3 - "$work" "onnxruntime/capi/$file" "$work/$name" <<'PY'
import glob, shutil, sys, zipfile
work, member, out = sys.argv[1:]
(wheel,) = glob.glob(work + "/*.whl")
with zipfile.ZipFile(wheel) as z, z.open(member) as src, open(out, "wb") as dst:
    shutil.copyfileobj(src, dst)
PY
got=$(sha256 "$work/$name")
if [ "$got" != "$sum" ]; then
	echo "fetch-onnxruntime: $file has sha256 $got, expected $sum; nothing was changed" >&2
	exit 1
fi
chmod 755 "$work/$name"
mv -f "$work/$name" "$folder/$name"
