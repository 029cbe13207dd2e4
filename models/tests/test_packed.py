"""The packed inputs of training, written for the program's own test to be held to.

    PYTHONPATH=models:models/tests python3 models/tests/test_packed.py    writes them again
"""

import json
import pathlib
import unittest

from tokenizers import AddedToken, Tokenizer

from commonplace_train.packed import BODY_START, Packed

TOKENIZERS = pathlib.Path(__file__).resolve().parents[2] / "infer" / "tokenizer" / "testdata"
GOLDEN = TOKENIZERS / "packed.jsonl"
LAMP = "The keeper lit the lamp at dusk, and nobody asked him why he did it; the harbour had been empty since the war. "
ROWS = [
    {"title": "Keeper asks for a lamp", "body": LAMP, "passage": LAMP},
    {"title": LAMP * 2, "body": LAMP * 9 + "So he said:", "passage": LAMP * 12},
    {"title": "", "body": "  Unbelievably disproportionate countersubversion \u2014 na\u00efvet\u00e9!\n\n", "passage": "\u201cI say,\u201d he said, \U0001f600 & left.  "},
    {"title": "Only a title", "context": "Only a title", "passage": " Two  spaces\tand a tab."},
    {"context": "Left of a quotation in a book, and right of it", "passage": ""},
]
LENGTHS = [(20, 100, 200), (0, 10, 16), (5, 0, 7)]


def read(name):
    """A tokenizer of the program's tests, also in the form that a newer library wrote."""
    of = json.loads((TOKENIZERS / f"{name}.json").read_text(encoding="utf-8"))
    if of["model"].get("merges"):
        of["model"]["merges"] = [m if isinstance(m, str) else " ".join(m) for m in of["model"]["merges"]]
    tokenizer = Tokenizer.from_str(json.dumps(of))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.add_special_tokens([AddedToken(BODY_START, normalized=False)])
    return tokenizer


def lines():
    for name in ("bert", "bert-cased", "roberta", "xlmr", "gpt2"):
        for lengths in LENGTHS:
            tokenizer = read(name)
            packed = Packed(tokenizer, *lengths)
            for row, e in zip(ROWS, packed(ROWS), strict=True):
                title, body = packed.parts(row)
                yield {
                    "tokenizer": name, "lengths": lengths, "body_start": tokenizer.token_to_id(BODY_START), "title": title, "body": body, "passage": row["passage"], "longest": packed.longest,
                    "ids": e.ids, "types": e.type_ids, "offsets": e.offsets, "sequence": [-1 if s is None else s for s in e.sequence_ids],
                }


def golden():
    return "".join(json.dumps(line) + "\n" for line in lines())


class Packing(unittest.TestCase):
    def test_is_what_the_program_is_held_to(self):
        self.assertEqual(GOLDEN.read_text(encoding="utf-8"), golden())

    def test_keeps_the_end_of_the_body(self):
        tokenizer, row = read("bert"), ROWS[1]
        ids = Packed(tokenizer, 3, 4, 5)([row])[0].ids
        bare = lambda text: tokenizer.encode(text, add_special_tokens=False).ids
        self.assertEqual(ids[1:4], bare(row["title"])[:3])
        self.assertEqual(ids[4], tokenizer.token_to_id(BODY_START))
        self.assertEqual(ids[5:9], bare(row["body"])[-4:])
        self.assertEqual(ids[10:15], bare(row["passage"])[:5])


if __name__ == "__main__":
    GOLDEN.write_text(golden(), encoding="utf-8")
