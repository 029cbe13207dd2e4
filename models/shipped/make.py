"""Fits models/quotability-features, the default: is this a sentence that a reader copies out?

    commonplace build bench/configs/readers-sentences.yaml && commonplace build bench/configs/readers.yaml
    commonplace build bench/configs/kjv-newspapers.yaml
    python3 models/shipped/make.py --sentences out/readers-sentences --passages out/readers --bible out/kjv-newspapers --keep .cache/make

Three linear models read the features and terms of a sentence. One learns from what readers and
editors quote of books. One learns from what newspapers quote of the Bible, because what is
quoted of scripture and of novels differs. The third tells scripture from the rest, and weighs
the two.

Prints how well held-out passages are ranked, in the folds of the runs' tables: by author for the
books, by book for the Bible. Writes the folder, taught by everything. Everything is seeded and
runs on one thread.
"""

import argparse
import json
import pathlib
import random

import numpy as np
import scipy.sparse as sparse
from sklearn.linear_model import LogisticRegression, Ridge

import cutting
import data
import folder
import judge
import paratext
from data import Bags, Scaler

SEED = 1836
FOLDS = 5  # of the runs' tables
NOWHERE = -1  # fold of what is in none
LEAST = 20  # sentences that a term is in
TERMS = 60_000  # terms that the shipped model keeps
SCALE = 0.1  # of a feature of unit variance beside a bag of length one
BEST, REST = 3, 0.5  # a passage: the mean of its best sentences, and the mean of all with this weight

UNQUOTED = 8  # sentences that nobody quotes for each that somebody does, of each book
EDITOR = 0.3  # weight of a sentence that only editors chose; one that n readers quote weighs 1 + ln(1 + n)
VERSE = 0.6  # weight of plays and poems, where lines are quoted and not sentences
MADE_UP = 2000  # pages around a book's text
GATE = 60_000  # sentences of books that scripture is told from
PENALTY, GATE_PENALTY = 0.35, 1.0  # C of the logistic regressions
WEIGHT = 0.35  # of a row of books on average, which PENALTY is beside
BIBLE_PENALTY = 8.0  # alpha of the ridge
SHARP, BIAS = 2.0, 0.5  # scripture counts as such where the third model is sure


def made_up():
    draw = random.Random(SEED)
    rows = [{"text": paratext.paratext(draw), "position": 0.0, "places": []} for _ in range(MADE_UP)]
    return data.Passages(np.array(["paratext"] * MADE_UP), np.zeros(MADE_UP), np.zeros(MADE_UP, bool), rows, np.array(["paratext"] * MADE_UP))


def columns(run, passages, *names):
    """Columns of a run's table counted, in the order of its passages."""
    of = {(r["doc_id"], r["index"]): r for r in data.read_table(run, "counted", ["doc_id", "index", *names])}
    rows = [of[r["doc_id"], r["index"]] for r in passages.rows]
    return [np.array([r[n] for r in rows]) for n in names]


class Teaching:
    """What the rows are, and who quotes them."""

    def __init__(self, books, readers, editors, genre, fold, bible, bible_fold, unquoted=UNQUOTED):
        n, verses = len(books.counts), len(bible.counts)
        self.rows = data.join(books, bible, made_up())
        self.n = len(self.rows.counts)
        pad = lambda a, fill: np.concatenate([a, np.full(self.n - len(a), fill, dtype=a.dtype)])
        self.readers, self.editors, self.genre = pad(readers, 0), pad(editors, 0), pad(genre, "")
        self.quoted = (self.readers > 0) | (self.editors > 0)
        self.fold = np.concatenate([fold, bible_fold, np.full(MADE_UP, NOWHERE)])
        self.books, self.bible = np.arange(n), np.arange(n, n + verses)
        self.paratext = np.arange(n + verses, self.n)
        self.groups = self.rows.groups()
        self.rows_of_books, self.weight = self.sample(unquoted)
        self.scripture = self.of_bible()
        self.told = np.concatenate([np.random.default_rng(SEED).choice(n, min(n, GATE), replace=False), self.bible])

    def sample(self, unquoted):
        """Rows that teach what is quoted of books, with weights: of each book as many unquoted for
        each quoted sentence, together twice its weight, and a book's weight grows with the root
        of what is quoted of it."""
        draw, rows = np.random.default_rng(SEED), []
        each = np.where(self.readers > 0, 1 + np.log1p(self.readers), EDITOR) * np.where(np.isin(self.genre, ["verse", "drama"]), VERSE, 1)
        weight = np.zeros(self.n)
        for group in self.groups.values():
            yes, no = group[self.quoted[group]], group[~self.quoted[group]]
            if group[0] > self.books[-1] or not len(yes) or not len(no):
                continue
            no = draw.choice(no, min(len(no), unquoted * len(yes)), replace=False)
            total = each[yes].sum() ** 0.5
            weight[yes] = each[yes] / each[yes].sum() * total
            weight[no] = 2 * total / len(no)
            rows += [yes, no]
        weight[self.paratext] = 0.02 * weight.sum() / MADE_UP
        return np.concatenate(rows + [self.paratext]), weight

    def of_bible(self):
        """The logarithm of a verse's count less the mean of its book."""
        y = np.zeros(self.n)
        for group in self.groups.values():
            if self.bible[0] <= group[0] <= self.bible[-1]:
                v = np.log1p(self.rows.counts[group])
                y[group] = v - v.mean()
        return y


class Fitted:
    """The three models, taught by all rows that are not of a fold."""

    def __init__(self, t, matrix, names, terms, held=None):
        self.names = names
        taught = t.fold != held if held is not None else np.ones(t.n, bool)
        x = matrix.columns(names)
        self.scaler = Scaler(x[t.books][taught[t.books]])
        self.bags = Bags(matrix.times[np.flatnonzero(taught)], terms)
        self.scale = SCALE
        self.x = self.inputs(x, matrix.times)
        rows = t.rows_of_books[taught[t.rows_of_books]]
        w = t.weight[rows] / t.weight[rows].mean() * WEIGHT
        books = self.logistic(rows, t.quoted[rows], w, PENALTY)
        verses = t.bible[taught[t.bible]]
        ridge = Ridge(alpha=BIBLE_PENALTY, solver="sparse_cg", tol=1e-4, max_iter=400).fit(self.x[verses], t.scripture[verses])
        told = t.told[taught[t.told]]
        gate, bias = self.logistic(told, told >= t.bible[0], None, GATE_PENALTY)
        # Both in units of the spread of the sentences that teach them, 0 their mean.
        self.books = self.standard(*books, rows[~t.quoted[rows]])
        self.bible = self.standard(ridge.coef_, float(ridge.intercept_), verses)
        self.gate = SHARP * gate, SHARP * (bias - BIAS)

    def inputs(self, x, times):
        """Scaled features and the bag of terms, side by side."""
        return sparse.hstack([sparse.csr_matrix(self.scaler(x) * SCALE), self.bags(times)]).tocsr()

    def logistic(self, rows, y, weight, penalty):
        m = LogisticRegression(C=penalty, max_iter=300, tol=1e-4).fit(self.x[rows], y, sample_weight=weight)
        return m.coef_[0], float(m.intercept_[0])

    def standard(self, weights, bias, rows):
        s = self.x[rows] @ weights + bias
        return weights / s.std(), (bias - s.mean()) / s.std()

    def keep(self, most):
        """Sets the weights of all but so many terms to zero, those that move scores least."""
        k = len(self.names)
        moved = np.sqrt(np.bincount(self.x.indices, minlength=self.x.shape[1])[k:])
        matters = moved * (np.abs(self.books[0][k:]) + np.abs(self.bible[0][k:]) + 0.3 * np.abs(self.gate[0][k:]))
        weak = np.argsort(-matters, kind="stable")[most:] + k
        for model in (self.books, self.bible, self.gate):
            model[0][weak] = 0

    def scores(self, x=None):
        x = self.x if x is None else x
        books, bible, gate = (x @ w + b for w, b in (self.books, self.bible, self.gate))
        scripture = 1 / (1 + np.exp(-gate))
        return (1 - scripture) * books + scripture * bible


def passages_by(scores, rows, of, holder, n):
    """A passage's score by its sentences: the mean of its BEST, one that it lacks counting 0, and
    REST times the mean of all, by their words."""
    length = np.array([len(rows[j]["text"].split()) for j in of])
    some = length >= 4
    of, holder, length = of[some], holder[some], length[some]
    best = cutting.by_best(scores[of], holder, n, BEST)
    mean = np.bincount(holder, scores[of] * length, n) / np.maximum(1, np.bincount(holder, length, n))
    return best + REST * mean


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", required=True, help="folder of a run of bench/configs/readers-sentences.yaml")
    parser.add_argument("--passages", required=True, help="folder of a run of bench/configs/readers.yaml")
    parser.add_argument("--bible", required=True, help="folder of a run of bench/configs/kjv-newspapers.yaml")
    parser.add_argument("--keep", required=True, help="folder for vectors")
    parser.add_argument("--out", default=str(data.ROOT / "models" / "quotability-features"))
    parser.add_argument("--held-out", help="NumPy file for the held-out scores of sentences and verses")
    parser.add_argument("--scores", help="file for the held-out scores of passages, a JSON line each: book, begin, end, score")
    options = parser.parse_args()

    books, passages, bible = data.read_run(options.sentences, "sentence"), data.read_run(options.passages, "passage"), data.read_run(options.bible, "verse")
    readers, editors, genre, fold = columns(options.sentences, books, "readers", "editors", "genre", "fold")
    t = Teaching(books, readers, editors, genre, fold, bible, data.run_folds(options.bible, bible.documents, FOLDS, ["counted"]))
    matrix = data.vectors(t.rows, pathlib.Path(options.keep) / "vectors", LEAST)
    names = matrix.names[: matrix.names.index("noun")]  # parts of speech are read as terms; no places, which mean something else in every genre
    terms = np.array([term != "" for term in matrix.terms])

    scores = np.zeros(t.n)
    for k in range(FOLDS):
        f = Fitted(t, matrix, names, terms, k)
        f.keep(TERMS)
        scores[t.fold == k] = f.scores()[t.fold == k]
    spans = cutting.spans(options.passages)
    of, holder = cutting.owners(cutting.spans(options.sentences), spans)
    ranked = passages_by(scores, books.rows, of, holder, len(passages.rows))
    passage_readers, passage_genre = columns(options.passages, passages, "readers", "genre")
    table = judge.readers_table(ranked, passage_readers, passages.groups(), passage_genre)
    verses = judge.with_auc(scores[t.bible], bible.counts, bible.groups())
    print(table)
    if options.held_out:
        np.save(options.held_out, scores)
    print("the Bible: " + ", ".join(f"{c} {v}" for c, v in zip(judge.SHORT, judge.short(verses))), flush=True)
    if options.scores:
        with open(options.scores, "w", encoding="utf-8") as out:
            for (doc, _, begin, end), s in zip(spans, ranked):
                out.write(json.dumps({"book": doc, "begin": begin, "end": end, "score": round(float(s), 6)}) + "\n")

    fitted = Fitted(t, matrix, names, terms)
    fitted.keep(TERMS)
    report = {
        "data": f"{len(books.counts)} sentences of {len(books.groups())} books, {int((readers > 0).sum())} quoted by readers and {int((editors > 0).sum())} by editors; {len(bible.counts)} verses; {MADE_UP} made-up pages",
        "folds": f"{FOLDS}, by author for books and by book for the Bible",
        "readers": table.splitlines(),
        "the Bible": dict(zip(judge.SHORT, judge.short(verses))),
    }
    folder.write(pathlib.Path(options.out), fitted, matrix, report, sentences=BEST, rest=REST, runs=[options.passages, options.bible])


if __name__ == "__main__":
    main()
