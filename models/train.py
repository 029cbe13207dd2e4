"""Judges the feature-based rankers on a run's passages, in nested folds by document.

    commonplace build configs/kjv-newspapers.yaml
    python3 models/train.py --run out/kjv-newspapers --keep .cache/train [--only NAME ...]

prints the table of docs/rankings.md: every model and baseline, five folds by
document. With --others RUN ... also what the phrases of other runs' books add
(others.py). With --own-folds the folds are those of the run's table counted, and the
language models are its table language. What a model's search may choose (alpha, negatives, rate, depth, rounds) is
chosen for each fold on the other four alone: a model fitted without folds j and
k serves both the search of j and that of k. The grids are smaller than the paper's
(Appendix H), around what it found best. Scores of each model are kept in --keep and
read from there the next time that the same tables, folds, grid and kind of ratio are
asked for: the files' names end in a digest of these (Kept).

models/make.py fits the model that is shipped. Needs models/requirements.txt and Go;
one thread, seeded: the same inputs and libraries give the same figures.
"""

import argparse
import hashlib
import itertools
import json
import pathlib

import numpy as np
import scipy.sparse as sparse

import data
import judge
import language
import others
import rankers

FOLDS = 5
QUICK = {"tolerance": 1e-3, "steps": 200}  # enough to rank by, and dozens of fits are made
OTHERS, NEAR = 0.4, 0.7  # of what other books share, of neighbours' bags
# The features of an afternoon's baseline: no tagger, no places but one.
PLAIN = """words word_length long_words capitals stop begins_stop quotation parenthesis colon dash semicolon dialogue
abstract quantifier comparative superlative ed first second third indefinite position""".split()


class Kept:
    """Arrays in a folder, by what they are and by a digest of what they were made from:
    with other tables, folds or settings the name is another, and nothing is found."""

    def __init__(self, folder, **made_from):
        self.folder, self.made_from = pathlib.Path(folder), made_from

    def __call__(self, name, make, **more):
        """The array of a name, made once; more is what it alone depends on."""
        said = json.dumps(self.made_from | more, sort_keys=True)
        digest = hashlib.sha256(said.encode()).hexdigest()[:16]
        path = self.folder / f"{name.replace(' ', '-').replace('/', '-')}.{digest}.npy"
        if not path.exists():
            np.save(path, make())
            path.with_suffix(".json").write_text(said + "\n", encoding="utf-8")
        return np.load(path)


def digests(run, *tables):
    """SHA-256 of the files of a run's tables."""
    return {name: [shard["sha256"] for shard in data.commit(run, name)["shards"]] for name in tables}


class Table:
    """The passages, their folds, and the inputs of every split, made once."""

    def __init__(self, passages, matrix, keep, runs=(), own=None):
        self.passages, self.matrix, self.keep = passages, matrix, keep
        self.fold, self.said = data.folds(passages.documents, FOLDS), None
        if own:  # the run whose folds and language models are used
            self.fold, self.said = data.run_folds(own, passages.documents, FOLDS), language.Occurrences.read(own, matrix.terms)
        self.groups = passages.groups()
        self.inputs_of = {}
        self.runs, self.phrases, self.neighbours = runs, None, None
        lexical = matrix.names[: matrix.names.index("noun")]
        places = matrix.names[matrix.names.index("position") :]
        spoken = [n for n in matrix.names if n not in lexical and n not in places]
        varies = {n for n, spread in zip(matrix.names, matrix.dense.std(axis=0)) if spread > 0}  # verses have no acts
        lexical, places, spoken = ([n for n in part if n in varies] for part in (lexical, places, spoken))
        self.sets = {"all": lexical + spoken + places, "no tagger": lexical + places, "no places": lexical + spoken, "plain": PLAIN}
        self.speech = np.array([t != "" and t.split(" ")[0].isupper() for t in matrix.terms])
        self.long = np.array([t.count(" ") > 1 for t in matrix.terms]) & ~self.speech

    def inputs(self, without, names="all", bags="words", ratio=True):
        """Inputs made from the rows that are in none of the folds."""
        key = (without, names, bags, ratio)
        if key not in self.inputs_of:
            self.inputs_of = {k: v for k, v in self.inputs_of.items() if k[1:] == key[1:]}  # one set at a time
            train = ~np.isin(self.fold, without)
            keep = {"words": ~self.speech, "words and speech": None, "pairs": ~self.speech & ~self.long, "": None}[bags]
            made = rankers.Inputs(self.matrix, self.passages.counts, train, self.fold, self.sets[names], bool(bags), ratio, keep, said=self.said)
            self.inputs_of[key] = (train, made)
        return self.inputs_of[key]

    def outside(self, train, made, near):
        """The linear inputs, what other books share with the passage, and its neighbours' bags."""
        if self.phrases is None:
            self.phrases = self.keep("others", lambda: others.shared([r["text"] for r in self.passages.rows], self.runs))
            self.neighbours = around(self)
        parts = [made.linear(), sparse.csr_matrix(data.Scaler(self.phrases[train])(self.phrases) * OTHERS)]
        return sparse.hstack(parts + ([NEAR * (self.neighbours @ made.tfidf)] if near else [])).tocsr()

    def nested(self, fit, grid):
        """Out-of-fold scores; the setting of each fold is chosen on the other four."""
        p, settings = self.passages, list(grid)
        chosen = {k: settings[0] for k in range(FOLDS)}
        if len(settings) > 1:
            held = np.zeros((FOLDS, len(settings), len(p.counts)))  # [without k, setting, row]
            for j, k in itertools.combinations(range(FOLDS), 2):
                for s, setting in enumerate(settings):
                    scores = fit((j, k), setting)
                    held[j, s, self.fold == k], held[k, s, self.fold == j] = scores[self.fold == k], scores[self.fold == j]
            for k in range(FOLDS):
                groups = {name: rows for name, rows in self.groups.items() if self.fold[rows[0]] != k}
                best = [judge.choice(held[k, s], p.counts, groups) for s in range(len(settings))]
                chosen[k] = settings[int(np.argmax(best))]
        scores = np.zeros(len(p.counts))
        for k in range(FOLDS):
            scores[self.fold == k] = fit((k,), chosen[k])[self.fold == k]
        return scores, chosen

    def kept(self, name, grid, make):
        """The scores of a system, made once."""

        def scores():
            made, chosen = make()
            print(f"{name}: {chosen}", flush=True)
            return made

        return self.keep(name, scores, grid=grid)


def linear(table, kind, outside=False, near=False, **parts):
    """fit(without, setting) of a linear ranker; outside, with what other books share; near, with neighbours."""
    p = table.passages
    log = np.log1p(p.counts)

    def fit(without, setting):
        train, made = table.inputs(without, **parts)
        x = table.outside(train, made, near) if outside else made.linear()
        if kind == "poisson":
            coef, _ = rankers.poisson(x[train], p.counts[train], setting)
        elif kind == "svm":
            coef, _ = rankers.svm_rank(x[train], p.counts[train], p.documents[train], *setting)
        elif kind == "ridge":
            coef, _ = rankers.ridge(x[train], log[train], setting, **QUICK)
        else:  # ridge within documents
            coef, _ = rankers.ridge(x[train], rankers.within(log[train], p.documents[train]), setting, **QUICK)
        return x @ coef

    return fit


def trees(table):
    p = table.passages

    def fit(without, setting):
        train, made = table.inputs(without, bags="")
        model = rankers.lambdamart(made.dense[train], p.counts[train], p.documents[train], *setting)
        return rankers.boosted(model, made.dense)

    return fit


def around(table, width=5):
    """Means over the neighbours of each passage in its document, the nearer the heavier."""
    n, documents = len(table.fold), table.passages.documents
    rows, columns, weights = [], [], []
    for offset in (o for o in range(-width, width + 1) if o):
        i = np.arange(max(0, -offset), n - max(0, offset))
        i = i[documents[i] == documents[i + offset]]
        rows, columns = np.append(rows, i), np.append(columns, i + offset)
        weights = np.append(weights, np.full(len(i), 1 / abs(offset)))
    m = sparse.csr_matrix((weights, (rows, columns)), shape=(n, n))
    return (sparse.diags(1 / np.maximum(1e-9, np.asarray(m.sum(axis=1)).ravel())) @ m).tocsr()


def surroundings(table):
    """Ridge within documents that also reads the bags around the passage, and adds how
    alike the passage is to quoted ones of the training folds."""
    p, neighbours = table.passages, around(table)
    log = np.log1p(p.counts)

    def fit(without, setting):
        alpha, share, likeness = setting
        train, made = table.inputs(without)
        x = sparse.hstack([made.linear(), share * (neighbours @ made.tfidf)]).tocsr()
        coef, _ = rankers.ridge(x[train], rankers.within(log[train], p.documents[train]), alpha, **QUICK)
        scores = x @ coef
        quoted = np.flatnonzero(train & (p.counts > 0))
        test = np.flatnonzero(~train)
        alike = (made.tfidf[test] @ made.tfidf[quoted].T).multiply(log[quoted][None, :]).tocsr()
        alike.data = alike.data**3
        nearest = np.cbrt(np.asarray(alike.sum(axis=1)).ravel())
        standard = lambda v: (v - v.mean()) / v.std()
        out = np.zeros(len(scores))
        out[test] = standard(scores[test]) + likeness * standard(nearest)
        return out

    return fit


def standard(scores, fold):
    """Scores of zero mean and unit variance within each fold, so that models can be averaged."""
    out = np.zeros(len(scores))
    for k in np.unique(fold):
        out[fold == k] = (scores[fold == k] - scores[fold == k].mean()) / scores[fold == k].std()
    return out


def systems(table):
    """Names of the systems, and of each the grid and how its out-of-fold scores are made, best known last."""
    p = table.passages
    once = lambda scores: ([], lambda: (np.asarray(scores, dtype=float), "nothing to choose"))
    text = [r["text"] for r in p.rows]
    nested = lambda fit, grid: (grid, lambda: table.nested(fit, grid))
    alphas = (5.0, 15.0)
    within = lambda **parts: nested(linear(table, "within", **parts), alphas)
    yield "random, the mean of all orders", once(np.zeros(len(text)))
    yield "shortest first", once([-len(t) for t in text])
    yield "first first", once(-np.arange(len(text)))
    yield BASELINE, nested(linear(table, "ridge", names="plain", bags="pairs", ratio=False), [1.0])
    yield "ridge within documents", within()
    yield "SVM-rank", nested(linear(table, "svm"), [(1e-3, 1), (1e-3, 5)])
    yield "Poisson", nested(linear(table, "poisson"), [1e-4, 1e-3])
    if table.runs:
        yield "SVM-rank, phrases", nested(linear(table, "svm", outside=True), [(1e-3, 5)])
        more = {"outside": True, "near": True}
        yield PHRASES[0], nested(linear(table, "svm", **more), [(1e-3, 5)])
        yield PHRASES[1], nested(linear(table, "within", **more), [10.0])
        yield PHRASES[2], nested(linear(table, "poisson", **more), [3e-4])
    yield "ridge with its surroundings", nested(surroundings(table), [(10.0, 0.7, 0.0), (10.0, 0.7, 0.5)])
    yield "LambdaMART", nested(trees(table), [(0.1, 4, 100)])
    yield "Poisson, features alone", nested(linear(table, "poisson", bags=""), [1e-2])
    yield "ridge within documents, no bags", nested(linear(table, "within", bags=""), [alphas[-1]])
    yield "ridge within documents, no bags, no language model", nested(linear(table, "within", bags="", ratio=False), [alphas[-1]])
    yield "ridge within documents, no language model", nested(linear(table, "within", ratio=False), [alphas[-1]])
    yield "ridge within documents, no tagger", nested(linear(table, "within", names="no tagger"), [alphas[-1]])
    yield "ridge within documents, no places", nested(linear(table, "within", names="no places"), [alphas[-1]])


BASELINE = "ridge, 22 features and TF-IDF, alpha 1"
PHRASES = ("SVM-rank, phrases and surroundings", "ridge within documents, phrases and surroundings", "Poisson, phrases and surroundings")
TUNED = "fine-tuned encoder"
ALL_PHRASES = "mean of the three with phrases and surroundings"
MEANS = {  # of standard scores, so that each has the same say
    "mean of SVM-rank, ridge with its surroundings, Poisson": ("SVM-rank", "ridge with its surroundings", "Poisson"),
    ALL_PHRASES: PHRASES,
    "mean of the fine-tuned encoder and that of the three": (TUNED, ALL_PHRASES),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", required=True, help="folder of a run with passages and quote_counts")
    parser.add_argument("--keep", required=True, help="folder for vectors and scores")
    parser.add_argument("--others", nargs="*", default=[], help="folders of runs of other books, whose phrases are compared")
    parser.add_argument("--beside", help="scores.jsonl of models/finetune_whole.py, judged alone and beside the models of phrases")
    parser.add_argument("--own-folds", action="store_true", help="folds and language models of the run's own tables counted and language")
    parser.add_argument("--only", nargs="*", help="names of systems")
    options = parser.parse_args()

    pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
    passages = data.read_run(options.run, "verse")
    matrix = data.vectors(passages, pathlib.Path(options.keep) / "vectors")
    own = ("counted", "language") if options.own_folds else ()
    keep = Kept(
        options.keep, folds=FOLDS, own_folds=options.own_folds, ratio=language.DEFINITION, features=matrix.version,
        run=digests(options.run, "passages", "quote_counts", *own), others=[digests(r, "passages") for r in options.others],
    )
    table = Table(passages, matrix, keep, options.others, options.own_folds and options.run)
    scores = {}
    for name, (grid, make) in systems(table):
        if not options.only or name in options.only:
            scores[name] = table.kept(name, grid, make)
    if options.beside:
        with open(options.beside, encoding="utf-8") as lines:
            said = {r["passage_id"]: r["score"] for r in map(json.loads, lines)}
        scores[TUNED] = np.array([said[r["passage_id"]] for r in passages.rows])
    for name, several in MEANS.items():
        if all(n in scores for n in several):
            scores[name] = sum(standard(scores[n], table.fold) for n in several)

    for title, keep in (("Empty counts as zero", None), ("Among passages with a count", passages.known)):
        rows = [(name, judge.by_document(s, passages.counts, table.groups, keep)) for name, s in scores.items()]
        print(f"\n## {title}\n\nMeans over {len(rows[0][1])} documents; below each its 95 % bootstrap interval over documents.\n")
        print(judge.markdown(rows))
        figures = dict(rows)
        if BASELINE not in figures:
            continue
        print("\n| beside the ridge of 22 features | NDCG@5 | rho | p of NDCG@5 | p of rho |\n|---|---|---|---|---|")
        for name, f in rows[4:]:
            m, low, high = judge.ratio(f, figures[BASELINE])
            p = judge.permutation(f, figures[BASELINE])
            cell = lambda c: f"{m[c]:.2f} ({low[c]:.2f}–{high[c]:.2f})"
            print(f"| {name} | {cell(2)} | {cell(6)} | {p[2]:.3f} | {p[6]:.3f} |")


if __name__ == "__main__":
    main()
