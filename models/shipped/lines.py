"""Adds to an encoder's folder a second output: how good a sentence is as a line.

    PYTHONPATH=models python3 models/shipped/lines.py FOLDER GRADES --sentences RUN

FOLDER is a model of the head quotability-sequence (models/shipped/export_encoder.py). GRADES has a row
{doc_id, begin, end, grade} for each line that readers judged: 0 (no line) to 3 (memorable); of
several grades of a line the mean counts. RUN holds the same documents sentence by sentence, scored
by FOLDER's `plus` model. The output is a ridge regression on the mean of the encoder's last layer
over the sentence's tokens, and on the plus model's score.
It has mean 0 and spread 1 over the sentences around the graded ones. Ten folds by author say how
good it is, beside the first output. Needs models/shipped/requirements-encoder.txt.
"""

import argparse
import collections
import gzip
import hashlib
import json
import pathlib

import numpy as np
import onnx
import onnxruntime
import pyarrow.parquet as parquet
import yaml
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

from commonplace_train import folder

ALPHA = 1000.0  # of the ridge, on standardised columns
GOOD = 1.5  # grade of a line that is worth repeating
TOGETHER = 0.3  # of rank/line.go


def table(run, name, columns):
    commit = json.loads(pathlib.Path(run, "records", name, "_commit.json").read_text(encoding="utf-8"))
    for shard in commit["shards"]:
        yield from parquet.read_table(pathlib.Path(run, name, shard["file"]), columns=columns).to_pylist()


def quotable(text):
    """rank.Quotable."""
    words = len(text.split())
    exclaimed = text.rstrip("\"'”’»)]_* ").endswith("!")
    return words >= (6 if exclaimed else 4) and not text.startswith("[Illustration") and (any(map(str.islower, text)) or not any(map(str.isupper, text)))


def read_grades(path):
    grades = collections.defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            grades[row["doc_id"], row["begin"], row["end"]].append(row["grade"])
    return {line: sum(of) / len(of) for line, of in sorted(grades.items())}


class Graph:
    """The encoder's graph, opened for its last layer."""

    def __init__(self, path):
        self.model = onnx.load(path)
        nodes = {output: node for node in self.model.graph.node for output in node.output}
        mean = nodes["logits"]  # Div(MatMul(same sentence, linear(layer)), tokens of the sentence)
        self.tokens, summed = mean.input[1], nodes[mean.input[0]]
        self.same = summed.input[0]
        node = nodes[summed.input[1]]
        while node.op_type != "SkipLayerNormalization":
            node = nodes[next(i for i in node.input if i in nodes)]
        self.layer = node.output[0]

    def add_mean(self, of, name, width):
        """An output: the mean over each token's sentence of a value of every token."""
        self.model.graph.node.extend([helper.make_node("MatMul", [self.same, of], [name + ".sum"]), helper.make_node("Div", [name + ".sum", self.tokens], [name])])
        self.model.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", "tokens", width]))

    def add_lines(self, weights, bias):
        """The output lines: weights of the layer, and a bias."""
        value = lambda name, array: self.model.graph.initializer.append(numpy_helper.from_array(np.asarray(array, np.float32), name))
        value("lines.weights", weights[:, None]), value("lines.bias", bias)
        self.model.graph.node.extend([
            helper.make_node("MatMul", [self.layer, "lines.weights"], ["lines.each"]),
            helper.make_node("MatMul", [self.same, "lines.each"], ["lines.sum"]),
            helper.make_node("Div", ["lines.sum", self.tokens], ["lines.mean"]),
            helper.make_node("Add", ["lines.mean", "lines.bias"], ["lines"]),
        ])
        self.model.graph.output.append(helper.make_tensor_value_info("lines", TensorProto.FLOAT, ["n", "tokens", 1]))

    def session(self):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        return onnxruntime.InferenceSession(self.model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def windows(ids, begin, end, most):
    """The program's runs of sentences: (place of the first, ids, places of the token behind each)."""
    i = 0
    while i < len(ids):
        first, run, ends = i, [begin], []
        while i < len(ids) and (not ends or len(run) + len(ids[i]) + 1 <= most):
            run += ids[i][: most - 1 - len(run)]
            ends.append(len(run))
            run.append(end)
            i += 1
        yield first, run, ends


def read_sentences(run, grades):
    """Of each graded document its quotable sentences, in order."""
    scores = {(row["doc_id"], row["index"]): row["score"] for row in table(run, "scores", ["doc_id", "index", "score"])}
    wanted, sentences = {doc for doc, _, _ in grades}, collections.defaultdict(list)
    for row in table(run, "passages", ["doc_id", "index", "begin", "end", "text", "heading"]):
        if row["doc_id"] in wanted and not row["heading"] and quotable(row["text"]):
            sentences[row["doc_id"]].append((row["begin"], row["end"], row["text"], scores[row["doc_id"], row["index"]]))
    return {doc: sorted(of) for doc, of in sorted(sentences.items())}


def read(folder, manifest, sentences, grades):
    """Of each graded line the columns (the mean of its sentences), the first output's score, its
    sentences, grade, author and document; and the columns of all sentences in the same windows."""
    graph = Graph(folder / "model.onnx")
    graph.add_mean(graph.layer, "layer", "width")
    session, tokenizer = graph.session(), Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokens = manifest["tokens"]
    begin, end = tokenizer.token_to_id(tokens["begin"]), tokenizer.token_to_id(tokens["end"])
    graded, around = [], []
    of_document = collections.defaultdict(list)
    for (doc, *span), grade in grades.items():
        of_document[doc].append((*span, grade))
    for doc, rows in sentences.items():
        ids = [e.ids for e in tokenizer.encode_batch([text for _, _, text, _ in rows], add_special_tokens=False)]
        lines = [([i for i, (b, e, _, _) in enumerate(rows) if min(e, last) - max(b, first) > (e - b) / 2], grade) for first, last, grade in of_document[doc]]
        needed, columns, scores = {i for places, _ in lines for i in places}, {}, {}
        for first, run, ends in windows(ids, begin, end, tokens["max"]):
            if needed.isdisjoint(range(first, first + len(ends))):
                continue
            run = np.array([run])
            layer, logits = session.run(["layer", "logits"], {"input_ids": run, "attention_mask": np.ones_like(run), "token_type_ids": np.zeros_like(run)})
            for i, at in enumerate(ends, first):
                columns[i] = np.r_[layer[0, at], rows[i][3]]
                scores[i] = logits[0, at, 0] + manifest["plus"]["weight"] * rows[i][3]
        around += columns.values()
        author = doc.partition("__")[0].partition("-")[0]
        author = {"clemens": "twain", "garnett": "tolstoy"}.get(author, author)
        graded += [(np.mean([columns[i] for i in places], axis=0), np.mean([scores[i] for i in places]), len(places), grade, author, doc) for places, grade in lines if places]
    return *map(np.array, zip(*graded)), np.array(around)


def ridge(x, y):
    mean, spread = x.mean(0), x.std(0)
    z = (x - mean) / spread
    weights = np.linalg.solve(z.T @ z + ALPHA * np.eye(z.shape[1]), z.T @ (y - y.mean())) / spread
    return weights, y.mean() - mean @ weights


def line_model(x, y, around):
    weights, bias = ridge(x, y)
    scores = around @ weights + bias
    return weights / scores.std(), (bias - scores.mean()) / scores.std()


def as_lines(scores, sentences):
    """rank.Line: several sentences explain each other."""
    return scores + TOGETHER * np.log(sentences) * np.abs(scores)


def precision(scores, y, documents, top=10):
    """Of the best lines of each document, the share that is worth repeating; the mean."""
    of = [y[documents == d][np.argsort(-scores[documents == d], kind="stable")[:top]] >= GOOD for d in np.unique(documents)]
    return float(np.mean([o.mean() for o in of if len(o) == top]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("grades", type=pathlib.Path)
    parser.add_argument("--sentences", required=True, help="run")
    options = parser.parse_args()
    manifest = yaml.safe_load((options.folder / "model.yaml").read_text(encoding="utf-8"))
    grades = read_grades(options.grades)
    x, before, count, y, authors, documents, around = read(options.folder, manifest, read_sentences(options.sentences, grades), grades)
    print(f"{len(y)} of {len(grades)} lines of {len(set(documents))} documents, {np.mean(y >= GOOD):.3f} worth repeating")

    held_out = np.zeros(len(y))
    folds = {author: k % 10 for k, author in enumerate(sorted(set(authors)))}
    fold = np.array([folds[a] for a in authors])
    for k in range(10):
        weights, bias = line_model(x[fold != k], y[fold != k], around)
        held_out[fold == k] = x[fold == k] @ weights + bias
    for name, scores in ("the first output", before), ("this one", held_out):
        print(f"of the ten best of each document by {name} {precision(as_lines(scores, count), y, documents):.3f} are worth repeating ({precision(scores, y, documents):.3f} by the mean alone)")

    weights, bias = line_model(x, y, around)
    graph = Graph(options.folder / "model.onnx")
    graph.add_lines(weights[:-1], bias)
    graph.session()  # refuses a graph that is wrong
    data = graph.model.SerializeToString()
    (options.folder / "model.onnx").write_bytes(data)
    manifest["sha256"], manifest["outputs"] = hashlib.sha256(data).hexdigest(), ["logits", "lines"]
    manifest["plus"]["line"] = round(float(weights[-1]), 4)
    folder.write_manifest(options.folder, manifest)


if __name__ == "__main__":
    main()
