"""What a tagger's CRF says of labels, for models/commonplace_train/export.py.

A checkpoint keeps it as pytorch-crf does: crf.transitions[from][to],
crf.start_transitions and crf.end_transitions, in the order of the logits. A JSON
file has transitions, and start and stop if it likes, in the same order.
"""

import json
import math
import pathlib

TENSORS = {"transitions": "crf.transitions", "start": "crf.start_transitions", "stop": "crf.end_transitions"}


def read_file(path):
    found = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    if not isinstance(found, dict) or set(found) - set(TENSORS):
        raise ValueError(f"{path} must hold transitions, start and stop, nothing else")
    return checked(found, path)


def read_checkpoint(folder):
    """None where the checkpoint has no CRF."""
    found, other = {}, []
    for path in sorted(pathlib.Path(folder).iterdir()):
        for name, read in tensors(path):
            mine = [key for key, tensor in TENSORS.items() if name == tensor or name.endswith("." + tensor)]
            if mine:
                found[mine[0]] = read().float().tolist()
            elif name.startswith("crf.") or ".crf." in name:
                other.append(name)
    if other:
        raise ValueError(f"{folder} has a CRF of another kind ({', '.join(other)}): write its scores to a file and give it with --crf")
    return checked(found, folder) if found else None


def tensors(path):
    """Names of a file's tensors, and how to read each."""
    if path.suffix == ".safetensors":
        from safetensors import safe_open

        with safe_open(path, framework="pt") as f:
            for name in f.keys():
                yield name, lambda: f.get_tensor(name)
    elif path.suffix == ".bin" and path.name.startswith("pytorch_model"):
        import torch

        for name, value in torch.load(path, map_location="cpu", weights_only=True).items():
            yield name, lambda: value


def checked(found, where):
    rows = found.get("transitions")
    lines = [*(rows if isinstance(rows, list) else []), found.get("start", [0] * 3), found.get("stop", [0] * 3)]
    if len(lines) != 5 or not all(isinstance(line, list) and len(line) == 3 and all(math.isfinite(x) for x in line) for line in lines):
        raise ValueError(f"{where}: transitions must be 3 rows of 3 finite numbers, start and stop 3 each (-10000 forbids)")
    return found
