"""models/commonplace_train/towers.py: which candidates of a step are negatives."""

import pathlib
import tempfile
import types
import unittest

import torch

import tiny
from commonplace_train.towers import Embed, texts_of


def row(id, passage, *negatives):
    return {"id": id, "doc_id": "d", "context": f"context {id}", "passage": passage, "negatives": list(negatives)}


class Negatives(unittest.TestCase):
    def embed(self, *train, validation=()):
        with tempfile.TemporaryDirectory() as folder:
            tiny.encoder(pathlib.Path(folder, "encoder"))
            options = types.SimpleNamespace(encoder=str(pathlib.Path(folder, "encoder")), max=32, pooling="mean", layers=None, towers=1, batch=8, device="cpu")
            return Embed(options, types.SimpleNamespace(splits={"train": list(train), "validation": list(validation), "test": []}))

    def test_right_passages_of_a_context_are_no_negatives(self):
        a, b, c, d = (" ".join(tiny.WORDS[i : i + 4]) for i in (0, 4, 8, 12))
        longer = f"{a} {tiny.WORDS[20]}"
        rows = [row("q", a, c), row("q", b), row("p", d, longer), row("o", longer)]
        task = self.embed(*rows)
        texts = texts_of(rows)
        self.assertEqual(texts, [a, b, d, longer, c])
        scores, right = task.scores(rows, texts)
        self.assertEqual(right.tolist(), [0, 1, 2, 3])
        self.assertEqual(torch.isinf(scores).tolist(), [
            [False, True, False, True, False],  # b is right for q, and the longer text has a in it
            [True, False, False, False, False],
            [False, False, False, False, False],
            [True, False, False, False, False],
        ])

    def test_alone_with_right_ones_a_context_teaches_nothing(self):
        rows = [row("q", " ".join(tiny.WORDS[i : i + 4])) for i in (0, 4, 8)]
        task = self.embed(*rows, validation=rows)
        self.assertEqual(task.loss(rows).item(), 0)
        self.assertEqual(task.judge(), 1)


if __name__ == "__main__":
    unittest.main()
