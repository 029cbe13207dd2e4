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
    """The graph of a module in a precision, once it says what PyTorch says; else it ends the program."""
    graph.check_length(module, tokenizer, inputs, most)
    weights = sum(p.numel() * p.element_size() for p in module.parameters())
    if weights >= 2**31:
        sys.exit(f"export: the model has {weights / 1e9:.1f} GB of weights, and one graph holds less than 2 GB; external data is not supported")
    encoder = inputs == graph.ENCODER_INPUTS
    if precision != "fp32" and not encoder:
        sys.exit(f"export: head {head} is exported in fp32 only")
    if precision != "fp32" and not fuse:
        sys.exit("export: --no-fusion is for fp32, since the conversion to another precision comes after the fusion")
    with torch.no_grad():
        data = graph.export_graph(module, inputs, OUTPUTS.get(head, ["logits"]) if pooling != "none" else ["sentence_embedding"])
    if fuse and encoder:
        data = graph.fuse(data, config, precision)
    lines, good = graph.compare(data, module, tokenizer, inputs, head, pooling, precision)
    print("\n".join(lines))
    if not good:
        sys.exit("export: the graph does not say what PyTorch says; nothing was written")
    return data


OUTPUTS = {"embed": ["last_hidden_state"], "span": ["start_logits", "end_logits"]}


def write(folder, data, tokenizer_json, manifest):
    """The folder: graph, tokenizer, and model.yaml with what follows from the graph."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(data)
    (folder / "tokenizer.json").write_text(tokenizer_json, encoding="utf-8")
    model = onnx.load_from_string(data)
    write_manifest(folder, {
        "name": folder.name, "inputs": [i.name for i in model.graph.input], "outputs": [o.name for o in model.graph.output],
        "opset": next(o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), "sha256": hashlib.sha256(data).hexdigest(),
    } | manifest)
