"""Every head learns something planted, becomes a model folder, and is judged by the program.

Needs bin/commonplace (make build) and models/requirements.txt.
"""

import contextlib
import io
import json
import pathlib
import shutil
import tempfile
import unittest
import unittest.mock

import numpy as np
import torch

import commonplace_train.graph
import planted
import tiny
from commonplace_train import counted, forms
from commonplace_train.__main__ import main as train

FAST = ("--batch", "24", "--lr", "3e-3", "--head-lr", "1e-2", "--max", "96")


class Heads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        tiny.encoder(cls.folder / "encoder")
        tiny.roberta(cls.folder / "roberta")
        tiny.causal(cls.folder / "causal")
        tiny.seq2seq(cls.folder / "seq2seq")
        cls.books, cls.talk = planted.books(cls.folder / "books"), planted.talk(cls.folder / "talk")
        cls.books.export("token-classification", "span", "rank", "counts")
        cls.talk.export("replies", "pairs")

    def train(self, run, head, *more, checkpoint="encoder"):
        out = self.folder / f"{head}{len(list(self.folder.iterdir()))}"
        train([head, "--data", str(run.data), "--encoder", str(self.folder / checkpoint), "--out", str(out), *FAST, *more])
        self.assertTrue((out / "curve.svg").exists())
        return out

    def held_out(self, row):
        """A figure of test contexts that taught nothing."""
        self.assertEqual((row["in_sample"], row["left_out"]), ("", 0), row)
        self.assertGreaterEqual(row["n"], 4)
        return row["value"]

    def rank(self, run, out):
        return self.judge(run, recommend={"models": [{"model": str(out)}], "top": 0})

    def judge(self, run, **more):
        """The figures of the test split. Those of the validation split, which chose the best epoch, say that they are in sample."""
        figures = run.build(evaluate={"splits": ["test", "validation"]}, **more)
        chosen_by = [r for (_, system, _), r in run.chosen_by.items() if system == "model"]
        self.assertTrue(chosen_by)
        self.assertEqual({(r["in_sample"], r["left_out"]) for r in chosen_by}, {("in sample", 0)})
        return figures

    def only_the_held_out_fold(self, out, held, run=None):
        """The AUC of a model of the other folds: judged on each document of the fold that has a count, and on no other."""
        run = run or self.books
        figures = run.build(score={"model": str(out / "model")}, evaluate={})
        auc = next(r for (d, _, m), r in figures.items() if d == "counts" and m == "AUC" and r["left_out"])
        counted = {f.stem: {r["doc_id"] for r in map(json.loads, f.open(encoding="utf-8")) if r["count"]} for f in (run.data / "counts").glob("fold_*.jsonl")}
        of_fold = counted.pop(f"fold_{held}")
        self.assertGreater(len(of_fold), 4)
        self.assertEqual((auc["n"], auc["left_out"], auc["in_sample"]), (len(of_fold), sum(map(len, counted.values())), ""))
        return auc["value"]

    def test_rank(self):
        figures = self.rank(self.books, self.train(self.books, "rank", "--epochs", "4") / "model")
        self.assertGreaterEqual(self.held_out(figures["triples", "model", "Acc@1"]), 0.8)
        self.assertLess(figures["triples", "random", "Acc@1"]["value"], 0.3)

    def test_packed(self):
        out = self.train(self.books, "rank", "--epochs", "4", "--packed", "2", "16", "60")
        self.assertIn('"packed": {"body_start": "[body_start]", "title": 2, "body": 16, "passage": 60}', (out / "model" / "model.yaml").read_text())
        figures = self.rank(self.books, out / "model")
        self.assertGreaterEqual(self.held_out(figures["triples", "model", "Acc@1"]), 0.8)
        for wrong in (("rank", "--packed", "20"), ("rank", "--packed", "20", "100", "0"), ("embed", "--packed"), ("tag", "--alone", "--packed")):
            with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
                train([*wrong, "--data", str(self.books.data), "--encoder", str(self.folder / "encoder"), "--out", str(self.folder / "none")])

    def test_yes_no(self):
        figures = self.rank(self.books, self.train(self.books, "yes-no", "--epochs", "12", checkpoint="causal") / "model")
        self.assertGreaterEqual(self.held_out(figures["triples", "model", "Acc@1"]), 0.8)

    def test_weights_beside_the_graph(self):
        """Models that are too large for one graph, and language models of 16 bits."""
        with unittest.mock.patch.object(commonplace_train.graph, "LARGEST", 10_000):
            for head, checkpoint, more in (("rank", "encoder", ("--epochs", "4")), ("yes-no", "causal", ("--prompt", "Context: {context} Passage: {passage} Does the passage follow?", "--epochs", "6", "--lr", "1e-3", "--precision", "fp16"))):
                out = self.train(self.books, head, *more, checkpoint=checkpoint) / "model"
                self.assertIn('weights: "model.onnx.data"', (out / "model.yaml").read_text())
                self.assertGreater((out / "model.onnx.data").stat().st_size, 20_000)
                figures = self.rank(self.books, out)
                self.assertGreaterEqual(self.held_out(figures["triples", "model", "Acc@1"]), 0.8)
            with self.assertRaisesRegex(SystemExit, "int8 is for encoders of less than 2 GB"), contextlib.redirect_stdout(io.StringIO()):
                self.train(self.books, "rank", "--epochs", "1", "--precision", "int8")

    def test_span(self):
        figures = self.rank(self.books, self.train(self.books, "span", "--epochs", "6") / "model")
        self.assertGreaterEqual(self.held_out(figures["triples", "model", "F1 positive"]), 0.8)
        self.assertGreaterEqual(self.held_out(figures["triples", "model", "F1"]), 0.8)  # it finds the passage, too

    def test_tag_alone(self):
        figures = self.rank(self.books, self.train(self.books, "tag", "--alone", "--epochs", "14") / "model")
        self.assertGreaterEqual(self.held_out(figures["triples", "model", "F1 positive"]), 0.8)

    def test_reader_is_a_span_model_and_a_tagger(self):
        out = self.train(self.books, "reader", "--epochs", "20")
        for name in ("span", "tag"):
            figures = self.rank(self.books, out / name)
            self.assertGreaterEqual(self.held_out(figures["triples", "model", "F1 positive"]), 0.8)

    def test_quotability(self):
        for head, loss in (("quotability", "listwise"), ("quotability", "poisson"), ("quotability", "hinge"), ("quotability-sequence", "listwise")):
            with self.subTest(head=head, loss=loss):
                out = self.train(self.books, head, "--loss", loss, "--epochs", "6", "--held-out", "0")
                self.assertGreaterEqual(self.only_the_held_out_fold(out, 0), 0.9)

    def test_roberta(self):
        """Other special tokens, one type of token, positions from 2 and byte-level BPE, of whose words a span begins behind the space."""
        figures = self.rank(self.books, self.train(self.books, "rank", "--epochs", "4", checkpoint="roberta") / "model")
        self.assertGreaterEqual(self.held_out(figures["triples", "model", "Acc@1"]), 0.8)
        figures = self.rank(self.books, self.train(self.books, "rank", "--epochs", "4", "--packed", "2", "16", "90", checkpoint="roberta") / "model")
        self.assertGreaterEqual(self.held_out(figures["triples", "model", "Acc@1"]), 0.8)
        figures = self.rank(self.books, self.train(self.books, "span", "--epochs", "6", checkpoint="roberta") / "model")
        self.assertGreaterEqual(self.held_out(figures["triples", "model", "F1 positive"]), 0.8)
        self.assertGreaterEqual(self.held_out(figures["triples", "model", "EM positive"]), 0.5)
        for head in ("quotability", "quotability-sequence"):
            out = self.train(self.books, head, "--epochs", "6", "--held-out", "0", checkpoint="roberta")
            self.assertGreaterEqual(self.only_the_held_out_fold(out, 0), 0.9)

    def test_positional(self):
        """Which paragraph of a book is quoted, its words do not tell."""
        run = planted.places(self.folder / "places")
        run.export("counts")
        for head in ("quotability", "quotability-sequence"):
            plain, marked = (self.train(run, head, "--epochs", "6", "--held-out", "0", *more) for more in ((), ("--positional", "prose")))
            self.assertIn('"positional": "prose"', (marked / "model" / "model.yaml").read_text())
            if head == "quotability":  # a sequence begins with the first paragraph
                self.assertLess(self.only_the_held_out_fold(plain, 0, run), 0.8)
            self.assertGreaterEqual(self.only_the_held_out_fold(marked, 0, run), 0.95)
        for wrong in (("rank", "--positional", "prose"), ("quotability", "--positional", "verse"), ("quotability", "--positional", "drama")):
            with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
                train([*wrong, "--data", str(run.data), "--encoder", str(self.folder / "encoder"), "--out", str(self.folder / "none")])

    def test_counted(self):
        for head in ("poisson", "svm-rank", "lambdamart"):
            with self.subTest(head=head):
                out = self.folder / head
                train([head, "--data", str(self.books.data), "--out", str(out), "--held-out", "0"])
                self.assertGreaterEqual(self.only_the_held_out_fold(out, 0), 0.9)
                row = self.books.figures["counts", head, "rho"]  # under its own name, beside the paper's ranker of that name
                self.assertEqual(row["paper"], {"poisson": "paper C, Poisson regression", "svm-rank": "paper C, SVM-rank", "lambdamart": "paper C, LambdaMART"}[head] + ", KJB-CA")

    def test_counted_on_lemmas(self):
        """Their terms are lemmas, and the program scores passages with the same: as the graph does with the terms of training."""
        for language, marks, lemma_of in (("en", ("loveth", "gavest"), {"love", "give"}), ("la", ("amavit", "dabat"), {"amo", "do"})):
            run = planted.books(self.folder / f"forms-{language}", marks, language=language)
            run.export("counts")
            rows = [json.loads(line) for f in sorted((run.data / "counts").glob("fold_*.jsonl")) for line in f.open(encoding="utf-8")]
            inputs = counted.Inputs(rows, True)
            for head in ("poisson", "svm-rank", "lambdamart"):
                with self.subTest(head=head, language=language):
                    out = self.folder / f"{head}-on-lemmas-{language}"
                    train([head, "--data", str(run.data), "--out", str(out), "--held-out", "0", "--lemmas"])
                    self.assertGreaterEqual(self.only_the_held_out_fold(out, 0, run), 0.9)
                    terms = (out / "model/terms.txt").read_text().splitlines()
                    if (head, language) != ("lambdamart", "la"):  # these trees do with the features
                        self.assertTrue(lemma_of.intersection(terms))
                    self.assertFalse(set(marks).intersection(terms))
                    self.assertFalse(language != "en" and any(term.isupper() for term in terms))  # no parts of speech
                    scores = {r["passage_id"]: r["score"] for r in map(json.loads, planted.program("inspect", "scores", "--out", run.config["out"], "--limit", "0", "--format", "jsonl").splitlines())}
                    scores = np.array([scores[r["passage_id"]] for r in rows])
                    kept = np.array([inputs.terms.index(t) for t in terms])
                    counted.check((out / "model/model.onnx").read_bytes(), inputs, kept, np.log(scores) if head == "poisson" else scores, np.arange(len(rows)))
            train(["svm-rank", "--data", str(run.data), "--out", str(self.folder / f"words-or-lemmas-{language}"), "--lemmas", "best"])
        with self.assertRaisesRegex(SystemExit, "no lemmas of the language zh"):
            train(["poisson", *self.made_up("lemmas-chinese", 12, 4, 30, "zh"), "--lemmas"])
        with self.assertRaisesRegex(SystemExit, "passages of one language, and these are of en, la"):
            counted.Inputs([{"text": "Deus caritas est.", "position": 0, "places": [], "language": "la"}, {"text": "God is love.", "position": 1, "places": [], "language": "en-GB"}], True)

    def test_forms(self):
        """Of a dictionary, a folder gets what its terms need."""
        latin = forms.lemmas("la")
        self.assertEqual({form: latin.get(form, form) for form in ("erat", "amavit", "deus", "terram", "virtutibus", "uidit", "populusque")},
                         {"erat": "sum", "amavit": "amo", "deus": "deus", "terram": "terra", "virtutibus": "virtus", "uidit": "uideo", "populusque": "populusque"})
        some = {"amat": "amo", "amo": "amare", "est": "sum", "rosa": "rosa-1"}
        self.assertEqual(forms.needed(some, ["amo deus", "rosa"]), {"amat": "amo", "amo": "amare", "rosa": "rosa-1"})

    def made_up(self, name, documents, passages, words, language="en-GB"):
        folder = self.folder / name / "counts"
        folder.mkdir(parents=True)
        for fold in (0, 1):
            with (folder / f"fold_{fold}.jsonl").open("w", encoding="utf-8") as file:
                for d in range(fold, documents, 2):
                    for p in range(passages):
                        text = " ".join(tiny.WORDS[(i * (p + 1) + 7 * d) % len(tiny.WORDS)] for i in range(words)) + "."
                        file.write(json.dumps({"passage_id": f"d{d}:{p}", "doc_id": f"d{d}", "index": p, "text": text, "count": (d + p) % 4, "position": p / passages, "places": [], "language": language}) + "\n")
        return ["--data", str(folder.parent), "--out", str(self.folder / (name + "-model"))]

    def test_counted_of_odd_data(self):
        with unittest.mock.patch.object(tiny, "WORDS", tiny.made_up(900)):
            long, short = self.made_up("long", 12, 4, 850), self.made_up("short", 12, 1, 30)
        for head in ("poisson", "svm-rank"):
            train([head, *long])  # more terms than a graph takes
        train(["poisson", *short, "--grid", "paper"])
        self.assertIn("penalty", (self.folder / "short-model/model/model.yaml").read_text())
        for head in ("poisson", "lambdamart"):
            train([head, *short])
            self.assertIn("dialogue", (self.folder / "short-model/model/model.yaml").read_text())
        train(["lambdamart", *short, "--terms", "0"])  # features alone
        self.assertNotIn("terms.txt", (self.folder / "short-model/model/model.yaml").read_text())
        with self.assertRaisesRegex(SystemExit, "nothing to rank"):
            train(["svm-rank", *short])
        for head in ("poisson", "lambdamart"):  # no feature that looks for English words
            train([head, *self.made_up(head + "-latin", 12, 4, 30, "la")])
            names = json.loads(next(line.removeprefix("features: ") for line in (self.folder / f"{head}-latin-model/model/model.yaml").read_text().splitlines() if line.startswith("features: ")))["names"]
            self.assertIn("capitals", names)
            self.assertFalse({"stop", "dialogue", "definite"}.intersection(names))

    def test_embed(self):
        out = self.train(self.talk, "embed", "--epochs", "20")
        figures = self.judge(self.talk, recommend={"retrieve": str(out / "model"), "candidates": str(out / "candidates"), "top": 0})
        self.assertGreaterEqual(self.held_out(figures["replies", "model", "P@1"]), 0.8)
        self.assertLess(figures["replies", "bm25", "P@1"]["value"], 0.5)

    def test_choice(self):
        figures = self.rank(self.talk, self.train(self.talk, "choice", "--epochs", "10") / "model")
        self.assertGreaterEqual(self.held_out(figures["replies", "model", "P@1"]), 0.8)

    def test_seq2seq(self):
        figures = self.rank(self.talk, self.train(self.talk, "seq2seq", "--epochs", "10", checkpoint="seq2seq") / "model")
        self.assertGreaterEqual(self.held_out(figures["replies", "model", "P@1"]), 0.8)

    def test_joint(self):
        """Recommendation and generation trained together, fused as in equation 9; and when to quote, by the same model."""
        out = self.train(self.talk, "joint", "--epochs", "10", checkpoint="seq2seq")
        models = [{"model": str(out / "choice"), "weight": 0.6}, {"model": str(out / "seq2seq"), "weight": 0.4}]
        figures = self.judge(self.talk, recommend={"models": models, "fuse": "mixture", "when": str(out / "seq2seq")})
        self.assertGreaterEqual(self.held_out(figures["replies", "model", "P@1"]), 0.8)
        self.assertGreaterEqual(self.held_out(figures["replies", "model", "when accuracy"]), 0.9)
        self.assertGreaterEqual(self.held_out(figures["replies", "model", "when F1"]), 0.9)
        self.assertLess(figures["replies", "always", "when accuracy"]["value"], 0.6)
        alone = self.rank(self.talk, out / "choice")
        self.assertGreaterEqual(self.held_out(alone["replies", "model", "P@1"]), 0.8)

    def test_a_killed_run_ends_in_the_same_weights(self):
        whole = self.train(self.books, "rank", "--epochs", "2")
        out = self.folder / "killed"
        command = ["rank", "--data", str(self.books.data), "--encoder", str(self.folder / "encoder"), "--out", str(out), *FAST, "--epochs", "2", "--save-every", "1"]
        from commonplace_train.loop import Run

        step, count = Run.save, []

        def killed(run):
            step(run)
            count.append(run)
            if len(count) == 3:
                raise KeyboardInterrupt

        Run.save = killed
        try:
            with self.assertRaises(KeyboardInterrupt):
                train(command)
        finally:
            Run.save = step
        with self.assertRaisesRegex(SystemExit, "another lr"):
            train([*command, "--lr", "1e-5"])
        state = torch.load(out / "state.pt", weights_only=False)
        without = {k: v for k, v in state["options"].items() if k != "few"}  # of a program that had no --few
        torch.save(state | {"options": without}, out / "state.pt")
        with self.assertRaisesRegex(SystemExit, "another few:"):
            train(command)
        torch.save(state, out / "state.pt")
        train(command)
        self.assertEqual((out / "model" / "model.onnx").read_bytes(), (whole / "model" / "model.onnx").read_bytes())
        self.assertIn('"goes on"', (out / "log.jsonl").read_text())

    def test_accumulated_steps_are_one_of_all(self):
        from commonplace_train import loop
        from commonplace_train.__main__ import HEADS, arguments
        from commonplace_train.rows import Rows

        gradients = []
        for batch, accumulate in (("8", "2"), ("16", "1")):
            options = arguments(["choice", "--data", str(self.talk.data), "--encoder", str(self.folder / "encoder"), "--out", str(self.folder), "--batch", batch, "--accumulate", accumulate, "--steps", "1"])
            torch.manual_seed(1)
            task = HEADS["choice"](options, Rows(options.data, options.purpose))
            for part in task.model.modules():
                if isinstance(part, torch.nn.Dropout):
                    part.p = 0.0
                if hasattr(part, "dropout_prob"):
                    part.dropout_prob = 0.0
            run = loop.Run(task, options, self.folder)
            run.began = 0.0
            run.run_epoch()
            gradients.append(torch.cat([run.optimizer.state[p]["exp_avg"].flatten() for p in task.model.head.parameters()]))
        torch.testing.assert_close(*gradients, atol=1e-6, rtol=1e-4)


if __name__ == "__main__":
    unittest.main()
