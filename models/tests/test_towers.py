"""models/commonplace_train/towers.py: which candidates of a step are negatives, and what stands for a quotation."""

import pathlib
import random
import tempfile
import types
import unittest

import torch

import tiny
from commonplace_train import prompt
from commonplace_train.texts import Texts
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

    def test_steps_are_of_one_document_where_it_has_enough(self):
        """Of batches of 8: documents with 20 and 3 contexts, and one that fills two steps."""
        sizes = {"a": 20, "b": 3, "c": 16, "d": 2}
        rows = [row(f"{d}{i}", f"{d} {i}") | {"doc_id": d} for d, n in sizes.items() for i in range(n)]
        random.Random(5).shuffle(rows)
        task = self.embed(*rows)
        for seed in range(5):
            groups = task.steps(random.Random(seed))
            self.assertEqual(sorted(r["id"] for g in groups for r in g), sorted(r["id"] for r in rows))  # none is lost, none twice
            of = [({r["doc_id"] for r in g}, len(g)) for g in groups]
            self.assertEqual(sorted((*d, n) for d, n in of if len(d) == 1), [("a", 4), ("a", 8), ("a", 8), ("c", 8), ("c", 8)])
            self.assertEqual([n for d, n in of if len(d) > 1], [5])  # what is left of b and d
        self.assertNotEqual(task.steps(random.Random(1)), task.steps(random.Random(2)))


class Masks(unittest.TestCase):
    """[MASK] in a window is the tokenizer's own mask, and model.yaml says so."""

    CONTEXT = " ".join(tiny.WORDS[:3]) + " [MASK] " + " ".join(tiny.WORDS[3:6])

    def texts(self, checkpoint, **more):
        with tempfile.TemporaryDirectory() as folder:
            checkpoint(pathlib.Path(folder))
            return Texts(folder, 64, **more)

    def test_of_either_kind(self):
        for checkpoint, mask, manifest in ((tiny.encoder, "[MASK]", {}), (tiny.roberta, "<mask>", {"mask": "<mask>"})):
            for packed in (None, (0, 20, 20)):
                texts = self.texts(checkpoint, packed=packed)
                [e] = texts.pairs([{"context": self.CONTEXT, "passage": tiny.WORDS[9]}])
                self.assertEqual(e.ids.count(texts.id(mask)), 1)
                self.assertEqual({k: v for k, v in texts.tokens().items() if k == "mask"}, manifest)
                [e] = prompt.encoded(texts, "{context} {passage}", [{"context": self.CONTEXT, "passage": tiny.WORDS[9]}])
                self.assertEqual(e.ids.count(texts.id(mask)), 1)

    def test_towers_read_it(self):
        """A context with [MASK] has the vector of one with <mask>, and both folders name it."""
        with tempfile.TemporaryDirectory() as folder:
            tiny.roberta(pathlib.Path(folder, "encoder"))
            options = types.SimpleNamespace(encoder=str(pathlib.Path(folder, "encoder")), max=64, pooling="mean", layers=None, towers=2, batch=8, device="cpu")
            task = Embed(options, types.SimpleNamespace(splits={"train": [], "validation": [], "test": []}))
            task.model.eval()
            with torch.inference_mode():
                literal, own, none = task.vectors(task.model.contexts, [self.CONTEXT, self.CONTEXT.replace("[MASK]", "<mask>"), self.CONTEXT.replace("[MASK]", "")])
        torch.testing.assert_close(literal, own)
        self.assertGreater((literal - none).abs().max().item(), 1e-3)
        self.assertEqual([parts["tokens"] for *_, parts in task.folders()], [{"mask": "<mask>"}] * 2)

    def test_without_a_mask_it_stays(self):
        texts = self.texts(tiny.causal)
        self.assertEqual((texts.masked(self.CONTEXT), texts.mask_token()), (self.CONTEXT, {}))


if __name__ == "__main__":
    unittest.main()
