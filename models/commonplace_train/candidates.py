"""The head rank: a number for a context and a candidate, listwise over the candidates of a context."""

import torch

from .encoder import Encoder, Outputs
from .rows import by
from .texts import Texts


class Rank:
    purpose, metric, taught = "rank", "Acc@1", "id"

    def __init__(self, options, rows):
        self.options, self.rows = options, rows
        self.texts = Texts(options.encoder, options.max, packed=options.packed)
        self.make = lambda attention=None: Encoder(options.encoder, 1, options.pooling, options.layers, tokens=self.texts.size(), attention=attention)
        self.model = self.make()
        self.questions = {split: [q for q in by(rows.splits[split], "id") if len({r["label"] for r in q}) == 2] for split in ("train", "validation")}

    def steps(self, rng):
        return shuffled(self.questions["train"], self.options.batch, rng)

    def scores(self, group):
        rows = [r for q in group for r in q]
        got = self.model(*self.texts.batch(self.texts.pairs(rows), self.options.device))[:, 0]
        return torch.split(got.float(), [len(q) for q in group])

    def loss(self, group):
        """Cross entropy over the candidates of each context; several right ones share it."""
        losses = []
        for q, scores in zip(group, self.scores(group), strict=True):
            right = torch.tensor([float(r["label"]) for r in q], device=scores.device)
            losses.append(-(right / right.sum() * torch.log_softmax(scores, 0)).sum())
        return torch.stack(losses).mean()

    def judge(self):
        """How often the first candidate is right."""
        right = [q[int(s.argmax())]["label"] for part in in_parts(self.questions["validation"], 64) for q, s in zip(part, self.scores(part), strict=True)]
        return sum(right) / max(1, len(right))

    def folders(self):
        yield "model", "rank", Outputs, self.make, self.texts, {"tokens": self.texts.tokens()}


def shuffled(questions, most, rng):
    """Questions in groups of at most so many rows, in any order. Those of a group are about
    equally long, so that little of a batch is padding."""
    questions = list(questions)
    rng.shuffle(questions)
    groups = []
    for near in in_parts(questions, 16 * most):
        groups += in_parts(sorted(near, key=lambda q: max(len(r["context"]) + len(r["passage"]) for r in q)), most)
    rng.shuffle(groups)
    return groups


def in_parts(questions, most):
    """Questions in groups of at most so many rows, or of one question."""
    groups, rows = [], 0
    for q in questions:
        if not groups or rows + len(q) > most:
            groups.append([])
            rows = 0
        groups[-1].append(q)
        rows += len(q)
    return groups
