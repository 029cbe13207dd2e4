#!/usr/bin/env bash
# Copies what people read and run, beside the program, into a folder: the models, the
# documents, the configs, and whatever the configs and the README name.
#
#   deploy/release/files.sh FOLDER
set -euo pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."

# copy copies paths from the root, with the folders that they lie in.
copy() { tar -cf - "$@" | tar -xf - -C "$folder"; }

copy README.md CHANGELOG.md LICENSE CITATION.cff ARCHITECTURE.md CONTRIBUTING.md SECURITY.md \
	docs configs deploy testdata bench/RESULTS.md \
	models/quotability-encoder models/quotability-features models/commonplace_train models/requirements*.txt

# named lists the paths, from the root, that configs and the README name. The folder that a
# config writes to (out) and addresses are none of them; of a pattern the folder is one.
named() {
	sed 's/#.*//' configs/*.yaml | grep -oE '\.\./[^] ,}*]+' | grep -v '^\.\./out' | sed 's|^\.\./||'
	grep -ohE '\]\([^():# ]+' README.md | sed 's/^](//'
}
named | sort -u | while read -r path; do
	[ -e "$folder/$path" ] || copy "$path"
done
find "$folder" -name __pycache__ -prune -exec rm -r {} +
