#!/usr/bin/env python3
"""Writes deploy/schemas/kubernetes-1.31.json, which cmd/commonplace/schemas_test.go checks
the manifests against: Kubernetes' own JSON schemas of the kinds that we use, without descriptions, and with the
values of fields that only the descriptions name.

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

# The schemas give these fields any string; their descriptions name the values. Fields of our
# manifests, and some that a cluster's owner is likely to add.
ENUMS = {
    "io.k8s.api.apps.v1.DeploymentStrategy.type": ["Recreate", "RollingUpdate"],
    "io.k8s.api.batch.v1.CronJobSpec.concurrencyPolicy": ["Allow", "Forbid", "Replace"],
    "io.k8s.api.batch.v1.JobSpec.completionMode": ["NonIndexed", "Indexed"],
    "io.k8s.api.batch.v1.JobSpec.podReplacementPolicy": ["TerminatingOrFailed", "Failed"],
    "io.k8s.api.batch.v1.PodFailurePolicyOnExitCodesRequirement.operator": ["In", "NotIn"],
    "io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern.status": ["True", "False", "Unknown"],
    "io.k8s.api.batch.v1.PodFailurePolicyRule.action": ["FailJob", "FailIndex", "Ignore", "Count"],
    "io.k8s.api.core.v1.Container.imagePullPolicy": ["Always", "Never", "IfNotPresent"],
    "io.k8s.api.core.v1.ContainerPort.protocol": ["UDP", "TCP", "SCTP"],
    "io.k8s.api.core.v1.PodSecurityContext.fsGroupChangePolicy": ["OnRootMismatch", "Always"],
    "io.k8s.api.core.v1.PodSpec.dnsPolicy": ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"],
    "io.k8s.api.core.v1.PodSpec.restartPolicy": ["Always", "OnFailure", "Never"],
    "io.k8s.api.core.v1.SeccompProfile.type": ["Localhost", "RuntimeDefault", "Unconfined"],
    "io.k8s.api.core.v1.ServicePort.protocol": ["TCP", "UDP", "SCTP"],
    "io.k8s.api.core.v1.ServiceSpec.sessionAffinity": ["ClientIP", "None"],
    "io.k8s.api.core.v1.ServiceSpec.type": ["ExternalName", "ClusterIP", "NodePort", "LoadBalancer"],
    "io.k8s.api.core.v1.Toleration.effect": ["NoSchedule", "PreferNoSchedule", "NoExecute"],
    "io.k8s.api.core.v1.Toleration.operator": ["Exists", "Equal"],
    "io.k8s.api.networking.v1.NetworkPolicySpec.policyTypes": ["Ingress", "Egress"],
}
# The description of a condition's status names one value, that of conditions all three.
ELSEWHERE = {"io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern.status": "io.k8s.api.batch.v1.JobCondition.status"}

# A quantity is any string in the schema. This is the grammar in Kubernetes' documentation.
QUANTITY = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$"

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


def field(path):
    name, _, key = path.rpartition(".")
    return everything[name]["properties"][key]


for kind in KINDS:
    add(kind)
for path, values in ENUMS.items():
    name, _, key = path.rpartition(".")
    described = field(ELSEWHERE.get(path, path))["description"]
    if unknown := [v for v in values if v not in described]:
        sys.exit(f"{path} is not said to have {unknown}: {described}")
    schema = needed[name]["properties"][key]
    (schema["items"] if "items" in schema else schema)["enum"] = values
needed["io.k8s.apimachinery.pkg.api.resource.Quantity"]["oneOf"][0]["pattern"] = QUANTITY
lines = [f"{json.dumps(name)}: {json.dumps(needed[name], sort_keys=True)}" for name in sorted(needed)]
target = pathlib.Path(__file__).parent.parent / "deploy" / "schemas" / f"kubernetes-{RELEASE}.json"
target.write_text('{"$defs": {\n' + ",\n".join(lines) + "\n}}\n")
print(f"{target}: {len(lines)} definitions")
