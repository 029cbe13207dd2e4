"""Makes infer/testdata/models/features: the plainest model of the head features, one
linear layer of random weights over the features that need no tagger, with what NumPy
says of the golden passages of infer/features.

    PYTHONPATH=models/shipped python3 models/golden/tiny_features.py

Needs models/shipped/requirements.txt.
"""

import hashlib
import json

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import features

OUT = features.ROOT / "infer" / "testdata" / "models" / "features"
NAMES = features.HEAD + features.CLASSES + features.PRESENT
SEED, OPSET = 1836, 17


def main():
    random = np.random.default_rng(SEED)
    weights = random.normal(0, 0.3, (len(NAMES), 1)).astype(np.float32)
    bias = np.array([0.25], dtype=np.float32)
    port = lambda name, columns: helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", columns])
    graph = helper.make_graph(
        [helper.make_node("Gemm", ["features", "weights", "bias"], ["logit"])], "features",
        [port("features", len(NAMES))], [port("logit", 1)],
        [numpy_helper.from_array(weights, "weights"), numpy_helper.from_array(bias, "bias")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8, producer_name="commonplace")
    onnx.checker.check_model(model, full_check=True)
    written = model.SerializeToString()

    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "model.onnx").write_bytes(written)
    lines = ["name: features", "head: features", "description: random weights, for tests", "inputs: [features]", "outputs: [logit]",
             "transform: none", f"opset: {OPSET}", "precision: fp32", "licence: Apache-2.0", "source: models/golden/tiny_features.py",
             f"sha256: {hashlib.sha256(written).hexdigest()}", "features:", f"  version: {features.VERSION}", "  names:"]
    (OUT / "model.yaml").write_text("\n".join(lines + [f"    - {n}" for n in NAMES]) + "\n", encoding="utf-8")
    with open(OUT / "expected.jsonl", "w", encoding="utf-8") as out:
        for line in features.GOLDEN.read_text(encoding="utf-8").splitlines()[1:]:
            row = json.loads(line)
            given = dict(zip(features.NAMES, features.extract(row["passage"], row["tags"])))
            logit = np.array([given[n] for n in NAMES]) @ weights[:, 0].astype(float) + float(bias[0])
            out.write(json.dumps({"passage": row["passage"], "logit": round(float(logit), 6)}) + "\n")


if __name__ == "__main__":
    main()
