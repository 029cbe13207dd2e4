"""models/commonplace_train/passages.py: the Poisson loss is that of all passages, whichever are drawn."""

import pathlib
import random
import shutil
import tempfile
import types
import unittest

import torch

import tiny
from commonplace_train.loop import Run
from commonplace_train.passages import Quotability, Sequence

COUNTS = {"much": [2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0], "little": [0] * 30 + [3], "never": [0] * 17}  # mean .1


def rows(text):
    of = lambda d, i: text if text else " ".join(tiny.WORDS[(7 * i + len(d) + k) % 500] for k in range(6))
    return [{"doc_id": d, "index": i, "text": of(d, i), "count": c} for d, counts in COUNTS.items() for i, c in enumerate(counts)]


class Poisson(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        tiny.encoder(cls.folder / "encoder")

    def task(self, kind=Quotability, text="", **more):
        options = types.SimpleNamespace(**{
            "encoder": str(self.folder / "encoder"), "max": 32, "pooling": "mean", "layers": None, "positional": None, "batch": 4, "device": "cpu",
            "loss": "poisson", "negatives": 3, "epochs": 1, "steps": None, "accumulate": 1, "lr": 1e-3, "head_lr": 3e-2, "mixed": "fp32", "seed": 1, "save_every": 0,
        } | more)
        torch.manual_seed(1)
        return kind(options, types.SimpleNamespace(splits={"train": rows(text), "validation": [], "test": []}))

    def of_all(self, task):
        """The mean loss of all passages."""
        losses = []
        for document in task.documents["train"]:
            counts = torch.tensor([float(c) for x in document for c in x[1]])
            scores = task.scores(document)
            losses.append(scores.exp() - counts * scores)
        return torch.cat(losses).mean().item()

    def test_weights_stand_for_all_passages(self):
        """Of each document they add up to its passages, also of one that is never quoted; and the mean count is the true one."""
        task = self.task()
        place = {id(x): d for d, document in enumerate(task.documents["train"]) for x in document}
        groups = task.steps(random.Random(3))
        inputs = [x for g in groups for x in g]
        self.assertEqual(len(inputs), 3 + 6 + 3 + 3)  # 6, 3 and 3 unquoted ones are drawn
        passages = sum(map(len, COUNTS.values()))
        unit = passages / len(groups)
        for d, counts in enumerate(COUNTS.values()):
            self.assertAlmostEqual(unit * sum(w for x, w in inputs if place[id(x)] == d), len(counts))
        self.assertAlmostEqual(sum(w for _, w in inputs), len(groups))
        self.assertAlmostEqual(sum(w * x[1][0] for x, w in inputs) / len(groups), 6 / passages)
        self.assertLessEqual(max(map(len, groups)), 4)

    def test_losses_have_the_mean_of_all_passages(self):
        for kind, max_ in ((Quotability, 32), (Sequence, 20)):
            with self.subTest(kind=kind.__name__), torch.inference_mode():
                task = self.task(kind, max=max_)
                task.model.eval()
                mean = lambda groups: sum(task.loss(g).item() for g in groups) / len(groups)
                wanted = self.of_all(task)
                task.options.negatives = float("inf")
                self.assertAlmostEqual(mean(task.steps(random.Random(1))), wanted, places=4)
                task.options.negatives = 1
                drawn = [mean(task.steps(random.Random(seed))) for seed in range(60)]
                spread = torch.tensor(drawn).std().item() / len(drawn) ** 0.5
                self.assertLess(abs(sum(drawn) / len(drawn) - wanted), 4 * spread + 0.01)
                self.assertLess(spread, 0.1)

    def test_where_passages_are_alike_the_rate_is_the_mean_count(self):
        task = self.task(text=" ".join(tiny.WORDS[:6]), epochs=200, batch=16)  # one group, so nothing but the weights moves the rate
        Run(task, task.options, self.folder).go()
        with torch.inference_mode():
            task.model.eval()
            rate = task.scores(task.documents["train"][0][:1]).exp().item()
        self.assertAlmostEqual(rate, 0.1, delta=0.02)  # without weights it would be .4

    def test_no_negatives_asked_for(self):
        groups = self.task(negatives=0).steps(random.Random(1))
        self.assertEqual(sum(map(len, groups)), 3 + 3)  # one of each document all the same

    def test_ranking_losses_compare_passages_of_one_document(self):
        task = self.task(loss="listwise")
        place = {id(x): d for d, document in enumerate(task.documents["train"]) for x in document}
        groups = task.steps(random.Random(1))
        for group in groups:
            self.assertEqual(len({place[id(x)] for x, _ in group}), 1)
            self.assertTrue(any(x[1][0] for x, _ in group))
            self.assertEqual({w for _, w in group}, {1.0})
        self.assertEqual(sum(map(len, groups)), 3 + 6 + 3)  # nothing of the document that is never quoted


if __name__ == "__main__":
    unittest.main()
