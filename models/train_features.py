"""Fits models/quotability-features: Poisson regression on the features of a passage.

    python3 models/train_features.py --verses VERSES.csv.gz [--out models/quotability-features]

Data: the King James Bible with the number of times American newspapers of
1836-1922 quoted each verse (America's Public Bible, Lincoln Mullen, CC0). Only
the 1,764 most quoted verses have a count; an empty cell is low or unknown and is
taken as zero, which is the file's limit and this model's.

The pipeline scores paragraphs of 200 words as well as verses, so the model is
also fitted on windows of consecutive verses whose count is the sum of theirs:
the paper's definition, a portion that overlaps the passage in part or whole.
What no verse looks like (title pages, contents, indexes, stage directions) is
added as made-up passages that nobody quotes; see paratext() below.

Everything is seeded and runs on one thread: the same inputs and libraries give
the same files.
"""

import argparse
import csv
import gzip
import hashlib
import json
import os
import pathlib
import random

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from scipy.optimize import minimize
from scipy.stats import spearmanr

import features

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "quotability-features"
OPSET = 17
SEED = 1836
CLIP = 3.0  # standard deviations beyond which a feature says no more
WINDOWS = (1, 3, 8)  # verses: about 25, 75 and 200 words
ALPHAS = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)

# What means something of its own in the Bible and does not carry over to a novel
# or a play: where a book begins and ends; how its translators and printers
# pointed it (windows of short verses have many full stops, dialogue has more);
# how a verse begins, since paragraphs of 200 words begin anywhere.
DROPPED = set("""position position_first position_last period comma colon semicolon exclamation
question dash quotation begins_stop begins_connect begins_capital longest_word""".split())
USED = [n for n in features.NAMES if n not in DROPPED]

# Marks of what is not running text can only lower a score: the verses cannot
# teach that, they hold none.
NEVER_POSITIVE = set("upper capitals digits paratext roman symbol parenthesis unknown number".split())


def read_verses(path):
    books = {}
    with gzip.open(path, "rt", encoding="utf-8", newline="") as f:
        for row in csv.DictReader(f):
            books.setdefault(row["book"], []).append((row["text"], float(row["newspaper_quotes"] or 0)))
    return books


def windows(verses, size):
    """Consecutive verses, joined; the count of a window is the sum of its verses'."""
    for i in range(0, len(verses) - size + 1, max(1, size // 2)):
        part = verses[i : i + size]
        yield " ".join(t for t, _ in part), sum(c for _, c in part), i / len(verses)


WORDS = """light river stone garden letter winter lamp shadow harbour morning captain sister window
mountain journey silver bridge orchard widow stranger candle tower meadow winter king miller sailor
forest daughter island market secret house clock ship village road""".split()
NAMES = """Anna Brand Carlo Dorothy Edmund Francis Greta Harold Isabel Jonas Katharine Leopold Martha
Nicholas Oliver Priscilla Rupert Susan Theodore Ursula Victor Walter""".split()
PLACES = "London Boston Vienna Oxford Leipzig Edinburgh Philadelphia Norwich Chester Dublin".split()


def paratext(rng):
    """A made-up passage of the kinds that books have around their text."""
    title = lambda: " ".join(w.capitalize() for w in ["The"] * rng.randrange(2) + rng.sample(WORDS, rng.randint(1, 3)))
    name = lambda: rng.choice(NAMES) + " " + rng.choice(WORDS).capitalize()
    roman = lambda: rng.choice("II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI XXIV XXX".split())
    year = lambda: str(rng.randint(1780, 1930))
    kind = rng.randrange(9)
    if kind == 0:
        dots = rng.choice([" ", " . . . . ", "...... ", "\t", " -- "])
        return "\n".join(f"{rng.choice(['', 'Chapter ', 'CHAPTER '])}{roman()}. {title()}{dots}{rng.randint(1, 500)}" for _ in range(rng.randint(5, 30)))
    if kind == 1:
        return "CONTENTS\n" + "\n".join(f"{rng.choice(['CHAPTER', 'Chapter', 'BOOK', 'PART'])} {roman()}{rng.choice(['', '.', ' ' + title(), '. ' + title().upper()])}" for _ in range(rng.randint(5, 60)))
    if kind == 2:
        return f"{title().upper()}\n\nBY\n\n{name().upper()}\n\nAUTHOR OF \"{title().upper()},\" ETC.\n\n{rng.choice(PLACES)}: {name()} & Co., {rng.randint(1, 90)} {rng.choice(NAMES)} Street\n\n{year()}\n\nCopyright, {year()}, by {name()}. All rights reserved."
    if kind == 3:
        return "DRAMATIS PERSONAE\n\n" + "\n".join(f"{name().upper()}, {rng.choice(['a', 'his', 'the'])} {rng.choice(WORDS)} {rng.choice(['to', 'of', 'and'])} {rng.choice(NAMES)}." for _ in range(rng.randint(6, 25))) + f"\n\nSCENE: {rng.choice(PLACES)}"
    if kind == 4:
        return "\n".join(f"{name()}, {', '.join(str(rng.randint(1, 480)) for _ in range(rng.randint(1, 6)))}" for _ in range(rng.randint(8, 35)))
    if kind == 5:
        return "\n\n".join(f"[{rng.choice(['Illustration', 'Footnote ' + str(rng.randint(1, 90)), 'Transcriber’s note'])}: {title()}]" for _ in range(rng.randint(3, 14))) + f"\n\nACT {roman()}. SCENE {roman()}. Enter {name()} and {name()}. Exeunt."
    if kind == 7:
        line = lambda: f"{rng.choice(['You may', 'The publisher will', 'No person shall', 'Any user must'])} {rng.choice(['copy', 'distribute', 'provide', 'display'])} {rng.choice(['this', 'any', 'each'])} {rng.choice(['electronic', 'printed', 'derivative'])} {rng.choice(['work', 'edition', 'page', 'ebook'])} {rng.choice(['with', 'without', 'under'])} {rng.choice(['the terms of this license', 'a full refund', 'the trademark of the project', 'permission of the copyright owner', 'paragraph ' + str(rng.randint(1, 9)) + '.' + rng.choice('ABCDEF')])}."
        return " ".join(line() for _ in range(rng.randint(4, 14)))
    if kind == 8:
        who = [n[: rng.randint(2, 5)] + "." for n in rng.sample(NAMES, 4)]
        return "\n".join(f"  {rng.choice(who)} {rng.choice(['Ay', 'No', 'What', 'My lord', 'Sir', 'Who is there', 'Come', 'Well', 'Here', 'Look you', 'Not so'])}{rng.choice(['.', '!', '?', ', ' + rng.choice(NAMES) + '.', ', the ' + rng.choice(WORDS) + '.'])}" + rng.choice(["", "", f" [Exit {rng.choice(who)}]", f"  Enter {rng.choice(NAMES)}."]) for _ in range(rng.randint(10, 40)))
    return f"Produced by {name()} and {name()}. Release date: {rng.choice(['May', 'June', 'March'])} {rng.randint(1, 28)}, {year()} [EBook #{rng.randint(100, 60000)}]. Language: English. *** {title().upper()} *** by {name()}, translated by {name()}. {rng.choice(PLACES)}, {year()}. www.{rng.choice(WORDS)}.org"


class Scaler:
    """To zero mean and unit variance, clipped at CLIP: what lies beyond the training data says no more."""

    def __init__(self, x, weight):
        self.mean = np.average(x, axis=0, weights=weight)
        self.scale = np.sqrt(np.average((x - self.mean) ** 2, axis=0, weights=weight))
        self.scale[self.scale < 1e-9] = 1.0

    def __call__(self, x):
        return np.clip((x - self.mean) / self.scale, -CLIP, CLIP)


def table(books):
    """Rows of all sizes: features, count, book, size (0 for made-up passages)."""
    rows, counts, names, sizes = [], [], [], []
    for book, verses in books.items():
        for size in WINDOWS:
            for text, count, position in windows(verses, size):
                rows.append(features.extract(text, position))
                counts.append(count)
                names.append(book)
                sizes.append(size)
    rng = random.Random(SEED)
    for _ in range(3000):
        rows.append(features.extract(paratext(rng), 0.0))
        counts.append(0.0)
        names.append("")
        sizes.append(0)
    columns = [features.NAMES.index(n) for n in USED]
    return np.array(rows)[:, columns], np.array(counts), np.array(names), np.array(sizes)


def weights(sizes):
    """Verses, windows and made-up passages weigh the same in total, whatever their numbers."""
    w = np.zeros(len(sizes))
    for size, share in zip((*WINDOWS, 0), (1.0, 1.0, 1.0, 0.3)):
        here = sizes == size
        w[here] = share / max(1, here.sum())
    return w / w.mean()


# Counts run into the thousands and one verse would outweigh a book; per verse
# and on a logarithmic scale the order is what is left to learn.
def target(counts, sizes):
    return np.log1p(counts / np.maximum(1, sizes))


class Poisson:
    """Poisson regression with a logarithmic link, an L2 penalty and bounds on signs."""

    def __init__(self, x, y, weight, alpha):
        weight = weight / weight.sum()
        n = x.shape[1]

        def loss(theta):
            logit = x @ theta[:n] + theta[n]
            mean = np.exp(logit)
            slope = weight * (mean - y)
            value = (weight * (mean - y * logit)).sum() + alpha / 2 * (theta[:n] ** 2).sum()
            return value, np.append(x.T @ slope + alpha * theta[:n], slope.sum())

        bounds = [(None, 0.0) if name in NEVER_POSITIVE else (None, None) for name in USED] + [(None, None)]
        start = np.append(np.zeros(n), np.log((weight * y).sum()))
        best = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 5000, "ftol": 1e-12, "gtol": 1e-8})
        assert best.success, best.message
        self.coef_, self.intercept_ = best.x[:n], best.x[n]


def fit(x, counts, sizes, alpha):
    w = weights(sizes)
    scaler = Scaler(x, w)
    return scaler, Poisson(scaler(x), target(counts, sizes), w, alpha)


def predict(fitted, x):
    scaler, model = fitted
    return scaler(x) @ model.coef_ + model.intercept_


def dcg(counts, k):
    """The paper's: c_1 + sum over i = 2..k of c_i / log2(i)."""
    c = counts[:k]
    return c[0] + (c[1:] / np.log2(np.arange(2, len(c) + 1))).sum()


CUTS = (1, 3, 5, 10, 25, 50)


def evaluate(books, names, scores, counts):
    """Means over the books with a count: NDCG in the paper's form and Spearman, times 100."""
    rows = []
    for book in books:
        here = names == book
        s, c = scores[here], counts[here]
        if c.sum() == 0:
            continue
        order = np.argsort(-s, kind="stable")
        ideal = np.sort(c)[::-1]
        rho = spearmanr(s, c).statistic if len(set(s)) > 1 else 0.0
        rows.append([dcg(c[order], k) / dcg(ideal, k) for k in CUTS] + [rho])
    mean = 100 * np.array(rows).mean(axis=0)
    return {"books": len(rows), **{f"ndcg@{k}": round(v, 1) for k, v in zip(CUTS, mean)}, "spearman": round(mean[-1], 1)}


def folds(books):
    """Five folds by book, books in turn from the longest, so that the folds are alike in size."""
    order = sorted(books, key=lambda b: (-len(books[b]), b))
    return {book: i % 5 for i, book in enumerate(order)}


def cross_validate(x, counts, names, sizes, fold_of, alphas):
    """Out-of-fold scores; the penalty of each fold is chosen on the other four."""
    fold = np.array([fold_of.get(n, -1) for n in names])
    scores = np.zeros(len(names))
    chosen = []
    for k in range(5):
        train = fold != k
        if len(alphas) > 1:
            inner = (k + 1) % 5
            fits = [(a, fit(x[train & (fold != inner)], counts[train & (fold != inner)], sizes[train & (fold != inner)], a)) for a in alphas]
            held = (fold == inner) & (sizes == 1)
            quality = [spearmanr(predict(f, x[held]), counts[held]).statistic for _, f in fits]
            alpha = fits[int(np.argmax(quality))][0]
        else:
            alpha = alphas[0]
        chosen.append(alpha)
        scores[fold == k] = predict(fit(x[train], counts[train], sizes[train], alpha), x[fold == k])
    return scores, chosen


def graph(scaler, model):
    """features [n, k] -> clip((x - mean) / scale) @ weights + intercept -> logit [n, 1]"""
    f32 = lambda name, a: numpy_helper.from_array(np.asarray(a, dtype=np.float32), name)
    k = len(USED)
    nodes = [
        helper.make_node("Sub", ["features", "mean"], ["centred"]),
        helper.make_node("Mul", ["centred", "inverse_scale"], ["scaled"]),
        helper.make_node("Clip", ["scaled", "low", "high"], ["clipped"]),
        helper.make_node("Gemm", ["clipped", "weights", "intercept"], ["logit"]),
    ]
    constants = [
        f32("mean", scaler.mean), f32("inverse_scale", 1 / scaler.scale), f32("low", -CLIP), f32("high", CLIP),
        f32("weights", model.coef_.reshape(k, 1)), f32("intercept", [model.intercept_]),
    ]
    g = helper.make_graph(
        nodes, NAME,
        [helper.make_tensor_value_info("features", TensorProto.FLOAT, ["n", k])],
        [helper.make_tensor_value_info("logit", TensorProto.FLOAT, ["n", 1])],
        constants,
    )
    m = helper.make_model(g, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8, producer_name="train_features.py")
    onnx.checker.check_model(m, full_check=True)
    return m.SerializeToString(deterministic=True)


def manifest(digest):
    lines = [
        f"name: {NAME}",
        "head: features",
        "description: Poisson regression of newspaper quotations on the features of a passage",
        "inputs: [features]",
        "outputs: [logit]",
        "transform: exp",
        f"opset: {OPSET}",
        "precision: fp32",
        "licence: Apache-2.0",
        "source: models/train_features.py on the King James Bible with the counts of America's Public Bible (CC0)",
        f"sha256: {digest}",
        "features:",
        f"  version: {features.VERSION}",
        "  names:",
    ]
    return "\n".join(lines + [f"    - {n}" for n in USED]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verses", required=True, help="verses.csv.gz: book, chapter, verse, reference, text, newspaper_quotes")
    parser.add_argument("--out", default=str(ROOT / "models" / NAME))
    options = parser.parse_args()

    books = read_verses(options.verses)
    x, counts, names, sizes = table(books)
    fold_of = folds(books)
    scores, chosen = cross_validate(x, counts, names, sizes, fold_of, ALPHAS)
    alpha = sorted(chosen)[2]
    fitted = fit(x, counts, sizes, alpha)

    verse = sizes == 1
    wide = sizes == WINDOWS[-1]
    column = lambda n: x[:, USED.index(n)]
    rng = np.random.default_rng(SEED)
    shuffles = [evaluate(books, names[verse], rng.random(verse.sum()), counts[verse]) for _ in range(20)]
    metrics = {
        "data": "31,102 verses, 66 books; an empty count is taken as zero; means over the books with a count; NDCG in the form of Content-based models of quotation; times 100",
        "folds": "five, by book",
        "alpha_by_fold": chosen,
        "alpha": alpha,
        "verses": {
            "model": evaluate(books, names[verse], scores[verse], counts[verse]),
            "random (mean of 20)": {k: round(float(np.mean([s[k] for s in shuffles])), 1) for k in shuffles[0]},
            "shortest first": evaluate(books, names[verse], -column("words")[verse], counts[verse]),
            "first verse first": evaluate(books, names[verse], -np.arange(verse.sum()), counts[verse]),
        },
        "windows of 8 verses": {
            "model": evaluate(books, names[wide], scores[wide], counts[wide]),
            "first window first": evaluate(books, names[wide], -np.arange(wide.sum()), counts[wide]),
        },
        "coefficients": {n: round(float(c), 4) for n, c in sorted(zip(USED, fitted[1].coef_), key=lambda p: -abs(p[1]))},
    }

    data = graph(*fitted)
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    got = session.run(None, {"features": x.astype(np.float32)})[0][:, 0]
    difference = float(np.abs(got - predict(fitted, x)).max())
    assert difference < 1e-4, difference
    metrics["largest difference of the ONNX graph from numpy, in logits"] = float(f"{difference:.1g}")

    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    (out / "model.onnx").write_bytes(data)
    (out / "model.yaml").write_text(manifest(hashlib.sha256(data).hexdigest()), encoding="utf-8")
    (out / "metrics.json").write_text(json.dumps(metrics, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(metrics, indent=2))


if __name__ == "__main__":
    main()
