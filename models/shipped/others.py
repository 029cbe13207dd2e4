"""What other books share with a passage: phrases that writers of other books use too,
often because they quote it.

The paper's ratio of quotable text and background (Appendix E.2) takes quotable text
from outside, 5,200 quotations of a website. Here it is the books of other runs, so
that nothing of the counts is in it, and no fold is needed to keep it out.
"""

import collections

import numpy as np

import data
import features

LONGEST = 7  # words of a phrase
ROW = 1 + 2 * (LONGEST - 1) + 3


def grams(words, n):
    """Phrases of n words; none over a word that is too long for one."""
    for i in range(len(words) - n + 1):
        if None not in words[i : i + n]:
            yield " ".join(words[i : i + n])


def documents(runs):
    """The words of each document of some runs, passage by passage."""
    for run in runs:
        rows = data.read_table(run, "passages", ["doc_id", "index", "text"])
        rows.sort(key=lambda r: (r["doc_id"], r["index"]))
        texts = {}
        for r in rows:
            texts.setdefault(r["doc_id"], []).append(list(features.words_of(r["text"])))
        yield from texts.values()


def shared(texts, runs):
    """[passages, ROW]: the mean log-likelihood ratio of two bigram models, one of the
    other books, one of these; for phrases of 2 to LONGEST words the share that another
    book has and the mean of ln(1 + books that have it); and of phrases of 3 words and
    more, how much likelier the others have them than their words by chance: the most
    of all, the sum by word, and the most times ln(1 + books)."""
    passages = [list(features.words_of(t)) for t in texts]
    own = [collections.Counter() for _ in range(LONGEST + 1)]
    for words in passages:
        for n in range(1, LONGEST + 1):
            own[n].update(grams(words, n))
    times, books, total = collections.Counter(), collections.Counter(), 0
    for document in documents(runs):
        met = collections.Counter()
        for words in document:
            total += len(words)
            for n in range(1, LONGEST + 1):
                met.update(g for g in grams(words, n) if g in own[n])
        times.update(met)
        books.update(met.keys())
    here = own[1].total()
    chance = {w: (times[w] + 0.5) / total for w in own[1]}

    def ratio(before, word):
        pair = f"{before} {word}"
        theirs = chance[word] + (times[pair] + 2 * chance[word]) / (times[before] + 2)
        ours = own[1][word] / here + (own[2][pair] + 2 * own[1][word] / here) / (own[1][before] + 2)
        return np.log(theirs / ours)

    out = np.zeros((len(passages), ROW))
    for row, words in zip(out, passages, strict=True):
        row[0] = sum(ratio(*pair) for pair in zip(words, words[1:]) if None not in pair) / max(1, len(words))
        strongest = []
        for n in range(2, LONGEST + 1):
            phrases = list(grams(words, n))
            if not phrases:
                continue
            row[2 * n - 3] = np.mean([books[g] > 0 for g in phrases])
            row[2 * n - 2] = np.mean([np.log1p(books[g]) for g in phrases])
            if n > 2:
                strongest += [(np.log(times[g] / total) - sum(np.log(chance[w]) for w in g.split(" ")), books[g]) for g in phrases if books[g]]
        if strongest:
            most = np.array(strongest)
            row[-3:] = most[:, 0].max(), most[:, 0].sum() / len(words), (most[:, 0] * np.log1p(most[:, 1])).max()
    return out
