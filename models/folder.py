"""Writes a linear model over features and terms as a model folder, compared with NumPy.

The graph takes features [n, k], terms [n, 512] and times [n, 512] and gives the logit
[n, 1] and the reasons for it: what each feature added [n, k + 1], the ratio of the
language models last, and what each term added [n, 512].
"""

import hashlib
import json
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import onnx
import onnxruntime
import scipy.sparse as sparse
from onnx import TensorProto, helper, numpy_helper

import data
import features
import rankers

NAME = "quotability-features"
OPSET = 17
MOST = 512  # terms of a passage


def graph(k, tables):
    """The graph; tables are the constants by name. Terms are numbers of their lines, 0 none."""
    nodes = []

    def node(kind, inputs, output, **attributes):
        nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    # The ratio: weights of words and pairs, over the number of words.
    node("Gather", ["language", "terms"], "of_language")
    node("Mul", ["of_language", "times"], "ratios")
    node("ReduceSum", ["ratios", "last"], "ratio_sum", keepdims=1)
    node("Gather", ["is_word", "terms"], "of_words")
    node("Mul", ["of_words", "times"], "words")
    node("ReduceSum", ["words", "last"], "word_sum", keepdims=1)
    node("Max", ["word_sum", "one"], "word_number")
    node("Div", ["ratio_sum", "word_number"], "ratio")
    # The features, to unit variance, held within the clip.
    node("Concat", ["features", "ratio"], "all", axis=1)
    node("Sub", ["all", "mean"], "centred")
    node("Mul", ["centred", "inverse_scale"], "scaled")
    node("Clip", ["scaled", "low", "high"], "clipped")
    node("Mul", ["clipped", "weights"], "reasons")
    node("ReduceSum", ["reasons", "last"], "from_features", keepdims=1)
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
    node("Gather", ["bag_weights", "terms"], "of_bag")
    node("Mul", ["bag", "of_bag"], "term_reasons")
    node("ReduceSum", ["term_reasons", "last"], "from_terms", keepdims=1)
    node("Sum", ["from_features", "from_terms", "intercept"], "logit")
    port = lambda name, kind, columns: helper.make_tensor_value_info(name, kind, ["n", columns])
    float_ = TensorProto.FLOAT
    constants = [numpy_helper.from_array(np.asarray(v, dtype=np.float32), n) for n, v in tables.items()]
    constants += [numpy_helper.from_array(np.array(v, dtype=np.float32), n) for n, v in (("one", 1), ("zero", 0), ("low", -data.CLIP), ("high", data.CLIP))]
    constants.append(numpy_helper.from_array(np.array([1], dtype=np.int64), "last"))
    g = helper.make_graph(
        nodes, NAME,
        [port("features", float_, k), port("terms", TensorProto.INT64, MOST), port("times", float_, MOST)],
        [port("logit", float_, 1), port("reasons", float_, k + 1), port("term_reasons", float_, MOST)],
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
    inputs, number = fitted.inputs, {t: i for i, t in enumerate(matrix.terms)}
    for line in features.GOLDEN.read_text(encoding="utf-8").splitlines()[1:]:
        row = json.loads(line)
        given = dict(zip(features.NAMES, features.extract(row["passage"], row["tags"])))
        terms = {number[t]: n for t, n in features.terms(row["passage"]["text"], row["tags"]).items() if t in number}
        times = sparse.csr_matrix((list(map(float, terms.values())), ([0] * len(terms), list(terms))), shape=(1, len(matrix.terms)))
        x = np.append([given[n] for n in inputs.names], inputs.language(times))[None, :]
        logit = inputs.scaler(x) @ fitted.dense + inputs.bags(times) @ fitted.terms + fitted.intercept
        yield {"passage": row["passage"], "logit": round(float(logit[0]), 6)}


def write(out, fitted, matrix, report):
    """Writes model.onnx, model.yaml, terms.txt and metrics.json, after comparing the graph
    with NumPy on a sample of the training rows."""
    inputs = fitted.inputs
    # Only terms that say something, so that the list stays short.
    matters = (np.abs(fitted.terms) * inputs.bags.idf > 0) | (inputs.language.weight != 0)
    matters[0] = False
    kept = np.zeros(len(matrix.terms), np.int64)
    kept[matters] = np.arange(1, matters.sum() + 1)
    column = lambda v: np.concatenate([[0], np.asarray(v, dtype=np.float64)[matters]])
    tables = {
        "mean": inputs.scaler.mean, "inverse_scale": 1 / inputs.scaler.scale, "weights": fitted.dense,
        "intercept": [fitted.intercept], "language": column(inputs.language.weight), "is_word": column(inputs.language.single),
        "idf": column(inputs.bags.idf), "bag_weights": column(fitted.terms),
    }
    model = graph(len(inputs.names), tables)
    words = "\n".join(t for t, m in zip(matrix.terms, matters) if m) + "\n"

    rows = np.random.default_rng(rankers.SEED).choice(len(matrix.dense), 4000, replace=False)
    terms, times = rows_of(matrix.times, kept, rows)
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    got, reasons, term_reasons = session.run(None, {"features": matrix.columns(inputs.names)[rows].astype(np.float32), "terms": terms, "times": times})
    # NumPy's own inputs, with the ratio of the model that is shipped and not of a fold's.
    x = np.column_stack([matrix.columns(inputs.names)[rows], inputs.language(matrix.times[rows])])
    want = inputs.scaler(x) @ fitted.dense + inputs.bags(matrix.times[rows]) @ fitted.terms + fitted.intercept
    difference = float(np.abs(got[:, 0] - want).max())
    assert difference < 1e-4, difference
    assert np.abs(reasons.sum(1) + term_reasons.sum(1) + fitted.intercept - got[:, 0]).max() < 1e-4
    report["largest difference of the ONNX graph from NumPy, in logits"] = float(f"{difference:.1g}")
    report["coefficients"] = {n: round(float(c), 4) for n, c in sorted(zip([*inputs.names, rankers.RATIO], fitted.dense), key=lambda p: -abs(p[1]))}

    out.mkdir(parents=True, exist_ok=True)
    (out / "expected.jsonl").write_text("".join(json.dumps(r) + "\n" for r in expected(fitted, matrix)), encoding="utf-8")
    (out / "model.onnx").write_bytes(model)
    (out / "terms.txt").write_text(words, encoding="utf-8")
    (out / "metrics.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    (out / "model.yaml").write_text(manifest(inputs.names, matrix.version, model, words), encoding="utf-8")


def manifest(names, version, model, words):
    digest = lambda b: hashlib.sha256(b).hexdigest()
    lines = [
        f"name: {NAME}", "head: features",
        "description: ridge regression of quotations on the words and features of a passage",
        "inputs: [features, terms, times]", "outputs: [logit, reasons, term_reasons]", "transform: exp",
        f"opset: {OPSET}", "precision: fp32", "licence: Apache-2.0",
        "source: models/make.py on the King James Bible with the counts of America's Public Bible (CC0), and Mark Twain with his editor's quotations (public domain)",
        f"sha256: {digest(model)}", "features:", f"  version: {version}",
        "  terms: {file: terms.txt, sha256: " + digest(words.encode()) + "}", f"  computed: [{rankers.RATIO}]", "  names:",
    ]
    return "\n".join(lines + [f"    - {n}" for n in names]) + "\n"
