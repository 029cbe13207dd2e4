"""The language models of quotable text and background, and the ratio of the two.

The pipeline counts and weighs words in its table `language` (label/terms/terms.go):
quotable text is what alignments or given counts say is quoted, background all
passages. Here the table is read, and the same models are made of passages that no
table has, such as windows of verses. Both sides are held to one golden file:

    go test ./label -run Language -update
    python3 models/shipped/language.py --check                compare with the golden file
    python3 models/shipped/language.py --check RUN            and with the table of a run

The second is for a run whose counts come from a file (`count.from: file`), where a passage
is quoted whole, and of at most 100,000 words, which is where the pipeline stops: all columns
are counted anew. Where the counts come from alignments the pipeline counts the words that are
quoted and not their passages; quotable is then the table's own, and held against itself: its
folds add up to all, and the weights follow from it.
"""

import json
import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GOLDEN = ROOT / "label" / "terms" / "testdata" / "language.json"
PRIOR = 10.0  # quotations of every term that are believed without being seen
DEFINITION = 2  # of the ratio: another number when other weights come of the same counts; 1 was two smoothed models


class Occurrences:
    """How often terms stand in all passages and in quotable text, by fold."""

    def __init__(self, terms, background, quotable):
        self.terms, self.background, self.quotable = terms, background, quotable  # [folds, terms]

    @classmethod
    def of(cls, terms, times, counts, fold, folds):
        """Of passages, a row of a sparse matrix each, whose words are all quoted as often
        as counts says. A passage of no fold, -1, is left out."""
        times = times.tocoo()
        return cls.count(terms, times.row, times.col, times.data, counts, fold, folds)

    @classmethod
    def count(cls, terms, rows, columns, times, counts, fold, folds):
        """Of the entries of such a matrix that are not zero."""
        # One that is quoted 4,000 times is not all there is to say.
        share = np.round(np.log2(1 + counts) * 65536) / 65536
        some = fold[rows] >= 0
        rows, columns, times = rows[some], columns[some], times[some]
        place, size = fold[rows] * len(terms) + columns, folds * len(terms)
        background, quotable = (np.bincount(place, w, size).reshape(folds, len(terms)) for w in (times, times * share[rows]))
        return cls(terms, background, quotable)

    @classmethod
    def read(cls, run, terms):
        """Of a run's table language; terms that it does not have are nowhere in it."""
        import data

        rows = data.read_table(run, "language", ["term", "fold", "background", "quotable"])
        return cls.of_table(rows, terms, data.commit(run, "language")["config"]["folds"])

    @classmethod
    def of_table(cls, rows, terms, folds):
        """Of rows of the table, which say what stands outside of each fold."""
        number = {t: i for i, t in enumerate(terms)}
        without = np.zeros((2, 1 + folds, len(terms)))
        for r in rows:
            if r["term"] in number:
                without[:, 1 + r["fold"], number[r["term"]]] = r["background"], r["quotable"]
        return cls(terms, *(w[0] - w[1:] for w in without))

    def __add__(self, other):
        return Occurrences(self.terms, self.background + other.background, self.quotable + other.quotable)

    def model(self, folds):
        """The models of some folds."""
        folds = list(folds)
        return Language(self.terms, self.background[folds].sum(axis=0), self.quotable[folds].sum(axis=0))


class Language:
    """The log-likelihood ratio of quotable text and background (Appendix E.2): the sum of
    weights of a passage's words and pairs of words, by the number of its words."""

    def __init__(self, terms, every, quoted):
        one = self.single = np.array([t != "" and " " not in t for t in terms])
        self.weight = np.zeros(len(terms))
        rate = quoted[one].sum() / max(1, every[one].sum())
        more = lambda i, times: np.log((quoted[i] + PRIOR) / (every[i] * rate * times + PRIOR))
        self.weight[one] = more(one, 1)
        number = {t: i for i, t in enumerate(terms) if one[i]}
        known = [(i, *map(number.get, t.split(" "))) for i, t in enumerate(terms) if t.count(" ") == 1]
        known = [k for k in known if None not in k]
        if known:
            pair, first, second = np.array(known).T
            self.weight[pair] = more(pair, np.exp(self.weight[first] + self.weight[second]))

    def __call__(self, times):
        words = np.asarray(times[:, self.single].sum(axis=1)).ravel()
        return (times @ self.weight) / np.maximum(1, words)


def counted(passages, least):
    """Terms that enough passages have, and how many; and passage, term and number of times
    of each that one has."""
    bags = []
    for words in passages:
        bag = {}
        for n in (1, 2):
            for i in range(len(words) - n + 1):
                if "" not in words[i : i + n]:
                    term = " ".join(words[i : i + n])
                    bag[term] = bag.get(term, 0) + 1
        bags.append(bag)
    many = {}
    for bag in bags:
        for term in bag:
            many[term] = many.get(term, 0) + 1
    terms = sorted(t for t, n in many.items() if n >= least)
    number = {t: i for i, t in enumerate(terms)}
    cells = [(r, number[t], n) for r, bag in enumerate(bags) for t, n in bag.items() if t in number]
    return terms, np.array([many[t] for t in terms]), *np.array(cells).T


def compare(rows, terms, passages, said, read):
    """The largest difference between the weights of a table and ours, once its counts are
    equal to ours, as they stand in it and as Occurrences has read them."""
    folds, number = said.background.shape[0], {t: i for i, t in enumerate(terms)}
    assert sorted((r["term"], r["fold"]) for r in rows) == sorted((t, k) for t in terms for k in range(-1, folds)), "other terms or folds"
    column = lambda name: np.array([r[name] for r in rows], float)
    at, fold = np.array([number[r["term"]] for r in rows]), np.array([r["fold"] for r in rows])

    def outside(each):  # in all folds, then without each of them
        every = each.sum(axis=0)
        return np.vstack([every, every - each])[1 + fold, at]

    weight = np.vstack([said.model(set(range(folds)) - {k}).weight for k in range(-1, folds)])[1 + fold, at]
    # Counts are whole numbers, and quotable of whole parts of 65536: equal, and not nearly.
    for name, ours in (("passages", passages[at]), ("background", outside(said.background)), ("quotable", outside(said.quotable))):
        other = np.flatnonzero(column(name) != ours)
        assert not len(other), f"{name} is not {ours[other[0]]} but another in {len(other)} rows, first {rows[other[0]]}"
    assert np.array_equal(read.background, said.background) and np.array_equal(read.quotable, said.quotable), "Occurrences reads other counts"
    worst = float(np.max(np.abs(column("weight") - weight)))
    assert np.isfinite(worst) and worst < 1e-8, f"a weight differs by {worst}"
    return worst


def check_golden():
    g = json.loads(GOLDEN.read_text(encoding="utf-8"))
    terms, passages, *cells = counted([p["words"] or [] for p in g["passages"]], g["least"])
    counts = np.array([max(p["quotations"] or [0]) for p in g["passages"]], float)
    said = Occurrences.count(terms, *cells, counts, np.array([p["fold"] for p in g["passages"]]), g["folds"])
    worst = compare(g["ngrams"], terms, passages, said, Occurrences.of_table(g["ngrams"], terms, g["folds"]))
    print(f"{len(terms)} terms of the golden file: counts equal, weights within {worst:.0e}")


def check_run(run):
    import data
    import features

    config = data.commit(run, "language")["config"]
    rows = data.read_table(run, "language", ["term", "fold", "passages", "background", "quotable", "weight"])
    fold = {r["passage_id"]: r["fold"] for r in data.read_table(run, "counted", ["passage_id", "fold"])}
    p = data.read_run(run, "")
    terms, passages, *cells = counted([[w or "" for w in features.words_of(r["text"])] for r in p.rows], config["least"])
    said = Occurrences.count(terms, *cells, p.counts, np.array([fold[r["passage_id"]] for r in p.rows]), config["folds"])
    read, whole = Occurrences.read(run, terms), config["count"]["from"] == "file"
    if not whole:
        said.quotable = read.quotable
    worst = compare(rows, terms, passages, said, read)
    what = "counts equal" if whole else "passages and background equal, quotable as the table has it"
    print(f"{len(terms)} terms of {run}, {config['folds']} folds: {what}, weights within {worst:.0e}")


def main(arguments):
    if arguments[:1] != ["--check"] or len(arguments) > 2:
        sys.exit(__doc__)
    check_golden()
    for run in arguments[1:]:
        check_run(run)


if __name__ == "__main__":
    main(sys.argv[1:])
