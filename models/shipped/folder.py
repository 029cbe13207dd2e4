"""Writes linear models over features and terms as a model folder, compared with NumPy.

The graph takes features [n, k], terms [n, 512] and times [n, 512] and gives the score
[n, 1] and the reasons for it: what each feature added [n, k] and what each term
added [n, 512].
"""

import hashlib
import json
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before the library is loaded, which else reports to its makers
import onnx
import onnxruntime
import scipy.sparse as sparse
from onnx import TensorProto, helper, numpy_helper

import data
import features
from commonplace_train import taught

NAME = "quotability-features"
OPSET = 17
MOST = 512  # terms of a passage
VECTOR = 16  # floats that a processor adds at once, at most
MODELS = ("books", "bible", "gate")
SEED = 1836


def graph(k, tables):
    """The graph; tables are the constants by name. Terms are numbers of their lines, 0 none.
    Every table of weights has three columns: books, scripture, and which of the two it is."""
    nodes = []

    def node(kind, inputs, output, **attributes):
        nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def models(side, values):
        """What each of the three models adds, and their sums."""
        nodes.append(helper.make_node("Split", [values, "one_each"], [f"{side}_{m}" for m in MODELS], axis=2))
        for m in MODELS:
            node("Squeeze", [f"{side}_{m}", "third"], f"{side}_of_{m}")
            node("ReduceSum", [f"{side}_of_{m}", "last"], f"{side}_sum_{m}", keepdims=1)

    # The features, to unit variance, held within the clip.
    node("Sub", ["features", "mean"], "centred")
    node("Mul", ["centred", "inverse_scale"], "scaled")
    node("Clip", ["scaled", "low", "high"], "clipped")
    # Rows of a whole number of vectors: a sum must not depend on where in memory its row begins.
    node("Pad", ["clipped", "padding"], "padded")
    node("Unsqueeze", ["padded", "third"], "clipped_column")
    node("Mul", ["clipped_column", "weights"], "from_features")
    models("features", "from_features")
    # The bag: (1 + ln tf) idf, to length one.
    node("Max", ["times", "one"], "at_least_one")
    node("Log", ["at_least_one"], "log_times")
    node("Add", ["log_times", "one"], "tf")
    node("Gather", ["idf", "terms"], "of_idf")
    node("Mul", ["tf", "of_idf"], "tfidf")
    node("Mul", ["tfidf", "tfidf"], "squares")
    node("ReduceSum", ["squares", "last"], "square_sum", keepdims=1)
    node("Sqrt", ["square_sum"], "length")
    node("Equal", ["length", "zero"], "empty")
    node("Where", ["empty", "one", "length"], "divisor")
    node("Div", ["tfidf", "divisor"], "bag")
    node("Unsqueeze", ["bag", "third"], "bag_column")
    node("Gather", ["bag_weights", "terms"], "of_bag")
    node("Mul", ["bag_column", "of_bag"], "from_terms")
    models("terms", "from_terms")
    # Scripture or not, and the two models by it.
    for m in MODELS:
        node("Sum", [f"features_sum_{m}", f"terms_sum_{m}", f"intercept_{m}"], m)
    node("Sigmoid", ["gate"], "scripture")
    node("Sub", ["one", "scripture"], "no_scripture")
    for side, out in (("features_of", "reasons"), ("terms_of", "term_reasons"), (None, "logit")):
        books, bible = (f"{side}_{m}" if side else m for m in ("books", "bible"))
        node("Mul", [books, "no_scripture"], f"{out}_books")
        node("Mul", [bible, "scripture"], f"{out}_bible")
        node("Add", [f"{out}_books", f"{out}_bible"], "padded_reasons" if out == "reasons" else out)
    node("Slice", ["padded_reasons", "none", "features_number", "last"], "reasons")
    port = lambda name, kind, columns: helper.make_tensor_value_info(name, kind, ["n", columns])
    float_ = TensorProto.FLOAT
    constants = [numpy_helper.from_array(np.asarray(v, dtype=np.float32), n) for n, v in tables.items()]
    constants += [numpy_helper.from_array(np.array(v, dtype=np.float32), n) for n, v in (("one", 1), ("zero", 0), ("low", -data.CLIP), ("high", data.CLIP))]
    constants += [numpy_helper.from_array(np.array(v, dtype=np.int64), n) for n, v in (("last", [1]), ("third", [2]), ("one_each", [1, 1, 1]), ("none", [0]), ("features_number", [k]), ("padding", [0, 0, 0, len(tables["weights"]) - k]))]
    g = helper.make_graph(
        nodes, NAME,
        [port("features", float_, k), port("terms", TensorProto.INT64, MOST), port("times", float_, MOST)],
        [port("logit", float_, 1), port("reasons", float_, k), port("term_reasons", float_, MOST)],
        constants,
    )
    m = helper.make_model(g, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8, producer_name="models/make.py")
    onnx.checker.check_model(m, full_check=True)
    return m.SerializeToString(deterministic=True)


def rows_of(times, kept, rows):
    """The graph's inputs terms and times of some rows; more than MOST terms are cut off."""
    terms, counts = np.zeros((len(rows), MOST), np.int64), np.zeros((len(rows), MOST), np.float32)
    for at, i in enumerate(rows):
        columns, values = times.indices[times.indptr[i] : times.indptr[i + 1]], times.data[times.indptr[i] : times.indptr[i + 1]]
        mine = kept[columns] > 0
        n = min(MOST, mine.sum())
        terms[at, :n], counts[at, :n] = kept[columns][mine][:n], values[mine][:n]
    return terms, counts


def expected(fitted, matrix):
    """Logits of the golden file's passages by NumPy, from what features.py says of them:
    the Go program must come to the same."""
    number = {t: i for i, t in enumerate(matrix.terms)}
    for line in features.GOLDEN.read_text(encoding="utf-8").splitlines()[1:]:
        row = json.loads(line)
        given = dict(zip(features.NAMES, features.extract(row["passage"], row["tags"])))
        terms = {number[t]: n for t, n in features.terms(row["passage"]["text"], row["tags"]).items() if t in number}
        times = sparse.csr_matrix((list(map(float, terms.values())), ([0] * len(terms), list(terms))), shape=(1, len(matrix.terms)))
        logit = fitted.scores(fitted.inputs(np.array([[given[n] for n in fitted.names]]), times))
        yield {"passage": row["passage"], "logit": round(float(logit[0]), 6)}


def write(out, fitted, matrix, report, sentences, rest, runs):
    """Writes model.onnx, model.yaml, terms.txt metrics.json and training.jsonl, after
    comparing the graph with NumPy on a sample of the training rows. runs taught the model."""
    k = len(fitted.names)
    three = [fitted.books, fitted.bible, fitted.gate]
    weights = np.column_stack([w for w, _ in three])
    matters = weights[k:].any(axis=1)  # only terms that say something, so that the list stays short
    kept = np.zeros(len(matrix.terms), np.int64)
    kept[matters] = np.arange(1, matters.sum() + 1)
    fitted.bags.idf = fitted.bags.idf * matters
    none = np.zeros((1, 3))
    padding = np.zeros((-k % VECTOR, 3))
    tables = {
        "mean": fitted.scaler.mean, "inverse_scale": 1 / fitted.scaler.scale, "weights": np.vstack([weights[:k] * fitted.scale, padding]),
        "idf": np.append(0, fitted.bags.idf[matters]), "bag_weights": np.vstack([none, weights[k:][matters]]),
        **{f"intercept_{m}": [b] for m, (_, b) in zip(MODELS, three)},
    }
    model = graph(k, tables)
    words = "\n".join(t for t, m in zip(matrix.terms, matters) if m) + "\n"

    rows = np.random.default_rng(SEED).choice(len(matrix.dense), 4000, replace=False)
    terms, times = rows_of(matrix.times, kept, rows)
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    given = matrix.columns(fitted.names)[rows]
    got, reasons, term_reasons = session.run(None, {"features": given.astype(np.float32), "terms": terms, "times": times})
    difference = float(np.abs(got[:, 0] - fitted.scores(fitted.inputs(given, matrix.times[rows]))).max())
    assert difference < 1e-4, difference
    report["largest difference of the ONNX graph from NumPy"] = float(f"{difference:.1g}")
    report["weights of features: books, scripture"] = {n: [round(float(v), 4) for v in w[:2]] for n, w in sorted(zip(fitted.names, weights), key=lambda p: -abs(p[1][0]))}

    out.mkdir(parents=True, exist_ok=True)
    (out / "expected.jsonl").write_text("".join(json.dumps(r) + "\n" for r in expected(fitted, matrix)), encoding="utf-8")
    (out / "model.onnx").write_bytes(model)
    (out / "terms.txt").write_text(words, encoding="utf-8")
    (out / "metrics.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    (out / "model.yaml").write_text(manifest(fitted.names, matrix.version, model, words, sentences, rest, taught.write(out, runs)), encoding="utf-8")


def manifest(names, version, model, words, sentences, rest, training):
    digest = lambda b: hashlib.sha256(b).hexdigest()
    lines = [
        f"name: {NAME}", "head: features",
        "description: a linear model of what readers and editors quote, by the words and features of a sentence",
        "inputs: [features, terms, times]", "outputs: [logit, reasons, term_reasons]", "transform: none",
        f"opset: {OPSET}", "precision: fp32", "licence: Apache-2.0",
        "source: models/make.py on 162 books with what readers and printed selections quote of them, and the King James Bible with the counts of America's Public Bible (CC0)",
        f"sha256: {digest(model)}", f"training: {{file: {training['file']}, sha256: {training['sha256']}}}", f"sentences: {sentences}", f"rest: {rest}", "cpu_ms: 1.0", "features:", f"  version: {version}",
        "  terms: {file: terms.txt, sha256: " + digest(words.encode()) + "}", "  names:",
    ]
    return "\n".join(lines + [f"    - {n}" for n in names]) + "\n"
