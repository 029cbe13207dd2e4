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


if __name__ == "__main__":
    unittest.main()
