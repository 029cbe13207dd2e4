"""Judges the feature-based rankers on a run's passages, in nested folds by document.

    commonplace build bench/configs/kjv-newspapers.yaml
    PYTHONPATH=models python3 models/shipped/train.py --run out/kjv-newspapers --keep .cache/train [--only NAME ...]

prints the table of docs/rankings.md: every model and baseline, five folds by
document. With --others RUN ... also what the phrases of other runs' books add
(others.py). With --own-folds the folds are those of the run's table counted, and the
language models are its table language. What a model's search may choose is chosen
for each fold on the other four alone: a model fitted without folds j and k serves
both the search of j and that of k. The grids of Poisson regression, SVM-rank and
LambdaMART are the paper's (Appendix H), without its choice of lemmas; those of the
models with phrases lie around what is best without, on all folds. Scores of each
model are kept in --keep and read from there the next time that the same tables, folds,
grid and kind of ratio are asked for: the files' names end in a digest of these (Kept).

models/shipped/make.py fits the model that is shipped. Needs models/shipped/requirements.txt and Go;
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
TENS = [10.0**i for i in range(-5, 2)]
RATES, DEPTHS, ROUNDS = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5), (4, 6, 8, 10), (50, 100, 250, 500)
WEIGHTS = list(itertools.product((0.4, 0.8), (0.7, 1.4)))  # of what other books share, of neighbours' bags
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

    def outside(self, train):
        """What other books share with the passages, scaled."""
        if self.phrases is None:
            self.phrases = self.keep("others", lambda: others.shared([r["text"] for r in self.passages.rows], self.runs))
        return data.Scaler(self.phrases[train])(self.phrases)

    def near(self, x):
        """Of each passage the mean of its neighbours."""
        if self.neighbours is None:
            self.neighbours = around(self)
        return self.neighbours @ x

    def with_phrases(self, train, made, share, near):
        """The linear inputs, what other books share with the passage, and its neighbours' bags."""
        return sparse.hstack([made.linear(), sparse.csr_matrix(share * self.outside(train)), near * self.near(made.tfidf)]).tocsr()

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


def linear(table, kind, phrases=False, **parts):
    """fit(without, setting) of a linear ranker; with phrases the setting's second part are
    the weights of what other books share and of the neighbours' bags."""
    p = table.passages
    log = np.log1p(p.counts)

    def fit(without, setting):
        setting, weights = setting if phrases else (setting, None)
        train, made = table.inputs(without, **parts)
        x = table.with_phrases(train, made, *weights) if phrases else made.linear()
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


def trees(table, phrases=False):
    """fit(without, setting) of LambdaMART on the features without bags; with phrases also on what
    other books share and on the neighbours' features. A booster of the most rounds serves the others."""
    p, boosters = table.passages, {}

    def fit(without, setting):
        rate, depth, rounds = setting
        train, made = table.inputs(without, bags="")
        x = made.dense
        if phrases:
            x = np.hstack([x, outside := table.outside(train), table.near(x), table.near(outside)])
        if (without, rate, depth) not in boosters:
            boosters.clear()
            boosters[without, rate, depth] = rankers.lambdamart(x[train], p.counts[train], p.documents[train], rate, depth, max(ROUNDS))
        return rankers.boosted(boosters[without, rate, depth], x, rounds)

    return fit


def ratio(table):
    """fit(without, nothing) of the ratio of language models alone."""

    def fit(without, _):
        _, made = table.inputs(without)
        return made.dense[:, -1]

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
    alphas = (1.5, 5.0, 15.0, 50.0)
    within = lambda **parts: nested(linear(table, "within", **parts), alphas)
    pairs, rounds = list(itertools.product(TENS, (1, 3, 5, 10))), list(itertools.product(RATES, DEPTHS, ROUNDS))
    yield "random, the mean of all orders", once(np.zeros(len(text)))
    yield "shortest first", once([-len(t) for t in text])
    yield "first first", once(-np.arange(len(text)))
    yield BASELINE, nested(linear(table, "ridge", names="plain", bags="pairs", ratio=False), [1.0])
    yield "the ratio of language models alone", nested(ratio(table), [()])
    yield LINEAR[0], nested(linear(table, "poisson"), TENS)
    yield LINEAR[1], nested(linear(table, "svm"), pairs)
    yield "LambdaMART", nested(trees(table), rounds)
    yield LINEAR[2], within()
    if table.runs:  # around the settings that are best without
        more = {"phrases": True}
        yield PHRASES[0], nested(linear(table, "poisson", **more), list(itertools.product((1e-4, 1e-3), WEIGHTS)))
        yield PHRASES[1], nested(linear(table, "svm", **more), list(itertools.product(((1e-3, 5), (1e-3, 10)), WEIGHTS)))
        yield PHRASES[2], nested(trees(table, **more), list(itertools.product((0.2, 0.4), (4, 8), ROUNDS)))
        yield PHRASES[3], nested(linear(table, "within", **more), list(itertools.product((5.0, 15.0), WEIGHTS)))
    yield "Poisson, features alone", nested(linear(table, "poisson", bags=""), TENS)
    yield "ridge within documents, no bags", within(bags="")
    yield "ridge within documents, no bags, no language model", within(bags="", ratio=False)
    yield "ridge within documents, no language model", within(ratio=False)
    yield "ridge within documents, no tagger", within(names="no tagger")
    yield "ridge within documents, no places", within(names="no places")


BASELINE = "ridge, 22 features and TF-IDF, alpha 1"
LINEAR = ("Poisson", "SVM-rank", "ridge within documents")
PHRASES = tuple(n + ", phrases and surroundings" for n in ("Poisson", "SVM-rank", "LambdaMART", "ridge within documents"))
TUNED = "fine-tuned encoder"
FOUR = "mean of the four with phrases and surroundings"
MEANS = {  # of standard scores, so that each has the same say
    "mean of the three linear ones": LINEAR,
    FOUR: PHRASES,
    "mean of the fine-tuned encoder and that of the four": (TUNED, FOUR),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", required=True, help="folder of a run with passages and quote_counts")
    parser.add_argument("--keep", required=True, help="folder for vectors and scores")
    parser.add_argument("--others", nargs="*", default=[], help="folders of runs of other books, whose phrases are compared")
    parser.add_argument("--beside", help="scores.jsonl (passage_id, score) of another model, judged alone and beside the models of phrases")
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
