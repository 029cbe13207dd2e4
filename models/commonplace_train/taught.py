"""Names in a model folder what taught the model (docs/model-format.md, training)."""

import hashlib
import pathlib
import subprocess

PROGRAM = pathlib.Path(__file__).resolve().parent.parent.parent / "bin" / "commonplace"


def write(folder, runs):
    """training.jsonl of the documents of runs, and the entry of model.yaml that names it."""
    lines = b"".join(subprocess.run([PROGRAM, "training", "--out", run], check=True, stdout=subprocess.PIPE).stdout for run in runs)
    (pathlib.Path(folder) / "training.jsonl").write_bytes(lines)
    return {"file": "training.jsonl", "sha256": hashlib.sha256(lines).hexdigest()}
