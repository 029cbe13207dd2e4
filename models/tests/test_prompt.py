"""models/commonplace_train/prompt.py: the prompt of yes-no is the paper's, and its question stays whole."""

import pathlib
import tempfile
import unittest

import tiny
from commonplace_train import __main__, export, prompt
from commonplace_train.texts import Texts

PAPER = "Context: {context}\nDocument: {passage}\nIs the document relevant to the context? Answer yes/no:"  # RA-MTR, section 5.2


class Prompt(unittest.TestCase):
    def test_the_default_is_the_papers(self):
        self.assertEqual(__main__.arguments(["yes-no", "--data", "d", "--encoder", "e", "--out", "o"]).prompt, PAPER)
        self.assertEqual(export.arguments(["c", "f", "--head", "yes-no", "--licence", "l", "--source", "s"]).prompt, PAPER)

    def test_texts_do_not_fill_each_other(self):
        self.assertEqual(prompt.filled("{passage}, {context}; {passage}", "a {passage}", "b {context}"), "b {context}, a {passage}; b {context}")

    def test_room_is_divided_as_in_the_program(self):
        for a, b, room, want in ((3, 4, 10, (3, 4)), (3, 20, 10, (3, 7)), (20, 3, 10, (7, 3)), (20, 20, 10, (5, 5)), (20, 20, 11, (6, 5)), (5, 20, 10, (5, 5))):
            self.assertEqual(prompt.shares(a, b, room), want)

    def test_the_question_stays_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            tiny.encoder(pathlib.Path(folder))
            texts = Texts(folder, 40)
        words = lambda begin, n: " ".join(tiny.WORDS[begin : begin + n])
        rows = [{"context": words(0, c), "passage": words(100, p)} for c, p in ((3, 4), (3, 60), (60, 3), (60, 60))]
        question = texts.tokenizer.encode("Is the document relevant to the context? Answer yes/no:").tokens[1:]
        room = 40 - len(texts.tokenizer.encode(prompt.filled(PAPER, "", "")).ids)
        self.assertGreater(room, 10)
        for row, e in zip(rows, prompt.encoded(texts, PAPER, rows), strict=True):
            c, p = prompt.shares(len(row["context"].split()), len(row["passage"].split()), room)
            self.assertEqual(e.tokens[-len(question) :], question)
            self.assertEqual([t for t in e.tokens if t in tiny.WORDS], row["context"].split()[:c] + row["passage"].split()[:p])
        exactly = " ".join(["the"] * (40 - len(texts.tokenizer.encode("").ids))) + "{context}{passage}"  # no room is left
        self.assertEqual([len(e.ids) for e in prompt.encoded(texts, exactly, rows)], [40] * 4)
        self.assertEqual(texts.tokenizer.truncation["max_length"], 40)  # for others, as before
        with self.assertRaisesRegex(SystemExit, "--prompt alone fills --max, 40 tokens"):
            prompt.encoded(texts, words(0, 50) + "{context} {passage}", rows)


if __name__ == "__main__":
    unittest.main()
