"""The losses of the head joint are those of "When and what to quote": each is written out here, one row and one token at a time."""

import json
import pathlib
import shutil
import tempfile
import unittest

import torch

import tiny
from commonplace_train.__main__ import HEADS, arguments
from commonplace_train.rows import Rows

GAMMA = 0.3


class Joint(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        tiny.seq2seq(cls.folder / "seq2seq")
        cls.quotations = [" ".join(tiny.WORDS[10 * k : 10 * k + 2 + k]) + "." for k in range(7)]
        data = cls.folder / "rows" / "replies"
        data.mkdir(parents=True)
        rows = []
        for n in range(6):
            label, target, k = ("<quo>", cls.quotations[n], n) if n % 3 else ("<gen>", tiny.WORDS[300 + n], -1)
            rows.append({"id": f"c{n}", "doc_id": f"c{n}", "context": " ".join(tiny.WORDS[100 + 9 * n : 104 + 10 * n]), "target": target, "label": label, "quotation": k})
        for split in ("train", "validation", "test"):
            (data / f"{split}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
        (data / "quotations.jsonl").write_text("".join(json.dumps({"quotation": k, "text": t}) + "\n" for k, t in enumerate(cls.quotations)))
        cls.rows = rows

    def task(self, *more):
        options = arguments(["joint", "--data", str(self.folder / "rows"), "--encoder", str(self.folder / "seq2seq"), "--out", str(self.folder), "--device", "cpu", "--gamma", str(GAMMA), *more])
        torch.manual_seed(1)
        task = HEADS["joint"](options, Rows(options.data, options.purpose))
        task.model.eval()  # no dropout
        return task

    def written_out(self, task, pseudo):
        """L_rec and L_gen of all rows, by equations 5 to 7 and 11."""
        model, of = task.model, lambda token: task.texts.id(token)
        rec = gen = 0.0
        for r in self.rows:
            ids = torch.tensor([task.texts.encode([r["context"] + " <mask>"])[0].ids])
            hidden = model.model.model.encoder(input_ids=ids).last_hidden_state
            at_mask = hidden[0, ids[0].tolist().index(of("<mask>"))]
            first, _, second = model.head
            p = (second.weight @ torch.tanh(first.weight @ at_mask + first.bias) + second.bias).softmax(0).tolist()
            corpus = [(r["label"], r["target"], 1.0)]
            if r["label"] == "<quo>":
                rec -= torch.tensor(p[r["quotation"]]).log().item()
                best = sorted(range(len(p)), key=lambda k: -p[k])[:pseudo]
                corpus += [("<quo>", self.quotations[k], p[k]) for k in best]
            for label, target, weight in corpus:
                y = [of(label), *task.texts.bare(target), of("</s>")]
                before = [of(t) for t in task.begin]
                said = model.model(input_ids=ids, decoder_input_ids=torch.tensor([before + y[:-1]])).logits[0].log_softmax(1)
                gen -= weight * sum(said[len(before) - 1 + k, token].item() for k, token in enumerate(y))
        return rec, gen

    def test_the_losses_are_those_of_the_equations(self):
        seen = set()
        for pseudo in (0, 2, 5, 50):  # 50: all seven
            with self.subTest(pseudo=pseudo), torch.no_grad():
                task = self.task("--pseudo", str(pseudo))
                rec, gen = self.written_out(task, pseudo)
                got = task.losses(self.rows)
                self.assertAlmostEqual(float(got[0]), rec, places=3)
                self.assertAlmostEqual(float(got[1]), gen, places=2)
                self.assertAlmostEqual(float(task.loss(self.rows)), (rec + GAMMA * gen) / len(self.rows), places=3)
                seen.add(round(gen, 2))
        self.assertEqual(len(seen), 4)  # each number of pseudo-references is another loss

    def test_weights_of_pseudo_references_are_no_way_to_lower_the_loss(self):
        task = self.task()
        _, gen = task.losses(self.rows)
        gen.backward()
        self.assertTrue(all(p.grad is None for p in task.model.head.parameters()))
        self.assertTrue(any(p.grad is not None and p.grad.abs().sum() > 0 for p in task.model.model.model.encoder.parameters()))

    def test_a_group_without_a_quotation(self):
        task = self.task()
        rec, gen = task.losses([r for r in self.rows if r["label"] == "<gen>"])
        self.assertEqual(float(rec.detach()), 0)
        self.assertGreater(float(gen.detach()), 0)


if __name__ == "__main__":
    unittest.main()
