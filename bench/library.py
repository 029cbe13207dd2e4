"""Makes a large library of a small one: its books over and over, one line in
fifty without one of its words, another one in each copy.

    library.py BOOKS FOLDER [--first N] [--count N] [--megabytes N]

BOOKS holds .txt.gz files. Copy number i is always the same text. Prints how many
megabytes were written.
"""

import argparse
import glob
import gzip
import os
import random


def copy(text: str, i: int) -> str:
    r = random.Random(i)
    lines = text.split("\n")
    for k in range(0, len(lines), 50):
        words = lines[k].split(" ")
        if len(words) > 6:
            del words[r.randrange(1, len(words))]
            lines[k] = " ".join(words)
    return "\n".join(lines)


def main() -> None:
    p = argparse.ArgumentParser()
    p.add_argument("books")
    p.add_argument("folder")
    p.add_argument("--first", type=int, default=0)
    p.add_argument("--count", type=int, default=1 << 30)
    p.add_argument("--megabytes", type=float, default=float("inf"))
    a = p.parse_args()
    paths = sorted(glob.glob(os.path.join(a.books, "*.txt.gz")))
    texts = [(os.path.basename(f)[: -len(".txt.gz")], gzip.open(f).read().decode("utf-8", "replace")) for f in paths]
    os.makedirs(a.folder, exist_ok=True)
    written = 0
    for i in range(a.first, a.first + a.count):
        if written >= a.megabytes * 1e6:
            break
        name, text = texts[i % len(texts)]
        content = copy(text, i).encode()
        written += len(content)
        with open(os.path.join(a.folder, f"{i:06d}-{name}.txt"), "wb") as f:
            f.write(content)
    print(f"{written / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
