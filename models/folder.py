"""Writes a linear model over features and terms as a model folder, compared with NumPy.

The graph takes features [n, k], terms [n, 512] and times [n, 512] and gives the logit
[n, 1] and the reasons for it: what each feature added [n, k + c], those that it computes
of terms last, and what each term added [n, 512].
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

    # The ratios of language models and how common the phrases are: sums over terms, over
    # the number of words. Terms that are only phrases stand behind the others.
    node("Less", ["terms", "first_phrase"], "is_inner")
    node("Where", ["is_inner", "terms", "no_term"], "inner")
    node("Unsqueeze", ["times", "third"], "times_3")
    node("Gather", ["language", "inner"], "of_language")
    node("Gather", ["books", "terms"], "books_8")
    node("Cast", ["books_8"], "of_books", to=TensorProto.FLOAT)
    node("Sign", ["of_books"], "is_common")
    node("Add", ["of_books", "one"], "books_1")
    node("Log", ["books_1"], "log_books")
    node("Concat", ["of_language", "is_common", "log_books"], "of_terms", axis=2)
    node("Mul", ["of_terms", "times_3"], "by_terms")
    node("ReduceSum", ["by_terms", "last"], "sums", keepdims=0)
    node("Gather", ["is_word", "inner"], "of_words")
    node("Mul", ["of_words", "times"], "words")
    node("ReduceSum", ["words", "last"], "word_sum", keepdims=1)
    node("Max", ["word_sum", "one"], "word_number")
    node("Div", ["sums", "word_number"], "computed")
    # The features, to unit variance, held within the clip.
    node("Concat", ["features", "computed"], "all", axis=1)
    node("Sub", ["all", "mean"], "centred")
    node("Mul", ["centred", "inverse_scale"], "scaled")
    node("Clip", ["scaled", "low", "high"], "clipped")
    node("Mul", ["clipped", "weights"], "reasons")
    node("ReduceSum", ["reasons", "last"], "from_features", keepdims=1)
    # The bag: (1 + ln tf) idf, to length one.
    node("Max", ["times", "one"], "at_least_one")
    node("Log", ["at_least_one"], "log_times")
    node("Add", ["log_times", "one"], "tf")
    node("Gather", ["idf", "inner"], "of_idf")
    node("Mul", ["tf", "of_idf"], "tfidf")
    node("Mul", ["tfidf", "tfidf"], "squares")
    node("ReduceSum", ["squares", "last"], "square_sum", keepdims=1)
    node("Sqrt", ["square_sum"], "length")
    node("Equal", ["length", "zero"], "empty")
    node("Where", ["empty", "one", "length"], "divisor")
    node("Div", ["tfidf", "divisor"], "bag")
    node("Gather", ["bag_weights", "inner"], "of_bag")
    node("Mul", ["bag", "of_bag"], "term_reasons")
    node("ReduceSum", ["term_reasons", "last"], "from_terms", keepdims=1)
    node("Sum", ["from_features", "from_terms", "intercept"], "logit")
    port = lambda name, kind, columns: helper.make_tensor_value_info(name, kind, ["n", columns])
    float_ = TensorProto.FLOAT
    constants = [numpy_helper.from_array(np.asarray(v, dtype=np.uint8 if n == "books" else np.float32), n) for n, v in tables.items()]
    constants += [numpy_helper.from_array(np.array(v, dtype=np.int64), n) for n, v in (("first_phrase", len(tables["idf"])), ("no_term", 0), ("third", [2]))]
    constants += [numpy_helper.from_array(np.array(v, dtype=np.float32), n) for n, v in (("one", 1), ("zero", 0), ("low", -data.CLIP), ("high", data.CLIP))]
    constants.append(numpy_helper.from_array(np.array([1], dtype=np.int64), "last"))
    g = helper.make_graph(
        nodes, NAME,
        [port("features", float_, k), port("terms", TensorProto.INT64, MOST), port("times", float_, MOST)],
        [port("logit", float_, 1), port("reasons", float_, len(tables["mean"])), port("term_reasons", float_, MOST)],
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


def logits(fitted, given, times):
    """By NumPy, of features and times of terms."""
    dense = np.column_stack([given, fitted.terms(times)])
    return fitted.scaler(dense) @ fitted.dense + fitted.bags(times) @ fitted.of_terms + fitted.intercept


def expected(fitted):
    """Logits of the golden file's passages by NumPy, from what features.py says of them:
    the Go program must come to the same."""
    number = {t: i for i, t in enumerate(fitted.matrix.terms)}
    for line in features.GOLDEN.read_text(encoding="utf-8").splitlines()[1:]:
        row = json.loads(line)
        given = dict(zip(features.NAMES, features.extract(row["passage"], row["tags"])))
        terms = {number[t]: n for t, n in features.terms(row["passage"]["text"], row["tags"]).items() if t in number}
        times = sparse.csr_matrix((list(map(float, terms.values())), ([0] * len(terms), list(terms))), shape=(1, len(number)))
        logit = logits(fitted, np.array([given[n] for n in fitted.names])[None, :], times)
        yield {"passage": row["passage"], "logit": round(float(logit[0]), 6)}


def write(out, fitted, report):
    """Writes model.onnx, model.yaml, terms.txt and metrics.json, after comparing the graph
    with NumPy on a sample of the training rows."""
    matrix, said = fitted.matrix, fitted.terms
    # Only terms that say something, so that the list stays short; mere phrases at its end.
    inner = (np.abs(fitted.of_terms) * fitted.bags.idf > 0) | (said.language != 0).any(axis=1)
    phrase = (said.books > 0).any(axis=1) & ~inner
    inner[0] = phrase[0] = False
    order = np.concatenate([np.flatnonzero(inner), np.flatnonzero(phrase)])
    kept = np.zeros(len(matrix.terms), np.int64)
    kept[order] = np.arange(1, len(order) + 1)
    column = lambda v: np.concatenate([np.zeros_like(v[:1]), v[inner]])
    tables = {
        "mean": fitted.scaler.mean, "inverse_scale": 1 / fitted.scaler.scale, "weights": fitted.dense, "intercept": [fitted.intercept],
        "language": column(said.language), "is_word": column(said.single), "idf": column(fitted.bags.idf), "bag_weights": column(fitted.of_terms),
        "books": np.concatenate([np.zeros_like(said.books[:1]), said.books[order]]),
    }
    model = graph(len(fitted.names), tables)
    words = "".join(matrix.terms[i] + "\n" for i in order)

    many = np.diff(matrix.times[:, order].tocsr().indptr)
    rows = np.random.default_rng(rankers.SEED).choice(np.flatnonzero(many <= MOST), 4000, replace=False)
    terms, times = rows_of(matrix.times, kept, rows)
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    given = matrix.columns(fitted.names)[rows]
    got, reasons, term_reasons = session.run(None, {"features": given.astype(np.float32), "terms": terms, "times": times})
    # NumPy's own inputs, with the ratios of the models that are shipped and not of a fold's.
    difference = float(np.abs(got[:, 0] - logits(fitted, given, matrix.times[rows])).max())
    assert difference < 1e-4, difference
    assert np.abs(reasons.sum(1) + term_reasons.sum(1) + fitted.intercept - got[:, 0]).max() < 1e-4
    report["terms"] = f"{len(order)}, of which {phrase.sum()} are only phrases that books share; {(many > MOST).sum()} of {len(many)} passages have more than {MOST}"
    report["largest difference of the ONNX graph from NumPy, in logits"] = float(f"{difference:.1g}")
    report["coefficients"] = {n: round(float(c), 4) for n, c in sorted(zip(fitted.names + fitted.computed, fitted.dense), key=lambda p: -abs(p[1]))}

    out.mkdir(parents=True, exist_ok=True)
    (out / "expected.jsonl").write_text("".join(json.dumps(r) + "\n" for r in expected(fitted)), encoding="utf-8")
    (out / "model.onnx").write_bytes(model)
    (out / "terms.txt").write_text(words, encoding="utf-8")
    (out / "metrics.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    (out / "model.yaml").write_text(manifest(fitted, model, words), encoding="utf-8")


def manifest(fitted, model, words):
    digest = lambda b: hashlib.sha256(b).hexdigest()
    lines = [
        f"name: {NAME}", "head: features",
        "description: linear SVM-rank of passages by quotations, on their words, phrases and features",
        "inputs: [features, terms, times]", "outputs: [logit, reasons, term_reasons]", "transform: exp",
        f"opset: {OPSET}", "precision: fp32", "licence: Apache-2.0",
        "source: models/make.py on the King James Bible with the counts of America's Public Bible (CC0), and Mark Twain with his editor's quotations (public domain)",
        f"sha256: {digest(model)}", "features:", f"  version: {fitted.matrix.version}",
        "  terms: {file: terms.txt, sha256: " + digest(words.encode()) + "}", "  computed: [" + ", ".join(fitted.computed) + "]", "  names:",
    ]
    return "\n".join(lines + [f"    - {n}" for n in fitted.names]) + "\n"
