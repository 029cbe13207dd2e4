"""Fits models/quotability-features and says how it carries over between books.

    commonplace build configs/kjv-newspapers.yaml && commonplace build configs/twain.yaml
    python3 models/make.py --bible out/kjv-newspapers --twain out/twain --keep .cache/make

The Bible teaches in verses and, since the pipeline scores paragraphs of 200 words as
well, in windows of three and eight verses whose count is the sum of theirs: the
paper's definition, a portion that overlaps the passage in part or whole. Twain's
paragraphs teach with the quotations that were found in them. What neither holds,
the pages around a book's text, is added as made-up passages (paratext.py).

The ratio of language models is by the words that either run's table language counted,
and the folds are those of their tables counted. Prints the transfer table (train on one,
test on the other), writes the folder with its metrics. Everything is seeded and runs on
one thread.
"""

import argparse
import json
import pathlib
import random

import numpy as np

import data
import folder
import judge
import language
import paratext
import rankers

WINDOWS = (3, 8)  # verses: about 75 and 200 words
ALPHA = 15.0
FOLDS = 5  # of the runs' tables
NOWHERE = -1  # fold of what is in none
LEAST = 30  # passages that a term is in; a verse is in five, with its windows

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


def target(p, rows):
    """What is learnt: the logarithm of the count, less its mean in the document, by kind
    of passage in units of its spread. Paratext lies one such unit below the mean."""
    y = np.zeros(len(p.counts))
    for kind in SHARE:
        here = np.flatnonzero(rows & (p.kinds == kind))
        if kind == "paratext" or not len(here):
            continue
        v = rankers.within(np.log1p(p.counts[here]), p.documents[here])
        y[here] = v / v.std()
    y[rows & (p.kinds == "paratext")] = -1.0
    return y


class Fitted:
    """A linear model over scaled features, the ratio, and a bag of terms. said is what the
    tables language of the runs that teach have counted."""

    def __init__(self, p, matrix, rows, fold, names, keep, said, alpha=ALPHA):
        w = weights(p, rows)
        self.inputs = rankers.Inputs(matrix, p.counts, rows, fold, names, keep is not None, True, keep, w, said)
        self.x = self.inputs.linear()
        self.coef, self.intercept = rankers.ridge(self.x[rows], target(p, rows)[rows], alpha, w[rows])
        k = self.inputs.dense.shape[1]
        self.dense, self.terms = self.coef[:k] * rankers.SCALE, self.coef[k:]

    def scores(self):
        return self.x @ self.coef + self.intercept


def judged(p, scores, rows):
    """Figures and AUC over the documents of some rows."""
    groups = {name: g[rows[g]] for name, g in p.groups().items()}
    return judge.with_auc(scores, p.counts, groups)


def transfer(p, matrix, fold, names, keep, said):
    """Rows of the table: what was trained on, what is tested on."""
    bible, twain = np.isin(p.kinds, ["verse", "window 3", "window 8"]), p.kinds == "twain"
    other = p.kinds == "paratext"
    out = []
    taught = ("the Bible", bible, said["bible"]), ("Twain", twain, said["twain"]), ("both", bible | twain, said["bible"] + said["twain"])
    for name, teaches, of in taught:
        scores = np.zeros(len(p.counts))
        for k in range(FOLDS):  # by document; where the books are all others, the folds agree
            scores[fold == k] = Fitted(p, matrix, (teaches & (fold != k)) | other, fold, names, keep, of).scores()[fold == k]
        for tested, rows in (("verses", p.kinds == "verse"), ("Twain", twain)):
            out.append((name, tested, judged(p, scores, rows)))
            print(f"| {name} | {tested} | " + " | ".join(judge.short(out[-1][2])) + " |", flush=True)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bible", required=True, help="folder of a run of configs/kjv-newspapers.yaml")
    parser.add_argument("--twain", required=True, help="folder of a run of configs/twain.yaml")
    parser.add_argument("--keep", required=True, help="folder for vectors")
    parser.add_argument("--out", default=str(data.ROOT / "models" / "quotability-features"))
    options = parser.parse_args()

    verses, twain = data.read_run(options.bible, "verse"), data.read_run(options.twain, "twain")
    p = data.join(verses, *(windows(verses, s) for s in WINDOWS), twain, made_up(2000))
    matrix = data.vectors(p, pathlib.Path(options.keep) / "vectors", LEAST)
    names = used(matrix.names)
    words = np.array([t != "" and not t.split(" ")[0].isupper() for t in matrix.terms])
    said = {name: language.Occurrences.read(run, matrix.terms) for name, run in (("bible", options.bible), ("twain", options.twain))}
    of = {"paratext": NOWHERE}
    for run, part in ((options.bible, verses), (options.twain, twain)):
        of |= zip(part.documents, data.run_folds(run, part.documents, FOLDS))
    fold = np.array([of[name] for name in p.documents])
    print("| taught by | tested on | " + " | ".join(judge.SHORT) + " |\n|---|---|---:|---|---|---|---|---|")
    table = transfer(p, matrix, fold, names, words, said)

    fitted = Fitted(p, matrix, np.ones(len(p.counts), bool), fold, names, words, said["bible"] + said["twain"])
    report = {
        "data": f"{len(verses.counts)} verses and their windows, {len(twain.counts)} paragraphs of Twain, 2000 made-up pages",
        "folds": "the five of the runs' tables counted, by document; NDCG in the form of Content-based models of quotation; hundredths, with 95 % bootstrap intervals over documents",
        "transfer": [
            {"taught by": name, "tested on": tested, "documents": len(f)}
            | {c: [round(float(v), 1) for v in figures] for c, *figures in zip(judge.COLUMNS + ["AUC"], *judge.interval(f))}
            for name, tested, f in table
        ],
    }
    folder.write(pathlib.Path(options.out), fitted, matrix, report)


if __name__ == "__main__":
    main()
