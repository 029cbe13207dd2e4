"""Reads what `commonplace export --for` wrote."""

import hashlib
import json
import pathlib
import re
import sys

SPLITS = ("train", "validation", "test")


def lines(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


class Rows:
    """The rows of a purpose by split."""

    def __init__(self, data, purpose, held_out=None, judged=0, few=0):
        self.folder = pathlib.Path(data, purpose)
        if not self.folder.is_dir():
            sys.exit(f"train: {data} has no folder {purpose}: write it with `commonplace export RUN --to {data} --for {purpose}`")
        self.splits = folds(self.folder, held_out) if purpose == "counts" else {s: lines(self.folder / f"{s}.jsonl") for s in SPLITS}
        if not self.splits["train"]:
            sys.exit(f"train: {self.folder} has no rows to train on")
        for split, most in (("validation", judged), ("train", few)):
            if most:
                self.splits[split] = some(self.splits[split], most)

    def training(self, key):
        """The lines of training.jsonl of the documents or contexts that taught a model, as bytes; None where the
        export has none. The validation rows taught it too: they chose its best epoch or setting. key is the column
        that names the documents or contexts."""
        path = self.folder / "training.jsonl"
        if not path.exists():
            return None
        kept = {r[key] for split in ("train", "validation") for r in self.splits[split]}
        return b"".join(line for line in path.read_bytes().splitlines(keepends=True) if json.loads(line)["doc_id"] in kept)


def folds(folder, held_out):
    """Folds but the held-out one train; a fifth of their documents, picked by a hash, validates."""
    splits = {s: [] for s in SPLITS}
    for file in sorted(folder.glob("fold_*.jsonl")):
        for row in lines(file):
            if int(re.fullmatch(r"fold_(\d+)", file.stem)[1]) == held_out:
                splits["test"].append(row)
            else:
                splits["train"].append(row)
    documents = sorted({r["doc_id"] for r in splits["train"]}, key=lambda d: hashlib.sha256(d.encode()).digest())
    held = set(documents[: max(1, len(documents) // 5)])
    splits["validation"] = [r for r in splits["train"] if r["doc_id"] in held]
    splits["train"] = [r for r in splits["train"] if r["doc_id"] not in held]
    return splits


def some(rows, most):
    """The rows of so many contexts or documents, picked by a hash."""
    key = next(k for k in ("id", "doc_id") if k in rows[0]) if rows else "id"
    names = sorted({r[key] for r in rows}, key=lambda d: hashlib.sha256(d.encode()).digest())
    kept = set(names[:most])
    return [r for r in rows if r[key] in kept]


def by(rows, key):
    """Rows in groups of one key, in their order."""
    groups = {}
    for row in rows:
        groups.setdefault(row[key], []).append(row)
    return list(groups.values())
