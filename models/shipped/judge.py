"""Figures of rankings: NDCG in the form of "Content-based models of quotation"
(section 7.1), Spearman's rho, AUC, per document, then averaged over documents with
bootstrap intervals. The same definitions as eval/, equal scores sharing their places."""

import numpy as np
from scipy.stats import rankdata

CUTS = (1, 3, 5, 10, 25, 50)
COLUMNS = [f"NDCG@{k}" for k in CUTS] + ["rho"]
RESAMPLES, SEED = 2000, 1836


def gains(scores, counts):
    """Counts in the order of the scores, the mean of equal scores in all their places."""
    values, inverse = np.unique(-scores, return_inverse=True)
    mean = np.bincount(inverse, counts) / np.bincount(inverse)
    return np.repeat(mean, np.bincount(inverse))


def dcg(counts, k):
    c = counts[:k]
    return c[0] + (c[1:] / np.log2(np.arange(2, len(c) + 1))).sum()


def spearman(scores, counts):
    if len(set(scores)) < 2:
        return 0.0
    return float(np.corrcoef(rankdata(scores), rankdata(counts))[0, 1])


def auc(scores, quoted):
    """The chance that a quoted passage scores higher than one that is not."""
    n = quoted.sum()
    return (rankdata(scores)[quoted].sum() - n * (n + 1) / 2) / (n * (len(quoted) - n))


def by_document(scores, counts, groups, keep=None):
    """[documents, columns] in hundredths, over documents whose counts differ."""
    figures = []
    for rows in groups.values():
        rows = rows if keep is None else rows[keep[rows]]
        c = counts[rows]
        if len(rows) < 2 or c.min() == c.max():
            continue
        g, ideal = gains(scores[rows], c), np.sort(c)[::-1]
        figures.append([dcg(g, k) / dcg(ideal, k) for k in CUTS] + [spearman(scores[rows], c)])
    return 100 * np.array(figures)


def with_auc(scores, counts, groups):
    """by_document, and behind it AUC, over documents of which some rows are quoted and some are not."""
    groups = {name: rows for name, rows in groups.items() if 0 < (counts[rows] > 0).sum() < len(rows)}
    areas = 100 * np.array([[auc(scores[rows], counts[rows] > 0)] for rows in groups.values()])
    return np.hstack([by_document(scores, counts, groups), areas])


def interval(figures):
    """The mean and the 95 % bootstrap interval of each column over documents."""
    random = np.random.default_rng(SEED)
    draws = random.integers(0, len(figures), (RESAMPLES, len(figures)))
    means = figures[draws].mean(axis=1)
    return figures.mean(axis=0), np.quantile(means, 0.025, axis=0), np.quantile(means, 0.975, axis=0)


def ratio(ours, theirs):
    """How many times as good the one is as the other, with its paired bootstrap interval."""
    random = np.random.default_rng(SEED)
    draws = random.integers(0, len(ours), (RESAMPLES, len(ours)))
    times = ours[draws].mean(axis=1) / theirs[draws].mean(axis=1)
    return ours.mean(axis=0) / theirs.mean(axis=0), np.quantile(times, 0.025, axis=0), np.quantile(times, 0.975, axis=0)


def permutation(ours, theirs):
    """Two-sided p of the paired permutation test, by column."""
    random = np.random.default_rng(SEED)
    d = ours - theirs
    signs = random.choice([-1.0, 1.0], (RESAMPLES, len(d)))
    extreme = np.abs(signs @ d) >= np.abs(d.sum(axis=0)) - 1e-9
    return (extreme.sum(axis=0) + 1) / (RESAMPLES + 1)


def choice(scores, counts, groups):
    """What a search maximises: the mean of the six NDCGs, and rho, in equal parts."""
    f = by_document(scores, counts, groups)
    return f[:, :-1].mean() / 2 + f[:, -1].mean() / 2


def markdown(rows):
    """A table: name, figures by document; below each mean its interval."""
    lines = ["| | " + " | ".join(COLUMNS) + " |", "|---|" + "---:|" * len(COLUMNS)]
    for name, figures in rows:
        cells = [f"{m:.1f}<br>{a:.1f}–{b:.1f}" for m, a, b in zip(*interval(figures))]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def short(figures):
    """Of figures with AUC the number of documents, NDCG@1, @5 and @50, rho and AUC, as cells of a table."""
    m, low, high = interval(figures)
    return [str(len(figures))] + [f"{m[c]:.1f} ({low[c]:.1f}–{high[c]:.1f})" for c in (0, 2, 5, 6, 7)]


SHORT = ["documents", "NDCG@1", "NDCG@5", "NDCG@50", "rho", "AUC"]


READERS = ["books", "AUC", "rho", "P@20", "top tenth"]


def readers(scores, counts, groups):
    """What readers make of a ranking, over documents with a passage that is quoted and one that is
    not: AUC, rho, the share of quoted passages among the first twenty, and the share
    of the quoted passages that are in the first tenth, as `commonplace eval --counts readers` has them."""
    figures = []
    for rows in groups.values():
        s, c = scores[rows], counts[rows]
        n = (c > 0).sum()
        if not 0 < n < len(rows):
            continue
        order = np.argsort(-s, kind="stable")
        tenth = order[: max(1, len(rows) // 10)]
        figures.append([auc(s, c > 0), np.corrcoef(rankdata(s), rankdata(c))[0, 1], (c[order[:20]] > 0).sum() / 20, (c[tenth] > 0).sum() / n])
    return np.array(figures)


def readers_table(scores, counts, groups, genre):
    """Markdown: the figures of readers by genre, and of all books."""
    lines = ["| | " + " | ".join(READERS) + " |", "|---|" + "---:|" * len(READERS)]
    for g in ["all", *sorted(set(genre))]:
        some = {name: rows for name, rows in groups.items() if g in ("all", genre[rows[0]])}
        f = readers(scores, counts, some)
        if len(f):
            cells = [f"{m:.3f} ({a:.3f}–{b:.3f})" for m, a, b in zip(*interval(f))]
            lines.append(f"| {g} | {len(f)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)
