"""The metrics of rankings, as `commonplace eval` has them: NDCG of paper C and Spearman.

NDCG@k is that of "Content-based models of quotation", section 7.1: DCG_k = c_1 +
sum over i = 2..k of c_i / log2(i), c_i the count at rank i. Passages of one score
count as if in every order (the mean of their counts). Figures are per document,
then averaged, times 100.
"""

import numpy as np

CUTS = (1, 3, 5, 10, 25, 50)
NAMES = [f"ndcg@{k}" for k in CUTS] + ["spearman"]


def ndcg(scores, counts, k):
    """NDCG@k of one document, 0 to 1; NaN when nothing is counted."""
    scores, counts = np.asarray(scores, float), np.asarray(counts, float)
    if counts.sum() == 0:
        return np.nan
    _, tie = np.unique(-scores, return_inverse=True)
    expected = (np.bincount(tie, counts) / np.bincount(tie))[tie]
    discount = np.concatenate([[1.0], 1 / np.log2(np.arange(2, k + 1))])[: len(counts)]
    best = np.sort(counts)[::-1][: len(discount)] @ discount
    return expected[np.argsort(tie, kind="stable")][: len(discount)] @ discount / best


def average_ranks(values):
    _, place, size = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(size) - (size - 1) / 2)[place]


def spearman(scores, counts):
    """Rank correlation, ties at their average rank; 0 when all scores are equal, NaN when all counts are."""
    if len(set(counts)) < 2:
        return np.nan
    if len(set(scores)) < 2:
        return 0.0
    return float(np.corrcoef(average_ranks(scores), average_ranks(counts))[0, 1])


def by_document(documents, scores, counts, counted_only=False):
    """Document -> its seven figures, for documents with a counted passage."""
    documents, scores, counts = np.asarray(documents), np.asarray(scores), np.asarray(counts)
    figures = {}
    for doc in sorted(set(documents)):
        here = documents == doc
        if counted_only:
            here &= counts > 0
        if counts[here].sum() > 0:
            figures[str(doc)] = [100 * ndcg(scores[here], counts[here], k) for k in CUTS] + [100 * spearman(scores[here], counts[here])]
    return figures


def mean(figures):
    """Means over documents; a document of which a figure cannot be said is left out of that mean."""
    return np.nanmean(np.array(list(figures.values())), axis=0)


def intervals(figures, resamples=2000, seed=1, confidence=0.95):
    """Name -> mean, low and high: percentiles of the means of documents drawn again."""
    table = np.array(list(figures.values()))
    draws = np.random.default_rng(seed).integers(0, len(table), (resamples, len(table)))
    means = np.nanmean(table[draws], axis=1)
    low, high = np.nanpercentile(means, [50 * (1 - confidence), 50 * (1 + confidence)], axis=0)
    return {n: [round(float(v), 1) for v in row] for n, row in zip(NAMES, zip(mean(figures), low, high), strict=True)}
