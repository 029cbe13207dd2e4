"""The heads poisson, svm-rank and lambdamart: how often a passage is quoted, by its features and
terms ("Content-based models of quotation", section 6.1), as a model folder of the head features.

The features come from the Go code that scores later (models/vectors), so Go is needed. The
linear ones read the features to unit variance and TF-IDF bags of the --terms most frequent terms
that five training passages have; LambdaMART reads the features and how often each of these terms is
there, since to a tree the weights of TF-IDF change nothing. Where any passage is in another
language than English, the features that look for English words are left out, and so are terms of parts
of speech. With --lemmas the terms are of lemmas, of English or of another language (forms.py). With
--lemmas best they are of lemmas or words, whichever is better on the validation documents (Appendix H).
Settings are the best of --grid on the same documents. One split chooses, where the paper has nested
cross-validation. Then all but the held-out fold teaches.
"""

import hashlib
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
import scipy.sparse as sparse
from onnx import TensorProto, helper, numpy_helper

from . import folder, forms, rankers
from .agreement import spearman

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The settings that are tried, of --grid short, and of --grid paper those of Appendix H.
NAMES = {"poisson": ["penalty"], "svm-rank": ["penalty", "negatives"], "lambdamart": ["rate", "depth", "rounds"]}
GRIDS = {
    "short": {"poisson": [[1e-1, 1e-2, 1e-3, 1e-4]], "svm-rank": [[1e-1, 1e-2, 1e-3, 1e-4], [20]], "lambdamart": [[0.1], [4], [50, 100, 250]]},
    "paper": {
        "poisson": [[10.0**x for x in range(-5, 2)]], "svm-rank": [[10.0**x for x in range(-5, 2)], [1, 3, 5, 10]],
        "lambdamart": [[0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5], [4, 6, 8, 10], [50, 100, 250, 500]],
    },
}
LEMMAS = {"no": [False], "yes": [True], "best": [False, True]}
CLIP, SCALE, LEAST = 4.0, 0.3, 5
MOST = 512  # terms of a passage, as infer/head_features.go gives them
WIDTH = 16  # rows are whole vectors: a sum must not depend on where in memory its row begins
OPSET, TREES = 17, 3


def only(foreign, rows):
    """The language of all rows, of which some are in another than English."""
    if any(r.get("language", "").split("-")[0] in ("", "en") for r in rows):
        foreign = ["en", *foreign]
    if len(foreign) > 1:
        sys.exit(f"train: --lemmas takes passages of one language, and these are of {', '.join(foreign)}; leave it out")
    return foreign[0]


class Inputs:
    """Features [n, k] and counts of terms [n, 1 + terms] of rows, and their names."""

    def __init__(self, rows, lemmas=False):
        lines = "".join(json.dumps({k: r[k] for k in ("text", "position", "places")}) + "\n" for r in rows)
        foreign = sorted({r.get("language", "").split("-")[0] for r in rows}.difference({"", "en"}))
        self.forms = None
        with tempfile.TemporaryDirectory() as to:
            if lemmas and foreign:
                self.forms = forms.lemmas(only(foreign, rows))
                pathlib.Path(to, "forms.txt").write_text(forms.lines(self.forms), encoding="utf-8")
            how = ["-foreign"] * bool(foreign) + (["-forms", f"{to}/forms.txt"] if self.forms is not None else ["-lemmas"] * lemmas)
            done = subprocess.run(["go", "run", "./models/vectors", "-to", to, "-least", str(LEAST), *how], cwd=ROOT, input=lines.encode(), stderr=subprocess.PIPE)
            if done.returncode:
                sys.exit(f"train: go run ./models/vectors, which computes the features: {done.stderr.decode().strip()}")
            said = json.loads(pathlib.Path(to, "names.json").read_text())
            self.names, self.version, self.lemmas = said["names"], said["version"], said.get("lemmas")
            self.terms = ["", *pathlib.Path(to, "terms.txt").read_text(encoding="utf-8").splitlines()]
            load = lambda name: np.load(pathlib.Path(to, name + ".npy"))
            self.features = load("features").astype(np.float64)
            if foreign:
                print(f"passages of the languages {', '.join(foreign)}: features that look for English words and parts of speech are left out")
                kept = [i for i, name in enumerate(self.names) if name in said["any_language"]]
                self.names, self.features = [self.names[i] for i in kept], self.features[:, kept]
            self.times = sparse.csr_matrix((load("times").astype(np.float64), load("terms"), load("begins")), shape=(len(rows), len(self.terms)))


def frequent(inputs, train, most):
    """How many of the training passages have each term; 0 for those that the paper cuts off."""
    documents = np.bincount(inputs.times[train].indices, minlength=len(inputs.terms))
    documents[0] = 0
    documents[documents < LEAST] = 0
    documents[np.argsort(-documents, kind="stable")[most:]] = 0
    return documents


class Trees:
    """What LambdaMART reads. Features are always there; a term that a passage lacks is a missing value."""

    def __init__(self, inputs, train, most):
        self.kept = np.flatnonzero(frequent(inputs, train, most))

    def __call__(self, features, times):
        n, k = features.shape
        dense = sparse.csr_matrix((features.ravel(), np.tile(np.arange(k), n), np.arange(0, n * k + 1, k)), shape=(n, k))
        return sparse.hstack([dense, times[:, self.kept]]).tocsr()


class Linear:
    """What the two linear rankers read, scaled as their training rows ask for."""

    def __init__(self, inputs, train, most):
        x = inputs.features[train]
        self.mean, self.scale = x.mean(0), x.std(0)
        self.scale[self.scale < 1e-6] = 1
        documents = frequent(inputs, train, most)
        self.idf = np.where(documents > 0, np.log((1 + len(train)) / (1 + documents)) + 1, 0)

    def __call__(self, features, times):
        bag, kept = times.copy(), self.idf[times.indices] > 0
        before = np.append(0, np.cumsum(kept))  # terms that matter, before each
        place = before[:-1] - np.repeat(before[times.indptr[:-1]], np.diff(times.indptr))  # among those of its row
        bag.data = np.where(kept & (place < MOST), (1 + np.log(bag.data)) * self.idf[bag.indices], 0)
        length = np.sqrt(np.asarray(bag.multiply(bag).sum(1)).ravel())
        bag = sparse.diags(1 / np.where(length == 0, 1, length)) @ bag
        dense = np.clip((features - self.mean) / self.scale, -CLIP, CLIP) * SCALE
        return sparse.hstack([sparse.csr_matrix(dense), bag]).tocsr()


def fit(head, setting, inputs, rows, most, some):
    """What scores features and terms; of what makes its graph, too."""
    counts, documents = np.array([float(r["count"]) for r in rows])[some], np.array([r["doc_id"] for r in rows])[some]
    if head == "lambdamart":
        import xgboost

        trees = Trees(inputs, some, most)
        booster = rankers.lambdamart(trees(inputs.features[some], inputs.times[some]), counts, documents, *setting)
        return (trees, booster), lambda features, times: booster.predict(xgboost.DMatrix(trees(features, times)), output_margin=True)
    linear = Linear(inputs, some, most)
    x = linear(inputs.features[some], inputs.times[some])
    coef, intercept = rankers.poisson(x, counts, *setting) if head == "poisson" else rankers.svm_rank(x, counts, documents, *setting)
    return (linear, coef, intercept), lambda features, times: linear(features, times) @ coef + intercept


def said(head, setting):
    """A setting in words: penalty 0.1, negatives 20."""
    return ", ".join(f"{name} {value:g}" for name, value in zip(NAMES[head], setting))


def rho(scores, rows, some):
    """The mean over documents of Spearman's rho."""
    found, counts, documents = [], np.array([r["count"] for r in rows])[some], np.array([r["doc_id"] for r in rows])[some]
    for d in np.unique(documents):
        of = documents == d
        if len(set(counts[of])) > 1:
            found.append(spearman(scores[of], counts[of]) if scores[of].std() > 0 else 0.0)
    return float(np.mean(found)) if found else 0.0


def model(nodes, inputs, outputs, constants, trees=False):
    port = lambda name, kind, columns: helper.make_tensor_value_info(name, kind, ["n", columns])
    g = helper.make_graph(nodes, "counted", [port(*i) for i in inputs], [port(*o) for o in outputs], constants)
    opsets = [helper.make_opsetid("", OPSET)] + ([helper.make_opsetid("ai.onnx.ml", TREES)] if trees else [])
    m = helper.make_model(g, opset_imports=opsets, ir_version=8, producer_name="commonplace_train")
    onnx.checker.check_model(m, full_check=True)
    return m.SerializeToString(deterministic=True)


def linear_graph(inputs, made):
    """Features and terms to a score, and what each of them adds to it; the numbers of the terms that matter."""
    linear, coef, intercept = made
    k, kept = len(inputs.names), np.flatnonzero(linear.idf)
    pad = -k % WIDTH
    tables = {
        "mean": linear.mean, "scale": linear.scale, "weights": np.append(coef[:k] * SCALE, np.zeros(pad)), "idf": np.append(0, linear.idf[kept]),
        "bag_weights": np.append(0, coef[k:][kept]), "intercept": [[intercept]], "low": -CLIP, "high": CLIP, "one": 1, "zero": 0,
    }
    whole = {"last": [1], "padding": [0, 0, 0, pad], "none": [0], "number": [k]}
    constants = [numpy_helper.from_array(np.asarray(v, np.float32), n) for n, v in tables.items()] + [numpy_helper.from_array(np.array(v, np.int64), n) for n, v in whole.items()]
    nodes = [helper.make_node(kind, of.split(), [to], **more) for kind, of, to, more in [
        ("Sub", "features mean", "centred", {}), ("Div", "centred scale", "scaled", {}), ("Clip", "scaled low high", "clipped", {}),
        ("Pad", "clipped padding", "padded", {}), ("Mul", "padded weights", "from_features", {}), ("Slice", "from_features none number last", "reasons", {}),
        ("Max", "times one", "at_least_one", {}), ("Log", "at_least_one", "log_times", {}), ("Add", "log_times one", "tf", {}),
        ("Gather", "idf terms", "of_idf", {}), ("Mul", "tf of_idf", "tfidf", {}), ("Mul", "tfidf tfidf", "squares", {}),
        ("ReduceSum", "squares last", "square_sum", {"keepdims": 1}), ("Sqrt", "square_sum", "length", {}), ("Equal", "length zero", "empty", {}),
        ("Where", "empty one length", "divisor", {}), ("Div", "tfidf divisor", "bag", {}), ("Gather", "bag_weights terms", "of_bag", {}),
        ("Mul", "bag of_bag", "term_reasons", {}), ("ReduceSum", "from_features last", "of_features", {"keepdims": 1}),
        ("ReduceSum", "term_reasons last", "of_terms", {"keepdims": 1}), ("Sum", "of_features of_terms intercept", "logit", {}),
    ]]
    float_ = TensorProto.FLOAT
    ports = [("features", float_, k), ("terms", TensorProto.INT64, MOST), ("times", float_, MOST)]
    return model(nodes, ports, [("logit", float_, 1), ("reasons", float_, k), ("term_reasons", float_, MOST)], constants), kept


def tree_graph(inputs, made):
    """The trees as one operator of ONNX; the numbers of the terms that they ask for, or None."""
    trees, booster = made
    dumped, k = [json.loads(text) for text in booster.get_dump(dump_format="json")], len(inputs.names)
    nodes = [(tree, node) for tree, root in enumerate(dumped) for node in below(root)]
    asked = sorted({int(node["split"][1:]) for _, node in nodes if "leaf" not in node and int(node["split"][1:]) >= k})
    column = {f: f for f in range(k)} | {f: k + at for at, f in enumerate(asked)}
    made = {name: [] for name in ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids", "missing_value_tracks_true")}
    leaves = {name: [] for name in ("treeids", "nodeids", "ids", "weights")}
    for tree, node in nodes:
        if "leaf" in node:
            row = [tree, node["nodeid"], 0, 0.0, "LEAF", 0, 0, 0]
            for name, value in zip(leaves, [tree, node["nodeid"], 0, float(node["leaf"])], strict=True):
                leaves[name].append(value)
        else:
            row = [tree, node["nodeid"], column[int(node["split"][1:])], float(node["split_condition"]), "BRANCH_LT", node["yes"], node["no"], int(node["missing"] == node["yes"])]
        for name, value in zip(made, row, strict=True):
            made[name].append(value)
    base = json.loads(booster.save_config())["learner"]["learner_model_param"]["base_score"]
    ensemble = helper.make_node(
        "TreeEnsembleRegressor", ["read" if asked else "features"], ["logit"], domain="ai.onnx.ml", n_targets=1, base_values=[float(base.strip("[]"))],
        **{f"nodes_{n}": v for n, v in made.items()}, **{f"target_{n}": v for n, v in leaves.items()},
    )
    float_ = TensorProto.FLOAT
    ports, logit = [("features", float_, k), ("terms", TensorProto.INT64, MOST), ("times", float_, MOST)], [("logit", float_, 1)]
    if not asked:
        return model([ensemble], ports[:1], logit, [], trees=True), None
    whole = {"one": [1], "last": [1], "end": [1 + len(asked)], "width": [1 + len(asked)]}
    constants = [numpy_helper.from_array(np.array(v, np.int64), n) for n, v in whole.items()]
    nan = numpy_helper.from_array(np.array([np.nan], np.float32))
    spread = [helper.make_node(kind, of.split(), [to], **more) for kind, of, to, more in [
        ("Shape", "terms", "rows", {"start": 0, "end": 1}), ("Concat", "rows width", "shape", {"axis": 0}), ("ConstantOfShape", "shape", "missing", {"value": nan}),
        ("ScatterElements", "missing terms times", "by_term", {"axis": 1}), ("Slice", "by_term one end last", "counts", {}),  # term 0 fills rows up
        ("Concat", "features counts", "read", {"axis": 1}),
    ]]
    return model([*spread, ensemble], ports, logit, constants, trees=True), trees.kept[np.array(asked) - k]


def below(node):
    """A tree's nodes."""
    yield node
    for child in node.get("children", []):
        yield from below(child)


def check(data, inputs, kept, scores, rows):
    """Ends the program where the graph does not say what NumPy says of some rows."""
    given = {"features": inputs.features[rows].astype(np.float32)}
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    if kept is not None:
        number = np.zeros(len(inputs.terms), np.int64)
        number[kept] = np.arange(1, len(kept) + 1)
        given["terms"], given["times"] = np.zeros((len(rows), MOST), np.int64), np.zeros((len(rows), MOST), np.float32)
        for at, i in enumerate(rows):
            of = slice(inputs.times.indptr[i], inputs.times.indptr[i + 1])
            mine = number[inputs.times.indices[of]] > 0
            n = min(MOST, int(mine.sum()))
            given["terms"][at, :n], given["times"][at, :n] = number[inputs.times.indices[of]][mine][:n], inputs.times.data[of][mine][:n]
    far = float(np.abs(session.run(None, given)[0][:, 0] - scores).max())
    print(f"largest difference of the graph from NumPy: {far:.2g}")
    if not far < 1e-3:
        sys.exit("train: the graph does not say what NumPy says; nothing was written")


def train(options, rows):
    """Fits, and writes OUT/model."""
    splits = [(split, r) for split in ("train", "validation") for r in rows.splits[split]]
    all_rows = [r for _, r in splits]
    if not any(r["count"] for r in all_rows):
        sys.exit("train: no row of the training folds has a count")
    taught = np.array([split == "train" for split, _ in splits])
    if taught.all() or not taught.any():
        sys.exit("train: one of the training documents is kept for validation, so there must be two")
    train, validation, best = np.flatnonzero(taught), np.flatnonzero(~taught), (-2.0, None, None, None)
    for lemmas in LEMMAS[options.lemmas]:
        inputs = Inputs(all_rows, lemmas)
        for setting in itertools.product(*GRIDS[options.grid][options.head]):
            _, scores = fit(options.head, setting, inputs, all_rows, options.terms, train)
            quality = rho(scores(inputs.features[validation], inputs.times[validation]), all_rows, validation)
            print(f"{options.head}, {said(options.head, setting)}{', on lemmas' * lemmas}: rho {quality:.4f} on {len(validation)} validation passages")
            best = max(best, (quality, setting, inputs, lemmas), key=lambda b: b[0])
    quality, setting, inputs, lemmas = best
    made, scores = fit(options.head, setting, inputs, all_rows, options.terms, np.arange(len(all_rows)))

    data, kept = (tree_graph if options.head == "lambdamart" else linear_graph)(inputs, made)
    some = np.random.default_rng(options.seed).choice(len(all_rows), min(500, len(all_rows)), replace=False)
    some.sort()
    check(data, inputs, kept, scores(inputs.features[some], inputs.times[some]), some)
    digest = lambda b: hashlib.sha256(b).hexdigest()
    out = options.out / "model"
    out.mkdir(parents=True, exist_ok=True)
    (out / "model.onnx").write_bytes(data)
    read = {"version": inputs.version, "names": inputs.names}
    if kept is not None:
        terms = [inputs.terms[i] for i in kept]
        words = ("\n".join(terms) + "\n").encode()
        (out / "terms.txt").write_bytes(words)
        read["terms"] = {"file": "terms.txt", "sha256": digest(words)} | ({"lemmas": inputs.lemmas} if inputs.lemmas else {})
        if inputs.forms and (mine := forms.lines(forms.needed(inputs.forms, terms)).encode()):
            (out / "forms.txt").write_bytes(mine)
            read["terms"]["forms"] = {"file": "forms.txt", "sha256": digest(mine)}
    manifest = {
        "name": options.head, "head": "features", "description": f"{options.head}{' on lemmas' * lemmas}, {said(options.head, setting)}, rho {quality:.3f} on the validation documents",
        "inputs": ["features"] + (["terms", "times"] if kept is not None else []), "outputs": ["logit"] + (["reasons", "term_reasons"] if options.head != "lambdamart" else []),
        "transform": "exp" if options.head == "poisson" else "none", "opset": OPSET, "precision": "fp32", "licence": options.licence,
        "source": options.source or f"commonplace_train {options.head}", "sha256": digest(data), "features": read,
    }
    by = rows.training("doc_id")
    if by is not None:
        (out / "training.jsonl").write_bytes(by)
        manifest["training"] = {"file": "training.jsonl", "sha256": digest(by)}
    folder.write_manifest(out, manifest)
    print(f"{out}: {len(data) / 1e6:.1f} MB")
