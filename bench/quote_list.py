"""Makes a long list of quotations of a folder of books: passages of 8 to 60 words from
random places, three in ten with a word changed; and one quotation in ten is random words.

    quote_list.py BOOKS LIST [--count N]

BOOKS holds .txt.gz files. LIST is a file of JSON lines, {quote_id, text}. The same books
give the same list.
"""

import argparse
import glob
import gzip
import json
import os
import random


def quotation(r: random.Random, books: list[list[str]]) -> str:
    words = r.choice(books)
    length = r.randint(8, 60)
    start = r.randrange(max(1, len(words) - length))
    quote = words[start : start + length]
    other = r.choice(books)
    if r.random() < 1 / 10:
        return " ".join(r.choice(other) for _ in quote)
    if r.random() < 1 / 3:
        quote[r.randrange(len(quote))] = r.choice(other)
    return " ".join(quote)


def main() -> None:
    p = argparse.ArgumentParser()
    p.add_argument("books")
    p.add_argument("list")
    p.add_argument("--count", type=int, default=100_000)
    a = p.parse_args()
    paths = sorted(glob.glob(os.path.join(a.books, "*.txt.gz")))
    books = [gzip.open(f).read().decode("utf-8", "replace").split() for f in paths]
    r = random.Random(25)
    with open(a.list, "w") as f:
        for i in range(a.count):
            f.write(json.dumps({"quote_id": f"q{i:06}", "text": quotation(r, books)}) + "\n")


if __name__ == "__main__":
    main()
