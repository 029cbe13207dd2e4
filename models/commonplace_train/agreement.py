"""Holds an exported graph to PyTorch over paragraphs of one of the demonstration's
books, each alone and in a batch beside the longest, where a graph that looks at
padding shows.

    fp32   every number within 1e-4 of PyTorch's, relative above 1
    fp16   within 2e-2 of the usual size of a number (its root mean square)
    int8   vectors: cosine with PyTorch's at least 0.95; all others: Spearman's rho at least 0.99
"""

import pathlib

import numpy as np

BOOK = pathlib.Path(__file__).resolve().parent.parent.parent / "testdata" / "demo" / "books" / "the-salt-ledger.txt"
BATCH = 8


def paragraphs():
    """The book's, the longest last."""
    found = [" ".join(p.split()) for p in BOOK.read_text(encoding="utf-8").split("\n\n")]
    return sorted((p for p in found if p), key=len)


def padded(encoded, inputs, pad):
    """The graph's inputs for some texts, filled up to the longest."""
    width = max(len(e.ids) for e in encoded)
    feed = {}
    for name, of in zip(inputs, ("ids", "attention_mask", "ids" if inputs[-1] == "decoder_input_ids" else "type_ids")):
        fill = pad if of == "ids" else 0
        feed[name] = np.array([list(getattr(e, of)) + [fill] * (width - len(e.ids)) for e in encoded], dtype=np.int64)
    return feed


def reads(head, pooling):
    """What a head reads of the outputs for the i-th of some texts, of n tokens."""
    if head in ("quotability", "rank") or pooling == "none":
        return lambda outputs, i, n: outputs[0][i]
    if head == "embed":
        return lambda outputs, i, n: outputs[0][i, 0] if pooling == "first" else outputs[0][i, :n].mean(axis=0)
    return lambda outputs, i, n: np.concatenate([o[i, :n].ravel() for o in outputs])


def spearman(a, b):
    ranks = [np.unique(x, return_inverse=True)[1] for x in (a, b)]
    means = [np.bincount(r, np.argsort(np.argsort(x, kind="stable"))) / np.bincount(r) for r, x in zip(ranks, (a, b))]
    return np.corrcoef(*(m[r] for m, r in zip(means, ranks)))[0, 1]


def judge(precision, head, want, got):
    """What was measured of the numbers of some texts, the figure, and whether it will do."""
    a, b = np.concatenate(want).astype(float), np.concatenate(got).astype(float)
    if not np.isfinite(b).all():
        return "share of finite numbers", float(np.isfinite(b).mean()), False
    if precision == "fp32":
        worst = float((np.abs(a - b) / np.maximum(1, np.abs(a))).max())
        return "largest difference", worst, worst <= 1e-4
    if precision == "fp16":
        worst = float(np.abs(a - b).max() / np.sqrt((a * a).mean()))
        return "largest difference, of a number's usual size", worst, worst <= 2e-2
    if head == "embed":
        least = float(min((x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum()) for x, y in zip(want, got)))
        return "lowest cosine", least, least >= 0.95
    rho = float(spearman(a, b))
    return "Spearman's rho", rho, rho >= 0.99


def check(precision, head, pooling, reference, graph, encoded, inputs, pad=0):
    """Compares graph with reference, functions from the inputs to a list of outputs,
    over texts whose last is the longest. Returns a line each for texts alone and
    beside the longest; the last value says whether both will do."""
    read = reads(head, pooling)
    want, alone, beside = [], [], []
    for e in encoded:
        feed = padded([e], inputs, pad)
        want.append(read(reference(feed), 0, len(e.ids)))
        alone.append(read(graph(feed), 0, len(e.ids)))
    for at in range(0, len(encoded), BATCH):
        batch = encoded[at : at + BATCH]
        outputs = graph(padded(batch + encoded[-1:], inputs, pad))
        beside += [read(outputs, i, len(e.ids)) for i, e in enumerate(batch)]
    lines, good = [], True
    for where, got in (("alone", alone), ("beside the longest", beside)):
        what, figure, will_do = judge(precision, head, want, got)
        lines.append(f"{len(encoded)} texts {where}: {what} {figure:.4g}" + ("" if will_do else f", too far from PyTorch for {precision}"))
        good = good and will_do
    return lines, good
