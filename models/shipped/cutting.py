"""Which sentences of a run stand in which passages of another, and passages by their best sentences."""

import bisect

import numpy as np

import data


def spans(run):
    """Document, index, begin and end of a run's passages, in the order of data.read_run."""
    rows = data.read_table(run, "passages", ["doc_id", "index", "begin", "end"])
    return sorted((r["doc_id"], r["index"], r["begin"], r["end"]) for r in rows)


def parts(sentences, paragraphs):
    """What stands of each sentence in each paragraph: their numbers, and begin and end in the sentence."""
    own = {}
    for i, (doc, _, begin, end) in enumerate(paragraphs):
        own.setdefault(doc, []).append((begin, end, i))
    for j, (doc, _, begin, end) in enumerate(sentences):
        first = bisect.bisect_right(own.get(doc, []), (begin, len(paragraphs) + end, 0)) - 1
        for from_, to, i in own.get(doc, [])[max(0, first) :]:
            if from_ >= end:
                break
            if begin < to:
                yield j, i, max(0, from_ - begin), min(end, to) - begin


def by_best(scores, holder, n, best):
    """Of each of n paragraphs the mean of its best sentences' scores; one that it lacks counts 0."""
    order = np.lexsort((-scores, holder))
    place = np.arange(len(order)) - np.searchsorted(holder[order], holder[order])
    top = order[place < best]
    return np.bincount(holder[top], scores[top] / best, n)


def at_rates(scores, holder, n, rate):
    """Of each of n paragraphs ln(1 + sum of exp(rate * score))/rate over its sentences, as
    BySentences.AtRates of infer/sentences.go."""
    return np.log1p(np.bincount(holder, np.exp(rate * scores), n)) / rate


def owners(sentences, passages):
    """Sentence and passage, where the passage holds most of the sentence."""
    most = {}
    for j, i, begin, end in parts(sentences, passages):
        if end - begin > most.get(j, (0, 0))[0]:
            most[j] = end - begin, i
    return np.array(list(most)), np.array([i for _, i in most.values()])
