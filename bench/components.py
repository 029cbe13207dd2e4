#!/usr/bin/env python3
"""Prints what a release folder is made of, as CycloneDX 1.5: components.py FOLDER."""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

folder = Path(sys.argv[1])
licences = dict(re.findall(r"^\| (\S+) \| \S+ \| (\S+) \|$", (folder / "docs" / "licences.md").read_text(), re.M))
info = subprocess.run(["go", "version", "-m", folder / "bin/commonplace"], check=True, capture_output=True, text=True).stdout
components = []
for name, version in re.findall(r"^\tdep\t(\S+)\t(\S+)", info, re.M):
    component = {"type": "library", "name": name, "version": version, "purl": f"pkg:golang/{name}@{version}"}
    if name in licences:
        component["licenses"] = [{"expression": licences[name].replace(",", " AND ")}]
    components.append(component)
for path in sorted(p for part in ("bin", "lib", "models") for p in (folder / part).rglob("*") if p.is_file()):
    components.append({
        "type": "machine-learning-model" if path.suffix == ".onnx" else "file",
        "name": str(path.relative_to(folder)),
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}],
    })
version = re.search(r"commonplace-(\d[^-]*)-", folder.name)[1]
json.dump({
    "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
    "metadata": {"component": {"type": "application", "name": "commonplace", "version": version,
                               "licenses": [{"license": {"id": "Apache-2.0"}}]}},
    "components": components,
}, sys.stdout, indent=1, sort_keys=True)
print()
