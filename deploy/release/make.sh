#!/usr/bin/env bash
# Makes the release archives in dist/: for each platform a tar.gz with the program, ONNX
# Runtime's library, the models and their training package, completions, manual pages, the
# documents and configs, and what these name (files.sh); their SHA-256 sums; a list of all components (CycloneDX).
#
#   deploy/release/make.sh [PLATFORM...]     linux-amd64 linux-arm64 (default: this machine's)
#
# This machine's platform is compiled by its C compiler. Others need CC_linux_arm64 and
# so on, such as "zig cc -target aarch64-linux-gnu.2.28", or Python's package ziglang,
# which is then installed below .cache.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^const Version = "\(.*\)"/\1/p' version.go)
here=$(go env GOOS)-$(go env GOARCH)
tags=disable_grpc_modules,grpcnotrace,osusergo # the Makefile's
program=$PWD/bin/commonplace
[ -x "$program" ] || { echo "release: run make build first" >&2 && exit 1; }

# compiler is the C compiler for a platform.
compiler() {
	local named=CC_${1//-/_}
	if [ -n "${!named:-}" ]; then echo "${!named}" && return; fi
	if [ "$1" = "$here" ]; then go env CC && return; fi
	case $1 in
	linux-arm64) local target=aarch64-linux-gnu.2.28 ;;
	linux-amd64) local target=x86_64-linux-gnu.2.28 ;;
	*) echo "release: $1 needs its own C compiler in $named (macOS: on a Mac, whose frameworks no other machine has)" >&2 && return 1 ;;
	esac
	[ -x .cache/zig/bin/python ] || { python3 -m venv .cache/zig && .cache/zig/bin/pip install --quiet --disable-pip-version-check --require-hashes -r deploy/release/requirements.txt; } >&2
	echo "$PWD/.cache/zig/bin/python -m ziglang cc -target $target"
}

uname_of() {
	case $1 in
	linux-amd64) echo Linux-x86_64 ;;
	linux-arm64) echo Linux-aarch64 ;;
	darwin-arm64) echo Darwin-arm64 ;;
	esac
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p dist
bench/manual.py "$program" "$work/man"
for platform in "${@:-$here}"; do
	name=commonplace-$version-$platform
	folder=$work/$name
	mkdir -p "$folder"/{bin,lib,completions}
	cc=$(compiler "$platform")
	CC=$cc CGO_ENABLED=1 GOOS=${platform%-*} GOARCH=${platform#*-} GOFLAGS="-trimpath -tags=$tags" \
		go build -ldflags '-s -w' -o "$folder/bin/commonplace" ./cmd/commonplace
	models/fetch-onnxruntime.sh "$folder/lib/onnxruntime" "$(uname_of "$platform")"
	deploy/release/files.sh "$folder"
	cp -r "$work/man" "$folder/"
	for shell in bash zsh fish; do "$program" completion $shell >"$folder/completions/commonplace.$shell"; done
	bench/components.py "$folder" >"$folder/components.cdx.json"
	cp "$folder/components.cdx.json" "dist/$name.cdx.json"
	tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C "$work" -cf - "$name" | gzip -n9 >"dist/$name.tar.gz"
done
(cd dist && sha256sum commonplace-"$version"-*.tar.gz commonplace-"$version"-*.cdx.json >SHA256SUMS && cat SHA256SUMS)
