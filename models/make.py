"""Fits models/quotability-features and says how it carries over between books.

    commonplace build configs/kjv-newspapers.yaml && commonplace build configs/twain.yaml
    commonplace build configs/books.yaml
    python3 models/make.py --bible out/kjv-newspapers --twain out/twain --books out/books --keep .cache/make

A linear SVM-rank over features, TF-IDF of terms, the ratios of the language models
that the pipeline made of either run (its table language), and how many of the 42 books
of --books have the passage's phrases of two and three words.

The Bible teaches in verses and, since the pipeline scores paragraphs of 200 words as
well, in windows of three and eight verses whose count is the sum of theirs: the
paper's definition, a portion that overlaps the passage in part or whole. Twain's
paragraphs teach with the quotations that were found in them. What neither holds,
the pages around a book's text, is added as made-up passages (paratext.py).

Prints the transfer table (train on one, test on the other), in the folds of the runs,
writes the folder with its metrics. Everything is seeded and runs on one thread.
"""

import argparse
import json
import pathlib
import random

import numpy as np
import scipy.sparse as sparse

import data
import folder
import judge
import language
import others
import paratext
import rankers

WINDOWS = (3, 8)  # verses: about 75 and 200 words
ALPHA, PAIRS = 1e-3, 5  # penalty; less quoted passages for each quoted one
FOLDS = 5
LEAST = 30  # passages that a term is in; a verse is in five, with its windows
BOOKS = 5  # that have a phrase which is common

# What means something of its own in the Bible and does not carry over to a novel
# or a play: where a book begins and ends; how its translators and printers pointed
# it; how a verse begins, since paragraphs of 200 words begin anywhere; what only a
# passage's length decides, and whether something is there at all, which a longer
# passage has sooner.
DROPPED = set("""comma colon semicolon exclamation question dash quotation period begins_stop begins_connect
begins_capital longest_word shortest_word characters""".split())


def used(names):
    """Features of the shipped model: no tagger, whose cost a default should not have, and no places."""
    lexical = names[: names.index("has_quotation")]
    return [n for n in lexical if n not in DROPPED]


def windows(p, size):
    """Consecutive passages of a document, joined; the count is the sum of theirs."""
    documents, counts, rows = [], [], []
    for name, group in p.groups().items():
        for i in range(0, len(group) - size + 1, max(1, size // 2)):
            part = group[i : i + size]
            documents.append(name)
            counts.append(p.counts[part].sum())
            rows.append({"text": " ".join(p.rows[k]["text"] for k in part), "position": 0.0, "places": []})
    c = np.array(counts)
    return data.Passages(np.array(documents), c, c > 0, rows, np.array([f"window {size}"] * len(c)))


def made_up(n):
    draw = random.Random(rankers.SEED)
    rows = [{"text": paratext.paratext(draw), "position": 0.0, "places": []} for _ in range(n)]
    kind = np.array(["paratext"] * n)
    return data.Passages(kind, np.zeros(n), np.zeros(n, bool), rows, kind)


SHARE = {"verse": 1.0, "window 3": 1.0, "window 8": 1.0, "twain": 1.0, "paratext": 0.5}


def weights(p, rows):
    """Each kind of passage weighs its share in total, whatever its numbers."""
    w = np.zeros(len(p.counts))
    for kind, share in SHARE.items():
        here = rows & (p.kinds == kind)
        if here.any():
            w[here] = share / here.sum()
    return w / w[rows].mean()


def pairs(p, rows):
    """What is learnt: that a quoted passage comes before less quoted ones of its document,
    of one kind, and before a made-up one; and what each such pair weighs."""
    more, less, weight = [], [], []
    for kind, share in SHARE.items():
        here = np.flatnonzero(rows & (p.kinds == kind))
        if kind == "paratext":
            a = np.flatnonzero(rows & (p.counts > 0))
            b = np.random.default_rng(rankers.SEED).choice(here, len(a))
        elif len(here):
            a, b = (here[i] for i in rankers.pairs(p.counts[here], p.documents[here], PAIRS))
        else:
            continue
        more, less, weight = np.append(more, a), np.append(less, b), np.append(weight, np.full(len(a), share / len(a)))
    return more.astype(int), less.astype(int), weight / weight.sum()


class Fitted:
    """A linear model over scaled features, what is computed of terms, and a bag of terms.

    said is the tables language of the runs that teach, by name. Which folds they know
    follows from the rows; those of a training row's own are left out."""

    def __init__(self, p, matrix, rows, fold, names, bags, said, books):
        w = weights(p, rows)
        read = np.setdiff1d(fold[rows], [NOWHERE])
        self.names, self.matrix = list(names), matrix
        self.terms = Terms(matrix.terms, [s.model(read) for s in said.values()], books)
        self.computed = [f"language_{name}" for name in said] + COMMON
        columns = self.terms(matrix.times)
        for k in read:
            held = rows & (fold == k)
            columns[held] = Terms(matrix.terms, [s.model(read[read != k]) for s in said.values()], books)(matrix.times[held])
        dense = np.column_stack([matrix.columns(self.names), columns])
        self.scaler = data.Scaler(dense[rows], w[rows])
        self.bags = data.Bags(matrix.times[rows], bags)
        self.x = sparse.hstack([sparse.csr_matrix(self.scaler(dense) * rankers.SCALE), self.bags(matrix.times)]).tocsr()
        coef = rankers.svm_of_pairs(self.x, *pairs(p, rows), ALPHA)
        self.intercept = -float(np.average(self.x[rows] @ coef, weights=w[rows]))
        self.coef, k = coef, dense.shape[1]
        self.dense, self.of_terms = coef[:k] * rankers.SCALE, coef[k:]

    def scores(self):
        return self.x @ self.coef + self.intercept


class Terms:
    """What is computed of a passage's terms: the ratios of language models, then how common
    its phrases of two and three words are. All are sums over terms, by the number of words."""

    def __init__(self, terms, models, books):
        size = [t.count(" ") + 1 for t in terms]
        self.books = np.array([[books.get(t, 0) * (n == k) for k in (2, 3)] for t, n in zip(terms, size)])
        self.language, self.single = np.column_stack([m.weight for m in models]), models[0].single
        self.table = np.column_stack([self.language, self.books > 0, np.log1p(self.books)])

    def __call__(self, times):
        words = np.asarray(times[:, self.single].sum(axis=1)).ravel()
        return (times @ self.table) / np.maximum(1, words)[:, None]


COMMON = ["common_pairs", "common_triples", "common_pairs_log", "common_triples_log"]
NOWHERE = -1  # fold of what is in none


def judged(p, scores, rows):
    """AUC and figures over the documents of some rows."""
    groups = {name: np.array([i for i in g if rows[i]]) for name, g in p.groups().items()}
    groups = {name: g for name, g in groups.items() if len(g) and 0 < (p.counts[g] > 0).sum() < len(g)}
    f = judge.by_document(scores, p.counts, groups)
    a = 100 * np.array([[judge.auc(scores[g], p.counts[g] > 0)] for g in groups.values()])
    return np.hstack([f, a])


def transfer(p, matrix, fold, names, bags, said, books):
    """Rows of the table: what was trained on, what is tested on."""
    bible, twain = np.isin(p.kinds, ["verse", "window 3", "window 8"]), p.kinds == "twain"
    other = p.kinds == "paratext"
    out = []
    for name, teaches, of in (("the Bible", bible, ["bible"]), ("Twain", twain, ["twain"]), ("both", bible | twain, list(said))):
        scores = np.zeros(len(p.counts))
        for k in range(FOLDS):  # by document; where the books are all others, the folds agree
            fitted = Fitted(p, matrix, (teaches & (fold != k)) | other, fold, names, bags, {n: said[n] for n in of}, books)
            scores[fold == k] = fitted.scores()[fold == k]
        for tested, rows in (("verses", p.kinds == "verse"), ("Twain", twain)):
            out.append((name, tested, judged(p, scores, rows)))
            m, low, high = judge.interval(out[-1][2])
            print(f"| {name} | {tested} | {len(out[-1][2])} | " + " | ".join(f"{m[c]:.1f} ({low[c]:.1f}–{high[c]:.1f})" for c in (0, 2, 5, 6, 7)) + " |", flush=True)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bible", required=True, help="folder of a run of configs/kjv-newspapers.yaml")
    parser.add_argument("--twain", required=True, help="folder of a run of configs/twain.yaml")
    parser.add_argument("--books", required=True, help="folder of a run of configs/books.yaml")
    parser.add_argument("--keep", required=True, help="folder for vectors")
    parser.add_argument("--out", default=str(data.ROOT / "models" / "quotability-features"))
    options = parser.parse_args()

    verses, twain = data.read_run(options.bible, "verse"), data.read_run(options.twain, "twain")
    p = data.join(verses, *(windows(verses, s) for s in WINDOWS), twain, made_up(2000))
    books = others.common([options.books], BOOKS)
    matrix = data.vectors(p, pathlib.Path(options.keep) / "vectors", LEAST, sorted(books))
    names = used(matrix.names)
    enough = np.bincount(matrix.times.indices, minlength=len(matrix.terms)) >= LEAST
    bags = enough & np.array([t != "" and not t.split(" ")[0].isupper() for t in matrix.terms])
    said = {"bible": language.Occurrences.read(options.bible, matrix.terms), "twain": language.Occurrences.read(options.twain, matrix.terms)}
    of = {"paratext": NOWHERE}
    for run, of_run in ((options.bible, verses), (options.twain, twain)):
        of |= zip(of_run.documents, data.run_folds(run, of_run.documents))
    fold = np.array([of[name] for name in p.documents])
    print("| taught by | tested on | books | NDCG@1 | NDCG@5 | NDCG@50 | rho | AUC |\n|---|---|---:|---|---|---|---|---|")
    table = transfer(p, matrix, fold, names, bags, said, books)

    fitted = Fitted(p, matrix, np.ones(len(p.counts), bool), fold, names, bags, said, books)
    report = {
        "data": f"{len(verses.counts)} verses and their windows, {len(twain.counts)} paragraphs of Twain, 2000 made-up pages",
        "folds": "the five of the runs' tables counted, by document; NDCG in the form of Content-based models of quotation; hundredths, with 95 % bootstrap intervals over documents",
        "transfer": [
            {"taught by": name, "tested on": tested, "documents": len(f)}
            | {c: [round(float(v), 1) for v in figures] for c, *figures in zip(judge.COLUMNS + ["AUC"], *judge.interval(f))}
            for name, tested, f in table
        ],
    }
    folder.write(pathlib.Path(options.out), fitted, report)


if __name__ == "__main__":
    main()
