"""Readers are not taught the bounds of a quotation that its passage cuts off."""

import types
import unittest

import torch

from commonplace_train.chain import B, I, O, Chain
from commonplace_train.packed import Encoded
from commonplace_train.readers import Reader, untaught


def encoded(tokens, second):
    """Tokens of two code points each; a context of one token before them where second holds."""
    offsets = [(2 * i, 2 * i + 2) for i in range(tokens)]
    before = [(0, 1)] if second else []
    return Encoded([0] * (len(before) + tokens), [], before + offsets, [0] * (len(before) + tokens) if not second else [0] + [1] * tokens)


def reader(head, rows, logits):
    """A Reader without its encoder."""
    r = Reader.__new__(Reader)
    r.alone, r.reads, r.tags = head == "tag", head == "span", head == "tag"
    r.model = types.SimpleNamespace(crf=Chain())
    r.read = lambda group: (rows, [encoded(4, not r.alone) for _ in rows], logits)
    return r


class Cuts(unittest.TestCase):
    def gradient(self, head, *rows):
        """Of the loss, for each row's tokens and logits."""
        logits = torch.zeros(len(rows), 4 + (head == "span"), 5, requires_grad=True)
        r = reader(head, rows, logits)
        loss = r.loss([list(rows)])
        loss.backward()
        return logits.grad, r.model.crf

    def test_a_quotation_that_only_continues_teaches_taggers_no_beginning(self):
        row = {"spans": [[0, 4], [6, 8]], "cut_begin": True, "cut_end": False}
        grad, crf = self.gradient("tag", row)
        self.assertEqual(grad[0, 0].abs().sum(), 0)
        self.assertEqual(crf.start.grad, None)
        for token, label in ((1, I), (2, O), (3, B)):
            self.assertLess(grad[0, token, 2 + label], 0)
        grad, crf = self.gradient("tag", row | {"cut_begin": False})
        self.assertLess(grad[0, 0, 2 + B], 0)
        self.assertLess(crf.start.grad[B], 0)

    def test_the_loss_after_given_labels_is_a_conditional_probability(self):
        torch.manual_seed(1)
        chain, logits = Chain(), torch.randn(3, 3)
        torch.nn.init.normal_(chain.transitions)
        torch.nn.init.normal_(chain.stop)
        p = lambda *labels: torch.exp(-chain.loss(logits, torch.tensor(labels)))
        first = sum(p(B, i, j) for i in range(3) for j in range(3))
        got = torch.exp(-chain.loss(logits, torch.tensor([B, I, O]), 1))
        self.assertAlmostEqual(float(got), float(p(B, I, O) / first), 5)
        self.assertEqual(float(chain.loss(logits[:1], torch.tensor([B]), 1)), 0)
        self.assertEqual(untaught([O, O], {"cut_begin": True}), 0)

    def test_cut_bounds_teach_span_heads_nothing(self):
        for cut, starts, ends in (((False, False), True, True), ((True, False), False, True), ((False, True), True, False), ((True, True), False, False)):
            row = {"spans": [[2, 6]], "cut_begin": cut[0], "cut_end": cut[1]}
            grad, _ = self.gradient("span", row, {"spans": [], "cut_begin": False, "cut_end": False})
            self.assertEqual((bool(grad[..., 0].any()), bool(grad[..., 1].any())), (starts, ends), cut)

    def test_the_token_at_a_cut_is_no_wrong_answer(self):
        first, second = {"spans": [[4, 8]], "cut_begin": False, "cut_end": True}, {"spans": [[0, 4]], "cut_begin": True, "cut_end": False}
        grad, _ = self.gradient("span", first, second)
        self.assertEqual([(row, i) for row in range(2) for i in range(1, 5) if not grad[row, i, 0]], [(1, 1)])
        self.assertEqual([(row, i) for row in range(2) for i in range(1, 5) if not grad[row, i, 1]], [(0, 4)])
        self.assertEqual([(row, i) for row in range(2) for i in range(1, 5) if grad[row, i, 0] < 0], [(0, 3)])
        self.assertEqual([(row, i) for row in range(2) for i in range(1, 5) if grad[row, i, 1] < 0], [(1, 2)])

    def test_the_first_and_the_last_span_are_the_cut_ones(self):
        grad, _ = self.gradient("span", {"spans": [[0, 2], [4, 8]], "cut_begin": True, "cut_end": True})
        self.assertEqual([i for i in range(5) if grad[0, i, 0] < 0], [3])
        self.assertEqual([i for i in range(5) if grad[0, i, 1] < 0], [1])


if __name__ == "__main__":
    unittest.main()
