"""The language models of quotable text and background, and the ratio of the two.

The pipeline counts and weighs words in its table `language` (label/language.go):
quotable text is what alignments or given counts say is quoted, background all
passages. Here the table is read, and the same models are made of passages that no
table has, such as windows of verses. Both sides are held to one golden file:

    go test ./label -run Language -update
    python3 models/language.py --check                compare with the golden file
    python3 models/language.py --check RUN            and with the table of a run
"""

import json
import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "label" / "testdata" / "language.json"
PRIOR = 10.0  # quotations of every term that are believed without being seen


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
        number = {t: i for i, t in enumerate(terms)}
        folds = 1 + max(r["fold"] for r in rows)
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
    """Terms that enough passages have; and passage, term and number of times of each that one has."""
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
    return terms, *np.array(cells).T


def compare(rows, terms, said):
    """The largest difference between the weights of a table and ours."""
    folds, worst = said.background.shape[0], 0.0
    assert sorted({r["term"] for r in rows}) == sorted(terms) and len(rows) == len(terms) * (1 + folds), "other terms"
    models = [said.model(set(range(folds)) - {k}) for k in range(-1, folds)]
    number = {t: i for i, t in enumerate(terms)}
    for r in rows:
        worst = max(worst, abs(r["weight"] - models[1 + r["fold"]].weight[number[r["term"]]]))
    return worst


def main(arguments):
    if arguments[:1] != ["--check"] or len(arguments) > 2:
        sys.exit(__doc__)
    g = json.loads(GOLDEN.read_text(encoding="utf-8"))
    passages = [p["words"] or [] for p in g["passages"]]
    terms, *cells = counted(passages, g["least"])
    counts = np.array([max(p["quotations"] or [0]) for p in g["passages"]], float)
    said = Occurrences.count(terms, *cells, counts, np.array([p["fold"] for p in g["passages"]]), g["folds"])
    worst = compare(g["ngrams"], terms, said)
    assert worst < 1e-8, worst
    print(f"{len(terms)} terms of the golden file: equal within {worst:.0e}")
    if len(arguments) == 2:
        import data
        import features

        rows = data.read_table(arguments[1], "language", ["term", "fold", "passages", "weight"])
        fold = {r["passage_id"]: r["fold"] for r in data.read_table(arguments[1], "counted", ["passage_id", "fold"])}
        p = data.read_run(arguments[1], "")
        terms, *cells = counted([[w or "" for w in features.words_of(r["text"])] for r in p.rows], min(r["passages"] for r in rows))
        folds = 1 + max(r["fold"] for r in rows)
        said = Occurrences.count(terms, *cells, p.counts, np.array([fold[r["passage_id"]] for r in p.rows]), folds)
        worst = compare(rows, terms, said)
        assert worst < 1e-8, worst
        print(f"{len(terms)} terms of {arguments[1]}, {folds} folds: equal within {worst:.0e}")


if __name__ == "__main__":
    main(sys.argv[1:])
