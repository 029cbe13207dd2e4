#!/usr/bin/env python3
"""Cuts conversations from novels, for "When and what to quote" (dataset D).

    bench/dialogues.py TO BOOK...

A turn is what a paragraph has between quotation marks; turns with at most one paragraph between
them are a conversation. What follows it is a set phrase: a whole sentence of two words or more with
which speeches of many books begin. They stand for the paper's quotations: no corpus of real ones
is at hand. TO gets conversations.jsonl and splits.jsonl (label.split.file), which keeps an author
(what stands before __ in the file's name) on one side.
"""

import collections
import gzip
import hashlib
import json
import pathlib
import re
import sys

BOOKS, TURNS, MOST = 8, 4, 60  # in which a phrase stands at least; before the phrase; phrases
SAME = {"twain": "clemens"}  # authors with two names
NO_END = {"mr", "mrs", "dr", "print"}  # of a sentence; the small print of some files is none of the book's
SPEECH = re.compile(r"“([^”]+)[”]?|\"([^\"]+)\"?")
SENTENCE = re.compile(r"[^.!?]+[.!?]+")


def speeches(path):
    """What is said in each paragraph of a book; None where nothing is."""
    text = gzip.decompress(pathlib.Path(path).read_bytes()).decode("utf-8", "replace").replace("\r", "")
    for paragraph in re.split(r"\n\s*\n", text):
        said = " ".join(" ".join(a or b for a, b in SPEECH.findall(paragraph)).replace("_", "").split())
        yield said if len(said.split()) > 1 else None


def phrase_of(speech):
    """Its first sentence, and that with one spelling."""
    first = SENTENCE.match(speech)
    words = re.sub(r"[^a-z' ]", "", first[0].lower().replace("’", "'")).split() if first else []
    return (first[0].strip(), " ".join(words)) if len(words) >= 2 and words[-1] not in NO_END else (None, None)


def split_of(author):
    """The split of all books of an author, whichever name they have."""
    at = int(hashlib.sha256(SAME.get(author, author).encode()).hexdigest()[:8], 16) % 10
    return "test" if at < 2 else "validation" if at < 4 else "train"


def main():
    to, books = pathlib.Path(sys.argv[1]), sys.argv[2:]
    found = {path: list(speeches(path)) for path in books}
    said, spelled, uses = collections.defaultdict(set), collections.defaultdict(collections.Counter), collections.Counter()
    for path, all_said in found.items():
        for speech in filter(None, all_said):
            written, phrase = phrase_of(speech)
            if phrase:
                said[phrase].add(path)
                uses[phrase] += 1
                spelled[phrase][written] += 1
    phrases = {p for p, _ in sorted(((p, n) for p, n in uses.items() if len(said[p]) >= BOOKS), key=lambda x: (-x[1], x[0]))[:MOST]}
    to.mkdir(parents=True, exist_ok=True)
    n, seen = 0, set()
    with open(to / "conversations.jsonl", "w", encoding="utf-8") as rows, open(to / "splits.jsonl", "w", encoding="utf-8") as splits:
        for path, all_said in sorted(found.items()):
            name = pathlib.Path(path).name.removesuffix(".txt.gz")
            split = split_of(name.split("__")[0])
            used = 0  # no turn is in two conversations
            for i, speech in enumerate(all_said):
                phrase = phrase_of(speech)[1] if speech else None
                turns, silent, k = [], 0, i - 1
                while phrase in phrases and k >= used and len(turns) < TURNS and silent < 2:
                    silent = 0 if all_said[k] else silent + 1
                    turns += [all_said[k]] if all_said[k] else []
                    k -= 1
                thread = " ".join(turns).lower()
                if turns and thread not in seen:
                    seen.add(thread)  # of several editions of a book the first
                    used, n = i, n + 1
                    row = {"conversation_id": f"{name}-{i:05}", "turns": [" ".join(t.split()[-60:]) for t in turns[::-1]], "quotation": spelled[phrase].most_common(1)[0][0]}
                    rows.write(json.dumps(row, ensure_ascii=False) + "\n")
                    splits.write(json.dumps({"id": row["conversation_id"], "split": split}) + "\n")
    print(f"{n} conversations, {len(phrases)} phrases, {len(books)} books")


if __name__ == "__main__":
    main()
