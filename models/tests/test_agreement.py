"""python3 -m unittest discover models: what models/commonplace_train/agreement.py refuses. Needs numpy."""

import types
import unittest

import numpy as np

from commonplace_train.agreement import check, paragraphs, spearman

INPUTS = ["input_ids", "attention_mask", "token_type_ids"]
TABLE = np.random.default_rng(7).normal(size=(100, 16)).astype(np.float32)


def texts():
    random = np.random.default_rng(5)
    ids = [list(random.integers(1, 100, size=n)) for n in (2, 5, 9, 14, 30)]
    return [types.SimpleNamespace(ids=i, attention_mask=[1] * len(i), type_ids=[0] * len(i)) for i in ids]


def tokens(feed):
    """A model of one layer: a token's vector and a sixteenth of the first token's."""
    hidden = TABLE[feed["input_ids"]]
    return [hidden + hidden[:, :1] / 16]


def pooled(feed):
    mask = feed["attention_mask"][..., None]
    return [(tokens(feed)[0] * mask).sum(1) / mask.sum(1)]


def pooled_over_padding(feed):
    return [tokens(feed)[0].mean(1)]


def off(model, by):
    noise = np.random.default_rng(3)
    return lambda feed: [o + by * noise.choice([-1, 1], size=o.shape) for o in model(feed)]


class Agreement(unittest.TestCase):
    def held(self, precision, head, pooling, reference, graph):
        """Whether the graph will do alone, and beside the longest text."""
        lines, good = check(precision, head, pooling, reference, graph, texts(), INPUTS)
        self.assertEqual(len(lines), 2)
        self.assertEqual(good, not any("too far" in line for line in lines))
        return ["too far" not in line for line in lines]

    def test_each_precision_has_its_bound(self):
        for precision, within, beyond in (("fp32", 5e-5, 5e-3), ("fp16", 4e-3, 0.1), ("int8", 0.05, 2)):
            for head, pooling in (("embed", "mean"), ("embed", "first"), ("tag", "mean")):
                self.assertEqual(self.held(precision, head, pooling, tokens, tokens), [True, True])
                self.assertEqual(self.held(precision, head, pooling, tokens, off(tokens, within)), [True, True], (precision, head))
                self.assertEqual(self.held(precision, head, pooling, tokens, off(tokens, beyond)), [False, False], (precision, head))

    def test_padding_shows_beside_a_longer_text(self):
        for precision in ("fp32", "fp16", "int8"):
            self.assertEqual(self.held(precision, "embed", "none", pooled, pooled), [True, True])
            self.assertEqual(self.held(precision, "embed", "none", pooled, pooled_over_padding), [True, False])

    def test_no_number_is_too_far(self):
        self.assertEqual(self.held("int8", "tag", "mean", tokens, lambda feed: [o * np.nan for o in tokens(feed)]), [False, False])

    def test_spearman_gives_ties_their_mean_rank(self):
        self.assertAlmostEqual(spearman(np.array([1, 2, 2, 4]), np.array([1, 3, 2, 4])), 0.948683, 6)
        self.assertAlmostEqual(spearman(np.array([1, 2, 3]), np.array([5, 4, 3])), -1)

    def test_the_longest_paragraph_is_last(self):
        found = paragraphs()
        self.assertGreater(len(found), 50)
        self.assertEqual(len(found[-1]), max(map(len, found)))


if __name__ == "__main__":
    unittest.main()
