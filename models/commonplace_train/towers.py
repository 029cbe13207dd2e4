"""The head embed: vectors of contexts and of candidates, by one encoder or by two (RA-MTR's retriever, RELiC's dense model).

The other candidates of a step are its negatives, and the negatives of the rows. A step has rows of one
document where it can: those are the hard ones (RELiC, section 4). What is right for the same context is no
negative, nor is a text that has the right one in it, or is a part of it.
"""

import torch
from torch.nn.functional import cross_entropy, normalize

from .encoder import Encoder, Outputs
from .rows import by
from .texts import Texts

SCALE = 20.0  # of cosines in the softmax


class Two(torch.nn.Module):
    def __init__(self, make, towers):
        super().__init__()
        self.contexts = make()
        self.candidates = make() if towers == 2 else self.contexts


def texts_of(group):
    """The right and the wrong passages of rows, each once."""
    return list(dict.fromkeys([r["passage"] for r in group] + [n for r in group for n in r["negatives"]]))


class Embed:
    purpose, metric, taught = "pairs", "MRR", "id"

    def __init__(self, options, rows):
        self.options, self.rows = options, rows
        self.texts = Texts(options.encoder, options.max)
        self.make = lambda attention=None: Encoder(options.encoder, 0, options.pooling, options.layers, attention=attention)
        self.model = Two(lambda: self.make(), options.towers)
        self.right = {r["id"]: set() for of in rows.splits.values() for r in of}
        for r in (r for of in rows.splits.values() for r in of):
            self.right[r["id"]].add(r["passage"])

    def steps(self, rng):
        groups = []
        for document in by(self.rows.splits["train"], "doc_id"):
            rng.shuffle(document)
            groups += [document[i : i + self.options.batch] for i in range(0, len(document), self.options.batch)]
        small = [r for g in groups if len(g) < self.options.batch // 2 for r in g]  # too few for a step: with others
        groups = [g for g in groups if len(g) >= self.options.batch // 2]
        rng.shuffle(small)
        groups += [small[i : i + self.options.batch] for i in range(0, len(small), self.options.batch)]
        rng.shuffle(groups)
        return groups

    def vectors(self, tower, texts):
        return normalize(tower(*self.texts.batch(self.texts.encode([self.texts.masked(t) for t in texts]), self.options.device)).float(), dim=-1)

    def scores(self, group, texts):
        """Cosines of contexts [n] and texts [m], and the column of each right one; those that are no negatives are below all."""
        contexts = self.vectors(self.model.contexts, [r["context"] for r in group])
        candidates = torch.cat([self.vectors(self.model.candidates, texts[i : i + 64]) for i in range(0, len(texts), 64)])
        place = {t: i for i, t in enumerate(texts)}
        right = [place[r["passage"]] for r in group]
        also = torch.tensor([[i != k and self.alike(r, t) for i, t in enumerate(texts)] for r, k in zip(group, right, strict=True)], device=contexts.device)
        return (contexts @ candidates.T).masked_fill(also, float("-inf")), torch.tensor(right, device=contexts.device)

    def alike(self, row, text):
        return text in self.right[row["id"]] or text in row["passage"] or row["passage"] in text

    def loss(self, group):
        scores, right = self.scores(group, texts_of(group))
        return cross_entropy(SCALE * scores, right)

    def judge(self):
        """The mean reciprocal rank of the right passage among the validation passages of its document, and their negatives."""
        found = []
        for document in by(self.rows.splits["validation"], "doc_id"):
            texts = texts_of(document)
            for i in range(0, len(document), 64):
                scores, right = self.scores(document[i : i + 64], texts)
                found += (1 / (1 + (scores > scores.gather(1, right[:, None])).sum(1))).tolist()
        return sum(found) / max(1, len(found))

    def folders(self):
        parts = {"embed": {"from": "none", "normalize": True}, "tokens": self.texts.mask_token()}
        yield "model", "embed", Outputs, self.make, self.texts, parts | {"state": "contexts."}
        if self.options.towers == 2:
            yield "candidates", "embed", Outputs, self.make, self.texts, parts | {"state": "candidates."}
