"""models/commonplace_train/rows.py: which rows of an export are trained on."""

import json
import pathlib
import tempfile
import unittest

from commonplace_train.rows import Rows


class Few(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name)
        (self.data / "span").mkdir()
        for split in ("train", "validation", "test"):
            rows = [{"id": f"{split}-{n}", "passage": k} for n in range(20) for k in range(3)]
            (self.data / "span" / f"{split}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))

    def ids(self, few):
        splits = Rows(self.data, "span", few=few).splits
        self.assertEqual([len(splits[s]) for s in ("validation", "test")], [60, 60])
        ids = [r["id"] for r in splits["train"]]
        self.assertEqual({ids.count(i) for i in ids}, {3})  # all rows of a context
        return set(ids)

    def test_few_contexts_with_all_of_their_rows(self):
        self.assertEqual([len(self.ids(n)) for n in (0, 1, 5, 19, 50)], [20, 1, 5, 19, 20])
        self.assertLess(self.ids(1), self.ids(5))  # a smaller subset is part of a larger one
        self.assertEqual(self.ids(5), self.ids(5))


class Taught(unittest.TestCase):
    """What learnt rows and what chose the best epoch are of is in a model's training.jsonl, and nothing else is."""

    def training(self, purpose, splits, **more):
        with tempfile.TemporaryDirectory() as data:
            folder = pathlib.Path(data, purpose)
            folder.mkdir()
            for name, ids in splits.items():
                (folder / f"{name}.jsonl").write_text("".join(json.dumps({"id": i, "doc_id": i}) + "\n" for i in ids))
            listed = sorted(i for ids in splits.values() for i in ids)
            (folder / "training.jsonl").write_text("".join(json.dumps({"doc_id": i}) + "\n" for i in listed))
            rows = Rows(data, purpose, **more)
            return rows, [json.loads(line)["doc_id"] for line in rows.training("doc_id").splitlines()]

    def test_training_and_validation(self):
        _, taught = self.training("rank", {"train": ["a", "b"], "validation": ["c", "d"], "test": ["e"]})
        self.assertEqual(taught, ["a", "b", "c", "d"])

    def test_rows_that_were_not_asked_for(self):
        rows, taught = self.training("rank", {"train": ["a", "b"], "validation": ["c", "d"], "test": ["e"]}, few=1, judged=1)
        self.assertEqual(taught, sorted(r["id"] for s in ("train", "validation") for r in rows.splits[s]))
        self.assertEqual(len(taught), 2)

    def test_all_but_the_held_out_fold(self):
        _, taught = self.training("counts", {f"fold_{f}": [f"{f}{d}" for d in "abcde"] for f in range(3)}, held_out=1)
        self.assertEqual(taught, [f"{f}{d}" for f in (0, 2) for d in "abcde"])


if __name__ == "__main__":
    unittest.main()
