"""Passages of runs of the pipeline, with their counts, as matrices to learn from.

A run's tables `passages` and `quote_counts` are read, and the features come from
the Go code that scores later (models/vectors).
"""

import dataclasses
import json
import pathlib
import subprocess
import sys

import numpy as np
import pyarrow.parquet as parquet
import scipy.sparse as sparse

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CLIP = 4.0  # standard deviations beyond which a feature says no more


@dataclasses.dataclass
class Passages:
    """Rows in the order of documents and their passages."""

    documents: np.ndarray  # name of each row's document
    counts: np.ndarray
    known: np.ndarray  # the count is given, not merely absent
    rows: list  # text, position and places of each, as in the table passages
    kinds: np.ndarray  # what each row is: "verse" or another name of the caller's

    def groups(self):
        """The rows of each document."""
        order = {}
        for i, name in enumerate(self.documents):
            order.setdefault(name, []).append(i)
        return {name: np.array(rows) for name, rows in order.items()}


def commit(run, name):
    """The record of a run's table: its settings, and the files that are in it."""
    return json.loads(pathlib.Path(run, "records", name, "_commit.json").read_text(encoding="utf-8"))


def read_table(run, name, columns):
    rows = []
    for shard in commit(run, name)["shards"]:
        rows += parquet.read_table(pathlib.Path(run) / name / shard["file"], columns=columns).to_pylist()
    return rows


def read_run(run, kind, known=None):
    """The passages of a run that can be quoted; known names passages whose counts are given."""
    passages = read_table(run, "passages", ["passage_id", "doc_id", "index", "text", "position", "places"])
    counts = {r["passage_id"]: r["count"] for r in read_table(run, "quote_counts", ["passage_id", "count"])}
    passages.sort(key=lambda r: (r["doc_id"], r["index"]))
    count = np.array([float(counts[r["passage_id"]]) for r in passages])
    return Passages(
        np.array([r["doc_id"] for r in passages]), count, count > 0, passages, np.array([kind] * len(passages)),
    )


def run_folds(run, documents, folds, tables=("counted", "language")):
    """The folds that a run's table counted has of documents; it and the other tables that are
    named must have as many as the caller goes through, or some would be left out in silence."""
    for name in tables:
        there = commit(run, name)["config"]["folds"]
        if there != folds:
            sys.exit(f"{run}: the table {name} has {there} folds and {folds} are gone through here: set label.counts.folds: {folds} and make the run's tables anew")
    fold = {r["doc_id"]: r["fold"] for r in read_table(run, "counted", ["doc_id", "fold"])}
    return np.array([fold[name] for name in documents])


def join(*parts):
    return Passages(*(np.concatenate([getattr(p, f) for p in parts]) if f != "rows" else sum((p.rows for p in parts), [])
                      for f in ("documents", "counts", "known", "rows", "kinds")))


@dataclasses.dataclass
class Matrix:
    """The features and the bags of terms of passages."""

    names: list  # of the features
    version: int
    dense: np.ndarray  # [rows, features]
    times: sparse.csr_matrix  # [rows, 1 + terms]; column 0 is no term
    terms: list  # names of the columns, "" the first

    def columns(self, names):
        return self.dense[:, [self.names.index(n) for n in names]]


def vectors(passages, folder, least=5):
    """The matrix of passages, by models/vectors; folder keeps its files."""
    folder = pathlib.Path(folder)
    lines = "".join(json.dumps({k: r[k] for k in ("text", "position", "places") if k in r}) + "\n" for r in passages.rows)
    subprocess.run(["go", "run", "./models/vectors", "-to", str(folder.resolve()), "-least", str(least)], cwd=ROOT, input=lines.encode(), check=True)
    said = json.loads((folder / "names.json").read_text())
    load = lambda name: np.load(folder / (name + ".npy"))
    terms = [""] + (folder / "terms.txt").read_text(encoding="utf-8").splitlines()
    times = sparse.csr_matrix((load("times").astype(np.float64), load("terms"), load("begins")), shape=(len(passages.rows), len(terms)))
    return Matrix(said["names"], said["version"], load("features").astype(np.float64), times, terms)


class Scaler:
    """To zero mean and unit variance over the training rows, held within CLIP."""

    def __init__(self, x, weight=None):
        self.mean = np.average(x, axis=0, weights=weight)
        self.scale = np.sqrt(np.average((x - self.mean) ** 2, axis=0, weights=weight))
        self.scale[self.scale < 1e-6] = 1.0

    def __call__(self, x):
        return np.clip((x - self.mean) / self.scale, -CLIP, CLIP)


class Bags:
    """TF-IDF of the training rows' terms: (1 + ln tf) * idf, rows of length one."""

    def __init__(self, times, keep=None):
        n, many = times.shape[0], np.bincount(times.indices, minlength=times.shape[1])
        self.idf = np.log((1 + n) / (1 + many)) + 1
        self.idf[many == 0] = 0  # the training rows do not have it
        self.idf[0] = 0
        if keep is not None:
            self.idf = self.idf * keep

    def __call__(self, times):
        w = times.copy()
        w.data = (1 + np.log(w.data)) * self.idf[w.indices]
        length = np.sqrt(np.asarray(w.multiply(w).sum(axis=1)).ravel())
        length[length == 0] = 1
        return (sparse.diags(1 / length) @ w).tocsr()


def folds(documents, k=5):
    """Documents in turn from the longest, so that the folds are alike in size."""
    names, sizes = np.unique(documents, return_counts=True)
    order = sorted(zip(names, sizes), key=lambda p: (-p[1], p[0]))
    place = {name: i % k for i, (name, _) in enumerate(order)}
    return np.array([place[d] for d in documents])
