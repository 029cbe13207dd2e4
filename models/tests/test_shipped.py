"""What made the shipped encoder: models/shipped/cutting.py, sentence_windows.py, export_encoder.py and best_lines.py."""

import contextlib
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np
import pyarrow
import pyarrow.parquet as parquet
import torch
import transformers

import tiny

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "models" / "shipped"), str(ROOT / "bench")]
import best_lines
import cutting
import export_encoder
import finetune_sentences
import gpu_sentences
import grades
import judge_encoder
import pack_sentences
import sentence_windows


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

    def test_sentences_at_rates(self):
        got = cutting.at_rates(np.array([0.5, -1.0, 2.0]), np.array([0, 0, 2]), 3, 2.0)
        np.testing.assert_allclose(got, [np.log(1 + np.exp(1) + np.exp(-2)) / 2, 0, np.log(1 + np.exp(4)) / 2])


class Windows(unittest.TestCase):
    """models/shipped/sentence_windows.py, and the graph of models/shipped/export_encoder.py."""

    def sentences(self, folder, lengths):
        tiny.encoder(folder)
        draw = np.random.default_rng(3)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        return sentence_windows.Sentences(tokenizer, [" ".join(draw.choice(tiny.WORDS, n)) for n in lengths])

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
                want = (encoder(ids, mask, number) - torch.tensor([0.5, 0.1])) / torch.tensor([2.0, 4.0])
                want[:, 0] += 0.25 * want[:, 1]
                graph = export_encoder.Means(encoder, ids[0, 0].item(), ids[0, int(s.lengths[0])].item(), [0.5, 0.1], [2.0, 4.0], 0.25).eval()
                got = torch.cat(graph(ids, mask, torch.zeros_like(ids)), dim=-1)
        ends = [(0, s.lengths[0]), (0, s.lengths[:2].sum()), (1, s.lengths[2]), (1, s.lengths[2:].sum())]
        np.testing.assert_allclose(torch.stack([got[w, t] for w, t in ends]), want, atol=1e-5)


class Grades(unittest.TestCase):
    """models/shipped/grades.py"""

    def test_places_of_lines(self):
        sentences = [{"doc_id": doc, "begin": b, "end": e} for doc, b, e in (("a", 0, 10), ("a", 11, 30), ("a", 31, 40), ("b", 0, 20), ("b", 21, 30))]
        lines = {("a", 0, 10): 1.0, ("a", 11, 40): 2.0, ("b", 4, 30): 3.0, ("b", 15, 24): 0.0, ("c", 0, 9): 1.0}
        want = {("a", 0, 10): [0], ("a", 11, 40): [1, 2], ("b", 4, 30): [3, 4], ("b", 15, 24): []}
        self.assertEqual(grades.places(lines, sentences), want)
        self.assertEqual(grades.of_sentences(lines, sentences), {0: (1.0, 0), 1: (2.0, 1), 2: (2.0, 1), 3: (3.0, 2), 4: (3.0, 2)})

    def test_precision_of_the_best(self):
        grade, documents = np.array([3, 0, 2, 0, 0, 1.0]), np.array(["a", "a", "a", "b", "b", "c"])
        self.assertEqual(grades.precision(np.array([3, 2, 1, 1, 2, 9.0]), grade, documents, top=2), (0.25, 2))


    def test_lines_are_cut_as_the_program_cuts_them(self):
        """As rank/line_test.go: neighbours join from half of the best score on, the better one first, to 60 words."""
        score, words = np.array([1.0, 4.0, 3.0, 2.0, -1.0, 5.0]), np.array([8, 20, 20, 20, 8, 61])
        for rows, want in (([0, 1, 2, 3, 4], (1, 4)), ([0, 1, 3], (1, 2)), ([0, 1], (1, 2)), ([4], (4, 5)), ([4, 5], (4, 5))):
            begin, end, of = best_lines.line(score, words, rows)
            self.assertEqual((begin, end), want)
            mean = score[begin:end].mean()
            self.assertAlmostEqual(of, mean + 0.3 * np.log(end - begin) * abs(mean))
        self.assertIsNone(best_lines.line(score, words, [5]))


class Folds(unittest.TestCase):
    """models/shipped/finetune_sentences.py, with and without a teacher."""

    def scores(self, folder, name, quoted_in_fold_0):
        """What a pupil says of fold 0, whose labels are as given."""
        draw, table = np.random.default_rng(4), {column: [] for column in pack_sentences.COLUMNS}
        for book in range(4):
            for i in range(12):
                fold = book % 2
                row = {"doc_id": f"b{book}", "text": " ".join(draw.choice(tiny.WORDS, 6)), "readers": quoted_in_fold_0 if fold == 0 else int(i % 4 == 0), "editors": 0, "genre": "", "fold": fold,
                       "grade": (float(quoted_in_fold_0) if fold == 0 else float(i % 3)) if i % 2 else None, "line": (book * 12 + i) if i % 2 else None}
                for column, value in row.items():
                    table[column].append(value)
        parquet.write_table(pyarrow.table(table, schema=pyarrow.schema(pack_sentences.COLUMNS)), folder / "sentences.parquet")
        tiny.encoder(folder / "checkpoint")
        teacher, kept = folder / f"{name}-teacher", folder / f"{name}-kept.npz"
        for out, more in (("teacher", []), ("pupil", ["--teacher", teacher]), ("again", ["--teacher", kept]), ("on", ["--earlier", teacher, "--graded", "1.5", "--lines"]), ("in windows", ["--earlier", teacher, "--graded", "1.5"])):
            if kept in more:
                np.savez(kept, told_0=np.load(teacher / "told-0.npy"))
            out, more = folder / f"{name}-{out}", map(str, more)
            arguments = ["", str(folder / "checkpoint"), str(out), "--sentences", str(folder / "sentences.parquet"), "--folds", "0", "--layers", "1", "--device", "cpu", *more]
            with mock.patch.object(sys, "argv", arguments), mock.patch.object(finetune_sentences, "READ", 40):
                finetune_sentences.main()
        got = np.load(folder / f"{name}-pupil" / "fold-0.npz")
        self.assertEqual(sorted(got["rows"]), [i for i, fold in enumerate(table["fold"]) if fold == 0])
        teacher, pupil, again = (np.load(folder / f"{name}-{of}" / "fold-0.npz")["scores"] for of in ("teacher", "pupil", "again"))
        self.assertFalse(np.array_equal(teacher, pupil))  # the teacher said something
        np.testing.assert_array_equal(pupil, again)  # and its kept scores the same
        on, windows = (np.load(folder / f"{name}-{of}" / "fold-0.npz")["scores"] for of in ("on", "in windows"))
        self.assertFalse(np.array_equal(teacher, windows))  # it went on
        self.assertFalse(np.array_equal(on, windows))  # and lines alone said something
        return np.stack([pupil, on])

    def test_nothing_of_a_fold_reaches_its_pupil(self):
        with tempfile.TemporaryDirectory() as folder:
            some, other = (self.scores(pathlib.Path(folder), str(n), n) for n in (0, 3))
        np.testing.assert_array_equal(some, other)

    def test_batches_have_each_window_once(self):
        draw = np.random.default_rng(7)
        sentences = mock.Mock(lengths=draw.integers(1, 90, 700))
        windows = np.split(np.arange(700), np.sort(draw.choice(np.arange(1, 700), 299, replace=False)))
        together = finetune_sentences.batches(windows, sentences, 4, draw)
        self.assertEqual([len(some) for some in together], [4] * 75)
        self.assertEqual(sorted(rows[0] for some in together for rows in some), [rows[0] for rows in windows])
        length = [[sentences.lengths[rows].sum() for rows in some] for some in together]
        self.assertLess(sum(4 * max(of) for of in length), 1.1 * sum(map(sum, length)))

    def test_frozen_layers_stay(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            self.scores(folder, "plain", 0)
            arguments = ["", str(folder / "checkpoint"), str(folder / "out"), "--sentences", str(folder / "sentences.parquet"), "--folds", "0", "--layers", "2", "--frozen", "1", "--epochs", "3"]
            with mock.patch.object(sys, "argv", arguments):
                finetune_sentences.main()
            before, after = (transformers.AutoModel.from_pretrained(folder / of, add_pooling_layer=False).encoder.layer for of in ("checkpoint", "out/fold-0"))
            same = [all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters())) for one, other in zip(before, after)]
        self.assertEqual(same[:2], [True, False])

    def test_scores_that_are_kept(self):
        told = np.arange(8, dtype=np.float16).reshape(4, 2)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            np.save(folder / "told-all.npy", told)
            np.save(folder / "told-1.npy", told + 1)
            np.savez(folder / "fold-1.npz", rows=np.array([3, 1]), scores=told[[3, 1]].astype(np.float64))
            gpu_sentences.keep(folder, 4, folder)
            kept, folds = (np.load(folder / name) for name in ("teacher-scores.npz", "told-folds.npz"))
            self.assertEqual((folds["told_all"].tolist(), folds["told_1"].tolist()), (told.tolist(), (told + 1).tolist()))
            for name in ("all", "1"):
                books = mock.Mock(texts=["a", "b", "c", "d"])
                np.testing.assert_array_equal(finetune_sentences.told_by(folder / "teacher-scores.npz", name, books, None, 0, "cpu"), kept["held_out"])
                np.testing.assert_array_equal(finetune_sentences.told_by(folder / "told-folds.npz", name, books, None, 0, "cpu"), folds[f"told_{name}"])
            rows, scores = judge_encoder.held_out(folder / "teacher-scores.npz", np.array([0, 1, 1, 1]), 1)
        self.assertEqual((rows.tolist(), scores.tolist()), ([1, 3], told[[1, 3]].tolist()))
