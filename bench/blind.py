#!/usr/bin/env python3
"""A blind reading of lines: are the best lines of some rankings worth repeating?

    python3 bench/blind.py lists FOLDER encoder=out/unseen-best default=out/unseen-fast [--top 10] [--seed 1836]
    python3 bench/blind.py count FOLDER first.txt second.txt

`lists` takes the lines with the highest best_score of each book of each run, and as many of the
first run's lines drawn at random. It writes them shuffled, without their origin, to
FOLDER/lines.tsv (number, book, line), and the origins to FOLDER/key.json. Readers write the number
of each line that is worth repeating by itself into a file, one a row, without seeing the key.
`count` says how many lines of each origin each reader took, and how often readers agree.
Needs pyarrow."""

import argparse
import collections
import json
import pathlib
import random
import sys

import pyarrow.parquet as parquet


def lines(run):
    """Of each book of a run its distinct lines with their scores, the best first."""
    commit = json.loads(pathlib.Path(run, "records", "scores", "_commit.json").read_text(encoding="utf-8"))
    books = collections.defaultdict(dict)
    for shard in commit["shards"]:
        for row in parquet.read_table(pathlib.Path(run, "scores", shard["file"]), columns=["doc_id", "best_text", "best_score"]).to_pylist():
            if row["best_text"]:
                books[row["doc_id"]][" ".join(row["best_text"].split())] = row["best_score"]
    return {book: sorted(of, key=lambda line: -of[line]) for book, of in sorted(books.items())}


def lists(options):
    draw, found = random.Random(options.seed), []
    for k, named in enumerate(options.rest):
        name, _, run = named.partition("=")
        for book, of in lines(run).items():
            found += [(name, book, line) for line in of[: options.top]]
            if k == 0:
                found += [("random", book, line) for line in draw.sample(of, min(options.top, len(of)))]
    texts = sorted({(book, line) for _, book, line in found})
    draw.shuffle(texts)
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "lines.tsv").write_text("".join(f"{i}\t{book}\t{line}\n" for i, (book, line) in enumerate(texts)), encoding="utf-8")
    number = {text: i for i, text in enumerate(texts)}
    key = collections.defaultdict(list)
    for name, book, line in found:
        key[name].append(number[book, line])
    (options.folder / "key.json").write_text(json.dumps(key), encoding="utf-8")
    print(f"{len(texts)} lines of {', '.join(f'{name} ({len(of)})' for name, of in key.items())}")


def count(options):
    key = json.loads((options.folder / "key.json").read_text(encoding="utf-8"))
    total = 1 + max(max(of) for of in key.values())
    took = [{int(word) for word in pathlib.Path(path).read_text(encoding="utf-8").split()} for path in options.rest]
    for path, of in zip(options.rest, took):
        if not of <= set(range(total)):
            sys.exit(f"blind: {path} names lines that are not there: {sorted(of - set(range(total)))[:5]}")
    for name, of in key.items():
        print(f"{name:10} " + "  ".join(f"{sum(i in t for i in of)} of {len(of)}" for t in took))
    if len(took) == 2:
        print(f"they agree on {sum((i in took[0]) == (i in took[1]) for i in range(total))} of {total}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=["lists", "count"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("rest", nargs="+", help="NAME=RUN for lists, files of answers for count")
    parser.add_argument("--top", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1836)
    options = parser.parse_args()
    {"lists": lists, "count": count}[options.do](options)


if __name__ == "__main__":
    main()
