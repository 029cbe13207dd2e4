"""Tests of models/finetune.py, finetune_whole.py and finetune_sentences.py, with a tiny encoder of random weights.

    python3 models/test_finetune.py
"""

import contextlib
import io
import json
import math
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np
import torch
import transformers
from safetensors.torch import save_file

import counted_tables
import cutting
import export
import export_encoder
import finetune
import finetune_whole
import ranking_metrics
import sentence_windows
from half_frozen import HalfFrozen, Inputs
from tiny_models import read_tokenizer

WORDS = "lamp river stone garden letter winter lamp harbour morning captain window mountain".split()


def checkpoint(folder, roberta=False):
    kind, config = (transformers.RobertaModel, transformers.RobertaConfig) if roberta else (transformers.BertModel, transformers.BertConfig)
    tokenizer = read_tokenizer("roberta" if roberta else "bert")
    torch.manual_seed(7)
    sizes = {"hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2, "intermediate_size": 32, "max_position_embeddings": 140}
    special = {"pad_token_id": tokenizer.token_to_id("<pad>" if roberta else "[PAD]")}
    kind(config(vocab_size=tokenizer.get_vocab_size(), initializer_range=0.3, **sizes, **special)).save_pretrained(folder)
    names = dict(zip(("cls_token", "sep_token", "pad_token", "unk_token"), ("<s>", "</s>", "<pad>", "<unk>") if roberta else ("[CLS]", "[SEP]", "[PAD]", "[UNK]")))
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(folder)


def tables(folder):
    """Passages that speak of love are quoted, others hardly ever."""
    rng = np.random.default_rng(3)
    counted, pairs = [], []
    for d in range(8):
        rows = []
        for i in range(24):
            loved = i % 6 == 0
            text = " ".join(rng.choice(WORDS, 4 + i % 3).tolist() + ["love"] * 3 * loved)
            rows.append({"passage_id": f"b{d}:{i:06}", "doc_id": f"b{d}", "index": i, "marked": f"[Book@{i * 10 // 24}] {text}", "count": int(loved) * (5 + i), "fold": d % 2})
        counted += rows
        pairs += [{"more_id": m["passage_id"], "less_id": l["passage_id"]} for m in rows[::6] for l in rows[1::9]]
    for name, written in (("counted", counted), ("pairs", pairs)):
        pathlib.Path(folder, name).mkdir(parents=True)
        pathlib.Path(folder, name, "part-0.jsonl").write_text("".join(json.dumps(r) + "\n" for r in written))


transformers.logging.set_verbosity_error()


class Metrics(unittest.TestCase):
    def test_by_hand(self):
        # ranked 2, 0, 5: 2 + 0/log2(2) + 5/log2(3), of 5 + 2 + 0
        want = (2 + 5 / math.log2(3)) / 7
        self.assertAlmostEqual(ranking_metrics.ndcg([3, 2, 1], [2, 0, 5], 3), want)
        self.assertAlmostEqual(ranking_metrics.ndcg([3, 2, 1], [2, 0, 5], 1), 2 / 5)
        self.assertAlmostEqual(ranking_metrics.ndcg([1, 1, 1], [2, 0, 5], 1), 7 / 3 / 5)  # each first in a third of the orders
        self.assertTrue(math.isnan(ranking_metrics.ndcg([1, 2], [0, 0], 1)))

    def test_spearman_is_scipys(self):
        from scipy.stats import spearmanr

        rng = np.random.default_rng(1)
        for _ in range(20):
            s, c = rng.integers(0, 6, 30), rng.integers(0, 4, 30)
            self.assertAlmostEqual(ranking_metrics.spearman(s, c), spearmanr(s, c).statistic)


class Exactness(unittest.TestCase):
    """What is frozen and what is not worked out must not be missed."""

    def test_like_the_whole_model(self):
        for roberta in (False, True):
            for kind, places in ((transformers.AutoModelForSequenceClassification, [[0]] * 3), (transformers.AutoModelForTokenClassification, [[2, 4], [3], [1, 5, 8]])):
                for frozen in (0, 2):
                    with self.subTest(roberta=roberta, kind=kind.__name__, frozen=frozen), tempfile.TemporaryDirectory() as folder:
                        checkpoint(folder, roberta)
                        whole = kind.from_pretrained(folder, num_labels=1, attn_implementation="eager").eval()
                        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
                        ids = tokenizer(["the lamp burned", "love", "a letter of the captain to the widow"])["input_ids"]
                        ids = [(i + ids[2])[:9] for i in ids[:2]] + [ids[2]]
                        inputs = Inputs(ids, places, tokenizer.pad_token_id)
                        model = HalfFrozen(whole, frozen).eval()
                        if frozen:
                            inputs.keep(model, pathlib.Path(folder, "kept.npy"), lambda _: None)
                        with torch.no_grad():
                            got = inputs.scores(model, [2, 0, 1])
                            want = []
                            for i in (2, 0, 1):
                                logits = whole(input_ids=torch.tensor([ids[i]])).logits[0]
                                want += [logits[0]] if logits.dim() == 1 else [logits[p, 0] for p in places[i]]
                        np.testing.assert_allclose(got, want, atol=2e-3 if frozen else 1e-5)

    def test_frozen_layers_stay(self):
        with tempfile.TemporaryDirectory() as folder:
            checkpoint(folder)
            model = HalfFrozen(transformers.AutoModelForSequenceClassification.from_pretrained(folder, num_labels=1, attn_implementation="eager"), 2)
            free = {n for n, p in model.base.named_parameters() if p.requires_grad}
            self.assertTrue(free and all(n.startswith(("encoder.layer.2", "pooler")) for n in free), free)


class Packing(unittest.TestCase):
    def test_like_the_scorer(self):
        passage = lambda doc: counted_tables.Passage(doc, "", 0, 0)
        passages = [passage("a"), passage("a"), passage("a"), passage("b"), passage("b")]
        ids = [[5, 5], [6], [7, 7, 7], [8] * 20, [9]]
        inputs, places, members = finetune.pack(passages, ids, 1, 2, 8)
        self.assertEqual(inputs, [[1, 5, 5, 2, 6, 2], [1, 7, 7, 7, 2], [1, 8, 8, 8, 8, 8, 8, 2], [1, 9, 2]])
        self.assertEqual(places, [[3, 5], [4], [7], [2]])
        self.assertEqual(members, [[0, 1], [2], [3], [4]])


class Losses(unittest.TestCase):
    def test_values(self):
        s, c = torch.tensor([1.0, -1.0]), torch.tensor([3.0, 0.0])
        self.assertAlmostEqual(float(finetune.loss_of("poisson", s, c)), (math.e - 3 + 1 / math.e) / 2, 5)
        self.assertAlmostEqual(float(finetune.loss_of("listwise", s, c)), -math.log(math.e / (math.e + 1 / math.e)), 5)
        self.assertAlmostEqual(float(finetune.loss_of("hinge", torch.tensor([0.2, 3.0, 0.5, 1.0]), c)), (1 - 0.2 + 0.5) / 2, 5)


class Heads(unittest.TestCase):
    """Every head learns what is plain to see, in folds, and gives the same files again."""

    def run_head(self, folder, out, *more):
        command = ["finetune.py", folder / "encoder", folder / "tables", folder / out, "--batch", "12", "--head-lr", "1e-2", *more]
        with mock.patch.object(sys, "argv", list(map(str, command))), contextlib.redirect_stdout(io.StringIO()):
            finetune.main()
        return json.loads((folder / out / "metrics.json").read_text())

    def test_learns(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            checkpoint(folder / "encoder")
            tables(folder / "tables")
            for head, loss, more in (
                ("quotability", "listwise", ("--epochs", "12", "--lr", "1e-2", "--freeze", "1")),
                ("quotability", "poisson", ("--epochs", "12", "--lr", "1e-2", "--freeze", "1")),
                ("quotability-sequence", "listwise", ("--epochs", "12", "--lr", "3e-3", "--max", "32")),
                ("pair", "hinge", ("--epochs", "30", "--lr", "1e-2", "--freeze", "1")),
            ):
                with self.subTest(head=head, loss=loss):
                    settings = ("--head", head, "--loss", loss, "--patience", "30", *more)
                    got = self.run_head(folder, "first", *settings, "--no-checkpoint")
                    self.assertEqual(got["documents"], 8)
                    self.assertGreater(got["empty as zero"]["ndcg@5"][0], 50)  # 25 at random
                    ranked = [json.loads(line)["passage_id"] for line in (folder / "first" / "scores.jsonl").read_text().splitlines()]
                    self.assertEqual(len(set(ranked)), 8 * 24)

    def test_same_again_and_checkpoint(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            checkpoint(folder / "encoder")
            tables(folder / "tables")
            settings = ("--head", "quotability", "--epochs", "2", "--folds", "1")
            first, again = self.run_head(folder, "first", *settings), self.run_head(folder, "again", *settings)
            self.assertEqual(first, again)
            loaded = transformers.AutoModelForSequenceClassification.from_pretrained(folder / "first" / "checkpoint")
            self.assertEqual(loaded.config.num_labels, 1)
            self.assertTrue((folder / "first" / "checkpoint" / "tokenizer.json").exists())
            self.assertFalse((folder / "first" / "cache").exists())

    def test_marks_are_words_of_their_own(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            checkpoint(folder / "encoder")
            tables(folder / "tables")
            before = len(transformers.AutoTokenizer.from_pretrained(folder / "encoder"))
            self.run_head(folder, "out", "--head", "quotability", "--epochs", "1", "--folds", "1", "--marks")
            after = transformers.AutoTokenizer.from_pretrained(folder / "out" / "checkpoint")
            self.assertEqual(len(after), before + 10)  # [Book@0] to [Book@9]
            self.assertEqual(after.tokenize("[Book@3] love")[0], "[Book@3]")


class Whole(unittest.TestCase):
    def test_without_padding_is_hugging_faces_mean(self):
        with tempfile.TemporaryDirectory() as name:
            checkpoint(name)
            tokens = finetune_whole.Tokens(transformers.AutoTokenizer.from_pretrained(name), [" ".join(WORDS[:n]) for n in (3, 9, 1, 6)])
            ranker = finetune_whole.Ranker(name, 2, seed=1).eval()
            plain = transformers.AutoModel.from_pretrained(name, num_hidden_layers=2).eval()
            with torch.inference_mode():
                want = [plain(torch.tensor([ids])).last_hidden_state[0].mean(0).numpy() for ids in tokens.ids]
            some = np.array([2, 0, 3, 1])
            got = finetune_whole.over(tokens, some, lambda batch: ranker.pooled(tokens, batch))
            np.testing.assert_allclose(got, np.array(want)[some], atol=1e-5)

    def test_head_begins_as_a_ridge(self):
        rng = np.random.default_rng(0)
        pooled, train = rng.normal(3, 2, (400, 16)), np.arange(400) < 300
        with tempfile.TemporaryDirectory() as name:
            checkpoint(name)
            ranker = finetune_whole.Ranker(name, 2, seed=1)
            finetune_whole.begin(ranker, pooled, pooled @ np.arange(16.0), train)
            with torch.inference_mode():
                says = ranker.head(torch.tensor(pooled, dtype=torch.float32))[:, 0].numpy()
        self.assertAlmostEqual(float(says[train].std()), 1, places=4)
        self.assertGreater(np.corrcoef(says[~train], pooled[~train] @ np.arange(16.0))[0, 1], 0.95)

    def test_learns_and_scores_what_it_has_not_read(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            checkpoint(folder / "encoder")
            tables(folder / "tables")
            arguments = [str(folder / n) for n in ("encoder", "tables", "out")]
            with mock.patch.object(sys, "argv", ["finetune_whole", *arguments, "--layers", "2"]), contextlib.redirect_stdout(io.StringIO()) as told:
                finetune_whole.main()
            scores = [json.loads(line) for line in (folder / "out" / "scores.jsonl").read_text().splitlines()]
        self.assertEqual(len({s["passage_id"] for s in scores}), 8 * 24)
        loved = [s["score"] for s in scores if int(s["passage_id"][-6:]) % 6 == 0]
        others = [s["score"] for s in scores if int(s["passage_id"][-6:]) % 6 != 0]
        self.assertGreater(np.mean(loved), np.mean(others) + np.std(others))
        self.assertEqual(told.getvalue().count("NDCG@5"), 5)


class Cutting(unittest.TestCase):
    def test_parts_of_sentences_in_paragraphs(self):
        rng = np.random.default_rng(5)
        cuts = lambda n: np.sort(rng.choice(np.arange(1, 300), n, replace=False)).tolist()
        runs = []
        for n in (12, 40):
            runs.append([])
            for doc in ("a", "b"):
                begins = cuts(n)
                runs[-1] += [(doc, i, b, e - int(rng.integers(0, 2))) for i, (b, e) in enumerate(zip(begins, begins[1:] + [310])) if e - b > 1]
        paragraphs, lines = runs
        want = [(j, i, max(b, begin) - b, min(e, end) - b) for j, (d, _, b, e) in enumerate(lines) for i, (doc, _, begin, end) in enumerate(paragraphs)
                if d == doc and max(b, begin) < min(e, end)]
        self.assertEqual(list(cutting.parts(lines, paragraphs)), want)
        self.assertGreater(len(want), len({w[0] for w in want}))  # some are cut

    def test_best_sentences(self):
        rng = np.random.default_rng(5)
        scores, holder = rng.normal(size=60).round(1), rng.integers(0, 9, 60)
        holder[holder == 4] = 5  # one has none
        got = cutting.by_best(scores, holder, 9, 3)
        for i in range(9):
            own = sorted(scores[holder == i])[-3:]
            self.assertAlmostEqual(got[i], sum(own) / 3)

    def test_exported_head_says_what_the_ranker_says(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            checkpoint(folder / "encoder")
            tokens = finetune_whole.Tokens(transformers.AutoTokenizer.from_pretrained(folder / "encoder"), [" ".join(WORDS[:n]) for n in (3, 9)])
            ranker = finetune_whole.Ranker(folder / "encoder", 2, seed=1).eval()
            ranker.base.save_pretrained(folder / "made")
            save_file(ranker.head.state_dict(), folder / "made" / "head.safetensors")
            model, _, outputs = export.load(str(folder / "made"), "quotability", "mean")
            with torch.inference_mode():
                want = ranker(tokens, np.arange(2)).numpy()
                ids = [torch.tensor([i]) for i in tokens.ids]
                got = [model(i, torch.ones_like(i), torch.zeros_like(i))[0].item() for i in ids]
        np.testing.assert_allclose(got, want, atol=1e-5)
        self.assertEqual(outputs, ["logits"])

    def test_more_layers_than_there_are(self):
        with tempfile.TemporaryDirectory() as name:
            checkpoint(name)
            with self.assertRaisesRegex(SystemExit, "has 3 layers"):
                finetune_whole.Ranker(name, 4, seed=1)


class Windows(unittest.TestCase):
    """models/sentence_windows.py, and the graph of models/export_encoder.py."""

    def sentences(self, folder, lengths):
        checkpoint(folder)
        draw = np.random.default_rng(3)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        return sentence_windows.Sentences(tokenizer, [" ".join(draw.choice(WORDS, n)) for n in lengths])

    def test_every_sentence_is_in_one_window(self):
        with tempfile.TemporaryDirectory() as folder:
            s = self.sentences(folder, [3, 9, 1, 40, 2, 2, 7, 12, 5])
        rows = np.array([0, 1, 2, 3, 4, 6, 7, 8])
        for most in (8, 20, 60, 500):
            windows = s.fill(rows, most)
            self.assertEqual(np.concatenate(windows).tolist(), rows.tolist())
            for w in windows:
                self.assertTrue(len(w) == 1 or 1 + s.lengths[w].sum() <= most)
            for a, b in zip(windows, windows[1:]):
                self.assertGreater(1 + s.lengths[a].sum() + s.lengths[b[0]], most)
        self.assertEqual(s.fill(rows[:0], 20), [])

    def test_windows_around_a_sentence(self):
        with tempfile.TemporaryDirectory() as folder:
            s = self.sentences(folder, [3, 4, 5, 6, 4, 3, 5])
        rows, taken = np.arange(7), np.zeros(7, bool)
        taken[1] = True
        for left in (0.0, 0.5, 1.0):
            begin, end = s.around(rows, 3, 30, left, taken)
            self.assertTrue(1 < begin <= 3 < end)  # nothing that is taken, and the sentence itself
            self.assertLessEqual(1 + s.lengths[begin:end].sum(), 30)
        self.assertEqual(s.around(rows, 3, 1000, 0.5, taken), (2, 7))
        self.assertEqual(s.around(rows, 3, 2, 0.5, taken), (3, 4))  # too long for the window, and alone in it

    def test_graph_says_what_the_encoder_says(self):
        with tempfile.TemporaryDirectory() as folder:
            s = self.sentences(folder, [3, 9, 1, 6])
            encoder = sentence_windows.Encoder(folder, 2, seed=1).eval().float()
            ids, mask, number = s.batch([np.array([0, 1]), np.array([2, 3])])
            with torch.inference_mode(), mock.patch.object(torch, "autocast", lambda *a, **k: contextlib.nullcontext()):
                want = (encoder(ids, mask, number) - 0.5) / 2
                graph = export_encoder.Means(encoder, ids[0, 0].item(), ids[0, int(s.lengths[0])].item(), 0.5, 2.0).eval()
                got = graph(ids, mask, torch.zeros_like(ids))[0][..., 0]
        ends = [(0, s.lengths[0]), (0, s.lengths[:2].sum()), (1, s.lengths[2]), (1, s.lengths[2:].sum())]
        np.testing.assert_allclose([got[w, t] for w, t in ends], want, atol=1e-5)


if __name__ == "__main__":
    unittest.main()
