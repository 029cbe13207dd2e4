"""Writes a module as a model folder that the program takes (docs/model-format.md)."""

import hashlib
import json
import pathlib
import sys

import onnx
import torch

from . import graph


def write_manifest(folder, parts):
    """model.yaml. JSON is YAML, and keeps numbers and strings exact."""
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in parts.items()]
    pathlib.Path(folder, "model.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def make(module, inputs, head, tokenizer, config, precision, pooling, most, fuse=True):
    """The graph of a module in a precision (graph.Graph), once it says what PyTorch says; else it ends the program."""
    graph.check_length(module, tokenizer, inputs, most)
    if precision != "fp32" and not fuse:
        sys.exit("export: --no-fusion is for fp32, since the conversion to another precision comes after the fusion")
    with torch.no_grad():
        made = graph.exported(module, inputs, OUTPUTS.get(head, ["logits"]) if pooling != "none" else ["sentence_embedding"])
    if inputs == graph.ENCODER_INPUTS and fuse and graph.size_of(made) < graph.LARGEST:
        made = graph.Graph(graph.fuse(made.SerializeToString(deterministic=True), config, precision))
    elif precision == "int8":
        sys.exit("export: int8 is for encoders of less than 2 GB: take fp16 or fp32")
    else:
        made = graph.stored(graph.halved(made) if precision == "fp16" else made)
    lines, good = graph.compare(made, module, tokenizer, inputs, head, pooling, precision)
    print("\n".join(lines))
    if not good:
        sys.exit("export: the graph does not say what PyTorch says; nothing was written")
    return made


OUTPUTS = {"embed": ["last_hidden_state"], "span": ["start_logits", "end_logits"]}


def write(folder, made, tokenizer_json, manifest):
    """The folder: graph, tokenizer, and model.yaml with what follows from the graph."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    made.write(folder)
    (folder / "tokenizer.json").write_text(tokenizer_json, encoding="utf-8")
    model = onnx.load_from_string(made.data)
    sum_ = hashlib.sha256(made.data)
    sum_.update(made.weights)
    write_manifest(folder, {
        "name": folder.name, "inputs": [i.name for i in model.graph.input], "outputs": [o.name for o in model.graph.output],
        "opset": next(o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), "sha256": sum_.hexdigest(),
    } | ({"weights": graph.WEIGHTS} if made.weights else {}) | manifest)
