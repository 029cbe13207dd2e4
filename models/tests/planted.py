"""Runs of the program in which something plain is to be learnt.

books      of six paragraphs each; one is quoted, from the word MARKS[0] to the word MARKS[1]
places     books as before; the quoted paragraph is the first of its book, and no word tells
talk       conversations; a word of the last turn says which of eight quotations follows
"""

import json
import pathlib
import random
import subprocess

from tiny import WORDS

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "bin" / "commonplace"
MARKS, FILL = WORDS[:2], WORDS[2:500]
KEYS, ANSWERS = WORDS[500:508], WORDS[508:516]


def program(*arguments):
    got = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if got.returncode:
        raise AssertionError(f"{arguments}: {got.stderr}")
    return got.stdout


class Run:
    """A folder with a config; more is what a test adds to it."""

    def __init__(self, folder, config):
        self.folder, self.config = pathlib.Path(folder), {"out": str(pathlib.Path(folder, "out"))} | config
        self.build()
        self.data = self.folder / "export"

    def build(self, **more):
        """Builds, and gives the figures of the table evaluations by dataset, system and metric; those of the validation split are in .chosen_by, the others in .figures too."""
        path = self.folder / "config.yaml"
        path.write_text(json.dumps(self.config | more), encoding="utf-8")
        program("build", path, "--top", "0", "--yes")
        if "evaluate" not in more:
            return {}
        rows = program("inspect", "evaluations", "--out", self.config["out"], "--limit", "0", "--format", "jsonl")
        figures = {True: {}, False: {}}
        for r in map(json.loads, rows.splitlines()):
            figures[r["split"] == "validation"][r["dataset"], "model" if r["system"].startswith("recommend") else r["system"], r["metric"]] = r
        self.chosen_by, self.figures = figures[True], figures[False]
        return self.figures

    def export(self, *purposes):
        program("export", self.folder / "config.yaml", "--to", self.data, "--for", ",".join(purposes), "--negatives", "3")


def books(folder, marks=MARKS, chosen=None, language="en"):
    """The number of the quoted paragraph is chosen or drawn."""
    folder = pathlib.Path(folder)
    (folder / "books").mkdir(parents=True)
    draw, quotes = random.Random(3), []
    for b in range(60):
        paragraphs = [draw.sample(FILL, 24) for _ in range(6)]
        quote = [*marks[:1], *draw.sample(FILL, 5 if marks else 7), *marks[1:]]
        at = draw.randrange(4, 14)
        paragraph = paragraphs[draw.randrange(6) if chosen is None else chosen]
        paragraph[at : at if marks else at + len(quote)] = quote  # without marks, the length must not tell either
        (folder / "books" / f"book-{b:02}.txt").write_text("\n\n".join(" ".join(p) + "." for p in paragraphs) + "\n")
        quotes.append({"quote_id": f"q{b:02}", "text": " ".join(quote)})
    (folder / "quotes.jsonl").write_text("".join(json.dumps(q) + "\n" for q in quotes))
    return Run(folder, {
        "sources": [{"name": "books", "files": [str(folder / "books")], "language": language, "frame": "none"}],
        "quotes": [{"name": "quotes", "path": str(folder / "quotes.jsonl")}],
        "segment": {"by": "paragraphs"}, "label": {"datasets": ["triples", "counts"], "context_words": 12}, "score": {"model": "fast"}, "shards": 2,
    })


def places(folder):
    return books(folder, marks=(), chosen=0)


def talk(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    draw, rows = random.Random(4), []
    sayings = [f"{answer} {' '.join(draw.sample(FILL, 3))}." for answer in ANSWERS]
    for n in range(400):
        k = n % 8
        turns = [" ".join(draw.sample(FILL, 6)) + ".", " ".join([*draw.sample(FILL, 3), KEYS[k], *draw.sample(FILL, 2)]) + "."]
        rows.append({"conversation_id": f"c{n:03}", "turns": turns, "quotation": sayings[k]})
    (folder / "talk.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    return Run(folder, {"conversations": [{"name": "talk", "path": str(folder / "talk.jsonl")}], "label": {"datasets": ["replies"], "replies": {"language": "en"}}, "shards": 2})
