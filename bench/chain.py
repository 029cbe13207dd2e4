#!/usr/bin/env python3
"""Makes text of any size with the words and pairs of words of real books.

    python3 bench/chain.py BOOKS OUT --megabytes 165

Every word follows the word before it as often as it does in the books (a Markov chain of
words, seed 5). Longer runs of words are new, so the text quotes no book. Files of 600 KB.
"""

import argparse
import array
import pathlib
import random
import re


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("books", type=pathlib.Path, help="a folder of .txt")
    p.add_argument("out", type=pathlib.Path, help="a folder")
    p.add_argument("--megabytes", type=float, required=True)
    a = p.parse_args()
    ids, words, text = {}, [], array.array("I")
    for book in sorted(a.books.glob("*.txt")):
        for word in re.findall(r"\S+", book.read_text(encoding="utf-8")):
            if word not in ids:
                ids[word] = len(words)
                words.append(word)
            text.append(ids[word])
    # places[first[w]:first[w + 1]] are the places of word w in the text.
    first = array.array("I", [0]) * (len(words) + 1)
    for w in text:
        first[w + 1] += 1
    for w in range(len(words)):
        first[w + 1] += first[w]
    places, at = array.array("I", [0]) * len(text), array.array("I", first)
    for place, w in enumerate(text):
        places[at[w]] = place
        at[w] += 1
    rng = random.Random(5)
    a.out.mkdir(parents=True, exist_ok=True)
    for number in range(round(a.megabytes / 0.6)):
        line, lines, size = [], [], 0
        w = text[int(rng.random() * len(text))]
        while size < 600_000:
            line.append(words[w])
            size += len(words[w]) + 1
            if len(line) == 12:
                lines.append(" ".join(line))
                line = []
            place = places[first[w] + int(rng.random() * (first[w + 1] - first[w]))]
            w = text[(place + 1) % len(text)]
        (a.out / f"chain{number:04d}.txt").write_text("\n".join([*lines, " ".join(line)]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
