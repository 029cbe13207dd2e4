"""Heads that score passages by how often they are quoted: quotability and quotability-sequence.

Losses: poisson (exp(s) - count * s, "Content-based models of quotation", section 6.2), hinge on pairs
of one document, or listwise: cross entropy between a softmax over passages of a document and their
shares of the sum of log(1 + count), for counts that are cut off.

An epoch reads all quoted inputs and some unquoted ones, drawn anew. In the Poisson loss each drawn one
has the weight (unquoted of its document / drawn of it), so exp(s) is the expected count of a passage.
The other losses compare passages of one document and take no weights.

With --positional they read passages with the positional tokens of a genre (appendix F of that paper),
which the rows have in the column marked.
"""

import re
import sys

import numpy as np
import torch

from .agreement import spearman
from .encoder import Encoder, Outputs
from .rows import by
from .texts import Texts, filled

PLACES = {  # of a genre, as label/positions.go has them
    "scripture": ("Book", "Chapter"), "drama": ("Play", "Act", "Scene"), "prose": ("Book", "Chapter", "Paragraph"), "latin": ("Book",),
}
POSITIONAL = re.compile(r"\[(?:(?:Starts|Ends)-[A-Z][a-z]+|[A-Z][a-z]+@[0-9])\]")


def positional_tokens(genre):
    tokens = [t for place in PLACES[genre] for t in (f"[Starts-{place}]", f"[Ends-{place}]", *(f"[{place}@{n}]" for n in range(10)))]
    return tokens + ["[Starts-Section]", "[Ends-Section]"] * (genre == "latin")


def check_positional(rows, genre):
    """Rows of another genre have tokens that the encoder would not learn."""
    found = {t for split in rows.values() for r in split for t in POSITIONAL.findall(r["marked"])}
    if unknown := sorted(found.difference(positional_tokens(genre))):
        sys.exit(f"train: the rows have positional tokens that are not of {genre}: {', '.join(unknown[:5])}; is label.counts.genre another?")
    if not found:
        sys.exit("train: the column marked has no positional tokens")


def poisson(scores, counts, weights):
    return (weights * (scores.exp() - counts * scores)).sum()


def loss_of(name, scores, counts):
    """Scores [n] and counts [n] of passages of one document."""
    if name == "hinge":
        more = (counts[:, None] > counts[None, :]).float()
        return (torch.relu(1 - scores[:, None] + scores[None, :]) * more).sum() / more.sum().clamp(min=1)
    share = torch.log1p(counts)
    return -(share / share.sum().clamp(min=1e-9) * torch.log_softmax(scores, 0)).sum()


class Quotability:
    purpose, metric, taught = "counts", "rho", "doc_id"
    pooling = None  # as --pooling says

    def __init__(self, options, rows):
        self.options, self.rows = options, rows
        added, self.column = (), "text"
        if options.positional:
            check_positional(rows.splits, options.positional)
            added, self.column = positional_tokens(options.positional), "marked"
        self.texts = Texts(options.encoder, options.max, added)
        tokens = self.texts.size() if added else None
        self.make = lambda attention=None: Encoder(options.encoder, 1, self.pooling or options.pooling, options.layers, tokens=tokens, attention=attention)
        self.model = self.make()
        self.documents = {split: [self.inputs(of) for of in by(rows.splits[split], "doc_id")] for split in ("train", "validation")}

    def inputs(self, document):
        """What the model reads of a document: encoded texts, and the counts that each has."""
        rows = sorted(document, key=lambda r: r["index"])
        return [(e, [r["count"]], None) for e, r in zip(self.texts.encode([r[self.column] for r in rows]), rows)]

    def drawn(self, document, rng):
        """The inputs of a document with something counted, and --negatives others for each."""
        counted = [x for x in document if sum(x[1]) > 0]
        rest = [x for x in document if sum(x[1]) == 0]
        rng.shuffle(counted)
        poisson = self.options.loss == "poisson"  # asks for some of each document
        most = self.options.negatives * max(poisson, len(counted))
        return counted, rng.sample(rest, min(len(rest), max(poisson, round(min(len(rest), most))))), len(rest)

    def steps(self, rng):
        """Groups of inputs with their weights: of one document, or for the Poisson loss of all."""
        groups, size = [], self.options.batch
        if self.options.loss == "poisson":
            return self.weighted(rng)
        for document in self.documents["train"]:
            counted, drawn, _ = self.drawn(document, rng)
            parts = min(len(counted), -(-(len(counted) + len(drawn)) // size))
            groups += [[(x, 1.0) for x in counted[k::parts] + drawn[k::parts]] for k in range(parts)]
        rng.shuffle(groups)
        return groups

    def weighted(self, rng):
        """Groups whose losses have the mean that all passages would give. Their weights add up to 1 on average."""
        inputs = []
        for document in self.documents["train"]:
            counted, drawn, rest = self.drawn(document, rng)
            inputs += [(x, 1.0) for x in counted] + [(x, rest / len(drawn)) for x in drawn]
        rng.shuffle(inputs)
        parts = -(-len(inputs) // self.options.batch)
        scale = parts / sum(w * len(x[1]) for x, w in inputs)
        return [[(x, w * scale) for x, w in inputs[k::parts]] for k in range(parts)]

    def scores(self, group):
        return self.model(*self.texts.batch([e for e, _, _ in group], self.options.device))[:, 0].float()

    def loss(self, group):
        inputs = [x for x, _ in group]
        of = lambda values: torch.tensor([float(v) for v in values], device=self.options.device)
        scores, counts = self.scores(inputs), of(c for x in inputs for c in x[1])
        if self.options.loss == "poisson":
            return poisson(scores, counts, of(w for x, w in group for _ in x[1]))
        return loss_of(self.options.loss, scores, counts)

    def judge(self):
        """The mean over documents of Spearman's rho of scores and counts."""
        found = []
        for document in self.documents["validation"]:
            counts = np.array([c for _, of, _ in document for c in of])
            if counts.min() == counts.max():
                continue
            parts = [document[i : i + 64] for i in range(0, len(document), 64)]
            said = np.concatenate([self.scores(p).cpu().numpy() for p in parts])
            found.append(spearman(said, counts) if said.std() > 0 else 0)
        return np.mean(found) if found else 0.0

    def folders(self):
        parts = {"transform": "exp" if self.options.loss == "poisson" else "none"}
        if self.options.positional:
            parts["tokens"] = {"positional": self.options.positional}
        yield "model", self.options.head, Outputs, self.make, self.texts, parts


class Sequence(Quotability):
    """Consecutive passages in one input, read at the token behind each, packed as infer/head_quotability.go does."""

    pooling = "none"

    def inputs(self, document):
        begin, end = (self.texts.id(t) for t in self.special())
        windows = []
        for r in sorted(document, key=lambda r: r["index"]):
            ids = self.texts.bare(r[self.column])[: self.options.max - 2]
            if not windows or len(windows[-1][0]) + len(ids) + 1 > self.options.max:
                windows.append(([begin], [], []))
            window, counts, places = windows[-1]
            window.extend(ids)
            places.append(len(window))
            counts.append(r["count"])
            window.append(end)
        return windows

    def special(self):
        for pair in (("[CLS]", "[SEP]"), ("<s>", "</s>")):
            if self.texts.id(pair[0]) is not None:
                return pair

    def scores(self, group):
        ids = filled([w for w, _, _ in group], self.texts.pad, self.options.device)
        mask = filled([[1] * len(w) for w, _, _ in group], 0, self.options.device)
        got = self.model(ids, mask, torch.zeros_like(ids))[..., 0].float()
        return torch.cat([got[i, places] for i, (_, _, places) in enumerate(group)])

    def folders(self):
        begin, end = self.special()
        for name, head, wrapper, make, texts, parts in super().folders():
            yield name, head, wrapper, make, texts, parts | {"tokens": {"begin": begin, "end": end} | parts.get("tokens", {})}
