"""The head choice: which quotation of a closed list stands at <mask> ("When and what to quote", section 4)."""

import json

import torch
from torch.nn.functional import cross_entropy

from .encoder import Encoder, Outputs
from .graph import MASKS
from .rows import lines
from .texts import Texts

QUO, GEN = "<quo>", "<gen>"


class Choice:
    purpose, metric, taught = "replies", "accuracy", "id"

    def __init__(self, options, rows):
        self.options, self.rows = options, rows
        self.list = [q["text"] for q in lines(rows.folder / "quotations.jsonl")]
        self.texts = Texts(options.encoder, options.max, added=["<eos>"], left=True)
        self.mask = self.texts.mask
        if self.mask is None:
            raise SystemExit(f"train: the tokenizer of {options.encoder} has neither {' nor '.join(MASKS)}, which the head choice reads")
        self.make = lambda attention=None: Encoder(options.encoder, len(self.list), "mask", options.layers, self.texts.id(self.mask), self.texts.size(), attention)
        self.model = self.make()
        self.of = {split: [r for r in rows.splits[split] if r["label"] == QUO] for split in ("train", "validation")}

    def steps(self, rng):
        order = list(self.of["train"])
        rng.shuffle(order)
        return [order[i : i + self.options.batch] for i in range(0, len(order), self.options.batch)]

    def logits(self, group):
        encoded = self.texts.encode([f"{r['context']} {self.mask}" for r in group])
        return self.model(*self.texts.batch(encoded, self.options.device)).float()

    def loss(self, group):
        return cross_entropy(self.logits(group), torch.tensor([r["quotation"] for r in group], device=self.options.device))

    def judge(self):
        right = 0
        for i in range(0, len(self.of["validation"]), 64):
            part = self.of["validation"][i : i + 64]
            right += sum(int(a) == r["quotation"] for a, r in zip(self.logits(part).argmax(1), part, strict=True))
        return right / max(1, len(self.of["validation"]))

    def folders(self):
        listed = "".join(json.dumps(text, ensure_ascii=False) + "\n" for text in self.list)
        yield "model", "choice", Outputs, self.make, self.texts, {"files": {"choices.jsonl": listed}, "choice": {"mask": self.mask}}
